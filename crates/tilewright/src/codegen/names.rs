//! Names for what generated code declares: none that the program uses itself.

use crate::scop::{Action, Expr, Scop};
use std::collections::{BTreeSet, HashSet};

/// What generated names start with.
const PREFIX: &str = "tw_";

/// Every identifier in a text of C, keywords and words of strings and comments included.
pub fn identifiers(text: &str) -> BTreeSet<String> {
    // Most words of a text are there many times.
    let distinct: HashSet<&str> = words(text).collect();
    distinct.into_iter().map(str::to_owned).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The identifiers that are taken.
#[derive(Clone, Debug)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The identifiers of the file and those that the scop prints.
    pub fn new(scop: &Scop, of_file: &BTreeSet<String>) -> Names {
        let mut names = Names {
            taken: of_file.clone(),
        };
        names.add(&scop.place.function);
        for param in &scop.params {
            names.add(&param.name);
            names.add(&param.spelling);
        }
        for array in &scop.arrays {
            names.add(&array.name);
            names.add(&array.base);
            names.add(&array.members.path());
            names.add(&array.element.spelling);
            if let Some(linear) = array.layout.linear() {
                linear
                    .strides
                    .iter()
                    .for_each(|stride| names.add(&stride.text));
            }
        }
        for statement in &scop.statements {
            statement
                .body
                .iter()
                .for_each(|action| names.add_action(action));
            for access in &statement.accesses {
                access
                    .subscripts
                    .iter()
                    .for_each(|subscript| names.add_expr(subscript));
            }
        }
        names
    }

    /// Every identifier in a piece of C.
    fn add(&mut self, text: &str) {
        self.taken.extend(identifiers(text));
    }

    fn add_action(&mut self, action: &Action) {
        match action {
            Action::Assign { value, .. } => self.add_expr(value),
            Action::Local { name, ctype, value } => {
                self.add(name);
                self.add(&ctype.spelling);
                value.iter().for_each(|value| self.add_expr(value));
            }
            Action::SetLocal { name, value } => {
                self.add(name);
                self.add_expr(value);
            }
            Action::Call(call) => self.add_expr(call),
            Action::If {
                condition,
                then,
                otherwise,
            } => {
                self.add_expr(condition);
                then.iter()
                    .chain(otherwise)
                    .for_each(|action| self.add_action(action));
            }
            Action::Repeat { condition, body } => {
                self.add_expr(condition);
                body.iter().for_each(|action| self.add_action(action));
            }
            Action::Leave => {}
        }
    }

    fn add_expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| match expr {
            Expr::Literal(text) | Expr::Invariant(text) | Expr::Local(text) => self.add(text),
            Expr::Cast(ctype, _) => self.add(&ctype.spelling),
            Expr::Call(function, _) | Expr::Effect { function, .. } => self.add(function),
            _ => {}
        });
    }

    /// Whether nothing has this name.
    pub fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }

    /// Takes `tw_<stem>`, with a number behind where that is taken.
    pub fn fresh(&mut self, stem: &str) -> String {
        let stem = stem.strip_prefix(PREFIX).unwrap_or(stem);
        let mut name = format!("{PREFIX}{stem}");
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{PREFIX}{stem}_{number}");
        }
        name
    }

    /// Takes this very name, which [`Names::fresh`] gave before.
    pub fn take(&mut self, name: &str) -> String {
        self.taken.insert(name.to_owned());
        name.to_owned()
    }

    /// A prefix under which `<prefix>0`, `<prefix>1`, … and whatever follows an underscore behind
    /// those is free: `c` where the program leaves it.
    pub fn loop_prefix(&self) -> String {
        let clashes = |prefix: &str| {
            let begins = |name: &str| {
                name.strip_prefix(prefix)
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            // What `fresh` may still make of a name counts, too.
            self.taken.iter().any(|name| {
                begins(name) || (!name.starts_with(PREFIX) && begins(&format!("{PREFIX}{name}")))
            })
        };
        let mut prefix = "c".to_owned();
        while clashes(&prefix) {
            prefix = format!("{PREFIX}{prefix}");
        }
        prefix
    }
}
