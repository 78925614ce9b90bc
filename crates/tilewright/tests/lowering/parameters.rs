//! Which values are parameters of the model.

use crate::sizes::{found, is};

/// Every integer in bounds, conditions and subscripts that stays the same is a parameter; others are
/// values that are only read.
#[test]
fn what_is_a_parameter() {
    let rows: &[(&str, &[&str])] = &[
        ("A[i] = n;", &[]),
        ("A[i] = outside(n);", &[]),
        ("A[i + outer] = 1;", &["outer"]),
        ("A[i] = outside(data[n] + m);", &["n"]),
        ("A[outside(n)] = 1;", &["n"]),
        ("A[i + n] = 1;", &["n"]),
        ("*(A + i + n) = 1;", &["n"]),
        ("*(n + A) = 1;", &["n"]),
        ("A[i] = A[data[n]];", &["n"]),
        ("A[i] = *(data + m);", &["m"]),
        ("if (i < n) A[i] = 1;", &["n"]),
        ("if (data[i] < n) A[i] = 1;", &["n"]),
        ("A[i] = i < n ? 1 : 2;", &[]),
        ("for (int j = n; j < m; j++) A[j] = 1;", &["n", "m"]),
        ("A[g.rows] = 1;", &["g.rows"]),
        ("A[p->rows] = 1;", &["p->rows"]),
        ("if (data[i]) m = i; A[i] = A[i + m];", &[]),
        ("if (data[i]) A[i] = 1; else m = i; A[i + m] = 1;", &[]),
        ("while (m < 9) { A[m + i] = 1; m++; }", &[]),
        ("{ m = data[i]; } A[i + m] = 1;", &[]),
        ("for (int j = 0; j < 9; j++) m = j; A[i + m] = 1;", &[]),
        ("if (data[i]) p->rows = i; A[p->rows] = 1;", &[]),
        ("if (data[i]) g.rows = i; A[g.rows + m] = 1;", &["m"]),
        ("int x = 0; while (x < n) { A[x] = 1; x++; }", &["n"]),
        ("int t = n; A[t] = 1;", &["n"]),
        ("int t = data[n]; A[i] = t;", &["n"]),
        ("float t[n]; t[0] = 1; A[i] = t[0];", &["n"]),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for &(inside, expected) in rows {
        let text = format!(
            "\n#pragma scop\nfor (int i = 0; i < 9; i++) {{ {inside} }}\n#pragma endscop\n"
        );
        match found(&ctx, &text) {
            Ok(scop) => {
                let params: Vec<&str> = scop.params.iter().map(|p| p.spelling.as_str()).collect();
                if params != expected {
                    wrong.push(format!("{inside}: {params:?}"));
                }
            }
            Err(errors) => wrong.push(format!("{inside}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is compared of one size says nothing of others; what no size meets that the program speaks
/// of is not compared.
#[test]
fn conditions_on_sizes_are_of_their_own() {
    let ctx = isl::Ctx::new();
    let rows = [
        (
            "for (long j = 0; j < l; j++) A[0] = j; for (unsigned long k = 0; k < z; k += 300) A[0] = k;",
            "0 <= z <= 17592186044416",
        ),
        (
            "__pencil_assume(u <= 7); for (unsigned k = 3; k != u; k++) A[k] = 1; A[0] = 1;",
            "3 <= u <= 7",
        ),
        (
            "__pencil_assume(u <= 2); for (unsigned k = 3; k != u; k++) A[k] = 1; A[0] = 1;",
            "",
        ),
    ];
    for (text, condition) in rows {
        let found = found(&ctx, &format!("\n#pragma scop\n{text}\n#pragma endscop\n"));
        match (found, condition) {
            (Err(errors), "") => assert!(errors.contains("may begin behind the bound"), "{errors}"),
            (Ok(scop), condition) if !condition.is_empty() => {
                assert!(
                    is(&scop.context, &scop, condition),
                    "{text}: {}",
                    scop.context
                );
            }
            (found, _) => panic!("{text}: {:?}", found.map(|scop| scop.context)),
        }
    }
}
