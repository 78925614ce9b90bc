//! What stands around the text of one kernel: code in front of it that inspects bounds, and where
//! matrices are packed their memory, and the region as it was in the other branch.

use super::messages::{Setback, refusal};
use super::region::RegionText;
use super::{Options, Region};
use crate::codegen::{self, CodegenOptions};
use crate::compile::candidates::format::{as_it_was, chosen};
use crate::compile::candidates::inspect;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeSet;

/// The same for all kernels that are generated for a region.
#[derive(Clone, Debug)]
pub struct Surroundings {
    front: Vec<String>,
    /// The region as it was, where the plan packs matrices.
    other: Option<String>,
    indent: usize,
}

impl Surroundings {
    /// What stands around a region that is prepared for a plan; `original` is the region before
    /// that.
    ///
    /// # Errors
    /// Why it cannot be generated, as [`compile`](super::compile) says it.
    pub fn new(
        region: &Region,
        original: &Region,
        options: &Options,
        settings: &CodegenOptions,
    ) -> Result<Surroundings, Box<Diagnostic>> {
        let taken: &BTreeSet<String> = &settings.taken_names;
        let made = || -> Result<Surroundings, Setback> {
            let other = match &region.scop.edges.packing {
                None => None,
                Some(_) => match as_it_was(original, options, taken, &mut |_| {})? {
                    RegionText::Host(text) => Some(text),
                    RegionText::Shares(_) | RegionText::Device(..) => {
                        let why = "the region would be on a device".to_owned();
                        return Err(Setback::Plan(why));
                    }
                },
            };
            Ok(Surroundings {
                front: inspect::texts(&region.scop, settings)?,
                other,
                indent: settings.indent,
            })
        };
        made().map_err(|setback| Box::new(refusal(setback)))
    }

    /// The whole text that replaces the region.
    pub fn around(&self, region: &Region, kernel: &str) -> String {
        let text = match (&region.scop.edges.packing, &self.other) {
            (Some(packing), Some(other)) => {
                let arrays = packing.arrays.iter();
                let arrays = arrays.map(|&array| &region.scop.arrays[array]);
                let kernel = codegen::c::with_memory(packing, arrays, kernel);
                chosen(packing, (&kernel, other))
            }
            _ => kernel.to_owned(),
        };
        codegen::c::around(&self.front, &text, self.indent)
    }
}
