//! Distances that are computed in a type of their own, as the text in front of a region computes them.

use super::apart::Side;
use super::checks::{LONGEST, Number, Writer};
use crate::codegen::c::bodies::index::strength::*;
use crate::scop::{Divisor, Rows, ScalarKind};
use isl::Result;

impl Writer<'_> {
    /// What computations add to one end of a range, and whether it is subtracted; and conditions under
    /// which it is what the original computes. A condition stands behind all that it needs.
    pub(in crate::codegen::c) fn computed(
        &mut self,
        rows: &Rows,
        side: Side,
        conditions: &mut Vec<String>,
    ) -> Result<Vec<(bool, Number)>> {
        let mut all = Vec::new();
        for one in &rows.computed {
            let ([first, last], more) = self.rows(&one.sum)?;
            conditions.extend(more);
            let unsigned = matches!(one.kind, ScalarKind::U32 | ScalarKind::U64);
            if unsigned && first.text.parse::<u64>().is_err() {
                conditions.push(format!("{} >= 0", first.operand(SHIFT)));
            }
            if one.kind == ScalarKind::U32 {
                conditions.push(format!("{} <= {}", last.operand(SHIFT), u32::MAX));
            }
            let sum = match one.negative {
                false => side.of(first, last),
                true => side.of(last, first),
            };
            let nothing = &*sum.text == "0";
            let mut number = match &one.by {
                Divisor::One => sum,
                Divisor::Shift(by) => Number {
                    text: format!("{} >> {by}", sum.operand(PRODUCT)),
                    strength: SHIFT,
                    magnitude: sum.magnitude,
                },
                Divisor::Size(size) => self.divided(&sum, size, one.kind, conditions),
            };
            if nothing {
                continue;
            }
            if let Some(stride) = &one.stride {
                number = self.strided(&number, stride, conditions);
            }
            all.push((one.negative, number));
        }
        Ok(all)
    }

    /// A number divided by a size that is positive.
    fn divided(
        &mut self,
        sum: &Number,
        size: &str,
        kind: ScalarKind,
        conditions: &mut Vec<String>,
    ) -> Number {
        let (size, in_double, magnitude) = self.product(size);
        if i64::try_from(magnitude).is_err() {
            conditions.push(format!("__builtin_fabs({in_double}) < {LONGEST}"));
        }
        if !size.parse::<u32>().is_ok_and(|size| size > 0) {
            conditions.push(format!("{size} > 0"));
            // In its type another one would be another number.
            if kind == ScalarKind::U32 {
                conditions.push(format!("{size} <= {}", u32::MAX));
            }
        }
        Number {
            text: format!("{} / {size}", sum.operand(PRODUCT)),
            strength: PRODUCT,
            magnitude: sum.magnitude,
        }
    }

    /// A number times a size.
    pub(in crate::codegen::c) fn strided(
        &mut self,
        number: &Number,
        stride: &str,
        conditions: &mut Vec<String>,
    ) -> Number {
        let (stride, in_double, magnitude) = self.product(stride);
        let all = magnitude.checked_mul(number.magnitude);
        if all.is_none_or(|all| i64::try_from(all).is_err()) {
            let number = number.operand(PRIMARY);
            conditions.push(format!(
                "__builtin_fabs((double){number} * {in_double}) < {LONGEST}"
            ));
        }
        Number {
            text: format!("{} * {stride}", number.operand(PRODUCT)),
            strength: PRODUCT,
            magnitude: all.unwrap_or(i128::MAX),
        }
    }
}
