//! Numbers and conditions of what is compared in front of a region, in C.
//!
//! They have no side effects, and nothing in them overflows: every number is a `long`, and parameters
//! of 64 bits come first, compared with [`LARGEST`] ([`super::guard`]).

use crate::codegen::c::bodies::index::strength::*;
use crate::scop::checks::LARGEST;
use crate::scop::linear::LinearForm;
use crate::scop::{Computed, ParamId, Rounding, ScalarKind, Scop};
use isl::{AstBuild, AstExpr, AstExprOpType as Op, AstExprType, Error, ErrorKind, Result, Set};
use std::collections::BTreeSet;

/// Conditions of up to so many columns stand on one line.
pub(in crate::codegen::c) const LINE: usize = 80;

/// Products in an offset are smaller, in `double`: sums of some, times the size of an element, are far
/// below what a `long` holds, and an address has room for.
pub(in crate::codegen::c) const LONGEST: &str = "0x1p44";

/// The type in which addresses are compared.
pub(in crate::codegen::c) const ADDRESS: &str = "__UINTPTR_TYPE__";

/// A number as C text, whose parts are of type `long`; or a condition.
pub(in crate::codegen::c) struct Number {
    pub(in crate::codegen::c) text: String,
    /// How strongly its outermost operator binds, as in [`crate::codegen::c::bodies::index::strength`].
    pub(in crate::codegen::c) strength: u8,
    /// No value of it, and of its parts, has a larger magnitude.
    pub(in crate::codegen::c) magnitude: i128,
}

pub(in crate::codegen::c) struct Writer<'a> {
    pub(in crate::codegen::c) scop: &'a Scop,
    /// What holds where addresses are compared.
    pub(in crate::codegen::c) known: Set,
    /// Parameters of 64 bits that are added up or multiplied.
    pub(in crate::codegen::c) wide: BTreeSet<usize>,
    /// Declarations of what is kept from one execution of the region to the next.
    pub(in crate::codegen::c) kept: Vec<String>,
}

pub(in crate::codegen::c) fn too_large() -> Error {
    let message = "what is to be compared may not fit 64 bits";
    Error::new(ErrorKind::Unsupported, message)
}

impl<'a> Writer<'a> {
    pub(in crate::codegen::c) fn new(scop: &'a Scop) -> Writer<'a> {
        Writer {
            scop,
            known: scop.context.clone(),
            wide: BTreeSet::new(),
            kept: Vec::new(),
        }
    }
}

impl Writer<'_> {
    /// When parameters are in a set: an operand of `&&`.
    pub(in crate::codegen::c) fn holds(&mut self, set: &Set) -> Result<String> {
        let universe = Set::universe(&set.get_space()?)?;
        let expression = AstBuild::from_context(&universe)?.expr_from_set(set)?;
        self.text(&expression, BIT_OR)
    }

    /// When parameters are in a set: an operand of `||`.
    pub(in crate::codegen::c) fn alternative(&mut self, set: &Set) -> Result<String> {
        let universe = Set::universe(&set.get_space()?)?;
        let expression = AstBuild::from_context(&universe)?.expr_from_set(set)?;
        let number = self.number(&expression)?;
        Ok(match number.strength {
            AND => format!("({})", number.text),
            _ => number.text,
        })
    }

    /// What a number or a parameter's name in a text cannot exceed.
    pub(in crate::codegen::c) fn largest(&mut self, word: &str) -> i128 {
        let params = &self.scop.params;
        match word.parse() {
            Ok(value) => value,
            Err(_) => match params.iter().position(|p| p.spelling == word) {
                Some(param) => self.magnitude(param),
                None => i128::from(i64::MAX),
            },
        }
    }

    fn text(&mut self, expression: &AstExpr, least: u8) -> Result<String> {
        let number = self.number(expression)?;
        Ok(number.operand(least))
    }

