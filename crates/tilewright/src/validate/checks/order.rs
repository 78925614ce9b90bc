//! Do conflicting instances come in the original's order?
//!
//! For one array: if every pair of instances that touch the same memory cell, one of them
//! writing, comes in the order of the original, and the writer of every value read works on the
//! reader's storage, then every read sees the same write as before, and the last write of each
//! cell is the same. This is sufficient, not necessary; where it fails, the exact comparison
//! decides. For accesses to unknown cells only the order can keep the values, so there it is
//! asked for.
//!
//! Of a sum that may be added up in another order ([`crate::transform::Transformed::reordered`])
//! the order of two updates is not asked for: between any two other accesses to a cell there are
//! the same updates, so that the same numbers are added, and nothing else differs.

use crate::analysis::reductions::{fixed_order, sums};
use crate::scop::ArrayId;
use crate::transform::{BufferId, BufferKind};
use crate::validate::checks::domain::statement_of;
use crate::validate::numbers::questions::Question;
use crate::validate::program::Program;
use crate::validate::storage::{Touch, tile_of};
use crate::validate::witness;
use crate::validate::{Violation, ViolationKind};
use std::borrow::Cow;

/// What the order says.
pub(crate) enum Verdict {
    /// Nothing can differ.
    Preserved,
    /// Only the exact comparison can tell.
    Unknown,
    /// The array has accesses to unknown cells, and their order is not kept.
    Violated(Violation),
}

/// Asks for one array.
pub(crate) fn check(program: &Program, array: ArrayId) -> isl::Result<Verdict> {
    let touches: Vec<&Touch> = program
        .touches
        .iter()
        .filter(|t| t.array == array)
        .collect();
    let problem = problem(program, array, &touches)?;
    if !has_unknown_cells(program, &touches)? {
        return Ok(match problem {
            None => Verdict::Preserved,
            Some(_) => Verdict::Unknown,
        });
    }
    Ok(match problem {
        None => Verdict::Preserved,
        Some(Problem::Order(pair)) => Verdict::Violated(reversed_pair(program, array, &pair)?),
        Some(Problem::Storage) => Verdict::Violated(Violation {
            message: format!(
                "which elements of `{}` are accessed depends on data; it cannot be kept in a \
                 folded buffer, nor in one that its writers and readers do not share, nor be \
                 updated twice",
                program.scop.arrays[array].base
            ),
            parameters: String::new(),
            kind: ViolationKind::Flow,
        }),
    })
}

/// What prevents the conclusion.
enum Problem {
    /// These pairs of lifted instances, where the original's first one does not come first.
    Order(isl::Map),
    /// Cells are shared in other ways than elements are, or values are not where they are read.
    Storage,
}

fn problem(program: &Program, array: ArrayId, touches: &[&Touch]) -> isl::Result<Option<Problem>> {
    let mut buffers: Vec<BufferId> = touches.iter().map(|touch| touch.buffer).collect();
    buffers.sort_unstable();
    buffers.dedup();
    for &buffer in &buffers {
        if let BufferKind::Local { folded, .. } = &program.buffer(buffer).kind {
            let one_to_one = if folded.contains(&true) {
                fold_is_harmless(program, touches, buffer)?
                    || element_is_of_life(program, touches, buffer)?
            } else {
                true
            };
            if !one_to_one || !origin_is_of_life(program, touches, buffer)? {
                return Ok(Some(Problem::Storage));
            }
        }
    }
    // Parts of a sum would be in several places.
    let in_full = buffers.iter().all(|&buffer| program.is_full(buffer));
    if program.transformed.reordered.contains(&array) && !in_full {
        return Ok(Some(Problem::Storage));
    }
    if updated_twice(program, touches)? {
        return Ok(Some(Problem::Storage));
    }
    for &buffer in &buffers {
        if let Some(pair) = reversed(program, array, touches, buffer)? {
            return Ok(Some(Problem::Order(pair)));
        }
    }
    if in_full {
        return Ok(None);
    }
    if sources_present(program, touches)? && results_present(program, array, touches)? {
        return Ok(None);
    }
    Ok(Some(Problem::Storage))
}

