//! Every heuristic number, its meaning and its source. Options override them.

mod budgets;
mod device_time;
mod devices;
mod generation;
mod over_time;

pub use budgets::*;
pub use device_time::*;
pub use devices::*;
pub use generation::*;
pub use over_time::*;

use super::rates::Rates;

/// Tile size of the loop that is moved innermost: long enough that vector loops are worth their
/// start, as for pipelines.
pub const VECTOR_TILE: i64 = 256;

/// Tile sizes of an overlapped group for the two innermost dimensions of its live-out stage:
/// the size that PolyMage's autotuner finds for Harris (TACO 2019, table 2).
pub const PIPELINE_TILE: [i64; 2] = [32, 256];

/// The same for right trapezoids. Their scratchpads do not grow with the rows of the tile, so that
/// tall tiles compute less twice at no cost. Chosen with `--tile-sizes` on Harris, unsharp mask,
/// the camera pipeline and pyramid blending.
pub const RIGHT_TILE: [i64; 2] = [128, 512];

/// Tile size of outer dimensions of an overlapped group (channels): one plane at a time.
pub const PIPELINE_OUTER_TILE: i64 = 1;

/// Cells up to which a dimension of constant extent may be kept whole in a tile: channels of a
/// picture, levels of intensity.
pub const SHORT_DIMENSION: i64 = 16;

/// Greatest share of a stage's tile that may be computed again by neighbouring tiles before
/// fusion stops: PolyMage's overlap threshold (TOPLAS 2020, section 2.2, searches 0.2, 0.4, 0.5).
pub const OVERLAP_TOLERANCE: f64 = 0.4;

/// Places that a sparse matrix in ELLPACK form may have for each entry; with more it stays in
/// compressed rows. Packed, the matrices of `docs/src/results/spmv.md` have up to three; each place
/// is memory that is never read.
pub const ELL_PLACES: i64 = 3;

/// Portions that a parallel loop is divided into where its iterations are rows of data of any
/// length. Products of sparse matrices on two threads: with even rows as fast as one portion each;
/// with rows that grow down the matrix 1.5 times as fast; portions of 64 rows take 2.5 times as long
/// where a row has four entries (`docs/src/results/spmv.md`).
pub const PORTIONS: i64 = 64;

/// A tile size that no loop reaches: the loop stays whole.
pub const WHOLE: i64 = 1 << 30;

/// Worth of an access whose address moves by one element with the innermost loop.
pub const STRIDE_ONE_SCORE: i64 = 3;
/// Worth of an access whose address does not move with the innermost loop's last subscript.
pub const STRIDE_ZERO_SCORE: i64 = 1;
/// Worth of an access that moves by more than one element.
pub const STRIDE_OTHER_SCORE: i64 = -4;

/// Most things that are compared in front of one region: what LLVM compares of addresses at most where
/// a loop is marked by a pragma (`-pragma-vectorize-memory-check-threshold`).
pub const RUN_TIME_CHECKS: usize = 128;

/// Operations and accesses from which on a region, and a parallel loop in it, is worth threads: some
/// ten microseconds of vector loops. Starting two threads that wait takes one or two, more of them or
/// such that sleep ten and more.
pub const FORK: i64 = 200_000;

/// Loops of no more iterations than this, whatever the sizes are, are taken for unrolled where it is
/// asked what another order of loops would gain: colour channels, windows.
pub const SHORT_LOOP: i64 = 16;

/// Iterations of a loop whose sums are made side by side: a few vectors of any type, so that an
/// addition seldom waits for the one before it, and 64 numbers that stay in a first cache.
pub const LANES: i64 = 64;

/// Iterations of a parallel loop that run side by side in the sequential loops in it: an addition of
/// four cycles waits for the one before it while three others begin. Eight of them gain no more
/// (`docs/src/results/ordinary.md`).
pub const ROWS: i64 = 4;

/// Iterations of a loop between two additions to a sum from which on these do not wait for each other:
/// 16 products of numbers of 32 bits in vectors take four cycles and more, as an addition does.
pub const TURNS_BETWEEN_LINKS: i64 = 16;

/// Terms of a sum up to which C compilers unroll it, and then find the loop outside of it for vectors:
/// windows of 5 x 5.
pub const UNROLLED_SUM: i64 = 32;

