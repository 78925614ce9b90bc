//! Places in memory: from `g->cells[i][j].x` or `*(a + i)` to a base, subscripts and members.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::memory::unfollowed::unfollowed;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Refusal, Result, messages};
use crate::frontend::c::syntax::{Expr, ExprKind, Symbol, SymbolId, Type, Unit};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, Members, ScalarKind, ScalarType};
use crate::source::Span;
use std::collections::VecDeque;

/// A place that holds one scalar.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The variable that leads there.
    pub root: SymbolId,
    /// What stands before the subscripts: `a`, `g->cells`, `s.sum`.
    pub base: String,
    /// Subscripts, outermost first; `*p` has the subscript 0.
    pub subscripts: Vec<Expr>,
    /// Members behind them.
    pub members: Members,
    /// What is stored there.
    pub element: ScalarType,
    /// A pointer is: it is copied as it is, and nobody follows it.
    pub holds_pointer: bool,
    /// The type that the subscripts apply to. Where arrays are in its elements: the type of one array
    /// with all the subscripts.
    pub container: Type,
    /// The array inside of elements, if there is one, that may go on behind the extent that its type has.
    pub open: Option<Open>,
    /// Subscripts into an array that is part of another object, through a pointer to its first element:
    /// nothing in the text says that they stay in that part.
    pub loose: Vec<usize>,
    /// The whole expression.
    pub span: Span,
}

impl Place {
    /// Whether subscripts apply to a member of the variable.
    pub fn is_member(&self, unit: &Unit) -> bool {
        self.base != unit.symbols[self.root].name
    }
}

/// An array at the end of structures, which C lets have more elements than its type says.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    /// Which subscript is its own.
    pub dim: usize,
    /// What its type says; `None`: nothing.
    pub declared: Option<Box<Expr>>,
}

enum Step {
    /// A subscript, and whether it is added to a pointer: `(a + 1)[i]`, as opposed to `a[i]`.
    Index(Expr, bool),
    Field(String),
    Arrow(String),
}

/// Resolves an expression that names a scalar in memory.
///
/// # Errors
/// A diagnostic where the place is of a kind that has no model: pointers inside array elements,
/// unions, bit patterns, pointers as values.
pub(crate) fn resolve(unit: &Unit, expr: &Expr) -> Result<Place> {
    resolve_as(unit, expr, false)
}

/// The same of a place that holds a scalar, or else a pointer that is only copied and compared.
///
/// # Errors
/// As [`resolve`].
pub(crate) fn resolve_pointer(unit: &Unit, expr: &Expr) -> Result<Place> {
    resolve_as(unit, expr, true)
}

