//! Names that are unique in the scop and valid in isl and in C.

use std::collections::HashSet;

/// Names given so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
    /// Names that the program itself gives meaning to in the region.
    visible: HashSet<String>,
}

/// Words with a meaning in isl's notation.
const ISL_WORDS: &[&str] = &[
    "and", "or", "not", "mod", "floor", "ceil", "ceild", "floord", "fdim", "exists", "min", "max",
    "infty", "infinity", "nan", "NaN", "true", "false", "implies", "rat", "lexmin", "lexmax", "le",
    "lt", "ge", "gt", "eq", "ne", "cond", "int", "domain", "schedule",
];

impl Names {
    /// Keeps a name from being given.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Says that the program may mean something by a name that a temporary must not hide.
    pub fn visible(&mut self, name: &str) {
        self.visible.insert(name.to_owned());
    }

    /// [`Names::fresh`] for a temporary, which is declared anew in the generated text.
    pub fn temporary(&mut self, wish: &str) -> String {
        let mut name = self.fresh(wish);
        while self.visible.contains(&name) {
            name = self.fresh(wish);
        }
        name
    }

    /// Whether the program may mean something by a name.
    pub fn is_visible(&self, name: &str) -> bool {
        self.visible.contains(name)
    }

    /// A name like `wish` (a C place: `p->n`), for the exclusive use of the caller.
    pub fn fresh(&mut self, wish: &str) -> String {
        let mut name = String::new();
        for c in wish.replace("->", "_").chars() {
            name.push(if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            });
        }
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        // Statements are S0, S1, …
        let statement = name
            .strip_prefix('S')
            .is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
        if statement || ISL_WORDS.contains(&name.as_str()) {
            name.push('_');
        }
        let mut candidate = name.clone();
        let mut number = 2;
        while !self.taken.insert(candidate.clone()) {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        candidate
    }
}