/// Iterations from which on a loop of constantly many is called a vector loop.
pub const LEAST_VECTOR: i64 = 8;

/// Cells that are no farther apart than this follow one another in memory: channels of a pixel,
/// every other element.
pub const SHORT_STRIDE: u64 = 4;

/// The largest factor of a loop's variable in a schedule, and the farthest that a statement is
/// shifted: more would leave loops that run over very many iterations in which nothing is done.
pub const FARTHEST_FACTOR: i64 = 4096;
/// See [`FARTHEST_FACTOR`].
pub const FARTHEST_SHIFT: i64 = 1 << 14;

/// Constants of dependences of at least this size are replaced by smaller ones for isl's scheduler.
/// Loops of 300 iterations take it no longer than those of 20, and many examples have sizes below
/// this one; loops of 32,000 that read what later iterations write take it more than a minute.
pub const LARGE_CONSTANT: u64 = 1024;

/// How far the smaller constants are apart that stand for large ones that are not neighbours: more
/// than offsets and tiles in dependences are, and few enough that eight different sizes have room.
pub const LARGE_CONSTANTS_APART: u64 = 112;

/// Tile sizes with which pictures of pipelines are drawn, the first that is not below what a tile
/// adds to some stage; smaller ones of a plan are drawn as they are. Three tiles of the largest
/// fit a page.
pub const DRAWN_TILES: [i64; 4] = [8, 12, 16, 24];

/// The same for loops whose iterations need each other, with one stage and with several: two
/// tiles in each direction fit a page.
pub const DRAWN_STEPS: [i64; 2] = [6, 4];

/// Rows of a nest that are computed together where that saves loads, fewest first; more where all
/// nests of a tile that gain have the registers for it. On Harris (AVX-512, one thread) with three
/// scratchpads of products, which four rows have no registers for, clang 16 gains a quarter with
/// two rows and half with four; gcc 12, which folds a load that two rows share into an operand of
/// each, stays within a few per cent with two and loses a tenth with four. With two scratchpads
/// both gain an eighth with four rows in place of two (13.1 and 11.3 ms with gcc, 8.8 and 7.7 ms
/// with clang).
pub const JAM_ROWS: [i64; 2] = [2, 4];

/// Loads per point that more rows must save, in each nest: with half a load less, the blur of the
/// README gains nothing (2048 x 2048: 0.90 and 0.94 ms with gcc, 0.83 both with clang); with one
/// less, unsharp mask gains 3 % with gcc and 11 % with clang.
pub const JAM_MORE_SAVING: f64 = 1.0;

/// Least share of the loads that jamming must save: what the gradients of Harris save. Below,
/// longer turns cost as much as they gain.
pub const JAM_SAVING: f64 = 0.25;

/// Vector registers for values that several rows share: AVX-512 and SVE have 32, AVX2 half as
/// many, of which compilers fold half into operands.
pub const VECTOR_REGISTERS: i64 = 32;

/// Iterations of the two loops above the vector loop of a matrix product that are executed
/// together: sixteen products for eight loads and four stores, in 8 + 16 registers of AVX-512. On
/// gemm, 512, one thread, gcc 12 gains a sixth with `[1, 4]`, 46 % with `[2, 4]` and 61 % with
/// `[4, 4]`.
pub const JAM_PRODUCT: [i64; 2] = [4, 4];

/// The same where results stay in registers over the loop that adds to them: four rows.
pub const JAM_REGISTERS: [i64; 2] = [4, 1];

/// Iterations of the vector loop of a matrix product whose results stay in registers, for elements of
/// so many bytes: more than gcc unrolls before it looks for vectors (16), and with four rows 12
/// registers of AVX-512. AVX2 has fewer, and still 13 with gcc and 11 with clang for 4 x 24, 7 and 12
/// for 4 x 8. gemm, 192 (240 as written) and 768, one thread, in 10^9 products per second (Xeon with
/// AVX-512 beside other work, gcc 12 | clang 19): as written 5 and 2.7 | 5 and 2.6, sixteen products at a time 10 and 4 | 9 and 8,
/// 4 x 16 13 and 5 | 16 and 11, 4 x 24 17 and 13 | 18 and 14, 4 x 32 18 and 7 to 18 | 16 and 11.
pub const fn columns(bytes: usize) -> i64 {
    if bytes >= 8 { 24 } else { 32 }
}

