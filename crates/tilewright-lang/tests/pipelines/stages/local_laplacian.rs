//! `examples/pipelines/local_laplacian.c`

use tilewright_lang::*;

const LEVELS: i32 = 8;

/// The pipeline, and what its functions have in common.
struct Pyramids {
    p: Pipeline,
    sizes: [Parameter; 2],
    k: Variable,
    i: Variable,
    j: Variable,
}

impl Pyramids {
    /// Pixels of a level in each direction, without the border.
    fn level(&self, level: i32) -> [Expr; 2] {
        self.sizes.map(|size| match level {
            0 => Expr::from(size),
            _ => size / (1 << level),
        })
    }

    /// A function of `rows x columns` pixels with a border, of all remapped pictures or of one;
    /// zero but where `inside` says more.
    fn function(
        &mut self,
        name: &str,
        all: bool,
        [rows, columns]: [Expr; 2],
        values: Vec<Case>,
    ) -> Function {
        let mut domain = vec![self.i.below(&rows + 4), self.j.below(&columns + 4)];
        if all {
            domain.insert(0, self.k.below(8));
        }
        let inside = || self.i.within(2, &rows - 1) & self.j.within(2, &columns - 1);
        let f = self.p.function(name, F32, domain);
        let mut cases: Vec<Case> = values
            .into_iter()
            .map(|case| case.under(inside()))
            .collect();
        cases.push(case(!inside(), 0));
        self.p.cases(f, cases);
        f
    }

    fn at(&self, f: Function, all: bool, i: impl Into<Expr>, j: impl Into<Expr>) -> Expr {
        if all {
            f.at((self.k, i, j))
        } else {
            f.at((i, j))
        }
    }

    /// The Gaussian pyramid over `base`.
    fn down(&mut self, name: &str, all: bool, base: Function) -> Vec<Function> {
        let (i, j) = (self.i, self.j);
        let smooth = |at: &dyn Fn(i32) -> Expr| (at(3) + 3 * at(2) + 3 * at(1) + at(0)) * 0.125;
        let mut levels = vec![base];
        for l in 1..LEVELS {
            let ([rows, columns], [_, before]) = (self.level(l), self.level(l - 1));
            let below = levels[l as usize - 1];
            let value = smooth(&|d| self.at(below, all, 2 * i - d, j));
            let dx = format!("Dx_{name}_L{l}");
            let dx = self.function(&dx, all, [rows.clone(), before], vec![otherwise(value)]);
            let value = smooth(&|d| self.at(dx, all, i, 2 * j - d));
            let level = format!("D_{name}_L{l}");
            levels.push(self.function(&level, all, [rows, columns], vec![otherwise(value)]));
        }
        levels
    }

    /// `combine` of level `l` and of the level `above` it brought up.
    fn up(
        &mut self,
        [dx, name]: [&str; 2],
        all: bool,
        l: i32,
        above: Function,
        combine: &dyn Fn(&Pyramids, Expr) -> Expr,
    ) -> Function {
        let (i, j) = (self.i, self.j);
        let ([rows, columns], [_, before]) = (self.level(l), self.level(l + 1));
        let value = 0.25 * self.at(above, all, i / 2 + i % 2 * 2, j)
            + 0.75 * self.at(above, all, i / 2 + 1, j);
        let ux = self.function(dx, all, [rows.clone(), before], vec![otherwise(value)]);
        let value = |d: i32| {
            let far = self.at(ux, all, i, j / 2 + d);
            combine(self, 0.25 * far + 0.75 * self.at(ux, all, i, j / 2 + 1))
        };
        let cases = [(0, 0), (1, 2)].map(|(rest, d)| case((j % 2).equals(rest), value(d)));
        self.function(name, all, [rows, columns], cases.into())
    }
}

/// What is between the two levels of brightness next to a gray value, linearly.
fn between(gray: &Expr, levels: impl Fn(Expr) -> Expr) -> Expr {
    let below = (gray * 7).cast(I32).clamp(0, 6);
    let upper = gray * 7 - &below;
    (1 - &upper) * levels(below.clone()) + upper * levels(below + 1)
}

pub fn pipeline() -> Pipeline {
    let mut p = Pipeline::new("local_laplacian");
    let [r, cc] = p.parameters(["R", "C"]);
    let [alpha, beta] = ["alpha", "beta"].map(|name| p.scalar(name, F32));
    let [c, k, i, j, v] = p.variables(["c", "k", "i", "j", "r"]);
    let img_colour = p.image("img_colour", U16, (3, r + 4, cc + 4));

    let lut = p.function("remapLUT", F32, [v.over(0, 3584)]);
    let x = (v - 1792) / 256.0;
    p.define(lut, alpha * &x * (-&x * &x / 2).exp());
    let img = p.function("img", F32, [i.below(r + 4), j.below(cc + 4)]);
    let colour = |c: i32| img_colour.at((c, i, j));
    p.define(
        img,
        (0.299 * colour(2) + 0.587 * colour(1) + 0.114 * colour(0)) / 65535,
    );
    let gray = img.at((i, j));
    let remapped = p.function(
        "gPyramid_L0",
        F32,
        [k.below(8), i.below(r + 4), j.below(cc + 4)],
    );
    let bin = (&gray * 1792).cast(I32).clamp(0, 1792) - 256 * k + 1792;
    let level = || k * 0.142857142857;
    p.define(
        remapped,
        beta * (&gray - level()) + level() + lut.at((bin,)),
    );

    let mut q = Pyramids {
        p,
        sizes: [r, cc],
        k,
        i,
        j,
    };
    let gauss = q.down("inGPyramid", false, img);
    let all = q.down("gPyramid", true, remapped);
    let top = LEVELS as usize - 1;
    let mut laplace = vec![all[top]];
    for l in (0..LEVELS - 1).rev() {
        let (own, above) = (all[l as usize], all[l as usize + 1]);
        let names = [format!("Ux_lPyramid_L{l}"), format!("U_lPyramid_L{l}")];
        let minus = |q: &Pyramids, up: Expr| q.at(own, true, q.i, q.j) - up;
        laplace.push(q.up([&names[0], &names[1]], true, l, above, &minus));
    }
    laplace.reverse();
    let mut picked = Vec::new();
    for l in (0..LEVELS).rev() {
        let [rows, columns] = q.level(l);
        let domain = [i.below(rows + 4), j.below(columns + 4)];
        let out = q.p.function(&format!("outLPyramid_L{l}"), F32, domain);
        let gray = gauss[l as usize].at((i, j));
        q.p.define(out, between(&gray, |k| laplace[l as usize].at((k, i, j))));
        picked.push(out);
    }
    picked.reverse();
    let mut above = picked[top];
    for l in (0..LEVELS - 1).rev() {
        let own = picked[l as usize];
        let name = match l {
            0 => "result_ref_gray".to_owned(),
            _ => format!("outGPyramid_L{l}"),
        };
        let plus = |q: &Pyramids, up: Expr| q.at(own, false, q.i, q.j) + up;
        above = q.up([&format!("Ux_{name}"), &name], false, l, above, &plus);
    }
    let mut p = q.p;
    let result = p.output("laplacian", U16, [c.below(3), i.below(r), j.below(cc)]);
    let (i, j) = (i + 2, j + 2);
    let value = above.at((&i, &j)) * (img_colour.at((c, &i, &j)) / 65535.0 + 0.01)
        / (img.at((&i, &j)) + 0.01);
    p.define(result, value.clamp(0, 1) * 65535);
    p
}
