//! Programs for devices, without a GPU: OpenCL on the processor with PoCL, data races with
//! Oclgrind, CUDA C as far as its compiler goes.
//!
//! What is not installed is skipped with a line that says so; where the environment variable `CI`
//! is set, OpenCL's absence is a failure. The CUDA compiler is a large download and always optional.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// File, parameters, and shapes that the planner does not choose by itself.
const EXAMPLES: &[(&str, &str, &[&str])] = &[
    (
        "linear-algebra/2mm.c",
        "ni=19 nj=23 nk=29 nl=13",
        &["parallelogram"],
    ),
    ("linear-algebra/3mm.c", "ni=19 nj=23 nk=29 nl=13 nm=11", &[]),
    ("linear-algebra/atax.c", "m=37 n=45", &["none"]),
    ("linear-algebra/bicg.c", "m=37 n=45", &[]),
    ("linear-algebra/cholesky.c", "n=21", &["parallelogram"]),
    ("linear-algebra/correlation.c", "m=29 n=43", &[]),
    ("linear-algebra/covariance.c", "m=29 n=43", &[]),
    ("linear-algebra/doitgen.c", "nr=13 nq=11 np=19", &[]),
    ("linear-algebra/durbin.c", "n=31", &[]),
    ("linear-algebra/floyd-warshall.c", "n=19", &["none"]),
    (
        "linear-algebra/gemm.c",
        "ni=35 nj=41 nk=27",
        &["none", "parallelogram"],
    ),
    ("linear-algebra/gemver.c", "n=53", &[]),
    ("linear-algebra/gesummv.c", "n=53", &[]),
    ("linear-algebra/gramschmidt.c", "m=19 n=15", &[]),
    ("linear-algebra/lu.c", "n=23", &["parallelogram"]),
    ("linear-algebra/ludcmp.c", "n=23", &[]),
    ("linear-algebra/mvt.c", "n=53", &["none"]),
    ("linear-algebra/nussinov.c", "n=25", &[]),
    ("linear-algebra/symm.c", "m=29 n=43", &[]),
    ("linear-algebra/syr2k.c", "n=37 m=27", &[]),
    ("linear-algebra/syrk.c", "n=37 m=27", &[]),
    ("linear-algebra/trisolv.c", "n=29", &[]),
    ("linear-algebra/trmm.c", "m=37 n=27", &[]),
    ("stencils/adi.c", "tsteps=3 n=19", &[]),
    ("stencils/deriche.c", "w=25 h=37", &[]),
    (
        "stencils/fdtd-2d.c",
        "tmax=5 nx=27 ny=35",
        &["split", "hexagonal"],
    ),
    ("stencils/heat-1d-periodic.c", "tsteps=9 n=53", &[]),
    ("stencils/heat-1d.c", "tsteps=21 n=133", ALL),
    ("stencils/heat-2d-9pt.c", "tsteps=9 n=45", &["split"]),
    ("stencils/heat-2d.c", "tsteps=9 n=45", ALL),
    ("stencils/heat-3d.c", "tsteps=5 n=15", &["scalene"]),
    (
        "stencils/jacobi-1d-5pt.c",
        "tsteps=13 n=99",
        &["split", "scalene"],
    ),
    ("stencils/jacobi-1d-7pt.c", "tsteps=13 n=99", &["hexagonal"]),
    ("stencils/jacobi-1d.c", "tsteps=13 n=99", ALL),
    ("stencils/jacobi-2d.c", "tsteps=9 n=35", ALL),
    ("stencils/life.c", "tsteps=7 n=35", &["split"]),
    ("stencils/poisson-2d.c", "tsteps=7 n=35", &["hexagonal"]),
    ("stencils/seidel-2d.c", "tsteps=3 n=19", &[]),
    ("stencils/two-statements.c", "tsteps=7 n=45", &[]),
    ("stencils/wave-2d.c", "tsteps=7 n=35", &["split"]),
    (
        "pipelines/bilateral_grid.c",
        "R=61 C=75",
        &["none", "scalene"],
    ),
    (
        "pipelines/camera_pipe.c",
        "R=77 C=91 colour_temp=3700 contrast=50 gamma=2",
        &["none", "scalene"],
    ),
    (
        "pipelines/harris.c",
        "R=61 C=75",
        &["none", "scalene", "right", "polymage"],
    ),
    (
        "pipelines/unsharp_mask.c",
        "R=61 C=75",
        &["none", "scalene", "right", "polymage"],
    ),
    ("multigrid/minifluxdiv.c", "N=9", &[]),
];

