//! Which functions are executed on which inputs, and for how long.

use crate::judging::inputs::{Inputs, mix};
use crate::judging::queue::{Next, Queue};
use crate::judging::trial::{Execution, Outcome, Pair};
use crate::kernels::Wanted;
use crate::program::{Op, Program};
use crate::read::{self, Compilable, Defined, KernelText};
use crate::run::{MOST_THREADS, Order};
use crate::text::Problem;
use crate::verdict::{Certificate, Coverage, Effort, Options, Text, Verdict};
use std::rc::Rc;
use std::time::Instant;

/// Instructions of a quick effort, for all functions: less than a tenth of a second.
const QUICK_STEPS: u64 = 12_000_000;
/// Instructions that take as long as reading a byte of the texts, which are taken off; and how many
/// are left at least.
const READING_A_BYTE: u64 = 16;
const QUICKEST_STEPS: u64 = 3_000_000;
/// And for each line that is to be reached: long texts take long to compile, too. They are spent
/// only where lines are missing still, and by how many these are.
const QUICK_STEPS_PER_LINE: u64 = 2_500;
const QUICK_STEPS_PER_MISSING_LINE: u64 = 40_000;
/// Those of the other.
const FULL_STEPS: u64 = 400_000_000;
/// So many at least, where time is limited.
const STEPS_PER_MICROSECOND: u64 = 20;
/// Instructions on an input with a size beyond all measure.
const EXTREME_STEPS: u64 = 60_000;
/// Inputs of one function.
const QUICK_INPUTS: usize = 160;
const FULL_INPUTS: usize = 2_000;
/// Functions of a file.
const MOST_FUNCTIONS: usize = 64;

/// Kernels of a text that are built, each with other options: more than any host asks for.
const MOST_BUILDS: usize = 200;

pub(crate) fn judge(original: &Text, result: &Text, options: &Options) -> Certificate {
    let start = Instant::now();
    match judged(original, result, options, start) {
        Ok(certificate) => certificate,
        Err(certificate) => *certificate,
    }
}

/// That a text is not understood.
fn unknown(which: &'static str) -> impl Fn(Problem) -> Box<Certificate> {
    move |problem: Problem| {
        let Problem { what, line } = problem;
        Box::new(Certificate::unknown(match line {
            0 => format!("{which}: {what}"),
            _ => format!("{which}, line {line}: {what}"),
        }))
    }
}

fn judged(
    original: &Text,
    result: &Text,
    options: &Options,
    start: Instant,
) -> Result<Certificate, Box<Certificate>> {
    let texts = Texts::new(original, result, options)?;
    // Which kernels there are is known once a host has asked for them.
    let mut kernels = [Vec::new(), Vec::new()];
    while kernels[0].len() + kernels[1].len() < MOST_BUILDS {
        let (first, second) = texts.compile(&kernels)?;
        let (wanted, of_result) = match run(&first, &second, &texts, options, start) {
            Ok(certificate) => return Ok(certificate),
            Err(asked) => asked,
        };
        let (program, which) = if of_result {
            (&second, "the result")
        } else {
            (&first, "the original")
        };
        let text = KernelText::parse(*wanted, program).map_err(unknown(which))?;
        kernels[usize::from(of_result)].push(text);
    }
    Err(Box::new(Certificate::unknown(
        "it builds kernels again and again",
    )))
}

/// What is needed of both texts, and the functions to execute.
struct Texts {
    first: Compilable,
    second: Compilable,
    names: Vec<String>,
}

