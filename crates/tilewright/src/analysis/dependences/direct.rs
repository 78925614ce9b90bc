//! Dependences through arrays that are written as a whole before they are read.
//!
//! Most arrays of a pipeline are like that: each of the statements that write it writes each cell
//! once at most, all of them come as a whole before those that read it, and where two of them
//! write the same cells, always the same one comes last (the rims of very small pictures). Then
//! the writer of what is read is the only one that is left, and dependences are compositions of
//! access relations; isl's dependence analysis, which finds the last one of many, takes a hundred
//! times longer.

use crate::analysis::dependences::dataflow::{FlowEdge, Touched};
use crate::analysis::dependences::memory::WriteRole;
use crate::analysis::dependences::times::Times;
use crate::scop::{ArrayId, Scop, Statement, StatementId, Tree};
use isl::{DimType, Map, Result, Schedule, ScheduleNode, ScheduleNodeType, UnionMap};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Dependences through one array, as in [`crate::analysis::dependences::dataflow::Dataflow`]. None of the maps is empty
/// under the assumptions of the scop, but they are not restricted to these.
#[derive(Clone, Debug)]
pub(crate) struct Direct {
    pub edges: Vec<FlowEdge>,
    /// Write after read.
    pub anti: Vec<Map>,
    /// Write after write.
    pub output: Vec<Map>,
    pub live_in: Vec<Map>,
    pub live_out: Vec<Map>,
}

impl Direct {
    /// Dependences through an array, of which `touched` are all accesses; `None` where more would
    /// have to be known of the order.
    pub fn of(
        scop: &Scop,
        order: &Order,
        array: ArrayId,
        touched: &[&Touched],
    ) -> Result<Option<Direct>> {
        let (writes, reads): (Vec<&Touched>, Vec<&Touched>) =
            touched.iter().partition(|touched| touched.role.is_some());
        let Some((overwritten, output)) = overwritten(scop, order, &writes)? else {
            return Ok(None);
        };
        let everything = last_writes(&writes, &overwritten, |_| true)?;
        let statement = |touched: &Touched| &scop.statements[touched.statement];
        let mut direct = Direct {
            edges: Vec::new(),
            anti: Vec::new(),
            output,
            live_in: Vec::new(),
            live_out: Vec::new(),
        };
        for read in reads {
            let mut sources = UnionMap::empty_ctx(&scop.ctx)?;
            // What comes from before the region.
            let mut before = read.exposed.clone().filter(|_| scop.arrays[array].live_in);
            // What comes after the reader overwrites nothing that it reads.
            let earlier = |write: &Touched| order.is_before(statement(write), statement(read));
            let last = if writes.iter().all(|write| earlier(write)) {
                &everything
            } else {
                &last_writes(&writes, &overwritten, earlier)?
            };
            for (write, last) in writes.iter().zip(last) {
                let pairs = read.relation.apply_range(&write.relation.reverse()?)?;
                if !scop.is_possible(&pairs)? {
                    continue;
                }
                if earlier(write) {
                    // Of the writers of the cell this one is the last, and all come before.
                    if let Some(exposed) = &read.exposed {
                        let flow = last.apply_range(&exposed.reverse()?)?;
                        // All that is written is left, and all that is read comes from there:
                        // then these are the pairs, which are possible.
                        let all = last.plain_is_equal(&write.relation)?
                            && exposed.plain_is_equal(&read.relation)?;
                        if all || scop.is_possible(&flow)? {
                            sources = sources.add_map(&flow.drop_unused_params()?)?;
                        }
                    }
                    before = match before {
                        Some(before) => Some(before.subtract_range(&write.relation.range()?)?),
                        None => None,
                    };
                } else if order.is_before(statement(read), statement(write)) {
                    direct.anti.push(pairs);
                } else {
                    return Ok(None);
                }
            }
            if read.exposed.is_some() {
                direct.edges.push(FlowEdge {
                    reader: read.statement,
                    access: read.access,
                    array,
                    sources,
                });
            }
            if let Some(before) = before {
                if scop.is_possible(&before)? {
                    direct.live_in.push(before.coalesce()?);
                }
            }
        }
        if scop.arrays[array].live_out {
            for last in everything {
                if scop.is_possible(&last)? {
                    direct.live_out.push(last);
                }
            }
        }
        Ok(Some(direct))
    }

