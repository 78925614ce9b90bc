//! The C front end: preprocessed C to regions ([`crate::scop::Scop`]) and back into the file.
//!
//! `parse` (lang-c, then at once our own tree, [`syntax`]) → `normalise` (the same with fewer
//! constructs) → `lower` (region to `Scop`) → `rewrite` (generated text back into the original file, the rest byte for byte).

pub mod contract;
pub mod divide;
pub mod interface;
pub mod lower;
mod mentions;
mod normalise;
pub mod parse;
mod reach;
pub mod rewrite;
mod shielded;
pub(in crate::frontend) mod spans;
pub mod syntax;
pub(in crate::frontend) mod tokens;
pub mod types;

#[cfg(test)]
mod tests;

use crate::diagnostic::Diagnostic;
use crate::source::Source;

/// Reads a file for [`lower`]: parsed and normalised.
///
/// # Errors
/// As [`parse::parse`].
pub fn read(source: &Source) -> Result<syntax::Unit, Vec<Diagnostic>> {
    divide::read_divided(&parse::File::read(source)?, &divide::Division::new())
}
