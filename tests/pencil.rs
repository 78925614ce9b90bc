//! Functions that get arrays, by their access summaries, and functions of scalars that are defined
//! elsewhere: generated text calls them as the original did, is compiled, run and compared.

use crate::running::{self, answer, program};

/// A program that includes PENCIL's header.
fn pencil(name: &str, text: &str) -> String {
    let header = running::root().join("examples/dynamic/pencil.h");
    let header = std::fs::canonicalize(header).expect("there");
    program(
        name,
        &format!("#include \"{}\"\n{text}", header.to_str().expect("plain")),
    )
}

/// The generated region of a program, which also runs right.
fn region(file: &str, parameters: &str, options: &[&str]) -> String {
    let mut arguments = vec!["compile", file];
    arguments.extend(options);
    let (status, out, messages) = answer(&arguments);
    assert_eq!(status, 0, "{messages}");
    let mut command = running::run(file, &[parameters]);
    command.args(options);
    assert_eq!(running::difference(command, file), None);
    let lines = out.lines();
    let lines = lines.skip_while(|line| !line.contains("tilewright: begin"));
    let lines = lines.take_while(|line| !line.contains("tilewright: end"));
    let lines: Vec<&str> = lines.collect();
    lines.join("\n")
}

/// Functions and their summaries.
const FUNCTIONS: &str = "
static void row_summary(int n, double x[static const restrict n])
{
    for (int j = 0; j < n; j++) {
        __pencil_use(x[j]);
        __pencil_def(x[j]);
    }
}
static void row(int n, double x[static const restrict n]) ACCESS(row_summary);
static void row(int n, double x[static const restrict n])
{
    for (int j = 1; j < n; j++)
        x[j] += 0.5 * x[j - 1];
}

static void next_summary(int n, double from[restrict n], double to[restrict n])
{
    __pencil_use(from);
    __pencil_def(to);
}
static void next(int n, double from[restrict n], double to[restrict n]) ACCESS(next_summary);
static void next(int n, double from[restrict n], double to[restrict n])
{
    for (int j = 0; j < n; j++)
        to[j] = 0.5 * to[j] + from[n - 1 - j];
}

static void put_summary(int n, int at, double x[restrict n])
{
    __pencil_def(x[n - 1 - at]);
}
static void put(int n, int at, double x[restrict n]) ACCESS(put_summary);
static void put(int n, int at, double x[restrict n])
{
    x[n - 1 - at] = at * 0.25;
}

static void maybe_summary(int n, int at, double x[restrict n])
{
    for (int j = 0; j < n; j++)
        if (__pencil_maybe())
            __pencil_def(x[j]);
}
static void maybe_put(int n, int at, double x[restrict n]) ACCESS(maybe_summary);
static void maybe_put(int n, int at, double x[restrict n])
{
    if (at % 2)
        x[at * 7 % n] = at;
}

static void largest_summary(int n, double x[restrict n])
{
    __pencil_use(x);
}
static double largest(int n, double x[restrict n]) ACCESS(largest_summary);
static double largest(int n, double x[restrict n])
{
    double most = x[0];
    for (int j = 1; j < n; j++)
        most = x[j] > most ? x[j] : most;
    return most;
}
";

/// A function `f` with these statements as its region, over a matrix and a vector.
fn function(name: &str, region: &str) -> String {
    let text = format!(
        "{FUNCTIONS}
void f(int n, double a[restrict n][n], double s[restrict n])
{{
#pragma scop
{region}
#pragma endscop
}}"
    );
    pencil(name, &text)
}

const PARALLEL: &str = "#pragma omp parallel for";

#[test]
fn rows_of_an_array_are_independent() {
    let file = function(
        "pencil_rows",
        "    for (int i = 0; i < n; i++)\n        row(n, a[i]);",
    );
    let text = region(&file, "n=37", &["--shape", "none"]);
    assert!(text.contains("row(n, a[c0]);"), "{text}");
    assert!(text.contains(PARALLEL), "{text}");
}

#[test]
fn a_row_from_the_one_before_is_computed_in_order() {
    let file = function(
        "pencil_order",
        "    for (int i = 1; i < n; i++)\n        next(n, a[i - 1], a[i]);",
    );
    let text = region(&file, "n=37", &["--shape", "none"]);
    assert!(!text.contains(PARALLEL), "{text}");
    assert!(text.contains("next(n, a["), "{text}");
}

