//! The driver from outside, in one program: it is linked once.

mod experiment;
mod preprocess;
mod tune;

use std::ffi::OsString;
use std::time::Duration;
use tilewright_driver::measure::run::Runner;

/// Not a test: the measuring process, which is this very program started with this name.
#[test]
#[ignore = "the measuring process of the other tests"]
fn measuring_process() {
    assert_eq!(
        tilewright_driver::measure::worker::main(),
        std::process::ExitCode::SUCCESS
    );
}

/// Starts it for so many threads.
fn runner(threads: usize) -> Runner {
    let arguments = [
        "measuring_process",
        "--exact",
        "--ignored",
        "--nocapture",
        "--quiet",
    ];
    Runner {
        program: std::env::current_exe().unwrap(),
        arguments: arguments.map(OsString::from).to_vec(),
        threads,
        limit: Duration::from_secs(30),
    }
}
