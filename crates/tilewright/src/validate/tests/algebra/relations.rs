//! What is read off isl's sets and maps: which questions about them are decided, which are left to
//! isl, each with a reason.

use super::rows::{facts, row};
use crate::validate::numbers::facts::{Facts, Row};
use crate::validate::numbers::relation::{Params, Relation, Value};
use crate::validate::numbers::tree::expression;

/// The parts of a set over the parameter `n`, which is the variable `a`; its dimensions are `b`,
/// `c` and so on.
fn set(text: &str) -> Option<Vec<Relation>> {
    let ctx = isl::Ctx::new();
    let params = Params::from([("n".to_owned(), 0)]);
    let set = isl::Set::read_from_str(&ctx, &format!("[n] -> {{ {text} }}")).unwrap();
    Relation::all_of_set(&params, &set).unwrap()
}

/// The parts of a map.
fn map(text: &str) -> Option<Vec<Relation>> {
    let ctx = isl::Ctx::new();
    let params = Params::from([("n".to_owned(), 0)]);
    let map = isl::Map::read_from_str(&ctx, &format!("[n] -> {{ {text} }}")).unwrap();
    Relation::all(&params, &map).unwrap()
}

fn one(text: &str) -> Relation {
    let mut parts = set(text).unwrap();
    assert_eq!(parts.len(), 1, "{text}");
    parts.remove(0)
}

#[test]
fn what_sets_say() {
    for (text, says, leaves_open) in [
        ("[b] : 2 <= b < n", "b - 2", "b - 3"),
        ("[b] : 2 <= b < n", "a - 3", "a - 4"),
        ("[b, c] : b <= c and 2b >= n", "2c - a", "2c - a - 1"),
        // A multiple of three between 4 and 8 is 6.
        ("[b] : b mod 3 = 0 and 4 <= b <= 8", "b - 6", "b - 7"),
        ("[b] : b mod 3 = 0 and 4 <= b <= 8", "6 - b", "5 - b"),
        // A quotient, rounded down.
        ("[b, c] : c = floor(b/4)", "b - 4c", "b - 4c - 1"),
        ("[b, c] : c = floor(b/4)", "4c - b + 3", "4c - b + 2"),
        ("[b, c] : c = floor((b + n)/4)", "b + a - 4c", "b - 4c"),
        ("[b, c] : c = 2*floor(b/4) + 1", "2c + 4 - b", "2c - b"),
    ] {
        let facts = one(text).facts();
        assert!(facts.proves(&row(says)), "{text}: {says}");
        assert!(!facts.proves(&row(leaves_open)), "{text}: {leaves_open}");
    }
}

#[test]
fn what_is_divisible_is_told() {
    let facts = one("[b, c] : exists e: b = 6e and c = 4e + 2").facts();
    assert!(facts.proves_divisible(&row("b"), 6));
    assert!(!facts.proves_divisible(&row("b"), 4));
    assert!(facts.proves_zero(&row("2b - 3c + 6")));
}

#[test]
fn sets_that_are_not_read() {
    // A parameter that the program does not have.
    let ctx = isl::Ctx::new();
    let params = Params::from([("n".to_owned(), 0)]);
    let read = |text: &str| {
        let set = isl::Set::read_from_str(&ctx, text).unwrap();
        Relation::all_of_set(&params, &set).unwrap().is_some()
    };
    assert!(read("[n] -> { [i] : i < n }"));
    assert!(read("[m] -> { [i] : i < 7 }"));
    assert!(!read("[m] -> { [i] : i < m }"));
    // A number of which there is no word of 64 bits.
    assert!(read("{ [i] : i < 9000000000000000000 }"));
    assert!(!read("{ [i] : i < 90000000000000000000 }"));
    assert!(!read("{ [i] : i = 90000000000000000000 }"));
    // Parts are all read, or none.
    assert_eq!(set("[b] : b < 3 or b > 8").unwrap().len(), 2);
    assert!(!read("{ [i] : i < 3 or i > 90000000000000000000 }"));
    assert_eq!(set("[b] : b < 3 and b > 8").unwrap().len(), 0);
}

#[test]
fn names_of_variables() {
    // One parameter, one input, two outputs, and a quotient.
    let parts = map("[b] -> [c, d] : 2c + b = 5 and d = floor(b/3)").unwrap();
    let [part] = &parts[..] else {
        panic!("{parts:?}");
    };
    assert_eq!((part.inputs, part.outputs), (1, 2));
    let names: Vec<usize> = (0..5).map(|var| part.name(var, 10, 20, 30)).collect();
    assert_eq!(names, [0, 10, 20, 21, 30]);
    // The input and what exists for each pair are not parameters nor outputs.
    assert!(part.unknown() >= 1);
    let mut facts = Facts::of(30);
    part.tell(&mut facts, 10, 20);
    let told = Row::var(20).combined(2, &Row::var(10), 1).unwrap();
    assert!(facts.proves_zero(&told.plus_number(-5).unwrap()));
    let quotient = Row::var(10).combined(1, &Row::var(21), -3).unwrap();
    assert!(facts.proves(&quotient));
    assert!(!facts.proves(&quotient.plus_number(-1).unwrap()));
}

