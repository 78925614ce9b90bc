//! Functions that were written without an eye on this compiler, and what becomes of each: the table
//! that says how much of ordinary C is taken.

use crate::{preprocess_in, unit};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tilewright::diagnostic::Severity;
use tilewright::frontend::c::lower::lower_region;

#[test]
fn functions_by_outcome() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let (mut table, mut taken, mut all) = (String::new(), 0, 0);
    for path in files {
        let text = fs::read_to_string(&path).expect("a file");
        let source = preprocess_in(&folder, &text);
        let unit = unit(&source);
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
            let first = outcome.iter().find(|d| d.severity == Severity::Error);
            let first = first.expect("an error");
            let _ = writeln!(table, "{file}: {name}: {} {}", first.code, first.message);
        }
    }
    insta::assert_snapshot!(format!("{taken} of {all} are taken\n{table}"));
}
