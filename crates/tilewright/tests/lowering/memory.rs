//! Which names may mean the same memory.

use crate::{lowered, plain, render};
use tilewright::scop::{Memory, Scop};

const HEAD: &str = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
void *aligned_alloc(unsigned long, unsigned long); void free(void *);
struct s { int x, y; int *p; float v; struct s *next; int row[9]; }; struct g { int n; int *cells; };
static int global[99]; static const int fixed[99] = {0}; static int scalar; static int *pointer; int visible; const int limit = 9; void other(void); void other_of(struct s *);
";

/// The model of a function behind these declarations.
pub fn found(ctx: &isl::Ctx, text: &str) -> Result<Scop, String> {
    let source = plain(&format!("{HEAD}{text}"));
    let found = lowered(ctx, &source).map_err(|e| render(&source, &e))?;
    crate::examples::check(&found.scop);
    Ok(found.scop)
}

fn place(memory: &Memory) -> &str {
    &memory.place
}

/// The pairs that are compared when the program runs, each in the order of their names.
pub fn apart(scop: &Scop) -> Vec<String> {
    let pairs = scop.conditions.checks.apart.iter();
    let mut pairs: Vec<String> = pairs
        .map(|[a, b]| {
            let mut both = [place(a), place(b)];
            both.sort_unstable();
            both.join(" ")
        })
        .collect();
    pairs.sort();
    pairs
}

