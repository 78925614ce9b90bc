//! Functions as statements and a result.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::super::build;
use super::super::loops::{
    jumps::{Jump, Put, Without},
    repeats,
};
use super::super::tree;
use super::super::values::{literals, steps, tables};
use super::effects::{self, Writes};
use super::pointers::{self, As};
use super::substitute::{self, Map};
use super::{Inliner, exchange, is_candidate, moving};
use crate::frontend::c::lower::calls::{hidden, purity, summary};
use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Function, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};

/// `return`, which leaves loops, too.
pub(super) const RETURN: Jump<'static> = Jump {
    is: &|stmt| matches!(stmt.kind, StmtKind::Return(_)),
    leaves_loops: true,
};

/// How deep calls are followed.
const MAX_DEPTH: usize = 8;

/// How many expressions a body may have.
const MAX_BODY: usize = 600;

/// A function whose body can stand in place of its calls.
#[derive(Debug)]
pub(super) struct Template {
    /// Its parameters.
    pub parameters: Vec<SymbolId>,
    /// What it does first.
    pub body: Vec<Stmt>,
    /// What it gives back then, of the function's type.
    pub result: Option<Expr>,
    /// What the body writes; parameters and its own variables are its own.
    pub writes: Writes,
    /// How often each parameter is named.
    pub uses: HashMap<SymbolId, usize>,
    /// How many expressions it has.
    pub size: usize,
    /// Whether it does nothing but copy pointers.
    pub exchanges: bool,
}

impl Template {
    /// Whether nothing changes but by what is computed last, if anything: all arguments may be
    /// computed where they are used.
    pub fn is_one_step(&self) -> bool {
        match self.body.as_slice() {
            [] => true,
            [only] => {
                let alone = match &only.kind {
                    StmtKind::Expression(e) => match &e.kind {
                        ExprKind::Assign(_, target, value) => {
                            effects::is_free(target) && effects::is_free(value)
                        }
                        ExprKind::Increment { target, .. } => effects::is_free(target),
                        _ => false,
                    },
                    _ => false,
                };
                alone && self.result.is_none()
            }
            _ => false,
        }
    }
}

