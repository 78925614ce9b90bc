//! Many programs in one C file: original and result side by side, called on the same data.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::time::Duration;
use tilewright::compile::report::GroupReport;
use tilewright::compile::{Certify, Compiled, Options, compile, regions};
use tilewright::diagnostic::Diagnostic;
use tilewright::plan::{Fuse, Jam, Plan, Shape, Tiles};
use tilewright::planner::{Inline, everything};
use tilewright::source::Source;

/// A C function `kernel` with its arguments.
#[derive(Clone, Debug)]
pub struct Program {
    /// The function's text.
    pub text: String,
    /// Arguments in order: integers by value, arrays by their number of elements.
    pub arguments: Vec<Argument>,
}

/// One argument of a program.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A size.
    Int(i64),
    /// An array of this C element type with so many elements.
    Array(&'static str, usize),
}

/// What the compiler is asked for.
#[derive(Clone, Debug)]
pub struct Choices {
    pub shape: Option<Shape>,
    pub fuse: Option<Fuse>,
    pub tile_sizes: Option<Vec<i64>>,
    pub vectorise: bool,
    pub separate: bool,
    /// Stages to inline by their number, modulo how many there are; those that cannot be are not.
    pub inline: Vec<usize>,
    /// Iterations of point loops that are jammed, 1 for the planner's choice.
    pub jam: i64,
    /// The dimension in which tiles overlap; in others they are ordinary ones.
    pub overlap: Option<usize>,
    /// Tile loops are skewed into wavefronts where none is parallel.
    pub wavefront: bool,
    /// Where planning does not lead to the shape, it is given as a plan for the whole region, which
    /// is done or refused with words.
    pub insist: bool,
}

/// A program and how it is compiled.
#[derive(Clone, Debug)]
pub struct Case {
    pub program: Program,
    pub choices: Choices,
}

/// What came of a case.
#[derive(Clone, Debug)]
pub enum Verdict {
    Same,
    Failed(String),
}

/// What a run has seen.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub compared: usize,
    pub transformed: usize,
    /// Stages that were inlined because the case asks for it.
    pub inlined: usize,
    /// Whose plan was changed to jam loops.
    pub jammed: usize,
    /// Groups with overlap in some dimensions and ordinary tiles in another one.
    pub hybrid: usize,
    /// Groups with scratchpads that share memory.
    pub sharing: usize,
    /// How long compiling took, by the shape that was asked for.
    pub time: BTreeMap<String, Duration>,
    /// The longest that compiling one program took.
    pub slowest: Duration,
    pub warnings: BTreeMap<String, usize>,
    pub shapes: BTreeMap<String, usize>,
    /// Programs for which a shape was insisted on, and for how many of them it was refused.
    pub insisted: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.compared += other.compared;
        self.transformed += other.transformed;
        self.inlined += other.inlined;
        self.jammed += other.jammed;
        self.hybrid += other.hybrid;
        self.sharing += other.sharing;
        self.slowest = self.slowest.max(other.slowest);
        for (shape, time) in &other.time {
            *self.time.entry(shape.clone()).or_default() += *time;
        }
        for (code, count) in &other.warnings {
            *self.warnings.entry(code.clone()).or_default() += count;
        }
        for (shape, count) in &other.shapes {
            *self.shapes.entry(shape.clone()).or_default() += count;
        }
        for (shape, (asked, refused)) in &other.insisted {
            let all = self.insisted.entry(shape.clone()).or_default();
            *all = (all.0 + asked, all.1 + refused);
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} programs compared, {} transformed, {} stages inlined, {} jammed, {} groups hybrid, {} with shared scratchpads, slowest compiled in {:.1?}, by shape {:.1?}; groups by shape {:?}; insisted on and refused {:?}; warnings {:?}",
            self.compared,
            self.transformed,
            self.inlined,
            self.jammed,
            self.hybrid,
            self.sharing,
            self.slowest,
            self.time,
            self.shapes,
            self.insisted,
            self.warnings
        )
    }
}

