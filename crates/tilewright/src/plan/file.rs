//! A group as plan files have it: one table with a field for everything, whatever the shape.
//!
//! A group keeps what means something for its shape. What is lost on the way there and back meant
//! nothing, and is refused, unless it is the field's default.

use super::defaults;
use super::group::{Device, Group, IndexType, Promotion};
use super::shape::Shape;
use super::steps::LoopStep;
use super::tiles::{Affine, Figure, Fuse, Interleave, Jam, OverTime, Overlapped, Tiles, Written};
use serde::{Deserialize, Serialize};

/// The table. Flat since files are: it has the fields of all shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    stages: Vec<String>,
    shape: Shape,
    #[serde(default)]
    pub(super) tile_sizes: Vec<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tile_order: Vec<usize>,
    #[serde(default)]
    pub(super) vector_tile: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    local: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nests: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    registers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) interleave: Vec<Interleave>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    folded: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    share: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) jam: Vec<Jam>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    loops: Vec<LoopStep>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reorder: Vec<String>,
    #[serde(default)]
    fuse: Fuse,
    #[serde(default = "yes")]
    parallel: bool,
    #[serde(default = "yes")]
    wavefront: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    wavefront_points: bool,
    #[serde(default = "yes")]
    vectorise: bool,
    #[serde(default = "yes")]
    contract: bool,
    #[serde(default)]
    separate: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    spread: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lanes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) concurrent: usize,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub(super) align: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) threads: Vec<i64>,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub(super) grid: i64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    full_tiles: bool,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub(super) unroll: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    atomic: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    sink: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) promote: Vec<Promotion>,
    #[serde(default = "banks", skip_serializing_if = "are_usual")]
    pub(super) banks: i64,
    #[serde(default, skip_serializing_if = "is_usual")]
    index: IndexType,
}

fn banks() -> i64 {
    defaults::BANKS
}

fn are_usual(banks: &i64) -> bool {
    *banks == defaults::BANKS
}

fn is_usual(index: &IndexType) -> bool {
    *index == IndexType::default()
}

