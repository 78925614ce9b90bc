//! Values and conditions at random.

use super::{Array, Generator, Helper, Typed};
use crate::tree::{Expr, Type};

impl Generator {
    /// A constant as programs have them.
    fn constant(&mut self) -> Typed {
        let unsigned = [
            2_654_435_761,
            40_503,
            0x1000_0000,
            0x8000_0000,
            5,
            255,
            4_294_967_290,
            16_777_619,
        ];
        if self.random.percent(12) {
            let value: i64 = *self.random.pick(&unsigned);
            return Typed {
                expr: Expr::atom(format!("{value}u")),
                ty: Type::U32,
                low: value.into(),
                high: value.into(),
                below: None,
            };
        }
        let value = *self.random.pick(&[
            0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 15, 16, 100, 127, 128, 255, 256, 1000, 65_535, -1, -2,
            -3,
        ]);
        Typed::literal(value)
    }

    /// A scalar of the ones in scope.
    fn some_scalar(&mut self, float: bool) -> Option<Typed> {
        let of: Vec<usize> = (0..self.visible.scalars.len())
            .filter(|&k| self.visible.scalars[k].ty.is_float() == float)
            .collect();
        if of.is_empty() {
            return None;
        }
        // Those of inner loops and blocks are used more often.
        let k = of[of.len() - 1 - self.random.below(of.len()).min(self.random.below(of.len()))];
        Some(self.visible.scalars[k].read())
    }

    /// An element of some array.
    pub(super) fn some_element(&mut self, wanted: impl Fn(&Array) -> bool) -> Option<Typed> {
        let of: Vec<usize> = (0..self.visible.arrays.len())
            .filter(|&k| wanted(&self.visible.arrays[k]))
            .collect();
        if of.is_empty() {
            return None;
        }
        let array = self.visible.arrays[*self.random.pick(&of)].clone();
        let subscripts = self.subscripts(&array, 1)?;
        Some(self.read(&array, subscripts))
    }

    /// A read of an element.
    pub(super) fn read(&mut self, array: &Array, subscripts: Vec<Expr>) -> Typed {
        Typed {
            expr: self.element(array, subscripts),
            ty: array.ty,
            low: array.low,
            high: array.high,
            below: array.below,
        }
    }

    /// A value of any arithmetic type.
    pub(super) fn value(&mut self, depth: u32, float: bool) -> Typed {
        if float {
            self.float(depth)
        } else {
            self.integer(depth)
        }
    }

    fn float(&mut self, depth: u32) -> Typed {
        if depth == 0 || self.random.percent(25) {
            let leaf = match self.random.below(10) {
                0..=5 => self.some_element(|a| a.ty.is_float()),
                6 | 7 => self.some_scalar(true),
                8 => {
                    let value = self.integer(0);
                    let ty = *self.random.pick(&[Type::F32, Type::F64]);
                    Some(value.cast(ty))
                }
                _ => None,
            };
            return leaf.unwrap_or_else(|| {
                let text = *self
                    .random
                    .pick(&["0.5f", "2.0f", "0.25", "1.0f", "3.0", "0.1f", "-1.5f"]);
                let ty = if text.ends_with('f') {
                    Type::F32
                } else {
                    Type::F64
                };
                Typed::any(Expr::atom(text), ty)
            });
        }
        match self.random.below(12) {
            0..=6 => {
                let op = *self.random.pick(&["+", "+", "-", "*", "*"]);
                let left = self.float(depth - 1);
                let right = if self.random.percent(12) {
                    self.integer(depth - 1)
                } else {
                    self.float(depth - 1)
                };
                self.join(op, left, right)
            }
            7 => {
                let left = self.float(depth - 1);
                let by = *self.random.pick(&["2.0f", "3.0", "9.0f", "0.3f"]);
                let ty = if by.ends_with('f') {
                    Type::F32
                } else {
                    Type::F64
                };
                self.join("/", left, Typed::any(Expr::atom(by), ty))
            }
            8 => {
                let (one, two) = (self.float(depth - 1), self.float(depth - 1));
                let single = self.random.percent(60);
                let name = if single {
                    ["fminf", "fmaxf"]
                } else {
                    ["fmin", "fmax"]
                };
                let name = *self.random.pick(&name);
                let ty = if single { Type::F32 } else { Type::F64 };
                Typed::any(Expr::Call(name.to_owned(), vec![one.expr, two.expr]), ty)
            }
            9 => {
                let one = self.float(depth - 1);
                let (name, ty) = *self.random.pick(&[
                    ("fabsf", Type::F32),
                    ("fabs", Type::F64),
                    ("floorf", Type::F32),
                ]);
                Typed::any(Expr::Call(name.to_owned(), vec![one.expr]), ty)
            }
            10 => {
                let condition = self.condition(depth - 1);
                let (yes, no) = (self.float(depth - 1), self.float(depth - 1));
                let ty = yes.ty.common(no.ty);
                Typed::any(Expr::cond(condition, yes.expr, no.expr), ty)
            }
            _ => match self.called(depth, true) {
                Some(call) => call,
                None => self.float(depth - 1),
            },
        }
    }

