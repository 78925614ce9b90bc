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
pub struct Fair(Vec<Builds>);

impl Fair {
    /// Builds and times, by turns, with gcc and clang as far as they are there.
    ///
    /// # Errors
    /// `TW0501` where neither is there; those of [`Experiment::build`] and [`Contest::run`].
    pub fn of(experiment: &Experiment<'_>, progress: &mut dyn FnMut(Progress)) -> Result<Fair> {
        let mut all = Vec::new();
        for compiler in compilers() {
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
            if let (Some(original), Some(result)) = (times.next(), times.next()) {
                all.push(Builds {
                    compiler: compiler.to_owned(),
                    original: Times::new(original),
                    result: Times::new(result),
                });
            }
        }
        if all.is_empty() {
            let message = "there is neither gcc nor clang to build the original with";
            return Err(Box::new(Diagnostic::error(Code::CompilerFailed, message)));
        }
        Ok(Fair(all))
    }

    /// What each compiler made.
    pub fn builds(&self) -> &[Builds] {
        &self.0
    }

    /// How many times as fast the fastest result is as the fastest original, by medians; and who
    /// built them.
    pub fn gain(&self) -> (f64, &str, &str) {
        let fastest = |of: fn(&Builds) -> &Times| {
            let mut all = self.0.iter();
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

/// gcc and clang, as far as they are there.
fn compilers() -> Vec<&'static str> {
    let answers = |name: &str| {
        let mut command = Command::new(name);
        let silent = command.arg("--version").stdout(Stdio::null());
        let status = silent.stderr(Stdio::null()).stdin(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let clang = CLANGS.into_iter().find(|name| answers(name));
    let gcc = Some("gcc").filter(|name| answers(name));
    gcc.into_iter().chain(clang).collect()
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
        let fair = Fair(vec![builds("gcc", 8.0, 2.0), builds("clang", 6.0, 3.0)]);
        assert_eq!(fair.gain(), (3.0, "clang", "gcc"));
    }
}
