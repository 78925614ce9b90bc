//! Interchange, distribution and fusion of the loops of a tree, found by the names of their
//! variables ([`crate::plan::steps::LoopStep`] says what each does).
//!
//! Nothing here asks whether an order is legal.

use super::{Band, Tree, of_statements};
use crate::scop::{Scop, Statement};
use isl::{AstLoopType, DimType, MultiUnionPwAff, PwAff, Result};
use std::collections::BTreeSet;

/// The statements below a node.
type Names = BTreeSet<String>;

/// A part of a sequence: what is executed there, and how.
type Part = (Names, Tree);

/// Changes trees of the statements of one program, and counts the places that it changed.
pub(crate) struct Restructure<'s> {
    scop: &'s Scop,
    /// How many places the last steps changed.
    pub changed: usize,
}

impl Tree {
    /// The same order with loops one by one, no sequence in a sequence, and no part without
    /// statements, of the given ones.
    pub(crate) fn plain(self, names: &Names) -> Result<Tree> {
        Ok(match self {
            Tree::Leaf => Tree::Leaf,
            Tree::Mark(id, inner) => Tree::Mark(id, Box::new(inner.plain(names)?)),
            Tree::Band(band, inner) => {
                let mut tree = inner.plain(names)?;
                for member in band.apart()?.into_iter().rev() {
                    tree = Tree::Band(member, Box::new(tree));
                }
                tree
            }
            Tree::Sequence(parts) => {
                let mut plain = Vec::new();
                for (own, inner) in parts {
                    let own: Names = own.intersection(names).cloned().collect();
                    if own.is_empty() {
                        continue;
                    }
                    match inner.plain(&own)? {
                        Tree::Sequence(more) => plain.extend(more),
                        inner => plain.push((own, inner)),
                    }
                }
                sequence(plain)
            }
        })
    }

    /// Whether there is a loop in it.
    fn has_loop(&self) -> bool {
        match self {
            Tree::Leaf => false,
            Tree::Band(..) => true,
            Tree::Mark(_, inner) => inner.has_loop(),
            Tree::Sequence(parts) => parts.iter().any(|(_, inner)| inner.has_loop()),
        }
    }
}

/// One after the other; one alone is no sequence.
fn sequence(mut parts: Vec<Part>) -> Tree {
    match parts.len() {
        0 => Tree::Leaf,
        1 => parts.remove(0).1,
        _ => Tree::Sequence(parts),
    }
}

fn borrowed(names: &Names) -> BTreeSet<&str> {
    names.iter().map(String::as_str).collect()
}

/// The statements of some parts.
fn together(parts: &[Part]) -> Names {
    let names = parts.iter().flat_map(|(own, _)| own.iter().cloned());
    names.collect()
}

impl Band {
    /// Its loops one by one, outermost first.
    fn apart(&self) -> Result<Vec<Band>> {
        let members = self.members.iter().enumerate();
        let alone = members.map(|(member, &how)| {
            let value = self.partial.get_at(member)?;
            Ok(Band {
                partial: MultiUnionPwAff::from_union_pw_aff(&value)?,
                permutable: false,
                members: vec![how],
            })
        });
        alone.collect()
    }

    /// One loop of the iterations of two, each for its own statements.
    fn joined(&self, own: &Names, other: &Band, theirs: &Names) -> Result<Band> {
        let (own, theirs) = (borrowed(own), borrowed(theirs));
        let mut value = of_statements(&self.partial.get_at(0)?, &own)?;
        for more in of_statements(&other.partial.get_at(0)?, &theirs)?.pw_affs()? {
            value = value.add_pw_aff(&more)?;
        }
        Ok(Band {
            partial: MultiUnionPwAff::from_union_pw_aff(&value)?,
            permutable: false,
            members: vec![(false, AstLoopType::Default)],
        })
    }
}

impl<'s> Restructure<'s> {
    pub fn new(scop: &'s Scop) -> Restructure<'s> {
        Restructure { scop, changed: 0 }
    }

    /// The name of the variable that a loop of some statements counts, up or down; `None` for
    /// loops over anything else.
    fn name(&self, band: &Band, names: &Names) -> Result<Option<&'s str>> {
        let mut found: Option<&str> = None;
        for own in band.partial.get_at(0)?.pw_affs()? {
            let tuple = own.get_domain_space()?.get_tuple_name(DimType::Set)?;
            if !names.contains(&tuple) {
                continue;
            }
            let Some(id) = self.scop.statement_named(&tuple) else {
                return Ok(None);
            };
            let statement = &self.scop.statements[id];
            let Some(iterator) = iterator(&own, statement)? else {
                return Ok(None);
            };
            let name = statement.iterators[iterator].name.as_str();
            if found.is_some_and(|other| other != name) {
                return Ok(None);
            }
            found = Some(name);
        }
        Ok(found)
    }

