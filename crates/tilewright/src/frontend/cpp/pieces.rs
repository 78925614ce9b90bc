//! The text in C that becomes of a part of the file: words, and holes for what the compiler says.

use super::answers::Question;
use super::file::File;
use std::ops::Range;

/// How a name is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// With the type that was asked for, without references and constants around it.
    Value,
    /// As a pointer to that, or an array with one value: a reference, to a place or a value.
    Reference,
    /// As a pointer to that.
    Pointer,
}

/// A part of the text.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Text of C.
    Text(String),
    /// The name of a type, for declarators and casts behind it.
    Base(Question, Range<usize>),
    /// The declaration of a name.
    Declare(Question, String, By, Range<usize>),
    /// `&`, where the name is declared by reference and the value is a place; `{`, where it is none.
    AddressOf(Question),
    /// A variable of the function, the class or the file.
    Outer {
        /// Its number among them.
        number: usize,
        /// Whether `[` follows.
        subscripted: bool,
        at: Range<usize>,
    },
    /// `v.size()` and the like of such a variable.
    Member {
        number: usize,
        member: String,
        at: Range<usize>,
    },
    /// The name of a function of the library for these types.
    Library {
        name: String,
        question: Question,
        at: Range<usize>,
    },
    /// Nothing, where this is a function's name (`true`: of one function), and no variable's.
    Callee(Question, bool, Range<usize>),
    /// The end of what [`Piece::AddressOf`] begins.
    EndOf(Question),
    /// The value of a constant.
    Value(Question, Range<usize>),
}

/// Text that is being written, token by token, on the lines of the original.
pub(super) struct Writer<'a> {
    file: &'a File<'a>,
    /// What was written.
    pub pieces: Vec<Piece>,
    /// The line of the original that the text is on.
    line: usize,
    /// The first pragma that was not written.
    pragma: usize,
}

impl<'a> Writer<'a> {
    /// Nothing yet, from an offset of the preprocessed text.
    pub fn new(file: &'a File<'a>, from: usize) -> Writer<'a> {
        let pragmas = &file.prepared.pragmas;
        Writer {
            file,
            pieces: Vec::new(),
            line: 0,
            pragma: pragmas.partition_point(|pragma| pragma.offset < from),
        }
    }

    /// Goes to the line of a token; pragmas in front of it are written.
    pub fn go_to(&mut self, index: usize) {
        self.pragmas(self.file.offset(index));
        let Some(line) = self.file.line(index) else {
            return;
        };
        if line != self.line {
            self.put(&marker(line, &self.file.source.name));
            self.line = line;
        }
    }

    /// Writes the pragmas in front of an offset.
    pub fn pragmas(&mut self, offset: usize) {
        use crate::frontend::c::spans::Place;
        while let Some(pragma) = self.file.prepared.pragmas.get(self.pragma) {
            if pragma.offset >= offset {
                break;
            }
            if let Place::Main(line) = pragma.place {
                let text = marker(line + 1, &self.file.source.name);
                self.put(&format!("{text}#pragma {}\n", pragma.words));
                self.line = 0;
            }
            self.pragma += 1;
        }
    }

    /// Writes a token as it is.
    pub fn token(&mut self, index: usize) {
        self.go_to(index);
        let text = self.file.text(index).to_owned();
        self.put(&text);
    }

    /// Writes text on this line.
    pub fn put(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(before)) => {
                before.push(' ');
                before.push_str(text);
            }
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    /// Leaves a hole.
    pub fn hole(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }
}

/// The marker in front of a line of a file.
pub(super) fn marker(line: usize, name: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\n# {line} \"{name}\"\n")
}
