//! Regions in two versions: what the generated code takes for granted is compared when the program
//! runs, and where it does not hold the original is executed. Functions are called with memory that
//! overlaps and with sizes for which nothing holds, and leave the same bytes behind as their
//! originals; and it is counted which of the two versions runs.

use crate::running::{compiled, directory, program, root};
use std::path::Path;
use std::process::Command;

/// A program, and calls of its function `k`: arguments, `M` being 4096 bytes of memory, with the
/// number of regions whose generated code runs.
pub struct Case {
    pub name: &'static str,
    pub text: &'static str,
    pub calls: &'static [(&'static str, u32)],
}

const CASES: &[Case] = &[
    Case {
        name: "two_arrays",
        text: "
void k(int n, double a[n], double b[n]) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = 2 * a[i] + 1;
#pragma endscop
}",
        calls: &[
            ("40, D, D + 40", 1),
            ("40, D + 40, D", 1),
            ("40, D, D + 39", 0),
            ("40, D + 39, D", 0),
            ("40, D, D + 1", 0),
            ("40, D + 1, D", 0),
            ("40, D, D", 0),
            ("40, D, D + 200", 1),
            ("1, D, D + 1", 1),
            ("1, D, D", 0),
            ("0, D, D", 1),
            ("-1, D, D", 1),
        ],
    },
    Case {
        name: "array_and_pointer",
        text: "
void k(int n, const float a[n], float *b) {
#pragma scop
  for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
#pragma endscop
}",
        calls: &[
            ("30, F, F + 100", 1),
            ("30, F, F + 29", 1),
            ("30, F, F + 28", 0),
            // The last written element is number 28.
            ("30, F + 29, F", 1),
            ("30, F + 28, F", 0),
            ("30, F, F + 1", 0),
            ("30, F + 1, F", 0),
            ("2, F, F", 1),
            ("-5, F, F", 1),
        ],
    },
    Case {
        name: "pointers_behind_each_other",
        text: "
void k(int n, int *a, int *b, int *c) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[i] * 3;
  for (int i = 0; i < n; i++) c[i] = b[n - 1 - i] + a[i];
#pragma endscop
}",
        calls: &[
            ("50, I, I + 50, I + 100", 1),
            ("50, I + 100, I + 50, I", 1),
            ("50, I, I + 50, I + 99", 0),
            ("50, I, I + 50, I", 0),
            ("50, I, I, I + 60", 0),
            ("50, I, I + 49, I + 200", 0),
            ("0, I, I, I", 1),
        ],
    },
    Case {
        name: "characters",
        text: "
void k(int n, const int *from, unsigned char *to) {
#pragma scop
  for (int i = 0; i < n; i++) to[i] = from[i] / 3 + 7;
#pragma endscop
}",
        calls: &[
            ("60, I, B + 240", 1),
            ("60, I, B + 239", 0),
            ("60, I, B", 0),
            ("60, I, B + 1", 0),
            ("60, I + 15, B", 1),
            ("60, I + 14, B", 0),
            ("60, I + 15, B + 1", 0),
        ],
    },
    Case {
        name: "signs",
        text: "
void k(int n, const unsigned *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = (int)(a[i] >> 3) + 1;
#pragma endscop
}",
        calls: &[
            ("60, (unsigned *)I, I + 60", 1),
            ("60, (unsigned *)I, I + 59", 0),
            ("60, (unsigned *)I + 1, I", 0),
        ],
    },
    Case {
        name: "other_types",
        text: "
void k(int n, const float *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[i] > 0;
#pragma endscop
}",
        // C says that they are different memory.
        calls: &[("60, F, I + 60", 1)],
    },
    Case {
        name: "fields",
        text: "
struct grid { double *cells; int w, h; };
void k(struct grid *g, double *out) {
#pragma scop
  for (int i = 0; i < g->w; i++) out[i] = g->cells[i] + g->h;
#pragma endscop
}",
        calls: &[
            ("&(struct grid){ D, 40, 3 }, D + 40", 1),
            ("&(struct grid){ D, 40, 3 }, D + 39", 0),
            ("&(struct grid){ D + 1, 40, 3 }, D", 0),
            ("&(struct grid){ D, 0, 3 }, D", 1),
        ],
    },
    Case {
        name: "sizes_behind_pointers",
        text: "
struct sizes { int n; int step; };
void k(const struct sizes *s, int *out) {
#pragma scop
  for (int i = 0; i < s->n; i++) out[i] = i + s->step;
#pragma endscop
}",
        calls: &[
            ("SIZES(I, 30, 5), I + 2", 1),
            ("SIZES(I, 30, 5), I + 1", 0),
            ("SIZES(I, 30, 5), I", 0),
            ("SIZES(I + 30, 30, 5), I", 1),
            ("SIZES(I + 29, 30, 5), I", 0),
            ("SIZES(I, 0, 5), I", 1),
        ],
    },
    Case {
        name: "a_pointer_that_its_bytes_hold",
        text: "
struct image { unsigned char *data; long n; };
void k(struct image *im, unsigned char *out) {
#pragma scop
  for (long i = 0; i < im->n; i++) out[i] = im->data[i] ^ 1;
#pragma endscop
}",
        calls: &[
            ("IMAGE(B + 1024, B, 100), B + 100", 1),
            ("IMAGE(B + 1024, B, 100), B + 924", 1),
            ("IMAGE(B + 1024, B, 8), B + 1040", 1),
            ("IMAGE(B + 1024, B, 1), B + 1023", 1),
        ],
    },
    Case {
        name: "variables_of_the_file",
        text: "
static int size, factor[4] = { 3, 4, 5, 6 };
void k(int n, int *out) {
  size = n;
  int *to = out ? out : &size;
  int *or = out ? out : factor;
#pragma scop
  for (int i = 0; i < size; i++) to[i] = i + 10;
  for (int i = 0; i < 4; i++) or[i] = factor[3 - i];
#pragma endscop
  I[200] = size;
  for (int i = 0; i < 4; i++) I[201 + i] = factor[i];
}",
        calls: &[("30, I", 0), ("1, 0", 0)],
    },
    Case {
        name: "two_dimensions",
        text: "
void k(int n, int m, double a[n][m], double b[n][m]) {
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = a[i - 1][j] + a[i][j - 1] + a[i + 1][j];
#pragma endscop
}",
        calls: &[
            ("10, 12, (void *)D, (void *)(D + 120)", 1),
            ("10, 12, (void *)D, (void *)(D + 108)", 1),
            ("10, 12, (void *)D, (void *)(D + 107)", 0),
            ("10, 12, (void *)D, (void *)(D + 1)", 0),
            ("10, 12, (void *)(D + 1), (void *)D", 0),
            ("10, 12, (void *)(D + 108), (void *)D", 1),
            ("10, 12, (void *)(D + 107), (void *)D", 0),
            ("10, 2, (void *)D, (void *)D", 1),
            ("2, 12, (void *)D, (void *)D", 1),
        ],
    },
    Case {
        name: "rows_by_hand",
        text: "
void k(int n, int m, const float *a, float *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i * m + j] = a[i * m + j] * 2 + i;
#pragma endscop
}",
        calls: &[
            ("11, 13, F, F + 143", 1),
            ("11, 13, F, F + 142", 0),
            ("11, 13, F + 143, F", 1),
            ("11, 13, F + 142, F", 0),
            ("11, 13, F, F + 1", 0),
            ("0, 2147483647, F, F", 1),
            ("-2147483647, -2147483647, F, F", 1),
        ],
    },
    Case {
        name: "three_dimensions_by_hand",
        text: "
void k(int n, int m, int p, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < p; l++)
        b[(i * m + j) * p + l] = a[(i * m + j) * p + l] - l;
#pragma endscop
}",
        calls: &[
            ("5, 7, 9, I, I + 315", 1),
            ("5, 7, 9, I, I + 314", 0),
            ("5, 7, 9, I + 315, I", 1),
            ("5, 7, 9, I + 1, I", 0),
            ("0, 2147483647, 2147483647, I, I", 1),
        ],
    },
    Case {
        name: "planes",
        text: "
void k(int n, double a[n][6][7], double (*b)[6][7]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 6; j++)
      for (int l = 0; l < 7; l++)
        b[i][j][l] = a[i][5 - j][6 - l];
#pragma endscop
}",
        calls: &[
            ("5, (void *)D, (void *)(D + 210)", 1),
            ("5, (void *)D, (void *)(D + 209)", 0),
            ("5, (void *)D, (void *)D", 0),
        ],
    },
    Case {
        name: "strides",
        text: "
void k(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i += 3) b[2 * i + 1] = a[n - 1 - i];
#pragma endscop
}",
        calls: &[
            ("31, I, I + 31", 1),
            // The last written element is number 61.
            ("31, I + 62, I", 1),
            ("31, I + 61, I", 0),
            ("31, I + 32, I", 0),
            ("0, I, I", 1),
        ],
    },
    Case {
        name: "long_sizes",
        text: "
void k(long n, const int *a, int *b) {
#pragma scop
  for (long i = 0; i < (n < 9 ? n : 9); i++) b[i] = a[i] + 1;
#pragma endscop
}",
        calls: &[
            ("5, I, I + 5", 1),
            ("5, I, I + 4", 0),
            ("100, I, I + 9", 1),
            ("0x7fffffffffffffff, I, I + 8", 0),
            ("0x7fffffffffffffff, I, I + 1", 0),
            ("-0x7fffffffffffffff - 1, I, I + 1", 0),
        ],
    },
    Case {
        name: "unsigned_sizes",
        text: "
void k(unsigned n, unsigned long m, const int *a, int *b) {
#pragma scop
  for (unsigned i = n - 3; i < 20; i++) b[i] = a[i] + 1;
  for (unsigned long i = 0; i < (m < 9 ? m : 9); i++) b[i + 20] = a[i];
#pragma endscop
}",
        calls: &[
            ("5, 6, I, I + 20", 1),
            ("5, 6, I, I + 10", 0),
            ("3, 0, I, I + 20", 1),
            ("2, 0, I, I + 20", 0),
            ("0, 3, I, I + 20", 0),
            ("4000000000, 3, I, I + 20", 1),
            ("3, 0xffffffffffffffff, I, I + 20", 0),
            ("3, 0x8000000000000000, I, I + 200", 0),
        ],
    },
    Case {
        name: "several_regions",
        text: "
void k(int n, float *a, float *b, float *c) {
  int i;
#pragma scop
  for (i = 0; i < n; i++) b[i] = a[i] + 1;
#pragma endscop
  if (n > 0) c[n] = c[n - 1] + 3;
#pragma scop
#if 1
  for (i = 0; i < n; i++) /* a comment */ \\
    c[i] = b[i] * 2;
#endif
#pragma endscop
}",
        calls: &[
            ("33, F, F + 33, F + 66", 2),
            ("33, F, F + 32, F + 66", 1),
            ("33, F, F + 33, F + 34", 1),
            ("33, F, F, F", 0),
            ("0, F, F, F", 2),
        ],
    },
    Case {
        name: "a_sum_behind_a_pointer",
        text: "
void k(int n, const double *a, double *sum) {
#pragma scop
  for (int i = 0; i < n; i++) sum[0] += a[i];
#pragma endscop
}",
        calls: &[
            ("33, D, D + 33", 1),
            ("33, D, D + 32", 0),
            ("33, D + 1, D", 1),
            ("33, D, D + 5", 0),
            ("0, D, D", 1),
        ],
    },
    Case {
        name: "local_arrays",
        text: "
void k(int n, int *a) {
  int own[40], *p = n > 20 ? own : a;
  for (int i = 0; i < 40; i++) own[i] = i;
#pragma scop
  for (int i = 0; i < n; i++) p[i] = own[39 - i] * a[i];
#pragma endscop
  for (int i = 0; i < 40; i++) a[100 + i] = own[i];
}",
        calls: &[("10, I", 0), ("30, I", 0), ("0, I", 1)],
    },
];

