//! The steps of a command on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;
use tilewright::compile::Step;

/// Between two moves of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// A line on standard error that says what is being done; nothing where that is no terminal.
pub struct Progress {
    bar: ProgressBar,
    colour: bool,
}

impl Progress {
    /// Begins.
    pub fn new(colour: bool) -> Progress {
        let bar = ProgressBar::new_spinner();
        // The bar moves by a thread of its own.
        let can_move = || thread::Builder::new().spawn(|| ()).is_ok();
        let shown = io::stderr().is_terminal() && can_move();
        if !shown {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        bar.set_style(if colour {
            style("{spinner:.cyan} {msg:.bold} {elapsed:.dim}")
        } else {
            style("{spinner} {msg} {elapsed}")
        });
        if shown {
            bar.enable_steady_tick(TICK);
        }
        Progress { bar, colour }
    }

    /// A step begins.
    pub fn at(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }

    /// A step that is repeated begins.
    pub fn run(&self, what: &str, run: usize, of: usize) {
        if run == 0 {
            self.at(format!("{what}: warm-up"));
            return;
        }
        let bar = self.bar(run, of);
        self.at(format!("{what} {bar} {run}/{of}"));
    }

    /// A bar that shows how much of something is done.
    pub fn bar(&self, done: usize, of: usize) -> String {
        let width = 20;
        let full = (width * done / of.max(1)).min(width);
        let bar = format!("{}{}", "━".repeat(full), "╌".repeat(width - full));
        if self.colour {
            format!("\x1b[36m{bar}\x1b[0m")
        } else {
            bar
        }
    }

    /// A step of the compiler begins.
    pub fn step(&self, step: Step) {
        self.at(step.name());
    }

    /// Takes the line away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
