//! Generated text into files.

use super::{refusal, unit};
use crate::frontend::c::rewrite::{Branch, Replacement, edits, put_in, splice_preprocessed};
use crate::source::{Source, Span};

fn splice(source: &Source, regions: &[Replacement], divided: &[[Span; 2]]) -> String {
    put_in(&source.text, &edits(source, regions, divided))
}

fn unconditional(span: Span, text: &str) -> Replacement {
    Replacement::always(span, text.to_string())
}

/// Replaces the regions of a file by texts, in order.
fn spliced(text: &str, generated: &[&str]) -> String {
    let (source, unit) = unit(text);
    assert_eq!(unit.regions.len(), generated.len());
    let regions: Vec<_> = unit
        .regions
        .iter()
        .zip(generated)
        .map(|(r, g)| unconditional(r.span, g))
        .collect();
    splice(&source, &regions, &[])
}

#[test]
fn the_rest_is_kept_byte_for_byte() {
    let text = "/* é */ #define  X\t1 \nvoid f(float a[2]) {\n\tint u ;   \n\t#pragma scop\n\t\ta[0] = 1;\n\n\t#pragma endscop\n\n}";
    let expected = "/* é */ #define  X\t1 \nvoid f(float a[2]) {\n\tint u ;   \n\t/* tilewright: begin */\n\t\tfor (;;) {\n\t\t  x;\n\n\t\t}\n\t/* tilewright: end */\n\n}";
    assert_eq!(spliced(text, &["for (;;) {\n  x;\n\n}"]), expected);
    assert!(
        refusal(expected).starts_with("TW0106"),
        "the result is not input again"
    );
}

#[test]
fn line_ends_of_windows_are_kept() {
    let text = "void f(float a[2]) {\r\n#pragma scop\r\n  a[0] = 1;\r\n#pragma endscop\r\n}\r\n";
    assert_eq!(
        spliced(text, &["x;\ny;\n"]),
        "void f(float a[2]) {\r\n/* tilewright: begin */\r\n  x;\r\n  y;\r\n/* tilewright: end */\r\n}\r\n"
    );
}

#[test]
fn pragmas_over_several_lines_and_with_comments() {
    let text = "void f(float a[2]) {\n  # pragma \\\n    scop // from /* here\n  a[0] = 1;\n  #pragma endscop /* to\n here */\n}\n";
    assert_eq!(
        spliced(text, &["x;"]),
        "void f(float a[2]) {\n  /* tilewright: begin */ // from /* here\n  x;\n  /* tilewright: end */ /* to\n here */\n}\n"
    );
}

#[test]
fn pragma_operators_and_macros() {
    let text = "#define BEGIN _Pragma(\"scop\")\nvoid f(float a[2]) {\n  BEGIN\n  a[0] = 1;\n  _Pragma(\"endscop\")\n}\n";
    assert_eq!(
        spliced(text, &["x;"]),
        "#define BEGIN _Pragma(\"scop\")\nvoid f(float a[2]) {\n  /* tilewright: begin */\n  x;\n  /* tilewright: end */\n}\n"
    );
}

#[test]
fn several_regions_in_any_order() {
    let text = "void f(float a[2]) {\n#pragma scop\n  a[0] = 1;\n#pragma endscop\n#pragma scop\n    a[1] = 1;\n#pragma endscop\n}\n";
    let expected = "void f(float a[2]) {\n/* tilewright: begin */\n  x;\n/* tilewright: end */\n/* tilewright: begin */\n    y;\n/* tilewright: end */\n}\n";
    assert_eq!(spliced(text, &["x;", "y;"]), expected);
    let (source, unit) = unit(text);
    let regions = [
        unconditional(unit.regions[1].span, "y;"),
        unconditional(unit.regions[0].span, "x;"),
    ];
    assert_eq!(splice(&source, &regions, &[]), expected);
}

