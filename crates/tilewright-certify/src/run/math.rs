//! Functions of `<math.h>` and the like. Both texts call the same ones, so what matters is that they
//! are the same, not their last bit.

use crate::arith::{bits32, f32_of, f64_of};
use crate::types::Kind;

macro_rules! functions {
    ($name:ident: $($variant:ident $c:literal),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant,)* }
        impl $name {
            /// By C's name, without the `f` at the end; in double precision, of the same name.
            pub fn named(name: &str) -> Option<$name> {
                match name { $($c => Some($name::$variant),)* _ => None }
            }
        }
    };
}

functions! { Plain1:
    Sqrt "sqrt", Cbrt "cbrt", Exp "exp", Exp2 "exp2", Expm1 "expm1", Log "log", Log2 "log2",
    Log10 "log10", Log1p "log1p", Sin "sin", Cos "cos", Tan "tan", Asin "asin", Acos "acos",
    Atan "atan", Sinh "sinh", Cosh "cosh", Tanh "tanh", Asinh "asinh", Acosh "acosh",
    Atanh "atanh", Floor "floor", Ceil "ceil", Trunc "trunc", Round "round", Rint "rint",
    Nearbyint "nearbyint", Roundeven "roundeven", Fabs "fabs", Erf "erf", Tgamma "tgamma",
}

functions! { Plain2:
    Pow "pow", Atan2 "atan2", Fmod "fmod", Fmax "fmax", Fmin "fmin", Hypot "hypot",
    Copysign "copysign", Fdim "fdim",
}

/// A function of one argument, and whether in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Math1(Plain1, bool);
/// A function of two arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Math2(Plain2, bool);
/// `fma`, and whether in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Math3(bool);

/// A function of floating-point numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Math {
    One(Math1),
    Two(Math2),
    Three(Math3),
}

impl Math {
    /// By C's name, and with which numbers it works.
    pub fn named(name: &str) -> Option<(Math, Kind)> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let double = |name: &str| Some((Self::of(name, false)?, Kind::F64));
        let single = |name: &str| Some((Self::of(name.strip_suffix('f')?, true)?, Kind::F32));
        // Registers hold them as `double`.
        let long = |name: &str| Some((Self::of(name.strip_suffix('l')?, false)?, Kind::F80));
        double(name).or_else(|| single(name)).or_else(|| long(name))
    }

    fn of(name: &str, single: bool) -> Option<Math> {
        if name == "fma" {
            return Some(Math::Three(Math3(single)));
        }
        if let Some(f) = Plain1::named(name) {
            return Some(Math::One(Math1(f, single)));
        }
        Plain2::named(name).map(|f| Math::Two(Math2(f, single)))
    }
}

impl Math1 {
    pub fn apply(self, a: u64) -> u64 {
        if self.1 {
            bits32(match self.0 {
                Plain1::Sqrt => f32_of(a).sqrt(),
                f => one(f, f64::from(f32_of(a))) as f32,
            })
        } else {
            one(self.0, f64_of(a)).to_bits()
        }
    }
}

impl Math2 {
    pub fn apply(self, a: u64, b: u64) -> u64 {
        if self.1 {
            bits32(two(self.0, f64::from(f32_of(a)), f64::from(f32_of(b))) as f32)
        } else {
            two(self.0, f64_of(a), f64_of(b)).to_bits()
        }
    }
}

impl Math3 {
    pub fn apply(self, a: u64, b: u64, c: u64) -> u64 {
        if self.0 {
            bits32(f32_of(a).mul_add(f32_of(b), f32_of(c)))
        } else {
            f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits()
        }
    }
}

fn one(f: Plain1, x: f64) -> f64 {
    match f {
        Plain1::Sqrt => x.sqrt(),
        Plain1::Cbrt => x.cbrt(),
        Plain1::Exp => x.exp(),
        Plain1::Exp2 => x.exp2(),
        Plain1::Expm1 => x.exp_m1(),
        Plain1::Log => x.ln(),
        Plain1::Log2 => x.log2(),
        Plain1::Log10 => x.log10(),
        Plain1::Log1p => x.ln_1p(),
        Plain1::Sin => x.sin(),
        Plain1::Cos => x.cos(),
        Plain1::Tan => x.tan(),
        Plain1::Asin => x.asin(),
        Plain1::Acos => x.acos(),
        Plain1::Atan => x.atan(),
        Plain1::Sinh => x.sinh(),
        Plain1::Cosh => x.cosh(),
        Plain1::Tanh => x.tanh(),
        Plain1::Asinh => x.asinh(),
        Plain1::Acosh => x.acosh(),
        Plain1::Atanh => x.atanh(),
        Plain1::Floor => x.floor(),
        Plain1::Ceil => x.ceil(),
        Plain1::Trunc => x.trunc(),
        Plain1::Round => x.round(),
        Plain1::Rint | Plain1::Nearbyint | Plain1::Roundeven => x.round_ties_even(),
        Plain1::Fabs => x.abs(),
        // Not in Rust's library: any function will do that mixes its argument's bits.
        Plain1::Erf => (x * std::f64::consts::FRAC_2_SQRT_PI).tanh(),
        Plain1::Tgamma => (x * x + 1.0).sqrt(),
    }
}

fn two(f: Plain2, x: f64, y: f64) -> f64 {
    match f {
        Plain2::Pow => x.powf(y),
        Plain2::Atan2 => x.atan2(y),
        Plain2::Fmod => x % y,
        Plain2::Fmax => x.max(y),
        Plain2::Fmin => x.min(y),
        Plain2::Hypot => x.hypot(y),
        Plain2::Copysign => x.copysign(y),
        Plain2::Fdim => match x > y {
            true => x - y,
            false if x.is_nan() || y.is_nan() => f64::NAN,
            false => 0.0,
        },
    }
}
