//! Literals, and initial values of objects that live as long as the program.

use crate::program::Known;
use crate::read::expressions::init::Part;
use crate::read::expressions::values::At;
use crate::read::{Reader, Res, Symbol};
use crate::types::{Kind, Len, Type};
use lang_c::ast::{BinaryOperator, Expression, Initializer, UnaryOperator};
use lang_c::span::Node;
use std::rc::Rc;

/// The bytes of an object, and pointers in them: offset, global, byte.
pub(crate) type Initial = (Vec<u8>, Vec<(u64, usize, u64)>);

/// The value of a character literal as it is written.
pub(crate) fn character(text: &str) -> Option<i64> {
    let start = text.find('\'')?;
    let inner = text.get(start + 1..text.len() - 1)?;
    if start > 0 {
        return None;
    }
    match unescape(inner)?[..] {
        [byte] => Some(i64::from(byte as i8)),
        _ => None,
    }
}

/// The bytes of a literal's text without its quotes.
pub(crate) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c != '\\' {
            bytes.extend(c.to_string().bytes());
            continue;
        }
        let escaped = characters.next()?;
        let byte = match escaped {
            'n' => b'\n',
            't' => b'\t',
            'r' => b'\r',
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'x' => {
                let mut value = 0u32;
                while let Some(digit) = characters.peek().and_then(|c| c.to_digit(16)) {
                    value = (value << 4) | digit;
                    characters.next();
                }
                value as u8
            }
            '0'..='7' => {
                let mut value = escaped.to_digit(8)?;
                for _ in 0..2 {
                    match characters.peek().and_then(|c| c.to_digit(8)) {
                        Some(digit) => value = value * 8 + digit,
                        None => break,
                    }
                    characters.next();
                }
                value as u8
            }
            '\'' | '"' | '\\' | '?' => escaped as u8,
            _ => return None,
        };
        bytes.push(byte);
    }
    Some(bytes)
}

/// A hexadecimal floating-point number, without its prefix or with it.
pub(crate) fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.trim_start_matches("0x").trim_start_matches("0X");
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent: i32 = exponent.parse().ok()?;
    let by = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    // In two steps, as the smallest numbers are far below one by any number that is none of these.
    let half = by / 2;
    Some(value * 2f64.powi(half) * 2f64.powi(by - half))
}

impl<'a> Reader<'a> {
    /// The bytes of an object with an initial value; completes its type.
    pub(crate) fn static_initial(
        &mut self,
        ty: &mut Type,
        initializer: &'a Initializer,
    ) -> Res<Initial> {
        let parts = self.parts(ty, initializer)?;
        let Some(size) = self.program.records.size(ty) else {
            return self.problem("a static object of unknown size");
        };
        if size > 1 << 26 {
            return self.problem("a static object of more than 64 MB");
        }
        let mut bytes = vec![0u8; size as usize];
        let mut pointers = Vec::new();
        for part in parts {
            match part {
                Part::Bytes(offset, text) => {
                    let end = offset as usize + text.len();
                    if let Some(place) = bytes.get_mut(offset as usize..end) {
                        place.copy_from_slice(&text);
                    }
                }
                Part::Value(offset, ty, e) => {
                    if let Type::Pointer(_) = ty {
                        match self.static_address(e)? {
                            Some((global, at)) => pointers.push((offset, global, at)),
                            None => continue,
                        }
                        continue;
                    }
                    let (ops, top, before) =
                        (self.program.ops.len(), self.fun.frame.top, self.folding);
                    self.folding = true;
                    let value = self.expr(e).and_then(|value| self.convert(value, &ty));
                    self.folding = before;
                    self.program.ops.truncate(ops);
                    self.program.source.lines.truncate(ops);
                    self.fun.frame.top = top;
                    let (value, kind) = (value?, ty.kind());
                    let (At::Const(bits), Some(kind)) = (value.at, kind) else {
                        return self.problem("an initial value that is no constant");
                    };
                    let (start, size) = (offset as usize, kind.size() as usize);
                    if let Some(place) = bytes.get_mut(start..start + size) {
                        place.copy_from_slice(&crate::wide::in_memory(kind, bits)[..size]);
                    }
                }
            }
        }
        Ok((bytes, pointers))
    }

    /// The global and byte that a constant address is of; `None` for the null pointer.
    fn static_address(&mut self, e: &'a Node<Expression>) -> Res<Option<(usize, u64)>> {
        match &e.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                Some(Symbol::Global(number)) => Ok(Some((*number, 0))),
                _ => self.problem("the address of what is no static object"),
            },
            Expression::StringLiteral(literal) => {
                self.note_kernels(literal);
                Ok(Some((self.string_global(&literal.node)?, 0)))
            }
            Expression::Cast(cast) => self.static_address(&cast.node.expression),
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Address =>
            {
                match &unary.node.operand.node {
                    Expression::Identifier(_) => self.static_address(&unary.node.operand),
                    Expression::BinaryOperator(binary)
                        if binary.node.operator.node == BinaryOperator::Index =>
                    {
                        let Some((global, _)) = self.static_address(&binary.node.lhs)? else {
                            return self.problem("the address of an element");
                        };
                        let index = self.constant_value(&binary.node.rhs)?;
                        let Type::Array(inner, _) = self.program.globals[global].ty.clone() else {
                            return self.problem("the address of an element");
                        };
                        let size = self.program.records.size(&inner).unwrap_or(1);
                        Ok(Some((global, size.wrapping_mul(index as u64))))
                    }
                    _ => self.problem("the address in an initial value"),
                }
            }
            _ => match self.constant_value(e)? {
                0 => Ok(None),
                _ => self.problem("a number as a static pointer"),
            },
        }
    }

    /// A string literal as an object.
    pub(crate) fn string_global(&mut self, literal: &'a [String]) -> Res<usize> {
        let bytes = self.string_bytes(literal)?;
        let len = bytes.len() as u64;
        let ty = Type::Array(Rc::new(Type::Scalar(Kind::I8)), Len::Fixed(len));
        let number = self.global("a string literal", ty, Known::Not)?;
        self.program.globals[number].bytes = bytes;
        Ok(number)
    }

    /// The bytes of a string literal, with the zero at its end.
    pub(crate) fn string_bytes(&mut self, literal: &[String]) -> Res<Vec<u8>> {
        let mut bytes = Vec::new();
        for piece in literal {
            let inner = piece.strip_prefix('"').and_then(|p| p.strip_suffix('"'));
            match inner.and_then(unescape) {
                Some(more) => bytes.extend(more),
                None => return self.problem("a string literal"),
            }
        }
        bytes.push(0);
        Ok(bytes)
    }
}
