//! What was decided, as text.

use std::fmt::Write;
use tilewright::compile::Compiled;
use tilewright::frontend::pipeline::Program;

/// Groups with their tiles, one line for each stage.
pub(crate) fn explain(program: &Program, compiled: &Compiled) -> String {
    let mut out = String::new();
    for (region, plan) in compiled.regions.iter().zip(&compiled.plan.regions) {
        let stages = region.stages.len();
        let _ = writeln!(
            out,
            "{}: {stages} stages, planned by {}",
            program.name(),
            plan.planner
        );
        if !region.inlined.is_empty() {
            let _ = writeln!(
                out,
                "computed by those that read them: {}",
                region.inlined.join(", ")
            );
        }
        if region.groups.is_empty() {
            out += "left as it was written\n";
        }
        for (number, group) in region.groups.iter().enumerate() {
            let sizes: Vec<String> = group.tile_sizes.iter().map(i64::to_string).collect();
            let _ = write!(out, "\ngroup {}: {} tiles", number + 1, group.shape.name());
            if !sizes.is_empty() {
                let _ = write!(out, " of {}", sizes.join(" x "));
            }
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