fn resolve_as(unit: &Unit, expr: &Expr, copied: bool) -> Result<Place> {
    let mut steps = Vec::new();
    let root = path(unit, expr, &mut steps)?;
    let symbol = &unit.symbols[root];
    let unsupported = |what: String, help: &str| {
        let d = Diagnostic::error(Code::UnsupportedExpression, what).at(expr.span, "");
        Refusal::from(d.also(symbol.span, "declared here").help(help))
    };
    let mut place = Place {
        root,
        base: symbol.name.clone(),
        subscripts: Vec::new(),
        members: Members::default(),
        element: ScalarType {
            kind: ScalarKind::I32,
            spelling: "int".to_owned(),
        },
        holds_pointer: false,
        container: symbol.ctype.clone(),
        open: None,
        loose: Vec::new(),
        span: expr.span,
    };
    let mut current = &symbol.ctype;
    // Whether what a pointer points at ends with this, so that memory may go on behind its type: an
    // array there has as many elements as were allocated, as C compilers take it, too.
    let mut open = false;
    let mut member: Option<String> = None;
    let mut steps = VecDeque::from(steps);
    while let Some(step) = steps.pop_front() {
        // What a pointer among an array's elements points at is the first element there.
        let step = match step {
            Step::Arrow(name) if !place.subscripts.is_empty() => {
                steps.push_front(Step::Field(name));
                let zero = Expr {
                    kind: ExprKind::Integer(0, "0".to_owned()),
                    span: expr.span,
                };
                Step::Index(zero, false)
            }
            step => step,
        };
        let name = match step {
            Step::Index(index, added) => {
                let whole = place.subscripts.is_empty() && !place.is_member(unit);
                if added && !whole && matches!(current, Type::Array { .. }) {
                    place.loose.push(place.subscripts.len());
                }
                let pointer = matches!(current, Type::Pointer { .. });
                let again = place.members.are_behind_pointers();
                if pointer && place.subscripts.len() == 1 && !again {
                    place.members.follow();
                } else if pointer && !place.subscripts.is_empty() {
                    let what =
                        format!("`{}` is an array of several levels of pointers", place.base);
                    return Err(Refusal::from(
                        Diagnostic::error(Code::UnsupportedType, what)
                            .at(expr.span, "rows may lie anywhere and overlap")
                            .also(symbol.span, "declared here")
                            .help(format!(
                                "use one block of memory with a pointer to rows: `{} (*{})[m]`",
                                element_name(current),
                                place.base
                            )),
                    ));
                }
                if let (Type::Other(what), Some(member)) = (current, &member) {
                    return Err(no_value(expr, symbol, Some(member), what));
                }
                let Some(next) = types::pointee(current) else {
                    return Err(unsupported(
                        format!("`{}` has fewer dimensions than subscripts", place.base),
                        "subscript arrays and pointers only",
                    ));
                };
                place.subscripts.push(index);
                current = next;
                continue;
            }
            Step::Field(name) => format!(".{name}"),
            Step::Arrow(name) => {
                let Some(next) = types::pointee(current) else {
                    return Err(unsupported(
                        format!("`{}` is not a pointer", place.base),
                        "",
                    ));
                };
                current = next;
                open = true;
                format!("->{name}")
            }
        };
        let field = name.trim_start_matches(['.', '-', '>']).to_owned();
        if matches!(current, Type::Struct { is_union: true, .. }) {
            return Err(unsupported(shared(&field), "use a structure"));
        }
        let Some(next) = types::field_type(current, &field) else {
            return Err(unsupported(format!("`{field}` is not a known field"), ""));
        };
        open &= is_last(current, &field);
        current = next;
        member = Some(field);
        if place.subscripts.is_empty() {
            place.base.push_str(&name);
            place.container = current.clone();
            if let (true, Type::Array { extent, .. }) = (open, &mut place.container) {
                *extent = None;
            }
        } else {
            place.members.add(place.subscripts.len(), &name);
        }
    }
    let datum = datum(current).filter(|_| copied).map(Type::Scalar);
    place.holds_pointer = datum.is_some();
    if let (Some(datum), true) = (&datum, place.subscripts.is_empty()) {
        place.container = datum.clone();
    }
    match datum.as_ref().unwrap_or(current) {
        Type::Scalar(element) => {
            place.element = element.clone();
            if place.members.hold_arrays(place.subscripts.len()) {
                let open = matches!(place.container, Type::Pointer { .. });
                let at_end = (0, open);
                (place.container, place.open) = through(&place.container, &place.members, at_end);
            }
            if place.members.are_behind_pointers() {
                place.container = with_rows(&place.container, true, place.subscripts.len());
            }
        }
        Type::Array { .. } | Type::Pointer { .. } => {
            return Err(unsupported(
                format!(
                    "`{}` is a pointer here, not a number",
                    ctext::expression(expr, &unit.symbols)
                ),
                "regions compute with scalars and array elements; move pointer handling out of the region",
            ));
        }
        Type::Struct {
            spelling, fields, ..
        } => {
            let what = format!("values of type `{spelling}` are not supported in regions");
            let mut message = Diagnostic::error(Code::UnsupportedType, what)
                .at(expr.span, "")
                .also(symbol.span, "declared here")
                .help("read and write its scalar fields one by one");
            if let Some(what) = odd_member(fields) {
                message = message.note(format!("{what}, so that it is not copied as a whole"));
            }
            return Err(Refusal::from(message));
        }
        Type::Other(what) => return Err(no_value(expr, symbol, member.as_deref(), what)),
        Type::Void => return Err(no_value(expr, symbol, None, "void")),
    }
    Ok(place)
}

/// A pointer as a number of 64 bits, which is what is copied, under its own type.
pub(crate) fn datum(ctype: &Type) -> Option<ScalarType> {
    let spelling = spelled(ctype)?;
    matches!(ctype, Type::Pointer { .. }).then_some(ScalarType {
        kind: ScalarKind::U64,
        spelling,
    })
}

/// The pointer that an array becomes in a value.
pub(crate) fn element_pointer(array: &Type) -> Option<ScalarType> {
    let Type::Array {
        element, is_const, ..
    } = array
    else {
        return None;
    };
    datum(&Type::Pointer {
        target: element.clone(),
        restrict: false,
        is_const: *is_const,
    })
}

