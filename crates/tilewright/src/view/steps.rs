//! Slices of loops whose iterations need each other: the outermost loop from top to bottom, one
//! of the loops inside from left to right.

use super::arrows::{Flow, arrows, dependence};
use super::place::{self, Member, Missing, Parameters, View};
use super::{Point, Row, Slice, Tile};
use isl::{DimType, Map, Set};
use std::collections::{BTreeMap, BTreeSet};

/// Rows that are drawn at most.
const ROWS: i64 = 16;
/// Values of the outermost loop that are drawn at most.
const STEPS: i64 = 12;
/// Columns that are drawn at most.
const COLUMNS: i64 = 30;

/// A tile: its nest, its phase and its coordinates.
type Key = (usize, usize, Vec<i64>);

/// A row: the nest, the value of the outer loop, the stage's place in the group.
type RowKey = (usize, i64, usize);

/// A statement with what is drawn of it.
struct Line<'v> {
    member: &'v Member<'v>,
    /// Its loop that lies horizontally.
    x: usize,
    /// Values of its other loops.
    fixed: Vec<(usize, i64)>,
    /// Points `[k…, y, x]`.
    points: Set,
    tile_dims: usize,
}

pub(super) fn slice(view: &View, wish: Option<&str>) -> Result<Slice, Missing> {
    let depth = |member: &Member| {
        view.scop().statements[member.lifted.statement]
            .iterators
            .len()
    };
    let deepest = view
        .members
        .iter()
        .max_by_key(|member| depth(member))
        .ok_or_else(|| Missing::Nothing("its loops are not tiled".to_owned()))?;
    let names: Vec<String> = view.scop().statements[deepest.lifted.statement]
        .iterators
        .iter()
        .map(|iterator| iterator.name.clone())
        .collect();
    if names.len() < 2 {
        return Err(Missing::Nothing("it has one loop only".to_owned()));
    }
    let tiled = |&x: &usize| deepest.tile.iter().any(|c| c.from.contains(&x));
    let x = match wish {
        None if view.bands.is_some() => (1..names.len()).find(tiled).unwrap_or(1),
        None => 1,
        Some(wish) => dimension_named(&names, wish)?,
    };
    let parameters = view
        .parameters(COLUMNS + 2)?
        .ok_or_else(|| Missing::Nothing("it executes nothing".to_owned()))?;

    let mut slice = Slice {
        dimension: names[x].clone(),
        rows: Vec::new(),
        tiles: Vec::new(),
        points: Vec::new(),
        dependences: Vec::new(),
        counted: None,
        tile_sizes: Vec::new(),
        parameters: Vec::new(),
        notes: Vec::new(),
    };
    let window = window(view, deepest, x, &parameters)?;
    let mut lines = Vec::new();
    let mut left_out: Vec<&str> = Vec::new();
    for member in &view.members {
        // Those that prepare a value lie where the others do.
        if view
            .members_of(member.stage)
            .any(|m| depth(m) > depth(member))
        {
            continue;
        }
        match line(view, member, &names, x, &parameters, &window)? {
            Some(line) => lines.push(line),
            None => left_out.push(&*view.scop().statements[member.lifted.statement].name),
        }
    }
    if !left_out.is_empty() {
        let left_out = left_out.join(", ");
        let note = format!(
            "statements without a loop {} are left out: {left_out}",
            names[x]
        );
        slice.notes.push(note);
    }
    if lines.iter().all(|line| line.tile_dims == 0) {
        return Err(Missing::Dimension {
            reason: format!("it has no tiles along `{}`", names[x]),
            there_are: names[1..].to_vec(),
        });
    }
    let stages = view.stages.iter().filter(|&&stage| {
        let stage = |line: &Line| line.member.stage == stage;
        lines.iter().any(stage)
    });
    let stages = stages.count().max(1);
    let mut window = window;
    let mut steps = ROWS / stages as i64;
    if let Some(bands) = &view.bands {
        // Whole bands, if there is room for some.
        steps = (steps - steps % bands.bands.iterations).max(steps.min(bands.bands.iterations));
    }
    window.y.1 = window.y.1.min(window.y.0 + steps - 1);

    let rows = fill(view, &lines, &names, &window, &mut slice)?;
    slice.dependences = dependences(view, &lines, &parameters, &rows, &slice)?;
    slice.parameters = parameters.0;
    slice.parameters.extend(window.others);
    if view.over_time {
        let note = "tiles of one colour are executed at the same time";
        slice.notes.push(note.to_owned());
    }
    Ok(slice)
}

