//! Tile sizes chosen for programs of some hundred in each dimension, against what generated programs
//! count: each is run for many sizes, and its result compared every time.

use super::code::{Case, Text, compiled_for, program, text};
use super::kernels::kernel;
use crate::reuse::Overlap;
use crate::reuse::code::Target;
use crate::reuse::traffic::Traffic;
use std::fmt::Write;

/// A program, the bytes of its local memory, and how far apart sizes are that are tried.
struct Choice {
    name: &'static str,
    values: &'static [(&'static str, i64)],
    limit: i64,
    step: usize,
}

/// Ratio of what the chosen sizes move to the least of all that were tried; also a row for the
/// results page.
fn ratio(choice: &Choice) -> (f64, String) {
    let case = Case {
        name: choice.name,
        strip: 1,
        pieces: false,
        values: choice.values,
        sizes: &[],
    };
    let kernel = kernel(choice.name);
    let Text {
        found,
        memory,
        text,
    } = text(
        &case,
        Overlap::Sequential,
        &Target::C,
        &vec![1; kernel.band.1],
    );
    let (scop, tiling) = (&found.region.scop, &found.tiling);
    let traffic = Traffic::of(scop, tiling, &found.transfers).unwrap();
    let values: Vec<(String, i64)> = choice
        .values
        .iter()
        .map(|(n, v)| ((*n).to_owned(), *v))
        .collect();
    scop.ctx.reset_operations();
    let picked = traffic
        .least(scop, tiling, &memory, &values, choice.limit)
        .unwrap()
        .unwrap();
    // Sizes within the strip do not matter for traffic: the smallest leaves most memory.
    let cut = tiling.first_in_strip();
    let most = choice.values.iter().map(|v| v.1).max().unwrap();
    let mut tried = vec![Vec::new()];
    for k in 0..tiling.sizes.len() {
        let own: Vec<i64> = if k < cut {
            (1..=most).step_by(choice.step).collect()
        } else {
            vec![1]
        };
        tried = tried
            .into_iter()
            .flat_map(|before: Vec<i64>| own.iter().map(move |s| [&before[..], &[*s]].concat()))
            .collect();
    }
    tried.retain(|sizes| {
        let sizes = tiling.sizes.iter().cloned().zip(sizes.iter().copied());
        let all: Vec<(String, i64)> = values.iter().cloned().chain(sizes).collect();
        scop.ctx.reset_operations();
        traffic.bytes(scop, &memory, &all).unwrap() <= choice.limit
    });
    tried.insert(0, picked.sizes.clone());
    let mut c = "static long loads, stores;
#define TILEWRIGHT_LOAD(outside, inside) (loads++)
#define TILEWRIGHT_STORE(outside, inside) (stores++)
static void fail(const char *text) { printf(\"%s\\n\", text); exit(1); }
"
    .to_owned();
    for name in &tiling.sizes {
        let _ = writeln!(
            c,
            "static long tile_{name};\n#define TILE_{name} tile_{name}"
        );
    }
    let set: Vec<String> = tried
        .iter()
        .map(|sizes| {
            let each = tiling.sizes.iter().zip(sizes);
            each.map(|(name, size)| format!("tile_{name} = {size}; "))
                .collect()
        })
        .collect();
    c += &program(kernel, &text, choice.values, &set);
    let printed = compiled_for(&c, &["-O0"], 1, choice.name);
    let moved: Vec<i64> = printed
        .lines()
        .map(|line| line.split(' ').map(|n| n.parse::<i64>().unwrap()).sum())
        .collect();
    assert_eq!(moved.len(), tried.len());
    assert_eq!(
        moved[0],
        picked.moved.loads + picked.moved.stores,
        "as predicted"
    );
    let least = moved[1..].iter().min().unwrap();
    let share = moved[0] as f64 / *least as f64;
    let row = format!(
        "| {} | {:?} | {} | {:?} | {} | {} | {} | {share:.3} |",
        choice.name,
        choice.values,
        choice.limit,
        picked.sizes,
        moved[0],
        tried.len() - 1,
        least
    );
    (share, row)
}

fn check(choices: &[Choice]) {
    for choice in choices {
        let (share, row) = ratio(choice);
        println!("{row}");
        assert!(share <= 1.05, "{row}");
    }
}

#[test]
fn chosen_sizes_move_little_more_than_programs_count() {
    check(&[Choice {
        name: "trisolv",
        values: &[("n", 120)],
        limit: 4 << 10,
        step: 8,
    }]);
}

#[test]
#[ignore = "minutes: runs hundreds of tilings"]
fn chosen_sizes_of_large_programs_move_little_more_than_programs_count() {
    check(&[
        Choice {
            name: "jacobi-1d-imper",
            values: &[("M", 200), ("N", 1500)],
            limit: 4 << 10,
            step: 5,
        },
        Choice {
            name: "gemm",
            values: &[("ni", 96), ("nj", 128), ("nk", 112)],
            limit: 16 << 10,
            step: 8,
        },
        Choice {
            name: "syrk",
            values: &[("ni", 128), ("nj", 96)],
            limit: 16 << 10,
            step: 8,
        },
        Choice {
            name: "atax",
            values: &[("nx", 300), ("ny", 250)],
            limit: 32 << 10,
            step: 3,
        },
        Choice {
            name: "mvt",
            values: &[("n", 400)],
            limit: 8 << 10,
            step: 3,
        },
        Choice {
            name: "trisolv",
            values: &[("n", 400)],
            limit: 8 << 10,
            step: 3,
        },
    ]);
}
