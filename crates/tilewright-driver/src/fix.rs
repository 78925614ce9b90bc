//! Puts into a file what messages offer in place of what they are about.
//!
//! One rewrite after the other, since the next message may be about what the last one put in. Each is
//! tried on a copy of the file. It stays if its message is gone and nothing else is an error now; where
//! other messages come to light that offer rewrites themselves, these are tried on top of it, and
//! what does not end without a new error is taken back.
//!
//! A promise, as `restrict`, is taken back, too, where the file's text is the same without it.

use crate::Result;
use crate::host::output;
use crate::host::preprocess::preprocess;
use crate::host::toolchain::Toolchain;
use serde::Serialize;
use std::fs;
use std::path::Path;
use tilewright::compile::{Compiled, Options, compile, messages};
use tilewright::diagnostic::{Code, Diagnostic, Severity};
use tilewright::frontend::c::parse::is_written;
use tilewright::source::{Source, Span};

/// Most rewrites that are tried.
const MOST: usize = 200;

/// A rewrite that stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// First byte of what was put in, in the new text.
    pub start: usize,
    /// The code of the message that offered it.
    pub code: &'static str,
    /// What stood there.
    pub before: String,
    /// What stands there now.
    pub rewrite: String,
    /// What the program says of itself with it, which the compiler cannot know.
    pub promise: Option<&'static str>,
}

/// A file after its rewrites.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The new text.
    pub source: Source,
    /// The text as it is on disk.
    pub original: String,
    /// What was put in, in the order in which that was done; never empty.
    pub kept: Vec<Kept>,
    /// Promises that were taken back.
    pub idle: Vec<Idle>,
}

/// A promise with which the compiler does nothing that it does not do without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// First byte of what it was offered for, in the new text.
    pub start: usize,
    /// The code of the message that offered it.
    pub code: &'static str,
    /// What it would be.
    pub rewrite: String,
    /// What is in the way with it, where that is known of a region.
    pub why: Option<String>,
}

impl Fixed {
    /// Writes the new text to the file.
    ///
    /// # Errors
    /// `TW0102`, also where the file has changed since it was read.
    pub fn write(&self, path: &Path) -> Result<()> {
        writable(path)?;
        if fs::read(path).is_ok_and(|now| now != self.original.as_bytes()) {
            return Err(refused(path, "it has changed since it was read"));
        }
        output::write(path, self.source.text.as_bytes())
    }
}

/// Looks before long work whether a file could be replaced.
///
/// # Errors
/// `TW0102` with the reason.
pub fn writable(path: &Path) -> Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(refused(path, "it may not be written to"));
    }
    output::check(path, &[])
}

fn refused(path: &Path, reason: &str) -> Box<Diagnostic> {
    let message = format!("cannot write {}: {reason}", path.display());
    Box::new(Diagnostic::error(Code::UnwritableOutput, message))
}

/// What became of the rewrites that messages about a file offer.
#[derive(Clone, Debug)]
pub enum Fix {
    /// None is offered for words of the file.
    Nothing,
    /// None stays, or the file would be refused with them, too.
    InVain,
    /// None stays but promises that make no difference: the file with its places.
    Idle(Source, Vec<Idle>),
    /// Some stay.
    Done(Box<Fixed>),
}

/// Tries the rewrites that messages about a file offer. Nothing is written.
///
/// # Errors
/// What is wrong before there is a message about the file's text: it cannot be read or preprocessed.
pub fn fix(path: &Path, toolchain: &Toolchain, options: &Options) -> Result<Fix> {
    let source = preprocess(path, toolchain)?;
    let bench = Bench::new(path, toolchain, options)?;
    let original = source.text.clone();
    let mut settled = bench.state(source);
    let mut passed: Vec<Offer> = Vec::new();
    let mut tried = 0;
    while let Some(first) = settled.offer(&passed) {
        match bench.settle(&settled, &first, &passed, &mut tried)? {
            Some(next) => {
                settled = next;
                // What did not help may do so now.
                passed.clear();
            }
            None => passed.push(first),
        }
        if tried >= MOST {
            break;
        }
    }
    let refused = settled.messages.iter().any(is_error);
    if tried == 0 {
        return Ok(Fix::Nothing);
    }
    if refused || settled.kept.is_empty() {
        return Ok(Fix::InVain);
    }
    let (settled, idle) = bench.without_idle(settled)?;
    Ok(match settled.kept.is_empty() {
        true => Fix::Idle(settled.source, idle),
        false => Fix::Done(Box::new(Fixed {
            source: settled.source,
            original,
            kept: settled.kept,
            idle,
        })),
    })
}

/// A rewrite at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Offer {
    /// What is replaced, in the text of the state that has the message.
    at: Span,
    message: Diagnostic,
    rewrite: String,
}

/// A text with what is said of it.
#[derive(Clone, Debug)]
struct State {
    source: Source,
    messages: Vec<Diagnostic>,
    kept: Vec<Kept>,
}

