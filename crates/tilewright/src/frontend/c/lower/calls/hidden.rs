//! Functions that read and change state which no variable holds: what they share ([`Hidden`]), what they
//! get, and what they read and write in memory through it. Here are those of the C library; functions
//! of the program are in [`kept`].
//!
//! `time`, `clock` and the like are not among them: what the program does between two of their calls
//! has to stay there, and no dependence says so.

use crate::frontend::c::lower::calls::{kept, purity};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{self, Expr, ExprKind, Type, Unit};
use crate::scop::{Hidden, ScalarKind};
use Given::{Characters, Filled, Format, Memory, Scanned, Stream, Value};

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// A number.
    Value,
    /// A stream, of which nothing is accessed but the hidden state.
    Stream,
    /// A string that says what the arguments behind it are, which are printed.
    Format,
    /// A string that says to what memory the arguments behind it lead, which is written.
    Scanned,
    /// A string, which is read.
    Characters,
    /// Memory that is read.
    Memory,
    /// Memory that is written, in part at least.
    Filled,
}

/// A function with hidden state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub name: String,
    /// What its calls share with those of others: at least one, none twice.
    pub states: Vec<Hidden>,
    /// What it gets; behind a format, which is the last, come the arguments that this asks for.
    pub given: Vec<Given>,
    /// The type of its result; `None` where there is none that is a number.
    pub result: Option<ScalarKind>,
    /// Its result is an integer from 0 up to 2^31 - 1.
    pub is_not_negative: bool,
    /// Whether what it gives depends on more than its arguments: not whether it could do what it was
    /// asked for.
    pub answers: bool,
}

/// A function of the library with hidden state, as the table has it.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    state: Hidden,
    given: &'static [Given],
    result: Option<ScalarKind>,
    is_not_negative: bool,
}

impl Entry {
    fn function(&self) -> Function {
        // What is printed into memory depends on the arguments alone, and what is read from there.
        let in_memory = IN_MEMORY.contains(&self.name);
        let fills = self.given.iter().any(|of| matches!(of, Filled | Scanned)) && !in_memory;
        let gives = fills || ASKING.contains(&self.name);
        Function {
            name: self.name.to_owned(),
            states: vec![self.state],
            given: self.given.to_vec(),
            result: self.result,
            is_not_negative: self.is_not_negative,
            answers: gives || self.state == Hidden::Random && self.result.is_some(),
        }
    }
}

/// Functions of streams whose results are read there.
const ASKING: [&str; 5] = ["getchar", "getc", "fgetc", "ftell", "getchar_unlocked"];

/// Functions that print into memory, or read from there what was: text is a stream, too.
const IN_MEMORY: [&str; 3] = ["sprintf", "snprintf", "sscanf"];

const fn of(
    state: Hidden,
    name: &'static str,
    given: &'static [Given],
    result: Option<ScalarKind>,
) -> Entry {
    Entry {
        name,
        state,
        given,
        result,
        is_not_negative: false,
    }
}

/// A generator of numbers that are not negative.
const fn generator(name: &'static str, result: Option<ScalarKind>) -> Entry {
    Entry {
        is_not_negative: true,
        ..of(Hidden::Random, name, &[], result)
    }
}

const INT: Option<ScalarKind> = Some(ScalarKind::I32);
const LONG: Option<ScalarKind> = Some(ScalarKind::I64);
const SIZE: Option<ScalarKind> = Some(ScalarKind::U64);

/// All of them.
const FUNCTIONS: [Entry; 36] = [
    of(Hidden::Streams, "printf", &[Format], INT),
    of(Hidden::Streams, "fprintf", &[Stream, Format], INT),
    of(Hidden::Streams, "sprintf", &[Filled, Format], INT),
    of(Hidden::Streams, "snprintf", &[Filled, Value, Format], INT),
    of(Hidden::Streams, "scanf", &[Scanned], INT),
    of(Hidden::Streams, "fscanf", &[Stream, Scanned], INT),
    of(Hidden::Streams, "sscanf", &[Characters, Scanned], INT),
    of(Hidden::Streams, "puts", &[Characters], INT),
    of(Hidden::Streams, "fputs", &[Characters, Stream], INT),
    of(Hidden::Streams, "putchar", &[Value], INT),
    of(Hidden::Streams, "putc", &[Value, Stream], INT),
    of(Hidden::Streams, "fputc", &[Value, Stream], INT),
    of(Hidden::Streams, "ungetc", &[Value, Stream], INT),
    of(
        Hidden::Streams,
        "fwrite",
        &[Memory, Value, Value, Stream],
        SIZE,
    ),
    of(
        Hidden::Streams,
        "fread",
        &[Filled, Value, Value, Stream],
        SIZE,
    ),
    of(Hidden::Streams, "fgets", &[Filled, Value, Stream], None),
    of(Hidden::Streams, "getchar", &[], INT),
    of(Hidden::Streams, "getc", &[Stream], INT),
    of(Hidden::Streams, "fgetc", &[Stream], INT),
    of(Hidden::Streams, "fflush", &[Stream], INT),
    of(Hidden::Streams, "feof", &[Stream], INT),
    of(Hidden::Streams, "ferror", &[Stream], INT),
    of(Hidden::Streams, "clearerr", &[Stream], None),
    of(Hidden::Streams, "ftell", &[Stream], LONG),
    of(Hidden::Streams, "fseek", &[Stream, Value, Value], INT),
    of(Hidden::Streams, "rewind", &[Stream], None),
    generator("rand", INT),
    of(Hidden::Random, "srand", &[Value], None),
    generator("random", LONG),
    of(Hidden::Random, "srandom", &[Value], None),
    of(Hidden::Random, "drand48", &[], Some(ScalarKind::F64)),
    generator("lrand48", LONG),
    of(Hidden::Random, "mrand48", &[], LONG),
    of(Hidden::Random, "srand48", &[Value], None),
    of(Hidden::Streams, "putchar_unlocked", &[Value], INT),
    of(Hidden::Streams, "getchar_unlocked", &[], INT),
];

