//! The schedule tree, read once: what each statement meets on its way from the root.

use crate::scop::tree::marks::Mark;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::transform::Transformed;
use crate::validate::numbers::facts::{Facts, Row};
use crate::validate::numbers::relation::{Params, Relation, Value};
use isl::{DimType, ScheduleNode, ScheduleNodeType};

/// What is read off a tree.
///
/// Filters are read for their statements alone: a statement that several leaves execute is taken
/// to be executed whole by each of them.
pub(crate) struct Tree {
    /// Per lifted statement, where it is executed.
    pub leaves: Vec<Vec<Leaf>>,
    /// Per scope, for each of its marks the loops around it.
    pub lives: BTreeMap<usize, Vec<Vec<usize>>>,
    /// The marks `parallel`, `simd` and `unroll:n`, from the top down.
    pub loops: Vec<Loop>,
}

/// One place where a statement is executed.
#[derive(Clone, Default)]
pub(crate) struct Leaf {
    /// Its time, outermost dimension first.
    pub levels: Vec<Level>,
    /// The marks of scopes above it.
    pub lives: Vec<Life>,
    /// The loops around it, by number.
    pub loops: Vec<usize>,
}

/// One dimension of the time of a statement.
#[derive(Clone)]
pub(crate) enum Level {
    /// The number of a child.
    Child(usize),
    /// The same, of children in no order.
    Unordered(usize),
    /// A function of parameters and instance.
    Value(Rc<Value>),
    /// Something else.
    Unknown,
}

/// A mark of a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Life {
    pub scope: usize,
    /// Its number among the marks of the scope.
    pub number: usize,
    /// How many dimensions of time are around it.
    pub depth: usize,
}

/// A mark above a loop.
pub(crate) struct Loop {
    pub mark: Mark,
    /// Its node.
    pub node: ScheduleNode,
    /// How many dimensions of time are around it.
    pub depth: usize,
    /// Whether it is the only dimension of the band below the mark.
    pub single: bool,
}

impl Tree {
    /// `None` for trees with nodes that no transform makes.
    pub fn of(params: &Params, transformed: &Transformed) -> isl::Result<Option<Tree>> {
        let statements = &transformed.statements;
        let names = statements.iter().enumerate();
        let mut walk = Walk {
            params,
            numbers: names.map(|(at, lifted)| (&lifted.name[..], at)).collect(),
            tree: Tree {
                leaves: vec![Vec::new(); statements.len()],
                lives: BTreeMap::new(),
                loops: Vec::new(),
            },
        };
        let all = (0..statements.len()).map(|at| (at, Vec::new())).collect();
        let root = transformed.schedule.get_root()?;
        let known = walk.node(&root, &Path::default(), all)?;
        Ok(known.then_some(walk.tree))
    }
}

struct Walk<'a> {
    params: &'a Params,
    /// Of lifted statements.
    numbers: BTreeMap<&'a str, usize>,
    tree: Tree,
}

/// What is above a node.
#[derive(Clone, Default)]
struct Path {
    depth: usize,
    lives: Vec<Life>,
    loops: Vec<usize>,
}

/// Lifted statements, each with its time so far.
type Active = Vec<(usize, Vec<Level>)>;

