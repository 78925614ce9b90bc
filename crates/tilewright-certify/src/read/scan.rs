//! What must be known of a function before it is compiled: whose address is taken, and what parallel
//! regions and `simd` loops assign to.

use crate::names::NameSet;
use crate::text::Pragma;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Expression, FunctionDefinition, Statement,
    UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Scan<'p> {
    pub addressed: NameSet<String>,
    pub shared: NameSet<String>,
    pragmas: Option<&'p HashMap<usize, Vec<Pragma>>>,
    parallel: usize,
}

pub(super) fn scan<'p>(
    function: &FunctionDefinition,
    pragmas: &'p HashMap<usize, Vec<Pragma>>,
) -> Scan<'p> {
    let mut scan = Scan {
        pragmas: Some(pragmas),
        ..Scan::default()
    };
    scan.visit_statement(&function.statement.node, &function.statement.span);
    scan
}

/// The name at the bottom of an lvalue.
fn base(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

fn assigns(operator: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        operator,
        B::Assign
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr
    )
}

impl<'a> Visit<'a> for Scan<'_> {
    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        let here = self.pragmas.and_then(|all| all.get(&span.start));
        let opens = |p: &Pragma| p.words.starts_with("parallel") || p.words.starts_with("simd");
        let opens = here.is_some_and(|list| list.iter().any(opens));
        self.parallel += usize::from(opens);
        visit::visit_statement(self, statement, span);
        self.parallel -= usize::from(opens);
    }

    fn visit_unary_operator_expression(
        &mut self,
        unary: &'a UnaryOperatorExpression,
        span: &'a Span,
    ) {
        if let Some(name) = base(&unary.operand.node) {
            match unary.operator.node {
                UnaryOperator::Address => {
                    self.addressed.insert(name.to_owned());
                }
                UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                    if self.parallel > 0 =>
                {
                    self.shared.insert(name.to_owned());
                }
                _ => {}
            }
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }

    fn visit_binary_operator_expression(
        &mut self,
        binary: &'a BinaryOperatorExpression,
        span: &'a Span,
    ) {
        if self.parallel > 0 && assigns(&binary.operator.node) {
            if let Some(name) = base(&binary.lhs.node) {
                self.shared.insert(name.to_owned());
            }
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }
}
