//! What statements compute, in cycles of a processor that waits for nothing.

use crate::plan::defaults::UNCOUNTED_TURNS;
use crate::scop::{AccessId, Action, BinaryOp, Expr, ScalarKind, Scop, Statement};

/// Cycles from one addition of floating-point numbers to one that needs it.
const FLOATING_LATENCY: f64 = 4.0;
/// The same for integers.
const INTEGER_LATENCY: f64 = 1.0;

/// How many times as long operations take as those of `double`: x87 has them at the speed of one
/// number, products of complex numbers are four, with sums and a question whether one is no number
/// (C11, annex G), numbers of 16 bits are converted, and those of 128 are functions of the compiler's
/// library (Agner Fog, *Instruction tables*; libgcc's `__multf3` takes about 20 ns).
fn weight(kind: ScalarKind, multiplies: bool) -> f64 {
    let part = match kind.part() {
        ScalarKind::F80 => 2.0,
        ScalarKind::F16 => 3.0,
        ScalarKind::F128 => 60.0,
        _ => 1.0,
    };
    match (kind.is_complex(), multiplies) {
        (true, true) => 8.0 * part,
        (true, false) => 2.0 * part,
        (false, _) => part,
    }
}

/// What an instance of a statement computes.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// Cycles of its operations.
    pub cycles: f64,
    /// Those of its divisions and roots among them.
    pub divisions: f64,
    /// Cycles of these for each number of a vector.
    pub divisions_in_vectors: f64,
    /// It calls what C compilers have no vector instructions for.
    pub calls: bool,
    /// It has an `if` of its own.
    pub branches: bool,
    /// By access: cycles from its value to the one that is stored last of those that depend on it.
    pub latencies: Vec<f64>,
    /// By access: what it reads is added to, or compared with others, as integers or by choice only.
    pub reduced: Vec<bool>,
}

/// Functions that C compilers write as a few vector instructions.
const VECTORISED: [&str; 16] = [
    "sqrt", "sqrtf", "fabs", "fabsf", "fmin", "fminf", "fmax", "fmaxf", "floor", "floorf", "ceil",
    "ceilf", "trunc", "truncf", "abs", "labs",
];

impl Work {
    /// Of a statement's actions.
    pub fn of(scop: &Scop, statement: &Statement, actions: &[Action]) -> Work {
        let accesses = statement.accesses.len();
        let mut work = Work {
            latencies: vec![0.0; accesses],
            reduced: vec![false; accesses],
            ..Work::default()
        };
        let mut variables = Vec::new();
        let reader = Reader { scop, statement };
        reader.actions(actions, &mut work, &mut variables);
        work
    }
}

struct Reader<'s> {
    scop: &'s Scop,
    statement: &'s Statement,
}

/// A variable of the body, with what it depends on: accesses and the cycles from them.
type Variable = (String, Vec<(AccessId, f64)>);

