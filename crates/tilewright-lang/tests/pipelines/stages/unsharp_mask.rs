//! `examples/pipelines/unsharp_mask.c`

use tilewright_lang::*;

pub fn pipeline() -> Pipeline {
    let mut p = Pipeline::new("unsharp_mask");
    let [r, cc] = p.parameters(["R", "C"]);
    let threshold = p.scalar("threshold", F32);
    let weight = p.scalar("weight", F32);
    let [c, i, j] = p.variables(["c", "i", "j"]);
    let img = p.image("img", F32, (3, r + 4, cc + 4));
    let result = || [c.below(3), i.below(r), j.below(cc)];
    const W: [f64; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

    let blurx = p.function("blurx", F32, [c.below(3), i.below(r), j.below(cc + 4)]);
    p.define(blurx, img.stencil((c, i + 2, j), W.map(|w| [w])));
    let blury = p.function("blury", F32, result());
    p.define(blury, blurx.stencil((c, i, j + 2), [W]));
    let sharpen = p.function("sharpen", F32, result());
    let (pixel, blurred) = (img.at((c, i + 2, j + 2)), blury.at((c, i, j)));
    p.define(sharpen, &pixel * (1 + weight) + &blurred * -weight);
    let mask = p.output("mask", F32, result());
    let flat = (&pixel - blurred).abs().lt(threshold);
    p.define(mask, select(flat, pixel, sharpen.at((c, i, j))));
    p
}
