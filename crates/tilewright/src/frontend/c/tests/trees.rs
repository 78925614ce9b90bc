//! C in, trees out.

use super::{show, source, unit};
use crate::frontend::c::parse::parse;
use crate::frontend::c::syntax::StmtKind;
use crate::source::Source;
use insta::assert_snapshot;
use std::path::Path;
use std::process::Command;

fn tree(text: &str) -> String {
    show(&unit(text).1)
}

#[test]
fn loops_and_operators() {
    assert_snapshot!(tree(
        "void f(int n, float a[n], float *restrict b) {
           int i, j = 2;
         #pragma scop
           for (i = n - 1; i >= 0; i -= 2) {
             a[i] += -b[i] * (1 + 2.5f) - (a[i] - 3) - - 1;
             if (i % 2 == 0 && !(i > 4) || ~i & 1) a[i]++; else { --a[j], b[0] = i ? a[i] : (double)i; }
             ;
           }
           while (j < 3) j++;
         #pragma endscop
         }"
    ));
}

#[test]
fn types_of_parameters() {
    assert_snapshot!(tree(
        "typedef unsigned char byte; typedef float row[16]; typedef struct { float x, y; } point;
         typedef const double *samples;
         void f(int n, const float img[restrict 3][n + 4][n], double A[static 10][n], byte *p, row *rows,
                row r, point pts[n], samples s, float *const restrict q, int (*call)(int), long double x,
                volatile int v, double _Complex z, unsigned long long int u, short s1, signed char c,
                const int k, char *names[], float (*restrict m)[n][n], _Bool flag, void *anything, ...)
         {
         #pragma scop
           p[0] = 1;
         #pragma endscop
         }"
    ));
}

#[test]
fn declarations() {
    assert_snapshot!(tree(
        "#include <stdlib.h>
         enum { N = 4, M = 2 * N + 1, L = -M, K }; enum color { RED, BLUE = 'b' };
         static const int size = N; extern float table[]; float table[N][M];
         static float weights[3] = {1, 2, 3};
         union bits { float f; unsigned u; };
         struct node { struct node *next; float value[N]; union { int i; float f; }; unsigned flag : 3; };
         typedef struct later later; struct later { float v; };
         int f(struct node *list, later *l, enum color c) {
           float (*restrict tmp)[size] = malloc(sizeof(float[N][size])), *p, q[2] = {0};
           double *d = malloc(N * sizeof *d), local[size + M];
           union bits b; static int counter;
           extern float table[N][M];
         #pragma scop
           float t = list->value[K + 11] + l->v + RED + L;
           for (int i = 0, e = N; i < e; i++) tmp[i][0] = t * b.f + BLUE;
         #pragma endscop
           free(tmp);
           return *p + list->next->value[0];
         }"
    ));
}

#[test]
fn shadowing() {
    assert_snapshot!(tree(
        "float x[8]; typedef float T;
         void f(int n, float y[n]) {
         #pragma scop
           for (int i = 0; i < n; i++) {
             float x = y[i];
             { int y = i; x += y; }
             for (int i = 0; i < 2; i++) y[i] = x;
             T T = 2; y[i] = T * x;
           }
           x[0] = y[0];
         #pragma endscop
         }
         void g(float n, int x) { n = x; }"
    ));
}

#[test]
fn typedef_name_as_a_variable_and_tags_in_blocks() {
    assert_snapshot!(tree(
        "struct s { int a; };
         void f(struct s *p) {
           { struct s { float b; } *p2; p2->b = 1; }
           struct s { double c; } in;
         #pragma scop
           in.c = p->a;
         #pragma endscop
         }"
    ));
}

