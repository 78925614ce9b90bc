//! Ordinary loops: which stay as they were written, and for which of them threads are started.

use super::{compiled, source};
use tilewright::compile::{Options, compile};
use tilewright::plan::{Plan, Shape};

const ARRAYS: &str = "double A[restrict n][m], double B[restrict n][m], double C[restrict n][m], \
     double r[restrict n], double x[restrict m], const unsigned char rgb[restrict n][m][3], \
     unsigned char out[restrict n][m], double small[restrict 8]";

fn function(body: &str) -> String {
    format!("void f(int n, int m, {ARRAYS})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
}

fn shape(body: &str) -> Shape {
    let compiled = compiled(&source(&function(body)), &Options::default());
    compiled.plan.regions[0].groups[0].shape()
}

#[test]
fn what_no_other_order_helps_stays_as_written() {
    for body in [
        // One number from statement to statement.
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { double t = A[i][j]; if (t > 1.0) t = t * 0.5; B[i][j] = t + 1.0; }",
        // Elementwise, in rows of any length, by hand four at once, of channels.
        "for (int j = 0; j < m; j++) x[j] = x[j] * 2.0;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = B[i][j] + C[i][j];",
        "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) A[i][j] = B[i][j] * 2.0;",
        "for (int j = 0; j < m / 2 * 2; j += 2) { x[j] = x[j] + 1.0; x[j + 1] = x[j + 1] - 1.0; }",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)\n\
         out[i][j] = (rgb[i][j][0] + 2 * rgb[i][j][1] + rgb[i][j][2]) >> 2;",
        // Windows.
        "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
         A[i][j] = B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1];",
        // Along rows.
        "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) A[i][j] = A[i][j - 1] * 0.5 + B[i][j];",
        // Sums of rows.
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) r[i] += A[i][j] * x[j];",
        // One after the other, of which the second reads what the first one leaves.
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) B[i][j] = C[i][j] * 0.5;\n\
         for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = B[i][j] - B[i - 1][j];",
        // Variables of the body.
        "for (int i = 0; i < n; i++) {\n\
         double t = B[i][0];\n\
         for (int j = 1; j < m; j++) t = B[i][j] > t ? B[i][j] : t;\n\
         for (int j = 0; j < m; j++) A[i][j] = B[i][j] - t;\n}",
    ] {
        assert_eq!(shape(body), Shape::None, "{body}");
    }
    for body in [
        // A matrix that is used again, rows that are columns.
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < n; k++)\n\
         C[i][j] += A[i][k] * B[k][j];",
        "for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) A[i][j] = B[i][j] + 1.0;",
    ] {
        assert_ne!(shape(body), Shape::None, "{body}");
    }
}

/// A row that each iteration of an outer loop updates, or makes of the row before: tiles of it, in
/// parallel, outside, if there are several threads; on one where the row may have left the caches.
/// Where several nests use what the loop reads, and where the other order would lose the vector loop,
/// it stays.
#[test]
fn rows_that_wait_for_rows_are_tiled_for_threads() {
    for (body, sum) in [
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[j] += r[i] * A[i][j];",
            "x[c3] = x[c3] + r[c2] * A[c2][c3];",
        ),
        (
            "for (int j = 0; j < m; j++) x[j] = A[0][j];\n\
             for (int i = 1; i < n; i++) for (int j = 0; j < m; j++)\n\
             if (A[i][j] > x[j]) x[j] = A[i][j];",
            "if (A[c2][c3] > x[c3])",
        ),
        (
            "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = A[i - 1][j] + B[i][j];",
            " = A[c2 - 1][c3] + B[c2][c3];",
        ),
    ] {
        let compiled = compiled(&source(&function(body)), &Options::default());
        let text = &compiled.text;
        let outside = text.find("#pragma omp parallel for").expect("threads");
        let inside = text.find("#pragma omp simd\n").expect("vectors");
        assert!(outside < inside && text[inside..].contains(sum), "{text}");
        let region = &compiled.plan.regions[0];
        assert_eq!(region.groups[0].shape(), Shape::Parallelogram, "{body}");
        let least = &region.least;
        assert!(least.threads_alone || least.iterations_alone > 0, "{body}");
        assert!(text.contains("_threads > 1"), "{text}");
        // One tile is nothing for threads.
        let two = text.find("&& m >= ").expect("a condition on tiles");
        assert!(two < outside, "{text}");
    }
    for body in [
        "for (int i = 0; i < n; i++) {\n\
         double t = 0;\n\
         for (int j = 0; j < m; j++) t += A[i][j] * C[0][j];\n\
         for (int j = 0; j < m; j++) x[j] += t * A[i][j];\n}",
        "for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) x[i + j] += r[i] * small[j];",
    ] {
        let text = compiled(&source(&function(body)), &Options::default()).text;
        assert!(text.contains(body), "{text}");
    }
}

