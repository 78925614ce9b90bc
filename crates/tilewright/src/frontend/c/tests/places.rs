//! Places in the original file.

use super::{source, unit};
use crate::frontend::c::parse::parse;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind};
use crate::source::Source;
use insta::assert_snapshot;

/// Line, column and text of the expressions of the first region: conditions, assignments and
/// their two sides.
fn places(source: &Source) -> String {
    fn inside<'a>(statement: &'a Stmt, found: &mut Vec<&'a Expr>) {
        match &statement.kind {
            StmtKind::Block(all) => all.iter().for_each(|s| inside(s, found)),
            StmtKind::For {
                condition, body, ..
            } => {
                found.extend(condition);
                inside(body, found);
            }
            StmtKind::Expression(e) => {
                found.push(e);
                if let ExprKind::Assign(_, target, value) = &e.kind {
                    found.extend([&**target, &**value]);
                }
            }
            _ => {}
        }
    }
    let unit = parse(source).expect("a tree");
    let mut found = vec![];
    unit.regions[0]
        .statements
        .iter()
        .for_each(|s| inside(s, &mut found));
    let mut out = String::new();
    for expression in found {
        let span = expression.span;
        let (line, column) = source.line_column(span.start);
        out += &format!(
            "{line}:{column} {}\n",
            source.text[span.start..span.end].replace('\n', "⏎")
        );
    }
    out
}

#[test]
fn plain_text_has_exact_places() {
    assert_snapshot!(places(&source(
        "#include <math.h>
void f(int n, float a[n]) {
#pragma scop
\tfor (int i = 0;  i<n ;i++) { /* a comment */ a[i]  =\t2 *(i+ 1)  ; a[i] = /* x */ sqrtf( a[i] ); }
    a[0]   = a[1] \\
        + a[2]
        - a[3];   // the end
#pragma endscop
}
"
    )));
}

#[test]
fn what_comes_out_of_a_macro_is_at_its_call() {
    assert_snapshot!(places(&source(
        "#define N 100
#define SQ(x) ((x) * (x))
#define SET(to,\\
            from) to = from
void f(int n, float a[n]) {
#pragma scop
    for (int i = 0; i < N; i++) a[i] = SQ(a[i]) + SQ(N);
    SET(a[0],
        a[1] + N);
    a[2] = N;
#pragma endscop
}
"
    )));
}

#[test]
fn included_text_is_at_its_line() {
    let text = "#include \"body.h\"\nvoid f(float a[9]) {\n#pragma scop\n  a[0] = 1;\n#include \"inner.h\"\n#pragma endscop\n}\n";
    let preprocessed = "# 0 \"m.c\"\n# 1 \"m.c\"\n# 1 \"body.h\" 1\nint g(int x) { return x; }\n# 2 \"m.c\" 2\nvoid f(float a[9]) {\n\
                        \n#pragma scop\n\n  a[0] = 1;\n# 1 \"inner.h\" 1\na[1] = 2;\n# 6 \"m.c\" 2\n\n#pragma endscop\n\n}\n";
    let source = Source {
        name: "m.c".into(),
        text: text.into(),
        preprocessed: preprocessed.replace("\n\n", "\n"),
        ..Source::default()
    };
    let message = super::render(&source, &super::refused(&source));
    assert!(
        message.contains("5:1 ^ `#include` would be lost"),
        "{message}"
    );
}

#[test]
fn regions_are_whole_lines() {
    let (source, unit) = unit(
        "void f(int n, float a[n])\n{\n  # pragma \\\n    scop // from here\n\n    a[0] = 1;\n\n\t#pragma endscop /* to\n here */\n}\n",
    );
    let region = &unit.regions[0];
    assert_eq!(
        &source.text[region.span.start..region.span.end],
        "\n    a[0] = 1;\n\n"
    );
    assert!(source.text[region.pragma.start..].starts_with("# pragma"));
}

#[test]
fn line_ends_of_windows() {
    let (source, unit) =
        unit("void f(float a[2])\r\n{\r\n#pragma scop\r\n  a[0] = 1;\r\n#pragma endscop\r\n}\r\n");
    let region = &unit.regions[0];
    assert_eq!(
        &source.text[region.span.start..region.span.end],
        "  a[0] = 1;\r\n"
    );
    let span = region.statements[0].span;
    assert_eq!(&source.text[span.start..span.end], "a[0] = 1;");
}