/// A type that C writes in front of a name.
fn spelled(ctype: &Type) -> Option<String> {
    Some(match ctype {
        Type::Pointer {
            target, is_const, ..
        } => {
            let target = spelled(target)?;
            let is_const = *is_const && !target.ends_with('*') && !target.starts_with("const ");
            format!("{}{target} *", if is_const { "const " } else { "" })
        }
        Type::Scalar(scalar) => scalar.spelling.clone(),
        Type::Struct { spelling, .. } => spelling.clone(),
        Type::Void => "void".to_owned(),
        _ => return None,
    })
}

/// The message for a value of a type that regions do not have.
fn no_value(expr: &Expr, symbol: &Symbol, member: Option<&str>, what: &str) -> Refusal {
    let at = |message: Diagnostic| message.at(expr.span, "").also(symbol.span, "declared here");
    let message = match (member, what) {
        (Some(member), "union") => {
            Diagnostic::error(Code::UnsupportedExpression, shared(member)).help("use a structure")
        }
        (Some(member), "bit-field") => messages::bit_field(member),
        _ => messages::no_values_of(what),
    };
    Refusal::from(at(message))
}

fn shared(field: &str) -> String {
    format!("`{field}` shares its memory with other fields of a union")
}

/// Why a structure with these members is not copied, where a member is no value of its own.
fn odd_member(fields: &[(String, Type)]) -> Option<String> {
    fields.iter().find_map(|(name, ctype)| match ctype {
        Type::Other(what) if what == "bit-field" => {
            Some(format!("its member `{name}` is a bit-field"))
        }
        Type::Other(what) if what == "union" => Some(format!("its member `{name}` is in a union")),
        Type::Other(what) => Some(format!("its member `{name}` is of type `{what}`")),
        Type::Struct { is_union: true, .. } => Some(format!("its member `{name}` is a union")),
        Type::Struct { fields, .. } => odd_member(fields),
        _ => None,
    })
}

/// The type of the array of all that members are in the elements of a container, under so many
/// subscripts, and what is open in it. Whether all of it is `open`: memory may go on behind what ends
/// with it.
fn through(
    container: &Type,
    members: &Members,
    (subscripts, mut open): (usize, bool),
) -> (Type, Option<Open>) {
    let mut inner = container;
    for name in members.behind(subscripts) {
        open &= is_last(inner, name);
        let Some(field) = types::field_type(inner, name) else {
            return (inner.clone(), None);
        };
        inner = field;
    }
    let mut all = inner.clone();
    let mut found = None;
    match &mut all {
        Type::Pointer { target, .. } => {
            (**target, found) = through(target, members, (subscripts + 1, open));
        }
        Type::Array {
            element, extent, ..
        } => {
            let own = members.behind(subscripts).next().is_some();
            (**element, found) = through(element, members, (subscripts + 1, open));
            if own && (open || extent.is_none()) {
                let declared = extent.take();
                found = Some(Open {
                    dim: subscripts,
                    declared,
                });
            }
        }
        _ => {}
    }
    (all, found)
}

/// The type of a container whose pointers inside are arrays of which nobody knows how long they are,
/// as far as there are subscripts.
fn with_rows(container: &Type, outermost: bool, subscripts: usize) -> Type {
    let mut all = container.clone();
    if subscripts == 0 {
        return all;
    }
    match &mut all {
        Type::Pointer { target, .. } if outermost => {
            **target = with_rows(target, false, subscripts - 1);
        }
        Type::Pointer { target, .. } => {
            return Type::Array {
                element: Box::new(with_rows(target, false, subscripts - 1)),
                extent: None,
                restrict: false,
                is_const: false,
            };
        }
        Type::Array { element, .. } => **element = with_rows(element, false, subscripts - 1),
        _ => {}
    }
    all
}

/// Whether nothing of a structure stands behind this field.
fn is_last(ctype: &Type, field: &str) -> bool {
    match ctype {
        Type::Struct { fields, .. } => fields
            .last()
            .is_some_and(|(name, _)| name == field || name.is_empty()),
        _ => false,
    }
}

fn element_name(ctype: &Type) -> String {
    match ctype {
        Type::Scalar(t) => t.spelling.clone(),
        Type::Struct { spelling, .. } => spelling.clone(),
        Type::Pointer { target: inner, .. } | Type::Array { element: inner, .. } => {
            element_name(inner)
        }
        _ => "T".to_owned(),
    }
}

