//! Which bytes of an object were written.

use crate::storage::spare::Spare;
use crate::storage::written::Written;

/// What the bits should say, kept as a list.
fn agree(written: &Written, expected: &[bool]) {
    assert_eq!(written.flags(0..expected.len()), expected);
    for start in 0..expected.len() {
        for size in 1..=64.min(expected.len() - start) {
            let all = expected[start..start + size].iter().all(|b| *b);
            assert_eq!(written.is_set(start..start + size), all, "{start} {size}");
            if size <= 8 {
                assert_eq!(written.has(start, size), all, "{start} {size}");
            }
        }
    }
}

#[test]
fn every_size_at_every_place() {
    let spare = Spare::default();
    for start in 0..130 {
        for size in [1, 2, 4, 8] {
            let mut written = Written::none(138, &spare);
            written.write(start, size);
            let expected: Vec<bool> = (0..138)
                .map(|b| (start..start + size).contains(&b))
                .collect();
            assert_eq!(written.flags(0..138), expected, "{start} {size}");
            written.end(&spare);
        }
    }
}

#[test]
fn ranges_across_words() {
    let mut written = Written::none(200, &Spare::default());
    let mut expected = vec![false; 200];
    for range in [3..5, 60..70, 120..200, 64..64, 10..11] {
        written.set(range.clone());
        expected[range].fill(true);
        agree(&written, &expected);
    }
    written.clear();
    agree(&written, &[false; 200]);
    agree(&Written::all(130), &[true; 130]);
    agree(&Written::all(128), &[true; 128]);
}

#[test]
fn copies_write_and_forget() {
    let mut written = Written::all(100);
    let mut expected = vec![true; 100];
    let flags: Vec<bool> = (0..70).map(|k| k % 3 == 0).collect();
    written.copy(20, &flags);
    expected[20..90].copy_from_slice(&flags);
    agree(&written, &expected);
}

/// A buffer that comes back has none written, whatever it had before.
#[test]
fn buffers_that_come_back_are_clean() {
    let spare = Spare::default();
    let mut written = Written::none(1 << 17, &spare);
    written.set(0..1 << 17);
    written.end(&spare);
    let written = Written::none(1 << 17, &spare);
    assert!(!(0..1 << 17).any(|byte| written.has(byte, 1)));
}
