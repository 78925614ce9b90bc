//! Functions that other files of the program define: what a header with attributes would say of them.
//!
//! Of those that compute a value from their arguments alone, that they are `const`; of those that
//! access nothing but their own variables and what their pointers to numbers lead to, an access
//! summary: any element of what the argument is part of may be read, or written. Nothing of their text
//! is used, so that neither what is `static` there nor their macros and types matter.
//!
//! Not candidates are functions that are `static` or `inline`, that a linker may replace (weak ones,
//! aliases), and names that several files define, or that the file itself does. That no library
//! which is linked in front of these files, or loaded before them, has the name, is the user's word.

mod accesses;

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::parse;
use crate::frontend::c::syntax::{Function, Type, Unit};
use crate::frontend::c::tokens::tokens;
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Words that make a definition one that the linker may not take.
const REPLACED: [&str; 14] = [
    "weak",
    "__weak__",
    "weakref",
    "__weakref__",
    "alias",
    "__alias__",
    "ifunc",
    "__ifunc__",
    "inline",
    "__inline",
    "__inline__",
    "gnu_inline",
    "__gnu_inline__",
    // Arguments that no parameter has.
    "...",
];

/// Declarations for the end of a file's preprocessed text: of functions that it names and other files
/// define.
///
/// # Errors
/// What cannot be parsed.
pub fn declarations(main: &Source, others: &[Source]) -> Result<String, Box<Diagnostic>> {
    let own = Outline::of(&main.preprocessed);
    let mut defined: BTreeMap<String, usize> = BTreeMap::new();
    let mut said = BTreeMap::new();
    for other in others {
        let outline = Outline::of(&other.preprocessed);
        for name in &outline.defined {
            *defined.entry(name.clone()).or_default() += 1;
        }
        let unit = parse::definitions(other).map_err(|mistakes| unread(other, &mistakes))?;
        for (index, function) in unit.functions.iter().enumerate() {
            let name = &function.name;
            if !function.is_static
                && outline.defined.contains(name)
                && !outline.replaced.contains(name)
            {
                said.insert(name.clone(), declaration(&unit, index, function));
            }
        }
    }
    let mut text = String::new();
    for (name, declaration) in said {
        let here = own.names.contains(&name) && !own.defined.contains(&name);
        if here && defined.get(&name) == Some(&1) {
            text.extend(declaration);
        }
    }
    Ok(text)
}

fn unread(other: &Source, mistakes: &[Diagnostic]) -> Box<Diagnostic> {
    let first = mistakes.first();
    let reason = first.map_or("it is not understood", |first| &first.message);
    let place = first.and_then(|first| first.labels.first());
    let line = place.map_or(String::new(), |label| {
        format!(":{}", other.line_column(label.start).0)
    });
    let message = format!(
        "the other file {}{line} cannot be read: {reason}",
        other.name
    );
    Box::new(Diagnostic::error(Code::Syntax, message).help("leave it out of `--with`"))
}

/// What a header would say of a function; `None` where that is nothing.
fn declaration(unit: &Unit, index: usize, function: &Function) -> Option<String> {
    let name = &function.name;
    let result = spelled(&function.result, "")?;
    let parameters = |named: bool| {
        let all = function.parameters.iter().enumerate().map(|(at, &symbol)| {
            let name = if named {
                format!("p{at}")
            } else {
                String::new()
            };
            spelled(&unit.symbols[symbol].ctype, &name)
        });
        let all: Option<Vec<String>> = all.collect();
        Some(match all?.join(", ") {
            none if none.is_empty() => "void".to_owned(),
            some => some,
        })
    };
    if purity::is_pure(unit, name) {
        let parameters = parameters(false)?;
        return Some(format!(
            "__attribute__((const)) {result} {name}({parameters});\n"
        ));
    }
    let touched = accesses::of(unit, index)?;
    if !touched.iter().any(|touch| touch.writes) {
        return None;
    }
    let of = |said: &str, is: fn(&accesses::Touch) -> bool| {
        let places = touched.iter().enumerate().filter(|(_, touch)| is(touch));
        places
            .map(|(at, _)| format!(" {said}(*p{at});"))
            .collect::<String>()
    };
    let reads = of("__pencil_use", |touch| touch.reads);
    let writes = of("__pencil_def", |touch| touch.writes);
    let parameters = parameters(true)?;
    let summary = format!("tw_accesses_{name}");
    Some(format!(
        "void {summary}({parameters}) {{{reads}{writes} }}\n\
         __attribute__((pencil_access({summary}))) {result} {name}({parameters});\n"
    ))
}

