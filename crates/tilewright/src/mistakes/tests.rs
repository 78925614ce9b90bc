//! Text after each pass is right; with a mistake in a pass it is not, and the pass is named.

mod lowering;
mod programs;

use super::made::{Made, Mistake};
use crate::codegen::passes::Pass;
use crate::compile::{Options, first_wrong_pass};
use crate::source::Source;
use programs::PROGRAMS;
use tilewright_cases::share;

/// What shows a mistake.
struct Program {
    mistake: Mistake,
    /// The pass after which the text differs first.
    pass: Pass,
    /// Sets the options.
    options: fn(&mut Options),
    /// A file that needs no preprocessor.
    text: &'static str,
}

impl Program {
    fn options(&self) -> Options {
        let mut options = Options::default();
        (self.options)(&mut options);
        options
    }

    /// What is found wrong.
    fn found(&self) -> Result<Option<Pass>, String> {
        let source = Source {
            name: "f.c".to_owned(),
            text: self.text.to_owned(),
            preprocessed: self.text.to_owned(),
            ..Source::default()
        };
        match first_wrong_pass(&source, &self.options(), None) {
            Ok(None) => Ok(None),
            Ok(Some(differed)) => match differed.pass {
                Some(pass) => Ok(Some(pass)),
                None => Err(format!("after no pass: {differed}")),
            },
            Err(errors) => Err(format!("{errors:?}")),
        }
    }
}

/// Those that are tried each time: the first of each pass, and every fourth one of the others.
fn tried() -> Vec<&'static Program> {
    let mut passes = Vec::new();
    let mut others = Vec::new();
    let mut tried = Vec::new();
    for program in PROGRAMS {
        if passes.contains(&program.pass) {
            others.push(program);
        } else {
            passes.push(program.pass);
            tried.push(program);
        }
    }
    tried.extend(share(others, 4, 0));
    tried
}

/// Programs, in two parts, which take as long.
fn are_found(part: usize) {
    let mut wrong = Vec::new();
    for program in tried().into_iter().skip(part).step_by(2) {
        let mistake = program.mistake;
        let right = program.found();
        if right != Ok(None) {
            wrong.push(format!("{mistake:?}, not made: {right:?}"));
        }
        let _made = Made::now(mistake);
        let found = program.found();
        if found != Ok(Some(program.pass)) {
            wrong.push(format!("{mistake:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_first_wrong_pass_is_named() {
    are_found(0);
}

#[test]
fn the_first_wrong_pass_is_named_of_the_others() {
    are_found(1);
}

/// The book has one line for each mistake, with the pass that is named.
#[test]
fn the_book_lists_the_mistakes() {
    let book = include_str!("../../../../docs/src/trust.md");
    let text = include_str!("mod.rs");
    let mut expected = String::new();
    for program in PROGRAMS {
        let name = format!("        {:?},", program.mistake);
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| *line == name);
        let at = at.unwrap_or_else(|| panic!("{name} is no mistake"));
        let about = lines[..at].iter().rev();
        let mut about: Vec<&str> = about
            .map_while(|line| line.trim_start().strip_prefix("/// "))
            .collect();
        about.reverse();
        let about = about.join(" ");
        let about = about.trim_end_matches('.');
        expected += &format!("| {about} | `{}` |\n", program.pass.name());
    }
    assert!(book.contains(&expected), "not in trust.md:\n{expected}");
}

#[test]
fn passes_are_listed_in_their_order() {
    let mut sorted = Pass::ALL;
    sorted.sort();
    assert_eq!(sorted, Pass::ALL);
    assert_eq!(Pass::ALL.last(), Some(&Pass::default()));
    let book = include_str!("../../../../docs/src/trust.md");
    let names = Pass::ALL.map(|pass| format!("`{}`", pass.name()));
    assert!(book.contains(&names.join(", ")), "{}", names.join(", "));
}