impl State {
    /// The first rewrite that is offered for words of the file itself, but for those `passed` over.
    fn offer(&self, passed: &[Offer]) -> Option<Offer> {
        let offers = self.messages.iter().filter_map(|message| {
            let at = place(message)?;
            let rewrite = message.rewrite.clone()?;
            let before = self.source.text.get(at.start..at.end)?;
            let fits = before != rewrite && keeps_qualifiers(before, &rewrite);
            (fits && is_written(&self.source, at)).then_some(Offer {
                at,
                message: message.clone(),
                rewrite,
            })
        });
        offers.into_iter().find(|offer| !passed.contains(offer))
    }
}

/// Where and how texts are tried.
struct Bench<'a> {
    folder: tempfile::TempDir,
    toolchain: Toolchain,
    options: &'a Options,
}

impl<'a> Bench<'a> {
    fn new(path: &Path, toolchain: &Toolchain, options: &'a Options) -> Result<Bench<'a>> {
        let folder = tempfile::tempdir().map_err(|error| {
            let message = format!("no temporary folder: {}", output::words(&error));
            Box::new(Diagnostic::error(Code::UnwritableOutput, message))
        })?;
        // A copy includes what the file includes.
        let beside = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.display().to_string(),
            _ => ".".to_owned(),
        };
        let mut toolchain = toolchain.clone();
        let own = ["-iquote".to_owned(), beside];
        toolchain.cflags.splice(0..0, own);
        Ok(Bench {
            folder,
            toolchain,
            options,
        })
    }

    fn state(&self, source: Source) -> State {
        State {
            messages: messages(&source, self.options),
            source,
            kept: Vec::new(),
        }
    }

