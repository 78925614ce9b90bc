//! Innermost loops without conditions: index set splitting (Griebl, Feautrier & Lengauer, *Index
//! set splitting*, IJPP 2000), of one loop at the points at which affine conditions in it change.
//!
//! A condition that the loop's variable decides, in a guard, in a subscript, or as a choice or an
//! `if` in a statement, is the same for all iterations on either side of one or two points. Compilers make
//! gathers, masks or no vector code at all of it. Where such a point is known to be near an end of
//! the loop, the few iterations up to there stand in front of the loop or behind it:
//!
//! ```text
//! for i in lo..=hi { b[i] = a[i == 0 ? n - 1 : i - 1]; }        lo = 0, hi = n - 1
//!
//! if lo <= hi { b[0] = a[n - 1]; }
//! for i in 1..=hi { b[i] = a[i - 1]; }
//! ```
//!
//! What is in front and behind keeps the conditions that are not decided there. In between all of
//! them are, whatever the values of the parameters are: the loop begins behind all points near its
//! first iteration and ends in front of all points near its last one. At a point anywhere else the
//! loop is cut into two, or three where one iteration is different.
//!
//! That a point is at or beyond an end of the loop follows from a constant distance of the two
//! ([`Index::distance`]); nothing else is taken for granted of bounds: a loop may be empty, and points
//! may lie beyond its other end or beyond each other, since all pieces keep the loop's own bounds.
//!
//! Every iteration is executed once, in the old order. Of parallel loops only the middle is
//! parallel; the other iterations are executed by the thread that starts it.

use crate::codegen::kernel::{Comparison, Index, Instance, Loop, Node, PlaceIndex};
use crate::codegen::terms::choice;
use crate::codegen::terms::index::{compare, logic};
use crate::codegen::terms::inside::Inside;
use crate::codegen::terms::substitute::{all_replaced, all_with};
use crate::mistakes::mistake;
use crate::plan::defaults::{SPLIT_CUTS, SPLIT_END, SPLIT_GROWTH, SPLIT_LEAST};
use crate::scop::Scop;

/// Splits the innermost loops of some code.
pub(crate) fn split(scop: &Scop, nodes: Vec<Node>) -> Vec<Node> {
    let pass = Splitting { scop };
    pass.nodes(nodes)
}

struct Splitting<'a> {
    scop: &'a Scop,
}

