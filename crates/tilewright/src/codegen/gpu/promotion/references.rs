//! Groups of references to an array that a level only reads, each of which gets a buffer of its own
//! (the groups of references of PPCG: Verdoolaege et al., *Polyhedral parallel code generation for
//! CUDA*, 2013).
//!
//! ```text
//! C[i][j] += A[i][k] * A[j][k]        rows of the tile's i, and rows of the tile's j:
//!                                     no box around both has a constant size
//! ```
//!
//! Two buffers may hold the same cell, as on the diagonal here. That is right because nobody writes
//! it at the level, and it is why what is written has one buffer for all references.
//!
//! References whose cells are near each other share a buffer: those of a stencil, or the same ones
//! in the loops of a full tile and of any other. Two groups are one where the box around both has no
//! more cells than their two boxes.

use crate::codegen::gpu::conflicts::cells;
use crate::codegen::gpu::conflicts::cells::{Access, Accesses, Reader};
use crate::codegen::gpu::promotion::footprint::{boxed, is_same};
use crate::plan::defaults::PROMOTED_ACCESSES;
use crate::scop::AccessKind;
use crate::transform::BufferId;
use isl::{Result, Set};

/// References to an array at a level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum References {
    /// All.
    All,
    /// Those of these numbers, counted in the order of the text.
    Some(Vec<usize>),
}

impl References {
    /// Whether a reference is one of them.
    pub fn has(&self, number: usize) -> bool {
        match self {
            References::All => true,
            References::Some(numbers) => numbers.contains(&number),
        }
    }

    /// Accesses of a level without those references to a buffer that are not among these.
    pub fn of<'k>(&self, buffer: BufferId, accesses: &Accesses<'k>) -> Accesses<'k> {
        let mut number = 0;
        let mut is_here = |access: &&Access<'k>| {
            let own = access.place.buffer == buffer;
            number += usize::from(own);
            !own || self.has(number - 1)
        };
        Accesses {
            all: accesses
                .all
                .iter()
                .filter(|access| is_here(access))
                .cloned()
                .collect(),
            reaches: accesses.reaches.clone(),
            in_bounds: accesses.in_bounds.clone(),
        }
    }
}

/// References with cells in a box of constant size.
struct Group {
    numbers: Vec<usize>,
    cells: Set,
    /// Of the box.
    volume: i64,
}

