//! What is taken for granted although C does not say it, kind by kind: it is compared in front of the
//! region, and where it does not hold the original is executed; `--assume` leaves the comparison out
//! and says so, `--no-assume` does without or leaves the region as it was.

use crate::running::{answer, compiled, program};
use crate::versions::{Case, executed, source};
use std::process::Command;

/// A kind, a program that needs it, the comparison, and what becomes of it without.
struct Kind {
    kind: &'static str,
    /// In the condition, and in no other line.
    comparison: &'static str,
    /// How often generated code runs in each call without: never where the region is left as it was.
    without: u32,
    case: Case,
}

const KINDS: &[Kind] = &[
    Kind {
        kind: "aliasing",
        comparison: "a + n * sizeof *a <= (__UINTPTR_TYPE__)b",
        without: 0,
        case: Case {
            name: "aliasing",
            text: "
void k(int n, const double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = 2 * a[i] + 1;
#pragma endscop
}",
            calls: &[
                ("40, D, D + 40", 1),
                ("40, D, D + 1", 0),
                ("40, D + 1, D", 0),
                ("0, D, D", 1),
            ],
        },
    },
    Kind {
        kind: "rows",
        comparison: "(long)s >= (long)m",
        // Each row by itself.
        without: 9,
        case: Case {
            name: "rows",
            text: "
void k(int n, int m, int s, float *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i * s + j] = b[i * s + j] * 2 + i;
#pragma endscop
}",
            calls: &[
                ("9, 11, 11, F", 1),
                ("9, 11, 13, F", 1),
                ("9, 11, 10, F", 0),
                ("9, 11, 0, F", 0),
                ("9, 11, -3, F + 100", 0),
            ],
        },
    },
    Kind {
        kind: "wrap",
        comparison: "n >= 3",
        without: 1,
        case: Case {
            name: "wrap",
            text: "
void k(unsigned n, const int *restrict a, int *restrict b) {
#pragma scop
  for (unsigned i = n - 3; i < 20; i++) b[i] = a[i] + 1;
#pragma endscop
}",
            calls: &[
                ("5, I, I + 20", 1),
                ("3, I, I + 20", 1),
                ("2, I, I + 20", 0),
                ("0, I, I + 20", 0),
                ("4000000000, I, I + 20", 1),
            ],
        },
    },
    Kind {
        kind: "ends",
        comparison: "(long)n >= (long)from",
        without: 0,
        case: Case {
            name: "ends",
            text: "
void k(unsigned char from, unsigned char n, const int *restrict a, int *restrict b) {
#pragma scop
  for (unsigned char i = from; i != n; i++) b[i] = a[i] * 3;
#pragma endscop
}",
            calls: &[
                ("3, 200, I, I + 300", 1),
                ("7, 7, I, I + 300", 1),
                ("250, 3, I, I + 300", 0),
                ("8, 7, I, I + 300", 0),
            ],
        },
    },
    Kind {
        kind: "errors",
        comparison: "(long)m >= (long)n",
        without: 0,
        case: Case {
            name: "errors",
            text: "
void k(int n, int m, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i >= m) leave();
    b[i] = a[i] * 3;
  }
#pragma endscop
}",
            calls: &[
                ("30, 30, I, I + 30", 1),
                ("30, 40, I, I + 30", 1),
                ("30, 29, I, I + 30", 0),
                ("30, 0, I, I + 30", 0),
                ("0, 0, I, I + 30", 1),
            ],
        },
    },
    Kind {
        kind: "pointers",
        comparison: "if (n >= 1)",
        without: 0,
        case: Case {
            name: "pointers",
            text: "
struct sizes { int n; int step; };
void k(int n, const struct sizes *s, float *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < s->n; j++) b[j] += j * i;
#pragma endscop
}",
            calls: &[
                ("5, SIZES(M + 2048, 30, 5), F", 1),
                ("0, 0, F", 0),
                ("-3, 0, F", 0),
            ],
        },
    },
    Kind {
        kind: "sizes",
        comparison: "n <= 17592186044416",
        without: 0,
        case: Case {
            name: "sizes",
            text: "
void k(long n, const int *restrict a, int *restrict b) {
#pragma scop
  for (long i = 0; i < (n < 9 ? n : 9); i++) b[i] = a[i] + 1;
#pragma endscop
}",
            calls: &[
                ("5, I, I + 9", 1),
                ("100, I, I + 9", 1),
                ("0x7fffffffffffffff, I, I + 9", 0),
                ("-0x7fffffffffffffff - 1, I, I + 9", 0),
            ],
        },
    },
];

/// How often the generated code runs in each call, where the bytes are always the same.
fn expected(kind: &Kind) -> String {
    let calls = kind.case.calls.iter();
    calls.map(|(_, runs)| format!("same {runs}\n")).collect()
}

fn compilers() -> &'static [&'static str] {
    let clang = Command::new("clang").arg("--version").output().is_ok();
    if clang { &["gcc", "clang"] } else { &["gcc"] }
}

