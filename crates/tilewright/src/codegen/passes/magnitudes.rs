//! Index expressions whose value, or that of a part, may not fit 64 bits.
//!
//! They are exact in the model and of type `long` in C. Sizes are not further from 0 than
//! [`LARGEST`], which is compared in front of the region, and factors are small, but for values
//! that wrap around: `(31u * m >> 27) + l & 3` is `31 m + 2^27 l` over a common denominator.

use crate::codegen::kernel::{Index, Node, PlaceIndex};
use crate::scop::checks::LARGEST;
use crate::scop::{ScalarKind, Scop};
use isl::{Error, ErrorKind, Result};

/// From the least to the greatest value, in 128 bits that saturate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range(i128, i128);

impl Range {
    fn over(values: &[i128]) -> Range {
        let all = values.iter().copied();
        Range(all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
    }

    fn hull(self, other: Range) -> Range {
        Range(self.0.min(other.0), self.1.max(other.1))
    }

    fn fits(self) -> bool {
        i64::try_from(self.0).is_ok() && i64::try_from(self.1).is_ok()
    }
}

/// Refuses code in which an index may overflow.
///
/// # Errors
/// [`ErrorKind::Unsupported`] where there is such an expression.
pub(crate) fn check(scop: &Scop, body: &[Node]) -> Result<()> {
    let parameter = |kind: ScalarKind| match kind {
        ScalarKind::I64 => Range(-i128::from(LARGEST), i128::from(LARGEST)),
        ScalarKind::U64 => Range(0, i128::from(LARGEST)),
        ScalarKind::U8 | ScalarKind::U16 | ScalarKind::U32 => Range(0, 1 << (8 * kind.bytes())),
        _ => Range(-(1 << (8 * kind.bytes() - 1)), 1 << (8 * kind.bytes() - 1)),
    };
    let params = scop.params.iter().map(|param| parameter(param.ctype.kind));
    let mut walk = Walk {
        params: params.collect(),
        variables: Vec::new(),
        fits: true,
    };
    body.iter().for_each(|node| walk.node(node));
    if walk.fits {
        return Ok(());
    }
    let message = "an index may be too large for 64 bits on the way";
    Err(Error::new(ErrorKind::Unsupported, message))
}

struct Walk<'a> {
    params: Vec<Range>,
    variables: Vec<(&'a str, Range)>,
    fits: bool,
}

impl<'a> Walk<'a> {
    fn node(&mut self, node: &'a Node) {
        match node {
            Node::For(each) => {
                let range = self.of(&each.lower).hull(self.of(&each.upper));
                // The value that ends it.
                let beyond = Range(range.0, range.1.saturating_add(i128::from(each.step)));
                self.fits &= beyond.fits();
                self.variables.push((&each.var, range));
                each.body.iter().for_each(|node| self.node(node));
                self.variables.pop();
            }
            Node::If { condition, .. } => {
                self.of(condition);
                node.children().for_each(|child| self.node(child));
            }
            Node::Statement(instance) => {
                self.all(&instance.iterators);
                for index in instance.accesses.iter().flat_map(|place| &place.indices) {
                    match index {
                        PlaceIndex::Affine(index) => self.all([index]),
                        PlaceIndex::Data { origin, .. } => {
                            self.all(origin);
                        }
                    }
                }
            }
            other => other.children().for_each(|child| self.node(child)),
        }
    }

    fn all<'i>(&mut self, list: impl IntoIterator<Item = &'i Index>) {
        for index in list {
            self.of(index);
        }
    }

    /// Values that an expression has, and whether it and its parts fit.
    fn of(&mut self, index: &Index) -> Range {
        let large = Range(-i128::from(LARGEST), i128::from(LARGEST));
        let range = match index {
            Index::Int(value) => Range(i128::from(*value), i128::from(*value)),
            Index::Var(name) => {
                let known = self.variables.iter().rev().find(|(other, _)| other == name);
                known.map_or(large, |(_, range)| *range)
            }
            Index::Param(id) => self.params[*id],
            Index::Data(_, indices) => {
                self.all(indices);
                large
            }
            Index::Add(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                Range(a.0.saturating_add(b.0), a.1.saturating_add(b.1))
            }
            Index::Sub(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                Range(a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))
            }
            Index::Mul(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                Range::over(&[
                    a.0.saturating_mul(b.0),
                    a.0.saturating_mul(b.1),
                    a.1.saturating_mul(b.0),
                    a.1.saturating_mul(b.1),
                ])
            }
            Index::Neg(a) => {
                let a = self.of(a);
                Range(a.1.saturating_neg(), a.0.saturating_neg())
            }
            Index::FloorDiv(a, d) | Index::ExactDiv(a, d) => {
                let (a, d) = (self.of(a), i128::from(*d).max(1));
                Range(a.0.div_euclid(d), a.1.div_euclid(d))
            }
            Index::Mod(a, d) | Index::PlainMod(a, d) => {
                let (a, d) = (self.of(a), i128::from(*d).max(1));
                match a.0 >= 0 && a.1 < d {
                    true => a,
                    false => Range(0, d - 1),
                }
            }
            Index::Min(all) | Index::Max(all) => {
                let all: Vec<Range> = all.iter().map(|one| self.of(one)).collect();
                let both = |of: &dyn Fn(Range, Range) -> Range| {
                    all.iter().copied().reduce(of).unwrap_or(Range(0, 0))
                };
                match index {
                    Index::Min(_) => both(&|a, b| Range(a.0.min(b.0), a.1.min(b.1))),
                    _ => both(&|a, b| Range(a.0.max(b.0), a.1.max(b.1))),
                }
            }
            Index::Select(condition, then, otherwise) => {
                self.of(condition);
                self.of(then).hull(self.of(otherwise))
            }
            Index::Compare(_, a, b) => {
                self.of(a);
                self.of(b);
                Range(0, 1)
            }
            Index::All(all) | Index::Any(all) => {
                self.all(all);
                Range(0, 1)
            }
        };
        self.fits &= range.fits();
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(index: &Index) -> (Range, bool) {
        let mut walk = Walk {
            params: vec![Range(-(1 << 44), 1 << 44)],
            variables: vec![("i", Range(0, 99))],
            fits: true,
        };
        (walk.of(index), walk.fits)
    }

    #[test]
    fn ranges_of_expressions() {
        let (i, p) = (Index::var("i"), Index::Param(0));
        let cases = [
            (i.times(-3).plus(&Index::Int(1)), Range(-296, 1)),
            (i.minus(&i.floor_div(2)), Range(-49, 99)),
            (p.modulo(8), Range(0, 7)),
            (
                Index::min_of(vec![i.clone(), p.clone()]),
                Range(-(1 << 44), 99),
            ),
            (Index::max_of(vec![i.clone(), p.clone()]), Range(0, 1 << 44)),
        ];
        for (index, range) in cases {
            assert_eq!(walk(&index), (range, true), "{index:?}");
        }
    }

    #[test]
    fn parts_must_fit_too() {
        let p = Index::Param(0);
        assert!(walk(&p.times((1 << 18) + 1).modulo(8)).1);
        assert!(!walk(&p.times((1 << 19) + 1).modulo(8)).1);
    }
}
