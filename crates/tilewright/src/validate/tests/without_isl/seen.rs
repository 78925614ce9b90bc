//! What each shortcut sees at once is so, and of what is so it sees what it is for: on random
//! programs under random schedules and storage, every answer is compared with isl's.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::times::Times;
use crate::scop::Scop;
use crate::transform::{BufferKind, Transformed};
use crate::validate::checks::order;
use crate::validate::checks::race;
use crate::validate::numbers::model::Model;
use crate::validate::program::Program;
use crate::validate::storage::{Touch, index_in_buffer};
use crate::validate::tests::random::{case, scop, transformed};
use crate::validate::tests::right::{overlapped, pipeline};

/// How often something was so, and how often that was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    so: usize,
    seen: usize,
}

/// By question.
#[derive(Debug, Default)]
struct Counts(BTreeMap<&'static str, Count>);

impl Counts {
    fn add(&mut self, question: &'static str, seen: bool, so: bool, about: impl Fn() -> String) {
        assert!(!seen || so, "{question} is seen, but not so: {}", about());
        let count = self.0.entry(question).or_default();
        count.so += usize::from(so);
        count.seen += usize::from(seen);
    }

    /// Of what is so, everything is seen.
    fn all_seen(&self, question: &str) {
        let count = self.0[question];
        assert!(
            count.so > 0 && count.seen == count.so,
            "{question}: {count:?}"
        );
    }

    /// Of what is so, a part of so many in a hundred is seen.
    fn mostly_seen(&self, question: &str, percent: usize) {
        let count = self.0[question];
        let enough = count.so > 0 && 100 * count.seen >= percent * count.so;
        assert!(enough, "{question}: {count:?}");
    }
}

/// Asks everything of one program.
fn ask(scop: &Scop, plan: &Transformed, counts: &mut Counts) -> isl::Result<()> {
    let dataflow = Dataflow::compute(scop)?;
    let (Ok(program), Ok(exact)) = (
        Program::new(scop, &dataflow, plan, true)?,
        Program::new(scop, &dataflow, plan, false)?,
    ) else {
        return Ok(());
    };
    let Some(model) = &program.model else {
        return Ok(());
    };
    assert_eq!(program.touches.len(), exact.touches.len());
    for touch in &program.touches {
        ask_of_one(&program, model, touch, counts)?;
    }
    ask_of_pairs(&program, model, counts)?;
    ask_of_sources(&program, model, &exact, counts)?;
    ask_of_loops(&program, model, counts)
}

fn text(program: &Program, touches: &[&Touch]) -> String {
    let names = touches.iter().map(|touch| {
        let lifted = program.lifted(touch.lifted);
        format!("{}.{}", lifted.name, touch.access)
    });
    let names: Vec<String> = names.collect();
    format!("{}\n{}", names.join(", "), program.transformed.schedule)
}

fn ask_of_one(
    program: &Program,
    model: &Model,
    touch: &Touch,
    counts: &mut Counts,
) -> isl::Result<()> {
    let about = || text(program, &[touch]);
    let depth = program.times()?.depth();
    for level in 0..depth {
        let seen = model.constant_time(touch.lifted, level);
        let exact = program.constant_time(touch.lifted, level)?;
        assert!(seen.is_none() || seen == exact, "{}", about());
        counts.add("a constant time", seen.is_some(), exact.is_some(), about);
    }
    let buffer = program.buffer(touch.buffer);
    let BufferKind::Local {
        scope,
        extents,
        folded,
        ..
    } = &buffer.kind
    else {
        return Ok(());
    };
    let alive = model.life(touch.lifted, *scope).is_some();
    counts.add("a life", alive, touch.life()?.is_some(), about);
    let tile = model.tile_is_of_life(&[touch.lifted], *scope);
    let exact = order::tile_of_life(program, touch)?;
    let exact = exact.is_some_and(|tile| tile.is_single_valued().unwrap());
    counts.add("the tile of a life", tile, exact, about);
    let mut inside = true;
    let index = index_in_buffer(program.lifted(touch.lifted), buffer, &touch.elements()?)?;
    let universe = isl::Set::universe(&index.get_space()?.range()?)?;
    for dim in (0..extents.len()).filter(|&dim| !folded[dim]) {
        let zero = isl::Val::zero(&program.scop.ctx)?;
        let last = isl::Val::int_from_si(&program.scop.ctx, extents[dim] - 1)?;
        let within = universe.lower_bound_val(isl::DimType::Set, dim, &zero)?;
        let within = within.upper_bound_val(isl::DimType::Set, dim, &last)?;
        inside &= !program.scop.is_possible(&index.subtract_range(&within)?)?;
    }
    counts.add("bounds", model.in_bounds(touch)?, inside, about);
    Ok(())
}

/// Orders and windows.
fn ask_of_pairs(program: &Program, model: &Model, counts: &mut Counts) -> isl::Result<()> {
    for a in &program.touches {
        for b in program.touches.iter().filter(|b| b.buffer == a.buffer) {
            let about = || text(program, &[a, b]);
            let scope = model.scope(a.buffer);
            let instances = |touch: &Touch| program.lifted(touch.lifted).domain.clone();
            let together = program
                .may_share(a, b)?
                .intersect_domain(&instances(a))?
                .intersect_range(&instances(b))?;
            let before = program.first_not_before(&together)?.is_none();
            let seen = model.all_before(a.lifted, b.lifted, scope);
            counts.add("all before", seen, before, about);

            for pairs in order::kept(program, a.array)? {
                for pairs in pairs.maps()? {
                    let statement = |touch: &Touch| {
                        let id = program.lifted(touch.lifted).statement;
                        program.scop.statements[id].name.clone()
                    };
                    if pairs.get_tuple_name(isl::DimType::In)? != statement(a)
                        || pairs.get_tuple_name(isl::DimType::Out)? != statement(b)
                    {
                        continue;
                    }
                    let lifted = program
                        .original(a.lifted)
                        .apply_range(&pairs)?
                        .apply_range(&program.original(b.lifted).reverse()?)?;
                    let lifted = together.intersect(&lifted)?;
                    let kept = program.first_not_before(&lifted)?.is_none();
                    let Some(pairs) = model.relations(&pairs)? else {
                        continue;
                    };
                    let seen = model.in_order(a.lifted, b.lifted, scope, &pairs)?;
                    counts.add("an order", seen, kept, about);
                }
            }
            ask_of_windows(program, model, (a, b), &together, counts)?;
        }
    }
    Ok(())
}

fn ask_of_windows(
    program: &Program,
    model: &Model,
    (a, b): (&Touch, &Touch),
    together: &isl::Map,
    counts: &mut Counts,
) -> isl::Result<()> {
    let BufferKind::Local { extents, .. } = &program.buffer(a.buffer).kind else {
        return Ok(());
    };
    if b.is_read() {
        return Ok(());
    }
    for (dim, extent) in extents.iter().enumerate() {
        let coordinate = |touch: &Touch| -> isl::Result<isl::Map> {
            touch
                .elements()?
                .project_out(isl::DimType::Out, dim + 1, extents.len() - dim - 1)?
                .project_out(isl::DimType::Out, 0, dim)?
                .reset_tuple_id(isl::DimType::Out)
        };
        let apart = format!("{{ [x] -> [y] : x <= y - {extent} }}");
        let apart = isl::Map::read_from_str(&program.scop.ctx, &apart)?;
        let pairs = coordinate(a)?
            .apply_range(&apart)?
            .apply_range(&coordinate(b)?.reverse()?)?
            .intersect(together)?;
        let before = program.first_not_before(&pairs)?.is_none();
        let about = || text(program, &[a, b]);
        counts.add("a window", model.slides(a, b, dim)?, before, about);
    }
    Ok(())
}

/// Where values come from, and when.
fn ask_of_sources(
    program: &Program,
    model: &Model,
    exact: &Program,
    counts: &mut Counts,
) -> isl::Result<()> {
    for (number, read) in program.touches.iter().enumerate() {
        if !read.is_read() {
            continue;
        }
        let about = || text(program, &[read]);
        let Some(sources) = program.sources(model, read)? else {
            continue;
        };
        let writes = |program: &'_ Program| -> Vec<usize> {
            let touches = program.touches.iter().enumerate();
            let own = touches.filter(|(_, t)| !t.is_read() && t.array == read.array);
            own.map(|(at, _)| at).collect()
        };
        let numbers = writes(exact);
        let theirs: Vec<&Touch> = numbers.iter().map(|&at| &program.touches[at]).collect();
        if !program.is_full(read.buffer) && !program.scop.arrays[read.array].live_in {
            let mut all: Vec<&Touch> = vec![&exact.touches[number]];
            all.extend(numbers.iter().map(|&at| &exact.touches[at]));
            let present = order::sources_present(exact, &all)?;
            let seen = model.finds_sources(read, &theirs, &sources)?;
            counts.add("sources", seen, present, about);
        }
        for write in theirs.iter().filter(|t| t.buffer == read.buffer) {
            let writing = program.lifted(write.lifted).statement;
            let name = &program.scop.statements[writing].name;
            for level in 0..program.times()?.depth() {
                let mut agrees = true;
                for wanted in program.wanted_sources(read)?.iter() {
                    if wanted.get_tuple_name(isl::DimType::Out)? != *name {
                        continue;
                    }
                    let back = program.original(write.lifted).reverse()?;
                    let pairs = wanted.apply_range(&back)?;
                    let pairs = pairs.intersect(&program.may_share(read, write)?)?;
                    agrees &= program.agree(&pairs, level)?;
                }
                let mut own = sources.iter().filter(|sources| sources.writer == writing);
                let seen = own.all(|own| model.same_time_as_source(read, write, own, level));
                counts.add("a time of a source", seen, agrees, about);
            }
        }
    }
    Ok(())
}

