//! An iterated stencil in numbers.

use crate::analysis::model::ranges;
use crate::analysis::operations::operations;
use crate::analysis::over_time::cone::{Cone, Slopes};
use crate::scop::linear::lcm;
use crate::scop::{AccessKind, ArrayId, Scop};
use isl::DimType;
use std::collections::BTreeSet;

/// A stencil, for one value of each parameter.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    /// Units of logical time, at least one.
    pub time: i64,
    /// Units of logical time in one iteration of the time loop.
    pub steps: i64,
    /// Points in each dimension of space, at least one.
    pub space: Vec<i64>,
    /// How far dependences go.
    pub slopes: Vec<Slopes>,
    /// Loops over space in one iteration of the time loop.
    pub loops: f64,
    /// Operations on each point in one iteration, in vectors of `element` bytes.
    pub operations: f64,
    /// Bytes of the largest element.
    pub element: f64,
    /// Iterations after which buffers are the same again: 2 for `A[t % 2]`.
    pub period: i64,
    /// Memory for each point.
    pub bytes: Bytes,
}

/// Bytes for each point of space, in one iteration of the time loop.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes {
    /// What is read, every array and buffer of it once.
    pub read: f64,
    /// What is written.
    pub written: f64,
    /// What is alive: all that is read or written.
    pub alive: f64,
    /// Of those, what is new in each iteration: arrays that keep all steps.
    pub kept: f64,
    /// What is read and was not written before.
    pub entering: f64,
    /// Of those, what is in arrays that are written: what one iteration leaves behind for the next.
    pub leaving: f64,
    /// Arrays that are written, the planes of them that are alive: what a tile with storage of its
    /// own keeps.
    pub own: f64,
    /// All reads and writes of different cells.
    pub accessed: f64,
}

/// A part of an array that a sweep goes over: the array, and its subscripts where they do not
/// depend on the place.
type Plane = (ArrayId, Vec<Option<Fixed>>);

/// A subscript that does not depend on the place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixed {
    /// isl's text, with `t` for the time loop's variable.
    text: String,
    /// Whether it goes on with time, and not around a buffer.
    goes_on: bool,
    /// Iterations after which it is the same again, where it goes around a buffer.
    period: i64,
}

impl Sweep {
    /// Arrays that are alive in one iteration, each step of those with several counted by itself.
    pub fn arrays(&self) -> f64 {
        (self.bytes.alive / self.element).max(1.0)
    }

    /// That of a region; `None` where a loop has no bounds.
    pub fn of(scop: &Scop, cone: &Cone, parameters: &[i64]) -> isl::Result<Option<Sweep>> {
        let mut sweep = Sweep {
            time: 1,
            steps: cone.steps,
            space: vec![1; cone.slopes.len()],
            slopes: cone.slopes.clone(),
            loops: 0.0,
            operations: 0.0,
            element: 1.0,
            period: 1,
            bytes: Bytes::default(),
        };
        let mut counted = Vec::new();
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        let mut entering = BTreeSet::new();
        for placed in &cone.statements {
            let statement = &scop.statements[placed.statement];
            let rows = ranges(scop, &statement.domain, parameters)?;
            if rows.iter().any(|row| row.ends.is_empty()) {
                continue;
            }
            let extents: Vec<i64> = rows.iter().map(|row| row.ends.len()).collect();
            let [time, space @ ..] = &extents[..] else {
                continue;
            };
            sweep.time = sweep.time.max(time * cone.steps);
            let whole = space.len() == sweep.space.len();
            for (most, &extent) in sweep.space.iter_mut().zip(space).filter(|_| whole) {
                *most = (*most).max(extent);
            }
            let instances: f64 = space.iter().map(|&e| e as f64).product();
            counted.push((instances, statement));
        }
        if counted.is_empty() {
            return Ok(None);
        }
        let points: f64 = sweep.space.iter().map(|&e| e as f64).product();
        for (instances, statement) in counted {
            let part = instances / points;
            sweep.operations += part * operations(scop, statement);
            // Those that set a row or a corner are no sweep.
            if part < 0.5 {
                continue;
            }
            sweep.loops += 1.0;
            let mut cells = BTreeSet::new();
            let mut writes = Vec::new();
            for access in &statement.accesses {
                let array = &scop.arrays[access.array];
                sweep.element = sweep.element.max(array.element.kind.bytes() as f64);
                let mut subscripts = Vec::new();
                for subscript in &access.affine {
                    subscripts.push(match subscript {
                        Some(value) => fixed(value, &statement.name)?,
                        None => None,
                    });
                }
                for fixed in subscripts.iter().flatten() {
                    sweep.period = lcm(sweep.period, fixed.period);
                }
                let plane: Plane = (access.array, subscripts);
                let written_to = access.kind == AccessKind::Write;
                let cell = (access.array, access.relation.to_string(), written_to);
                if cells.insert(cell) {
                    sweep.bytes.accessed += part * array.element.kind.bytes() as f64;
                }
                if written_to {
                    writes.push(plane)
                } else {
                    if !written.contains(&plane) {
                        entering.insert(plane.clone());
                    }
                    read.insert(plane);
                }
            }
            written.extend(writes);
        }
        let bytes = |planes: &mut dyn Iterator<Item = &Plane>| -> f64 {
            planes
                .map(|(array, _)| scop.arrays[*array].element.kind.bytes() as f64)
                .sum()
        };
        sweep.bytes.read = bytes(&mut read.iter());
        sweep.bytes.written = bytes(&mut written.iter());
        sweep.bytes.alive = bytes(&mut read.union(&written));
        sweep.bytes.entering = bytes(&mut entering.iter());
        let changed: BTreeSet<ArrayId> = written.iter().map(|(array, _)| *array).collect();
        let own = |(array, _): &&Plane| changed.contains(array);
        sweep.bytes.leaving = bytes(&mut entering.iter().filter(own));
        sweep.bytes.own = bytes(&mut read.union(&written).filter(own));
        // What is written where nothing was before is new.
        let new = |(_, subscripts): &&Plane| subscripts.iter().flatten().any(|one| one.goes_on);
        sweep.bytes.kept = bytes(&mut written.iter().filter(new));
        Ok(Some(sweep))
    }
}

/// A subscript, if it does not depend on the place.
pub(super) fn fixed(value: &isl::PwAff, statement: &str) -> isl::Result<Option<Fixed>> {
    let iterators = value.dim(DimType::In)?;
    let mut text = Vec::new();
    let mut goes_on = false;
    let mut period = 1;
    for (_, piece) in value.pieces()? {
        if iterators > 1 && piece.involves_dims(DimType::In, 1, iterators - 1)? {
            return Ok(None);
        }
        let mut piece = piece.clone();
        if iterators > 0 {
            piece = piece.set_dim_name(DimType::In, 0, "t")?;
            let with_time = piece.involves_dims(DimType::In, 0, 1)?;
            let divisions = piece.dim(DimType::Div)?;
            goes_on |= with_time && divisions == 0;
            for position in 0..divisions {
                let by = piece.get_div(position)?.get_denominator_val()?;
                period = lcm(period, by.to_i64().unwrap_or(1));
            }
        }
        let piece = piece.to_string();
        let piece = piece.split("->").last().unwrap_or_default();
        text.push(piece.replace(statement, ""));
    }
    Ok(Some(Fixed {
        text: text.join(";"),
        goes_on,
        period,
    }))
}
