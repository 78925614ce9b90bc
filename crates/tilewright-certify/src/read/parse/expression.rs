//! Expressions.

use super::{Known, Parser, Unknown, node};
use crate::read::expressions::parts;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, CastExpression, CompoundLiteral,
    ConditionalExpression, Constant, Expression, Float, FloatBase, FloatFormat, FloatSuffix,
    Integer, IntegerBase, IntegerSize, IntegerSuffix, MemberExpression, MemberOperator, SizeOfTy,
    SizeOfVal, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;

/// Operators with two operands: how close they bind, and what they are.
fn infix(mark: [u8; 3]) -> Option<(u8, BinaryOperator)> {
    use BinaryOperator as B;
    Some(match &mark {
        b"*\0\0" => (10, B::Multiply),
        b"/\0\0" => (10, B::Divide),
        b"%\0\0" => (10, B::Modulo),
        b"+\0\0" => (9, B::Plus),
        b"-\0\0" => (9, B::Minus),
        b"<<\0" => (8, B::ShiftLeft),
        b">>\0" => (8, B::ShiftRight),
        b"<\0\0" => (7, B::Less),
        b">\0\0" => (7, B::Greater),
        b"<=\0" => (7, B::LessOrEqual),
        b">=\0" => (7, B::GreaterOrEqual),
        b"==\0" => (6, B::Equals),
        b"!=\0" => (6, B::NotEquals),
        b"&\0\0" => (5, B::BitwiseAnd),
        b"^\0\0" => (4, B::BitwiseXor),
        b"|\0\0" => (3, B::BitwiseOr),
        b"&&\0" => (2, B::LogicalAnd),
        b"||\0" => (1, B::LogicalOr),
        _ => return None,
    })
}

fn assigned(mark: [u8; 3]) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    Some(match &mark {
        b"=\0\0" => B::Assign,
        b"*=\0" => B::AssignMultiply,
        b"/=\0" => B::AssignDivide,
        b"%=\0" => B::AssignModulo,
        b"+=\0" => B::AssignPlus,
        b"-=\0" => B::AssignMinus,
        b"<<=" => B::AssignShiftLeft,
        b">>=" => B::AssignShiftRight,
        b"&=\0" => B::AssignBitwiseAnd,
        b"^=\0" => B::AssignBitwiseXor,
        b"|=\0" => B::AssignBitwiseOr,
        _ => return None,
    })
}

fn prefix(mark: [u8; 3]) -> Option<UnaryOperator> {
    use UnaryOperator as U;
    Some(match &mark {
        b"++\0" => U::PreIncrement,
        b"--\0" => U::PreDecrement,
        b"&\0\0" => U::Address,
        b"*\0\0" => U::Indirection,
        b"+\0\0" => U::Plus,
        b"-\0\0" => U::Minus,
        b"~\0\0" => U::Complement,
        b"!\0\0" => U::Negate,
        _ => return None,
    })
}

fn two(operator: BinaryOperator, lhs: Node<Expression>, rhs: Node<Expression>) -> Node<Expression> {
    node(Expression::BinaryOperator(Box::new(node(
        BinaryOperatorExpression {
            operator: node(operator),
            lhs: Box::new(lhs),
            rhs: Box::new(rhs),
        },
    ))))
}

fn one(operator: UnaryOperator, operand: Node<Expression>) -> Node<Expression> {
    node(Expression::UnaryOperator(Box::new(node(
        UnaryOperatorExpression {
            operator: node(operator),
            operand: Box::new(operand),
        },
    ))))
}

/// What `!` is asked of.
fn negated(of: &Node<Expression>) -> Option<&Node<Expression>> {
    match &of.node {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Negate => {
            Some(&unary.node.operand)
        }
        _ => None,
    }
}

/// The operand of an operator.
fn within(of: Node<Expression>) -> Node<Expression> {
    match of.node {
        Expression::UnaryOperator(unary) => *unary.node.operand,
        _ => of,
    }
}