/// Loops with marks.
fn ask_of_loops(program: &Program, model: &Model, counts: &mut Counts) -> isl::Result<()> {
    for (number, marked) in model.tree.loops.iter().enumerate() {
        let band = marked.node.child(0)?;
        let (around, iteration) = race::times_of(&band)?;
        let times = (
            Times::from_levels(&around)?,
            Times::from_levels(&iteration)?,
        );
        let inner = race::scopes_below(&band)?;
        for a in &program.touches {
            let lives = model.lives_inside(number, a.buffer);
            let scope = model.scope(a.buffer);
            assert_eq!(lives, scope.is_some_and(|scope| inner.contains(&scope)));
            for b in program.touches.iter().filter(|b| b.buffer == a.buffer) {
                let inside = |t| model.uses_in_loop(number, t);
                if a.is_read() || !inside(a) || !inside(b) {
                    continue;
                }
                let exact = !race::may_race(program, &times, &[a, b])?;
                let seen = model.apart_in_loop(number, a, b)?
                    && model.apart_in_loop(number, a, a)?
                    && (b.is_read() || model.apart_in_loop(number, b, b)?);
                counts.add("apart in a loop", seen, exact, || text(program, &[a, b]));
            }
        }
    }
    Ok(())
}

/// Loops whose times are sums of their variables, at one place in the tree, and subscripts that are
/// variables and a number: that is what the shortcuts are for, so they see all of it. Windows, and
/// that all of a statement comes first, are seen whatever the bounds of the loops are, and only
/// then; cells that are apart are not where folding alone keeps them apart.
#[test]
fn of_random_programs() {
    let mut runner = TestRunner::deterministic();
    let mut counts = Counts::default();
    for _ in 0..100 {
        let case = case().new_tree(&mut runner).unwrap().current();
        let scop = scop(&case);
        scop.ctx.set_max_operations(5_000_000).unwrap();
        ask(&scop, &transformed(&case, &scop), &mut counts).unwrap();
    }
    for question in [
        "a constant time",
        "a life",
        "the tile of a life",
        "bounds",
        "an order",
        "a time of a source",
        "sources",
    ] {
        counts.all_seen(question);
    }
    for question in ["a window", "all before", "apart in a loop"] {
        counts.mostly_seen(question, 80);
    }
}

