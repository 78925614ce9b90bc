//! Running built programs in a process of their own, under a time limit.

use crate::Result;
use crate::host::process;
use crate::host::process::POLL;
use crate::measure::job::{Comparison, Event, Job, Side, Standing, Task, Timing, Trial};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tilewright::diagnostic::{Code, Diagnostic};

/// Stack of OpenMP's own threads unless the environment says otherwise: tiles may keep small
/// arrays there.
const OMP_STACKSIZE: &str = "64M";

/// Variables that set the number of threads: OpenMP's and, for peers, Halide's.
const THREADS: [&str; 2] = ["OMP_NUM_THREADS", "HL_NUM_THREADS"];

/// How many lines of what a program wrote before it ended a message quotes.
const QUOTED_LINES: usize = 4;

/// How measuring processes are started and for how long they may run.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The program that calls [`crate::measure::worker::main`].
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Threads, by `OMP_NUM_THREADS` and its like. Binding threads to cores (`OMP_PROC_BIND`,
    /// `OMP_PLACES`) is left to the user's environment: on a machine that does other work too, a
    /// bound thread waits for its core while others are free.
    pub threads: usize,
    /// How long one call, or one step between calls, may take.
    pub limit: Duration,
}

/// Where a measuring process is.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// At a call of the program.
    Call {
        /// Of which version.
        side: Side,
        /// From 1; 0 for the warm-up.
        run: usize,
        /// How many runs there will be.
        of: usize,
    },
    /// At a turn of a contest.
    Turn {
        /// Whose.
        name: String,
        /// From 1; 0 for the comparison.
        run: usize,
        /// How many there will be.
        of: usize,
    },
    /// At something else.
    At(String),
    /// Something the user should know.
    Note(String),
}

impl Runner {
    /// Runs both versions once and compares.
    ///
    /// # Errors
    /// `TW0502` where a version crashes or takes too long, and what the measuring process itself
    /// found wrong: `TW0504`, `TW0505`, `TW0102`.
    pub fn check(&self, job: &Job, progress: &mut dyn FnMut(Progress)) -> Result<Comparison> {
        match self.run(
            &Job {
                task: Task::Check,
                ..job.clone()
            },
            progress,
        )? {
            Event::Compared(comparison) => Ok(comparison),
            _ => Err(silent()),
        }
    }

