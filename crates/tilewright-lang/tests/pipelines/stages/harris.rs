//! `examples/pipelines/harris.c`

use tilewright_lang::*;

pub fn pipeline() -> Pipeline {
    let mut p = Pipeline::new("harris");
    let [r, c] = p.parameters(["R", "C"]);
    let [i, j] = p.variables(["i", "j"]);
    let img = p.image("img", F32, (r + 2, c + 2));
    let whole = || [i.below(r + 2), j.below(c + 2)];
    let inner = || i.within(1, r) & j.within(1, c);
    let sums = || i.within(2, r - 1) & j.within(2, c - 1);

    const A: f64 = 0.0833333333333;
    const B: f64 = 0.166666666667;
    let iy = p.function("Iy", F32, whole());
    let sobel = img.stencil((i, j), [[-A, 0.0, A], [-B, 0.0, B], [-A, 0.0, A]]);
    p.cases(iy, [case(inner(), sobel)]);
    let ix = p.function("Ix", F32, whole());
    let at = |di: i32, dj: i32| img.at((i + di, j + dj));
    let sobel = at(-1, -1) * -A
        + at(1, -1) * A
        + at(-1, 0) * -B
        + at(1, 0) * B
        + at(-1, 1) * -A
        + at(1, 1) * A;
    p.cases(ix, [case(inner(), sobel)]);

    let products = [("Iyy", iy, iy), ("Ixy", ix, iy), ("Ixx", ix, ix)].map(|(name, a, b)| {
        let product = p.function(name, F32, whole());
        p.cases(product, [case(inner(), a.at((i, j)) * b.at((i, j)))]);
        product
    });
    let mut sum = |name, of: Function| {
        let sum = p.function(name, F32, whole());
        p.cases(sum, [case(sums(), of.stencil((i, j), [[1.0; 3]; 3]))]);
        sum.at((i, j))
    };
    let [syy, sxy, sxx] = [("Syy", 0), ("Sxy", 1), ("Sxx", 2)].map(|(n, k)| sum(n, products[k]));
    let trace = p.function("trace", F32, whole());
    p.cases(trace, [case(sums(), &sxx + &syy)]);
    let det = p.function("det", F32, whole());
    p.cases(det, [case(sums(), sxx * syy - &sxy * &sxy)]);
    let harris = p.output("harris", F32, whole());
    let t = trace.at((i, j));
    p.cases(harris, [case(sums(), det.at((i, j)) - 0.04 * &t * &t)]);
    p
}
