//! What OpenMP says of a region, as lines of the model's text.

use crate::statements::{HEAD, lines, region};
use crate::{lowered, plain, render};

/// OpenMP's pragmas in front of a loop: nothing, or why they stay.
#[test]
fn pragmas_of_openmp() {
    let rows = [
        ("parallel for", ""),
        ("parallel for simd", ""),
        ("simd", ""),
        ("unroll", ""),
        ("tile sizes(4)", ""),
        (
            "parallel for schedule(static, 4) num_threads((n + 1) * (2)) if(n > (3))",
            "",
        ),
        ("parallel for,schedule(static) , collapse(1)", ""),
        (
            "parallel for reduction(+ : kept) default(none) shared(a)",
            "",
        ),
        ("parallel for lastprivate(count)", ""),
        ("parallel for private(count)", ""),
        ("parallel for private (count)", ""),
        ("parallel for", ""),
        ("for", "`#pragma omp for` inside the region"),
        ("parallel", "`#pragma omp parallel` inside the region"),
        (
            "parallel sections",
            "`#pragma omp parallel sections` inside the region",
        ),
        ("task", "`#pragma omp task` inside the region"),
        (
            "critical (here)",
            "`#pragma omp critical` inside the region",
        ),
        (
            "target teams distribute parallel for",
            "`#pragma omp target teams distribute parallel for`",
        ),
        (
            "parallel for nowait",
            "`#pragma omp parallel for` with `nowait`",
        ),
        (
            "parallel for ordered",
            "`#pragma omp parallel for ordered` inside the region",
        ),
        (
            "parallel for num_threads((n + 1) / (2)) nowait",
            "with `nowait`",
        ),
        ("parallel for num_threads(n) nowait", "with `nowait`"),
        ("parallel for schedule(static)nowait", "with `nowait`"),
        ("parallel for if(((n))) copyin(kept)", "with `copyin`"),
        (
            "parallel for ! schedule(static)",
            "not known to leave the values as they are",
        ),
        ("simd for", "`#pragma omp simd for` inside the region"),
        ("parallel for collapse(1) simd", "with `simd`"),
        (
            "parallel for private(real)",
            "`private(real)`, and `real` is read behind the region",
        ),
        (
            "parallel for private(count, real)",
            "`private(real)`, and `real`",
        ),
        (
            "parallel for firstprivate( real )",
            "`real` is read behind the region",
        ),
        ("parallel for private(other)", ""),
    ];
    let mut wrong = Vec::new();
    for (words, message) in rows {
        let text = region("count = d[i]; real = count; kept += count; a[i] = real;");
        let text = text.replace(
            "#pragma scop",
            &format!("#pragma scop\n#pragma omp {words}"),
        );
        let text = text.replace("#pragma endscop", "#pragma endscop\na[0] = real;");
        match lines(&text) {
            Ok(_) if message.is_empty() => {}
            Err(errors) if !message.is_empty() && errors.contains(message) => {}
            found => wrong.push(format!("{words}: {found:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Loops that the program says are independent: their statements, without those that define bounds
/// in front of them.
#[test]
fn loops_that_are_said_to_be_independent() {
    let rows: &[(&str, usize, &[&str], &[&str])] = &[
        (
            "\n#pragma pencil independent\nfor (int j = 0; j < n; j++) a[j] = i;",
            1,
            &["S0"],
            &[],
        ),
        (
            "\n#pragma pencil independent reduction(+: a, b)\nfor (int j = 0; j < d[i]; j++) a[j] = i;",
            1,
            &["S1"],
            &["a", "b"],
        ),
        (
            "b[i] = 1;\n#pragma pencil independent\nfor (int j = 0; j < n; j++) { a[j] = i; b[j] = i; }\nb[i] = 2;",
            1,
            &["S1", "S2"],
            &[],
        ),
        (
            "\n#pragma pencil independent\n#pragma GCC ivdep\nfor (int j = 0; j < n; j++) for (int k = 0; k < n; k++) a[k] = i;",
            1,
            &["S0"],
            &[],
        ),
    ];
    for &(inside, depth, statements, except) in rows {
        let source = plain(&format!("{HEAD}{}", region(inside)));
        let ctx = isl::Ctx::new();
        let found = lowered(&ctx, &source).unwrap_or_else(|e| panic!("{}", render(&source, &e)));
        let [said] = &found.scop.loops.independent[..] else {
            panic!("{inside}: {:?}", found.scop.loops.independent);
        };
        assert_eq!(said.depth, depth, "{inside}");
        assert_eq!(said.statements, statements, "{inside}");
        assert_eq!(said.except, except, "{inside}");
    }
    let found = lines(&region("\n#pragma pencil independent\na[i] = 1;"));
    let found = found.expect("a warning only").join("\n");
    assert!(found.contains("does not stand above a loop"), "{found}");
}
