//! Makes failing programs smaller: statements, loops, conditions, operands, parameters, options and
//! runs are taken away one after another, as long as what goes wrong stays the same.

use crate::case::Case;
use crate::choices::Words;
use crate::generate::generate;
use crate::harness::{self, Build, Outcome, Subject, tag};
use crate::run::state::{processor_time, signature};
use crate::run::worker::{Compiled, LIMIT, certify_wrong, compiled, verbose};
use crate::seen;
use crate::tree::{Expr, Program, Stmt, expressions};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Compiles and compares the case in a file.
///
/// # Errors
/// What the C compiler says, and what is wrong with the file.
pub fn check(file: &Path) -> Result<Outcome, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let case = Case::parse(&text).ok_or_else(|| format!("{} is no case", file.display()))?;
    check_case(&case)
}

/// Compiles a case, and compares it with its original under sanitizers and optimised.
///
/// # Errors
/// What the C compiler says.
pub fn check_case(case: &Case) -> Result<Outcome, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = harness::source(&case.text, folder.path())?;
    if let Some(what) = seen::compared(&source, &seen::quick()).wrong {
        return Ok(Outcome::Wrong(what));
    }
    match compiled(&case.text, &case.words, folder.path()) {
        Compiled::Text(result, _) => {
            if verbose() {
                eprintln!("{result}");
            }
            let run = |build: &Build| -> Result<Outcome, String> {
                let outcome = harness::run_case(case, &result, build, folder.path())?;
                match Build::literal().filter(|_| outcome.is_of_zeros()) {
                    Some(build) => harness::run_case(case, &result, &build, folder.path()),
                    None => Ok(outcome),
                }
            };
            let first = run(&Build::SANITIZED)?;
            if !matches!(first, Outcome::Same(_)) {
                return Ok(first);
            }
            let build = Build {
                level: "-O2",
                sanitized: false,
                ..Build::SANITIZED
            };
            run(&build)
        }
        Compiled::Refused(message) => Err(format!("refused: {message}")),
        Compiled::Wrong(what) => Ok(Outcome::Wrong(what)),
    }
}

/// A program that fails, with what is being tried.
struct Reducer<'a> {
    folder: &'a Path,
    /// What has to stay wrong.
    signature: String,
    end: Instant,
    tried: usize,
}

#[derive(Clone)]
struct Failing {
    program: Program,
    words: Words,
    found: String,
}

