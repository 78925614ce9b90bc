//! Programs for devices, without a GPU: OpenCL on the processor with PoCL, data races with
//! Oclgrind, CUDA C through its compiler, and on fibres in place of threads.
//!
//! Each program is also replayed by the compiler, thread by thread, at smaller sizes. Every shape is
//! run each time, with every sixth one of the examples that stand for it, every example with every
//! shape where `TILEWRIGHT_TEST_ALL` is set. What is not installed is skipped with a line that says so;
//! where the environment variable `CI` is set, OpenCL's absence is a failure. The CUDA compiler is a
//! large download and always optional.

#[allow(dead_code)]
#[path = "../../benches/devices/cases.rs"]
mod cases;
#[allow(dead_code)]
#[path = "../../benches/devices/count.rs"]
mod count;
#[path = "../../benches/devices/measure.rs"]
mod measure;
#[path = "../../benches/setting.rs"]
mod setting;
#[path = "../../benches/devices/table.rs"]
mod table;

use super::cases::{
    EXAMPLES, Example, LONG, MANY_STAGES, SHAPES, planned, refusal, replayed, tile_sizes,
};
use super::fibres::{has_fibres, on_fibres};
use crate::devices::opencl::{self, Oclgrind, has_opencl};
use crate::running::{self, command, directory, finished, in_parallel, nvcc, root, tiled};
use cases::{CASES, Figure, Size};
use measure::{Bench, Measured, Row, device, otherwise, triad};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Small sizes, with blocks of a few threads, for a simulator that looks at every access: each
/// shape, and what tiles keep in local memory.
const SIMULATED: &[(&str, &str, &str, &str)] = &[
    ("pipelines/harris.c", "R=34 C=69", "scalene", "32,64"),
    ("pipelines/harris.c", "R=34 C=37", "polymage", "32,64"),
    ("pipelines/unsharp_mask.c", "R=34 C=37", "scalene", "32,64"),
    ("pipelines/bilateral_grid.c", "R=58 C=59", "auto", "8,8"),
    ("stencils/heat-1d.c", "tsteps=9 n=45", "hexagonal", "4,8"),
    ("stencils/heat-1d.c", "tsteps=9 n=45", "scalene", "4,8"),
    ("stencils/heat-1d.c", "tsteps=9 n=45", "diamond", "4,8"),
    ("stencils/heat-2d.c", "tsteps=4 n=17", "split", "4,4"),
    ("stencils/jacobi-2d.c", "tsteps=4 n=17", "right", "2,8,8"),
    (
        "linear-algebra/gemm.c",
        "ni=9 nj=11 nk=7",
        "parallelogram",
        "4",
    ),
    ("linear-algebra/atax.c", "m=9 n=11", "none", "4"),
    ("linear-algebra/lu.c", "n=9", "auto", "4"),
];

/// The same for bounds that are data, with further options: grids over them, and atomic updates.
const SIMULATED_DYNAMIC: &[(&str, &str, &[&str])] = &[
    ("dynamic/ragged.c", "n=7 all=30 shape=0", &["--sink-bounds"]),
    (
        "dynamic/histogram.c",
        "n=9 m=7 bins=3 shape=0",
        &["--reductions", "atomic"],
    ),
];

fn words(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!(
        "{}{}",
        String::from_utf8_lossy(out),
        String::from_utf8_lossy(err)
    )
}

/// `tilewright run` of an example on a device, and its replay.
fn run(file: &str, sizes: &str, more: &[&str]) -> Command {
    let mut command = opencl::run(file, &[sizes], more);
    // Simulators and busy machines take their time.
    command.args(["--replay", &replayed(file, sizes), "--time-limit", "600"]);
    command
}

