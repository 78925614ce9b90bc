//! Every heuristic number, its meaning and its source. Options override them.

mod device_time;
mod generation;

pub use device_time::*;
pub use generation::*;

use super::gpu::Gpu;
use super::rates::Rates;
use std::time::Duration;

/// Tile size per loop of a permutable band, by the depth of the deepest statement: two loops and
/// fewer, three, four and more. Pluto's default of 32 (Bondhugula et al., PLDI 2008) for shallow
/// nests; smaller for deep ones, so that a tile of their arrays stays in the cache next to the
/// long vector loop. Chosen with `--tile-sizes` on gemm, jacobi-2d and heat-3d
/// (`docs/src/results/baseline.md`).
pub const BAND_TILES: [i64; 3] = [32, 16, 8];

/// Tile size of the loop that is moved innermost: long enough that vector loops are worth their
/// start, as for pipelines.
pub const VECTOR_TILE: i64 = 256;

/// Tile sizes over time where the model cannot say: of stencils in one, two, and three or more
/// dimensions of space, height in logical time, then space. The best of a few each of jacobi-1d (400 000 cells, 400 steps),
/// jacobi-2d (2000 x 2000, 50 steps) and heat-3d (200 x 200 x 200, 10 steps), one thread, least of
/// seven runs beside other work: split tiles are 1.5 times as fast as the original, 3.5 times (half
/// the height and extent: twice) and 1.5 times. Whole rows of a volume save half of its phases.
pub const TIME_TILES: [&[i64]; 3] = [&[256, 1024], &[32, 64, 512], &[8, 16, 16, 0]];

/// Height of diamonds in one dimension of space, where nothing but the height makes loops long:
/// with 64 jacobi-1d is half as fast as the original, with this 1.6 times as fast.
pub const DIAMOND_HEIGHT: i64 = 1024;

/// Heights of tiles over time that are tried, in iterations of the time loop.
pub const TIME_HEIGHTS: [i64; 8] = [2, 4, 8, 16, 32, 64, 128, 256];

/// Their widths in the innermost dimension of space, 0: whole.
pub const TIME_ROWS: [i64; 7] = [64, 128, 256, 512, 1024, 2048, 0];

/// Nanoseconds for the bounds of one loop nest over a tile's points at one time, and for its rows
/// that are left over from those jammed: narrow diamonds on heat-2d with 200 x 200 points take a
/// fifth more than tall hexagons, which without this would be predicted to be slower (`cargo bench
/// --bench auto`).
pub const TIME_NEST: f64 = 60.0;

/// Points of space, by its dimensions, from which on tiles over time are faster on two threads than
/// the loops as written on one. With arrays of 24 kB, tiles of ten stencils of `examples/stencils` were
/// 1.2 and 1.5 times as fast in one dimension, 0.8 to 1.1 times in two and 0.5 times in three, with
/// 400 kB in three still 0.8 times (`docs/src/results/polybench.md`).
pub const TIME_POINTS: [i64; 3] = [1000, 7000, 50_000];

/// Iterations of the time loop from which on tiles over time pay on one thread: what is loaded once
/// is used in all of them.
pub const TIME_ALONE: i64 = 4;

/// Bytes that the inner loops of a tile may work on in turn without waiting for addresses to be
/// translated: 2048 pages of 4 KiB. Beyond, heat-3d with 150 x 150 x 150 points takes 338 ms in
/// hexagons that stay in a last cache of 32 MiB (100 sweeps, one thread), and 240 in smaller
/// diamonds.
pub const TIME_REACH: f64 = (8 << 20) as f64;

/// What it costs to begin to load an array elsewhere in memory, as so many bytes more: on lines of
/// four million points hexagons, each of which leaves out its neighbour's points, take 10 to 20 %
/// longer than split tiles.
pub const TIME_START: f64 = 1024.0;

/// By how much more tiles pay for what they store for good, in rows far from each other, than
/// loops that store one row after the other: seven points on a line with all steps kept take a
/// fifth to twice as long in tiles as without at 800 000 points, and an eighth to a half longer at
/// 40 000 points, which with less than this would be predicted to gain.
pub const TIME_SCATTERED: f64 = 1.8;

/// Their widths in the others.
pub const TIME_WIDTHS: [i64; 6] = [4, 8, 16, 32, 64, 128];

/// Tile sizes over time that are all priced, at most: for stencils in space. Where there are more,
/// of more dimensions, one dimension's width is changed at a time until none makes it faster.
pub const TIME_TRIED: usize = 1 << 12;

