//! Which inputs are tried: sizes, values, pointers into the same memory.

use crate::arith::{f32_of, f64_of};
use crate::judging::inputs::{Data, Input, Inputs, size_params, value};
use crate::program::Program;
use crate::types::Kind;
use std::collections::BTreeSet;

fn program(text: &str) -> Program {
    let parsed = crate::read::cut("f.c", text).expect("C");
    parsed.compile(&["f".to_owned()], true).expect("C")
}

fn inputs(text: &str, has_init: bool) -> Inputs {
    let program = program(text);
    Inputs::new(&program, &program.functions[0], 1, has_init)
}

fn input(data: Data, seed: u64) -> Input {
    Input {
        sizes: vec![5],
        data,
        seed,
        alias: None,
    }
}

/// The values of an array.
fn array(data: Data, seed: u64, kind: Kind, place: u64, limit: i64) -> Vec<i64> {
    let input = input(data, seed);
    let values = (0..400).map(|index| value(&input, kind, place, index, limit) as i64);
    values.collect()
}

fn set(values: &[i64]) -> BTreeSet<i64> {
    values.iter().copied().collect()
}

#[test]
fn integers_of_each_kind_of_data() {
    for seed in 1..9 {
        for kind in [Kind::I32, Kind::U32, Kind::I64, Kind::I16] {
            assert_eq!(set(&array(Data::Small, seed, kind, 3, 5)), (0..5).collect());
            assert_eq!(set(&array(Data::Zero, seed, kind, 3, 5)), set(&[0]));
            assert_eq!(set(&array(Data::One, seed, kind, 3, 5)), set(&[1]));
            // Sizes that are not positive count as one.
            assert_eq!(set(&array(Data::Small, seed, kind, 3, -4)), set(&[0]));
            let sorted = array(Data::Sorted, seed, kind, 3, 5);
            assert!(
                sorted
                    .windows(2)
                    .all(|pair| [0, 2].contains(&(pair[1] - pair[0])))
            );
            assert_eq!(sorted[..6], [0, 0, 2, 2, 4, 4]);
        }
        for kind in [Kind::I32, Kind::I64, Kind::I8] {
            assert_eq!(
                set(&array(Data::Around, seed, kind, 3, 5)),
                (-5..=5).collect()
            );
        }
        assert_eq!(
            set(&array(Data::Around, seed, Kind::U32, 3, 5)),
            (0..=5).collect()
        );
        // In front of where a pointer points there are no rows.
        assert_eq!(value(&input(Data::Sorted, seed), Kind::I32, 3, -7, 5), 0);
        let ends = [0, 1, -1, i32::MIN, i32::MIN + 1, i32::MAX, 2, 255].map(i64::from);
        assert_eq!(
            set(&array(Data::Extreme, seed, Kind::I32, 3, 5)),
            set(&ends)
        );
        let ends = [0, 1, 127, 128, 129, 2, 255];
        assert_eq!(set(&array(Data::Extreme, seed, Kind::U8, 3, 5)), set(&ends));
        assert_eq!(
            set(&array(Data::Small, seed, Kind::Bool, 3, 5)),
            set(&[0, 1])
        );
    }
}

#[test]
fn wide_integers_are_of_all_magnitudes() {
    for seed in 1..9 {
        let wide = array(Data::Wide, seed, Kind::I32, 3, 100);
        let part = |is: &dyn Fn(i64) -> bool| wide.iter().filter(|v| is(**v)).count();
        assert!(set(&wide).len() > 250, "{}", set(&wide).len());
        assert!(part(&|v| v < 0) > 100);
        assert!(part(&|v| v > 1 << 30) > 40);
        assert!(part(&|v| v < -(1 << 30)) > 40);
        assert!((20..120).contains(&part(&|v| (4..100).contains(&v))));
        assert!((20..120).contains(&part(&|v| (0..4).contains(&v))));
    }
}

#[test]
fn bytes_are_subscripts_in_some_arrays_only() {
    let is_small: Vec<bool> = (0..64)
        .map(|place| {
            array(Data::Small, 1, Kind::U8, place, 5)
                .iter()
                .all(|v| *v < 5)
        })
        .collect();
    let small = is_small.iter().filter(|is| **is).count();
    assert!((10..54).contains(&small), "{small}");
    let wide = (0..64)
        .find(|place| !is_small[*place as usize])
        .expect("one of them");
    assert!(set(&array(Data::Small, 1, Kind::U8, wide, 5)).len() > 100);
}