fn dimension_named(names: &[String], wish: &str) -> Result<usize, Missing> {
    let found = names.iter().position(|name| name == wish);
    let reason = match found.or_else(|| super::counted(wish, names.len())) {
        Some(0) => format!("`{}` lies vertically", names[0]),
        Some(found) => return Ok(found),
        None => format!("it has no loop `{wish}`"),
    };
    Err(Missing::Dimension {
        reason,
        there_are: names[1..].to_vec(),
    })
}

/// What is seen.
struct Window {
    y: (i64, i64),
    x: (i64, i64),
    /// Other loops and their values.
    others: Vec<(String, i64)>,
}

fn window(
    view: &View,
    member: &Member,
    x: usize,
    parameters: &Parameters,
) -> Result<Window, Missing> {
    let nothing = || Missing::Nothing("it executes nothing".to_owned());
    let statement = &view.scop().statements[member.lifted.statement];
    let mut domain = parameters.fix(&statement.domain)?;
    let (low, high) = place::range(&domain, 0)?.ok_or_else(nothing)?;
    let y = (low, high.min(low + STEPS - 1));
    let end = isl::Val::int_from_si(domain.ctx(), y.1)?;
    domain = domain.upper_bound_val(DimType::Set, 0, &end)?;
    let mut others = Vec::new();
    for other in (1..statement.iterators.len()).filter(|&i| i != x) {
        let (low, high) = place::range(&domain, other)?.ok_or_else(nothing)?;
        let middle = low + (high - low) / 2;
        let fixed = place::fix(&domain, other, middle)?;
        let value = if fixed.is_empty()? { low } else { middle };
        domain = place::fix(&domain, other, value)?;
        others.push((statement.iterators[other].name.clone(), value));
    }
    let (low, high) = place::range(&domain, x)?.ok_or_else(nothing)?;
    let x = (low, high.min(low + COLUMNS - 1));
    Ok(Window { y, x, others })
}

/// What is drawn of a statement; None if it does not have the loop.
fn line<'v>(
    view: &View,
    member: &'v Member<'v>,
    names: &[String],
    x: usize,
    parameters: &Parameters,
    window: &Window,
) -> isl::Result<Option<Line<'v>>> {
    let iterators = &view.scop().statements[member.lifted.statement].iterators;
    let named = iterators
        .iter()
        .position(|iterator| iterator.name == names[x]);
    let same_depth = iterators.len() == names.len();
    let Some(x) = named.or(same_depth.then_some(x)).filter(|&x| x > 0) else {
        return Ok(None);
    };
    let lifted = member.lifted;
    let mut domain = lifted.domain.clone();
    let mut fixed = Vec::new();
    for (i, iterator) in iterators.iter().enumerate() {
        if i == 0 || i == x {
            continue;
        }
        let all = parameters.fix(&domain)?;
        let wanted = window
            .others
            .iter()
            .find(|(name, _)| *name == iterator.name);
        let mut value = None;
        if let Some(&(_, wanted)) = wanted {
            if !place::fix(&all, lifted.tile_dims + i, wanted)?.is_empty()? {
                value = Some(wanted);
            }
        }
        if value.is_none() {
            let range = place::range(&all, lifted.tile_dims + i)?;
            value = range.map(|(low, high)| low + (high - low) / 2);
        }
        if let Some(value) = value {
            domain = place::fix(&domain, lifted.tile_dims + i, value)?;
            fixed.push((i, value));
        }
    }
    let mut map: Option<Map> = None;
    let mut tile_dims = 0;
    for coordinate in &member.tile {
        // Tiles are cut by other loops, too: that is not seen in this slice.
        if fixed.iter().any(|(i, _)| coordinate.from.contains(i)) {
            continue;
        }
        tile_dims += 1;
        map = Some(match map {
            Some(before) => before.flat_range_product(&coordinate.value)?,
            None => coordinate.value.clone(),
        });
    }
    let at = place::coordinates(&domain, &[lifted.tile_dims, lifted.tile_dims + x])?;
    let map = match map {
        Some(map) => map.flat_range_product(&at)?,
        None => at,
    };
    let points = parameters.fix(&map.intersect_domain(&domain)?.range()?)?;
    Ok(Some(Line {
        member,
        x,
        fixed,
        points,
        tile_dims,
    }))
}