impl Reader<'_> {
    fn actions(&self, actions: &[Action], work: &mut Work, variables: &mut Vec<Variable>) {
        for action in actions {
            match action {
                Action::Assign { target, value } => {
                    let mut found = Vec::new();
                    self.value(value, 0.0, work, variables, &mut found);
                    for (access, latency) in found {
                        work.latencies[access] = work.latencies[access].max(latency);
                    }
                    self.reduces(*target, value, work);
                }
                Action::Call(value) => {
                    work.calls = true;
                    self.value(value, 0.0, work, variables, &mut Vec::new());
                }
                Action::Local { value: None, .. } => {}
                Action::Local {
                    name,
                    value: Some(value),
                    ..
                }
                | Action::SetLocal { name, value } => {
                    let mut found = Vec::new();
                    self.value(value, 0.0, work, variables, &mut found);
                    variables.push((name.clone(), found));
                }
                Action::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    work.branches = true;
                    let mut found = Vec::new();
                    self.value(condition, 1.0, work, variables, &mut found);
                    for (access, latency) in found {
                        work.latencies[access] = work.latencies[access].max(latency);
                    }
                    self.actions(then, work, variables);
                    self.actions(otherwise, work, variables);
                }
                Action::Repeat { condition, body } => {
                    // No compiler has vector instructions for it.
                    work.calls = true;
                    let before = work.cycles;
                    self.value(condition, 0.0, work, variables, &mut Vec::new());
                    self.actions(body, work, variables);
                    work.cycles = before + (work.cycles - before) * UNCOUNTED_TURNS;
                }
                Action::Leave => {}
            }
        }
    }

    /// Counts a value, with what it depends on; `behind`: cycles from it to what is stored.
    fn value(
        &self,
        expr: &Expr,
        behind: f64,
        work: &mut Work,
        variables: &[Variable],
        found: &mut Vec<(AccessId, f64)>,
    ) {
        match expr {
            Expr::Access(access) => {
                found.push((*access, behind));
                for subscript in &self.statement.accesses[*access].subscripts {
                    let reads = |e: &Expr| matches!(e, Expr::Access(_) | Expr::Local(_));
                    let mut some = false;
                    subscript.walk(&mut |e| some |= reads(e));
                    if some {
                        self.value(subscript, behind + 5.0, work, variables, found);
                    }
                }
                return;
            }
            Expr::Local(name) => {
                let known = variables.iter().rev().find(|(other, _)| other == name);
                for (access, latency) in known.map(|(_, all)| &**all).unwrap_or_default() {
                    found.push((*access, latency + behind));
                }
                return;
            }
            _ => {}
        }
        let (mut cycles, mut latency) = self.operator(expr, work);
        let kind = self.scop.kind_of(self.statement, expr);
        if let Some(kind) = kind.filter(|kind| !kind.is_on_devices() && cycles > 0.0) {
            let multiplies = matches!(expr, Expr::Binary(BinaryOp::Mul | BinaryOp::Div, ..));
            let weight = weight(kind, multiplies);
            (cycles, latency) = (cycles * weight, latency * weight.min(8.0));
            // No vector instructions.
            work.calls |= multiplies || !kind.part().is_plain_float();
        }
        work.cycles += cycles;
        if let Some(part) = self.in_vectors(expr) {
            work.divisions += cycles;
            work.divisions_in_vectors += cycles * part;
        }
        for child in expr.children() {
            self.value(child, behind + latency, work, variables, found);
        }
    }

    /// Of an operator that vector units do not do for all numbers at once: how much of the time that one
    /// takes each number of a vector takes. They have no division of integers, and divide two or four
    /// floating-point numbers in the time of one (Agner Fog, *Instruction tables*).
    fn in_vectors(&self, expr: &Expr) -> Option<f64> {
        let kind = self.scop.kind_of(self.statement, expr);
        let floating = kind.is_none_or(ScalarKind::is_float);
        match expr {
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, ..) if floating => Some(0.4),
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) => {
                (!matches!(**by, Expr::Literal(_))).then_some(1.0)
            }
            Expr::Call(name, _) if name.contains("sqrt") => Some(0.4),
            _ => None,
        }
    }

    /// Cycles and latency of an expression's own operator.
    fn operator(&self, expr: &Expr, work: &mut Work) -> (f64, f64) {
        let kind = self.scop.kind_of(self.statement, expr);
        let floating = kind.is_none_or(ScalarKind::is_float);
        let plain = if floating {
            FLOATING_LATENCY
        } else {
            INTEGER_LATENCY
        };
        match expr {
            Expr::Unary(..) => (0.5, 1.0),
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) => {
                if floating {
                    return (4.0, 13.0);
                }
                if matches!(**by, Expr::Literal(_)) {
                    return (2.0, 6.0);
                }
                (8.0, 20.0)
            }
            Expr::Binary(BinaryOp::Mul, ..) if !floating => (0.5, 3.0),
            Expr::Binary(..) => (0.5, plain),
            Expr::Conditional(..) => (0.5, 1.0),
            Expr::Call(name, _) if name.contains("sqrt") => (5.0, 18.0),
            Expr::Call(name, _) if VECTORISED.contains(&&**name) => (0.5, FLOATING_LATENCY),
            Expr::Call(name, _) => {
                let own = self.scop.calls.callees.iter().find(|one| one.name == *name);
                if own.is_some_and(|one| one.formula.is_some()) {
                    return (4.0, 8.0);
                }
                work.calls = true;
                (20.0, 40.0)
            }
            Expr::Effect { .. } => {
                work.calls = true;
                (20.0, 40.0)
            }
            _ => (0.0, 0.0),
        }
    }

    /// Marks reads of the cell that is stored where C compilers vectorise the sum.
    fn reduces(&self, target: AccessId, value: &Expr, work: &mut Work) {
        let array = self.statement.accesses[target].array;
        let integral = !self.scop.arrays[array].element.kind.is_float();
        let mut own = Vec::new();
        value.walk(&mut |e| {
            if let Expr::Access(access) = e {
                if self.statement.accesses[*access].array == array {
                    own.push(*access);
                }
            }
        });
        let adds = matches!(
            value,
            Expr::Binary(
                BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor,
                ..
            ) | Expr::Conditional(..)
                | Expr::Access(_)
                | Expr::Local(_)
        );
        for access in own {
            work.reduced[access] = integral && adds;
        }
    }
}
