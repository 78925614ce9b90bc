//! Operators: arithmetic with the usual conversions, pointers, comparisons, jumps on conditions.

use crate::arith::{self, Arith, Cond, How};
use crate::program::{Op, Reg};
use crate::read::expressions::values::{At, Val};
use crate::read::{Reader, Res};
use crate::types::{INT, Kind, LONG, Len, Type};
use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::Node;

impl Op {
    /// The register that gets the result, of instructions that do nothing else.
    pub(crate) fn result(&mut self) -> Option<&mut Reg> {
        match self {
            Op::Imm { d, .. }
            | Op::Constant { d, .. }
            | Op::Move { d, .. }
            | Op::AddI32 { d, .. }
            | Op::SubI32 { d, .. }
            | Op::MulI32 { d, .. }
            | Op::AddI64 { d, .. }
            | Op::SubI64 { d, .. }
            | Op::MulI64 { d, .. }
            | Op::AddImm32 { d, .. }
            | Op::AddImm64 { d, .. }
            | Op::AddF64 { d, .. }
            | Op::SubF64 { d, .. }
            | Op::MulF64 { d, .. }
            | Op::AddF32 { d, .. }
            | Op::SubF32 { d, .. }
            | Op::MulF32 { d, .. }
            | Op::Arith { d, .. }
            | Op::Negate { d, .. }
            | Op::Complement { d, .. }
            | Op::Compare { d, .. }
            | Op::Convert { d, .. }
            | Op::Element { d, .. }
            | Op::ElementBy { d, .. }
            | Op::Load { d, .. }
            | Op::Math1 { d, .. }
            | Op::Math2 { d, .. }
            | Op::Math3 { d, .. }
            | Op::Complex { d, .. } => Some(d),
            _ => None,
        }
    }
}

pub(crate) fn arith_of(operator: &BinaryOperator) -> Option<Arith> {
    use BinaryOperator as B;
    Some(match operator {
        B::Plus | B::AssignPlus => Arith::Add,
        B::Minus | B::AssignMinus => Arith::Sub,
        B::Multiply | B::AssignMultiply => Arith::Mul,
        B::Divide | B::AssignDivide => Arith::Div,
        B::Modulo | B::AssignModulo => Arith::Rem,
        B::ShiftLeft | B::AssignShiftLeft => Arith::Shl,
        B::ShiftRight | B::AssignShiftRight => Arith::Shr,
        B::BitwiseAnd | B::AssignBitwiseAnd => Arith::And,
        B::BitwiseOr | B::AssignBitwiseOr => Arith::Or,
        B::BitwiseXor | B::AssignBitwiseXor => Arith::Xor,
        _ => return None,
    })
}

pub(crate) fn cond_of(operator: &BinaryOperator) -> Option<Cond> {
    use BinaryOperator as B;
    Some(match operator {
        B::Less => Cond::Lt,
        B::LessOrEqual => Cond::Le,
        B::Greater => Cond::Gt,
        B::GreaterOrEqual => Cond::Ge,
        B::Equals => Cond::Eq,
        B::NotEquals => Cond::Ne,
        _ => return None,
    })
}

