//! The C front end: preprocessed C to regions ([`crate::scop::Scop`]) and back into the file.
//!
//! `parse` (lang-c, then at once our own tree, [`syntax`]) → `lower` (region to `Scop`) →
//! `rewrite` (generated text back into the original file, the rest byte for byte).

pub mod contract;
pub mod interface;
pub mod lower;
mod mentions;
pub mod parse;
mod reach;
pub mod rewrite;
mod spans;
pub mod syntax;
mod tokens;
pub mod types;

#[cfg(test)]
mod tests;
