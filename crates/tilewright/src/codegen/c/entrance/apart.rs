//! Addresses of memory that has to be apart, as the text in front of a region compares them.

use super::checks::{ADDRESS, LINE, LONGEST, Number, Writer, too_large};
use super::rows;
use crate::codegen::c::bodies::index::strength::*;
use crate::scop::{Memory, Rows};
use isl::{AstBuild, PwAff, Result};

impl Writer<'_> {
    /// When two pieces of memory have nothing in common: an operand of `&&`.
    pub(in crate::codegen::c) fn apart(&mut self, pair: &[Memory; 2]) -> Result<String> {
        let nothing = self.when_nothing(pair)?;
        let mut ranges = Vec::new();
        let words = rows::Words::of(self.scop);
        for (memory, number) in pair.iter().zip([&words.row, &words.other]) {
            ranges.push(self.range(memory, number)?);
        }
        let [one, other] = &ranges[..] else {
            return Err(too_large());
        };
        let compared = match (&one.pointers, &other.pointers) {
            (None, None) => {
                let orders = [below(&one.end, &other.first), below(&other.end, &one.first)];
                return Ok(any(nothing, conditions([one, other]), &orders));
            }
            // What is written is sorted.
            (Some(own), Some(more)) => match pair[0].written {
                true => rows::searched((self.scop, &words), (other, more), (one, own)),
                false => rows::searched((self.scop, &words), (one, own), (other, more)),
            },
            (Some(pointers), None) => rows::each((self.scop, &words), (one, pointers), other),
            (None, Some(pointers)) => rows::each((self.scop, &words), (other, pointers), one),
        };
        Ok(any(nothing, conditions([one, other]), &[compared]))
    }

    /// When what is behind each of several pointers has nothing in common with what is behind the
    /// others: an operand of `&&`.
    pub(in crate::codegen::c) fn distinct(&mut self, memory: &Memory) -> Result<String> {
        let nothing = self.when_nothing(std::slice::from_ref(memory))?;
        let words = rows::Words::of(self.scop);
        let range = self.range(memory, &words.row)?;
        let Some(pointers) = &range.pointers else {
            return Err(too_large());
        };
        let sorted = if pointers.are_few() {
            let others = self.range(memory, &words.other)?;
            rows::in_pairs((self.scop, &words), (&range, pointers), &others)
        } else {
            let next = self.range(memory, &format!("{} + 1", words.row))?;
            rows::sorted((self.scop, &words), (&range, pointers), &next)
        };
        Ok(any(nothing, conditions([&range]), &[sorted]))
    }

    /// When one of these pieces of memory is empty: alternatives.
    fn when_nothing(&mut self, pieces: &[Memory]) -> Result<Vec<String>> {
        let given = &self.known.clone();
        let mut nothing: Vec<String> = Vec::new();
        for rows in pieces.iter().filter_map(|memory| memory.rows.as_ref()) {
            for one in self.nothing_surveyed(rows) {
                if !nothing.contains(&one) {
                    nothing.push(one);
                }
            }
            if given.is_subset(&rows.some)? {
                continue;
            }
            let none = rows.some.complement()?.gist(given)?.coalesce()?;
            let none = self.alternative(&none)?;
            // Alternatives of one piece may be those of another one.
            let plain = !none.contains(['(', '&']);
            let each = none.split(if plain { " || " } else { "\n\n" });
            for one in each.map(str::to_owned) {
                if !nothing.contains(&one) {
                    nothing.push(one);
                }
            }
        }
        Ok(nothing)
    }

    /// From where to where a piece of memory is; behind the pointer with the number in this variable, where there are
    /// several.
    fn range(&mut self, memory: &Memory, number_of: &str) -> Result<Range> {
        let place = match &memory.pointers {
            None => memory.place.clone(),
            Some(pointers) => format!("{}[{number_of}]{}", memory.place, pointers.member),
        };
        // A pointer that the original follows at times only may be null, or point to fewer elements:
        // computed with numbers, no address leaves an object.
        let address = |subscript: &Number| match &*subscript.text {
            "0" => format!("({ADDRESS}){place}"),
            _ => format!(
                "({ADDRESS}){place} + {} * sizeof *{place}",
                subscript.operand(PRODUCT)
            ),
        };
        let ([first, end], conditions) = match &memory.rows {
            None => {
                let object = format!("({ADDRESS})&{place}");
                let end = format!("{object} + sizeof {place}");
                ([object, end], Vec::new())
            }
            Some(rows) => {
                let (ends, mut conditions) = self.rows(rows)?;
                let ends = ends.map(|end| address(&end));
                if !rows.data.is_empty() || !rows.computed.is_empty() {
                    // What data says may be in front of all memory.
                    conditions.push(format!("{} <= {}", ends[0], ends[1]));
                }
                (ends, conditions)
            }
        };
        let pointers = match (&memory.pointers, &memory.rows) {
            (Some(pointers), Some(rows)) => Some({
                let known = self.known.intersect(&rows.some)?;
                let build = AstBuild::from_context(&known)?;
                let mut number = |bound: &PwAff| -> Result<String> {
                    let bound = bound.gist(&known)?.coalesce()?;
                    let number = self.number(&build.expr_from_pw_aff(&bound)?)?;
                    Ok(number.operand(PRODUCT))
                };
                Numbered {
                    number: number_of.to_owned(),
                    first: number(&pointers.first)?,
                    end: number(&pointers.end)?,
                }
            }),
            _ => None,
        };
        Ok(Range {
            first,
            end,
            conditions,
            pointers,
        })
    }

    /// The subscripts of the first row and of the one behind the last one, where there are any; and
    /// conditions under which nothing overflows on the way.
    pub(in crate::codegen::c) fn rows(
        &mut self,
        rows: &Rows,
    ) -> Result<([Number; 2], Vec<String>)> {
        let known = self.known.intersect(&rows.some)?;
        let build = AstBuild::from_context(&known)?;
        let mut conditions = Vec::new();
        let mut distance = |bound: &PwAff, stride: &Option<String>| -> Result<Number> {
            let bound = bound.gist(&known)?.coalesce()?;
            let row = build.expr_from_pw_aff(&bound)?;
            let row = match (
                self.plain(&row)?,
                stride,
                rows.inside.is_empty() && rows.data.is_empty() && rows.computed.is_empty(),
            ) {
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
            ends.push(sum);
        }
        for (side, sum) in [Side::First, Side::End].into_iter().zip(&mut ends) {
            let data = self.data(rows, side, &mut conditions)?;
            let computed = self.computed(rows, side, &mut conditions)?;
            for (negative, more) in data.into_iter().chain(computed) {
                let sign = if negative { '-' } else { '+' };
                *sum = match &*sum.text {
                    "0" if !negative => more,
                    _ => Number {
                        text: format!("{} {sign} {}", sum.operand(SUM), more.operand(PRODUCT)),
                        strength: SUM,
                        magnitude: sum.magnitude.saturating_add(more.magnitude),
                    },
                };
            }
        }
        if !rows.inside.is_empty() || !rows.data.is_empty() || !rows.computed.is_empty() {
            for stride in rows.strides() {
                let (text, in_double, magnitude) = self.product(stride);
                if i64::try_from(magnitude).is_err() {
                    conditions.push(format!("__builtin_fabs({in_double}) < {LONGEST}"));
                }
                conditions.push(format!("{text} >= 0"));
            }
        }
        if let (true, [first, end]) = (rows.narrow, &ends[..]) {
            if first.text.parse::<u64>().is_err() {
                conditions.push(format!("{} >= 0", first.operand(SHIFT)));
            }
            conditions.push(format!("{} <= {}", end.operand(SHIFT), 1_i64 << 32));
        }
        match <[Number; 2]>::try_from(ends) {
            Ok(ends) => Ok((ends, conditions)),
            Err(_) => Err(too_large()),
        }
    }

    /// A polynomial of parameters with all its arithmetic in `long`, the same in `double`, and what
    /// its magnitude cannot exceed.
    pub(in crate::codegen::c) fn product(&mut self, spelling: &str) -> (String, String, i128) {
        let mut magnitude: i128 = 1;
        // What has operators in it and is a parameter all the same.
        let spelled = self.scop.params.iter().map(|param| param.spelling.clone());
        let whole: Vec<String> = spelled.filter(|own| own.starts_with('(')).collect();
        let mut word = |word: &str| {
            let own = self.largest(word);
            magnitude = magnitude.saturating_mul(own.saturating_add(1));
        };
        let in_long = converted(spelling, &whole, "long", &mut word);
        let in_double = converted(spelling, &whole, "double", &mut |_| {});
        if spelling.contains(' ') {
            (format!("({in_long})"), format!("({in_double})"), magnitude)
        } else {
            (in_long, in_double, magnitude)
        }
    }
}