/// Dimensions in which split tiles are tiled, at most: each doubles their phases and so the code.
pub const SPLIT_DIMENSIONS: usize = 6;

/// Dimensions of space in which diamonds extend: one is enough for tiles to start together on a
/// few cores, and leaves long loops in the others (partial concurrent start, SC 2012, section 4).
pub const DIAMOND_DIMENSIONS: usize = 1;

/// Cells of one turn of right trapezoids over time, along the innermost dimension of space: some
/// vectors long, and with the steps of a band still within a first cache.
pub const TURN_OF_CELLS: i64 = 256;

/// The same along another dimension, where each row is a vector loop of its own: the fewest, as
/// every further row is one more that is kept.
pub const TURN_OF_ROWS: i64 = 1;

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

/// isl operations allowed for one region's analysis, scheduling, validation and code
/// generation, each. About ten seconds on a 2020s machine.
pub const ISL_OPERATIONS: u64 = 60_000_000;

/// Longest time of the processor for one region's analysis, for one plan's transformation and for
/// its validation, each, with [`ISL_OPERATIONS`]. The compilation of the largest pipeline known, as a
/// whole, takes a fifth of it; with thirty loops around each other that many operations would take
/// many minutes.
pub const ANALYSIS_TIME: Duration = Duration::from_secs(30);

/// [`ANALYSIS_TIME`] with another number of operations; 0 stands for no bound.
pub fn analysis_time(operations: u64) -> Duration {
    scaled(ANALYSIS_TIME, operations)
}

/// Longest time of the processor for one region's model. Those of all examples take less than a
/// tenth of it; remainders by sizes, one in the other, can make few operations take a minute.
pub const LOWERING_TIME: Duration = Duration::from_secs(3);

/// [`LOWERING_TIME`] with another number of operations; 0 stands for no bound.
pub fn lowering_time(operations: u64) -> Duration {
    scaled(LOWERING_TIME, operations)
}

/// Longest time of the processor for each thing that a caller of a function must know: an array's
/// extent, a condition.
pub const CALLER_TIME: Duration = Duration::from_secs(1);

/// An extent that a caller must know is a number, if there is one, where subscripts are this many
/// quotients.
pub const CALLER_QUOTIENTS: usize = 2;

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

/// Terms of a sum up to which C compilers unroll it, and then find the loop outside of it for vectors:
/// windows of 5 x 5.
pub const UNROLLED_SUM: i64 = 32;

/// Iterations from which on a loop of constantly many is called a vector loop.
pub const LEAST_VECTOR: i64 = 8;

/// Cells that are no farther apart than this follow one another in memory: channels of a pixel,
/// every other element.
pub const SHORT_STRIDE: u64 = 4;

/// A time that goes with [`ISL_OPERATIONS`], for another number of them.
fn scaled(time: Duration, operations: u64) -> Duration {
    match operations {
        0 => Duration::MAX,
        some => {
            let times = some.div_ceil(ISL_OPERATIONS);
            time.saturating_mul(u32::try_from(times).unwrap_or(u32::MAX))
        }
    }
}

/// Of so many statements isl's scheduler gets each by itself; of more, those of one body as one. A
/// hundred take it minutes by themselves, and bodies of so many are seldom worth taking apart.
pub const SCHEDULED_APART: usize = 24;

/// Time of the processor for isl's scheduler, whose integer programs can come to numbers of thousands of digits:
/// then few operations take minutes.
pub const SCHEDULING_TIME: Duration = Duration::from_secs(3);

/// The largest factor of a loop's variable in a schedule, and the farthest that a statement is
/// shifted: more would leave loops that run over very many iterations in which nothing is done.
pub const FARTHEST_FACTOR: i64 = 4096;
/// See [`FARTHEST_FACTOR`].
pub const FARTHEST_SHIFT: i64 = 1 << 16;

/// Constants of dependences of at least this size are replaced by smaller ones for isl's scheduler.
/// Loops of 300 iterations take it no longer than those of 20, and many examples have sizes below
/// this one; loops of 32,000 that read what later iterations write take it more than a minute.
pub const LARGE_CONSTANT: u64 = 1024;

/// How far the smaller constants are apart that stand for large ones that are not neighbours: more
/// than offsets and tiles in dependences are, and few enough that eight different sizes have room.
pub const LARGE_CONSTANTS_APART: u64 = 112;

