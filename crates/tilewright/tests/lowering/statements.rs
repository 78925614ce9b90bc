//! What statements, declarations and pragmas of a region become, as lines of the model's text.

use crate::{lowered, plain, render};
use tilewright::scop::dump::dump;

pub const HEAD: &str =
    "int abs(int); void *malloc(unsigned long); int visible; typedef unsigned char byte;
struct p { float x; int y[2]; };
struct last { int n; int row[9]; }; struct front { int row[9]; int n; };
struct outer { int k; struct last in; }; struct other { struct last in; int k; };
struct nested { int k; struct front in; };
";

/// The model as lines, or the messages.
pub fn lines(text: &str) -> Result<Vec<String>, String> {
    let source = plain(&format!("{HEAD}{text}"));
    let ctx = isl::Ctx::new();
    let found = lowered(&ctx, &source).map_err(|e| render(&source, &e))?;
    crate::examples::check(&found.scop);
    let text = dump(&found.scop).expect("a dump") + &render(&source, &found.warnings);
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}

/// A loop over `i` around some statements.
pub fn region(inside: &str) -> String {
    format!(
        "void f(int n, float a[restrict n], float b[restrict n], int d[restrict n], byte c[restrict n],
       struct last *restrict pl, struct front *restrict pf, struct outer *restrict po,
       struct other *restrict pt, struct nested *restrict pn, struct last v) {{
int count; static int kept; float real;
#pragma scop
for (int i = 0; i < n; i++) {{ {inside} }}
#pragma endscop
}}"
    )
}

