//! A run over mutants: each is made, shown to whoever has to refuse it, and executed where nobody
//! does.

use super::subject::{Part, Subject, read};
use super::tally::{Fate, Tally};
use super::{kernels, schedules, storage, texts};
use crate::choices::{self, Words};
use crate::generate::generate;
use crate::harness::{self, Build, Outcome, tag};
use crate::random::Random;
use crate::tree::Program;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tilewright::compile::compile;
use tilewright::transform::Transformed;
use tilewright_certify::{Effort, Kind, Text, Verdict, certify};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Order {
    /// So many mutants.
    pub mutants: u64,
    /// Where the numbers at random begin.
    pub seed: u64,
    /// Files whose mutants are made, too.
    pub files: Vec<PathBuf>,
    /// What files are compiled with; without any words, with options at random.
    pub words: Words,
    /// Tries per region of a program.
    pub each: usize,
    /// Of a hundred equal mutants, so many are executed with more inputs.
    pub again: u64,
    /// Of a hundred of these of random programs, so many are built, too.
    pub built: u64,
    /// Where counts and findings go.
    pub out: PathBuf,
}

/// Instructions for looking again at what is equal.
const AGAIN: u64 = 12_000_000;

/// Longest time for the mutants of one region.
const REGION: Duration = Duration::from_secs(30);

/// Kinds of mutants with their shares.
const KINDS: [(u64, &str); 6] = [
    (8, "plans"),
    (30, "schedules"),
    (24, "storage"),
    (22, "kernels"),
    (8, "statements"),
    (10, "texts"),
];

/// Makes mutants until there are enough.
///
/// # Errors
/// Files that cannot be written.
pub fn run(order: &Order) -> Result<Tally, String> {
    std::fs::create_dir_all(&order.out).map_err(|error| error.to_string())?;
    let state = order.out.join("mutants.json");
    let mut tally = match std::fs::read_to_string(&state) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string())?,
        Err(_) => Tally::default(),
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    while tally.total() < order.mutants {
        let (begun, index) = (Instant::now(), tally.next);
        // A program that ends this process is not tried again.
        tally.next += 1;
        save(&state, &tally)?;
        program(order, index, folder.path(), &mut tally);
        tally.seconds += begun.elapsed().as_secs_f64();
        save(&state, &tally)?;
    }
    Ok(tally)
}

fn save(state: &Path, tally: &Tally) -> Result<(), String> {
    let text = serde_json::to_string(tally).map_err(|error| error.to_string())?;
    let beside = state.with_extension("new");
    std::fs::write(&beside, text).map_err(|error| error.to_string())?;
    std::fs::rename(&beside, state).map_err(|error| error.to_string())
}

/// An equal mutant that may be built.
struct Waiting {
    kind: &'static str,
    done: String,
    file: String,
}

/// One program with its mutants: every third is a file, where there are some.
fn program(order: &Order, index: u64, folder: &Path, tally: &mut Tally) {
    let mut random = Random::new(order.seed ^ 0x0dd5, index);
    let files = &order.files;
    if !files.is_empty() && index % 3 == 0 {
        let path = &files[(index / 3) as usize % files.len()];
        let words = match random.percent(40) {
            _ if !order.words.is_empty() => order.words.clone(),
            true => Words::new(),
            false => choices::choose(&mut random, "general"),
        };
        let words = plain(words);
        let subject = read(path)
            .ok()
            .and_then(|source| caught(|| Subject::new(source, &words)));
        if let Some(subject) = subject {
            of_subject(order, &subject, None, folder, &mut random, tally);
        }
        return;
    }
    let program = generate(order.seed, index, None, &tag(0));
    let words = plain(choices::choose(&mut random, program.kind));
    let text = program.to_string();
    let subject = caught(|| Subject::of_text(&text, &words, folder));
    if let Some(subject) = subject {
        of_subject(order, &subject, Some(&program), folder, &mut random, tally);
    }
}

/// Without what changes plans, and with a budget that is enough.
fn plain(words: Words) -> Words {
    let kept = words.into_iter();
    let own = |w: &String| {
        w.starts_with("--mutate") || w.starts_with("--budget") || w.starts_with("--certify")
    };
    kept.filter(|w| !own(w)).collect()
}

