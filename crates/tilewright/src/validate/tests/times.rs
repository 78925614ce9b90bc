//! What is read off schedule trees: times, lives of buffers and loops of statements, and what
//! follows from them at once.

use super::build::Build;
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::scop::tree::marks::Mark;
use crate::transform::Transformed;
use crate::validate::numbers::facts::Facts;
use crate::validate::numbers::model::{Instance, Model};
use crate::validate::numbers::tree::Level;
use crate::validate::tests::algebra::relations::is;
use crate::validate::tests::algebra::rows::row;

/// Two statements with the same loop. In questions `a` is the parameter, `b` the loop variable of
/// the first instance and `c` that of the second one.
fn two() -> Scop {
    ScopBuilder::new("[n] -> { : n >= 1 }")
        .temporary("A", 1)
        .output("B", 1)
        .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
        .statement("S1[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
        .build()
}

const DOMAIN: &str = "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }";

/// A tree below the domain.
fn plan(scop: &Scop, tree: &str) -> Transformed {
    Build::unlifted(scop).schedule(&format!("{{ domain: \"{DOMAIN}\", child: {tree} }}"))
}

/// `S0` in front of `S1`, with these trees below.
fn sequence(first: &str, second: &str) -> String {
    children("sequence", first, second)
}

fn children(kind: &str, first: &str, second: &str) -> String {
    let child = |name: &str, below: &str| match below {
        "" => format!("{{ filter: \"{{ {name}[i] }}\" }}"),
        below => format!("{{ filter: \"{{ {name}[i] }}\", child: {below} }}"),
    };
    format!(
        "{{ {kind}: [ {}, {} ] }}",
        child("S0", first),
        child("S1", second)
    )
}

/// Both statements in one band.
fn band(first: &str, second: &str, below: &str) -> String {
    let schedule =
        format!("schedule: \"[n] -> [{{ S0[i] -> [({first})]; S1[i] -> [({second})] }}]\"");
    match below {
        "" => format!("{{ {schedule} }}"),
        below => format!("{{ {schedule}, child: {below} }}"),
    }
}

/// A mark, which has to have something below.
fn mark(name: &str, below: &str) -> String {
    match below {
        "" => mark(name, &band("0", "0", "")),
        below => format!("{{ mark: \"{name}\", child: {below} }}"),
    }
}

fn of<T>(tree: &str, ask: impl FnOnce(&Model) -> T) -> T {
    let scop = two();
    let plan = plan(&scop, tree);
    let model = Model::of(&scop, &plan).unwrap().unwrap();
    ask(&model)
}

fn is_expression(text: &str) -> bool {
    !text.contains("child") && !text.contains("one of") && text != "?"
}

/// Compares the levels of a statement's leaves: `child 2`, `one of 2` of children in no order,
/// expressions, and `?` for what is not known.
fn levels(model: &Model, lifted: usize, wanted: &[&[&str]]) {
    let leaves = &model.tree.leaves[lifted];
    assert_eq!(leaves.len(), wanted.len(), "leaves of statement {lifted}");
    for (leaf, wanted) in leaves.iter().zip(wanted) {
        assert_eq!(leaf.levels.len(), wanted.len(), "{wanted:?}");
        for (level, wanted) in leaf.levels.iter().zip(*wanted) {
            let same = match level {
                Level::Child(number) => *wanted == format!("child {number}"),
                Level::Unordered(number) => *wanted == format!("one of {number}"),
                Level::Value(value) => is_expression(wanted) && is(value, wanted),
                Level::Unknown => *wanted == "?",
            };
            assert!(same, "{wanted}");
        }
    }
}

#[test]
fn times_of_statements() {
    let tree = band(
        "i + n",
        "2i - 1",
        &sequence("", &band("0", "floor(i/4)", "")),
    );
    of(&tree, |model| {
        levels(model, 0, &[&["b + a", "child 0"]]);
        levels(model, 1, &[&["2b - 1", "child 1", "b/4"]]);
        assert_eq!(model.depth(), 3);
    });
    of(&children("set", "", &band("0", "7", "")), |model| {
        levels(model, 0, &[&["one of 0"]]);
        levels(model, 1, &[&["one of 1", "7"]]);
        assert_eq!(model.depth(), 2);
    });
    // Two members of a band are two levels.
    let member = "[{ S0[i] -> [(i)]; S1[i] -> [(0)] }, { S0[i] -> [(3)]; S1[i] -> [(-i)] }]";
    of(&format!("{{ schedule: \"{member}\" }}"), |model| {
        levels(model, 0, &[&["b", "3"]]);
        levels(model, 1, &[&["0", "0 - b"]]);
    });
}

#[test]
fn times_in_pieces() {
    let pieces = |second: &str| {
        format!(
            "{{ schedule: \"[n] -> [{{ S0[i] -> [(i)] : i < 9; S0[i] -> [({second})] : i >= 9; \
             S1[i] -> [(i)] }}]\" }}"
        )
    };
    of(&pieces("i"), |model| levels(model, 0, &[&["b"]]));
    of(&pieces("i + 1"), |model| levels(model, 0, &[&["?"]]));
    of(&pieces("i + 1"), |model| levels(model, 1, &[&["b"]]));
}

/// A statement in two children has two leaves.
#[test]
fn statements_in_parts() {
    let tree = "{ sequence: [ { filter: \"{ S0[i] : i < 5 }\" }, { filter: \"{ S1[i] }\" }, \
                { filter: \"{ S0[i] : i >= 5 }\", child: { schedule: \"[{ S0[i] -> [(i)] }]\" } } ] }";
    of(tree, |model| {
        levels(model, 0, &[&["child 0"], &["child 2", "b"]]);
        levels(model, 1, &[&["child 1"]]);
        // One time for all instances, or none.
        assert_eq!(model.constant_time(1, 0), Some(1));
        assert_eq!(model.constant_time(0, 0), None);
        assert_eq!(model.constant_time(1, 1), Some(0));
        assert_eq!(model.constant_time(0, 1), None);
    });
    let tree = "{ sequence: [ { filter: \"{ S0[i] : i < 5 }\" }, { filter: \"{ S1[i] }\" }, \
                { filter: \"{ S0[i] : i >= 5 }\" } ] }";
    of(tree, |model| {
        let instance = |facts: &mut Facts, lifted| model.instance(facts, lifted);
        let mut facts = model.facts();
        let (first, second) = (instance(&mut facts, 0), instance(&mut facts, 1));
        // Not all of the one come before all of the other, in neither order.
        assert!(!model.before(&facts, first, second));
        assert!(!model.before(&facts, second, first));
        assert!(!model.all_before(0, 1, None) && !model.all_before(1, 0, None));
        assert!(!model.same_time(&facts, first, first, 0));
        assert!(model.same_time(&facts, second, second, 0));
    });
}

#[test]
fn trees_with_other_nodes() {
    let scop = two();
    let known = |tree: &str| Model::of(&scop, &plan(&scop, tree)).unwrap().is_some();
    assert!(known(&band("i", "i", "")));
    let below = band("i", "i", "");
    assert!(!known(&format!(
        "{{ guard: \"[n] -> {{ : n >= 3 }}\", child: {below} }}"
    )));
    assert!(!known(&format!(
        "{{ context: \"[n] -> {{ [] : n >= 3 }}\", child: {below} }}"
    )));
    let guarded = format!(
        "{{ guard: \"[n] -> {{ : n >= 3 }}\", child: {} }}",
        "{ schedule: \"[{ S0[i] -> [(i)] }]\" }"
    );
    assert!(!known(&sequence(&guarded, "")));
}

/// Two instances of which something is told: what is zero, and what is not negative.
fn instances(model: &Model, zero: &[&str], not_negative: &[&str]) -> (Facts, Instance, Instance) {
    let mut facts = model.facts();
    let first = model.instance(&mut facts, 0);
    let second = model.instance(&mut facts, 1);
    assert_eq!((first.first, second.first), (1, 2));
    facts.fresh(5);
    for text in not_negative {
        facts.at_least(&row(text));
    }
    for text in zero {
        facts.equal(&row(text));
    }
    (facts, first, second)
}

#[test]
fn which_instance_comes_first() {
    let fused = band("i", "i", &sequence("", ""));
    let apart = sequence(&band("i", "0", ""), &band("0", "i", ""));
    let unordered = children("set", "", "");
    let beside = band("i", "i", &unordered);
    let backwards = band("0-i", "0-i", &sequence("", ""));
    let shifted = band("i", "i + 1", &sequence("", ""));
    let strips = band("floor(i/4)", "floor(i/4)", &band("i", "i", ""));
    let pieces = "{ schedule: \"[n] -> [{ S0[i] -> [(i)] : i < 9; S0[i] -> [(-i)] : i >= 9; \
                  S1[i] -> [(i)] }]\" }";
    /// A tree, what is zero and not negative, and whether the first instance comes before the second
    /// one, and the second before the first.
    type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str], bool, bool);
    let cases: &[Case] = &[
        (&fused, &["b - c"], &[], true, false),
        (&fused, &["c - b - 1"], &[], true, false),
        (&fused, &["b - c - 1"], &[], false, true),
        (&fused, &[], &[], false, false),
        (&fused, &[], &["c - b"], true, false),
        (&fused, &[], &["c - b + 1"], false, false),
        (&fused, &[], &["b - c"], false, false),
        (&fused, &[], &["b - c - 1"], false, true),
        (&apart, &[], &[], true, false),
        (&apart, &["b - c - 1"], &[], true, false),
        (&unordered, &["b - c"], &[], false, false),
        (&beside, &["b - c"], &[], false, false),
        (&beside, &[], &["c - b - 1"], true, false),
        (&beside, &[], &["c - b"], false, false),
        (&backwards, &["b - c - 1"], &[], true, false),
        (&backwards, &[], &["c - b - 1"], false, true),
        (&shifted, &[], &["c - b + 1"], true, false),
        (&shifted, &[], &["c - b + 2"], false, false),
        (&shifted, &[], &["b - c - 1"], false, false),
        (&shifted, &[], &["b - c - 2"], false, true),
        // Within a strip or from one to the next.
        (&strips, &["c - b - 1"], &[], true, false),
        (&strips, &["c - b - 4"], &[], true, false),
        (&strips, &["c - b"], &[], false, false),
        (&strips, &["b - c - 1"], &[], false, true),
        // What is not known is not before.
        (pieces, &["c - b - 1"], &[], false, false),
        // Instances that there are none of come in any order.
        (&fused, &["1"], &[], true, true),
        (&unordered, &["1"], &[], true, true),
        (&apart, &["1"], &[], true, true),
        (pieces, &["1"], &[], true, true),
        (&strips, &["1"], &[], true, true),
    ];
    for (tree, zero, not_negative, forwards, back) in cases {
        of(tree, |model| {
            let (facts, first, second) = instances(model, zero, not_negative);
            let about = format!("{tree}: {zero:?} = 0 and {not_negative:?} ≥ 0");
            assert_eq!(model.before(&facts, first, second), *forwards, "{about}");
            assert_eq!(model.before(&facts, second, first), *back, "{about}, back");
        });
    }
}

