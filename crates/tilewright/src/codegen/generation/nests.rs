//! One group's schedule in pieces that are generated one by one.
//!
//! ```text
//! domain { S[t, i] }                      loops:  domain { [c…] }, one instance per execution of
//!   bands and marks      ─► split ─►                the sequence; the same bands and marks
//!     sequence                            nests:  domain { S[t, i] : [t, date] = (c…) }, one
//!       nest                                        schedule for each child of the sequence, with
//!       nest                                        the loop variables c… as parameters
//! ```
//!
//! isl generates loops statement by statement, and what it does for one of them grows with the
//! parameters and constraints of all that it is given: for the fifty statements of a pyramid's
//! tile, with the sizes of ten levels, the loops that they share cost most of the time. A nest
//! alone has few statements and parameters. The loops around it come from one set of values, a
//! convex one that may have more than are needed: a nest that has nothing to do at one of them has
//! conditions or bounds that say so. A vector loop of several statements is not shared in this
//! sense: it is to fall into pieces without conditions inside, and is one nest with all of them.

use crate::codegen::generation::narrow::{Facts, Known};
use crate::mistakes::mistake;
use crate::scop::tree::walk;
use isl::{
    AstLoopType, DimType, IdList, MultiId, MultiUnionPwAff, PwAff, Result, Schedule, ScheduleNode,
    ScheduleNodeType, Set, UnionPwAff, UnionSet,
};
use std::collections::BTreeSet;

/// A schedule in pieces.
pub(crate) struct Split {
    /// The loops that all nests share, for one anonymous statement.
    pub loops: Schedule,
    /// The values of their variables, as parameters `c…`; an overapproximation.
    pub context: Set,
    /// What is known of the parameters that the loops mention.
    pub facts: Facts,
    /// What is executed for each of them, in order.
    pub nests: Vec<Nest>,
}

/// Some instances at given values of the shared loops' variables.
pub(crate) struct Nest {
    /// The tree that orders them, in the schedule of the group.
    pub tree: ScheduleNode,
    /// The instances, the variables being parameters.
    pub instances: UnionSet,
    /// Bands and marks of the shared loops.
    above: usize,
}

impl Nest {
    /// The nest as a schedule of its own.
    ///
    /// # Errors
    /// isl's own.
    pub fn schedule(&self) -> Result<Schedule> {
        let group = self.tree.get_schedule()?;
        let own = group.intersect_domain(&self.instances)?;
        let mut node = walk::top(&own)?;
        for _ in 0..self.above {
            node = node.delete()?;
        }
        node.get_schedule()
    }
}

/// The pieces of a schedule; `None` where it does not begin with loops around a sequence, or
/// where the values of the loops' variables have no simple bounds.
///
/// `iterators` are the names of loop variables by depth; `facts` is what holds for the parameters.
///
/// # Errors
/// isl's own.
pub(crate) fn split(
    schedule: &Schedule,
    iterators: &IdList,
    facts: &Facts,
) -> Result<Option<Split>> {
    let Some(shared) = shared_loops(schedule)? else {
        return Ok(None);
    };
    let values = shared.node.get_prefix_schedule_multi_union_pw_aff()?;
    let Some((bounds, facts)) = bounds(&shared.node, shared.depth, facts)? else {
        return Ok(None);
    };
    let mut ids = IdList::alloc(bounds.ctx(), shared.depth)?;
    for depth in 0..shared.depth {
        ids = ids.add(&iterators.get_at(depth)?)?;
    }
    let variables = MultiId::from_id_list(&bounds.get_space()?, &ids)?;
    let here = values.bind(&variables)?;
    let above = shared.nodes;
    let mut nests = Vec::new();
    if shared.node.get_type()? == ScheduleNodeType::Sequence {
        for filter in shared.node.children()? {
            let tree = filter.child(0)?;
            nests.push(Nest {
                instances: tree.get_domain()?.intersect(&here)?,
                tree,
                above,
            });
        }
    } else {
        nests.push(Nest {
            instances: shared.node.get_domain()?.intersect(&here)?,
            tree: shared.node.clone(),
            above,
        });
    }
    Ok(Some(Split {
        loops: loops(&shared, &bounds)?,
        context: bounds.bind(&variables)?,
        facts,
        nests,
    }))
}

/// What is below the loops that all statements share.
struct Shared {
    /// A sequence of nests, or the one nest.
    node: ScheduleNode,
    /// Bands and marks above it.
    nodes: usize,
    /// Loops above it.
    depth: usize,
}

