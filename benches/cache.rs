//! Hits and misses of caches by tile size: `cargo bench --bench cache -- --help`.
//!
//! Tables 6 and 7 of Jangda & Bondhugula, TOPLAS 2020: unsharp mask and Harris with the paper's
//! tile sizes, in one level and in two. The paper counts events of a processor; here Valgrind's
//! Cachegrind simulates the two caches of the paper's Xeon: a first data cache, and a second one
//! as its last level, both with the least recently used line replaced, neither with prefetching.
//! Only what the pipeline's function does itself is counted, and only loads, as the paper's events
//! do (MEM_LOAD_UOPS_RETIRED).

#[path = "setting.rs"]
mod setting;

use clap::Parser;
use setting::{Failure, check_names, ended, is_wanted, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tilewright::compile::{Options, Target, compile};
use tilewright::diagnostic::Diagnostic;
use tilewright::plan::Group;
use tilewright::plan::machine::Machine;
use tilewright::planner::{Inline, InnerTile};
use tilewright::source::Source;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::{Toolchain, split};

/// Loads that hit and miss two simulated caches, by tile size.
#[derive(Debug, Parser)]
#[command(name = "cache")]
struct Arguments {
    /// harris, unsharp_mask [default: both]
    pipelines: Vec<String>,
    /// Rows of the picture
    #[arg(long, default_value_t = 2832)]
    rows: i64,
    /// Columns of the picture
    #[arg(long, default_value_t = 4256)]
    columns: i64,
    /// C compiler
    #[arg(long, default_value = "gcc")]
    cc: String,
    /// Its flags; Valgrind knows no AVX-512
    #[arg(
        long,
        default_value = "-O3 -march=haswell -ffp-contract=off",
        allow_hyphen_values = true
    )]
    cflags: String,
    /// Bytes, ways and bytes per line of the first data cache
    #[arg(long, default_value = "32768,8,64")]
    first: String,
    /// Those of the second cache
    #[arg(long, default_value = "262144,8,64")]
    second: String,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

/// A pipeline with the tile sizes of one of the paper's tables.
struct Pipeline {
    name: &'static str,
    table: u32,
    /// Its prototype.
    prototype: &'static str,
    /// Elements of the input and of the result, in C.
    elements: [&'static str; 2],
    /// The call, for the arrays `in` and `out`.
    call: &'static str,
    /// What the paper's inlining leaves out.
    inline: &'static [&'static str],
    tiles: &'static [Tiles],
}

/// Tile sizes, outermost first, and the rows of tiles inside.
struct Tiles {
    sizes: &'static [i64],
    inner: Option<i64>,
    /// First cache hit, second cache hit, second cache missed, in per cent of the loads.
    paper: [f64; 3],
}

const PIPELINES: [Pipeline; 2] = [
    Pipeline {
        name: "unsharp_mask",
        table: 6,
        prototype: "void unsharp_mask(int R, int C, float threshold, float weight, \
                    float mask[restrict 3][R][C], const float img[restrict 3][R + 4][C + 4])",
        elements: ["3 * (R + 4) * (C + 4)", "3 * R * C"],
        call: "unsharp_mask(R, C, 0.01f, 3, (void *)out, (void *)in)",
        inline: &["sharpen", "blury"],
        tiles: &[
            tiles(&[0, 128, 256], None, [83.43, 5.04, 11.52]),
            tiles(&[0, 16, 256], None, [82.05, 12.36, 5.59]),
            tiles(&[0, 8, 416], None, [83.34, 11.2, 5.46]),
            tiles(&[0, 5, 256], None, [95.55, 1.50, 2.85]),
        ],
    },
    Pipeline {
        name: "harris",
        table: 7,
        prototype: "void harris(int R, int C, float harris[restrict R + 2][C + 2], \
                    const float img[restrict R + 2][C + 2])",
        elements: ["(R + 2) * (C + 2)", "(R + 2) * (C + 2)"],
        call: "harris(R, C, (void *)out, (void *)in)",
        inline: &["Ixx", "Ixy", "Iyy", "det", "trace"],
        tiles: &[
            tiles(&[42, 256], None, [88.08, 8.10, 3.82]),
            tiles(&[32, 256], None, [85.45, 10.84, 3.70]),
            tiles(&[42, 256], Some(5), [96.85, 1.53, 1.61]),
        ],
    },
];

const fn tiles(sizes: &'static [i64], inner: Option<i64>, paper: [f64; 3]) -> Tiles {
    Tiles {
        sizes,
        inner,
        paper,
    }
}

