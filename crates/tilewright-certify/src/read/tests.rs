//! What reads parts of a text by itself: pragmas, literals, nesting.

use super::*;
use crate::read::expressions::statics::{character, hexadecimal, unescape};
use crate::read::statements::omp::directive;
use crate::text::prepare;

#[test]
fn directives_and_clauses() {
    for (words, names, clauses) in [
        ("parallel", &["parallel"][..], &[][..]),
        ("parallel for", &["parallel", "for"], &[]),
        ("for simd", &["for", "simd"], &[]),
        (
            "parallel for private(a)",
            &["parallel", "for"],
            &[("private", "a")],
        ),
        (
            "for private( a , b ) nowait",
            &["for"],
            &[("private", "a , b"), ("nowait", "")],
        ),
        (
            "for reduction(+:s)schedule(static, 1)",
            &["for"],
            &[("reduction", "+:s"), ("schedule", "static, 1")],
        ),
        (
            "parallel if(f(1) > (2)) num_threads((n))",
            &["parallel"],
            &[("if", "f(1) > (2)"), ("num_threads", "(n)")],
        ),
        ("  single  nowait  ", &["single"], &[("nowait", "")]),
        ("for, nowait", &["for"], &[("nowait", "")]),
        (
            "for reduction(^:s), reduction(&&: t)",
            &["for"],
            &[("reduction", "^:s"), ("reduction", "&&: t")],
        ),
        ("critical (name)", &["critical"], &[]),
        ("atomic update", &["atomic"], &[("update", "")]),
        ("task", &[], &[("task", "")]),
        // Behind a clause there is no name of a directive.
        ("task for", &[], &[("task", ""), ("for", "")]),
        (
            "simd safelen(4) for",
            &["simd"],
            &[("safelen", "4"), ("for", "")],
        ),
        // What does not end.
        ("for private(a", &["for"], &[("private", "a")]),
        ("for private(a(b)", &["for"], &[("private", "a(b)")]),
        ("for private()", &["for"], &[("private", "")]),
        ("", &[], &[]),
        ("+ for", &["for"], &[]),
        ("masked_2", &[], &[("masked_2", "")]),
    ] {
        let found = directive(words);
        assert_eq!(found.names, names, "{words}");
        let listed = found.clauses.iter().map(|(n, t)| (&n[..], &t[..]));
        assert_eq!(listed.collect::<Vec<_>>(), clauses, "{words}");
    }
}

#[test]
fn characters_and_strings() {
    for (text, value) in [
        ("'a'", Some(97)),
        ("'\\n'", Some(10)),
        ("'\\t'", Some(9)),
        ("'\\r'", Some(13)),
        ("'\\a'", Some(7)),
        ("'\\b'", Some(8)),
        ("'\\f'", Some(12)),
        ("'\\v'", Some(11)),
        ("'\\0'", Some(0)),
        ("'\\12'", Some(10)),
        ("'\\177'", Some(127)),
        ("'\\377'", Some(-1)),
        ("'\\x41'", Some(65)),
        ("'\\xfF'", Some(-1)),
        ("'\\''", Some(39)),
        ("'\"'", Some(34)),
        ("'\\\"'", Some(34)),
        ("'\\\\'", Some(92)),
        ("'\\?'", Some(63)),
        ("''", None),
        ("'ab'", None),
        ("L'a'", None),
        ("'\\q'", None),
        ("'\\'", None),
        ("a", None),
    ] {
        assert_eq!(character(text), value, "{text}");
    }
    for (text, bytes) in [
        ("", Some(&b""[..])),
        ("ab", Some(b"ab")),
        ("\\1234", Some(b"\x534")),
        ("\\18", Some(b"\x018")),
        ("\\x414", Some(b"\x14")),
        ("\\x4g", Some(b"\x04g")),
        ("\\08", Some(b"\x008")),
        ("a\\", None),
        ("\\8", None),
        ("\u{e4}", Some("\u{e4}".as_bytes())),
    ] {
        assert_eq!(unescape(text).as_deref(), bytes, "{text}");
    }
    for (text, value) in [
        ("0x1p4", Some(16.0)),
        ("1p4", Some(16.0)),
        ("0X.8P1", Some(1.0)),
        ("0xA.8p-1", Some(5.25)),
        ("0x1.8p0", Some(1.5)),
        ("0xffp0", Some(255.0)),
        ("0x0p5", Some(0.0)),
        ("0x1p-1074", Some(5e-324)),
        ("0x1.8", None),
        ("0x1gp1", None),
        ("0x1p", None),
    ] {
        assert_eq!(hexadecimal(text), value, "{text}");
    }
}

