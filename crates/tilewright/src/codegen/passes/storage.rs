//! Where local buffers live, and which loops may then be vectorised.
//!
//! - A buffer of one element is a variable of the innermost block in which every use of it is, and
//!   before every use a definition: compilers keep it in a register, and the lanes of a vector
//!   loop each have their own.
//! - A small array, and one that is meant for registers, is a variable of its scope's block.
//! - Larger ones are allocated per thread, before the outermost parallel loop around their scope
//!   or, where there is none, before the outermost loop.
//!
//! A `simd` loop whose iterations would share a cell of a local buffer loses its mark.

use crate::codegen::kernel::{Instance, Kernel, LocalBuffer, Loop, Node, PlaceIndex};
use crate::mistakes::mistake;
use crate::plan::defaults::BLOCK_ARRAY_BYTES;
use crate::scop::{AccessId, AccessKind, Action, Expr, Scop};
use crate::transform::BufferId;

/// Bytes of a buffer in allocated memory.
pub fn bytes(buffer: &LocalBuffer) -> i64 {
    let elements = buffer
        .extents
        .iter()
        .fold(1i64, |all, &extent| all.saturating_mul(extent));
    elements.saturating_mul(buffer.element.kind.bytes() as i64)
}

/// Replaces scopes by blocks with variables and by allocations.
pub fn place(scop: &Scop, kernel: &Kernel) -> Kernel {
    let pass = Placement {
        scop,
        buffers: &kernel.buffers,
    };
    let mut body = pass.blocks(kernel.body.clone());
    pass.allocate(&mut body, &[]);
    let mut body = flatten_scopes(body);
    let all: Vec<BufferId> = kernel.buffers.iter().map(|b| b.buffer).collect();
    for node in &mut body {
        pass.keep_private(node, &all);
    }
    Kernel {
        body,
        ..kernel.clone()
    }
}

/// Replaces scopes by blocks with all of their buffers, whatever their size: as plain as it gets.
pub(crate) fn place_plainly(scop: &Scop, kernel: &Kernel) -> Kernel {
    fn blocks(nodes: Vec<Node>, buffers: &[LocalBuffer]) -> Vec<Node> {
        let each = |node: Node| match node.map_children(&|inside| blocks(inside, buffers)) {
            Node::Scope { scope, body } => Node::Block {
                variables: buffers
                    .iter()
                    .filter(|buffer| buffer.scope == scope)
                    .map(|buffer| buffer.buffer)
                    .collect(),
                body,
            },
            node => node,
        };
        nodes.into_iter().map(each).collect()
    }
    let pass = Placement {
        scop,
        buffers: &kernel.buffers,
    };
    let mut body = blocks(kernel.body.clone(), &kernel.buffers);
    let all: Vec<BufferId> = kernel.buffers.iter().map(|b| b.buffer).collect();
    for node in &mut body {
        pass.keep_private(node, &all);
    }
    Kernel {
        body,
        ..kernel.clone()
    }
}

/// Declares the variables of scopes in blocks, sunk as far as they go. The scopes stay, for their
/// arrays.
pub(crate) fn sink(scop: &Scop, kernel: &Kernel) -> Kernel {
    let single = |buffer: &&LocalBuffer| buffer.extents.is_empty();
    let singles: Vec<LocalBuffer> = kernel.buffers.iter().filter(single).cloned().collect();
    let pass = Placement {
        scop,
        buffers: &singles,
    };
    let body = pass.blocks(kernel.body.clone());
    Kernel {
        body,
        ..kernel.clone()
    }
}

struct Placement<'a> {
    scop: &'a Scop,
    buffers: &'a [LocalBuffer],
}

fn is_variable(buffer: &LocalBuffer) -> bool {
    buffer.in_registers || bytes(buffer) <= BLOCK_ARRAY_BYTES
}

