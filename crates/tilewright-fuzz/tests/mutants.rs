//! A share of the mutants that `tilewright-fuzz mutants` makes: none may survive wrongly.

use std::path::PathBuf;
use tilewright_cases::amount;
use tilewright_fuzz::mutants::run::{Order, run};
use tilewright_fuzz::mutants::subject::{Subject, read};
use tilewright_fuzz::mutants::tally::Fate;

#[test]
fn mutants_are_refused_or_equal() {
    tilewright_fuzz::run::worker::keep_panics();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| root.join("tests/everyday").join(name);
    let order = Order {
        mutants: amount(90, 150) as u64,
        seed: 3,
        files: vec![
            file("sobel_bytes.c"),
            file("heat_in_place.c"),
            file("fir_filter.c"),
        ],
        words: Vec::new(),
        each: 40,
        again: 4,
        built: 0,
        out: folder.path().join("out"),
    };
    let tally = run(&order).unwrap();
    // What is asserted may say what it found.
    drop(std::panic::take_hook());
    let table = tally.table(true);
    for fate in [Fate::PastValidator, Fate::Unknown, Fate::Wrong] {
        assert_eq!(tally.of(fate), 0, "{table}\n{}", tally.findings.join("\n"));
    }
    // They are mutants, and all who look at them find some.
    for (fate, least) in [(Fate::Refused, 18), (Fate::Differs, 18), (Fate::Unfit, 1)] {
        assert!(tally.of(fate) >= least, "{table}");
    }
    for kind in [
        "plans",
        "schedules",
        "storage",
        "kernels",
        "statements",
        "texts",
    ] {
        assert!(tally.counts.contains_key(kind), "no {kind}\n{table}");
    }
}

/// A loop whose bound is data, inside of one whose bound is not; no extents of the arrays are known.
const COLUMNS: &str = "void f(int n, int length[restrict n], double s[restrict 40], \
    double a[restrict 40][n])
{
    double *restrict sum = s;
    double (*restrict b)[n] = a;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < length[i]; j++)
            sum[j] = sum[j] * 0.5 + b[j][i];
#pragma endscop
}
";

/// Regions with text in front of their kernel: mutants of a program whose matrix is packed, and of
/// one whose bounds are inspected.
#[test]
fn mutants_behind_inspections_and_packing() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let columns = folder.path().join("columns.c");
    std::fs::write(&columns, COLUMNS).unwrap();
    let mut texts = Vec::new();
    for (number, (file, words)) in [
        (
            root.join("examples/dynamic/spmv-csr.c"),
            vec!["--format ell"],
        ),
        (
            columns,
            vec!["--shape parallelogram", "--fuse max", "--tile-sizes 0"],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let subject = Subject::new(read(&file).unwrap(), &words).unwrap();
        let part = &subject.parts[0];
        let scop = &part.region.scop;
        assert_eq!(scop.edges.packing.is_some(), number == 0);
        assert!(!scop.edges.inspections.is_empty());
        texts.push(part.text.clone());
        let order = Order {
            mutants: amount(40, 60) as u64,
            seed: 5,
            files: vec![file],
            words,
            each: 120,
            again: 0,
            built: 0,
            out: folder.path().join(format!("out-{number}")),
        };
        let tally = run(&order).unwrap();
        let table = tally.table(true);
        for fate in [Fate::PastValidator, Fate::Unknown, Fate::Wrong] {
            assert_eq!(tally.of(fate), 0, "{table}\n{}", tally.findings.join("\n"));
        }
        assert!(tally.of(Fate::Differs) >= 5, "{table}");
    }
    // What is executed is the whole: both branches, and what is computed in front.
    assert!(
        texts[0].contains("malloc") && texts[0].contains("else"),
        "{}",
        texts[0]
    );
    assert!(texts[1].contains("inspection"), "{}", texts[1]);
}
