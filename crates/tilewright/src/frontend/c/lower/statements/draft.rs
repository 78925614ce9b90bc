//! What the walk over a region works with, and what it leaves for the passes behind it.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::values::spread::{End, Spread};
use crate::frontend::c::lower::values::{affine, polynomial};
use crate::frontend::c::syntax::{self, SymbolId};
use crate::scop::{
    AccessKind, Action, BinaryOp, Expr, Hidden, Iterator, Members, ScalarKind, ScalarType,
};
use crate::source::Span;

/// Why a statement or a whole region was refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// With a message.
    Diagnostic(Box<Diagnostic>),
    /// isl failed, most likely because its budget ran out.
    Isl(isl::Error),
}

impl From<isl::Error> for Refusal {
    fn from(error: isl::Error) -> Refusal {
        Refusal::Isl(error)
    }
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Refusal {
        Refusal::Diagnostic(Box::new(diagnostic))
    }
}

/// Why an expression is not affine.
#[derive(Debug)]
pub(crate) enum NonAffine {
    /// A sub-expression, and the reason.
    Because(Box<Reason>),
    /// isl failed.
    Isl(isl::Error),
}

/// The sub-expression that is not affine, and why.
#[derive(Debug)]
pub(crate) struct Reason {
    pub span: Span,
    pub text: String,
    pub also: Option<(Span, String)>,
}

impl NonAffine {
    pub fn because(span: Span, text: impl Into<String>) -> NonAffine {
        NonAffine::Because(Box::new(Reason {
            span,
            text: text.into(),
            also: None,
        }))
    }

    pub fn also(mut self, span: Span, text: impl Into<String>) -> NonAffine {
        if let NonAffine::Because(reason) = &mut self {
            reason.also = Some((span, text.into()));
        }
        self
    }

    /// The same, found behind a name or a call at `span`.
    pub fn seen_from(self, span: Span) -> NonAffine {
        match self {
            NonAffine::Because(reason) if reason.also.is_none() => {
                let text = reason.text.clone();
                NonAffine::because(span, text).also(reason.span, "because of this")
            }
            other => other,
        }
    }
}

impl NonAffine {
    /// A diagnostic that points at the sub-expression.
    pub fn diagnose(self, code: Code, message: impl Into<String>) -> Refusal {
        match self {
            NonAffine::Isl(error) => Refusal::Isl(error),
            NonAffine::Because(reason) => {
                let mut d = Diagnostic::error(code, message).at(reason.span, reason.text);
                if let Some((span, text)) = reason.also {
                    d = d.also(span, text);
                }
                Refusal::from(d)
            }
        }
    }
}

impl From<isl::Error> for NonAffine {
    fn from(error: isl::Error) -> NonAffine {
        NonAffine::Isl(error)
    }
}

/// Keeps isl's errors, and turns "not affine" into `None`.
pub(crate) fn optional<T>(result: affine::Affine<T>) -> isl::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(NonAffine::Because(_)) => Ok(None),
        Err(NonAffine::Isl(error)) => Err(error),
    }
}

/// A loop around the current place.
#[derive(Clone, Debug)]
pub(crate) struct LoopVar {
    pub symbol: SymbolId,
    pub iterator: Iterator,
    /// Whether it counts up from a constant by small steps: in 64 bits it comes to no end of its
    /// type in any time that there is.
    pub counts: bool,
}

/// A condition on data that was hoisted out of the loops below it.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The array that holds what is tested.
    pub array: usize,
    /// How many of the loops index it.
    pub depth: usize,
    /// What is asked of it.
    pub test: Test,
    /// The condition.
    pub span: Span,
}

/// What is asked of a hoisted value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// It is not zero.
    Holds,
    /// It is zero.
    Fails,
    /// The variable of the loop at this position compares so with it: the exit predicate of a
    /// loop whose bound is data.
    Compares(usize, BinaryOp),
}

/// What surrounds the current place.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub loops: Vec<LoopVar>,
    /// Over the anonymous space of the loops' variables.
    pub domain: isl::Set,
    /// Sizes with which the innermost loop has iterations.
    pub entered: Option<isl::Set>,
    pub guards: Vec<Guard>,
    /// Parameters of functions that are being followed, and their values.
    pub bindings: Vec<(SymbolId, isl::PwAff)>,
    /// How many definitions and calls are being followed.
    pub following: usize,
    /// Whether a value may be given by cases: in conditions.
    pub cases: bool,
}

impl Scope {
    pub fn position(&self, symbol: SymbolId) -> Option<usize> {
        self.loops.iter().rposition(|l| l.symbol == symbol)
    }

    /// The same place, for a condition.
    pub fn by_cases(&self) -> Scope {
        Scope {
            cases: true,
            ..self.clone()
        }
    }

    pub fn within(&self, condition: &isl::Set) -> isl::Result<Scope> {
        let domain = self.domain.intersect(condition)?.coalesce()?;
        Ok(Scope {
            domain,
            ..self.clone()
        })
    }

    pub fn without(&self, condition: &isl::Set) -> isl::Result<Scope> {
        let domain = self.domain.subtract(condition)?.coalesce()?;
        Ok(Scope {
            domain,
            ..self.clone()
        })
    }
}

