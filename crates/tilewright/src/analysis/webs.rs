//! A variable that is used again for something else is several variables: one for each *web* of
//! writes and the reads that they reach (Muchnick, Advanced Compiler Design and Implementation,
//! 1997, section 16.3.3).
//!
//! ```text
//! for (i…) { w = a[i]; for (k…) w -= …; a[i] = w; }      w
//! for (i…) { w = b[i]; for (j…) w -= …; y[i] = w; }      a second one
//! ```
//!
//! Without, nothing of the second loop may be done before the first one is over, and neither has a
//! `w` for each of its iterations ([`super::privatise`]), as they have no loop in common.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::scop::{ArrayId, Origin, Scop, StatementId};
use isl::{DimType, Result};
use std::collections::{BTreeMap, BTreeSet};

/// The scop with a variable for each web of the function's scalars, or `None` where each has one.
/// What comes from outside of the region, or is read behind it, stays in the variable that it is in.
///
/// # Errors
/// isl's own.
pub fn split(scop: &Scop, dataflow: &Dataflow) -> Result<Option<Scop>> {
    let mut done: Option<Scop> = None;
    for array in 0..scop.arrays.len() {
        let variable = &scop.arrays[array];
        if variable.origin != Origin::Local
            || !variable.extents.is_empty()
            || scop.loops.bounds.contains_key(&variable.name)
        {
            continue;
        }
        for web in webs(scop, dataflow, array)?.into_iter().skip(1) {
            let next = done.get_or_insert_with(|| scop.clone());
            renamed(next, array, &web)?;
        }
    }
    Ok(done)
}

/// The statements of each web of a scalar; first those of what is not of the region alone, then in
/// the order of the text.
fn webs(scop: &Scop, dataflow: &Dataflow, array: ArrayId) -> Result<Vec<BTreeSet<StatementId>>> {
    let uses = |s: &StatementId| {
        scop.statements[*s]
            .accesses
            .iter()
            .any(|a| a.array == array)
    };
    let users: Vec<StatementId> = (0..scop.statements.len()).filter(uses).collect();
    let mut parents: BTreeMap<StatementId, StatementId> = users.iter().map(|&s| (s, s)).collect();
    let root = |parents: &BTreeMap<StatementId, StatementId>, mut s: StatementId| {
        while parents[&s] != s {
            s = parents[&s];
        }
        s
    };
    let join = |parents: &mut BTreeMap<StatementId, StatementId>, one, other| {
        let (one, other) = (root(parents, one), root(parents, other));
        parents.insert(one.max(other), one.min(other));
    };
    for edge in dataflow.edges.iter().filter(|edge| edge.array == array) {
        for map in edge.sources.maps()? {
            let name = map.get_tuple_name(DimType::In)?;
            if let Some(writer) = scop.statement_named(&name) {
                join(&mut parents, writer, edge.reader);
            }
        }
    }
    // What is live before or behind the region is one variable.
    let mut outside = Vec::new();
    for live in [&dataflow.live_in, &dataflow.live_out] {
        for map in live.maps()? {
            let of = map.get_tuple_name(DimType::Out)?;
            let by = scop.statement_named(&map.get_tuple_name(DimType::In)?);
            outside.extend(by.filter(|_| of == scop.arrays[array].name));
        }
    }
    for pair in outside.windows(2) {
        join(&mut parents, pair[0], pair[1]);
    }
    let mut webs: BTreeMap<StatementId, BTreeSet<StatementId>> = BTreeMap::new();
    for &user in &users {
        webs.entry(root(&parents, user)).or_default().insert(user);
    }
    let mut webs: Vec<BTreeSet<StatementId>> = webs.into_values().collect();
    let stays = |web: &BTreeSet<StatementId>| outside.first().is_some_and(|s| web.contains(s));
    webs.sort_by_key(|web| !stays(web));
    Ok(webs)
}