impl<'a> Reader<'a> {
    /// `a op b`, with C's conversions; pointers too.
    pub(crate) fn arith(&mut self, op: Arith, a: Val, b: Val) -> Res<Val> {
        match (op, &a.ty, &b.ty) {
            (Arith::Add | Arith::Sub, Type::Pointer(_), Type::Scalar(_)) => {
                let negative = op == Arith::Sub;
                return self.advance(a, b, negative);
            }
            (Arith::Add, Type::Scalar(_), Type::Pointer(_)) => return self.advance(b, a, false),
            (Arith::Sub, Type::Pointer(_), Type::Pointer(_)) => return self.difference(a, b),
            _ => {}
        }
        if !a.ty.is_arithmetic() || !b.ty.is_arithmetic() {
            self.kind_of(&a)?;
            self.kind_of(&b)?;
            return self.problem("an operator of these operands");
        }
        let (ka, kb) = (self.kind_of(&a)?, self.kind_of(&b)?);
        let is_shift = matches!(op, Arith::Shl | Arith::Shr);
        let kind = if is_shift {
            ka.promoted()
        } else {
            ka.common(kb)
        };
        let only_integers =
            is_shift || matches!(op, Arith::Rem | Arith::And | Arith::Or | Arith::Xor);
        if only_integers && (ka.is_float() || kb.is_float()) {
            return self.problem("an operator of integers on floating-point numbers");
        }
        let ty = Type::Scalar(kind);
        let a = self.operand(a, &ty)?;
        let b = if is_shift {
            let promoted = Type::Scalar(kb.promoted());
            self.convert(b, &promoted)?
        } else {
            self.operand(b, &ty)?
        };
        if let (At::Const(x), At::Const(y)) = (a.at, b.at) {
            if let Ok(value) = arith::arith(op, kind, x, y) {
                return Ok(Val::constant(value, ty));
            }
        }
        // Sums with small constants.
        if let (Arith::Add | Arith::Sub, Kind::I32 | Kind::I64) = (op, kind) {
            let (other, by) = match (a.at, b.at) {
                (At::Reg(reg), At::Const(by)) => (Some(reg), by as i64),
                (At::Const(by), At::Reg(reg)) if op == Arith::Add => (Some(reg), by as i64),
                _ => (None, 0),
            };
            let by = if op == Arith::Sub {
                by.checked_neg()
            } else {
                Some(by)
            };
            let by = by.and_then(|by| i32::try_from(by).ok());
            if let (Some(a), Some(value)) = (other, by) {
                let d = self.temp()?;
                self.emit(match kind {
                    Kind::I32 => Op::AddImm32 { d, a, value },
                    _ => Op::AddImm64 { d, a, value },
                });
                return Ok(Val::reg(d, ty));
            }
        }
        let (a, b) = (self.reg(&a)?, self.reg(&b)?);
        let d = self.temp()?;
        self.emit(match (op, kind) {
            (Arith::Add, Kind::I32) => Op::AddI32 { d, a, b },
            (Arith::Sub, Kind::I32) => Op::SubI32 { d, a, b },
            (Arith::Mul, Kind::I32) => Op::MulI32 { d, a, b },
            (Arith::Add, Kind::I64) => Op::AddI64 { d, a, b },
            (Arith::Sub, Kind::I64) => Op::SubI64 { d, a, b },
            (Arith::Mul, Kind::I64) => Op::MulI64 { d, a, b },
            (Arith::Add, Kind::F64) => Op::AddF64 { d, a, b },
            (Arith::Sub, Kind::F64) => Op::SubF64 { d, a, b },
            (Arith::Mul, Kind::F64) => Op::MulF64 { d, a, b },
            (Arith::Add, Kind::F32) => Op::AddF32 { d, a, b },
            (Arith::Sub, Kind::F32) => Op::SubF32 { d, a, b },
            (Arith::Mul, Kind::F32) => Op::MulF32 { d, a, b },
            _ => Op::Arith { op, kind, d, a, b },
        });
        Ok(Val::reg(d, ty))
    }

    /// A pointer moved by so many elements.
    pub(crate) fn advance(&mut self, pointer: Val, by: Val, negative: bool) -> Res<Val> {
        let Type::Pointer(target) = pointer.ty.clone() else {
            return self.problem("a subscript of what is no pointer");
        };
        let by = if negative { self.negate(by)? } else { by };
        if self.kind_of(&by)?.is_float() {
            return self.problem("a floating-point number as a subscript");
        }
        let base = self.reg(&pointer)?;
        let d = self.element(base, &by, &target)?;
        Ok(Val::reg(d, pointer.ty))
    }

