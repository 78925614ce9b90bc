//! Laws of linear forms, against sums over all variables in wider numbers.

use super::{Dim, LinearForm, gcd, lcm};
use isl::{Aff, Ctx, DimType};
use proptest::prelude::*;

/// The number of variables.
const VARS: usize = 3;

/// A form with a factor for each variable, and the constant.
fn form(numbers: &[i64; VARS + 1]) -> LinearForm<usize> {
    LinearForm::dense(&numbers[..VARS], numbers[VARS])
}

/// The factors, and the constant.
fn numbers(form: &LinearForm<usize>) -> [i64; VARS + 1] {
    std::array::from_fn(|at| match at {
        VARS => form.constant(),
        var => form.factor(&var),
    })
}

/// What it is at a point.
fn value(form: &LinearForm<usize>, at: &[i64; VARS]) -> i128 {
    let terms = form.terms().iter();
    let terms = terms.map(|&(var, factor)| i128::from(factor) * i128::from(at[var]));
    i128::from(form.constant()) + terms.sum::<i128>()
}

/// In order, and without zeros.
fn is_normal(form: &LinearForm<usize>) -> bool {
    form.terms().windows(2).all(|pair| pair[0].0 < pair[1].0)
        && form.terms().iter().all(|&(_, factor)| factor != 0)
}

/// Numbers of which some are as large as they can be.
fn any_number() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -4i64..=4,
        1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, i64::MAX / 2, i64::MAX]),
        1 => any::<i64>(),
    ]
}

fn any_numbers() -> impl Strategy<Value = [i64; VARS + 1]> {
    [any_number(), any_number(), any_number(), any_number()]
}

fn few() -> impl Strategy<Value = [i64; VARS + 1]> {
    prop::array::uniform4(-4i64..=4)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// There is a sum where every number on the way to it has 64 bits, and nowhere else.
    #[test]
    fn sums_are_exact_or_none(
        (x, y) in (any_numbers(), any_numbers()),
        (a, b) in (any_number(), any_number()),
    ) {
        let fits = |value: i128| i64::try_from(value).ok();
        let both = |a: i64, x: i64, b: i64, y: i64| {
            let (a, x) = (i128::from(a) * i128::from(x), i128::from(b) * i128::from(y));
            fits(a)?;
            fits(x)?;
            fits(a + x)
        };
        let of = |a: i64, b: i64| -> Option<Vec<i64>> {
            (0..=VARS).map(|at| both(a, x[at], b, y[at])).collect()
        };
        let found = |sum: Option<LinearForm<usize>>| sum.map(|sum| numbers(&sum).to_vec());
        let (one, other) = (form(&x), form(&y));
        let sum = one.combined(a, &other, b);
        prop_assert!(sum.iter().all(is_normal));
        prop_assert_eq!(found(sum), of(a, b));
        prop_assert_eq!(found(one.plus(&other)), of(1, 1));
        prop_assert_eq!(found(one.minus(&other)), of(1, -1));
        prop_assert_eq!(found(one.times(a)), of(a, 0));
        let more = x[VARS].checked_add(a).map(|constant| [x[0], x[1], x[2], constant]);
        prop_assert_eq!(found(one.plus_number(a)), more.map(|more| more.to_vec()));
        let terms = [(2, x[2]), (0, x[0]), (1, x[1]), (0, y[0])];
        let twice = x[0].checked_add(y[0]).map(|first| vec![first, x[1], x[2], x[VARS]]);
        let sum = LinearForm::sum(x[VARS], terms);
        prop_assert!(sum.iter().all(is_normal));
        prop_assert_eq!(found(sum), twice);
    }

    /// A sum's value is the sum of the values, and so for what stands in place of a variable.
    #[test]
    fn values_are_what_forms_say(
        (x, y) in (few(), few()),
        (a, b) in (-4i64..=4, -4i64..=4),
        at in prop::array::uniform3(-9i64..=9),
        number in 1i64..=6,
    ) {
        let (x, y) = (form(&x), form(&y));
        let sum = x.combined(a, &y, b).unwrap();
        let expected = i128::from(a) * value(&x, &at) + i128::from(b) * value(&y, &at);
        prop_assert_eq!(value(&sum, &at), expected);
        for var in 0..VARS {
            let (factor, rest) = x.without(&var);
            prop_assert_eq!(rest.factor(&var), 0);
            let one = i128::from(factor) * i128::from(at[var]);
            prop_assert_eq!(value(&rest, &at) + one, value(&x, &at));
            let replaced = x.replaced(&var, &y).unwrap();
            prop_assert!(is_normal(&replaced));
            let one = i128::from(factor) * value(&y, &at);
            prop_assert_eq!(value(&rest, &at) + one, value(&replaced, &at));
        }
        // Not negative before and after, at every point.
        let tightened = x.clone().tightened();
        prop_assert_eq!(value(&x, &at) >= 0, value(&tightened, &at) >= 0);
        prop_assert!(matches!(tightened.divisor(), 0 | 1));
        match x.divided(number) {
            Some(quotient) => prop_assert_eq!(quotient.times(number), Some(x.clone())),
            None => prop_assert!(numbers(&x).iter().any(|n| n % number != 0)),
        }
        let backwards = x.renamed(|var| VARS - 1 - var);
        prop_assert!(is_normal(&backwards));
        prop_assert_eq!(value(&backwards, &[at[2], at[1], at[0]]), value(&x, &at));
        prop_assert_eq!(x.as_number().is_some(), x.terms().is_empty());
    }
}

