//! Executes a region's loops step by step, for integers only: what runs, in which order, and
//! which elements it touches.

use std::collections::HashMap;

use tilewright::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Unit};
use tilewright::scop::{BinaryOp, UnaryOp};
use tilewright::source::Span;

/// One execution of an assignment.
#[derive(Debug, PartialEq, Eq)]
pub struct Event {
    /// The statement's text.
    pub span: Span,
    /// The enclosing loops' variables, outermost first.
    pub iterators: Vec<i64>,
    /// Elements touched: array, linear or separate subscripts, whether written.
    pub cells: Vec<(String, Vec<i64>, bool)>,
}

/// The machine.
pub struct Machine<'u> {
    unit: &'u Unit,
    values: HashMap<SymbolId, i64>,
    loops: Vec<SymbolId>,
    /// What ran.
    pub events: Vec<Event>,
}

impl<'u> Machine<'u> {
    /// A machine whose variables have these values, by name.
    pub fn new(unit: &'u Unit, values: &[(&str, i64)]) -> Machine<'u> {
        let mut known = HashMap::new();
        for (id, symbol) in unit.symbols.iter().enumerate() {
            if let Some((_, value)) = values.iter().find(|(n, _)| *n == symbol.name) {
                known.insert(id, *value);
            }
        }
        let mut machine = Machine {
            unit,
            values: known,
            loops: Vec::new(),
            events: Vec::new(),
        };
        // Integers computed before the region.
        for (id, symbol) in unit.symbols.iter().enumerate() {
            let before = symbol.span.start < unit.regions[0].span.start;
            if let (true, false, Some(e)) = (
                before,
                machine.values.contains_key(&id),
                &symbol.initialiser,
            ) {
                if is_integer(unit, id) {
                    let value = machine.value(e);
                    machine.values.insert(id, value);
                }
            }
        }
        machine
    }

    /// Runs a statement.
    pub fn run(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(list) => list.iter().for_each(|s| self.run(s)),
            StmtKind::Declaration(symbol) => {
                if let Some(e) = &self.unit.symbols[*symbol].initialiser {
                    if is_integer(self.unit, *symbol) {
                        let value = self.value(e);
                        self.values.insert(*symbol, value);
                    }
                }
            }
            StmtKind::Expression(e) => {
                let mut cells = Vec::new();
                self.touch(e, false, &mut cells);
                if !cells.is_empty() {
                    let iterators = self.loops.iter().map(|l| self.values[l]).collect();
                    self.events.push(Event {
                        span: stmt.span,
                        iterators,
                        cells,
                    });
                }
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                let init = init.as_deref().expect("a first value");
                let symbol = match &init.kind {
                    StmtKind::Declaration(symbol) => {
                        self.run(init);
                        *symbol
                    }
                    StmtKind::Expression(e) => self.assign(e),
                    other => panic!("{other:?}"),
                };
                let condition = condition.as_ref().expect("a condition");
                self.loops.push(symbol);
                let mut rounds = 0;
                while self.value(condition) != 0 {
                    self.run(body);
                    self.assign(step.as_ref().expect("a step"));
                    rounds += 1;
                    assert!(rounds < 1000, "the loop does not end");
                }
                self.loops.pop();
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.value(condition) != 0 {
                    self.run(then);
                } else if let Some(otherwise) = otherwise {
                    self.run(otherwise);
                }
            }
            StmtKind::Empty | StmtKind::Pragma(_) => {}
            other => panic!("{other:?}"),
        }
    }

    fn assign(&mut self, e: &Expr) -> SymbolId {
        let (target, value) = match &e.kind {
            ExprKind::Assign(None, target, value) => (target, self.value(value)),
            ExprKind::Assign(Some(op), target, value) => {
                (target, binary(*op, self.value(target), self.value(value)))
            }
            ExprKind::Increment { target, by, .. } => (target, self.value(target) + by),
            other => panic!("{other:?}"),
        };
        let ExprKind::Name(symbol) = target.kind else {
            panic!("{target:?}")
        };
        self.values.insert(symbol, value);
        symbol
    }