/// Whether something is certainly in a set, given what is zero and what is not negative.
type Inside = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    bool,
);

#[test]
fn what_is_certainly_inside() {
    let cases: &[Inside] = &[
        ("[b] : b >= 2", &[], &["b - 2"], true),
        ("[b] : b >= 2", &[], &["b - 1"], false),
        ("[b] : 2 <= b < n", &[], &["b - 2", "a - b - 1"], true),
        ("[b] : 2 <= b < n", &[], &["b - 2", "a - b"], false),
        ("[b] : b = n", &["a - b"], &[], true),
        ("[b] : b = n", &["a - b - 1"], &[], false),
        ("[b] : b = n", &[], &["a - b"], false),
        ("[b] : 2b = n", &["a - 2b"], &[], true),
        // Multiples: they are seen as long as the number is a factor.
        ("[b] : b mod 2 = 0", &["b - 2c"], &[], true),
        ("[b] : b mod 2 = 0", &["b - 2c - 1"], &[], false),
        ("[b] : b mod 2 = 1", &["b - 2c - 1"], &[], true),
        ("[b] : b mod 2 = 0", &["b - 4c - 6"], &[], true),
        ("[b] : b mod 4 = 0", &["b - 2c"], &[], false),
        (
            "[b] : b mod 2 = 0 and b >= 2",
            &["b - 2c"],
            &["c - 1"],
            true,
        ),
        (
            "[b] : b mod 2 = 0 and b >= 4",
            &["b - 2c"],
            &["c - 1"],
            false,
        ),
        (
            "[b] : exists e: b = 2e and 3 <= e < n",
            &["b - 2c"],
            &["c - 3", "a - c - 1"],
            true,
        ),
        (
            "[b] : exists e: b = 2e and 3 <= e < n",
            &["b - 2c"],
            &["c - 3", "a - c"],
            false,
        ),
        (
            "[b] : exists e: b = -2e and 3 <= e < n",
            &["b + 2c"],
            &["c - 3", "a - c - 1"],
            true,
        ),
        // Quotients.
        ("[b, c] : c = floor(b/4)", &["b - 4c"], &[], true),
        ("[b, c] : c = floor(b/4)", &["b - 4c - 3"], &[], true),
        ("[b, c] : c = floor(b/4)", &["b - 4c - 4"], &[], false),
        ("[b, c] : c = floor(b/4)", &["b - 4c + 1"], &[], false),
        ("[b, c] : c <= floor(b/4)", &[], &["b - 4c"], true),
        ("[b, c] : c <= floor(b/4)", &[], &["b - 4c + 1"], false),
        ("[b, c] : c >= floor(b/4)", &[], &["4c - b + 3"], true),
        ("[b, c] : c >= floor(b/4)", &[], &["4c - b + 4"], false),
        // Something between two bounds exists: the least value is tried.
        ("[b, c] : exists e: b <= e <= c", &[], &["c - b"], true),
        ("[b, c] : exists e: b <= e <= c", &[], &["c - b + 1"], false),
        ("[b, c] : exists e: b <= 2e <= c", &[], &["c - b - 1"], true),
        ("[b, c] : exists e: b <= 2e <= c", &[], &["c - b"], false),
        (
            "[b, c] : exists e, f: b = 2e + 3f and f >= 1 and e >= f",
            &["b - 5d"],
            &["d - 1"],
            true,
        ),
    ];
    for (text, zero, not_negative, inside) in cases {
        let about = format!("{text}, where {zero:?} = 0 and {not_negative:?} ≥ 0");
        let holds = one(text).holds(&facts(zero, not_negative), 1, 1);
        assert_eq!(holds, *inside, "{about}");
    }
}