impl Placement<'_> {
    /// Scopes get blocks with their variables, sunk as far as they go; the scopes stay.
    fn blocks(&self, nodes: Vec<Node>) -> Vec<Node> {
        let each = |node| match node {
            Node::Scope { scope, body } => {
                let mut body = self.blocks(body);
                for buffer in self
                    .buffers
                    .iter()
                    .filter(|b| b.scope == scope && is_variable(b))
                {
                    body = self.declare(body, buffer);
                }
                Node::Scope { scope, body }
            }
            node => node.map_children(&|children| self.blocks(children)),
        };
        nodes.into_iter().map(each).collect()
    }

    /// Declares a variable around `nodes`, or further inside.
    fn declare(&self, nodes: Vec<Node>, buffer: &LocalBuffer) -> Vec<Node> {
        let users = nodes.iter().filter(|node| uses(node, buffer.buffer));
        let users: Vec<&Node> = users.collect();
        let sinks = match users[..] {
            [] => return nodes,
            [only] => match only {
                Node::Statement(_) | Node::GoesOn { .. } => false,
                Node::For(_) | Node::Copies(_) => self.begins_anew(only, buffer.buffer),
                _ => true,
            },
            // The pieces of a loop, say: none reads what another one leaves.
            ref several => several
                .iter()
                .all(|node| self.begins_anew(node, buffer.buffer)),
        };
        if sinks && buffer.extents.is_empty() {
            let sink = |node| {
                if uses(&node, buffer.buffer) {
                    merge(node.map_children(&|children| self.declare(children, buffer)))
                } else {
                    node
                }
            };
            return nodes.into_iter().map(sink).collect();
        }
        vec![Node::Block {
            variables: vec![buffer.buffer],
            body: nodes,
        }]
    }

    /// Whether each list of nodes directly inside has a variable of its own, if it uses it.
    fn begins_anew(&self, node: &Node, buffer: BufferId) -> bool {
        let own = |nodes: &[Node]| {
            let used = nodes.iter().any(|node| uses(node, buffer));
            !used || self.defines_first(nodes, buffer)
        };
        match node {
            Node::Statement(_) | Node::GoesOn { .. } => false,
            Node::For(each) => own(&each.body),
            Node::If {
                then, otherwise, ..
            } => own(then) && own(otherwise),
            Node::Copies(copies) => copies.iter().all(|copy| own(copy)),
            Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
                own(body)
            }
        }
    }

    /// Whether whatever is executed of `nodes` writes the one cell of the buffer before reading it.
    fn defines_first(&self, nodes: &[Node], buffer: BufferId) -> bool {
        match nodes.iter().find(|node| uses(node, buffer)) {
            Some(Node::Statement(instance)) => self.instance_defines_first(instance, buffer),
            Some(
                Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. },
            ) => self.defines_first(body, buffer),
            _ => false,
        }
    }

    fn instance_defines_first(&self, instance: &Instance, buffer: BufferId) -> bool {
        let statement = &self.scop.statements[instance.statement];
        let is_buffer = |access: AccessId| instance.accesses[access].buffer == buffer;
        let reads = |expr: &Expr| {
            let mut found = false;
            expr.walk(&mut |expr| found |= matches!(expr, Expr::Access(a) if is_buffer(*a)));
            found
        };
        for action in &*instance.actions(self.scop) {
            match action {
                Action::Assign { target, value } => {
                    if reads(value) || statement.accesses[*target].subscripts.iter().any(reads) {
                        return false;
                    }
                    if is_buffer(*target) {
                        return true;
                    }
                }
                Action::Local { value, .. } => {
                    if value.as_ref().is_some_and(reads) {
                        return false;
                    }
                }
                Action::SetLocal { value, .. } => {
                    if reads(value) {
                        return false;
                    }
                }
                Action::If { .. } | Action::Repeat { .. } | Action::Leave | Action::Call(_) => {
                    return false;
                }
            }
        }
        false
    }

    /// Wraps loops and scopes around which memory is allocated.
    fn allocate(&self, nodes: &mut [Node], done: &[BufferId]) {
        for node in nodes.iter_mut() {
            let mut wanted = Vec::new();
            self.wanted(node, false, &mut wanted);
            wanted.retain(|buffer| !done.contains(buffer));
            wanted.sort_unstable();
            wanted.dedup();
            let mut inside = done.to_vec();
            inside.extend(&wanted);
            match node {
                Node::For(each) => self.allocate(&mut each.body, &inside),
                Node::If {
                    then, otherwise, ..
                } => {
                    self.allocate(then, &inside);
                    self.allocate(otherwise, &inside);
                }
                Node::Scope { body, .. }
                | Node::Block { body, .. }
                | Node::Allocate { body, .. } => self.allocate(body, &inside),
                Node::Copies(copies) => {
                    copies
                        .iter_mut()
                        .for_each(|copy| self.allocate(copy, &inside));
                }
                Node::Statement(_) | Node::GoesOn { .. } => {}
            }
            if !wanted.is_empty() {
                let body = vec![std::mem::replace(
                    node,
                    Node::Scope {
                        scope: 0,
                        body: Vec::new(),
                    },
                )];
                *node = Node::Allocate {
                    buffers: wanted,
                    body,
                };
            }
        }
    }

    /// The allocated buffers of scopes at or below a loop or scope that are to be allocated
    /// around it: those with no parallel loop further inside around their scope.
    fn wanted(&self, node: &Node, in_loop: bool, wanted: &mut Vec<BufferId>) {
        match node {
            Node::For(each) if each.parallel && in_loop && !mistake!(StorageOfAllThreads) => {}
            Node::For(each) if each.parallel => self.all_below(node, wanted),
            Node::For(_) => node
                .children()
                .for_each(|child| self.wanted(child, true, wanted)),
            Node::Scope { scope, body } => {
                let own = self
                    .buffers
                    .iter()
                    .filter(|b| b.scope == *scope && !is_variable(b));
                wanted.extend(own.map(|b| b.buffer));
                if in_loop {
                    body.iter()
                        .for_each(|child| self.wanted(child, true, wanted));
                }
            }
            // What is not a loop or scope itself is nothing to allocate around.
            _ if in_loop => node
                .children()
                .for_each(|child| self.wanted(child, true, wanted)),
            _ => {}
        }
    }

    fn all_below(&self, node: &Node, wanted: &mut Vec<BufferId>) {
        if let Node::Scope { scope, .. } = node {
            let own = self
                .buffers
                .iter()
                .filter(|b| b.scope == *scope && !is_variable(b));
            wanted.extend(own.map(|b| b.buffer));
        }
        node.children()
            .for_each(|child| self.all_below(child, wanted));
    }

    /// Takes the mark from `simd` loops whose iterations share a cell of one of the `outside`
    /// buffers: those that are not declared inside the loop.
    fn keep_private(&self, node: &mut Node, outside: &[BufferId]) {
        match node {
            Node::For(each) => {
                if each.simd {
                    each.simd = !self.shares(each, outside);
                }
                each.body
                    .iter_mut()
                    .for_each(|child| self.keep_private(child, outside));
            }
            Node::If {
                then, otherwise, ..
            } => {
                then.iter_mut()
                    .chain(otherwise)
                    .for_each(|c| self.keep_private(c, outside));
            }
            Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
                body.iter_mut()
                    .for_each(|child| self.keep_private(child, outside));
            }
            Node::Copies(copies) => copies
                .iter_mut()
                .flatten()
                .for_each(|child| self.keep_private(child, outside)),
            Node::Statement(_) | Node::GoesOn { .. } => {}
        }
    }

    fn shares(&self, each: &Loop, outside: &[BufferId]) -> bool {
        let mut outside = outside.to_vec();
        each.body
            .iter()
            .for_each(|node| remove_declared(node, &mut outside));
        let mut shares = false;
        let mut check = |instance: &Instance| {
            let accesses = &self.scop.statements[instance.statement].accesses;
            for (place, access) in instance.accesses.iter().zip(accesses) {
                let written = access.kind == AccessKind::Write;
                if !written || !outside.contains(&place.buffer) {
                    continue;
                }
                let moves = place.indices.iter().any(|index| {
                    matches!(index, PlaceIndex::Affine(index)
                        if index.coefficient(&each.var).is_some_and(|c| c != 0))
                });
                shares |= !moves;
            }
        };
        each.body.iter().for_each(|node| node.instances(&mut check));
        shares
    }
}

