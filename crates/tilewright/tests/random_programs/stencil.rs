//! Iterated stencils: cones of points at a distance of at most two, one to three statements per
//! time step in one to three dimensions of space, and the ways to store time steps that
//! `examples/stencils` has.

use super::batch::{Argument, Program};
use proptest::prelude::*;
use std::fmt::Write as _;

const ITERATORS: [&str; 3] = ["i", "j", "k"];
const FIELDS: [&str; 3] = ["A", "B", "C"];
/// How far a cone reaches, and so the width of the rim that is not computed.
const REACH: i64 = 2;
/// Factors of what a statement reads. Their sum is 1, so that values stay finite however many
/// steps there are.
const WEIGHTS: [&str; 10] = [
    "0.3", "0.23", "0.15", "0.1", "0.07", "0.05", "0.04", "0.03", "0.02", "0.01",
];

/// How time steps are stored.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// `A[t + 1][i] = f(A[t][i + o])`
    AllSteps,
    /// `A[(t + 1) % 2][i] = f(A[t % 2][i + o])`
    Buffers,
    /// `B[i] = f(A[i + o])`, then `A[i] = g(B[i + o])`; with three statements round three arrays,
    /// with one in place.
    Ring,
    /// `B[i] = f(A[i + o])`, then `A[i] = B[i]`; with three statements there is another field
    /// between; one is a ring.
    CopyBack,
    /// `A[i] += f(B[i + o])`, then `B[i] += g(A[i + o])`.
    InPlace,
}

/// One statement of the time loop.
#[derive(Clone, Debug)]
struct Statement {
    /// Points that it reads, each with a number that says in which of the fields and steps that it
    /// may read.
    reads: Vec<([i64; 3], usize)>,
    /// The mirrored points are read, too.
    symmetric: bool,
    /// The first point computed in each dimension is so much farther inside.
    late: i64,
    /// Only computed where the first value read is large enough.
    conditional: bool,
}

/// A tile's extents and the program's, one dimension after another, time first.
#[derive(Clone, Debug)]
struct Extent {
    tile: i64,
    tiles: i64,
    rest: i64,
}

impl Extent {
    fn length(&self) -> i64 {
        self.tile * self.tiles + self.rest % self.tile
    }
}

fn statement() -> impl Strategy<Value = Statement> {
    let point = [-REACH..=REACH, -REACH..=REACH, -REACH..=REACH];
    (
        proptest::collection::vec((point, 0usize..12), 1..5),
        any::<bool>(),
        prop_oneof![3 => Just(0i64), 1 => Just(1)],
        proptest::bool::weighted(0.1),
    )
        .prop_map(|(reads, symmetric, late, conditional)| Statement {
            reads,
            symmetric,
            late,
            conditional,
        })
}

/// Half of the extents are multiples of the tile's.
fn extent(tiles: std::ops::Range<i64>) -> impl Strategy<Value = Extent> {
    let rest = prop_oneof![Just(0i64), 0i64..8];
    (1i64..9, tiles, rest).prop_map(|(tile, tiles, rest)| Extent { tile, tiles, rest })
}

/// A program and tile sizes for its loops, time first.
pub fn stencil() -> BoxedStrategy<(Program, Vec<i64>)> {
    let form = prop_oneof![
        Just(Form::AllSteps),
        Just(Form::Buffers),
        Just(Form::Ring),
        Just(Form::CopyBack),
        Just(Form::InPlace),
    ];
    // Four loops (time and three of space) cost isl most: fewer of them.
    let rank = prop_oneof![8 => Just(1usize), 6 => Just(2), 1 => Just(3)];
    let element = prop_oneof![2 => Just("double"), 1 => Just("float"), 1 => Just("int")];
    (
        (
            form,
            rank,
            element,
            prop_oneof![3 => Just(1i64), 1 => Just(2)],
        ),
        // What compiling takes grows with the pairs of statements.
        prop_oneof![
            3 => proptest::collection::vec(statement(), 1),
            2 => proptest::collection::vec(statement(), 2),
            1 => proptest::collection::vec(statement(), 3),
        ],
        [extent(1..4), extent(1..6), extent(1..4), extent(1..3)],
    )
        .prop_map(|((form, rank, element, order), statements, extents)| {
            let sizes = extents[..=rank].iter().map(|e| e.tile).collect();
            let lengths = extents.map(|e| e.length());
            let stencil = Stencil {
                form,
                rank,
                element,
                order,
                statements: &statements,
            };
            (stencil.program(lengths), sizes)
        })
        .boxed()
}

struct Stencil<'a> {
    form: Form,
    rank: usize,
    element: &'static str,
    /// How many earlier steps are read, where more than the last one are there.
    order: i64,
    statements: &'a [Statement],
}

