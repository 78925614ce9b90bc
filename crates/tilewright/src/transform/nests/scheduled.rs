//! The order that isl's scheduler finds for some statements.
//!
//! Its integer programs have variables for every statement, and what they take grows with a high
//! power of their number: a hundred statements of one body take it longer than it is given. Of many
//! statements, those that follow one another in one body over the same iterations are scheduled as
//! one, and keep their order in it. Nothing depends on that being
//! legal: what comes out is validated like every schedule.
//!
//! What was found once for a region is found there the next time: the planner asks for an order that
//! the plan then has, and several plans differ in nothing but what is done with it.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::stages::{StageGraph, StageId};
use crate::plan::{Fuse, defaults};
use crate::scop::tree::walk;
use crate::scop::{Scop, StatementId, Tree};
use crate::transform::nests::constants;
use crate::transform::nests::far::is_far;
use crate::transform::{domain_of, statements_of};
use isl::{
    DimType, Map, Result, Schedule, ScheduleConstraints, ScheduleNode, ScheduleNodeType, Set,
    UnionMap, UnionPwMultiAff, UnionSet,
};
use std::collections::BTreeMap;

/// The dependences among some statements, within their domain.
pub(crate) struct Among {
    pub domain: UnionSet,
    /// All of them.
    pub all: UnionMap,
    /// Those along which values flow.
    pub flow: UnionMap,
}

impl Among {
    /// Those of a region.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(
        scop: &Scop,
        dataflow: &Dataflow,
        domain: UnionSet,
        statements: &[StatementId],
    ) -> Result<Among> {
        let all = dataflow.among(scop, statements)?;
        let flow = dataflow.flow_among(scop, statements)?;
        Ok(Among {
            all: all.intersect_domain(&domain)?.intersect_range(&domain)?,
            flow: flow.intersect_domain(&domain)?.intersect_range(&domain)?,
            domain,
        })
    }
}

/// The schedule of all statements; `None` where its loops would run too far ([`is_far`]).
///
/// # Errors
/// isl's own, among them that the budget ran out.
pub(crate) fn of_all(
    scop: &Scop,
    dataflow: &Dataflow,
    graph: &StageGraph,
    fuse: Fuse,
) -> Result<Option<Schedule>> {
    let stages: Vec<StageId> = (0..graph.stages.len()).collect();
    let statements = statements_of(graph, &stages);
    let among = Among::of(scop, dataflow, domain_of(scop, &statements)?, &statements)?;
    let schedule = schedule(scop, dataflow, &statements, &among, fuse)?;
    Ok((!is_far(&schedule)?).then_some(schedule))
}

/// The schedule of some statements; the same, or the same error, as when it was asked for before:
/// what took more than the scheduler's time would do so again.
///
/// # Errors
/// isl's own, among them that the budget ran out.
pub(crate) fn schedule(
    scop: &Scop,
    dataflow: &Dataflow,
    statements: &[StatementId],
    among: &Among,
    fuse: Fuse,
) -> Result<Schedule> {
    dataflow.scheduled(statements, fuse, || {
        let bodies = match statements.len() > defaults::SCHEDULED_APART {
            true => Bodies::of(scop, statements)?,
            false => None,
        };
        match bodies {
            Some(bodies) => bodies.schedule(scop, among, fuse),
            None => compute(scop, among, fuse),
        }
    })
}

/// isl's schedule of all statements.
fn compute(scop: &Scop, among: &Among, fuse: Fuse) -> Result<Schedule> {
    let ctx = &scop.ctx;
    ctx.set_schedule_serialize_sccs(i32::from(fuse == Fuse::No))?;
    ctx.set_schedule_whole_component(i32::from(fuse == Fuse::Max))?;
    ctx.set_schedule_maximize_coincidence(i32::from(fuse == Fuse::Smart))?;
    ctx.set_schedule_maximize_band_depth(i32::from(fuse == Fuse::Smart))?;
    let smaller = constants::smaller([&among.all, &among.flow])?;
    let (dependences, flow) = match &smaller {
        Some([dependences, flow]) => (dependences, flow),
        None => (&among.all, &among.flow),
    };
    let constraints = ScheduleConstraints::on_domain(&among.domain)?
        .set_context(&scop.context)?
        .set_validity(dependences)?
        .set_coincidence(dependences)?
        .set_proximity(flow)?;
    let schedule = ctx.schedule(&constraints)?;
    if !is_far(&schedule)? {
        return Ok(schedule);
    }
    // isl looks for another one only where it is told to.
    ctx.set_schedule_max_coefficient(defaults::FARTHEST_FACTOR as i32)?;
    ctx.set_schedule_max_constant_term(defaults::FARTHEST_SHIFT as i32)?;
    let schedule = ctx.schedule(&constraints);
    ctx.set_schedule_max_coefficient(-1)?;
    ctx.set_schedule_max_constant_term(-1)?;
    schedule
}

