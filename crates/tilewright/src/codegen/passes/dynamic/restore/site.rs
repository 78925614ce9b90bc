//! The place in front of a loop, and which data is there.

use crate::codegen::kernel::{Comparison, Index, Instance, Node, PlaceIndex};
use crate::codegen::passes::dynamic::exits::predicates::{Test, tests};
use crate::codegen::reach::{Around, Placed, Reach};
use crate::mistakes::mistake;
use crate::scop::{AccessKind, Action, Scop};
use crate::transform::BufferId;
use isl::{Result, Set};

/// An instance that computes a bound, or writes another temporary.
///
/// **Invariant:** `path` has one entry for each of `around`.
pub(crate) struct Writer {
    buffer: BufferId,
    cell: Vec<Index>,
    /// What is around it, outermost first.
    around: Vec<Around>,
    path: Vec<usize>,
    /// Its number in textual order.
    number: usize,
    /// The tests that it makes.
    tests: Vec<Index>,
}

/// Numbers loops, branches of guards and statements in textual order. Two walks over the same code
/// give the same numbers.
#[derive(Default)]
pub(crate) struct Numbers(usize);

impl Numbers {
    pub fn next(&mut self) -> usize {
        self.0 += 1;
        self.0
    }
}

/// All instances that write cells of the region's temporaries with affine subscripts in any case,
/// but for the tests around their whole body.
pub(crate) fn writers(scop: &Scop, nodes: &[Node]) -> Vec<Writer> {
    let mut all = Vec::new();
    let mut walk = Walk {
        scop,
        numbers: Numbers::default(),
        around: Vec::new(),
        path: Vec::new(),
    };
    walk.nodes(nodes, &mut all);
    all
}

struct Walk<'a> {
    scop: &'a Scop,
    numbers: Numbers,
    around: Vec<Around>,
    path: Vec<usize>,
}

impl Walk<'_> {
    fn nodes(&mut self, nodes: &[Node], all: &mut Vec<Writer>) {
        for node in nodes {
            match node {
                Node::For(each) => self.inside(Around::of(each), &each.body, all),
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let guard = |holds| Around::Guard(condition.clone(), holds);
                    self.inside(guard(true), then, all);
                    self.inside(guard(false), otherwise, all);
                }
                Node::Statement(instance) => {
                    let number = self.numbers.next();
                    self.statement(instance, number, all);
                }
                node => node
                    .children()
                    .for_each(|child| self.nodes(std::slice::from_ref(child), all)),
            }
        }
    }

    fn inside(&mut self, around: Around, nodes: &[Node], all: &mut Vec<Writer>) {
        self.path.push(self.numbers.next());
        self.around.push(around);
        self.nodes(nodes, all);
        self.around.pop();
        self.path.pop();
    }

    fn statement(&mut self, instance: &Instance, number: usize, all: &mut Vec<Writer>) {
        let made = tests(self.scop, instance);
        let statement = &self.scop.statements[instance.statement];
        let mut actions = statement.body.as_slice();
        for _ in &made {
            let [Action::If { then, .. }] = actions else {
                return;
            };
            actions = then;
        }
        for action in actions {
            let Action::Assign { target, .. } = action else {
                continue;
            };
            if statement.accesses[*target].kind != AccessKind::Write {
                continue;
            }
            let place = &instance.accesses[*target];
            let indices = place.indices.iter().map(|index| match index {
                PlaceIndex::Affine(index) => Some(index.clone()),
                PlaceIndex::Data { .. } => None,
            });
            let Some(cell) = indices.collect::<Option<Vec<Index>>>() else {
                continue;
            };
            all.push(Writer {
                buffer: place.buffer,
                cell,
                around: self.around.clone(),
                path: self.path.clone(),
                number,
                tests: made.iter().map(|test| test.condition.clone()).collect(),
            });
        }
    }
}

/// The place in front of a loop.
pub(crate) struct Site<'a> {
    pub reach: &'a Reach<'a>,
    /// The values of variables around the loop, or more.
    pub here: Set,
    /// What is around the loop, by number, and the loop's own number.
    pub path: &'a [usize],
    pub number: usize,
    /// Tests that hold here.
    pub certain: &'a [Index],
    /// What is inside, and what it tests.
    pub instances: &'a [Placed],
    pub tested: &'a [Vec<Test>],
    /// All that writes temporaries.
    pub writers: &'a [Writer],
    /// A guard around the loop, which holds wherever something inside is executed, and where.
    pub guard: Option<(Index, Set)>,
}

