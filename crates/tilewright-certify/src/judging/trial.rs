//! One input: both programs are executed on it and compared.

use crate::judging::compare::{Original, compare, place, same};
use crate::judging::inputs::{Data, Input};
use crate::judging::setup::{Arguments, Halved, MOST, MOST_HALVED, Reach, Setup, fill_globals};
use crate::kernels::Wanted;
use crate::outside::Of;
use crate::program::Program;
use crate::run::outside::{Done, Outside};
use crate::run::sides::Sides;
use crate::run::{Machine, Order};
use crate::storage::memory::Fault;
use crate::storage::race::Between;
use crate::storage::spare::Buffers;
use crate::types::Type;
use crate::verdict::{Difference, Kind};
use std::cell::Cell;
use std::rc::Rc;

/// Bytes of globals that are made, filled and compared in the time of an instruction.
const BYTES_PER_STEP: u64 = 32;

/// Threads of a result whose original takes more than such a part of what is left.
const MANY_THREADS: u64 = 16;
const FEW: u64 = 3;
/// Instructions that kernels may take beyond what a program without them may.
const KERNEL_STEPS: u64 = 50_000_000;

/// How the result is executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Execution {
    pub threads: u64,
    pub order: Order,
    /// Whether there are to be no more than a few threads.
    pub few: bool,
    pub junk: u8,
    /// Whether it is noted which way its conditions go.
    pub notes: bool,
}

/// What both programs are.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'p> {
    pub original: &'p Program,
    pub result: &'p Program,
    /// The function's number in each, and that of its `_init` in the original.
    pub functions: (usize, usize),
    pub init: Option<usize>,
    pub buffers: &'p Rc<Buffers>,
    /// How many elements objects have whose extent is looked for.
    pub halved: &'p Halved,
}

/// What became of an input.
pub(crate) enum Outcome {
    /// The original is undefined on it, or there is no such input.
    Refused(String),
    /// More instructions than are left.
    Long,
    /// Why the result cannot be executed.
    Unsupported(String),
    /// Kernels that are to be built first, and whether it is the result that asks for them.
    Wanted(Box<Wanted>, bool),
    Equal,
    Differs(Box<Difference>),
}

/// The outcome, and what it took.
pub(crate) struct Trial {
    pub outcome: Outcome,
    pub steps: u64,
    /// Of these, what the result's memory costs.
    pub charged: u64,
    pub arguments: String,
    pub reached: Vec<bool>,
    /// Which way conditions of the result went, where that is asked for.
    pub sides: Option<Sides>,
    /// Whether the original keeps to the rows of its arrays.
    strict: bool,
}

fn refused(fault: &Fault, line: u32) -> Outcome {
    match fault {
        Fault::Fuel => Outcome::Long,
        Fault::Wanted(wanted) => Outcome::Wanted(wanted.clone(), false),
        Fault::Unsupported(what) => {
            Outcome::Refused(format!("line {line} of the original: {what}"))
        }
        _ => {
            let kind = kind_of(fault).map_or_else(|| format!("{fault:?}"), |k| k.to_string());
            Outcome::Refused(format!("the original is undefined in line {line}: {kind}"))
        }
    }
}

fn kind_of(fault: &Fault) -> Option<Kind> {
    Some(match fault {
        Fault::Overflow => Kind::Overflow,
        Fault::Shift => Kind::Shift,
        Fault::DivisionByZero => Kind::DivisionByZero,
        Fault::Conversion => Kind::Conversion,
        Fault::Outside { .. } => Kind::Outside,
        Fault::Null | Fault::Dangling | Fault::ReadOnly => Kind::Pointer,
        Fault::BadFree => Kind::Free,
        Fault::Race { .. } => Kind::Race,
        Fault::Barrier => Kind::Barrier,
        Fault::Fuel => Kind::Endless,
        Fault::Trap => Kind::Trap,
        Fault::Memory | Fault::Depth => Kind::Memory,
        Fault::Extent | Fault::Unsupported(_) | Fault::Internal(_) | Fault::Wanted(_) => {
            return None;
        }
    })
}

/// A machine with arguments.
pub(crate) struct Ready<'p> {
    pub machine: Machine<'p>,
    pub arguments: Arguments,
}

