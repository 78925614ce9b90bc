//! What goes wrong comes back as an error which says what, and nothing is left behind.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use isl::{Ctx, DimType, Error, ErrorKind, Set, Space, UnionMap, Val};

#[test]
fn a_syntax_error_names_the_text_and_isls_source() {
    let ctx = Ctx::new();
    let error = Set::read_from_str(&ctx, "{ S[i] : 0 <= < }").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(error.message(), "syntax error in `{ S[i] : 0 <= < }`");
    assert_eq!(error.file(), Some("isl_stream.c"));
    assert!(error.line().unwrap() > 0);
    let text = error.to_string();
    assert!(text.contains("(isl, isl_stream.c:"), "{text}");
}

#[test]
fn an_error_is_gone_once_it_is_reported() {
    let ctx = Ctx::new();
    let set = Set::read_from_str(&ctx, "{ [i] }").unwrap();
    let error = set.get_dim_name(DimType::Set, 7).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    // These two look at isl's error state, which must not be the old one.
    assert_eq!(set.find_dim_by_name(DimType::Set, "j").unwrap(), None);
    assert_eq!(set.get_tuple_name().unwrap_err().kind(), ErrorKind::Absent);
    assert_eq!(set.tuple_name().unwrap(), None);
    assert_eq!(set.find_dim_by_name(DimType::Set, "i").unwrap(), Some(0));
}

#[test]
fn incompatible_spaces_are_an_error() {
    let ctx = Ctx::new();
    let a = Set::read_from_str(&ctx, "{ A[i] }").unwrap();
    let b = Set::read_from_str(&ctx, "{ B[i, j] }").unwrap();
    let error = a.intersect(&b).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.message().contains("space"), "{error}");
    // Neither argument is used up by the failure.
    assert_eq!(a.to_string(), "{ A[i] }");
    assert_eq!(b.to_string(), "{ B[i, j] }");
}

#[test]
fn values_that_do_not_fit_are_errors() {
    let ctx = Ctx::new();
    let big = Val::read_from_str(&ctx, "1267650600228229401496703205376").unwrap();
    assert_eq!(big.get_num_si().unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(big.to_i64(), None);
    assert_eq!(Val::read_from_str(&ctx, "7/2").unwrap().to_i64(), None);
    assert_eq!(Val::infty(&ctx).unwrap().to_i64(), None);
    assert_eq!(
        Val::int_from_si(&ctx, i64::MIN).unwrap().to_i64(),
        Some(i64::MIN)
    );
    assert_eq!(
        Val::int_from_si(&ctx, i64::MAX).unwrap().to_i64(),
        Some(i64::MAX)
    );

    let set = Set::read_from_str(&ctx, "{ [i] }").unwrap();
    for error in [
        set.get_dim_name(DimType::Set, -1).unwrap_err(),
        set.get_dim_name(DimType::Set, usize::MAX).unwrap_err(),
        Space::set_alloc(&ctx, 0, 1_usize << 31).unwrap_err(),
        Set::read_from_str(&ctx, "{ [i] }\0").unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert_eq!(error.file(), None, "refused before isl sees it: {error}");
    }
}

#[test]
fn objects_of_two_contexts_do_not_meet() {
    let (one, two) = (Ctx::new(), Ctx::new());
    let a = Set::read_from_str(&one, "{ [i] }").unwrap();
    let b = Set::read_from_str(&two, "{ [i] }").unwrap();
    let error = a.union(&b).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.message().contains("different contexts"), "{error}");
    assert!(!one.is_same(&two) && a.ctx().is_same(&one));
}

