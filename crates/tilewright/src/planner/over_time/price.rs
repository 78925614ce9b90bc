//! What a stencil takes with tiles of a shape.

use super::sweep::Sweep;
use super::tiles::phases;
use crate::plan::machine::Machine;
use crate::plan::rates::Rates;
use crate::plan::{Shape, defaults};

/// Nanoseconds, for sizes as in a plan; `None` where the shape does not go with them.
///
/// Of every tile: the operations on its points, the start of its rows, what its inner loops move
/// between caches in every iteration, and what is loaded before and stored behind; of every loop
/// nest over a tile's points at one time, its bounds. Tiles that are not a multiple of the cores
/// make some of these wait.
pub(super) fn price(
    sweep: &Sweep,
    shape: Shape,
    sizes: &[i64],
    machine: &Machine,
    rates: &Rates,
) -> Option<f64> {
    let cores = machine.cores.max(1) as f64;
    let points: f64 = sweep.space.iter().map(|&e| e as f64).product();
    let vectors = defaults::RATED_VECTOR as f64 / machine.vector.max(1) as f64;
    let operations = (sweep.operations + 1.0) * rates.operation * vectors;
    let moved = sweep.bytes.read + 2.0 * sweep.bytes.written;
    let iterations = (sweep.time as f64 / sweep.steps as f64).max(1.0);
    let all = points * (sweep.bytes.alive + sweep.bytes.kept * iterations);
    if shape == Shape::None {
        let row = sweep.space.last().copied().unwrap_or(1) as f64;
        let each = operations + moved * byte(all / cores, machine, rates);
        let rows = points / row * sweep.loops * rates.row;
        let iteration = (points * each + rows) / cores + sweep.loops * rates.region;
        return Some(iterations * iteration);
    }
    let phases = phases(sweep, shape, sizes)?;
    let operations = operations * unaligned(sweep, sizes, machine);
    // Tiles at rims, and those that begin before time or end behind it, are not whole, but load
    // as much.
    let own: f64 = phases.iter().map(|p| p.times * p.tiles * p.own).sum();
    let part = (points * iterations / own).min(1.0);
    let mut time = 0.0;
    for phase in phases {
        let height = (phase.volume / phase.cells.max(1.0)).max(1.0);
        let live = phase.cells * (sweep.bytes.alive + sweep.bytes.kept * height);
        // Rows of a large tile are on more pages than the processor has at hand.
        let near = if live <= defaults::TIME_REACH {
            byte(live, machine, rates)
        } else {
            rates.memory
        };
        let inside = phase.volume * (operations + moved * near);
        let rows = phase.volume / phase.row.max(1.0) * sweep.loops * rates.row;
        // On a line they are the rows.
        let nests = match sweep.space.len() {
            1 => 0.0,
            _ => height * sweep.loops * defaults::TIME_NEST,
        };
        let far = byte(all / cores, machine, rates);
        let mut outside = phase.loaded * (2.0 * sweep.bytes.alive) * far;
        if far >= rates.memory {
            outside += phase.starts * sweep.arrays() * defaults::TIME_START * far;
        }
        let kept = phase.volume * 2.0 * sweep.bytes.kept * defaults::TIME_SCATTERED * far;
        let rounds = (phase.tiles / cores).ceil();
        let tile = part * (inside + rows + nests + kept) + outside;
        time += phase.times * (rounds * tile + rates.region);
    }
    Some(time)
}

/// By how much slower rows are that tiles cannot align as they are too tall for it
/// ([`super::rows`]), where lower ones could.
fn unaligned(sweep: &Sweep, sizes: &[i64], machine: &Machine) -> f64 {
    let lanes = (machine.vector as f64 / sweep.element).max(1.0);
    let row = sweep.space.last().copied().unwrap_or(1) as f64;
    let fits = |height: i64| lanes * (height * defaults::TIME_ALIGN_EXTENT) as f64 <= row;
    let height = sizes.first().copied().unwrap_or(1);
    if fits(defaults::TIME_ALIGN_LEAST) && !fits(height) {
        defaults::TIME_UNALIGNED
    } else {
        1.0
    }
}

/// What a byte costs that is one of so many that are used in turn by one core.
fn byte(bytes: f64, machine: &Machine, rates: &Rates) -> f64 {
    match bytes {
        few if few <= machine.cache_l1 as f64 => 0.0,
        some if some <= machine.cache_l2 as f64 => rates.cache_l2,
        many if many * machine.cores as f64 <= machine.cache_l3 as f64 => rates.cache_l3,
        _ => rates.memory,
    }
}
