//! The system's C compiler: flags, builds, and its complaints in readable form.

use crate::Result;
use crate::host::{output, process};
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::source::{Chosen, Source, Span};

/// Flags that programs are built with unless others are given.
pub const DEFAULT_CFLAGS: &str = "-O3 -march=native -fopenmp";

/// What builds for the comparison add: the C compiler must not contract a product and a sum,
/// which it does differently in different loops.
pub const CHECK_CFLAGS: &str = "-ffp-contract=off";

/// Instructions that contract products with alternating differences and sums, as in complex
/// products: gcc 12.2 writes them into vectorised loops in spite of [`CHECK_CFLAGS`], and not into
/// what is left over at their ends.
const CONTRACTED: [&str; 2] = ["fmaddsub", "fmsubadd"];

/// What takes these from gcc on x86: the processor's whole set of them.
const WITHOUT_THEM: [&str; 3] = ["-mno-fma", "-mno-fma4", "-mno-avx512f"];

/// How long one call of the C compiler may take.
pub const COMPILER_LIMIT: Duration = Duration::from_secs(300);

/// Flags that change floating-point results; builds for the comparison leave them out.
const NOT_IN_CHECKS: [&str; 10] = [
    "-Ofast",
    "-ffast-math",
    "-ffp-contract",
    "-funsafe-math-optimizations",
    "-fassociative-math",
    "-freciprocal-math",
    "-ffinite-math-only",
    "-fno-signed-zeros",
    "-ffp-model",
    "-fexcess-precision",
];

/// Beginnings of flags that the preprocessor has to know: besides macros and directories, what says
/// for which system the program is.
const FOR_PREPROCESSOR: [&str; 13] = [
    "-I",
    "-D",
    "-U",
    "-std=",
    "-fopenmp",
    "-isystem",
    "-iquote",
    "--target=",
    "--sysroot=",
    "-isysroot",
    "-m32",
    "-m64",
    "-mabi=",
];

/// How many lines of the C compiler's output a message quotes.
const QUOTED_LINES: usize = 8;

/// What a build is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To be compared bit by bit.
    Check,
    /// To be timed.
    Time,
}

/// The C compiler with its flags.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The program, with arguments of its own after blanks (`ccache gcc`), and with quotes as in a
    /// shell where its path has blanks.
    pub cc: String,
    /// Flags of builds for timing.
    pub cflags: Vec<String>,
    /// Libraries, and further sources or objects; `-lm` is always added.
    pub ldflags: Vec<String>,
    /// Directories of included files.
    pub include_dirs: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Other files of the program, whose definitions say what calls of their functions do, and which
    /// are built with it.
    pub others: Vec<PathBuf>,
    /// What of a file is a region.
    pub chosen: Chosen,
    /// All that the preprocessor is given, where it is to see a file exactly as a build does.
    pub exact: Option<Vec<String>>,
    /// How long one call may take.
    pub limit: Duration,
}

impl Default for Toolchain {
    fn default() -> Toolchain {
        Toolchain {
            cc: "cc".to_owned(),
            cflags: split(DEFAULT_CFLAGS),
            ldflags: Vec::new(),
            include_dirs: Vec::new(),
            defines: Vec::new(),
            others: Vec::new(),
            chosen: Chosen::Marked,
            exact: None,
            limit: COMPILER_LIMIT,
        }
    }
}

impl Toolchain {
    /// The default one, with `$CC` where it is set.
    pub fn from_environment() -> Toolchain {
        let cc = env::var("CC").ok().filter(|cc| !cc.trim().is_empty());
        Toolchain {
            cc: cc.unwrap_or_else(|| "cc".to_owned()),
            ..Toolchain::default()
        }
    }

    /// The compiler's command without flags.
    pub(crate) fn command(&self) -> Command {
        let mut words = split(&self.cc).into_iter();
        let mut command = Command::new(words.next().unwrap_or_else(|| "cc".to_owned()));
        command.args(words);
        // Messages are read: they have to be in English.
        command.env("LC_ALL", "C");
        command
    }

    /// `-I`, `-D` and those of the flags that the preprocessor has to know. Not `-march`: the
    /// parser is to see portable branches.
    pub(crate) fn preprocessor_flags(&self) -> Vec<String> {
        if let Some(exact) = &self.exact {
            return exact.clone();
        }
        let mut flags = self.own_flags();
        let mut rest = self.cflags.iter();
        while let Some(flag) = rest.next() {
            let alone = [
                "-I",
                "-D",
                "-U",
                "-include",
                "-isystem",
                "-iquote",
                "-isysroot",
            ];
            if alone.contains(&flag.as_str()) {
                flags.push(flag.clone());
                flags.extend(rest.next().cloned());
            } else if FOR_PREPROCESSOR
                .iter()
                .any(|prefix| flag.starts_with(prefix))
            {
                flags.push(flag.clone());
            }
        }
        flags
    }

