//! Random pipelines as trees of their own: what they mean is computed from these, cell by cell, with
//! C's arithmetic as `c` has it, and what is compiled is built from them.

use super::c::{Machine, Number, Value, common, promoted};
use std::collections::HashMap;
use std::rc::Rc;
use tilewright::scop::{BinaryOp, ScalarKind, UnaryOp};
use tilewright_lang::*;

pub type Shared = Rc<Tree>;

/// An expression.
#[derive(Debug)]
pub enum Tree {
    Int(i64),
    /// A number of the type of what it meets.
    Weak(f64),
    Float(f32),
    Double(f64),
    Variable(usize),
    Size(usize),
    /// The scalar argument, a `float`.
    Gain,
    Read(usize, Vec<Shared>),
    Unary(UnaryOp, Shared),
    Binary(BinaryOp, Shared, Shared),
    Select(Test, Shared, Shared),
    Cast(ScalarKind, Shared),
    Min(Shared, Shared),
    Max(Shared, Shared),
    Abs(Shared),
    Floor(Shared),
    Root(Shared),
}

/// A condition.
#[derive(Debug)]
pub enum Test {
    Compare(BinaryOp, Shared, Shared),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Not(Box<Test>),
}

/// `constant`, or a size and a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    pub size: Option<usize>,
    pub constant: i64,
}

/// Over a variable, from a number to a bound, both included.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub variable: usize,
    pub low: i64,
    pub high: Bound,
}

#[derive(Debug)]
pub enum Role {
    Image,
    /// Cases; the one without a condition is the last.
    Cases(Vec<(Option<Test>, Shared)>),
    Reduction {
        initial: Shared,
        over: Vec<Range>,
        combine: Combine,
        cell: Vec<Shared>,
        value: Shared,
    },
}

#[derive(Debug)]
pub struct Field {
    pub kind: ScalarKind,
    pub domain: Vec<Range>,
    pub role: Role,
    pub output: bool,
}

pub const VARIABLES: [&str; 4] = ["x", "y", "u", "v"];
pub const SIZES: [&str; 2] = ["R", "C"];

/// Images first, then functions, each behind those that it reads.
#[derive(Debug)]
pub struct Program {
    pub fields: Vec<Field>,
}

impl Program {
    pub fn name(&self, field: usize) -> String {
        format!("f{field}")
    }

    /// Its type; none for a number without one.
    pub fn kind(&self, tree: &Tree) -> Option<ScalarKind> {
        let both = |a: &Tree, b: &Tree| match (self.kind(a), self.kind(b)) {
            (Some(a), Some(b)) => Some(common(a, b)),
            (Some(F64), None) | (None, Some(F64)) => Some(F64),
            (Some(_), None) | (None, Some(_)) => Some(F32),
            (None, None) => None,
        };
        match tree {
            Tree::Int(_) | Tree::Variable(_) | Tree::Size(_) => Some(I32),
            Tree::Weak(_) => None,
            Tree::Float(_) | Tree::Gain => Some(F32),
            Tree::Double(_) => Some(F64),
            Tree::Read(field, _) => Some(self.fields[*field].kind),
            Tree::Unary(_, a) | Tree::Abs(a) => self.kind(a).map(promoted),
            Tree::Floor(a) | Tree::Root(a) => self.kind(a),
            Tree::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, a, _) => {
                self.kind(a).map(promoted)
            }
            Tree::Binary(_, a, b) | Tree::Select(_, a, b) | Tree::Min(a, b) | Tree::Max(a, b) => {
                both(a, b)
            }
            Tree::Cast(kind, _) => Some(*kind),
        }
    }

    /// The floating type of numbers without a type beside this one.
    fn beside(&self, a: &Tree, b: &Tree) -> ScalarKind {
        if self.kind(a) == Some(F64) || self.kind(b) == Some(F64) {
            F64
        } else {
            F32
        }
    }
}

/// What builds the pipeline for the compiler. What is one tree is one expression.
pub struct Builder<'p> {
    program: &'p Program,
    pub pipeline: Pipeline,
    variables: Vec<Variable>,
    sizes: Vec<Parameter>,
    gain: Parameter,
    sources: Vec<Handle>,
    known: HashMap<*const Tree, Expr>,
}

#[derive(Clone, Copy)]
enum Handle {
    Image(Image),
    Function(Function),
}

