//! Validation of what this part of the compiler does: a kernel is executed by one thread and, as a
//! device program, by all threads of all blocks, for given values of the parameters and without
//! data. What both do is compared.
//!
//! - The same statement instances are executed, each as often, and each read has its value from the
//!   same instance; each cell of a result is written by the same instance last.
//! - No two threads of a block are at a cell between two barriers, and no two blocks of a launch at
//!   all, if one of them changes it; but for atomic updates.
//! - Cells of local memory are inside their buffers and inside the block's memory. Buffers that are
//!   one memory are that here, too, so that what overwrites a value that is still read is found.
//! - Arrays are somewhere, and what is read before it is written is copied to the device.
//!
//! Copies to and from local memory are moves here: a value keeps its writer, or the cell it has from
//! before the region, and what is compared with is the kernel without them.
//!
//! Nothing here uses what the passes before have found out ([`crate::codegen::gpu::conflicts::ties`],
//! [`Piece::touched`](super::program::Piece)). It is a check for some sizes, not a proof for all.
//!
//! Where data picks a cell, it may be any cell in that dimension; a program's word that iterations
//! are independent is believed for such arrays, and for all where bounds are data. Where data is a
//! bound, a value is made up from the
//! instance that computes it, within the static bounds.

mod cells;
mod facts;
mod machine;
mod spelled;
#[cfg(test)]
mod tests;
mod traffic;

use super::program::DeviceProgram;
use crate::codegen::kernel::Kernel;
use crate::codegen::terms::number;
use crate::scop::Scop;
use crate::transform::Transformed;
use facts::Facts;
use machine::Machine;
use std::collections::BTreeMap;
use std::fmt;
use traffic::Counter;
pub use traffic::{BufferTraffic, KernelTraffic, Requests};

/// What was executed, and found right.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Replayed {
    /// Statement instances.
    pub instances: u64,
    /// Blocks of all launches.
    pub blocks: u64,
    /// Barriers that blocks came to.
    pub barriers: u64,
    /// What was asked of the memories, by kernel.
    pub traffic: Vec<KernelTraffic>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A parameter has no value.
    NoValue {
        /// As C spells it.
        name: String,
    },
    /// The values contradict what the program assumes of its parameters.
    Assumptions,
    /// More steps than [`crate::plan::defaults::REPLAYED_STEPS`].
    Long,
    /// isl's error.
    Isl(String),
    /// A variable is mentioned where it is not known.
    Unknown {
        /// Its name.
        name: String,
    },
    /// A bound is read that nobody has written.
    Unset {
        /// The buffer it is in.
        name: String,
    },
    /// The host needs a value that is in the memory of the device.
    OnHost,
    /// A buffer is in no memory of a kernel.
    Nowhere {
        /// The buffer.
        name: String,
    },
    /// A cell outside of its buffer, or of local memory.
    Outside {
        /// With subscripts.
        cell: String,
        /// The kernel's number.
        kernel: usize,
    },
    /// An array has values that are read, and is not copied to the device.
    NotCopied {
        /// The array.
        name: String,
    },
    /// Two threads of a block meet.
    Threads(Met),
    /// Two blocks of a launch meet.
    Blocks(Met),
    /// Other instances than the kernel's.
    Instances {
        /// The statement.
        statement: String,
        /// How many the kernel has.
        wanted: u64,
        /// How many the device program has.
        found: u64,
    },
    /// Some instance reads what another one wrote than in the kernel.
    Source {
        /// The statement.
        statement: String,
        /// The array that it reads.
        array: String,
    },
    /// Some cell of a result was written by another instance last than in the kernel.
    Results,
}

/// Two that meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// Where, with subscripts.
    pub cell: String,
    /// The kernel's number.
    pub kernel: usize,
    /// The threads or blocks; none for several.
    pub who: [Option<usize>; 2],
    /// What was executed there last, and what is now.
    pub statements: [String; 2],
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = self.who.map(|one| match one {
            Some(number) => number.to_string(),
            None => "others".to_owned(),
        });
        write!(
            f,
            "{} and {} of kernel {} meet at `{}` ({} and {})",
            who[0], who[1], self.kernel, self.cell, self.statements[0], self.statements[1]
        )
    }
}

