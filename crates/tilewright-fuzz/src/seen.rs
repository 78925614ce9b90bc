//! Lowering beside what was seen ([`tilewright::validate::seen`]): of files, and of programs at random.

use crate::harness;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tilewright::source::Source;
use tilewright::validate::seen::{self, Compared, Options};

/// What is compared of a program at random: little, since there are many programs.
pub fn quick() -> Options {
    Options {
        inputs: 4,
        largest: 8,
        steps: 200_000,
        ..Options::default()
    }
}

/// What came of a program's regions.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Regions that were compared.
    pub regions: u64,
    /// Accesses that were.
    pub accesses: u64,
    /// What differs first.
    pub wrong: Option<String>,
    /// Why others were not compared.
    pub not_compared: Vec<String>,
}

/// Compares all regions of a program.
pub fn compared(source: &Source, options: &Options) -> Seen {
    let mut seen = Seen::default();
    let done = catch_unwind(AssertUnwindSafe(|| seen::compare(source, options)));
    let regions = match done {
        Ok(Ok(regions)) => regions,
        Ok(Err(errors)) => {
            seen.not_compared
                .extend(errors.into_iter().map(|e| e.message));
            return seen;
        }
        Err(_) => {
            seen.wrong = Some("lowering: panic".to_owned());
            return seen;
        }
    };
    for Compared {
        runs,
        accesses,
        not_compared,
        mismatch,
        ..
    } in regions
    {
        seen.regions += u64::from(runs > 0);
        seen.accesses += accesses as u64;
        seen.not_compared.extend(not_compared);
        if let Some(mismatch) = mismatch {
            seen.wrong.get_or_insert(format!("lowering: {mismatch}"));
        }
    }
    seen
}

/// Compares the regions of files, and prints what comes of them.
///
/// # Errors
/// How many files have regions that differ.
pub fn files(files: &[std::path::PathBuf], options: &Options) -> Result<(), String> {
    let mut wrong = 0;
    for file in files {
        let shown = file.display();
        let source = preprocessed(file)?;
        let seen = compared(&source, options);
        println!(
            "{shown}: {} regions, {} accesses",
            seen.regions, seen.accesses
        );
        for why in &seen.not_compared {
            println!("    not compared: {why}");
        }
        if let Some(what) = &seen.wrong {
            println!("    {what}");
            wrong += 1;
        }
    }
    match wrong {
        0 => Ok(()),
        _ => Err(format!("{wrong} files differ")),
    }
}

/// A file as its preprocessor leaves it.
///
/// # Errors
/// What the preprocessor says.
pub fn preprocessed(file: &Path) -> Result<Source, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    // Headers beside it.
    for entry in file
        .parent()
        .into_iter()
        .flat_map(std::fs::read_dir)
        .flatten()
        .flatten()
    {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "h") {
            if let Some(name) = path.file_name() {
                std::fs::copy(&path, folder.path().join(name)).map_err(|e| e.to_string())?;
            }
        }
    }
    // Comments are the preprocessor's.
    harness::source(&format!("{text}\n#undef NOTHING\n"), folder.path())
}