/// Statements that stand for those of a body.
struct Bodies {
    /// From all statements to the first ones of their bodies, at the same iterations.
    first: UnionMap,
    /// By the first one's name, a body's statements in their order.
    inside: BTreeMap<String, Schedule>,
}

impl Bodies {
    /// The bodies among some statements; `None` where each is of one statement.
    fn of(scop: &Scop, statements: &[StatementId]) -> Result<Option<Bodies>> {
        let Some(tree) = Tree::of(&scop.schedule)? else {
            return Ok(None);
        };
        let mut domains = BTreeMap::new();
        for &id in statements {
            let statement = &scop.statements[id];
            domains.insert(statement.name.clone(), statement.domain.clone());
        }
        let mut first = UnionMap::empty_ctx(&scop.ctx)?;
        let mut inside = BTreeMap::new();
        for names in bodies(&tree, &domains)? {
            let mut body: Option<Schedule> = None;
            for name in &names {
                let domain = &domains[name];
                let same = Map::identity(&domain.get_space()?.map_from_set()?)?;
                first = first.add_map(&same.set_tuple_name(DimType::Out, &names[0])?)?;
                let own = Schedule::from_domain(&UnionSet::from_set(domain)?)?;
                body = Some(match body {
                    Some(before) => before.sequence(&own)?,
                    None => own,
                });
            }
            inside.extend(body.map(|body| (names[0].clone(), body)));
        }
        let some = inside.len() < statements.len();
        Ok(some.then_some(Bodies { first, inside }))
    }

    /// The schedule of bodies, with their statements in them.
    fn schedule(&self, scop: &Scop, among: &Among, fuse: Fuse) -> Result<Schedule> {
        let domain = among.domain.apply(&self.first)?;
        // What stays inside of one body's iteration is in order.
        let within = domain.identity()?;
        let of_bodies = |pairs: &UnionMap| {
            let pairs = pairs.apply_domain(&self.first)?.apply_range(&self.first)?;
            pairs.subtract(&within)?.coalesce()
        };
        let of_bodies = Among {
            all: of_bodies(&among.all)?,
            flow: of_bodies(&among.flow)?,
            domain,
        };
        let schedule = compute(scop, &of_bodies, fuse)?;
        self.expanded(
            &schedule.get_root()?,
            &UnionPwMultiAff::from_union_map(&self.first)?,
        )
    }

    /// A schedule of bodies from a node on, with their statements in place of them. isl's own
    /// expansion leaves a node in the tree that its analyses do not take.
    fn expanded(&self, node: &ScheduleNode, first: &UnionPwMultiAff) -> Result<Schedule> {
        let below = |child| self.expanded(&node.child(child)?, first);
        let kind = node.get_type()?;
        match kind {
            ScheduleNodeType::Leaf => {
                let mut all: Option<Schedule> = None;
                for set in node.get_domain()?.sets()? {
                    if let Some(body) = self.inside.get(&set.get_tuple_name()?) {
                        all = Some(match all {
                            Some(others) => others.set(body)?,
                            None => body.clone(),
                        });
                    }
                }
                match all {
                    Some(all) => Ok(all),
                    None => Schedule::from_domain(&UnionSet::empty_ctx(node.ctx())?),
                }
            }
            ScheduleNodeType::Band => {
                let partial = node.band_get_partial_schedule()?;
                let partial = partial.pullback_union_pw_multi_aff(first)?;
                let inner = walk::top(&below(0)?)?;
                let mut band = inner.insert_partial_schedule(&partial)?;
                band = band.band_set_permutable(node.band_get_permutable()?)?;
                for member in 0..node.band_n_member()? {
                    let coincident = node.band_member_get_coincident(member)?;
                    band = band.band_member_set_coincident(member, coincident)?;
                }
                band.get_schedule()
            }
            ScheduleNodeType::Sequence | ScheduleNodeType::Set => {
                let mut all = below(0)?;
                for child in 1..node.n_children()? {
                    let own = below(child)?;
                    all = match kind {
                        ScheduleNodeType::Set => all.set(&own)?,
                        _ => all.sequence(&own)?,
                    };
                }
                Ok(all)
            }
            _ => below(0),
        }
    }
}

