//! Builds originals and results side by side with a C compiler, and runs them on equal memory.

use crate::case::Case;
use crate::tree::{Memory, PRELUDE, Program, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A program with what the compiler made of it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What names at file level end in; the program's number in the batch.
    pub number: usize,
    /// The program, generated with [`tag`] of the number.
    pub program: Program,
    /// Whole files that came out, by version.
    pub results: Vec<(usize, String)>,
}

/// What the names of a batch's program end in.
pub fn tag(number: usize) -> String {
    format!("_{number}")
}

/// What came of one comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Every byte is equal in all runs.
    Same(usize),
    /// The original has undefined behaviour, or does not end: the case says nothing.
    Undefined(String),
    /// Something else.
    Wrong(String),
}

impl Outcome {
    /// Whether nothing but signs of zeros differs, which compilers change, too: [`Build::literal`].
    pub fn is_of_zeros(&self) -> bool {
        matches!(self, Outcome::Wrong(what) if what.starts_with("zeros"))
    }
}

/// How C is compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// `gcc` or `clang`.
    pub compiler: &'static str,
    /// `-O2` and so on.
    pub level: &'static str,
    /// With sanitizers for addresses and undefined behaviour.
    pub sanitized: bool,
    /// OpenMP's threads.
    pub threads: usize,
}

impl Build {
    /// The one that finds what is undefined.
    pub const SANITIZED: Build = Build {
        compiler: "gcc",
        level: "-O0",
        sanitized: true,
        threads: 3,
    };

    /// The one that makes of every operation what is written, as far as there is one.
    ///
    /// C leaves open which zero `fmin(0.0, -0.0)` is, and compilers make use of it; gcc makes
    /// `-(double)i` of `0.0 - (double)i`, which is another zero.
    pub fn literal() -> Option<Build> {
        has_clang().then_some(Build {
            compiler: "clang",
            level: "-O0",
            sanitized: false,
            threads: 3,
        })
    }

    fn flags(&self) -> Vec<&'static str> {
        let mut flags = vec![
            "-std=gnu11",
            "-w",
            "-fopenmp",
            "-ffp-contract=off",
            self.level,
        ];
        if self.sanitized {
            flags.extend([
                "-fsanitize=undefined,address,float-cast-overflow",
                "-fno-sanitize=vptr",
                "-fno-sanitize-recover=all",
            ]);
        }
        flags
    }

    /// The runtime, built once for each way.
    fn runtime(&self, folder: &Path) -> Result<PathBuf, String> {
        let plain = if self.sanitized { "sanitized" } else { "plain" };
        let object = folder.join(format!("runtime-{}-{plain}.o", self.compiler));
        if object.exists() {
            return Ok(object);
        }
        write(&folder.join("runtime.h"), include_str!("runtime.h"))?;
        let source = folder.join("runtime.c");
        write(&source, include_str!("runtime.c"))?;
        let mut command = Command::new(self.compiler);
        command.args(["-std=gnu11", "-w", "-O1"]);
        if self.sanitized {
            command.arg("-fsanitize=address");
        }
        command.arg("-c").arg(&source).arg("-o").arg(&object);
        succeed(&mut command)?;
        Ok(object)
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn succeed(command: &mut Command) -> Result<Output, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Whether there is a clang that builds programs with OpenMP and with sanitizers.
pub fn has_clang() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let builds = || {
            let folder = tempfile::tempdir().ok()?;
            let file = folder.path().join("main.c");
            std::fs::write(&file, "int main(void) { return 0; }\n").ok()?;
            let mut command = Command::new("clang");
            command.args(["-fopenmp", "-fsanitize=address,undefined", "-o"]);
            command.arg(folder.path().join("main")).arg(file);
            command.output().ok().map(|done| done.status.success())
        };
        builds().unwrap_or(false)
    })
}

/// What the preprocessor makes of a text, as the compiler wants it.
///
/// # Errors
/// The preprocessor's words.
pub fn source(text: &str, folder: &Path) -> Result<tilewright::source::Source, String> {
    let mut name = "case.c".to_owned();
    let mut output = format!("# 1 \"{name}\"\n{text}");
    if text
        .lines()
        .any(|l| l.starts_with('#') && !l.starts_with("#pragma"))
    {
        let path = folder.join("case.c");
        write(&path, text)?;
        name = path.display().to_string();
        let finished = succeed(Command::new("gcc").args(["-E", "-dD"]).arg(&path))?;
        output = String::from_utf8_lossy(&finished.stdout).into_owned();
    }
    let source = tilewright::source::Source::with_macros(name, text.to_owned(), &output);
    Ok(source)
}