#[test]
fn all_of_a_statement() {
    let forwards = |tree: &str| of(tree, |model| model.all_before(0, 1, None));
    let back = |tree: &str| of(tree, |model| model.all_before(1, 0, None));
    let apart = sequence(&band("i", "0", ""), &band("0", "i", ""));
    assert!(forwards(&apart) && !back(&apart));
    let fused = band("i", "i", &sequence("", ""));
    assert!(!forwards(&fused) && !back(&fused));
    // In one life each of a scope inside the loop.
    let inside = band("i", "i", &mark("scope:0", &sequence("", "")));
    of(&inside, |model| {
        assert!(model.all_before(0, 1, Some(0)) && !model.all_before(1, 0, Some(0)));
        assert!(!model.all_before(0, 1, None));
        // There are no lives of another scope.
        assert!(!model.all_before(0, 1, Some(1)));
        // The answer is remembered, for the scope that was asked for.
        assert!(model.all_before(0, 1, Some(0)) && !model.all_before(0, 1, None));
    });
}

#[test]
fn times_that_are_equal() {
    let tree = band(
        "i",
        "i + 1",
        &children("set", &band("3", "0", ""), &band("0", "3", "")),
    );
    of(&tree, |model| {
        let (facts, first, second) = instances(model, &["b - c - 1"], &[]);
        assert!(model.same_time(&facts, first, second, 0));
        assert!(!model.same_time(&facts, first, second, 1));
        assert!(model.same_time(&facts, first, second, 2));
        // Both have no such level.
        assert!(model.same_time(&facts, first, second, 3));
        let (facts, first, second) = instances(model, &["b - c"], &[]);
        assert!(!model.same_time(&facts, first, second, 0));
        let (facts, first, second) = instances(model, &[], &["b - c - 1"]);
        assert!(!model.same_time(&facts, first, second, 0));
        // Two instances of one statement are in the same child of a set.
        let mut facts = model.facts();
        let (first, second) = (model.instance(&mut facts, 0), model.instance(&mut facts, 0));
        assert!(model.same_time(&facts, first, second, 1));
        assert!(!model.same_time(&facts, first, second, 0));
    });
}

