//! `examples/pipelines/pyramid_blending.c`

use tilewright_lang::*;

/// The pipeline, and what its functions have in common.
struct Levels {
    p: Pipeline,
    sizes: [Parameter; 2],
    c: Variable,
    i: Variable,
    j: Variable,
}

/// What one level reads: with or without channels.
#[derive(Clone, Copy)]
enum From {
    Image(Image),
    Function(Function),
}

impl Levels {
    fn size(&self, dimension: usize, level: i32) -> Expr {
        match level {
            0 => Expr::from(self.sizes[dimension]),
            _ => self.sizes[dimension] / (1 << level),
        }
    }

    fn at(&self, from: From, channels: bool, i: impl Into<Expr>, j: impl Into<Expr>) -> Expr {
        let cell = if channels {
            vec![self.c.into(), i.into(), j.into()]
        } else {
            vec![i.into(), j.into()]
        };
        match from {
            From::Image(image) => image.at(cell),
            From::Function(function) => function.at(cell),
        }
    }

    /// A function on level `li` of rows and `lj` of columns, with values from row `i0` and
    /// column `j0` to so many rows and columns before the end.
    fn function(
        &mut self,
        name: &str,
        channels: bool,
        [li, lj]: [i32; 2],
        [(i0, i1), (j0, j1)]: [(i32, i32); 2],
        values: Vec<Case>,
    ) -> From {
        let (rows, columns) = (self.size(0, li), self.size(1, lj));
        let mut domain = vec![self.i.below(&rows), self.j.below(&columns)];
        if channels {
            domain.insert(0, self.c.below(3));
        }
        let f = self.p.function(name, F32, domain);
        let inside = self.i.within(i0, rows - i1) & self.j.within(j0, columns - j1);
        let cases = values.into_iter().map(|case| case.under(inside.clone()));
        self.p.cases(f, cases);
        From::Function(f)
    }

    /// Level `l` of a Gaussian pyramid, from the level below.
    fn down(&mut self, name: &str, channels: bool, l: i32, below: From) -> From {
        let (i, j) = (self.i, self.j);
        let smooth = |at: &dyn Fn(i32) -> Expr| {
            (at(-2) + 4 * at(-1) + 6 * at(0) + 4 * at(1) + at(2)) * 0.0625
        };
        // The first row and column with a value on each level, and on the level below.
        let (first, before) = ([0, 1, 2, 3][l as usize], [0, 0, 1, 2][l as usize]);
        let value = smooth(&|d| self.at(below, channels, 2 * i + d, j));
        let rows = (first, 2);
        let dx = format!("Dx_{l}_{name}");
        let dx = self.function(
            &dx,
            channels,
            [l, l - 1],
            [rows, (before, 2)],
            vec![otherwise(value)],
        );
        let value = smooth(&|d| self.at(dx, channels, i, 2 * j + d));
        let dy = format!("Dy_{l}_{name}");
        self.function(
            &dy,
            channels,
            [l, l],
            [rows, (first, 2)],
            vec![otherwise(value)],
        )
    }

    /// The level above `l` at twice as many rows.
    fn up_rows(&mut self, name: &str, l: i32, above: From) -> From {
        let i = self.i;
        let at = |row: Expr| self.at(above, true, row, self.j);
        let cases = vec![
            case(
                (i % 2).equals(0),
                (at(i / 2 - 1) + 6 * at(i / 2) + at(i / 2 + 1)) * 0.125,
            ),
            case(
                (i % 2).equals(1),
                (4 * at((i - 1) / 2) + 4 * at((i + 1) / 2)) * 0.125,
            ),
        ];
        self.function(
            name,
            true,
            [l, l + 1],
            [EDGES[l as usize], EDGES[l as usize + 1]],
            cases,
        )
    }

