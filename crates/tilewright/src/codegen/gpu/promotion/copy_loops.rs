//! Loops over the cells that are copied.
//!
//! Where these are a convex set of few faces, the loops go over exactly them; else over a box, with
//! a guard. What would test more than [`PROMOTED_CONDITIONS`] for a cell is no walk.

use crate::codegen::generation::convert::{Converter, Marks};
use crate::codegen::gpu::grids::levels::Level;
use crate::codegen::gpu::promotion::projection::Shadow;
use crate::codegen::kernel::{Index, Instance, Loop, Node};
use crate::codegen::terms::index::from_ast;
use crate::plan::defaults::{PROMOTED_BOUNDS, PROMOTED_CONDITIONS, PROMOTED_PARTS};
use crate::rewrite::tabulate::nest;
use crate::scop::Scop;
use crate::transform::TransformError;
use isl::{AstBuild, DimType, Error, ErrorKind, Id, IdList, PwAff, Result, Set};

/// Tuple of the cells that are copied.
const CELLS: &str = "cells";

/// A box: where it begins, and its extent, per dimension.
pub(crate) type Bounds = Vec<(Index, i64)>;

/// Loops, with an instance of no accesses whose iterators are the cell; or the conditions that
/// would be tested for each cell, which are too many.
pub(crate) type Walk = std::result::Result<Vec<Node>, usize>;

/// Makes loops at a level.
pub(crate) struct Walker<'a> {
    scop: &'a Scop,
    /// What the names of loop variables start with.
    prefix: &'a str,
    group: usize,
    /// The number of the first variable that is free.
    first: usize,
    build: AstBuild,
}

