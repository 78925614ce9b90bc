//! What is seen without isl: nothing that is not so, the usual cases, and none of those that only
//! isl can decide.

use proptest::prelude::*;

use crate::analysis::dependences::dataflow::Dataflow;
use crate::scop::Scop;
use crate::scop::testing::ScopBuilder;
use crate::transform::Transformed;
use crate::validate::numbers::facts::{Facts, Row};
use crate::validate::numbers::model::Model;
use crate::validate::numbers::relation::{Params, Relation};
use crate::validate::program::Program;
use crate::validate::storage::Touch;
use crate::validate::tests::build::{Build, refusal};
use crate::validate::tests::right::{
    POINT_LOOPS, TILE_LOOP, line_buffer, overlapped, pipeline, two_stages,
};

/// A program as its checks see it, and what can be seen of it at once.
fn seen<T>(scop: &Scop, plan: &Transformed, ask: impl FnOnce(&Program, &Model) -> T) -> T {
    let dataflow = Dataflow::compute(scop).unwrap();
    let program = Program::new(scop, &dataflow, plan, true).unwrap().unwrap();
    ask(&program, program.model.as_ref().unwrap())
}

/// The accesses of a statement to an array.
fn touches<'t, 'a>(program: &'t Program<'a>, name: &str, array: &str) -> Vec<&'t Touch<'a>> {
    let array = program.scop.array_named(array).unwrap();
    let all = program.touches.iter();
    all.filter(|t| t.array == array && program.lifted(t.lifted).name == name)
        .collect()
}

fn scratchpads(scop: &Scop, left: (i64, i64), right: (i64, i64), cells: (i64, i64)) -> Transformed {
    let marks = ["parallel", "scope:0"];
    overlapped(scop, left, right, cells).tiles(TILE_LOOP, &marks, &POINT_LOOPS)
}

#[test]
fn writes_in_bounds() {
    let scop = pipeline();
    for (cells, inside) in [(34, true), (33, false)] {
        let plan = scratchpads(&scop, (2, 1), (2, 1), (36, cells));
        seen(&scop, &plan, |program, model| {
            let write = touches(program, "S1", "B")[0];
            assert_eq!(model.in_bounds(write).unwrap(), inside, "{cells} cells");
        });
    }
}

/// Whether all that S2 reads of B is seen to be in the tile.
fn finds_b(scop: &Scop, plan: &Transformed) -> bool {
    seen(scop, plan, |program, model| {
        let writes = touches(program, "S1", "B");
        let writes: Vec<&Touch> = writes.into_iter().filter(|t| !t.is_read()).collect();
        let reads = touches(program, "S2", "B");
        assert!(!reads.is_empty());
        reads.iter().all(|read| {
            let sources = program.sources(model, read).unwrap().unwrap();
            model.finds_sources(read, &writes, &sources).unwrap()
        })
    })
}

#[test]
fn sources_in_the_tile() {
    let scop = pipeline();
    let plan = scratchpads(&scop, (2, 1), (2, 1), (36, 34));
    assert!(finds_b(&scop, &plan));
    // One short on either side.
    for (left, right) in [((2, 0), (2, 1)), ((2, 1), (2, 0))] {
        let plan = scratchpads(&scop, left, right, (36, 34));
        assert!(!finds_b(&scop, &plan));
        assert_ne!(refusal(&scop, &plan), "accepted");
    }
}

#[test]
fn sources_in_the_tile_that_only_isl_finds() {
    let scop = pipeline();
    // The same tiles: S1 in two halves that overlap, neither of which has all that is read.
    let domain = |name: &str, low: i64, high: i64, bounds: &str| {
        format!(
            "[n] -> {{ {name}[t, i] : 0 <= t and 32t < n and {low} <= i < n + {high} and ({bounds}) }}"
        )
    };
    let locals = ["A_tile", "B_tile"];
    let halves = "32t + 1 <= i < 32t + 20 or 32t + 10 <= i < 32t + 35";
    let plan = Build::new(&scop)
        .local("A_tile", "A", 0, &[("{ [t] -> [32t] }", 36, false)])
        .local("B_tile", "B", 0, &[("{ [t] -> [32t + 1] }", 34, false)])
        .lifted("S0", 1, &domain("S0", 0, 4, "32t <= i < 32t + 36"), &locals)
        .lifted("S1", 1, &domain("S1", 1, 3, halves), &locals)
        .lifted(
            "S2",
            1,
            &domain("S2", 2, 2, "32t + 2 <= i < 32t + 34"),
            &locals,
        )
        .tiles(TILE_LOOP, &["parallel", "scope:0"], &POINT_LOOPS);
    assert_eq!(refusal(&scop, &plan), "accepted");
}

