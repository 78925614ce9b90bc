//! What happens around the region: which values come in, and which are read afterwards.

use crate::mistakes::mistake;
use std::collections::HashMap;

use crate::frontend::c::lower::memory::allocation;
use crate::frontend::c::lower::surroundings::follows::{self, Point};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{ArrayDraft, ArrayKey, Lowering};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope as Where, StmtKind, Symbol, SymbolId, Type,
};
use crate::source::Span;

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
        let region = Point::Part {
            start: self.region.span.start,
            end: self.region.span.end,
        };
        follows::read_after(self.unit, &self.function.body, region, symbol)
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

    /// Whether values of an array come from before the region, and go behind it.
    ///
    /// What a variable of the function holds itself lives as long as the variable; memory that a
    /// pointer leads to lives as long as it likes, whatever holds the pointer.
    pub(crate) fn life(&self, draft: &ArrayDraft) -> (bool, bool) {
        let (root, base) = match &draft.key {
            ArrayKey::Place(root, base, _) => (root, base),
            ArrayKey::Condition(_) => return (false, false),
            ArrayKey::Hidden(_) => return (true, true),
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
        let all = self.variables.named.get_or_init(|| {
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
            _ => visit::children(expr).for_each(|e| self.uses_in(e, root, uses)),
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