/// As a file of `tests/regressions`: two comment lines, then the function.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self
            .program
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Int(value) => value.to_string(),
                Argument::Array(element, count) => format!("{element}:{count}"),
            })
            .collect();
        writeln!(f, "// arguments: {}", arguments.join(" "))?;
        writeln!(f, "// choices: {}", self.choices)?;
        write!(f, "{}", self.program.text)
    }
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if let Some(shape) = self.shape {
            words.push(format!("shape={shape:?}"));
        }
        if let Some(fuse) = self.fuse {
            words.push(format!("fuse={fuse:?}"));
        }
        if let Some(sizes) = &self.tile_sizes {
            let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
            words.push(format!("tile-sizes={}", sizes.join(",")));
        }
        if !self.inline.is_empty() {
            let stages: Vec<String> = self.inline.iter().map(usize::to_string).collect();
            words.push(format!("inline={}", stages.join(",")));
        }
        for (set, word) in [(self.vectorise, "vectorise"), (self.separate, "separate")] {
            words.extend(set.then(|| word.to_owned()));
        }
        if self.jam > 1 {
            words.push(format!("jam={}", self.jam));
        }
        if let Some(dimension) = self.overlap {
            words.push(format!("overlap={dimension}"));
        }
        for (set, word) in [(!self.wavefront, "no-wavefront"), (self.insist, "insist")] {
            words.extend(set.then(|| word.to_owned()));
        }
        write!(f, "{}", words.join(" "))
    }
}

/// isl operations per step: enough for every generated program that is worth it, few enough that
/// one that is not does not hold up the rest.
pub const BUDGET: u64 = 1_000_000;

/// The same for the time of isl's scheduler and of code generation, which skewed tiles of four
/// loops can take a lot of.
pub const SCHEDULING_TIME: Duration = Duration::from_secs(1);
pub const GENERATION_TIME: Duration = Duration::from_secs(2);

/// The C compiler's level for most batches, which builds in half the time of the next higher one.
pub const PLAIN: &str = "-O0";
/// For some batches: what undefined behaviour does shows here, and vector instructions are used.
pub const OPTIMISED: &str = "-O2";

pub const PRELUDE: &str = "extern void *malloc(unsigned long);\nextern void free(void *);\n";

/// In front of the programs of a file.
pub const INCLUDES: &str =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n";

/// Compiles, builds with the C compiler's optimisation `level`, runs and compares the cases.
pub fn run_batch(cases: &[Case], level: &str) -> (Vec<Verdict>, Tally) {
    let mut verdicts: Vec<Option<Verdict>> = vec![None; cases.len()];
    let mut tally = Tally {
        compared: cases.len(),
        ..Tally::default()
    };
    let mut text = INCLUDES.to_owned();
    for (number, case) in cases.iter().enumerate() {
        match transformed(case, &mut tally) {
            Ok(result) => {
                text.push_str(&renamed(&case.program.text, &format!("original_{number}")));
                text.push_str(&renamed(&result, &format!("result_{number}")));
            }
            Err(reason) => verdicts[number] = Some(Verdict::Failed(reason)),
        }
    }
    let numbered = cases.iter().map(|case| &case.program).enumerate();
    let open = numbered.filter(|(number, _)| verdicts[*number].is_none());
    text.push_str(&main_function(open));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("batch.c");
    let program = folder.path().join("batch");
    std::fs::write(&file, &text).expect("the temporary folder is writable");
    let built = Command::new("gcc")
        .args([
            "-std=gnu11",
            level,
            "-fopenmp",
            "-ffp-contract=off",
            "-w",
            "-o",
        ])
        .arg(&program)
        .arg(&file)
        .arg("-lm")
        .output()
        .expect("gcc runs");
    if !built.status.success() {
        let errors = String::from_utf8_lossy(&built.stderr).into_owned();
        return (blame_build(cases, verdicts, &errors, level), tally);
    }
    let verdicts = verdicts
        .into_iter()
        .enumerate()
        .map(|(number, verdict)| verdict.unwrap_or_else(|| run_one(&program, number)))
        .collect();
    (verdicts, tally)
}

