//! CUDA and HIP without a GPU, for tests: programs by `tests/cuda/nvcc` and `hipcc` run on the
//! processor, blocks one after another, the threads of a block as fibres that have to meet at the
//! same barriers. Which of them is first changes from one barrier to the next.

use crate::running::{directory, is_there, root};
use std::process::Command;
use std::sync::Once;

/// Whether there is the compiler for C++ that `tests/cuda/nvcc` takes.
pub fn has_fibres() -> bool {
    let compiler = std::env::var_os("CXX").unwrap_or("g++".into());
    let there = Command::new(&compiler).arg("--version").output().is_ok();
    is_there(there, &compiler.to_string_lossy())
}

/// `tilewright run` for `cuda` or `hip` on fibres, in a quick build and without times.
pub fn on_fibres(mut command: Command, target: &str) -> Command {
    static LIBRARY: Once = Once::new();
    let directory = directory("cuda_runtime");
    // Nothing of the run-time libraries is needed, but the linker asks for them.
    LIBRARY.call_once(|| {
        for name in ["libcudart_static.a", "libamdhip64.a"] {
            std::fs::write(directory.join(name), "!<arch>\n").expect("a file in target");
        }
    });
    command.args(["--target", target, "--runs", "0", "--json"]);
    command.args(["--cflags", "-O0 -fopenmp"]);
    command
        .env("NVCC", root().join("tests/cuda/nvcc"))
        .env("HIPCC", root().join("tests/cuda/hipcc"))
        .env("LIBRARY_PATH", directory);
    command
}