    fn own_flags(&self) -> Vec<String> {
        let includes = self
            .include_dirs
            .iter()
            .map(|dir| format!("-I{}", dir.display()));
        includes
            .chain(self.defines.iter().map(|define| format!("-D{define}")))
            .collect()
    }

    /// The flags of a build, as a person would type them.
    pub fn flags(&self, purpose: Purpose) -> Vec<String> {
        match purpose {
            Purpose::Time => self.cflags.clone(),
            Purpose::Check => {
                let mut flags = split(DEFAULT_CFLAGS);
                for flag in &self.cflags {
                    if keep_in_checks(flag) && !flags.contains(flag) {
                        flags.push(flag.clone());
                    }
                }
                flags.extend(split(CHECK_CFLAGS));
                flags
            }
        }
    }

    /// Builds a shared library from one C file.
    ///
    /// Only what is marked visible can be found in it. Functions that are declared and never
    /// defined do not matter as long as they are not called.
    ///
    /// `original` is the user's file, which complaints are shown in, and `includes` a directory
    /// whose files are found by `#include "…"`.
    ///
    /// # Errors
    /// `TW0501` with the C compiler's first error.
    pub fn build(
        &self,
        input: &Path,
        library: &Path,
        purpose: Purpose,
        includes: Option<&Path>,
        original: Option<&Source>,
    ) -> Result<()> {
        let common = |command: &mut Command| {
            command.args(self.flags(purpose)).args(self.own_flags());
            command.args(["-fPIC", "-fvisibility=hidden", "-w"]);
            if let Some(directory) = includes {
                command.arg("-iquote").arg(directory);
            }
        };
        let mut compiled = (input.to_owned(), "c");
        // Removed at the end: whoever keeps libraries keeps nothing beside them.
        let between;
        if purpose == Purpose::Check {
            between = output::passing(library, ".s")?;
            let assembler = between.to_path_buf();
            let translate = |flags: &[&str]| {
                let mut command = self.command();
                common(&mut command);
                // To be read as assembler, not as what a linker would go on with.
                command.args(flags).args(["-fno-lto", "-S", "-x", "c"]);
                command.arg(input);
                command.arg("-o").arg(&assembler);
                self.call(&mut command, original)
            };
            translate(&[])?;
            // Not where the program names such instructions itself.
            if is_contracted(&assembler) && translate(&WITHOUT_THEM).is_err() {
                translate(&[])?;
            }
            compiled = (assembler, "assembler");
        }
        let mut command = self.command();
        common(&mut command);
        command.arg("-shared");
        if cfg!(target_os = "linux") {
            command.arg("-Wl,-z,lazy");
        } else if cfg!(target_os = "macos") {
            command.arg("-Wl,-undefined,dynamic_lookup");
        }
        let (text, language) = &compiled;
        command.args(["-x", language]).arg(text);
        command.args(["-x", "none"]);
        command
            .args(self.linked())
            .arg("-lm")
            .arg("-o")
            .arg(library);
        self.call(&mut command, original)
    }

    /// What programs are linked with: the other files, where the flags do not have them already, and
    /// the flags.
    fn linked(&self) -> Vec<OsString> {
        let is_given = |other: &Path| self.ldflags.iter().any(|flag| Path::new(flag) == other);
        let others = self.others.iter().filter(|other| !is_given(other));
        let others = others.map(|other| other.clone().into_os_string());
        others
            .chain(self.ldflags.iter().map(OsString::from))
            .collect()
    }

    /// Builds a program from one C file, with the flags of builds for timing.
    ///
    /// # Errors
    /// `TW0501` with the C compiler's first error.
    pub fn build_program(&self, input: &Path, program: &Path) -> Result<()> {
        let mut command = self.command();
        command.args(self.flags(Purpose::Time)).arg("-w");
        command.args(["-x", "c"]).arg(input).args(["-x", "none"]);
        command.args(self.linked()).arg("-o").arg(program);
        self.call(&mut command, None)
    }

    /// Builds an object file from one C file, with the flags of builds for timing; `includes` and
    /// `original` as for [`Toolchain::build`].
    ///
    /// # Errors
    /// `TW0501` with the C compiler's first error.
    pub fn build_object(
        &self,
        input: &Path,
        object: &Path,
        includes: &Path,
        original: Option<&Source>,
    ) -> Result<()> {
        let mut command = self.command();
        command
            .args(self.flags(Purpose::Time))
            .args(self.own_flags());
        command.arg("-iquote").arg(includes);
        command.args(["-c", "-w", "-x", "c"]).arg(input);
        command.arg("-o").arg(object);
        self.call(&mut command, original)
    }