/// Gives the statements of a web a variable of their own.
fn renamed(scop: &mut Scop, array: ArrayId, web: &BTreeSet<StatementId>) -> Result<()> {
    let mut variable = scop.arrays[array].clone();
    let of = variable.name.clone();
    let mut number = 2;
    while scop.array_named(&variable.name).is_some() {
        variable.name = format!("{of}_{number}");
        number += 1;
    }
    scop.except_likewise(&variable.base, &variable.name);
    variable.base.clone_from(&variable.name);
    variable.live_in = false;
    variable.live_out = false;
    variable.variable = None;
    variable.origin = Origin::Region { depth: 0 };
    let own = scop.arrays.len();
    for &statement in web {
        let accesses = scop.statements[statement].accesses.iter_mut();
        for access in accesses.filter(|access| access.array == array) {
            access.array = own;
            access.relation = access
                .relation
                .set_tuple_name(DimType::Out, &variable.name)?;
        }
    }
    scop.arrays.push(variable);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::scop::testing::region_in;

    /// The variables that become of `w`, with the dimensions that they have in the end.
    fn variables(before: &str, body: &str, behind: &str) -> Vec<(String, usize)> {
        let region = region_in(format!(
            "void f(int n, double a[restrict n], double b[restrict n], double c[restrict n][n])
            {{
                double w{before};
            #pragma scop
                {body}
            #pragma endscop
                {behind}
            }}"
        ));
        let all = region.scop.arrays.iter();
        let own = all.filter(|array| array.name == "w" || array.name.starts_with("w_"));
        own.map(|array| (array.name.clone(), array.extents.len()))
            .collect()
    }

    fn named(all: &[(&str, usize)]) -> Vec<(String, usize)> {
        all.iter().map(|(n, d)| ((*n).to_owned(), *d)).collect()
    }

    const ROWS: &str = "for (int i = 0; i < n; i++) { w = a[i]; b[i] = w * w; }";
    const CELLS: &str =
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { w = b[j]; c[i][j] = w * w; }";

    #[test]
    fn what_is_set_anew_is_another_variable() {
        let both = format!("{ROWS} {CELLS}");
        assert_eq!(variables("", &both, ""), named(&[("w", 1), ("w_2", 2)]));
        // In one loop, one behind the other.
        let twice =
            "for (int i = 0; i < n; i++) { w = a[i]; b[i] = w; w = a[n - 1 - i]; b[i] += w; }";
        assert_eq!(variables("", twice, ""), named(&[("w", 1), ("w_2", 1)]));
    }

    #[test]
    fn what_one_read_may_see_is_one_variable() {
        let kept = "for (int i = 0; i < n; i++) { w = a[i]; if (i > 3) w = b[i]; b[i] = w; }";
        assert_eq!(variables("", kept, ""), named(&[("w", 1)]));
        let chain = "for (int i = 0; i < n; i++) { w = a[i]; w += b[i]; b[i] = w; }";
        assert_eq!(variables("", chain, ""), named(&[("w", 1)]));
    }

    /// What the program does not say of a variable, it says of none that it becomes.
    #[test]
    fn loops_that_are_independent_but_for_a_sum_stay_so() {
        let region = region_in(
            "void f(int n, double a[restrict n], double b[restrict n])
            {
                double w;
            #pragma scop
                for (int i = 0; i < n; i++) { w = a[i]; b[i] = w * w; }
                w = 0;
            #pragma pencil independent reduction(+: w)
                for (int i = 0; i < n; i++) w += a[i];
                b[0] = w;
            #pragma endscop
            }"
            .to_owned(),
        );
        let scop = &region.scop;
        assert!(scop.array_named("w_2").is_some());
        let [said] = &scop.loops.independent[..] else {
            panic!("{:?}", scop.loops.independent);
        };
        assert_eq!(said.except, ["w", "w_2"]);
    }

    #[test]
    fn what_comes_in_and_what_goes_out_is_the_variable_of_the_program() {
        let both = format!("{ROWS} {CELLS}");
        let last = variables("", &both, "a[0] = w;");
        assert_eq!(last, named(&[("w", 0), ("w_2", 1)]));
        // The first loop reads what was there before, the last one leaves something behind.
        let through = format!("for (int i = 0; i < n; i++) a[i] += w; {both}");
        let all = variables(" = 2", &through, "a[0] = w;");
        assert_eq!(all, named(&[("w", 0), ("w_2", 1)]));
    }
}