impl Splitting<'_> {
    fn nodes(&self, nodes: Vec<Node>) -> Vec<Node> {
        let one = |node| match node {
            Node::For(each) if is_innermost(&each) => self.innermost(each),
            node => vec![node.map_children(&|inside| self.nodes(inside))],
        };
        nodes.into_iter().flat_map(one).collect()
    }

    /// The loop in pieces, with as many cuts as make the text grow by no more than a factor.
    fn innermost(&self, each: Loop) -> Vec<Node> {
        let most = count(&each.body).saturating_mul(SPLIT_GROWTH);
        let cuts = if each.parallel { 0 } else { SPLIT_CUTS };
        for cuts in (0..=cuts).rev() {
            let pieces = self.pieces(each.clone(), cuts);
            if count(&pieces) <= most {
                return pieces;
            }
        }
        vec![Node::For(each)]
    }

    /// The loop without the iterations at its ends in which conditions are different, cut at no
    /// more than so many of the other conditions, and these iterations around it.
    fn pieces(&self, each: Loop, cuts: usize) -> Vec<Node> {
        let inside = Inside::of(self.scop, &each);
        let mut decided = Vec::new();
        let (mut first, mut behind) = (Vec::new(), Vec::new());
        let mut middle = None;
        for condition in self.comparisons(&each) {
            let Some(turns) = Turns::of(&inside, &each.var, &condition) else {
                continue;
            };
            match turns.within(&each) {
                Part::Whole(holds) => decided.push((condition, holds)),
                Part::From(cut, holds) => {
                    first.push(cut);
                    decided.push((condition, holds));
                }
                Part::Until(cut, holds) => {
                    behind.push(cut);
                    decided.push((condition, holds));
                }
                Part::Cut(turns) => {
                    middle.get_or_insert((condition, turns));
                }
            }
        }
        let middle = middle.filter(|_| cuts > 0);
        if decided.is_empty() && middle.is_none() {
            return vec![self.unswitched(each, &[])];
        }
        let kept = Loop {
            lower: with_bound(&each.lower, &first, Index::max_of),
            upper: with_bound(&each.upper, &before(&behind), Index::min_of),
            body: self.decide(each.body.clone(), &decided),
            ..each.clone()
        };
        let mut all = Vec::new();
        if !first.is_empty() {
            all.extend(self.in_front(&each, &first));
        }
        match middle {
            Some((condition, turns)) => all.extend(self.cut(&kept, &condition, &turns, cuts - 1)),
            None if kept.body.is_empty() => {}
            None => all.push(self.unswitched(kept, &decided)),
        }
        if !behind.is_empty() {
            all.extend(self.behind(&each, &first, &behind));
        }
        all
    }

    /// A loop whose one statement has a condition around it that all iterations share, beside what is
    /// known: behind that condition.
    fn unswitched(&self, each: Loop, known: &[(Index, bool)]) -> Node {
        let [Node::Statement(instance)] = &each.body[..] else {
            return Node::For(each);
        };
        let Some((condition, index)) = choice::guard(self.scop, instance) else {
            return Node::For(each);
        };
        let index = index.replaced(&|part| decided(part, known));
        if matches!(index, Index::Int(_)) || !Inside::of(self.scop, &each).leaves(&index) {
            return Node::For(each);
        }
        let mut instance = instance.clone();
        instance.decided.push((condition, true));
        let body = vec![Node::Statement(instance)];
        Node::If {
            condition: index,
            then: vec![Node::For(Loop { body, ..each })],
            otherwise: Vec::new(),
        }
    }

    /// The iterations before the largest of some points.
    fn in_front(&self, each: &Loop, first: &[Index]) -> Vec<Node> {
        let end = Index::max_of(first.to_vec());
        if end.distance(&each.lower) == Some(1) {
            let distance = each.upper.minus(&each.lower);
            let executed = distance.compared_with_zero(Comparison::GreaterEqual);
            return self.once(each, &each.lower, executed);
        }
        let upper = with_bound(&each.upper, &before(&[end]), Index::min_of);
        self.few(each, each.lower.clone(), upper)
    }

    /// The iterations from the least of some points on that are not before the others.
    fn behind(&self, each: &Loop, first: &[Index], behind: &[Index]) -> Vec<Node> {
        let begin = Index::min_of(behind.to_vec());
        let lower = with_bound(&each.lower, first, Index::max_of);
        if begin.distance(&each.upper) == Some(0) {
            // Where the loop begins later, this iteration is in front of it, or none.
            let bounds = operands(&lower).iter();
            let executed = bounds.map(|bound| {
                let distance = begin.minus(bound);
                distance.compared_with_zero(Comparison::GreaterEqual)
            });
            if !matches!(lower, Index::Min(_)) {
                return self.once(each, &begin, logic(executed.collect(), 1));
            }
        }
        let lower = with_bound(&lower, &[begin], Index::max_of);
        self.few(each, lower, each.upper.clone())
    }

    /// One iteration, where a condition holds.
    fn once(&self, each: &Loop, value: &Index, executed: Index) -> Vec<Node> {
        let body = if is_plain(value) {
            self.decide(all_with(&each.body, &each.var, value), &[])
        } else {
            self.few(each, value.clone(), value.clone())
        };
        match executed {
            _ if body.is_empty() => Vec::new(),
            Index::Int(0) => Vec::new(),
            // Variables that pass from one statement to the next are those of this iteration.
            Index::Int(_) if body.len() > 1 => vec![Node::For(Loop {
                lower: value.clone(),
                upper: value.clone(),
                parallel: false,
                collapse: 1,
                simd: false,
                body,
                ..each.clone()
            })],
            Index::Int(_) => body,
            condition => vec![Node::If {
                condition,
                then: body,
                otherwise: Vec::new(),
            }],
        }
    }

    /// Some iterations at an end.
    fn few(&self, each: &Loop, lower: Index, upper: Index) -> Vec<Node> {
        vec![Node::For(Loop {
            lower,
            upper,
            parallel: false,
            collapse: 1,
            simd: false,
            ..each.clone()
        })]
    }

    /// The loop in pieces for which it is known whether a condition holds.
    fn cut(&self, each: &Loop, condition: &Index, turns: &Turns, cuts: usize) -> Vec<Node> {
        let mut all = Vec::new();
        for (number, &holds) in turns.holds.iter().enumerate() {
            let (begin, end) = (number.checked_sub(1), turns.cuts.get(number));
            let begin = begin.and_then(|before| turns.cuts.get(before));
            let piece = Loop {
                lower: with_bound(&each.lower, as_slice(begin), Index::max_of),
                upper: with_bound(&each.upper, &before(as_slice(end)), Index::min_of),
                body: self.decide(each.body.clone(), &[(condition.clone(), holds)]),
                ..each.clone()
            };
            match (begin, end) {
                _ if piece.body.is_empty() => {}
                (Some(only), Some(next)) if next.distance(only) == Some(1) => {
                    let reached = |bound: &Index, comparison| {
                        let all = operands(bound).iter();
                        let all = all.map(|bound| only.minus(bound).compared_with_zero(comparison));
                        all.collect()
                    };
                    let (lower, upper) = (
                        logic(reached(&each.lower, Comparison::GreaterEqual), 1),
                        logic(reached(&each.upper, Comparison::LessEqual), 1),
                    );
                    let whole = Loop {
                        body: piece.body,
                        ..each.clone()
                    };
                    let plain = !matches!(each.lower, Index::Min(_))
                        && !matches!(each.upper, Index::Max(_));
                    if plain {
                        all.extend(self.once(&whole, only, logic(vec![lower, upper], 1)))
                    } else {
                        all.extend(self.few(&whole, piece.lower, piece.upper))
                    }
                }
                _ => all.extend(self.pieces(piece, cuts)),
            }
        }
        all
    }

    /// The comparisons in a loop's body that mention its variable, each once.
    fn comparisons(&self, each: &Loop) -> Vec<Index> {
        let mut all = Vec::new();
        let mut look = |index: &Index| {
            index.walk(&mut |part| match part {
                Index::Compare(..) => add(&mut all, &each.var, part.clone()),
                Index::Min(values) | Index::Max(values) => {
                    pairs(values).for_each(|pair| add(&mut all, &each.var, pair));
                }
                _ => {}
            });
        };
        each.body
            .iter()
            .for_each(|node| self.indices(node, &mut look));
        all
    }

    /// Calls `look` on every index expression at or below a node, conditions of choices among them.
    fn indices(&self, node: &Node, look: &mut dyn FnMut(&Index)) {
        match node {
            Node::For(each) => {
                look(&each.lower);
                look(&each.upper);
            }
            Node::If { condition, .. } | Node::GoesOn { condition, .. } => look(condition),
            Node::Statement(instance) => {
                instance.iterators.iter().for_each(&mut *look);
                for index in instance.accesses.iter().flat_map(|place| &place.indices) {
                    match index {
                        PlaceIndex::Affine(index) => look(index),
                        PlaceIndex::Data { origin, .. } => origin.iter().for_each(&mut *look),
                    }
                }
                for (_, condition) in choice::conditions(self.scop, instance) {
                    look(&condition);
                }
            }
            Node::Scope { .. } | Node::Block { .. } | Node::Allocate { .. } | Node::Copies(_) => {}
        }
        node.children().for_each(|child| self.indices(child, look));
    }

    /// Code in which it is known whether some comparisons hold.
    fn decide(&self, nodes: Vec<Node>, known: &[(Index, bool)]) -> Vec<Node> {
        let put = |index: &Index| index.replaced(&|part| decided(part, known));
        let choices = |instance: Instance| {
            let mut instance = instance;
            for (condition, index) in choice::conditions(self.scop, &instance) {
                if let Index::Int(holds) = put(&index) {
                    instance.decided.push((condition, holds != 0));
                }
            }
            instance
        };
        let nodes = all_replaced(&with_instances(nodes, &choices), &put);
        match known.is_empty() {
            true => nodes,
            false => self.without_idle(nodes),
        }
    }

    /// Code without statements of which conditions leave nothing.
    fn without_idle(&self, nodes: Vec<Node>) -> Vec<Node> {
        let mut nodes = nodes;
        nodes.retain(|node| {
            let (mut idle, mut some) = (true, false);
            node.instances(&mut |one| {
                idle &= one.actions(self.scop).is_empty();
                some = true;
            });
            !(idle && some)
        });
        let inside = |nodes| self.without_idle(nodes);
        let each = nodes.into_iter().map(|node| node.map_children(&inside));
        each.collect()
    }
}

