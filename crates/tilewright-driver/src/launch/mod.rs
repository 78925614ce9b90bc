//! What stands in front of a C compiler in a build: calls that compile C with optimisation get another text
//! for each file, everything else is passed on as it is.
//!
//! A build never breaks because of it. Where no text is made for a file, for whatever reason, or the compiler
//! does not take one, the call is made as it was. Messages speak of the lines of the original ([`lines`]).
//!
//! Threads need OpenMP's library. Calls that link what uses it link it; who links an object of gcc's by other
//! means, which do not know of it, gets one thread: what a text calls of the library is weak, and asked for
//! ([`preamble`]). Objects of other compilers start no threads.

pub mod database;
pub mod dependences;
pub mod invocation;
pub mod lines;
pub mod nests;

use crate::cache::{Cache, Parts};
use crate::host::process;
use crate::host::toolchain::quoted;
use invocation::Invocation;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// What the compiler's OpenMP is asked for by.
pub const OPENMP: &str = "-fopenmp";

/// The condition under which a text may start threads.
pub const LIBRARY: &str = "tw_has_threads()";

/// Functions of GNU's library for OpenMP that gcc calls for the pragmas that are written.
const LIBRARIES: [&str; 30] = [
    "omp_get_max_threads",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "GOMP_parallel",
    "GOMP_parallel_reductions",
    "GOMP_barrier",
    "GOMP_single_start",
    "GOMP_atomic_start",
    "GOMP_atomic_end",
    "GOMP_critical_start",
    "GOMP_critical_end",
    "GOMP_loop_end",
    "GOMP_loop_end_nowait",
    "GOMP_loop_dynamic_start",
    "GOMP_loop_dynamic_next",
    "GOMP_loop_guided_start",
    "GOMP_loop_guided_next",
    "GOMP_loop_nonmonotonic_dynamic_start",
    "GOMP_loop_nonmonotonic_dynamic_next",
    "GOMP_loop_nonmonotonic_guided_start",
    "GOMP_loop_nonmonotonic_guided_next",
    "GOMP_loop_ull_dynamic_start",
    "GOMP_loop_ull_dynamic_next",
    "GOMP_loop_ull_nonmonotonic_dynamic_start",
    "GOMP_loop_ull_nonmonotonic_dynamic_next",
    "GOMP_parallel_loop_static",
    "GOMP_parallel_loop_dynamic",
    "GOMP_parallel_loop_guided",
    "GOMP_parallel_loop_nonmonotonic_dynamic",
    "GOMP_parallel_loop_nonmonotonic_guided",
];

/// One of them that every text with threads calls, for each library, and the library's name.
const STARTS: [(&str, &str); 2] = [("GOMP_parallel", "gomp"), ("__kmpc_fork_call", "omp")];

/// A text that was made of a C file.
#[derive(Clone, Debug)]
pub struct Made {
    /// The text, with marks of its lines.
    pub text: String,
    /// Whether it may start threads.
    pub threads: bool,
    /// Whether the original has pragmas of OpenMP, which mean nothing in this build.
    pub has_pragmas: bool,
}

/// Makes a text of the C file with this number among the arguments, or of none where nothing is to be
/// gained or known. `threads`: whether it may start some.
pub type Maker<'a> = dyn FnMut(&Invocation, usize, bool) -> Option<Made> + 'a;

/// How a call is to be done.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Whether texts may start threads.
    pub threads: bool,
    /// The longest time that the linker is tried for.
    pub limit: Duration,
}

impl Launch {
    /// Does what a command line asks for; says how the compiler ended.
    ///
    /// # Errors
    /// Where the compiler cannot be started.
    pub fn run(&self, call: &Invocation, make: &mut Maker<'_>) -> io::Result<ExitStatus> {
        let files = match call.links && !given(call) {
            true => call.linked(),
            false => Vec::new(),
        };
        let used = STARTS
            .iter()
            .filter(|(start, _)| files.iter().any(|file| calls(file, start)));
        let used: Vec<&str> = used.map(|(_, library)| *library).collect();
        let libraries = linking(&used);
        if call.left.is_none() && !call.sources.is_empty() {
            if let Some(status) = self.with_texts(call, &libraries, make) {
                return Ok(status);
            }
        }
        let all = call.with_front(libraries, &call.arguments);
        command(call, &all).status()
    }

