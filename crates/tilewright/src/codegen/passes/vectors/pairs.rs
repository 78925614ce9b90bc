//! Vector loops over the even and over the odd cells of a row become one loop over pairs.
//!
//! A stage that is sampled up has a formula for each parity, and a vector loop for each: every
//! one stores every other element, and loads every other element of what is not sampled.
//! Compilers scatter, or mask, or give up, and the row goes through the cache twice. Together the
//! two fill what they touch, and what is stored interleaves:
//!
//! ```text
//! for x in a..=b { w[2 x] = …; }           for x in max(a, c)..=min(b, d) {
//! for x in c..=d { w[2 x + 1] = …; }           w[2 x] = …; w[2 x + 1] = …;
//!                                          }
//! ```
//!
//! with loops before and behind it for what only one of them has. On the local Laplacian filter
//! the run time of clang 16's code halves, gcc 12's loses a sixth. Where the two stand in loops of
//! their own over the same values (of colours, say), these are joined for them.
//!
//! This changes the order of execution, so only loops are taken whose iterations have nothing to
//! do with each other, which is read off the kernel: all instances store to one buffer, at cells
//! that differ in the last index's remainder, and none loads from it or from one that shares its
//! memory: a row may be stored where the last values of another one are still to be loaded.
//!
//! Nothing is taken for granted of the two ranges. Where one is empty, or they do not meet, the loop
//! over pairs is empty, and all iterations are in one of the loops before and behind it.

use crate::codegen::kernel::{Index, Instance, Kernel, Loop, Node, Place, PlaceIndex};
use crate::codegen::terms::substitute::with;
use crate::mistakes::mistake;
use crate::scop::{AccessKind, Scop};
use crate::transform::BufferId;

/// Joins neighbouring vector loops over the even and the odd cells of a row.
pub fn join(scop: &Scop, kernel: &Kernel) -> Kernel {
    Kernel {
        body: nodes(scop, kernel, &kernel.body),
        ..kernel.clone()
    }
}

fn nodes(scop: &Scop, kernel: &Kernel, list: &[Node]) -> Vec<Node> {
    let mut all = Vec::new();
    let mut rest = list;
    while let [first, behind @ ..] = rest {
        rest = behind;
        let second = match behind {
            [Node::For(second), ..] => Some(second),
            _ => None,
        };
        if let (Node::For(first), Some(second)) = (first, second) {
            if let Some(pairs) = joined(scop, kernel, first, second, &mut Vec::new()) {
                all.extend(pairs);
                rest = &behind[1..];
                continue;
            }
        }
        all.push(
            first
                .clone()
                .map_children(&|inside| nodes(scop, kernel, &inside)),
        );
    }
    all
}

