//! The log and the search, the latter with a bench that only pretends.

use super::*;
use crate::Result;
use crate::measure::statistics::Times;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::{Group, Plan, RegionPlan, Shape, VERSION};

fn candidate(row: i64) -> Candidate {
    Candidate {
        shape: Some(Shape::Scalene),
        tile_sizes: Some(vec![row, 144]),
        overlap_tolerance: 0.2,
        blocks: None,
    }
}

fn plan(row: i64) -> Plan {
    let mut group = Group::new(vec!["a".to_owned()], Shape::Scalene);
    group.overlapped_mut().unwrap().tile_sizes = vec![row, 144];
    Plan {
        version: VERSION,
        regions: vec![RegionPlan::new("f", 0, "optimal", vec![group])],
    }
}

fn identity(threads: &str) -> Identity {
    let pairs = [("file", "00ff"), ("threads", threads)];
    Identity(pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).into())
}

fn measured(row: i64, times: &[f64]) -> Record {
    Record {
        candidate: candidate(row),
        found: Found::Measured {
            plan: plan(row),
            code: hash(b"code"),
            times_ms: times.to_vec(),
            stopped: false,
            original_ms: Vec::new(),
        },
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn log(&self) -> PathBuf {
        self.0.path().join("a.tune.jsonl")
    }

    fn open(&self) -> Log {
        Log::open(&self.log(), &identity("2")).unwrap()
    }
}

#[test]
fn early_stop() {
    assert!(!is_clearly_slower(&[], 1.3));
    assert!(is_clearly_slower(&[1.4, 1.31], 1.3));
    assert!(
        !is_clearly_slower(&[9.0, 1.3], 1.3),
        "one good run is enough"
    );
}

#[test]
fn logs_go_round() {
    let place = Place::new();
    let mut log = place.open();
    assert!(
        !place.log().exists(),
        "no file before there is something in it"
    );
    let records = [
        measured(4, &[1.5, 1.25]),
        Record {
            candidate: candidate(6),
            found: Found::SamePlan { of: candidate(4) },
        },
        Record {
            candidate: candidate(8),
            found: Found::Differs {
                plan: plan(8),
                reason: "one element".to_owned(),
            },
        },
        Record {
            candidate: Candidate::planners_choice(),
            found: Found::Refused {
                reason: "no".to_owned(),
            },
        },
        Record {
            candidate: candidate(12),
            found: Found::Failed {
                plan: plan(12),
                reason: "it crashed".to_owned(),
            },
        },
    ];
    for record in &records {
        log.add(record.clone()).unwrap();
    }
    let finals = Final {
        runs: 3,
        original_ms: vec![3.0],
        finalists: vec![Finalist {
            candidate: candidate(4),
            // As it was measured: a reader that rounds twice makes it 0.043445.
            times_ms: vec![0.043_445_000_000_000_004],
        }],
    };
    log.add_final(finals.clone()).unwrap();
    let again = place.open();
    assert_eq!(again.records(), records);
    assert_eq!(again.finals(), Some(&finals));
    assert_eq!(again.unreadable(), 0);
    assert_eq!(again.with_plan(&plan(8)).unwrap().candidate, candidate(8));
    assert_eq!(again.find(&candidate(4)).unwrap().minimum(), Some(1.25));
    assert_eq!(again.find(&candidate(8)).unwrap().minimum(), None);
    assert_eq!(fs::read_to_string(place.log()).unwrap().lines().count(), 7);
}

#[test]
fn logs_of_something_else_are_refused() {
    let place = Place::new();
    place.open().add(measured(4, &[1.0])).unwrap();
    let before = fs::read(place.log()).unwrap();
    let error = Log::open(&place.log(), &identity("4")).unwrap_err();
    assert_eq!(error.code, Code::UnwritableOutput.name());
    assert!(error.message.ends_with("it is about other measurements"));
    assert_eq!(error.notes, ["threads: `2` there, `4` now"]);
    assert_eq!(fs::read(place.log()).unwrap(), before);

    for text in ["int main;\n", "{}", "{\"a\":1}\n", "\u{0}"] {
        fs::write(place.log(), text).unwrap();
        let error = Log::open(&place.log(), &identity("2")).unwrap_err();
        assert!(error.message.ends_with("no log of `tilewright tune`"));
        assert_eq!(fs::read_to_string(place.log()).unwrap(), text);
    }
}

#[test]
fn lines_that_were_cut_off_are_forgotten() {
    let place = Place::new();
    let mut log = place.open();
    log.add(measured(4, &[1.0])).unwrap();
    log.add(measured(6, &[2.0])).unwrap();
    let whole = fs::read_to_string(place.log()).unwrap();
    for cut in 1..whole.len() {
        fs::write(place.log(), &whole[..whole.len() - cut]).unwrap();
        let mut log = place.open();
        let known = log.records().len();
        assert!(known < 2);
        if log.find(&candidate(4)).is_none() {
            log.add(measured(4, &[1.0])).unwrap();
        }
        log.add(measured(6, &[2.0])).unwrap();
        assert_eq!(fs::read_to_string(place.log()).unwrap(), whole, "{cut}");
    }
    // One that is broken in the middle costs no more than itself.
    let broken = whole.replace("\"tile-sizes\":[4,144]", "\"tile-sizes\":[4,1");
    fs::write(place.log(), broken).unwrap();
    let log = place.open();
    assert_eq!((log.records().len(), log.unreadable()), (1, 1));
}

#[test]
fn differences_of_identities() {
    let mut other = identity("2");
    assert!(identity("2").differences(&other).is_empty());
    other.0.insert("input a".to_owned(), "01".to_owned());
    let found = identity("2").differences(&other);
    assert_eq!(found, ["input a: `01` there, nothing now"]);
}

/// A bench on which a candidate's rows say how long it takes.
#[derive(Default)]
struct Pretence {
    /// What it was asked to measure, and the limit.
    asked: Vec<(Plan, Option<f64>)>,
    contests: usize,
    /// Rows of a candidate that computes something else.
    wrong: Option<i64>,
    /// Rows of a candidate that crashes.
    crashing: Option<i64>,
    /// Rows of candidates that have the plan of others.
    alias: BTreeMap<i64, i64>,
    /// Rows of a candidate whose plan gives other code when it is replayed.
    unstable: Option<i64>,
    slow_default: bool,
}

const CHOICE: i64 = 100;

fn row(plan: &Plan) -> i64 {
    plan.regions[0].groups[0].tile_sizes()[0]
}

fn version(row: i64) -> Version {
    Version {
        plan: plan(row),
        text: format!("rows {row}"),
        device: None,
        exact: true,
    }
}

impl Pretence {
    fn found(&mut self, version: &Version, runs: usize, limit: Option<f64>) -> Result<Measurement> {
        let row = row(&version.plan);
        self.asked.push((version.plan.clone(), limit));
        if self.wrong == Some(row) {
            return Ok(Measurement::Differs("1 of 2 elements".to_owned()));
        }
        if self.crashing == Some(row) {
            let diagnostic = Diagnostic::error(Code::RunFailed, "the result crashed");
            return Err(Box::new(diagnostic));
        }
        let time = row as f64;
        let stopped = limit.is_some_and(|limit| time > limit);
        Ok(Measurement::Timed {
            times: vec![time; if stopped { FIRST_RUNS } else { runs }],
            stopped,
            original: Vec::new(),
        })
    }
}

impl Bench for Pretence {
    fn compile(&mut self, candidate: &Candidate) -> std::result::Result<Version, String> {
        let row = candidate
            .tile_sizes
            .as_ref()
            .map_or(CHOICE, |sizes| sizes[0]);
        if row == 13 {
            return Err("TW0401: 13 is not for this program".to_owned());
        }
        Ok(version(self.alias.get(&row).copied().unwrap_or(row)))
    }

    fn replay(&mut self, plan: &Plan) -> std::result::Result<Version, String> {
        let mut version = version(row(plan));
        if self.unstable == Some(row(plan)) {
            version.text += " again";
        }
        Ok(version)
    }

    fn measure_with_original(&mut self, version: &Version, runs: usize) -> Result<Measurement> {
        self.found(version, runs, None)
    }

    fn measure(&mut self, version: &Version, runs: usize, limit: f64) -> Result<Measurement> {
        self.found(version, runs, Some(limit))
    }

    fn keep(&mut self, plans: &[&Plan]) {
        assert!(plans.len() <= FINALISTS + 1);
    }

    fn contest(&mut self, versions: &[Version], runs: usize) -> Result<Vec<Vec<f64>>> {
        self.contests += 1;
        let all = versions.iter().map(|version| match row(&version.plan) {
            CHOICE if self.slow_default => 1000.0,
            row => row as f64,
        });
        let all = std::iter::once(500.0).chain(all);
        Ok(all.map(|time| vec![time; runs]).collect())
    }
}

const LONG: Duration = Duration::from_secs(3600);

fn search(bench: &mut Pretence, log: &Path, rows: &[i64], budget: Duration) -> Result<Findings> {
    let mut candidates = vec![Candidate::planners_choice()];
    candidates.extend(rows.iter().map(|&row| candidate(row)));
    Search {
        bench,
        log: &mut Log::open(log, &identity("2")).unwrap(),
        candidates: &candidates,
        settings: Settings { budget, runs: 4 },
        interrupted: &|| false,
        observe: &mut |_| {},
    }
    .run()
}

#[test]
fn the_best_median_wins() {
    let place = Place::new();
    let mut bench = Pretence {
        alias: BTreeMap::from([(6, 60)]),
        ..Pretence::default()
    };
    let rows = [120, 60, 6, 70, 13, 110, 90, 80, 200];
    let found = search(&mut bench, &place.log(), &rows, LONG).unwrap();
    assert_eq!(found.winner().unwrap().0, candidate(60));
    assert_eq!(found.default_plan().unwrap().median, 100.0);
    assert_eq!(found.original.median, 500.0);
    let order: Vec<f64> = found.finalists.iter().map(|(_, _, t)| t.median).collect();
    assert_eq!(order, [60.0, 70.0, 100.0, 120.0], "without those given up");
    let expected = Counts {
        candidates: 10,
        measured: 8,
        stopped: 4,
        same_plan: 1,
        refused: 1,
        ..Counts::default()
    };
    assert_eq!(found.counts, expected);
    // 1.3 times the best of those before.
    let limits: Vec<Option<f64>> = bench.asked.iter().map(|(_, limit)| *limit).collect();
    assert_eq!(limits[..3], [None, Some(130.0), Some(130.0)]);
    assert_eq!(limits[3], Some(78.0));
}

/// It is a candidate, too: what is saved then is that it stays.
#[test]
fn the_original_may_be_the_fastest() {
    let place = Place::new();
    let mut bench = Pretence::default();
    let mut found = search(&mut bench, &place.log(), &[120, 60], LONG).unwrap();
    assert!(!found.original_is_fastest());
    let best = found.finalists[0].2.min;
    found.original = Times::new(vec![best * 0.9, best * 0.95]);
    assert!(found.original_is_fastest());
    // Not where one run of a candidate was shorter.
    found.original = Times::new(vec![best * 0.9, best * 0.95, best * 1.1]);
    found.finalists[0].2.min = best * 0.8;
    assert!(!found.original_is_fastest());
    found.finalists.clear();
    assert!(!found.original_is_fastest());
}

#[test]
fn nothing_is_measured_twice() {
    let place = Place::new();
    let mut bench = Pretence::default();
    let rows = [120, 60, 70];
    let first = search(&mut bench, &place.log(), &rows, LONG).unwrap();
    assert_eq!((bench.asked.len(), bench.contests), (4, 1));
    let text = fs::read_to_string(place.log()).unwrap();
    let second = search(&mut bench, &place.log(), &rows, LONG).unwrap();
    assert_eq!((bench.asked.len(), bench.contests), (4, 1));
    assert_eq!(second.counts.from_log, 4);
    assert_eq!(first.winner(), second.winner());
    assert_eq!(fs::read_to_string(place.log()).unwrap(), text);
    // More candidates: only these, and new finals.
    let third = search(&mut bench, &place.log(), &[120, 60, 70, 50], LONG).unwrap();
    assert_eq!((bench.asked.len(), bench.contests), (5, 2));
    assert_eq!(third.winner().unwrap().0, candidate(50));
}

#[test]
fn wrong_and_crashing_candidates_are_never_chosen() {
    let place = Place::new();
    let mut bench = Pretence {
        wrong: Some(2),
        crashing: Some(3),
        unstable: Some(80),
        ..Pretence::default()
    };
    let found = search(&mut bench, &place.log(), &[2, 3, 80, 90], LONG).unwrap();
    assert_eq!(found.winner().unwrap().0, candidate(90));
    assert_eq!((found.counts.differing, found.counts.failed), (1, 1));
    let rejected: Vec<String> = found.rejected.iter().map(|(c, _)| c.to_string()).collect();
    assert_eq!(
        rejected,
        [candidate(2).to_string(), candidate(3).to_string()]
    );
    assert_eq!(found.rejected[1].1, "TW0502: the result crashed");
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    assert!(found.notes[0].contains("does not give the code that was measured"));
}

#[test]
fn without_time_there_is_the_default_plan() {
    let place = Place::new();
    let mut bench = Pretence::default();
    let found = search(&mut bench, &place.log(), &[60, 70], Duration::ZERO).unwrap();
    assert!(found.winner().unwrap().0.is_planners_choice());
    assert_eq!((found.counts.measured, found.counts.left), (1, 2));
}

#[test]
fn a_default_plan_that_cannot_be_run_ends_the_search() {
    let place = Place::new();
    let mut bench = Pretence {
        crashing: Some(CHOICE),
        ..Pretence::default()
    };
    let error = search(&mut bench, &place.log(), &[60], LONG).unwrap_err();
    assert_eq!(error.message, "the result crashed");
    assert!(!place.log().exists());
    // One that computes something else does not: others may be right.
    bench.crashing = None;
    bench.wrong = Some(CHOICE);
    let found = search(&mut bench, &place.log(), &[60], LONG).unwrap();
    assert_eq!(found.winner().unwrap().0, candidate(60));
    assert!(found.default_plan().is_none());
}

#[test]
fn finals_decide_and_not_the_first_runs() {
    let place = Place::new();
    let mut bench = Pretence {
        slow_default: true,
        ..Pretence::default()
    };
    let found = search(&mut bench, &place.log(), &[120], LONG).unwrap();
    assert_eq!(found.winner().unwrap().0, candidate(120));
}

#[test]
fn interruptions_leave_what_was_measured() {
    let place = Place::new();
    let mut bench = Pretence::default();
    let looks = Cell::new(0);
    let candidates = [Candidate::planners_choice(), candidate(60), candidate(70)];
    let found = Search {
        bench: &mut bench,
        log: &mut place.open(),
        candidates: &candidates,
        settings: Settings {
            budget: LONG,
            runs: 4,
        },
        // While the second one is measured.
        interrupted: &|| {
            looks.set(looks.get() + 1);
            looks.get() > 5
        },
        observe: &mut |_| {},
    }
    .run()
    .unwrap();
    assert!(found.interrupted && found.winner().is_none());
    assert_eq!((found.counts.measured, bench.contests), (1, 0));
    assert_eq!(place.open().records().len(), 1);
    let found = search(&mut bench, &place.log(), &[60, 70], LONG).unwrap();
    assert_eq!(found.counts.from_log, 1);
    assert_eq!(found.winner().unwrap().0, candidate(60));
}

#[test]
fn plans_measured_in_another_space_take_part() {
    let place = Place::new();
    let mut bench = Pretence::default();
    search(&mut bench, &place.log(), &[60], LONG).unwrap();
    bench.alias = BTreeMap::from([(61, 60)]);
    let found = search(&mut bench, &place.log(), &[61, 90], LONG).unwrap();
    assert_eq!(found.winner().unwrap().1, plan(60));
}
