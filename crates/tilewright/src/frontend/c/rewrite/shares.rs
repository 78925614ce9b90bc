//! Loops as they were written, of which each thread executes a share.
//!
//! A parallel loop of OpenMP is a function of its own for compilers, in which nothing is known of its
//! pointers: neither what `restrict` says in the function around it nor what was found there. gcc 12
//! and clang 19 make of loops over small blocks, or of several arrays, what takes two to six times as
//! long. So the loop goes into a function with parameters that are declared as its variables are, and
//! threads call that, each for a part of the iterations:
//!
//! ```c
//! static __attribute__((__noinline__)) void share(const int first, const int end, int n, float *restrict a)
//! {
//!     for (int i = first; i < end; i++)
//!         …
//! }
//! ```
//!
//! Where the loop has few iterations and all of each is one more loop, of more iterations that may run side
//! by side, that loop's are shared in place of its own.
//!
//! Nothing in the loop is written anew, so that compilers see what they saw. Whether its iterations may
//! run side by side is not asked here, but for scalars of the function, which become variables of the
//! share: each iteration sets them before it reads them, and nobody reads them behind the loop.

mod header;
mod second;
mod variables;

use super::{Span, Token, line_start, tokens};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::syntax::{Function, Stmt, StmtKind, SymbolId, Unit};
use crate::frontend::c::tokens::comments;
use crate::source::GENERATED;
use header::Header;
use second::second;
use std::collections::BTreeSet;
use variables::Variables;

/// A loop that no other one is around in a piece of text.
#[derive(Clone, Copy, Debug)]
pub struct Outermost<'u> {
    stmt: &'u Stmt,
    /// Its variable.
    pub variable: SymbolId,
    /// Its text.
    pub span: Span,
}

/// How the iterations of a loop are shared.
#[derive(Clone, Debug)]
pub struct Share {
    /// Which of the [outermost] loops it is.
    pub number: usize,
    /// Where threads are worth starting, in C; `None`: always.
    pub worth: Option<String>,
    /// Iterations differ in how much they do: so many parts, for threads that are done. Otherwise each
    /// thread gets one.
    pub parts: Option<i64>,
    /// Whether the iterations of the loop inside may be shared, too, those of all iterations of this one
    /// together: all that the loop does is in that one.
    pub second: bool,
    /// Arrays of the function that each iteration has for itself.
    pub private: BTreeSet<String>,
    /// The name of the function.
    pub name: String,
}

/// What stands for a region.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Functions, in front of the region's.
    pub functions: String,
    /// The region's statements, with calls in place of loops.
    pub text: String,
}

/// What a region is called, and its bytes: the statements of a run, or the lines between two pragmas.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// Its number.
    pub index: usize,
    /// Its function.
    pub function: &'p str,
    /// Where it is.
    pub span: Span,
}

/// How the comment in front of a function of some iterations begins; the function that has the loop,
/// and the end of the comment follow.
const SOME_OF: &str = "/* tilewright: some iterations of a loop of ";

/// Stands in a text for the variable that has the number of threads ([`super::Branch::threads`]).
pub const THREADS: &str = "@threads@";

/// Of fewer iterations for each thread the rest that one of them gets more matters.
const FEW: i64 = 4;

/// Stands in front of lines for what they are indented by.
const INDENT: &str = "@indent@";

/// The loops of a piece of text that no others are around, in order. Loops under `do`, `while` and
/// `switch` are none of them.
pub fn outermost(unit: &Unit, place: Span) -> Vec<Outermost<'_>> {
    let mut found = Vec::new();
    if let Some(function) = function_at(unit, place) {
        outermost_in(&function.body, place, &mut found);
    }
    found
}

fn function_at(unit: &Unit, place: Span) -> Option<&Function> {
    let mut functions = unit.functions.iter();
    functions.find(|f| f.span.start <= place.start && place.end <= f.span.end)
}