    /// `combine` of what is up by rows and now by columns: at odd and at even ones.
    fn up_columns(
        &self,
        rows: From,
        column: impl Into<Expr>,
        combine: &dyn Fn(Expr) -> Expr,
    ) -> [Expr; 2] {
        let j = column.into();
        let at = |column: Expr| self.at(rows, true, self.i, column);
        [
            (4 * at((&j - 1) / 2) + 4 * at((&j + 1) / 2)) * 0.125,
            (at(&j / 2 - 1) + 6 * at(&j / 2) + at(&j / 2 + 1)) * 0.125,
        ]
        .map(combine)
    }
}

/// Of each level, the first pixel with a value and how far the last one is from the end.
const EDGES: [(i32, i32); 4] = [(31, 30), (15, 14), (7, 6), (3, 2)];

pub fn pipeline() -> Pipeline {
    let mut p = Pipeline::new("pyramid_blending");
    let sizes = p.parameters(["R", "C"]);
    let [r, cc] = sizes;
    let [c, i, j] = p.variables(["c", "i", "j"]);
    let images = ["img1", "img2"].map(|name| p.image(name, F32, (3, r, cc)));
    let mask = From::Image(p.image("mask", F32, (r, cc)));
    let mut q = Levels { p, sizes, c, i, j };

    let names = ["img1", "img2"];
    let mut gauss: [Vec<From>; 3] = [
        vec![From::Image(images[0])],
        vec![From::Image(images[1])],
        vec![mask],
    ];
    for l in 1..=3 {
        for (pyramid, name) in gauss.iter_mut().zip(["img1", "img2", "mask"]) {
            let level = q.down(name, name != "mask", l, pyramid[l as usize - 1]);
            pyramid.push(level);
        }
    }
    // Level l of both pictures, or what the level above lacks of them, blended.
    let blended = |q: &mut Levels, l: i32, parts: [From; 2]| {
        let weight = q.at(gauss[2][l as usize], false, i, j);
        let [a, b] = parts.map(|part| q.at(part, true, i, j));
        let value = a * &weight + b * (1 - &weight);
        let edges = EDGES[l as usize];
        q.function(
            &format!("Res_{l}"),
            true,
            [l, l],
            [edges, edges],
            vec![otherwise(value)],
        )
    };
    let mut blend = vec![blended(&mut q, 3, [gauss[0][3], gauss[1][3]])];
    for l in (0..3).rev() {
        let edges = EDGES[l as usize];
        let parts = [0, 1].map(|picture| {
            let (own, above) = (gauss[picture][l as usize], gauss[picture][l as usize + 1]);
            let rows = q.up_rows(&format!("Ux_{l}_{}", names[picture]), l, above);
            let minus = |up: Expr| q.at(own, true, i, j) - up;
            let [odd, even] = q.up_columns(rows, j, &minus);
            let cases = vec![case((j % 2).equals(1), odd), case((j % 2).equals(0), even)];
            q.function(
                &format!("Uy_{l}_{}", names[picture]),
                true,
                [l, l],
                [edges, edges],
                cases,
            )
        });
        blend.push(blended(&mut q, l, parts));
    }
    let mut above = blend[0];
    for l in [2, 1] {
        let edges = EDGES[l as usize];
        let own = blend[3 - l as usize];
        let rows = q.up_rows(&format!("Col_{l}_x"), l, above);
        let plus = |up: Expr| q.at(own, true, i, j) + up;
        let [odd, even] = q.up_columns(rows, j, &plus);
        let cases = vec![case((j % 2).equals(1), odd), case((j % 2).equals(0), even)];
        above = q.function(&format!("Col_{l}"), true, [l, l], [edges, edges], cases);
    }
    let rows = q.up_rows("blend_x", 0, above);
    let plus = |up: Expr| q.at(blend[3], true, i, j) + up;
    let [odd, even] = q.up_columns(rows, j, &plus);
    let result = q.p.output(
        "blend",
        F32,
        [c.below(3), i.over(31, r - 30), j.over(31, cc - 30)],
    );
    let cases = [case((j % 2).equals(1), odd), case((j % 2).equals(0), even)];
    q.p.cases(result, cases);
    q.p
}
