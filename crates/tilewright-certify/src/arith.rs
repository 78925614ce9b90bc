//! C's arithmetic on values in registers, shared by constant expressions and execution.

use crate::storage::memory::Fault;
use crate::types::Kind;
use crate::wide;

/// An operation with two operands of the same kind (but for shifts, whose right one is any integer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cond {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl Cond {
    /// What holds where this does not; wrong for numbers that may be NaN.
    pub fn opposite(self) -> Cond {
        match self {
            Cond::Lt => Cond::Ge,
            Cond::Le => Cond::Gt,
            Cond::Gt => Cond::Le,
            Cond::Ge => Cond::Lt,
            Cond::Eq => Cond::Ne,
            Cond::Ne => Cond::Eq,
        }
    }

    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Cond::Lt => a < b,
            Cond::Le => a <= b,
            Cond::Gt => a > b,
            Cond::Ge => a >= b,
            Cond::Eq => a == b,
            Cond::Ne => a != b,
        }
    }
}

/// As what a comparison takes its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Signed,
    Unsigned,
    F32,
    F64,
    /// Complex numbers, as of which kind.
    Complex(Kind),
}

impl How {
    pub fn of(kind: Kind) -> How {
        match kind {
            Kind::U64 => How::Unsigned,
            Kind::F16 | Kind::F32 => How::F32,
            Kind::F64 | Kind::F80 | Kind::F128 => How::F64,
            _ if kind.is_complex() => How::Complex(kind),
            _ => How::Signed,
        }
    }
}