/// What is wrong with a run whose groups are to have one of some shapes.
fn failure(command: Command, wanted: &[&str]) -> Option<String> {
    let shown = format!("{command:?}");
    let (status, out, messages) = finished(command);
    let report = serde_json::from_str::<Value>(&out).unwrap_or_default();
    // Only where the library's functions are called may bits differ.
    let exact = report["inexact"].as_array().is_some_and(Vec::is_empty)
        && report["reordered"].as_array().is_some_and(Vec::is_empty);
    let well = if exact {
        report["identical"] == true
    } else {
        report["accepted"] == true
    };
    let regions = report["regions"].as_array().into_iter().flatten();
    let shaped = regions.clone().all(|region| {
        let groups = region["groups"].as_array().into_iter().flatten();
        let mut shapes = groups.map(|group| group["shape"].as_str().unwrap_or_default());
        shapes.clone().next().is_some() && shapes.all(|shape| wanted.contains(&shape))
    });
    let replayed = regions
        .clone()
        .all(|region| region["replayed"]["instances"].as_u64() > Some(0));
    let done = well && status == 0 && regions.count() > 0 && shaped && replayed;
    (!done).then(|| format!("{shown}: {out}{messages}"))
}

/// What is wrong with a refusal that says this.
fn not_refused(command: Command, reason: &str) -> Option<String> {
    let shown = format!("{command:?}");
    let (status, out, messages) = finished(command);
    let known = ["\"TW0401\"", "\"TW0507\""];
    let refused =
        status == 1 && known.iter().any(|code| out.contains(code)) && out.contains(reason);
    (!refused).then(|| format!("{shown} is to be refused ({reason}): {out}{messages}"))
}

/// The same for CUDA or HIP on fibres.
fn run_on_fibres(target: &str, file: &str, sizes: &str, more: &[&str]) -> Command {
    let mut command = on_fibres(running::run(file, &[sizes]), target);
    command.args(["--replay", &replayed(file, sizes), "--time-limit", "600"]);
    command.args(more);
    command
}

/// How a run of an example on a device begins: file, sizes, more arguments.
type Run = dyn Fn(&str, &str, &[&str]) -> Command;

/// One example with one shape of tiles, and with indices of so many bits.
fn check(run: &Run, example: &Example, shape: &str, bits: &str) -> Option<String> {
    let Example { file, sizes, .. } = example;
    let tiles = tile_sizes(file, shape);
    let mut command = match shape {
        "auto" => run(file, sizes, &[]),
        shape => run(file, sizes, &tiled(shape, tiles)),
    };
    command.args(["--index-bits", bits]);
    // PoCL takes minutes for barriers beside many conditions that nobody simplified before.
    if planned(file, shape).contains(&"parallelogram") {
        command.env_remove("POCL_EXTRA_BUILD_FLAGS");
    }
    // Many threads with little to do take long to replay.
    if ["scalene", "right"].contains(&shape) {
        command.args(["--block-size", "16,4"]);
    }
    match refusal(file, shape) {
        Some(reason) => not_refused(command, reason),
        None => failure(command, planned(file, shape)),
    }
}

