//! What the bounds of loops say of when two accesses meet: where every `j` is greater than its `i`,
//! `a[i][j]` and `a[j][i]` never do.
//!
//! As in [`crate::codegen::gpu::conflicts::ties`], two points of the same loops execute the accesses. All that is known of
//! them is of the form `u - v ≥ k`: bounds of loops at both points, and equal subscripts between
//! them. A cycle of a positive sum among these has no solution, and one of sum zero through a
//! variable's values at both points has no other than equal ones.

use crate::codegen::gpu::conflicts::ties::Meeting;
use crate::codegen::kernel::{Index, Loop, Place, PlaceIndex};
use std::collections::BTreeSet;

/// Differences of variables of loops, as their bounds have them.
pub(crate) struct Orders {
    /// `(u, v, k)`: `u - v ≥ k`.
    least: Vec<(String, String, i64)>,
}

/// `u - v ≥ k` for values of variables by their numbers.
type Least = (usize, usize, i64);

impl Orders {
    /// What the bounds of some loops, inside each other, say of their variables wherever code inside
    /// of all of them is executed. Where a bound is data nothing is said: it is read in front of its
    /// loop, which may have no iteration.
    pub fn of(loops: &[&Loop]) -> Orders {
        let mut least = Vec::new();
        let is_data = |each: &&Loop| each.lower.is_data() || each.upper.is_data();
        if loops.iter().any(is_data) {
            return Orders { least };
        }
        for each in loops {
            for other in loops.iter().filter(|other| other.var != each.var) {
                let (own, other) = (each.var.clone(), Index::var(&other.var));
                for bound in operands(&each.lower, true) {
                    if let Some(more) = bound.distance(&other) {
                        least.push((own.clone(), name(&other), more));
                    }
                }
                for bound in operands(&each.upper, false) {
                    if let Some(more) = other.distance(bound) {
                        least.push((name(&other), own.clone(), more));
                    }
                }
            }
        }
        Orders { least }
    }

    /// When two accesses to one buffer meet that are executed inside of all loops, at points where
    /// the variables in `varying` may differ.
    pub fn meeting(&self, a: &Place, b: &Place, varying: &BTreeSet<String>) -> Meeting {
        let none = || Meeting::Where(BTreeSet::new());
        if self.least.is_empty() {
            return none();
        }
        let vars: Vec<&String> = varying.iter().collect();
        // The values at the first point, and behind them those at the second.
        let first = |var: &str| vars.iter().position(|own| *own == var);
        let second = |var: &str| first(var).map(|number| number + vars.len());
        let mut all: Vec<Least> = Vec::new();
        for (u, v, least) in &self.least {
            for at in [&first as &dyn Fn(&str) -> Option<usize>, &second] {
                if let (Some(u), Some(v)) = (at(u), at(v)) {
                    all.push((u, v, *least));
                }
            }
        }
        for indices in a.indices.iter().zip(&b.indices) {
            let (PlaceIndex::Affine(a), PlaceIndex::Affine(b)) = indices else {
                continue;
            };
            let (Some((u, a)), Some((v, b))) = (alone(a, &vars), alone(b, &vars)) else {
                continue;
            };
            let (Some(u), Some(v), Some(more)) = (first(u), second(v), a.distance(&b)) else {
                continue;
            };
            // The second is greater by what is added to the first.
            all.push((v, u, more));
            all.push((u, v, -more));
        }
        let Some(least) = closed(vars.len() * 2, &all) else {
            return Meeting::Never;
        };
        let equal = |number: usize| {
            let other = number + vars.len();
            least[number][other] >= Some(0) && least[other][number] >= Some(0)
        };
        let tied = vars.iter().enumerate().filter(|(number, _)| equal(*number));
        Meeting::Where(tied.map(|(_, var)| (*var).clone()).collect())
    }
}

/// What a lower bound is the largest of, or an upper one the smallest.
fn operands(bound: &Index, lower: bool) -> &[Index] {
    match (bound, lower) {
        (Index::Max(all), true) | (Index::Min(all), false) => all,
        (bound, _) => std::slice::from_ref(bound),
    }
}

fn name(var: &Index) -> String {
    match var {
        Index::Var(name) => name.clone(),
        _ => String::new(),
    }
}

/// An index as one of some variables and what is added to it, which mentions none of them.
fn alone<'v>(index: &Index, vars: &[&'v String]) -> Option<(&'v str, Index)> {
    let mut own = vars.iter().filter(|var| index.mentions(var));
    let (Some(var), None) = (own.next(), own.next()) else {
        return None;
    };
    (index.coefficient(var) == Some(1)).then(|| (var.as_str(), index.with(var, &Index::Int(0))))
}