    /// The program's variable that a loop counts: that of a `while` loop is also a scalar of the
    /// region, and its counter has a number behind the name.
    fn variable<'n>(&self, counter: &'n str) -> &'n str {
        match counter.rsplit_once('_') {
            Some((base, number))
                if number.bytes().all(|b| b.is_ascii_digit())
                    && self.scop.arrays.iter().any(|array| array.base == base) =>
            {
                base
            }
            _ => counter,
        }
    }

    fn is_called(&self, band: &Band, names: &Names, name: &str) -> Result<bool> {
        let found = self.name(band, names)?;
        Ok(found.is_some_and(|found| found == name || self.variable(found) == name))
    }

    /// The names of all loops, in the order in which they come.
    pub fn loops(&self, tree: &Tree, names: &Names, found: &mut Vec<String>) -> Result<()> {
        match tree {
            Tree::Leaf => {}
            Tree::Mark(_, inner) => self.loops(inner, names, found)?,
            Tree::Band(band, inner) => {
                if let Some(name) = self.name(band, names)? {
                    let name = self.variable(name);
                    if !found.iter().any(|known| known == name) {
                        found.push(name.to_owned());
                    }
                }
                self.loops(inner, names, found)?;
            }
            Tree::Sequence(parts) => {
                for (own, inner) in parts {
                    self.loops(inner, own, found)?;
                }
            }
        }
        Ok(())
    }

    /// The tree with the same done to everything directly below its root.
    fn below(
        &mut self,
        tree: Tree,
        names: &Names,
        each: &mut dyn FnMut(&mut Self, Tree, &Names) -> Result<Tree>,
    ) -> Result<Tree> {
        Ok(match tree {
            Tree::Leaf => Tree::Leaf,
            Tree::Mark(id, inner) => Tree::Mark(id, Box::new(each(self, *inner, names)?)),
            Tree::Band(band, inner) => Tree::Band(band, Box::new(each(self, *inner, names)?)),
            Tree::Sequence(parts) => {
                let parts = parts.into_iter().map(|(own, inner)| {
                    let inner = each(self, inner, &own)?;
                    Ok((own, inner))
                });
                Tree::Sequence(parts.collect::<Result<_>>()?)
            }
        })
    }

    /// Interchanges every loop `outer` with the loop `inner` that is the only one directly inside.
    pub fn interchange(
        &mut self,
        tree: Tree,
        names: &Names,
        (outer, inner): (&str, &str),
    ) -> Result<Tree> {
        let tree = match tree {
            Tree::Band(first, body) => {
                match self.interchanged(&first, &body, names, outer, inner)? {
                    Some(swapped) => return Ok(swapped),
                    None => Tree::Band(first, body),
                }
            }
            tree => tree,
        };
        self.below(tree, names, &mut |this, tree, names| {
            this.interchange(tree, names, (outer, inner))
        })
    }

    /// A loop and its body with the loop inside it outside; `None` where they are not these two.
    fn interchanged(
        &mut self,
        first: &Band,
        body: &Tree,
        names: &Names,
        outer: &str,
        inner: &str,
    ) -> Result<Option<Tree>> {
        let parts = parts_of(body, names);
        let mut with_loops = (0..parts.len()).filter(|&at| parts[at].1.has_loop());
        let (Some(at), None) = (with_loops.next(), with_loops.next()) else {
            return Ok(None);
        };
        let (own, Tree::Band(second, below)) = &parts[at] else {
            return Ok(None);
        };
        if !self.is_called(first, names, outer)? || !self.is_called(second, own, inner)? {
            return Ok(None);
        }
        self.changed += 1;
        let alone = |some: &[Part]| {
            let body = Box::new(sequence(some.to_vec()));
            (together(some), Tree::Band(first.clone(), body))
        };
        let mut all = Vec::new();
        if at > 0 {
            all.push(alone(&parts[..at]));
        }
        let swapped = Box::new(Tree::Band(first.clone(), below.clone()));
        all.push((own.clone(), Tree::Band(second.clone(), swapped)));
        if at + 1 < parts.len() {
            all.push(alone(&parts[at + 1..]));
        }
        Ok(Some(sequence(all)))
    }

    /// Gives every part of the body of each loop of this name a loop of its own.
    pub fn distribute(&mut self, tree: Tree, names: &Names, name: &str) -> Result<Tree> {
        let tree = self.below(tree, names, &mut |this, tree, names| {
            this.distribute(tree, names, name)
        })?;
        let Tree::Band(band, body) = tree else {
            return Ok(tree);
        };
        if !self.is_called(&band, names, name)? {
            return Ok(Tree::Band(band, body));
        }
        let groups = distributed(parts_of(&body, names));
        if groups.len() > 1 {
            self.changed += 1;
        }
        let each = groups.into_iter().map(|group| {
            let own = together(&group);
            let body = Box::new(sequence(group));
            (own, Tree::Band(band.clone(), body))
        });
        Ok(sequence(each.collect()))
    }

    /// Makes one loop of all loops of this name that are in one body with no other loop between
    /// them.
    pub fn fuse(&mut self, tree: Tree, names: &Names, name: &str) -> Result<Tree> {
        let tree = match tree {
            Tree::Sequence(parts) => self.fused(parts, name)?.plain(names)?,
            tree => tree,
        };
        self.below(tree, names, &mut |this, tree, names| {
            this.fuse(tree, names, name)
        })
    }

    fn fused(&mut self, parts: Vec<Part>, name: &str) -> Result<Tree> {
        let mut done = Vec::new();
        // The loop that more may join, its parts, and the statements behind it.
        let mut open: Option<(Names, Band, Vec<Part>)> = None;
        let mut behind = Vec::new();
        for (own, tree) in parts {
            match (tree, open.take()) {
                (Tree::Band(band, body), before) if self.is_called(&band, &own, name)? => {
                    let part = (own.clone(), *body);
                    open = Some(match before {
                        None => (own, band, vec![part]),
                        Some((names, first, mut parts)) => {
                            self.changed += 1;
                            done.append(&mut behind);
                            let band = first.joined(&names, &band, &own)?;
                            parts.push(part);
                            (&names | &own, band, parts)
                        }
                    });
                }
                (tree, Some(before)) if !tree.has_loop() => {
                    behind.push((own, tree));
                    open = Some(before);
                }
                (tree, before) => {
                    done.extend(before.map(closed));
                    done.append(&mut behind);
                    done.push((own, tree));
                }
            }
        }
        done.extend(open.map(closed));
        done.append(&mut behind);
        Ok(sequence(done))
    }
}

