//! Pipelines of the pipeline language, as the C text that the language writes of them: with casts,
//! limits, choices, tables and stages that read each other.

use super::LARGEST;
use crate::random::Random;
use crate::tree::{self, Fill, Memory, Program, Run, Stmt, Type};
use tilewright::frontend::pipeline::{Direction, Expr, Function, Image, Pipeline, select};
use tilewright::scop::ScalarKind;

/// Cells that images have more than sizes say, so that every stage has some.
const BORDER: i64 = 8;

/// Greatest size of what stages hold, so that nothing overflows.
const MOST: i64 = 1000;

/// What may be read around a cell.
struct Stages {
    read: Vec<Read>,
    table: Option<Image>,
    cell: [Expr; 2],
    sizes: [Expr; 2],
}

#[derive(Clone, Copy)]
enum Read {
    Image(Image),
    Stage(Function),
}

/// A pipeline at random; none where the language refuses it.
pub(super) fn pipeline(random: &mut Random, tag: &str) -> Option<Program> {
    let name = format!("kernel{tag}");
    let mut p = Pipeline::new(&name);
    let [n, m] = p.parameters(["n", "m"]);
    let [y, x] = p.variables(["y", "x"]);
    let sizes = [Expr::from(n) + BORDER, Expr::from(m) + BORDER];
    let mut stages = Stages {
        read: Vec::new(),
        table: None,
        cell: [y.into(), x.into()],
        sizes: sizes.clone(),
    };
    for k in 0..random.range(1, 2) {
        let kind = kind(random);
        let image = p.image(["a", "b"][k as usize], kind, sizes.clone());
        stages.read.push(Read::Image(image));
    }
    if random.percent(40) {
        stages.table = Some(p.image("table", kind(random), [256]));
    }
    let count = random.range(1, 4);
    for k in 1..=count {
        let kind = kind(random);
        let last = |size: &Expr| size.clone() - 1 - k;
        let domain = [y.over(k, last(&sizes[0])), x.over(k, last(&sizes[1]))];
        let called = ["f", "g", "h", "o"][k as usize - 1];
        let is_output = k == count || random.percent(25);
        let function = if is_output {
            p.output(called, kind, domain)
        } else {
            p.function(called, kind, domain)
        };
        let depth = random.range(1, 3) as u32;
        let value = stages.value(random, depth);
        p.define(function, stored(value, kind));
        stages.read.push(Read::Stage(function));
    }
    finished(&p, &name, tag, random)
}

fn kind(random: &mut Random) -> ScalarKind {
    use ScalarKind::*;
    random.weighted(&[
        (6, U8),
        (4, I32),
        (3, I16),
        (3, F32),
        (2, U16),
        (2, U32),
        (1, I8),
        (1, F64),
        (1, I64),
    ])
}

/// Small enough for sums and products of several.
fn stored(value: Expr, kind: ScalarKind) -> Expr {
    match kind {
        // A floating number has no value in a type that does not hold it.
        ScalarKind::U8 => value.clamp(0, 255).cast(kind),
        ScalarKind::I8 => value.clamp(-128, 127).cast(kind),
        ScalarKind::U16 | ScalarKind::U32 => value.clamp(0, MOST).cast(kind),
        _ => value.clamp(-MOST, MOST).cast(kind),
    }
}

impl Stages {
    fn leaf(&self, random: &mut Random) -> Expr {
        match random.below(8) {
            0 => Expr::int(*random.pick(&[0, 1, 2, 3, 7, 16, 255, 1000, -1, -5])),
            1 => self.cell[random.below(2)].clone(),
            2 => self.sizes[random.below(2)].clone(),
            _ => {
                let read = *random.pick(&self.read);
                let mut at = Vec::new();
                for cell in &self.cell {
                    let by = random.range(-1, 1);
                    at.push(if by == 0 {
                        cell.clone()
                    } else {
                        cell.clone() + by
                    });
                }
                let value = match read {
                    Read::Image(image) => image.at(at),
                    Read::Stage(function) => function.at(at),
                };
                value.clamp(-MOST, MOST)
            }
        }
    }

