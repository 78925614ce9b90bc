//! What a worker process does: it makes programs, compiles, builds and runs them, and says on its
//! standard output, a line of JSON each, what it begins and what came of it. Whoever started it
//! ends it when a compile takes too long, and takes its end for a finding.

use crate::case::Case;
use crate::choices::{self, Words};
use crate::generate::generate;
use crate::harness::{self, Build, Outcome, Subject, tag};
use crate::mutants;
use crate::random::Random;
pub use crate::run::counts::Counts;
use crate::seen;
use crate::tree::Program;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use tilewright::compile::{Certify, Options, compile};
use tilewright::diagnostic::Diagnostic;
use tilewright::source::Source;
use tilewright_certify::{Kind, Verdict};

/// Programs in one C file.
pub const BATCH: u64 = 16;
/// Options tried for each program.
pub const PLANS: usize = 3;

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub enum Message {
    /// A compile begins.
    Begin { index: u64, plan: usize },
    /// The compiler is not running.
    Idle,
    /// Something went wrong: the case as text.
    Finding {
        index: u64,
        plan: usize,
        case: String,
    },
    /// The batch is done.
    Counts(Box<Counts>),
}

/// What came of one compile.
#[derive(Clone, Debug, PartialEq)]
pub enum Compiled {
    /// The whole file, and whether a region was changed.
    Text(String, bool),
    /// Refused with this code and message.
    Refused(String),
    /// A defect.
    Wrong(String),
}

/// Whether it is wanted what was refused, what came out, and why originals are not used.
pub fn verbose() -> bool {
    std::env::var_os("TILEWRIGHT_FUZZ_VERBOSE").is_some()
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps where a panic happened, and does not print it.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map(|l| format!("{}:{}", l.file(), l.line()));
        let payload = info.payload();
        let words = payload.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| payload.downcast_ref::<&str>().copied());
        let text = format!(
            "{} {}",
            place.unwrap_or_default(),
            words.unwrap_or_default()
        );
        PANIC.with(|p| *p.borrow_mut() = text);
    }));
}

/// Compiles a text with these words.
pub fn compiled(text: &str, words: &Words, folder: &Path) -> Compiled {
    match harness::source(text, folder) {
        Ok(source) => compiled_source(&source, words),
        Err(error) => Compiled::Wrong(format!("preprocessor: {error}")),
    }
}

/// Compiles what the preprocessor made of a text with these words.
pub fn compiled_source(source: &Source, words: &Words) -> Compiled {
    let Some(options) = choices::options(words) else {
        return Compiled::Wrong(format!("options are not understood: {words:?}"));
    };
    compiled_with(source, words, options)
}

fn compiled_with(source: &Source, words: &Words, mut options: Options) -> Compiled {
    let mutation = choices::mutation(words);
    let done = catch_unwind(AssertUnwindSafe(|| {
        let done = compile(source, &options, None, &mut |_| {})?;
        match mutation.and_then(|seed| mutants::mutate(&done.plan, seed)) {
            Some(plan) => compile(source, &options, Some(&plan), &mut |_| {}),
            None => Ok(done),
        }
    }));
    // A plan of our own is not illegal, and no text of ours differs.
    let wrong = |code: &str| {
        matches!(code, "TW0901" | "TW0903") || (code == "TW0402" && mutation.is_none())
    };
    let Ok(done) = done else {
        return Compiled::Wrong(format!("panic: {}", PANIC.with(|p| p.borrow().clone())));
    };
    match done {
        Ok(compiled) => {
            // A hundred times as slow as the original is refused, and no mistake if it ends: what
            // is run says so.
            let slow = |w: &Diagnostic| {
                w.code == "TW0903" && w.message.contains(&Kind::Endless.to_string())
            };
            if options.certify != Certify::Never && compiled.warnings.iter().any(slow) {
                options.certify = Certify::Never;
                return compiled_with(source, words, options);
            }
            if let Some(warning) = compiled.warnings.iter().find(|w| wrong(w.code)) {
                return Compiled::Wrong(format!("{}: {}", warning.code, warning.message));
            }
            let changed = compiled.regions.iter().any(|r| !r.order.groups.is_empty());
            Compiled::Text(compiled.text, changed)
        }
        Err(errors) => {
            if let Some(error) = errors.iter().find(|e| wrong(e.code)) {
                return Compiled::Wrong(format!("{}: {}", error.code, error.message));
            }
            let first = errors.first();
            Compiled::Refused(
                first.map_or_else(String::new, |e| format!("{} {}", e.code, e.message)),
            )
        }
    }
}

