//! The wrappers hand isl the right arguments and give back its answers.

use std::cmp::Ordering;

use isl::{
    Aff, AstBuild, AstBuildCallbacks, AstExpr, AstExprOpType, AstNode, AstNodeType, BasicSet,
    Constraint, Ctx, DimType, Id, IslVec, LocalSpace, Map, MultiUnionPwAff, MultiVal, PwAff,
    Schedule, ScheduleConstraints, ScheduleNode, ScheduleNodeType, Set, SetList, Space,
    UnionAccessInfo, UnionMap, UnionSet, Val, ValList,
};

fn set(ctx: &Ctx, text: &str) -> Set {
    Set::read_from_str(ctx, text).unwrap()
}

fn union_set(ctx: &Ctx, text: &str) -> UnionSet {
    UnionSet::read_from_str(ctx, text).unwrap()
}

fn union_map(ctx: &Ctx, text: &str) -> UnionMap {
    UnionMap::read_from_str(ctx, text).unwrap()
}

/// One band over `S[i]`, 0 <= i < n.
fn loop_schedule(ctx: &Ctx, domain: &str) -> Schedule {
    let schedule = Schedule::from_domain(&union_set(ctx, domain)).unwrap();
    let band = MultiUnionPwAff::read_from_str(ctx, "[{ S[i] -> [(i)] }]").unwrap();
    schedule.insert_partial_schedule(&band).unwrap()
}

#[test]
fn the_version_is_isls() {
    assert!(isl::version().starts_with("isl-"), "{}", isl::version());
}

#[test]
fn arguments_survive_the_call() {
    let ctx = Ctx::new();
    let a = set(&ctx, "[n] -> { S[i] : 0 <= i < n }");
    let b = set(&ctx, "{ S[i] : i >= 5 }");
    let c = a.intersect(&b).unwrap();
    assert_eq!(c.to_string(), "[n] -> { S[i] : 5 <= i < n }");
    assert_eq!(a.to_string(), "[n] -> { S[i] : 0 <= i < n }");
    assert_eq!(b.to_string(), "{ S[i] : i >= 5 }");
    assert_eq!(format!("{b:?}"), "Set({ S[i] : i >= 5 })");
    assert_eq!(format!("{:>18}", b), "  { S[i] : i >= 5 }"[1..]);
    assert!(a.intersect(&a).unwrap().is_equal(&a).unwrap());
    assert!(c.is_strict_subset(&a).unwrap() && !a.is_subset(&c).unwrap());
}

#[test]
fn objects_outlive_every_handle_to_their_context() {
    let copy = {
        let ctx = Ctx::new();
        let original = set(&ctx, "{ [i] : 0 <= i < 3 }");
        drop(ctx);
        original.clone()
    };
    assert_eq!(copy.points().unwrap().len(), 3);
    assert_eq!(set(copy.ctx(), "{ [1] }").is_subset(&copy), Ok(true));
}

#[test]
fn names_and_dimensions() {
    let ctx = Ctx::new();
    let s = set(&ctx, "[n, m] -> { S[i, j] }");
    assert_eq!(s.dim(DimType::Set).unwrap(), 2);
    assert_eq!(DimType::Set, DimType::Out);
    assert_eq!(s.param_names().unwrap(), ["n", "m"]);
    assert_eq!(s.dim_names().unwrap(), [Some("i".into()), Some("j".into())]);
    assert_eq!(s.tuple_name().unwrap().as_deref(), Some("S"));
    // A position is any of the usual integers.
    for position in 0..s.dim(DimType::Set).unwrap() {
        assert_eq!(
            s.get_dim_name(DimType::Set, position),
            s.get_dim_name(DimType::Set, position as u32)
        );
    }
    let renamed = s.set_tuple_id(&Id::alloc(&ctx, "T").unwrap()).unwrap();
    assert_eq!(renamed.get_tuple_id().unwrap().get_name().unwrap(), "T");
    assert_eq!(renamed.find_dim_by_name(DimType::Param, "m"), Ok(Some(1)));

    let map = Map::read_from_str(&ctx, "{ A[x] -> [y, z] }").unwrap();
    assert_eq!(map.tuple_name(DimType::In).unwrap().as_deref(), Some("A"));
    assert_eq!(map.tuple_name(DimType::Out), Ok(None));
    assert_eq!(map.dim_names(DimType::Out).unwrap().len(), 2);
}