impl<'a> Walker<'a> {
    pub fn new(scop: &'a Scop, prefix: &'a str, level: &Level) -> Result<Walker<'a>> {
        let number = |var: &String| -> Option<usize> {
            let digits = var.strip_prefix(prefix)?;
            digits.parse().ok()
        };
        let last = level.vars.iter().filter_map(number).max();
        Ok(Walker {
            scop,
            prefix,
            group: level.group,
            first: last.map_or(0, |last| last + 1),
            build: AstBuild::from_context(&level.outer.params()?)?,
        })
    }

    /// Where a box begins.
    pub fn bounds(&self, origin: &[isl::Aff], extents: &[i64]) -> Result<Bounds> {
        let mut all = Vec::new();
        for (aff, &extent) in origin.iter().zip(extents) {
            let begin = PwAff::from_aff(aff)?.project_domain_on_params()?;
            let expr = self.build.expr_from_pw_aff(&begin)?;
            all.push((from_ast(&expr, &|name| self.named(name))?, extent));
        }
        Ok(all)
    }

    /// A parameter or loop variable of isl's.
    fn named(&self, name: &str) -> Index {
        let mut params = self.scop.params.iter();
        match params.position(|param| param.name == name) {
            Some(param) => Index::Param(param),
            None => Index::var(name),
        }
    }

    fn vars(&self, rank: usize) -> Vec<String> {
        let numbers = self.first..self.first + rank;
        numbers.map(|n| format!("{}{n}", self.prefix)).collect()
    }

    /// What stands for a copy.
    fn leaf(&self, cell: Vec<Index>) -> Node {
        Node::Statement(Instance {
            statement: 0,
            group: self.group,
            iterators: cell,
            accesses: Vec::new(),
            certain: Vec::new(),
            decided: Vec::new(),
        })
    }

    /// Loops over some cells, which are in a box.
    pub fn over(&self, cells: &Set, bounds: &Bounds) -> Result<Walk> {
        if cells.is_empty()? {
            return Ok(Ok(Vec::new()));
        }
        if let Some(nodes) = self.exactly(cells)? {
            return Ok(Ok(nodes));
        }
        if cells.n_basic_set()? > PROMOTED_PARTS {
            return Ok(Err(usize::MAX));
        }
        // Loops over each part would be many, and those over a few would not be distributed together.
        let mut condition = self.inside(cells)?;
        let vars = self.vars(bounds.len());
        for (var, index) in vars.iter().zip(&self.cell(bounds)) {
            condition = condition.with(var, index);
        }
        Ok(self.guarded(condition, bounds))
    }

    /// Loops over a convex set without a guard; `None` where it is none, or has many faces.
    pub fn exactly(&self, cells: &Set) -> Result<Option<Vec<Node>>> {
        if cells.n_basic_set()? != 1 {
            return Ok(None);
        }
        let ctx = &self.scop.ctx;
        let vars = self.vars(cells.tuple_dim()?);
        let mut iterators = IdList::alloc(ctx, vars.len())?;
        for var in &vars {
            iterators = iterators.add(&Id::alloc(ctx, var)?)?;
        }
        let build = self.build.set_iterators(&iterators)?;
        let cells = cells.set_tuple_name(CELLS)?;
        let ast = build.node_from_schedule(&nest(&cells, 0).map_err(of_isl)?)?;
        let name = |name: &str| self.named(name);
        let convert = Converter {
            name: &name,
            prefix: self.prefix,
            leaf: &|leaf| {
                let call = leaf.user_get_expr()?;
                let cell: Result<Vec<Index>> = (1..call.get_op_n_arg()?)
                    .map(|position| from_ast(&call.get_op_arg(position)?, &name))
                    .collect();
                Ok(vec![self.leaf(cell?)])
            },
        };
        let nodes = convert.nodes(&ast, &Marks::default())?;
        Ok(nodes.iter().all(has_short_bounds).then_some(nodes))
    }

    /// Loops over those cells of a box that have a shadow.
    pub fn shadowed(&self, shadow: &Shadow, bounds: &Bounds) -> Result<Walk> {
        let cell: Vec<Index> = self.cell(bounds);
        Ok(match shadow.holds(&cell, &|name| self.named(name))? {
            Some(condition) => self.guarded(condition, bounds),
            None => Err(usize::MAX),
        })
    }

    /// Loops over those cells of a convex set that have a shadow.
    pub fn shadowed_in(&self, shadow: &Shadow, cells: &Set) -> Result<Walk> {
        let Some(nodes) = self.exactly(cells)? else {
            return Ok(Err(usize::MAX));
        };
        let mut leaves = Vec::new();
        for node in &nodes {
            node.instances(&mut |leaf| leaves.push(leaf.iterators.clone()));
        }
        let [cell] = &leaves[..] else {
            return Ok(Err(usize::MAX));
        };
        Ok(match shadow.holds(cell, &|name| self.named(name))? {
            Some(condition) => match tests(&condition) {
                conditions if conditions > PROMOTED_CONDITIONS => Err(conditions),
                _ => Ok(guard(nodes, &condition)),
            },
            None => Err(usize::MAX),
        })
    }

    /// A cell of a box: a constant where there is one index only.
    fn cell(&self, bounds: &Bounds) -> Vec<Index> {
        let vars = self.vars(bounds.len());
        let of = |(var, (origin, extent)): (String, &(Index, i64))| match (origin, extent) {
            (Index::Int(_), 1) => origin.clone(),
            _ => Index::var(&var),
        };
        vars.into_iter().zip(bounds).map(of).collect()
    }

    fn guarded(&self, condition: Index, bounds: &Bounds) -> Walk {
        let conditions = tests(&condition);
        if conditions > PROMOTED_CONDITIONS {
            return Err(conditions);
        }
        let cell = self.cell(bounds);
        let mut nodes = guard(vec![self.leaf(cell.clone())], &condition);
        for (index, (origin, extent)) in cell.into_iter().zip(bounds).rev() {
            if let Index::Var(var) = index {
                let bounds = [origin.clone(), origin.plus(&Index::Int(extent - 1))];
                nodes = vec![Node::For(Loop::sequential(var, bounds, 1, nodes))];
            }
        }
        Ok(nodes)
    }

    /// Whether code is reached with values of variables that are in a set, where it is reached
    /// with those of another one. `None` where that has no expression.
    pub fn condition(&self, reached: &Set, set: &Set) -> Result<Option<Index>> {
        let build = AstBuild::from_context(&reached.params()?)?;
        match build.expr_from_set(&set.params()?) {
            Ok(expr) => match from_ast(&expr, &|name| self.named(name)) {
                Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
                condition => condition.map(Some),
            },
            Err(error) => Err(error),
        }
    }

    /// Whether a cell is in a set, as an expression of the loops' variables.
    fn inside(&self, cells: &Set) -> Result<Index> {
        let mut inside = cells.clone();
        for var in self.vars(cells.tuple_dim()?) {
            inside = inside.move_dims(DimType::Param, 0, DimType::Set, 0, 1)?;
            inside = inside.set_dim_id(DimType::Param, 0, &Id::alloc(&self.scop.ctx, &var)?)?;
        }
        let expr = self.build.expr_from_set(&inside.params()?)?;
        from_ast(&expr, &|name| self.named(name))
    }
}

/// How much a condition tests.
pub(crate) fn tests(condition: &Index) -> usize {
    let mut all = 0;
    condition.walk(&mut |part| {
        all += match part {
            Index::Compare(..) => 1,
            Index::Min(operands) | Index::Max(operands) => operands.len() - 1,
            _ => 0,
        }
    });
    all
}

/// Nodes whose statements are executed under a condition.
fn guard(nodes: Vec<Node>, condition: &Index) -> Vec<Node> {
    let each = |node: Node| match node {
        Node::Statement(_) if *condition != Index::Int(1) => Node::If {
            condition: condition.clone(),
            then: vec![node],
            otherwise: Vec::new(),
        },
        node => node.map_children(&|inside| guard(inside, condition)),
    };
    nodes.into_iter().map(each).collect()
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
