//! Days, in the forms that people and models write them.

/// A day as ISO 8601 writes it, from the forms that leave no doubt: the year comes first.
pub(super) fn iso_date(text: &str) -> Option<String> {
    let text = text.strip_suffix(['日', '号']).unwrap_or(text);
    let mut parts = text.split(['年', '月', '/', '.', '-']).map(str::trim);
    let mut part = |digits: std::ops::RangeInclusive<usize>| {
        let part = parts.next()?;
        digits
            .contains(&part.len())
            .then(|| part.parse::<u32>().ok())?
    };
    let (year, month, day) = (part(4..=4)?, part(1..=2)?, part(1..=2)?);
    let fits = (1..=last_day(year, month)?).contains(&day) && parts.next().is_none();
    fits.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The last day of a month; none for what is no month.
fn last_day(year: u32, month: u32) -> Option<u32> {
    let leaps = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leaps { 29 } else { 28 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::iso_date;

    #[test]
    fn a_day_is_written_as_the_standard_writes_it() {
        for (text, day) in [
            ("2024年5月1日", Some("2024-05-01")),
            ("2024年05月01号", Some("2024-05-01")),
            ("2024/5/1", Some("2024-05-01")),
            ("2024.5.1", Some("2024-05-01")),
            ("2024-05-01", Some("2024-05-01")),
            ("2024-02-29", Some("2024-02-29")),
            ("2023-02-29", None),
            ("2024-04-31", None),
            ("2024-13-01", None),
            ("2024-00-01", None),
            ("2024-05-00", None),
            ("5/1/2024", None),
            ("tomorrow", None),
            ("2024年5月", None),
            ("2024-05-01T08:00", None),
            ("", None),
        ] {
            assert_eq!(iso_date(text).as_deref(), day, "{text}");
        }
    }
}
