//! Sizes in memory: elements of an array of numbers, or behind a pointer of their own.

use crate::generate::Generator;
use crate::tree::{Stmt, Type};

/// What the function gets in place of sizes that it reads in memory.
#[derive(Clone, Debug)]
pub(in crate::generate) struct InMemory {
    /// What it is called where they are read.
    name: &'static str,
    ty: Type,
    /// Sizes by number, as the elements follow each other.
    sizes: Vec<usize>,
}

impl Generator {
    /// Sizes that the function reads in memory: `dims[1]`, `*np`.
    pub(in crate::generate) fn choose_sizes_in_memory(&mut self) {
        if !self.random.percent(14) {
            return;
        }
        let sizes = &mut self.visible.sizes;
        let ty = sizes[0].ty;
        let fits = |k: &usize| !sizes[*k].global && sizes[*k].ty == ty;
        let found: Vec<usize> = (0..sizes.len()).filter(fits).collect();
        let Some(first) = found.first().copied() else {
            return;
        };
        if self.random.percent(40) {
            sizes[first].name = "*np".to_owned();
            sizes[first].global = true;
            let (name, sizes) = ("np", vec![first]);
            self.visible.in_memory = Some(InMemory { name, ty, sizes });
            return;
        }
        for (at, k) in found.iter().enumerate() {
            sizes[*k].name = format!("dims[{at}]");
            sizes[*k].global = true;
        }
        let (name, sizes) = ("dims", found);
        self.visible.in_memory = Some(InMemory { name, ty, sizes });
    }

    /// The memory, in front of calls.
    pub(in crate::generate) fn prepare_sizes(&self, entry: &mut Vec<Stmt>) {
        let Some(InMemory { name, ty, sizes }) = &self.visible.in_memory else {
            return;
        };
        let values: Vec<String> = sizes.iter().map(|k| format!("s[{k}]")).collect();
        let values = values.join(", ");
        entry.push(Stmt::Raw(format!("{} {name}[] = {{{values}}};", ty.c())));
    }

    /// It as a parameter, and its name.
    pub(in crate::generate) fn sizes_parameter(&self) -> Option<(String, &'static str)> {
        let InMemory { name, ty, .. } = self.visible.in_memory.as_ref()?;
        Some((format!("const {} *{name}", ty.c()), name))
    }
}
