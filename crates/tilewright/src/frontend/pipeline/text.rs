//! Expressions as text: as C, and for messages.

use super::builder::{Pipeline, Scalar};
use super::expression::{Condition, Expr, Math, NodeKind, Parameter, Test};
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How tightly operators bind, as C's grammar has it; larger is tighter.
mod binding {
    pub const CONDITIONAL: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const UNARY: u8 = 12;
    pub const PRIMARY: u8 = 13;
}

fn strength(operator: BinaryOp) -> u8 {
    use BinaryOp::*;
    match operator {
        Or => binding::OR,
        And => binding::AND,
        BitOr => 4,
        BitXor => 5,
        BitAnd => 6,
        Equal | NotEqual => 7,
        Less | LessEqual | Greater | GreaterEqual => 8,
        ShiftLeft | ShiftRight => 9,
        Add | Sub => 10,
        Mul | Div | Rem => 11,
    }
}

/// What the C text of expressions needs to have been declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Functions of C's library, as prototypes.
    pub library: BTreeSet<String>,
    /// `min`, `max`, `abs`, `lerp` of a type, by their names.
    pub helpers: BTreeMap<String, (Math, ScalarKind)>,
}

/// Names of C variables that hold the values of expressions, by their address.
pub(super) type Locals = HashMap<usize, String>;

/// How to print.
pub(super) enum Style<'a> {
    /// For people: `img(x - 1, y)`.
    Message,
    /// C text.
    C(&'a RefCell<Needs>, &'a Locals),
}

impl Pipeline {
    pub(super) fn scalar_of(&self, parameter: Parameter) -> Option<&Scalar> {
        let own = parameter.pipeline == self.number;
        self.parameters
            .get(parameter.index as usize)
            .filter(|_| own)
    }

