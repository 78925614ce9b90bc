//! Products of sparse matrices and vectors beside peers: `cargo bench --bench spmv -- --help`.
//!
//! Ten matrices in the shapes of Table 6.1 (Zhao, thesis 2018), or files in the Matrix Market
//! format; `examples/dynamic/spmv-csr.c` and `spmv-ell.c` as they stand, what tilewright makes of
//! them, and any number of peers with the same C signature, by turns in one process on the same
//! memory. tilewright's results are compared bit by bit before. `benches/spmv_peer.py` makes peers
//! of SciPy and MKL.

#[path = "experiments.rs"]
mod experiments;
mod matrices;
#[path = "spmv_packing.rs"]
mod packing;
#[path = "peer_argument.rs"]
mod peer_argument;
#[path = "setting.rs"]
mod setting;
#[path = "timing.rs"]
mod timing;

use clap::Parser;
use experiments::{Example, interface, options};
use matrices::{Matrix, TABLE};
use peer_argument::peers;
use serde_json::{Value, json};
use setting::{Failure, check_names, ended, is_wanted, lines, root};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tilewright::compile::compile;
use tilewright::diagnostic::Diagnostic;
use tilewright::planner::Format;
use tilewright::scop::ScalarKind;
use tilewright_driver::data::fill::Fill;
use tilewright_driver::data::{Shape, npy};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::measure::contest::{Contest, Peer};
use tilewright_driver::measure::experiment::{Built, Experiment, Values};
use tilewright_driver::measure::job::{Standing, Turns};
use tilewright_driver::measure::statistics::Times;
use timing::Timing;

/// Places in ELLPACK form for an entry of the matrix up to which the form is tried.
const MOST_PLACES: usize = 3;

/// Products of sparse matrices and vectors: originals, tilewright's results, and peers, by turns.
#[derive(Debug, Parser)]
#[command(name = "spmv")]
struct Arguments {
    /// Matrices of Table 6.1 to make up [default: all]
    matrices: Vec<String>,
    /// A file in the Matrix Market format, may be repeated
    #[arg(long = "matrix", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A peer: a shared library and the function in it, which has the C signature of the
    /// example's
    #[arg(long = "peer", value_name = "csr|ell=LIBRARY[:SYMBOL[:LABEL]]")]
    peers: Vec<String>,
    /// Forms of matrices
    #[arg(long, value_name = "csr,ell", value_delimiter = ',', default_values_t = ["csr", "ell"].map(str::to_owned))]
    formats: Vec<String>,
    /// Portions of rows, as the option of `tilewright compile`
    #[arg(long, value_name = "N")]
    portions: Option<i64>,
    /// What it takes to pack compressed rows in ELLPACK form, and after how many products that
    /// pays, in place of the tables of forms
    #[arg(long)]
    packing: bool,
    #[command(flatten)]
    timing: Timing,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let peers = peers(&arguments.peers, |format| format!("spmv_{format}"))?;
    let formats = peers.keys().chain(&arguments.formats);
    check_names("form", &["csr", "ell"], formats)?;
    let matrices = matrices(arguments)?;
    let timing = &arguments.timing;
    let json = timing.building.json;
    if !json {
        timing.print_head();
        println!("{} timed runs each, times in ms", timing.runs);
    }
    let mut results = if arguments.packing {
        packing::run(arguments, &matrices)?
    } else {
        Vec::new()
    };
    let formats = arguments.formats.iter().filter(|_| !arguments.packing);
    for format in formats {
        let peers = peers.get(format).cloned().unwrap_or_default();
        for &threads in &timing.threads {
            let mut rows = Vec::new();
            for (name, matrix) in &matrices {
                let places = matrix.rows() * matrix.longest();
                if format == "ell" && places > MOST_PLACES * matrix.val.len() {
                    eprintln!("{name}: ELLPACK form would have {places} places");
                    continue;
                }
                eprintln!("{name}, {format}, {threads} threads");
                let contest = Product {
                    format,
                    matrix,
                    threads,
                    arguments,
                };
                let standings = contest.run(peers.clone());
                let standings = standings.map_err(|all| format!("{name}: {}", lines(&all)))?;
                rows.push((name.as_str(), matrix, standings));
            }
            if json {
                results.push(
                    json!({ "format": format, "threads": threads, "matrices": to_json(&rows) }),
                );
            } else {
                println!("\n{format}, {threads} threads\n");
                print(&rows);
            }
        }
    }
    if json {
        timing.print_json(&results);
    }
    Ok(())
}

