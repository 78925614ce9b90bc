//! `switch` whose cases end with `break`: a chain of `if`.
//!
//! A case that falls through to the next, a `break` in the middle of one, a value whose evaluation does
//! something, what is declared in one case and named in the next, and pragmas in it leave it as it is.

use super::super::syntax::{Expr, ExprKind, Stmt, StmtKind};
use super::binder::Binder;
use super::constant;
use super::statements::end;
use crate::scop::BinaryOp;
use lang_c::ast::{
    BlockItem, Declaration, DeclaratorKind, Expression, Label, Statement, SwitchStatement,
};
use lang_c::span::{Node, Span};

/// What stands between two labels, and the labels in front of it.
#[derive(Default)]
struct Case<'n> {
    labels: Vec<&'n Label>,
    items: Vec<Item<'n>>,
    /// Whether the items are those of braces.
    braces: bool,
}

/// An item of a block, or what stands behind a label.
#[derive(Clone, Copy)]
enum Item<'n> {
    Whole(&'n Node<BlockItem>),
    Labelled(&'n Node<Statement>),
}

impl<'n> Item<'n> {
    fn statement(self) -> Option<&'n Node<Statement>> {
        match self {
            Item::Whole(item) => match &item.node {
                BlockItem::Statement(statement) => Some(statement),
                _ => None,
            },
            Item::Labelled(statement) => Some(statement),
        }
    }
}

impl Binder<'_> {
    /// A `switch` as a chain of `if`; `None` where it has no such form.
    pub(super) fn switch(&mut self, node: &SwitchStatement, place: Span) -> Option<StmtKind> {
        let Statement::Compound(items) = &node.statement.node else {
            return None;
        };
        let within = node.statement.span.start..node.statement.span.end;
        let marked = self.file.marked.iter().any(|m| within.contains(&m.start))
            || self.file.pragmas.iter().any(|(at, ..)| within.contains(at));
        if marked {
            return None;
        }
        let text = &self.file.text[..node.statement.span.end];
        let cases = cases(items, text).filter(|_| is_pure(&node.expression.node))?;
        let value = self.expression(&node.expression);
        let conditions = cases.iter().map(|c| self.condition(&value, &c.labels));
        let conditions: Vec<Option<Expr>> = conditions.collect::<Option<_>>()?;
        let mut from = node.statement.span.start;
        let mut chain: Vec<(Option<Expr>, Stmt)> = Vec::new();
        for (case, condition) in cases.iter().zip(conditions) {
            let block = self.blocks;
            self.blocks += 1;
            let mut list = Vec::new();
            // Of a case in braces.
            self.enter();
            for item in &case.items {
                from = match item {
                    Item::Whole(item) => self.block_item(item, block, from, &mut list),
                    // No mark and no pragma stands in front of it.
                    Item::Labelled(statement) => {
                        list.extend(self.statement(statement));
                        end(self.file.text, statement.span)
                    }
                };
            }
            self.leave();
            let stmt = Stmt {
                kind: StmtKind::Block(list),
                span: self.span(place),
            };
            chain.push((condition, stmt));
        }
        // What has no case comes last, wherever it stands.
        chain.sort_by_key(|(condition, _)| condition.is_none());
        let span = self.span(place);
        let mut rest: Option<Stmt> = None;
        for (condition, then) in chain.into_iter().rev() {
            rest = Some(match condition {
                None => then,
                Some(condition) => Stmt {
                    kind: StmtKind::If {
                        condition,
                        then: Box::new(then),
                        otherwise: rest.map(Box::new),
                    },
                    span,
                },
            });
        }
        Some(rest.map_or(StmtKind::Empty, |stmt| stmt.kind))
    }

    /// Whether one of some labels is that of a value: `Some(None)` for `default`, which all are; `None`
    /// where a label is no constant.
    fn condition(&mut self, value: &Expr, labels: &[&Label]) -> Option<Option<Expr>> {
        let mut any: Option<Expr> = None;
        let binary = |op, a: &Expr, b: &Expr| Expr {
            kind: ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())),
            span: value.span,
        };
        let mut all = false;
        for label in labels {
            let one = match label {
                Label::Case(label) => {
                    let label = self.label(label)?;
                    binary(BinaryOp::Equal, value, &label)
                }
                Label::CaseRange(range) => {
                    let (low, high) = (&range.node.low, &range.node.high);
                    let (low, high) = (self.label(low)?, self.label(high)?);
                    let above = binary(BinaryOp::GreaterEqual, value, &low);
                    binary(
                        BinaryOp::And,
                        &above,
                        &binary(BinaryOp::LessEqual, value, &high),
                    )
                }
                Label::Default => {
                    all = true;
                    continue;
                }
                Label::Identifier(_) => return None,
            };
            any = Some(match any {
                Some(any) => binary(BinaryOp::Or, &any, &one),
                None => one,
            });
        }
        Some(any.filter(|_| !all))
    }

    /// A label that is an `int`, which comparing converts as `switch` does: to the type of the value.
    fn label(&mut self, label: &Node<Expression>) -> Option<Expr> {
        let label = self.expression(label);
        let number = constant::value(&label)?;
        (i32::try_from(number).is_ok() && is_int(&label)).then_some(label)
    }
}

