//! Loops that look up bytes are written out in strips.

use super::harness::*;
use crate::codegen::Target;
use crate::scop::testing::ScopBuilder;
use crate::scop::{Action, ScalarKind, ScalarType, Scop};

const VECTOR_LOOP: &str = r#"
domain: "[n, m] -> { S0[x] : m <= x < n }"
child:
  mark: simd
  child:
    schedule: "[{ S0[x] -> [(x)] }]"
"#;

/// `B[x] = T[A[x]]` for a table of 256 elements.
fn looked_up(element: ScalarKind, spelling: &str) -> Scop {
    let mut scop = ScopBuilder::new("[n, m] -> { : n >= 1 and m >= 0 }")
        .input("A", 1)
        .input("T", 1)
        .output("B", 1)
        .statement(
            "S0[x] : m <= x < n",
            &["A[x]", "?T[v] : 0 <= v < 256"],
            &["B[x]"],
        )
        .build();
    for array in &mut scop.arrays {
        array.element = ScalarType {
            kind: element,
            spelling: spelling.to_owned(),
        };
    }
    let index = scop.array_named("A").unwrap();
    scop.arrays[index].element = ScalarType {
        kind: ScalarKind::U8,
        spelling: "unsigned char".to_owned(),
    };
    let statement = &mut scop.statements[0];
    statement.accesses[1].subscripts = vec![read(0)];
    statement.accesses[1].affine = vec![None];
    statement.body = vec![Action::Assign {
        target: 2,
        value: read(1),
    }];
    scop
}

/// Whole strips first, then the bytes that are left; also where there is nothing at all.
#[test]
fn bytes_are_looked_up_in_strips() {
    let scop = looked_up(ScalarKind::U8, "unsigned char");
    let transformed = unlifted(&scop, Some(VECTOR_LOOP));
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(text.contains("c0 += 16"), "{text}");
    assert!(text.contains("B[c0 + 15] = tw_B15;"), "{text}");
    Program {
        prelude: "",
        parameters: "int n, int m, unsigned char A[restrict n], unsigned char T[restrict 256], \
                     unsigned char B[restrict n]",
        locals: "",
        original: "for (int x = m; x < n; x++) B[x] = T[A[x]];",
        check: "
    enum { N = 70 };
    unsigned char A[N], B[N], C[N], T[256];
    for (int v = 0; v < 256; v++) T[v] = 7 * v + 3;
    for (int n = 1; n <= N; n++)
        for (int m = 0; m <= 2 * N; m++) {
            for (int i = 0; i < N; i++) A[i] = 91 * i, B[i] = C[i] = 0;
            original(n, m, A, T, B);
            result(n, m, A, T, C);
            if (memcmp(B, C, sizeof B)) return printf(\"n = %d, m = %d\\n\", n, m), 1;
        }
    return 0;",
    }
    .run(&scop, &transformed);
}

/// What vector instructions gather stays a vector loop.
#[test]
fn wider_elements_are_not_looked_up_in_strips() {
    let scop = looked_up(ScalarKind::F32, "float");
    let transformed = unlifted(&scop, Some(VECTOR_LOOP));
    let text = print(&scop, &transformed, Target::OpenMp);
    assert!(text.contains("#pragma omp simd"), "{text}");
    assert!(!text.contains("+= 16"), "{text}");
}
