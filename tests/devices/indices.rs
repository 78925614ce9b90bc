//! Index arithmetic of 32 bits on devices: what the host compares before it launches kernels with
//! it, at the sizes where that changes, and what kernels get. The memory of such sizes is not there:
//! an OpenCL that only notes what it is asked for stands in for a driver.

use super::fibres::{has_fibres, on_fibres};
use crate::running::{self, compiled, finished, in_parallel, program, root, with_opencl_cache};
use std::path::{Path, PathBuf};
use std::process::Command;

const LINE: &str = "void shift(int n, float out[restrict n], const float in[restrict n])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        out[i] = 0.5f * (in[i - 1] + in[i + 1]);
#pragma endscop
}
";

const PLANE: &str =
    "void twice(int n, long m, float out[restrict n][m], const float in[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            out[i][j] = in[i][j] + (float)(i + 3 * j);
#pragma endscop
}
";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Builds a generated program with this `main` (its own text is seen there) and some files.
fn built(name: &str, text: &str, main: &str, files: &[&Path], libraries: &[&str]) -> PathBuf {
    let (file, made) = (path(&format!("{name}.built.c")), path(name));
    std::fs::write(&file, format!("{text}\n{main}")).expect("written");
    let mut cc = Command::new("cc");
    cc.args(["-O0", "-w", "-o"]).arg(&made).arg(&file);
    cc.args(files).args(libraries);
    let (status, _, messages) = finished(cc);
    assert_eq!(status, 0, "{messages}");
    made
}

/// A program on the driver that only notes.
fn noted(name: &str, text: &str, call: &str) -> PathBuf {
    let main = format!(
        "int main(int count, char **values)
{{
    const long n = atol(values[1]), m = count > 2 ? atol(values[2]) : 0;
    {call}
    return 0;
}}
"
    );
    let recorder = root().join("tests/opencl/recorder.c");
    built(name, text, &main, &[&recorder], &[])
}

/// What a program's driver noted for some sizes.
fn said(program: &Path, sizes: &[i64]) -> String {
    let mut command = Command::new(program);
    command.args(sizes.iter().map(i64::to_string));
    let (status, out, messages) = finished(command);
    let refused = messages.contains("blocks is too large");
    assert!(status == 0 || refused, "{sizes:?}: {messages}");
    out
}

/// The values of arguments of four bytes.
fn of_four_bytes(said: &str) -> Vec<i64> {
    let lines = said.lines().filter(|line| line.starts_with("argument"));
    let fields = lines.map(|line| line.split(' ').collect::<Vec<&str>>());
    let small = fields.filter(|fields| fields[2] == "4");
    small
        .map(|fields| fields[3].parse().expect("a number"))
        .collect()
}

fn has_headers() -> bool {
    let there = Path::new("/usr/include/CL/cl.h").exists();
    if !there {
        assert!(std::env::var_os("CI").is_none(), "no OpenCL headers");
        eprintln!("SKIPPED: 32-bit indices: there is no CL/cl.h");
    }
    there
}

const OPENCL: [&str; 2] = ["--target", "opencl"];

