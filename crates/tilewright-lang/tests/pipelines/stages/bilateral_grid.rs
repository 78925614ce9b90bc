//! `examples/pipelines/bilateral_grid.c`

use tilewright_lang::*;

pub fn pipeline() -> Pipeline {
    let mut p = Pipeline::new("bilateral_grid");
    let [r, cc] = p.parameters(["R", "C"]);
    p.assume(r.ge(57) & cc.ge(57));
    let [c, i, j, z, y, x] = p.variables(["c", "i", "j", "z", "y", "x"]);
    let input = p.image("input", F32, (r, cc));
    p.promise(input, 0.0, 1.0);
    // Cells of the grid in each direction.
    let (h, w) = (|| (r - 1) / 8 - 1, || (cc - 1) / 8 - 1);

    let grid = p.function(
        "grid",
        F32,
        [c.below(2), i.below(h()), j.below(w()), z.below(15)],
    );
    let pixel = input.at((y, x));
    let bin = 2 + (&pixel * 10 + 0.5).cast(I32);
    p.accumulate(
        grid,
        0,
        [
            i.below(h()),
            j.below(w()),
            y.over(8 * i + 4, 8 * i + 12),
            x.over(8 * j + 4, 8 * j + 12),
        ],
        [
            sum_into((0, i, j, &bin), pixel),
            sum_into((1, i, j, bin), 1),
        ],
    );

    let smooth = |at: &dyn Fn(i32) -> Expr| at(0) + 4 * at(1) + 6 * at(2) + 4 * at(3) + at(4);
    let domain = [c.below(2), i.below(h()), j.below(w()), z.below(11)];
    let blurz = p.function("blurz", F32, domain);
    p.define(blurz, smooth(&|d| grid.at((c, i, j, z + d))));
    let domain = [c.below(2), i.below(h() - 4), j.below(w()), z.below(11)];
    let blurx = p.function("blurx", F32, domain);
    p.define(blurx, smooth(&|d| blurz.at((c, i + d, j, z))));
    let domain = [c.below(2), i.below(h() - 4), j.below(w() - 4), z.below(11)];
    let blury = p.function("blury", F32, domain);
    p.define(blury, smooth(&|d| blurx.at((c, i, j + d, z))));

    let domain = [c.below(2), i.below(r - 56), j.below(cc - 56)];
    let interpolated = p.function("interpolated", F32, domain);
    let bin = input.at((i + 24, j + 24)) * 10;
    let low = bin.clone().cast(I32);
    let high = (&low + 1).min(10);
    let (y, x) = ((i % 8).cast(F32) / 8, (j % 8).cast(F32) / 8);
    let between = |z: &Expr| {
        let column = |dj: i32| {
            let at = |di: i32| blury.at((c, i / 8 + di, j / 8 + dj, z));
            lerp(at(0), at(1), &y)
        };
        lerp(column(0), column(1), &x)
    };
    p.define(
        interpolated,
        lerp(between(&low), between(&high), &(bin - &low)),
    );

    let filtered = p.output("filtered", F32, [i.below(r - 56), j.below(cc - 56)]);
    let [sum, count] = [0, 1].map(|plane| interpolated.at((plane, i, j)));
    let mean = select(count.clone().gt(0), sum / count, input.at((i + 24, j + 24)));
    p.define(filtered, mean);
    p
}