    /// Asks the C compiler whether a file as the user wrote it is C.
    ///
    /// # Errors
    /// `TW0501` with the C compiler's first error, at its place in the file.
    pub fn check(&self, source: &Source) -> Result<()> {
        let mut command = self.command();
        command
            .args(self.flags(Purpose::Time))
            .args(self.own_flags());
        command
            .args(["-fsyntax-only", "-w", "-x", "c"])
            .arg(&source.name);
        self.call(&mut command, Some(source))
    }

    fn call(&self, command: &mut Command, original: Option<&Source>) -> Result<()> {
        tracing::debug!(?command, "build");
        let finished =
            process::run(command, self.limit).map_err(|error| self.cannot_start(&error))?;
        if finished.success() {
            return Ok(());
        }
        Err(Box::new(self.failure(&finished, original)))
    }

    pub(super) fn failure(
        &self,
        finished: &process::Finished,
        original: Option<&Source>,
    ) -> Diagnostic {
        let stderr = String::from_utf8_lossy(&finished.stderr);
        let error = |message: String| Diagnostic::error(Code::CompilerFailed, message);
        if finished.too_much {
            let most = process::MOST_OUTPUT >> 20;
            let message = format!("the C compiler `{}` said more than {most} MiB", self.cc);
            return error(message);
        }
        let Some(status) = finished.status else {
            let seconds = self.limit.as_secs();
            return error(format!(
                "the C compiler `{}` took more than {seconds} s",
                self.cc
            ));
        };
        let complaints = complaints(&stderr);
        let Some(first) = complaints.iter().find(|complaint| complaint.is_error) else {
            let lines: Vec<&str> = stderr.lines().take(QUOTED_LINES).collect();
            let said = if lines.is_empty() {
                status.to_string()
            } else {
                lines.join("\n")
            };
            return error(format!("the C compiler `{}` failed", self.cc)).note(said);
        };
        let mut diagnostic = error(format!(
            "the C compiler `{}` failed: {}",
            self.cc, first.message
        ));
        match original.and_then(|source| first.span(&source.name, &source.text)) {
            Some(span) => diagnostic = diagnostic.at(span, ""),
            None if first.file.is_some() => {
                diagnostic = diagnostic.note(format!("{AT}{}", first.place()));
            }
            None => {}
        }
        let others = complaints
            .iter()
            .filter(|complaint| complaint.is_error)
            .count()
            - 1;
        if others > 0 {
            diagnostic = diagnostic.note(format!("and {others} more errors"));
        }
        diagnostic
    }

    pub(crate) fn cannot_start(&self, error: &io::Error) -> Box<Diagnostic> {
        let reason = output::words(error);
        let message = format!("cannot start the C compiler `{}`: {reason}", self.cc);
        let help = "install gcc or clang, or name one in the environment variable CC";
        Box::new(Diagnostic::error(Code::CompilerFailed, message).help(help))
    }
}

/// What the C compiler says at a place of a file, as notes have it.
const AT: &str = "at ";

/// Whether a complaint of the C compiler is about a place in some file, rather than about its flags
/// or that it cannot be started.
pub fn is_about_a_file(diagnostic: &Diagnostic) -> bool {
    let at_a_place = |note: &String| note.starts_with(AT);
    !diagnostic.labels.is_empty() || diagnostic.notes.iter().any(at_a_place)
}

/// Whether a text in assembler has instructions that no flag forbade; not where it cannot be read.
fn is_contracted(assembler: &Path) -> bool {
    let text = std::fs::read(assembler).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    CONTRACTED.iter().any(|name| text.contains(name))
}

fn keep_in_checks(flag: &str) -> bool {
    !NOT_IN_CHECKS.iter().any(|prefix| flag.starts_with(prefix))
}

/// Splits flags at blanks, with quotes as in a shell.
pub fn split(flags: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = flags.chars();
    while let Some(letter) = letters.next() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter == '\\' => word.get_or_insert_default().extend(letters.next()),
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// A word as [`split`] reads it: in quotes where it has blanks or such.
pub fn quoted(word: &str) -> String {
    let special = |c: char| c.is_whitespace() || "'\"\\".contains(c);
    if word.is_empty() || word.contains(special) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.to_owned()
    }
}

/// One line of a C compiler's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// As the compiler names it.
    pub file: Option<String>,
    /// From 1; 0 where there is none.
    pub line: usize,
    /// From 1; 0 where there is none.
    pub column: usize,
    /// An error, not a warning or a note.
    pub is_error: bool,
    /// What is wrong.
    pub message: String,
}

impl Complaint {
    /// `file.c:3:7`
    pub fn place(&self) -> String {
        let file = self.file.as_deref().unwrap_or("the C compiler's input");
        match (self.line, self.column) {
            (0, _) => file.to_owned(),
            (line, 0) => format!("{file}:{line}"),
            (line, column) => format!("{file}:{line}:{column}"),
        }
    }