fn caught<T>(f: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok().flatten()
}

fn of_subject(
    order: &Order,
    subject: &Subject,
    program: Option<&Program>,
    folder: &Path,
    random: &mut Random,
    tally: &mut Tally,
) {
    let mut counted = false;
    for part in &subject.parts {
        // What is not equal before it is changed says nothing.
        let base = subject.preprocessed(part, &part.text);
        match opinion(subject, part, &base, None) {
            Opinion::Equal => {}
            _ => continue,
        }
        // Nor is it of use where that takes more execution to be seen.
        if let Opinion::Differs(what) = opinion(subject, part, &base, Some(random.bits() | 1)) {
            finding(
                order,
                subject,
                tally,
                "unchanged",
                &what,
                &subject.file(part, &part.text),
            );
            continue;
        }
        counted = true;
        let mut seen = BTreeSet::new();
        let mut waiting = Vec::new();
        let begun = Instant::now();
        for _ in 0..order.each {
            if begun.elapsed() > REGION || tally.total() >= order.mutants {
                break;
            }
            let kind = random.weighted(&KINDS);
            let mut one = One {
                order,
                subject,
                part,
                tally,
                seen: &mut seen,
                waiting: &mut waiting,
                kind,
            };
            one.mutant(random, program.is_some(), folder);
        }
        if let Some(program) = program {
            built(order, subject, program, &waiting, folder, random, tally);
        }
    }
    tally.programs += u64::from(counted);
}

/// What the certifier says.
enum Opinion {
    Equal,
    Differs(String),
    /// The result executes far more than the original.
    Endless,
    Unknown(String),
}

fn opinion(subject: &Subject, part: &Part, result: &str, again: Option<u64>) -> Opinion {
    let text = |preprocessed| Text {
        name: &subject.source.name,
        preprocessed,
    };
    let options = tilewright_certify::Options {
        effort: match again {
            Some(_) => Effort::Full,
            None => Effort::Quick,
        },
        seed: again.unwrap_or(0),
        functions: Some(vec![part.function().to_owned()]),
        steps: again.map(|_| AGAIN),
        ..tilewright_certify::Options::default()
    };
    let original = text(&subject.source.preprocessed);
    match certify(&original, &text(result), &options).verdict {
        Verdict::Equal => Opinion::Equal,
        Verdict::Differs(found) if found.kind == Kind::Value && sums(subject) => Opinion::Equal,
        Verdict::Differs(found) if found.kind == Kind::Endless => Opinion::Endless,
        Verdict::Differs(found) => Opinion::Differs(found.to_string()),
        Verdict::Unknown(why) => Opinion::Unknown(why),
    }
}

/// Whether sums are added up in another order, so that their values say nothing.
fn sums(subject: &Subject) -> bool {
    !subject.compiled.reordered.is_empty()
}

/// One mutant on its way.
struct One<'a> {
    order: &'a Order,
    subject: &'a Subject,
    part: &'a Part,
    tally: &'a mut Tally,
    seen: &'a mut BTreeSet<String>,
    waiting: &'a mut Vec<Waiting>,
    kind: &'static str,
}

