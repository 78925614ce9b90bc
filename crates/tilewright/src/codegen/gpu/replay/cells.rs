//! Cells of memory by number, and who was there.
//!
//! A cell is a hash of what it belongs to and its indices: 64 bits, well mixed, so that two of a
//! few million cells share a number about once in a million replays.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from numbers that are mixed already.
pub(super) type Cells<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// Hashes a number to itself.
#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mixed(self.0, u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// One more number in a hash (the finaliser of MurmurHash3, of what is not zero for zeros).
pub(super) fn mixed(hash: u64, number: u64) -> u64 {
    let mut x = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = x.wrapping_add(number).wrapping_add(0x2545_f491_4f6c_dd1d);
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

/// What is done at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    /// Part of an atomic update.
    Update,
}

/// Somebody: a thread of a block, or a block of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who(u32);

impl Who {
    /// Several.
    pub const ALL: Who = Who(u32::MAX);

    /// By number.
    pub fn one(number: usize) -> Who {
        Who(u32::try_from(number + 1).unwrap_or(u32::MAX - 1))
    }

    /// The number; none for several.
    pub fn number(self) -> Option<usize> {
        (self != Who::ALL).then(|| self.0.saturating_sub(1) as usize)
    }
}

/// One visit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    /// What was before this moment does not matter.
    pub since: u64,
    pub who: Who,
    pub kind: Kind,
    pub statement: usize,
}

/// Who was at a cell since some moment, and with which statement last.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    since: u64,
    reader: u32,
    writer: u32,
    updater: u32,
    statement: usize,
}

/// Who was where.
#[derive(Default)]
pub(super) struct Log {
    cells: Cells<Seen>,
}

impl Log {
    /// Notes a visit, and looks whom it meets.
    pub fn visit(&mut self, cell: u64, visit: &Visit) -> Option<(Who, usize)> {
        let found = self.look(cell, visit);
        self.note(cell, visit);
        found
    }

    /// `Some` where another one was there and one of the two changes the cell: the other, and the
    /// statement that was there last.
    pub fn look(&self, cell: u64, visit: &Visit) -> Option<(Who, usize)> {
        let seen = self.cells.get(&cell)?;
        if seen.since != visit.since {
            return None;
        }
        let others = match visit.kind {
            Kind::Read => [seen.writer, seen.updater, 0],
            Kind::Write => [seen.writer, seen.updater, seen.reader],
            Kind::Update => [seen.writer, 0, seen.reader],
        };
        let met = |&other: &u32| other != 0 && (other != visit.who.0 || visit.who == Who::ALL);
        let found = others.into_iter().find(met);
        found.map(|other| (Who(other), seen.statement))
    }

    /// Notes a visit. Earlier ones are forgotten.
    pub fn note(&mut self, cell: u64, visit: &Visit) {
        let seen = self.cells.entry(cell).or_default();
        if seen.since != visit.since {
            *seen = Seen {
                since: visit.since,
                ..Seen::default()
            };
        }
        let field = match visit.kind {
            Kind::Read => &mut seen.reader,
            Kind::Write => &mut seen.writer,
            Kind::Update => &mut seen.updater,
        };
        *field = match *field {
            0 => visit.who.0,
            same if same == visit.who.0 => same,
            _ => Who::ALL.0,
        };
        seen.statement = visit.statement;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the last of some visits to one cell meets.
    fn last(visits: &[(u64, usize, Kind)]) -> Option<Option<usize>> {
        let mut log = Log::default();
        let mut found = None;
        for (statement, &(since, who, kind)) in visits.iter().enumerate() {
            let who = Who::one(who);
            let visit = Visit {
                since,
                who,
                kind,
                statement,
            };
            found = log.visit(7, &visit);
        }
        found.map(|(who, _)| who.number())
    }

    #[test]
    fn who_meets_whom() {
        use Kind::{Read, Update, Write};
        assert_eq!(last(&[(0, 1, Write), (0, 1, Read)]), None);
        assert_eq!(last(&[(0, 1, Write), (0, 2, Read)]), Some(Some(1)));
        assert_eq!(last(&[(0, 1, Read), (0, 2, Write)]), Some(Some(1)));
        assert_eq!(last(&[(0, 1, Read), (0, 2, Read)]), None);
        // Two readers, one of which writes: the other is met.
        assert_eq!(
            last(&[(0, 1, Read), (0, 2, Read), (0, 2, Write)]),
            Some(None)
        );
        assert_eq!(last(&[(0, 1, Update), (0, 2, Update)]), None);
        assert_eq!(last(&[(0, 1, Update), (0, 2, Read)]), Some(Some(1)));
        assert_eq!(last(&[(0, 1, Write), (0, 2, Update)]), Some(Some(1)));
        // A barrier in between.
        assert_eq!(last(&[(0, 1, Write), (1, 2, Read)]), None);
    }
}
