//! Questions of the other checks that [`Model`] answers at once, where the answer is yes.

use crate::scop::StatementId;
use crate::transform::{BufferId, BufferKind};
use crate::validate::numbers::facts::{Facts, Row, Var};
use crate::validate::numbers::model::{Instance, Model};
use crate::validate::numbers::relation::{Goals, Relation};
use crate::validate::storage::Touch;
use std::rc::Rc;

/// The instances that a read gets its values from: from original writers to original readers.
pub(crate) struct Sources {
    pub writer: StatementId,
    pub pairs: Rc<Vec<Relation>>,
}

/// How often facts are split in two, or by remainders, until sources exist.
const SPLITS: usize = 3;

impl Model<'_> {
    /// Whether a write stays inside its local buffer.
    pub fn in_bounds(&self, touch: &Touch) -> isl::Result<bool> {
        let BufferKind::Local {
            extents, folded, ..
        } = &self.buffer(touch.buffer).kind
        else {
            return Ok(true);
        };
        let mut facts = self.facts();
        let instance = self.instance(&mut facts, touch.lifted);
        let Some(element) = self.any_element(&mut facts, instance, touch.access)? else {
            return Ok(false);
        };
        let Some(origin) = self.origin(&mut facts, instance, touch.buffer)? else {
            return Ok(false);
        };
        let Some(all) = self.inside(&facts, instance)? else {
            return Ok(false);
        };
        if element.len() != extents.len() || origin.len() != extents.len() {
            return Ok(false);
        }
        let within = |facts: &Facts, dim: usize| -> Option<bool> {
            let index = element[dim].minus(&origin[dim])?;
            let above = index.times(-1)?.plus_number(extents[dim].checked_sub(1)?)?;
            Some(facts.proves(&index) && facts.proves(&above))
        };
        Ok(all.iter().all(|facts| {
            let mut dims = (0..extents.len()).filter(|&dim| !folded[dim]);
            dims.all(|dim| within(facts, dim) == Some(true))
        }))
    }

    /// Whether pairs of instances in one life of a buffer come in order, if these original ones
    /// are related.
    pub fn in_order(
        &self,
        a: usize,
        b: usize,
        scope: Option<usize>,
        pairs: &[Relation],
    ) -> isl::Result<bool> {
        for pairs in pairs {
            let mut facts = self.facts();
            let first = self.instance(&mut facts, a);
            let second = self.instance(&mut facts, b);
            if scope.is_some_and(|scope| !self.tell_life(&mut facts, first, second, scope)) {
                return Ok(false);
            }
            pairs.tell(&mut facts, self.original(first), self.original(second));
            if !self.ordered_inside(&facts, first, second)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the first instance comes before the second one, as facts say, or their domains.
    fn ordered_inside(&self, facts: &Facts, a: Instance, b: Instance) -> isl::Result<bool> {
        if self.before(facts, a, b) {
            return Ok(true);
        }
        let Some(all) = self.both_inside(facts, a, b)? else {
            return Ok(false);
        };
        Ok(all.iter().all(|facts| self.before(facts, a, b)))
    }

    fn both_inside(
        &self,
        facts: &Facts,
        a: Instance,
        b: Instance,
    ) -> isl::Result<Option<Vec<Facts>>> {
        let Some(all) = self.inside(facts, a)? else {
            return Ok(None);
        };
        let mut both = Vec::new();
        for facts in all {
            match self.inside(&facts, b)? {
                Some(all) => both.extend(all),
                None => return Ok(None),
            }
        }
        Ok(Some(both))
    }

    /// Whether an access comes before each write, in the same life of a local buffer, of an
    /// element that is one extent or more further on in one dimension.
    pub fn slides(&self, touch: &Touch, write: &Touch, dim: usize) -> isl::Result<bool> {
        let BufferKind::Local { scope, extents, .. } = &self.buffer(touch.buffer).kind else {
            return Ok(false);
        };
        if self.all_before(touch.lifted, write.lifted, Some(*scope)) {
            return Ok(true);
        }
        let mut facts = self.facts();
        let first = self.instance(&mut facts, touch.lifted);
        let second = self.instance(&mut facts, write.lifted);
        if !self.tell_life(&mut facts, first, second, *scope) {
            return Ok(false);
        }
        let (Some(touched), Some(written)) = (
            self.any_element(&mut facts, first, touch.access)?,
            self.any_element(&mut facts, second, write.access)?,
        ) else {
            return Ok(false);
        };
        let (Some(touched), Some(written)) = (touched.get(dim), written.get(dim)) else {
            return Ok(false);
        };
        match written
            .minus(touched)
            .and_then(|row| row.plus_number(-extents[dim]))
        {
            Some(apart) => facts.at_least(&apart),
            None => return Ok(false),
        }
        self.ordered_inside(&facts, first, second)
    }

    /// Whether two accesses to a buffer touch different cells in different iterations of a loop
    /// with the same values of all loops around it.
    pub fn apart_in_loop(&self, number: usize, a: &Touch, b: &Touch) -> isl::Result<bool> {
        let marked = &self.tree.loops[number];
        if !marked.single {
            return Ok(false);
        }
        let mut facts = self.facts();
        let first = self.instance(&mut facts, a.lifted);
        let second = self.instance(&mut facts, b.lifted);
        let leaf = |touch: &Touch| {
            let mut leaves = self.tree.leaves[touch.lifted].iter();
            leaves.find(|leaf| leaf.loops.contains(&number))
        };
        // Leaves below the loop have the same times around it, and of it.
        let (Some(at), Some(bt)) = (leaf(a), leaf(b)) else {
            return Ok(true);
        };
        for level in 0..marked.depth {
            if let Some(later) = self.difference(&mut facts, (first, at), (second, bt), level) {
                facts.equal(&later);
            }
        }
        let later = self.difference(&mut facts, (first, at), (second, bt), marked.depth);
        let Some(later) = later else {
            return Ok(false);
        };
        let same = |facts: &Facts| facts.proves_zero(&later);
        if !self.tell_cell(&mut facts, (first, a), (second, b))? {
            return Ok(false);
        }
        if same(&facts) {
            return Ok(true);
        }
        let all = self.both_inside(&facts, first, second)?;
        Ok(all.is_some_and(|all| all.iter().all(same)))
    }

    /// Tells that two accesses to a buffer touch the same cell. `false` where that is not known.
    fn tell_cell(
        &self,
        facts: &mut Facts,
        (first, a): (Instance, &Touch),
        (second, b): (Instance, &Touch),
    ) -> isl::Result<bool> {
        let (Some(mine), Some(theirs)) = (
            self.any_element(facts, first, a.access)?,
            self.any_element(facts, second, b.access)?,
        ) else {
            return Ok(false);
        };
        let local = match &self.buffer(a.buffer).kind {
            BufferKind::Full | BufferKind::Accumulators { .. } => None,
            BufferKind::Local { scope, folded, .. } => {
                if !self.tell_life(facts, first, second, *scope) {
                    return Ok(false);
                }
                let origins = (
                    self.origin(facts, first, a.buffer)?,
                    self.origin(facts, second, b.buffer)?,
                );
                match origins {
                    (Some(mine), Some(theirs)) => Some((mine, theirs, folded)),
                    _ => return Ok(false),
                }
            }
        };
        for (dim, (mine, theirs)) in mine.iter().zip(&theirs).enumerate() {
            let mut apart = mine.minus(theirs);
            if let Some((origin, other, folded)) = &local {
                if folded[dim] {
                    continue;
                }
                if let (Some(origin), Some(other)) = (origin.get(dim), other.get(dim)) {
                    apart = apart
                        .and_then(|apart| apart.minus(origin))
                        .and_then(|apart| apart.combined(1, other, 1));
                }
            }
            // What gets too large is not told.
            if let Some(apart) = apart {
                facts.equal(&apart);
            }
        }
        Ok(true)
    }

    /// Whether all values that an access reads from a buffer are read at the same time as they
    /// are written there by another access, in one dimension.
    pub fn same_time_as_source(
        &self,
        read: &Touch,
        write: &Touch,
        sources: &Sources,
        level: usize,
    ) -> bool {
        sources.pairs.iter().all(|pairs| {
            let mut facts = self.facts();
            let reader = self.instance(&mut facts, read.lifted);
            let writer = self.instance(&mut facts, write.lifted);
            if let Some(scope) = self.scope(read.buffer)
                && !self.tell_life(&mut facts, reader, writer, scope)
            {
                return false;
            }
            pairs.tell(&mut facts, self.original(writer), self.original(reader));
            self.same_time(&facts, reader, writer, level)
        })
    }

    /// Whether a read from a local buffer finds a copy of each of its sources at work on the same
    /// element in the same life of the buffer, and has a source in each of its instances.
    pub fn finds_sources(
        &self,
        read: &Touch,
        writes: &[&Touch],
        sources: &[Sources],
    ) -> isl::Result<bool> {
        let Some(scope) = self.scope(read.buffer) else {
            return Ok(false);
        };
        let mut facts = self.facts();
        let reader = self.instance(&mut facts, read.lifted);
        let Some(all) = self.inside(&facts, reader)? else {
            return Ok(false);
        };
        let goals: Option<Vec<(&Relation, Goals)>> = sources
            .iter()
            .flat_map(|sources| sources.pairs.iter())
            .map(|pairs| Some((pairs, pairs.goals(false, true)?)))
            .collect();
        let Some(goals) = goals else {
            return Ok(false);
        };
        for facts in &all {
            if !self.has_source(facts, reader, &goals, SPLITS) {
                return Ok(false);
            }
            for sources in sources {
                let writes = writes.iter().filter(|write| {
                    write.buffer == read.buffer && self.statement(write.lifted) == sources.writer
                });
                let writes: Vec<&Touch> = writes.copied().collect();
                for pairs in sources.pairs.iter() {
                    if !self.is_written(facts, (reader, read), pairs, &writes, scope)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether some source exists for a reader; `goals` is what has to hold of it for each of them.
    fn has_source(
        &self,
        facts: &Facts,
        reader: Instance,
        goals: &[(&Relation, Goals)],
        splits: usize,
    ) -> bool {
        let mut split = None;
        for (pairs, goals) in goals {
            let mut facts = facts.clone();
            let unknown = facts.fresh(pairs.unknown());
            let original = self.original(reader);
            let var = |var: Var| pairs.name(var, unknown, original, unknown + pairs.inputs);
            let row = |row: &Row| row.renamed(|&of| var(of));
            goals.choose(&mut facts, row, var);
            if goals.hold(&facts, row) {
                return true;
            }
            if split.is_none() && splits > 0 {
                let mut divisible = goals.divisible.iter();
                let open = divisible.find(|(of, by)| !facts.proves_divisible(&row(of), *by));
                split = match open {
                    Some((of, by)) => Some((row(of), Some(*by))),
                    None => goals.open(&facts, row).map(|open| (open, None)),
                };
                // What was chosen for this source means nothing for others.
                split = split.filter(|(row, _)| row.terms().iter().all(|&(var, _)| var < unknown));
            }
        }
        let go_on =
            |facts: &Facts| facts.impossible() || self.has_source(facts, reader, goals, splits - 1);
        match split {
            None => false,
            // Where it holds and where it does not.
            Some((row, None)) => {
                let opposite = row.times(-1).and_then(|row| row.plus_number(-1));
                [Some(row), opposite].into_iter().all(|row| {
                    let mut facts = facts.clone();
                    row.is_some_and(|row| {
                        facts.at_least(&row);
                        go_on(&facts)
                    })
                })
            }
            // The remainders, one after the other.
            Some((row, Some(by))) => {
                (2..=4).contains(&by)
                    && (0..by).all(|rest| {
                        let mut facts = facts.clone();
                        let quotient = Row::var(facts.fresh(1));
                        let row = quotient.combined(-by, &row, 1);
                        let Some(row) = row.and_then(|row| row.plus_number(-rest)) else {
                            return false;
                        };
                        facts.equal(&row);
                        go_on(&facts)
                    })
            }
        }
    }

    /// Whether, for all pairs of original writers and a reader, a copy of the writer in the
    /// reader's tile writes what is read.
    fn is_written(
        &self,
        facts: &Facts,
        (reader, read): (Instance, &Touch),
        pairs: &Relation,
        writes: &[&Touch],
        scope: usize,
    ) -> isl::Result<bool> {
        for write in writes {
            let mut facts = facts.clone();
            let writer = self.instance(&mut facts, write.lifted);
            pairs.tell(&mut facts, self.original(writer), self.original(reader));
            let dims = self.tile_dims(write.lifted);
            if dims != self.tile_dims(read.lifted) {
                continue;
            }
            // The copy in the reader's tile.
            for dim in 0..dims {
                let same = Row::var(writer.first + dim).minus(&Row::var(reader.first + dim));
                if let Some(same) = same {
                    facts.equal(&same);
                }
            }
            let Some(written) = self.element(&mut facts, writer, write.access)? else {
                continue;
            };
            let same = match self.element(&mut facts, reader, read.access)? {
                None => self.touches(&facts, reader, read.access, &written)?,
                Some(element) => element.iter().zip(&written).all(|(mine, theirs)| {
                    let apart = mine.minus(theirs);
                    apart.is_some_and(|apart| facts.proves_zero(&apart))
                }),
            };
            if same
                && self.same_life(&mut facts, writer, reader, scope)
                && self.exists(&facts, writer)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an instance is certain to be one of its statement's.
    fn exists(&self, facts: &Facts, instance: Instance) -> isl::Result<bool> {
        let Some(parts) = self.domain(instance.lifted)? else {
            return Ok(false);
        };
        let mut parts = parts.iter();
        Ok(parts.any(|part| part.holds(facts, 0, instance.first)))
    }

    /// Whether an access is below the mark of a loop.
    pub fn uses_in_loop(&self, number: usize, touch: &Touch) -> bool {
        let mut leaves = self.tree.leaves[touch.lifted].iter();
        leaves.any(|leaf| leaf.loops.contains(&number))
    }

    /// Whether each life of a local buffer is inside of one iteration of a loop.
    pub fn lives_inside(&self, number: usize, buffer: BufferId) -> bool {
        let marks = self
            .scope(buffer)
            .and_then(|scope| self.tree.lives.get(&scope));
        marks.is_some_and(|marks| marks.iter().all(|loops| loops.contains(&number)))
    }

    /// Whether a mark of the buffer's scope is below the mark of a loop.
    pub fn has_life_in(&self, number: usize, buffer: BufferId) -> bool {
        let marks = self
            .scope(buffer)
            .and_then(|scope| self.tree.lives.get(&scope));
        marks.is_some_and(|marks| marks.iter().any(|loops| loops.contains(&number)))
    }
}