#[test]
fn without_regions_nothing_changes() {
    let (source, unit) =
        unit("void f(float a[2]) {\n#pragma scop\n  a[0] = 1;\n#pragma endscop\n}\n");
    assert_eq!(unit.regions.len(), 1);
    assert_eq!(splice(&source, &[], &[]), source.text);
}

#[test]
fn indentation_follows_the_code_not_the_directives() {
    let text = "void f(float a[2]) {\n#pragma scop\n#pragma omp parallel for\n      for (int i = 0; i < 2; i++)\n        a[i] = 1;\n#pragma endscop\n}\n";
    assert_eq!(
        spliced(text, &["#pragma omp simd\nx;"]),
        "void f(float a[2]) {\n/* tilewright: begin */\n      #pragma omp simd\n      x;\n/* tilewright: end */\n}\n"
    );
}

#[test]
fn where_a_condition_does_not_hold_the_region_is_what_it_was() {
    let text = "void f(float a[2]) {\r\n\t#pragma scop\r\n\t  a[0] = 1; /* \u{e9} */  \r\n#if X\r\n\ta[1] \\\r\n = 2;\r\n#endif\r\n\t#pragma endscop\r\n}\r\n";
    let (source, unit) = unit(text);
    let region = Replacement {
        around: None,
        check: Some("n > 1".to_string()),
        ..unconditional(unit.regions[0].span, "x;\n\ny;\n")
    };
    assert_eq!(
        splice(&source, &[region], &[]),
        "void f(float a[2]) {\r\n\t/* tilewright: begin */\r\n\t  if (n > 1) {\r\n\t      x;\r\n\r\n\t      y;\r\n\t  } else {\r\n\t  a[0] = 1; /* \u{e9} */  \r\n#if X\r\n\ta[1] \\\r\n = 2;\r\n#endif\r\n\t  }\r\n\t/* tilewright: end */\r\n}\r\n"
    );
}

#[test]
fn where_there_is_too_little_to_do_the_region_is_what_it_was() {
    let text = "void f(int n, float a[2]) {\n#pragma scop\n    a[0] = 1;\n#pragma endscop\n}\n";
    let (source, unit) = unit(text);
    let mut region = unconditional(unit.regions[0].span, "x;\n");
    region.check = Some("n > 1 || n < 0".to_string());
    region.branch.enough = Some("(double)n >= 9".to_string());
    let head = "void f(int n, float a[2]) {\n/* tilewright: begin */\n";
    assert_eq!(
        splice(&source, std::slice::from_ref(&region), &[]),
        format!(
            "{head}    if ((double)n >= 9 && (n > 1 || n < 0)) {{\n        x;\n    }} else {{\n    a[0] = 1;\n    }}\n/* tilewright: end */\n}}\n"
        )
    );
    region.check = None;
    region.branch.threads = Some("tw_threads".to_string());
    assert_eq!(
        splice(&source, &[region], &[]),
        format!(
            "{head}    {{\n        int tw_threads = 1;\n        #ifdef _OPENMP\n        extern int omp_get_max_threads(void);\n        if ((double)n >= 9)\n            tw_threads = omp_get_max_threads();\n        #endif\n        if (tw_threads > 1) {{\n            x;\n        }} else {{\n    a[0] = 1;\n        }}\n    }}\n/* tilewright: end */\n}}\n"
        )
    );
}

