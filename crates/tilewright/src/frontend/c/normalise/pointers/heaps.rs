//! Memory that a block allocates for itself and frees again, `float *row = malloc(n * sizeof *row); …
//! free(row);`, as an array that the block declares: each turn of the loop around has one of its own.
//!
//! The original has no values where it gets no memory, so that it accesses none then. A test of the
//! pointer says otherwise: such memory stays what it is.

use crate::frontend::c::lower::memory::allocation;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope, Sized, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarType};
use crate::source::Span;

/// Declares arrays in place of memory that blocks allocate.
pub(in crate::frontend::c::normalise) fn declare(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut allocates = false;
    for stmt in statements.iter() {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                allocates |=
                    matches!(&e.kind, ExprKind::Call(name, _) if allocation::allocates(unit, name));
            });
        });
    }
    if allocates {
        block(unit, number, statements);
    }
}

/// What a statement of a block allocates.
struct Heap {
    pointer: SymbolId,
    element: Type,
    count: Expr,
    /// What it is filled with zeros by.
    zeros: Option<Stmt>,
    /// Whether the pointer is declared here.
    declared: bool,
}

fn block(unit: &mut Unit, number: usize, list: &mut Vec<Stmt>) {
    let mut position = 0;
    while position < list.len() {
        below(unit, number, &mut list[position]);
        if let Some(heap) = heap(unit, &list[position])
            && let Some(end) = lifetime(unit, number, &list[position..], &heap)
        {
            let span = list[position].span;
            let end = position + end;
            if list
                .get(end)
                .is_some_and(|last| is_release(unit, last, heap.pointer))
            {
                list.remove(end);
            }
            let array = become_array(unit, number, &heap, span, &mut list[position + 1..end]);
            list[position] = build::declaration(array, span);
            if let Some(mut zeros) = heap.zeros {
                if array != heap.pointer {
                    let own = build::name(array, span);
                    tree::replace(&mut unit.symbols, &mut zeros, heap.pointer, &own);
                }
                list.insert(position + 1, zeros);
            }
        }
        position += 1;
    }
}

fn below(unit: &mut Unit, number: usize, stmt: &mut Stmt) {
    match &mut stmt.kind {
        StmtKind::Block(list) => block(unit, number, list),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => below(unit, number, body),
        StmtKind::If {
            then, otherwise, ..
        } => {
            below(unit, number, then);
            if let Some(otherwise) = otherwise {
                below(unit, number, otherwise);
            }
        }
        _ => {}
    }
}

