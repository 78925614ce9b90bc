//! For which values of loop variables and parameters code is executed, as sets of isl: what a pass
//! over kernels relies on is asked of them.
//!
//! Loop variables are parameters of these sets, by their names, which no parameter of the program
//! has. Bounds and conditions that are data ([`Index::is_data`]) say nothing here: a set is that of
//! the loops with their static bounds ([`DynamicBounds::fixed`](super::kernel::DynamicBounds::fixed)), which is no smaller.

use super::kernel::{Comparison, Index, Instance, Loop, Node};
use crate::codegen::passes::dynamic::restore::bounds;
use crate::scop::Scop;
use isl::{AstBuild, DimType, Id, PwAff, Result, Set, Space, Val};

/// What stands around a piece of code.
#[derive(Clone, Debug)]
pub(super) enum Around {
    /// A loop, by its variable, first and last value and step.
    Loop(String, Index, Index, i64),
    /// A guard, and whether its condition holds here.
    Guard(Index, bool),
}

impl Around {
    /// A loop with its static bounds.
    pub fn of(each: &Loop) -> Around {
        let (lower, upper) = match &each.dynamic.fixed {
            Some(fixed) => (fixed.0.clone(), fixed.1.clone()),
            None => (each.lower.clone(), each.upper.clone()),
        };
        Around::Loop(each.var.clone(), lower, upper, each.step)
    }

    /// The same with another name for a variable.
    pub fn renamed(&self, var: &str, other: &str) -> Around {
        let value = Index::var(other);
        match self {
            Around::Guard(condition, holds) => Around::Guard(condition.with(var, &value), *holds),
            Around::Loop(own, lower, upper, step) => {
                let own = if own == var { other } else { own };
                let (lower, upper) = (lower.with(var, &value), upper.with(var, &value));
                Around::Loop(own.to_owned(), lower, upper, *step)
            }
        }
    }
}

/// An instance with what is around it, outermost first.
pub(super) type Placed = (Instance, Vec<Around>);

/// The instances at or below some nodes, in textual order, with what is around them there.
pub(super) fn placed(nodes: &[Node], around: &mut Vec<Around>, found: &mut Vec<Placed>) {
    for node in nodes {
        match node {
            Node::Statement(instance) => found.push((instance.clone(), around.clone())),
            Node::For(each) => {
                around.push(Around::of(each));
                placed(&each.body, around, found);
                around.pop();
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                for (holds, branch) in [(true, then), (false, otherwise)] {
                    around.push(Around::Guard(condition.clone(), holds));
                    placed(branch, around, found);
                    around.pop();
                }
            }
            Node::Copies(copies) => copies.iter().for_each(|c| placed(c, around, found)),
            Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
                placed(body, around, found);
            }
            Node::GoesOn { .. } => {}
        }
    }
}

/// A value that is data, with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The data.
    pub data: Index,
    /// Values that it is at most, or at least.
    pub limits: Vec<Index>,
    /// At most.
    pub upper: bool,
}

/// Whether something holds of a bound.
pub(super) type Holds<'a> = Box<dyn Fn(&Index) -> Result<bool> + 'a>;

/// Makes sets for one program.
pub(super) struct Reach<'a> {
    scop: &'a Scop,
    /// All values of no parameters.
    all: Set,
    /// What stands for a parameter's or variable's name in index expressions.
    name: &'a dyn Fn(&str) -> Index,
}

