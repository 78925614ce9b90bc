//! Bodies of statements: runs of simple statements of one block.
//!
//! Most runs are one assignment. A run of several comes from scalars that are declared in a block
//! and used in it without a loop in between: such a scalar lives in the body, and everything from
//! its declaration to its last use is one statement. Affine conditions inside a run split its
//! domain; conditions on data become [`Action::If`].

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use super::{Draft, Lowering, Node, RawAccess, Refusal, Result, Scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::syntax::{Expr as SyntaxExpr, ExprKind, Stmt, StmtKind, SymbolId, Type};
use crate::scop::{AccessKind, Action, BinaryOp, Expr, UnaryOp};
use crate::source::Span;

/// How often affine conditions may split one run; beyond it they are treated like data.
const MAX_SPLITS: usize = 4;

/// A body under construction.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Where; the domain shrinks by affine conditions.
    pub scope: Scope,
    /// Accesses so far.
    pub accesses: Vec<RawAccess>,
    /// Scalars that live in the body, and their names there.
    pub locals: HashMap<SymbolId, String>,
    /// Scalars that may live in the body.
    pub folded: Rc<HashSet<SymbolId>>,
    /// Whether what comes next depends on data.
    pub conditional: bool,
}

impl State {
    pub(super) fn new(scope: &Scope, folded: Rc<HashSet<SymbolId>>) -> State {
        State {
            scope: scope.clone(),
            accesses: Vec::new(),
            locals: HashMap::new(),
            folded,
            conditional: !scope.guards.is_empty(),
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
    pub(super) fn run_of(
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
                        let set = super::optional(self.condition(&variant.state.scope, condition))?;
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
            }
        }
        Ok(nodes)
    }

    /// Makes a statement of a body.
    pub(super) fn finish(
        &mut self,
        mut state: State,
        mut actions: Vec<Action>,
        span: Span,
    ) -> Result<Node> {
        let guards = state.scope.guards.clone();
        for (position, guard) in guards.iter().enumerate().rev() {
            let access = self.temporary_access(&mut state, guard, position == 0)?;
            let mut condition = Expr::Access(access);
            if guard.negated {
                condition = Expr::Unary(UnaryOp::Not, Box::new(condition));
            }
            actions = vec![Action::If {
                condition,
                then: actions,
                otherwise: Vec::new(),
            }];
        }
        self.drafts.push(Draft {
            loops: state.scope.loops.clone(),
            domain: state.scope.domain.clone(),
            body: actions,
            accesses: state.accesses,
            span,
        });
        Ok(Node::Leaf(self.drafts.len() - 1))
    }