impl Texts {
    fn new(original: &Text, result: &Text, options: &Options) -> Result<Texts, Box<Certificate>> {
        let first = read::cut(original.name, original.preprocessed);
        let first = first.map_err(unknown("the original"))?;
        let second = read::cut(result.name, result.preprocessed);
        let second = second.map_err(unknown("the result"))?;
        let (before, after) = (first.functions(), second.functions());
        let mut names = chosen(&before, &after, options).map_err(unknown("the result"))?;
        let whole = options.functions.is_none() && first.outside() != second.outside();
        if names.is_empty() && whole {
            // What functions mean may differ where their text does not.
            names.extend(after.iter().map(|f| f.name.clone()));
        }
        names.truncate(MOST_FUNCTIONS);
        // What fills arrays as the file means it.
        let inits = names.iter().map(|name| format!("{name}_init"));
        let inits = inits.filter(|init| before.iter().any(|f| f.name == *init));
        let with_inits = names.iter().cloned().chain(inits);
        let with_inits: Vec<String> = with_inits.collect();
        // An object is compared where both have it, whichever mentions it.
        let of_first = first.declared(&with_inits, whole);
        let of_second = second.declared(&names, whole);
        let first = first
            .parse(with_inits, whole, &of_second)
            .map_err(unknown("the original"))?;
        let second = second
            .parse(names.clone(), whole, &of_first)
            .map_err(unknown("the result"))?;
        Ok(Texts {
            first,
            second,
            names,
        })
    }

    /// How long both are together.
    fn bytes(&self) -> u64 {
        (self.first.bytes() + self.second.bytes()) as u64
    }

