//! Integers are what C computes: programs with values that wrap around or are converted, compiled and
//! executed next to the original at extreme sizes.

use std::fmt::Write as _;
use std::process::Command;
use tilewright::compile::{Options, compile};
use tilewright::plan::Shape;
use tilewright::source::Source;
use tilewright_cases::{amount, share};

const PRELUDE: &str = "\
static int low(unsigned char x) { return x; }
#define MIN(a, b) ((a) < (b) ? (a) : (b))
";

/// Elements of every array; pointers point into the middle.
const ELEMENTS: usize = 4096;

/// One function: its parameters, what stands in front of the region, the region, and the values of
/// the parameters with which it is called.
struct Case {
    parameters: String,
    before: String,
    region: String,
    calls: Vec<String>,
}

fn case(parameters: &str, before: &str, region: &str, calls: &[&str]) -> Case {
    Case {
        parameters: parameters.to_owned(),
        before: before.to_owned(),
        region: region.to_owned(),
        calls: calls.iter().map(|&call| call.to_owned()).collect(),
    }
}

impl Case {
    fn text(&self) -> String {
        let arrays = "int *restrict a, int *restrict b, int *restrict h";
        format!(
            "void kernel({}, {arrays})\n{{\n    {}\n#pragma scop\n    {}\n#pragma endscop\n}}\n",
            self.parameters, self.before, self.region
        )
    }

    /// The text that comes out, of loops that are generated anew also where they are best left as they
    /// were; `None` for what is refused.
    fn compiled(&self) -> Option<String> {
        let text = format!("{PRELUDE}{}", self.text());
        let source = Source {
            name: "case.c".to_owned(),
            // What the preprocessor makes of it.
            preprocessed: preprocessed(&text),
            text,
            ..Source::default()
        };
        let mut options = Options::default();
        for shape in [None, Some(Shape::None)] {
            options.wishes.shape = shape;
            let compiled = compile(&source, &options, None, &mut |_| {}).ok()?;
            let result = compiled.text.strip_prefix(PRELUDE)?;
            if result != self.text() {
                return Some(result.to_owned());
            }
        }
        None
    }
}

fn preprocessed(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("case.c");
    std::fs::write(&file, text).expect("a file");
    let plain = Command::new("gcc")
        .args(["-E", "case.c"])
        .current_dir(folder.path())
        .output()
        .expect("gcc runs");
    assert!(plain.status.success(), "{text}");
    String::from_utf8(plain.stdout).expect("text")
}

