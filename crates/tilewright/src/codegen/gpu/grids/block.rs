//! The inside of a launch: which loops are distributed to the threads of a block.
//!
//! A loop can be distributed if different iterations of it never touch a common cell that one of them
//! writes: by what subscripts ([`crate::codegen::gpu::conflicts::ties`]) and bounds ([`crate::codegen::gpu::conflicts::orders`]) say, or because the
//! schedule has it in parallel, as the points of a tile along a wavefront. Of loops directly inside
//! each other the two innermost such loops are: the inner one along x, so that neighbouring threads
//! touch neighbouring cells, the outer one along y; guards may be between them, and what else is
//! there gets loops of its own (`parts`). One such loop alone gets all threads. The loops between
//! and inside them each thread executes for itself: it meets no other thread there. What is in no
//! such loop one thread does.

use crate::codegen::gpu::conflicts::data;
use crate::codegen::gpu::conflicts::orders::Orders;
use crate::codegen::gpu::conflicts::ties::{Meeting, meeting};
use crate::codegen::gpu::grids::fission;
use crate::codegen::gpu::program::{Axis, BlockNode, Dealt, Piece, Touched};
use crate::codegen::kernel::{Index, Instance, LocalBuffer, Loop, Node};
use crate::codegen::passes::dynamic::exits::kept::{Exit, Level};
use crate::codegen::passes::dynamic::exits::{list, together, with_exits_listed};
use crate::codegen::passes::storage::uses;
use crate::plan::defaults::FEW_ITERATIONS;
use crate::scop::{AccessKind, Scop};
use crate::transform::BufferId;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What a block consists of.
pub(crate) struct Block {
    /// What it does, without barriers.
    pub nodes: Vec<BlockNode>,
    /// Scratchpads that its threads share.
    pub shared: Vec<BufferId>,
    /// What became of loops to static bounds in place of data.
    pub exits: Vec<Exit>,
}

/// Deals out the code inside a launch.
pub(crate) struct Builder<'a> {
    pub scop: &'a Scop,
    pub buffers: &'a [LocalBuffer],
    shared: Vec<BufferId>,
    exits: RefCell<Vec<Exit>>,
}

