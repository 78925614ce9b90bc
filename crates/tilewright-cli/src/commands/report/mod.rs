//! Tables for people.

mod traffic;

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use std::io;
use terminal_size::{Width, terminal_size_of};
use tilewright::codegen::passes::dynamic::exits::kept::Level;
use tilewright::compile::report::GroupReport;
use tilewright::compile::{Compared, CompiledRegion, Stays};
use tilewright::plan::defaults::{EXIT_PERIOD, ROWS};
use tilewright::plan::{Group, RegionPlan, Shape};
use tilewright::scop::CheckKind;
pub use traffic::traffic;

/// What is said of memory, behind the names.
const DIFFERENT: &str = " are different memory";

/// Tables are not made narrower than this many columns.
const NARROWEST: u16 = 60;

/// A table without lines; cells wrap where the terminal is narrow.
pub fn table<const N: usize>(head: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(head);
    // Terminals without a size say that they have none or a few columns.
    if let Some((Width(columns), _)) = terminal_size_of(io::stdout()) {
        table.set_width(columns.max(NARROWEST));
    }
    table
}

/// A cell with a number.
pub fn number(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// The table's lines, indented as one block and without blanks at their ends.
pub fn lines(table: &Table) -> String {
    table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// Stages: what they read and whether they are results.
pub fn stages(region: &CompiledRegion) -> String {
    let mut table = table(["stage", "dimensions", "reads", ""]);
    for stage in &region.order.stages {
        let kind = match stage.live_out {
            true => "result",
            false if region.order.inlined.contains(&stage.name) => "inlined",
            false => "",
        };
        table.add_row([
            Cell::new(&stage.name),
            number(stage.rank),
            Cell::new(stage.reads.join(", ")),
            Cell::new(kind),
        ]);
    }
    lines(&table)
}

/// What became of arrays that could be in a block's local memory.
pub fn local(region: &CompiledRegion) -> String {
    let mut text = String::new();
    for fate in &region.local {
        text += &format!("Group {}: ", fate.group + 1);
        text += &match (&fate.reason, fate.depth) {
            (Some(reason), _) => format!("{reason}.\n"),
            (None, depth) => {
                let name = &fate.array;
                let size = bytes(usize::try_from(fate.bytes).unwrap_or(0));
                let how = match depth {
                    None | Some(0) => "once for a tile".to_owned(),
                    Some(depth) => format!(
                        "in each iteration of {depth} loop{} of a tile",
                        if depth == 1 { "" } else { "s" }
                    ),
                };
                let but = fate.elsewhere.as_ref();
                let but = but.map_or(String::new(), |elsewhere| format!("; it {elsewhere}"));
                let boxes = match fate.boxes {
                    0 | 1 => String::new(),
                    count => format!(" in {count} boxes"),
                };
                format!("`{name}` is in local memory{boxes} ({size}), copied {how}{but}.\n")
            }
        };
    }
    text
}

/// What became of loops that run to static bounds in place of data.
pub fn exits(region: &CompiledRegion) -> String {
    let mut text = String::new();
    for exit in &region.exits {
        let name = &exit.iterator;
        let left = "is left behind the last iteration that does something";
        text += &match (exit.left_by, &exit.reason) {
            (Some(Level::Thread), _) => format!("Loop `{name}` {left}.\n"),
            (Some(Level::Block), _) => {
                format!("Loop `{name}` {left}, by all threads of a block together.\n")
            }
            (Some(Level::Host), _) => format!(
                "Loop `{name}` {left}, or soon after: the host asks every {EXIT_PERIOD} \
                 iterations.\n"
            ),
            (None, Some(reason)) => format!(
                "Loop `{name}` runs over all that its static bound allows, and tests the data: \
                 {reason}.\n"
            ),
            (None, None) => String::new(),
        };
    }
    text
}

/// Where the original stays because the text has nothing to offer.
pub fn stays(region: &CompiledRegion) -> String {
    let Some(used) = used(region) else {
        return String::new();
    };
    let Some(other) = region.otherwise.as_deref() else {
        return format!("Used {used}; otherwise the original.\n");
    };
    let mut groups = other.order.groups.iter();
    let text = match groups.all(|group| group.shape == Shape::None) {
        true => "the loops as they were written, in parallel",
        false => "the second text of the plan",
    };
    match self::used(other) {
        Some(also) => format!("Used {used}. Elsewhere {text}, {also}; otherwise the original.\n"),
        None => format!("Used {used}; otherwise {text}.\n"),
    }
}

/// Where a text stands for the original, if not everywhere.
fn used(region: &CompiledRegion) -> Option<String> {
    let Stays {
        unless,
        on_one_thread,
        alone_if,
    } = &region.original.stays;
    Some(match (unless, on_one_thread, alone_if) {
        (None, false, _) => return None,
        (Some(unless), false, _) => format!("where `{unless}`"),
        (Some(unless), true, None) => format!("where `{unless}` and there are several threads"),
        (None, true, None) => "where there are several threads".to_owned(),
        (Some(unless), true, Some(alone)) => {
            format!("with several threads where `{unless}`, with one where `{alone}`")
        }
        (None, true, Some(alone)) => format!("with several threads, with one where `{alone}`"),
    })
}

/// What was predicted of the loops in another order.
pub fn predicted(region: &CompiledRegion) -> String {
    let Some(predicted) = &region.original.predicted else {
        return String::new();
    };
    format!(
        "Predicted on one thread, with {} for all sizes: {} million cycles, {} million for the loops \
         as they were written.\n",
        predicted.size,
        significant(predicted.result / 1e6),
        significant(predicted.written / 1e6),
    )
}

/// Which loops and temporaries are others than written.
pub fn changes(plan: &RegionPlan) -> String {
    let mut text = String::new();
    for name in &plan.rewrites.accumulate {
        text += &format!("`{name}` is the cell that gets it, from its first value on.\n");
    }
    for name in plan
        .groups
        .iter()
        .filter_map(Group::written)
        .flat_map(|of| &of.rows)
    {
        text +=
            &format!("{ROWS} iterations of loop `{name}` run side by side in the loops inside.\n");
    }
    text
}

/// What is compared when the program runs.
pub fn checks(region: &CompiledRegion) -> String {
    let mut text = String::new();
    let mut rest = &region.checks[..];
    while let Some(first) = rest.first() {
        // Memory that one place writes, beside all that it has to be different from.
        let together = |one: &Compared| {
            one.kind == CheckKind::Aliasing
                && (one.kind, one.line, one.assumed) == (first.kind, first.line, first.assumed)
        };
        let same = rest[1..].iter().take_while(|one| together(one)).count();
        let (own, others) = rest.split_at(same + 1);
        rest = others;
        let mut what: Vec<&str> = Vec::new();
        for one in own {
            let names = one.what.strip_suffix(DIFFERENT).unwrap_or(&one.what);
            if !what.contains(&names) {
                what.push(names);
            }
        }
        let different = match first.what.ends_with(DIFFERENT) {
            true => DIFFERENT,
            false => "",
        };
        let what = what.join(", ") + different;
        let (kind, line) = (first.kind.name(), first.line);
        text += &match first.assumed {
            true => format!("Assumed, not checked ({kind}, line {line}): {what}.\n"),
            false => format!(
                "Checked at run time ({kind}, line {line}): {what}; otherwise the original.\n"
            ),
        };
    }
    text
}

/// What of the text was executed beside the original.
pub fn certified(region: &CompiledRegion) -> String {
    let Some(found) = &region.executed.certified else {
        return String::new();
    };
    let mut text = match found.runs {
        0 => "Not executed beside the original".to_owned(),
        1 => "Executed beside the original on 1 input".to_owned(),
        runs => format!("Executed beside the original on {runs} inputs"),
    };
    if found.lines > 0 && found.runs > 0 {
        text += &format!(", {} of {} lines", found.reached, found.lines);
    }
    if let Some(why) = &found.unknown {
        text += &format!(": {why}");
    }
    text += ".\n";
    if let Some(other) = &region.otherwise {
        let executed = certified(other);
        if !executed.is_empty() {
            text += &format!("The other text: {}", executed.replacen('E', "e", 1));
        }
    }
    text
}

/// What was predicted for each shape of tiles over time.
pub fn shapes(region: &CompiledRegion) -> String {
    if region.order.shapes.is_empty() {
        return String::new();
    }
    let mut shapes = table(["shape", "tile sizes", "predicted"]);
    for shape in &region.order.shapes {
        let sizes: Vec<String> = shape.tile_sizes.iter().map(i64::to_string).collect();
        shapes.add_row([
            Cell::new(shape.shape.name()),
            Cell::new(sizes.join(" x ")),
            number(cost(shape.time, "ns")),
        ]);
    }
    lines(&shapes)
}

/// Why stages are grouped as they are: the parts of each group's cost, and what others would cost.
pub fn why(region: &CompiledRegion) -> String {
    let Some(why) = &region.order.why else {
        return String::new();
    };
    let mut costs = table(["group", "traffic", "clean-up", "overlap", "extents", "cost"]);
    for (at, group) in why.groups.iter().enumerate() {
        let terms = &group.terms;
        costs.add_row(
            [terms.traffic, terms.cleanup, terms.overlap, terms.extents]
                .iter()
                .fold(vec![number(at + 1)], |mut row, &part| {
                    row.push(number(cost(part, why.unit)));
                    row
                })
                .into_iter()
                .chain([number(cost(terms.total(), why.unit))]),
        );
    }
    let mut text = lines(&costs);
    if let Some(other) = &why.runner_up {
        text += &format!(
            "\nSecond best, {} against {} before tile sizes were refined:\n",
            cost(other.cost, why.unit),
            cost(why.cost, why.unit)
        );
        for group in &other.groups {
            text += &format!("  {}\n", group.join(", "));
        }
    }
    if !why.merges.is_empty() {
        let mut merges = table(["groups", "apart", "as one"]);
        for merge in &why.merges {
            merges.add_row([
                number(format!("{} and {}", merge.producer + 1, merge.consumer + 1)),
                number(cost(merge.apart, why.unit)),
                number(
                    merge
                        .merged
                        .map_or("impossible".to_owned(), |c| cost(c, why.unit)),
                ),
            ]);
        }
        text += "\n";
        text += &lines(&merges);
    }
    let were = if why.compared == 1 { " was" } else { "s were" };
    text += &format!("\n{} group{were} compared", why.compared);
    if let Some(limit) = why.limit {
        text += &format!(", at first of no more than {limit} stages");
    }
    text + ".\n"
}

/// A cost: a time, or a number without unit.
fn cost(value: f64, unit: &str) -> String {
    match unit {
        "ns" if value.abs() >= 1e5 => format!("{:.2} ms", value / 1e6),
        "ns" => format!("{:.1} µs", value / 1e3),
        _ => format!("{value:.1}"),
    }
}

/// What became of a group, in a sentence.
pub fn group(group: &GroupReport) -> String {
    let sizes = match tile_sizes(group) {
        sizes if sizes.is_empty() => String::new(),
        sizes => format!(", tiles of {sizes}"),
    };
    let shape = match group.shape {
        Shape::None => "loops as written".to_owned(),
        shape => format!("shape {}", shape.name()),
    };
    format!("{}: {shape}{sizes}.", group.stages.join(", "))
}

/// Groups in the order of execution.
pub fn groups(region: &CompiledRegion) -> String {
    if region.order.groups.is_empty() {
        return match region.original.left {
            Some(why) => format!(" The region is left as it was: {why}.\n"),
            None => " The region is left as it was.\n".to_owned(),
        };
    }
    let mut table = table(["group", "stages", "shape", "tile sizes", "local memory"]);
    for (at, group) in region.order.groups.iter().enumerate() {
        table.add_row([
            number(at + 1),
            Cell::new(group.stages.join(", ")),
            Cell::new(group.shape.name()),
            Cell::new(tile_sizes(group)),
            number(if group.unshared_bytes > group.local_bytes {
                format!(
                    "{} ({} unshared)",
                    bytes(group.local_bytes),
                    bytes(group.unshared_bytes)
                )
            } else {
                bytes(group.local_bytes)
            }),
        ]);
    }
    lines(&table)
}

/// Which tiles are inside which, for which caches, and why.
pub fn levels(region: &CompiledRegion, plan: &[Group]) -> String {
    let mut text = String::new();
    for (at, group) in region.order.groups.iter().enumerate() {
        let why = region.order.why.as_ref().and_then(|why| why.groups.get(at));
        let levels = why.and_then(|why| why.levels.as_ref());
        let inner = group.inner.first().map(|along| along.block);
        if levels.is_none() && inner.is_none() {
            continue;
        }
        let own = match levels.and_then(|levels| levels.cache) {
            Some(1) => "tiles for the first cache",
            Some(_) => "tiles for the second cache",
            None => "tiles",
        };
        text += &format!("Group {}: {own}", at + 1);
        text += &match inner {
            None => ", none inside.".to_owned(),
            Some(rows) => {
                let first = levels.is_some_and(|l| l.first_cache.contains(&rows));
                let jammed = plan.get(at).is_some_and(|group| !group.jam().is_empty());
                format!(
                    "; inside, in sequence, tiles of {rows} row{}{}{}.",
                    if rows == 1 { "" } else { "s" },
                    if first { " for the first cache" } else { "" },
                    if jammed { ", which share loads" } else { "" },
                )
            }
        };
        if let Some(levels) = levels {
            let first = format!(
                " Tiles of {} for the first cache alone",
                sizes(&levels.first_cache)
            );
            text += &match levels.overlap {
                Some(overlap) => format!(
                    "{first} compute {overlap:.0} cells again, {} than their {:.0} of the result.",
                    if levels.two() { "more" } else { "no more" },
                    levels.tile,
                ),
                None => format!("{first} do not hold cells of every stage."),
            };
        }
        text += "\n";
    }
    text
}

/// `32 in sequence × 256`; of bands of loops `32 × 256, 16 × 16`.
fn tile_sizes(group: &GroupReport) -> String {
    if !group.bands.is_empty() {
        let bands: Vec<String> = group.bands.iter().map(|band| sizes(band)).collect();
        return bands.join(", ");
    }
    let text = |(dimension, &size): (usize, &i64)| {
        let mut turns = group.ordinary.iter();
        match turns.find(|along| along.dimension == dimension) {
            Some(along) => format!("{} in sequence", along.block),
            None => sizes(&[size]),
        }
    };
    let all = group.tile_sizes.iter().enumerate();
    all.map(text).collect::<Vec<_>>().join(" × ")
}

/// What one tile of a group computes.
pub fn footprints(group: &GroupReport) -> String {
    if group.footprints.is_empty() {
        return String::new();
    }
    let mut table = table([
        "stage",
        "footprint of a tile",
        "computed again",
        "scratchpad",
    ]);
    for footprint in &group.footprints {
        table.add_row([
            Cell::new(&footprint.stage),
            Cell::new(sizes(&footprint.extents)),
            number(format!("{:.1} %", footprint.overlap * 100.0)),
            number(match &footprint.shares {
                Some(first) => format!("{}, in {first}", bytes(footprint.bytes)),
                None => bytes(footprint.bytes),
            }),
        ]);
    }
    lines(&table)
}

/// `1 × 32 × 256`
pub fn sizes(sizes: &[i64]) -> String {
    let text = |size: &i64| {
        if *size == 0 {
            "whole".to_owned()
        } else {
            size.to_string()
        }
    };
    sizes.iter().map(text).collect::<Vec<_>>().join(" × ")
}

/// `33.5 kB`
fn bytes(count: usize) -> String {
    match count {
        0 => "–".to_owned(),
        1..1000 => format!("{count} B"),
        1000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// Milliseconds with at least three digits.
pub fn significant(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