/// Longest time of the processor that code generation may take for one plan of one region. The
/// largest pipeline known takes a tenth of it; a bound on operations alone let some skewed tiles
/// run for minutes, on numbers that grow.
pub const GENERATION_TIME: Duration = Duration::from_secs(60);

/// Longest time of the processor for all that is done for one region. The largest pipeline known
/// takes a sixth of it. Of what is left each plan gets the half at most, so that there is time for
/// a simpler one; at last the region stays as it was.
pub const REGION_TIME: Duration = Duration::from_secs(60);

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

/// Rows of an iterated stencil that are executed together where that saves loads.
pub const TIME_JAM: i64 = 4;

/// Least share of its loads that this must save: five points in a plane save 30 %, seven in a
/// volume 21 %.
pub const TIME_JAM_SAVING: f64 = 0.2;

/// Values that jammed rows of a stencil may share. With four, clang 16 gains a fifth on five
/// points in a plane and seven in a volume, and gcc 12 6 % and a quarter; with the twelve of nine
/// points clang gains a third, but gcc loses an eighth.
pub const TIME_JAM_SHARED: i64 = 8;

/// Rows of tiles over time are aligned by flatter sides if, over the height of a tile, they move
/// by at most one part in so many of the row. In heat-2d, 4000 x 4000, aligned rows save a fifth of
/// the time with gcc 12 and a tenth with clang 16; in heat-3d with rows of 150 they cost a third.
pub const TIME_ALIGN_EXTENT: i64 = 4;

/// The part of the time for operations that rows take that cannot be aligned, in units of what
/// aligned ones take: between a tenth and a fifth more, as above.
pub const TIME_UNALIGNED: f64 = 1.15;

/// Height to which tiles may be kept low for aligned rows. Where rows are too short even for this
/// one, lower tiles lose more than they gain: on jacobi-2d with 1000 x 1000 points, hexagons of
/// height 16 take a quarter more than diamonds of height 64.
pub const TIME_ALIGN_LEAST: i64 = 32;

/// Vector registers for values that several rows share: AVX-512 and SVE have 32, AVX2 half as
/// many, of which compilers fold half into operands.
pub const VECTOR_REGISTERS: i64 = 32;

/// Iterations of the two loops above the vector loop of a matrix product that are executed
/// together: sixteen products for eight loads and four stores, in 8 + 16 registers of AVX-512. On
/// gemm, 512, one thread, gcc 12 gains a sixth with `[1, 4]`, 46 % with `[2, 4]` and 61 % with
/// `[4, 4]`.
pub const JAM_PRODUCT: [i64; 2] = [4, 4];

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

/// Threads of a block on a device, along x and y: a warp of 32 (all of NVIDIA's GPUs; AMD's
/// wavefronts of 64 are two of them) for neighbouring cells, and eight warps, with which four to
/// eight blocks fill a multiprocessor of 1024 to 2048 threads.
pub const BLOCK_THREADS: [i64; 2] = [32, 8];

/// Parallel loops directly inside each other that are distributed to blocks: as many as there are
/// dimensions of space. One alone may have few iterations, as colours have.
pub const GRID_LOOPS: i64 = 3;

/// Loops of a band that wavefronts of tiles and of their points may go through on a device. With four
/// (heat-3d) isl takes a minute for the bounds, with three (jacobi-2d, lu) no more than a few seconds.
pub const WAVEFRONT_LOOPS: usize = 3;

/// Iterations of a thread's innermost loop that are written as one: loads of several of them are on
/// their way at a time. Not measured.
pub const DEVICE_UNROLL: i64 = 8;

/// Tile size of the affine scheduler's bands on a device: a warp's cells along x, and four points for
/// each thread of [`BLOCK_THREADS`].
pub const DEVICE_BAND_TILE: i64 = 32;

/// Most threads of a block: what CUDA's devices have, and OpenCL's commonly.
pub const MOST_THREADS: i64 = 1024;

/// Bytes of local memory that the scratchpads of a block may have unless the user says otherwise:
/// what every block may have on all CUDA devices without asking for more, and most of OpenCL's.
pub const LOCAL_MEMORY: i64 = 48 << 10;

/// Most bytes of an array that each thread has for itself: beyond the registers of a thread (255
/// of four bytes) it would be in the device's memory.
pub const THREAD_BYTES: i64 = 1024;

