//! Calls: what is refused, and that nothing runs then; reductions; several threads.

use tilewright_driver::host::toolchain::{Toolchain, split};
use tilewright_lang::*;

fn options() -> Options {
    Options {
        toolchain: Toolchain {
            cflags: split("-O1 -fopenmp -ffp-contract=off"),
            ..Toolchain::default()
        },
        ..Options::default()
    }
}

fn blur() -> Pipeline {
    let mut p = Pipeline::new("blur");
    let [r, c] = p.parameters(["R", "C"]);
    let gain = p.scalar("gain", F32);
    let [x, y] = p.variables(["x", "y"]);
    let img = p.image("img", F32, (r + 2, c + 2));
    let blurx = p.function("blurx", F32, [x.over(1, r), y.over(0, c + 1)]);
    p.define(blurx, img.stencil((x, y), [[1.0], [2.0], [1.0]]));
    let blury = p.output("blury", F32, [x.over(1, r), y.over(1, c)]);
    p.define(blury, blurx.stencil((x, y), [[1.0, 2.0, 1.0]]) * gain);
    p
}

/// The same in Rust, in the same order of operations.
fn expected(img: &[f32], rows: usize, columns: usize, gain: f32) -> Vec<f32> {
    let width = columns + 2;
    let at = |x: usize, y: usize| img[x * width + y];
    let down = |x: usize, y: usize| at(x - 1, y) + 2.0 * at(x, y) + at(x + 1, y);
    let cells = (1..=rows).flat_map(|x| (1..=columns).map(move |y| (x, y)));
    cells
        .map(|(x, y)| (down(x, y - 1) + 2.0 * down(x, y) + down(x, y + 1)) * gain)
        .collect()
}

#[test]
fn values_and_mistakes() {
    let kernel = blur().compile_with(&options()).unwrap();
    let img: Vec<f32> = (0..66 * 102).map(|i| (i * i % 977) as f32 * 0.37).collect();
    let mut out = vec![-1.0f32; 64 * 100];
    let call = || {
        kernel
            .call()
            .image("img", &img, &[66, 102])
            .scalar("gain", 0.0625)
    };
    call().output("blury", &mut out).run().unwrap();
    assert_eq!(out, expected(&img, 64, 100, 0.0625));

    // Sizes that agree but are not those of the image, types, names, what is missing.
    let mut small = vec![-1.0f32; 63 * 100];
    let mut wrong = vec![0u8; 64 * 100];
    let mut other = vec![0.0f32; 64 * 100];
    let refused = [
        (
            call().output("blury", &mut small).run(),
            "blury has to be 64 x 100 (R x C); it has 6300 cells",
        ),
        (
            call().output("blury", &mut wrong).run(),
            "blury has cells of F32, not U8",
        ),
        (call().run(), "blury is not given"),
        (
            call().size("R", 65).output("blury", &mut other).run(),
            "blury has to be 65 x 100 (R x C); it has 6400 cells\nimg has to be 67 x 102 (R + 2 x C + 2), not 66 x 102",
        ),
        (
            kernel.call().image("img", &img, &[66, 102]).run(),
            "the parameter gain has no value",
        ),
        (
            kernel.call().image("img", &img, &[66, 102, 1]).run(),
            "img has 2 dimensions, not 3",
        ),
        (
            kernel.call().image("img", &img, &[66, 103]).run(),
            "img of 66 x 103 needs as many cells, not 6732",
        ),
        (
            kernel.call().image("picture", &img, &[66, 102]).run(),
            "there is no image picture; there are img",
        ),
        (
            kernel.call().scalar("R", 0.5).run(),
            "R is a size and cannot be 0.5",
        ),
        (
            kernel.call().scalar("weight", 0.5).run(),
            "there is no parameter weight; there are R, C, gain",
        ),
        (
            kernel
                .call()
                .image("img", &img[..204], &[2, 102])
                .scalar("gain", 1.0)
                .run(),
            "img of 2 x 102 would make R 0, which has to be from 1 to 2147483647",
        ),
        (
            kernel.call().size("R", i64::MAX).run(),
            "the parameter C has no value\nthe parameter gain has no value",
        ),
    ];
    for (result, message) in refused {
        let said = result.expect_err(message).to_string();
        // Missing values are said behind the first mistake.
        assert!(said.starts_with(message), "{said}\nin place of\n{message}");
    }
    assert!(small.iter().all(|&cell| cell == -1.0));
}

