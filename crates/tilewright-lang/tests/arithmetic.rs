//! Arithmetic is C's, and every access is inside: conversions, remainders, wide types, numbers
//! that no literal can spell.

use tilewright_driver::host::toolchain::{Toolchain, split};
use tilewright_lang::*;

fn options() -> Options {
    let mut options = Options {
        toolchain: Toolchain {
            cflags: split("-O1 -fopenmp"),
            ..Toolchain::default()
        },
        exact: true,
        ..Options::default()
    };
    // However little there is to do.
    options.compile.wishes.processor.fork = 0;
    options
}

/// The only output of a pipeline of `cells` cells, computed by its kernel and by its reference.
fn run(p: &Pipeline, cells: usize, images: &[(&str, &[i32])]) -> Vec<i32> {
    let [fast, slow] = [p.compile_with(&options()), p.reference(&options())].map(|kernel| {
        let kernel = kernel.unwrap_or_else(|problems| panic!("{problems}"));
        let mut out = vec![0; cells];
        let mut call = kernel.call();
        for (name, values) in images {
            call = call.image(name, values, &[values.len()]);
        }
        call.output("out", &mut out).run().unwrap();
        out
    });
    assert!(fast == slow, "{fast:?} {slow:?}");
    fast
}

/// A comparison of unsigned numbers beside other outputs: none is lost.
#[test]
fn unsigned_comparisons_beside_other_outputs() {
    let mut p = Pipeline::new("three");
    let r = p.parameter("R");
    let x = p.variable("x");
    let out = p.output("out", I32, [x.below(r)]);
    let condition = (x - 1).cast(U32).lt(3);
    p.define(out, select(condition, 5, 6));
    let second = p.output("second", I32, [x.below(r)]);
    p.define(second, x * 2);
    let third = p.output("third", I32, [x.below(r)]);
    p.define(third, 7);
    let kernel = p.compile_with(&options()).unwrap();
    let mut all = [[0i32; 9]; 3];
    let [a, b, c] = &mut all;
    let call = kernel
        .call()
        .size("R", 9)
        .output("out", a)
        .output("second", b);
    call.output("third", c).run().unwrap();
    assert_eq!(all[0], [6, 5, 5, 5, 6, 6, 6, 6, 6]);
    assert_eq!(all[1], [0, 2, 4, 6, 8, 10, 12, 14, 16]);
    assert_eq!(all[2], [7; 9]);
}

/// A table of 10 cells read at a subscript.
fn look_up(subscript: impl Fn(Expr, Expr) -> Expr) -> Pipeline {
    let mut p = Pipeline::new("table");
    let x = p.variable("x");
    let a = p.image("a", I32, [9]);
    let u = p.image("u", I32, [9]);
    let lut = p.image("lut", I32, [10]);
    let out = p.output("out", I32, [x.below(9)]);
    let both = subscript(a.at([x]), u.at([x]));
    p.define(out, lut.at([both]) + u.at([x]).clamp(0, 0));
    p
}

/// What is computed in an unsigned type may be large where operands are negative.
#[test]
fn subscripts_are_inside_after_conversions() {
    let refused: [fn(Expr, Expr) -> Expr; 6] = [
        |a, u| a.clamp(-3, 3).max((u & 5).cast(U32)),
        |a, u| a.clamp(-2, 100) / u.clamp(12, 40).cast(U32),
        |a, u| a.clamp(-3, 3) % u.clamp(11, 20).cast(U32),
        |a, _| a.clamp(-1, 9).cast(U64),
        |a, _| a.cast(I8) + 1,
        |a, u| (a.clamp(-3, 3) + u.clamp(3, 6).cast(U32)) >> 1,
    ];
    for (number, subscript) in refused.into_iter().enumerate() {
        let said = look_up(subscript).check().expect_err(&number.to_string());
        assert!(
            said.to_string().contains("which is data and may be"),
            "{said}"
        );
    }
    let accepted: [fn(Expr, Expr) -> Expr; 10] = [
        |a, u| a.clamp(0, 3).max((u & 5).cast(U32)),
        |a, u| a.clamp(0, 100) / u.clamp(12, 40).cast(U32),
        |a, _| a & 7,
        |a, _| (a & 255).min(9),
        |a, _| (a.cast(I64) * 3_000_000_000_i64).clamp(0, 9),
        |a, _| a.cast(U64).min(9),
        |a, u| ((a % 10) + u.clamp(0, 0)).abs(),
        |a, _| (a.cast(U8) >> 5) + 1,
        |a, _| (a.clamp(-5, 2) + 5) ^ 0,
        |a, u| select(a.clone().lt(u), a.clamp(0, 4), 9),
    ];
    let a = [-70, -3, 0, 1, 5, 9, 260, i32::MAX, i32::MIN];
    let u = [4, -1, 0, 7, 13, 99, -600, 2, 40];
    let lut: Vec<i32> = (100..110).collect();
    for subscript in accepted {
        let p = look_up(subscript);
        let out: Vec<i32> = run(&p, 9, &[("a", &a), ("u", &u), ("lut", &lut)]);
        assert!(
            out.iter().all(|value| (100..110).contains(value)),
            "{out:?}"
        );
    }
    // The least number has no quotient by -1.
    let said = look_up(|a, u| (a / u.clamp(-2, -1)).clamp(0, 9)).check();
    let said = said.unwrap_err().to_string();
    assert!(
        said.contains("may be the least number of its type by -1"),
        "{said}"
    );
    look_up(|a, u| (a.max(-1000) / u.clamp(-2, -1)).clamp(0, 9))
        .check()
        .unwrap();
}