    /// The same with other numbers for statements, given by their numbers here; `None` where one
    /// has none.
    pub fn renumbered(&self, numbers: &BTreeMap<StatementId, StatementId>) -> Option<Direct> {
        let edges = self.edges.iter().map(|edge| {
            Some(FlowEdge {
                reader: *numbers.get(&edge.reader)?,
                ..edge.clone()
            })
        });
        Some(Direct {
            edges: edges.collect::<Option<_>>()?,
            ..self.clone()
        })
    }
}

/// Per write of an array the numbers of those that write some of its cells later; and the pairs of
/// instances that write the same cell, in their order. `None` where a write is not certain, one
/// access writes a cell twice, or the order of two that write the same cell is not always the
/// same.
#[allow(clippy::type_complexity)]
fn overwritten(
    scop: &Scop,
    order: &Order,
    writes: &[&Touched],
) -> Result<Option<(Vec<Vec<usize>>, Vec<Map>)>> {
    let certain = |w: &&Touched| matches!(w.role, Some(WriteRole::Must { .. }));
    if !writes.iter().all(certain) {
        return Ok(None);
    }
    let mut ranges = Vec::new();
    let mut overwritten = vec![Vec::new(); writes.len()];
    let mut output = Vec::new();
    for (number, write) in writes.iter().enumerate() {
        if !write.relation.is_injective()? {
            return Ok(None);
        }
        let range = write.relation.range()?;
        for (earlier, other) in writes[..number].iter().enumerate() {
            if !scop.is_possible(&range.intersect(&ranges[earlier])?)? {
                continue;
            }
            let pairs = other.relation.apply_range(&write.relation.reverse()?)?;
            let statement = |touched: &Touched| &scop.statements[touched.statement];
            let first = order.is_before(statement(other), statement(write));
            let last_one = order.is_before(statement(write), statement(other));
            if first || !last_one && order.is_in_order(scop, &pairs)? {
                overwritten[earlier].push(number);
                output.push(pairs);
            } else if last_one || order.is_in_order(scop, &pairs.reverse()?)? {
                overwritten[number].push(earlier);
                output.push(pairs.reverse()?);
            } else {
                return Ok(None);
            }
        }
        ranges.push(range);
    }
    Ok(Some((overwritten, output)))
}

/// Per write the cells that are not written later by one of those that `count`.
fn last_writes(
    writes: &[&Touched],
    overwritten: &[Vec<usize>],
    count: impl Fn(&Touched) -> bool,
) -> Result<Vec<Map>> {
    let mut all = Vec::new();
    for (write, later) in writes.iter().zip(overwritten) {
        let mut last = write.relation.clone();
        for &later in later.iter().filter(|&&later| count(writes[later])) {
            last = last.subtract_range(&writes[later].relation.range()?)?;
        }
        all.push(last);
    }
    Ok(all)
}

/// The original order.
pub(crate) struct Order {
    /// By name: which child of each sequence outside all loops. Empty where a statement is below
    /// several.
    positions: BTreeMap<String, Vec<usize>>,
    /// The schedule, where that of instances was asked for.
    tree: OnceCell<Option<Tree>>,
    /// The times of the instances of two statements, by their names. They are compared with each
    /// other only, so the rest of the program is left out of them.
    times: RefCell<BTreeMap<(String, String), Rc<Times>>>,
}

impl Order {
    /// That of a scop.
    pub fn of(scop: &Scop) -> Result<Order> {
        let mut order = Order {
            positions: BTreeMap::new(),
            tree: OnceCell::new(),
            times: RefCell::default(),
        };
        let names = scop.statements.iter().map(|s| s.name.clone()).collect();
        order.below(&scop.schedule.get_root()?, &names, &[])?;
        Ok(order)
    }

    fn below(
        &mut self,
        node: &ScheduleNode,
        names: &BTreeSet<String>,
        position: &[usize],
    ) -> Result<()> {
        match node.get_type()? {
            ScheduleNodeType::Domain => self.below(&node.child(0)?, names, position),
            ScheduleNodeType::Sequence => {
                for (number, child) in node.children()?.into_iter().enumerate() {
                    let mut here = BTreeSet::new();
                    for set in child.filter_get_filter()?.sets()? {
                        here.insert(set.get_tuple_name()?);
                    }
                    let here = names.intersection(&here).cloned().collect();
                    let position = [position, &[number]].concat();
                    self.below(&child.child(0)?, &here, &position)?;
                }
                Ok(())
            }
            _ => {
                for name in names {
                    self.positions
                        .entry(name.clone())
                        .and_modify(Vec::clear)
                        .or_insert_with(|| position.to_vec());
                }
                Ok(())
            }
        }
    }