/// A type of numbers in C's own words: names for types may mean something else in the other file.
fn spelled(ctype: &Type, name: &str) -> Option<String> {
    let pointer = |target: &Type, is_const: bool| match target {
        Type::Scalar(scalar) => {
            let qualifier = if is_const { "const " } else { "" };
            Some(format!("{qualifier}{} *{name}", scalar.kind.c_name()))
        }
        _ => None,
    };
    match ctype {
        Type::Void => Some("void".to_owned()),
        Type::Scalar(scalar) => Some(
            format!("{} {name}", scalar.kind.c_name())
                .trim_end()
                .to_owned(),
        ),
        Type::Pointer {
            target, is_const, ..
        } => pointer(target, *is_const),
        Type::Array {
            element, is_const, ..
        } => pointer(element, *is_const),
        _ => None,
    }
}

/// The names in a file, as far as its tokens tell.
#[derive(Default)]
struct Outline {
    /// All.
    names: BTreeSet<String>,
    /// Those of functions that it defines.
    defined: BTreeSet<String>,
    /// Those in declarations with a word of [`REPLACED`].
    replaced: BTreeSet<String>,
}

impl Outline {
    fn of(text: &str) -> Outline {
        let mut outline = Outline::default();
        let all = tokens(text);
        // Those of the declaration that is being read, outside of braces.
        let mut head: Vec<&str> = Vec::new();
        // Those of the directive, with its line.
        let mut pragma: Vec<(usize, &str)> = Vec::new();
        let (mut braces, mut parentheses) = (0usize, 0usize);
        for token in &all {
            let word = token.text(text);
            if is_name(word) {
                outline.names.insert(word.to_owned());
            }
            if token.directive {
                // `#pragma weak name`
                if pragma
                    .first()
                    .is_some_and(|(line, _)| *line != token.logical_line)
                {
                    outline.end(&pragma.iter().map(|(_, word)| *word).collect::<Vec<_>>());
                    pragma.clear();
                }
                pragma.push((token.logical_line, word));
                continue;
            }
            match word {
                "{" if braces == 0 && parentheses == 0 => {
                    outline.defined.extend(defines(&head).map(str::to_owned));
                    braces = 1;
                    continue;
                }
                "{" => braces += 1,
                "}" => braces = braces.saturating_sub(1),
                _ => {}
            }
            if braces > 0 {
                continue;
            }
            match word {
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                _ => {}
            }
            head.push(word);
            // A definition ends with its bracket, a structure's declaration goes on.
            let ends = word == ";" || word == "}" && defines(&head[..head.len() - 1]).is_some();
            if ends && parentheses == 0 {
                outline.end(&head);
                head.clear();
            }
        }
        outline.end(&head);
        outline.end(&pragma.iter().map(|(_, word)| *word).collect::<Vec<_>>());
        outline
    }

