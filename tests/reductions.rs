//! Sums into cells that data picks: in parts and with atomic updates, with two threads and on a
//! device, on inputs with one huge bin. What is added are numbers of which all sums are exact,
//! except where the test says otherwise: then not one contribution may be lost or counted twice.

use crate::devices::opencl::has_opencl;
use crate::running::{self, answer, program};
use std::path::Path;

/// What `run` reports.
fn run(file: &str, parameters: &str, options: &[&str]) -> serde_json::Value {
    let mut arguments = vec!["run", file, "--threads", "3", "--runs", "0", "--json"];
    arguments.extend(["--cflags", "-O0 -fopenmp"]);
    for parameter in parameters.split_whitespace() {
        arguments.extend(["--param", parameter]);
    }
    arguments.extend(options);
    if !options.contains(&"--target") {
        arguments.extend(["--fork-operations", "0"]);
    }
    let (status, out, messages) = answer(&arguments);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_default();
    assert_eq!(
        status, 0,
        "{file} {parameters} {options:?}: {out}{messages}"
    );
    report
}

/// The text for one target, from the region on.
fn compiled(file: &str, options: &[&str]) -> String {
    running::compiled(file, options).0
}

/// Three sums in one loop; two thirds of the keys are the same, some bins get nothing.
fn sums() -> String {
    let arguments = "int n, int bins, int key[restrict n], double weight[restrict n],
        long count[restrict bins], double sum[restrict bins], float less[restrict bins]";
    format!(
        "void sums_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        key[i] = i % 3 ? bins / 2 : (int)((i * 2654435761u >> 7) % (unsigned)bins);
        weight[i] = i % 17 * 0.25;
    }}
    for (int b = 0; b < bins; b++) {{
        count[b] = b;
        sum[b] = 1.0;
        less[b] = 0.5f;
    }}
}}
void sums({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        count[key[i]] += 1 + i % 2;
        sum[key[i]] += weight[i];
        if (key[i] > 0)
            less[key[i]] -= weight[i];
    }}
#pragma endscop
}}"
    )
}

/// Products of a symmetric sparse matrix: what is below the diagonal adds to other rows, as in
/// equake's smvp.
fn symmetric() -> String {
    let arguments = "int n, int nnz, int row[restrict n + 1], int col[restrict nnz],
        double val[restrict nnz], double v[restrict n], double w[restrict n]";
    format!(
        "void symmetric_init({arguments}) {{
    for (int i = 0; i <= n; i++)
        row[i] = i < n / 3 ? 0 : i < n / 2 ? nnz / 2 : i == n ? nnz : nnz / 2 + 1;
    for (int j = 0; j < nnz; j++) {{
        col[j] = (int)((j * 2654435761u >> 7) % (unsigned)n);
        val[j] = 1.0 / (j % 23 + 1);
    }}
    for (int i = 0; i < n; i++) {{
        v[i] = 1.0 / (i + 3);
        w[i] = 0.0;
    }}
}}
void symmetric({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        double sum = 0.0;
        for (int j = row[i]; j < row[i + 1]; j++) {{
            sum += val[j] * v[col[j]];
            w[col[j]] += val[j] * v[i];
        }}
        w[i] += sum;
    }}
#pragma endscop
}}"
    )
}

#[test]
fn histograms_lose_nothing() {
    let file = "examples/dynamic/histogram.c";
    // All rows in use, none, one, and even ones; one bin only.
    for parameters in [
        "n=70 m=33 bins=7 shape=0",
        "n=70 m=33 bins=7 shape=1",
        "n=70 m=33 bins=1 shape=2",
        "n=3 m=33 bins=300 shape=3",
    ] {
        for how in ["privatise", "atomic"] {
            let report = run(file, parameters, &["--reductions", how]);
            assert_eq!(report["identical"], true, "{parameters} {how}");
        }
    }
    let text = |how| compiled(file, &["--reductions", how]);
    let atomic = text("atomic");
    let (_, update) = atomic.split_once("#pragma omp atomic\n").unwrap();
    assert!(
        update.lines().next().unwrap().contains("] += 1;"),
        "{update}"
    );
    assert!(text("privatise").contains("tw_count_parts"));
    // The model: a copy of 2048 numbers fits a cache.
    assert!(text("auto").contains("tw_count_parts"));
    assert!(!text("none").contains("omp parallel"));
}

