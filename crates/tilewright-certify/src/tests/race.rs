//! Which accesses of pieces of work that may run at the same time race.

use crate::storage::race::{Access, Between, Shadow, Watch};
use crate::storage::spare::Spare;

/// One after the other: who (an epoch), reads or writes, of which bytes.
struct Case {
    shadow: Shadow,
    spare: Spare<[u32; 2]>,
    watch: Watch,
    access: Access,
}

impl Case {
    fn new() -> Case {
        Case {
            shadow: Shadow::default(),
            spare: Spare::default(),
            watch: Watch {
                on: true,
                parallel: true,
                base: 10,
                ..Watch::default()
            },
            access: Access {
                offset: 8,
                size: 4,
                write: false,
                same: false,
                private: false,
                shared: false,
            },
        }
    }

    fn touch(&mut self, epoch: u32) -> Option<Between> {
        self.watch.epoch = epoch;
        self.shadow.touch(&self.watch, self.access, 64, &self.spare)
    }

    fn read(&mut self, epoch: u32) -> bool {
        self.access.write = false;
        self.touch(epoch).is_some()
    }

    fn write(&mut self, epoch: u32) -> bool {
        self.access.write = true;
        self.touch(epoch).is_some()
    }
}

/// A word of accesses, each by its epoch: `r` and `w`, `R` and `W` in an atomic construct, `s` a write
/// of what is there; `|` before epochs that are not concurrent with those in front. Whether the last
/// one races, and no other.
#[track_caller]
fn last(word: &str, expected: bool) {
    let mut case = Case::new();
    let count = word.split(' ').count();
    for (at, one) in word.split(' ').enumerate() {
        if one == "|" {
            case.watch.base = 20;
            continue;
        }
        let (kind, epoch) = one.split_at(1);
        let epoch = case.watch.base + epoch.parse::<u32>().unwrap();
        case.watch.atomic = matches!(kind, "R" | "W");
        case.access.same = kind == "s";
        let found = match kind {
            "r" | "R" => case.read(epoch),
            _ => case.write(epoch),
        };
        assert_eq!(found, expected && at + 1 == count, "{word}: {one}");
    }
}

#[test]
fn reads_and_writes() {
    for (word, races) in [
        ("r1 r2", false),
        ("r1 r2 r1", false),
        ("w1 r1 w1", false),
        ("r1 w1 r1", false),
        ("w1 r2", true),
        ("w1 w2", true),
        ("r1 w2", true),
        ("r1 w1 w2", true),
        ("w1 w1 r2", true),
        ("r1 r2 w1", true),
        ("r1 r2 w2", true),
        ("r1 r2 w3", true),
        ("r1 r1 w1", false),
        ("r1 r1 w2", true),
        // Behind a barrier nothing of before counts.
        ("w1 | r2", false),
        ("w1 | w2", false),
        ("r1 | w2", false),
        ("r1 r2 | w3", false),
        ("r1 r2 | w3 r4", true),
        ("r1 r2 | r3 w3", false),
        ("r1 r2 | r3 w4", true),
        ("r1 | r2 w2", false),
        ("r1 | r2 r3 w2", true),
        ("w1 | w2 w3", true),
        ("w1 | r0 w0", false),
        ("w1 | r0 w1", true),
        // Several that write what is there.
        ("w1 s2", false),
        ("s1 s2 s3", false),
        ("s1 w2", true),
        ("r1 s2", true),
        ("s1 r2", true),
    ] {
        last(word, races);
    }
}

