//! Blur: built, compiled, run, equal to itself stage by stage.

use tilewright_lang::*;

fn blur() -> Pipeline {
    let mut p = Pipeline::new("blur");
    let [r, c] = p.parameters(["R", "C"]);
    let [x, y] = p.variables(["x", "y"]);
    let img = p.image("img", F32, (r + 2, c + 2));
    let blurx = p.function("blurx", F32, [x.over(1, r), y.over(0, c + 1)]);
    p.define(blurx, (img.at((x - 1, y)) + img.at((x, y)) + img.at((x + 1, y))) / 3);
    let blury = p.output("blury", F32, [x.over(1, r), y.over(1, c)]);
    p.define(blury, (blurx.at((x, y - 1)) + blurx.at((x, y)) + blurx.at((x, y + 1))) * 0.25);
    p
}

#[test]
fn runs() {
    let p = blur();
    println!("{}", p.program().unwrap().source().text);
    let k = p.compile_with(&Options { exact: true, ..Options::default() }).unwrap();
    println!("{}", k.reference_text());
    println!("{}", k.c_text());
    println!("{}", k.explain());
    let r = p.reference(&Options { exact: true, ..Options::default() }).unwrap();
    let img: Vec<f32> = (0..66 * 102).map(|i| (i * i % 977) as f32).collect();
    let mut a = vec![0.0f32; 64 * 100];
    let mut b = a.clone();
    k.call().image("img", &img, &[66, 102]).output("blury", &mut a).run().unwrap();
    r.call().image("img", &img, &[66, 102]).output("blury", &mut b).run().unwrap();
    assert!(a == b && a[77] != 0.0);
}
