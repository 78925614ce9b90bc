//! What is said of texts: places, values, lines, coverage, and within which budgets.

use crate::common::{differs, equal, judged};
use std::time::Duration;
use tilewright_certify::{Certificate, Coverage, Effort, Options, Text, Verdict, certify};

const HEAD: &str = "void f(int n, const int a[restrict n], int b[restrict n])";

fn whole(front: &str, body: &str) -> String {
    format!("{front}\n{HEAD}\n{{\n{body}\n}}\n")
}

#[test]
fn places_by_name() {
    let front = "struct p { short k; double v[2]; }; struct q { struct p p[2]; char c; }; union u { int i; char c[4]; };\n\
                 int one; int row[4]; int grid[3][5]; struct p rec; struct q recs[3]; double *ptr; union u un;";
    let head = "long f(int n, int a[restrict n], int m[restrict n][3][2], struct p *s, double **d, struct q t, unsigned char *c, void *v, float x)";
    let text =
        |body: &str| format!("{front}\n{head}\n{{\nif (n < 2) return 0;\n{body}\nreturn 1;\n}}\n");
    for (place, value, named) in [
        ("a[0]", "a[0] ^ 1", "at a[0]:"),
        ("a[n - 1]", "a[n - 1] ^ 1", "at a["),
        ("m[1][2][1]", "m[1][2][1] ^ 1", "at m[1][2][1]:"),
        ("m[n - 1][0][1]", "m[n - 1][0][1] ^ 1", "[0][1]:"),
        ("s[1].v[1]", "s[1].v[1] + 100", "at s[1].v[1]:"),
        ("s->k", "s->k ^ 1", "at s[0].k:"),
        ("d[1][2]", "d[1][2] + 100", "at d[2]"),
        ("t.p[1].v[0]", "0", ""),
        ("c[3]", "c[3] ^ 1", "at c[3]:"),
        ("((char *)v)[2]", "((char *)v)[2] ^ 1", "at v[2]:"),
        ("one", "one + 1", "at one:"),
        ("row[3]", "row[3] ^ 1", "at row[3]:"),
        ("grid[2][4]", "grid[2][4] ^ 1", "at grid[2][4]:"),
        ("rec.v[1]", "5.5", "at rec.v[1]:"),
        ("recs[2].p[1].k", "5", "at recs[2].p[1].k:"),
        ("recs[1].c", "5", "at recs[1].c:"),
        ("un.i", "un.i ^ 256", "at un:"),
    ] {
        let (plain, other) = (
            text(&format!("{place} = {place};")),
            text(&format!("{place} = {value};")),
        );
        if named.is_empty() {
            // A structure by value is one's own.
            equal(&plain, &other)
        } else {
            differs(
                &plain,
                &other,
                &[
                    "another value",
                    named.trim_end_matches(':'),
                    "in place of",
                    "(line 6 of the result)",
                ],
            )
        }
    }
    differs(
        &text(""),
        &text("return 2;"),
        &["at the returned value: 2 in place of 1"],
    );
    // Pointers are compared by what they point to.
    let pointers = |value: &str| text(&format!("ptr = {value};"));
    equal(&pointers("d[0]"), &pointers("*d"));
    equal(&pointers("(double *)a"), &pointers("(double *)&a[0]"));
    differs(
        &pointers("d[0]"),
        &pointers("d[1]"),
        &["at ptr: d[0] in place of d[0]"][..0],
    );
    differs(
        &pointers("d[0]"),
        &pointers("d[0] + 1"),
        &["at ptr", "in place of"],
    );
    differs(
        &pointers("(double *)a"),
        &pointers("0"),
        &["at ptr: NULL in place of a[0]"],
    );
    differs(
        &pointers("(double *)(a + 1)"),
        &pointers("&rec.v[0]"),
        &["in place of a[1]"],
    );
    equal(
        &pointers("__builtin_malloc(8)"),
        &pointers("__builtin_malloc(16)"),
    );
    differs(
        &pointers("__builtin_malloc(8)"),
        &pointers("0"),
        &["NULL in place of memory of its own"],
    );
    // Not a number is not a number, whichever.
    let float = |value: &str| text(&format!("s->v[0] = {value};"));
    equal(&float("0.0 / 0.0 * x"), &float("-(0.0 / 0.0) * x"));
    differs(&float("0.0"), &float("-0.0"), &["-0.0 in place of 0.0"]);
}

