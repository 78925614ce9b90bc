//! Arrays that are missing in some calls: what is read in them is read under a condition.

use crate::generate::parts::words;
use crate::generate::{Form, Generator};
use crate::tree::{Expr, Stmt, expressions, print};

impl Generator {
    /// Puts each read of an array under the condition that it is there; the array, if the function has
    /// one of which it does nothing but read elements.
    pub(in crate::generate) fn made_optional(&mut self, body: &mut [Stmt]) -> Option<usize> {
        if !self.random.percent(20) {
            return None;
        }
        let of: Vec<usize> = (0..self.visible.arrays.len())
            .filter(|&k| {
                let array = &self.visible.arrays[k];
                let plain = matches!(array.form, Form::Brackets | Form::Flat(_, None));
                let own = !array.name.starts_with("g_") && !array.name.contains(['.', '>']);
                plain && own && !array.written && array.below.is_none() && !array.sorted
            })
            .collect();
        if of.is_empty() {
            return None;
        }
        let k = *self.random.pick(&of);
        let (name, low, high) = {
            let array = &self.visible.arrays[k];
            (array.name.clone(), array.low, array.high)
        };
        let mut text = String::new();
        print(&mut text, body, 0);
        print(&mut text, &self.behind, 0);
        let mentioned = words(&text).filter(|(_, word)| *word == name).count();
        let mut all = Vec::new();
        expressions(body, &mut all);
        let mut read = 0;
        for expr in &mut all {
            elements(expr, &name, &mut |_| read += 1);
        }
        if mentioned == 0 || mentioned != read {
            return None;
        }
        let other = Expr::atom(0.clamp(low, high).to_string());
        let form = self.random.below(3);
        for expr in all {
            elements(expr, &name, &mut |element| {
                let there = Expr::atom(name.clone());
                let own = element.clone();
                *element = match form {
                    0 => Expr::cond(there, own, other.clone()),
                    1 => {
                        let missing = Expr::Unary("!", Box::new(there));
                        Expr::cond(missing, other.clone(), own)
                    }
                    _ => {
                        let there = Expr::binary("!=", there, Expr::atom("0"));
                        Expr::cond(there, own, other.clone())
                    }
                };
            });
        }
        Some(k)
    }
}

/// Applies `act` to the elements of an array in an expression, inner ones first.
fn elements(expr: &mut Expr, name: &str, act: &mut dyn FnMut(&mut Expr)) {
    for operand in expr.operands_mut() {
        elements(operand, name, act);
    }
    if matches!(expr, Expr::Index(own, _) if own == name) {
        act(expr);
    }
}