impl Parser<'_> {
    /// An expression, with commas.
    pub(super) fn expression(&mut self) -> Known<Node<Expression>> {
        let first = self.assignment()?;
        if !self.token().is(",") {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.take(",") {
            all.push(self.assignment()?);
        }
        Ok(node(Expression::Comma(Box::new(all))))
    }

    pub(super) fn assignment(&mut self) -> Known<Node<Expression>> {
        self.deeper()?;
        let left = self.conditional()?;
        let operator = self.token().mark().and_then(assigned);
        let whole = match operator {
            Some(operator) => {
                self.at += 1;
                let right = self.assignment()?;
                two(operator, left, right)
            }
            None => left,
        };
        self.depth -= 1;
        Ok(whole)
    }

    pub(super) fn conditional(&mut self) -> Known<Node<Expression>> {
        let condition = self.binary(1)?;
        if !self.take("?") {
            return Ok(condition);
        }
        self.deeper()?;
        let then = self.expression()?;
        self.expect(":")?;
        let other = self.conditional()?;
        self.depth -= 1;
        Ok(node(Expression::Conditional(Box::new(node(
            ConditionalExpression {
                condition: Box::new(condition),
                then_expression: Box::new(then),
                else_expression: Box::new(other),
            },
        )))))
    }

    /// Operators that bind at least as close as a level.
    fn binary(&mut self, level: u8) -> Known<Node<Expression>> {
        let mut left = self.cast()?;
        while let Some((close, operator)) = self.token().mark().and_then(infix) {
            if close < level {
                break;
            }
            self.at += 1;
            let right = self.binary(close + 1)?;
            left = two(operator, left, right);
        }
        Ok(left)
    }

    fn cast(&mut self) -> Known<Node<Expression>> {
        self.deeper()?;
        let done = self.prefixed();
        self.depth -= 1;
        done
    }

    fn prefixed(&mut self) -> Known<Node<Expression>> {
        if self.token().is("(") && self.begins_type(1) {
            self.at += 1;
            let type_name = self.type_name()?;
            self.expect(")")?;
            if self.token().is("{") {
                let initializer_list = self.initializer_list()?;
                let literal = CompoundLiteral {
                    type_name,
                    initializer_list,
                };
                let literal = Expression::CompoundLiteral(Box::new(node(literal)));
                return self.postfix(node(literal));
            }
            let expression = Box::new(self.cast()?);
            return Ok(node(Expression::Cast(Box::new(node(CastExpression {
                type_name,
                expression,
            })))));
        }
        if let Some(operator) = self.token().mark().and_then(prefix) {
            self.at += 1;
            let operand = self.cast()?;
            // Three of a text's own are one, so that they are no part of what stands for a word.
            return Ok(match (&operator, negated(&operand).and_then(negated)) {
                (UnaryOperator::Negate, Some(_)) => within(operand),
                _ => one(operator, operand),
            });
        }
        if self.take_word("__extension__") {
            return self.cast();
        }
        if let Some(signs) = parts::signs(self.word()) {
            self.at += 1;
            let operand = self.cast()?;
            return Ok(signs.rev().fold(operand, |inner, sign| one(sign, inner)));
        }
        if self.take_word("sizeof") {
            if self.token().is("(") && self.begins_type(1) {
                self.at += 1;
                let type_name = self.type_name()?;
                self.expect(")")?;
                // `sizeof (int){1}` is of the literal.
                if self.token().is("{") {
                    return Err(Unknown);
                }
                return Ok(node(Expression::SizeOfTy(Box::new(node(SizeOfTy(
                    type_name,
                ))))));
            }
            let operand = Box::new(self.cast()?);
            return Ok(node(Expression::SizeOfVal(Box::new(node(SizeOfVal(
                operand,
            ))))));
        }
        let primary = self.primary()?;
        self.postfix(primary)
    }

    fn postfix(&mut self, mut e: Node<Expression>) -> Known<Node<Expression>> {
        loop {
            if self.take("[") {
                let index = self.expression()?;
                self.expect("]")?;
                e = two(BinaryOperator::Index, e, index);
            } else if self.take("(") {
                let mut arguments = Vec::new();
                if !self.take(")") {
                    arguments.push(self.assignment()?);
                    while self.take(",") {
                        arguments.push(self.assignment()?);
                    }
                    self.expect(")")?;
                }
                e = node(Expression::Call(Box::new(node(CallExpression {
                    callee: Box::new(e),
                    arguments,
                }))));
            } else if self.token().is(".") || self.token().is("->") {
                let operator = if self.take(".") {
                    MemberOperator::Direct
                } else {
                    self.expect("->")?;
                    MemberOperator::Indirect
                };
                let identifier = self.name()?;
                e = node(Expression::Member(Box::new(node(MemberExpression {
                    operator: node(operator),
                    expression: Box::new(e),
                    identifier,
                }))));
            } else if self.take("++") {
                e = one(UnaryOperator::PostIncrement, e);
            } else if self.take("--") {
                e = one(UnaryOperator::PostDecrement, e);
            } else {
                return Ok(e);
            }
        }
    }

    fn primary(&mut self) -> Known<Node<Expression>> {
        let token = self.token();
        let words = self.words(token);
        if self.take("(") {
            if self.token().is("{") {
                let statement = self.statement()?;
                self.expect(")")?;
                return Ok(node(Expression::Statement(Box::new(statement))));
            }
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if token.is_number() {
            self.at += 1;
            let constant = number(words)?;
            return Ok(node(Expression::Constant(Box::new(node(constant)))));
        }
        if token.is_character() {
            self.at += 1;
            let constant = Constant::Character(words.to_owned());
            return Ok(node(Expression::Constant(Box::new(node(constant)))));
        }
        if token.is_text() {
            let mut pieces = Vec::new();
            while self.token().is_text() {
                pieces.push(self.words(self.token()).to_owned());
                self.at += 1;
            }
            return Ok(node(Expression::StringLiteral(Box::new(node(pieces)))));
        }
        if self.types.contains(words) {
            return Err(Unknown);
        }
        let name = self.name()?;
        // `L"..."`
        if self.token().is_text() || self.token().is_character() {
            return Err(Unknown);
        }
        Ok(node(Expression::Identifier(Box::new(name))))
    }
}

fn number(text: &str) -> Known<Constant> {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let is_float = if hexadecimal {
        lower.contains(['.', 'p'])
    } else {
        lower.contains(['.', 'e'])
    };
    if is_float {
        // Hexadecimal ones are rare.
        if hexadecimal {
            return Err(Unknown);
        }
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let format = match &lower[digits.len()..] {
            "" | "i" => FloatFormat::Double,
            "f" | "if" | "fi" => FloatFormat::Float,
            "l" | "il" | "li" => FloatFormat::LongDouble,
            _ => return Err(Unknown),
        };
        return Ok(Constant::Float(Float {
            base: FloatBase::Decimal,
            number: digits.into(),
            suffix: FloatSuffix {
                format,
                imaginary: lower[digits.len()..].contains('i'),
            },
        }));
    }
    let (base, rest) = match lower.as_bytes() {
        [b'0', b'x', ..] => (IntegerBase::Hexadecimal, &lower[2..]),
        [b'0', b'b', ..] => (IntegerBase::Binary, &lower[2..]),
        [b'0', _, ..] => (IntegerBase::Octal, &lower[1..]),
        _ => (IntegerBase::Decimal, &lower[..]),
    };
    let end = rest.find(['u', 'l', 'i', 'j']).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(end);
    let (size, unsigned) = match suffix {
        "" => (IntegerSize::Int, false),
        "u" => (IntegerSize::Int, true),
        "l" => (IntegerSize::Long, false),
        "ul" | "lu" => (IntegerSize::Long, true),
        "ll" => (IntegerSize::LongLong, false),
        "ull" | "llu" => (IntegerSize::LongLong, true),
        _ => return Err(Unknown),
    };
    Ok(Constant::Integer(Integer {
        base,
        number: digits.into(),
        suffix: IntegerSuffix {
            size,
            unsigned,
            imaginary: false,
        },
    }))
}
