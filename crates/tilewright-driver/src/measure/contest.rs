//! More than two versions: builds by several C compilers, and *peers*, functions with the same C
//! signature that something else made.

use crate::Result;
use crate::host::output::words;
use crate::host::toolchain::Purpose;
use crate::measure::experiment::{Built, Experiment};
use crate::measure::job::{Entrant, Job, Side, Standing, Task, Turns};
use crate::measure::run::{Progress, Runner};
use crate::measure::wrapper;
use std::fs;
use std::path::PathBuf;
use tilewright::diagnostic::{Code, Diagnostic};

/// A function with the C signature of the one that is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// What tables call it.
    pub name: String,
    /// The shared library it is in.
    pub library: PathBuf,
    /// Its name there.
    pub symbol: String,
}

/// One program, built by one or several C compilers or compiled in several ways, and its peers.
#[derive(Debug)]
pub struct Contest<'a> {
    /// The same program and data everywhere, with a name for the C compiler or the way. The first
    /// version that takes part is what all others are compared with.
    pub builds: Vec<(String, &'a Experiment<'a>, &'a Built)>,
    /// Whether the builds' originals take part, too.
    pub originals: bool,
    /// Whoever else takes part.
    pub peers: Vec<Peer>,
    /// How often each, and for how long.
    pub turns: Turns,
}

impl Contest<'_> {
    /// Runs all versions by turns; `original (NAME)` and `tilewright (NAME)` for each build first,
    /// or only `NAME` where originals do not take part, then the peers. Every turn is one call to
    /// wake up and one, or several, that are timed. Values of scalars are those of the first
    /// experiment.
    ///
    /// # Errors
    /// `TW0209` where the function uses global variables and there are peers, who cannot share
    /// them; `TW0102` where a peer's library is not there; `TW0501`; and those of
    /// [`Runner::contest`](crate::measure::run::Runner::contest).
    pub fn run(&self, progress: &mut dyn FnMut(Progress)) -> Result<Vec<Standing>> {
        let mut entrants = Vec::new();
        for (compiler, _, built) in &self.builds {
            let sides = [
                (Side::Original, format!("original ({compiler})")),
                (Side::Result, format!("tilewright ({compiler})")),
            ];
            let results = [(Side::Result, compiler.clone())];
            let versions = if self.originals { &sides[..] } else { &results };
            for (side, name) in versions {
                entrants.push(Entrant {
                    name: name.clone(),
                    library: built.library(*side, Purpose::Time),
                    peer: None,
                });
            }
        }
        let Some((_, experiment, built)) = self.builds.first() else {
            return Ok(Vec::new());
        };
        if !self.peers.is_empty() {
            let library = self.wrap_peers(experiment, built)?;
            for peer in &self.peers {
                let found = peer.library.canonicalize().map_err(|error| {
                    let path = peer.library.display();
                    let message = format!("cannot read the peer {path}: {}", words(&error));
                    Box::new(Diagnostic::error(Code::BadInput, message))
                })?;
                // A copy for each: a library that is loaded twice is there only once.
                let name = format!("peer{}.so", entrants.len());
                let own = built.directory().join(name);
                fs::copy(&library, &own).map_err(|error| unwritable(&error))?;
                entrants.push(Entrant {
                    name: peer.name.clone(),
                    library: own,
                    peer: Some((found, peer.symbol.clone())),
                });
            }
        }
        let job = Job {
            original: built.library(Side::Original, Purpose::Time),
            result: built.library(Side::Result, Purpose::Time),
            ..experiment.job(built)?
        };
        let task = Task::Contest {
            entrants,
            turns: self.turns,
        };
        experiment.runner.contest(&job, task, progress)
    }

    /// Builds the wrapper that calls peers.
    fn wrap_peers(&self, experiment: &Experiment<'_>, built: &Built) -> Result<PathBuf> {
        let interface = experiment.interface;
        if let Some(global) = interface.globals.first() {
            let (function, name) = (&interface.function, &global.name);
            let message = format!("`{function}` uses `{name}`, which a peer cannot see");
            let help = "pass it as an argument";
            let diagnostic = Diagnostic::error(Code::UnsupportedType, message).help(help);
            return Err(Box::new(diagnostic));
        }
        let original = experiment.path.canonicalize().map_err(|e| unwritable(&e))?;
        let text = built.directory().join("peer.wrapper.c");
        let library = built.directory().join("peer.so");
        fs::write(&text, wrapper::peer(interface, &original)).map_err(|e| unwritable(&e))?;
        experiment.toolchain.build(
            &text,
            &library,
            Purpose::Time,
            original.parent(),
            Some(experiment.source),
        )?;
        Ok(library)
    }
}

/// Times several results of one program by turns, with their original: first its standing, then
/// theirs. Every turn is one call to wake up and one that is timed.
///
/// # Errors
/// Those of [`Runner::contest`].
pub fn results(
    runner: &Runner,
    results: &[(String, &Built)],
    runs: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Standing>> {
    let Some((_, built)) = results.first() else {
        return Ok(Vec::new());
    };
    let entrant = |name: &str, built: &Built, side: Side| Entrant {
        name: name.to_owned(),
        library: built.library(side, Purpose::Time),
        peer: None,
    };
    let mut entrants = vec![entrant("original", built, Side::Original)];
    for (name, built) in results {
        entrants.push(entrant(name, built, Side::Result));
    }
    let job = Job {
        original: built.library(Side::Original, Purpose::Time),
        result: built.library(Side::Result, Purpose::Time),
        ..built.job.clone()
    };
    let task = Task::Contest {
        entrants,
        turns: Turns::of_one_call(runs),
    };
    runner.contest(&job, task, progress)
}

fn unwritable(error: &std::io::Error) -> Box<Diagnostic> {
    let message = format!(
        "cannot use the directory for temporary files: {}",
        words(error)
    );
    Box::new(Diagnostic::error(Code::UnwritableOutput, message))
}
