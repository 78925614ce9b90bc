//! Devices: which there are, what they can do, and what a program needs to run on one.
//!
//! The compiler's own C (CUDA, HIP) files ask the driver for devices, so what is found is what
//! generated code will find: the same headers, library and driver. What lists devices is built once
//! and kept in the [cache](crate::cache), as every `run` asks for the limits of its device.

use crate::Result;
use crate::cache::{Cache, Parts};
use crate::host::process;
use crate::host::toolchain::{Purpose, Toolchain};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use tilewright::codegen::c::devices::languages::in_hip;
use tilewright::compile::Target;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::gpu::Gpu;

/// The environment variable that generated programs read the number of their device from.
pub const DEVICE: &str = "TILEWRIGHT_DEVICE";

/// A compiler of C++ for devices and their host.
#[derive(Clone, Copy, Debug)]
struct Compiler {
    target: Target,
    /// As people call the language.
    language: &'static str,
    /// Its name.
    name: &'static str,
    /// The environment variable that names another one.
    variable: &'static str,
    /// Flags like those of the C compiler for comparisons.
    flags: &'static [&'static str],
    /// Libraries that programs are linked with.
    libraries: &'static [&'static str],
    /// Where to get it.
    help: &'static str,
}

const NVCC: Compiler = Compiler {
    target: Target::Cuda,
    language: "CUDA",
    name: "nvcc",
    variable: "NVCC",
    // Without an architecture the driver would translate the oldest one's instructions.
    flags: &[
        "-O3",
        "-arch=native",
        "-fmad=false",
        "-Xcompiler",
        "-fPIC,-w",
        "-c",
    ],
    libraries: &["-lcudart_static", "-lrt", "-lpthread", "-ldl", "-lstdc++"],
    help: "install it, for example with `pip install nvidia-cuda-nvcc`, and name it in the \
           environment variable NVCC",
};

const HIPCC: Compiler = Compiler {
    target: Target::Hip,
    language: "HIP",
    name: "hipcc",
    variable: "HIPCC",
    flags: &["-O3", "-ffp-contract=off", "-fPIC", "-w", "-c"],
    libraries: &["-lamdhip64", "-lstdc++"],
    help: "install ROCm, and name it in the environment variable HIPCC if it is not on the path",
};

/// The compiler for a target whose device has a file of its own.
fn compiler(target: Target) -> Option<Compiler> {
    [NVCC, HIPCC].into_iter().find(|one| one.target == target)
}

impl Compiler {
    /// Where it is.
    ///
    /// # Errors
    /// `TW0506` where there is none.
    fn find(&self) -> Result<PathBuf> {
        if let Some(named) = env::var_os(self.variable).filter(|name| !name.is_empty()) {
            return Ok(PathBuf::from(named));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let mut files = env::split_paths(&path).map(|directory| directory.join(self.name));
        let found = files.find(|file| file.is_file());
        found.ok_or_else(|| {
            let (language, name) = (self.language, self.name);
            let message = format!("there is no {language} compiler: `{name}` is not on the path");
            Box::new(Diagnostic::error(Code::NoDevice, message).help(self.help))
        })
    }

    /// What programs are linked with; the run-time library is beside the compiler, at `file`.
    fn library_flags(&self, file: &Path) -> Vec<OsString> {
        let mut flags = Vec::new();
        let root = file.canonicalize().ok();
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
        flags.extend(self.libraries.iter().map(OsString::from));
        flags
    }
}

/// A device as its driver describes it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Device {
    /// Number, for [`DEVICE`].
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
    /// It is a GPU, which programs take before others.
    #[serde(rename = "gpu")]
    pub is_gpu: bool,
    /// Threads that a processor holds at a time; 0 where the driver does not say.
    pub resident_threads: u64,
    /// Bytes of local memory of a processor; 0 where the driver does not say.
    pub processor_memory: u64,
    /// Registers of a processor; 0 where the driver does not say.
    pub registers: u64,
    /// Megabytes per second from and to its memory at most; 0 where the driver does not say.
    pub bandwidth: u64,
}

impl Device {
    /// The device in numbers: what its driver says, and else what is known of devices of its name.
    pub fn gpu(&self) -> Gpu {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX).max(1);
        let known = Gpu::like(&self.name, number(self.processors));
        let or = |said: u64, known: i64| match said {
            0 => known,
            said => number(said),
        };
        Gpu {
            processors: number(self.processors),
            block_threads: number(self.threads),
            block_memory: number(self.local_memory),
            threads: or(self.resident_threads, known.threads),
            memory: or(self.processor_memory, known.memory),
            registers: or(self.registers, known.registers),
            bandwidth: match self.bandwidth {
                0 => known.bandwidth,
                // 10^6 bytes in 10^9 ns.
                said => said as f64 / 1e3,
            },
            ..known
        }
    }
}

