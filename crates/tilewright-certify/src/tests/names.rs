//! Hashes of names.

use crate::names::{NameSet, Quick};
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault};

/// Names that are like each other, as those of texts are, have hashes that are not, whichever of
/// their bits are looked at.
#[test]
fn hashes_of_names() {
    let build = BuildHasherDefault::<Quick>::default();
    let mut names: Vec<String> = (0..500).map(|k| format!("x{k}")).collect();
    names.extend((0..500).map(|k| format!("a_rather_long_name_{k}")));
    names.extend((0..500).map(|k| format!("{k}_of_many_names_that_end_alike")));
    let hashes: Vec<u64> = names.iter().map(|name| build.hash_one(name)).collect();
    assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), names.len());
    for shift in [0, 16, 32, 48, 52] {
        let parts: HashSet<u64> = hashes.iter().map(|h| (h >> shift) & 0xfff).collect();
        // Of 4,096 parts 1,500 names at random have about 1,250.
        assert!(parts.len() > 1000, "{shift}: {}", parts.len());
    }
    let set: NameSet<&str> = names.iter().map(String::as_str).collect();
    assert!(set.contains("x77") && !set.contains("x500"));
}
