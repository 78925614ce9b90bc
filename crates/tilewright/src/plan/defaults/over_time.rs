//! Numbers of tiles over time: heights, widths, and what they cost.

/// Tile size per loop of a permutable band, by the depth of the deepest statement: two loops and
/// fewer, three, four and more. Pluto's default of 32 (Bondhugula et al., PLDI 2008) for shallow
/// nests; smaller for deep ones, so that a tile of their arrays stays in the cache next to the
/// long vector loop. Chosen with `--tile-sizes` on gemm, jacobi-2d and heat-3d
/// (`docs/src/results/baseline.md`).
pub const BAND_TILES: [i64; 3] = [32, 16, 8];

/// Tile size of loops each of which crosses rows, as in transpositions, at most: as many lines as a tile
/// is long stay in the first cache where rows are powers of two apart, too. Transposed matrices of 800 to
/// 4096 rows, four types, gcc and clang, one thread of an AMD EPYC: 1.15 times as fast as with 32 in
/// the mean, 0.76 at the least.
pub const CROSSED_TILE: i64 = 16;

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
