//! Mistakes, and what is said of them.

use super::*;
use crate::scop::ScalarKind::{F32, I32, I64, U8};
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};

/// A pipeline of one image and one function, over x from 1 to R, that `value` defines.
fn one(value: impl Fn(Image, Variable) -> Expr) -> Pipeline {
    let mut p = Pipeline::new("one");
    let r = p.parameter("R");
    let x = p.variable("x");
    let img = p.image("img", F32, [r + 2]);
    let blurx = p.output("blurx", F32, [x.over(1, r)]);
    p.define(blurx, value(img, x));
    p
}

#[track_caller]
fn refused(p: &Pipeline, message: &str) {
    let problems = p.check().expect_err("there is a mistake");
    assert!(
        problems.0.iter().any(|problem| problem.message == message),
        "{problems}"
    );
}

#[track_caller]
fn accepted(p: &Pipeline) -> String {
    match p.program() {
        Ok(program) => program.source().text.clone(),
        Err(problems) => panic!("{problems}"),
    }
}

#[test]
fn reads_stay_inside() {
    refused(
        &one(|img, x| img.at([x - 2])),
        "blurx reads img at x - 2, which is -1 for x = 1; its subscript is from 0 to R + 1",
    );
    // The last pixel is at R + 1; with R = 1 the last read would be at 3.
    refused(
        &one(|img, x| img.at([x + 2])),
        "blurx reads img at x + 2, which is 3 for x = 1 and R = 1; its subscript is from 0 to R + 1",
    );
    accepted(&one(|img, x| img.at([x - 1]) + img.at([x + 1])));
    // C's division rounds towards zero: (x - 3) / 2 is 0 for x = 2, and -1 for x = 1.
    refused(
        &one(|img, x| img.at([(x - 3) / 2])),
        "blurx reads img at (x - 3) / 2, which is -1 for x = 1; its subscript is from 0 to R + 1",
    );
    accepted(&one(|img, x| img.at([(x - 2) / 2])));
}

#[test]
fn conditions_and_clamping_keep_reads_inside() {
    accepted(&one(|img, x| select(x.ge(2), img.at([x - 2]), 0)));
    refused(
        &one(|img, x| select(x.ge(2), 0, img.at([x - 2]))),
        "blurx reads img at x - 2, which is -1 for x = 1; its subscript is from 0 to R + 1",
    );
    accepted(&one(|img, x| img.at([(x - 9).max(0)])));
}

#[test]
fn subscripts_that_are_data_need_a_range() {
    let table = |range: bool| {
        let mut p = Pipeline::new("look");
        let r = p.parameter("R");
        let x = p.variable("x");
        let img = p.image("img", F32, [r]);
        let lut = p.image("lut", F32, [11]);
        if range {
            p.promise(img, 0.0, 1.0);
        }
        let out = p.output("out", F32, [x.below(r)]);
        p.define(out, lut.at([(img.at([x]) * 10).cast(I32)]));
        p
    };
    refused(
        &table(false),
        "out reads lut at (int)(img(x) * 10), which is data and may be from -2147483648 to \
         2147483647; its subscript is from 0 to 10",
    );
    accepted(&table(true));
    // Bytes have a range by themselves.
    let mut p = Pipeline::new("bytes");
    let r = p.parameter("R");
    let [x, v] = p.variables(["x", "v"]);
    let img = p.image("img", U8, [r]);
    let histogram = p.output("histogram", I32, [v.below(256)]);
    p.accumulate(histogram, 0, [x.below(r)], [sum_into([img.at([x])], 1)]);
    accepted(&p);
}

#[test]
fn what_is_read_has_a_value() {
    let mut p = Pipeline::new("p");
    let r = p.parameter("R");
    let x = p.variable("x");
    let img = p.image("img", F32, [r + 2]);
    let a = p.function("a", F32, [x.over(0, r + 1)]);
    p.cases(a, [case(x.within(1, r), img.at([x]))]);
    let b = p.output("b", F32, [x.over(1, r)]);
    p.define(b, a.at([x - 1]));
    refused(
        &p,
        "b reads a(x - 1), which is a(0) for x = 1 and R = 1; no case of a defines it",
    );
}

#[test]
fn cases_do_not_overlap() {
    let mut p = Pipeline::new("p");
    let r = p.parameter("R");
    let x = p.variable("x");
    let img = p.image("img", F32, [r]);
    let a = p.output("a", F32, [x.below(r)]);
    p.cases(a, [case(x.le(3), img.at([x])), case(x.ge(3), 0)]);
    refused(&p, "a has two cases for x = 3 and R = 4: x <= 3 and x >= 3");
}