/// Brackets, operators of a statement and branches, each up to what is followed.
#[test]
fn nesting_that_is_followed() {
    let holds = |text: &str| check_nesting(&prepare("f.c", text).expect("it is prepared")).is_ok();
    for brackets in [["(", ")"], ["[", "]"], ["{", "}"]] {
        let nested = |depth: usize| brackets[0].repeat(depth) + &brackets[1].repeat(depth);
        assert!(holds(&nested(300)) && !holds(&nested(301)), "{brackets:?}");
        let many = brackets.concat().repeat(1000);
        assert!(holds(&many));
        // What is closed too often does not count against what is opened.
        assert!(!holds(&(brackets[1].repeat(10) + &nested(301))));
        assert!(holds(&(brackets[1].repeat(10) + &nested(300))));
    }
    for operator in ["+", "-", "*", "/ ", "?", "!", "~", "&", "|"] {
        let row = |count: usize| format!("{{ a{};", operator.repeat(count));
        assert!(holds(&row(20_000)) && !holds(&row(20_001)), "{operator}");
        assert!(holds(&row(15_000).repeat(2)), "{operator}");
    }
    let branches = |count: usize| format!("{{ {} }}", "else ".repeat(count));
    assert!(holds(&branches(20_000)) && !holds(&branches(20_001)));
    assert!(holds(&format!("{}\n", branches(15_000)).repeat(2)));
    assert!(!holds(&format!(
        "{{{}\n{}}}",
        branches(15_000),
        branches(15_000)
    )));
    assert!(holds(&format!("{{ {} }}", "e eels else_ ".repeat(9_000))));
    let problem = check_nesting(&prepare("f.c", &format!("a;\n\n{}", "(".repeat(400))).unwrap());
    let problem = problem.unwrap_err();
    assert_eq!(
        (&problem.what[..], problem.line),
        ("nesting that is too deep", 3)
    );
}

/// What stands one behind the other is not nested, however much of it there is.
#[test]
fn only_nesting_is_deep() {
    for one in [
        "if (n && m) ;",
        "if (!(n || m)) ;",
        "n ? 1 : 2;",
        "n = (n);",
        "{ int x[1] = { 1 }; }",
        "{ int x[1] = { { 1 } }; }",
        "{ int x[1][1] = { 1 }; }",
        "{ struct { int k; } x = { 1 }; }",
        "{ char x[] = { \"a\" }; }",
        "{ int x[2] = { [0] = 1 }; }",
        "a[0];",
        "do ; while (0);",
    ] {
        let body = one.repeat(40 * DEEPEST + 100);
        let text = format!("void f(int n, int m, int a[3])\n{{\n{body}\n}}\n");
        let found = cut("f.c", &text).and_then(|cut| cut.compile(&["f".to_owned()], true));
        assert!(found.is_ok(), "{one}: {:?}", found.err());
    }
}

/// What a text defines, and what of it is outside of functions.
#[test]
fn functions_of_a_text() {
    let text = "# 1 \"f.c\"\nint x = 1;\nstatic int g(int n) { return n; }\n# 1 \"h.h\"\nint y;\nint h(void) { return 1; }\n# 5 \"f.c\"\n\
                void f(int n)\n{\n/* tilewright: begin */\n#pragma omp parallel for\n for (;;) ;\n/* tilewright: end */\n#pragma omp simd\n for (;;) ;\n}\nint z;\n";
    let parsed = cut("f.c", text).expect("it is cut");
    let functions = parsed.functions();
    let names: Vec<&str> = functions.iter().map(|f| &f.name[..]).collect();
    assert_eq!(names, ["g", "f"]);
    assert_eq!(functions[0].text, "staticintg(intn){returnn;}");
    assert_eq!(
        functions[1].text,
        "voidf(intn){for(;;);for(;;);}#parallel for#simd"
    );
    assert_eq!(
        functions
            .iter()
            .map(|f| (f.is_static, f.generated))
            .collect::<Vec<_>>(),
        [(true, false), (false, true)]
    );
    assert_eq!(parsed.outside(), "intx=1;intz;");
    let declared = |names: &[&str], whole: bool| {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        let mut found: Vec<String> = parsed
            .declared(&names, whole)
            .into_iter()
            .map(str::to_owned)
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(declared(&["f"], false), [""; 0]);
    assert_eq!(declared(&["f"], true), ["x", "z"]);
}
