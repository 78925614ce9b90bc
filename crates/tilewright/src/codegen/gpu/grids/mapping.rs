//! From the kernel AST to launches.
//!
//! The outermost parallel loops of a nest, as far as a box around their iterations is known (`span`),
//! are the grid: one block per tile. Loops around them stay on the host. What is outside of parallel
//! loops is executed by a single block, so that data need not go back and forth; what lives in
//! local buffers across launches is in the device's memory.
//!
//! Bounds that are data are not known on the host (`grid`): a grid has a fixed size, and
//! conditions around launches are tested by every block. A sequential loop whose bounds are data is
//! executed by one block with all parallel loops in it.

use crate::analysis::dependences::dataflow::Dataflow;
use crate::codegen::CodegenOptions;
use crate::codegen::gpu::Refusal;
use crate::codegen::gpu::arrays;
use crate::codegen::gpu::arrays::Needs;
use crate::codegen::gpu::conflicts::barriers::with_barriers;
use crate::codegen::gpu::conflicts::data::read_by;
use crate::codegen::gpu::grids::block::{Block, Builder, living};
use crate::codegen::gpu::grids::columns;
use crate::codegen::gpu::grids::conditions::joins;
use crate::codegen::gpu::grids::data::{fixed_size, in_chunks, sink};
use crate::codegen::gpu::grids::full_tiles;
use crate::codegen::gpu::grids::short_loops::{Short, last_long, short};
use crate::codegen::gpu::grids::triangles::{grid_loop, guarded, spanned};
use crate::codegen::gpu::index_types;
use crate::codegen::gpu::program::{
    Axis, BlockNode, DeviceArray, DeviceKernel, DeviceProgram, GridLoop, HostNode, Size, Touched,
};
use crate::codegen::gpu::promotion::memory;
use crate::codegen::kernel::{Comparison, Index, Kernel, LocalBuffer, Loop, Node};
use crate::codegen::passes::dynamic::exits::kept::{Exit, Kept, Level};
use crate::codegen::passes::dynamic::exits::{list, together};
use crate::codegen::passes::storage;
use crate::plan::defaults::{BLOCK_THREADS, LOCAL_MEMORY, MOST_THREADS};
use crate::plan::{Group, IndexType, Promotion};
use crate::planner::DeviceWishes;
use crate::planner::device::usual;
use crate::scop::{AccessKind, Scop};
use crate::transform::{BufferId, Transformed};

/// What the plan and the user say about the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Per group of the plan.
    pub groups: Vec<Blocks>,
    /// Bytes of local memory that a block may have.
    pub local_memory: i64,
    /// Threads that a block may have.
    pub most_threads: i64,
}

/// What the plan says about the blocks of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Threads along x and y.
    pub threads: [i64; 2],
    /// Nobody asked for these threads: a block may have as many in another shape.
    pub shape_is_free: bool,
    /// Dynamic loops inside the grid become part of it ([`crate::plan::Device::sink`]).
    pub sink: bool,
    /// Full tiles apart from partial ones ([`crate::plan::Device::full_tiles`]).
    pub full_tiles: bool,
    /// See [`crate::plan::Device::unroll`].
    pub unroll: i64,
    /// Arrays in local memory ([`crate::plan::Device::promote`]).
    pub promote: Vec<Promotion>,
    /// Banks of local memory ([`crate::plan::Device::banks`]).
    pub banks: i64,
    /// Indices have 32 bits where they fit ([`crate::plan::Device::index`]).
    pub narrow: bool,
}

impl Default for Blocks {
    fn default() -> Blocks {
        Blocks {
            threads: BLOCK_THREADS,
            shape_is_free: true,
            sink: false,
            full_tiles: false,
            unroll: 1,
            promote: Vec::new(),
            banks: 0,
            narrow: true,
        }
    }
}

impl Default for Device {
    fn default() -> Device {
        Device {
            groups: Vec::new(),
            local_memory: LOCAL_MEMORY,
            most_threads: MOST_THREADS,
        }
    }
}

impl Device {
    /// What the groups of a plan and the user's wishes say.
    pub fn of(groups: &[Group], wishes: &DeviceWishes) -> Device {
        let usual = usual(wishes.most_threads);
        let blocks = |group: &Group| Blocks {
            shape_is_free: group.device.threads.is_empty(),
            threads: match group.device.threads[..] {
                [] => usual,
                [x] => [x.max(1), 1],
                [x, y, ..] => [x.max(1), y.max(1)],
            },
            sink: group.device.sink,
            full_tiles: group.device.full_tiles,
            unroll: group.device.unroll,
            promote: group.device.promote.clone(),
            banks: group.device.banks,
            narrow: group.device.index == IndexType::Int,
        };
        Device {
            groups: groups.iter().map(blocks).collect(),
            local_memory: wishes.local_memory,
            most_threads: wishes.most_threads,
        }
    }