fn outermost_in<'u>(stmt: &'u Stmt, place: Span, found: &mut Vec<Outermost<'u>>) {
    let inside = place.start <= stmt.span.start && stmt.span.end <= place.end;
    let holds = stmt.span.start <= place.start && place.end <= stmt.span.end;
    if !inside && !holds {
        return;
    }
    match &stmt.kind {
        StmtKind::For { init, .. } if inside => {
            if let Some(variable) = init.as_deref().and_then(facts::set_first) {
                found.push(Outermost {
                    stmt,
                    variable,
                    span: stmt.span,
                });
            }
        }
        StmtKind::For { body, .. } => outermost_in(body, place, found),
        StmtKind::While { body, .. } if !inside => outermost_in(body, place, found),
        StmtKind::Block(list) => {
            let shows = !matches!(
                list.first().map(|first| &first.kind),
                Some(StmtKind::Unsupported("do" | "switch"))
            );
            if shows || !inside {
                list.iter().for_each(|s| outermost_in(s, place, found));
            }
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            outermost_in(then, place, found);
            if let Some(otherwise) = otherwise {
                outermost_in(otherwise, place, found);
            }
        }
        _ => {}
    }
}

/// Whether the loop inside of a loop can be shared in its place; `parameters`: places that are the same in
/// all of the region.
pub fn has_second(
    unit: &Unit,
    text: &str,
    one: &Outermost<'_>,
    (parameters, private): (&BTreeSet<String>, &BTreeSet<String>),
) -> bool {
    let inner = function_at(unit, one.span)
        .and_then(|function| second(unit, function, one, (parameters, private)));
    inner.is_some_and(|inner| Header::of(unit, inner.stmt, text, parameters).is_some())
}

/// A region with calls in place of some of its outermost loops, and what they call; `None` where a
/// loop cannot stand in another function as it is. `text` is what the places in the unit, which was
/// not normalised, are in, `macros` those that are defined somewhere in it; `parts`: so many for every
/// loop, whatever threads there are.
pub fn shared(
    unit: &Unit,
    text: &str,
    macros: &BTreeSet<&str>,
    place: Place<'_>,
    shares: &[Share],
    (parameters, parts): (&BTreeSet<String>, Option<i64>),
) -> Option<Shared> {
    let function = function_at(unit, place.span)?;
    let whole = text.get(place.span.start..place.span.end)?;
    let has_directives = tokens(whole).iter().any(|token| token.directive);
    let may_be_parted = || variables::may_be_parted(text, function.span, macros);
    if has_directives || has_labels(function, place.span) || !may_be_parted() {
        return None;
    }
    let before = tokens(text.get(..function.span.start)?);
    if !begins_here(text, &before) {
        return None;
    }
    // Only the preprocessed text has them all.
    let declared = parts.map(|_| outside_of_blocks(text, &before));
    let loops = outermost(unit, place.span);
    let mut functions = String::new();
    let mut edits = Vec::new();
    for share in shares {
        let one = loops.get(share.number)?;
        let known = |declared| variables::calls_are_known(unit, one.stmt, declared);
        if !stands_alone(text, function.span, one.span) || !declared.as_ref().is_none_or(known) {
            return None;
        }
        let mut headers = vec![Header::of(unit, one.stmt, text, parameters)?];
        if share.second {
            let inner = second(unit, function, one, (parameters, &share.private))?;
            headers.push(Header::of(unit, inner.stmt, text, parameters)?);
        }
        let variables = Variables::of(unit, function, one, &share.private)?;
        let names = (place.function, share.name.as_str());
        functions.push_str(&written(unit, text, one, (&headers, &variables), names)?);
        let share = Share {
            parts: parts.or(share.parts),
            ..share.clone()
        };
        edits.push((one.span, called(&headers, &variables, &share)));
    }
    let mut out = format!("{GENERATED}{} of {} */\n{{\n", place.index, place.function);
    let mut copied = place.span.start;
    let margin = margin(
        text,
        place.span.start + whole.len() - whole.trim_start().len(),
    );
    let mut body = String::new();
    for (span, call) in edits {
        body.push_str(text.get(copied..span.start)?);
        // A loop may stand behind a condition without braces.
        let own = self::margin(text, span.start);
        body.push_str(&format!("{{\n{call}{own}}}").replace(INDENT, &format!("{own}    ")));
        copied = span.end;
    }
    body.push_str(text.get(copied..place.span.end)?.trim_end());
    for line in body.lines() {
        let line = line.strip_prefix(margin).unwrap_or(line);
        out.push_str(&format!("    {line}\n"));
    }
    out.push_str("}\n");
    Some(Shared {
        functions,
        text: out,
    })
}

