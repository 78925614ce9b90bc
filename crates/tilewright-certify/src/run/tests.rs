//! Parts of the machine by themselves: orders, counts of iterations, coordinates, junk, functions of
//! numbers, and which way conditions went.

use super::math::Math;
use super::sides::{Side, Sides};
use super::steps::{junk, moved};
use super::team::{count, turns};
use super::*;
use crate::arith::extended;
use crate::arith::{Cond, bits32, f32_of, f64_of};
use crate::storage::memory::FARTHEST;
use crate::types::Kind;

/// How many iterations there are is what a loop does, where it ends.
#[test]
fn iterations_of_loops() {
    for first in -4..=4 {
        for bound in -4..=4 {
            for step in -3..=3 {
                for cond in [Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge, Cond::Ne] {
                    let (mut at, mut times) = (first, 0u64);
                    while cond.holds(at, bound) && times < 40 {
                        at += step;
                        times += 1;
                    }
                    let found = count(cond, first, bound, step);
                    let forwards = match cond {
                        Cond::Lt | Cond::Le => step > 0,
                        Cond::Gt | Cond::Ge => step < 0,
                        _ => step != 0 && (bound - first) % step == 0,
                    };
                    if times < 40 && forwards {
                        assert_eq!(found, Some(times), "{cond:?} {first} {bound} {step}");
                    }
                    if !forwards {
                        assert_eq!(found, None, "{cond:?} {first} {bound} {step}");
                    }
                }
            }
        }
    }
    let most = u64::MAX;
    assert_eq!(count(Cond::Le, i64::MIN, i64::MAX, 1), None);
    assert_eq!(count(Cond::Lt, i64::MIN, i64::MAX, 1), Some(most));
    assert_eq!(count(Cond::Gt, i64::MAX, i64::MIN, -1), Some(most));
    assert_eq!(count(Cond::Lt, 0, i64::MAX, i64::MAX), Some(1));
    assert_eq!(count(Cond::Eq, 0, 0, 1), None);
}

#[test]
fn orders_of_turns() {
    let all: Vec<u64> = (0..40).collect();
    assert_eq!(turns(40, Order::Forward), all);
    let mut backward = all.clone();
    backward.reverse();
    assert_eq!(turns(40, Order::Backward), backward);
    let shuffled = |seed: u64| turns(40, Order::Shuffled(seed));
    let mut orders = vec![all.clone(), backward];
    for seed in 0..6 {
        let mut sorted = shuffled(seed);
        assert!(!orders.contains(&sorted), "{seed}");
        orders.push(sorted.clone());
        sorted.sort_unstable();
        assert_eq!(sorted, all);
    }
    assert_eq!(shuffled(3), shuffled(3));
    assert_eq!(turns(0, Order::Backward), [0u64; 0]);
}

#[test]
fn numbers_of_groups_and_items() {
    let extents = [2, 3, 4];
    let mut number = 0;
    for z in 0..4 {
        for y in 0..3 {
            for x in 0..2 {
                assert_eq!(launch::coordinates(number, extents), [x, y, z]);
                number += 1;
            }
        }
    }
    assert_eq!(launch::coordinates(0, [0, 1, 1]), [0, 0, 0]);
    assert_eq!(launch::product(extents), 24);
    assert_eq!(launch::product([0, 3, 4]), 0);
    assert_eq!(launch::product([u64::MAX, 2, 1]), u64::MAX);
}

/// What nobody wrote is a value of its type, another one on other memory, and no zero.
#[test]
fn junk_of_all_types() {
    for byte in [0x41, 0xc3] {
        assert!(junk(Kind::Bool, byte) < 2);
        for kind in [
            Kind::I8,
            Kind::U8,
            Kind::I16,
            Kind::U16,
            Kind::I32,
            Kind::U32,
            Kind::I64,
            Kind::U64,
        ] {
            let value = junk(kind, byte);
            assert!((8..127).contains(&value), "{kind:?} {value}");
        }
        let (single, double) = (f32_of(junk(Kind::F32, byte)), f64_of(junk(Kind::F64, byte)));
        assert!((8.0..1000.0).contains(&single) && single.fract() != 0.0);
        assert!((8.0..1000.0).contains(&double) && double.fract() != 0.0);
    }
    for kind in [Kind::Bool, Kind::I8, Kind::U64, Kind::F32, Kind::F64] {
        assert_ne!(junk(kind, 0x41), junk(kind, 0xc3), "{kind:?}");
    }
}

