//! Rows that lie elsewhere than a plain array has them: behind pointers, and in flat memory under
//! another subscript.

use super::records::CELL;
use crate::generate::{Array, Extent, Form, Generator};
use crate::tree::{Expr, Stmt};

/// Rows behind pointers have memory for so many times their elements.
pub(in crate::generate) const ROOM: usize = 2;

/// `float **a`, `float *const *a`, `float *a[3]`; the word stands where `restrict` does.
pub(in crate::generate) fn parameter(array: &Array, stars: &str, word: &str) -> String {
    let readonly = if array.written { "" } else { "const " };
    let (ty, name) = (array.spelt, &array.name);
    match (stars, array.extents[0]) {
        ("*", Extent::Constant(length)) => format!("{readonly}{ty} *{name}[{word}{length}]"),
        ("*", _) => format!("{readonly}{ty} *{name}[{word}]"),
        _ => format!("{readonly}{ty} {stars}{word}{name}"),
    }
}

/// An extent as `entry` computes it.
fn number(extent: Extent) -> String {
    match extent {
        Extent::Constant(length) => length.to_string(),
        Extent::Size(size, 0) => format!("s[{size}]"),
        Extent::Size(size, more) => format!("(s[{size}] + {more})"),
    }
}

impl Generator {
    /// An extent as an expression.
    pub(in crate::generate) fn extent(&self, extent: &Extent) -> Expr {
        match *extent {
            Extent::Constant(length) => Expr::atom(length.to_string()),
            Extent::Size(size, more) => {
                let size = Expr::atom(self.visible.sizes[size].name.clone());
                let by = Expr::atom(more.abs().to_string());
                match more {
                    0 => size,
                    more => Expr::binary(if more > 0 { "+" } else { "-" }, size, by),
                }
            }
        }
    }

    /// How an array of pointers to rows is declared.
    pub(in crate::generate) fn rows(&mut self) -> Form {
        Form::Rows(
            self.random
                .weighted(&[(4, "**"), (1, "*const *"), (2, "*")]),
        )
    }

    /// Makes two extents those of flat memory under another subscript: rows are as far apart as they
    /// are long, farther, or less far, so that they overlap.
    pub(in crate::generate) fn wide(&mut self, extents: &mut Vec<Extent>) -> Form {
        let length = extents[1];
        let more = |by: i64| match length {
            Extent::Size(size, more) => Extent::Size(size, more + by),
            Extent::Constant(length) => Extent::Constant(length + by),
        };
        let other = Extent::Size(self.random.below(self.visible.sizes.len()), 0);
        let apart = self.random.weighted(&[
            (6, length),
            (2, more(2)),
            (1, more(-1)),
            (1, other),
            (1, Extent::Constant(3)),
        ]);
        let cells = self.random.percent(35);
        extents.push(Extent::Constant(match cells {
            true => CELL,
            false => self.random.range(2, 4),
        }));
        Form::Wide { apart, cells }
    }

    /// Pointers to the rows of each array that has some: in order, in another one, apart, among those
    /// of another array, and such that rows have elements in common.
    pub(in crate::generate) fn prepare_rows(&mut self, entry: &mut Vec<Stmt>) {
        let is_rows = |array: &Array| matches!(array.form, Form::Rows(_));
        for k in 0..self.visible.arrays.len() {
            if !is_rows(&self.visible.arrays[k]) {
                continue;
            }
            let array = self.visible.arrays[k].clone();
            let same = |other: &Array| {
                is_rows(other) && other.spelt == array.spelt && other.extents == array.extents
            };
            let partner =
                (0..self.visible.arrays.len()).find(|&j| j != k && same(&self.visible.arrays[j]));
            let partner = partner.unwrap_or(k);
            let (count, length) = (number(array.extents[0]), number(array.extents[1]));
            let (own, other) = (format!("p[{k}]"), format!("p[{partner}]"));
            let plain = (own.clone(), format!("r * {length}"));
            // Of two arrays each other row lies in the memory of one of them.
            let among = match partner < k {
                true => (other.clone(), format!("(2 * r + 1) * {length}")),
                false => (own.clone(), format!("2 * r * {length}")),
            };
            let alternately = (
                format!("(r % 2 ? {other} : {own})"),
                format!("r * {length}"),
            );
            let at = |by: &str| (own.clone(), by.replace('W', &length).replace('H', &count));
            let way = self.random.weighted(&[
                (4, at("(H - 1 - r) * W")),
                (4, at("(r * 5 + 2) % H * W")),
                (2, at("2 * r * W")),
                (2, at("r / 2 * W")),
                (1, at("r % 3 * W")),
                (2, at("r * (W - 1)")),
                (1, at("r")),
                (4, among),
                (2, alternately),
            ]);
            let ty = match array.written {
                true => array.spelt.to_owned(),
                false => format!("const {}", array.spelt),
            };
            let placed = |(of, by): &(String, String)| format!("({ty} *){of} + {by}");
            let place = match self.random.below(10) {
                0..=4 => placed(&plain),
                5..=7 => {
                    let size = self.random.below(self.visible.sizes.len());
                    format!("s[{size}] % 3 == 1 ? {} : {}", placed(&way), placed(&plain))
                }
                _ => placed(&way),
            };
            // No row more than there are, so that sanitizers see who reads one.
            entry.push(Stmt::Raw(format!(
                "{ty} *rows{k}[{count} > 0 ? {count} : 1];"
            )));
            entry.push(Stmt::Raw(format!(
                "for (long r = 0; r < {count}; r++) rows{k}[r] = {place};"
            )));
        }
    }

    /// `float *of[2] = {a, b};`: arrays as the rows of one. None where no two are alike.
    pub(in crate::generate) fn table_of_rows(&mut self) -> Option<Stmt> {
        if !self.random.percent(9) {
            return None;
        }
        let fits =
            |a: &&Array| a.extents.len() == 1 && a.form == Form::Brackets && a.below.is_none();
        let all: Vec<Array> = self.visible.arrays.iter().filter(fits).cloned().collect();
        let first = all.first()?.clone();
        let alike = |a: &&Array| {
            a.spelt == first.spelt && a.extents == first.extents && a.written == first.written
        };
        let mut rows: Vec<Array> = all.iter().filter(alike).cloned().collect();
        // One is twice among them at times.
        if rows.len() < 2 || self.random.percent(10) {
            rows.push(first.clone());
        }
        let name = self.fresh("of");
        let names: Vec<String> = rows.iter().map(|a| a.name.clone()).collect();
        let table = Array {
            name: name.clone(),
            extents: vec![Extent::Constant(rows.len() as i64), first.extents[0]],
            form: Form::Rows("*"),
            low: rows.iter().map(|a| a.low).min().unwrap_or(first.low),
            high: rows.iter().map(|a| a.high).max().unwrap_or(first.high),
            ..first
        };
        let declared = parameter(&table, "*", "");
        self.visible.arrays.push(table);
        Some(Stmt::Raw(format!("{declared} = {{{}}};", names.join(", "))))
    }
}
