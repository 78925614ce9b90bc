//! What a function does with a scalar behind a place in it, whichever way control goes from there.

use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{Expr, ExprKind, Sized, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::source::Span;
use std::ops::ControlFlow;

/// What a piece of code does with a variable first: `Break(Some(place))` reads it, `Break(None)`
/// overwrites it, `Continue` neither.
pub(crate) type First = ControlFlow<Option<Span>>;

/// What is known of jumps out of a statement.
#[derive(Clone, Copy, Default)]
pub(crate) struct Jumps {
    /// It is in a loop or a `switch` that begins behind the place: `break` and `continue` lead no
    /// further than its end.
    in_loop: bool,
    /// What comes behind labels is looked at by itself: a `goto` ends this way.
    asked: bool,
}

impl Jumps {
    /// In a loop.
    pub(crate) fn inside(self) -> Jumps {
        Jumps {
            in_loop: true,
            ..self
        }
    }
}

/// Where in a function one looks from.
#[derive(Clone, Copy)]
pub(crate) enum Point<'a> {
    /// A part of its text.
    Part { start: usize, end: usize },
    /// A label. Its place in the text is no help: all that a macro stands for has the macro's.
    Label(&'a Stmt),
}

impl Point<'_> {
    /// Whether a statement holds it.
    fn is_in(self, stmt: &Stmt) -> bool {
        match self {
            Point::Part { start, .. } => stmt.span.start < start && stmt.span.end > start,
            Point::Label(label) => {
                let mut found = false;
                visit::statements(stmt, &mut |s| found |= std::ptr::eq(s, label));
                found
            }
        }
    }

    /// Whether it is a statement as a whole.
    fn is_all_of(self, stmt: &Stmt) -> bool {
        match self {
            Point::Part { start, end } => (stmt.span.start, stmt.span.end) == (start, end),
            Point::Label(_) => false,
        }
    }

    /// Whether a statement of a list is behind it; `passed`: one in front of it holds it.
    fn is_before(self, stmt: &Stmt, passed: bool) -> bool {
        match self {
            Point::Part { end, .. } => stmt.span.start >= end,
            Point::Label(_) => passed,
        }
    }
}

/// A place behind another one that may read what is in a scalar of the function there.
///
/// A `goto` may lead to every label of the function. Who comes to a read by such jumps comes from the
/// last label to it without one.
pub(crate) fn read_after(
    unit: &Unit,
    body: &Stmt,
    point: Point<'_>,
    symbol: SymbolId,
) -> Option<Span> {
    let mut labels = Vec::new();
    let mut jumps = false;
    visit::statements(body, &mut |s| {
        jumps |= s.kind == StmtKind::Unsupported("goto");
        if s.kind == StmtKind::Unsupported("label") {
            labels.push(Point::Label(s));
        }
    });
    let labels = labels.into_iter().filter(|_| jumps);
    let mut ways = [point].into_iter().chain(labels);
    ways.find_map(|point| {
        let asked = Jumps {
            in_loop: false,
            asked: true,
        };
        match after(unit, body, point, symbol, asked) {
            ControlFlow::Break(read) => read,
            ControlFlow::Continue(()) => None,
        }
    })
}