    /// The call with texts in the place of files; `None` where there are none, or it does not succeed.
    fn with_texts(
        &self,
        call: &Invocation,
        libraries: &[OsString],
        make: &mut Maker<'_>,
    ) -> Option<ExitStatus> {
        // What one file needs all get: pragmas of another one would mean something.
        let several = call.sources.len() > 1 && !given(call);
        let pragmas = several
            && call
                .sources
                .iter()
                .any(|&source| names_openmp(call.path(source)));
        let library = match self.threads && !pragmas {
            true => self.library(call),
            false => None,
        };
        // What clang calls of its library it calls where a function begins, whether or not threads are
        // started: it cannot be missing.
        let library = library.filter(|name| call.links || given(call) || *name == STARTS[0].1);
        let texts = call.sources.iter();
        let texts: Vec<(usize, Made)> = texts
            .filter_map(|&source| Some((source, make(call, source, library.is_some())?)))
            .collect();
        if texts.is_empty() {
            return None;
        }
        let folder = TempDir::with_prefix("tilewright-").ok()?;
        let mut arguments = call.arguments.clone();
        let mut front = Vec::new();
        let mut renamed = Vec::new();
        let (mut starts, mut pragmas) = (false, false);
        for (number, (source, made)) in texts.iter().enumerate() {
            let path = call.path(*source);
            // Files of one name may stand in several directories.
            let own = folder.path().join(number.to_string());
            fs::create_dir(&own).ok()?;
            let copy = own.join(path.file_name()?);
            fs::write(&copy, &made.text).ok()?;
            let directory = match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            front.extend([OsString::from("-iquote"), directory.into()]);
            // Debuggers look for the original.
            let mut map = OsString::from("-fdebug-prefix-map=");
            map.extend([own.as_os_str(), OsStr::new("/="), &in_front_of(path)]);
            front.push(map);
            arguments[*source] = copy.clone().into();
            renamed.push((copy, path.to_owned()));
            starts |= made.threads;
            pragmas |= made.has_pragmas;
        }
        match () {
            () if given(call) => {}
            () if starts => {
                front.extend_from_slice(libraries);
                front.push(OPENMP.into());
            }
            () => {
                front.extend((!pragmas).then(|| "-fopenmp-simd".into()));
                front.extend_from_slice(libraries);
            }
        }
        let is_plain =
            !call.has_beginning("-fdiagnostics-color") && !call.has_beginning("-fno-diag");
        if is_plain && io::stderr().is_terminal() {
            front.push("-fdiagnostics-color=always".into());
        }
        let all = call.with_front(front, &arguments);
        let output = command(call, &all).stderr(Stdio::piped()).spawn().ok()?;
        let output = output.wait_with_output().ok()?;
        if !output.status.success() {
            return None;
        }
        if let Some(list) = call.dependences() {
            for (copy, path) in &renamed {
                dependences::rename(&list, copy, path).ok()?;
            }
        }
        // Whoever closed it does not want to read it.
        let _ = io::stderr().write_all(&output.stderr);
        Some(output.status)
    }

    /// The name of the compiler's library for OpenMP, where it links one; tried once for each compiler and
    /// machine.
    fn library(&self, call: &Invocation) -> Option<&'static str> {
        let unfit = ["-ffreestanding", "-nostdlib", "-nodefaultlibs", "-flto"];
        if !cfg!(target_os = "linux") || unfit.iter().any(|flag| call.has_beginning(flag)) {
            return None;
        }
        if given(call) {
            return Some(STARTS[0].1);
        }
        let machine = call.for_preprocessor().into_iter().filter(|flag| {
            let flag = flag.to_string_lossy();
            flag == "-m32"
                || ["--target", "--sysroot", "-mabi"]
                    .iter()
                    .any(|own| flag.starts_with(own))
        });
        let machine: Vec<OsString> = machine.collect();
        let words = format!("{:?} {machine:?} {:?}", call.compiler, call.has("-static"));
        let key = Parts::new("openmp library")
            .with("form", "its name")
            .with("compiler", &words)
            .key();
        let tried = Cache::open().text(&key, || self.linked(call, &machine).ok_or(()));
        let tried = tried.unwrap_or_default();
        let mut known = STARTS.iter().map(|(_, library)| *library);
        known.find(|library| *library == tried)
    }

    fn linked(&self, call: &Invocation, machine: &[OsString]) -> Option<String> {
        let folder = TempDir::with_prefix("tilewright-").ok()?;
        let source = folder.path().join("threads.c");
        let text = "extern int omp_get_max_threads(void);\nint main(void) {\n#pragma omp parallel\n    {}\n    return omp_get_max_threads() < 1;\n}\n";
        fs::write(&source, text).ok()?;
        let mut arguments = machine.to_vec();
        arguments.extend(call.has("-static").then(|| "-static".into()));
        arguments.extend([OPENMP.into(), source.into(), "-o".into()]);
        let program = folder.path().join("threads");
        arguments.push(program.clone().into());
        let finished = process::run(&mut command(call, &arguments), self.limit).ok()?;
        // What took too long this time says nothing of the next.
        finished.status?;
        let used = STARTS.iter().find(|(start, _)| calls(&program, start));
        let used = used.filter(|_| finished.success());
        Some(used.map_or("none", |(_, library)| library).to_owned())
    }
}

