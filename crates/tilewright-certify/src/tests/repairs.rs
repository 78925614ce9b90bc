//! Sizes for which there can be arrays, where those that were meant give none.

use crate::judging::inputs::{Data, Input, Inputs};

/// The sizes that are tried in place of others, for extents that they give.
fn repaired(sizes: &[i64], extents: &dyn Fn(&[i64]) -> Vec<i64>) -> Vec<i64> {
    let parameters = ["int n", "int m", "int k"][..sizes.len()].join(", ");
    let text = format!("void f({parameters}) {{ }}");
    let parsed = crate::read::cut("f.c", &text).expect("C");
    let program = parsed.compile(&["f".to_owned()], true).expect("C");
    let inputs = Inputs::new(&program, &program.functions[0], 1, false);
    let input = Input {
        sizes: sizes.to_vec(),
        data: Data::Small,
        seed: 1,
        alias: None,
    };
    inputs
        .repaired(input, &|input| Some(extents(&input.sizes)))
        .sizes
}

#[test]
fn extents_become_what_was_meant() {
    // As they are, where there is nothing to mend.
    assert_eq!(repaired(&[3], &|s| vec![s[0], s[0] + 2]), [3]);
    assert_eq!(repaired(&[0], &|s| vec![s[0]]), [0]);
    // The size that was meant is the extent's.
    assert_eq!(repaired(&[3], &|s| vec![s[0] - 48]), [51]);
    assert_eq!(repaired(&[5], &|s| vec![s[0] - 48]), [53]);
    assert_eq!(repaired(&[3], &|s| vec![2 * s[0] - 48]), [26]);
    assert_eq!(repaired(&[3], &|s| vec![s[0] / 16 - 3]), [99]);
    assert_eq!(repaired(&[3], &|s| vec![s[0] - 3]), [6]);
    // What is meant to be nothing, may be; what is negative may not.
    assert_eq!(repaired(&[0, 3], &|s| vec![s[1] - 3]), [0, 3]);
    assert_eq!(repaired(&[0, 3], &|s| vec![s[1] - 4]), [0, 7]);
    assert_eq!(repaired(&[-2], &|s| vec![s[0]]), [1]);
    // The size that makes it larger soonest; the last of several alike.
    assert_eq!(repaired(&[3, 4], &|s| vec![s[0] - 48]), [51, 4]);
    assert_eq!(repaired(&[3, 4], &|s| vec![s[1] - s[0] - 48]), [3, 55]);
    assert_eq!(repaired(&[3, 4], &|s| vec![s[0] + 2 * s[1] - 50]), [3, 26]);
    // One after the other.
    assert_eq!(repaired(&[3, 4], &|s| vec![s[0] - 48, s[1] - 64]), [51, 68]);
    assert_eq!(
        repaired(&[2, 2, 2], &|s| vec![s[0] - 9, s[1] - s[0], s[2] - s[1]]),
        [11, 13, 15]
    );
    // Not where no size helps, or not soon.
    assert_eq!(repaired(&[3, 4], &|_| vec![-1]), [3, 4]);
    assert_eq!(repaired(&[3], &|s| vec![-s[0]]), [3]);
    assert_eq!(repaired(&[3], &|s| vec![s[0] % 64 - 64]), [3]);
}