/// The number behind a word in a text.
fn number_behind(text: &str, word: &str) -> i64 {
    let from = text.find(word).expect(word) + word.len();
    let digits: String = text[from..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().expect("a number")
}

/// The parameter alone: up to the limit in the text, not beyond.
#[test]
fn a_size_beyond_the_limit_gets_64_bits() {
    if !has_headers() {
        return;
    }
    let file = program("indices-line", LINE);
    let (text, _) = compiled(&file, &OPENCL);
    // The block's first cell, its threads' cells and the step of a loop are below 2^31 with this.
    let limit = number_behind(&text, "tw_n <= ");
    assert!((1 << 24..=1 << 30).contains(&limit), "{limit}");
    let program = noted("indices-line-noted", &text, "shift((int)n, 0, 0);");
    for n in [3, limit - 1, limit] {
        let said = said(&program, &[n]);
        assert!(said.contains("-Dtw_index=int"), "{n}: {said}");
        assert!(!said.contains("=long"), "{n}: {said}");
        assert!(said.contains("launch"), "{n}: {said}");
    }
    for n in [limit + 1, i64::from(i32::MAX)] {
        let said = said(&program, &[n]);
        assert!(said.contains("-Dtw_index=long"), "{n}: {said}");
        assert!(!said.contains("=int"), "{n}: {said}");
        // No index that is given has 32 bits; the parameter is the program's `int`.
        assert!(of_four_bytes(&said).len() <= 1, "{said}");
    }
}

/// The number of cells, which 32 bits may hold and the extents need not show.
#[test]
fn arrays_beyond_the_limit_get_64_bits() {
    if !has_headers() {
        return;
    }
    let file = program("indices-plane", PLANE);
    let (text, _) = compiled(&file, &OPENCL);
    let program = noted("indices-plane-noted", &text, "twice((int)n, m, 0, 0);");
    let side = 1 << 15;
    for (n, m, bits) in [
        (5, 7, "int"),
        (side, side, "int"),
        (side, side + 1, "long"),
        (side + 1, side, "long"),
        (1 << 16, 1 << 16, "long"),
        // In 64 bits the product of these would be 0.
        (1 << 30, 1 << 34, "long"),
        (3, 1 << 32, "long"),
    ] {
        let said = said(&program, &[n, m]);
        let built: Vec<&str> = said.lines().filter(|l| l.starts_with("build")).collect();
        assert_eq!(built.len(), 1, "{said}");
        let expected = format!("-Dtw_index={bits}");
        assert!(built[0].contains(&expected), "{n} {m}: {said}");
        // Nothing that is launched with `int` was cut off.
        if bits == "int" {
            let given = of_four_bytes(&said);
            assert!(!given.is_empty() && given.iter().all(|&v| (0..=n.max(m)).contains(&v)));
        }
    }
}

#[test]
fn launches_of_too_many_blocks_are_refused() {
    if !has_headers() {
        return;
    }
    let file = program("indices-blocks", PLANE);
    let small = [&OPENCL[..], &["--block-size", "1,1", "--shape", "none"]].concat();
    let (text, _) = compiled(&file, &small);
    let program = noted("indices-blocks-noted", &text, "twice((int)n, m, 0, 0);");
    let mut command = Command::new(program);
    command.args(["1", "2147483648"]);
    let (status, out, messages) = finished(command);
    assert_eq!(status, 1, "{out}");
    assert!(
        messages.contains("a launch of 2147483648 blocks is too large"),
        "{messages}"
    );
    assert!(!out.contains("launch"), "{out}");
}

/// Rows are along y, where a launch has fewer blocks than some programs have rows.
#[test]
fn more_rows_than_a_launch_has_blocks_are_launched_in_parts() {
    if !has_headers() {
        return;
    }
    let file = program("indices-rows-noted", PLANE);
    let one_row = [&OPENCL[..], &["--block-size", "1,1", "--shape", "none"]].concat();
    let (text, _) = compiled(&file, &one_row);
    // Rows of a block.
    let height = number_behind(&text, "const tw_index c0 = ");
    assert!((1..=4).contains(&height), "{text}");
    let program = noted("indices-parts-noted", &text, "twice((int)n, m, 0, 0);");
    let most = 65_535;
    for (rows, parts) in [
        (1, vec![1]),
        (most, vec![most]),
        (most + 1, vec![most, 1]),
        (2 * most + 3, vec![most, most, 3]),
    ] {
        let said = said(&program, &[rows * height, 7]);
        let launches: Vec<&str> = said.lines().filter(|l| l.starts_with("launch")).collect();
        let expected: Vec<String> = parts.iter().map(|y| format!("launch 7 {y} 1")).collect();
        assert_eq!(launches, expected, "{said}");
    }
}

/// What the parts compute is every row, once.
#[test]
fn parts_of_a_launch_are_all_of_it() {
    let (status, ..) = finished({
        let mut command = with_opencl_cache(running::tilewright());
        command.arg("devices");
        command
    });
    if status != 0 {
        assert!(std::env::var_os("CI").is_none(), "no OpenCL");
        eprintln!("SKIPPED: parts of launches: no OpenCL");
        return;
    }
    let add = "void add(int l, int n, int m, int out[restrict l][n][m])
{
#pragma scop
    for (int h = 0; h < l; h++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                out[h][i][j] += h + 3 * i + j;
#pragma endscop
}
";
    let file = program("indices-all-parts", add);
    let small = [&OPENCL[..], &["--block-size", "1,1", "--shape", "none"]].concat();
    let (text, _) = compiled(&file, &small);
    let parts = "65535";
    assert!(text.matches(parts).count() >= 2, "{text}");
    let main = "int main(void)
{
    static int out[5][41][3];
    add(5, 41, 3, out);
    for (int h = 0; h < 5; h++)
        for (int i = 0; i < 41; i++)
            for (int j = 0; j < 3; j++)
                if (out[h][i][j] != h + 3 * i + j)
                    return 1;
    return 0;
}
";
    let failures = in_parallel(&["1", "2", "3", "65535"], |most| {
        let text = text.replace(parts, most);
        let made = built(
            &format!("indices-parts-{most}"),
            &text,
            main,
            &[],
            &["-lOpenCL"],
        );
        let (status, out, messages) = finished(with_opencl_cache(Command::new(made)));
        (status != 0).then(|| format!("{most}: {status} {out}{messages}"))
    });
    assert!(failures.is_empty(), "{failures:?}");
}

/// The kernels for larger sizes compute the same: with a smaller limit they are what runs.
#[test]
fn kernels_of_64_bits_compute_the_same() {
    let (status, _, messages) = finished({
        let mut command = with_opencl_cache(running::tilewright());
        command.arg("devices");
        command
    });
    if status != 0 {
        assert!(std::env::var_os("CI").is_none(), "no OpenCL: {messages}");
        eprintln!("SKIPPED: kernels of 64 bits: {messages}");
        return;
    }
    let file = program("indices-both", PLANE);
    let (text, _) = compiled(&file, &OPENCL);
    let limit = "const long most = 1L << 30;";
    assert_eq!(text.matches(limit).count(), 1);
    let main = "int main(void)
{
    static float in[13][17], out[13][17];
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 17; j++)
            in[i][j] = (float)(i * j);
    twice(13, 17, out, in);
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 17; j++)
            if (out[i][j] != (float)(i * j) + (float)(i + 3 * j))
                return 1;
    return 0;
}
";
    let failures = in_parallel(&["1L << 30", "220"], |most| {
        let text = text.replace(limit, &format!("const long most = {most};"));
        // 13 · 17 = 221
        let which = text.replace(
            "clBuildProgram(program,",
            "(puts(options), 0) ? 0 : clBuildProgram(program,",
        );
        let name = format!("indices-both-{}", most.len());
        let made = built(&name, &which, main, &[], &["-lOpenCL"]);
        let (status, out, messages) = finished(with_opencl_cache(Command::new(made)));
        let expected = match *most {
            "220" => "-Dtw_index=long",
            _ => "-Dtw_index=int",
        };
        let well = status == 0 && out.contains(expected);
        (!well).then(|| format!("{most}: {status} {out}{messages}"))
    });
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn indices_have_64_bits_where_asked_for_or_nothing_bounds_them() {
    let file = program("indices-asked", PLANE);
    let wide = [&OPENCL[..], &["--index-bits", "64"]].concat();
    let (text, _) = compiled(&file, &wide);
    assert!(!text.contains("tw_small") && !text.contains("(tw_index)"));
    let plan = [&wide[..], &["--emit", "plan"]].concat();
    assert!(compiled(&file, &plan).0.contains("index = \"long\""));
    let narrow = [&OPENCL[..], &["--emit", "plan"]].concat();
    assert!(!compiled(&file, &narrow).0.contains("index = \""));
    // Values of the program keep their types: `j` is a `long` there.
    let device = [&OPENCL[..], &["--emit", "device"]].concat();
    let (text, _) = compiled(&file, &device);
    assert!(text.contains("3 * (long)c"), "{text}");
    // Bounds that are data.
    let (text, _) = compiled("examples/dynamic/spmv-csr.c", &device);
    assert!(text.contains("for (long "), "{text}");
}

/// CUDA C has templates for the two.
#[test]
fn cuda_has_templates() {
    let file = program("indices-cuda", PLANE);
    for target in ["cuda", "hip"] {
        let (text, _) = compiled(&file, &["--target", target, "--emit", "device"]);
        let kernel = "template <typename tw_index> __global__ void";
        assert_eq!(text.matches(kernel).count(), 1, "{text}");
        for one in ["tw_twice_0_k0<int><<<", "tw_twice_0_k0<long><<<"] {
            assert_eq!(text.matches(one).count(), 1, "{one} in {text}");
        }
        let (check, int) = (
            text.find("if (tw_small) {"),
            text.find("tw_twice_0_k0<int><<<"),
        );
        let long = text.find("tw_twice_0_k0<long><<<");
        assert!(check.is_some() && check < int && int < long, "{text}");
    }
}

/// Two dimensions in one subscript, in front of another: strides of both are in the rows' elements.
#[test]
fn one_subscript_for_two_dimensions_in_front_of_rows() {
    if !has_fibres() {
        return;
    }
    let text =
        "void weigh(int h, int w, float out[restrict h * w][2], const float in[restrict h * w][3])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            out[y * w + x][0] = in[y * w + x][0] + 2 * in[y * w + x][2];
            out[y * w + x][1] = in[y * w + w - 1 - x][1];
        }
#pragma endscop
}
";
    let file = program("indices-rows", text);
    let (kernels, _) = compiled(&file, &["--target", "cuda", "--emit", "device"]);
    assert!(kernels.contains("__global__"), "{kernels}");
    let command = on_fibres(running::run(&file, &["h=37 w=70", "h=1 w=3"]), "cuda");
    let (status, _, messages) = finished(command);
    assert_eq!(status, 0, "{messages}");
}