/// A loop with its parts.
fn closed((names, band, parts): (Names, Band, Vec<Part>)) -> Part {
    (names, Tree::Band(band, Box::new(sequence(parts))))
}

/// The parts of a loop's body.
fn parts_of(body: &Tree, names: &Names) -> Vec<Part> {
    match body {
        Tree::Sequence(parts) => parts.clone(),
        body => vec![(names.clone(), body.clone())],
    }
}

/// What has a loop of its own: each loop with the statements in front of it, those at the end with
/// the last one; without loops each statement.
fn distributed(parts: Vec<Part>) -> Vec<Vec<Part>> {
    let loops = parts.iter().any(|(_, inner)| inner.has_loop());
    let mut groups: Vec<Vec<Part>> = Vec::new();
    let mut open = Vec::new();
    for part in parts {
        let ends = !loops || part.1.has_loop();
        open.push(part);
        if ends {
            groups.push(std::mem::take(&mut open));
        }
    }
    match groups.last_mut() {
        Some(last) => last.append(&mut open),
        None => groups.push(open),
    }
    groups
}

/// The number of the iterator that a loop's values for one statement are, or are the negative of,
/// but for a constant.
fn iterator(value: &PwAff, statement: &Statement) -> Result<Option<usize>> {
    let mut found = None;
    for (_, aff) in value.pieces()? {
        let mut own = None;
        for k in 0..statement.iterators.len() {
            match (aff.get_coefficient_val(DimType::In, k)?.to_i64(), own) {
                (Some(0), _) => {}
                (Some(1 | -1), None) => own = Some(k),
                _ => return Ok(None),
            }
        }
        if aff.dim(DimType::Div)? > 0 || own.is_none() || found.is_some_and(|one| Some(one) != own)
        {
            return Ok(None);
        }
        found = own;
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
