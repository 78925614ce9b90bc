//! Table 1 of the paper, row by row.

use super::kernels::{KERNELS, Kernel};
use crate::reuse::{Accesses, LiveOut, Mapping, Memory, Overlap, Precision, Tiling, Transfers, folding};

fn show(kernel: &Kernel) {
    let start = std::time::Instant::now();
    let region = kernel.region();
    let mapping = Mapping::parse(&region, kernel.mapping, Some(kernel.band)).unwrap();
    let tiling = Tiling::new(&region.scop, mapping, 1, None).unwrap();
    let scop = &region.scop;
    let accesses = Accesses::of(&region, &tiling.mapping).unwrap();
    scop.ctx.reset_operations();
    scop.ctx.set_max_operations(100_000_000).unwrap();
    let context = tiling.context(scop).unwrap();
    let full = folding::two_full_tiles(scop, &tiling, &context).unwrap();
    println!("== {} {:?} {full}", kernel.name, start.elapsed());
    let transfers = Transfers::of(&region, &tiling, &accesses, LiveOut::All).unwrap();
    println!("transfers {:?}", start.elapsed());
    let precision = if std::env::var("EXACT").is_ok() { Precision::Integer } else { Precision::Rational };
    for overlap in [Overlap::Sequential, Overlap::Double] {
        let memory = Memory::of(&tiling, &accesses, &transfers, overlap, precision, &full);
        let memory = match memory {
            Ok(memory) => memory,
            Err(error) => {
                println!("FAILED {error} {:?}", start.elapsed());
                continue;
            }
        };
        for local in &memory.arrays {
            println!("{}", scop.arrays[local.array].name);
            for f in local.formulas(&full).unwrap() {
                println!("      {f}");
            }
        }
        println!("{overlap:?} {:?}", start.elapsed());
    }
}

#[test]
#[ignore]
fn all() {
    let wanted = std::env::var("KERNEL").unwrap_or_default();
    for kernel in KERNELS {
        if wanted.is_empty() || kernel.name == wanted {
            show(kernel);
        }
    }
}
