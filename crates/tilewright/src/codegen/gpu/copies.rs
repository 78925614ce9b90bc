//! Copies between an array in the device's memory and a buffer in local memory, and accesses to
//! the buffer in place of the array.
//!
//! A copy is a statement that the program does not have: one read and one write of the same array,
//! bound to the array on one side and to the buffer on the other. Its loops go over exactly the
//! cells that are copied where these are a convex set of few faces, else over the buffer's box,
//! with a guard: no other cell is touched.

use super::promote::{Footprint, Promoted};
use crate::codegen::convert::{Converter, Marks};
use crate::codegen::index::from_ast;
use crate::codegen::kernel::{Index, Instance, Kernel, LocalBuffer, Loop, Node, Place, PlaceIndex};
use crate::codegen::names::Names;
use crate::plan::defaults::{PROMOTED_BOUNDS, PROMOTED_CONDITIONS, PROMOTED_PARTS};
use crate::scop::{Access, AccessKind, Action, ArrayId, Expr, Scop, Statement, StatementId};
use crate::transform::tabulate::nest;
use crate::transform::{Buffer, BufferId, BufferKind, TransformError, Transformed};
use isl::{AstBuild, DimType, Error, ErrorKind, Id, IdList, Map, PwAff, Result, Set};

/// Tuple of the cells that are copied.
const CELLS: &str = "cells";

/// The program as buffers and copies are added to it.
pub(super) struct Copier {
    scop: Scop,
    transformed: Transformed,
    buffers: Vec<LocalBuffer>,
    names: Names,
    /// What the names of loop variables start with.
    prefix: String,
    next_scope: usize,
    /// Statements that copy, one for each array.
    statements: Vec<(ArrayId, StatementId)>,
}

/// Where the copies are.
pub(super) struct Spot<'a> {
    /// Values of the variables of the loops around.
    pub outer: &'a Set,
    /// These variables.
    pub vars: &'a [String],
    /// The group of the plan.
    pub group: usize,
}

