//! Memory: bounds, which bytes were written, lives of objects, and who touched them.

use crate::storage::memory::{Fault, MOST_BYTES, Memory, object_of};
use crate::storage::race::Between;
use crate::storage::spare::{Buffers, Spare};
use std::rc::Rc;

fn memory() -> Memory {
    Memory::new(0x41, &Rc::default())
}

fn made(bytes: u64, is_written: bool) -> (Memory, u64) {
    let mut memory = memory();
    let at = memory.allocate(bytes, 0, is_written).unwrap();
    (memory, at)
}

#[test]
fn values_of_all_sizes() {
    let (mut memory, at) = made(16, true);
    for size in [1, 2, 4, 8] {
        for offset in [0, 1, 16 - size] {
            let value = 0x8877_6655_4433_2211u64;
            memory.fill(at, 0xee, 16).unwrap();
            memory.store(at + offset, size, value, 0).unwrap();
            let kept = value & (u64::MAX >> (64 - 8 * size));
            assert_eq!(memory.load(at + offset, size, 0), Ok(kept));
            // Little ends first, and no other byte.
            for byte in 0..16u64 {
                let inside = byte.checked_sub(offset).filter(|k| *k < size);
                let expected = inside.map_or(0xee, |k| (value >> (8 * k)) & 0xff);
                assert_eq!(memory.load(at + byte, 1, 0), Ok(expected));
            }
        }
    }
    assert!(matches!(memory.load(at, 3, 0), Err(Fault::Internal(_))));
    assert_eq!(memory.unwritten, 0);
}

#[test]
fn bytes_that_nobody_wrote() {
    for size in [1u64, 2, 4, 8] {
        let (mut memory, at) = made(16, false);
        let junk = 0x4141_4141_4141_4141 & (u64::MAX >> (64 - 8 * size));
        assert_eq!(memory.load(at, size, 7), Ok(junk));
        assert_eq!(memory.load(at + 8, size, 8), Ok(junk));
        // How many reads, and the first.
        assert_eq!(memory.unwritten, 2);
        assert_eq!(memory.first_unwritten, Some((at, 7)));
        memory.store(at, size, 0, 0).unwrap();
        assert_eq!(memory.load(at, size, 9), Ok(0));
        assert_eq!(memory.unwritten, 2);
        // All but one byte.
        memory.fill(at + 8, 0xee, size).unwrap();
        assert_eq!(
            memory.load(at + 8, size, 9),
            Ok(0xeeee_eeee_eeee_eeee & (u64::MAX >> (64 - 8 * size)))
        );
        assert_eq!(memory.unwritten, 2);
    }
    let (mut memory, at) = made(8, false);
    memory.store(at + 1, 2, 0x2211, 0).unwrap();
    assert_eq!(memory.load(at, 4, 0), Ok(0x4122_1141));
    assert_eq!(memory.load(at + 1, 2, 0), Ok(0x2211));
    assert_eq!(memory.load(at, 1, 0), Ok(0x41));
    assert_eq!(memory.unwritten, 2);
    let number = object_of(at);
    assert!(memory.objects[number].is_written(1..3));
    assert!(!memory.objects[number].is_written(0..3) && !memory.objects[number].is_written(1..4));
    memory.forget(number);
    assert!(!memory.objects[number].is_written(1..2));
    assert_eq!(memory.load(at + 1, 1, 0), Ok(0x41));
}

#[test]
fn accesses_outside() {
    let (mut memory, at) = made(10, true);
    let other = memory.allocate(4, 16, true).unwrap();
    for (place, size) in [
        (at + 10, 1),
        (at + 9, 2),
        (at + 7, 4),
        (at + 3, 8),
        (at - 1, 1),
        (at - 1, 2),
        (other + 1, 4),
    ] {
        let outside = |write| Fault::Outside {
            at: place,
            size,
            write,
        };
        assert_eq!(memory.load(place, size, 0), Err(outside(false)));
        assert_eq!(memory.store(place, size, 0, 0), Err(outside(true)));
        assert_eq!(memory.fill(place, 0, size), Err(outside(true)));
        assert_eq!(memory.copy(place, at, size), Err(outside(true)));
        assert_eq!(memory.copy(at, place, size), Err(outside(false)));
    }
    assert!(memory.load(at + 9, 1, 0).is_ok() && memory.store(at + 2, 8, 0, 0).is_ok());
    assert_eq!(memory.copy(at, 0, 1), Err(Fault::Null));
    assert_eq!(memory.load(0, 1, 0), Err(Fault::Null));
    assert_eq!(memory.store(5, 1, 0, 0), Err(Fault::Null));
    // No bytes are nowhere.
    assert_eq!(
        (memory.fill(0, 0, 0), memory.copy(0, 0, 0)),
        (Ok(()), Ok(()))
    );
    // What is no more, and what never was.
    memory.release(object_of(at));
    assert_eq!(memory.load(at, 1, 0), Err(Fault::Dangling));
    assert_eq!(memory.load(99 << 40 | 1 << 39, 1, 0), Err(Fault::Dangling));
    assert_eq!(
        (memory.offset_of(other), memory.offset_of(other - 3)),
        (0, -3)
    );
}