#[test]
fn lives_of_buffers() {
    let life = |tree: &str, lifted: usize| {
        of(tree, |model| {
            model
                .life(lifted, 0)
                .map(|(life, _)| (life.number, life.depth))
        })
    };
    let inside = band(
        "floor(i/4)",
        "floor(i/4)",
        &mark("scope:0", &band("i", "i", "")),
    );
    assert_eq!([life(&inside, 0), life(&inside, 1)], [Some((0, 1)); 2]);
    let both = sequence(&mark("scope:0", &band("i", "0", "")), &mark("scope:0", ""));
    assert_eq!(life(&both, 0), Some((0, 1)));
    assert_eq!(life(&both, 1), Some((1, 1)));
    let first = sequence(&mark("scope:0", &band("i", "0", "")), "");
    assert_eq!([life(&first, 0), life(&first, 1)], [Some((0, 1)), None]);
    // Another scope, and a mark that is none.
    let other = mark("scope:1", &mark("scope:x", &band("i", "i", "")));
    assert_eq!([life(&other, 0), life(&other, 1)], [None, None]);
    let around = mark("scope:1", &mark("scope:0", &band("i", "i", "")));
    assert_eq!(life(&around, 0), Some((0, 0)));
    // One within another one.
    let nested = mark("scope:0", &mark("scope:0", &band("i", "i", "")));
    assert_eq!(life(&nested, 0), None);
    // In parts: below one mark, below two, and one of them below none.
    let parts = |first: &str, second: &str, around: &str| {
        let child = |filter: &str, below: &str| match below {
            "" => format!("{{ filter: \"{{ {filter} }}\" }}"),
            below => format!(
                "{{ filter: \"{{ {filter} }}\", child: {} }}",
                mark(below, "{ schedule: \"[{ S0[i] -> [(i)] }]\" }")
            ),
        };
        let all = format!(
            "{{ sequence: [ {}, {}, {} ] }}",
            child("S0[i] : i < 5", first),
            child("S0[i] : i >= 5", second),
            child("S1[i]", "")
        );
        match around {
            "" => all,
            around => mark(around, &all),
        }
    };
    assert_eq!(life(&parts("", "", "scope:0"), 0), Some((0, 0)));
    assert_eq!(life(&parts("scope:0", "scope:0", ""), 0), None);
    assert_eq!(life(&parts("scope:0", "", ""), 0), None);
    assert_eq!(life(&parts("", "scope:0", ""), 0), None);
}