#[test]
fn atomic_accesses() {
    for (word, races) in [
        ("W1 W2", false),
        ("R1 W2 R3", false),
        ("W1 r1", false),
        ("W1 r2", true),
        ("W1 w2", true),
        ("W1 w1", false),
        ("w1 W1", false),
        ("w1 W2", true),
        ("w1 R2", true),
        ("w1 R1", false),
        ("r1 W1", false),
        ("r1 W2", true),
        ("r1 R2", false),
        ("r1 r2 W1", true),
        ("r1 r2 W2", true),
        ("r1 r2 W3", true),
        ("r1 r2 R3", false),
        ("R1 w2", false),
        ("W1 W2 r2", false),
        ("W1 W2 r1", true),
        ("W1 | r2", false),
        ("w1 | W2", false),
        ("r1 | W2", false),
        ("r1 r2 | W3", false),
        ("r1 | r2 W2", false),
        ("r1 | r2 W3", true),
        ("w1 | W2 w3", true),
    ] {
        last(word, races);
    }
}

#[test]
fn neighbours_do_not_race() {
    let at = |first: (usize, usize), second: (usize, usize)| {
        let mut case = Case::new();
        (case.access.offset, case.access.size) = first;
        assert!(!case.write(11));
        (case.access.offset, case.access.size) = second;
        case.write(12)
    };
    for (first, second, races) in [
        ((8, 4), (12, 4), false),
        ((8, 4), (4, 4), false),
        ((8, 4), (8, 4), true),
        ((8, 8), (8, 8), true),
        ((8, 8), (0, 8), false),
        ((8, 8), (16, 8), false),
        ((4, 1), (5, 1), false),
        ((4, 1), (4, 1), true),
        ((4, 1), (4, 4), true),
        ((7, 1), (4, 4), true),
        ((8, 1), (4, 4), false),
        ((3, 1), (4, 4), false),
        ((6, 2), (0, 8), true),
        ((8, 2), (0, 8), false),
        // Words that lie across.
        ((6, 4), (8, 4), true),
        ((6, 4), (4, 4), true),
        ((6, 4), (12, 4), false),
        ((60, 4), (56, 4), false),
        ((63, 1), (62, 1), false),
    ] {
        assert_eq!(at(first, second), races, "{first:?} {second:?}");
    }
}

#[test]
fn between_whom_it_is() {
    let mut case = Case::new();
    case.access.write = true;
    assert_eq!(
        (case.touch(11), case.touch(12)),
        (None, Some(Between::Threads))
    );
    // Not where the object is the thread's own, or nobody runs at the same time.
    let mut case = Case::new();
    (case.access.write, case.access.private) = (true, true);
    assert_eq!((case.touch(11), case.touch(12)), (None, None));
    let mut case = Case::new();
    (case.access.write, case.watch.parallel) = (true, false);
    assert_eq!((case.touch(11), case.touch(12)), (None, None));
    // Iterations of a `simd` loop, also on what is private to the thread.
    let mut case = Case::new();
    (case.access.write, case.access.private) = (true, true);
    (case.watch.lanes.on, case.watch.lanes.base) = (true, 5);
    case.watch.lanes.epoch = 6;
    assert_eq!((case.touch(11), case.touch(11)), (None, None));
    case.watch.lanes.epoch = 7;
    assert_eq!(case.touch(11), Some(Between::Simd));
    case.shadow.forget_simd();
    case.watch.lanes.epoch = 8;
    assert_eq!(case.touch(11), None);
    // Work-items of a group, and groups, which no barrier parts.
    let mut case = Case::new();
    case.access.write = true;
    case.watch.device.on = true;
    (case.watch.device.group, case.watch.device.launch) = (30, 30);
    assert_eq!(
        (case.touch(11), case.touch(12)),
        (None, Some(Between::Items))
    );
    let mut case = Case::new();
    (case.access.write, case.access.shared, case.watch.device.on) = (true, true, true);
    (case.watch.device.group, case.watch.device.launch) = (30, 30);
    (case.watch.device.base, case.watch.device.epoch) = (40, 41);
    assert_eq!((case.touch(11), case.touch(12)), (None, None));
    case.watch.device.group = 31;
    assert_eq!(case.touch(13), Some(Between::Groups));
    (case.watch.device.launch, case.watch.device.group) = (35, 36);
    assert_eq!(case.touch(13), None);
    case.watch.device.epoch = 42;
    assert_eq!(case.touch(13), Some(Between::Items));
}