#[test]
fn factors_that_have_no_absolute_value_stay() {
    let least = LinearForm::sum(2, [(0, i64::MIN)]).unwrap();
    assert_eq!(least.divisor(), 1);
    assert_eq!(least.clone().tightened(), least);
    assert_eq!(least.divided(0), None);
    assert_eq!(LinearForm::<usize>::number(i64::MIN).divided(-1), None);
}

#[test]
fn divisors_and_multiples_of_two_numbers() {
    for (a, b, divisor, multiple) in [(12, 18, 6, 36), (7, 5, 1, 35), (4, 8, 4, 8), (6, 6, 6, 6)] {
        assert_eq!((gcd(a, b), gcd(-b, a)), (divisor, divisor));
        assert_eq!((lcm(a, b), lcm(b, a)), (multiple, multiple));
    }
    assert_eq!((gcd(0, 9), gcd(-9, 0), gcd(0, 0)), (9, 9, 0));
    assert_eq!((lcm(0, 9), lcm(9, -3)), (9, 9));
    assert_eq!(lcm(1 << 40, (1 << 40) - 1), i64::MAX);
}

#[test]
fn subscripts_move_with_their_dimensions() {
    let of = |constant| LinearForm::sum(constant, [(Dim::In(1), 3), (Dim::Param(0), 1)]);
    let subscript = of(-2).unwrap();
    assert_eq!([0, 1, 2].map(|dim| subscript.along(dim)), [0, 3, 0]);
    assert_eq!(subscript.forward(1, 4), of(10));
    assert_eq!(subscript.forward(0, 4), Some(subscript.clone()));
    assert_eq!(subscript.forward(1, i64::MAX), None);
}

/// Parameters are named 0 and 1, inputs from 10 on; the input with number 2 has no name.
#[test]
fn affine_functions_without_divisions_are_forms() {
    let ctx = Ctx::new();
    let read = |text: &str| {
        let aff = Aff::read_from_str(&ctx, text).unwrap();
        LinearForm::of_aff(&aff, |kind, at| {
            Ok(match kind {
                DimType::In => (at != 2).then_some(10 + at),
                _ => Some(at),
            })
        })
        .unwrap()
    };
    let expected = LinearForm::sum(-5, [(0, 7), (10, -2), (11, 1)]);
    let text = "[n, m] -> { [i, j, k] -> [(-5 + 7n - 2i + j)] }";
    assert_eq!(read(text), expected);
    assert_eq!(read("{ [i, j] -> [(4)] }"), Some(LinearForm::number(4)));
    for none in [
        "{ [i, j, k] -> [(k)] }",
        "{ [i, j] -> [(floor((i)/2))] }",
        "{ [i, j] -> [((i)/2)] }",
        "{ [i, j] -> [((1)/2)] }",
        "{ [i, j] -> [(4611686018427387905)] }",
    ] {
        assert_eq!(read(none), None, "{none}");
    }
    let most = read("{ [i, j] -> [(4611686018427387904 i)] }");
    assert_eq!(most, LinearForm::sum(0, [(10, 1 << 62)]));
}
