//! Memory that the program asks for itself: `float *t = malloc(n * sizeof *t);`, filled, and given
//! back at the end of what uses it.

use crate::generate::places::kept_within;
use crate::generate::{Array, Extent, Form, Generator};
use crate::tree::{Expr, For, Stmt, Type};

/// A block: what stands in front of its use and behind it.
pub(in crate::generate) struct Block {
    pub front: Vec<Stmt>,
    pub behind: Stmt,
}

impl Generator {
    /// A block with one dimension, or with rows of a constant length, all of which is set; in scope
    /// from here on.
    pub(in crate::generate) fn block_of_memory(&mut self) -> Block {
        let ty = self.value_type();
        let (name, spelt) = (self.fresh("heap"), self.spelling(ty));
        let (low, high) = kept_within(ty);
        let first = if self.random.percent(60) {
            let size = self.random.below(self.visible.sizes.len());
            Extent::Size(size, self.random.range(0, 3))
        } else {
            Extent::Constant(*self.random.pick(&[1, 3, 4, 8, 30]))
        };
        let count = match first {
            Extent::Constant(count) => count.to_string(),
            Extent::Size(size, 0) => self.visible.sizes[size].name.clone(),
            Extent::Size(size, more) => format!("({} + {more})", self.visible.sizes[size].name),
        };
        let row = self
            .random
            .percent(25)
            .then(|| *self.random.pick(&[2, 3, 5]));
        let declared = match row {
            Some(row) => format!("{spelt} (*{name})[{row}]"),
            None => format!("{spelt} *{name}"),
        };
        let element = if self.random.percent(50) {
            format!("sizeof *{name}")
        } else if let Some(row) = row {
            format!("sizeof({spelt}[{row}])")
        } else {
            format!("sizeof({spelt})")
        };
        let zero = self.random.percent(25);
        let call = if zero {
            format!("calloc({count}, {element})")
        } else {
            format!("malloc({count} * {element})")
        };
        let mut front = vec![Stmt::Raw(format!("{declared} = {call};"))];
        if !zero {
            front.push(self.filled(&name, &count, row, ty));
        }
        self.visible.arrays.push(Array {
            name: name.clone(),
            ty,
            spelt,
            extents: [first]
                .into_iter()
                .chain(row.map(Extent::Constant))
                .collect(),
            form: Form::Brackets,
            low,
            high,
            below: None,
            written: true,
            sorted: false,
        });
        let behind = Stmt::Raw(format!("free({name});"));
        Block { front, behind }
    }

    /// Loops that set all of a block.
    fn filled(&mut self, name: &str, count: &str, row: Option<i64>, ty: Type) -> Stmt {
        let variables = [self.fresh("z"), self.fresh("z")];
        let limits = [Some(count.to_owned()), row.map(|row| row.to_string())];
        let subscripts = variables.iter().zip(&limits);
        let subscripts = subscripts.filter(|(_, limit)| limit.is_some());
        let target = Expr::Index(
            name.to_owned(),
            subscripts.map(|(v, _)| Expr::atom(v.clone())).collect(),
        );
        let value = self.value(1, ty.is_float());
        let value = self.storable(value, ty).expr;
        let mut inside = Stmt::Set {
            target,
            op: "=",
            value,
        };
        for (variable, limit) in variables.iter().zip(limits).rev() {
            let Some(limit) = limit else { continue };
            inside = Stmt::For(Box::new(For {
                ty: Some("long"),
                var: variable.clone(),
                from: Expr::atom("0"),
                condition: Expr::binary("<", Expr::atom(variable.clone()), Expr::atom(limit)),
                step: format!("{variable}++"),
                body: vec![inside],
            }));
        }
        inside
    }
}