/// `T *p = malloc(…);` or `p = malloc(…);`
fn heap(unit: &Unit, stmt: &Stmt) -> Option<Heap> {
    let (pointer, value, declared) = match &stmt.kind {
        StmtKind::Declaration(symbol) => {
            (*symbol, unit.symbols[*symbol].initialiser.as_ref()?, true)
        }
        StmtKind::Expression(expr) => match &expr.kind {
            ExprKind::Assign(None, target, value) => match target.kind {
                ExprKind::Name(symbol) => (symbol, &**value, false),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    let symbol = &unit.symbols[pointer];
    let own = matches!(symbol.scope, Scope::Function(_) | Scope::Region(_)) && !symbol.is_static;
    let Type::Pointer { target, .. } = &symbol.ctype else {
        return None;
    };
    if !own || !matches!(**target, Type::Scalar(_) | Type::Struct { .. }) {
        return None;
    }
    let count = count(unit, pointer, target, value)?;
    let zeros = match (allocation::clears(unit, value), &**target) {
        (false, _) => None,
        (true, Type::Scalar(element)) => Some(filled(pointer, element, &count, value.span)),
        (true, _) => return None,
    };
    Some(Heap {
        pointer,
        element: (**target).clone(),
        count,
        zeros,
        declared,
    })
}

/// `memset(p, 0, count * sizeof(T))`
fn filled(pointer: SymbolId, element: &ScalarType, count: &Expr, span: Span) -> Stmt {
    let of = Sized::Type(Type::Scalar(element.clone()));
    let size = ExprKind::SizeOf(of, format!("sizeof({})", element.spelling));
    let size = build::expression(size, span);
    let arguments = vec![
        build::name(pointer, span),
        build::integer(0, span),
        build::binary(BinaryOp::Mul, count.clone(), size),
    ];
    tree::statement(build::expression(
        ExprKind::Call("memset".to_owned(), arguments),
        span,
    ))
}

/// How many elements an allocation has room for: what its bytes are beside one size of an element.
fn count(unit: &Unit, pointer: SymbolId, element: &Type, value: &Expr) -> Option<Expr> {
    let mut factors = allocation::factors(unit, value)?;
    let own = Sized::Type(element.clone());
    let bytes = types::size_of(unit, &own);
    let is_size = |factor: &&Expr| match &factor.kind {
        ExprKind::SizeOf(Sized::Type(ctype), _) if ctype == element => true,
        ExprKind::SizeOf(Sized::Value(of), _) if is_element(of, pointer) => true,
        ExprKind::SizeOf(of, _) => bytes.is_some() && types::size_of(unit, of) == bytes,
        ExprKind::Integer(value, _) => bytes.is_some_and(|bytes| *value == bytes as i64),
        _ => false,
    };
    match factors.iter().position(is_size) {
        Some(size) => {
            factors.remove(size);
        }
        None if bytes == Some(1) => {}
        None => return None,
    }
    let sized = |factor: &&Expr| matches!(factor.kind, ExprKind::SizeOf(..));
    let known = |factor: &&Expr| allocation::is_exact(unit, factor) && tree::is_pure(factor);
    if factors.iter().any(|f| sized(f) || !known(f)) {
        return None;
    }
    let product = |a: Expr, b: Expr| build::binary(BinaryOp::Mul, a, b);
    let all = factors.into_iter().cloned().reduce(product);
    Some(all.unwrap_or_else(|| build::integer(1, value.span)))
}

/// `*p` or `p[0]`
fn is_element(expr: &Expr, pointer: SymbolId) -> bool {
    match &expr.kind {
        ExprKind::Dereference(base) => base.kind == ExprKind::Name(pointer),
        ExprKind::Subscript(base, _) => base.kind == ExprKind::Name(pointer),
        _ => false,
    }
}

/// `free(p);`, also under `if (p)`.
fn is_release(unit: &Unit, stmt: &Stmt, pointer: SymbolId) -> bool {
    match &stmt.kind {
        StmtKind::Expression(expr) => match &expr.kind {
            ExprKind::Call(name, arguments) => {
                let is_it = |e: &Expr| bare(e).kind == ExprKind::Name(pointer);
                allocation::releases(unit, name) && matches!(&arguments[..], [e] if is_it(e))
            }
            _ => false,
        },
        StmtKind::If {
            condition,
            then,
            otherwise: None,
        } => {
            let asks = match &condition.kind {
                ExprKind::Binary(BinaryOp::NotEqual, a, b) => {
                    a.kind == ExprKind::Name(pointer) && allocation::is_null(b)
                }
                kind => *kind == ExprKind::Name(pointer),
            };
            let only = match &then.kind {
                StmtKind::Block(list) => match &list[..] {
                    [only] => only,
                    _ => return false,
                },
                _ => then,
            };
            asks && is_release(unit, only, pointer)
        }
        _ => false,
    }
}

/// Without conversions around.
fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(_, inner) => bare(inner),
        _ => expr,
    }
}

/// Where in a list, behind its first statement, the memory's life ends: with the statement that frees
/// it, or, where nothing has to, with the list. `None` where the pointer is more than the name of an
/// array from here to there, or has a life elsewhere.
fn lifetime(unit: &Unit, number: usize, list: &[Stmt], heap: &Heap) -> Option<usize> {
    let pointer = heap.pointer;
    let released = list.iter().position(|stmt| is_release(unit, stmt, pointer));
    // What other variables hold behind the block leads to memory that is not freed with it.
    let copies = released.is_some();
    let end = match released {
        Some(end) => end,
        None if is_automatic(unit, &list[0]) => list.len(),
        None => return None,
    };
    let life = &list[1..end];
    let function = &unit.functions[unit.regions[number].function];
    let own = tree::names_of(unit, &list[..list.len().min(end + 1)], pointer);
    let all = tree::names_of(unit, std::slice::from_ref(&function.body), pointer);
    let plain = |stmt| plain_uses(unit, stmt, pointer, copies);
    let plain: usize = life.iter().map(plain).sum();
    (own == all && plain == tree::names_of(unit, life, pointer)).then_some(end)
}

/// Whether what a statement allocates is freed where its function ends.
fn is_automatic(unit: &Unit, stmt: &Stmt) -> bool {
    let mut automatic = false;
    visit::expressions(unit, stmt, &mut |top| {
        visit::walk(top, &mut |e| {
            automatic |=
                matches!(&e.kind, ExprKind::Call(name, _) if allocation::is_automatic(unit, name));
        });
    });
    automatic
}

/// How often a statement names a pointer where an array would do: for its elements, for a pointer to
/// one, as an argument; `copies`: also where another variable gets it.
fn plain_uses(unit: &Unit, stmt: &Stmt, pointer: SymbolId, copies: bool) -> usize {
    let is_it = |e: &Expr| e.kind == ExprKind::Name(pointer);
    let mut found = 0;
    visit::statements(stmt, &mut |stmt| {
        if let StmtKind::Declaration(symbol) = stmt.kind
            && let Symbol {
                initialiser: Some(value),
                ctype: Type::Pointer { .. },
                ..
            } = &unit.symbols[symbol]
        {
            found += usize::from(is_it(bare(value)));
        }
        for top in visit::own_expressions(unit, stmt) {
            visit::walk(top, &mut |e| {
                found += match &e.kind {
                    ExprKind::Subscript(base, _) | ExprKind::Dereference(base) => {
                        usize::from(is_it(base))
                    }
                    ExprKind::Binary(BinaryOp::Add, a, b) => {
                        usize::from(is_it(a)) + usize::from(is_it(b))
                    }
                    ExprKind::Binary(BinaryOp::Sub, a, _) => usize::from(is_it(a)),
                    ExprKind::Call(name, arguments)
                        if !allocation::is_known(name) && name != "realloc" =>
                    {
                        arguments.iter().filter(|e| is_it(bare(e))).count()
                    }
                    ExprKind::Assign(None, target, value) => match target.kind {
                        ExprKind::Name(_) if copies => usize::from(is_it(bare(value))),
                        _ => 0,
                    },
                    _ => 0,
                };
            });
        }
    });
    found
}

/// The array in place of a pointer, in the statements of its life.
fn become_array(
    unit: &mut Unit,
    number: usize,
    heap: &Heap,
    span: Span,
    life: &mut [Stmt],
) -> SymbolId {
    let ctype = Type::Array {
        element: Box::new(heap.element.clone()),
        extent: Some(Box::new(heap.count.clone())),
        restrict: false,
        is_const: false,
    };
    if heap.declared {
        let symbol = &mut unit.symbols[heap.pointer];
        symbol.ctype = ctype;
        symbol.initialiser = None;
        return heap.pointer;
    }
    let name = unit.symbols[heap.pointer].name.clone();
    let array = build::variable(unit, number, &name, ctype, None, span);
    let own = build::name(array, span);
    for stmt in life {
        tree::replace(&mut unit.symbols, stmt, heap.pointer, &own);
    }
    array
}