/// The plan with so many iterations of all point loops jammed, in turns of as many rows.
fn jammed(plan: &Plan, factor: i64) -> Plan {
    let mut plan = plan.clone();
    if factor < 2 {
        return plan;
    }
    for group in plan.regions.iter_mut().flat_map(|r| &mut r.groups) {
        let levels = match group.tiles {
            Tiles::Affine(_) => 2,
            _ => 1,
        };
        let jam = |stage: &String| Jam {
            stage: stage.clone(),
            factors: vec![factor; levels],
            columns: 0,
        };
        let jams = group.stages.iter().map(jam).collect();
        match &mut group.tiles {
            Tiles::Written(_) => {}
            Tiles::Affine(tiles) => tiles.jam = jams,
            Tiles::OverTime(tiles) => tiles.jam = jams,
            Tiles::Overlapped(tiles) => {
                tiles.jam = jams;
                for along in &mut tiles.interleave {
                    along.block = factor;
                }
            }
        }
    }
    plan
}

/// The case's text after tilewright.
fn transformed(case: &Case, tally: &mut Tally) -> Result<String, String> {
    let guarded = AssertUnwindSafe(|| compiled_text(case, tally));
    catch_unwind(guarded).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panicked: {}", words.unwrap_or_default()))
    })
}

fn compiled_text(case: &Case, tally: &mut Tally) -> Result<String, String> {
    let text = format!("{PRELUDE}{}", case.program.text);
    let source = Source {
        name: "case.c".to_owned(),
        preprocessed: format!("# 1 \"case.c\"\n{text}"),
        text,
        ..Source::default()
    };
    let mut options = Options {
        // Programs are compared by running them.
        certify: Certify::Never,
        ..Options::default()
    };
    options.wishes.shape = case.choices.shape;
    options.wishes.fuse = case.choices.fuse;
    // Programs are small: threads are started for all of them.
    options.wishes.processor.fork = 0;
    options
        .wishes
        .tile_sizes
        .clone_from(&case.choices.tile_sizes);
    options.wishes.processor.vectorise = case.choices.vectorise;
    options.wishes.processor.wavefront = case.choices.wavefront;
    options.wishes.processor.separate = case.choices.separate;
    options.wishes.pipelines.overlap = case.choices.overlap.map(|d| vec![d]);
    options.limits.budget = BUDGET;
    options.limits.scheduling_time = SCHEDULING_TIME;
    options.limits.generation_time = GENERATION_TIME;
    if !case.choices.inline.is_empty() {
        let names = inlinable(&source, &case.choices.inline);
        tally.inlined += names.len();
        if !names.is_empty() {
            options.wishes.pipelines.inline = Inline::Stages(names);
        }
    }
    let begun = std::time::Instant::now();
    let mut compiled = compile(&source, &options, None, &mut |_| {});
    let without_meaning = |compiled: &Result<Compiled, Vec<Diagnostic>>| match compiled {
        Ok(_) => false,
        Err(errors) => errors.iter().all(|e| e.code == "TW0507"),
    };
    if without_meaning(&compiled) {
        // Not for tiles over time of an iterated stencil.
        options.wishes.fuse = None;
        options.wishes.processor.separate = false;
        options.wishes.pipelines.overlap = None;
        compiled = compile(&source, &options, None, &mut |_| {});
    }
    if without_meaning(&compiled) && options.wishes.shape == Some(Shape::Right) {
        // Stages that cannot take turns.
        options.wishes.shape = Some(Shape::Scalene);
        compiled = compile(&source, &options, None, &mut |_| {});
    }
    if let (Ok(planned), Some(shape), true) = (&compiled, case.choices.shape, case.choices.insist) {
        if let Some(done) = insisted(&source, &options, planned, shape, tally)? {
            compiled = Ok(done);
        }
    }
    if let Ok(plain) = &compiled {
        let plan = jammed(&plain.plan, case.choices.jam);
        if plan != plain.plan {
            // Where that is illegal, what was compiled before is compared.
            if let Ok(jammed) = compile(&source, &options, Some(&plan), &mut |_| {}) {
                tally.jammed += 1;
                compiled = Ok(jammed);
            }
        }
    }
    tally.slowest = tally.slowest.max(begun.elapsed());
    if std::env::var_os("TILEWRIGHT_RANDOM_VERBOSE").is_some() && begun.elapsed().as_millis() > 1000
    {
        eprintln!("{:?}: {case}", begun.elapsed());
    }
    if let Some(shape) = case.choices.shape {
        *tally.time.entry(format!("{shape:?}")).or_default() += begun.elapsed();
    }
    let compiled = match compiled {
        Ok(compiled) => compiled,
        // Conditions that never hold leave a region without a statement, which is rightly refused.
        Err(errors) if errors.iter().all(|e| e.code == "TW0107") => {
            return Ok(case.program.text.clone());
        }
        // What a shape over time is not for is refused, and what takes too long.
        Err(errors)
            if (case.choices.insist
                || matches!(case.choices.shape, Some(Shape::Scalene | Shape::Right)))
                && errors.iter().all(|e| matches!(e.code, "TW0401" | "TW0902")) =>
        {
            if case.choices.insist {
                let shape = format!("{:?}", case.choices.shape.unwrap_or(Shape::None));
                let insisted = tally.insisted.entry(shape).or_default();
                *insisted = (insisted.0 + 1, insisted.1 + 1);
            }
            return Ok(case.program.text.clone());
        }
        Err(errors) => return Err(format!("refused: {errors:#?}")),
    };
    for warning in &compiled.warnings {
        *tally.warnings.entry(warning.code.to_owned()).or_default() += 1;
    }
    for group in compiled.regions.iter().flat_map(|r| &r.order.groups) {
        *tally
            .shapes
            .entry(format!("{:?}", group.shape))
            .or_default() += 1;
    }
    for group in compiled.plan.regions.iter().flat_map(|r| &r.groups) {
        let Some(tiles) = group.overlapped() else {
            continue;
        };
        tally.hybrid += usize::from(tiles.ordinary(case.choices.insist).next().is_some());
        tally.sharing += usize::from(!tiles.share.is_empty());
    }
    if compiled.regions.iter().all(|r| !r.order.groups.is_empty()) {
        tally.transformed += 1;
    }
    compiled
        .text
        .strip_prefix(PRELUDE)
        .map(str::to_owned)
        .ok_or_else(|| "text outside of the region was changed".to_owned())
}

