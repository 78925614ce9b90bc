//! When instances are executed, and how the times of two statements compare.

use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::scop::Scop;
use isl::{DimType, Map, PwAff, Result, Schedule, Space, UnionPwAff};

/// The times that a schedule gives to instances.
pub(crate) struct Times {
    /// Each dimension as a function, outermost first.
    levels: Vec<UnionPwAff>,
    /// The times of one tuple, by its name.
    known: RefCell<BTreeMap<String, Rc<Vec<Time>>>>,
    /// By the names of two tuples.
    comparisons: RefCell<BTreeMap<(String, String), Rc<Comparison>>>,
}

/// One dimension of the times of one tuple.
struct Time {
    value: PwAff,
    /// The same for all instances.
    constant: Option<i64>,
}

/// How the times of the instances of two tuples compare.
pub(crate) struct Comparison {
    first: Rc<Vec<Time>>,
    second: Rc<Vec<Time>>,
    levels: Vec<OnceCell<Level>>,
}

/// One dimension of the times of two tuples.
pub(crate) enum Level {
    /// How they compare in all pairs of instances.
    Always(Ordering),
    /// Pairs of instances.
    Mixed {
        /// The first one's is greater.
        after: Map,
        /// Both are equal.
        equal: Map,
    },
}

impl Times {
    /// Those of a schedule.
    pub fn of(schedule: &Schedule) -> Result<Times> {
        Times::from_levels(&isl::MultiUnionPwAff::from_union_map(&schedule.get_map()?)?)
    }

    /// Those that a function gives, outermost dimension first.
    pub fn from_levels(order: &isl::MultiUnionPwAff) -> Result<Times> {
        let levels = (0..order.size()?).map(|level| order.get_at(level));
        Ok(Times {
            levels: levels.collect::<Result<_>>()?,
            known: RefCell::default(),
            comparisons: RefCell::default(),
        })
    }

    /// How many dimensions times have.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// One dimension of the times of a tuple, where it is a constant.
    pub fn constant(&self, space: &Space, level: usize) -> Result<Option<i64>> {
        Ok(self.of_tuple(space)?[level].constant)
    }

    /// How the times compare of pairs of instances in this space; computed once for each pair of
    /// tuples.
    pub fn comparison(&self, pairs: &Map) -> Result<Rc<Comparison>> {
        let names = (
            pairs.get_tuple_name(DimType::In)?,
            pairs.get_tuple_name(DimType::Out)?,
        );
        if let Some(known) = self.comparisons.borrow().get(&names) {
            return Ok(Rc::clone(known));
        }
        let space = pairs.get_space()?;
        let comparison = Rc::new(Comparison {
            first: self.of_tuple(&space.domain()?)?,
            second: self.of_tuple(&space.range()?)?,
            levels: self.levels.iter().map(|_| OnceCell::new()).collect(),
        });
        let mut all = self.comparisons.borrow_mut();
        all.insert(names, Rc::clone(&comparison));
        Ok(comparison)
    }

    /// A map of those pairs of instances of two tuples whose first one does not come before the
    /// second one, under the assumptions.
    pub fn first_not_before(&self, scop: &Scop, pairs: &Map) -> Result<Option<Map>> {
        let mut together = pairs.clone();
        for level in self.comparison(pairs)?.levels() {
            match level? {
                Level::Always(Ordering::Less) => return Ok(None),
                Level::Always(Ordering::Equal) => {}
                Level::Always(Ordering::Greater) => break,
                Level::Mixed { after, equal } => {
                    let after = together.intersect(after)?;
                    if scop.is_possible(&after)? {
                        return Ok(Some(after));
                    }
                    together = together.intersect(equal)?;
                    if together.is_empty()? {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(scop.is_possible(&together)?.then_some(together))
    }

    /// Those pairs of instances of two tuples that have the same time.
    pub fn together(&self, pairs: &Map) -> Result<Map> {
        let mut together = pairs.clone();
        for level in self.comparison(pairs)?.levels() {
            match level? {
                Level::Always(Ordering::Equal) => {}
                Level::Always(_) => return Map::empty(&pairs.get_space()?),
                Level::Mixed { equal, .. } => together = together.intersect(equal)?,
            }
        }
        Ok(together)
    }

    fn of_tuple(&self, space: &Space) -> Result<Rc<Vec<Time>>> {
        let name = space.get_tuple_name(DimType::Set)?;
        if let Some(known) = self.known.borrow().get(&name) {
            return Ok(Rc::clone(known));
        }
        let space = space.from_domain()?.add_dims(DimType::Out, 1u32)?;
        let levels = self.levels.iter();
        let times = levels.map(|level| Time::of(&level.extract_pw_aff(&space)?));
        let times = Rc::new(times.collect::<Result<Vec<Time>>>()?);
        let mut all = self.known.borrow_mut();
        all.insert(name, Rc::clone(&times));
        Ok(times)
    }
}

impl Time {
    /// Without its domain, where it is one expression: pairs that are compared have their domains
    /// already.
    fn of(level: &PwAff) -> Result<Time> {
        let pieces = level.pieces()?;
        let mut one = pieces.first().map(|(_, first)| first);
        for (_, other) in &pieces {
            one = match one {
                Some(first) if other.plain_is_equal(first)? => one,
                _ => None,
            };
        }
        let Some(one) = one else {
            return Ok(Time {
                value: level.drop_unused_params()?,
                constant: None,
            });
        };
        Ok(Time {
            value: PwAff::from_aff(one)?.drop_unused_params()?,
            constant: if one.is_cst()? {
                one.get_constant_val()?.to_i64()
            } else {
                None
            },
        })
    }
}

impl Comparison {
    /// One dimension.
    pub fn level(&self, level: usize) -> Result<&Level> {
        if let Some(known) = self.levels[level].get() {
            return Ok(known);
        }
        let (first, second) = (&self.first[level], &self.second[level]);
        let compared = match (first.constant, second.constant) {
            (Some(a), Some(b)) => Level::Always(a.cmp(&b)),
            _ => Level::Mixed {
                after: first.value.gt_map(&second.value)?,
                equal: first.value.eq_map(&second.value)?,
            },
        };
        Ok(self.levels[level].get_or_init(|| compared))
    }

    /// All dimensions, outermost first.
    pub fn levels(&self) -> impl Iterator<Item = Result<&Level>> {
        (0..self.levels.len()).map(|level| self.level(level))
    }
}
