//! How loops run: from where, to where, in which steps.

use crate::generate::{Array, Extent, Generator, LARGEST};
use crate::tree::{Expr, Type};

/// How a loop runs.
pub(in crate::generate) struct Course {
    pub(in crate::generate) ty: Type,
    pub(in crate::generate) from: Expr,
    pub(in crate::generate) condition: Expr,
    pub(in crate::generate) step: String,
    pub(in crate::generate) low: i128,
    pub(in crate::generate) high: i128,
    pub(in crate::generate) below: Option<(usize, i64)>,
}

impl Generator {
    /// A loop of bytes that ends where it meets a value, at once or after it came around: with odd steps
    /// it does.
    fn around(&mut self, name: &str, size: &str) -> Course {
        let value = Expr::atom(self.random.range(0, 40).to_string());
        let sized = Expr::cast(Type::U8, Expr::atom(size));
        let (from, until) = match self.random.percent(50) {
            true => (value, sized),
            false => (sized, value),
        };
        let step = *self.random.pick(&["+= 3", "+= 5", "-= 3", "-= 7"]);
        Course {
            ty: Type::U8,
            from,
            condition: Expr::binary("!=", Expr::atom(name), until),
            step: format!("{name} {step}"),
            low: 0,
            high: 255,
            below: None,
        }
    }