#[test]
fn mixed_data_is_of_each_kind_in_some_array() {
    for data in [Data::Mixed, Data::Init] {
        let arrays: Vec<Vec<i64>> = (0..100)
            .map(|at| array(data, 1, Kind::I32, at, 5))
            .collect();
        let count = |is: &dyn Fn(&Vec<i64>) -> bool| arrays.iter().filter(|a| is(a)).count();
        let counts = [
            count(&|a| set(a) == (0..5).collect()),
            count(&|a| set(a) == (-5..=5).collect()),
            count(&|a| set(a) == set(&[1])),
            count(&|a| a[..4] == [0, 0, 2, 2]),
            count(&|a| set(a).len() > 250),
        ];
        assert!(counts.iter().all(|count| *count >= 5), "{counts:?}");
        assert_eq!(counts.iter().sum::<usize>(), 100, "{counts:?}");
    }
}

#[test]
fn floating_point_numbers_of_each_kind_of_data() {
    let all = |data: Data, kind: Kind| -> Vec<f64> {
        let input = input(data, 1);
        let bits = (0..2000).map(|index| value(&input, kind, 3, index, 5));
        let number = |bits| match kind {
            Kind::F32 => f64::from(f32_of(bits)),
            _ => f64_of(bits),
        };
        bits.map(number).collect()
    };
    for kind in [Kind::F32, Kind::F64] {
        for data in [Data::Small, Data::Wide, Data::Around] {
            let values = all(data, kind);
            assert!(values.iter().all(|v| (-6.0..=10.0).contains(v)));
            assert!(values.iter().any(|v| *v < -5.0) && values.iter().any(|v| *v > 9.0));
            let inner = values.iter().filter(|v| (-1.5..2.5).contains(*v)).count();
            assert!((800..1600).contains(&inner), "{inner}");
        }
        for data in [Data::Sorted, Data::One, Data::Zero] {
            let values = all(data, kind);
            assert!(values.iter().all(|v| (0.0..=1.0).contains(v)));
            assert!(values.iter().any(|v| *v < 0.01) && values.iter().any(|v| *v > 0.99));
        }
        let extreme = all(Data::Extreme, kind);
        assert!(extreme.iter().any(|v| v.is_nan()));
        for wanted in [f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0] {
            assert!(
                extreme.iter().any(|v| v.to_bits() == wanted.to_bits()),
                "{wanted}"
            );
        }
        assert!(extreme.iter().any(|v| (9e29..2e30).contains(v)));
        let plain = extreme
            .iter()
            .filter(|v| v.abs() > 1e-6 && v.abs() < 10.0)
            .count();
        assert!(plain > 900, "{plain}");
    }
    // All bits of the mantissa count, so that another order of additions shows.
    let low = all(Data::Wide, Kind::F64)
        .iter()
        .filter(|v| v.to_bits() & 7 != 0)
        .count();
    assert!(low > 500, "{low}");
    assert!(
        all(Data::Extreme, Kind::F64)
            .iter()
            .any(|v| v.is_subnormal())
    );
}

#[test]
fn arrays_seeds_and_elements_have_values_of_their_own() {
    let of = |seed, place, index| value(&input(Data::Wide, seed), Kind::I64, place, index, 5);
    let all: BTreeSet<u64> = (0..10)
        .flat_map(|seed| (0..10).map(move |place| (seed, place)))
        .flat_map(|(seed, place)| (0..20).map(move |index| of(seed, place, index)))
        .collect();
    // An eighth are from 0 to 3, another from 0 to 4.
    assert!(all.len() > 1400, "{}", all.len());
    assert_eq!(of(3, 4, 5), of(3, 4, 5));
}

#[test]
fn sizes_are_integers_of_at_least_32_bits() {
    let text = "void f(int a, char b, short c, unsigned d, long e, float g, double h, unsigned long i, int *j) {}";
    let program = program(text);
    assert_eq!(size_params(&program.functions[0]), [0, 3, 4, 7]);
}