fn remove_declared(node: &Node, outside: &mut Vec<BufferId>) {
    if let Node::Block { variables, .. } = node {
        outside.retain(|buffer| !variables.contains(buffer));
    }
    node.children()
        .for_each(|child| remove_declared(child, outside));
}

/// Whether an access at or below goes to the buffer.
pub(crate) fn uses(node: &Node, buffer: BufferId) -> bool {
    let mut found = false;
    node.instances(&mut |instance| {
        found |= instance.accesses.iter().any(|place| place.buffer == buffer);
    });
    found
}

/// A block that holds nothing but a block, as one.
fn merge(node: Node) -> Node {
    match node {
        Node::Block {
            mut variables,
            body,
        } => match <[Node; 1]>::try_from(body) {
            Ok(
                [
                    Node::Block {
                        variables: more,
                        body,
                    },
                ],
            ) => {
                variables.extend(more);
                Node::Block { variables, body }
            }
            Ok(body) => Node::Block {
                variables,
                body: body.into(),
            },
            Err(body) => Node::Block { variables, body },
        },
        node => node,
    }
}

fn flatten_scopes(nodes: Vec<Node>) -> Vec<Node> {
    let mut flat = Vec::new();
    for node in nodes {
        match node.map_children(&flatten_scopes) {
            Node::Scope { body, .. } => flat.extend(body),
            node => flat.push(node),
        }
    }
    flat
}