#[test]
fn sets_are_built_from_constraints() {
    let ctx = Ctx::new();
    let space = Space::set_alloc(&ctx, 0, 2).unwrap();
    let local = LocalSpace::from_space(&space).unwrap();
    // 0 <= x and x + 2 y - 6 = 0
    let lower = Constraint::alloc_inequality(&local).unwrap();
    let lower = lower.set_coefficient_si(DimType::Set, 0, 1).unwrap();
    let line = Constraint::equality_alloc(&local).unwrap();
    let line = line.set_coefficient_si(DimType::Set, 0, 1).unwrap();
    let line = line.set_coefficient_si(DimType::Set, 1, 2).unwrap();
    let line = line.set_constant_si(-6).unwrap();
    let half = BasicSet::universe(&space)
        .unwrap()
        .add_constraint(&lower)
        .unwrap();
    let built = half.add_constraint(&line).unwrap();
    let read = BasicSet::read_from_str(&ctx, "{ [x, y] : x >= 0 and x + 2y = 6 }").unwrap();
    assert!(built.is_equal(&read).unwrap());
    assert_eq!(built.constraints().unwrap().len(), 2);
    let defining = built.has_defining_equality(DimType::Set, 1).unwrap();
    assert!(defining.unwrap().is_equality().unwrap());
    assert!(
        half.has_defining_equality(DimType::Set, 0)
            .unwrap()
            .is_none()
    );
}

#[test]
fn points_and_extrema() {
    let ctx = Ctx::new();
    let triangle = set(&ctx, "{ [i, j] : 0 <= i <= j < 3 }");
    let mut points: Vec<Vec<i64>> = triangle
        .points()
        .unwrap()
        .iter()
        .map(|p| p.coordinates().unwrap())
        .collect();
    points.sort();
    assert_eq!(points, [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]]);
    assert_eq!(triangle.dim_max_val(1).unwrap().to_i64(), Some(2));
    assert_eq!(triangle.count_val().unwrap().to_i64(), Some(6));
    let sample = triangle.lexmax().unwrap().sample_point().unwrap();
    assert_eq!(sample.coordinates().unwrap(), [2, 2]);
    assert!(
        set(&ctx, "{ [i] : false }")
            .sample_point()
            .unwrap()
            .is_void()
            .unwrap()
    );
}

#[test]
fn output_parameters_join_the_result() {
    let ctx = Ctx::new();
    let s = set(&ctx, "{ [i] : 3 <= i <= 8 and exists k : i = 2k }");
    let map = Map::read_from_str(&ctx, "[n] -> { A[i] -> B[j] : i <= j < n }").unwrap();
    let domain = set(&ctx, "[n] -> { A[i] : i >= 0 }");
    let (least, none) = map.partial_lexmin(&domain).unwrap();
    let expected = Map::read_from_str(&ctx, "[n] -> { A[i] -> B[i] : 0 <= i < n }").unwrap();
    assert!(least.is_equal(&expected).unwrap());
    assert!(
        none.is_equal(&set(&ctx, "[n] -> { A[i] : i >= 0 and i >= n }"))
            .unwrap()
    );
    let (modulo, residue) = s.dim_residue_class_val(0).unwrap();
    assert_eq!((modulo.to_i64(), residue.to_i64()), (Some(2), Some(0)));
    let step = Map::read_from_str(&ctx, "{ [i] -> [i + 1] : 0 <= i < 5 }").unwrap();
    let (closure, exact) = step.transitive_closure().unwrap();
    assert!(exact);
    let expected = Map::read_from_str(&ctx, "{ [i] -> [j] : 0 <= i < j <= 5 }").unwrap();
    assert!(closure.is_equal(&expected).unwrap());
}

