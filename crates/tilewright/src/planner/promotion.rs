//! Which arrays of a tile go to local memory on a device.
//!
//! Code generation lists what is possible ([`crate::codegen::gpu::promotion::promote::find`]); here it
//! is decided. The array that is accessed most often for every cell that is copied comes first, and
//! gets the outermost level at which it fits into what is left of the block's memory: the further
//! outside, the less is copied.
//!
//! Copies pay where a copied cell is accessed often ([`defaults::PROMOTED_REUSE`]): what is in local
//! memory is in the first cache without them, so that they gain little with each access, and cost a
//! load, a store, and a wait each. They pay always where neighbouring threads go to cells that are no
//! neighbours, which copies along rows load in whole sectors.

use crate::plan::{Group, Promotion, Tiles, defaults};
use crate::planner::wishes::LocalCopies;
use std::collections::BTreeSet;
use std::fmt;

/// An array that could be in local memory at one level of one launch, or a part of one: an array
/// that is only read may have several boxes at a level, each for some of the references to it, with
/// a candidate for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The group of the plan.
    pub group: usize,
    /// Which launch.
    pub launch: usize,
    /// The array's name.
    pub array: String,
    /// Loops around the level inside the block.
    pub depth: usize,
    /// Which part of the array it is at the level; `None` where it is all of it.
    pub part: Option<usize>,
    /// Local memory for a box with its cells.
    pub bytes: i64,
    /// At most so many accesses each time the level is executed; `i64::MAX`: no constant is known.
    pub accesses: i64,
    /// At most so many cells copied in and out each time.
    pub copied: i64,
    /// Whether neighbouring threads go to cells that are not neighbours: then copies alone are
    /// worth their while, which go along rows.
    pub scattered: bool,
}

/// Why an array is not promoted at a level; what is later in the list was found out later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// It is a single cell, or in a tile's own memory already: nothing to speak of.
    Cell,
    /// It has atomic updates.
    Atomic,
    /// Subscripts, conditions or loops around it are data.
    Data,
    /// The cells of a tile are in no box of constant size.
    Box,
    /// To find out takes too much.
    Budget,
    /// A copy would test so many conditions for each cell.
    Conditions(usize),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Cell => f.write_str("a tile accesses one cell of it"),
            Obstacle::Atomic => f.write_str("it has atomic updates"),
            Obstacle::Data => f.write_str("which cells a tile accesses depends on data"),
            Obstacle::Box => f.write_str("the cells of a tile are in no box of constant size"),
            Obstacle::Budget => f.write_str(
                "to find the cells of a tile takes more operations than are given to it",
            ),
            Obstacle::Conditions(usize::MAX) => {
                f.write_str("the cells that would be copied have no simple form")
            }
            Obstacle::Conditions(count) => write!(
                f,
                "a copy would test {count} conditions for each cell, and {} are possible",
                defaults::PROMOTED_CONDITIONS
            ),
        }
    }
}

/// An array that cannot be promoted at a level of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The group of the plan.
    pub group: usize,
    /// Which launch.
    pub launch: usize,
    /// The array's name.
    pub array: String,
    /// Why.
    pub obstacle: Obstacle,
}

/// What became of an array.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Fate {
    /// The group of the plan.
    pub group: usize,
    /// The array's name.
    pub array: String,
    /// Bytes of local memory, at most, in one launch.
    pub bytes: i64,
    /// Buffers that it has at a level, at most; 0 where it stays where it is.
    pub boxes: usize,
    /// Loops around the copies inside the block; `None` where the array stays where it is.
    pub depth: Option<usize>,
    /// Why it stays where it is; one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it stays where it is in some launches, where it does not in others; what follows a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
}

/// Whether arrays of a group are promoted without being asked for by a plan: those of overlapped
/// tiles have scratchpads already, and loops without tiles no footprints of a known size.
pub fn is_for(group: &Group) -> bool {
    matches!(group.tiles, Tiles::Affine(_) | Tiles::OverTime(_))
}

/// One array of a group at one depth, over all launches.
struct Choice<'c> {
    depth: usize,
    parts: Vec<&'c Candidate>,
}