/// Rows, points and tiles; returns the rows' numbers by value of the outer loop and stage.
fn fill(
    view: &View,
    lines: &[Line],
    names: &[String],
    window: &Window,
    slice: &mut Slice,
) -> isl::Result<BTreeMap<RowKey, usize>> {
    let order = |stage: usize| {
        let position = view.stages.iter().position(|&s| s == stage);
        position.unwrap_or(0)
    };
    let mut computed: BTreeMap<(RowKey, i64), BTreeSet<Key>> = BTreeMap::new();
    for line in lines {
        let mut points = line.points.clone();
        for (dim, (low, high)) in [(line.tile_dims, window.y), (line.tile_dims + 1, window.x)] {
            let low = isl::Val::int_from_si(points.ctx(), low)?;
            let high = isl::Val::int_from_si(points.ctx(), high)?;
            points = points
                .lower_bound_val(DimType::Set, dim, &low)?
                .upper_bound_val(DimType::Set, dim, &high)?;
        }
        for point in points.points()? {
            let all = point.coordinates()?;
            let (tile, at) = all.split_at(line.tile_dims);
            let row = (line.member.nest, at[0], order(line.member.stage));
            let tiles = computed.entry((row, at[1])).or_default();
            if line.tile_dims > 0 {
                tiles.insert((line.member.nest, line.member.phase, tile.to_vec()));
            }
        }
    }
    let mut places: BTreeMap<RowKey, (i64, i64)> = BTreeMap::new();
    if let Some(bands) = &view.bands {
        for &(row @ (nest, y, stage), _) in computed.keys() {
            let own = |l: &&Line| (l.member.nest, order(l.member.stage)) == (nest, stage);
            if let (false, Some(line)) = (places.contains_key(&row), lines.iter().find(own)) {
                places.insert(row, bands.place(line.member, y, line.x)?);
            }
        }
    }
    let mut rows = BTreeMap::new();
    for &(row, _) in computed.keys() {
        let next = rows.len();
        rows.entry(row).or_insert(next);
    }
    let stages: BTreeSet<usize> = rows.keys().map(|&(_, _, stage)| stage).collect();
    let several = stages.len() > 1;
    for row @ &(_, y, stage) in rows.keys() {
        let (scale, shift) = places.get(row).copied().unwrap_or((1, 0));
        let name = &view.region.graph.stages[view.stages[stage]].name;
        slice.rows.push(Row {
            label: if several {
                format!("{name}, {} = {y}", names[0])
            } else {
                format!("{} = {y}", names[0])
            },
            stage: name.clone(),
            scale,
            shift,
            count: 0,
            redundant: 0,
        });
    }
    let keys: BTreeSet<&Key> = computed.values().flatten().collect();
    let keys: Vec<&Key> = keys.into_iter().collect();
    let phases = view.members.iter().map(|m| m.phase + 1).max().unwrap_or(1);
    for (nest, phase, tile) in &keys {
        let coordinates: Vec<String> = tile.iter().map(i64::to_string).collect();
        let coordinates = coordinates.join(", ");
        let (name, colour) = if view.over_time {
            // Tiles that are executed at the same time have one colour.
            let band = tile.first().copied().unwrap_or(0);
            let name = match phases {
                1 => coordinates,
                _ => format!("{phase}: {coordinates}"),
            };
            (name, band * phases as i64 + *phase as i64)
        } else {
            let mixed = tile.iter().rev().zip([1, 2, 3]).map(|(c, f)| c * f);
            (coordinates, mixed.sum::<i64>() + 3 * *nest as i64)
        };
        slice.tiles.push(Tile {
            name,
            colour: colour.rem_euclid(6) as usize,
        });
    }
    for ((row, position), tiles) in &computed {
        let Row { scale, shift, .. } = slice.rows[rows[row]];
        slice.points.push(Point {
            row: rows[row],
            position: *position * scale + shift,
            tiles: (0..keys.len())
                .filter(|&i| tiles.contains(keys[i]))
                .collect(),
        });
    }
    Ok(rows)
}

