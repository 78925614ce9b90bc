//! Comments, lines, pragmas, attributes, headers, texts for devices, and pieces.

use super::super::headers::Files;
use super::super::*;
use super::{kept, lines, refused};

#[test]
fn comments_are_blank() {
    for (text, expected) in [
        ("a // b", "a "),
        ("a /* b */ c", "a   c"),
        ("a/* b */c", "a c"),
        ("a / b", "a / b"),
        ("a /* // */ c", "a   c"),
        ("a // /* c", "a "),
        ("\"/* a */\" + b", "\"/* a */\" + b"),
        ("\"// a\" + b // c", "\"// a\" + b "),
        ("'/' + '\"' /* b */", "'/' + '\"'  "),
        ("\"\\\"/*\" b /**/", "\"\\\"/*\" b  "),
        ("'\\'' /* b */", "'\\''  "),
        ("a /**/ b", "a   b"),
        ("a /*/ b */ c", "a   c"),
        ("a /* * / b */ c", "a   c"),
        ("a\r", "a"),
        ("a / b\r", "a / b"),
        ("a /", "a /"),
    ] {
        let mut inside = false;
        assert_eq!(without_comments(text, &mut inside), expected, "{text}");
        assert!(!inside, "{text}");
    }
    let mut inside = false;
    assert_eq!(without_comments("a /* b", &mut inside), "a  ");
    assert!(inside);
    assert_eq!(without_comments("\"c\" * /", &mut inside), "");
    assert_eq!(without_comments("d */ e", &mut inside), " e");
    assert!(!inside);
    assert_eq!(lines("a /* x\n#define a b\n*/ a\na"), ["a", "", "a", "a"]);
}

