//! C text to something that can be called.

use std::fs;
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::interface::Interface;
use tilewright::frontend::pipeline::{Problem, Problems};
use tilewright_driver::library::Program;
use tilewright_driver::toolchain::{Purpose, Toolchain};
use tilewright_driver::wrapper;

/// Builds the function of `interface` in `text` and loads it.
pub(crate) fn build(
    name: &str,
    text: &str,
    interface: &Interface,
    toolchain: &Toolchain,
    exact: bool,
) -> Result<Program, Problems> {
    let files = |error: std::io::Error| {
        let message = format!("pipeline {name}: the files of the build cannot be written: {error}");
        Problems(vec![Problem::new(message)])
    };
    // What is loaded stays loaded when its file is gone.
    let directory = tempfile::tempdir().map_err(files)?;
    let file = |name: &str| directory.path().join(name);
    let (program, wrapped, library) = (file("program.c"), file("wrapper.c"), file("library.so"));
    fs::write(&program, text).map_err(files)?;
    fs::write(&wrapped, wrapper::text(interface, &program)).map_err(files)?;
    let purpose = match exact {
        true => Purpose::Check,
        false => Purpose::Time,
    };
    let built = toolchain.build(&wrapped, &library, purpose, None, None);
    built.map_err(|diagnostic| failed(name, &diagnostic))?;
    Program::load(&library).map_err(|diagnostic| failed(name, &diagnostic))
}

/// The C compiler's own words are about C that the user did not write; what helps is whether it
/// could be started at all.
fn failed(name: &str, diagnostic: &Diagnostic) -> Problems {
    let problem = Problem::new(format!("pipeline {name}: {}", diagnostic.message));
    Problems(vec![match &diagnostic.help {
        Some(help) => problem.help(help),
        None => problem,
    }])
}
