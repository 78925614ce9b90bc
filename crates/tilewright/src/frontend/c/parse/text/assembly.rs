//! Assembly at file scope, `__asm__(".symver memcpy, memcpy@GLIBC_2.2.5");`, which the parser does not
//! know. It declares nothing that C can name, and becomes blanks.

use crate::frontend::c::parse::attributes::{closing, matching};

const WORDS: [&str; 3] = ["asm", "__asm", "__asm__"];

/// The text with blanks in the place of assembly between the definitions of a file; as many bytes, as
/// offsets count.
pub(super) fn without_assembly(text: String) -> String {
    if !text.contains("asm") {
        return text;
    }
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let mut out = bytes.to_vec();
    let (mut at, mut depth) = (0, 0usize);
    // Whether a definition begins here.
    let mut begins = true;
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            quote @ (b'"' | b'\'') => (at, begins) = (closing(bytes, at, quote), false),
            b if word(b) => {
                let begin = at;
                at += bytes[at..].iter().take_while(|b| word(**b)).count();
                let found = begins && WORDS.contains(&&text[begin..at]);
                match found.then(|| end(&text, at)).flatten() {
                    Some(end) => {
                        let blank = |b: &mut u8| *b = if *b == b'\n' { b'\n' } else { b' ' };
                        out[begin..end].iter_mut().for_each(blank);
                        at = end;
                    }
                    None => begins = false,
                }
            }
            b => {
                match b {
                    b'{' | b'(' | b'[' => depth += 1,
                    b'}' | b')' | b']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                begins = depth == 0 && matches!(b, b';' | b'}');
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or(text)
}

/// Where assembly ends whose word does at `at`: behind its semicolon.
fn end(text: &str, at: usize) -> Option<usize> {
    let mut rest = text[at..].trim_start();
    for word in [
        "volatile",
        "__volatile__",
        "__volatile",
        "inline",
        "__inline__",
    ] {
        rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
    }
    let open = text.len() - rest.len();
    if !rest.starts_with('(') {
        return None;
    }
    let close = matching(text.as_bytes(), open)?;
    let behind = text[close..].trim_start();
    behind
        .starts_with(';')
        .then(|| text.len() - behind.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::without_assembly;

    #[test]
    fn assembly_between_definitions_is_blanked_out() {
        for (text, expected) in [
            ("__asm__(\".symver a,b@(c\");int a;", "int a;"),
            (
                "int a;\nasm volatile (\"nop\"\n\";\") ; int b;",
                "int a; int b;",
            ),
            ("void f(void) { } asm(\"x\");", "void f(void) { }"),
        ] {
            let left = without_assembly(text.to_owned());
            assert_eq!(left.len(), text.len());
            assert_eq!(left.matches('\n').count(), text.matches('\n').count());
            let words: Vec<&str> = left.split_whitespace().collect();
            assert_eq!(words.join(" "), expected);
        }
        for kept in [
            "int x asm(\"y\"); int f(void) __asm__(\"g\");",
            "void f(void) { asm(\"nop\"); { ; asm(\"nop\"); } }",
            "asm(\"broken\"",
            "int asm_of; char *s = \"};asm(1);\";",
            "asm",
        ] {
            assert_eq!(without_assembly(kept.to_owned()), kept);
        }
    }
}
