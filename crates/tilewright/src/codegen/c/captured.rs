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
//! Members of variables (`a.x`) are copied in front of the region, so that nobody gets the variable's
//! address: with three vertices of a triangle in the region the original took 1.2 times as long by gcc
//! 12 and 1.5 times by clang 19, on one thread.

use super::Printer;
use crate::codegen::c::bodies::index;
use crate::codegen::kernel::Temporary;
use crate::scop::{AccessKind, Array, Followed};

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
    pub(super) fn captured(&mut self, mut region: Region) {
        self.copy_members(&mut region);
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

    /// Puts copies in the places of members of variables that the region only reads, and of what pointers
    /// lead to that the original follows.
    fn copy_members(&mut self, region: &mut Region) {
        let mut text = self.out.split_off(region.start);
        let line = self.out[..region.start - 1]
            .rfind('\n')
            .map_or(0, |end| end + 1);
        let margin = self.out[line..].len() - self.out[line..].trim_start().len();
        let in_front = self.scop.followed_in_front(false).unwrap_or_default();
        let known = |pointer: &str| {
            let same = |followed: &Followed| followed.pointer == pointer;
            let mut at_times = self.scop.conditions.checks.followed.iter();
            !at_times.any(same) || in_front.iter().any(|followed| same(followed))
        };
        let params = self.scop.params.iter().map(|p| (&p.spelling, &p.ctype));
        let members: Vec<(String, String)> = params
            .chain(&self.scop.invariants)
            .filter(|(place, _)| {
                is_member(place) && pointers(place).all(known) && mentions(&text, place)
            })
            .map(|(place, ctype)| (place.clone(), ctype.spelling.clone()))
            .collect();
        for (place, ctype) in members {
            let words = place.split(|c: char| !c.is_alphanumeric() && c != '_');
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            let name = self.spellings.names.fresh(&words.join("_"));
            let copy = format!("{}const {ctype} {name} = {place};\n", " ".repeat(margin));
            text = replaced(&text, &place, &name);
            self.out.insert_str(line, &copy);
            region.start += copy.len();
            region.declared.push(name);
        }
        self.out.push_str(&text);
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
            || scop.params.iter().any(|param| param.spelling == word)
            || scop.invariants.contains_key(word)
            || self.kernel.temporaries.iter().any(temporary)
            || scop.arrays.iter().any(through) && arrays.all(pointer)
    }
}

/// Whether a place is a member of a variable, or behind one: `a.x`, `p->size.x`, `dims[1]`.
fn is_member(place: &str) -> bool {
    let array = place.strip_suffix(']').and_then(|p| p.rsplit_once('['));
    let (path, element) = match array {
        Some((array, index)) if index.parse::<u32>().is_ok() => (array, true),
        _ => (place, false),
    };
    let path = path.replace("->", ".");
    let mut words = path.split('.');
    let is_word = |word: &str| {
        let mut all = word.chars();
        all.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && all.all(|c| c.is_alphanumeric() || c == '_')
    };
    (element || path.contains('.')) && words.all(is_word)
}

/// The pointers on the way to a place; an element may be behind one itself.
fn pointers(place: &str) -> impl Iterator<Item = &str> {
    let arrows = place.match_indices("->").map(|(at, _)| &place[..at]);
    arrows.chain(place.ends_with(']').then_some(place))
}

/// Where a place stands in a text, and not as a part of another one.
fn places<'t>(text: &'t str, place: &'t str) -> impl Iterator<Item = usize> + 't {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '>');
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | '(');
    text.match_indices(place)
        .map(|(at, _)| at)
        .filter(move |&at| {
            let behind = &text[at + place.len()..];
            !text[..at].ends_with(inside)
                && !text[..at].ends_with('&')
                && !behind.starts_with(goes_on)
                && !behind.starts_with("->")
        })
}

fn mentions(text: &str, place: &str) -> bool {
    places(text, place).next().is_some()
}

fn replaced(text: &str, place: &str, by: &str) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for at in places(text, place) {
        out.push_str(&text[done..at]);
        out.push_str(by);
        done = at + place.len();
    }
    out.push_str(&text[done..]);
    out
}
