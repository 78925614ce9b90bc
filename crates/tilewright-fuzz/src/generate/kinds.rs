//! Nests that programs of one kind have: pipelines of images, stencils over time, linear algebra,
//! sparse matrices, bytes and scans.

use super::{Array, Extent, Generator, Scalar, Typed};
use crate::tree::{Expr, For, Stmt, Type};

fn name(text: &str) -> Expr {
    Expr::atom(text)
}

fn plus(e: Expr, by: i64) -> Expr {
    match by {
        0 => e,
        by if by < 0 => Expr::binary("-", e, Expr::atom((-by).to_string())),
        by => Expr::binary("+", e, Expr::atom(by.to_string())),
    }
}

fn set(target: Expr, value: Expr) -> Stmt {
    Stmt::Set {
        target,
        op: "=",
        value,
    }
}

impl Generator {
    /// Arrays of so many dimensions that are given by sizes, the written ones.
    fn arrays_of(&self, dimensions: usize, written: bool) -> Vec<Array> {
        let by_size = |e: &Extent| matches!(e, Extent::Size(..));
        let fits = |a: &&Array| {
            a.extents.len() == dimensions
                && a.extents.iter().all(by_size)
                && a.written == written
                && a.below.is_none()
        };
        self.visible.arrays.iter().filter(fits).cloned().collect()
    }

    fn size_of(extent: Extent) -> usize {
        match extent {
            Extent::Size(size, _) => size,
            Extent::Constant(_) => 0,
        }
    }

    /// Stages one after another, each of which reads what the one before wrote.
    pub(super) fn pipeline(&mut self) -> Vec<Stmt> {
        let two = self.arrays_of(2, true);
        let mut statements = Vec::new();
        let Some(first) = two.first().cloned() else {
            return statements;
        };
        let count = self.random.range(1, 3);
        let mut source = self
            .visible
            .arrays
            .iter()
            .find(|a| a.extents == first.extents && !a.written)
            .cloned()
            .unwrap_or(first);
        for _ in 0..count {
            let target = self.random.pick(&two).clone();
            if target.extents != source.extents && target.name != source.name {
                continue;
            }
            let margin = self.random.range(0, 2);
            let (rows, columns) = (
                Self::size_of(target.extents[0]),
                Self::size_of(target.extents[1]),
            );
            let (from, to) = (source.clone(), target.clone());
            let outer = self.counted("y", margin, rows, margin, |g| {
                vec![g.counted("x", margin, columns, margin, |g| {
                    g.stage(&from, &to, margin)
                })]
            });
            statements.push(outer);
            source = target;
        }
        statements
    }

    /// One point of a stage: a sum over neighbours, with temporaries in between.
    fn stage(&mut self, from: &Array, to: &Array, margin: i64) -> Vec<Stmt> {
        let mut statements = Vec::new();
        let taps = self.random.range(1, 4);
        let mut sum: Option<Typed> = None;
        for _ in 0..taps {
            let (dy, dx) = (
                self.random.range(-margin, margin),
                self.random.range(-margin, margin),
            );
            let tap = self.read(from, vec![plus(name("y"), dy), plus(name("x"), dx)]);
            let tap = if self.random.percent(30) {
                let weight = Typed::literal(self.random.range(1, 77));
                self.join("*", tap, weight)
            } else {
                tap
            };
            let joined = match sum {
                Some(sum) => self.join("+", sum, tap),
                None => tap,
            };
            sum = Some(joined);
            if self.random.percent(25) {
                let part = sum.take().unwrap_or_else(|| Typed::literal(0));
                sum = Some(self.keep(part, &mut statements));
            }
        }
        let mut value = sum.unwrap_or_else(|| Typed::literal(1));
        if !value.ty.is_float() && self.random.percent(40) {
            let by = Typed::literal(self.random.range(1, 8));
            value = self.join(">>", value, by);
        }
        if self.random.percent(25) {
            value = self.keep(value, &mut statements);
        }
        let value = self.stored(value, to.ty);
        statements.push(set(
            self.element(to, vec![name("y"), name("x")]),
            value.expr,
        ));
        if self.random.percent(25) {
            statements.extend(self.simple(1));
        }
        statements
    }

