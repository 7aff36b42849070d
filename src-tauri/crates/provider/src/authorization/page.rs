//! What the browser shows when it comes back, in both languages: who reads it is not known here.

/// A whole HTTP answer with a small page.
pub(super) fn response(status: &str, [english, chinese]: [&str; 2]) -> String {
    let body = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Talaria</title>\
         <style>body{{font:16px/1.6 system-ui,sans-serif;max-width:32rem;margin:20vh auto;\
         padding:0 1.5rem;color-scheme:light dark}}</style></head>\
         <body><p>{english}</p><p lang=\"zh-CN\">{chinese}</p></body></html>"
    );
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n{body}",
        body.len()
    )
}

/// The key is there.
pub(super) const DONE: [&str; 2] = [
    "You are signed in. You can close this window and go back to Talaria.",
    "已完成登录。可以关闭此窗口，回到 Talaria。",
];

/// It did not work; Talaria says why.
pub(super) const FAILED: [&str; 2] = [
    "Signing in did not work. Go back to Talaria to see why and to try again.",
    "登录没有成功。请回到 Talaria 查看原因并重试。",
];

/// Somebody asked for something else.
pub(super) const NOT_FOUND: [&str; 2] = ["There is nothing here.", "这里没有内容。"];

#[cfg(test)]
mod tests {
    use super::{DONE, response};

    #[test]
    fn a_page_tells_its_length_in_bytes_and_stays_out_of_caches() {
        let answer = response("200 OK", DONE);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())));
        assert!(head.contains("no-store") && head.contains("default-src 'none'"));
        assert!(body.contains("close this window") && body.contains("可以关闭此窗口"));
    }
}
