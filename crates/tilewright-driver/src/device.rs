//! Devices: which there are, and what a program needs to run on one.
//!
//! The compiler's own C (and CUDA) files ask the driver for devices, so what is found is what
//! generated code will find: the same headers, library and driver.

use crate::Result;
use crate::process;
use crate::toolchain::Toolchain;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use tilewright::compile::Target;
use tilewright::diagnostic::{Code, Diagnostic};

/// The environment variable that names the CUDA compiler.
pub const NVCC: &str = "NVCC";

/// Flags of the CUDA compiler: like those of the C compiler for comparisons.
const NVCC_FLAGS: [&str; 5] = ["-O3", "-fmad=false", "-Xcompiler", "-fPIC,-w", "-c"];

/// A device as its driver describes it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Device {
    /// Number, for `TILEWRIGHT_DEVICE`.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// The platform, or the driver's version.
    pub platform: String,
    /// Bytes of local (shared) memory of a block.
    pub local_memory: u64,
    /// Most threads of a block.
    pub threads: u64,
    /// Processors (compute units, multiprocessors).
    pub processors: u64,
}

/// Lists the devices for a target.
///
/// # Errors
/// `TW0506` where there is no driver, or what is needed to build for it is missing.
pub fn devices(target: Target, toolchain: &Toolchain) -> Result<Vec<Device>> {
    let directory = tempfile::Builder::new()
        .prefix("tilewright-")
        .tempdir()
        .map_err(|error| none(&crate::output::words(&error), target))?;
    let program = directory.path().join("devices");
    match target {
        Target::Cuda => {
            let nvcc = nvcc()?;
            let source = directory.path().join("devices.cu");
            write(&source, include_str!("device/cuda.cu"))?;
            let mut command = Command::new(&nvcc);
            command.arg("-o").arg(&program).arg(&source);
            command.args(library_flags(&nvcc));
            call(&mut command, toolchain, target)?;
        }
        _ => {
            let source = directory.path().join("devices.c");
            write(&source, include_str!("device/opencl.c"))?;
            let mut command = toolchain.command();
            command.arg("-w").arg("-o").arg(&program).arg(&source);
            command.args(&toolchain.ldflags).arg("-lOpenCL");
            call(&mut command, toolchain, target)?;
        }
    }
    let said = call(&mut Command::new(&program), toolchain, target)?;
    let found: Vec<Device> = said.lines().filter_map(read).collect();
    match found.is_empty() {
        true => Err(none("the driver has no device", target)),
        false => Ok(found),
    }
}

/// `number TAB name TAB platform TAB local memory TAB threads TAB processors`
fn read(line: &str) -> Option<Device> {
    let mut fields = line.split('\t');
    let mut field = || fields.next().map(str::trim);
    Some(Device {
        number: field()?.parse().ok()?,
        name: field()?.to_owned(),
        platform: field()?.to_owned(),
        local_memory: field()?.parse().ok()?,
        threads: field()?.parse().ok()?,
        processors: field()?.parse().ok()?,
    })
}

/// The CUDA compiler: `$NVCC`, else `nvcc` on the path.
///
/// # Errors
/// `TW0506` where there is none.
pub fn nvcc() -> Result<PathBuf> {
    if let Some(named) = env::var_os(NVCC).filter(|name| !name.is_empty()) {
        return Ok(PathBuf::from(named));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&path).map(|directory| directory.join("nvcc"));
    let found = files.find(|file| file.is_file());
    found.ok_or_else(|| {
        let message = "there is no CUDA compiler: `nvcc` is not on the path";
        let help = "install it, for example with `pip install nvidia-cuda-nvcc`, and name it in \
                    the environment variable NVCC";
        Box::new(Diagnostic::error(Code::NoDevice, message).help(help))
    })
}

/// Compiles a CUDA file to an object, and returns what the program is linked with for it.
///
/// # Errors
/// `TW0506` without a CUDA compiler, `TW0501` where it fails.
pub fn build_cuda(source: &Path, object: &Path, toolchain: &Toolchain) -> Result<Vec<OsString>> {
    let nvcc = nvcc()?;
    let mut command = Command::new(&nvcc);
    command.args(NVCC_FLAGS).arg("-o").arg(object).arg(source);
    let finished = process::run(&mut command, toolchain.limit)
        .map_err(|error| none(&crate::output::words(&error), Target::Cuda))?;
    if !finished.success() {
        let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
        let message = "the CUDA compiler refused what was generated";
        let diagnostic = Diagnostic::error(Code::CompilerFailed, message).note(stderr);
        return Err(Box::new(diagnostic));
    }
    let mut flags = vec![object.as_os_str().to_owned()];
    flags.extend(library_flags(&nvcc));
    Ok(flags)
}

/// Where the run-time library is: beside the compiler.
fn library_flags(nvcc: &Path) -> Vec<OsString> {
    let mut flags = Vec::new();
    let root = nvcc.canonicalize().ok();
    let root = root
        .as_deref()
        .and_then(Path::parent)
        .and_then(Path::parent);
    for name in ["lib64", "lib"] {
        if let Some(directory) = root.map(|root| root.join(name)).filter(|d| d.is_dir()) {
            let mut flag = OsString::from("-L");
            flag.push(&directory);
            flags.push(flag);
        }
    }
    flags.extend(["-lcudart_static", "-lrt", "-lpthread", "-ldl", "-lstdc++"].map(OsString::from));
    flags
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|error: io::Error| {
        let reason = crate::output::words(&error);
        let message = format!("cannot use the directory for temporary files: {reason}");
        Box::new(Diagnostic::error(Code::UnwritableOutput, message))
    })
}

/// Runs a command and returns what it says.
fn call(command: &mut Command, toolchain: &Toolchain, target: Target) -> Result<String> {
    let finished = process::run(command, toolchain.limit)
        .map_err(|error| none(&crate::output::words(&error), target))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match finished.success() {
        true => Ok(text(&finished.stdout)),
        false => Err(none(text(&finished.stderr).trim(), target)),
    }
}

fn none(reason: &str, target: Target) -> Box<Diagnostic> {
    let (message, help) = match target {
        Target::Cuda => (
            "there is no CUDA device that can be used",
            "CUDA needs an NVIDIA GPU with its driver; `--target opencl` runs on others, and on \
             the processor with PoCL",
        ),
        _ => (
            "there is no OpenCL device that can be used",
            "install a driver (for the processor: pocl-opencl-icd) and what programs are built \
             with (ocl-icd-opencl-dev)",
        ),
    };
    let reason: Vec<&str> = reason.lines().take(4).collect();
    let diagnostic = Diagnostic::error(Code::NoDevice, message).note(reason.join("\n"));
    Box::new(diagnostic.help(help))
}
