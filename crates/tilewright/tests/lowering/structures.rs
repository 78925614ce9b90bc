//! Structures: their life when they are passed by value, and what their fields are in the model.

use crate::functions::found;
use crate::life::text;
use crate::{lowered, plain, render};
use tilewright::scop::dump::dump;

const HEAD: &str =
    "struct s { int x, y; int *p; int row[9]; }; void use(int); void see(const int *);
int *kept; struct s shared;
";

const IN: (bool, bool) = (true, false);
const OUT: (bool, bool) = (false, true);
const BOTH: (bool, bool) = (true, true);
const NEITHER: (bool, bool) = (false, false);

/// A parameter `v` of a structure type, of which the region writes something: whether that comes
/// in, and whether it goes out.
#[test]
fn structures_that_are_parameters() {
    let rows = [
        ("struct s v", "v.x", "", "return 0;", IN),
        ("struct s v", "v.x", "", "return n;", IN),
        ("struct s v", "v.x", "", "return v.x;", BOTH),
        ("struct s v", "v.x", "", "use(v.y); return 0;", BOTH),
        ("struct s v", "v.x", "", "v = shared; return v.x;", IN),
        (
            "struct s v",
            "v.x",
            "",
            "if (n) v = shared; return v.x;",
            BOTH,
        ),
        ("struct s v", "v.row[i]", "", "return 0;", IN),
        ("struct s v", "v.row[i]", "", "return v.row[2];", BOTH),
        ("struct s v", "v.row[i]", "", "see(v.row); return 0;", BOTH),
        (
            "struct s v",
            "v.row[i]",
            "see(&v.row[1]);",
            "return 0;",
            BOTH,
        ),
        ("struct s v", "v.x", "kept = &v.x;", "return 0;", BOTH),
        ("struct s v", "v.x", "kept = &v.x;", "return *kept;", BOTH),
        ("struct s v", "v.x", "struct s w = v;", "return w.x;", BOTH),
        ("struct s v", "v.x", "use(v.x);", "return 0;", IN),
        // What a pointer leads to lives as long as it likes.
        ("struct s v", "v.p[i]", "", "return 0;", BOTH),
        ("struct s *restrict v", "v->x", "", "return 0;", BOTH),
        ("struct s *restrict v", "v->p[i]", "", "return 0;", BOTH),
        ("struct s *restrict v", "v[i].x", "", "return 0;", BOTH),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (parameter, place, before, after, expected) in rows {
        let source = plain(&format!(
            "{HEAD}int f(int n, {parameter}) {{ {before}\n#pragma scop
for (int i = 0; i < n; i++) {place} = i;\n#pragma endscop\n{after} }}"
        ));
        let found = lowered(&ctx, &source).map_err(|e| render(&source, &e));
        let found =
            found.map(|found| (found.scop.arrays[0].live_in, found.scop.arrays[0].live_out));
        if found != Ok(expected) {
            wrong.push(format!("{before} {place} | {after}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Structures that are variables of the function, and memory that they lead to.
#[test]
fn structures_of_the_function() {
    let rows = [
        ("struct s { int x, y; } v;", "v.x", "return 0;", NEITHER),
        ("struct s { int x, y; } v;", "v.x", "return v.x;", OUT),
        ("struct s { int x, y; } v;", "v.x", "return v.y;", OUT),
        ("struct s { int x, y; } v = {1, 2};", "v.x", "return 0;", IN),
        ("struct s { int x, y; } v; v.x = 1;", "v.x", "return 0;", IN),
        ("struct s { int x[9]; } v;", "v.x[i]", "return v.x[0];", OUT),
        (
            "struct s { int x[9]; } v;",
            "v.x[i]",
            "struct s w; w = v; return 0;",
            BOTH,
        ),
        ("struct s { int *x; } v;", "v.x[i]", "return 0;", BOTH),
        (
            "struct s { int x; } *v = malloc(4);",
            "v->x",
            "free(v); return 0;",
            NEITHER,
        ),
        (
            "struct s { int x; } *v = malloc(4);",
            "v->x",
            "return v->x;",
            OUT,
        ),
        (
            "struct s { int *x; } *v = malloc(8);",
            "v->x[i]",
            "free(v); return 0;",
            BOTH,
        ),
    ];
    let mut wrong = Vec::new();
    for (before, place, after, expected) in rows {
        let inside = format!("for (int i = 0; i < n; i++) {place} = i;");
        let source = plain(&text(before, &inside, after));
        let ctx = isl::Ctx::new();
        let found = lowered(&ctx, &source).map_err(|e| render(&source, &e));
        let found =
            found.map(|found| (found.scop.arrays[0].live_in, found.scop.arrays[0].live_out));
        if found != Ok(expected) {
            wrong.push(format!("{before} {place} | {after}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The line of the model in which `b[i]` gets a value.
#[test]
fn fields_that_are_read() {
    let rows = [
        // Nobody changes them in the region.
        ("b[i] = g->x;", "b[i] = g->x"),
        ("b[i] = v.x;", "b[i] = v.x"),
        // The region does.
        ("v.x = i; b[i] = v.x;", "b[i] = v_x"),
        ("g->x = i; b[i] = g->x;", "b[i] = g_x"),
        ("g->x = i; b[i] = g->y;", "b[i] = g->y"),
        // Elements.
        ("b[i] = g[i].x;", "b[i] = g_x[i]"),
        ("b[i] = g->row[i];", "b[i] = g_row[i]"),
        ("b[i] = many->x;", "b[i] = many->x"),
        // A variable of the region is nothing outside of it.
        ("struct s t; t.x = i; b[i] = t.x;", "b[i] = t_x[i]"),
        ("struct s t; b[i] = t.x;", "b[i] = t_x[i]"),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (inside, expected) in rows {
        let source = plain(&format!(
            "{HEAD}void f(int n, int *restrict b, struct s *restrict g, struct s v, struct s many[restrict 9]) {{
#pragma scop
for (int i = 0; i < n; i++) {{ {inside} }}
#pragma endscop
}}"
        ));
        let found = match lowered(&ctx, &source) {
            Ok(found) => dump(&found.scop).expect("a dump"),
            Err(errors) => render(&source, &errors),
        };
        if !found.lines().any(|line| line.trim() == expected) {
            wrong.push(format!("{inside}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rows behind pointers: what is compared, by what is written.
#[test]
fn arrays_of_pointers_to_rows() {
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (parameters, statement, expected) in [
        (
            "float **rows",
            "rows[i][2] = i;",
            "check rows[from { [(0)] : n > 0 } to before { [(n)] : n > 0 }] (rows from \
             { [(2)] : n > 0 } to before { [(3)] : n > 0 }) are apart",
        ),
        (
            "struct s *rows[9]",
            "rows[i]->x = i;",
            "array rows_x: int rows[9][?].x, parameter, live-in, live-out",
        ),
        (
            "struct s **rows",
            "rows[i][0].x = i;",
            "array rows_x: int rows[?][?].x, parameter, live-in, live-out",
        ),
        (
            "float (**rows)[7]",
            "rows[i][0][1] = i;",
            "array rows: float rows[?][?][7], parameter, live-in, live-out",
        ),
        // Rows that are only read may be one.
        (
            "float **rows, float *b",
            "b[i] = rows[i][2];",
            "check rows[from { [(0)] : n > 0 } to before { [(n)] : n > 0 }] (rows from \
             { [(2)] : n > 0 } to before { [(3)] : n > 0 }) and b (rows",
        ),
        // Behind conditions that are data it is not known which pointers there are.
        (
            "float **rows, const int *restrict b",
            "if (b[i]) rows[i][2] = i;",
            "what `rows[i]` points at may be the same memory for several `i`",
        ),
        (
            "float **rows, const int *restrict b",
            "rows[b[i]][2] = i;",
            "what `rows[i]` points at may be the same memory for several `i`",
        ),
        // Sizes in memory that rows may hold: pointers in order, or not.
        (
            "int **rows, const struct count *m",
            "for (int j = 0; j < m->n; j++) rows[i][j] = i;",
            "check rows[from",
        ),
        (
            "int **rows, const struct count *m",
            "for (int j = 0; j < m->n; j++) rows[n - 1 - i][j] = i;",
            "may be the same memory",
        ),
        // More elements than the type says.
        (
            "struct end **rows",
            "for (int j = 0; j < 2; j++) rows[i]->x[j] = i;",
            "check rows[from { [(0)] : n > 0 } to before { [(n)] : n > 0 }] (rows from \
             { [(0)] : n > 0 } to before { [(1)] : n > 0 }) are apart",
        ),
        (
            "struct end **rows",
            "for (int j = 0; j < 3; j++) rows[i]->x[j] = i;",
            "what `rows[i]` points at may be the same memory for several `i`",
        ),
        (
            "float ***rows",
            "rows[i][0][1] = i;",
            "`rows` is an array of several levels of pointers",
        ),
    ] {
        let source = plain(&format!(
            "{HEAD}struct end {{ int n; int x[2]; }}; struct count {{ int n; }}; void f(int n, {parameters}) {{\n#pragma scop
for (int i = 0; i < n; i++) {statement}\n#pragma endscop\n}}"
        ));
        let found = match lowered(&ctx, &source) {
            Ok(found) => dump(&found.scop).expect("a dump"),
            Err(errors) => render(&source, &errors),
        };
        let found = found.replace("[n] -> ", "");
        if !found.contains(expected) {
            wrong.push(format!("{parameters}: {statement}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A call whose summary only reads is a value, and accesses what the summary says.
#[test]
fn values_of_calls_with_summaries() {
    let ctx = isl::Ctx::new();
    for (statement, accepted) in [
        ("b[i] = look(a[i], 3);", true),
        ("b[i] = 2 * look(a[i], 3) + 1;", true),
        ("b[i] = other(a[i], 3);", false),
    ] {
        let source = plain(&format!(
            "void __pencil_use();
void looks(const int p[], int k) {{ __pencil_use(p[k]); }}
__attribute__((pencil_access(looks))) int look(const int p[], int k);
int other(const int p[], int k);
void f(int n, const int a[restrict][9], int *restrict b) {{\n#pragma scop
for (int i = 0; i < n; i++) {statement}\n#pragma endscop\n}}"
        ));
        let scop = match lowered(&ctx, &source) {
            Ok(found) if accepted => found.scop,
            Err(errors) if !accepted => {
                assert!(render(&source, &errors).contains("`other`"), "{statement}");
                continue;
            }
            found => panic!("{statement}: {}", found.is_ok()),
        };
        let read = &scop.statements[0].accesses[0];
        assert_eq!(scop.arrays[read.array].base, "a", "{statement}");
        let wanted = "[n] -> { S0[i] -> a[i, 3] : 0 <= i < n }";
        let wanted = isl::Map::read_from_str(&ctx, wanted).expect("a map");
        let same = read.relation.is_equal(&wanted).expect("a comparison");
        assert!(same, "{statement}: {}", read.relation);
    }
}

/// The members of a union share their memory, named or not.
#[test]
fn members_of_unions_are_refused() {
    let ctx = isl::Ctx::new();
    for (member, place) in [
        ("union { int i; float f; } u;", "v[k].u.i"),
        ("union { int i; float f; };", "v[k].i"),
        ("struct { union { int i; float f; }; };", "v[k].f"),
        ("union { struct { int i, j; }; float f; };", "v[k].f"),
    ] {
        let text = format!(
            "struct s {{ int tag; {member} }};\nvoid f(int n, struct s *restrict v) {{\n#pragma scop
for (int k = 0; k < n; k++) {place} = 1;\n#pragma endscop\n}}"
        );
        let source = plain(&text);
        match lowered(&ctx, &source) {
            Ok(_) => panic!("{member} is accepted"),
            Err(errors) => assert!(render(&source, &errors).contains("union"), "{member}"),
        }
    }
}

/// Members that have no memory of their own are named, once each; the others are as ever.
#[test]
fn members_without_memory_of_their_own() {
    let ctx = isl::Ctx::new();
    let text = |body: &str| {
        format!(
            "struct p {{ unsigned r : 5, g : 6; int w; short q; }};
struct u {{ int tag; union {{ int i[2]; float f; }}; int z; }};
struct v {{ int tag; union {{ int i; float f; }} word; int z; }};
struct w {{ int tag; int _Complex x; }};
void f(int n, struct p *restrict a, struct p *restrict b, struct u *restrict c, struct v *restrict d,
       struct v *restrict e, struct w *restrict g) {{
#pragma scop
    for (int i = 0; i < n; i++) {{ {body} }}
#pragma endscop
}}"
        )
    };
    for (body, said) in [
        ("a[i].w = a[i].r; a[i].q += a[i].r;", "`r` is a bit-field"),
        ("a[i].g = 1;", "`g` is a bit-field"),
        ("a[i] = b[i];", "its member `r` is a bit-field"),
        (
            "c[i].z = c[i].i[1];",
            "`i` shares its memory with other fields of a union",
        ),
        (
            "c[i].f = 1;",
            "`f` shares its memory with other fields of a union",
        ),
        (
            "d[i].z = d[i].word.i;",
            "`i` shares its memory with other fields of a union",
        ),
        ("d[i] = e[i];", "its member `word` is a union"),
        ("g[i].x = g[i].tag;", "values of type `_Complex`"),
    ] {
        let message = found(&ctx, &text(body)).map(|_| "a model").unwrap_err();
        assert_eq!(message.matches(said).count(), 1, "{body}\n{message}");
        assert_eq!(message.matches("error TW").count(), 1, "{body}\n{message}");
    }
    for body in [
        "a[i].w = b[i].w + a[i].q;",
        "c[i].z = c[i].tag; d[i].tag = e[i].z;",
        "g[i].tag = i;",
    ] {
        let model = found(&ctx, &text(body));
        assert!(model.is_ok(), "{body}\n{}", model.err().unwrap_or_default());
    }
}
