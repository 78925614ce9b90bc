//! The binding gives isl's answers.

use isl::{
    AstBuild, AstNode, Ctx, DimType, ErrorKind, Id, Schedule, ScheduleNode, Set, UnionMap, UnionSet,
};

#[test]
fn sets_intersect_and_print() {
    let ctx = Ctx::new();
    let a = Set::read_from_str(&ctx, "[n] -> { S[i] : 0 <= i < n }").unwrap();
    let b = Set::read_from_str(&ctx, "{ S[i] : i >= 5 }").unwrap();
    let c = a.intersect(&b).unwrap();
    assert_eq!(c.to_string(), "[n] -> { S[i] : 5 <= i < n }");
    assert_eq!(c.dim(DimType::Set).unwrap(), 1);
    assert_eq!(c.get_dim_name(DimType::Param, 0).unwrap(), "n");
    assert!(c.is_subset(&a).unwrap());
    assert!(a.is_subset(&a.clone()).unwrap());
}

#[test]
fn foreach_gives_every_map() {
    let ctx = Ctx::new();
    let union = UnionMap::read_from_str(&ctx, "{ A[i] -> B[i]; C[i] -> D[i + 1] }").unwrap();
    let mut names = Vec::new();
    union
        .foreach_map(&mut |map| {
            names.push(map.get_tuple_name(DimType::In)?);
            Ok(())
        })
        .unwrap();
    names.sort();
    assert_eq!(names, ["A", "C"]);
}

#[test]
fn parse_error_is_reported() {
    let ctx = Ctx::new();
    let error = Set::read_from_str(&ctx, "{ S[i] : 0 <= < }").unwrap_err();
    eprintln!("{error:?}");
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn ast_with_callback() {
    let ctx = Ctx::new();
    ctx.set_ast_build_detect_min_max(true).unwrap();
    let domain = UnionSet::read_from_str(&ctx, "{ S[i] : 0 <= i < 10 }").unwrap();
    let schedule = Schedule::from_domain(&domain).unwrap();
    let partial = isl::MultiUnionPwAff::read_from_str(&ctx, "[{ S[i] -> [(i)] }]").unwrap();
    let schedule = schedule.insert_partial_schedule(&partial).unwrap();
    let mut seen = 0;
    schedule
        .foreach_schedule_node_top_down(&mut |_: &ScheduleNode| {
            seen += 1;
            Ok(true)
        })
        .unwrap();
    assert_eq!(seen, 3);
    let build = AstBuild::alloc(&ctx).unwrap();
    let mut calls = 0;
    let node = build
        .node_from_schedule_at_each_domain(&schedule, &mut |node: AstNode, build: &AstBuild| {
            calls += 1;
            assert!(!build.get_schedule()?.is_empty()?);
            node.set_annotation(&Id::alloc(node.ctx(), "note")?)
        })
        .unwrap();
    assert_eq!(calls, 1);
    assert_eq!(
        node.to_c_str().unwrap(),
        "for (int c0 = 0; c0 <= 9; c0 += 1)\n  S(c0);\n"
    );
}
