//! Tokens of C.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Kind {
    #[default]
    End,
    Word,
    Number,
    Text,
    Character,
    /// The bytes of an operator or bracket.
    Mark([u8; 3]),
}

/// A token, with its first byte and the one behind its last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Token {
    kind: Kind,
    pub start: u32,
    pub end: u32,
}

const fn packed(mark: &str) -> [u8; 3] {
    let bytes = mark.as_bytes();
    let mut all = [0; 3];
    let mut at = 0;
    while at < bytes.len() && at < 3 {
        all[at] = bytes[at];
        at += 1;
    }
    all
}

impl Token {
    pub fn is(self, mark: &str) -> bool {
        self.kind == Kind::Mark(packed(mark))
    }

    pub fn is_word(self) -> bool {
        self.kind == Kind::Word
    }

    pub fn is_number(self) -> bool {
        self.kind == Kind::Number
    }

    pub fn is_text(self) -> bool {
        self.kind == Kind::Text
    }

    pub fn is_character(self) -> bool {
        self.kind == Kind::Character
    }

    /// An operator's bytes.
    pub fn mark(self) -> Option<[u8; 3]> {
        match self.kind {
            Kind::Mark(mark) => Some(mark),
            _ => None,
        }
    }
}

/// Operators of several characters, the longest first.
const LONG: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=",
];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The tokens of a part of a text; `None` where there is what none begins with.
pub(super) fn tokens(text: &str, range: Range<usize>) -> Option<Vec<Token>> {
    let bytes = &text.as_bytes()[..range.end];
    u32::try_from(range.end).ok()?;
    let mut found = Vec::with_capacity(range.len() / 4);
    let mut at = range.start;
    while let Some(&first) = bytes.get(at) {
        if first.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let start = at;
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let kind = if first.is_ascii_digit() || (first == b'.' && next.is_ascii_digit()) {
            let mut before = 0;
            while let Some(&byte) = bytes.get(at) {
                let sign =
                    matches!(byte, b'+' | b'-') && matches!(before, b'e' | b'E' | b'p' | b'P');
                if !(is_word(byte) || byte == b'.' || sign) {
                    break;
                }
                before = byte;
                at += 1;
            }
            Kind::Number
        } else if is_word(first) {
            at += bytes[at..].iter().take_while(|b| is_word(**b)).count();
            Kind::Word
        } else if first == b'"' || first == b'\'' {
            at += 1;
            loop {
                match *bytes.get(at)? {
                    b'\\' => at += 2,
                    b'\n' => return None,
                    byte => {
                        at += 1;
                        if byte == first {
                            break;
                        }
                    }
                }
            }
            match first {
                b'"' => Kind::Text,
                _ => Kind::Character,
            }
        } else {
            let rest = &bytes[at..];
            let mark = LONG.iter().find(|mark| rest.starts_with(mark.as_bytes()));
            match mark {
                Some(mark) => {
                    at += mark.len();
                    Kind::Mark(packed(mark))
                }
                None if b"()[]{};,:?=+-*/%<>!~&|^.".contains(&first) => {
                    at += 1;
                    Kind::Mark([first, 0, 0])
                }
                None => return None,
            }
        };
        found.push(Token {
            kind,
            start: start as u32,
            end: at as u32,
        });
    }
    Some(found)
}

/// Whether a word is no name.
pub(super) fn is_keyword(word: &str) -> bool {
    const WORDS: [&str; 37] = [
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
        "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
        "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
        "union", "unsigned", "void", "volatile", "while", "typeof", "asm", "__func__",
    ];
    // What is reserved with underscores is an operator or a type; functions of the compiler are named
    // alike but for those that take types.
    let operators = [
        "__builtin_va_arg",
        "__builtin_offsetof",
        "__builtin_types_compatible_p",
        "__extension__",
        "__label__",
    ];
    let upper = word.starts_with('_') && word[1..].starts_with(|c: char| c.is_ascii_uppercase());
    WORDS.contains(&word) || upper || operators.contains(&word) || RESERVED.contains(&word)
}

const RESERVED: [&str; 24] = [
    "__alignof",
    "__alignof__",
    "__asm",
    "__asm__",
    "__attribute",
    "__attribute__",
    "__complex__",
    "__const",
    "__const__",
    "__imag__",
    "__inline",
    "__inline__",
    "__int128",
    "__real__",
    "__restrict",
    "__restrict__",
    "__signed",
    "__signed__",
    "__thread",
    "__typeof",
    "__typeof__",
    "__volatile",
    "__volatile__",
    "__auto_type",
];