/// Inside of a loop whose iterations follow each other, the parallel loop along rows runs inside of those down
/// columns, and vector units take all that is done in it.
#[test]
fn columns_are_walked_down_in_strips() {
    let body = "for (int k = 0; k < m; k++)
        for (int j = k + 1; j < m; j++) {
            x[j] = 0;
            for (int i = 0; i < n; i++) x[j] += A[i][k] * A[i][j];
            for (int i = 0; i < n; i++) A[i][j] -= A[i][k] * x[j];
        }";
    let compiled = compiled(&source(&function(body)), &Options::default());
    assert_eq!(compiled.plan.regions[0].planner, "lanes");
    let lines: Vec<&str> = compiled.text.lines().map(str::trim).collect();
    let inner =
        (2..lines.len()).filter(|&at| lines[at].ends_with(';') && lines[at].contains("64 * c1 + "));
    let inner: Vec<usize> = inner
        .filter(|&at| lines[at - 1].starts_with("for (long "))
        .collect();
    assert_eq!(inner.len(), 3, "{}", compiled.text);
    for at in inner {
        assert_eq!(lines[at - 2], "#pragma omp simd", "{}", compiled.text);
    }
}

/// A first iteration that stands in front of the others is not all there is to do.
#[test]
fn work_is_counted_in_all_loops() {
    let body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        C[i][j] = 0;
        for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
    }";
    let text = compiled(&source(&function(body)), &Options::default()).text;
    let forks: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("omp parallel for if"))
        .collect();
    assert!(!forks.is_empty(), "{text}");
    for fork in forks {
        assert!(
            fork.contains("n * m * n >=") || fork.contains("(double)n * (double)m * (double)n >="),
            "{fork}"
        );
    }
}

/// Sizes that are members are asked for in front of the region, before index arrays are looked at.
#[test]
fn little_work_is_known_from_members() {
    let region = "for (int i = 0; i < a->n; i++) {\n\
         double s = 0;\n\
         for (int k = a->first[i]; k < a->first[i + 1]; k++) s += a->value[k] * x[a->column[k]];\n\
         y[i] = s;\n}";
    let text = format!(
        "struct rows {{ int n; int *first, *column; double *value; }};\n\
         void f(const struct rows *a, const double *x, double *y)\n{{\n\
         #pragma scop\n{region}\n#pragma endscop\n}}\n"
    );
    let text = compiled(&source(&text), &Options::default()).text;
    let asked = text.find("if (a->n >= ").expect("a condition");
    let looked_at = text.find("tw_least").expect("a look at index arrays");
    assert!(asked < looked_at, "{text}");
}

/// A pointer to a structure may lead nowhere where no turn is made: then its members are not asked for
/// in front of the region either.
#[test]
fn members_are_asked_for_where_the_original_reads_them() {
    for (turns, first) in [
        ("t < steps", "if (steps >= 1 && (double)"),
        ("t < 200", "if (g->w >= "),
    ] {
        let text = format!(
            "struct grid {{ int w; float *a, *b; }};\n\
             void f(const struct grid *g, int steps)\n{{\n#pragma scop\n\
             for (int t = 0; {turns}; t++)\n\
             for (int i = 1; i < g->w - 1; i++) g->b[i] = g->b[i] * 0.5f + g->a[i - 1] + g->a[i + 1];\n\
             #pragma endscop\n}}\n"
        );
        let text = compiled(&source(&text), &Options::default()).text;
        let asked = text.find("g->w").expect("a condition");
        let line = text[..asked].rfind("if (").expect("under a condition");
        assert!(text[line..].starts_with(first), "{text}");
    }
}

