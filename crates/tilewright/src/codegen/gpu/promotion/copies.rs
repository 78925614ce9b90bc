//! Copies between an array in the device's memory and a buffer in local memory, and accesses to
//! the buffer in place of the array. Where references to the array are in groups
//! ([`crate::codegen::gpu::promotion::references`]), there is a buffer for each.
//!
//! A copy is a statement that the program does not have: one read and one write of the same array,
//! bound to the array on one side and to the buffer on the other. Loops around it are found before
//! ([`crate::codegen::gpu::promotion::transfer`]); a value that is written to both memories is one cell copied, behind the
//! statement that computed it.

use crate::codegen::gpu::promotion::footprint::Footprint;
use crate::codegen::gpu::promotion::last_writes::Store;
use crate::codegen::gpu::promotion::promote::Promoted;
use crate::codegen::gpu::promotion::references::References;
use crate::codegen::gpu::promotion::transfer::{Outwards, Transfer};
use crate::codegen::kernel::{
    Comparison, Index, Instance, Kernel, LocalBuffer, Node, Place, PlaceIndex,
};
use crate::codegen::names::Names;
use crate::scop::{Access, AccessKind, Action, ArrayId, Expr, Scop, Statement, StatementId};
use crate::transform::{Buffer, BufferId, BufferKind, Transformed};
use isl::{Error, ErrorKind, Map, Result};
use std::cell::Cell;

/// The program as buffers and copies are added to it.
pub(crate) struct Copier {
    scop: Scop,
    transformed: Transformed,
    buffers: Vec<LocalBuffer>,
    names: Names,
    next_scope: usize,
    /// Statements that copy, one for each array.
    statements: Vec<(ArrayId, StatementId)>,
}

/// A box of an array's cells that gets a buffer.
pub(crate) struct Boxed<'a> {
    /// Those that go to the buffer. One is in no two boxes; where there are several, none writes.
    pub references: &'a References,
    pub footprint: &'a Footprint,
    pub transfer: &'a Transfer,
}

/// The copies of an array, and what they copy between.
struct Copy<'a> {
    statement: StatementId,
    group: usize,
    array: BufferId,
    /// Boxes with their buffers and where these begin.
    locals: Vec<(BufferId, Vec<Index>, &'a Boxed<'a>)>,
    /// Per statement, what each access does.
    kinds: Vec<Vec<AccessKind>>,
    /// References that were rebound, or left.
    references: Cell<usize>,
    /// How many of them write.
    writes: Cell<usize>,
}

impl Copier {
    pub fn new(scop: &Scop, transformed: &Transformed, kernel: &Kernel, names: Names) -> Copier {
        let mut next_scope = kernel.buffers.iter().map(|b| b.scope + 1).max();
        kernel
            .body
            .iter()
            .for_each(|node| scopes(node, &mut next_scope));
        Copier {
            scop: scop.clone(),
            transformed: transformed.clone(),
            buffers: kernel.buffers.clone(),
            names,
            next_scope: next_scope.unwrap_or(0),
            statements: Vec::new(),
        }
    }

    /// The program with all that was added.
    pub fn finish(self, kernel: &Kernel, body: Vec<Node>) -> Promoted {
        Promoted {
            scop: self.scop,
            transformed: self.transformed,
            kernel: Kernel {
                body,
                buffers: self.buffers,
                temporaries: kernel.temporaries.clone(),
            },
        }
    }

    /// Some nodes with an array in buffers, one for each box: copies in front of them, and behind
    /// them or inside.
    ///
    /// # Errors
    /// isl's own.
    pub fn with_copies(
        &mut self,
        buffer: BufferId,
        boxes: &[Boxed<'_>],
        group: usize,
        nodes: Vec<Node>,
    ) -> Result<Vec<Node>> {
        let array = self.transformed.buffers[buffer].array;
        let statement = self.statement(array)?;
        let kinds = self.scop.statements.iter();
        let kinds = kinds.map(|s| s.accesses.iter().map(|access| access.kind).collect());
        let kinds = kinds.collect();
        let scope = self.next_scope;
        self.next_scope += 1;
        let mut locals = Vec::new();
        for one in boxes {
            let bounds = one.transfer.bounds.iter().cloned();
            let (origin, extents): (Vec<Index>, Vec<i64>) = bounds.unzip();
            let local = self.buffer(array, one.footprint, extents, scope);
            locals.push((local, origin, one));
        }
        let copy = Copy {
            statement,
            group,
            array: buffer,
            locals,
            kinds,
            references: Cell::new(0),
            writes: Cell::new(0),
        };
        let mut body = Vec::new();
        for (local, origin, one) in &copy.locals {
            let loops = one.transfer.inwards.clone();
            body.extend(copy.filled((*local, origin), loops, AccessKind::Read));
        }
        body.extend(copy.rebound(nodes));
        for (local, origin, one) in &copy.locals {
            if let Outwards::Copied(loops) = &one.transfer.outwards {
                body.extend(copy.filled((*local, origin), loops.clone(), AccessKind::Write));
            }
        }
        Ok(vec![Node::Scope { scope, body }])
    }

    /// Adds a buffer.
    fn buffer(
        &mut self,
        array: ArrayId,
        footprint: &Footprint,
        extents: Vec<i64>,
        scope: usize,
    ) -> BufferId {
        let of_program = &self.scop.arrays[array];
        let local = self.transformed.buffers.len();
        self.buffers.push(LocalBuffer {
            buffer: local,
            name: self.names.fresh(&of_program.name),
            element: of_program.element.clone(),
            extents: extents.clone(),
            scope,
            shared: None,
            in_registers: false,
        });
        self.transformed.buffers.push(Buffer {
            name: of_program.name.clone(),
            array,
            kind: BufferKind::Local {
                scope,
                origin: footprint.origin.clone(),
                folded: vec![false; extents.len()],
                extents,
            },
        });
        local
    }

    /// The statement that copies an array's cells.
    fn statement(&mut self, array: ArrayId) -> Result<StatementId> {
        if let Some((_, known)) = self.statements.iter().find(|(of, _)| *of == array) {
            return Ok(*known);
        }
        let all = self.scop.statements.iter().flat_map(|s| &s.accesses);
        let like = all.into_iter().find(|access| access.array == array);
        let like = like.ok_or_else(|| {
            Error::new(ErrorKind::Internal, "a copy of an array that nobody uses")
        })?;
        let relation = Map::empty(&like.relation.get_space()?)?;
        let rank = self.scop.arrays[array].extents.len();
        let access = |kind| Access {
            array,
            kind,
            exact: true,
            relation: relation.clone(),
            subscripts: (0..rank).map(Expr::Iterator).collect(),
            affine: vec![None; rank],
            span: self.scop.place.span,
        };
        let statement = Statement {
            name: format!("copy_{}", self.scop.arrays[array].name),
            domain: relation.domain()?,
            iterators: Vec::new(),
            body: vec![Action::Assign {
                target: 1,
                value: Expr::Access(0),
            }],
            accesses: vec![access(AccessKind::Read), access(AccessKind::Write)],
            span: self.scop.place.span,
        };
        self.scop.statements.push(statement);
        let id = self.scop.statements.len() - 1;
        self.statements.push((array, id));
        Ok(id)
    }
}

/// A buffer in local memory, and where it begins.
type Local<'l> = (BufferId, &'l [Index]);

