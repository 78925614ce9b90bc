//! What is behind the pointers of an array, as the text in front of a region compares it: loops over
//! the pointers in a statement expression, which gcc and clang have.

use super::apart::{Numbered, Range, below};
use super::checks::ADDRESS;
use crate::codegen::names::identifiers;
use crate::scop::{Front, Scop};

/// A range behind pointers.
type Behind<'r> = (&'r Range, &'r Numbered);

/// Lines of a statement expression: an operand of `&&`.
fn expression(lines: &[String], scop: &Scop) -> String {
    let used = |front: &&Front| {
        let mut words = lines.iter().flat_map(|line| identifiers(line));
        words.any(|word| word == front.name)
    };
    let fronts = scop.front.iter().filter(used);
    let fronts = fronts.map(|front| front.declaration.clone());
    let lines: Vec<String> = fronts.chain(lines.iter().cloned()).collect();
    format!("__extension__({{\n    {}\n    }})", lines.join("\n    "))
}

/// Whether what is behind the pointers lies in memory in their order, or in the opposite one, without
/// anything in common. `next`: the range behind the next pointer.
pub(super) fn sorted(scop: &Scop, (range, pointers): Behind<'_>, next: &Range) -> String {
    let Numbered { number, first, end } = pointers;
    let last = match end.parse::<i64>() {
        Ok(end) => (end - 1).to_string(),
        Err(_) => format!("{end} - 1"),
    };
    expression(
        &[
            "int tw_up = 1, tw_down = 1;".to_owned(),
            format!("for (long {number} = {first}; {number} < {last}; {number}++) {{"),
            format!("    tw_up &= {};", below(&range.end, &next.first)),
            format!("    tw_down &= {};", below(&next.end, &range.first)),
            "}".to_owned(),
            "tw_up | tw_down;".to_owned(),
        ],
        scop,
    )
}

/// Whether nothing behind pointers is in another piece of memory.
pub(super) fn each(scop: &Scop, (range, pointers): Behind<'_>, other: &Range) -> String {
    let Numbered { number, first, end } = pointers;
    let orders = [
        below(&range.end, &other.first),
        below(&other.end, &range.first),
    ];
    expression(
        &[
            "int tw_apart = 1;".to_owned(),
            format!("for (long {number} = {first}; {number} < {end}; {number}++)"),
            format!("    tw_apart &= {};", orders.join(" || ")),
            "tw_apart;".to_owned(),
        ],
        scop,
    )
}

/// Whether nothing behind pointers is behind others, which are [`sorted`]: each is looked for among
/// these.
pub(super) fn searched(
    scop: &Scop,
    (range, pointers): Behind<'_>,
    (among, others): Behind<'_>,
) -> String {
    let Numbered { number, first, end } = pointers;
    let Numbered {
        number: other,
        first: least,
        end: greatest,
    } = others;
    let (count, from) = match &**least {
        "0" => (greatest.clone(), String::new()),
        _ => (format!("{greatest} - {least}"), format!("{least} + ")),
    };
    let nth = |n: &str| format!("{other} = tw_down ? {greatest} - 1 - {n} : {from}{n};");
    let below_it = below(&among.end, &range.first);
    let above_it = below(&range.end, &among.first);
    expression(
        &[
            format!("int tw_apart = 1; long {other} = {least};"),
            format!("const {ADDRESS} tw_first = {};", among.first),
            format!("{other} = {greatest} - 1;"),
            format!("const int tw_down = {} < tw_first;", among.first),
            format!("for (long {number} = {first}; {number} < {end}; {number}++) {{"),
            "    /* So many of them end below this one. */".to_owned(),
            format!("    long tw_below = 0, tw_above = {count};"),
            "    while (tw_below < tw_above) {".to_owned(),
            "        const long tw_middle = tw_below + (tw_above - tw_below) / 2;".to_owned(),
            format!("        {}", nth("tw_middle")),
            format!("        if ({below_it}) tw_below = tw_middle + 1; else tw_above = tw_middle;"),
            "    }".to_owned(),
            format!("    {}", nth("tw_below")),
            format!("    tw_apart &= tw_below == {count} || {above_it};"),
            "}".to_owned(),
            "tw_apart;".to_owned(),
        ],
        scop,
    )
}
