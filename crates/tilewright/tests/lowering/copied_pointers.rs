//! Pointers among the elements of arrays, which a region copies.

use crate::memory::{apart, found};

/// Parameters, the loop's body, and the pairs that are compared, or a part of the message.
type Row = (
    &'static str,
    &'static str,
    Result<&'static [&'static str], &'static str>,
);

/// Pointers in arrays are copied as they are, and who follows some may not set others of the same
/// array.
#[test]
fn pointers_that_are_copied() {
    let rows: &[Row] = &[
        ("float **a, float **b", "a[i] = b[i];", Ok(&["a b"])),
        ("float **a", "a[i] = a[i + 1];", Ok(&[])),
        ("float **a", "a[i] = 0;", Ok(&[])),
        (
            "struct s *a, struct s **b",
            "a[i].next = b[i];",
            Ok(&["a b"]),
        ),
        (
            "struct s *a, int **b",
            "a[i].p = b[i]; a[i].x = i;",
            Ok(&["a b"]),
        ),
        // What others follow is other memory than what is set, and that is compared.
        (
            "float **a, float **b, int m",
            "a[i] = b[i]; b[i][0] = m;",
            Ok(&["a b"]),
        ),
        (
            "float **a, float **b",
            "a[i] = b[i]; a[i][0] = 1;",
            Err("`a` change inside"),
        ),
        (
            "struct s **a, struct s **b",
            "a[i] = b[i]; a[i]->x = 1;",
            Err("`a` change inside"),
        ),
        // What a pointer was before another one was set.
        (
            "float **a",
            "float *t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t;",
            Err("TW0207"),
        ),
        (
            "float **a",
            "float *t = a[i]; a[i] = a[i + 1]; t[0] = 1;",
            Err("TW02"),
        ),
        // Another type, a number, and more levels.
        ("float **a, double **b", "a[i] = b[i];", Err("TW0208")),
        ("float **a, float **b", "a[i] = b[i] + 1;", Err("TW0208")),
        ("float ***a, float **b", "a[i][0] = b[i];", Err("TW02")),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (parameters, body, expected) in rows {
        let text = format!(
            "void f(int n, {parameters}) {{\n#pragma scop\nfor (int i = 0; i < n; i++) {{ {body} }}\n\
             #pragma endscop\n}}"
        );
        match (found(&ctx, &text), expected) {
            (Ok(scop), Ok(pairs)) if apart(&scop) == *pairs => {}
            (Err(errors), Err(part)) if errors.contains(part) => {}
            (Ok(scop), _) => wrong.push(format!("{body}: {:?}", apart(&scop))),
            (Err(errors), _) => wrong.push(format!("{body}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
