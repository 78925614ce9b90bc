//! The search: every candidate once, then the best few by turns.

use super::bench::in_words;
use super::{
    Bench, CLEARLY_SLOWER, Candidate, FINALISTS, Final, Finalist, Found, Log, Measurement, Record,
    Version,
};
use crate::Result;
use crate::measure::job::Turns;
use crate::measure::statistics::Times;
use std::time::{Duration, Instant};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::Plan;

/// How to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long the whole search may take, finals included. The default plan is always measured,
    /// and the finals always take place.
    pub budget: Duration,
    /// Timed runs of a candidate that is not given up, and of each finalist.
    pub runs: usize,
}

/// What happens.
#[derive(Debug)]
pub enum Event<'e> {
    /// So many candidates are in the log already.
    Known {
        /// How many.
        count: usize,
        /// Of how many.
        of: usize,
    },
    /// It is a candidate's turn.
    Begin {
        /// Which.
        candidate: &'e Candidate,
        /// How many came before, those in the log included.
        number: usize,
        /// Of how many.
        of: usize,
        /// The best so far and its shortest run in milliseconds.
        best: Option<(&'e Candidate, f64)>,
    },
    /// It is known what became of it.
    End {
        /// What.
        record: &'e Record,
        /// How many are done, those in the log included.
        number: usize,
        /// Of how many.
        of: usize,
        /// The best so far and its shortest run in milliseconds.
        best: Option<(&'e Candidate, f64)>,
    },
    /// The best few are timed again.
    Finals {
        /// How many.
        count: usize,
    },
}

/// How many candidates came to what end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// All candidates of the space.
    pub candidates: usize,
    /// Timed.
    pub measured: usize,
    /// Of these, given up as clearly slower.
    pub stopped: usize,
    /// Not timed, because their plans are those of others.
    pub same_plan: usize,
    /// Refused by tilewright.
    pub refused: usize,
    /// Not built or not run.
    pub failed: usize,
    /// Built, and computing something else.
    pub differing: usize,
    /// Not tried.
    pub left: usize,
    /// Of all that are not left, known from the log.
    pub from_log: usize,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Findings {
    /// How many candidates came to what end.
    pub counts: Counts,
    /// The search was interrupted: there were no finals.
    pub interrupted: bool,
    /// The original's times in the finals.
    pub original: Times,
    /// The finalists, the best median first.
    pub finalists: Vec<(Candidate, Plan, Times)>,
    /// Candidates that compute something else or fail, with the reason.
    pub rejected: Vec<(Candidate, String)>,
    /// Things that the user should know.
    pub notes: Vec<String>,
}

impl Findings {
    /// The best candidate, if any computes what the original does.
    pub fn winner(&self) -> Option<&(Candidate, Plan, Times)> {
        self.finalists.first()
    }

    /// Whether the original was faster in the finals than all candidates, by medians and minima.
    pub fn original_is_fastest(&self) -> bool {
        let (of, mut all) = (&self.original, self.finalists.iter());
        let slower = |times: &Times| of.median < times.median && of.min < times.min;
        of.runs > 0 && !self.finalists.is_empty() && all.all(|(_, _, times)| slower(times))
    }

    /// The default plan's times in the finals.
    pub fn default_plan(&self) -> Option<&Times> {
        let mut all = self.finalists.iter();
        all.find(|(candidate, ..)| candidate.is_planners_choice())
            .map(|(_, _, times)| times)
    }
}

/// A search.
pub struct Search<'s, B> {
    /// What compiles and measures.
    pub bench: &'s mut B,
    /// What is known, and where it goes.
    pub log: &'s mut Log,
    /// What to try, in this order.
    pub candidates: &'s [Candidate],
    /// How.
    pub settings: Settings,
    /// Whether somebody wants it to end.
    pub interrupted: &'s dyn Fn() -> bool,
    /// Is told what happens.
    pub observe: &'s mut dyn FnMut(Event<'_>),
}