impl<'a> Reach<'a> {
    /// # Errors
    /// isl's own.
    pub fn new(scop: &'a Scop, name: &'a dyn Fn(&str) -> Index) -> Result<Reach<'a>> {
        let all = Set::universe(&Space::params_alloc(&scop.ctx, 0usize)?)?;
        Ok(Reach { scop, all, name })
    }

    /// The values for which code is executed with `inner` around it inside of what `around` is the
    /// set of; `None` where that is not known exactly.
    ///
    /// # Errors
    /// isl's own.
    pub fn exactly(&self, around: &Set, inner: &[Around]) -> Result<Option<Set>> {
        let mut set = around.clone();
        for one in inner {
            set = match self.of(one, true)? {
                Some(known) => set.intersect(&known)?,
                None => return Ok(None),
            };
        }
        Ok(Some(set))
    }

    /// No fewer values than those for which code with this around it is executed.
    ///
    /// # Errors
    /// isl's own.
    pub fn at_most(&self, around: &[Around]) -> Result<Set> {
        let mut set = self.scop.context.clone();
        for one in around {
            if let Some(known) = self.of(one, false)? {
                set = set.intersect(&known)?;
            }
        }
        Ok(set)
    }

    /// The set without what it says of the variables of these loops.
    ///
    /// # Errors
    /// isl's own.
    pub fn without(&self, set: Set, inner: &[Around]) -> Result<Set> {
        let mut set = set;
        for one in inner {
            let Around::Loop(var, ..) = one else { continue };
            if let Some(at) = set.find_dim_by_name(DimType::Param, var)? {
                set = set.project_out(DimType::Param, at, 1usize)?;
            }
        }
        Ok(set)
    }

    /// What one loop or guard says. Unless `exactly` it may say less, and no condition at all.
    fn of(&self, one: &Around, exactly: bool) -> Result<Option<Set>> {
        match one {
            // Guards of data are tests of statements, which say nothing of their instances.
            Around::Guard(condition, _) if condition.is_data() => Ok(Some(self.all.clone())),
            Around::Guard(condition, holds) => {
                let set = self.holds(condition)?;
                set.map(|set| if *holds { Ok(set) } else { set.complement() })
                    .transpose()
            }
            Around::Loop(var, lower, upper, step) => {
                let mut set = self.all.clone();
                let value = self.named(var)?;
                for (bound, is_upper) in [(lower, false), (upper, true)] {
                    for bound in bounds(bound, is_upper) {
                        match self.value(bound, &[])? {
                            Some(bound) if is_upper => {
                                set = set.intersect(&value.le_set(&bound)?)?;
                            }
                            Some(bound) => set = set.intersect(&value.ge_set(&bound)?)?,
                            None if exactly => return Ok(None),
                            None => {}
                        }
                    }
                }
                if *step != 1 {
                    match self.value(lower, &[])? {
                        Some(lower) => {
                            let step = Val::int_from_si(&self.scop.ctx, *step)?;
                            let rest = value.sub(&lower)?.mod_val(&step)?;
                            set = set.intersect(&rest.zero_set()?)?;
                        }
                        None if exactly => return Ok(None),
                        None => {}
                    }
                }
                Ok(Some(set))
            }
        }
    }

    /// The values for which a condition holds; `None` where that is not known.
    fn holds(&self, condition: &Index) -> Result<Option<Set>> {
        Ok(match condition {
            Index::Compare(comparison, a, b) => {
                let (Some(a), Some(b)) = (self.value(a, &[])?, self.value(b, &[])?) else {
                    return Ok(None);
                };
                Some(match comparison {
                    Comparison::Equal => a.eq_set(&b)?,
                    Comparison::LessEqual => a.le_set(&b)?,
                    Comparison::Less => a.lt_set(&b)?,
                    Comparison::GreaterEqual => a.ge_set(&b)?,
                    Comparison::Greater => a.gt_set(&b)?,
                })
            }
            Index::All(all) | Index::Any(all) => {
                let mut set: Option<Set> = None;
                for one in all {
                    let Some(one) = self.holds(one)? else {
                        return Ok(None);
                    };
                    set = Some(match (set, condition) {
                        (None, _) => one,
                        (Some(set), Index::All(_)) => set.intersect(&one)?,
                        (Some(set), _) => set.union(&one)?,
                    });
                }
                set
            }
            value => match self.value(value, &[])? {
                Some(value) => Some(value.zero_set()?.complement()?),
                None => None,
            },
        })
    }

    /// The value of an expression; `None` where it cannot be said. Data that is among `cells` is
    /// a value of its own.
    fn value(&self, index: &Index, cells: &[Cell]) -> Result<Option<PwAff>> {
        let ctx = &self.scop.ctx;
        let number = |number: i64| Val::int_from_si(ctx, number);
        let inner = |index: &Index| self.value(index, cells);
        let two = |a: &Index, b: &Index| Ok(inner(a)?.zip(inner(b)?));
        Ok(match index {
            Index::Int(value) => Some(PwAff::val_on_domain(&self.all, &number(*value)?)?),
            Index::Var(name) => Some(self.named(name)?),
            Index::Param(param) => Some(self.named(&self.scop.params[*param].name)?),
            Index::Data(..) => match cells.iter().position(|cell| cell.data == *index) {
                Some(at) => Some(self.named(&cell_name(at))?),
                None => None,
            },
            Index::Add(a, b) => two(a, b)?.map(|(a, b)| a.add(&b)).transpose()?,
            Index::Sub(a, b) => two(a, b)?.map(|(a, b)| a.sub(&b)).transpose()?,
            Index::Neg(a) => inner(a)?.map(|a| a.neg()).transpose()?,
            Index::Mul(a, b) => match (&**a, &**b) {
                (Index::Int(factor), other) | (other, Index::Int(factor)) => {
                    let factor = number(*factor)?;
                    inner(other)?.map(|a| a.scale_val(&factor)).transpose()?
                }
                _ => None,
            },
            Index::FloorDiv(a, divisor) | Index::ExactDiv(a, divisor) => {
                let divisor = number(*divisor)?;
                let quotient = |a: PwAff| a.scale_down_val(&divisor)?.floor();
                inner(a)?.map(quotient).transpose()?
            }
            Index::Mod(a, divisor) | Index::PlainMod(a, divisor) => {
                let divisor = number(*divisor)?;
                inner(a)?.map(|a| a.mod_val(&divisor)).transpose()?
            }
            Index::Min(all) | Index::Max(all) => {
                let mut value: Option<PwAff> = None;
                for one in all {
                    let Some(one) = inner(one)? else {
                        return Ok(None);
                    };
                    value = Some(match (value, index) {
                        (None, _) => one,
                        (Some(value), Index::Min(_)) => value.min(&one)?,
                        (Some(value), _) => value.max(&one)?,
                    });
                }
                value
            }
            Index::Select(..) | Index::Compare(..) | Index::All(_) | Index::Any(_) => None,
        })
    }

    /// A parameter or variable.
    fn named(&self, name: &str) -> Result<PwAff> {
        PwAff::param_on_domain_id(&self.all, &Id::alloc(&self.scop.ctx, name)?)
    }

    /// Whether values of a variable between a loop's static bound and new ones, which may be data,
    /// are always within another bound on the side of the new ones.
    ///
    /// # Errors
    /// isl's own.
    pub fn implied(
        &self,
        around: &Set,
        each: &Loop,
        new: &[Index],
        cells: &[Cell],
        upper: bool,
    ) -> Result<Holds<'_>> {
        let var = self.named(&each.var)?;
        let within = move |set: Set, bound: &PwAff, upper: bool| {
            if upper {
                set.intersect(&var.le_set(bound)?)
            } else {
                set.intersect(&var.ge_set(bound)?)
            }
        };
        let mut set = around.clone();
        let other = if upper { &each.lower } else { &each.upper };
        for bound in bounds(other, !upper) {
            if let Some(bound) = self.value(bound, &[])? {
                set = within(set, &bound, !upper)?;
            }
        }
        for bound in new {
            if let Some(bound) = self.value(bound, cells)? {
                set = within(set, &bound, upper)?;
            }
        }
        for (at, cell) in cells.iter().enumerate() {
            let value = self.named(&cell_name(at))?;
            for limit in &cell.limits {
                let Some(limit) = self.value(limit, &[])? else {
                    continue;
                };
                set = if cell.upper {
                    set.intersect(&value.le_set(&limit)?)?
                } else {
                    set.intersect(&value.ge_set(&limit)?)?
                };
            }
        }
        Ok(Box::new(move |bound| {
            let Some(bound) = self.value(bound, &[])? else {
                return Ok(false);
            };
            set.is_subset(&within(set.clone(), &bound, upper)?)
        }))
    }

    /// A condition that holds for the values of a set among those of another.
    ///
    /// # Errors
    /// isl's own; [`isl::ErrorKind::Unsupported`] where no expression says it.
    pub fn condition(&self, set: &Set, around: &Set) -> Result<Index> {
        let build = AstBuild::from_context(around)?;
        let expression = build.expr_from_set(&set.gist(around)?)?;
        crate::codegen::terms::index::from_ast(&expression, self.name)
    }
}

/// The name of a cell, which no variable and no parameter has.
fn cell_name(at: usize) -> String {
    format!("cell {at}")
}