/// Executes originals and results on the same data; how many were changed at all.
fn compare(cases: &[Case]) -> usize {
    let mut functions = format!("#include <stdio.h>\n#include <string.h>\n{PRELUDE}");
    let mut body = String::new();
    let mut changed = 0;
    for (number, case) in cases.iter().enumerate() {
        let Some(result) = case.compiled() else {
            continue;
        };
        changed += 1;
        for (name, text) in [("original", case.text()), ("result", result)] {
            functions += &text
                .replacen("void kernel", &format!("static void {name}_{number}"), 1)
                .replace("tw_share_kernel", &format!("tw_share_{number}"));
        }
        for call in &case.calls {
            for (run, name) in ["original", "result"].iter().enumerate() {
                let arrays = (0..3).map(|k| format!("data[{run}][{k}] + {}", ELEMENTS / 2));
                let arrays: Vec<String> = arrays.collect();
                let _ = writeln!(
                    body,
                    "    fill({run}); {name}_{number}({call}, {});",
                    arrays.join(", ")
                );
            }
            let _ = writeln!(body, "    compare({number}, \"{call}\");");
        }
    }
    let text = format!(
        "{functions}
static int data[2][3][{ELEMENTS}], wrong;
static void fill(int run) {{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < {ELEMENTS}; i++)
            data[run][k][i] = k == 2 ? (i * 7 + 3) % 23 - 4 : (i * 31 + k * 7) % 97;
}}
static void compare(int number, const char *call) {{
    if (memcmp(data[0], data[1], sizeof data[0])) {{
        printf(\"%d: %s\\n\", number, call);
        wrong = 1;
    }}
}}
int main(void) {{
{body}    return wrong;
}}
"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, &text).expect("a file");
    let built = Command::new("gcc")
        .args(["-std=gnu11", "-O1", "-fopenmp", "-w", "-o"])
        .arg(&program)
        .arg(&file)
        .output()
        .expect("gcc runs");
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
    let output = Command::new(&program).output().expect("it runs");
    if !output.status.success() {
        let mut report = String::from_utf8_lossy(&output.stdout).into_owned();
        for line in report.clone().lines() {
            let number = line.split(':').next().and_then(|n| n.parse::<usize>().ok());
            if let Some(case) = number.and_then(|n| cases.get(n)) {
                let _ = write!(report, "\n{line}\n{}", case.text());
            }
        }
        panic!("{}\n{report}", output.status);
    }
    changed
}

/// Programs that once were wrong, or untransformed without need.
#[test]
fn known_programs() {
    let sizes = &["0", "5", "60"];
    let cases = [
        case(
            "unsigned n",
            "",
            "for (unsigned i = 0; i < n; i++) h[(i * 2654435761u) >> 26] += b[i];",
            sizes,
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned i = 0; i < n; i++) b[i] = a[(i - 1) & 3];",
            sizes,
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned i = 0; i < n; i++) b[i] = a[i > 0 ? i - 1 : 0];",
            sizes,
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < n; j++) if (i - j < 3u) b[i] += a[j];",
            sizes,
        ),
        case(
            "int m, int n, int q",
            "",
            "for (int i = 0; i < m; i++) if ((unsigned)(i + q) < (unsigned)n) b[i] = a[i + q];",
            &["60, 60, 0", "60, 60, -3", "60, 50, 7", "60, -1, 3"],
        ),
        case(
            "unsigned n, unsigned q, unsigned m",
            "",
            "for (unsigned i = 0; i < n; i++) { unsigned z = i + q - 1; if (z < m) b[i] = a[z]; }",
            &["60, 0, 50", "60, 5, 60", "60, -6u, 20"],
        ),
        case(
            "int n",
            "",
            "for (int i = 0; i < n; i++) if (5u > -7) b[i] = 1; else b[i] = 2;",
            sizes,
        ),
        case(
            "int n",
            "",
            "for (unsigned long i = 0; i < n; i++) if (i > -1) b[i] = 1; else b[i] = 2;",
            sizes,
        ),
        case(
            "int n, long k",
            "int m = k;",
            "for (int i = 0; i < m; i++) b[i] = n;",
            &["1, 5", "1, 0x100000005", "1, -3", "1, -0x100000003"],
        ),
        case(
            "int n, long k",
            "",
            "for (int i = k; i < n; i++) b[i] = 1;",
            &["60, 5", "60, 0x100000005", "60, 70"],
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned i = 0; i < n - 1; i++) b[i] = a[i + 1];",
            &["1", "5", "60"],
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned i = 0; i <= n; i++) b[i] = a[i];",
            sizes,
        ),
        case(
            "int n",
            "",
            "for (unsigned char i = 0; i < n; i++) b[i] = a[i];",
            sizes,
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned i = 0; i != n; i++) b[i] = a[i];",
            sizes,
        ),
        case(
            "int n",
            "",
            "for (unsigned i = 0; i != n; i++) b[i] = a[i];",
            sizes,
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned i = n; i > 0; i--) b[i - 1] = a[i - 1] + i;",
            sizes,
        ),
        case(
            "int m, unsigned long n",
            "",
            "for (int i = 0; i < m; i++) if ((unsigned long)i < n) b[i] = a[i];",
            &["60, 5", "60, -1UL", "60, 1UL << 63", "60, 0"],
        ),
        case(
            "unsigned long n, unsigned long k",
            "",
            "for (unsigned long i = 1; i < n; i++) b[i] = a[i + k];",
            &["50, 5", "50, -1UL", "0, 0"],
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned k = 0; k < n; k++) for (unsigned long j = h[k]; j < 20; j++) b[j] += a[k];",
            &["0", "10"],
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned k = 0; k < n; k++) for (unsigned j = h[k]; j < 20; j++) b[j] += a[k];",
            &["0", "10"],
        ),
        case(
            "unsigned n",
            "",
            "for (unsigned k = 0; k < n; k++) for (unsigned long j = k; j > h[k]; j--) b[j] += a[k];",
            &["0", "10"],
        ),
        case(
            "unsigned n, unsigned m",
            "",
            "for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++) b[i * m + j] = a[i * m + j] + 1;",
            &["6, 8", "0, 0", "1, 60"],
        ),
        case(
            "unsigned n, unsigned m",
            "",
            "for (unsigned i = 0; i < n; i += 2) for (unsigned j = 0; j < n; j++) b[i * m + j] += a[i] + 1;",
            &["6, 8", "3, 0x80000000u", "1, 60"],
        ),
        case(
            "int n, int m",
            "",
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[(unsigned long)i * m + j] += a[i];",
            &["6, 8", "-1, 5"],
        ),
        case(
            "int n, unsigned u",
            "",
            "for (int i = 0; i < n; i++) b[i] = a[(i - 5 < u ? i - 5 : u) & 31];",
            &["60, 5", "60, 20"],
        ),
    ];
    let changed = compare(&cases);
    assert!(changed == cases.len(), "{changed} of {}", cases.len());
}

