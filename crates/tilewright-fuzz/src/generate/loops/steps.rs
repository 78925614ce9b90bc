//! Steps that are variables, and several statements as one.

use crate::generate::{Array, Extent, Generator, LARGEST, Number, Scalar};
use crate::tree::{Expr, For, Stmt, Type};

impl Generator {
    /// A number that is a step: positive where a size is, else anything, as its loops have no turns.
    pub(in crate::generate) fn choose_step(&mut self) {
        if !self.random.percent(15) {
            return;
        }
        let size = self.random.below(self.visible.sizes.len());
        let ty = self.random.weighted(&[
            (6, Type::I32),
            (2, Type::I64),
            (1, Type::I16),
            (1, Type::U32),
            (1, Type::U64),
        ]);
        self.visible.numbers.push(Number {
            name: "st".to_owned(),
            ty,
            low: if ty.is_signed() { -3 } else { 0 },
            high: 4,
            global: false,
            step_of: Some(size),
        });
    }

    /// What a loop that ends at this size steps by, if not by a number.
    pub(in crate::generate) fn variable_step(&mut self, size: usize) -> Option<String> {
        let step = self
            .visible
            .numbers
            .iter()
            .find(|n| n.step_of == Some(size));
        let step = step.map(|n| n.name.clone());
        if step.is_some() && self.random.percent(40) {
            return step;
        }
        // A loop around it that begins above zero.
        let positive = |s: &&Scalar| s.is_loop && s.low > 0 && !s.assigned;
        let around = self.visible.scalars.iter().rev().find(positive);
        let around = around.map(|s| s.name.clone());
        around.filter(|_| self.random.percent(12))
    }

    /// `for (len = 1; len < n; len *= 2) for (i = 0; i + len < n; i += 2 * len) a[i] += a[i + len];`
    /// None where no array has so many elements.
    pub(in crate::generate) fn doubling(&mut self, size: usize) -> Option<Vec<Stmt>> {
        let fits = |a: &&Array| {
            let long = matches!(a.extents[..], [Extent::Size(of, _)] if of == size);
            long && a.written && a.below.is_none()
        };
        let array = self.visible.arrays.iter().rfind(fits)?.clone();
        let (len, at) = (self.fresh("len"), self.fresh("i"));
        let n = || Expr::atom(self.visible.sizes[size].name.clone());
        let other = || Expr::binary("+", Expr::atom(at.clone()), Expr::atom(len.clone()));
        let (until, inner) = (
            Expr::binary("<", Expr::atom(len.clone()), n()),
            Expr::binary("<", other(), n()),
        );
        let below = Some((size, -1));
        let width = self.variable(&len, Type::I32, 1, LARGEST - 1, below);
        let cell = self.variable(&at, Type::I32, 0, LARGEST - 1, below);
        let body = self.looping(width, |g| {
            let body = g.looping(cell, |g| {
                let one = g.read(&array, vec![Expr::atom(at.clone())]);
                let two = g.read(&array, vec![other()]);
                let sum = g.join("+", one, two);
                let sum = g.storable(sum, array.ty);
                let set = Stmt::Set {
                    target: g.element(&array, vec![Expr::atom(at.clone())]),
                    op: "=",
                    value: sum.expr,
                };
                let mut body = vec![set];
                if g.random.percent(30) {
                    body.extend(g.simple(1));
                }
                body
            });
            vec![Stmt::For(Box::new(For {
                ty: Some("int"),
                var: at.clone(),
                from: Expr::atom("0"),
                condition: inner.clone(),
                step: format!("{at} += 2 * {len}"),
                body,
            }))]
        });
        Some(vec![Stmt::For(Box::new(For {
            ty: Some("int"),
            var: len.clone(),
            from: Expr::atom("1"),
            condition: until,
            step: format!("{len} *= 2"),
            body,
        }))])
    }

    /// Makes one of two neighbours at times.
    pub(in crate::generate) fn with_commas(&mut self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let mut made: Vec<Stmt> = Vec::new();
        for statement in statements {
            let short = |s: &Stmt| matches!(s, Stmt::Set { .. } | Stmt::Step(..));
            let both = short(&statement) && made.last().is_some_and(short);
            if both
                && self.random.percent(4)
                && let Some(before) = made.pop()
            {
                made.push(Stmt::Comma(vec![before, statement]));
                continue;
            }
            made.push(statement);
        }
        made
    }
}
