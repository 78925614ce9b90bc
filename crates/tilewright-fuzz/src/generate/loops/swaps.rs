//! Buffers that change places at the end of a turn.

use crate::generate::{Array, Extent, Form, Generator};
use crate::tree::{Expr, For, Stmt, Type};

fn atom(text: impl Into<String>) -> Expr {
    Expr::atom(text)
}

fn set(target: &str, value: &str) -> Stmt {
    Stmt::Set {
        target: atom(target),
        op: "=",
        value: atom(value),
    }
}

/// The type of a pointer to an array's first element, or row.
fn pointer(array: &Array) -> String {
    match array.form {
        Form::Rows("*const *") => format!("{} *const *", array.spelt),
        Form::Rows(_) => format!("{} **", array.spelt),
        _ => format!("{} *", array.spelt),
    }
}

impl Generator {
    /// Sweeps in time between two or three buffers, at times one given twice, that change places
    /// behind each sweep. None where there is no such array.
    pub(in crate::generate) fn exchanged(&mut self) -> Option<Vec<Stmt>> {
        let fits = |a: &&Array| {
            let form = match a.form {
                Form::Brackets => a.extents.len() == 1,
                Form::Flat(_, None) | Form::Rows(_) => true,
                _ => false,
            };
            let by_size = |e: &Extent| matches!(e, Extent::Size(..));
            form && a.written && a.below.is_none() && a.extents.iter().all(by_size)
        };
        let all: Vec<Array> = self.visible.arrays.iter().filter(fits).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let first = self.random.pick(&all).clone();
        let alike = |a: &&Array| {
            pointer(a) == pointer(&first) && a.extents == first.extents && a.name != first.name
        };
        let mut buffers = vec![first.clone()];
        buffers.extend(all.iter().filter(alike).cloned());
        buffers.truncate(self.random.weighted(&[(3, 2), (1, 3)]));
        let twice = buffers.len() == 1;
        if twice {
            buffers.push(first.clone());
        }
        // Parameters change places themselves, or pointers of the function's own do.
        let block = |a: &Array| a.name.starts_with("heap");
        let given =
            |a: &Array| !block(a) && !a.name.starts_with("g_") && !a.name.contains(['.', '>']);
        let themselves = !twice && self.rules.exchanges && buffers.iter().all(given);
        // Blocks of the region are not there in front of it.
        let outside = themselves || self.random.percent(85) && !buffers.iter().any(block);
        let mut statements = Vec::new();
        if !themselves {
            for buffer in &mut buffers {
                let name = self.fresh("u");
                let declaration = Stmt::Declare {
                    ty: pointer(buffer),
                    name: name.clone(),
                    value: Some(atom(buffer.name.clone())),
                };
                match outside {
                    true => self.front.push(declaration),
                    false => statements.push(declaration),
                }
                buffer.name = name;
            }
        }
        statements.push(self.turns_of(&buffers));
        if outside {
            self.read_behind(&buffers);
        }
        // What follows in the region may read through them.
        if !themselves {
            self.visible.arrays.extend(buffers);
            if self.random.percent(50) {
                statements.extend(self.nest(2));
            }
        }
        Some(statements)
    }

    fn turns_of(&mut self, buffers: &[Array]) -> Stmt {
        let (from, to) = (buffers[0].clone(), buffers[buffers.len() - 1].clone());
        let turn = self.fresh("t");
        let steps = self.random.range(2, 6);
        let by_size = self.random.percent(25);
        let size = self.random.below(self.visible.sizes.len());
        let scalar = match by_size {
            true => self.variable(
                &turn,
                Type::I32,
                0,
                crate::generate::LARGEST - 1,
                Some((size, -1)),
            ),
            false => self.variable(&turn, Type::I32, 0, steps - 1, None),
        };
        let end = match by_size {
            true => self.visible.sizes[size].name.clone(),
            false => steps.to_string(),
        };
        let names: Vec<&str> = buffers.iter().map(|b| b.name.as_str()).collect();
        let mut exchange = self.exchange(&pointer(&from), &names);
        let in_front = self.random.percent(12);
        let variables: Vec<&str> = ["i", "j"].into_iter().take(from.extents.len()).collect();
        let body = self.with_loop(scalar, |g| {
            g.visible.arrays.extend(buffers.iter().cloned());
            let margin = i64::from(g.random.percent(75));
            let mut body = g.sweep(&from, &to, &variables, margin);
            if g.random.percent(15) {
                body.extend(g.simple(1));
            }
            if in_front {
                std::mem::swap(&mut body, &mut exchange);
            }
            body.append(&mut exchange);
            body
        });
        Stmt::For(Box::new(For {
            ty: Some("int"),
            var: turn.clone(),
            from: atom("0"),
            condition: Expr::binary("<", atom(turn.clone()), atom(end)),
            step: format!("{turn}++"),
            body,
        }))
    }

    /// `T *old = a; a = b; b = old;`, of three by one.
    fn exchange(&mut self, ty: &str, names: &[&str]) -> Vec<Stmt> {
        let old = self.fresh("old");
        let mut statements = Vec::new();
        let in_front = self.random.percent(30);
        let (ty, name) = (ty.to_owned(), old.clone());
        if in_front {
            let value = Some(atom("0"));
            self.front.push(Stmt::Declare { ty, name, value });
            statements.push(set(&old, names[0]));
        } else {
            let value = Some(atom(names[0]));
            statements.push(Stmt::Declare { ty, name, value });
        }
        for pair in names.windows(2) {
            statements.push(set(pair[0], pair[1]));
        }
        statements.push(set(names[names.len() - 1], &old));
        statements
    }

    /// Behind the region the pointers say where their elements are.
    fn read_behind(&mut self, buffers: &[Array]) {
        for (slot, buffer) in [(5, &buffers[0]), (6, &buffers[1])] {
            let Extent::Size(size, _) = buffer.extents[0] else {
                continue;
            };
            let name = buffer.name.clone();
            let first = match buffer.form {
                Form::Rows(_) => Expr::Index(name, vec![atom("0"), atom("0")]),
                _ => Expr::Index(name, vec![atom("0")]),
            };
            let there = Expr::binary(">", atom(self.visible.sizes[size].name.clone()), atom("0"));
            self.behind.push(Stmt::If {
                condition: there,
                then: vec![Stmt::Set {
                    target: Expr::Index("out".to_owned(), vec![atom(slot.to_string())]),
                    op: "=",
                    value: first,
                }],
                other: Vec::new(),
            });
        }
    }
}
