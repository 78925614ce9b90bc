//! What is known of subscripts that are data: a least and a greatest value over loop variables and
//! parameters, and sums of products where sizes are multiplied with data, `tok[i] * dim + j`.
//!
//! Statements are walked over in order ([`walk`]): conditions say something of what they compare,
//! variables of the body have the values that were assigned to them, and what is in temporaries is
//! all that is ever stored there ([`stored`]). Arithmetic is C's: where a value may wrap around or be
//! changed by a conversion, all that is left is what its type says. In 64 bits values count modulo
//! 2^64: an element of an array that there is has a number far below, so that a subscript is the one
//! that its sum says; comparisons and quotients of such values say nothing.

mod arithmetic;
mod computed;
mod conditions;
mod operations;
mod stored;
mod walk;

use crate::frontend::c::lower::Lowering;
use crate::frontend::c::lower::memory::apart::far;
use crate::frontend::c::lower::values::polynomial::Polynomial;
use isl::{PwAff, Result};
use std::rc::Rc;
use stored::Stored;
use walk::Walk;

/// Bounds with more cases than this are not kept.
const MOST_CASES: usize = 4;

/// What is known of an integer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    /// Its least value: over the loops around.
    pub least: Option<PwAff>,
    /// Its greatest value.
    pub greatest: Option<PwAff>,
    /// It as a sum.
    pub parts: Option<Vec<Part>>,
    /// How much of all this holds.
    wraps: Wraps,
}

/// Where what is known of a value may be off by multiples of a power of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Wraps {
    /// Nowhere.
    #[default]
    Never,
    /// At 2^64.
    At64,
    /// At 2^32: it is right where it says that the value is in a range of so many.
    At32,
}

/// A summand: a size times a value between two ends.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Free of loop variables; its leading coefficient is positive, and it is 1 if constant and
    /// neither end is data.
    pub stride: Polynomial,
    /// It is subtracted; the ends are those of what is.
    pub negative: bool,
    /// The least value.
    pub least: End,
    /// The greatest value.
    pub greatest: End,
}

/// One end of a range.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// Over the loops around.
    At(PwAff),
    /// The least or greatest of what these reads find, and what is added to it.
    Data(Place, i64),
    /// What the scalar with this number among arrays holds in front of the region.
    Scalar(usize),
    /// What is computed of sums: both ends of a range are the same.
    Computed(Rc<Computed>),
}

/// A statement's draft and one of its accesses.
pub(crate) type Place = (usize, usize);

pub(crate) use computed::{By, Computed};

impl Spread {
    /// Both ends of a subscript, where both are known.
    pub fn range(&self) -> Option<(&PwAff, &PwAff)> {
        let far = |end: &&PwAff| !far(end).unwrap_or(true);
        let (least, greatest) = (self.least.as_ref(), self.greatest.as_ref());
        let range = least.filter(far).zip(greatest.filter(far));
        range.filter(|_| self.wraps < Wraps::At32)
    }

    /// Whether it is computed as `unsigned int`: a sum is right where it is at least 0 and less than
    /// 2^32.
    pub fn is_narrow(&self) -> bool {
        self.wraps == Wraps::At32
    }

    /// Whether what is known may be off.
    fn is_off(&self) -> bool {
        self.wraps != Wraps::Never
    }

    /// Whether it is a sum in which something is computed of other sums.
    pub fn is_computed(&self) -> bool {
        let computed = |part: &Part| matches!(part.least, End::Computed(_));
        self.parts.iter().flatten().any(computed)
    }

    /// Whether it is a sum with data in it.
    fn has_data(&self) -> bool {
        self.parts.iter().flatten().any(|part| !part.is_static())
    }
}

impl End {
    /// Where it is no data.
    pub fn at(&self) -> Option<&PwAff> {
        match self {
            End::At(value) => Some(value),
            End::Data(..) | End::Scalar(..) | End::Computed(_) => None,
        }
    }
}

impl Lowering<'_> {
    /// Finds what is known of subscripts that are data, and of loops whose bounds are.
    pub(crate) fn find_values(&mut self) -> Result<()> {
        let mut found = Vec::new();
        let mut stored = Stored::new(self);
        for (number, draft) in self.model.statements.iter().enumerate() {
            let mut subscripts = draft.accesses.iter().flat_map(|access| &access.subscripts);
            let data = subscripts.any(|s| s.affine.is_none() && s.linear.is_none());
            if data || !draft.tests().is_empty() {
                let mut walk = Walk::new(self, &mut stored, number, None)?;
                found.push((number, walk.counted(), walk.subscripts()?));
            }
        }
        for (number, counted, subscripts) in found {
            let draft = &mut self.model.statements[number];
            draft.counted = counted;
            for ((access, at), value) in subscripts {
                let own = &mut draft.accesses[access].subscripts[at];
                let data = |part: &Part| !part.is_static();
                let data = value.parts.iter().flatten().any(data);
                let known = own.affine.is_some() || own.linear.is_some();
                if data || !known {
                    own.values = Some(value);
                }
            }
        }
        Ok(())
    }
}
