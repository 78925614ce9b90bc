//! `struct { … } const x;`: the parser knows qualifiers in front of a list of members, and behind the
//! name of a type, but not behind the list. `const` there becomes blanks; what is declared so is not
//! known to stay, which costs nothing but that knowledge.

use crate::frontend::c::parse::attributes::closing;

const TAGGED: [&str; 3] = ["struct", "union", "enum"];
const CONST: [&str; 3] = ["const", "__const", "__const__"];

/// The text with blanks in the place of such qualifiers; as many bytes, as offsets count.
pub(super) fn without_late_const(text: String) -> String {
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let mut out: Option<Vec<u8>> = None;
    // Whether each open brace begins a list of members.
    let mut open: Vec<bool> = Vec::new();
    // The last two words, where nothing else stands behind them.
    let mut words = ["", ""];
    let mut behind_list = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b if word(b) => {
                let begin = at;
                at += bytes[at..].iter().take_while(|b| word(**b)).count();
                let own = &text[begin..at];
                if behind_list && CONST.contains(&own) {
                    out.get_or_insert_with(|| bytes.to_vec())[begin..at].fill(b' ');
                } else {
                    behind_list = false;
                }
                words = [words[1], own];
            }
            quote @ (b'"' | b'\'') => {
                at = closing(bytes, at, quote);
                (words, behind_list) = (["", ""], false);
            }
            b => {
                behind_list = false;
                match b {
                    b'{' => open.push(words.iter().any(|word| TAGGED.contains(word))),
                    b'}' => behind_list = open.pop().unwrap_or(false),
                    _ => {}
                }
                words = ["", ""];
                at += 1;
            }
        }
    }
    out.and_then(|out| String::from_utf8(out).ok())
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::without_late_const;

    #[test]
    fn const_behind_members_is_blanked_out() {
        for (text, expected) in [
            ("struct { int a; } const b;", "struct { int a; } b;"),
            (
                "static union u { int a; } const\nb = {1};",
                "static union u { int a; } b = {1};",
            ),
            ("enum { A } const __const b = A;", "enum { A } b = A;"),
            (
                "struct q { struct { int b; } const c; } d;",
                "struct q { struct { int b; } c; } d;",
            ),
        ] {
            let left = without_late_const(text.to_owned());
            assert_eq!(left.len(), text.len());
            let words: Vec<&str> = left.split_whitespace().collect();
            assert_eq!(words.join(" "), expected);
        }
        for kept in [
            "void f(struct s x) { } const int c = 1;",
            "struct s f(void) { } const int c = 1;",
            "struct { int a; } b; const int c = 1;",
            "struct { int a; } *const b;",
            "char *s = \"struct { } const\";",
            "} const",
        ] {
            assert_eq!(without_late_const(kept.to_owned()), kept);
        }
    }
}