impl Site<'_> {
    /// Whether the data in some expressions is there, with a guard around the loop if need be.
    ///
    /// # Errors
    /// isl's own.
    pub fn reads(&mut self, conditions: &[&Index]) -> Result<bool> {
        let mut data: Vec<&Index> = Vec::new();
        for condition in conditions {
            condition.walk(&mut |part| {
                if matches!(part, Index::Data(..)) && !data.contains(&part) {
                    data.push(part);
                }
            });
        }
        let mut known = Vec::new();
        for one in &data {
            known.push(self.known(one)?);
        }
        let everywhere = |set: &Set| -> Result<bool> {
            for one in &known {
                if !set.is_subset(one)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        if mistake!(RestoreReadsTooEarly) || everywhere(&self.guarded())? {
            return Ok(true);
        }
        if self.guard.is_some() {
            return Ok(false);
        }
        let Some(executed) = self.executed()? else {
            return Ok(false);
        };
        if !everywhere(&executed)? {
            return Ok(false);
        }
        match self.reach.condition(&executed, &self.here) {
            Ok(guard) => self.guard = Some((guard, executed)),
            Err(error) if error.is_quota() => return Err(error),
            Err(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Values of variables around the loop for which some data is certainly there: an instance
    /// inside tests it, or it is computed in front of the loop.
    fn known(&self, data: &Index) -> Result<Set> {
        let mut found = Set::empty(&self.here.get_space()?)?;
        for ((_, around), tests) in self.instances.iter().zip(self.tested) {
            if !tests.iter().any(|test| holds(&test.condition, data)) {
                continue;
            }
            if let Some(set) = self.reach.exactly(&self.here, around)? {
                found = found.union(&self.reach.without(set, around)?)?;
            }
        }
        let Index::Data(buffer, cell) = data else {
            return Ok(found);
        };
        for writer in self.writers.iter().filter(|w| w.buffer == *buffer) {
            if let Some(set) = self.written(writer, cell)? {
                found = found.union(&set)?;
            }
        }
        found.coalesce()
    }

    /// The values for which a cell is written in front of the loop; `None` where that is not known.
    fn written(&self, writer: &Writer, cell: &[Index]) -> Result<Option<Set>> {
        let ahead = writer.number < self.number;
        let certain = |test: &Index| self.certain.contains(test);
        if !ahead || !writer.tests.iter().all(certain) || writer.cell.len() != cell.len() {
            return Ok(None);
        }
        let both = writer.path.iter().zip(self.path);
        let shared = both.take_while(|(one, other)| one == other).count();
        // Loops beside each other may have the same variables.
        let mut own = writer.around[shared..].to_vec();
        let mut written = writer.cell.clone();
        let vars = own.iter().filter_map(|one| match one {
            Around::Loop(var, ..) => Some(var.clone()),
            Around::Guard(..) => None,
        });
        for var in vars.collect::<Vec<_>>() {
            let other = format!("earlier {var}");
            own = own.iter().map(|one| one.renamed(&var, &other)).collect();
            let value = Index::var(&other);
            written
                .iter_mut()
                .for_each(|index| *index = index.with(&var, &value));
        }
        let Some(mut set) = self.reach.exactly(&self.here, &own)? else {
            return Ok(None);
        };
        for (one, other) in written.iter().zip(cell) {
            let same = Index::Compare(
                Comparison::Equal,
                Box::new(one.clone()),
                Box::new(other.clone()),
            );
            set = match self.reach.exactly(&set, &[Around::Guard(same, true)])? {
                Some(set) => set,
                None => return Ok(None),
            };
        }
        self.reach.without(set, &own).map(Some)
    }

    /// The values for which anything inside is executed, but for tests of data; `None` where that is
    /// not known exactly.
    fn executed(&self) -> Result<Option<Set>> {
        let mut all = Set::empty(&self.here.get_space()?)?;
        for (_, around) in self.instances {
            let Some(set) = self.reach.exactly(&self.here, around)? else {
                return Ok(None);
            };
            all = all.union(&self.reach.without(set, around)?)?;
        }
        all.coalesce().map(Some)
    }

    /// The values of variables around the loop where its guard holds, or more.
    pub fn guarded(&self) -> Set {
        match &self.guard {
            Some((_, holds)) => holds.clone(),
            None => self.here.clone(),
        }
    }
}

/// Whether some data is part of an expression.
fn holds(index: &Index, data: &Index) -> bool {
    let mut found = false;
    index.walk(&mut |part| found |= part == data);
    found
}