impl<'c> Choice<'c> {
    fn of(candidates: &'c [Candidate], chosen: &[usize], depth: usize) -> Choice<'c> {
        let parts = chosen.iter().filter_map(|&at| candidates.get(at));
        Choice {
            depth,
            parts: parts.collect(),
        }
    }

    fn reuse(&self) -> f64 {
        reuse(&self.parts)
    }

    fn pays(&self, least: f64) -> bool {
        pays(&self.parts, least)
    }

    fn is_known(&self) -> bool {
        is_known(&self.parts)
    }

    /// Bytes in one launch: a level may be in several places of it.
    fn bytes(&self, launch: usize) -> i64 {
        let own = self.parts.iter().filter(|c| c.launch == launch);
        own.fold(0, |all, c| all.saturating_add(padded(c.bytes)))
    }

    fn largest(&self) -> i64 {
        let launches = self.parts.iter().map(|c| self.bytes(c.launch));
        launches.max().unwrap_or(0)
    }

    fn boxes(&self) -> usize {
        let boxes: BTreeSet<usize> = self.parts.iter().filter_map(|c| c.part).collect();
        boxes.len().max(1)
    }
}

/// Accesses for each cell that is copied.
fn reuse(candidates: &[&Candidate]) -> f64 {
    let sum = |f: fn(&Candidate) -> i64| candidates.iter().map(|c| f(c) as f64).sum::<f64>();
    sum(|c| c.accesses) / sum(|c| c.copied).max(1.0)
}

/// Whether there is a bound on the accesses.
fn is_known(candidates: &[&Candidate]) -> bool {
    candidates.iter().all(|c| c.accesses < i64::MAX)
}

fn pays(candidates: &[&Candidate], least: f64) -> bool {
    // How often a product's result is accessed depends on sizes; it is in registers meanwhile.
    let is_known = least <= defaults::PROMOTED_ONCE || is_known(candidates);
    (is_known && reuse(candidates) > least) || candidates.iter().any(|c| c.scattered)
}

/// Accesses for each copied cell above which an array is in local memory.
fn least(copies: LocalCopies) -> f64 {
    match copies {
        LocalCopies::None => f64::INFINITY,
        LocalCopies::Paying => defaults::PROMOTED_REUSE,
        LocalCopies::All => defaults::PROMOTED_ONCE,
    }
}

/// Bytes with what keeps buffers aligned.
fn padded(bytes: i64) -> i64 {
    let align = defaults::LOCAL_ALIGNMENT;
    bytes.saturating_add(align - 1) / align * align
}

/// Where an array of a group is promoted, by position: in every launch at the outermost level of
/// this depth or more that is possible. There, parts that are copied as often as accessed stay where
/// they are, unless all are.
pub fn chosen(candidates: &[Candidate], group: usize, array: &str, depth: usize) -> Vec<usize> {
    let possible = |c: &Candidate| c.group == group && c.array == array && c.depth >= depth;
    let outermost = |c: &Candidate| {
        let mut others = candidates.iter().filter(|other| possible(other));
        others.all(|other| other.launch != c.launch || other.depth >= c.depth)
    };
    let all = candidates.iter().enumerate();
    let all = all.filter(|(_, c)| possible(c) && outermost(c));
    let is_worth = |c: &Candidate| c.part.is_none() || pays(&[c], defaults::PROMOTED_ONCE);
    let (worth, all): (Vec<_>, Vec<_>) = all.partition(|(_, c)| is_worth(c));
    let own = if worth.is_empty() { all } else { worth };
    own.into_iter().map(|(position, _)| position).collect()
}

/// What becomes of an array of a group that a given plan promotes.
pub fn given(candidates: &[Candidate], group: usize, asked: &Promotion) -> Fate {
    let chosen = chosen(candidates, group, &asked.array, asked.depth);
    let choice = Choice::of(candidates, &chosen, asked.depth);
    Fate {
        group,
        array: asked.array.clone(),
        bytes: choice.largest(),
        boxes: choice.boxes(),
        depth: Some(asked.depth),
        reason: None,
        elsewhere: None,
    }
}

/// What is known against an array.
fn named<'r>(
    refused: &'r [Refused],
    group: usize,
    name: &'r str,
) -> impl Iterator<Item = &'r Refused> {
    let all = refused.iter();
    all.filter(move |one| one.group == group && one.array == name)
}