    fn stored(&mut self, value: Typed, ty: Type) -> Typed {
        match ty {
            _ if ty.is_float() => value,
            Type::I32 | Type::I64 => self.within(value, -(1 << 20), 1 << 20),
            _ if value.ty.is_float() => self.within(value, 0, 255),
            _ => value,
        }
    }

    /// A temporary that holds the value.
    fn keep(&mut self, value: Typed, statements: &mut Vec<Stmt>) -> Typed {
        let fresh = self.fresh("t");
        let ty = value.ty.promoted();
        statements.push(Stmt::Declare {
            ty: ty.c().to_owned(),
            name: fresh.clone(),
            value: Some(value.expr.clone()),
        });
        let known = Typed::cast(value, ty);
        let scalar = Scalar {
            name: fresh,
            ty,
            low: known.low,
            high: known.high,
            below: known.below,
            assigned: false,
            is_loop: false,
        };
        let read = scalar.read();
        self.visible.scalars.push(scalar);
        read
    }

    /// Sweeps in time: in place, or between two arrays.
    pub(super) fn stencil(&mut self) -> Vec<Stmt> {
        let dimensions = if self.random.percent(55) { 2 } else { 1 };
        let mut all = self.arrays_of(dimensions, true);
        if all.is_empty() {
            all = self.arrays_of(3 - dimensions, true);
        }
        let Some(one) = all.first().cloned() else {
            return Vec::new();
        };
        let other = all
            .iter()
            .rev()
            .find(|a| a.extents == one.extents)
            .cloned()
            .unwrap_or_else(|| one.clone());
        let steps = self.random.range(2, 6);
        let variables: Vec<&str> = ["i", "j"].into_iter().take(one.extents.len()).collect();
        let back = self.random.percent(60);
        let scalar = Scalar {
            name: "t".to_owned(),
            ty: Type::I32,
            low: 0,
            high: (steps - 1).into(),
            below: None,
            assigned: false,
            is_loop: true,
        };
        let body = self.with_loop(scalar, |g| {
            let mut body = g.sweep(&one, &other, &variables, 1);
            if one.name != other.name && back {
                let margin = i64::from(g.random.percent(50));
                body.extend(g.sweep(&other, &one, &variables, margin));
            }
            if g.random.percent(15) {
                body.extend(g.simple(1));
            }
            body
        });
        vec![Stmt::For(Box::new(For {
            ty: Some("int"),
            var: "t".to_owned(),
            from: name("0"),
            condition: Expr::binary("<", name("t"), Expr::atom(steps.to_string())),
            step: "t++".to_owned(),
            body,
        }))]
    }

    /// One sweep from an array to another one, or copied where there is no margin.
    pub(super) fn sweep(
        &mut self,
        from: &Array,
        to: &Array,
        variables: &[&str],
        margin: i64,
    ) -> Vec<Stmt> {
        let Some((&variable, rest)) = variables.split_first() else {
            return self.point(from, to, margin);
        };
        let depth = to.extents.len() - variables.len();
        let size = Self::size_of(to.extents[depth]);
        let (from, to) = (from.clone(), to.clone());
        vec![self.counted(variable, margin, size, margin, move |g| {
            g.sweep(&from, &to, rest, margin)
        })]
    }