impl Inliner<'_> {
    /// The function's template; `None` for one that has to be called.
    pub(super) fn template(&mut self, name: &str) -> Option<Rc<Template>> {
        let (index, _) = purity::definition(self.unit, name)?;
        if let Some(known) = self.templates.get(&index) {
            return known.clone();
        }
        if self.open.contains(&index) || self.open.len() >= MAX_DEPTH {
            return None;
        }
        self.open.push(index);
        let template = self.prepare(index).map(Rc::new);
        self.open.pop();
        // Where one of them has to be called, the region is refused: nobody asks again.
        self.templates.insert(index, template.clone());
        template
    }

    fn prepare(&mut self, index: usize) -> Option<Template> {
        let function = self.unit.functions.get(index)?.clone();
        let span = function.span;
        let StmtKind::Block(list) = &function.body.kind else {
            return None;
        };
        let mut list = list.clone();
        repeats::unfold(self.unit, self.number, &mut list);
        let mut map = Map::new();
        for &parameter in &function.parameters {
            let kind = ExprKind::Name(parameter);
            map.insert(parameter, Expr { kind, span });
        }
        let mut front = self.moved_parameters(&function, &mut map);
        front.extend(self.copies(&list, &mut map, span)?);
        let mut list = front;
        // Where tables were declared.
        list.retain(|stmt| stmt.kind != StmtKind::Empty);
        let mut list = self.named(list);
        steps::apart(self.unit, self.number, &mut list);
        let list = self.list(list);
        let (body, result) = self.without_returns(&function, list)?;
        let (body, result) = self.without_pointers(&function, body, result)?;
        // A pointer without casts that change nothing.
        let plain = |value: Expr| match function.result {
            Type::Other(_) => pointers::canonical(self.unit, &value).unwrap_or(value),
            _ => value,
        };
        let result = result.map(plain);
        self.checked(&function, body, result)
    }

    /// Statements of which the compound literals have names.
    fn named(&mut self, mut list: Vec<Stmt>) -> Vec<Stmt> {
        let scope = Scope::Region(self.number);
        tree::spread(&mut list, &mut |stmt| {
            literals::named(self.unit, stmt, &mut |unit, ctype, list| {
                unit.symbols.push(Symbol {
                    name: "literal".to_owned(),
                    ctype,
                    scope,
                    is_static: false,
                    is_const: false,
                    span: list.span,
                    initialiser: Some(list),
                });
                unit.symbols.len() - 1
            })
        });
        list
    }

    /// A body without `return`, and what it gives back at its end.
    fn without_returns(
        &mut self,
        function: &Function,
        mut list: Vec<Stmt>,
    ) -> Option<(Vec<Stmt>, Option<Expr>)> {
        let convert = |unit: &Unit, value: Expr| converted(unit, value, &function.result);
        match (list.iter().any(|s| RETURN.is_in(s)), list.pop()) {
            (_, None) => return Some((list, None)),
            (false, Some(last)) => {
                list.push(last);
                return Some((list, None));
            }
            (true, Some(last)) => match last.kind {
                StmtKind::Return(value) if !list.iter().any(|s| RETURN.is_in(s)) => {
                    let value = value.map(|value| convert(self.unit, value));
                    return Some((list, value));
                }
                _ => list.push(last),
            },
        }
        if function.result == Type::Void {
            while let Some(other) = self.left_by_break(&list, None) {
                list = other;
            }
            return Some((self.without_return(list, &mut |_| Some(Vec::new()))?, None));
        }
        match &function.result {
            Type::Scalar(_) => {
                if let Some(value) = self.choice(&list, &function.result) {
                    return Some((Vec::new(), Some(value)));
                }
            }
            Type::Struct { .. } => {}
            _ => return None,
        }
        if !list.iter().any(|s| RETURN.ends(s)) {
            return None;
        }
        let span = function.span;
        let wish = format!("{}_result", function.name);
        let symbol = self.declare(&wish, function.result.clone(), None, span);
        let name = Expr {
            kind: ExprKind::Name(symbol),
            span,
        };
        let declaration = Stmt {
            kind: StmtKind::Declaration(symbol),
            span,
        };
        let mut values: Vec<Stmt> = list;
        for stmt in &mut values {
            tree::statements_mut(stmt, &mut |stmt| {
                if let StmtKind::Return(Some(value)) = &mut stmt.kind {
                    *value = convert(self.unit, value.clone());
                }
            });
        }
        while let Some(other) = self.left_by_break(&values, Some(symbol)) {
            values = other;
        }
        let mut body = vec![declaration];
        let mut set = |stmt: Stmt| {
            let StmtKind::Return(value) = stmt.kind else {
                return None;
            };
            Some(vec![Stmt {
                kind: StmtKind::Expression(build::assign(name.clone(), value?)),
                span: stmt.span,
            }])
        };
        body.extend(self.without_return(values, &mut set)?);
        Some((body, Some(name)))
    }

    /// A list of statements that no `return` ends.
    pub(super) fn without_return(&mut self, list: Vec<Stmt>, put: Put<'_>) -> Option<Vec<Stmt>> {
        let mut how = Without {
            put,
            flag: &mut |span| {
                let int = Type::Scalar(build::int());
                self.declare("skips", int, Some(build::integer(0, span)), span)
            },
        };
        RETURN.without(list, &mut how)
    }

    /// `if (c) return a; return b;` as `c ? a : b`.
    fn choice(&self, list: &[Stmt], result: &Type) -> Option<Expr> {
        let (first, rest) = list.split_first()?;
        match &first.kind {
            StmtKind::Return(Some(value)) => Some(converted(self.unit, value.clone(), result)),
            StmtKind::Empty => self.choice(rest, result),
            StmtKind::Block(inner) if RETURN.ends(first) => self.choice(inner, result),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } if RETURN.ends(then) && effects::is_free(condition) => {
                let value = self.choice(std::slice::from_ref(then), result)?;
                let other = match otherwise {
                    Some(stmt) if RETURN.ends(stmt) => {
                        self.choice(std::slice::from_ref(stmt), result)?
                    }
                    Some(_) => return None,
                    None => self.choice(rest, result)?,
                };
                Some(Expr {
                    kind: ExprKind::Conditional(
                        Box::new(condition.clone()),
                        Box::new(value),
                        Box::new(other),
                    ),
                    span: first.span,
                })
            }
            _ => None,
        }
    }

    /// A body in which pointers that are set once, where they are declared, are what they are set to.
    fn without_pointers(
        &mut self,
        function: &Function,
        body: Vec<Stmt>,
        result: Option<Expr>,
    ) -> Option<(Vec<Stmt>, Option<Expr>)> {
        let own = declared(function, &body);
        let mut map: Map = own
            .iter()
            .map(|&symbol| {
                let kind = ExprKind::Name(symbol);
                let span = function.span;
                (symbol, Expr { kind, span })
            })
            .collect();
        // In the order of the text, so that those in others' values are known.
        let mut order: Vec<SymbolId> = own.iter().copied().collect();
        order.sort_unstable();
        let mut found = false;
        let held = exchange::held(self.unit, &body, &own);
        let moved = moving::moved(self.unit, &body);
        for symbol in order {
            if held.contains(&symbol) || moved.contains(&symbol) {
                continue;
            }
            let s = &self.unit.symbols[symbol];
            let (Type::Pointer { target, .. }, Some(value)) = (&s.ctype, &s.initialiser) else {
                continue;
            };
            let value = substitute::expression(self.unit, value, &map, s.span)?;
            let Some(value) = pointers::canonical(self.unit, &value) else {
                continue;
            };
            let to = pointers::target(self.unit, &value)?;
            let rest = behind(&body, symbol)?;
            let named = |stmt: &Stmt| visit::stmt_mentions(self.unit, stmt, symbol);
            let end = rest.iter().rposition(named).map_or(0, |last| last + 1);
            let writes = Writes::of(self.unit, &rest[..end], &own);
            if !pointers::agree(target, &to) {
                return None;
            }
            if !self.lasting(&value, &writes) {
                continue;
            }
            map.insert(symbol, value);
            found = true;
        }
        if !found {
            return Some((body, result));
        }
        let named =
            |symbol: SymbolId| map.get(&symbol).map(|e| &e.kind) == Some(&ExprKind::Name(symbol));
        let kept: Vec<SymbolId> = own.iter().copied().filter(|&s| named(s)).collect();
        let body = replaced(self.unit, body, &map)?;
        for symbol in kept {
            if let Some(value) = self.unit.symbols[symbol].initialiser.take() {
                let value = substitute::expression(self.unit, &value, &map, value.span)?;
                self.unit.symbols[symbol].initialiser = Some(value);
            }
        }
        let result = match result {
            Some(value) => Some(substitute::expression(self.unit, &value, &map, value.span)?),
            None => None,
        };
        Some((body, result))
    }

    /// Whether a pointer is the same all through some writes, those of variables of the body's own
    /// included.
    fn lasting(&self, value: &Expr, writes: &Writes) -> bool {
        let mut same = self.stable(value, writes);
        visit::walk(value, &mut |e| {
            same &= !matches!(e.kind, ExprKind::Name(symbol) if writes.own.contains(&symbol));
        });
        same
    }

    /// The template, where everything in it has a meaning in another function.
    fn checked(
        &mut self,
        function: &Function,
        body: Vec<Stmt>,
        result: Option<Expr>,
    ) -> Option<Template> {
        let unit = &*self.unit;
        let own = declared(function, &body);
        let held = exchange::held(unit, &body, &own);
        let mut sound = true;
        let mut uses: HashMap<SymbolId, usize> = HashMap::new();
        let mut size = 0;
        let mut look = |expr: &Expr| {
            visit::walk(expr, &mut |e| {
                size += 1;
                match &e.kind {
                    ExprKind::Name(symbol) => {
                        *uses.entry(*symbol).or_default() += 1;
                        let s = &unit.symbols[*symbol];
                        let table = tables::is_of_a_body(unit, *symbol);
                        sound &= own.contains(symbol) || table || s.scope == Scope::File;
                        sound &= !s.is_static || table || s.scope == Scope::File;
                    }
                    ExprKind::Call(name, _) => {
                        let pure = !is_candidate(unit, name) && purity::is_pure(unit, name);
                        sound &= !summary::has_summary(unit, name)
                            && (pure || hidden::called(unit, name).is_some());
                    }
                    _ => {}
                }
            });
        };
        for stmt in &body {
            visit::expressions(unit, stmt, &mut |e| {
                look(e);
            });
        }
        result.iter().for_each(&mut look);
        for stmt in &body {
            visit::statements(stmt, &mut |s| match &s.kind {
                _ if exchange::is_copy(unit, s, &held) => {}
                _ => {
                    for e in visit::own_expressions(unit, s) {
                        sound &= moving::is_ordered(unit, e, &own);
                    }
                }
            });
            visit::statements(stmt, &mut |s| match &s.kind {
                StmtKind::Return(_) => sound = false,
                StmtKind::Declaration(symbol) if held.contains(symbol) => {}
                StmtKind::Declaration(symbol) => {
                    let s = &unit.symbols[*symbol];
                    let null = s.initialiser.as_ref().is_some_and(is_null);
                    let pointer = matches!(s.ctype, Type::Pointer { .. });
                    sound &= !(s.is_static || pointer && null);
                    sound &= !matches!(s.ctype, Type::Void | Type::Other(_));
                }
                _ => {}
            });
        }
        if let Some(value) = &result {
            sound &= effects::is_free(value);
            let here = match &function.result {
                // A pointer: the parser says no more.
                Type::Other(_) => {
                    sound &= body.is_empty() && pointers::target(unit, value).is_some();
                    As::Pointer
                }
                Type::Scalar(_) => As::Value,
                // A variable of the body's own, which is copied.
                Type::Struct { .. } => {
                    sound &= matches!(value.kind, ExprKind::Name(symbol) if own.contains(&symbol));
                    As::Whole
                }
                _ => return None,
            };
            sound &= pointers::followed(unit, value, here);
        } else {
            sound &= function.result == Type::Void || !matches!(function.result, Type::Other(_));
        }
        let mut writes = Writes::of(unit, &body, &own);
        writes.state |= result.iter().any(|value| hidden::is_in(unit, value));
        let exchanges = result.is_none() && exchange::only(unit, &body, &held);
        (sound && size <= MAX_BODY).then_some(Template {
            parameters: function.parameters.clone(),
            body,
            result,
            writes,
            uses,
            size,
            exchanges,
        })
    }
}

