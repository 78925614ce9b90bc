//! Functions of the C library that fill and copy memory, as the loops that they are: `memset(a, 0, n *
//! sizeof(float))`, `memcpy(b, a, sizeof b)`.

use super::{Inliner, pointers};
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build::{
    assign, binary, block, counted, declaration, expression, integer, name,
};
use crate::frontend::c::syntax::{Expr, ExprKind, Sized, Stmt, StmtKind, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp};

/// Whether an expression is a call of one of them, whose value nobody uses.
pub(super) fn is_call(unit: &Unit, expr: &Expr) -> bool {
    if let ExprKind::Cast(Type::Void, inner) = &expr.kind {
        return is_call(unit, inner);
    }
    matches!(&expr.kind, ExprKind::Call(name, arguments)
        if matches!(&**name, "memset" | "memcpy")
            && arguments.len() == 3
            && purity::definition(unit, name).is_none())
}

impl Inliner<'_> {
    /// The loops that a call is; `None` where what it fills or copies are no whole elements.
    pub(super) fn loops(&mut self, call: &Expr) -> Option<Vec<Stmt>> {
        let (called, arguments) = match &call.kind {
            ExprKind::Cast(Type::Void, inner) => return self.loops(inner),
            ExprKind::Call(called, arguments) => (called, arguments),
            _ => return None,
        };
        let [to, from, size] = &**arguments else {
            return None;
        };
        let (to, whole) = self.first(to)?;
        let (element, inner) = elements(&whole)?;
        // Assignments leave the bytes between two of them as they are.
        if matches!(&element, Type::Scalar(of) if matches!(of.kind, ScalarKind::F80 | ScalarKind::C80))
        {
            return None;
        }
        let bytes = types::size_of(self.unit, &Sized::Type(whole.clone()))?;
        let (count, ctype) = self.count(size, bytes)?;
        let cell = |start: &Expr, at: &Expr| {
            let parts = (Box::new(start.clone()), Box::new(at.clone()));
            expression(ExprKind::Subscript(parts.0, parts.1), call.span)
        };
        let from = match (&**called, &element) {
            ("memcpy", _) => {
                let (from, other) = self.first(from)?;
                pointers::is_idle(&whole, &other).then_some(Some(from))?
            }
            (_, Type::Scalar(scalar)) => is_value(from, scalar.kind).then_some(None)?,
            _ => return None,
        };
        // Nothing is evaluated anew for each element.
        let mut list = Vec::new();
        let mut once = |this: &mut Self, value: Expr, stem: &str, ctype: Type| {
            if is_constant(&value) {
                return value;
            }
            let span = value.span;
            let symbol = this.declare(stem, ctype, Some(value), span);
            list.push(declaration(symbol, span));
            name(symbol, span)
        };
        let byte = match from {
            Some(_) => integer(0, call.span),
            None => {
                let value = arguments.get(1)?.clone();
                once(self, value, "byte", scalar(ScalarKind::I32))
            }
        };
        let count = match reads_memory(&count) {
            true => once(self, count, "count", ctype.clone()),
            false => count,
        };
        if from.iter().chain([&to]).any(moves) {
            return None;
        }
        let mut limits = vec![(count, ctype)];
        for extent in inner {
            limits.push((integer(extent, call.span), scalar(ScalarKind::I32)));
        }
        let mut counters = Vec::new();
        for (_, ctype) in &limits {
            let zero = integer(0, call.span);
            counters.push(self.declare("at", ctype.clone(), Some(zero), call.span));
        }
        let cell = |start: &Expr| {
            let names = counters.iter().map(|&at| name(at, call.span));
            names.fold(start.clone(), |row, at| cell(&row, &at))
        };
        let value = match &from {
            Some(from) => cell(from),
            None => byte,
        };
        let mut body = Stmt {
            kind: StmtKind::Expression(assign(cell(&to), value)),
            span: call.span,
        };
        for (&at, (limit, _)) in counters.iter().zip(limits).rev() {
            body = counted(at, limit, body);
        }
        list.push(body);
        Some(match list.len() {
            1 => list,
            _ => vec![*block(list, call.span)],
        })
    }

    /// A pointer without casts, and what it points at.
    fn first(&self, pointer: &Expr) -> Option<(Expr, Type)> {
        match &pointer.kind {
            ExprKind::Cast(Type::Pointer { target, .. }, inner) if **target == Type::Void => {
                self.first(inner)
            }
            _ => {
                let pointer = pointers::canonical(self.unit, pointer)?;
                let element = pointers::target(self.unit, &pointer)?;
                let element = match element {
                    Type::Scalar(_) | Type::Struct { .. } | Type::Array { .. } => element,
                    _ => return None,
                };
                Some((pointer, element))
            }
        }
    }

    /// How many elements so many bytes are, and the type of a variable that counts them.
    fn count(&self, size: &Expr, bytes: usize) -> Option<(Expr, Type)> {
        let constant = match &size.kind {
            ExprKind::Integer(value, _) => usize::try_from(*value).ok(),
            ExprKind::SizeOf(of, _) => types::size_of(self.unit, of),
            _ => None,
        };
        match constant {
            Some(all) => {
                let count = i64::try_from(all / bytes).ok()?;
                let fits = all % bytes == 0 && i32::try_from(count).is_ok();
                fits.then(|| (integer(count, size.span), scalar(ScalarKind::I32)))
            }
            _ => {
                let mut factors = Vec::new();
                let mut sizes = 1;
                self.factors(size, &mut factors, &mut sizes)?;
                if sizes != bytes {
                    return None;
                }
                let (first, rest) = factors.split_first()?;
                if rest.is_empty() {
                    let kind = types::scalar_kind(self.unit, first)?.promoted();
                    return (!kind.is_float()).then(|| ((*first).clone(), scalar(kind)));
                }
                // What C computes as `size_t` may be larger than an `int`.
                let long = scalar(ScalarKind::I64);
                let first = ExprKind::Cast(long.clone(), Box::new((*first).clone()));
                let mut product = expression(first, size.span);
                for factor in rest {
                    product = binary(BinaryOp::Mul, product, (*factor).clone());
                }
                Some((product, long))
            }
        }
    }

    /// The factors of a product of integers, and the product of the sizes of types in it.
    fn factors<'e>(
        &self,
        expr: &'e Expr,
        factors: &mut Vec<&'e Expr>,
        sizes: &mut usize,
    ) -> Option<()> {
        match &expr.kind {
            // What wraps around is a factor as it is.
            ExprKind::Binary(BinaryOp::Mul, a, b)
                if types::scalar_kind(self.unit, expr)? != ScalarKind::U32 =>
            {
                self.factors(a, factors, sizes)?;
                self.factors(b, factors, sizes)
            }
            ExprKind::SizeOf(of, _) => {
                *sizes = sizes.checked_mul(types::size_of(self.unit, of)?)?;
                Some(())
            }
            ExprKind::Cast(Type::Scalar(to), inner) if to.kind == ScalarKind::U64 => {
                self.factors(inner, factors, sizes)
            }
            _ => {
                let kind = types::scalar_kind(self.unit, expr)?;
                factors.push(expr);
                (!kind.is_float()).then_some(())
            }
        }
    }
}

