//! From C text to the model: cases as text for what becomes of a region, and a comparison of
//! domains, order and accesses with the loops executed step by step.

mod accesses;
mod assumptions;
mod bodies;
mod bounds;
mod callees;
mod cases;
mod computed;
mod conditions;
mod copied_pointers;
mod corpus;
mod dynamic;
mod effects;
mod evaluate;
mod examples;
mod execute;
mod followed;
mod functions;
mod inner;
mod left_behind;
mod life;
mod lives;
mod memory;
mod messages;
mod normal;
mod offers;
mod openmp;
mod parameters;
mod parity;
mod refused;
mod semantics;
mod shapes;
mod sizes;
mod statements;
mod structures;
mod subscripts;
mod surveys;
mod tables;
mod values;
mod within;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::lower::{Lowered, lower_region};
use tilewright::frontend::c::read;
use tilewright::frontend::c::syntax::Unit;
use tilewright::source::Source;

/// Runs the system's preprocessor on a text.
fn preprocess(text: &str) -> Source {
    preprocess_in(Path::new("."), text)
}

/// The same for a text that includes files of a folder.
fn preprocess_in(folder: &Path, text: &str) -> Source {
    let mut child = Command::new("cc")
        .arg("-I")
        .arg(folder)
        .args(["-E", "-D__NO_CTYPE", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a C compiler");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("the text is read");
    drop(input);
    let output = child.wait_with_output().expect("the preprocessor ends");
    assert!(output.status.success(), "the preprocessor failed");
    Source {
        name: "<stdin>".to_owned(),
        text: text.to_owned(),
        preprocessed: String::from_utf8(output.stdout).expect("ASCII"),
        ..Source::default()
    }
}

/// A text that needs no preprocessor.
fn plain(text: &str) -> Source {
    Source {
        name: "<stdin>".to_owned(),
        text: text.to_owned(),
        preprocessed: text.to_owned(),
        ..Source::default()
    }
}

/// Parses a text that must be well formed.
fn unit(source: &Source) -> Unit {
    read(source).unwrap_or_else(|errors| panic!("{}", render(source, &errors)))
}

/// Lowers the first region of a text. What messages offer has to be accepted.
fn lowered(ctx: &isl::Ctx, source: &Source) -> Result<Lowered, Vec<Diagnostic>> {
    let result = lower_region(ctx, &unit(source), 0);
    match &result {
        Ok(lowered) => offers::check(source, &lowered.warnings),
        Err(errors) => offers::check(source, errors),
    };
    result
}

/// Messages as text, with the lines and the marked words.
fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for d in diagnostics {
        let severity = format!("{:?}", d.severity).to_lowercase();
        text += &format!("{severity} {}: {}\n", d.code, d.message);
        for label in &d.labels {
            let (line, column) = source.line_column(label.start);
            let marked = source.text[label.start..label.end]
                .lines()
                .next()
                .unwrap_or("");
            let sign = if label.primary { "-->" } else { " - " };
            text += &format!("  {sign} {line}:{column} `{marked}` {}\n", label.text);
        }
        for note in &d.notes {
            text += &format!("  note: {note}\n");
        }
        if let Some(help) = &d.help {
            text += &format!("  help: {help}\n");
        }
        if let Some(rewrite) = &d.rewrite {
            text += &format!("  rewrite: {rewrite}\n");
        }
    }
    text
}
