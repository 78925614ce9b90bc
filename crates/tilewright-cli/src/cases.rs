//! Cases as text, `tests/cases/**/*.c` of the workspace: each file is compiled with the options that
//! it names, as the command does it, in this process and without a machine file.

use crate::arguments::{Arguments, Command};
use crate::commands::{Work, compile};
use crate::progress::Progress;
use crate::terminal::Failure;
use clap::Parser;
use std::collections::BTreeMap;
use std::path::Path;
use tilewright::compile::Compiled;
use tilewright::diagnostic::Diagnostic;
use tilewright::source::Source;
use tilewright_cases::{Message, Of, Seen, run};
use tilewright_driver::diagnostics::Renderer;

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    run(&folder, |case| {
        let parts = case.parts.iter().map(|part| match &part.of {
            Of::Compile(options) => seen(&case.path, &part.program, options),
            Of::Region(_) => panic!("a region by itself is in `crates/tilewright/tests/cases`"),
        });
        parts.collect()
    });
}

/// What is seen of a program with some options, in a file of the name that its case has; what it
/// includes is beside the case.
fn seen(path: &Path, program: &str, options: &[String]) -> Seen {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(path.file_name().expect("a name"));
    std::fs::write(&file, program).expect("written");
    let beside = path.parent().expect("a folder");
    let paths = [&*file, beside].map(|path| path.to_string_lossy().into_owned());
    let [file, beside] = &paths;
    let own = [
        "tilewright",
        "compile",
        "--machine",
        "none",
        file,
        "-I",
        beside,
    ];
    let words = own.into_iter().chain(options.iter().map(String::as_str));
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => return refused(vec![in_words(error.to_string())]),
    };
    let Command::Compile(arguments) = &arguments.command else {
        unreachable!("the line says compile");
    };
    let progress = Progress::new(false);
    let work = compile::options(arguments, false).and_then(|options| {
        let toolchain = arguments.others.added(arguments.c.toolchain());
        let plan = arguments.plan.plan.as_deref();
        let work = Work::new(&arguments.file, &toolchain, &options, plan, &progress)?;
        work.check_estimates(&arguments.plan.model.estimates)?;
        Ok(work)
    });
    match work {
        Ok(work) => accepted(program, &work),
        Err(Failure::Refused(refusal)) => {
            refused(messages(&refusal.diagnostics, refusal.source.as_ref()))
        }
        Err(Failure::Unfit(diagnostic)) => refused(messages(&[*diagnostic], None)),
        Err(Failure::Usage(_, words)) => refused(vec![in_words(words)]),
        Err(Failure::Closed) => unreachable!("nothing is printed"),
    }
}

fn accepted(program: &str, work: &Work) -> Seen {
    let compiled = &work.compiled;
    let mut texts = BTreeMap::from([("code", compiled.text.clone())]);
    texts.insert("plan", compiled.plan.to_toml().unwrap_or_default());
    texts.insert("device", compiled.device.clone().unwrap_or_default());
    Seen {
        refused: false,
        left: compiled.text == program,
        messages: messages(&compiled.warnings, Some(&work.source)),
        texts,
        identical: Some(identical(compiled)),
    }
}

/// Every region that has a text was executed beside the original.
fn identical(compiled: &Compiled) -> Result<(), String> {
    let regions = compiled.regions.iter();
    let generated = regions.filter(|region| !region.order.groups.is_empty());
    let mut count = 0;
    for region in generated {
        count += 1;
        let what = format!("region {} of `{}`", region.index, region.function);
        let certified = region.executed.certified.as_ref();
        let certified = certified.ok_or_else(|| format!("{what} was not"))?;
        if let Some(reason) = &certified.unknown {
            return Err(format!("{what} was not: {reason}"));
        }
        if certified.runs == 0 {
            return Err(format!("{what} had no input"));
        }
    }
    (count > 0)
        .then_some(())
        .ok_or("no region has a text".to_owned())
}

fn refused(messages: Vec<Message>) -> Seen {
    Seen {
        refused: true,
        messages,
        ..Seen::default()
    }
}

fn in_words(text: String) -> Message {
    Message {
        code: String::new(),
        place: None,
        text,
    }
}

/// Messages as the command shows them, of a file by its name alone.
fn messages(diagnostics: &[Diagnostic], source: Option<&Source>) -> Vec<Message> {
    let renderer = Renderer::new(false);
    let source = source.map(|source| {
        let name = Path::new(&source.name).file_name().unwrap_or_default();
        Source {
            name: name.to_string_lossy().into_owned(),
            ..source.clone()
        }
    });
    let place = |diagnostic: &Diagnostic| {
        let label = diagnostic.labels.iter().find(|label| label.primary)?;
        Some(source.as_ref()?.line_column(label.start))
    };
    let each = diagnostics.iter().map(|diagnostic| Message {
        code: diagnostic.code.to_owned(),
        place: place(diagnostic),
        text: renderer.render(diagnostic, source.as_ref()),
    });
    each.collect()
}
