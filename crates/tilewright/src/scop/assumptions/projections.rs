//! What a set of parameters says of some of them.

use isl::{DimType, Result, Set, Space};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Projections of one parameter set.
///
/// Parameters of which no constraint says anything together (rows and columns of a picture) are
/// kept apart: what a set says of some of both is what it says of each. Every projection is
/// computed once, from the smallest one known that has its parameters, and so is what lies between
/// the two; the set itself never changes.
#[derive(Debug)]
pub(crate) struct Projections {
    whole: Set,
    names: Vec<String>,
    parts: Vec<Part>,
}

/// Some parameters and what is said of them.
#[derive(Debug)]
struct Part {
    /// Numbers of parameters, ascending.
    params: Vec<usize>,
    set: Set,
    /// By the numbers of the parameters that are left.
    known: RefCell<BTreeMap<Vec<usize>, Set>>,
}

impl Projections {
    /// Those of a parameter set.
    pub fn of(whole: &Set) -> Result<Projections> {
        let count = whole.dim(DimType::Param)?;
        let names = (0..count).map(|param| whole.get_dim_name(DimType::Param, param));
        let names = names.collect::<Result<_>>()?;
        let mut parts = Vec::new();
        for params in apart(whole, count)? {
            let mut set = whole.clone();
            for param in (0..count).rev().filter(|param| !params.contains(param)) {
                set = set
                    .drop_constraints_involving_dims(DimType::Param, param, 1u32)?
                    .project_out(DimType::Param, param, 1u32)?;
            }
            parts.push(Part {
                params,
                set,
                known: RefCell::default(),
            });
        }
        Ok(Projections {
            whole: whole.clone(),
            names,
            parts,
        })
    }

    /// The set itself.
    pub fn whole(&self) -> &Set {
        &self.whole
    }

    /// The projection to the parameters of a space.
    pub fn to_space(&self, space: &Space) -> Result<Set> {
        let mut needed = vec![false; self.names.len()];
        for param in 0..space.dim(DimType::Param)? {
            let name = space.get_dim_name(DimType::Param, param)?;
            if let Some(number) = self.names.iter().position(|n| *n == name) {
                needed[number] = true;
            }
        }
        self.to(&needed)
    }

    /// The projection to some parameters, given for each whether it is needed.
    pub fn to(&self, needed: &[bool]) -> Result<Set> {
        let mut all: Option<Set> = None;
        for part in &self.parts {
            let own = part.params.iter().copied().filter(|&param| needed[param]);
            let own: Vec<usize> = own.collect();
            // Where there are several parts, none of them is empty.
            if own.is_empty() && self.parts.len() > 1 {
                continue;
            }
            let set = part.to(&own)?;
            all = Some(match all {
                Some(before) => before.intersect(&set)?,
                None => set,
            });
        }
        match all {
            Some(all) => Ok(all),
            None => Set::universe(&Space::params_alloc(self.whole.ctx(), 0)?),
        }
    }
}

impl Part {
    /// The projection to some of the parameters.
    fn to(&self, needed: &[usize]) -> Result<Set> {
        let mut known = self.known.borrow_mut();
        let has_all = |params: &Vec<usize>| needed.iter().all(|param| params.contains(param));
        let larger = known.iter().filter(|(params, _)| has_all(params));
        let nearest = larger.min_by_key(|(params, _)| params.len());
        let (mut params, mut set) = match nearest {
            Some((params, set)) => (params.clone(), set.clone()),
            None => (self.params.clone(), self.set.clone()),
        };
        while let Some(last) = params.iter().rposition(|param| !needed.contains(param)) {
            set = set.project_out(DimType::Param, last, 1u32)?;
            params.remove(last);
            known.insert(params.clone(), set.clone());
        }
        Ok(set)
    }
}

/// Parameters in lists between which there is no constraint. One list where that cannot be seen,
/// and where the set is empty: then it says that there are no values of any parameter.
fn apart(set: &Set, count: usize) -> Result<Vec<Vec<usize>>> {
    let one = vec![(0..count).collect()];
    if set.n_basic_set()? != 1 || set.involves_locals()? || set.is_empty()? {
        return Ok(one);
    }
    let mut lists: Vec<Vec<usize>> = (0..count).map(|param| vec![param]).collect();
    for constraint in set.basic_sets()?[0].constraints()? {
        let mut joined = Vec::new();
        for param in 0..count {
            if constraint.involves_dims(DimType::Param, param, 1u32)? {
                joined.push(param);
            }
        }
        let (with, without): (Vec<_>, Vec<_>) = lists
            .into_iter()
            .partition(|list| list.iter().any(|param| joined.contains(param)));
        lists = without;
        if !with.is_empty() {
            let mut list = with.concat();
            list.sort_unstable();
            lists.push(list);
        }
    }
    lists.sort_unstable();
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ctx: &isl::Ctx, text: &str) -> Set {
        Set::read_from_str(ctx, text).unwrap()
    }

    /// Compares the projections to all choices of parameters with isl's.
    fn check(text: &str) -> Projections {
        let ctx = isl::Ctx::new();
        let whole = set(&ctx, text);
        let projections = Projections::of(&whole).unwrap();
        let count = projections.names.len();
        // Twice: found, and known. Small ones last and first.
        for choice in (0..1 << count).rev().chain(0..1 << count) {
            let needed: Vec<bool> = (0..count).map(|param| choice >> param & 1 == 1).collect();
            let mut expected = whole.clone();
            for param in (0..count).rev().filter(|&param| !needed[param]) {
                expected = expected.project_out(DimType::Param, param, 1u32).unwrap();
            }
            let found = projections.to(&needed).unwrap();
            assert!(found.is_equal(&expected).unwrap(), "{found} {expected}");
            let space = expected.get_space().unwrap();
            let found = projections.to_space(&space).unwrap();
            assert!(found.is_equal(&expected).unwrap(), "{found} {expected}");
        }
        projections
    }

    #[test]
    fn rows_and_columns_are_apart() {
        let projections = check(
            "[R, C, R_2, C_2, R_4] -> { : 8 <= R <= 4000 and C >= 3 and 0 <= R - 2R_2 <= 1 \
             and 0 <= R_2 - 2R_4 <= 1 and 0 <= C - 2C_2 <= 1 }",
        );
        assert_eq!(projections.parts.len(), 2);
    }

    #[test]
    fn what_follows_from_others_stays() {
        // Nothing but 0 lies between.
        check("[n, m, k] -> { : n <= m <= n and m = 3k and k >= 2 }");
        check("[n, m] -> { : exists (e : n = 3e and m > n) }");
        check("[n, m] -> { : n > m or m > 5 }");
        check("[n, m] -> { : }");
    }

    #[test]
    fn of_nothing_there_is_nothing() {
        check("[n, m, k] -> { : n > 5 and m > 0 and m < 0 }");
        check("[n, m] -> { : 1 = 0 }");
    }
}