/// The same loop with a summary that names the element, and with one that does not.
#[test]
fn elements_count_one_by_one() {
    let put = function(
        "pencil_put",
        "    for (int i = 0; i < n; i++)\n        put(n, i, s);",
    );
    assert!(region(&put, "n=37", &[]).contains(PARALLEL));
    let maybe = function(
        "pencil_maybe",
        "    for (int i = 0; i < n; i++)\n        maybe_put(n, i, s);",
    );
    let text = region(&maybe, "n=37", &["--shape", "none"]);
    assert!(!text.contains(PARALLEL), "{text}");
    assert!(text.contains("maybe_put(n, c0, s);"), "{text}");
}

/// What comes before and behind a call stays there, also where loops are tiled.
#[test]
fn calls_take_part_in_orders() {
    let file = function(
        "pencil_stages",
        "    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] * 0.5 + j;
    for (int i = 0; i < n; i++)
        row(n, a[i]);
    for (int i = 0; i < n; i++)
        s[i] = largest(n, a[i]) + a[i][0];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] - s[j];",
    );
    let text = region(&file, "n=37", &["--shape", "none"]);
    assert!(text.contains("largest(n, a[c0])"), "{text}");
    assert_eq!(text.matches(PARALLEL).count(), 4, "{text}");
    for options in [
        &[
            "--shape",
            "parallelogram",
            "--fuse",
            "max",
            "--tile-sizes",
            "8",
        ][..],
        &["--shape", "parallelogram", "--fuse", "smart"],
        &["--shape", "scalene"],
        &["--fuse", "no"],
    ] {
        region(&file, "n=37", options);
    }
}

/// A condition on data in front of a call, and a subscript that is data.
#[test]
fn rows_that_data_picks() {
    let text = format!(
        "{FUNCTIONS}
void f_init(int n, int pick[restrict n], double a[restrict n][n])
{{
    for (int i = 0; i < n; i++) {{
        pick[i] = i * 5 % n;
        for (int j = 0; j < n; j++)
            a[i][j] = i - 0.5 * j;
    }}
}}
void f(int n, int pick[restrict n], double a[restrict n][n])
{{
#pragma scop
    for (int i = 0; i < n; i++)
        if (pick[i] > 2)
            row(n, a[pick[i]]);
#pragma endscop
}}"
    );
    let text = region(
        &pencil("pencil_picked", &text),
        "n=23",
        &["--shape", "none"],
    );
    assert!(text.contains("row(n, a[pick[c0]]);"), "{text}");
    assert!(!text.contains(PARALLEL), "{text}");
}

#[test]
fn functions_of_scalars_from_elsewhere() {
    let text = "#include <strings.h>
__attribute__((pure)) extern int isalnum(int);
void f(int n, int x[restrict n], int y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = ffs(x[i] + i);
        y[i] = isalnum(y[i] % 128) != 0;
    }
#pragma endscop
}";
    let file = program("pencil_external", text);
    let text = region(&file, "n=100", &[]);
    assert!(text.contains("ffs(x["), "{text}");
    assert!(text.contains(PARALLEL), "{text}");
    // A device has no such function, which is said; the region stays as it was.
    let (status, out, messages) = answer(&["compile", &file, "--target", "opencl"]);
    assert_eq!(status, 0, "{messages}");
    assert!(messages.contains("is not known on devices"), "{messages}");
    assert!(!out.contains("__kernel"), "{out}");
}

/// A plan that would compute rows in scratchpads, which the function could not see.
#[test]
fn plans_leave_arrays_where_they_are() {
    let file = function(
        "pencil_plan",
        "    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = j;
    for (int i = 0; i < n; i++)
        s[i] = largest(n, a[i]);",
    );
    let (_, plan, messages) = answer(&["compile", &file, "--emit", "plan"]);
    assert!(plan.contains("shape = \"none\""), "{plan}{messages}");
    let plan = plan.replace("shape = \"none\"", "shape = \"scalene\"");
    let plan_file = format!("{file}.toml");
    std::fs::write(&plan_file, plan).expect("written");
    let (status, out, messages) = answer(&["compile", &file, "--plan", &plan_file]);
    assert_ne!(status, 0, "{out}");
    assert!(messages.contains("`largest` gets arrays"), "{messages}");
}
