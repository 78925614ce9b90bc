//! Loops whose bounds are data, in orders that the planner would not choose: where rows are empty,
//! full, mixed or negative, nothing is read that is not there and nothing is computed that was not.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use tilewright::compile::{Options, compile};
use tilewright::plan::{Fuse, Shape};
use tilewright::source::Source;
use tilewright_cases::{all, share};

const HEAD: &str = "(int N, int W, const int a[restrict N], const int b[restrict N], \
     const int c[restrict N], long x[restrict 24][24], long y[restrict 24][24], \
     int cnt[restrict 24])";

/// Loops; of the data, `a` is at most 20 and `b` and `c` are from 0 to 3.
const LOOPS: [&str; 14] = [
    // Nothing that is computed needs the inner loop of another statement.
    "for (int i = 0; i < N; i++)
        for (int j = 1; j < a[i]; j++) {
            for (int k = 0; k < W; k++)
                x[j][i + 2] = x[k][j] + 3;
            cnt[c[i]] += 1;
        }",
    "for (int i = 0; i < N; i++)
        for (int j = b[i]; j < a[i]; j++) {
            for (int k = 0; k < W; k++)
                x[j][i + 2] = x[k][j] + 3;
            cnt[c[i]] += 1;
        }",
    "for (int i = 1; i < N; i++)
        for (int j = 0; j < a[i - 1]; j++) {
            x[i][j] = x[i - 1][j] + 1;
            if (i < W)
                y[j][i] += x[i][j];
        }",
    "for (int i = 0; i < N; i++)
        for (int j = a[i] - 1; j >= 1; j--) {
            x[j][i + 2] = x[j - 1][i] + 3;
            for (int k = 1; k < W; k++)
                y[i][k] = y[i][k - 1] + x[j][k];
        }",
    "for (int i = 0; i < N; i++)
        for (int j = 1; j < a[i]; j += 2) {
            for (int k = 0; k < W; k++)
                x[j][i + 2] = x[k][j] + 3;
            cnt[c[i]] += 1;
        }",
    "for (int i = 0; i < N; i++) {
        for (int j = 0; j < a[i]; j++)
            x[i][j] = 2 * i + j;
        for (int j = 0; j < b[i]; j++)
            y[i][j] = x[i][j] + x[i][j + 1];
    }",
    "for (int i = 0; i < N; i++) {
        for (int j = 1; j < a[i]; j++)
            x[i + 1][j] = x[i][j - 1];
        for (int k = 0; k < W; k++)
            for (int j = 1; j < b[i]; j++)
                y[k][j] = y[k + 1][j - 1] + x[i][j];
    }",
    "for (int i = 0; i < N; i++)
        for (int j = 0; j < b[i]; j++)
            for (int k = 0; k < c[j]; k++) {
                x[j][k] += y[i][k];
                cnt[c[i]] += k;
            }",
    "for (int i = 0; i < N; i++)
        for (int j = 0; j < a[i]; j++)
            if ((i + j) % 3 == 1)
                x[j][i / 2] += y[j / 2][i] + W;",
    "for (int k = 0; k < W; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < a[i]; j++)
                x[i][j] = x[i][j + 1] + y[k][j];",
    "for (int k = 0; k < W; k++) {
        for (int i = 0; i < N; i++)
            y[k][i] = x[i][k];
        for (int i = k; i < N; i++)
            for (int j = i; j < a[i]; j++)
                x[i][j] += y[k][i] * y[k + 1][j];
    }",
    "for (int i = 0; i < N; i++) {
        int j = 0;
        while (j < a[i]) {
            x[i][j] = x[i][j / 2] + 1;
            j++;
        }
    }",
    "for (int i = N - 1; i >= 0; i--)
        for (int j = 0; j < a[i] && j < W; j++) {
            x[j][i] += x[j][i + 1];
            y[i][j] += x[j][i];
        }",
    "for (int k = 0; k < W; k++)
        for (int i = 0; i < N; i++)
            if (a[i] > 3)
                for (int j = 0; j < b[i]; j++)
                    x[i + 1][j] += x[i][j] + k;",
];

/// What is asked for.
fn wishes() -> Vec<Options> {
    let with = |shape, fuse, sizes: Option<Vec<i64>>| {
        let mut options = Options::default();
        options.wishes.shape = shape;
        options.wishes.fuse = fuse;
        options.wishes.tile_sizes = sizes;
        options
    };
    vec![
        with(None, None, None),
        with(None, Some(Fuse::Max), Some(vec![0])),
        with(Some(Shape::Parallelogram), Some(Fuse::Max), None),
        with(
            Some(Shape::Parallelogram),
            Some(Fuse::Smart),
            Some(vec![2, 3]),
        ),
        with(Some(Shape::None), Some(Fuse::Written), None),
    ]
}

const MAIN: &str = r#"
#define CELLS (24 * 24)
typedef void kernel(int, int, const int *restrict, const int *restrict, const int *restrict,
                    long (*restrict)[24], long (*restrict)[24], int *restrict);
