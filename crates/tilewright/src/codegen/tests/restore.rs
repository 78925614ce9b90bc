//! Loops whose bounds are data: where the data becomes the bound again, and where it must not.

use super::harness::*;
use crate::codegen::Target;
use crate::codegen::generation::build;
use crate::codegen::kernel::{Index, Instance, Kernel};
use crate::frontend::c::lower::lower;
use crate::frontend::c::read;
use crate::scop::Scop;
use crate::source::Source;

/// The region of a text that needs no preprocessor.
fn scop(text: &str) -> Scop {
    let source = Source {
        name: "test.c".to_owned(),
        text: text.to_owned(),
        preprocessed: text.to_owned(),
        ..Source::default()
    };
    let unit = read(&source).unwrap();
    lower(&isl::Ctx::new(), &unit, 0).unwrap()
}

/// Rows of a sparse matrix; `arrays` declares `row` and `val`.
fn rows(arrays: &str) -> Scop {
    scop(&format!(
        "void f(int n, int nnz, {arrays}, double sum[restrict n])
{{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++)
            sum[i] = sum[i] + val[j];
#pragma endscop
}}
"
    ))
}

const ROWS: &str = "int row[restrict n + 1], double val[restrict nnz]";

/// The region's temporaries that an expression reads.
fn data(scop: &Scop, index: &Index) -> Vec<String> {
    let mut found = Vec::new();
    index.walk(&mut |part| {
        if let Index::Data(buffer, _) = part {
            found.push(scop.arrays[*buffer].name.clone());
        }
    });
    found
}

fn instances(kernel: &Kernel) -> Vec<Instance> {
    let mut found = Vec::new();
    for node in &kernel.body {
        node.instances(&mut |instance| found.push(instance.clone()));
    }
    found
}

/// As written: both bounds are the data, and both tests are certain.
#[test]
fn bounds_come_back() {
    let scop = rows(ROWS);
    let kernel = kernel(&scop, &unlifted(&scop, None));
    let all = loops(&kernel);
    assert_eq!(all.len(), 2);
    assert!(data(&scop, &all[0].lower).is_empty() && data(&scop, &all[0].upper).is_empty());
    assert_eq!(data(&scop, &all[1].lower), ["j_begin"]);
    assert_eq!(data(&scop, &all[1].upper), ["j_end"]);
    let last = instances(&kernel).pop().unwrap();
    assert_eq!(last.certain, [0, 1]);
    assert!(all[0].is_uneven(&scop) && !all[1].is_uneven(&scop));
}

/// All bounds first, then the loops interchanged.
fn interchanged(scop: &Scop) -> String {
    format!(
        r#"
domain: "{}"
child:
  sequence:
  - filter: "{{ S0[i]; S1[i] }}"
    child:
      schedule: "[{{ S0[i] -> [(i)]; S1[i] -> [(i)] }}]"
  - filter: "{{ S2[i, j] }}"
    child:
      schedule: "[{{ S2[i, j] -> [(j)] }}]"
      child:
        schedule: "[{{ S2[i, j] -> [(i)] }}]"
"#,
        scop.domain().unwrap()
    )
}

/// Outside of the loop over rows there is no bound that all of them share: the extent stays, and
/// both tests are made.
#[test]
fn interchanged_loops_keep_the_tests() {
    let scop = rows(ROWS);
    let kernel = kernel(&scop, &unlifted(&scop, Some(&interchanged(&scop))));
    for each in loops(&kernel) {
        assert!(data(&scop, &each.lower).is_empty() && data(&scop, &each.upper).is_empty());
        assert!(!each.is_uneven(&scop));
    }
    let last = instances(&kernel).pop().unwrap();
    assert!(last.certain.is_empty(), "{:?}", last.certain);
}

/// With the bounds of a type in place of the extent such a loop is refused, and the loops as
/// written are not.
#[test]
fn a_type_s_bound_is_refused() {
    let scop = rows("int *restrict row, double *restrict val");
    let order = interchanged(&scop);
    let wanted = options(Target::OpenMp);
    let error = build::generate(&scop, &unlifted(&scop, Some(&order)), &wanted).unwrap_err();
    assert_eq!(error.kind(), isl::ErrorKind::Unsupported);
    assert!(
        error.to_string().contains("no static bound is known"),
        "{error}"
    );
    build::generate(&scop, &unlifted(&scop, None), &wanted).unwrap();
}

/// Two loops in one run to the larger bound (figure 5.1): no test is certain.
#[test]
fn fused_loops_run_to_the_larger_bound() {
    let scop = scop(
        "void f(int n, int p[restrict n], int q[restrict n], double a[restrict n][40],
       double b[restrict n][40])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < p[i]; j++)
            a[i][j] = 1.0;
        for (int k = 0; k < q[i]; k++)
            b[i][k] = 2.0;
    }
#pragma endscop
}
",
    );
    let order = format!(
        r#"
domain: "{}"
child:
  schedule: "[{{ S0[i] -> [(i)]; S1[i, j] -> [(i)]; S2[i] -> [(i)]; S3[i, k] -> [(i)] }}]"
  child:
    sequence:
    - filter: "{{ S0[i]; S2[i] }}"
    - filter: "{{ S1[i, j]; S3[i, k] }}"
      child:
        schedule: "[{{ S1[i, j] -> [(j)]; S3[i, k] -> [(k)] }}]"
"#,
        scop.domain().unwrap()
    );
    let kernel = kernel(&scop, &unlifted(&scop, Some(&order)));
    let all = loops(&kernel);
    assert_eq!(all.len(), 2);
    let mut bounds = data(&scop, &all[1].upper);
    bounds.sort();
    assert_eq!(bounds, ["j_end", "k_end"]);
    assert!(matches!(all[1].upper, Index::Max(_)), "{:?}", all[1].upper);
    let tested = instances(&kernel);
    assert!(tested.iter().all(|instance| instance.certain.is_empty()));
}
