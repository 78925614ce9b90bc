//! What stands behind the regions of a function: each way in which something reads what they leave.

use super::Generator;
use crate::tree::{Expr, For, Stmt};

fn atom(text: impl Into<String>) -> Expr {
    Expr::atom(text)
}

fn store(slot: usize, value: Expr) -> Stmt {
    Stmt::Set {
        target: Expr::Index("out".to_owned(), vec![atom(slot.to_string())]),
        op: "=",
        value,
    }
}

impl Generator {
    /// Lets a scalar's last value come out at `out[slot]`, behind the region.
    pub(super) fn comes_out(&mut self, slot: usize, name: &str) {
        let value = atom(name);
        let size = self.random.below(self.visible.sizes.len());
        let size = atom(self.visible.sizes[size].name.clone());
        let statement = match self.random.below(20) {
            0 => Stmt::If {
                condition: Expr::binary(">", size, atom("2")),
                then: vec![store(slot, value.clone())],
                other: vec![store(slot, Expr::binary("/", value, atom("2")))],
            },
            1 => {
                let turn = self.fresh("turn");
                Stmt::For(Box::new(For {
                    ty: Some("int"),
                    var: turn.clone(),
                    from: atom("0"),
                    condition: Expr::binary("<", atom(turn.clone()), size),
                    step: format!("{turn}++"),
                    body: vec![store(slot, value)],
                }))
            }
            2 => {
                let keep = "static void keep(double *to, double value) { *to = value; }";
                self.at_top(keep);
                Stmt::Raw(format!("keep(&out[{slot}], {name});"))
            }
            3 => {
                let chosen = format!("default: out[{slot}] = {name};");
                Stmt::Raw(format!(
                    "switch ({size}) {{ case 0: out[{slot}] = 1; break; {chosen} }}"
                ))
            }
            4 => Stmt::If {
                condition: Expr::binary("==", value.clone(), atom("0")),
                then: vec![store(slot, atom("-1"))],
                other: vec![store(slot, value)],
            },
            5 => {
                let own = self.fresh("last");
                self.behind.push(Stmt::Declare {
                    ty: "double".to_owned(),
                    name: own.clone(),
                    value: Some(value),
                });
                store(slot, atom(own))
            }
            _ => store(slot, value),
        };
        self.behind.push(statement);
    }

    /// The function's last statement does not come back, and reads a scalar: its call, which has to wait
    /// for that, is given back changed.
    pub(super) fn leaves(&mut self, slot: usize, name: &str, call: Stmt) -> Stmt {
        self.at_top("static void *g_place[5];");
        self.at_top("static void leave(double *, double) __attribute__((noreturn));");
        self.at_top(
            "static void leave(double *to, double value) { *to = value; __builtin_longjmp(g_place, 1); }",
        );
        self.behind
            .push(Stmt::Raw(format!("leave(&out[{slot}], {name});")));
        Stmt::If {
            condition: Expr::binary("==", atom("__builtin_setjmp(g_place)"), atom("0")),
            then: vec![call],
            other: Vec::new(),
        }
    }

    pub(super) fn at_top(&mut self, text: &str) {
        if !self.outside.top.iter().any(|line| line == text) {
            self.outside.top.push(text.to_owned());
        }
    }
}
