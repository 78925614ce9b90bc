//! Executes a kernel by one thread, or a device program by all its threads, and writes down which
//! instances there were and whose values they read.

mod access;

use super::Finding;
use super::cells::{Cells, Kind, Log, Who, mixed};
use super::facts::Facts;
use super::traffic::Counter;
use crate::codegen::gpu::program::{Axis, BlockNode, Dealt, DeviceKernel, HostNode, Piece};
use crate::codegen::kernel::{Index, Instance, Node};
use crate::codegen::passes::dynamic::exits::predicates::{Test, tests};
use crate::codegen::terms::number::number;
use crate::plan::defaults::{EXIT_PERIOD, REPLAYED_STEPS};
use crate::scop::AccessKind;
use crate::transform::BufferId;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What happened, whatever the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// Per statement, how many instances, and the sum of their hashes.
    pub instances: Vec<(u64, u64)>,
    /// Per statement and access that reads, the sum of hashes of instance and source.
    pub sources: Vec<Vec<u64>>,
    /// The sum of hashes of cell and last writer, of arrays that are copied from the device.
    pub results: u64,
}

/// Where on the device.
struct OnDevice<'a> {
    number: usize,
    kernel: &'a DeviceKernel,
    /// Bytes of a unit of local memory: of the smallest type.
    unit: i64,
    /// Counted over all launches.
    launch: u64,
    block: u64,
    /// Of this launch.
    block_number: usize,
    interval: u64,
    thread: Who,
    /// Variables of the thread, with the life of each.
    own: Vec<(&'a [BufferId], u64)>,
    lives: u64,
    in_block: Log,
    among_blocks: Log,
}

/// In place of a place in the text, for bounds: no address.
const BOUND: usize = usize::MAX;

/// Something that executes.
pub(super) struct Machine<'a> {
    facts: &'a Facts<'a>,
    around: Around<'a>,
    /// Conditions under which instances do something.
    tests: HashMap<*const Instance, Rc<[Index]>>,
    memory: Memory,
    device: Option<OnDevice<'a>>,
    /// How often each scope was entered: where one thread executes everything, those of its buffers
    /// that data picks from hold nothing then.
    lives: BTreeMap<usize, u64>,
    record: Record,
    steps: u64,
    /// Barriers that blocks came to.
    pub barriers: u64,
    pub blocks: u64,
    /// What warps ask of the memories, where that is counted.
    pub counter: Option<Counter>,
}