/// The options of a program, plan by plan.
pub fn plans(seed: u64, index: u64, kind: &str) -> Vec<Words> {
    let mut random = Random::new(seed ^ 0x5eed, index);
    (0..PLANS)
        .map(|k| {
            if k == 0 && random.percent(40) {
                Words::new()
            } else {
                choices::choose(&mut random, kind)
            }
        })
        .collect()
}

/// How the C of a batch is compiled.
pub fn build(seed: u64, batch: u64) -> Build {
    let mut random = Random::new(seed ^ 0xb011d, batch);
    let sanitized = random.percent(45);
    Build {
        compiler: if random.percent(12) && harness::has_clang() {
            "clang"
        } else {
            "gcc"
        },
        level: if sanitized {
            "-O0"
        } else {
            random.weighted(&[(4, "-O1"), (4, "-O2"), (1, "-O3"), (3, "-O0")])
        },
        sanitized,
        threads: 1 + random.below(4),
    }
}

/// The case of a program as its file has it.
pub fn case(
    seed: u64,
    kind: Option<&str>,
    index: u64,
    program: &Program,
    words: &Words,
    found: &str,
) -> Case {
    Case {
        found: found.to_owned(),
        seed: kind.map_or_else(
            || format!("{seed}:{index}"),
            |kind| format!("{seed}:{index}:{kind}"),
        ),
        words: words.clone(),
        memory: program.memory.clone(),
        runs: program.runs.clone(),
        text: program.to_string(),
    }
}

/// How original and result are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
pub enum Engine {
    /// Built by a C compiler and called.
    #[default]
    Run,
    /// Executed by the certifier.
    Certify,
    /// Both.
    Both,
    /// Nothing is compiled: models are compared with what an interpreter of C does. The others do that,
    /// too.
    Lower,
}

impl Engine {
    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Engine::Run => "run",
            Engine::Certify => "certify",
            Engine::Both => "both",
            Engine::Lower => "lower",
        }
    }
}

/// Instructions that the certifier executes for one pair.
const STEPS: u64 = 3_000_000;

/// A difference in words; none where sums of floating-point numbers may be added up in another
/// order, nor for what takes long: results are run, and have to end.
fn difference_of(
    difference: &tilewright_certify::Difference,
    source: &Source,
    words: &Words,
) -> Option<String> {
    let reordered = words.iter().any(|w| w.starts_with("--reductions"));
    let floats = source.text.contains("float") || source.text.contains("double");
    let value = difference.kind == Kind::Value;
    if difference.kind == Kind::Endless {
        return None;
    }
    (!(reordered && floats && value)).then(|| format!("certify: {}: {difference}", difference.kind))
}

/// What the certifier finds wrong with a result.
pub fn certify_wrong(text: &str, result: &str, words: &Words, folder: &Path) -> Option<String> {
    let source = harness::source(text, folder).ok()?;
    match certified(&source, result, folder, 0).ok()?.verdict {
        Verdict::Differs(difference) => difference_of(&difference, &source, words),
        _ => None,
    }
}

/// What the certifier says of a result; `name` is its main file's as line markers spell it.
fn certified(
    source: &Source,
    result: &str,
    folder: &Path,
    seed: u64,
) -> Result<tilewright_certify::Certificate, String> {
    let after = harness::source(result, folder)?;
    let original = tilewright_certify::Text {
        name: &source.name,
        preprocessed: &source.preprocessed,
    };
    let result = tilewright_certify::Text {
        name: &after.name,
        preprocessed: &after.preprocessed,
    };
    let options = tilewright_certify::Options {
        steps: Some(STEPS),
        seed,
        ..tilewright_certify::Options::default()
    };
    Ok(tilewright_certify::certify(&original, &result, &options))
}

/// What one worker is asked for.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The run's seed.
    pub seed: u64,
    /// The only kind of programs that is wanted.
    pub kind: Option<&'a str>,
    /// Program and plan to be left out, since they ended a worker before.
    pub skip: &'a [(u64, usize)],
    /// For files.
    pub folder: &'a Path,
    /// What results are compared by.
    pub engine: Engine,
}