    /// An expression for a message.
    pub(super) fn show(&self, expression: &Expr) -> String {
        const LONGEST: usize = 80;
        let text = self.text(expression, ScalarKind::F32, &Style::Message, 0);
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// An expression. `wanted` is the floating type of numbers that meet no other; `outer` how
    /// tightly what is around it binds.
    pub(super) fn text(
        &self,
        expression: &Expr,
        wanted: ScalarKind,
        style: &Style,
        outer: u8,
    ) -> String {
        let (text, strength) = self.bound(expression, wanted, style);
        if strength < outer {
            format!("({text})")
        } else {
            text
        }
    }

    /// The floating type of untyped numbers in an expression.
    fn wanted(&self, expression: &Expr, otherwise: ScalarKind) -> ScalarKind {
        use crate::frontend::pipeline::values::kinds::Kind;
        match self.kind_of(expression) {
            Ok(Kind::Known(ScalarKind::F64)) => ScalarKind::F64,
            Ok(Kind::Known(_)) => ScalarKind::F32,
            Ok(Kind::Weak) | Err(_) => otherwise,
        }
    }

    fn bound(&self, expression: &Expr, wanted: ScalarKind, style: &Style) -> (String, u8) {
        let pretty = matches!(style, Style::Message);
        if let Style::C(_, locals) = style {
            if let Some(name) = locals.get(&expression.address()) {
                return (name.clone(), binding::PRIMARY);
            }
        }
        match expression.kind() {
            NodeKind::Int(value) => integer(*value, pretty),
            NodeKind::Float(value, _) if pretty => number(*value, format!("{value}")),
            NodeKind::Float(value, kind) => match kind.unwrap_or(wanted) {
                ScalarKind::F64 => floating(*value, format!("{value:?}"), ""),
                _ => {
                    let value = *value as f32;
                    floating(value.into(), format!("{value:?}"), "f")
                }
            },
            NodeKind::Variable(variable) => (self.name_of(*variable).to_owned(), binding::PRIMARY),
            NodeKind::Parameter(parameter) => {
                let name = self.scalar_of(*parameter).map_or("?", |s| &s.name);
                (name.to_owned(), binding::PRIMARY)
            }
            NodeKind::Read(source, subscripts) => {
                let Some(at) = self.own(*source) else {
                    return ("?".to_owned(), binding::PRIMARY);
                };
                let name = &self.sources[at].name;
                let text = match style {
                    Style::Message => {
                        let list = subscripts
                            .iter()
                            .map(|s| self.text(s, ScalarKind::F32, style, 0));
                        format!("{name}({})", list.collect::<Vec<_>>().join(", "))
                    }
                    Style::C(..) => format!("{name}{}", self.subscripts(at, subscripts, style)),
                };
                (text, binding::PRIMARY)
            }
            NodeKind::Unary(operator, a) => {
                let sign = match operator {
                    UnaryOp::Minus => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::Not => "!",
                    UnaryOp::Complement => "~",
                };
                let text = self.text(a, wanted, style, binding::UNARY + 1);
                (format!("{sign}{text}"), binding::UNARY)
            }
            NodeKind::Binary(operator, a, b) => {
                let wanted = self.wanted(expression, wanted);
                let strength = strength(*operator);
                let left = self.text(a, wanted, style, strength);
                let right = self.text(b, wanted, style, strength + 1);
                (format!("{left} {} {right}", operator.spelling()), strength)
            }
            NodeKind::Select(condition, a, b) => {
                let wanted = self.wanted(expression, wanted);
                let condition = self.condition(condition, style, binding::CONDITIONAL + 1);
                let then = self.text(a, wanted, style, binding::CONDITIONAL + 1);
                let other = self.text(b, wanted, style, binding::CONDITIONAL);
                match style {
                    Style::Message => (
                        format!("select({condition}, {then}, {other})"),
                        binding::PRIMARY,
                    ),
                    Style::C(..) => (
                        format!("{condition} ? {then} : {other}"),
                        binding::CONDITIONAL,
                    ),
                }
            }
            NodeKind::Cast(kind, a) => {
                // A number without a type is what it is cast to, where that is floating.
                let wanted = match kind {
                    ScalarKind::F64 => ScalarKind::F64,
                    _ => self.wanted(a, ScalarKind::F32),
                };
                let text = self.text(a, wanted, style, binding::UNARY);
                (format!("({}){text}", kind.c_name()), binding::UNARY)
            }
            NodeKind::Math(function, arguments) => {
                self.math(expression, *function, arguments, wanted, style)
            }
            NodeKind::TooLarge => ("…".to_owned(), binding::PRIMARY),
        }
    }

    fn math(
        &self,
        expression: &Expr,
        function: Math,
        arguments: &[Expr],
        wanted: ScalarKind,
        style: &Style,
    ) -> (String, u8) {
        let kind = match self.kind_of(expression) {
            Ok(crate::frontend::pipeline::values::kinds::Kind::Known(kind)) => kind,
            _ => wanted,
        };
        let list = arguments.iter().map(|a| self.text(a, kind, style, 0));
        let list = list.collect::<Vec<_>>().join(", ");
        let Style::C(needs, _) = style else {
            return (format!("{}({list})", function.name()), binding::PRIMARY);
        };
        let mut needs = needs.borrow_mut();
        let own = match function {
            Math::Min | Math::Max | Math::Lerp => true,
            Math::Abs => !kind.is_float(),
            _ => false,
        };
        let affine = own && arguments.iter().all(|a| self.is_affine(a));
        if let (true, [a, b]) = (affine, arguments) {
            // Spelled out, so that it is still affine for the front end behind.
            let less = match function {
                Math::Min => "<",
                _ => ">",
            };
            drop(needs);
            let test = [a, b].map(|e| self.text(e, kind, style, strength(BinaryOp::Add)));
            let [a, b] = [a, b].map(|e| self.text(e, kind, style, binding::CONDITIONAL + 1));
            let text = format!("{} {less} {} ? {a} : {b}", test[0], test[1]);
            return (text, binding::CONDITIONAL);
        }
        let name = if own {
            let name = format!(
                "pipeline_{}_{}",
                function.name(),
                kind.c_name().replace(' ', "_")
            );
            needs.helpers.insert(name.clone(), (function, kind));
            name
        } else {
            let plain = match function {
                Math::Abs => "fabs",
                other => other.name(),
            };
            let (name, ctype) = match kind {
                ScalarKind::F64 => (plain.to_owned(), "double"),
                _ => (format!("{plain}f"), "float"),
            };
            let types = vec![ctype; arguments.len()].join(", ");
            needs.library.insert(format!("{ctype} {name}({types});"));
            name
        };
        (format!("{name}({list})"), binding::PRIMARY)
    }

    /// `[i][j + 1]`, counted from the array's first cell.
    pub(super) fn subscripts(&self, at: usize, subscripts: &[Expr], style: &Style) -> String {
        let mut text = String::new();
        for (subscript, (lower, _)) in subscripts.iter().zip(&self.sources[at].bounds) {
            let from_zero = match lower.kind() {
                NodeKind::Int(0) => subscript.clone(),
                _ => self.difference(subscript, lower),
            };
            text += &format!("[{}]", self.text(&from_zero, ScalarKind::F32, style, 0));
        }
        text
    }

    /// A condition.
    pub(super) fn condition(&self, condition: &Condition, style: &Style, outer: u8) -> String {
        let (text, strength) = match condition.test() {
            Test::Compare(operator, a, b) => {
                let wanted = self.kind_of_both(a, b).unwrap_or(ScalarKind::F32);
                let strength = strength(*operator);
                let a = self.text(a, wanted, style, strength + 1);
                let b = self.text(b, wanted, style, strength + 1);
                (format!("{a} {} {b}", operator.spelling()), strength)
            }
            Test::And(a, b) => {
                let a = self.condition(a, style, binding::AND);
                let b = self.condition(b, style, binding::AND);
                (format!("{a} && {b}"), binding::AND)
            }
            Test::Or(a, b) => {
                let a = self.condition(a, style, binding::OR);
                let b = self.condition(b, style, binding::OR);
                (format!("{a} || {b}"), binding::OR)
            }
            Test::Not(a) => {
                let a = self.condition(a, style, 0);
                (format!("!({a})"), binding::UNARY)
            }
            Test::TooLarge => ("…".to_owned(), binding::PRIMARY),
        };
        if strength < outer {
            format!("({text})")
        } else {
            text
        }
    }
}

/// A floating number of a type that literals show by a suffix. What no literal can spell is a
/// quotient.
fn floating(value: f64, text: String, suffix: &str) -> (String, u8) {
    let quotient = |of: &str| (format!("({of}{suffix} / 0.0{suffix})"), binding::PRIMARY);
    match value {
        value if value.is_nan() => quotient("0.0"),
        f64::INFINITY => quotient("1.0"),
        f64::NEG_INFINITY => quotient("-1.0"),
        value => number(value, text + suffix),
    }
}

fn number(value: f64, text: String) -> (String, u8) {
    if value.is_sign_negative() {
        (text, binding::UNARY)
    } else {
        (text, binding::PRIMARY)
    }
}

fn integer(value: i64, pretty: bool) -> (String, u8) {
    let strength = if value < 0 {
        binding::UNARY
    } else {
        binding::PRIMARY
    };
    let text = match value {
        _ if pretty => value.to_string(),
        i64::MIN => "(-9223372036854775807L - 1)".to_owned(),
        value if value == i64::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        value if i32::try_from(value).is_ok() => value.to_string(),
        value => format!("{value}L"),
    };
    (text, strength)
}