/// The groups of the references to a buffer, each of which has its cells in a box of constant size.
/// `None` where some reference writes or has no such box, where all are one group, and where there
/// are too many to compare.
///
/// # Errors
/// isl's own.
pub(crate) fn grouped(
    reader: &Reader<'_>,
    buffer: BufferId,
    accesses: &Accesses<'_>,
) -> Result<Option<Vec<References>>> {
    let own = accesses.all.iter().filter(|a| a.place.buffer == buffer);
    let mut seen: Vec<(&Access<'_>, Group)> = Vec::new();
    for (number, access) in own.enumerate() {
        if access.kind == AccessKind::Write {
            return Ok(None);
        }
        if let Some((_, group)) = seen.iter_mut().find(|(other, _)| is_same(other, access)) {
            group.numbers.push(number);
            continue;
        }
        let reach = &accesses.reaches[access.reach];
        let Some(cells) = reader.cells(access.place, reach)? else {
            return Ok(None);
        };
        // Code that is never reached goes with anything.
        let volume = if cells.is_empty()? {
            0
        } else {
            match volume(&cells)? {
                Some(volume) => volume,
                None => return Ok(None),
            }
        };
        if seen.len() == PROMOTED_ACCESSES {
            return Ok(None);
        }
        let numbers = vec![number];
        seen.push((
            access,
            Group {
                numbers,
                cells,
                volume,
            },
        ));
    }
    let mut groups: Vec<Group> = Vec::new();
    for (_, mut group) in seen {
        // What it takes in may be near others now.
        while let Some((at, both)) = near(&groups, &group)? {
            groups.remove(at);
            group = both;
        }
        groups.push(group);
    }
    if groups.len() < 2 {
        return Ok(None);
    }
    groups.iter_mut().for_each(|g| g.numbers.sort_unstable());
    groups.sort_by_key(|group| group.numbers.first().copied());
    let all = groups.into_iter().map(|g| References::Some(g.numbers));
    Ok(Some(all.collect()))
}

/// The position of a group that another one is better together with, and both.
fn near(groups: &[Group], one: &Group) -> Result<Option<(usize, Group)>> {
    for (at, other) in groups.iter().enumerate() {
        let cells = one.cells.union(&other.cells)?.coalesce()?;
        let Some(volume) = volume(&cells)? else {
            continue;
        };
        if volume <= one.volume.saturating_add(other.volume) {
            let numbers = [&other.numbers[..], &one.numbers].concat();
            let both = Group {
                numbers,
                cells,
                volume,
            };
            return Ok(Some((at, both)));
        }
    }
    Ok(None)
}

/// Cells of the box of constant size around some, where there is one.
fn volume(cells: &Set) -> Result<Option<i64>> {
    Ok(boxed(cells)?.map(|(_, extents)| cells::volume(&extents)))
}

#[cfg(test)]
mod tests {
    use crate::codegen::generation::build;
    use crate::codegen::gpu::grids::mapping::{Blocks, Device};
    use crate::codegen::gpu::promotion::promote::find;
    use crate::codegen::{CodegenOptions, Target};
    use crate::plan::Shape;
    use crate::planner::promotion::{Candidate, Obstacle};
    use crate::planner::{Wishes, plan};
    use crate::scop::testing::region;

    /// What can be promoted of an array in tiles of eight, and what is in the way at some level.
    fn possible(parameters: &str, body: &str, array: &str) -> (Vec<Candidate>, Vec<Obstacle>) {
        let region = region(parameters, body);
        let scop = &region.scop;
        let wishes = Wishes {
            shape: Some(Shape::Parallelogram),
            tile_sizes: Some(vec![8]),
            device: Some(Default::default()),
            ..Wishes::default()
        };
        let plan = plan(scop, &region.dataflow, &region.graph, &wishes);
        let plan = plan.unwrap().plan;
        let transformed = region.apply(&plan).unwrap();
        let options = CodegenOptions {
            target: Target::OpenCl,
            device: Device {
                groups: vec![Blocks::default(); plan.groups.len()],
                ..Device::default()
            },
            ..CodegenOptions::default()
        };
        let kernel = build::generate(scop, &transformed, &options).unwrap();
        let sparingly = |call: &mut dyn FnMut() -> isl::Result<()>| call();
        let (found, refused) = find(scop, &transformed, &kernel, &options, &sparingly).unwrap();
        let found = found.into_iter().map(|one| one.candidate);
        let refused = refused.into_iter().filter(|one| one.array == array);
        (
            found.filter(|c| c.array == array).collect(),
            refused.map(|one| one.obstacle).collect(),
        )
    }

    /// Depth, part and bytes of each.
    fn boxes(all: &[Candidate]) -> Vec<(usize, Option<usize>, i64)> {
        all.iter().map(|c| (c.depth, c.part, c.bytes)).collect()
    }

    /// Rows of the tile's `i` and of its `j`, inside of the loop over tiles of `k`.
    #[test]
    fn rows_of_two_loops_have_two_boxes() {
        let (found, refused) = possible(
            "int n, int m, float c[n][n], float a[n][m]",
            "for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            c[i][j] += a[i][k] * a[j][k];",
            "a",
        );
        let bytes = 8 * 8 * 4;
        assert_eq!(boxes(&found), [(1, Some(0), bytes), (1, Some(1), bytes)]);
        // Outside of it, there are as many columns as the array has.
        assert_eq!(refused, [Obstacle::Box]);
        // Neighbours along x are neighbours in `j`: they share a cell of the first, and are rows
        // apart in the second.
        let scattered: Vec<bool> = found.iter().map(|c| c.scattered).collect();
        assert_eq!(scattered, [false, true]);
        assert!(found.iter().all(|c| c.accesses == 512 && c.copied == 64));
    }

    /// A column more, not a box more.
    #[test]
    fn neighbours_share_a_box() {
        let (found, _) = possible(
            "int n, int m, float c[n][n], float a[n][m + 1]",
            "for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            c[i][j] += a[i][k] * a[j][k + 1] + a[i][k + 1] * a[j][k];",
            "a",
        );
        let bytes = 8 * 9 * 4;
        assert_eq!(boxes(&found), [(1, Some(0), bytes), (1, Some(1), bytes)]);
    }

    /// One box around all references is kept where it fits a block's memory.
    #[test]
    fn a_box_that_is_too_large_comes_apart() {
        let of = |distance: i64| {
            let (found, _) = possible(
                &format!("int n, float b[n][8], float a[n + {distance}]"),
                &format!(
                    "for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
        b[i][j] = a[i] + a[i + {distance}];"
                ),
                "a",
            );
            boxes(&found)
        };
        assert_eq!(of(100), [(0, None, (8 + 100) * 4)]);
        assert_eq!(of(100_000), [(0, Some(0), 8 * 4), (0, Some(1), 8 * 4)]);
    }

    /// A tile reads with one reference what it wrote with another: one buffer, or none.
    #[test]
    fn what_is_written_has_no_parts() {
        let (found, refused) = possible(
            "int n, int m, float a[n][3 * m]",
            "for (int i = 0; i < n; i++)
    for (int t = 0; t < 2 * m; t++)
        a[i][m + t] = 0.5f * a[i][m + t - 1] + a[i][t];",
            "a",
        );
        assert_eq!(boxes(&found), []);
        assert_eq!(refused, [Obstacle::Box, Obstacle::Box]);
    }
}
