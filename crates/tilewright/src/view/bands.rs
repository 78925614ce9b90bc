//! Overlapped tiles over time, as tiles of the program that was not yet in bands of time: the steps
//! of all bands, with the numbers of their bands, and no copies.

use crate::analysis::bands::Rounds;
use crate::scop::Scop;
use crate::transform::{Lifted, Transformed};
use isl::Map;

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