    /// A value of at most a few thousand times [`MOST`].
    fn value(&self, random: &mut Random, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf(random);
        }
        let one = self.value(random, depth - 1);
        let small = |e: Expr| e.clamp(-MOST, MOST);
        match random.below(14) {
            0..=2 => small(one) + small(self.value(random, depth - 1)),
            3 => small(one) - small(self.value(random, depth - 1)),
            4 | 5 => small(one) * small(self.value(random, depth - 1)),
            6 => one / random.range(1, 9),
            7 => {
                let limit = random.range(-9, 200);
                let condition = match random.below(3) {
                    0 => self.value(random, depth - 1).lt(limit),
                    1 => self.cell[0].clone().ge(random.range(0, 9)),
                    _ => self.value(random, depth - 1).within(limit, limit + 50),
                };
                select(condition, one, self.value(random, depth - 1))
            }
            8 => one.min(self.value(random, depth - 1)),
            9 => one.max(self.value(random, depth - 1)),
            10 => small(one).abs(),
            11 => {
                let to = *random.pick(&[
                    ScalarKind::U8,
                    ScalarKind::I8,
                    ScalarKind::U32,
                    ScalarKind::I64,
                    ScalarKind::F32,
                    ScalarKind::U16,
                ]);
                // A negative floating number has no unsigned value.
                one.clamp(0, 100).cast(to)
            }
            12 => match self.table {
                Some(table) => table.at([one.cast(ScalarKind::I32).clamp(0, 255)]),
                None => one,
            },
            _ => small(one) * 0.25,
        }
    }
}

/// The pipeline's text as a program.
fn finished(p: &Pipeline, name: &str, tag: &str, random: &mut Random) -> Option<Program> {
    let written = p.program().ok()?;
    let text = &written.source().text;
    let start = text.find(&format!("void {name}("))?;
    let (front, own) = text.split_at(start);
    let (head, rest) = own.split_once("\n{\n")?;
    let body = rest.trim_end().strip_suffix('}')?;
    // Small functions in front of it have names of their own in a batch.
    let (mut front, mut body) = (front.to_owned(), body.to_owned());
    let helpers: Vec<String> = front
        .lines()
        .filter(|l| l.starts_with("static "))
        .filter_map(|l| l.split('(').next()?.rsplit(' ').next().map(str::to_owned))
        .collect();
    for helper in helpers {
        let (from, to) = (format!("{helper}("), format!("{helper}{tag}("));
        front = front.replace(&from, &to);
        body = body.replace(&from, &to);
    }
    let front: Vec<&str> = front.lines().skip(1).collect();
    let top = match front.join("\n").trim() {
        "" => Vec::new(),
        text => vec![text.to_owned()],
    };
    let mut memory = Vec::new();
    for array in &written.arrays {
        let ty = type_of(array.kind)?;
        let (low, high) = ty.bounds();
        let limited = |value: i128| value.clamp(-1000, 1000) as i64;
        let fill = match (ty.is_float(), array.direction) {
            (_, Direction::Output) => (0, 0),
            (true, _) => (-4, 5),
            _ => (limited(low), limited(high)),
        };
        let fill = Fill {
            low: fill.0,
            high: fill.1,
            sorted: false,
        };
        memory.push(Memory { ty, fill });
    }
    let mut runs: Vec<Run> = Vec::new();
    for number in 0..240 {
        let size = |random: &mut Random| match number {
            0 => 1,
            _ => random.range(1, LARGEST),
        };
        let numbers = vec![size(random), size(random)];
        if runs.iter().any(|run| run.numbers == numbers) {
            continue;
        }
        let mut counts = Vec::new();
        for array in 0..memory.len() {
            counts.push(written.extents(array, &numbers).ok()?.iter().product());
        }
        let highs = memory.iter().map(|m| m.fill.high).collect();
        runs.push(Run {
            numbers,
            counts,
            highs,
        });
    }
    let mut arguments = vec!["s[0]".to_owned(), "s[1]".to_owned()];
    arguments.extend((0..memory.len()).map(|k| format!("p[{k}]")));
    Some(Program {
        kind: "language",
        top,
        functions: vec![tree::Function {
            head: head.to_owned(),
            body: vec![Stmt::Raw(body.trim_end().to_owned())],
        }],
        entry: vec![Stmt::Raw(format!("{name}({});", arguments.join(", ")))],
        memory,
        runs,
    })
}

fn type_of(kind: ScalarKind) -> Option<Type> {
    Some(match kind {
        ScalarKind::I8 => Type::I8,
        ScalarKind::U8 => Type::U8,
        ScalarKind::I16 => Type::I16,
        ScalarKind::U16 => Type::U16,
        ScalarKind::I32 => Type::I32,
        ScalarKind::U32 => Type::U32,
        ScalarKind::I64 => Type::I64,
        ScalarKind::U64 => Type::U64,
        ScalarKind::F32 => Type::F32,
        ScalarKind::F64 => Type::F64,
        _ => return None,
    })
}
