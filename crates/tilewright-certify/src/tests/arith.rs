//! C's arithmetic, compared with exact integers.

use crate::arith::{Arith, Cond, How, arith, compare, convert, negate, show, wrap};
use crate::storage::memory::Fault;
use crate::types::Kind;

const KINDS: [Kind; 11] = [
    Kind::Bool,
    Kind::I8,
    Kind::U8,
    Kind::I16,
    Kind::U16,
    Kind::I32,
    Kind::U32,
    Kind::I64,
    Kind::U64,
    Kind::F32,
    Kind::F64,
];

/// The kinds that operations have: operands are promoted first.
const PROMOTED: [Kind; 4] = [Kind::I32, Kind::U32, Kind::I64, Kind::U64];

/// The least and the greatest value of an integer kind.
fn range(kind: Kind) -> (i128, i128) {
    match (kind, kind.is_signed()) {
        (Kind::Bool, _) => (0, 1),
        (_, true) => (-(1 << (kind.bits() - 1)), (1 << (kind.bits() - 1)) - 1),
        (_, false) => (0, (1 << kind.bits()) - 1),
    }
}

/// A register that holds an integer.
fn register(value: i128) -> u64 {
    value as u64
}

/// The integer that a register holds.
fn value(kind: Kind, register: u64) -> i128 {
    if kind.is_signed() {
        i128::from(register as i64)
    } else {
        i128::from(register)
    }
}

/// The value of a kind that is congruent to an integer.
fn modulo(kind: Kind, value: i128) -> i128 {
    let (low, high) = range(kind);
    (value - low).rem_euclid(high - low + 1) + low
}

/// Values at the ends of a kind, around zero, and between.
fn values(kind: Kind) -> Vec<i128> {
    let (low, high) = range(kind);
    let near = [
        low,
        low + 1,
        low / 2,
        low / 3,
        high / 3,
        high / 2,
        high / 2 + 1,
        high - 1,
        high,
    ];
    let small = [
        -9, -7, -2, -1, 0, 1, 2, 3, 7, 10, 31, 32, 33, 63, 64, 1000, 46_341, 65_536,
    ];
    let all = near.into_iter().chain(small);
    all.filter(|v| (low..=high).contains(v)).collect()
}

/// What C says of an operation: its value, or the fault.
fn defined(op: Arith, kind: Kind, a: i128, b: i128) -> Result<i128, Fault> {
    let (low, high) = range(kind);
    let bits = i128::from(kind.bits());
    let exact = match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        // Of the greatest numbers, the lower half is enough to know what wraps.
        Arith::Mul => a
            .checked_mul(b)
            .unwrap_or_else(|| a.wrapping_mul(b) & i128::from(u64::MAX)),
        Arith::Div | Arith::Rem if b == 0 => return Err(Fault::DivisionByZero),
        Arith::Div | Arith::Rem if kind.is_signed() && a == low && b == -1 => {
            return Err(Fault::Overflow);
        }
        Arith::Div => a / b,
        Arith::Rem => a % b,
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::Shl | Arith::Shr if !(0..bits).contains(&b) => return Err(Fault::Shift),
        Arith::Shl if a < 0 => return Err(Fault::Shift),
        Arith::Shl if kind.is_signed() && a << b > high => return Err(Fault::Shift),
        Arith::Shl => a << b,
        Arith::Shr => a >> b,
    };
    match kind.is_signed() {
        true if (low..=high).contains(&exact) => Ok(exact),
        true => Err(Fault::Overflow),
        false => Ok(modulo(kind, exact)),
    }
}

const OPERATIONS: [Arith; 10] = [
    Arith::Add,
    Arith::Sub,
    Arith::Mul,
    Arith::Div,
    Arith::Rem,
    Arith::And,
    Arith::Or,
    Arith::Xor,
    Arith::Shl,
    Arith::Shr,
];

#[test]
fn operations_on_integers() {
    for kind in PROMOTED {
        for op in OPERATIONS {
            for a in values(kind) {
                for b in values(kind) {
                    let found = arith(op, kind, register(a), register(b));
                    let found = found.map(|v| value(kind, v));
                    assert_eq!(
                        found,
                        defined(op, kind, a, b),
                        "{op:?} of {kind:?}: {a}, {b}"
                    );
                }
            }
        }
        for a in values(kind) {
            let found = negate(kind, register(a)).map(|v| value(kind, v));
            assert_eq!(found, defined(Arith::Sub, kind, 0, a), "-{a} of {kind:?}");
        }
    }
}

#[test]
fn operations_on_floating_point_numbers() {
    let numbers = [1.5f64, -2.25, 0.1, 3e30, -0.0];
    for x in numbers {
        for y in numbers {
            let (s, t) = (x as f32, y as f32);
            for (op, double, single) in [
                (Arith::Add, x + y, s + t),
                (Arith::Sub, x - y, s - t),
                (Arith::Mul, x * y, s * t),
                (Arith::Div, x / y, s / t),
            ] {
                let found = arith(op, Kind::F64, x.to_bits(), y.to_bits());
                assert_eq!(found, Ok(double.to_bits()), "{op:?} {x} {y}");
                let (a, b) = (u64::from(s.to_bits()), u64::from(t.to_bits()));
                let found = arith(op, Kind::F32, a, b);
                assert_eq!(found, Ok(u64::from(single.to_bits())), "{op:?} {s} {t}");
            }
        }
        assert_eq!(negate(Kind::F64, x.to_bits()), Ok((-x).to_bits()));
        let single = u64::from((x as f32).to_bits());
        assert_eq!(
            negate(Kind::F32, single),
            Ok(u64::from((-(x as f32)).to_bits()))
        );
    }
    for kind in [Kind::F32, Kind::F64] {
        assert!(matches!(
            arith(Arith::Rem, kind, 0, 0),
            Err(Fault::Internal(_))
        ));
    }
}