impl<'a> Builder<'a> {
    pub fn new(scop: &'a Scop, buffers: &'a [LocalBuffer]) -> Builder<'a> {
        Builder {
            scop,
            buffers,
            shared: Vec::new(),
            exits: RefCell::default(),
        }
    }

    /// The block that executes some nodes.
    pub fn block(mut self, nodes: &[Node]) -> Block {
        let nodes = self.nodes(nodes);
        Block {
            nodes,
            shared: self.shared,
            exits: self.exits.into_inner(),
        }
    }

    /// The block whose threads execute the points of a perfect nest, which do not depend on each
    /// other; `axes` says by the variables of its loops which threads share them.
    pub fn points(mut self, outermost: &Loop, axes: &[(&str, Axis)]) -> Block {
        let shared = |each: &&Loop| {
            let own = axes.iter().find(|(var, _)| *var == each.var);
            own.map(|&(_, axis)| dealt(each, axis))
        };
        let loops = nest(outermost).iter().filter_map(shared).collect();
        let piece = self.piece(loops, vec![Node::For(outermost.clone())]);
        Block {
            nodes: vec![BlockNode::Piece(piece)],
            shared: self.shared,
            exits: self.exits.into_inner(),
        }
    }

    fn nodes(&mut self, nodes: &[Node]) -> Vec<BlockNode> {
        let mut all = Vec::new();
        // Neighbours for one thread, together.
        let mut alone: Vec<Node> = Vec::new();
        for node in nodes {
            if !self.has_threads(node) {
                alone.push(node.clone());
                continue;
            }
            if !alone.is_empty() {
                let piece = self.piece(Vec::new(), std::mem::take(&mut alone));
                all.push(BlockNode::Piece(piece));
            }
            self.node(node, &mut all);
        }
        if !alone.is_empty() {
            let piece = self.piece(Vec::new(), alone);
            all.push(BlockNode::Piece(piece));
        }
        all
    }

    /// A node in which threads have something to share.
    fn node(&mut self, node: &Node, all: &mut Vec<BlockNode>) {
        match node {
            Node::For(each) => {
                if let Some(loops) = fission::apart(self, each) {
                    for part in &loops {
                        self.node(part, all);
                    }
                    return;
                }
                let dealt = self.dealt(each);
                if !dealt.is_empty() {
                    let piece = self.piece(dealt, vec![node.clone()]);
                    all.push(BlockNode::Piece(piece));
                    return;
                }
                // Threads meet in it, so that all of them have to leave it together.
                let left = together(self.scop, each);
                let level = left.as_ref().map(|_| Level::Block).map_err(Clone::clone);
                list(self.scop, each, level, &mut self.exits.borrow_mut());
                let each = left.as_ref().unwrap_or(each);
                all.push(BlockNode::For {
                    var: each.var.clone(),
                    lower: each.lower.clone(),
                    upper: each.upper.clone(),
                    step: each.step,
                    ends_early: each.dynamic.ends_early,
                    body: self.nodes(&each.body),
                });
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => all.push(BlockNode::If {
                condition: condition.clone(),
                then: self.nodes(then),
                otherwise: self.nodes(otherwise),
            }),
            Node::Scope { scope, body } => {
                let own = living(self.buffers, *scope, body);
                self.share(&own.iter().map(|b| b.buffer).collect::<Vec<BufferId>>());
                all.extend(self.nodes(body));
            }
            Node::Block { variables, body } => {
                self.share(variables);
                all.extend(self.nodes(body));
            }
            Node::Allocate { body, .. } => all.extend(self.nodes(body)),
            Node::Copies(copies) => {
                for copy in copies {
                    all.extend(self.nodes(copy));
                }
            }
            // A statement alone is for one thread.
            Node::Statement(_) | Node::GoesOn { .. } => {}
        }
    }

    fn share(&mut self, buffers: &[BufferId]) {
        for buffer in buffers {
            if !self.shared.contains(buffer) {
                self.shared.push(*buffer);
            }
        }
    }

    /// Whether a loop at or below is distributed.
    pub fn has_threads(&self, node: &Node) -> bool {
        match node {
            Node::For(each) if !self.dealt(each).is_empty() => true,
            _ => node.children().any(|child| self.has_threads(child)),
        }
    }

    /// Whether loops at or below have enough iterations for the threads of a block, as far as is
    /// known.
    pub fn has_many_threads(&self, node: &Node) -> bool {
        let Node::For(each) = node else {
            return node.children().any(|child| self.has_many_threads(child));
        };
        let dealt = self.dealt(each);
        if dealt.is_empty() {
            return each.body.iter().any(|child| self.has_many_threads(child));
        }
        let own = |one: &Loop| dealt.iter().any(|dealt| dealt.var == one.var);
        let mut points = Some(1i64);
        for one in nest(each).into_iter().filter(|one| own(one)) {
            let more = one.iterations();
            points = points
                .zip(more)
                .and_then(|(all, more)| all.checked_mul(more));
        }
        points.is_none_or(|points| points >= FEW_ITERATIONS)
    }

    /// The variables of loops of a perfect nest whose iterations never meet: what subscripts say, and
    /// of the first ones the schedule.
    pub fn free(&self, each: &Loop) -> BTreeSet<String> {
        let mut varying = BTreeSet::new();
        variables(each, &mut varying);
        let chain = nest(each);
        let orders = Orders::of(&chain);
        let mut free: BTreeSet<String> = chain.iter().map(|each| each.var.clone()).collect();
        // Points that differ in one of these do not depend on each other; but loops over tiles leave
        // the threads to the points.
        let (first, others) = chain.split_at(chain.iter().take_while(|each| each.parallel).count());
        let tiles = others.iter().any(|each| each.parallel);
        let first = first.iter().filter(|_| !tiles);
        let parallel: BTreeSet<String> = first.map(|each| each.var.clone()).collect();
        let touched = self.touched(&each.body, &mut Vec::new());
        for (position, a) in touched.iter().enumerate() {
            for b in &touched[position..] {
                if !(a.written || b.written) {
                    continue;
                }
                if a.place.buffer != b.place.buffer {
                    if self.same_memory(a.place.buffer, b.place.buffer) {
                        return BTreeSet::new();
                    }
                    continue;
                }
                let Meeting::Where(mut tied) = meeting(&a.place, &b.place, &varying) else {
                    continue;
                };
                tied.extend(parallel.iter().cloned());
                if !free.is_subset(&tied) {
                    match orders.meeting(&a.place, &b.place, &varying) {
                        Meeting::Never => continue,
                        Meeting::Where(more) => tied.extend(more),
                    }
                }
                free.retain(|var| tied.contains(var));
                if free.is_empty() {
                    return free;
                }
            }
        }
        free
    }

    /// The loops of a perfect nest that are distributed, outermost first.
    pub fn dealt(&self, each: &Loop) -> Vec<Dealt> {
        let chain = nest(each);
        let free = self.free(each);
        if free.is_empty() {
            return Vec::new();
        }
        let mut varying = BTreeSet::new();
        variables(each, &mut varying);
        // Which thread has an iteration must not depend on loops that each thread executes.
        let fixed = |each: &&&Loop| {
            free.contains(&each.var)
                && !varying
                    .iter()
                    .any(|var| !free.contains(var) && each.lower.mentions(var))
        };
        let mut loops: Vec<&Loop> = chain.iter().filter(fixed).copied().collect();
        let many = |each: &&Loop| {
            let known = each.iterations();
            known.is_none_or(|all| all > FEW_ITERATIONS)
        };
        if loops.iter().any(many) {
            loops.retain(many);
        }
        match loops[..] {
            [] => Vec::new(),
            [one] => vec![dealt(one, Axis::All)],
            [.., outer, inner] => vec![dealt(outer, Axis::Y), dealt(inner, Axis::X)],
        }
    }

    /// Whether two buffers may be the same memory.
    fn same_memory(&self, a: BufferId, b: BufferId) -> bool {
        same_memory(self.buffers, a, b)
    }

    /// Work with its variables. Small buffers that live inside are each thread's own; a single
    /// thread's larger ones are in local memory.
    fn piece(&mut self, dealt: Vec<Dealt>, body: Vec<Node>) -> Piece {
        let mut shared = Vec::new();
        let body = self.private(body, dealt.is_empty(), &mut shared);
        self.share(&shared);
        let touched = self.touched(&body, &mut Vec::new());
        let own: Vec<&str> = dealt.iter().map(|dealt| dealt.var.as_str()).collect();
        let body = with_exits_listed(self.scop, body, &own, &self.exits);
        Piece {
            dealt,
            body,
            touched,
        }
    }

    /// Scopes as variables of blocks, or their arrays as `shared` ones.
    fn private(&self, nodes: Vec<Node>, alone: bool, shared: &mut Vec<BufferId>) -> Vec<Node> {
        let mut all = Vec::new();
        for node in nodes {
            match node {
                Node::Scope { scope, body } => {
                    let body = self.private(body, alone, shared);
                    let mut variables = Vec::new();
                    for buffer in living(self.buffers, scope, &body) {
                        if alone && !buffer.extents.is_empty() {
                            shared.push(buffer.buffer)
                        } else {
                            variables.push(buffer.buffer)
                        }
                    }
                    if variables.is_empty() {
                        all.extend(body)
                    } else {
                        all.push(Node::Block { variables, body })
                    }
                }
                node => {
                    // `map_children` takes a function that changes nothing outside.
                    let found = RefCell::new(Vec::new());
                    let node = node.map_children(&|inner| {
                        let mut more = Vec::new();
                        let inner = self.private(inner, alone, &mut more);
                        found.borrow_mut().extend(more);
                        inner
                    });
                    shared.extend(found.into_inner());
                    all.push(sequential(node));
                }
            }
        }
        all
    }

    /// Accesses to memory that outlives the nodes, each once.
    pub(crate) fn touched(&self, nodes: &[Node], own: &mut Vec<BufferId>) -> Vec<Touched> {
        let mut all: Vec<Touched> = Vec::new();
        let before = own.len();
        for node in nodes {
            for touched in bounds_of(node).into_iter().flat_map(data::read_by) {
                if !own.contains(&touched.place.buffer) && !all.contains(&touched) {
                    all.push(touched);
                }
            }
            let mut add = |instance: &Instance, own: &[BufferId]| {
                let accesses = &self.scop.statements[instance.statement].accesses;
                for (place, access) in instance.accesses.iter().zip(accesses) {
                    let touched = Touched {
                        place: place.clone(),
                        written: access.kind == AccessKind::Write,
                    };
                    if !own.contains(&place.buffer) && !all.contains(&touched) {
                        all.push(touched);
                    }
                }
            };
            match node {
                Node::Statement(instance) => add(instance, own),
                _ => {
                    let inside = match node {
                        Node::Scope { scope, .. } => {
                            let all = self.buffers.iter().filter(|b| b.scope == *scope);
                            all.map(|b| b.buffer).collect()
                        }
                        Node::Block { variables, .. } => variables.clone(),
                        _ => Vec::new(),
                    };
                    own.extend(inside);
                    let children: Vec<Node> = node.children().cloned().collect();
                    for touched in self.touched(&children, own) {
                        if !all.contains(&touched) {
                            all.push(touched);
                        }
                    }
                    own.truncate(before);
                }
            }
        }
        all
    }
}

