//! For build scripts: C with a marked loop region becomes a linked, optimised kernel with a safe
//! Rust wrapper.
//!
//! ```no_run
//! // build.rs
//! tilewright_build::Build::new()
//!     .file("kernels/blur.c")
//!     .compile("blur");
//! ```
//!
//! ```ignore
//! // src/main.rs
//! include!(concat!(env!("OUT_DIR"), "/blur.rs"));
//!
//! blur(rows, columns, &mut out, &image)?;
//! ```
//!
//! The wrapper has the C function's name and arguments: numbers as numbers, arrays as slices,
//! shared ones where the function only reads. It returns an error, and calls nothing, unless all
//! arrays have the sizes that the C signature gives them, computed without overflow, and the other
//! arguments are such that the loops stay inside of them, as far as that is known for all data.
//!
//! Whoever names a C file vouches for the rest of it: what is outside of the marked regions, and
//! subscripts that depend on data, are as C has them.

mod environment;
mod rust;
mod shim;
#[cfg(test)]
#[path = "support.rs"]
mod support;
#[cfg(test)]
mod tests;
mod unit;

use environment::Environment;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use tilewright::compile::{Options, Target};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::Plan;
use tilewright::plan::machine::Machine;
use tilewright::plan::rates::Rates;
use tilewright::planner::cost::Objective;
use tilewright::source::Source;
use tilewright_driver::diagnostics::Renderer;
use tilewright_driver::host::machine::{self, Known};
use tilewright_driver::host::output;
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::{Toolchain, quoted};
use unit::{Unit, included};

/// What kernels are optimised with, whatever the profile is: unoptimised tiles are of no use.
const OPT_LEVEL: u32 = 3;

/// What to build, and how.
#[derive(Clone, Debug)]
pub struct Build {
    files: Vec<PathBuf>,
    includes: Vec<PathBuf>,
    defines: Vec<(String, Option<String>)>,
    flags: Vec<String>,
    plan: Option<PathBuf>,
    threads: bool,
    native: bool,
    machine: Option<PathBuf>,
    estimates: Vec<(String, i64)>,
    out_dir: Option<PathBuf>,
    target: Option<String>,
    metadata: bool,
}

/// Why a kernel was not built: messages as the command line shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Default for Build {
    fn default() -> Build {
        Build::new()
    }
}

impl Build {
    /// Nothing yet.
    pub fn new() -> Build {
        Build {
            files: Vec::new(),
            includes: Vec::new(),
            defines: Vec::new(),
            flags: Vec::new(),
            plan: None,
            threads: true,
            native: false,
            machine: None,
            estimates: Vec::new(),
            out_dir: None,
            target: None,
            metadata: true,
        }
    }

    /// A C file with functions that hold marked regions. Its path is relative to the package.
    pub fn file(&mut self, path: impl AsRef<Path>) -> &mut Build {
        self.files.push(path.as_ref().to_owned());
        self
    }

    /// A directory of included files.
    pub fn include(&mut self, directory: impl AsRef<Path>) -> &mut Build {
        self.includes.push(directory.as_ref().to_owned());
        self
    }