    fn point(&mut self, from: &Array, to: &Array, margin: i64) -> Vec<Stmt> {
        let here: Vec<Expr> = ["i", "j"]
            .into_iter()
            .take(to.extents.len())
            .map(name)
            .collect();
        if margin == 0 {
            let value = self.read(from, here.clone());
            let value = self.stored(value, to.ty);
            return vec![set(self.element(to, here), value.expr)];
        }
        let mut sum = self.read(from, here.clone());
        for _ in 0..self.random.range(1, 4) {
            let mut at = here.clone();
            let dimension = self.random.below(at.len());
            let by = self.random.range(-1, 1);
            at[dimension] = plus(at[dimension].clone(), by);
            let tap = self.read(from, at);
            let op = *self.random.pick(&["+", "+", "+", "-", "^"]);
            sum = self.join(op, sum, tap);
        }
        let mut statements = Vec::new();
        if self.random.percent(20) {
            sum = self.keep(sum, &mut statements);
        }
        let value = if sum.ty.is_float() {
            self.join("*", sum, Typed::any(name("0.25f"), Type::F32))
        } else {
            self.stored(sum, to.ty)
        };
        let value = self.stored(value, to.ty);
        let target = self.element(to, here);
        statements.push(if self.random.percent(20) && to.ty.is_float() {
            Stmt::Set {
                target,
                op: "+=",
                value: value.expr,
            }
        } else {
            set(target, value.expr)
        });
        statements
    }

    /// Products of matrices, triangular systems, transposition.
    pub(super) fn linear(&mut self) -> Vec<Stmt> {
        let Some(target) = self.arrays_of(2, true).first().cloned() else {
            return Vec::new();
        };
        let (rows, columns) = (
            Self::size_of(target.extents[0]),
            Self::size_of(target.extents[1]),
        );
        let inner = self.random.below(self.visible.sizes.len());
        let scalar_sum = self.random.percent(50);
        let here = self.element(&target, vec![name("i"), name("j")]);
        let nest = self.counted("i", 0, rows, 0, |g| {
            vec![g.counted("j", 0, columns, 0, |g| {
                let mut body = Vec::new();
                let place = if scalar_sum {
                    name("sum")
                } else {
                    here.clone()
                };
                let zero = name(if target.ty.is_float() { "0.0" } else { "0" });
                if scalar_sum {
                    body.push(Stmt::Declare {
                        ty: target.ty.c().to_owned(),
                        name: "sum".to_owned(),
                        value: Some(zero),
                    });
                } else if g.random.percent(70) {
                    body.push(set(here.clone(), zero));
                }
                let place_for_loop = place.clone();
                body.push(g.counted("k", 0, inner, 0, |g| {
                    vec![g.update(place_for_loop, target.ty)]
                }));
                if scalar_sum {
                    let op = if target.ty.is_float() && g.random.percent(40) {
                        "+="
                    } else {
                        "="
                    };
                    body.push(Stmt::Set {
                        target: here.clone(),
                        op,
                        value: place,
                    });
                }
                body
            })]
        });
        vec![nest]
    }

    /// Rows of a sparse matrix; gather and scatter.
    pub(super) fn sparse(&mut self) -> Vec<Stmt> {
        let Some(row) = self.visible.arrays.iter().find(|a| a.sorted).cloned() else {
            return Vec::new();
        };
        let size = Self::size_of(row.extents[0]);
        let nest = self.counted("i", 0, size, 0, |g| {
            let scalar = Scalar {
                name: "k".to_owned(),
                ty: Type::I32,
                low: 0,
                high: row.high - 1,
                below: row.below.map(|(s, c)| (s, c - 1)),
                assigned: false,
                is_loop: true,
            };
            let at = |e: Expr| Expr::Index(row.name.clone(), vec![e]);
            let mut body = g.with_loop(scalar, |g| g.body(0));
            if body.is_empty() {
                body = g.simple(1);
            }
            let mut statements = if g.random.percent(30) {
                g.simple(1)
            } else {
                Vec::new()
            };
            statements.push(Stmt::For(Box::new(For {
                ty: Some("int"),
                var: "k".to_owned(),
                from: at(name("i")),
                condition: Expr::binary("<", name("k"), at(plus(name("i"), 1))),
                step: "k++".to_owned(),
                body,
            })));
            if g.random.percent(30) {
                statements.extend(g.simple(1));
            }
            statements
        });
        vec![nest]
    }