    /// An integer.
    pub(super) fn integer(&mut self, depth: u32) -> Typed {
        if depth == 0 || self.random.percent(22) {
            let leaf = match self.random.below(12) {
                10 => self.named_constant(),
                11 if depth > 0 => self.table_element(),
                0..=4 => self.some_element(|a| !a.ty.is_float()),
                5 | 6 => self.some_scalar(false),
                7 => self.loop_variable(),
                _ => None,
            };
            return match leaf {
                Some(leaf) => leaf,
                None => self.constant(),
            };
        }
        match self.random.below(16) {
            0..=8 => {
                let op = *self.random.pick(&[
                    "+", "+", "+", "-", "-", "*", "*", "&", "^", "|", ">>", "<<", "%", "/",
                ]);
                let left = self.integer(depth - 1);
                let right = if matches!(op, "%" | "/" | ">>" | "<<") || self.random.percent(30) {
                    self.constant()
                } else {
                    self.integer(depth - 1)
                };
                self.join(op, left, right)
            }
            9 => {
                let ty = *self.random.pick(&[
                    Type::I32,
                    Type::U32,
                    Type::I64,
                    Type::U64,
                    Type::U8,
                    Type::I16,
                    Type::U16,
                    Type::I8,
                ]);
                let value = self.integer(depth - 1);
                value.cast(ty)
            }
            10 => {
                let condition = self.condition(depth - 1);
                let (yes, no) = (self.integer(depth - 1), self.integer(depth - 1));
                let ty = yes.ty.common(no.ty);
                let ((a, b), (c, d)) = (yes.interval_as(ty), no.interval_as(ty));
                Typed {
                    expr: Expr::cond(condition, yes.expr, no.expr),
                    ty,
                    low: a.min(c),
                    high: b.max(d),
                    below: None,
                }
            }
            11 => {
                let condition = self.condition(depth - 1);
                Typed {
                    expr: condition,
                    ty: Type::I32,
                    low: 0,
                    high: 1,
                    below: None,
                }
            }
            12 => {
                let value = self.integer(depth - 1);
                let ty = value.ty.promoted();
                let (low, _) = ty.bounds();
                if ty.is_signed() && value.low > low {
                    Typed {
                        expr: Expr::Unary("-", Box::new(value.expr)),
                        ty,
                        low: -value.high,
                        high: -value.low,
                        below: None,
                    }
                } else {
                    Typed::any(Expr::Unary("~", Box::new(value.expr)), ty)
                }
            }
            13 if self.rules.floats => {
                let value = self.float(1);
                self.whole_number(value)
            }
            14 => match self.called(depth, false) {
                Some(call) => call,
                None => self.integer(depth - 1),
            },
            _ => self.integer(depth - 1),
        }
    }

    fn called(&mut self, depth: u32, float: bool) -> Option<Typed> {
        let of: Vec<Helper> = self
            .outside
            .helpers
            .iter()
            .filter(|h| h.result.is_float() == float)
            .cloned()
            .collect();
        if of.is_empty() {
            return None;
        }
        let helper = self.random.pick(&of).clone();
        let mut arguments = Vec::new();
        for &(ty, low, high) in helper.arguments {
            let value = self.value(depth - 1, ty.is_float());
            let value = if ty.is_float() {
                value
            } else {
                let value = if value.ty.bytes() > 4 {
                    value.cast(ty)
                } else {
                    value
                };
                // Macros see the operand's own type.
                let value = if value.ty == Type::U32 && ty == Type::I32 {
                    value.cast(Type::I32)
                } else {
                    value
                };
                if ty == Type::U32 {
                    value
                } else {
                    self.within(value, low.into(), high.into())
                }
            };
            arguments.push(value.expr);
        }
        Some(Typed {
            expr: Expr::Call(helper.name.to_owned(), arguments),
            ty: helper.result,
            low: helper.low,
            high: helper.high,
            below: None,
        })
    }

    /// A condition: on loops, on data, or several of them.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        let compare = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.random.below(12) {
            0 | 1 if depth > 0 => {
                let op = *self.random.pick(&["&&", "||"]);
                let (one, two) = (self.condition(depth - 1), self.condition(depth - 1));
                Expr::binary(op, one, two)
            }
            2 if depth > 0 => Expr::Unary("!", Box::new(self.condition(depth - 1))),
            3..=6 => {
                // On the iteration.
                let Some(one) = self.loop_variable() else {
                    return self.comparison(compare, depth);
                };
                let two = match self.random.below(5) {
                    0 => self.loop_variable(),
                    1 | 2 => self.some_scalar(false),
                    _ => None,
                };
                let two = two.unwrap_or_else(|| Typed::literal(0));
                let one = match self.random.below(5) {
                    0 => self.join("%", one, Typed::literal(2)),
                    1 => {
                        let by = Typed::literal(self.random.range(1, 4));
                        self.join("+", one, by)
                    }
                    2 => {
                        let by = Typed::literal(self.random.range(1, 4));
                        self.join("-", one, by)
                    }
                    _ => one,
                };
                Expr::binary(compare, one.expr, two.expr)
            }
            _ => self.comparison(compare, depth),
        }
    }

    fn comparison(&mut self, op: &'static str, depth: u32) -> Expr {
        let float = self.rules.floats && self.random.percent(30);
        let depth = depth.min(1);
        let (one, two) = (self.value(depth, float), self.value(depth, float));
        if float && matches!(op, "==" | "!=") {
            return Expr::binary("<", one.expr, two.expr);
        }
        Expr::binary(op, one.expr, two.expr)
    }
}