    /// A macro, with a value or without.
    pub fn define<'a>(&mut self, name: &str, value: impl Into<Option<&'a str>>) -> &mut Build {
        let value = value.into().map(str::to_owned);
        self.defines.push((name.to_owned(), value));
        self
    }

    /// A further flag for the C compiler; it also gets what `CFLAGS` says.
    pub fn flag(&mut self, flag: &str) -> &mut Build {
        self.flags.push(flag.to_owned());
        self
    }

    /// Takes all decisions from a plan, as `tilewright compile --emit plan` and `tilewright tune`
    /// write it. With a plan there is one file.
    pub fn plan(&mut self, path: impl AsRef<Path>) -> &mut Build {
        self.plan = Some(path.as_ref().to_owned());
        self
    }

    /// Whether kernels run on all cores, with OpenMP; they do unless this says no.
    pub fn threads(&mut self, on: bool) -> &mut Build {
        self.threads = on;
        self
    }

    /// Generates code for the processor of this machine, if the program will run here; otherwise
    /// for the one that Rust is compiled for (`-C target-cpu`, `-C target-feature`).
    pub fn native(&mut self, on: bool) -> &mut Build {
        self.native = on;
        self
    }

    /// A machine file, as `tilewright calibrate` writes it, for the sizes of tiles; `none`: what
    /// is known of no particular machine. Unless this is called, and the program will run on this
    /// platform, it is this machine and its file.
    pub fn machine(&mut self, path: impl AsRef<Path>) -> &mut Build {
        self.machine = Some(path.as_ref().to_owned());
        self
    }

    /// The value that an integer argument may be expected to have, for the sizes of tiles.
    pub fn estimate(&mut self, name: &str, value: i64) -> &mut Build {
        self.estimates.push((name.to_owned(), value));
        self
    }

    /// Where results go [default: `$OUT_DIR`].
    pub fn out_dir(&mut self, directory: impl AsRef<Path>) -> &mut Build {
        self.out_dir = Some(directory.as_ref().to_owned());
        self
    }

    /// The platform that the program will run on [default: `$TARGET`].
    pub fn target(&mut self, triple: &str) -> &mut Build {
        self.target = Some(triple.to_owned());
        self
    }

    /// Whether lines for cargo are printed: they are unless this says no.
    pub fn cargo_metadata(&mut self, on: bool) -> &mut Build {
        self.metadata = on;
        self
    }

    /// Compiles, builds, and tells cargo to link; the wrapper is `$OUT_DIR/<name>.rs`.
    ///
    /// Where that is not possible, says why as warnings of cargo and ends the build script.
    pub fn compile(&self, name: &str) {
        if let Err(error) = self.try_compile(name) {
            warn(&error.0);
            eprintln!(
                "tilewright: the kernels of `{name}` were not built, for reasons given above"
            );
            std::process::exit(1);
        }
    }

    /// The same, for who wants to go on without.
    ///
    /// # Errors
    /// What is wrong with a file, as the command line would show it.
    pub fn try_compile(&self, name: &str) -> Result<(), Error> {
        let environment =
            Environment::read(self.out_dir.as_ref(), self.target.as_ref()).map_err(Error)?;
        self.check(name).map_err(Error)?;
        let (cc, toolchain, threads) = self.compiler(&environment)?;
        let known = self.known(&environment)?;
        let mut objects = Vec::new();
        let mut units = Vec::new();
        for (number, path) in self.files.iter().enumerate() {
            let unit = self.unit(path, &toolchain, &known, threads)?;
            let kernels = self.kernels(&unit)?;
            let stem = format!("{name}.{number}");
            let object = unit.build(name, &stem, &kernels, &toolchain, &environment)?;
            objects.push(object);
            units.push(unit);
        }
        self.check_estimates(&units)?;
        let mut kernels = Vec::new();
        for unit in &units {
            kernels.extend(self.wrapped(unit));
        }
        let mut seen = BTreeSet::new();
        if let Some(kernel) = kernels.iter().find(|k| !seen.insert(&k.interface.function)) {
            let function = &kernel.interface.function;
            return Err(Error(format!(
                "error: two files have a kernel `{function}`: give each a library of its own"
            )));
        }
        let wrapper = environment.out_dir.join(format!("{name}.rs"));
        written(&wrapper, &rust::text(name, &kernels))?;
        self.link(name, &cc, &objects, threads)
    }

    /// What is wrong with the options.
    fn check(&self, name: &str) -> Result<(), String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!(
                "error: `{name}` cannot be a library's name: use letters, digits, `_` and `-`"
            ));
        }
        if self.files.is_empty() {
            return Err(format!(
                "error: `{name}` has no file: name one with `.file(…)`"
            ));
        }
        if self.plan.is_some() && self.files.len() > 1 {
            return Err(format!(
                "error: `{name}` has a plan and several files: a plan is for one, use a library \
                 for each"
            ));
        }
        Ok(())
    }

    /// Refuses expected values of arguments that no region has.
    fn check_estimates(&self, units: &[Unit]) -> Result<(), Error> {
        let known: BTreeSet<&String> = units.iter().flat_map(|u| &u.compiled.parameters).collect();
        match self
            .estimates
            .iter()
            .find(|(name, _)| !known.contains(name))
        {
            None => Ok(()),
            Some((name, _)) => Err(Error(format!(
                "error: no region has the parameter `{name}` of `.estimate`; there are: {}",
                known.into_iter().cloned().collect::<Vec<_>>().join(", ")
            ))),
        }
    }

    /// The C compiler as the `cc` crate finds it, and whether it knows OpenMP.
    fn compiler(&self, environment: &Environment) -> Result<(cc::Build, Toolchain, bool), Error> {
        let mut cc = cc::Build::new();
        cc.opt_level(OPT_LEVEL)
            .warnings(false)
            .out_dir(&environment.out_dir)
            .target(&environment.target)
            .host(&environment.host)
            .cargo_metadata(self.metadata);
        for directory in &self.includes {
            cc.include(directory);
        }
        for (name, value) in &self.defines {
            cc.define(name, value.as_deref());
        }
        let failed = |error: cc::Error| Error(format!("error: no C compiler: {error}"));
        if let Some(flag) = environment.processor(self.native) {
            if cc.is_flag_supported(&flag).map_err(failed)? {
                cc.flag(&flag);
            } else {
                self.warn(&format!("warning: the C compiler does not know `{flag}`"));
            }
        }
        let mut threads = self.threads;
        if threads {
            threads = cc.is_flag_supported("-fopenmp").map_err(failed)?;
            if threads {
                cc.flag("-fopenmp");
            } else {
                self.warn(
                    "warning: the C compiler does not know OpenMP: kernels run on one core; \
                     `.threads(false)` says that this is meant",
                )
            }
        }
        for flag in &self.flags {
            cc.flag(flag);
        }
        let tool = cc.try_get_compiler().map_err(failed)?;
        if tool.is_like_msvc() {
            return Err(Error(
                "error: kernels are built with gcc or clang: name one in the variable CC"
                    .to_owned(),
            ));
        }
        // All of them, `CC_<target>`, `CFLAGS` and their like, are in what `cc` found.
        let wrapper = tool.cc_env();
        let command = if wrapper.is_empty() {
            quoted(&tool.path().display().to_string())
        } else {
            wrapper.to_string_lossy().into_owned()
        };
        let toolchain = Toolchain {
            cc: command,
            cflags: tool
                .args()
                .iter()
                .map(|flag| flag.to_string_lossy().into_owned())
                .collect(),
            ..Toolchain::default()
        };
        Ok((cc, toolchain, threads))
    }

    /// The machine that tiles are for.
    fn known(&self, environment: &Environment) -> Result<Known, Error> {
        self.say(&format!("rerun-if-env-changed={}", machine::VARIABLE));
        let none = self.machine.as_deref() == Some(Path::new(machine::NO_FILE));
        if none || (self.machine.is_none() && environment.is_cross()) {
            return Ok(Known {
                machine: Machine::default(),
                rates: Rates::default(),
                file: None,
            });
        }
        let render = |error: Box<Diagnostic>| Error(rendered(&[*error], None));
        let known = match &self.machine {
            // What the file leaves out is of no machine in particular, not of this one.
            Some(file) if environment.is_cross() => {
                let read = machine::read(file).map_err(render)?;
                Known {
                    machine: read.machine.or(&Machine::default()),
                    rates: read.rates,
                    file: Some(file.clone()),
                }
            }
            file => machine::known(file.as_deref()).map_err(render)?,
        };
        if let Some(file) = &known.file {
            self.rerun_for(file);
        }
        Ok(known)
    }

    /// Reads and compiles one file.
    fn unit(
        &self,
        path: &Path,
        toolchain: &Toolchain,
        known: &Known,
        threads: bool,
    ) -> Result<Unit, Error> {
        self.rerun_for(path);
        let source = preprocess(path, toolchain).map_err(|mut error| {
            // In terms of a build script.
            error.help = error
                .help
                .map(|help| help.replace("-I DIR", "`.include(dir)`"));
            let source = Source {
                name: path.display().to_string(),
                text: fs::read_to_string(path).unwrap_or_default(),
                preprocessed: String::new(),
                ..Source::default()
            };
            Error(rendered(&[*error], Some(&source)))
        })?;
        for file in included(&source) {
            self.rerun_for(Path::new(&file));
        }
        let plan = self.plan.as_deref().map(|plan| {
            self.rerun_for(plan);
            read_plan(plan).map_err(|error| Error(rendered(&[*error], None)))
        });
        let plan = plan.transpose()?;
        let mut options = Options {
            target: if threads { Target::OpenMp } else { Target::C },
            contracts: true,
            ..Options::default()
        };
        options.wishes.machine = known.machine.clone();
        options.wishes.objective = Objective::Time(known.rates);
        options.wishes.processor.parallel = threads;
        options.wishes.estimates = self.estimates.iter().cloned().collect();
        let compiled = tilewright::compile::compile(&source, &options, plan.as_ref(), &mut |_| {})
            .map_err(|errors| Error(rendered(&errors, Some(&source))))?;
        if !compiled.warnings.is_empty() {
            self.warn(&rendered(&compiled.warnings, Some(&source)));
        }
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Unit {
            source,
            compiled,
            directory,
        })
    }

    /// The functions of a file that get a wrapper; those that cannot have one are told of.
    fn kernels<'a>(&self, unit: &'a Unit) -> Result<Vec<rust::Kernel<'a>>, Error> {
        let mut reasons = Vec::new();
        for kernel in unit.all() {
            if let Some(reason) = kernel.obstacle() {
                let function = &kernel.interface.function;
                reasons.push(format!("`{function}` cannot have a safe wrapper: {reason}"));
            }
        }
        let kernels: Vec<rust::Kernel> = self.wrapped(unit).collect();
        if kernels.is_empty() {
            let mut error = Diagnostic::error(
                Code::UnsupportedType,
                format!("{} has no kernel that Rust can call", unit.source.name),
            );
            error.notes = reasons;
            let error = error.help("pass numbers, and arrays of numbers with their extents");
            return Err(Error(rendered(&[error], None)));
        }
        for reason in reasons {
            self.warn(&format!("warning: {reason}"));
        }
        Ok(kernels)
    }

    fn wrapped<'a>(&self, unit: &'a Unit) -> impl Iterator<Item = rust::Kernel<'a>> + use<'a> {
        unit.all().filter(|kernel| kernel.obstacle().is_none())
    }

    /// Puts the objects into a library and tells cargo what to link.
    fn link(
        &self,
        name: &str,
        cc: &cc::Build,
        objects: &[PathBuf],
        threads: bool,
    ) -> Result<(), Error> {
        let failed =
            |error: cc::Error| Error(format!("error: `{name}` cannot be put together: {error}"));
        let tool = cc.try_get_compiler().map_err(failed)?;
        let mut archive = cc.clone();
        // The name of the library must not be that of one that the system has.
        archive.objects(objects);
        archive
            .try_compile(&format!("tilewright_{name}"))
            .map_err(failed)?;
        if threads {
            let library = if tool.is_like_clang() { "omp" } else { "gomp" };
            self.search_for(&tool, library);
            self.say(&format!("rustc-link-lib={library}"));
        }
        self.say("rustc-link-lib=m");
        Ok(())
    }

    /// Where the C compiler has a library of its own, which the linker may not know.
    fn search_for(&self, tool: &cc::Tool, library: &str) {
        let mut command = tool.to_command();
        command.arg(format!("-print-file-name=lib{library}.so"));
        let said = command.output().map(|output| output.stdout);
        let said = String::from_utf8(said.unwrap_or_default()).unwrap_or_default();
        let directory = Path::new(said.trim()).parent();
        // A name without a directory says that it has none.
        if let Some(directory) = directory.filter(|directory| directory.is_absolute()) {
            self.say(&format!("rustc-link-search=native={}", directory.display()));
        }
    }

    fn rerun_for(&self, path: &Path) {
        self.say(&format!("rerun-if-changed={}", path.display()));
    }

    fn say(&self, line: &str) {
        if self.metadata {
            println!("cargo:{line}");
        }
    }

    fn warn(&self, text: &str) {
        if self.metadata {
            warn(text);
        }
    }
}

/// Prints a text as warnings of cargo, which are lines.
fn warn(text: &str) {
    for line in text.lines() {
        println!("cargo:warning={line}");
    }
}

fn rendered(diagnostics: &[Diagnostic], source: Option<&Source>) -> String {
    let renderer = Renderer::new(false);
    let each = diagnostics.iter().map(|d| renderer.render(d, source));
    each.collect::<Vec<_>>().join("\n")
}

/// Writes a file where its text is another, so that what depends on it stays as it is.
fn written(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    output::write(path, text.as_bytes()).map_err(|error| Error(rendered(&[*error], None)))
}

fn read_plan(path: &Path) -> Result<Plan, Box<Diagnostic>> {
    let refuse = |reason: String| {
        let message = format!("cannot use the plan {}: {reason}", path.display());
        Box::new(Diagnostic::error(Code::PlanMismatch, message))
    };
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    Plan::from_toml(&text).map_err(|reason| refuse(reason.trim_end().to_owned()))
}
