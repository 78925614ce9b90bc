//! Bodies of statements: runs of simple statements of one block.
//!
//! Most runs are one assignment. A run of several comes from scalars that are declared in a block
//! and used in it without a loop in between: such a scalar lives in the body, and everything from
//! its declaration to its last use is one statement. Affine conditions inside a run split its
//! domain; conditions on data become [`Action::If`].

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::{hidden, summary};
use crate::frontend::c::lower::claims::pencil;
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::optional;
use crate::frontend::c::lower::surroundings::changes;
use crate::frontend::c::lower::{Draft, Lowering, Node, RawAccess, Refusal, Result, Scope, Test};
use crate::frontend::c::syntax::{Expr as SyntaxExpr, ExprKind, Stmt, StmtKind, SymbolId, Type};
use crate::scop::{AccessKind, Action, BinaryOp, Expr, UnaryOp};
use crate::source::Span;

/// How often affine conditions may split one run; beyond it they are treated like data.
const MAX_SPLITS: usize = 4;

/// A body under construction.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Where; the domain shrinks by affine conditions.
    pub scope: Scope,
    /// Accesses so far.
    pub accesses: Vec<RawAccess>,
    /// Scalars that live in the body, and their names there.
    pub locals: HashMap<SymbolId, String>,
    /// Scalars that may live in the body.
    pub folded: Rc<HashSet<SymbolId>>,
    /// Whether what comes next depends on data, under the scope's guards.
    pub conditional: bool,
    /// Whether what comes next may be repeated: `break` ends that.
    pub repeated: bool,
    /// Whether what comes next is evaluated once, whenever the statement comes to it: it may call
    /// functions with hidden state.
    pub once: bool,
}

impl State {
    pub(crate) fn new(scope: &Scope, folded: Rc<HashSet<SymbolId>>) -> State {
        State {
            scope: scope.clone(),
            accesses: Vec::new(),
            locals: HashMap::new(),
            folded,
            conditional: false,
            repeated: false,
            once: false,
        }
    }
}

/// One way through a run.
struct Variant<'u> {
    state: State,
    actions: Vec<Action>,
    rest: VecDeque<&'u Stmt>,
    splits: usize,
}

impl<'u> Lowering<'u> {
    /// Lowers a run of statements without loops into one statement per combination of its affine
    /// conditions.
    pub(crate) fn run_of(
        &mut self,
        stmts: &[&'u Stmt],
        scope: &Scope,
        folded: HashSet<SymbolId>,
    ) -> Result<Vec<Node>> {
        let span = match (stmts.first(), stmts.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => return Ok(Vec::new()),
        };
        let mut nodes = Vec::new();
        let mut work = vec![Variant {
            state: State::new(scope, Rc::new(folded)),
            actions: Vec::new(),
            rest: stmts.iter().copied().collect(),
            splits: 0,
        }];
        'variants: while let Some(mut variant) = work.pop() {
            while let Some(stmt) = variant.rest.pop_front() {
                match &stmt.kind {
                    StmtKind::Block(list) => {
                        list.iter().rev().for_each(|s| variant.rest.push_front(s));
                    }
                    StmtKind::If {
                        condition,
                        then,
                        otherwise,
                    } => {
                        let set = optional(self.condition(&variant.state.scope, condition))?;
                        let Some(set) = set else {
                            let actions = self.nested(&mut variant.state, stmt)?;
                            variant.actions.extend(actions);
                            continue;
                        };
                        let holds = variant.state.scope.within(&set)?;
                        let fails = variant.state.scope.without(&set)?;
                        if self.assumed(&fails.domain)?.is_empty()? {
                            variant.rest.push_front(then);
                        } else if self.assumed(&holds.domain)?.is_empty()? {
                            otherwise.iter().for_each(|s| variant.rest.push_front(s));
                        } else if variant.splits < MAX_SPLITS {
                            let mut other = Variant {
                                state: State {
                                    scope: fails,
                                    ..variant.state.clone()
                                },
                                actions: variant.actions.clone(),
                                rest: variant.rest.clone(),
                                splits: variant.splits + 1,
                            };
                            otherwise.iter().for_each(|s| other.rest.push_front(s));
                            variant.state.scope = holds;
                            variant.rest.push_front(then);
                            variant.splits += 1;
                            // The first alternative comes first.
                            work.push(other);
                            work.push(variant);
                            continue 'variants;
                        } else {
                            let actions = self.nested(&mut variant.state, stmt)?;
                            variant.actions.extend(actions);
                        }
                        continue;
                    }
                    _ => {
                        let actions = self.nested(&mut variant.state, stmt)?;
                        variant.actions.extend(actions);
                        continue;
                    }
                }
            }
            // A variant without a store computes nothing.
            if stores(&variant.actions) {
                nodes.push(self.finish(variant.state, variant.actions, span)?);
            } else if let Some(stmt) = turns::waits(stmts) {
                return Err(self.refused_statement(stmt));
            }
        }
        Ok(nodes)
    }

