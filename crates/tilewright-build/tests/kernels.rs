//! Kernels built as a build script builds them, and called from Rust programs through their
//! wrappers.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use tilewright_build::{Build, Error};

/// The platform that tests run on.
fn host() -> String {
    let said = Command::new("rustc").arg("-vV").output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let line = said.lines().find_map(|line| line.strip_prefix("host: "));
    line.unwrap().to_owned()
}

/// A directory with a C file.
fn place(c: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("kernel.c"), c).unwrap();
    place
}

/// A build of that file, as in a build script.
fn build(place: &TempDir) -> Build {
    let mut build = Build::new();
    build
        .file(place.path().join("kernel.c"))
        .out_dir(place.path())
        .target(&host())
        .machine("none")
        .flag("-ffp-contract=off")
        .cargo_metadata(false);
    build
}

fn refused(built: Result<(), Error>) -> String {
    built.unwrap_err().to_string()
}

/// Builds a Rust program that uses the library `kernel`, and runs it; `objects` are linked too.
fn run(place: &Path, edition: &str, program: &str, objects: &[&str]) -> String {
    fs::write(place.join("main.rs"), program).unwrap();
    let mut command = Command::new("rustc");
    command
        .current_dir(place)
        .args(["--edition", edition, "-D", "warnings", "main.rs"])
        .args(["-L", ".", "-l", "static=tilewright_kernel", "-l", "m"]);
    let said = Command::new("cc")
        .arg("-print-file-name=libgomp.so")
        .output();
    let said = String::from_utf8(said.unwrap().stdout).unwrap();
    if let Some(directory) = Path::new(said.trim()).parent().filter(|d| d.is_absolute()) {
        command.arg("-L").arg(directory);
    }
    command.args(["-l", "gomp"]);
    for object in objects {
        command.arg(format!("-Clink-arg={object}"));
    }
    let built = command.env("OUT_DIR", place).output().unwrap();
    let words = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{words}");
    let ran = Command::new(place.join("main")).output().unwrap();
    let words = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{words}");
    String::from_utf8(ran.stdout).unwrap()
}