/// The cases of a `switch`, without the `break` at their ends; `None` where one of them may go on in
/// the next, or something else leads in or out. `text` ends where the `switch` does.
fn cases<'n>(items: &'n [Node<BlockItem>], text: &str) -> Option<Vec<Case<'n>>> {
    let mut cases: Vec<Case> = Vec::new();
    for item in items {
        let (mut labels, mut behind) = (Vec::new(), None);
        if let BlockItem::Statement(statement) = &item.node {
            let mut statement = statement;
            while let Statement::Labeled(labelled) = &statement.node {
                labels.push(&labelled.node.label.node);
                statement = &labelled.node.statement;
                behind = Some(statement);
            }
        }
        if !labels.is_empty() {
            // Nothing may come from the case in front.
            if let Some(before) = cases.last_mut()
                && !ends(before)
            {
                return None;
            }
            cases.push(Case {
                labels,
                items: Vec::new(),
                braces: false,
            });
        }
        let last = cases.last_mut()?;
        last.items.push(match behind {
            Some(statement) => Item::Labelled(statement),
            None => Item::Whole(item),
        });
    }
    let mut all = cases.iter_mut();
    let last = all.next_back()?;
    // The last one need not end.
    ends(last);
    // What a case declares without braces is there in the next one, too.
    let shared = |case: &Case| {
        case.items.iter().any(|item| match item {
            Item::Whole(item) => match &item.node {
                BlockItem::Declaration(declaration) => {
                    is_shared(&declaration.node, case.items.last(), text)
                }
                _ => false,
            },
            Item::Labelled(_) => false,
        })
    };
    if cases.iter().any(|case| !case.braces && shared(case)) {
        return None;
    }
    let inside = |case: &Case| {
        let mut statements = case.items.iter().filter_map(|item| item.statement());
        statements.any(|statement| leaves(&statement.node, false))
    };
    (!cases.iter().any(inside)).then_some(cases)
}

/// Whether names of a declaration occur behind the last item of their case.
fn is_shared(declaration: &Declaration, last: Option<&Item>, text: &str) -> bool {
    let end = match last {
        Some(Item::Whole(item)) => item.span.end,
        Some(Item::Labelled(statement)) => statement.span.end,
        None => 0,
    };
    let behind = text.get(end..).unwrap_or(text);
    let words = || behind.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut names = declaration.declarators.iter().map(|declarator| {
        match &declarator.node.declarator.node.kind.node {
            DeclaratorKind::Identifier(name) => Some(name.node.name.as_str()),
            _ => None,
        }
    });
    // A type has none.
    declaration.declarators.is_empty()
        || names.any(|name| name.is_none_or(|name| words().any(|word| word == name)))
}

/// Whether a case ends with `break`, which is taken away, in a block of its own, too.
fn ends<'n>(case: &mut Case<'n>) -> bool {
    let last = case.items.last().and_then(|item| item.statement());
    match last.map(|statement| &statement.node) {
        Some(Statement::Break) => {
            case.items.pop();
            true
        }
        Some(Statement::Return(_) | Statement::Continue | Statement::Goto(_)) => true,
        Some(Statement::Compound(inner)) => {
            let is_break = |item: &Node<BlockItem>| matches!(&item.node, BlockItem::Statement(s) if s.node == Statement::Break);
            // `case 1: { …; break; }`
            if case.items.len() == 1 && inner.last().is_some_and(is_break) {
                case.items = inner[..inner.len() - 1].iter().map(Item::Whole).collect();
                case.braces = true;
                return true;
            }
            false
        }
        _ => false,
    }
}

/// Whether a `break` in a statement leads out of it, or a label of the `switch` around into it.
fn leaves(statement: &Statement, in_loop: bool) -> bool {
    match statement {
        Statement::Break => !in_loop,
        Statement::Labeled(_) => true,
        Statement::Compound(items) => items.iter().any(|item| match &item.node {
            BlockItem::Statement(statement) => leaves(&statement.node, in_loop),
            _ => false,
        }),
        Statement::If(of) => {
            let other = of.node.else_statement.as_ref();
            leaves(&of.node.then_statement.node, in_loop)
                || other.is_some_and(|other| leaves(&other.node, in_loop))
        }
        Statement::For(of) => leaves(&of.node.statement.node, true),
        Statement::While(of) => leaves(&of.node.statement.node, true),
        Statement::DoWhile(of) => leaves(&of.node.statement.node, true),
        // Its own labels and ends are its own.
        Statement::Switch(_) => false,
        _ => false,
    }
}

/// Whether a constant is an `int`, by how it is written.
fn is_int(label: &Expr) -> bool {
    match &label.kind {
        ExprKind::Integer(value, text) => {
            i32::try_from(*value).is_ok() && !text.ends_with(['u', 'U', 'l', 'L'])
        }
        ExprKind::Literal(_) => true,
        ExprKind::Unary(_, a) => is_int(a),
        ExprKind::Binary(_, a, b) => is_int(a) && is_int(b),
        _ => false,
    }
}

/// Whether an expression may be evaluated several times.
fn is_pure(expression: &Expression) -> bool {
    match expression {
        Expression::Identifier(_) | Expression::Constant(_) => true,
        Expression::Member(of) => is_pure(&of.node.expression.node),
        Expression::BinaryOperator(of) => {
            use lang_c::ast::BinaryOperator::*;
            let assigns = matches!(
                of.node.operator.node,
                Assign
                    | AssignMultiply
                    | AssignDivide
                    | AssignModulo
                    | AssignPlus
                    | AssignMinus
                    | AssignShiftLeft
                    | AssignShiftRight
                    | AssignBitwiseAnd
                    | AssignBitwiseXor
                    | AssignBitwiseOr
            );
            !assigns && is_pure(&of.node.lhs.node) && is_pure(&of.node.rhs.node)
        }
        Expression::UnaryOperator(of) => {
            use lang_c::ast::UnaryOperator::*;
            let steps = matches!(
                of.node.operator.node,
                PostIncrement | PostDecrement | PreIncrement | PreDecrement
            );
            !steps && is_pure(&of.node.operand.node)
        }
        Expression::Cast(of) => is_pure(&of.node.expression.node),
        _ => false,
    }
}