    /// Makes a statement of a body.
    pub(crate) fn finish(
        &mut self,
        mut state: State,
        mut actions: Vec<Action>,
        span: Span,
    ) -> Result<Node> {
        let guards = state.scope.guards.clone();
        for guard in guards.iter().rev() {
            let value = Box::new(Expr::Access(self.temporary_access(&mut state, guard)?));
            let condition = match guard.test {
                Test::Holds => *value,
                Test::Fails => Expr::Unary(UnaryOp::Not, value),
                Test::Compares(position, op) => {
                    Expr::Binary(op, Box::new(self.compared(&state, position)), value)
                }
            };
            actions = vec![Action::If {
                condition,
                then: actions,
                otherwise: Vec::new(),
            }];
        }
        self.model.statements.push(Draft {
            loops: state.scope.loops.clone(),
            domain: state.scope.domain.clone(),
            body: actions,
            accesses: state.accesses,
            guards,
            counted: Vec::new(),
            span,
        });
        Ok(Node::Leaf(self.model.statements.len() - 1))
    }

    /// The actions of one statement without loops, conditions kept as conditions.
    pub(crate) fn nested(&mut self, state: &mut State, stmt: &'u Stmt) -> Result<Vec<Action>> {
        match &stmt.kind {
            StmtKind::Block(list) => {
                let mut actions = Vec::new();
                for stmt in list {
                    actions.extend(self.nested(state, stmt)?);
                }
                Ok(actions)
            }
            StmtKind::Empty | StmtKind::Pragma(_) => Ok(Vec::new()),
            StmtKind::Unsupported("label") if !self.facts.jumps => Ok(Vec::new()),
            StmtKind::Exit(_) | StmtKind::Original(_) => {
                self.never(stmt, &state.scope).map(|()| Vec::new())
            }
            StmtKind::Declaration(symbol) => self.declaration(state, *symbol, stmt.span),
            StmtKind::Expression(expr) => self.effect(state, expr),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.conditional(state, condition, then, otherwise.as_deref()),
            // All that is in a step is part of it, also what would count elsewhere.
            StmtKind::While { condition, body }
                if state.repeated || !turns::has_counted(stmt, true) =>
            {
                self.repeated(state, stmt, condition, body)
            }
            StmtKind::Unsupported("break") if state.repeated => Ok(vec![Action::Leave]),
            _ => Err(self.refused_statement(stmt)),
        }
    }

    /// `if (condition) then else otherwise` inside a body.
    pub(crate) fn conditional(
        &mut self,
        state: &mut State,
        condition: &'u SyntaxExpr,
        then: &'u Stmt,
        otherwise: Option<&'u Stmt>,
    ) -> Result<Vec<Action>> {
        let set = optional(self.condition_as_it_is(&state.scope, condition))?;
        let value = self.value_once(state, condition)?;
        let outer = state.conditional;
        let scope = state.scope.clone();
        state.conditional = true;
        if let Some(set) = &set {
            state.scope = scope.within(set)?;
        }
        let then = self.nested(state, then)?;
        if let Some(set) = &set {
            state.scope = scope.without(set)?;
        }
        let otherwise = match otherwise {
            Some(otherwise) => self.nested(state, otherwise)?,
            None => Vec::new(),
        };
        state.scope = scope;
        state.conditional = outer;
        // What is called is called, also where nothing comes of it.
        if then.is_empty() && otherwise.is_empty() && hidden::is_in(self.unit, condition) {
            return Ok(vec![Action::If {
                condition: value,
                then,
                otherwise,
            }]);
        }
        Ok(self.merge(state, value, then, otherwise))
    }

    /// `if (c) a = x; else a = y;` is `a = c ? x : y;`, which always writes.
    fn merge(
        &self,
        state: &mut State,
        condition: Expr,
        then: Vec<Action>,
        otherwise: Vec<Action>,
    ) -> Vec<Action> {
        match (then.as_slice(), otherwise.as_slice()) {
            ([], []) => Vec::new(),
            (
                [
                    Action::Assign {
                        target: a,
                        value: x,
                    },
                ],
                [
                    Action::Assign {
                        target: b,
                        value: y,
                    },
                ],
            ) if a == b => {
                let element = &self.model.arrays[state.accesses[*a].array].element;
                let side = |value: &Expr| match value {
                    Expr::Access(id)
                        if self.model.arrays[state.accesses[*id].array].element.kind
                            == element.kind =>
                    {
                        Box::new(value.clone())
                    }
                    _ => Box::new(Expr::Cast(element.clone(), Box::new(value.clone()))),
                };
                let value = Expr::Conditional(Box::new(condition), side(x), side(y));
                let target = *a;
                if self.always(state, state.accesses[target].array) {
                    state.accesses[target].always = true;
                    state.accesses[target].certain = true;
                    state.accesses[target].domain = state.scope.domain.clone();
                }
                vec![Action::Assign { target, value }]
            }
            _ => vec![Action::If {
                condition,
                then,
                otherwise,
            }],
        }
    }

