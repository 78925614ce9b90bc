//! An entrance that another program is: one call for each line it reads.

use crate::setting::Failure;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tilewright_driver::measure::experiment::Values;

/// A program that answers, until it is dropped.
pub struct Other {
    child: Child,
    ask: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Other {
    /// Starts a command, in words, with the pipeline's name and the values of its arguments.
    pub fn start(command: &str, pipeline: &str, values: &Values) -> Result<Other, Failure> {
        let mut words = command.split_whitespace();
        let mut child = Command::new(words.next().ok_or("write --other LABEL=COMMAND")?)
            .args(words)
            .arg(pipeline)
            .args(values.iter().map(|(name, value)| format!("{name}={value}")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start `{command}`: {error}"))?;
        let ask = child.stdin.take();
        let answers = child.stdout.take().ok_or("a program without output")?;
        Ok(Other {
            child,
            ask,
            answers: BufReader::new(answers),
        })
    }

    /// One call, its time in milliseconds as the program says.
    pub fn call(&mut self) -> Result<f64, Failure> {
        let ask = self.ask.as_mut().ok_or("a program without input")?;
        ask.write_all(b"call\n")?;
        ask.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let milliseconds = answer.trim().parse();
        Ok(milliseconds.map_err(|_| format!("no time in milliseconds: `{}`", answer.trim()))?)
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // The end of its input tells it to end.
        drop(self.ask.take());
        let _ = self.child.wait();
    }
}