/// The matrices that were asked for, by name.
fn matrices(arguments: &Arguments) -> Result<Vec<(String, Matrix)>, Failure> {
    let wanted = &arguments.matrices;
    check_names("matrix", &TABLE.map(|recipe| recipe.name), wanted)?;
    let mut found = Vec::new();
    for recipe in &TABLE {
        let others = wanted.is_empty() && !arguments.files.is_empty();
        if is_wanted(wanted, recipe.name) && !others {
            found.push((recipe.name.to_owned(), Matrix::made_up(recipe)));
        }
    }
    for file in &arguments.files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        found.push((name.into_owned(), Matrix::read(file)?));
    }
    Ok(found)
}

/// One matrix in one form, with a number of threads.
struct Product<'a> {
    format: &'a str,
    matrix: &'a Matrix,
    threads: usize,
    arguments: &'a Arguments,
}

/// What computes it.
struct Program {
    /// Below the repository's root.
    file: &'static str,
    function: &'static str,
    /// Scalars beside those of the matrix.
    scalars: Vec<(&'static str, usize)>,
    /// What tilewright makes of the matrix.
    becomes: Format,
}

type Failures = Vec<Diagnostic>;

/// What is done with a program that was built.
type Use<'c, T> = dyn FnMut(&Experiment<'_>, &Built) -> Result<T, Failures> + 'c;