#[test]
fn collections_come_as_vectors() {
    let ctx = Ctx::new();
    let union = union_map(&ctx, "{ A[i] -> B[i]; C[i] -> D[i + 1] }");
    let mut names: Vec<_> = union
        .maps()
        .unwrap()
        .iter()
        .map(|m| m.get_tuple_name(DimType::In).unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["A", "C"]);
    assert_eq!(union.domain().unwrap().sets().unwrap().len(), 2);
    assert_eq!(
        union_set(&ctx, "{ A[i] : 0 <= i < 4; B[] }")
            .points()
            .unwrap()
            .len(),
        5
    );
    assert_eq!(
        set(&ctx, "{ [i] : i < 0 or i > 9 }")
            .basic_sets()
            .unwrap()
            .len(),
        2
    );

    let clamp =
        PwAff::read_from_str(&ctx, "{ [i] -> [(i)] : i >= 0; [i] -> [(0)] : i < 0 }").unwrap();
    let pieces = clamp.pieces().unwrap();
    assert_eq!(pieces.len(), 2);
    assert!(pieces.iter().any(|(_, aff)| aff.is_cst().unwrap()));

    let sizes = MultiVal::read_from_str(&ctx, "{ [32, 128] }").unwrap();
    assert_eq!(sizes.to_i64s().unwrap(), Some(vec![32, 128]));

    let values: Vec<Val> = [3, 1, 2].map(|v| Val::int_from_si(&ctx, v).unwrap()).into();
    let list = ValList::from_slice(&ctx, &values).unwrap();
    let back: Vec<_> = list.to_vec().unwrap().iter().map(Val::to_i64).collect();
    assert_eq!(back, [Some(3), Some(1), Some(2)]);
    assert_eq!(list.drop(0, 2).unwrap().size(), Ok(1));
}

