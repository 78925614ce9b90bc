//! Addresses of memory that has to be apart, as the text in front of a region compares them.

use super::checks::{ADDRESS, LINE, LONGEST, Number, Writer, too_large};
use super::index::strength::*;
use crate::scop::{Memory, Rows};
use isl::{AstBuild, PwAff, Result};

impl Writer<'_> {
    /// When two pieces of memory have nothing in common: an operand of `&&`.
    pub(super) fn apart(&mut self, pair: &[Memory; 2]) -> Result<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut ends = Vec::new();
        let given = &self.known.clone();
        for memory in pair {
            let ([first, end], conditions) = match &memory.rows {
                None => {
                    let place = &memory.place;
                    ([format!("&{place}"), format!("(&{place} + 1)")], Vec::new())
                }
                Some(rows) => {
                    if !given.is_subset(&rows.some)? {
                        let none = rows.some.complement()?.gist(given)?.coalesce()?;
                        let none = self.alternative(&none)?;
                        if !parts.contains(&none) {
                            parts.push(none);
                        }
                    }
                    self.rows(memory, rows)?
                }
            };
            ends.push((first, end, conditions));
        }
        let [(first, end, conditions), (other, other_end, more)] = &ends[..] else {
            return Err(too_large());
        };
        let mut orders = vec![
            format!("({ADDRESS}){end} <= ({ADDRESS}){other}"),
            format!("({ADDRESS}){other_end} <= ({ADDRESS}){first}"),
        ];
        let mut all: Vec<&str> = Vec::new();
        for condition in conditions.iter().chain(more) {
            if !all.contains(&condition.as_str()) {
                all.push(condition);
            }
        }
        if !all.is_empty() {
            orders = vec![format!(
                "({} && ({}))",
                all.join(" && "),
                orders.join(" || ")
            )];
        }
        parts.append(&mut orders);
        let width: usize = parts.iter().map(String::len).sum();
        let between = if width > LINE { " ||\n     " } else { " || " };
        Ok(format!("({})", parts.join(between)))
    }

    /// The addresses of the first row and of the one behind the last one, where there are any; and
    /// conditions under which nothing overflows on the way.
    fn rows(&mut self, memory: &Memory, rows: &Rows) -> Result<([String; 2], Vec<String>)> {
        let known = self.known.intersect(&rows.some)?;
        let build = AstBuild::from_context(&known)?;
        let mut conditions = Vec::new();
        let mut distance = |bound: &PwAff, stride: &Option<String>| -> Result<Number> {
            let bound = bound.gist(&known)?.coalesce()?;
            let row = build.expr_from_pw_aff(&bound)?;
            let row = match (self.plain(&row)?, stride, rows.inside.is_empty()) {
                (Some(name), None, true) => {
                    let (text, strength, magnitude) = (name.to_owned(), PRIMARY, 0);
                    return Ok(Number {
                        text,
                        strength,
                        magnitude,
                    });
                }
                _ => self.number(&row)?,
            };
            let Some(stride) = stride else { return Ok(row) };
            if row.text == "0" {
                return Ok(row);
            }
            let (stride, in_double, magnitude) = self.product(stride);
            let all = magnitude.checked_mul(row.magnitude);
            if all.is_none_or(|all| i64::try_from(all).is_err()) {
                let row = row.operand(PRIMARY);
                conditions.push(format!(
                    "__builtin_fabs((double){row} * {in_double}) < {LONGEST}"
                ));
            }
            Ok(Number {
                text: format!("{} * {stride}", row.operand(PRODUCT)),
                strength: PRODUCT,
                magnitude: all.unwrap_or(i128::MAX),
            })
        };
        let mut ends = Vec::new();
        for of in [Side::First, Side::End] {
            let mut sum = distance(of.of(&rows.first, &rows.end), &rows.stride)?;
            for inside in &rows.inside {
                let more = distance(of.of(&inside.first, &inside.end), &inside.stride)?;
                match (&*sum.text, &*more.text) {
                    (_, "0") => {}
                    ("0", _) => sum = more,
                    _ => {
                        sum.text = format!("{} + {}", sum.operand(SUM), more.operand(PRODUCT));
                        sum.strength = SUM;
                    }
                }
            }
            ends.push(format!("&{}[{}]", memory.place, sum.text));
        }
        if !rows.inside.is_empty() {
            for stride in rows.strides() {
                let (text, in_double, magnitude) = self.product(stride);
                if i64::try_from(magnitude).is_err() {
                    conditions.push(format!("__builtin_fabs({in_double}) < {LONGEST}"));
                }
                conditions.push(format!("{text} >= 0"));
            }
        }
        match <[String; 2]>::try_from(ends) {
            Ok(ends) => Ok((ends, conditions)),
            Err(_) => Err(too_large()),
        }
    }

    /// A polynomial of parameters with all its arithmetic in `long`, the same in `double`, and what
    /// its magnitude cannot exceed.
    fn product(&mut self, spelling: &str) -> (String, String, i128) {
        let mut magnitude: i128 = 1;
        let mut word = |word: &str| {
            let own = self.largest(word);
            magnitude = magnitude.saturating_mul(own.saturating_add(1));
        };
        let in_long = converted(spelling, "long", &mut word);
        let in_double = converted(spelling, "double", &mut |_| {});
        if spelling.contains(' ') {
            (format!("({in_long})"), format!("({in_double})"), magnitude)
        } else {
            (in_long, in_double, magnitude)
        }
    }
}

/// Which end of a range.
#[derive(Clone, Copy)]
enum Side {
    First,
    End,
}

impl Side {
    fn of<T>(self, first: T, end: T) -> T {
        match self {
            Side::First => first,
            Side::End => end,
        }
    }
}

/// An arithmetic expression of integers and parameters, each parameter converted to a type; `each`
/// is told all of them and the integers.
fn converted(spelling: &str, to: &str, each: &mut dyn FnMut(&str)) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for c in spelling.chars().chain([' ']) {
        let inside = c.is_alphanumeric() || matches!(c, '_' | '.' | '>');
        if inside || (c == '-' && !word.is_empty()) {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            each(&word);
            if !word.starts_with(|c: char| c.is_ascii_digit()) || to == "double" {
                text += &format!("({to})");
            }
            text += &word;
            word.clear();
        }
        text.push(c);
    }
    text.truncate(text.trim_end().len());
    text
}