    /// The line in the user's file, from the column on, where the complaint is about that file.
    pub fn span(&self, name: &str, text: &str) -> Option<Span> {
        let file = Path::new(self.file.as_deref()?);
        let same = file == Path::new(name)
            || file.canonicalize().ok()? == Path::new(name).canonicalize().ok()?;
        if !same || self.line == 0 {
            return None;
        }
        let mut start = 0;
        for _ in 1..self.line {
            start += text[start..].find('\n')? + 1;
        }
        let line = text[start..].lines().next().unwrap_or("");
        let mut column = self.column.saturating_sub(1).min(line.len());
        while !line.is_char_boundary(column) {
            column -= 1;
        }
        let end = line[column..].trim_end().len();
        Some(Span::new(start + column, start + column + end))
    }
}

/// Reads `file:line:column: error: message` and `cc: fatal error: message`.
pub(crate) fn complaints(stderr: &str) -> Vec<Complaint> {
    stderr.lines().filter_map(complaint).collect()
}

fn complaint(line: &str) -> Option<Complaint> {
    let kinds = [": fatal error: ", ": error: ", ": warning: ", ": note: "];
    let (at, kind) = kinds
        .iter()
        .filter_map(|kind| Some((line.find(kind)?, *kind)))
        .min_by_key(|(at, _)| *at)
        .or_else(|| line.find(": undefined reference to ").map(|at| (at, ": ")))?;
    let message = line[at + kind.len()..].trim().to_owned();
    let is_error = !kind.contains("warning") && !kind.contains("note");
    let mut place = &line[..at];
    let mut numbers = [0, 0];
    for slot in &mut numbers {
        let Some((rest, number)) = place.rsplit_once(':') else {
            break;
        };
        let Ok(number) = number.parse() else { break };
        (place, *slot) = (rest, number);
    }
    let (line, column) = match numbers {
        [line, 0] => (line, 0),
        [column, line] => (line, column),
    };
    // Macros of the command line are complained of at `<command-line>`, where they are used.
    let file = (line > 0 || place.starts_with('<')).then(|| place.to_owned());
    Some(Complaint {
        file,
        line,
        column,
        is_error,
        message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_like_a_shell() {
        assert_eq!(
            split("  -O2 -DX='a b' \"-I c\" d\\ e ''"),
            ["-O2", "-DX=a b", "-I c", "d e", ""]
        );
        assert!(split("  ").is_empty());
        for word in ["gcc", "/my tools/gcc", "it's \"C\"", "a\\b", ""] {
            assert_eq!(split(&quoted(word)), [word]);
        }
    }

    #[test]
    fn reads_complaints() {
        let read = complaints(
            "a.c:3:7: error: expected ';'\nIn file included from x.c:1:\nb.h:9: warning: odd\n\
             cc1: fatal error: no.c: No such file or directory\ncompilation terminated.\n",
        );
        let places: Vec<String> = read.iter().map(Complaint::place).collect();
        assert_eq!(places, ["a.c:3:7", "b.h:9", "the C compiler's input"]);
        assert_eq!(read[0].message, "expected ';'");
        assert_eq!(
            read.iter().map(|c| c.is_error).collect::<Vec<_>>(),
            [true, false, true]
        );
        assert_eq!(read[2].message, "no.c: No such file or directory");
    }

    #[test]
    fn spans_point_into_the_text() {
        let text = "int a;\n  ü x;\nend";
        let complaint = |line, column| Complaint {
            file: Some("a.c".into()),
            line,
            column,
            is_error: true,
            message: String::new(),
        };
        let at = |line, column| {
            complaint(line, column)
                .span("a.c", text)
                .map(|span| &text[span.start..span.end])
        };
        assert_eq!(at(1, 5), Some("a;"));
        assert_eq!(at(2, 4), Some("ü x;"), "inside a letter: from its begin");
        assert_eq!(at(3, 0), Some("end"));
        assert_eq!(at(3, 99), Some(""));
        assert_eq!(at(9, 1), None);
        assert_eq!(complaint(1, 1).span("b.c", text), None);
    }

    #[test]
    fn checks_leave_out_what_changes_values() {
        let toolchain = Toolchain {
            cflags: split("-Ofast -O1 -ffast-math -DN=3 -std=c99 -mno-avx512f"),
            ..Toolchain::default()
        };
        assert_eq!(
            toolchain.flags(Purpose::Check).join(" "),
            "-O3 -march=native -fopenmp -O1 -DN=3 -std=c99 -mno-avx512f -ffp-contract=off"
        );
        assert_eq!(toolchain.flags(Purpose::Time), toolchain.cflags);
        assert_eq!(toolchain.preprocessor_flags(), ["-DN=3", "-std=c99"]);
    }
}
