//! Threads that execute the loops as they were written, where that is all a plan is: not printed from
//! the model, but taken from the file ([`crate::frontend::c::rewrite::shares`]).
//!
//! That the iterations of a loop may run side by side with everything where the program has it is shown
//! of the model: two of them never meet in a cell that one writes
//! ([`crate::analysis::dependences::apart`]), but for arrays that each has for itself.

use super::{Stays, has_threads_alone};
use crate::analysis::dependences::apart;
use crate::analysis::trips::{own_bounds, trips, varies_with};
use crate::codegen::c::entrance::worth;
use crate::codegen::kernel::{Kernel, Loop, Node, Worth};
use crate::codegen::names::{Names, identifiers};
use crate::compile::attempts::Attempt;
use crate::compile::certify::Certifier;
use crate::compile::region::RegionText;
use crate::compile::{Options, Target};
use crate::frontend::c::divide::Division;
use crate::frontend::c::parse::{self, File};
use crate::frontend::c::rewrite::Branch;
use crate::frontend::c::rewrite::shares::{
    Outermost, Place, Share, THREADS, above_comments, has_second, outermost, shared,
};
use crate::frontend::c::syntax::{Type, Unit};
use crate::plan::defaults;
use crate::scop::tree::walk;
use crate::scop::{Action, ArrayId, Origin, Scop, StatementId};
use crate::source::{Source, Span};
use isl::{Result, ScheduleNode, ScheduleNodeType};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// A region whose loops stand in functions of which threads execute shares.
#[derive(Clone, Debug)]
pub(in crate::compile) struct SharesText {
    /// What stands in the region's place.
    pub text: String,
    /// The functions, and where they stand in the file.
    pub functions: (usize, String),
    /// The same in the preprocessed file, of more parts than there may be threads.
    pub executed: (String, (usize, String)),
}

impl SharesText {
    /// The text in a branch, with its functions in front.
    pub fn branch(self, branch: Branch) -> Branch {
        let threads = branch.threads.as_deref().unwrap_or("1");
        Branch {
            text: self.text.replace(THREADS, threads),
            in_front: Some(self.functions),
            ..branch
        }
    }
}

/// Words of the text that a program may have macros for.
const WORDS: [&str; 15] = [
    "static",
    "const",
    "void",
    "long",
    "int",
    "for",
    "if",
    "omp",
    "parallel",
    "collapse",
    "schedule",
    "dynamic",
    "firstprivate",
    "__attribute__",
    "__noinline__",
];

/// So many parts are executed one beside the other when a text is certified.
const PARTS: i64 = 5;

/// A file as it was parsed, before anything in it was rewritten.
pub(in crate::compile) struct Written<'a> {
    file: &'a File<'a>,
    own: OnceCell<Option<Unit>>,
    /// The preprocessed text without the lines that say where lines come from, with its tree.
    preprocessed: OnceCell<Option<(Unit, String)>>,
}

impl<'a> Written<'a> {
    pub fn new(file: &'a File<'a>) -> Written<'a> {
        Written {
            file,
            own: OnceCell::new(),
            preprocessed: OnceCell::new(),
        }
    }

    fn own(&self) -> Option<&Unit> {
        let parsed = || self.file.unit(&Division::new()).ok();
        self.own.get_or_init(parsed).as_ref()
    }

    fn preprocessed(&self) -> Option<(&Unit, &str)> {
        let parsed = || {
            let written = self.file.source();
            let text = without_markers(&written.preprocessed);
            let source = Source {
                name: written.name.clone(),
                text: text.clone(),
                preprocessed: text,
                chosen: written.chosen,
                ..Source::default()
            };
            Some((parse::parse(&source).ok()?, source.text))
        };
        let both = self.preprocessed.get_or_init(parsed).as_ref();
        both.map(|(unit, text)| (unit, text.as_str()))
    }
}

/// A preprocessed text, in which every place is the same, with blanks in place of line markers.
fn without_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let rest = line.strip_prefix('#').map(str::trim_start);
        match rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            true => {
                let width = line.trim_end_matches(['\n', '\r']).len();
                out.push_str(&" ".repeat(width));
                out.push_str(&line[width..]);
            }
            false => out.push_str(line),
        }
    }
    out
}

