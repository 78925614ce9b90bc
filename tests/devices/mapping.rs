//! How loops become blocks and threads of devices: HIP beside CUDA, limits of the device, grids over
//! several loops, full tiles apart, loops that are unrolled. OpenCL runs on the processor, with PoCL,
//! and on Oclgrind, whose limits can be set.

use crate::devices::opencl::{Oclgrind, difference_as_planned, has_opencl, run};
use crate::running::{answer, directory, finished, program, root};
use serde_json::Value;
use std::process::Command;

/// What a command prints that has to succeed without a message.
fn printed(arguments: &[&str]) -> String {
    let (status, out, messages) = answer(arguments);
    assert_eq!((status, &messages[..]), (0, ""), "{arguments:?}");
    out
}

/// The text for the device, from the first kernel on.
fn kernels(file: &str, options: &str) -> String {
    let mut arguments = vec!["compile", file, "--emit", "device"];
    arguments.extend(options.split_whitespace());
    if !options.contains("--target") {
        arguments.extend(["--target", "opencl"]);
    }
    let text = printed(&arguments);
    let from = text
        .find("__kernel")
        .or(text.find("template <typename tw_index> __global__"))
        .or(text.find("extern \"C\" __global__"));
    text[from.expect("a kernel")..].to_owned()
}

const GEMM: &str = "examples/linear-algebra/gemm.c";

#[test]
fn hip_is_cuda_under_other_names() {
    // Without local memory, which the two align in different words.
    let device = |target: &str| {
        let plain = ["--local-memory", "none", "--emit", "device"];
        printed(&[&["compile", GEMM, "--target", target], &plain[..]].concat())
    };
    let (cuda, hip) = (device("cuda"), device("hip"));
    assert!(hip.contains("#include <hip/hip_runtime.h>"));
    assert!(!hip.to_lowercase().contains("cuda") && !hip.contains("tw_cu_"));
    // The kernels are the same to the letter.
    let kernels = |text: &str, end: &str| -> String {
        let from = text.find("template <typename tw_index> __global__");
        let from = from.expect("a kernel");
        let to = text[from..].find(end).expect("the host's side");
        text[from..from + to].to_owned()
    };
    let host = "extern \"C\" void tw_gemm_0";
    assert_eq!(kernels(&cuda, host), kernels(&hip, host));
    insta::assert_snapshot!("hip_host", &hip[hip.find(host).expect("the host's side")..]);
}

/// A clang that knows AMD's GPUs.
fn clang() -> Option<&'static str> {
    ["clang-16", "clang-15", "clang-14", "clang"]
        .into_iter()
        .find(|name| {
            let output = Command::new(name).arg("--print-targets").output();
            output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("amdgcn"))
        })
}

#[test]
fn hip_compiles_for_amd() {
    let Some(clang) = clang() else {
        eprintln!("SKIPPED: HIP: there is no clang that knows amdgcn");
        return;
    };
    let directory = directory("hip");
    let files = [
        GEMM,
        "examples/pipelines/harris.c",
        "examples/dynamic/histogram.c",
    ];
    for (number, file) in files.iter().enumerate() {
        let c = directory.join(format!("{number}.c"));
        let written = c.to_str().expect("plain names");
        printed(&["compile", file, "--target", "hip", "--output", written]);
        let hip = c.with_extension("hip");
        let text = std::fs::read_to_string(&hip).expect("a file for the device");
        // For the device down to its instructions, for the host its syntax.
        let device = [
            "--offload-device-only",
            "--offload-arch=gfx90a",
            "-O1",
            "-S",
        ];
        let host = ["--offload-host-only", "-fsyntax-only"];
        let assembly = directory.join(format!("{number}.s"));
        for part in [&device[..], &host[..]] {
            let mut command = Command::new(clang);
            command.args(["-x", "hip", "-nogpuinc", "-nogpulib", "-Werror"]);
            command
                .args(["-ffp-contract=off", "-I"])
                .arg(root().join("tests/hip"));
            command.args(part).arg(&hip);
            if part == device {
                command.arg("-o").arg(&assembly);
            }
            let (status, _, messages) = finished(command);
            assert_eq!(status, 0, "{file}: {messages}");
        }
        let made = std::fs::read_to_string(&assembly).expect("written");
        // Templates twice: for indices of 32 and of 64 bits.
        let count = |text: &str, word: &str| text.matches(word).count();
        let templates = count(&text, "template <typename tw_index> __global__");
        assert_eq!(
            count(&made, ".amdhsa_kernel "),
            count(&text, "__global__") + templates,
            "{file}"
        );
    }
}