    /// What the plan says about the blocks of a group.
    pub fn blocks(&self, group: usize) -> Blocks {
        self.groups.get(group).cloned().unwrap_or_default()
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
        exits: Vec::new(),
    };
    let host = mapper.host(&kernel.body)?;
    let (mut kernels, shared, kept) = (mapper.kernels, mapper.shared, mapper.kept);
    let exits = mapper.exits;
    let buffers = memory::place(&kernel.buffers, &mut kernels, &shared, &options.device)?;
    let wanted = |kernel: &DeviceKernel| options.device.blocks(kernel.group).narrow;
    let found = index_types::narrow(&host, &kernels, &wanted);
    for (kernel, narrow) in kernels.iter_mut().zip(found) {
        kernel.narrow = narrow;
    }
    let needs = Needs {
        scop,
        dataflow,
        transformed,
        kernel: &kernel,
    };
    let mut arrays = arrays::arrays(&needs, &kernels)?;
    arrays.extend(kept.iter().map(in_memory));
    // The region is there without packed arrays, too.
    let form = if scop.edges.packing.is_some() {
        "_ell"
    } else {
        ""
    };
    Ok(DeviceProgram {
        name: format!("tw_{}_{}{form}", scop.place.function, scop.place.index),
        arrays,
        host,
        kernels,
        buffers,
        exits,
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
    /// What became of loops to static bounds in place of data.
    exits: Vec<Exit>,
}

impl Mapper<'_> {
    fn host(&mut self, nodes: &[Node]) -> Result<Vec<HostNode>, Refusal> {
        let mut all = Vec::new();
        // Neighbours without parallel loops, in one launch.
        let mut alone: Vec<Node> = Vec::new();
        for node in nodes {
            let sized = match node {
                Node::For(each) if each.dynamic.fixed.is_none() => None,
                Node::For(each) => Some(fixed_size(each)),
                _ => None,
            };
            if let Node::GoesOn { var, condition } = node {
                // What a condition around says only the device knows.
                if !condition.is_data() && self.guards.is_empty() {
                    all.push(HostNode::GoesOn {
                        var: var.clone(),
                        condition: condition.clone(),
                    });
                    continue;
                }
            }
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
                Node::For(each) => {
                    let left = self.left_by_host(each);
                    let each = left.as_ref().unwrap_or(each);
                    all.push(HostNode::For {
                        var: each.var.clone(),
                        lower: each.lower.clone(),
                        upper: each.upper.clone(),
                        step: each.step,
                        ends_early: each.dynamic.ends_early,
                        body: self.host(&each.body)?,
                    });
                }
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
                Node::Statement(_) | Node::GoesOn { .. } => {}
            }
        }
        self.single_block(&mut alone, &mut all)?;
        Ok(all)
    }

    /// A loop around launches that ends early; `None` where it does not.
    fn left_by_host(&mut self, each: &Loop) -> Option<Loop> {
        let inspected = self.scop.edges.inspections.iter().any(|inspection| {
            let params = &self.scop.params;
            let number = params.iter().position(|p| p.name == inspection.variable);
            let mut mentioned = false;
            each.upper.walk(&mut |part| {
                mentioned |= matches!(part, Index::Param(param) if Some(*param) == number);
            });
            mentioned
        });
        let left = if inspected {
            // To ask would take time, and the answer would be that it goes on.
            Err(Kept::Inspected)
        } else {
            together(self.scop, each)
        };
        let level = left.as_ref().map(|_| Level::Host).map_err(Clone::clone);
        list(self.scop, each, level, &mut self.exits);
        left.ok()
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
        let group = group_of(&nodes);
        let builder = Builder::new(self.scop, self.buffers);
        let block = self.tile(builder, group, &nodes);
        let threads = self.device.blocks(group).threads;
        all.push(self.launch(group, Vec::new(), block, threads)?);
        Ok(())
    }

    /// A launch with a block for every iteration of the parallel loops from this one on.
    fn grid(&mut self, each: &Loop) -> Result<HostNode, Refusal> {
        let loops = grid_of(each);
        for each in &loops {
            list(self.scop, each, Err(Kept::Grid), &mut self.exits);
        }
        let inside = loops.last().copied().unwrap_or(each);
        let spanned = spanned(&loops);
        let group = group_of(&inside.body);
        let blocks = self.device.blocks(group);
        let builder = Builder::new(self.scop, self.buffers);
        if blocks.sink && inside.step == 1 {
            if let Some((more, body)) = sink(&builder, &inside.body, blocks.threads) {
                let outer = spanned.iter().map(grid_loop);
                let grid = outer.chain(more).collect();
                let block = guarded(&spanned, builder.block(&body));
                return self.launch(group, grid, block, blocks.threads);
            }
        }
        let of_few = |node: &Node| !has_scope(node) && !builder.has_many_threads(node);
        let threads = inside.body.iter().any(|node| builder.has_threads(node))
            && !inside.body.iter().all(of_few);
        let short = if blocks.shape_is_free {
            short(&builder, &spanned, blocks.threads)
        } else {
            None
        };
        let threads = match short {
            Some(Short::Both(both)) => {
                let (grid, block, threads) = both.block(builder, &spanned);
                return self.launch(group, grid, block, threads);
            }
            Some(Short::Grid(count)) if !inside.body.iter().any(has_scope) => {
                let (grid, block) = points(builder, &spanned[..count], blocks.threads);
                return self.launch(group, grid, block, blocks.threads);
            }
            _ => threads,
        };
        let (grid, block) = if threads {
            let grid = spanned.iter().map(grid_loop).collect();
            (
                grid,
                guarded(&spanned, self.tile(builder, group, &inside.body)),
            )
        } else {
            points(builder, &spanned, blocks.threads)
        };
        self.launch(group, grid, block, blocks.threads)
    }

