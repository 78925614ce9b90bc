//! A machine with an external memory and a folded local one that executes tiled programs, instance
//! by instance, on symbols: a value is a hash of the instance that computed it and of what it
//! read. Two runs that leave the same symbols in memory compute the same from any data.

use crate::analysis::region::Region;
use crate::reuse::tiling::Tiling;
use crate::reuse::{Memory, Overlap, Transfers};
use crate::scop::{AccessKind, ArrayId};
use isl::{DimType, Map, PwAff, Set};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) type Cell = (ArrayId, Vec<i64>);

/// One statement instance.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    statement: usize,
    iterators: Vec<i64>,
    /// Its place in the original order.
    time: Vec<i64>,
    pub point: Vec<i64>,
    pub reads: Vec<Cell>,
    pub writes: Vec<Cell>,
}

/// Values of parameters and tile sizes.
pub(super) fn at(ctx: &isl::Ctx, values: &[(&str, i64)]) -> Set {
    let names: Vec<&str> = values.iter().map(|v| v.0).collect();
    let fixed: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let text = format!("[{}] -> {{ : {} }}", names.join(", "), fixed.join(" and "));
    Set::read_from_str(ctx, &text).unwrap()
}

/// All instances for some values, in the original order.
pub(super) fn instances(region: &Region, tiling: &Tiling, values: &[(&str, i64)]) -> Vec<Instance> {
    let scop = &region.scop;
    let values = at(&scop.ctx, values);
    let pairs = |map: &Map| -> Vec<(Vec<i64>, Vec<i64>)> {
        let split = map.domain_tuple_dim().unwrap();
        let map = map.intersect_params(&values).unwrap();
        let points = map.wrap().unwrap().points().unwrap();
        let all = points.iter().map(|p| p.coordinates().unwrap());
        all.map(|c| (c[..split].to_vec(), c[split..].to_vec()))
            .collect()
    };
    let of = |all: &isl::UnionMap, name: &str| -> HashMap<Vec<i64>, Vec<i64>> {
        let maps = all.intersect_params(&values).unwrap().maps().unwrap();
        let own = maps
            .iter()
            .filter(|m| m.get_tuple_name(DimType::In).unwrap() == name);
        own.flat_map(&pairs).collect()
    };
    let order = scop.schedule.get_map().unwrap();
    let mut all = Vec::new();
    for (number, statement) in scop.statements.iter().enumerate() {
        let times = of(&order, &statement.name);
        let points = of(&tiling.mapping.theta, &statement.name);
        let mut own: BTreeMap<Vec<i64>, Instance> = BTreeMap::new();
        for (iterators, point) in points {
            let time = times[&iterators].clone();
            own.insert(
                iterators.clone(),
                Instance {
                    statement: number,
                    iterators,
                    time,
                    point,
                    reads: Vec::new(),
                    writes: Vec::new(),
                },
            );
        }
        for access in &statement.accesses {
            for (iterators, cell) in pairs(&access.relation) {
                let instance = own.get_mut(&iterators).unwrap();
                match access.kind {
                    AccessKind::Read => instance.reads.push((access.array, cell)),
                    AccessKind::Write => instance.writes.push((access.array, cell)),
                }
            }
        }
        all.extend(own.into_values());
    }
    all.sort_by(|a, b| a.time.cmp(&b.time));
    all
}

fn symbol(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

impl Instance {
    fn compute(&self, mut read: impl FnMut(&Cell) -> u64) -> u64 {
        let inputs: Vec<u64> = self.reads.iter().map(&mut read).collect();
        symbol((self.statement, &self.iterators, inputs))
    }
}

/// What the original program leaves in memory.
pub(super) fn original(instances: &[Instance]) -> HashMap<Cell, u64> {
    let mut memory: HashMap<Cell, u64> = HashMap::new();
    for instance in instances {
        let value = instance.compute(|cell| memory.get(cell).copied().unwrap_or(symbol(cell)));
        for cell in &instance.writes {
            memory.insert(cell.clone(), value);
        }
    }
    memory
}

/// A tile of a strip.
pub(super) struct Tile<'a> {
    pub origin: Vec<i64>,
    /// In the order of execution.
    pub instances: Vec<&'a Instance>,
}