/// Shapes over time.
const ALL: &[&str] = &[
    "none",
    "parallelogram",
    "split",
    "diamond",
    "hexagonal",
    "scalene",
];

/// Pipelines of many stages: as written, a launch for every loop nest.
const MANY_STAGES: &[(&str, &str)] = &[("pipelines/pyramid_blending.c", "R=101 C=97")];

/// Small sizes, with blocks of a few threads, for a simulator that looks at every access.
const SIMULATED: &[(&str, &str, &str, &str)] = &[
    ("pipelines/harris.c", "R=34 C=69", "scalene", "32,64"),
    ("pipelines/unsharp_mask.c", "R=34 C=37", "scalene", "32,64"),
    ("pipelines/bilateral_grid.c", "R=58 C=59", "auto", "8,8"),
    ("stencils/heat-1d.c", "tsteps=9 n=45", "hexagonal", "4,8"),
    ("stencils/heat-1d.c", "tsteps=9 n=45", "scalene", "4,8"),
    ("stencils/heat-2d.c", "tsteps=4 n=17", "split", "4,4"),
    ("stencils/jacobi-2d.c", "tsteps=4 n=17", "scalene", "2,8,8"),
    (
        "linear-algebra/gemm.c",
        "ni=9 nj=11 nk=7",
        "parallelogram",
        "4",
    ),
    ("linear-algebra/lu.c", "n=9", "auto", "4"),
];

/// Where Debian has Oclgrind as a driver.
const OCLGRIND: &str = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn tilewright() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command
        .current_dir(root())
        .env("TILEWRIGHT_MACHINE", "none")
        .env(
            "POCL_CACHE_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("pocl"),
        );
    command
}

fn words(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!(
        "{}{}",
        String::from_utf8_lossy(out),
        String::from_utf8_lossy(err)
    )
}

/// Says loudly what is not tested.
fn skip(what: &str) {
    eprintln!("SKIPPED: {what}");
}

/// Whether there is a device for OpenCL; in CI there has to be one.
fn has_opencl() -> bool {
    let output = tilewright()
        .arg("devices")
        .output()
        .expect("tilewright starts");
    if output.status.success() {
        return true;
    }
    let text = words(&output);
    assert!(std::env::var_os("CI").is_none(), "no OpenCL: {text}");
    skip(&format!("programs for OpenCL: {text}"));
    false
}

/// `tilewright run` of an example on a device.
fn run(file: &str, parameters: &str, more: &[&str]) -> Command {
    let mut command = tilewright();
    command.arg("run").arg(Path::new("examples").join(file));
    for parameter in parameters.split(' ') {
        command.args(["--param", parameter]);
    }
    command.args(["--target", "opencl", "--runs", "0", "--json"]);
    command
        .args(["--threads", "2", "--cflags", "-O1 -fopenmp"])
        .args(more);
    command
}

