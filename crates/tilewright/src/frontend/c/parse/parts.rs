//! GNU C's `__real__ z` and `__imag__ z`, which the parser does not know.
//!
//! They are operators with one operand, and so they become eight others without a blank between them: as
//! long as the words, so that no place moves, and such that no operator in front of them makes them
//! begin elsewhere. Where a program has the same in a row, it gets fewer of them that do the same. In our tree they are calls of functions of these names, which C
//! compilers read as the operators again; assignments to a part are assignments to the number, whose
//! other part stays as it is.

use super::attributes::closing;
use super::binder::Binder;
use crate::frontend::c::lower::calls::purity::{MAKES_COMPLEX, PARTS};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types as values;
use crate::frontend::c::syntax::{Expr, ExprKind};
use crate::scop::BinaryOp;
use lang_c::ast::{Expression, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::Node;

/// What stands for [`PARTS`].
const SIGNS: [&str; 2] = ["~~~!!!!!", "~~~!~!!!"];
/// The same in a program's own text: `~~x` is `x` where `x` is an `int`, which `!x` is, and `!!!x` is `!x`.
const PLAIN: [&str; 2] = ["~      !", "~  !~  !"];

/// The text with operators that the parser knows.
pub(super) fn with_signs(mut text: String) -> String {
    for (sign, plain) in SIGNS.iter().zip(PLAIN) {
        if text.contains(sign) {
            text = text.replace(sign, plain);
        }
    }
    if !PARTS.iter().any(|word| text.contains(word)) {
        return text;
    }
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = closing(bytes, at, quote),
            b if word(b) => {
                let begin = at;
                at += bytes[at..].iter().take_while(|b| word(**b)).count();
                if let Some(part) = PARTS.iter().position(|p| *p == &text[begin..at]) {
                    out.push_str(&text[copied..begin]);
                    out.push_str(SIGNS[part]);
                    copied = at;
                }
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// Which part of what, where the operators stand for one; `text` is the one with signs.
pub(super) fn part_of<'u>(
    unary: &'u UnaryOperatorExpression,
    text: &str,
) -> Option<(&'static str, &'u Node<Expression>)> {
    let begin = unary.operator.span.start;
    let behind = text.get(begin..)?;
    let signs = |wanted: &str| {
        let mut at = unary;
        let mut signs = wanted.chars();
        loop {
            let sign = match at.operator.node {
                UnaryOperator::Complement => '~',
                UnaryOperator::Negate => '!',
                _ => return None,
            };
            if signs.next()? != sign {
                return None;
            }
            if signs.as_str().is_empty() {
                return Some(&*at.operand);
            }
            match &at.operand.node {
                Expression::UnaryOperator(inner) => at = &inner.node,
                _ => return None,
            }
        }
    };
    let mut all = PARTS.into_iter().zip(SIGNS);
    all.find_map(|(word, wanted)| {
        let here = behind.starts_with(wanted);
        here.then(|| Some((word, signs(wanted)?)))?
    })
}

impl Binder<'_> {
    /// What takes or changes a part of a number in another way than by an assignment: nothing that is
    /// understood, but for what it mentions.
    pub fn part_taken(
        &mut self,
        unary: &UnaryOperatorExpression,
        operand: &Expr,
    ) -> Option<ExprKind> {
        use UnaryOperator as U;
        let whole = match &operand.kind {
            ExprKind::Call(part, of) if PARTS.contains(&part.as_str()) => of.first()?.clone(),
            _ => return None,
        };
        let what = match unary.operator.node {
            U::Address => "the address of a part of a complex number",
            U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement => {
                "`++` or `--` of a part of a complex number"
            }
            _ => return None,
        };
        let span = operand.span;
        let taken = Expr {
            kind: ExprKind::AddressOf(Box::new(whole)),
            span,
        };
        Some(self.unsupported(what, span, vec![taken]).kind)
    }

    /// `__real__ z = value`, with an operator or without, as an assignment to `z`, and the part behind
    /// it, which is its value; `None` for assignments to anything else.
    pub fn part_assigned(
        &mut self,
        op: Option<BinaryOp>,
        target: &Expr,
        value: &Expr,
    ) -> Option<ExprKind> {
        let ExprKind::Call(part, of) = &target.kind else {
            return None;
        };
        let (number, [place]) = (PARTS.iter().position(|word| word == part)?, &of[..]) else {
            return None;
        };
        let kind = self.ask(|unit| values::scalar_kind(unit, place));
        let Some(kind) = kind.filter(|kind| kind.is_complex() && !changes(place)) else {
            let what = "an assignment to a part of this";
            let operands = vec![place.clone(), value.clone()];
            return Some(self.unsupported(what, target.span, operands).kind);
        };
        let at = |kind| Expr {
            kind,
            span: target.span,
        };
        let value = match op {
            None => value.clone(),
            Some(op) => at(ExprKind::Binary(
                op,
                Box::new(target.clone()),
                Box::new(value.clone()),
            )),
        };
        let new = at(ExprKind::Cast(values::named(kind.part()), Box::new(value)));
        let other = at(ExprKind::Call(PARTS[1 - number].to_owned(), of.clone()));
        let parts = match number {
            0 => vec![new, other],
            _ => vec![other, new],
        };
        let whole = at(ExprKind::Call(MAKES_COMPLEX.to_owned(), parts));
        let all = ExprKind::Assign(None, Box::new(place.clone()), Box::new(whole));
        Some(ExprKind::Comma(vec![at(all), target.clone()]))
    }
}

/// An expression whose value nobody uses, without the part that is the value of an assignment to it.
pub(super) fn without_value(mut expr: Expr) -> Expr {
    if let ExprKind::Comma(parts) = &mut expr.kind {
        let part =
            |e: &Expr| matches!(&e.kind, ExprKind::Call(name, _) if PARTS.contains(&name.as_str()));
        if let [all, value] = &parts[..]
            && matches!(all.kind, ExprKind::Assign(..))
            && part(value)
        {
            return all.clone();
        }
        *parts = std::mem::take(parts)
            .into_iter()
            .map(without_value)
            .collect();
    }
    expr
}

/// Whether an expression may not stand twice.
fn changes(expr: &Expr) -> bool {
    let mut found = false;
    visit::walk(expr, &mut |e| {
        found |= matches!(
            e.kind,
            ExprKind::Assign(..) | ExprKind::Increment { .. } | ExprKind::Call(..)
        );
    });
    found
}

#[cfg(test)]
mod tests {
    use super::with_signs;

    /// Words become signs; what a program has in their place does the same, and is none.
    #[test]
    fn signs_are_those_of_words() {
        for (text, expected) in [
            ("a = __real__ z;", "a = ~~~!!!!! z;"),
            ("__imag__(z) = __real__z;", "~~~!~!!!(z) = __real__z;"),
            ("s = \"__real__\";", "s = \"__real__\";"),
            ("a = ~~~!!!!!b;", "a = ~      !b;"),
            ("a = ~~~~!~!!!b;", "a = ~~  !~  !b;"),
        ] {
            assert_eq!(with_signs(text.to_owned()), expected);
        }
    }
}
