//! Index expressions in C: type `long` wherever `int` could overflow.
//!
//! Loop variables are `long`, or `int` where statements compute with them ([`super::counters`]). A
//! parameter of type `int` or `long` with a plain name is spelled as in the program; others (fields, unsigned, narrow types) are copied to a `long` first. A sum or
//! product of `int` parameters alone gets a cast, so that no arithmetic happens in `int`. In kernels
//! whose indices may have 32 bits ([`crate::codegen::gpu::index_types`]) the type is [`INDEX`] in place of
//! `long`.

use super::sized::OFFSET;
use crate::codegen::c::Printer;
use crate::codegen::c::devices::languages::INDEX;
use crate::codegen::kernel::{Comparison, Index};
use crate::codegen::names::Names;
use crate::mistakes::mistake;
use crate::scop::{Param, ScalarKind};
use std::fmt::Write;

/// Binding strengths of C's operators, as far as they are needed.
pub(in crate::codegen::c) mod strength {
    pub const CONDITIONAL: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const BIT_OR: u8 = 4;
    pub const BIT_XOR: u8 = 5;
    pub const BIT_AND: u8 = 6;
    pub const EQUALITY: u8 = 7;
    pub const RELATION: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const SUM: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const UNARY: u8 = 12;
    pub const PRIMARY: u8 = 13;
}
use strength::*;

/// How a parameter is spelled in index expressions.
pub(in crate::codegen::c) enum ParamSpelling {
    /// As in the program, an `int`.
    Int(String),
    /// As in the program, a 64-bit type.
    Long(String),
    /// A `long` copy of this name.
    Copy(String),
}

/// The value of a parameter as a `long`. Larger numbers than any size, `SIZE_MAX` among them,
/// become one that no loop variable comes to.
pub(in crate::codegen::c) fn as_long(param: &Param) -> String {
    let text = &param.spelling;
    match param.ctype.kind {
        ScalarKind::U64 => format!("{text} < {ENDLESS} ? {text} : {ENDLESS}"),
        _ => text.clone(),
    }
}

/// Sums of it with sizes of tiles are still of type `long`.
const ENDLESS: i64 = 1 << 62;

impl ParamSpelling {
    pub(in crate::codegen::c) fn name(&self) -> &str {
        match self {
            ParamSpelling::Int(name) | ParamSpelling::Long(name) | ParamSpelling::Copy(name) => {
                name
            }
        }
    }
}

/// Macros, defined where they are used.
pub(in crate::codegen::c) struct Helpers {
    floor_div: (String, bool),
    modulo: (String, bool),
    min: (String, bool),
    max: (String, bool),
}

impl Helpers {
    pub(in crate::codegen::c) fn new(names: &mut Names) -> Helpers {
        let mut name = |stem| (names.fresh(stem), false);
        Helpers {
            floor_div: name("floord"),
            modulo: name("mod"),
            min: name("min"),
            max: name("max"),
        }
    }

    fn used(&self) -> impl Iterator<Item = (&str, &'static str)> {
        [
            (&self.min, "(a, b) ((a) < (b) ? (a) : (b))"),
            (&self.max, "(a, b) ((a) > (b) ? (a) : (b))"),
            (&self.floor_div, "(a, b) ((a) / (b) - ((a) % (b) < 0))"),
            (
                &self.modulo,
                "(a, b) ((a) % (b) + ((a) % (b) < 0 ? (b) : 0))",
            ),
        ]
        .into_iter()
        .filter(|((_, used), _)| *used)
        .map(|((name, _), text)| (name.as_str(), text))
    }

    pub(in crate::codegen::c) fn definitions(&self) -> Vec<String> {
        self.used()
            .map(|(name, text)| format!("    #define {name}{text}\n"))
            .collect()
    }

    pub(in crate::codegen::c) fn removals(&self) -> Vec<String> {
        self.used()
            .map(|(name, _)| format!("    #undef {name}\n"))
            .collect()
    }
}