/// A pipeline with names that Rust reserves, run beside the original function.
#[test]
fn results_are_the_originals() {
    let place = place(
        "#include \"weights.h\"
         void kernel(int R, int C, float out[restrict R][C], float in[restrict R + 2][C + 2],
                     double self, const unsigned char type[restrict C])
         {
             float (*restrict rows)[C] = __builtin_malloc(sizeof(float[R + 2][C]));
         #pragma scop
             for (int i = 0; i < R + 2; i++)
                 for (int j = 0; j < C; j++)
                     rows[i][j] = WEIGHT * (in[i][j] + in[i][j + 1] + in[i][j + 2]);
             for (int i = 0; i < R; i++)
                 for (int j = 0; j < C; j++)
                     out[i][j] = self * (rows[i][j] + rows[i + 1][j] + rows[i + 2][j]) + type[j];
         #pragma endscop
             __builtin_free(rows);
         }",
    );
    fs::write(
        place.path().join("weights.h"),
        "#define WEIGHT FACTOR / 3\n",
    )
    .unwrap();
    build(&place)
        .define("FACTOR", "0.7f")
        .estimate("R", 300)
        .try_compile("kernel")
        .unwrap();
    let original = Command::new("cc")
        .args([
            "-O1",
            "-ffp-contract=off",
            "-DFACTOR=0.7f",
            "-Dkernel=original",
        ])
        .args(["-c", "kernel.c", "-o", "original.o"])
        .current_dir(place.path())
        .status();
    assert!(original.unwrap().success());
    let program = r#"
        include!(concat!(env!("OUT_DIR"), "/kernel.rs"));
        unsafe extern "C" {
            fn original(r: i32, c: i32, out: *mut f32, image: *const f32, by: f64, add: *const u8);
        }
        fn main() {
            let mut x = 1u32;
            let mut next = || {
                x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                (x >> 8) as f32 / 1e5
            };
            for (rows, columns) in [(1usize, 1usize), (37, 53), (130, 519)] {
                let image: Vec<f32> = (0..(rows + 2) * (columns + 2)).map(|_| next()).collect();
                let add: Vec<u8> = (0..columns).map(|j| j as u8).collect();
                let mut ours = vec![0.0f32; rows * columns];
                let mut its = ours.clone();
                let (r, c) = (rows as i32, columns as i32);
                kernel(r, c, &mut ours, &image, 0.3, &add).unwrap();
                unsafe { original(r, c, its.as_mut_ptr(), image.as_ptr(), 0.3, add.as_ptr()) };
                let bits = |all: &[f32]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert!(bits(&ours) == bits(&its), "{rows} x {columns}");
                assert!(ours.iter().any(|x| *x != 0.0));
            }
            let short = kernel(3, 4, &mut [0.0; 12], &[0.0; 29], 1.0, &[0; 4]);
            println!("{}", short.unwrap_err());
            println!("{}", kernel(3, 4, &mut [0.0; 13], &[0.0; 30], 1.0, &[0; 4]).unwrap_err());
            println!("{}", kernel(2147483646, 4, &mut [], &[], 1.0, &[0; 4]).unwrap_err());
            println!("{}", kernel(-2, 4, &mut [], &[], 1.0, &[0; 4]).unwrap_err());
            println!("{}", kernel(3, 0, &mut [], &[0.0; 10], 1.0, &[]).unwrap_err());
            let error: Box<dyn std::error::Error> = Box::new(short_error());
            println!("{error}");
        }
        fn short_error() -> KernelError {
            kernel(0, 1, &mut [], &[0.0; 6], 1.0, &[]).unwrap_err()
        }
    "#;
    let said = run(place.path(), "2024", program, &["original.o"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "`in` has 29 elements, but `in[R + 2][C + 2]` has 30 for R = 3, C = 4",
            "`out` has 13 elements, but `out[R][C]` has 12 for R = 3, C = 4",
            "`out` has 0 elements, but `out[R][C]` has 8589934584 for R = 2147483646, C = 4",
            "extent 1 of `out[R][C]` is -2 for R = -2, C = 4",
            "extent 2 of `out[R][C]` is 0 for R = 3, C = 0",
            "`type` has 0 elements, but `type[C]` has 1 for C = 1",
        ]
    );
    let wrapper = fs::read_to_string(place.path().join("kernel.rs")).unwrap();
    for part in [
        "    r#in: &[f32],\n    self_: f64,\n    r#type: &[u8],",
        "/// `void kernel(int R, int C, float out[R][C], const float in[R + 2][C + 2], double self, \
         const unsigned char type[C])`",
    ] {
        assert!(wrapper.contains(part), "{part}\n{wrapper}");
    }
}