/// The code that runs after a place, seen from a statement that holds it.
fn after(unit: &Unit, stmt: &Stmt, point: Point<'_>, symbol: SymbolId, jumps: Jumps) -> First {
    let holds = |s: &Stmt| point.is_in(s);
    // The rest of the round, and another one, which begins in front of the place.
    let rest_of = |body: &Stmt| {
        let rest = after(unit, body, point, symbol, jumps.inside());
        left_early(body, rest)
    };
    let next_round = |body: &[Stmt]| {
        let mut body = body.iter();
        reads(body.try_for_each(|stmt| first(unit, stmt, symbol, jumps.inside())))
    };
    // Nothing of it is behind itself.
    if point.is_all_of(stmt) {
        return First::Continue(());
    }
    match &stmt.kind {
        StmtKind::Block(list) => {
            let mut passed = false;
            let repeats = leads(list, "do");
            // `break` leads no further than its end.
            let jumps = match leads(list, "switch") {
                true => Jumps {
                    in_loop: false,
                    ..jumps
                },
                false => jumps,
            };
            for inner in list {
                if holds(inner) {
                    passed = true;
                    match repeats {
                        true => rest_of(inner)?,
                        false => after(unit, inner, point, symbol, jumps)?,
                    }
                } else if point.is_before(inner, passed) {
                    first(unit, inner, symbol, jumps)?;
                }
            }
            if repeats {
                return next_round(&list[1..]);
            }
            First::Continue(())
        }
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            if let Some(init) = init.as_ref().filter(|init| holds(init)) {
                first(unit, init, symbol, jumps)?;
            }
            rest_of(body)?;
            for e in step.iter().chain(condition) {
                first_in(e, symbol)?;
            }
            // There may be no other round.
            next_round(std::slice::from_ref(&**body))
        }
        StmtKind::While { condition, body } => {
            rest_of(body)?;
            first_in(condition, symbol)?;
            next_round(std::slice::from_ref(&**body))
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            if holds(then) {
                return after(unit, then, point, symbol, jumps);
            }
            let mut ways = std::iter::once(then).chain(otherwise);
            if ways.any(|way| point.is_all_of(way)) {
                return First::Continue(());
            }
            match otherwise {
                Some(otherwise) if holds(otherwise) => after(unit, otherwise, point, symbol, jumps),
                _ => first(unit, stmt, symbol, jumps),
            }
        }
        // It is in an expression, of which anything may come behind it.
        StmtKind::Expression(_) | StmtKind::Return(_) | StmtKind::Declaration(_) => {
            first(unit, stmt, symbol, jumps)
        }
        _ => First::Continue(()),
    }
}

/// What the rest of a loop's body does first. Where that may be left in the middle, what is overwritten
/// behind may be read behind the loop.
pub(crate) fn left_early(body: &Stmt, rest: First) -> First {
    let mut left = false;
    visit::statements(body, &mut |s| {
        left |= matches!(s.kind, StmtKind::Unsupported("break" | "continue"));
    });
    match left {
        true => reads(rest),
        false => rest,
    }
}

/// What a statement does first with a scalar; `jumps` says which of these lead nowhere else.
pub(crate) fn first(unit: &Unit, stmt: &Stmt, symbol: SymbolId, jumps: Jumps) -> First {
    match &stmt.kind {
        StmtKind::Block(list) => {
            if leads(list, "do") {
                let rest = &mut list.iter().skip(1);
                return reads(rest.try_for_each(|s| first(unit, s, symbol, jumps.inside())));
            }
            if leads(list, "switch") {
                return list
                    .iter()
                    .skip(1)
                    .try_for_each(|s| anywhere(unit, s, symbol));
            }
            list.iter().try_for_each(|s| first(unit, s, symbol, jumps))
        }
        StmtKind::Declaration(s) => {
            let declared = &unit.symbols[*s];
            first_in_type(&declared.ctype, symbol)?;
            match &declared.initialiser {
                Some(value) => first_in(value, symbol),
                None => First::Continue(()),
            }
        }
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) => {
            first_in(e, symbol)?;
            match stmt.kind {
                StmtKind::Return(_) => First::Break(None),
                _ => First::Continue(()),
            }
        }
        StmtKind::Return(None) => First::Break(None),
        // A function of the file may have its name, and come back.
        StmtKind::Exit(_) | StmtKind::Original(_) => First::Continue(()),
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            if let Some(init) = init {
                first(unit, init, symbol, jumps)?;
            }
            condition.iter().try_for_each(|e| first_in(e, symbol))?;
            // The body may not run: only what it reads counts.
            reads(first(unit, body, symbol, jumps.inside()))?;
            reads(step.iter().try_for_each(|e| first_in(e, symbol)))
        }
        StmtKind::While { condition, body } => {
            first_in(condition, symbol)?;
            reads(first(unit, body, symbol, jumps.inside()))
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            first_in(condition, symbol)?;
            let then = first(unit, then, symbol, jumps);
            let otherwise = match otherwise {
                Some(otherwise) => first(unit, otherwise, symbol, jumps),
                None => First::Continue(()),
            };
            match (then, otherwise) {
                (First::Break(Some(read)), _) | (_, First::Break(Some(read))) => {
                    First::Break(Some(read))
                }
                (First::Break(None), First::Break(None)) => First::Break(None),
                _ => First::Continue(()),
            }
        }
        // Clauses of OpenMP's may name variables.
        StmtKind::Pragma(words) => {
            let name = &unit.symbols[symbol].name;
            let mut named = words.split(|c: char| !c.is_alphanumeric() && c != '_');
            match named.any(|word| word == name) {
                true => First::Break(Some(stmt.span)),
                false => First::Continue(()),
            }
        }
        StmtKind::Empty => First::Continue(()),
        // What they stand before follows in the same block.
        StmtKind::Unsupported("label" | "case" | "default") => First::Continue(()),
        StmtKind::Unsupported("break" | "continue") if jumps.in_loop => First::Continue(()),
        StmtKind::Unsupported("goto") if jumps.asked => First::Break(None),
        // Where control goes from here is not followed.
        StmtKind::Unsupported(_) => First::Break(Some(stmt.span)),
    }
}