impl Stencil<'_> {
    /// `lengths`: time steps, and how many points are computed in each dimension at most.
    fn program(&self, lengths: [i64; 4]) -> Program {
        let mut body = String::new();
        for number in 0..self.statements.len() {
            body += &self.nest(number);
        }
        let sizes: Vec<i64> = lengths[1..=self.rank]
            .iter()
            .map(|n| n + 2 * REACH)
            .collect();
        let (prefix, copies) = match self.form {
            Form::AllSteps => (format!("[steps + {}]", self.order), lengths[0] + self.order),
            Form::Buffers => (format!("[{}]", self.order + 1), self.order + 1),
            Form::Ring | Form::CopyBack | Form::InPlace => (String::new(), 1),
        };
        let space: String = (0..self.rank).map(|d| format!("[n{d}]")).collect();
        let dimensions = prefix + &space;
        let cells = (copies * sizes.iter().product::<i64>()) as usize;
        let mut parameters = vec!["int steps".to_owned()];
        parameters.extend((0..self.rank).map(|d| format!("int n{d}")));
        let mut arguments = vec![Argument::Int(lengths[0])];
        arguments.extend(sizes.into_iter().map(Argument::Int));
        let element = self.element;
        for name in &FIELDS[..self.statements.len()] {
            parameters.push(format!("{element} {name}[restrict {}", &dimensions[1..]));
            arguments.push(Argument::Array(element, cells));
        }
        let text = format!(
            "void kernel({})\n{{\n#pragma scop\n  for (int t = 0; t < steps; t++) {{\n{body}  }}\n#pragma endscop\n}}\n",
            parameters.join(", ")
        );
        Program { text, arguments }
    }

    /// A field at the step that is `back` before the one that is computed.
    fn at_step(&self, field: usize, back: i64) -> String {
        let name = FIELDS[field];
        let step = match self.order - back {
            0 => "t".to_owned(),
            ahead => format!("t + {ahead}"),
        };
        match self.form {
            Form::AllSteps => format!("{name}[{step}]"),
            Form::Buffers => {
                let step = if step == "t" {
                    step
                } else {
                    format!("({step})")
                };
                format!("{name}[{step} % {}]", self.order + 1)
            }
            Form::Ring | Form::CopyBack | Form::InPlace => name.to_owned(),
        }
    }

    /// What a statement writes, and what it may read.
    fn fields(&self, number: usize) -> (String, Vec<String>) {
        let count = self.statements.len();
        let own = |field: usize| FIELDS[field].to_owned();
        match self.form {
            Form::AllSteps | Form::Buffers => {
                let earlier = (0..count)
                    .flat_map(|f| (1..=self.order).map(move |back| self.at_step(f, back)));
                let same = (0..number).map(|f| self.at_step(f, 0));
                (self.at_step(number, 0), earlier.chain(same).collect())
            }
            Form::CopyBack if count > 1 => match number + 1 {
                last if last == count => (own(0), vec![own(number)]),
                next => (own(next), (0..=number).map(own).collect()),
            },
            Form::Ring | Form::CopyBack => (own((number + 1) % count), vec![own(number)]),
            Form::InPlace => {
                let others = (0..count).filter(|&f| f != number || count == 1);
                (own(number), others.map(own).collect())
            }
        }
    }

    fn nest(&self, number: usize) -> String {
        let statement = &self.statements[number];
        let (target, sources) = self.fields(number);
        let subscripts = |point: [i64; 3]| -> String {
            let one = |(v, o): (&&str, i64)| match o {
                0 => format!("[{v}]"),
                o if o < 0 => format!("[{v} - {}]", -o),
                o => format!("[{v} + {o}]"),
            };
            ITERATORS[..self.rank].iter().zip(point).map(one).collect()
        };
        let here = subscripts([0; 3]);
        let copy = matches!(self.form, Form::CopyBack)
            && self.statements.len() > 1
            && number + 1 == self.statements.len();
        let mut reads = Vec::new();
        for (point, choice) in &statement.reads {
            let source = &sources[choice % sources.len()];
            reads.push(format!("{source}{}", subscripts(*point)));
            if statement.symmetric {
                reads.push(format!("{source}{}", subscripts(point.map(|o| -o))));
            }
        }
        let terms: Vec<String> = reads
            .iter()
            .enumerate()
            .map(|(k, read)| match self.element {
                "int" => format!("{} * {read}", k % 3 + 1),
                "float" => format!("{}f * {read}", WEIGHTS[k]),
                _ => format!("{} * {read}", WEIGHTS[k]),
            })
            .collect();
        let sum = terms.join(" + ");
        let whole = self.element == "int";
        let assignment = match self.form {
            _ if copy => format!("{target}{here} = {}{here};", sources[0]),
            // Fields that are added to each other would grow without bound.
            Form::InPlace if whole => format!("{target}{here} = ({target}{here} + {sum}) % 1000;"),
            Form::InPlace => format!("{target}{here} -= {sum};"),
            _ if whole => format!("{target}{here} = ({sum}) % 1000;"),
            _ => format!("{target}{here} = {sum};"),
        };
        let threshold = if whole { "30" } else { "0.3" };
        let assignment = if statement.conditional && !copy {
            format!("if ({} > {threshold}) {assignment}", reads[0])
        } else {
            assignment
        };
        let mut text = String::new();
        for (d, v) in ITERATORS.iter().enumerate().take(self.rank) {
            let indent = "  ".repeat(d + 2);
            let first = REACH + statement.late;
            let _ = writeln!(
                text,
                "{indent}for (int {v} = {first}; {v} < n{d} - {REACH}; {v}++)"
            );
        }
        let _ = writeln!(text, "{}{assignment}", "  ".repeat(self.rank + 2));
        text
    }
}
