//! What is about to be written, executed beside the original: the second opinion on every compile.
//!
//! [`crate::validate`] proves that the new order and storage compute what the model of the region
//! computes. Whether the model is the program, and the text is the order, is asked here: the crate
//! `tilewright-certify` reads both texts, shares nothing with this compiler, and executes them on
//! small inputs. Text that differs is not returned: the next simpler plan is tried, at last the
//! region stays as it is.

use super::Target;
use super::as_written::shares::Written;
use super::passes::Differed;
use super::region::RegionText;
use crate::codegen::c::devices::kernels::DeviceText;
use crate::codegen::c::devices::languages::prologue;
use crate::frontend::c::rewrite::{BEGIN, END, splice_preprocessed};
use crate::frontend::c::syntax::{Region, Unit};
use crate::source::Source;
use std::cell::RefCell;
use tilewright_certify::{Certificate, Difference, Effort, Kind, Text, Verdict};

/// How much is executed before a result is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certify {
    /// Nothing.
    Never,
    /// A fixed number of steps, about a tenth of a second for a file.
    #[default]
    Quick,
    /// More sizes, data and orders of parallel loops: seconds.
    Full,
}

/// What was executed of a region's text.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Certified {
    /// Inputs on which original and result left the same behind.
    pub runs: usize,
    /// Lines of the generated text that hold code.
    pub lines: usize,
    /// How many of them were executed.
    pub reached: usize,
    /// Why nothing could be said, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// Certifies the regions of a file one by one.
pub(super) struct Certifier<'a> {
    pub source: &'a Source,
    pub unit: &'a Unit,
    pub how: Certify,
    pub target: Target,
    /// The file before its regions were rewritten.
    pub written: Written<'a>,
    /// Whether what is generated stands in a file of C.
    pub written_as_c: bool,
    /// Texts that were found to differ, and were not taken.
    pub differed: RefCell<Vec<Differed>>,
}

impl Certifier<'_> {
    /// Executes a region's text in its function, beside the original. `check`: where the text
    /// stands for the original; `apart`: whether pointers that are given point at different memory,
    /// which `check` does not say; `reordered`: whether sums are added up in another order, as was
    /// asked for, so that their values say nothing.
    ///
    /// # Errors
    /// What is different.
    pub fn region(
        &self,
        number: usize,
        text: &RegionText,
        (check, apart): (Option<(&str, &[String])>, bool),
        reordered: bool,
    ) -> Result<Option<Certified>, Box<Difference>> {
        let effort = match self.how {
            Certify::Never => return Ok(None),
            Certify::Quick => Effort::Quick,
            Certify::Full => Effort::Full,
        };
        let Some(region) = self.unit.regions.get(number) else {
            return Ok(None);
        };
        let function = &self.unit.functions[region.function].name;
        let result = match text {
            RegionText::Host(text) => splice_preprocessed(self.source, region, text, check),
            RegionText::Shares(text) => {
                let (text, (place, functions)) = &text.executed;
                let mut all = splice_preprocessed(self.source, region, text, check);
                all.insert_str(*place, &self.apart(region, functions));
                all
            }
            RegionText::Device(text, _) => {
                let own = splice_preprocessed(self.source, region, &text.region, check);
                self.in_front(text) + &own
            }
        };
        let options = tilewright_certify::Options {
            effort,
            functions: Some(vec![function.clone()]),
            // All regions of a file share the effort.
            parts: self.unit.regions.len() as u64,
            apart,
            ..tilewright_certify::Options::default()
        };
        let text = |preprocessed| Text {
            name: &self.source.name,
            preprocessed,
        };
        let original = text(&self.source.preprocessed);
        let Certificate {
            verdict,
            runs,
            coverage,
            ..
        } = tilewright_certify::certify(&original, &text(&result), &options);
        let unknown = match verdict {
            Verdict::Equal => None,
            Verdict::Differs(found) if reordered && found.kind == Kind::Value => {
                Some("sums are added up in another order".to_owned())
            }
            Verdict::Differs(found) => return Err(found),
            Verdict::Unknown(why) => Some(why),
        };
        tracing::debug!(never = ?coverage.never, "lines that were never executed");
        Ok(Some(Certified {
            runs,
            lines: coverage.lines,
            reached: coverage.reached,
            unknown,
        }))
    }

    /// Functions in front of a region's, on lines of their own as [`Certifier::in_front`].
    fn apart(&self, region: &Region, functions: &str) -> String {
        let name = &self.source.name;
        let first = self.source.text.lines().count() + 1;
        let function = self.unit.functions[region.function].span.start;
        let back = self.source.line_column(function).0;
        format!("\n# {first} {name:?}\n{BEGIN}\n{functions}\n{END}\n# {back} {name:?}\n")
    }

    /// What a region on a device needs in front of the file, with numbers for its lines that no line
    /// of the file has: the host's side and, in one file with it or not, the device's.
    fn in_front(&self, text: &DeviceText) -> String {
        let (host, device) = prologue(self.target);
        let own = match self.target.own_file() {
            Some(_) => &text.device,
            None => &text.host,
        };
        let name = &self.source.name;
        let first = self.source.text.lines().count() + 1;
        format!("# {first} {name:?}\n{host}{device}{BEGIN}\n{own}\n{END}\n# 1 {name:?}\n")
    }
}