impl Copier {
    pub fn new(
        scop: &Scop,
        transformed: &Transformed,
        kernel: &Kernel,
        names: Names,
        prefix: String,
    ) -> Copier {
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
            prefix,
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

    /// Some nodes with an array in a buffer: copies in front of and behind them. `None`, with
    /// nothing changed, where the loops of the copies would be many.
    ///
    /// # Errors
    /// isl's own.
    pub fn with_copies(
        &mut self,
        buffer: BufferId,
        footprint: &Footprint,
        spot: &Spot<'_>,
        nodes: &[Node],
    ) -> Result<Option<Vec<Node>>> {
        let array = self.transformed.buffers[buffer].array;
        let build = AstBuild::from_context(&spot.outer.params()?)?;
        let mut origin = Vec::new();
        for aff in &footprint.origin {
            let begin = PwAff::from_aff(aff)?.project_domain_on_params()?;
            let expr = build.expr_from_pw_aff(&begin)?;
            origin.push(from_ast(&expr, &|name| self.named(name))?);
        }
        let statement = self.statement(array)?;
        let local = self.transformed.buffers.len();
        let copy = |kind: AccessKind, cell: &[Index]| {
            let affine = |all: Vec<Index>| all.into_iter().map(PlaceIndex::Affine).collect();
            let inside = cell.iter().zip(&origin).map(|(x, o)| x.minus(o)).collect();
            let place = |buffer, indices| Place {
                buffer,
                indices: affine(indices),
            };
            let (outside, inside) = (place(buffer, cell.to_vec()), place(local, inside));
            Node::Statement(Instance {
                statement,
                group: spot.group,
                iterators: cell.to_vec(),
                accesses: match kind {
                    AccessKind::Read => vec![outside, inside],
                    AccessKind::Write => vec![inside, outside],
                },
                certain: Vec::new(),
                decided: Vec::new(),
            })
        };
        let bounds = origin
            .iter()
            .cloned()
            .zip(footprint.extents.iter().copied());
        let bounds: Vec<(Index, i64)> = bounds.collect();
        let into = |cell: &[Index]| copy(AccessKind::Read, cell);
        let back = |cell: &[Index]| copy(AccessKind::Write, cell);
        let (Some(copied_in), Some(copied_out)) = (
            self.loops(&footprint.live_in, spot, &build, &bounds, &into)?,
            self.loops(&footprint.written, spot, &build, &bounds, &back)?,
        ) else {
            return Ok(None);
        };
        let mut body = copied_in;
        body.extend(rebound(nodes.to_vec(), buffer, local, &origin));
        body.extend(copied_out);
        let scope = self.next_scope;
        self.next_scope += 1;
        let of_program = &self.scop.arrays[array];
        self.buffers.push(LocalBuffer {
            buffer: local,
            name: self.names.fresh(&of_program.name),
            element: of_program.element.clone(),
            extents: footprint.extents.clone(),
            scope,
            shared: None,
        });
        self.transformed.buffers.push(Buffer {
            name: of_program.name.clone(),
            array,
            kind: BufferKind::Local {
                scope,
                origin: footprint.origin.clone(),
                extents: footprint.extents.clone(),
                folded: vec![false; footprint.extents.len()],
            },
        });
        Ok(Some(vec![Node::Scope { scope, body }]))
    }

    /// A parameter or loop variable of isl's.
    fn named(&self, name: &str) -> Index {
        let mut params = self.scop.params.iter();
        match params.position(|param| param.name == name) {
            Some(param) => Index::Param(param),
            None => Index::var(name),
        }
    }

    /// The loops over some cells, which are in the box that begins at `bounds` and has extents;
    /// `None` where the cells have many parts.
    fn loops(
        &self,
        cells: &Set,
        spot: &Spot<'_>,
        build: &AstBuild,
        bounds: &[(Index, i64)],
        copy: &dyn Fn(&[Index]) -> Node,
    ) -> Result<Option<Vec<Node>>> {
        if cells.is_empty()? {
            return Ok(Some(Vec::new()));
        }
        let ctx = &self.scop.ctx;
        let number = |var: &String| -> Option<usize> {
            let digits = var.strip_prefix(&self.prefix)?;
            digits.parse().ok()
        };
        let first = spot.vars.iter().filter_map(number).max();
        let first = first.map_or(0, |last| last + 1);
        let rank = cells.tuple_dim()?;
        let vars = (first..first + rank).map(|depth| format!("{}{depth}", self.prefix));
        let vars: Vec<String> = vars.collect();
        let mut iterators = IdList::alloc(ctx, rank)?;
        for var in &vars {
            iterators = iterators.add(&Id::alloc(ctx, var)?)?;
        }
        let parts = cells.n_basic_set()?;
        if parts > PROMOTED_PARTS {
            return Ok(None);
        }
        if parts == 1 {
            let build = build.set_iterators(&iterators)?;
            let cells = cells.set_tuple_name(CELLS)?;
            let ast = build.node_from_schedule(&nest(&cells, 0).map_err(of_isl)?)?;
            let name = |name: &str| self.named(name);
            let convert = Converter {
                name: &name,
                prefix: &self.prefix,
                leaf: &|leaf| {
                    let call = leaf.user_get_expr()?;
                    let cell: Result<Vec<Index>> = (1..call.get_op_n_arg()?)
                        .map(|position| from_ast(&call.get_op_arg(position)?, &name))
                        .collect();
                    Ok(vec![copy(&cell?)])
                },
            };
            let nodes = convert.nodes(&ast, &Marks::default())?;
            if nodes.iter().all(has_short_bounds) {
                return Ok(Some(nodes));
            }
        }
        // Loops over the box, with a guard: loops over each part would be many, and those over a
        // few would not be dealt out together.
        let cell: Vec<Index> = vars.iter().map(|var| Index::var(var)).collect();
        let condition = self.guard(cells, spot, &vars)?;
        let mut comparisons = 0;
        condition.walk(&mut |part| comparisons += usize::from(matches!(part, Index::Compare(..))));
        if comparisons > PROMOTED_CONDITIONS {
            return Ok(None);
        }
        let mut node = Node::If {
            condition,
            then: vec![copy(&cell)],
            otherwise: Vec::new(),
        };
        for (var, (origin, extent)) in vars.into_iter().zip(bounds).rev() {
            node = Node::For(Loop {
                var,
                lower: origin.clone(),
                upper: origin.plus(&Index::Int(extent - 1)),
                step: 1,
                parallel: false,
                collapse: 1,
                simd: false,
                unroll: 1,
                fixed: None,
                ends_early: false,
                body: vec![node],
            });
        }
        Ok(Some(vec![node]))
    }

    /// Whether a cell is in a set, as an expression of some variables for its indices.
    fn guard(&self, cells: &Set, spot: &Spot<'_>, vars: &[String]) -> Result<Index> {
        let mut inside = cells.clone();
        for var in vars {
            inside = inside.move_dims(DimType::Param, 0, DimType::Set, 0, 1)?;
            inside = inside.set_dim_id(DimType::Param, 0, &Id::alloc(&self.scop.ctx, var)?)?;
        }
        let build = AstBuild::from_context(&spot.outer.params()?)?;
        from_ast(&build.expr_from_set(&inside.params()?)?, &|name| {
            self.named(name)
        })
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
            span: self.scop.span,
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
            span: self.scop.span,
        };
        self.scop.statements.push(statement);
        let id = self.scop.statements.len() - 1;
        self.statements.push((array, id));
        Ok(id)
    }
}

/// Whether no bound at or below is a minimum or maximum of many.
fn has_short_bounds(node: &Node) -> bool {
    let short = |bound: &Index| {
        let mut operands = 1;
        bound.walk(&mut |part| {
            if let Index::Min(all) | Index::Max(all) = part {
                operands = operands.max(all.len());
            }
        });
        operands <= PROMOTED_BOUNDS
    };
    let here = match node {
        Node::For(each) => short(&each.lower) && short(&each.upper),
        _ => true,
    };
    here && node.children().all(has_short_bounds)
}

fn of_isl(error: TransformError) -> Error {
    match error {
        TransformError::Isl(error) => error,
        TransformError::Plan(reason) => Error::new(ErrorKind::Internal, reason),
    }
}

/// One more than the largest scope.
fn scopes(node: &Node, next: &mut Option<usize>) {
    if let Node::Scope { scope, .. } = node {
        *next = (*next).max(Some(scope + 1));
    }
    node.children().for_each(|child| scopes(child, next));
}

/// The nodes with accesses to one buffer going to another one, which begins at an origin.
fn rebound(nodes: Vec<Node>, from: BufferId, to: BufferId, origin: &[Index]) -> Vec<Node> {
    let each = |node: Node| match node {
        Node::Statement(mut instance) => {
            for place in instance.accesses.iter_mut().filter(|p| p.buffer == from) {
                place.buffer = to;
                for (index, begin) in place.indices.iter_mut().zip(origin) {
                    if let PlaceIndex::Affine(index) = index {
                        *index = index.minus(begin);
                    }
                }
            }
            Node::Statement(instance)
        }
        node => node.map_children(&|inside| rebound(inside, from, to, origin)),
    };
    nodes.into_iter().map(each).collect()
}
