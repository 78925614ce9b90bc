//! What happens around the region: which values come in, and which are read afterwards.

use crate::mistakes::mistake;
use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::frontend::c::lower::memory::{allocation, place};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{ArrayDraft, ArrayKey, Lowering};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope as Where, Sized, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::source::Span;

/// What a piece of code does with a variable first: `Break(Some(place))` reads it, `Break(None)`
/// overwrites it, `Continue` neither.
pub(crate) type First = ControlFlow<Option<Span>>;

impl Lowering<'_> {
    /// A place behind the region that may read the value that the region left in a scalar.
    pub(crate) fn read_after(&self, symbol: SymbolId) -> Option<Span> {
        let s = &self.unit.symbols[symbol];
        // Other files may read it.
        if s.scope == Where::File && !s.is_static {
            return Some(s.span);
        }
        if s.scope == Where::File || s.is_static {
            let mut values = self
                .unit
                .symbols
                .iter()
                .filter_map(|s| s.initialiser.as_ref());
            return match values.find(|value| visit::mentions(value, symbol)) {
                Some(value) => Some(value.span),
                None => self.used_elsewhere(symbol),
            };
        }
        if self.facts.address_taken.contains(&symbol) {
            return Some(s.span);
        }
        match self.after(&self.function.body, symbol) {
            ControlFlow::Break(read) => read,
            ControlFlow::Continue(()) => None,
        }
    }

    /// A global's use outside the region: anywhere else in the file, for lack of knowledge.
    fn used_elsewhere(&self, symbol: SymbolId) -> Option<Span> {
        let mut found = None;
        for function in &self.unit.functions {
            visit::expressions(self.unit, &function.body, &mut |top| {
                visit::walk(top, &mut |e| {
                    if e.kind == ExprKind::Name(symbol) && !self.in_region(e.span) {
                        found.get_or_insert(e.span);
                    }
                });
            });
        }
        found
    }

    fn in_front(&self, span: Span) -> bool {
        span.start < self.region.span.start
    }

    fn behind(&self, span: Span) -> bool {
        span.start >= self.region.span.end
    }

    fn in_region(&self, span: Span) -> bool {
        !self.in_front(span) && !self.behind(span)
    }

    /// Whether a statement holds the region.
    fn around(&self, span: Span) -> bool {
        self.in_front(span) && span.end > self.region.span.start
    }

    /// The code that runs after the region, seen from a statement that holds the region.
    fn after(&self, stmt: &Stmt, symbol: SymbolId) -> First {
        let holds = |s: &Stmt| self.around(s.span);
        match &stmt.kind {
            StmtKind::Block(list) => {
                for inner in list {
                    if holds(inner) {
                        self.after(inner, symbol)?;
                    } else if self.behind(inner.span) {
                        first(self.unit, inner, symbol, false)?;
                    }
                }
                if leads(list, "do") {
                    let next = list.iter().skip(1);
                    return reads(self.next_round(next, symbol));
                }
                First::Continue(())
            }
            StmtKind::For {
                condition,
                step,
                body,
                ..
            } => {
                self.after(body, symbol)?;
                for e in step.iter().chain(condition) {
                    first_in(e, symbol)?;
                }
                // There may be no other round.
                reads(self.next_round([&**body], symbol))
            }
            StmtKind::While { condition, body } => {
                self.after(body, symbol)?;
                first_in(condition, symbol)?;
                reads(self.next_round([&**body], symbol))
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                if holds(then) {
                    return self.after(then, symbol);
                }
                match otherwise {
                    Some(otherwise) if holds(otherwise) => self.after(otherwise, symbol),
                    _ => First::Continue(()),
                }
            }
            _ => First::Continue(()),
        }
    }

    /// The next round of a loop around the region, which begins before the region.
    fn next_round<'s>(&self, body: impl IntoIterator<Item = &'s Stmt>, symbol: SymbolId) -> First {
        body.into_iter()
            .try_for_each(|stmt| first(self.unit, stmt, symbol, false))
    }

    /// Whether values of an array come from before the region, and go behind it.
    ///
    /// What a variable of the function holds itself lives as long as the variable; memory that a
    /// pointer leads to lives as long as it likes, whatever holds the pointer.
    pub(crate) fn life(&self, draft: &ArrayDraft) -> (bool, bool) {
        let ArrayKey::Place(root, base, _) = &draft.key else {
            return (false, false);
        };
        let root = *root;
        let symbol = &self.unit.symbols[root];
        // An array of the function's own may hold pointers to rows of others.
        if leads_elsewhere(symbol, base, &draft.container) || draft.has_rows() {
            return (true, true);
        }
        match symbol.scope {
            Where::Region(_) => return (false, false),
            Where::File => return (true, true),
            Where::Parameter(_) => {
                // Scalars and structures are passed by value.
                let read = match symbol.ctype {
                    Type::Scalar(_) => self.read_after(root).is_some(),
                    Type::Struct { .. } => {
                        self.read_after(root).is_some() || self.uses(root).escapes
                    }
                    _ => true,
                };
                return (true, read);
            }
            Where::Function(_) => {}
        }
        if symbol.is_static {
            return (true, true);
        }
        if let Type::Scalar(_) = symbol.ctype {
            return (self.set_before(root), self.read_after(root).is_some());
        }
        let allocations = allocation::all(self.unit, &self.facts, root);
        if matches!(symbol.ctype, Type::Pointer { .. }) && allocations.is_empty() {
            return (true, true);
        }
        let uses = self.uses(root);
        let elsewhere = uses.escapes || self.in_loop();
        let cleared = allocations.iter().any(|a| allocation::clears(self.unit, a));
        let live_in = uses.before
            || elsewhere
            || cleared
            || (symbol.initialiser.is_some() && !matches!(symbol.ctype, Type::Pointer { .. }));
        (live_in, uses.after || elsewhere)
    }

    /// Whether what the region leaves in an array or a structure of the function may be read.
    pub(crate) fn lives_behind(&self, root: SymbolId) -> bool {
        let uses = self.uses(root);
        uses.after || uses.escapes || self.in_loop()
    }

    /// Whether a local scalar may have a value before the region.
    fn set_before(&self, symbol: SymbolId) -> bool {
        let s = &self.unit.symbols[symbol];
        if s.initialiser.is_some() || self.facts.address_taken.contains(&symbol) || self.in_loop() {
            return true;
        }
        let mut found = false;
        visit::expressions(self.unit, &self.function.body, &mut |top| {
            visit::walk(top, &mut |e| {
                let target = facts::target(e).map(|t| &t.kind);
                found |= target == Some(&ExprKind::Name(symbol)) && self.in_front(e.span);
            });
        });
        found
    }

    /// Whether the region runs more than once in a call of its function.
    fn in_loop(&self) -> bool {
        let mut found = false;
        // A `goto` behind the region may lead to a label in front of it.
        let (mut labelled, mut jumps) = (false, false);
        visit::statements(&self.function.body, &mut |s| {
            labelled |= s.kind == StmtKind::Unsupported("label") && self.in_front(s.span);
            jumps |= visit::jumps(self.unit, s) && self.behind(s.span);
            let repeats = matches!(
                s.kind,
                StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Unsupported(_)
            );
            found |= repeats && self.around(s.span);
        });
        found || (labelled && jumps)
    }

    /// Whether the address of an array, or a pointer's value, goes somewhere that is not followed.
    pub(crate) fn gets_out(&self, root: SymbolId) -> bool {
        self.uses(root).escapes
    }

    fn uses(&self, root: SymbolId) -> Uses {
        let mut uses = Uses::default();
        for top in self.naming(root) {
            self.uses_in(top, root, &mut uses);
        }
        // `T *q = p = malloc(n);`
        visit::statements(&self.function.body, &mut |s| {
            let value = match &s.kind {
                StmtKind::Declaration(symbol) => self.unit.symbols[*symbol].initialiser.as_ref(),
                StmtKind::Return(value) => value.as_ref(),
                _ => None,
            };
            uses.escapes |= value.is_some_and(|value| sets(value, root));
        });
        uses
    }

    /// The top expressions of the function that name a symbol, in textual order.
    fn naming(&self, symbol: SymbolId) -> &[&Expr] {
        let all = self.named.get_or_init(|| {
            let mut all: HashMap<SymbolId, Vec<&Expr>> = HashMap::new();
            visit::expressions(self.unit, &self.function.body, &mut |top| {
                visit::walk(top, &mut |e| {
                    if let ExprKind::Name(symbol) = e.kind {
                        let tops = all.entry(symbol).or_default();
                        if !tops.last().is_some_and(|last| std::ptr::eq(*last, top)) {
                            tops.push(top);
                        }
                    }
                });
            });
            all
        });
        all.get(&symbol).map_or(&[], Vec::as_slice)
    }

    fn uses_in(&self, expr: &Expr, root: SymbolId, uses: &mut Uses) {
        if !visit::mentions(expr, root) {
            return;
        }
        let is_root = |e: &Expr| uncast(e).kind == ExprKind::Name(root);
        match &expr.kind {
            ExprKind::Call(name, arguments)
                if allocation::releases(self.unit, name) && arguments.iter().any(is_root) => {}
            // The pointer itself: where it is set, and comparisons with null. A structure is what is
            // in it.
            ExprKind::Assign(None, target, value) if is_root(target) => {
                if let Type::Struct { .. } = self.unit.symbols[root].ctype {
                    self.count(expr.span, uses);
                }
                self.uses_in(value, root, uses);
            }
            // `q = p = malloc(n)`, `f(p = malloc(n))`
            ExprKind::Assign(_, _, value) if sets(value, root) => uses.escapes = true,
            ExprKind::Call(_, arguments) if arguments.iter().any(|a| sets(a, root)) => {
                uses.escapes = true;
            }
            // Subscripts do not give their addresses away, but who would write such.
            ExprKind::AddressOf(_) => uses.escapes = true,
            ExprKind::Unary(crate::scop::UnaryOp::Not, a) if is_root(a) => {}
            ExprKind::Binary(
                crate::scop::BinaryOp::Equal | crate::scop::BinaryOp::NotEqual,
                a,
                b,
            ) if is_root(a) || is_root(b) => {
                let other = if is_root(a) { b } else { a };
                self.uses_in(other, root, uses);
            }
            ExprKind::Name(_) => {
                let element = matches!(types::place_type(self.unit, expr), Some(Type::Scalar(_)));
                if element {
                    self.count(expr.span, uses);
                } else {
                    uses.escapes = true;
                }
            }
            ExprKind::Subscript(..)
            | ExprKind::Dereference(_)
            | ExprKind::Field(..)
            | ExprKind::Arrow(..) => {
                match types::place_type(self.unit, expr) {
                    Some(Type::Scalar(_)) => {
                        self.count(expr.span, uses);
                        let mut current = expr;
                        // Subscripts may use the array again; the base is this access.
                        loop {
                            match &current.kind {
                                ExprKind::Subscript(base, index) => {
                                    self.uses_in(index, root, uses);
                                    current = base;
                                }
                                ExprKind::Dereference(base)
                                | ExprKind::Field(base, _)
                                | ExprKind::Arrow(base, _) => current = base,
                                ExprKind::Binary(_, a, b) => {
                                    let (base, index) = if visit::mentions(a, root) {
                                        (a, b)
                                    } else {
                                        (b, a)
                                    };
                                    self.uses_in(index, root, uses);
                                    current = base;
                                }
                                ExprKind::Name(_) => break,
                                _ => {
                                    uses.escapes = true;
                                    break;
                                }
                            }
                        }
                    }
                    _ => uses.escapes = true,
                }
            }
            _ => visit::children(expr)
                .into_iter()
                .for_each(|e| self.uses_in(e, root, uses)),
        }
    }

    fn count(&self, span: Span, uses: &mut Uses) {
        uses.before |= self.in_front(span);
        uses.after |= self.behind(span);
    }
}

