//! Generated C where it is called: from several threads, inside a parallel region, with one thread
//! and with many, without memory, on arrays that begin anywhere, for no elements and for more than
//! 2^31, under valgrind.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Kernels, and options that give them scratchpads of threads, wavefronts, and sums.
const KERNELS: &str = r#"
#include <stdlib.h>
void kernel(int n, int m, float out[restrict n][m], const float in[restrict n][m],
            float *restrict line, long *restrict counts)
{
    float (*row)[m] = malloc(sizeof(float) * (n > 0 ? n : 1) * (m > 0 ? m : 1));
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            row[i][j] = in[i][j - 1] + 2 * in[i][j] + in[i][j + 1];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            out[i][j] = row[i - 1][j] + 2 * row[i][j] + row[i + 1][j];
#pragma endscop
#pragma scop
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < n - 1; i++)
            line[i] = (line[i - 1] + line[i] + line[i + 1]) * 0.25f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            counts[i] += (long)in[i][j];
#pragma endscop
    free(row);
}
"#;

const OPTIONS: [&str; 3] = ["", "--tile-sizes 3,7", "--fuse max --tile-sizes 4"];

/// Calls `kernel` and its original `written` as the first argument says.
const CALLER: &str = r#"
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS int n, int m, float *restrict out, const float *restrict in, \
                  float *restrict line, long *restrict counts
void kernel(ARGUMENTS);
void written(ARGUMENTS);

/* How often there is memory; negative: always. */
static int left = -1;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) { return left && (left < 0 || left--) ? __real_malloc(size) : 0; }

static int wrong;

/* One call of each on arrays that begin `offset` elements behind an aligned address. */
static void compare(int n, int m, int offset, int seed)
{
    size_t rows = n > 0 ? n : 0, cells = rows * (m > 0 ? m : 0), room = cells + 64;
    float *in = calloc(room, 4), *out[2], *line[2];
    long *counts[2];
    for (size_t i = 0; i < room; i++)
        in[i] = (float)((i * 7 + seed) % 23) - 5;
    for (int side = 0; side < 2; side++) {
        out[side] = calloc(room, 4);
        line[side] = calloc(rows + 64, 4);
        counts[side] = calloc(rows + 64, 8);
        for (size_t i = 0; i < rows + 64; i++)
            line[side][i] = (float)((i + seed) % 11), counts[side][i] = i;
        (side ? kernel : written)(n, m, out[side] + offset, in + offset, line[side] + offset,
                                  counts[side] + offset);
    }
    if (memcmp(out[0], out[1], room * 4) || memcmp(line[0], line[1], (rows + 64) * 4)
        || memcmp(counts[0], counts[1], (rows + 64) * 8))
        #pragma omp atomic
        wrong++;
    free(in);
    for (int side = 0; side < 2; side++)
        free(out[side]), free(line[side]), free(counts[side]);
}

static void *calls(void *seed)
{
    for (int k = 0; k < 5; k++)
        compare(20 + k, 30 - k, k, (int)(long)seed);
    return 0;
}

int main(int argc, char **argv)
{
    const char *how = argv[1];
    if (!strcmp(how, "sizes")) {
        const int sizes[] = {0, -1, INT_MIN + 1, 1, 2, 3, 5, 17};
        for (int i = 0; i < 8; i++)
            for (int j = 3; j < 8; j++)
                compare(sizes[i], sizes[j], 0, i);
        for (int offset = 0; offset < 17; offset++)
            compare(9, 21, offset, offset);
    } else if (!strcmp(how, "threads")) {
        pthread_t threads[6];
        for (long k = 0; k < 6; k++)
            pthread_create(&threads[k], 0, calls, (void *)k);
        for (int k = 0; k < 6; k++)
            pthread_join(threads[k], 0);
    } else if (!strcmp(how, "inside")) {
        for (int levels = 1; levels < 3; levels++) {
            omp_set_max_active_levels(levels);
            #pragma omp parallel num_threads(4)
            calls((void *)(long)omp_get_thread_num());
            #pragma omp parallel for schedule(dynamic)
            for (int k = 0; k < 6; k++)
                compare(20, 30, k, k);
        }
    } else if (!strcmp(how, "memory")) {
        compare(12, 12, 0, 1);
        float *all = calloc(4000, 4);
        long *counts = calloc(100, 8);
        left = 1;
        kernel(12, 12, all, all + 1000, all + 2000, counts);
    }
    if (wrong)
        printf("%d differ\n", wrong);
    return wrong != 0;
}
"#;

/// How `__builtin_trap` ends a program.
const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;

