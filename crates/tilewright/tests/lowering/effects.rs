//! Calls of functions with hidden state: the objects that they read and write, and which arrays.

use crate::functions::found;
use tilewright::scop::{AccessKind, Expr, Hidden, Origin, Outside, Scop};

const FRONT: &str = "typedef struct stream stream; typedef unsigned long size_t;
int printf(const char *, ...); int fprintf(stream *, const char *, ...); int puts(const char *);
size_t fwrite(const void *, size_t, size_t, stream *); char *fgets(char *, int, stream *);
int putchar(int); int rand(void); double drand48(void); void srand(unsigned);
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
        ("putchar(i, i);", "takes 1 arguments here, and gets 2"),
        ("h[i] = kept();", "`kept` may have side effects"),
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