#[test]
fn what_cannot_be_written() {
    let (mut memory, at) = made(8, true);
    let other = memory.allocate(8, 0, true).unwrap();
    memory.object(at).unwrap().read_only = true;
    assert_eq!(memory.store(at, 4, 1, 0), Err(Fault::ReadOnly));
    assert_eq!(memory.fill(at, 1, 4), Err(Fault::ReadOnly));
    assert_eq!(memory.copy(at, other, 4), Err(Fault::ReadOnly));
    assert_eq!(memory.copy(other, at, 4), Ok(()));
    assert_eq!(memory.load(at, 8, 0), Ok(0));
}

#[test]
fn copies() {
    let (mut memory, at) = made(8, false);
    let to = memory.allocate(8, 0, true).unwrap();
    memory.store(at, 4, 0x0403_0201, 0).unwrap();
    // Bytes are written where they were.
    memory.copy(to + 1, at + 2, 4).unwrap();
    assert_eq!(memory.load(to, 4, 0), Ok(0x4104_0300));
    assert_eq!(memory.unwritten, 1);
    let number = object_of(to);
    assert!(memory.objects[number].is_written(0..3) && memory.objects[number].is_written(5..8));
    assert!(!memory.objects[number].is_written(3..4) && !memory.objects[number].is_written(4..5));
    // Over themselves, too.
    memory.copy(at + 1, at, 3).unwrap();
    assert_eq!(memory.load(at, 4, 0), Ok(0x0302_0101));
    let whole = memory.allocate(4, 0, true).unwrap();
    memory.fill(whole, 7, 4).unwrap();
    memory.copy(to + 3, whole, 2).unwrap();
    assert!(memory.objects[number].is_written(0..8));
    assert_eq!(memory.load(to, 8, 0), Ok(0x0000_0007_0704_0300));
}

#[test]
fn what_is_freed() {
    let (mut memory, at) = made(8, true);
    assert_eq!(memory.free(0), Ok(()));
    // Not what `malloc` gave.
    assert_eq!(memory.free(at), Err(Fault::BadFree));
    memory.object(at).unwrap().heap = true;
    assert_eq!(memory.free(at + 1), Err(Fault::BadFree));
    assert_eq!(memory.free(at), Ok(()));
    assert_eq!(memory.free(at), Err(Fault::BadFree));
    assert_eq!(memory.free(77 << 40), Err(Fault::BadFree));
    // There is so much memory, and what is given back is there again.
    let (mut memory, at) = made(MOST_BYTES - 8, true);
    assert!(memory.allocate(8, 0, true).is_ok());
    assert_eq!(memory.allocate(1, 0, true), Err(Fault::Memory));
    memory.release(object_of(at));
    memory.release(object_of(at));
    assert!(memory.allocate(MOST_BYTES - 16, 0, true).is_ok());
    assert_eq!(memory.allocate(16, 0, true), Err(Fault::Memory));
    assert_eq!(memory.allocate(u64::MAX, 0, true), Err(Fault::Memory));
}

/// Numbers of objects come again late, and never those of what lives.
#[test]
fn numbers_of_objects() {
    let (mut memory, kept) = made(4, true);
    let numbers: Vec<usize> = (0..5000)
        .map(|_| {
            let at = memory.allocate(8, 16, true).unwrap();
            assert_eq!(memory.offset_of(at), 0);
            assert_eq!(at % 16, 0);
            memory.store(at, 8, 1, 0).unwrap();
            memory.release(object_of(at));
            object_of(at)
        })
        .collect();
    assert!(!numbers.contains(&object_of(kept)) && memory.load(kept, 4, 0) == Ok(0));
    let again = numbers.iter().rposition(|n| *n == numbers[0]).unwrap();
    assert!(again == 0 || again > 1500);
    assert!(memory.objects.len() < 3000);
}

#[test]
fn who_writes_a_byte() {
    let (mut memory, at) = made(16, true);
    memory.spied = at + 5;
    for (place, size, seen) in [
        (0, 4, false),
        (1, 4, false),
        (2, 4, true),
        (5, 1, true),
        (4, 1, false),
        (6, 1, false),
        (5, 8, true),
        (6, 8, false),
        (4, 2, true),
        (3, 2, false),
    ] {
        memory.writer = None;
        memory.store(at + place, size, 0, 9).unwrap();
        assert_eq!(memory.writer, seen.then_some(9), "{place} {size}");
    }
}