impl<'p> Builder<'p> {
    pub fn new(program: &'p Program) -> Builder<'p> {
        let mut pipeline = Pipeline::new("random");
        let sizes = SIZES.map(|name| pipeline.parameter(name)).to_vec();
        let gain = pipeline.scalar("gain", F32);
        let variables = VARIABLES.map(|name| pipeline.variable(name)).to_vec();
        let mut builder = Builder {
            program,
            pipeline,
            variables,
            sizes,
            gain,
            sources: Vec::new(),
            known: HashMap::new(),
        };
        for at in 0..program.fields.len() {
            builder.field(at);
        }
        builder
    }

    fn bound(&self, bound: Bound) -> Expr {
        match bound.size {
            Some(size) => Expr::from(self.sizes[size]) + bound.constant,
            None => Expr::int(bound.constant),
        }
    }

    fn intervals(&self, ranges: &[Range]) -> Vec<Interval> {
        let interval =
            |r: &Range| self.variables[r.variable].over(Expr::int(r.low), self.bound(r.high));
        ranges.iter().map(interval).collect()
    }

    fn field(&mut self, at: usize) {
        let field = &self.program.fields[at];
        let name = self.program.name(at);
        let domain = self.intervals(&field.domain);
        if let Role::Image = field.role {
            let extents: Vec<Expr> = field
                .domain
                .iter()
                .map(|r| self.bound(r.high) + 1)
                .collect();
            let image = self.pipeline.image(&name, field.kind, extents);
            return self.sources.push(Handle::Image(image));
        }
        let function = if field.output {
            self.pipeline.output(&name, field.kind, domain)
        } else {
            self.pipeline.function(&name, field.kind, domain)
        };
        self.sources.push(Handle::Function(function));
        match &field.role {
            Role::Image => {}
            Role::Cases(cases) => {
                let cases: Vec<Case> = cases
                    .iter()
                    .map(|(condition, value)| match condition {
                        Some(condition) => case(self.test(condition), self.expression(value)),
                        None => otherwise(self.expression(value)),
                    })
                    .collect();
                self.pipeline.cases(function, cases);
            }
            Role::Reduction {
                initial,
                over,
                combine,
                cell,
                value,
            } => {
                let initial = self.expression(initial);
                let over = self.intervals(over);
                let cell: Vec<Expr> = cell.iter().map(|e| self.expression(e)).collect();
                let value = self.expression(value);
                let update = update(*combine, cell, value);
                self.pipeline.accumulate(function, initial, over, [update]);
            }
        }
    }

    fn expression(&mut self, tree: &Shared) -> Expr {
        if let Some(known) = self.known.get(&Rc::as_ptr(tree)) {
            return known.clone();
        }
        let new = self.built(tree);
        self.known.insert(Rc::as_ptr(tree), new.clone());
        new
    }

    fn built(&mut self, tree: &Tree) -> Expr {
        match tree {
            Tree::Int(value) => Expr::int(*value),
            Tree::Weak(value) => Expr::number(*value),
            Tree::Float(value) => Expr::from(*value),
            Tree::Double(value) => Expr::double(*value),
            Tree::Variable(at) => self.variables[*at].into(),
            Tree::Size(at) => self.sizes[*at].into(),
            Tree::Gain => self.gain.into(),
            Tree::Read(field, cell) => {
                let cell: Vec<Expr> = cell.iter().map(|e| self.expression(e)).collect();
                match self.sources[*field] {
                    Handle::Image(image) => image.at(cell),
                    Handle::Function(function) => function.at(cell),
                }
            }
            Tree::Unary(_, a) => -self.expression(a),
            Tree::Binary(operator, a, b) => {
                use BinaryOp::*;
                let (a, b) = (self.expression(a), self.expression(b));
                match operator {
                    Add => a + b,
                    Sub => a - b,
                    Mul => a * b,
                    Div => a / b,
                    Rem => a % b,
                    BitAnd => a & b,
                    BitOr => a | b,
                    BitXor => a ^ b,
                    ShiftLeft => a << b,
                    ShiftRight => a >> b,
                    other => panic!("{other:?}"),
                }
            }
            Tree::Select(condition, a, b) => {
                let condition = self.test(condition);
                select(condition, self.expression(a), self.expression(b))
            }
            Tree::Cast(kind, a) => self.expression(a).cast(*kind),
            Tree::Min(a, b) => self.expression(a).min(self.expression(b)),
            Tree::Max(a, b) => self.expression(a).max(self.expression(b)),
            Tree::Abs(a) => self.expression(a).abs(),
            Tree::Floor(a) => self.expression(a).floor(),
            Tree::Root(a) => self.expression(a).sqrt(),
        }
    }

    fn test(&mut self, test: &Test) -> Condition {
        use BinaryOp::*;
        match test {
            Test::Compare(operator, a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                match operator {
                    Less => a.lt(b),
                    LessEqual => a.le(b),
                    Greater => a.gt(b),
                    GreaterEqual => a.ge(b),
                    Equal => a.equals(b),
                    NotEqual => a.differs(b),
                    other => panic!("{other:?}"),
                }
            }
            Test::And(a, b) => self.test(a).and(self.test(b)),
            Test::Or(a, b) => self.test(a).or(self.test(b)),
            Test::Not(a) => !self.test(a),
        }
    }
}

/// The cells of a field.
#[derive(Clone, Debug)]
pub struct Cells {
    pub low: Vec<i64>,
    pub extents: Vec<usize>,
    pub values: Vec<Value>,
}

impl Cells {
    fn place(&self, cell: &[i128]) -> Option<usize> {
        let mut at = 0;
        for ((&low, &extent), &subscript) in self.low.iter().zip(&self.extents).zip(cell) {
            let from_zero = usize::try_from(subscript - i128::from(low)).ok();
            at = at * extent + from_zero.filter(|n| *n < extent)?;
        }
        Some(at)
    }
}

/// Computes all cells of all fields.
pub struct Evaluation<'p> {
    program: &'p Program,
    pub sizes: [i64; 2],
    pub gain: f32,
    pub cells: Vec<Cells>,
    variables: [i64; VARIABLES.len()],
    pub machine: Machine,
    /// An access that was outside.
    pub outside: Option<String>,
}