impl Job<'_> {
    fn plain(&self, index: u64) -> Program {
        generate(self.seed, index, self.kind, "")
    }

    fn finding(
        &self,
        say: &mut dyn FnMut(Message),
        index: u64,
        plan: usize,
        words: &Words,
        found: &str,
    ) {
        let case = case(
            self.seed,
            self.kind,
            index,
            &self.plain(index),
            words,
            found,
        )
        .to_string();
        say(Message::Finding { index, plan, case });
    }

    /// Programs `first..first + count`.
    pub fn batch(&self, first: u64, count: u64, say: &mut dyn FnMut(Message)) {
        let mut counts = Counts::default();
        let begun = Instant::now();
        let mut subjects = Vec::new();
        for index in first..first + count {
            let number = (index - first) as usize;
            let program = generate(self.seed, index, self.kind, &tag(number));
            counts.programs += 1;
            *counts.kinds.entry(program.kind.to_owned()).or_default() += 1;
            let text = program.to_string();
            let source = match harness::source(&text, self.folder) {
                Ok(source) => source,
                Err(error) => {
                    let found = format!("preprocessor: {error}");
                    self.finding(say, index, 0, &Words::new(), &found);
                    continue;
                }
            };
            say(Message::Begin { index, plan: 0 });
            if let Some(what) = self.lowering(&source, &mut counts) {
                self.finding(say, index, 0, &Words::new(), &what);
            }
            if self.engine == Engine::Lower {
                continue;
            }
            let mut results: Vec<(usize, String)> = Vec::new();
            for (plan, words) in plans(self.seed, index, program.kind)
                .into_iter()
                .enumerate()
            {
                if self.skip.contains(&(index, plan)) {
                    continue;
                }
                say(Message::Begin { index, plan });
                counts.compiles += 1;
                counts.mutants += u64::from(choices::mutation(&words).is_some());
                match compiled_source(&source, &words) {
                    Compiled::Text(result, changed) => {
                        counts.transformed += u64::from(changed);
                        let twice = results.iter().any(|(_, r)| *r == result);
                        if result != text && !twice {
                            if self.engine != Engine::Run {
                                let begun = Instant::now();
                                if let Some(what) =
                                    self.certify(&source, &result, index, &words, &mut counts)
                                {
                                    self.finding(say, index, plan, &words, &what);
                                }
                                counts.seconds.certify += begun.elapsed().as_secs_f64();
                            }
                            results.push((plan, result));
                        }
                    }
                    Compiled::Refused(message) => {
                        if verbose() {
                            eprintln!("{index} plan {plan}: {message}");
                        }
                        let code = message.split(' ').next().unwrap_or_default();
                        *counts.refused.entry(code.to_owned()).or_default() += 1;
                    }
                    Compiled::Wrong(what) => self.finding(say, index, plan, &words, &what),
                }
            }
            if !results.is_empty() {
                subjects.push(Subject {
                    number,
                    program,
                    results,
                });
            }
        }
        say(Message::Idle);
        counts.seconds.compile =
            begun.elapsed().as_secs_f64() - counts.seconds.certify - counts.seconds.lower;
        let begun = Instant::now();
        let build = build(self.seed, first / BATCH);
        let name = format!(
            "{} {}{}",
            build.compiler,
            build.level,
            if build.sanitized { " sanitized" } else { "" }
        );
        let before = counts.results.compared;
        if !matches!(self.engine, Engine::Certify | Engine::Lower) {
            self.compare(&subjects, &build, first, &mut counts, say);
        }
        *counts.results.builds.entry(name).or_default() += counts.results.compared - before;
        counts.seconds.build = begun.elapsed().as_secs_f64();
        say(Message::Counts(Box::new(counts)));
    }

    /// Where a model differs from what an interpreter of C does.
    fn lowering(&self, source: &Source, counts: &mut Counts) -> Option<String> {
        let begun = Instant::now();
        let seen = seen::compared(source, &seen::quick());
        counts.seconds.lower += begun.elapsed().as_secs_f64();
        counts.models.lowered += seen.regions;
        counts.models.accesses += seen.accesses;
        for why in seen.not_compared {
            let kind = why
                .chars()
                .filter(|c| !c.is_ascii_digit())
                .take(60)
                .collect();
            *counts.models.not_lowered.entry(kind).or_default() += 1;
        }
        seen.wrong
    }

    /// What the certifier finds wrong with a result.
    fn certify(
        &self,
        source: &Source,
        result: &str,
        index: u64,
        words: &Words,
        counts: &mut Counts,
    ) -> Option<String> {
        let certificate = match certified(source, result, self.folder, self.seed ^ index) {
            Ok(certificate) => certificate,
            Err(error) => return Some(format!("preprocessor: {error}")),
        };
        match certificate.verdict {
            Verdict::Equal => {
                counts.certifier.certified += 1;
                counts.certifier.inputs += certificate.runs as u64;
                None
            }
            Verdict::Differs(difference) => difference_of(&difference, source, words),
            Verdict::Unknown(why) => {
                let kind = why
                    .chars()
                    .filter(|c| !c.is_ascii_digit())
                    .take(60)
                    .collect();
                *counts.certifier.uncertified.entry(kind).or_default() += 1;
                None
            }
        }
    }

    /// Whether signs of zeros differ that do not where compilers do what is written.
    fn is_choice_of_compilers(&self, outcome: &Outcome, alone: &[Subject]) -> bool {
        let literal = Build::literal().filter(|_| outcome.is_of_zeros());
        let again = literal.and_then(|build| harness::run_batch(alone, &build, self.folder).ok());
        let again = again.and_then(|outcomes| outcomes.into_values().next());
        matches!(again, Some(Outcome::Same(_)))
    }

    fn compare(
        &self,
        subjects: &[Subject],
        build: &Build,
        first: u64,
        counts: &mut Counts,
        say: &mut dyn FnMut(Message),
    ) {
        if subjects.is_empty() {
            return;
        }
        let mut took = harness::Took::default();
        let outcomes = harness::run_batch_timed(subjects, build, self.folder, &mut took);
        counts.seconds.cc += took.cc.as_secs_f64();
        counts.seconds.run += took.run.as_secs_f64();
        let outcomes = match outcomes {
            Ok(outcomes) => outcomes,
            Err(_) if subjects.len() > 1 => {
                // Whose fault it is.
                let (one, two) = subjects.split_at(subjects.len() / 2);
                self.compare(one, build, first, counts, say);
                self.compare(two, build, first, counts, say);
                return;
            }
            Err(error) => {
                let subject = &subjects[0];
                let index = first + subject.number as u64;
                if subject.results.len() > 1 {
                    for result in &subject.results {
                        let alone = Subject {
                            results: vec![result.clone()],
                            ..subject.clone()
                        };
                        self.compare(&[alone], build, first, counts, say);
                    }
                    return;
                }
                let alone = Subject {
                    results: Vec::new(),
                    ..subject.clone()
                };
                if harness::run_batch(&[alone], build, self.folder).is_ok() {
                    let plan = subject.results[0].0;
                    let words = &plans(self.seed, index, subject.program.kind)[plan];
                    let line = error
                        .lines()
                        .find(|l| l.contains("error"))
                        .unwrap_or(&error);
                    self.finding(say, index, plan, words, &format!("C compiler: {line}"));
                } else {
                    counts.undefined += 1;
                    *counts
                        .refused
                        .entry("C compiler, original".to_owned())
                        .or_default() += 1;
                    if verbose() {
                        eprintln!("{index}: {error}");
                    }
                }
                return;
            }
        };
        for subject in subjects {
            let index = first + subject.number as u64;
            let own = outcomes.range((subject.number, 0)..(subject.number + 1, 0));
            let mut undefined = false;
            for ((_, plan), outcome) in own {
                match outcome {
                    Outcome::Same(runs) => counts.results.compared += *runs as u64,
                    Outcome::Undefined(what) => {
                        undefined = true;
                        if verbose() {
                            eprintln!("{index}: {what}");
                        }
                    }
                    Outcome::Wrong(what) => {
                        // An original with undefined behaviour proves nothing.
                        let alone = Subject {
                            results: subject
                                .results
                                .iter()
                                .filter(|(p, _)| p == plan)
                                .cloned()
                                .collect(),
                            ..subject.clone()
                        };
                        let alone = [alone];
                        if self.is_choice_of_compilers(outcome, &alone) {
                            counts.results.zeros += 1;
                            continue;
                        }
                        let again = harness::run_batch(&alone, &Build::SANITIZED, self.folder);
                        let again = again.ok().and_then(|o| o.into_values().next());
                        let what = match again {
                            Some(Outcome::Undefined(_)) => {
                                undefined = true;
                                continue;
                            }
                            Some(Outcome::Wrong(said))
                                if said.contains("Sanitizer") || said.contains("runtime error") =>
                            {
                                said
                            }
                            _ => what.clone(),
                        };
                        let words = &plans(self.seed, index, subject.program.kind)[*plan];
                        self.finding(say, index, *plan, words, &what);
                    }
                }
            }
            counts.undefined += u64::from(undefined);
        }
    }
}

/// How long the compiler may take for one program, in seconds of this process: two for each region
/// are its own limit, and no program has more than six.
pub const LIMIT: Duration = Duration::from_secs(15);
