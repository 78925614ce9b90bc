//! What statements compute: C expressions whose memory accesses are numbered.
//!
//! Expressions keep C's own meaning: printed with the same literals, casts and element types
//! they compute the same bits. Only iterators, parameters and accesses change their spelling.

use super::{AccessId, ParamId, ScalarKind, ScalarType, Statement};

/// Operators with one operand, spelled as in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands, spelled as in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl BinaryOp {
    /// Whether C has it for integers only.
    pub fn is_integral(self) -> bool {
        use BinaryOp::*;
        matches!(self, Rem | ShiftLeft | ShiftRight | BitAnd | BitXor | BitOr)
    }

    /// C's spelling.
    pub fn spelling(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Less => "<",
            Greater => ">",
            LessEqual => "<=",
            GreaterEqual => ">=",
            Equal => "==",
            NotEqual => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            And => "&&",
            Or => "||",
        }
    }
}

/// A C expression without side effects, but for [`Expr::Effect`].
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A literal or enumeration constant, as spelled in the preprocessed file (`0.25f`, `1UL`, `'a'`).
    Literal(String),
    /// The value of the statement's iterator with this number. In C it has the iterator's
    /// declared type ([`super::Iterator::ctype`]): printers cast.
    Iterator(usize),
    /// The value of a parameter.
    Param(ParamId),
    /// A scalar that the region only reads (`weight`, `cfg->gain`), by its C spelling.
    Invariant(String),
    /// A variable of the statement's own body ([`Action::Local`]).
    Local(String),
    /// The value read by an access of the statement.
    Access(AccessId),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`; evaluates one side only.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(type)value`
    Cast(ScalarType, Box<Expr>),
    /// A call to a function that is pure but for what it does to arrays that it gets
    /// ([`Expr::Row`]).
    Call(String, Vec<Expr>),
    /// A call to a function that reads and changes hidden state ([`super::Hidden`]): whenever the
    /// expression is evaluated, it is called once.
    Effect {
        /// Its name.
        function: String,
        /// What it gets, in order.
        arguments: Vec<Expr>,
        /// The accesses of the statement to that state, which the call performs.
        state: Vec<AccessId>,
    },
    /// An array, or a row of one, as an argument of a call: the address where it begins.
    Row {
        /// What the called function does there: accesses of the statement to one array, which are
        /// not exact.
        accesses: Vec<AccessId>,
        /// How many of their subscripts, from the outermost on, lead to where it begins.
        given: usize,
    },
}

/// The type of a floating-point literal as C spells it, imaginary ones with `i` or `j` (GNU C);
/// `None` for others.
pub fn floating_literal(text: &str) -> Option<ScalarKind> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let digit = lower.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let exponent = if hex { 'p' } else { 'e' };
    if !digit || !(lower.contains('.') || lower.contains(exponent)) {
        return None;
    }
    // Digits of hexadecimal numbers end with the exponent, which they have to have.
    let begin = if hex { lower.find('p')? } else { 0 };
    let number = |c: char| c.is_ascii_digit() || "+-.ep".contains(c);
    let suffix = lower[begin..].trim_start_matches(number);
    let real: String = suffix.chars().filter(|c| !matches!(c, 'i' | 'j')).collect();
    let kind = match real.as_str() {
        "f" | "f32" => ScalarKind::F32,
        "l" | "w" | "f64x" => ScalarKind::F80,
        "f16" => ScalarKind::F16,
        "q" | "f128" => ScalarKind::F128,
        _ => ScalarKind::F64,
    };
    match real.len() == suffix.len() {
        true => Some(kind),
        false => Some(kind.complex()),
    }
}