#[test]
fn devices_have_limits() {
    if !has_opencl() {
        return;
    }
    let text = printed(&["devices", "--json"]);
    let all: Value = serde_json::from_str(&text).expect("JSON");
    for device in all.as_array().expect("an array") {
        for limit in ["local_memory", "threads", "processors"] {
            assert!(
                device[limit].as_u64().is_some_and(|limit| limit > 0),
                "{text}"
            );
        }
        assert!(device["gpu"].is_boolean());
    }
}

#[test]
fn blocks_are_cut_to_what_devices_allow() {
    let (status, out, messages) = answer(&[
        "compile",
        GEMM,
        "--target",
        "opencl",
        "--emit",
        "plan",
        "--block-size",
        "64,64",
    ]);
    assert_eq!(status, 0);
    assert!(out.contains("threads = [64, 16]"), "{out}");
    assert!(
        messages.contains("64 × 16 threads in place of 64 × 64: the device has at most 1024"),
        "{messages}"
    );
    // A plan says what is wanted.
    let plan = directory("limits").join("plan.toml");
    std::fs::write(&plan, out.replace("[64, 16]", "[64, 32]")).expect("written");
    let plan = plan.to_str().expect("plain names");
    let (status, _, messages) = answer(&["compile", GEMM, "--target", "opencl", "--plan", plan]);
    assert_eq!(status, 1);
    assert!(messages.contains("TW0403"), "{messages}");
    assert!(
        messages.contains("blocks of 64 × 32 threads are too large: the device has at most 1024"),
        "{messages}"
    );
}

/// `run` asks the device that it runs on.
#[test]
fn limits_are_those_of_the_device() {
    let Some(oclgrind) = Oclgrind::new("small") else {
        return;
    };
    let options = ["--shape", "scalene", "--tile-sizes", "64,64"];
    let mut command = run("pipelines/unsharp_mask.c", &["R=34 C=37"], &options);
    oclgrind.simulate(&mut command);
    command
        .env("OCLGRIND_LOCAL_MEM_SIZE", "8192")
        .env("OCLGRIND_MAX_WGSIZE", "16");
    let (status, out, messages) = finished(command);
    assert_eq!(status, 0, "{out}{messages}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["identical"], true);
    assert!(
        messages.contains("16 × 1 threads in place of 32 × 8"),
        "{messages}"
    );
    assert!(
        messages.contains("bytes of local memory, and a block has 8192"),
        "{messages}"
    );
    let group = &report["plan"]["region"][0]["group"][0];
    assert_eq!(group["threads"], serde_json::json!([16, 1]));
    assert_ne!(group["tile-sizes"], serde_json::json!([64, 64]));
}

#[test]
fn tiles_of_several_loops_are_blocks() {
    let text = kernels(GEMM, "");
    let product = &text[text.rfind("__kernel").expect("a kernel")..];
    let head = &product[..product.find("\n{").expect("a body")];
    assert_eq!(head.matches("_first").count(), 2, "{head}");
    let one = kernels(GEMM, "--grid 1");
    let product = &one[one.rfind("__kernel").expect("a kernel")..];
    let head = &product[..product.find("\n{").expect("a body")];
    assert!(head.matches("_first").count() == 1, "{head}");
    // A plan with these decisions is what was planned.
    let plan = directory("grid").join("gemm.toml");
    let options = ["compile", GEMM, "--target", "opencl", "--emit", "plan"];
    let planned = printed(&options);
    for key in ["grid = 3", "full-tiles = true", "unroll = 8"] {
        assert!(planned.contains(key), "{planned}");
    }
    std::fs::write(&plan, planned).expect("written");
    let plan = plan.to_str().expect("plain names");
    assert_eq!(kernels(GEMM, &format!("--plan {plan}")), text);
}

#[test]
fn loops_of_full_tiles_have_constant_bounds() {
    let apart = kernels(GEMM, "");
    assert!(apart.contains("#pragma unroll 8"), "{apart}");
    let together = kernels(GEMM, "--full-tiles together");
    assert!(!together.contains("#pragma unroll"), "{together}");
    assert!(together.len() < apart.len());
    let plain = kernels(GEMM, "--unroll 1");
    assert!(!plain.contains("#pragma unroll"));
    for target in ["cuda", "hip"] {
        let text = kernels(GEMM, &format!("--target {target}"));
        assert!(text.contains("#pragma unroll 8"), "{text}");
    }
}

/// A loop of few iterations outside, as over colours, and one inside.
const COLOURS: &str = "void f(int n, int m, float a[restrict 3][n][m], float b[restrict 3][n][m],
       float c[restrict n][m][3])
{
#pragma scop
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[k][i][j] = 2.0f * b[k][i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++)
                c[i][j][k] = a[k][i][j] + 1.0f;
#pragma endscop
}
";