#[inline(always)]
pub(crate) fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline(always)]
pub(crate) fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
pub(crate) fn bits32(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// Brings an integer into the range of a kind, as conversions do.
#[inline(always)]
pub(crate) fn wrap(kind: Kind, value: u64) -> u64 {
    match kind {
        Kind::Bool => u64::from(value != 0),
        Kind::I8 => value as i8 as i64 as u64,
        Kind::U8 => u64::from(value as u8),
        Kind::I16 => value as i16 as i64 as u64,
        Kind::U16 => u64::from(value as u16),
        Kind::I32 => value as i32 as i64 as u64,
        Kind::U32 => u64::from(value as u32),
        _ => value,
    }
}

pub(crate) fn compare(cond: Cond, how: How, a: u64, b: u64) -> bool {
    match how {
        How::Signed => cond.holds(a as i64, b as i64),
        How::Unsigned => cond.holds(a, b),
        How::F32 => cond.holds(f32_of(a), f32_of(b)),
        How::F64 => cond.holds(f64_of(a), f64_of(b)),
        How::Complex(kind) => match cond {
            Cond::Eq => wide::parts(kind, a) == wide::parts(kind, b),
            _ => wide::parts(kind, a) != wide::parts(kind, b),
        },
    }
}

/// An operation as C defines it.
///
/// # Errors
/// Where C leaves it undefined.
pub(crate) fn arith(op: Arith, kind: Kind, a: u64, b: u64) -> Result<u64, Fault> {
    match kind {
        Kind::F32 => {
            let (x, y) = (f32_of(a), f32_of(b));
            Ok(bits32(match op {
                Arith::Add => x + y,
                Arith::Sub => x - y,
                Arith::Mul => x * y,
                Arith::Div => x / y,
                _ => return Err(Fault::Internal("an operation of float")),
            }))
        }
        Kind::F64 => {
            let (x, y) = (f64_of(a), f64_of(b));
            Ok(f64::to_bits(match op {
                Arith::Add => x + y,
                Arith::Sub => x - y,
                Arith::Mul => x * y,
                Arith::Div => x / y,
                _ => return Err(Fault::Internal("an operation of double")),
            }))
        }
        _ if kind.is_wide() => {
            wide::arith(op, kind, a, b).ok_or(Fault::Internal("an operation of wide numbers"))
        }
        _ if matches!(op, Arith::Shl | Arith::Shr) => shift(op, kind, a, b),
        _ if kind.is_signed() => signed(op, kind, a as i64, b as i64).map(|v| v as u64),
        _ => unsigned(op, kind, a, b),
    }
}

fn signed(op: Arith, kind: Kind, a: i64, b: i64) -> Result<i64, Fault> {
    let value = match op {
        Arith::Add => a.checked_add(b),
        Arith::Sub => a.checked_sub(b),
        Arith::Mul => a.checked_mul(b),
        Arith::Div | Arith::Rem if b == 0 => return Err(Fault::DivisionByZero),
        Arith::Div => a.checked_div(b),
        Arith::Rem => a.checked_rem(b),
        Arith::And => Some(a & b),
        Arith::Or => Some(a | b),
        Arith::Xor => Some(a ^ b),
        Arith::Shl | Arith::Shr => None,
    };
    let value = value.ok_or(Fault::Overflow)?;
    match kind {
        Kind::I32 => {
            // `INT_MIN % -1` is 0, and yet undefined.
            let both = op == Arith::Rem && a == i64::from(i32::MIN) && b == -1;
            match i32::try_from(value) {
                Ok(narrow) if !both => Ok(i64::from(narrow)),
                _ => Err(Fault::Overflow),
            }
        }
        _ => Ok(value),
    }
}

fn unsigned(op: Arith, kind: Kind, a: u64, b: u64) -> Result<u64, Fault> {
    let value = match op {
        Arith::Add => a.wrapping_add(b),
        Arith::Sub => a.wrapping_sub(b),
        Arith::Mul => a.wrapping_mul(b),
        Arith::Div | Arith::Rem if b == 0 => return Err(Fault::DivisionByZero),
        Arith::Div => a / b,
        Arith::Rem => a % b,
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::Shl | Arith::Shr => 0,
    };
    Ok(wrap(kind, value))
}

fn shift(op: Arith, kind: Kind, a: u64, b: u64) -> Result<u64, Fault> {
    if b >= u64::from(kind.bits()) {
        return Err(Fault::Shift);
    }
    match (op, kind.is_signed()) {
        (Arith::Shl, true) => {
            let value = a as i64;
            if value < 0 {
                return Err(Fault::Shift);
            }
            let wide = i128::from(value) << b;
            let most = i128::from(if kind == Kind::I32 {
                i64::from(i32::MAX)
            } else {
                i64::MAX
            });
            if wide <= most {
                Ok(wide as u64)
            } else {
                Err(Fault::Shift)
            }
        }
        (Arith::Shl, false) => Ok(wrap(kind, a << b)),
        (_, true) => Ok(((a as i64) >> b) as u64),
        (_, false) => Ok(a >> b),
    }
}

pub(crate) fn negate(kind: Kind, a: u64) -> Result<u64, Fault> {
    match kind {
        Kind::F32 => Ok(bits32(-f32_of(a))),
        Kind::F64 => Ok((-f64_of(a)).to_bits()),
        _ if kind.is_wide() => Ok(wide::negate(kind, a)),
        _ => arith(Arith::Sub, kind, 0, a),
    }
}

/// A conversion between arithmetic types.
///
/// # Errors
/// A floating-point number whose whole part the integer type does not hold.
pub(crate) fn convert(from: Kind, to: Kind, a: u64) -> Result<u64, Fault> {
    if let Some(converted) = wide::convert(from, to, a) {
        return Ok(converted);
    }
    let number = match from {
        _ if from.is_wide() => wide::parts(from, a).0,
        Kind::F32 => f64::from(f32_of(a)),
        Kind::F64 => f64_of(a),
        Kind::U64 => {
            return Ok(match to {
                Kind::F32 => bits32(a as f32),
                Kind::F64 => (a as f64).to_bits(),
                _ => wrap(to, a),
            });
        }
        _ => {
            return Ok(match to {
                Kind::F32 => bits32(a as i64 as f32),
                Kind::F64 => (a as i64 as f64).to_bits(),
                _ => wrap(to, a),
            });
        }
    };
    match to {
        Kind::F32 => Ok(bits32(if from == Kind::F32 {
            f32_of(a)
        } else {
            number as f32
        })),
        Kind::F64 => Ok(number.to_bits()),
        Kind::Bool => Ok(u64::from(number != 0.0)),
        Kind::U64 => {
            let whole = number.trunc();
            if whole > -1.0 && whole < 18_446_744_073_709_551_616.0 {
                Ok(whole as u64)
            } else {
                Err(Fault::Conversion)
            }
        }
        _ => {
            let whole = number.trunc();
            // -0.5 becomes -0.0, which is in every range.
            let bits = to.bits() - u32::from(to.is_signed());
            let end = (1u64 << bits.min(63)) as f64;
            let begin = if to.is_signed() { -end } else { 0.0 };
            if whole >= begin && whole < end {
                Ok(whole as i64 as u64)
            } else {
                Err(Fault::Conversion)
            }
        }
    }
}

/// What a register holds, of a number whose first bytes in memory, 8 at most, are these.
#[inline(always)]
pub(crate) fn extended(kind: Kind, raw: u64) -> u64 {
    match kind {
        Kind::F32 | Kind::F64 | Kind::I64 | Kind::U64 | Kind::Bool => raw,
        _ if kind.is_wide() => wide::loaded(kind, raw),
        _ => wrap(kind, raw),
    }
}

/// A value as text, for messages.
pub(crate) fn show(kind: Kind, bits: u64) -> String {
    match kind {
        Kind::F32 => format!("{:?}", f32_of(bits)),
        Kind::F64 => format!("{:?}", f64_of(bits)),
        _ if kind.is_wide() => wide::show(kind, bits),
        _ if kind.is_signed() => format!("{}", bits as i64),
        _ => format!("{bits}"),
    }
}