#[test]
fn lists_are_sorted_by_a_closure() {
    let ctx = Ctx::new();
    let sets: Vec<Set> = ["{ [2] }", "{ [0] }", "{ [1] }"]
        .map(|t| set(&ctx, t))
        .into();
    let list = SetList::from_slice(&ctx, &sets).unwrap();
    let sorted = list
        .sort(&mut |a: &Set, b: &Set| -> isl::Result<Ordering> {
            let key = |s: &Set| Ok::<_, isl::Error>(s.sample_point()?.coordinates()?[0]);
            Ok(key(a)?.cmp(&key(b)?))
        })
        .unwrap();
    assert_eq!(sorted.to_string(), "({ [0] },{ [1] },{ [2] })");
    let mut groups = 0;
    sorted
        .foreach_scc(&mut |a, b| a.is_equal(b), &mut |_| {
            groups += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!(groups, 3);
}

#[test]
fn every_and_remove_if_take_predicates() {
    let ctx = Ctx::new();
    let union = union_map(&ctx, "{ A[i] -> B[i]; C[i] -> D[i + 1] }");
    assert_eq!(union.every_map(&mut |map| map.is_single_valued()), Ok(true));
    let left = union
        .remove_map_if(&mut |map| Ok(map.get_tuple_name(DimType::In)? == "A"))
        .unwrap();
    assert_eq!(left.to_string(), "{ C[i] -> D[1 + i] }");
}

#[test]
fn affine_expressions_and_vertices() {
    let ctx = Ctx::new();
    let local = LocalSpace::from_space(&Space::set_alloc(&ctx, 0, 1).unwrap()).unwrap();
    let x = Aff::var_on_domain(&local, DimType::Set, 0).unwrap();
    let y = x.scale_val(&Val::int_from_si(&ctx, 3).unwrap()).unwrap();
    let y = y.add_constant_si(-2).unwrap();
    assert_eq!(
        y.get_coefficient_val(DimType::In, 0).unwrap().to_i64(),
        Some(3)
    );
    let at_5 = Set::read_from_str(&ctx, "{ [5] }")
        .unwrap()
        .sample_point()
        .unwrap();
    assert_eq!(y.eval(&at_5).unwrap().to_i64(), Some(13));

    let square = BasicSet::read_from_str(&ctx, "{ [i, j] : 0 <= i, j <= 4 }").unwrap();
    let vertices = square.compute_vertices().unwrap();
    assert_eq!(vertices.get_n_vertices(), Ok(4));
    let mut corners = Vec::new();
    vertices
        .foreach_vertex(&mut |vertex| {
            corners.push(vertex.get_expr()?.to_string());
            Ok(())
        })
        .unwrap();
    corners.sort();
    assert_eq!(
        corners,
        [
            "{ [(0), (0)] }",
            "{ [(0), (4)] }",
            "{ [(4), (0)] }",
            "{ [(4), (4)] }"
        ]
    );
    let zeros = IslVec::zero(&ctx, 3).unwrap();
    assert_eq!(zeros.size(), Ok(3));
}

#[test]
fn dataflow_finds_the_last_write() {
    let ctx = Ctx::new();
    // for (i = 0; i < n; ++i) { S: a[0] = ..; T: b[i] = a[0]; }
    let schedule = union_map(&ctx, "{ S[i] -> [i, 0]; T[i] -> [i, 1] }");
    let writes = union_map(&ctx, "[n] -> { S[i] -> a[0] : 0 <= i < n }");
    let reads = union_map(&ctx, "[n] -> { T[i] -> a[0] : 0 <= i <= n }");
    let flow = UnionAccessInfo::from_sink(&reads)
        .and_then(|info| info.set_must_source(&writes))
        .and_then(|info| info.set_schedule_map(&schedule))
        .and_then(|info| info.compute_flow())
        .unwrap();
    let dependence = flow.get_must_dependence().unwrap();
    let expected = union_map(
        &ctx,
        "[n] -> { S[i] -> T[i] : 0 <= i < n; S[i] -> T[n] : i = n - 1 and n > 0 }",
    );
    assert!(dependence.is_equal(&expected).unwrap(), "{dependence}");
    let live_in = flow.get_must_no_source().unwrap();
    assert!(
        live_in
            .is_equal(&union_map(&ctx, "[n] -> { T[0] -> a[0] : n = 0 }"))
            .unwrap(),
        "{live_in}"
    );
}

#[test]
fn schedule_trees_are_walked_and_rewritten() {
    let ctx = Ctx::new();
    let schedule = loop_schedule(&ctx, "{ S[i] : 0 <= i < 10 }");
    let mut kinds = Vec::new();
    schedule
        .foreach_schedule_node_top_down(&mut |node: &ScheduleNode| {
            kinds.push(node.get_type()?);
            Ok(true)
        })
        .unwrap();
    assert_eq!(
        kinds,
        [
            ScheduleNodeType::Domain,
            ScheduleNodeType::Band,
            ScheduleNodeType::Leaf
        ]
    );

    let sizes = MultiVal::read_from_str(&ctx, "{ [4] }").unwrap();
    let tiled = schedule
        .map_schedule_node_bottom_up(&mut |node| {
            if node.get_type()? != ScheduleNodeType::Band {
                return Ok(node);
            }
            node.band_member_set_coincident(0, true)?.band_tile(&sizes)
        })
        .unwrap();
    let band = tiled.get_root().unwrap().child(0).unwrap();
    assert_eq!(band.band_member_get_coincident(0), Ok(true));
    assert_eq!(band.children().unwrap().len(), 1);
    assert!(tiled.to_block_string().unwrap().lines().count() > 3);
    assert!(band.to_block_string().unwrap().contains("YOU ARE HERE"));

    let dependence = union_map(&ctx, "{ S[i] -> S[i + 1] : 0 <= i < 9 }");
    let scheduled = ScheduleConstraints::on_domain(&schedule.get_domain().unwrap())
        .and_then(|c| c.set_validity(&dependence))
        .and_then(|c| c.compute_schedule())
        .unwrap();
    let map = scheduled.get_map().unwrap();
    assert_eq!(map.to_string(), "{ S[i] -> [i] }");
}

#[test]
fn options_are_methods_of_the_context() {
    let ctx = Ctx::new();
    ctx.set_ast_build_detect_min_max(true).unwrap();
    assert_eq!(ctx.get_ast_build_detect_min_max(), Ok(1));
    ctx.set_ast_build_detect_min_max(0).unwrap();
    assert_eq!(ctx.get_ast_build_detect_min_max(), Ok(0));
    ctx.set_ast_iterator_type("long").unwrap();
    assert_eq!(ctx.get_ast_iterator_type().unwrap(), "long");
    let build = AstBuild::alloc(&ctx).unwrap();
    let node = build
        .node_from_schedule(&loop_schedule(&ctx, "{ S[i] : 0 <= i < 10 }"))
        .unwrap();
    let text = node.to_c_str().unwrap();
    assert_eq!(text, "for (long c0 = 0; c0 <= 9; c0 += 1)\n  S(c0);\n");
}

#[test]
fn asts_are_generated_with_closures() {
    let ctx = Ctx::new();
    let schedule = loop_schedule(&ctx, "{ S[i] : 0 <= i < 10 }");
    let schedule = schedule
        .map_schedule_node_bottom_up(&mut |node| {
            if node.get_type()? == ScheduleNodeType::Band {
                node.insert_mark(&Id::alloc(node.ctx(), "here")?)
            } else {
                Ok(node)
            }
        })
        .unwrap();
    let build = AstBuild::alloc(&ctx).unwrap();
    let log = std::cell::RefCell::new(Vec::new());
    let node = build
        .node_from_schedule_with(
            &schedule,
            &mut AstBuildCallbacks {
                at_each_domain: Some(&mut |node, build: &AstBuild| {
                    log.borrow_mut().push("domain".to_owned());
                    assert!(!build.get_schedule()?.is_empty()?);
                    assert_eq!(node.get_type()?, AstNodeType::User);
                    assert!(node.get_annotation()?.is_none());
                    node.set_annotation(&Id::alloc(build.ctx(), "statement")?)
                }),
                before_each_for: Some(&mut |build| {
                    log.borrow_mut().push("before for".to_owned());
                    Id::alloc(build.ctx(), "loop")
                }),
                after_each_for: Some(&mut |node, _| {
                    let name = node.get_annotation()?.unwrap().get_name()?;
                    log.borrow_mut().push(format!("after for {name}"));
                    Ok(node)
                }),
                before_each_mark: Some(&mut |mark: &Id, _| {
                    log.borrow_mut()
                        .push(format!("before {}", mark.get_name()?));
                    Ok(())
                }),
                after_each_mark: Some(&mut |node, _| {
                    log.borrow_mut()
                        .push(format!("after {}", node.mark_get_id()?.get_name()?));
                    Ok(node)
                }),
                ..AstBuildCallbacks::default()
            },
        )
        .unwrap();
    assert_eq!(
        log.into_inner(),
        [
            "before here",
            "before for",
            "domain",
            "after for loop",
            "after here"
        ]
    );
    let body = node.mark_get_node().unwrap().for_get_body().unwrap();
    assert_eq!(
        body.get_annotation().unwrap().unwrap().get_name().unwrap(),
        "statement"
    );
    let call = body.user_get_expr().unwrap();
    assert_eq!(call.op_get_type().unwrap(), AstExprOpType::Call);
    assert_eq!(call.op_args().unwrap().len(), 2);
}

#[test]
fn builds_which_leave_a_callback_hold_no_closure() {
    let ctx = Ctx::new();
    let schedule = loop_schedule(&ctx, "{ S[i] : 0 <= i < 3 }");
    let build = AstBuild::alloc(&ctx).unwrap();
    let mut kept = Vec::new();
    let mut calls = 0;
    build
        .node_from_schedule_at_each_domain(&schedule, &mut |node: AstNode, build: &AstBuild| {
            calls += 1;
            kept.push(build.clone());
            // Generating with the same build does not come back here.
            let inner = union_map(build.ctx(), "{ S[i] -> [0] }");
            build.node_from_schedule_map(&build.get_schedule()?.range_product(&inner)?)?;
            Ok(node)
        })
        .unwrap();
    assert_eq!((calls, kept.len()), (1, 1));
    let late = AstBuild::alloc(&ctx)
        .unwrap()
        .node_from_schedule(&schedule)
        .unwrap();
    assert_eq!(late.get_type(), Ok(AstNodeType::For));
    // What was kept is usable, whatever isl makes of it.
    let inner = union_map(&ctx, "{ S[i] -> [0] }");
    let again = kept[0]
        .get_schedule()
        .unwrap()
        .range_product(&inner)
        .unwrap();
    kept[0].node_from_schedule_map(&again).unwrap();
    assert_eq!(calls, 1);
}

#[test]
fn leaves_and_user_nodes_are_made_by_hand() {
    let ctx = Ctx::new();
    let build = AstBuild::alloc(&ctx).unwrap();
    let node = build
        .node_from_schedule_with(
            &loop_schedule(&ctx, "{ S[i] : 0 <= i < 3 }"),
            &mut AstBuildCallbacks {
                create_leaf: Some(&mut |build: AstBuild| {
                    let id = Id::alloc(build.ctx(), "barrier")?;
                    AstNode::alloc_user(&AstExpr::from_id(&id)?)
                }),
                ..AstBuildCallbacks::default()
            },
        )
        .unwrap();
    let text = node.to_c_str().unwrap();
    assert!(text.contains("barrier"), "{text}");
}
