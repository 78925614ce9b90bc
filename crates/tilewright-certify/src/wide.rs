//! Numbers that Rust does not have: `_Float16`, `long double`, `__float128`, and complex numbers.
//!
//! Registers have 64 bits, and these numbers are in them as a model:
//!
//! - a `_Float16` as the `float` with which C compilers compute within an expression, rounded to 16
//!   bits wherever C converts to the type, and in memory;
//! - a `long double` or `__float128` as a `double`, which is not the nearest one but the next where a
//!   result has more bits, so that it is none that a computation in `double` would have;
//! - a complex number as two numbers of 32 bits: `float` for parts that are `float`, otherwise a
//!   `double` without the lower half of its bits.
//!
//! Conversions to a type of fewer bits give up more bits than C does, so that one that is lost shows,
//! and so does a constant that lost its `L`: it is no `double` either where it is no short number. In memory a number takes the bytes that it takes in C. The first eight hold it, others nothing;
//! all have to be written before it is read.
//!
//! Why that is enough: what is compared is whether two texts compute the same from the same inputs,
//! not what. Whatever value an operation has here, it is a function of its operands and their types, so
//! that texts which do the same operations leave the same values; and it is one that rounds, so that
//! another order, other cells, or another type in between leave other values, as they do in C. What
//! this does not see is a difference between operations that happen to be the same here: signs of zeros
//! and numbers that are none in products of complex numbers are not those of C.

use crate::arith::{Arith, bits32, f32_of, f64_of};
use crate::types::Kind;

/// Bytes of the largest number.
pub(crate) const MOST: usize = 32;

/// Bits of what is left of a number by conversions, with the first one.
mod kept {
    /// Of a part of a complex number.
    pub const PART: u32 = 21;
    /// Of such a part that becomes one of a smaller type.
    pub const NARROW_PART: u32 = 16;
    /// Of a `__float128` as `long double`.
    pub const LONG: u32 = 48;
    /// Of a longer number as `double`, and as `float` or less.
    pub const DOUBLE: u32 = 44;
    pub const FLOAT: u32 = 20;
}

/// A number rounded to so many bits, to even.
fn rounded(value: f64, bits: u32) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let drop = 53 - bits;
    let all = value.to_bits();
    let odd = (all >> drop) & 1;
    let half = (1u64 << (drop - 1)) - 1;
    f64::from_bits((all + half + odd) & !((1 << drop) - 1))
}

/// A number rounded to what 16 bits hold.
pub(crate) fn half(value: f32) -> f32 {
    let least = f32::from_bits((127 - 24) << 23);
    let size = value.abs();
    if size >= 65520.0 {
        return f32::INFINITY.copysign(value);
    }
    if size < f32::from_bits((127 - 14) << 23) {
        return ((value / least).round_ties_even() * least).copysign(value);
    }
    if value.is_nan() {
        return value;
    }
    rounded(f64::from(value), 11) as f32
}

/// The 16 bits of a number that was rounded to them.
fn packed(value: f32) -> u64 {
    let bits = value.to_bits();
    let sign = u64::from(bits >> 31) << 15;
    let size = value.abs();
    sign | if value.is_nan() {
        0x7e00
    } else if size >= 65520.0 {
        0x7c00
    } else if size < f32::from_bits((127 - 14) << 23) {
        (size / f32::from_bits((127 - 24) << 23)) as u64
    } else {
        u64::from((size.to_bits() >> 13) - ((127 - 15) << 10))
    }
}

fn unpacked(bits: u64) -> f32 {
    let (exponent, fraction) = ((bits >> 10) & 31, (bits & 1023) as u32);
    let size = match exponent {
        0 => fraction as f32 * f32::from_bits((127 - 24) << 23),
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::NAN,
        _ => f32::from_bits(((exponent as u32 + 127 - 15) << 23) | (fraction << 13)),
    };
    if bits >> 15 & 1 == 1 { -size } else { size }
}

/// A number's bytes in memory.
#[inline]
pub(crate) fn in_memory(kind: Kind, value: u64) -> [u8; MOST] {
    let mut all = [0; MOST];
    all[..8].copy_from_slice(&stored(kind, value).to_le_bytes());
    all
}

/// What its first bytes hold, of a number in a register.
#[inline(always)]
pub(crate) fn stored(kind: Kind, value: u64) -> u64 {
    match kind {
        Kind::F16 => packed(half(f32_of(value))),
        _ => value,
    }
}

/// What a register holds, of a number whose first bytes are these.
#[inline]
pub(crate) fn loaded(kind: Kind, raw: u64) -> u64 {
    match kind {
        Kind::F16 => bits32(unpacked(raw)),
        _ => raw,
    }
}