#[test]
fn short_loops_outside_are_not_alone_a_grid() {
    let file = program("gpu_mapping_colours", COLOURS);
    let text = kernels(&file, "--shape none");
    let (first, second) = text.split_at(text.rfind("__kernel").expect("two kernels"));
    // Colours, rows of blocks, columns of blocks.
    assert_eq!(
        first[..first.find("\n{").expect("a body")]
            .matches("_first")
            .count(),
        3,
        "{first}"
    );
    assert!(first.contains("tw_x") && first.contains("tw_y"), "{first}");
    // A thread has all colours of its cell.
    assert!(
        second.contains("tw_x") && second.contains("tw_y"),
        "{second}"
    );
    assert!(second.contains("#pragma unroll 3"), "{second}");
    if has_opencl() {
        let command = run(&file, &["n=37 m=45"], &["--shape", "none"]);
        assert_eq!(difference_as_planned(command), None);
    }
}

/// Rows with a cell that is computed in another way, which is another statement.
const BORDERS: &str =
    "void f(int n, int m, float b[restrict n][m], const float in[restrict n + 2][m])
{
#pragma scop
    float a[n + 2][m];
    for (int i = 0; i < n + 2; i++) {
        a[i][0] = in[i][0];
        for (int j = 1; j < m; j++)
            a[i][j] = in[i][j - 1] + 2.0f * in[i][j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] + a[i + 1][j] + a[i + 2][j];
#pragma endscop
}
";

#[test]
fn rows_with_borders_are_shared_by_threads() {
    let file = program("gpu_mapping_borders", BORDERS);
    let options = "--shape scalene --tile-sizes 32,64 --block-size 4,2";
    let text = kernels(&file, options);
    // Neighbouring threads have neighbouring cells of both stages, and of the border a row each.
    let (cells, rows) = ("+ tw_x;", "+ tw_thread;");
    assert_eq!(
        (text.matches(cells).count(), text.matches(rows).count()),
        (2, 1),
        "{text}"
    );
    let Some(oclgrind) = Oclgrind::new("borders") else {
        return;
    };
    let options: Vec<&str> = options.split_whitespace().collect();
    let mut command = run(&file, &["n=19 m=35"], &options);
    oclgrind.watch(&mut command);
    assert_eq!(difference_as_planned(command), None);
    assert_eq!(oclgrind.findings(), "");
}

/// Sizes and blocks that leave partial tiles everywhere, and all decisions one by one.
#[test]
fn every_mapping_computes_the_same() {
    if !has_opencl() {
        return;
    }
    let tiles = ["--shape", "parallelogram", "--tile-sizes", "16,32,8"];
    let blocks = ["--block-size", "8,4", "--unroll", "2"];
    let options = [tiles, blocks].concat();
    let apart = ["--tile-sizes", "8,16", "--full-tiles", "apart"];
    let runs = [
        run("linear-algebra/gemm.c", &["ni=64 nj=35 nk=33"], &options),
        run("stencils/jacobi-2d.c", &["tsteps=5 n=39"], &apart),
    ];
    let failed: Vec<String> = runs.into_iter().filter_map(difference_as_planned).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// A triangle is a grid along both loops, and a band along the diagonal along one.
#[test]
fn triangles_are_grids_and_bands_are_not() {
    let text = "void tri(int n, double out[restrict n][n], const double in[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            out[i][j] = in[i][j] + in[j][i];
#pragma endscop
}
void band(int n, double out[restrict n][n], const double in[restrict n][n])
{
#pragma scop
    for (int i = 9; i < n - 9; i++)
        for (int j = i - 9; j <= i + 9; j++)
            out[i][j] = in[i][j] + in[j][i];
#pragma endscop
}
";
    let file = program("gpu_mapping_triangle", text);
    // Executed in the compiler, too, block by block, with blocks outside of the triangle.
    let text = kernels(&file, "--shape none --replay n=35");
    let band = text.find("tw_band_").expect("a kernel");
    let loops = |text: &str| text.matches("_first + ").count();
    assert_eq!((loops(&text[..band]), loops(&text[band..])), (2, 1));
    assert!(text[..band].contains("tw_min(c0,"), "{text}");
}

/// Bins side by side, bins plane by plane, colours side by side.
const SHORT: &str =
    "void f(int n, int m, float bins[restrict n][m][11], float planes[restrict 11][n][m],
       float rgb[restrict n][m][3], const float in[restrict n][m][11])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int z = 0; z < 11; z++)
                bins[i][j][z] = in[i][j][z] * 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int z = 0; z < 11; z++)
                planes[z][i][j] = z * 0.5f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int c = 0; c < 3; c++)
                rgb[i][j][c] = in[i][j][c] + 1;
