//! Expressions.

use super::super::lower::values::types as values;
use super::super::syntax::{Expr, ExprKind, Sized, Stmt, StmtKind, Symbol, Type};
use super::binder::{Binder, Binding};
use super::parts;
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use lang_c::ast::{
    self, BinaryOperator, Constant, Designator, Expression, Initializer, IntegerBase,
    MemberOperator, UnaryOperator,
};
use lang_c::span::Node;

impl Binder<'_> {
    /// An expression of the parser's tree as one of ours.
    pub fn expression(&mut self, node: &Node<Expression>) -> Expr {
        let span = self.span(node.span);
        let kind = match &node.node {
            Expression::Identifier(name) => self.name(&name.node.name, node.span.start),
            Expression::Constant(constant) => self.constant(&constant.node, node.span),
            // Its place has the parentheses around it.
            Expression::StringLiteral(parts) => ExprKind::Literal(parts.node.join(" ")),
            Expression::Member(member) => {
                let base = Box::new(self.expression(&member.node.expression));
                let field = member.node.identifier.node.name.clone();
                match (&member.node.operator.node, base.kind) {
                    // `(*p).x` is `p->x`.
                    (MemberOperator::Direct, ExprKind::Dereference(pointer)) => {
                        ExprKind::Arrow(pointer, field)
                    }
                    (operator, kind) => {
                        let base = Box::new(Expr { kind, ..*base });
                        match operator {
                            MemberOperator::Direct => ExprKind::Field(base, field),
                            MemberOperator::Indirect => ExprKind::Arrow(base, field),
                        }
                    }
                }
            }
            Expression::Call(call) => return self.call(&call.node, node.span),
            Expression::SizeOfTy(size) => {
                let ty = self.type_name(&size.node.0.node);
                ExprKind::SizeOf(Sized::Type(ty), self.spelling(node.span))
            }
            Expression::SizeOfVal(value) => {
                let operand = self.for_its_type(|binder| binder.expression(&value.node.0));
                ExprKind::SizeOf(Sized::Value(Box::new(operand)), self.spelling(node.span))
            }
            Expression::AlignOf(_) | Expression::OffsetOf(_) => {
                ExprKind::Literal(self.spelling(node.span))
            }
            Expression::UnaryOperator(unary) => self.unary(&unary.node),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name.node);
                ExprKind::Cast(ty, Box::new(self.expression(&cast.node.expression)))
            }
            Expression::BinaryOperator(binary) => self.binary(&binary.node),
            Expression::Conditional(conditional) => {
                let condition = self.expression(&conditional.node.condition);
                let condition = self.truth(condition);
                let (then, otherwise) = self.lazily(|binder| {
                    (
                        binder.expression(&conditional.node.then_expression),
                        binder.expression(&conditional.node.else_expression),
                    )
                });
                ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Expression::Comma(parts) => self.comma(parts),
            Expression::CompoundLiteral(literal) => {
                let items = &literal.node.initializer_list;
                let mut ty = self.type_name(&literal.node.type_name.node);
                if !matches!(ty, Type::Struct { .. } | Type::Array { .. }) {
                    let items = items.iter().map(|i| self.item(i, None)).collect();
                    return self.unsupported("compound literal", span, items);
                }
                let list = self.arranged(items, Some(&ty), span);
                if let (Type::Array { extent, .. }, ExprKind::List(items)) = (&mut ty, &list.kind)
                    && extent.is_none()
                {
                    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
                    let kind = ExprKind::Integer(count, count.to_string());
                    *extent = Some(Box::new(Expr { kind, span }));
                }
                ExprKind::Cast(ty, Box::new(list))
            }
            Expression::GenericSelection(selection) => {
                let mut operands = vec![];
                for association in &selection.node.associations {
                    operands.push(match &association.node {
                        ast::GenericAssociation::Type(typed) => {
                            self.expression(&typed.node.expression)
                        }
                        ast::GenericAssociation::Default(value) => self.expression(value),
                    });
                }
                return self.unsupported("_Generic", span, operands);
            }
            Expression::VaArg(list) => {
                let operand = self.expression(&list.node.va_list);
                return self.unsupported("va_arg", span, vec![operand]);
            }
            Expression::Statement(statement) => return self.inner(statement),
        };
        Expr { kind, span }
    }

    fn name(&mut self, name: &str, offset: usize) -> ExprKind {
        if let Some(Binding::Constant(value)) = self.lookup(name) {
            let spelling = if *value < 0 {
                format!("({value})")
            } else {
                value.to_string()
            };
            return ExprKind::Integer(*value, spelling);
        }
        match self.variable(name, offset) {
            Some(id) => ExprKind::Name(id),
            None => ExprKind::Unknown(name.to_string()),
        }
    }

    fn constant(&self, constant: &Constant, span: lang_c::span::Span) -> ExprKind {
        // Its place has the parentheses around it, and the word in front of what `I` stands for.
        let spelling = self.spelling(span);
        let mut bare = spelling.trim_start_matches(['(', ' ']);
        while let Some(behind) = bare.strip_prefix("__extension__") {
            bare = behind.trim_start_matches(['(', ' ']);
        }
        let spelling = bare.trim_end_matches([')', ' ']).to_owned();
        match constant {
            Constant::Integer(integer) if !integer.suffix.imaginary => {
                let radix = match integer.base {
                    IntegerBase::Decimal => 10,
                    IntegerBase::Octal => 8,
                    IntegerBase::Hexadecimal => 16,
                    IntegerBase::Binary => 2,
                };
                let digits = if integer.number.is_empty() {
                    "0"
                } else {
                    &*integer.number
                };
                match i64::from_str_radix(digits, radix) {
                    Ok(value) => ExprKind::Integer(value, spelling),
                    Err(_) => ExprKind::Literal(spelling),
                }
            }
            Constant::Integer(_) => ExprKind::Unsupported("imaginary constant"),
            _ => ExprKind::Literal(spelling),
        }
    }

    fn call(&mut self, call: &ast::CallExpression, span: lang_c::span::Span) -> Expr {
        let mut arguments: Vec<Expr> = call.arguments.iter().map(|a| self.expression(a)).collect();
        let here = self.span(span);
        if let Expression::Identifier(name) = &call.callee.node {
            let name = &name.node.name;
            if !matches!(
                self.lookup(name),
                Some(Binding::Variable(_) | Binding::Header(..))
            ) {
                let known = self.promised(name, &arguments);
                let kind = known.unwrap_or_else(|| ExprKind::Call(name.clone(), arguments));
                return Expr { kind, span: here };
            }
        }
        arguments.insert(0, self.expression(&call.callee));
        self.unsupported("call through a pointer", here, arguments)
    }

    /// What calls are that say something of their first argument: it, as they give it back.
    fn promised(&mut self, name: &str, arguments: &[Expr]) -> Option<ExprKind> {
        let first = arguments.first()?;
        match name {
            "__builtin_expect" | "__builtin_expect_with_probability" => {
                let long = values::named(ScalarKind::I64);
                Some(ExprKind::Cast(long, Box::new(first.clone())))
            }
            "__builtin_assume_aligned" => Some(first.kind.clone()),
            _ => None,
        }
    }

    /// An expression of which only the truth is asked: that of an integer is the same in 64 bits.
    pub(super) fn truth(&mut self, expr: Expr) -> Expr {
        let ExprKind::Cast(Type::Scalar(scalar), inner) = &expr.kind else {
            return expr;
        };
        let integer = |kind: ScalarKind| !kind.is_float();
        let wide = matches!(scalar.kind, ScalarKind::I64 | ScalarKind::U64);
        let kind = self.ask(|unit| values::scalar_kind(unit, inner));
        match wide && kind.is_some_and(integer) {
            true => (**inner).clone(),
            false => expr,
        }
    }

    fn unary(&mut self, unary: &ast::UnaryOperatorExpression) -> ExprKind {
        if let Some((part, of)) = parts::part_of(unary, self.file.text) {
            return ExprKind::Call(part.to_owned(), vec![self.expression(of)]);
        }
        let operand = Box::new(self.expression(&unary.operand));
        let increment = |target, by, postfix| ExprKind::Increment {
            target,
            by,
            postfix,
        };
        if let Some(what) = self.part_taken(unary, &operand) {
            return what;
        }
        match unary.operator.node {
            UnaryOperator::PostIncrement => increment(operand, 1, true),
            UnaryOperator::PostDecrement => increment(operand, -1, true),
            UnaryOperator::PreIncrement => increment(operand, 1, false),
            UnaryOperator::PreDecrement => increment(operand, -1, false),
            UnaryOperator::Address => ExprKind::AddressOf(operand),
            UnaryOperator::Indirection => ExprKind::Dereference(operand),
            UnaryOperator::Plus => ExprKind::Unary(UnaryOp::Plus, operand),
            UnaryOperator::Minus => ExprKind::Unary(UnaryOp::Minus, operand),
            UnaryOperator::Complement => ExprKind::Unary(UnaryOp::Complement, operand),
            UnaryOperator::Negate => {
                let operand = self.truth(*operand);
                ExprKind::Unary(UnaryOp::Not, Box::new(operand))
            }
        }
    }

    fn binary(&mut self, binary: &ast::BinaryOperatorExpression) -> ExprKind {
        use BinaryOperator as B;
        let left = self.expression(&binary.lhs);
        let (left, right) = match binary.operator.node {
            B::LogicalAnd | B::LogicalOr => {
                let right = self.lazily(|binder| binder.expression(&binary.rhs));
                (self.truth(left), self.truth(right))
            }
            _ => (left, self.expression(&binary.rhs)),
        };
        let (left, right) = (Box::new(left), Box::new(right));
        let plain = |op| (false, op);
        let assign = |op| (true, op);
        let (assigns, op) = match binary.operator.node {
            B::Index => return ExprKind::Subscript(left, right),
            B::Assign => {
                let whole = self.part_assigned(None, &left, &right);
                return whole.unwrap_or(ExprKind::Assign(None, left, right));
            }
            B::Multiply => plain(BinaryOp::Mul),
            B::Divide => plain(BinaryOp::Div),
            B::Modulo => plain(BinaryOp::Rem),
            B::Plus => plain(BinaryOp::Add),
            B::Minus => plain(BinaryOp::Sub),
            B::ShiftLeft => plain(BinaryOp::ShiftLeft),
            B::ShiftRight => plain(BinaryOp::ShiftRight),
            B::Less => plain(BinaryOp::Less),
            B::Greater => plain(BinaryOp::Greater),
            B::LessOrEqual => plain(BinaryOp::LessEqual),
            B::GreaterOrEqual => plain(BinaryOp::GreaterEqual),
            B::Equals => plain(BinaryOp::Equal),
            B::NotEquals => plain(BinaryOp::NotEqual),
            B::BitwiseAnd => plain(BinaryOp::BitAnd),
            B::BitwiseXor => plain(BinaryOp::BitXor),
            B::BitwiseOr => plain(BinaryOp::BitOr),
            B::LogicalAnd => plain(BinaryOp::And),
            B::LogicalOr => plain(BinaryOp::Or),
            B::AssignMultiply => assign(BinaryOp::Mul),
            B::AssignDivide => assign(BinaryOp::Div),
            B::AssignModulo => assign(BinaryOp::Rem),
            B::AssignPlus => assign(BinaryOp::Add),
            B::AssignMinus => assign(BinaryOp::Sub),
            B::AssignShiftLeft => assign(BinaryOp::ShiftLeft),
            B::AssignShiftRight => assign(BinaryOp::ShiftRight),
            B::AssignBitwiseAnd => assign(BinaryOp::BitAnd),
            B::AssignBitwiseXor => assign(BinaryOp::BitXor),
            B::AssignBitwiseOr => assign(BinaryOp::BitOr),
        };
        if assigns {
            let whole = self.part_assigned(Some(op), &left, &right);
            whole.unwrap_or(ExprKind::Assign(Some(op), left, right))
        } else {
            ExprKind::Binary(op, left, right)
        }
    }

    /// An initialiser.
    pub fn initialiser(&mut self, node: &Node<Initializer>, ctype: Option<&Type>) -> Expr {
        match &node.node {
            Initializer::Expression(value) => self.expression(value),
            Initializer::List(items) => {
                let span = self.span(node.span);
                self.arranged(items, ctype, span)
            }
        }
    }

    /// A list of initial values, of which those with a designator (`.x =`, `[3] =`) are where they
    /// belong, and an empty list is where there is none.
    fn arranged(
        &mut self,
        items: &[Node<ast::InitializerListItem>],
        ctype: Option<&Type>,
        span: crate::source::Span,
    ) -> Expr {
        let empty = Expr {
            kind: ExprKind::List(Vec::new()),
            span,
        };
        let mut list: Vec<Expr> = Vec::new();
        let mut next = 0;
        for item in items {
            let place = match item.node.designation.as_slice() {
                [one] => self.place(&one.node, ctype),
                _ => None,
            };
            let plain = item.node.designation.is_empty();
            let at = place.unwrap_or(next);
            let own = match ctype {
                Some(Type::Struct { fields, .. }) => fields.get(at).map(|(_, field)| field),
                Some(Type::Array { element, .. }) => Some(&**element),
                _ => None,
            };
            let value = match plain || place.is_some() {
                true => self.initialiser(&item.node.initializer, own),
                false => self.item(item, None),
            };
            if list.len() <= at {
                list.resize(at + 1, empty.clone());
            }
            list[at] = value;
            next = at + 1;
        }
        Expr {
            kind: ExprKind::List(list),
            span,
        }
    }

    /// Where what has this designator belongs.
    fn place(&mut self, designator: &Designator, ctype: Option<&Type>) -> Option<usize> {
        const MOST: i64 = 4096;
        match (designator, ctype?) {
            (
                Designator::Member(name),
                Type::Struct {
                    fields,
                    is_union: false,
                    ..
                },
            ) => fields
                .iter()
                .position(|(field, _)| *field == name.node.name),
            (Designator::Index(index), Type::Array { .. }) => match self.expression(index).kind {
                ExprKind::Integer(at @ 0..MOST, _) => usize::try_from(at).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    fn item(&mut self, node: &Node<ast::InitializerListItem>, ctype: Option<&Type>) -> Expr {
        let value = self.initialiser(&node.node.initializer, ctype);
        if node.node.designation.is_empty() {
            return value;
        }
        let mut operands = vec![value];
        for designator in &node.node.designation {
            if let Designator::Index(index) = &designator.node {
                operands.push(self.expression(index));
            }
        }
        let span = self.span(node.span);
        self.unsupported("designated initialiser", span, operands)
    }
}

/// What leaves an expression for somewhere else.
fn jump(span: crate::source::Span) -> Expr {
    Expr {
        kind: ExprKind::Unsupported("jump"),
        span,
    }
}

/// All expressions that a statement holds, for a statement inside an expression.
pub(super) fn expressions_of(statement: Stmt, symbols: &[Symbol], into: &mut Vec<Expr>) {
    match statement.kind {
        StmtKind::Block(statements) => statements
            .into_iter()
            .for_each(|s| expressions_of(s, symbols, into)),
        StmtKind::Expression(e) => into.push(e),
        StmtKind::Return(value) => {
            into.extend(value);
            into.push(jump(statement.span));
        }
        StmtKind::Unsupported("goto" | "break" | "continue") => into.push(jump(statement.span)),
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            if let Some(init) = init {
                expressions_of(*init, symbols, into);
            }
            into.extend(condition);
            into.extend(step);
            expressions_of(*body, symbols, into);
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            into.push(condition);
            expressions_of(*then, symbols, into);
            if let Some(otherwise) = otherwise {
                expressions_of(*otherwise, symbols, into);
            }
        }
        StmtKind::While { condition, body } => {
            into.push(condition);
            expressions_of(*body, symbols, into);
        }
        StmtKind::Declaration(id) => into.extend(symbols[id].initialiser.clone()),
        StmtKind::Exit(_)
        | StmtKind::Original(_)
        | StmtKind::Empty
        | StmtKind::Pragma(_)
        | StmtKind::Unsupported(_) => {}
    }
}