    fn value(&self, e: &Expr) -> i64 {
        match &e.kind {
            ExprKind::Integer(value, _) => *value,
            ExprKind::Name(symbol) => match self.values.get(symbol) {
                Some(value) => *value,
                None => panic!("{} has no value", self.unit.symbols[*symbol].name),
            },
            ExprKind::Unary(UnaryOp::Minus, a) => -self.value(a),
            ExprKind::Unary(UnaryOp::Plus, a) => self.value(a),
            ExprKind::Unary(UnaryOp::Complement, a) => !self.value(a),
            ExprKind::Unary(UnaryOp::Not, a) => i64::from(self.value(a) == 0),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                i64::from(self.value(a) != 0 && self.value(b) != 0)
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                i64::from(self.value(a) != 0 || self.value(b) != 0)
            }
            ExprKind::Binary(op, a, b) => binary(*op, self.value(a), self.value(b)),
            ExprKind::Conditional(c, a, b) => {
                if self.value(c) != 0 {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            ExprKind::Cast(_, a) => self.value(a),
            ExprKind::Call(name, arguments) => {
                let a: Vec<i64> = arguments.iter().map(|e| self.value(e)).collect();
                match name.as_str() {
                    "min" => a[0].min(a[1]),
                    "max" => a[0].max(a[1]),
                    "abs" => a[0].abs(),
                    "floord" => a[0].div_euclid(a[1]),
                    "ceild" => -(-a[0]).div_euclid(a[1]),
                    other => panic!("{other}"),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// Collects the elements that an expression touches.
    fn touch(&self, e: &Expr, written: bool, cells: &mut Vec<(String, Vec<i64>, bool)>) {
        match &e.kind {
            ExprKind::Subscript(..) | ExprKind::Dereference(_) => {
                let mut subscripts = Vec::new();
                let name = self.place(e, &mut subscripts);
                cells.push((name, subscripts, written));
            }
            ExprKind::Assign(op, target, value) => {
                self.touch(value, false, cells);
                if op.is_some() {
                    self.touch(target, false, cells);
                }
                self.touch(target, true, cells);
            }
            ExprKind::Conditional(c, a, b) => {
                self.touch(c, false, cells);
                self.touch(if self.value(c) != 0 { a } else { b }, false, cells);
            }
            ExprKind::Binary(_, a, b) => {
                self.touch(a, false, cells);
                self.touch(b, false, cells);
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.touch(a, false, cells),
            ExprKind::Increment { target, .. } => {
                self.touch(target, false, cells);
                self.touch(target, true, cells);
            }
            _ => {}
        }
    }

    /// The pointer at the bottom of `a + i - j`, and the sum of what is added.
    fn offset<'e>(&self, e: &'e Expr, offset: &mut i64) -> &'e Expr {
        match &e.kind {
            ExprKind::Binary(op, a, b) => {
                *offset += if *op == BinaryOp::Sub {
                    -self.value(b)
                } else {
                    self.value(b)
                };
                self.offset(a, offset)
            }
            _ => e,
        }
    }

    fn place(&self, e: &Expr, subscripts: &mut Vec<i64>) -> String {
        match &e.kind {
            ExprKind::Name(symbol) => self.unit.symbols[*symbol].name.clone(),
            ExprKind::Subscript(base, index) => {
                let name = self.place(base, subscripts);
                subscripts.push(self.value(index));
                name
            }
            ExprKind::Dereference(base) => match &base.kind {
                ExprKind::Binary(..) => {
                    let mut offset = 0;
                    let root = self.offset(base, &mut offset);
                    let name = self.place(root, subscripts);
                    subscripts.push(offset);
                    name
                }
                _ => {
                    let name = self.place(base, subscripts);
                    subscripts.push(0);
                    name
                }
            },
            other => panic!("{other:?}"),
        }
    }
}

fn is_integer(unit: &Unit, symbol: SymbolId) -> bool {
    use tilewright::frontend::c::syntax::Type;
    matches!(&unit.symbols[symbol].ctype, Type::Scalar(t) if !t.kind.is_float())
}

fn binary(op: BinaryOp, a: i64, b: i64) -> i64 {
    use BinaryOp::*;
    match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        // C truncates, and so does Rust.
        Div => a / b,
        Rem => a % b,
        ShiftLeft => a << b,
        ShiftRight => a >> b,
        Less => i64::from(a < b),
        Greater => i64::from(a > b),
        LessEqual => i64::from(a <= b),
        GreaterEqual => i64::from(a >= b),
        Equal => i64::from(a == b),
        NotEqual => i64::from(a != b),
        BitAnd => a & b,
        BitXor => a ^ b,
        BitOr => a | b,
        And | Or => unreachable!("evaluated lazily"),
    }
}
