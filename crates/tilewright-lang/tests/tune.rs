//! Searching for the fastest plan, on small data and with no time.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;
use tilewright_driver::host::toolchain::{Toolchain, split};
use tilewright_lang::*;

fn blur() -> Pipeline {
    let mut p = Pipeline::new("blur");
    let [r, c] = p.parameters(["R", "C"]);
    let [x, y] = p.variables(["x", "y"]);
    let img = p.image("img", F32, (r + 2, c + 2));
    let blurx = p.function("blurx", F32, [x.below(r), y.below(c + 2)]);
    p.define(
        blurx,
        (img.at((x, y)) + img.at((x + 1, y)) + img.at((x + 2, y))) / 3,
    );
    let blury = p.output("blury", F32, [x.below(r), y.below(c)]);
    p.define(
        blury,
        (blurx.at((x, y)) + blurx.at((x, y + 1)) + blurx.at((x, y + 2))) / 3,
    );
    p
}

/// Builds are quick, and one is enough for comparing and timing.
fn options() -> Options {
    Options {
        toolchain: Toolchain {
            cflags: split("-O0"),
            ..Toolchain::default()
        },
        exact: true,
        ..Options::default()
    }
}

fn tuning<'d>() -> Tuning<'d> {
    Tuning::new(options())
        .size("R", 40)
        .size("C", 60)
        .runs(1)
        .budget(Duration::ZERO)
}

#[test]
fn the_winner_is_a_plan_to_compile_with() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("blur.jsonl");
    let picture: Vec<f32> = (0..42 * 62).map(|at| (at % 17) as f32).collect();
    let mut steps = Vec::new();
    let search = tuning().image("img", &picture, &[42, 62]).log(&log);
    let search = search.progress(|step| {
        steps.push(step.clone());
        ControlFlow::Continue(())
    });
    let tuned = blur().tune(search).unwrap();
    // Without time only the default plan is measured, and timed again.
    assert_eq!(tuned.candidate, "default plan");
    assert_eq!((tuned.tried, tuned.interrupted), (1, false));
    assert!(tuned.candidates > 100, "{}", tuned.candidates);
    assert!(tuned.ms > 0.0 && tuned.reference_ms.unwrap() > 0.0);
    assert_eq!(tuned.default_ms, Some(tuned.ms));
    let by_default = blur().compile_with(&options()).unwrap();
    assert_eq!(&tuned.plan, by_default.plan());
    let done: Vec<_> = steps.iter().map(|step| (step.done, step.finals)).collect();
    assert_eq!(done, [(1, false), (1, true)]);
    assert!(steps[0].best.is_some());

    // What was measured is known afterwards, so that there is time for one more or none; it is
    // about this picture only.
    let lines = fs::read_to_string(&log).unwrap().lines().count();
    let again = blur().tune(tuning().image("img", &picture, &[42, 62]).log(&log));
    assert_eq!(again.unwrap().ms, tuned.ms);
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), lines);
    let other = vec![0.0f32; 42 * 62];
    let refused = blur().tune(tuning().image("img", &other, &[42, 62]).log(&log));
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("other measurements"), "{message}");
    assert!(message.contains("input img"), "{message}");
    assert!(!message.contains("--"), "{message}");

    let file = directory.path().join("blur.toml");
    tuned.save_plan(&file).unwrap();
    let mut with_plan = options();
    with_plan.load_plan(&file).unwrap();
    assert_eq!(with_plan.plan.as_ref(), Some(&tuned.plan));
    let kernel = blur().compile_with(&with_plan).unwrap();
    assert_eq!(kernel.plan(), &tuned.plan);
}

#[test]
fn whoever_watches_may_end_it() {
    let mut seen = 0;
    let search = tuning().budget(Duration::from_secs(600)).progress(|step| {
        seen += 1;
        assert!(step.best.is_some() && !step.finals, "{step}");
        match step.done {
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    let tuned = blur().tune(search).unwrap();
    assert_eq!((seen, tuned.tried), (2, 2));
    assert!(tuned.interrupted && tuned.ms > 0.0);
    assert_eq!(tuned.reference_ms, None);
}

#[test]
fn bad_sizes_and_images_are_said_before_anything_runs() {
    let without_size = Tuning::new(options()).size("R", 40);
    let refused = blur().tune(without_size).unwrap_err().to_string();
    assert_eq!(refused, "the parameter C has no value");
    let picture = vec![0.0f32; 10];
    let refused = blur().tune(tuning().image("img", &picture, &[2, 5]));
    let refused = refused.unwrap_err().to_string();
    assert_eq!(refused, "img has to be 42 x 62 (R + 2 x C + 2), not 2 x 5");
    let refused = blur().tune(tuning().image("picture", &picture, &[2, 5]));
    let refused = refused.unwrap_err().to_string();
    assert_eq!(refused, "there is no image picture; there are img");
}

/// Subscripts that are data stay where a promise has them, also for made-up images.
#[test]
fn made_up_images_keep_promises() {
    let mut p = Pipeline::new("levels");
    let r = p.parameter("R");
    let [x, bin] = p.variables(["x", "bin"]);
    let img = p.image("img", F32, [r]);
    p.promise(img, 2.0, 3.0);
    let levels = p.output("levels", I32, [bin.below(31)]);
    let level = (img.at([x]) * 10).cast(I32);
    p.accumulate(levels, 0, [x.below(r)], [sum_into((level,), 1)]);
    let search = Tuning::new(options()).size("R", 500).runs(1);
    let tuned = p.tune(search.budget(Duration::ZERO)).unwrap();
    assert!(tuned.notes.is_empty(), "{:?}", tuned.notes);
    assert_eq!(tuned.tried, 1);
}