/// The words of a text that are in no block: what is declared in a function is known there alone.
fn outside_of_blocks<'t>(text: &'t str, all: &[Token]) -> BTreeSet<&'t str> {
    let mut depth = 0;
    let mut found = BTreeSet::new();
    for token in all {
        match token.text(text) {
            "{" => depth += 1,
            "}" => depth -= 1,
            word if depth == 0 => {
                found.insert(word);
            }
            _ => {}
        }
    }
    found
}

/// Whether a definition begins where its function does: nothing in front of it, as attributes, is about it.
fn begins_here(text: &str, before: &[Token]) -> bool {
    let Some(last) = before.last() else {
        return true;
    };
    if !last.directive {
        return matches!(last.text(text), ";" | "}");
    }
    let line = before
        .iter()
        .filter(|token| token.logical_line == last.logical_line);
    line.into_iter().all(|token| token.text(text) != "pragma")
}

/// Whether there are labels in a piece of text, which may stand in a function once.
fn has_labels(function: &Function, place: Span) -> bool {
    let mut found = false;
    visit::statements(&function.body, &mut |stmt| {
        let inside = place.start <= stmt.span.start && stmt.span.end <= place.end;
        found |= inside && stmt.kind == StmtKind::Unsupported("label");
    });
    found
}

/// Whether a loop is no part of what a macro is given.
fn stands_alone(text: &str, function: Span, own: Span) -> bool {
    let Some(before) = text.get(function.start..own.start) else {
        return false;
    };
    let depth = tokens(before)
        .iter()
        .fold(0, |depth, token| match token.text(before) {
            "(" => depth + 1,
            ")" => depth - 1,
            _ => depth,
        });
    depth == 0
}

/// A function's place, or that of the comments right above it.
pub fn above_comments(text: &str, place: usize) -> usize {
    let comments = comments(text);
    let mut place = place;
    while let Some(comment) = comments.iter().rfind(|comment| comment.end <= place) {
        let between = &text[comment.end..place];
        let line = line_start(text, comment.start);
        let alone = text[line..comment.start].trim().is_empty();
        let lines = between.matches('\n').count();
        if !alone || lines > 1 || !between.trim().is_empty() {
            break;
        }
        place = line;
    }
    place
}

/// The function of a loop.
fn written(
    unit: &Unit,
    text: &str,
    one: &Outermost<'_>,
    (headers, variables): (&[Header], &Variables),
    (function, name): (&str, &str),
) -> Option<String> {
    let mut parameters = Vec::new();
    let (mut body, mut copied) = (String::new(), one.span.start);
    for (number, header) in headers.iter().enumerate() {
        let [first, end] = ["first", "end"].map(|what| bound(what, number));
        let ctype = &header.ctype;
        parameters.push(format!("const {ctype} {first}"));
        parameters.push(format!("const {ctype} {end}"));
        let condition = format!("{} < {end}", header.name);
        for (place, other) in [(header.first, first), (header.condition, condition)] {
            body.push_str(text.get(copied..place.start)?);
            body.push_str(&other);
            copied = place.end;
        }
    }
    body.push_str(text.get(copied..one.span.end)?);
    parameters.extend(variables.parameters(unit)?);
    let mut out = format!(
        "{SOME_OF}{function} */\nstatic __attribute__((__noinline__)) void {name}({})\n{{\n",
        parameters.join(", ")
    );
    for own in variables.declarations(unit)? {
        out.push_str(&format!("    {own};\n"));
    }
    let margin = margin(text, one.span.start);
    for line in format!("{margin}{body}").lines() {
        let line = line.strip_prefix(margin).unwrap_or(line);
        match line.is_empty() {
            true => out.push('\n'),
            false => out.push_str(&format!("    {line}\n")),
        }
    }
    out.push_str("}\n\n");
    Some(out)
}

/// The name of what is known of the outer or the inner loop.
fn bound(what: &str, number: usize) -> String {
    match number {
        0 => format!("tw_{what}"),
        _ => format!("tw_{what}_in"),
    }
}