/// Whether a loop's bound is to be computed before the loop. `innermost`: also where it mentions
/// parameters, which a compiler may have to load again after every store.
pub(in crate::codegen::c) fn takes_work(index: &Index, innermost: bool) -> bool {
    let mut work = false;
    index.walk(&mut |part| {
        work |= match part {
            Index::Int(_)
            | Index::Var(_)
            | Index::Add(..)
            | Index::Sub(..)
            | Index::Neg(_)
            | Index::Mul(..) => false,
            Index::Param(_) => innermost,
            // A variable of a block around the loop.
            Index::Data(_, indices) => !indices.is_empty(),
            _ => true,
        }
    });
    work
}

fn shift_of(divisor: i64) -> Option<u32> {
    (divisor > 0 && divisor.count_ones() == 1).then(|| divisor.trailing_zeros())
}

impl Printer<'_> {
    /// Whether the type of indices may have 32 bits here.
    pub(in crate::codegen::c) fn is_narrow(&self) -> bool {
        self.spellings
            .device
            .as_ref()
            .is_some_and(|device| device.narrow)
    }

    /// The type of loop variables and of indices that `int` might not hold.
    pub(in crate::codegen::c) fn index_type(&self) -> &'static str {
        if self.is_narrow() { INDEX } else { "long" }
    }

    /// An index on its own. Its C type is `long`, or `int` where it cannot overflow.
    pub(in crate::codegen::c) fn index(&mut self, index: &Index) -> String {
        self.index_at(index, CONDITIONAL, false)
    }

    /// An index whose C type is `long`.
    pub(in crate::codegen::c) fn index_of_type_long(
        &mut self,
        index: &Index,
        context: u8,
    ) -> String {
        let force = !self.is_long(index);
        self.index_at(index, context, force)
    }

    /// An index as the first operand of a sum, of type `long`.
    pub(in crate::codegen::c) fn index_at_sum(&mut self, index: &Index) -> String {
        self.index_of_type_long(index, SUM)
    }

    /// An index that is added to what is of type `long`.
    pub(in crate::codegen::c) fn index_at_sum_of_longs(&mut self, index: &Index) -> String {
        self.index_at(index, SUM, false)
    }

    /// A condition.
    pub(in crate::codegen::c) fn condition(&mut self, index: &Index) -> String {
        self.index_at(index, CONDITIONAL, false)
    }

    /// `<= upper`, or `< upper + 1` where that is simpler.
    pub(in crate::codegen::c) fn less_than(&mut self, upper: &Index) -> String {
        match upper {
            Index::Sub(n, one) if **one == Index::Int(1) => {
                format!("< {}", self.index_at(n, SHIFT, false))
            }
            _ => format!("<= {}", self.index_at(upper, SHIFT, false)),
        }
    }

    /// Whether the C type is `long` without further casts.
    fn is_long(&self, index: &Index) -> bool {
        match index {
            Index::Int(value) => i32::try_from(*value).is_err(),
            Index::Var(name) => !self.here.ints.contains(name),
            Index::Data(..) => true,
            Index::Param(param) => !matches!(self.spellings.params[*param], ParamSpelling::Int(_)),
            Index::Add(..) | Index::Sub(..) => !self.is_small(index),
            Index::Mul(..) | Index::Neg(_) => true,
            Index::FloorDiv(a, _)
            | Index::ExactDiv(a, _)
            | Index::Mod(a, _)
            | Index::PlainMod(a, _) => self.is_long(a),
            Index::Min(all) | Index::Max(all) => all.iter().any(|a| self.is_long(a)),
            Index::Select(_, a, b) => self.is_long(a) || self.is_long(b),
            Index::Compare(..) | Index::All(_) | Index::Any(_) => false,
        }
    }

    /// Whether `int` arithmetic will do: `n - 1`, `(n - 1) / 32 + 2` and the like.
    fn is_small(&self, index: &Index) -> bool {
        let offset = |k: &Index| matches!(k, Index::Int(k) if (0..=OFFSET).contains(k));
        match index {
            Index::Int(_) => offset(index),
            Index::Param(param) => matches!(self.spellings.params[*param], ParamSpelling::Int(_)),
            Index::Sub(a, k) => self.is_small(a) && offset(k) && self.is_sized(a),
            Index::Add(a, k) => {
                let divided = matches!(**a, Index::FloorDiv(_, d) | Index::ExactDiv(_, d) if d > 1);
                divided && self.is_small(a) && offset(k)
            }
            Index::FloorDiv(a, _)
            | Index::ExactDiv(a, _)
            | Index::Mod(a, _)
            | Index::PlainMod(a, _) => self.is_small(a),
            Index::Min(all) | Index::Max(all) => all.iter().all(|a| self.is_small(a)),
            _ => false,
        }
    }

    /// Whether no parameter in an expression may be close to the smallest `int`.
    fn is_sized(&self, index: &Index) -> bool {
        let mut sized = true;
        index.walk(&mut |part| {
            if let Index::Param(param) = part {
                sized &= self.here.sized.contains(param);
            }
        });
        sized
    }

    /// Prints with parentheses where the context binds stronger; `force` makes the type `long`
    /// where it is not.
    fn index_at(&mut self, index: &Index, context: u8, force: bool) -> String {
        let (text, own) = self.index_with_strength(index, force);
        if own < context {
            format!("({text})")
        } else {
            text
        }
    }

    fn index_with_strength(&mut self, index: &Index, force: bool) -> (String, u8) {
        match index {
            Index::Int(value) if *value == i64::MIN => {
                ("(-9223372036854775807L - 1)".into(), PRIMARY)
            }
            Index::Int(value) => {
                if force && self.is_narrow() {
                    return (format!("({INDEX}){value}"), UNARY);
                }
                let suffix = if force || i32::try_from(*value).is_err() {
                    "L"
                } else {
                    ""
                };
                (
                    format!("{value}{suffix}"),
                    if *value < 0 { UNARY } else { PRIMARY },
                )
            }
            Index::Var(name) if force && self.here.ints.contains(name) => {
                (format!("({}){name}", self.index_type()), UNARY)
            }
            Index::Var(name) => (name.clone(), PRIMARY),
            Index::Data(buffer, indices) => {
                if let Some(text) = self.data_on_device(*buffer, indices) {
                    return (text, PRIMARY);
                }
                let mut text = self.spellings.bases[*buffer].clone();
                for index in indices {
                    let _ = write!(text, "[{}]", self.index(index));
                }
                (text, PRIMARY)
            }
            Index::Param(param) => match &self.spellings.params[*param] {
                ParamSpelling::Int(name) if force => {
                    (format!("({}){name}", self.index_type()), UNARY)
                }
                ParamSpelling::Long(name) | ParamSpelling::Copy(name) if self.is_narrow() => {
                    (format!("({INDEX}){name}"), UNARY)
                }
                spelling => (spelling.name().to_owned(), PRIMARY),
            },
            Index::Add(a, b) => self.sum(a, "+", b, force || !self.is_small(index)),
            Index::Sub(a, b) => self.sum(a, "-", b, force || !self.is_small(index)),
            Index::Mul(a, b) => {
                let (left, right) = (self.is_long(a), self.is_long(b));
                let force_right = !left && !right;
                let left = self.index_at(a, PRODUCT, false);
                let right = self.index_at(b, UNARY, force_right);
                (format!("{left} * {right}"), PRODUCT)
            }
            Index::Neg(a) => {
                let force = !self.is_long(a);
                (format!("-{}", self.index_at(a, PRIMARY, force)), UNARY)
            }
            Index::FloorDiv(a, divisor) => match shift_of(*divisor) {
                Some(bits) => (
                    format!("{} >> {bits}", self.index_at(a, PRIMARY, force)),
                    SHIFT,
                ),
                None if mistake!(PrintTruncates) => (
                    format!("{} / {divisor}", self.index_at(a, PRODUCT, force)),
                    PRODUCT,
                ),
                None => {
                    self.spellings.helpers.floor_div.1 = true;
                    let name = self.spellings.helpers.floor_div.0.clone();
                    let a = self.index_at(a, CONDITIONAL, force);
                    (format!("{name}({a}, {divisor})"), PRIMARY)
                }
            },
            Index::ExactDiv(a, divisor) => match shift_of(*divisor) {
                Some(bits) => (
                    format!("{} >> {bits}", self.index_at(a, PRIMARY, force)),
                    SHIFT,
                ),
                None => (
                    format!("{} / {divisor}", self.index_at(a, PRODUCT, force)),
                    PRODUCT,
                ),
            },
            Index::Mod(a, divisor) => match shift_of(*divisor) {
                Some(_) => self.masked(a, *divisor, force),
                None => {
                    self.spellings.helpers.modulo.1 = true;
                    let name = self.spellings.helpers.modulo.0.clone();
                    let a = self.index_at(a, CONDITIONAL, force);
                    (format!("{name}({a}, {divisor})"), PRIMARY)
                }
            },
            Index::PlainMod(a, divisor) => match shift_of(*divisor) {
                Some(_) => self.masked(a, *divisor, force),
                None => (
                    format!("{} % {divisor}", self.index_at(a, PRODUCT, force)),
                    PRODUCT,
                ),
            },
            Index::Min(all) => self.extremum(all, true, force),
            Index::Max(all) => self.extremum(all, false, force),
            Index::Select(c, a, b) => {
                let c = self.index_at(c, OR, false);
                let a = self.index_at(a, OR, force);
                let b = self.index_at(b, CONDITIONAL, force);
                (format!("{c} ? {a} : {b}"), CONDITIONAL)
            }
            Index::Compare(comparison, a, b) => {
                let (operator, own) = match comparison {
                    Comparison::Equal => ("==", EQUALITY),
                    Comparison::LessEqual => ("<=", RELATION),
                    Comparison::Less => ("<", RELATION),
                    Comparison::GreaterEqual => (">=", RELATION),
                    Comparison::Greater => (">", RELATION),
                };
                let a = self.index_at(a, SHIFT, false);
                let b = self.index_at(b, SHIFT, false);
                (format!("{a} {operator} {b}"), own)
            }
            Index::All(all) => (self.joined(all, " && "), AND),
            Index::Any(all) => (self.joined(all, " || "), OR),
        }
    }

    /// A sum; `force`: of type `long`.
    fn sum(&mut self, a: &Index, operator: &str, b: &Index, force: bool) -> (String, u8) {
        let partly_long = self.is_long(a) || self.is_long(b);
        let left = self.index_at(a, SUM, force && !partly_long);
        let right = self.index_at(b, PRODUCT, false);
        (format!("{left} {operator} {right}"), SUM)
    }

    fn masked(&mut self, a: &Index, divisor: i64, force: bool) -> (String, u8) {
        // Compilers warn about sums and shifts beside `&`.
        let a = self.index_at(a, UNARY, force);
        (format!("{a} & {}", divisor - 1), BIT_AND)
    }

    fn extremum(&mut self, all: &[Index], smallest: bool, force: bool) -> (String, u8) {
        let helper = if smallest {
            &mut self.spellings.helpers.min
        } else {
            &mut self.spellings.helpers.max
        };
        helper.1 = true;
        let name = helper.0.clone();
        let mut text = String::new();
        let mut closing = 0;
        for (position, operand) in all.iter().enumerate() {
            let operand = self.index_at(operand, CONDITIONAL, force);
            if position + 1 == all.len() {
                text.push_str(&operand);
            } else {
                let _ = write!(text, "{name}({operand}, ");
                closing += 1;
            }
        }
        text.push_str(&")".repeat(closing));
        (text, PRIMARY)
    }

    fn joined(&mut self, all: &[Index], operator: &str) -> String {
        // Operands of the other kind get parentheses: compilers warn about `a && b || c`.
        let parts: Vec<String> = all
            .iter()
            .map(|a| self.index_at(a, BIT_OR, false))
            .collect();
        parts.join(operator)
    }
}
