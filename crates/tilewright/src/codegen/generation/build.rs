//! Schedule tree to kernel AST, nest by nest: directly where a nest runs over boxes, else through
//! isl's AST generation (Grosser, Verdoolaege & Cohen, TOPLAS 2015).
//!
//! Marks `parallel`, `simd` and `unroll:<factor>` are first given the depth of the loop they stand above: isl drops
//! loops of a single iteration, and then the property must not pass to the next loop inside.

use crate::codegen::CodegenOptions;
use crate::codegen::generation::boxes;
use crate::codegen::generation::convert::{Converter, Marks};
use crate::codegen::generation::narrow::{Facts, narrow, narrow_instances};
use crate::codegen::generation::nests::split;
use crate::codegen::generation::order::Order;
use crate::codegen::generation::place::{Prepared, Site};
use crate::codegen::generation::temporaries::temporaries;
use crate::codegen::kernel::{Index, Kernel, LocalBuffer, Node};
use crate::codegen::names::Names;
use crate::codegen::passes::Pass;
use crate::codegen::passes::dynamic::restore::{check_extents, restore};
use crate::codegen::passes::index_sets;
use crate::codegen::passes::padding::padded;
use crate::codegen::passes::unroll::unroll;
use crate::codegen::passes::{accumulators, idle, magnitudes, rows, trips, variables};
use crate::codegen::terms::index::from_ast;
use crate::mistakes::mistake;
use crate::scop::Scop;
use crate::scop::tree::marks::Mark;
use crate::transform::{BufferKind, Transformed};
use isl::{
    AstBuild, AstNode, Error, ErrorKind, Id, IdList, PwAff, PwMultiAff, Result, Schedule, Set,
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
    check_extents(scop, &temporaries)?;
    let mut prepared = Vec::new();
    for lifted in &transformed.statements {
        prepared.push(Prepared::new(scop, &transformed.buffers, lifted, &origins)?);
    }

    let mut generator = Generator {
        scop,
        transformed,
        prepared: &prepared,
        prefix: &prefix,
        iterators: &iterators,
        options,
        generated: 0,
    };
    let mut body = Vec::new();
    for (schedule, context) in by_group(scop, transformed)? {
        body.extend(generator.group(&with_depths(&schedule)?, &context, &name)?);
    }
    let stand_ins = |buffer: usize| -> Result<Vec<Index>> {
        let array = &scop.arrays[transformed.buffers[buffer].array].name;
        let all = scop.loops.bounds.get(array).map_or(&[][..], Vec::as_slice);
        let index = |bound: &PwAff| from_ast(&build.expr_from_pw_aff(bound)?, &name);
        all.iter().map(index).collect()
    };
    if options.does(Pass::Restore) {
        body = restore(scop, &name, &stand_ins, body)?;
    }
    if options.does(Pass::Idle) {
        body = idle::guard(scop, &name, body)?;
    }
    trips::check(scop, transformed, &body)?;
    magnitudes::check(scop, &body)?;
    let device = options.target.is_device();
    if !device && options.does(Pass::Accumulators) {
        body = accumulators::keep(scop, transformed, body);
    }
    if options.does(Pass::Unroll) {
        body = unroll(body);
    }
    if !device && options.does(Pass::IndexSets) {
        body = index_sets::split(scop, body);
    }
    if options.does(Pass::Collapse) {
        body.iter_mut().for_each(count_collapse);
    }
    let buffers = local_buffers(scop, transformed, &body, &mut names, device);
    let mut kernel = Kernel {
        body,
        buffers,
        temporaries,
    };
    if options.does(Pass::Rows) {
        kernel = rows::side_by_side(kernel);
    }
    // What follows is for the vector units of processors.
    if !device && options.does(Pass::Parity) {
        kernel = crate::codegen::passes::vectors::parity::split(&kernel);
    }
    if !device && options.does(Pass::Pairs) {
        kernel = crate::codegen::passes::vectors::pairs::join(scop, &kernel);
    }
    variables::check(&kernel.body)?;
    Ok(kernel)
}

/// Generates one schedule after another.
struct Generator<'a> {
    scop: &'a Scop,
    transformed: &'a Transformed,
    prepared: &'a [Prepared<'a>],
    prefix: &'a str,
    iterators: &'a IdList,
    options: &'a CodegenOptions,
    /// Instances generated so far.
    generated: usize,
}

