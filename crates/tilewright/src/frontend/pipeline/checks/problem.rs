//! What is wrong with a pipeline, in the terms of whoever wrote it.

use std::fmt;

/// One thing that is wrong, or worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The image or function it is about.
    pub subject: Option<String>,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Problem {
    /// A problem with an image or a function.
    pub fn of(subject: &str, message: impl Into<String>) -> Problem {
        Problem {
            subject: Some(subject.to_owned()),
            message: message.into(),
            help: None,
        }
    }

    /// A problem with the pipeline.
    pub fn new(message: impl Into<String>) -> Problem {
        Problem {
            subject: None,
            message: message.into(),
            help: None,
        }
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Problem {
        self.help = Some(text.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// Everything that is wrong with a pipeline; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
