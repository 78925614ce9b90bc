//! The tokens of a preprocessed text.

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    /// Its text.
    pub text: &'t str,
    /// Its first byte.
    pub start: usize,
    /// Whether it stands in a header of the system.
    pub system: bool,
}

impl Token<'_> {
    /// One past its last byte.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        let first = self.text.trim_start_matches('.').bytes().next();
        first.is_some_and(|b| b.is_ascii_digit())
    }
}

/// Operators of more than one character, longer ones first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "^=", "|=",
];

/// The tokens of a text, without its directives.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || b >= 0x80;
    let mut found = Vec::new();
    let (mut at, mut system, mut first) = (0, false, true);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'\n' => {
                first = true;
                at += 1;
                continue;
            }
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' if first => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                if let Some(flags) = marker(&text[start..at]) {
                    system = flags.split(' ').any(|flag| flag == "3");
                }
                continue;
            }
            quote @ (b'"' | b'\'') => at = quoted(bytes, at, quote),
            b if b.is_ascii_digit()
                || b == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) =>
            {
                at += 1;
                while at < bytes.len() {
                    let sign = matches!(bytes[at], b'+' | b'-')
                        && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
                        && !text[start..at].starts_with("0x");
                    let power =
                        matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'p' | b'P');
                    let separator = bytes[at] == b'\''
                        && bytes[at - 1].is_ascii_alphanumeric()
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
                    if !(word(bytes[at]) || bytes[at] == b'.' || sign || power || separator) {
                        break;
                    }
                    at += 1;
                }
            }
            b if word(b) => {
                while at < bytes.len() && word(bytes[at]) {
                    at += 1;
                }
            }
            _ => {
                let rest = &bytes[at..];
                let goes_on = rest.get(1).is_some_and(|b| b"<>=.-+&|".contains(b));
                let mut operators = OPERATORS.iter().filter(|_| goes_on);
                let operator = operators.find(|o| rest.starts_with(o.as_bytes()));
                at += operator.map_or(1, |o| o.len());
            }
        }
        first = false;
        found.push(Token {
            text: &text[start..at],
            start,
            system,
        });
    }
    found
}

/// What follows the name in `# 12 "stdio.h" 1 3 4`.
fn marker(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    number.parse::<usize>().ok()?;
    Some(rest.rsplit_once('"')?.1.trim())
}

/// One past the end of a literal that begins at `at`.
fn quoted(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    at += 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    let end = at + usize::from(bytes.get(at) == Some(&quote));
    end.min(bytes.len())
}

/// Whether a token is a name or a keyword.
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
}

/// The token that closes the bracket at `open`.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > open).then_some(at);
        }
    }
    None
}

/// Whether a keyword begins a declaration.
pub(super) fn begins_declaration(word: &str) -> bool {
    is_storage(word)
        || matches!(
            word,
            "char"
                | "short"
                | "int"
                | "long"
                | "float"
                | "double"
                | "signed"
                | "unsigned"
                | "void"
                | "_Bool"
                | "_Complex"
                | "struct"
                | "union"
                | "enum"
                | "typedef"
                | "typeof"
                | "__typeof__"
                | "__typeof"
                | "__auto_type"
                | "_Alignas"
                | "inline"
                | "__inline"
                | "__inline__"
        )
}

/// Words that stand in front of a type.
pub(super) fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "static" | "extern" | "register" | "auto" | "const" | "volatile"
    )
}

/// Keywords that are no names of variables.
pub(super) fn is_keyword(word: &str) -> bool {
    begins_declaration(word)
        || word.starts_with("__")
        || matches!(
            word,
            "if" | "else"
                | "for"
                | "while"
                | "do"
                | "switch"
                | "case"
                | "default"
                | "return"
                | "goto"
                | "break"
                | "continue"
                | "sizeof"
                | "asm"
                | "restrict"
                | "_Noreturn"
                | "_Thread_local"
                | "_Atomic"
                | "_Static_assert"
                | "_Alignof"
                | "_Generic"
        )
}
