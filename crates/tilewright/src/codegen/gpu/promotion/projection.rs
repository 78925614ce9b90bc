//! The cells that a tile touches, as the shadow of what it touches when.
//!
//! An array that takes turns, as `A[t % 2][i][j]`, has its cells touched in every second step, each
//! time in a box that has moved or grown. Over cells alone these boxes are a set with a staircase
//! for each corner: cases over cases. Together with the step `t` they are a convex set and a
//! remainder, and whether a cell is among them is one comparison, of the last step that some faces
//! allow with the first one that others do:
//!
//! ```text
//! ∃ t ≡ o (mod s):  lₖ ≤ t,  t ≤ uₖ     ⇔     max ⌈(lₖ − o) / s⌉  ≤  min ⌊(uₖ − o) / s⌋
//! ```

use crate::codegen::kernel::{Comparison, Index};
use crate::plan::defaults::PROMOTED_PARTS;
use isl::{BasicSet, Constraint, DimType, Result, Set};

/// Steps of one remainder, in which cells of a convex set are touched.
struct Band {
    /// Over the cell's dimensions and the step; no division in it.
    convex: BasicSet,
    stride: i64,
    offset: i64,
}

impl Band {
    /// Its cells, of so many dimensions, and steps.
    fn set(&self, rank: usize) -> Result<Set> {
        let set = Set::from_basic_set(&self.convex)?;
        if self.stride == 1 {
            return Ok(set);
        }
        let dims: String = (0..rank).map(|dim| format!("x{dim}, ")).collect();
        let Band { stride, offset, .. } = self;
        let text = format!("{{ [{dims}t] : (t - {offset}) mod {stride} = 0 }}");
        set.intersect(&Set::read_from_str(set.ctx(), &text)?)
    }
}

/// Cells that are touched in one of some steps.
pub(crate) struct Shadow {
    bands: Vec<Band>,
    rank: usize,
    /// Whether these are the given cells, and no others.
    exact: bool,
}

