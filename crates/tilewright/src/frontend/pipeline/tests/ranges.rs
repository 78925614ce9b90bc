//! Ranges hold what C computes: every pair of bytes, and samples of wider types.

use super::*;
use crate::frontend::pipeline::values::interval::Range;
use crate::frontend::pipeline::values::ranges::Ranges;
use crate::scop::ScalarKind::*;

use super::super::expression::NodeKind;
use super::c::{Machine, Number, Value};

/// An operation on two operands, or on the first.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Binary(BinaryOp),
    Unary(UnaryOp),
    Min,
    Max,
    Abs,
    Clamp(i64, i64),
    Choose,
    Cast(ScalarKind),
}

impl Operation {
    fn build(self, a: Expr, b: Expr) -> Expr {
        match self {
            Operation::Binary(operator) => Expr::new(NodeKind::Binary(operator, a, b)),
            Operation::Unary(operator) => Expr::new(NodeKind::Unary(operator, a)),
            Operation::Min => a.min(b),
            Operation::Max => a.max(b),
            Operation::Abs => a.abs(),
            Operation::Clamp(low, high) => a.clamp(low, high),
            Operation::Choose => select(a.clone().lt(&b), a, b),
            Operation::Cast(kind) => a.cast(kind),
        }
    }

    fn value(self, machine: &mut Machine, a: Value, b: Value) -> Value {
        let number = |value: i64| match i32::try_from(value) {
            Ok(_) => Value::int(value.into(), I32),
            Err(_) => Value::int(value.into(), I64),
        };
        match self {
            Operation::Binary(operator) => machine.binary(operator, a, b),
            Operation::Unary(operator) => machine.unary(operator, a),
            Operation::Min => machine.extreme(BinaryOp::Less, a, b),
            Operation::Max => machine.extreme(BinaryOp::Greater, a, b),
            Operation::Abs => machine.without_sign(a),
            Operation::Clamp(low, high) => {
                let above = machine.extreme(BinaryOp::Greater, a, number(low));
                machine.extreme(BinaryOp::Less, above, number(high))
            }
            Operation::Choose => {
                let holds = machine.compare(BinaryOp::Less, a, b);
                machine.choose(holds, a, b)
            }
            Operation::Cast(kind) => machine.convert(a, kind),
        }
    }

    /// Whether the range is the least one, where nothing wraps.
    fn is_exact(self) -> bool {
        use BinaryOp::*;
        !matches!(
            self,
            Operation::Binary(Rem | BitAnd | BitOr | BitXor) | Operation::Choose
        )
    }
}

const OPERATIONS: [Operation; 20] = [
    Operation::Binary(BinaryOp::Add),
    Operation::Binary(BinaryOp::Sub),
    Operation::Binary(BinaryOp::Mul),
    Operation::Binary(BinaryOp::Div),
    Operation::Binary(BinaryOp::Rem),
    Operation::Binary(BinaryOp::BitAnd),
    Operation::Binary(BinaryOp::BitOr),
    Operation::Binary(BinaryOp::BitXor),
    Operation::Binary(BinaryOp::ShiftLeft),
    Operation::Binary(BinaryOp::ShiftRight),
    Operation::Unary(UnaryOp::Minus),
    Operation::Unary(UnaryOp::Complement),
    Operation::Min,
    Operation::Max,
    Operation::Abs,
    Operation::Clamp(-3, 10),
    Operation::Choose,
    Operation::Cast(I8),
    Operation::Cast(U16),
    Operation::Cast(U32),
];

/// Two images whose cells lie between ends, and an output that nobody looks at.
struct Two {
    pipeline: Pipeline,
    cells: [Expr; 2],
}

impl Two {
    fn new(kinds: [ScalarKind; 2], ends: [(i128, i128); 2]) -> Two {
        let mut pipeline = Pipeline::new("two");
        let x = pipeline.variable("x");
        let mut at = 0;
        let cells = ["a", "b"].map(|name| {
            let image = pipeline.image(name, kinds[at], [9]);
            pipeline.promise(image, ends[at].0 as f64, ends[at].1 as f64);
            at += 1;
            image.at([x])
        });
        Two { pipeline, cells }
    }

    fn range(&self, expression: &Expr) -> Range {
        Ranges::new(&self.pipeline, &[]).of(expression)
    }
}

#[track_caller]
fn holds(range: Range, value: Value, what: &dyn Fn() -> String) {
    let inside = match (range, value.number) {
        (Range::Whole { low, high }, Number::Int(value)) => low <= value && value <= high,
        (Range::Floating { nan, .. }, Number::Float(value)) if value.is_nan() => nan,
        (Range::Floating { low, high, .. }, Number::Float(value)) => low <= value && value <= high,
        _ => false,
    };
    assert!(inside, "{value:?} is not in {range:?}: {}", what());
}

/// Ends of intervals of a type of 8 bits: all of it, around its ends, around 0, on either side.
fn intervals(kind: ScalarKind) -> Vec<(i128, i128)> {
    match kind {
        I8 => vec![
            (-128, 127),
            (-128, -126),
            (-128, -1),
            (-7, -2),
            (-5, 3),
            (0, 7),
            (2, 127),
        ],
        _ => vec![(0, 255), (0, 0), (0, 7), (1, 5), (9, 20), (250, 255)],
    }
}

