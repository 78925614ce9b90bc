//! Generated text that is not as it was printed.

use crate::random::Random;

/// What is put in place of what, and its name.
const SWAPS: [(&str, &str, &str); 26] = [
    (" <= ", " < ", "comparison"),
    (" < ", " <= ", "comparison"),
    (" >= ", " > ", "comparison"),
    (" > ", " >= ", "comparison"),
    (" == ", " != ", "comparison"),
    (" != ", " == ", "comparison"),
    (" && ", " || ", "operator"),
    (" || ", " && ", "operator"),
    (" + ", " - ", "operator"),
    (" - ", " + ", "operator"),
    (" * ", " + ", "operator"),
    (" / ", " * ", "operator"),
    (" % ", " / ", "operator"),
    (" += ", " = ", "operator"),
    ("++", "+= 2", "step"),
    ("(int)", "", "cast"),
    ("(long)", "", "cast"),
    ("(unsigned char)", "", "cast"),
    ("(float)", "", "cast"),
    ("(double)", "", "cast"),
    ("(unsigned int)", "", "cast"),
    ("(unsigned long)", "", "cast"),
    ("(short)", "", "cast"),
    ("long ", "static long ", "private"),
    (" nowait", "", "pragma"),
    ("continue;", ";", "exit"),
];

/// Pragmas that do more than make a text faster.
const PRAGMAS: [&str; 3] = ["atomic", "critical", "barrier"];

/// A region's text with one change, and what was done.
pub fn mutate(text: &str, random: &mut Random) -> Option<(String, String)> {
    let body = text.find('\n')?;
    match random.below(10) {
        0 => without_line(text, random),
        1..=3 => number(text, body, random),
        _ => {
            let present: Vec<_> = SWAPS
                .iter()
                .filter(|s| text[body..].contains(s.0))
                .collect();
            if present.is_empty() {
                return None;
            }
            let &&(old, new, what) = random.pick(&present);
            let places: Vec<usize> = text[body..].match_indices(old).map(|(at, _)| at).collect();
            let at = body + *random.pick(&places);
            let changed = format!("{}{new}{}", &text[..at], &text[at + old.len()..]);
            Some((changed, format!("another {what}")))
        }
    }
}

/// Without a statement or a pragma.
fn without_line(text: &str, random: &mut Random) -> Option<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_statement = |line: &str| {
        let line = line.trim();
        let pragma = line.starts_with("#pragma") && PRAGMAS.iter().any(|p| line.contains(p));
        let assignment = line.ends_with(';') && !line.starts_with("for") && !line.starts_with('}');
        pragma || assignment
    };
    let places: Vec<usize> = (1..lines.len())
        .filter(|k| is_statement(lines[*k]))
        .collect();
    if places.is_empty() {
        return None;
    }
    let at = *random.pick(&places);
    let mut kept = lines.clone();
    let what = if kept.remove(at).trim().starts_with('#') {
        "a pragma left out"
    } else {
        "a line left out"
    };
    Some((kept.join("\n"), what.to_owned()))
}

/// With another number.
fn number(text: &str, body: usize, random: &mut Random) -> Option<(String, String)> {
    let bytes = text.as_bytes();
    let begins = |at: &usize| {
        bytes[*at].is_ascii_digit()
            && !bytes[*at - 1].is_ascii_alphanumeric()
            && bytes[*at - 1] != b'_'
            && bytes[*at - 1] != b'.'
    };
    let places: Vec<usize> = (body.max(1)..bytes.len()).filter(begins).collect();
    if places.is_empty() {
        return None;
    }
    let at = *random.pick(&places);
    let digits = text[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(1);
    let behind = &text[at + digits..];
    if behind.starts_with(['.', 'x', 'e']) {
        return None;
    }
    let old: i64 = text[at..at + digits].parse().ok()?;
    let new = *random.pick(&[
        old.wrapping_add(1).max(0),
        (old - 1).max(0),
        old.wrapping_mul(2).max(0),
        0,
        1,
    ]);
    if new == old {
        return None;
    }
    let changed = format!("{}{new}{behind}", &text[..at]);
    Some((changed, "another number".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_change_in_one_place() {
        let text =
            "{\n    for (long c0 = 0; c0 <= n; c0++)\n        b[c0 + 1] = (int)(a[c0] * 2);\n}\n";
        let mut random = Random::new(1, 1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..300 {
            let Some((changed, what)) = mutate(text, &mut random) else {
                continue;
            };
            assert_ne!(changed.trim_end(), text.trim_end(), "{what}");
            seen.insert(what);
        }
        for what in [
            "another cast",
            "another number",
            "a line left out",
            "another step",
        ] {
            assert!(seen.contains(what), "{what}: {seen:?}");
        }
    }
}