impl Finding {
    /// Whether the device program is wrong, and not what was asked for.
    pub fn is_about_the_program(&self) -> bool {
        use Finding::{Assumptions, Isl, Long, NoValue};
        !matches!(self, NoValue { .. } | Assumptions | Long | Isl(_))
    }
}

impl From<number::Unknown> for Finding {
    fn from(unknown: number::Unknown) -> Finding {
        Finding::Unknown { name: unknown.name }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::NoValue { name } => write!(f, "`{name}` has no value"),
            Finding::Assumptions => {
                f.write_str("the values contradict what the program assumes of its parameters")
            }
            Finding::Long => f.write_str("it takes too many steps: smaller values take fewer"),
            Finding::Isl(error) => write!(f, "isl: {error}"),
            Finding::Unknown { name } => write!(f, "`{name}` is not known where it is used"),
            Finding::Unset { name } => write!(f, "`{name}` is a bound and not yet computed"),
            Finding::OnHost => f.write_str("the host needs a bound that only the device knows"),
            Finding::Nowhere { name } => write!(f, "`{name}` is in no memory"),
            Finding::Outside { cell, kernel } => {
                write!(f, "`{cell}` is outside of its memory in kernel {kernel}")
            }
            Finding::NotCopied { name } => {
                write!(f, "`{name}` has values that are read, and is not copied")
            }
            Finding::Threads(met) => write!(f, "threads {met}"),
            Finding::Blocks(met) => write!(f, "blocks {met}"),
            Finding::Instances {
                statement,
                wanted,
                found,
            } => write!(
                f,
                "{found} instances of {statement} are executed, which are not the {wanted} of the \
                 kernel"
            ),
            Finding::Source { statement, array } => write!(
                f,
                "{statement} reads `{array}` from another instance than in the kernel"
            ),
            Finding::Results => {
                f.write_str("other instances than in the kernel write the results last")
            }
        }
    }
}

/// Executes a kernel and the device program that was made of it, with these values of parameters by
/// their C spelling; those that are expressions of others follow. Of the scop's statements all behind
/// the first `statements` copy a cell; the kernel has none of them.
///
/// # Errors
/// What is wrong with the device program, or why it cannot be executed.
pub fn replay(
    (scop, statements): (&Scop, usize),
    transformed: &Transformed,
    kernel: &Kernel,
    program: &DeviceProgram,
    values: &BTreeMap<String, i64>,
) -> Result<Replayed, Finding> {
    let facts = Facts::new((scop, statements), transformed, kernel, program, values)?;
    let mut one = Machine::new(&facts);
    one.nodes(&kernel.body, &[])?;
    let wanted = one.record();
    let mut device = Machine::new(&facts);
    device.counter = Some(Counter::default());
    device.host(&program.host)?;
    let (blocks, barriers) = (device.blocks, device.barriers);
    let counter = device.counter.take().unwrap_or_default();
    let found = device.record();
    for (id, statement) in scop.statements.iter().take(statements).enumerate() {
        if wanted.instances[id] != found.instances[id] {
            return Err(Finding::Instances {
                statement: statement.name.clone(),
                wanted: wanted.instances[id].0,
                found: found.instances[id].0,
            });
        }
        for (number, access) in statement.accesses.iter().enumerate() {
            if wanted.sources[id][number] != found.sources[id][number] {
                return Err(Finding::Source {
                    statement: statement.name.clone(),
                    array: scop.arrays[access.array].name.clone(),
                });
            }
        }
    }
    if wanted.results != found.results {
        return Err(Finding::Results);
    }
    let instances = found.instances.iter().map(|(count, _)| count).sum();
    Ok(Replayed {
        instances,
        blocks,
        barriers,
        traffic: counter.counts(&|buffer| facts.name(buffer).to_owned()),
    })
}