/// What stands in front of both texts.
const FRONT: &str = include_str!("constructs/calls.h");

/// The two texts with their calls in one program, which says for each call what differs and how
/// many regions' generated code ran.
fn outcome(case: &Case, options: &[&str]) -> String {
    let text = source(case);
    let name = format!("versions_{}", case.name);
    let (result, messages) = compiled(&program(&name, &text), options);
    assert!(!messages.contains("warning"), "{name}: {messages}");
    executed(case, &result, "cc", case.name)
}

/// The text of a case with what stands in front.
pub fn source(case: &Case) -> String {
    let number = match case.calls[0].0 {
        call if call.contains("D") => "double",
        call if call.contains("F") => "float",
        _ => "int",
    };
    format!("#define NUMBER {number}\n{FRONT}{}", case.text)
}

/// A case's text and what was made of it, built in a folder of some name, as [`outcome`] says it.
pub fn executed(case: &Case, result: &str, compiler: &str, folder: &str) -> String {
    let calls: Vec<&str> = case.calls.iter().map(|(arguments, _)| *arguments).collect();
    let texts = Texts {
        original: &source(case),
        result,
    };
    texts.executed(&calls, compiler, &directory(folder))
}

/// A file with a function `k`, and what was made of it.
pub struct Texts<'a> {
    pub original: &'a str,
    pub result: &'a str,
}