fn head(program: &Program) -> String {
    let mut text = PRELUDE.to_owned();
    for item in &program.top {
        let _ = writeln!(text, "{item}");
    }
    text
}

fn renamed(tail: &str, number: usize, version: &str) -> String {
    let kernel = format!("kernel{}", tag(number));
    tail.replace(&kernel, &format!("{kernel}_{version}"))
        .replace(
            "void entry(",
            &format!("void entry{}_{version}(", tag(number)),
        )
}

/// How long the C compiler took, and what it built.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Took {
    pub cc: Duration,
    pub run: Duration,
}

/// Builds and runs a batch: what came of each program's versions.
///
/// # Errors
/// The C compiler's words.
pub fn run_batch(
    subjects: &[Subject],
    build: &Build,
    folder: &Path,
) -> Result<BTreeMap<(usize, usize), Outcome>, String> {
    run_batch_timed(subjects, build, folder, &mut Took::default())
}

/// The same, and how long it took.
///
/// # Errors
/// The C compiler's words.
pub fn run_batch_timed(
    subjects: &[Subject],
    build: &Build,
    folder: &Path,
    took: &mut Took,
) -> Result<BTreeMap<(usize, usize), Outcome>, String> {
    let mut text = format!("{PRELUDE}#include \"runtime.h\"\n");
    let mut seen = BTreeSet::new();
    let mut checks = String::new();
    let mut count = 0;
    for subject in subjects {
        let number = subject.number;
        for item in &subject.program.top {
            if seen.insert(item.clone()) {
                let _ = writeln!(text, "{item}");
            }
        }
        let head = head(&subject.program);
        let whole = subject.program.to_string();
        let tail = whole.strip_prefix(&head).unwrap_or(&whole);
        text.push_str(&renamed(tail, number, "o"));
        for (version, result) in &subject.results {
            let Some(tail) = result.strip_prefix(&head) else {
                return Err("text in front of the region was changed".to_owned());
            };
            text.push_str(&renamed(tail, number, &format!("r{version}")));
            let tag = tag(number);
            let names = (format!("entry{tag}_o"), format!("entry{tag}_r{version}"));
            check(
                &mut checks,
                number,
                *version,
                names,
                &subject.program.runs,
                &subject.program.memory,
            );
            count += 1;
        }
        tables(
            &mut text,
            number,
            &subject.program.runs,
            &subject.program.memory,
        );
    }
    let _ = write!(
        text,
        "const int fuzz_check_count = {count};\nconst struct fuzz_check fuzz_checks[] = {{\n{checks}}};\n"
    );
    let runtime = build.runtime(folder)?;
    let file = folder.join("batch.c");
    let program = folder.join("batch");
    write(&file, &text)?;
    let mut command = Command::new(build.compiler);
    command
        .args(build.flags())
        .arg("-I")
        .arg(folder)
        .arg(&file)
        .arg(&runtime);
    command.arg("-o").arg(&program).arg("-lm");
    let begun = Instant::now();
    let built = succeed(&mut command);
    took.cc += begun.elapsed();
    built?;
    let begun = Instant::now();
    let outcomes = run(&program, build);
    took.run += begun.elapsed();
    outcomes
}

