//! Loops that would run long where nothing is executed, behind a condition that something is.
//!
//! A loop over one loop's variable runs as often as that loop. One over a sum of several, such as
//! the wavefronts of a nest, runs as often as they together, also where one of them has no
//! iterations, and the original, which has that one outside, none either:
//!
//! ```text
//! for (j = 0; j < h; j++)              if (h >= 1 && w >= 1)
//!     for (i = 0; i < w; i++)     →        for (c0 = 0; c0 <= h + w - 2; c0++)
//!         S(j, i);                             for (c1 = max(0, c0 - w + 1); c1 <= min(c0, h - 1); c1++)
//!                                                  S(c1, c0 - c1);
//! ```
//!
//! isl leaves the condition out, since the loops inside imply it. Here it stands in front of every
//! nest that may run longer than the original where nothing is executed. As many loops of it as the
//! original has around a statement may do so for two reasons:
//!
//! 1. Their bounds mention sizes that bound none of the original's. Of a maximum or minimum, one
//!    operand is enough.
//! 2. What is in them is executed for sizes for which it is not in the original, as in tiles that
//!    begin in front of the first iteration, and a loop inside has bounds of other sizes.

use crate::codegen::generation::build::internal;
use crate::codegen::kernel::{Index, Loop, Node};
use crate::codegen::reach::{Around, Reach};
use crate::codegen::terms::index::{covering, logic};
use crate::mistakes::mistake;
use crate::scop::{ParamId, Scop, StatementId};
use isl::{AstBuild, DimType, Result, Set};
use std::collections::BTreeSet;

/// Sizes that bounds mention.
type Sizes = BTreeSet<ParamId>;

/// Some of the outermost loops around statements, as the original has them.
struct Level {
    /// What their bounds mention.
    sizes: Sizes,
    /// For which parameters anything in them is executed.
    entered: Set,
}

/// Where a walk from a nest's outermost loop to those inside is.
#[derive(Clone)]
struct Path {
    /// Parameters for which the nest is executed at all, as far as is known.
    context: Set,
    /// The loops and guards around.
    around: Vec<Around>,
    /// What the loops' bounds mention.
    sizes: Sizes,
}

/// Puts the conditions in front of outermost loops.
///
/// # Errors
/// isl's own.
pub(crate) fn guard(
    scop: &Scop,
    name: &dyn Fn(&str) -> Index,
    nodes: Vec<Node>,
) -> Result<Vec<Node>> {
    let reach = Reach::new(scop, name)?;
    let pass = Guards { scop, name, reach };
    pass.nodes(nodes, &[])
}

struct Guards<'a> {
    scop: &'a Scop,
    name: &'a dyn Fn(&str) -> Index,
    reach: Reach<'a>,
}

