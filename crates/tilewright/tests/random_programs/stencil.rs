//! Iterated stencils: in place, with two buffers, with a full time dimension, of one to three
//! statements.

use super::batch::{Argument, Program};
use proptest::prelude::*;
use std::fmt::Write as _;

const NAMES: [&str; 3] = ["i", "j", "k"];

#[derive(Clone, Copy, Debug)]
enum Form {
    /// `A[i] = f(A[i + o])`
    InPlace,
    /// `B[i] = f(A[i + o])`, then `A[i] = B[i]` or another stencil back.
    CopyBack { stencil_back: bool },
    /// `A[(t + 1) % 2][i] = f(A[t % 2][i + o])`
    Modulo,
    /// `A[t + 1][i] = f(A[t][i + o])`
    FullTime,
    /// Two fields that read each other, as in finite differences in time.
    TwoFields,
}

pub fn program() -> BoxedStrategy<Program> {
    let form = prop_oneof![
        Just(Form::InPlace),
        any::<bool>().prop_map(|stencil_back| Form::CopyBack { stencil_back }),
        Just(Form::Modulo),
        Just(Form::FullTime),
        Just(Form::TwoFields),
    ];
    let offsets = proptest::collection::vec([-2i64..3, -2i64..3, -2i64..3], 1..5);
    let element = prop_oneof![Just("float"), Just("double")];
    // Four loops (time and three of space) cost isl most: fewer of them.
    let rank = prop_oneof![4 => Just(1usize), 3 => Just(2), 1 => Just(3)];
    (
        form,
        rank,
        offsets.clone(),
        offsets,
        1i64..12,
        [6i64..40, 6i64..24, 6i64..10],
        element,
    )
        .prop_map(|(form, rank, first, second, steps, sizes, element)| {
            render(form, rank, &first, &second, steps, sizes, element)
        })
        .boxed()
}

fn render(
    form: Form,
    rank: usize,
    first: &[[i64; 3]],
    second: &[[i64; 3]],
    steps: i64,
    sizes: [i64; 3],
    element: &'static str,
) -> Program {
    let here: String = (0..rank).map(|d| format!("[{}]", NAMES[d])).collect();
    let at = |o: &[i64; 3]| -> String {
        (0..rank)
            .map(|d| format!("[{} + {}]", NAMES[d], o[d]).replace("+ -", "- "))
            .collect()
    };
    let suffix = if element == "float" { "f" } else { "" };
    let sum = |array: &str, offsets: &[[i64; 3]]| {
        let terms: Vec<String> = offsets
            .iter()
            .enumerate()
            .map(|(k, o)| format!("0.{}{suffix} * {array}{}", k + 1, at(o)))
            .collect();
        terms.join(" + ")
    };
    let nest = |statement: String| {
        let mut text = String::new();
        for (d, v) in NAMES.iter().enumerate().take(rank) {
            let _ = writeln!(
                text,
                "{}for (int {v} = 2; {v} < n{d} - 2; {v}++)",
                "  ".repeat(d + 2)
            );
        }
        let _ = writeln!(text, "{}{statement}", "  ".repeat(rank + 2));
        text
    };
    let dims: String = (0..rank).map(|d| format!("[n{d}]")).collect();
    let cells: usize = sizes[..rank].iter().map(|&s| s as usize).product();
    let mut arrays = vec![("A", dims.clone(), cells)];
    let body = match form {
        Form::InPlace => nest(format!("A{here} = {};", sum("A", first))),
        Form::CopyBack { stencil_back } => {
            arrays.push(("B", dims.clone(), cells));
            let back = if stencil_back {
                format!("A{here} = {};", sum("B", second))
            } else {
                format!("A{here} = B{here};")
            };
            nest(format!("B{here} = {};", sum("A", first))) + &nest(back)
        }
        Form::Modulo => {
            arrays[0] = ("A", format!("[2]{dims}"), 2 * cells);
            nest(format!(
                "A[(t + 1) % 2]{here} = {};",
                sum("A[t % 2]", first)
            ))
        }
        Form::FullTime => {
            arrays[0] = (
                "A",
                format!("[steps + 1]{dims}"),
                (steps as usize + 1) * cells,
            );
            nest(format!("A[t + 1]{here} = {};", sum("A[t]", first)))
        }
        Form::TwoFields => {
            arrays.push(("B", dims.clone(), cells));
            nest(format!("A{here} = A{here} - ({});", sum("B", first)))
                + &nest(format!("B{here} = B{here} - ({});", sum("A", second)))
        }
    };
    let mut parameters = vec!["int steps".to_owned()];
    parameters.extend((0..rank).map(|d| format!("int n{d}")));
    let mut arguments = vec![Argument::Int(steps)];
    arguments.extend(sizes[..rank].iter().map(|&s| Argument::Int(s)));
    for (name, dims, count) in arrays {
        parameters.push(format!("{element} {name}[restrict {}", &dims[1..]));
        arguments.push(Argument::Array(element, count));
    }
    let text = format!(
        "void kernel({})\n{{\n#pragma scop\n  for (int t = 0; t < steps; t++) {{\n{body}  }}\n#pragma endscop\n}}\n",
        parameters.join(", ")
    );
    Program { text, arguments }
}
