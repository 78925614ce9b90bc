//! Which products stay in registers.

use super::{compiled, example, source};
use tilewright::compile::Options;
use tilewright::source::Source;

#[test]
fn products_stay_in_registers() {
    let jams = |text: &Source| -> Vec<(Vec<i64>, i64)> {
        let compiled = compiled(text, &Options::default());
        let groups = &compiled.plan.regions[0].groups;
        let all = groups.iter().flat_map(|g| g.jam());
        all.map(|j| (j.factors.clone(), j.columns)).collect()
    };
    let doubles = (vec![4, 1], 24);
    assert_eq!(
        jams(&example("linear-algebra/gemm.c")),
        vec![doubles.clone()]
    );
    let two = [doubles.clone(), doubles.clone()];
    assert_eq!(jams(&example("linear-algebra/2mm.c")), two);
    assert_eq!(jams(&example("linear-algebra/covariance.c")), [doubles]);
    // Sums over fewer values for some cells, and along columns.
    assert!(jams(&example("linear-algebra/trmm.c")).is_empty());
    assert!(jams(&example("linear-algebra/syrk.c")).is_empty());
    assert!(jams(&example("linear-algebra/cholesky.c")).is_empty());
    // A store under a condition is no sum that can be kept.
    let text =
        "void f(int n, float a[restrict n][n], float b[restrict n][n], float d[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                float s = a[i][k] + b[k][j];
                if (s < d[i][j])
                    d[i][j] = s;
            }
#pragma endscop
}
";
    assert!(jams(&source(text)).iter().all(|(_, columns)| *columns == 0));
}