#[test]
fn lines_and_files() {
    let text = "# 1 \"f.c\"\n# 1 \"<built-in>\"\nx;\n# 1 \"f.c\"\na;\n# 7 \"h.h\" 1 3\nb;\nc;\n\
                # 12 \"f.c\" 2\nd;\ne;\n#line 50 \"f.c\"\ng;\n\nh;\n";
    let prepared = prepare("f.c", text).unwrap();
    let line = |what: &str| {
        let at = prepared.text.find(what).unwrap();
        (prepared.line(at), prepared.place(at))
    };
    assert_eq!(line("x;").0, 0);
    assert_eq!(line("a;").0, 1);
    assert_eq!((line("b;").0, line("c;").0), (0, 0));
    assert_eq!(line("d;").0, 12);
    assert_eq!(line("e;").0, 13);
    assert_eq!(line("g;").0, 50);
    assert_eq!(line("h;"), (52, (52, 0)));
    // The first file is the main one, where none has the text's name.
    let prepared = prepare(
        "f.c",
        "# 1 \"<command>\"\n# 1 \"g.c\"\na;\n# 3 \"h.h\"\nb;\n",
    )
    .unwrap();
    let line = |what: &str| prepared.line(prepared.text.find(what).unwrap());
    assert_eq!((line("a;"), line("b;")), (1, 0));
    // Without markers all is the main file's.
    let prepared = prepare("f.c", "a;\n  b; c;\n").unwrap();
    let at = prepared.text.find("c;").unwrap();
    assert_eq!((prepared.line(at), prepared.place(at)), (2, (2, 3)));
    assert_eq!((prepared.row(0), prepared.row(at)), (0, 1));
    assert_eq!((prepared.start(0), prepared.start(1)), (0, 3));
    assert_eq!(prepared.start(2), prepared.text.len());
    assert_eq!(prepared.rows().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(Prepared::default().line(3), 0);
    assert_eq!(Prepared::default().place(3), (0, 0));

    assert_eq!(marker("12 \"f.c\" 2"), Some((12, "f.c".into())));
    assert_eq!(marker("line 7 \"a b.c\""), Some((7, "a b.c".into())));
    for other in [
        "12",
        "f.c",
        "12 f.c",
        "define N 1",
        "",
        "99999999999 \"f.c\"",
    ] {
        assert_eq!(marker(other), None, "{other}");
    }
}

#[test]
fn pragmas_stand_in_front_of_what_follows() {
    let text = "#pragma omp parallel for\n\n// why\n#pragma omp  simd   safelen(4)\nfor;\n#pragma omp barrier\n#pragma omp taskwait\n#pragma omp flush(x)\n#pragma once\n#pragma GCC ivdep\n#pragma pencil independent\nb;\n#ident \"x\"\n#\nc;\n";
    let prepared = prepare("f.c", text).unwrap();
    let at = |what: &str| prepared.text.find(what).unwrap();
    assert_eq!(prepared.pragmas.len(), 2);
    let words = |what: &str| -> Vec<(&str, u32)> {
        let list = prepared.pragmas[&at(what)].iter();
        list.map(|p| (&p.words[..], prepared.line(p.at))).collect()
    };
    assert_eq!(words("for;"), [("parallel for", 1), ("simd safelen(4)", 4)]);
    assert_eq!(words("b;"), [("pencil independent", 11)]);
    assert_eq!(prepared.line(at("__tw_barrier();")), 6);
    // In what does not count there are none.
    let prepared = prepare("f.c", "#if 0\n#pragma omp for\n#endif\nfor;\n").unwrap();
    assert!(prepared.pragmas.is_empty());
}

#[test]
fn generated_regions_are_marked() {
    let text = "a;\n/* tilewright: begin */\nb;\nc;\n/* tilewright: end */\nd;\n/* tilewright: end */\ne;\n/* tilewright: begin */\nf;";
    let prepared = prepare("f.c", text).unwrap();
    let [range] = &prepared.generated[..] else {
        panic!("{:?}", prepared.generated);
    };
    assert_eq!(prepared.text[range.clone()].replace('\n', ""), "b;c;");
}

#[test]
fn attributes_are_blank() {
    for (text, expected) in [
        ("int x __attribute__((aligned(8))) = 1;", "int x = 1;"),
        ("int x __attribute__ ((a(\"),(\"), b)) ;", "int x ;"),
        ("__attribute__((a(\"\\\"(\"))) int x;", "int x;"),
        (
            "int f(void) __attribute__((a)) __attribute__((b));",
            "int f(void) ;",
        ),
        ("__attribute__ int x;", "int x;"),
        ("__attribute__\n((a\n))\nint x;", "int x;"),
        ("s = \"__attribute__((a))\";", "s = \"__attribute__((a))\";"),
        (
            "s = \"\\\"__attribute__((a))\";",
            "s = \"\\\"__attribute__((a))\";",
        ),
        (
            "s = \"a\" + \"__attribute__\";",
            "s = \"a\" + \"__attribute__\";",
        ),
        (
            "s = \"a\", '\"'; int y __attribute__((b));",
            "s = \"a\", '\"'; int y ;",
        ),
        ("s = \"'\"; int y __attribute__((b));", "s = \"'\"; int y ;"),
        (
            "s = \"\\\\\"; int y __attribute__((b));",
            "s = \"\\\\\"; int y ;",
        ),
        (
            "s = 'a' \\ \"__attribute__\";",
            "s = 'a' \\ \"__attribute__\";",
        ),
        (
            "s = \"a\";\nint y __attribute__((b));",
            "s = \"a\"; int y ;",
        ),
        ("int y __attribute__((b", "int y"),
        ("int y __attribute__((\"b", "int y"),
        ("int y __attribute__((\"b\\", "int y"),
    ] {
        let mut found = text.to_owned();
        blank_attributes(&mut found);
        assert_eq!(found.len(), text.len(), "{text}");
        assert_eq!(found.matches('\n').count(), text.matches('\n').count());
        let words: Vec<&str> = found.split_whitespace().collect();
        assert_eq!(words.join(" "), expected, "{text}");
    }
}

#[test]
fn headers_that_are_passed_over() {
    let mut files = Files::default();
    let mut take = |file: &str| (files.marker(file), files.passed_over());
    assert_eq!(take("f.c"), (false, false));
    assert_eq!(take("/usr/include/xmmintrin.h"), (false, false));
    assert_eq!(take("/usr/include/CL/cl_version.h"), (false, false));
    // The first of them begins it, and only that.
    assert_eq!(take("/usr/include/CL/opencl.h"), (true, true));
    assert_eq!(take("/usr/include/CL/cl.h"), (false, true));
    assert_eq!(take("/usr/include/CL/cl_platform.h"), (false, true));
    assert_eq!(take("/usr/lib/xmmintrin.h"), (false, true));
    assert_eq!(take("/usr/lib/mm_malloc.h"), (false, true));
    assert_eq!(take("/usr/include/stdint.h"), (false, false));
    assert_eq!(take("/usr/include/CL/cl_gl.c"), (false, false));
    assert_eq!(take("f.c"), (false, false));
    let mut files = Files::default();
    assert!(files.marker("CL/cl.h") && files.passed_over());
    let known = |name: &str| headers::named(name).is_some();
    for name in [
        "stdio.h", "stdlib.h", "string.h", "stddef.h", "math.h", "time.h",
    ] {
        assert!(known(name), "{name}");
    }
    assert!(known("CL/cl.h") && known("CL/opencl.h") && known("cuda_runtime.h"));
    assert!(known("hip/hip_runtime.h") && !known("x.h"));
    // What they define is there behind them.
    assert_eq!(
        kept("#include <time.h>\nTIME_UTC NULL"),
        [
            "struct timespec { long tv_sec; long tv_nsec; };",
            "1 ((void *)0)"
        ]
    );
    assert_eq!(kept("#include \"stdlib.h\"\nNULL")[1], "((void *)0)");
    assert_eq!(
        refused("\n#include <x.h>\n"),
        ("the directive #include".into(), 2)
    );
}

#[test]
fn texts_of_kernels() {
    let text = "__kernel void k(__global int *a, __constant int *c, local float *t)\n{\n    bool x = true, y = false;\n    private int kernels = INT_MIN + CLK_LOCAL_MEM_FENCE + CLK_GLOBAL_MEM_FENCE;\n}\n";
    let (prepared, sizes) = prepare_kernels(text, "").unwrap();
    let found: Vec<&str> = prepared.text.lines().map(str::trim).collect();
    let at = found.iter().position(|l| l.contains("void k")).unwrap();
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        plain(found[at]),
        "_Noreturn void k( int *a, const int *c, _Atomic float *t)"
    );
    assert_eq!(plain(found[at + 2]), "_Bool x = 1, y = 0;");
    assert_eq!(
        plain(found[at + 3]),
        "int kernels = (-2147483647 - 1) + 1 + 2;"
    );
    assert!(sizes.is_empty());
    let line = |what: &str| prepared.line(prepared.text.find(what).unwrap());
    assert_eq!(
        (line("_Noreturn"), line("_Bool x"), line("typedef")),
        (1, 3, 0)
    );
    // Options define macros, in all ways of writing; what is no definition is passed over.
    let value = |options: &str| {
        let (prepared, _) = prepare_kernels("[A B]", options).unwrap();
        prepared.text.lines().last().unwrap().to_owned()
    };
    assert_eq!(value("-DA=3 -D B=4"), "[3 4]");
    assert_eq!(value("-DA -cl-fast-relaxed-math -D B"), "[1 1]");
    assert_eq!(value("-w -DB=A"), "[A A]");
    assert_eq!(value("-DA=x=y -D"), "[x=y B]");
    let why = |text: &str| prepare_kernels(text, "").unwrap_err().what;
    assert_eq!(why("int _Atomic x;"), "`_Atomic` in kernels");
    assert_eq!(why("_Noreturn void k();"), "`_Noreturn` in kernels");
    assert!(prepare_kernels("int _Atomics, x_Noreturn;", "").is_ok());
    let problem = prepare_kernels("a\nb\n#error x\n", "").unwrap_err();
    assert_eq!(problem.line, 3);
    // Sizes of groups, by the kernel's name.
    let text = "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void one(int a) { }\n\
                __attribute__((reqd_work_group_size ( 8,1 , 3 ))) kernel void two_2 (int a) { }\n\
                __kernel void three(int a) { }\nint reqd_work_group_size;\n\
                __attribute__((reqd_work_group_size(1, 2))) void four(int a) { }\n\
                __attribute__((reqd_work_group_size(1, 2, x))) void five(int a) { }\n\
                __attribute__((reqd_work_group_size(7, 7, 7)))";
    let (_, sizes) = prepare_kernels(text, "").unwrap();
    assert_eq!(sizes["one"], [4, 2, 1]);
    assert_eq!(sizes["two_2"], [8, 1, 3]);
    assert_eq!(sizes.len(), 2, "{sizes:?}");
}