/// The original order.
#[derive(Debug)]
pub(crate) enum Node {
    /// A loop, its depth from 0, and whether it counts down.
    Loop {
        depth: usize,
        down: bool,
        body: Vec<Node>,
    },
    /// The statement with this number in [`Lowering::drafts`].
    Leaf(usize),
}

/// A statement whose accesses have no relations yet.
#[derive(Debug)]
pub(crate) struct Draft {
    pub loops: Vec<LoopVar>,
    pub domain: isl::Set,
    pub body: Vec<Action>,
    pub accesses: Vec<RawAccess>,
    /// Conditions that were hoisted: tests of them stand around the body, in this order.
    pub guards: Vec<Guard>,
    /// The ends of loops that are data, by their positions.
    pub counted: Vec<[Option<End>; 2]>,
    pub span: Span,
}

impl Draft {
    /// Loops whose bounds are data: their positions, how their variables compare, and the accesses
    /// that read what with.
    pub fn tests(&self) -> Vec<(usize, BinaryOp, usize)> {
        let mut found = Vec::new();
        let mut body = self.body.as_slice();
        for guard in &self.guards {
            let [
                Action::If {
                    condition, then, ..
                },
            ] = body
            else {
                break;
            };
            if let (Test::Compares(position, op), Expr::Binary(_, variable, value)) =
                (guard.test, condition)
                && let Expr::Access(access) = &**value
                && is_variable(variable)
            {
                found.push((position, op, *access));
            }
            body = then;
        }
        found
    }
}

/// The variable of a loop, as it is compared: as `long`, of whose values it has some.
fn is_variable(expr: &Expr) -> bool {
    match expr {
        Expr::Iterator(_) => true,
        Expr::Cast(ctype, inner) => {
            ctype.kind == ScalarKind::I64 && matches!(**inner, Expr::Iterator(_))
        }
        _ => false,
    }
}

/// An access as written.
#[derive(Clone, Debug)]
pub(crate) struct RawAccess {
    pub array: usize,
    pub kind: AccessKind,
    /// Whether every instance performs it.
    pub always: bool,
    /// The same but for the conditions that were hoisted.
    pub certain: bool,
    pub subscripts: Vec<RawSubscript>,
    /// The instances that may perform it, over the anonymous space.
    pub domain: isl::Set,
    /// The elements that a called function accesses, from the anonymous space of the loops: for
    /// arguments of calls, whose last subscripts say nothing.
    pub cells: Option<isl::Map>,
    /// The linearised subscript as it was, where only some of its array's subscripts were taken apart.
    pub flat: Option<RawSubscript>,
    pub span: Span,
}

/// One subscript.
#[derive(Clone, Debug)]
pub(crate) struct RawSubscript {
    pub expr: Expr,
    pub affine: Option<isl::PwAff>,
    /// Where it is not affine: a sum of affine functions times products of parameters, where it is
    /// one.
    pub linear: Option<Vec<polynomial::Term>>,
    /// What is known of its values where it is data, or a loop's variable whose bounds are.
    pub values: Option<Spread>,
    /// Whether it is added to a pointer into a part of an object ([`crate::frontend::c::lower::memory::place::Place`]).
    pub loose: bool,
}

/// Which array an access goes to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ArrayKey {
    /// A place of the program: its variable, base and members.
    Place(SymbolId, String, Members),
    /// The value of a hoisted condition or bound.
    Condition(usize),
    /// Hidden state.
    Hidden(Hidden),
}

impl ArrayDraft {
    /// Whether its rows are behind pointers.
    pub fn has_rows(&self) -> bool {
        matches!(&self.key, ArrayKey::Place(.., members) if members.are_behind_pointers())
    }
}

impl ArrayKey {
    /// Whether both are elements, or members of elements, of the same array.
    pub fn is_beside(&self, other: &ArrayKey) -> bool {
        match (self, other) {
            (ArrayKey::Place(root, base, _), ArrayKey::Place(other, of_other, _)) => {
                root == other && base == of_other
            }
            _ => false,
        }
    }
}

/// An array before its shape is settled.
#[derive(Debug)]
pub(crate) struct ArrayDraft {
    pub key: ArrayKey,
    pub name: String,
    pub element: ScalarType,
    /// Its elements are pointers, which are copied as they are.
    pub holds_pointers: bool,
    /// Enclosing loops at the declaration, for temporaries of the region.
    pub region_depth: Option<usize>,
    /// Guards around the declaration: whatever is executed under them accesses it for certain.
    pub guards: usize,
    /// Type of what is subscripted.
    pub container: syntax::Type,
    /// What may go on behind its extent inside of elements.
    pub open: Option<place::Open>,
    /// Its declaration.
    pub span: Span,
    /// First write in the region.
    pub written: Option<Span>,
    /// First access in the region.
    pub accessed: Span,
}

/// A scalar or a pointer that the region reads in memory that pointers may point at: `p->x`, a
/// variable of the file.
#[derive(Debug)]
pub(crate) struct PointerRead {
    pub root: SymbolId,
    /// `->x`
    pub path: String,
    /// `None`: a pointer.
    pub kind: Option<ScalarKind>,
    pub span: Span,
}