impl Copy<'_> {
    /// A cell copied: `Read` from the array, `Write` to it.
    fn of(&self, (local, origin): Local<'_>, kind: AccessKind, cell: &[Index]) -> Node {
        let affine = |all: Vec<Index>| all.into_iter().map(PlaceIndex::Affine).collect();
        let place = |buffer, indices| Place {
            buffer,
            indices: affine(indices),
        };
        let inside = cell.iter().zip(origin);
        let inside = inside.map(|(x, o)| x.minus(o)).collect();
        let (outside, inside) = (place(self.array, cell.to_vec()), place(local, inside));
        Node::Statement(Instance {
            statement: self.statement,
            group: self.group,
            iterators: cell.to_vec(),
            accesses: match kind {
                AccessKind::Read => vec![outside, inside],
                AccessKind::Write => vec![inside, outside],
            },
            certain: Vec::new(),
            decided: Vec::new(),
        })
    }

    /// Loops of a walk with the copies in them.
    fn filled(&self, local: Local<'_>, nodes: Vec<Node>, kind: AccessKind) -> Vec<Node> {
        let each = |node: Node| match node {
            Node::Statement(leaf) => self.of(local, kind, &leaf.iterators),
            node => node.map_children(&|inside| self.filled(local, inside, kind)),
        };
        nodes.into_iter().map(each).collect()
    }

    /// The nodes with references to the array going to their buffers; behind those that write, what
    /// they wrote is stored in the array, where results leave a buffer that way.
    fn rebound(&self, nodes: Vec<Node>) -> Vec<Node> {
        let next = |count: &Cell<usize>| count.replace(count.get() + 1);
        let mut all = Vec::new();
        for node in nodes {
            let Node::Statement(mut instance) = node else {
                all.push(node.map_children(&|inside| self.rebound(inside)));
                continue;
            };
            let kinds = self.kinds.get(instance.statement).into_iter().flatten();
            let mut behind = Vec::new();
            for (place, kind) in instance.accesses.iter_mut().zip(kinds) {
                if place.buffer != self.array {
                    continue;
                }
                let number = next(&self.references);
                let mut locals = self.locals.iter();
                let Some((local, origin, one)) = locals.find(|l| l.2.references.has(number)) else {
                    continue;
                };
                let mut cell = Vec::new();
                for index in &place.indices {
                    if let PlaceIndex::Affine(index) = index {
                        cell.push(index.clone());
                    }
                }
                place.buffer = *local;
                for (index, begin) in place.indices.iter_mut().zip(origin) {
                    if let PlaceIndex::Affine(index) = index {
                        *index = index.minus(begin);
                    }
                }
                if let (Outwards::Stored(stores), AccessKind::Write) =
                    (&one.transfer.outwards, kind)
                {
                    let store = stores.get(next(&self.writes)).unwrap_or(&Store::Always);
                    behind.push(self.stored((*local, origin), store, &cell));
                }
            }
            all.push(Node::Statement(instance));
            all.extend(behind);
        }
        all
    }

    /// A value that is in the buffer, in the array too.
    fn stored(&self, local: Local<'_>, store: &Store, cell: &[Index]) -> Node {
        let copy = self.of(local, AccessKind::Write, cell);
        let condition = match store {
            Store::Always => return copy,
            Store::Where(condition) => condition.clone(),
            Store::Unless(condition) => Index::Compare(
                Comparison::Equal,
                Box::new(condition.clone()),
                Box::new(Index::Int(0)),
            ),
        };
        Node::If {
            condition,
            then: vec![copy],
            otherwise: Vec::new(),
        }
    }
}

/// One more than the largest scope.
fn scopes(node: &Node, next: &mut Option<usize>) {
    if let Node::Scope { scope, .. } = node {
        *next = (*next).max(Some(scope + 1));
    }
    node.children().for_each(|child| scopes(child, next));
}