#pragma endscop
}
";

/// Threads of a block, blocks, and the shares of threads at work and of idle warps, by kernel, of a
/// replay.
fn counted(file: &str, values: &str, options: &[&str]) -> Vec<([i64; 2], i64, f64, f64)> {
    let asked = [
        "explain", file, "--target", "cuda", "--replay", values, "--json",
    ];
    let report: Value = serde_json::from_str(&printed(&[&asked, options].concat())).unwrap();
    let kernels = report["regions"][0]["replayed"]["traffic"].as_array();
    let number = |of: &Value| of.as_i64().expect("a number");
    let one = |kernel: &Value| {
        let [x, y] = [0, 1].map(|axis| number(&kernel["threads"][axis]));
        let share = |part: &str, whole: i64| number(&kernel[part]) as f64 / whole as f64;
        let active = share("instances", 32 * number(&kernel["warp_instances"]));
        let idle = share("idle_warps", number(&kernel["warps"]));
        ([x, y], number(&kernel["blocks"]), active, idle)
    };
    kernels.expect("kernels").iter().map(one).collect()
}

#[test]
fn short_loops_share_blocks_with_the_grid() {
    let file = program("gpu_mapping_short", SHORT);
    let none = ["--shape", "none"];
    let all = counted(&file, "n=5,m=92", &none);
    let shapes: Vec<([i64; 2], i64)> = all.iter().map(|kernel| (kernel.0, kernel.1)).collect();
    // 23 cells of 11 bins are 253 threads, 85 of 3 colours are 255: 92 cells are 4 blocks, and 2.
    // Planes are read along their rows, by 32 threads.
    assert_eq!(
        shapes,
        [([11, 23], 5 * 4), ([32, 8], 3), ([3, 85], 5 * 2)],
        "{all:?}"
    );
    // Seven warps of eight are full, of the last one 29 threads.
    assert!(all[0].2 > 0.98 && all[0].3 == 0.0, "{all:?}");
    assert!(all[1].2 > 0.9 && all[2].2 > 0.9, "{all:?}");
    // With the short loop inside the grid it is the same.
    let inside = counted(&file, "n=5,m=92", &[&none[..], &["--grid", "2"]].concat());
    assert_eq!(inside, all);
    // Who asks for a block gets it: 11 threads of 32.
    let asked = [&none[..], &["--block-size", "32,8"]].concat();
    let asked = counted(&file, "n=5,m=92", &asked);
    // Each of them does a column of four: 92 cells are 3 blocks.
    assert_eq!((asked[0].0, asked[0].1), ([32, 8], 5 * 3), "{asked:?}");
    assert!(asked[0].2 < 0.35, "{asked:?}");
    // A plan says nothing of threads then, and so is the same when it is read again.
    let plan = |options: &[&str]| {
        let command = ["compile", &file, "--target", "cuda", "--emit", "plan"];
        printed(&[&command[..], &none, options].concat())
    };
    assert!(!plan(&[]).contains("threads ="));
    assert!(plan(&["--block-size", "32,8"]).contains("threads = [32, 8]"));
    if has_opencl() {
        let command = run(&file, &["n=5 m=92"], &none);
        assert_eq!(difference_as_planned(command), None);
    }
}

/// Rows that begin with zeros; `FIRST` is the first column behind them, or should be.
const ENDS: &str = "void f(int n, int m, float a[restrict n][m], const float in[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2; j++)
            a[i][j] = 0;
        for (int j = FIRST; j < m; j++)
            a[i][j] = in[i][j] + 1;
    }