#[test]
fn texts_of_cuda() {
    let c = |text: &str| cuda::in_c(text).map(|(text, _)| text);
    let ok = |text: &str, expected: &str| assert_eq!(c(text).as_deref(), Ok(expected));
    ok("k<<<1, 2>>>(a)", "__tw_launch(k, 1, 2, a)");
    ok("k<<<1, 2, 3>>>()", "__tw_launch(k, 1, 2, 3)");
    ok("k <<<g(1), 2>>> ( )", "__tw_launch(k, g(1), 2 )");
    ok(
        "if (n) kk<<<1, 2>>>(a, b); k<<<3, 4>>>(c);",
        "if (n) __tw_launch(kk, 1, 2, a, b); __tw_launch(k, 3, 4, c);",
    );
    ok(
        "a __align__(16) b __launch_bounds__(f(2), 1) c",
        "a   b   c",
    );
    ok(
        "extern \"C\" int f(); __align__",
        "          int f(); __align__",
    );
    let templates = "template <typename T> void k(T a) {}\ntemplate<typename Q>\nvoid kk(Q a) {}\n";
    let (text, found) = cuda::in_c(&format!(
        "{templates}k<int>; kk<long>; kkk<int>; k < n; k<a b>; k_<int>"
    ))
    .unwrap();
    assert_eq!(
        (&found["k"][..], &found["kk"][..], found.len()),
        ("T", "Q", 2)
    );
    assert!(
        text.ends_with("k__tw_of_int; kk__tw_of_long; kkk<int>; k < n; k<a b>; k_<int>"),
        "{text}"
    );
    ok(
        "int template; my_template<int>;",
        "int template; my_template<int>;",
    );
    for text in [
        "k<<<1, 2",
        "k<<<1, 2>>>",
        "_Noreturn void f();",
        "_Atomic int x;",
        "template <int N> void k();",
        "template <typename T",
        "template <typename T> int x;",
    ] {
        assert!(c(text).is_err(), "{text}");
    }
    let text = "template <typename T> __global__ void k(T *__restrict__ a)\n{\n    __shared__ T t[2];\n}\n__host__ void f() { k<int><<<1, 2, 0>>>(a); }\n";
    let prepared = prepare("f.c", text).unwrap();
    assert!(prepared.is_cuda);
    let kept = kept(text);
    assert_eq!(kept[0], "typedef long T;_Noreturn void k(T *restrict a)");
    assert_eq!(kept[2], "_Atomic T t[2];");
    assert_eq!(
        kept[4].trim(),
        "void f() { __tw_launch(k__tw_of_int, 1, 2, 0, a); }"
    );
    assert_eq!(prepared.line(prepared.text.find("_Atomic").unwrap()), 3);
    assert!(!prepare("f.c", "int x;").unwrap().is_cuda);
    assert_eq!(without_type("k__tw_of_int"), "k");
    assert_eq!(without_type("k_of_int"), "k_of_int");
}