#[test]
fn bytes_that_are_touched() {
    let touched = |memory: &mut Memory, at: u64| memory.object(at).unwrap().touched;
    let (mut memory, at) = made(32, true);
    memory.load(at, 4, 0).unwrap();
    assert_eq!(touched(&mut memory, at), (u64::MAX, 0));
    memory.object(at).unwrap().tracked = true;
    memory.load(at + 12, 4, 0).unwrap();
    assert_eq!(touched(&mut memory, at), (12, 16));
    memory.store(at + 14, 4, 0, 0).unwrap();
    assert_eq!(touched(&mut memory, at), (12, 18));
    memory.fill(at + 10, 0, 3).unwrap();
    assert_eq!(touched(&mut memory, at), (10, 18));
    memory.copy(at + 20, at + 8, 2).unwrap();
    assert_eq!(touched(&mut memory, at), (8, 22));
}

/// Fills and copies race in their bytes; a thread's own objects do not.
#[test]
fn ranges_that_are_watched() {
    let (mut memory, at) = made(16, true);
    let other = memory.allocate(16, 0, true).unwrap();
    let own = memory.allocate(16, 0, true).unwrap();
    memory.object(own).unwrap().owner = 3;
    let watch = |memory: &mut Memory, epoch: u32| {
        memory.watch.on = true;
        memory.watch.parallel = true;
        (memory.watch.base, memory.watch.epoch, memory.watch.thread) = (10, epoch, 3);
    };
    let race = |at: u64| {
        Err(Fault::Race {
            at,
            between: Between::Threads,
        })
    };
    watch(&mut memory, 11);
    memory.fill(at + 4, 1, 3).unwrap();
    memory.fill(own, 1, 8).unwrap();
    memory.copy(other, at + 4, 2).unwrap();
    watch(&mut memory, 12);
    assert_eq!(memory.fill(own, 2, 8), Ok(()));
    assert_eq!(memory.fill(at, 1, 4), Ok(()));
    assert_eq!(memory.fill(at + 7, 1, 4), Ok(()));
    assert_eq!(memory.fill(at + 3, 1, 4), race(at + 4));
    assert_eq!(memory.copy(at + 8, other + 1, 3), race(other + 1));
    assert_eq!(memory.copy(other + 1, at + 8, 3), race(other + 1));
    assert_eq!(memory.copy(other + 2, at + 6, 3), race(at + 6));
    assert_eq!(memory.copy(other + 2, at + 8, 3), Ok(()));
    watch(&mut memory, 13);
    // What another reads may not be written.
    assert_eq!(memory.fill(at + 10, 1, 1), race(at + 10));
    // Whoever it belongs to, others race on it.
    memory.watch.thread = 4;
    assert_eq!(memory.fill(own, 2, 1), Ok(()));
    watch(&mut memory, 14);
    memory.watch.thread = 5;
    assert_eq!(memory.fill(own, 2, 1), race(own));
    memory.watch.on = false;
    assert_eq!(memory.fill(at, 1, 16), Ok(()));
}

/// Buffers come back as new ones.
#[test]
fn buffers_are_used_again() {
    let spare: Spare<u8> = Spare::default();
    let mut first = spare.take(5000);
    assert_eq!((first.len(), first.iter().max()), (5000, Some(&0)));
    first.fill(7);
    let place = first.as_ptr();
    spare.give(first);
    // Not for much less or more than it has room for.
    for count in [10, 1000, 5001] {
        let other = spare.take(count);
        assert!(other.len() == count && other.as_ptr() != place, "{count}");
    }
    let again = spare.take(2000);
    assert_eq!((again.len(), again.as_ptr()), (2000, place));
    assert!(again.iter().all(|b| *b == 0));
    let more = spare.take(2000);
    assert_ne!(more.as_ptr(), place);
    // Small ones are not kept; of the others the last comes first.
    let small = spare.take(100);
    spare.give(small);
    let (one, two) = (spare.take(3000), spare.take(3000));
    let places = [one.as_ptr(), two.as_ptr()];
    spare.give(one);
    spare.give(two);
    let (last, first) = (spare.take(3000), spare.take(3000));
    assert_eq!([first.as_ptr(), last.as_ptr()], places);
    let buffers: Rc<Buffers> = Rc::default();
    assert!(buffers.cells.take(3).iter().all(|cell| *cell == [0, 0]));
}

/// What an object before it held is not what an unwritten one holds.
#[test]
fn unwritten_bytes_of_a_buffer_that_comes_back_are_junk() {
    let buffers = Rc::new(Buffers::default());
    let mut memory = Memory::new(0x41, &buffers);
    for _ in 0..2 {
        let at = memory.allocate(1 << 12, 0, false).unwrap();
        for offset in (0..1 << 12).step_by(8) {
            assert_eq!(memory.load(at + offset, 8, 0), Ok(0x4141_4141_4141_4141));
        }
        memory.fill(at, 0x77, 1 << 12).unwrap();
        memory.release(object_of(at));
    }
}
