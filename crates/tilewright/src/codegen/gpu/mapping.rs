//! From the kernel AST to launches.
//!
//! The outermost parallel loops of a nest, as far as their bounds do not depend on each other, are
//! the grid: one block per tile. Loops around them stay on the host. What is outside of parallel
//! loops is executed by a single block, so that data need not go back and forth; what lives in
//! local buffers across launches is in the device's memory.
//!
//! Bounds that are data are not known on the host (`grid`): a grid has a fixed size, and
//! conditions around launches are tested by every block. A sequential loop whose bounds are data is
//! executed by one block with all parallel loops in it.

use super::Refusal;
use super::arrays::{self, Needs};
use super::barriers::with_barriers;
use super::block::{Builder, living};
use super::data::read_by;
use super::grid::{fixed_size, in_chunks, sink};
use super::memory;
use super::program::{
    BlockNode, DeviceArray, DeviceKernel, DeviceProgram, GridLoop, HostNode, Size, Touched,
};
use crate::analysis::dataflow::Dataflow;
use crate::codegen::CodegenOptions;
use crate::codegen::kernel::{Comparison, Index, Kernel, LocalBuffer, Loop, Node};
use crate::codegen::storage;
use crate::plan::defaults::{BLOCK_THREADS, LOCAL_MEMORY};
use crate::plan::{Group, Promotion};
use crate::scop::{AccessKind, Scop};
use crate::transform::{BufferId, Transformed};

/// What the plan and the user say about the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Per group of the plan, threads of a block along x and y.
    pub threads: Vec<[i64; 2]>,
    /// Per group, whether dynamic loops inside the grid become part of it ([`Group::sink`]).
    pub sink: Vec<bool>,
    /// Bytes of local memory that a block may have.
    pub local_memory: i64,
    /// Per group, arrays in local memory ([`Group::promote`]).
    pub promote: Vec<Vec<Promotion>>,
    /// Per group, the banks of local memory ([`Group::banks`]).
    pub banks: Vec<i64>,
}

impl Default for Device {
    fn default() -> Device {
        Device {
            threads: Vec::new(),
            sink: Vec::new(),
            local_memory: LOCAL_MEMORY,
            promote: Vec::new(),
            banks: Vec::new(),
        }
    }
}

impl Device {
    /// What the groups of a plan say.
    pub fn of(groups: &[Group], local_memory: i64) -> Device {
        let threads = |group: &Group| match group.threads[..] {
            [] => BLOCK_THREADS,
            [x] => [x.max(1), 1],
            [x, y, ..] => [x.max(1), y.max(1)],
        };
        Device {
            threads: groups.iter().map(threads).collect(),
            sink: groups.iter().map(|group| group.sink).collect(),
            local_memory,
            promote: groups.iter().map(|group| group.promote.clone()).collect(),
            banks: groups.iter().map(|group| group.banks).collect(),
        }
    }
}

/// Makes a device program of a kernel.
///
/// # Errors
/// Why the kernel has no form on a device.
pub fn map(
    scop: &Scop,
    dataflow: &Dataflow,
    transformed: &Transformed,
    kernel: &Kernel,
    options: &CodegenOptions,
) -> Result<DeviceProgram, Refusal> {
    let kernel = storage::sink(scop, kernel);
    let mut mapper = Mapper {
        scop,
        device: &options.device,
        buffers: &kernel.buffers,
        kernels: Vec::new(),
        shared: Vec::new(),
        kept: Vec::new(),
        guards: Vec::new(),
    };
    let host = mapper.host(&kernel.body)?;
    let (mut kernels, shared, kept) = (mapper.kernels, mapper.shared, mapper.kept);
    let buffers = memory::place(&kernel.buffers, &mut kernels, &shared, &options.device)?;
    let needs = Needs {
        scop,
        dataflow,
        transformed,
        kernel: &kernel,
    };
    let mut arrays = arrays::arrays(&needs, &kernels)?;
    arrays.extend(kept.iter().map(in_memory));
    Ok(DeviceProgram {
        name: format!("tw_{}_{}", scop.function, scop.index),
        arrays,
        host,
        kernels,
        buffers,
    })
}

