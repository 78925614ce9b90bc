//! The machine: files, processes, the clock, devices, the preprocessor and the C compiler.

pub mod clock;
pub mod cplusplus;
pub mod device;
mod dialect;
pub mod input;
pub mod machine;
pub mod output;
pub mod preprocess;
pub mod process;
pub mod toolchain;
pub(crate) mod wide;