/// What is wrong with a run.
fn failure(mut command: Command) -> Option<String> {
    let output = command.output().expect("tilewright starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default();
    // Only where the library's functions are called may bits differ.
    let exact = report["inexact"].as_array().is_some_and(Vec::is_empty);
    let well = match exact {
        true => report["identical"] == true,
        false => report["accepted"] == true,
    };
    let done = well && output.status.code() == Some(0);
    (!done).then(|| format!("{command:?}: {}", words(&output)))
}

/// Runs everything, as many at a time as there are processors.
fn all(jobs: Vec<Command>) {
    let jobs: Vec<Mutex<Option<Command>>> =
        jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let job = job.lock().expect("no worker panics").take();
                    let failed = job.and_then(failure);
                    failures.lock().expect("no worker panics").extend(failed);
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn examples_on_opencl() {
    if !has_opencl() {
        return;
    }
    let mut jobs = Vec::new();
    for (file, parameters, shapes) in EXAMPLES {
        jobs.push(run(file, parameters, &[]));
        // Smaller tiles of pipelines overlap too much, and then stages are not fused.
        let size = if file.starts_with("pipelines") {
            "32,64"
        } else {
            "8"
        };
        for shape in *shapes {
            jobs.push(run(
                file,
                parameters,
                &["--shape", shape, "--tile-sizes", size],
            ));
        }
    }
    for (file, parameters) in MANY_STAGES {
        jobs.push(run(file, parameters, &["--shape", "none"]));
    }
    all(jobs);
}

/// A directory of this test's own.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("gpu")
        .join(name);
    fs::create_dir_all(&directory).expect("a directory in target");
    directory
}

/// Oclgrind as the only driver, for one command, with a file for what it finds.
fn simulated(command: &mut Command, directory: &Path) -> PathBuf {
    let log = directory.join("log");
    fs::write(directory.join("oclgrind.icd"), format!("{OCLGRIND}\n")).expect("a file in target");
    command.env("OCL_ICD_VENDORS", directory);
    command
        .env("OCLGRIND_DATA_RACES", "1")
        .env("OCLGRIND_LOG", &log);
    let _ = fs::remove_file(&log);
    log
}

fn has_oclgrind() -> bool {
    let there = Path::new(OCLGRIND).exists();
    if !there {
        assert!(std::env::var_os("CI").is_none(), "{OCLGRIND} is not there");
        skip("data races: Oclgrind is not installed");
    }
    there
}

#[test]
fn no_data_races() {
    if !has_oclgrind() {
        return;
    }
    let mut found = Vec::new();
    for (number, (file, parameters, shape, sizes)) in SIMULATED.iter().enumerate() {
        let more = [
            "--shape",
            *shape,
            "--tile-sizes",
            *sizes,
            "--block-size",
            "4,2",
        ];
        let mut command = run(file, parameters, &more);
        let log = simulated(&mut command, &directory(&format!("races{number}")));
        found.extend(failure(command));
        match fs::read_to_string(&log) {
            Ok(findings) if findings.trim().is_empty() => {}
            Ok(findings) => found.push(format!("{file} {shape}: {findings}")),
            Err(error) => found.push(format!("{file} {shape}: no log of Oclgrind's: {error}")),
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// What Oclgrind finds in Harris's corners on a picture of 34 × 69.
fn findings(name: &str, change: impl Fn(String) -> String) -> String {
    let directory = directory(name);
    let file = directory.join("harris.c");
    let output = tilewright()
        .args([
            "compile",
            "examples/pipelines/harris.c",
            "--target",
            "opencl",
        ])
        .args([
            "--shape",
            "scalene",
            "--tile-sizes",
            "32,64",
            "--block-size",
            "4,2",
        ])
        .arg("--output")
        .arg(&file)
        .output()
        .expect("tilewright starts");
    assert!(output.status.success(), "{}", words(&output));
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
    let output = cc.output().expect("cc starts");
    assert!(output.status.success(), "{}", words(&output));
    let mut command = Command::new(&program);
    let log = simulated(&mut command, &directory);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", words(&output));
    fs::read_to_string(log).expect("Oclgrind wrote its log")
}

#[test]
fn a_barrier_that_is_missing_is_found() {
    if !has_oclgrind() {
        return;
    }
    assert_eq!(findings("with", |text| text).trim(), "");
    let without = |text: String| {
        let barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
        assert!(text.contains(barrier), "between two nests");
        text.replacen(barrier, "", 1)
    };
    let found = findings("without", without);
    assert!(found.contains("race"), "{found}");
}

/// Two generations of NVIDIA's GPUs for data centres: A100, H100 and H200.
const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

/// Most registers of a thread.
const REGISTERS: u64 = 255;

#[test]
fn cuda_compiles() {
    let nvcc = std::env::var_os("NVCC").map_or(PathBuf::from("nvcc"), PathBuf::from);
    if Command::new(&nvcc).arg("--version").output().is_err() {
        skip("CUDA: there is no nvcc; `pip install nvidia-cuda-nvcc` and set NVCC");
        return;
    }
    let directory = directory("cuda");
    let compile = |at: usize| -> Vec<String> {
        let mut lines = Vec::new();
        let (file, ..) = EXAMPLES[at];
        let c = directory.join(format!("{at}.c"));
        let output = tilewright()
            .args(["compile", "--target", "cuda", "--output"])
            .arg(&c)
            .arg(Path::new("examples").join(file))
            .output()
            .expect("tilewright starts");
        assert!(output.status.success(), "{file}: {}", words(&output));
        for architecture in ARCHITECTURES {
            let output = Command::new(&nvcc)
                .args([
                    "-cubin",
                    "-fmad=false",
                    "--resource-usage",
                    "-arch",
                    architecture,
                ])
                .arg("-o")
                .arg(directory.join(format!("{at}.{architecture}.cubin")))
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
        lines
    };
    let next = AtomicUsize::new(0);
    let report = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= EXAMPLES.len() {
                        break;
                    }
                    let lines = compile(at);
                    report.lock().expect("no worker panics").extend(lines);
                }
            });
        }
    });
    let mut report = report.into_inner().expect("no worker panics");
    report.sort();
    eprintln!("{}", report.join("\n"));
}
