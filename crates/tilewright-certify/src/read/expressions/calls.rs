//! Calls: functions of the text, and what the library gives.

use crate::arith::Cond;
use crate::outside;
use crate::program::Op;
use crate::read::expressions::values::{At, Val};
use crate::read::{Reader, Res, Symbol};
use crate::run::MOST_THREADS;
use crate::run::math::Math;
use crate::text::LAUNCH;
use crate::types::{INT, Kind, Signature, Type};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;
use std::rc::Rc;

pub(crate) type Arguments<'a> = &'a [Node<Expression>];

impl<'a> Reader<'a> {
    pub(crate) fn call(&mut self, call: &'a CallExpression) -> Res<Val> {
        let Expression::Identifier(name) = &call.callee.node else {
            return self.problem("a call through a pointer");
        };
        let name = &name.node.name;
        if name == LAUNCH {
            return self.launch(&call.arguments);
        }
        if matches!(
            self.lookup(name),
            Some(Symbol::Local { .. } | Symbol::Memory { .. })
        ) {
            return self.problem(format!("a call through the pointer `{name}`"));
        }
        if let Some(number) = self.request(name) {
            let Some(Symbol::Function(Type::Function(signature))) = self.lookup(name) else {
                return self.problem(format!("the type of function `{name}`"));
            };
            let signature = signature.clone();
            return self.call_own(number, &signature, &call.arguments, call.callee.span.start);
        }
        let top = self.fun.frame.top;
        let value = if self.device {
            self.kernel_call(name, &call.arguments)?
        } else {
            self.library(name, &call.arguments)?
        };
        self.lower(value, top)
    }

    fn call_own(
        &mut self,
        number: usize,
        signature: &Rc<Signature>,
        arguments: Arguments<'a>,
        offset: usize,
    ) -> Res<Val> {
        if arguments.len() != signature.parameters.len() {
            return self.problem("a call with another number of arguments");
        }
        let d = self.temp()?;
        let result = signature.result.clone();
        let returned = match result {
            Type::Record(_) => Some(self.local("a result", &result)?),
            _ => None,
        };
        // The callee's frame begins with its arguments.
        let first = self.fun.frame.top;
        for _ in 0..arguments.len() + usize::from(returned.is_some()) {
            self.temp()?;
        }
        let inner = self.fun.frame.top;
        for (index, (argument, ty)) in arguments.iter().zip(&signature.parameters).enumerate() {
            let value = self.expr(argument)?;
            let value = self.convert(value, ty)?;
            self.assign_reg((first + index) as u16, &value, inner)?;
            self.fun.frame.top = inner;
        }
        if let Some(a) = returned {
            let d = (first + arguments.len()) as u16;
            self.emit(Op::Move { d, a });
        }
        self.position.offset = offset;
        self.emit(Op::Call {
            function: number as u32,
            first: first as u16,
            d,
        });
        // What is behind the call may be reached by other jumps only through marks.
        self.here();
        self.fun.frame.top = returned.map_or(d as usize, |reg| reg as usize) + 1;
        match (&result, returned) {
            (Type::Void, _) => Ok(Val::constant(0, Type::Void)),
            (_, Some(reg)) => Ok(Val::reg(reg, result)),
            _ => Ok(Val::reg(d, result)),
        }
    }

    /// An argument brought to a type.
    pub(crate) fn argument(
        &mut self,
        arguments: Arguments<'a>,
        index: usize,
        ty: &Type,
    ) -> Res<Val> {
        let Some(e) = arguments.get(index) else {
            return self.problem("a call with too few arguments");
        };
        let value = self.expr(e)?;
        self.convert(value, ty)
    }