#[test]
fn each_kind_is_compared() {
    for kind in KINDS {
        let file = program(kind.kind, &source(&kind.case));
        let (text, messages) = compiled(&file, &["--shape", "none"]);
        assert!(!messages.contains("warning"), "{messages}");
        let lines = text.lines().filter(|line| line.contains(kind.comparison));
        assert_eq!(lines.count(), 1, "{}: {text}", kind.kind);
        assert!(!text.contains("assumed, not checked"), "{text}");
        for compiler in compilers() {
            let folder = format!("{}_{compiler}", kind.kind);
            let found = executed(&kind.case, &text, compiler, &folder);
            assert_eq!(found, expected(kind), "{}: {text}", kind.kind);
        }
    }
}

#[test]
fn what_is_promised_is_not_compared() {
    for kind in KINDS {
        let file = program(kind.kind, &source(&kind.case));
        let plain = compiled(&file, &["--shape", "none"]).0;
        let assume = ["--shape", "none", "--assume", kind.kind];
        let (text, messages) = compiled(&file, &assume);
        assert!(!messages.contains("warning"), "{messages}");
        // What is compared in front of the generated code is gone, and nothing else of it.
        let inside = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            let is_begin = |line: &&str| line.trim().starts_with("/* generated by");
            let begin = lines.iter().position(is_begin).expect("generated");
            let end = lines[begin].replace(lines[begin].trim(), "}");
            let length = lines[begin..].iter().position(|line| *line == end);
            let (own, behind) = lines[begin..].split_at(length.expect("an end"));
            let own: Vec<&str> = own.iter().map(|line| line.trim()).collect();
            (own.join("\n"), behind.join("\n"))
        };
        assert_eq!(inside(&text).0, inside(&plain).0, "{}", kind.kind);
        let said = format!("/* assumed, not checked ({}): ", kind.kind);
        let front = text.split("/* generated by").next().unwrap();
        let lines: Vec<&str> = front.lines().collect();
        let begin = lines.iter().position(|line| line.contains("begin */"));
        let own = &lines[begin.expect("a region") + 1..];
        assert!(
            own.iter()
                .all(|line| line.trim().starts_with(&said) || line.trim().is_empty()),
            "{text}"
        );
        assert!(front.contains(&said), "{text}");
        assert!(!inside(&text).1.contains("else"), "{text}");
        // Where the promise is kept, nothing changes.
        let kept = kind.case.calls.iter().filter(|(_, runs)| *runs == 1);
        let kept: Vec<(&str, u32)> = kept.copied().collect();
        let calls: &'static [(&str, u32)] = kept.leak();
        let case = Case { calls, ..kind.case };
        let found = executed(&case, &text, "gcc", &format!("{}_assumed", kind.kind));
        assert_eq!(found, "same 1\n".repeat(calls.len()), "{}", kind.kind);
    }
}

#[test]
fn what_is_ruled_out_is_not_needed() {
    for kind in KINDS {
        let file = program(kind.kind, &source(&kind.case));
        let options = ["--shape", "none", "--no-assume", kind.kind];
        let (text, messages) = compiled(&file, &options);
        assert!(!text.contains(kind.comparison), "{text}");
        let is_left = kind.without == 0;
        assert_eq!(!text.contains("/* generated by"), is_left, "{text}");
        let named = format!("which `--no-assume {}` rules out", kind.kind);
        let said = messages.contains("TW0304") && messages.contains(&named);
        assert_eq!(said, is_left, "{messages}");
        let found = executed(&kind.case, &text, "gcc", &format!("{}_without", kind.kind));
        let all = format!("same {}\n", kind.without).repeat(kind.case.calls.len());
        assert_eq!(found, all, "{}: {text}", kind.kind);
    }
}

/// Other kinds are compared all the same.
#[test]
fn only_what_is_promised_is_left_out() {
    let text = "
void k(long n, long m, long s, const float *a, float *b) {
#pragma scop
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) b[i * s + j] = a[i * s + j] + i;
#pragma endscop
}";
    let file = program("several", text);
    let parts = [
        ("sizes", "s <= 17592186044416"),
        ("rows", "s >= m"),
        ("aliasing", "(__UINTPTR_TYPE__)"),
    ];
    for assumed in 0..8 {
        let kinds = parts.iter().enumerate();
        let kinds = kinds.filter(|(at, _)| assumed >> at & 1 == 1);
        let kinds: Vec<&str> = kinds.map(|(_, (kind, _))| *kind).collect();
        let list = kinds.join(",");
        let mut options = vec!["--shape", "none"];
        if !kinds.is_empty() {
            options.extend(["--assume", &list]);
        }
        let text = compiled(&file, &options).0;
        let front = text.split("/* ").nth(2).unwrap_or("");
        let before = text.split("generated by").next().unwrap();
        let condition = before.split("/* assumed").next().unwrap();
        for (kind, part) in parts {
            let is_assumed = kinds.contains(&kind);
            assert_eq!(
                condition.contains(part),
                !is_assumed,
                "{list}: {front}{text}"
            );
            let said = format!("assumed, not checked ({kind})");
            assert_eq!(before.contains(&said), is_assumed, "{list}: {text}");
        }
    }
}

