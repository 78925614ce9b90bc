//! Values that are computed of sums in a type of their own: quotients whose divisor is a size,
//! positions with bits of fraction, `(x * step) >> 16`, and sums in `unsigned int` that are converted.
//!
//! A quotient by a positive number grows with what is divided, so that its ends are those of the sum,
//! divided. They are computed in front of the region, where is also compared whether the sum is a value
//! of its type.

use super::arithmetic::{Here, same};
use super::{End, Part, Spread, Wraps};
use crate::frontend::c::lower::values::polynomial::Polynomial;
use crate::scop::ScalarKind;
use isl::{PwAff, Result};
use std::rc::Rc;

/// A value that is computed of a sum.
#[derive(Clone, Debug)]
pub(crate) struct Computed {
    /// The sum, without data.
    pub parts: Vec<Part>,
    /// The type in which it is computed, and divided.
    pub kind: ScalarKind,
    pub by: By,
}

/// By what a sum is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum By {
    One,
    /// By 2 to the power of this, down.
    Shift(u32),
    /// By a size, towards zero; where it is positive.
    Size(Polynomial),
}

impl Here<'_, '_> {
    /// What is computed of a sum; `None` where data is in it, or it is no sum.
    pub fn computed(&self, sum: &Spread, kind: ScalarKind, by: By) -> Result<Option<Spread>> {
        let wide = kind.bytes() >= 4 && !kind.is_float();
        let narrow = sum.wraps < Wraps::At32 || kind == ScalarKind::U32;
        let Some(parts) = sum.parts.clone().filter(|_| wide && narrow) else {
            return Ok(None);
        };
        if !parts.iter().all(Part::is_free_of_data) {
            return Ok(None);
        }
        let typed = self.of_type(Some(kind))?;
        let divisor = match by {
            By::Shift(by) => Some(1_i64 << by),
            _ => None,
        };
        let ends = [typed.least, typed.greatest].map(|end| match (end, divisor) {
            (Some(end), Some(by)) => {
                let by = isl::Val::int_from_si(self.lowering.ctx, by)?;
                end.scale_down_val(&by)?.floor().map(Some)
            }
            (end, _) => Result::Ok(end),
        });
        let [least, greatest] = ends;
        let end = End::Computed(Rc::new(Computed { parts, kind, by }));
        let part = Part {
            stride: Polynomial::constant(1),
            negative: false,
            least: end.clone(),
            greatest: end,
        };
        Ok(Some(Spread {
            least: least?,
            greatest: greatest?,
            parts: Some(vec![part]),
            wraps: Wraps::Never,
        }))
    }
}

impl Computed {
    /// Whether two are the same.
    pub(super) fn is(&self, other: &Computed) -> bool {
        self.kind == other.kind && self.by == other.by && same(&self.parts, &other.parts)
    }
}

impl Part {
    /// Whether what it is computed of is known.
    pub(super) fn is_free_of_data(&self) -> bool {
        match (&self.least, &self.greatest) {
            (End::Computed(one), End::Computed(other)) => Rc::ptr_eq(one, other) || one.is(other),
            _ => self.is_static(),
        }
    }

    /// The same with other ends, also of what it is computed of; each is told whether it is the
    /// greatest one. `None` where one has none.
    pub(super) fn with_ends(
        &self,
        end: &impl Fn(&PwAff, bool) -> Result<Option<PwAff>>,
    ) -> Result<Option<Part>> {
        let of = |own: &End, greatest: bool| -> Result<Option<End>> {
            Ok(match own {
                End::At(value) => end(value, greatest)?.map(End::At),
                End::Computed(computed) => {
                    let mut parts = Vec::new();
                    for part in &computed.parts {
                        match part.with_ends(end)? {
                            Some(part) => parts.push(part),
                            None => return Ok(None),
                        }
                    }
                    Some(End::Computed(Rc::new(Computed {
                        parts,
                        ..(**computed).clone()
                    })))
                }
                End::Data(..) | End::Scalar(_) => Some(own.clone()),
            })
        };
        let ends = of(&self.least, false)?.zip(of(&self.greatest, true)?);
        Ok(ends.map(|(least, greatest)| Part {
            least,
            greatest,
            ..self.clone()
        }))
    }
}