/// A local buffer in the memory of the device.
fn in_memory(buffer: &LocalBuffer) -> DeviceArray {
    DeviceArray {
        buffer: buffer.buffer,
        element: buffer.element.clone(),
        size: Size::Device(buffer.extents.iter().map(|&e| Index::Int(e)).collect()),
        copy_in: false,
        copy_out: false,
        written: true,
    }
}

struct Mapper<'a> {
    scop: &'a Scop,
    device: &'a Device,
    buffers: &'a [LocalBuffer],
    kernels: Vec<DeviceKernel>,
    /// Scratchpads of each kernel.
    shared: Vec<Vec<BufferId>>,
    /// Local buffers whose scope is on the host.
    kept: Vec<LocalBuffer>,
    /// Conditions around what is looked at that only the device can test.
    guards: Vec<Index>,
}

impl Mapper<'_> {
    fn host(&mut self, nodes: &[Node]) -> Result<Vec<HostNode>, Refusal> {
        let mut all = Vec::new();
        // Neighbours without parallel loops, in one launch.
        let mut alone: Vec<Node> = Vec::new();
        for node in nodes {
            let sized = match node {
                Node::For(each) if each.fixed.is_none() => None,
                Node::For(each) => Some(fixed_size(each)),
                _ => None,
            };
            let in_one = matches!(sized, Some(None)) || changes_its_condition(self.scop, node);
            if in_one || !has_parallel(node) {
                alone.push(node.clone());
                continue;
            }
            self.single_block(&mut alone, &mut all)?;
            match node {
                Node::For(each) if each.parallel => {
                    let each = sized.flatten().unwrap_or_else(|| each.clone());
                    all.push(self.grid(&each)?);
                }
                Node::For(each) => all.push(HostNode::For {
                    var: each.var.clone(),
                    lower: each.lower.clone(),
                    upper: each.upper.clone(),
                    step: each.step,
                    body: self.host(&each.body)?,
                }),
                Node::If {
                    condition,
                    then,
                    otherwise,
                } if condition.is_data() => {
                    let not = Index::Compare(
                        Comparison::Equal,
                        Box::new(condition.clone()),
                        Box::new(Index::Int(0)),
                    );
                    for (guard, branch) in [(condition.clone(), then), (not, otherwise)] {
                        self.guards.push(guard);
                        let inside = self.host(branch);
                        self.guards.pop();
                        all.extend(inside?);
                    }
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => all.push(HostNode::If {
                    condition: condition.clone(),
                    then: self.host(then)?,
                    otherwise: self.host(otherwise)?,
                }),
                Node::Scope { scope, body } => {
                    let own = living(self.buffers, *scope, body);
                    self.keep(&own.iter().map(|b| b.buffer).collect::<Vec<BufferId>>());
                    all.extend(self.host(body)?);
                }
                Node::Block { variables, body } => {
                    self.keep(variables);
                    all.extend(self.host(body)?);
                }
                Node::Allocate { body, .. } => all.extend(self.host(body)?),
                Node::Copies(copies) => {
                    for copy in copies {
                        all.extend(self.host(copy)?);
                    }
                }
                Node::Statement(_) => {}
            }
        }
        self.single_block(&mut alone, &mut all)?;
        Ok(all)
    }

    fn keep(&mut self, buffers: &[BufferId]) {
        for buffer in self.buffers.iter().filter(|b| buffers.contains(&b.buffer)) {
            if !self.kept.iter().any(|kept| kept.buffer == buffer.buffer) {
                self.kept.push(buffer.clone());
            }
        }
    }

    /// A launch of one block for what was collected.
    fn single_block(
        &mut self,
        nodes: &mut Vec<Node>,
        all: &mut Vec<HostNode>,
    ) -> Result<(), Refusal> {
        let nodes = std::mem::take(nodes);
        if nodes.is_empty() {
            return Ok(());
        }
        let block = Builder::new(self.scop, self.buffers).block(&nodes);
        let group = group_of(&nodes);
        all.push(self.launch(group, Vec::new(), block)?);
        Ok(())
    }

    /// A launch with a block for every iteration of the parallel loops from this one on.
    fn grid(&mut self, each: &Loop) -> Result<HostNode, Refusal> {
        let loops = grid_of(each);
        let inside = loops.last().copied().unwrap_or(each);
        let group = group_of(&inside.body);
        let builder = Builder::new(self.scop, self.buffers);
        if self.device.sink.get(group) == Some(&true) && inside.step == 1 {
            if let Some((more, body)) = sink(&builder, &inside.body, self.threads(group)) {
                let outer = loops.iter().map(|each| grid_loop(each));
                let grid = outer.chain(more).collect();
                return self.launch(group, grid, builder.block(&body));
            }
        }
        let threads = inside.body.iter().any(|node| builder.has_threads(node));
        let mut grid: Vec<GridLoop> = loops.iter().map(|each| grid_loop(each)).collect();
        let block = match threads || inside.step != 1 {
            true => builder.block(&inside.body),
            // Points of the last loop are threads, as many as a block has at a time.
            false => {
                let [x, y] = self.threads(group);
                let (chunk, points) = in_chunks(inside, x * y);
                grid.pop();
                grid.push(chunk);
                builder.one_loop(&points)
            }
        };
        self.launch(group, grid, block)
    }

    fn threads(&self, group: usize) -> [i64; 2] {
        let threads = self.device.threads.get(group);
        threads.copied().unwrap_or(BLOCK_THREADS)
    }

    fn launch(
        &mut self,
        group: usize,
        grid: Vec<GridLoop>,
        mut block: super::block::Block,
    ) -> Result<HostNode, Refusal> {
        for condition in self.guards.iter().rev() {
            block.nodes = vec![BlockNode::If {
                condition: condition.clone(),
                then: block.nodes,
                otherwise: Vec::new(),
            }];
        }
        memory::check_threads(self.buffers, &block.nodes)?;
        let alone = grid.is_empty() && block.nodes.iter().all(is_for_one_thread);
        self.kernels.push(DeviceKernel {
            group,
            grid,
            threads: match alone {
                true => [1, 1],
                false => self.threads(group),
            },
            body: with_barriers(self.buffers, block.nodes),
            local: Vec::new(),
            local_bytes: 0,
        });
        self.shared.push(block.shared);
        Ok(HostNode::Launch(self.kernels.len() - 1))
    }
}