#[test]
fn values_in_registers() {
    let raw = 0x8182_8384_85f6_f7f8;
    for (kind, value) in [
        (Kind::I8, -8i64),
        (Kind::U8, 0xf8),
        (Kind::I16, -2056),
        (Kind::U16, 0xf7f8),
        (Kind::I32, 0x85f6_f7f8u32 as i32 as i64),
        (Kind::U32, 0x85f6_f7f8),
        (Kind::I64, raw as i64),
        (Kind::U64, raw as i64),
        (Kind::F64, raw as i64),
    ] {
        assert_eq!(extended(kind, raw), value as u64, "{kind:?}");
    }
    assert_eq!(extended(Kind::Bool, 1), 1);
    assert_eq!(extended(Kind::F32, 0xc000_0000), 0xc000_0000);
}

#[test]
fn sums_of_pointers() {
    let base = 7u64 << 40 | 1 << 39;
    assert_eq!(moved(base, 3, 8), Ok(base + 24));
    assert_eq!(moved(base, -3i64 as u64, 8), Ok(base - 24));
    assert_eq!(moved(base, 0, 0), Ok(base));
    assert_eq!(
        moved(base, (FARTHEST - 1) as u64, 1),
        Ok(base + FARTHEST as u64 - 1)
    );
    assert_eq!(moved(base, -FARTHEST as u64, 1), Ok(base - FARTHEST as u64));
    for (index, scale) in [
        (FARTHEST, 1),
        (-FARTHEST - 1, 1),
        (i64::MAX, 2),
        (i64::MIN, 1),
        (1 << 40, 8),
    ] {
        assert!(
            matches!(moved(base, index as u64, scale), Err(Fault::Outside { .. })),
            "{index}"
        );
    }
}

/// Functions where their values are exact; in single precision, too.
#[test]
fn functions_of_numbers() {
    let inf = f64::INFINITY;
    for (name, x, expected) in [
        ("sqrt", 2.25, 1.5),
        ("cbrt", 27.0, 3.0),
        ("exp", 0.0, 1.0),
        ("exp", -inf, 0.0),
        ("exp2", 3.0, 8.0),
        ("expm1", 0.0, 0.0),
        ("log", 1.0, 0.0),
        ("log", 0.0, -inf),
        ("log2", 8.0, 3.0),
        ("log10", 1000.0, 3.0),
        ("log1p", 0.0, 0.0),
        ("sin", 0.0, 0.0),
        ("cos", 0.0, 1.0),
        ("tan", 0.0, 0.0),
        ("asin", 0.0, 0.0),
        ("acos", 1.0, 0.0),
        ("atan", 0.0, 0.0),
        ("sinh", 0.0, 0.0),
        ("cosh", 0.0, 1.0),
        ("tanh", inf, 1.0),
        ("asinh", 0.0, 0.0),
        ("acosh", 1.0, 0.0),
        ("atanh", 1.0, inf),
        ("floor", -1.5, -2.0),
        ("ceil", -1.5, -1.0),
        ("trunc", -1.5, -1.0),
        ("round", -1.5, -2.0),
        ("round", 2.5, 3.0),
        ("rint", 2.5, 2.0),
        ("nearbyint", 3.5, 4.0),
        ("roundeven", -2.5, -2.0),
        ("fabs", -1.5, 1.5),
        ("erf", 0.0, 0.0),
        ("erf", inf, 1.0),
        ("erf", -inf, -1.0),
    ] {
        let Some((Math::One(f), Kind::F64)) = Math::named(name) else {
            panic!("{name}");
        };
        assert_eq!(f64_of(f.apply(f64::to_bits(x))), expected, "{name}({x})");
        let Some((Math::One(f), Kind::F32)) = Math::named(&format!("__builtin_{name}f")) else {
            panic!("{name}f");
        };
        assert_eq!(
            f32_of(f.apply(bits32(x as f32))),
            expected as f32,
            "{name}f({x})"
        );
    }
    for (name, x, y, expected) in [
        ("pow", 2.0, 10.0, 1024.0),
        ("atan2", 0.0, 1.0, 0.0),
        ("fmod", 7.5, -2.0, 1.5),
        ("fmod", -7.5, 2.0, -1.5),
        ("fmax", 1.0, 2.0, 2.0),
        ("fmax", f64::NAN, 2.0, 2.0),
        ("fmin", 1.0, 2.0, 1.0),
        ("fmin", 1.0, f64::NAN, 1.0),
        ("hypot", 3.0, 4.0, 5.0),
        ("copysign", 3.0, -0.0, -3.0),
        ("fdim", 5.0, 3.0, 2.0),
        ("fdim", 3.0, 5.0, 0.0),
        ("fdim", 3.0, 3.0, 0.0),
        ("fdim", inf, 1.0, inf),
        ("fdim", inf, inf, 0.0),
    ] {
        let Some((Math::Two(f), Kind::F64)) = Math::named(name) else {
            panic!("{name}");
        };
        let found = f64_of(f.apply(f64::to_bits(x), f64::to_bits(y)));
        assert_eq!(found, expected, "{name}({x}, {y})");
        let Some((Math::Two(f), Kind::F32)) = Math::named(&format!("{name}f")) else {
            panic!("{name}f");
        };
        let found = f32_of(f.apply(bits32(x as f32), bits32(y as f32)));
        assert_eq!(found, expected as f32, "{name}f({x}, {y})");
    }
    let Some((Math::Two(fdim), _)) = Math::named("fdim") else {
        panic!("fdim");
    };
    for (x, y) in [(f64::NAN, 1.0), (1.0, f64::NAN)] {
        assert!(f64_of(fdim.apply(x.to_bits(), y.to_bits())).is_nan());
    }
    // In one step: what a product alone would round away is there.
    let Some((Math::Three(fma), Kind::F64)) = Math::named("fma") else {
        panic!("fma");
    };
    let (x, tiny) = (1.0 + f64::EPSILON, f64::EPSILON * f64::EPSILON);
    let found = fma.apply(
        x.to_bits(),
        x.to_bits(),
        (-(1.0 + 2.0 * f64::EPSILON)).to_bits(),
    );
    assert_eq!(f64_of(found), tiny);
    let Some((Math::Three(fma), Kind::F32)) = Math::named("fmaf") else {
        panic!("fmaf");
    };
    assert_eq!(
        f32_of(fma.apply(bits32(2.0), bits32(3.0), bits32(4.0))),
        10.0
    );
    // Those that are not in the library are odd, even, and near what they stand for.
    let one = |name: &str, x: f64| match Math::named(name) {
        Some((Math::One(f), Kind::F64)) => f64_of(f.apply(x.to_bits())),
        _ => panic!("{name}"),
    };
    assert!((one("erf", 1e-6) / 1e-6 - std::f64::consts::FRAC_2_SQRT_PI).abs() < 1e-6);
    assert_eq!(one("erf", -0.7), -one("erf", 0.7));
    assert!(one("tgamma", 3.0) > one("tgamma", 2.0) && one("tgamma", 0.5).is_finite());
    for name in [
        "f",
        "sqrtff",
        "sqrtll",
        "fmaff",
        "exp3",
        "",
        "__builtin_",
        "lgamma",
        "sqr",
    ] {
        assert!(Math::named(name).is_none(), "{name}");
    }
}

