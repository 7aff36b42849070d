//! Prints how long it takes to stream 20 and 100 KB of Markdown in pieces of 20 characters.

use std::io::Write;
use std::time::{Duration, Instant};

use talaria_markdown::Stream;

const SAMPLE: &str = "## 小节 A section\n\nA paragraph with **bold words**, `code` and a [link](https://a.example/). \
    它还有一些中文，用来模拟真实的回答内容，包括标点和数字 12345。Another sentence follows to give it some length.\n\n\
    - first item with words\n- second item\n  - nested item\n\n```rust\nfn main() {\n    let total: u64 = (1..=10).sum();\n    \
    println!(\"{total}\");\n}\n```\n\n| name | value |\n|---|---:|\n| one | 1 |\n| two | 2 |\n\nMath $a^2 + b^2 = c^2$ ends it.\n\n";

fn main() -> std::io::Result<()> {
    writeln!(
        std::io::stdout(),
        "{{\"kb20_ms\":{:.3},\"kb100_ms\":{:.3},\"code100_ms\":{:.3}}}",
        best(&SAMPLE.repeat(20 * 1024 / SAMPLE.len() + 1)),
        best(&SAMPLE.repeat(100 * 1024 / SAMPLE.len() + 1)),
        best(&format!(
            "```\n{}",
            "let x = 1; // a line of code\n".repeat(3_500)
        )),
    )
}

/// The shortest of several runs, in milliseconds.
fn best(text: &str) -> f64 {
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = characters
        .chunks(20)
        .map(|piece| piece.iter().collect())
        .collect();
    let shortest = (0..15).map(|_| run(&pieces)).min().unwrap_or_default();
    shortest.as_secs_f64() * 1_000.0
}

fn run(pieces: &[String]) -> Duration {
    let begun = Instant::now();
    let mut stream = Stream::default();
    let mut written = 0;
    for piece in pieces {
        written += stream
            .push(piece)
            .blocks
            .iter()
            .map(|block| block.html.len())
            .sum::<usize>();
    }
    written += stream.finish().blocks.len();
    std::hint::black_box(written);
    begun.elapsed()
}
