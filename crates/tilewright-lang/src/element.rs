//! Rust's types of cells.

use tilewright::scop::ScalarKind;

mod sealed {
    pub trait Sealed {}
}

/// A number that cells can hold.
pub trait Element: sealed::Sealed + Copy {
    /// Its type in pipelines.
    const KIND: ScalarKind;
    /// As a double, for comparing with promised values.
    fn to_f64(self) -> f64;
}

macro_rules! elements {
    ($($type:ty: $kind:ident),+) => { $(
        impl sealed::Sealed for $type {}
        impl Element for $type {
            const KIND: ScalarKind = ScalarKind::$kind;
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )+ };
}
elements!(
    i8: I8, u8: U8, i16: I16, u16: U16, i32: I32, u32: U32, i64: I64, u64: U64, f32: F32, f64: F64
);

/// What `$body` gives with `$type` for the Rust type of a kind.
macro_rules! with_type {
    ($kind:expr, $type:ident => $body:expr) => {
        match $kind {
            ScalarKind::Bool | ScalarKind::U8 => {
                type $type = u8;
                $body
            }
            ScalarKind::I8 => {
                type $type = i8;
                $body
            }
            ScalarKind::I16 => {
                type $type = i16;
                $body
            }
            ScalarKind::U16 => {
                type $type = u16;
                $body
            }
            ScalarKind::I32 => {
                type $type = i32;
                $body
            }
            ScalarKind::U32 => {
                type $type = u32;
                $body
            }
            ScalarKind::I64 => {
                type $type = i64;
                $body
            }
            ScalarKind::U64 => {
                type $type = u64;
                $body
            }
            ScalarKind::F32 => {
                type $type = f32;
                $body
            }
            ScalarKind::F64 => {
                type $type = f64;
                $body
            }
        }
    };
}
pub(crate) use with_type;