#[test]
fn instances_in_one_life() {
    let strips = band(
        "floor(i/4)",
        "floor(i/4)",
        &mark("scope:0", &band("i", "i", "")),
    );
    of(&strips, |model| {
        let (mut facts, first, second) = instances(model, &[], &[]);
        assert!(!facts.proves(&row("c - b + 3")));
        assert!(model.tell_life(&mut facts, first, second, 0));
        assert!(facts.proves(&row("c - b + 3")) && facts.proves(&row("b - c + 3")));
        assert!(!facts.proves(&row("c - b + 2")));
        assert!(!model.tell_life(&mut facts, first, second, 1));
        for (zero, same) in [
            (["b - 4d", "c - 4d - 3"], true),
            (["b - 4d", "c - 4d - 4"], false),
            (["b - 4d - 3", "c - 4d"], true),
            (["b - 4d", "c - 4d + 1"], false),
            (["b - c", "0"], true),
            (["b - c - 4", "0"], false),
            (["b - c - 1", "0"], false),
        ] {
            let (mut facts, first, second) = instances(model, &zero, &[]);
            assert_eq!(
                model.same_life(&mut facts, first, second, 0),
                same,
                "{zero:?}"
            );
            assert!(!model.same_life(&mut facts, first, second, 1));
        }
    });
    let loops = band("i", "i", &mark("scope:0", &sequence("", "")));
    of(&loops, |model| {
        let (mut facts, first, second) = instances(model, &["b - c"], &[]);
        assert!(model.same_life(&mut facts, first, second, 0));
        let (mut facts, first, second) = instances(model, &["b - c - 1"], &[]);
        assert!(!model.same_life(&mut facts, first, second, 0));
        // They are told to be in the same life, which they are not.
        assert!(model.tell_life(&mut facts, first, second, 0));
        assert!(facts.impossible());
    });
    // Two marks of one scope are two lives, at the same time, too.
    let apart = children(
        "set",
        &mark("scope:0", &band("0", "0", "")),
        &mark("scope:0", ""),
    );
    of(&apart, |model| {
        let (mut facts, first, second) = instances(model, &[], &[]);
        assert!(!model.same_life(&mut facts, first, second, 0));
        assert!(model.tell_life(&mut facts, first, second, 0));
        assert!(facts.impossible());
    });
    // What is not known of a life's time is not told, and does not make lives the same.
    let pieces = "{ schedule: \"[n] -> [{ S0[i] -> [(i)] : i < 9; S0[i] -> [(-i)] : i >= 9; \
                  S1[i] -> [(i)] }]\", child: { mark: \"scope:0\", child: { sequence: [ { filter: \
                  \"{ S0[i] }\" }, { filter: \"{ S1[i] }\" } ] } } }";
    of(pieces, |model| {
        let (mut facts, first, second) = instances(model, &["b - c"], &[]);
        assert!(model.tell_life(&mut facts, first, second, 0));
        assert!(!facts.impossible());
        assert!(!model.same_life(&mut facts, first, second, 0));
    });
}

