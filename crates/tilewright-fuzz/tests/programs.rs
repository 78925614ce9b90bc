//! The generator's promises, the harness' eye for mistakes, and cases that were found.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tilewright_cases::{amount, share};
use tilewright_fuzz::case::Case;
use tilewright_fuzz::generate::{KINDS, generate};
use tilewright_fuzz::harness::{self, Build, Outcome, Subject, tag};
use tilewright_fuzz::reduce::check_case;
use tilewright_fuzz::run::state::State;
use tilewright_fuzz::run::worker::case;

#[test]
fn a_seed_makes_the_same_programs() {
    let mut seen = BTreeSet::new();
    for index in 0..300 {
        let program = generate(5, index, None, "");
        assert_eq!(program, generate(5, index, None, ""));
        seen.insert(program.to_string());
    }
    assert!(seen.len() > 295, "{} different programs", seen.len());
    for kind in KINDS {
        assert_eq!(generate(5, 1, Some(kind), "").kind, kind);
    }
}

#[test]
fn cases_are_read_as_they_are_written() {
    for index in 0..100 {
        let program = generate(6, index, None, "");
        let words = vec!["--shape none".to_owned(), "--tile-sizes 4,4".to_owned()];
        let case = case(6, None, index, &program, &words, "differs");
        assert_eq!(Case::parse(&case.to_string()), Some(case));
    }
}

/// Originals beside themselves: they are C, they end, and few have undefined behaviour.
#[test]
fn originals_are_sound() {
    let folder = tempfile::tempdir().unwrap();
    let mut undefined = 0;
    let mut compared = 0;
    for batch in 0..4 {
        let subjects: Vec<Subject> = (0..20)
            .map(|number| {
                let program = generate(7, batch * 20 + number as u64, None, &tag(number));
                let results = vec![(0, program.to_string())];
                Subject {
                    number,
                    program,
                    results,
                }
            })
            .collect();
        let outcomes = harness::run_batch(&subjects, &Build::SANITIZED, folder.path()).unwrap();
        for (subject, outcome) in outcomes {
            match outcome {
                Outcome::Same(runs) => compared += runs,
                Outcome::Undefined(_) => undefined += 1,
                Outcome::Wrong(what) => panic!("{subject:?} differs from itself: {what}"),
            }
        }
    }
    assert!(undefined <= 6, "{undefined} of 80 are undefined");
    assert!(compared > 3_000, "{compared}");
}

/// Results with one mistake each.
#[test]
fn mistakes_are_seen() {
    let text = std::fs::read_to_string(cases().join("a_plain_loop.c")).unwrap();
    let case = Case::parse(&text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mistakes = [
        ("half(b[i + 1])", "half(b[i])"),
        ("s += b[i]", "s = b[i]"),
        ("a[i] =", "a[i + 1] ="),
        ("i < n", "i <= n"),
        ("i < n", "i < n - 1"),
        ("b[i + 1]", "b[i + 2]"),
        ("int i = 0", "int i = -1"),
        ("x / 2", "x / (x - x)"),
        ("x / 2", "x << 33"),
    ];
    for (right, wrong) in mistakes {
        let result = case.text.replacen(right, wrong, 1);
        assert_ne!(result, case.text);
        let outcome = harness::run_case(&case, &result, &Build::SANITIZED, folder.path()).unwrap();
        assert!(
            matches!(outcome, Outcome::Wrong(_)),
            "{right} for {wrong}: {outcome:?}"
        );
    }
    let same = harness::run_case(&case, &case.text, &Build::SANITIZED, folder.path()).unwrap();
    assert_eq!(same, Outcome::Same(2));
    let unsound = Case {
        text: case.text.replace("x / 2", "x << 33"),
        ..case.clone()
    };
    let outcome =
        harness::run_case(&unsound, &case.text, &Build::SANITIZED, folder.path()).unwrap();
    assert!(matches!(outcome, Outcome::Undefined(_)), "{outcome:?}");
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// What is wrong with some cases.
fn wrong_of(paths: &[PathBuf]) -> Vec<String> {
    let wrong = paths.iter().filter_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        let case = Case::parse(&text).unwrap_or_else(|| panic!("{} is no case", path.display()));
        match check_case(&case) {
            Ok(Outcome::Same(_)) => None,
            // gcc makes `-(float)x` of `0 - (float)x`, or does not, as the text around is.
            Ok(outcome) if outcome.is_of_zeros() && Build::literal().is_none() => None,
            other => Some(format!("{}: {other:?}", path.display())),
        }
    });
    wrong.collect()
}

#[test]
fn cases_compute_the_same() {
    let entries = std::fs::read_dir(cases()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    // Of the others `lowering` compares the models.
    let paths = share(paths, 2, 0);
    assert!(!paths.is_empty());
    let (first, second) = paths.split_at(paths.len() / 2);
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| wrong_of(second));
        [wrong_of(first), other.join().unwrap()].concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs of a fixed seed, as the command runs them; twice as many where `TILEWRIGHT_TEST_ALL` is
/// set.
#[test]
fn programs_at_random_compute_the_same() {
    let out = tempfile::tempdir().unwrap();
    let cases = amount(16, 32) as u64;
    let run = Command::new(env!("CARGO_BIN_EXE_tilewright-fuzz"))
        .args(["--cases", &cases.to_string()])
        .args(["--seed", "1", "--reduce", "0", "--out"])
        .arg(out.path())
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let text = std::fs::read_to_string(out.path().join("state.json")).unwrap();
    let state: State = serde_json::from_str(&text).unwrap();
    assert!(state.findings.is_empty(), "{report}");
    assert_eq!(state.counts.programs, cases);
    // A generator of programs that nobody can transform would prove nothing.
    assert!(state.counts.transformed > cases + cases / 4, "{report}");
    assert!(state.counts.results.compared > 150 * cases, "{report}");
    assert!(state.counts.undefined < 5, "{report}");
}
