//! Expressions from text: `2a - 3b + 4`, where `a` is the first variable, `b` the second one.

use crate::validate::numbers::facts::{Facts, Row};

/// An expression; variables are single letters, factors stand in front of them.
pub(in crate::validate::tests) fn row(text: &str) -> Row {
    let spaced = text.replace('-', " - ").replace('+', " + ");
    let mut all = Row::default();
    let mut sign = 1;
    for word in spaced.split_whitespace() {
        let factor = match word {
            "+" => 1,
            "-" => -1,
            term => {
                let name = term.chars().last().filter(char::is_ascii_lowercase);
                let number = term.trim_end_matches(|c: char| c.is_ascii_lowercase());
                let number: i64 = match number {
                    "" => 1,
                    number => number.parse().unwrap(),
                };
                let one = match name {
                    Some(name) => Row::var(usize::from(name as u8 - b'a')),
                    None => Row::number(1),
                };
                all = all.combined(1, &one, sign * number).unwrap();
                1
            }
        };
        sign = factor;
    }
    all
}

/// Facts about the variables `a` to `h`: what is zero, and what is not negative.
pub(in crate::validate::tests) fn facts(zero: &[&str], not_negative: &[&str]) -> Facts {
    let mut facts = Facts::of(8);
    for text in not_negative {
        facts.at_least(&row(text));
    }
    for text in zero {
        facts.equal(&row(text));
    }
    facts
}
