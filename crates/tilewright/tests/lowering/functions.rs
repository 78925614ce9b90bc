//! Functions that a region calls: which are pure, which have a value for all arguments, and what
//! access summaries say.

use crate::{lowered, plain, render};
use tilewright::scop::{AccessKind, Scop};

pub fn found(ctx: &isl::Ctx, text: &str) -> Result<Scop, String> {
    let source = plain(text);
    let found = lowered(ctx, &source).map_err(|e| render(&source, &e))?;
    crate::examples::check(&found.scop);
    Ok(found.scop)
}

/// A region that calls functions defined in front of it.
pub fn calling(functions: &str, statement: &str) -> String {
    format!(
        "double sqrt(double); double ldexp(double, int); double exp(double); int abs(int);
int global; struct s {{ int x; }};
{functions}
void f(int n, double *restrict a, int *restrict b) {{\n#pragma scop
for (int i = 0; i < n; i++) {statement}\n#pragma endscop\n}}"
    )
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Becomes {
    Call,
    /// A call that changes hidden state.
    Effect,
    Body,
    Refusal,
}

/// Functions whose variables are all their own scalars, and whose calls are pure, are called, and those
/// that keep something. Of others the body stands in place of the call, or there is no such call.
#[test]
fn pure_functions() {
    use Becomes::*;
    let rows = [
        ("int g(int x) { return x; }", Call),
        ("int g(int x) { int y = x; y += 1; return y; }", Call),
        (
            "int g(int x) { for (int k = 0; k < 3; k++) x += k; return x; }",
            Call,
        ),
        ("int g(int x) { while (x > 0) x--; return x; }", Call),
        ("int g(int x) { if (x) return 1; return abs(x); }", Call),
        (
            "int h(int x) { return x; } int g(int x) { return h(x) + h(1); }",
            Call,
        ),
        ("int g(int x) { return x ? -x : !x; }", Call),
        ("int g(int x);", Refusal),
        ("__attribute__((const)) int g(int x);", Call),
        ("__attribute__((pure)) int g(int x);", Call),
        (
            "__attribute__((pure)) int h(int x); int g(int x) { return h(x); }",
            Body,
        ),
        (
            "__attribute__((const)) int h(int x); int g(int x) { return h(x); }",
            Call,
        ),
        ("__attribute__((const)) int g(int *x);", Refusal),
        ("__attribute__((const)) int *g(int x);", Refusal),
        ("void g(int x) { x = 1; }", Refusal),
        ("int g(int x) { return x + global; }", Body),
        ("int g(int x) { global = x; return x; }", Body),
        ("int g(int x) { static int y; y = x; return y; }", Effect),
        ("int g(int x) { static int *y; return *y + x; }", Refusal),
        ("int g(int x) { int y[2]; return x; }", Body),
        ("int g(int x) { struct s y; y.x = x; return y.x; }", Body),
        ("int g(int x) { int y = x; return *&y; }", Body),
        ("int g(int x) { return unknown(x); }", Refusal),
        (
            "int h(int x) { return global; } int g(int x) { return h(x); }",
            Body,
        ),
        ("int g(int x) { return x ? g(x - 1) : 0; }", Refusal),
        // A circle that `g` is not in.
        (
            "int h(int x) { return x ? h(x - 1) : 0; } int g(int x) { return h(x); }",
            Refusal,
        ),
        (
            "int h(int x); int g(int x) { return x ? h(x - 1) : 0; } int h(int x) { return g(x); }",
            Refusal,
        ),
        ("int g(int x) { goto end; end: return x; }", Refusal),
        (
            "int g(int x) { switch (x) { case 1: x++; case 2: return 2; } return x; }",
            Refusal,
        ),
        ("int g(int x) { do x--; while (x > 0); return x; }", Refusal),
        ("int g(int x) { return undeclared + x; }", Refusal),
        ("int g(int x) { return \"ab\"[x]; }", Refusal),
        (
            "int c(int x) { return x; } int g(int x) { return sizeof(c(x)) + x; }",
            Call,
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (functions, expected) in rows {
        let (becomes, said) = match found(&ctx, &calling(functions, "b[i] = g(i);")) {
            Ok(scop) if format!("{:?}", scop.statements).contains("Call(\"g\"") => {
                (Call, String::new())
            }
            Ok(scop) if scop.has_effects() => (Effect, String::new()),
            Ok(_) => (Body, String::new()),
            Err(errors) => (Refusal, errors),
        };
        let named = said.is_empty() || said.contains("error TW") && said.contains('g');
        if becomes != expected || !named {
            wrong.push(format!("{functions}: {becomes:?} {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Calls are followed eight deep, as calls and as bodies.
#[test]
fn calls_are_followed_to_a_depth() {
    for (depth, accepted) in [(2, true), (8, true), (9, true), (16, true), (17, false)] {
        let mut functions = "int g0(int x) { return x; }\n".to_owned();
        for k in 1..depth {
            functions += &format!("int g{k}(int x) {{ return g{}(x); }}\n", k - 1);
        }
        let text = calling(&functions, &format!("b[i] = g{}(b[i]);", depth - 1));
        let found = found(&isl::Ctx::new(), &text);
        assert_eq!(found.is_ok(), accepted, "{depth}: {:?}", found.err());
    }
}

/// Straight-line arithmetic with floating-point numbers has a value for all arguments: nothing in
/// it is undefined, whatever comes in.
#[test]
fn functions_with_a_value_for_all_arguments() {
    let rows = [
        ("double g(double x) { return x; }", true),
        ("double g(double x) { return x * x + 1; }", true),
        ("double g(double x) { return 1 - x / 3.0; }", true),
        ("float g(float x) { return -x + +x; }", true),
        (
            "double g(double x) { double y = x * 2; return y - x; }",
            true,
        ),
        (
            "double g(double x) { double y = x * 2, z = y; return z; }",
            true,
        ),
        ("double g(double x) { return sqrt(x) + exp(x); }", true),
        (
            "double h(double x) { return x; } double g(double x) { return h(x); }",
            true,
        ),
        ("double g(double x) { return x < 0 ? -x : x; }", true),
        ("double g(double x) { return x == 1.0 ? 0 : x; }", true),
        ("double g(double x) { return (float)x; }", true),
        ("double g(double x) { return (double)1 + x; }", true),
        ("double g(double x) { return 1; }", true),
        // Integers may overflow, and conversions to them may not fit.
        ("int g(double x) { return 1; }", false),
        ("double g(int x) { return 1.0; }", false),
        ("double g(double x) { return (int)x; }", false),
        ("double g(double x) { return 1 + 2; }", false),
        ("double g(double x) { return 1 / 0; }", false),
        ("double g(double x) { int y = x; return x; }", false),
        ("double g(double x) { int y = 1; return x + y; }", false),
        ("double g(double x) { double y = 1 / 0; return x; }", false),
        ("double g(double x) { double y; return x; }", false),
        ("double g(double x) { double y; y = x; return y; }", false),
        ("double g(double x) { double y = (int)x; return x; }", false),
        ("double g(double x) { x = 1; return x; }", false),
        (
            "double g(double x) { if (x > 0) return x; return 1; }",
            false,
        ),
        ("double g(double x) { return !x; }", false),
        ("double g(double x) { return x < 1; }", false),
        ("double g(double x) { return x ? 1.0 : x; }", false),
        ("double g(double x) { return x && x ? 1.0 : x; }", false),
        ("double g(double x) { return x < 0 ? (int)x : x; }", false),
        ("double g(double x) { return (int)x < 0 ? x : 1; }", false),
        ("double g(double x) { return 0 < (int)x ? x : 1; }", false),
        ("double g(double x) { return (double)(int)x; }", false),
        ("double g(double x) { return sqrt((int)x); }", false),
        ("double g(double x) { return ldexp(x, 2); }", false),
        ("double g(double x) { return abs(1) + x; }", false),
        (
            "int h(double x) { return x; } double g(double x) { return h(x) + x; }",
            false,
        ),
        (
            "double h(int x) { return x; } double g(double x) { return h(1) + x; }",
            false,
        ),
        ("double g(double x) { return x * (1 / 0); }", false),
        ("double g(double x) { return -(1 / 0) + x; }", false),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (functions, total) in rows {
        match found(&ctx, &calling(functions, "a[i] = g(a[i]);")) {
            Ok(scop) if scop.calls.total.contains_key("g") == total => {}
            Ok(scop) => wrong.push(format!("{functions}: {:?}", scop.calls.total)),
            Err(errors) => wrong.push(format!("{functions}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Of what depth the calls are counts, too, and who calls: in a local's value, or under a cast.
    let text = calling(
        "double g(double x) { return x; }",
        "{ double t = g(a[i]); a[i] = t; }",
    );
    let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scop.calls.total.keys().collect::<Vec<_>>(), ["g"]);
    let mut functions = "double g0(double x) { return sqrt(x); }\n".to_owned();
    for k in 1..8 {
        functions += &format!("double g{k}(double x) {{ return g{}(x); }}\n", k - 1);
    }
    let scop = found(&ctx, &calling(&functions, "a[i] = g7(a[i]);"));
    let scop = scop.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scop.calls.total.keys().collect::<Vec<_>>(), ["g7"]);
}

/// The elements of `a` that a summarised call reads and writes, over the loop's variable.
fn elements(scop: &Scop, kind: AccessKind) -> Option<isl::Map> {
    let statement = scop.statements.last().expect("a statement");
    let named = |array: usize| scop.arrays[array].base == "a";
    let mut accesses = statement
        .accesses
        .iter()
        .filter(|a| a.kind == kind && named(a.array));
    accesses.next().map(|a| a.relation.clone())
}

/// Bodies of summaries, and what they say: elements read and written by the call in iteration `i`.
#[test]
fn access_summaries() {
    let all = "[c]";
    let rows = [
        ("__pencil_def(p[k]);", "", "[i]"),
        (
            "__pencil_def(p[k]); __pencil_use(p[k + 1]);",
            "[1 + i]",
            "[i]",
        ),
        ("__pencil_kill(p[k]);", "", "[i]"),
        ("__pencil_def(p[0], p[1]);", "", "[c] : 0 <= c <= 1"),
        ("__pencil_def(p);", "", all),
        (
            "for (unsigned j = 0; j < 9; j++) __pencil_def(p[(j - 1) & 3]);",
            "",
            "[c] : 0 <= c < 4",
        ),
        (
            "for (int j = 0; j < k; j++) __pencil_def(p[j]);",
            "",
            "[c] : 0 <= c < i",
        ),
        (
            "int j; for (j = 1; j <= k; j++) __pencil_def(p[j]);",
            "refused",
            "",
        ),
        (
            "for (int j = k; j > 2; j--) __pencil_def(p[j]);",
            "",
            "[c] : 2 < c <= i",
        ),
        (
            "for (int j = k; j >= 0; j -= 2) __pencil_def(p[j]);",
            "",
            "[c] : 0 <= c <= i",
        ),
        (
            "for (int j = 2; j < 7; j++) __pencil_def(p[j + k]);",
            "",
            "[c] : 2 + i <= c < 7 + i",
        ),
        (
            "for (int j = 0; j < k; j++) for (int l = j; l < k; l++) __pencil_def(p[l]);",
            "",
            "[c] : 0 <= c < i",
        ),
        (
            "for (int j = w[0]; j < k; j++) __pencil_def(p[j]);",
            "",
            "[c] : c < i",
        ),
        (
            "for (int j = 0; j < w[0]; j++) __pencil_def(p[j]);",
            "",
            "[c] : c >= 0",
        ),
        (
            "for (int j = 0; j < k; j += w[0]) __pencil_def(p[j]);",
            "",
            "[c] : c < i",
        ),
        (
            "for (int j = 0; ; j++) __pencil_def(p[j]);",
            "",
            "[c] : c >= 0",
        ),
        (
            "if (k > 2) __pencil_def(p[1]); else __pencil_def(p[2]);",
            "",
            "[c] : (i > 2 and c = 1) or (i <= 2 and c = 2)",
        ),
        (
            "if (w[0]) __pencil_def(p[1]); else __pencil_def(p[2]);",
            "",
            "[c] : 1 <= c <= 2",
        ),
        ("if (k > 2) __pencil_def(p[1]);", "", "[1] : i > 2"),
        ("__pencil_def(p[w[k]]);", "", all),
        (
            "__pencil_use(w[0]); __pencil_use(k); __pencil_def(p[0]);",
            "",
            "[0]",
        ),
        ("__pencil_def(p[(int)x]);", "", all),
        ("; { __pencil_def(p[0]); }", "", "[0]"),
        ("__pencil_def(p[0][0]);", "refused", ""),
        ("__pencil_def(k);", "refused", ""),
        ("__pencil_def(other[0]);", "refused", ""),
        ("__pencil_def((p + 1)[0]);", "refused", ""),
        ("other[0] = 1;", "refused", ""),
        ("abs(1);", "refused", ""),
        ("for (k = 1; k < 4; k++) __pencil_def(p[k]);", "refused", ""),
        ("while (k) __pencil_def(p[0]);", "refused", ""),
        ("for (; ; ) __pencil_def(p[0]);", "refused", ""),
        (
            "for (float j = 0; j < 1; j++) __pencil_def(p[0]);",
            "refused",
            "",
        ),
        (
            "for (p[0] = 0; k < 1; k++) __pencil_def(p[0]);",
            "refused",
            "",
        ),
        ("return;", "refused", ""),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (body, read, written) in rows {
        let text = format!(
            "int abs(int); int other[9]; void __pencil_use(); void __pencil_def(); void __pencil_kill();
void said(int p[], const int w[], int k, float x) {{ {body} }}
__attribute__((pencil_access(said))) void call(int p[], const int w[], int k, float x);
void f(int n, int a[restrict], const int w[restrict]) {{\n#pragma scop
for (int i = 0; i < n; i++) call(a, w, i, 1.5f);\n#pragma endscop\n}}"
        );
        let scop = match (found(&ctx, &text), read) {
            (Ok(scop), read) if read != "refused" => scop,
            (Err(errors), "refused") if errors.contains("summary `said` is not understood") => {
                continue;
            }
            (Ok(_), _) => {
                wrong.push(format!("{body}: accepted"));
                continue;
            }
            (Err(errors), _) => {
                wrong.push(format!("{body}: {errors}"));
                continue;
            }
        };
        let name = &scop.statements.last().unwrap().name;
        // What may be written may stay as it was.
        let reads = match read {
            "" => vec![written],
            read => vec![read, written],
        };
        for (kind, expected) in [
            (AccessKind::Read, reads),
            (AccessKind::Write, vec![written]),
        ] {
            let mut wanted: Option<isl::Map> = None;
            for cells in expected {
                let (cells, condition) = cells.split_once(" : ").unwrap_or((cells, "true"));
                let text =
                    format!("[n] -> {{ {name}[i] -> a{cells} : 0 <= i < n and ({condition}) }}");
                let map = isl::Map::read_from_str(&ctx, &text).expect("a map");
                wanted =
                    Some(wanted.map_or(map.clone(), |known| known.union(&map).expect("a union")));
            }
            let (wanted, found) = (
                wanted.expect("cells"),
                elements(&scop, kind).expect("an access"),
            );
            let statement = scop.statements.last().unwrap();
            let found = match kind {
                AccessKind::Read => {
                    let reads = statement.accesses.iter();
                    let reads =
                        reads.filter(|a| a.kind == kind && scop.arrays[a.array].base == "a");
                    reads.fold(found, |all, a| all.union(&a.relation).expect("a union"))
                }
                AccessKind::Write => found,
            };
            if !found.is_equal(&wanted).expect("a comparison") {
                wrong.push(format!("{body}: {kind:?} {found}, not {wanted}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is handed to a summarised function.
#[test]
fn arguments_of_summarised_functions() {
    let rows = [
        ("call(a, i);", "[c, 0] : true", None),
        ("row(a[i], i);", "[i, i] : i <= 8", None),
        ("row(a[2 * i + 1], 3);", "[1 + 2i, 3]", None),
        ("part(a[i], 3);", "[i, c] : 0 <= c < 3", None),
        (
            "part(a[i + 1], i);",
            "[1 + i, c] : 0 <= c < i and c <= 8",
            None,
        ),
        ("row(a[b[i]], i);", "[c, i] : i <= 8", None),
        ("both(a[i], b);", "[i, 0]", None),
        (
            "row(a, i);",
            "",
            Some("has 2 dimension(s), and the summary sees 1"),
        ),
        (
            "call(a[0], i);",
            "",
            Some("has 1 dimension(s), and the summary sees 2"),
        ),
        (
            "row(a[0][0], i);",
            "",
            Some("is not an array, or a row of one"),
        ),
        ("row(i, i);", "", Some("is not an array, or a row of one")),
        // What begins behind an element may go on in other rows.
        ("row(a[0] + 1, i);", "[c, d] : 0 <= d <= 8", None),
        ("row(&a[i][1], 3);", "[c, d] : 0 <= d <= 8", None),
        ("row(&a[2 * i + 1][0], 3);", "[1 + 2i, 3]", None),
        (
            "row(i + a[0], i);",
            "",
            Some("is not an array, or a row of one"),
        ),
        (
            "int own[9]; row(own, i);",
            "",
            Some("is declared in the region and handed to"),
        ),
        (
            "row(a[0]);",
            "",
            Some("has 2 parameters, the call 1 arguments"),
        ),
        (
            "missing(a, i);",
            "",
            Some("its summary `nowhere` is not defined in this file"),
        ),
        ("again(i);", "", Some("`again` calls itself")),
        (
            "b[i] = row(a[i], i);",
            "",
            Some("`row` writes to its arguments in the middle of an"),
        ),
    ];
    let ctx = isl::Ctx::new();
    for (body, written, message) in rows {
        let text = format!(
            "void __pencil_def();
void of_row(int p[], int k) {{ __pencil_def(p[k]); }}
void of_rows(int p[][9], int k) {{ for (int j = 0; j < 99; j++) if (j >= 0) __pencil_def(p[j][0]); }}
void of_part(int p[], int k) {{ for (int j = 0; j < k; j++) __pencil_def(p[j]); }}
__attribute__((pencil_access(of_part))) void part(int p[], int k);
void of_none(int k) {{}} void of_both(int p[], int q[]) {{ __pencil_def(p[0]); }}
__attribute__((pencil_access(of_both))) void both(int p[], int q[]);
__attribute__((pencil_access(of_row))) int row(int p[], int k);
__attribute__((pencil_access(of_rows))) void call(int p[][9], int k);
__attribute__((pencil_access(nowhere))) void missing(int p[][9], int k);
__attribute__((pencil_access(of_none))) void again(int k);
void again(int k) {{ if (k) again(k - 1); }}
void f(int n, int a[restrict][9], int b[restrict]) {{\n#pragma scop
for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
        );
        match (found(&ctx, &text), message) {
            (Ok(scop), None) => {
                let name = &scop.statements.last().unwrap().name;
                let (cells, condition) = written.split_once(" : ").unwrap_or((written, "true"));
                let condition = match body.starts_with("call") {
                    true => "0 <= c < 99",
                    false => condition,
                };
                let text =
                    format!("[n] -> {{ {name}[i] -> a{cells} : 0 <= i < n and {condition} }}");
                let wanted = isl::Map::read_from_str(&ctx, &text).expect("a map");
                let found = elements(&scop, AccessKind::Write).expect("an access");
                assert!(
                    found.is_equal(&wanted).expect("a comparison"),
                    "{body}: {found}"
                );
            }
            (Err(errors), Some(message)) => assert!(errors.contains(message), "{body}: {errors}"),
            (Ok(_), Some(_)) => panic!("{body}: accepted"),
            (Err(errors), None) => panic!("{body}: {errors}"),
        }
    }
}
