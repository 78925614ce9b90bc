//! What threads get copies of.
//!
//! Compilers put the body of a parallel region into a function of its own. clang hands it the
//! addresses of all that is declared outside, so that pointers, sizes and bounds are read again
//! behind every store that may have changed them, and no loop over bytes becomes a vector loop.
//! What nobody writes in the region is passed by value: `firstprivate`.
//!
//! Pointers, too, whatever is stored through them: otherwise also the loops as they were written, in
//! the other branch of a condition on the sizes, read pointers again whose address has been handed out.
//! Seven iterated stencils in caches took up to 1.4 times as long there, built by clang 14 and 19.

use super::Printer;
use crate::codegen::c::bodies::index;
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
            declared: [&self.here.bounds[..], &self.here.around[..]].concat(),
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
    /// nowhere, or a pointer to an array.
    fn may_be_copied(&self, word: &str, declared: &[String]) -> bool {
        let scop = self.scop;
        let parameter = |param: &index::ParamSpelling| param.name() == word;
        let written = |array: usize| {
            let mut all = scop.statements.iter().flat_map(|s| &s.accesses);
            all.any(|access| access.array == array && access.kind == AccessKind::Write)
        };
        let pointer = |array: usize| !written(array) || !scop.arrays[array].extents.is_empty();
        let of_bytes = |array: usize| scop.arrays[array].element.kind.bytes() == 1;
        let temporary = |array: &Temporary| {
            let of = self.transformed.buffers[array.buffer].array;
            array.name == word && !array.extents.is_empty() && pointer(of) && of_bytes(of)
        };
        let through = |array: &Array| array.variable.as_deref() == Some(word);
        let mut arrays = (0..scop.arrays.len()).filter(|&id| through(&scop.arrays[id]));
        declared.iter().any(|name| name == word)
            || self.spellings.params.iter().any(parameter)
            || scop.invariants.contains_key(word)
            || self.kernel.temporaries.iter().any(temporary)
            || scop.arrays.iter().any(through) && arrays.all(pointer)
    }
}