/// A real number of one of these kinds, and of `float` and `double`.
fn real(kind: Kind, bits: u64) -> f64 {
    match kind {
        Kind::F16 | Kind::F32 => f64::from(f32_of(bits)),
        _ => f64_of(bits),
    }
}

/// A number's real and imaginary part.
pub(crate) fn parts(kind: Kind, bits: u64) -> (f64, f64) {
    let part = |bits: u64| match kind {
        Kind::C32 => f64::from(f32_of(bits & 0xffff_ffff)),
        _ => f64_of(bits << 32),
    };
    match kind.is_complex() {
        true => (part(bits), part(bits >> 32)),
        false => (real(kind, bits), 0.0),
    }
}

/// The complex number of two parts.
pub(crate) fn whole(kind: Kind, re: f64, im: f64) -> u64 {
    let part = |value: f64| match kind {
        Kind::C32 => bits32(value as f32),
        _ if value.is_nan() => f64::NAN.to_bits() >> 32,
        _ => rounded(value, kept::PART).to_bits() >> 32,
    };
    part(re) | part(im) << 32
}

/// What a number's part is as a number of the type that the part has.
fn as_part(kind: Kind, part: f64) -> u64 {
    match kind {
        Kind::C32 => bits32(part as f32),
        _ => part.to_bits(),
    }
}

/// A conversion from or to one of these kinds, if it is one. To integers they are as `double`.
pub(crate) fn convert(from: Kind, to: Kind, bits: u64) -> Option<u64> {
    if !from.is_wide() && !to.is_wide() {
        return None;
    }
    let as_double = || match from.is_float() {
        true => parts(from, bits).0,
        false if from.is_signed() || from.size() < 8 => bits as i64 as f64,
        false => bits as f64,
    };
    if to.is_complex() {
        let (re, im) = match from.is_float() {
            true => parts(from, bits),
            false => (as_double(), 0.0),
        };
        let narrower = from.is_complex() && to < from;
        let part = |value| match narrower {
            true => rounded(value, kept::NARROW_PART),
            false => value,
        };
        return Some(whole(to, part(re), part(im)));
    }
    let value = as_double();
    let is_long = from > Kind::F64;
    let short = match is_long {
        true => rounded(value, kept::FLOAT),
        false => value,
    };
    Some(match to {
        Kind::F16 => bits32(half(short as f32)),
        Kind::F32 if from == Kind::F16 => bits,
        Kind::F32 => bits32(short as f32),
        Kind::F64 if is_long => rounded(value, kept::DOUBLE).to_bits(),
        Kind::F80 if is_long && from.part() == Kind::F128 => rounded(value, kept::LONG).to_bits(),
        Kind::F64 | Kind::F80 | Kind::F128 => value.to_bits(),
        Kind::Bool => {
            let (re, im) = parts(from, bits);
            u64::from(re != 0.0 || im != 0.0)
        }
        _ => return None,
    })
}

/// An operation of two numbers of one of these kinds; `None` for what C does not have.
pub(crate) fn arith(op: Arith, kind: Kind, a: u64, b: u64) -> Option<u64> {
    if kind.is_complex() {
        let ((a, b), (c, d)) = (parts(kind, a), parts(kind, b));
        let (re, im) = match op {
            Arith::Add => (a + c, b + d),
            Arith::Sub => (a - c, b - d),
            Arith::Mul => (a * c - b * d, a * d + b * c),
            Arith::Div => {
                let size = c * c + d * d;
                ((a * c + b * d) / size, (b * c - a * d) / size)
            }
            _ => return None,
        };
        return Some(whole(kind, re, im));
    }
    if kind == Kind::F16 {
        return crate::arith::arith(op, Kind::F32, a, b).ok();
    }
    let (x, y) = (f64_of(a), f64_of(b));
    let (value, is_exact) = match op {
        Arith::Add => (x + y, is_sum(x, y)),
        Arith::Sub => (x - y, is_sum(x, -y)),
        Arith::Mul => (x * y, x.mul_add(y, -(x * y)) == 0.0),
        Arith::Div => (x / y, (x / y).mul_add(y, -x) == 0.0),
        _ => return None,
    };
    let rounded = match is_exact || !value.is_finite() {
        true => value,
        false => beyond(kind, value),
    };
    Some(rounded.to_bits())
}

/// Whether a sum of two numbers is a `double`.
fn is_sum(x: f64, y: f64) -> bool {
    let sum = x + y;
    let of_y = sum - x;
    (x - (sum - of_y)) + (y - of_y) == 0.0
}

