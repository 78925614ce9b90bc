//! Statement bodies: expressions, data-dependent accesses, layouts.

use super::harness::*;
use crate::codegen::Target;
use crate::scop::testing::ScopBuilder;
use crate::scop::{
    AccessKind, Action, BinaryOp, Expr, Inner, Layout, Linear, ScalarKind, ScalarType, Scop,
    Stride, UnaryOp,
};

fn int() -> ScalarType {
    ScalarType {
        kind: ScalarKind::I32,
        spelling: "int".to_owned(),
    }
}

fn one_statement(value: Expr) -> String {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build();
    scop.statements[0].body = vec![Action::Assign { target: 1, value }];
    let text = print(&scop, &unlifted(&scop, None), Target::C);
    let line = text
        .lines()
        .find(|line| line.contains("B["))
        .unwrap()
        .trim();
    line.strip_prefix("B[c0] = ")
        .unwrap()
        .strip_suffix(';')
        .unwrap()
        .to_owned()
}

#[test]
fn parentheses_keep_the_tree() {
    use BinaryOp::*;
    let a = || read(0);
    let x = || literal("x");
    let y = || literal("y");
    let negated = |e| Expr::Unary(UnaryOp::Minus, Box::new(e));
    let cast = |e| Expr::Cast(int(), Box::new(e));
    for (expr, text) in [
        (binary(Add, binary(Add, a(), x()), y()), "A[c0] + x + y"),
        (binary(Add, a(), binary(Add, x(), y())), "A[c0] + (x + y)"),
        (binary(Sub, a(), binary(Sub, x(), y())), "A[c0] - (x - y)"),
        (binary(Mul, binary(Add, a(), x()), y()), "(A[c0] + x) * y"),
        (binary(Add, binary(Mul, a(), x()), y()), "A[c0] * x + y"),
        (binary(Mul, a(), binary(Div, x(), y())), "A[c0] * (x / y)"),
        (negated(negated(a())), "-(-A[c0])"),
        (negated(literal("-1")), "-(-1)"),
        (binary(Sub, a(), negated(x())), "A[c0] - -x"),
        (cast(binary(Add, a(), x())), "(int)(A[c0] + x)"),
        (binary(Mul, cast(a()), x()), "(int)A[c0] * x"),
        (binary(Or, binary(And, a(), x()), y()), "(A[c0] && x) || y"),
        (
            binary(ShiftLeft, binary(Add, a(), x()), y()),
            "(A[c0] + x) << y",
        ),
        (
            binary(BitAnd, binary(Equal, a(), x()), y()),
            "(A[c0] == x) & y",
        ),
        (binary(Less, binary(Less, a(), x()), y()), "(A[c0] < x) < y"),
        (
            Expr::Conditional(
                Box::new(binary(Less, a(), x())),
                Box::new(binary(Add, x(), y())),
                Box::new(Expr::Conditional(
                    Box::new(x()),
                    Box::new(y()),
                    Box::new(a()),
                )),
            ),
            "A[c0] < x ? x + y : x ? y : A[c0]",
        ),
        (
            binary(
                Add,
                Expr::Conditional(Box::new(x()), Box::new(x()), Box::new(y())),
                y(),
            ),
            "(x ? x : y) + y",
        ),
        (
            Expr::Call("fmaxf".to_owned(), vec![a(), binary(Add, x(), y())]),
            "fmaxf(A[c0], x + y)",
        ),
        (binary(Mul, Expr::Iterator(0), literal("0.5f")), "c0 * 0.5f"),
        (
            binary(Mul, Expr::Invariant("s.gain".to_owned()), a()),
            "s.gain * A[c0]",
        ),
        (Expr::Param(0), "n"),
    ] {
        assert_eq!(one_statement(expr), text);
    }
}