    /// The address of an element of type `target`.
    pub(crate) fn element(&mut self, base: Reg, index: &Val, target: &Type) -> Res<Reg> {
        let scale = self.size_of(target)?;
        let index = self.reg(index)?;
        Ok(match scale.at {
            At::Const(size) if u32::try_from(size).is_ok() => {
                let (d, scale) = (self.temp()?, size as u32);
                self.emit(Op::Element {
                    d,
                    base,
                    index,
                    scale,
                });
                d
            }
            _ => {
                let scale = self.reg(&scale)?;
                let d = self.temp()?;
                self.emit(Op::ElementBy {
                    d,
                    base,
                    index,
                    scale,
                });
                d
            }
        })
    }

    /// Checks a subscript against the extent of its array.
    pub(crate) fn bounds(&mut self, index: &Val, len: &Len) -> Res<()> {
        match (len, index.at) {
            (Len::Fixed(n), At::Const(at)) if at < *n => {}
            (Len::Fixed(n), _) if u32::try_from(*n).is_ok() => {
                let index = self.reg(index)?;
                let len = *n as u32;
                self.emit(Op::Bounds { index, len });
            }
            (Len::Slot(len, _), _) => {
                let index = self.reg(index)?;
                self.emit(Op::BoundsBy { index, len: *len });
            }
            _ => {}
        }
        Ok(())
    }

    fn difference(&mut self, a: Val, b: Val) -> Res<Val> {
        let Type::Pointer(target) = a.ty.clone() else {
            return self.problem("a difference of pointers");
        };
        let scale = self.size_of(&target)?;
        let (a, b, scale) = (self.reg(&a)?, self.reg(&b)?, self.reg(&scale)?);
        let d = self.temp()?;
        self.emit(Op::Difference { d, a, b, scale });
        Ok(Val::reg(d, LONG))
    }

    pub(crate) fn negate(&mut self, value: Val) -> Res<Val> {
        let kind = self.kind_of(&value)?.promoted();
        let ty = Type::Scalar(kind);
        let value = self.operand(value, &ty)?;
        if let At::Const(bits) = value.at {
            if let Ok(bits) = arith::negate(kind, bits) {
                return Ok(Val::constant(bits, ty));
            }
        }
        let a = self.reg(&value)?;
        let d = self.temp()?;
        self.emit(Op::Negate { kind, d, a });
        Ok(Val::reg(d, ty))
    }

    pub(crate) fn complement(&mut self, value: Val) -> Res<Val> {
        let kind = self.kind_of(&value)?.promoted();
        if kind.is_float() {
            return self.problem("`~` of a floating-point number");
        }
        let ty = Type::Scalar(kind);
        let value = self.convert(value, &ty)?;
        if let At::Const(bits) = value.at {
            return Ok(Val::constant(arith::wrap(kind, !bits), ty));
        }
        let a = self.reg(&value)?;
        let d = self.temp()?;
        self.emit(Op::Complement { kind, d, a });
        Ok(Val::reg(d, ty))
    }

    /// Operands of a comparison brought to their common type.
    fn comparable(&mut self, a: Val, b: Val) -> Res<(Val, Val, Kind)> {
        if a.ty.is_pointer() || b.ty.is_pointer() {
            self.kind_of(&a)?;
            self.kind_of(&b)?;
            return Ok((a, b, Kind::U64));
        }
        let kind = self.kind_of(&a)?.common(self.kind_of(&b)?);
        let ty = Type::Scalar(kind);
        Ok((self.operand(a, &ty)?, self.operand(b, &ty)?, kind))
    }

    pub(crate) fn compare(&mut self, cond: Cond, a: Val, b: Val) -> Res<Val> {
        let (a, b, kind) = self.comparable(a, b)?;
        if kind.is_complex() && !matches!(cond, Cond::Eq | Cond::Ne) {
            return self.problem("an order of complex numbers");
        }
        let how = How::of(kind);
        if let (At::Const(x), At::Const(y)) = (a.at, b.at) {
            return Ok(Val::int(arith::compare(cond, how, x, y).into()));
        }
        let (a, b) = (self.reg(&a)?, self.reg(&b)?);
        let d = self.temp()?;
        self.emit(Op::Compare { cond, how, d, a, b });
        Ok(Val::reg(d, INT))
    }