#[test]
fn threads_do_not_disturb_each_other() {
    let kernel = blur().compile_with(&options()).unwrap();
    std::thread::scope(|scope| {
        for gain in 1..5 {
            let kernel = &kernel;
            scope.spawn(move || {
                let gain = gain as f32;
                let img: Vec<f32> = (0..34 * 52).map(|i| (i * i % 977) as f32 * gain).collect();
                let wanted = expected(&img, 32, 50, gain);
                for _ in 0..20 {
                    let mut out = vec![0.0f32; 32 * 50];
                    let call = kernel.call().image("img", &img, &[34, 52]);
                    call.scalar("gain", gain.into())
                        .output("blury", &mut out)
                        .run()
                        .unwrap();
                    assert_eq!(out, wanted);
                }
            });
        }
    });
}

/// A plan that was saved is replayed, and one of another pipeline is refused in the user's terms.
#[test]
fn plans_are_kept() {
    let p = blur();
    let mut options = options();
    options.compile.wishes.tile_sizes = Some(vec![16, 24]);
    let kernel = p.compile_with(&options).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("blur.toml");
    kernel.save_plan(&file).unwrap();
    options.compile.wishes.tile_sizes = None;
    options.load_plan(&file).unwrap();
    let replayed = p.compile_with(&options).unwrap();
    assert_eq!(kernel.c_text(), replayed.c_text());
    assert!(
        replayed.explain().contains("tiles of 16 x 24"),
        "{}",
        replayed.explain()
    );
    assert!(replayed.view().unwrap().starts_with("<svg"));

    let mut other = Pipeline::new("other");
    let x = other.variable("x");
    let out = other.output("out", F32, [x.below(9)]);
    other.define(out, x * 0.5);
    let said = other.compile_with(&options).unwrap_err().to_string();
    assert_eq!(
        said,
        "pipeline other: the plan is for function `blur`, the region is in `other`"
    );
}

/// Sums, least and greatest values, a histogram; types that are not floating; min, max and abs.
#[test]
fn reductions() {
    let mut p = Pipeline::new("reductions");
    let [r, c] = p.parameters(["R", "C"]);
    let [x, y, bin] = p.variables(["x", "y", "bin"]);
    let img = p.image("img", U8, (r, c));
    let histogram = p.output("histogram", I32, [bin.below(256)]);
    let pixel = img.at((x, y));
    p.accumulate(
        histogram,
        0,
        [x.below(r), y.below(c)],
        [sum_into([&pixel], 1)],
    );
    let sums = p.output("sums", I64, [x.below(r)]);
    let signed = select((y % 2).equals(0), &pixel, -&pixel);
    p.reduce(sums, Combine::Sum, 7, [y.below(c)], signed);
    let extremes = p.output("extremes", U8, [bin.below(2)]);
    p.accumulate(
        extremes,
        select(bin.equals(0), 255, 0),
        [x.below(r), y.below(c)],
        [min_into([0], &pixel), max_into([1], pixel)],
    );
    let kernel = p.compile_with(&options()).unwrap();
    let img: Vec<u8> = (0..37 * 53).map(|i| (i * i % 251) as u8 / 2 + 3).collect();
    let (mut h, mut s, mut e) = (vec![0i32; 256], vec![0i64; 37], vec![0u8; 2]);
    let call = kernel.call().image("img", &img, &[37, 53]);
    call.output("histogram", &mut h)
        .output("sums", &mut s)
        .output("extremes", &mut e)
        .run()
        .unwrap();
    let mut counts = vec![0; 256];
    img.iter().for_each(|&v| counts[usize::from(v)] += 1);
    assert_eq!(h, counts);
    let sign = |y: usize| if y % 2 == 0 { 1 } else { -1 };
    let row = |row: &[u8]| {
        7 + row
            .iter()
            .enumerate()
            .map(|(y, &v)| sign(y) * i64::from(v))
            .sum::<i64>()
    };
    assert_eq!(s, img.chunks(53).map(row).collect::<Vec<_>>());
    assert_eq!(e, [*img.iter().min().unwrap(), *img.iter().max().unwrap()]);
}