/// Decides for the groups of a plan: what each promotes, and what becomes of every array.
///
/// `refused` are arrays that cannot be promoted at some level, `taken` the bytes of local memory
/// that each launch needs already, `limit` those that there are.
pub fn decide(
    copies: LocalCopies,
    groups: &[Group],
    candidates: &[Candidate],
    refused: &[Refused],
    taken: &[i64],
    limit: i64,
) -> (Vec<Vec<Promotion>>, Vec<Fate>) {
    let mut arrays: Vec<(usize, &str, Vec<Choice<'_>>)> = Vec::new();
    let wanted = |c: &&Candidate| groups.get(c.group).is_some_and(is_for);
    for one in candidates.iter().filter(wanted) {
        let name = one.array.as_str();
        let known =
            |(group, other, _): &&mut (usize, &str, _)| (*group, *other) == (one.group, name);
        let options = match arrays.iter_mut().find(known) {
            Some((.., options)) => options,
            None => {
                arrays.push((one.group, name, Vec::new()));
                let Some((.., options)) = arrays.last_mut() else {
                    continue;
                };
                options
            }
        };
        if options.iter().any(|option| option.depth == one.depth) {
            continue;
        }
        let parts = chosen(candidates, one.group, name, one.depth);
        options.push(Choice::of(candidates, &parts, one.depth));
    }
    let mut fates = Vec::new();
    let stays = |group: usize, name: &str, reason: &dyn fmt::Display| Fate {
        group,
        array: name.to_owned(),
        bytes: 0,
        boxes: 0,
        depth: None,
        reason: Some(format!("`{name}` stays in the device's memory: {reason}")),
        elsewhere: None,
    };
    for (group, name, options) in &mut arrays {
        let known = options.iter().filter(|option| option.is_known());
        let most = known.map(Choice::reuse).fold(0.0, f64::max);
        let options_are_unknown = options.iter().any(|option| !option.is_known());
        options.retain(|option| option.pays(least(copies)));
        options.sort_by_key(|option| option.depth);
        if options.is_empty() {
            let once = "a tile accesses each cell that would be copied no more than once";
            let reason = if options_are_unknown {
                "how often a tile accesses each cell that would be copied depends on sizes"
                    .to_owned()
            } else if most > defaults::PROMOTED_ONCE {
                format!(
                    "a tile accesses each cell that would be copied {most:.1} times, and copies pay \
                     above {}",
                    defaults::PROMOTED_REUSE
                )
            } else {
                once.to_owned()
            };
            fates.push(stays(*group, name, &reason));
        }
    }
    for one in refused {
        let (group, name) = (one.group, one.array.as_str());
        let known = fates
            .iter()
            .any(|f: &Fate| (f.group, &f.array[..]) == (group, name))
            || arrays
                .iter()
                .any(|(other, array, _)| (*other, *array) == (group, name));
        if !known && groups.get(group).is_some_and(is_for) {
            let obstacle = named(refused, group, name).map(|one| one.obstacle).max();
            fates.push(stays(group, name, &obstacle.unwrap_or(one.obstacle)));
        }
    }
    arrays.retain(|(.., options)| !options.is_empty());
    let best = |options: &[Choice<'_>]| options.iter().map(Choice::reuse).fold(0.0, f64::max);
    arrays.sort_by(|a, b| best(&b.2).total_cmp(&best(&a.2)));
    let mut promote = vec![Vec::new(); groups.len()];
    let mut left: Vec<i64> = taken.iter().map(|bytes| limit - bytes).collect();
    for (group, name, options) in arrays {
        let fits = |option: &&Choice<'_>| {
            let room = |c: &Candidate| left.get(c.launch).copied().unwrap_or(limit);
            option
                .parts
                .iter()
                .all(|c| option.bytes(c.launch) <= room(c))
        };
        let chosen = options.iter().find(fits);
        let smallest = options.iter().map(Choice::largest).min().unwrap_or(0);
        let elsewhere = chosen.and_then(|option| {
            let is_in = |launch: usize| option.parts.iter().any(|c| c.launch == launch);
            let others = || named(refused, group, name).filter(|one| !is_in(one.launch));
            let obstacle = others().map(|one| one.obstacle).max()?;
            let launches: BTreeSet<usize> = others().map(|one| one.launch).collect();
            let own: BTreeSet<usize> = option.parts.iter().map(|c| c.launch).collect();
            let (count, all) = (launches.len(), launches.len() + own.len());
            Some(format!(
                "stays in the device's memory in {count} of {all} launches: {obstacle}"
            ))
        });
        fates.push(Fate {
            group,
            array: name.to_owned(),
            elsewhere,
            bytes: chosen.map_or(smallest, Choice::largest),
            boxes: chosen.map_or(0, Choice::boxes),
            depth: chosen.map(|option| option.depth),
            reason: chosen.is_none().then(|| {
                format!(
                    "`{name}` stays in the device's memory: it needs {smallest} bytes of local \
                     memory, and others leave less of {limit}"
                )
            }),
        });
        let Some(chosen) = chosen else { continue };
        for (launch, room) in left.iter_mut().enumerate() {
            *room -= chosen.bytes(launch);
        }
        promote[group].push(Promotion {
            array: name.to_owned(),
            depth: chosen.depth,
        });
    }
    fates.sort_by_key(|fate| (fate.group, fate.reason.is_some()));
    (promote, fates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Shape;

    fn candidate(array: &str, depth: usize, bytes: i64, accesses: i64, copied: i64) -> Candidate {
        Candidate {
            group: 0,
            launch: 0,
            array: array.to_owned(),
            depth,
            part: None,
            bytes,
            accesses,
            copied,
            scattered: false,
        }
    }

    fn decided(candidates: &[Candidate], limit: i64) -> Vec<(String, usize)> {
        let groups = [Group::new(Vec::new(), Shape::Split)];
        let (promote, _) = decide(LocalCopies::All, &groups, candidates, &[], &[0], limit);
        let all = promote[0].iter();
        all.map(|p| (p.array.clone(), p.depth)).collect()
    }

    #[test]
    fn most_reuse_comes_first() {
        let both = [
            candidate("a", 0, 512, 300, 100),
            candidate("b", 0, 512, 900, 100),
        ];
        let all = [("b".to_owned(), 0), ("a".to_owned(), 0)];
        assert_eq!(decided(&both, 1024), all);
        assert_eq!(decided(&both, 1023), all[..1]);
        assert_eq!(decided(&both, 511), []);
    }

    #[test]
    fn what_does_not_fit_as_a_whole_goes_in_parts() {
        let levels = [
            candidate("a", 1, 512, 300, 100),
            candidate("a", 0, 4096, 4000, 500),
        ];
        assert_eq!(decided(&levels, 4096), [("a".to_owned(), 0)]);
        assert_eq!(decided(&levels, 4095), [("a".to_owned(), 1)]);
    }

    #[test]
    fn what_is_copied_as_often_as_accessed_stays() {
        let once = candidate("a", 0, 512, 100, 100);
        assert_eq!(decided(std::slice::from_ref(&once), 4096), []);
        let transposed = Candidate {
            scattered: true,
            ..once
        };
        assert_eq!(decided(&[transposed], 4096), [("a".to_owned(), 0)]);
    }

    /// Programs that an H200 was measured on with copies and without (docs/src/results/devices.md):
    /// what their tiles access and copy, and whether copies were faster.
    #[test]
    fn copies_are_made_where_they_were_measured_to_pay() {
        const UNKNOWN: i64 = i64::MAX;
        type Case = (&'static str, &'static [(i64, i64)], bool, bool);
        // Accesses and copied cells of each array; scattered; faster with copies.
        let measured: [Case; 14] = [
            (
                "jacobi-1d, split",
                &[(97_164, 1528), (97_412, 1528)],
                false,
                true,
            ),
            (
                "jacobi-1d, diamond",
                &[(130_560, 512), (130_560, 512)],
                false,
                true,
            ),
            ("jacobi-1d, hexagonal", &[(73_696, 1153)], false, true),
            ("heat-1d, split", &[(195_080, 3064)], false, true),
            ("heat-1d, hexagonal", &[(147_456, 2308)], false, true),
            ("heat-2d, split", &[(73_464, 11_184)], false, false),
            (
                "jacobi-2d, split",
                &[(50_436, 5176), (40_368, 5192)],
                false,
                false,
            ),
            (
                "poisson-2d, split",
                &[(8544, 2340), (75_204, 5176)],
                false,
                false,
            ),
            (
                "heat-3d, split",
                &[(9792, 3528), (9792, 5024)],
                false,
                false,
            ),
            (
                "jacobi-2d, hexagonal",
                &[(4608, 1652), (4608, 1652)],
                false,
                false,
            ),
            (
                "poisson-2d, hexagonal",
                &[(768, 768), (6912, 1652)],
                false,
                false,
            ),
            (
                "heat-3d, hexagonal",
                &[(6144, 2400), (6144, 2400)],
                false,
                false,
            ),
            // Factors, and the result.
            (
                "gemm, 32",
                &[(33_792, 1024), (33_792, 1024), (UNKNOWN, 2048)],
                false,
                false,
            ),
            ("syrk", &[(67_584, 2048)], true, true),
        ];
        let groups = [Group::new(Vec::new(), Shape::Split)];
        for (name, arrays, scattered, faster) in measured {
            let all = arrays.iter().enumerate();
            let all = all.map(|(number, &(accesses, copied))| Candidate {
                scattered,
                ..candidate(&number.to_string(), 0, 512, accesses, copied)
            });
            let all: Vec<Candidate> = all.collect();
            let decided = |copies: LocalCopies| {
                let (promote, fates) = decide(copies, &groups, &all, &[], &[0], 1 << 20);
                assert_eq!(fates.len(), arrays.len(), "{name}");
                promote[0].len()
            };
            let expected = if faster { arrays.len() } else { 0 };
            assert_eq!(decided(LocalCopies::Paying), expected, "{name}");
            // Whoever asks for it gets it.
            let more = arrays.iter().filter(|(accesses, copied)| accesses > copied);
            assert_eq!(decided(LocalCopies::All), more.count(), "{name}");
        }
    }

    #[test]
    fn parts_are_promoted_together() {
        let part = |part: usize, accesses: i64| Candidate {
            part: Some(part),
            ..candidate("a", 1, 512, accesses, 100)
        };
        let both = [part(0, 900), part(1, 300)];
        let fate = |candidates: &[Candidate], limit: i64| {
            let groups = [Group::new(Vec::new(), Shape::Parallelogram)];
            let (_, fates) = decide(LocalCopies::All, &groups, candidates, &[], &[0], limit);
            (fates[0].depth, fates[0].boxes, fates[0].bytes)
        };
        assert_eq!(fate(&both, 1024), (Some(1), 2, 1024));
        assert_eq!(fate(&both, 1023), (None, 0, 1024));
        // Together they are accessed more often than copied, the second part is not.
        let one = [part(0, 900), part(1, 100)];
        assert_eq!(fate(&one, 1024), (Some(1), 1, 512));
        assert_eq!(chosen(&one, 0, "a", 0), [0]);
        // A plan may want what does not pay.
        let none = [part(0, 100), part(1, 100)];
        assert_eq!(fate(&none, 1024).0, None);
        assert_eq!(chosen(&none, 0, "a", 0), [0, 1]);
        let asked = Promotion {
            array: "a".to_owned(),
            depth: 0,
        };
        let given = given(&none, 0, &asked);
        assert_eq!((given.boxes, given.bytes), (2, 1024));
    }

    #[test]
    fn launches_have_memory_of_their_own() {
        let groups = [Group::new(Vec::new(), Shape::Diamond)];
        let phases = [0, 1].map(|launch| Candidate {
            launch,
            ..candidate("a", 0, 512, 300, 100)
        });
        let (promote, fates) = decide(LocalCopies::All, &groups, &phases, &[], &[512, 0], 1024);
        assert_eq!(promote[0].len(), 1);
        assert_eq!((fates[0].bytes, fates[0].depth), (512, Some(0)));
        let (promote, fates) = decide(LocalCopies::All, &groups, &phases, &[], &[513, 0], 1024);
        assert!(promote[0].is_empty());
        assert!(fates[0].reason.is_some());
        // Pipelines have scratchpads.
        let groups = [Group::new(Vec::new(), Shape::Scalene)];
        assert!(
            decide(LocalCopies::All, &groups, &phases, &[], &[0, 0], 1024)
                .1
                .is_empty()
        );
    }
}
