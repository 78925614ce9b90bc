//! Loops and declarations that programs have beside counted `for` loops: `while` and `do`, loops
//! whose test stands in their body, two variables, arrays and rows of a block's own.

use crate::generate::memory::places::kept_within;
use crate::generate::{Array, Extent, Form, Generator, LARGEST, Scalar};
use crate::tree::{Expr, For, Stmt, Type};

fn atom(text: impl Into<String>) -> Expr {
    Expr::atom(text)
}

impl Generator {
    /// A loop in another form than most. None where none fits.
    pub(in crate::generate) fn unusual_loop(&mut self, depth: usize) -> Option<Vec<Stmt>> {
        let size = self.random.below(self.visible.sizes.len());
        let n = || atom(self.visible.sizes[size].name.clone());
        let bound = n();
        let signed = self.visible.sizes[size].ty.promoted().is_signed();
        let wide = self.visible.sizes[size].ty.bytes();
        match self.random.weighted(&[
            (30, 0),
            (6, 3),
            (14, 4),
            (4, 5),
            (2, 6),
            (30, 7),
            (12, 8),
            (25, 9),
            (6, 10),
            (12, 11),
            (10, 12),
        ]) {
            0 => Some(self.while_loop(depth, size, bound)),
            7 => self.walk(depth, size),
            8 => self.flat(depth, size),
            9 => Some(self.ended_by_turns(depth)),
            10 if depth > 1 => self.doubling(size),
            11 => Some(self.stepped_by_its_test(depth, size)),
            12 => Some(self.goes_on(depth, size)),
            3 if signed && self.random.percent(20) => {
                // From the last one down to zero, in an unsigned variable: the test counts.
                let ty = if wide > 4 { Type::U64 } else { Type::U32 };
                let name = self.fresh("i");
                let scalar = self.variable(&name, ty, 0, LARGEST - 1, Some((size, -1)));
                let body = self.looping(scalar, |g| g.body(depth - 1));
                let nest = Stmt::For(Box::new(For {
                    ty: Some(ty.c()),
                    var: name.clone(),
                    from: bound.clone(),
                    condition: Expr::binary(">", atom(format!("{name}--")), atom("0")),
                    step: String::new(),
                    body,
                }));
                // Of negative numbers it would begin at a very large one.
                Some(vec![Stmt::If {
                    condition: Expr::binary(">", bound, atom("0")),
                    then: vec![nest],
                    other: Vec::new(),
                }])
            }
            3 if self.random.percent(20) => {
                let ty = self.visible.sizes[size].ty.promoted();
                let name = self.fresh("i");
                let scalar = self.variable(&name, ty, 0, LARGEST - 1, Some((size, -1)));
                let body = self.looping(scalar, |g| g.body(depth - 1));
                Some(vec![Stmt::For(Box::new(For {
                    ty: Some(ty.c()),
                    var: name.clone(),
                    from: bound,
                    condition: Expr::binary(">", atom(format!("{name}--")), atom("0")),
                    step: String::new(),
                    body,
                }))])
            }
            4 => {
                // From the size to one.
                let ty = self.visible.sizes[size].ty.promoted();
                let name = self.fresh("i");
                let scalar = self.variable(&name, ty, 1, LARGEST, Some((size, 0)));
                let body = self.looping(scalar, |g| g.body(depth - 1));
                let stride = self.random.weighted(&[(4, 1), (1, 2)]);
                let condition = if stride == 1 && !ty.is_signed() && self.random.percent(40) {
                    Expr::binary("!=", atom(name.clone()), atom("0"))
                } else if stride > 1 {
                    // Odd ones would jump over zero.
                    Expr::binary(">", atom(name.clone()), atom("1"))
                } else {
                    Expr::binary(">", atom(name.clone()), atom("0"))
                };
                Some(vec![Stmt::For(Box::new(For {
                    ty: Some(ty.c()),
                    var: name.clone(),
                    from: bound,
                    condition,
                    step: if stride == 1 {
                        format!("{name}--")
                    } else {
                        format!("{name} -= {stride}")
                    },
                    body,
                }))])
            }
            5 => {
                // The test stands in the body.
                let name = self.fresh("i");
                let scalar = self.variable(&name, Type::I32, 0, LARGEST - 1, Some((size, -1)));
                let mut body = vec![Stmt::If {
                    condition: Expr::binary(">=", atom(name.clone()), bound),
                    then: vec![Stmt::Raw("break;".to_owned())],
                    other: Vec::new(),
                }];
                body.extend(self.looping(scalar, |g| g.body(depth - 1)));
                Some(vec![Stmt::For(Box::new(For {
                    ty: Some("int"),
                    var: name.clone(),
                    from: atom("0"),
                    condition: atom(""),
                    step: format!("{name}++"),
                    body,
                }))])
            }
            _ if signed => {
                // One variable goes up, the other one down.
                let (up, down) = (self.fresh("i"), self.fresh("j"));
                let ty = if wide > 4 { Type::I64 } else { Type::I32 };
                let one = self.variable(&up, ty, 0, LARGEST - 1, Some((size, -1)));
                let two = self.variable(&down, ty, 0, LARGEST - 1, Some((size, -1)));
                let meet = self.random.percent(40);
                let body = self.looping(one, |g| g.looping(two, |g| g.body(depth - 1)));
                let end = if meet { atom(down.clone()) } else { bound };
                Some(vec![Stmt::For(Box::new(For {
                    ty: Some(ty.c()),
                    var: up.clone(),
                    from: atom(format!("0, {down} = {} - 1", self.visible.sizes[size].name)),
                    condition: Expr::binary("<", atom(up.clone()), end),
                    step: format!("{up}++, {down}--"),
                    body,
                }))])
            }
            _ => None,
        }
    }

