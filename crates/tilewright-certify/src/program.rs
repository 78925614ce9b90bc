//! What a C text becomes: instructions for a machine with registers of 64 bits.
//!
//! Integers are in registers as their values, sign- or zero-extended; a `float` is its 32 bits, a
//! pointer an object's number and an offset ([`crate::storage::memory`]).

use crate::arith::{Arith, Cond, How};
use crate::kernels::{Build, Host, Item, Literal};
use crate::read::sites::Site;
use crate::run::math::{Math1, Math2, Math3};
use crate::types::{Kind, Records, Type};
use crate::wide::Complex;
use std::rc::Rc;

/// A register, counted from the frame of its function.
pub(crate) type Reg = u16;

/// An instruction. `d` is the register that gets the result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Nop,
    /// A statement begins: `line` ([`Program::rows`]) of the text is reached, and `cost` instructions
    /// follow.
    Mark {
        line: u32,
        cost: u32,
    },
    Imm {
        d: Reg,
        value: i32,
    },
    Constant {
        d: Reg,
        index: u32,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    AddI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddI64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubI64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulI64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddImm32 {
        d: Reg,
        a: Reg,
        value: i32,
    },
    AddImm64 {
        d: Reg,
        a: Reg,
        value: i32,
    },
    AddF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Arith {
        op: Arith,
        kind: Kind,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Negate {
        kind: Kind,
        d: Reg,
        a: Reg,
    },
    Complement {
        kind: Kind,
        d: Reg,
        a: Reg,
    },
    Compare {
        cond: Cond,
        how: How,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Convert {
        from: Kind,
        to: Kind,
        d: Reg,
        a: Reg,
    },
    Jump {
        to: u32,
    },
    JumpIf {
        a: Reg,
        to: u32,
    },
    JumpUnless {
        a: Reg,
        to: u32,
    },
    /// Compares as signed numbers of 64 bits.
    JumpCompare {
        cond: Cond,
        a: Reg,
        b: Reg,
        to: u32,
    },
    /// `d = base + index * scale`.
    Element {
        d: Reg,
        base: Reg,
        index: Reg,
        scale: u32,
    },
    ElementBy {
        d: Reg,
        base: Reg,
        index: Reg,
        scale: Reg,
    },
    /// An unsigned subscript, which is outside of every array where it would be negative.
    Countable {
        index: Reg,
    },
    /// The subscript of an array of so many elements.
    Bounds {
        index: Reg,
        len: u32,
    },
    BoundsBy {
        index: Reg,
        len: Reg,
    },
    Load {
        kind: Kind,
        d: Reg,
        at: Reg,
    },
    Store {
        kind: Kind,
        at: Reg,
        a: Reg,
    },
    /// `d = (a - b) / scale` of pointers.
    Difference {
        d: Reg,
        a: Reg,
        b: Reg,
        scale: Reg,
    },
    /// Copies `n` bytes, without asking whether they were written.
    Copy {
        to: Reg,
        from: Reg,
        n: Reg,
    },
    Fill {
        to: Reg,
        value: Reg,
        n: Reg,
    },
    /// A local object of `n` bytes; `local` is its declaration in [`Program::locals`].
    Local {
        d: Reg,
        n: Reg,
        local: u32,
    },
    Allocate {
        d: Reg,
        n: Reg,
        zero: bool,
    },
    Free {
        a: Reg,
    },
    Global {
        d: Reg,
        global: u32,
    },
    /// `first` and following registers hold the arguments.
    Call {
        function: u32,
        first: Reg,
        d: Reg,
    },
    Return {
        a: Reg,
    },
    ReturnNothing,
    Math1 {
        f: Math1,
        d: Reg,
        a: Reg,
    },
    Math2 {
        f: Math2,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Operands in `a` and the next two.
    Math3 {
        f: Math3,
        d: Reg,
        a: Reg,
    },
    /// Of complex numbers of a kind, or of parts of one, in `a` and `b`.
    Complex {
        f: Complex,
        kind: Kind,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Trap,
    /// The value of a local variable that was declared without one.
    Undefined {
        kind: Kind,
        d: Reg,
        flag: Reg,
    },
    /// Notes a read of a local variable to which nothing was assigned.
    Defined {
        flag: Reg,
        name: u32,
    },
    /// A parallel region until `end`.
    Parallel {
        end: u32,
    },
    ParallelEnd,
    /// A loop whose iterations are distributed: [`Program::shares`].
    Share {
        share: u32,
    },
    ShareNext,
    /// How many iterations a loop has; its step is in the register behind `bound`.
    Count {
        cond: Cond,
        d: Reg,
        first: Reg,
        bound: Reg,
    },
    Barrier,
    /// `single` and `master`: all but one thread jump.
    Single {
        to: u32,
    },
    Atomic {
        on: bool,
    },
    /// What a work-item asks about itself; `a` is the dimension.
    Item {
        what: Item,
        d: Reg,
        a: Reg,
    },
    /// An object that all work-items of a group share.
    GroupLocal {
        d: Reg,
        n: Reg,
        local: u32,
    },
    /// Work-items of a group wait for each other; `a` says in which memories what they did is seen.
    GroupBarrier {
        a: Reg,
    },
    /// Work-items of a group wait for each other and learn whether one of them has a value that is
    /// not 0.
    GroupAny {
        d: Reg,
        a: Reg,
    },
    /// What a host asks of its system or devices; `first` and following registers hold the arguments.
    Host {
        call: Host,
        first: Reg,
        d: Reg,
    },
    /// A launch: groups and work-items of each in three dimensions, bytes of local memory, and
    /// arguments, in `first` and following registers.
    Launch {
        function: u32,
        first: Reg,
        count: u16,
    },
    /// Something is done outside of memory: [`Program::outside`] says with what in `first` and following
    /// registers.
    Outside {
        call: u32,
        first: Reg,
        d: Reg,
    },
    /// `snprintf`, with so many arguments in `first` and following registers.
    Format {
        first: Reg,
        count: u16,
        d: Reg,
    },
    /// A `simd` loop begins, goes on with its next iteration, ends.
    SimdBegin,
    SimdNext,
    SimdEnd,
    /// Stops who only wants the extents of parameters.
    Halt,
    /// The access that follows is recorded ([`crate::storage::trace`]): [`Program::sites`].
    Seen {
        site: u32,
    },
    /// Notes a value for whoever wants the accesses.
    Note {
        kind: Kind,
        pointer: bool,
        a: Reg,
    },
    /// Accesses are recorded from here on, or no longer.
    Region {
        on: bool,
    },
}

/// One loop of a worksharing loop.
#[derive(Clone, Debug)]
pub(crate) struct SharedLoop {
    pub variable: Reg,
    pub first: Reg,
    pub count: Reg,
    pub step: Reg,
    pub kind: Kind,
}

/// A worksharing loop.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    pub loops: Vec<SharedLoop>,
    /// Where the instructions of one iteration begin, and where those behind the loop.
    pub body: u32,
    pub end: u32,
}

/// A declaration of a local object.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Its place among those of its function.
    pub slot: u32,
    pub name: String,
    pub ty: Type,
    /// Registers or constants of its extents, outermost first.
    pub extents: Vec<Extent>,
    /// Where its declaration begins: line, and byte in that line.
    pub place: (u32, usize),
}

/// An array's extent in one dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    Fixed(u64),
    /// Known when the declaration is reached.
    Variable,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub name: String,
    /// Adjusted: arrays are pointers.
    pub ty: Type,
    pub restrict: bool,
    /// For arrays, dimensions as declared; `None` where an extent is left out.
    pub extents: Vec<Option<Reg>>,
    /// The element behind all dimensions.
    pub element: Type,
}

/// A function that can be executed.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub params: Vec<Param>,
    pub result: Type,
    /// The extents of array parameters are evaluated first ([`Param::extents`]), up to [`Op::Halt`].
    pub entry: u32,
    pub registers: u32,
    pub locals: u32,
    /// Numbers in the text ([`Program::rows`]) of its first and last line.
    pub line: u32,
    pub last_line: u32,
    /// Constants, which are in registers from this one on.
    pub first_constant: u32,
    pub constants: Rc<[u64]>,
}