/// The strips of the tiling with corners at multiples of the sizes plus `shift`, each with its
/// rows of tiles, from the first that holds something to the last.
pub(super) fn strips<'a>(
    tiling: &Tiling,
    instances: &'a [Instance],
    sizes: &[i64],
    shift: &[i64],
) -> Vec<Vec<Vec<Tile<'a>>>> {
    let mapping = &tiling.mapping;
    let last = mapping.origin() - 1;
    let corner = |point: &[i64]| -> Vec<i64> {
        let mut origin = point[..=last].to_vec();
        for (k, size) in sizes.iter().enumerate() {
            let d = mapping.outer + k;
            origin[d] = (point[d] - shift[k]).div_euclid(*size) * size + shift[k];
        }
        origin
    };
    let mut tiles: BTreeMap<Vec<i64>, Vec<&Instance>> = BTreeMap::new();
    for instance in instances {
        tiles
            .entry(corner(&instance.point))
            .or_default()
            .push(instance);
    }
    let mut rows: BTreeMap<Vec<i64>, Vec<Tile>> = BTreeMap::new();
    for (origin, mut inside) in tiles {
        inside.sort_by(|a, b| a.point.cmp(&b.point));
        let row = rows.entry(origin[..last].to_vec()).or_default();
        // Tiles without a point between others are executed, too.
        while let Some(before) = row.last().map(|t| t.origin[last]) {
            let next = before + sizes[sizes.len() - 1];
            if next == origin[last] {
                break;
            }
            let mut origin = origin.clone();
            origin[last] = next;
            row.push(Tile {
                origin,
                instances: Vec::new(),
            });
        }
        row.push(Tile {
            origin,
            instances: inside,
        });
    }
    let mut strips: BTreeMap<Vec<i64>, Vec<Vec<Tile>>> = BTreeMap::new();
    for (key, row) in rows {
        let strip = key[..mapping.outer + tiling.first_in_strip()].to_vec();
        strips.entry(strip).or_default().push(row);
    }
    strips.into_values().collect()
}

/// A map for one tile or strip.
fn fixed(map: &Map, origin: &[i64]) -> Map {
    let mut map = map.clone();
    for (k, at) in origin.iter().enumerate() {
        let at = i32::try_from(*at).unwrap();
        map = map.fix_si(DimType::In, k, at).unwrap();
    }
    map
}

/// The cells that a map, in which parameters have values, gives for a tile.
pub(super) fn cells(map: &Map, origin: &[i64], array: ArrayId) -> Vec<Cell> {
    let points = fixed(map, origin).range().unwrap().points().unwrap();
    points
        .iter()
        .map(|p| (array, p.coordinates().unwrap()))
        .collect()
}

/// Whether a set without free parameters has a cell.
fn has(set: &Set, cell: &[i64]) -> bool {
    let mut set = set.clone();
    for (dim, at) in cell.iter().enumerate() {
        let at = i32::try_from(*at).unwrap();
        set = set.fix_si(DimType::Set, dim, at).unwrap();
    }
    !set.is_empty().unwrap()
}

/// The value of a function of parameters; 1 where it has none.
pub(super) fn number(function: &PwAff, values: &Set) -> i64 {
    let function = function.intersect_params(values).unwrap();
    if function.domain().unwrap().is_empty().unwrap() {
        1
    } else {
        function.max_val().unwrap().to_i64().unwrap()
    }
}

/// A step of a strip's execution: phase and number of the tile in its row.
#[derive(Clone, Copy)]
enum Phase {
    Load(usize),
    Compute(usize),
    Store(usize),
}

/// Orders of the phases of a row that a schedule allows, the extreme ones.
fn orders(overlap: Overlap, tiles: usize) -> Vec<Vec<Phase>> {
    use Phase::{Compute, Load, Store};
    if overlap == Overlap::Sequential {
        return vec![
            (0..tiles)
                .flat_map(|p| [Load(p), Compute(p), Store(p)])
                .collect(),
        ];
    }
    // Loads as early as possible, or computations before the stores of the tile before.
    let mut early = vec![Load(0)];
    let mut late = vec![Load(0), Compute(0)];
    for p in 0..tiles {
        if p + 1 < tiles {
            early.push(Load(p + 1));
            late.extend([Load(p + 1), Compute(p + 1)]);
        }
        early.extend([Compute(p), Store(p)]);
        late.push(Store(p));
    }
    vec![early, late]
}

/// What went wrong in a tiled run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrong {
    /// A cell was loaded that was in local memory.
    Again(Cell),
    /// Memory differs from the original's.
    Differs,
}

/// A tiled program with its local memory.
pub(super) struct Run<'a> {
    pub region: &'a Region,
    pub tiling: &'a Tiling,
    pub transfers: &'a Transfers,
    /// The local memory of each array for the strip with these first dimensions.
    pub local: &'a dyn Fn(ArrayId, &[i64]) -> Vec<Piece>,
    pub overlap: Overlap,
}

/// Cells that share memory, with their moduli; without cells, all that no piece before has.
pub(super) struct Piece {
    pub cells: Option<Set>,
    pub moduli: Vec<i64>,
}

/// An array in one piece.
pub(super) fn whole(moduli: Vec<i64>) -> Vec<Piece> {
    vec![Piece {
        cells: None,
        moduli,
    }]
}

/// Local memory whose moduli are functions of parameters, sizes and counters.
pub(super) fn folded<'a>(
    tiling: &'a Tiling,
    memory: &'a Memory,
    values: &'a [(&'a str, i64)],
    ctx: &'a isl::Ctx,
) -> impl Fn(ArrayId, &[i64]) -> Vec<Piece> + 'a {
    let counters: Vec<String> = (0..tiling.mapping.outer)
        .map(crate::reuse::lifetimes::counter)
        .collect();
    move |array, strip| {
        let mut all = values.to_vec();
        all.extend(
            counters
                .iter()
                .map(String::as_str)
                .zip(strip.iter().copied()),
        );
        let all = at(ctx, &all);
        let local = memory.arrays.iter().find(|l| l.array == array).unwrap();
        let pieces = local.parts.iter().map(|part| Piece {
            cells: part.cells.as_ref().map(|map| {
                let map = map.intersect_params(&at(ctx, values)).unwrap();
                fixed(&map, strip).range().unwrap()
            }),
            moduli: part.moduli.iter().map(|m| number(m, &all)).collect(),
        });
        pieces.collect()
    }
}