/// A function's parameters, what stands before the region, the loop's body, and the pairs.
#[test]
fn names_of_the_same_memory() {
    let rows: &[(&str, &str, &str, &[&str])] = &[
        ("int *a, int *b", "", "a[i] = b[i];", &["a b"]),
        ("int *a, int *b", "", "a[i] = 1; b[i] = 2;", &["a b"]),
        (
            "int *a, int *b, int *restrict o",
            "",
            "o[i] = a[i] + b[i];",
            &[],
        ),
        ("int *restrict a, int *b", "", "a[i] = b[i];", &[]),
        ("int *a, int *restrict b", "", "a[i] = b[i];", &[]),
        ("int *a", "", "a[i] = a[i + 1];", &[]),
        ("int a[], int b[]", "", "a[i] = b[i];", &["a b"]),
        ("int a[restrict], int b[]", "", "a[i] = b[i];", &[]),
        ("int a[n], int b[n]", "", "a[i] = b[i];", &["a b"]),
        // The same type up to its sign, or characters.
        ("int *a, float *b", "", "a[i] = b[i];", &[]),
        ("int *a, unsigned *b", "", "a[i] = b[i];", &["a b"]),
        ("unsigned short *a, short *b", "", "a[i] = b[i];", &["a b"]),
        ("long *a, unsigned long *b", "", "a[i] = b[i];", &["a b"]),
        ("long *a, int *b", "", "a[i] = b[i];", &[]),
        ("short *a, int *b", "", "a[i] = b[i];", &[]),
        ("double *a, char *b", "", "a[i] = b[i];", &["a b"]),
        ("unsigned char *a, float *b", "", "a[i] = b[i];", &["a b"]),
        ("float *a, double *b", "", "a[i] = b[i];", &[]),
        // Variables of the file and of the function.
        ("int *a", "", "a[i] = global[i];", &["a global"]),
        ("int *a", "", "a[i] = fixed[i];", &[]),
        ("int *a", "int own[99];", "a[i] = own[i];", &[]),
        (
            "int *a",
            "int own[99]; a = own;",
            "a[i] = own[i];",
            &["a own"],
        ),
        // Nobody gets the address of an array that is only subscripted.
        ("int *a", "static int own[99];", "a[i] = own[i];", &[]),
        ("int *a", "int own[99]; int *p = a;", "p[i] = own[i];", &[]),
        (
            "int *a",
            "static int own[99]; keep(own);",
            "a[i] = own[i];",
            &["a own"],
        ),
        (
            "int *a",
            "int own[9][9]; int *p = a; if (n > 3) p = own[2];",
            "p[i] = own[i][1];",
            &["own p"],
        ),
        ("int *a", "", "global[i] = a[i];", &["a global"]),
        ("int *a", "int own[99];", "own[i] = global[i];", &[]),
        ("int *a", "int own[99], two[99];", "own[i] = two[i];", &[]),
        ("int *a", "", "a[i] = scalar;", &["a scalar"]),
        ("int *a, int k", "", "a[i] = k;", &[]),
        ("int *a, int k", "a = &k;", "a[i] = k;", &["a k"]),
        ("int *a", "int k = 1; int *p = &k;", "p[i] = k;", &["k p"]),
        (
            "int *a",
            "const int k = 1; const int *p = &k;",
            "a[i] = k;",
            &[],
        ),
        // Nobody else knows its name.
        ("int *a", "static int k;", "a[i] = k;", &[]),
        (
            "int *a",
            "static int k, *p = &k;",
            "a[i] = k + *p;",
            &["a k", "a p"],
        ),
        ("int *a", "int k, *p = a;", "k = i; p[i] = k;", &[]),
        ("float *a", "", "a[i] = scalar;", &[]),
        ("int *a", "", "a[i] = 1; scalar = i;", &["a scalar"]),
        // Memory that the function allocates.
        ("int *a", "int *own = malloc(4 * n);", "own[i] = a[i];", &[]),
        (
            "int *a",
            "int *own = malloc(4 * n), *two = calloc(n, 4);",
            "own[i] = two[i];",
            &[],
        ),
        (
            "int *a",
            "int *own = malloc(4 * n); own = a;",
            "own[i] = a[i];",
            &["a own"],
        ),
        (
            "int *a",
            "int *own = malloc(4 * n); own++;",
            "own[i] = a[i];",
            &["a own"],
        ),
        // Others may have set it, or set it since.
        (
            "int *a",
            "pointer = malloc(4 * n);",
            "pointer[i] = a[i];",
            &["a pointer"],
        ),
        (
            "int *a",
            "static int *own; own = malloc(4 * n);",
            "own[i] = a[i];",
            &["a own"],
        ),
        (
            "int *a, int *b",
            "if (n > 2) b = malloc(4 * n);",
            "b[i] = a[i];",
            &["a b"],
        ),
        (
            "int *a",
            "int *own = malloc(4 * n), **at = &own; *at = a;",
            "own[i] = a[i];",
            &["a own"],
        ),
        (
            "int *a",
            "int *own = malloc(4 * n), *two = own;",
            "own[i] = two[i];",
            &["own two"],
        ),
        (
            "int *a",
            "int *own = malloc(4 * n), *two; two = own + 1;",
            "own[i] = two[i];",
            &["own two"],
        ),
        (
            "int *a",
            "int *own = malloc(4 * n); pointer = own;",
            "own[i] = pointer[i] + a[i];",
            &["own pointer"],
        ),
        (
            "struct g *g",
            "int *own = malloc(4 * n); g->cells = own;",
            "own[i] = g->cells[i];",
            &["g->cells own"],
        ),
        (
            "struct g *g",
            "int *own = malloc(4 * n); own[0] = g->cells[0]; if (!own) free(own);",
            "own[i] = g->cells[i];",
            &[],
        ),
        (
            "int *a",
            "int *restrict own = malloc(4 * n), *two = own;",
            "own[i] = two[i];",
            &["own two"],
        ),
        // What a `restrict` pointer's value is copied to may point to the same.
        ("int *restrict a", "int *p = a;", "p[i] = a[i];", &["a p"]),
        (
            "int a[restrict n]",
            "int *p = a + 1;",
            "p[i] = a[i];",
            &["a p"],
        ),
        (
            "int *restrict a, int *b",
            "int *p = a;",
            "a[i] = b[i] + p[i];",
            &["a p"],
        ),
        (
            "int *restrict a, int *restrict b",
            "int *p = a;",
            "a[i] = b[i];",
            &[],
        ),
        (
            "int *restrict a",
            "int *restrict p = a;",
            "p[i] = a[i];",
            &[],
        ),
        (
            "int *restrict a",
            "pointer = a;",
            "a[i] = pointer[i] + global[i];",
            &["a pointer"],
        ),
        ("int *restrict a", "", "a[i] = pointer[i];", &[]),
        (
            "struct s *restrict t",
            "struct s *u = t;",
            "t->row[i] = u->x;",
            &["t->row u->x"],
        ),
        (
            "struct s *restrict t, struct s *u",
            "other_of(t);",
            "t->row[i] = u->x;",
            &[],
        ),
        (
            "int *a",
            "int *own = malloc(4 * n), *two = malloc(4 * n); pointer = own;",
            "own[i] = two[i] + a[i];",
            &[],
        ),
        // Structures, and what pointers in them lead to.
        ("struct s *t, int *a", "", "a[i] = t->x;", &["a t->x"]),
        ("struct s *restrict t, int *a", "", "a[i] = t->x;", &[]),
        ("struct s *t, int *restrict a", "", "a[i] = t->x;", &[]),
        ("struct s *t, float *a", "", "a[i] = t->x;", &[]),
        ("struct s *t, float *a", "", "a[i] = t->v;", &["a t->v"]),
        ("struct s *t, int *a", "", "t->p[i] = 1;", &[]),
        ("struct s *t, int *a", "", "t->p[i] = t->x;", &["t->p t->x"]),
        ("struct s *t, int *a", "", "t->p[i] = a[i];", &["a t->p"]),
        ("struct s t, int *a", "", "t.p[i] = a[i];", &["a t.p"]),
        ("struct s t, int *a", "", "a[i] = t.x;", &[]),
        (
            "struct s *t, struct s *u",
            "",
            "t->row[i] = u->row[i];",
            &["t->row u->row"],
        ),
        ("struct s *t, struct s *u", "", "t->row[i] = t->x;", &[]),
        ("struct s *t, struct s *u", "", "t[i].x = u[i].x;", &["t u"]),
        ("int *a, int *b", "", "pointer[i] = a[i];", &["a pointer"]),
        // No pointer that comes in leads to a variable of the function.
        ("struct s *t", "struct s own;", "own.row[i] = t->x;", &[]),
        (
            "struct s *t",
            "struct s own; t = &own;",
            "own.row[i] = t->x;",
            &["own.row t->x"],
        ),
        (
            "struct s *t",
            "struct s own; struct s *p = t;",
            "own.row[i] = p->x;",
            &["own.row p->x"],
        ),
        ("int *a", "struct s own; int *p = a;", "p[i] = own.x;", &[]),
        ("int *a", "struct s own;", "a[i] = own.x;", &[]),
        (
            "int *a",
            "struct s own = {1}; int *p = &own.x;",
            "p[i] = own.x;",
            &["own.x p"],
        ),
        (
            "int *a",
            "struct s own = {1}; int *p = &own.x;",
            "for (int j = 0; j < own.x; j++) p[j] = i;",
            &["own.x p"],
        ),
        (
            "int *a",
            "struct s own = {1}; int *p = own.row;",
            "for (int j = 0; j < own.x; j++) p[j] = i;",
            &[],
        ),
        (
            "int *a",
            "static struct s own;",
            "a[i] = own.x;",
            &["a own.x"],
        ),
        ("int *a", "const struct s own = {1};", "a[i] = own.x;", &[]),
        ("int *a", "", "int own[9]; own[0] = i; a[i] = own[0];", &[]),
        (
            "int *a",
            "int *p = a;",
            "int own[9]; own[0] = i; p[i] = own[0];",
            &[],
        ),
        (
            "struct s *t",
            "",
            "for (int j = 0; j < t->x; j++) t->row[j] = i;",
            &[],
        ),
        (
            "struct s *t, struct s *u",
            "",
            "for (int j = 0; j < u->x; j++) t->row[j] = i;",
            &["t->row u->x"],
        ),
        // Bounds and conditions in memory are read, too.
        (
            "int *a",
            "",
            "for (int j = 0; j < visible; j++) a[j] = i;",
            &["a visible"],
        ),
        (
            "int *a",
            "",
            "for (int j = 0; j < scalar; j++) a[j] = i;",
            &["a scalar"],
        ),
        (
            "int *a",
            "",
            "for (int j = 0; j < limit; j++) a[j] = i;",
            &[],
        ),
        (
            "int *a",
            "int k = n; int *p = a;",
            "for (int j = 0; j < k; j++) p[j] = i;",
            &[],
        ),
        (
            "int *a",
            "static int k; k = n;",
            "for (int j = 0; j < k; j++) a[j] = i;",
            &[],
        ),
        (
            "struct g *g, int *a",
            "",
            "for (int j = 0; j < g->n; j++) a[j] = i;",
            &["a g->n"],
        ),
        (
            "struct g *g, float *a",
            "",
            "for (int j = 0; j < g->n; j++) a[j] = i;",
            &[],
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for &(parameters, before, body, expected) in rows {
        let text = format!(
            "void f(int n, {parameters}) {{ {before}\n#pragma scop
for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
        );
        match found(&ctx, &text) {
            Ok(scop) if apart(&scop) == expected => {}
            Ok(scop) => wrong.push(format!(
                "{parameters} | {before} | {body}: {:?}",
                apart(&scop)
            )),
            Err(errors) => wrong.push(format!("{parameters} | {body}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rows that are compared: from the first that is touched to before the one behind the last.
#[test]
fn rows_that_are_compared() {
    let rows = [
        ("a[i] = b[i];", "0 .. n", "0 .. n"),
        ("a[i + 1] = b[2 * i];", "1 .. 1 + n", "0 .. -1 + 2n"),
        ("a[n - i] = b[3];", "1 .. 1 + n", "3 .. 4"),
        ("if (i > 2) a[i] = b[i];", "3 .. n", "3 .. n"),
        ("a[i] = b[0] + b[1073741823];", "0 .. n", "0 .. 1073741824"),
    ];
    let ctx = isl::Ctx::new();
    for (body, a, b) in rows {
        let text = format!(
            "void f(int n, int *a, int *b) {{\n#pragma scop
for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{e}"));
        let [pair] = &scop.conditions.checks.apart[..] else {
            panic!("{body}: {:?}", apart(&scop));
        };
        for memory in pair {
            let rows = memory.rows.as_ref().expect("rows");
            let (first, end) = if memory.place == "a" { a } else { b }
                .split_once(" .. ")
                .expect("two bounds");
            for (value, expected) in [(&rows.first, first), (&rows.end, end)] {
                let text = format!("[n] -> {{ [({expected})] }}");
                let wanted = isl::PwAff::read_from_str(&ctx, &text).expect("a function");
                let wanted = wanted.intersect_params(&rows.some).expect("a function");
                let found = value.intersect_params(&rows.some).expect("a function");
                assert!(
                    found.is_equal(&wanted).expect("a comparison"),
                    "{body}: {found}"
                );
            }
        }
    }
    // So far away from the beginning no address is compared; nothing says how long `b` is.
    let text = "void f(int n, int *a, int *b) {\n#pragma scop
for (int i = 0; i < n; i++) a[i] = b[1073741824];\n#pragma endscop\n}";
    let errors = found(&ctx, text).expect_err("unknown rows");
    assert!(
        errors.contains("`a` and `b` may be the same memory"),
        "{errors}"
    );
}

/// Names of which no rows can be compared: which pointer should be `restrict`, where each is
/// accessed, and what to write instead where that is the whole declaration.
#[test]
fn names_that_cannot_be_compared() {
    let far = 1 << 30;
    let rows: &[(&str, &str, String, &[&str])] = &[
        (
            "int *a, int *b",
            "",
            format!("a[i] = b[{far}];"),
            &[
                "`a` and `b` may be the same memory",
                "`a[i]` `a` is written here",
                "`b` is accessed here",
                "declare `a` with `restrict`",
                "rewrite: int *restrict a",
            ],
        ),
        (
            "int *a",
            "int *p = a;",
            format!("p[i] = a[{far}];"),
            &[
                "`p` and `a` may be the same memory",
                "declare `p` with `restrict`",
                "!rewrite",
            ],
        ),
        (
            "int *restrict a",
            "int *p = a;",
            format!("a[i] = p[{far}];"),
            &[
                "`a` and `p` may be the same memory",
                "declare `p` with `restrict`",
                "!rewrite",
            ],
        ),
        (
            "int *a",
            "",
            format!("global[i] = a[{far}];"),
            &["`global` and `a` may be", "rewrite: int *restrict a"],
        ),
        (
            "int *a",
            "",
            format!("a[i] = pointer[{far}];"),
            &["rewrite: int *restrict a"],
        ),
        (
            "int *restrict o, int *a",
            "",
            format!("pointer[i] = a[{far}]; o[i] = 1;"),
            &["declare `pointer` with `restrict`", "!rewrite"],
        ),
        (
            "struct s *t, int *a",
            "",
            format!("t->p[i] = a[{far}];"),
            &[
                "copy the pointer before the region",
                "`int *restrict p = t->p;`",
                "!rewrite",
            ],
        ),
        (
            "struct g *g, int *a",
            "",
            "a[i * i] = g->n;".to_owned(),
            &["`g->n` `g->n` is accessed here"],
        ),
        (
            "struct g *g, int *a",
            "",
            "for (int j = 0; j < g->n; j++) a[j * j] = i;".to_owned(),
            &["`g->n` `g->n` is accessed here"],
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (parameters, before, body, said) in rows {
        let text = format!(
            "void f(int n, {parameters}) {{ {before}\n#pragma scop
for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
        );
        match found(&ctx, &text) {
            Ok(_) => wrong.push(format!("{body}: accepted")),
            Err(errors) => {
                for said in *said {
                    let right = match said.strip_prefix('!') {
                        Some(unsaid) => !errors.contains(unsaid),
                        None => errors.contains(said),
                    };
                    if !right {
                        wrong.push(format!("{said}: {errors}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One object by two names that the model would take for two.
#[test]
fn two_ways_to_name_an_element() {
    let rows = [
        (
            "t->x = t[i].y;",
            Some("`t` is used with subscripts and `t->x` without"),
        ),
        (
            "t->x = i; t[i].x = i;",
            Some("`t` is used with subscripts and `t->x` without"),
        ),
        (
            "t[i].x = t->x;",
            Some("`t` is used with subscripts and `t->x` without"),
        ),
        ("t[i].y = t->x;", None),
        ("t[i].x = i;", None),
        ("t->p[i] = t->p[0];", None),
        ("t[i].x = t[i].y;", None),
        ("t[i].x = t[i + 1].x;", None),
        ("t->p[i] = t->row[i];", None),
        ("t->row[i] = t->x;", None),
        (
            "t[i].x = t->row[i];",
            Some("`t` is used with subscripts and `t->row` without"),
        ),
        (
            "t->row[i] = t[i].x;",
            Some("`t` is used with subscripts and `t->row` without"),
        ),
        ("v->row[i] = t[i].x;", None),
        // Two variables of one name.
        (
            "t->row[i] = i; { int t[9]; t[0] = i; v->row[i] = t[0]; }",
            None,
        ),
        (
            "{ int t[9]; t[0] = i; v->row[i] = t[0]; } t->row[i] = i;",
            None,
        ),
        ("v->row[i] = t->row[i];", None),
        ("v->row[i] = t[i].x + t->row[i];", None),
    ];
    for (body, message) in rows {
        let text = format!(
            "void f(int n, struct s *restrict t, struct s *restrict v) {{\n#pragma scop
for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
        );
        match (found(&isl::Ctx::new(), &text), message) {
            (Ok(_), None) => {}
            (Err(errors), Some(message)) => assert!(errors.contains(message), "{body}: {errors}"),
            (Ok(_), Some(_)) => panic!("{body}: accepted"),
            (Err(errors), None) => panic!("{body}: {errors}"),
        }
    }
}
