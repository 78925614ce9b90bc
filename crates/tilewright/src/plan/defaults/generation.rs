//! Numbers of code generation.

/// Bytes up to which a local array is a variable of its block instead of allocated memory. Only
/// small ones gain: compilers keep them in registers. Larger ones lose, because clang 16 passes
/// values of such an array from iteration to iteration and then does not vectorise the loop.
pub const BLOCK_ARRAY_BYTES: i64 = 128;

/// Iterations of a strip of a loop that looks up bytes: on the camera pipeline 8.0 ms with sixteen,
/// 8.5 ms with eight and 9.7 ms without strips (gcc 12, time of one thread; clang 16: 15.7, 13.8 and
/// 14.6 ms).
pub const STRIP_ITERATIONS: i64 = 16;

/// Bytes of the narrowest elements that vector instructions gather: AVX2 and AVX-512 have gathers of
/// 32 and 64 bits only.
pub const GATHERED_BYTES: usize = 4;

/// Cells that one iteration of a loop over cells that are sampled up computes, at most. Pyramids
/// sample up by two in each dimension; more than twice of that makes loops long and was not measured.
pub const PARITY_CELLS: i64 = 4;

/// Cells that a row in local memory may get more, so that threads along a column go to different
/// banks: for words of four bytes an odd number of cells is always near.
pub const BANK_PADDING: i64 = 8;

/// A condition that has a value in so many iterations of a loop at most has it seldom: the loop runs
/// in vain but for them. First and last iterations are what programs treat by themselves.
pub const FEW_IN_VAIN: i64 = 2;

/// Distance in bytes at which addresses collide: processors compare their low twelve bits first, and
/// first-level caches have 64 sets of 64 bytes.
pub const ALIAS_BYTES: i64 = 4096;

/// Bytes in a cache line.
pub const LINE_BYTES: i64 = 64;
