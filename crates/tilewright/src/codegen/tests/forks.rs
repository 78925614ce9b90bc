//! How much there has to be to do for threads.

use crate::codegen::kernel::Index;
use crate::codegen::passes::forks::{Verdict, Work};
use crate::scop::testing::ScopBuilder;

/// The least product of extents from which on a statement in three loops is worth threads.
fn least(domain: &str) -> i64 {
    let scop = ScopBuilder::new("[n] -> { : n >= 1 }")
        .input("A", 3)
        .output("B", 3)
        .statement(
            &format!("S[i, j, k] : {domain}"),
            &["A[i, j, k]"],
            &["B[i, j, k]"],
        )
        .build();
    match Work::of_region(&scop).is_worth(2_000_000, 1.0) {
        Verdict::Where(worth) => worth.least,
        other => panic!("{domain}: {other:?}"),
    }
}

#[test]
fn what_loops_leave_out_of_their_box_is_no_work() {
    let whole = least("0 <= i < n and 0 <= j < n and 0 <= k < n");
    for (domain, times) in [
        ("0 <= i < n and 0 <= j <= i and 0 <= k < n", 2),
        ("0 <= i < n and i <= j < n and 0 <= k < n", 2),
        ("0 <= i < n and 0 <= j < n and 0 <= k < j", 2),
        ("0 <= i < n and 0 <= j < i and 0 <= k < j", 6),
        // Whether there is any is asked of all loops, the outer ones' bounds in it or not.
        ("0 <= i < n and 0 <= j < n - 1 and 0 <= k < n", 1),
    ] {
        assert_eq!(least(domain), times * whole, "{domain}");
    }
    // A window moves, and has always the same length.
    let window = least("0 <= i < n and 0 <= j < n and j - 2 <= k <= j + 2");
    assert_eq!(window, least("0 <= i < n and 0 <= j < n and 0 <= k < 5"));
}

/// In a band a loop has as many iterations as it is wide, or as a row has, if those are fewer.
#[test]
fn bands_are_as_long_as_the_least_of_two_sizes() {
    let scop = ScopBuilder::new("[n, k] -> { : n >= 1 and k >= 1 }")
        .input("A", 2)
        .output("B", 2)
        .statement(
            "S[i, j] : 0 <= i < n and 0 <= j <= i and i - k <= j",
            &["A[i, j]"],
            &["B[i, j]"],
        )
        .build();
    let Verdict::Where(worth) = Work::of_region(&scop).is_worth(2_000_000, 1.0) else {
        panic!("there is a condition");
    };
    let (n, k) = (Index::Param(0), Index::Param(1));
    let Some(Index::Min(columns)) = worth.factors.get(1) else {
        panic!("{:?}", worth.factors);
    };
    assert_eq!(worth.factors[0], n);
    assert!(columns.contains(&n) && columns.contains(&k.plus(&Index::Int(1))));
    assert_eq!(columns.len(), 2);
}

/// Where the longest run is one of many cases, the distances of its bounds are enough: a search around
/// blocks of 8, in the picture.
#[test]
fn windows_at_borders_have_a_number_of_iterations() {
    let scop = ScopBuilder::new("[n, r] -> { : n >= 8 and r >= 1 }")
        .input("A", 2)
        .output("B", 2)
        .statement(
            "S[i, j] : 0 <= 8i <= n - 8 and -r <= j <= r and -8i <= j <= n - 8 - 8i",
            &["A[i, j]"],
            &["B[i, j]"],
        )
        .build();
    let Verdict::Where(worth) = Work::of_region(&scop).is_worth(2_000_000, 1.0) else {
        panic!("there is a condition");
    };
    let Some(Index::Min(window)) = worth.factors.get(1) else {
        panic!("{:?}", worth.factors);
    };
    let r = Index::Param(1);
    assert!(
        window.contains(&r.times(2).plus(&Index::Int(1))),
        "{window:?}"
    );
}
