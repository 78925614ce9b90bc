//! Expressions.

use crate::arith::{self, Arith};
use crate::program::Op;
use crate::read::declare;
use crate::read::expressions::parts;
use crate::read::expressions::place::is_place;
use crate::read::expressions::values::{At, Val};
use crate::read::{DEEPEST, Reader, Res, Symbol};
use crate::types::{Kind, SIZE, Type};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Constant, Expression,
    FloatFormat, Integer, IntegerBase, IntegerSize, OffsetMember, OffsetOfExpression,
    UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;

impl<'a> Reader<'a> {
    /// One level deeper in the tree.
    pub(crate) fn deeper(&mut self) -> Res<()> {
        self.depth += 1;
        // Chains of operators are levels, too.
        if self.depth > 40 * DEEPEST {
            return self.problem("nesting that is too deep");
        }
        Ok(())
    }

    /// The value of an expression. An array is the address of its first element.
    pub(crate) fn expr(&mut self, e: &'a Node<Expression>) -> Res<Val> {
        self.deeper()?;
        let value = self.expression(e);
        self.depth -= 1;
        value
    }

    fn expression(&mut self, e: &'a Node<Expression>) -> Res<Val> {
        let top = self.fun.frame.top;
        match &e.node {
            Expression::Identifier(name) => {
                let name = &name.node.name;
                if let Some(value) = self.kernel_value(name) {
                    return Ok(value);
                }
                match self.lookup(name) {
                    Some(Symbol::Enumerator(value)) => {
                        let value = *value;
                        let ty = match i32::try_from(value) {
                            Ok(_) => crate::types::INT,
                            Err(_) => crate::types::LONG,
                        };
                        return Ok(Val::constant(value as u64, ty));
                    }
                    Some(Symbol::Function(_)) => {
                        return self.problem(format!("a pointer to function `{name}`"));
                    }
                    _ => {}
                }
                let place = self.place(e, false)?;
                self.value_of(&place, top)
            }
            Expression::Constant(constant) => self.literal(&constant.node),
            Expression::Member(member) if self.builtin_member(&member.node).is_some() => {
                self.own_number(&member.node)
            }
            Expression::Member(_)
            | Expression::StringLiteral(_)
            | Expression::CompoundLiteral(_) => {
                let place = self.place(e, false)?;
                self.value_of(&place, top)
            }
            Expression::BinaryOperator(binary) => self.binary(e, &binary.node, top),
            Expression::UnaryOperator(unary) => self.unary(e, &unary.node, top),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name.node)?;
                let value = self.expr(&cast.node.expression)?;
                let value = self.convert(value, &ty)?;
                self.lower(value, top)
            }
            Expression::Conditional(conditional) => self.conditional(&conditional.node),
            Expression::Comma(list) => {
                let mut last = Val::constant(0, Type::Void);
                for item in list.iter() {
                    self.fun.frame.top = top;
                    last = self.expr(item)?;
                }
                self.lower(last, top)
            }
            Expression::Call(call) => self.call(&call.node),
            Expression::SizeOfTy(of) => {
                let ty = self.type_name(&of.node.0.node)?;
                self.size_of(&ty)
            }
            Expression::SizeOfVal(of) => {
                let ty = self.type_of(&of.node.0)?;
                self.size_of(&ty)
            }
            Expression::AlignOf(of) => {
                let ty = self.type_name(&of.node.0.node)?;
                let align = self.program.records.align(&ty);
                Ok(Val::constant(align, SIZE))
            }
            Expression::OffsetOf(of) => self.offset_of(&of.node),
            Expression::Statement(statement) => self.statement_expression(statement),
            Expression::GenericSelection(generic) => {
                let ty = self.type_of(&generic.node.expression)?;
                let mut default = None;
                for association in &generic.node.associations {
                    match &association.node {
                        lang_c::ast::GenericAssociation::Default(e) => default = Some(e),
                        lang_c::ast::GenericAssociation::Type(of) => {
                            let one = self.type_name(&of.node.type_name.node)?;
                            if one == ty {
                                return self.expr(&of.node.expression);
                            }
                        }
                    }
                }
                match default {
                    Some(e) => self.expr(e),
                    None => self.problem("a _Generic without a match"),
                }
            }
            Expression::VaArg(_) => self.problem("variable arguments"),
        }
    }

    fn binary(
        &mut self,
        e: &'a Node<Expression>,
        binary: &'a BinaryOperatorExpression,
        top: usize,
    ) -> Res<Val> {
        use BinaryOperator as B;
        let operator = &binary.operator.node;
        match operator {
            B::Index => {
                let place = self.place(e, false)?;
                self.seen(&binary.lhs, &place, top)
            }
            B::Assign => self.assignment(binary, None),
            B::LogicalAnd | B::LogicalOr => {
                if self.folding {
                    let a = self.constant_value(&binary.lhs)? != 0;
                    let b = self.constant_value(&binary.rhs)? != 0;
                    let value = if *operator == B::LogicalAnd {
                        a && b
                    } else {
                        a || b
                    };
                    return Ok(Val::int(value.into()));
                }
                let d = self.temp()?;
                let mut jumps = Vec::new();
                self.branch(e, false, &mut jumps)?;
                self.emit(Op::Imm { d, value: 1 });
                let end = self.emit(Op::Jump { to: 0 });
                jumps.into_iter().for_each(|jump| self.land(jump));
                self.emit(Op::Imm { d, value: 0 });
                self.land(end);
                self.fun.frame.top = d as usize + 1;
                Ok(Val::reg(d, crate::types::INT))
            }
            _ => {
                let op = crate::read::expressions::ops::arith_of(operator);
                let assigns = matches!(
                    operator,
                    B::AssignMultiply
                        | B::AssignDivide
                        | B::AssignModulo
                        | B::AssignPlus
                        | B::AssignMinus
                        | B::AssignShiftLeft
                        | B::AssignShiftRight
                        | B::AssignBitwiseAnd
                        | B::AssignBitwiseXor
                        | B::AssignBitwiseOr
                );
                if assigns {
                    return self.assignment(binary, op);
                }
                let a = self.expr(&binary.lhs)?;
                let b = self.expr(&binary.rhs)?;
                let value = match (op, crate::read::expressions::ops::cond_of(operator)) {
                    (Some(op), _) => self.arith(op, a, b)?,
                    (_, Some(cond)) => self.compare(cond, a, b)?,
                    _ => return self.problem("an operator"),
                };
                self.lower(value, top)
            }
        }
    }

    fn unary(
        &mut self,
        e: &'a Node<Expression>,
        unary: &'a UnaryOperatorExpression,
        top: usize,
    ) -> Res<Val> {
        use UnaryOperator as U;
        if let Some((part, of)) = parts::part_of(unary) {
            let value = self.part_of_number(part, of)?;
            return self.lower(value, top);
        }
        let operand = &unary.operand;
        match unary.operator.node {
            U::PostIncrement => self.step(operand, Arith::Add, false),
            U::PostDecrement => self.step(operand, Arith::Sub, false),
            U::PreIncrement => self.step(operand, Arith::Add, true),
            U::PreDecrement => self.step(operand, Arith::Sub, true),
            U::Address => {
                if let Expression::UnaryOperator(inner) = &operand.node {
                    if inner.node.operator.node == U::Indirection {
                        return self.expr(&inner.node.operand);
                    }
                }
                let value = self.address(operand)?;
                self.lower(value, top)
            }
            U::Indirection => {
                let place = self.place(e, false)?;
                self.seen(operand, &place, top)
            }
            U::Plus => {
                let value = self.expr(operand)?;
                let ty = Type::Scalar(self.kind_of(&value)?.promoted());
                self.operand(value, &ty)
            }
            U::Minus => {
                let value = self.expr(operand)?;
                let value = self.negate(value)?;
                self.lower(value, top)
            }
            U::Complement => {
                let value = self.expr(operand)?;
                let value = self.complement(value)?;
                self.lower(value, top)
            }
            U::Negate => {
                let value = self.expr(operand)?;
                let value = self.compare(arith::Cond::Eq, value, Val::int(0))?;
                self.lower(value, top)
            }
        }
    }

    fn conditional(&mut self, conditional: &'a ConditionalExpression) -> Res<Val> {
        let (then, other) = (&conditional.then_expression, &conditional.else_expression);
        if self.folding {
            let condition = self.constant_value(&conditional.condition)?;
            return self.expr(if condition != 0 { then } else { other });
        }
        let d = self.temp()?;
        let mut jumps = Vec::new();
        self.branch(&conditional.condition, false, &mut jumps)?;
        let first = self.expr(then)?;
        if matches!(first.ty, Type::Void) {
            let end = self.emit(Op::Jump { to: 0 });
            jumps.into_iter().for_each(|jump| self.land(jump));
            self.expr(other)?;
            self.land(end);
            return Ok(Val::constant(0, Type::Void));
        }
        let a = self.reg(&first)?;
        let moved = self.emit(Op::Nop);
        let end = self.emit(Op::Jump { to: 0 });
        jumps.into_iter().for_each(|jump| self.land(jump));
        self.fun.frame.top = d as usize + 1;
        let second = self.expr(other)?;
        let ty = match (&first.ty, &second.ty) {
            (Type::Scalar(x), Type::Scalar(y)) => Type::Scalar(x.common(*y)),
            (Type::Pointer(_), _) if second.is_null() => first.ty.clone(),
            (_, Type::Pointer(_)) if first.is_null() => second.ty.clone(),
            (Type::Pointer(target), Type::Pointer(_)) if **target == Type::Void => first.ty.clone(),
            (Type::Pointer(_), Type::Pointer(_)) => second.ty.clone(),
            _ => first.ty.clone(),
        };
        let second = self.operand(second, &ty)?;
        self.assign_reg(d, &second, d as usize + 1)?;
        self.land(end);
        if let (Some(from), Some(to)) = (first.ty.kind(), ty.kind()) {
            self.program.ops[moved] = if from == to {
                Op::Move { d, a }
            } else {
                Op::Convert { from, to, d, a }
            };
        } else {
            self.program.ops[moved] = Op::Move { d, a };
        }
        self.fun.frame.top = d as usize + 1;
        Ok(Val::reg(d, ty))
    }

    /// The type of an expression that is not evaluated.
    pub(crate) fn type_of(&mut self, e: &'a Node<Expression>) -> Res<Type> {
        let (ops, top, label) = (
            self.program.ops.len(),
            self.fun.frame.top,
            self.fun.jumps.label,
        );
        let mark = self.fun.mark;
        let ty = if is_place(&e.node) {
            self.place(e, true).map(|place| place.ty)
        } else {
            self.expr(e).map(|value| value.ty)
        };
        self.program.ops.truncate(ops);
        self.program.source.lines.truncate(ops);
        (self.fun.frame.top, self.fun.jumps.label, self.fun.mark) = (top, label, mark);
        ty
    }

    /// The value of an integer constant expression.
    pub(crate) fn constant_value(&mut self, e: &'a Node<Expression>) -> Res<i64> {
        let (ops, top, before) = (self.program.ops.len(), self.fun.frame.top, self.folding);
        self.folding = true;
        let value = self.expr(e);
        self.folding = before;
        let value = value?;
        let same = self.program.ops.len() == ops;
        self.program.ops.truncate(ops);
        self.program.source.lines.truncate(ops);
        self.fun.frame.top = top;
        match value.at {
            At::Const(bits) if same && value.kind().is_some_and(|k| !k.is_float()) => {
                Ok(bits as i64)
            }
            _ => self.problem("an expression that is no constant"),
        }
    }

    fn offset_of(&mut self, of: &'a OffsetOfExpression) -> Res<Val> {
        let mut ty = self.type_name(&of.type_name.node)?;
        let mut offset = 0;
        let mut names = vec![&of.designator.node.base.node.name];
        for member in &of.designator.node.members {
            match &member.node {
                OffsetMember::Member(name) => names.push(&name.node.name),
                _ => return self.problem("offsetof of an element"),
            }
        }
        for name in names {
            let Type::Record(index) = ty else {
                return self.problem("offsetof of what is no structure");
            };
            let Some((by, inner)) = self.program.records.field(index, name) else {
                return self.problem(format!("member `{name}`"));
            };
            offset += by;
            ty = inner;
        }
        Ok(Val::constant(offset, SIZE))
    }

    fn literal(&mut self, constant: &'a Constant) -> Res<Val> {
        match constant {
            Constant::Integer(integer) => self.integer(integer),
            Constant::Float(float) => {
                let kind = match &float.suffix.format {
                    FloatFormat::Float => Kind::F32,
                    FloatFormat::Double => Kind::F64,
                    FloatFormat::LongDouble => Kind::F80,
                    FloatFormat::TS18661Format(format) => match declare::interchanged(format) {
                        Some(kind) => kind,
                        None => {
                            return self.problem("a floating-point number of an extension");
                        }
                    },
                };
                let hexadecimal = float.base == lang_c::ast::FloatBase::Hexadecimal;
                // The parser leaves suffixes with a width in the number: `0.1f16`.
                let text = match &float.suffix.format {
                    FloatFormat::TS18661Format(_) if !hexadecimal => {
                        float.number.split(['f', 'F']).next().unwrap_or_default()
                    }
                    _ => float.number.as_ref(),
                };
                let value = match (hexadecimal, kind) {
                    (true, _) => crate::read::expressions::statics::hexadecimal(text),
                    (false, Kind::F32) => text.parse::<f32>().ok().map(f64::from),
                    (false, _) => text.parse::<f64>().ok(),
                };
                let Some(value) = value else {
                    return self.problem(format!("the number {text}"));
                };
                let value = match kind > Kind::F64 {
                    true => crate::wide::constant(kind, value),
                    false => value,
                };
                if float.suffix.imaginary {
                    let kind = kind.complex();
                    let bits = crate::wide::whole(kind, 0.0, value);
                    return Ok(Val::constant(bits, Type::Scalar(kind)));
                }
                let bits = match kind {
                    Kind::F32 => arith::bits32(value as f32),
                    Kind::F16 => arith::convert(Kind::F64, kind, value.to_bits()).unwrap_or(0),
                    _ => value.to_bits(),
                };
                Ok(Val::constant(bits, Type::Scalar(kind)))
            }
            Constant::Character(text) => match crate::read::expressions::statics::character(text) {
                Some(value) => Ok(Val::int(value)),
                None => self.problem(format!("the character {text}")),
            },
        }
    }

    fn integer(&mut self, integer: &Integer) -> Res<Val> {
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let text = integer.number.as_ref();
        let digits = if text.is_empty() { "0" } else { text };
        let Ok(value) = u64::from_str_radix(digits, radix) else {
            return self.problem(format!("the number {text}"));
        };
        if integer.suffix.imaginary {
            return self.problem("an imaginary number");
        }
        if let Ok(small) = i64::try_from(value) {
            if small < 1 << 20 && !self.program.numbers.contains(&small) {
                self.program.numbers.push(small);
            }
        }
        let (long, unsigned) = (
            integer.suffix.size != IntegerSize::Int,
            integer.suffix.unsigned,
        );
        let decimal = radix == 10;
        let candidates: &[Kind] = match (long, unsigned, decimal) {
            (false, false, true) => &[Kind::I32, Kind::I64],
            (false, false, false) => &[Kind::I32, Kind::U32, Kind::I64, Kind::U64],
            (false, true, _) => &[Kind::U32, Kind::U64],
            (true, false, true) => &[Kind::I64],
            (true, false, false) => &[Kind::I64, Kind::U64],
            (true, true, _) => &[Kind::U64],
        };
        let fits = |kind: &&Kind| {
            let bits = kind.bits() - u32::from(kind.is_signed());
            bits == 64 || value < 1 << bits
        };
        let kind = candidates.iter().find(fits).copied().unwrap_or(Kind::U64);
        Ok(Val::constant(value, Type::Scalar(kind)))
    }
}
