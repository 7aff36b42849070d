//! As much of HTTP/1.1 as a scripted service needs: one request a connection, read whole.

use std::io::{self, BufRead, BufReader, Read, Write};

/// A request longer than this is refused, so that a faulty client can't fill the memory.
const LONGEST_BODY: u64 = 64 << 20;

/// A request, read whole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// Reads one request; `None` when the client closed without sending one.
pub(crate) fn read(stream: impl Read) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_ascii_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "not a request line",
        ));
    };
    let (method, path) = (method.to_owned(), path.to_owned());
    let (mut length, mut authorization) = (0, None);
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" => authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = Vec::new();
    reader
        .take(LONGEST_BODY.min(length))
        .read_to_end(&mut body)?;
    Ok(Some(Request {
        method,
        path,
        authorization,
        body,
    }))
}

/// Sends a whole answer with a JSON body.
pub(crate) fn write_json(
    stream: &mut impl Write,
    status: u16,
    body: &serde_json::Value,
) -> io::Result<()> {
    let body = body.to_string();
    write!(
        stream,
        "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len(),
    )
}

/// Opens an answer whose events follow one by one.
pub(crate) fn open_stream(stream: &mut impl Write) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
         transfer-encoding: chunked\r\nconnection: close\r\n\r\n",
    )
}

/// Sends one event's data as a chunk of its own.
pub(crate) fn write_event(stream: &mut impl Write, data: &str) -> io::Result<()> {
    let event = format!("data: {data}\n\n");
    write!(stream, "{:x}\r\n{event}\r\n", event.len())?;
    stream.flush()
}

/// Ends a streamed answer as it should end. Left out, the client sees a broken stream.
pub(crate) fn close_stream(stream: &mut impl Write) -> io::Result<()> {
    write!(stream, "0\r\n\r\n")?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::{Request, read, write_event};

    #[test]
    fn a_request_is_read_whole() {
        let bytes = b"POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer k\r\n\
                      Content-Length: 4\r\n\r\n{  }rest";
        let expected = Request {
            method: "POST".into(),
            path: "/v1/chat/completions".into(),
            authorization: Some("Bearer k".into()),
            body: b"{  }".to_vec(),
        };
        assert_eq!(read(bytes.as_slice()).unwrap(), Some(expected));
    }

    #[test]
    fn a_connection_without_a_request_is_no_error() {
        assert_eq!(read(b"".as_slice()).unwrap(), None);
    }

    #[test]
    fn an_event_is_one_chunk() {
        let mut sent = Vec::new();
        write_event(&mut sent, "{}").unwrap();
        assert_eq!(sent, b"a\r\ndata: {}\n\n\r\n");
    }
}
