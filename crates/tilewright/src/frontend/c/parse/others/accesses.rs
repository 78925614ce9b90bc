//! What functions of another file read and write through the pointers that they get.

use crate::frontend::c::lower::calls::{hidden, purity};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Function, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::BinaryOp;

/// How deep calls of the file's own functions are followed.
const CALL_DEPTH: usize = 8;

/// What may happen through a parameter, in whatever element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Touch {
    pub reads: bool,
    pub writes: bool,
}

/// What may happen through each parameter of a function that touches nothing but its own variables and
/// what its pointers to numbers lead to, and keeps none of these; `None` for any other function.
pub(super) fn of(unit: &Unit, index: usize) -> Option<Vec<Touch>> {
    at_depth(unit, index, 0)
}

fn at_depth(unit: &Unit, index: usize, depth: usize) -> Option<Vec<Touch>> {
    let function = &unit.functions[index];
    let result = matches!(function.result, Type::Void | Type::Scalar(_));
    let known = |p: SymbolId| is_number(&unit.symbols[p].ctype) || is_row(&unit.symbols[p].ctype);
    if depth >= CALL_DEPTH || !result || !function.parameters.iter().all(|&p| known(p)) {
        return None;
    }
    let mut walk = Walk {
        unit,
        index,
        function,
        depth,
        touched: vec![Touch::default(); function.parameters.len()],
    };
    walk.statement(&function.body)?;
    Some(walk.touched)
}

fn is_number(ctype: &Type) -> bool {
    matches!(ctype, Type::Scalar(_))
}

/// A pointer to numbers, as which a parameter of one dimension comes.
fn is_row(ctype: &Type) -> bool {
    match ctype {
        Type::Pointer { target, .. } => is_number(target),
        Type::Array { element, .. } => is_number(element),
        _ => false,
    }
}

fn is_array_of_numbers(ctype: &Type) -> bool {
    match ctype {
        Type::Array { element, .. } => is_number(element) || is_array_of_numbers(element),
        _ => false,
    }
}

/// Where a pointer leads.
#[derive(Clone, Copy)]
enum Root {
    /// To what this parameter got.
    Parameter(usize),
    /// To a variable of the function.
    Own,
}

struct Walk<'u> {
    unit: &'u Unit,
    index: usize,
    function: &'u Function,
    depth: usize,
    touched: Vec<Touch>,
}

