//! Complex numbers: functions of them, and GNU C's `__real__ z` and `__imag__ z`, which the parser does
//! not know. They are operators with one operand, and become eight others in a row, three `!` among them, as
//! a text's own are read as one: as long as the words, and such that none in front makes them begin
//! elsewhere.

use crate::arith::Arith;
use crate::program::Op;
use crate::read::expressions::calls::Arguments;
use crate::read::expressions::values::Val;
use crate::read::{Reader, Res};
use crate::types::{Kind, Type};
use crate::wide::Complex;
use lang_c::ast::{BinaryOperatorExpression, Expression, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::Node;

/// The words, and what stands for them.
pub(crate) const WORDS: [(&str, &str); 2] = [("__real__", "~~~!!!!!"), ("__imag__", "~~~!~!!!")];

/// A text with signs in place of the words. In strings they are replaced, too, which nobody computes
/// with.
pub(crate) fn with_signs(text: &str) -> String {
    let in_a_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    // Three of a text's own are one.
    let mut text = text.replace("!!!", "!  ");
    for (word, signs) in WORDS {
        let found: Vec<usize> = text.match_indices(word).map(|(at, _)| at).collect();
        for at in found {
            let end = at + word.len();
            if !text[..at].ends_with(in_a_word) && !text[end..].starts_with(in_a_word) {
                text.replace_range(at..end, signs);
            }
        }
    }
    text
}

/// The operators that stand for a word.
pub(crate) fn signs(word: &str) -> Option<impl DoubleEndedIterator<Item = UnaryOperator>> {
    let (_, signs) = WORDS.iter().find(|(known, _)| *known == word)?;
    Some(signs.chars().map(|sign| match sign {
        '~' => UnaryOperator::Complement,
        _ => UnaryOperator::Negate,
    }))
}

/// Which part of what, where operators stand for one.
pub(crate) fn part_of(unary: &UnaryOperatorExpression) -> Option<(Complex, &Node<Expression>)> {
    let inside = |word: &str| {
        let mut at = unary;
        let mut wanted = signs(word)?.peekable();
        loop {
            if wanted.next()? != at.operator.node {
                return None;
            }
            if wanted.peek().is_none() {
                return Some(&*at.operand);
            }
            match &at.operand.node {
                Expression::UnaryOperator(inner) => at = &inner.node,
                _ => return None,
            }
        }
    };
    let real = inside(WORDS[0].0).map(|of| (Complex::Real, of));
    real.or_else(|| Some((Complex::Imaginary, inside(WORDS[1].0)?)))
}

impl<'a> Reader<'a> {
    /// A part of a number.
    pub(super) fn part_of_number(&mut self, part: Complex, of: &'a Node<Expression>) -> Res<Val> {
        let value = self.expr(of)?;
        self.part_of_value(part, value)
    }

    fn part_of_value(&mut self, part: Complex, value: Val) -> Res<Val> {
        let kind = self.kind_of(&value)?;
        match (kind.is_complex(), part) {
            (true, _) => self.complex(part, kind, &[value]),
            (false, Complex::Real) => Ok(value),
            (false, _) => Ok(Val::constant(0, Type::Scalar(kind))),
        }
    }

    /// What is computed of complex numbers of a kind, or of parts of one.
    fn complex(&mut self, f: Complex, kind: Kind, values: &[Val]) -> Res<Val> {
        let ty = match f {
            Complex::Make => kind.part(),
            _ => kind,
        };
        let mut registers = Vec::new();
        for value in values {
            let value = self.convert(value.clone(), &Type::Scalar(ty))?;
            registers.push(self.reg(&value)?);
        }
        let (Some(&a), Some(&b)) = (registers.first(), registers.last()) else {
            return self.problem("a call with too few arguments");
        };
        let d = self.temp()?;
        self.emit(Op::Complex { f, kind, d, a, b });
        let result = match f.is_real() {
            true => kind.part(),
            false => kind,
        };
        Ok(Val::reg(d, Type::Scalar(result)))
    }

    /// A call of a function of complex numbers; `None` for others.
    pub(super) fn complex_call(
        &mut self,
        name: &str,
        arguments: Arguments<'a>,
    ) -> Res<Option<Val>> {
        let (f, kind) = match (Complex::named(name), name) {
            (Some((f, kind)), _) => (f, Some(kind)),
            (None, "__builtin_complex") => (Complex::Make, None),
            _ => return Ok(None),
        };
        if arguments.len() != f.arguments() {
            return self.problem(format!(
                "a call of `{name}` with another number of arguments"
            ));
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.expr(argument)?);
        }
        let kind = match kind {
            Some(kind) => kind,
            None => self.kind_of(&values[0])?.complex(),
        };
        self.complex(f, kind, &values).map(Some)
    }

    /// `__real__ z = value`, with an operator or without: the other part stays.
    pub(super) fn part_assigned(
        &mut self,
        binary: &'a BinaryOperatorExpression,
        op: Option<Arith>,
    ) -> Res<Option<Val>> {
        let Expression::UnaryOperator(unary) = &binary.lhs.node else {
            return Ok(None);
        };
        let Some((part, of)) = part_of(&unary.node) else {
            return Ok(None);
        };
        let locals = self.fun.frame.top;
        let mut value = self.expr(&binary.rhs)?;
        let place = self.place(of, false)?;
        let top = self.fun.frame.top;
        let old = self.value_of(&place, top)?;
        let kind = self.kind_of(&old)?;
        if !kind.is_complex() {
            return self.problem("an assignment to a part of a real number");
        }
        if let Some(op) = op {
            let before = self.part_of_value(part, old.clone())?;
            value = self.arith(op, before, value)?;
        }
        let whole = match part {
            Complex::Real => {
                let other = self.part_of_value(Complex::Imaginary, old)?;
                self.complex(Complex::Make, kind, &[value, other])?
            }
            _ => {
                let other = self.part_of_value(Complex::Real, old)?;
                self.complex(Complex::Make, kind, &[other, value])?
            }
        };
        let done = self.assign(&place, whole, locals.max(top))?;
        self.part_of_value(part, done).map(Some)
    }
}