const TWO: &str = "void f(int n, unsigned m, int a[restrict n])\n{\nfor (int i = 0; i < n; i++) if (i > 32 || i + m < 100 || i > 3 || i == 700) a[i] = 1;\n}\n";

#[test]
fn planned_sizes() {
    let mut inputs = inputs(TWO, false);
    let mut sizes: Vec<Vec<i64>> = (0..400).map(|_| inputs.next().sizes).collect();
    assert!(
        sizes[..10].iter().flatten().all(|s| (1..=21).contains(s)),
        "{:?}",
        &sizes[..10]
    );
    let first: Vec<Vec<i64>> = vec![vec![3; 2], vec![5; 2], vec![1; 2], vec![2; 2], vec![8; 2]];
    assert_eq!(sizes[..5], first);
    let apart = sizes[5..10].iter().filter(|s| s[0] != s[1]).count();
    assert!(apart >= 3, "{apart}");
    for wanted in [
        [0, 0],
        [0, 4],
        [4, 0],
        [17, 4],
        [4, 17],
        [70, 4],
        [4, 70],
        [-1, 1],
        // Numbers that are others after a conversion.
        [-5, 4],
        [65539, 4],
        [4, 0xffff_fffa],
        [4, 0x8000_0001],
        // One beyond a number of the text, all of them.
        [33, 33],
    ] {
        assert!(sizes.contains(&wanted.to_vec()), "{wanted:?}");
    }
    assert!(!sizes.contains(&vec![101, 101]));
    // Numbers of the text and their neighbours, the other size small.
    for big in [32, 100] {
        for by in [-1, 0, 1, 2] {
            for p in 0..2 {
                let found = sizes
                    .iter()
                    .any(|s| s[p] == big + by && (2..7).contains(&s[1 - p]));
                assert!(found, "{} for the {p}th", big + by);
            }
        }
    }
    // Some at random, but not far away.
    sizes.retain(|s| s.iter().all(|s| (20..40).contains(s)));
    assert!(sizes.len() > 2, "{sizes:?}");
}

#[test]
fn sizes_of_each_type_that_change_when_they_are_converted() {
    for (ty, ends) in [
        ("int", vec![-5, 65539]),
        ("unsigned", vec![0xffff_fffa, 0x8000_0001]),
        (
            "long",
            vec![(1 << 32) + 2, (1 << 32) - 6, -5, 3 - (1 << 32)],
        ),
        ("unsigned long", vec![-6, (1 << 32) + 2, (1 << 32) - 6]),
    ] {
        let mut inputs = inputs(
            &format!("void f({ty} n, int a[restrict 9]) {{ a[0] = n; }}"),
            false,
        );
        let sizes: Vec<i64> = (0..150).map(|_| inputs.next().sizes[0]).collect();
        for end in ends {
            assert!(sizes.contains(&end), "{end} of {ty}");
        }
        assert_eq!(sizes.contains(&-1), !ty.starts_with("unsigned"), "{ty}");
    }
}

#[test]
fn numbers_of_the_text_that_are_no_sizes_are_not_tried() {
    let sizes = |number: i64| -> BTreeSet<i64> {
        let text = format!("void f(int n, int a[restrict n]) {{ if (n > {number}) a[0] = 1; }}");
        let mut inputs = inputs(&text, false);
        // The first, as later ones are larger and larger where nothing is defined.
        (0..60).map(|_| inputs.next().sizes[0]).collect()
    };
    for number in [600, 450] {
        assert!(sizes(number).contains(&(number + 1)), "{number}");
    }
    assert!(!sizes(601).contains(&602));
    assert!(!sizes(777).contains(&777));
    // 4 itself is there in any case; what is beside it comes only with it.
    assert!(sizes(4).contains(&6));
}

#[test]
fn larger_sizes_where_no_small_one_is_defined() {
    let mut inputs = inputs(TWO, false);
    let mut large = Vec::new();
    for turn in 1..=40 {
        let input = inputs.next();
        inputs.learn(&input, false, false);
        let all_large = input.sizes.iter().all(|s| (16..=420).contains(s));
        if turn > 10 && turn % 2 == 0 {
            assert!(all_large, "turn {turn}: {:?}", input.sizes);
            large.push(input.sizes);
        }
    }
    for rung in [16, 33, 66, 100, 132, 200, 258, 400] {
        let near = |s: &Vec<i64>| s.iter().all(|s| (rung..rung + 8).contains(s));
        assert!(large.iter().any(near), "{rung}: {large:?}");
    }
    assert!(large.iter().filter(|s| s[0] != s[1]).count() > 10);
}

