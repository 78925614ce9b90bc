//! Words of older and of newer C, and of GNU's, in those of C11, which is what the parsers know:
//! preprocessed text to preprocessed text that means the same, line by line.
//!
//! Each construct is a pass of its own, where its word occurs at all. Nothing is changed in headers of
//! the system. The file itself keeps its words: only regions are replaced in it. What a pass is not
//! sure of stays, and the parser says what it thinks of it.

mod assembly;
mod attributes;
mod implicit;
mod labels;
mod members;
mod tokens;
mod values;

use std::borrow::Cow;
use tokens::{Token, tokens};

/// What stands in place of some bytes.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

/// A pass: what changes in a text with these tokens.
type Pass = fn(&str, &[Token]) -> Vec<Edit>;

/// The passes in their order, each with the words of which one occurs where it has work.
const PASSES: [(&[&str], Pass); 10] = [
    (&["'"], numbers),
    (&["["], attributes::as_gnu),
    (&["static_assert", "_Static_assert"], assertions),
    (
        &[
            "bool",
            "true",
            "false",
            "nullptr",
            "constexpr",
            "typeof_unqual",
        ],
        keywords,
    ),
    (&["asm"], assembly::between_definitions),
    (&[":"], labels::with_statements),
    (
        &["static", "const", "volatile", "register", "extern"],
        members::qualified_in_front,
    ),
    (
        &["(", "static", "const", "register", "extern", "auto"],
        implicit::int,
    ),
    (&["?"], values::choices),
    (&["__auto_type"], values::types),
];

/// The text in C11's words.
pub(crate) fn of_c11(preprocessed: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(preprocessed);
    for (words, pass) in PASSES {
        if !words.iter().any(|word| text.contains(word)) {
            continue;
        }
        let edits = pass(&text, &tokens(&text));
        if !edits.is_empty() {
            text = Cow::Owned(edited(&text, edits));
        }
    }
    text
}

fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut result = String::with_capacity(text.len() + 64);
    let mut copied = 0;
    for edit in edits {
        if edit.start < copied {
            continue;
        }
        result.push_str(&text[copied..edit.start]);
        result.push_str(&edit.text);
        copied = edit.end;
    }
    result.push_str(&text[copied..]);
    result
}

/// Blanks in place of some bytes, and in front of them a text.
fn blanked(text: &str, start: usize, end: usize, before: &str) -> Edit {
    let lines = text[start..end].matches('\n').count();
    Edit {
        start,
        end,
        text: format!("{before} {}", "\n".repeat(lines)),
    }
}

/// `1'000` is `1000`.
fn numbers(_: &str, tokens: &[Token]) -> Vec<Edit> {
    let separated = |t: &&Token| t.is_number() && t.text.contains('\'');
    let found = tokens.iter().filter(separated);
    let edits = found.map(|token| Edit {
        start: token.start,
        end: token.end(),
        text: token.text.replace('\'', ""),
    });
    edits.collect()
}

/// Assertions for the compiler say nothing here; those with one argument, or of C23, are unknown.
fn assertions(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
        let begins = matches!(before, "" | ";" | "{" | "}" | ":");
        if token.system || !begins || !matches!(token.text, "static_assert" | "_Static_assert") {
            continue;
        }
        let Some(close) = tokens::closing(tokens, at + 1) else {
            continue;
        };
        if let Some(end) = tokens.get(close + 1).filter(|t| t.text == ";") {
            edits.push(blanked(text, token.start, end.end(), ""));
        }
    }
    edits
}

/// Keywords of C23, where they are no names of the program's own.
fn keywords(_: &str, tokens: &[Token]) -> Vec<Edit> {
    const WORDS: [(&str, &str); 6] = [
        ("bool", "_Bool"),
        ("true", "1"),
        ("false", "0"),
        ("nullptr", "((void *)0)"),
        ("constexpr", "const"),
        ("typeof_unqual", "__typeof__"),
    ];
    let mut edits = Vec::new();
    for (word, becomes) in WORDS {
        let places: Vec<usize> = (0..tokens.len())
            .filter(|&at| tokens[at].text == word)
            .collect();
        if places.iter().any(|&at| is_declared(tokens, at)) {
            continue;
        }
        edits.extend(places.into_iter().map(|at| Edit {
            start: tokens[at].start,
            end: tokens[at].end(),
            text: becomes.to_owned(),
        }));
    }
    edits
}

