//! Subscripts that stay within their arrays.

use super::{Array, Extent, Generator, Typed};
use crate::tree::Expr;

impl Generator {
    /// A subscript for each dimension. None where an extent may be empty here.
    pub(super) fn subscripts(&mut self, array: &Array, depth: u32) -> Option<Vec<Expr>> {
        let extents = array.extents.clone();
        extents
            .iter()
            .map(|extent| self.subscript(*extent, depth))
            .collect()
    }

    fn subscript(&mut self, extent: Extent, depth: u32) -> Option<Expr> {
        match extent {
            Extent::Constant(length) => {
                let value = if self.random.percent(75) {
                    self.loop_variable()
                } else {
                    self.index_value(depth)
                };
                let value = value.unwrap_or_else(|| Typed::literal(0));
                let value = if self.random.percent(25) {
                    let by = Typed::literal(self.random.range(-2, 3));
                    self.join("+", value, by)
                } else if self.random.percent(6) {
                    self.join("*", value, Typed::literal(2))
                } else {
                    value
                };
                if value.low >= 0 && value.high < length.into() {
                    return Some(value.expr);
                }
                if value.ty.promoted().is_signed()
                    && value.low >= -1
                    && value.high <= i128::from(length)
                    && self.random.percent(50)
                {
                    let last = Expr::atom((length - 1).to_string());
                    let upper = Expr::cond(
                        Expr::binary("<", value.expr.clone(), last.clone()),
                        value.expr.clone(),
                        last,
                    );
                    return Some(Expr::cond(
                        Expr::binary("<", value.expr, Expr::atom("0")),
                        Expr::atom("0"),
                        upper,
                    ));
                }
                let mut mask = 1;
                while mask * 2 <= length {
                    mask *= 2;
                }
                if value.ty.promoted().is_signed() || self.random.percent(50) {
                    return Some(self.masked(value, mask - 1).expr);
                }
                Some(Expr::binary(
                    "%",
                    value.expr,
                    Expr::atom(length.to_string()),
                ))
            }
            Extent::Size(size, more) => {
                let fitting: Vec<_> = self
                    .visible
                    .scalars
                    .iter()
                    .filter(|s| s.low >= 0 && !s.ty.is_float() && !s.assigned)
                    .filter(|s| {
                        let least = s.low.min(3) as i64 * i64::from(s.is_loop);
                        matches!(s.below, Some((of, c)) if of == size && c - least < more)
                    })
                    .cloned()
                    .collect();
                if self.random.percent(12) {
                    // Data picks the cell.
                    let data = self.some_element_below(size, more);
                    if data.is_some() {
                        return data;
                    }
                }
                if fitting.is_empty() {
                    let any = self.loop_variable()?;
                    if any.low >= 0 && any.high < more.into() {
                        return Some(any.expr);
                    }
                    return None;
                }
                let at = fitting.len()
                    - 1
                    - self
                        .random
                        .below(fitting.len())
                        .min(self.random.below(fitting.len()));
                let scalar = &fitting[at];
                let name = Expr::atom(scalar.name.clone());
                self.rules.at_least_zero |= !scalar.is_loop;
                let (_, c) = scalar.below.unwrap_or((size, 0));
                let least = -(scalar.low.min(3) as i64);
                let most = (more - 1 - c).min(3);
                if most < 0 {
                    let by = self.random.range(-most, -least);
                    return Some(Expr::binary("-", name, Expr::atom(by.to_string())));
                }
                let signed = scalar.ty.promoted().is_signed()
                    && self.visible.sizes[size].ty.promoted().is_signed();
                let bound = Expr::atom(self.visible.sizes[size].name.clone());
                let at_least_one = scalar.is_loop && c < 0;
                Some(match self.random.below(14) {
                    0 if at_least_one => {
                        // From the other end.
                        let last = Expr::binary("-", bound, Expr::atom("1"));
                        Expr::binary("-", last, name)
                    }
                    1 => Expr::binary("/", name, Expr::atom("2")),
                    2 if at_least_one && signed => {
                        let next = Expr::binary("+", name.clone(), Expr::atom("1"));
                        Expr::cond(Expr::binary("<", next.clone(), bound), next, name)
                    }
                    3 if at_least_one => {
                        let before = Expr::binary("-", name.clone(), Expr::atom("1"));
                        Expr::cond(
                            Expr::binary(">", name, Expr::atom("0")),
                            before,
                            Expr::atom("0"),
                        )
                    }
                    4 if at_least_one => {
                        let by = self.random.range(1, 5);
                        let sum = Expr::binary("+", name, Expr::atom(by.to_string()));
                        Expr::binary("%", sum, bound)
                    }
                    5 => {
                        let mask = *self.random.pick(&[1, 3, 7]);
                        Expr::binary("&", name, Expr::atom(mask.to_string()))
                    }
                    6..=9 if least < most => match self.random.range(least, most) {
                        0 => name,
                        by if by < 0 => Expr::binary("-", name, Expr::atom((-by).to_string())),
                        by => Expr::binary("+", name, Expr::atom(by.to_string())),
                    },
                    10 => self.quotient(name),
                    11 if at_least_one => self.quotient(bound),
                    _ => name,
                })
            }
        }
    }

    /// A part of a value that is not negative: a quotient of its multiple, or of a quotient's.
    fn quotient(&mut self, value: Expr) -> Expr {
        let number = |n: i64| Expr::atom(n.to_string());
        let value = if self.random.percent(50) {
            Expr::binary("/", value, number(*self.random.pick(&[2, 3, 4])))
        } else {
            value
        };
        let (factor, by) = *self.random.pick(&[(1, 2), (2, 3), (3, 5), (3, 4), (5, 7)]);
        Expr::binary("/", Expr::binary("*", value, number(factor)), number(by))
    }

    /// A loop's variable, the innermost ones more often.
    pub(super) fn loop_variable(&mut self) -> Option<Typed> {
        let of: Vec<usize> = (0..self.visible.scalars.len())
            .filter(|&k| self.visible.scalars[k].is_loop)
            .collect();
        if of.is_empty() {
            return None;
        }
        let k = of[of.len() - 1 - self.random.below(of.len()).min(self.random.below(of.len()))];
        Some(self.visible.scalars[k].read())
    }

    fn index_value(&mut self, depth: u32) -> Option<Typed> {
        if depth == 0 {
            return self.loop_variable();
        }
        let value = self.integer(depth);
        Some(value)
    }

    /// An element that is a subscript for this extent.
    fn some_element_below(&mut self, size: usize, more: i64) -> Option<Expr> {
        let fits =
            |a: &Array| matches!(a.below, Some((of, c)) if of == size && c < more) && a.low >= 0;
        let of: Vec<usize> = (0..self.visible.arrays.len())
            .filter(|&k| fits(&self.visible.arrays[k]))
            .collect();
        if of.is_empty() {
            return None;
        }
        let array = self.visible.arrays[*self.random.pick(&of)].clone();
        let variable = self.visible.scalars.iter().rev().find(|s| {
            s.is_loop && s.low >= 0 && matches!((array.extents[0], s.below), (Extent::Size(a, m), Some((b, c))) if a == b && c < m)
        })?;
        let at = Expr::atom(variable.name.clone());
        Some(self.element(&array, vec![at]))
    }
}