/// Overlapped tiles are compared with the loops as they were written where these are few: sums that
/// stay in a register there are arrays in tiles.
#[test]
fn tiles_of_pipelines_are_compared_with_the_loops() {
    let text = "void f(int n, int m, int r, unsigned char a[restrict n][m])\n{\n#pragma scop\n\
         for (int i = 0; i < n; i++) {\n\
         unsigned char row[m];\n\
         for (int j = 0; j < m; j++) row[j] = a[i][j];\n\
         for (int j = 0; j < m; j++) {\n\
         int sum = 0, count = 0;\n\
         for (int k = -r; k <= r; k++) {\n\
         if (j + k < 0 || j + k >= m) continue;\n\
         sum += row[j + k];\n\
         count++;\n}\n\
         a[i][j] = sum / count;\n}\n}\n#pragma endscop\n}\n";
    let compiled = compiled(&source(text), &Options::default());
    let text = &compiled.text;
    assert!(text.contains("int tw_sum = 0;"), "{text}");
    let threads = text.find("#pragma omp parallel for").expect("threads");
    assert!(
        threads < text.find("int tw_sum = 0;").expect("a sum"),
        "{text}"
    );
}

/// A vector loop down columns is fast only while their lines do not evict each other, as those of
/// arrays of 512 columns do: it is no reason for another order where all of them are in a cache. The
/// subscripts are no affine forms, and still walk along rows.
#[test]
fn columns_that_share_sets_of_a_cache_are_no_gain() {
    let scores = "for (int h = 0; h < heads; h++) for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) {\n\
         float s = 0;\n\
         for (int k = 0; k < m; k++) s += q[i * w + h * m + k] * b[j * w + h * m + k];\n\
         c[h * n * n + i * n + j] = s * 0.5f;\n}";
    let text = format!(
        "void f(int heads, int n, int m, int w, float *restrict c, const float *restrict q,\n\
         const float *restrict b)\n{{\n#pragma scop\n{scores}\n#pragma endscop\n}}\n"
    );
    let compiled = compiled(&source(&text), &Options::default());
    let least = compiled.plan.regions[0].least.iterations;
    let text = &compiled.text;
    let columns = text.split("#pragma omp simd").skip(1);
    let mut columns = columns.filter_map(|inner| inner.lines().nth(2));
    let down = columns.any(|line| line.contains("* b["));
    assert!(!down || least >= 512, "from {least} on:\n{text}");
    assert!(text.contains("s += q[i * w + h * m + k]"), "{text}");
}

