//! Schedule tree to kernel AST, through isl's AST generation (Grosser, Verdoolaege & Cohen,
//! TOPLAS 2015).
//!
//! Marks `parallel`, `simd` and `unroll:<factor>` are first given the depth of the loop they stand above: isl drops
//! loops of a single iteration, and then the property must not pass to the next loop inside.

use super::CodegenOptions;
use super::index::from_ast;
use super::kernel::{Comparison, Index, Kernel, LocalBuffer, Loop, Node, Temporary};
use super::names::Names;
use super::narrow::{narrow, used_params};
use super::place::Prepared;
use super::unroll::unroll;
use crate::scop::{Origin, Scop};
use crate::transform::{BufferKind, Transformed};
use isl::{
    AstBuild, AstExprOpType, AstExprType, AstNode, AstNodeType, Error, ErrorKind, Id, IdList,
    PwAff, Result, Schedule, ScheduleNodeType, Set,
};

/// Loop depth up to which loop variables are named by us; isl itself names deeper ones.
const MAX_DEPTH: usize = 64;

/// Generates the kernel AST of a transformed region.
///
/// # Errors
/// isl's own, among them that the budget ran out; [`ErrorKind::Quota`] where the code grows beyond
/// [`CodegenOptions::max_instances`]; [`ErrorKind::Unsupported`] for what cannot be expressed (a
/// data-dependent subscript of a folded buffer, a temporary without a bound).
pub fn generate(
    scop: &Scop,
    transformed: &Transformed,
    options: &CodegenOptions,
) -> Result<Kernel> {
    let ctx = &scop.ctx;
    let mut names = Names::new(scop, &options.taken_names);
    let prefix = names.loop_prefix();
    let mut iterators = IdList::alloc(ctx, MAX_DEPTH)?;
    for depth in 0..MAX_DEPTH {
        iterators = iterators.add(&Id::alloc(ctx, &format!("{prefix}{depth}"))?)?;
    }
    ctx.set_ast_build_detect_min_max(1)?;
    // Statements of one iteration stay together also where isl drops the loop: a scope inside it
    // is one block then, and its variables pass from statement to statement.
    ctx.set_ast_build_group_coscheduled(1)?;
    let build = AstBuild::from_context(&scop.context)?.set_iterators(&iterators)?;

    let name = |name: &str| match scop.params.iter().position(|p| p.name == name) {
        Some(param) => Index::Param(param),
        None => Index::var(name),
    };
    let (temporaries, origins) = temporaries(scop, transformed, &mut names, &build, &name)?;
    let mut prepared = Vec::new();
    for lifted in &transformed.statements {
        prepared.push(Prepared::new(scop, &transformed.buffers, lifted, &origins)?);
    }

    let mut instances = Vec::new();
    let mut body = Vec::new();
    for (schedule, context) in by_group(scop, transformed)? {
        let schedule = with_depths(&schedule)?;
        let build = AstBuild::from_context(&context)?.set_iterators(&iterators)?;
        let ast = build.node_from_schedule_at_each_domain(&schedule, &mut |node, build| {
            if instances.len() >= options.max_instances {
                return Err(Error::new(
                    ErrorKind::Quota,
                    format!(
                        "the generated code has more than {} statements",
                        options.max_instances
                    ),
                ));
            }
            let call = node.user_get_expr()?;
            let tuple = call.get_op_arg(0)?.get_id()?.get_name()?;
            let lifted = transformed
                .statements
                .iter()
                .position(|lifted| lifted.name == tuple);
            let lifted =
                lifted.ok_or_else(|| internal(&format!("{tuple} is no lifted statement")))?;
            let mut dims = Vec::new();
            for position in 1..call.get_op_n_arg()? {
                dims.push(from_ast(&call.get_op_arg(position)?, &name)?);
            }
            let annotation = Id::alloc(ctx, &format!("{INSTANCE}{}", instances.len()))?;
            instances.push(prepared[lifted].instance(scop, &dims, build, &name)?);
            node.set_annotation(&annotation)
        })?;
        let mut converter = Converter {
            name: &name,
            prefix: &prefix,
            instances: &instances,
        };
        body.extend(converter.nodes(&ast, &[])?);
    }
    let mut body = unroll(body);
    for node in &mut body {
        count_collapse(node);
    }
    let buffers = local_buffers(scop, transformed, &body, &mut names);
    let split = super::parity::split(&Kernel {
        body,
        buffers,
        temporaries,
    });
    Ok(super::pairs::join(scop, &split))
}