/// The two loops as one over pairs, and what is left of each before and behind it; inside the
/// loops around them, where each has its own over the same values.
///
/// `around` are the variables of the loops outside that are joined for this pair: iterations of
/// these change their order, too, and must store to different cells.
fn joined<'l>(
    scop: &Scop,
    kernel: &Kernel,
    first: &'l Loop,
    second: &Loop,
    around: &mut Vec<&'l str>,
) -> Option<Vec<Node>> {
    if let ([Node::For(inner)], [Node::For(other)]) = (&first.body[..], &second.body[..]) {
        if !is_same_but_for_body(first, second) {
            return None;
        }
        around.push(&first.var);
        let body = joined(scop, kernel, inner, other, around)?;
        return Some(vec![Node::For(Loop {
            body,
            ..first.clone()
        })]);
    }
    let plain = |each: &Loop| each.simd && each.step == 1 && !each.parallel && each.unroll == 1;
    if !plain(first) || !plain(second) {
        return None;
    }
    let renamed = Loop {
        var: first.var.clone(),
        body: second
            .body
            .iter()
            .map(|node| with(node, &second.var, &Index::var(&first.var)))
            .collect(),
        ..second.clone()
    };
    let mut stored = stores(scop, first)?;
    stored.extend(stores(scop, &renamed)?);
    let (buffer, _) = *stored.first()?;
    let mut loaded = Vec::new();
    for node in first.body.iter().chain(&renamed.body) {
        node.instances(&mut |instance| {
            loaded.extend(accesses(scop, instance, AccessKind::Read).map(|place| place.buffer));
        });
    }
    let one_memory = |loaded: &BufferId| kernel.is_one_memory(*loaded, buffer);
    let alone = stored.iter().all(|(other, _)| *other == buffer) && !loaded.iter().any(one_memory);
    let in_row = |(_, indices): &(BufferId, Vec<Index>)| {
        let last = indices.last();
        last.is_some_and(|last| !around.iter().any(|var| last.mentions(var)))
    };
    let alone = (alone || mistake!(PairsOfWhatIsLoaded)) && stored.iter().all(in_row);
    if !alone || !are_apart(&stored, &first.var) {
        return None;
    }

    let part = |of: &Loop, lower: Index, upper: Index| {
        let empty = upper.distance(&lower).is_some_and(|cells| cells < 0);
        (!empty).then(|| {
            Node::For(Loop {
                lower,
                upper,
                simd: false,
                ..of.clone()
            })
        })
    };
    let one = Index::Int(1);
    let lower = Index::max_of(vec![first.lower.clone(), renamed.lower.clone()]);
    let upper = Index::min_of(vec![first.upper.clone(), renamed.upper.clone()]);
    // Where the loops do not overlap, everything is before the pairs.
    let before = |of: &Loop| {
        let last = Index::min_of(vec![of.upper.clone(), lower.plus(&Index::Int(-1))]);
        part(of, of.lower.clone(), last)
    };
    let behind = |of: &Loop| {
        let next = Index::max_of(vec![lower.clone(), upper.plus(&one)]);
        part(of, next, of.upper.clone())
    };
    let mut body = first.body.clone();
    body.extend(renamed.body.iter().cloned());
    let pairs = Loop {
        lower: lower.clone(),
        upper: upper.clone(),
        body,
        ..first.clone()
    };
    let mut all = Vec::new();
    if renamed.lower.distance(&first.lower) != Some(0) {
        all.extend(before(first));
        all.extend(before(&renamed));
    }
    all.push(Node::For(pairs));
    if renamed.upper.distance(&first.upper) != Some(0) {
        all.extend(behind(first));
        all.extend(behind(&renamed));
    }
    Some(all)
}

/// Whether two loops with one loop inside each run over the same values in the same way.
fn is_same_but_for_body(first: &Loop, second: &Loop) -> bool {
    let head = |each: &Loop| Loop {
        body: Vec::new(),
        ..each.clone()
    };
    head(first) == head(second) && !first.simd && first.unroll == 1 && first.dynamic.fixed.is_none()
}

/// The cells that a loop of statements stores to, one per store; `None` where there is more in it
/// or a cell depends on data.
fn stores(scop: &Scop, each: &Loop) -> Option<Vec<(BufferId, Vec<Index>)>> {
    let mut all = Vec::new();
    for node in &each.body {
        let Node::Statement(instance) = node else {
            return None;
        };
        for place in accesses(scop, instance, AccessKind::Write) {
            let indices = place.indices.iter().map(|index| match index {
                PlaceIndex::Affine(index) => Some(index.clone()),
                PlaceIndex::Data { .. } => None,
            });
            all.push((place.buffer, indices.collect::<Option<Vec<Index>>>()?));
        }
    }
    Some(all)
}

fn accesses<'a>(
    scop: &'a Scop,
    instance: &'a Instance,
    kind: AccessKind,
) -> impl Iterator<Item = &'a Place> {
    let known = &scop.statements[instance.statement].accesses;
    let both = known.iter().zip(&instance.accesses);
    both.filter_map(move |(access, place)| (access.kind == kind).then_some(place))
}

/// Whether any two of the stores, at any two iterations, are to different cells: they agree in
/// all indices but the last, and the last ones are multiples of one number with different
/// remainders.
fn are_apart(stored: &[(BufferId, Vec<Index>)], var: &str) -> bool {
    for (position, (_, one)) in stored.iter().enumerate() {
        let Some((last, outer)) = one.split_last() else {
            return false;
        };
        let Some(step) = last.coefficient(var).filter(|step| *step > 1) else {
            return false;
        };
        if outer.iter().any(|index| index.mentions(var)) {
            return false;
        }
        for (_, other) in &stored[..position] {
            let Some((their_last, theirs)) = other.split_last() else {
                return false;
            };
            let same = their_last.coefficient(var) == Some(step) && theirs == outer;
            let distance = last.distance(their_last);
            if !same || distance.is_none_or(|d| d % step == 0) {
                return false;
            }
        }
    }
    true
}