/// A function of `b` and `c`, and where it is to be defined.
type Function = (&'static str, &'static str, Option<&'static str>);

#[test]
fn what_is_a_function() {
    let cases: &[Function] = &[
        (
            "[b, c] -> [b + 2c - n + 1]",
            "[b, c]",
            Some("b + 2c - a + 1"),
        ),
        ("[b, c] -> [7]", "[b, c]", Some("7")),
        (
            "[b, c] -> [o] : 2o = b",
            "[b, c] : b mod 2 = 0",
            Some("b/2"),
        ),
        (
            "[b, c] -> [o] : 2o = b + 1",
            "[b, c] : b mod 2 = 1",
            Some("b + 1/2"),
        ),
        (
            "[b, c] -> [o] : -2o = b",
            "[b, c] : b mod 2 = 0",
            Some("-b/2"),
        ),
        ("[b, c] -> [floor(b/3)]", "[b, c]", Some("b/3")),
        (
            "[b, c] -> [o] : 3o <= b + c < 3o + 3",
            "[b, c]",
            Some("b + c/3"),
        ),
        ("[b, c] -> [o] : b <= 3o < b + 3", "[b, c]", Some("b + 2/3")),
        // Not defined everywhere: an odd b, a b that is negative, a b behind n.
        ("[b, c] -> [o] : 2o = b", "[b, c]", None),
        ("[b, c] -> [b] : b >= 0", "[b, c]", None),
        ("[b, c] -> [b] : b >= 0", "[b, c] : b >= 0", Some("b")),
        ("[b, c] -> [b] : b < n", "[b, c] : b < n", Some("b")),
        ("[b, c] -> [b] : b < n", "[b, c] : b <= n", None),
        // Several values, or anything.
        ("[b, c] -> [o] : 3o <= b < 3o + 4", "[b, c]", None),
        ("[b, c] -> [o] : 3o <= b < 3o + 2", "[b, c]", None),
        ("[b, c] -> [o] : o >= b", "[b, c]", None),
        ("[b, c] -> [o] : b <= o <= b + 1", "[b, c]", None),
        ("[b, c] -> [o]", "[b, c]", None),
        // In two pieces: of one expression, and of two.
        (
            "[b, c] -> [b] : b < 0; [b, c] -> [b] : b > 0",
            "[b, c] : b > 3",
            Some("b"),
        ),
        (
            "[b, c] -> [b] : b < 0; [b, c] -> [b] : b > 0",
            "[b, c] : b < 0 or b > 0",
            Some("b"),
        ),
        (
            "[b, c] -> [b] : b < 0; [b, c] -> [b] : b > 0",
            "[b, c]",
            None,
        ),
        (
            "[b, c] -> [b] : b < 0; [b, c] -> [c] : b > 0",
            "[b, c] : b > 3",
            None,
        ),
        ("[b, c] -> [b] : false", "[b, c]", None),
    ];
    for (text, domain, wanted) in cases {
        let inside = set(domain).unwrap();
        let inside: Vec<Facts> = inside.iter().map(Relation::facts).collect();
        let found = Relation::function(&map(text).unwrap(), &inside);
        assert_eq!(
            found.as_ref().map(Vec::len),
            wanted.map(|_| 1),
            "{text} on {domain}"
        );
        let (Some(found), Some(wanted)) = (found, wanted) else {
            continue;
        };
        assert!(is(&found[0], wanted), "{text} on {domain}: {found:?}");
    }
}

/// Whether a value is an expression, or that divided by a number, rounded down.
pub(in crate::validate::tests) fn is(value: &Value, text: &str) -> bool {
    let mut facts = Facts::of(8);
    let told = value.told(&mut facts, |var| var);
    match text.split_once('/') {
        None => facts.proves_zero(&told.minus(&row(text)).unwrap()),
        Some((dividend, divisor)) => {
            let divisor: i64 = divisor.parse().unwrap();
            // 0 ≤ dividend - divisor · value < divisor, and no more is known.
            let rest = row(dividend).combined(1, &told, -divisor).unwrap();
            let below = rest.times(-1).unwrap().plus_number(divisor - 1).unwrap();
            facts.proves(&rest)
                && facts.proves(&below)
                && !facts.proves(&rest.plus_number(-1).unwrap())
                && !facts.proves(&below.plus_number(-1).unwrap())
        }
    }
}

#[test]
fn several_outputs() {
    let parts = map("[b, c] -> [c - 1, floor((b + c)/2), b]").unwrap();
    let found = Relation::function(&parts, &[Facts::of(3)]).unwrap();
    let wanted = ["c - 1", "b + c/2", "b"];
    assert_eq!(found.len(), 3);
    for (value, wanted) in found.iter().zip(wanted) {
        assert!(is(value, wanted), "{wanted}: {value:?}");
    }
}

/// Variables of a value's own are new in every telling.
#[test]
fn values_told_twice() {
    let parts = map("[b] -> [floor(b/4) + 2*floor(b/3)]").unwrap();
    let value = Relation::function(&parts, &[Facts::of(2)])
        .unwrap()
        .remove(0);
    let mut facts = Facts::of(3);
    let first = value.told(&mut facts, |var| var);
    let second = value.told(&mut facts, |var| if var == 1 { 2 } else { var });
    // Of the same argument they are not known to be the same, only that each is as it should be.
    for (told, argument) in [(&first, 1), (&second, 2)] {
        // 12 · value ≥ 3 (b - 3) + 8 (b - 2), and at most 11 b.
        let below = told.combined(12, &Row::var(argument), -11).unwrap();
        assert!(facts.proves(&below.plus_number(25).unwrap()));
        assert!(facts.proves(&below.times(-1).unwrap()));
        assert!(!facts.proves(&below));
    }
    assert!(!facts.proves_zero(&first.minus(&second).unwrap()));
}

#[test]
fn expressions_of_functions() {
    let ctx = isl::Ctx::new();
    let params = Params::from([("n".to_owned(), 0)]);
    let read = |text: &str| {
        let aff = isl::Aff::read_from_str(&ctx, text).unwrap();
        expression(&params, &aff).unwrap()
    };
    for (text, wanted) in [
        ("[n] -> { [b, c] -> [2b - 3c + n + 4] }", "2b - 3c + a + 4"),
        ("{ [b, c] -> [c] }", "c"),
        ("{ [b, c] -> [7] }", "7"),
        ("[n] -> { [b] -> [n] }", "a"),
        ("{ [b, c] -> [floor((b + c)/4)] }", "b + c/4"),
        ("[n] -> { [b] -> [floor((b + n + 1)/2)] }", "b + a + 1/2"),
    ] {
        let value = read(text).unwrap();
        assert!(is(&value, wanted), "{text}: {value:?}");
    }
    // A parameter that the program does not have, and numbers that are too large.
    assert_eq!(read("[m] -> { [b] -> [b + m] }"), None);
    assert_eq!(read("{ [b] -> [b + 90000000000000000000] }"), None);
    assert_eq!(read("{ [b] -> [90000000000000000000 b] }"), None);
}

/// Goals of a relation of which the inputs are not given: which of them do not follow, and which
/// cannot hold.
#[test]
fn goals_that_are_open() {
    let parts = map("[b] -> [c] : b = c - 1 and 0 <= b < n").unwrap();
    let goals = parts[0].goals(false, true).unwrap();
    let name = |var: usize| parts[0].name(var, 1, 2, 3);
    let open = |facts: &Facts| goals.open(facts, |row| row.renamed(|&var| name(var)));
    let holds = |facts: &Facts| goals.hold(facts, |row| row.renamed(|&var| name(var)));
    let all = facts(&[], &["c - 1", "a - c"]);
    assert!(holds(&all));
    assert_eq!(open(&all), None);
    let lower = facts(&[], &["c - 1"]);
    assert!(!holds(&lower));
    assert_eq!(open(&lower), Some(row("a - c")));
    let upper = facts(&[], &["a - c"]);
    assert!(!holds(&upper));
    assert_eq!(open(&upper), Some(row("c - 1")));
    // Nothing is open where something cannot hold.
    assert_eq!(open(&facts(&[], &["0 - c"])), None);
    assert_eq!(open(&facts(&[], &["c - 1", "c - a - 1"])), None);
}

/// Of what is not given the least value is tried.
#[test]
fn goals_with_least_values() {
    let parts = map("[b] -> [c] : b >= c and 2b <= n").unwrap();
    let goals = parts[0].goals(false, true).unwrap();
    let name = |var: usize| parts[0].name(var, 1, 2, 3);
    let holds = |facts: &Facts| goals.hold(facts, |row| row.renamed(|&var| name(var)));
    assert!(holds(&facts(&[], &["a - 2c"])));
    assert!(!holds(&facts(&[], &["a - 2c + 1"])));
    assert!(!holds(&facts(&[], &["a + 2c"])));
}

/// What is not given has to be something: an equation, a quotient, a least value.
#[test]
fn goals_that_are_not_easy_to_say() {
    let easy = |text: &str| map(text).unwrap()[0].goals(false, true).is_some();
    assert!(easy("[b] -> [c] : b = c"));
    assert!(easy("[b] -> [c] : 3b = c"));
    assert!(easy("[b] -> [c] : 3b <= c < 3b + 3"));
    assert!(easy("[b] -> [c] : b >= c"));
    assert!(easy("[b] -> [c] : 0 <= c"));
    // Two bounds of which neither is a quotient's, the lower one with a factor.
    assert!(!easy("[b] -> [c] : 2b >= c and 3b <= c + 7"));
    assert!(!easy("[b, d] -> [c] : 2b + 3d = c"));
    assert!(!easy("[b, d] -> [c] : 2b + 3d >= c and 5b - 7d <= c"));
}