    fn end(&mut self, head: &[&str]) {
        if head.iter().any(|word| REPLACED.contains(word)) {
            let names = head.iter().filter(|word| is_name(word));
            self.replaced.extend(names.map(|word| (*word).to_owned()));
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The function that a declaration begins to define: the name in front of the first parentheses that
/// are no attribute's.
fn defines<'t>(head: &[&'t str]) -> Option<&'t str> {
    let mut at = 0;
    while at < head.len() {
        let word = head[at];
        if word == "=" {
            return None;
        }
        if word == "(" {
            let before = at.checked_sub(1).map(|before| head[before])?;
            if !matches!(
                before,
                "__attribute__" | "__attribute" | "_Alignas" | "__declspec"
            ) {
                return is_name(before).then_some(before);
            }
            let mut depth = 0usize;
            while at < head.len() {
                match head[at] {
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
                at += 1;
            }
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source {
            name: "f.c".to_owned(),
            text: text.to_owned(),
            preprocessed: text.to_owned(),
            ..Source::default()
        }
    }

    /// What is said of the functions of some files, all of which the file calls.
    fn said(others: &[&str]) -> String {
        let main =
            source("float f(float); void g(int, float *, float *); void h(void) { f; g; k; }");
        let others: Vec<Source> = others.iter().map(|text| source(text)).collect();
        declarations(&main, &others).expect("declarations")
    }

    #[test]
    fn functions_of_numbers_are_const() {
        let text = "#pragma omp declare simd (f)
typedef float real; static real half(real x) { return x / 2; }
__attribute__((noinline)) real f(real x) { real y = x; while (y > 1) y = half(y); return sqrtf(y); }";
        assert_eq!(said(&[text]), "__attribute__((const)) float f(float);\n");
        for changed in [
            "static float f(float x) { return x; }",
            "inline float f(float x) { return x; }",
            "__attribute__((weak)) float f(float x) { return x; }",
            "float f(float); float f(float) __attribute__((__weak__)); float f(float x) { return x; }",
            "#pragma weak f\nfloat f(float x) { return x; }",
            "float f(float x) { static float s; return s += x; }",
            "float s; float f(float x) { return s + x; }",
            "float s(float); float f(float x) { return s(x); }",
            "int printf(const char *, ...); float f(float x) { printf(\"x\"); return x; }",
            "float f(float x, ...) { return x; }",
            "float f(volatile float x) { return x; }",
            "float f(float x) { if (x > 3) abort(); return x; }",
            "float f(float x) { asm volatile (\"nop\" ::: \"memory\"); return x; }",
            "float other(float x) { return x; }",
        ] {
            assert_eq!(said(&[changed]), "", "{changed}");
        }
        let plain = "float f(float x) { return x; }";
        assert_eq!(said(&[plain, plain]), "");
        assert_eq!(said(&[plain, "static int f(int x) { return x; }"]), "");
        let own = source("float f(float x) { return x; } void h(void) { f; }");
        assert_eq!(declarations(&own, &[source(plain)]), Ok(String::new()));
    }

    #[test]
    fn what_leads_to_numbers() {
        let copies = "void g(int n, const double *restrict x, unsigned char *y)";
        let prototype = "(int p0, const double *p1, unsigned char *p2)";
        let expected = |said: &str| {
            format!(
                "void tw_accesses_g{prototype} {{{said} }}\n\
                 __attribute__((pencil_access(tw_accesses_g))) void g{prototype};\n"
            )
        };
        let both = " __pencil_use(*p1); __pencil_def(*p2);";
        let changes = " __pencil_use(*p2); __pencil_def(*p2);";
        for (body, accesses) in [
            ("for (int i = 0; i < n; i++) y[i] = x[i];", both),
            ("while (n--) *y++ = *x++;", both),
            ("y = y + 3; y[n] = *(x + n);", both),
            ("for (; n > 0; --n) y[n] += 1;", changes),
            ("++*y;", changes),
            ("inner(y + n, *x);", both),
            (
                "double t[4][2]; t[n][1] = x[1]; inner(&y[1], t[n][1]); return;",
                both,
            ),
            ("y[0] = 1;", " __pencil_def(*p2);"),
        ] {
            let inner = "static void inner(unsigned char *p, double v) { p[1] = v; }";
            let text = format!("{inner} {copies} {{ {body} }}");
            assert_eq!(said(&[&text]), expected(accesses), "{body}");
        }
        for body in [
            "kept = y; y[0] = 1;",
            "y[0] = global;",
            "unsigned char *p = y; p[0] = 1;",
            "unknown(y);",
            "static int calls; y[0] = calls++;",
            "y = kept; y[0] = 1;",
            "*(int *)y = 1;",
            "y[0] = y == kept;",
            "y[0] = *(volatile double *)x;",
            "y[0] = x < x + n;",
            "memset(y, 0, n);",
            "exit(y[0] = 1);",
            // What reads alone has no summary.
            "x[0];",
        ] {
            let text = format!("int global; unsigned char *kept; {copies} {{ {body} }}");
            assert_eq!(said(&[&text]), "", "{body}");
        }
    }

    #[test]
    fn what_is_no_c() {
        let main = source("void h(void) { }");
        let mistake = declarations(&main, &[source("int a;\nint f( {")]).expect_err("a mistake");
        assert!(
            mistake
                .message
                .starts_with("the other file f.c:2 cannot be read: "),
            "{mistake:?}"
        );
    }
}
