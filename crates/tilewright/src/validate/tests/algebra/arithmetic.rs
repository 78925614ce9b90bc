//! Rows and facts: what follows from some facts, and what does not, each in both orders in which
//! they can be told.

use super::rows::{facts, row};
use crate::validate::numbers::facts::{Facts, Row};

/// A number of which twice as much is too large.
const LARGE: i64 = i64::MAX / 2 + 1;

fn scaled(factor: i64, var: usize) -> Row {
    Row::sum(0, [(var, factor)]).unwrap()
}

#[test]
fn expressions_are_read_as_they_are_written() {
    let expected = Row::sum(4, [(0, 2), (1, -3)]);
    assert_eq!(Some(row("-3b + 2a + 4")), expected);
    assert_eq!(row("0"), Row::number(0));
    assert_eq!(row("a - a"), Row::number(0));
}

/// What is certain of an expression.
#[derive(Debug, PartialEq, Eq)]
enum Known {
    Zero,
    NotNegative,
    Negative,
    Nothing,
}

fn known(facts: &Facts, text: &str) -> Known {
    let row = row(text);
    match (facts.proves(&row), facts.refute(&row)) {
        (true, true) => panic!("{text} is negative and is not"),
        (true, false) if facts.proves_zero(&row) => Known::Zero,
        (true, false) => Known::NotNegative,
        (false, true) => Known::Negative,
        (false, false) => Known::Nothing,
    }
}

#[test]
fn what_follows_and_what_does_not() {
    use Known::{Negative, NotNegative, Nothing, Zero};
    type Case = (
        &'static [&'static str],
        &'static [&'static str],
        &'static str,
        Known,
    );
    let cases: &[Case] = &[
        // Nothing is known of a variable.
        (&[], &[], "a", Nothing),
        (&[], &[], "3", NotNegative),
        (&[], &[], "0", Zero),
        (&[], &[], "-1", Negative),
        // One fact, and the same with other constants.
        (&[], &["a - 3"], "a - 3", NotNegative),
        (&[], &["a - 3"], "a - 4", Nothing),
        (&[], &["a - 3"], "2 - a", Negative),
        (&[], &["a - 3"], "3 - a", Nothing),
        (&[], &["a - 3"], "2a - 6", NotNegative),
        (&[], &["a - 3"], "2a - 7", Nothing),
        (&[], &["2a - 5"], "a - 3", NotNegative),
        (&[], &["5 - 2a"], "2 - a", NotNegative),
        (&[], &["5 - 2a"], "a - 3", Negative),
        // Two facts, the second of which is of the other variable.
        (&[], &["a", "b - a"], "b", NotNegative),
        (&[], &["a", "b - a"], "b - 1", Nothing),
        (&[], &["a", "b - 2a - 3"], "b - 3", NotNegative),
        (&[], &["a", "b - 2a - 3"], "2b - 5", NotNegative),
        (&[], &["a - 1", "2b - 3a"], "b - 2", NotNegative),
        (&[], &["a - 1", "2b - 3a"], "b - 3", Nothing),
        (&[], &["a - b", "b - a"], "a - b", Zero),
        (&[], &["a - b", "b - a"], "a - b - 1", Negative),
        // A chain, in an order in which it is not to be followed.
        (
            &[],
            &["d - c", "b - a", "c - b", "a - 4"],
            "d - 4",
            NotNegative,
        ),
        (&[], &["d - c", "b - a", "c - b", "a - 4"], "d - 5", Nothing),
        (
            &[],
            &["d - c", "b - a", "c - b", "a - 4"],
            "3 - d",
            Negative,
        ),
        // The first fact with the variable leads nowhere.
        (&[], &["c - b", "c - a", "a"], "c", NotNegative),
        (&[], &["b + a - c", "b - a", "a - 1"], "b - 1", NotNegative),
        // Equations.
        (&["a - 3"], &[], "a - 3", Zero),
        (&["a - 3"], &[], "a - 4", Negative),
        (&["2a - 6"], &[], "a - 3", Zero),
        (&["b - 2a"], &["a - 1"], "b - 2", NotNegative),
        (&["b - 2a"], &["b - 1"], "a - 1", NotNegative),
        (&["b - 2a"], &["2a - b"], "b - 2a", Zero),
        (&["c - b", "b - a - 1"], &[], "c - a - 1", Zero),
        (&["b - a - 1", "c - b"], &[], "c - a - 1", Zero),
        (&["a + b"], &["a - 2"], "-b - 2", NotNegative),
        // No variable has the factor one.
        (&["2a - 3b"], &[], "2a - 3b", Zero),
        (&["2a - 3b"], &["b - 2"], "a - 3", NotNegative),
        (&["2a - 3b"], &["b - 2"], "a - 4", Nothing),
        (&["4a - 6b - 2"], &[], "2a - 3b - 1", Zero),
        (&["2a - 3b", "b - 2"], &[], "a - 3", Zero),
        // What is told of a variable that is replaced later.
        (&["c - a"], &["c - 5"], "a - 5", NotNegative),
        (&["c - a"], &["c - 5"], "a - 6", Nothing),
    ];
    for (zero, not_negative, text, wanted) in cases {
        let about = format!("{text}, where {zero:?} = 0 and {not_negative:?} ≥ 0");
        assert_eq!(known(&facts(zero, not_negative), text), *wanted, "{about}");
        let mut turned = Facts::of(8);
        for text in *zero {
            turned.equal(&row(text));
        }
        for text in not_negative.iter().rev() {
            turned.at_least(&row(text));
        }
        assert_eq!(known(&turned, text), *wanted, "{about}, turned round");
    }
}