/// What a point towards the end needs.
fn dependences(
    view: &View,
    lines: &[Line],
    parameters: &Parameters,
    rows: &BTreeMap<RowKey, usize>,
    slice: &Slice,
) -> isl::Result<Vec<super::Dependence>> {
    let statements = &view.scop().statements;
    let place_of = |line: &Line, fix: bool| -> isl::Result<Map> {
        let mut domain = statements[line.member.lifted.statement].domain.clone();
        for &(i, value) in line.fixed.iter().filter(|_| fix) {
            domain = place::fix(&domain, i, value)?;
        }
        parameters.fix_map(&place::coordinates(&domain, &[0, line.x])?)
    };
    let order = |line: &Line| view.stages.iter().position(|&s| s == line.member.stage);
    let mut flows = Vec::new();
    for edge in &view.region.dataflow.edges {
        for sources in edge.sources.maps()? {
            let name = sources.tuple_name(DimType::In)?.unwrap_or_default();
            let of = |statement: Option<usize>| {
                lines
                    .iter()
                    .find(|l| Some(l.member.lifted.statement) == statement)
            };
            let pair = of(view.scop().statement_named(&name)).zip(of(Some(edge.reader)));
            let Some((writer, reader)) = pair else {
                continue;
            };
            let map = parameters
                .fix_map(&sources)?
                .apply_domain(&place_of(writer, false)?)?
                .apply_range(&place_of(reader, true)?)?;
            if let Some((producer, consumer)) = order(writer).zip(order(reader)) {
                flows.push(Flow {
                    map,
                    producer,
                    consumer,
                });
            }
        }
    }
    let target_row = slice.rows.len() * 3 / 5;
    let in_row: Vec<i64> = slice
        .points
        .iter()
        .filter(|point| point.row == target_row)
        .map(|point| {
            let Row { scale, shift, .. } = slice.rows[target_row];
            (point.position - shift) / scale
        })
        .collect();
    let target = rows.iter().find(|&(_, &row)| row == target_row);
    let Some((&(_, y, stage), &x)) = target.map(|(key, _)| key).zip(in_row.get(in_row.len() / 2))
    else {
        return Ok(Vec::new());
    };
    let all = arrows(&flows, (stage, vec![y, x]), 1)?;
    let place = |(stage, at): &(usize, Vec<i64>)| {
        let y = *at.first()?;
        let mut found = rows.iter();
        let (_, &row) = found.find(|&(&(_, own, of), _)| (own, of) == (y, *stage))?;
        let Row { scale, shift, .. } = slice.rows[row];
        let position = *at.get(1)? * scale + shift;
        slice
            .points
            .iter()
            .any(|p| (p.row, p.position) == (row, position))
            .then_some((row, position))
    };
    Ok(all
        .iter()
        .filter_map(|(from, to)| dependence(place(from), place(to)))
        .collect())
}