    /// An expression statement.
    fn effect(&mut self, state: &mut State, expr: &'u SyntaxExpr) -> Result<Vec<Action>> {
        match &expr.kind {
            ExprKind::Assign(op, target, value) => self.assign(state, *op, target, value),
            ExprKind::Increment { target, by, .. } => {
                let one = SyntaxExpr {
                    kind: ExprKind::Integer(1, "1".to_owned()),
                    span: expr.span,
                };
                let op = if *by < 0 {
                    BinaryOp::Sub
                } else {
                    BinaryOp::Add
                };
                self.assign(state, Some(op), target, &one)
            }
            ExprKind::Comma(items) => {
                let mut actions = Vec::new();
                for item in items {
                    actions.extend(self.effect(state, item)?);
                }
                Ok(actions)
            }
            ExprKind::Cast(Type::Void, inner) => match &inner.kind {
                ExprKind::Call(..) => self.effect(state, inner),
                _ => Ok(Vec::new()),
            },
            ExprKind::Call(name, arguments) if pencil::is_builtin(name) => {
                self.said(state, name, arguments)?;
                Ok(Vec::new())
            }
            ExprKind::Call(name, arguments) if summary::has_summary(self.unit, name) => {
                match self.summarised(state, expr, name, arguments)? {
                    (call, true) => Ok(vec![Action::Call(call)]),
                    (_, false) => Err(self.idle_call(expr, name)),
                }
            }
            ExprKind::Call(name, arguments) => match hidden::called(self.unit, name) {
                Some(function) => {
                    let call = self.effect_call(state, expr, &function, arguments)?;
                    Ok(vec![Action::Call(call)])
                }
                None => Err(self.unknown_call(expr, name)),
            },
            ExprKind::Unsupported(what) => {
                Err(self.unsupported(expr, &format!("{what} in a region"), ""))
            }
            // A value that nobody uses: nothing happens, but it must be well formed.
            _ => {
                let mut scratch = state.clone();
                self.value(&mut scratch, expr)?;
                Ok(Vec::new())
            }
        }
    }

    /// `target = value`, `target op= value`; `a = b = c` is two of them.
    pub(crate) fn assign(
        &mut self,
        state: &mut State,
        op: Option<BinaryOp>,
        target: &SyntaxExpr,
        value: &SyntaxExpr,
    ) -> Result<Vec<Action>> {
        let mut actions = Vec::new();
        let value = match &value.kind {
            ExprKind::Assign(inner_op, inner, inner_value) => {
                // The value is read where it was stored: with subscripts that this does not change.
                if changes::may_move(inner) {
                    let what = "the value of an assignment that may change where it goes";
                    let help = "assign the value to a variable, and that to both places";
                    return Err(self.unsupported(inner, what, help));
                }
                actions.extend(self.assign(state, *inner_op, inner, inner_value)?);
                &**inner
            }
            _ => value,
        };
        if let Some(op) = op {
            self.wants_integers(op, &[target, value])?;
        }
        if let ExprKind::Name(symbol) = target.kind {
            let name = &self.unit.symbols[symbol].name;
            if state.scope.position(symbol).is_some() || self.facts.iterators.contains_key(&symbol)
            {
                return Err(Refusal::from(
                    Diagnostic::error(
                        Code::LoopForm,
                        format!("the loop variable `{name}` is assigned in the region"),
                    )
                    .at(target.span, "assigned here")
                    .help("let only the loop's head change it"),
                ));
            }
            if let Some(local) = state.locals.get(&symbol).cloned() {
                let mut result = self.value_once(state, value)?;
                if let Some(op) = op {
                    result =
                        Expr::Binary(op, Box::new(Expr::Local(local.clone())), Box::new(result));
                }
                actions.push(Action::SetLocal {
                    name: local,
                    value: result,
                });
                return Ok(actions);
            }
            if matches!(
                self.unit.symbols[symbol].ctype,
                Type::Pointer { .. } | Type::Array { .. }
            ) && !(op.is_none() && self.is_datum(symbol))
            {
                return Err(self.pointer_changed(symbol, target.span));
            }
        }
        if op.is_none()
            && let Some(copy) = self.pointer_set(state, target, value)?
        {
            actions.push(copy);
            return Ok(actions);
        }
        let result = match op {
            None => self.value_once(state, value)?,
            Some(op) => {
                let old = Expr::Access(self.access(state, target, AccessKind::Read)?);
                let new = self.value_once(state, value)?;
                Expr::Binary(op, Box::new(old), Box::new(new))
            }
        };
        let target = self.access(state, target, AccessKind::Write)?;
        actions.push(Action::Assign {
            target,
            value: result,
        });
        Ok(actions)
    }
}

/// Whether something is stored, or a function changes its state.
fn stores(actions: &[Action]) -> bool {
    let mut effects = false;
    Action::expressions(actions, &mut |top| {
        top.walk(&mut |e| effects |= matches!(e, Expr::Effect { .. }));
    });
    effects
        || actions.iter().any(|action| match action {
            Action::Assign { .. } | Action::Call(_) => true,
            Action::If {
                then, otherwise, ..
            } => stores(then) || stores(otherwise),
            Action::Repeat { body, .. } => stores(body),
            Action::Local { .. } | Action::SetLocal { .. } | Action::Leave => false,
        })
}