/// Whether an access of the array is to cells that depend on data. (A conditional write of a
/// known cell is not, as long as the old value comes from the same buffer.)
fn has_unknown_cells(program: &Program, touches: &[&Touch]) -> isl::Result<bool> {
    for touch in touches {
        let lifted = program.lifted(touch.lifted);
        let access = &program.scop.statements[lifted.statement].accesses[touch.access];
        if !access.exact && !access.relation.is_single_valued()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the tile, and with it the origin of a local buffer, is the same for all accesses in
/// one life of the buffer: then its cells are shared exactly as elements are.
pub(crate) fn origin_is_of_life(
    program: &Program,
    touches: &[&Touch],
    buffer: BufferId,
) -> isl::Result<bool> {
    let BufferKind::Local { origin, .. } = &program.buffer(buffer).kind else {
        return Ok(true);
    };
    let mut constant = true;
    for start in origin {
        constant &= start.is_cst()?;
    }
    if constant {
        return Ok(true);
    }
    let users = users_of(touches, buffer);
    if let Some(model) = &program.model
        && let Some(scope) = model.scope(buffer)
    {
        let lifted: Vec<usize> = users.iter().map(|user| user.lifted).collect();
        if program.seen(Question::Tile, model.tile_is_of_life(&lifted, scope)) {
            return Ok(true);
        }
    }
    let mut tiles = Vec::new();
    for touch in users {
        tiles.extend(tile_of_life(program, touch)?);
    }
    are_one_function(&tiles)
}

/// One access to the buffer of each lifted statement that has some.
fn users_of<'t, 'a>(touches: &[&'t Touch<'a>], buffer: BufferId) -> Vec<&'t Touch<'a>> {
    let mut users: Vec<&Touch> = Vec::new();
    for &touch in touches.iter().filter(|touch| touch.buffer == buffer) {
        if users.iter().all(|user| user.lifted != touch.lifted) {
            users.push(touch);
        }
    }
    users
}

/// Whether the folded dimensions of a local buffer are used like a sliding window: then every read
/// finds what an unfolded buffer would hold.
///
/// Elements that share a cell are at least one extent apart. It is enough that of two such
/// elements the one with the smaller index is written first, and read only before the other is
/// written: then what a cell holds when an element is read is the last that was written to it
/// of the elements up to this one.
fn fold_is_harmless(program: &Program, touches: &[&Touch], buffer: BufferId) -> isl::Result<bool> {
    let BufferKind::Local {
        extents, folded, ..
    } = &program.buffer(buffer).kind
    else {
        return Ok(true);
    };
    let users: Vec<&Touch> = touches
        .iter()
        .copied()
        .filter(|t| t.buffer == buffer)
        .collect();
    for dim in (0..extents.len()).filter(|&dim| folded[dim]) {
        if slides(program, &users, dim)? {
            continue;
        }
        let coordinates = coordinates(&users, extents.len(), dim)?;
        let apart = isl::Map::read_from_str(
            &program.scop.ctx,
            &format!("{{ [x] -> [y] : x <= y - {} }}", extents[dim]),
        )?;
        for first in &coordinates {
            let below = first.free.apply_range(&apart)?;
            for second in coordinates.iter().filter(|second| second.written) {
                let together = program.may_share(first.touch, second.touch)?;
                // The subscripts alone often say it, whatever the domains.
                let above = second.free.reverse()?;
                let anywhere = below.apply_range(&above)?.intersect(&together)?;
                if program.first_not_before(&anywhere)?.is_none() {
                    continue;
                }
                for below in &first.exact {
                    for above in &second.exact {
                        let pairs = below.apply_range(&apart)?.apply_range(&above.reverse()?)?;
                        let pairs = pairs.intersect(&together)?;
                        if program.first_not_before(&pairs)?.is_some() {
                            return Ok(false);
                        }
                    }
                }
            }
        }
    }
    Ok(true)
}

/// Whether [`fold_is_harmless`] in one dimension is seen at once.
fn slides(program: &Program, users: &[&Touch], dim: usize) -> isl::Result<bool> {
    let Some(model) = &program.model else {
        return Ok(false);
    };
    for touch in users {
        for write in users.iter().filter(|touch| !touch.is_read()) {
            if !program.seen(Question::Window, model.slides(touch, write, dim)?) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Where in one dimension accesses of one lifted statement go that are the same but for bounds.
struct Coordinate<'t> {
    /// One of them.
    touch: &'t Touch<'t>,
    /// Whether they write.
    written: bool,
    /// Without bounds.
    free: isl::Map,
    /// Each of them.
    exact: Vec<isl::Map>,
}

fn coordinates<'t>(
    users: &[&'t Touch],
    rank: usize,
    dim: usize,
) -> isl::Result<Vec<Coordinate<'t>>> {
    let mut all: Vec<Coordinate> = Vec::new();
    'users: for &user in users {
        let exact = user
            .elements()?
            .project_out(isl::DimType::Out, dim + 1, rank - dim - 1)?
            .project_out(isl::DimType::Out, 0, dim)?
            .reset_tuple_id(isl::DimType::Out)?;
        let free = unbounded(&exact)?.drop_unused_params()?;
        for other in &mut all {
            if other.touch.lifted == user.lifted
                && other.written != user.is_read()
                && other.free.plain_is_equal(&free)?
            {
                other.exact.push(exact);
                continue 'users;
            }
        }
        all.push(Coordinate {
            touch: user,
            written: !user.is_read(),
            free,
            exact: vec![exact],
        });
    }
    Ok(all)
}

/// Whether only one element of the array is kept in each life of the buffer: then folding makes
/// no difference.
fn element_is_of_life(
    program: &Program,
    touches: &[&Touch],
    buffer: BufferId,
) -> isl::Result<bool> {
    let mut elements = Vec::new();
    for touch in touches.iter().filter(|touch| touch.buffer == buffer) {
        if let Some(scope) = touch.scope()? {
            let statement = program.lifted(touch.lifted).statement;
            let element = scope
                .reverse()?
                .apply_range(&touch.elements()?)?
                .intersect_params(program.scop.assumed(statement))?;
            elements.push(isl::Map::from_basic_map(&element.affine_hull()?)?);
        }
    }
    are_one_function(&elements)
}

/// Whether all maps are parts of one function.
fn are_one_function(maps: &[isl::Map]) -> isl::Result<bool> {
    let mut maps = maps.iter();
    let Some(first) = maps.next() else {
        return Ok(true);
    };
    let mut all = first.clone();
    for map in maps {
        if !map.is_subset(&all)? {
            all = all.union(map)?;
        }
    }
    all.is_single_valued()
}

/// From the lives of a local buffer to the tiles of the instances that touch it in each;
/// over-approximated.
pub(crate) fn tile_of_life(program: &Program, touch: &Touch) -> isl::Result<Option<isl::Map>> {
    let Some(scope) = touch.scope()? else {
        return Ok(None);
    };
    let tile = scope
        .reverse()?
        .apply_range(&tile_of(program.lifted(touch.lifted))?)?;
    Ok(Some(isl::Map::from_basic_map(&tile.affine_hull()?)?))
}

/// Whether an instance that reads and writes a memory cell has another copy working on that cell.
fn updated_twice(program: &Program, touches: &[&Touch]) -> isl::Result<bool> {
    for write in touches.iter().filter(|touch| !touch.is_read()) {
        let writer = program.lifted(write.lifted);
        for read in touches.iter().filter(|touch| touch.is_read()) {
            let reader = program.lifted(read.lifted);
            if reader.statement != writer.statement
                || read.buffer != write.buffer
                || (read.lifted == write.lifted && writer.tile_dims == 0)
            {
                continue;
            }
            let copies = program
                .original(write.lifted)
                .apply_range(&program.original(read.lifted).reverse()?)?;
            let mut shared =
                copies.intersect(&write.cells()?.apply_range(&read.cells()?.reverse()?)?)?;
            if read.lifted == write.lifted {
                shared = shared.subtract(&writer.domain.identity()?)?;
            }
            if program.scop.is_possible(&shared)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The pairs of original instances whose order keeps the values of an array: its dependences; of a
/// sum that may be added up in another order those that are not between two updates, whoever
/// planned. That statements are updates is found out here.
pub(crate) fn kept<'p>(
    program: &Program<'p>,
    array: ArrayId,
) -> isl::Result<Vec<Cow<'p, isl::UnionMap>>> {
    let scop = program.scop;
    if program.transformed.reordered.contains(&array)
        && let Some(sum) = sums(scop).iter().find(|sum| sum.array == array)
    {
        return Ok(vec![Cow::Owned(fixed_order(scop, sum)?)]);
    }
    let dataflow = program.dataflow;
    let mut ordered = vec![Cow::Borrowed(&dataflow.through[array])];
    let edges = dataflow.edges.iter().filter(|edge| edge.array == array);
    ordered.extend(edges.map(|edge| Cow::Borrowed(&edge.sources)));
    Ok(ordered)
}

/// Pairs of lifted instances that touch the same memory cell of a buffer, one of them writing,
/// and come in the other order than in the original: from the original's first one.
fn reversed(
    program: &Program,
    array: ArrayId,
    touches: &[&Touch],
    buffer: BufferId,
) -> isl::Result<Option<isl::Map>> {
    let ordered = kept(program, array)?;

    // Everything that touches the buffer, with its place in the buffer's life.
    let users = users_of(touches, buffer);
    let mut in_order: Vec<(usize, usize)> = Vec::new();
    for pairs in ordered {
        for pairs in pairs.maps()? {
            let first = statement_of(program.scop, &pairs, isl::DimType::In)?;
            let second = statement_of(program.scop, &pairs, isl::DimType::Out)?;
            let mut relations = None;
            for a in users
                .iter()
                .filter(|u| program.lifted(u.lifted).statement == first)
            {
                for b in users
                    .iter()
                    .filter(|u| program.lifted(u.lifted).statement == second)
                {
                    if in_order.contains(&(a.lifted, b.lifted)) {
                        continue;
                    }
                    if let Some(model) = &program.model {
                        let scope = model.scope(buffer);
                        if model.all_before(a.lifted, b.lifted, scope) {
                            program.seen(Question::Order, true);
                            in_order.push((a.lifted, b.lifted));
                            continue;
                        }
                        if relations.is_none() {
                            relations = Some(model.relations(&pairs)?);
                        }
                        let kept = match &relations {
                            Some(Some(pairs)) => {
                                model.in_order(a.lifted, b.lifted, scope, pairs)?
                            }
                            _ => false,
                        };
                        if program.seen(Question::Order, kept) {
                            continue;
                        }
                    }
                    let pairs = pairs.drop_unused_params()?;
                    // Often all instances of one come before all of the other.
                    let together = program.may_share(a, b)?;
                    if program.first_not_before(&together)?.is_none() {
                        in_order.push((a.lifted, b.lifted));
                        continue;
                    }
                    let before = program.original(a.lifted);
                    let after = program.original(b.lifted);
                    // Or what is read says enough, whatever the domains.
                    let free = unbounded(before)?
                        .apply_range(&unbounded(&pairs)?)?
                        .apply_range(&unbounded(after)?.reverse()?)?;
                    let free = together.intersect(&free)?;
                    if program.first_not_before(&free)?.is_none() {
                        continue;
                    }
                    let lifted = before.apply_range(&pairs)?.apply_range(&after.reverse()?)?;
                    let lifted = together.intersect(&lifted)?;
                    if let Some(pair) = program.first_not_before(&lifted)? {
                        return Ok(Some(pair));
                    }
                }
            }
        }
    }
    Ok(None)
}

/// A map that holds this one and has no bounds: each disjunct's equations alone.
pub(crate) fn unbounded(map: &isl::Map) -> isl::Result<isl::Map> {
    let mut all = isl::Map::empty(&map.get_space()?)?;
    for part in map.basic_maps()? {
        all = all.union(&isl::Map::from_basic_map(&part.affine_hull()?)?)?;
    }
    Ok(all)
}

/// Whether every reader shares its storage with a copy of every instance that it reads from, and
/// reads nothing else.
///
/// Asked of elements in one life of a buffer: it is known by now that the origin of a buffer is the
/// same in one life, and so an element's cell is.
pub(crate) fn sources_present(program: &Program, touches: &[&Touch]) -> isl::Result<bool> {
    let (reads, writes): (Vec<&Touch>, Vec<&Touch>) = touches.iter().partition(|t| t.is_read());
    let mut written = Vec::new();
    for read in reads {
        if let Some(model) = &program.model
            && let Some(sources) = program.sources(model, read)?
            && program.seen(
                Question::Sources,
                model.finds_sources(read, &writes, &sources)?,
            )
        {
            continue;
        }
        for &write in &writes[written.len()..] {
            let writers = element_of_life(write)?.reverse()?;
            written.push((write, writers.apply_range(program.original(write.lifted))?));
        }
        let wanted = program.wanted_sources(read)?;
        if !program.is_full(read.buffer) {
            let mut readers = read.exposed()?.domain()?;
            for sources in wanted.iter() {
                readers = readers.subtract(&sources.domain()?)?;
            }
            if program.scop.is_possible(&readers)? {
                return Ok(false);
            }
        }
        let mine = element_of_life(read)?;
        for sources in wanted.iter() {
            let writer = statement_of(program.scop, sources, isl::DimType::Out)?;
            let mut lost = sources.clone();
            for (write, theirs) in &written {
                if write.buffer == read.buffer && program.lifted(write.lifted).statement == writer {
                    lost = lost.subtract(&mine.apply_range(theirs)?)?;
                }
            }
            if program.scop.is_possible(&lost)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// From the instances of an access to the life of the buffer that they work on, where it is a
/// local one, and the elements.
fn element_of_life(touch: &Touch) -> isl::Result<isl::Map> {
    match touch.scope()? {
        Some(life) => life.range_product(&touch.elements()?),
        None => touch.elements(),
    }
}

/// Whether the last writers of live-out elements write them to the full array.
fn results_present(program: &Program, array: ArrayId, touches: &[&Touch]) -> isl::Result<bool> {
    if !program.scop.arrays[array].live_out {
        return Ok(true);
    }
    let mut written = isl::UnionMap::empty_ctx(&program.scop.ctx)?;
    for write in touches
        .iter()
        .filter(|t| !t.is_read() && program.is_full(t.buffer))
    {
        let original = program.original(write.lifted);
        written = written.add_map(&original.reverse()?.apply_range(&write.elements()?)?)?;
    }
    let lost = program.live_out(array)?.subtract(&written)?;
    Ok(!program.scop.is_possible(&lost)?)
}

/// The violation of a pair of [`reversed`].
fn reversed_pair(program: &Program, array: ArrayId, pair: &isl::Map) -> isl::Result<Violation> {
    let scop = program.scop;
    let sample = witness::sample(scop, &pair.wrap()?)?;
    let first = program.lifted_named(&pair.get_tuple_name(isl::DimType::In)?);
    let second = program.lifted_named(&pair.get_tuple_name(isl::DimType::Out)?);
    let (earlier, later) = sample.split(first.domain.tuple_dim()?);
    let flow = program.to_original()?.reverse()?;
    let flow = program
        .dataflow
        .flow(scop)?
        .apply_domain(&flow)?
        .apply_range(&flow)?;
    let is_flow = !flow
        .intersect(&isl::UnionMap::from_map(pair)?)?
        .is_empty()?;
    let name = &scop.arrays[array].base;
    let earlier = witness::lifted(scop, first, earlier);
    let later = witness::lifted(scop, second, later);
    Ok(Violation {
        message: if is_flow {
            format!("{later} would read what {earlier} has not yet written to `{name}`")
        } else {
            format!("{later} would access `{name}` before {earlier}, one of them writing")
        },
        parameters: sample.parameters(scop),
        kind: ViolationKind::Flow,
    })
}
