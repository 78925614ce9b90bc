//! Refusals that several passes share.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::{hidden, purity};
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::surroundings::{changes, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, Refusal, Result};
use crate::frontend::c::syntax::{
    Expr as SyntaxExpr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Unit,
};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use crate::source::Span;

/// Functions that become loops where they write whole elements of one array.
const MEMORY: [&str; 3] = ["memset", "memcpy", "memmove"];

/// A loop that is better off by itself than in a step of the loop around it.
pub(super) fn hidden_loop(span: Span) -> Diagnostic {
    let message = "a loop inside of one that ends when its turns say so";
    Diagnostic::error(Code::InductiveExit, message)
        .at(span, "would be hidden in one step of the loop around it")
        .help("let the loop around it count, without `break`, or let the region be the loop inside")
}

/// What is asked where `break` leaves a loop with this body first.
fn left_where(body: &Stmt) -> Option<&SyntaxExpr> {
    match &body.kind {
        StmtKind::Block(list) => list.iter().find_map(left_where),
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            let leaves = turns::is_left(then) || otherwise.as_deref().is_some_and(turns::is_left);
            leaves.then_some(match &condition.kind {
                ExprKind::Unary(UnaryOp::Not, inner) => &**inner,
                _ => condition,
            })
        }
        _ => None,
    }
}