#[test]
fn several_regions_and_functions() {
    let (source, unit) = unit(
        "static void first(int n, float a[n]) {
         #pragma scop
           a[0] = 1;
         #pragma endscop
           a[1] = 2;
         #pragma scop
           a[2] = 3;
         #pragma endscop
         }
         int plain(void) { return 0; }
         void second(float a[4]) {
           for (int t = 0; t < 4; t++) {
         #pragma scop
             a[0] = 1;
         #pragma endscop
           }
         }",
    );
    let regions: Vec<_> = unit
        .regions
        .iter()
        .map(|r| (r.function, source.text[r.span.start..r.span.end].trim()))
        .collect();
    assert_eq!(
        regions,
        [(0, "a[0] = 1;"), (0, "a[2] = 3;"), (2, "a[0] = 1;")]
    );
    assert!(
        unit.regions
            .iter()
            .all(|r| source.text[r.pragma.start..r.pragma.end] == *"#pragma scop")
    );
    assert_snapshot!(show(&unit));
}

#[test]
fn pragmas_of_others() {
    assert_snapshot!(tree(
        "void f(int n, float a[n]) {
           #pragma omp parallel
           { a[0] = 0; }
         #pragma scop
           #pragma omp parallel for
           for (int i = 0; i < n; i++)
             #pragma omp simd
             for (int j = 0; j < n; j++) a[i] += j;
           #pragma pencil independent
           for (int i = 0; i < n; i++)
             #pragma pencil independent
             for (int j = 0; j < n; j++) a[i] += j;
         #pragma endscop
         }"
    ));
}

#[test]
fn macros_and_pragma_operator() {
    assert_snapshot!(tree(
        "#define N 10
         #define FOR(i, n) for (int i = 0; i < (n); i++)
         #define BEGIN _Pragma(\"scop\")
         void f(float a[N]) {
           BEGIN
           FOR(i, N) a[i] = N - __LINE__;
           _Pragma(\"endscop\")
         }"
    ));
}

#[test]
fn what_is_not_represented_stays_visible() {
    assert_snapshot!(tree(
        "#include <stdarg.h>
         typedef struct { int x; } point;
         float g(float);
         void f(int n, float a[n], float (*call)(float), va_list l) {
           point p = (point){n}; int t[3] = {[1] = n};
           do { a[0] = 1; if (n) break; } while (n);
           switch (n) { case 1: a[1] = 1; default: continue_here: a[2] = 2; }
           asm volatile (\"\" : : \"r\"(a));
           goto continue_here;
         #pragma scop
           a[3] = ({ float s = a[4]; s; }) + call(a[5]) + (&g)(1) + _Generic(n, int: a[6], default: 0);
           a[4] = va_arg(l, int) + sizeof(n) + sizeof(float[n]) + 1i + 0x1p3 + 'c' + 12345678901234567890u + 077 + 0b11;
           \"text\" \"more\"; _Static_assert(1, \"x\");
         #pragma endscop
         }"
    ));
}

#[test]
fn literals_keep_their_spelling() {
    let (_, unit) = unit(
        "void f(double a[1]) {\n#pragma scop\na[0] = 1UL + 0x10 + 010 + 1e-3f + 'x' + L'y' + .5;\n#pragma endscop\n}",
    );
    let StmtKind::Expression(e) = &unit.regions[0].statements[0].kind else {
        panic!("an expression")
    };
    assert_eq!(
        crate::frontend::c::types::expression(e, &unit.symbols),
        "a[0] = 1UL + 0x10 + 010 + 1e-3f + 'x' + L'y' + .5"
    );
}

#[test]
fn headers_give_types_but_no_symbols() {
    let (_, unit) = unit(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <stdint.h>\n#include <string.h>
         void f(uint8_t a[4], size_t n) {\n#pragma scop\na[0] = n;\n#pragma endscop\nfprintf(stderr, \"x\"); }",
    );
    let names: Vec<_> = unit.symbols.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["a", "n", "stderr"]);
    assert_eq!(unit.functions.len(), 1);
    assert!(
        show(&unit).contains("f(a: [4]uint8_t:U8, n: size_t:U64)"),
        "{}",
        show(&unit)
    );
}

#[test]
fn the_original_has_no_markers() {
    let text =
        "void f(int n, float a[n]) {\n#pragma scop\n  a[0] = n;\n#pragma endscop\n}\n".to_string();
    let plain = Source {
        name: "x.c".into(),
        text: text.clone(),
        preprocessed: text,
        ..Source::default()
    };
    assert!(parse(&plain).is_ok());
}

#[test]
fn every_example() {
    let mut files = vec![];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                files.push(path);
            }
        }
    }
    assert!(files.len() >= 6, "only {} examples", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the example");
        let name = file.display().to_string();
        let output = Command::new("cc")
            .args(["-E", "-D__attribute__(x)=", "-D__extension__="])
            .arg(&file)
            .output();
        let preprocessed = String::from_utf8(output.expect("cc").stdout).expect("UTF-8");
        let source = Source {
            name: name.clone(),
            text,
            preprocessed,
            ..Source::default()
        };
        match parse(&source) {
            Ok(unit) => assert!(!unit.regions.is_empty(), "{name}"),
            Err(diagnostics) => panic!("{name}:\n{}", super::render(&source, &diagnostics)),
        }
    }
}