/// What another order is better for where it is long stays in parallel as it was written where it is
/// shorter; the plan has both texts, and none that nothing is left for.
#[test]
fn shorter_loops_are_parallel_as_they_were_written() {
    let products = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < m; k++)\n\
         C[i][j] += A[i][k] * B[j][k];";
    let source = source(&function(products).replace("C[restrict n][m]", "C[restrict n][n]"));
    let first = compiled(&source, &Options::default());
    let text = &first.text;
    let place = |words: &str| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words}\n{text}"))
    };
    let places = [
        "side by side",
        "} else {\n    {\n        int tw_threads = 1;",
        "if (tw_threads > 1) {",
        "tw_share_f_0_0((int)",
        "} else {\nfor",
        products,
    ];
    assert!(places.map(place).is_sorted(), "{text}");
    let otherwise = first.plan.regions[0].otherwise.as_ref().expect("two texts");
    assert_eq!(otherwise.planner, "original");
    assert_eq!(otherwise.groups[0].shape(), Shape::None);
    // A plan says the same in its file, and gives the same text.
    let file = first.plan.to_toml().expect("a file");
    let plan = Plan::from_toml(&file).expect("a plan");
    assert_eq!(plan, first.plan, "{file}");
    let again = compile(&source, &Options::default(), Some(&plan), &mut |_| {}).expect("a text");
    assert_eq!(again.text, first.text);
    // One that would not be there is refused.
    let mut wrong = plan.clone();
    let groups = &mut wrong.regions[0]
        .otherwise
        .as_mut()
        .expect("two texts")
        .groups;
    groups[0].parallel = false;
    let errors = compile(&source, &Options::default(), Some(&wrong), &mut |_| {});
    let errors = errors.expect_err("no threads");
    assert!(errors[0].message.contains("`otherwise`"), "{errors:?}");
    // Nor one that is never reached, as the first one stands always.
    let mut wrong = plan.clone();
    wrong.regions[0].least.always = true;
    let errors = compile(&source, &Options::default(), Some(&wrong), &mut |_| {});
    let errors = errors.expect_err("never reached");
    assert!(errors[0].message.contains("never reached"), "{errors:?}");
    // Where there is enough to do for threads, all loops are long enough.
    let one_size =
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) r[i] += B[i][j] * r[j];";
    let one_size = super::source(&function(&one_size.replace("r[j]", "C[0][j]")));
    let compiled = compiled(&one_size, &Options::default());
    assert!(compiled.text.contains("side by side"), "{}", compiled.text);
    assert_eq!(compiled.plan.regions[0].otherwise, None);
}

/// What has no parallel loop outside is left byte for byte, and it is said why.
#[test]
fn what_has_nothing_to_gain_is_left_as_it_is() {
    for body in [
        "for (int j = 1; j < m; j++) x[j] = x[j - 1] * 0.5 + x[j];",
        "for (int i = 0; i < n; i++) { r[i] = B[i][0]; for (int j = 0; j < i; j++) r[i] -= A[i][j] * r[j]; }",
        "double s = 0; for (int i = 0; i < n; i++) s += r[i]; small[0] = s;",
        "double lo = x[0], hi = x[0];\nfor (int j = 1; j < m; j++) {\n\
         if (x[j] < lo) lo = x[j];\nif (x[j] > hi) hi = x[j];\n}\nsmall[0] = lo;\nsmall[1] = hi;",
        "for (int k = 0; k < 8; k++) small[k] = small[k] * 0.5;",
        // The vector loop would go outside, so that a column is walked down.
        "for (int i = n - 1; i >= 0; i--) for (int k = i + 1; k < n; k++) for (int j = 0; j < m; j++) A[i][j] -= r[i * 0 + k] * A[k][j] * r[i];",
    ] {
        let source = source(&function(body));
        let compiled = compiled(&source, &Options::default());
        assert_eq!(compiled.text, source.text);
        assert!(compiled.regions[0].original.left.is_some(), "{body}");
        // Its plan says so.
        let plan = Some(&compiled.plan);
        let again = compile(&source, &Options::default(), plan, &mut |_| {}).expect("a plan");
        assert_eq!(again.text, source.text);
        // On demand they are written anew.
        let mut options = Options::default();
        options.wishes.shape = Some(Shape::None);
        assert_ne!(
            super::compiled(&source, &options).text,
            source.text,
            "{body}"
        );
    }
}

/// Loops whose turns decide when they end have no other order, and it is said that this is why.
#[test]
fn loops_that_end_by_themselves_are_left_as_they_are() {
    for body in [
        "for (int i = 0; i < n; i++) if (r[i] < 0) { small[0] = i; break; }",
        "for (int i = 1; i < n; i *= 2) r[i] = 0;",
        "double e = 1; do { e = e * 0.5; small[1] += e; } while (e > small[0]);",
    ] {
        let source = source(&function(body));
        let compiled = compiled(&source, &Options::default());
        assert_eq!(compiled.text, source.text);
        let why = compiled.regions[0].original.left.expect("a reason");
        assert!(why.contains("turns"), "{body}: {why}");
    }
}