/// Pieces put together have lines, pragmas, bodies and marked regions of their own.
#[test]
fn pieces_one_below_the_other() {
    let text = "int unused;\nint used = 1;\nstatic int g(int a)\n{\n    return a;\n}\nint h(void) { return 2; }\n/* tilewright: begin */\nvoid f(int n)\n{\n#pragma omp parallel\n    used = g(n);\n}\n/* tilewright: end */\n";
    let prepared = prepare("f.c", text).unwrap();
    let found = pieces(&prepared).unwrap();
    let names = ["f".to_owned()];
    let chosen = needed(&prepared, &found, &names, &|_| false);
    assert_eq!(chosen, [1, 2, 4]);
    let whole = only(&prepared, &found, &chosen);
    let expected = "int used = 1;\nstatic int g(int a)\n{\nreturn a;\n}\nvoid f(int n)\n{\n\nused = g(n);\n}\n";
    assert_eq!(whole.text, expected);
    let at = |what: &str| whole.text.find(what).unwrap();
    let lines: Vec<u32> = ["used = 1", "g(int", "return", "f(int", "used = g"]
        .iter()
        .map(|what| whole.line(at(what)))
        .collect();
    assert_eq!(lines, [2, 3, 5, 9, 12]);
    let bodies: Vec<&str> = whole
        .bodies
        .iter()
        .map(|b| &whole.text[b.clone()])
        .collect();
    assert_eq!(bodies, ["{\nreturn a;\n}", "{\n\nused = g(n);\n}"]);
    let [(place, pragmas)] = &whole.pragmas.iter().collect::<Vec<_>>()[..] else {
        panic!("{:?}", whole.pragmas);
    };
    assert_eq!((**place, whole.line(pragmas[0].at)), (at("used = g"), 11));
    let [generated] = &whole.generated[..] else {
        panic!("{:?}", whole.generated);
    };
    assert_eq!(*generated, at("void f")..whole.text.len() - 1);
    // Of one that stands in another text, lines are rows of that.
    let mut inner = prepare("f.c", "int x;\nint y;\nint z;\n").unwrap();
    assert_eq!(inner.row(8), 1);
    inner.put_within(|line| 10 * line);
    assert_eq!((inner.row(0), inner.row(8)), (10, 20));
    let found = pieces(&inner).unwrap();
    let last = only(&inner, &found, &[2]);
    assert_eq!((last.row(0), last.line(0)), (30, 30));
}

