//! The library that a build script links: its C function, and the Rust function around it.

use crate::memory::Memory;
use crate::setting::{Failure, words};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::interface::{ArgumentKind, Interface};
use tilewright::scop::ScalarKind;
use tilewright_build::Build;
use tilewright_driver::host::toolchain::{Purpose, Toolchain};
use tilewright_driver::measure::library::Program;
use tilewright_driver::measure::wrapper;

/// What a build script makes of a C file, in a directory, and ways to call it.
pub struct Linked<'a> {
    file: &'a Path,
    directory: &'a Path,
    interface: &'a Interface,
    toolchain: &'a Toolchain,
}

impl<'a> Linked<'a> {
    /// Builds it.
    pub fn new(
        file: &'a Path,
        directory: &'a Path,
        interface: &'a Interface,
        toolchain: &'a Toolchain,
    ) -> Result<Linked<'a>, Failure> {
        let rustc = Command::new("rustc").arg("-vV").output()?.stdout;
        let rustc = String::from_utf8(rustc)?;
        let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
        Build::new()
            .file(file)
            .out_dir(directory)
            .target(host.ok_or("rustc does not say for what platform it is")?)
            .native(true)
            .cargo_metadata(false)
            .try_compile(&interface.function)
            .map_err(|error| error.to_string())?;
        Ok(Linked {
            file,
            directory,
            interface,
            toolchain,
        })
    }

    /// The C function.
    pub fn function(&self) -> Result<Program, Failure> {
        let name = &self.interface.function;
        let library = self.directory.join("linked.so");
        let linked = Command::new(&self.toolchain.cc)
            .args(["-shared", "-fopenmp", "-Wl,--whole-archive"])
            .arg(self.directory.join(format!("libtilewright_{name}.a")))
            .args(["-Wl,--no-whole-archive", "-lm", "-o"])
            .arg(&library)
            .status()?;
        if !linked.success() {
            return Err("the build script's library cannot be linked".into());
        }
        self.load(&library, name)
    }

    /// The Rust function, with all its checks, behind one of C's type that makes slices of what it
    /// gets: of `memory`, for that only.
    pub fn wrapper(&self, memory: &Memory) -> Result<Program, Failure> {
        let name = &self.interface.function;
        let symbol = format!("checked_{name}");
        let (mut parameters, mut passed) = (String::new(), Vec::new());
        let arguments = self.interface.arguments.iter().zip(memory.lengths());
        for (at, (argument, length)) in arguments.enumerate() {
            let (ctype, value) = match &argument.kind {
                ArgumentKind::Scalar { ctype } => match ctype.kind {
                    ScalarKind::I32 => ("i32", format!("a{at}")),
                    ScalarKind::F32 => ("f32", format!("a{at}")),
                    other => return Err(format!("an argument of type {other:?}").into()),
                },
                ArgumentKind::Array { read_only, .. } => {
                    let slice = if *read_only { "shared" } else { "alone" };
                    ("*mut c_void", format!("{slice}(a{at}, {length})"))
                }
                ArgumentKind::Unsupported { reason } => return Err(reason.clone().into()),
            };
            let _ = write!(parameters, "a{at}: {ctype}, ");
            passed.push(value);
        }
        let text = format!(
            "mod kernel {{ include!(\"{name}.rs\"); }}\n\
             use std::ffi::c_void;\n\
             use std::slice::{{from_raw_parts, from_raw_parts_mut}};\n\
             unsafe fn shared<T>(at: *mut c_void, length: usize) -> &'static [T] {{\n    \
             unsafe {{ from_raw_parts(at.cast(), length) }}\n}}\n\
             unsafe fn alone<T>(at: *mut c_void, length: usize) -> &'static mut [T] {{\n    \
             unsafe {{ from_raw_parts_mut(at.cast(), length) }}\n}}\n\
             #[unsafe(no_mangle)]\n\
             pub unsafe extern \"C\" fn {symbol}({parameters}) {{\n    \
             unsafe {{ kernel::{name}({}) }}.expect(\"arguments of the right sizes\");\n}}\n",
            passed.join(", ")
        );
        let program = self.directory.join("checked.rs");
        let library = self.directory.join("checked.so");
        fs::write(&program, text)?;
        let said = Command::new(&self.toolchain.cc)
            .arg("-print-file-name=libgomp.so")
            .output()?;
        let said = String::from_utf8(said.stdout)?;
        let mut rustc = Command::new("rustc");
        rustc
            .args(["--edition", "2024", "-O", "--crate-type", "cdylib"])
            .arg(&program)
            .arg("-o")
            .arg(&library)
            .arg("-L")
            .arg(self.directory)
            .arg("-l")
            .arg(format!("static=tilewright_{name}"))
            .args(["-l", "gomp", "-l", "m"]);
        if let Some(place) = Path::new(said.trim()).parent().filter(|p| p.is_absolute()) {
            rustc.arg("-L").arg(place);
        }
        if !rustc.status()?.success() {
            return Err("the wrapper of the build script's library cannot be built".into());
        }
        self.load(&library, &symbol)
    }

    /// A function with the type of the pipeline's, from a shared library.
    fn load(&self, library: &Path, symbol: &str) -> Result<Program, Failure> {
        let one = |diagnostic: Box<Diagnostic>| words(&diagnostic);
        let wrapped = self.directory.join(format!("{symbol}.c"));
        let caller = self.directory.join(format!("call_{symbol}.so"));
        fs::write(
            &wrapped,
            wrapper::peer(self.interface, &self.file.canonicalize()?),
        )?;
        let built = self
            .toolchain
            .build(&wrapped, &caller, Purpose::Time, None, None);
        built.map_err(one)?;
        Ok(Program::load_peer(&caller, library, symbol).map_err(one)?)
    }
}
