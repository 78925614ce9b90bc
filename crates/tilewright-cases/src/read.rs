//! From the text of a file to what is expected.

use crate::compare::Wrong;
use crate::{Case, Of, Part};
use std::path::PathBuf;

/// What stands in front of each line of a text in several lines.
pub const INSIDE: &str = "//   ";

/// An expectation and where it stands.
#[derive(Clone, Debug)]
pub struct Check {
    /// What is expected.
    pub expected: Expected,
    /// Its first line, from 0.
    pub line: usize,
    /// One behind its last line.
    pub end: usize,
}

/// What may be expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `refused:` or `warned:` with lines below: these are all messages.
    Messages {
        /// It is refused.
        refused: bool,
        /// The messages, as they are shown; empty: `warned: nothing`.
        text: String,
    },
    /// `refused: TW0203 at 7:5 WORDS`, or the same with `warned`: there is such a message. Code and
    /// place may be left out.
    Message {
        /// It is refused.
        refused: bool,
        /// The message's code.
        code: Option<String>,
        /// Its line and column, from 1.
        place: Option<(usize, usize)>,
        /// What it says, among other things.
        words: String,
    },
    /// `messages lack: WORDS`: no message says that.
    Unsaid(String),
    /// `left: TW0206`: the file is as it was, with a warning of this code.
    Left(String),
    /// `expect: identical`: what was executed computes the same.
    Identical,
    /// `code:` with lines below: this is all of it.
    Text(String, String),
    /// `code contains: WORDS`.
    Contains(String, String),
    /// `code lacks: WORDS`.
    Lacks(String, String),
    /// `code lines:` with lines below: they are lines of it, one behind the other, wherever they
    /// begin.
    Lines(String, String),
}

impl Case {
    /// Reads a file.
    ///
    /// # Errors
    /// An expectation that is none, or stands where it is about nothing.
    pub fn read(path: PathBuf, text: String) -> Result<Case, Wrong> {
        let lines: Vec<&str> = text.lines().collect();
        let mut parts: Vec<Part> = Vec::new();
        // Whether the last part may get expectations, and still has to find its end.
        let (mut open, mut inside) = (false, false);
        let mut regions = 0;
        // The program, with what stands in a frame.
        let mut program = (!is_frame(&text)).then(|| framed(&text, PLACE));
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            let wrong = |words: String| Wrong { line: at, words };
            if line.trim_start().starts_with("#pragma scop") {
                open = false;
            } else if line.trim_start().starts_with("#pragma endscop") {
                if let Some(program) = &program {
                    parts.push(Part::new(Of::Region(regions), program, lines.len()));
                    (open, inside) = (true, true);
                }
                regions += 1;
            } else if line.starts_with('}') && inside {
                parts.last_mut().expect("it is inside of one").end = at + 1;
                inside = false;
            }
            let Some((key, words)) = key(line) else {
                at += 1;
                continue;
            };
            let of = match key {
                "compile" => {
                    let options = words.split_whitespace().map(str::to_owned);
                    Some(Of::Compile(options.collect()))
                }
                "case" if is_frame(&text) => {
                    program = Some(framed(&text, words));
                    Some(Of::Region(0))
                }
                _ => None,
            };
            if let Some(of) = of {
                let about_nothing = || wrong(format!("`{key}` is about nothing"));
                let program = program.as_ref().ok_or_else(about_nothing)?;
                parts.push(Part::new(of, program, at + 1));
                (open, inside) = (true, false);
                at += 1;
                continue;
            }
            let below = lines[at + 1..].iter().map_while(|line| indented(line));
            let below: Vec<&str> = if words.is_empty() {
                below.collect()
            } else {
                Vec::new()
            };
            let expected = expected(key, words, &below).map_err(wrong)?;
            let part = parts.last_mut().filter(|_| open);
            let part = part.ok_or_else(|| wrong(format!("`{key}` is about nothing")))?;
            let end = at + 1 + below.len();
            part.checks.push(Check {
                expected,
                line: at,
                end,
            });
            part.end = end;
            inside = false;
            at = end;
        }
        // Where the file is compiled, its regions need no expectations of their own.
        if parts.iter().any(|part| matches!(part.of, Of::Compile(_))) {
            parts.retain(|part| matches!(part.of, Of::Compile(_)) || !part.checks.is_empty());
        }
        if parts.is_empty() {
            let words = "a case has a marked region".to_owned();
            return Err(Wrong { line: 0, words });
        }
        Ok(Case { path, text, parts })
    }
}

