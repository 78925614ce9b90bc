//! What is known of a function while it is compiled.

use crate::names::NameSet;
use crate::program::Reg;
use crate::types::Type;
use std::collections::HashMap;

/// The function that is being compiled.
#[derive(Default)]
pub(super) struct Fun {
    pub name: String,
    pub frame: Layout,
    pub jumps: Jumps,
    /// What is said of names in its text.
    pub names: Mentions,
    pub result: Option<Type>,
    /// The register that points to where a structure is returned.
    pub returned: Option<Reg>,
    /// Parallel regions around.
    pub parallel: usize,
    /// The `Mark` whose cost is not known yet.
    pub mark: Option<usize>,
}

/// What a call of a function needs.
#[derive(Default)]
pub(super) struct Layout {
    /// The next free register, and the most that were used.
    pub top: usize,
    pub most: usize,
    pub first_constant: usize,
    pub constants: Vec<u64>,
    /// Objects that are no registers.
    pub locals: u32,
}

/// Where jumps of a function go to.
#[derive(Default)]
pub(super) struct Jumps {
    /// Jumps of `break` and `continue` to be directed, innermost last.
    pub breaks: Vec<Vec<usize>>,
    pub continues: Vec<Vec<usize>>,
    pub switches: Vec<super::statements::stmt::Switch>,
    pub labels: HashMap<String, u32>,
    pub gotos: Vec<(usize, String, u32)>,
    /// `omp` constructs that jumps may not leave: how deep `breaks` was.
    pub closed: Vec<(usize, usize)>,
    /// The place behind the latest target of a jump.
    pub label: usize,
}

/// Names of a function of which more is known than their declarations.
#[derive(Default)]
pub(super) struct Mentions {
    /// Their address is taken.
    pub addressed: NameSet<String>,
    /// Parallel regions and `simd` loops assign to them.
    pub shared: NameSet<String>,
    /// Pointers to what is `volatile`.
    pub volatile: NameSet<String>,
}
