//! `examples/pipelines/interpolate.c`

use tilewright_lang::*;

const LEVELS: i32 = 9;

pub fn pipeline() -> Pipeline {
    let mut p = Pipeline::new("interpolate");
    let [r, cc] = p.parameters(["R", "C"]);
    let [c, i, j] = p.variables(["c", "i", "j"]);
    let img = p.image("img", F32, (4, r + 2, cc + 2));
    let rows = |level: i32| {
        if level == 0 {
            Expr::from(r)
        } else {
            r / (1 << level)
        }
    };
    let columns = |level: i32| {
        if level == 0 {
            Expr::from(cc)
        } else {
            cc / (1 << level)
        }
    };

    // A function with a rim of zeros.
    let rimmed = |p: &mut Pipeline, name: &str, rows: Expr, columns: Expr, value: Expr| {
        let f = p.function(
            name,
            F32,
            [c.below(4), i.below(&rows + 2), j.below(&columns + 2)],
        );
        let inside = i.within(1, rows) & j.within(1, columns);
        p.cases(f, [case(inside, value), otherwise(0)]);
        f
    };
    let half = |a: Expr, b: Expr, d: Expr| (a + 2 * b + d) * 0.25;

    let level = p.function(
        "downsampled_L0",
        F32,
        [c.below(4), i.below(r + 2), j.below(cc + 2)],
    );
    p.define(level, img.at((c, i, j)) * img.at((3, i, j)));
    let mut down = vec![level];
    for l in 1..=LEVELS {
        let below = down[l as usize - 1];
        let at = |d: i32| below.at((c, 2 * i - d, j));
        let value = half(at(2), at(1), at(0));
        let dx = rimmed(
            &mut p,
            &format!("Dx_{l}_downsampled"),
            rows(l),
            columns(l - 1),
            value,
        );
        let at = |d: i32| dx.at((c, i, 2 * j - d));
        let value = half(at(2), at(1), at(0));
        down.push(rimmed(
            &mut p,
            &format!("D_{l}_downsampled"),
            rows(l),
            columns(l),
            value,
        ));
    }
    let mut above = down[LEVELS as usize];
    for l in (0..LEVELS).rev() {
        let value = (above.at((c, (i + 1) / 2, j)) + above.at((c, (i + 2) / 2, j))) / 2;
        let name = format!("Ux_interpolated_L{l}");
        let ux = rimmed(&mut p, &name, rows(l), columns(l + 1), value);
        let up = (ux.at((c, i, (j + 1) / 2)) + ux.at((c, i, (j + 2) / 2))) / 2;
        let own = down[l as usize];
        let value = own.at((c, i, j)) + (1 - own.at((3, i, j))) * up;
        above = rimmed(
            &mut p,
            &format!("interpolated_L{l}"),
            rows(l),
            columns(l),
            value,
        );
    }
    let result = p.output("interpolate", F32, [c.below(3), i.below(r), j.below(cc)]);
    let at = |c: Expr| above.at((c, i + 1, j + 1));
    p.define(result, at(c.into()) / at(3.into()));
    p
}