    /// From one text without new errors to the next: the first rewrite, and as many others as it
    /// takes. `None` where that does not come to an end.
    fn settle(
        &self,
        from: &State,
        first: &Offer,
        passed: &[Offer],
        tried: &mut usize,
    ) -> Result<Option<State>> {
        let mut moved: Vec<Moved> = Vec::new();
        let mut state = from.clone();
        let mut offer = first.clone();
        while *tried < MOST {
            *tried += 1;
            let Some(next) = self.applied(&state, &offer)? else {
                return Ok(None);
            };
            let step = Moved {
                at: offer.at,
                length: offer.rewrite.len(),
            };
            if find(&next.messages, &offer.message, &[step]) {
                return Ok(None);
            }
            moved.push(step);
            state = next;
            let known = |error: &&Diagnostic| {
                let before = |old: &Diagnostic| is_same(old, error, &moved);
                !from.messages.iter().any(before)
            };
            let errors = state.messages.iter().filter(|message| is_error(message));
            let Some(new) = errors.clone().find(known) else {
                return Ok(Some(state));
            };
            // It has to offer a way on itself.
            let offers = State {
                messages: vec![new.clone()],
                ..state.clone()
            };
            match offers.offer(passed) {
                Some(next) => offer = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// A text with a rewrite, and what is said of it; `None` where the preprocessor refuses it.
    fn applied(&self, state: &State, offer: &Offer) -> Result<Option<State>> {
        let mut text = state.source.text.clone();
        let before = text[offer.at.start..offer.at.end].to_owned();
        text.replace_range(offer.at.start..offer.at.end, &offer.rewrite);
        let Some(source) = self.preprocessed(&state.source.name, text)? else {
            return Ok(None);
        };
        let step = Moved {
            at: offer.at,
            length: offer.rewrite.len(),
        };
        let mut next = self.state(source);
        next.kept.clone_from(&state.kept);
        for kept in &mut next.kept {
            kept.start = step.now(kept.start);
        }
        next.kept.push(Kept {
            start: offer.at.start,
            code: offer.message.code,
            before,
            rewrite: offer.rewrite.clone(),
            promise: offer.message.promise(),
        });
        Ok(Some(next))
    }

    /// A text without the promises that make no difference, the last ones first.
    fn without_idle(&self, mut state: State) -> Result<(State, Vec<Idle>)> {
        let mut idle: Vec<Idle> = Vec::new();
        let Some(mut with) = self.outcome(&state.source) else {
            return Ok((state, idle));
        };
        for number in (0..state.kept.len()).rev() {
            if state.kept[number].promise.is_none() {
                continue;
            }
            let Some(before) = self.taken_back(&state, number)? else {
                continue;
            };
            let Some(without) = self.outcome(&before.source) else {
                continue;
            };
            if bare(&with.text) != bare(&without.text) {
                continue;
            }
            let kept = &state.kept[number];
            let step = kept.taken_back();
            for other in &mut idle {
                other.start = step.now(other.start);
            }
            idle.push(Idle {
                start: kept.start,
                code: kept.code,
                rewrite: kept.rewrite.clone(),
                why: why(&with, &before, kept),
            });
            (state, with) = (before, without);
        }
        Ok((state, idle))
    }

    /// What becomes of a file; `None` where it is refused.
    fn outcome(&self, source: &Source) -> Option<Compiled> {
        compile(source, self.options, None, &mut |_| {}).ok()
    }

    /// A text without one of its rewrites; `None` where others were made in it.
    fn taken_back(&self, state: &State, number: usize) -> Result<Option<State>> {
        let kept = &state.kept[number];
        let step = kept.taken_back();
        let mut text = state.source.text.clone();
        if text.get(step.at.start..step.at.end) != Some(&*kept.rewrite) {
            return Ok(None);
        }
        text.replace_range(step.at.start..step.at.end, &kept.before);
        let Some(source) = self.preprocessed(&state.source.name, text)? else {
            return Ok(None);
        };
        let mut next = self.state(source);
        next.kept.clone_from(&state.kept);
        next.kept.remove(number);
        for other in &mut next.kept {
            other.start = step.now(other.start);
        }
        Ok(Some(next))
    }

    /// Preprocesses a text as if it were the file's.
    fn preprocessed(&self, name: &str, text: String) -> Result<Option<Source>> {
        let file = Path::new(name).file_name().unwrap_or("file.c".as_ref());
        let copy = self.folder.path().join(file);
        output::write(&copy, text.as_bytes())?;
        let Ok(source) = preprocess(&copy, &self.toolchain) else {
            return Ok(None);
        };
        let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
        Ok(Some(Source {
            preprocessed: source
                .preprocessed
                .replace(&quoted(&source.name), &quoted(name)),
            name: name.to_owned(),
            text,
            macros: source.macros,
            chosen: source.chosen,
        }))
    }
}

impl Kept {
    /// What it does to places to put back what stood there.
    fn taken_back(&self) -> Moved {
        Moved {
            at: Span::new(self.start, self.start + self.rewrite.len()),
            length: self.before.len(),
        }
    }
}

/// A text without its promises, without the white space by which they are set off, and without the
/// lines that mark regions and parts of them.
fn bare(text: &str) -> String {
    let marks = ["#pragma scop", "#pragma endscop", "/* tilewright:"];
    let mark = |line: &&str| marks.iter().any(|mark| line.trim_start().starts_with(mark));
    let lines = text.lines().filter(|line| !mark(line));
    let words = lines.flat_map(str::split_whitespace);
    words.map(|word| word.replace("restrict", "")).collect()
}

/// What is in the way of the region that a promise was offered for: why it is left as it was with the
/// promise, or what is said of it then. `before`: the file without.
fn why(with: &Compiled, before: &State, kept: &Kept) -> Option<String> {
    let regions = with
        .regions
        .iter()
        .filter(|region| region.span.start > kept.start);
    let first = regions.min_by_key(|region| region.span.start)?;
    let own = |message: &&Diagnostic| {
        let inside = |start: usize| start >= kept.start && start < first.span.end;
        message.severity == Severity::Warning
            && message.message.contains("left as it was")
            && message.labels.iter().any(|label| inside(label.start))
            && !find(&before.messages, message, &[kept.taken_back()])
    };
    let said = with.warnings.iter().find(own);
    let left = first.original.left.map(str::to_owned);
    left.or_else(|| said.map(|message| words(message).to_owned()))
}

/// What a rewrite did to places.
#[derive(Clone, Copy, Debug)]
struct Moved {
    /// What was replaced.
    at: Span,
    /// Bytes that are there now.
    length: usize,
}

impl Moved {
    /// Where what began here begins now.
    fn now(self, start: usize) -> usize {
        if start < self.at.end {
            start.min(self.at.start)
        } else {
            start - (self.at.end - self.at.start) + self.length
        }
    }
}

/// Whether a message about a text is there as one about the text after some rewrites: in the same words,
/// and with a place in common. What it points at first may be another place.
fn is_same(old: &Diagnostic, new: &Diagnostic, moved: &[Moved]) -> bool {
    let now = |start: usize| moved.iter().fold(start, |at, step| step.now(at));
    let here = |start: usize| new.labels.iter().any(|label| label.start == start);
    let common = old.labels.iter().any(|label| here(now(label.start)));
    let nowhere = old.labels.is_empty() && new.labels.is_empty();
    old.code == new.code && words(old) == words(new) && (common || nowhere)
}

/// A message without what becomes of its region.
fn words(message: &Diagnostic) -> &str {
    let text = &message.message;
    text.rsplit_once("left as it was: ")
        .map_or(text, |(_, words)| words)
}

fn find(messages: &[Diagnostic], old: &Diagnostic, moved: &[Moved]) -> bool {
    messages.iter().any(|new| is_same(old, new, moved))
}

/// Whether a declaration is still all that it was said to be: the extent behind `static` is not known
/// to whoever writes it anew.
fn keeps_qualifiers(before: &str, after: &str) -> bool {
    let count = |text: &str, wanted: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| *word == wanted).count()
    };
    ["const", "static", "volatile", "register", "restrict"]
        .iter()
        .all(|word| count(before, word) <= count(after, word))
}

fn is_error(message: &Diagnostic) -> bool {
    message.severity == Severity::Error
}

/// What a message marks.
fn place(message: &Diagnostic) -> Option<Span> {
    let label = message.labels.iter().find(|label| label.primary)?;
    Some(Span::new(label.start, label.end))
}