#[test]
fn values_and_executions_in_words() {
    let text = |value: &str| whole("", &format!("for (int i = 0; i < n; i++) b[i] = {value};"));
    differs(
        &text("5"),
        &text("-7"),
        &[
            "f(n = 3, ",
            "another value at b[0]: -7 in place of 5 (line 4 of the result); by ",
        ],
    );
    let parallel = text("-7").replace("for (", "#pragma omp parallel for\nfor (");
    differs(
        &text("5"),
        &parallel,
        &["by 16 threads from the last to the first"],
    );
    let by_threads = |count: &str| {
        format!("#include_next\n{}", whole("", &format!("b[0] = {count};")))
            .replace("#include_next\n", "")
    };
    equal(&by_threads("1"), &by_threads("1"));
    let head = "void f(int n, unsigned u, unsigned long w, double x, float y, _Bool z, signed char c, int *p, int *q)";
    let text = |body: &str| format!("{head} {{ {body} }}");
    let found = judged(
        &text("p[0] = 1; q[3] = 2;"),
        &text("q[3] = 2; *p = 1; q[3] = 2;"),
    );
    assert!(
        matches!(found.verdict, Verdict::Equal | Verdict::Differs(_)),
        "{:?}",
        found.verdict
    );
    let all = found.inputs.join("\n");
    for word in [
        "f(n = 3, u = 3, w = 3, x = ",
        ", y = ",
        ", z = ",
        ", c = ",
        ", values of several kinds)",
        "q = p",
    ] {
        assert!(all.contains(word), "{word} is not in {all}");
    }
    assert!(
        all.contains("u = 4294967290") && all.contains("w = 18446744073709551610"),
        "{all}"
    );
    assert!(
        all.contains("q = p + 1") && all.contains("q = p + -1"),
        "{all}"
    );
}

fn with(original: &str, result: &str, options: &Options) -> Certificate {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    certify(&text(original), &text(result), options)
}

#[test]
fn lines_that_are_reached() {
    let original = whole("", "for (int i = 0; i < n; i++) b[i] = a[i];");
    let result = whole(
        "",
        "for (int i = 0; i < n; i++)\nif (n < 100000)\nb[i] = a[i];\nelse {\nb[i] = 1;\nb[i] = 2;\n}",
    );
    let found = with(&original, &result, &Options::default());
    let coverage = |lines: usize, never: &[u32]| Coverage {
        reached: lines - never.len(),
        lines,
        never: never.to_vec(),
    };
    assert_eq!(found.coverage, coverage(6, &[8, 9]).clone());
    assert!((found.coverage.ratio() - 4.0 / 6.0).abs() < 1e-9);
    assert_eq!(Coverage::default().ratio(), 1.0);
    // Where regions are marked, lines in them count.
    let marked = result.replace("else {", "else {\n/* tilewright: begin */");
    let marked = marked.replace("b[i] = 2;\n}", "b[i] = 2;\n/* tilewright: end */\n}");
    let found = with(&original, &marked, &Options::default());
    assert_eq!(found.coverage, coverage(2, &[9, 10]));
    // A difference ends it.
    let wrong = result.replace("b[i] = a[i];", "b[i] = a[i] ^ 1;");
    let found = with(&original, &wrong, &Options::default());
    assert!(found.coverage.reached >= 3 && found.coverage.never.contains(&8));
    // Lines are those of the main file, by the markers.
    let moved = format!("# 1 \"f.c\"\n# 70 \"g.h\" 1\nint z;\n# 200 \"f.c\" 2\n{result}");
    let found = with(&original, &moved, &Options::default());
    assert_eq!(found.coverage.never, [207, 208]);
    let found = with(
        &original,
        &format!("#line 500 \"f.c\"\n{result}"),
        &Options::default(),
    );
    assert_eq!(found.coverage.never, [507, 508]);
    let other = result.replace("f(", "h(");
    let found = with(
        &original,
        &format!("# 1 \"f.c\"\n{original}# 1 \"g.h\"\n{other}"),
        &Options::default(),
    );
    assert!(
        matches!(found.verdict, Verdict::Equal) && found.runs == 0,
        "{found:?}"
    );
}