impl<'p> Evaluation<'p> {
    pub fn new(
        program: &'p Program,
        sizes: [i64; 2],
        gain: f32,
        mut fill: impl FnMut(ScalarKind) -> Value,
    ) -> Evaluation<'p> {
        let mut evaluation = Evaluation {
            program,
            sizes,
            gain,
            cells: Vec::new(),
            variables: [0; VARIABLES.len()],
            machine: Machine::default(),
            outside: None,
        };
        for field in &program.fields {
            let high = |r: &Range| evaluation.bound(r.high);
            let extents = field.domain.iter().map(|r| (high(r) - r.low + 1) as usize);
            let extents: Vec<usize> = extents.collect();
            let count: usize = extents.iter().product();
            let values = (0..count).map(|_| fill(field.kind)).collect();
            evaluation.cells.push(Cells {
                low: field.domain.iter().map(|r| r.low).collect(),
                extents,
                values,
            });
        }
        for at in 0..program.fields.len() {
            evaluation.field(at);
        }
        evaluation
    }

    fn bound(&self, bound: Bound) -> i64 {
        bound.size.map_or(0, |size| self.sizes[size]) + bound.constant
    }

    /// Visits all values of the variables of some ranges, the last one quickest.
    fn each(&mut self, ranges: &[Range], visit: &mut dyn FnMut(&mut Evaluation)) {
        let Some((first, rest)) = ranges.split_first() else {
            return visit(self);
        };
        for value in first.low..=self.bound(first.high) {
            self.variables[first.variable] = value;
            self.each(rest, visit);
        }
    }

    fn field(&mut self, at: usize) {
        let program = self.program;
        let field = &program.fields[at];
        let own = |e: &Evaluation| -> Vec<i128> {
            let values = field.domain.iter().map(|r| e.variables[r.variable].into());
            values.collect()
        };
        match &field.role {
            Role::Image => {}
            Role::Cases(cases) => self.each(&field.domain, &mut |e| {
                for (condition, value) in cases {
                    if condition.as_ref().is_none_or(|test| e.test(test)) {
                        let value = e.value(value, field.kind);
                        let value = e.machine.convert(value, field.kind);
                        let place = e.cells[at].place(&own(e)).unwrap();
                        e.cells[at].values[place] = value;
                        return;
                    }
                }
            }),
            Role::Reduction {
                initial,
                over,
                combine,
                cell,
                value,
            } => {
                self.each(&field.domain, &mut |e| {
                    let value = e.value(initial, field.kind);
                    let value = e.machine.convert(value, field.kind);
                    let place = e.cells[at].place(&own(e)).unwrap();
                    e.cells[at].values[place] = value;
                });
                self.each(over, &mut |e| {
                    let cell: Vec<i128> = cell.iter().map(|s| e.value(s, F32).whole()).collect();
                    let new = e.value(value, field.kind);
                    let Some(place) = e.cells[at].place(&cell) else {
                        e.outside = Some(format!("update of {at} at {cell:?}"));
                        return;
                    };
                    let old = e.cells[at].values[place];
                    let both = match combine {
                        Combine::Sum => e.machine.binary(BinaryOp::Add, old, new),
                        Combine::Min => e.machine.extreme(BinaryOp::Less, old, new),
                        Combine::Max => e.machine.extreme(BinaryOp::Greater, old, new),
                    };
                    e.cells[at].values[place] = e.machine.convert(both, field.kind);
                });
            }
        }
    }

    /// The value of a tree where a number without a type is a `wanted`.
    fn value(&mut self, tree: &Tree, wanted: ScalarKind) -> Value {
        let program = self.program;
        let float = |value: f64, kind| Value {
            kind,
            number: Number::Float(value),
        };
        match tree {
            Tree::Int(value) => Value::int((*value).into(), I32),
            Tree::Weak(value) if wanted == F64 => float(*value, F64),
            Tree::Weak(value) => float(f64::from(*value as f32), F32),
            Tree::Float(value) => float((*value).into(), F32),
            Tree::Double(value) => float(*value, F64),
            Tree::Variable(at) => Value::int(self.variables[*at].into(), I32),
            Tree::Size(at) => Value::int(self.sizes[*at].into(), I32),
            Tree::Gain => float(self.gain.into(), F32),
            Tree::Read(field, cell) => {
                let cell: Vec<i128> = cell.iter().map(|s| self.value(s, F32).whole()).collect();
                match self.cells[*field].place(&cell) {
                    Some(place) => self.cells[*field].values[place],
                    None => {
                        self.outside = Some(format!("read of {field} at {cell:?}"));
                        self.cells[*field].values[0]
                    }
                }
            }
            Tree::Unary(operator, a) => {
                let a = self.value(a, wanted);
                self.machine.unary(*operator, a)
            }
            Tree::Binary(operator, a, b) => {
                let beside = program.beside(a, b);
                let (a, b) = (self.value(a, beside), self.value(b, beside));
                self.machine.binary(*operator, a, b)
            }
            Tree::Select(condition, a, b) => {
                let beside = program.beside(a, b);
                let kind = common(
                    program.kind(a).unwrap_or(beside),
                    program.kind(b).unwrap_or(beside),
                );
                let taken = if self.test(condition) { a } else { b };
                let value = self.value(taken, beside);
                self.machine.convert(value, kind)
            }
            Tree::Cast(kind, a) => {
                let value = self.value(a, if *kind == F64 { F64 } else { F32 });
                self.machine.convert(value, *kind)
            }
            Tree::Min(a, b) | Tree::Max(a, b) => {
                let beside = program.beside(a, b);
                let (a, b) = (self.value(a, beside), self.value(b, beside));
                let less = match tree {
                    Tree::Min(..) => BinaryOp::Less,
                    _ => BinaryOp::Greater,
                };
                self.machine.extreme(less, a, b)
            }
            Tree::Abs(a) => {
                let a = self.value(a, wanted);
                self.machine.without_sign(a)
            }
            Tree::Floor(a) => {
                let a = self.value(a, wanted);
                float(a.as_f64().floor(), a.kind)
            }
            Tree::Root(a) => {
                let a = self.value(a, wanted);
                let root = a.as_f64().sqrt();
                // Twice the digits of a float are enough to round only once.
                let root = if a.kind == F32 {
                    f64::from(root as f32)
                } else {
                    root
                };
                float(root, a.kind)
            }
        }
    }

    fn test(&mut self, test: &Test) -> bool {
        match test {
            Test::Compare(operator, a, b) => {
                let beside = self.program.beside(a, b);
                let (a, b) = (self.value(a, beside), self.value(b, beside));
                self.machine.compare(*operator, a, b)
            }
            Test::And(a, b) => self.test(a) && self.test(b),
            Test::Or(a, b) => self.test(a) || self.test(b),
            Test::Not(a) => !self.test(a),
        }
    }
}
