//! Mistakes of lowering show where its model is compared with what an interpreter of C does, too, and
//! there the statement is named.

use super::super::made::{Made, Mistake};
use super::programs::PROGRAMS;
use crate::source::Source;
use crate::validate::seen::{Compared, Options, compare};

/// What is compared, and the first difference.
fn compared(text: &str) -> (usize, Option<String>) {
    let source = Source {
        name: "f.c".to_owned(),
        text: text.to_owned(),
        preprocessed: text.to_owned(),
        ..Source::default()
    };
    let options = Options {
        inputs: 20,
        largest: 20,
        ..Options::default()
    };
    let regions = compare(&source, &options).expect("it is C");
    let [Compared { runs, mismatch, .. }] = regions.as_slice() else {
        panic!("{regions:?}");
    };
    (*runs, mismatch.as_ref().map(ToString::to_string))
}

/// The part of the message that names statement and text.
const FOUND: &[(Mistake, &str, &str)] = &[
    (
        Mistake::TemporariesOfData,
        "a[0] is read by no instance of any statement here",
        "int t = a[i]; int u = t & 7; b[i] = u;",
    ),
    (
        Mistake::NoWrapUpwards,
        "S0[i = 16] (n = 20, any values): `b` is written in the model alone",
        "`b[i] = 1;`",
    ),
    (
        Mistake::ConversionsAsIdentity,
        "is written by no instance of any statement here",
        "`b[i] = 1;`",
    ),
    (
        Mistake::AssumedNotToWrap,
        "the parameters are none of [n, q] -> {",
        "",
    ),
    (
        Mistake::FormsOfOtherConditions,
        "S0[i = 8] (n = 9, small values): a[0] is read, which no access of the statement does",
        "`b[i] += 2 * a[i & 7];`",
    ),
];

#[test]
fn mistakes_of_lowering_are_seen() {
    let mut wrong = Vec::new();
    for (mistake, what, line) in FOUND {
        let program = PROGRAMS.iter().find(|p| p.mistake == *mistake);
        let text = program.expect("it has a program").text;
        let (runs, right) = compared(text);
        if runs < 10 || right.is_some() {
            wrong.push(format!("{mistake:?}, not made: {runs} runs, {right:?}"));
        }
        let _made = Made::now(*mistake);
        match compared(text).1 {
            Some(found) if found.contains(what) && found.contains(line) => {}
            found => wrong.push(format!("{mistake:?}: {found:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