impl Guards<'_> {
    /// `known`: conditions that hold here.
    fn nodes(&self, nodes: Vec<Node>, known: &[Index]) -> Result<Vec<Node>> {
        let mut done: Vec<Node> = Vec::new();
        // The condition that was put in front of the node before.
        let mut last: Option<Index> = None;
        for node in nodes {
            let condition = match &node {
                Node::For(each) => self.condition(each, known)?,
                _ => None,
            };
            match (condition, done.last_mut()) {
                (Some(condition), Some(Node::If { then, .. }))
                    if last.as_ref() == Some(&condition) =>
                {
                    then.push(node);
                }
                (Some(condition), _) => {
                    last = Some(condition.clone());
                    done.push(Node::If {
                        condition,
                        then: vec![node],
                        otherwise: Vec::new(),
                    });
                }
                (None, _) => {
                    last = None;
                    done.push(self.inside(node, known)?);
                }
            }
        }
        Ok(done)
    }

    /// The same for what is in a node that is no loop.
    fn inside(&self, node: Node, known: &[Index]) -> Result<Node> {
        Ok(match node {
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let mut holds = known.to_vec();
                holds.extend(operands(&condition).iter().cloned());
                let alone = matches!(then[..], [Node::For(_)]) && otherwise.is_empty();
                let mut then = self.nodes(then, &holds)?;
                let otherwise = self.nodes(otherwise, known)?;
                if let [
                    Node::If {
                        condition: more,
                        then: body,
                        ..
                    },
                ] = &mut then[..]
                    && alone
                {
                    return Ok(Node::If {
                        condition: logic(vec![condition, more.clone()], 1),
                        then: std::mem::take(body),
                        otherwise,
                    });
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            Node::Scope { scope, body } => Node::Scope {
                scope,
                body: self.nodes(body, known)?,
            },
            other => other,
        })
    }

    /// What has to hold so that anything is executed in a loop, if that is to be asked.
    fn condition(&self, each: &Loop, known: &[Index]) -> Result<Option<Index>> {
        let mut statements = BTreeSet::new();
        for node in &each.body {
            node.instances(&mut |instance| {
                statements.insert(instance.statement);
            });
        }
        let space = self.scop.context.get_space()?;
        let mut context = Set::universe(&space)?;
        for &statement in &statements {
            context = context.intersect(self.scop.assumed(statement))?;
        }
        let path = Path {
            context: context.clone(),
            around: known
                .iter()
                .map(|c| Around::Guard(c.clone(), true))
                .collect(),
            sizes: Sizes::new(),
        };
        if !self.is_longer(each, path, &self.levels(&statements)?)? {
            return Ok(None);
        }
        let mut executed = Set::empty(&space)?;
        let counted = if mistake!(IdleAskedOfOne) {
            1
        } else {
            statements.len()
        };
        for &statement in statements.iter().take(counted) {
            let domain = &self.scop.statements[statement].domain;
            executed = executed.union(&domain.params()?)?;
        }
        let build = AstBuild::from_context(&context)?;
        let condition = covering(&executed, &context, &build, self.name)?;
        let mut unknown = operands(&condition).to_vec();
        unknown.retain(|operand| !known.contains(operand));
        Ok(match logic(unknown, 1) {
            Index::Int(value) if value != 0 => None,
            condition => Some(condition),
        })
    }

    /// The outermost loop around the statements, the two outermost, and so on.
    fn levels(&self, statements: &BTreeSet<StatementId>) -> Result<Vec<Level>> {
        let dims = |id: &StatementId| self.scop.statements[*id].domain.dim(DimType::Set);
        let dims = statements.iter().map(dims).collect::<Result<Vec<_>>>()?;
        let mut levels: Vec<Level> = Vec::new();
        for depth in 0..dims.iter().copied().max().unwrap_or(0) {
            let mut level = Level {
                sizes: levels.last().map_or_else(Sizes::new, |l| l.sizes.clone()),
                entered: Set::empty(&self.scop.context.get_space()?)?,
            };
            for (&statement, &dims) in statements.iter().zip(&dims) {
                let mut loops = self.scop.statements[statement].domain.clone();
                if depth < dims {
                    loops = outermost(&loops, depth, dims)?;
                    self.bounds_of(&loops, depth, &mut level.sizes)?;
                }
                level.entered = level.entered.union(&loops.params()?)?;
            }
            levels.push(level);
        }
        Ok(levels)
    }

    /// Adds the sizes that bound a dimension.
    fn bounds_of(&self, loops: &Set, dim: usize, sizes: &mut Sizes) -> Result<()> {
        let bounds = loops.drop_constraints_not_involving_dims(DimType::Set, dim, 1)?;
        for param in 0..bounds.dim(DimType::Param)? {
            if bounds.involves_dims(DimType::Param, param, 1)? {
                let name = bounds.get_dim_name(DimType::Param, param)?;
                let id = self.scop.params.iter().position(|p| p.name == name);
                sizes.insert(id.ok_or_else(|| internal("an unknown parameter"))?);
            }
        }
        Ok(())
    }

    /// Whether a loop, or one in it, may run longer than as many of the original's where nothing is
    /// executed.
    fn is_longer(&self, each: &Loop, mut path: Path, original: &[Level]) -> Result<bool> {
        let Some((level, inside)) = original.split_first() else {
            return Ok(false);
        };
        let Some(sizes) = least(each, &path.sizes, &level.sizes) else {
            return Ok(true);
        };
        path.sizes = sizes;
        path.around.push(Around::of(each));
        // Loops over tiles and in them are more than the original's.
        let inside = if inside.is_empty() { original } else { inside };
        // As far as the loops say, without guards further inside.
        let mut in_vain = None;
        let depth = path.around.len();
        let mut all: Vec<(&Node, Path)> = each.body.iter().map(|n| (n, path.clone())).collect();
        while let Some((node, path)) = all.pop() {
            match node {
                Node::For(inner) => {
                    if least(inner, &path.sizes, &level.sizes).is_none() {
                        let loops = match in_vain {
                            Some(known) => known,
                            None => self.is_entered_in_vain(&path, depth, level)?,
                        };
                        in_vain = Some(loops);
                        let all = path.around.len();
                        if loops && (all == depth || self.is_entered_in_vain(&path, all, level)?) {
                            return Ok(true);
                        }
                    }
                    if self.is_longer(inner, path, inside)? {
                        return Ok(true);
                    }
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    for (holds, branch) in [(true, then), (false, otherwise)] {
                        let mut path = path.clone();
                        path.around.push(Around::Guard(condition.clone(), holds));
                        all.extend(branch.iter().map(|child| (child, path.clone())));
                    }
                }
                other => all.extend(other.children().map(|child| (child, path.clone()))),
            }
        }
        Ok(false)
    }

    /// Whether what is inside the first so many loops and guards of a path is executed for parameters
    /// for which the inside of the original's loops is not.
    fn is_entered_in_vain(&self, path: &Path, depth: usize, level: &Level) -> Result<bool> {
        let around = &path.around[..depth];
        let Some(set) = self.reach.exactly(&path.context, around)? else {
            return Ok(false);
        };
        let set = self.reach.without(set, around)?;
        Ok(!set.is_subset(&level.entered)?)
    }
}

