//! How a search is doing: a line that changes on a terminal, plain lines elsewhere.

use crate::commands::report::significant;
use crate::progress::Progress;
use crate::terminal::say;
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};
use tilewright_driver::tune::{Candidate, Event, Found, Record, duration_words};

/// Shows events.
pub struct Watch {
    progress: Progress,
    plain: bool,
    begin: Instant,
    budget: Duration,
    state: RefCell<State>,
}

/// What the line says.
#[derive(Default)]
struct State {
    number: usize,
    of: usize,
    best: Option<(String, f64)>,
}

impl Watch {
    /// Begins.
    pub fn new(progress: Progress, budget: Duration) -> Watch {
        Watch {
            progress,
            plain: !io::stderr().is_terminal(),
            begin: Instant::now(),
            budget,
            state: RefCell::default(),
        }
    }

    /// Something is being done for the candidate whose turn it is.
    pub fn step(&self, what: &str) {
        let state = self.state.borrow();
        if state.of == 0 || what.starts_with("finals") {
            self.progress.at(what);
            return;
        }
        // Whatever ends first, the candidates or the time.
        let time = self.begin.elapsed().as_secs_f64() / self.budget.as_secs_f64().max(1e-3);
        let share = time.max(state.number as f64 / state.of as f64).min(1.0);
        let bar = self.progress.bar((share * 1000.0) as usize, 1000);
        let budget = duration_words(self.budget);
        let mut line = format!("{bar} {}/{}, {budget}", state.number, state.of);
        if let Some((name, time)) = &state.best {
            line += &format!(", best {} ms ({name})", significant(*time));
        }
        self.progress.at(format!("{line}: {what}"));
    }

    /// Something happened.
    pub fn see(&self, event: &Event<'_>) {
        match event {
            Event::Known { count, of } => {
                self.plain_line(&format!("{count} of {of} candidates are in the log"));
            }
            Event::Begin {
                number, of, best, ..
            } => self.set(*number, *of, *best),
            Event::End {
                record,
                number,
                of,
                best,
            } => {
                self.set(*number, *of, *best);
                let mut line = format!("[{number}/{of}] {}: {}", record.candidate, words(record));
                if let Some((_, time)) = best {
                    line += &format!("; best {} ms", significant(*time));
                }
                self.plain_line(&line);
            }
            Event::Finals { count } => {
                self.plain_line(&format!("finals: {count} candidates by turns"));
            }
        }
    }

    fn set(&self, number: usize, of: usize, best: Option<(&Candidate, f64)>) {
        let mut state = self.state.borrow_mut();
        state.number = number;
        state.of = of;
        state.best = best.map(|(candidate, time)| (candidate.to_string(), time));
    }

    fn plain_line(&self, text: &str) {
        if self.plain {
            say(format_args!("{text}"));
        }
    }

    /// Takes the line away.
    pub fn end(&self) {
        self.progress.end();
    }
}

/// What became of a candidate, shortly.
fn words(record: &Record) -> String {
    match &record.found {
        Found::Measured { stopped, .. } => {
            let time = significant(record.minimum().unwrap_or_default());
            let slow = if *stopped { ", clearly slower" } else { "" };
            format!("{time} ms{slow}")
        }
        Found::SamePlan { of } => format!("the plan of {of}"),
        Found::Differs { .. } => "computes something else".to_owned(),
        Found::Refused { .. } => "refused".to_owned(),
        Found::Failed { .. } => "not built or run".to_owned(),
    }
}