/// What comes of a plan with one group of this shape, where the planner's has other groups. `None`
/// where such a plan is refused; an error where it is refused without a word.
fn insisted(
    source: &Source,
    options: &Options,
    planned: &Compiled,
    shape: Shape,
    tally: &mut Tally,
) -> Result<Option<Compiled>, String> {
    let insisted = tally.insisted.entry(format!("{shape:?}")).or_default();
    insisted.0 += 1;
    let groups = || planned.regions.iter().map(|region| &region.order.groups);
    let done = |group: &GroupReport| group.shape == shape;
    if groups().all(|of_one| !of_one.is_empty() && of_one.iter().all(done)) {
        return Ok(None);
    }
    let mut plan = planned.plan.clone();
    let Ok(found) = regions(source, BUDGET) else {
        // Analysis alone exceeds the budget, and the region was left as it was.
        return Ok(None);
    };
    for (region, planned) in found.iter().zip(&mut plan.regions) {
        let mut group = everything(&region.graph, shape);
        if let Some(sizes) = group.tile_sizes_mut() {
            *sizes = options.wishes.tile_sizes.clone().unwrap_or_default();
        }
        if let Some(tiles) = group.affine_mut() {
            tiles.wavefront = options.wishes.processor.wavefront;
        }
        group.vectorise = options.wishes.processor.vectorise;
        planned.rewrites.inline.clear();
        planned.rewrites.tabulate.clear();
        planned.groups = vec![group];
    }
    match compile(source, options, Some(&plan), &mut |_| {}) {
        Ok(compiled) => Ok(Some(compiled)),
        Err(errors) if errors.is_empty() || errors.iter().any(|e| e.message.is_empty()) => {
            Err(format!("{shape:?} is refused without a word"))
        }
        Err(_) => {
            insisted.1 += 1;
            Ok(None)
        }
    }
}

/// Names of those of the stages that can be inlined, one after another.
fn inlinable(source: &Source, stages: &[usize]) -> Vec<String> {
    let mut names = Vec::new();
    for region in regions(source, BUDGET).iter().flatten() {
        for stage in stages {
            let stage = &region.graph.stages[stage % region.graph.stages.len()];
            names.push(stage.name.clone());
            if region.inlined(&names).is_err() {
                names.pop();
            }
        }
    }
    names
}

fn renamed(text: &str, name: &str) -> String {
    text.replacen(
        "void kernel(",
        &format!("\nstatic __attribute__((noinline)) void {name}("),
        1,
    )
    .replace("tw_share_kernel", &format!("tw_share_{name}"))
}