/// Tile sizes for products whose results stay in registers: of the loops above the vector loop, and
/// the whole strips of it.
pub const PRODUCT_TILE: i64 = 32;
/// See [`PRODUCT_TILE`].
pub const PRODUCT_STRIPS: i64 = 10;

/// Operations per value up to which stages that only read inputs of the region may be computed by
/// each of their consumers. A value that is stored and loaded again by two stages moves sixteen
/// bytes, which takes a core of the machine of `docs/src/results/peers.md` about a nanosecond;
/// two vector operations take a tenth of that, even where a stencil repeats them three times.
pub const INLINE_OPERATIONS: usize = 2;

/// How often a cell of a table must be picked on average to be worth computing: as many look-ups
/// as make inlining leave a stage alone. Computing a cell takes a few operations of vector loops;
/// a look-up takes a load of its own and, with gcc 12, keeps the loop from being vectorised.
/// Bilateral grid 2616 x 1592, four picks of eight neighbours from 11 levels (2.9 picks a cell):
/// 39.6 ms without and 32.0 ms with a table (gcc 12), 34.4 and 31.0 ms (clang 16), CPU time of one
/// thread, 2026-11.
pub const TABLE_USES: i64 = 2;

/// Groups that a search for the best grouping may try before it gives up. TOPLAS 2020, table 1,
/// has up to 27 000; here a group takes two or three microseconds besides its cost (2026-11), and
/// local Laplacian filters of eight levels have 750 000 with one output.
pub const GROUPS_TRIED: u64 = 1_000_000;

/// Groups that a search may ask the cost model about before it gives up: half a minute, if one
/// takes as long as in TOPLAS 2020, table 1, where pyramid blending takes 26 s for 27 000; that
/// pipeline has 31 000 here.
pub const GROUPS_COSTED: u64 = 40_000;

/// Most stages in a group of the first round where the best grouping takes too long, the largest
/// number that is quick enough: those of TOPLAS 2020, table 1, and two more for graphs in which
/// even they are too slow.
pub const GROUP_LIMITS: [usize; 5] = [32, 16, 8, 4, 2];

/// Groupings that are looked at as sets before a pipeline is given up: each that fails takes one
/// group out of the next search.
pub const GROUPINGS_TRIED: usize = 32;

/// What a parameter of which nothing is known is taken to be: the side of a picture of four
/// million pixels.
pub const ESTIMATE: i64 = 2048;

/// Nanoseconds of the cost model, measured (`docs/src/results/model.md`).
pub const RATES: Rates = Rates {
    memory: 0.03,
    cache_l3: 0.005,
    cache_l2: 0.001,
    operation: 0.02,
    row: 3.0,
    region: 2_000.0,
};

/// Bytes of a vector register of the machine on which [`RATES`] were measured.
pub const RATED_VECTOR: i64 = 64;

/// Tile sizes of the two innermost dimensions that the cost model tries, those first that it tries
/// for every group that is compared: the sizes of TACO 2019, section 4.2, and longer rows.
pub const TILES: [[i64; 2]; 24] = [
    [128, 512],
    [128, 1024],
    [128, 2048],
    [32, 256],
    [16, 128],
    [16, 256],
    [16, 512],
    [16, 1024],
    [32, 128],
    [32, 512],
    [32, 1024],
    [48, 256],
    [48, 512],
    [64, 128],
    [64, 256],
    [64, 512],
    [64, 1024],
    [96, 256],
    [96, 512],
    [128, 128],
    [128, 256],
    [256, 256],
    [256, 512],
    [256, 1024],
];

/// The same of the three innermost dimensions of a volume.
pub const BLOCKS: [[i64; 3]; 10] = [
    [32, 32, 256],
    [16, 16, 128],
    [8, 32, 256],
    [16, 32, 128],
    [16, 32, 256],
    [32, 16, 256],
    [32, 64, 128],
    [64, 32, 256],
    [64, 64, 256],
    [128, 32, 256],
];

/// How many of [`TILES`], and of [`BLOCKS`], are tried for every group that is compared. The long
/// rows among them matter: without, what decides is the start of loops that the plan will not have.
pub const FEW_TILES: usize = 4;