/// Whether the program gives a word a meaning of its own: as the name of a variable, a type, a
/// member, or a constant of an enumeration.
fn is_declared(tokens: &[Token], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |t| t.text);
    let (before, behind) = (word(at.checked_sub(1)), word(Some(at + 1)));
    if matches!(before, "." | "->" | "goto") {
        return true;
    }
    let of_a_type = tokens[at].text == "bool" || tokens[at].text == "constexpr";
    if of_a_type {
        // `typedef int bool;`
        return matches!(behind, ";" | "=" | "[");
    }
    let named = tokens::is_word(before) && !matches!(before, "return" | "case" | "else" | "do");
    if named && matches!(behind, ";" | "=" | "," | "[" | "(") {
        return true;
    }
    // The braces around it.
    let mut depth = 0;
    for open in (0..at).rev() {
        match tokens[open].text {
            "}" | ")" => depth += 1,
            "{" | "(" if depth > 0 => depth -= 1,
            "{" => {
                let tag = usize::from(open >= 2 && tokens::is_word(tokens[open - 1].text));
                return [1, 1 + tag]
                    .iter()
                    .any(|back| word(open.checked_sub(*back)) == "enum")
                    && matches!(before, "{" | ",");
            }
            "(" | ";" => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::of_c11;

    fn becomes(rows: &[(&str, &str)]) {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for (text, expected) in rows {
            let found = of_c11(text);
            assert_eq!(squeezed(&found), squeezed(expected), "{text}");
            assert_eq!(found.lines().count(), text.lines().count(), "{text}");
        }
    }

    #[test]
    fn numbers_with_separators() {
        becomes(&[
            ("x = 1'000'000 + 0x1'Fu;", "x = 1000000 + 0x1Fu;"),
            (
                "c = '0'; d = 'a'; s = \"1'0\";",
                "c = '0'; d = 'a'; s = \"1'0\";",
            ),
            ("u = u'x' + 3;", "u = u'x' + 3;"),
        ]);
    }

    #[test]
    fn attributes_in_double_brackets() {
        becomes(&[
            (
                "[[noreturn]] void f(void);",
                "__attribute__((noreturn)) void f(void);",
            ),
            (
                "[[nodiscard, gnu::const]] int f([[maybe_unused]] int x);",
                "__attribute__((const)) int f( int x);",
            ),
            ("a[b[0]] = c[d[1]];", "a[b[0]] = c[d[1]];"),
            (
                "[[fallthrough]]; int a [[gnu::aligned(8)]];",
                "; int a __attribute__((aligned(8))) ;",
            ),
        ]);
    }

    #[test]
    fn assertions_for_the_compiler() {
        becomes(&[
            ("_Static_assert(sizeof(int) == 4); int x;", "int x;"),
            ("{ static_assert(f(1), \"text\"); y = 1; }", "{ y = 1; }"),
            ("x = static_assert(3);", "x = static_assert(3);"),
        ]);
    }

    #[test]
    fn keywords_that_are_no_names() {
        becomes(&[
            (
                "bool f(bool x) { return x == true ? false : nullptr != p; }",
                "_Bool f(_Bool x) { return x == 1 ? 0 : ((void *)0) != p; }",
            ),
            // Names of the program's own.
            (
                "typedef enum { false, true } bool; bool x = true;",
                "typedef enum { false, true } bool; bool x = true;",
            ),
            (
                "typedef int bool; bool f(void);",
                "typedef int bool; bool f(void);",
            ),
            (
                "int nullptr = 3; x = nullptr;",
                "int nullptr = 3; x = nullptr;",
            ),
            ("bool a[2] = {true, false};", "_Bool a[2] = {1, 0};"),
            ("p->true = 1; q.true;", "p->true = 1; q.true;"),
            ("constexpr int n = 3;", "const int n = 3;"),
        ]);
    }

    #[test]
    fn labels_in_front_of_declarations() {
        becomes(&[
            ("{ again: int x; }", "{ again: ; int x; }"),
            ("{ out: }", "{ out: ; }"),
            (
                "switch (x) { case 'a': int y = 2; break; case 3 ? 1 : 2: size_t z; default: }",
                "switch (x) { case 'a': ; int y = 2; break; case 3 ? 1 : 2: ; size_t z; default: ; }",
            ),
            (
                "struct s { int a : 3; int : 2; };",
                "struct s { int a : 3; int : 2; };",
            ),
            ("x = c ? a : int_; l: x = 2;", "x = c ? a : int_; l: x = 2;"),
        ]);
    }

    #[test]
    fn types_that_are_implied() {
        becomes(&[
            ("main() { return 0; }", "int main() { return 0; }"),
            (
                "plus(x, y) int x; { return f(x); } static half(int x) { return x / 2; }",
                "int plus(x, y) int x; { return f(x); } static int half(int x) { return x / 2; }",
            ),
            (
                "static n = 3; const a[2] = {1, 2}; extern k;",
                "static int n = 3; const int a[2] = {1, 2}; extern int k;",
            ),
            (
                "void f(void) { register i, j; for (register k = 0; ; ) g(i); g(j); { h(i); } }",
                "void f(void) { register int i, j; for (register int k = 0; ; ) g(i); g(j); { h(i); } }",
            ),
            // Types of the program's own.
            (
                "typedef long T; static T (f)(int); const T x = 1; static T *y; T g(int a) { }",
                "typedef long T; static T (f)(int); const T x = 1; static T *y; T g(int a) { }",
            ),
            ("int f(a) int a; { }", "int f(a) int a; { }"),
            (
                "struct { int a; } const b; static union u { int a; } const\nvolatile c = {1};",
                "const struct { int a; } b; static const volatile union u { int a; } \n c = {1};",
            ),
            (
                "struct q { enum { A } const c; } static d; struct s f(void) { } const int c = 1;",
                "static struct q { const enum { A } c; } d; struct s f(void) { } const int c = 1;",
            ),
            (
                "struct __attribute__((packed)) s { int a; } const b; struct { int a; } *const p;",
                "const struct __attribute__((packed)) s { int a; } b; struct { int a; } *const p;",
            ),
            (
                "__asm__(\".symver a,b@(c\");int a; asm volatile (\"nop\"\n\";\") ; int b;",
                " int a; \n int b;",
            ),
            (
                "int x asm(\"y\"); int f(void) __asm__(\"g\"); void f(void) { ; asm(\"nop\"); } asm(\"x\");",
                "int x asm(\"y\"); int f(void) __asm__(\"g\"); void f(void) { ; asm(\"nop\"); }",
            ),
            ("{ auto x = 3.0; auto i; }", "{ auto x = 3.0; auto int i; }"),
            (
                "struct s { int x; } v; static struct s w; f();",
                "struct s { int x; } v; static struct s w; f();",
            ),
            (
                "# 1 \"a.h\" 1 3\nstatic n = 3;\n# 2 \"a.c\" 2\nstatic m = 3;",
                "# 1 \"a.h\" 1 3\nstatic n = 3;\n# 2 \"a.c\" 2\nstatic int m = 3;",
            ),
        ]);
    }

    #[test]
    fn choices_without_a_middle() {
        becomes(&[
            ("x = a[i] ?: b;", "x = a[i] ? a[i] : b;"),
            (
                "return p->x + 1 ? : c ?: d;",
                "return p->x + 1 ? p->x + 1 : c ? c : d;",
            ),
            // It would be evaluated twice.
            (
                "x = f(y) ?: b[i++];",
                "x = ({ __typeof__((0, (f(y)))) tw_first = (f(y) ); tw_first ? tw_first : ( b[i++]); });",
            ),
            (
                "g(y++ ?: z ? 1 : 2, 3);",
                "g(({ __typeof__((0, (y++))) tw_first = (y++ ); tw_first ? tw_first : ( z ? 1 : 2); }), 3);",
            ),
        ]);
    }

    #[test]
    fn types_of_values() {
        becomes(&[
            (
                "__auto_type x = f(a, b);",
                "__typeof__((0, (f(a, b)))) x = f(a, b);",
            ),
            (
                "y = ({ const __auto_type a_ = ({ __auto_type b_ = 1; b_; }); a_; });",
                "y = ({ const __typeof__((0, (({ __typeof__((0, (1))) b_ = 1; b_; })))) a_ = \
                 ({ __typeof__((0, (1))) b_ = 1; b_; }); a_; });",
            ),
            (
                "__auto_type x = a\n + b;",
                "__typeof__((0, (a + b))) x = a\n + b;",
            ),
        ]);
    }
}