/// Compiles and compares a case whose text is a file of its own, whatever its names.
///
/// # Errors
/// The C compiler's words.
pub fn run_case(
    case: &Case,
    result: &str,
    build: &Build,
    folder: &Path,
) -> Result<Outcome, String> {
    let mut objects = Vec::new();
    for (text, version) in [(case.text.as_str(), "o"), (result, "r0")] {
        let (file, object) = (
            folder.join(format!("{version}.c")),
            folder.join(format!("{version}.o")),
        );
        write(&file, text)?;
        let entry = format!("entry_0_{version}");
        let mut command = Command::new(build.compiler);
        command.args(build.flags()).arg(format!("-Dentry={entry}"));
        command.arg("-c").arg(&file).arg("-o").arg(&object);
        succeed(&mut command)?;
        // Other names of the two files may be the same.
        let mut command = Command::new("objcopy");
        command.arg("--keep-global-symbol").arg(&entry).arg(&object);
        succeed(&mut command)?;
        objects.push(object);
    }
    let mut text = format!(
        "{PRELUDE}#include \"runtime.h\"\nvoid entry_0_o(const long *, void **), entry_0_r0(const long *, void **);\n"
    );
    tables(&mut text, 0, &case.runs, &case.memory);
    let mut checks = String::new();
    let names = ("entry_0_o".to_owned(), "entry_0_r0".to_owned());
    check(&mut checks, 0, 0, names, &case.runs, &case.memory);
    let _ = write!(
        text,
        "const int fuzz_check_count = 1;\nconst struct fuzz_check fuzz_checks[] = {{\n{checks}}};\n"
    );
    let runtime = build.runtime(folder)?;
    let file = folder.join("main.c");
    write(&file, &text)?;
    let program = folder.join("case");
    let mut command = Command::new(build.compiler);
    command
        .args(build.flags())
        .arg("-I")
        .arg(folder)
        .arg(&file)
        .args(&objects)
        .arg(&runtime);
    command.arg("-o").arg(&program).arg("-lm");
    succeed(&mut command)?;
    let outcomes = run(&program, build)?;
    outcomes
        .into_values()
        .next()
        .ok_or_else(|| "nothing was compared".to_owned())
}

fn tables(text: &mut String, number: usize, runs: &[Run], memory: &[Memory]) {
    let mut table = |name: &str, ty: &str, values: Vec<String>| {
        let values = if values.is_empty() {
            "0".to_owned()
        } else {
            values.join(", ")
        };
        let _ = writeln!(
            text,
            "static const {ty} fuzz_{name}_{number}[] = {{{values}}};"
        );
    };
    let strings =
        |of: &mut dyn Iterator<Item = i64>| -> Vec<String> { of.map(|v| v.to_string()).collect() };
    table(
        "numbers",
        "long",
        strings(&mut runs.iter().flat_map(|r| r.numbers.iter().copied())),
    );
    table(
        "counts",
        "long",
        strings(&mut runs.iter().flat_map(|r| r.counts.iter().map(|c| *c as i64))),
    );
    table(
        "highs",
        "long",
        strings(&mut runs.iter().flat_map(|r| r.highs.iter().copied())),
    );
    table(
        "types",
        "int",
        strings(&mut memory.iter().map(|m| m.ty as i64)),
    );
    table(
        "lows",
        "long",
        strings(&mut memory.iter().map(|m| m.fill.low)),
    );
    table(
        "sorted",
        "int",
        strings(&mut memory.iter().map(|m| i64::from(m.fill.sorted))),
    );
}

fn check(
    checks: &mut String,
    number: usize,
    version: usize,
    names: (String, String),
    runs: &[Run],
    memory: &[Memory],
) {
    let numbers = runs.first().map_or(0, |r| r.numbers.len());
    let (original, result) = names;
    let _ = writeln!(
        checks,
        "{{{number}, {version}, {original}, {result}, {}, {numbers}, {}, fuzz_numbers_{number}, fuzz_counts_{number}, fuzz_highs_{number}, fuzz_types_{number}, fuzz_lows_{number}, fuzz_sorted_{number}}},",
        runs.len(),
        memory.len()
    );
}

fn run(program: &Path, build: &Build) -> Result<BTreeMap<(usize, usize), Outcome>, String> {
    // Sanitizers reserve more addresses than a worker may have.
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -S -v unlimited; exec \"$0\""])
        .arg(program);
    command
        .env("OMP_NUM_THREADS", build.threads.to_string())
        .env("OMP_WAIT_POLICY", "passive")
        .env("OMP_DYNAMIC", "false")
        .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.ends_with("done\n") {
        return Err(format!("the batch ended early: {text}"));
    }
    let mut outcomes = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.splitn(4, ' ');
        let (Some(number), Some(version), Some(what)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let (Ok(number), Ok(version)) = (number.parse(), version.parse()) else {
            continue;
        };
        let rest = words.next().unwrap_or_default().trim();
        let outcome = match what {
            "same" => Outcome::Same(rest.parse().unwrap_or(0)),
            "crash" if rest.contains("in the original") => Outcome::Undefined(rest.to_owned()),
            _ => Outcome::Wrong(format!("{what} {rest}")),
        };
        outcomes.insert((number, version), outcome);
    }
    Ok(outcomes)
}