/// The largest `k` for which `u - v ≥ k` follows, for all pairs; `None` where there are no such
/// values.
fn closed(count: usize, known: &[Least]) -> Option<Vec<Vec<Option<i64>>>> {
    let mut least = vec![vec![None; count]; count];
    for (number, row) in least.iter_mut().enumerate() {
        row[number] = Some(0);
    }
    for &(u, v, more) in known {
        least[u][v] = least[u][v].max(Some(more));
    }
    for by in 0..count {
        for u in 0..count {
            for v in 0..count {
                let over = least[u][by].zip(least[by][v]);
                least[u][v] = least[u][v].max(over.map(|(a, b)| a.saturating_add(b)));
            }
        }
    }
    let possible = (0..count).all(|number| least[number][number] == Some(0));
    possible.then_some(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(var: &str, lower: Index, upper: Index) -> Loop {
        Loop::sequential(var.to_owned(), [lower, upper], 1, Vec::new())
    }

    fn at(indices: &[Index]) -> Place {
        Place {
            buffer: 0,
            indices: indices.iter().cloned().map(PlaceIndex::Affine).collect(),
        }
    }

    fn set(vars: &[&str]) -> BTreeSet<String> {
        vars.iter().map(|&var| var.to_owned()).collect()
    }

    fn n() -> Index {
        Index::Param(0)
    }

    #[test]
    fn triangles_and_their_mirror_images() {
        let (i, j) = (Index::var("i"), Index::var("j"));
        let one = at(&[i.clone(), j.clone()]);
        let mirrored = at(&[j.clone(), i.clone()]);
        let outer = each("i", Index::Int(0), n());
        let ij = set(&["i", "j"]);
        let of = |inner: &Loop| Orders::of(&[&outer, inner]).meeting(&one, &mirrored, &ij);
        // Without the diagonal, on either side, and where tiles have bounds of their own.
        let after = i.plus(&Index::Int(1));
        assert_eq!(of(&each("j", after.clone(), n())), Meeting::Never);
        let before = i.minus(&Index::Int(1));
        assert_eq!(of(&each("j", Index::Int(0), before)), Meeting::Never);
        let tile = Index::max_of(vec![Index::var("t").times(32), after]);
        assert_eq!(of(&each("j", tile, n())), Meeting::Never);
        // With it, there alone: a point with itself.
        let both = Meeting::Where(ij.clone());
        assert_eq!(of(&each("j", i.clone(), n())), both);
        // One row of the other side is there, too.
        let nothing = Meeting::Where(set(&[]));
        assert_eq!(of(&each("j", i.minus(&Index::Int(1)), n())), nothing);
        assert_eq!(of(&each("j", Index::Int(0), n())), nothing);
        // A smallest of several is no lower bound that each of them is.
        let either = Index::min_of(vec![Index::var("t"), i.plus(&Index::Int(1))]);
        assert_eq!(of(&each("j", either, n())), nothing);
        // The bound is read where there may be no `j`.
        let data = Index::Data(1, vec![i.clone()]);
        assert_eq!(of(&each("j", i.plus(&Index::Int(1)), data)), nothing);
    }

    #[test]
    fn what_is_added_counts() {
        let (i, j) = (Index::var("i"), Index::var("j"));
        let outer = each("i", Index::Int(0), n());
        let inner = each("j", i.plus(&Index::Int(2)), n());
        let orders = Orders::of(&[&outer, &inner]);
        let ij = set(&["i", "j"]);
        let one = at(&[i.clone(), j.clone()]);
        let of = |di: i64, dj: i64| {
            let other = at(&[j.plus(&Index::Int(dj)), i.plus(&Index::Int(di))]);
            orders.meeting(&one, &other, &ij)
        };
        // One by one, all points of a triangle that is large enough.
        for (di, dj) in (-6..=6).flat_map(|di| (-6..=6).map(move |dj| (di, dj))) {
            let points: Vec<(i64, i64)> = (0..=20)
                .flat_map(|i| (i + 2..=20).map(move |j| (i, j)))
                .collect();
            let meets = points.iter().any(|&(i, j)| {
                let mut others = points.iter();
                others.any(|&(other_i, other_j)| i == other_j + dj && j == other_i + di)
            });
            assert_eq!(of(di, dj) != Meeting::Never, meets, "{di} {dj}");
        }
    }

    #[test]
    fn other_variables_say_nothing() {
        let (i, j) = (Index::var("i"), Index::var("j"));
        let inner = each("j", i.plus(&Index::Int(1)), n());
        let orders = Orders::of(&[&each("i", Index::Int(0), n()), &inner]);
        let ij = set(&["i", "j"]);
        let one = at(&[i.clone(), j.clone()]);
        // Sums of both, multiples, and what differs by a variable.
        let nothing = Meeting::Where(set(&[]));
        for other in [
            [i.plus(&j), i.clone()],
            [j.times(2), i.clone()],
            [j.plus(&n()), i.clone()],
        ] {
            assert_eq!(orders.meeting(&one, &at(&other), &ij), nothing);
        }
    }
}