static unsigned state = 7;
static int next(int most) { state = state * 1103515245u + 12345u; return (int)(state >> 16) % (most + 1); }
static int *ints(int n) { return malloc(sizeof(int) * (n > 0 ? n : 1)); }
static int differs(kernel *original, kernel *result, int N, int W, int kind)
{
    int *a = ints(N), *b = ints(N), *c = ints(N);
    for (int i = 0; i < N; i++) {
        a[i] = kind == 0 ? 0 : kind == 1 ? 20 : kind == 2 ? next(20) : kind == 3 ? -3 : next(8) - 4;
        b[i] = kind == 0 ? 0 : next(N < 3 ? N : 3);
        c[i] = N < 4 ? 0 : next(3);
    }
    long (*x[2])[24], (*y[2])[24];
    int *cnt[2];
    for (int k = 0; k < 2; k++) {
        x[k] = malloc(CELLS * sizeof(long)), y[k] = malloc(CELLS * sizeof(long));
        cnt[k] = ints(24);
        for (int i = 0; i < CELLS; i++) ((long *)x[k])[i] = i % 7, ((long *)y[k])[i] = i % 5;
        for (int i = 0; i < 24; i++) cnt[k][i] = 0;
    }
    original(N, W, a, b, c, x[0], y[0], cnt[0]);
    result(N, W, a, b, c, x[1], y[1], cnt[1]);
    int wrong = memcmp(x[0], x[1], CELLS * sizeof(long)) || memcmp(y[0], y[1], CELLS * sizeof(long)) ||
                memcmp(cnt[0], cnt[1], 24 * sizeof(int));
    for (int k = 0; k < 2; k++) free(x[k]), free(y[k]), free(cnt[k]);
    free(a), free(b), free(c);
    return wrong;
}
"#;

/// One loop as every fourth wish has it, where `TILEWRIGHT_TEST_ALL` is set as every one, as a program
/// that compares each with the original: its text, and how many of the results restore what bounds
/// are.
fn program(number: usize, loops: &str) -> (String, usize) {
    let mut text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n".to_owned();
    let (mut calls, mut restored) = (String::new(), 0);
    let _ = writeln!(text, "static void original_{number}{HEAD}\n{{\n{loops}\n}}");
    for (wish, options) in share(wishes().iter().enumerate(), 4, number % 4) {
        let region = format!("void kernel{HEAD}\n{{\n#pragma scop\n{loops}\n#pragma endscop\n}}\n");
        let source = Source {
            name: "test.c".to_owned(),
            preprocessed: format!("# 1 \"test.c\"\n{region}"),
            text: region,
            ..Source::default()
        };
        let compiled = compile(&source, options, None, &mut |_| {}).unwrap();
        for warning in &compiled.warnings {
            assert_ne!(warning.code, "TW0901", "{loops}\n{warning:?}");
        }
        restored += usize::from(compiled.text.contains("_end"));
        let name = format!("static void result_{number}_{wish}(");
        text.push_str(&compiled.text.replacen("void kernel(", &name, 1));
        let _ = writeln!(calls, "    TRY(original_{number}, result_{number}_{wish})");
    }
    text.push_str(MAIN);
    let _ = writeln!(
        text,
        "#define TRY(f, g) \\
    for (unsigned n = 0; n < 5; n++) \\
        for (int w = -1; w < 4; w++) \\
            for (int kind = 0; kind < 5; kind++) \\
                if (differs((kernel *)f, (kernel *)g, sizes[n], w, kind)) \\
                    wrong++, printf(\"%s: N = %d, W = %d, data %d\\n\", #g, sizes[n], w, kind);
int main(void)\n{{\n    static const int sizes[] = {{0, 1, 3, 4, 17}};\n    int wrong = 0;\n{calls}    \
         return wrong != 0;\n}}"
    );
    (text, restored)
}

/// Builds a program with sanitizers and runs it.
fn run(folder: &Path, number: usize, text: &str) {
    let source = folder.join(format!("test_{number}.c"));
    let program = folder.join(format!("test_{number}"));
    std::fs::write(&source, text).unwrap();
    let built = Command::new("gcc")
        .args(["-std=gnu99", "-O0", "-g", "-fopenmp", "-w"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize=vla-bound"])
        .args(["-fno-sanitize-recover=undefined"])
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    let ran = Command::new(&program)
        .env("OMP_NUM_THREADS", "2")
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output()
        .unwrap();
    if !ran.status.success() {
        let kept = std::env::temp_dir().join("data-bounds.c");
        std::fs::write(&kept, text).unwrap();
        panic!(
            "{}\n{}\n{}",
            String::from_utf8_lossy(&ran.stdout),
            String::from_utf8_lossy(&ran.stderr),
            kept.display()
        );
    }
}

#[test]
fn data_that_is_not_there_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let (next, restored) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(loops) = LOOPS.get(number) else {
                break;
            };
            let (text, ours) = program(number, loops);
            restored.fetch_add(ours, Ordering::Relaxed);
            run(folder.path(), number, &text);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let restored = restored.into_inner();
    assert!(
        restored > LOOPS.len() / if all() { 1 } else { 2 },
        "only {restored} with data for bounds"
    );
}