/// A tile by its origin, and whether it is loaded.
type Transfer = (Vec<i64>, bool);

impl Run<'_> {
    /// Executes for all orders that the schedule allows; returns loads and stores of one of them.
    pub fn execute(
        &self,
        instances: &[Instance],
        values: &[(&str, i64)],
        shift: &[i64],
    ) -> Result<(usize, usize), Wrong> {
        let sizes: Vec<i64> = self
            .tiling
            .sizes
            .iter()
            .map(|name| values.iter().find(|v| v.0 == *name).unwrap().1)
            .collect();
        let given = at(&self.region.scop.ctx, values);
        let wanted = original(instances);
        let strips = strips(self.tiling, instances, &sizes, shift);
        let arrays = self.transfers.arrays.iter();
        let fix = |map: &Map| map.intersect_params(&given).unwrap().coalesce().unwrap();
        let moved = arrays.map(|own| (own.array, fix(&own.load), fix(&own.store)));
        let moved: Vec<(ArrayId, Map, Map)> = moved.collect();
        // What tiles move, found once for all orders.
        let moves: RefCell<HashMap<Transfer, Vec<Cell>>> = RefCell::default();
        let of_tile = |origin: &[i64], loads: bool| -> Vec<Cell> {
            let key = (origin.to_vec(), loads);
            if let Some(known) = moves.borrow().get(&key) {
                return known.clone();
            }
            let maps = moved.iter().map(|(array, load, store)| {
                if loads {
                    (load, *array)
                } else {
                    (store, *array)
                }
            });
            let found = maps.flat_map(|(map, array)| cells(map, origin, array));
            let found: Vec<Cell> = found.collect();
            moves.borrow_mut().insert(key, found.clone());
            found
        };
        let mut counts = (0, 0);
        for variant in 0..orders(self.overlap, 1).len() {
            let mut external: HashMap<Cell, u64> = HashMap::new();
            counts = (0, 0);
            for strip in &strips {
                let mut local: HashMap<Cell, u64> = HashMap::new();
                let mut there: BTreeSet<Cell> = BTreeSet::new();
                let mut pieces: HashMap<ArrayId, Vec<Piece>> = HashMap::new();
                let first = self.tiling.mapping.outer + self.tiling.first_in_strip();
                let first = &strip[0][0].origin[..first];
                for own in &self.transfers.arrays {
                    pieces.insert(own.array, (self.local)(own.array, first));
                }
                let of_piece: RefCell<HashMap<Cell, usize>> = RefCell::default();
                let place = |cell: &Cell| -> Cell {
                    let own = &pieces[&cell.0];
                    let mut known = of_piece.borrow_mut();
                    let number = *known.entry(cell.clone()).or_insert_with(|| {
                        let within = |p: &Piece| p.cells.as_ref().is_none_or(|c| has(c, &cell.1));
                        own.iter().position(within).unwrap()
                    });
                    let index = cell.1.iter().zip(&own[number].moduli);
                    let index = index.map(|(i, m)| i.rem_euclid(*m));
                    (cell.0, index.chain([number as i64]).collect())
                };
                for row in strip {
                    for phase in &orders(self.overlap, row.len())[variant] {
                        match *phase {
                            Phase::Load(p) => {
                                for cell in of_tile(&row[p].origin, true) {
                                    if !there.insert(cell.clone()) {
                                        return Err(Wrong::Again(cell));
                                    }
                                    let value = external.get(&cell).copied();
                                    let value = value.unwrap_or(symbol(&cell));
                                    local.insert(place(&cell), value);
                                    counts.0 += 1;
                                }
                            }
                            Phase::Compute(p) => {
                                for instance in &row[p].instances {
                                    let value = instance
                                        .compute(|c| local.get(&place(c)).copied().unwrap_or(0));
                                    for cell in &instance.writes {
                                        there.insert(cell.clone());
                                        local.insert(place(cell), value);
                                    }
                                }
                            }
                            Phase::Store(p) => {
                                for cell in of_tile(&row[p].origin, false) {
                                    let value = local.get(&place(&cell)).copied();
                                    external.insert(cell, value.unwrap_or(0));
                                    counts.1 += 1;
                                }
                            }
                        }
                    }
                }
            }
            let same = |cell: &Cell| external.get(cell) == wanted.get(cell);
            let live = |c: &&Cell| self.region.scop.arrays[c.0].live_out;
            if !wanted.keys().filter(live).all(same) {
                return Err(Wrong::Differs);
            }
        }
        Ok(counts)
    }
}
