//! What was measured, as lines of JSON: first what identifies the measurements, then one line per
//! candidate, then the finals. A line is written whole as soon as it is known, so that a search
//! can end at any time and go on later.

use super::{Candidate, Identity};
use crate::Result;
use crate::host::output::words;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::Plan;

/// The version of this format.
const VERSION: u32 = 1;

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// The first one.
    Tune { version: u32, identity: Identity },
    /// A candidate.
    Candidate(Record),
    /// The best few, timed by turns.
    Final(Final),
}

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Which.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// What.
    pub found: Found,
}

/// What was found out about a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Found {
    /// It computes what the original does, in these times.
    Measured {
        /// What the planner made of it.
        plan: Plan,
        /// Hash of the file as compiled.
        code: String,
        /// Of its runs, in milliseconds.
        times_ms: Vec<f64>,
        /// It was given up after its first runs, because it was clearly slower than the best.
        stopped: bool,
        /// Times of the original, where it was run by turns with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        original_ms: Vec<f64>,
    },
    /// The planner makes of it what it made of an earlier one.
    SamePlan {
        /// Which.
        of: Candidate,
    },
    /// It computes something else than the original.
    Differs {
        /// What the planner made of it.
        plan: Plan,
        /// What differs.
        reason: String,
    },
    /// tilewright does not compile it.
    Refused {
        /// Why.
        reason: String,
    },
    /// It could not be built or run.
    Failed {
        /// What the planner made of it.
        plan: Plan,
        /// Why.
        reason: String,
    },
}

impl Found {
    /// The plan, unless there is none or another candidate has it.
    pub fn plan(&self) -> Option<&Plan> {
        match self {
            Found::Measured { plan, .. }
            | Found::Differs { plan, .. }
            | Found::Failed { plan, .. } => Some(plan),
            Found::SamePlan { .. } | Found::Refused { .. } => None,
        }
    }
}

impl Record {
    /// Its shortest run, if it computes what the original does.
    pub fn minimum(&self) -> Option<f64> {
        match &self.found {
            Found::Measured { times_ms, .. } => times_ms.iter().copied().min_by(f64::total_cmp),
            _ => None,
        }
    }
}

/// The best few candidates, timed again by turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Final {
    /// Timed runs of each.
    pub runs: usize,
    /// Times of the original, in milliseconds.
    pub original_ms: Vec<f64>,
    /// Theirs.
    pub finalists: Vec<Finalist>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finalist {
    /// Which.
    pub candidate: Candidate,
    /// Its times in milliseconds.
    pub times_ms: Vec<f64>,
}

/// A log, read to its end and open for more.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    /// The first line.
    header: String,
    /// `None` as long as there is no such file: it begins with the first measurement.
    file: Option<File>,
    records: Vec<Record>,
    finals: Option<Final>,
    unreadable: usize,
}