/// What is known of a function of the library by its name, if it has hidden state.
pub(crate) fn named(name: &str) -> Option<Function> {
    let found = FUNCTIONS.iter().find(|entry| entry.name == name);
    found.map(Entry::function)
}

/// What is known of a function that a file calls, if it has hidden state: its own, or the library's.
pub(crate) fn called(unit: &Unit, name: &str) -> Option<Function> {
    match purity::definition(unit, name) {
        Some(_) => kept::function(unit, name),
        None => of_library(unit, name),
    }
}

/// The same of a function of the library: not of the file's own function of that name, nor of one
/// that it declares otherwise.
pub(super) fn of_library(unit: &Unit, name: &str) -> Option<Function> {
    let function = named(name)?;
    let other = purity::declared(unit, name).is_some_and(|declared| match &declared.result {
        Type::Scalar(scalar) => Some(scalar.kind) != function.result,
        _ => false,
    });
    (purity::definition(unit, name).is_none() && !other).then_some(function)
}

/// Whether an expression calls functions with hidden state.
pub(crate) fn is_in(unit: &Unit, expr: &Expr) -> bool {
    count(unit, expr) > 0
}

/// How many calls of functions with hidden state an expression has.
pub(crate) fn count(unit: &Unit, expr: &Expr) -> usize {
    let mut found = 0;
    visit::walk(expr, &mut |e| {
        if let ExprKind::Call(name, _) = &e.kind {
            found += usize::from(called(unit, name).is_some());
        }
    });
    found
}

/// The first function that a function of the file calls, also by way of others, and whose answer
/// depends on what was called before.
pub(crate) fn asked(unit: &Unit, function: &syntax::Function) -> Option<String> {
    let (mut known, mut pending) = (vec![function.name.as_str()], vec![function]);
    let mut found = None;
    while let Some(function) = pending.pop() {
        visit::expressions(unit, &function.body, &mut |top| {
            visit::walk(top, &mut |e| {
                let ExprKind::Call(name, _) = &e.kind else {
                    return;
                };
                if let Some(function) = called(unit, name).filter(|function| function.answers) {
                    found.get_or_insert(function.name);
                }
                let own = unit.functions.iter().find(|own| own.name == *name);
                if let Some(own) = own.filter(|own| !known.contains(&own.name.as_str())) {
                    known.push(&own.name);
                    pending.push(own);
                }
            });
        });
    }
    found
}

/// Whether an expression is a string in the text.
pub(crate) fn is_string(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Literal(text) if text.starts_with('"'))
}

/// Of one, or one of several that conditions choose: these.
pub(crate) fn strings(expr: &Expr) -> Option<Vec<&Expr>> {
    match &expr.kind {
        ExprKind::Conditional(condition, a, b) => {
            let (a, b) = (strings(a)?, strings(b)?);
            Some([vec![&**condition], a, b].concat())
        }
        _ => is_string(expr).then(Vec::new),
    }
}

/// What the conversions of a format take, in order; `None` for those that write (`%n`), for pointers,
/// wide characters and numbered arguments, and for what is no format.
pub(crate) fn conversions(literal: &str) -> Option<Vec<Given>> {
    let text = characters(literal)?;
    let mut taken = Vec::new();
    let mut rest = text.as_slice();
    while let Some(at) = rest.iter().position(|&c| c == b'%') {
        rest = &rest[at + 1..];
        let mut wide = false;
        loop {
            let (&c, behind) = rest.split_first()?;
            rest = behind;
            match c {
                b'%' => break,
                b'*' => taken.push(Value),
                b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'.' | b'\'' => {}
                b'h' | b'j' | b'z' | b't' | b'L' | b'q' => {}
                b'l' => wide = true,
                b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
                    taken.push(Value);
                    break;
                }
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                    taken.push(Value);
                    break;
                }
                b'c' if !wide => {
                    taken.push(Value);
                    break;
                }
                b's' if !wide => {
                    taken.push(Characters);
                    break;
                }
                _ => return None,
            }
        }
    }
    Some(taken)
}