/// Whether a block stands for a statement that is not represented.
fn leads(list: &[Stmt], what: &str) -> bool {
    list.first()
        .is_some_and(|s| matches!(s.kind, StmtKind::Unsupported(first) if first == what))
}

/// For a `switch`, of which any part may come first: a place that reads, or may go anywhere.
fn anywhere(unit: &Unit, stmt: &Stmt, symbol: SymbolId) -> First {
    let mut found = None;
    visit::statements(stmt, &mut |s| {
        let mut here = visit::jumps(unit, s);
        if let StmtKind::Declaration(declared) = s.kind {
            here |= first_in_type(&unit.symbols[declared].ctype, symbol).is_break();
        }
        for e in visit::own_expressions(unit, s) {
            here |= matches!(first_in(e, symbol), First::Break(Some(_)));
        }
        if here {
            found.get_or_insert(s.span);
        }
    });
    match found {
        Some(place) => First::Break(Some(place)),
        None => First::Continue(()),
    }
}

/// The extents of an array type are computed where it stands.
fn first_in_type(ctype: &Type, symbol: SymbolId) -> First {
    place::declared_extents(ctype)
        .into_iter()
        .flatten()
        .try_for_each(|extent| first_in(extent, symbol))
}

/// What is overwritten may not be, as in a loop's body.
pub(crate) fn reads(first: First) -> First {
    match first {
        First::Break(None) => First::Continue(()),
        other => other,
    }
}

/// The same of an expression.
pub(crate) fn first_in(expr: &Expr, symbol: SymbolId) -> First {
    match &expr.kind {
        ExprKind::Assign(None, target, value) => {
            first_in(value, symbol)?;
            match target.kind {
                ExprKind::Name(s) if s == symbol => First::Break(None),
                _ => first_in(target, symbol),
            }
        }
        ExprKind::Name(s) if *s == symbol => First::Break(Some(expr.span)),
        ExprKind::Cast(ctype, inner) => {
            first_in_type(ctype, symbol)?;
            first_in(inner, symbol)
        }
        ExprKind::SizeOf(Sized::Type(ctype), _) => first_in_type(ctype, symbol),
        // The other sides may not be computed.
        ExprKind::Conditional(c, a, b) => {
            first_in(c, symbol)?;
            reads(first_in(a, symbol))?;
            reads(first_in(b, symbol))
        }
        ExprKind::Binary(crate::scop::BinaryOp::And | crate::scop::BinaryOp::Or, a, b) => {
            first_in(a, symbol)?;
            reads(first_in(b, symbol))
        }
        ExprKind::Unsupported("jump") => First::Break(Some(expr.span)),
        // What is not represented may evaluate any part of it, or none.
        ExprKind::Comma(list)
            if matches!(
                list.first().map(|e| &e.kind),
                Some(ExprKind::Unsupported(_))
            ) =>
        {
            list.iter().try_for_each(|e| reads(first_in(e, symbol)))
        }
        _ => visit::children(expr)
            .into_iter()
            .try_for_each(|e| first_in(e, symbol)),
    }
}
