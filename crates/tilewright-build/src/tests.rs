//! The numbers and checks that every wrapper holds, and what is known of the machine.

use crate::Build;
use crate::environment::Environment;
use crate::support::*;
use std::path::PathBuf;
use tilewright::plan::machine::Machine;

#[test]
fn numbers_never_wrap() {
    let big = of(i64::MAX);
    assert_eq!(
        mul(big, big),
        of(i128::from(i64::MAX) * i128::from(i64::MAX))
    );
    assert_eq!(mul(mul(big, big), big), None);
    assert_eq!(add(of(i128::MAX), of(1)), None);
    assert_eq!(sub(of(i128::MIN), of(1)), None);
    assert_eq!(minus(of(i128::MIN)), None);
    assert_eq!(within(0, 255, of(255)), of(255));
    assert_eq!(within(0, 255, of(256)), None);
    assert_eq!(add(within(0, 255, of(-1)), of(7)), None);
}

#[test]
fn divisions_are_those_of_c_and_of_isl() {
    for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (0, 5)] {
        let (quotient_of_c, rest) = (a / b, a % b);
        assert_eq!(quotient(of(a), of(b)), of(quotient_of_c));
        assert_eq!(remainder(of(a), of(b)), of(rest));
        let floor = (f64::from(a) / f64::from(b)).floor() as i32;
        assert_eq!(floor_quotient(of(a), of(b)), of(floor), "{a} / {b}");
    }
    assert_eq!(quotient(of(1), of(0)), None);
    assert_eq!(remainder(of(1), of(0)), None);
    assert_eq!(floor_quotient(of(1), of(0)), None);
}

#[test]
fn what_is_not_needed_need_not_be_a_number() {
    assert_eq!(select(of(1), of(5), None), of(5));
    assert_eq!(select(of(0), of(5), None), None);
    assert_eq!(and(of(0), None), of(0));
    assert_eq!(and(of(2), of(3)), of(1));
    assert_eq!(or(of(2), None), of(1));
    assert_eq!(or(of(0), of(0)), of(0));
    assert_eq!(or(None, of(1)), None);
    assert_eq!((max(of(2), of(3)), min(of(2), of(3))), (of(3), of(2)));
    assert_eq!(
        (less(of(2), of(2)), less_equal(of(2), of(2))),
        (of(0), of(1))
    );
    assert_eq!(equal(of(2), of(true)), of(0));
}

#[test]
fn arrays_have_the_sizes_that_their_extents_say() {
    let check = |extents: &[Number], at_least, length| {
        check_array("a", "a[n][m]", &[("n", of(4))], extents, at_least, length)
    };
    assert_eq!(check(&[of(3), of(4)], false, 12), Ok(()));
    assert_eq!(
        check(&[of(3), of(4)], false, 13),
        Err("`a` has 13 elements, but `a[n][m]` has 12 for n = 4".to_owned())
    );
    assert_eq!(check(&[of(12)], true, 13), Ok(()));
    assert_eq!(
        check(&[of(12)], true, 11),
        Err("`a` has 11 elements, but `a[n][m]` has at least 12 for n = 4".to_owned())
    );
    assert_eq!(check(&[of(0), of(4)], false, 0), Ok(()));
    let empty = check(&[of(4), of(0)], false, 0).unwrap_err();
    assert_eq!(empty, "extent 2 of `a[n][m]` is 0 for n = 4");
    let negative = check(&[of(-4), of(-4)], false, 16).unwrap_err();
    assert_eq!(negative, "extent 1 of `a[n][m]` is -4 for n = 4");
    for extents in [[of(i64::MAX), of(4)], [None, of(4)], [of(4), None]] {
        let large = check(&extents, true, 12).unwrap_err();
        assert_eq!(
            large,
            "the size of `a[n][m]` is beyond all memory for n = 4"
        );
    }
}

#[test]
fn conditions_that_cannot_be_computed_do_not_hold() {
    let check = |holds| check_condition("`f` needs", "n > 0", &[("n", of(0))], holds);
    assert_eq!(check(of(1)), Ok(()));
    let not = Err("`f` needs `n > 0`, which does not hold for n = 0".to_owned());
    assert_eq!(check(of(0)), not);
    assert_eq!(check(None), not);
}

#[test]
fn another_platform_is_not_this_machine() {
    let environment = Environment {
        out_dir: PathBuf::from("out"),
        target: "aarch64-unknown-linux-gnu".to_owned(),
        host: "x86_64-unknown-linux-gnu".to_owned(),
        rustflags: String::new(),
    };
    let mut build = Build::new();
    build.cargo_metadata(false);
    let known = build.known(&environment).unwrap();
    assert_eq!((known.machine, known.file), (Machine::default(), None));
    // A file that is named is read, and nothing but it.
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("machine.toml");
    std::fs::write(&file, "version = 1\n[machine]\ncores = 77\n").unwrap();
    let known = build.machine(&file).known(&environment).unwrap();
    let expected = Machine {
        cores: 77,
        ..Machine::default()
    };
    assert_eq!((known.machine, known.file), (expected, Some(file)));
    let missing = build.machine("nowhere.toml").known(&environment);
    let words = missing.unwrap_err().to_string();
    assert!(words.starts_with("error[TW0404]: "), "{words}");
}
