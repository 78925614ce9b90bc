//! What can be seen of a transformed program without isl's sets: enough to answer most questions
//! of the other checks by a few substitutions ([`crate::validate::numbers::facts`]).
//!
//! An answer here is always *certainly so*; whoever gets another one asks isl.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::scop::{AccessId, Scop, StatementId};
use crate::transform::{Buffer, BufferKind, Transformed};
use crate::validate::numbers::facts::{Facts, Row, Var};
use crate::validate::numbers::relation::{Params, Relation, Value};
use crate::validate::numbers::tree::{Leaf, Level, Life, Tree, expression};

/// A transformed program, as numbers.
pub(crate) struct Model<'a> {
    scop: &'a Scop,
    transformed: &'a Transformed,
    params: Params,
    /// What is assumed of the parameters.
    context: Facts,
    pub tree: Tree,
    /// The instances of lifted statements; `None` where they cannot be read.
    domains: RefCell<BTreeMap<usize, Option<Rc<Vec<Relation>>>>>,
    /// The elements that accesses of original statements touch.
    accesses: RefCell<BTreeMap<(StatementId, AccessId), Rc<Access>>>,
    /// Per buffer its origin.
    origins: RefCell<BTreeMap<usize, Option<Rc<Vec<Value>>>>>,
    /// Whether all of one lifted statement come before all of another in one life of a scope.
    before: RefCell<BTreeMap<Pair, bool>>,
}

/// Two lifted statements and the scope of the local buffer on which they work.
type Pair = (usize, usize, Option<usize>);

/// The elements that an access touches.
struct Access {
    /// From original instances; `None` where that cannot be read.
    parts: Option<Vec<Relation>>,
    /// The element, where it is one for each instance.
    values: Option<Vec<Value>>,
}

/// An instance of a lifted statement that facts are about.
#[derive(Clone, Copy)]
pub(crate) struct Instance {
    pub lifted: usize,
    /// The variable that is its first dimension.
    pub first: Var,
}