#[test]
fn several_sums_in_one_loop() {
    let file = program("sums", &sums());
    for how in ["privatise", "atomic"] {
        let options = ["--reductions", how, "--reassociate"];
        for parameters in ["n=5000 bins=11", "n=63 bins=2"] {
            let report = run(&file, parameters, &options);
            assert_eq!(report["identical"], true, "{parameters} {how}");
            assert_eq!(report["reordered"], serde_json::json!(["sum", "less"]));
        }
        assert!(compiled(&file, &options).contains("omp parallel for"));
    }
    // Copies belong to iterations: with any number of threads the same bits.
    let options = ["--reductions", "privatise", "--reassociate"];
    assert!(!compiled(&file, &options).contains("atomic"));
}

/// Sums of floating-point numbers keep their order unless something allows another one.
#[test]
fn floating_sums_need_permission() {
    let text = symmetric();
    let file = program("symmetric", &text);
    for how in ["auto", "privatise", "atomic"] {
        let text = compiled(&file, &["--reductions", how]);
        assert!(!text.contains("omp parallel"), "{text}");
    }
    let report = run(&file, "n=40 nnz=300", &[]);
    assert_eq!(report["identical"], true);
    let pragma = "#pragma scop\n#pragma pencil independent reduction(+: w)";
    let said = program("symmetric_said", &text.replace("#pragma scop", pragma));
    for (file, more) in [(&file, &["--reassociate"][..]), (&said, &[])] {
        for how in ["privatise", "atomic"] {
            let mut options = vec!["--reductions", how];
            options.extend(more);
            let text = compiled(file, &options);
            assert!(text.contains("omp parallel for"), "{text}");
            let report = run(file, "n=40 nnz=300", &options);
            assert_eq!(report["accepted"], true, "{how}");
            assert_eq!(report["reordered"], serde_json::json!(["w"]));
        }
    }
}

/// A plan says what is summed up how; one that says it of something else is refused.
#[test]
fn plans_name_sums() {
    let file = "examples/dynamic/histogram.c";
    let plan = compiled(file, &["--reductions", "privatise", "--emit", "plan"]);
    assert!(plan.contains("partial = [\"count:64\"]"), "{plan}");
    let refused = |name: &str, from: &str, to: &str| {
        assert!(plan.contains(from), "{plan}");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
        std::fs::write(&path, plan.replace(from, to)).expect("written");
        let path = path.to_str().expect("plain names");
        let (status, _, messages) = answer(&["compile", file, "--plan", path]);
        assert_eq!(status, 1, "{messages}");
        messages
    };
    let messages = refused("no_sum", "count:64", "used:64");
    assert!(messages.contains("no array that the region only adds to"));
    let messages = refused("no_copies", "count:64", "count:0");
    assert!(messages.contains("ARRAY:COPIES"), "{messages}");
}

#[test]
fn sums_on_a_device() {
    if !has_opencl() {
        return;
    }
    let histogram = "examples/dynamic/histogram.c";
    let sums = program("device_sums", &sums());
    for how in ["privatise", "atomic"] {
        let options = ["--reductions", how, "--reassociate", "--target", "opencl"];
        for parameters in ["n=70 m=33 bins=7 shape=0", "n=70 m=33 bins=1 shape=2"] {
            let report = run(histogram, parameters, &options);
            assert_eq!(report["identical"], true, "{parameters} {how}");
        }
        let report = run(&sums, "n=5000 bins=11", &options);
        assert_eq!(report["identical"], true, "{how}");
    }
    let options = [
        "--reductions",
        "atomic",
        "--reassociate",
        "--emit",
        "device",
    ];
    let text = |target: &str| {
        let mut all = options.to_vec();
        all.extend(["--target", target]);
        compiled(&sums, &all)
    };
    let opencl = text("opencl");
    assert!(opencl.contains("tw_atomic_add_double(&"), "{opencl}");
    assert!(opencl.contains("cl_khr_int64_base_atomics"), "{opencl}");
    let cuda = text("cuda");
    assert!(cuda.contains("atomicAdd(&"), "{cuda}");
    assert!(cuda.contains("atomicAdd((unsigned long long *)&"), "{cuda}");
}
