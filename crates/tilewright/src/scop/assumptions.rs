//! What may be assumed of the parameters where one statement is concerned.
//!
//! A region with the sizes of many levels as parameters has many assumptions, of which a set with
//! one or two levels needs a few; isl takes its time with the others. Assumptions may always be
//! left out: what then holds, holds.

use super::{Scop, Statement, StatementId};
use isl::{DimType, Result, Set};
use std::collections::BTreeMap;

/// Up to so many parameters all assumptions are carried along.
const FEW_PARAMETERS: usize = 6;

/// The assumptions on those parameters that a statement, or another one that touches the same
/// arrays, depends on.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    of: BTreeMap<String, Set>,
}

impl Assumptions {
    /// For all `statements` under the assumptions `context`.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(context: &Set, statements: &[Statement]) -> Result<Assumptions> {
        let count = context.dim(DimType::Param)?;
        let mut of = BTreeMap::new();
        if count <= FEW_PARAMETERS || context.n_basic_set()? != 1 {
            return Ok(Assumptions { of });
        }
        let involved: Vec<Vec<bool>> = statements
            .iter()
            .map(|statement| involved(statement, context, count))
            .collect::<Result<_>>()?;
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
                    let mut set = context.clone();
                    for (param, _) in needed.iter().enumerate().filter(|(_, needed)| !**needed) {
                        set = set.eliminate(DimType::Param, param, 1u32)?;
                    }
                    known.insert(needed, set.clone());
                    set
                }
            };
            of.insert(statement.name.clone(), assumed);
        }
        Ok(Assumptions { of })
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
    /// Whether it is.
    ///
    /// # Errors
    /// isl's own.
    fn is_empty(&self) -> Result<bool>;
    /// The part for these parameters.
    ///
    /// # Errors
    /// isl's own.
    fn intersect_params(&self, params: &Set) -> Result<Self>;
}

macro_rules! over_parameters {
    ($($name:ident),*) => {$(
        impl OverParameters for isl::$name {
            fn is_empty(&self) -> Result<bool> {
                isl::$name::is_empty(self)
            }
            fn intersect_params(&self, params: &Set) -> Result<Self> {
                isl::$name::intersect_params(self, params)
            }
        }
    )*};
}

over_parameters!(Set, Map, UnionSet, UnionMap);

impl Scop {
    /// Whether something is not empty under all assumptions. They are only brought in where it is
    /// not empty without them.
    ///
    /// # Errors
    /// isl's own.
    pub fn is_possible<T: OverParameters>(&self, what: &T) -> Result<bool> {
        Ok(!what.is_empty()? && !what.intersect_params(&self.context)?.is_empty()?)
    }

    /// Assumes more of the parameters.
    ///
    /// # Errors
    /// isl's own.
    pub fn assume(&mut self, params: &Set) -> Result<()> {
        self.context = self.context.intersect(params)?;
        self.assumptions = Assumptions::of(&self.context, &self.statements)?;
        Ok(())
    }

    /// What may be assumed where this statement is concerned: a parameter set that holds
    /// [`Scop::context`].
    pub fn assumed(&self, statement: StatementId) -> &Set {
        let name = &self.statements[statement].name;
        self.assumptions.of.get(name).unwrap_or(&self.context)
    }
}
