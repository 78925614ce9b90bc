//! What was decided, as text.

use std::fmt::Write;
use tilewright::compile::Compiled;
use tilewright::frontend::pipeline::Program;
use tilewright::plan::Shape;

/// Groups with their tiles, one line for each stage.
pub(crate) fn explain(program: &Program, compiled: &Compiled) -> String {
    let mut out = String::new();
    for (region, plan) in compiled.regions.iter().zip(&compiled.plan.regions) {
        let stages = region.order.stages.len();
        let _ = writeln!(
            out,
            "{}: {stages} stages, planned by {}",
            program.name(),
            plan.planner
        );
        if !region.order.inlined.is_empty() {
            let _ = writeln!(
                out,
                "computed by those that read them: {}",
                region.order.inlined.join(", ")
            );
        }
        if region.order.groups.is_empty() {
            out += "left as it was written\n";
        }
        for (number, group) in region.order.groups.iter().enumerate() {
            let joined = |sizes: &Vec<i64>| {
                let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
                sizes.join(" x ")
            };
            let sizes = if group.bands.is_empty() {
                joined(&group.tile_sizes)
            } else {
                group
                    .bands
                    .iter()
                    .map(joined)
                    .collect::<Vec<_>>()
                    .join(" and of ")
            };
            let _ = match (group.shape, sizes.is_empty()) {
                (Shape::None, _) => write!(out, "\ngroup {}: loops as written", number + 1),
                (Shape::Parallelogram, true) => {
                    write!(out, "\ngroup {}: affine schedule, not tiled", number + 1)
                }
                (shape, _) => {
                    let shape = shape.name();
                    write!(out, "\ngroup {}: {shape} tiles of {sizes}", number + 1)
                }
            };
            if group.local_bytes > 0 {
                let _ = write!(out, ", {} bytes per thread", group.local_bytes);
            }
            out.push('\n');
            for stage in &group.stages {
                let footprint = group.footprints.iter().find(|f| f.stage == *stage);
                let Some(footprint) = footprint else {
                    let _ = writeln!(out, "  {stage}");
                    continue;
                };
                let extents = footprint.extents.iter().map(|&n| match n {
                    0 => "all".to_owned(),
                    n => n.to_string(),
                });
                let extents = extents.collect::<Vec<_>>().join(" x ");
                let percent = 100.0 * footprint.overlap;
                let _ = write!(
                    out,
                    "  {stage}: {extents} cells in a tile, {percent:.1} % of them twice"
                );
                let _ = match footprint.bytes {
                    0 => writeln!(out),
                    bytes => writeln!(out, ", {bytes} bytes"),
                };
            }
        }
    }
    out
}