/// Sums that a loop adds up in a cell are variables while it runs, where the loop runs.
#[test]
fn sums_are_variables_while_their_loop_runs() {
    let text = |body: &str| compiled(&source(&function(body)), &Options::default()).text;
    let rows =
        text("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) r[i] += A[i][j] * x[j];");
    assert!(rows.contains("if (m >= 1) {"), "{rows}");
    assert!(rows.contains("double tw_r = r[c0];"), "{rows}");
    assert!(rows.contains("r[c0] = tw_r;"), "{rows}");
    for other in [
        // Under a condition, of another cell, never read, of data.
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (x[j] > 0) r[i] += A[i][j];",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) r[i] = A[i][j];",
    ] {
        let text = text(other);
        assert!(!text.contains("double tw_r"), "{text}");
    }
}

/// What threads only read is passed to them by value.
#[test]
fn threads_get_copies_of_pointers_and_numbers() {
    let text = function(
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = B[i][j] + r[i];",
    );
    let text = compiled(&source(&text), &Options::default()).text;
    assert!(text.contains(" firstprivate(n, m, A, B, r)\n"), "{text}");
    let bytes = function(
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) out[i][j] = rgb[i][j][0];",
    );
    let bytes = compiled(&source(&bytes), &Options::default()).text;
    let copied = " firstprivate(tw_count, tw_threads, n, m, rgb, out)\n";
    assert!(bytes.contains(copied), "{bytes}");
    // Arrays of the function itself are not copied.
    let local = "void f(int n, double x[restrict 64], const double y[restrict 64])\n{\n    double t[64];\n#pragma scop\n\
                 for (int i = 0; i < 64; i++)\n    t[i] = y[i];\n\
                 for (int k = 0; k < n; k++)\n    for (int i = 1; i < 64; i++)\n        x[i] += t[i] * t[i - 1];\n\
                 #pragma endscop\n}\n";
    let mut options = Options::default();
    options.wishes.processor.fork = 0;
    options.wishes.shape = Some(Shape::None);
    let text = compiled(&source(local), &options).text;
    assert!(
        text.contains(" firstprivate(y)\n") && !text.contains("(t") && !text.contains(", t"),
        "{text}"
    );
}

#[test]
fn threads_are_started_where_there_is_enough_to_do() {
    let text = |body: &str, fork: i64| {
        let mut options = Options::default();
        options.wishes.processor.fork = fork;
        compiled(&source(&function(body)), &options).text
    };
    let rows =
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[i][j] = B[i][j] + C[i][j];";
    // An operation and three accesses each.
    assert!(
        text(rows, 4000).contains(
            "if ((double)n * (double)m >= 1000)\n        tw_threads = omp_get_max_threads();"
        ),
        "{}",
        text(rows, 4000)
    );
    let always = "#pragma omp parallel for schedule(static)";
    assert!(text(rows, 0).contains(always));
    assert!(text(rows, 4).contains(always));
    let constant = "for (int k = 0; k < 8; k++) small[k] = small[k] + 1.0;";
    assert!(!text(constant, 25).contains("#pragma omp parallel"));
    assert!(text(constant, 24).contains(always));
    // What runs inside counts, what is around does not.
    let inside = "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) A[i][0] += A[i - 1][j];";
    assert!(
        !text(inside, 1000).contains("* m"),
        "{}",
        text(inside, 1000)
    );
    let steps = "for (int i = 1; i < n; i++) { for (int j = 1; j < m - 1; j++) x[j] += A[i][j] * B[i][j - 1]; \
                 for (int j = 1; j < m - 1; j++) A[i][j] += x[j + 1]; }";
    let mut options = Options::default();
    options.wishes.processor.fork = 1000;
    options.wishes.shape = Some(Shape::None);
    let steps = compiled(&source(&function(steps)), &options).text;
    assert!(steps.contains("if (m >= "), "{steps}");
    assert!(!steps.contains("(double)n *"), "{steps}");
    // Bounds that are data stand for a few iterations.
    let data = "for (int i = 0; i < n; i++) for (int j = 0; j < (int)r[i]; j++) A[i][j] = 0.0;";
    assert!(
        text(data, 1000).contains("if (n >= "),
        "{}",
        text(data, 1000)
    );
}

