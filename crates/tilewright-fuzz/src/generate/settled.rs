//! Indices that get their values in several steps.

use super::{Generator, LARGEST, Scalar};
use crate::tree::{Expr, Stmt, Type};

fn atom(text: impl Into<String>) -> Expr {
    Expr::atom(text)
}

impl Generator {
    /// A neighbour of a loop's variable, moved until it is a subscript, and in scope from here on.
    pub(super) fn settled(&mut self) -> Vec<Stmt> {
        let loops: Vec<(Scalar, usize)> = self
            .visible
            .scalars
            .iter()
            .filter(|s| s.is_loop && s.low >= 0 && s.ty.promoted().is_signed())
            .filter_map(|s| match s.below {
                Some((size, c)) if c < 0 && self.visible.sizes[size].ty.promoted().is_signed() => {
                    Some((s.clone(), size))
                }
                _ => None,
            })
            .collect();
        if loops.is_empty() {
            return Vec::new();
        }
        let (scalar, size) = self.random.pick(&loops).clone();
        let name = self.fresh("at");
        let z = || atom(name.clone());
        let n = || atom(self.visible.sizes[size].name.clone());
        let last = || Expr::binary("-", n(), atom("1"));
        let set = |op, value| Stmt::Set {
            target: z(),
            op,
            value,
        };
        let when = |condition, then, other| Stmt::If {
            condition,
            then: vec![then],
            other,
        };
        let below = when(
            Expr::binary("<", z(), atom("0")),
            set("=", atom("0")),
            vec![],
        );
        let above = when(Expr::binary(">=", z(), n()), set("=", last()), vec![]);
        let beyond = Expr::binary("<", z(), atom("0"));
        let by = atom(self.random.range(-3, 3).to_string());
        let moved = Expr::binary("+", atom(scalar.name), by.clone());
        let mut value = Some(moved.clone());
        let mut steps = Vec::new();
        match self.random.below(6) {
            0 => steps.push(Stmt::If {
                condition: beyond,
                then: vec![set("=", atom("0"))],
                other: vec![above.clone()],
            }),
            1 => {
                value = None;
                steps.push(Stmt::If {
                    condition: Expr::binary("<", moved.clone(), atom("0")),
                    then: vec![set("=", atom("0"))],
                    other: vec![set("=", moved)],
                });
            }
            2 => {
                // Mirrored.
                let other = Expr::Unary("-", Box::new(z()));
                steps.push(set("=", Expr::cond(beyond, other, z())));
                let mirrored = Expr::binary("-", Expr::binary("*", n(), atom("2")), z());
                let mirrored = Expr::binary("-", mirrored, atom("2"));
                steps.push(when(
                    Expr::binary(">", z(), last()),
                    set("=", mirrored),
                    vec![],
                ));
            }
            3 => {
                // Around the end.
                let back = when(Expr::binary(">=", z(), n()), set("-=", n()), vec![]);
                steps.push(when(beyond, set("+=", n()), vec![back]));
            }
            4 => {
                steps.push(when(
                    Expr::binary(">", z(), atom("0")),
                    Stmt::Step("", z(), "--"),
                    vec![],
                ));
            }
            _ => {}
        }
        let mut ends = vec![below, above];
        if self.random.percent(50) {
            ends.reverse();
        }
        ends.push(ends[0].clone());
        steps.extend(ends);
        let mut statements = vec![Stmt::Declare {
            ty: "int".to_owned(),
            name: name.clone(),
            value,
        }];
        for step in steps {
            if self.random.percent(12) {
                statements.extend(self.simple(1));
            }
            statements.push(step);
        }
        self.visible.scalars.push(Scalar {
            name,
            ty: Type::I32,
            low: 0,
            high: (LARGEST - 1).into(),
            below: Some((size, -1)),
            assigned: false,
            is_loop: false,
        });
        statements
    }
}