/// How far a comparison is from going the other way: one for each step of an operand.
#[test]
fn distances_of_conditions() {
    let mut sides = Sides(vec![Side {
        taken: false,
        passed: false,
        distance: u64::MAX,
    }]);
    for (cond, a, b, distance) in [
        (Cond::Lt, 3, 10, 7),
        (Cond::Lt, 10, 3, 8),
        (Cond::Lt, 3, 3, 1),
        (Cond::Le, 3, 10, 8),
        (Cond::Le, 10, 3, 7),
        (Cond::Gt, 10, 3, 7),
        (Cond::Gt, 3, 10, 8),
        (Cond::Ge, 10, 3, 8),
        (Cond::Ge, 3, 10, 7),
        (Cond::Eq, 3, 3, 1),
        (Cond::Eq, 3, 10, 7),
        (Cond::Eq, 10, 3, 7),
        (Cond::Ne, 3, 10, 7),
        (Cond::Ne, 3, 3, 1),
        (Cond::Lt, i64::MIN, i64::MAX, i64::MAX as u64),
    ] {
        sides.0[0] = Side {
            taken: false,
            passed: false,
            distance: u64::MAX,
        };
        let holds = cond.holds(a, b);
        sides.compares(0, cond, holds, a, b);
        let side = sides.0[0];
        assert_eq!(side.distance, distance, "{cond:?} {a} {b}");
        assert_eq!((side.taken, side.passed), (holds, !holds));
        // The nearest of all counts.
        sides.compares(0, cond, holds, a, b);
        assert_eq!(sides.0[0].distance, distance);
    }
    sides.compares(0, Cond::Lt, false, 4, 3);
    assert_eq!(sides.0[0].distance, 2);
    // Once it went the other way, too.
    sides.compares(0, Cond::Lt, true, 3, 4);
    assert!(sides.0[0].taken && sides.0[0].passed);
    assert_eq!(sides.0[0].distance, 1);
}