/// The text of a plan that has the loops as they were written, with threads; `None` where it needs
/// what is printed. `raw` is the region before anything was analysed.
pub(in crate::compile) fn shares(
    (raw, expanded): (&Scop, &Scop),
    done: &Attempt,
    stays: &Stays,
    (certifier, taken): (&Certifier<'_>, &BTreeSet<String>),
    options: &Options,
) -> Option<RegionText> {
    let edges = &expanded.edges;
    let plain = has_threads_alone(&done.plan)
        && done.plan.rewrites.partial.is_empty()
        && edges.inspections.is_empty()
        && edges.packing.is_none();
    let in_c = options.target == Target::OpenMp && certifier.written_as_c;
    if !plain || !stays.on_one_thread || !in_c {
        return None;
    }
    // What is printed here is not kept from the program's macros.
    let macros: BTreeSet<&str> = (certifier.source.macros.iter())
        .map(|one| one.name.as_str())
        .collect();
    if WORDS.iter().any(|word| macros.contains(word)) {
        return None;
    }
    let kernel = done.kernel.as_ref()?;
    let region = certifier.unit.regions.get(raw.place.index)?;
    let unit = certifier.written.own()?;
    let place = Place {
        index: raw.place.index,
        function: &raw.place.function,
        span: raw.place.span,
    };
    let loops = outermost(unit, place.span);
    let groups = groups(raw).ok()??;
    if loops.len() != groups.len() {
        return None;
    }
    let portions = options.wishes.processor.portions;
    let parameters = raw.params.iter().map(|param| param.spelling.clone());
    let parameters: BTreeSet<String> = parameters.collect();
    let whole = &certifier.source.text;
    let mut names = Names::new(expanded, taken);
    let (mut all, mut vectors) = (Vec::new(), true);
    for (number, group) in groups.iter().enumerate() {
        if !stands_for(unit, raw, group, (&loops, number), place.span) {
            return None;
        }
        let Some(each) = started(kernel, group)? else {
            continue;
        };
        vectors &= is_vectors(expanded, each);
        let uneven = each.is_uneven(expanded) || differs(raw, group).ok()?;
        let of = |loops| own_arrays(unit, (raw, expanded), group, loops).ok();
        let private = of(1)??;
        let second = is_two_loops(raw, group).ok()? && of(2)?.as_ref() == Some(&private) && {
            let one = &loops[number];
            has_second(unit, whole, one, (&parameters, &private))
        };
        all.push((
            each.worth.as_ref(),
            Share {
                number,
                worth: None,
                parts: Some(portions).filter(|&portions| portions > 1 && uneven),
                second,
                private,
                name: names.fresh(&format!(
                    "share_{}_{}_{number}",
                    place.function, place.index
                )),
            },
        ));
    }
    // What is asked in front of the region is not asked again.
    let asked = all.len() == 1 && stays.unless.is_some();
    let clause = |worth: &Worth| worth::any(expanded, std::slice::from_ref(worth));
    let all = all.into_iter().map(|(worth, share)| {
        let worth = match worth.filter(|_| !asked) {
            Some(worth) => Some(clause(worth)?),
            None => None,
        };
        Some(Share { worth, ..share })
    });
    let all: Vec<Share> = all.collect::<Option<_>>()?;
    let clauses = all.iter().filter_map(|share| share.worth.as_ref());
    let words = clauses.flat_map(|clause| identifiers(clause));
    if words.into_iter().any(|word| macros.contains(word.as_str())) {
        return None;
    }
    if all.is_empty() || vectors {
        return None;
    }
    let own = shared(unit, whole, &macros, place, &all, (&parameters, None))?;
    let (unit, text) = certifier.written.preprocessed()?;
    let inside = match region.is_run {
        true => region.preprocessed,
        false => between_pragmas(text, region.preprocessed)?,
    };
    let there = Place {
        span: inside,
        ..place
    };
    let parts = (&parameters, Some(PARTS));
    let executed = shared(unit, text, &BTreeSet::new(), there, &all, parts)?;
    let start = |unit: &Unit, span: Span| {
        let mut functions = unit.functions.iter();
        let function = functions.find(|f| f.span.start <= span.start && span.end <= f.span.end);
        function.map(|function| function.span.start)
    };
    let function = start(certifier.written.own()?, place.span)?;
    let place_of_functions = above_comments(whole, function);
    let lines = &whole[place_of_functions..];
    Some(RegionText::Shares(Box::new(SharesText {
        text: own.text,
        functions: (place_of_functions, with_line_ends(lines, own.functions)),
        executed: (executed.text, (start(unit, inside)?, executed.functions)),
    })))
}

/// A text with the line ends of what it is put in front of.
fn with_line_ends(of: &str, text: String) -> String {
    match of
        .lines()
        .next()
        .is_some_and(|line| of[line.len()..].starts_with("\r\n"))
    {
        true => text.replace('\n', "\r\n"),
        false => text,
    }
}

/// The lines between those of two pragmas.
fn between_pragmas(text: &str, span: Span) -> Option<Span> {
    let own = text.get(span.start..span.end)?;
    let first = own.find('\n')? + 1;
    let last = own.trim_end().rfind('\n')? + 1;
    Some(Span::new(span.start + first, span.start + last))
}

/// The statements of each loop that no other one is around, in order; `None` of an order that is none.
fn groups(scop: &Scop) -> Result<Option<Vec<Vec<StatementId>>>> {
    let mut found = Vec::new();
    let ordered = groups_below(scop, &walk::top(&scop.schedule)?, &mut found)?;
    Ok(ordered.then_some(found))
}

fn groups_below(
    scop: &Scop,
    node: &ScheduleNode,
    found: &mut Vec<Vec<StatementId>>,
) -> Result<bool> {
    if walk::is_loop(node)? {
        let mut group = Vec::new();
        for set in node.get_domain()?.sets()? {
            let name = set.get_tuple_name()?;
            group.extend(scop.statements.iter().position(|s| s.name == name));
        }
        group.sort_unstable();
        found.push(group);
        return Ok(true);
    }
    if node.get_type()? == ScheduleNodeType::Set {
        return Ok(false);
    }
    for child in 0..node.n_children()? {
        if !groups_below(scop, &node.child(child)?, found)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a loop of the text is the one that some statements of the model are in.
fn stands_for(
    unit: &Unit,
    scop: &Scop,
    group: &[StatementId],
    (loops, number): (&[Outermost<'_>], usize),
    region: Span,
) -> bool {
    let inside = |span: Span, of: Span| of.start <= span.start && span.end <= of.end;
    let own = loops[number];
    let named = &unit.symbols[own.variable].name;
    let mut seen = false;
    let all = group.iter().all(|&id| {
        let statement = &scop.statements[id];
        // Others are in functions that are called.
        let here = inside(statement.span, region);
        seen |= here;
        statement
            .iterators
            .first()
            .is_some_and(|i| i.name == *named)
            && (!here || inside(statement.span, own.span))
    });
    all && seen
}

/// The loop of a kernel that some statements are in, if it starts threads; `None` where it is not the
/// one loop that they are in, or threads are started inside, also for several loops together.
fn started<'k>(kernel: &'k Kernel, group: &[StatementId]) -> Option<Option<&'k Loop>> {
    let mut loops = Vec::new();
    kernel.body.iter().for_each(|node| outer(node, &mut loops));
    let mut found: Option<&Loop> = None;
    let mut threads = None;
    for each in loops {
        let mut statements = BTreeSet::new();
        for node in &each.body {
            node.instances(&mut |instance| {
                statements.insert(instance.statement);
            });
        }
        if !statements.iter().any(|id| group.contains(id)) {
            continue;
        }
        // The outermost of several may be short: a batch of one picture.
        let inside = match each.parallel {
            true => each.collapse > 1,
            false => each.body.iter().any(Node::starts_threads),
        };
        let same = found.is_none_or(|before| before.worth == each.worth)
            && threads.is_none_or(|before| before == each.parallel);
        if inside || !same || !statements.iter().all(|id| group.contains(id)) {
            return None;
        }
        threads = Some(each.parallel);
        found = Some(each);
    }
    // What has no loop is not executed at all.
    threads.map(|threads| found.filter(|_| threads))
}

/// The loops of a kernel that no others are around.
fn outer<'k>(node: &'k Node, found: &mut Vec<&'k Loop>) {
    match node {
        Node::For(each) => found.push(each),
        _ => node.children().for_each(|child| outer(child, found)),
    }
}

/// Whether a loop does all that it does in vector loops, which are printed as such: of straight code,
/// and so long that it matters. A compiler may see less in the program's own text: that arrays are not
/// the same memory, where borders are.
fn is_vectors(scop: &Scop, each: &Loop) -> bool {
    fn innermost<'k>(node: &'k Node, found: &mut Vec<&'k Loop>) {
        match node {
            Node::For(each) if !each.body.iter().any(Node::has_loop) => found.push(each),
            _ => node.children().for_each(|child| innermost(child, found)),
        }
    }
    let mut loops = Vec::new();
    each.body
        .iter()
        .for_each(|node| innermost(node, &mut loops));
    let straight = |each: &Loop| {
        let mut straight = true;
        for node in &each.body {
            node.instances(&mut |instance| {
                let body = &scop.statements[instance.statement].body;
                straight &= body
                    .iter()
                    .all(|action| matches!(action, Action::Assign { .. } | Action::Local { .. }));
            });
        }
        straight
    };
    let long = |each: &Loop| each.iterations().is_none_or(|all| all >= defaults::LANES);
    !loops.is_empty()
        && loops
            .iter()
            .all(|each| each.simd && long(each) && straight(each))
}

/// Whether iterations of the outermost loop around some statements differ in how much they do.
fn differs(scop: &Scop, group: &[StatementId]) -> Result<bool> {
    for &id in group {
        let statement = &scop.statements[id];
        for inner in 1..statement.iterators.len() {
            // One of constant length moves with the loop around it.
            let varies = trips(statement, inner)? == i64::MAX;
            if varies && varies_with(statement, inner)?.contains(&0) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether an array is a plain variable of the function, whatever of that name is meant: of those the
/// text is asked.
fn is_scalar(unit: &Unit, raw: &Scop, array: ArrayId) -> bool {
    let own = &raw.arrays[array];
    let of_function = matches!(own.origin, Origin::Local | Origin::Region { .. });
    let mut named = unit
        .symbols
        .iter()
        .filter(|s| s.name == own.base)
        .peekable();
    of_function
        && own.extents.is_empty()
        && named.peek().is_some()
        && named.all(|symbol| matches!(symbol.ctype, Type::Scalar(_)))
}

/// The arrays of the function that each iteration of so many loops around some statements has for itself;
/// `None` where others keep iterations from running side by side.
fn own_arrays(
    unit: &Unit,
    (raw, expanded): (&Scop, &Scop),
    group: &[StatementId],
    loops: usize,
) -> Result<Option<BTreeSet<String>>> {
    let met = apart::met(raw, group, loops)?.into_iter();
    let private = met
        .filter(|&array| !is_scalar(unit, raw, array))
        .map(|array| {
            let before = &raw.arrays[array];
            let of_function = matches!(before.origin, Origin::Local | Origin::Region { depth: 0 });
            let after = expanded.arrays.get(array)?;
            let own = matches!(after.origin, Origin::Region { depth } if depth >= loops);
            // Of arrays of structures all members are one variable.
            let alone = raw.arrays.iter().filter(|a| a.base == before.base).count() == 1;
            (of_function && own && alone && after.base == before.base).then(|| before.base.clone())
        });
    Ok(private.collect())
}

/// Whether some statements are in two loops, of which the inner one has the same iterations whatever the
/// outer one's number, and enough of them, around one more.
fn is_two_loops(scop: &Scop, group: &[StatementId]) -> Result<bool> {
    let mut deep = false;
    for &id in group {
        let statement = &scop.statements[id];
        let [outer, inner, ..] = &statement.iterators[..] else {
            return Ok(false);
        };
        let same = |other: &StatementId| {
            let own = scop.statements[*other].iterators.get(..2);
            own.is_some_and(|own| own[0].name == outer.name && own[1].name == inner.name)
        };
        deep |= statement.iterators.len() > 2;
        let (turns, inside) = (trips(statement, 0)?, trips(statement, 1)?);
        let few = turns == i64::MAX || turns < defaults::LANES;
        if !group.iter().all(same)
            || own_bounds(statement, 1)?.is_none()
            || inside < defaults::SHORT_LOOP
            || !few
        {
            return Ok(false);
        }
    }
    Ok(deep)
}
