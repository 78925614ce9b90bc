//! What is behind the pointers of an array, as the text in front of a region compares it: loops over
//! the pointers in a statement expression, which gcc and clang have.

use super::apart::{Numbered, Range, below};
use super::checks::ADDRESS;
use crate::codegen::names::{Names, identifiers};
use crate::scop::{Front, Scop};
use std::collections::BTreeSet;

/// A range behind pointers.
type Behind<'r> = (&'r Range, &'r Numbered);

/// Declarations in front of the region that lines name.
pub(super) fn fronts<'s>(lines: &[String], scop: &'s Scop) -> Vec<&'s str> {
    let used = |front: &&Front| {
        let mut words = lines.iter().flat_map(|line| identifiers(line));
        words.any(|word| word == front.name)
    };
    let fronts = scop.edges.front.iter().filter(used);
    fronts.map(|front| front.declaration.as_str()).collect()
}

/// Lines of a statement expression: an operand of `&&`.
pub(in crate::codegen::c) fn expression(lines: &[String], scop: &Scop) -> String {
    let fronts = fronts(lines, scop).into_iter().map(str::to_owned);
    let lines: Vec<String> = fronts.chain(lines.iter().cloned()).collect();
    format!("__extension__({{\n    {}\n    }})", lines.join("\n    "))
}

/// So many pointers, where that is a number, are compared in pairs: they need no order.
const FEW: i64 = 8;

impl Numbered {
    /// Whether there are few of them.
    pub fn are_few(&self) -> bool {
        match (self.first.parse::<i64>(), self.end.parse::<i64>()) {
            (Ok(first), Ok(end)) => end - first <= FEW,
            _ => false,
        }
    }
}

/// Variables of statement expressions, under names that nothing in them has.
pub(in crate::codegen::c) struct Words {
    /// Numbers of pointers, in two arrays.
    pub row: String,
    pub other: String,
    up: String,
    down: String,
    apart: String,
    first: String,
    end: String,
    below: String,
    above: String,
    probes: String,
    middle: String,
}

impl Words {
    pub fn of(scop: &Scop) -> Words {
        let mut names = Names::new(scop, &BTreeSet::new());
        let mut fresh = |word: &str| names.fresh(word);
        Words {
            row: fresh("row"),
            other: fresh("other"),
            up: fresh("up"),
            down: fresh("down"),
            apart: fresh("apart"),
            first: fresh("first"),
            end: fresh("end"),
            below: fresh("below"),
            above: fresh("above"),
            probes: fresh("probes"),
            middle: fresh("middle"),
        }
    }
}

/// Whether what is behind the pointers lies in memory in their order, or in the opposite one, without
/// anything in common. `next`: the range behind the next pointer.
pub(in crate::codegen::c) fn sorted(
    (scop, words): (&Scop, &Words),
    (range, pointers): Behind<'_>,
    next: &Range,
) -> String {
    let Numbered { number, first, end } = pointers;
    let Words { up, down, .. } = words;
    let last = match end.parse::<i64>() {
        Ok(end) => (end - 1).to_string(),
        Err(_) => format!("{end} - 1"),
    };
    expression(
        &[
            format!("int {up} = 1, {down} = 1;"),
            format!("for (long {number} = {first}; {number} < {last}; {number}++) {{"),
            format!("    {up} &= {};", below(&range.end, &next.first)),
            format!("    {down} &= {};", below(&next.end, &range.first)),
            "}".to_owned(),
            format!("{up} | {down};"),
        ],
        scop,
    )
}

/// Whether what is behind few pointers has nothing in common. `others`: what is behind those behind
/// each, numbered with another variable.
pub(in crate::codegen::c) fn in_pairs(
    (scop, words): (&Scop, &Words),
    (range, pointers): Behind<'_>,
    others: &Range,
) -> String {
    let later = Numbered {
        number: words.other.clone(),
        first: format!("{} + 1", pointers.number),
        end: pointers.end.clone(),
    };
    all((scop, words), (range, pointers), (others, &later))
}