/// The loops of some outermost dimensions, up to this one: what the domain says of them.
fn outermost(domain: &Set, last: usize, dims: usize) -> Result<Set> {
    let deeper = dims - last - 1;
    let loops = domain.drop_constraints_involving_dims(DimType::Set, last + 1, deeper)?;
    let bounded = loops.dim_has_lower_bound(DimType::Set, last)?
        && loops.dim_has_upper_bound(DimType::Set, last)?;
    if bounded {
        return Ok(loops);
    }
    // The bounds of a loop inside say it, too, and stand for both.
    domain.project_out(DimType::Set, last + 1, deeper)
}

/// The conditions that hold where one does.
fn operands(condition: &Index) -> &[Index] {
    match condition {
        Index::All(all) => all,
        one => std::slice::from_ref(one),
    }
}

/// The sizes that a loop and those around it mention, if one of its lower and one of its upper bounds
/// mention none but these.
fn least(each: &Loop, around: &Sizes, most: &Sizes) -> Option<Sizes> {
    let pairs = each.lowers().iter();
    let mut pairs = pairs.flat_map(|lower| each.uppers().iter().map(move |upper| [lower, upper]));
    pairs.find_map(|bounds| {
        let mut sizes = around.clone();
        bounds.iter().for_each(|bound| mentioned(bound, &mut sizes));
        sizes.is_subset(most).then_some(sizes)
    })
}

/// Sizes in an expression, but for those that say where data is.
fn mentioned(index: &Index, sizes: &mut Sizes) {
    match index {
        Index::Param(id) => {
            sizes.insert(*id);
        }
        Index::Data(..) | Index::Int(_) | Index::Var(_) => {}
        Index::Neg(a)
        | Index::FloorDiv(a, _)
        | Index::ExactDiv(a, _)
        | Index::Mod(a, _)
        | Index::PlainMod(a, _) => mentioned(a, sizes),
        Index::Add(a, b) | Index::Sub(a, b) | Index::Mul(a, b) | Index::Compare(_, a, b) => {
            mentioned(a, sizes);
            mentioned(b, sizes);
        }
        Index::Min(all) | Index::Max(all) | Index::All(all) | Index::Any(all) => {
            all.iter().for_each(|one| mentioned(one, sizes));
        }
        Index::Select(a, b, c) => [a, b, c].iter().for_each(|one| mentioned(one, sizes)),
    }
}