/// An object that lives as long as the program.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub name: String,
    pub ty: Type,
    pub bytes: Vec<u8>,
    /// Pointers within `bytes`: offset, and the global and byte they point to.
    pub pointers: Vec<(u64, usize, u64)>,
    /// How it is known in another program.
    pub known: Known,
}

/// How an object of one program is found in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// By its name: an object of the file. What has no initial value may begin with any.
    Named,
    /// By the names of its function and its own, and which one of that name it is there
    /// (`next.seed.0`): it begins with its initial value.
    Kept,
    /// Not at all: a string, and what kernels have.
    Not,
}

/// A C text that was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub ops: Vec<Op>,
    pub source: SourceLines,
    pub constants: Vec<u64>,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    pub locals: Vec<Local>,
    pub shares: Vec<Share>,
    pub names: Vec<String>,
    pub records: Records,
    /// Integer constants of the text: candidates for sizes.
    pub numbers: Vec<i64>,
    pub device: DeviceTexts,
    pub recorded: Recorded,
}

/// What executions write down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// Accesses.
    pub sites: Vec<Site>,
    /// Calls of functions that do something outside of memory.
    pub outside: Vec<crate::outside::Call>,
}

/// Where a program's parts are in its text.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceLines {
    /// The line of each instruction, by its number in the text.
    pub lines: Vec<u32>,
    /// The lines of the text by the numbers that they have in the main file.
    pub rows: Vec<u32>,
    /// First and last lines of generated regions, by their numbers in the text.
    pub generated: Vec<(u32, u32)>,
}

/// What a program has for devices.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceTexts {
    /// Kernels that are texts of the program, and those that were built.
    pub literals: Vec<Literal>,
    pub builds: Vec<Build>,
    /// Whether a device does some of the work.
    pub has_kernels: bool,
}

impl Program {
    /// Whether a global is read where extents of a function's parameters are evaluated.
    pub fn extents_read_globals(&self, function: usize) -> bool {
        let entry = self.functions[function].entry as usize;
        let first = self.ops[entry..].iter();
        first
            .take_while(|op| !matches!(op, Op::Halt))
            .any(|op| matches!(op, Op::Global { .. }))
    }

    /// Bytes of all objects that live as long as the program.
    pub fn global_bytes(&self) -> u64 {
        self.globals.iter().map(|g| g.bytes.len() as u64).sum()
    }

    /// The line of an instruction, by its number in the main file.
    pub fn line(&self, pc: usize) -> u32 {
        let row = self.source.lines.get(pc).copied().unwrap_or(0);
        self.source.rows.get(row as usize).copied().unwrap_or(0)
    }
}
