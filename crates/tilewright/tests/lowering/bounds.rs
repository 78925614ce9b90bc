//! Bounds that are data: what their definitions and the tests in the loops compute, for bounds of
//! all integer types and their extreme values, against C's loops; where definitions stand; refusals.

use crate::{lowered, plain, render};
use tilewright::scop::{Action, BinaryOp, Expr, ScalarKind, Scop, Statement};

fn found(ctx: &isl::Ctx, text: &str) -> Result<Scop, String> {
    let source = plain(text);
    let found = lowered(ctx, &source).map_err(|e| render(&source, &e))?;
    crate::examples::check(&found.scop);
    Ok(found.scop)
}

/// A number of a type.
type Number = (i128, ScalarKind);

fn in_type(value: i128, kind: ScalarKind) -> i128 {
    let bits = 8 * kind.bytes();
    let low = value.rem_euclid(1 << bits);
    let signed = matches!(
        kind,
        ScalarKind::I8 | ScalarKind::I16 | ScalarKind::I32 | ScalarKind::I64
    );
    if signed && low >= 1 << (bits - 1) {
        low - (1 << bits)
    } else {
        low
    }
}

fn holds(op: BinaryOp, a: Number, b: Number) -> bool {
    let common = a.1.common(b.1);
    let (a, b) = (in_type(a.0, common), in_type(b.0, common));
    match op {
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        BinaryOp::GreaterEqual => a >= b,
        other => panic!("{other:?}"),
    }
}

/// The value of an expression with one value for what it reads and one for the loop's variable.
fn value(expr: &Expr, read: &dyn Fn(usize) -> Number, variable: Number) -> Number {
    let of = |e: &Expr| value(e, read, variable);
    match expr {
        Expr::Literal(text) => {
            let value: i128 = text.parse().expect("a number");
            let short = i32::try_from(value).is_ok();
            (
                value,
                if short {
                    ScalarKind::I32
                } else {
                    ScalarKind::I64
                },
            )
        }
        Expr::Access(access) => read(*access),
        Expr::Iterator(1) => variable,
        Expr::Cast(to, a) => (in_type(of(a).0, to.kind), to.kind),
        Expr::Conditional(c, a, b) => {
            let (a, b) = (of(a), of(b));
            let kind = a.1.common(b.1);
            let taken = if of(c).0 != 0 { a } else { b };
            (in_type(taken.0, kind), kind)
        }
        Expr::Binary(op, a, b) => (i128::from(holds(*op, of(a), of(b))), ScalarKind::I32),
        other => panic!("{other:?}"),
    }
}

/// What the definition of a bound computes of what it reads.
fn defined(scop: &Scop, name: &str, read: Number) -> Option<i128> {
    let defines = |statement: &&Statement| match &statement.body[..] {
        [Action::Assign { target, .. }] => {
            scop.arrays[statement.accesses[*target].array].name == name
        }
        _ => false,
    };
    let statement = scop.statements.iter().find(defines)?;
    let [Action::Assign { value: expr, .. }] = &statement.body[..] else {
        return None;
    };
    Some(in_type(value(expr, &|_| read, read).0, ScalarKind::I64))
}

/// Whether an iteration of the last statement passes its tests.
fn runs(scop: &Scop, variable: Number, bound: &dyn Fn(&str) -> Number) -> bool {
    let statement = scop.statements.last().expect("a statement");
    let read = |access: usize| bound(&scop.arrays[statement.accesses[access].array].name);
    let mut body = &statement.body[..];
    while let [
        Action::If {
            condition, then, ..
        },
    ] = body
    {
        if value(condition, &read, variable).0 == 0 {
            return false;
        }
        body = then;
    }
    true
}

const TYPES: [(&str, ScalarKind); 7] = [
    ("signed char", ScalarKind::I8),
    ("unsigned char", ScalarKind::U8),
    ("short", ScalarKind::I16),
    ("int", ScalarKind::I32),
    ("unsigned", ScalarKind::U32),
    ("long", ScalarKind::I64),
    ("unsigned long", ScalarKind::U64),
];

