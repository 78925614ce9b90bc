//! Stages whose value is computed in steps: variables of the statement become variables of the
//! reader, in front of the value that reads.

use super::expression::names_of;
use super::same::equal;
use crate::scop::{Access, AccessId, Action, Array, Expr, ScalarType, Statement};
use isl::Result;
use std::collections::{BTreeMap, BTreeSet};

/// A body of variables that are declared with their values, and one assignment.
pub(super) struct Steps<'s> {
    /// The declarations.
    pub variables: &'s [Action],
    /// What is assigned to.
    pub target: AccessId,
    /// What is assigned.
    pub value: &'s Expr,
}

impl Steps<'_> {
    /// `None` for other bodies.
    pub fn of(statement: &Statement) -> Option<Steps<'_>> {
        let (last, variables) = statement.body.split_last()?;
        let declared = |action: &Action| matches!(action, Action::Local { value: Some(_), .. });
        match last {
            Action::Assign { target, value } if variables.iter().all(declared) => Some(Steps {
                variables,
                target: *target,
                value,
            }),
            _ => None,
        }
    }
}

/// The expression with other names of variables.
pub(super) fn renamed(expr: &Expr, names: &BTreeMap<String, String>) -> Expr {
    expr.map(&mut |e| match e {
        Expr::Local(name) => names.get(name).cloned().map(Expr::Local),
        _ => None,
    })
}

/// Steps of a reader in front of its value, which compute values of a stage.
#[derive(Default)]
pub(super) struct Before {
    actions: Vec<Action>,
    /// Reads and the variables that hold their values now.
    values: Vec<(Access, Expr)>,
    names: BTreeSet<String>,
}

impl Before {
    /// Whether a reader may take such steps for one of its reads: it has a value of its own to
    /// stand in front of, and reads nowhere else.
    pub fn fits(reader: &Statement, read: AccessId) -> bool {
        let Some(steps) = Steps::of(reader) else {
            return false;
        };
        let mut elsewhere = false;
        for action in steps.variables {
            if let Action::Local {
                value: Some(value), ..
            } = action
            {
                value.walk(&mut |e| elsewhere |= *e == Expr::Access(read));
            }
        }
        for subscript in reader.accesses.iter().flat_map(|a| &a.subscripts) {
            subscript.walk(&mut |e| elsewhere |= *e == Expr::Access(read));
        }
        !elsewhere
    }

    /// Whether one of the steps hides a name that a stage's body means.
    pub fn hides(&self, stage: &Statement) -> bool {
        let mut own: BTreeSet<&str> = BTreeSet::new();
        stage.body.iter().for_each(|a| names_of(a, &mut own));
        let mut outside = words(stage);
        outside.retain(|word| !own.contains(word.as_str()));
        outside.iter().any(|word| self.names.contains(word))
    }

    /// The variable that holds what an access to the same cell reads.
    pub fn known(&self, access: &Access) -> Result<Option<Expr>> {
        for (other, value) in &self.values {
            if equal(std::slice::from_ref(other), access)?.is_some() {
                return Ok(Some(value.clone()));
            }
        }
        Ok(None)
    }

    /// Names for the variables of a stage that nothing in its body and its reader's has.
    pub fn names(&self, stage: &Statement, reader: &Statement) -> BTreeMap<String, String> {
        let mut taken = words(reader);
        taken.extend(self.names.iter().cloned());
        let mut names = BTreeMap::new();
        for action in &stage.body {
            if let Action::Local { name, .. } = action {
                let new = free(name, &taken);
                taken.insert(new.clone());
                names.insert(name.clone(), new);
            }
        }
        names
    }

    /// Adds the steps for the value of one access, and returns the variable that holds it. Steps
    /// that are there already are not taken again; the names that their variables would have had,
    /// with the names that they have, are returned, too.
    pub fn add(
        &mut self,
        steps: &Steps<'_>,
        names: &BTreeMap<String, String>,
        at_reader: &dyn Fn(&Expr) -> Expr,
        access: &Access,
        stored: &Array,
        bodies: [&Statement; 2],
    ) -> (Expr, BTreeMap<String, String>) {
        let mut same: BTreeMap<String, String> = BTreeMap::new();
        let mut step = |ctype: &ScalarType, name: String, value: Expr| {
            let value = renamed(&value, &same);
            let there = self.actions.iter().find_map(|action| match action {
                Action::Local {
                    name,
                    ctype: before,
                    value: Some(other),
                } if before == ctype && *other == value => Some(name.clone()),
                _ => None,
            });
            match there {
                Some(there) => {
                    same.insert(name, there.clone());
                    there
                }
                None => {
                    self.names.insert(name.clone());
                    self.actions.push(Action::Local {
                        name: name.clone(),
                        ctype: ctype.clone(),
                        value: Some(value),
                    });
                    name
                }
            }
        };
        for action in steps.variables {
            if let Action::Local {
                name,
                ctype,
                value: Some(value),
            } = action
            {
                step(ctype, names[name].clone(), at_reader(value));
            }
        }
        let mut taken: BTreeSet<String> = bodies.into_iter().flat_map(words).collect();
        taken.extend(names.values().cloned());
        taken.extend(self.values.iter().filter_map(|(_, value)| match value {
            Expr::Local(name) => Some(name.clone()),
            _ => None,
        }));
        let name = free(&stored.name, &taken);
        let name = step(&stored.element, name, at_reader(steps.value));
        let value = Expr::Local(name);
        self.values.push((access.clone(), value.clone()));
        (value, same)
    }

    /// Puts the steps where they belong.
    pub fn insert_into(self, body: &mut Vec<Action>) {
        let last = body.len().saturating_sub(1);
        body.splice(last..last, self.actions);
    }
}

/// The name, or the first with a number behind it that is free.
fn free(name: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Every identifier in a body.
fn words(statement: &Statement) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut each = |e: &Expr| match e {
        Expr::Invariant(text) | Expr::Local(text) | Expr::Call(text, _) | Expr::Literal(text) => {
            let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.extend(parts.map(str::to_owned));
        }
        Expr::Cast(ctype, _) => {
            words.extend(ctype.spelling.split(' ').map(str::to_owned));
        }
        _ => {}
    };
    let subscripts = statement.accesses.iter().flat_map(|a| &a.subscripts);
    subscripts.for_each(|subscript| subscript.walk(&mut each));
    let mut pending: Vec<&Action> = statement.body.iter().collect();
    let mut declared = Vec::new();
    while let Some(action) = pending.pop() {
        match action {
            Action::Assign { value, .. } | Action::SetLocal { value, .. } | Action::Call(value) => {
                value.walk(&mut each);
            }
            Action::Local { name, value, .. } => {
                declared.push(name.clone());
                value.iter().for_each(|value| value.walk(&mut each));
            }
            Action::If {
                condition,
                then,
                otherwise,
            } => {
                condition.walk(&mut each);
                pending.extend(then.iter().chain(otherwise));
            }
            Action::Repeat { condition, body } => {
                condition.walk(&mut each);
                pending.extend(body);
            }
            Action::Leave => {}
        }
    }
    words.extend(declared);
    words
}