fn is_one(number: &i64) -> bool {
    *number == 1
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn one() -> i64 {
    1
}

fn yes() -> bool {
    true
}

impl Entry {
    /// What means something for the shape.
    fn group(self) -> Group {
        let tiles = match Tiles::new(self.shape) {
            Tiles::Written(_) => Tiles::Written(Written {
                loops: self.loops,
                spread: self.spread,
                lanes: self.lanes,
                rows: self.rows,
                atomic: self.atomic,
                contract: self.contract,
            }),
            Tiles::Affine(_) => Tiles::Affine(Affine {
                tile_sizes: self.tile_sizes,
                vector_tile: self.vector_tile,
                jam: self.jam,
                loops: self.loops,
                fuse: self.fuse,
                wavefront: self.wavefront,
                wavefront_points: self.wavefront_points,
                contract: self.contract,
                separate: self.separate,
            }),
            Tiles::Overlapped(of) => Tiles::Overlapped(Overlapped {
                trapezoids: of.trapezoids,
                tile_sizes: self.tile_sizes,
                tile_order: self.tile_order,
                local: self.local,
                nests: self.nests,
                registers: self.registers,
                interleave: self.interleave,
                folded: self.folded,
                share: self.share,
                jam: self.jam,
                separate: self.separate,
            }),
            Tiles::OverTime(of) => Tiles::OverTime(OverTime {
                figure: match of.figure {
                    Figure::Split => Figure::Split,
                    Figure::Diamond { .. } => Figure::Diamond {
                        concurrent: self.concurrent,
                        align: self.align,
                    },
                    Figure::Hexagonal { .. } => Figure::Hexagonal { align: self.align },
                },
                tile_sizes: self.tile_sizes,
                jam: self.jam,
                contract: self.contract,
            }),
        };
        Group {
            stages: self.stages,
            tiles,
            reorder: self.reorder,
            parallel: self.parallel,
            vectorise: self.vectorise,
            device: Device {
                threads: self.threads,
                grid: self.grid,
                full_tiles: self.full_tiles,
                unroll: self.unroll,
                sink: self.sink,
                promote: self.promote,
                banks: self.banks,
                index: self.index,
            },
        }
    }

    /// The fields that mean nothing for a shape, where they are not at their defaults.
    fn meaningless(&self, shape: Shape) -> Result<Vec<String>, String> {
        let given = Entry {
            shape,
            ..self.clone()
        };
        let kept = Entry::from(given.clone().group());
        if kept == given {
            return Ok(Vec::new());
        }
        let table = |entry| toml::Table::try_from(entry).map_err(|error| error.to_string());
        let (given, kept) = (table(given)?, table(kept)?);
        let lost = given
            .into_iter()
            .filter(|(field, value)| kept.get(field) != Some(value));
        Ok(lost.map(|(field, _)| field).collect())
    }
}

impl TryFrom<Entry> for Group {
    type Error = String;

    fn try_from(entry: Entry) -> Result<Group, String> {
        let shape = entry.shape;
        let fields = entry.meaningless(shape)?;
        let Some(field) = fields.first() else {
            return Ok(entry.group());
        };
        let mut shapes = Vec::new();
        for other in Shape::ALL {
            if !entry.meaningless(other)?.contains(field) {
                shapes.push(format!("`{}`", other.name()));
            }
        }
        let last = shapes.pop().unwrap_or_default();
        let known = if shapes.is_empty() {
            last
        } else {
            format!("{} and {last}", shapes.join(", "))
        };
        Err(format!(
            "`{field}` means nothing for tiles of shape `{}`; it is for {known}",
            shape.name()
        ))
    }
}

impl From<Group> for Entry {
    fn from(group: Group) -> Entry {
        let shape = group.shape();
        let device = group.device;
        let mut entry = Entry {
            stages: group.stages,
            shape,
            tile_sizes: Vec::new(),
            tile_order: Vec::new(),
            vector_tile: 0,
            local: Vec::new(),
            nests: Vec::new(),
            registers: Vec::new(),
            interleave: Vec::new(),
            folded: Vec::new(),
            share: Vec::new(),
            jam: Vec::new(),
            loops: Vec::new(),
            reorder: group.reorder,
            fuse: Fuse::default(),
            parallel: group.parallel,
            wavefront: true,
            wavefront_points: false,
            vectorise: group.vectorise,
            contract: true,
            separate: false,
            spread: false,
            lanes: Vec::new(),
            rows: Vec::new(),
            concurrent: 0,
            align: 1,
            threads: device.threads,
            grid: device.grid,
            full_tiles: device.full_tiles,
            unroll: device.unroll,
            atomic: Vec::new(),
            sink: device.sink,
            promote: device.promote,
            banks: device.banks,
            index: device.index,
        };
        match group.tiles {
            Tiles::Written(of) => {
                entry.loops = of.loops;
                entry.spread = of.spread;
                entry.lanes = of.lanes;
                entry.rows = of.rows;
                entry.atomic = of.atomic;
                entry.contract = of.contract;
            }
            Tiles::Affine(of) => {
                entry.tile_sizes = of.tile_sizes;
                entry.vector_tile = of.vector_tile;
                entry.jam = of.jam;
                entry.loops = of.loops;
                entry.fuse = of.fuse;
                entry.wavefront = of.wavefront;
                entry.wavefront_points = of.wavefront_points;
                entry.contract = of.contract;
                entry.separate = of.separate;
            }
            Tiles::Overlapped(of) => {
                entry.tile_sizes = of.tile_sizes;
                entry.tile_order = of.tile_order;
                entry.local = of.local;
                entry.nests = of.nests;
                entry.registers = of.registers;
                entry.interleave = of.interleave;
                entry.folded = of.folded;
                entry.share = of.share;
                entry.jam = of.jam;
                entry.separate = of.separate;
            }
            Tiles::OverTime(of) => {
                entry.tile_sizes = of.tile_sizes;
                entry.jam = of.jam;
                entry.contract = of.contract;
                entry.align = of.figure.align().unwrap_or(1);
                if let Figure::Diamond { concurrent, .. } = of.figure {
                    entry.concurrent = concurrent;
                }
            }
        }
        entry
    }
}

#[cfg(test)]
mod tests;
