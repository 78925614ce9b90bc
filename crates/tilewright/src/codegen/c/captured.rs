//! What threads get copies of.
//!
//! Compilers put the body of a parallel region into a function of its own. clang hands it the
//! addresses of all that is declared outside, so that pointers, sizes and bounds are read again
//! behind every store that may have changed them, and no loop over bytes becomes a vector loop.
//! What nobody writes in the region is passed by value: `firstprivate`.
//!
//! Not so pointers to what is stored, unless that are bytes: no store of another type changes a
//! pointer, and where clang 14 knows that stores leave a window's cells as they are, it keeps these
//! from one iteration to the next one, and makes no vector loop of it.

use super::{Printer, index};
use crate::codegen::kernel::Temporary;
use crate::scop::{AccessKind, Array};

/// A parallel region that is being printed.
pub(super) struct Region {
    /// Where its text begins, behind the line of its pragma.
    start: usize,
    /// Bounds and loop variables that are declared in front of it.
    declared: Vec<String>,
}

impl Printer<'_> {
    /// Right behind the pragma of a parallel region.
    pub(super) fn captures(&self) -> Region {
        Region {
            start: self.out.len(),
            declared: [&self.bounds[..], &self.around[..]].concat(),
        }
    }

    /// Right behind the region: gives the pragma its clause.
    pub(super) fn captured(&mut self, region: Region) {
        let mut passed: Vec<&str> = Vec::new();
        let text = &self.out[region.start..];
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if !passed.contains(&word) && self.may_be_copied(word, &region.declared) {
                passed.push(word);
            }
        }
        if passed.is_empty() {
            return;
        }
        let clause = format!(" firstprivate({})", passed.join(", "));
        self.out.insert_str(region.start - 1, &clause);
    }

    /// Whether a word of a region's text is a number that is declared in front of it and written
    /// nowhere, or a pointer to what is only read, or to bytes.
    fn may_be_copied(&self, word: &str, declared: &[String]) -> bool {
        let scop = self.scop;
        let parameter = |param: &index::ParamSpelling| param.name() == word;
        let written = |array: usize| {
            let mut all = scop.statements.iter().flat_map(|s| &s.accesses);
            all.any(|access| access.array == array && access.kind == AccessKind::Write)
        };
        let pays = |array: usize| {
            let of_bytes = scop.arrays[array].element.kind.bytes() == 1;
            !written(array) || of_bytes && !scop.arrays[array].extents.is_empty()
        };
        let temporary = |array: &Temporary| {
            array.name == word
                && !array.extents.is_empty()
                && pays(self.transformed.buffers[array.buffer].array)
        };
        let through = |array: &Array| array.variable.as_deref() == Some(word);
        let mut arrays = (0..scop.arrays.len()).filter(|&id| through(&scop.arrays[id]));
        declared.iter().any(|name| name == word)
            || self.params.iter().any(parameter)
            || scop.invariants.contains_key(word)
            || self.kernel.temporaries.iter().any(temporary)
            || scop.arrays.iter().any(through) && arrays.all(pays)
    }
}