/// Every row's statements have these lines one behind the other; a line that begins with `refused: `
/// is part of a message.
pub fn check(rows: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for &(inside, expected) in rows {
        let found = lines(&region(inside));
        let right = match (&found, expected) {
            (Err(errors), [message]) => {
                let message = message.strip_prefix("refused: ");
                message.is_some_and(|message| errors.contains(message))
            }
            (Ok(lines), expected) => lines.windows(expected.len()).any(|part| part == expected),
            _ => false,
        };
        if !right {
            let found = found.map(|lines| lines.join("\n"));
            let found = found.unwrap_or_else(|e| e);
            wrong.push(format!("{inside}\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Both sides of a choice are converted to the element's type, unless they are elements of it.
#[test]
fn branches_that_set_one_place() {
    check(&[
        (
            "if (d[i]) a[i] = 1; else a[i] = 2;",
            &["a[i] = d[i] ? (float)1 : (float)2"],
        ),
        (
            "if (d[i]) a[i] = b[i]; else a[i] = d[i];",
            &["a[i] = d[i] ? b[i] : (float)d[i]"],
        ),
        (
            "if (d[i]) a[i] = d[0]; else a[i] = b[0];",
            &["a[i] = d[i] ? (float)d[0] : b[0]"],
        ),
        (
            "if (d[i]) c[i] = d[0]; else c[i] = c[0];",
            &["c[i] = d[i] ? (byte)d[0] : c[0]"],
        ),
        (
            "if (d[i]) a[i] = 1; else b[i] = 2;",
            &["if d[i]", "a[i] = 1", "else", "b[i] = 2"],
        ),
        (
            "if (d[i]) a[i] = 1; else a[0] = 2;",
            &["if d[i]", "a[i] = 1", "else", "a[0] = 2"],
        ),
        ("if (d[i]) a[i] = 1;", &["if d[i]", "a[i] = 1"]),
        (
            "if (d[i]) ; else a[i] = 1;",
            &["if d[i]", "else", "a[i] = 1"],
        ),
        (
            "if (d[i]) { a[i] = 1; b[i] = 2; } else a[i] = 3;",
            &["if d[i]", "a[i] = 1", "b[i] = 2", "else", "a[i] = 3"],
        ),
        ("if (d[i]) { } else { } a[i] = 1;", &["a[i] = 1"]),
        (
            "if (d[i]) { if (d[0]) a[i] = 1; else a[i] = 2; } else a[i] = 3;",
            &["a[i] = d[i] ? (float)(d[0] ? (float)1 : (float)2) : (float)3"],
        ),
    ]);
}

/// Affine conditions in a body split it; four of them one after the other, no more.
#[test]
fn branches_that_split_a_body() {
    let ctx = isl::Ctx::new();
    for (conditions, expected) in [(0, 1), (1, 2), (3, 8), (4, 16), (5, 16), (6, 16)] {
        let mut inside = "float t = b[i];".to_owned();
        for k in 0..conditions {
            let bit = 1 << k;
            inside += &format!(" if (i / {bit} % 2) t += {bit}; else t = t * t;");
        }
        let text = region(&format!("if (i >= 0) {{ {inside} a[i] = t; }}"));
        let source = plain(&format!("{HEAD}{text}"));
        let found = lowered(&ctx, &source).unwrap_or_else(|e| panic!("{}", render(&source, &e)));
        assert_eq!(found.scop.statements.len(), expected, "{conditions}");
    }
}

#[test]
fn effects_of_expressions() {
    check(&[
        ("a[i]--;", &["a[i] = a[i] - 1"]),
        ("++a[i];", &["a[i] = a[i] + 1"]),
        ("a[i] -= b[i];", &["a[i] = a[i] - b[i]"]),
        ("d[i] <<= 2;", &["d[i] = d[i] << 2"]),
        ("a[i] = b[i] = 2;", &["b[i] = 2", "a[i] = b[i]"]),
        (
            "a[i] += b[i] *= 2;",
            &["b[i] = b[i] * 2", "a[i] = a[i] + b[i]"],
        ),
        ("a[i] = b[d[i]] = 2;", &["b[d[i]] = 2", "a[i] = b[d[i]]"]),
        (
            "a[i] = d[d[i]] = 2;",
            &["refused: the value of an assignment that may change where it goes"],
        ),
        (
            "a[i] = d[2 * i + d[d[i] & 3]] += 2;",
            &["refused: the value of an assignment that may change where it goes"],
        ),
        (
            "{ int t = 2; d[d[i]] = t; a[i] = t; }",
            &["d[d[i]] = (int)2"],
        ),
        ("(void)a[i]; a[i] = 1; b[i]; i; 3;", &["a[i] = 1"]),
        ("abs(d[i]);", &["refused: `abs`"]),
        ("(void)abs(d[i]);", &["refused: `abs`"]),
        ("a[i] %= 2;", &["refused: "]),
        ("d[i] %= 2;", &["d[i] = d[i] % 2"]),
        (
            "i = 2;",
            &["refused: nothing that the region does is to be seen behind it"],
        ),
        ("label: a[i] = 1;", &["a[i] = 1"]),
        ("({ a[i] = 1; });", &["a[i] = 1"]),
        ("a[i] = ({ d[i]; });", &["a[i] = d[i]"]),
        (
            "a[i] = d[i] && ({ d[i]++; });",
            &["refused: statement expression"],
        ),
        ("asm(\"\");", &["refused: "]),
        ("switch (n & 3) { case 0: a[i] = 1; }", &["a[i] = 1"]),
        // One case goes on in the next, an end in the middle, a label from outside of the list.
        (
            "switch (i) { case 0: a[i] = 1; case 1: d[i] = 2; }",
            &["refused: `switch`"],
        ),
        (
            "switch (i) { case 0: if (n > 4) break; a[i] = 1; }",
            &["refused: `switch`"],
        ),
        (
            "switch (i) { case 0: a[i] = 1; break; { case 1: d[i] = 2; } }",
            &["refused: `switch`"],
        ),
        (
            "switch (d[i]++) { case 0: a[i] = 1; break; case 1: a[i] = 2; }",
            &["refused: `switch`"],
        ),
        ("{ do { a[i] = 1; } while (0); }", &["a[i] = 1"]),
        (
            "{ do { a[i] = 1; } while (n > 9); }",
            &["while 1", "a[i] = 1", "if !(n > 9)", "leave"],
        ),
        ("return;", &["left = 1", "leave"]),
    ]);
    // A `goto` gives labels a meaning.
    let text =
        region("label: a[i] = 1;").replace("#pragma endscop", "#pragma endscop\ngoto end; end: ;");
    let errors = lines(&text).expect_err("a label that somebody may jump to");
    assert!(errors.contains("label"), "{errors}");
}

#[test]
fn declarations_and_first_values() {
    let many = |count: usize| format!("int t[{count}] = {{n}}; d[i] = t[0];");
    let (most, more) = (many(64), many(65));
    check(&[
        ("float t = b[i]; a[i] = t;", &["float t = b[i]", "a[i] = t"]),
        (
            "float t; t = b[i]; a[i] = t + t;",
            &["float t", "t = b[i]", "a[i] = t + t"],
        ),
        (
            "float t = b[i]; t *= 2; a[i] = t;",
            &["float t = b[i]", "t = t * 2", "a[i] = t"],
        ),
        (
            "float t = 1; { float t = 2; a[i] = t; } b[i] = t;",
            &["float t = 1", "float t_2 = 2", "a[i] = t_2", "b[i] = t"],
        ),
        (
            "float t = 1; { float t = 2; { float t = 3; a[i] = t; } b[i] = t; } d[i] = t;",
            &[
                "float t = 1",
                "float t_2 = 2",
                "float t_3 = 3",
                "a[i] = t_3",
                "b[i] = t_2",
                "d[i] = t",
            ],
        ),
        (
            "float visible = b[i]; a[i] = visible;",
            &["float visible_2 = b[i]", "a[i] = visible_2"],
        ),
        (
            "float n = b[i]; a[i] = n;",
            &["float n_2 = b[i]", "a[i] = n_2"],
        ),
        (
            "float x = b[i]; { float i = x; a[0] = i; }",
            &["float x = b[i]", "float i_2 = x", "a[0] = i_2"],
        ),
        (
            "float t[2]; t[0] = b[i]; t[1] = 2; { float t = 3; a[i] = t; } b[i] = t[0];",
            &["float t_2 = 3", "a[i] = t_2"],
        ),
        (
            "int t[3] = {n, 2}; d[i] = t[0];",
            &["t[i][0] = n", "t[i][1] = 2", "t[i][2] = 0"],
        ),
        (
            "int t[] = {n, 2}; d[i] = t[0];",
            &["t[i][0] = n", "t[i][1] = 2"],
        ),
        (
            "int t[2][2] = {{n}, {2, 3}}; d[i] = t[0][0];",
            &[
                "t[i][0][0] = n",
                "t[i][0][1] = 0",
                "t[i][1][0] = 2",
                "t[i][1][1] = 3",
            ],
        ),
        (
            "struct p t = {1, {2}}; d[i] = t.y[0];",
            &["t_x[i] = 1", "t_y[i][0] = 2", "t_y[i][1] = 0"],
        ),
        ("int t[1] = {{n}}; d[i] = t[0];", &["t[i][0] = n"]),
        (&most, &["t[i][62] = 0", "t[i][63] = 0"]),
        (
            &more,
            &["refused: a long list of initial values inside a region"],
        ),
        ("int t[n]; t[0] = 1; d[i] = t[0];", &["t[i][0] = 1"]),
        (
            "int t[2] = d; d[i] = t[0];",
            &["refused: arrays and structures cannot be assigned"],
        ),
        (
            "int t[1] = {{3, 4}}; d[i] = t[0];",
            &["refused: a list as the value of a scalar"],
        ),
        (
            "static int t; d[i] = t;",
            &["refused: `t` is static and declared inside the region"],
        ),
        ("int *t = d; d[i] = t[0];", &["d[i] = d[0]"]),
        (
            "int *t = n > 2 ? d : d + 1; d[i] = t[0];",
            &["refused: the pointer `t` is declared inside the region"],
        ),
        (
            "int _Complex t = 1; a[i] = t;",
            &["refused: values of type `_Complex` are not supported"],
        ),
    ]);
}

/// A last array of a structure behind a pointer may be longer than it says.
#[test]
fn arrays_at_the_end_of_structures() {
    check(&[
        (
            "pl->row[i] = 1;",
            &["array pl_row: int pl->row[?], parameter, live-in, live-out"],
        ),
        (
            "pf->row[i] = 1;",
            &["array pf_row: int pf->row[9], parameter, live-in, live-out"],
        ),
        (
            "po->in.row[i] = 1;",
            &["array po_in_row: int po->in.row[?], parameter, live-in, live-out"],
        ),
        (
            "pt->in.row[i] = 1;",
            &["array pt_in_row: int pt->in.row[9], parameter, live-in, live-out"],
        ),
        (
            "pn->in.row[i] = 1;",
            &["array pn_in_row: int pn->in.row[9], parameter, live-in, live-out"],
        ),
        (
            "v.row[i] = 1;",
            &["array v_row: int v.row[9], parameter, live-in"],
        ),
    ]);
}

/// What a name in C is called in the model: isl's words and statements' names are no names there.
#[test]
fn names_of_parameters() {
    let rows = [
        ("size", "size"),
        ("S", "S"),
        ("S0", "S0_"),
        ("S12", "S12_"),
        ("S1x", "S1x"),
        ("Sx", "Sx"),
        ("T0", "T0"),
        ("mod", "mod_"),
        ("and", "and_"),
        ("andy", "andy"),
        ("_1", "_1"),
        ("j", "j_2"),
    ];
    for (name, expected) in rows {
        let text = format!(
            "void f(int {name}, float *restrict A) {{\n#pragma scop
for (int i = 0; i < {name}; i++) {{ A[i] = 1; }} for (int j = 0; j < 3; j++) A[j] = 1;
#pragma endscop\n}}"
        );
        let text = match name {
            // The loop of this name is another variable's.
            "j" => text,
            _ => text
                .replace(" j", " k")
                .replace("(j", "(k")
                .replace("[j", "[k"),
        };
        let found = lines(&text).unwrap_or_else(|e| panic!("{e}"));
        let param = found
            .iter()
            .find(|line| line.starts_with("param "))
            .expect("a parameter");
        assert_eq!(*param, format!("param {expected} = int {name}"));
    }
}

/// `while` loops over a variable that the last statement moves by one.
#[test]
fn while_loops_that_count() {
    let counted = [
        (
            "count = (int)a[i]; while (count < n) { a[count] = 1; count++; }",
            "count = (count < n) ? n : count",
        ),
        (
            "count = (int)a[i]; while (n > count) { a[count] = 1; count += 1; }",
            "count = (count < n) ? n : count",
        ),
        (
            "count = (int)a[i]; while (count <= n) { a[count] = 1; count = count + 1; }",
            "count = (count <= n) ? (n + 1) : count",
        ),
        (
            "count = (int)a[i]; while (count > 0) { a[count] = 1; count--; }",
            "count = (count > 0) ? 0 : count",
        ),
        (
            "count = (int)a[i]; while (0 <= count) { a[count] = 1; --count; }",
            "count = (count >= 0) ? (0 - 1) : count",
        ),
    ];
    for (inside, after) in counted {
        let found = lines(&region(inside)).unwrap_or_else(|e| panic!("{inside}: {e}"));
        assert!(
            found.iter().any(|line| line == after),
            "{inside}\n{}",
            found.join("\n")
        );
    }
    // Where the test and the steps stand does not matter.
    for inside in [
        "count = 0; while (count < n) { count++; a[count - 1] = 1; }",
        "count = 0; do { a[count] = 1; } while (++count < n);",
        "count = n; do a[--count] = 1; while (count != 0);",
        "count = 0; while (1) { if (count >= n) break; a[count] = 1; count++; }",
        "count = 3; for (;;) { a[count] = 1; count++; if (!(count < n)) break; }",
        "count = 0; int other = n - 1; while (count < other) { a[count++] = 1; a[other--] = 2; }",
    ] {
        let found = lines(&region(inside)).unwrap_or_else(|e| panic!("{inside}: {e}"));
        let turns = found.iter().any(|line| line.starts_with("while "));
        assert!(!turns, "{inside}\n{}", found.join("\n"));
    }
    // Each turn decides: a step of a statement.
    let known = "turns";
    let refused = [
        (
            "count = 0; while (count < n) { if (d[0]) count++; a[count] = 1; }",
            known,
        ),
        (
            "count = 0; do { a[count] = 1; count++; } while (count < a[n - 1]);",
            known,
        ),
        (
            "count = 0; while (count < n) { a[count] = 1; count += 2; }",
            known,
        ),
        (
            "count = 0; while (count < n) { a[count] = 1; count--; }",
            known,
        ),
        (
            "count = 0; while (count > n) { a[count] = 1; count++; }",
            known,
        ),
        (
            "count = 0; while (count < n) { if (d[0]) count = 3; a[count] = 1; count++; }",
            known,
        ),
        (
            "count = 0; while (count != n) { a[count] = 1; count++; }",
            known,
        ),
        ("count = 0; while (count < n) count++;", known),
        ("while (1) { a[i] = 1; }", "`while`"),
        // It waits for somebody else.
        ("for (;;) { if (a[i] > 0) break; }", "`while`"),
        ("real = 0; while (real < n) { a[i] = 1; real++; }", "TW0212"),
        ("kept = 0; while (kept < n) { a[i] = 1; kept++; }", "TW0212"),
        (
            "visible = 0; while (visible < n) { a[i] = 1; visible++; }",
            "TW0212",
        ),
        ("while (n > 0) { a[i] = 1; }", known),
    ];
    let mut wrong = Vec::new();
    for (inside, message) in refused {
        match lines(&region(inside)) {
            Ok(lines) if message == "turns" && lines.iter().any(|l| l.starts_with("while ")) => {}
            Err(errors) if message != "turns" && errors.contains(message) => {}
            Ok(lines) => wrong.push(format!("{inside}: {}", lines.join("\n"))),
            Err(errors) => wrong.push(format!("{inside}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // The variable of a loop around it; and one whose address is known elsewhere.
    for (inside, before) in [
        ("while (i < n) { a[i] = 1; i++; }", ""),
        (
            "count = 0; while (count < n) { a[count] = 1; count++; }",
            "int *q = &count;",
        ),
    ] {
        let text = region(inside).replace("#pragma scop", &format!("{before}\n#pragma scop"));
        assert!(lines(&text).is_err(), "{inside}");
    }
    // The word is what messages mark.
    let inside = "count = 0; while (count < b[0]) { a[count] = 1; count++; }";
    let errors = lines(&region(inside)).expect_err("a bound that is no integer");
    assert!(errors.contains("`while` its loop"), "{errors}");
}