/// Cases by remainder, over one period and over several, with variables of both signs.
#[test]
fn cases_by_remainder() {
    for periods in [1, 2, 3] {
        let mut p = Pipeline::new("thirds");
        let [x, y] = p.variables(["x", "y"]);
        let out = p.output("out", I32, [y.over(-2, 1), x.below(3 * periods)]);
        let case_of = |rest: i64| {
            let value = 100 * x + (2 * y + 1) / 2 * 10 + (x / 3) + (3 * y + 2) % 3 + rest * 1000;
            case((x % 3).equals(rest), value)
        };
        p.cases(out, [case_of(0), case_of(1), case_of(2)]);
        let cells = 4 * 3 * periods as usize;
        let wanted: Vec<i32> = (-2..=1)
            .flat_map(|y: i32| {
                (0..3 * periods).map(move |x| {
                    100 * x + (2 * y + 1) / 2 * 10 + x / 3 + (3 * y + 2) % 3 + x % 3 * 1000
                })
            })
            .collect();
        assert_eq!(run(&p, cells, &[]), wanted, "{periods} periods");
    }
}

/// Cases whose borders are wider than the domain, and bounds that are no `int`.
#[test]
fn cases_beyond_the_domain() {
    let frame = |width: i64| {
        let mut p = Pipeline::new("frame");
        let r = p.parameter("R");
        let [x, y] = p.variables(["x", "y"]);
        let out = p.output("out", I32, [y.below(2), x.below(r)]);
        let inside = x.within(width, r - 1 - width);
        p.cases(out, [case(inside, 1), otherwise(2)]);
        p.compile_with(&options()).unwrap()
    };
    for width in [1, 3] {
        let kernel = frame(width);
        for r in 1..9usize {
            // Behind the output, nothing is touched.
            let mut memory = vec![0i32; 4 * r + 40];
            let (before, rest) = memory.split_at_mut(20);
            let (out, behind) = rest.split_at_mut(2 * r);
            kernel
                .call()
                .size("R", r as i64)
                .output("out", out)
                .run()
                .unwrap();
            let wide = width as usize;
            let value = |x: usize| if x >= wide && x + wide < r { 1 } else { 2 };
            let wanted: Vec<i32> = (0..2).flat_map(|_| (0..r).map(value)).collect();
            assert_eq!(out, wanted, "{r} and {width}");
            assert!(before.iter().chain(&*behind).all(|&cell| cell == 0));
        }
    }
    let mut p = Pipeline::new("far");
    let x = p.variable("x");
    let out = p.output("out", I32, [x.below(20)]);
    let far = [x.gt(i64::from(i32::MAX)), x.lt(i64::from(i32::MIN))];
    let [above, below] = far;
    p.cases(out, [case(above, 1), case(below, 3), case(x.le(30), 2)]);
    assert_eq!(run(&p, 20, &[]), [2; 20]);
}

/// Floating numbers of all sizes, of both types.
#[test]
fn numbers_of_all_sizes() {
    let numbers = [
        1e39,
        -1e39,
        1e-39,
        1e-46,
        5e-324,
        f64::MAX,
        f64::from(f32::MAX),
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -0.0,
        0.1,
        1e16,
        123_456_789.123,
    ];
    for number in numbers {
        let mut p = Pipeline::new("scaled");
        let x = p.variable("x");
        let img = p.image("img", I32, [3]);
        let out = p.output("out", F32, [x.below(3)]);
        p.define(out, img.at([x]).cast(F32) * number);
        let img = [0, 1, -3];
        let found: Vec<f32> = run_bits(&p, &img);
        for (&cell, &value) in img.iter().zip(&found) {
            let wanted = cell as f32 * number as f32;
            let same = wanted.to_bits() == value.to_bits() || (wanted.is_nan() && value.is_nan());
            assert!(same, "{cell} * {number}: {value}, not {wanted}");
        }
        let mut p = Pipeline::new("scaled");
        let image = p.image("img", I32, [3]);
        let x = p.variable("x");
        let out = p.output("out", F64, [x.below(3)]);
        p.define(out, image.at([x]).cast(F64) * number);
        let found: Vec<f64> = run_bits(&p, &img);
        for (&cell, &value) in img.iter().zip(&found) {
            let wanted = f64::from(cell) * number;
            let same = wanted.to_bits() == value.to_bits() || (wanted.is_nan() && value.is_nan());
            assert!(same, "{cell} * {number}: {value}, not {wanted}");
        }
    }
}

fn run_bits<T: Element + Default>(p: &Pipeline, img: &[i32; 3]) -> Vec<T> {
    let kernel = p.compile_with(&options());
    let kernel = kernel.unwrap_or_else(|problems| panic!("{problems}"));
    let mut out = vec![T::default(); 3];
    let call = kernel.call().image("img", &img[..], &[3]);
    call.output("out", &mut out).run().unwrap();
    out
}