/// Sizes after the planned ones, where one input reached something new.
fn variations(new: &[i64], turns: usize) -> Vec<Vec<i64>> {
    let mut inputs = inputs(TWO, false);
    let mut good = input(Data::Mixed, 1);
    good.sizes = new.to_vec();
    inputs.learn(&good, true, true);
    let all = (0..turns).map(|_| inputs.next().sizes);
    all.collect()
}

#[test]
fn what_reached_something_new_is_varied() {
    let sizes = variations(&[300, 41], 600);
    let wanted: [[i64; 2]; 15] = [
        [301, 41],
        [299, 41],
        [600, 41],
        [150, 41],
        [307, 41],
        [300, 42],
        [300, 40],
        [300, 82],
        [300, 20],
        [300, 48],
        [42, 41],
        [300, 301],
        [33, 41],
        [300, 99],
        [300, 102],
    ];
    for wanted in wanted {
        assert!(sizes.contains(&wanted.to_vec()), "{wanted:?}");
    }
    let at_random: BTreeSet<i64> = sizes
        .iter()
        .filter(|s| s[1] == 41 && s[0] < 24)
        .map(|s| s[0])
        .collect();
    assert!(at_random.len() > 8, "{at_random:?}");
    // Until the first are through, none is varied; then every other one is.
    let varied: Vec<bool> = sizes.iter().map(|s| s[0] == 300 || s[1] == 41).collect();
    assert!(!varied[..12].contains(&true));
    let count = varied[12..112].iter().filter(|v| **v).count();
    assert!((45..=55).contains(&count), "{count}");
}

#[test]
fn variations_stay_within_measure() {
    let sizes = variations(&[1999, 1990], 400);
    assert!(sizes.iter().any(|s| s[0] == 2000) && sizes.iter().any(|s| s[1] == 2000));
    assert!(sizes.iter().all(|s| s[0] <= 2000 || s[0] == 65539));
    let sizes = variations(&[-2, 0], 400);
    assert!(sizes.contains(&vec![-1, 0]));
    // A signed size may be negative, but not far; an unsigned one is not.
    assert!(sizes.iter().all(|s| s[0] >= -2 || s[0] == -5));
    assert!(sizes.iter().all(|s| s[1] >= 0));
    // Sizes out of all measure are not varied, nor are those that reached nothing new.
    for far in [[2001, 10], [-3, 10], [65539, 4]] {
        let sizes = variations(&far, 300);
        assert!(
            sizes.iter().all(|s| s[1] != far[1] + 1 || s[0] != far[0]),
            "{far:?}"
        );
    }
    let mut inputs = inputs(TWO, false);
    let mut good = input(Data::Mixed, 1);
    good.sizes = vec![50, 60];
    inputs.learn(&good, true, false);
    assert!((0..300).all(|_| !inputs.next().sizes.contains(&60)));
}

#[test]
fn the_latest_sizes_are_varied() {
    let mut inputs = inputs(TWO, false);
    for n in 0..20 {
        let mut good = input(Data::Mixed, 1);
        good.sizes = vec![1000 + 10 * n, 1500 + 10 * n];
        inputs.learn(&good, true, true);
        inputs.learn(&good, true, true);
    }
    let sizes: Vec<Vec<i64>> = (0..600).map(|_| inputs.next().sizes).collect();
    for n in 0..20 {
        let of = |s: &&Vec<i64>| (s[0] == 1000 + 10 * n) != (s[1] == 1500 + 10 * n);
        let count = sizes.iter().filter(of).count();
        assert_eq!(count > 10, n >= 14, "the {n}th: {count}");
    }
}

