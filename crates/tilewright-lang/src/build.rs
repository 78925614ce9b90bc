//! C text to something that can be called, by way of the cache of what was built before.

use std::fs;
use std::path::Path;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::interface::Interface;
use tilewright::frontend::pipeline::{Problem, Problems};
use tilewright_driver::Result;
use tilewright_driver::cache::{Cache, Parts};
use tilewright_driver::host::output::words;
use tilewright_driver::host::toolchain::{Purpose, Toolchain, is_about_a_file};
use tilewright_driver::measure::library::Program;
use tilewright_driver::measure::wrapper;

/// What the text is called where its own name matters to nobody.
const PROGRAM: &str = "program.c";

/// The function of `interface` in `text`, built unless the cache has it, and loaded.
///
/// Everything that went into the text (the pipeline, options, the plan, this compiler) is in the
/// key by being in the text; of what goes into the library the rest is the C compiler's.
pub(crate) fn build(
    name: &str,
    text: &str,
    interface: &Interface,
    toolchain: &Toolchain,
    exact: bool,
    cache: &Cache,
) -> std::result::Result<Program, Problems> {
    let purpose = if exact { Purpose::Check } else { Purpose::Time };
    let key = Parts::new("pipeline")
        .with("text", text)
        .with("wrapper", &wrapper::text(interface, Path::new(PROGRAM)))
        .built_by(toolchain, purpose)
        .key();
    let build = |library: &Path| compile(text, interface, toolchain, purpose, library);
    let built = cache.loaded(&key, build, Program::load);
    built.map_err(|diagnostic| failed(name, toolchain, &diagnostic))
}

fn compile(
    text: &str,
    interface: &Interface,
    toolchain: &Toolchain,
    purpose: Purpose,
    library: &Path,
) -> Result<()> {
    let files = |error: std::io::Error| {
        let message = format!(
            "the files of the build cannot be written: {}",
            words(&error)
        );
        Box::new(Diagnostic::error(Code::UnwritableOutput, message))
    };
    let directory = tempfile::tempdir().map_err(files)?;
    let file = |name: &str| directory.path().join(name);
    let (program, wrapped) = (file(PROGRAM), file("wrapper.c"));
    fs::write(&program, text).map_err(files)?;
    fs::write(&wrapped, wrapper::text(interface, &program)).map_err(files)?;
    toolchain.build(&wrapped, library, purpose, None, None)
}

/// What went wrong, without the C compiler's words about C that the user did not write.
fn failed(name: &str, toolchain: &Toolchain, diagnostic: &Diagnostic) -> Problems {
    let said = &diagnostic.message;
    let problem = if is_about_a_file(diagnostic) {
        let cc = &toolchain.cc;
        let message = format!(
            "pipeline {name}: the C compiler `{cc}` refuses the C that was made of the pipeline"
        );
        let help = "generated C needs C99 and names of its own; unless a flag or macro takes these \
                    away, this is a mistake of tilewright: please report it with the pipeline";
        Problem::new(message).help(help)
    } else if diagnostic.code == Code::RunFailed.name() {
        let help = "name libraries that define what is missing in the toolchain's `ldflags`";
        Problem::new(format!("pipeline {name}: {said}")).help(help)
    } else {
        let mut message = format!("pipeline {name}: {said}");
        for note in &diagnostic.notes {
            message += &format!(": {note}");
        }
        match &diagnostic.help {
            Some(help) => Problem::new(message).help(help),
            None => Problem::new(message),
        }
    };
    Problems(vec![problem])
}