impl<B: Bench> Search<'_, B> {
    /// Goes through the candidates until all are tried or the time is up, then holds the finals.
    ///
    /// # Errors
    /// The default plan cannot be built or run, the finals fail, or the log cannot be written.
    pub fn run(mut self) -> Result<Findings> {
        let begin = Instant::now();
        let of = self.candidates.len();
        let is_known = |log: &Log, candidate: &Candidate| log.find(candidate).is_some();
        let known = self.candidates.iter().filter(|c| is_known(self.log, c));
        let from_log = known.count();
        if from_log > 0 {
            let count = from_log;
            (self.observe)(Event::Known { count, of });
        }
        let mut number = from_log;
        let mut spent = Duration::ZERO;
        let mut fresh = Vec::new();
        let mut compiling = Duration::ZERO;
        for candidate in self.candidates {
            if is_known(self.log, candidate) {
                continue;
            }
            if (self.interrupted)() {
                break;
            }
            // Not one more than there is time for. The plans of the finals are compiled again,
            // and those of earlier searches are built again, as this candidate is to be built.
            let tried = u32::try_from(number - from_log).unwrap_or(u32::MAX);
            let each = spent.checked_div(tried).unwrap_or_default();
            let chosen = finalists(self.log, self.candidates);
            let old = chosen.iter().filter(|r| !fresh.contains(&r.candidate));
            let more = 1 + u32::try_from(old.count()).unwrap_or_default();
            let plans = u32::try_from(chosen.len() + 1).unwrap_or_default();
            let all = begin.elapsed() + more * each + plans * compiling + self.time_of_finals();
            if !candidate.is_planners_choice() && all >= self.settings.budget {
                break;
            }
            let before = Instant::now();
            let best = best(self.log, self.candidates);
            (self.observe)(Event::Begin {
                candidate,
                number,
                of,
                best,
            });
            let limit = best.map(|(_, time)| time * CLEARLY_SLOWER);
            let Some(record) = self.examine(candidate, limit, &mut compiling)? else {
                break;
            };
            self.log.add(record.clone())?;
            let chosen = finalists(self.log, self.candidates);
            let plans: Vec<&Plan> = chosen.iter().filter_map(|r| r.found.plan()).collect();
            self.bench.keep(&plans);
            number += 1;
            fresh.push(candidate.clone());
            spent += before.elapsed();
            (self.observe)(Event::End {
                record: &record,
                number,
                of,
                best: self::best(self.log, self.candidates),
            });
        }
        self.finish(from_log)
    }

    /// Compiles, compares and times one candidate; `None` if the search was interrupted.
    /// `compiling` becomes how long tilewright takes for one at most.
    fn examine(
        &mut self,
        candidate: &Candidate,
        limit: Option<f64>,
        compiling: &mut Duration,
    ) -> Result<Option<Record>> {
        let done = |found| {
            let candidate = candidate.clone();
            Ok(Some(Record { candidate, found }))
        };
        let begin = Instant::now();
        let compiled = self.bench.compile(candidate);
        *compiling = begin.elapsed().max(*compiling);
        let version = match compiled {
            Ok(version) => version,
            Err(reason) => return done(Found::Refused { reason }),
        };
        if (self.interrupted)() {
            return Ok(None);
        }
        let plan = version.plan.clone();
        match self.log.with_plan(&plan) {
            Some(other) if other.candidate != *candidate => {
                let of = other.candidate.clone();
                return done(Found::SamePlan { of });
            }
            _ => {}
        }
        let runs = self.settings.runs;
        let measured = match limit.filter(|_| !candidate.is_planners_choice()) {
            Some(limit) => self.bench.measure(&version, runs, limit),
            // Nothing to compare with: by turns with the original.
            None => self.bench.measure_with_original(&version, runs),
        };
        // The signal that interrupts us also ends the C compiler and the program.
        if (self.interrupted)() {
            return Ok(None);
        }
        match measured {
            Ok(Measurement::Timed {
                times,
                stopped,
                original,
            }) => done(Found::Measured {
                plan,
                code: version.code(),
                times_ms: times,
                stopped,
                original_ms: original,
            }),
            Ok(Measurement::Differs(reason)) => done(Found::Differs { plan, reason }),
            // It may be the original's failure, or the machine's.
            Err(diagnostic) if candidate.is_planners_choice() => Err(diagnostic),
            Err(diagnostic) => {
                let reason = in_words(&diagnostic);
                done(Found::Failed { plan, reason })
            }
        }
    }

    /// How long the finals will take, as far as that can be known now.
    fn time_of_finals(&self) -> Duration {
        let chosen = finalists(self.log, self.candidates);
        let original = chosen.iter().find_map(|record| match &record.found {
            Found::Measured { original_ms, .. } if !original_ms.is_empty() => {
                Some(Times::new(original_ms.clone()).median)
            }
            _ => None,
        });
        let calls: f64 = chosen
            .iter()
            .filter_map(|record| match &record.found {
                Found::Measured { times_ms, .. } => Some(Times::new(times_ms.clone()).median),
                _ => None,
            })
            .chain(original)
            .sum();
        let runs = self.settings.runs as f64;
        let pauses = (chosen.len() + 1) as f64 * (runs + 1.0) * Turns::PAUSE as f64;
        Duration::from_secs_f64((calls * (2.0 * runs + 1.0) + pauses).max(0.0) / 1e3)
    }

    /// The finals.
    fn finish(self, from_log: usize) -> Result<Findings> {
        let counts = count(self.log, self.candidates, from_log);
        let mut findings = Findings {
            counts,
            interrupted: false,
            original: Times::new(Vec::new()),
            finalists: Vec::new(),
            rejected: rejected(self.log, self.candidates),
            notes: Vec::new(),
        };
        if (self.interrupted)() {
            findings.interrupted = true;
            return Ok(findings);
        }
        let mut versions: Vec<Version> = Vec::new();
        let mut candidates = Vec::new();
        let mut others = 0;
        for record in ranking(self.log, self.candidates) {
            let Found::Measured { plan, code, .. } = &record.found else {
                continue;
            };
            if is_given_up(record) {
                continue;
            }
            let is_choice = record.candidate.is_planners_choice();
            if others == FINALISTS && !is_choice {
                continue;
            }
            // What is handed out is a plan: it has to be the program that was measured.
            match self.bench.replay(plan) {
                Ok(version) if version.plan == *plan && version.code() == *code => {
                    others += usize::from(!is_choice);
                    candidates.push(record.candidate.clone());
                    versions.push(version);
                }
                _ => findings.notes.push(format!(
                    "the plan of `{}` does not give the code that was measured",
                    record.candidate
                )),
            }
        }
        if versions.is_empty() {
            return Ok(findings);
        }
        let is_held = self.log.finals().is_some_and(|held| {
            let names: Vec<&Candidate> = held.finalists.iter().map(|one| &one.candidate).collect();
            held.runs == self.settings.runs
                && names.len() == candidates.len()
                && candidates
                    .iter()
                    .all(|candidate| names.contains(&candidate))
        });
        if !is_held {
            let count = versions.len();
            (self.observe)(Event::Finals { count });
            let times = self.bench.contest(&versions, self.settings.runs);
            if (self.interrupted)() {
                findings.interrupted = true;
                return Ok(findings);
            }
            let mut times = times?.into_iter();
            let finals = Final {
                runs: self.settings.runs,
                original_ms: times.next().unwrap_or_default(),
                finalists: candidates
                    .iter()
                    .zip(times)
                    .map(|(candidate, times_ms)| Finalist {
                        candidate: candidate.clone(),
                        times_ms,
                    })
                    .collect(),
            };
            if finals.finalists.len() != candidates.len() {
                return Err(incomplete());
            }
            self.log.add_final(finals)?;
        }
        if let Some(held) = self.log.finals() {
            findings.original = Times::new(held.original_ms.clone());
            for one in &held.finalists {
                let at = candidates.iter().position(|c| *c == one.candidate);
                if let Some(version) = at.and_then(|at| versions.get(at)) {
                    let times = Times::new(one.times_ms.clone());
                    let plan = version.plan.clone();
                    findings
                        .finalists
                        .push((one.candidate.clone(), plan, times));
                }
            }
            let by_median = |times: &Times| (times.median, times.min);
            findings.finalists.sort_by(|(_, _, left), (_, _, right)| {
                let ((a, b), (c, d)) = (by_median(left), by_median(right));
                a.total_cmp(&c).then(b.total_cmp(&d))
            });
        }
        Ok(findings)
    }
}