/// A name that is no variable: a mistake, but for functions as values.
pub(super) fn unknown(unit: &Unit, name: &str, span: Span) -> Diagnostic {
    let defined = unit.functions.iter().any(|own| own.name == name);
    if defined || unit.declared.iter().any(|own| own.name == name) {
        let message = format!("`{name}` is a function here, not a number");
        return Diagnostic::error(Code::UnsupportedExpression, message)
            .at(span, "its address")
            .help("set pointers to functions outside of the region");
    }
    Diagnostic::error(Code::Undeclared, format!("`{name}` is not declared"))
        .at(span, "no declaration in sight")
        .help("include the header that declares it")
}

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

    /// The message about a head that sets nothing, where no pass found what its variable begins with.
    pub(super) fn goes_on(
        &self,
        span: Span,
        condition: Option<&SyntaxExpr>,
        step: Option<&SyntaxExpr>,
    ) -> Diagnostic {
        fn stepped(step: &SyntaxExpr) -> Option<&SyntaxExpr> {
            match &step.kind {
                ExprKind::Increment { target, .. } | ExprKind::Assign(_, target, _) => {
                    Some(&**target)
                }
                _ => None,
            }
        }
        let target = step.and_then(|step| match &step.kind {
            ExprKind::Comma(parts) => parts.iter().find_map(stepped),
            _ => stepped(step),
        });
        let help = "a loop needs a variable, a bound and a constant step: \
                    `for (int i = 0; i < n; i++)`";
        let Some(target) = target else {
            let message = "the loop's head sets no variable";
            return Diagnostic::error(Code::LoopForm, message)
                .at(span, "nothing is set in front of the first turn")
                .help(help);
        };
        let text = |e: &SyntaxExpr| ctext::expression(e, &self.unit.symbols);
        let name = text(target);
        let message = format!("the loop goes on with what `{name}` holds in front of it");
        let d = Diagnostic::error(Code::LoopForm, message).at(span, "its head sets nothing");
        let counts = condition.is_some_and(|condition| match target.kind {
            ExprKind::Name(symbol) => visit::mentions(condition, symbol),
            _ => true,
        });
        match counts {
            true => d.help(format!(
                "let a variable of the loop's own count from there, `for (int first = {name}; …)`, \
                 and set `{name}` behind the loop"
            )),
            false => d.help(help),
        }
    }

    /// Whether a statement is in a loop of the region.
    fn is_in_loop(&self, stmt: &Stmt) -> bool {
        let mut inside = false;
        for own in &self.region.statements {
            visit::statements(own, &mut |s| {
                let is_loop = matches!(
                    s.kind,
                    StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Unsupported("do")
                );
                let around = s.span.start <= stmt.span.start && stmt.span.end <= s.span.end;
                inside |= is_loop && around;
            });
        }
        inside
    }

    /// Statements that no region can hold.
    pub(super) fn refused_statement(&self, stmt: &Stmt) -> Refusal {
        let control = |word: &str, help: &str| {
            Diagnostic::error(Code::ControlFlow, format!("`{word}` inside the region"))
                .at(stmt.span, "leaves the counted loops")
                .help(help)
        };
        Refusal::from(match &stmt.kind {
            StmtKind::While { condition, body } => {
                let asked = match &condition.kind {
                    ExprKind::Integer(1.., _) => left_where(body),
                    _ => Some(condition),
                };
                let why = match asked {
                    Some(asked) => format!("how often it runs depends on {}", self.quoted(asked)),
                    None => "nothing in its head ends it".to_owned(),
                };
                Diagnostic::error(Code::LoopForm, "a `while` loop inside the region")
                    .at(
                        Span::new(stmt.span.start, stmt.span.start + "while".len()),
                        why,
                    )
                    .help("write it as a counted loop, `for (int i = 0; i < n; i++)`")
            }
            StmtKind::Return(_) if self.is_in_loop(stmt) => control(
                "return",
                "set a variable in place of it, `left = 1`, let the loops do nothing once it is \
                 set, `if (!left) { … }`, and return behind the region",
            ),
            StmtKind::Return(_) => control("return", "end the region before it"),
            StmtKind::Unsupported("break" | "continue") => {
                let StmtKind::Unsupported(word) = stmt.kind else {
                    return Refusal::from(control("break", ""));
                };
                match self.bound_of_break(stmt) {
                    Some(bound) if word == "break" => control(
                        word,
                        &format!("let the condition of its loop say so: `{bound}`"),
                    ),
                    _ if word == "break" => control(
                        word,
                        "set a variable in place of it, `done = 1`, and put what it skips, in this \
                         turn and in those that follow, under `if (!done)`",
                    ),
                    _ => control(word, "put what it skips under an `if` instead"),
                }
            }
            StmtKind::Unsupported("do") => {
                Diagnostic::error(Code::LoopForm, "a `do` loop inside the region")
                    .at(stmt.span, "")
                    .help("write it as a counted loop, `for (int i = 0; i < n; i++)`")
            }
            StmtKind::Unsupported("goto") if self.is_in_loop(stmt) => control(
                "goto",
                "set a variable in place of it, `done = 1`, and put what it skips, in this turn \
                 and in those that follow, under `if (!done)`",
            ),
            StmtKind::Unsupported(word @ ("goto" | "switch" | "label" | "case" | "default")) => {
                control(word, "use `if` and `for` only")
            }
            StmtKind::For { .. } => hidden_loop(stmt.span),
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

    /// Of a region that has nothing to execute, or nothing of which anybody would notice.
    pub(super) fn nothing_done(&self) -> Refusal {
        let (message, help) = if self.model.statements.is_empty() {
            (
                "nothing that the region does is to be seen behind it",
                "let it store what it computes in arrays or variables that are read behind it",
            )
        } else {
            (
                "no statement of the region is ever executed",
                "put the loops to be optimised between `#pragma scop` and `#pragma endscop`",
            )
        };
        Refusal::from(
            Diagnostic::error(Code::EmptyRegion, message)
                .at(self.region.pragma, "this region")
                .help(help),
        )
    }

    /// The condition that a loop would have in place of `if (…) break;` at the beginning of its body.
    fn bound_of_break(&self, wanted: &Stmt) -> Option<String> {
        let mut found = None;
        for stmt in &self.region.statements {
            visit::statements(stmt, &mut |s| {
                let StmtKind::For {
                    condition: Some(around),
                    body,
                    ..
                } = &s.kind
                else {
                    return;
                };
                let StmtKind::Block(list) = &body.kind else {
                    return;
                };
                let Some(StmtKind::If {
                    condition,
                    then,
                    otherwise: None,
                }) = list.first().map(|s| &s.kind)
                else {
                    return;
                };
                let mut then = &**then;
                while let StmtKind::Block(list) = &then.kind
                    && let [only] = &list[..]
                {
                    then = only;
                }
                // Where one of them is no number, both comparisons fail.
                let counts = |e: &SyntaxExpr| {
                    types::scalar_kind(self.unit, e).is_some_and(|kind| !kind.is_float())
                };
                let compares = |e: &SyntaxExpr| match &e.kind {
                    ExprKind::Binary(op, a, b) if counts(a) && counts(b) => {
                        let text = |e| ctext::expression(e, &self.unit.symbols);
                        let inverse = inverse(*op)?;
                        Some(format!("{} {inverse} {}", text(a), text(b)))
                    }
                    _ => None,
                };
                if then.span == wanted.span
                    && let Some(stays) = compares(condition)
                {
                    let around = ctext::expression(around, &self.unit.symbols);
                    found = Some(format!("{around} && {stays}"));
                }
            });
        }
        found
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
        let message = if hidden::called(self.unit, name).is_some() {
            format!(
                "`{name}` changes what its next call does, and is called here where it is not known \
                 how often"
            )
        } else if MEMORY.contains(&name) {
            format!("what `{name}` writes is not known to be whole elements of one array")
        } else {
            format!("`{name}` may have side effects")
        };
        let d = Diagnostic::error(Code::UnknownCall, message).at(expr.span, "called here");
        let d = match purity::definition(self.unit, name) {
            Some((_, function)) => d
                .also(Span::new(function.span.start, function.span.start), "defined here")
                .note(match purity::obstacle(self.unit, function) {
                    Some(reason) => format!("`{name}` {reason}"),
                    None => "a function counts as pure when it returns a value computed from its own scalar parameters and variables only".to_owned(),
                }),
            None => d,
        };
        Refusal::from(d.help(self.call_help(expr, name)))
    }

    /// What to do about a call that may have side effects.
    fn call_help(&self, expr: &SyntaxExpr, name: &str) -> String {
        if hidden::called(self.unit, name).is_some() {
            return "assign its result to a variable in a statement of its own, in front of this"
                .to_owned();
        }
        let known: &[(&[&str], &str)] = &[
            (
                &["perror", "vprintf", "vfprintf", "write"],
                "print behind the region what it leaves in arrays, or let the region end before this",
            ),
            (
                &["vscanf", "vfscanf", "vsscanf", "read"],
                "read into an array in front of the region",
            ),
            (&MEMORY, "write it as a loop over the elements"),
            (
                &[
                    "malloc",
                    "calloc",
                    "realloc",
                    "aligned_alloc",
                    "free",
                    "alloca",
                ],
                "allocate in front of the region, and free behind it",
            ),
            (
                &["rand_r", "erand48", "nrand48", "jrand48"],
                "each call gives another value: fill an array with them in front of the region",
            ),
            (
                &[
                    "time",
                    "clock",
                    "gettimeofday",
                    "clock_gettime",
                    "omp_get_wtime",
                ],
                "what is done between two readings of a clock has to stay there: let the region begin \
                 or end here",
            ),
        ];
        if let Some((_, help)) = known.iter().find(|(names, _)| names.contains(&name)) {
            return (*help).to_owned();
        }
        let mut gives = true;
        for stmt in &self.region.statements {
            visit::statements(stmt, &mut |s| {
                gives &= !matches!(&s.kind, StmtKind::Expression(e) if e.span == expr.span);
            });
        }
        let memory = match &expr.kind {
            ExprKind::Call(_, arguments) => arguments
                .iter()
                .any(|argument| types::scalar_kind(self.unit, argument).is_none()),
            _ => false,
        };
        let defined = purity::definition(self.unit, name);
        let obstacle = defined.and_then(|(_, function)| purity::obstacle(self.unit, function));
        match (memory, gives, defined.is_some()) {
            (false, ..) if obstacle.is_some() => "change that, or move the call out of the region",
            (true, ..) => {
                "say with an access summary (`pencil_access`) what it reads and writes, or move the \
                 call out of the region"
            }
            (false, true, false) => {
                "if its result depends on its arguments alone, declare it `__attribute__((const))` \
                 or define it in this file; or move the call out of the region"
            }
            (false, true, true) => {
                "let it compute its result from its arguments alone, or move the call out of the \
                 region"
            }
            (false, false, _) => "move the call out of the region",
        }
        .to_owned()
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

/// The comparison that holds where another one fails.
fn inverse(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Less => ">=",
        BinaryOp::LessEqual => ">",
        BinaryOp::Greater => "<=",
        BinaryOp::GreaterEqual => "<",
        BinaryOp::Equal => "!=",
        BinaryOp::NotEqual => "==",
        _ => return None,
    })
}

/// The message for values of a type that regions do not have.
pub(crate) fn no_values_of(what: &str) -> Diagnostic {
    Diagnostic::error(
        Code::UnsupportedType,
        format!("values of type `{what}` are not supported in regions"),
    )
    .help("use `float`, `double` or an integer type")
}

/// The message for a member of a structure that is a bit-field.
pub(crate) fn bit_field(member: &str) -> Diagnostic {
    Diagnostic::error(Code::UnsupportedType, format!("`{member}` is a bit-field"))
        .help("give it memory of its own, or copy it into an array before the region")
}

/// Whether a message is about all values of a type, or of a member: it is the same everywhere.
pub(crate) fn is_of_all_values(message: &Diagnostic) -> bool {
    let words = &message.message;
    words.starts_with("values of type `") || words.ends_with("is a bit-field")
}
