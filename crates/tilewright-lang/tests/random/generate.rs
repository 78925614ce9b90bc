//! Random pipelines of everything that the language has.

use super::tree::{Bound, Field, Program, Range, Role, Shared, Test, Tree};
use std::rc::Rc;
use tilewright::scop::{BinaryOp, ScalarKind, UnaryOp};
use tilewright_lang::*;

const KINDS: [ScalarKind; 10] = [U8, I8, U16, I16, I32, U32, I64, U64, F32, F64];
const INTEGERS: [ScalarKind; 8] = [U8, I8, U16, I16, I32, U32, I64, U64];

/// A sequence of numbers that depends on a seed alone.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 29) ^ (self.0 >> 45)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// True with this probability in percent.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn from(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }
}

pub struct Generator<'d> {
    dice: &'d mut Dice,
    program: Program,
    /// Of the definition that is being made.
    scope: Vec<Range>,
    /// Trees that may be used again.
    pool: Vec<Shared>,
}

pub fn program(dice: &mut Dice) -> Program {
    let fields = Vec::new();
    let mut generator = Generator {
        dice,
        program: Program { fields },
        scope: Vec::new(),
        pool: Vec::new(),
    };
    generator.all();
    generator.program
}

fn int(value: i64) -> Shared {
    Rc::new(Tree::Int(value))
}

fn binary(operator: BinaryOp, a: Shared, b: Shared) -> Shared {
    Rc::new(Tree::Binary(operator, a, b))
}