/// Whether nothing behind pointers is behind others, of which there are few.
fn all(
    (scop, words): (&Scop, &Words),
    (range, pointers): Behind<'_>,
    (others, few): Behind<'_>,
) -> String {
    let Numbered { number, first, end } = pointers;
    let apart = &words.apart;
    let Numbered {
        number: other,
        first: least,
        end: greatest,
    } = few;
    let orders = [
        below(&range.end, &others.first),
        below(&others.end, &range.first),
    ];
    expression(
        &[
            format!("int {apart} = 1;"),
            format!("for (long {number} = {first}; {number} < {end}; {number}++)"),
            format!("    for (long {other} = {least}; {other} < {greatest}; {other}++)"),
            format!("        {apart} &= {};", orders.join(" || ")),
            format!("{apart};"),
        ],
        scop,
    )
}

/// Whether nothing behind pointers is in another piece of memory. Once something is, no more of them
/// are read.
pub(in crate::codegen::c) fn each(
    (scop, words): (&Scop, &Words),
    (range, pointers): Behind<'_>,
    other: &Range,
) -> String {
    let Numbered { number, first, end } = pointers;
    let apart = &words.apart;
    let orders = [
        below(&range.end, &other.first),
        below(&other.end, &range.first),
    ];
    expression(
        &[
            format!("int {apart} = 1;"),
            format!("for (long {number} = {first}; {apart} && {number} < {end}; {number}++)"),
            format!("    {apart} = {};", orders.join(" || ")),
            format!("{apart};"),
        ],
        scop,
    )
}

/// Whether nothing behind pointers is behind others, which are [`sorted`]. What lies beside all of these
/// needs no more; anything else is looked for among them, from where the one before it is, as rows that
/// were allocated by turns follow each other.
pub(in crate::codegen::c) fn searched(
    (scop, words): (&Scop, &Words),
    (range, pointers): Behind<'_>,
    (among, others): Behind<'_>,
) -> String {
    if others.are_few() {
        return all((scop, words), (range, pointers), (among, others));
    }
    let Numbered { number, first, end } = pointers;
    let Numbered {
        number: other,
        first: least,
        end: greatest,
    } = others;
    let Words {
        down,
        apart,
        first: lowest,
        end: highest,
        below: under,
        above,
        probes,
        middle,
        ..
    } = words;
    let (count, from) = match &**least {
        "0" => (greatest.clone(), String::new()),
        _ => (format!("{greatest} - {least}"), format!("{least} + ")),
    };
    let nth = |n: &str| format!("{other} = {down} ? {greatest} - 1 - {n} : {from}{n};");
    let below_it = below(&among.end, &range.first);
    let above_it = below(&range.end, &among.first);
    let outside = [below(&range.end, lowest), below(highest, &range.first)];
    expression(
        &[
            format!("int {apart} = 1; long {other} = {least};"),
            format!(
                "{ADDRESS} {lowest} = {}, {highest} = {};",
                among.first, among.end
            ),
            format!("{other} = {greatest} - 1;"),
            format!("const int {down} = {} < {lowest};", among.first),
            format!(
                "if ({down}) {lowest} = {}; else {highest} = {};",
                among.first, among.end
            ),
            "/* So many of them end below the one that is looked for. */".to_owned(),
            format!("long {under} = 0;"),
            format!("for (long {number} = {first}; {apart} && {number} < {end}; {number}++) {{"),
            format!("    if ({}) continue;", outside.join(" || ")),
            format!("    if ({under} > 0) {{"),
            format!("        {}", nth(&format!("({under} - 1)"))),
            format!("        if (!({below_it})) {under} = 0;"),
            "    }".to_owned(),
            format!("    long {above} = {count}, {probes} = 0;"),
            format!("    while ({under} < {above}) {{"),
            format!(
                "        const long {middle} = {under} + ({probes}++ < 2 ? 0 : ({above} - {under}) / 2);"
            ),
            format!("        {}", nth(middle)),
            format!("        if ({below_it}) {under} = {middle} + 1; else {above} = {middle};"),
            "    }".to_owned(),
            format!("    {}", nth(under)),
            format!("    {apart} = {under} == {count} || {above_it};"),
            "}".to_owned(),
            format!("{apart};"),
        ],
        scop,
    )
}