#[test]
fn loops_and_what_is_in_them() {
    let inner = mark("simd", &band("i", "i", ""));
    let tree = sequence(
        &mark("parallel", &band("i", "0", &mark("scope:0", ""))),
        &mark("unroll:4", &band("0", "i", &mark("other", ""))),
    );
    of(&tree, |model| {
        let all = model.tree.loops.iter();
        let all: Vec<(Mark, usize, bool)> = all
            .map(|found| (found.mark, found.depth, found.single))
            .collect();
        assert_eq!(all, [(Mark::Parallel, 1, true), (Mark::Unroll(4), 1, true)]);
        assert_eq!(model.tree.leaves[0][0].loops, [0]);
        assert_eq!(model.tree.leaves[1][0].loops, [1]);
        assert_eq!(model.tree.lives[&0], [vec![0]]);
    });
    let scop = two();
    let lives = |tree: &str| {
        let plan = Build::unlifted(&scop)
            .local("A_cell", "A", 0, &[("{ [] -> [(0)] }", 1, true)])
            .schedule(&format!("{{ domain: \"{DOMAIN}\", child: {tree} }}"));
        let model = Model::of(&scop, &plan).unwrap().unwrap();
        // Of full arrays there is one life.
        assert!(!model.lives_inside(0, 0) && !model.has_life_in(0, 0));
        (model.lives_inside(0, 2), model.has_life_in(0, 2))
    };
    let both = |first: &str, second: &str| {
        sequence(
            &mark("parallel", &band("i", "0", &mark(first, ""))),
            &mark(second, &band("0", "i", "")),
        )
    };
    assert_eq!(lives(&both("scope:0", "other")), (true, true));
    assert_eq!(lives(&both("other", "scope:0")), (false, false));
    assert_eq!(lives(&both("scope:0", "scope:0")), (false, true));
    assert_eq!(lives(&both("other", "other")), (false, false));
    // Loops inside of each other.
    let nested = mark("parallel", &band("floor(i/4)", "floor(i/4)", &inner));
    of(&nested, |model| {
        assert_eq!(model.tree.leaves[0][0].loops, [0, 1]);
        let depths: Vec<usize> = model.tree.loops.iter().map(|found| found.depth).collect();
        assert_eq!(depths, [0, 1]);
    });
    // Above no loop, or above two.
    of(&mark("parallel", &sequence("", "")), |model| {
        assert!(!model.tree.loops[0].single);
    });
    let two = "{ schedule: \"[{ S0[i] -> [(i)]; S1[i] -> [(i)] }, { S0[i] -> [(0)]; S1[i] -> [(1)] \
               }]\" }";
    of(&mark("simd", two), |model| {
        assert!(!model.tree.loops[0].single)
    });
    of(&mark("parallels", &band("i", "i", "")), |model| {
        assert!(model.tree.loops.is_empty());
    });
}

