//! Which functions are executed on which inputs, and for how long.

use crate::inputs::{Inputs, mix};
use crate::program::{Op, Program};
use crate::read::{self, Defined};
use crate::run::Order;
use crate::text::Problem;
use crate::trial::{Execution, Outcome, Pair};
use crate::verdict::{Certificate, Coverage, Effort, Options, Text, Verdict};
use std::time::Instant;

/// Instructions of an effort.
const QUICK_STEPS: u64 = 6_000_000;
const FULL_STEPS: u64 = 400_000_000;
/// So many at least, where time is limited.
const STEPS_PER_MICROSECOND: u64 = 20;
/// Instructions on an input with a size beyond all measure.
const EXTREME_STEPS: u64 = 60_000;
/// Inputs of one function.
const QUICK_INPUTS: usize = 120;
const FULL_INPUTS: usize = 2_000;
/// Functions of a file.
const MOST_FUNCTIONS: usize = 64;

pub(crate) fn judge(original: &Text, result: &Text, options: &Options) -> Certificate {
    let start = Instant::now();
    match prepared(original, result, options) {
        Err(certificate) => *certificate,
        Ok((first, second, names)) => run(&first, &second, &names, options, start),
    }
}

type Prepared = (Program, Program, Vec<String>);

fn prepared(
    original: &Text,
    result: &Text,
    options: &Options,
) -> Result<Prepared, Box<Certificate>> {
    let unknown = |which: &'static str| {
        move |problem: Problem| {
            let Problem { what, line } = problem;
            Box::new(Certificate::unknown(match line {
                0 => format!("{which}: {what}"),
                _ => format!("{which}, line {line}: {what}"),
            }))
        }
    };
    let first = read::parse(original.name, original.preprocessed);
    let first = first.map_err(unknown("the original"))?;
    let second = read::parse(result.name, result.preprocessed);
    let second = second.map_err(unknown("the result"))?;
    let (before, after) = (first.functions(), second.functions());
    let mut names = chosen(&before, &after, options).map_err(unknown("the result"))?;
    if names.is_empty() && options.functions.is_none() && first.outside() != second.outside() {
        // What functions mean may differ where their text does not.
        names.extend(after.iter().map(|f| f.name.clone()));
    }
    names.truncate(MOST_FUNCTIONS);
    let count = names.len();
    // What fills arrays as the file means it.
    for at in 0..count {
        let init = format!("{}_init", names[at]);
        if before.iter().any(|f| f.name == init) {
            names.push(init);
        }
    }
    let first = first.compile(&names).map_err(unknown("the original"))?;
    names.truncate(count);
    let second = second.compile(&names).map_err(unknown("the result"))?;
    Ok((first, second, names))
}

/// The functions to execute: those that are asked for, or that differ.
///
/// # Errors
/// The name of one that other files may call, or that is asked for, and that is not there any more.
fn chosen(
    before: &[Defined],
    after: &[Defined],
    options: &Options,
) -> Result<Vec<String>, Problem> {
    let there = |name: &String| after.iter().any(|f| f.name == *name);
    let mut expected: Vec<&String> = match &options.functions {
        Some(list) => list.iter().collect(),
        None => before
            .iter()
            .filter(|f| !f.is_static)
            .map(|f| &f.name)
            .collect(),
    };
    expected.retain(|name| !there(name));
    if let Some(name) = expected.first() {
        let what = format!("there is no function `{name}`");
        return Err(Problem { what, line: 0 });
    }
    let mut names = Vec::new();
    for one in after {
        let Some(other) = before.iter().find(|f| f.name == one.name) else {
            continue;
        };
        let wanted = match &options.functions {
            Some(list) => list.contains(&one.name),
            None => one.text != other.text || one.generated,
        };
        if wanted && !names.contains(&one.name) {
            names.push(one.name.clone());
        }
    }
    Ok(names)
}