/// A loop and those directly inside each other in it, outermost first; between them there may be
/// guards that do not depend on data.
pub(crate) fn nest(each: &Loop) -> Vec<&Loop> {
    let mut chain = vec![each];
    let mut inside = &each.body;
    loop {
        match inside.as_slice() {
            [Node::For(inner)] => {
                chain.push(inner);
                inside = &inner.body;
            }
            [
                Node::If {
                    condition,
                    then,
                    otherwise,
                },
            ] if otherwise.is_empty() && !condition.is_data() => inside = then,
            _ => return chain,
        }
    }
}

/// The bounds of a loop, the condition of a guard.
fn bounds_of(node: &Node) -> Vec<&Index> {
    match node {
        Node::For(each) => vec![&each.lower, &each.upper],
        Node::If { condition, .. } | Node::GoesOn { condition, .. } => vec![condition],
        _ => Vec::new(),
    }
}

/// The buffers of a scope that live in it, and not in a block further inside.
pub(crate) fn living<'a>(
    buffers: &'a [LocalBuffer],
    scope: usize,
    body: &[Node],
) -> Vec<&'a LocalBuffer> {
    let own = buffers.iter().filter(|b| b.scope == scope);
    own.filter(|b| body.iter().any(|node| uses(node, b.buffer)) && !declares(body, b.buffer))
        .collect()
}