#[test]
fn cycles_and_leftovers() {
    let mut p = Pipeline::new("p");
    let x = p.variable("x");
    let names = ["a", "b", "c"];
    let [a, b, c] = names.map(|name| p.output(name, F32, [x.below(9)]));
    p.define(a, c.at([x]));
    p.define(b, a.at([x]));
    p.define(c, b.at([x]));
    refused(
        &p,
        "functions read each other in a cycle: a reads c reads b reads a",
    );
    let mut p = Pipeline::new("p");
    let x = p.variable("x");
    let a = p.output("a", F32, [x.below(9)]);
    p.define(a, a.at([x]));
    refused(&p, "a reads itself");

    let mut p = one(|img, x| img.at([x]));
    let x = p.variable("x");
    let spare = p.function("spare", F32, [x.below(9)]);
    p.define(spare, 1);
    refused(&p, "the function spare is not used by any output");
    let empty = p.function("empty", F32, [x.below(9)]);
    refused(&p, "empty has no definition");
    p.define(empty, 1);
    p.define(empty, 2);
    refused(&p, "empty is defined twice");
}

#[test]
fn extents_divide_by_positive_numbers() {
    let image = |extent: fn(Parameter) -> Expr| {
        let mut p = Pipeline::new("p");
        let r = p.parameter("R");
        let x = p.variable("x");
        let img = p.image("img", F32, [extent(r)]);
        let a = p.output("a", F32, [x.below(1)]);
        p.define(a, img.at([x]));
        p
    };
    refused(
        &image(|r| r / 0),
        "division by zero in the extent of img: R / 0",
    );
    refused(
        &image(|r| 100 / Expr::from(r)),
        "the extent of img divides by R, which is not a positive number: 100 / R",
    );
    refused(
        &image(|r| r * Expr::from(r)),
        "the extent of img is not affine in the sizes: R * R",
    );
}

#[test]
fn integers_are_not_divided_by_zero() {
    let divided = |by: fn(Expr) -> Expr| {
        let mut p = Pipeline::new("p");
        let r = p.parameter("R");
        let x = p.variable("x");
        let img = p.image("img", U8, [r]);
        let a = p.output("a", I32, [x.below(r)]);
        p.define(a, 100 / by(img.at([x])));
        p
    };
    refused(
        &divided(|e| e),
        "a divides by img(x), which may be 0: 100 / img(x)",
    );
    accepted(&divided(|e| e.max(1)));
    accepted(&divided(|e| e + 1));
}

#[test]
fn types_are_checked() {
    refused(
        &one(|img, x| img.at([x * 0.5])),
        "blurx reads img at x * 0.5, which is not an integer: cast it to I32",
    );
    refused(
        &one(|img, x| img.at([x]) % 2),
        "blurx takes `%` of img(x), which is not an integer",
    );
    refused(
        &one(|_, x| Expr::from(x).sqrt()),
        "blurx takes sqrt of x, which is an integer: cast it to F32 or F64",
    );
    refused(
        &one(|img, x| img.at((x, x))),
        "blurx reads img with 2 subscripts; it has 1 dimensions",
    );
    let mut other = Pipeline::new("other");
    let y = other.variable("y");
    refused(
        &one(|img, _| img.at([y])),
        "blurx uses a variable of another pipeline",
    );
    let mut p = one(|img, x| img.at([x]));
    p.image("img", F32, [3]);
    refused(&p, "the name `img` is given twice");
    let mut p = one(|img, x| img.at([x]));
    p.image("restrict", F32, [3]);
    let reason = "the image cannot be called `restrict`: C uses it for something else";
    refused(&p, reason);
}

/// Languages that pass arrays have no complex numbers and no `long double`.
#[test]
fn numbers_that_only_c_has() {
    for kind in [ScalarKind::C64, ScalarKind::F80, ScalarKind::F16] {
        refused(
            &one(|img, x| img.at([x]).cast(kind)),
            &format!("blurx casts to {kind:?}, which only C has"),
        );
        let mut p = Pipeline::new("two");
        let r = p.parameter("R");
        p.scalar("weight", kind);
        p.image("img", kind, [r]);
        refused(&p, "the scalar `weight` has to be F32 or F64");
        refused(
            &p,
            &format!("img cannot have cells of type {kind:?}, which only C has"),
        );
    }
}

#[test]
fn no_expression_is_too_large_to_be_refused() {
    let reason = "blurx has an expression that is too large or too deep: give parts of it to \
                  functions of their own";
    let p = one(|img, x| {
        let mut sum = img.at([x]);
        for _ in 0..200 {
            sum = &sum + &sum;
        }
        sum
    });
    refused(&p, reason);
    let p = one(|img, x| {
        let mut sum = img.at([x]);
        for _ in 0..100_000 {
            sum = sum + 1;
        }
        sum
    });
    refused(&p, reason);
}