    /// Both programs, each with its kernels.
    fn compile(
        &self,
        kernels: &[Vec<KernelText>; 2],
    ) -> Result<(Program, Program), Box<Certificate>> {
        let first = self.first.compile(&kernels[0]);
        let second = self.second.compile(&kernels[1]);
        let first = first.map_err(unknown("the original"))?;
        Ok((first, second.map_err(unknown("the result"))?))
    }
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

/// Lines of the result that hold code and are to be reached, by their numbers in the text.
fn lines(program: &Program, names: &[String]) -> Vec<u32> {
    let functions = program.functions.iter().enumerate();
    let is_kernel = |number: &usize| {
        let mut builds = program.device.builds.iter();
        builds.any(|build| build.kernels.values().any(|kernel| kernel == number))
    };
    let asked = functions.filter(|(number, f)| names.contains(&f.name) || is_kernel(number));
    let whole: Vec<(u32, u32)> = asked.map(|(_, f)| (f.line, f.last_line)).collect();
    let ranges = if program.source.generated.is_empty() {
        &whole
    } else {
        &program.source.generated
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

/// Whether a line is to be reached and was not.
fn missing(lines: &[u32], reached: &[bool], line: u32) -> bool {
    lines.binary_search(&line).is_ok() && !reached[line as usize]
}

fn execution(turn: u64) -> Execution {
    let (threads, order) = match turn % 5 {
        0 => (3, Order::Forward),
        1 => (16, Order::Backward),
        2 => (1, Order::Forward),
        3 => (MOST_THREADS, Order::Shuffled(mix(7, turn))),
        _ => (2, Order::Backward),
    };
    Execution {
        threads,
        order,
        junk: if turn % 2 == 0 { 0x41 } else { 0xc3 },
        few: false,
        notes: false,
    }
}

fn run(
    original: &Program,
    result: &Program,
    texts: &Texts,
    options: &Options,
    start: Instant,
) -> Result<Certificate, (Box<Wanted>, bool)> {
    let names = &texts.names;
    let lines = lines(result, names);
    let mut certificate = Certificate::unknown("");
    certificate.verdict = Verdict::Equal;
    let full = options.effort == Effort::Full;
    let most = if full { FULL_INPUTS } else { QUICK_INPUTS };
    // Instructions that are spent whatever they reach, and those that are spent for missing lines.
    let (few, steps) = match options.steps {
        Some(steps) => (steps, steps),
        None if full => (FULL_STEPS, FULL_STEPS),
        None => {
            let parts = options.parts.max(1);
            let for_lines = QUICK_STEPS_PER_LINE * lines.len() as u64;
            let few = QUICK_STEPS.saturating_sub(READING_A_BYTE * texts.bytes());
            let few = few.max(QUICKEST_STEPS) / parts;
            (few, QUICK_STEPS / parts + for_lines)
        }
    };
    let mut reached = vec![false; lines.last().map_or(0, |l| *l as usize + 1)];
    let mut unknown = None;
    let buffers = Rc::default();
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
        let halved = crate::judging::setup::Halved::default();
        let pair = Pair {
            original,
            result,
            functions: (a, b),
            init,
            buffers: &buffers,
            halved: &halved,
        };
        let mut inputs = Inputs::new(result, &result.functions[b], options.seed, init.is_some());
        if options.apart {
            inputs.keep_apart();
        }
        // What earlier functions left over is for later ones.
        let share = (steps - steps.min(certificate.steps)) / (names.len() - at) as u64;
        let end = certificate.steps + share;
        let least = u128::from(share) * u128::from(few) / u128::from(steps.max(1));
        let least = certificate.steps + least as u64;
        let mut queue = Queue::new(pair, inputs, share);
        let (mut runs, mut turn, mut why) = (0, 0u64, None);
        while certificate.steps < end && turn < 3 * most as u64 && runs < most {
            if options.time.is_some_and(|time| start.elapsed() >= time) {
                break;
            }
            let missed = lines.iter().filter(|l| !reached[**l as usize]).count() as u64;
            let covered = missed == 0;
            if !full && covered && runs >= 40 && queue.inputs.is_through() {
                break;
            }
            let end = end.min(least + QUICK_STEPS_PER_MISSING_LINE * missed);
            let left = end.saturating_sub(certificate.steps);
            if left == 0 {
                break;
            }
            turn += 1;
            let Some(Next { input, fuel: most }) =
                queue.next(left, &|line| missing(&lines, &reached, line))
            else {
                break;
            };
            let mut fuel = most.max(1);
            if input.is_extreme() {
                fuel = fuel.min(EXTREME_STEPS);
            }
            if let Some(time) = options.time {
                let left = time.saturating_sub(start.elapsed()).as_micros();
                fuel = fuel.min((left as u64).saturating_mul(STEPS_PER_MICROSECOND));
            }
            let mut execution = execution(turn);
            execution.notes = !covered;
            execution.few = queue.is_heavy;
            let trial = pair.trial(&input, execution, fuel);
            queue.took(trial.steps, trial.charged);
            certificate.steps += trial.steps.max(1000);
            let mut new = false;
            if matches!(trial.outcome, Outcome::Equal | Outcome::Differs(_)) {
                for line in &lines {
                    let line = *line as usize;
                    if trial.reached.get(line) == Some(&true) && !reached[line] {
                        reached[line] = true;
                        new = true;
                    }
                }
            }
            match trial.outcome {
                Outcome::Equal => {
                    queue.inputs.learn(&input, true, new);
                    queue.executed(&input, &trial, execution.few);
                    if let Some(sides) = &trial.sides {
                        let missing = |line| missing(&lines, &reached, line);
                        queue.aims.targets.learn(&input.sizes, sides, &missing);
                    }
                    runs += 1;
                    certificate.runs += 1;
                    certificate
                        .inputs
                        .push(format!("{name}({})", trial.arguments));
                }
                Outcome::Refused(reason) => {
                    queue.inputs.learn(&input, false, false);
                    certificate.refused += 1;
                    why = Some(reason);
                }
                Outcome::Long => {
                    queue.too_long(input, fuel);
                    certificate.refused += 1;
                    // What was found wrong says more.
                    why.get_or_insert("it takes too long".to_owned());
                }
                Outcome::Wanted(wanted, of_result) => return Err((wanted, of_result)),
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
                    certificate.coverage = coverage(result, &lines, &reached);
                    return Ok(certificate);
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
    certificate.coverage = coverage(result, &lines, &reached);
    Ok(certificate)
}

fn coverage(result: &Program, lines: &[u32], reached: &[bool]) -> Coverage {
    let never = lines.iter().map(|line| *line as usize);
    let never = never.filter(|line| !reached[*line]);
    let never: Vec<u32> = never
        .map(|line| result.source.rows.get(line).copied().unwrap_or(0))
        .collect();
    Coverage {
        reached: lines.len() - never.len(),
        lines: lines.len(),
        never,
    }
}
