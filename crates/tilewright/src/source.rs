//! Places in the user's file.

/// A half-open range of bytes in the original, un-preprocessed main file.
///
/// Everything a message may point at carries one. What came out of a macro or an included file
/// has the span of the place in the main file that brought it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte; never smaller than `start`.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start,
            end: end.max(start),
        }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A C file as the library gets it: the driver has read and preprocessed it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file's name as it should appear in messages, and as the line markers of
    /// `preprocessed` spell it.
    pub name: String,
    /// The text of the file, byte for byte.
    pub text: String,
    /// The output of `cc -E` with line markers (`# 12 "file.c" 2`), pragmas kept.
    pub preprocessed: String,
}

impl Source {
    /// Line and column (both from 1, the column in bytes) of a byte of `text`.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
        (line, column)
    }
}