#pragma endscop
}
";

#[test]
fn beginnings_of_rows_are_not_waited_for() {
    let options = "--shape none --replay n=3,m=70";
    let barriers = |first: &str| {
        let name = format!("gpu_mapping_ends_{first}");
        let file = program(&name, &ENDS.replace("FIRST", first));
        let text = kernels(&file, options);
        (file, text.matches("barrier(").count())
    };
    let (file, apart) = barriers("2");
    assert_eq!(apart, 0);
    // One column is written twice, by different threads.
    assert_eq!(barriers("1").1, 1);
    if has_opencl() {
        let command = run(&file, &["n=3 m=70"], &["--shape", "none"]);
        assert_eq!(difference_as_planned(command), None);
    }
}

/// Each cell waits for its neighbours above and to the left.
const WAITING: &str = "void f(int n, float a[restrict n + 1][n + 1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i + 1][j + 1] += a[i][j + 1] + a[i + 1][j];
#pragma endscop
}
";

#[test]
fn threads_share_the_wavefronts_of_a_tile() {
    let file = program("gpu_mapping_waiting", WAITING);
    let plain = ["--local-memory", "none"];
    // Two by two tiles of 32 by 32: three launches with a block for each tile. A tile has 63
    // wavefronts of at most 32 cells, each the work of one warp.
    let all = counted(&file, "n=64", &plain);
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].0, all[0].1), ([32, 8], 4), "{all:?}");
    let full = 32.0 * 32.0 / (63.0 * 32.0);
    assert!((all[0].2 - full).abs() < 1e-9, "{all:?}");
    // Without, one thread does it all.
    let alone = counted(&file, "n=64", &[&plain[..], &["--no-wavefront"]].concat());
    assert!((alone[0].2 - 1.0 / 32.0).abs() < 1e-9, "{alone:?}");
    if has_opencl() {
        for options in [&[][..], &plain] {
            let command = run(&file, &["n=75"], options);
            assert_eq!(difference_as_planned(command), None, "{options:?}");
        }
    }
}

/// The same in space.
const WAITING_IN_SPACE: &str = "void f(int n, float a[restrict n + 1][n + 1][n + 1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i + 1][j + 1][k + 1] += a[i][j + 1][k + 1] + a[i + 1][j][k + 1] + a[i + 1][j + 1][k];
#pragma endscop
}
";

#[test]
fn wavefronts_of_three_loops_are_planes() {
    let file = program("gpu_mapping_waiting_in_space", WAITING_IN_SPACE);
    let options = ["--local-memory", "none", "--tile-sizes", "8,8,8"];
    let all = counted(&file, "n=24", &options);
    // The boxes around the tiles of the seven wavefronts have 1, 4, 9, 9, 9, 4 and 1 blocks where
    // all bounds are tight; whole squares each time would be 63.
    assert!((37..63).contains(&all[0].1), "{all:?}");
    // Rows of a tile's wavefronts, each the work of one warp: fifteen for each of eight planes.
    let full = 512.0 / (8.0 * 15.0 * 32.0);
    assert!((all[0].2 - full).abs() < 1e-9, "{all:?}");
    let text = kernels(&file, &options.join(" "));
    assert!(text.contains("get_local_id(1)") && text.contains("barrier("));
    if has_opencl() {
        let command = run(&file, &["n=21"], &options);
        assert_eq!(difference_as_planned(command), None);
    }
}

/// With an even height a step's buffers are `s` and `1 - s`, which are never the same: all threads of
/// the block compute. What copies the buffers behind the last band tests which of them it is, and a
/// block per buffer would copy a whole one.
#[test]
fn bands_of_two_steps_are_shared_by_threads() {
    for sizes in ["2,12,28", "4,8,24"] {
        let options = format!("--shape scalene --target cuda --tile-sizes {sizes}");
        let text = kernels("examples/stencils/heat-2d.c", &options);
        let alone = text.matches("if (tw_thread == 0) {\n        const").count();
        assert_eq!(alone, 0, "{sizes}: {text}");
        let grid = "const tw_index c0_first, const tw_index c1_chunk_first, \
                    const tw_index c2_chunk_first";
        assert_eq!(text.matches(grid).count(), 1, "{sizes}: {text}");
    }
}