impl Reducer<'_> {
    /// What is wrong with a program.
    fn wrong(&self, program: &Program, words: &Words) -> Option<String> {
        let text = program.to_string();
        if self.signature.starts_with("hang") || self.signature.starts_with("the-compiler") {
            return self.ended(&text, words);
        }
        if self.signature == "lowering" {
            let source = harness::source(&text, self.folder).ok()?;
            return seen::compared(&source, &seen::quick()).wrong;
        }
        match compiled(&text, words, self.folder) {
            Compiled::Refused(_) => None,
            Compiled::Wrong(what) => Some(what),
            Compiled::Text(result, _) if self.signature.starts_with("certify") => {
                certify_wrong(&text, &result, words, self.folder)
            }
            Compiled::Text(result, _) => {
                let subject = Subject {
                    number: 0,
                    program: program.clone(),
                    results: vec![(0, result)],
                };
                let subjects = [subject];
                let quick = Build {
                    sanitized: false,
                    ..Build::SANITIZED
                };
                // Where results differ anyway, sanitizers are asked only to trust the original.
                if self.signature == "differs" {
                    match self.run(&subjects, &quick) {
                        Ok(Outcome::Wrong(_)) => {}
                        _ => return None,
                    }
                }
                match self.run(&subjects, &Build::SANITIZED) {
                    Ok(Outcome::Wrong(what)) => Some(what),
                    Ok(_) => None,
                    Err(error) => {
                        let alone = [Subject {
                            results: Vec::new(),
                            ..subjects[0].clone()
                        }];
                        let sound = harness::run_batch(&alone, &quick, self.folder).is_ok();
                        let line = error
                            .lines()
                            .find(|l| l.contains("error"))
                            .unwrap_or_default();
                        sound.then(|| format!("C compiler: {line}"))
                    }
                }
            }
        }
    }

    fn run(&self, subjects: &[Subject], build: &Build) -> Result<Outcome, String> {
        let outcomes = harness::run_batch(subjects, build, self.folder)?;
        outcomes.into_values().next().ok_or_default()
    }

    /// Whether the compiler does not come to an end, or ends in another way than it should, in a
    /// process of its own.
    fn ended(&self, text: &str, words: &Words) -> Option<String> {
        let file = self.folder.join("hang.c");
        std::fs::write(&file, format!("// options: {}\n{text}", words.join(" "))).ok()?;
        let mut command = Command::new(std::env::current_exe().ok()?);
        command
            .arg("compile")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let begun = Instant::now();
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                return status
                    .code()
                    .is_none()
                    .then(|| format!("the compiler's process ended: {status}"));
            }
            if begun.elapsed() > LIMIT && processor_time(child.id()) > LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                return Some(format!(
                    "hang: the compiler takes more than {} s",
                    LIMIT.as_secs()
                ));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn fails(&mut self, program: &Program, words: &Words) -> Option<String> {
        self.tried += 1;
        let what = self.wrong(program, words)?;
        (signature(&what) == self.signature).then_some(what)
    }

    fn over(&self) -> bool {
        Instant::now() > self.end
    }

    /// Tries edits by their number until there is none that leaves the program failing.
    fn edits(&mut self, failing: &mut Failing, edit: fn(&mut Program, usize) -> Edit) -> bool {
        let mut progress = false;
        let mut number = 0;
        while !self.over() {
            let mut program = failing.program.clone();
            match edit(&mut program, number) {
                Edit::None => break,
                Edit::Same => number += 1,
                Edit::Done => match self.fails(&program, &failing.words) {
                    Some(found) => {
                        failing.program = program;
                        failing.found = found;
                        progress = true;
                    }
                    None => number += 1,
                },
            }
        }
        progress
    }
}

trait OrDefault<T> {
    fn ok_or_default(self) -> Result<T, String>;
}

impl<T> OrDefault<T> for Option<T> {
    fn ok_or_default(self) -> Result<T, String> {
        self.ok_or_else(|| "nothing was compared".to_owned())
    }
}

/// What an edit of a certain number did.
enum Edit {
    /// There is none of this number.
    None,
    /// It would change nothing.
    Same,
    Done,
}

