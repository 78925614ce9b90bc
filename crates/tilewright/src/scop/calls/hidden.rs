//! State that no variable of the program holds which the region can name: calls read and write it.
//!
//! Each kind is an object of the model without dimensions ([`crate::scop::Origin::Hidden`]). A call reads
//! and writes it, so that dependences keep the order of all calls that share a kind. Nothing is
//! declared or printed for the object.

use std::fmt;

/// A kind of state that calls share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hidden {
    /// What streams have been given and what is left in them: all streams are one, since two of
    /// them may lead to the same file.
    Streams,
    /// Where the generators of random numbers are.
    Random,
    /// What the variables that a function of the program declares `static` hold; the function by its
    /// number in the file.
    Kept(usize),
}

impl Hidden {
    /// The name of the object, as far as nothing else has it: that of a function goes in front of
    /// `kept`.
    pub fn name(self) -> &'static str {
        match self {
            Hidden::Streams => "streams",
            Hidden::Random => "random",
            Hidden::Kept(_) => "kept",
        }
    }
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hidden::Streams => "the state of streams",
            Hidden::Random => "the state of random numbers",
            Hidden::Kept(_) => "what a function keeps",
        })
    }
}