#[test]
fn budgets() {
    let plain = whole("", "for (int i = 0; i < n; i++) b[i] = a[i] / 3;");
    let other = whole("", "for (int i = n - 1; i >= 0; i--) b[i] = a[i] / 3;");
    let steps = |steps: u64| {
        with(
            &plain,
            &other,
            &Options {
                steps: Some(steps),
                ..Options::default()
            },
        )
    };
    let (few, more) = (steps(60_000), steps(600_000));
    assert!(
        few.steps < 90_000 && more.steps <= 700_000,
        "{} {}",
        few.steps,
        more.steps
    );
    assert!(
        few.runs > 3 && few.runs < more.runs,
        "{} {}",
        few.runs,
        more.runs
    );
    assert_eq!(few.runs, few.inputs.len());
    assert_eq!(few.inputs[..], more.inputs[..few.runs]);
    let quick = with(&plain, &other, &Options::default());
    assert!((40..=120).contains(&quick.runs), "{}", quick.runs);
    let full = Options {
        effort: Effort::Full,
        steps: Some(8_000_000),
        ..Options::default()
    };
    let full = with(&plain, &other, &full);
    assert!(full.runs > 200, "{}", full.runs);
    let none = with(
        &plain,
        &other,
        &Options {
            time: Some(Duration::ZERO),
            ..Options::default()
        },
    );
    assert!(
        matches!(&none.verdict, Verdict::Unknown(why) if why.contains("there was no time")),
        "{none:?}"
    );
    let long = with(
        &plain,
        &other,
        &Options {
            time: Some(Duration::from_secs(100)),
            ..Options::default()
        },
    );
    assert_eq!(long.inputs, quick.inputs);
    // Another seed, other inputs.
    let seed = with(
        &plain,
        &other,
        &Options {
            seed: 5,
            ..Options::default()
        },
    );
    assert_ne!(seed.inputs, quick.inputs);
    // An input counts as a thousand instructions at least.
    let short = with(
        &whole("", "b[0] = 1;"),
        &whole("", "b[0] = 2 - 1;"),
        &Options {
            steps: Some(100_000),
            ..Options::default()
        },
    );
    assert_eq!(short.steps, 1000 * (short.runs + short.refused) as u64);
    // A text's budget is shared among its parts.
    let slow = |step: &str| {
        whole(
            "",
            &format!("for (int k = 0; k < 20000; k{step}) b[0] = k;"),
        )
    };
    let parts = |parts: u64| {
        let options = Options {
            parts,
            ..Options::default()
        };
        with(&slow("++"), &slow(" += 1"), &options).steps
    };
    assert_eq!(parts(0), parts(1));
    assert!((9_000_000..14_000_000).contains(&parts(1)), "{}", parts(1));
    assert!((600_000..1_700_000).contains(&parts(10)), "{}", parts(10));
    // Of many functions the first 64 are executed.
    let all = |value: &str| -> String {
        let one = |k: usize| format!("int g{k:02}(int n) {{ return n & {value}; }}\n");
        (0..70).map(one).collect()
    };
    let found = with(&all("7"), &all("(3 + 4)"), &Options::default());
    let last = found.inputs.last().map(|i| &i[..3]);
    assert_eq!(last, Some("g63"));
    // Each of several functions has its share.
    let two = |text: &str| format!("{text}\n{}", text.replace("f(", "g("));
    let found = with(
        &two(&plain),
        &two(&other),
        &Options {
            steps: Some(600_000),
            ..Options::default()
        },
    );
    let of = |name: &str| found.inputs.iter().filter(|i| i.starts_with(name)).count();
    assert!(of("f(") > 10 && of("g(") > 10, "{} {}", of("f("), of("g("));
    let only = Options {
        functions: Some(vec!["g".to_owned()]),
        steps: Some(100_000),
        ..Options::default()
    };
    let found = with(&two(&plain), &two(&other), &only);
    assert!(found.runs > 3 && found.inputs.iter().all(|i| i.starts_with("g(")));
    // What takes too long on some inputs is tried on others.
    let cubic = whole(
        "",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) b[i] = a[j] / 3 + k;",
    );
    let found = with(
        &cubic,
        &cubic.replace("/ 3 + k", "/ 3 + k + 0"),
        &Options {
            steps: Some(200_000),
            ..Options::default()
        },
    );
    assert!(
        matches!(found.verdict, Verdict::Equal) && found.refused > 0 && found.runs > 3,
        "{found:?}"
    );
}

#[test]
fn data_as_the_file_has_it() {
    let init = "void f_init(int n, int a[restrict n], int b[restrict n]) { for (int i = 0; i < n; i++) a[i] = 77; }";
    let plain = whole("", "for (int i = 0; i < n; i++) b[i] = a[i];");
    let other = whole(
        "",
        "for (int i = 0; i < n; i++) b[i] = a[i] == 77 ? 78 : a[i];",
    );
    // It may itself have parallel regions and memory of its own.
    let parallel = "void f_init(int n, int a[restrict n], int b[restrict n]) { int *t = __builtin_malloc(4); *t = 77;\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { int u[2] = { *t, i }; a[i] = u[0]; }\n__builtin_free(t); }";
    // Only the file's own function makes it show at once.
    for init in [init, parallel] {
        let with = |text: &str| format!("{init}\n{text}").replace("const int a", "int a");
        differs(
            &with(&plain),
            &with(&other),
            &["values of the file's own function", "78 in place of 77"],
        );
    }
    let original = format!("{init}\n{plain}").replace("const int a", "int a");
    let result = format!("{init}\n{other}").replace("const int a", "int a");
    differs(
        &original,
        &result,
        &["values of the file's own function", "78 in place of 77"],
    );
    let strange = init.replace("int b[restrict n]", "long b[restrict n]");
    let found = judged(
        &original.replace(init, &strange),
        &original
            .replace(init, &strange)
            .replace("b[i] = a[i]", "b[i] = (a[i])"),
    );
    assert!(
        found.inputs.iter().all(|i| !i.contains("own function")),
        "{:?}",
        found.inputs
    );
    assert!(matches!(found.verdict, Verdict::Equal));
}