/// `None`: what happens is not known.
impl Walk<'_> {
    fn statement(&mut self, stmt: &Stmt) -> Option<()> {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Return(None) => Some(()),
            StmtKind::Unsupported(word) => matches!(
                *word,
                "break" | "continue" | "do" | "switch" | "case" | "default"
            )
            .then_some(()),
            StmtKind::Block(list) => list.iter().try_for_each(|stmt| self.statement(stmt)),
            StmtKind::Declaration(symbol) => {
                let declared = &self.unit.symbols[*symbol];
                let own = is_number(&declared.ctype) || is_array_of_numbers(&declared.ctype);
                (own && !declared.is_static).then_some(())?;
                declared.initialiser.iter().try_for_each(|e| self.value(e))
            }
            StmtKind::Expression(e) | StmtKind::Return(Some(e)) => self.value(e),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.value(condition)?;
                self.statement(then)?;
                otherwise.iter().try_for_each(|stmt| self.statement(stmt))
            }
            StmtKind::While { condition, body } => {
                self.value(condition)?;
                self.statement(body)
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                init.iter().try_for_each(|stmt| self.statement(stmt))?;
                condition
                    .iter()
                    .chain(step)
                    .try_for_each(|e| self.value(e))?;
                self.statement(body)
            }
            StmtKind::Pragma(_) | StmtKind::Exit(_) | StmtKind::Original(_) => None,
        }
    }

    /// An expression that is evaluated.
    fn value(&mut self, expr: &Expr) -> Option<()> {
        let all = |walk: &mut Self, list: &[Expr]| list.iter().try_for_each(|e| walk.value(e));
        match &expr.kind {
            ExprKind::Integer(..) | ExprKind::SizeOf(..) => Some(()),
            ExprKind::Literal(_) => (!hidden::is_string(expr)).then_some(()),
            ExprKind::Name(symbol) => self.is_own_number(*symbol).then_some(()),
            ExprKind::Subscript(..) | ExprKind::Dereference(_) => self.place(
                expr,
                Touch {
                    reads: true,
                    writes: false,
                },
            ),
            ExprKind::Increment { target, .. } => self.changed(target, true),
            ExprKind::Assign(op, target, value) => {
                // A pointer that goes on in what it leads to.
                if let (ExprKind::Name(symbol), None) = (&target.kind, op)
                    && let Some(own) = self.row(*symbol)
                {
                    let root = self.root(value)?;
                    return matches!(root, Root::Parameter(other) if other == own).then_some(());
                }
                self.value(value)?;
                self.changed(target, op.is_some())
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(Type::Scalar(_) | Type::Void, a) => {
                self.value(a)
            }
            ExprKind::Binary(_, a, b) => {
                self.value(a)?;
                self.value(b)
            }
            ExprKind::Conditional(a, b, c) => {
                self.value(a)?;
                self.value(b)?;
                self.value(c)
            }
            ExprKind::Comma(list) | ExprKind::List(list) => all(self, list),
            ExprKind::Call(name, arguments) => self.call(name, arguments),
            ExprKind::Cast(..)
            | ExprKind::Field(..)
            | ExprKind::Arrow(..)
            | ExprKind::AddressOf(_)
            | ExprKind::Unknown(_)
            | ExprKind::Unsupported(_) => None,
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr]) -> Option<()> {
        if purity::is_pure(self.unit, name) {
            return arguments.iter().try_for_each(|e| self.value(e));
        }
        let (index, called) = purity::definition(self.unit, name)?;
        let touched = at_depth(self.unit, index, self.depth + 1)?;
        (called.parameters.len() == arguments.len()).then_some(())?;
        for ((&parameter, touch), argument) in called.parameters.iter().zip(touched).zip(arguments)
        {
            if is_number(&self.unit.symbols[parameter].ctype) {
                self.value(argument)?;
            } else {
                let root = self.root(argument)?;
                self.touch(root, touch);
            }
        }
        Some(())
    }

    /// A place that is assigned, and read first where `reads`.
    fn changed(&mut self, target: &Expr, reads: bool) -> Option<()> {
        if let ExprKind::Name(symbol) = target.kind {
            let moves = reads && self.row(symbol).is_some();
            return (moves || self.is_own_number(symbol)).then_some(());
        }
        self.place(
            target,
            Touch {
                reads,
                writes: true,
            },
        )
    }

    /// An element that a pointer leads to.
    fn place(&mut self, place: &Expr, touch: Touch) -> Option<()> {
        let root = match &place.kind {
            ExprKind::Subscript(base, index) => {
                let root = self.root(base)?;
                self.value(index)?;
                root
            }
            ExprKind::Dereference(pointer) => self.root(pointer)?,
            _ => return None,
        };
        self.touch(root, touch);
        Some(())
    }

    fn touch(&mut self, root: Root, touch: Touch) {
        if let Root::Parameter(at) = root {
            let touched = &mut self.touched[at];
            touched.reads |= touch.reads;
            touched.writes |= touch.writes;
        }
    }

    /// Where a pointer leads, which stays in what it was made from.
    fn root(&mut self, pointer: &Expr) -> Option<Root> {
        match &pointer.kind {
            ExprKind::Name(symbol) => match self.row(*symbol) {
                Some(at) => Some(Root::Parameter(at)),
                None => self.is_own_array(*symbol).then_some(Root::Own),
            },
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let root = self.root(a)?;
                self.value(b)?;
                Some(root)
            }
            ExprKind::Increment { target, .. } => match target.kind {
                ExprKind::Name(symbol) => Some(Root::Parameter(self.row(symbol)?)),
                _ => None,
            },
            // A row of an array: what parameters lead to has none.
            ExprKind::Subscript(base, index) => {
                let root = self.root(base)?;
                self.value(index)?;
                matches!(root, Root::Own).then_some(root)
            }
            ExprKind::AddressOf(place) => match &place.kind {
                ExprKind::Subscript(base, index) => {
                    let root = self.root(base)?;
                    self.value(index)?;
                    Some(root)
                }
                ExprKind::Dereference(pointer) => self.root(pointer),
                ExprKind::Name(symbol) => self.is_own_number(*symbol).then_some(Root::Own),
                _ => None,
            },
            _ => None,
        }
    }

    /// The place of a parameter that is a pointer.
    fn row(&self, symbol: SymbolId) -> Option<usize> {
        let at = self.function.parameters.iter().position(|&p| p == symbol)?;
        is_row(&self.unit.symbols[symbol].ctype).then_some(at)
    }

    fn is_own(&self, symbol: SymbolId) -> bool {
        let own = &self.unit.symbols[symbol];
        let inside = matches!(
            own.scope,
            Scope::Parameter(f) | Scope::Function(f) if f == self.index
        );
        inside && !own.is_static
    }

    fn is_own_number(&self, symbol: SymbolId) -> bool {
        self.is_own(symbol) && is_number(&self.unit.symbols[symbol].ctype)
    }

    fn is_own_array(&self, symbol: SymbolId) -> bool {
        self.is_own(symbol)
            && matches!(self.unit.symbols[symbol].scope, Scope::Function(_))
            && is_array_of_numbers(&self.unit.symbols[symbol].ctype)
    }
}
