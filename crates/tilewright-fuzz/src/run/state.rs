//! A run of the fuzzer: worker processes, their limits, what they found, and a file from which the
//! run goes on.

use crate::case::Case;
use crate::generate::generate;
use crate::run::worker;
use crate::run::worker::{BATCH, Counts, Engine, LIMIT, Message, plans};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What is kept between runs, and what the report is made of.
#[derive(Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct State {
    pub seed: u64,
    #[serde(default)]
    pub engine: Engine,
    pub kind: Option<String>,
    /// The next program.
    pub next: u64,
    pub seconds: f64,
    pub jobs: usize,
    pub counts: Counts,
    /// Findings by signature: how often, and the file of the first one.
    pub findings: BTreeMap<String, (u64, String)>,
    /// The process that reduces a case, if there is one.
    #[serde(skip)]
    pub reducing: Option<Child>,
}

/// What a run is asked for.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Order {
    pub cases: Option<u64>,
    pub time: Option<Duration>,
    pub jobs: usize,
    pub out: PathBuf,
    pub resume: Option<PathBuf>,
    /// Seconds for reducing one finding.
    pub reduce: u64,
    pub engine: Engine,
}

/// What of a finding's words says which defect it is: numbers are dropped.
pub fn signature(what: &str) -> String {
    if what.starts_with("lowering: ") {
        return "lowering".to_owned();
    }
    if let Some(kind) = what.strip_prefix("certify: ") {
        let kind = kind.split(':').next().unwrap_or_default();
        return format!("certify-{}", kind.replace(' ', "-"));
    }
    let mut text = String::new();
    for c in what.chars().take(110) {
        match c {
            '0'..='9' => {
                if !text.ends_with('#') {
                    text.push('#');
                }
            }
            c if c.is_alphanumeric() => text.push(c),
            _ => {
                if !text.ends_with('-') {
                    text.push('-');
                }
            }
        }
    }
    if text.starts_with("differs") {
        "differs".to_owned()
    } else {
        text.trim_matches('-').to_owned()
    }
}

struct Worker {
    child: Child,
    input: ChildStdin,
    /// Where the batch that it works on begins.
    first: u64,
    /// What is being compiled, since when, and how much processor time had been used by then.
    compiling: Option<(u64, usize, Instant, Duration)>,
    since: Instant,
    skip: Vec<(u64, usize)>,
    /// It has been told to end after a limit.
    stopped: Option<String>,
}

enum Event {
    Said(usize, u32, Box<Message>),
    Ended(usize, u32),
}

/// Processor time that a process has used.
pub(crate) fn processor_time(id: u32) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|f| f.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

impl State {
    /// Runs until enough is done; writes findings, state and report into the folder.
    ///
    /// # Errors
    /// What the operating system says about files and processes.
    pub fn run(&mut self, order: &Order) -> std::io::Result<()> {
        std::fs::create_dir_all(&order.out)?;
        self.jobs = order.jobs;
        self.engine = order.engine;
        let end = order.cases.map(|cases| self.next + cases);
        let begun = Instant::now();
        let before = self.seconds;
        let (events, incoming) = channel();
        let mut workers = BTreeMap::new();
        let more = |state: &State| {
            end.is_none_or(|end| state.next < end) && order.time.is_none_or(|t| begun.elapsed() < t)
        };
        let mut saved = Instant::now();
        for slot in 0..order.jobs {
            if more(self) {
                let first = self.take();
                workers.insert(slot, self.start(slot, first, Vec::new(), &events)?);
            }
        }
        while !workers.is_empty() {
            self.wait(&mut workers, &incoming, order);
            let ended: Vec<usize> = workers
                .iter()
                .filter(|(_, w): &(_, &Worker)| w.first == u64::MAX)
                .map(|(k, _)| *k)
                .collect();
            for slot in ended {
                let Some(mut worker) = workers.remove(&slot) else {
                    continue;
                };
                if more(self) {
                    worker.first = self.take();
                    worker.since = Instant::now();
                    worker.skip.clear();
                    writeln!(worker.input, "{} {BATCH}", worker.first)?;
                    workers.insert(slot, worker);
                } else {
                    drop(worker.input);
                    let _ = worker.child.wait();
                }
            }
            self.revive(&mut workers, &events, order)?;
            self.seconds = before + begun.elapsed().as_secs_f64();
            if saved.elapsed() > Duration::from_secs(15) {
                self.save(order)?;
                saved = Instant::now();
            }
        }
        if let Some(mut child) = self.reducing.take() {
            let _ = child.wait();
        }
        self.save(order)
    }