impl Generator<'_> {
    /// The code of a group: nest by nest where that is possible, else at once.
    fn group(
        &mut self,
        schedule: &Schedule,
        context: &Set,
        name: &dyn Fn(&str) -> Index,
    ) -> Result<Vec<Node>> {
        let facts = Facts::new(context)?;
        let split = if self.options.does(Pass::Nests) {
            split(schedule, self.iterators, &facts)?
        } else {
            None
        };
        let Some(split) = split else {
            return self.at_once(schedule, &facts, self.iterators, name);
        };
        let build = AstBuild::from_context(&split.facts.context)?;
        let build = build.set_iterators(self.iterators)?;
        let mut values = None;
        let mut leaves = 0;
        let ast = build.node_from_schedule_at_each_domain(&split.loops, &mut |node, _| {
            leaves += 1;
            values = Some(arguments(&node, name)?);
            Ok(node)
        });
        let ast = ast.map_err(no_text)?;
        let (Some(values), 1) = (values, leaves) else {
            return self.at_once(schedule, &facts, self.iterators, name);
        };
        let mut inner = IdList::alloc(context.ctx(), MAX_DEPTH)?;
        for depth in values.len()..MAX_DEPTH {
            inner = inner.add(&self.iterators.get_at(depth)?)?;
        }
        let prefix = self.prefix;
        let inside = |variable: &str| {
            let depth = variable.strip_prefix(prefix);
            let depth = depth.and_then(|depth| depth.parse::<usize>().ok());
            match depth.and_then(|depth| values.get(depth)) {
                Some(value) => value.clone(),
                None => name(variable),
            }
        };
        let facts = facts.and(&split.context)?;
        let prepared = self.prepared;
        let number = |tuple: &str| prepared.iter().position(|p| p.name() == tuple);
        let scop = self.scop;
        let instance = |number: usize, dims: &[Index], site: &Site| {
            prepared[number].instance(scop, dims, site, &inside)
        };
        let mut body = Vec::new();
        for nest in &split.nests {
            if !self.options.does(Pass::Boxes) {
                body.extend(self.at_once(&nest.schedule()?, &facts, &inner, &inside)?);
                continue;
            }
            let (instances, here) =
                narrow_instances(self.scop, self.transformed, &nest.instances, &facts)?;
            let most = self.options.max_instances;
            let boxes = boxes::Nest {
                number: &number,
                instance: &instance,
                context: &here.context,
                prefix: self.prefix,
                depth: values.len(),
                name: &inside,
                room: most - self.generated.min(most),
            };
            if let Some(nodes) = boxes::generate(&boxes, &instances, &nest.tree)? {
                for node in &nodes {
                    node.instances(&mut |_| self.generated += 1);
                }
                body.extend(nodes);
                continue;
            }
            body.extend(self.at_once(&nest.schedule()?, &facts, &inner, &inside)?);
        }
        if self.options.does(Pass::Guards) {
            body = crate::codegen::passes::guards::merge(body);
        }
        let convert = Converter {
            name,
            prefix: self.prefix,
            leaf: &|_| Ok(body.clone()),
        };
        convert.nodes(&ast, &Marks::default())
    }

    /// The code of a schedule, generated at once.
    fn at_once(
        &mut self,
        schedule: &Schedule,
        facts: &Facts,
        iterators: &IdList,
        name: &dyn Fn(&str) -> Index,
    ) -> Result<Vec<Node>> {
        let (schedule, facts) = &if self.options.does(Pass::Narrow) {
            narrow(self.scop, self.transformed, schedule, facts)?
        } else {
            (schedule.clone(), facts.clone())
        };
        let most = self.options.max_instances;
        let build = AstBuild::from_context(&facts.context)?.set_iterators(iterators)?;
        let mut instances = Vec::new();
        let mut order = Order::new(schedule)?;
        let ast = build.node_from_schedule_at_each_domain(schedule, &mut |node, build| {
            if self.generated + instances.len() >= most {
                return Err(Error::new(
                    ErrorKind::Quota,
                    format!("the generated code has more than {most} statements"),
                ));
            }
            let call = node.user_get_expr()?;
            let tuple = call.get_op_arg(0)?.get_id()?.get_name()?;
            let all = &self.transformed.statements;
            let lifted = all.iter().position(|lifted| lifted.name == tuple);
            let lifted =
                lifted.ok_or_else(|| internal(&format!("{tuple} is no lifted statement")))?;
            let dims = arguments(&node, name)?;
            let annotation = Id::alloc(&self.scop.ctx, &format!("{INSTANCE}{}", instances.len()))?;
            let executed = isl::Map::from_union_map(&build.get_schedule()?)?;
            order.add(&tuple, &executed)?;
            let make = || Ok((build.clone(), PwMultiAff::from_map(&executed.reverse()?)?));
            let site = Site::new(&make);
            instances.push(self.prepared[lifted].instance(self.scop, &dims, &site, name)?);
            node.set_annotation(&annotation)
        });
        let ast = ast.map_err(no_text)?;
        self.generated += instances.len();
        let number = |leaf: &AstNode| {
            let annotation = leaf.get_annotation()?;
            let number = annotation.map(|id| id.get_name()).transpose()?;
            let number = number
                .as_deref()
                .and_then(|name| name.strip_prefix(INSTANCE));
            let number = number.and_then(|number| number.parse::<usize>().ok());
            number.ok_or_else(|| internal("an AST leaf without instance"))
        };
        if !order.holds(&ast, &number)? {
            let message = "the text that isl writes for it does not run in the schedule's order";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let convert = Converter {
            name,
            prefix: self.prefix,
            leaf: &|node| {
                let instance = instances.get(number(node)?);
                let instance = instance.ok_or_else(|| internal("an AST leaf without instance"))?;
                Ok(vec![Node::Statement(instance.clone())])
            },
        };
        convert.nodes(&ast, &Marks::default())
    }
}