/// All pairs of bytes, as they are and cast to what changes the common type.
#[test]
fn every_pair_of_bytes() {
    let casts = [
        [None, None],
        [None, Some(U32)],
        [Some(U32), None],
        [Some(I64), Some(U32)],
        [Some(U64), None],
        [Some(U8), Some(I8)],
    ];
    for kinds in [[I8, I8], [I8, U8], [U8, I8], [U8, U8]] {
        for a in intervals(kinds[0]) {
            for b in intervals(kinds[1]) {
                let two = Two::new(kinds, [a, b]);
                let pairs = (a.1 - a.0 + 1) * (b.1 - b.0 + 1);
                for (number, cast) in casts.into_iter().enumerate() {
                    if pairs > 2000 && number > 0 {
                        continue;
                    }
                    every_operation(&two, kinds, [a, b], cast);
                }
            }
        }
    }
}

fn every_operation(
    two: &Two,
    kinds: [ScalarKind; 2],
    ends: [(i128, i128); 2],
    casts: [Option<ScalarKind>; 2],
) {
    let operand = |at: usize| match casts[at] {
        Some(kind) => two.cells[at].clone().cast(kind),
        None => two.cells[at].clone(),
    };
    let cast = |machine: &mut Machine, at: usize, value: i128| {
        let value = Value::int(value, kinds[at]);
        match casts[at] {
            Some(kind) => machine.convert(value, kind),
            None => value,
        }
    };
    for operation in OPERATIONS {
        let expression = operation.build(operand(0), operand(1));
        let range = two.range(&expression);
        let what = || format!("{operation:?} of {kinds:?} {ends:?} {casts:?}");
        let (mut low, mut high, mut wrapped) = (i128::MAX, i128::MIN, false);
        for a in ends[0].0..=ends[0].1 {
            for b in ends[1].0..=ends[1].1 {
                let mut machine = Machine::default();
                let (a, b) = (cast(&mut machine, 0, a), cast(&mut machine, 1, b));
                let value = operation.value(&mut machine, a, b);
                wrapped |= machine.wrapped || machine.undefined;
                if machine.stuck {
                    continue;
                }
                holds(range, value, &what);
                (low, high) = (low.min(value.whole()), high.max(value.whole()));
            }
        }
        if operation.is_exact() && !wrapped {
            assert_eq!(range, Range::Whole { low, high }, "{}", what());
        }
    }
}

/// A sequence of numbers that is the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.0 >> 24
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number of a type, often a small one or one near the type's ends.
    fn number(&mut self, kind: ScalarKind) -> i128 {
        let wide = (i128::from(self.next()) << 40) ^ i128::from(self.next());
        let near = i128::from(self.next() % 9) - 4;
        let value = match self.below(4) {
            0 => near,
            1 => wide % 1000,
            2 => near + (1 << self.of(&[7, 8, 15, 16, 31, 32, 62])),
            _ => wide,
        };
        Machine::default()
            .convert(Value::int(value, I64), kind)
            .whole()
    }
}

/// Expressions of several operations over wide types, at the ends of what was promised and between.
#[test]
fn samples_of_wide_types() {
    const KINDS: [ScalarKind; 8] = [I8, U8, I16, U16, I32, U32, I64, U64];
    const CASTS: [ScalarKind; 10] = [I8, U8, I16, U16, I32, U32, I64, U64, F32, F64];
    let mut dice = Dice(7);
    for _ in 0..4000 {
        let kinds = [dice.of(&KINDS), dice.of(&KINDS)];
        let ends = kinds.map(|kind| {
            // What a double holds exactly, so that it is what is promised.
            let exact = |value: i128| value as f64 as i128 == value;
            let ends = [dice.number(kind), dice.number(kind)];
            if ends.into_iter().all(exact) {
                (ends[0].min(ends[1]), ends[0].max(ends[1]))
            } else {
                (0, 3)
            }
        });
        let two = Two::new(kinds, ends);
        // A small program: each step is an operation on two earlier results.
        let mut steps: Vec<(Operation, usize, usize)> = Vec::new();
        let mut results = two.cells.to_vec();
        for _ in 0..5 {
            let operation = match dice.below(4) {
                0 => Operation::Cast(dice.of(&CASTS)),
                _ => dice.of(&OPERATIONS),
            };
            let [a, b] = [dice.below(results.len()), dice.below(results.len())];
            let new = operation.build(results[a].clone(), results[b].clone());
            if two.pipeline.kind_of(&new).is_ok() {
                steps.push((operation, a, b));
                results.push(new);
            }
        }
        let ranges: Vec<Range> = results.iter().map(|e| two.range(e)).collect();
        for _ in 0..40 {
            let cells = [0, 1].map(|at| {
                let (low, high) = ends[at];
                let value = match dice.below(4) {
                    0 => low,
                    1 => high,
                    _ => low + (i128::from(dice.next()) << 24) % (high - low + 1),
                };
                Value::int(value, kinds[at])
            });
            let mut values = cells.to_vec();
            for (at, &(operation, a, b)) in steps.iter().enumerate() {
                let mut machine = Machine::default();
                let value = operation.value(&mut machine, values[a], values[b]);
                if machine.stuck {
                    break;
                }
                let expression = &results[at + 2];
                let show = || format!("{} for {cells:?}", two.pipeline.show(expression));
                holds(ranges[at + 2], value, &show);
                values.push(value);
            }
        }
    }
}