/// Functions that `main` needs for each type of elements: an array with other values than the one
/// before, its copy, and where two differ.
const HELPERS: &str = r#"
static unsigned long state = 42;
static double next(void)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(state >> 40) / (double)(1ul << 24);
}
#define HELPERS(T, most)                                                                          \
    static T *filled_##T(long n)                                                                  \
    {                                                                                             \
        T *a = malloc(n * sizeof *a);                                                             \
        for (long k = 0; k < n; k++) a[k] = (T)(next() * most);                                   \
        return a;                                                                                 \
    }                                                                                             \
    static T *copy_##T(const T *a, long n) { return memcpy(malloc(n * sizeof *a), a, n * sizeof *a); } \
    static void compare_##T(int argument, const T *a, const T *b, long n)                         \
    {                                                                                             \
        for (long k = 0; k < n; k++)                                                              \
            if (memcmp(a + k, b + k, sizeof *a) && (a[k] == a[k] || b[k] == b[k])) {              \
                printf("argument %d, element %ld: %.9g became %.9g\n", argument, k, (double)a[k], (double)b[k]); \
                exit(3);                                                                          \
            }                                                                                     \
    }
HELPERS(float, 1)
HELPERS(double, 1)
HELPERS(int, 100)
"#;

/// `main` takes a case's number, calls both versions on equal data, and compares every byte.
pub fn main_function<'p>(programs: impl Iterator<Item = (usize, &'p Program)>) -> String {
    let mut text = HELPERS.to_owned();
    text.push_str("int main(int argc, char **argv) {\n  switch (atoi(argv[1])) {\n");
    for (number, program) in programs {
        let mut calls = [Vec::new(), Vec::new()];
        let mut checks = String::new();
        let _ = writeln!(text, "  case {number}: {{");
        for (k, argument) in program.arguments.iter().enumerate() {
            match argument {
                Argument::Int(value) => calls.iter_mut().for_each(|c| c.push(value.to_string())),
                Argument::Array(ctype, count) => {
                    let _ = writeln!(
                        text,
                        "    {ctype} *a{k} = filled_{ctype}({count}), *b{k} = copy_{ctype}(a{k}, {count});"
                    );
                    calls[0].push(format!("(void *)a{k}"));
                    calls[1].push(format!("(void *)b{k}"));
                    let _ = writeln!(checks, "    compare_{ctype}({k}, a{k}, b{k}, {count});");
                }
            }
        }
        let _ = writeln!(text, "    original_{number}({});", calls[0].join(", "));
        let _ = writeln!(text, "    result_{number}({});", calls[1].join(", "));
        let _ = writeln!(text, "{checks}    return 0; }}");
    }
    text.push_str("  }\n  return 4;\n}\n");
    text
}

pub fn run_one(program: &std::path::Path, number: usize) -> Verdict {
    let run = Command::new("timeout")
        .args(["20"])
        .arg(program)
        .arg(number.to_string())
        .env("OMP_NUM_THREADS", "3")
        .output()
        .expect("the built program runs");
    match run.status.code() {
        Some(0) => Verdict::Same,
        Some(3) => Verdict::Failed(String::from_utf8_lossy(&run.stdout).into_owned()),
        Some(124) => Verdict::Failed("the result runs for ever".to_owned()),
        other => {
            let words = String::from_utf8_lossy(&run.stderr);
            let status = run.status;
            Verdict::Failed(format!(
                "the program ended with {other:?} ({status}): {words}"
            ))
        }
    }
}

/// A batch that does not build: each case alone, to find whose fault it is.
fn blame_build(
    cases: &[Case],
    verdicts: Vec<Option<Verdict>>,
    errors: &str,
    level: &str,
) -> Vec<Verdict> {
    if let [case] = cases {
        let mut tally = Tally::default();
        let result = transformed(case, &mut tally).unwrap_or_default();
        return vec![Verdict::Failed(format!(
            "gcc refuses the result: {errors}\n{result}"
        ))];
    }
    cases
        .iter()
        .zip(verdicts)
        .map(|(case, verdict)| {
            verdict.unwrap_or_else(|| run_batch(std::slice::from_ref(case), level).0.remove(0))
        })
        .collect()
}
