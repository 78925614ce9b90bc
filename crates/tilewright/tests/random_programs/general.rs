//! General loop nests: triangular bounds, steps, statements at several depths, reductions,
//! transposed accesses, temporaries, scalars.

use super::batch::{Argument, Program};
use proptest::prelude::*;
use std::fmt::Write as _;

const NAMES: [&str; 3] = ["i", "j", "k"];
/// Arrays have `3 n + 12` cells per dimension, enough for every subscript below.
const ARRAYS: [(&str, usize); 4] = [("a", 1), ("b", 2), ("c", 2), ("d", 1)];

/// What bounds are made of, which is no affine function of its argument.
pub const LENGTH: &str = "static int len(int x) { return x * x % 5; }\n";
/// The same for programs of which many become one file.
pub const GUARDED_LENGTH: &str = "#ifndef LEN
#define LEN
static int len(int x) { return x * x % 5; }
#endif

";

#[derive(Clone, Debug)]
struct Access {
    array: usize,
    /// Per dimension: which iterators are added (bits), and a constant.
    subscripts: [(u8, i64); 2],
}

#[derive(Clone, Debug)]
struct Statement {
    depth: usize,
    target: Access,
    reads: Vec<Access>,
    accumulate: bool,
    condition: u8,
    temporary: bool,
}

#[derive(Clone, Debug)]
struct Nest {
    /// Kinds of bounds, one per loop.
    bounds: [u8; 3],
    statements: Vec<Statement>,
}

fn access() -> impl Strategy<Value = Access> {
    (0..ARRAYS.len(), [(0u8..8, 0i64..4), (0u8..8, 0i64..4)])
        .prop_map(|(array, subscripts)| Access { array, subscripts })
}

fn statement() -> impl Strategy<Value = Statement> {
    let reads = proptest::collection::vec(access(), 1..4);
    (
        1usize..4,
        access(),
        reads,
        any::<bool>(),
        0u8..8,
        prop_oneof![3 => Just(false), 1 => Just(true)],
    )
        .prop_map(
            |(depth, target, reads, accumulate, condition, temporary)| Statement {
                depth,
                target,
                reads,
                accumulate,
                condition,
                temporary,
            },
        )
}

/// Nests whose bounds are of so many kinds, see [`loops`].
fn nest(kinds: u8) -> impl Strategy<Value = Nest> {
    (
        [0..kinds, 0..kinds, 0..kinds],
        proptest::collection::vec(statement(), 1..4),
    )
        .prop_map(|(bounds, statements)| Nest { bounds, statements })
}

pub fn program() -> BoxedStrategy<Program> {
    (proptest::collection::vec(nest(8), 1..3), 2i64..14)
        .prop_map(|(nests, n)| render(&nests, n))
        .boxed()
}

/// The same, with bounds that are data among them.
pub fn dynamic() -> BoxedStrategy<Program> {
    (proptest::collection::vec(nest(16), 1..3), 2i64..14)
        .prop_map(|(nests, n)| render(&nests, n))
        .boxed()
}

fn render(nests: &[Nest], n: i64) -> Program {
    let mut body = String::new();
    for (number, nest) in nests.iter().enumerate() {
        let _ = writeln!(body, "{}", loops(nest, 0, number));
    }
    let mut parameters = vec!["int n".to_owned()];
    let mut arguments = vec![Argument::Int(n)];
    let side = 3 * n as usize + 12;
    for (name, rank) in ARRAYS {
        let dims = "[3 * n + 12]".repeat(rank);
        parameters.push(format!("double {name}[restrict {}", &dims[1..]));
        arguments.push(Argument::Array("double", side.pow(rank as u32)));
    }
    let function = if body.contains("len(") {
        GUARDED_LENGTH
    } else {
        ""
    };
    let text = format!(
        "{function}void kernel({})\n{{\n  double s = 0.5;\n#pragma scop\n{body}#pragma endscop\n  a[0] += s;\n}}\n",
        parameters.join(", ")
    );
    Program { text, arguments }
}

