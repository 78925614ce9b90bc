//! `examples/pipelines/camera_pipe.c`

use tilewright_lang::*;

fn difference(a: &Expr, b: &Expr) -> Expr {
    select(a.clone().gt(b), a - b, b - a).cast(I16)
}

fn mean(a: &Expr, b: &Expr) -> Expr {
    (a + b) / 2
}

pub fn pipeline() -> Pipeline {
    let mut p = Pipeline::new("camera_pipe");
    let [r, cc] = p.parameters(["R", "C"]);
    p.assume(r.ge(50) & cc.ge(66));
    let [temperature, contrast, gamma] =
        ["colour_temp", "contrast", "gamma"].map(|name| p.scalar(name, F32));
    let [c, i, j, v] = p.variables(["c", "i", "j", "v"]);
    let img = p.image("img", I16, (r, cc));
    let warm = p.image("matrix_3200", F32, (3, 4));
    let cold = p.image("matrix_7000", F32, (3, 4));
    // Blocks of two by two sites that become pixels of the result.
    let (h, w) = (|| r / 2 - 24, || cc / 2 - 32);

    let at = |di: i32, dj: i32| img.at((i + di, j + dj));
    let (up, down, left, right) = (at(6, 12), at(10, 12), at(8, 10), at(8, 14));
    let least = up.clone().min(&down).min(left.clone().min(&right));
    let most = up.max(down).max(left.max(right));
    let denoised = p.function(
        "denoised",
        I16,
        [i.below(2 * h() + 8), j.below(2 * w() + 8)],
    );
    p.define(denoised, least.max(most.min(at(8, 12))));

    let domain = [c.below(4), i.below(h() + 4), j.below(w() + 4)];
    let deinterleaved = p.function("deinterleaved", I16, domain);
    let kinds = [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().enumerate();
    let kinds = kinds
        .map(|(kind, (di, dj))| case(c.equals(kind as i32), denoised.at((2 * i + di, 2 * j + dj))));
    p.cases(deinterleaved, kinds);
    let [g_gr, r_r, b_b, g_gb] =
        [("g_gr", 0), ("r_r", 1), ("b_b", 2), ("g_gb", 3)].map(|(n, k)| {
            let grid = p.function(n, I16, [i.below(h() + 4), j.below(w() + 4)]);
            p.define(grid, deinterleaved.at((k, i, j)));
            grid
        });
    let at = |f: Function, di: i32, dj: i32| f.at((i + di, j + dj));

    let mut green = |name, beside: [Expr; 2], above: [Expr; 2]| {
        let green = p.function(name, I16, [i.below(h() + 2), j.below(w() + 2)]);
        let [[a, b], [d, e]] = [&beside, &above];
        let nearer = difference(a, b).lt(difference(d, e));
        p.define(green, select(nearer, mean(a, b), mean(d, e)));
        green
    };
    let g_r = green(
        "g_r",
        [at(g_gr, 1, 2), at(g_gr, 1, 1)],
        [at(g_gb, 0, 1), at(g_gb, 1, 1)],
    );
    let g_b = green(
        "g_b",
        [at(g_gb, 1, 0), at(g_gb, 1, 1)],
        [at(g_gr, 2, 1), at(g_gr, 1, 1)],
    );

    // Green there, and of two neighbours each what is measured and the green.
    type Sites = [(i32, i32); 2];
    let mut at_green =
        |name, green: Function, measured: (Function, Sites), known: (Function, Sites)| {
            let sites = p.function(name, I16, [i.below(h()), j.below(w())]);
            let [colour, missed] =
                [measured, known].map(|(f, [a, b])| mean(&at(f, a.0, a.1), &at(f, b.0, b.1)));
            p.define(sites, at(green, 2, 2) - missed + colour);
            sites
        };
    let r_gr = at_green(
        "r_gr",
        g_gr,
        (r_r, [(2, 2), (2, 1)]),
        (g_r, [(1, 1), (1, 0)]),
    );
    let b_gr = at_green(
        "b_gr",
        g_gr,
        (b_b, [(2, 2), (1, 2)]),
        (g_b, [(1, 1), (0, 1)]),
    );
    let r_gb = at_green(
        "r_gb",
        g_gb,
        (r_r, [(2, 2), (3, 2)]),
        (g_r, [(1, 1), (2, 1)]),
    );
    let b_gb = at_green(
        "b_gb",
        g_gb,
        (b_b, [(2, 2), (2, 3)]),
        (g_b, [(1, 1), (1, 2)]),
    );

    // Along one of the two diagonals, each as two measured sites and green beside them.
    let mut diagonal = |name, green: Expr, one: [Expr; 4], other: [Expr; 4]| {
        let sites = p.function(name, I16, [i.below(h()), j.below(w())]);
        let nearer = difference(&one[0], &one[1]).lt(difference(&other[0], &other[1]));
        let [one, other] = [one, other].map(|[a, b, e, f]| &green - mean(&e, &f) + mean(&a, &b));
        p.define(sites, select(nearer, one, other));
        sites
    };
    let r_b = diagonal(
        "r_b",
        at(g_b, 1, 1),
        [at(r_r, 2, 2), at(r_r, 3, 1), at(g_r, 1, 1), at(g_r, 2, 0)],
        [at(r_r, 2, 1), at(r_r, 3, 2), at(g_r, 1, 0), at(g_r, 2, 1)],
    );
    let b_r = diagonal(
        "b_r",
        at(g_r, 1, 1),
        [at(b_b, 2, 2), at(b_b, 1, 3), at(g_b, 1, 1), at(g_b, 0, 2)],
        [at(b_b, 2, 3), at(b_b, 1, 2), at(g_b, 1, 2), at(g_b, 0, 1)],
    );

    let mut rows = |name, (even, a): (Function, i32), (odd, b): (Function, i32)| {
        let rows = p.function(name, I16, [i.below(h()), j.below(2 * w())]);
        let even = case((j % 2).equals(0), even.at((i + a, j / 2 + a)));
        let odd = case((j % 2).equals(1), odd.at((i + b, j / 2 + b)));
        p.cases(rows, [even, odd]);
        rows
    };
    let colours = [
        (
            "red",
            rows("redX1", (r_gr, 0), (r_r, 2)),
            rows("redX2", (r_b, 0), (r_gb, 0)),
        ),
        (
            "green",
            rows("greenX1", (g_gr, 2), (g_r, 1)),
            rows("greenX2", (g_b, 1), (g_gb, 2)),
        ),
        (
            "blue",
            rows("blueX1", (b_gr, 0), (b_r, 0)),
            rows("blueX2", (b_b, 2), (b_gb, 0)),
        ),
    ];
    let [red, green, blue] = colours.map(|(name, even, odd)| {
        let plane = p.function(name, I16, [i.below(2 * h()), j.below(2 * w())]);
        let even = case((i % 2).equals(0), even.at((i / 2, j)));
        let odd = case((i % 2).equals(1), odd.at((i / 2, j)));
        p.cases(plane, [even, odd]);
        plane.at((i, j))
    });

    let matrix = p.function("matrix", I32, [i.below(3), j.below(4)]);
    let alpha = (1.0 / temperature - 0.0003125) / -0.000169642857143;
    let mixed = warm.at((i, j)) * &alpha + cold.at((i, j)) * (1 - &alpha);
    p.define(matrix, (mixed * 256.0).cast(I32));
    let result = || [c.below(3), i.below(2 * h()), j.below(2 * w())];
    let corrected = p.function("corrected", I16, result());
    let of = |k: i32| matrix.at((2 - c, k));
    p.define(
        corrected,
        (of(3) + of(0) * red + of(1) * green + of(2) * blue) / 256,
    );

    let curve = p.function("curve", U8, [v.below(65536)]);
    let clamped = ((v - 32768) / 1024.0).clamp(0.0, 1.0);
    let g = clamped.pow(1.0 / gamma);
    let b = 2.0 - Expr::number(2.0).pow(contrast / 100.0);
    let a = 2.0 - 2.0 * &b;
    let above = 1.0 - (&a * (1.0 - &g) * (1.0 - &g) + &b * (1.0 - &g));
    let z = select(g.clone().gt(0.5), above, &a * &g * &g + &b * &g);
    p.define(curve, (z * 256.0).clamp(0.0, 255.0));
    let processed = p.output(
        "processed",
        U8,
        [c.below(3), i.below(r - 48), j.below(cc - 64)],
    );
    let inside = i.lt(2 * h()) & j.lt(2 * w());
    p.cases(
        processed,
        [case(
            inside,
            curve.at((corrected.at((c, i, j)).cast(I32) + 32768,)),
        )],
    );
    p
}