#[test]
fn comparisons() {
    let conditions = [Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge, Cond::Eq, Cond::Ne];
    let holds = |cond: Cond, order: Option<std::cmp::Ordering>| match cond {
        Cond::Lt => order.is_some_and(|o| o.is_lt()),
        Cond::Le => order.is_some_and(|o| o.is_le()),
        Cond::Gt => order.is_some_and(|o| o.is_gt()),
        Cond::Ge => order.is_some_and(|o| o.is_ge()),
        Cond::Eq => order.is_some_and(|o| o.is_eq()),
        Cond::Ne => order.is_none_or(|o| o.is_ne()),
    };
    let integers = [i64::MIN, -5, -1, 0, 1, 5, i64::MAX];
    let floats = [f64::NEG_INFINITY, -1.5, 0.0, -0.0, 1.5, f64::NAN];
    for cond in conditions {
        for a in integers {
            for b in integers {
                let signed = holds(cond, a.partial_cmp(&b));
                assert_eq!(compare(cond, How::Signed, a as u64, b as u64), signed);
                assert_eq!(
                    compare(cond.opposite(), How::Signed, a as u64, b as u64),
                    !signed
                );
                let unsigned = holds(cond, (a as u64).partial_cmp(&(b as u64)));
                assert_eq!(compare(cond, How::Unsigned, a as u64, b as u64), unsigned);
            }
        }
        for a in floats {
            for b in floats {
                let expected = holds(cond, a.partial_cmp(&b));
                assert_eq!(compare(cond, How::F64, a.to_bits(), b.to_bits()), expected);
                let single = |x: f64| u64::from((x as f32).to_bits());
                assert_eq!(compare(cond, How::F32, single(a), single(b)), expected);
            }
        }
    }
    for kind in KINDS {
        let how = match kind {
            Kind::F32 => How::F32,
            Kind::F64 => How::F64,
            // Narrower unsigned numbers are not negative in a register.
            Kind::U64 => How::Unsigned,
            _ => How::Signed,
        };
        assert_eq!(How::of(kind), how, "{kind:?}");
    }
}

#[test]
fn conversions_of_integers() {
    for from in PROMOTED {
        for v in values(from) {
            for to in KINDS {
                let found = convert(from, to, register(v));
                let expected = match to {
                    Kind::F32 => u64::from((v as f32).to_bits()),
                    Kind::F64 => (v as f64).to_bits(),
                    Kind::Bool => u64::from(v != 0),
                    _ => register(modulo(to, v)),
                };
                assert_eq!(found, Ok(expected), "{v} of {from:?} as {to:?}");
                if !to.is_float() {
                    assert_eq!(wrap(to, register(v)), expected, "{v} as {to:?}");
                }
            }
        }
    }
}

#[test]
fn conversions_of_floating_point_numbers() {
    let mut numbers = vec![
        0.0, -0.0, 0.5, -0.5, 0.999, -0.999, 1.0, -1.0, 1.5, 1e300, -1e300,
    ];
    for bits in [7, 8, 15, 16, 31, 32, 63, 64] {
        let end = (bits as f64).exp2();
        numbers.extend([
            end,
            end - 0.5,
            end - 1.0,
            end + 1.0,
            end * (1.0 - f64::EPSILON),
        ]);
        numbers.extend([
            -end,
            0.5 - end,
            1.0 - end,
            -0.5 - end,
            -1.0 - end,
            -end * 1.001,
        ]);
    }
    let check = |from: Kind, x: f64, bits: u64| {
        for to in KINDS {
            let expected = match to {
                Kind::F32 if from == Kind::F32 => Ok(bits),
                Kind::F32 => Ok(u64::from((x as f32).to_bits())),
                Kind::F64 => Ok(x.to_bits()),
                Kind::Bool => Ok(u64::from(x != 0.0)),
                // The whole part counts; of what is beyond the range of `i128`, its end is kept.
                _ if x.is_nan() => Err(Fault::Conversion),
                _ => {
                    let (low, high) = range(to);
                    let whole = x.trunc() as i128;
                    if (low..=high).contains(&whole) {
                        Ok(register(whole))
                    } else {
                        Err(Fault::Conversion)
                    }
                }
            };
            assert_eq!(
                convert(from, to, bits),
                expected,
                "{x} of {from:?} as {to:?}"
            );
        }
    };
    for x in numbers {
        check(Kind::F64, x, x.to_bits());
        let single = x as f32;
        check(Kind::F32, f64::from(single), u64::from(single.to_bits()));
    }
    for x in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        check(Kind::F64, x, x.to_bits());
    }
    // A NaN keeps its bits where nothing is converted.
    let nan = 0x7fc0_1234;
    assert_eq!(convert(Kind::F32, Kind::F32, nan), Ok(nan));
}

#[test]
fn values_in_words() {
    for (kind, bits, text) in [
        (Kind::I32, -5i64 as u64, "-5"),
        (Kind::I64, i64::MIN as u64, "-9223372036854775808"),
        (Kind::U32, 0xffff_fffb, "4294967291"),
        (Kind::U64, u64::MAX, "18446744073709551615"),
        (Kind::Bool, 1, "1"),
        (Kind::F64, 0.1f64.to_bits(), "0.1"),
        (Kind::F32, u64::from(0.1f32.to_bits()), "0.1"),
        (Kind::F64, 2.0f64.to_bits(), "2.0"),
    ] {
        assert_eq!(show(kind, bits), text);
    }
}
