//! A share of the mutants that `tilewright-fuzz mutants` makes: none may survive wrongly.

use std::path::PathBuf;
use tilewright_fuzz::mutants::run::{Order, run};
use tilewright_fuzz::mutants::tally::Fate;

#[test]
fn mutants_are_refused_or_equal() {
    tilewright_fuzz::worker::keep_panics();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| root.join("tests/everyday").join(name);
    let order = Order {
        mutants: 250,
        seed: 3,
        files: vec![
            file("sobel_bytes.c"),
            file("heat_in_place.c"),
            file("fir_filter.c"),
        ],
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
    for (fate, least) in [(Fate::Refused, 30), (Fate::Differs, 30), (Fate::Unfit, 2)] {
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