impl Walk<'_> {
    /// Whether the node and all below could be read.
    fn node(&mut self, node: &ScheduleNode, path: &Path, mut active: Active) -> isl::Result<bool> {
        let mut path = path.clone();
        match node.get_type()? {
            ScheduleNodeType::Domain => {}
            ScheduleNodeType::Leaf => {
                for (statement, levels) in active {
                    self.tree.leaves[statement].push(Leaf {
                        levels,
                        lives: path.lives.clone(),
                        loops: path.loops.clone(),
                    });
                }
                return Ok(true);
            }
            ScheduleNodeType::Mark => self.mark(node, &mut path)?,
            ScheduleNodeType::Band => {
                let partial = node.band_get_partial_schedule()?;
                for member in 0..partial.size()? {
                    self.member(&partial.get_at(member)?, &mut active)?;
                    path.depth += 1;
                }
            }
            kind @ (ScheduleNodeType::Sequence | ScheduleNodeType::Set) => {
                path.depth += 1;
                for (number, child) in node.children()?.iter().enumerate() {
                    let mut inside = Vec::new();
                    for name in tuples(&child.filter_get_filter()?)? {
                        let number_of = self.numbers.get(&name[..]);
                        let found = active.iter().find(|(at, _)| Some(at) == number_of);
                        let Some((statement, levels)) = found else {
                            continue;
                        };
                        let mut levels = levels.clone();
                        levels.push(match kind {
                            ScheduleNodeType::Sequence => Level::Child(number),
                            _ => Level::Unordered(number),
                        });
                        inside.push((*statement, levels));
                    }
                    if !self.node(&child.child(0)?, &path, inside)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.node(&node.child(0)?, &path, active)
    }

    fn mark(&mut self, node: &ScheduleNode, path: &mut Path) -> isl::Result<()> {
        let Some(mark) = Mark::of(node)? else {
            return Ok(());
        };
        if let Mark::Scope(scope) = mark {
            let marks = self.tree.lives.entry(scope).or_default();
            path.lives.push(Life {
                scope,
                number: marks.len(),
                depth: path.depth,
            });
            marks.push(path.loops.clone());
            return Ok(());
        }
        if mark.is_together() {
            let below = node.child(0)?;
            let single = below.get_type()? == ScheduleNodeType::Band && below.band_n_member()? == 1;
            path.loops.push(self.tree.loops.len());
            self.tree.loops.push(Loop {
                mark,
                node: node.clone(),
                depth: path.depth,
                single,
            });
        }
        Ok(())
    }

    fn member(&self, member: &isl::UnionPwAff, active: &mut Active) -> isl::Result<()> {
        let mut values = BTreeMap::new();
        for value in member.pw_affs()? {
            let name = value.get_tuple_id(DimType::In)?.get_name()?;
            if let Some(&statement) = self.numbers.get(&name[..]) {
                values.insert(statement, function(self.params, &value)?);
            }
        }
        for (statement, levels) in active {
            let value = values.remove(statement).flatten();
            levels.push(value.map_or(Level::Unknown, |value| Level::Value(Rc::new(value))));
        }
        Ok(())
    }
}

fn tuples(set: &isl::UnionSet) -> isl::Result<Vec<String>> {
    set.sets()?.iter().map(|set| set.get_tuple_name()).collect()
}

/// A function that is one expression; `None` for others.
fn function(params: &Params, value: &isl::PwAff) -> isl::Result<Option<Value>> {
    let pieces = value.pieces()?;
    let Some((_, first)) = pieces.first() else {
        return Ok(None);
    };
    for (_, other) in &pieces[1..] {
        if !other.plain_is_equal(first)? {
            return Ok(None);
        }
    }
    expression(params, first)
}

/// A function of what stands before the variables of its own; `None` where it is not one
/// expression, or one quotient.
pub(crate) fn expression(params: &Params, value: &isl::Aff) -> isl::Result<Option<Value>> {
    if value.dim(DimType::Div)? > 0 || !value.get_denominator_val()?.is_one()? {
        let map = isl::Map::from_basic_map(&isl::BasicMap::from_aff(value)?)?;
        let parts = Relation::all(params, &map)?;
        let anywhere = Facts::of(params.len() + value.dim(DimType::In)?);
        let function = parts.and_then(|parts| Relation::function(&parts, &[anywhere]));
        return Ok(function.and_then(|mut values| values.pop()));
    }
    let row = Row::of_aff(value, |kind, at| {
        Ok(match kind {
            DimType::In => Some(params.len() + at),
            _ => params.get(&value.get_dim_name(kind, at)?).copied(),
        })
    })?;
    Ok(row.map(Value::plain))
}
