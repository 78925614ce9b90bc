//! Where values go: one consumer, and the points that its value comes from.

use super::Dependence;
use isl::{DimType, Map};
use std::collections::BTreeSet;

/// No more arrows than this are followed: beyond, a picture shows none of them.
const MOST: usize = 160;

/// A flow of values between two rows: positions of producers to positions of consumers, each as
/// the coordinates that [`arrows`] numbers points by.
pub(super) struct Flow {
    /// `[from] -> [to]`.
    pub map: Map,
    /// The producer's number.
    pub producer: usize,
    /// The consumer's number.
    pub consumer: usize,
}

/// A point: the number of its statement or stage, and its coordinates.
pub(super) type Place = (usize, Vec<i64>);

/// All flows into a point, and with `generations` above 1 those into their sources, and so on.
pub(super) fn arrows(
    flows: &[Flow],
    target: Place,
    generations: usize,
) -> isl::Result<Vec<(Place, Place)>> {
    let mut found = BTreeSet::new();
    let mut reached = BTreeSet::from([target.clone()]);
    let mut pending = vec![target];
    for _ in 0..generations {
        let mut next = Vec::new();
        for to in std::mem::take(&mut pending) {
            for flow in flows.iter().filter(|flow| flow.consumer == to.0) {
                for from in sources(flow, &to.1)? {
                    let from = (flow.producer, from);
                    if from == to {
                        continue;
                    }
                    if reached.insert(from.clone()) {
                        next.push(from.clone());
                    }
                    found.insert((from, to.clone()));
                }
            }
        }
        if next.is_empty() || found.len() > MOST {
            break;
        }
        pending = next;
    }
    Ok(found.into_iter().collect())
}

fn sources(flow: &Flow, to: &[i64]) -> isl::Result<Vec<Vec<i64>>> {
    let mut map = flow.map.clone();
    for (dim, &value) in to.iter().enumerate() {
        let value = isl::Val::int_from_si(map.ctx(), value)?;
        map = map.fix_val(DimType::Out, dim, &value)?;
    }
    let points = map.domain()?.points()?;
    points.iter().map(isl::Point::coordinates).collect()
}

/// The arrow, if both its ends are in the picture.
pub(super) fn dependence(
    from: Option<(usize, i64)>,
    to: Option<(usize, i64)>,
) -> Option<Dependence> {
    let (from, to) = from.zip(to)?;
    Some(Dependence { from, to })
}