/// How a pipeline is compiled.
#[derive(Clone, Copy)]
enum Program<'t> {
    /// Every stage with loops and a whole scratchpad of its own, none inlined.
    Stored(&'t Tiles),
    /// The same behind the paper's inlining.
    Inlined(&'t Tiles),
    /// The same tiles with our shared loops and folded scratchpads.
    Ours(&'t Tiles),
    /// The planner's choice.
    Default,
    /// The loops as they were written.
    Original,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let names = PIPELINES.each_ref().map(|pipeline| pipeline.name);
    check_names("pipeline", &names, &arguments.pipelines)?;
    let chosen = |pipeline: &&Pipeline| is_wanted(&arguments.pipelines, pipeline.name);
    for pipeline in PIPELINES.iter().filter(chosen) {
        println!(
            "{}, {} x {}, beside table {}\n",
            pipeline.name, arguments.columns, arguments.rows, pipeline.table
        );
        println!(
            "| tile | program | loads, millions | L1 hit, % | L2 hit, % | L2 miss, % | L1 misses, millions | L2 misses | paper: L1 hit | L2 hit | L2 miss |"
        );
        println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        let each = pipeline.tiles.iter();
        let programs = each.flat_map(|tiles| {
            [
                Program::Stored(tiles),
                Program::Inlined(tiles),
                Program::Ours(tiles),
            ]
        });
        let mut before = String::new();
        for program in programs.chain([Program::Default, Program::Original]) {
            let (text, tiles) = generated(arguments, pipeline, program)?;
            // Where there are no more loops to share, it is the same program.
            if text != before {
                println!("{}", row(arguments, pipeline, program, &text, &tiles)?);
            }
            before = text;
        }
        println!();
    }
    Ok(())
}

fn row(
    arguments: &Arguments,
    pipeline: &Pipeline,
    program: Program<'_>,
    text: &str,
    sizes: &str,
) -> Result<String, Failure> {
    let (name, tiles) = match program {
        Program::Stored(tiles) => ("all stages stored", Some(tiles)),
        Program::Inlined(tiles) => ("point-wise ones inlined", Some(tiles)),
        Program::Ours(tiles) => ("and loops shared", Some(tiles)),
        Program::Default => ("planner's choice", None),
        Program::Original => ("original", None),
    };
    let directory = tempfile::tempdir()?;
    let loads = simulated(arguments, pipeline, text, directory.path())?;
    let share = |part: u64| 100.0 * part as f64 / loads.all.max(1) as f64;
    let millions = |count: u64| count as f64 / 1e6;
    let paper = match tiles {
        Some(Tiles { paper, .. }) => paper.map(|share| format!("{share:.2}")),
        None => [String::new(), String::new(), String::new()],
    };
    Ok(format!(
        "| {sizes} | {name} | {:.1} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} |",
        millions(loads.all),
        share(loads.all - loads.first_missed),
        share(loads.first_missed - loads.second_missed),
        share(loads.second_missed),
        millions(loads.first_missed),
        millions(loads.second_missed),
        paper.join(" | "),
    ))
}

/// The C text of a program, and its tiles.
fn generated(
    arguments: &Arguments,
    pipeline: &Pipeline,
    program: Program<'_>,
) -> Result<(String, String), Failure> {
    let folder = root().join("examples/pipelines");
    let path = folder.join(format!("{}.c", pipeline.name));
    if let Program::Original = program {
        return Ok((fs::read_to_string(path)?, "none".to_owned()));
    }
    let source: Source = preprocess(&path, &Toolchain::default()).map_err(|e| message(&e))?;
    let mut options = Options {
        target: Target::C,
        ..Options::default()
    };
    let wishes = &mut options.wishes;
    wishes.machine = Machine {
        cache_l1: bytes(&arguments.first)?,
        cache_l2: bytes(&arguments.second)?,
        cores: 1,
        ..Machine::default()
    };
    let sizes = [("R", arguments.rows), ("C", arguments.columns)];
    wishes.estimates = sizes.map(|(name, size)| (name.to_owned(), size)).into();
    let apart = matches!(program, Program::Stored(_) | Program::Inlined(_));
    wishes.pipelines.share_loops = !apart;
    if let Program::Stored(tiles) | Program::Inlined(tiles) | Program::Ours(tiles) = program {
        wishes.tile_sizes = Some(tiles.sizes.to_vec());
        wishes.pipelines.inner_tile = tiles.inner.map_or(InnerTile::None, InnerTile::Rows);
        let names = pipeline.inline.iter().map(|name| (*name).to_owned());
        wishes.pipelines.inline = match program {
            Program::Stored(_) => Inline::None,
            _ => Inline::Stages(names.collect()),
        };
    }
    let failed = |errors: Vec<Diagnostic>| errors.first().map_or_else(String::new, message);
    let mut compiled = compile(&source, &options, None, &mut |_| {}).map_err(failed)?;
    if apart {
        let mut plan = compiled.plan;
        let groups = plan.regions.iter_mut();
        let groups = groups.flat_map(|region| &mut region.groups);
        for tiles in groups.filter_map(Group::overlapped_mut) {
            tiles.folded.clear();
            tiles.share.clear();
        }
        compiled = compile(&source, &options, Some(&plan), &mut |_| {}).map_err(failed)?;
    }
    let region = compiled.plan.regions.first().ok_or("no region")?;
    let group = region.groups.last().ok_or("no group")?;
    let size = |(dimension, size): (usize, &i64)| {
        let mut inner = group.overlapped().into_iter().flat_map(|of| &of.interleave);
        let inner = inner.find(|along| along.dimension == dimension);
        match (size, inner) {
            (0, _) => "whole".to_owned(),
            (size, Some(along)) => format!("{size} × {}", along.block),
            (size, None) => size.to_string(),
        }
    };
    let sizes: Vec<String> = group.tile_sizes().iter().enumerate().map(size).collect();
    Ok((compiled.text, sizes.join(" × ")))
}

fn message(diagnostic: &Diagnostic) -> String {
    diagnostic.message.clone()
}

fn bytes(cache: &str) -> Result<i64, Failure> {
    Ok(cache.split(',').next().unwrap_or_default().parse()?)
}

/// Loads of one function.
#[derive(Default)]
struct Loads {
    all: u64,
    first_missed: u64,
    second_missed: u64,
}

/// Builds the program with a caller and runs it once under Cachegrind.
fn simulated(
    arguments: &Arguments,
    pipeline: &Pipeline,
    text: &str,
    directory: &Path,
) -> Result<Loads, Failure> {
    let at = |name: &str| -> PathBuf { directory.join(name) };
    fs::write(at("pipeline.c"), text)?;
    fs::write(at("main.c"), caller(arguments, pipeline))?;
    let mut build = Command::new(&arguments.cc);
    build.args(split(&arguments.cflags)).arg("-w");
    build.args([at("pipeline.c"), at("main.c")]);
    build.arg("-o").arg(at("program")).arg("-lm");
    done(&mut build)?;
    let mut run = Command::new("valgrind");
    run.args(["--tool=cachegrind", "--cache-sim=yes", "--I1=32768,8,64"]);
    run.arg(format!("--D1={}", arguments.first));
    run.arg(format!("--LL={}", arguments.second));
    run.arg(format!("--cachegrind-out-file={}", at("out").display()));
    done(run.arg(at("program")))?;
    counted(&fs::read_to_string(at("out"))?, pipeline.name)
}

fn caller(arguments: &Arguments, pipeline: &Pipeline) -> String {
    let [input, output] = pipeline.elements;
    format!(
        "#include <stdlib.h>\n\
         {};\n\
         int main(void)\n{{\n\
         \x20   const int R = {}, C = {};\n\
         \x20   const size_t ins = (size_t){input}, outs = (size_t){output};\n\
         \x20   float *in = malloc(ins * sizeof(float)), *out = calloc(outs, sizeof(float));\n\
         \x20   if (!in || !out)\n        return 1;\n\
         \x20   for (size_t k = 0; k < ins; k++)\n        in[k] = (float)(k * 2654435761u % 1024) / 1024;\n\
         \x20   {};\n\
         \x20   return 0;\n}}\n",
        pipeline.prototype, arguments.rows, arguments.columns, pipeline.call
    )
}

fn done(command: &mut Command) -> Result<(), Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)).into())
    }
}

/// What Cachegrind counted in a function, and in parts of it that the compiler split off.
fn counted(text: &str, function: &str) -> Result<Loads, Failure> {
    let mut loads = Loads::default();
    let mut columns: Vec<&str> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(events) = line.strip_prefix("events: ") {
            columns = events.split(' ').collect();
        } else if let Some(name) = line.strip_prefix("fn=") {
            inside = name == function || name.starts_with(&format!("{function}."));
        } else if inside && line.starts_with(|c: char| c.is_ascii_digit()) {
            let numbers: Result<Vec<u64>, _> = line.split(' ').skip(1).map(str::parse).collect();
            for (column, number) in columns.iter().zip(numbers?) {
                match *column {
                    "Dr" => loads.all += number,
                    "D1mr" => loads.first_missed += number,
                    "DLmr" => loads.second_missed += number,
                    _ => {}
                }
            }
        }
    }
    match loads.all {
        0 => Err(format!("Cachegrind counted nothing in `{function}`").into()),
        _ => Ok(loads),
    }
}