impl Product<'_> {
    /// Compiles, builds, compares and times.
    fn run(&self, peers: Vec<Peer>) -> Result<Vec<Standing>, Failures> {
        let (file, function) = match self.format {
            "ell" => ("examples/dynamic/spmv-ell.c", "spmv_ell"),
            _ => ("examples/dynamic/spmv-csr.c", "spmv_csr"),
        };
        let program = Program {
            file,
            function,
            scalars: vec![("shape", 0)],
            becomes: Format::Given,
        };
        let timing = &self.arguments.timing;
        self.built(&program, &mut |experiment, built| {
            let contest = Contest {
                builds: vec![(timing.cc.clone(), experiment, built)],
                originals: true,
                peers: peers.clone(),
                turns: Turns::of_one_call(timing.runs),
            };
            contest.run(&mut |_| {}).map_err(one)
        })
    }

    /// Compiles and builds a program, compares its results, and does something with it.
    fn built<T>(&self, program: &Program, then: &mut Use<'_, T>) -> Result<T, Failures> {
        let timing = &self.arguments.timing;
        let toolchain = timing.toolchain();
        let file = root().join(program.file);
        let source = preprocess(&file, &toolchain).map_err(one)?;
        // Whatever the sizes of the matrix.
        let mut options = options(self.threads, &Values::new());
        options.wishes.data.format = program.becomes;
        if let Some(portions) = self.arguments.portions {
            options.wishes.processor.portions = portions;
        }
        let compiled = compile(&source, &options, None, &mut |_| {})?;
        // The example's own data would come in place of the matrix.
        let mut interface = interface(&compiled, program.function)?.clone();
        interface.init = None;
        let io = |error: std::io::Error| {
            let code = tilewright::diagnostic::Code::UnwritableOutput;
            vec![Diagnostic::error(code, error.to_string())]
        };
        let folder = tempfile::tempdir().map_err(io)?;
        let data = self.data(folder.path(), &program.scalars);
        let (values, inputs) = data.map_err(io)?;
        let example = Example {
            file: &file,
            source: &source,
            interface: &interface,
            values: &values,
            runs: timing.runs,
        };
        let runner = timing.building.runner(self.threads);
        let mut experiment = example.experiment(&compiled.text, &toolchain, runner);
        experiment.arguments.fill = Fill::Random;
        experiment.arguments.inputs = inputs;
        let built = experiment.build().map_err(one)?;
        let comparison = experiment.check(&built, &mut |_| {}).map_err(one)?;
        if !comparison.identical() {
            return Err(vec![comparison.difference()]);
        }
        then(&experiment, &built)
    }

    /// Values of scalars, and files with the contents of arrays.
    fn data(
        &self,
        folder: &Path,
        others: &[(&'static str, usize)],
    ) -> std::io::Result<(Values, Vec<(String, PathBuf)>)> {
        let matrix = self.matrix;
        let (n, m, nnz) = (matrix.rows(), matrix.columns, matrix.val.len());
        let mut inputs = Vec::new();
        let mut write = |name: &str, element, extents: &[usize], bytes: Vec<u8>| {
            let shape = Shape {
                name: name.to_owned(),
                element,
                extents: extents.to_vec(),
            };
            let path = folder.join(format!("{name}.npy"));
            std::fs::write(&path, npy::write(&shape, &bytes))?;
            inputs.push((name.to_owned(), path));
            std::io::Result::Ok(())
        };
        let ints = |values: &[i32]| values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let floats = |values: &[f64]| values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let mut scalars = vec![("n", n), ("m", m)];
        scalars.extend(others);
        if self.format == "ell" {
            let width = matrix.longest();
            let (col, val, lengths) = matrix.ellpack();
            scalars.push(("width", width));
            write("length", ScalarKind::I32, &[n], ints(&lengths))?;
            write("col", ScalarKind::I32, &[width, n], ints(&col))?;
            write("val", ScalarKind::F64, &[width, n], floats(&val))?;
        } else {
            scalars.push(("nnz", nnz));
            write("row", ScalarKind::I32, &[n + 1], ints(&matrix.row))?;
            write("col", ScalarKind::I32, &[nnz], ints(&matrix.col))?;
            write("val", ScalarKind::F64, &[nnz], floats(&matrix.val))?;
        }
        let values = scalars
            .into_iter()
            .map(|(k, v)| (k.to_owned(), v.to_string()));
        Ok((values.collect(), inputs))
    }
}

/// What the driver's errors, which are boxed, are here.
#[allow(clippy::boxed_local)]
fn one(diagnostic: Box<Diagnostic>) -> Failures {
    vec![*diagnostic]
}

type Row<'a> = (&'a str, &'a Matrix, Vec<Standing>);

/// What tilewright's result is, among the standings.
const OURS: usize = 1;

fn print(rows: &[Row<'_>]) {
    let Some((_, _, first)) = rows.first() else {
        return;
    };
    let others = || (0..first.len()).filter(|&at| at != OURS);
    let names: Vec<&str> = first
        .iter()
        .map(|standing| standing.name.as_str())
        .collect();
    let ratios: Vec<String> = others().map(|at| format!("{} / it", names[at])).collect();
    println!(
        "| matrix | rows | entries | {} | {} | largest difference |",
        names.join(" | "),
        ratios.join(" | ")
    );
    println!(
        "|---|---:|---:|{}---:|",
        "---:|".repeat(2 * names.len() - 1)
    );
    let mut sums = vec![(0.0, 0.0); first.len()];
    for (name, matrix, standings) in rows {
        let times: Vec<Times> = standings
            .iter()
            .map(|s| Times::new(s.times.clone()))
            .collect();
        let cells: Vec<String> = times
            .iter()
            .map(|t| format!("{:.3} ({:.3})", t.median, t.min))
            .collect();
        let ratios: Vec<String> = others()
            .map(|at| {
                let ratio = times[at].median / times[OURS].median;
                let least = times[at].min / times[OURS].min;
                sums[at].0 += ratio.ln();
                sums[at].1 += least.ln();
                format!("{ratio:.2} ({least:.2})")
            })
            .collect();
        let apart = standings.iter().map(|s| s.comparison.max_abs_diff());
        println!(
            "| {name} | {} | {} | {} | {} | {:.1e} |",
            matrix.rows(),
            matrix.val.len(),
            cells.join(" | "),
            ratios.join(" | "),
            apart.fold(0.0, f64::max)
        );
    }
    let mean = |sum: f64| (sum / rows.len() as f64).exp();
    let means: Vec<String> = others()
        .map(|at| format!("**{:.2}** ({:.2})", mean(sums[at].0), mean(sums[at].1)))
        .collect();
    println!(
        "| geometric mean | | |{} {} | |",
        " |".repeat(names.len()),
        means.join(" | ")
    );
}

fn to_json(rows: &[Row<'_>]) -> Value {
    let each = rows.iter().map(|(name, matrix, standings)| {
        let versions = standings.iter().map(|standing| {
            json!({
                "name": standing.name,
                "ms": Times::new(standing.times.clone()),
                "max_abs_diff": standing.comparison.max_abs_diff(),
            })
        });
        json!({
            "matrix": name,
            "rows": matrix.rows(),
            "columns": matrix.columns,
            "entries": matrix.val.len(),
            "longest_row": matrix.longest(),
            "versions": versions.collect::<Vec<_>>(),
        })
    });
    each.collect()
}