impl Log {
    /// Reads a log, if there is one. A last line that was not written to its end is forgotten.
    ///
    /// # Errors
    /// `TW0102` where the file cannot be used, is no log, or is one of other measurements; the
    /// message says what differs.
    pub fn open(path: &Path, identity: &Identity) -> Result<Log> {
        let unusable = |reason: String| {
            let message = format!("cannot use the log {}: {reason}", path.display());
            Box::new(Diagnostic::error(Code::UnwritableOutput, message))
        };
        let io = |error: std::io::Error| unusable(words(&error));
        let header = line(&Line::Tune {
            version: VERSION,
            identity: identity.clone(),
        })
        .map_err(|error| unusable(error.to_string()))?;
        let mut log = Log {
            path: path.to_owned(),
            header,
            file: None,
            records: Vec::new(),
            finals: None,
            unreadable: 0,
        };
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(log),
            Err(error) => return Err(io(error)),
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let end = whole.map_or(0, |at| at + 1);
        let no_log = || {
            let diagnostic = unusable("it is no log of `tilewright tune`".to_owned());
            Box::new(diagnostic.help("name another file with --log"))
        };
        // A last line that was cut off is written over.
        let cut = |mut file: File| {
            if end < bytes.len() {
                file.set_len(end as u64)?;
            }
            file.seek(SeekFrom::Start(end as u64))?;
            Ok(file)
        };
        if end == 0 {
            // Empty, or a first line that was cut off.
            if !bytes.is_empty() && !begins_a_log(&bytes) {
                return Err(no_log());
            }
            let mut file = cut(file).map_err(io)?;
            file.write_all(log.header.as_bytes()).map_err(io)?;
            log.file = Some(file);
            return Ok(log);
        }
        let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = text.lines();
        match lines.next().map(serde_json::from_str::<Line>) {
            Some(Ok(Line::Tune { version, .. })) if version != VERSION => {
                return Err(unusable(format!(
                    "its format is {version}, this tilewright writes {VERSION}"
                )));
            }
            Some(Ok(Line::Tune {
                identity: there, ..
            })) => {
                let differences = identity.differences(&there);
                if !differences.is_empty() {
                    let mut diagnostic = unusable("it is about other measurements".to_owned());
                    diagnostic.notes.extend(differences);
                    let help = "name another file with --log, or delete this one";
                    return Err(Box::new(diagnostic.help(help)));
                }
            }
            _ => return Err(no_log()),
        }
        for text in lines {
            match serde_json::from_str::<Line>(text) {
                Ok(Line::Candidate(record)) => log.put(record),
                Ok(Line::Final(finals)) => log.finals = Some(finals),
                Ok(Line::Tune { .. }) | Err(_) => log.unreadable += 1,
            }
        }
        log.unreadable += usize::from(end < bytes.len());
        log.file = Some(cut(file).map_err(io)?);
        Ok(log)
    }

    fn put(&mut self, record: Record) {
        let same = |other: &Record| other.candidate == record.candidate;
        self.records.retain(|other| !same(other));
        self.records.push(record);
    }

    /// What is known, in the order in which it was found.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// What is known of a candidate.
    pub fn find(&self, candidate: &Candidate) -> Option<&Record> {
        self.records.iter().find(|one| one.candidate == *candidate)
    }

    /// The first candidate that led to a plan.
    pub fn with_plan(&self, plan: &Plan) -> Option<&Record> {
        self.records
            .iter()
            .find(|one| one.found.plan() == Some(plan))
    }

    /// The last finals.
    pub fn finals(&self) -> Option<&Final> {
        self.finals.as_ref()
    }

    /// How many lines could not be read.
    pub fn unreadable(&self) -> usize {
        self.unreadable
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds what is known of a candidate.
    ///
    /// # Errors
    /// `TW0102`.
    pub fn add(&mut self, record: Record) -> Result<()> {
        self.write(&Line::Candidate(record.clone()))?;
        self.put(record);
        Ok(())
    }

    /// Adds finals.
    ///
    /// # Errors
    /// `TW0102`.
    pub fn add_final(&mut self, finals: Final) -> Result<()> {
        self.write(&Line::Final(finals.clone()))?;
        self.finals = Some(finals);
        Ok(())
    }

    fn write(&mut self, one: &Line) -> Result<()> {
        let failed = |reason: String| {
            let message = format!("cannot write {}: {reason}", self.path.display());
            Box::new(Diagnostic::error(Code::UnwritableOutput, message))
        };
        let text = line(one).map_err(|error| failed(error.to_string()))?;
        let failed = |error: std::io::Error| failed(words(&error));
        let mut file = match self.file.take() {
            Some(file) => file,
            None => {
                let mut file = File::create_new(&self.path).map_err(failed)?;
                file.write_all(self.header.as_bytes()).map_err(failed)?;
                file
            }
        };
        let done = file.write_all(text.as_bytes()).map_err(failed);
        self.file = Some(file);
        done
    }
}

fn line(one: &Line) -> serde_json::Result<String> {
    Ok(serde_json::to_string(one)? + "\n")
}

/// Whether bytes are the beginning of some log's first line.
fn begins_a_log(bytes: &[u8]) -> bool {
    let begin = b"{\"tune\":";
    bytes.starts_with(begin) || begin.starts_with(bytes)
}
