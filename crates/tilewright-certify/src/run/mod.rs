//! Execution of a [`Program`].

mod cuda;
mod launch;
pub(crate) mod math;
mod no_memory;
mod opencl;
pub(crate) mod outside;
pub(crate) mod recording;
pub(crate) mod sides;
mod steps;
mod team;
#[cfg(test)]
mod tests;
mod texts;

use crate::program::Program;
use crate::storage::memory::{Fault, Label, Memory};
use crate::storage::race::Watch;
use crate::storage::spare::Buffers;
use sides::Sides;
use std::rc::Rc;

/// In which order what is parallel is executed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    Forward,
    Backward,
    Shuffled(u64),
}

/// A call, to be returned from.
#[derive(Clone, Copy, Debug)]
struct Frame {
    pc: usize,
    base: usize,
    d: u16,
    locals: usize,
    function: u32,
}

/// A thread's place in a team.
#[derive(Clone, Copy, Debug)]
struct Team {
    number: u64,
    size: u64,
}

/// A worksharing loop that a thread is in: its iterations to come.
#[derive(Clone, Debug)]
struct Sharing {
    share: u32,
    next: u64,
    end: u64,
    total: u64,
}

/// A thread of execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub regs: Vec<u64>,
    base: usize,
    pc: usize,
    calls: Calls,
    teams: Vec<Team>,
    sharing: Vec<Sharing>,
    /// 0 for the first.
    number: u32,
    watch: Watch,
    simd: u32,
    /// Of a work-item.
    own: launch::Own,
    finished: bool,
    /// Whether to stop once extents of parameters are known.
    prologue: bool,
}

/// The function that a thread executes, and those that called it.
#[derive(Clone, Debug, Default)]
struct Calls {
    frames: Vec<Frame>,
    /// Numbers of local objects, by function call and declaration.
    locals: Vec<u32>,
    local_base: usize,
    function: u32,
}

/// Why a thread stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Done(u64),
    Prologue,
    Barrier,
    End,
}

/// A machine with its memory.
pub(crate) struct Machine<'p> {
    pub program: &'p Program,
    pub memory: Memory,
    /// Pointers to objects of static storage.
    pub globals: Vec<u64>,
    pub effort: Effort,
    /// Lines reached.
    pub reached: Vec<bool>,
    /// Which way conditions went, where that is asked for.
    pub sides: Option<Sides>,
    /// Allocations of which it is known what follows when they fail.
    failed: Vec<usize>,
    pub parallel: Parallel,
    pub noted: Noted,
    device: opencl::Device,
    group: launch::Group,
    /// Accesses, where they are recorded.
    pub recording: recording::Recording,
}

/// Instructions, and what counts like them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// Those that may still be executed.
    pub fuel: u64,
    /// Those executed.
    pub steps: u64,
    /// Of these, what memory costs.
    pub charged: u64,
    /// What memory may cost before it is taken from `fuel`.
    pub memory_fuel: u64,
}

/// How what is parallel is executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parallel {
    /// Threads of a team.
    pub threads: u64,
    pub order: Order,
    epoch: u32,
    /// Threads so far.
    thread_count: u32,
}

/// What an execution is judged by, beside what it computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted {
    /// The first read of a local variable without a value: its name's number, and the instruction.
    pub undefined: Option<(u32, usize)>,
    /// The first subscript outside its row: subscript, extent, instruction.
    pub outside_row: Option<(i64, u64, usize)>,
    /// Where the last execution stopped.
    pub stopped: usize,
    /// What was done outside memory.
    pub outside: outside::Outside,
}

/// The most threads of a team: what `omp_get_max_threads` says in every execution, whatever its team.
pub(crate) const MOST_THREADS: u64 = 32;

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, junk: u8, buffers: &Rc<Buffers>) -> Machine<'p> {
        Machine {
            program,
            memory: Memory::new(junk, buffers),
            globals: Vec::new(),
            effort: Effort::default(),
            reached: vec![false; program.source.rows.len() + 1],
            sides: None,
            failed: Vec::new(),
            parallel: Parallel {
                threads: 1,
                order: Order::Forward,
                epoch: 1,
                thread_count: 0,
            },
            noted: Noted::default(),
            device: opencl::Device::default(),
            group: launch::Group::default(),
            recording: recording::Recording::default(),
        }
    }

    /// Makes the objects of static storage with their initial values.
    pub fn make_globals(&mut self) -> Result<(), Fault> {
        for (number, global) in self.program.globals.iter().enumerate() {
            let pointer = self.memory.allocate(global.bytes.len() as u64, 0, true)?;
            if let Some(object) = self.memory.object(pointer) {
                object.data.copy_from_slice(&global.bytes);
                object.label = Label::Global(number as u32);
            }
            self.globals.push(pointer);
        }
        for (number, global) in self.program.globals.iter().enumerate() {
            for (offset, target, byte) in &global.pointers {
                let value = self.globals[*target].wrapping_add(*byte);
                self.memory
                    .store(self.globals[number] + offset, 8, value, 0)?;
            }
        }
        Ok(())
    }

    /// Calls a function. The value it returns.
    pub fn call(&mut self, function: usize, arguments: &[u64]) -> Result<u64, Fault> {
        let mut thread = self.thread(function, arguments);
        let status = self.run(&mut thread);
        self.noted.stopped = thread.pc;
        match status? {
            Status::Done(value) => Ok(value),
            _ => Err(Fault::Internal("a thread that does not return")),
        }
    }

    /// The registers of a function once the extents of its parameters are known.
    pub fn extents(&mut self, function: usize, arguments: &[u64]) -> Result<Vec<u64>, Fault> {
        let mut thread = self.thread(function, arguments);
        thread.prologue = true;
        let status = self.run(&mut thread);
        self.noted.stopped = thread.pc;
        status?;
        Ok(thread.regs)
    }

    fn thread(&self, function: usize, arguments: &[u64]) -> Thread {
        let f = &self.program.functions[function];
        let mut regs = vec![0; f.registers as usize + 1];
        regs[..arguments.len()].copy_from_slice(arguments);
        let first = f.first_constant as usize;
        regs[first..first + f.constants.len()].copy_from_slice(&f.constants);
        Thread {
            regs,
            pc: f.entry as usize,
            calls: Calls {
                locals: vec![0; f.locals as usize],
                function: function as u32,
                ..Calls::default()
            },
            ..Thread::default()
        }
    }
}