    pub(in crate::codegen::c) fn number(&mut self, expression: &AstExpr) -> Result<Number> {
        let operation = match expression.get_type()? {
            AstExprType::Int => {
                let value = expression.get_val()?.to_i64().ok_or_else(too_large)?;
                return Ok(Number {
                    // The smallest number has no literal.
                    text: match value.checked_neg() {
                        Some(_) => value.to_string(),
                        None => return Err(too_large()),
                    },
                    strength: if value < 0 { UNARY } else { PRIMARY },
                    magnitude: i128::from(value).abs(),
                });
            }
            AstExprType::Id => {
                let param = self.param(expression)?.ok_or_else(too_large)?;
                return self.as_long(param);
            }
            AstExprType::Op => expression.get_op_type()?,
        };
        if let Some(number) = self.plain_comparison(operation, expression)? {
            return Ok(number);
        }
        let mut operands = Vec::new();
        for k in 0..expression.get_op_n_arg()? {
            operands.push(self.number(&expression.get_op_arg(k)?)?);
        }
        let magnitude = |operation: fn(i128, i128) -> Option<i128>| {
            let all = operands.iter().map(|operand| operand.magnitude);
            all.map(Some)
                .reduce(|a, b| operation(a?, b?))
                .flatten()
                .filter(|all| i64::try_from(*all).is_ok())
                .ok_or_else(too_large)
        };
        let (symbol, strength, magnitude) = match operation {
            Op::Add => ("+", SUM, magnitude(i128::checked_add)?),
            Op::Sub => ("-", SUM, magnitude(i128::checked_add)?),
            Op::Mul => ("*", PRODUCT, magnitude(i128::checked_mul)?),
            Op::Div | Op::PdivQ => ("/", PRODUCT, magnitude(|a, _| Some(a))?),
            Op::PdivR | Op::ZdivR => ("%", PRODUCT, magnitude(|a, _| Some(a))?),
            Op::And | Op::AndThen => ("&&", AND, 1),
            Op::Or | Op::OrElse => ("||", OR, 1),
            Op::Eq => ("==", EQUALITY, 1),
            Op::Le => ("<=", RELATION, 1),
            Op::Lt => ("<", RELATION, 1),
            Op::Ge => (">=", RELATION, 1),
            Op::Gt => (">", RELATION, 1),
            Op::Minus => {
                let magnitude = magnitude(|a, _| Some(a))?;
                return Ok(Number {
                    text: format!("-{}", operands[0].operand(PRIMARY)),
                    strength: UNARY,
                    magnitude,
                });
            }
            Op::FdivQ => {
                let magnitude = magnitude(i128::checked_add)?;
                let (a, b) = (operands[0].operand(PRIMARY), operands[1].operand(PRIMARY));
                return Ok(Number {
                    text: format!("({a} >= 0 ? {a} / {b} : -((-{a} + {b} - 1) / {b}))"),
                    strength: PRIMARY,
                    magnitude,
                });
            }
            Op::Max | Op::Min => {
                let sign = if operation == Op::Max { ">" } else { "<" };
                let magnitude = magnitude(|a, b| Some(a.max(b)))?;
                let mut text = operands[0].operand(PRIMARY);
                for operand in &operands[1..] {
                    let other = operand.operand(PRIMARY);
                    text = format!("({text} {sign} {other} ? {text} : {other})");
                }
                return Ok(Number {
                    text,
                    strength: PRIMARY,
                    magnitude,
                });
            }
            Op::Cond | Op::Select => {
                let parts: Vec<String> = operands.iter().map(|o| o.operand(OR)).collect();
                return Ok(Number {
                    text: format!("({} ? {} : {})", parts[0], parts[1], parts[2]),
                    strength: PRIMARY,
                    magnitude: operands[1].magnitude.max(operands[2].magnitude),
                });
            }
            Op::Call | Op::Access | Op::Member | Op::AddressOf => return Err(too_large()),
        };
        let parts = operands.iter().enumerate().map(|(at, operand)| {
            // Compilers warn about `a && b || c`.
            operand.operand(match strength {
                AND | OR if operand.strength == strength => strength,
                AND | OR => BIT_OR,
                EQUALITY | RELATION => SHIFT,
                own => own + u8::from(at > 0),
            })
        });
        let parts: Vec<String> = parts.collect();
        Ok(Number {
            text: parts.join(&format!(" {symbol} ")),
            strength,
            magnitude,
        })
    }

    /// A parameter compared with a constant, without casts where C compares their values.
    fn plain_comparison(&mut self, operation: Op, e: &AstExpr) -> Result<Option<Number>> {
        let symbol = match operation {
            Op::Eq => "==",
            Op::Le => "<=",
            Op::Lt => "<",
            Op::Ge => ">=",
            Op::Gt => ">",
            _ => return Ok(None),
        };
        let (left, right) = (e.get_op_arg(0)?, e.get_op_arg(1)?);
        let is = |e: &AstExpr, wanted| Ok(e.get_type()? == wanted);
        if !is(&left, AstExprType::Id)? || !is(&right, AstExprType::Int)? {
            return Ok(None);
        }
        let value = right
            .get_val()?
            .to_i64()
            .and_then(|v| i32::try_from(v).ok());
        let (Some(param), Some(value)) = (self.param(&left)?, value) else {
            return Ok(None);
        };
        let param = &self.scop.params[param];
        let unsigned = matches!(param.ctype.kind, ScalarKind::U32 | ScalarKind::U64);
        if param.computed.is_some() || value == i32::MIN || unsigned && value < 0 {
            return Ok(None);
        }
        Ok(Some(Number {
            text: format!("{} {symbol} {value}", param.spelling),
            strength: if operation == Op::Eq {
                EQUALITY
            } else {
                RELATION
            },
            magnitude: 1,
        }))
    }