/// Whether two different buffers are one memory.
pub(crate) fn same_memory(buffers: &[LocalBuffer], a: BufferId, b: BufferId) -> bool {
    let shared = |id| {
        let buffer = buffers.iter().find(|buffer| buffer.buffer == id);
        buffer.and_then(|buffer| buffer.shared)
    };
    a != b && shared(a).is_some() && shared(a) == shared(b)
}

fn dealt(each: &Loop, axis: Axis) -> Dealt {
    Dealt {
        var: each.var.clone(),
        axis,
        lower: each.lower.clone(),
        step: each.step,
    }
}

/// A loop that its thread executes alone.
fn sequential(node: Node) -> Node {
    match node {
        Node::For(each) => Node::For(Loop {
            parallel: false,
            collapse: 1,
            simd: false,
            ..each
        }),
        node => node,
    }
}

fn declares(nodes: &[Node], buffer: BufferId) -> bool {
    nodes.iter().any(|node| {
        matches!(node, Node::Block { variables, .. } if variables.contains(&buffer))
            || node
                .children()
                .any(|child| declares(std::slice::from_ref(child), buffer))
    })
}

/// The variables of a loop and those in it.
fn variables(each: &Loop, all: &mut BTreeSet<String>) {
    all.insert(each.var.clone());
    let mut below = |node: &Node| walk(node, all);
    each.body.iter().for_each(&mut below);
}

fn walk(node: &Node, all: &mut BTreeSet<String>) {
    match node {
        Node::For(each) => variables(each, all),
        _ => node.children().for_each(|child| walk(child, all)),
    }
}