impl Part {
    fn new(of: Of, program: &str, end: usize) -> Part {
        Part {
            of,
            program: program.to_owned(),
            checks: Vec::new(),
            end,
        }
    }
}

/// What a frame has in place of a case.
const PLACE: &str = "CASE";

/// Whether a file is a frame, into which cases are put.
fn is_frame(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| !line.starts_with("//") && line.contains(PLACE))
}

/// A frame with a case in it, without its remarks. Every line stays where it is.
fn framed(text: &str, case: &str) -> String {
    let lines = text.lines().map(|line| match line.starts_with("//") {
        true => "\n".to_owned(),
        false => line.replace(PLACE, case) + "\n",
    });
    lines.collect()
}

/// The words of an expectation in front of its colon and behind; none of other lines.
fn key(line: &str) -> Option<(&str, &str)> {
    let (key, words) = line.strip_prefix("// ")?.split_once(':')?;
    let small = |c: char| c.is_ascii_lowercase() || c == ' ';
    let is = key.starts_with(|c: char| c.is_ascii_lowercase()) && key.chars().all(small);
    let apart = words.is_empty() || words.starts_with(' ');
    (is && apart).then(|| (key, words.trim()))
}

/// A line of a text in several lines.
fn indented(line: &str) -> Option<&str> {
    match line.strip_prefix(INSIDE) {
        None if line.trim_end() == "//" => Some(""),
        inside => inside,
    }
}

fn expected(key: &str, words: &str, below: &[&str]) -> Result<Expected, String> {
    let words = words.to_owned();
    let text = below.join("\n");
    let (topic, what) = key.split_once(' ').unwrap_or((key, ""));
    let whole = words.is_empty();
    if matches!(what, "" | "lines") && whole && below.is_empty() {
        return Err(format!("`{key}` needs words behind it, or lines below"));
    }
    if matches!(what, "contains" | "lacks" | "lack") && whole {
        return Err(format!("`{key}` needs words behind it"));
    }
    let known = matches!(topic, "model" | "code" | "plan" | "device" | "calls");
    let topic = topic.to_owned();
    Ok(match (&*topic, what) {
        ("refused" | "warned", "") => {
            let refused = topic == "refused";
            if !refused && words == "nothing" {
                let text = String::new();
                Expected::Messages { refused, text }
            } else if whole {
                Expected::Messages { refused, text }
            } else {
                message(refused, &words)
            }
        }
        ("messages", "lack") => Expected::Unsaid(words),
        ("left", "") => Expected::Left(words),
        ("expect", "") if words == "identical" => Expected::Identical,
        (_, "") if known && whole => Expected::Text(topic, text),
        (_, "lines") if known && whole => Expected::Lines(topic, text),
        (_, "contains") if known => Expected::Contains(topic, words),
        (_, "lacks") if known => Expected::Lacks(topic, words),
        _ => return Err(format!("nothing is known as `{key}: {words}`")),
    })
}

/// `TW0203 at 7:5 WORDS`, code and place of which may be left out.
fn message(refused: bool, words: &str) -> Expected {
    let mut rest = words;
    let mut code = None;
    let mut place = None;
    let (first, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    let digits = first.strip_prefix("TW").unwrap_or("");
    if digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()) {
        code = Some(first.to_owned());
        rest = behind.trim_start();
    }
    if let Some(at) = rest.strip_prefix("at ") {
        let (first, behind) = at.split_once(' ').unwrap_or((at, ""));
        let numbers = first.split_once(':');
        let numbers = numbers.and_then(|(l, c)| Some((l.parse().ok()?, c.parse().ok()?)));
        if numbers.is_some() {
            place = numbers;
            rest = behind.trim_start();
        }
    }
    Expected::Message {
        refused,
        code,
        place,
        words: rest.to_owned(),
    }
}