/// Why the original was not executed to its end, at which line, after how many instructions.
pub(crate) struct Stopped {
    pub fault: Fault,
    pub line: u32,
    steps: u64,
}

/// A machine that executed the original, what its arguments held before, and what it returned.
pub(crate) type Executed<'p> = (Ready<'p>, Vec<Vec<u8>>, u64);

impl<'p> Pair<'p> {
    fn ready(
        &self,
        program: &'p Program,
        function: usize,
        input: &Input,
        reach: Option<&Reach>,
        junk: u8,
    ) -> Result<Ready<'p>, Fault> {
        loop {
            let mut setup = Setup::new(input, reach);
            setup.halved = Some(self.halved);
            self.halved.too_much.set(false);
            let made = self.made(program, function, setup, junk);
            let times = self.halved.times.get();
            let again = self.halved.too_much.get() && times < MOST_HALVED;
            if !matches!(made, Err(Fault::Memory)) || !again {
                return made;
            }
            self.halved.times.set(times + 2);
        }
    }

    fn made(
        &self,
        program: &'p Program,
        function: usize,
        setup: Setup,
        junk: u8,
    ) -> Result<Ready<'p>, Fault> {
        let input = setup.input;
        let with_globals = |mut machine: Machine<'p>| {
            machine.make_globals()?;
            fill_globals(&mut machine, input);
            Ok(machine)
        };
        // Arguments come first, so that they have the same addresses in both programs. Extents that
        // are made from globals are asked of a machine that has them.
        let mut machine = Machine::new(program, junk, self.buffers);
        let arguments = match program.extents_read_globals(function) {
            true => {
                let mut other = with_globals(Machine::new(program, junk, self.buffers))?;
                setup.arguments(&mut machine, Some(&mut other), function)
            }
            false => setup.arguments(&mut machine, None, function),
        }?;
        let machine = with_globals(machine)?;
        Ok(Ready { machine, arguments })
    }

    /// Extents of the array parameters as the original declares them for these sizes; `None` where
    /// they are made from globals.
    ///
    /// # Errors
    /// What is undefined in them.
    pub fn extents(&self, input: &Input) -> Result<Option<Vec<Vec<Option<i64>>>>, Fault> {
        let function = self.functions.0;
        if self.original.extents_read_globals(function) {
            return Ok(None);
        }
        let mut machine = Machine::new(self.original, 0, self.buffers);
        let setup = Setup::new(input, None);
        setup.extents(&mut machine, function).map(Some)
    }

    /// The original, executed; with what its arguments held before.
    pub fn original(
        &self,
        input: &Input,
        reach: Option<&Reach>,
        junk: u8,
        fuel: u64,
    ) -> Result<Executed<'p>, Stopped> {
        let at = |fault: Fault| Stopped {
            fault,
            line: 0,
            // What was made in vain took its time.
            steps: match self.halved.too_much.get() {
                true => MOST as u64 / 4,
                false => 0,
            },
        };
        let function = self.functions.0;
        let mut ready = self
            .ready(self.original, function, input, reach, junk)
            .map_err(at)?;
        let machine = &mut ready.machine;
        machine.effort.fuel = fuel;
        machine.effort.steps = ready.arguments.cost;
        let line = |machine: &Machine, fault| Stopped {
            fault,
            line: machine.program.line(machine.noted.stopped),
            steps: machine.effort.steps,
        };
        if let (Some(init), Data::Init) = (self.init, input.data) {
            if let Err(fault) = machine.call(init, &ready.arguments.values) {
                return Err(line(machine, fault));
            }
        }
        let made = &ready.arguments.made;
        let before = made
            .iter()
            .map(|m| machine.memory.object(m.pointer).map(|o| o.data.clone()))
            .map(Option::unwrap_or_default);
        let before = before.collect();
        machine.memory.unwritten = 0;
        machine.noted.undefined = None;
        match machine.call(function, &ready.arguments.values) {
            Ok(value) => Ok((ready, before, value)),
            Err(fault) => Err(line(machine, fault)),
        }
    }

    /// Tries an input. `fuel`: instructions that are left.
    pub fn trial(&self, input: &Input, execution: Execution, fuel: u64) -> Trial {
        let sides = execution.notes.then(|| Sides::new(self.result));
        let mut trial = Trial {
            outcome: Outcome::Equal,
            sides,
            steps: 0,
            charged: 0,
            arguments: String::new(),
            reached: Vec::new(),
            strict: true,
        };
        trial.outcome = match self.attempt(input, execution, fuel, &mut trial) {
            // A subscript beyond its row is undefined; yet many do it, and may be equal all the same.
            Ok(Outcome::Differs(_)) if !trial.strict => {
                Outcome::Refused("the original leaves a row of an array".into())
            }
            Ok(outcome) | Err(outcome) => outcome,
        };
        trial
    }

    fn attempt(
        &self,
        input: &Input,
        execution: Execution,
        fuel: u64,
        trial: &mut Trial,
    ) -> Result<Outcome, Outcome> {
        let steps = Cell::new(0);
        let refuse = |stopped: Stopped| {
            steps.set(stopped.steps);
            refused(&stopped.fault, stopped.line)
        };
        let done = self.attempt_noting(input, execution, fuel, trial, &refuse);
        trial.steps += steps.get();
        done
    }

    fn attempt_noting(
        &self,
        input: &Input,
        execution: Execution,
        fuel: u64,
        trial: &mut Trial,
        refuse: &dyn Fn(Stopped) -> Outcome,
    ) -> Result<Outcome, Outcome> {
        // Making and comparing globals takes time, too, though none of the programs'.
        trial.steps += (self.original.global_bytes() + self.result.global_bytes()) / BYTES_PER_STEP;
        let (mut ready, mut before, mut value) = self
            .original(input, None, execution.junk, fuel)
            .map_err(refuse)?;
        trial.steps += ready.machine.effort.steps;
        let mut reach = None;
        if ready.arguments.made.iter().any(|m| m.elastic) {
            let found = reach_of(&mut ready);
            (ready, before, value) = self
                .original(input, Some(&found), execution.junk, fuel)
                .map_err(refuse)?;
            trial.steps += ready.machine.effort.steps;
            reach = Some(found);
        }
        let original = &ready.machine;
        trial.arguments = ready.arguments.text.clone();
        // Does what it computes depend on what nobody wrote?
        let mut other = None;
        if original.memory.unwritten > 0 || original.noted.undefined.is_some() {
            let (again, _, second) = self
                .original(input, reach.as_ref(), !execution.junk, fuel)
                .map_err(refuse)?;
            trial.steps += again.machine.effort.steps;
            let others = differ(&original.noted.outside, &again.machine.noted.outside).is_some();
            if again.machine.effort.steps != original.effort.steps || second != value || others {
                let why = "the original depends on what was never written";
                return Err(Outcome::Refused(why.into()));
            }
            other = Some(again);
        }
        // Rows of no elements are undefined, and harmless.
        let strict = original.noted.outside_row.is_none() && !ready.arguments.has_empty_rows;
        trial.strict = strict;

        // The result.
        let function = self.functions.1;
        let unsupported = |fault: Fault| Outcome::Unsupported(format!("its arguments: {fault:?}"));
        let mut after = self
            .after(input, reach.as_ref(), &before, execution.junk)
            .map_err(unsupported)?;
        let machine = &mut after.machine;
        if after.arguments.made.len() != before.len() {
            return Err(Outcome::Unsupported("other parameters".into()));
        }
        // What takes long takes longer with more threads, and shows with few, too.
        machine.parallel.threads = if execution.few || original.effort.steps > fuel / MANY_THREADS {
            execution.threads.min(FEW)
        } else {
            execution.threads
        };
        machine.parallel.order = execution.order;
        machine.effort.steps = after.arguments.cost;
        // Kernels copy whole arrays, and have work-items with nothing to do.
        let more = if self.result.device.has_kernels {
            KERNEL_STEPS
        } else {
            0
        };
        let enough = original.effort.steps * 100 + 600_000 + more;
        let most = fuel.saturating_mul(2);
        machine.effort.fuel = enough.min(most);
        let limited = machine.effort.fuel < enough;
        // Memory takes what it takes, however little the original needs.
        machine.effort.memory_fuel = most - machine.effort.fuel;
        machine.sides = trial.sides.take();
        let called = machine.call(function, &after.arguments.values);
        trial.sides = machine.sides.take();
        trial.steps += machine.effort.steps;
        trial.charged = machine.effort.charged;
        trial.reached.clone_from(&machine.reached);
        let report = |kind, place: String, line| Difference {
            function: self.original.functions[self.functions.0].name.clone(),
            arguments: ready.arguments.text.clone(),
            place,
            expected: String::new(),
            found: String::new(),
            kind,
            line,
            execution: described(execution),
        };
        let made = &after.arguments.made;
        let found = match called {
            Ok(found) => found,
            Err(Fault::Fuel) if limited || machine.effort.memory_fuel == 0 => {
                return Ok(Outcome::Long);
            }
            Err(Fault::Wanted(wanted)) => return Ok(Outcome::Wanted(wanted, true)),
            // There are computers with so much, and an array need not be used.
            Err(Fault::Memory) if !input.is_small() => {
                let line = machine.program.line(machine.noted.stopped);
                let what = "it needs more memory than there is";
                let refused = Outcome::Refused(format!("line {line} of the result: {what}"));
                let Some(small) = input.made_small() else {
                    return Ok(refused);
                };
                // Is it that much where little is computed, too?
                let again = self.trial(&small, execution, fuel);
                trial.steps += again.steps;
                return Ok(match again.outcome {
                    Outcome::Differs(difference) if difference.kind == Kind::Memory => {
                        Outcome::Differs(difference)
                    }
                    _ => refused,
                });
            }
            Err(fault) => {
                let line = machine.program.line(machine.noted.stopped);
                let Some(kind) = kind_of(&fault) else {
                    return Ok(Outcome::Unsupported(match fault {
                        Fault::Unsupported(what) => format!("line {line}: {what}"),
                        other => format!("line {line}: {other:?}"),
                    }));
                };
                let mut difference = report(kind, String::new(), Some(line));
                self.details(&fault, &after, made, &mut difference);
                return Ok(Outcome::Differs(Box::new(difference)));
            }
        };
        if let (true, Some((index, len, pc))) = (strict, machine.noted.outside_row) {
            let line = machine.program.line(pc);
            let mut difference = report(Kind::Outside, String::new(), Some(line));
            difference.found = format!("subscript {index} of a row of {len}");
            return Ok(Outcome::Differs(Box::new(difference)));
        }
        let result = &self.original.functions[self.functions.0].result;
        if let Type::Scalar(kind) = result {
            if !same(*kind, value, found) {
                let mut difference = report(Kind::Value, "the returned value".into(), None);
                difference.expected = crate::arith::show(*kind, value);
                difference.found = crate::arith::show(*kind, found);
                return Ok(Outcome::Differs(Box::new(difference)));
            }
        }
        if !self.result.device.has_kernels
            && let Some((expected, found)) = differ(&original.noted.outside, &machine.noted.outside)
        {
            let mut difference = report(Kind::Calls, String::new(), None);
            difference.expected = expected;
            difference.found = found;
            return Ok(Outcome::Differs(Box::new(difference)));
        }
        let pair = Original {
            machine: original,
            other: other.as_ref().map(|o| &o.machine),
        };
        let Some(unequal) = compare(&pair, machine, made) else {
            return Ok(Outcome::Equal);
        };
        let mut difference = report(Kind::Value, unequal.place, None);
        difference.expected = unequal.expected;
        difference.found = unequal.found;
        // What was never written, if the result read any.
        let reads = machine.memory.first_unwritten;
        if let Some((name, pc)) = machine.noted.undefined {
            difference.kind = Kind::Unwritten;
            difference.line = Some(machine.program.line(pc));
            let name = &machine.program.names[name as usize];
            difference.found += &format!(", with `{name}` read before it is written");
        } else if let Some((at, pc)) = reads.filter(|_| original.memory.unwritten == 0) {
            difference.kind = Kind::Unwritten;
            difference.line = Some(machine.program.line(pc));
            let what = place(machine, made, at);
            difference.found += &format!(", with {what} read before it is written");
        } else {
            difference.line = self.writer(input, execution, reach.as_ref(), &before, unequal.at);
        }
        Ok(Outcome::Differs(Box::new(difference)))
    }

    /// A machine for the result, with the arguments that the original had.
    fn after(
        &self,
        input: &Input,
        reach: Option<&Reach>,
        before: &[Vec<u8>],
        junk: u8,
    ) -> Result<Ready<'p>, Fault> {
        let function = self.functions.1;
        let mut setup = Setup::new(input, reach);
        setup.blank = true;
        let mut ready = self.made(self.result, function, setup, junk)?;
        // Extents that the result declares otherwise have values of their own.
        let made = ready.arguments.made.iter().zip(before);
        if made.clone().any(|(m, data)| m.bytes != data.len() as u64) {
            ready = self.ready(self.result, function, input, reach, junk)?;
        }
        restore(&mut ready.machine, &ready.arguments, before);
        Ok(ready)
    }

    /// More about a fault.
    fn details(
        &self,
        fault: &Fault,
        after: &Ready,
        made: &[crate::judging::setup::Made],
        difference: &mut Difference,
    ) {
        match fault {
            Fault::Outside { at, size, write } => {
                difference.place = place(&after.machine, made, *at);
                let access = if *write { "write" } else { "read" };
                difference.found = format!("a {access} of {size} bytes");
            }
            Fault::Race { at, between } => {
                difference.place = place(&after.machine, made, *at);
                difference.found = match between {
                    Between::Simd => "between iterations of a `simd` loop",
                    Between::Threads => "between threads",
                    Between::Items => "between work-items of a group",
                    Between::Groups => "between work-groups",
                }
                .into();
            }
            _ => {}
        }
    }

    /// The line of the result that writes a byte last.
    fn writer(
        &self,
        input: &Input,
        execution: Execution,
        reach: Option<&Reach>,
        before: &[Vec<u8>],
        at: u64,
    ) -> Option<u32> {
        let function = self.functions.1;
        let ready = self.after(input, reach, before, execution.junk);
        let mut ready = ready.ok()?;
        let machine = &mut ready.machine;
        machine.parallel.threads = execution.threads;
        machine.parallel.order = execution.order;
        machine.effort.fuel = 50_000_000;
        machine.memory.spied = at;
        machine.call(function, &ready.arguments.values).ok()?;
        machine.memory.writer.map(|pc| machine.program.line(pc))
    }
}

