//! Functions that were written without an eye on this compiler, and what becomes of each: the table
//! that says how much of ordinary C is taken.

use crate::{offers, preprocess_in, unit};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tilewright::diagnostic::Severity;
use tilewright::frontend::c::divide::{Modelled, divide};
use tilewright::frontend::c::lower::lower_region;
use tilewright::frontend::c::parse::File;
use tilewright::frontend::c::syntax::Unit;

#[test]
fn functions_by_outcome() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let (mut table, mut taken, mut divided, mut left, mut all) = (String::new(), 0, 0, 0, 0);
    for path in files {
        let text = fs::read_to_string(&path).expect("a file");
        let source = preprocess_in(&folder, &text);
        let unit = unit(&source);
        let read = File::read(&source).expect("a file of C");
        let file = path.file_stem().expect("a name").to_string_lossy();
        for (number, region) in unit.regions.iter().enumerate() {
            let name = &unit.functions[region.function].name;
            all += 1;
            let outcome = match lower_region(&isl::Ctx::new(), &unit, number) {
                Ok(_) => {
                    taken += 1;
                    continue;
                }
                Err(errors) => errors,
            };
            offers::check_with(&source, &outcome, &|text| preprocess_in(&folder, text));
            let mut models = |unit: &Unit, n| {
                let lowered = lower_region(&isl::Ctx::new(), unit, n);
                lowered.ok().map(|_| Modelled::Plain)
            };
            let parts = divide(&read, &[number], &mut models).expect("outlines");
            let becomes = if let Some(parts) = parts.get(&number) {
                divided += 1;
                format!("{} part(s)", parts.len())
            } else {
                left += 1;
                "left as it was".to_owned()
            };
            let first = outcome.iter().find(|d| d.severity == Severity::Error);
            let first = first.expect("an error");
            let (code, message) = (first.code, &first.message);
            let _ = writeln!(table, "{file}: {name}: {becomes}: {code} {message}");
        }
    }
    let counts =
        format!("{taken} of {all} are taken, {divided} in parts, {left} left as they were");
    insta::assert_snapshot!(format!("{counts}\n{table}"));
}