impl Shadow {
    /// The shadow of a set over cells of so many dimensions and the step. `None` where it has many
    /// parts, or nothing simple is known of their steps.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(touched: &Set, rank: usize) -> Result<Option<Shadow>> {
        let parts = touched.basic_sets()?;
        if parts.len() > PROMOTED_PARTS {
            return Ok(None);
        }
        let mut shadow = Shadow {
            bands: Vec::new(),
            rank,
            exact: true,
        };
        for part in parts {
            let set = Set::from_basic_set(&part)?;
            if set.is_empty()? {
                continue;
            }
            let info = set.get_stride_info(rank)?;
            let offset = info.get_offset()?;
            let known = if offset.is_cst()? {
                (info.get_stride()?.to_i64()).zip(offset.get_constant_val()?.to_i64())
            } else {
                None
            };
            let (stride, offset) = known.filter(|(stride, _)| *stride > 1).unwrap_or((1, 0));
            let band = Band {
                convex: part.remove_divs()?.remove_redundancies()?,
                stride,
                offset: offset.rem_euclid(stride),
            };
            shadow.exact &= band.set(rank)?.is_subset(&set)?;
            shadow.bands.push(band);
        }
        Ok(Some(shadow))
    }

    /// What is touched in all steps of each remainder.
    fn kinds(&self) -> Result<Vec<(i64, i64, Set)>> {
        let mut kinds: Vec<(i64, i64, Set)> = Vec::new();
        for Band {
            convex,
            stride,
            offset,
        } in &self.bands
        {
            let set = Set::from_basic_set(convex)?;
            match kinds
                .iter_mut()
                .find(|kind| (kind.0, kind.1) == (*stride, *offset))
            {
                Some((.., all)) => *all = all.union(&set)?,
                None => kinds.push((*stride, *offset, set)),
            }
        }
        Ok(kinds)
    }

    /// The same with one part for all steps of a remainder, which has more cells.
    ///
    /// # Errors
    /// isl's own.
    pub fn wider(&self) -> Result<Shadow> {
        let mut bands = Vec::new();
        for (stride, offset, all) in self.kinds()? {
            let convex = all.coalesce()?.simple_hull()?.remove_divs()?;
            bands.push(Band {
                convex: convex.remove_redundancies()?,
                stride,
                offset,
            });
        }
        Ok(Shadow {
            exact: self.exact && bands.len() == self.bands.len(),
            bands,
            rank: self.rank,
        })
    }

    /// The same with a box for each step, which has more cells; only those in a set of cells
    /// count, which need not be tested for.
    ///
    /// # Errors
    /// isl's own.
    pub fn boxes(&self, among: &Set) -> Result<Shadow> {
        let among = among.insert_dims(DimType::Set, self.rank, 1)?;
        let mut bands = Vec::new();
        for (stride, offset, all) in self.kinds()? {
            let mut faces = Set::universe(&all.get_space()?)?;
            for dim in 0..self.rank {
                let own = all.eliminate(DimType::Set, dim + 1, self.rank - dim - 1)?;
                let own = own.eliminate(DimType::Set, 0, dim)?.simple_hull()?;
                faces = faces.intersect(&Set::from_basic_set(&own.remove_divs()?)?)?;
            }
            let convex = faces.gist(&among)?.simple_hull()?.remove_divs()?;
            bands.push(Band {
                convex: convex.remove_redundancies()?,
                stride,
                offset,
            });
        }
        Ok(Shadow {
            exact: false,
            bands,
            rank: self.rank,
        })
    }

    /// Whether it has the cells it was made of, and no others.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Its cells.
    ///
    /// # Errors
    /// isl's own.
    pub fn cells(&self) -> Result<Option<Set>> {
        let mut all: Option<Set> = None;
        for band in &self.bands {
            let cells = band.set(self.rank)?;
            let cells = cells.project_out(DimType::Set, self.rank, 1)?;
            all = Some(match all {
                Some(before) => before.union(&cells)?,
                None => cells,
            });
        }
        all.map(|all| all.coalesce()).transpose()
    }

    /// Whether a cell is among them, for indices `cell`; `named` are the parameters of isl's.
    /// `None` where a number is too large.
    ///
    /// # Errors
    /// isl's own.
    pub fn holds(&self, cell: &[Index], named: &dyn Fn(&str) -> Index) -> Result<Option<Index>> {
        let mut all = Vec::new();
        for band in &self.bands {
            match self.in_band(band, cell, named)? {
                Some(condition) => all.push(condition),
                None => return Ok(None),
            }
        }
        Ok(Some(match all.len() {
            1 => all.swap_remove(0),
            _ => Index::Any(all),
        }))
    }

    fn in_band(
        &self,
        band: &Band,
        cell: &[Index],
        named: &dyn Fn(&str) -> Index,
    ) -> Result<Option<Index>> {
        let (mut tests, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
        for constraint in band.convex.constraints()? {
            let Some((rest, of_step)) = self.sum(&constraint, cell, named)? else {
                return Ok(None);
            };
            let equal = constraint.is_equality()?;
            // of_step * (stride * e + offset) + rest ≥ 0
            let rest = rest.plus(&Index::Int(of_step.saturating_mul(band.offset)));
            let by = of_step.saturating_abs().saturating_mul(band.stride);
            if of_step == 0 {
                tests.push(rest.compared_with_zero(if equal {
                    Comparison::Equal
                } else {
                    Comparison::GreaterEqual
                }));
                continue;
            }
            let up = |sum: &Index| sum.plus(&Index::Int(by - 1)).floor_div(by);
            let first = if of_step > 0 {
                rest.times(-1)
            } else {
                rest.clone()
            };
            if of_step > 0 || equal {
                lower.push(up(&first));
            }
            if of_step < 0 || equal {
                upper.push(first.floor_div(by));
            }
        }
        if !lower.is_empty() && !upper.is_empty() {
            tests.push(Index::Compare(
                Comparison::LessEqual,
                Box::new(Index::max_of(lower)),
                Box::new(Index::min_of(upper)),
            ));
        }
        Ok(Some(match tests.len() {
            0 => Index::Int(1),
            1 => tests.swap_remove(0),
            _ => Index::All(tests),
        }))
    }

    /// What a constraint says of a cell: a sum without the step, and the step's factor.
    fn sum(
        &self,
        constraint: &Constraint,
        cell: &[Index],
        named: &dyn Fn(&str) -> Index,
    ) -> Result<Option<(Index, i64)>> {
        let Some(constant) = constraint.get_constant_val()?.to_i64() else {
            return Ok(None);
        };
        let mut sum = Index::Int(constant);
        for param in 0..constraint.dim(DimType::Param)? {
            let factor = constraint.get_coefficient_val(DimType::Param, param)?;
            match factor.to_i64() {
                Some(0) => {}
                Some(factor) => {
                    let name = constraint.get_dim_name(DimType::Param, param)?;
                    sum = sum.plus(&named(&name).times(factor));
                }
                None => return Ok(None),
            }
        }
        for (dim, index) in cell.iter().enumerate() {
            let factor = constraint.get_coefficient_val(DimType::Set, dim)?;
            match factor.to_i64() {
                Some(factor) => sum = sum.plus(&index.times(factor)),
                None => return Ok(None),
            }
        }
        let of_step = constraint.get_coefficient_val(DimType::Set, self.rank)?;
        Ok(of_step.to_i64().map(|factor| (sum, factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::gpu::promotion::copy_loops::tests;
    use crate::codegen::gpu::replay::Finding;
    use crate::codegen::terms::number::number;
    use isl::Ctx;

    /// Whether cells have the shadow, by the condition, against the definition.
    fn compare(shadow: &Shadow, touched: &dyn Fn(i64, i64, i64, i64) -> bool) -> usize {
        let cell = ["i", "j"].map(Index::var);
        let condition = shadow.holds(&cell, &Index::var).unwrap().unwrap();
        for n in 9..12 {
            for (i, j) in (-3..16).flat_map(|i| (-3..20).map(move |j| (i, j))) {
                let values = [("n", n), ("i", i), ("j", j)];
                let nothing = &mut |_, _| panic!("no data");
                let holds = number::<Finding>(&condition, &[], &values, nothing).unwrap() != 0;
                let wanted = (-2..9).any(|t| touched(n, i, j, t));
                assert_eq!(holds, wanted, "{i}, {j} of {n}: {condition:?}");
            }
        }
        tests(&condition)
    }

    /// In every second step, a box that shrinks along one dimension and grows along the other.
    #[test]
    fn a_staircase_is_one_comparison() {
        let ctx = Ctx::new();
        let text = "[n] -> { [i, j, t] : 0 <= t <= 6 and t mod 2 = 1 and t <= i <= n - t and \
                    6 - t <= j <= 9 + t }";
        let touched = Set::read_from_str(&ctx, text).unwrap();
        let shadow = Shadow::of(&touched, 2).unwrap().unwrap();
        assert!(shadow.is_exact());
        let inside = |n, i, j, t: i64| {
            (0..=6).contains(&t)
                && t % 2 == 1
                && (t..=n - t).contains(&i)
                && (6 - t..=9 + t).contains(&j)
        };
        // Three faces from below and three from above, and one comparison.
        assert!(compare(&shadow, &inside) <= 5);
        let cells = touched.project_out(DimType::Set, 2, 1).unwrap();
        assert!(shadow.cells().unwrap().unwrap().is_equal(&cells).unwrap());
        // The same cells, and as few conditions.
        assert!(shadow.wider().unwrap().is_exact());
    }

    /// A cross with arms of two cells is no convex set: between the ends of two arms there are
    /// cells that it does not have. A box around it in each step has more cells.
    #[test]
    fn one_shadow_for_all_neighbours_is_wider() {
        let ctx = Ctx::new();
        let text = "[n] -> { [i, j, t] : 0 <= t <= 4 and t mod 2 = 0 and \
                    exists (a, b : t <= a <= n - t and 6 - t <= b <= 9 + t and \
                    ((i = a and b - 2 <= j <= b + 2) or (j = b and a - 2 <= i <= a + 2))) }";
        let touched = Set::read_from_str(&ctx, text).unwrap().coalesce().unwrap();
        let shadow = Shadow::of(&touched, 2).unwrap().unwrap();
        let cells = touched.project_out(DimType::Set, 2, 1).unwrap();
        let wider = shadow.wider().unwrap();
        assert!(!wider.is_exact());
        assert!(
            cells
                .is_strict_subset(&wider.cells().unwrap().unwrap())
                .unwrap()
        );
        // Within these bounds of cells nothing is left out.
        let among = Set::read_from_str(&ctx, "{ [i, j] : -3 <= i < 16 and -3 <= j < 20 }").unwrap();
        let boxes = shadow.boxes(&among).unwrap();
        let around = |n, i, j, t: i64| {
            (0..=4).contains(&t)
                && t % 2 == 0
                && t <= n - t
                && (t - 2..=n - t + 2).contains(&i)
                && (4 - t..=11 + t).contains(&j)
        };
        assert!(compare(&boxes, &around) <= 6);
        let boxes = boxes.cells().unwrap().unwrap();
        assert!(cells.is_strict_subset(&boxes).unwrap());
    }
}