/// The statement with this number, in the order of the text: `at` counts down.
fn statement(
    statements: &mut Vec<Stmt>,
    at: &mut usize,
    act: &mut dyn FnMut(&mut Vec<Stmt>, usize),
) -> bool {
    for k in 0..statements.len() {
        if *at == 0 {
            act(statements, k);
            return true;
        }
        *at -= 1;
        let found = match &mut statements[k] {
            Stmt::If { then, other, .. } => statement(then, at, act) || statement(other, at, act),
            Stmt::For(nest) => statement(&mut nest.body, at, act),
            Stmt::Region(body) | Stmt::Comma(body) | Stmt::While { body, .. } => {
                statement(body, at, act)
            }
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// Three ways to simplify each statement.
fn simpler_statement(program: &mut Program, number: usize) -> Edit {
    let (mut at, way) = (number / 3, number % 3);
    let mut changed = false;
    let mut act = |statements: &mut Vec<Stmt>, k: usize| {
        changed = true;
        match (&mut statements[k], way) {
            (_, 0) => {
                statements.remove(k);
            }
            (Stmt::If { then, .. }, 1) => {
                let then = std::mem::take(then);
                statements.splice(k..=k, then);
            }
            (Stmt::If { other, .. }, 2) if !other.is_empty() => {
                other.clear();
            }
            (Stmt::For(nest), 1) => {
                let mut body = vec![Stmt::Declare {
                    ty: nest.ty.unwrap_or("int").to_owned(),
                    name: nest.var.clone(),
                    value: Some(nest.from.clone()),
                }];
                body.append(&mut nest.body);
                statements.splice(k..=k, body);
            }
            (Stmt::For(nest), 2) => {
                let body = std::mem::take(&mut nest.body);
                statements.splice(k..=k, body);
            }
            (Stmt::While { body, .. } | Stmt::Comma(body), 1) => {
                let body = std::mem::take(body);
                statements.splice(k..=k, body);
            }
            (Stmt::Set { op, .. }, 1) if *op != "=" => *op = "=",
            (Stmt::Declare { value, .. }, 1) if value.is_some() => *value = Some(Expr::atom("0")),
            _ => changed = false,
        }
    };
    for function in &mut program.functions {
        if statement(&mut function.body, &mut at, &mut act) {
            return if changed { Edit::Done } else { Edit::Same };
        }
    }
    Edit::None
}

/// The part of an expression with this number, in depth.
fn part<'a>(expr: &'a mut Expr, at: &mut usize) -> Option<&'a mut Expr> {
    if *at == 0 {
        return Some(expr);
    }
    *at -= 1;
    expr.operands_mut()
        .into_iter()
        .find_map(|operand| part(operand, at))
}

/// Four ways to simplify each part of each expression.
fn simpler_expression(program: &mut Program, number: usize) -> Edit {
    let (mut at, way) = (number / 4, number % 4);
    let mut all = Vec::new();
    for function in &mut program.functions {
        expressions(&mut function.body, &mut all);
    }
    for expr in all {
        let Some(part) = part(expr, &mut at) else {
            continue;
        };
        let simple = match way {
            3 if !matches!(part, Expr::Atom(_)) => Some(Expr::atom("0")),
            3 => None,
            way if matches!(part, Expr::Index(..)) && way > 0 => None,
            way => part.operands().get(way).map(|e| (*e).clone()),
        };
        return match simple {
            Some(simple) => {
                *part = simple;
                Edit::Done
            }
            None => Edit::Same,
        };
    }
    Edit::None
}

/// Without one of the functions, types, macros and globals.
fn fewer_items(program: &mut Program, number: usize) -> Edit {
    let functions = program.functions.len();
    if number < program.top.len() {
        let item = program.top.remove(number);
        // What `entry` does with a global goes with it.
        let name = item
            .split(['[', ' ', ';'])
            .find(|w| w.starts_with("g_"))
            .map(str::to_owned);
        if let Some(name) = name {
            program
                .entry
                .retain(|s| !matches!(s, Stmt::Raw(line) if line.contains(&name)));
        }
        return Edit::Done;
    }
    let number = number - program.top.len();
    if number >= functions {
        return Edit::None;
    }
    if functions == 1 {
        return Edit::Same;
    }
    let function = program.functions.remove(number);
    let name = function
        .head
        .split(['(', ' '])
        .nth(1)
        .unwrap_or_default()
        .to_owned();
    program
        .entry
        .retain(|s| !matches!(s, Stmt::Raw(line) if line.starts_with(&format!("{name}("))));
    Edit::Done
}

/// Without one of a function's parameters.
fn fewer_parameters(program: &mut Program, number: usize) -> Edit {
    let mut at = number;
    for function in &mut program.functions {
        let Some((start, list)) = function.head.split_once('(') else {
            continue;
        };
        let mut parameters: Vec<&str> = list.trim_end_matches(')').split(", ").collect();
        if at >= parameters.len() {
            at -= parameters.len();
            continue;
        }
        parameters.remove(at);
        let name = start.rsplit(' ').next().unwrap_or_default();
        for statement in &mut program.entry {
            if let Stmt::Raw(line) = statement {
                let Some((called, list)) =
                    line.split_once('(').filter(|(called, _)| *called == name)
                else {
                    continue;
                };
                let mut arguments: Vec<&str> = list.trim_end_matches(");").split(", ").collect();
                arguments.remove(at);
                *line = format!("{called}({});", arguments.join(", "));
            }
        }
        let words = if parameters.is_empty() {
            "void".to_owned()
        } else {
            parameters.join(", ")
        };
        function.head = format!("{start}({words})");
        return Edit::Done;
    }
    Edit::None
}

/// Without one of the statements that prepare globals and rows in front of the calls: where it is
/// needed, the original fails itself.
fn fewer_preparations(program: &mut Program, number: usize) -> Edit {
    let Some(statement) = program.entry.get(number) else {
        return Edit::None;
    };
    match statement {
        Stmt::Raw(line) if !line.starts_with("kernel") => {
            program.entry.remove(number);
            Edit::Done
        }
        _ => Edit::Same,
    }
}

fn fewer_runs(program: &mut Program, number: usize) -> Edit {
    if number >= program.runs.len() {
        return Edit::None;
    }
    if program.runs.len() == 1 {
        return Edit::Same;
    }
    program.runs.remove(number);
    Edit::Done
}

/// Makes the case in a file smaller, whose program is made again from its seed; writes the result
/// beside it.
///
/// # Errors
/// What is wrong with the file, or that it does not fail.
pub fn file(file: &Path, time: Duration) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let case = Case::parse(&text).ok_or_else(|| format!("{} is no case", file.display()))?;
    let mut parts = case.seed.split(':');
    let mut number = || {
        parts
            .next()
            .and_then(|n| n.parse::<u64>().ok())
            .ok_or("the case has no seed")
    };
    let (seed, index) = (number()?, number()?);
    let kind = parts.next();
    if generate(seed, index, kind, "").to_string() != case.text {
        return Err(
            "the generator has changed since: its program of this seed is another one".to_owned(),
        );
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut reducer = Reducer {
        folder: folder.path(),
        signature: signature(&case.found),
        end: Instant::now() + time,
        tried: 0,
    };
    let mut failing = Failing {
        program: generate(seed, index, kind, &tag(0)),
        words: case.words.clone(),
        found: case.found.clone(),
    };
    if let Some(what) = reducer.wrong(&failing.program, &failing.words) {
        reducer.signature = signature(&what);
        failing.found = what;
    } else {
        return Err("the case does not fail".to_owned());
    }
    reduce(&mut reducer, &mut failing);
    let reduced = Case {
        found: failing.found.clone(),
        words: failing.words.clone(),
        memory: failing.program.memory.clone(),
        runs: failing.program.runs.clone(),
        text: failing.program.to_string().replace(&tag(0), ""),
        ..case
    };
    let path = file.with_extension("reduced.c");
    std::fs::write(&path, reduced.to_string()).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(format!("{reduced}\n{} programs tried", reducer.tried))
}

fn reduce(reducer: &mut Reducer<'_>, failing: &mut Failing) {
    for number in (0..failing.words.len()).rev() {
        let mut words = failing.words.clone();
        words.remove(number);
        if let Some(found) = reducer.fails(&failing.program, &words) {
            failing.words = words;
            failing.found = found;
        }
    }
    loop {
        let mut progress = false;
        for edit in [
            fewer_items,
            simpler_statement,
            fewer_runs,
            simpler_expression,
            fewer_parameters,
            fewer_items,
            fewer_preparations,
        ] {
            progress |= reducer.edits(failing, edit);
        }
        if !progress || reducer.over() {
            return;
        }
    }
}

/// Compiles a file whose first line holds its options; for processes that may not come to an end.
///
/// # Errors
/// What is wrong with the file.
pub fn compile_only(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let (first, text) = text.split_once('\n').unwrap_or_default();
    let words = crate::case::options(first.trim_start_matches("// options:"));
    let folder = file.parent().unwrap_or(Path::new("."));
    let _ = compiled(text, &words, folder);
    Ok(())
}