    /// Emits jumps that are taken where the condition's truth is `when`; otherwise goes on. The
    /// jumps are to be directed.
    pub(crate) fn branch(
        &mut self,
        e: &'a Node<Expression>,
        when: bool,
        jumps: &mut Vec<usize>,
    ) -> Res<()> {
        self.deeper()?;
        let top = self.fun.frame.top;
        match &e.node {
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Negate =>
            {
                self.branch(&unary.node.operand, !when, jumps)?;
            }
            Expression::BinaryOperator(binary) => {
                let (lhs, rhs) = (&binary.node.lhs, &binary.node.rhs);
                match (&binary.node.operator.node, when) {
                    (BinaryOperator::LogicalAnd, false) | (BinaryOperator::LogicalOr, true) => {
                        self.branch(lhs, when, jumps)?;
                        self.branch(rhs, when, jumps)?;
                    }
                    (BinaryOperator::LogicalAnd, true) | (BinaryOperator::LogicalOr, false) => {
                        let mut around = Vec::new();
                        self.branch(lhs, !when, &mut around)?;
                        self.branch(rhs, when, jumps)?;
                        around.into_iter().for_each(|jump| self.land(jump));
                    }
                    (operator, _) => match cond_of(operator) {
                        Some(cond) => {
                            let a = self.expr(lhs)?;
                            let b = self.expr(rhs)?;
                            let (a, b, kind) = self.comparable(a, b)?;
                            self.jump_compare(cond, (a, b, kind), when, jumps)?;
                        }
                        None => self.branch_value(e, when, jumps)?,
                    },
                }
            }
            _ => self.branch_value(e, when, jumps)?,
        }
        self.fun.frame.top = top;
        self.depth -= 1;
        Ok(())
    }

    fn jump_compare(
        &mut self,
        cond: Cond,
        (a, b, kind): (Val, Val, Kind),
        when: bool,
        jumps: &mut Vec<usize>,
    ) -> Res<()> {
        if kind.is_complex() && !matches!(cond, Cond::Eq | Cond::Ne) {
            return self.problem("an order of complex numbers");
        }
        let how = How::of(kind);
        if let (At::Const(x), At::Const(y)) = (a.at, b.at) {
            if arith::compare(cond, how, x, y) == when {
                jumps.push(self.emit(Op::Jump { to: 0 }));
            }
            return Ok(());
        }
        let (a, b) = (self.reg(&a)?, self.reg(&b)?);
        if how == How::Signed {
            let cond = if when { cond } else { cond.opposite() };
            jumps.push(self.emit(Op::JumpCompare { cond, a, b, to: 0 }));
            return Ok(());
        }
        let d = self.temp()?;
        self.emit(Op::Compare { cond, how, d, a, b });
        jumps.push(if when {
            self.emit(Op::JumpIf { a: d, to: 0 })
        } else {
            self.emit(Op::JumpUnless { a: d, to: 0 })
        });
        Ok(())
    }

    fn branch_value(
        &mut self,
        e: &'a Node<Expression>,
        when: bool,
        jumps: &mut Vec<usize>,
    ) -> Res<()> {
        let value = self.expr(e)?;
        let value = self.truth(value)?;
        match value.at {
            At::Const(bits) => {
                if (bits != 0) == when {
                    jumps.push(self.emit(Op::Jump { to: 0 }));
                }
            }
            At::Reg(a) => jumps.push(if when {
                self.emit(Op::JumpIf { a, to: 0 })
            } else {
                self.emit(Op::JumpUnless { a, to: 0 })
            }),
        }
        Ok(())
    }

    /// A value that is nonzero in a register where it is true.
    fn truth(&mut self, value: Val) -> Res<Val> {
        let kind = self.kind_of(&value)?;
        if kind.is_float() {
            return self.compare(Cond::Ne, value, Val::int(0));
        }
        Ok(value)
    }
}
