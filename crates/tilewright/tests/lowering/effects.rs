//! Calls of functions with hidden state: the objects that they read and write, and which arrays.

use crate::functions::found;
use tilewright::scop::{AccessKind, Expr, Hidden, Origin, Outside, Scop};

const FRONT: &str = "typedef struct stream stream; typedef unsigned long size_t;
int printf(const char *, ...); int fprintf(stream *, const char *, ...); int puts(const char *);
size_t fwrite(const void *, size_t, size_t, stream *); char *fgets(char *, int, stream *);
int putchar(int); int rand(void); double drand48(void); void srand(unsigned); int scanf(const char *, ...);
int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...); int sscanf(const char *, const char *, ...);
struct named { char name[8]; int count; };
static float unit(void) { return rand() / 2147483647.0f; }
static void note(int i, double v) { printf(\"%d: %g\\n\", i, v); }
static int kept(void) { static int last; return ++last; }\n";

fn scop(ctx: &isl::Ctx, body: &str) -> Result<Scop, String> {
    let text = format!(
        "{FRONT}void f(int n, double a[restrict n][16], int h[restrict n], char line[restrict 32],
struct named s[restrict n], stream *to) {{\n#pragma scop\n{body}\n#pragma endscop\n}}"
    );
    found(ctx, &text)
}

/// The accesses of a statement to what is no variable of the program: the object, the direction, and
/// whether all instances do it.
fn hidden(scop: &Scop, statement: usize) -> Vec<(Hidden, AccessKind, bool)> {
    let accesses = scop.statements[statement].accesses.iter();
    accesses
        .filter_map(|access| match scop.arrays[access.array].origin {
            Origin::Hidden(of) => Some((of, access.kind, access.exact)),
            Origin::Parameter | Origin::Local | Origin::Global | Origin::Region { .. } => None,
        })
        .collect()
}

/// Each call reads and writes the one object of its kind, which has a value before and behind.
#[test]
fn calls_read_and_write_their_state() {
    use AccessKind::{Read, Write};
    use Hidden::{Random, Streams};
    for (body, expected) in [
        (
            "printf(\"%d\", i);",
            vec![(Streams, Read, true), (Streams, Write, true)],
        ),
        (
            "(void)puts(\"x\");",
            vec![(Streams, Read, true), (Streams, Write, true)],
        ),
        (
            "h[i] = rand();",
            vec![(Random, Read, true), (Random, Write, true)],
        ),
        (
            "a[i][0] += drand48() * 2;",
            vec![(Random, Read, true), (Random, Write, true)],
        ),
        (
            "a[i][0] = unit();",
            vec![(Random, Read, true), (Random, Write, true)],
        ),
        (
            "note(i, a[i][1]);",
            vec![(Streams, Read, true), (Streams, Write, true)],
        ),
        // Two calls are two evaluations of one expression.
        (
            "h[i] = rand() - rand();",
            vec![(Random, Read, true), (Random, Write, true)],
        ),
        // Where data says whether there is a call.
        (
            "if (h[i] > 3) puts(\"x\");",
            vec![(Streams, Write, false), (Streams, Read, false)],
        ),
        (
            "h[i] = h[i] ? rand() : 0;",
            vec![(Random, Write, false), (Random, Read, false)],
        ),
        (
            "printf(\"%d\", rand());",
            vec![
                (Random, Read, true),
                (Random, Write, true),
                (Streams, Read, true),
                (Streams, Write, true),
            ],
        ),
    ] {
        let ctx = isl::Ctx::new();
        let scop = scop(&ctx, &format!("for (int i = 0; i < n; i++) {body}"))
            .unwrap_or_else(|e| panic!("{body}\n{e}"));
        let mut found = hidden(&scop, 0);
        found.sort_by_key(|(of, kind, _)| (format!("{of:?}"), *kind == Write));
        let mut expected = expected;
        expected.sort_by_key(|(of, kind, _)| (format!("{of:?}"), *kind == Write));
        assert_eq!(found, expected, "{body}");
        for array in &scop.arrays {
            if matches!(array.origin, Origin::Hidden(_)) {
                assert!(array.live_in && array.live_out && array.extents.is_empty());
                assert_eq!(array.variable, None);
            }
        }
        let call = scop.outside().expect("a call");
        assert_eq!(call.why, Outside::State, "{body}");
    }
}

/// What strings and memory are read, and memory is written: all that the argument leads to.
#[test]
fn arrays_that_calls_get() {
    for (body, array, kind, cells) in [
        (
            "puts(line);",
            "line",
            AccessKind::Read,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "puts(line + i);",
            "line",
            AccessKind::Read,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "puts(&line[3]);",
            "line",
            AccessKind::Read,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "fgets(line, 32, to);",
            "line",
            AccessKind::Write,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "fwrite(a[i], sizeof(double), 16, to);",
            "a",
            AccessKind::Read,
            "{ [i] -> [j, k] : 0 <= j and 0 <= k < 16 }",
        ),
        (
            "sprintf(line, \"%d\", i);",
            "line",
            AccessKind::Write,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "snprintf(line, sizeof line, \"%d of %g\", i, a[i][0]);",
            "line",
            AccessKind::Write,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "h[i] = sscanf(line, \"%*s %lf\", &a[i][3]);",
            "a",
            AccessKind::Write,
            "{ [i] -> [j, k] : 0 <= j and 0 <= k < 16 }",
        ),
        (
            "h[i] = sscanf(line, \"%*s %lf\", &a[i][3]);",
            "line",
            AccessKind::Read,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "if (scanf(\"%31s\", line) != 1) h[i] = 0;",
            "line",
            AccessKind::Write,
            "{ [i] -> [k] : 0 <= k < 32 }",
        ),
        (
            "fprintf(to, \"%s\\n\", s[i].name);",
            "s_name",
            AccessKind::Read,
            "{ [i] -> [i, k] : 0 <= k < 8 }",
        ),
    ] {
        let ctx = isl::Ctx::new();
        let scop = scop(&ctx, &format!("for (int i = 0; i < n; i++) {body}"))
            .unwrap_or_else(|e| panic!("{body}\n{e}"));
        let names = |name: &str| scop.arrays.iter().position(|own| own.name == name);
        let number = names(array).unwrap_or_else(|| panic!("{body}: no `{array}`"));
        let of = |access: &&tilewright::scop::Access| access.array == number && access.kind == kind;
        let access = scop.statements[0].accesses.iter().find(of);
        let access = access.unwrap_or_else(|| panic!("{body}: no access"));
        assert!(!access.exact, "{body}");
        let expected = isl::Map::read_from_str(&ctx, cells).expect("a map");
        let plain = access
            .relation
            .reset_tuple_id(isl::DimType::In)
            .expect("it has one");
        let plain = plain.reset_tuple_id(isl::DimType::Out).expect("it has one");
        let plain = plain
            .gist_domain(&plain.domain().expect("a set"))
            .expect("a map");
        let plain = plain.project_out_all_params().expect("a map");
        assert!(plain.is_equal(&expected).expect("isl"), "{body}: {plain}");
    }
}

/// In the text they are called as they were written, with what they get.
#[test]
fn calls_stay_as_they_are() {
    let ctx = isl::Ctx::new();
    let body = "for (int i = 0; i < n; i++) fprintf(to, i % 2 ? \"%d %c\" : \"%d-%c\", h[i], 'x');";
    let scop = scop(&ctx, body).unwrap_or_else(|e| panic!("{e}"));
    let mut calls = Vec::new();
    tilewright::scop::Action::expressions(&scop.statements[0].body, &mut |e| {
        if let Expr::Effect {
            function,
            arguments,
            state,
        } = e
        {
            calls.push((function.clone(), arguments.len(), state.len()));
        }
    });
    assert_eq!(calls, [("fprintf".to_owned(), 4, 2)]);
}

/// What is evaluated more often than the program says, or in an order that C does not say, is refused.
#[test]
fn calls_that_are_refused() {
    for (body, word) in [
        ("h[rand() % n] += 1;", "where it is not known how often"),
        (
            "for (int j = 0; j < rand(); j++) h[i] += j;",
            "where it is not known how often",
        ),
        (
            "for (int j = rand(); j < n; j++) h[i] += j;",
            "where it is not known how often",
        ),
        ("printf(line, i);", "not known from its format"),
        ("printf(\"%d%n\", i, h);", "not known from its format"),
        ("printf(\"%p\", h);", "not known from its format"),
        (
            "printf(\"%d %d\", i);",
            "takes 3 arguments here, and gets 2",
        ),
        ("scanf(\"%d%n\", h, h + 1);", "not known from its format"),
        ("scanf(\"%d %d\", h);", "takes 3 arguments here, and gets 2"),
        ("scanf(\"%d\", &i);", "`i`"),
        ("putchar(i, i);", "takes 1 arguments here, and gets 2"),
        ("h[kept() % n] += 1;", "where it is not known how often"),
        ("h[i] = clock();", "`clock` may have side effects"),
    ] {
        let ctx = isl::Ctx::new();
        let text = format!("for (int i = 0; i < n; i++) {{ {body} }}");
        let error = scop(&ctx, &text).expect_err(body);
        assert!(error.contains(word), "{body}\n{error}");
    }
}

/// A function of the file with such a name is the file's own.
#[test]
fn own_functions_of_that_name() {
    let text = "static int rand(int x) { return x * 3; }
void f(int n, int h[restrict n]) {\n#pragma scop
for (int i = 0; i < n; i++) h[i] = rand(i);\n#pragma endscop\n}";
    let ctx = isl::Ctx::new();
    let scop = found(&ctx, text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(hidden(&scop, 0), []);
    assert!(!scop.has_effects());
}

/// What functions of the program keep is an object of each function that declares it; what they change
/// by way of others is among their states.
#[test]
fn functions_that_keep_something() {
    use Hidden::{Kept, Random, Streams};
    let front = "int printf(const char *, ...); int puts(const char *); int putchar(int); int rand(void);
typedef struct stream stream; extern stream *stderr; int fprintf(stream *, const char *, ...);
static const int steps[4] = {1, 3, 7, 9};
static unsigned draw(void) { static unsigned seed = 7; return seed = seed * 1664525u + 1013904223u; }
static int ring(int x) { static int old[8]; static struct { int at, full; } s;
  int was = old[s.at]; old[s.at] = x; s.at = (s.at + steps[x & 3]) % 8;
  if (s.at == 0) s.full = 1; return s.full ? was : x; }
static int both(int x) { static int calls; calls++; return calls + (int)(draw() >> 24) * x; }
static void told(int x) { char text[8] = \"ab\"; if (x > 9) told(x / 10); text[0] = '0' + x % 10; puts(text); }
static void warned(int x) { static int times; if (times++ < 3) fprintf(stderr, x > 2 ? \"%d\" : \"<%d>\", x); }
static void line(stream *to, const char *what, int x) { static int times; fprintf(to, \"%d %s %d\\n\", ++times, what, x); }
static int shuffled(int n) { static int left; while (left < n) { if (rand() % 3) break; left++; } return left; }
static unsigned fibonacci(unsigned n) { static unsigned known[32];
  if (n < 2) return n; n %= 32; if (!known[n]) known[n] = fibonacci(n - 1) + fibonacci(n - 2); return known[n]; }
";
    for (body, expected) in [
        ("h[i] = draw() >> 8;", vec![Kept(0)]),
        ("h[i] = ring(h[i]) + ring(i);", vec![Kept(1)]),
        ("h[i] += both(i);", vec![Kept(2), Kept(0)]),
        ("told(h[i]);", vec![Streams]),
        ("warned(h[i]);", vec![Streams, Kept(4)]),
        ("line(stderr, \"x\", h[i]);", vec![Streams, Kept(5)]),
        (
            "if (h[i] > 0) h[i] = shuffled(h[i]);",
            vec![Random, Kept(6)],
        ),
        ("h[i] = fibonacci(h[i]);", vec![Kept(7)]),
    ] {
        let ctx = isl::Ctx::new();
        let text = format!(
            "{front}void f(int n, int h[restrict n]) {{\n#pragma scop
for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{body}\n{e}"));
        let found = hidden(&scop, 0);
        for of in &expected {
            for wanted in [AccessKind::Read, AccessKind::Write] {
                let is_it =
                    |(own, kind, _): &(Hidden, AccessKind, bool)| own == of && *kind == wanted;
                assert!(
                    found.iter().any(is_it),
                    "{body}: {of:?} {wanted:?}\n{found:?}"
                );
            }
        }
        assert!(
            found.iter().all(|(of, ..)| expected.contains(of)),
            "{body}: {found:?}"
        );
        assert!(scop.has_effects(), "{body}");
    }
}

/// Functions that touch more than their own variables have no model as calls.
#[test]
fn functions_that_touch_more() {
    for function in [
        "static int last; static int g(int x) { static int k; last = x; return ++k; }",
        "static int *g_at; static int g(int x) { static int k; g_at = &k; return ++k + x; }",
        "extern int other(int); static int g(int x) { static int k; k += other(x); return k; }",
        "static int g(int x) { static int k; asm (\"nop\"); return k += x; }",
        "static int g(int x) { static volatile int k; return k += x; }",
        "static int g(int x) { static int *p; return p ? *p : x; }",
        "static int g(int x) { static union { int a; float b; } k; k.a += x; return k.a; }",
        "static int g(int x) { static int k; int v[x + 1]; v[x] = k++; return v[x]; }",
        "extern int *known; static int g(int x) { static int k; return k += known[x & 3]; }",
        "void abort(void); static int g(int x) { static int k; if (k > x) abort(); return ++k; }",
    ] {
        let ctx = isl::Ctx::new();
        let text = format!(
            "{function}\nvoid f(int n, int h[restrict n]) {{\n#pragma scop
for (int i = 0; i < n; i++) h[i] = g(i);\n#pragma endscop\n}}"
        );
        let error = found(&ctx, &text).expect_err(function);
        assert!(
            error.contains("`g` may have side effects"),
            "{function}\n{error}"
        );
    }
}

/// What the function around the region keeps has a name in the region.
#[test]
fn a_function_that_calls_itself() {
    let text =
        "int f(int n) {\nstatic int h[64], calls; calls++;\nif (n < 1) return calls;\n#pragma scop
for (int i = 0; i < 64; i++) h[i] += f(n - 1);\n#pragma endscop\nreturn h[n];\n}";
    let ctx = isl::Ctx::new();
    let error = found(&ctx, text).expect_err("a call of itself");
    assert!(error.contains("`f`"), "{error}");
}