#[test]
fn data_of_the_file_comes_first() {
    let mut with = inputs(TWO, true);
    let first: Vec<Data> = (0..3).map(|_| with.next().data).collect();
    assert_eq!(first, [Data::Init; 3]);
    let mut without = inputs(TWO, false);
    let first: Vec<Data> = (0..3).map(|_| without.next().data).collect();
    assert_eq!(first, [Data::Mixed; 3]);
    let rest: Vec<Data> = (0..200).map(|_| without.next().data).collect();
    for data in [
        Data::Mixed,
        Data::Small,
        Data::Wide,
        Data::Sorted,
        Data::Zero,
        Data::Extreme,
        Data::One,
    ] {
        let count = rest.iter().filter(|d| **d == data).count();
        assert!((12..60).contains(&count), "{data:?}: {count}");
    }
    assert!(!rest.contains(&Data::Init) && !rest.contains(&Data::Around));
}

#[test]
fn data_on_which_the_original_is_undefined_becomes_rare() {
    let counts = |good: usize, bad: usize| {
        let mut inputs = inputs(TWO, false);
        let wide = input(Data::Wide, 1);
        (0..good).for_each(|_| inputs.learn(&wide, true, false));
        (0..bad).for_each(|_| inputs.learn(&wide, false, false));
        let all = (0..320).map(|_| inputs.next().data);
        all.filter(|data| *data == Data::Wide).count()
    };
    assert!(counts(0, 3) > 25);
    let rare = counts(0, 4);
    assert!((1..12).contains(&rare), "{rare}");
    assert!(counts(1, 4) > 25);
    assert!(counts(1, 5) < 12);
    assert!(counts(5, 20) > 25);
    // Where all are, some come nevertheless.
    let mut inputs = inputs(TWO, false);
    for _ in 0..9 {
        for data in [
            Data::Mixed,
            Data::Small,
            Data::Wide,
            Data::Sorted,
            Data::Zero,
            Data::Extreme,
            Data::One,
        ] {
            inputs.learn(&input(data, 1), false, false);
        }
    }
    let all: BTreeSet<u64> = (0..100).map(|_| inputs.next().data as u64).collect();
    assert!(all.len() > 4, "{all:?}");
}

#[test]
fn pointers_into_the_same_memory() {
    // `restrict` may be part of a type's name.
    let text = "typedef int *restrict alone;
void f(int n, int *a, int *b, float *c, int *restrict d, const int *e, int g, alone h) { a[0] = n; }";
    let mut inputs = inputs(text, false);
    let all: Vec<Input> = (1..=240).map(|_| inputs.next()).collect();
    let mut pairs = BTreeSet::new();
    let mut shifts = BTreeSet::new();
    for (at, input) in all.iter().enumerate() {
        assert_eq!(input.alias.is_some(), (at + 1) % 4 == 0, "input {}", at + 1);
        let Some((a, b, by)) = input.alias else {
            continue;
        };
        pairs.insert((a, b));
        shifts.insert(match by {
            -1..=1 | 3 => by,
            by if by == input.sizes[0] => 100,
            other => panic!("shifted by {other} where n is {}", input.sizes[0]),
        });
    }
    let wanted = [(1, 2), (1, 5), (2, 1), (2, 5), (5, 1), (5, 2)];
    assert_eq!(pairs, wanted.into_iter().collect());
    assert_eq!(shifts, [-1, 0, 1, 3, 100].into_iter().collect());
    let mut inputs = self::inputs(TWO, false);
    assert!((0..100).all(|_| inputs.next().alias.is_none()));
}

#[test]
fn all_planned_sizes_are_through() {
    let mut inputs = inputs(TWO, false);
    let mut through = None;
    for turn in 1..200 {
        let input = inputs.next();
        inputs.learn(&input, true, turn < 3);
        if inputs.is_through() {
            through.get_or_insert(turn);
        }
    }
    // Fifty at most, and every other one is varied after the first twelve.
    assert_eq!(through, Some(12 + 2 * 38));
    let mut none = self::inputs("int f(void) { return 3; }", false);
    assert_eq!(none.next().sizes, []);
    assert!(!none.is_through());
    (0..24).for_each(|_| drop(none.next()));
    assert!((0..60).all(|_| none.next().sizes.is_empty()));
}

#[test]
fn extreme_sizes() {
    for (size, is) in [(-101, true), (-100, false), (5000, false), (5001, true)] {
        let mut input = input(Data::Zero, 1);
        input.sizes = vec![3, size];
        assert_eq!(input.is_extreme(), is, "{size}");
    }
}
