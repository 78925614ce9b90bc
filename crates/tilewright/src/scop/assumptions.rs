//! What may be assumed of the parameters where one statement is concerned.
//!
//! A region with the sizes of many levels as parameters has many assumptions, of which a set with
//! one or two levels needs a few; isl takes its time with the others. Assumptions may always be
//! left out: what then holds, holds.

mod projections;

use super::{Scop, Statement, StatementId};
use isl::{DimType, Result, Set};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) use projections::Projections;

/// Up to so many parameters all assumptions are carried along.
const FEW_PARAMETERS: usize = 6;

/// The assumptions on those parameters that a statement, or another one that touches the same
/// arrays, depends on.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    of: BTreeMap<String, Set>,
    /// The assumptions on some parameters. Whoever assumes more makes new ones ([`Scop::assume`]).
    projections: OnceCell<Rc<Projections>>,
}

impl Assumptions {
    /// For all `statements` under the assumptions `context`.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(context: &Set, statements: &[Statement]) -> Result<Assumptions> {
        Assumptions::with(&Rc::new(Projections::of(context)?), statements)
    }

    /// The same, given the projections of the assumptions.
    pub(crate) fn with(
        projections: &Rc<Projections>,
        statements: &[Statement],
    ) -> Result<Assumptions> {
        let context = projections.whole();
        let count = context.dim(DimType::Param)?;
        let mut all = Assumptions {
            of: BTreeMap::new(),
            projections: OnceCell::from(Rc::clone(projections)),
        };
        if count <= FEW_PARAMETERS || context.n_basic_set()? != 1 {
            return Ok(all);
        }
        let involved: Vec<Vec<bool>> = statements
            .iter()
            .map(|statement| involved(statement, context, count))
            .collect::<Result<_>>()?;
        let space = context.get_space()?;
        let mut known: BTreeMap<Vec<bool>, Set> = BTreeMap::new();
        for statement in statements {
            let mut needed = vec![false; count];
            for (other, involved) in statements.iter().zip(&involved) {
                let touches = |array| other.accesses.iter().any(|a| a.array == array);
                if statement.accesses.iter().any(|a| touches(a.array)) {
                    needed.iter_mut().zip(involved).for_each(|(n, i)| *n |= i);
                }
            }
            let assumed = match known.get(&needed) {
                Some(set) => set.clone(),
                None => {
                    let set = projections.to(&needed)?.align_params(&space)?;
                    known.insert(needed, set.clone());
                    set
                }
            };
            all.of.insert(statement.name.clone(), assumed);
        }
        Ok(all)
    }
}

fn involved(statement: &Statement, context: &Set, count: usize) -> Result<Vec<bool>> {
    let space = context.get_space()?;
    let domain = statement.domain.align_params(&space)?;
    let mut involved = Vec::new();
    for param in 0..count {
        involved.push(domain.involves_dims(DimType::Param, param, 1u32)?);
    }
    for access in &statement.accesses {
        let relation = access.relation.align_params(&space)?;
        for (param, involved) in involved.iter_mut().enumerate() {
            *involved |= relation.involves_dims(DimType::Param, param, 1u32)?;
        }
    }
    Ok(involved)
}

/// Something over the parameters that may be empty.
pub trait OverParameters: Sized {
    /// Whether it is empty, whatever is assumed.
    ///
    /// # Errors
    /// isl's own.
    fn is_empty(&self) -> Result<bool>;
    /// Whether it is not empty under the assumptions of `scop`, given that it is not empty
    /// without.
    ///
    /// # Errors
    /// isl's own.
    fn meets(&self, scop: &Scop) -> Result<bool>;
}

macro_rules! over_parameters {
    ($($name:ident)*, $($union:ident $parts:ident)*) => {
        $(impl OverParameters for isl::$name {
            fn is_empty(&self) -> Result<bool> {
                isl::$name::is_empty(self)
            }
            fn meets(&self, scop: &Scop) -> Result<bool> {
                let narrow = self.drop_unused_params()?;
                let context = scop.context_of(&narrow.get_space()?)?;
                Ok(!narrow.intersect_params(&context)?.is_empty()?)
            }
        })*
        $(impl OverParameters for isl::$union {
            fn is_empty(&self) -> Result<bool> {
                isl::$union::is_empty(self)
            }
            fn meets(&self, scop: &Scop) -> Result<bool> {
                for part in self.$parts()? {
                    if scop.is_possible(&part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        })*
    };
}

over_parameters!(Set Map, UnionSet sets UnionMap maps);

impl Scop {
    /// Whether something is not empty under all assumptions. They are only brought in where it is
    /// not empty without them.
    ///
    /// Assumptions restrict nothing but parameters, so it makes no difference to the answer which
    /// of them the operands carried from which `what` was computed, differences of sets included.
    ///
    /// # Errors
    /// isl's own.
    pub fn is_possible<T: OverParameters>(&self, what: &T) -> Result<bool> {
        Ok(!what.is_empty()? && what.meets(self)?)
    }

    /// What the assumptions say of the parameters of a space, and of no others: the projection of
    /// [`Scop::context`]. A set over these parameters has something in common with it exactly if
    /// it has with the context.
    fn context_of(&self, space: &isl::Space) -> Result<Set> {
        let projections = match self.conditions.assumptions.projections.get() {
            Some(known) => known,
            None => {
                let projections = Rc::new(Projections::of(&self.context)?);
                self.conditions
                    .assumptions
                    .projections
                    .get_or_init(|| projections)
            }
        };
        projections.to_space(space)
    }

    /// Assumes more of the parameters.
    ///
    /// # Errors
    /// isl's own.
    pub fn assume(&mut self, params: &Set) -> Result<()> {
        self.context = self.context.intersect(params)?;
        self.conditions.assumptions = Assumptions::of(&self.context, &self.statements)?;
        Ok(())
    }

    /// What may be assumed where this statement is concerned: a parameter set that holds
    /// [`Scop::context`].
    pub fn assumed(&self, statement: StatementId) -> &Set {
        let name = &self.statements[statement].name;
        self.conditions
            .assumptions
            .of
            .get(name)
            .unwrap_or(&self.context)
    }
}
