//! What index expressions say about when two accesses touch the same cell.
//!
//! The two accesses are executed by two different points of the same loops. A variable is *varying*
//! where it may have different values at the two points; all others are equal. A variable is *tied*
//! if both points must have the same value of it to meet. What is said here is certainly so; where
//! an index is not a sum, nothing is said.

use crate::codegen::kernel::{Index, Place, PlaceIndex};
use std::collections::BTreeSet;

/// When two accesses meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// Never.
    Never,
    /// Only where these varying variables are equal at both points.
    Where(BTreeSet<String>),
}

/// When two accesses to one buffer meet.
pub fn meeting(a: &Place, b: &Place, varying: &BTreeSet<String>) -> Meeting {
    meeting_later(a, b, varying, &BTreeSet::new())
}

/// The same where each of the variables in `advanced`, which are varying, is greater at `b`.
pub fn meeting_later(
    a: &Place,
    b: &Place,
    varying: &BTreeSet<String>,
    advanced: &BTreeSet<String>,
) -> Meeting {
    let mut tied = BTreeSet::new();
    loop {
        let mut grown = false;
        for indices in a.indices.iter().zip(&b.indices) {
            let (PlaceIndex::Affine(a), PlaceIndex::Affine(b)) = indices else {
                continue;
            };
            let free = |v: &&String| !tied.contains(*v) && (a.mentions(v) || b.mentions(v));
            let free: Vec<&String> = varying.iter().filter(free).collect();
            match free[..] {
                [] if a.differs_from(b) => return Meeting::Never,
                [var] => match difference(a, b, var) {
                    Some(Difference::Fraction) => return Meeting::Never,
                    Some(Difference::By(more)) if more <= 0 && advanced.contains(var) => {
                        return Meeting::Never;
                    }
                    Some(Difference::By(0)) => {
                        tied.insert(var.clone());
                        grown = true;
                    }
                    Some(Difference::By(_)) | None => {}
                },
                _ => {}
            }
        }
        if !grown {
            return Meeting::Where(tied);
        }
    }
}

/// By how much a variable has to be greater in the second of two indices for them to be equal.
enum Difference {
    /// No integer.
    Fraction,
    By(i64),
}

/// `None` where it is not constant. All other variables are equal.
fn difference(a: &Index, b: &Index, var: &str) -> Option<Difference> {
    let factor = a.coefficient(var).filter(|&factor| factor != 0)?;
    if b.coefficient(var) != Some(factor) {
        return None;
    }
    let zero = Index::Int(0);
    let rest = a.with(var, &zero).distance(&b.with(var, &zero))?;
    Some(match rest.checked_rem(factor)? {
        0 => Difference::By(rest / factor),
        _ => Difference::Fraction,
    })
}