    /// How a loop over this variable runs.
    pub(in crate::generate) fn course(&mut self, name: &str) -> Option<Course> {
        let size = self.random.below(self.visible.sizes.len());
        let number = self.visible.sizes[size].clone();
        let size_signed = number.ty.promoted().is_signed();
        let ty = self.random.weighted(&[
            (60, Type::I32),
            (14, number.ty),
            (6, Type::I64),
            (8, Type::U64),
            (7, Type::U32),
            (3, Type::U8),
            (2, Type::I16),
            (1, Type::U16),
            (1, Type::I8),
        ]);
        if ty == Type::U8 && self.random.percent(50) {
            return Some(self.around(name, &number.name));
        }
        let signed = ty.is_signed();
        let both = signed && size_signed;
        self.rules.at_least_zero |= size_signed && !ty.promoted().is_signed();
        let var = || Expr::atom(name);
        let n = || Expr::atom(number.name.clone());
        let plus = |e: Expr, by: i64| match by {
            0 => e,
            by if by < 0 => Expr::binary("-", e, Expr::atom((-by).to_string())),
            by => Expr::binary("+", e, Expr::atom(by.to_string())),
        };
        let literal = |value: i64| Expr::atom(value.to_string());
        let mut low = *self.random.pick(&[0, 0, 0, 0, 1, 1, 2]);
        let mut from = literal(low);
        let outer = self.loop_variable().filter(|o| o.low >= 0);
        let stride = self.random.weighted(&[(12, 1), (1, 2), (1, 3)]);
        let up = if stride == 1 {
            self.random.pick(&["++", "++", "++", " += 1"]).to_string()
        } else {
            format!(" += {stride}")
        };
        let by = self.variable_step(size);
        let step = match &by {
            Some(by) => format!("{name} += {by}"),
            None if stride == 1 && self.random.percent(20) => format!("++{name}"),
            None => format!("{name}{up}"),
        };
        let course =
            |from: Expr, condition: Expr, step: String, low: i64, high: i64, below| Course {
                ty,
                from,
                condition,
                step,
                low: low.into(),
                high: high.into(),
                below,
            };
        let margin = *self.random.pick(&[0, 0, 0, 1, 1, 2]);
        let way = match by.is_some() {
            true => *self.random.pick(&[0, 19, 19]),
            false => self.random.below(20),
        };
        Some(match way {
            // Backwards.
            0 | 1 if signed && (ty.bytes() <= 4 || number.ty != Type::U32) => {
                let condition = match low {
                    0 if self.random.percent(70) => Expr::binary(">=", var(), literal(0)),
                    low => Expr::binary(">", var(), literal(low - 1)),
                };
                let down = match by {
                    Some(by) => format!("{name} -= {by}"),
                    None if stride == 1 => format!("{name}--"),
                    None => format!("{name} -= {stride}"),
                };
                course(
                    plus(n(), -1 - margin),
                    condition,
                    down,
                    low,
                    LARGEST - 1 - margin,
                    Some((size, -1 - margin)),
                )
            }
            2 if both => {
                let last = plus(n(), -1 - margin);
                course(
                    from,
                    Expr::binary("<=", var(), last),
                    step,
                    low,
                    LARGEST - 1 - margin,
                    Some((size, -1 - margin)),
                )
            }
            3 if !size_signed && stride == 1 => course(
                literal(0),
                Expr::binary("!=", var(), n()),
                step,
                0,
                LARGEST - 1,
                Some((size, -1)),
            ),
            4 | 5 if outer.is_some() => {
                // Triangles.
                let outer = outer?;
                let (oc, from_outer) = (outer.below, outer.expr.clone());
                if self.random.percent(50) {
                    let by = self.random.range(0, 1);
                    low = i64::try_from(outer.low).ok()? + by;
                    from = plus(from_outer, by);
                    course(
                        from,
                        Expr::binary("<", var(), n()),
                        step,
                        low,
                        LARGEST - 1,
                        Some((size, -1)),
                    )
                } else {
                    let strict = self.random.percent(60);
                    let op = if strict { "<" } else { "<=" };
                    let high = i64::try_from(outer.high).ok()? - i64::from(strict);
                    let below = oc.map(|(s, c)| (s, c - i64::from(strict)));
                    course(
                        from,
                        Expr::binary(op, var(), from_outer),
                        step,
                        low,
                        high,
                        below,
                    )
                }
            }
            6 => {
                let by = *self.random.pick(&[2, 2, 3, 4]);
                let bound = Expr::binary("/", n(), literal(by));
                course(
                    from,
                    Expr::binary("<", var(), bound),
                    step,
                    low,
                    LARGEST / by - 1,
                    Some((size, -1)),
                )
            }
            7 | 8 => {
                let most = *self.random.pick(&[2, 3, 4, 7, 8, 16]);
                course(
                    from,
                    Expr::binary("<", var(), literal(most)),
                    step,
                    low,
                    most - 1,
                    None,
                )
            }
            9 if self.visible.sizes.len() > 1 => {
                let other = &self.visible.sizes[(size + 1) % self.visible.sizes.len()];
                let m = Expr::atom(other.name.clone());
                let least = Expr::cond(Expr::binary("<", n(), m.clone()), n(), m);
                course(
                    from,
                    Expr::binary("<", var(), least),
                    step,
                    low,
                    LARGEST - 1,
                    Some((size, -1)),
                )
            }
            10 if outer.is_some() => {
                // A window that is cut off.
                let outer = outer?;
                let width = self.random.range(2, 5);
                low = i64::try_from(outer.low).ok()?;
                let end = Expr::binary("+", outer.expr.clone(), literal(width));
                let cond = Expr::binary(
                    "&&",
                    Expr::binary("<", var(), n()),
                    Expr::binary("<", var(), end),
                );
                course(outer.expr, cond, step, low, LARGEST - 1, Some((size, -1)))
            }
            11 | 12 => {
                let (first, last, array) = self.data_bounds()?;
                let narrow = ty.bytes() >= array.ty.bytes() || ty.bytes() >= 2;
                if !narrow {
                    return None;
                }
                course(
                    first,
                    Expr::binary("<", var(), last),
                    step,
                    0,
                    i64::try_from(array.high).ok()? - 1,
                    array.below.map(|(s, c)| (s, c - 1)),
                )
            }
            13 if both => {
                // From below zero.
                let least = self.random.range(-2, -1);
                course(
                    literal(least),
                    Expr::binary("<", var(), n()),
                    step,
                    least,
                    LARGEST - 1,
                    Some((size, -1)),
                )
            }
            _ => {
                let condition = if margin == 0 {
                    Expr::binary("<", var(), n())
                } else if size_signed && ty.promoted().is_signed() {
                    Expr::binary("<", var(), plus(n(), -margin))
                } else {
                    Expr::binary("<", plus(var(), margin), n())
                };
                course(
                    from,
                    condition,
                    step,
                    low,
                    LARGEST - 1 - margin,
                    Some((size, -1 - margin)),
                )
            }
        })
    }

    /// Bounds that are data: rows of a sparse matrix, or an element.
    fn data_bounds(&mut self) -> Option<(Expr, Expr, Array)> {
        let of: Vec<usize> = (0..self.visible.arrays.len())
            .filter(|&k| self.visible.arrays[k].below.is_some())
            .collect();
        if of.is_empty() {
            return None;
        }
        let array = self.visible.arrays[*self.random.pick(&of)].clone();
        let Extent::Size(size, _) = array.extents[0] else {
            return None;
        };
        let outer = self.visible.scalars.iter().rev().find(|s| {
            s.is_loop && s.low >= 0 && matches!(s.below, Some((of, c)) if of == size && c < 0)
        })?;
        let at = |e: Expr| Expr::Index(array.name.clone(), vec![e]);
        let here = Expr::atom(outer.name.clone());
        if array.sorted {
            let next = Expr::binary("+", here.clone(), Expr::atom("1"));
            Some((at(here), at(next), array))
        } else {
            Some((Expr::atom("0"), at(here), array))
        }
    }
}