/// Collects the steps from the root to `expr`.
fn path(unit: &Unit, expr: &Expr, steps: &mut Vec<Step>) -> Result<SymbolId> {
    match &expr.kind {
        ExprKind::Name(symbol) => Ok(*symbol),
        ExprKind::Subscript(base, index) => {
            // C allows `2[a]`; nobody writes it, but the meaning is the same.
            let (base, index) = if types::place_type(unit, base)
                .and_then(types::pointee)
                .is_none()
                && types::place_type(unit, index)
                    .and_then(types::pointee)
                    .is_some()
            {
                (index, base)
            } else {
                (base, index)
            };
            let (root, offset) = pointer(unit, base, steps)?;
            let added = offset.is_some();
            let index = add(unit, offset, index, BinaryOp::Add);
            steps.push(Step::Index(index, added));
            Ok(root)
        }
        ExprKind::Dereference(base) => {
            let (root, offset) = pointer(unit, base, steps)?;
            let added = offset.is_some();
            let zero = Expr {
                kind: ExprKind::Integer(0, "0".to_owned()),
                span: expr.span,
            };
            steps.push(Step::Index(offset.unwrap_or(zero), added));
            Ok(root)
        }
        ExprKind::Field(base, field) => {
            let root = path(unit, base, steps)?;
            steps.push(Step::Field(field.clone()));
            Ok(root)
        }
        ExprKind::Arrow(base, field) => {
            let (root, offset) = pointer(unit, base, steps)?;
            match offset {
                Some(offset) => {
                    steps.push(Step::Index(offset, true));
                    steps.push(Step::Field(field.clone()));
                }
                None => steps.push(Step::Arrow(field.clone())),
            }
            Ok(root)
        }
        ExprKind::Unknown(name) => Err(Refusal::from(messages::unknown(unit, name, expr.span))),
        _ => Err(Refusal::from(unfollowed(unit, expr))),
    }
}

/// A pointer expression: the steps to the pointer, and what is added to it.
fn pointer(unit: &Unit, expr: &Expr, steps: &mut Vec<Step>) -> Result<(SymbolId, Option<Expr>)> {
    let is_pointer = |e: &Expr| {
        types::place_type(unit, e)
            .and_then(types::pointee)
            .is_some()
    };
    match &expr.kind {
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if is_pointer(a) => {
            let (root, offset) = pointer(unit, a, steps)?;
            let nothing = offset.as_ref().is_none_or(is_zero);
            let offset = match (offset, op) {
                (_, BinaryOp::Sub) if nothing => Expr {
                    kind: ExprKind::Unary(crate::scop::UnaryOp::Minus, Box::new(wide(unit, b))),
                    span: b.span,
                },
                (offset, op) => add(unit, offset, b, *op),
            };
            Ok((root, Some(offset)))
        }
        ExprKind::Binary(BinaryOp::Add, a, b) if is_pointer(b) => {
            let (root, offset) = pointer(unit, b, steps)?;
            Ok((root, Some(add(unit, offset, a, BinaryOp::Add))))
        }
        _ => Ok((path(unit, expr, steps)?, None)),
    }
}

/// A sum of what C adds to a pointer one after the other.
fn add(unit: &Unit, offset: Option<Expr>, index: &Expr, op: BinaryOp) -> Expr {
    match offset {
        None => index.clone(),
        Some(offset) if is_zero(&offset) && op == BinaryOp::Add => index.clone(),
        Some(offset) if is_zero(index) => offset,
        Some(offset) => Expr {
            span: offset.span.to(index.span),
            kind: ExprKind::Binary(
                op,
                Box::new(wide(unit, &offset)),
                Box::new(wide(unit, index)),
            ),
        },
    }
}

fn is_zero(number: &Expr) -> bool {
    matches!(number.kind, ExprKind::Integer(0, _))
}

/// A number in a sum: C adds one after the other to a pointer, which neither wraps around as
/// `unsigned` does nor ends where `int` ends.
fn wide(unit: &Unit, number: &Expr) -> Expr {
    match types::scalar_kind(unit, number).map(ScalarKind::promoted) {
        Some(ScalarKind::I32 | ScalarKind::U32) => {
            let long = ScalarType {
                kind: ScalarKind::I64,
                spelling: ScalarKind::I64.c_name().to_owned(),
            };
            Expr {
                kind: ExprKind::Cast(Type::Scalar(long), Box::new(number.clone())),
                span: number.span,
            }
        }
        _ => number.clone(),
    }
}

/// The extents a container declares, outermost first; `None` for a pointer's first.
pub(crate) fn declared_extents(container: &Type) -> Vec<Option<&Expr>> {
    let mut extents = Vec::new();
    let mut current = container;
    loop {
        match current {
            Type::Array {
                element, extent, ..
            } => {
                extents.push(extent.as_deref());
                current = element;
            }
            Type::Pointer { target, .. } if extents.is_empty() => {
                extents.push(None);
                current = target;
            }
            _ => return extents,
        }
    }
}