/// The loops around what is executed.
#[derive(Default)]
struct Around<'a> {
    variables: Vec<(&'a str, i64)>,
    /// Whether they go on: those that end early ask before each iteration.
    going: Vec<(&'a str, bool)>,
    /// In which iterations of the loops of a piece its thread is, each counted from its first one.
    path: u64,
}

/// What cells hold.
#[derive(Default)]
struct Memory {
    /// Hashes of the last writers.
    sources: Cells<u64>,
    /// The same of arrays that are copied from the device.
    results: Cells<u64>,
    /// Of buffers that bounds are in.
    values: Cells<i64>,
}

impl<'a> Machine<'a> {
    pub fn new(facts: &'a Facts<'a>) -> Machine<'a> {
        let statements = &facts.scop.statements;
        Machine {
            facts,
            around: Around::default(),
            tests: HashMap::new(),
            memory: Memory::default(),
            device: None,
            lives: BTreeMap::new(),
            record: Record {
                instances: vec![(0, 0); statements.len()],
                sources: statements
                    .iter()
                    .map(|s| vec![0; s.accesses.len()])
                    .collect(),
                results: 0,
            },
            steps: 0,
            barriers: 0,
            blocks: 0,
            counter: None,
        }
    }

    /// What happened.
    pub fn record(mut self) -> Record {
        for (&cell, &writer) in &self.memory.results {
            self.record.results = self.record.results.wrapping_add(mixed(cell, writer));
        }
        self.record
    }

    fn step(&mut self) -> Result<(), Finding> {
        self.steps += 1;
        if self.steps > REPLAYED_STEPS {
            Err(Finding::Long)
        } else {
            Ok(())
        }
    }

    fn number(&mut self, index: &Index) -> Result<i64, Finding> {
        let variables = std::mem::take(&mut self.around.variables);
        let facts = self.facts;
        let mut read = |buffer, indices| self.bound(buffer, indices);
        let value = number(index, &facts.params, &variables, &mut read);
        self.around.variables = variables;
        value
    }

    /// The same on the host, which does not see the device's memory.
    fn on_host(&mut self, index: &Index) -> Result<i64, Finding> {
        if index.is_data() {
            Err(Finding::OnHost)
        } else {
            self.number(index)
        }
    }

    /// The value of a bound, or of a condition, in memory.
    fn bound(&mut self, buffer: BufferId, indices: Vec<i64>) -> Result<i64, Finding> {
        let indices: Vec<Option<i64>> = indices.into_iter().map(Some).collect();
        let cell = self.cell(buffer, &indices)?;
        self.visit(&cell, Kind::Read, None, &indices)?;
        self.count(&cell, &indices, BOUND - buffer, false);
        self.memory
            .values
            .get(&cell.key)
            .copied()
            .ok_or(Finding::Unset {
                name: self.facts.name(buffer).to_owned(),
            })
    }

    /// Executes the host's part, launches with it.
    pub fn host(&mut self, nodes: &'a [HostNode]) -> Result<(), Finding> {
        for node in nodes {
            match node {
                HostNode::For {
                    var,
                    lower,
                    upper,
                    step,
                    ends_early,
                    body,
                } => {
                    let (mut value, upper) = (self.on_host(lower)?, self.on_host(upper)?);
                    self.around.going.push((var, false));
                    let mut turn = 0;
                    while value <= upper {
                        self.step()?;
                        self.around.variables.push((var, value));
                        self.host(body)?;
                        self.around.variables.pop();
                        turn += 1;
                        if *ends_early && turn % EXIT_PERIOD == 0 && !self.noted() {
                            break;
                        }
                        value += (*step).max(1);
                    }
                    self.around.going.pop();
                }
                HostNode::GoesOn { var, condition } => {
                    if self.on_host(condition)? != 0 {
                        self.note(var);
                    }
                }
                HostNode::If {
                    condition,
                    then,
                    otherwise,
                } => match self.on_host(condition)? {
                    0 => self.host(otherwise)?,
                    _ => self.host(then)?,
                },
                HostNode::Launch(number) => self.launch(*number)?,
            }
        }
        Ok(())
    }

    fn iterate(
        &mut self,
        var: &'a str,
        first: i64,
        last: i64,
        step: i64,
        body: &mut dyn FnMut(&mut Machine<'a>) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        let mut value = first;
        while value <= last {
            self.step()?;
            self.around.variables.push((var, value));
            body(self)?;
            self.around.variables.pop();
            value += step.max(1);
        }
        Ok(())
    }

    /// Notes that the loop of a variable around goes on.
    fn note(&mut self, var: &str) {
        let mut around = self.around.going.iter_mut().rev();
        if let Some((_, goes_on)) = around.find(|(name, _)| *name == var) {
            *goes_on = true;
        }
    }

    /// Whether that was noted of the innermost loop around since this was asked last.
    fn noted(&mut self) -> bool {
        let innermost = self.around.going.last_mut();
        innermost.is_some_and(|(_, goes_on)| std::mem::replace(goes_on, false))
    }

    fn launch(&mut self, number: usize) -> Result<(), Finding> {
        let facts = self.facts;
        let kernel = &facts.program.kernels[number];
        // The host evaluates all bounds before any block begins.
        let mut bounds = Vec::new();
        for each in &kernel.grid {
            bounds.push((self.on_host(&each.lower)?, self.on_host(&each.upper)?));
        }
        let of = |buffer: &BufferId| {
            let own = facts.program.buffers.iter().find(|b| b.buffer == *buffer);
            own.map_or(1, |b| b.element.kind.bytes() as i64)
        };
        let unit = kernel.local.iter().map(|(buffer, _)| of(buffer)).min();
        let before = self.device.take();
        self.device = Some(OnDevice {
            number,
            kernel,
            unit: unit.unwrap_or(1),
            launch: before.as_ref().map_or(1, |d| d.launch + 1),
            block: before.as_ref().map_or(0, |d| d.block),
            block_number: 0,
            interval: before.as_ref().map_or(0, |d| d.interval),
            thread: Who::ALL,
            own: Vec::new(),
            lives: before.as_ref().map_or(0, |d| d.lives),
            in_block: Log::default(),
            among_blocks: Log::default(),
        });
        if let Some(counter) = &mut self.counter {
            counter.launch(number, kernel.threads, kernel.local_bytes);
        }
        self.grid(0, &bounds)
    }

    fn grid(&mut self, at: usize, bounds: &[(i64, i64)]) -> Result<(), Finding> {
        let Some(device) = &mut self.device else {
            return Ok(());
        };
        let kernel = device.kernel;
        if let (Some(each), Some(&(lower, upper))) = (kernel.grid.get(at), bounds.get(at)) {
            let mut inside = |all: &mut Machine<'a>| all.grid(at + 1, bounds);
            return self.iterate(&each.var, lower, upper, each.step, &mut inside);
        }
        device.block += 1;
        device.block_number += 1;
        device.interval += 1;
        self.blocks += 1;
        if let Some(counter) = &mut self.counter {
            counter.block();
        }
        self.block(&kernel.body)
    }

    /// Executes what the threads of a block do together.
    fn block(&mut self, nodes: &'a [BlockNode]) -> Result<(), Finding> {
        for node in nodes {
            match node {
                BlockNode::For {
                    var,
                    lower,
                    upper,
                    step,
                    ends_early,
                    body,
                } => {
                    let mut value = self.number(lower)?;
                    self.around.going.push((var, false));
                    // Tested before each iteration, and once more.
                    while value <= self.number(upper)? {
                        self.step()?;
                        self.around.variables.push((var, value));
                        self.block(body)?;
                        self.around.variables.pop();
                        if *ends_early {
                            self.meet();
                            if !self.noted() {
                                break;
                            }
                        }
                        value += (*step).max(1);
                    }
                    self.around.going.pop();
                }
                BlockNode::If {
                    condition,
                    then,
                    otherwise,
                } => match self.number(condition)? {
                    0 => self.block(otherwise)?,
                    _ => self.block(then)?,
                },
                BlockNode::Barrier => self.meet(),
                BlockNode::Piece(piece) => self.piece(piece)?,
            }
        }
        Ok(())
    }

    /// All threads of a block wait for each other.
    fn meet(&mut self) {
        self.barriers += 1;
        if let Some(counter) = &mut self.counter {
            counter.barrier();
        }
        if let Some(device) = &mut self.device {
            device.interval += 1;
        }
    }

    fn piece(&mut self, piece: &'a Piece) -> Result<(), Finding> {
        let [x, y] = self.device.as_ref().map_or([1, 1], |d| d.kernel.threads);
        let threads = if piece.dealt.is_empty() { 1 } else { x * y };
        for thread in 0..threads {
            self.step()?;
            if let Some(device) = &mut self.device {
                device.thread = Who::one(usize::try_from(thread).unwrap_or(0));
            }
            if let Some(counter) = &mut self.counter {
                counter.thread(thread);
            }
            let place = |dealt: &'a Dealt| match dealt.axis {
                Axis::X => (&*dealt.var, thread % x, x),
                Axis::Y => (&*dealt.var, thread / x, y),
                Axis::All => (&*dealt.var, thread, x * y),
            };
            let dealt: Vec<(&str, i64, i64)> = piece.dealt.iter().map(place).collect();
            self.nodes(&piece.body, &dealt)?;
        }
        if let Some(device) = &mut self.device {
            device.thread = Who::ALL;
        }
        if let Some(counter) = &mut self.counter {
            counter.flush();
        }
        Ok(())
    }

    /// Executes nodes by one thread, which begins with one of the first iterations of some loops
    /// and goes on by several.
    pub fn nodes(&mut self, nodes: &'a [Node], dealt: &[(&str, i64, i64)]) -> Result<(), Finding> {
        for node in nodes {
            match node {
                Node::For(each) => {
                    let (mut lower, mut step) = (self.number(&each.lower)?, each.step);
                    let upper = self.number(&each.upper)?;
                    if let Some((_, first, threads)) = dealt.iter().find(|d| d.0 == each.var) {
                        (lower, step) = (lower + step * first, step * threads);
                    }
                    self.around.going.push((&each.var, true));
                    let around = self.around.path;
                    let mut turn = 0;
                    let mut inside = |all: &mut Machine<'a>| {
                        if let Some(going) = all
                            .around
                            .going
                            .last_mut()
                            .filter(|_| each.dynamic.ends_early)
                        {
                            if !going.1 {
                                return Ok(());
                            }
                            going.1 = false;
                        }
                        turn += 1;
                        all.around.path = mixed(around, turn);
                        all.nodes(&each.body, dealt)
                    };
                    self.iterate(&each.var, lower, upper, step, &mut inside)?;
                    self.around.path = around;
                    self.around.going.pop();
                }
                Node::GoesOn { var, condition } => {
                    if self.number(condition)? != 0 {
                        self.note(var);
                    }
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => match self.number(condition)? {
                    0 => self.nodes(otherwise, dealt)?,
                    _ => self.nodes(then, dealt)?,
                },
                Node::Statement(instance) => self.instance(instance)?,
                Node::Block { variables, body } => {
                    if let Some(device) = &mut self.device {
                        device.lives += 1;
                        device.own.push((variables, device.lives));
                    }
                    self.nodes(body, dealt)?;
                    if let Some(device) = &mut self.device {
                        device.own.pop();
                    }
                }
                Node::Scope { scope, body } => {
                    *self.lives.entry(*scope).or_default() += 1;
                    self.nodes(body, dealt)?;
                }
                Node::Allocate { body, .. } => self.nodes(body, dealt)?,
                Node::Copies(copies) => {
                    for copy in copies {
                        self.nodes(copy, dealt)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the tests at the head of an instance's body hold: else it does nothing.
    fn is_executed(&mut self, instance: &'a Instance) -> Result<bool, Finding> {
        let facts = self.facts;
        if facts.scop.loops.bounds.is_empty() {
            return Ok(true);
        }
        let conditions = self.tests.entry(std::ptr::from_ref(instance));
        let conditions = conditions.or_insert_with(|| {
            let open = |test: &Test| !instance.certain.contains(&test.position);
            let tests = tests(facts.scop, instance).into_iter().filter(open);
            tests.map(|test| test.condition).collect()
        });
        // One after another: the next one's bound may be there only if the last one holds.
        for condition in Rc::clone(conditions).iter() {
            if self.number(condition)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn instance(&mut self, instance: &'a Instance) -> Result<(), Finding> {
        if !self.is_executed(instance)? {
            return Ok(());
        }
        if let Some(counter) = &mut self.counter {
            counter.instance(std::ptr::from_ref(instance) as usize, self.around.path);
        }
        let facts = self.facts;
        let id = instance.statement;
        if id >= facts.statements {
            return self.copy(instance);
        }
        let mut identity = mixed(id as u64, 0);
        for iterator in &instance.iterators {
            identity = mixed(identity, self.number(iterator)? as u64);
        }
        let (count, sum) = &mut self.record.instances[id];
        (*count, *sum) = (*count + 1, sum.wrapping_add(identity));
        let accesses = &facts.scop.statements[id].accesses;
        let mut read = Vec::new();
        // What it reads, then what it writes.
        for kind in [AccessKind::Read, AccessKind::Write] {
            for (number, access) in accesses.iter().enumerate() {
                if access.kind != kind {
                    continue;
                }
                self.step()?;
                let place = &instance.accesses[number];
                let indices = self.indices(place)?;
                let cell = self.cell(place.buffer, &indices)?;
                let update = facts.updates(id, number, cell.buffer);
                let visit = match kind {
                    _ if update => Kind::Update,
                    AccessKind::Read => Kind::Read,
                    AccessKind::Write => Kind::Write,
                };
                self.visit(&cell, visit, Some(id), &indices)?;
                let again = kind == AccessKind::Read && read.contains(&cell.key);
                let silent = kind == AccessKind::Read && (update || facts.is_old_value(id, number));
                if !again && !silent {
                    let text = std::ptr::from_ref(place) as usize;
                    self.count(&cell, &indices, text, kind == AccessKind::Write);
                    read.push(cell.key);
                }
                match kind {
                    AccessKind::Read if update || facts.is_old_value(id, number) => {}
                    AccessKind::Read => {
                        let source = self.source(&cell);
                        self.check_copied(&cell, source, access.exact)?;
                        let source = self.origin(&cell);
                        if !facts.by_word(cell.buffer) {
                            let sum = &mut self.record.sources[id][number];
                            *sum = sum.wrapping_add(mixed(identity, source));
                        }
                    }
                    AccessKind::Write => self.written(&cell, identity, access.exact, update),
                }
            }
        }
        Ok(())
    }

    /// A value goes from one memory to another: who wrote it stays the same.
    fn copy(&mut self, instance: &'a Instance) -> Result<(), Finding> {
        let mut origin = 0;
        for (place, kind) in instance.accesses.iter().zip([Kind::Read, Kind::Write]) {
            self.step()?;
            let indices = self.indices(place)?;
            let cell = self.cell(place.buffer, &indices)?;
            self.visit(&cell, kind, Some(instance.statement), &indices)?;
            let text = std::ptr::from_ref(place) as usize;
            self.count(&cell, &indices, text, kind == Kind::Write);
            match kind {
                Kind::Read => {
                    // More may be copied than is read later, as cells that nobody writes.
                    let source = self.source(&cell);
                    origin = match self.check_copied(&cell, source, true) {
                        Ok(()) => self.origin(&cell),
                        Err(_) => 0,
                    };
                }
                _ => self.moved(&cell, origin),
            }
        }
        Ok(())
    }
}