/// What becomes of a part of an index expression.
fn decided(part: &Index, known: &[(Index, bool)]) -> Option<Index> {
    let holds = |condition: &Index| {
        let mut all = known.iter();
        all.find(|(known, _)| known == condition)
            .map(|(_, holds)| *holds)
    };
    match part {
        Index::Compare(..) => holds(part).map(|holds| Index::Int(i64::from(holds))),
        Index::Min(values) | Index::Max(values) => {
            let smallest = matches!(part, Index::Min(_));
            let loses = |one: usize| {
                (0..values.len()).any(|other| match one < other {
                    _ if one == other => false,
                    true => holds(&not_less(&values[one], &values[other])) == Some(smallest),
                    false => holds(&not_less(&values[other], &values[one])) == Some(!smallest),
                })
            };
            let left: Vec<&Index> = (0..values.len())
                .filter(|&value| !loses(value))
                .map(|value| &values[value])
                .collect();
            if left.is_empty() || left.len() == values.len() {
                return None;
            }
            let inner = |value: &&Index| value.replaced(&|part| decided(part, known));
            let left = left.iter().map(inner).collect();
            Some(if smallest {
                Index::min_of(left)
            } else {
                Index::max_of(left)
            })
        }
        _ => None,
    }
}

/// The comparisons that say which value is the largest.
fn pairs(values: &[Index]) -> impl Iterator<Item = Index> + '_ {
    let numbered = values.iter().enumerate();
    numbered.flat_map(move |(number, one)| {
        let others = values[number + 1..].iter();
        others.map(move |other| not_less(one, other))
    })
}