/// The groups one by one, each with what may be assumed of the parameters that concern it.
fn by_group(scop: &Scop, transformed: &Transformed) -> Result<Vec<(Schedule, Set)>> {
    let last = transformed.statements.iter().map(|l| l.group).max();
    let Some(last) = last.filter(|&last| last > 0) else {
        return Ok(vec![(transformed.schedule.clone(), scop.context.clone())]);
    };
    let mut groups = Vec::new();
    for group in 0..=last {
        let mut domain = isl::UnionSet::empty_ctx(&scop.ctx)?;
        let mut context = Set::universe(&scop.context.get_space()?)?;
        for lifted in transformed.statements.iter().filter(|l| l.group == group) {
            domain = domain.union(&isl::UnionSet::from_set(&lifted.domain)?)?;
            context = context.intersect(scop.assumed(lifted.statement))?;
        }
        let schedule = transformed.schedule.intersect_domain(&domain)?;
        let used = used_params(scop, transformed, group)?;
        groups.push(narrow(scop, &schedule, &context, used)?);
    }
    Ok(groups)
}

/// Annotation of a statement's AST node: the number of its instance.
const INSTANCE: &str = "instance";

fn internal(message: &str) -> Error {
    Error::new(ErrorKind::Internal, message)
}

/// Marks `parallel`, `simd`, `unroll:n` become `parallel@depth`, `simd@depth`, `unroll:n@depth`.
fn with_depths(schedule: &Schedule) -> Result<Schedule> {
    schedule.map_schedule_node_bottom_up(&mut |node| {
        if node.get_type()? != ScheduleNodeType::Mark {
            return Ok(node);
        }
        let mark = node.mark_get_id()?.get_name()?;
        if mark != "parallel" && mark != "simd" && !mark.starts_with(UNROLL) {
            return Ok(node);
        }
        let depth = node.get_schedule_depth()?;
        let id = Id::alloc(node.ctx(), &format!("{mark}@{depth}"))?;
        node.delete()?.insert_mark(&id)
    })
}

/// What the mark of a loop that is to be unrolled starts with.
const UNROLL: &str = "unroll:";

/// A loop property that waits for its loop.
#[derive(Clone, Copy)]
struct Pending {
    depth: usize,
    property: Property,
}

#[derive(Clone, Copy, PartialEq)]
enum Property {
    Parallel,
    Simd,
    Unroll(i64),
}

struct Converter<'a> {
    name: &'a dyn Fn(&str) -> Index,
    prefix: &'a str,
    instances: &'a [super::kernel::Instance],
}

