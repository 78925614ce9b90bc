//! Pointers as data: a region copies, compares and sets them, and does not follow them.

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
            Ok(&[]),
        ),
        (
            "float **a",
            "float *t = a[i]; a[i] = a[i + 1]; t[0] = 1;",
            Err("TW02"),
        ),
        // Structures with them.
        (
            "struct s *a",
            "struct s t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t;",
            Ok(&[]),
        ),
        // Sums with them.
        ("float **a, float **b", "a[i] = b[i] + 1;", Ok(&["a b"])),
        ("float **a, float *b, int m", "a[i] = b + i * m;", Ok(&[])),
        ("float **a, float *b, int m", "a[i] = b; b += m;", Ok(&[])),
        ("float **a, float *b, int m", "a[i] = &b[m - i];", Ok(&[])),
        ("int **a, struct s *b", "a[i] = &b->row[i];", Ok(&[])),
        ("void **a, char *b, int m", "a[i] = b + m * i;", Ok(&[])),
        // One would be a sum in itself.
        ("float **a", "a[i] = a[i] + 1;", Err("TW0208")),
        // Tests.
        ("float **a, int *b", "if (a[i]) b[i] = 1;", Ok(&[])),
        (
            "float **a, int *b",
            "b[i] = !a[i] || a[i] == a[0];",
            Ok(&[]),
        ),
        (
            "float **a, int *b, float *c",
            "if (a[i] < c) b[i] = c != 0;",
            Ok(&[]),
        ),
        ("float **a, char *b", "if (a[i]) b[i] = 1;", Ok(&["a b"])),
        (
            "float **a, int **b",
            "if (a[i] == b[i]) b[i] = 0;",
            Err("TW0208"),
        ),
        // What is asked for and followed in the same turn.
        (
            "struct s *a, float *b",
            "if (a[i].p) b[i] = a[i].p[0];",
            Ok(&[]),
        ),
        // A variable of the function that is set, and one that is followed.
        (
            "float **a, int *b, float *best",
            "if (b[i] > 3) best = a[i];",
            Ok(&[]),
        ),
        (
            "float **a, int *b, float *best",
            "if (b[i] > 3) best = a[i]; best[0] = 1;",
            Err("`best` changes inside"),
        ),
        // Behind others.
        (
            "struct s **a, int **b",
            "b[i] = a[0]->p;",
            Ok(&["a b", "a b"]),
        ),
        // Another type, and a number.
        ("float **a, double **b", "a[i] = b[i];", Err("TW0208")),
        (
            "float ***a, float **b",
            "a[i][0] = b[i];",
            Ok(&["a a", "a b"]),
        ),
        ("float **a, float *b", "a[i][0] = b;", Err("TW02")),
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
