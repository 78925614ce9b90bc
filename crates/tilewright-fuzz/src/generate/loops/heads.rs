//! Loops that go on with what variables hold, and loops whose conditions step.

use crate::generate::{Generator, LARGEST, Scalar};
use crate::tree::{Expr, For, Stmt, Type};

fn atom(text: impl Into<String>) -> Expr {
    Expr::atom(text)
}

impl Generator {
    /// `while (w++ < n)`, `while (left-- > 0)`, `for (; ++w < n;)`, with what that leaves behind.
    pub(in crate::generate) fn stepped_by_its_test(
        &mut self,
        depth: usize,
        size: usize,
    ) -> Vec<Stmt> {
        let n = self.visible.sizes[size].name.clone();
        let name = self.fresh("w");
        let form = self.random.below(4);
        // The first value, the test, and what the body and the statements behind see.
        let (first, test, low, high, below, last) = match form {
            0 => (
                "0".to_owned(),
                format!("{name}++ < (int){n}"),
                1,
                LARGEST,
                0,
                (1, LARGEST + 1),
            ),
            1 => (
                "-1".to_owned(),
                format!("++{name} < (int){n}"),
                0,
                LARGEST - 1,
                -1,
                (0, LARGEST),
            ),
            2 => (
                "0".to_owned(),
                format!("++{name} < (int){n}"),
                1,
                LARGEST - 1,
                -1,
                (1, LARGEST),
            ),
            _ => (
                n.clone(),
                format!("{name}-- > 0"),
                0,
                LARGEST - 1,
                -1,
                (-1, -1),
            ),
        };
        if form == 3 {
            // A negative number is left as one less.
            self.rules.at_least_zero = true;
        }
        let scalar = self.variable(&name, Type::I32, low, high, Some((size, below)));
        let body = self.looping(scalar, |g| g.body(depth - 1));
        let head = self.random.percent(30);
        let nest = match head {
            false => Stmt::While {
                condition: atom(test),
                body,
                last: false,
            },
            true => Stmt::For(Box::new(For {
                ty: None,
                var: name.clone(),
                from: atom(first.clone()),
                condition: atom(test),
                step: String::new(),
                body,
            })),
        };
        let declaration = Stmt::Declare {
            ty: "int".to_owned(),
            name: name.clone(),
            value: (!head).then(|| atom(first)),
        };
        self.left_in(name, last);
        vec![declaration, nest]
    }

    /// `int w = 1; for (; w < n - 2; w++) …; for (; w < n; w++) …`
    pub(in crate::generate) fn goes_on(&mut self, depth: usize, size: usize) -> Vec<Stmt> {
        let n = self.visible.sizes[size].name.clone();
        let name = self.fresh("w");
        let first = self.random.range(0, 2);
        let mut statements = vec![Stmt::Declare {
            ty: "int".to_owned(),
            name: name.clone(),
            value: Some(atom(first.to_string())),
        }];
        let parts = self.random.weighted(&[(2, 1), (3, 2)]);
        for part in 0..parts {
            let margin = if part + 1 < parts {
                self.random.range(1, 4)
            } else {
                0
            };
            let high = LARGEST - 1 - margin;
            let scalar = self.variable(&name, Type::I32, first, high, Some((size, -1 - margin)));
            let by_hand = self.random.percent(20);
            // `continue` would jump over a step in the body.
            let counts = std::mem::replace(&mut self.rules.counts_itself, by_hand);
            let mut body = self.with_loop(scalar, |g| g.body(depth - 1));
            self.rules.counts_itself = counts;
            let stride = match margin {
                0 => 1,
                _ => self.random.weighted(&[(3, 1), (1, 2), (1, 4)]),
            };
            let bound = match margin {
                0 => format!("(int){n}"),
                _ => format!("(int){n} - {margin}"),
            };
            let condition = Expr::binary("<", atom(name.clone()), atom(bound));
            let step = match stride {
                1 => format!("{name}++"),
                _ => format!("{name} += {stride}"),
            };
            if by_hand {
                body.push(match stride {
                    1 => Stmt::Step("", atom(name.clone()), "++"),
                    _ => Stmt::Set {
                        target: atom(name.clone()),
                        op: "+=",
                        value: atom(stride.to_string()),
                    },
                });
                statements.push(Stmt::While {
                    condition,
                    body,
                    last: false,
                });
                continue;
            }
            statements.push(Stmt::For(Box::new(For {
                ty: None,
                var: String::new(),
                from: atom(""),
                condition,
                step,
                body,
            })));
        }
        // Steps of four may go beyond the end.
        self.left_in(name, (0, LARGEST + 3));
        statements
    }

    /// What a loop leaves in its variable is read, too.
    fn left_in(&mut self, name: String, (low, high): (i64, i64)) {
        self.visible.scalars.push(Scalar {
            name,
            ty: Type::I32,
            low: low.into(),
            high: high.into(),
            below: None,
            assigned: false,
            is_loop: false,
        });
    }
}