impl<'a> Model<'a> {
    /// `None` where the tree has an unknown form.
    pub fn of(scop: &'a Scop, transformed: &'a Transformed) -> isl::Result<Option<Model<'a>>> {
        let names = scop.params.iter().enumerate();
        let params: Params = names.map(|(at, param)| (param.name.clone(), at)).collect();
        let Some(tree) = Tree::of(&params, transformed)? else {
            return Ok(None);
        };
        let mut context = Facts::of(params.len());
        // One part, or nothing is assumed.
        if let Some([part]) = Relation::all_of_set(&params, &unnamed(&scop.context)?)?.as_deref() {
            part.tell(&mut context, 0, 0);
        }
        Ok(Some(Model {
            scop,
            transformed,
            params,
            context,
            tree,
            domains: RefCell::default(),
            accesses: RefCell::default(),
            origins: RefCell::default(),
            before: RefCell::default(),
        }))
    }

    /// What is assumed, and nothing else yet.
    pub fn facts(&self) -> Facts {
        self.context.clone()
    }

    /// An instance of which nothing is known yet.
    pub fn instance(&self, facts: &mut Facts, lifted: usize) -> Instance {
        let statement = &self.transformed.statements[lifted];
        let original = &self.scop.statements[statement.statement];
        Instance {
            lifted,
            first: facts.fresh(statement.tile_dims + original.iterators.len()),
        }
    }

    /// The dimension that is the first one of the original instance.
    pub fn original(&self, instance: Instance) -> Var {
        instance.first + self.transformed.statements[instance.lifted].tile_dims
    }

    /// A map, as numbers.
    pub fn relations(&self, map: &isl::Map) -> isl::Result<Option<Vec<Relation>>> {
        Relation::all(&self.params, map)
    }

    /// The parts of a statement's domain.
    pub fn domain(&self, lifted: usize) -> isl::Result<Option<Rc<Vec<Relation>>>> {
        if let Some(known) = self.domains.borrow().get(&lifted) {
            return Ok(known.clone());
        }
        let domain = &self.transformed.statements[lifted].domain;
        let parts = Relation::all_of_set(&self.params, domain)?.map(Rc::new);
        self.domains.borrow_mut().insert(lifted, parts.clone());
        Ok(parts)
    }

    /// Facts about an instance from its domain, one after the other for each part of it; `None`
    /// where the domain cannot be read.
    pub fn inside(&self, facts: &Facts, instance: Instance) -> isl::Result<Option<Vec<Facts>>> {
        let Some(parts) = self.domain(instance.lifted)? else {
            return Ok(None);
        };
        let all = parts.iter().map(|part| {
            let mut facts = facts.clone();
            part.tell(&mut facts, 0, instance.first);
            facts
        });
        Ok(Some(all.collect()))
    }

    /// The element that an access touches, as expressions; `None` where it is not one.
    pub fn element(
        &self,
        facts: &mut Facts,
        instance: Instance,
        access: AccessId,
    ) -> isl::Result<Option<Vec<Row>>> {
        let access = self.access(self.statement(instance.lifted), access)?;
        let first = self.original(instance);
        Ok(access
            .values
            .as_ref()
            .map(|values| self.told(facts, values, first)))
    }

    /// Any element that an access touches, as expressions; `None` where nothing is known of it.
    pub fn any_element(
        &self,
        facts: &mut Facts,
        instance: Instance,
        access: AccessId,
    ) -> isl::Result<Option<Vec<Row>>> {
        if let Some(element) = self.element(facts, instance, access)? {
            return Ok(Some(element));
        }
        let access = self.access(self.statement(instance.lifted), access)?;
        let Some([part]) = access.parts.as_deref() else {
            return Ok(None);
        };
        let first = facts.fresh(part.outputs);
        part.tell(facts, self.original(instance), first);
        let element = (first..first + part.outputs).map(Row::var);
        Ok(Some(element.collect()))
    }

    /// Whether an access certainly touches an element.
    pub fn touches(
        &self,
        facts: &Facts,
        instance: Instance,
        access: AccessId,
        element: &[Row],
    ) -> isl::Result<bool> {
        let access = self.access(self.statement(instance.lifted), access)?;
        let parts = access.parts.iter().flatten();
        for part in parts.filter(|part| part.outputs == element.len()) {
            let mut facts = facts.clone();
            let first = facts.fresh(part.outputs);
            for (dim, row) in element.iter().enumerate() {
                let Some(apart) = row.minus(&Row::var(first + dim)) else {
                    return Ok(false);
                };
                facts.equal(&apart);
            }
            if part.holds(&facts, self.original(instance), first) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn access(&self, statement: StatementId, access: AccessId) -> isl::Result<Rc<Access>> {
        if let Some(known) = self.accesses.borrow().get(&(statement, access)) {
            return Ok(Rc::clone(known));
        }
        let original = &self.scop.statements[statement];
        let parts = Relation::all(&self.params, &original.accesses[access].relation)?;
        let domain = Relation::all_of_set(&self.params, &original.domain)?;
        let values = match (&parts, domain) {
            (Some(parts), Some(domain)) => {
                let inside: Vec<Facts> = domain.iter().map(Relation::facts).collect();
                Relation::function(parts, &inside)
            }
            _ => None,
        };
        let found = Rc::new(Access { parts, values });
        let mut all = self.accesses.borrow_mut();
        all.insert((statement, access), Rc::clone(&found));
        Ok(found)
    }

    /// The first element that a local buffer holds in the tile of an instance.
    pub fn origin(
        &self,
        facts: &mut Facts,
        instance: Instance,
        buffer: usize,
    ) -> isl::Result<Option<Vec<Row>>> {
        let BufferKind::Local { origin, .. } = &self.transformed.buffers[buffer].kind else {
            return Ok(None);
        };
        let known = self.origins.borrow().get(&buffer).cloned();
        let values = match known {
            Some(known) => known,
            None => {
                let mut values = Some(Vec::new());
                for start in origin {
                    match (expression(&self.params, start)?, &mut values) {
                        (Some(value), Some(values)) => values.push(value),
                        _ => values = None,
                    }
                }
                let values = values.map(Rc::new);
                self.origins.borrow_mut().insert(buffer, values.clone());
                values
            }
        };
        Ok(values.map(|values| self.told(facts, &values, instance.first)))
    }

    fn told(&self, facts: &mut Facts, values: &[Value], first: Var) -> Vec<Row> {
        let params = self.params.len();
        let name = |var: Var| match var.checked_sub(params) {
            None => var,
            Some(dim) => first + dim,
        };
        values.iter().map(|value| value.told(facts, name)).collect()
    }

    /// One dimension of the time of an instance; 0 where it has no such dimension.
    fn time(&self, facts: &mut Facts, leaf: &Leaf, level: usize, first: Var) -> Option<Row> {
        match leaf.levels.get(level) {
            None => Some(Row::number(0)),
            Some(Level::Child(number)) => Some(Row::number(i64::try_from(*number).ok()?)),
            Some(Level::Unordered(_) | Level::Unknown) => None,
            Some(Level::Value(value)) => self.told(facts, std::slice::from_ref(value), first).pop(),
        }
    }

    /// How much later one instance is than another, in one dimension.
    pub fn difference(
        &self,
        facts: &mut Facts,
        (a, at): (Instance, &Leaf),
        (b, bt): (Instance, &Leaf),
        level: usize,
    ) -> Option<Row> {
        if let (Some(Level::Unordered(x)), Some(Level::Unordered(y))) =
            (at.levels.get(level), bt.levels.get(level))
            && x == y
        {
            return Some(Row::number(0));
        }
        let a = self.time(facts, at, level, a.first)?;
        let b = self.time(facts, bt, level, b.first)?;
        facts.reduced(&a.minus(&b)?)
    }

    /// Whether an instance is certain to come before another one.
    pub fn before(&self, facts: &Facts, a: Instance, b: Instance) -> bool {
        let leaves = |instance: Instance| self.tree.leaves[instance.lifted].iter();
        leaves(a).all(|at| leaves(b).all(|bt| self.leaf_before(facts.clone(), (a, at), (b, bt))))
    }

    fn leaf_before(&self, mut facts: Facts, a: (Instance, &Leaf), b: (Instance, &Leaf)) -> bool {
        for level in 0..a.1.levels.len().max(b.1.levels.len()) {
            let Some(later) = self.difference(&mut facts, a, b, level) else {
                return facts.impossible();
            };
            if later.terms().is_empty() && later.constant() != 0 {
                return later.constant() < 0 || facts.impossible();
            }
            if !later.terms().is_empty() {
                if !later
                    .plus_number(-1)
                    .is_some_and(|later| facts.refute(&later))
                {
                    return false;
                }
                if facts.refute(&later) {
                    return true;
                }
                facts.equal(&later);
            }
        }
        facts.impossible()
    }

    /// Whether two instances certainly have the same time in one dimension.
    pub fn same_time(&self, facts: &Facts, a: Instance, b: Instance, level: usize) -> bool {
        let leaves = |instance: Instance| self.tree.leaves[instance.lifted].iter();
        leaves(a).all(|at| {
            leaves(b).all(|bt| {
                let mut facts = facts.clone();
                let later = self.difference(&mut facts, (a, at), (b, bt), level);
                later.is_some_and(|later| facts.proves_zero(&later))
            })
        })
    }

    /// How many dimensions times have.
    pub fn depth(&self) -> usize {
        let leaves = self.tree.leaves.iter().flatten();
        leaves.map(|leaf| leaf.levels.len()).max().unwrap_or(0)
    }

    /// One dimension of the times of a statement, where it is one number.
    pub fn constant_time(&self, lifted: usize, level: usize) -> Option<i64> {
        let mut times = self.tree.leaves[lifted].iter().map(|leaf| {
            let time = self.time(&mut Facts::default(), leaf, level, self.params.len())?;
            time.terms().is_empty().then_some(time.constant())
        });
        let first = times.next()??;
        times.all(|time| time == Some(first)).then_some(first)
    }

    /// The mark of a scope that is above all instances of a statement.
    pub fn life(&self, lifted: usize, scope: usize) -> Option<(Life, &Leaf)> {
        let mut found: Option<(Life, &Leaf)> = None;
        for leaf in &self.tree.leaves[lifted] {
            // A mark within another one of its scope would be two lives.
            let mut lives = leaf.lives.iter().filter(|life| life.scope == scope);
            let life = lives.next()?;
            if lives.next().is_some() || found.is_some_and(|(other, _)| other != *life) {
                return None;
            }
            found = Some((*life, leaf));
        }
        found
    }

    /// Tells that two instances work on the same life of a scope's buffers: in other lives, nothing
    /// has to be shown. `false` where it is not known what their lives are.
    pub fn tell_life(&self, facts: &mut Facts, a: Instance, b: Instance, scope: usize) -> bool {
        let lives = (self.life(a.lifted, scope), self.life(b.lifted, scope));
        let (Some((mine, at)), Some((theirs, bt))) = lives else {
            return false;
        };
        if mine.number != theirs.number {
            facts.equal(&Row::number(1));
            return true;
        }
        for level in 0..mine.depth {
            // What is not known is not told.
            if let Some(later) = self.difference(facts, (a, at), (b, bt), level) {
                facts.equal(&later);
            }
        }
        true
    }

    /// Whether two instances certainly work on the same life of a scope's buffers.
    pub fn same_life(&self, facts: &mut Facts, a: Instance, b: Instance, scope: usize) -> bool {
        let lives = (self.life(a.lifted, scope), self.life(b.lifted, scope));
        let (Some((mine, at)), Some((theirs, bt))) = lives else {
            return false;
        };
        mine == theirs
            && (0..mine.depth).all(|level| {
                let later = self.difference(facts, (a, at), (b, bt), level);
                later.is_some_and(|later| facts.proves_zero(&later))
            })
    }

    /// Whether the tile is the same for all instances of some statements that work on one life of
    /// a scope's buffers.
    pub fn tile_is_of_life(&self, lifted: &[usize], scope: usize) -> bool {
        let tile = |lifted: usize| -> Option<Vec<usize>> {
            let (life, leaf) = self.life(lifted, scope)?;
            let dims = self.transformed.statements[lifted].tile_dims;
            let level_of = |dim: usize| {
                let row = Value::plain(Row::var(self.params.len() + dim));
                leaf.levels[..life.depth]
                    .iter()
                    .position(|level| matches!(level, Level::Value(value) if **value == row))
            };
            (0..dims).map(level_of).collect()
        };
        let Some((&first, others)) = lifted.split_first() else {
            return true;
        };
        let first = tile(first);
        first.is_some() && others.iter().all(|&other| tile(other) == first)
    }

    /// Whether all instances of a statement come before all of another one, in one life of a
    /// scope's buffers, if one is given.
    pub fn all_before(&self, a: usize, b: usize, scope: Option<usize>) -> bool {
        if let Some(&known) = self.before.borrow().get(&(a, b, scope)) {
            return known;
        }
        let mut facts = self.facts();
        let (first, second) = (self.instance(&mut facts, a), self.instance(&mut facts, b));
        let known = scope.is_none_or(|scope| self.tell_life(&mut facts, first, second, scope))
            && self.before(&facts, first, second);
        self.before.borrow_mut().insert((a, b, scope), known);
        known
    }

    /// A buffer.
    pub fn buffer(&self, buffer: usize) -> &'a Buffer {
        &self.transformed.buffers[buffer]
    }

    /// The scope of a local buffer.
    pub fn scope(&self, buffer: usize) -> Option<usize> {
        self.buffer(buffer).kind.scope()
    }

    /// The original of a lifted statement.
    pub fn statement(&self, lifted: usize) -> StatementId {
        self.transformed.statements[lifted].statement
    }

    /// How many dimensions of a lifted statement are its tile's.
    pub fn tile_dims(&self, lifted: usize) -> usize {
        self.transformed.statements[lifted].tile_dims
    }
}

/// A set of parameters as a set of no dimensions.
fn unnamed(params: &isl::Set) -> isl::Result<isl::Set> {
    params.from_params()
}
