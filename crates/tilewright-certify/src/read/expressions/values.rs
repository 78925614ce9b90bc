//! Values of expressions: constants, or registers.

use crate::arith::{self};
use crate::program::{Op, Reg};
use crate::read::{Reader, Res};
use crate::types::{Kind, Len, SIZE, Type};

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    Const(u64),
    Reg(Reg),
}

/// A value. That of a structure is where it is in memory.
#[derive(Clone, Debug)]
pub(crate) struct Val {
    pub at: At,
    pub ty: Type,
}

impl Val {
    pub fn constant(value: u64, ty: Type) -> Val {
        Val {
            at: At::Const(value),
            ty,
        }
    }

    pub fn reg(reg: Reg, ty: Type) -> Val {
        Val {
            at: At::Reg(reg),
            ty,
        }
    }

    pub fn int(value: i64) -> Val {
        Val::constant(value as u64, crate::types::INT)
    }

    pub fn is_null(&self) -> bool {
        matches!(self.at, At::Const(0)) && !self.kind().is_some_and(Kind::is_float)
    }

    pub fn kind(&self) -> Option<Kind> {
        self.ty.kind()
    }
}

/// Whether a conversion changes what is in a register.
fn changes(from: Kind, to: Kind) -> bool {
    if from == to {
        // With the bits that it has in an expression only.
        return from == Kind::F16;
    }
    match (from, to) {
        (_, Kind::Bool) => true,
        (Kind::Bool, to) => to.is_float(),
        _ if from.is_float() || to.is_float() => true,
        _ if to.size() == 8 => false,
        _ if from.size() < to.size() => from.is_signed() && !to.is_signed(),
        _ => true,
    }
}