/// Lists the devices for a target.
///
/// # Errors
/// `TW0506` where there is no driver, or what is needed to build for it is missing.
pub fn devices(target: Target, toolchain: &Toolchain) -> Result<Vec<Device>> {
    let file = match compiler(target) {
        Some(compiler) => Some((compiler, compiler.find()?)),
        None => None,
    };
    let text = match target {
        Target::Hip => in_hip(include_str!("cuda.cu")),
        Target::Cuda => include_str!("cuda.cu").to_owned(),
        _ => include_str!("opencl.c").to_owned(),
    };
    let parts = Parts::new("devices").with("text", &text);
    let key = match &file {
        Some((_, file)) => {
            // One that does not say anything is told from others by its name.
            let version = call(Command::new(file).arg("--version"), toolchain, target);
            let version = version.unwrap_or_default();
            let parts = parts.with("file", &file.to_string_lossy());
            parts.with("compiler", &version)
        }
        None => parts.built_by(toolchain, Purpose::Time),
    };
    let build = |program: &Path| {
        let extension = target.own_file().unwrap_or("c");
        let source = program.with_extension(extension);
        write(&source, &text)?;
        let mut command = match &file {
            Some((compiler, file)) => {
                let mut command = Command::new(file);
                command.arg("-o").arg(program).arg(&source);
                command.args(compiler.library_flags(file));
                command
            }
            None => {
                let mut command = toolchain.command();
                command.args(["-w", "-x", "c"]).arg(&source);
                command.args(["-x", "none"]).arg("-o").arg(program);
                command.args(&toolchain.ldflags).arg("-lOpenCL");
                command
            }
        };
        let built = call(&mut command, toolchain, target);
        let _ = fs::remove_file(&source);
        built.map(|_| ())
    };
    let said = |program: &Path| call(&mut Command::new(program), toolchain, target);
    let said = Cache::open().loaded(&key.key(), build, said)?;
    let found: Vec<Device> = said.lines().filter_map(read).collect();
    if found.is_empty() {
        Err(none("the driver has no device", target))
    } else {
        Ok(found)
    }
}

/// The device that programs take: the one that [`DEVICE`] names, else the first GPU, else the
/// first.
///
/// # Errors
/// As [`devices`]; `TW0506` where there is no device of that number.
pub fn chosen(target: Target, toolchain: &Toolchain) -> Result<Device> {
    let mut all = devices(target, toolchain)?;
    let position = match env::var(DEVICE) {
        Ok(number) => {
            let named = |device: &Device| number.trim() == device.number.to_string();
            let position = all.iter().position(named);
            position.ok_or_else(|| {
                none(
                    &format!(
                        "{DEVICE} is {number}, and there are devices up to number {}",
                        all.len() - 1
                    ),
                    target,
                )
            })?
        }
        Err(_) => all.iter().position(|device| device.is_gpu).unwrap_or(0),
    };
    Ok(all.swap_remove(position))
}

/// `number TAB name TAB platform TAB local memory TAB threads TAB processors TAB whether a GPU`, and
/// where the driver says so `TAB resident threads TAB processor memory TAB registers TAB bandwidth`
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
        is_gpu: field()? == "1",
        resident_threads: field().and_then(|f| f.parse().ok()).unwrap_or(0),
        processor_memory: field().and_then(|f| f.parse().ok()).unwrap_or(0),
        registers: field().and_then(|f| f.parse().ok()).unwrap_or(0),
        bandwidth: field().and_then(|f| f.parse().ok()).unwrap_or(0),
    })
}

/// Compiles the file of a target's device to an object, and returns what the program is linked with
/// for it.
///
/// # Errors
/// `TW0506` without a compiler for the target, `TW0501` where it fails.
pub fn build(
    target: Target,
    source: &Path,
    object: &Path,
    toolchain: &Toolchain,
) -> Result<Vec<OsString>> {
    let Some(compiler) = compiler(target) else {
        return Ok(vec![OsString::from("-lOpenCL")]);
    };
    let file = compiler.find()?;
    let mut command = Command::new(&file);
    command
        .args(compiler.flags)
        .arg("-o")
        .arg(object)
        .arg(source);
    let finished = process::run(&mut command, toolchain.limit)
        .map_err(|error| none(&crate::host::output::words(&error), target))?;
    if !finished.success() {
        let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
        let message = format!(
            "the {} compiler refused what was generated",
            compiler.language
        );
        let diagnostic = Diagnostic::error(Code::CompilerFailed, message).note(stderr);
        return Err(Box::new(diagnostic));
    }
    let mut flags = vec![object.as_os_str().to_owned()];
    flags.extend(compiler.library_flags(&file));
    Ok(flags)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|error: io::Error| {
        let reason = crate::host::output::words(&error);
        let message = format!("cannot use the directory for temporary files: {reason}");
        Box::new(Diagnostic::error(Code::UnwritableOutput, message))
    })
}

/// Runs a command and returns what it says.
fn call(command: &mut Command, toolchain: &Toolchain, target: Target) -> Result<String> {
    let finished = process::run(command, toolchain.limit)
        .map_err(|error| none(&crate::host::output::words(&error), target))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if finished.success() {
        Ok(text(&finished.stdout))
    } else {
        Err(none(text(&finished.stderr).trim(), target))
    }
}

fn none(reason: &str, target: Target) -> Box<Diagnostic> {
    let (message, help) = match target {
        Target::Cuda => (
            "there is no CUDA device that can be used",
            "CUDA needs an NVIDIA GPU with its driver; `--target opencl` runs on others, and on \
             the processor with PoCL",
        ),
        Target::Hip => (
            "there is no HIP device that can be used",
            "HIP needs an AMD GPU with ROCm; `--target opencl` runs on others, and on the \
             processor with PoCL",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_what_their_drivers_say() {
        let line = "1\tNVIDIA H200\tCUDA 9.0\t232448\t1024\t66\t1\t2048\t233472\t65536\t4800000\n";
        let device = read(line).expect("a device");
        let known = Gpu::named("h200").expect("known");
        let expected = Gpu {
            processors: 66,
            ..known
        };
        assert_eq!((device.number, device.is_gpu), (1, true));
        assert_eq!(device.gpu(), expected);
        // OpenCL says less.
        let device = read("0\tcpu\tPoCL\t524288\t4096\t2\t0\n").expect("a device");
        let gpu = device.gpu();
        assert_eq!((gpu.block_memory, gpu.block_threads), (512 << 10, 4096));
        assert_eq!(gpu.threads, Gpu::default().threads);
        assert!(gpu.bandwidth < Gpu::default().bandwidth);
        assert_eq!(read("0\tcpu"), None);
    }
}