#[test]
fn a_region_is_replaced_in_the_preprocessed_text() {
    let source = Source {
        name: "a.c".to_string(),
        text: "#define N 8\nvoid f(float a[N]) {\n#pragma scop\n  a[0] = N;\n#pragma endscop\n  a[1] = 2;\n}\n"
            .to_string(),
        preprocessed: "# 1 \"a.c\"\n\nvoid f(float a[8]) {\n#pragma scop\n  a[0] = 8;\n#pragma endscop\n  a[1] = 2;\n}\n"
            .to_string(),
        ..Source::default()
    };
    let unit = crate::frontend::c::parse::parse(&source).unwrap();
    let replaced = |check: Option<&str>| {
        let check = check.map(|check| (check, &[][..]));
        splice_preprocessed(&source, &unit.regions[0], "x;", check)
    };
    assert_eq!(
        replaced(None),
        "# 1 \"a.c\"\n\nvoid f(float a[8]) {\n/* tilewright: begin */\nx;\n/* tilewright: end */\n# 6 \"a.c\"\n  a[1] = 2;\n}\n"
    );
    assert_eq!(
        replaced(Some("n")),
        "# 1 \"a.c\"\n\nvoid f(float a[8]) {\n/* tilewright: begin */\nif (n) {\nx;\n} else {\n\n  a[0] = 8;\n\n}\n/* tilewright: end */\n# 6 \"a.c\"\n  a[1] = 2;\n}\n"
    );
}

#[test]
fn a_second_text_stands_in_front_of_the_region_as_it_was() {
    let text = "void f(int n, float a[2]) {\n#pragma scop\n    a[0] = 1;\n#pragma endscop\n}\n";
    let (source, unit) = unit(text);
    let mut region = unconditional(unit.regions[0].span, "x;\n");
    region.check = Some("n > 1".to_string());
    region.branch.enough = Some("n >= 9".to_string());
    let second = |enough: &str| Branch {
        text: "y;\n".to_string(),
        enough: Some(enough.to_string()),
        ..Branch::default()
    };
    region.otherwise = Some(second("n >= 3"));
    let head = "void f(int n, float a[2]) {\n/* tilewright: begin */\n    if (n >= 9 && n > 1) {\n        x;\n    } else {\n";
    let tail = "    }\n/* tilewright: end */\n}\n";
    assert_eq!(
        splice(&source, std::slice::from_ref(&region), &[]),
        format!(
            "{head}        if (n >= 3 && n > 1) {{\n            y;\n        }} else {{\n    a[0] = 1;\n        }}\n{tail}"
        )
    );
    // Where it stands always, nothing is left of the region.
    region.check = None;
    region.otherwise = Some(Branch {
        enough: None,
        ..second("")
    });
    let head = head.replace(" && n > 1", "");
    assert_eq!(
        splice(&source, &[region], &[]),
        format!("{head}        y;\n{tail}")
    );
}

/// Parts of a region ask once for the number of threads, unless something may jump over the answer.
#[test]
fn parts_count_threads_once() {
    let head = "void f(int n, float a[2]) {\n";
    let region = "#pragma scop\n    n--;\n#pragma endscop\n";
    for (before, behind, once) in [("", "}\n", true), ("    goto end;\n", "end:;\n}\n", false)] {
        let text = format!("{head}{before}{region}{behind}");
        let (source, unit) = unit(&text);
        let marked = &unit.regions[0];
        let mut part = unconditional(marked.span, "x;\n");
        part.is_run = true;
        part.span = Span::new(text.find("n--").unwrap(), text.find("n--").unwrap() + 4);
        part.branch.threads = Some("tw_threads".to_owned());
        part.branch.enough = Some("n >= 9".to_owned());
        let lines = ["#pragma scop", "#pragma endscop"].map(|pragma| {
            let at = text.find(pragma).unwrap();
            Span::new(at, at + pragma.len())
        });
        let spliced = splice(&source, &[part], &[lines]);
        let asks = spliced.find("tw_at_most = omp_get_max_threads();");
        let part = spliced.find("if (tw_at_most > 1 && (n >= 9))");
        assert_eq!(asks.is_some(), once, "{spliced}");
        assert_eq!(part.is_some(), once, "{spliced}");
        assert!(!once || asks < part, "{spliced}");
        assert_eq!(
            spliced.matches("omp_get_max_threads();").count(),
            1,
            "{spliced}"
        );
    }
}
