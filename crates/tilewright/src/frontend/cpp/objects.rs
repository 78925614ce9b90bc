//! Which variables of a region may be one: references, members and variables of the file.

use super::answers::{Kind, Layer};
use super::names::Outer;

/// A variable that more than one name may have.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub spelling: String,
    pub kind: Kind,
    pub is_reference: bool,
    pub written: bool,
}

/// Variables of a region that other names may be of.
#[derive(Debug, Default)]
pub(super) struct Objects(Vec<Object>);

impl Objects {
    /// What they are called in C++.
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|object| &*object.spelling).collect()
    }

    /// Takes one more.
    pub fn add(&mut self, object: Object) {
        self.0.push(object);
    }

    /// Under which condition no two references are the same object of which one is written; `is_shared`:
    /// whether variables of the file and members may be, too.
    pub fn condition(&self, is_shared: bool) -> Option<String> {
        let mut all = Vec::new();
        for (number, a) in self.0.iter().enumerate() {
            for b in &self.0[..number] {
                let may = a.is_reference || b.is_reference || is_shared;
                if may && (a.written || b.written) && compatible(&a.kind, &b.kind) {
                    let (a, b) = (&a.spelling, &b.spelling);
                    all.push(format!(
                        "((__UINTPTR_TYPE__)&{a} + sizeof({a}) <= (__UINTPTR_TYPE__)&{b} || \
                         (__UINTPTR_TYPE__)&{b} + sizeof({b}) <= (__UINTPTR_TYPE__)&{a})"
                    ));
                }
            }
        }
        (!all.is_empty()).then(|| all.join(" && "))
    }

    /// Takes what a function that is called takes.
    pub fn also(&mut self, other: &Objects) {
        for object in &other.0 {
            match self
                .0
                .iter_mut()
                .find(|known| known.spelling == object.spelling)
            {
                Some(known) => known.written |= object.written,
                None => self.0.push(object.clone()),
            }
        }
    }
}

/// The pointer, of those that lead to a variable, that is changed.
pub(super) fn leads_elsewhere(outer: &Outer, outers: &[Outer]) -> Option<String> {
    let pointers = outer
        .spelling
        .match_indices("->")
        .map(|(end, _)| &outer.spelling[..end]);
    let changes = |pointer: &&str| {
        outers
            .iter()
            .any(|other| other.spelling == **pointer && other.written)
    };
    pointers
        .filter(|pointer| *pointer != "this")
        .find(changes)
        .map(str::to_owned)
}

/// Whether an object may be accessed as both types.
fn compatible(a: &Kind, b: &Kind) -> bool {
    let is_pointer = |kind: &Kind| {
        kind.layers
            .iter()
            .any(|l| matches!(l, Layer::Pointer | Layer::Restrict))
    };
    let is_byte =
        |kind: &Kind| !is_pointer(kind) && kind.base.is_some_and(|base| base.contains("char"));
    let is_float = |kind: &Kind| matches!(kind.base, Some("float" | "double"));
    if is_byte(a) || is_byte(b) {
        return true;
    }
    is_pointer(a) == is_pointer(b) && (a.base == b.base || !(is_float(a) || is_float(b)))
}
