//! Statement bodies in C: the program's own expressions with accesses and iterators substituted.

use super::index::ParamSpelling;
use super::index::strength::*;
use crate::codegen::c::{Context, Printer};
use crate::codegen::kernel::{Index, Instance, Place, PlaceIndex};
use crate::mistakes::mistake;
use crate::scop::{AccessId, Action, BinaryOp, Expr, ParamId, ScalarKind, Stride, UnaryOp};
use crate::transform::{BufferId, BufferKind};

impl Printer<'_> {
    pub(in crate::codegen::c) fn statement(&mut self, instance: &Instance, at: Context) {
        let body = &*instance.actions(self.scop);
        let declares = body
            .iter()
            .any(|action| matches!(action, Action::Local { .. }));
        if declares {
            self.line(at, "{");
            self.actions(body, instance, at.deeper());
            self.line(at, "}");
        } else {
            self.actions(body, instance, at);
        }
    }

    pub(in crate::codegen::c) fn actions(
        &mut self,
        actions: &[Action],
        instance: &Instance,
        at: Context,
    ) {
        for action in actions {
            match action {
                Action::Assign { target, value } => {
                    if self.atomic_update(instance, *target, value, at) {
                        continue;
                    }
                    let place = &instance.accesses[*target];
                    let declared = self.declaration(place.buffer);
                    let target = self.place(place, instance);
                    let value = self.expr(value, instance);
                    self.line(at, &format!("{declared}{target} = {value};"));
                }
                Action::Local { name, ctype, value } => {
                    let name = self.local(name);
                    let text = match value {
                        Some(value) => {
                            let value = self.expr(value, instance);
                            format!("{} {name} = {value};", self.type_name(ctype))
                        }
                        None => format!("{} {name};", self.type_name(ctype)),
                    };
                    self.line(at, &text);
                }
                Action::Call(call) => {
                    let call = self.expr(call, instance);
                    self.line(at, &format!("{call};"));
                }
                Action::SetLocal { name, value } => {
                    let name = self.local(name);
                    let value = self.expr(value, instance);
                    self.line(at, &format!("{name} = {value};"));
                }
                Action::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let condition = self.expr(condition, instance);
                    self.line(at, &format!("if ({condition}) {{"));
                    self.actions(then, instance, at.deeper());
                    if !otherwise.is_empty() {
                        self.line(at, "} else {");
                        self.actions(otherwise, instance, at.deeper());
                    }
                    self.line(at, "}");
                }
                Action::Repeat { condition, body } => {
                    let condition = self.expr(condition, instance);
                    self.line(at, &format!("while ({condition}) {{"));
                    self.actions(body, instance, at.deeper());
                    self.line(at, "}");
                }
                Action::Leave => self.line(at, "break;"),
            }
        }
    }

    /// The type in front of the assignment that declares a variable.
    fn declaration(&mut self, buffer: BufferId) -> String {
        match self
            .here
            .undeclared
            .iter()
            .position(|&undeclared| undeclared == buffer)
        {
            Some(position) => {
                self.here.undeclared.swap_remove(position);
                let array = self.transformed.buffers[buffer].array;
                format!("{} ", self.type_name(&self.scop.arrays[array].element))
            }
            None => String::new(),
        }
    }

    /// A variable of the statement's body, renamed where it would hide what indices mention.
    fn local(&self, name: &str) -> String {
        if self.spellings.reserved.contains(name) {
            format!("tw_local_{name}")
        } else {
            name.to_owned()
        }
    }

    pub(in crate::codegen::c) fn expr(&mut self, expr: &Expr, instance: &Instance) -> String {
        self.expr_at(expr, instance, CONDITIONAL)
    }

    pub(in crate::codegen::c) fn expr_at(
        &mut self,
        expr: &Expr,
        instance: &Instance,
        context: u8,
    ) -> String {
        let (text, own) = self.expr_with_strength(expr, instance);
        if own < context {
            format!("({text})")
        } else {
            text
        }
    }

    fn expr_with_strength(&mut self, expr: &Expr, instance: &Instance) -> (String, u8) {
        match expr {
            Expr::Literal(text) => (
                self.literal(text),
                if text.starts_with(['-', '+']) {
                    UNARY
                } else {
                    PRIMARY
                },
            ),
            Expr::Iterator(number) => self.iterator(*number, instance),
            Expr::Param(param) => self.param(*param),
            Expr::Invariant(text) => named(&self.invariant(text)),
            Expr::Local(name) => (self.local(name), PRIMARY),
            Expr::Access(access) => {
                if let Some(name) = self.held(&instance.accesses[*access]) {
                    return (name, PRIMARY);
                }
                let place = self.place(&instance.accesses[*access], instance);
                let own = if place.starts_with('*') {
                    UNARY
                } else {
                    PRIMARY
                };
                (place, own)
            }
            Expr::Unary(operator, operand) => {
                let sign = match operator {
                    UnaryOp::Minus => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::Not => "!",
                    UnaryOp::Complement => "~",
                };
                let operand = self.expr_at(operand, instance, UNARY);
                // Not `--x`.
                if operand.starts_with(sign) {
                    (format!("{sign}({operand})"), UNARY)
                } else {
                    (format!("{sign}{operand}"), UNARY)
                }
            }
            Expr::Binary(operator, a, b) => {
                let own = binding(*operator);
                let left = self.operand(*operator, a, false, instance);
                let right = self.operand(*operator, b, true, instance);
                (format!("{left} {} {right}", operator.spelling()), own)
            }
            Expr::Conditional(condition, a, b) => {
                let condition = self.expr_at(condition, instance, OR);
                let a = self.expr_at(a, instance, CONDITIONAL);
                let b = self.expr_at(b, instance, CONDITIONAL);
                (format!("{condition} ? {a} : {b}"), CONDITIONAL)
            }
            Expr::Cast(ctype, value) => {
                let value = self.expr_at(value, instance, UNARY);
                (format!("({}){value}", self.type_name(ctype)), UNARY)
            }
            Expr::Call(function, arguments)
            | Expr::Effect {
                function,
                arguments,
                ..
            } => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|argument| self.expr(argument, instance))
                    .collect();
                (format!("{function}({})", arguments.join(", ")), PRIMARY)
            }
            Expr::Row { accesses, given } => match accesses.first() {
                Some(&access) => (self.row(access, *given, instance), PRIMARY),
                // There is one by construction.
                None => ("0".to_owned(), PRIMARY),
            },
        }
    }

    /// An operand of a binary operator: the tree is kept, and so are parentheses that compilers
    /// ask for.
    fn operand(
        &mut self,
        of: BinaryOp,
        operand: &Expr,
        right: bool,
        instance: &Instance,
    ) -> String {
        let own = binding(of);
        let least = match operand {
            Expr::Binary(inner, ..) if confusing(of, *inner) => PRIMARY,
            _ if right && !mistake!(PrintWithoutParentheses) => own + 1,
            _ => own,
        };
        self.expr_at(operand, instance, least)
    }

    /// The value of an iterator, in its declared type.
    fn iterator(&mut self, number: usize, instance: &Instance) -> (String, u8) {
        let statement = &self.scop.statements[instance.statement];
        let (index, ctype) = (
            &instance.iterators[number],
            &statement.iterators[number].ctype,
        );
        match (index, ctype.kind) {
            (Index::Int(value), ScalarKind::I32) if i32::try_from(*value).is_ok() => {
                (value.to_string(), if *value < 0 { UNARY } else { PRIMARY })
            }
            (Index::Var(name), ScalarKind::I32) if self.here.ints.contains(name) => {
                (name.clone(), PRIMARY)
            }
            (index, ScalarKind::I64) if !self.is_narrow() => {
                (self.index_of_type_long(index, PRIMARY), PRIMARY)
            }
            (index, _) => {
                let value = self.index_of_type_long(index, UNARY);
                (format!("({}){value}", self.type_name(ctype)), UNARY)
            }
        }
    }

    /// The value of a parameter, in its declared type.
    fn param(&self, param: ParamId) -> (String, u8) {
        let param_of_program = &self.scop.params[param];
        if self.spellings.device.is_none() {
            return named(&param_of_program.spelling);
        }
        let name = self.spellings.params[param].name();
        match self.spellings.params[param] {
            ParamSpelling::Copy(_) => {
                let ctype = self.type_name(&param_of_program.ctype);
                (format!("({ctype}){name}"), UNARY)
            }
            _ => (name.to_owned(), PRIMARY),
        }
    }

    pub(in crate::codegen::c) fn place(&mut self, place: &Place, instance: &Instance) -> String {
        if let Some(name) = self.register(place) {
            return name;
        }
        let buffer = &self.transformed.buffers[place.buffer];
        let array = &self.scop.arrays[buffer.array];
        let base = self.spellings.bases[place.buffer].clone();
        if self.spellings.device.is_some() {
            return self.place_on_device(place, instance);
        }
        if let Some(flat) = self.flat(place, instance) {
            let element = &array.element.spelling;
            return format!("(({element} *){base})[{flat}]");
        }
        let own = !matches!(buffer.kind, BufferKind::Full) || base != array.base;
        if own {
            return base + &self.subscripts(place, instance);
        }
        let subscripts = match array.layout.linear() {
            None => self.indices(&place.indices, instance),
            Some(linear) => {
                let dims = linear.dims();
                let mut all = self.indices(&place.indices[..dims.start], instance);
                let shared = &place.indices[dims.clone()];
                all.push(self.linear(shared, &linear.strides, instance));
                all.extend(self.indices(&place.indices[dims.end..], instance));
                all
            }
        };
        base + &array.members.place(&subscripts)
    }

    /// The place where an array, or a row of one, begins: in the program's own memory
    /// (the plan sees to that).
    fn row(&mut self, access: AccessId, given: usize, instance: &Instance) -> String {
        let place = &instance.accesses[access];
        let base = self.spellings.bases[place.buffer].clone();
        let array = self.transformed.buffers[place.buffer].array;
        let subscripts = self.indices(&place.indices[..given], instance);
        base + &self.scop.arrays[array].members.place(&subscripts)
    }

    pub(in crate::codegen::c) fn subscripts(
        &mut self,
        place: &Place,
        instance: &Instance,
    ) -> String {
        self.indices(&place.indices, instance).concat()
    }

    /// Each in its brackets.
    fn indices(&mut self, indices: &[PlaceIndex], instance: &Instance) -> Vec<String> {
        let mut all = Vec::new();
        for index in indices {
            let index = match index {
                PlaceIndex::Affine(index) => self.index(index),
                PlaceIndex::Data {
                    subscript,
                    origin: None,
                } => self.expr(subscript, instance),
                PlaceIndex::Data {
                    subscript,
                    origin: Some(origin),
                } => {
                    let subscript = self.expr_at(subscript, instance, SUM);
                    format!("{subscript} - {}", self.index_of_type_long(origin, PRODUCT))
                }
            };
            all.push(format!("[{index}]"));
        }
        all
    }

    /// The place in a local buffer of several dimensions as one subscript of type `int`, where it
    /// depends on data: the only form that gcc 12 takes for a gather, with addresses of 64 bits it
    /// gives up the vector loop. Cells of a buffer have numbers that fit.
    fn flat(&mut self, place: &Place, instance: &Instance) -> Option<String> {
        let mut buffers = self.kernel.buffers.iter();
        let extents = &buffers.find(|b| b.buffer == place.buffer)?.extents;
        let data = |index: &PlaceIndex| matches!(index, PlaceIndex::Data { .. });
        let cells = extents
            .iter()
            .try_fold(1i64, |all, &e| all.checked_mul(e))?;
        let fits = i32::try_from(cells).is_ok();
        if place.indices.len() < 2 || !fits || !place.indices.iter().any(data) {
            return None;
        }
        let mut affine = Index::Int(0);
        let mut terms = Vec::new();
        let mut stride = cells;
        for (index, extent) in place.indices.iter().zip(extents) {
            stride /= extent;
            match index {
                PlaceIndex::Affine(index) => affine = affine.plus(&index.times(stride)),
                PlaceIndex::Data { subscript, origin } => {
                    let subscript = match origin {
                        None => self.expr_at(subscript, instance, UNARY),
                        Some(origin) => {
                            let subscript = self.expr_at(subscript, instance, SUM);
                            let origin = self.index_of_type_long(origin, PRODUCT);
                            format!("({subscript} - {origin})")
                        }
                    };
                    let subscript = if subscript.starts_with("(int)") {
                        subscript
                    } else {
                        format!("(int){subscript}")
                    };
                    terms.push(match stride {
                        1 => subscript,
                        stride => format!("{stride} * {subscript}"),
                    });
                }
            }
        }
        if affine != Index::Int(0) {
            let affine = self.index_of_type_long(&affine, UNARY);
            terms.insert(0, format!("(int){affine}"));
        }
        Some(terms.join(" + "))
    }

    /// `[i * n + k]`
    fn linear(
        &mut self,
        indices: &[PlaceIndex],
        strides: &[Stride],
        instance: &Instance,
    ) -> String {
        let (mut terms, mut is_long) = (Vec::new(), false);
        for (index, stride) in indices.iter().zip(strides) {
            let stride = &self.scop.in_long(&stride.text);
            let unit = stride == "1";
            let strength = if unit { SUM } else { UNARY };
            match index {
                PlaceIndex::Affine(Index::Int(0)) => {}
                PlaceIndex::Data {
                    subscript: Expr::Literal(zero),
                    ..
                } if zero == "0" => {}
                PlaceIndex::Affine(Index::Int(1)) if !unit => terms.push(factor(stride)),
                // Beside a product it need not be of its type.
                PlaceIndex::Affine(index) if unit && is_long => {
                    terms.push(self.index_at_sum_of_longs(index));
                }
                PlaceIndex::Affine(index) => {
                    let index = self.index_of_type_long(index, strength);
                    is_long = true;
                    terms.push(if unit {
                        index
                    } else {
                        format!("{index} * {}", factor(stride))
                    });
                }
                PlaceIndex::Data { subscript, .. } => {
                    let subscript = self.expr_at(subscript, instance, strength);
                    terms.push(if unit {
                        subscript
                    } else {
                        format!("{subscript} * {}", factor(stride))
                    });
                }
            }
        }
        if terms.is_empty() {
            return "[0]".to_owned();
        }
        format!("[{}]", terms.join(" + "))
    }
}