    /// Runs both versions by turns, as often as `task` says, after a warm-up.
    ///
    /// # Errors
    /// As [`Runner::check`].
    pub fn time(
        &self,
        job: &Job,
        task: Task,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Timing> {
        // Pictures are written once, by the check.
        match self.run(
            &Job {
                task,
                outputs: Vec::new(),
                ..job.clone()
            },
            progress,
        )? {
            Event::Timed(timing) => Ok(timing),
            _ => Err(silent()),
        }
    }

    /// Runs all entrants by turns, as `task` says.
    ///
    /// # Errors
    /// As [`Runner::check`].
    pub fn contest(
        &self,
        job: &Job,
        task: Task,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Standing>> {
        match self.run(
            &Job {
                task,
                outputs: Vec::new(),
                ..job.clone()
            },
            progress,
        )? {
            Event::Contested(standings) => Ok(standings),
            _ => Err(silent()),
        }
    }

    /// Runs the result alone, as `task` says.
    ///
    /// # Errors
    /// As [`Runner::check`].
    pub fn trial(
        &self,
        job: &Job,
        task: Task,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Trial> {
        match self.run(
            &Job {
                task,
                outputs: Vec::new(),
                ..job.clone()
            },
            progress,
        )? {
            Event::Tried(trial) => Ok(trial),
            _ => Err(silent()),
        }
    }

    fn run(&self, job: &Job, progress: &mut dyn FnMut(Progress)) -> Result<Event> {
        let failed = |error: &dyn std::fmt::Display| {
            let message = format!("cannot start the measuring process: {error}");
            Box::new(Diagnostic::error(Code::RunFailed, message))
        };
        let mut events = Events::new(job).map_err(|error| failed(&error))?;
        let mut line = serde_json::to_string(job).map_err(|error| failed(&error))?;
        line.push('\n');
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        for variable in THREADS {
            command.env(variable, self.threads.to_string());
        }
        command.env("OMP_DYNAMIC", "false");
        if std::env::var_os("OMP_STACKSIZE").is_none() {
            command.env("OMP_STACKSIZE", OMP_STACKSIZE);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = Running(command.spawn().map_err(|error| failed(&error))?);
        let words = process::drain(child.0.stderr.take(), usize::MAX);
        let words = words.map_err(|error| failed(&error))?;
        // Kept open to the end: when it closes the child ends.
        let mut stdin = child.0.stdin.take();
        if let Some(stdin) = &mut stdin {
            // Where the child is gone already, its status says more than this error.
            let _ = stdin
                .write_all(line.as_bytes())
                .and_then(|()| stdin.flush());
        }

        let mut last = Event::At("starting".to_owned());
        let mut since = Instant::now();
        loop {
            // The status first: what was written before the end is then seen below.
            let status = child.0.try_wait().map_err(|error| failed(&error))?;
            for event in events.new_ones() {
                since = Instant::now();
                match &event {
                    Event::Call { side, run, of } => {
                        progress(Progress::Call {
                            side: *side,
                            run: *run,
                            of: *of,
                        });
                    }
                    Event::Turn { name, run, of } => progress(Progress::Turn {
                        name: name.clone(),
                        run: *run,
                        of: *of,
                    }),
                    Event::At(what) => progress(Progress::At(what.clone())),
                    Event::Note(note) => {
                        progress(Progress::Note(note.clone()));
                        continue;
                    }
                    Event::Failed(failure) => {
                        return Err(Box::new(Diagnostic::from(failure.clone())));
                    }
                    Event::Compared(_)
                    | Event::Timed(_)
                    | Event::Contested(_)
                    | Event::Tried(_) => return Ok(event),
                }
                last = event;
            }
            if let Some(status) = status {
                return Err(Box::new(ended(&last, status, &process::last_words(&words))));
            }
            if since.elapsed() > self.limit {
                return Err(Box::new(self.too_long(&last)));
            }
            thread::sleep(POLL);
        }
    }

    fn too_long(&self, last: &Event) -> Diagnostic {
        let seconds = self.limit.as_secs_f64();
        let message = match last {
            Event::Call { side, .. } => {
                format!("{} did not come to an end within {seconds} s", side.name())
            }
            Event::Turn { name, .. } => {
                format!("`{name}` did not come to an end within {seconds} s")
            }
            other => format!(
                "the measuring process took more than {seconds} s {}",
                place(other)
            ),
        };
        let help = "give it more with --time-limit SECONDS, or less to do with --param";
        Diagnostic::error(Code::RunFailed, message).help(help)
    }
}

/// A child that is killed when it is no longer wanted.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The file of events, read as it grows.
struct Events {
    reader: BufReader<File>,
    partial: String,
}

impl Events {
    fn new(job: &Job) -> std::io::Result<Events> {
        File::create(&job.events)?;
        Ok(Events {
            reader: BufReader::new(File::open(&job.events)?),
            partial: String::new(),
        })
    }

    fn new_ones(&mut self) -> Vec<Event> {
        let mut bytes = Vec::new();
        // A file of our own in a directory of our own: what cannot be read is not there.
        let _ = self.reader.by_ref().read_to_end(&mut bytes);
        self.partial.push_str(&String::from_utf8_lossy(&bytes));
        let Some(end) = self.partial.rfind('\n') else {
            return Vec::new();
        };
        let rest = self.partial.split_off(end + 1);
        let lines = std::mem::replace(&mut self.partial, rest);
        lines
            .as_bytes()
            .lines()
            .map_while(std::result::Result::ok)
            .filter_map(|line| serde_json::from_str(&line).ok())
            .collect()
    }
}

fn place(event: &Event) -> String {
    match event {
        Event::At(what) => format!("at {what}"),
        _ => "between two calls".to_owned(),
    }
}

fn ended(last: &Event, status: ExitStatus, words: &str) -> Diagnostic {
    let how = match process::signal(status) {
        Some((number, name)) => format!("{name}, signal {number}"),
        None => match status.code() {
            Some(code) => format!("it called exit({code})"),
            None => status.to_string(),
        },
    };
    let message = match last {
        Event::Call { side, .. } => format!("{} crashed: {how}", side.name()),
        Event::Turn { name, .. } => format!("`{name}` crashed: {how}"),
        other => format!("the measuring process ended {}: {how}", place(other)),
    };
    let mut diagnostic = Diagnostic::error(Code::RunFailed, message);
    let lines: Vec<&str> = words
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if !lines.is_empty() {
        let last = &lines[lines.len().saturating_sub(QUOTED_LINES)..];
        diagnostic = diagnostic.note(format!("it said: {}", last.join("\n")));
    }
    if matches!(
        last,
        Event::Call {
            side: Side::Original,
            ..
        }
    ) {
        diagnostic = diagnostic.help(
            "look for subscripts outside of an array at these parameter values; \
             -fsanitize=address finds them",
        );
    }
    diagnostic
}

fn silent() -> Box<Diagnostic> {
    let message = "the measuring process gave another answer than it was asked for";
    Box::new(Diagnostic::error(Code::Internal, message))
}