impl Reader<'_> {
    pub(crate) fn kind_of(&self, value: &Val) -> Res<Kind> {
        match (&value.ty, value.kind()) {
            (_, Some(kind)) => Ok(kind),
            (Type::Unknown(what), _) => self.problem(what.as_ref()),
            (Type::Void, _) => self.problem("a value of type `void`"),
            _ => self.problem("a value that is no scalar"),
        }
    }

    /// A register with the value.
    pub(crate) fn reg(&mut self, value: &Val) -> Res<Reg> {
        match value.at {
            At::Reg(reg) => Ok(reg),
            At::Const(value) => self.constant(value),
        }
    }

    /// A register for an operation's result, once its operands from `top` on are no longer needed.
    pub(crate) fn result(&mut self, top: usize) -> Res<Reg> {
        self.fun.frame.top = top;
        self.temp()
    }

    /// A conversion, as by assignment or cast.
    pub(crate) fn convert(&mut self, value: Val, ty: &Type) -> Res<Val> {
        if let Type::Void = ty {
            return Ok(Val::constant(0, Type::Void));
        }
        if let (Type::Record(a), Type::Record(b)) = (&value.ty, ty) {
            if a == b {
                return Ok(value);
            }
        }
        let from = self.kind_of(&value)?;
        let to = match (ty.kind(), ty) {
            (Some(kind), _) => kind,
            (None, Type::Unknown(what)) => return self.problem(what.as_ref()),
            _ => return self.problem("a conversion to what is no scalar"),
        };
        if value.ty.is_pointer() && to.is_float() {
            return self.problem("a pointer as a number");
        }
        match value.at {
            At::Const(bits) => match arith::convert(from, to, bits) {
                Ok(bits) => Ok(Val::constant(bits, ty.clone())),
                Err(_) => {
                    let a = self.constant(bits)?;
                    let d = self.temp()?;
                    self.emit(Op::Convert { from, to, d, a });
                    Ok(Val::reg(d, ty.clone()))
                }
            },
            At::Reg(a) if changes(from, to) => {
                let d = self.temp()?;
                self.emit(Op::Convert { from, to, d, a });
                Ok(Val::reg(d, ty.clone()))
            }
            At::Reg(a) => Ok(Val::reg(a, ty.clone())),
        }
    }

    /// A value as an operand of what is computed in a type: as by [`convert`](Self::convert), but that
    /// what is of the type already is not rounded to it.
    pub(crate) fn operand(&mut self, value: Val, ty: &Type) -> Res<Val> {
        match value.kind() == Some(Kind::F16) && ty.kind() == Some(Kind::F16) {
            true => Ok(value),
            false => self.convert(value, ty),
        }
    }

    /// A type's size as a value of type `size_t`.
    pub(crate) fn size_of(&mut self, ty: &Type) -> Res<Val> {
        if let Some(size) = self.program.records.size(ty) {
            return Ok(Val::constant(size, SIZE));
        }
        match ty {
            Type::Array(_, Len::Slot(_, bytes)) => Ok(Val::reg(*bytes, SIZE)),
            Type::Array(inner, len) => {
                let top = self.fun.frame.top;
                let inner = self.size_of(inner)?;
                let len = match len {
                    Len::Fixed(value) => Val::constant(*value, SIZE),
                    Len::Slot(..) | Len::Unknown => {
                        return self.problem("an array of unknown extent");
                    }
                };
                let product = self.arith(arith::Arith::Mul, inner, len)?;
                self.lower(product, top)
            }
            Type::Unknown(what) => self.problem(what.as_ref()),
            Type::Record(record) => {
                let unknown = self.program.records.0[*record].unknown.clone();
                self.problem(unknown.unwrap_or_else(|| "the size of an incomplete type".into()))
            }
            _ => self.problem("the size of an incomplete type"),
        }
    }

    /// Moves a value into the first register from `top` on, so that those behind are free.
    pub(crate) fn lower(&mut self, value: Val, top: usize) -> Res<Val> {
        match value.at {
            At::Reg(a) if a as usize > top => {
                let d = self.result(top)?;
                if !self.retarget(a, d) {
                    self.emit(Op::Move { d, a });
                }
                Ok(Val::reg(d, value.ty))
            }
            At::Reg(a) if a as usize == top => {
                self.fun.frame.top = top + 1;
                Ok(value)
            }
            _ => {
                self.fun.frame.top = top;
                Ok(value)
            }
        }
    }

    /// Lets the last instruction write its result elsewhere, if it makes the value of a temporary.
    pub(crate) fn retarget(&mut self, from: Reg, to: Reg) -> bool {
        let end = self.program.ops.len();
        if end <= self.fun.jumps.label || end == 0 {
            return false;
        }
        match self.program.ops[end - 1].result() {
            Some(d) if *d == from => {
                *d = to;
                true
            }
            _ => false,
        }
    }

    /// Puts a value into a variable's register.
    pub(crate) fn assign_reg(&mut self, reg: Reg, value: &Val, locals: usize) -> Res<()> {
        match value.at {
            At::Const(bits) => {
                if let Ok(value) = i32::try_from(bits as i64) {
                    self.emit(Op::Imm { d: reg, value });
                } else {
                    let a = self.constant(bits)?;
                    self.emit(Op::Move { d: reg, a });
                }
            }
            At::Reg(a) if a == reg => {}
            At::Reg(a) => {
                if (a as usize) < locals || !self.retarget(a, reg) {
                    self.emit(Op::Move { d: reg, a });
                }
            }
        }
        Ok(())
    }

    /// The value at an address.
    pub(crate) fn load(&mut self, at: Reg, ty: &Type, top: usize) -> Res<Val> {
        match ty {
            Type::Record(_) => Ok(Val::reg(at, ty.clone())),
            Type::Array(inner, _) => Ok(Val::reg(at, Type::Pointer(inner.clone()))),
            Type::Function(_) => self.problem("a pointer to a function"),
            _ => {
                let kind = self.kind_of(&Val::constant(0, ty.clone()))?;
                let d = self.result(top)?;
                self.emit(Op::Load { kind, d, at });
                Ok(Val::reg(d, ty.clone()))
            }
        }
    }

    /// Stores a value of the type at an address.
    pub(crate) fn store(&mut self, at: Reg, ty: &Type, value: Reg) -> Res<()> {
        match ty {
            Type::Record(_) => {
                let top = self.fun.frame.top;
                let size = self.size_of(ty)?;
                let n = self.reg(&size)?;
                self.emit(Op::Copy {
                    to: at,
                    from: value,
                    n,
                });
                self.fun.frame.top = top;
            }
            _ => {
                let kind = self.kind_of(&Val::constant(0, ty.clone()))?;
                self.emit(Op::Store { kind, at, a: value });
            }
        }
        Ok(())
    }
}