/// The loop at `depth` with its statements before and behind the next loop.
fn loops(nest: &Nest, depth: usize, number: usize) -> String {
    let deepest = nest.statements.iter().map(|s| s.depth).max().unwrap_or(0);
    let indent = "  ".repeat(depth + 1);
    let mut text = String::new();
    if depth == deepest {
        return text;
    }
    let v = NAMES[depth];
    let outer = if depth == 0 { "0" } else { NAMES[depth - 1] };
    let header = match nest.bounds[depth] {
        0 | 1 => format!("for (int {v} = 0; {v} < n; {v}++)"),
        2 => format!("for (int {v} = n - 1; {v} >= 0; {v}--)"),
        3 => format!("for (int {v} = {outer}; {v} < n; {v}++)"),
        4 => format!("for (int {v} = 0; {v} <= {outer}; {v}++)"),
        5 => format!("for (int {v} = 1; {v} < n; {v} += 2)"),
        6 => format!("for (int {v} = {outer} + 1; {v} <= n - 1 && {v} < 9; {v}++)"),
        7 => format!("for (int {v} = n - 1; {v} > {outer}; {v} -= 3)"),
        // `len` is no affine function, and at most 4: no array is left.
        8 | 9 => format!("for (int {v} = 0; {v} < len({outer} + 3); {v}++)"),
        10 => format!("for (int {v} = len({outer}); {v} < n; {v}++)"),
        11 => format!("for (int {v} = len({outer} + 1); {v} < n + len({outer}) - 3; {v}++)"),
        12 => format!("for (int {v} = n - 1; {v} > len({outer}); {v}--)"),
        13 => format!("for (int {v} = len({outer} + 2) + 1; {v} >= 0; {v} -= 1)"),
        14 => format!("for (int {v} = {outer}; {v} < n && {v} <= len({outer}); {v} += 1)"),
        _ => format!("for (int {v} = 0; {v} < len(n); {v} += 2)"),
    };
    let _ = writeln!(text, "{indent}{header} {{");
    let own: Vec<String> = nest
        .statements
        .iter()
        .enumerate()
        .filter(|(_, s)| s.depth == depth + 1)
        .map(|(k, s)| format!("{indent}  {}\n", statement_text(s, &format!("{number}{k}"))))
        .collect();
    let (before, behind) = own.split_at(own.len() / 2);
    text.extend(before.iter().map(String::as_str));
    text.push_str(&loops(nest, depth + 1, number));
    text.extend(behind.iter().map(String::as_str));
    let _ = writeln!(text, "{indent}}}");
    text
}

fn access_text(access: &Access, depth: usize) -> String {
    let (name, rank) = ARRAYS[access.array];
    let mut text = name.to_owned();
    for (mask, constant) in &access.subscripts[..rank] {
        let mut terms: Vec<String> = (0..depth)
            .filter(|d| mask & (1 << d) != 0)
            .map(|d| NAMES[d].to_owned())
            .collect();
        terms.push(constant.to_string());
        let _ = write!(text, "[{}]", terms.join(" + "));
    }
    text
}

fn statement_text(statement: &Statement, label: &str) -> String {
    let depth = statement.depth;
    let target = access_text(&statement.target, depth);
    let terms: Vec<String> = statement
        .reads
        .iter()
        .enumerate()
        .map(|(k, r)| format!("0.{} * {}", 3 - k.min(2), access_text(r, depth)))
        .collect();
    let value = terms.join(" + ");
    let first = access_text(&statement.reads[0], depth);
    let assign = if statement.temporary {
        format!(
            "{{ double t{label} = {value}; {target} = t{label} * t{label} + 0.25 * t{label}; }}"
        )
    } else if statement.accumulate {
        format!("{target} += 0.125 * ({value});")
    } else {
        format!("{target} = {value};")
    };
    let last = NAMES[depth - 1];
    match statement.condition {
        0 => format!("if ({last} > 2) {assign}"),
        1 => format!("if ({first} > 0.5) {assign}"),
        2 => format!("if ({last} % 3 == 1) {assign}"),
        3 => format!("{{ s = s * 0.5 + {first}; {target} = {value} - s; }}"),
        _ => assign,
    }
}
