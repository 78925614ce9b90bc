//! Mutants of the workspace's own source: who of the tests notices when a line of it is wrong?
//!
//! cargo-mutants lists the mutants. All of them are built at once, each behind a number that the
//! environment names, so that none is built by itself; those that do not compile are found by the
//! compiler's messages and left out, as are those of constants. Which tests reach which mutant is
//! recorded first; for each mutant these are run, the shortest first, until one fails.

mod edit;
mod list;
mod report;
#[cfg(test)]
mod tests;
mod tree;
mod trial;
mod weave;

use clap::Parser;
use list::Mutant;
use report::{Fate, Results};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tree::Tree;
use trial::{End, Test};

/// Builds all mutants of a package's source at once and says which of them no test notices.
///
/// cargo-mutants has to be installed (`cargo install cargo-mutants --locked`); it lists the
/// mutants. The checkout is not changed: a copy of it is made, and kept for the next time.
///
/// Example, mutants of the certifier, with its own tests and one file of another package's:
///
///   cargo run --release -p source-mutants -- --package tilewright-certify --tests
///   tilewright-certify --tests tilewright:lowering --work out/source-mutants
#[derive(Parser)]
struct Arguments {
    /// The package whose source is changed.
    #[arg(long)]
    package: String,
    /// Files, from the workspace's root, as a glob with `*` and `**` [default: all of the package].
    #[arg(long)]
    files: Vec<String>,
    #[command(flatten)]
    tests: TestArguments,
    /// How many mutants to try, taken at random [default: all].
    #[arg(long)]
    sample: Option<usize>,
    /// Where the numbers at random begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Try all that survived, or was not reached, in the results that are in the folder; the others
    /// keep their results.
    #[arg(long)]
    again: bool,
    /// Go on with what has no result in the folder yet.
    #[arg(long)]
    go_on: bool,
    /// Run no more tests on a mutant after this many seconds.
    #[arg(long)]
    each: Option<f64>,
    /// Stop after this many minutes; `--go-on` goes on.
    #[arg(long)]
    minutes: Option<f64>,
    /// How many tests run at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// A folder for the copy of the workspace, its build, and the results.
    #[arg(long)]
    work: PathBuf,
}

/// Which tests are run.
#[derive(clap::Args)]
struct TestArguments {
    /// Tests to run: PACKAGE, PACKAGE:lib for the tests in its source, or PACKAGE:NAME for a file
    /// or folder in its `tests` [default: all of the package].
    #[arg(long)]
    tests: Vec<String>,
    /// Only tests whose name contains this [default: all].
    #[arg(long)]
    only: Vec<String>,
    /// Leave out tests whose name contains this.
    #[arg(long)]
    skip: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let begun = Instant::now();
    let from = std::env::current_dir().map_err(|e| e.to_string())?;
    std::fs::create_dir_all(&arguments.work).map_err(|e| e.to_string())?;
    let work = arguments.work.canonicalize().map_err(|e| e.to_string())?;
    let mutants = list::mutants(&from, &arguments.package, &arguments.files)?;
    eprintln!("{} mutants listed", mutants.len());
    let mut results = Results::read(&work);
    if !arguments.again && !arguments.go_on {
        results.clear();
    }

    let (tree, woven) = build(arguments, &from, &work, &mutants)?;
    let ids = woven.ids();
    for (number, mutant) in mutants.iter().enumerate() {
        if !ids.contains_key(&number) {
            results.set(&mutant.key, Fate::NotBuilt);
        }
    }
    let tests = record(arguments, &tree, &work)?;

    let mut chosen: Vec<usize> = ids.keys().copied().collect();
    chosen.sort_unstable();
    shuffle(&mut chosen, arguments.seed);
    if let Some(sample) = arguments.sample.filter(|_| !arguments.again) {
        chosen.truncate(sample);
    }
    if arguments.again {
        chosen.retain(|m| matches!(results.of(&mutants[*m].key), Some(fate) if fate.is_open()));
    } else if arguments.go_on {
        chosen.retain(|m| results.of(&mutants[*m].key).is_none());
    }
    eprintln!("{} mutants to try", chosen.len());
    let end = arguments
        .minutes
        .map(|m| begun + Duration::from_secs_f64(m * 60.0));
    let trials = Trials {
        mutants: &mutants,
        ids: &ids,
        tests: &tests,
        end,
    };
    let results = trials.all(arguments, &work, chosen, results);
    let text = results.write(&work, &mutants)?;
    print!("{text}");
    Ok(())
}

/// The files with mutants in them.
struct Woven {
    /// By file: its text, and the edits that are left.
    files: BTreeMap<String, (String, Vec<edit::Edit>)>,
}