    pub(crate) fn library(&mut self, name: &str, arguments: Arguments<'a>) -> Res<Val> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let pointer = Type::Void.pointer();
        let size = crate::types::SIZE;
        let nothing = Val::constant(0, Type::Void);
        match plain {
            "malloc" | "calloc" | "aligned_alloc" | "alloca" => {
                let zero = plain == "calloc";
                let last =
                    self.argument(arguments, usize::from(plain == "aligned_alloc"), &size)?;
                let n = if zero {
                    let second = self.argument(arguments, 1, &size)?;
                    self.arith(crate::arith::Arith::Mul, last, second)?
                } else {
                    last
                };
                let n = self.reg(&n)?;
                let d = self.temp()?;
                self.emit(Op::Allocate { d, n, zero });
                Ok(Val::reg(d, pointer))
            }
            "free" => {
                let value = self.argument(arguments, 0, &pointer)?;
                let a = self.reg(&value)?;
                self.emit(Op::Free { a });
                Ok(nothing)
            }
            "memcpy" | "memmove" => {
                let to = self.argument(arguments, 0, &pointer)?;
                let from = self.argument(arguments, 1, &pointer)?;
                let n = self.argument(arguments, 2, &size)?;
                let (to, from, n) = (self.reg(&to)?, self.reg(&from)?, self.reg(&n)?);
                self.emit(Op::Copy { to, from, n });
                Ok(Val::reg(to, pointer))
            }
            "memset" => {
                let to = self.argument(arguments, 0, &pointer)?;
                let value = self.argument(arguments, 1, &INT)?;
                let n = self.argument(arguments, 2, &size)?;
                let (to, value, n) = (self.reg(&to)?, self.reg(&value)?, self.reg(&n)?);
                self.emit(Op::Fill { to, value, n });
                Ok(Val::reg(to, pointer))
            }
            "trap" | "unreachable" | "abort" | "exit" | "__assert_fail" | "_Exit" => {
                self.emit(Op::Trap);
                Ok(nothing)
            }
            "expect" => match arguments.first() {
                Some(e) => {
                    let value = self.expr(e)?;
                    self.convert(value, &crate::types::LONG)
                }
                None => self.problem("__builtin_expect"),
            },
            "assume_aligned" => self.argument(arguments, 0, &pointer),
            "__tw_barrier" => {
                if self.fun.jumps.closed.is_empty() && self.fun.parallel == 0 {
                    return Ok(nothing);
                }
                self.emit(Op::Barrier);
                Ok(nothing)
            }
            "omp_get_max_threads" => Ok(Val::constant(MOST_THREADS, INT)),
            "abs" => self.absolute(arguments, Kind::I32),
            "labs" | "llabs" => self.absolute(arguments, Kind::I64),
            "isnan" | "isnanf" | "isinf" | "isinff" | "isfinite" | "isfinitef" | "finite"
            | "isinf_sign" => self.classify(plain, arguments),
            "huge_val" | "inf" => Ok(Val::constant(
                f64::INFINITY.to_bits(),
                Type::Scalar(Kind::F64),
            )),
            "huge_valf" | "inff" => Ok(Val::constant(
                crate::arith::bits32(f32::INFINITY),
                Type::Scalar(Kind::F32),
            )),
            "huge_vall" | "infl" => Ok(Val::constant(
                f64::INFINITY.to_bits(),
                Type::Scalar(Kind::F80),
            )),
            "nanl" => Ok(Val::constant(f64::NAN.to_bits(), Type::Scalar(Kind::F80))),
            "nan" => Ok(Val::constant(f64::NAN.to_bits(), Type::Scalar(Kind::F64))),
            "nanf" => Ok(Val::constant(
                crate::arith::bits32(f32::NAN),
                Type::Scalar(Kind::F32),
            )),
            _ if self.traced.is_some() && plain.starts_with("__tw_") => {
                self.noted(plain, arguments)
            }
            _ => match self.host_call(name, arguments)? {
                Some(value) => Ok(value),
                None if let Some(function) = outside::named(name) => {
                    self.outside(function, arguments)
                }
                None => match self.complex_call(name, arguments)? {
                    Some(value) => Ok(value),
                    None => self.math(name, arguments),
                },
            },
        }
    }

    pub(crate) fn math(&mut self, name: &str, arguments: Arguments<'a>) -> Res<Val> {
        if let Some(value) = self.nearest_integer(name, arguments)? {
            return Ok(value);
        }
        let Some((math, kind)) = Math::named(name) else {
            return self.problem(format!("a call of `{name}`, which is not in the text"));
        };
        let ty = Type::Scalar(kind);
        let count = match math {
            Math::One(_) => 1,
            Math::Two(_) => 2,
            Math::Three(_) => 3,
        };
        let first = self.fun.frame.top;
        for _ in 0..count {
            self.temp()?;
        }
        let inner = self.fun.frame.top;
        for index in 0..count {
            let value = self.argument(arguments, index, &ty)?;
            self.assign_reg((first + index) as u16, &value, inner)?;
            self.fun.frame.top = inner;
        }
        let (d, a, b) = (first as u16, first as u16, first as u16 + 1);
        self.emit(match math {
            Math::One(f) => Op::Math1 { f, d, a },
            Math::Two(f) => Op::Math2 { f, d, a, b },
            Math::Three(f) => Op::Math3 { f, d, a },
        });
        self.fun.frame.top = first + 1;
        Ok(Val::reg(d, ty))
    }

    /// `lrint`, `lround` and those like them; `None` for others.
    fn nearest_integer(&mut self, name: &str, arguments: Arguments<'a>) -> Res<Option<Val>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let plain = plain.strip_prefix("ll").or_else(|| plain.strip_prefix('l'));
        let rounds = |name: &&str| matches!(name.trim_end_matches(['f', 'l']), "rint" | "round");
        let Some(plain) = plain.filter(rounds) else {
            return Ok(None);
        };
        let value = self.math(plain, arguments)?;
        self.convert(value, &crate::types::LONG).map(Some)
    }

    fn absolute(&mut self, arguments: Arguments<'a>, kind: Kind) -> Res<Val> {
        let ty = Type::Scalar(kind);
        let d = self.temp()?;
        let value = self.argument(arguments, 0, &ty)?;
        let inner = self.fun.frame.top;
        let a = self.reg(&value)?;
        self.emit(Op::Move { d, a });
        let zero = self.constant(0)?;
        let positive = self.emit(Op::JumpCompare {
            cond: Cond::Ge,
            a: d,
            b: zero,
            to: 0,
        });
        self.emit(Op::Negate { kind, d, a: d });
        self.land(positive);
        self.fun.frame.top = inner.min(d as usize + 1);
        Ok(Val::reg(d, ty))
    }

    fn classify(&mut self, name: &str, arguments: Arguments<'a>) -> Res<Val> {
        let ty = Type::Scalar(Kind::F64);
        let value = self.argument(arguments, 0, &ty)?;
        if name.starts_with("isnan") {
            return self.compare(Cond::Ne, value.clone(), value);
        }
        // |x| against infinity.
        let a = self.reg(&value)?;
        let d = self.temp()?;
        let Some((Math::One(f), _)) = Math::named("fabs") else {
            return self.problem("fabs");
        };
        self.emit(Op::Math1 { f, d, a });
        let cond = if name.starts_with("isinf") {
            Cond::Eq
        } else {
            Cond::Lt
        };
        let infinity = Val {
            at: At::Const(f64::INFINITY.to_bits()),
            ty: ty.clone(),
        };
        self.compare(cond, Val::reg(d, ty), infinity)
    }
}
