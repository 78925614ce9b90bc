//! Conversions of arguments.

use std::ffi::{CString, c_int, c_long, c_uint, c_ulong};

use crate::{Error, ErrorKind, Result};

/// A position or a count: any of the usual integer types.
///
/// isl itself mixes `int` and `unsigned`. Values which fit in neither are an
/// [`ErrorKind::Invalid`].
pub trait Pos: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn to_int(self) -> Result<c_int>;

    #[doc(hidden)]
    fn to_uint(self) -> Result<c_uint>;

    /// A number of dimensions, rows or columns.
    #[doc(hidden)]
    fn to_count(self) -> Result<c_uint> {
        let count = self.to_uint()?;
        if count > MAX_COUNT {
            return Err(out_of_range(count));
        }
        Ok(count)
    }
}

/// More dimensions than this are refused: isl computes the sizes of its matrices from
/// such numbers in 32 bits, and does not look for overflow.
const MAX_COUNT: c_uint = 1 << 15;

mod sealed {
    pub trait Sealed {}
}

macro_rules! pos {
    ($($t:ty),*) => {$(
        impl sealed::Sealed for $t {}
        #[allow(clippy::unnecessary_fallible_conversions, clippy::useless_conversion)]
        impl Pos for $t {
            fn to_int(self) -> Result<c_int> {
                c_int::try_from(self).map_err(|_| out_of_range(self))
            }

            fn to_uint(self) -> Result<c_uint> {
                c_uint::try_from(self).map_err(|_| out_of_range(self))
            }
        }
    )*};
}

pos!(i32, u32, usize);

fn out_of_range(value: impl std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::Invalid,
        format!("position or count {value} is out of range"),
    )
}

pub(crate) fn c_string(s: &str) -> Result<CString> {
    CString::new(s).map_err(|_| {
        Error::new(
            ErrorKind::Invalid,
            format!("text with a NUL character: {s:?}"),
        )
    })
}

// C's `long` has 32 bits on some systems.
#[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions)]
pub(crate) fn to_c_long(value: i64) -> Result<c_long> {
    c_long::try_from(value).map_err(|_| out_of_range(value))
}

#[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions)]
pub(crate) fn to_c_ulong(value: u64) -> Result<c_ulong> {
    c_ulong::try_from(value).map_err(|_| out_of_range(value))
}

#[allow(clippy::useless_conversion)]
pub(crate) fn from_c_long(value: c_long) -> i64 {
    i64::from(value)
}