/// The blanks that the line of a place begins with.
fn margin(text: &str, place: usize) -> &str {
    let rest = &text[line_start(text, place)..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// How the iterations of a loop are counted where it is called.
struct Counted {
    /// Lines in front, without [`INDENT`].
    lines: Vec<String>,
    /// Variables of these lines.
    named: Vec<String>,
    /// What is in front of the number of an iteration where its value is meant: `tw_first + `.
    from: String,
    /// The variable that has how many there are.
    count: String,
}

impl Counted {
    /// Those of the loop inside of `outer` are known only where that one has some: its bounds may be behind a
    /// pointer that leads nowhere otherwise.
    fn of(header: &Header, outer: Option<&Counted>) -> Counted {
        let number = usize::from(outer.is_some());
        let (mut lines, mut named, mut from) = (Vec::new(), Vec::new(), String::new());
        let known = |value: String| match outer {
            Some(outer) => format!("{} > 0 ? {value} : 0", outer.count),
            None => value,
        };
        let begins_at_0 = header.from == "0";
        let behind = if header.inclusive { " + 1" } else { "" };
        let mut length = format!("(long)({}){behind}", header.to);
        if !begins_at_0 {
            let first = bound("first", number);
            let value = known(format!("(long)({})", header.from));
            lines.push(format!("const long {first} = {value};"));
            length = format!("{length} - {first}");
            from = format!("{first} + ");
            named.push(first);
        }
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = match begins_at_0 && !header.inclusive && header.to.chars().all(is_name) {
            true => header.to.clone(),
            false => {
                let name = bound("length", number);
                lines.push(format!("const long {name} = {};", known(length)));
                name
            }
        };
        let count = bound("count", number);
        lines.push(format!("const long {count} = {length} > 0 ? {length} : 0;"));
        named.push(count.clone());
        Counted {
            lines,
            named,
            from,
            count,
        }
    }

    /// Where a part of all iterations begins.
    fn part(&self, ctype: &str, part: &str, parts: &str) -> String {
        format!("({ctype})({}{} * {part} / {parts})", self.from, self.count)
    }
}

/// What calls it: lines with [`INDENT`] in front.
fn called(headers: &[Header], variables: &Variables, share: &Share) -> String {
    let mut counted: Vec<Counted> = Vec::new();
    for header in headers {
        counted.push(Counted::of(header, counted.last()));
    }
    let (parts, schedule) = match share.parts {
        Some(parts) => (parts.to_string(), "dynamic"),
        None => (THREADS.to_owned(), "static"),
    };
    let mut lines: Vec<String> = counted.iter().flat_map(|one| one.lines.clone()).collect();
    let mut copied: Vec<String> = counted.iter().flat_map(|one| one.named.clone()).collect();
    // How many parts there are of each loop's iterations, and their variables.
    let mut of_loops = vec![(parts.clone(), bound("part", 0))];
    if let [outer, inner] = &counted[..] {
        let few = match share.parts {
            Some(_) => parts.clone(),
            None => format!("{FEW} * {parts}"),
        };
        lines.push(format!(
            "const int tw_inside = {0} < {few} && {0} < {1};",
            outer.count, inner.count
        ));
        lines.push(format!("const long tw_parts = tw_inside ? 1 : {parts};"));
        lines.push(format!("const long tw_parts_in = tw_inside ? {parts} : 1;"));
        of_loops = [0, 1]
            .map(|n| (bound("parts", n), bound("part", n)))
            .to_vec();
        copied.extend(of_loops.iter().map(|(parts, _)| parts.clone()));
    } else if share.parts.is_none() {
        copied.push(parts);
    }
    let clause = match of_loops.len() {
        1 => String::new(),
        all => format!(" collapse({all})"),
    };
    let condition = share.worth.as_ref();
    let condition = condition.map_or(String::new(), |worth| format!(" if ({worth})"));
    // What threads find by its address is in memory for the other branch, too.
    copied.extend(variables.copied.iter().cloned());
    lines.push(format!(
        "#pragma omp parallel for{condition}{clause} schedule({schedule}) firstprivate({})",
        copied.join(", ")
    ));
    let mut arguments = Vec::new();
    let mut depth = String::new();
    for (((parts, part), one), header) in of_loops.iter().zip(&counted).zip(headers) {
        lines.push(format!(
            "{depth}for (long {part} = 0; {part} < {parts}; {part}++)"
        ));
        depth.push_str("    ");
        let behind = format!("({part} + 1)");
        arguments.extend([part, &behind].map(|part| one.part(&header.ctype, part, parts)));
    }
    arguments.extend(variables.arguments.clone());
    lines.push(format!("{depth}{}({});", share.name, arguments.join(", ")));
    let lines = lines.iter().map(|line| format!("{INDENT}{line}\n"));
    lines.collect()
}
