//! Lvalues, and assignments to them.

use crate::arith::Arith;
use crate::program::{Op, Reg};
use crate::read::expressions::values::{At, Val};
use crate::read::{Reader, Res, Symbol};
use crate::types::{Kind, Len, Type};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Expression, MemberExpression, MemberOperator,
    UnaryOperator,
};
use lang_c::span::Node;

/// What can be assigned to.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub at: Where,
    pub ty: Type,
    /// Whether it is a whole object, whose bounds are checked anyway.
    pub whole: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Where {
    /// A variable's register, and the one that is set once it has a value.
    Reg(Reg, Option<Reg>),
    /// Memory, by the register with its address.
    Memory(Reg),
}

/// Whether an expression is an lvalue.
pub(crate) fn is_place(e: &Expression) -> bool {
    match e {
        Expression::Identifier(_) | Expression::StringLiteral(_) => true,
        Expression::CompoundLiteral(_) => true,
        Expression::BinaryOperator(binary) => binary.node.operator.node == BinaryOperator::Index,
        Expression::UnaryOperator(unary) => unary.node.operator.node == UnaryOperator::Indirection,
        // Of a structure that is a value, too: that is in memory.
        Expression::Member(_) => true,
        _ => false,
    }
}

impl<'a> Reader<'a> {
    /// An lvalue. `address`: whether only its address is wanted.
    pub(crate) fn place(&mut self, e: &'a Node<Expression>, address: bool) -> Res<Place> {
        self.deeper()?;
        let place = match &e.node {
            Expression::Identifier(name) => self.named(&name.node.name),
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                self.indexed(&binary.node, address)
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                let pointer = self.expr(&unary.node.operand)?;
                self.pointed(pointer)
            }
            Expression::Member(member) => self.member(&member.node),
            Expression::StringLiteral(literal) => {
                self.note_kernels(literal);
                self.string(&literal.node)
            }
            Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node),
            _ => self.problem("an operand that is no lvalue"),
        };
        self.depth -= 1;
        self.position.offset = e.span.start;
        place
    }

    fn named(&mut self, name: &str) -> Res<Place> {
        let Some(symbol) = self.lookup(name).cloned() else {
            return self.problem(format!("`{name}`, which is not declared"));
        };
        Ok(match symbol {
            Symbol::Local { reg, ty, flag } => Place {
                at: Where::Reg(reg, flag),
                ty,
                whole: true,
            },
            Symbol::Memory { reg, ty } => Place {
                at: Where::Memory(reg),
                ty,
                whole: true,
            },
            Symbol::Global(number) => {
                let d = self.temp()?;
                let global = number as u32;
                self.emit(Op::Global { d, global });
                let ty = self.program.globals[number].ty.clone();
                Place {
                    at: Where::Memory(d),
                    ty,
                    whole: true,
                }
            }
            _ => return self.problem(format!("`{name}` as a value")),
        })
    }

    pub(crate) fn pointed(&mut self, pointer: Val) -> Res<Place> {
        let Type::Pointer(target) = pointer.ty.clone() else {
            return self.problem("`*` of what is no pointer");
        };
        let reg = self.reg(&pointer)?;
        Ok(Place {
            at: Where::Memory(reg),
            ty: target.as_ref().clone(),
            whole: false,
        })
    }

    fn indexed(&mut self, binary: &'a BinaryOperatorExpression, address: bool) -> Res<Place> {
        let top = self.fun.frame.top;
        let (mut array, mut index) = (&binary.lhs, &binary.rhs);
        // `2[a]`
        if let Expression::Constant(_) = &array.node {
            std::mem::swap(&mut array, &mut index);
        }
        if is_place(&array.node) {
            let place = self.place(array, false)?;
            if let (Type::Array(inner, len), Where::Memory(base)) = (&place.ty, place.at) {
                let value = self.expr(index)?;
                if self.kind_of(&value)?.is_float() || value.ty.is_pointer() {
                    return self.problem("a subscript of this type");
                }
                if !(place.whole || address) {
                    self.bounds(&value, len)?;
                }
                return self.element_place(base, &value, inner, top);
            }
            let pointer = self.value_of(&place, top)?;
            return self.indexed_value(pointer, index, top);
        }
        let pointer = self.expr(array)?;
        self.indexed_value(pointer, index, top)
    }

    fn indexed_value(
        &mut self,
        pointer: Val,
        index: &'a Node<Expression>,
        top: usize,
    ) -> Res<Place> {
        let mut value = self.expr(index)?;
        let mut pointer = pointer;
        if value.ty.is_pointer() {
            std::mem::swap(&mut value, &mut pointer);
        }
        let Type::Pointer(target) = pointer.ty.clone() else {
            return self.problem("a subscript of what is no array");
        };
        if self.kind_of(&value)?.is_float() {
            return self.problem("a subscript of this type");
        }
        let base = self.reg(&pointer)?;
        self.element_place(base, &value, &target, top)
    }

    fn element_place(&mut self, base: Reg, index: &Val, target: &Type, top: usize) -> Res<Place> {
        if self.kind_of(index)? == Kind::U64 && !matches!(index.at, At::Const(_)) {
            let index = self.reg(index)?;
            self.emit(Op::Countable { index });
        }
        let reg = self.element(base, index, target)?;
        let address = self.lower(Val::reg(reg, target.clone()), top)?;
        Ok(Place {
            at: Where::Memory(self.reg(&address)?),
            ty: target.clone(),
            whole: false,
        })
    }

    fn member(&mut self, member: &'a MemberExpression) -> Res<Place> {
        let name = &member.identifier.node.name;
        let (base, ty) = match member.operator.node {
            MemberOperator::Direct if is_place(&member.expression.node) => {
                let place = self.place(&member.expression, false)?;
                match place.at {
                    Where::Memory(reg) => (reg, place.ty),
                    Where::Reg(..) => return self.problem(format!("member `{name}`")),
                }
            }
            MemberOperator::Direct => {
                let value = self.expr(&member.expression)?;
                (self.reg(&value)?, value.ty)
            }
            MemberOperator::Indirect => {
                let value = self.expr(&member.expression)?;
                let Type::Pointer(target) = &value.ty else {
                    return self.problem(format!("member `{name}` of what is no pointer"));
                };
                (self.reg(&value)?, target.as_ref().clone())
            }
        };
        let Type::Record(index) = ty else {
            return self.problem(format!("member `{name}` of what is no structure"));
        };
        let record = &self.program.records.0[index];
        if let Some(unknown) = record.unknown.clone() {
            return self.problem(unknown);
        }
        let Some((offset, ty)) = self.program.records.field(index, name) else {
            return self.problem(format!("member `{name}`, which is not declared"));
        };
        let mut reg = base;
        if offset > 0 {
            let by = Val::constant(offset, crate::types::LONG);
            reg = self.element(base, &by, &Type::Scalar(Kind::I8))?;
        }
        Ok(Place {
            at: Where::Memory(reg),
            ty,
            whole: false,
        })
    }

    /// What is at a place.
    pub(crate) fn value_of(&mut self, place: &Place, top: usize) -> Res<Val> {
        match place.at {
            Where::Reg(reg, flag) => {
                if let Some(flag) = flag {
                    let name = self.name_of_flag(flag);
                    self.emit(Op::Defined { flag, name });
                }
                Ok(Val::reg(reg, place.ty.clone()))
            }
            Where::Memory(at) => self.load(at, &place.ty, top),
        }
    }

    /// The name of the variable that a flag belongs to.
    fn name_of_flag(&mut self, wanted: Reg) -> u32 {
        let names = self.scopes.iter().rev().flat_map(|s| s.symbols.iter());
        let mut found = names.filter_map(|(name, symbol)| match symbol {
            Symbol::Local { flag, .. } if *flag == Some(wanted) => Some(name.clone()),
            _ => None,
        });
        let name = found.next().unwrap_or_default();
        drop(found);
        if let Some(known) = self.program.names.iter().position(|n| *n == name) {
            return known as u32;
        }
        self.program.names.push(name);
        self.program.names.len() as u32 - 1
    }

    /// Assigns a value that has the place's type already. The value of the assignment.
    pub(crate) fn assign(&mut self, place: &Place, value: Val, locals: usize) -> Res<Val> {
        match place.at {
            Where::Reg(reg, flag) => {
                self.assign_reg(reg, &value, locals)?;
                if let Some(flag) = flag {
                    self.emit(Op::Imm { d: flag, value: 1 });
                }
                Ok(Val::reg(reg, place.ty.clone()))
            }
            Where::Memory(at) => {
                let a = self.reg(&value)?;
                self.store(at, &place.ty, a)?;
                Ok(value)
            }
        }
    }

    pub(crate) fn assignment(
        &mut self,
        binary: &'a BinaryOperatorExpression,
        op: Option<Arith>,
    ) -> Res<Val> {
        if let Some(value) = self.part_assigned(binary, op)? {
            return Ok(value);
        }
        let locals = self.fun.frame.top;
        let Some(op) = op else {
            let value = self.expr(&binary.rhs)?;
            let place = self.place(&binary.lhs, false)?;
            let value = self.convert(value, &place.ty)?;
            return self.assign(&place, value, locals);
        };
        let right = self.expr(&binary.rhs)?;
        let place = self.place(&binary.lhs, false)?;
        let top = self.fun.frame.top;
        let left = self.value_of(&place, top)?;
        let value = self.arith(op, left, right)?;
        let value = self.convert(value, &place.ty)?;
        self.assign(&place, value, locals)
    }

    /// `++` and `--`.
    pub(crate) fn step(
        &mut self,
        operand: &'a Node<Expression>,
        op: Arith,
        before: bool,
    ) -> Res<Val> {
        let locals = self.fun.frame.top;
        let place = self.place(operand, false)?;
        let top = self.fun.frame.top;
        let mut old = self.value_of(&place, top)?;
        if let (false, At::Reg(a)) = (before, old.at) {
            let d = self.temp()?;
            self.emit(Op::Move { d, a });
            old = Val::reg(d, old.ty);
        }
        let ty = old.ty.clone();
        let value = self.arith(op, old.clone(), Val::int(1))?;
        let value = self.convert(value, &ty)?;
        let new = self.assign(&place, value, locals.max(top))?;
        Ok(if before { new } else { old })
    }

    /// The address of a place.
    pub(crate) fn address(&mut self, operand: &'a Node<Expression>) -> Res<Val> {
        let place = self.place(operand, true)?;
        match place.at {
            Where::Memory(reg) => Ok(Val::reg(reg, place.ty.pointer())),
            Where::Reg(..) => self.problem("the address of a variable"),
        }
    }

    /// Whether an array's extent is known where it is needed.
    pub(crate) fn is_complete(ty: &Type) -> bool {
        !matches!(ty, Type::Array(_, Len::Unknown))
    }
}