    /// Whether the first instance of every pair comes before the second one.
    fn is_in_order(&self, scop: &Scop, pairs: &Map) -> Result<bool> {
        let names = (
            pairs.get_tuple_name(DimType::In)?,
            pairs.get_tuple_name(DimType::Out)?,
        );
        let known = self.times.borrow().get(&names).cloned();
        let times = match known {
            Some(times) => times,
            None => {
                let times = Rc::new(Times::of(&self.schedule_of(scop, [&names.0, &names.1])?)?);
                self.times.borrow_mut().insert(names, Rc::clone(&times));
                times
            }
        };
        Ok(times.first_not_before(scop, pairs)?.is_none())
    }

    /// The schedule of some statements.
    fn schedule_of(&self, scop: &Scop, names: [&String; 2]) -> Result<Schedule> {
        let tree = match self.tree.get() {
            Some(known) => known,
            None => {
                let tree = Tree::of(&scop.schedule)?;
                self.tree.get_or_init(|| tree)
            }
        };
        let statements = scop.statements.iter().filter(|s| names.contains(&&s.name));
        let domains = statements.map(|s| (s.name.clone(), s.domain.clone()));
        let schedule = match tree {
            Some(tree) => tree.over(&domains.collect(), None)?,
            None => None,
        };
        Ok(schedule.unwrap_or_else(|| scop.schedule.clone()))
    }

