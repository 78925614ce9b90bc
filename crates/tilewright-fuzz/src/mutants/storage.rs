//! Buffers and statements that are not as the transform made them.

use crate::random::Random;
use tilewright::scop::Scop;
use tilewright::transform::{BufferKind, Transformed};

/// Storage with one change, and what was done.
pub fn mutate(
    scop: &Scop,
    transformed: &Transformed,
    random: &mut Random,
) -> Option<(Transformed, String)> {
    let mut mutant = transformed.clone();
    let done = match random.below(10) {
        0 => another_buffer(scop, &mut mutant, random)?,
        1 => fewer_instances(&mut mutant, random)?,
        2 => permissions(scop, &mut mutant, random)?,
        3 => shared(&mut mutant, random)?,
        _ => local(&mut mutant, random)?,
    };
    Some((mutant, done.to_owned()))
}

/// A local buffer of another size, at another place, folded otherwise, or that lives elsewhere.
fn local(mutant: &mut Transformed, random: &mut Random) -> Option<&'static str> {
    let is_local = |k: &usize| matches!(mutant.buffers[*k].kind, BufferKind::Local { .. });
    let own: Vec<usize> = (0..mutant.buffers.len()).filter(is_local).collect();
    if own.is_empty() {
        return None;
    }
    let scopes = |k: &usize| mutant.buffers[*k].kind.scope();
    let scopes: Vec<usize> = own.iter().filter_map(scopes).collect();
    let at = *random.pick(&own);
    let BufferKind::Local {
        scope,
        origin,
        extents,
        folded,
    } = &mut mutant.buffers[at].kind
    else {
        return None;
    };
    if extents.is_empty() || random.percent(15) {
        let other = if random.percent(50) {
            *random.pick(&scopes)
        } else {
            *scope + 1
        };
        if other == *scope {
            return None;
        }
        *scope = other;
        return Some("a buffer in another scope");
    }
    let dim = random.below(extents.len());
    let number = *random.pick(&[-2, -1, 1, 2]);
    Some(match random.below(4) {
        0 => {
            origin[dim] = origin[dim].add_constant_si(number).ok()?;
            "a buffer's origin shifted"
        }
        1 => {
            folded[dim] = !folded[dim];
            "folding of a buffer turned over"
        }
        2 => {
            let other = if random.percent(50) {
                extents[dim] / 2
            } else {
                extents[dim] * 2
            };
            if other < 1 {
                return None;
            }
            extents[dim] = other;
            "a buffer of half or twice the size"
        }
        _ => {
            extents[dim] += i64::from(number);
            if extents[dim] < 1 {
                return None;
            }
            "a buffer slightly larger or smaller"
        }
    })
}

/// Two buffers in the same memory, or taken apart.
fn shared(mutant: &mut Transformed, random: &mut Random) -> Option<&'static str> {
    let local = |k: &usize| mutant.buffers[*k].kind.scope().map(|scope| (*k, scope));
    let own: Vec<(usize, usize)> = (0..mutant.buffers.len())
        .collect::<Vec<_>>()
        .iter()
        .filter_map(local)
        .collect();
    if own.len() < 2 {
        return None;
    }
    let (a, b) = (*random.pick(&own), *random.pick(&own));
    let taken = mutant
        .shared
        .iter()
        .any(|list| list.contains(&a.0) || list.contains(&b.0));
    if a.0 == b.0 || a.1 != b.1 || taken {
        return None;
    }
    mutant.shared.push(vec![a.0.min(b.0), a.0.max(b.0)]);
    Some("two buffers in the same memory")
}

/// An access goes to another buffer, of its array or, rarely, of another one.
fn another_buffer(
    scop: &Scop,
    mutant: &mut Transformed,
    random: &mut Random,
) -> Option<&'static str> {
    let at = random.below(mutant.statements.len());
    let lifted = &mut mutant.statements[at];
    if lifted.bindings.is_empty() {
        return None;
    }
    let access = random.below(lifted.bindings.len());
    let array = scop.statements[lifted.statement].accesses[access].array;
    let own = lifted.bindings[access];
    let foreign = random.percent(20);
    let others: Vec<usize> = (0..mutant.buffers.len())
        .filter(|k| *k != own && (mutant.buffers[*k].array == array) != foreign)
        .collect();
    if others.is_empty() {
        return None;
    }
    lifted.bindings[access] = *random.pick(&others);
    Some(if foreign {
        "an access to a buffer of another array"
    } else {
        "an access to another buffer of its array"
    })
}

/// Some instances are not executed.
fn fewer_instances(mutant: &mut Transformed, random: &mut Random) -> Option<&'static str> {
    let at = random.below(mutant.statements.len());
    let lifted = &mut mutant.statements[at];
    let space = lifted.space().ok()?;
    let dims = space.dim(isl::DimType::Set).ok()?;
    if dims == 0 {
        return None;
    }
    let names: Vec<String> = (0..dims).map(|k| format!("x{k}")).collect();
    let (dim, number) = (random.below(dims), *random.pick(&[0, 1, 2, 3, 5]));
    let test = *random.pick(&["!=", ">=", "<=", ">"]);
    let text = format!(
        "{{ {}[{}] : {} {test} {number} }}",
        lifted.name,
        names.join(", "),
        names[dim]
    );
    let kept = isl::Set::read_from_str(mutant.schedule.ctx(), &text).ok()?;
    let kept = kept.align_params(&lifted.domain.get_space().ok()?).ok()?;
    let domain = lifted.domain.intersect(&kept).ok()?;
    if domain.is_equal(&lifted.domain).ok()? {
        return None;
    }
    lifted.domain = domain;
    let mut all = isl::UnionSet::empty_ctx(mutant.schedule.ctx()).ok()?;
    for lifted in &mutant.statements {
        all = all.add_set(&lifted.domain).ok()?;
    }
    mutant.schedule = mutant.schedule.intersect_domain(&all).ok()?;
    Some("instances left out")
}

/// Updates that are not atomic, or of which it is only said.
fn permissions(scop: &Scop, mutant: &mut Transformed, random: &mut Random) -> Option<&'static str> {
    if mutant.atomic.is_empty() {
        mutant.atomic.push(random.below(scop.statements.len()));
        return Some("a statement said to be atomic");
    }
    let at = random.below(mutant.atomic.len());
    mutant.atomic.remove(at);
    Some("updates no longer atomic")
}