#[test]
fn windows_that_slide() {
    let scop = two_stages();
    for (cells, slides) in [(3, true), (2, false)] {
        seen(&scop, &line_buffer(&scop, cells), |program, model| {
            let write = touches(program, "S0", "A")[0];
            let reads = touches(program, "S1", "A");
            let all = reads
                .iter()
                .all(|read| model.slides(read, write, 0).unwrap());
            assert_eq!(all, slides, "{cells} cells");
        });
    }
}

/// Two statements, of which the second one reads what the first one wrote `distance` before.
fn recurrence(distance: i64) -> Scop {
    ScopBuilder::new("[n] -> { : n >= 1 }")
        .inout("A", 1)
        .statement(
            "S0[i] : 0 <= i < n",
            &[&format!("A[i - {distance}]")],
            &["A[i]"],
        )
        .build()
}

/// The loop in strips of four; the mark is above the loop within the strips.
fn strips(scop: &Scop) -> Transformed {
    Build::unlifted(scop).schedule(
        r#"
domain: "[n] -> { S0[i] : 0 <= i < n }"
child:
  schedule: "[{ S0[i] -> [(floor(i/4))] }]"
  child:
    mark: "simd"
    child:
      schedule: "[{ S0[i] -> [(i)] }]"
"#,
    )
}

#[test]
fn iterations_that_are_apart() {
    for (distance, apart) in [(4, true), (3, false)] {
        let scop = recurrence(distance);
        let plan = strips(&scop);
        let all = seen(&scop, &plan, |program, model| {
            let all = touches(program, "S0", "A");
            let write = all.iter().find(|t| !t.is_read()).unwrap();
            all.iter()
                .all(|t| model.apart_in_loop(0, write, t).unwrap())
        });
        // Whether or not it is seen at once, it is decided.
        assert!(!all || apart);
        assert_eq!(refusal(&scop, &plan) == "accepted", apart, "{distance}");
    }
}

#[test]
fn orders_that_are_kept() {
    for (text, kept) in [("(i)", true), ("(-i)", false), ("(floor(i/2))", false)] {
        let scop = recurrence(1);
        let plan = Build::unlifted(&scop).schedule(&format!(
            "{{ domain: \"[n] -> {{ S0[i] : 0 <= i < n }}\", child: {{ schedule: \
             \"[{{ S0[i] -> [{text}] }}]\" }} }}"
        ));
        let seen = seen(&scop, &plan, |program, model| {
            let all = touches(program, "S0", "A");
            let read = all.iter().find(|t| t.is_read()).unwrap();
            let sources = program.sources(model, read).unwrap().unwrap();
            model.in_order(0, 0, None, &sources[0].pairs).unwrap()
        });
        assert_eq!(seen, kept, "{text}");
        assert_eq!(refusal(&scop, &plan) == "accepted", kept, "{text}");
    }
}