#[test]
fn examples_on_opencl() {
    if !has_opencl() {
        return;
    }
    let all = running::all();
    let mut jobs: Vec<(&Example, &str, &str)> = Vec::new();
    for shape in SHAPES {
        let here = |example: &&Example| all || example.shapes.contains(&shape);
        let mine = running::share(EXAMPLES.iter().filter(here), 6, 0);
        jobs.extend(mine.into_iter().map(|example| (example, shape, "32")));
    }
    if all {
        jobs.extend(EXAMPLES.iter().map(|example| (example, "auto", "64")));
    }
    // The longest first, so that none is alone in the end.
    jobs.sort_by_key(|(example, ..)| std::cmp::Reverse(example.file.starts_with("pipelines")));
    let failures = in_parallel(&jobs, |(example, shape, bits)| {
        check(&run, example, shape, bits)
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What replays once found wrong that is right: tiles whose scratchpads data picks from, one after
/// another; copies of more than is written and read; bounds that the program finds out before.
#[test]
fn replays_of_what_is_right() {
    let cases = [
        (
            "pipelines/bilateral_grid.c",
            "R=72,C=80",
            "scalene",
            "16,16",
        ),
        ("pipelines/harris.c", "R=31,C=38", "parallelogram", "32,64"),
        ("multigrid/minifluxdiv.c", "N=9", "diamond", "8"),
        ("dynamic/change-making.c", "most=39,coins=6", "right", "8"),
        (
            "dynamic/equake-smvp.c",
            "nodes=15,blocks=94,shape=2",
            "none",
            "8",
        ),
    ];
    let failures = in_parallel(&cases, |(file, values, shape, tiles)| {
        let path = format!("examples/{file}");
        let mut command = command(&["explain", &path]);
        command.args(["--target", "opencl"]);
        command.args(tiled(shape, tiles));
        command.args(["--replay", values, "--json"]);
        let shown = format!("{command:?}");
        let (status, out, messages) = finished(command);
        let report = serde_json::from_str::<Value>(&out).unwrap_or_default();
        let instances = report["regions"][0]["replayed"]["instances"].as_u64();
        let done = status == 0 && instances > Some(0);
        (!done).then(|| format!("{shown}: {out}{messages}"))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Temporaries whose extents are variables of the function (`W`, from `C`) are counted, too.
#[test]
fn arrays_of_computed_sizes_are_counted() {
    let mut explain = command(&["explain", "examples/pipelines/camera_pipe.c"]);
    explain.args(["--target", "cuda", "--shape", "none", "--json", "--replay"]);
    explain.arg("R=125,C=129,colour_temp=3700,contrast=50,gamma=2");
    let (status, out, messages) = finished(explain);
    assert_eq!(status, 0, "{messages}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let kernels = list(&report["regions"][0]["replayed"]["traffic"]);
    let stored = |name: &str| {
        let buffers = kernels.iter().flat_map(|kernel| list(&kernel["buffers"]));
        let mut own = buffers.filter(|buffer| buffer["buffer"] == name);
        own.find_map(|buffer| {
            buffer["stores"]["bytes"]
                .as_u64()
                .filter(|&bytes| bytes > 0)
        })
    };
    // H = 125 / 2 - 24 rows of 2 W = 2 (129 / 2 - 32) columns of two bytes.
    assert_eq!(stored("redX1"), Some(38 * 64 * 2));
}

/// What is run on fibres each time: most shapes, and kernels with and without local memory.
const ON_FIBRES: &[(&str, &str)] = &[
    ("linear-algebra/gemm.c", "parallelogram"),
    ("linear-algebra/lu.c", "parallelogram"),
    ("pipelines/harris.c", "scalene"),
    ("pipelines/bilateral_grid.c", "auto"),
    ("stencils/heat-1d.c", "hexagonal"),
    ("stencils/heat-2d.c", "diamond"),
    ("stencils/jacobi-2d.c", "none"),
    ("stencils/jacobi-2d.c", "split"),
    ("stencils/jacobi-2d.c", "right"),
];

/// CUDA's and HIP's texts compute the same, too; all examples where `TILEWRIGHT_TEST_ALL` is set.
#[test]
fn examples_on_fibres() {
    if !has_fibres() {
        return;
    }
    let all = running::all();
    let mut jobs: Vec<(&Example, &str)> = Vec::new();
    for example in EXAMPLES {
        let shapes = example.shapes.iter().copied();
        jobs.extend(shapes.map(|shape| (example, shape)));
        if all && example.shapes.is_empty() {
            jobs.push((example, "auto"));
        }
    }
    let wanted = |example: &Example, shape| all || ON_FIBRES.contains(&(example.file, shape));
    jobs.retain(|(example, shape)| wanted(example, shape));
    assert!(all || jobs.len() == ON_FIBRES.len());
    let failures = in_parallel(&jobs, |(example, shape)| {
        // HIP is the same text with other names.
        let targets: &[&str] = match *shape {
            "split" => &["cuda", "hip"],
            "scalene" | "auto" if all => &["cuda", "hip"],
            _ => &["cuda"],
        };
        let mut wrong = targets.iter().filter_map(|target| {
            let run =
                |file: &str, sizes: &str, more: &[&str]| run_on_fibres(target, file, sizes, more);
            check(&run, example, shape, "32")
        });
        wrong.next()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// heat-1d's steps as launches, by hand: both rows of 133 cells of eight bytes lie in 67 sectors, the
/// middle one of which has cells of both. Each step touches all of them, the middle one either to
/// read or, before it is read, to write. Tiles over time move less.
#[test]
fn the_bench_for_devices_counts() {
    let mut cases = CASES.iter();
    let case = cases.find(|case| case.name == "heat-1d").expect("a case");
    let counted = |version| {
        let row = count::row(case, version, Size::Tiny, "generic").expect("a report");
        row.outcome.unwrap_or_else(|why| panic!("{why}"))
    };
    let all: Vec<count::Counted> = case.figure.versions().iter().map(counted).collect();
    let first = &all[0];
    let points = 8.0 * 131.0;
    assert_eq!((first.launches, first.instances), (8.0, points));
    assert_eq!(first.least, 8.0 * 67.0 * 32.0);
    assert_eq!(first.sweeps, Some(points * 16.0));
    // Three cells are loaded for each point, and one is stored.
    assert_eq!(first.used, points * 4.0 * 8.0);
    assert!(all.len() > 1);
    for tiled in &all[1..] {
        assert!(tiled.least < first.least && tiled.launches < first.launches);
        assert!(tiled.moved * tiled.turns > 0.0 && tiled.turns >= tiled.free);
    }
}

/// Every example is run here or named, and every shape is run.
#[test]
fn nothing_is_left_out() {
    let mut there = BTreeSet::new();
    for folder in fs::read_dir(root().join("examples")).expect("examples") {
        let folder = folder.expect("an entry").path();
        for file in fs::read_dir(&folder).into_iter().flatten() {
            let file = file.expect("an entry").path();
            if file.extension().is_some_and(|e| e == "c") {
                let names = file.strip_prefix(root().join("examples")).expect("below");
                there.insert(names.to_str().expect("plain names").to_owned());
            }
        }
    }
    let run = EXAMPLES.iter().map(|example| example.file);
    let known: BTreeSet<String> = run.chain(LONG.iter().copied()).map(str::to_owned).collect();
    assert_eq!(there, known);
    // `dynamic.rs` and `tests/reductions.rs` run these.
    let alone = |example: &&Example| {
        !example.file.starts_with("dynamic/") && !MANY_STAGES.contains(&example.file)
    };
    for example in EXAMPLES.iter().filter(alone) {
        assert!(!example.shapes.is_empty(), "{}", example.file);
    }
    for shape in SHAPES {
        assert!(
            EXAMPLES.iter().any(|e| e.shapes.contains(&shape)),
            "{shape}"
        );
        assert!(SIMULATED.iter().any(|(_, _, s, _)| *s == shape), "{shape}");
    }
}

#[test]
fn no_data_races() {
    if Oclgrind::new("races").is_none() {
        return;
    }
    let mut jobs: Vec<(&str, &str, &str, Vec<&str>)> = Vec::new();
    for &(file, sizes, shape, tiles) in SIMULATED {
        let options = match shape {
            "auto" => vec!["--tile-sizes", tiles],
            shape => tiled(shape, tiles),
        };
        jobs.push((file, sizes, shape, options));
    }
    for &(file, sizes, options) in SIMULATED_DYNAMIC {
        jobs.push((file, sizes, "auto", options.to_vec()));
    }
    let numbered: Vec<_> = jobs.iter().enumerate().collect();
    let found = in_parallel(&numbered, |(number, (file, sizes, shape, options))| {
        let mut command = run(file, sizes, options);
        command.args(["--block-size", "4,2"]);
        let oclgrind = Oclgrind::new(&format!("races{number}"))?;
        oclgrind.watch(&mut command);
        if let Some(failed) = failure(command, planned(file, shape)) {
            return Some(failed);
        }
        let findings = oclgrind.findings();
        (!findings.is_empty()).then(|| format!("{file} {shape}: {findings}"))
    });
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// What Oclgrind finds in Harris's corners on a picture of 34 × 69.
fn findings(oclgrind: &Oclgrind, name: &str, change: impl Fn(String) -> String) -> String {
    let directory = directory(name);
    let file = directory.join("harris.c");
    let tiles = ["--shape", "scalene", "--tile-sizes", "32,64"];
    let written = file.to_str().expect("plain names");
    let (status, _, messages) = finished({
        let mut command = command(&["compile", "examples/pipelines/harris.c"]);
        command.args(["--target", "opencl", "--block-size", "4,2"]);
        command.args(tiles).args(["--output", written]);
        command
    });
    assert_eq!(status, 0, "{messages}");
    let text = change(fs::read_to_string(&file).expect("the output was written"));
    let main = "\nint main(void)\n{\n    static float in[36][71], out[36][71];\n    \
                harris(34, 69, out, in);\n    return 0;\n}\n";
    fs::write(&file, text + main).expect("a file in target");
    let program = directory.join("harris");
    let mut cc = Command::new("cc");
    cc.arg("-o")
        .arg(&program)
        .arg(&file)
        .args(["-lOpenCL", "-lm"]);
    let (status, _, messages) = finished(cc);
    assert_eq!(status, 0, "{messages}");
    let mut command = Command::new(&program);
    oclgrind.watch(&mut command);
    let (status, _, messages) = finished(command);
    assert_eq!(status, 0, "{messages}");
    oclgrind.findings()
}

#[test]
fn a_barrier_that_is_missing_is_found() {
    let Some(oclgrind) = Oclgrind::new("barriers") else {
        return;
    };
    assert_eq!(findings(&oclgrind, "with", |text| text), "");
    let without = |text: String| {
        let barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
        assert!(text.contains(barrier), "between two nests");
        text.replacen(barrier, "", 1)
    };
    let found = findings(&oclgrind, "without", without);
    assert!(found.contains("race"), "{found}");
}

/// Two generations of NVIDIA's GPUs for data centres: A100, H100 and H200.
const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

/// Most registers of a thread.
const REGISTERS: u64 = 255;

/// Compiles an example for all architectures and says what its kernels use.
fn cubins(nvcc: &Path, example: &Example) -> String {
    let Example { file, shapes, .. } = example;
    let directory = directory("cuda");
    let c = directory.join(file.replace('/', "-"));
    let output = command(&[])
        .args(["compile", "--target", "cuda", "--shape"])
        .arg(shapes.first().unwrap_or(&"auto"))
        .arg("--output")
        .arg(&c)
        .arg(Path::new("examples").join(file))
        .output()
        .expect("tilewright starts");
    assert!(output.status.success(), "{file}: {}", words(&output));
    let mut lines = Vec::new();
    for architecture in ARCHITECTURES {
        let output = Command::new(nvcc)
            .args(["-cubin", "-fmad=false", "--resource-usage"])
            .args(["-arch", architecture, "-o"])
            .arg(c.with_extension(format!("{architecture}.cubin")))
            .arg(c.with_extension("cu"))
            .output()
            .expect("nvcc starts");
        let text = words(&output);
        assert!(output.status.success(), "{file} {architecture}: {text}");
        let used: Vec<&str> = text.lines().filter(|l| l.contains(" registers")).collect();
        assert!(!used.is_empty(), "{file}: no kernel in {text}");
        for line in used {
            let registers = line.split(" registers").next().unwrap_or("");
            let registers = registers.rsplit(' ').next().unwrap_or("");
            let registers: u64 = registers.parse().expect("ptxas names a number");
            assert!(registers <= REGISTERS);
            lines.push(format!("{file} {architecture}: {}", line.trim()));
        }
    }
    lines.join("\n")
}

#[test]
fn cuda_compiles() {
    let Some(nvcc) = nvcc() else { return };
    let mut report = in_parallel(EXAMPLES, |example| Some(cubins(&nvcc, example)));
    report.sort();
    eprintln!("{}", report.join("\n"));
}

/// The bench for devices runs, in the smallest sizes, and its rows are what the programs are: the
/// bytes of their arrays, a launch for each time step, overlap where tiles overlap.
#[test]
fn the_bench_for_devices_runs() {
    if !has_opencl() {
        return;
    }
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pocl");
    let bench = Bench {
        target: "opencl".to_owned(),
        size: Size::Tiny,
        runs: 1,
        jobs: 2,
        time_limit: 600,
        environment: vec![("POCL_CACHE_DIR", cache)],
    };
    assert!(!device(&bench).expect("a device").is_empty());
    let triad = triad(&bench).expect("a triad runs");
    assert!(triad > 0.0);
    let wanted = CASES
        .iter()
        .filter(|c| ["harris", "heat-1d"].contains(&c.name));
    let versions = wanted.flat_map(|case| case.figure.versions().iter().map(move |v| (case, v)));
    let versions: Vec<_> = versions.collect();
    let mut said = 0;
    let rows = bench.rows(&versions, |_| said += 1).expect("reports");
    assert_eq!(said, rows.len());
    // Built at the same time, and in order all the same.
    for ((case, version), row) in versions.iter().zip(&rows) {
        assert_eq!((case.name, version.name), (row.program, row.version));
    }
    let measured = |row: &Row| match &row.outcome {
        Ok(measured) => measured.clone(),
        Err(why) => panic!("{} {}: {why}", row.program, row.version),
    };
    let all: Vec<Measured> = rows.iter().map(measured).collect();
    assert_eq!(all.len(), 5);
    for (row, measured) in rows.iter().zip(&all) {
        let bytes = match row.program {
            // Two pictures of `float`, with a rim.
            "harris" => 2 * 4 * (61 + 2) * (75 + 2),
            _ => 8 * (133 - 2) * 16,
        };
        assert_eq!(measured.bytes, f64::from(bytes));
        assert_eq!(
            measured.redundancy.is_some_and(|share| share > 0.0),
            (row.program, row.version) == ("harris", "overlapped")
        );
        assert!(measured.kernels > 0.0 && measured.all >= measured.kernels);
    }
    // Harris has eleven stages.
    assert_eq!(
        (all[0].launches, all[1].launches, all[2].launches),
        (11.0, 1.0, 8.0)
    );
    let text = table::text(triad, &rows);
    let shown = |row: &Row| text.contains(&format!("| {} | {} |", row.program, row.version));
    assert!(rows.iter().all(shown), "{text}");
}

/// Means are of what the versions gain over the first one of their program.
#[test]
fn means_of_the_bench_for_devices() {
    let row = |program, version, kernels| Row {
        program,
        figure: Figure::Pipelines,
        version,
        outcome: Ok(Measured {
            kernels,
            kernels_min: kernels,
            all: 2.0 * kernels,
            launches: 2.0,
            bytes: 1e6,
            redundancy: None,
        }),
    };
    let rows = [
        row("a", "rectangular", 4.0),
        row("a", "overlapped", 2.0),
        row("b", "rectangular", 9.0),
        row("b", "overlapped", 0.5),
    ];
    let means = table::means(&rows, Figure::Pipelines);
    assert_eq!((means[0].0, means[0].2), ("rectangular", 2));
    assert!((means[0].1 - 1.0).abs() < 1e-12);
    // The root of 2 · 18.
    assert!((means[1].1 - 6.0).abs() < 1e-12, "{means:?}");
    // A megabyte in 4 ms is 0.25 GB/s, half of the triad's; a launch takes 2 ms.
    let text = table::text(0.5e9, &rows);
    assert!(
        text.contains(
            "| a | rectangular | 4.000 | 8.000 | 2 | 2000.00 | 0.25 | 50.0 % |  | 1.00 |"
        ),
        "{text}"
    );
    let json = table::to_json("a host", "a device", 0.5e9, &rows);
    assert_eq!(json["rows"][3]["baseline_over_it"], 18.0);
    assert_eq!(json["rows"][0]["share_of_triad"], 0.5);
}

/// What is said of a version that is not the one that was asked for.
#[test]
fn the_bench_for_devices_says_what_was_planned() {
    let report = |shapes: &[&str], warnings: &[&str]| {
        let groups: Vec<Value> = shapes.iter().map(|shape| json!({"shape": shape})).collect();
        let warnings = warnings.iter().map(|text| json!({"message": text}));
        let warnings: Vec<Value> = warnings.collect();
        otherwise(&json!({"regions": [{"groups": groups}], "warnings": warnings}))
    };
    assert_eq!(
        report(&["scalene", "none", "none"], &[]),
        "planned otherwise: scalene and none, without a warning"
    );
    assert_eq!(
        report(&["none"], &["the plan is not legal", "another is tried"]),
        "planned otherwise: none, since the plan is not legal; another is tried"
    );
    assert_eq!(
        report(&[], &[]),
        "planned otherwise: nothing, without a warning"
    );
}
