//! How far dependences go, in iterations of the time loop and along each dimension of space.

use crate::analysis::dependences::dataflow::{Dataflow, Pair};
use crate::analysis::over_time::cone::place::Place;
use crate::analysis::over_time::cone::{NoCone, function};
use crate::scop::{Scop, StatementId};
use isl::{DimType, Map, Set};

/// Distances along space beyond this are taken for unbounded, so that products of slopes and sizes
/// of tiles stay within 64 bits.
const FAR: i64 = 1 << 20;

/// The same for time.
const LONG: i64 = 1 << 10;

/// Dependences between two statements of which each has a distance within these bounds. Statements
/// are numbered as in the list that distances were asked for.
#[derive(Clone, Debug)]
pub(crate) struct Distance {
    pub earlier: usize,
    pub later: usize,
    /// In iterations of the time loop, the least and the most; `None`: whatever comes.
    pub time: (i64, Option<i64>),
    /// The least and the most along each dimension of space.
    pub space: Vec<(i64, i64)>,
}

impl Distance {
    /// Whether the later statement is at the same time and place, and comes later in the text.
    pub fn is_here(&self) -> bool {
        self.earlier < self.later
            && self.time == (0, Some(0))
            && self.space.iter().all(|&along| along == (0, 0))
    }

    /// `S1 depends on S0 at distance (1, -1)`
    pub fn describe(&self, scop: &Scop, statements: &[StatementId]) -> String {
        let distance: Vec<i64> = self.space.iter().map(|&(least, _)| least).collect();
        let ends = (statements[self.earlier], statements[self.later]);
        describe(scop, ends, self.time.0, &distance)
    }
}

fn describe(
    scop: &Scop,
    (earlier, later): (StatementId, StatementId),
    time: i64,
    space: &[i64],
) -> String {
    let numbers: Vec<String> = space.iter().map(|x| format!(", {x}")).collect();
    format!(
        "{} depends on {} at distance ({time}{}) in time and space",
        scop.statements[later].name,
        scop.statements[earlier].name,
        numbers.concat()
    )
}

/// The distances of those dependences among some statements that count.
pub(crate) fn distances(
    scop: &Scop,
    dataflow: &Dataflow,
    statements: &[StatementId],
    places: &[Place],
    counts: impl Fn(&Pair) -> bool,
) -> Result<Vec<Distance>, NoCone> {
    let mut points = Vec::new();
    for place in places {
        let mut point = function(&place.time)?;
        for coordinate in &place.space {
            point = point.flat_range_product(&function(coordinate)?)?;
        }
        points.push(point);
    }
    let number = |id: StatementId| statements.iter().position(|&other| other == id);
    let mut all = Vec::new();
    for pair in dataflow.pairs(scop)?.iter().filter(|pair| counts(pair)) {
        let (Some(earlier), Some(later)) = (number(pair.earlier), number(pair.later)) else {
            continue;
        };
        let map = pair.map.intersect_params(scop.assumed(pair.later))?;
        let map = map
            .apply_domain(&points[earlier])?
            .apply_range(&points[later])?;
        let pair = Between {
            scop,
            ends: (pair.earlier, pair.later),
            numbers: (earlier, later),
        };
        all.extend(pair.distances(&map)?);
    }
    Ok(all)
}

/// Two statements.
struct Between<'s> {
    scop: &'s Scop,
    ends: (StatementId, StatementId),
    numbers: (usize, usize),
}

impl Between<'_> {
    /// The distances of dependences between points `[t, x…]`.
    fn distances(&self, map: &Map) -> Result<Vec<Distance>, NoCone> {
        let apart = map.deltas()?.project_out_all_params()?;
        let back = apart.upper_bound_si(DimType::Set, 0, -1)?;
        if !back.is_empty()? {
            return Err(self.refused(&back, "the statements share no time loop")?);
        }
        let now = apart.fix_si(DimType::Set, 0, 0)?;
        if self.ends.0 == self.ends.1 && !now.is_empty()? {
            return Err(self.refused(&now, "in one sweep over space")?);
        }
        let mut all = Vec::new();
        for part in [now, apart.lower_bound_si(DimType::Set, 0, 1)?] {
            for part in part.basic_sets()? {
                let set = Set::from_basic_set(&part)?;
                if !set.is_empty()? {
                    all.push(self.distance(&set)?);
                }
            }
        }
        Ok(all)
    }

    fn distance(&self, set: &Set) -> Result<Distance, NoCone> {
        let mut space = Vec::new();
        for axis in 1..set.tuple_dim()? {
            let least = set.dim_min_val(axis)?.to_i64();
            let most = set.dim_max_val(axis)?.to_i64();
            match (least, most) {
                (Some(least), Some(most)) if -FAR <= least && most <= FAR => {
                    space.push((least, most));
                }
                _ => return Err(self.refused(set, "and at others without bound")?),
            }
        }
        let first = set.dim_min_val(0usize)?.to_i64().unwrap_or(0);
        let last = set.dim_max_val(0usize)?.to_i64();
        Ok(Distance {
            earlier: self.numbers.0,
            later: self.numbers.1,
            // To be sooner than it is does no harm.
            time: (first.min(LONG), last.filter(|&last| last <= LONG)),
            space,
        })
    }

    /// The refusal of one of these distances.
    fn refused(&self, distances: &Set, why: &str) -> isl::Result<NoCone> {
        let values = distances.sample_point()?.coordinates()?;
        let (time, space) = values.split_first().map_or((0, &[][..]), |(t, x)| (*t, x));
        let what = describe(self.scop, self.ends, time, space);
        Ok(NoCone::Refused(format!("{what}, {why}")))
    }
}