/// The variables of the loops that run inside the sums in them.
fn lanes(body: &str) -> Vec<String> {
    let arrays = "const float in[restrict n][m + 8][m + 8], const float w[restrict n][5][5], \
         float out[restrict n][m][m], const int v[restrict n][m], int *restrict r";
    let text =
        format!("void f(int n, int m, {arrays})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n");
    let compiled = compiled(&source(&text), &Options::default());
    let written = compiled.plan.regions[0].groups[0].written();
    written.map_or_else(Vec::new, |written| written.lanes.clone())
}

/// Sums of neighbours are made side by side, where a C compiler makes them one after the other.
#[test]
fn sums_of_neighbours_run_side_by_side() {
    let pixels =
        "for (int o = 0; o < n; o++) for (int y = 0; y < m; y++) for (int x = 0; x < m; x++)";
    let window = "for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++)";
    let all = "for (int c = 0; c < n; c++)";
    for body in [
        format!(
            "{pixels} {{ float s = 0; {all} {window} s += in[c][y + i][x + j] * w[c][i][j]; out[o][y][x] = s; }}"
        ),
        format!(
            "{pixels} {{ float s = -1; {all} {window} if (in[c][y + i][x + j] > s) s = in[c][y + i][x + j]; out[o][y][x] = s; }}"
        ),
        format!(
            "{pixels} {{ out[o][y][x] = 0; {all} {window} out[o][y][x] += in[c][y + i][x + j] * w[c][i][j]; }}"
        ),
    ] {
        assert_eq!(lanes(&body), ["x"], "{body}");
    }
    for body in [
        // A window that C compilers unroll.
        format!("{pixels} {{ float s = 0; {window} s += in[o][y + i][x + j] * w[o][i][j]; out[o][y][x] = s; }}"),
        // Every other cell, rows instead of columns, integers.
        format!("{pixels} {{ float s = 0; {all} {window} s += in[c][y + i][2 * x + j - m]; out[o][y][x] = s; }}"),
        format!("{pixels} {{ float s = 0; {all} {window} s += in[c][x + i][y + j]; out[o][x][y] = s; }}"),
        "for (int x = 0; x < m; x++) { int s = 0; for (int c = 0; c < n; c++) for (int i = 0; i < 9; i++) s += v[c][x] >> i; r[x] = s; }".to_owned(),
        // Iterations that depend on each other.
        format!("{pixels} {{ float s = 0; {all} {window} s += in[c][y + i][x + j] * out[o][y][x > 0 ? x - 1 : 0]; out[o][y][x] = s; }}"),
    ] {
        assert_eq!(lanes(&body), [""; 0], "{body}");
    }
}