/// Values at the ends of all types, as numbers of one.
fn values(kind: ScalarKind) -> Vec<i128> {
    let mut all = vec![-9, -1, 0, 2, 7];
    for bits in [7, 8, 15, 31, 32, 62, 63, 64] {
        for near in [-1, 0, 1] {
            all.extend([(1i128 << bits) + near, -(1i128 << bits) + near]);
        }
    }
    all.retain(|&v| in_type(v, kind) == v);
    all.sort_unstable();
    all.dedup();
    all
}

/// Loops from one datum to another, up and down: the iterations near zero, and those near the bounds
/// where C's loop is empty.
#[test]
fn loops_between_data_of_all_types() {
    let ctx = isl::Ctx::new();
    for (counter, own) in TYPES {
        // Wider bounds of narrow variables are all refused: one kind of them will do.
        let tried = |kind: ScalarKind| match own.bytes() {
            1 | 2 => kind == own || kind == ScalarKind::I32,
            _ => kind == own || kind.bytes() > 2,
        };
        let bounds = || TYPES.into_iter().filter(|t| tried(t.1));
        for (first, from) in bounds() {
            for (last, to) in bounds() {
                for (op, sign, step) in [
                    (BinaryOp::Less, "<", "++"),
                    (BinaryOp::LessEqual, "<=", "++"),
                    (BinaryOp::Greater, ">", "--"),
                    (BinaryOp::GreaterEqual, ">=", "--"),
                ] {
                    let label = format!("{counter} j = {first}; j {sign} {last}; j{step}");
                    let text = format!(
                        "void f(int n, const {first} *restrict b, const {last} *restrict e, float *restrict o) {{
#pragma scop
for (int i = 0; i < n; i++) for ({counter} j = b[i]; j {sign} e[i]; j{step}) o[j] = 1;
#pragma endscop\n}}"
                    );
                    let found = found(&ctx, &text);
                    let expected = accepted(own, from, to, op);
                    assert_eq!(found.is_ok(), expected, "{label}: {:?}", found.err());
                    if let Ok(scop) = found {
                        check_pairs(&scop, (own, from, to), op, &label);
                    }
                }
            }
        }
    }
}

/// Variables that wrap around at the end of their type stay below a bound of the same width, from
/// below. Signed ones that are compared as unsigned begin with an unsigned value, and go up.
fn accepted(own: ScalarKind, from: ScalarKind, to: ScalarKind, op: BinaryOp) -> bool {
    let up = matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
    let unsigned = |kind: ScalarKind| matches!(kind, ScalarKind::U32 | ScalarKind::U64);
    let wraps = !matches!(own, ScalarKind::I32 | ScalarKind::I64);
    let wider = to.bytes().max(from.bytes()) > own.bytes();
    let stays = !wraps || op == BinaryOp::Less && !wider;
    let mixed = !unsigned(own) && unsigned(own.common(to));
    stays && (!mixed || up && unsigned(from))
}

fn check_pairs(
    scop: &Scop,
    (own, from, to): (ScalarKind, ScalarKind, ScalarKind),
    op: BinaryOp,
    label: &str,
) {
    let up = matches!(op, BinaryOp::Less | BinaryOp::LessEqual);
    for begin in values(from) {
        let start = in_type(begin, own);
        let begins = defined(scop, "j_begin", (begin, from)).expect("a first value");
        for end in values(to) {
            let ends = defined(scop, "j_end", (end, to)).expect("an end");
            let bound = |name: &str| match name {
                "j_begin" => (begins, ScalarKind::I64),
                _ => (ends, ScalarKind::I64),
            };
            let holds = |j: i128| holds(op, (j, own), (end, to));
            // Every iteration subscripts memory: not with what an unsigned number becomes here.
            if start < 0 && begin > 0 && holds(start) {
                continue;
            }
            let mut tried = vec![-9, -1, 0, 6, 7, 8];
            // Where nothing runs, nothing runs at its ends either.
            if !holds(start) {
                tried.extend([begins - 1, begins, begins + 1, ends - 1, ends, ends + 1]);
            }
            for j in tried.into_iter().filter(|&j| in_type(j, own) == j) {
                let reached = if up { start <= j } else { start >= j };
                // Compared as an unsigned number a variable is greatest just below zero.
                let crossed = if up {
                    start < 0 && j >= 0
                } else {
                    start >= 0 && j < 0
                };
                let on_the_way = !crossed || holds(if up { -1 } else { 0 });
                let expected = holds(start) && reached && holds(j) && on_the_way;
                let found = runs(scop, (j, own), &bound);
                assert_eq!(
                    found, expected,
                    "{label}: {begin} .. {end} at {j} ({begins}, {ends})"
                );
            }
        }
    }
}

