use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::{duration, from_headers, from_text};

/// 2026-01-01T00:00:00Z.
fn new_year() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600)
}

fn waits(pairs: &[(&'static str, &'static str)]) -> Option<f64> {
    let headers: HeaderMap = pairs
        .iter()
        .map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        })
        .collect();
    from_headers(&headers, new_year()).map(|found| found.as_secs_f64())
}

#[test]
fn each_fashion_of_header_is_read() {
    type Case = (&'static [(&'static str, &'static str)], Option<f64>);
    let cases: &[Case] = &[
        (&[("retry-after", "30")], Some(30.0)),
        (&[("retry-after", " 1.5 ")], Some(1.5)),
        (&[("retry-after", "0")], Some(0.0)),
        (
            &[("retry-after-ms", "250"), ("retry-after", "30")],
            Some(0.25),
        ),
        (
            &[("retry-after", "Thu, 01 Jan 2026 00:00:45 GMT")],
            Some(45.0),
        ),
        (
            &[("retry-after", "Wed, 31 Dec 2025 23:00:00 GMT")],
            Some(0.0),
        ),
        (&[("retry-after", "Thu, 77 Foo 2026")], None),
        (&[("retry-after", "-5")], None),
        (&[("retry-after", "NaN")], None),
        (&[("retry-after", "1e300")], None),
        (&[("retry-after", "1e19")], Some(86_400.0)),
        (&[("retry-after", "20s")], Some(20.0)),
        (&[("retry-after", "1767225640")], Some(40.0)),
        (&[("retry-after", "2026-01-01T08:00:25+08:00")], Some(25.0)),
        (
            &[("retry-after", "soon"), ("x-ratelimit-reset", "9")],
            Some(9.0),
        ),
        (&[("retry-after-ms", "-1"), ("retry-after", "3")], Some(3.0)),
        (&[("retry-after", "99999999")], Some(86_400.0)),
        (&[("x-ratelimit-reset-tokens", "6m0s")], Some(360.0)),
        (&[("x-ratelimit-reset-requests", "120ms")], Some(0.12)),
        (
            &[
                ("x-ratelimit-reset-requests", "1m2.5s"),
                ("x-ratelimit-remaining-requests", "0"),
                ("x-ratelimit-reset-tokens", "9m"),
                ("x-ratelimit-remaining-tokens", "700"),
            ],
            Some(62.5),
        ),
        (&[("x-ratelimit-reset", "1767225660")], Some(60.0)),
        (&[("x-ratelimit-reset", "1767225660000")], Some(60.0)),
        (&[("x-ratelimit-reset", "12")], Some(12.0)),
        (
            &[("anthropic-ratelimit-requests-reset", "2026-01-01T00:00:20Z")],
            Some(20.0),
        ),
        (
            &[
                (
                    "anthropic-ratelimit-input-tokens-reset",
                    "2025-12-31T19:00:31.5-05:00",
                ),
                ("anthropic-ratelimit-input-tokens-remaining", "0"),
            ],
            Some(31.0),
        ),
        (
            &[("ratelimit-reset", "50"), ("ratelimit-remaining", "0")],
            Some(50.0),
        ),
        (
            &[
                ("x-ratelimit-reset-tokens-minute", "21.5"),
                ("x-ratelimit-remaining-tokens-minute", "-4"),
                ("x-ratelimit-reset-requests-day", "33011"),
                ("x-ratelimit-remaining-requests-day", "870"),
            ],
            Some(21.5),
        ),
        (&[], None),
    ];
    for (headers, expected) in cases {
        assert_eq!(waits(headers), *expected, "{headers:?}");
    }
}

#[test]
fn words_are_read_too() {
    for (text, expected) in [
        ("please try again in 7.5s. visit", Some(7.5)),
        ("try again in 320ms", Some(0.32)),
        ("please retry in 34.25s", Some(34.25)),
        ("retry after 20 seconds", Some(20.0)),
        ("try again in 2 minutes.", Some(120.0)),
        ("please try again in 1m12.5s.", Some(72.5)),
        ("try again in 6h20m", Some(22_800.0)),
        ("try again in about 1 hour, 2 minutes", Some(3720.0)),
        (
            "organization max rpm: 3, please try again after 1 seconds",
            Some(1.0),
        ),
        ("please wait 8000 seconds before retrying", Some(8000.0)),
        ("your quota will reset after 3m", Some(180.0)),
        ("please retry after 20.", Some(20.0)),
        ("请在30秒后重试", Some(30.0)),
        ("请 2 分钟后再试", Some(120.0)),
        ("请稍后再试", None),
        ("try again in 5x", None),
        ("try again in a while", None),
        ("try again later", None),
    ] {
        let found = from_text(text).map(|found| found.as_secs_f64());
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_is_no_duration_is_none() {
    for text in ["", "s", "5", "5x", "1.2.3s", "1s later", "时"] {
        assert_eq!(duration(text), None, "{text}");
    }
}

#[test]
fn any_day_of_the_week_is_one() {
    for (date, since) in [
        ("1970-01-01T00:00:00Z", 0),
        ("2000-02-29T12:00:00Z", 951_825_600),
        ("2026-12-01T00:00:07Z", 1_796_083_207),
        ("2100-03-01T00:00:00Z", 4_107_542_400),
    ] {
        let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(since);
        assert_eq!(super::rfc3339(date), Some(moment), "{date}");
    }
    for none in [
        "2026-13-01T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "2026-01-01T00:00:00",
        "T",
        "",
    ] {
        assert_eq!(super::rfc3339(none), None, "{none}");
    }
}