impl Converter<'_> {
    fn nodes(&mut self, node: &AstNode, pending: &[Pending]) -> Result<Vec<Node>> {
        match node.get_type()? {
            AstNodeType::Block => {
                let children = node.block_get_children()?;
                let mut all = Vec::new();
                for position in 0..children.size()? {
                    all.extend(self.nodes(&children.get_at(position)?, pending)?);
                }
                Ok(all)
            }
            AstNodeType::If => self.guard(node, pending),
            AstNodeType::For => self.each(node, pending),
            AstNodeType::Mark => self.mark(node, pending),
            AstNodeType::User => {
                let annotation = node.get_annotation()?;
                let number = annotation
                    .map(|id| id.get_name())
                    .transpose()?
                    .and_then(|name| {
                        name.strip_prefix(INSTANCE)
                            .and_then(|n| n.parse::<usize>().ok())
                    });
                let instance = number.and_then(|number| self.instances.get(number));
                let instance = instance.ok_or_else(|| internal("an AST leaf without instance"))?;
                Ok(vec![Node::Statement(instance.clone())])
            }
        }
    }

    fn guard(&mut self, node: &AstNode, pending: &[Pending]) -> Result<Vec<Node>> {
        let condition = from_ast(&node.if_get_cond()?, self.name)?;
        let then = self.nodes(&node.if_get_then_node()?, pending)?;
        let otherwise = match node.if_has_else_node()? {
            true => self.nodes(&node.if_get_else_node()?, pending)?,
            false => Vec::new(),
        };
        Ok(match condition {
            Index::Int(0) => otherwise,
            Index::Int(_) => then,
            condition => vec![Node::If {
                condition,
                then,
                otherwise,
            }],
        })
    }

    fn mark(&mut self, node: &AstNode, pending: &[Pending]) -> Result<Vec<Node>> {
        let mark = node.mark_get_id()?.get_name()?;
        let inner = node.mark_get_node()?;
        if let Some(scope) = mark.strip_prefix("scope:").and_then(|k| k.parse().ok()) {
            let body = self.nodes(&inner, pending)?;
            return Ok(vec![Node::Scope { scope, body }]);
        }
        let mut pending = pending.to_vec();
        if let Some((kind, depth)) = mark.split_once('@') {
            if let Ok(depth) = depth.parse() {
                let factor = kind.strip_prefix(UNROLL).and_then(|f| f.parse().ok());
                let property = match factor {
                    Some(factor) => Property::Unroll(factor),
                    None if kind == "simd" => Property::Simd,
                    None => Property::Parallel,
                };
                pending.push(Pending { depth, property });
            }
        }
        self.nodes(&inner, &pending)
    }

    fn each(&mut self, node: &AstNode, pending: &[Pending]) -> Result<Vec<Node>> {
        let var = node.for_get_iterator()?.get_id()?.get_name()?;
        let depth: Option<usize> = var.strip_prefix(self.prefix).and_then(|d| d.parse().ok());
        let (mine, others): (Vec<_>, Vec<_>) = pending
            .iter()
            .copied()
            .partition(|p| Some(p.depth) == depth);
        let lower = from_ast(&node.for_get_init()?, self.name)?;
        let body = self.nodes(&node.for_get_body()?, &others)?;
        let mut each = Loop {
            var,
            upper: lower.clone(),
            lower,
            step: 1,
            parallel: mine.iter().any(|p| p.property == Property::Parallel),
            collapse: 1,
            simd: mine.iter().any(|p| p.property == Property::Simd),
            unroll: mine.iter().fold(1, |most, p| match p.property {
                Property::Unroll(factor) => factor.max(most),
                _ => most,
            }),
            body,
        };
        if node.for_is_degenerate()? {
            if !each.body.iter().any(|node| mentions(node, &each.var)) {
                return Ok(each.body);
            }
            (each.parallel, each.simd) = (false, false);
            return Ok(vec![Node::For(each)]);
        }
        each.upper = self.upper(&node.for_get_cond()?, &each.var)?;
        each.step = match from_ast(&node.for_get_inc()?, self.name)? {
            Index::Int(step) if step > 0 => step,
            _ => return Err(internal("a loop whose step is not a positive constant")),
        };
        Ok(vec![Node::For(each)])
    }

    /// The inclusive upper bound in a loop's condition.
    fn upper(&self, condition: &isl::AstExpr, var: &str) -> Result<Index> {
        let unsupported = || {
            Error::new(
                ErrorKind::Unsupported,
                format!("isl's loop condition {condition}"),
            )
        };
        if condition.get_type()? != AstExprType::Op {
            return Err(unsupported());
        }
        let kind = condition.get_op_type()?;
        if matches!(kind, AstExprOpType::And | AstExprOpType::AndThen) {
            let first = self.upper(&condition.get_op_arg(0)?, var)?;
            let second = self.upper(&condition.get_op_arg(1)?, var)?;
            return Ok(Index::min_of(vec![first, second]));
        }
        match from_ast(condition, self.name)? {
            Index::Compare(Comparison::LessEqual, left, right) if *left == Index::var(var) => {
                Ok(*right)
            }
            Index::Compare(Comparison::Less, left, right) if *left == Index::var(var) => {
                Ok(right.plus(&Index::Int(-1)))
            }
            _ => Err(unsupported()),
        }
    }
}

/// Whether anything at or below the node mentions the variable.
pub(super) fn mentions(node: &Node, var: &str) -> bool {
    let here = match node {
        Node::For(each) => each.lower.mentions(var) || each.upper.mentions(var),
        Node::If { condition, .. } => condition.mentions(var),
        Node::Statement(instance) => {
            instance.iterators.iter().any(|index| index.mentions(var))
                || instance
                    .accesses
                    .iter()
                    .flat_map(|place| &place.indices)
                    .any(|index| match index {
                        super::kernel::PlaceIndex::Affine(index) => index.mentions(var),
                        super::kernel::PlaceIndex::Data { origin, .. } => {
                            origin.as_ref().is_some_and(|origin| origin.mentions(var))
                        }
                    })
        }
        Node::Scope { .. } | Node::Block { .. } | Node::Allocate { .. } | Node::Copies(_) => false,
    };
    here || node.children().any(|child| mentions(child, var))
}

/// Counts directly nested parallel loops with bounds that do not depend on each other.
fn count_collapse(node: &mut Node) {
    match node {
        Node::For(each) => {
            each.body.iter_mut().for_each(count_collapse);
            if !each.parallel {
                return;
            }
            let mut outer = vec![each.var.clone()];
            let mut inside = &each.body;
            let mut count = 1;
            while let [Node::For(inner)] = inside.as_slice() {
                let bound = |var: &String| inner.lower.mentions(var) || inner.upper.mentions(var);
                if !inner.parallel || inner.simd || outer.iter().any(bound) {
                    break;
                }
                outer.push(inner.var.clone());
                inside = &inner.body;
                count += 1;
            }
            each.collapse = count;
        }
        Node::If {
            then, otherwise, ..
        } => {
            then.iter_mut().chain(otherwise).for_each(count_collapse);
        }
        Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
            body.iter_mut().for_each(count_collapse);
        }
        Node::Copies(copies) => copies.iter_mut().flatten().for_each(count_collapse),
        Node::Statement(_) => {}
    }
}