    fn take(&mut self) -> u64 {
        self.next += BATCH;
        self.next - BATCH
    }

    fn start(
        &self,
        slot: usize,
        first: u64,
        skip: Vec<(u64, usize)>,
        events: &Sender<Event>,
    ) -> std::io::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["worker", "--seed", &self.seed.to_string()]);
        command.args(["--engine", self.engine.word()]);
        if let Some(kind) = &self.kind {
            command.args(["--kind", kind]);
        }
        for (index, plan) in &skip {
            command.args(["--skip", &format!("{index}:{plan}")]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let missing = || std::io::Error::other("no pipe");
        let mut input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let (id, events) = (child.id(), events.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Ok(message) = serde_json::from_str(&line) {
                    let _ = events.send(Event::Said(slot, id, Box::new(message)));
                }
            }
            let _ = events.send(Event::Ended(slot, id));
        });
        writeln!(input, "{first} {BATCH}")?;
        Ok(Worker {
            child,
            input,
            first,
            compiling: None,
            since: Instant::now(),
            skip,
            stopped: None,
        })
    }

    /// Waits for one event, and ends workers that take too long.
    fn wait(
        &mut self,
        workers: &mut BTreeMap<usize, Worker>,
        incoming: &Receiver<Event>,
        order: &Order,
    ) {
        match incoming.recv_timeout(Duration::from_millis(500)) {
            Ok(Event::Said(slot, id, message)) => {
                let Some(worker) = workers.get_mut(&slot).filter(|w| w.child.id() == id) else {
                    return;
                };
                match *message {
                    Message::Begin { index, plan } => {
                        worker.compiling = Some((index, plan, Instant::now(), processor_time(id)));
                    }
                    Message::Idle => worker.compiling = None,
                    Message::Finding { index, plan, case } => {
                        if let Some(case) = Case::parse(&case) {
                            self.found(index, plan, case, order);
                        }
                    }
                    Message::Counts(counts) => {
                        self.counts.add(&counts);
                        worker.first = u64::MAX;
                    }
                }
            }
            Ok(Event::Ended(slot, id)) => {
                if let Some(worker) = workers
                    .get_mut(&slot)
                    .filter(|w| w.child.id() == id && w.stopped.is_none())
                {
                    worker.stopped = Some("the compiler's process ended".to_owned());
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        for worker in workers.values_mut() {
            let Some((_, _, since, used)) = worker.compiling else {
                if worker.since.elapsed() > Duration::from_secs(6000) && worker.stopped.is_none() {
                    worker.stopped = Some("the batch took too long".to_owned());
                }
                continue;
            };
            let too_long = since.elapsed() > LIMIT
                && processor_time(worker.child.id()).saturating_sub(used) > LIMIT;
            if (too_long || since.elapsed() > LIMIT * 100) && worker.stopped.is_none() {
                worker.stopped = Some(format!(
                    "hang: the compiler takes more than {} s",
                    LIMIT.as_secs()
                ));
            }
        }
    }

    /// Files what ended workers, and starts others in their place.
    fn revive(
        &mut self,
        workers: &mut BTreeMap<usize, Worker>,
        events: &Sender<Event>,
        order: &Order,
    ) -> std::io::Result<()> {
        let stopped: Vec<usize> = workers
            .iter()
            .filter(|(_, w)| w.stopped.is_some())
            .map(|(k, _)| *k)
            .collect();
        for slot in stopped {
            let Some(mut worker) = workers.remove(&slot) else {
                continue;
            };
            let _ = worker.child.kill();
            let status = worker.child.wait()?;
            let mut skip = worker.skip.clone();
            let mut first = worker.first;
            let what = worker.stopped.unwrap_or_default();
            let what = if what.starts_with("hang") {
                what
            } else {
                format!("{what}: {status}")
            };
            match worker.compiling {
                Some((index, plan, ..)) => {
                    let program = generate(self.seed, index, self.kind.as_deref(), "");
                    let words = &plans(self.seed, index, program.kind)[plan];
                    let case = worker::case(
                        self.seed,
                        self.kind.as_deref(),
                        index,
                        &program,
                        words,
                        &what,
                    );
                    self.found(index, plan, case, order);
                    // Other options would most likely take as long.
                    skip.extend((plan..worker::PLANS).map(|plan| (index, plan)));
                }
                None => {
                    eprintln!("the batch at {first} is left out: {what}");
                    first = self.take();
                    skip.clear();
                }
            }
            if first == u64::MAX {
                first = self.take();
            }
            workers.insert(slot, self.start(slot, first, skip, events)?);
        }
        Ok(())
    }

    fn found(&mut self, index: u64, plan: usize, case: Case, order: &Order) {
        let signature = signature(&case.found);
        let name = format!("{}-{index}-{plan}.c", self.seed);
        let entry = self
            .findings
            .entry(signature.clone())
            .or_insert((0, name.clone()));
        entry.0 += 1;
        eprintln!("{index} plan {plan}: {}", case.found);
        // Of differences nothing is known before they are reduced.
        if entry.0 > 4 && signature != "differs" {
            return;
        }
        let path = order.out.join(&name);
        let _ = std::fs::write(&path, case.to_string());
        // One at a time: the rest can be reduced by hand.
        let busy = self
            .reducing
            .as_mut()
            .is_some_and(|child| matches!(child.try_wait(), Ok(None)));
        if order.reduce > 0 && !busy {
            let mut command = Command::new(std::env::current_exe().unwrap_or_default());
            command
                .arg("reduce")
                .arg(&path)
                .args(["--seconds", &order.reduce.to_string()]);
            self.reducing = command.stdout(Stdio::null()).spawn().ok();
        }
    }

    fn save(&self, order: &Order) -> std::io::Result<()> {
        let json = serde_json::to_string_pretty(self).map_err(std::io::Error::other)?;
        let state = order
            .resume
            .clone()
            .unwrap_or_else(|| order.out.join("state.json"));
        replace(&state, &json)?;
        replace(&order.out.join("report.md"), &self.report())
    }

    /// The run as a page.
    pub fn report(&self) -> String {
        let mut text = String::new();
        let counts = &self.counts;
        let per_core =
            counts.results.compared as f64 / (self.seconds * self.jobs.max(1) as f64).max(1.0);
        let _ = writeln!(text, "| what | how many |\n|---|---:|");
        let kind = self.kind.as_deref().unwrap_or("all");
        for (name, value) in [
            ("seed", self.seed.to_string()),
            ("kinds", kind.to_owned()),
            ("programs", counts.programs.to_string()),
            (
                "originals with undefined behaviour, thrown away",
                counts.undefined.to_string(),
            ),
            ("compiles (program × options)", counts.compiles.to_string()),
            (
                "of these with a region changed",
                counts.transformed.to_string(),
            ),
            (
                "program × options × sizes compared and equal",
                counts.results.compared.to_string(),
            ),
            (
                "program × options where C compilers chose other signs of zeros",
                counts.results.zeros.to_string(),
            ),
            (
                "results that the certifier found equal",
                counts.certifier.certified.to_string(),
            ),
            (
                "inputs on which it did",
                counts.certifier.inputs.to_string(),
            ),
            (
                "regions whose models were compared with what an interpreter did",
                counts.models.lowered.to_string(),
            ),
            (
                "accesses compared there",
                counts.models.accesses.to_string(),
            ),
            ("seconds", format!("{:.0}", self.seconds)),
            (
                "of all processes: compiling, certifying, comparing models, building, running",
                format!(
                    "{:.0}, {:.0}, {:.0}, {:.0}, {:.0}",
                    counts.seconds.compile,
                    counts.seconds.certify,
                    counts.seconds.lower,
                    counts.seconds.cc,
                    counts.seconds.run
                ),
            ),
            ("processes", self.jobs.to_string()),
            (
                "comparisons per second and process",
                format!("{per_core:.1}"),
            ),
            (
                "findings",
                self.findings.values().map(|f| f.0).sum::<u64>().to_string(),
            ),
        ] {
            let _ = writeln!(text, "| {name} | {value} |");
        }
        for (title, map) in [
            ("kind", &counts.kinds),
            ("refused with", &counts.refused),
            ("compared, built by", &counts.results.builds),
            ("not certified", &counts.certifier.uncertified),
            ("model not compared", &counts.models.not_lowered),
        ] {
            let _ = writeln!(text, "\n| {title} | how many |\n|---|---:|");
            for (name, count) in map {
                let _ = writeln!(text, "| {name} | {count} |");
            }
        }
        let _ = writeln!(
            text,
            "\n| finding | how often | first case |\n|---|---:|---|"
        );
        for (signature, (count, file)) in &self.findings {
            let _ = writeln!(text, "| {signature} | {count} | {file} |");
        }
        text
    }
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let new = path.with_extension("new");
    std::fs::write(&new, text)?;
    std::fs::rename(new, path)
}