#[test]
fn running_out_of_operations_is_told_apart_and_ends() {
    let ctx = Ctx::new();
    let text = "[n] -> { S[i, j, k] -> A[i + j + k] : 0 <= i, j, k < n }";
    let map = UnionMap::read_from_str(&ctx, text).unwrap();
    let shown = map.to_string();

    ctx.set_max_operations(10).unwrap();
    assert_eq!(ctx.max_operations(), 10);
    let error = map
        .apply_range(&map.reverse().unwrap_or(map.clone()))
        .unwrap_err();
    assert!(error.is_quota(), "{error:?}");
    assert_eq!(error.kind(), ErrorKind::Quota);
    assert!(
        error.message().contains("maximal number of operations"),
        "{error}"
    );
    assert_eq!(map.to_string(), shown, "objects can still be printed");
    assert!(map.reverse().unwrap_err().is_quota() || map.is_empty().is_err());

    // What comes of it is told apart, too: a text that is not read to its end, and nothing at all.
    for budget in 1..200 {
        ctx.reset_operations();
        ctx.set_max_operations(budget).unwrap();
        if let Err(error) = UnionMap::read_from_str(&ctx, text) {
            assert!(error.is_quota(), "{budget}: {error:?}");
        }
        if let Err(error) = ctx.check_budget() {
            assert!(error.is_quota(), "{budget}: {error:?}");
        }
    }
    ctx.set_max_operations(0).unwrap();
    ctx.reset_operations();
    ctx.check_budget().unwrap();
    assert!(!map.reverse().unwrap().is_empty().unwrap());
    let error = UnionMap::read_from_str(&ctx, "[n] -> { S[i] -> ").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn a_callbacks_error_comes_back_unchanged() {
    let ctx = Ctx::new();
    let union =
        UnionMap::read_from_str(&ctx, "{ A[i] -> B[i]; C[i] -> D[i]; E[i] -> F[i] }").unwrap();
    let mine = Error::new(ErrorKind::Unsupported, "not this one");
    let mut calls = 0;
    let error = union
        .foreach_map(&mut |_| {
            calls += 1;
            if calls == 2 {
                Err(mine.clone())
            } else {
                Ok(())
            }
        })
        .unwrap_err();
    assert_eq!(error, mine);
    assert_eq!(calls, 2, "the error ends the iteration");

    // isl's own errors pass in the same way.
    let error = union.foreach_map(&mut |map| {
        map.intersect_domain(&Set::read_from_str(&ctx, "{ Z[] }")?)
            .map(drop)
    });
    assert!(error.unwrap_err().message().contains("space"));
}

#[test]
fn a_callbacks_error_comes_out_of_a_result() {
    let ctx = Ctx::new();
    let schedule = isl::Schedule::from_domain(
        &isl::UnionSet::read_from_str(&ctx, "{ S[i] : 0 <= i < 9 }").unwrap(),
    )
    .unwrap();
    let mine = Error::new(ErrorKind::Unsupported, "no such node");
    let error = schedule
        .map_schedule_node_bottom_up(&mut |_| Err(mine.clone()))
        .unwrap_err();
    assert_eq!(error, mine);
    let build = isl::AstBuild::alloc(&ctx).unwrap();
    let error = build
        .node_from_schedule_at_each_domain(&schedule, &mut |_, _| Err(mine.clone()))
        .unwrap_err();
    assert_eq!(error, mine);
}

#[test]
fn a_callbacks_panic_continues_outside() {
    let ctx = Ctx::new();
    let set = Set::read_from_str(&ctx, "{ [i] : 0 <= i < 5 }").unwrap();
    let mut calls = 0;
    let panic = catch_unwind(AssertUnwindSafe(|| {
        set.foreach_point(&mut |_| {
            calls += 1;
            std::panic::panic_any("out of the callback")
        })
    }))
    .unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"out of the callback"));
    assert_eq!(calls, 1);
    // The context is none the worse for it.
    assert_eq!(set.points().unwrap().len(), 5);
}

/// Work that only a limit ends.
fn without_end(ctx: &Ctx) -> Error {
    let text = "[n] -> { S[i, j, k] -> A[i + j + k] : 0 <= i, j, k < n }";
    let begun = std::time::Instant::now();
    let step = || {
        let map = UnionMap::read_from_str(ctx, text)?;
        map.apply_range(&map.reverse()?)
    };
    loop {
        match step() {
            Ok(_) => assert!(begun.elapsed().as_secs() < 60, "isl goes on"),
            Err(error) => return error,
        }
    }
}

#[test]
fn time_is_a_limit_too() {
    let ctx = Ctx::new();
    let set = Set::read_from_str(&ctx, "{ [i] : 0 <= i < 5 }").unwrap();
    let error = ctx.within(Duration::from_millis(20), || without_end(&ctx));
    assert_eq!(error.kind(), ErrorKind::Abort);
    assert!(error.is_quota());
    // The context is none the worse for it.
    assert_eq!(set.points().unwrap().len(), 5);
    let points = ctx.within(Duration::from_secs(60), || set.points());
    assert_eq!(points.unwrap().len(), 5);
}

/// The limit of a call around another one holds inside it and behind it; that of the inner one
/// only inside.
#[test]
fn limits_of_time_nest() {
    let ctx = Ctx::new();
    let set = Set::read_from_str(&ctx, "{ [i] : 0 <= i < 5 }").unwrap();
    let (short, long) = (Duration::from_millis(20), Duration::from_secs(60));
    let points = ctx.within(long, || {
        let inner = ctx.within(short, || without_end(&ctx));
        assert_eq!(inner.kind(), ErrorKind::Abort);
        set.points()
    });
    assert_eq!(points.unwrap().len(), 5);
    let points = ctx.within(short, || {
        let inner = ctx.within(long, || without_end(&ctx));
        assert_eq!(inner.kind(), ErrorKind::Abort);
        set.points()
    });
    assert_eq!(points.unwrap_err().kind(), ErrorKind::Abort);
    assert_eq!(set.points().unwrap().len(), 5);
}

/// Waiting for the processor takes nothing from a limit.
#[test]
#[cfg(target_os = "linux")]
fn only_work_counts_for_the_limit_of_time() {
    let ctx = Ctx::new();
    let set = Set::read_from_str(&ctx, "{ [i] : 0 <= i < 5 }").unwrap();
    let limit = Duration::from_millis(50);
    let points = ctx.within(limit, || {
        std::thread::sleep(4 * limit);
        set.points()
    });
    assert_eq!(points.unwrap().len(), 5);
}
