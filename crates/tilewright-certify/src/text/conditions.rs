//! `#if` and its like: which lines of a text count.

use super::macros::{Macros, is_word};

/// A conditional that a line is in.
struct Branch {
    /// Whether the lines around it count.
    around: bool,
    /// Whether one of its branches was chosen.
    chosen: bool,
    active: bool,
}

/// The conditionals that a line is in, outermost first.
#[derive(Default)]
pub(super) struct Conditions(Vec<Branch>);

impl Conditions {
    /// Whether the next line counts.
    pub fn active(&self) -> bool {
        self.0.last().is_none_or(|branch| branch.active)
    }

    /// Takes a directive; false where it is none of conditionals.
    ///
    /// # Errors
    /// A condition that is not understood.
    pub fn directive(&mut self, word: &str, rest: &str, macros: &Macros) -> Result<bool, String> {
        let around = self.active();
        let mut open = |holds: bool| {
            self.0.push(Branch {
                around,
                chosen: holds,
                active: around && holds,
            });
        };
        match word {
            "ifdef" => open(macros.is_defined(rest.trim())),
            "ifndef" => open(!macros.is_defined(rest.trim())),
            "if" => {
                let holds = around && holds(rest, macros)?;
                open(holds);
            }
            "elif" | "else" => {
                let Some(last) = self.0.last_mut() else {
                    return Err(format!("the directive #{word}"));
                };
                let open = last.around && !last.chosen;
                last.active = open && (word == "else" || holds(rest, macros)?);
                last.chosen |= last.active;
            }
            "endif" => {
                self.0.pop();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Whether the condition of an `#if` holds.
fn holds(text: &str, macros: &Macros) -> Result<bool, String> {
    let mut asked = String::new();
    // `defined` is answered before macros are expanded.
    let mut rest = text;
    while let Some(at) = word(rest, "defined") {
        asked.push_str(&rest[..at]);
        let behind = rest[at + 7..].trim_start();
        let (name, more) = match behind.strip_prefix('(') {
            Some(inner) => inner.split_once(')').unwrap_or((inner, "")),
            None => {
                let end = behind.find(|c: char| !is_word(c));
                behind.split_at(end.unwrap_or(behind.len()))
            }
        };
        asked.push_str(if macros.is_defined(name.trim()) {
            "1"
        } else {
            "0"
        });
        rest = more;
    }
    asked.push_str(rest);
    let strange = || format!("the condition `{}`", text.trim());
    let expanded = macros.expand(&asked)?.ok_or_else(strange)?;
    let mut parser = Parser {
        rest: expanded.trim(),
        depth: 0,
    };
    let value = parser.binary(0).ok_or_else(strange)?;
    if parser.rest.trim().is_empty() {
        Ok(value != 0)
    } else {
        Err(strange())
    }
}

/// Where a word stands by itself.
fn word(text: &str, word: &str) -> Option<usize> {
    let mut found = text.match_indices(word).map(|(at, _)| at);
    found.find(|&at| {
        let behind = &text[at + word.len()..];
        !text[..at].ends_with(is_word) && !behind.starts_with(is_word)
    })
}

/// The value of an integer constant.
fn integer(word: &str) -> Option<i64> {
    let lower = word.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x', ..] => (&digits[2..], 16),
        [b'0', b'b', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, radix)
        .ok()
        .map(|value| value as i64)
}

/// Operators by how strongly they bind, weakest first; longer ones in front of what they begin with.
const OPERATORS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*"],
];

/// Conditions are short.
const DEEPEST: usize = 100;

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl Parser<'_> {
    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            self.rest = self.rest.trim_start();
            let found = operators.iter().find(|op| self.rest.starts_with(**op));
            let Some(operator) = found else {
                return Some(left);
            };
            self.rest = &self.rest[operator.len()..];
            let right = self.binary(level + 1)?;
            left = match *operator {
                "||" => (left != 0 || right != 0).into(),
                "&&" => (left != 0 && right != 0).into(),
                "==" => (left == right).into(),
                "!=" => (left != right).into(),
                "<=" => (left <= right).into(),
                ">=" => (left >= right).into(),
                "<" => (left < right).into(),
                ">" => (left > right).into(),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                _ => left.wrapping_mul(right),
            };
        }
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        self.rest = self.rest.trim_start();
        if let Some(rest) = self.rest.strip_prefix('!') {
            self.rest = rest;
            return Some((self.unary()? == 0).into());
        }
        if let Some(rest) = self.rest.strip_prefix('-') {
            self.rest = rest;
            return Some(self.unary()?.wrapping_neg());
        }
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let value = self.binary(0)?;
            self.rest = self.rest.trim_start().strip_prefix(')')?;
            return Some(value);
        }
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word.chars().next()? {
            '0'..='9' => integer(word),
            // A name that is no macro's.
            _ => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_choose_lines() {
        let mut macros = Macros::predefined();
        macros.define("N 4").unwrap();
        let holds = |text| holds(text, &macros);
        assert_eq!(holds("defined(N) && N > 3"), Ok(true));
        assert_eq!(holds("defined M || !(N == 4)"), Ok(false));
        assert_eq!(holds("M"), Ok(false));
        assert_eq!(holds("N - 4 != 2 * 3"), Ok(true));
        assert!(holds("N ? 1 : 2").is_err());

        let mut conditions = Conditions::default();
        let mut take = |word, rest| {
            conditions
                .directive(word, rest, &macros)
                .map(|_| conditions.active())
        };
        assert_eq!(take("ifdef", "M"), Ok(false));
        assert_eq!(take("ifndef", "M"), Ok(false));
        assert_eq!(take("else", ""), Ok(false));
        assert_eq!(take("endif", ""), Ok(false));
        assert_eq!(take("elif", "N"), Ok(true));
        assert_eq!(take("else", ""), Ok(false));
        assert_eq!(take("endif", ""), Ok(true));
        assert!(take("else", "").is_err());
    }
}
