//! Tiles over time on devices.

/// Tiles over time on a device, where none are given, by dimensions of space: the height in logical
/// time, then the extents. Overlapped ones have those that the model of devices finds. Two arrays of
/// `double` with what pyramids are wider at their base fit into [`super::LOCAL_MEMORY`] for one and
/// two dimensions, and rows are a warp's.
pub const DEVICE_TIME_TILES: [&[i64]; 3] = [&[64, 512], &[8, 16, 32], &[2, 4, 4, 32]];

/// Heights of overlapped tiles over time that the model of devices tries, in iterations of the time
/// loop.
pub const DEVICE_TIME_HEIGHTS: [i64; 13] = [1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256];

/// Cells that they load in each dimension, halo included, innermost first: rows of one to eight
/// warps, columns of the threads of [`super::DEVICE_BLOCKS`] along y, and planes, which follow each other.
pub const DEVICE_TIME_BOXES: [&[i64]; 3] = [
    &[32, 64, 96, 128, 160, 192, 256],
    &[8, 16, 24, 32, 40, 48, 64, 80, 96, 128],
    &[4, 6, 8, 10, 12, 16, 20, 24, 32],
];

/// The same of lines, on which all threads of a block are along x.
pub const DEVICE_TIME_LINES: [i64; 8] = [128, 256, 512, 768, 1024, 2048, 3072, 4096];

/// Barriers of a tile over time besides one for each unit of time: behind what is copied in, and
/// before what is copied out.
pub const DEVICE_TIME_BARRIERS: i64 = 2;

/// Height of diamonds in one dimension of space on a device, which at their middle are as wide: a
/// cell for every thread of a block of [`super::BLOCK_THREADS`].
pub const DEVICE_DIAMOND_HEIGHT: i64 = 256;