fn not_less(one: &Index, other: &Index) -> Index {
    compare(Comparison::GreaterEqual, one.clone(), other.clone())
}

fn add(all: &mut Vec<Index>, var: &str, comparison: Index) {
    if comparison.mentions(var) && !all.contains(&comparison) {
        all.push(comparison);
    }
}

/// Where a condition changes along a loop.
///
/// **Invariant:** `holds` has one value more than `cuts`: whether the condition holds before the
/// first cut, between neighbours, and from the last one on. No cut is before the one in front of
/// it.
struct Turns {
    cuts: Vec<Index>,
    holds: Vec<bool>,
}

/// The part of a loop for which it is known whether a condition holds.
enum Part {
    /// All of it.
    Whole(bool),
    /// From a point on that is near the first iteration.
    From(Index, bool),
    /// What is before a point near the last iteration.
    Until(Index, bool),
    /// Pieces of it.
    Cut(Turns),
}

impl Turns {
    /// `None` where the condition is none on the loop's variable with a value that stays.
    fn of(inside: &Inside, var: &str, condition: &Index) -> Option<Turns> {
        let Index::Compare(comparison, a, b) = condition else {
            return None;
        };
        let difference = a.minus(b);
        let coefficient = difference.coefficient(var).filter(|c| *c != 0)?;
        let rest = difference.minus(&Index::var(var).times(coefficient));
        if !inside.leaves(&rest) {
            return None;
        }
        // The condition as `coefficient · var + rest >= 0`.
        let one = Index::Int(1);
        let (coefficient, rest) = match comparison {
            Comparison::Equal | Comparison::GreaterEqual => (coefficient, rest),
            Comparison::Greater => (coefficient, rest.minus(&one)),
            Comparison::LessEqual => (coefficient.checked_neg()?, rest.times(-1)),
            Comparison::Less => (coefficient.checked_neg()?, rest.times(-1).minus(&one)),
        };
        let size = coefficient.checked_abs()?;
        // `size · var` is at least `least`, or at most.
        let least = rest.times(-coefficient.signum());
        let from = least.plus(&Index::Int(size - 1)).floor_div(size);
        let behind = if mistake!(IndexSetsOneTooFew) {
            least.floor_div(size)
        } else {
            least.floor_div(size).plus(&one)
        };
        Some(match (comparison, coefficient > 0) {
            (Comparison::Equal, _) => Turns {
                cuts: vec![from, behind],
                holds: vec![false, true, false],
            },
            (_, true) => Turns {
                cuts: vec![from],
                holds: vec![false, true],
            },
            (_, false) => Turns {
                cuts: vec![behind],
                holds: vec![true, false],
            },
        })
    }