    /// Histograms, hashes, checksums and dithering.
    pub(super) fn bytes(&mut self) -> Vec<Stmt> {
        let size = self.random.below(self.visible.sizes.len());
        let nest = self.counted("i", 0, size, 0, |g| {
            let mut statements = Vec::new();
            let constant =
                *g.random
                    .pick(&["2654435761u", "16777619u", "40503u", "31u", "0x10000000u"]);
            let factor = Typed {
                expr: name(constant),
                ty: Type::U32,
                low: 0,
                high: u32::MAX.into(),
                below: None,
            };
            let value = g.integer(1);
            let value = if g.random.percent(60) {
                value
            } else {
                g.visible
                    .scalars
                    .last()
                    .map(Scalar::read)
                    .unwrap_or_else(|| Typed::literal(3))
            };
            // A constant makes the same of every iteration.
            let value = if value.low == value.high {
                g.loop_variable().unwrap_or(value)
            } else {
                value
            };
            let op = *g.random.pick(&["*", "*", "+", "^"]);
            let mut hash = g.join(op, value, factor);
            if g.random.percent(50) {
                hash = g.keep(hash, &mut statements);
            }
            let by = Typed::literal(*g.random.pick(&[26, 28, 27, 16, 10]));
            let hash = if hash.ty.is_float() {
                Typed::literal(5)
            } else {
                g.join(">>", hash, by)
            };
            let hash = match g.random.below(3) {
                0 => g.join("%", hash, Typed::literal(7)),
                1 => g.masked(hash, 15),
                _ => hash,
            };
            let hash = g.keep(hash, &mut statements);
            if g.random.percent(60) {
                let three = Typed::literal(3);
                let condition = g.join("==", hash, three);
                let then = g.simple(1);
                statements.push(Stmt::If {
                    condition: condition.expr,
                    then,
                    other: Vec::new(),
                });
            } else {
                statements.extend(g.store(None));
                statements.extend(g.store(Some(hash)));
            }
            statements
        });
        vec![nest]
    }

    /// Prefix sums, compaction, dynamic programming.
    pub(super) fn scan(&mut self) -> Vec<Stmt> {
        let arrays: Vec<Array> = self
            .arrays_of(1, true)
            .into_iter()
            .chain(self.arrays_of(2, true))
            .collect();
        let Some(array) = arrays.first().cloned() else {
            return Vec::new();
        };
        let sizes: Vec<usize> = array.extents.iter().map(|e| Self::size_of(*e)).collect();
        if let [rows, columns] = sizes[..] {
            let nest = self.counted("i", 1, rows, 0, |g| {
                vec![g.counted("j", 1, columns, 0, |g| {
                    let mut value = g.read(&array, vec![plus(name("i"), -1), name("j")]);
                    let left = g.read(&array, vec![name("i"), plus(name("j"), -1)]);
                    let corner = g.read(&array, vec![plus(name("i"), -1), plus(name("j"), -1)]);
                    if g.random.percent(50) {
                        let less = Expr::binary("<", value.expr.clone(), left.expr.clone());
                        value.expr = Expr::cond(less, value.expr, left.expr);
                    } else {
                        value = g.join("+", value, left);
                    }
                    if g.random.percent(50) {
                        value = g.join("+", value, corner);
                    }
                    let value = g.stored(value, array.ty);
                    vec![set(
                        g.element(&array, vec![name("i"), name("j")]),
                        value.expr,
                    )]
                })]
            });
            return vec![nest];
        }
        let back = self.random.range(1, 2);
        let nest = self.counted("i", back, sizes[0], 0, |g| {
            let mut statements = Vec::new();
            let before = g.read(&array, vec![plus(name("i"), -back)]);
            let more = g.value(1, array.ty.is_float());
            let sum = g.join("+", before, more);
            let sum = if g.random.percent(40) {
                g.keep(sum, &mut statements)
            } else {
                sum
            };
            let sum = g.stored(sum, array.ty);
            statements.push(set(g.element(&array, vec![name("i")]), sum.expr));
            if g.random.percent(40) {
                statements.extend(g.simple(1));
            }
            statements
        });
        vec![nest]
    }
}