impl One<'_> {
    fn mutant(&mut self, random: &mut Random, buildable: bool, folder: &Path) {
        let part = self.part;
        let scop = &part.region.scop;
        let (done, text) = match self.kind {
            "plans" => return self.plan(random, folder),
            "schedules" | "storage" => {
                let mutate = || match self.kind {
                    "schedules" => schedules::mutate(&part.transformed, random),
                    _ => storage::mutate(scop, &part.transformed, random),
                };
                let Some((mutant, done)) = caught(mutate) else {
                    return;
                };
                match self.judged(&mutant) {
                    Ok(text) => (done, text),
                    Err(fate) => return self.tally.add(self.kind, &done, fate),
                }
            }
            "kernels" => {
                let made = caught(|| {
                    let (kernel, done) =
                        kernels::mutate(scop, &part.transformed, &part.kernel, random)?;
                    Some((done, part.print(scop, &part.transformed, &kernel)))
                });
                let Some(made) = made else { return };
                made
            }
            "statements" => {
                let made = caught(|| {
                    let (scop, done) = kernels::mutate_body(scop, random)?;
                    Some((done, part.print(&scop, &part.transformed, &part.kernel)))
                });
                let Some(made) = made else { return };
                made
            }
            _ => {
                let Some((text, done)) = texts::mutate(&part.text, random) else {
                    return;
                };
                (done, text)
            }
        };
        let made_of_it = matches!(self.kind, "schedules" | "storage");
        if text == part.text {
            // Only of what came through the validator is that a mutant.
            if made_of_it {
                self.tally.add(self.kind, &done, Fate::SameText);
            }
            return;
        }
        if !self.seen.insert(text.clone()) && !made_of_it {
            return;
        }
        self.execute(&done, &text, random, buildable, folder);
    }

    /// The text of what the validator lets pass; else what became of it.
    fn judged(&self, mutant: &Transformed) -> Result<String, Fate> {
        let part = self.part;
        let refused = catch_unwind(AssertUnwindSafe(|| part.is_refused(mutant)));
        match refused {
            Ok(Some(false)) => {}
            Ok(Some(true)) => return Err(Fate::Refused),
            Ok(None) => return Err(Fate::Limit),
            Err(_) => return Err(Fate::NoCode),
        }
        caught(|| {
            let kernel = part.generate(mutant)?;
            Some(part.print(&part.region.scop, mutant, &kernel))
        })
        .ok_or(Fate::NoCode)
    }

    fn plan(&mut self, random: &mut Random, folder: &Path) {
        let Subject {
            source,
            options,
            compiled,
            ..
        } = self.subject;
        let Some(plan) = super::mutate(&compiled.plan, random.bits()) else {
            return;
        };
        if plan == compiled.plan {
            return;
        }
        let done = "one to three changes";
        let made = catch_unwind(AssertUnwindSafe(|| {
            compile(source, options, Some(&plan), &mut |_| {})
        }));
        let fate = match made {
            Err(_) => {
                self.finding("panic", done, &toml(&plan));
                Fate::Wrong
            }
            Ok(Err(errors)) => match errors.first().map_or("", |e| e.code) {
                "TW0402" => Fate::Refused,
                "TW0902" => Fate::Limit,
                "TW0901" => {
                    self.finding("internal", done, &toml(&plan));
                    Fate::Wrong
                }
                _ => Fate::Unfit,
            },
            Ok(Ok(result)) if result.text == compiled.text => Fate::SameText,
            Ok(Ok(result)) => {
                let Some(preprocessed) =
                    preprocessed(&self.subject.source.name, &result.text, folder)
                else {
                    return;
                };
                let reordered = !result.reordered.is_empty();
                let mut fate = Fate::Equal;
                for again in [None, Some(random.bits())] {
                    match opinion(self.subject, self.part, &preprocessed, again) {
                        Opinion::Equal => {}
                        Opinion::Unknown(_) => fate = Fate::Unknown,
                        Opinion::Endless => {
                            fate = Fate::Slow;
                            break;
                        }
                        Opinion::Differs(_) if reordered => {}
                        Opinion::Differs(what) => {
                            self.finding(&what, done, &result.text);
                            fate = Fate::PastValidator;
                            break;
                        }
                    }
                }
                fate
            }
        };
        self.tally.add(self.kind, done, fate);
    }

    fn execute(
        &mut self,
        done: &str,
        text: &str,
        random: &mut Random,
        buildable: bool,
        folder: &Path,
    ) {
        let (subject, part) = (self.subject, self.part);
        let result = subject.preprocessed(part, text);
        let whole = || subject.file(part, text);
        let validated = matches!(self.kind, "schedules" | "storage");
        let fate = match opinion(subject, part, &result, None) {
            Opinion::Differs(what) if validated => {
                self.finding(&what, done, &whole());
                Fate::PastValidator
            }
            Opinion::Endless if validated => Fate::Slow,
            Opinion::Differs(_) | Opinion::Endless => Fate::Differs,
            Opinion::Unknown(why) => {
                if compiles(&subject.source.name, &whole(), folder) {
                    self.finding(&why, done, &whole());
                    Fate::Unknown
                } else {
                    Fate::NoProgram
                }
            }
            Opinion::Equal if !random.percent(self.order.again) => Fate::Equal,
            Opinion::Equal => {
                self.tally.again += 1;
                match opinion(subject, part, &result, Some(random.bits() | 1)) {
                    Opinion::Endless if validated => Fate::Slow,
                    Opinion::Differs(what) => {
                        self.finding(&what, done, &whole());
                        if validated {
                            Fate::PastValidator
                        } else {
                            Fate::PastQuick
                        }
                    }
                    _ => {
                        if buildable && random.percent(self.order.built) {
                            self.waiting.push(Waiting {
                                kind: self.kind,
                                done: done.to_owned(),
                                file: whole(),
                            });
                        }
                        Fate::Equal
                    }
                }
            }
        };
        self.tally.add(self.kind, done, fate);
    }

    fn finding(&mut self, what: &str, done: &str, text: &str) {
        finding(
            self.order,
            self.subject,
            self.tally,
            self.kind,
            &format!("{done}: {what}"),
            text,
        );
    }
}