    /// The name of a parameter that is all of an expression.
    pub(in crate::codegen::c) fn plain(&self, expression: &AstExpr) -> Result<Option<&str>> {
        if expression.get_type()? != AstExprType::Id {
            return Ok(None);
        }
        let param = self.param(expression)?.map(|at| &self.scop.params[at]);
        let own = param.filter(|param| param.computed.is_none());
        Ok(own.map(|param| &*param.spelling))
    }

    fn param(&self, id: &AstExpr) -> Result<Option<usize>> {
        let name = id.get_id()?.get_name()?;
        Ok(self.scop.params.iter().position(|p| p.name == name))
    }

    /// The value of a parameter.
    fn as_long(&mut self, param: usize) -> Result<Number> {
        let this = &self.scop.params[param];
        match &this.computed {
            Some(Computed::Quotient {
                dividend,
                divisor,
                rounding,
            }) => {
                let dividend = self.dividend(dividend)?;
                return Ok(match rounding {
                    Rounding::Zero => dividend.divided(*divisor),
                    Rounding::Down => dividend.shifted(*divisor),
                });
            }
            // Its type's own arithmetic, whatever it is.
            Some(Computed::Product(_) | Computed::Value(_)) => {
                return Ok(Number {
                    text: format!("(long){}", this.spelling),
                    strength: UNARY,
                    magnitude: self.magnitude(param),
                });
            }
            None => {}
        }
        let (text, strength) = match this.ctype.kind {
            ScalarKind::I64 => (this.spelling.clone(), PRIMARY),
            _ => (format!("(long){}", this.spelling), UNARY),
        };
        Ok(Number {
            text,
            strength,
            magnitude: self.magnitude(param),
        })
    }

    /// The largest magnitude that a parameter has where all comparisons hold.
    fn magnitude(&mut self, param: usize) -> i128 {
        match self.scop.params[param].ctype.kind {
            ScalarKind::I64 | ScalarKind::U64 => {
                self.wide.insert(param);
                i128::from(LARGEST)
            }
            kind => 1 << (8 * kind.bytes()),
        }
    }

    /// What is divided in a quotient of others, `2 * n + 1`, with all its arithmetic in `long`.
    fn dividend(&mut self, dividend: &LinearForm<ParamId>) -> Result<Number> {
        let (terms, constant) = (dividend.terms(), dividend.constant());
        let mut text = String::new();
        let mut magnitude = i128::from(constant.unsigned_abs());
        for &(param, factor) in terms {
            let value = self.as_long(param)?;
            let term = match factor.unsigned_abs() {
                1 => value.operand(PRODUCT),
                by => format!("{by} * {}", value.operand(PRODUCT)),
            };
            text += match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &term;
            let own = i128::from(factor.unsigned_abs()).saturating_mul(value.magnitude);
            magnitude = magnitude.saturating_add(own);
        }
        if i64::try_from(magnitude).is_err() {
            return Err(too_large());
        }
        match constant {
            0 => {}
            c if c < 0 => text += &format!(" - {}", c.unsigned_abs()),
            c => text += &format!(" + {c}"),
        }
        let sum = terms.len() > 1 || constant != 0;
        Ok(Number {
            text,
            strength: if sum { SUM } else { PRODUCT },
            magnitude,
        })
    }
}

impl Number {
    /// Its quotient, rounded towards zero.
    fn divided(self, by: i64) -> Number {
        Number {
            text: format!("{} / {by}", self.operand(PRODUCT)),
            strength: PRODUCT,
            magnitude: self.magnitude / i128::from(by),
        }
    }

    /// Its quotient by a power of two, rounded down.
    fn shifted(self, by: i64) -> Number {
        Number {
            text: format!("({} >> {})", self.operand(SUM), by.trailing_zeros()),
            strength: PRIMARY,
            magnitude: self.magnitude / i128::from(by) + 1,
        }
    }

    /// In parentheses where it binds more weakly.
    pub(in crate::codegen::c) fn operand(&self, least: u8) -> String {
        if self.strength < least {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}