/// Arrays of `ndarray` in standard layout; others are refused.
#[test]
fn ndarrays() {
    let kernel = blur().compile_with(&options()).unwrap();
    let img = ndarray::Array2::from_shape_fn((34, 52), |(x, y)| (x * 31 + y * y) as f32);
    let mut out = ndarray::Array2::<f32>::zeros((32, 50));
    let call = || kernel.call().scalar("gain", 0.5);
    let good = call().image_array("img", img.view());
    good.output_array("blury", out.view_mut()).run().unwrap();
    let wanted = expected(img.as_slice().unwrap(), 32, 50, 0.5);
    assert_eq!(out.as_slice().unwrap(), wanted);
    let reason = "is not in standard layout: rows have to be behind each other";
    let turned = call().image_array("img", img.t());
    let said = turned.output_array("blury", out.view_mut()).run();
    assert_eq!(said.unwrap_err().to_string(), format!("img {reason}"));
    // Every other column, reversed rows: an output is refused in the same way, and stays as it is.
    let before = out.clone();
    let mut wide = ndarray::Array2::<f32>::zeros((32, 100));
    let columns = wide.slice_mut(ndarray::s![.., ..;2]);
    let good = call().image_array("img", img.view());
    let said = good.output_array("blury", columns).run().unwrap_err();
    assert_eq!(said.to_string(), format!("blury {reason}"));
    let good = call().image_array("img", img.view());
    let upside_down = out.slice_mut(ndarray::s![..;-1, ..]);
    let said = good.output_array("blury", upside_down).run().unwrap_err();
    assert_eq!(said.to_string(), format!("blury {reason}"));
    assert_eq!(out, before);
    // Other types and shapes.
    let mut bytes = ndarray::Array2::<u8>::zeros((32, 50));
    let good = call().image_array("img", img.view());
    let said = good.output_array("blury", bytes.view_mut()).run();
    let said = said.unwrap_err().to_string();
    assert_eq!(said, "blury has cells of F32, not U8");
    let mut swapped = ndarray::Array2::<f32>::zeros((50, 32));
    let good = call().image_array("img", img.view());
    let said = good.output_array("blury", swapped.view_mut()).run();
    let said = said.unwrap_err().to_string();
    assert_eq!(said, "blury has to be 32 x 50 (R x C), not 50 x 32");
    // Parts of an array that are in standard layout are as good as whole ones.
    let mut two = ndarray::Array3::<f32>::zeros((2, 32, 50));
    let second = two.slice_mut(ndarray::s![1, .., ..]);
    let good = call().image_array("img", img.view());
    good.output_array("blury", second).run().unwrap();
    assert_eq!(two.slice(ndarray::s![1, .., ..]), before);
    assert!(
        two.slice(ndarray::s![0, .., ..])
            .iter()
            .all(|&cell| cell == 0.0)
    );
}

/// Promises are looked after in all of a large image, by several threads.
#[test]
fn one_cell_that_breaks_a_promise_is_found() {
    let mut p = Pipeline::new("level");
    let r = p.parameter("R");
    let x = p.variable("x");
    let img = p.image("img", F32, [r]);
    p.promise(img, 0.0, 1.0);
    let out = p.output("out", F32, [x.below(r)]);
    p.define(out, img.at([x]) * 2);
    let kernel = p.compile_with(&options()).unwrap();
    let cells = 900_001;
    let mut img = vec![0.5f32; cells];
    let mut out = vec![0.0f32; cells];
    for at in [0, cells / 2, cells - 1] {
        img[at] = 1.5;
        let call = kernel.call().image("img", &img, &[cells]);
        let said = call.output("out", &mut out).run().unwrap_err();
        assert_eq!(
            said.to_string(),
            "img holds 1.5, and was promised to hold values from 0 to 1"
        );
        img[at] = 0.5;
    }
    let call = kernel.call().image("img", &img, &[cells]);
    call.output("out", &mut out).run().unwrap();
    assert!(out.iter().all(|&cell| cell == 1.0));
}