#[test]
fn orders_in_pieces_are_left_to_isl() {
    let scop = recurrence(1);
    for (text, kept) in [("i + 5", true), ("-i", false)] {
        let plan = Build::unlifted(&scop).schedule(&format!(
            "{{ domain: \"[n] -> {{ S0[i] : 0 <= i < n }}\", child: {{ schedule: \
             \"[n] -> [{{ S0[i] -> [(i)] : i < 9; S0[i] -> [({text})] : i >= 9 }}]\" }} }}"
        ));
        assert_eq!(refusal(&scop, &plan) == "accepted", kept, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Against all points of a small box.
    #[test]
    fn what_follows_is_so(
        equal in prop::collection::vec((prop::array::uniform3(-3i64..=3), -4i64..=4), 0..=2),
        at_least in prop::collection::vec((prop::array::uniform3(-3i64..=3), -6i64..=6), 0..=3),
        (goal, constant) in (prop::array::uniform3(-3i64..=3), -6i64..=6),
        number in 2i64..=4,
    ) {
        let row = |factors: &[i64; 3], constant: i64| Row::dense(factors, constant);
        let value = |factors: &[i64; 3], constant: i64, at: &[i64; 3]| {
            constant + factors.iter().zip(at).map(|(factor, x)| factor * x).sum::<i64>()
        };
        let mut facts = Facts::of(3);
        for var in 0..3 {
            let mut factors = [0; 3];
            for side in [-1, 1] {
                factors[var] = side;
                facts.at_least(&row(&factors, 4));
            }
        }
        for (factors, constant) in &at_least {
            facts.at_least(&row(factors, *constant));
        }
        for (factors, constant) in &equal {
            facts.equal(&row(factors, *constant));
        }
        let points = (0..729i64).map(|at| [at % 9 - 4, at / 9 % 9 - 4, at / 81 - 4]);
        let points: Vec<[i64; 3]> = points
            .filter(|at| equal.iter().all(|(factors, constant)| value(factors, *constant, at) == 0))
            .filter(|at| at_least.iter().all(|(factors, constant)| value(factors, *constant, at) >= 0))
            .collect();
        let values: Vec<i64> = points.iter().map(|at| value(&goal, constant, at)).collect();
        let goal = row(&goal, constant);
        prop_assert!(!facts.impossible() || points.is_empty());
        prop_assert!(!facts.refute(&goal) || values.iter().all(|&value| value < 0));
        prop_assert!(!facts.proves(&goal) || values.iter().all(|&value| value >= 0));
        prop_assert!(!facts.proves_zero(&goal) || values.iter().all(|&value| value == 0));
        prop_assert!(
            !facts.proves_divisible(&goal, number) || values.iter().all(|&value| value % number == 0)
        );
    }

    /// What is seen to be inside of a set is, as isl knows it.
    #[test]
    fn what_holds_is_inside(inside in text(), outside in text()) {
        let ctx = isl::Ctx::new();
        let params = Params::from([("n".to_owned(), 0)]);
        let read = |text: &str| {
            let set = isl::Set::read_from_str(&ctx, &format!("[n] -> {{ [i, j] : {text} }}"));
            let set = set.unwrap();
            let parts = Relation::all_of_set(&params, &set).unwrap();
            (set, parts)
        };
        let ((small, parts), (large, whole)) = (read(&inside), read(&outside));
        if let (Some(parts), Some(whole)) = (parts, whole) {
            let holds = parts.iter().all(|part| {
                let mut facts = Facts::of(3);
                part.tell(&mut facts, 1, 1);
                whole.iter().any(|whole| whole.holds(&facts, 1, 1))
            });
            prop_assert!(!holds || small.is_subset(&large).unwrap());
        }
    }

    /// What is read as a function is one, with the values that isl knows.
    #[test]
    fn what_is_a_function_is_one(
        domain in text(),
        (outer, inner) in (-3i64..=3, -3i64..=3),
        (low, high) in (-3i64..=3, 0i64..=3),
        (factor, modulo) in (1i64..=3, 1i64..=3),
    ) {
        let ctx = isl::Ctx::new();
        let params = Params::from([("n".to_owned(), 0)]);
        let map = isl::Map::read_from_str(&ctx, &format!(
            "[n] -> {{ [i, j] -> [o] : {outer}i + {inner}j + {low} <= {factor}o <= {outer}i + \
             {inner}j + {low} + {high} and (i + o) mod {modulo} = 0 }}",
        )).unwrap();
        let domain = format!("[n] -> {{ [i, j] : {domain} and n = 4 and 0 <= i <= 5 and 0 <= j <= 2 }}");
        let domain = isl::Set::read_from_str(&ctx, &domain).unwrap();
        let parts = Relation::all(&params, &map).unwrap().unwrap();
        let inside = Relation::all_of_set(&params, &domain).unwrap().unwrap();
        let inside: Vec<Facts> = inside.iter().map(Relation::facts).collect();
        if let Some(values) = Relation::function(&parts, &inside) {
            for point in domain.points().unwrap() {
                let at = point.coordinates().unwrap();
                let image = isl::Set::from_point(&point).unwrap().apply(&map).unwrap();
                let images = image.points().unwrap();
                prop_assert_eq!(images.len(), 1);
                let mut facts = Facts::of(3);
                for (var, value) in [4, at[0], at[1]].into_iter().enumerate() {
                    facts.equal(&Row::var(var).plus_number(-value).unwrap());
                }
                let value = values[0].told(&mut facts, |var| var);
                let wanted = images[0].coordinates().unwrap()[0];
                prop_assert!(facts.proves_zero(&value.plus_number(-wanted).unwrap()));
            }
        }
    }
}

/// Constraints on two dimensions and a parameter.
fn text() -> impl Strategy<Value = String> {
    let constraint = prop_oneof![
        (-2i64..=2, -2i64..=2, -4i64..=6).prop_map(|(a, b, c)| format!("{a}i + {b}j + {c} >= 0")),
        (-3i64..=3, 0i64..=6).prop_map(|(a, c)| format!("{a} <= i <= {a} + {c}")),
        (-3i64..=3).prop_map(|a| format!("{a} <= j <= n")),
        (1i64..=3, 2i64..=4, 0i64..=1).prop_map(|(a, m, r)| format!("({a}i + j) mod {m} = {r}")),
        (2i64..=3, -2i64..=2).prop_map(|(m, c)| format!("floor((i + {c})/{m}) <= j")),
        (2i64..=3, -2i64..=2).prop_map(|(m, c)| format!("j = floor((i + {c})/{m})")),
        (2i64..=3, 2i64..=3).prop_map(|(m, k)| format!("(exists e: {m}e <= i + j <= {k}e + 3)")),
    ];
    prop::collection::vec(constraint, 1..=3).prop_map(|all| all.join(" and "))
}