struct Place(TempDir);

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compiles `text` with options, and builds the result and the original with a caller.
    fn new(text: &str, options: &str, caller: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("original.c"), text).unwrap();
        fs::write(place.path("caller.c"), caller).unwrap();
        let mut compile = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        compile
            .env("TILEWRIGHT_MACHINE", "none")
            .current_dir(place.0.path());
        // However little there is to do.
        compile.args(["compile", "original.c", "-o", "result.c"]);
        compile.args(["--fork-operations", "0"]);
        finished(compile.args(options.split_whitespace()));
        let text = place.text();
        assert!(text.contains("generated by tilewright"), "{text}");
        let mut build = Command::new("cc");
        build
            .current_dir(place.0.path())
            .args(["-O1", "-w", "-ffp-contract=off", "-fopenmp"]);
        let original = ["-Dkernel=written", "-c", "original.c", "-o", "written.o"];
        finished(build.args(original));
        let mut build = Command::new("cc");
        build
            .current_dir(place.0.path())
            .args(["-O1", "-w", "-ffp-contract=off", "-fopenmp"]);
        build.args([
            "written.o",
            "result.c",
            "caller.c",
            "-o",
            "program",
            "-pthread",
            "-lm",
        ]);
        finished(build.arg("-Wl,--wrap=malloc"));
        place
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path("result.c")).unwrap()
    }

    fn call(&self, how: &str, threads: u32) -> Command {
        let mut command = Command::new(self.path("program"));
        command.arg(how).env("OMP_NUM_THREADS", threads.to_string());
        command
    }
}

#[track_caller]
fn finished(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{command:?}: {:?} {printed}{said}",
        output.status
    );
    output
}

/// From threads, inside parallel regions, for all sizes and beginnings, with one thread and many;
/// where there is no memory the program is stopped, and computes nothing wrong.
#[test]
fn callers() {
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    for options in OPTIONS {
        let place = Place::new(KERNELS, options, CALLER);
        for threads in [1, 64] {
            for how in ["sizes", "threads", "inside"] {
                finished(&mut place.call(how, threads));
            }
            let status = place.call("memory", threads).status().unwrap();
            let stopped = matches!(status.signal(), Some(SIGILL | SIGTRAP));
            assert!(stopped || status.success(), "{options}: {status:?}");
            let asks = place.text().contains("__builtin_trap");
            // One thread may get what the original's array would have taken.
            assert!(stopped == asks || threads == 1, "{options}: {status:?}");
            assert!(asks || !options.is_empty(), "threads have no scratchpads");
        }
        if has_valgrind {
            let mut checked = Command::new("valgrind");
            checked
                .args(["-q", "--error-exitcode=9"])
                .arg(place.path("program"));
            finished(checked.arg("sizes").env("OMP_NUM_THREADS", "1"));
        }
    }
}

const LARGE: &str = r#"
void kernel(long n, unsigned char a[restrict n], const unsigned char b[restrict n],
            unsigned char c[restrict 70000][70000],
            int count, int h, int w, int rows, int columns, unsigned char *restrict p)
{
#pragma scop
    for (long i = 0; i < n; i += 16777216)
        a[i] = b[i] + 1;
    for (int i = 0; i < 70000; i += 1000)
        for (int j = 0; j < 70000; j += 10000)
            c[i][j] = i / 1000 + j / 10000;
#pragma endscop
#pragma scop
    for (int k = 0; k < count; k++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++)
                p[(long)k * h * w + (long)y * w + x] += k + y + x + 1;
#pragma endscop
}
"#;

const LARGE_CALLER: &str = r#"
#include <stdio.h>
#include <sys/mman.h>
void kernel(long n, unsigned char *a, const unsigned char *b, unsigned char *c,
            int count, int h, int w, int rows, int columns, unsigned char *p);
static unsigned char *room(unsigned long size)
{
    void *all = mmap(0, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all == MAP_FAILED ? 0 : all;
}
int main(void)
{
    const long n = 5000000000;
    unsigned char *a = room(n), *b = room(n), *c = room(4900000000);
    if (!a || !b || !c)
        return puts("no room") < 0;
    for (long i = 0; i < n; i += 16777216)
        b[i] = i / 16777216;
    /* Planes of more bytes than an int holds. */
    const long h = 65536, w = 37000;
    unsigned char *p = room(3 * h * w);
    if (!p)
        return puts("no room") < 0;
    kernel(n, a, b, c, 3, h, w, 5, 300, p);
    int wrong = 0;
    for (long i = 0; i < n; i += 16777216)
        wrong += a[i] != (unsigned char)(i / 16777216 + 1);
    for (long i = 0; i < 70000; i += 1000)
        for (long j = 0; j < 70000; j += 10000)
            wrong += c[i * 70000 + j] != i / 1000 + j / 10000;
    for (long k = 0; k < 3; k++)
        for (long y = 0; y < 5; y++)
            for (long x = 0; x < 300; x++)
                wrong += p[(k * h + y) * w + x] != (unsigned char)(k + y + x + 1);
    return wrong != 0;
}
void *__real_malloc(unsigned long size);
void *__wrap_malloc(unsigned long size) { return __real_malloc(size); }
"#;

/// Arrays of more than 2^31 elements, of which few have memory.
#[test]
fn large_arrays() {
    for options in ["", "--tile-sizes 2", "--shape none"] {
        let place = Place::new(LARGE, options, LARGE_CALLER);
        assert!(Path::new(&place.path("program")).exists());
        finished(&mut place.call("", 2));
    }
}