    /// The actions of one statement without loops, conditions kept as conditions.
    fn nested(&mut self, state: &mut State, stmt: &'u Stmt) -> Result<Vec<Action>> {
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
            StmtKind::Declaration(symbol) => self.declaration(state, *symbol, stmt.span),
            StmtKind::Expression(expr) => self.effect(state, expr),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.conditional(state, condition, then, otherwise.as_deref()),
            _ => Err(self.refused_statement(stmt)),
        }
    }

    /// `if (condition) then else otherwise` inside a body.
    pub(super) fn conditional(
        &mut self,
        state: &mut State,
        condition: &'u SyntaxExpr,
        then: &'u Stmt,
        otherwise: Option<&'u Stmt>,
    ) -> Result<Vec<Action>> {
        let set = super::optional(self.condition(&state.scope, condition))?;
        let value = self.value(state, condition)?;
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
                let element = &self.arrays[state.accesses[*a].array].element;
                let side = |value: &Expr| match value {
                    Expr::Access(id)
                        if self.arrays[state.accesses[*id].array].element.kind == element.kind =>
                    {
                        Box::new(value.clone())
                    }
                    _ => Box::new(Expr::Cast(element.clone(), Box::new(value.clone()))),
                };
                let value = Expr::Conditional(Box::new(condition), side(x), side(y));
                let target = *a;
                if !state.conditional {
                    state.accesses[target].always = true;
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

    fn declaration(
        &mut self,
        state: &mut State,
        symbol: SymbolId,
        span: Span,
    ) -> Result<Vec<Action>> {
        let s = &self.unit.symbols[symbol];
        if self.facts.definition(self.unit, symbol).is_some() {
            return Ok(Vec::new());
        }
        if s.is_static {
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    format!("`{}` is static and declared inside the region", s.name),
                )
                .at(span, "keeps its value from one iteration to the next")
                .help("declare it before the region"),
            ));
        }
        match &s.ctype {
            Type::Scalar(ctype) if state.folded.contains(&symbol) => {
                let value = match &s.initialiser {
                    Some(value) => Some(self.value(state, value)?),
                    None => None,
                };
                let taken = |name: &String| {
                    self.names.is_visible(name)
                        || state.locals.values().any(|n| n == name)
                        || state.scope.loops.iter().any(|l| l.iterator.name == *name)
                        || self.arrays.iter().any(|a| a.name == *name)
                };
                let mut name = s.name.clone();
                let mut number = 2;
                while taken(&name) {
                    name = format!("{}_{number}", s.name);
                    number += 1;
                }
                // Arrays that are found later must not be hidden by it.
                self.names.reserve(&name);
                state.locals.insert(symbol, name.clone());
                Ok(vec![Action::Local {
                    name,
                    ctype: ctype.clone(),
                    value,
                }])
            }
            Type::Scalar(_) | Type::Array { .. } | Type::Struct { .. } => {
                let depth = state.scope.loops.len();
                self.declared.entry(symbol).or_insert(depth);
                let Some(value) = &s.initialiser else {
                    return Ok(Vec::new());
                };
                let place = SyntaxExpr {
                    kind: ExprKind::Name(symbol),
                    span,
                };
                self.initialise(state, place, &s.ctype, value)
            }
            Type::Pointer { .. } => Err(Refusal::from(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    format!("the pointer `{}` is declared inside the region", s.name),
                )
                .at(span, "")
                .help("declare pointers before the region, or subscript the array directly"),
            )),
            Type::Void | Type::Other(_) => Err(Refusal::from(
                Diagnostic::error(
                    Code::UnsupportedType,
                    format!("the type of `{}` is not supported", s.name),
                )
                .at(span, ""),
            )),
        }
    }

    /// `T a = value;` for what is stored in memory; lists element by element.
    fn initialise(
        &mut self,
        state: &mut State,
        place: SyntaxExpr,
        ctype: &Type,
        value: &SyntaxExpr,
    ) -> Result<Vec<Action>> {
        const MAX_ELEMENTS: i64 = 64;
        let span = place.span;
        let integer = |v: i64| SyntaxExpr {
            kind: ExprKind::Integer(v, v.to_string()),
            span,
        };
        let empty = SyntaxExpr {
            kind: ExprKind::List(Vec::new()),
            span: value.span,
        };
        match (ctype, &value.kind) {
            (
                Type::Array {
                    element, extent, ..
                },
                ExprKind::List(items),
            ) => {
                let extent = match extent.as_deref().map(|e| &e.kind) {
                    Some(ExprKind::Integer(n, _)) => *n,
                    None => i64::try_from(items.len()).unwrap_or(i64::MAX),
                    _ => i64::MAX,
                };
                if extent > MAX_ELEMENTS {
                    return Err(Refusal::from(
                        Diagnostic::error(
                            Code::UnsupportedExpression,
                            "a long list of initial values inside a region",
                        )
                        .at(value.span, "")
                        .help("initialise the array before the region"),
                    ));
                }
                let mut actions = Vec::new();
                for k in 0..extent {
                    let kind = ExprKind::Subscript(Box::new(place.clone()), Box::new(integer(k)));
                    let item = usize::try_from(k)
                        .ok()
                        .and_then(|k| items.get(k))
                        .unwrap_or(&empty);
                    actions.extend(self.initialise(
                        state,
                        SyntaxExpr { kind, span },
                        element,
                        item,
                    )?);
                }
                Ok(actions)
            }
            (Type::Struct { fields, .. }, ExprKind::List(items)) => {
                let mut actions = Vec::new();
                for (k, (name, field)) in fields.iter().enumerate() {
                    let kind = ExprKind::Field(Box::new(place.clone()), name.clone());
                    let item = items.get(k).unwrap_or(&empty);
                    actions.extend(self.initialise(
                        state,
                        SyntaxExpr { kind, span },
                        field,
                        item,
                    )?);
                }
                Ok(actions)
            }
            (Type::Scalar(_), ExprKind::List(items)) => match items.as_slice() {
                [] => self.assign(state, None, &place, &integer(0)),
                [one] => self.assign(state, None, &place, one),
                _ => Err(self.unsupported(value, "a list as the value of a scalar", "")),
            },
            (Type::Scalar(_), _) => self.assign(state, None, &place, value),
            _ => Err(self.unsupported(
                value,
                "arrays and structures cannot be assigned as a whole",
                "assign their elements one by one",
            )),
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
            ExprKind::Call(name, _) => Err(self.unknown_call(expr, name)),
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
    fn assign(
        &mut self,
        state: &mut State,
        op: Option<BinaryOp>,
        target: &SyntaxExpr,
        value: &SyntaxExpr,
    ) -> Result<Vec<Action>> {
        let mut actions = Vec::new();
        let value = match &value.kind {
            ExprKind::Assign(inner_op, inner, inner_value) => {
                actions.extend(self.assign(state, *inner_op, inner, inner_value)?);
                &**inner
            }
            _ => value,
        };
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
                let mut result = self.value(state, value)?;
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
            ) {
                return Err(self.pointer_changed(symbol, target.span));
            }
        }
        let result = match op {
            None => self.value(state, value)?,
            Some(op) => {
                let old = Expr::Access(self.access(state, target, AccessKind::Read)?);
                let new = self.value(state, value)?;
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

    pub(super) fn pointer_changed(&self, symbol: SymbolId, span: Span) -> Refusal {
        let name = &self.unit.symbols[symbol].name;
        Refusal::from(
            Diagnostic::error(
                Code::ParameterWritten,
                format!("the pointer `{name}` changes inside the region"),
            )
            .at(span, "changed here")
            .also(self.unit.symbols[symbol].span, "declared here")
            .help("leave the pointer alone and subscript it with loop variables"),
        )
    }

    /// Statements that no region can hold.
    pub(super) fn refused_statement(&self, stmt: &Stmt) -> Refusal {
        let control = |word: &str, help: &str| {
            Diagnostic::error(Code::ControlFlow, format!("`{word}` inside the region"))
                .at(stmt.span, "leaves the counted loops")
                .help(help)
        };
        Refusal::from(match &stmt.kind {
            StmtKind::While { condition, .. } => {
                Diagnostic::error(Code::LoopForm, "a `while` loop inside the region")
                    .at(
                        Span::new(stmt.span.start, stmt.span.start + "while".len()),
                        format!("how often it runs depends on {}", self.quoted(condition)),
                    )
                    .help("write it as a counted loop, `for (int i = 0; i < n; i++)`")
            }
            StmtKind::Return(_) => control("return", "end the region before it"),
            StmtKind::Unsupported("break" | "continue") => {
                let StmtKind::Unsupported(word) = stmt.kind else {
                    return Refusal::from(control("break", ""));
                };
                control(word, "put what it skips under an `if` instead")
            }
            StmtKind::Unsupported("do") => {
                Diagnostic::error(Code::LoopForm, "a `do` loop inside the region")
                    .at(stmt.span, "")
                    .help("write it as a counted loop, `for (int i = 0; i < n; i++)`")
            }
            StmtKind::Unsupported(word @ ("goto" | "switch" | "label" | "case" | "default")) => {
                control(word, "use `if` and `for` only")
            }
            StmtKind::Unsupported(word) => Diagnostic::error(
                Code::UnsupportedStatement,
                format!("`{word}` inside the region"),
            )
            .at(stmt.span, "")
            .help("move it out of the region"),
            _ => Diagnostic::error(
                Code::UnsupportedStatement,
                "a statement of an unsupported kind",
            )
            .at(stmt.span, ""),
        })
    }

    pub(super) fn unsupported(&self, expr: &SyntaxExpr, what: &str, help: &str) -> Refusal {
        let d = Diagnostic::error(Code::UnsupportedExpression, what).at(expr.span, "");
        Refusal::from(if help.is_empty() { d } else { d.help(help) })
    }

    pub(super) fn unknown_call(&self, expr: &SyntaxExpr, name: &str) -> Refusal {
        let d = Diagnostic::error(Code::UnknownCall, format!("`{name}` may have side effects"))
            .at(expr.span, "called here");
        let d = match super::purity::definition(self.unit, name) {
            Some((_, function)) => d
                .also(Span::new(function.span.start, function.span.start), "defined here")
                .note("a function counts as pure when it returns a value computed from its own scalar parameters and variables only"),
            None => d,
        };
        Refusal::from(d.help(
            "define it in this file as a `static inline` function of its scalar arguments, or move the call out of the region",
        ))
    }
}

/// Whether something is stored.
fn stores(actions: &[Action]) -> bool {
    actions.iter().any(|action| match action {
        Action::Assign { .. } => true,
        Action::If {
            then, otherwise, ..
        } => stores(then) || stores(otherwise),
        Action::Local { .. } | Action::SetLocal { .. } => false,
    })
}