    /// Where in a loop it is known whether the condition holds.
    fn within(mut self, each: &Loop) -> Part {
        let begin = self.cuts.iter();
        let passed = begin.take_while(|cut| is_at_least(&each.lower, cut));
        let passed = passed.count();
        self.cuts.drain(..passed);
        self.holds.drain(..passed);
        let end = self.cuts.iter().rev();
        let ahead = end.take_while(|cut| is_before(&each.upper, cut)).count();
        self.cuts.truncate(self.cuts.len() - ahead);
        self.holds.truncate(self.holds.len() - ahead);
        let (Some(first), Some(last)) = (self.cuts.first(), self.cuts.last()) else {
            return Part::Whole(self.holds[0]);
        };
        let (first, last) = (first.clone(), last.clone());
        let (before, behind) = (self.holds[0], self.holds[self.holds.len() - 1]);
        let near = |bound: &Index, cut: &Index| {
            let mut all = operands(bound).iter();
            all.any(|end| cut.distance(end).is_some_and(|d| d.abs() <= SPLIT_END))
        };
        if near(&each.lower, &last) {
            return Part::From(last, behind);
        }
        if near(&each.upper, &first) {
            return Part::Until(first, before);
        }
        // One iteration that is different: the first or last one of all, of which tiles do not say
        // so.
        match first {
            Index::Int(_) if self.cuts.len() == 2 => Part::From(last, behind),
            _ if self.cuts.len() == 2 && is_of_size(&first) => Part::Until(first, before),
            _ => Part::Cut(self),
        }
    }
}

/// Whether an expression is a parameter and a number.
fn is_of_size(index: &Index) -> bool {
    match index {
        Index::Param(_) => true,
        Index::Add(a, b) | Index::Sub(a, b) => {
            matches!((&**a, &**b), (Index::Param(_), Index::Int(_)))
        }
        _ => false,
    }
}

/// Whether a bound is certainly at least a value.
fn is_at_least(bound: &Index, value: &Index) -> bool {
    match bound {
        Index::Max(all) => all.iter().any(|one| is_at_least(one, value)),
        Index::Min(all) => all.iter().all(|one| is_at_least(one, value)),
        one => one.distance(value).is_some_and(|distance| distance >= 0),
    }
}

/// Whether a bound is certainly less than a value.
fn is_before(bound: &Index, value: &Index) -> bool {
    match bound {
        Index::Max(all) => all.iter().all(|one| is_before(one, value)),
        Index::Min(all) => all.iter().any(|one| is_before(one, value)),
        one => one.distance(value).is_some_and(|distance| distance < 0),
    }
}

/// A loop with no other in it, of which it is not known that it is short.
fn is_innermost(each: &Loop) -> bool {
    fn loops(node: &Node) -> bool {
        let repeats = matches!(node, Node::For(each) if each.lower != each.upper);
        repeats || node.children().any(loops)
    }
    let short = each.iterations().is_some_and(|n| n < SPLIT_LEAST);
    each.step == 1 && each.unroll == 1 && !short && !each.body.iter().any(loops)
}

/// Whether an expression takes no more than additions.
fn is_plain(index: &Index) -> bool {
    let mut plain = true;
    index.walk(&mut |part| {
        plain &= matches!(
            part,
            Index::Int(_)
                | Index::Var(_)
                | Index::Param(_)
                | Index::Add(..)
                | Index::Sub(..)
                | Index::Mul(..)
                | Index::Neg(_)
        );
    });
    plain
}

fn operands(bound: &Index) -> &[Index] {
    match bound {
        Index::Min(all) | Index::Max(all) => all,
        single => std::slice::from_ref(single),
    }
}

fn as_slice(one: Option<&Index>) -> &[Index] {
    one.map_or(&[], std::slice::from_ref)
}

/// A bound and others.
fn with_bound(bound: &Index, others: &[Index], extremum: fn(Vec<Index>) -> Index) -> Index {
    if others.is_empty() {
        return bound.clone();
    }
    let mut all = vec![bound.clone()];
    all.extend_from_slice(others);
    extremum(all)
}

/// The last values in front of some points.
fn before(points: &[Index]) -> Vec<Index> {
    let one = Index::Int(1);
    points.iter().map(|point| point.minus(&one)).collect()
}

/// Instances in the text.
fn count(nodes: &[Node]) -> usize {
    let mut all = 0;
    nodes
        .iter()
        .for_each(|node| node.instances(&mut |_| all += 1));
    all
}

/// Code with other instances in it.
fn with_instances(nodes: Vec<Node>, other: &dyn Fn(Instance) -> Instance) -> Vec<Node> {
    let one = |node| match node {
        Node::Statement(instance) => Node::Statement(other(instance)),
        node => node.map_children(&|inside| with_instances(inside, other)),
    };
    nodes.into_iter().map(one).collect()
}
