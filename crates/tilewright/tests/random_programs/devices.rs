//! Random programs with bounds that are data on devices: a few, in one file with the host's side
//! of OpenCL in front, each called beside its original.

use super::batch::{
    BUDGET, GENERATION_TIME, INCLUDES, PRELUDE, Program, SCHEDULING_TIME, Verdict, main_function,
    run_one,
};
use super::general::{GUARDED_LENGTH, LENGTH};
use super::steps::{Order, Steps};
use std::collections::BTreeMap;
use std::process::Command;
use tilewright::codegen::passes::dynamic::exits::kept::Level;
use tilewright::compile::{Limits, Options, Target, compile};
use tilewright::planner::{DeviceWishes, Inspect};
use tilewright::source::Source;

/// How many kernels there are, if all programs compute the same; `None` without a device.
pub fn compare(programs: &[&Program], options: &Options) -> Option<usize> {
    let mut text = format!("{PRELUDE}{LENGTH}");
    let mut originals = String::new();
    for (number, program) in programs.iter().enumerate() {
        let own = program.text.replace(GUARDED_LENGTH, "");
        let named = |name: &str| own.replacen("void kernel(", &format!("void {name}_{number}("), 1);
        text.push_str(&named("result"));
        originals.push_str(&named("original"));
    }
    let source = Source {
        name: "programs.c".to_owned(),
        preprocessed: format!("# 1 \"programs.c\"\n{text}"),
        text,
        ..Source::default()
    };
    let compiled = compile(&source, options, None, &mut |_| {}).expect("compiled");
    let text = compiled.text.replacen(PRELUDE, "", 1);
    let kernels = text.matches("__kernel ").count();
    let numbered = programs.iter().copied().enumerate();
    let text = format!("{INCLUDES}{text}{originals}{}", main_function(numbered));

    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, built_program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, &text).expect("the temporary folder is writable");
    let built = Command::new("gcc")
        .args(["-std=gnu11", "-O0", "-ffp-contract=off", "-w", "-o"])
        .arg(&built_program)
        .arg(&file)
        .args(["-lOpenCL", "-lm"])
        .output()
        .expect("gcc runs");
    if !built.status.success() {
        let errors = String::from_utf8_lossy(&built.stderr);
        assert!(
            errors.contains("CL/cl.h") || errors.contains("-lOpenCL"),
            "{errors}"
        );
        return none(&errors);
    }
    for (number, program) in programs.iter().enumerate() {
        match run_one(&built_program, number) {
            Verdict::Same => {}
            Verdict::Failed(reason) if reason.contains("there is no") => return none(&reason),
            Verdict::Failed(reason) => {
                panic!("{reason}\n{:?}\n{}", program.arguments, program.text)
            }
        }
    }
    Some(kernels)
}

/// What became of programs with loops that are left early.
#[derive(Debug, Default)]
pub struct Left {
    /// Loops, by who leaves them.
    pub by: BTreeMap<String, usize>,
    /// Programs whose order was refused, or that take too long to execute.
    pub refused: usize,
    /// Programs with loops that blocks or the host leave, by their place.
    pub together: Vec<usize>,
}

/// Options for one of these programs, in small blocks.
pub fn options(order: &Order) -> Options {
    let mut options = Options {
        target: Target::OpenCl,
        limits: Limits {
            budget: BUDGET,
            scheduling_time: SCHEDULING_TIME,
            generation_time: GENERATION_TIME,
            ..Limits::default()
        },
        ..Options::default()
    };
    let wishes = &mut options.wishes;
    wishes.device = Some(DeviceWishes {
        threads: Some(vec![4, 2]),
        ..DeviceWishes::default()
    });
    wishes.shape = Some(order.shape);
    wishes.tile_sizes = Some(order.tile_sizes.clone());
    wishes.loops.clone_from(&order.loops);
    // Inspected bounds are not left by the host.
    wishes.data.inspect = Inspect::None;
    options
}

/// Executes in the compiler, thread by thread, what programs would do on a device. What differs is
/// a panic with the program.
pub fn replay(all: &[Steps]) -> Left {
    let mut left = Left::default();
    for (place, Steps { program, order }) in all.iter().enumerate() {
        let text = program.text.replace(GUARDED_LENGTH, LENGTH);
        let source = Source {
            name: "case.c".to_owned(),
            preprocessed: format!("# 1 \"case.c\"\n{text}"),
            text,
            ..Source::default()
        };
        let options = Options {
            replay: Some(BTreeMap::from([("n".to_owned(), 5)])),
            ..options(order)
        };
        let compiled = match compile(&source, &options, None, &mut |_| {}) {
            Ok(compiled) => compiled,
            Err(errors) => {
                let shown = format!("{errors:?}");
                let wrong = shown.contains("the device would not compute");
                let missing = shown.contains("nothing was replayed");
                let long = shown.contains("too many steps");
                assert!(
                    !wrong && (long || !missing),
                    "{shown}\n{order:?}\n{}",
                    program.text
                );
                left.refused += 1;
                continue;
            }
        };
        let exits = compiled.regions.iter().flat_map(|region| &region.exits);
        for level in exits.filter_map(|exit| exit.left_by) {
            *left.by.entry(format!("{level:?}")).or_default() += 1;
            if level != Level::Thread && left.together.last() != Some(&place) {
                left.together.push(place);
            }
        }
    }
    left
}

/// In CI there has to be a device.
fn none(reason: &str) -> Option<usize> {
    assert!(std::env::var_os("CI").is_none(), "no OpenCL: {reason}");
    eprintln!("SKIPPED: random programs on devices: {reason}");
    None
}