/// Loops of fewer iterations are distributed to threads only where there is no longer one: colours,
/// corners and other small dimensions would leave most of a warp without work.
pub const FEW_ITERATIONS: i64 = 8;

/// What is inside a grid is short if it is no more than one in so many of a block's threads: most of
/// the block would be without work, and most of the grid's blocks would do little beside starting. Not
/// measured.
pub const SHORT_SHARE: i64 = 4;

/// Tile sizes of the two innermost dimensions that the cost model of devices tries, those first that
/// it tries for every group that is compared: rows of one to eight warps' cells.
pub const DEVICE_TILES: [[i64; 2]; 17] = [
    [32, 64],
    [16, 64],
    [32, 128],
    [8, 32],
    [8, 64],
    [8, 128],
    [8, 256],
    [16, 32],
    [16, 128],
    [16, 256],
    [32, 32],
    [32, 256],
    [64, 32],
    [64, 64],
    [64, 128],
    [128, 32],
    [128, 64],
];

/// How many of [`DEVICE_TILES`] are tried for every group that is compared.
pub const FEW_DEVICE_TILES: usize = 4;

/// How often tiles are halved, the largest size first, until their scratchpads fit.
pub const DEVICE_HALVINGS: usize = 8;

/// Tiles are not halved below this: what overlaps would be most of them.
pub const SMALLEST_DEVICE_TILE: i64 = 8;

/// Copies of an array that a loop adds to in parts: enough for as many threads, and for rows of
/// very different lengths to be spread over fewer.
pub const PARTIAL_COPIES: i64 = 64;

/// The same on a device, where each copy has a thread.
pub const DEVICE_PARTIAL_COPIES: i64 = 1024;

/// Neighbouring iterations that add to the same copy, of loops without loops in them: a page of
/// bytes, so that what they read is fetched ahead.
pub const PARTIAL_BLOCK: i64 = 4096;

/// Cells of an array of the function up to which iterations of a loop get a copy of their own: most
/// often it becomes a variable of the loop again, else there are as many copies as iterations.
pub const PRIVATE_CELLS: i64 = 64;

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

/// Accesses for each cell that is copied in or out above which an array of a tile goes to local
/// memory: with one, copying is all that would be done with it.
pub const PROMOTED_REUSE: f64 = 1.0;

/// Accesses of a tile to one array up to which it is found out what is read before it is written;
/// beyond, all that is read is copied in. Every pair of a read and a write is compared.
pub const PROMOTED_ACCESSES: usize = 64;

/// isl operations for finding out whether an array can be in local memory at one level, copies
/// included: a second. Where they do not suffice, it stays where it is. With half of them, heat-1d in
/// hexagons and heat-2d in split tiles do not get there; twice as many bring wave-2d's array there in
/// one of four launches.
pub const PROMOTION_OPERATIONS: u64 = 1_000_000;

/// Longest time of the processor for the same, and for all copies of a region: a guard, so that what
/// is decided does not depend on the machine.
pub const PROMOTION_TIME: Duration = Duration::from_secs(20);

/// How many arrays at levels are tried in a region.
pub const PROMOTION_ATTEMPTS: usize = 48;

/// How many of them may exceed their budget: no other one is tried then, which bounds what is
/// spent in vain to some seconds. With four, split tiles of jacobi-2d have both arrays in local
/// memory in all four launches.
pub const PROMOTION_EXCESSES: usize = 4;

/// Indices of short dimensions, as of `A[t % 2]`, up to which what is copied is looked at for each
/// of them alone.
pub const PROMOTED_PLANES: i64 = 4;

/// Comparisons that a copy may test for each cell: where corners of tiles make more of them, the
/// array stays where it is. PoCL takes minutes for conditions of a hundred.
pub const PROMOTED_CONDITIONS: usize = 16;

/// Operands of a minimum or maximum up to which loops that copy have it for a bound; else they go
/// over a box, with a guard.
pub const PROMOTED_BOUNDS: usize = 4;

/// Convex parts of the cells of an array up to which they are copied: each is a condition that is
/// tested for every cell.
pub const PROMOTED_PARTS: usize = 4;

/// Banks of local memory: those of NVIDIA's and AMD's GPUs, of [`BANK_BYTES`] bytes each.
pub const BANKS: i64 = 32;

/// Bytes of a word of a bank.
pub const BANK_BYTES: i64 = 4;

/// Iterations of a loop around launches between two looks at whether it goes on: a look waits for
/// all that was launched and copies four bytes, which takes as long as a few launches, and as many
/// launches less one are in vain at most.
pub const EXIT_PERIOD: i64 = 8;