#[test]
fn iterators_have_their_declared_type() {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .output("B", 1)
        .statement("S0[i] : -3 <= i < n - 3", &[], &["B[i + 3]"])
        .schedule(
            r#"{ domain: "[n] -> { S0[i] : -3 <= i < n - 3 }", child: { schedule: "[{ S0[i] -> [(i + 3)] }]" } }"#,
        )
        .build();
    scop.statements[0].body = vec![Action::Assign {
        target: 0,
        value: binary(BinaryOp::Div, Expr::Iterator(0), literal("2")),
    }];
    let transformed = unlifted(&scop, None);
    let text = print(&scop, &transformed, Target::C);
    assert!(text.contains("B[c0] = (int)(c0 - 3) / 2;"), "{text}");
    scop.statements[0].iterators[0].ctype = ScalarType {
        kind: ScalarKind::I64,
        spelling: "long".to_owned(),
    };
    let text = print(&scop, &transformed, Target::C);
    assert!(text.contains("B[c0] = (c0 - 3) / 2;"), "{text}");
    scop.statements[0].iterators[0].ctype = ScalarType {
        kind: ScalarKind::U8,
        spelling: "unsigned char".to_owned(),
    };
    let text = print(&scop, &transformed, Target::C);
    assert!(
        text.contains("B[c0] = (unsigned char)(c0 - 3) / 2;"),
        "{text}"
    );
}

/// `hist[idx[i]] += w[i]; if (w[i] > 2) B[i] = -w[i]; else { float v = w[i] * w[i]; B[i] = v - 1; }`
fn histogram() -> Scop {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("idx", 1)
        .input("w", 1)
        .inout("hist", 1)
        .inout("B", 1)
        .statement(
            "S0[i] : 0 <= i < n",
            &["idx[i]", "w[i]", "?hist[x] : 0 <= x < 16"],
            &["?hist[x] : 0 <= x < 16"],
        )
        .statement("S1[i] : 0 <= i < n", &["w[i]"], &["?B[i]"])
        .schedule(
            r#"
domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
child:
  schedule: "[{ S0[i] -> [(i)]; S1[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S0[i] }"
    - filter: "{ S1[i] }"
"#,
        )
        .build();
    let element = scop.array_named("idx").unwrap();
    scop.arrays[element].element = int();
    let statement = &mut scop.statements[0];
    for access in &mut statement.accesses[2..] {
        access.subscripts = vec![read(0)];
        access.affine = vec![None];
    }
    statement.body = vec![Action::Assign {
        target: 3,
        value: binary(BinaryOp::Add, read(2), read(1)),
    }];
    let float = ScalarType {
        kind: ScalarKind::F32,
        spelling: "float".to_owned(),
    };
    let v = || Expr::Local("v".to_owned());
    scop.statements[1].body = vec![
        Action::Local {
            name: "v".to_owned(),
            ctype: float,
            value: Some(binary(BinaryOp::Mul, read(0), read(0))),
        },
        Action::If {
            condition: binary(BinaryOp::Greater, read(0), literal("2")),
            then: vec![Action::Assign {
                target: 1,
                value: Expr::Unary(UnaryOp::Minus, Box::new(read(0))),
            }],
            otherwise: vec![
                Action::SetLocal {
                    name: "v".to_owned(),
                    value: binary(BinaryOp::Sub, v(), literal("1")),
                },
                Action::Assign {
                    target: 1,
                    value: v(),
                },
            ],
        },
    ];
    scop
}

#[test]
fn data_dependent_subscripts_and_conditions() {
    let scop = histogram();
    assert_eq!(scop.statements[0].accesses[3].kind, AccessKind::Write);
    let transformed = unlifted(&scop, None);
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    Program {
        prelude: "",
        parameters: "int n, const int idx[restrict n], const float w[restrict n],
        float hist[restrict 16], float B[restrict n]",
        locals: "",
        original: "for (int i = 0; i < n; i++) {
        hist[idx[i]] += w[i];
        float v = w[i] * w[i];
        if (w[i] > 2) { B[i] = -w[i]; } else { v = v - 1; B[i] = v; }
    }",
        check: "
    enum { N = 100 };
    int idx[N]; float w[N], h[2][16] = { { 0 } }, B[2][N];
    for (int i = 0; i < N; i++) { idx[i] = i * i % 16; w[i] = i % 5; }
    original(N, idx, w, h[0], B[0]);
    result(N, idx, w, h[1], B[1]);
    return memcmp(h[0], h[1], sizeof h[0]) || memcmp(B[0], B[1], sizeof B[0]);",
    }
    .run(&scop, &transformed);
}