    /// Whether every instance of one statement comes before every one of the other.
    fn is_before(&self, first: &Statement, second: &Statement) -> bool {
        let position = |statement: &Statement| self.positions.get(&statement.name);
        let (Some(first), Some(second)) = (position(first), position(second)) else {
            return false;
        };
        let different = first.iter().zip(second).find(|(a, b)| a != b);
        different.is_some_and(|(a, b)| a < b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dependences::dataflow::Dataflow;
    use crate::scop::testing::ScopBuilder;
    use proptest::prelude::*;

    /// How many arrays are direct, after a comparison of all dependences with those that isl's
    /// analysis finds.
    fn direct(scop: &Scop) -> usize {
        let (fast, slow) = (Dataflow::compute(scop), Dataflow::compute_ordered(scop));
        let (fast, slow) = (fast.unwrap(), slow.unwrap());
        let same = |one: &UnionMap, other: &UnionMap| {
            let within = |map: &UnionMap| map.intersect_params(&scop.context).unwrap();
            assert!(
                within(one).is_equal(&within(other)).unwrap(),
                "\n{one}\nis not\n{other}"
            );
        };
        assert_eq!(fast.edges.len(), slow.edges.len());
        for (one, other) in fast.edges.iter().zip(&slow.edges) {
            assert_eq!((one.reader, one.access), (other.reader, other.access));
            same(&one.sources, &other.sources);
        }
        same(&fast.flow(scop).unwrap(), &slow.flow(scop).unwrap());
        same(&fast.anti, &slow.anti);
        same(&fast.output, &slow.output);
        same(&fast.live_in, &slow.live_in);
        same(&fast.live_out, &slow.live_out);
        for (one, other) in fast.through.iter().zip(&slow.through) {
            same(one, other);
        }
        let order = Order::of(scop).unwrap();
        let touched = crate::analysis::dependences::dataflow::touched(scop).unwrap();
        let arrays = 0..scop.arrays.len();
        let is_direct = |&array: &ArrayId| {
            let own: Vec<&Touched> = touched.iter().filter(|t| t.array == array).collect();
            Direct::of(scop, &order, array, &own).unwrap().is_some()
        };
        arrays.filter(is_direct).count()
    }

    #[test]
    fn stages_of_a_pipeline() {
        let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
            .input("A", 1)
            .temporary("B", 1)
            .temporary("T", 1)
            .output("C", 1)
            .statement("S0[i] : 0 < i < n", &["A[i]"], &["B[i]"])
            .statement("S1[] : n > 3", &["A[0]"], &["B[0]"])
            .statement(
                "S2[i] : 0 < i < n",
                &["B[i - 1]", "B[i]", "?T[x] : 0 <= x < 3"],
                &["C[i]"],
            )
            .statement("S3[i] : 0 <= i < n", &["C[i]"], &["T[i]"])
            .build();
        assert_eq!(direct(&scop), 4);
    }

    #[test]
    fn inputs_that_are_overwritten_later() {
        let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
            .inout("A", 1)
            .inout("B", 1)
            .statement("S0[i] : 0 <= i < n", &["A[i + 1]", "A[i]"], &["B[i]"])
            .statement("S1[i] : 0 <= i < n", &["B[i]", "B[2i]"], &["A[i]"])
            .statement("S2[i] : 0 <= i < n", &["A[n - i]"], &["B[i + n]"])
            .build();
        assert_eq!(direct(&scop), 2);
    }

    #[test]
    fn what_is_updated_or_read_in_the_loop_of_its_writer_is_not() {
        let scop = ScopBuilder::new("[n] -> { : n >= 4 }")
            .inout("A", 1)
            .inout("B", 1)
            .inout("C", 1)
            .output("s", 0)
            .statement("S0[i] : 0 <= i < n", &["A[i + 1]"], &["A[i]"])
            .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
            .statement("S2[i] : 1 < i < n", &["A[i]"], &["B[n - i]"])
            .statement("S3[i] : 0 <= i < n", &["B[i]", "C[i]"], &["s[]"])
            .statement("S4[i] : 0 <= i < n", &["s[]"], &["?C[x] : 0 <= x < n"])
            .build();
        // `B`: S2 always comes last.
        assert_eq!(direct(&scop), 1);
    }

    #[test]
    fn rims_may_overlap() {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .temporary("B", 1)
            .output("C", 1)
            .statement("S0[i] : 0 <= i <= 1", &[], &["B[i]"])
            .statement("S1[i] : 2 <= i < n", &[], &["B[i]"])
            .statement("S2[i] : n <= i < n + 4", &[], &["B[i]"])
            .statement("S3[i] : 0 <= i < n + 4", &["B[i]"], &["C[n + 3 - i]"])
            .build();
        assert_eq!(direct(&scop), 2);
    }

    #[test]
    fn what_is_read_before_it_is_overwritten() {
        let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
            .temporary("B", 1)
            .output("C", 1)
            .statement("S0[i] : 0 <= i < n", &[], &["B[i + 1]"])
            .statement("S1[i] : 0 <= i < n", &["B[i]"], &["C[i]"])
            .statement("S2[i] : 0 <= i < n", &[], &["B[i]"])
            .statement("S3[i] : 0 <= i < n", &["B[i]"], &["C[n + i]"])
            .build();
        assert_eq!(direct(&scop), 2);
        let flow = Dataflow::compute(&scop).unwrap().flow(&scop).unwrap();
        let wanted = "[n] -> { S0[i] -> S1[i + 1] : 0 <= i < n - 1; S2[i] -> S3[i] : 0 <= i < n }";
        let wanted = UnionMap::read_from_str(&scop.ctx, wanted).unwrap();
        assert!(flow.is_equal(&wanted).unwrap(), "{flow}");
    }

    #[test]
    fn one_cell_may_have_two_writers_that_are_never_executed_together() {
        let scop = ScopBuilder::new("[n, m] -> { : 0 < m <= n }")
            .temporary("B", 1)
            .output("C", 1)
            .statement("S0[i] : 0 <= i < m", &[], &["B[i]"])
            .statement("S1[i] : n <= i < 2n", &[], &["B[i]"])
            .statement("S2[i] : 0 <= i < 2n", &["B[i]"], &["C[i]"])
            .build();
        assert_eq!(direct(&scop), 2);
    }

    /// One access: which array, the factor of the iterator, and what is added.
    type Subscript = (usize, i64, i64);

    fn subscript() -> impl Strategy<Value = Subscript> {
        (
            0usize..3,
            prop_oneof![3 => Just(1i64), 1 => Just(2), 1 => Just(-1)],
            -2i64..=2,
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 100,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// One loop after another, each over its own part of the range.
        #[test]
        fn it_finds_what_isl_finds(
            loops in prop::collection::vec(
                (prop::collection::vec(subscript(), 0..3), subscript(), 0i64..3, 0i64..3),
                2..6,
            ),
        ) {
            let mut builder = ScopBuilder::new("[n] -> { : 1 <= n <= 20 }")
                .inout("A", 1)
                .temporary("B", 1)
                .output("C", 1);
            let text = |(array, factor, plus): &Subscript| {
                format!("{}[{factor}i + {plus}]", ["A", "B", "C"][*array])
            };
            for (number, (reads, write, from, short)) in loops.iter().enumerate() {
                let reads: Vec<String> = reads.iter().map(text).collect();
                let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
                let domain = format!("S{number}[i] : {from} <= i < n - {short}");
                builder = builder.statement(&domain, &reads, &[&text(write)]);
            }
            direct(&builder.build());
        }
    }
}