fn shared_loops(schedule: &Schedule) -> Result<Option<Shared>> {
    let mut node = schedule.get_root()?;
    let (mut nodes, mut depth, mut own_marks) = (0, 0, 0);
    loop {
        node = node.child(0)?;
        match node.get_type()? {
            ScheduleNodeType::Band => {
                let isolated = !node.band_get_ast_isolate_option()?.is_empty()?;
                if isolated || node.band_n_member()? != 1 {
                    return Ok(None);
                }
                // Pieces with different statements are to be loops of their own: one nest.
                let separate = node.band_member_get_ast_loop_type(0)? == AstLoopType::Separate;
                if separate && depth > 0 {
                    // What marks say of the loop goes with it.
                    node = walk::up(&node, own_marks)?;
                    let nodes = nodes - own_marks;
                    return Ok(Some(Shared { node, nodes, depth }));
                }
                if separate {
                    return Ok(None);
                }
                depth += 1;
                own_marks = 0;
            }
            ScheduleNodeType::Mark => {
                own_marks = if node.mark_get_id()?.get_name()?.contains('@') {
                    own_marks + 1
                } else {
                    0
                };
            }
            ScheduleNodeType::Sequence if depth > 0 => {
                return Ok(Some(Shared { node, nodes, depth }));
            }
            _ => return Ok(None),
        }
        nodes += 1;
    }
}

/// A convex set with all values of the shared loops' variables, without divisions, and what is
/// known of the parameters that it mentions; `None` where a variable has no bound.
fn bounds(sequence: &ScheduleNode, depth: usize, facts: &Facts) -> Result<Option<(Set, Facts)>> {
    let mut pieces: Vec<Set> = Vec::new();
    let known = Known::of(&facts.context)?;
    let mut used = BTreeSet::new();
    for statement in sequence.get_prefix_schedule_relation()?.maps()? {
        let piece = statement.range()?.remove_divs()?;
        let piece = known.dropped_from(&piece.align_params(&facts.context.get_space()?)?)?;
        let mut seen = false;
        for other in &pieces {
            seen = seen || other.plain_is_equal(&piece)?;
        }
        if mistake!(NestsOfTheFirst) && !pieces.is_empty() {
            seen = true;
        }
        if !seen {
            let piece = piece.drop_unused_params()?;
            used.extend(piece.get_space()?.param_names()?);
            pieces.push(piece);
        }
    }
    let used: Vec<&str> = used.iter().map(String::as_str).collect();
    let facts = facts.of(&used)?;
    let context = &facts.context;
    for piece in &mut pieces {
        *piece = piece.intersect_params(context)?;
    }
    let hull = match largest(&pieces)? {
        Some(largest) => largest,
        None => {
            let mut all = Set::empty(&context.get_space()?.add_unnamed_tuple_ui(depth as u32)?)?;
            for piece in &pieces {
                all = all.union(piece)?;
            }
            Set::from_basic_set(&all.simple_hull()?)?
        }
    };
    for dimension in 0..depth {
        // By parameters and loops further outside: what those inside say of it comes too late.
        let inside = dimension + 1;
        let outer = hull.project_out(DimType::Set, inside, depth - inside)?;
        let bounded = outer.dim_has_lower_bound(DimType::Set, dimension)?
            && outer.dim_has_upper_bound(DimType::Set, dimension)?;
        if !bounded {
            return Ok(None);
        }
    }
    Ok(Some((hull, facts)))
}

/// The one of the sets that contains all others, where there is one.
fn largest(pieces: &[Set]) -> Result<Option<Set>> {
    let mut best: Option<Set> = None;
    for piece in pieces.iter().rev() {
        best = match best {
            None => Some(piece.clone()),
            Some(best) if piece.is_subset(&best)? => Some(best),
            Some(best) if best.is_subset(piece)? => Some(piece.clone()),
            Some(_) => return Ok(None),
        };
    }
    let convex = match &best {
        Some(best) => best.n_basic_set()? == 1,
        None => false,
    };
    Ok(best.filter(|_| convex))
}

