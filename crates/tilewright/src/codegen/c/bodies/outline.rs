//! Statement bodies whose accesses are spelled by the caller: for code that keeps arrays in memory
//! of its own.

use crate::codegen::CodegenOptions;
use crate::codegen::c::{Context, Printer, Threads};
use crate::codegen::kernel::{Index, Instance, Kernel};
use crate::scop::{AccessId, Action, Expr, Scop, StatementId};
use crate::transform::Transformed;

/// The lines of a statement's body. Iterators are spelled as given, expressions that bind more
/// strongly than any operator; `access` spells an access, given the texts of its subscripts.
pub(crate) fn body(
    scop: &Scop,
    statement: StatementId,
    iterators: &[String],
    access: &dyn Fn(AccessId, &[String]) -> String,
) -> Vec<String> {
    let transformed = Transformed {
        schedule: scop.schedule.clone(),
        statements: Vec::new(),
        buffers: Vec::new(),
        shared: Vec::new(),
        atomic: Vec::new(),
        reordered: Vec::new(),
        tiled: Vec::new(),
    };
    let kernel = Kernel {
        body: Vec::new(),
        buffers: Vec::new(),
        temporaries: Vec::new(),
    };
    let options = CodegenOptions::default();
    let mut printer = Printer::new(scop, &transformed, &kernel, &options);
    let instance = Instance {
        statement,
        group: 0,
        iterators: iterators.iter().map(|name| Index::var(name)).collect(),
        accesses: Vec::new(),
        certain: Vec::new(),
        decided: Vec::new(),
    };
    let mut outline = Outline {
        scop,
        printer: &mut printer,
        instance: &instance,
        access,
    };
    let own = &scop.statements[statement].body;
    let actions = own.iter().map(|action| outline.action(action)).collect();
    let instance = instance.clone();
    let lines = body_lines(&mut printer, actions, &instance);
    lines.lines().map(str::to_owned).collect()
}

fn body_lines(printer: &mut Printer<'_>, actions: Vec<Action>, instance: &Instance) -> String {
    let at = Context {
        threads: Threads::One,
        level: 0,
    };
    printer.actions(&actions, instance, at);
    std::mem::take(&mut printer.out)
}

/// Puts names in the place of accesses.
struct Outline<'a, 'b> {
    scop: &'a Scop,
    printer: &'a mut Printer<'b>,
    instance: &'a Instance,
    access: &'a dyn Fn(AccessId, &[String]) -> String,
}

impl Outline<'_, '_> {
    fn spelled(&mut self, access: AccessId) -> String {
        let own = &self.scop.statements[self.instance.statement].accesses[access];
        let subscripts = own.subscripts.clone();
        let texts: Vec<String> = subscripts
            .iter()
            .map(|subscript| {
                let subscript = self.expr(subscript);
                self.printer.expr(&subscript, self.instance)
            })
            .collect();
        (self.access)(access, &texts)
    }

    fn action(&mut self, action: &Action) -> Action {
        match action {
            Action::Assign { target, value } => Action::SetLocal {
                name: self.spelled(*target),
                value: self.expr(value),
            },
            Action::Local { name, ctype, value } => Action::Local {
                name: name.clone(),
                ctype: ctype.clone(),
                value: value.as_ref().map(|value| self.expr(value)),
            },
            Action::SetLocal { name, value } => Action::SetLocal {
                name: name.clone(),
                value: self.expr(value),
            },
            Action::Call(call) => Action::Call(self.expr(call)),
            Action::If {
                condition,
                then,
                otherwise,
            } => Action::If {
                condition: self.expr(condition),
                then: then.iter().map(|action| self.action(action)).collect(),
                otherwise: otherwise.iter().map(|action| self.action(action)).collect(),
            },
            Action::Repeat { condition, body } => Action::Repeat {
                condition: self.expr(condition),
                body: body.iter().map(|action| self.action(action)).collect(),
            },
            Action::Leave => Action::Leave,
        }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        let mut boxed = |expr: &Expr| Box::new(self.expr(expr));
        match expr {
            Expr::Access(access) => Expr::Local(self.spelled(*access)),
            Expr::Unary(operator, a) => Expr::Unary(*operator, boxed(a)),
            Expr::Binary(operator, a, b) => Expr::Binary(*operator, boxed(a), boxed(b)),
            Expr::Conditional(c, a, b) => Expr::Conditional(boxed(c), boxed(a), boxed(b)),
            Expr::Cast(ctype, a) => Expr::Cast(ctype.clone(), boxed(a)),
            Expr::Call(name, arguments) => {
                let arguments = arguments.iter().map(|a| self.expr(a)).collect();
                Expr::Call(name.clone(), arguments)
            }
            Expr::Effect {
                function,
                arguments,
                state,
            } => Expr::Effect {
                function: function.clone(),
                arguments: arguments.iter().map(|a| self.expr(a)).collect(),
                state: state.clone(),
            },
            other => other.clone(),
        }
    }
}