/// The loops of a grid, from the outermost parallel one on: those directly inside each other whose
/// bounds do not depend on each other.
pub(super) fn grid_of(each: &Loop) -> Vec<&Loop> {
    let mut loops = vec![each];
    let mut inside = each;
    while let [Node::For(inner)] = inside.body.as_slice() {
        let depends =
            |outer: &&Loop| inner.lower.mentions(&outer.var) || inner.upper.mentions(&outer.var);
        if !inner.parallel || inner.fixed.is_some() || loops.iter().any(depends) {
            break;
        }
        loops.push(inner);
        inside = inner;
    }
    loops
}

fn is_for_one_thread(node: &BlockNode) -> bool {
    match node {
        BlockNode::Piece(piece) => piece.dealt.is_empty(),
        BlockNode::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).all(is_for_one_thread),
        BlockNode::For { .. } | BlockNode::Barrier => false,
    }
}

fn grid_loop(each: &Loop) -> GridLoop {
    GridLoop {
        var: each.var.clone(),
        lower: each.lower.clone(),
        upper: each.upper.clone(),
        step: each.step,
    }
}

/// Whether something under a condition that is data writes what the condition reads: tested before
/// each of several launches, it would not have one value for all of them.
fn changes_its_condition(scop: &Scop, node: &Node) -> bool {
    let Node::If { condition, .. } = node else {
        return false;
    };
    let read = read_by(condition);
    let mut changes = false;
    node.instances(&mut |instance| {
        let accesses = &scop.statements[instance.statement].accesses;
        for (place, access) in instance.accesses.iter().zip(accesses) {
            let reads = |touched: &Touched| touched.place.buffer == place.buffer;
            changes |= access.kind != AccessKind::Read && read.iter().any(reads);
        }
    });
    changes
}

fn has_parallel(node: &Node) -> bool {
    matches!(node, Node::For(each) if each.parallel) || node.children().any(has_parallel)
}

fn group_of(nodes: &[Node]) -> usize {
    let mut group = None;
    for node in nodes {
        node.instances(&mut |instance| group = group.or(Some(instance.group)));
    }
    group.unwrap_or(0)
}
