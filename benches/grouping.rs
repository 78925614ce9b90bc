//! What the search for groups takes: `cargo bench --bench grouping`.
//!
//! Tables 1 and 9 of Jangda & Bondhugula, TOPLAS 2020, with our pipelines and cost model: stages,
//! the most consumers of a stage, groups that were compared, and the time for it, for groups of any
//! size and of at most 32, 16 and 8 stages at first. The time is that of the model, the search and
//! the tile sizes of the groups that were found, the least of three.

#[path = "setting.rs"]
mod setting;

use setting::root;
use std::time::Instant;
use tilewright::analysis::region::Region;
use tilewright::compile::{Options, compile, regions};
use tilewright::plan::defaults::ISL_OPERATIONS;
use tilewright::planner::{Wishes, why};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::Toolchain;

const FILES: [&str; 15] = [
    "pipelines/unsharp_mask",
    "pipelines/harris",
    "pipelines/bilateral_grid",
    "pipelines/interpolate",
    "pipelines/camera_pipe",
    "pipelines/pyramid_blending",
    "pipelines/local_laplacian",
    "multigrid/minifluxdiv",
    "multigrid/jacobi_2d_v_4_4_4",
    "multigrid/jacobi_2d_v_10_0_0",
    "multigrid/jacobi_2d_w_4_4_4",
    "multigrid/jacobi_2d_w_10_0_0",
    "multigrid/jacobi_3d_v_4_4_4",
    "multigrid/jacobi_3d_v_10_0_0",
    "multigrid/jacobi_3d_w_10_0_0",
];

const LIMITS: [Option<usize>; 4] = [None, Some(32), Some(16), Some(8)];

fn main() {
    println!(
        "| pipeline | stages | max. consumers | groups compared, l = ∞ | 32 | 16 | 8 | ms, l = ∞ | 32 | 16 | 8 |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for file in FILES {
        match row(file) {
            Ok(row) => println!("{row}"),
            Err(reason) => println!("| {file} | {reason} |"),
        }
    }
}

fn row(file: &str) -> Result<String, String> {
    let examples = root().join("examples");
    let path = examples.join(format!("{file}.c"));
    let source = preprocess(&path, &Toolchain::default()).map_err(|e| e.message.clone())?;
    let region = regions(&source, ISL_OPERATIONS).map_err(|e| e[0].message.clone())?;
    let original = region.first().ok_or("no region")?;
    // What is inlined is not grouped.
    let compiled = compile(&source, &Options::default(), None, &mut |_| {});
    let plan = compiled.map_err(|e| e[0].message.clone())?.plan;
    let prepared = original.prepared(&plan.regions[0]);
    let prepared = prepared.map_err(|e| e.message.clone())?;
    let region: &Region = &prepared;
    let stages = region.graph.stages.len();
    let consumers = (0..stages).map(|s| region.graph.consumers(s).count());
    let (mut groups, mut times) = (String::new(), String::new());
    for group_limit in LIMITS {
        let mut wishes = Wishes::default();
        wishes.pipelines.group_limit = group_limit;
        let mut least = f64::INFINITY;
        let mut compared = String::from("–");
        for _ in 0..3 {
            region.scop.ctx.reset_operations();
            let begun = Instant::now();
            let found = why(region, &wishes).map_err(|e| e.to_string())?;
            least = least.min(begun.elapsed().as_secs_f64() * 1e3);
            if let Some(found) = found {
                let first = found.limit.filter(|_| group_limit.is_none());
                let first = first.map_or(String::new(), |l| format!(" (l = {l})"));
                compared = format!("{}{first}", found.compared);
            }
        }
        groups += &format!(" {compared} |");
        times += &format!(" {least:.1} |");
    }
    let name = file.rsplit('/').next().unwrap_or(file);
    Ok(format!(
        "| {name} | {stages} | {} |{groups}{times}",
        consumers.max().unwrap_or(0)
    ))
}