/// What stands for a number behind the last bit of a `double`: one that no `double` would be.
fn beyond(kind: Kind, value: f64) -> f64 {
    let by = match kind {
        Kind::F80 => 1,
        _ => 2,
    };
    f64::from_bits(value.to_bits() + by)
}

pub(crate) fn negate(kind: Kind, a: u64) -> u64 {
    match kind {
        Kind::F16 => bits32(-f32_of(a)),
        _ if kind.is_complex() => {
            let (re, im) = parts(kind, a);
            whole(kind, -re, -im)
        }
        _ => (-f64_of(a)).to_bits(),
    }
}

/// A constant of a longer type than `double`, whose digits are these as `double`.
pub(crate) fn constant(kind: Kind, value: f64) -> f64 {
    let is_short = value.to_bits().trailing_zeros() >= 20;
    match is_short || !value.is_finite() {
        true => value,
        false => beyond(kind, value),
    }
}

/// What is computed of complex numbers, or makes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Complex {
    /// Of two real numbers.
    Make,
    Real,
    Imaginary,
    Conjugate,
    Absolute,
    Argument,
    Exp,
    Sqrt,
    /// Another function, by its number: any will do that mixes its arguments' bits.
    Other(u8),
}

/// Functions of one argument but for the last, which has two.
const OTHERS: [&str; 16] = [
    "clog", "csin", "ccos", "ctan", "casin", "cacos", "catan", "csinh", "ccosh", "ctanh", "casinh",
    "cacosh", "catanh", "cproj", "cexp2", "cpow",
];

impl Complex {
    /// By C's name, with the kind of complex numbers that it is of.
    pub fn named(name: &str) -> Option<(Complex, Kind)> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let suffixed = |letter, kind| Some((Self::of(name.strip_suffix(letter)?)?, kind));
        Self::of(name)
            .map(|f| (f, Kind::C64))
            .or_else(|| suffixed('f', Kind::C32))
            .or_else(|| suffixed('l', Kind::C80))
    }

    fn of(name: &str) -> Option<Complex> {
        Some(match name {
            "creal" => Complex::Real,
            "cimag" => Complex::Imaginary,
            "conj" => Complex::Conjugate,
            "cabs" => Complex::Absolute,
            "carg" => Complex::Argument,
            "cexp" => Complex::Exp,
            "csqrt" => Complex::Sqrt,
            _ => Complex::Other(OTHERS.iter().position(|other| *other == name)? as u8),
        })
    }

    /// How many arguments it has.
    pub fn arguments(self) -> usize {
        match self {
            Complex::Make => 2,
            Complex::Other(number) if usize::from(number) + 1 == OTHERS.len() => 2,
            _ => 1,
        }
    }

    /// Whether its result is a real number.
    pub fn is_real(self) -> bool {
        matches!(
            self,
            Complex::Real | Complex::Imaginary | Complex::Absolute | Complex::Argument
        )
    }

    /// What it makes of numbers of a complex kind, or of two parts of one.
    pub fn apply(self, kind: Kind, a: u64, b: u64) -> u64 {
        let (re, im) = parts(kind, a);
        let real = |value| as_part(kind, value);
        match self {
            Complex::Make => {
                let part = kind.part();
                whole(kind, parts(part, a).0, parts(part, b).0)
            }
            Complex::Real => real(re),
            Complex::Imaginary => real(im),
            Complex::Conjugate => whole(kind, re, -im),
            Complex::Absolute => real(re.hypot(im)),
            Complex::Argument => real(im.atan2(re)),
            Complex::Exp => whole(kind, re.exp() * im.cos(), re.exp() * im.sin()),
            Complex::Sqrt => {
                let size = re.hypot(im);
                let imaginary = ((size - re) / 2.0).max(0.0).sqrt();
                whole(
                    kind,
                    ((size + re) / 2.0).max(0.0).sqrt(),
                    imaginary.copysign(im),
                )
            }
            Complex::Other(number) => {
                let by = f64::from(number) * 0.37 + 0.61;
                let (x, y) = match self.arguments() {
                    2 => parts(kind, b),
                    _ => (by, -0.3),
                };
                whole(
                    kind,
                    (re * by + im * 0.7 + x).sin(),
                    (im * by - re * y + 0.2).sin(),
                )
            }
        }
    }
}

/// A value as text, for messages.
pub(crate) fn show(kind: Kind, bits: u64) -> String {
    let (re, im) = parts(kind, bits);
    match kind.is_complex() {
        true => format!("{re:?} + {im:?}i"),
        false => format!("{re:?}"),
    }
}