/// Parameters of a function, and what statements declare.
fn declared(function: &Function, body: &[Stmt]) -> HashSet<SymbolId> {
    let mut own: HashSet<SymbolId> = function.parameters.iter().copied().collect();
    for stmt in body {
        visit::statements(stmt, &mut |s| {
            if let StmtKind::Declaration(symbol) = s.kind {
                own.insert(symbol);
            }
        });
    }
    own
}

/// The statements in which what a block declares can be named.
fn behind(list: &[Stmt], symbol: SymbolId) -> Option<&[Stmt]> {
    for (at, stmt) in list.iter().enumerate() {
        let one = std::slice::from_ref;
        let found = match &stmt.kind {
            StmtKind::Declaration(own) if *own == symbol => list.get(at + 1..),
            StmtKind::Block(list) => behind(list, symbol),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => behind(one(body), symbol),
            StmtKind::If {
                then, otherwise, ..
            } => behind(one(then), symbol).or_else(|| behind(one(otherwise.as_deref()?), symbol)),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Statements without the declarations of pointers for which something stands.
fn replaced(unit: &Unit, list: Vec<Stmt>, map: &Map) -> Option<Vec<Stmt>> {
    let mut failed = false;
    let mut list = list;
    for stmt in &mut list {
        tree::statements_mut(stmt, &mut |stmt| {
            let mut put = |e: &mut Expr| match substitute::expression(unit, e, map, e.span) {
                Some(new) => *e = new,
                None => failed = true,
            };
            match &mut stmt.kind {
                StmtKind::Declaration(symbol)
                    if matches!(unit.symbols[*symbol].ctype, Type::Pointer { .. })
                        && map.get(symbol).map(|e| &e.kind) != Some(&ExprKind::Name(*symbol)) =>
                {
                    stmt.kind = StmtKind::Empty;
                }
                StmtKind::Expression(e) => put(e),
                StmtKind::For {
                    condition, step, ..
                } => condition.iter_mut().chain(step).for_each(put),
                StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
                    put(condition);
                }
                _ => {}
            }
        });
    }
    (!failed).then_some(list)
}

/// A value as an object of a type holds it.
pub(super) fn converted(unit: &Unit, value: Expr, ctype: &Type) -> Expr {
    match ctype {
        Type::Scalar(scalar) if !types::is_held_as(unit, &value, scalar.kind) => Expr {
            span: value.span,
            kind: ExprKind::Cast(substitute::spelled(ctype.clone()), Box::new(value)),
        },
        _ => value,
    }
}