/// A C expression as it stands in the program: an operand where it is a name, a field or a number.
fn named(text: &str) -> (String, u8) {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    let primary = text.replace("->", ".").chars().all(plain);
    (text.to_owned(), if primary { PRIMARY } else { CONDITIONAL })
}

fn factor(text: &str) -> String {
    match named(text) {
        (text, PRIMARY) => text,
        (text, _) => format!("({text})"),
    }
}

fn binding(operator: BinaryOp) -> u8 {
    use BinaryOp::*;
    match operator {
        Mul | Div | Rem => PRODUCT,
        Add | Sub => SUM,
        ShiftLeft | ShiftRight => SHIFT,
        Less | Greater | LessEqual | GreaterEqual => RELATION,
        Equal | NotEqual => EQUALITY,
        BitAnd => BIT_AND,
        BitXor => BIT_XOR,
        BitOr => BIT_OR,
        And => AND,
        Or => OR,
    }
}

/// Combinations that are right without parentheses and that compilers warn about.
fn confusing(outer: BinaryOp, inner: BinaryOp) -> bool {
    let (of, own) = (binding(outer), binding(inner));
    match of {
        OR => own == AND,
        BIT_OR | BIT_XOR | BIT_AND => own != of && own != PRODUCT,
        SHIFT => own == SUM,
        EQUALITY | RELATION => own == EQUALITY || own == RELATION,
        _ => false,
    }
}
