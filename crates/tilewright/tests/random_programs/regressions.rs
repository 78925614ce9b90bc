//! Programs that once failed, were slow, or are typical of a group of failures: files of
//! `tests/regressions`.

use super::batch::{Argument, Case, Choices, OPTIMISED, Program, Verdict, run_batch};
use tilewright::plan::{Fuse, Shape};

impl Case {
    /// Reads what [`Display`](std::fmt::Display) writes.
    pub fn parse(text: &str) -> Option<Case> {
        let mut lines = text.lines();
        let arguments = lines.next()?.strip_prefix("// arguments: ")?;
        let choices = lines.next()?.strip_prefix("// choices:")?;
        let element = |name: &str| {
            ["float", "double", "int"]
                .into_iter()
                .find(|known| *known == name)
        };
        let arguments = arguments
            .split_whitespace()
            .map(|word| match word.split_once(':') {
                Some((name, count)) => Some(Argument::Array(element(name)?, count.parse().ok()?)),
                None => Some(Argument::Int(word.parse().ok()?)),
            })
            .collect::<Option<Vec<Argument>>>()?;
        let word = |name: &str| {
            choices
                .split_whitespace()
                .find_map(|w| w.strip_prefix(name)?.strip_prefix('='))
        };
        let has = |name: &str| choices.split_whitespace().any(|w| w == name);
        let shape = match word("shape") {
            Some("None") => Some(Shape::None),
            Some("Parallelogram") => Some(Shape::Parallelogram),
            Some("Scalene") => Some(Shape::Scalene),
            Some("Right") => Some(Shape::Right),
            Some("Polymage") => Some(Shape::Polymage),
            Some("Split") => Some(Shape::Split),
            Some("Diamond") => Some(Shape::Diamond),
            Some("Hexagonal") => Some(Shape::Hexagonal),
            _ => None,
        };
        let fuse = match word("fuse") {
            Some("No") => Some(Fuse::No),
            Some("Smart") => Some(Fuse::Smart),
            Some("Max") => Some(Fuse::Max),
            Some("Written") => Some(Fuse::Written),
            _ => None,
        };
        let tile_sizes = word("tile-sizes")
            .map(|sizes| sizes.split(',').filter_map(|s| s.parse().ok()).collect());
        let choices = Choices {
            shape,
            fuse,
            tile_sizes,
            vectorise: has("vectorise"),
            separate: has("separate"),
            inline: word("inline")
                .map(|stages| stages.split(',').filter_map(|s| s.parse().ok()).collect())
                .unwrap_or_default(),
            jam: word("jam").and_then(|jam| jam.parse().ok()).unwrap_or(1),
            overlap: word("overlap").and_then(|d| d.parse().ok()),
            wavefront: !has("no-wavefront"),
            insist: has("insist"),
        };
        let text = text.splitn(3, '\n').nth(2)?.to_owned();
        Some(Case {
            program: Program { text, arguments },
            choices,
        })
    }
}

#[test]
fn regressions_compute_the_same() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut names = Vec::new();
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let case =
            Case::parse(&text).unwrap_or_else(|| panic!("{} cannot be read", path.display()));
        assert_eq!(
            case.to_string(),
            text,
            "{} is not written as cases are",
            path.display()
        );
        names.push(path);
        cases.push(case);
    }
    assert!(!cases.is_empty());
    for (name, verdict) in names.iter().zip(run_batch(&cases, OPTIMISED).0) {
        if let Verdict::Failed(reason) = verdict {
            panic!("{}: {reason}", name.display());
        }
    }
}
