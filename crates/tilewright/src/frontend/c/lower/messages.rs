//! Refusals that several passes share.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::surroundings::changes;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, Refusal, Result};
use crate::frontend::c::syntax::{Expr as SyntaxExpr, Scope, Stmt, StmtKind, SymbolId};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, ScalarKind};
use crate::source::Span;

impl Lowering<'_> {
    /// A pointer that the region itself moves.
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

    /// Refuses a floating-point number where C takes integers only: as a subscript, and around `%`,
    /// shifts and operators on bits. Otherwise it would pass for data.
    pub(super) fn wants_integer(&self, expr: &SyntaxExpr, what: &str) -> Result<()> {
        if !types::scalar_kind(self.unit, expr).is_some_and(ScalarKind::is_float) {
            return Ok(());
        }
        let text = ctext::expression(expr, &self.unit.symbols);
        let diagnostic = Diagnostic::error(
            Code::UnsupportedType,
            format!("`{text}` is a floating-point number, and {what} an integer"),
        )
        .at(expr.span, "not an integer")
        .help(format!("convert it: `(int)({text})`"));
        Err(Refusal::from(diagnostic))
    }

    /// The same for the operands of an operator.
    pub(super) fn wants_integers(&self, op: BinaryOp, operands: &[&SyntaxExpr]) -> Result<()> {
        if !op.is_integral() {
            return Ok(());
        }
        let what = format!("`{}` takes", op.spelling());
        operands
            .iter()
            .try_for_each(|operand| self.wants_integer(operand, &what))
    }

    pub(super) fn unknown_call(&self, expr: &SyntaxExpr, name: &str) -> Refusal {
        let d = Diagnostic::error(Code::UnknownCall, format!("`{name}` may have side effects"))
            .at(expr.span, "called here");
        let d = match purity::definition(self.unit, name) {
            Some((_, function)) => d
                .also(Span::new(function.span.start, function.span.start), "defined here")
                .note(match purity::obstacle(self.unit, function) {
                    Some(reason) => format!("`{name}` {reason}"),
                    None => "a function counts as pure when it returns a value computed from its own scalar parameters and variables only".to_owned(),
                }),
            None => d,
        };
        Refusal::from(d.help(
            "define it in this file as a `static inline` function of its scalar arguments, or move the call out of the region",
        ))
    }

    /// A call that does nothing that the region would notice.
    pub(super) fn idle_call(&self, expr: &SyntaxExpr, name: &str) -> Refusal {
        Refusal::from(
            Diagnostic::error(
                Code::UnknownCall,
                format!("`{name}` writes nothing, by its access summary"),
            )
            .at(expr.span, "called here")
            .help("say what it writes with `__pencil_def(…)`, or use its result"),
        )
    }

    /// A call in the middle of an expression that changes arrays.
    pub(super) fn writing_call(&self, expr: &SyntaxExpr, name: &str) -> Refusal {
        Refusal::from(
            Diagnostic::error(
                Code::UnknownCall,
                format!("`{name}` writes to its arguments in the middle of an expression"),
            )
            .at(expr.span, "called here")
            .help(format!(
                "make it a statement of its own, `{name}(…);`, that returns nothing"
            )),
        )
    }

    /// A function that is declared `pure` may read what is not in its arguments: a region that
    /// writes variables of the file cannot call it.
    pub(super) fn check_pure(&self, expr: &SyntaxExpr, name: &str) -> Result<()> {
        let declared = purity::external(self.unit, name).filter(|d| !d.is_const);
        let Some(declared) = declared.filter(|_| purity::result_kind(name).is_none()) else {
            return Ok(());
        };
        for stmt in &self.region.statements {
            for target in changes::targets(self.unit, stmt) {
                let symbol = &self.unit.symbols[target];
                if symbol.scope != Scope::File {
                    continue;
                }
                let message = format!(
                    "`{name}` is declared `pure`, and may read `{}`, which the region writes",
                    symbol.name
                );
                return Err(Refusal::from(
                    Diagnostic::error(Code::UnknownCall, message)
                        .at(expr.span, "called here")
                        .also(declared.span, "declared here")
                        .help("declare it `__attribute__((const))` if it reads its arguments only"),
                ));
            }
        }
        Ok(())
    }
}
