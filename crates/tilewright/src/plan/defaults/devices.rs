//! Numbers of plans for devices: blocks, what is copied into local memory, banks, occupancy.

use crate::plan::gpu::Gpu;
use std::time::Duration;

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

/// Points below each other that a thread may compute: as many values as they have are in registers.
/// Not measured.
pub const COLUMN_HEIGHTS: [i64; 3] = [2, 3, 4];

/// The part of the loads that may be left for them. Not measured.
pub const COLUMN_LOADS: f64 = 0.8;

/// What a thread does once, whatever its points, in loads: it finds out where it is. Without tiles,
/// `nvcc` (CUDA 13, sm_90) makes 36 instructions of a kernel that loads one cell and stores another.
pub const COLUMN_START: f64 = 8.0;

/// Statements that may stand for the points of a column. Not measured.
pub const COLUMN_STATEMENTS: i64 = 16;

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

/// The same on a device, where each copy has a thread.
pub const DEVICE_PARTIAL_COPIES: i64 = 1024;

/// Cells of an array of the function up to which iterations of a loop get a copy of their own: most
/// often it becomes a variable of the loop again, else there are as many copies as iterations.
pub const PRIVATE_CELLS: i64 = 64;

/// Accesses for each cell that is copied in or out up to which copying is all that would be done with
/// an array of a tile in local memory.
pub const PROMOTED_ONCE: f64 = 1.0;

/// Accesses for each cell that is copied in or out above which an array of a tile goes to local
/// memory. Measured on an H200, whose first cache and local memory are one memory, as those of all
/// [`GPUS`] are: an access of local memory saves what 8 bytes take at its rate, 0.24 ps (jacobi-1d in
/// split tiles: 0.75 ms for 3.2 · 10⁹ accesses), and a copied cell takes 4 ps to 8 ps (split tiles of
/// jacobi-2d and heat-2d), as much as 16 to 33 accesses save. Products in tiles of 32, with 33
/// accesses for each cell of a factor, are slower with copies; lines over time, with 64, are faster.
pub const PROMOTED_REUSE: f64 = 40.0;

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

/// Loop iterations and accesses that a replay of a device program may take: some seconds.
pub const REPLAYED_STEPS: u64 = 50_000_000;

/// Devices by name, the first where none is named: what a data centre's GPU of 2020 has (the A100's
/// figures), with the local memory and the threads of a block that every device of CUDA has.
///
/// - `a100`: NVIDIA's data sheet of the A100 (80 GB, SXM: 2039 GB/s; 19.5 TFLOPS in `float`, 9.7 in
///   `double`), and its *A100 Tensor Core GPU Architecture* white paper: 108 multiprocessors of 64
///   lanes at 1.41 GHz, which is twice 9746 operations per nanosecond.
/// - `h100`: NVIDIA's data sheet of the H100 (SXM: 3.35 TB/s; 67 TFLOPS in `float`, 34 in `double`),
///   and its *H100 Tensor Core GPU Architecture* white paper: 132 multiprocessors of 128 lanes, at
///   the 1.98 GHz that follow.
/// - `h200`: the same processor with more memory; NVIDIA's data sheet of the H200 (SXM: 4.8 TB/s).
///
/// Threads, blocks, registers and local memory of a multiprocessor are those of compute capability
/// 8.0 and 9.0 in NVIDIA's *CUDA C++ Programming Guide*, technical specifications. Data sheets count
/// a product with its sum as two operations; nothing is contracted here, so that half of their
/// rates are left. Local memory serves [`BANKS`] times [`BANK_BYTES`] in each cycle of a
/// multiprocessor: 108 · 128 · 1.41 and 132 · 128 · 1.98 bytes per nanosecond. Latency and launches
/// are estimates.
pub const GPUS: [(&str, Gpu); 4] = [
    (
        "generic",
        Gpu {
            block_memory: LOCAL_MEMORY,
            ..A100
        },
    ),
    ("a100", A100),
    ("h100", H100),
    (
        "h200",
        Gpu {
            bandwidth: 4800.0,
            ..H100
        },
    ),
];

const H100: Gpu = Gpu {
    processors: 132,
    block_memory: 227 << 10,
    memory: 228 << 10,
    bandwidth: 3350.0,
    operations: 33_500.0,
    near: 33_450.0,
    ..A100
};

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
