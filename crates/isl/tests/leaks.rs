//! Contexts and objects give their memory back, also after errors and panics.
//!
//! One test in a process of its own: it looks at the process's memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use isl::{AstBuild, Ctx, Error, ErrorKind, MultiUnionPwAff, Schedule, Set, UnionMap, UnionSet};

/// A bit of everything that allocates.
fn work() -> isl::Result<()> {
    let ctx = Ctx::new();
    let domain = UnionSet::read_from_str(&ctx, "{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }")?;
    let band = MultiUnionPwAff::read_from_str(&ctx, "[{ S[i] -> [(i)]; T[i] -> [(i)] }]")?;
    let schedule = Schedule::from_domain(&domain)?.insert_partial_schedule(&band)?;
    let build = AstBuild::alloc(&ctx)?;
    let node = build.node_from_schedule_at_each_domain(&schedule, &mut |node, build| {
        let _ = build.get_schedule()?.to_string();
        Ok(node)
    })?;
    assert!(node.to_c_str()?.contains("for"));

    // Errors in isl, before isl, and in and out of closures.
    assert!(Set::read_from_str(&ctx, "{ [i : }").is_err());
    let set = Set::read_from_str(&ctx, "{ [i] : 0 <= i < 10 }")?;
    assert!(
        set.union(&Set::read_from_str(&Ctx::new(), "{ [i] }")?)
            .is_err()
    );
    assert!(
        set.intersect(&Set::read_from_str(&ctx, "{ [i, j] }")?)
            .is_err()
    );
    let stop = || Error::new(ErrorKind::Unsupported, "stop");
    assert!(set.foreach_point(&mut |_| Err(stop())).is_err());
    assert!(
        build
            .node_from_schedule_at_each_domain(&schedule, &mut |_, _| Err(stop()))
            .is_err()
    );
    assert!(
        schedule
            .map_schedule_node_bottom_up(&mut |_| Err(stop()))
            .is_err()
    );
    let panic = catch_unwind(AssertUnwindSafe(|| {
        domain.foreach_set(&mut |_| std::panic::resume_unwind(Box::new("stop")))
    }));
    assert!(panic.is_err());

    let map = UnionMap::read_from_str(&ctx, "[n] -> { S[i] -> S[i + 1] : 0 <= i < n }")?;
    ctx.set_max_operations(5)?;
    assert!(map.apply_range(&map).is_err());
    Ok(())
}

/// The resident memory, in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = statm.split_whitespace().nth(1).unwrap().parse().unwrap();
    pages * 4096
}

#[test]
fn a_thousand_contexts_leave_no_memory_behind() {
    // isl complains on stderr about a context that is freed too early; this test runs
    // itself again to see what is there.
    const INNER: &str = "ISL_LEAK_TEST_INNER";
    if std::env::var_os(INNER).is_none() {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "a_thousand_contexts_leave_no_memory_behind",
                "--nocapture",
            ])
            .env(INNER, "1")
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}{stderr}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert_eq!(stderr, "", "isl has something to say");
        return;
    }
    if std::env::var_os("ISL_TEST_SHORT").is_some() {
        // Under valgrind, which does the looking.
        return (0..10).for_each(|_| work().unwrap());
    }
    // The allocator's own arenas fill up first.
    for _ in 0..100 {
        work().unwrap();
    }
    let before = resident();
    for _ in 0..1000 {
        work().unwrap();
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 1 << 20, "{grown} bytes more after 1000 contexts");
}
