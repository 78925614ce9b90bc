//! What marks of schedule trees say.

use isl::{Id, Result, ScheduleNode, ScheduleNodeType};
use std::fmt;

/// A mark that has a meaning. All but scopes stand above the band of a loop, and are about that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Its iterations run in parallel.
    Parallel,
    /// Its iterations run as vector lanes.
    Simd,
    /// Its iterations are written out, so many of them.
    Unroll(i64),
    /// So many of its iterations run side by side in the loops inside.
    Rows(i64),
    /// It is the first of the points of a tile along wavefronts: all parallel loops in it are
    /// marked, for the threads of a block.
    Wavefront,
    /// It is the first of the points of a tile, which may be executed in any order.
    Points,
    /// It is the first tile loop of the nest that has this number.
    Tile(usize),
    /// One execution of what is below is the life of the local buffers of this scope.
    Scope(usize),
}

impl Mark {
    /// The mark of a name; names of no mark mean nothing.
    pub fn read(name: &str) -> Option<Mark> {
        let number = |kind| name.strip_prefix(kind).map(str::parse::<i64>);
        let scope = |kind| name.strip_prefix(kind).map(str::parse::<usize>);
        Some(match name {
            "parallel" => Mark::Parallel,
            "simd" => Mark::Simd,
            "wavefront" => Mark::Wavefront,
            "points" => Mark::Points,
            _ => match (number("unroll:"), number("rows:")) {
                (Some(factor), _) => Mark::Unroll(factor.ok()?),
                (_, Some(factor)) => Mark::Rows(factor.ok()?),
                _ => match scope("tile:") {
                    Some(number) => Mark::Tile(number.ok()?),
                    None => Mark::Scope(scope("scope:")?.ok()?),
                },
            },
        })
    }

    /// The mark that a node is, where it is one that has a meaning.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(node: &ScheduleNode) -> Result<Option<Mark>> {
        Ok(match node.get_type()? {
            ScheduleNodeType::Mark => Mark::read(&node.mark_get_id()?.get_name()?),
            _ => None,
        })
    }

    /// Inserts the mark above a node; returns the mark's node.
    ///
    /// # Errors
    /// isl's own.
    pub fn above(self, node: &ScheduleNode) -> Result<ScheduleNode> {
        node.insert_mark(&Id::alloc(node.ctx(), &self.to_string())?)
    }

    /// The scope whose buffers live below.
    pub fn scope(self) -> Option<usize> {
        match self {
            Mark::Scope(scope) => Some(scope),
            _ => None,
        }
    }

    /// Whether iterations of the loop are executed together.
    pub fn is_together(self) -> bool {
        matches!(self, Mark::Parallel | Mark::Simd | Mark::Unroll(_))
    }
}

/// As schedule trees have it.
impl fmt::Display for Mark {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Parallel => out.write_str("parallel"),
            Mark::Simd => out.write_str("simd"),
            Mark::Unroll(factor) => write!(out, "unroll:{factor}"),
            Mark::Rows(factor) => write!(out, "rows:{factor}"),
            Mark::Wavefront => out.write_str("wavefront"),
            Mark::Points => out.write_str("points"),
            Mark::Tile(number) => write!(out, "tile:{number}"),
            Mark::Scope(scope) => write!(out, "scope:{scope}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_which_mark_it_is() {
        for mark in [
            Mark::Parallel,
            Mark::Simd,
            Mark::Unroll(4),
            Mark::Rows(2),
            Mark::Wavefront,
            Mark::Points,
            Mark::Tile(0),
            Mark::Scope(17),
        ] {
            assert_eq!(Mark::read(&mark.to_string()), Some(mark));
        }
        for name in [
            "",
            "parallel@0",
            "unroll:",
            "unroll:x",
            "scope:-1",
            "tile",
            "SIMD",
        ] {
            assert_eq!(Mark::read(name), None, "{name}");
        }
    }
}