/// Bands and marks of the shared loops, over their values alone.
fn loops(shared: &Shared, bounds: &Set) -> Result<Schedule> {
    let mut above = Vec::new();
    let mut node = shared.node.clone();
    for _ in 0..shared.nodes {
        node = node.parent()?;
        above.push(node.clone());
    }
    let schedule = Schedule::from_domain(&UnionSet::from_set(bounds)?)?;
    let mut built = walk::top(&schedule)?;
    let mut depth = shared.depth;
    for node in above {
        if node.get_type()? == ScheduleNodeType::Mark {
            built = built.insert_mark(&node.mark_get_id()?)?;
            continue;
        }
        depth -= 1;
        let variable = bounds
            .get_space()?
            .identity_multi_aff_on_domain()?
            .get_at(depth)?;
        let member = PwAff::from_aff(&variable)?;
        let member = UnionPwAff::from_pw_aff(&member)?;
        built = built.insert_partial_schedule(&MultiUnionPwAff::from_union_pw_aff(&member)?)?;
        let kind = node.band_member_get_ast_loop_type(0)?;
        built = built.band_member_set_ast_loop_type(0, kind)?;
    }
    built.get_schedule()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isl::{Ctx, Id};

    const TREE: &str = r#"{ domain: "[N] -> { A[t, i] : 0 <= t < N and 8t <= i <= 9 + 8t; B[t, i] : 0 <= t < N and 8t <= i <= 7 + 8t }",
        child: { mark: "parallel@0",
        child: { schedule: "[N] -> [{ A[t, i] -> [(t)]; B[t, i] -> [(t)] }]",
        child: { sequence: [
            { filter: "[N] -> { A[t, i] }",
              child: { schedule: "[N] -> [{ A[t, i] -> [(i)] }]" } },
            { filter: "[N] -> { B[t, i] }",
              child: { schedule: "[N] -> [{ B[t, i] -> [(i)] }]" } } ] } } } }"#;

    fn parts(tree: &str) -> Option<Split> {
        let ctx = Ctx::new();
        let schedule = Schedule::read_from_str(&ctx, tree).expect("a schedule");
        let mut names = IdList::alloc(&ctx, 4).expect("a list");
        for name in ["c0", "c1", "c2", "c3"] {
            names = names
                .add(&Id::alloc(&ctx, name).expect("a name"))
                .expect("a list");
        }
        let context = Set::read_from_str(&ctx, "[N] -> { : N >= 0 }").expect("a set");
        let facts = Facts::new(&context).expect("isl");
        split(&schedule, &names, &facts).expect("isl")
    }

    #[test]
    fn every_instance_is_in_one_nest_at_one_value_of_the_shared_loops() {
        let split = parts(TREE).expect("loops around a sequence");
        let ctx = split.context.ctx();
        let domain = |schedule: &Schedule| schedule.get_domain().expect("a domain");
        let expected = [
            "[N, c0] -> { A[c0, i] : 0 <= c0 < N and 8c0 <= i <= 9 + 8c0 }",
            "[N, c0] -> { B[c0, i] : 0 <= c0 < N and 8c0 <= i <= 7 + 8c0 }",
        ];
        assert_eq!(split.nests.len(), 2);
        for (nest, expected) in split.nests.iter().zip(expected) {
            let nest = nest.schedule().expect("isl");
            let expected = UnionSet::read_from_str(ctx, expected).expect("a set");
            assert!(domain(&nest).is_equal(&expected).expect("isl"), "{nest}");
        }
        let values = UnionSet::read_from_str(ctx, "[N] -> { [t] : 0 <= t < N }").expect("a set");
        assert!(
            domain(&split.loops).is_equal(&values).expect("isl"),
            "{}",
            split.loops
        );
    }

    #[test]
    fn marks_of_the_shared_loops_stay_with_them() {
        let split = parts(TREE).expect("loops around a sequence");
        assert!(split.loops.to_string().contains("parallel@0"));
        assert!(
            split.nests.iter().all(|nest| !nest
                .schedule()
                .expect("isl")
                .to_string()
                .contains("mark"))
        );
    }

    #[test]
    fn loops_that_are_to_fall_into_pieces_are_one_nest() {
        let separate = "child: { schedule: \"[N] -> [{ A[t, i] -> [(i)]; B[t, i] -> [(i)] }]\", \
                        options: \"{ separate[0] }\", child: { sequence: [";
        let tree = TREE.replace("child: { sequence: [", separate) + "}";
        let split = parts(&tree).expect("loops around a nest");
        assert_eq!(split.nests.len(), 1);
        assert!(
            split.nests[0]
                .schedule()
                .expect("isl")
                .to_string()
                .contains("separate")
        );
        assert!(!split.loops.to_string().contains("separate"));
        // The innermost loop's mark is the nest's, the other one that of the shared loop.
        let marked = tree.replace(
            "child: { schedule: \"[N] -> [{ A[t, i] -> [(i)]; B",
            "child: { mark: \"simd@1\", child: { schedule: \"[N] -> [{ A[t, i] -> [(i)]; B",
        ) + "}";
        let split = parts(&marked).expect("loops around a nest");
        let nest = split.nests[0].schedule().expect("isl").to_string();
        assert!(
            nest.contains("simd@1") && !nest.contains("parallel@0"),
            "{nest}"
        );
        let loops = split.loops.to_string();
        assert!(
            loops.contains("parallel@0") && !loops.contains("simd@1"),
            "{loops}"
        );
    }

    #[test]
    fn loops_without_bounds_stay_whole() {
        assert!(parts(&TREE.replace("0 <= t < N and", "0 <= t and")).is_none());
    }

    #[test]
    fn bounds_by_loops_further_inside_are_none() {
        // The second statement keeps the hull of both from a bound of `i`, as M may be negative;
        // that `i` is in tile `t` bounds `t` by `i` alone.
        let tree = r#"{ domain: "[M] -> { A[t, i] : 0 <= i < M and 8t <= i <= 7 + 8t; B[t, i] : i = 0 and t = 0 }",
            child: { schedule: "[M] -> [{ A[t, i] -> [(t)]; B[t, i] -> [(t)] }]",
            child: { schedule: "[M] -> [{ A[t, i] -> [(i)]; B[t, i] -> [(i)] }]",
            child: { sequence: [
                { filter: "[M] -> { A[t, i] }" },
                { filter: "[M] -> { B[t, i] }" } ] } } } }"#;
        assert!(parts(tree).is_none());
    }

    #[test]
    fn a_loop_with_one_statement_stays_whole() {
        let single =
            r#"{ domain: "{ A[t] : 0 <= t < 9 }", child: { schedule: "[{ A[t] -> [(t)] }]" } }"#;
        assert!(parts(single).is_none());
    }
}