/// So are sums of which each reads what all others read, but for its own cells, however long they are.
#[test]
fn sums_over_what_all_read_run_side_by_side() {
    let lanes = |body: &str| {
        let arrays = "const float *restrict c, const double *restrict x, double *restrict y, \
                      const double a[restrict n][m]";
        let text = format!(
            "void f(int n, int m, {arrays})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        let compiled = compiled(&source(&text), &Options::default());
        let written = compiled.plan.regions[0].groups[0].written();
        written.map_or_else(Vec::new, |written| written.lanes.clone())
    };
    for body in [
        "for (int i = 0; i < n; i++) { double s = 0; for (int k = m; k > 0; k--) s = s * x[i] + c[k]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { double s = 0; for (int k = 0; k < n; k++) { double d = x[k] - x[i]; s += c[k] / (d * d + 1); } y[i] = s; }",
    ] {
        assert_eq!(lanes(body), ["i"], "{body}");
    }
    // A plane is read once, along its rows.
    let plane = "for (int i = 0; i < m; i++) { double s = 0; for (int k = 0; k < n; k++) s += a[k][i] * x[i]; y[i] = s; }";
    assert_eq!(lanes(plane), [""; 0]);
}

/// All loops of a name run inside the sums in them, or none.
#[test]
fn loops_of_one_name_run_side_by_side_together() {
    let sum = |cell: &str, variable: &str, from: &str| {
        format!(
            "for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) {{ float {variable} = 0; \
             for (int c = 0; c < n; c++) for (int i = 0; i < 3; i++) \
             {variable} += {from}[c][y + i][x]; {cell} = {variable}; }}\n"
        )
    };
    let arrays = "const float a[restrict n][m + 8][m + 8], const float b[restrict n][m + 8][m + 8], \
         float p[restrict m][m], float q[restrict m][m], float r[restrict m][n]";
    let both = sum("p[y][x]", "s", "a") + &sum("q[y][x]", "t", "b");
    let text =
        format!("void f(int n, int m, {arrays})\n{{\n#pragma scop\n{both}#pragma endscop\n}}\n");
    let text = compiled(&source(&text), &Options::default()).text;
    for variable in ["s", "t"] {
        assert!(text.contains(&format!("tw_{variable})[64]")), "{text}");
    }
    assert!(!text.contains("& 63]"), "{text}");
    // The second loop over `x` holds no sum.
    let other = sum("p[y][x]", "s", "a")
        + "for (int x = 0; x < m; x++) for (int c = 0; c < n; c++) r[x][c] = 1;\n";
    let text =
        format!("void f(int n, int m, {arrays})\n{{\n#pragma scop\n{other}#pragma endscop\n}}\n");
    let plan = compiled(&source(&text), &Options::default()).plan;
    let lanes =
        |group: &tilewright::plan::Group| group.written().is_some_and(|w| !w.lanes.is_empty());
    assert!(!plan.regions[0].groups.iter().any(lanes));
}

/// Counts, and what `&`, `^` and `|` make of integers, in parts for threads: where no loop is parallel
/// without, and in integers that wrap.
#[test]
fn what_is_the_same_in_any_order_is_made_in_parts() {
    let text = |declared: &str, body: &str| {
        let text = format!(
            "void f(int n, const int x[restrict n], double y[restrict n], long r[restrict 4])\n{{\n{declared}\n\
             #pragma scop\nfor (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\nr[0] = s;\n}}\n"
        );
        compiled(&source(&text), &Options::default()).text
    };
    let sum = text("int s = 0;", "s += x[i];");
    for part in [
        "unsigned int *restrict tw_s_parts",
        "tw_s_parts[c0] = 0;",
        "s = s + tw_s_parts[c0];",
        "#pragma omp parallel for",
    ] {
        assert!(sum.contains(part), "{part}\n{sum}");
    }
    let all = text("int s = 1;", "s &= x[i] > 3;");
    for part in ["tw_s_parts[c0] = -1;", "s = s & tw_s_parts[c0];"] {
        assert!(all.contains(part), "{part}\n{all}");
    }
    let cell = text("long s = 0;", "r[2] ^= x[i];");
    assert!(cell.contains("tw_r = tw_r ^ tw_r_parts[c1][c0];"), "{cell}");
    // In a variable while its loop runs, or no compiler makes it a vector loop.
    let some = text("int s = 0;", "if (x[i] > 3) s++;");
    assert!(some.contains("tw_s_parts_2 = tw_s_parts_2 + 1;"), "{some}");
    // With other results in the loop, of which each has a cell of its own.
    let more = text(
        "int s = 0;",
        "int t = 0; for (int k = 0; k < 40; k++) t += x[k] * i; y[i] = t; if (t & 1) s++;",
    );
    assert!(
        more.contains("parts") && more.contains("#pragma omp parallel for"),
        "{more}"
    );
    // Rounded otherwise; read in between; with other loops that are parallel as they are.
    for (declared, body) in [
        ("double s = 0;", "s += y[i];"),
        ("int s = 0;", "y[i] = s; s += x[i];"),
        ("int s = 0;", "s += x[i]; s ^= i;"),
    ] {
        let text = text(declared, body);
        assert!(!text.contains("parts"), "{text}");
    }
}