/// Which names a piece may give a meaning.
#[test]
fn names_of_pieces() {
    let declared = |text: &str| -> Vec<String> {
        let prepared = prepare("f.c", text).unwrap();
        let found = pieces(&prepared).unwrap();
        let mut names: Vec<_> = found.iter().flat_map(Piece::declared).cloned().collect();
        names.dedup();
        names
    };
    assert_eq!(
        declared("int a, *b, c[3], d = 4, (*e)(int);"),
        ["a", "b", "c", "d", "e"]
    );
    assert_eq!(declared("typedef struct s { int v; } t;"), ["t", "s"]);
    assert_eq!(declared("enum e { A, B = 3, C };"), ["A", "B", "C", "e"]);
    assert_eq!(declared("enum { A };"), ["A"]);
    assert_eq!(declared("struct s; union u { int i; };"), ["s", "u"]);
    assert_eq!(declared("int a = 3; static long b;"), ["a", "b"]);
    // Functions, and those of other files.
    assert_eq!(declared("int f(int n) { return n; }"), [""; 0]);
    assert_eq!(declared("extern int f(int n); extern int x;"), ["x"]);
    assert_eq!(declared("extern struct s { int v; } f(void);"), ["f", "s"]);
    assert!(declared("int f(int n);").contains(&"f".to_owned()));
    assert_eq!(declared("extern int g __asm__(\"h\");"), [""; 0]);
    assert_eq!(declared(";; int a;;"), ["a"]);
    let functions = |text: &str| -> Vec<(String, bool)> {
        let prepared = prepare("f.c", text).unwrap();
        let found = pieces(&prepared).unwrap();
        let functions = found
            .into_iter()
            .filter_map(|p| Some((p.function?, p.is_static)));
        functions.collect()
    };
    let one = |name: &str, is_static: bool| vec![(name.to_owned(), is_static)];
    assert_eq!(
        functions("static inline int f(int n) { if (n) { } return '}'; }"),
        one("f", true)
    );
    assert_eq!(
        functions("int f(void) { static int k; return \"}\"[k]; }"),
        one("f", false)
    );
    assert_eq!(
        functions("char f(void) { return \"\\\"}\"[0] + '\\'' + '}'; }"),
        one("f", false)
    );
    assert_eq!(
        functions("struct s *f(int (*g)(void)) { return 0; }"),
        one("f", false)
    );
    assert_eq!(functions("int x[2] = { 1, 2 }; struct s { int v; };"), []);
}

/// A text has at most 16 megabytes.
#[test]
fn texts_that_are_too_long() {
    let text = |lines: usize| format!("{}\n", "x".repeat((1 << 20) - 1)).repeat(lines);
    assert!(prepare("f.c", &text(16)).is_ok());
    let (why, line) = refused(&text(18));
    assert_eq!((&why[..], line), ("a text of more than 16 MB", 17));
}