/// Lines of the result that hold code and are to be reached.
fn lines(program: &Program, names: &[String]) -> Vec<u32> {
    let functions = program.functions.iter().filter(|f| names.contains(&f.name));
    let whole: Vec<(u32, u32)> = functions.map(|f| (f.line, f.last_line)).collect();
    let ranges = match program.generated.is_empty() {
        true => &whole,
        false => &program.generated,
    };
    let marks = program.ops.iter().filter_map(|op| match op {
        Op::Mark { line, .. } => Some(*line),
        _ => None,
    });
    let within = |line: &u32| ranges.iter().any(|(a, b)| a <= line && line <= b);
    let mut lines: Vec<u32> = marks.filter(within).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn execution(turn: u64) -> Execution {
    let (threads, order) = match turn % 5 {
        0 => (3, Order::Forward),
        1 => (16, Order::Backward),
        2 => (1, Order::Forward),
        3 => (32, Order::Shuffled(mix(7, turn))),
        _ => (2, Order::Backward),
    };
    Execution {
        threads,
        order,
        junk: if turn % 2 == 0 { 0x41 } else { 0xc3 },
    }
}

fn run(
    original: &Program,
    result: &Program,
    names: &[String],
    options: &Options,
    start: Instant,
) -> Certificate {
    let lines = lines(result, names);
    let mut certificate = Certificate::unknown("");
    certificate.verdict = Verdict::Equal;
    let full = options.effort == Effort::Full;
    let (steps, most) = match full {
        false => (QUICK_STEPS, QUICK_INPUTS),
        true => (FULL_STEPS, FULL_INPUTS),
    };
    let steps = options.steps.unwrap_or(steps);
    let mut reached = vec![false; lines.last().map_or(0, |l| *l as usize + 1)];
    let mut unknown = None;
    for (at, name) in names.iter().enumerate() {
        let number =
            |program: &Program, name: &str| program.functions.iter().position(|f| f.name == name);
        let (Some(a), Some(b)) = (number(original, name), number(result, name)) else {
            continue;
        };
        if original.functions[a].params.len() != result.functions[b].params.len() {
            unknown = Some(format!("`{name}` has other parameters"));
            continue;
        }
        let init = number(original, &format!("{name}_init"));
        let params = |f: usize| {
            original.functions[f]
                .params
                .iter()
                .map(|p| (&p.name, &p.ty))
        };
        let init = init.filter(|init| params(*init).eq(params(a)));
        let pair = Pair {
            original,
            result,
            functions: (a, b),
            init,
        };
        let mut inputs = Inputs::new(result, &result.functions[b], options.seed, init.is_some());
        // What earlier functions left over is for later ones.
        let share = (steps - steps.min(certificate.steps)) / (names.len() - at) as u64;
        let end = certificate.steps + share;
        let (mut runs, mut turn, mut why) = (0, 0u64, None);
        while certificate.steps < end && turn < 3 * most as u64 && runs < most {
            if options.time.is_some_and(|time| start.elapsed() >= time) {
                break;
            }
            let covered = lines.iter().all(|l| reached[*l as usize]);
            if !full && covered && runs >= 40 && inputs.is_through() {
                break;
            }
            turn += 1;
            let input = inputs.next();
            let left = end - certificate.steps;
            // Many short attempts first; where none is short enough, a few long ones.
            let most = if runs == 0 && turn > 16 {
                left / 2
            } else if runs == 0 {
                share / 12
            } else {
                (left / 3).min(share / 6)
            };
            let mut fuel = most.max(1);
            if input.is_extreme() {
                fuel = fuel.min(EXTREME_STEPS);
            }
            if let Some(time) = options.time {
                let left = time.saturating_sub(start.elapsed()).as_micros();
                fuel = fuel.min((left as u64).saturating_mul(STEPS_PER_MICROSECOND));
            }
            let trial = pair.trial(&input, execution(turn), fuel);
            certificate.steps += trial.steps.max(1000);
            let mut new = false;
            for line in &lines {
                let line = *line as usize;
                if trial.reached.get(line) == Some(&true) && !reached[line] {
                    reached[line] = true;
                    new = true;
                }
            }
            match trial.outcome {
                Outcome::Equal => {
                    inputs.learn(&input, true, new);
                    runs += 1;
                    certificate.runs += 1;
                    certificate
                        .inputs
                        .push(format!("{name}({})", trial.arguments));
                }
                Outcome::Refused(reason) => {
                    inputs.learn(&input, false, false);
                    certificate.refused += 1;
                    why = Some(reason);
                }
                Outcome::Long => {
                    certificate.refused += 1;
                    why = Some("it takes too long".to_owned());
                    // A step that was not counted still takes time.
                    certificate.steps += fuel / 2;
                }
                Outcome::Unsupported(what) => {
                    unknown = Some(format!("`{name}` in the result: {what}"));
                    break;
                }
                Outcome::Differs(difference) => {
                    certificate.runs += 1;
                    certificate
                        .inputs
                        .push(format!("{name}({})", trial.arguments));
                    certificate.verdict = Verdict::Differs(difference);
                    certificate.coverage = coverage(&lines, &reached);
                    return certificate;
                }
            }
        }
        if runs == 0 && unknown.is_none() {
            let why = why.unwrap_or_else(|| "there was no time".to_owned());
            unknown = Some(format!("`{name}` was executed on no input: {why}"));
        }
    }
    if let Some(why) = unknown {
        certificate.verdict = Verdict::Unknown(why);
    }
    certificate.coverage = coverage(&lines, &reached);
    certificate
}

fn coverage(lines: &[u32], reached: &[bool]) -> Coverage {
    let never: Vec<u32> = lines
        .iter()
        .copied()
        .filter(|line| !reached[*line as usize])
        .collect();
    Coverage {
        reached: lines.len() - never.len(),
        lines: lines.len(),
        never,
    }
}
