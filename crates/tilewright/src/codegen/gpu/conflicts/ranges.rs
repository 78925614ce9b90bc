//! Cells that pieces of a block go to, as ranges of each subscript: the border of a row and what is
//! between, or every second column.
//!
//! [`crate::codegen::gpu::conflicts::ties`] tells accesses apart by their subscripts alone. Where loops over different columns
//! have the same subscripts, their bounds and steps tell that they never meet, and no thread has to
//! wait.

use crate::codegen::gpu::grids::triangles::extreme;
use crate::codegen::gpu::program::Touched;
use crate::codegen::kernel::{Index, Loop, Node, PlaceIndex};
use std::collections::BTreeSet;

/// The values of a subscript: none outside, and none between multiples of `every`, counted from
/// `lower` on. The bounds mention no loop of the piece.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    lower: Index,
    upper: Index,
    every: i64,
}

/// The ranges of the subscripts of an access, by dimension; `None` where one is not known.
pub(crate) fn ranges(touched: &Touched, body: &[Node]) -> Vec<Option<Range>> {
    let mut loops = Vec::new();
    body.iter().for_each(|node| collect(node, &mut loops));
    let range = |index: &PlaceIndex| match index {
        PlaceIndex::Affine(index) => range(index, &loops),
        PlaceIndex::Data { .. } => None,
    };
    touched.place.indices.iter().map(range).collect()
}

/// Whether two accesses to one buffer never meet, given which variables have, or may have, other
/// values at the second one.
pub(crate) fn never_meet(
    a: &[Option<Range>],
    b: &[Option<Range>],
    varying: &BTreeSet<String>,
) -> bool {
    let same = |range: &Range| {
        let bounds = [&range.lower, &range.upper];
        !varying
            .iter()
            .any(|var| bounds.iter().any(|b| b.mentions(var)))
    };
    a.iter().zip(b).any(|ranges| match ranges {
        (Some(a), Some(b)) => same(a) && same(b) && apart(a, b),
        _ => false,
    })
}

fn collect<'a>(node: &'a Node, loops: &mut Vec<&'a Loop>) {
    if let Node::For(each) = node {
        loops.push(each);
    }
    node.children().for_each(|child| collect(child, loops));
}

/// The values of an index inside some loops, those around others first.
fn range(index: &Index, loops: &[&Loop]) -> Option<Range> {
    let (mut lower, mut upper) = (index.clone(), index.clone());
    for each in loops.iter().rev() {
        // Of several loops with one variable it is not known which is around the access.
        let twins = loops.iter().filter(|other| other.var == each.var).count();
        if twins > 1 && (lower.mentions(&each.var) || upper.mentions(&each.var)) {
            return None;
        }
        lower = extreme(&lower, each, false)?;
        upper = extreme(&upper, each, true)?;
    }
    if lower.is_data() || upper.is_data() {
        return None;
    }
    let mut own = loops.iter().filter(|each| index.mentions(&each.var));
    let every = match (own.next(), own.next()) {
        (Some(each), None) if !loops.iter().any(|other| each.lower.mentions(&other.var)) => {
            let factor = index.coefficient(&each.var).unwrap_or(0);
            factor.checked_mul(each.step).filter(|&every| every > 0)
        }
        _ => None,
    };
    Some(Range {
        lower,
        upper,
        every: every.unwrap_or(1),
    })
}

fn apart(a: &Range, b: &Range) -> bool {
    let between = || {
        let distance = a.lower.distance(&b.lower);
        a.every == b.every && distance.is_some_and(|distance| distance % a.every != 0)
    };
    below(&a.upper, &b.lower) || below(&b.upper, &a.lower) || between()
}

/// Whether one value is certainly below another one.
fn below(a: &Index, b: &Index) -> bool {
    match (a, b) {
        (Index::Min(all), b) => all.iter().any(|a| below(a, b)),
        (a, Index::Max(all)) => all.iter().any(|b| below(a, b)),
        _ => a.distance(b).is_some_and(|distance| distance < 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(var: &str, lower: Index, upper: Index, step: i64) -> Loop {
        Loop::sequential(var.to_owned(), [lower, upper], step, Vec::new())
    }

    fn never(a: &Loop, b: &Loop, varying: &[&str]) -> bool {
        let of = |each: &Loop| vec![range(&Index::var("j"), &[each])];
        let varying = varying.iter().map(|&var| var.to_owned()).collect();
        never_meet(&of(a), &of(b), &varying)
    }

    #[test]
    fn a_border_and_what_is_inside() {
        let n = || Index::Param(0);
        let less = |by| n().minus(&Index::Int(by));
        let left = each("j", Index::Int(0), Index::Int(1), 1);
        let inside = each("j", Index::Int(2), less(1), 1);
        let right = each("j", n(), n().plus(&Index::Int(3)), 1);
        for [a, b] in [[&left, &inside], [&inside, &right]] {
            assert!(never(a, b, &["j"]) && never(b, a, &["j"]));
        }
        // Nothing is known of how wide the inside is.
        assert!(!never(&left, &right, &["j"]));
        // One column more, and they meet.
        let wider = each("j", Index::Int(1), n(), 1);
        assert!(!never(&left, &wider, &["j"]) && !never(&wider, &right, &["j"]));
        // A tile of it ends at the latest where it ends.
        let (first, last) = (Index::var("t").times(32), Index::var("t").times(32));
        let last = last.plus(&Index::Int(31));
        let tile = each("j", first.clone(), Index::min_of(vec![less(1), last]), 1);
        assert!(never(&tile, &right, &["j"]));
        // The next tile is another one only at the same time.
        let next = each("j", first.plus(&Index::Int(32)), n(), 1);
        assert!(never(&tile, &next, &["j"]));
        assert!(!never(&tile, &next, &["j", "t"]));
    }

    #[test]
    fn every_second_column() {
        let from = |first, step| each("j", Index::Int(first), Index::Param(0), step);
        assert!(never(&from(2, 2), &from(3, 2), &["j"]));
        assert!(!never(&from(2, 2), &from(4, 2), &["j"]));
        assert!(!never(&from(2, 2), &from(3, 1), &["j"]));
        assert!(!never(&from(2, 2), &from(3, 3), &["j"]));
    }

    #[test]
    fn loops_of_one_name_are_not_told_apart() {
        let (a, b) = (
            each("j", Index::Int(0), Index::Int(1), 1),
            each("j", Index::Int(5), Index::Int(6), 1),
        );
        assert_eq!(range(&Index::var("j"), &[&a, &b]), None);
    }
}