/// Bounds that are far away stay where they are if loops may come to them. What no variable comes
/// to stays on its side, and sums with it are numbers.
#[test]
fn bounds_that_are_far_away() {
    let far = 1_i128 << 40;
    let (least, most) = (i128::from(i32::MIN), i128::from(i32::MAX));
    let near = 1_i128 << 34;
    let rows = [
        ("long", "long", "0; j < e[i]; j++", far, (far, far)),
        ("long", "long", "0; j <= e[i]; j++", far, (far, far)),
        ("long", "long", "0; j < e[i]; j++", -far, (-far, -far)),
        ("long", "long", "9; j > e[i]; j--", -far, (-far, -far)),
        ("long", "long", "e[i]; j < 9; j++", -far, (-far, -far)),
        ("long", "long", "e[i]; j > 9; j--", far, (far, far)),
        ("long", "unsigned long", "0; j < e[i]; j++", far, (far, far)),
        (
            "unsigned long",
            "unsigned long",
            "0; j < e[i]; j++",
            far,
            (far, far),
        ),
        (
            "unsigned long",
            "unsigned",
            "0; j < e[i]; j++",
            1 << 31,
            (1 << 31, 1 << 31),
        ),
        ("int", "int", "0; j < e[i]; j++", most, (most, most)),
        ("int", "int", "9; j > e[i]; j--", least, (least, least)),
        (
            "int",
            "unsigned",
            "0; j < e[i]; j++",
            1 << 31,
            (1 << 31, 1 << 31),
        ),
        ("int", "long", "0; j < e[i]; j++", far, (most + 1, near)),
        ("int", "long", "0; j < e[i]; j++", -far, (-near, least - 1)),
        ("int", "long", "9; j > e[i]; j--", -far, (-near, least - 1)),
        ("int", "long", "9; j > e[i]; j--", far, (most + 1, near)),
        (
            "int",
            "long",
            "0; j < e[i]; j++",
            1 << 32,
            (1 << 32, 1 << 32),
        ),
    ];
    let ctx = isl::Ctx::new();
    for (counter, bound, head, value, (low, high)) in rows {
        let text = format!(
            "void f(int n, const {bound} *restrict e, float *restrict o) {{
#pragma scop
for (int i = 0; i < n; i++) for ({counter} j = {head}) o[j] = 1;
#pragma endscop\n}}"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{counter} {bound} {head}: {e}"));
        let (_, kind) = TYPES.into_iter().find(|t| t.0 == bound).expect("a type");
        let name = if head.starts_with('e') {
            "j_begin"
        } else {
            "j_end"
        };
        let found = defined(&scop, name, (value, kind)).expect("a bound");
        assert!(
            low <= found && found <= high,
            "{counter} {bound} {head}, {value}: {found}"
        );
    }
}

/// How many loops stand around the definition of a bound.
fn depth(scop: &Scop, name: &str) -> Option<usize> {
    let defines = |statement: &&Statement| {
        statement.body.iter().any(|action| match action {
            Action::Assign { target, .. } => scop.arrays[statement.accesses[*target].array]
                .name
                .starts_with(name),
            _ => false,
        })
    };
    let statement = scop.statements.iter().find(defines)?;
    Some(statement.iterators.len())
}

/// Bounds that are sums of scalars which the loops do not change are defined in front of all of the
/// loops, others in front of their own.
#[test]
fn definitions_of_bounds_stand_outside() {
    let rows = [
        ("for (int j = 0; j < hi; j++) x[j] = i;", "j_bound", Some(0)),
        ("for (int j = lo; j < m; j++) x[j] = i;", "j_bound", Some(0)),
        ("for (j = lo; j < m; j++) x[j] = i;", "j_bound", Some(0)),
        ("for (j = 0; j < hi; j++) x[j] = i;", "j_bound", Some(0)),
        (
            "for (int j = 0; j < hi + 1; j++) x[j] = i;",
            "j_bound",
            Some(0),
        ),
        (
            "for (int j = 0; j < hi - lo; j++) x[j] = i;",
            "j_bound",
            Some(0),
        ),
        ("for (int j = 0; hi > j; j++) x[j] = i;", "j_bound", Some(0)),
        ("for (int j = hi; j > 0; j--) x[j] = i;", "j_bound", Some(0)),
        (
            "{ { for (int j = 0; j < hi; j++) x[j] = i; } }",
            "j_bound",
            Some(0),
        ),
        (
            "for (int k = 0; k < m; k++) for (int j = 0; j < hi; j++) x[j] = i;",
            "j_bound",
            Some(0),
        ),
        (
            "for (int k = 0; k < m; k++) for (int j = 0; j < hi + k; j++) x[j] = i;",
            "j_bound",
            None,
        ),
        (
            "for (int k = 0; k < m; k++) for (int j = 0; j < hi + k; j++) x[j] = i;",
            "j_end",
            Some(2),
        ),
        (
            "for (int j = 0; j < hi + i; j++) x[j] = i;",
            "j_end",
            Some(1),
        ),
        (
            "for (int j = 0; j < 2 * hi; j++) x[j] = i;",
            "j_end",
            Some(1),
        ),
        ("for (int j = 0; j < -hi; j++) x[j] = i;", "j_end", Some(1)),
        (
            "for (int j = 0; j < hi + w[i]; j++) x[j] = i;",
            "j_end",
            Some(1),
        ),
        (
            "for (int j = 0; j < w[i] - hi; j++) x[j] = i;",
            "j_end",
            Some(1),
        ),
        ("for (int j = 0; j < w[i]; j++) x[j] = i;", "j_end", Some(1)),
        (
            "for (int j = 0; j < (int)real; j++) x[j] = i;",
            "j_end",
            Some(1),
        ),
        ("for (int j = 0; j < m; j++) x[j] = i;", "j_bound", None),
        (
            "for (int j = lo; j < m; j++) lo = x[j];",
            "j_begin",
            Some(1),
        ),
        (
            "{ for (int j = 0; j < hi; j++) x[j] = i; x[0] = 1; }",
            "j_end",
            Some(1),
        ),
        (
            "{ x[0] = 1; for (int j = 0; j < hi; j++) x[j] = i; }",
            "j_end",
            Some(1),
        ),
    ];
    let ctx = isl::Ctx::new();
    for (body, name, expected) in rows {
        let text = format!(
            "void f(int n, int m, const int *restrict w, int *restrict x) {{ int lo, hi, j; double real;
#pragma scop
lo = w[n]; hi = w[m]; real = w[2];
for (int i = 0; i < n; i++) {body}
#pragma endscop\n}}"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{body}: {e}"));
        assert_eq!(depth(&scop, name), expected, "{body}");
    }
}

/// Loops whose bounds are data, refused.
#[test]
fn bounds_that_are_refused() {
    let unsigned = "loop `j` compares a signed variable with an unsigned bound";
    let range = "the loop variable `j` may leave the range of its type";
    let own = "loop `j` changes its own bound";
    let known = "when loop `j` ends is known only in the iteration that ends it";
    let step = "the loop does not change `j` by a constant";
    let affine = "the condition of loop `j` is not affine";
    let endless = "the condition does not end loop `j`";
    // Accepted as a step of a statement.
    let turns = "turns";
    let rows = [
        ("for (int j = 0; j < u[i]; j++) x[j] = 1;", ""),
        ("for (int j = m; j < u[i]; j++) x[j] = 1;", unsigned),
        ("for (int j = -1; j < u[i]; j++) x[j] = 1;", unsigned),
        ("for (int j = 9; j > u[i]; j--) x[j] = 1;", unsigned),
        ("for (int j = i; j < u[i]; j++) x[j] = 1;", ""),
        ("for (int j = i - 1; j < u[i]; j++) x[j] = 1;", unsigned),
        ("for (int j = u[0]; j < u[i]; j++) x[j] = 1;", ""),
        (
            "for (int j = u[0]; j < u[i]; j++) for (int k = 0; k < 3; k++) x[j] = k;",
            "",
        ),
        ("for (int j = u[n]; j < u[i]; j++) x[i] += 1;", unsigned),
        (
            "for (int j = u[n]; j < u[i]; j++) if (w[i]) x[j] = 1;",
            unsigned,
        ),
        ("for (long j = u[0]; j < u[i]; j++) x[i] += 1;", ""),
        ("for (long j = z[0]; j < u[i]; j++) x[i] += 1;", ""),
        ("for (int j = u[0]; j < m; j++) x[i] += 1;", ""),
        ("for (int j = u[0]; j > w[i]; j--) x[i] += 1;", ""),
        ("for (long j = z[n]; j < z[i]; j++) x[i] += 1;", unsigned),
        ("for (short j = l[i]; j > l[0]; j--) x[j] = 1;", range),
        ("for (unsigned j = u[i]; j > 3; j--) x[j] = 1;", range),
        ("for (int j = w[0]; j < u[i]; j++) x[j] = 1;", unsigned),
        ("for (long j = w[0]; j < u[i]; j++) x[j] = 1;", ""),
        ("for (long j = w[0]; j < z[i]; j++) x[j] = 1;", unsigned),
        ("for (long j = 0; j < z[i]; j++) x[j] = 1;", ""),
        ("for (unsigned char j = 0; j < c[i]; j++) x[j] = 1;", ""),
        ("for (unsigned char j = 0; j <= c[i]; j++) x[j] = 1;", range),
        ("for (unsigned char j = 0; j < w[i]; j++) x[j] = 1;", range),
        ("for (unsigned j = 0; j < u[i]; j++) x[j] = 1;", ""),
        ("for (unsigned j = 0; j <= u[i]; j++) x[j] = 1;", range),
        ("for (unsigned j = 0; j < z[i]; j++) x[j] = 1;", range),
        ("for (unsigned j = 0; j < c[i]; j++) x[j] = 1;", ""),
        ("for (int j = 0; j <= w[i]; j++) x[j] = 1;", ""),
        ("for (int j = 0; j < l[i]; j++) x[j] = 1;", ""),
        (
            "for (int j = 0; j < r[i]; j++) x[j] = 1;",
            "a bound of loop `j` is not an integer",
        ),
        ("for (int j = 0; j < (int)r[i]; j++) x[j] = 1;", ""),
        ("for (int j = 0; j < some(i); j++) x[j] = 1;", "`some`"),
        ("for (int j = 0; j < again(i); j++) x[j] = 1;", "`again`"),
        ("x[again(i)] = 1;", "`again`"),
        ("for (int j = 0; j < w[i]; j += 2) x[j] = 1;", ""),
        (
            "for (int j = w[i]; j < n; j += 2) x[j] = 1;",
            "the values of loop `j` are not affine",
        ),
        ("for (int j = w[i]; j < n; j += 1) x[j] = 1;", ""),
        (
            "for (int j = w[i]; j > 0; j -= 2) x[j] = 1;",
            "the values of loop `j` are not affine",
        ),
        ("for (int j = 0; j < x[i]; j++) x[j] = 1;", own),
        ("for (int j = x[i]; j < 9; j++) x[j] = 1;", ""),
        ("for (int j = 0; j < x[i]; j++) *(x + j) = 1;", own),
        ("for (int j = 0; j < x[i]; j++) x[j]++;", own),
        ("for (int j = 0; j < t.k[i]; j++) t.k[j] = 1;", own),
        ("for (int j = 0; j < p->k[i]; j++) p->k[j] = 1;", own),
        (
            "for (int j = 0; j < x[i]; j++) for (int k = 0; k < 2; k++) if (n) { x[j] = 1; }",
            own,
        ),
        ("for (int j = 0; j < x[i]; j++) change(x, i);", own),
        ("for (int j = 0; j < w[i]; j++) change(x, i);", ""),
        ("for (int j = 0; j < x[i]; j++) look(x, y);", ""),
        ("for (int j = 0; j < x[i]; j++) look(y, x);", own),
        (
            "for (unsigned long j = 0; j < sizeof(long); j++) x[j] = 1;",
            "",
        ),
        ("for (int j = 0; j < n && w[j] > 0; j++) x[j] = 1;", turns),
        ("for (int j = 0; w[j] > j; j++) x[j] = 1;", turns),
        ("for (int j = 0; j != w[i]; j++) x[j] = 1;", known),
        ("for (int j = 0; w[i] > 0; j++) x[j] = 1;", known),
        ("for (int j = 0; j > w[i]; j++) x[j] = 1;", known),
        ("for (int j = 9; j < w[i]; j--) x[j] = 1;", known),
        ("for (int j = 0; j < n || j < w[i]; j++) x[j] = 1;", known),
        ("for (int j = 0; j < n; j += 0) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j = j + 2) x[j] = 1;", ""),
        ("for (int j = 0; j < n; j = 2 + j) x[j] = 1;", ""),
        ("for (int j = 9; j > n; j = j - 2) x[j] = 1;", ""),
        ("for (int j = 0; j < n; j = 2 - j) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j = m + 2) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j = 2 + m) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j = m - 2) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j = 2) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j *= 2) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j += m) x[j] = 1;", ""),
        ("for (int j = 0; j < n; j += c[0]) x[j] = 1;", turns),
        ("for (int j = 0; j < n; j += i) x[j] = 1;", turns),
        ("for (unsigned char j = 0; j < 9; j += m) x[j] = 1;", turns),
        ("for (int j = 0; j < n; m++) x[j] = 1;", step),
        ("for (int j = 0; j < n; m += 2) x[j] = 1;", step),
        // Data, too, where the region changes the variable; what is not affine otherwise is not.
        ("m = w[i]; for (int j = 0; j * m < 9; j++) x[j] = 1;", known),
        ("for (int j = 0; j * m < 9; j++) x[j] = 1;", affine),
        ("for (int j = 0; m * m > 9; j++) x[j] = 1;", endless),
        ("for (int j = 0; some(m) > 9; j++) x[j] = 1;", known),
        ("for (int j = 0; *w > 9; j++) x[j] = 1;", known),
        ("for (int j = 0; j * j < 9; j++) x[j] = 1;", turns),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (loops, message) in rows {
        let text = format!(
            "int some(int); int again(int a) {{ return again(a - 1); }} void __pencil_def(); void __pencil_use(); struct t {{ int k[9]; }};
void looks(int p[], int q[]) {{ __pencil_use(p[0]); __pencil_def(q[0]); }}
__attribute__((pencil_access(looks))) void look(int p[], int q[]);
void changes(int p[], int k) {{ __pencil_def(p[k]); }}
__attribute__((pencil_access(changes))) void change(int p[], int k);
void f(int n, int m, const int *restrict w, const unsigned *restrict u, const long *restrict l,
       const unsigned long *restrict z, const unsigned char *restrict c, const double *restrict r,
       int x[restrict 99], int y[restrict 99], struct t t, struct t *restrict p) {{
#pragma scop
for (int i = 0; i < n; i++) {{ {loops} }}
#pragma endscop\n}}"
        );
        match found(&ctx, &text) {
            Ok(scop) if message.is_empty() || message == turns => {
                let repeats = scop.statements.iter().any(|s| s.repeats());
                if repeats != (message == turns) {
                    wrong.push(format!("{loops}: turns {repeats}"));
                }
            }
            Err(errors) if !message.is_empty() && errors.contains(message) => {}
            Ok(_) => wrong.push(format!("{loops}: accepted")),
            Err(errors) => wrong.push(format!("{loops}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