/// How a local array is used outside the region.
#[derive(Debug, Default)]
struct Uses {
    before: bool,
    after: bool,
    /// Its address goes somewhere that is not followed.
    escapes: bool,
}

/// Whether what stands at `base`, subscripted as `container` is, lies in memory that a pointer
/// inside the variable leads to, or a pointer in the block that it points at.
fn leads_elsewhere(symbol: &Symbol, base: &str, container: &Type) -> bool {
    let path = base.get(symbol.name.len()..).unwrap_or_default();
    let inside = match symbol.ctype {
        Type::Pointer { .. } => path.strip_prefix("->").unwrap_or(path),
        _ => path,
    };
    let pointer = !path.is_empty() && matches!(container, Type::Pointer { .. });
    !mistake!(StructsByValue) && (pointer || inside.contains("->"))
}

/// Whether the value of an expression is what it sets the variable to.
fn sets(expr: &Expr, root: SymbolId) -> bool {
    match &uncast(expr).kind {
        ExprKind::Assign(_, target, value) => {
            uncast(target).kind == ExprKind::Name(root) || sets(value, root)
        }
        _ => false,
    }
}

fn uncast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(_, inner) => uncast(inner),
        _ => expr,
    }
}

/// What a statement does first with a scalar; `inside` a loop or `switch` that begins behind the
/// region, `break` and `continue` lead no further than its end.
pub(crate) fn first(unit: &Unit, stmt: &Stmt, symbol: SymbolId, inside: bool) -> First {
    match &stmt.kind {
        StmtKind::Block(list) => {
            if leads(list, "do") {
                let rest = &mut list.iter().skip(1);
                return reads(rest.try_for_each(|s| first(unit, s, symbol, true)));
            }
            if leads(list, "switch") {
                return list
                    .iter()
                    .skip(1)
                    .try_for_each(|s| anywhere(unit, s, symbol));
            }
            list.iter().try_for_each(|s| first(unit, s, symbol, inside))
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
                first(unit, init, symbol, inside)?;
            }
            condition.iter().try_for_each(|e| first_in(e, symbol))?;
            // The body may not run: only what it reads counts.
            reads(first(unit, body, symbol, true))?;
            reads(step.iter().try_for_each(|e| first_in(e, symbol)))
        }
        StmtKind::While { condition, body } => {
            first_in(condition, symbol)?;
            reads(first(unit, body, symbol, true))
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            first_in(condition, symbol)?;
            let then = first(unit, then, symbol, inside);
            let otherwise = match otherwise {
                Some(otherwise) => first(unit, otherwise, symbol, inside),
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
        StmtKind::Unsupported("break" | "continue") if inside => First::Continue(()),
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