/// Where isl itself fails at a schedule, there is no text for it: a simpler plan is used.
fn no_text(error: Error) -> Error {
    match (error.kind(), error.file()) {
        (ErrorKind::Unknown | ErrorKind::Internal, Some(_)) => {
            let message = format!("isl makes no loops of its schedule: {error}");
            Error::new(ErrorKind::Unsupported, message)
        }
        _ => error,
    }
}

/// Annotation of a statement's AST node: the number of its instance.
const INSTANCE: &str = "instance";

/// The dimensions of the instance that an AST leaf executes.
fn arguments(leaf: &AstNode, name: &dyn Fn(&str) -> Index) -> Result<Vec<Index>> {
    let call = leaf.user_get_expr()?;
    let arguments = 1..call.get_op_n_arg()?;
    arguments
        .map(|position| from_ast(&call.get_op_arg(position)?, name))
        .collect()
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
        groups.push((schedule, context));
    }
    Ok(groups)
}

pub(crate) fn internal(message: &str) -> Error {
    Error::new(ErrorKind::Internal, message)
}

/// Marks `parallel`, `simd`, `unroll:n`, `rows:n` become `parallel@depth` and so on.
fn with_depths(schedule: &Schedule) -> Result<Schedule> {
    schedule.map_schedule_node_bottom_up(&mut |node| {
        let Some(mark @ (Mark::Parallel | Mark::Simd | Mark::Unroll(_) | Mark::Rows(_))) =
            Mark::of(&node)?
        else {
            return Ok(node);
        };
        let depth = node.get_schedule_depth()?;
        let id = Id::alloc(node.ctx(), &format!("{mark}@{depth}"))?;
        node.delete()?.insert_mark(&id)
    })
}

/// Whether anything at or below the node mentions the variable.
pub(crate) fn mentions(node: &Node, var: &str) -> bool {
    let here = match node {
        Node::For(each) => each.lower.mentions(var) || each.upper.mentions(var),
        Node::If { condition, .. } | Node::GoesOn { condition, .. } => condition.mentions(var),
        Node::Statement(instance) => {
            instance.iterators.iter().any(|index| index.mentions(var))
                || instance
                    .accesses
                    .iter()
                    .flat_map(|place| &place.indices)
                    .any(|index| match index {
                        crate::codegen::kernel::PlaceIndex::Affine(index) => index.mentions(var),
                        crate::codegen::kernel::PlaceIndex::Data { origin, .. } => {
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
                if !(inner.parallel || mistake!(CollapseOfAny))
                    || inner.simd
                    || outer.iter().any(bound)
                {
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
        Node::Statement(_) | Node::GoesOn { .. } => {}
    }
}

/// The local buffers that are used.
fn local_buffers(
    scop: &Scop,
    transformed: &Transformed,
    body: &[Node],
    names: &mut Names,
    device: bool,
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
        let element = scop.arrays[buffer.array].element.clone();
        if let BufferKind::Accumulators { scope, extents } = &buffer.kind {
            buffers.push(LocalBuffer {
                buffer: id,
                name: names.fresh(&buffer.name),
                element,
                extents: extents.to_vec(),
                scope: *scope,
                shared: None,
                in_registers: true,
            });
        } else if let BufferKind::Local {
            scope,
            extents,
            folded,
            ..
        } = &buffer.kind
        {
            let single = extents.iter().all(|&extent| extent == 1);
            let padded = if device {
                // Local memory has banks, not lines, and neighbours in a row are in different ones.
                extents.clone()
            } else {
                padded(extents, folded, element.kind.bytes() as i64)
            };
            buffers.push(LocalBuffer {
                buffer: id,
                name: names.fresh(&buffer.name),
                element,
                extents: if single { Vec::new() } else { padded },
                scope: *scope,
                shared: transformed
                    .shared
                    .iter()
                    .position(|list| list.contains(&id)),
                in_registers: false,
            });
        }
    }
    buffers
}
