//! The file's own functions that a region calls, as C that stands on its own: typedefs followed,
//! no storage class. Device code takes them along.

use crate::frontend::c::lower::calls::purity::definition;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{Expr, ExprKind, Function, Stmt, StmtKind, Type, Unit};
use crate::frontend::c::types;
use crate::scop::{self, Action, Callee, Formula, Statement};
use std::fmt::Write;

/// What statements call, each function behind those that it calls itself.
pub(crate) fn callees(unit: &Unit, statements: &[Statement]) -> Vec<Callee> {
    let mut names: Vec<String> = Vec::new();
    let mut called = |expr: &scop::Expr| {
        if let scop::Expr::Call(name, _) = expr {
            names.push(name.clone());
        }
    };
    for statement in statements {
        for access in &statement.accesses {
            access.subscripts.iter().for_each(|e| e.walk(&mut called));
        }
        Action::expressions(&statement.body, &mut |e| e.walk(&mut called));
    }
    let mut all = Vec::new();
    for name in names {
        add(unit, &name, &mut Vec::new(), &mut all);
    }
    all
}

/// Adds a function and what it calls. Functions that call themselves are not pure, and not here.
fn add(unit: &Unit, name: &str, above: &mut Vec<String>, all: &mut Vec<Callee>) {
    let known = all.iter().any(|callee| callee.name == name);
    let Some((_, function)) = definition(unit, name).filter(|_| !known) else {
        return;
    };
    if above.iter().any(|other| other == name) {
        return;
    }
    let mut calls: Vec<String> = Vec::new();
    visit::expressions(unit, &function.body, &mut |top| {
        visit::walk(top, &mut |expr| {
            if let ExprKind::Call(name, _) = &expr.kind {
                if !calls.contains(name) {
                    calls.push(name.clone());
                }
            }
        });
    });
    above.push(name.to_owned());
    for call in &calls {
        add(unit, call, above, all);
    }
    above.pop();
    all.push(Callee {
        name: name.to_owned(),
        definition: text(unit, function),
        calls,
        formula: formula(unit, function),
    });
}

/// What a function of declarations and one result computes.
fn formula(unit: &Unit, function: &Function) -> Option<Formula> {
    let StmtKind::Block(steps) = &function.body.kind else {
        return None;
    };
    let (last, before) = steps.split_last()?;
    let StmtKind::Return(Some(result)) = &last.kind else {
        return None;
    };
    let name = |&symbol: &usize| unit.symbols[symbol].name.clone();
    let mut variables = Vec::new();
    for step in before {
        let StmtKind::Declaration(symbol) = &step.kind else {
            return None;
        };
        let value = unit.symbols[*symbol].initialiser.as_ref()?;
        variables.push((name(symbol), plain(unit, value)?));
    }
    Some(Formula {
        parameters: function.parameters.iter().map(name).collect(),
        variables,
        result: plain(unit, result)?,
    })
}