    pub(in crate::generate) fn variable(
        &self,
        name: &str,
        ty: Type,
        low: i64,
        high: i64,
        below: Option<(usize, i64)>,
    ) -> Scalar {
        Scalar {
            name: name.to_owned(),
            ty,
            low: low.into(),
            high: high.into(),
            below,
            assigned: false,
            is_loop: true,
        }
    }

    /// What is in a loop over this variable.
    pub(in crate::generate) fn looping(
        &mut self,
        scalar: Scalar,
        inside: impl FnOnce(&mut Generator) -> Vec<Stmt>,
    ) -> Vec<Stmt> {
        let counts = std::mem::replace(&mut self.rules.counts_itself, false);
        let body = self.with_loop(scalar, inside);
        self.rules.counts_itself = counts;
        body
    }

    /// `while (w < n) { …; w++; }`, with a test of data at times, or `do`.
    fn while_loop(&mut self, depth: usize, size: usize, bound: Expr) -> Vec<Stmt> {
        let name = self.fresh("w");
        let ty = if self.visible.sizes[size].ty.promoted().is_signed() {
            Type::I32
        } else {
            self.visible.sizes[size].ty.promoted()
        };
        let scalar = self.variable(&name, ty, 0, LARGEST - 1, Some((size, -1)));
        let until = self.random.percent(5);
        let last = !until && self.random.percent(12);
        // What tests at the end runs once at least.
        let once = last && self.random.percent(50);
        if once {
            self.rules.at_least_one.push(size);
        }
        let moved = (!last || once) && self.random.percent(15);
        let counts = std::mem::replace(&mut self.rules.counts_itself, true);
        let mut more = None;
        let mut body = self.with_loop(scalar, |g| {
            if until {
                more = Some(g.condition(0));
            }
            g.body(depth - 1)
        });
        if moved {
            // What comes behind the step sees the next number.
            let next = self.variable(&name, ty, 1, LARGEST, Some((size, 0)));
            let rest = self.with_loop(next, |g| {
                let mut rest = g.simple(1);
                rest.extend(g.store(None));
                rest
            });
            body.push(Stmt::Step("", atom(name.clone()), "++"));
            body.extend(rest);
        }
        self.rules.counts_itself = counts;
        let mut condition = Expr::binary("<", atom(name.clone()), bound.clone());
        if let Some(more) = more {
            condition = Expr::binary("&&", condition, more);
        }
        let declaration = Stmt::Declare {
            ty: ty.c().to_owned(),
            name: name.clone(),
            value: Some(atom("0")),
        };
        if last && !once {
            let condition = Expr::binary("<", atom(format!("++{name}")), bound.clone());
            let nest = Stmt::While {
                condition,
                body,
                last,
            };
            let guarded = Stmt::If {
                condition: Expr::binary(">", bound, atom("0")),
                then: vec![nest],
                other: Vec::new(),
            };
            return vec![declaration, guarded];
        }
        if !moved {
            body.push(match self.random.percent(70) {
                true => Stmt::Step("", atom(name.clone()), "++"),
                false => Stmt::Set {
                    target: atom(name.clone()),
                    op: "+=",
                    value: atom("1"),
                },
            });
        }
        let nest = Stmt::While {
            condition,
            body,
            last,
        };
        // What it holds behind the loop is read, too.
        self.visible.scalars.push(Scalar {
            name,
            ty,
            low: 0,
            high: LARGEST.into(),
            below: None,
            assigned: false,
            is_loop: false,
        });
        vec![declaration, nest]
    }