    /// A block that executes some nodes, full tiles apart where the plan says so.
    fn tile(&self, builder: Builder<'_>, group: usize, nodes: &[Node]) -> Block {
        let mut block = builder.block(nodes);
        if self.device.blocks(group).full_tiles {
            full_tiles::separate(&mut block.nodes);
        }
        block
    }

    fn launch(
        &mut self,
        group: usize,
        grid: Vec<GridLoop>,
        mut block: Block,
        threads: [i64; 2],
    ) -> Result<HostNode, Refusal> {
        for condition in self.guards.iter().rev() {
            block.nodes = vec![BlockNode::If {
                condition: condition.clone(),
                then: block.nodes,
                otherwise: Vec::new(),
            }];
        }
        let [x, y] = threads;
        if x.saturating_mul(y) > self.device.most_threads {
            return Err(Refusal::Threads {
                threads,
                limit: self.device.most_threads,
            });
        }
        let builder = Builder::new(self.scop, self.buffers);
        columns::in_columns(&builder, &mut block.nodes, y);
        memory::check_threads(self.buffers, &block.nodes)?;
        let alone = grid.is_empty() && block.nodes.iter().all(is_for_one_thread);
        self.kernels.push(DeviceKernel {
            group,
            grid,
            threads: if alone { [1, 1] } else { threads },
            body: with_barriers(self.buffers, block.nodes),
            local: Vec::new(),
            local_bytes: 0,
            narrow: None,
        });
        for exit in block.exits {
            if !self.exits.contains(&exit) {
                self.exits.push(exit);
            }
        }
        self.shared.push(block.shared);
        Ok(HostNode::Launch(self.kernels.len() - 1))
    }
}

/// Whether local buffers live at or below.
fn has_scope(node: &Node) -> bool {
    matches!(node, Node::Scope { .. }) || node.children().any(has_scope)
}

/// The grid and the block of loops whose points are threads, as many as a block has at a time: those
/// of the last two, along y and x, or of one alone. Loops of few iterations inside others each
/// thread executes for itself.
fn points(builder: Builder<'_>, loops: &[Loop], [x, y]: [i64; 2]) -> (Vec<GridLoop>, Block) {
    let loops = &loops[..=last_long(loops)];
    let mut grid: Vec<GridLoop> = loops.iter().map(grid_loop).collect();
    match loops {
        [around @ .., outer, inner] if outer.step == 1 && inner.step == 1 => {
            let height = columns::height(builder.scop, outer, inner, None);
            let (rows, row) = in_chunks(outer, y * height);
            let (columns, column) = in_chunks(inner, x);
            grid.truncate(loops.len() - 2);
            grid.extend([rows, columns]);
            let nest = Loop {
                body: vec![Node::For(column)],
                ..row
            };
            let again = Builder::new(builder.scop, builder.buffers);
            let mut block = builder.points(&nest, &[(&outer.var, Axis::Y), (&inner.var, Axis::X)]);
            for node in &mut block.nodes {
                if let (BlockNode::Piece(piece), 2..) = (node, height) {
                    columns::give(&again, piece, height);
                }
            }
            (grid, guarded(around, block))
        }
        [around @ .., one] if one.step == 1 => {
            let (chunk, points) = in_chunks(one, x * y);
            grid.pop();
            grid.push(chunk);
            let block = builder.points(&points, &[(&points.var, Axis::All)]);
            (grid, guarded(around, block))
        }
        [.., one] => (grid, guarded(loops, builder.block(&one.body))),
        [] => (grid, builder.block(&[])),
    }
}

/// The loops of a grid, from the outermost parallel one on: those directly inside each other, as far
/// as they can be ([`joins`]).
pub(crate) fn grid_of(each: &Loop) -> Vec<&Loop> {
    let mut loops = vec![each];
    let mut inside = each;
    while let [Node::For(inner)] = inside.body.as_slice() {
        if !joins(&loops, inner) {
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