/// One step of a statement's body, executed in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Stores a value through a write access. Compound assignments are spelled out
    /// (`a += b` is `a = a + b` with a read access of its own).
    Assign {
        /// A write access of the statement.
        target: AccessId,
        /// The value; C converts it to the element type.
        value: Expr,
    },
    /// Declares a variable of the body. Its life ends with the statement instance, so it takes
    /// no part in dependences.
    Local {
        /// Name, unique within the statement.
        name: String,
        /// Its type.
        ctype: ScalarType,
        /// Its first value, where it has one.
        value: Option<Expr>,
    },
    /// Assigns to a variable of the body.
    SetLocal {
        /// Name.
        name: String,
        /// The value.
        value: Expr,
    },
    /// A condition on data. Accesses below it are not exact.
    If {
        /// The condition.
        condition: Expr,
        /// Executed when it is not zero.
        then: Vec<Action>,
        /// Executed when it is zero.
        otherwise: Vec<Action>,
    },
    /// Calls a function for what it does to the arrays that it gets, an [`Expr::Call`], or to
    /// hidden state, an [`Expr::Effect`].
    Call(Expr),
    /// Repeats actions as long as a condition holds in front of them, which only its turns decide.
    /// Accesses below it are not exact.
    Repeat {
        /// The condition.
        condition: Expr,
        /// What is repeated.
        body: Vec<Action>,
    },
    /// Leaves the innermost [`Action::Repeat`] around it.
    Leave,
}

impl Action {
    /// Calls `visit` on every expression of some actions, conditions among them, in order.
    pub fn expressions<'a>(actions: &'a [Action], visit: &mut dyn FnMut(&'a Expr)) {
        for action in actions {
            match action {
                Action::Assign { value, .. } | Action::SetLocal { value, .. } => visit(value),
                Action::Local { value, .. } => value.iter().for_each(&mut *visit),
                Action::Call(call) => visit(call),
                Action::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    visit(condition);
                    Action::expressions(then, visit);
                    Action::expressions(otherwise, visit);
                }
                Action::Repeat { condition, body } => {
                    visit(condition);
                    Action::expressions(body, visit);
                }
                Action::Leave => {}
            }
        }
    }

    /// Calls `visit` on all actions, those under conditions too, in order.
    pub fn walk<'a>(actions: &'a [Action], visit: &mut dyn FnMut(&'a Action)) {
        for action in actions {
            visit(action);
            match action {
                Action::If {
                    then, otherwise, ..
                } => {
                    Action::walk(then, visit);
                    Action::walk(otherwise, visit);
                }
                Action::Repeat { body, .. } => Action::walk(body, visit),
                _ => {}
            }
        }
    }
}

impl Statement {
    /// Whether how much an instance does is known only when it is done: its body has an
    /// [`Action::Repeat`].
    pub fn repeats(&self) -> bool {
        let mut found = false;
        Action::walk(&self.body, &mut |action| {
            found |= matches!(action, Action::Repeat { .. });
        });
        found
    }
}

impl Expr {
    /// The expressions directly below.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Literal(_)
            | Expr::Iterator(_)
            | Expr::Param(_)
            | Expr::Invariant(_)
            | Expr::Local(_)
            | Expr::Access(_)
            | Expr::Row { .. } => Vec::new(),
            Expr::Unary(_, a) | Expr::Cast(_, a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Conditional(a, b, c) => vec![a, b, c],
            Expr::Call(_, arguments) | Expr::Effect { arguments, .. } => arguments.iter().collect(),
        }
    }

    /// Calls `visit` on this expression and every expression below it, outer ones first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// A copy in which each expression for which `replace` has another one is replaced by that,
    /// outer ones first; what replaces is not looked into.
    pub fn map(&self, replace: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
        if let Some(other) = replace(self) {
            return other;
        }
        let mut inner = |e: &Expr| Box::new(e.map(replace));
        match self {
            Expr::Literal(_)
            | Expr::Iterator(_)
            | Expr::Param(_)
            | Expr::Invariant(_)
            | Expr::Local(_)
            | Expr::Access(_)
            | Expr::Row { .. } => self.clone(),
            Expr::Unary(operator, a) => Expr::Unary(*operator, inner(a)),
            Expr::Cast(ctype, a) => Expr::Cast(ctype.clone(), inner(a)),
            Expr::Binary(operator, a, b) => Expr::Binary(*operator, inner(a), inner(b)),
            Expr::Conditional(a, b, c) => Expr::Conditional(inner(a), inner(b), inner(c)),
            Expr::Call(name, arguments) => Expr::Call(
                name.clone(),
                arguments.iter().map(|a| a.map(replace)).collect(),
            ),
            Expr::Effect {
                function,
                arguments,
                state,
            } => Expr::Effect {
                function: function.clone(),
                arguments: arguments.iter().map(|a| a.map(replace)).collect(),
                state: state.clone(),
            },
        }
    }
}