#[test]
fn too_much_is_not_compared() {
    let of = |pointers: usize| {
        let parameters = (0..pointers).map(|p| format!(", int *a{p}"));
        let parameters: String = parameters.collect();
        let body: String = (0..pointers).map(|p| format!(" a{p}[i] = i;")).collect();
        format!(
            "void k(int n{parameters}) {{\n#pragma scop\n  for (int i = 0; i < n; i++) {{{body} }}\n\
             #pragma endscop\n}}\n"
        )
    };
    // 16 · 15 / 2 are 120 pairs, one pointer more makes it 136.
    let file = program("some", &of(16));
    let (text, messages) = compiled(&file, &["--shape", "none"]);
    assert!(
        text.contains("generated by") && messages.is_empty(),
        "{messages}"
    );
    let file = program("many", &of(17));
    let (text, messages) = compiled(&file, &["--shape", "none"]);
    assert!(!text.contains("generated by"), "{text}");
    let words = "136 things would be compared in front of it, and 128 are the most";
    assert!(
        messages.contains("TW0304") && messages.contains(words),
        "{messages}"
    );
    let (text, messages) = compiled(&file, &["--shape", "none", "--assume", "aliasing"]);
    assert!(
        text.contains("generated by") && messages.is_empty(),
        "{messages}"
    );
}

#[test]
fn explain_lists_what_is_compared() {
    let text = "
void k(int n, int m, int s, const float *a, float *b, float *c) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      b[i * s + j] = a[i * s + j] + i;
      c[i * s + j] = a[i * s + j] * 2;
    }
#pragma endscop
}
";
    let file = program("explained", text);
    let explained = |more: &[&str]| {
        let (status, text, messages) =
            answer(&[&["explain", &file, "--shape", "none"], more].concat());
        assert_eq!(status, 0, "{messages}");
        text
    };
    let text = explained(&[]);
    let rows = "Checked at run time (rows, line 6): subscripts of `b` stay in rows of `s` elements \
                (`(long)s >= (long)m`); otherwise the original.\n";
    let apart = "Checked at run time (aliasing, line 6): `a` and `b` are different memory; \
                 otherwise the original.\n";
    assert!(text.contains(rows) && text.contains(apart), "{text}");
    let text = explained(&["--assume", "rows"]);
    let rows = "Assumed, not checked (rows, line 6): subscripts of `b` stay in rows of `s` elements \
                (`(long)s >= (long)m`).\n";
    assert!(text.contains(rows) && text.contains(apart), "{text}");
    let json = explained(&["--assume", "rows", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let checks = report["regions"][0]["checks"].as_array().expect("a list");
    let of = |check: &serde_json::Value| {
        let kind = check["kind"].as_str().expect("a kind").to_owned();
        (kind, check["assumed"].as_bool(), check["line"].as_u64())
    };
    let found: Vec<_> = checks.iter().map(of).collect();
    let apart = |line| ("aliasing".to_owned(), Some(false), Some(line));
    let expected = [
        ("rows".to_owned(), Some(true), Some(6)),
        apart(6),
        apart(7),
        apart(6),
    ];
    assert_eq!(found, expected);
    assert_eq!(checks[0]["condition"], "(long)s >= (long)m");
}

#[test]
fn kinds_that_are_wrong() {
    let file = program("wrong", KINDS[0].case.text);
    let (status, _, messages) = answer(&["compile", &file, "--assume", "luck"]);
    assert_eq!(status, 2);
    for kind in KINDS {
        assert!(messages.contains(kind.kind), "{messages}");
    }
    for command in ["compile", "explain", "view"] {
        let options = [
            command,
            &file,
            "--assume",
            "rows,wrap",
            "--no-assume",
            "wrap",
        ];
        let (status, _, messages) = answer(&options);
        assert_eq!(status, 2, "{messages}");
        let words = "`wrap` is both in --assume and in --no-assume";
        assert!(messages.contains(words), "{messages}");
    }
}

/// What follows from other comparisons is not compared.
#[test]
fn conditions_are_few() {
    let text = "
void k(int n, int m, const int *a, int *b, int *restrict c) {
#pragma scop
  for (int i = 0; i < n * m; i++) c[i] = a[i] + b[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[i * m + j] += a[i * m + j] + 1;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) b[i * m + j] += a[i * m + j] + 1;
#pragma endscop
}
";
    let options = [
        "explain",
        &program("inside", text),
        "--shape",
        "none",
        "--json",
    ];
    let (status, json, messages) = answer(&options);
    assert_eq!(status, 0, "{messages}");
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let checks = report["regions"][0]["checks"].as_array().expect("a list");
    // Either array is touched in two ranges; what the last loops touch is inside of one of them.
    assert_eq!(checks.len(), 4, "{json}");
}
