//! Pipelines: stages read earlier stages at offsets, up- or down-sampled, under conditions.

use super::batch::{Argument, Program};
use proptest::prelude::*;
use std::fmt::Write as _;

const NAMES: [&str; 3] = ["i", "j", "k"];

#[derive(Clone, Debug)]
struct Tap {
    /// Which earlier array, modulo their number.
    source: usize,
    offsets: [i64; 3],
    weight: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sampling {
    Same,
    /// Half the size in every dimension.
    Down,
    /// Twice the size in every dimension.
    Up,
}

#[derive(Clone, Debug)]
enum Guard {
    Nothing,
    /// `if (i + j > c)`, the other cells in an else branch.
    Affine(i64),
    /// `if (value > 0.5)` on the first tap, after an unconditional write.
    Data,
    /// Conditional expression on data.
    Select,
    /// Even rows apart from odd ones.
    Parity,
    /// First and last cells of the first dimension by statements of their own.
    Borders,
}

#[derive(Clone, Debug)]
struct Stage {
    taps: Vec<Tap>,
    sampling: Sampling,
    guard: Guard,
    downwards: bool,
    live_out: bool,
}

fn tap() -> impl Strategy<Value = Tap> {
    (0usize..8, [-2i64..3, -2i64..3, -2i64..3], 1u8..6).prop_map(|(source, offsets, weight)| Tap {
        source,
        offsets,
        weight,
    })
}

fn stage() -> impl Strategy<Value = Stage> {
    let sampling =
        prop_oneof![6 => Just(Sampling::Same), 1 => Just(Sampling::Down), 1 => Just(Sampling::Up)];
    let guard = prop_oneof![
        6 => Just(Guard::Nothing),
        1 => (0i64..20).prop_map(Guard::Affine),
        1 => Just(Guard::Data),
        1 => Just(Guard::Select),
        1 => Just(Guard::Parity),
        1 => Just(Guard::Borders),
    ];
    let live = prop_oneof![5 => Just(false), 1 => Just(true)];
    (
        proptest::collection::vec(tap(), 1..5),
        sampling,
        guard,
        any::<bool>(),
        live,
    )
        .prop_map(|(taps, sampling, guard, downwards, live_out)| Stage {
            taps,
            sampling,
            guard,
            downwards,
            live_out,
        })
}

pub fn program() -> BoxedStrategy<Program> {
    let float = prop_oneof![3 => Just("float"), 1 => Just("double"), 1 => Just("int")];
    (
        1usize..4,
        proptest::collection::vec(stage(), 1..7),
        [4i64..40, 4i64..40, 4i64..14],
        float,
    )
        .prop_map(|(rank, stages, sizes, element)| render(rank, &stages, sizes, element))
        .boxed()
}

/// An array that stages may read.
struct Produced {
    name: String,
    /// Extents are `n << 1 >> level` (level 1: the given size).
    level: u32,
    /// Cells from either end of every dimension that are not computed.
    margin: i64,
}

fn extent(d: usize, level: u32) -> String {
    match level {
        0 => format!("2 * n{d}"),
        1 => format!("n{d}"),
        _ => format!("n{d} / {}", 1 << (level - 1)),
    }
}

fn dimensions(rank: usize, level: u32) -> String {
    (0..rank)
        .map(|d| format!("[{}]", extent(d, level)))
        .collect()
}

fn render(rank: usize, stages: &[Stage], sizes: [i64; 3], element: &'static str) -> Program {
    let sizes = if rank == 3 {
        sizes.map(|s| s.min(14))
    } else {
        sizes
    };
    let mut arrays = vec![Produced {
        name: "in".to_owned(),
        level: 1,
        margin: 0,
    }];
    let mut parameters: Vec<String> = (0..rank).map(|d| format!("int n{d}")).collect();
    let mut arguments: Vec<Argument> = (0..rank).map(|d| Argument::Int(sizes[d])).collect();
    let count = |level: u32| {
        (0..rank)
            .map(|d| ((2 * sizes[d]) >> level) as usize)
            .product::<usize>()
            .max(1)
    };
    parameters.push(format!(
        "const {element} in[restrict {}",
        &dimensions(rank, 1)[1..]
    ));
    arguments.push(Argument::Array(element, count(1)));
    let (mut locals, mut frees, mut body) = (String::new(), String::new(), String::new());
    for (number, stage) in stages.iter().enumerate() {
        let first = &arrays[stage.taps[0].source % arrays.len()];
        let level = match stage.sampling {
            Sampling::Down if first.level < 3 => first.level + 1,
            Sampling::Up if first.level > 0 => first.level - 1,
            _ => first.level,
        };
        let mut margin = 0;
        let mut reads = Vec::new();
        for tap in &stage.taps {
            let source = &arrays[tap.source % arrays.len()];
            if source.level.abs_diff(level) > 1 {
                continue;
            }
            let reach = tap.offsets[..rank]
                .iter()
                .map(|o| o.abs())
                .max()
                .unwrap_or(0);
            margin = margin.max(match level.cmp(&source.level) {
                std::cmp::Ordering::Equal => source.margin + reach,
                std::cmp::Ordering::Greater => source.margin / 2 + reach + 1,
                std::cmp::Ordering::Less => 2 * (source.margin + reach) + 1,
            });
            let subscripts: String = (0..rank)
                .map(|d| {
                    let index = match level.cmp(&source.level) {
                        std::cmp::Ordering::Equal => NAMES[d].to_owned(),
                        std::cmp::Ordering::Greater => format!("2 * {}", NAMES[d]),
                        std::cmp::Ordering::Less => format!("{} / 2", NAMES[d]),
                    };
                    format!("[{index} + {}]", tap.offsets[d]).replace("+ -", "- ")
                })
                .collect();
            reads.push((format!("{}{subscripts}", source.name), tap.weight));
        }
        let name = format!("s{number}");
        let last = number + 1 == stages.len();
        let dims = dimensions(rank, level);
        if stage.live_out || last {
            parameters.push(format!("{element} {name}[restrict {}", &dims[1..]));
            arguments.push(Argument::Array(element, count(level)));
        } else {
            let inner = dimensions(rank, level);
            let inner = &inner[inner.find(']').map_or(0, |p| p + 1)..];
            let pointer = format!("(*restrict {name}){inner}");
            let _ = writeln!(
                locals,
                "  {element} {pointer} = malloc(sizeof({element}{dims}));"
            );
            let _ = writeln!(frees, "  free({name});");
        }
        body.push_str(&stage_loops(
            rank, stage, &name, level, margin, &reads, element,
        ));
        arrays.push(Produced {
            name,
            level,
            margin,
        });
    }
    let text = format!(
        "void kernel({})\n{{\n{locals}#pragma scop\n{body}#pragma endscop\n{frees}}}\n",
        parameters.join(", ")
    );
    Program { text, arguments }
}

fn stage_loops(
    rank: usize,
    stage: &Stage,
    name: &str,
    level: u32,
    margin: i64,
    reads: &[(String, u8)],
    element: &str,
) -> String {
    let target: String = (0..rank).map(|d| format!("[{}]", NAMES[d])).collect();
    let target = format!("{name}{target}");
    let value = match element {
        "int" => {
            let terms: Vec<String> = reads.iter().map(|(r, w)| format!("{r} * {w}")).collect();
            format!("({}) % 1009", terms.join(" + "))
        }
        _ => {
            let suffix = if element == "float" { "f" } else { "" };
            let terms: Vec<String> = reads
                .iter()
                .map(|(r, w)| format!("0.{w}{suffix} * {r}"))
                .collect();
            terms.join(" + ")
        }
    };
    let half = if element == "int" { "50" } else { "0.5" };
    let first = &reads[0].0;
    let inner = match &stage.guard {
        Guard::Nothing | Guard::Borders => format!("{target} = {value};"),
        Guard::Affine(c) => {
            let sum = NAMES[..rank].join(" + ");
            format!("if ({sum} > {c}) {target} = {value}; else {target} = {first};")
        }
        Guard::Data => {
            format!("{{ {target} = {value}; if ({first} > {half}) {target} = {first}; }}")
        }
        Guard::Select => format!("{target} = {first} > {half} ? {value} : {first};"),
        Guard::Parity => {
            format!("if (i % 2 == 0) {target} = {value}; else {target} = {first};")
        }
    };
    let mut text = String::new();
    for (d, v) in NAMES.iter().enumerate().take(rank) {
        let high = format!("{} - {margin}", extent(d, level));
        let border = if d == 0 && matches!(stage.guard, Guard::Borders) {
            1
        } else {
            0
        };
        let indent = "  ".repeat(d + 1);
        if stage.downwards && d == 0 {
            let _ = writeln!(
                text,
                "{indent}for (int {v} = {high} - 1 - {border}; {v} >= {}; {v}--)",
                margin + border
            );
        } else {
            let _ = writeln!(
                text,
                "{indent}for (int {v} = {}; {v} < {high} - {border}; {v}++)",
                margin + border
            );
        }
    }
    let _ = writeln!(text, "{}{inner}", "  ".repeat(rank + 1));
    if matches!(stage.guard, Guard::Borders) {
        let high = format!("{} - {margin}", extent(0, level));
        for row in [margin.to_string(), format!("({high} - 1)")] {
            let _ = writeln!(text, "  if ({high} > {margin} + 2) {{");
            for (d, v) in NAMES.iter().enumerate().take(rank).skip(1) {
                let _ = writeln!(
                    text,
                    "{}for (int {v} = {margin}; {v} < {} - {margin}; {v}++)",
                    "  ".repeat(d + 1),
                    extent(d, level)
                );
            }
            let at = |t: &str| {
                t.replace("[i]", &format!("[{row}]"))
                    .replace("[i ", &format!("[{row} "))
                    .replace("2 * i ", &format!("2 * ({row}) "))
                    .replace("i / 2 ", &format!("({row}) / 2 "))
            };
            let _ = writeln!(
                text,
                "{}{} = {};\n  }}",
                "  ".repeat(rank + 1),
                at(&target),
                at(first)
            );
        }
        // Cells that no statement writes must not be read: fill what a short range leaves open.
        let _ = writeln!(text, "  if ({high} <= {margin} + 2) {{");
        for (d, v) in NAMES.iter().enumerate().take(rank) {
            let _ = writeln!(
                text,
                "{}for (int {v} = {margin}; {v} < {} - {margin}; {v}++)",
                "  ".repeat(d + 1),
                extent(d, level)
            );
        }
        let _ = writeln!(text, "{}{target} = {first};\n  }}", "  ".repeat(rank + 1));
    }
    text
}
