//! How much statements compute, for models of cost.
//!
//! Each operator, choice and call of a function counts as one; of a straight-line function of the
//! file what its body computes counts instead. What stands twice counts once, as C compilers
//! compute it: a stage costs the same whether its author gave a value a name, called a function
//! for it, or wrote it twice. Subscripts do not count.

use crate::scop::dump::expression;
use crate::scop::{Action, Expr, Formula, Scop, Statement};
use std::collections::HashMap;

/// Operations of one instance of a statement; of an `if`, those of both branches, of what is repeated,
/// those of one turn.
pub(crate) fn operations(scop: &Scop, statement: &Statement) -> f64 {
    let mut values = Values {
        scop,
        statement,
        known: HashMap::new(),
        operations: 0,
    };
    let mut variables = Variables::new();
    values.actions(&statement.body, &mut variables);
    values.operations as f64
}

/// From so many values on calls are not looked into: calls of calls may be very many.
const MOST_VALUES: usize = 10_000;

/// What a value is: what is done, and the numbers of the values it is done with.
type Key = (String, Vec<usize>);

/// The numbers of what variables hold.
type Variables<'a> = HashMap<&'a str, usize>;

/// Values by number: two are the same if the same is done with the same.
struct Values<'a> {
    scop: &'a Scop,
    statement: &'a Statement,
    known: HashMap<Key, usize>,
    operations: usize,
}

impl<'a> Values<'a> {
    fn actions(&mut self, actions: &'a [Action], variables: &mut Variables<'a>) {
        for action in actions {
            match action {
                Action::Assign { value, .. } | Action::Call(value) => {
                    self.number(value, variables);
                }
                Action::Local { value: None, .. } => {}
                Action::Local {
                    name,
                    value: Some(value),
                    ..
                }
                | Action::SetLocal { name, value } => {
                    let number = self.number(value, variables);
                    variables.insert(name, number);
                }
                Action::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.number(condition, variables);
                    self.actions(then, variables);
                    self.actions(otherwise, variables);
                }
                Action::Repeat { condition, body } => {
                    self.number(condition, variables);
                    self.actions(body, variables);
                }
                Action::Leave => {}
            }
        }
    }

    /// The number of a value; what is new is counted.
    fn number(&mut self, expr: &'a Expr, variables: &Variables<'a>) -> usize {
        let (what, counts) = match expr {
            Expr::Local(name) if variables.contains_key(name.as_str()) => {
                return variables[name.as_str()];
            }
            Expr::Unary(operator, _) => (format!("{operator:?}"), true),
            Expr::Binary(operator, ..) => (operator.spelling().to_owned(), true),
            Expr::Conditional(..) => ("?".to_owned(), true),
            Expr::Cast(ctype, _) => (ctype.kind.c_name().to_owned(), false),
            Expr::Call(name, _) => (name.clone(), true),
            // Nothing else has the same value.
            Expr::Effect { function, .. } => (format!("{function} {}", self.known.len()), true),
            _ => (expression(self.scop, self.statement, expr), false),
        };
        let mut parts = Vec::new();
        for part in expr.children() {
            parts.push(self.number(part, variables));
        }
        let key = (what, parts);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let number = match self.formula(expr) {
            Some(formula) => {
                let parameters = formula.parameters.iter().map(String::as_str);
                let mut variables: Variables = parameters.zip(key.1.iter().copied()).collect();
                for (name, value) in &formula.variables {
                    let number = self.number(value, &variables);
                    variables.insert(name, number);
                }
                self.number(&formula.result, &variables)
            }
            None => {
                self.operations += usize::from(counts);
                self.known.len()
            }
        };
        self.known.insert(key, number);
        number
    }

    /// What a call computes, where its function is of the file and straight-line.
    fn formula(&self, expr: &Expr) -> Option<&'a Formula> {
        let Expr::Call(name, _) = expr else {
            return None;
        };
        if self.known.len() > MOST_VALUES {
            return None;
        }
        let mut callees = self.scop.calls.callees.iter();
        callees
            .find(|callee| callee.name == *name)?
            .formula
            .as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::operations;
    use crate::scop::testing::region_of;

    /// Operations of the first statement of `f`, behind some functions.
    fn count(functions: &str, body: &str) -> f64 {
        let head = "int n, float a[restrict n], float b[restrict n], float c[restrict n][n]";
        let scop = region_of(functions, head, body).scop;
        operations(&scop, &scop.statements[0])
    }

    #[test]
    fn operators_calls_and_choices_count_subscripts_do_not() {
        let sum = "for (int i = 0; i + 1 < n; i++) a[i] = b[i + 1] * 2 + -b[2 * i - i];";
        assert_eq!(count("", sum), 3.0);
        let root = "for (int i = 0; i < n; i++) a[i] = b[i] > 0 ? sqrtf(b[i]) : 0;";
        assert_eq!(count("float sqrtf(float);", root), 3.0);
    }

    #[test]
    fn what_stands_twice_counts_once() {
        let twice = "for (int i = 0; i < n; i++) a[i] = (b[i] * 7 - 1) * (b[i] * 7 - 1);";
        let named = "for (int i = 0; i < n; i++) { float x = b[i] * 7 - 1; a[i] = x * x; }";
        assert_eq!(count("", twice), 3.0);
        assert_eq!(count("", named), 3.0);
        // Cells of the same name that are different ones are not the same.
        let cells = "for (int i = 0; i + 1 < n; i++) a[i] = (b[i] - 1) * (b[i + 1] - 1);";
        assert_eq!(count("", cells), 3.0);
    }

    /// One value of the local Laplacian filter, as its example in C has it and with names.
    #[test]
    fn calls_count_what_they_compute() {
        let functions = "
            static int clamp(int x, int low, int high)
            {
                return x < low ? low : x > high ? high : x;
            }
            static int below(float gray) { return clamp((int)(gray * 7), 0, 6); }
            static float between(float gray, float lower, float upper)
            {
                float rest = gray * 7 - below(gray);
                return (1 - (gray * 7 - below(gray))) * lower + rest * upper;
            }";
        let called = "for (int i = 0; i < n; i++)
            a[i] = between(b[i], c[below(b[i])][i], c[below(b[i]) + 1][i]);";
        let named = "for (int i = 0; i < n; i++) {
            int k = clamp((int)(b[i] * 7), 0, 6);
            float rest = b[i] * 7 - k;
            a[i] = (1 - rest) * c[k][i] + rest * c[k + 1][i];
        }";
        assert_eq!(count(functions, called), 10.0);
        assert_eq!(count(functions, named), 10.0);
    }
}