/// What stands in front of a file's name in a path: nothing, or folders and a slash.
fn in_front_of(path: &Path) -> OsString {
    let mut folders = path.parent().map(OsString::from).unwrap_or_default();
    if !folders.is_empty() {
        folders.push("/");
    }
    folders
}

/// Whether OpenMP is asked for already.
pub fn given(call: &Invocation) -> bool {
    let mut words = call.arguments.iter().filter_map(|word| word.to_str());
    words.any(|word| word.starts_with(OPENMP) && word != "-fopenmp-simd" || word == "-lgomp")
}

/// Whether a text has to do with OpenMP, by its pragmas or by asking for it.
pub fn names_openmp(path: &Path) -> bool {
    calls(path, "_OPENMP") || calls(path, "omp ")
}

/// Whether an object, an archive or a program names a function of a library.
fn calls(path: &Path, name: &str) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    let name = name.as_bytes();
    // Looking for the first byte is fast.
    let mut rest = &bytes[..];
    while let Some(at) = rest.iter().position(|byte| *byte == name[0]) {
        rest = &rest[at..];
        if rest.starts_with(name) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// What links these libraries, although it may be that only weak calls ask for them.
fn linking(used: &[&str]) -> Vec<OsString> {
    let asked = used
        .iter()
        .map(|name| format!("-Wl,--push-state,--no-as-needed,-l{name},--pop-state").into());
    let library = (!used.is_empty()).then(|| OPENMP.into());
    asked.chain(library).collect()
}

/// What stands in front of a text that may start threads, where an object comes out and was not to be built
/// with OpenMP: whether its library is there is known only when the program runs.
pub fn preamble() -> String {
    let weak: Vec<String> = LIBRARIES
        .iter()
        .map(|name| format!(".weak {name}"))
        .collect();
    format!(
        "# 1 \"<tilewright>\" 3\n\
         __asm__(\"{}\");\n\
         extern int omp_get_max_threads(void) __attribute__((__weak__));\n\
         static inline __attribute__((__unused__)) int tw_has_threads(void) {{ return omp_get_max_threads != 0; }}\n\
         static inline __attribute__((__unused__)) int tw_max_threads(void) {{ return omp_get_max_threads ? omp_get_max_threads() : 1; }}\n",
        weak.join("\\n")
    )
}

/// The compiler with arguments.
fn command(call: &Invocation, arguments: &[OsString]) -> Command {
    let program = call
        .compiler
        .first()
        .map_or(OsStr::new("cc"), OsString::as_os_str);
    let mut command = Command::new(program);
    command.args(call.compiler.iter().skip(1)).args(arguments);
    command
}

/// The words of a compiler as [`crate::host::toolchain::Toolchain::cc`] has them; `None` where they are no
/// text.
pub fn in_one(compiler: &[OsString]) -> Option<String> {
    let words = compiler.iter().map(|word| word.to_str().map(quoted));
    Some(words.collect::<Option<Vec<String>>>()?.join(" "))
}

/// The compiler that a link to this program by a compiler's name stands for: the next one of the name in the
/// search path.
pub fn behind(name: &OsStr, own: &Path) -> Option<PathBuf> {
    let own = own.canonicalize().ok()?;
    let path = std::env::var_os("PATH")?;
    let mut found = std::env::split_paths(&path).map(|folder| folder.join(name));
    found.find(|file| file.is_file() && file.canonicalize().is_ok_and(|file| file != own))
}