/// The statements that are given with their domains, by the bodies that they are in: those next to
/// each other in a sequence, with nothing between them and the same iterations.
fn bodies(tree: &Tree, domains: &BTreeMap<String, Set>) -> Result<Vec<Vec<String>>> {
    let mut found = Vec::new();
    let names = domains.keys().map(String::as_str).collect();
    tree.bodies(&names, &mut found);
    let mut all: Vec<Vec<String>> = Vec::new();
    for body in found {
        let mut last: Option<&Set> = None;
        for name in body {
            let domain = &domains[&name];
            let together = match last {
                Some(last) => {
                    let renamed = last.set_tuple_name(&name)?;
                    renamed.plain_is_equal(domain)?
                }
                None => false,
            };
            last = Some(domain);
            match all.last_mut().filter(|_| together) {
                Some(own) => own.push(name),
                None => all.push(vec![name]),
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::region::Region;
    use crate::plan::{Group, RegionPlan, Shape};
    use crate::scop::testing::region;
    use crate::transform;
    use crate::validate;

    /// A loop of many statements on the same few cells, between two others.
    fn rounds(statements: usize) -> Region {
        let step = |k: usize| {
            let (to, from) = (k % 16, (k + 5) % 16);
            format!(
                "x[{to}] = (x[{to}] ^ x[{from}]) << {} | x[{from}];\n",
                k % 7
            )
        };
        let steps: String = (0..statements).map(step).collect();
        let body = format!(
            "for (int i = 0; i < 16; i++) x[i] = a[i];
             for (int r = 0; r < n; r++) {{\n{steps}}}
             for (int i = 0; i < 16; i++) a[i] += x[i];"
        );
        region("int n, unsigned a[16], unsigned x[16]", &body)
    }

    fn all(region: &Region) -> Vec<StatementId> {
        (0..region.scop.statements.len()).collect()
    }

    #[test]
    fn statements_of_a_body_are_scheduled_as_one() {
        let region = rounds(40);
        let bodies = Bodies::of(&region.scop, &all(&region)).unwrap().unwrap();
        assert_eq!(bodies.inside.len(), 3);
        let group = Group::new(
            region.graph.stages.iter().map(|s| s.name.clone()).collect(),
            Shape::Parallelogram,
        );
        let plan = RegionPlan::new("f", 0, "affine", vec![group]);
        let Region {
            scop,
            dataflow,
            graph,
            ..
        } = &region;
        let transformed = transform::apply(scop, dataflow, graph, &plan).unwrap();
        let times = transformed.schedule.get_map().unwrap();
        assert_eq!(times.maps().unwrap().len(), scop.statements.len());
        let violation = validate::validate(scop, dataflow, &transformed).unwrap();
        assert!(violation.is_none(), "{violation:?}");
    }

    #[test]
    fn other_iterations_are_another_body() {
        let region = region(
            "int n, double a[n], double b[n], double c[n]",
            "for (int i = 0; i < n; i++) {
                 a[i] = i;
                 b[i] = a[i] * 2;
                 if (i > 3) c[i] = b[i];
                 if (i > 3) a[i] = c[i];
                 b[i] += 1;
             }",
        );
        let bodies = Bodies::of(&region.scop, &all(&region)).unwrap().unwrap();
        let lengths: Vec<usize> = bodies
            .inside
            .values()
            .map(|body| body.get_domain().unwrap().sets().unwrap().len())
            .collect();
        assert_eq!(lengths, [2, 2, 1]);
    }

    #[test]
    fn an_order_is_looked_for_once() {
        let region = rounds(3);
        let statements = all(&region);
        let domain = domain_of(&region.scop, &statements).unwrap();
        let dataflow = &region.dataflow;
        let among = Among::of(&region.scop, dataflow, domain, &statements).unwrap();
        let find = |fuse| schedule(&region.scop, dataflow, &statements, &among, fuse);
        let first = find(Fuse::Max).unwrap();
        let not_again = || panic!("isl is asked again");
        let again = dataflow.scheduled(&statements, Fuse::Max, not_again);
        assert!(again.unwrap().plain_is_equal(&first).unwrap());
        let mut asked = false;
        let other = dataflow.scheduled(&statements, Fuse::No, || {
            asked = true;
            Ok(first.clone())
        });
        assert!(other.is_ok() && asked);
    }
}
