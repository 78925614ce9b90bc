//! What a loop holds, and which expressions have one value all through it.

use crate::codegen::kernel::{Index, Instance, Loop, Node};
use crate::scop::{AccessKind, Scop};
use crate::transform::BufferId;

/// Variables that mean nothing in front of a loop, and buffers that it writes.
pub(crate) struct Inside {
    variables: Vec<String>,
    written: Vec<BufferId>,
}

impl Inside {
    /// Of a loop.
    pub fn of(scop: &Scop, each: &Loop) -> Inside {
        let mut inside = Inside {
            variables: vec![each.var.clone()],
            written: Vec::new(),
        };
        for node in &each.body {
            loops(node, &mut |inner| inside.variables.push(inner.var.clone()));
            node.instances(&mut |instance| inside.written.extend(written(scop, instance)));
        }
        inside
    }

    /// Whether an expression mentions a variable of the loop or of one inside it.
    pub fn mentioned(&self, index: &Index) -> bool {
        self.variables.iter().any(|var| index.mentions(var))
    }

    /// Whether an expression has the same value in front of the loop and all through it.
    pub fn leaves(&self, index: &Index) -> bool {
        let mut written = false;
        index.walk(&mut |part| {
            written |= matches!(part, Index::Data(buffer, _) if self.written.contains(buffer));
        });
        !written && !self.mentioned(index)
    }
}

/// The buffers that an instance writes.
fn written<'i>(scop: &'i Scop, instance: &'i Instance) -> impl Iterator<Item = BufferId> + 'i {
    let accesses = &scop.statements[instance.statement].accesses;
    let both = instance.accesses.iter().zip(accesses);
    both.filter(|(_, access)| access.kind == AccessKind::Write)
        .map(|(place, _)| place.buffer)
}

/// Calls `visit` on every loop at or below a node.
pub(crate) fn loops<'n>(node: &'n Node, visit: &mut dyn FnMut(&'n Loop)) {
    if let Node::For(each) = node {
        visit(each);
    }
    node.children().for_each(|child| loops(child, visit));
}