/// What constants pick, set and turn of loop variables of all types, in subscripts, conditions and
/// bounds: the lowest bits, all others, none, and those in the middle.
#[test]
fn bits_of_loop_variables() {
    let masks = [
        "~1", "~7", "6", "8", "0xf0", "~0x3f", "-1", "0", "5", "1", "3u", "~1u", "~3L", "0xfeUL",
        "~1UL",
    ];
    let mut cases = Vec::new();
    for (ty, from) in [
        ("int", "-60"),
        ("signed char", "-60"),
        ("unsigned char", "0"),
        ("long", "-60"),
        ("unsigned", "0"),
        ("unsigned long", "0"),
    ] {
        for mask in masks {
            // What is unsigned has no small bits of numbers below zero.
            let from = if mask.contains(['u', 'U']) { "0" } else { from };
            for op in ["&", "|", "^"] {
                // All bits up to the sign of an unsigned number are far away.
                let near = format!("(int)(i {op} {mask})");
                let far = op != "&" && mask.starts_with(['~', '-']);
                let at = if far { "i" } else { &near };
                cases.push(case(
                    "int n",
                    "",
                    &format!(
                        "for ({ty} i = {from}; i < ({ty})n; i++) b[{at}] += a[{at}] + {near};"
                    ),
                    &["0", "1", "60"],
                ));
                cases.push(case(
                    "int n",
                    "",
                    &format!("for ({ty} i = {from}; i < ({ty})n; i++) if ((i {op} {mask}) != 4) a[i] += b[i];"),
                    &["9", "60"],
                ));
            }
        }
    }
    for bounds in ["j = i & ~3; j <= (i | 3)", "j = i ^ 1; j < i + (i & 6)"] {
        let text =
            format!("for (int i = -9; i < n; i++) for (int {bounds}; j++) b[i] += a[j] * 3 + i;");
        cases.push(case("int n", "", &text, &["0", "40"]));
    }
    let cases = share(cases, 11, 3);
    let changed = compare(&cases);
    // isl gives up on all other bits turned of narrow counters, which may wrap around.
    let left = cases.len() - changed;
    assert!(left <= amount(0, 4), "{left} were refused");
}

/// A loop whose bound is the least number of its type has no iteration, and one up to the greatest is
/// ended by something else.
#[test]
fn sizes_at_the_ends_of_their_types() {
    const INT: &str = "-2147483647 - 1";
    const LONG: &str = "-9223372036854775807L - 1";
    const MOST: &str = "9223372036854775807L";
    let mut cases = Vec::new();
    for (kind, least, most) in [("int", INT, "2147483647"), ("long", LONG, MOST)] {
        let sizes = format!("{kind} n, {kind} m");
        let near = format!("{least} + 1");
        let ends = [least, near.as_str(), "-1", "0", "50"].map(|n| format!("{n}, 50"));
        let mut calls: Vec<String> = ends.to_vec();
        calls.extend([least, "0", "20", most].map(|m| format!("50, {m}")));
        let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
        for region in [
            "for (int i = 0; i < n && i < 60; i++) b[i] = a[i] + 1;",
            "for (int i = 0; i < n; i++) if (i < m) b[i] = a[i] + 1;",
            "for (int i = 0; i < n; i++) for (int j = 0; j < 40; j++) if (j < m) b[j] += a[i + j];",
            "for (int i = 0; i < n; i++) b[i] = i <= m ? a[i] : a[i] + 5;",
            "for (int i = 0; i < n; i++) { if (i > m) b[i] = a[i] + 1; h[i] = b[i]; }",
            "for (int t = 0; t < 3; t++) for (int i = 1; i < n - 1; i++) if (i != m) b[i] = b[i - 1] + b[i + 1];",
        ] {
            // `n - 1` of the least number is undefined in the program, too.
            let calls: &[&str] = if region.contains("n - 1") {
                &["50, 20", "0, 0", "-1, 5"]
            } else {
                &calls
            };
            cases.push(case(&sizes, "", region, calls));
        }
    }
    let changed = compare(&cases);
    assert!(changed >= 10, "{changed} of {}", cases.len());
}