/// The C text is what a person would write.
#[test]
fn c_text() {
    let mut p = Pipeline::new("tents");
    let r = p.parameter("R");
    let x = p.variable("x");
    let img = p.image("img", F32, [r + 2]);
    let rim = p.function("rim", F32, [x.over(0, r + 1)]);
    p.cases(
        rim,
        [
            case(x.within(1, r), img.stencil([x], [[1.0, 2.0, 1.0]]) * 0.25),
            otherwise(0),
        ],
    );
    let up = p.output("up", F32, [x.below(2 * Expr::from(r))]);
    let pair = [
        case((x % 2).equals(0), rim.at([x / 2])),
        case(
            (x % 2).equals(1),
            (rim.at([x / 2]) + rim.at([x / 2 + 1])) / 2,
        ),
    ];
    p.cases(up, pair);
    let expected = "\
#pragma scop
    #pragma omp parallel for
    for (int x = 1; x <= R; x++)
        rim[x] = (img[x - 1] + 2 * img[x] + img[x + 1]) * 0.25f;

    {
        rim[0] = 0;
        rim[R + 1] = 0;
    }

    #pragma omp parallel for
    for (int x = 0; x < R; x++)
    {
        up[2 * x] = rim[x];
        up[2 * x + 1] = (rim[x] + rim[x + 1]) / 2;
    }

#pragma endscop
";
    let text = accepted(&p);
    assert!(text.contains(expected), "{text}");
}

/// What calls C's library and is the same for all cells is computed once, in front of the region;
/// divisions of integers stay in their cases.
#[test]
fn calls_without_variables_are_made_once() {
    let mut p = Pipeline::new("shades");
    let r = p.parameter("R");
    let gain = p.scalar("gain", F32);
    let x = p.variable("x");
    let img = p.image("img", F32, [r]);
    let up = p.output("up", F32, [x.below(r)]);
    let power = || 2.0 - Expr::number(2.0).pow(gain / 100.0);
    let divided = (Expr::int(100) / (Expr::from(r) - 5).max(1))
        .cast(F32)
        .sqrt();
    let bright = img.at([x]) * power() + power();
    let dark = img.at([x]) * divided;
    p.define(up, select(img.at([x]).gt(0.5), bright, dark));
    let text = accepted(&p);
    let expected =
        "    float pipeline_constant_0 = 2.0f - powf(2.0f, gain / 100.0f);\n\n#pragma scop";
    assert!(text.contains(expected), "{text}");
    assert_eq!(text.matches("powf(2").count(), 1, "{text}");
    assert_eq!(text.matches("pipeline_constant_0").count(), 3, "{text}");
    assert!(!text.contains("pipeline_constant_1"), "{text}");
}

/// Sizes are C `int`s, and so is what is computed of them on the way to an extent.
#[test]
fn sizes_stay_numbers_of_an_int() {
    let mut p = Pipeline::new("p");
    let r = p.parameter("R");
    let [x, y] = p.variables(["x", "y"]);
    let img = p.image("img", U8, [r * 4 / 8]);
    let out = p.output("out", U8, [x.below(r * 4 / 8)]);
    p.define(out, img.at([x]));
    let counts = p.output("counts", I32, [x.below(1)]);
    p.accumulate(counts, 0, [y.below(r * 8)], [sum_into((0,), 1)]);
    let program = p.program().unwrap();
    program.check_sizes(&[2000]).unwrap();
    let said = |r| program.check_sizes(&[r]).unwrap_err().message;
    // A picture of half a gigabyte, whose size C would compute as 0.
    assert_eq!(said(1 << 30), "img would be too large for R = 1073741824");
    assert_eq!(
        said(300_000_000),
        "counts would be too large for R = 300000000: R * 8 - 1 leaves the range of an int"
    );
    assert_eq!(said(0), "R has to be from 1 to 2147483647, not 0");
    assert_eq!(
        said(1),
        "img would have 0 cells (R * 4 / 8) in a dimension for R = 1"
    );
    // In 64 bits there is room.
    let mut p = Pipeline::new("p");
    let r = p.parameter("R");
    let x = p.variable("x");
    let half = || Expr::from(r).cast(I64) * 4 / 8;
    let img = p.image("img", U8, [half()]);
    let out = p.output("out", U8, [x.below(half())]);
    p.define(out, img.at([x]));
    p.program().unwrap().check_sizes(&[1 << 30]).unwrap();
}

mod c;
mod ranges;
