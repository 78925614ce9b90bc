//! The inspector of `--format ell` apart from the executor: what it takes to pack a matrix, and
//! after how many products that pays (Zhao, thesis 2018, section 6.5).
//!
//! `benches/spmv_steps.c` multiplies several times with one matrix, which is packed once, in front
//! of the first product. Calls with one product and with [`MORE`] products more, by turns for
//! compressed rows and for what is packed, give the time of a product and, as what is left of the
//! shorter call, that of the packing.

use super::matrices::Matrix;
use super::setting::{Failure, lines};
use super::{
    Arguments, Contest, Failures, Format, MOST_PLACES, Product, Program, Times, Turns, one,
};
use serde_json::{Value, json};

/// Products of the longer calls beyond the first one.
const MORE: usize = 20;

/// Times in ms.
#[derive(Clone, Copy, Debug)]
struct Parts {
    /// A product in compressed rows.
    csr: f64,
    /// Everything in front of the first product with packed arrays.
    packing: f64,
    /// A product with packed arrays.
    ell: f64,
}

impl Parts {
    /// Of calls with one product and with [`MORE`] more, in compressed rows and packed.
    fn of([csr, csr_more]: [f64; 2], [ell, ell_more]: [f64; 2]) -> Parts {
        let product = (ell_more - ell) / MORE as f64;
        Parts {
            csr: (csr_more - csr) / MORE as f64,
            packing: ell - product,
            ell: product,
        }
    }

    /// The number of products from which on packing takes less; none if it never does.
    fn pays_after(&self) -> Option<f64> {
        let gained = self.csr - self.ell;
        (gained > 0.0).then(|| (self.packing / gained).ceil().max(1.0))
    }
}

/// One matrix: statistics of medians and of minima; none where it stays in compressed rows.
type Row<'a> = (&'a str, &'a Matrix, Option<[Parts; 2]>);

/// Prints a table for every number of threads, or gives all of them.
///
/// # Errors
/// Those of compiling, building, comparing and timing.
pub fn run(arguments: &Arguments, matrices: &[(String, Matrix)]) -> Result<Vec<Value>, Failure> {
    let mut results = Vec::new();
    for &threads in &arguments.timing.threads {
        let mut rows: Vec<Row<'_>> = Vec::new();
        for (name, matrix) in matrices {
            eprintln!("{name}, packing, {threads} threads");
            let product = Product {
                format: "csr",
                matrix,
                threads,
                arguments,
            };
            let fits = matrix.rows() * matrix.longest() <= MOST_PLACES * matrix.val.len();
            let parts = fits.then(|| parts(&product)).transpose();
            let parts = parts.map_err(|all| format!("{name}: {}", lines(&all)))?;
            rows.push((name.as_str(), matrix, parts));
        }
        if arguments.timing.building.json {
            results.push(json!({ "threads": threads, "matrices": to_json(&rows) }));
        } else {
            println!("\npacking, {threads} threads\n");
            print(&rows);
        }
    }
    Ok(results)
}

/// Times one matrix.
fn parts(product: &Product<'_>) -> Result<[Parts; 2], Failures> {
    let [one, more] = [calls(product, 1)?, calls(product, 1 + MORE)?];
    let of = |statistic: fn(&Times) -> f64| {
        let both = |version: usize| [&one, &more].map(|times| statistic(&times[version]));
        Parts::of(both(0), both(1))
    };
    Ok([of(|times| times.median), of(|times| times.min)])
}

/// Calls with so many products, in compressed rows and packed.
fn calls(product: &Product<'_>, steps: usize) -> Result<Vec<Times>, Failures> {
    let program = |becomes| Program {
        file: "benches/spmv_steps.c",
        function: "spmv_steps",
        scalars: vec![("steps", steps)],
        becomes,
    };
    let arguments = product.arguments;
    product.built(&program(Format::Given), &mut |csr, csr_built| {
        product.built(&program(Format::Ell), &mut |ell, ell_built| {
            let contest = Contest {
                builds: vec![
                    ("csr".to_owned(), csr, csr_built),
                    ("ell".to_owned(), ell, ell_built),
                ],
                originals: false,
                peers: Vec::new(),
                turns: Turns::of_one_call(arguments.timing.runs),
            };
            let standings = contest.run(&mut |_| {}).map_err(one)?;
            Ok(standings.into_iter().map(|s| Times::new(s.times)).collect())
        })
    })
}

fn print(rows: &[Row<'_>]) {
    println!(
        "| matrix | rows | entries | longest row | product, compressed rows | packing | product, \
         packed | packing / product | pays after |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (name, matrix, parts) in rows {
        let sizes = format!(
            "| {name} | {} | {} | {} ",
            matrix.rows(),
            matrix.val.len(),
            matrix.longest()
        );
        let Some(parts) = parts else {
            println!("{sizes}| | | | | not packed |");
            continue;
        };
        let both = |of: &dyn Fn(&Parts) -> String| format!("{} ({})", of(&parts[0]), of(&parts[1]));
        let pays = |parts: &Parts| match parts.pays_after() {
            Some(products) => format!("{products:.0}"),
            None => "never".to_owned(),
        };
        println!(
            "{sizes}| {} | {} | {} | {} | {} |",
            both(&|p| format!("{:.3}", p.csr)),
            both(&|p| format!("{:.2}", p.packing)),
            both(&|p| format!("{:.3}", p.ell)),
            both(&|p| format!("{:.1}", p.packing / p.csr)),
            both(&pays),
        );
    }
}

fn to_json(rows: &[Row<'_>]) -> Value {
    let each = rows.iter().map(|(name, matrix, parts)| {
        let parts = parts.map(|both| {
            both.map(|parts| {
                json!({
                    "csr_ms": parts.csr,
                    "packing_ms": parts.packing,
                    "ell_ms": parts.ell,
                    "pays_after": parts.pays_after(),
                })
            })
        });
        json!({
            "matrix": name,
            "rows": matrix.rows(),
            "entries": matrix.val.len(),
            "longest_row": matrix.longest(),
            "median_and_minimum": parts,
        })
    });
    each.collect()
}