impl Generator<'_> {
    fn all(&mut self) {
        let images = 1 + self.dice.below(3);
        for _ in 0..images {
            let kind = self.dice.of(&KINDS);
            let table = self.dice.percent(30);
            let high = |size, constant| Bound { size, constant };
            let mut domain = vec![Range {
                variable: 0,
                low: 0,
                high: if table {
                    high(None, self.dice.of(&[7, 15, 255]))
                } else {
                    high(Some(0), self.dice.from(0, 3))
                },
            }];
            if !table && self.dice.percent(50) {
                let high = high(Some(1), self.dice.from(0, 3));
                domain.push(Range {
                    variable: 1,
                    low: 0,
                    high,
                });
            }
            let role = Role::Image;
            self.program.fields.push(Field {
                kind,
                domain,
                role,
                output: false,
            });
        }
        for _ in 0..2 + self.dice.below(4) {
            let field = self.stage();
            self.program.fields.push(field);
        }
        self.outputs();
    }

    /// What nobody reads is an output, or an image that goes into the last function.
    fn outputs(&mut self) {
        let count = self.program.fields.len();
        let mut read = vec![false; count];
        for field in &self.program.fields {
            let text = format!("{:?}", field.role);
            for (at, known) in read.iter_mut().enumerate() {
                *known |= text.contains(&format!("Read({at},"));
            }
        }
        let unread = (0..count).filter(|&at| !read[at]);
        let images = unread.filter(|&at| matches!(self.program.fields[at].role, Role::Image));
        let origin = |at: usize| {
            let cell = self.program.fields[at].domain.iter().map(|_| int(0));
            let value = Rc::new(Tree::Read(at, cell.collect()));
            Rc::new(Tree::Cast(F64, value))
        };
        if let Some(sum) = images
            .map(origin)
            .reduce(|a, b| binary(BinaryOp::Add, a, b))
        {
            let high = Bound {
                size: None,
                constant: 0,
            };
            let domain = vec![Range {
                variable: 0,
                low: 0,
                high,
            }];
            let role = Role::Cases(vec![(None, sum)]);
            self.program.fields.push(Field {
                kind: F64,
                domain,
                role,
                output: true,
            });
            read.push(false);
        }
        for (at, read) in read.into_iter().enumerate() {
            let chosen = self.dice.percent(25);
            let field = &mut self.program.fields[at];
            field.output = !matches!(field.role, Role::Image) && (!read || chosen);
        }
    }

    fn domain(&mut self) -> Vec<Range> {
        let mut domain = Vec::new();
        for variable in 0..1 + self.dice.below(2) {
            let low = self.dice.of(&[0, 0, 0, 1, -2, 3]);
            let high = if self.dice.percent(15) {
                Bound {
                    size: None,
                    constant: low + self.dice.from(0, 6),
                }
            } else {
                // At least one cell for the least size.
                Bound {
                    size: Some(variable),
                    constant: low.max(0) + self.dice.from(-1, 2),
                }
            };
            domain.push(Range {
                variable,
                low,
                high,
            });
        }
        domain
    }

    fn stage(&mut self) -> Field {
        let kind = self.dice.of(&KINDS);
        let domain = self.domain();
        self.scope = domain.clone();
        self.pool.clear();
        let role = if self.dice.percent(20) {
            self.reduction(kind, &domain)
        } else {
            Role::Cases(self.cases(kind, &domain))
        };
        Field {
            kind,
            domain,
            role,
            output: false,
        }
    }

    /// A value that may be stored into cells of this type.
    fn stored(&mut self, kind: ScalarKind) -> Shared {
        let depth = 2 + self.dice.below(3);
        let value = self.tree(depth);
        self.fitting(value, kind)
    }

    /// Floating values do not become integers that have no room for them.
    fn fitting(&mut self, value: Shared, kind: ScalarKind) -> Shared {
        let is_float = self.program.kind(&value).is_none_or(ScalarKind::is_float);
        if is_float && !kind.is_float() {
            let low = self
                .dice
                .from(-100, 0)
                .max(if is_signed(kind) { -100 } else { 0 });
            let high = self.dice.from(1, 120);
            Rc::new(Tree::Min(Rc::new(Tree::Max(value, int(low))), int(high)))
        } else {
            value
        }
    }

    fn cases(&mut self, kind: ScalarKind, domain: &[Range]) -> Vec<(Option<Test>, Shared)> {
        let first = self.dice.of(domain);
        let variable: Shared = Rc::new(Tree::Variable(first.variable));
        let compare = |operator, a: &Shared, b: Shared| Test::Compare(operator, a.clone(), b);
        let condition = match self.dice.below(9) {
            0 => {
                let by = self.dice.from(2, 3);
                let rest = binary(BinaryOp::Rem, variable, int(by));
                let wanted = self.dice.from(0, by - 1);
                Some(Test::Compare(BinaryOp::Equal, rest, int(wanted)))
            }
            1 => {
                let at = first.low + self.dice.from(-1, 4);
                let operator = self.dice.of(&[
                    BinaryOp::Less,
                    BinaryOp::GreaterEqual,
                    BinaryOp::Greater,
                    BinaryOp::Equal,
                    BinaryOp::NotEqual,
                ]);
                Some(compare(operator, &variable, int(at)))
            }
            2 => {
                let width = self.dice.from(1, 3);
                let above = compare(BinaryOp::GreaterEqual, &variable, int(first.low + width));
                let end = self.end(first.high, -width);
                let below = compare(BinaryOp::LessEqual, &variable, end);
                Some(Test::And(Box::new(above), Box::new(below)))
            }
            _ => None,
        };
        let mut cases = Vec::new();
        if let Some(condition) = condition {
            cases.push((Some(condition), self.stored(kind)));
        }
        cases.push((None, self.stored(kind)));
        cases
    }

    fn end(&mut self, bound: Bound, more: i64) -> Shared {
        let constant = int(bound.constant + more);
        match bound.size {
            Some(size) => binary(BinaryOp::Add, Rc::new(Tree::Size(size)), constant),
            None => constant,
        }
    }

    fn reduction(&mut self, kind: ScalarKind, domain: &[Range]) -> Role {
        let initial = {
            let value = self.leaf();
            self.fitting(value, kind)
        };
        let mut over = domain.to_vec();
        let extra = Bound {
            size: self.dice.of(&[None, Some(0), Some(1)]),
            constant: self.dice.from(0, 2),
        };
        over.push(Range {
            variable: 2,
            low: 0,
            high: extra,
        });
        self.scope = over.clone();
        self.pool.clear();
        let cell = domain.iter().map(|r| {
            let variable: Shared = Rc::new(Tree::Variable(r.variable));
            (*r, variable)
        });
        let cell: Vec<(Range, Shared)> = cell.collect();
        let scattered = self.dice.percent(30);
        let cell = cell.into_iter().map(|(range, variable)| {
            if scattered {
                self.subscript(range, 2)
            } else {
                variable
            }
        });
        let cell = cell.collect();
        let value = self.tree(2);
        let value = self.fitting(value, kind);
        let value = match kind {
            // Sums of many do not overflow.
            I32 | I64 => self.narrowed(value),
            _ => value,
        };
        let combine = self
            .dice
            .of(&[Combine::Sum, Combine::Sum, Combine::Min, Combine::Max]);
        Role::Reduction {
            initial,
            over,
            combine,
            cell,
            value,
        }
    }

    fn leaf(&mut self) -> Shared {
        let number = self.dice.from(-9, 20);
        Rc::new(match self.dice.below(12) {
            0 | 1 => Tree::Int(number),
            2 => Tree::Weak(self.dice.of(&[0.5, 0.1, -3.75, 2.0, 1e39, 1e-40])),
            3 => Tree::Double(self.dice.of(&[0.5, 0.3, -7.25])),
            4 => Tree::Float(self.dice.of(&[0.5, 0.7, 100.0])),
            5 => Tree::Gain,
            6 => Tree::Size(self.dice.below(2)),
            _ if self.scope.is_empty() => Tree::Int(number),
            _ => {
                let scope = self.scope.clone();
                Tree::Variable(self.dice.of(&scope).variable)
            }
        })
    }

    fn tree(&mut self, depth: usize) -> Shared {
        if !self.pool.is_empty() && self.dice.percent(8) {
            let at = self.dice.below(self.pool.len());
            return self.pool[at].clone();
        }
        let new = self.new_tree(depth);
        self.pool.push(new.clone());
        new
    }

    fn new_tree(&mut self, depth: usize) -> Shared {
        if depth == 0 {
            return if self.dice.percent(65) {
                self.read(0)
            } else {
                self.leaf()
            };
        }
        let down = depth - 1;
        match self.dice.below(13) {
            0..=3 => {
                let operator = self.dice.of(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]);
                let (a, b) = (self.tree(down), self.tree(down));
                self.arithmetic(operator, a, b)
            }
            4 => self.division(down),
            5 => {
                let operator = self
                    .dice
                    .of(&[BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor]);
                let (a, b) = (self.integer(down), self.integer(down));
                binary(operator, a, b)
            }
            6 => {
                let amount = self.integer(down);
                let amount = binary(BinaryOp::BitAnd, amount, int(7));
                let operator = self.dice.of(&[BinaryOp::ShiftLeft, BinaryOp::ShiftRight]);
                let of = self.integer(down);
                let of = match operator {
                    BinaryOp::ShiftLeft => {
                        let kind = self.dice.of(&[U8, U16, U32, U64]);
                        Rc::new(Tree::Cast(kind, of))
                    }
                    _ => of,
                };
                binary(operator, of, amount)
            }
            7 | 8 => {
                let test = self.test(down.min(1), 2);
                let (a, b) = (self.tree(down), self.tree(down));
                Rc::new(Tree::Select(test, a, b))
            }
            9 => {
                let kind = self.dice.of(&KINDS);
                let value = self.tree(down);
                Rc::new(Tree::Cast(kind, self.fitting(value, kind)))
            }
            10 => {
                let (a, b) = (self.tree(down), self.tree(down));
                Rc::new(if self.dice.percent(50) {
                    Tree::Min(a, b)
                } else {
                    Tree::Max(a, b)
                })
            }
            11 => {
                let a = self.tree(down);
                let is_float = self.program.kind(&a).is_some_and(ScalarKind::is_float);
                Rc::new(match self.dice.below(4) {
                    0 if is_float => Tree::Floor(a),
                    1 if is_float => Tree::Root(a),
                    2 => Tree::Unary(UnaryOp::Minus, self.strong(a)),
                    _ => Tree::Abs(self.strong(a)),
                })
            }
            _ => self.read(down),
        }
    }

    /// Not a number without a type.
    fn strong(&mut self, value: Shared) -> Shared {
        match self.program.kind(&value) {
            None => Rc::new(Tree::Cast(F32, value)),
            Some(_) => value,
        }
    }

    /// Signed integers of at most 16 bits, so that little overflows; others as they are.
    fn narrowed(&mut self, value: Shared) -> Shared {
        match (self.program.kind(&value), &*value) {
            (_, Tree::Int(_) | Tree::Variable(_) | Tree::Size(_)) => value,
            (Some(I32 | I64), _) => Rc::new(Tree::Cast(I16, value)),
            _ => value,
        }
    }

    fn arithmetic(&mut self, operator: BinaryOp, a: Shared, b: Shared) -> Shared {
        let (a, b) = (self.strong(a), b);
        let (mut a, mut b) = (self.narrowed(a), self.narrowed(b));
        // Two unsigned numbers of 16 bits have a product that no `int` holds.
        if operator == BinaryOp::Mul && self.program.kind(&a) == Some(U16) {
            a = Rc::new(Tree::Cast(U32, a));
        }
        if operator == BinaryOp::Mul && self.program.kind(&b) == Some(U16) {
            b = Rc::new(Tree::Cast(U32, b));
        }
        binary(operator, a, b)
    }

    fn integer(&mut self, depth: usize) -> Shared {
        let value = self.tree(depth);
        match self.program.kind(&value) {
            Some(kind) if !kind.is_float() => value,
            _ => {
                let kind = self.dice.of(&INTEGERS);
                let fitting = self.fitting(value, kind);
                Rc::new(Tree::Cast(kind, fitting))
            }
        }
    }

    fn division(&mut self, depth: usize) -> Shared {
        let (a, b) = (self.integer(depth), self.integer(depth));
        let operator = self.dice.of(&[BinaryOp::Div, BinaryOp::Rem]);
        let by = match self.dice.below(4) {
            0 => int(self.dice.from(1, 9)),
            1 => binary(BinaryOp::Add, binary(BinaryOp::BitAnd, b, int(7)), int(1)),
            2 => Rc::new(Tree::Max(b, int(1))),
            _ => Rc::new(Tree::Cast(
                self.dice.of(&[U32, I64]),
                int(self.dice.from(1, 9)),
            )),
        };
        binary(operator, a, by)
    }

    fn test(&mut self, depth: usize, more: usize) -> Test {
        if more > 0 && self.dice.percent(25) {
            let [a, b] = [0, 1].map(|_| Box::new(self.test(depth, more - 1)));
            return match self.dice.below(3) {
                0 => Test::And(a, b),
                1 => Test::Or(a, b),
                _ => Test::Not(a),
            };
        }
        let operator = self.dice.of(&[
            BinaryOp::Less,
            BinaryOp::LessEqual,
            BinaryOp::Greater,
            BinaryOp::GreaterEqual,
            BinaryOp::Equal,
            BinaryOp::NotEqual,
        ]);
        let scope = self.scope.clone();
        if !scope.is_empty() && self.dice.percent(40) {
            // Variables against numbers, as they are or converted.
            let variable = Rc::new(Tree::Variable(self.dice.of(&scope).variable));
            let moved = binary(BinaryOp::Add, variable, int(self.dice.from(-3, 1)));
            let left = if self.dice.percent(50) {
                Rc::new(Tree::Cast(self.dice.of(&INTEGERS), moved))
            } else {
                moved
            };
            return Test::Compare(operator, left, int(self.dice.from(0, 6)));
        }
        let a = self.tree(depth);
        let (a, b) = (self.strong(a), self.tree(depth));
        Test::Compare(operator, a, b)
    }

    fn read(&mut self, depth: usize) -> Shared {
        let field = self.dice.below(self.program.fields.len());
        let domain = self.program.fields[field].domain.clone();
        let cell = domain
            .iter()
            .map(|range| self.subscript(*range, depth))
            .collect();
        Rc::new(Tree::Read(field, cell))
    }

    /// A variable, or something affine in it.
    fn near(&mut self, variable: usize) -> Shared {
        let variable: Shared = Rc::new(Tree::Variable(variable));
        match self.dice.below(5) {
            0 => binary(BinaryOp::Div, variable, int(2)),
            1 => binary(BinaryOp::Mul, variable, int(2)),
            2 => variable,
            _ => binary(BinaryOp::Add, variable, int(self.dice.from(-2, 2))),
        }
    }

    /// A subscript of this dimension, from time to time one that may be outside.
    fn subscript(&mut self, range: Range, depth: usize) -> Shared {
        let same = self
            .scope
            .iter()
            .find(|own| own.high.size == range.high.size);
        let same = same.map(|own| own.variable);
        let careless = self.dice.percent(2);
        let value = match (same, self.dice.below(6)) {
            // Data is kept inside by numbers only.
            (Some(variable), 0..=2) => self.near(variable),
            _ if range.high.size.is_some() && !careless => {
                let scope = self.scope.clone();
                let variable = self.dice.of(&scope).variable;
                self.near(variable)
            }
            _ => self.integer(depth.min(2)),
        };
        if careless {
            return value;
        }
        if range.high.size.is_none() && range.low == 0 && self.dice.percent(40) {
            let most = int(range.high.constant);
            return if self.dice.percent(50) {
                binary(BinaryOp::BitAnd, value, most)
            } else {
                Rc::new(Tree::Min(Rc::new(Tree::Max(value, int(0))), most))
            };
        }
        let high = self.end(range.high, 0);
        Rc::new(Tree::Min(Rc::new(Tree::Max(value, int(range.low))), high))
    }
}

fn is_signed(kind: ScalarKind) -> bool {
    matches!(kind, I8 | I16 | I32 | I64 | F32 | F64)
}