/// An expression of a function's own variables.
fn plain(unit: &Unit, expr: &Expr) -> Option<scop::Expr> {
    let one = |e: &Expr| plain(unit, e).map(Box::new);
    Some(match &expr.kind {
        ExprKind::Integer(_, text) | ExprKind::Literal(text) => scop::Expr::Literal(text.clone()),
        ExprKind::Name(symbol) => scop::Expr::Local(unit.symbols[*symbol].name.clone()),
        ExprKind::Unary(operator, a) => scop::Expr::Unary(*operator, one(a)?),
        ExprKind::Binary(operator, a, b) => scop::Expr::Binary(*operator, one(a)?, one(b)?),
        ExprKind::Conditional(a, b, c) => scop::Expr::Conditional(one(a)?, one(b)?, one(c)?),
        ExprKind::Cast(Type::Scalar(scalar), a) => scop::Expr::Cast(scalar.clone(), one(a)?),
        ExprKind::Call(name, arguments) => {
            let all = arguments.iter().map(|e| plain(unit, e));
            scop::Expr::Call(name.clone(), all.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn text(unit: &Unit, function: &Function) -> String {
    let variable = |&symbol: &usize| {
        let symbol = &unit.symbols[symbol];
        format!("{} {}", type_name(&symbol.ctype), symbol.name)
    };
    let parameters: Vec<String> = function.parameters.iter().map(variable).collect();
    let parameters = match parameters.is_empty() {
        true => "void".to_owned(),
        false => parameters.join(", "),
    };
    let mut out = format!(
        "{} {}({parameters})\n",
        type_name(&function.result),
        function.name
    );
    Body {
        unit,
        out: &mut out,
    }
    .block(&function.body, 0);
    out
}

/// Of a pure function's result or variable, which are scalars.
fn type_name(ctype: &Type) -> &'static str {
    match ctype {
        Type::Scalar(scalar) => scalar.kind.c_name(),
        _ => "void",
    }
}

/// Columns per level.
const INDENT: usize = 4;

struct Body<'a> {
    unit: &'a Unit,
    out: &'a mut String,
}

impl Body<'_> {
    fn line(&mut self, level: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", level * INDENT);
    }

    fn expression(&self, expr: &Expr) -> String {
        types::expression(&canonical(expr), &self.unit.symbols)
    }

    /// A statement in braces.
    fn block(&mut self, body: &Stmt, level: usize) {
        self.line(level, "{");
        match &body.kind {
            StmtKind::Block(list) => list.iter().for_each(|s| self.statement(s, level + 1)),
            _ => self.statement(body, level + 1),
        }
        self.line(level, "}");
    }

    fn statement(&mut self, stmt: &Stmt, level: usize) {
        match &stmt.kind {
            StmtKind::Block(_) => self.block(stmt, level),
            StmtKind::Declaration(symbol) => {
                let text = self.declaration(*symbol);
                self.line(level, &format!("{text};"));
            }
            StmtKind::Expression(expr) => {
                let text = self.expression(expr);
                self.line(level, &format!("{text};"));
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                let init = match init.as_deref().map(|init| &init.kind) {
                    Some(StmtKind::Declaration(symbol)) => self.declaration(*symbol),
                    Some(StmtKind::Expression(expr)) => self.expression(expr),
                    _ => String::new(),
                };
                let part =
                    |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| self.expression(e));
                let head = format!("for ({init}; {}; {})", part(condition), part(step));
                self.line(level, &head);
                self.block(body, level);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let head = format!("if ({})", self.expression(condition));
                self.line(level, &head);
                self.block(then, level);
                if let Some(otherwise) = otherwise {
                    self.line(level, "else");
                    self.block(otherwise, level);
                }
            }
            StmtKind::Exit(_) | StmtKind::Original(_) => self.line(level, "__builtin_trap();"),
            StmtKind::While { condition, body } => {
                let head = format!("while ({})", self.expression(condition));
                self.line(level, &head);
                self.block(body, level);
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(String::new(), |v| self.expression(v));
                self.line(level, format!("return {value}").trim_end());
                let _ = self.out.pop();
                self.out.push_str(";\n");
            }
            // Pure functions have no others.
            StmtKind::Empty | StmtKind::Pragma(_) | StmtKind::Unsupported(_) => {
                self.line(level, ";");
            }
        }
    }

    fn declaration(&self, symbol: usize) -> String {
        let symbol = &self.unit.symbols[symbol];
        let (ctype, name) = (type_name(&symbol.ctype), &symbol.name);
        match &symbol.initialiser {
            Some(value) => format!("{ctype} {name} = {}", self.expression(value)),
            None => format!("{ctype} {name}"),
        }
    }
}

/// The same with types by their canonical names.
fn canonical(expr: &Expr) -> Expr {
    let one = |e: &Expr| Box::new(canonical(e));
    let list = |all: &[Expr]| all.iter().map(canonical).collect();
    let kind = match &expr.kind {
        ExprKind::Cast(Type::Scalar(scalar), a) => {
            let scalar = scop::ScalarType {
                kind: scalar.kind,
                spelling: scalar.kind.c_name().to_owned(),
            };
            ExprKind::Cast(Type::Scalar(scalar), one(a))
        }
        ExprKind::Unary(operator, a) => ExprKind::Unary(*operator, one(a)),
        ExprKind::Binary(operator, a, b) => ExprKind::Binary(*operator, one(a), one(b)),
        ExprKind::Assign(operator, a, b) => ExprKind::Assign(*operator, one(a), one(b)),
        ExprKind::Conditional(a, b, c) => ExprKind::Conditional(one(a), one(b), one(c)),
        ExprKind::Call(name, arguments) => ExprKind::Call(name.clone(), list(arguments)),
        ExprKind::Comma(parts) => ExprKind::Comma(list(parts)),
        other => other.clone(),
    };
    Expr {
        kind,
        span: expr.span,
    }
}
