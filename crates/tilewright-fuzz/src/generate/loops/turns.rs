//! Loops whose turns decide when they end.

use crate::generate::{Generator, Scalar};
use crate::tree::{Expr, For, Stmt, Type};

fn atom(text: impl Into<String>) -> Expr {
    Expr::atom(text)
}

fn one_more(name: &str) -> Stmt {
    Stmt::Step("", atom(name), "++")
}

impl Generator {
    /// A loop with a test on data, which ends after a few turns in any case.
    pub(in crate::generate) fn ended_by_turns(&mut self, depth: usize) -> Vec<Stmt> {
        let most = self.random.range(1, 6);
        let name = self.fresh("z");
        let form = self.random.below(6);
        let highest = if form == 3 { (1 << most) - 1 } else { most - 1 };
        let scalar = self.turn(&name, Type::I32, highest);
        let tested = form < 3;
        // `continue` would jump over what brings the end nearer.
        let counts = std::mem::replace(&mut self.rules.counts_itself, form == 0 || form == 3);
        let mut more = None;
        let mut body = self.with_loop(scalar, |g| {
            if tested {
                more = Some(g.condition(1));
            }
            let mut statements = g.simple(1);
            for _ in 0..g.random.below(3) {
                statements.extend(g.simple(1));
            }
            if depth > 1 && !g.loops.is_empty() && g.random.percent(12) {
                let nest = g.nest(1);
                statements.extend(nest);
            }
            statements
        });
        self.rules.counts_itself = counts;
        let more = more.unwrap_or(atom("1"));
        let fewer = Expr::binary("<", atom(name.clone()), atom(most.to_string()));
        let test = match self.random.percent(50) {
            true => Expr::binary("&&", fewer.clone(), more.clone()),
            false => Expr::binary("&&", more.clone(), fewer.clone()),
        };
        let declaration = |value: Expr| Stmt::Declare {
            ty: "int".to_owned(),
            name: name.clone(),
            value: Some(value),
        };
        let nest = match form {
            0 => {
                body.push(one_more(&name));
                let last = self.random.percent(40);
                vec![
                    declaration(atom("0")),
                    Stmt::While {
                        condition: test,
                        body,
                        last,
                    },
                ]
            }
            1 => {
                let place = self.random.below(body.len() + 1);
                body.insert(
                    place,
                    Stmt::If {
                        condition: more,
                        then: vec![Stmt::Raw("break;".to_owned())],
                        other: Vec::new(),
                    },
                );
                vec![Stmt::For(Box::new(For {
                    ty: Some("int"),
                    var: name.clone(),
                    from: atom("0"),
                    condition: fewer,
                    step: format!("{name}++"),
                    body,
                }))]
            }
            2 => vec![Stmt::For(Box::new(For {
                ty: Some("int"),
                var: name.clone(),
                from: atom("0"),
                condition: test,
                step: format!("{name}++"),
                body,
            }))],
            3 => {
                // Halved until nothing is left.
                let value = self.value(1, false);
                let value = self.within(value, 0, highest.into());
                body.push(Stmt::Set {
                    target: atom(name.clone()),
                    op: if self.random.percent(50) { ">>=" } else { "/=" },
                    value: if self.random.percent(50) {
                        atom("2")
                    } else {
                        atom("3")
                    },
                });
                vec![
                    declaration(value.expr),
                    Stmt::While {
                        condition: atom(name.clone()),
                        body,
                        last: false,
                    },
                ]
            }
            _ => vec![Stmt::For(Box::new(For {
                ty: Some("int"),
                var: name.clone(),
                from: atom("1"),
                condition: fewer,
                step: match self.random.below(3) {
                    0 => format!("{name} *= 2"),
                    1 => format!("{name} <<= 1"),
                    _ => format!("{name} += {name}"),
                },
                body,
            }))],
        };
        if matches!(nest[0], Stmt::Declare { .. }) {
            // What it holds behind the loop is read, too.
            let scalar = self.turn(&name, Type::I32, highest + 1);
            self.visible.scalars.push(scalar);
        }
        nest
    }

    fn turn(&self, name: &str, ty: Type, high: i64) -> Scalar {
        Scalar {
            name: name.to_owned(),
            ty,
            low: 0,
            high: high.into(),
            below: None,
            assigned: false,
            is_loop: false,
        }
    }
}
