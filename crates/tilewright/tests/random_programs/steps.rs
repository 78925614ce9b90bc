//! Programs with a loop over steps whose bounds are data inside of the loops that compute these,
//! and orders that put it outside: static bounds take the place of data, and whoever executes the
//! loop leaves it early.

use super::batch::{Argument, Program};
use super::general::GUARDED_LENGTH;
use proptest::prelude::*;
use std::fmt::Write as _;
use tilewright::plan::Shape;
use tilewright::plan::steps::LoopStep;

/// A program and the order that is asked for.
#[derive(Clone, Debug)]
pub struct Steps {
    pub program: Program,
    pub order: Order,
}

/// An order: steps outside of columns, or what the scheduler finds, in tiles.
#[derive(Clone, Debug)]
pub struct Order {
    pub loops: Vec<LoopStep>,
    pub shape: Shape,
    pub tile_sizes: Vec<i64>,
}

#[derive(Clone, Debug)]
struct Statement {
    /// What it writes: the next step's cell, the step's own in another array, or a sum over steps.
    target: u8,
    /// It reads this step's cell or the next one's, so many columns to the left.
    read: (bool, usize),
    condition: u8,
}

/// Matrices, columns, steps.
#[derive(Clone, Debug)]
struct Nest {
    /// Whether there is a loop over matrices, and whether one needs the one before.
    matrices: (bool, bool),
    /// The bounds of steps.
    steps: u8,
    /// A statement in front of the steps of a column.
    front: bool,
    /// The bounds of a loop around the last statement.
    inner: u8,
    statements: Vec<Statement>,
}

fn nest() -> impl Strategy<Value = Nest> {
    let statement = (0u8..4, (any::<bool>(), 0usize..3), 0u8..8);
    let statement = statement.prop_map(|(target, read, condition)| Statement {
        target,
        read,
        condition,
    });
    let statements = proptest::collection::vec(statement, 1..4);
    let matrices = (any::<bool>(), proptest::bool::weighted(0.3));
    (matrices, 0u8..8, any::<bool>(), 0u8..8, statements).prop_map(
        |(matrices, steps, front, inner, statements)| Nest {
            matrices,
            steps,
            front,
            inner,
            statements,
        },
    )
}

pub fn steps() -> impl Strategy<Value = Steps> {
    let sizes = prop_oneof![
        2 => Just(vec![0]),
        1 => proptest::collection::vec(1i64..6, 1..4),
    ];
    (nest(), 0u8..6, sizes, 2i64..8).prop_map(|(nest, order, tile_sizes, n)| Steps {
        program: render(&nest, n),
        order: Order::new(order, nest.matrices.0, tile_sizes),
    })
}

impl Order {
    fn new(order: u8, matrices: bool, tile_sizes: Vec<i64>) -> Order {
        let swap = |outer: &str, inner: &str| LoopStep::Interchange {
            outer: outer.to_owned(),
            inner: inner.to_owned(),
        };
        let mut loops = vec![swap("i", "j")];
        if order == 1 && matrices {
            loops.push(swap("k", "j"));
        }
        if order == 0 {
            loops.clear();
        }
        Order {
            loops,
            shape: match order {
                0 | 2 => Shape::Parallelogram,
                _ => Shape::None,
            },
            tile_sizes,
        }
    }
}

/// Cells of an array along each dimension: more than steps or columns reach.
const EXTENT: &str = "n + 14";

fn render(nest: &Nest, n: i64) -> Program {
    let (some, chain) = nest.matrices;
    let k = if some { "k" } else { "0" };
    let mut body = String::new();
    if some {
        let first = i64::from(chain);
        let _ = writeln!(body, "  for (int k = {first}; k < n; k++)");
    }
    let _ = writeln!(body, "  for (int i = 2; i < n + 2; i++) {{");
    if nest.front {
        let _ = writeln!(body, "    s[{k}][i] = 0.5 * s[{k}][i] + 0.25;");
    }
    let header = match nest.steps {
        // `len` is no affine function, and at most 4: no array is left.
        0 => format!("j = 0; j < len(i + {k}); j++"),
        1 => format!("j = 0; j <= len(i + 2 * {k}); j++"),
        2 => format!("j = 1; j < 2 * len({k} + 1) + len(i); j++"),
        3 => format!("j = 0; j < len(i + {k}) && j < n; j++"),
        4 => format!("j = len(i); j < len(i) + len({k} + i); j++"),
        5 => format!("j = i; j < len({k} + i) + i; j++"),
        6 => format!("j = len(i + {k}); j >= 0; j--"),
        _ => "j = 0; j < n - len(i); j++".to_owned(),
    };
    let _ = writeln!(body, "    for (int {header}) {{");
    for (number, statement) in nest.statements.iter().enumerate() {
        let last = number + 1 == nest.statements.len();
        let inner = match nest.inner {
            0 if last => Some("3".to_owned()),
            1 if last => Some("len(j)".to_owned()),
            2 if last => Some("j + 1".to_owned()),
            3 if last => Some(format!("len(i + {k})")),
            _ => None,
        };
        if let Some(end) = inner {
            let _ = writeln!(body, "      for (int p = 0; p < {end}; p++)");
        }
        let _ = writeln!(body, "      {}", statement_text(statement, nest, k));
    }
    let _ = writeln!(body, "    }}\n  }}");
    let side = n as usize + 14;
    let text = format!(
        "{GUARDED_LENGTH}void kernel(int n, double c[restrict {EXTENT}][{EXTENT}][{EXTENT}], \
         double e[restrict {EXTENT}][{EXTENT}][{EXTENT}], double s[restrict {EXTENT}][{EXTENT}])\n\
         {{\n#pragma scop\n{body}#pragma endscop\n}}\n"
    );
    let cube = Argument::Array("double", side.pow(3));
    Program {
        text,
        arguments: vec![
            Argument::Int(n),
            cube.clone(),
            cube,
            Argument::Array("double", side.pow(2)),
        ],
    }
}

fn statement_text(statement: &Statement, nest: &Nest, k: &str) -> String {
    let (some, chain) = nest.matrices;
    let (next, left) = statement.read;
    let step = if next { "j + 1" } else { "j" };
    let mut value = format!("0.5 * c[{k}][j][i] + 0.25 * c[{k}][{step}][i - {left}]");
    if some && chain {
        value += " + 0.125 * c[k - 1][j][i]";
    }
    let assign = match statement.target {
        0 | 1 => format!("c[{k}][j + 1][i] = {value};"),
        2 => format!("e[{k}][j][i] = {value};"),
        _ => format!("s[{k}][i] += {value};"),
    };
    match statement.condition {
        0 => format!("if (i % 2 == 0) {assign}"),
        1 => format!("if (j > 1) {assign}"),
        2 => format!("if (e[{k}][j][i] > 0.5) {assign}"),
        3 => format!("if (i + j < n) {assign}"),
        _ => assign,
    }
}
