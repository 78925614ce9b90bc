//! Functions of the library that do something outside the program's memory: streams and random
//! numbers. What they get is written down, call by call, for comparing two programs; what they give is
//! made from what was written down before, so that two programs that do the same get the same.

use crate::types::Kind;

/// What a call changes, and depends on: calls of different kinds may change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Streams,
    Random,
}

impl Of {
    /// All of them.
    pub const ALL: [Of; 2] = [Of::Streams, Of::Random];
}

/// What a function gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handed {
    /// A number of this kind.
    Number(Kind),
    /// A pointer of which only where it leads counts.
    Stream,
    /// A pointer to characters up to one that is 0.
    Text,
    /// A pointer to memory that is read: so many elements of so many bytes as the next two say.
    Bytes,
    /// The same of memory that is written.
    Filled,
    /// A pointer to memory that is written: the text that a format makes of what stands behind it;
    /// at most so many bytes as the next argument says, where that is a number.
    Printed,
    /// A pointer to what a format for reading writes, of this kind.
    Found(Kind),
    /// A pointer to memory that is written: a text in at most so many bytes as the next one says.
    Line,
}

/// What it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// Nothing, or what nobody may ask for.
    Nothing,
    /// An `int` or `long` that the state decides.
    Number(Kind),
    /// An integer from 0 up to 2^31 - 1.
    Random(Kind),
    /// A `double` from 0 up to 1.
    Fraction,
    /// A character, or -1.
    Character,
    /// How many elements it was asked for: its third argument.
    Count,
    /// Its first argument.
    First,
    /// How long the text is that was printed.
    Length,
    /// How many conversions of a format found something, or -1.
    Found,
}

/// What a function may get behind the arguments that are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum More {
    Nothing,
    /// Numbers and texts, of their own types.
    Values,
    /// Pointers to what is written.
    Places,
}

/// A function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    pub name: &'static str,
    /// What it gets first.
    pub handed: &'static [Handed],
    pub more: More,
    pub gives: Gives,
    pub changes: Of,
    /// Whether all that it reads and writes is in the program's memory.
    pub in_memory: bool,
}

/// A call in a text.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub name: &'static str,
    pub handed: Vec<Handed>,
    pub gives: Gives,
    pub changes: Of,
    pub in_memory: bool,
}

const INT: Handed = Handed::Number(Kind::I32);
const LONG: Handed = Handed::Number(Kind::I64);
const SIZE: Handed = Handed::Number(Kind::U64);

const fn of(name: &'static str, handed: &'static [Handed], gives: Gives) -> Function {
    Function {
        name,
        handed,
        more: More::Nothing,
        gives,
        changes: Of::Streams,
        in_memory: false,
    }
}

const fn random(name: &'static str, handed: &'static [Handed], gives: Gives) -> Function {
    Function {
        changes: Of::Random,
        ..of(name, handed, gives)
    }
}

const fn formatted(name: &'static str, handed: &'static [Handed]) -> Function {
    Function {
        more: More::Values,
        ..of(name, handed, Gives::Number(Kind::I32))
    }
}

const fn into_memory(name: &'static str, handed: &'static [Handed]) -> Function {
    Function {
        more: More::Values,
        in_memory: true,
        ..of(name, handed, Gives::Length)
    }
}

const fn scanning(name: &'static str, handed: &'static [Handed]) -> Function {
    Function {
        more: More::Places,
        ..of(name, handed, Gives::Found)
    }
}

use Handed::{Bytes, Filled, Line, Printed, Stream, Text};

const FUNCTIONS: [Function; 34] = [
    formatted("printf", &[Text]),
    formatted("fprintf", &[Stream, Text]),
    into_memory("sprintf", &[Printed, Text]),
    into_memory("snprintf", &[Printed, SIZE, Text]),
    scanning("scanf", &[Text]),
    scanning("fscanf", &[Stream, Text]),
    Function {
        in_memory: true,
        ..scanning("sscanf", &[Text, Text])
    },
    of("puts", &[Text], Gives::Number(Kind::I32)),
    of("fputs", &[Text, Stream], Gives::Number(Kind::I32)),
    of("putchar", &[INT], Gives::Number(Kind::I32)),
    of("putc", &[INT, Stream], Gives::Number(Kind::I32)),
    of("fputc", &[INT, Stream], Gives::Number(Kind::I32)),
    of("ungetc", &[INT, Stream], Gives::Number(Kind::I32)),
    of("fwrite", &[Bytes, SIZE, SIZE, Stream], Gives::Count),
    of("fread", &[Filled, SIZE, SIZE, Stream], Gives::Count),
    of("fgets", &[Line, INT, Stream], Gives::First),
    of("getchar", &[], Gives::Character),
    of("getc", &[Stream], Gives::Character),
    of("fgetc", &[Stream], Gives::Character),
    of("fflush", &[Stream], Gives::Number(Kind::I32)),
    of("feof", &[Stream], Gives::Number(Kind::I32)),
    of("ferror", &[Stream], Gives::Number(Kind::I32)),
    of("clearerr", &[Stream], Gives::Nothing),
    of("ftell", &[Stream], Gives::Number(Kind::I64)),
    of("fseek", &[Stream, LONG, INT], Gives::Number(Kind::I32)),
    of("rewind", &[Stream], Gives::Nothing),
    random("rand", &[], Gives::Random(Kind::I32)),
    random("srand", &[INT], Gives::Nothing),
    random("random", &[], Gives::Random(Kind::I64)),
    random("srandom", &[INT], Gives::Nothing),
    random("drand48", &[], Gives::Fraction),
    random("lrand48", &[], Gives::Random(Kind::I64)),
    random("mrand48", &[], Gives::Number(Kind::I64)),
    random("srand48", &[LONG], Gives::Nothing),
];

/// The function of this name.
pub(crate) fn named(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}