/// The pipeline in tiles that overlap by any number, with scratchpads of any size.
fn tiles() -> impl Strategy<Value = (Scop, Transformed)> {
    let overlap = || (0i64..=3, 0i64..=3);
    let trees = prop::sample::select(vec!["i", "0 - i", "floor(i/4)", "7", "i - 32t"]);
    let marks = prop::sample::select(vec![
        ["parallel", "scope:0"],
        ["simd", "scope:0"],
        ["other", "scope:0"],
    ]);
    (
        overlap(),
        overlap(),
        (30i64..=42, 30i64..=42),
        prop::array::uniform3(trees),
        prop::sample::select(vec!["32t", "32t + 1", "0"]),
        marks,
        any::<bool>(),
    )
        .prop_map(|(left, right, extents, members, origin, marks, fold)| {
            let scop = pipeline();
            let nests: Vec<String> = (0..3)
                .map(|s| format!("[{{ S{s}[t, i] -> [({})] }}]", members[s]))
                .collect();
            let nests: Vec<&str> = nests.iter().map(String::as_str).collect();
            let tile = "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)]; S2[t, i] -> [(t)] }]";
            let mut plan = overlapped(&scop, left, right, extents).tiles(tile, &marks, &nests);
            for buffer in &mut plan.buffers {
                if let BufferKind::Local {
                    origin: start,
                    folded,
                    ..
                } = &mut buffer.kind
                {
                    let text = format!("{{ [t] -> [({origin})] }}");
                    *start = vec![isl::Aff::read_from_str(&scop.ctx, &text).unwrap()];
                    *folded = vec![fold];
                }
            }
            (scop, plan)
        })
}

/// Of tiles everything is seen, too, but for windows: where nothing is an extent apart, only the
/// sizes of tiles say so.
#[test]
fn of_random_tiles() {
    let mut runner = TestRunner::deterministic();
    let mut counts = Counts::default();
    for _ in 0..40 {
        let (scop, plan) = tiles().new_tree(&mut runner).unwrap().current();
        scop.ctx.set_max_operations(5_000_000).unwrap();
        ask(&scop, &plan, &mut counts).unwrap();
    }
    for question in [
        "a constant time",
        "a life",
        "the tile of a life",
        "bounds",
        "all before",
        "an order",
        "a time of a source",
        "sources",
        "apart in a loop",
    ] {
        counts.all_seen(question);
    }
    counts.mostly_seen("a window", 10);
}