#[test]
fn what_no_integers_are() {
    type Case = (&'static [&'static str], &'static [&'static str], bool);
    let cases: &[Case] = &[
        (&[], &[], false),
        (&["0"], &["0", "1"], false),
        (&["1"], &[], true),
        (&[], &["-1"], true),
        (&["2a - 1"], &[], true),
        (&["2a - 2"], &[], false),
        (&["4a + 6b - 3"], &[], true),
        (&["4a + 6b - 2"], &[], false),
        (&["a - 3", "a - 4"], &[], true),
        (&["a - 3", "2a - 6"], &[], false),
        (&["a - 3"], &["a - 4"], true),
        (&["a - 3"], &["a - 3"], false),
        (&["2a - b", "2c - b - 1", "a - c"], &[], true),
    ];
    for (zero, not_negative, impossible) in cases {
        let about = format!("{zero:?} = 0 and {not_negative:?} ≥ 0");
        let facts = facts(zero, not_negative);
        assert_eq!(facts.impossible(), *impossible, "{about}");
        // Of what is not, everything is so.
        let no = row("a + b");
        assert_eq!(
            facts.proves(&no) && facts.refute(&no),
            *impossible,
            "{about}"
        );
        assert_eq!(facts.proves_zero(&row("1")), *impossible, "{about}");
        assert_eq!(facts.proves_zero(&row("f")), *impossible, "{about}");
        assert_eq!(facts.proves_divisible(&row("f"), 2), *impossible, "{about}");
    }
}

#[test]
fn what_a_number_divides() {
    for (zero, text, number, divides) in [
        ("0", "6a + 4", 2, true),
        ("0", "6a + 3", 2, false),
        ("0", "3a + 4", 2, false),
        ("0", "6a - 9b + 3", 3, true),
        ("0", "6a - 8b + 3", 3, false),
        ("0", "0", 5, true),
        ("0", "5", 5, true),
        ("0", "4", 5, false),
        ("a - 2b", "a", 2, true),
        ("a - 2b - 1", "a", 2, false),
        ("a - 2b - 1", "a + 1", 2, true),
        ("0", "2a", 0, false),
    ] {
        let facts = facts(&[zero], &[]);
        let found = facts.proves_divisible(&row(text), number);
        assert_eq!(found, divides, "{number} divides {text}, where {zero} = 0");
    }
}

#[test]
fn variables_of_their_own() {
    let mut facts = Facts::of(3);
    assert_eq!(facts.fresh(2), 3);
    assert_eq!(facts.fresh(0), 5);
    assert_eq!(facts.fresh(1), 5);
    assert_eq!(facts.fresh(1), 6);
}

#[test]
fn expressions_in_what_stands_for_itself() {
    let facts = facts(&["c - 2a", "d - c - b"], &[]);
    assert_eq!(facts.reduced(&row("d + c + 1")), Some(row("4a + b + 1")));
    assert_eq!(facts.reduced(&row("e - a")), Some(row("e - a")));
    let mut facts = Facts::of(2);
    facts.equal(&row("b - 2a"));
    assert_eq!(facts.reduced(&scaled(LARGE, 1)), None);
}

/// What gets too large is left out, and what was known before stays.
#[test]
fn numbers_that_get_too_large() {
    let huge = Row::sum(0, [(1, 1), (2, LARGE)]).unwrap();
    let mut all = facts(&["d - 4c"], &["a - 3", "c - 1"]);
    // Of c, which b is a multiple of, there would be too many in d.
    all.at_least(&huge);
    let before = all.clone();
    all.equal(&Row::sum(0, [(2, 1), (5, LARGE)]).unwrap());
    // f is not replaced: it has no factor one. c is, and what it is in is left out.
    assert!(all.proves(&row("a - 3")));
    assert!(!all.impossible());
    assert!(before.proves(&row("d - 4")));
    // Neither proves nor refutes what cannot be written.
    let least = Row::number(i64::MIN).combined(1, &row("e"), 1).unwrap();
    assert!(!all.proves(&least) && !all.refute(&least) && !all.proves_zero(&least));
    let mut doubled = Facts::of(2);
    doubled.equal(&row("b - 2a"));
    let large = scaled(LARGE, 1);
    assert!(!doubled.proves(&large) && !doubled.refute(&large));
    assert!(!doubled.proves_zero(&large) && !doubled.proves_divisible(&large, 2));
}

/// Proofs are long enough for a chain of thirty, and end where there are many ways and no end.
#[test]
fn proofs_are_bounded() {
    let step = |from: usize, to: usize| Row::var(to).minus(&Row::var(from)).unwrap();
    let mut chain = Facts::of(31);
    chain.at_least(&Row::var(0));
    for at in 0..30 {
        chain.at_least(&step(at, at + 1));
    }
    assert!(chain.proves(&Row::var(30)));
    assert!(!chain.proves(&Row::var(30).plus_number(-1).unwrap()));

    // Forty layers of four variables: more ways through them than can be tried.
    let mut layers = Facts::of(160);
    for at in 0..39 {
        for (from, to) in (0..16).map(|pair| (pair / 4, pair % 4)) {
            layers.at_least(&step(4 * at + from, 4 * at + 4 + to));
        }
    }
    assert!(!layers.proves(&Row::var(159)));
}