#[test]
fn nothing_panics_or_overflows() {
    let wrap = |inside: String| {
        format!("void f(int n, int a[n]) {{\n#pragma scop\n{inside}\n#pragma endscop\n}}\n")
    };
    let deep = 50_000;
    let texts = [
        String::new(),
        "\n\n".to_string(),
        "(".repeat(1 << 20),
        wrap(format!("a[0] = {}1{};", "(".repeat(deep), ")".repeat(deep))),
        wrap(format!("a[0] = {}1;", "- ".repeat(deep))),
        wrap(format!("a[0] = 1{};", " + 1".repeat(deep))),
        wrap(format!("a[0] = {}1;", "n ? 1 : ".repeat(deep))),
        wrap(format!("{} ;", "if (n) ".repeat(deep))),
        wrap(format!("{} ;", "if (n) ; else ".repeat(deep))),
        wrap(format!("{} ;", "for (;;) ".repeat(deep))),
        wrap(format!("{} {}", "{".repeat(deep), "}".repeat(deep))),
        wrap(format!("a[0] = {}1;", "(int)".repeat(deep))),
        wrap(format!("a[0] = {}1;", "sizeof ".repeat(deep))),
        wrap(format!("{} ;", "l: ".repeat(deep))),
        wrap("\"".to_string()),
        wrap("'".to_string()),
        wrap("/*".to_string()),
        wrap("\\".to_string()),
        "\u{0}\u{1}é\u{2028}".to_string(),
        format!(
            "struct s {} x {};",
            "{ struct {".repeat(2000),
            "} a; }".repeat(2000)
        ),
    ];
    for text in &texts {
        // Not through the preprocessor, which has limits and opinions of its own.
        let source = Source {
            name: "t.c".into(),
            text: text.clone(),
            preprocessed: text.clone(),
            ..Source::default()
        };
        let start: String = text.chars().take(80).collect();
        assert!(parse(&source).is_err(), "{start}");
    }
}

#[test]
fn long_but_shallow_is_fine() {
    let many = "a[0] = n; if (n) { a[1] = 2; } else { a[2] = -1; }\n".repeat(3000);
    let table: String = (0..20_000).map(|i| format!("-{i},")).collect();
    let text = format!(
        "static int t[] = {{{table}}};\nvoid f(int n, int a[n]) {{\n#pragma scop\n{many}#pragma endscop\n}}\n"
    );
    let (_, unit) = unit(&text);
    assert_eq!(unit.regions[0].statements.len(), 6000);
    let sum = " + a[n]".repeat(200);
    let source = source(&format!(
        "void f(int n, int a[n]) {{\n#pragma scop\na[0] = n{sum};\n#pragma endscop\n}}\n"
    ));
    assert!(parse(&source).is_ok());
}

#[test]
fn structures_that_double() {
    let mut text = "struct s0 { int x; };\n".to_string();
    for k in 1..60 {
        text += &format!("struct s{k} {{ struct s{} *a, *b; }};\n", k - 1);
    }
    text += "void f(struct s59 *p) {\n#pragma scop\np->a = 0;\n#pragma endscop\n}\n";
    assert_eq!(unit(&text).1.regions.len(), 1);
}
