//! The program for a host and a device, as data.

use crate::codegen::gpu::index_types::Narrow;
use crate::codegen::kernel::{Index, LocalBuffer, Node, Place};
use crate::codegen::passes::dynamic::exits::kept::Exit;
use crate::scop::ScalarType;
use crate::transform::BufferId;

/// The code of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceProgram {
    /// What its functions' names begin with.
    pub name: String,
    /// What is in the device's memory while the region runs.
    pub arrays: Vec<DeviceArray>,
    /// What the host does, in order, between copying in and copying out.
    pub host: Vec<HostNode>,
    /// What is launched.
    pub kernels: Vec<DeviceKernel>,
    /// Local buffers of the tiles and their threads, and what the host keeps of them in the
    /// device's memory.
    pub buffers: Vec<LocalBuffer>,
    /// What became of loops to static bounds in place of data, for people.
    pub exits: Vec<Exit>,
}

/// An array in the memory of the device.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceArray {
    /// Which buffer it holds.
    pub buffer: BufferId,
    /// Element type.
    pub element: ScalarType,
    /// Where its sizes come from, and whether the host has it, too.
    pub size: Size,
    /// It is copied to the device before the first launch.
    pub copy_in: bool,
    /// It is copied from the device behind the last launch.
    pub copy_out: bool,
    /// A launch writes it.
    pub written: bool,
}

/// The size of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// One of the program's, by C expressions that hold where the region stands.
    Program {
        /// The address of the first element.
        address: String,
        /// The extent of the outermost dimension; empty for a scalar.
        first: Option<String>,
        /// Elements from one index to the next, per dimension.
        strides: Stride,
    },
    /// One that only the device has, of these extents.
    Device(Vec<Index>),
}

/// How far apart elements of the program's own arrays are.
#[derive(Clone, Debug, PartialEq)]
pub enum Stride {
    /// By the extents of the dimensions behind the first.
    Extents(Vec<String>),
    /// As the program says.
    Given(Vec<String>),
}

/// What the host does.
#[derive(Clone, Debug, PartialEq)]
pub enum HostNode {
    /// A loop.
    For {
        /// Its variable.
        var: String,
        /// First value.
        lower: Index,
        /// Last possible value.
        upper: Index,
        /// Positive.
        step: i64,
        /// It is left when no thread noted that it goes on ([`Node::GoesOn`]) in some of its
        /// iterations, one after another, as many as
        /// [`EXIT_PERIOD`](crate::plan::defaults::EXIT_PERIOD) says.
        ends_early: bool,
        /// What is repeated.
        body: Vec<HostNode>,
    },
    /// A guard.
    If {
        /// Non-zero: execute.
        condition: Index,
        /// Then.
        then: Vec<HostNode>,
        /// Else.
        otherwise: Vec<HostNode>,
    },
    /// The loop of this variable around it, which ends early, goes on where this holds. What the
    /// data says of it, kernels note.
    GoesOn {
        /// The loop's variable.
        var: String,
        /// Non-zero: it goes on.
        condition: Index,
    },
    /// Starts a kernel: an index into [`DeviceProgram::kernels`].
    Launch(usize),
}

/// What one launch executes.
///
/// # Invariants
///
/// - Blocks do not depend on each other.
/// - All threads of a block execute the same of its nodes: bounds and conditions outside
///   [`Piece`]s mention parameters, variables of the host, the grid and the loops around them.
///   Loops that end early they leave together.
/// - Within a piece no thread touches a cell that another one writes.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceKernel {
    /// The group of the plan that its first statement belongs to.
    pub group: usize,
    /// One block per point, outermost first; empty for a single block.
    pub grid: Vec<GridLoop>,
    /// Threads of a block, along x and y.
    pub threads: [i64; 2],
    /// What a block does.
    pub body: Vec<BlockNode>,
    /// Buffers in the block's local memory, with the bytes at which they begin.
    pub local: Vec<(BufferId, i64)>,
    /// Bytes of local memory.
    pub local_bytes: i64,
    /// With which sizes its indices may have 32 bits; `None`: they have 64.
    pub narrow: Option<Narrow>,
}

/// A loop whose iterations are blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct GridLoop {
    /// Its variable.
    pub var: String,
    /// First value.
    pub lower: Index,
    /// Last possible value.
    pub upper: Index,
    /// Positive.
    pub step: i64,
}

/// What the threads of a block do together.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockNode {
    /// A loop that all threads execute.
    For {
        /// Its variable.
        var: String,
        /// First value.
        lower: Index,
        /// Last possible value.
        upper: Index,
        /// Positive.
        step: i64,
        /// All threads leave it, and meet at its end as at a barrier, behind an iteration in which
        /// none of them noted that it goes on ([`Node::GoesOn`]).
        ends_early: bool,
        /// What is repeated.
        body: Vec<BlockNode>,
    },
    /// A guard that is the same for all threads.
    If {
        /// Non-zero: execute.
        condition: Index,
        /// Then.
        then: Vec<BlockNode>,
        /// Else.
        otherwise: Vec<BlockNode>,
    },
    /// Work that is distributed to threads.
    Piece(Piece),
    /// All threads wait for each other.
    Barrier,
}

/// Work that is distributed to threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Loops in `body` that are distributed; none: one thread does everything.
    pub dealt: Vec<Dealt>,
    /// The work, with every variable of a thread in a [`Node::Block`].
    pub body: Vec<Node>,
    /// Where it goes to in memory that threads share.
    pub touched: Vec<Touched>,
}

/// A loop that is distributed to threads: thread `t` of `n` starts at `lower + step · t` and goes on
/// by `step · n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// The loop's variable.
    pub var: String,
    /// The threads among which.
    pub axis: Axis,
    /// The loop's lower bound.
    pub lower: Index,
    /// Its step.
    pub step: i64,
}

/// Threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Those of equal y: neighbours are neighbours in memory.
    X,
    /// Those of equal x.
    Y,
    /// All.
    All,
}

/// An access of a piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Touched {
    /// Where.
    pub place: Place,
    /// Whether it is written.
    pub written: bool,
}