/// Addresses of a piece of memory, as numbers in C.
pub(in crate::codegen::c) struct Range {
    pub first: String,
    pub end: String,
    /// Under which nothing overflows on the way.
    conditions: Vec<String>,
    /// The pointers that it is behind, with one range for each.
    pub pointers: Option<Numbered>,
}

/// Pointers in an array.
pub(in crate::codegen::c) struct Numbered {
    /// The number of one of them, in the texts of addresses.
    pub number: String,
    pub first: String,
    /// Behind the last one.
    pub end: String,
}

/// All under which nothing overflows, each once.
fn conditions<'r>(ranges: impl IntoIterator<Item = &'r Range>) -> Vec<&'r str> {
    let mut all: Vec<&str> = Vec::new();
    for condition in ranges.into_iter().flat_map(|range| &range.conditions) {
        if !all.contains(&condition.as_str()) {
            all.push(condition);
        }
    }
    all
}

/// Whether an address is not above another one.
pub(in crate::codegen::c) fn below(end: &str, first: &str) -> String {
    format!("{end} <= {first}")
}

/// One of several alternatives, of which the second ones hold under conditions only: an operand of
/// `&&`.
fn any(mut parts: Vec<String>, conditions: Vec<&str>, orders: &[String]) -> String {
    match conditions.is_empty() {
        true => parts.extend_from_slice(orders),
        false => parts.push(format!(
            "({} && ({}))",
            conditions.join(" && "),
            orders.join(" || ")
        )),
    }
    let width: usize = parts.iter().map(String::len).sum();
    let between = if width > LINE { " ||\n     " } else { " || " };
    format!("({})", parts.join(between))
}

/// Which end of a range.
#[derive(Clone, Copy)]
pub(in crate::codegen::c) enum Side {
    First,
    End,
}

impl Side {
    pub(in crate::codegen::c) fn of<T>(self, first: T, end: T) -> T {
        match self {
            Side::First => first,
            Side::End => end,
        }
    }
}

/// An arithmetic expression of integers and parameters, each parameter converted to a type, as those
/// that are `whole`; `each` is told all of them and the integers.
fn converted(spelling: &str, whole: &[String], to: &str, each: &mut dyn FnMut(&str)) -> String {
    let mut text = String::new();
    let mut word = String::new();
    let mut known = 0;
    for (at, c) in spelling.char_indices().chain([(spelling.len(), ' ')]) {
        if at < known {
            continue;
        }
        let begins = |own: &&String| word.is_empty() && spelling[at..].starts_with(own.as_str());
        if let Some(own) = whole.iter().find(begins) {
            each(own);
            text += &format!("({to}){own}");
            known = at + own.len();
            continue;
        }
        let inside = c.is_alphanumeric() || matches!(c, '_' | '.' | '>');
        let subscript = c == '[' && !word.is_empty() || c == ']' && word.contains('[');
        if inside || subscript || (c == '-' && !word.is_empty()) {
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