/// Static functions, results, sizes beyond `int`, pointers without extents, bounds, and variables
/// that calls share; also in the oldest edition.
#[test]
fn kernels_of_many_kinds() {
    let place = place(
        "#include <stdint.h>
         static int calls;
         static long add(int n, const int *restrict values, int64_t sums[restrict n], int64_t support)
         {
         #pragma scop
             for (int i = 1; i < n; i++)
                 sums[i] = values[i] + (int64_t)values[i - 1] * support;
         #pragma endscop
             return ++calls;
         }
         static void shift(unsigned n, unsigned k, _Bool a[restrict n], const _Bool from[restrict n])
         {
         #pragma scop
             for (unsigned i = 0; i < n; i++)
                 a[i] = from[i + k];
         #pragma endscop
         }
         int main(void) { return 0; }",
    );
    build(&place).threads(false).try_compile("kernel").unwrap();
    let program = r#"
        include!(concat!(env!("OUT_DIR"), "/kernel.rs"));
        fn main() {
            let mut sums = vec![0i64; 4];
            assert_eq!(add(4, &[1, 2, 3, 4, 5], &mut sums, 1 << 40), Ok(1));
            assert_eq!(sums, [0, 2 + (1 << 40), 3 + (2 << 40), 4 + (3 << 40)]);
            println!("{}", add(4, &[1, 2, 3], &mut sums, 1).unwrap_err());
            let mut flags = [false; 3];
            assert_eq!(shift(3, 0, &mut flags, &[true, false, true]), Ok(()));
            assert_eq!(flags, [true, false, true]);
            println!("{}", shift(3, 1, &mut flags, &[true, false, true]).unwrap_err());
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    std::thread::spawn(|| {
                        let mut sums = vec![0; 1000];
                        let values = vec![1; 1000];
                        for _ in 0..500 {
                            add(1000, &values, &mut sums, 1).unwrap();
                        }
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(add(0, &[], &mut [], 0), Ok(2002), "calls do not overlap");
        }
    "#;
    let said = run(place.path(), "2018", program, &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[0],
        "`values` has 3 elements, but `values[n]` has at least 4 for n = 4"
    );
    let bounds = "`from` is only accessed inside of its extents for `";
    assert!(lines[1].starts_with(bounds), "{said}");
    assert!(
        lines[1].ends_with("does not hold for n = 3, k = 1"),
        "{said}"
    );
}

#[test]
fn a_bad_file_is_refused_in_its_own_terms() {
    let broken =
        place("void f(int n, float a[n])\n{\n#pragma scop\n    a[0] = ;\n#pragma endscop\n}\n");
    let said = refused(build(&broken).try_compile("kernel"));
    assert!(said.starts_with("error[TW0104]: "), "{said}");
    assert!(said.contains("kernel.c:4:"), "{said}");
    let unfit = place(
        "void f(int n, float a[n])\n{\n#pragma scop\n    for (int i = 0; i < n; i++) {\n        \
         a[i] = shift;\n        a[i] = 2;\n    }\n#pragma endscop\n}\n",
    );
    let said = refused(build(&unfit).try_compile("kernel"));
    assert!(said.starts_with("error[TW0211]: "), "{said}");
    assert!(said.contains("kernel.c:5:"), "{said}");
    // What only the C compiler sees is told at its place in the file, not in what was generated.
    let wrong = place(
        "void f(int n, float a[restrict n])\n{\n    int b = missing;\n#pragma scop\n    \
         for (int i = 0; i < n; i++)\n        a[i] = 2;\n#pragma endscop\n}\n",
    );
    let said = refused(build(&wrong).try_compile("kernel"));
    assert!(said.starts_with("error[TW0501]: "), "{said}");
    assert!(
        said.contains("missing") && said.contains("kernel.c:3:13"),
        "{said}"
    );
    assert!(
        !wrong.path().join("kernel.rs").exists(),
        "nothing is half built"
    );
    // What it says of generated C is not repeated, only where that is.
    let good = place(
        "void f(int n, float a[n])\n{\n    int i;\n#pragma scop\n    \
         for (i = 0; i < n; i++)\n        a[i] = 2;\n#pragma endscop\n}\n",
    );
    // There `for (long c0 = 0; …` is no C.
    let said = refused(build(&good).flag("-std=gnu90").try_compile("kernel"));
    let generated = "error[TW0501]: the C compiler refuses what was generated for `f` of ";
    assert!(said.starts_with(generated), "{said}");
    assert!(!said.contains("c0") && !said.contains("shim.c"), "{said}");
    assert!(said.contains("kernel.0.tiled.c"), "{said}");
    let said = refused(build(&good).flag("-fno-such-flag").try_compile("kernel"));
    assert!(said.contains("-fno-such-flag"), "{said}");
    assert!(!said.contains("was generated"), "{said}");
    let elsewhere = place("#include \"there.h\"\n");
    let said = refused(build(&elsewhere).try_compile("kernel"));
    assert!(said.contains("there.h"), "{said}");
    assert!(said.contains("with `.include(dir)`"), "{said}");
}

#[test]
fn what_has_no_safe_wrapper_says_why() {
    let place = place(
        "struct point { float x, y; };
         void f(int n, struct point a[restrict n])
         {
         #pragma scop
             for (int i = 0; i < n; i++) a[i].x = a[i].y;
         #pragma endscop
         }",
    );
    let said = refused(build(&place).try_compile("kernel"));
    let why = "`f` cannot have a safe wrapper: argument `a`: an array of structures";
    assert!(
        said.starts_with("error[TW0209]: ") && said.contains(why),
        "{said}"
    );
    let said = refused(
        Build::new()
            .out_dir(place.path())
            .target("x")
            .try_compile("a b"),
    );
    assert!(said.contains("`a b` cannot be a library's name"), "{said}");
    let said = refused(
        Build::new()
            .out_dir(place.path())
            .target("x")
            .try_compile("a"),
    );
    assert!(said.contains("`a` has no file"), "{said}");
}

/// The C compiler's own switch to another platform stands for a cross compiler.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn types_of_another_size_are_refused() {
    let c = "void f(int n, TYPE a[restrict n])\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        \
             a[i] = 2;\n#pragma endscop\n}\n";
    let place = place(c);
    let with = |ctype: &str| {
        build(&place)
            .define("TYPE", ctype)
            .threads(false)
            .flag("-m32")
            .try_compile("kernel")
    };
    let said = refused(with("long"));
    assert!(
        said.contains("`long` is not `i64` on this target"),
        "{said}"
    );
    assert!(said.contains("`int64_t`"), "{said}");
    assert_eq!(with("float"), Ok(()));
}

#[test]
fn a_plan_decides() {
    let place = place(
        "void f(int n, float a[restrict n])\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        \
         a[i] = 2;\n#pragma endscop\n}\n",
    );
    let plan = place.path().join("plan.toml");
    fs::write(&plan, "version = 99\n").unwrap();
    let said = refused(build(&place).plan(&plan).try_compile("kernel"));
    assert!(
        said.starts_with("error[TW0401]: cannot use the plan "),
        "{said}"
    );
    let said = refused(build(&place).estimate("m", 3).try_compile("kernel"));
    assert!(
        said.ends_with("parameter `m` of `.estimate`; there are: n"),
        "{said}"
    );
    let said = refused(build(&place).plan("nowhere.toml").try_compile("kernel"));
    assert!(said.contains("nowhere.toml"), "{said}");
}

/// One of the image pipelines under `examples/`.
struct Pipeline {
    name: &'static str,
    /// Values of rows and columns.
    size: (usize, usize),
    /// Types and values of the other scalars.
    scalars: &'static [(&'static str, &'static str)],
    /// Types of the arrays and their numbers of elements; the first is the result.
    arrays: &'static [(&'static str, &'static str)],
    /// Whether the file has a function that fills the arrays.
    init: bool,
}

const PIPELINES: [Pipeline; 7] = [
    Pipeline {
        name: "harris",
        size: (117, 203),
        scalars: &[],
        arrays: &[("f32", "(R + 2) * (C + 2)"), ("f32", "(R + 2) * (C + 2)")],
        init: false,
    },
    Pipeline {
        name: "unsharp_mask",
        size: (117, 203),
        scalars: &[("f32", "0.01"), ("f32", "3.0")],
        arrays: &[("f32", "3 * R * C"), ("f32", "3 * (R + 4) * (C + 4)")],
        init: false,
    },
    Pipeline {
        name: "bilateral_grid",
        size: (201, 305),
        scalars: &[],
        arrays: &[("f32", "(R - 56) * (C - 56)"), ("f32", "R * C")],
        init: true,
    },
    Pipeline {
        name: "camera_pipe",
        size: (212, 308),
        scalars: &[("f32", "3700.0"), ("f32", "50.0"), ("f32", "2.0")],
        arrays: &[
            ("u8", "3 * (R - 48) * (C - 64)"),
            ("i16", "R * C"),
            ("f32", "3 * 4"),
            ("f32", "3 * 4"),
        ],
        init: true,
    },
    Pipeline {
        name: "interpolate",
        size: (512, 512),
        scalars: &[],
        arrays: &[("f32", "3 * R * C"), ("f32", "4 * (R + 2) * (C + 2)")],
        init: true,
    },
    Pipeline {
        name: "local_laplacian",
        size: (256, 256),
        scalars: &[("f32", "0.14"), ("f32", "1.0")],
        arrays: &[("u16", "3 * R * C"), ("u16", "3 * (R + 4) * (C + 4)")],
        init: true,
    },
    Pipeline {
        name: "pyramid_blending",
        size: (256, 256),
        scalars: &[],
        arrays: &[
            ("f32", "3 * (R - 60) * (C - 60)"),
            ("f32", "3 * R * C"),
            ("f32", "3 * R * C"),
            ("f32", "R * C"),
        ],
        init: false,
    },
];

impl Pipeline {
    /// A program that runs the wrapper and the original on the same data.
    fn program(&self) -> String {
        let (name, (rows, columns)) = (self.name, self.size);
        let types = |pointers: &str| {
            let scalars = self.scalars.iter().map(|(t, _)| format!("_: {t}"));
            let arrays = self.arrays.iter().enumerate();
            let arrays = arrays.map(|(at, (t, _))| match at {
                0 => format!("_: *mut {t}"),
                _ => format!("_: {pointers} {t}"),
            });
            let all: Vec<String> = scalars.chain(arrays).collect();
            all.join(", ")
        };
        let scalars: String = self.scalars.iter().map(|(_, v)| format!("{v}, ")).collect();
        let mut data = String::new();
        for (at, (t, length)) in self.arrays.iter().enumerate() {
            data += &format!("let mut a{at}: Vec<{t}> = data({length});\n");
        }
        let others = |of: &dyn Fn(usize) -> String| {
            let each = (1..self.arrays.len()).map(of);
            each.collect::<Vec<_>>().join(", ")
        };
        let init = if self.init {
            format!(
                "unsafe {{ original_init(R as i32, C as i32, {scalars} a0.as_mut_ptr(), {}) }};",
                others(&|at| format!("a{at}.as_mut_ptr()"))
            )
        } else {
            String::new()
        };
        let init_type = if self.init {
            format!("fn original_init(_: i32, _: i32, {});", types("*mut"))
        } else {
            String::new()
        };
        format!(
            "#![allow(non_upper_case_globals, unused_mut, unused_assignments)]
             include!(concat!(env!(\"OUT_DIR\"), \"/kernel.rs\"));
             const R: usize = {rows};
             const C: usize = {columns};
             unsafe extern \"C\" {{
                 fn original(_: i32, _: i32, {});
                 {init_type}
             }}
             trait Value {{ fn of(x: u32) -> Self; fn bits(&self) -> u64; }}
             impl Value for f32 {{
                 fn of(x: u32) -> f32 {{ (x % 1024) as f32 / 1024.0 }}
                 fn bits(&self) -> u64 {{ self.to_bits() as u64 }}
             }}
             macro_rules! value {{
                 ($($t:ty)*) => {{ $(impl Value for $t {{
                     fn of(x: u32) -> $t {{ (x % 256) as $t }}
                     fn bits(&self) -> u64 {{ *self as u64 }}
                 }})* }};
             }}
             value!(u8 i16 u16);
             fn data<T: Value>(length: usize) -> Vec<T> {{
                 let mut x = 1u32;
                 (0..length)
                     .map(|_| {{
                         x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                         T::of(x >> 8)
                     }})
                     .collect()
             }}
             fn main() {{
                 {data} {init}
                 let mut its = a0.clone();
                 let before = a0.clone();
                 {name}(R as i32, C as i32, {scalars} &mut a0, {}).unwrap();
                 unsafe {{ original(R as i32, C as i32, {scalars} its.as_mut_ptr(), {}) }};
                 let bits = |all: &[_]| all.iter().map(Value::bits).collect::<Vec<_>>();
                 assert!(bits(&a0) == bits(&its));
                 assert!(bits(&a0) != bits(&before));
             }}",
            types("*const"),
            others(&|at| format!("&a{at}")),
            others(&|at| format!("a{at}.as_ptr()")),
        )
    }

    /// Builds the library and the original, runs both and compares.
    fn check(&self) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let file = root.join(format!("examples/pipelines/{}.c", self.name));
        let place = tempfile::tempdir().unwrap();
        let built = Build::new()
            .file(&file)
            .out_dir(place.path())
            .target(&host())
            .machine("none")
            .flag("-ffp-contract=off")
            .cargo_metadata(false)
            .try_compile("kernel");
        assert_eq!(built, Ok(()), "{}", self.name);
        let status = Command::new("cc")
            .args(["-O1", "-ffp-contract=off", "-w", "-c", "-o", "original.o"])
            .arg(format!("-D{}=original", self.name))
            .arg(format!("-D{}_init=original_init", self.name))
            .arg(file.canonicalize().unwrap())
            .current_dir(place.path())
            .status();
        assert!(status.unwrap().success());
        run(place.path(), "2024", &self.program(), &["original.o"]);
    }
}

#[test]
fn two_pipelines_are_the_originals() {
    PIPELINES[..2].iter().for_each(Pipeline::check);
}

#[test]
#[ignore = "compiles large pipelines: minutes in a debug build"]
fn all_pipelines_are_the_originals() {
    for pipeline in &PIPELINES {
        println!("{}", pipeline.name);
        pipeline.check();
    }
}
