//! Numbers that Rust does not have: what the model keeps of them, and that texts which differ as C does
//! are told apart.

use crate::arith::{Arith, arith, bits32, convert, extended, f32_of, f64_of};
use crate::types::Kind;
use crate::wide::{Complex, half, in_memory, parts, stored, whole};

/// IEEE 754's numbers of 16 bits.
#[test]
fn numbers_of_16_bits() {
    for (value, bits) in [
        (0.0f32, 0u64),
        (1.0, 0x3c00),
        (-2.0, 0xc000),
        (65504.0, 0x7bff),
        (65519.0, 0x7bff),
        (65520.0, 0x7c00),
        (0.1, 0x2e66),
        (1.0 / 3.0, 0x3555),
        (2049.0, 0x6800),
        (2051.0, 0x6802),
        (6.103_515_6e-5, 0x0400),
        (5.960_464_5e-8, 0x0001),
        (2.0e-8, 0x0000),
        (4.5e-8, 0x0001),
        (f32::INFINITY, 0x7c00),
        (-0.0, 0x8000),
    ] {
        assert_eq!(stored(Kind::F16, bits32(value)), bits, "{value}");
        let back = f32_of(extended(Kind::F16, bits));
        assert_eq!(back.to_bits(), half(value).to_bits(), "{value}");
    }
    for bits in 0..0x7c00 {
        assert_eq!(stored(Kind::F16, extended(Kind::F16, bits)), bits);
    }
    assert!(f32_of(extended(Kind::F16, 0x7e00)).is_nan());
}

/// Whole numbers are exact in all of them, as far as programs of small sizes have them.
#[test]
fn small_numbers_stay() {
    use Kind::*;
    for kind in [F16, F80, F128, C32, C64, C80, C128] {
        for number in [0i64, 1, -3, 7, 100, 2000] {
            let there = convert(I64, kind, number as u64).unwrap();
            assert_eq!(convert(kind, I64, there), Ok(number as u64), "{kind:?}");
            let memory = in_memory(kind, there);
            let raw = u64::from_le_bytes(memory[..8].try_into().unwrap());
            assert_eq!(extended(kind, raw), there);
            let twice = arith(Arith::Add, kind, there, there).unwrap();
            assert_eq!(convert(kind, I64, twice), Ok((2 * number) as u64));
        }
    }
    // What has an imaginary part only is true.
    for kind in [C32, C64, C80, C128] {
        assert_eq!(convert(kind, Bool, whole(kind, 0.0, 2.0)), Ok(1));
        assert_eq!(convert(kind, Bool, whole(kind, 0.0, 0.0)), Ok(0));
    }
}

#[test]
fn products_and_quotients_of_complex_numbers() {
    for kind in [Kind::C32, Kind::C64, Kind::C80] {
        let (a, b) = (whole(kind, 3.0, 4.0), whole(kind, 1.0, -2.0));
        let of = |op| parts(kind, arith(op, kind, a, b).unwrap());
        assert_eq!(of(Arith::Add), (4.0, 2.0));
        assert_eq!(of(Arith::Sub), (2.0, 6.0));
        assert_eq!(of(Arith::Mul), (11.0, -2.0));
        assert_eq!(of(Arith::Div), (-1.0, 2.0));
        assert!(arith(Arith::Rem, kind, a, b).is_err());
        let absolute = Complex::Absolute.apply(kind, a, 0);
        assert_eq!(parts(kind.part(), absolute).0, 5.0);
        assert_eq!(
            parts(kind, Complex::Conjugate.apply(kind, a, 0)),
            (3.0, -4.0)
        );
    }
}

/// A conversion to a smaller type is never the identity on what the larger one has.
#[test]
fn conversions_show() {
    use Kind::*;
    let third = convert(F64, F80, (1.0f64 / 3.0).to_bits()).unwrap();
    assert_eq!(f64_of(third), 1.0 / 3.0);
    let short = convert(F80, F64, third).unwrap();
    assert_ne!(f64_of(short), 1.0 / 3.0);
    assert!((f64_of(short) - 1.0 / 3.0).abs() < 1e-12);
    assert_ne!(convert(F80, F32, third), convert(F64, F32, third));
    assert_ne!(convert(F128, F80, third), Ok(third));
    let z = whole(C64, 1.0 / 3.0, 0.7);
    let narrow = convert(C64, C32, z).unwrap();
    let (re, im) = parts(C64, convert(C32, C64, narrow).unwrap());
    assert!(re != parts(C64, z).0 && im != parts(C64, z).1);
    assert!((re - 1.0 / 3.0).abs() < 1e-4);
}
