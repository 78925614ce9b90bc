//! Overlapped tiles over time, as tiles of the program that was not yet in bands of time: the steps
//! of all bands, with the numbers of their bands, and no copies.

use super::place::{self, Member, View};
use crate::analysis::over_time::bands::{Bands, Rounds};
use crate::plan::{Overlapped, widths_over_time};
use crate::scop::Scop;
use crate::transform::{Lifted, Transformed};
use isl::{DimType, Map};

/// The same tiles with instances `S[b, k…, t, i…]` of the original's statements: `b` is the number
/// of the band, `k…` the tile in it.
pub(super) fn of_original(
    original: &Scop,
    rounds: &Rounds,
    transformed: &Transformed,
) -> isl::Result<Transformed> {
    let bands = rounds.phases.len();
    let mut statements = Vec::new();
    for (number, phase) in rounds.phases.iter().enumerate() {
        for (&step, placed) in phase.steps.iter().zip(&rounds.bands.cone.statements) {
            let of_step = |lifted: &&Lifted| lifted.statement == step;
            for lifted in transformed.statements.iter().filter(of_step) {
                let name = &original.statements[placed.statement].name;
                let iterators = original.statements[placed.statement].iterators.len();
                let names = |prefix: &str, count: std::ops::Range<usize>| -> String {
                    count.map(|d| format!(", {prefix}{d}")).collect()
                };
                let (tile, point) = (names("k", 1..lifted.tile_dims), names("i", 0..iterators));
                let text = format!(
                    "{{ {}[round{tile}, c{point}] -> {name}[b{tile}{point}] : \
                     b = {bands} round + {number} }}",
                    lifted.name
                );
                let onto = Map::read_from_str(&original.ctx, &text)?;
                statements.push(Lifted {
                    name: name.clone(),
                    statement: placed.statement,
                    domain: lifted.domain.apply(&onto)?,
                    bindings: Vec::new(),
                    ..lifted.clone()
                });
            }
        }
    }
    Ok(Transformed {
        statements,
        ..transformed.clone()
    })
}

/// Bands of time with tiles that overlap, for a picture.
pub(super) struct Drawn {
    pub bands: Bands,
    /// The dimension of space along which steps take turns.
    turns: Option<usize>,
}

impl Drawn {
    pub fn new(rounds: &Rounds, tiles: &Overlapped) -> Drawn {
        let widths = widths_over_time(&tiles.tile_sizes, rounds.bands.cone.slopes.len());
        let along = tiles.interleave.first().map(|along| along.dimension);
        Drawn {
            bands: rounds.bands.clone(),
            turns: along.filter(|&x| widths.get(x).is_some_and(Option::is_some)),
        }
    }

    /// Where index 0 of the loop `x` lies in the iteration `y` of the time loop, and how far
    /// neighbours are apart: at the dates at which steps take turns, counted so that the last step
    /// of a band stays where it is.
    pub fn place(&self, member: &Member, y: i64, x: usize) -> isl::Result<(i64, i64)> {
        const UNMOVED: (i64, i64) = (1, 0);
        let (Some(cone), Some(turns)) = (&self.bands.order, self.turns) else {
            return Ok(UNMOVED);
        };
        let mut placed = cone.statements.iter();
        let Some(placed) = placed.find(|p| p.statement == member.lifted.statement) else {
            return Ok(UNMOVED);
        };
        let along = placed.point.as_pw_multi_aff()?.get_pw_aff(1 + turns)?;
        if !along.involves_dims(DimType::In, x, 1)? {
            return Ok(UNMOVED);
        }
        let mut at = placed.point.clone();
        for iterator in 0..at.dim(DimType::In)? {
            let value = if iterator == 0 { y } else { 0 };
            let value = isl::Val::int_from_si(at.ctx(), value)?;
            at = at.fix_val(DimType::In, iterator, &value)?;
        }
        let at = at.range()?;
        let (time, place) = (place::range(&at, 0)?, place::range(&at, 1 + turns)?);
        let Some(((time, _), (place, _))) = time.zip(place) else {
            return Ok(UNMOVED);
        };
        let iterations = self.bands.iterations;
        let band = (y - self.bands.start).div_euclid(iterations);
        let last = cone.steps * (self.bands.start + (band + 1) * iterations) - 1;
        let slopes = cone.slopes[turns];
        Ok((
            slopes.per,
            slopes.per * place - slopes.lower * (time - last),
        ))
    }
}

/// Says of every tile coordinate but the band which loops it is cut from.
pub(super) fn name_coordinates(
    view: &mut View,
    rounds: &Rounds,
    tiles: &Overlapped,
) -> isl::Result<()> {
    let cone = &rounds.bands.cone;
    let widths = widths_over_time(&tiles.tile_sizes, cone.slopes.len());
    let tiled: Vec<usize> = (0..widths.len()).filter(|&x| widths[x].is_some()).collect();
    for member in &mut view.members {
        let statement = member.lifted.statement;
        let Some(placed) = cone.statements.iter().find(|p| p.statement == statement) else {
            continue;
        };
        let point = placed.point.as_pw_multi_aff()?;
        for (coordinate, &x) in member.tile.iter_mut().skip(1).zip(&tiled) {
            let place = point.get_pw_aff(1 + x)?;
            for iterator in 0..placed.point.dim(DimType::In)? {
                if place.involves_dims(DimType::In, iterator, 1)? {
                    coordinate.from.push(iterator);
                }
            }
        }
    }
    Ok(())
}