/// Loop iterations and accesses that a replay of a device program may take: some seconds.
pub const REPLAYED_STEPS: u64 = 50_000_000;

/// The largest power of two that parameters of a kernel with 32-bit indices may be compared with:
/// what is beyond is no size of anything in 32 bits.
pub const NARROW_MOST: i64 = 1 << 30;

/// The smallest: kernels whose indices fit 32 bits only for smaller sizes stay with 64.
pub const NARROW_LEAST: i64 = 1 << 16;

/// Devices by name, the first where none is named: what a data centre's GPU of 2020 has (the A100's
/// figures), with the local memory and the threads of a block that every device of CUDA has.
///
/// - `a100`: NVIDIA's data sheet of the A100 (80 GB, SXM: 2039 GB/s; 19.5 TFLOPS in `float`, 9.7 in
///   `double`), and its *A100 Tensor Core GPU Architecture* white paper: 108 multiprocessors of 64
///   lanes at 1.41 GHz, which is twice 9746 operations per nanosecond.
/// - `h200`: NVIDIA's data sheet of the H200 (SXM: 4.8 TB/s; 67 TFLOPS in `float`, 34 in `double`),
///   and its *H100 Tensor Core GPU Architecture* white paper, whose processor it has: 132
///   multiprocessors of 128 lanes, at the 1.98 GHz that follow.
///
/// Threads, blocks, registers and local memory of a multiprocessor are those of compute capability
/// 8.0 and 9.0 in NVIDIA's *CUDA C++ Programming Guide*, technical specifications. Data sheets count
/// a product with its sum as two operations; nothing is contracted here, so that half of their
/// rates are left. Local memory serves [`BANKS`] times [`BANK_BYTES`] in each cycle of a
/// multiprocessor: 108 · 128 · 1.41 and 132 · 128 · 1.98 bytes per nanosecond. Latency and launches
/// are estimates.
pub const GPUS: [(&str, Gpu); 3] = [
    (
        "generic",
        Gpu {
            block_memory: LOCAL_MEMORY,
            ..A100
        },
    ),
    ("a100", A100),
    (
        "h200",
        Gpu {
            processors: 132,
            block_memory: 227 << 10,
            memory: 228 << 10,
            bandwidth: 4800.0,
            operations: 33_500.0,
            near: 33_450.0,
            ..A100
        },
    ),
];

const A100: Gpu = Gpu {
    processors: 108,
    block_threads: MOST_THREADS,
    block_memory: 163 << 10,
    threads: 2048,
    blocks: 32,
    memory: 164 << 10,
    registers: 65_536,
    bandwidth: 2039.0,
    latency: 600.0,
    operations: 9_750.0,
    near: 19_500.0,
    launch: 3_000.0,
};

/// Registers of four bytes that a thread is taken to need: what `nvcc` (CUDA 13) gives to the largest
/// kernels of Harris's corners and the bilateral grid for sm_80 and sm_90, in the plans of this cost
/// model. The largest of other pipelines have 40 to 64, interpolation's 99 and 77.
pub const DEVICE_REGISTERS: i64 = 40;

/// Bytes that a thread has on their way from memory at a time: two loads of eight. Not measured.
pub const DEVICE_IN_FLIGHT: f64 = 16.0;

/// Threads of a processor that hide the latency of operations: four warps for each of four
/// schedulers. Not measured.
pub const DEVICE_BUSY_THREADS: f64 = 512.0;

/// Nanoseconds that a block waits at a barrier. Not measured.
pub const DEVICE_BARRIER: f64 = 30.0;

/// Bytes of memory that are loaded together: the first and the last of a row are loaded whole.
pub const DEVICE_SECTOR: i64 = 32;

/// Threads of a GPU that execute the same instruction at a time (NVIDIA's number; AMD's gfx90a has
/// 64).
pub const WARP: i64 = 32;

/// Threads of blocks that the cost model of devices tries, along x and y, as [`BLOCK_THREADS`] and
/// with half and twice as many warps, and with rows of two warps.
pub const DEVICE_BLOCKS: [[i64; 2]; 5] = [[32, 8], [32, 4], [32, 16], [64, 4], [64, 8]];

/// Bytes to which buffers in local memory are aligned: the widest type, and what a warp loads at
/// once from it.
pub const LOCAL_ALIGNMENT: i64 = 128;

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