    /// An array of the block's own, filled at once.
    pub(in crate::generate) fn local_array(&mut self) -> Vec<Stmt> {
        let length = *self.random.pick(&[2, 3, 4, 4, 8, 16]);
        let ty = self.value_type();
        let name = self.fresh("buf");
        let variable = self.fresh("z");
        let spelt = self.spelling(ty);
        let (low, high) = kept_within(ty);
        let array = Array {
            name: name.clone(),
            ty,
            spelt,
            extents: vec![Extent::Constant(length)],
            form: Form::Brackets,
            low,
            high,
            below: None,
            written: true,
            sorted: false,
        };
        let braces = self.random.percent(30);
        let declaration = if braces {
            let first = self.random.range(0, 9);
            Stmt::Raw(format!("{spelt} {name}[{length}] = {{{first}}};"))
        } else {
            Stmt::Raw(format!("{spelt} {name}[{length}];"))
        };
        let mut statements = vec![declaration];
        if !braces {
            let scalar = self.variable(&variable, Type::I32, 0, length - 1, None);
            let at = Expr::Index(name, vec![atom(variable.clone())]);
            let body = self.looping(scalar, |g| {
                let value = g.value(1, ty.is_float());
                let value = g.storable(value, ty);
                vec![Stmt::Set {
                    target: at,
                    op: "=",
                    value: value.expr,
                }]
            });
            statements.push(Stmt::For(Box::new(For {
                ty: Some("int"),
                var: variable.clone(),
                from: atom("0"),
                condition: Expr::binary("<", atom(variable.clone()), atom(length.to_string())),
                step: format!("{variable}++"),
                body,
            })));
        }
        self.visible.arrays.push(array);
        statements
    }

    /// `const float *row = a + i * w;`: a row that the block has a name for; also from the last element
    /// of the row above on, `a[i] - 1`.
    pub(in crate::generate) fn row_pointer(&mut self) -> Option<Stmt> {
        let of: Vec<Array> = self
            .visible
            .arrays
            .iter()
            .filter(|a| {
                let form = matches!(a.form, Form::Brackets | Form::Flat(_, None) | Form::Rows(_));
                a.extents.len() == 2 && form
            })
            .cloned()
            .collect();
        if of.is_empty() {
            return None;
        }
        let array = self.random.pick(&of).clone();
        let variable = self.visible.scalars.iter().rev().find(|s| {
            let inside = match (array.extents[0], s.below) {
                (Extent::Size(a, more), Some((b, c))) => a == b && c < more,
                (Extent::Constant(length), _) => s.high < length.into(),
                _ => false,
            };
            s.is_loop && s.low >= 0 && inside
        })?;
        let (row, above) = (atom(variable.name.clone()), variable.low >= 1);
        let name = self.fresh("row");
        let value = match &array.form {
            Form::Flat(width, _) => Expr::binary(
                "+",
                atom(array.name.clone()),
                Expr::binary("*", row, atom(width.clone())),
            ),
            Form::Brackets if above && self.random.percent(50) => {
                let by = match self.random.percent(40) {
                    true => atom("1"),
                    false => {
                        let size = atom(self.random.pick(&self.visible.sizes).name.clone());
                        Expr::binary("&", size, atom("1"))
                    }
                };
                Expr::binary("-", Expr::Index(array.name.clone(), vec![row]), by)
            }
            _ => Expr::Index(array.name.clone(), vec![row]),
        };
        let readonly = if array.written { "" } else { "const " };
        let ty = format!("{readonly}{} *", array.spelt);
        self.visible.arrays.push(Array {
            name: name.clone(),
            extents: vec![array.extents[1]],
            form: Form::Brackets,
            ..array
        });
        Some(Stmt::Declare {
            ty,
            name,
            value: Some(value),
        })
    }

    /// One of several statements, by a small value.
    pub(in crate::generate) fn cases(&mut self, depth: u32) -> Vec<Stmt> {
        let value = self.integer(1);
        let mask = *self.random.pick(&[1, 3, 3, 7]);
        let value = self.masked(value, mask);
        let mut statements = Vec::new();
        let value = if self.random.percent(60) {
            let name = self.fresh("t");
            statements.push(Stmt::Declare {
                ty: value.ty.c().to_owned(),
                name: name.clone(),
                value: Some(value.expr),
            });
            atom(name)
        } else {
            value.expr
        };
        let mut chain = self.block(depth);
        for k in (0..self.random.range(2, 3)).rev() {
            let then = self.block(depth);
            chain = vec![Stmt::If {
                condition: Expr::binary("==", value.clone(), atom(k.to_string())),
                then,
                other: chain,
            }];
        }
        statements.extend(chain);
        statements
    }
}
