//! Cases as text, `tests/cases/**/*.c` of this crate: each region is lowered by itself. Models keep
//! their invariants, and what messages offer is accepted.

use crate::{examples, offers, plain, preprocess, render};
use std::collections::BTreeMap;
use std::path::Path;
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::lower::lower_region;
use tilewright::frontend::c::read;
use tilewright::frontend::c::syntax::Unit;
use tilewright::scop::dump::dump;
use tilewright::source::Source;
use tilewright_cases::{Case, Message, Of, Seen, run};

#[test]
fn cases() {
    run(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"),
        look,
    );
}

/// A program, and what the parser makes of it.
struct Parsed<'c> {
    program: &'c str,
    source: Source,
    unit: Result<Unit, Vec<Diagnostic>>,
}

impl Parsed<'_> {
    fn new(program: &str) -> Parsed<'_> {
        let source = source(program);
        let unit = read(&source);
        Parsed {
            program,
            source,
            unit,
        }
    }
}

fn look(case: &Case) -> Vec<Seen> {
    // The regions of a file are of one program.
    let mut last: Option<Parsed> = None;
    let mut seen = Vec::new();
    for part in &case.parts {
        let Of::Region(region) = &part.of else {
            panic!("what is compiled is in `tests/cases` of the workspace");
        };
        let known = last.take().filter(|last| last.program == part.program);
        let parsed = known.unwrap_or_else(|| Parsed::new(&part.program));
        seen.push(match &parsed.unit {
            Ok(unit) => lowered(&parsed.source, unit, *region),
            Err(errors) => {
                offers::check(&parsed.source, errors);
                refused(&parsed.source, errors)
            }
        });
        last = Some(parsed);
    }
    seen
}

/// A text that goes through the preprocessor where it asks for it.
fn source(text: &str) -> Source {
    let lines = text.lines().map(str::trim_start);
    let mut directives = lines.filter(|line| line.starts_with('#'));
    let pragmas = directives.all(|line| line.starts_with("#pragma"));
    match pragmas && !text.contains("/*") && !text.contains("//") {
        true => plain(text),
        false => preprocess(text),
    }
}

fn lowered(source: &Source, unit: &Unit, region: usize) -> Seen {
    let found = lower_region(&isl::Ctx::new(), unit, region);
    let said = match &found {
        Ok(lowered) => &lowered.warnings,
        Err(errors) => errors,
    };
    if said.iter().any(|d| d.rewrite.is_some()) {
        offers::check(&alone(source, region), said);
    }
    match found {
        Err(errors) => refused(source, &errors),
        Ok(lowered) => {
            examples::check(&lowered.scop);
            let model = dump(&lowered.scop).expect("a dump");
            Seen {
                messages: messages(source, &lowered.warnings),
                texts: BTreeMap::from([("model", model)]),
                ..Seen::default()
            }
        }
    }
}

/// The file as if one region were all that is marked: what is offered in others is their own.
fn alone(file: &Source, region: usize) -> Source {
    let mut text = String::new();
    let mut number = 0;
    for line in file.text.split_inclusive('\n') {
        let begins = |word| line.trim_start().starts_with(word);
        let marks = begins("#pragma scop") || begins("#pragma endscop");
        if marks && number != region {
            text += &" ".repeat(line.trim_end().len());
            text += "\n";
        } else {
            text += line;
        }
        number += usize::from(begins("#pragma endscop"));
    }
    source(&text)
}

fn refused(source: &Source, errors: &[Diagnostic]) -> Seen {
    Seen {
        refused: true,
        messages: messages(source, errors),
        ..Seen::default()
    }
}

fn messages(source: &Source, diagnostics: &[Diagnostic]) -> Vec<Message> {
    let each = diagnostics.iter().map(|diagnostic| {
        let place = diagnostic.labels.iter().find(|label| label.primary);
        Message {
            code: diagnostic.code.to_owned(),
            place: place.map(|label| source.line_column(label.start)),
            text: render(source, std::slice::from_ref(diagnostic)),
        }
    });
    each.collect()
}