fn finding(
    order: &Order,
    subject: &Subject,
    tally: &mut Tally,
    kind: &str,
    what: &str,
    text: &str,
) {
    if tally.findings.len() >= 400 {
        return;
    }
    let name = format!("{kind}-{}.c", tally.findings.len());
    let what = what.replace('\n', " ");
    let words = subject.words.join(" ");
    let text = format!(
        "// {what}\n// options: {words}\n// of: {}\n{text}\n/* original:\n{}\n*/\n",
        subject.source.name,
        subject.source.text.replace("*/", "* /")
    );
    let _ = std::fs::write(order.out.join(&name), text);
    tally.findings.push(format!("{name}: {what}"));
}

fn toml(plan: &tilewright::plan::Plan) -> String {
    serde_json::to_string_pretty(plan).unwrap_or_default()
}

/// What the preprocessor makes of a result that stands where the file is.
fn preprocessed(name: &str, text: &str, folder: &Path) -> Option<String> {
    let path = folder.join("result.c");
    std::fs::write(&path, format!("# 1 \"{name}\"\n{text}")).ok()?;
    let mut command = Command::new("gcc");
    let beside = Path::new(name)
        .parent()
        .filter(|p| !p.as_os_str().is_empty());
    command
        .arg("-E")
        .args(beside.map(|p| format!("-I{}", p.display())));
    let output = command.arg(&path).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a C compiler takes the text, with what it says of types taken for errors.
fn compiles(name: &str, text: &str, folder: &Path) -> bool {
    let path = folder.join("unknown.c");
    if std::fs::write(&path, text).is_err() {
        return true;
    }
    let beside = Path::new(name)
        .parent()
        .filter(|p| !p.as_os_str().is_empty());
    let mut command = Command::new("gcc");
    command.args(["-std=gnu11", "-fopenmp", "-fsyntax-only", "-w"]);
    command.args(beside.map(|p| format!("-I{}", p.display())));
    let done = command.arg(&path).output();
    done.is_ok_and(|output| output.status.success())
}

/// Equal mutants, built and executed beside their original.
fn built(
    order: &Order,
    subject: &Subject,
    program: &Program,
    waiting: &[Waiting],
    folder: &Path,
    random: &mut Random,
    tally: &mut Tally,
) {
    if waiting.is_empty() || sums(subject) {
        return;
    }
    let mut build = Build::SANITIZED;
    if random.percent(60) {
        (build.level, build.sanitized) = ("-O1", false);
    }
    let versions = harness::Subject {
        number: 0,
        program: program.clone(),
        results: waiting
            .iter()
            .map(|one| one.file.clone())
            .enumerate()
            .collect(),
    };
    let Ok(outcomes) = harness::run_batch(&[versions], &build, folder) else {
        return;
    };
    if outcomes
        .values()
        .any(|o| matches!(o, Outcome::Undefined(_)))
    {
        return;
    }
    for ((_, version), outcome) in outcomes {
        let one = &waiting[version];
        tally.built += 1;
        if let Outcome::Wrong(what) = outcome {
            tally.change(one.kind, &one.done, Fate::Equal, Fate::Wrong);
            let what = format!("{}: {what}", one.done);
            finding(order, subject, tally, one.kind, &what, &one.file);
        }
    }
}
