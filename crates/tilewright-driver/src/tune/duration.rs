//! Lengths of time as people write them: `30s`, `10m`, `1h30m`.

use std::time::Duration;

/// Seconds per unit.
const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];

/// The longest time that is accepted, in seconds: a month.
const LONGEST: f64 = 31.0 * 24.0 * 3600.0;

/// Reads `10m`, `90s`, `1h30m`, `1.5h`; a number alone is seconds.
///
/// # Errors
/// What would be accepted.
pub fn parse(text: &str) -> Result<Duration, String> {
    let refuse = || "write a time such as 30s, 10m or 1h30m".to_owned();
    let number = |digits: &str| match digits.parse::<f64>() {
        Ok(value) if value.is_finite() && digits.starts_with(|c: char| c.is_ascii_digit()) => {
            Ok(value)
        }
        _ => Err(refuse()),
    };
    let mut rest = text.trim();
    let mut seconds = 0.0;
    if let Ok(alone) = number(rest) {
        seconds = alone;
        rest = "";
    } else if rest.is_empty() {
        return Err(refuse());
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        let (digits, behind) = rest.split_at(end.ok_or_else(refuse)?);
        let unit = UNITS.iter().find(|(name, _)| behind.starts_with(name));
        let (name, factor) = unit.ok_or_else(refuse)?;
        seconds += number(digits)? * factor;
        rest = &behind[name.len()..];
    }
    if seconds <= LONGEST {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("give less than a month".to_owned())
    }
}

/// `1 h 30 min`, `10 min`, `42 s`
pub fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    let parts = [
        (seconds / 3600, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    if parts.is_empty() {
        "0 s".to_owned()
    } else {
        parts.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, seconds) in [
            ("10m", 600.0),
            ("90s", 90.0),
            ("90", 90.0),
            ("0s", 0.0),
            ("1h30m", 5400.0),
            ("1.5h", 5400.0),
            ("250ms", 0.25),
            (" 2m ", 120.0),
        ] {
            let read = parse(text).unwrap().as_secs_f64();
            assert!((read - seconds).abs() < 1e-9, "{text}: {read}");
        }
        for text in [
            "",
            "m",
            "ten",
            "10x",
            "-5s",
            "5 minutes",
            "1m30",
            "inf",
            "nan",
            "1e99",
            "9999h",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_written() {
        let of = |seconds| words(Duration::from_secs(seconds));
        assert_eq!(of(0), "0 s");
        assert_eq!(of(600), "10 min");
        assert_eq!(of(5432), "1 h 30 min 32 s");
    }
}