impl Woven {
    /// The numbers at run time of the mutants that are left, in a row for each edit.
    fn ids(&self) -> HashMap<usize, u32> {
        let edits = self.files.values().flat_map(|(_, edits)| edits);
        edits.flat_map(edit::Edit::mutants).zip(1..).collect()
    }
}

/// Copies the workspace, puts the mutants in, and takes those out again that do not compile.
fn build(
    arguments: &Arguments,
    from: &Path,
    work: &Path,
    mutants: &[Mutant],
) -> Result<(Tree, Woven), String> {
    let mut by_file: BTreeMap<&str, Vec<(usize, &Mutant)>> = BTreeMap::new();
    for (number, mutant) in mutants.iter().enumerate() {
        by_file
            .entry(&mutant.file)
            .or_default()
            .push((number, mutant));
    }
    let mut woven = Woven {
        files: BTreeMap::new(),
    };
    for (file, mutants) in by_file {
        let text = std::fs::read_to_string(from.join(file)).map_err(|e| format!("{file}: {e}"))?;
        let edits = edit::edits(&text, &mutants).map_err(|e| format!("{file}: {e}"))?;
        woven.files.insert(file.to_owned(), (text, edits));
    }
    let source = source_of(&woven)?;
    let roots: Vec<String> = ["lib.rs", "main.rs"]
        .iter()
        .map(|root| format!("{source}/{root}"))
        .filter(|root| from.join(root).is_file())
        .collect();
    let names = woven.files.keys().chain(&roots).cloned().collect();
    let tree = Tree::copy(from, work, &names)?;
    tree.write(
        &format!("{source}/source_mutants_rt.rs"),
        weave::RUNTIME.as_bytes(),
    )?;

    loop {
        let ids = woven.ids();
        let by_id: HashMap<u32, usize> = ids.iter().map(|(mutant, id)| (*id, *mutant)).collect();
        let mut texts: BTreeMap<String, String> = woven
            .files
            .iter()
            .map(|(file, (text, edits))| (file.clone(), weave::weave(text, edits, &ids)))
            .collect();
        for root in &roots {
            let text = match texts.remove(root) {
                Some(text) => text,
                None => std::fs::read_to_string(from.join(root)).map_err(|e| e.to_string())?,
            };
            texts.insert(root.clone(), weave::with_runtime(&text));
        }
        for (file, text) in &texts {
            tree.write(file, text.as_bytes())?;
        }
        eprintln!("{} mutants are built", ids.len());
        let built = tree.cargo(&["check", "--package", &arguments.package])?;
        if built.errors.is_empty() {
            return Ok((tree, woven));
        }
        let marks: HashMap<&String, weave::Marks> = texts
            .iter()
            .map(|(file, text)| (file, weave::Marks::of(text)))
            .collect();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        // The edits that errors are about go; most errors are of types, and shown all at once.
        for (file, place, message) in &built.errors {
            let found = match (marks.get(file), texts.get(file)) {
                (Some(_), Some(text)) if message.contains("[E0004]") => {
                    let arms = weave::arms_at(text, place).into_iter();
                    arms.map(|id| (id, false)).collect()
                }
                (Some(marks), _) => marks.at(place),
                _ => Vec::new(),
            };
            if found.is_empty() {
                return Err(format!("an error that no mutant makes:\n{message}"));
            }
            let edits = woven.files.get(file).map_or(&[][..], |(_, edits)| edits);
            for (id, all) in found {
                let edit = edits
                    .iter()
                    .map(edit::Edit::mutants)
                    .find(|e| e.contains(&by_id[&id]));
                gone.extend(if all {
                    edit.unwrap_or_default()
                } else {
                    vec![by_id[&id]]
                });
            }
        }
        for (_, edits) in woven.files.values_mut() {
            edits.retain_mut(|edit| edit.keep(|mutant| !gone.contains(&mutant)));
        }
    }
}

/// The folder of the crate's root.
fn source_of(woven: &Woven) -> Result<String, String> {
    let first = woven.files.keys().next().ok_or("no mutants")?;
    let end = first
        .find("src/")
        .ok_or_else(|| format!("{first} is in no folder `src`"))?;
    Ok(first[..end + 3].to_owned())
}

