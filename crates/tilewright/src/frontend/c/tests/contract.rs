//! What callers that are not C must keep to.

use super::{render, unit};
use crate::frontend::c::contract::{Amount, Contract, Operation, Outcome, Size, contract};
use crate::frontend::c::lower::lower;
use crate::scop::ScalarKind;

/// The contract of the last function of a file.
fn of(text: &str) -> Contract {
    let (source, unit) = unit(text);
    let ctx = isl::Ctx::new();
    let scops: Vec<_> = (0..unit.regions.len())
        .map(|region| {
            lower(&ctx, &unit, region).unwrap_or_else(|d| panic!("{}", render(&source, &d)))
        })
        .collect();
    let last = unit.functions.len() - 1;
    contract(&unit, last, &scops.iter().collect::<Vec<_>>())
}

/// Its value for these arguments.
fn value(amount: &Amount, arguments: &[i64]) -> i64 {
    let sub = |amount: &Amount| value(amount, arguments);
    match amount {
        Amount::Constant(value) => *value,
        Amount::Argument(at) => arguments[*at],
        Amount::Within(_, a) => sub(a),
        Amount::Minus(a) => -sub(a),
        Amount::Select(a, b, c) => sub(if sub(a) != 0 { b } else { c }),
        Amount::Two(operation, a, b) => {
            let (a, b) = (sub(a), sub(b));
            match operation {
                Operation::Add => a + b,
                Operation::Sub => a - b,
                Operation::Mul => a * b,
                Operation::Quotient => a / b,
                Operation::Remainder => a % b,
                Operation::FloorQuotient => a.div_euclid(b),
                Operation::Max => a.max(b),
                Operation::Min => a.min(b),
                Operation::And => i64::from(a != 0 && b != 0),
                Operation::Or => i64::from(a != 0 || b != 0),
                Operation::Equal => i64::from(a == b),
                Operation::Less => i64::from(a < b),
                Operation::LessEqual => i64::from(a <= b),
            }
        }
    }
}

/// Whether all conditions on arrays (or all assumptions) hold.
fn holds(contract: &Contract, array: Option<&str>, arguments: &[i64]) -> bool {
    contract
        .conditions
        .iter()
        .filter(|condition| condition.array.as_deref() == array)
        .all(|condition| value(&condition.holds, arguments) != 0)
}

#[test]
fn extents_are_computed_in_the_types_that_c_gives_them() {
    let contract = of("#include <stdint.h>
        float f(int n, int64_t m, short s, float a[restrict n + 2][2 * m], int b[-s], double *p) {
        #pragma scop
          for (int i = 0; i < n; i++) p[i] = a[i][0] + b[0];
        #pragma endscop
          return 1;
        }");
    assert!(matches!(&contract.result, Outcome::Number(n) if n.kind == ScalarKind::F32));
    let Size::Declared(extents) = &contract.sizes[3] else {
        panic!("{:?}", contract.sizes[3]);
    };
    let within = |kind, amount| Amount::Within(kind, Box::new(amount));
    let two = |operation, a, b| Amount::Two(operation, Box::new(a), Box::new(b));
    let (n, m) = (Amount::Argument(0), Amount::Argument(1));
    assert_eq!(
        extents[0],
        within(ScalarKind::I32, two(Operation::Add, n, Amount::Constant(2)))
    );
    assert_eq!(
        extents[1],
        within(ScalarKind::I64, two(Operation::Mul, Amount::Constant(2), m))
    );
    let Size::Declared(extents) = &contract.sizes[4] else {
        panic!("{:?}", contract.sizes[4]);
    };
    assert_eq!(
        extents[0],
        within(
            ScalarKind::I32,
            Amount::Minus(Box::new(Amount::Argument(2)))
        )
    );
    let Size::Reached(extent) = &contract.sizes[5] else {
        panic!("{:?}", contract.sizes[5]);
    };
    assert_eq!(value(extent, &[17, 0, 0]), 17);
    assert_eq!(contract.sizes[0], Size::One);
}

#[test]
fn accesses_outside_of_extents_are_conditions() {
    let contract = of(
        "void f(int n, int m, float a[restrict n], const float b[restrict m]) {
        #pragma scop
          for (int i = 2; i < n; i++) a[i] = b[i - 2] + b[i + 1];
        #pragma endscop
        }",
    );
    assert_eq!(contract.conditions.len(), 1, "{contract:?}");
    // b[n] is the last that is read, if anything is.
    for (n, m) in [(10, 11), (10, 20), (2, 0), (0, 0), (-5, 1)] {
        assert!(holds(&contract, Some("b"), &[n, m]), "n = {n}, m = {m}");
    }
    for (n, m) in [(10, 10), (3, 3), (3, 0)] {
        assert!(!holds(&contract, Some("b"), &[n, m]), "n = {n}, m = {m}");
    }
    // Which elements of `b` are read is for the data to say.
    let contract = of(
        "void f(int n, float a[restrict n], const int b[restrict n]) {
        #pragma scop
          for (int i = 0; i < n; i++) a[b[i]] = 1;
        #pragma endscop
        }",
    );
    assert_eq!(contract.conditions, []);
}

#[test]
fn assumptions_are_conditions() {
    let text = |before: &str| {
        format!(
            "void f(int n, unsigned m, float a[restrict 8 + n][8 + n]) {{ {before}
             float t[n - 3];
             #pragma scop
               for (int i = 0; i < n - 3; i++) t[i] = a[i][0];
               for (int i = 0; i < n - 3; i++) a[i][1] = t[i];
             #pragma endscop
             }}"
        )
    };
    let contract = of(&text(""));
    assert!(holds(&contract, None, &[3, 0]), "{contract:?}");
    assert!(
        !holds(&contract, None, &[2, 0]),
        "t would have an extent below zero"
    );
    assert!(!contract.incomplete);
    // What is assumed is then not about the argument.
    let contract = of(&text("n = n + 1;"));
    assert!(holds(&contract, None, &[2, 0]), "{contract:?}");
}

#[test]
fn variables_that_outlive_calls_are_shared() {
    let contract = of(
        "static float table[8]; int count; float *where; const int fixed = 3;
        static void other(void) { static int calls; calls++; count = 1; where = 0; }
        void f(int n, float a[restrict n]) {
        #pragma scop
          for (int i = 0; i < n; i++) a[i] = table[0] * fixed;
        #pragma endscop
          other();
        }",
    );
    assert_eq!(contract.shared, ["table", "count", "where", "calls"]);
    assert_eq!(contract.pointers, ["where"]);
    assert_eq!(contract.result, Outcome::Nothing);
}

#[test]
fn sizes_that_depend_on_more_are_unknown() {
    let contract = of("int width; enum { N = 4 };
        void f(int n, float a[restrict n][width], float b[restrict N][sizeof(int)], float c[restrict n * N]) {
        #pragma scop
          for (int i = 0; i < n; i++) a[i][0] = b[0][0] + c[i];
        #pragma endscop
        }");
    let unknown = |at: usize| match &contract.sizes[at] {
        Size::Unknown(why) => why.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        unknown(1),
        "its extent `width` does not follow from the arguments"
    );
    assert!(unknown(2).contains("sizeof(int)"), "{}", unknown(2));
    let Size::Declared(extents) = &contract.sizes[3] else {
        panic!("{:?}", contract.sizes[3]);
    };
    assert_eq!(value(&extents[0], &[5]), 20);
}
