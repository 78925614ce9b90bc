//! The result beside what C compilers make of the original: each builds both, and the faster build
//! counts.

use crate::Result;
use crate::host::toolchain::Toolchain;
use crate::measure::contest::Contest;
use crate::measure::experiment::Experiment;
use crate::measure::job::Turns;
use crate::measure::run::Progress;
use crate::measure::statistics::Times;
use serde::Serialize;
use std::process::{Command, Stdio};
use tilewright::diagnostic::{Code, Diagnostic};

/// Names under which clang may be installed, best first.
const CLANGS: [&str; 9] = [
    "clang", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16",
    "clang-15",
];
/// Timed turns, where nobody says how many.
const RUNS: usize = 5;
/// Milliseconds of a turn at least.
const TURN: f64 = 3.0;

/// One compiler's builds.
#[derive(Clone, Debug, Serialize)]
pub struct Builds {
    /// The compiler.
    pub compiler: String,
    /// Times of the original, in milliseconds.
    pub original: Times,
    /// Those of the result.
    pub result: Times,
}

/// All compilers' builds, at least one's.
#[derive(Clone, Debug, Serialize)]
pub struct Fair {
    builds: Vec<Builds>,
    unable: Vec<&'static str>,
}

impl Fair {
    /// Builds and times, by turns, with gcc and clang as far as they are there.
    ///
    /// # Errors
    /// `TW0501` where neither is there; those of [`Experiment::build`] and [`Contest::run`].
    pub fn of(experiment: &Experiment<'_>, progress: &mut dyn FnMut(Progress)) -> Result<Fair> {
        let (mut builds, mut unable, mut first) = (Vec::new(), Vec::new(), None);
        for names in [&["gcc"][..], &CLANGS] {
            for &compiler in names.iter().filter(|name| answers(name)) {
                match of_one(experiment, compiler, progress) {
                    Ok(one) => {
                        builds.extend(one);
                        break;
                    }
                    // One that comes without OpenMP, for example.
                    Err(error) if error.code == Code::CompilerFailed.name() => {
                        unable.push(compiler);
                        first = first.or(Some(error));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        if builds.is_empty() {
            let message = "there is neither gcc nor clang to build the original with";
            let none = || Box::new(Diagnostic::error(Code::CompilerFailed, message));
            return Err(first.unwrap_or_else(none));
        }
        Ok(Fair { builds, unable })
    }

    /// What each compiler made.
    pub fn builds(&self) -> &[Builds] {
        &self.builds
    }

    /// Compilers that are there and could not build both.
    pub fn unable(&self) -> &[&'static str] {
        &self.unable
    }

    /// How many times as fast the fastest result is as the fastest original, by medians; and who
    /// built them.
    pub fn gain(&self) -> (f64, &str, &str) {
        let fastest = |of: fn(&Builds) -> &Times| {
            let mut all = self.builds.iter();
            let first = all.next().map(|one| (of(one).median, &*one.compiler));
            all.fold(first.unwrap_or((f64::INFINITY, "")), |best, one| {
                let median = of(one).median;
                if median < best.0 {
                    (median, &one.compiler)
                } else {
                    best
                }
            })
        };
        let (original, result) = (fastest(|one| &one.original), fastest(|one| &one.result));
        (original.0 / result.0, original.1, result.1)
    }
}

/// Builds and times with one compiler; `None` where nothing was timed.
fn of_one(
    experiment: &Experiment<'_>,
    compiler: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<Builds>> {
    let toolchain = Toolchain {
        cc: compiler.to_owned(),
        ..experiment.toolchain.clone()
    };
    let experiment = Experiment {
        toolchain: &toolchain,
        ..experiment.clone()
    };
    let built = experiment.build()?;
    // Two libraries of OpenMP in one process would bind threads to the same core.
    let contest = Contest {
        builds: vec![(compiler.to_owned(), &experiment, &built)],
        originals: true,
        peers: Vec::new(),
        turns: Turns {
            runs: experiment.runs.unwrap_or(RUNS),
            least: TURN,
            ..Turns::of_one_call(0)
        },
    };
    let mut times = contest.run(progress)?.into_iter().map(|one| one.times);
    let both = times.next().zip(times.next());
    Ok(both.map(|(original, result)| Builds {
        compiler: compiler.to_owned(),
        original: Times::new(original),
        result: Times::new(result),
    }))
}

/// Whether a command is there.
fn answers(name: &str) -> bool {
    let mut command = Command::new(name);
    let silent = command.arg("--version").stdout(Stdio::null());
    let status = silent.stderr(Stdio::null()).stdin(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_builds_count() {
        let builds = |compiler: &str, original, result| Builds {
            compiler: compiler.to_owned(),
            original: Times::new(vec![original]),
            result: Times::new(vec![result]),
        };
        let fair = Fair {
            builds: vec![builds("gcc", 8.0, 2.0), builds("clang", 6.0, 3.0)],
            unable: Vec::new(),
        };
        assert_eq!(fair.gain(), (3.0, "clang", "gcc"));
    }
}