/// Problem sizes from which traffic per strip is sampled: several tiles of the sizes sampled, so
/// that the strip in the middle is whole.
pub const REUSE_SAMPLE: i64 = 40;

/// Tile sizes from which it is sampled.
pub const REUSE_SAMPLE_TILE: i64 = 3;

/// Ratio of successive numbers of tiles that are tried for least traffic.
pub const REUSE_STEP: f64 = 1.25;

/// isl operations for one program's transfers and sizes: a few times what the slowest program of
/// the paper's table takes.
pub const REUSE_OPERATIONS: u64 = 200_000_000;

/// Tile sizes in generated text with local memories, where none are given.
pub const REUSE_TILE: i64 = 32;

/// Predicted transfers beyond which they are not counted one by one: seconds of counting.
pub const REUSE_COUNTED: i64 = 2_000_000;

/// Strips over which counts are summed one by one: far below a second.
pub const REUSE_STRIPS: i64 = 20_000;

/// Turns that a loop is taken to have whose turns decide when it ends: a search by halves in some
/// hundred entries has eight, a root by Newton's method from a bad start, too. Not measured.
pub const UNCOUNTED_TURNS: f64 = 8.0;

/// Loops of fewer iterations are distributed to threads only where there is no longer one: colours,
/// corners and other small dimensions would leave most of a warp without work.
pub const FEW_ITERATIONS: i64 = 8;

/// What is inside a grid is short if it is no more than one in so many of a block's threads: most of
/// the block would be without work, and most of the grid's blocks would do little beside starting. Not
/// measured.
pub const SHORT_SHARE: i64 = 4;

/// Copies of an array that a loop adds to in parts: enough for as many threads, and for rows of
/// very different lengths to be spread over fewer.
pub const PARTIAL_COPIES: i64 = 64;

/// Neighbouring iterations that add to the same copy, of loops without loops in them: a page of
/// bytes, so that what they read is fetched ahead.
pub const PARTIAL_BLOCK: i64 = 4096;

/// Bytes of an array up to which sums into it are made in parts: a copy fits a first-level cache,
/// and clearing and adding up all copies is as much as two million updates.
pub const PARTIAL_BYTES: i64 = 32 * 1024;

/// Cores from which on atomic updates in parallel are taken to be faster than ordinary ones in
/// sequence: one locks a cache line for about twenty cycles, where an ordinary one takes a few.
pub const ATOMIC_CORES: i64 = 16;

/// Loops of fewer iterations inside others stay sequential in regions with bounds that are data:
/// components of a vector or a block of a matrix, for which starting threads takes far longer.
pub const LEAST_PARALLEL: i64 = 64;

/// Operations from which on what an expression of a pipeline as stages computes twice gets a
/// variable in the C text. Below, C compilers find it themselves (a product and a quotient, in the
/// pipelines at hand), and a statement without variables is what can be inlined.
pub const SHARED_OPERATIONS: usize = 3;

/// Iterations of a loop around launches between two looks at whether it goes on: a look waits for
/// all that was launched and copies four bytes, which takes as long as a few launches, and as many
/// launches less one are in vain at most.
pub const EXIT_PERIOD: i64 = 8;

/// The largest power of two that parameters of a kernel with 32-bit indices may be compared with:
/// what is beyond is no size of anything in 32 bits.
pub const NARROW_MOST: i64 = 1 << 30;

/// The smallest: kernels whose indices fit 32 bits only for smaller sizes stay with 64.
pub const NARROW_LEAST: i64 = 1 << 16;

/// Elements of an index array from which on several threads look at them in front of a region: as many
/// as take some tens of microseconds, several times what it takes to start threads. Not measured.
pub const SURVEYED_IN_PARALLEL: i64 = 1 << 16;

/// Iterations at an end of an innermost loop that stand by themselves so that the loop need not
/// test a condition: the width of a stencil's rim; more are a loop of their own.
pub const SPLIT_END: i64 = 8;

/// Conditions elsewhere at which an innermost loop is cut into pieces.
pub const SPLIT_CUTS: usize = 2;

/// How many times its text the pieces of an innermost loop may have: three for conditions at both
/// ends, and a cut.
pub const SPLIT_GROWTH: usize = 8;

/// Iterations below which an innermost loop is not split: compilers write such loops out, and then
/// know what conditions are.
pub const SPLIT_LEAST: i64 = 8;