/// The first call that was made outside of memory in one of two programs and not in the other.
fn differ(expected: &Outside, found: &Outside) -> Option<(String, String)> {
    Of::ALL.into_iter().find_map(|what| {
        let (expected, found) = (expected.done(what), found.done(what));
        let most = expected.len().max(found.len());
        let place = (0..most).find(|&place| expected.get(place) != found.get(place))?;
        let text = |all: &[Done]| match all.get(place) {
            Some(done) => done.text(),
            None => "nothing".to_owned(),
        };
        Some((text(expected), text(found)))
    })
}

fn restore(machine: &mut Machine, arguments: &Arguments, before: &[Vec<u8>]) {
    for (made, data) in arguments.made.iter().zip(before) {
        if let Some(object) = machine.memory.object(made.pointer) {
            if object.data.len() == data.len() {
                object.data.copy_from_slice(data);
            }
        }
    }
}

pub(crate) fn reach_of(ready: &mut Ready) -> Reach {
    let mut found = Reach::new();
    for made in &ready.arguments.made {
        let touched = ready.machine.memory.object(made.pointer).map(|o| o.touched);
        if let Some((low, high)) = touched.filter(|(low, high)| low < high) {
            let range = (low as i64 - made.origin, high as i64 - made.origin);
            found.insert(made.place, range);
        }
    }
    found
}

fn described(execution: Execution) -> String {
    let order = match execution.order {
        Order::Forward => "one after the other",
        Order::Backward => "from the last to the first",
        Order::Shuffled(_) => "in any order",
    };
    match execution.threads {
        1 => "by one thread".to_owned(),
        n => format!("by {n} threads {order}"),
    }
}
