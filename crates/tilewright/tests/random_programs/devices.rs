//! Random programs with bounds that are data on devices: a few, in one file with the host's side
//! of OpenCL in front, each called beside its original.

use super::batch::{Case, INCLUDES, PRELUDE, Verdict, main_function, run_one};
use super::general::{GUARDED_LENGTH, LENGTH};
use std::process::Command;
use tilewright::compile::{Options, Target, compile};
use tilewright::source::Source;

/// How many kernels there are, if all programs compute the same; `None` without a device.
pub fn compare(cases: &[Case]) -> Option<usize> {
    let mut text = format!("{PRELUDE}{LENGTH}");
    let mut originals = String::new();
    for (number, case) in cases.iter().enumerate() {
        let own = case.program.text.replace(GUARDED_LENGTH, "");
        let named = |name: &str| own.replacen("void kernel(", &format!("void {name}_{number}("), 1);
        text.push_str(&named("result"));
        originals.push_str(&named("original"));
    }
    let source = Source {
        name: "programs.c".to_owned(),
        preprocessed: format!("# 1 \"programs.c\"\n{text}"),
        text,
    };
    let mut options = Options {
        target: Target::OpenCl,
        ..Options::default()
    };
    options.wishes.device = Some(Default::default());
    let compiled = compile(&source, &options, None, &mut |_| {}).expect("compiled");
    let text = compiled.text.replacen(PRELUDE, "", 1);
    let kernels = text.matches("__kernel ").count();
    let verdicts = vec![None; cases.len()];
    let text = format!(
        "{INCLUDES}{text}{originals}{}",
        main_function(cases, &verdicts)
    );

    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, &text).expect("the temporary folder is writable");
    let built = Command::new("gcc")
        .args(["-std=gnu11", "-O0", "-ffp-contract=off", "-w", "-o"])
        .arg(&program)
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
    for (number, case) in cases.iter().enumerate() {
        match run_one(&program, number) {
            Verdict::Same => {}
            Verdict::Failed(reason) if reason.contains("there is no") => return none(&reason),
            Verdict::Failed(reason) => panic!("{reason}\n{case}"),
        }
    }
    Some(kernels)
}

/// In CI there has to be a device.
fn none(reason: &str) -> Option<usize> {
    assert!(std::env::var_os("CI").is_none(), "no OpenCL: {reason}");
    eprintln!("SKIPPED: random programs on devices: {reason}");
    None
}