/// The memory to which the conversions of a format for reading lead, in order; `None` as for
/// [`conversions`], and for memory that the function allocates (`%ms`).
pub(crate) fn scanned(literal: &str) -> Option<Vec<Given>> {
    let text = characters(literal)?;
    let mut taken = Vec::new();
    let mut rest = text.as_slice();
    while let Some(at) = rest.iter().position(|&c| c == b'%') {
        rest = &rest[at + 1..];
        let (mut wide, mut skipped) = (false, false);
        loop {
            let (&c, behind) = rest.split_first()?;
            rest = behind;
            match c {
                b'%' => skipped = true,
                b'*' => {
                    skipped = true;
                    continue;
                }
                b'0'..=b'9' | b'h' | b'j' | b'z' | b't' | b'L' | b'q' => continue,
                b'l' => {
                    wide = true;
                    continue;
                }
                b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {}
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {}
                b'c' | b's' if !wide => {}
                b'[' if !wide => {
                    // A bracket in front is one of the set.
                    let first = rest.iter().take_while(|&&c| c == b'^').count().min(1);
                    let inside = rest.get(first + 1..)?;
                    let end = inside.iter().position(|&c| c == b']')?;
                    rest = &inside[end + 1..];
                }
                _ => return None,
            }
            break;
        }
        if !skipped {
            taken.push(Filled);
        }
    }
    Some(taken)
}

/// The characters of a string, of which C's text may have several parts.
fn characters(literal: &str) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    let mut rest = literal.trim();
    while !rest.is_empty() {
        rest = rest.strip_prefix('"')?;
        loop {
            let c = rest.chars().next()?;
            rest = &rest[c.len_utf8()..];
            match c {
                '"' => break,
                '\\' => {
                    let (value, length) = escaped(rest)?;
                    found.push(value);
                    rest = &rest[length..];
                }
                _ => {
                    let mut bytes = [0; 4];
                    found.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes());
                }
            }
        }
        rest = rest.trim_start();
    }
    // What is behind the end of a string is not looked at.
    let end = found.iter().position(|&c| c == 0);
    found.truncate(end.unwrap_or(found.len()));
    Some(found)
}

/// The character behind a backslash, and how many bytes of text it has.
fn escaped(text: &str) -> Option<(u8, usize)> {
    let digits = |text: &str, radix: u32| {
        let digit = |c: char| c.is_digit(radix);
        text.find(|c| !digit(c)).unwrap_or(text.len())
    };
    let first = text.chars().next()?;
    match first {
        'x' => {
            let length = digits(&text[1..], 16);
            let value = u32::from_str_radix(&text[1..=length], 16).ok()?;
            Some(((value & 0xff) as u8, length + 1))
        }
        '0'..='7' => {
            let length = digits(text, 8).min(3);
            let value = u32::from_str_radix(&text[..length], 8).ok()?;
            Some(((value & 0xff) as u8, length))
        }
        'a' | 'b' | 'e' | 'f' | 'n' | 'r' | 't' | 'v' => Some((b'\n', 1)),
        '"' | '\'' | '\\' | '?' => Some((first as u8, 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_formats_take() {
        let rows = [
            (r#""\n""#, Some(vec![])),
            (r#""%d of %5.2f\n""#, Some(vec![Value, Value])),
            (
                r#""%-*s|%.*f%%""#,
                Some(vec![Value, Characters, Value, Value]),
            ),
            (r#""%" "lu" " %c""#, Some(vec![Value, Value])),
            (r#""\045d \x25s""#, Some(vec![Value, Characters])),
            (r#""\"%zu\" \\%s""#, Some(vec![Value, Characters])),
            (r#""a\0%n""#, Some(vec![])),
            (r#""%n""#, None),
            (r#""%p""#, None),
            (r#""%ls""#, None),
            (r#""%1$d""#, None),
            (r#""50%""#, None),
            (r#"L"%d""#, None),
        ];
        for (literal, expected) in rows {
            assert_eq!(conversions(literal), expected, "{literal}");
        }
    }

    #[test]
    fn what_formats_read() {
        let rows = [
            (r#""\n""#, Some(0)),
            (r#""%d %lf""#, Some(2)),
            (r#""%*d%5s%%%c""#, Some(2)),
            (r#""%[^]]%[]a]%[a-z]""#, Some(3)),
            (r#""%hhu,%llx""#, Some(2)),
            (r#""%n""#, None),
            (r#""%p""#, None),
            (r#""%ms""#, None),
            (r#""%ls""#, None),
            (r#""%[a""#, None),
            (r#""%1$d""#, None),
            (r#""50%""#, None),
        ];
        for (literal, expected) in rows {
            let expected = expected.map(|count| vec![Filled; count]);
            assert_eq!(scanned(literal), expected, "{literal}");
        }
    }

    /// No name stands twice, and formats come last.
    #[test]
    fn the_table_is_sound() {
        for (position, function) in FUNCTIONS.iter().enumerate() {
            let same = |other: &Entry| other.name == function.name;
            assert_eq!(FUNCTIONS.iter().position(same), Some(position));
            let is_format = |given: &Given| matches!(given, Format | Scanned);
            let format = function.given.iter().position(is_format);
            assert!(format.is_none_or(|at| at + 1 == function.given.len()));
        }
    }
}