impl Texts<'_> {
    /// Calls `k` of both with these arguments, each time with the same memory; for each call a line:
    /// `same` or `different`, and how many regions' generated code ran.
    pub fn executed(&self, calls: &[&str], compiler: &str, folder: &Path) -> String {
        let Texts { original, result } = self;
        let counting = result.replace("/* generated by", "generated++; /* generated by");
        let called = |run: &str| {
            let calls = calls.iter().enumerate();
            let calls = calls.map(|(at, arguments)| format!("case {at}: k({arguments}); break;"));
            let calls: Vec<String> = calls.collect();
            format!(
                "\nvoid {run}(int call) {{ fill(call); switch (call) {{ {} }} }}\n",
                calls.join("\n")
            )
        };
        let one = original.replace("void k(", "static void k(") + &called("original");
        let two = counting.replace("void k(", "static void k(") + &called("result");
        let main = format!(
            "#include <setjmp.h>\n#include <stdio.h>\n#include <string.h>\n\
             _Alignas(64) unsigned char M[4096], old[4096];\n\
             int generated; void original(int); void result(int);\n\
             static jmp_buf out; _Noreturn void leave(void) {{ longjmp(out, 1); }}\n\
             int main(void) {{ for (int c = 0; c < {}; c++) {{ \
             if (!setjmp(out)) original(c); memcpy(old, M, 4096); \
             generated = 0; if (!setjmp(out)) result(c); \
             printf(\"%s %d\\n\", memcmp(old, M, 4096) ? \"different\" : \"same\", generated); }} }}\n",
            calls.len()
        );
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("written");
            path
        };
        let texts = [
            file("one.c", &one),
            file("two.c", &two),
            file("main.c", &main),
        ];
        let binary = folder.join("program");
        let mut cc = Command::new(compiler);
        cc.args(["-O1", "-w", "-ffp-contract=off"]);
        // Newer compilers take these for errors, `-w` or not.
        cc.args(["-Wno-implicit-int", "-Wno-implicit-function-declaration"]);
        cc.arg("-I").arg(root().join("tests/constructs"));
        // Functions beside `k` are not called.
        cc.arg("-Wl,--allow-multiple-definition");
        // Not every clang has the runtimes of OpenMP and of the sanitizers.
        if compiler != "clang" {
            cc.args(["-fopenmp", "-fno-sanitize-recover=all"]);
            cc.arg("-fsanitize=signed-integer-overflow,bounds,float-cast-overflow");
        }
        cc.arg("-o").arg(&binary).args(&texts).arg("-lm");
        let built = cc.output().expect("a C compiler");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}\n{result}");
        let run = Command::new(&binary).output().expect("it starts");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{said}\n{result}");
        String::from_utf8_lossy(&run.stdout).into_owned()
    }
}

#[test]
fn whatever_overlaps_the_bytes_are_the_same() {
    let mut wrong = Vec::new();
    for case in CASES {
        let expected = case.calls.iter().map(|(_, count)| format!("same {count}"));
        let expected: Vec<String> = expected.collect();
        // By default some of them are left as they are.
        let plain = outcome(case, &[]);
        let same = plain.lines().filter(|line| line.starts_with("same "));
        if same.count() != expected.len() {
            wrong.push(format!("{}: {plain}", case.name));
        }
        // Here all are generated anew.
        let found = outcome(case, &["--shape", "none"]);
        for ((line, expected), (call, _)) in found.lines().zip(&expected).zip(case.calls) {
            if line != expected {
                wrong.push(format!("{}({call}): {line}, not {expected}", case.name));
            }
        }
        assert_eq!(found.lines().count(), expected.len(), "{}", case.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