#[test]
fn linearised_arrays_fields_and_scalars() {
    let mut scop = ScopBuilder::new("[n, m] -> { : n >= 2 and m >= 2 }")
        .input("a", 2)
        .input("p", 1)
        .inout("sum", 0)
        .statement(
            "S0[i, j] : 0 <= i < n and 0 <= j < m - 1",
            &["sum[]", "a[i, j + 1]", "p[i]"],
            &["sum[]"],
        )
        .statement("S1[]", &["sum[]", "a[1, 0]", "a[0, 0]"], &["sum[]"])
        .build();
    scop.arrays[0].layout = Layout::Linear(Linear {
        before: 0,
        strides: [("m + 0", 1), ("1", 0)]
            .map(|(text, degree)| Stride {
                text: text.to_owned(),
                sum: vec![(vec![1; degree], 1)],
            })
            .into(),
        inner: Inner::Inside,
    });
    scop.arrays[1].members.add(1, ".x");
    scop.arrays[2].base = "*total".to_owned();
    let transformed = unlifted(&scop, None);
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    Program {
        prelude: "struct point { float y, x; };",
        parameters: "int n, int m, const float *restrict a, const struct point p[restrict n], \
                     float *restrict total",
        locals: "",
        original: "
    for (int i = 0; i < n; i++) for (int j = 0; j < m - 1; j++)
        *total = *total + a[i * m + j + 1] + p[i].x;
    *total = *total + a[m] + a[0];",
        check: "
    enum { N = 7, M = 9 };
    float a[N * M], total[2] = { 1, 1 }; struct point p[N];
    for (int i = 0; i < N * M; i++) a[i] = i % 13 * 0.3f;
    for (int i = 0; i < N; i++) p[i].x = i * 0.7f, p[i].y = -1;
    original(N, M, a, p, &total[0]);
    result(N, M, a, p, &total[1]);
    return memcmp(&total[0], &total[1], sizeof total[0]) != 0;",
    }
    .run(&scop, &transformed);
}

#[test]
fn floor_divisions_and_remainders_of_negative_numbers() {
    let mut scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 1)
        .input("W", 1)
        .output("B", 1)
        .statement(
            "S0[i] : -20 <= i < n",
            &[
                "A[20 + floor(i/3)]",
                "A[20 + floor((i - 1)/4)]",
                "W[i mod 5]",
                "W[(-i - 3) mod 8]",
            ],
            &["B[i + 20]"],
        )
        .schedule(
            r#"{ domain: "[n] -> { S0[i] : -20 <= i < n }", child: { schedule: "[{ S0[i] -> [(i)] }]" } }"#,
        )
        .build();
    scop.statements[0].body[0] = Action::Assign {
        target: 4,
        value: (1..4).map(read).fold(read(0), |sum, next| {
            binary(
                BinaryOp::Add,
                binary(BinaryOp::Mul, sum, literal("3")),
                next,
            )
        }),
    };
    let transformed = unlifted(&scop, None);
    insta::assert_snapshot!(print(&scop, &transformed, Target::C));
    Program {
        prelude: "
static int fl(int a, int b) { return a / b - (a % b < 0); }
static int md(int a, int b) { return (a % b + b) % b; }",
        parameters: "int n, const float A[restrict 40], const float W[restrict 8], \
                     float B[restrict n + 20]",
        locals: "(void)fl, (void)md;",
        original: "for (int i = -20; i < n; i++)
        B[i + 20] = ((A[20 + fl(i, 3)] * 3 + A[20 + fl(i - 1, 4)]) * 3 + W[md(i, 5)]) * 3
                    + W[md(-i - 3, 8)];",
        check: "
    static float A[40], W[8], B[2][60];
    for (int i = 0; i < 40; i++) A[i] = i * i;
    for (int i = 0; i < 8; i++) W[i] = i * 0.5f;
    original(40, A, W, B[0]);
    result(40, A, W, B[1]);
    return memcmp(B[0], B[1], sizeof B[0]) != 0;",
    }
    .run(&scop, &transformed);
}