/// What the elements of rows are, and how many there are in each dimension.
fn elements(row: &Type) -> Option<(Type, Vec<i64>)> {
    let (mut element, mut inner) = (row, Vec::new());
    while let Type::Array {
        element: of,
        extent,
        ..
    } = element
    {
        match extent.as_deref().map(|extent| &extent.kind) {
            Some(ExprKind::Integer(extent, _)) => inner.push(*extent),
            _ => return None,
        }
        element = of;
    }
    Some((element.clone(), inner))
}

/// Whether an expression is a number, or the negative of one.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(..) => true,
        ExprKind::Unary(UnaryOp::Minus, a) => is_constant(a),
        _ => false,
    }
}

/// Whether the value of an expression is in elements of arrays, which may change.
fn reads_memory(expr: &Expr) -> bool {
    let mut reads = false;
    visit::walk(expr, &mut |e| {
        reads |= matches!(e.kind, ExprKind::Subscript(..) | ExprKind::Dereference(_));
    });
    reads
}

/// Whether where a pointer points may change with elements of arrays.
fn moves(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Subscript(base, index) => moves(base) || reads_memory(index),
        ExprKind::Binary(_, base, offset) => moves(base) || reads_memory(offset),
        ExprKind::AddressOf(a)
        | ExprKind::Dereference(a)
        | ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Cast(_, a) => moves(a),
        _ => false,
    }
}

/// Whether elements of which all bytes are this value have it themselves, as C converts it.
fn is_value(byte: &Expr, kind: ScalarKind) -> bool {
    use ScalarKind::{I8, I16, I32, I64, U8};
    match (&byte.kind, kind) {
        (ExprKind::Integer(0, _), _) => true,
        (ExprKind::Integer(-1, _), I16 | I32 | I64) => true,
        (ExprKind::Unary(UnaryOp::Minus, one), I16 | I32 | I64) => {
            matches!(one.kind, ExprKind::Integer(1, _))
        }
        (_, I8 | U8) => true,
        _ => false,
    }
}

fn scalar(kind: ScalarKind) -> Type {
    Type::Scalar(ScalarType {
        kind,
        spelling: kind.c_name().to_owned(),
    })
}