/// The local buffers that are used.
fn local_buffers(
    scop: &Scop,
    transformed: &Transformed,
    body: &[Node],
    names: &mut Names,
) -> Vec<LocalBuffer> {
    let mut used = vec![false; transformed.buffers.len()];
    for node in body {
        node.instances(&mut |instance| {
            instance
                .accesses
                .iter()
                .for_each(|place| used[place.buffer] = true);
        });
    }
    let mut buffers = Vec::new();
    for (id, buffer) in transformed
        .buffers
        .iter()
        .enumerate()
        .filter(|(id, _)| used[*id])
    {
        if let BufferKind::Local { scope, extents, .. } = &buffer.kind {
            let single = extents.iter().all(|&extent| extent == 1);
            buffers.push(LocalBuffer {
                buffer: id,
                name: names.fresh(&buffer.name),
                element: scop.arrays[buffer.array].element.clone(),
                extents: if single { Vec::new() } else { extents.clone() },
                scope: *scope,
                shared: transformed
                    .shared
                    .iter()
                    .position(|list| list.contains(&id)),
            });
        }
    }
    buffers
}

/// Per buffer what is subtracted from the subscripts, for temporaries kept in full.
type Origins = Vec<Option<Vec<Index>>>;

/// The region's own temporaries that are kept in full, in the box that is accessed.
fn temporaries(
    scop: &Scop,
    transformed: &Transformed,
    names: &mut Names,
    build: &AstBuild,
    name: &dyn Fn(&str) -> Index,
) -> Result<(Vec<Temporary>, Origins)> {
    let mut temporaries = Vec::new();
    let mut origins = vec![None; transformed.buffers.len()];
    for (id, buffer) in transformed.buffers.iter().enumerate() {
        let array = &scop.arrays[buffer.array];
        let full = matches!(buffer.kind, BufferKind::Full);
        if !full || !matches!(array.origin, Origin::Region { .. }) {
            continue;
        }
        let Some(cells) = accessed_cells(scop, transformed, id)? else {
            continue;
        };
        let (mut origin, mut extents) = (Vec::new(), Vec::new());
        for dim in 0..array.extents.len() {
            let bounded = cells.dim_has_lower_bound(isl::DimType::Set, dim)?
                && cells.dim_has_upper_bound(isl::DimType::Set, dim)?;
            if !bounded {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("dimension {dim} of {} has no bound", array.name),
                ));
            }
            let (low, high) = (cells.dim_min(dim)?, cells.dim_max(dim)?);
            let extent = high
                .sub(&low)?
                .add_constant_val(&isl::Val::one(&scop.ctx)?)?;
            let never_empty = is_positive(scop, &extent)?;
            let extent = from_ast(&build.expr_from_pw_aff(&extent)?, name)?;
            extents.push(match never_empty {
                true => extent,
                false => Index::max_of(vec![extent, Index::Int(1)]),
            });
            origin.push(from_ast(&build.expr_from_pw_aff(&low)?, name)?);
        }
        temporaries.push(Temporary {
            buffer: id,
            name: names.fresh(&buffer.name),
            element: array.element.clone(),
            extents,
        });
        origins[id] = Some(origin);
    }
    Ok((temporaries, origins))
}

fn is_positive(scop: &Scop, extent: &PwAff) -> Result<bool> {
    let minus_one = extent.add_constant_val(&isl::Val::negone(&scop.ctx)?)?;
    scop.context.is_subset(&minus_one.nonneg_set()?)
}

/// A convex set with all cells of the buffer that are accessed; `None` where none is.
fn accessed_cells(scop: &Scop, transformed: &Transformed, buffer: usize) -> Result<Option<Set>> {
    let mut cells: Option<Set> = None;
    for lifted in &transformed.statements {
        for (access, _) in lifted
            .bindings
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == buffer)
        {
            let range = lifted
                .access(scop, access)?
                .intersect_params(&scop.context)?
                .range()?;
            cells = Some(match cells {
                Some(before) => before.union(&range)?,
                None => range,
            });
        }
    }
    match cells {
        Some(cells) => Ok(Some(Set::from_basic_set(
            &cells.coalesce()?.simple_hull()?,
        )?)),
        None => Ok(None),
    }
}