/// Those of the candidates that are timed, the one with the shortest run first.
fn ranking<'l>(log: &'l Log, candidates: &[Candidate]) -> Vec<&'l Record> {
    let known = candidates
        .iter()
        .filter_map(|candidate| log.find(candidate));
    // A plan may have been measured for a candidate of another space.
    let measured = known.filter_map(|record| match &record.found {
        Found::SamePlan { of } => log.find(of),
        _ => Some(record),
    });
    let mut timed: Vec<(f64, &Record)> = Vec::new();
    for record in measured {
        if let Some(time) = record.minimum() {
            if !timed.iter().any(|(_, other)| std::ptr::eq(*other, record)) {
                timed.push((time, record));
            }
        }
    }
    timed.sort_by(|(left, _), (right, _)| left.total_cmp(right));
    timed.into_iter().map(|(_, record)| record).collect()
}

/// Whether it was clearly slower than the best.
fn is_given_up(record: &Record) -> bool {
    matches!(record.found, Found::Measured { stopped: true, .. })
}

/// The best few of the candidates, and the default plan.
fn finalists<'l>(log: &'l Log, candidates: &[Candidate]) -> Vec<&'l Record> {
    let mut others = 0;
    let mut chosen = ranking(log, candidates);
    chosen.retain(|record| !is_given_up(record));
    chosen.retain(|record| {
        let is_choice = record.candidate.is_planners_choice();
        others += usize::from(!is_choice);
        is_choice || others <= FINALISTS
    });
    chosen
}

