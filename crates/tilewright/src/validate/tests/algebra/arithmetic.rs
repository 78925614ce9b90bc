//! Rows and facts: what follows from some facts, and what does not, each in both orders in which
//! they can be told.

use proptest::prelude::*;

use super::rows::{facts, row};
use crate::validate::numbers::facts::{Facts, Row};

/// A number of which twice as much is too large.
const LARGE: i64 = i64::MAX / 2 + 1;

fn scaled(factor: i64, var: usize) -> Row {
    Row {
        constant: 0,
        terms: vec![(var, factor)],
    }
}

#[test]
fn expressions_are_read_as_they_are_written() {
    let expected = Row {
        constant: 4,
        terms: vec![(0, 2), (1, -3)],
    };
    assert_eq!(row("-3b + 2a + 4"), expected);
    assert_eq!(row("0"), Row::number(0));
    assert_eq!(row("a - a"), Row::number(0));
}

#[test]
fn sums_of_rows() {
    for (a, x, b, y, sum) in [
        (1, "a", 1, "b", "a + b"),
        (1, "b", 1, "a", "a + b"),
        (2, "a + 1", -3, "b + 1", "2a - 3b - 1"),
        (1, "2a + b", -2, "a", "b"),
        (1, "b", 1, "a + b + c", "a + 2b + c"),
        (3, "a + c", -3, "a + c", "0"),
        (0, "a + 7", 1, "d", "d"),
        (1, "a + 7", 0, "d", "a + 7"),
    ] {
        let found = row(x).combined(a, &row(y), b);
        assert_eq!(found, Some(row(sum)), "{a} ({x}) + {b} ({y})");
    }
    assert_eq!(row("2a + 3").minus(&row("2a + b")), Some(row("3 - b")));
    assert_eq!(row("2a + 3").plus(-4), Some(row("2a - 1")));
    assert_eq!(row("2a - b + 3").times(-2), Some(row("2b - 4a - 6")));
}

#[test]
fn sums_that_get_too_large_are_none() {
    let large = Row::number(LARGE);
    assert_eq!(large.times(2), None);
    assert_eq!(large.combined(1, &large, 1), None);
    assert_eq!(large.plus(LARGE), None);
    assert_eq!(Row::number(i64::MIN).minus(&Row::number(1)), None);
    // A factor of a variable that one of them has, or both.
    assert_eq!(scaled(LARGE, 0).combined(2, &row("b"), 1), None);
    assert_eq!(row("b").combined(1, &scaled(LARGE, 0), 2), None);
    assert_eq!(scaled(LARGE, 0).combined(1, &scaled(LARGE, 0), 1), None);
    assert_eq!(row("a").replaced(0, &large), Some(large.clone()));
    assert_eq!(row("2a").replaced(0, &large), None);
}

#[test]
fn parts_of_rows() {
    let all = row("2a - 3c + 4");
    assert_eq!([0, 1, 2, 3].map(|var| all.factor(var)), [2, 0, -3, 0]);
    assert_eq!(all.without(2), (-3, row("2a + 4")));
    assert_eq!(all.without(1), (0, all.clone()));
    assert_eq!(all.replaced(2, &row("b - 1")), Some(row("2a - 3b + 7")));
    assert_eq!(all.replaced(1, &row("d")), Some(all.clone()));
    // Renamed variables are put in order.
    assert_eq!(all.renamed(|var| 3 - var), row("2d - 3b + 4"));
}

#[test]
fn rows_with_smaller_numbers() {
    for (text, tightened) in [
        // 2a - 3 ≥ 0 says a ≥ 2 of integers.
        ("2a - 3", "a - 2"),
        ("2a + 3", "a + 1"),
        ("-6a + 4b - 1", "-3a + 2b - 1"),
        ("3a - 6", "a - 2"),
        ("2a + 3b - 4", "2a + 3b - 4"),
        ("a - 3", "a - 3"),
        ("-7", "-7"),
        ("0", "0"),
    ] {
        assert_eq!(row(text).tightened(), row(tightened), "{text}");
    }
    // There is no absolute value of the least number.
    let least = scaled(i64::MIN, 0).plus(2).unwrap();
    assert_eq!(least.clone().tightened(), least);
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
    let huge = Row {
        constant: 0,
        terms: vec![(1, 1), (2, LARGE)],
    };
    let mut all = facts(&["d - 4c"], &["a - 3", "c - 1"]);
    // Of c, which b is a multiple of, there would be too many in d.
    all.at_least(&huge);
    let before = all.clone();
    all.equal(&Row {
        constant: 0,
        terms: vec![(2, 1), (5, LARGE)],
    });
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
    assert!(!chain.proves(&Row::var(30).plus(-1).unwrap()));

    // Forty layers of four variables: more ways through them than can be tried.
    let mut layers = Facts::of(160);
    for at in 0..39 {
        for (from, to) in (0..16).map(|pair| (pair / 4, pair % 4)) {
            layers.at_least(&step(4 * at + from, 4 * at + 4 + to));
        }
    }
    assert!(!layers.proves(&Row::var(159)));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// At all points, a sum of rows is the sum of their values; no factor of it is zero, and its
    /// variables are in order.
    #[test]
    fn sums_are_sums(
        x in prop::array::uniform5(-3i64..=3),
        y in prop::array::uniform5(-3i64..=3),
        (a, b) in (-3i64..=3, -3i64..=3),
        at in prop::array::uniform4(-9i64..=9),
    ) {
        let row = |factors: &[i64; 5]| Row {
            constant: factors[4],
            terms: (0..4).map(|var| (var, factors[var])).filter(|term| term.1 != 0).collect(),
        };
        let value = |row: &Row| {
            let terms = row.terms.iter().map(|&(var, factor)| factor * at[var]);
            row.constant + terms.sum::<i64>()
        };
        let (x, y) = (row(&x), row(&y));
        let sum = x.combined(a, &y, b).unwrap();
        prop_assert_eq!(value(&sum), a * value(&x) + b * value(&y));
        prop_assert!(sum.terms.iter().all(|term| term.1 != 0));
        prop_assert!(sum.terms.windows(2).all(|pair| pair[0].0 < pair[1].0));
        // Not negative before and after, at every point.
        prop_assert_eq!(value(&x) >= 0, value(&x.clone().tightened()) >= 0);
        prop_assert_eq!(value(&x.replaced(1, &y).unwrap()), {
            let (factor, rest) = x.without(1);
            factor * value(&y) + value(&rest)
        });
    }
}