/// Builds the tests, and runs each without a mutant; the shortest first.
fn record(arguments: &Arguments, tree: &Tree, work: &Path) -> Result<Vec<Test>, String> {
    let own = [arguments.package.clone()];
    let wanted = if arguments.tests.tests.is_empty() {
        &own[..]
    } else {
        &arguments.tests.tests
    };
    let mut tests = Vec::new();
    for wanted in wanted {
        let (package, target) = wanted.split_once(':').unwrap_or((wanted, ""));
        let mut command = vec!["test", "--no-run", "--package", package];
        match target {
            "" => command.extend(["--lib", "--bins", "--tests"]),
            "lib" => command.push("--lib"),
            target => command.extend(["--test", target]),
        }
        let built = tree.cargo(&command)?;
        if let Some((_, _, message)) = built.errors.first() {
            return Err(message.clone());
        }
        for (program, folder) in &built.programs {
            tests.extend(trial::list(program, folder));
        }
    }
    let named = |list: &[String], test: &Test| list.iter().any(|part| test.name.contains(part));
    tests.retain(|test| arguments.tests.only.is_empty() || named(&arguments.tests.only, test));
    tests.retain(|test| !named(&arguments.tests.skip, test));
    eprintln!("{} tests", tests.len());
    let queue = Mutex::new(tests);
    let done = Mutex::new(Vec::new());
    workers(arguments.jobs, work, |scratch| {
        loop {
            let Some(mut test) = queue.lock().expect("no worker panics").pop() else {
                return;
            };
            match test.record(scratch) {
                End::Passed => done.lock().expect("no worker panics").push(test),
                end => eprintln!("left out, as without a mutant it {end:?}: {}", test.name),
            }
        }
    });
    let mut tests = done.into_inner().expect("no worker panics");
    tests.sort_by_key(|test| test.time);
    let total: Duration = tests.iter().map(|test| test.time).sum();
    eprintln!(
        "{} tests pass, in {:.1} s",
        tests.len(),
        total.as_secs_f64()
    );
    Ok(tests)
}

/// What is tried.
struct Trials<'a> {
    mutants: &'a [Mutant],
    /// The numbers of mutants in the build.
    ids: &'a HashMap<usize, u32>,
    /// From fast to slow.
    tests: &'a [Test],
    /// No trial begins behind it.
    end: Option<Instant>,
}

impl Trials<'_> {
    /// Runs the tests that reach each mutant until one fails.
    fn all(
        &self,
        arguments: &Arguments,
        work: &Path,
        chosen: Vec<usize>,
        results: Results,
    ) -> Results {
        let all = chosen.len();
        let queue = Mutex::new(chosen);
        let results = Mutex::new(results);
        workers(arguments.jobs, work, |scratch| {
            loop {
                if self.end.is_some_and(|end| Instant::now() >= end) {
                    return;
                }
                let mut queue_lock = queue.lock().expect("no worker panics");
                let Some(mutant) = queue_lock.pop() else {
                    return;
                };
                let left = queue_lock.len();
                drop(queue_lock);
                let id = self.ids[&mutant];
                let reaching: Vec<&Test> = self
                    .tests
                    .iter()
                    .filter(|t| t.reached.contains(&id))
                    .collect();
                let mut fate = if reaching.is_empty() {
                    Fate::NotReached
                } else {
                    Fate::Survived
                };
                let begun = Instant::now();
                for test in reaching {
                    if arguments
                        .each
                        .is_some_and(|each| begun.elapsed().as_secs_f64() > each)
                    {
                        break;
                    }
                    match test.try_on(id, scratch) {
                        End::Passed => {}
                        End::Failed => fate = Fate::Killed(test.name.clone()),
                        End::RanAway => fate = Fate::RanAway(test.name.clone()),
                    }
                    if !fate.is_open() {
                        break;
                    }
                }
                if fate.is_open() {
                    eprintln!("{}: {}", fate.word(), self.mutants[mutant].name);
                }
                let mut results = results.lock().expect("no worker panics");
                results.set(&self.mutants[mutant].key, fate);
                if left % 50 == 0 {
                    eprintln!("{} of {all} tried", all - left);
                    let _ = results.write(work, self.mutants);
                }
            }
        });
        results.into_inner().expect("no worker panics")
    }
}

/// Runs as many workers as wanted, each with a folder of its own.
fn workers(jobs: usize, work: &Path, worker: impl Fn(&Path) + Sync) {
    std::thread::scope(|scope| {
        for job in 0..jobs.max(1) {
            let scratch = work.join(format!("scratch{job}"));
            let worker = &worker;
            scope.spawn(move || {
                let _ = std::fs::create_dir_all(&scratch);
                worker(&scratch);
            });
        }
    });
}

/// Puts numbers in an order at random, which the seed determines.
fn shuffle(numbers: &mut [usize], seed: u64) {
    let mut state = seed.wrapping_mul(2) + 1;
    for at in (1..numbers.len()).rev() {
        // A linear congruential generator with Knuth's constants for MMIX; its high bits are good.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let other = (state >> 33) % (at as u64 + 1);
        numbers.swap(at, usize::try_from(other).unwrap_or(0));
    }
}