fn best<'l>(log: &'l Log, candidates: &[Candidate]) -> Option<(&'l Candidate, f64)> {
    let first = *ranking(log, candidates).first()?;
    Some((&first.candidate, first.minimum()?))
}

fn count(log: &Log, candidates: &[Candidate], from_log: usize) -> Counts {
    let mut counts = Counts {
        candidates: candidates.len(),
        from_log,
        ..Counts::default()
    };
    for candidate in candidates {
        match log.find(candidate).map(|record| &record.found) {
            None => counts.left += 1,
            Some(Found::Measured { stopped, .. }) => {
                counts.measured += 1;
                counts.stopped += usize::from(*stopped);
            }
            Some(Found::SamePlan { .. }) => counts.same_plan += 1,
            Some(Found::Differs { .. }) => counts.differing += 1,
            Some(Found::Refused { .. }) => counts.refused += 1,
            Some(Found::Failed { .. }) => counts.failed += 1,
        }
    }
    counts
}

fn rejected(log: &Log, candidates: &[Candidate]) -> Vec<(Candidate, String)> {
    let known = candidates
        .iter()
        .filter_map(|candidate| log.find(candidate));
    known
        .filter_map(|record| match &record.found {
            Found::Differs { reason, .. }
            | Found::Failed { reason, .. }
            | Found::Refused { reason } => Some((record.candidate.clone(), reason.clone())),
            Found::Measured { .. } | Found::SamePlan { .. } => None,
        })
        .collect()
}

fn incomplete() -> Box<Diagnostic> {
    let message = "the finals have fewer results than finalists";
    Box::new(Diagnostic::error(Code::Internal, message))
}