/// Tiles of four: statements with a tile dimension, which the tile loop is the value of.
fn tiled(tree: &str) -> (Scop, Transformed) {
    let scop = two();
    let domain =
        |name: &str| format!("[n] -> {{ {name}[t, i] : 0 <= i < n and 4t <= i < 4t + 4 }}");
    let plan = Build::new(&scop)
        .lifted("S0", 1, &domain("S0"), &[])
        .lifted("S1", 1, &domain("S1"), &[])
        .schedule(&format!(
            "{{ domain: \"[n] -> {{ S0[t, i] : 0 <= i < n and 4t <= i < 4t + 4; S1[t, i] : 0 <= i < \
             n and 4t <= i < 4t + 4 }}\", child: {tree} }}"
        ));
    (scop, plan)
}

#[test]
fn tiles_of_lives() {
    let tile = |first: &str, second: &str, below: &str| {
        format!(
            "{{ schedule: \"[{{ S0[t, i] -> [({first})]; S1[t, i] -> [({second})] }}]\", child: \
             {below} }}"
        )
    };
    let points = "{ schedule: \"[{ S0[t, i] -> [(i)]; S1[t, i] -> [(i)] }]\" }";
    for (tree, lifted, same) in [
        (tile("t", "t", &mark("scope:0", points)), &[0, 1][..], true),
        (tile("t", "t", &mark("scope:0", points)), &[][..], true),
        (tile("t", "t", &mark("scope:1", points)), &[0][..], false),
        // The mark is around the tile loop.
        (mark("scope:0", &tile("t", "t", points)), &[0, 1][..], false),
        // Another function of the tile is not looked into.
        (
            tile("t + 1", "t + 1", &mark("scope:0", points)),
            &[0, 1][..],
            false,
        ),
        (
            tile("t", "t + 1", &mark("scope:0", points)),
            &[0, 1][..],
            false,
        ),
        (tile("t", "t + 1", &mark("scope:0", points)), &[0][..], true),
        (tile("i", "i", &mark("scope:0", points)), &[0, 1][..], false),
        // In the second loop of the one and the first one of the other.
        (
            tile("0", "t", &tile("t", "0", &mark("scope:0", points))),
            &[0, 1][..],
            false,
        ),
    ] {
        let (scop, plan) = tiled(&tree);
        let model = Model::of(&scop, &plan).unwrap().unwrap();
        assert_eq!(model.tile_is_of_life(lifted, 0), same, "{tree} {lifted:?}");
    }
}

/// What is assumed of parameters is known, where it is of one piece.
#[test]
fn what_is_assumed() {
    for (context, known) in [
        ("[n] -> { : n >= 4 }", true),
        ("[n] -> { : n >= 3 }", false),
        ("[n] -> { : 4 <= n <= 8 or n >= 20 }", false),
    ] {
        let scop = ScopBuilder::new(context)
            .output("A", 1)
            .statement("S0[i] : 0 <= i < n", &[], &["A[i]"])
            .build();
        let plan = Build::unlifted(&scop).original_order();
        let model = Model::of(&scop, &plan).unwrap().unwrap();
        assert_eq!(model.facts().proves(&row("a - 4")), known, "{context}");
    }
}
