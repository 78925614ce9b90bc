//! Programs as trees: what the generator makes, the reducer takes apart, and `Display` prints as C.

use std::fmt::{self, Write as _};

/// Arithmetic types of C that programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Type {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    F80,
}

impl Type {
    /// All of them.
    pub const ALL: [Type; 11] = [
        Type::I8,
        Type::U8,
        Type::I16,
        Type::U16,
        Type::I32,
        Type::U32,
        Type::I64,
        Type::U64,
        Type::F32,
        Type::F64,
        Type::F80,
    ];

    /// The C type.
    pub fn c(self) -> &'static str {
        match self {
            Type::I8 => "signed char",
            Type::U8 => "unsigned char",
            Type::I16 => "short",
            Type::U16 => "unsigned short",
            Type::I32 => "int",
            Type::U32 => "unsigned",
            Type::I64 => "long",
            Type::U64 => "size_t",
            Type::F32 => "float",
            Type::F64 => "double",
            Type::F80 => "long double",
        }
    }

    /// The type as one word, as case files and the runtime call it.
    pub fn word(self) -> &'static str {
        match self {
            Type::I8 => "i8",
            Type::U8 => "u8",
            Type::I16 => "i16",
            Type::U16 => "u16",
            Type::I32 => "i32",
            Type::U32 => "u32",
            Type::I64 => "i64",
            Type::U64 => "u64",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::F80 => "f80",
        }
    }

    /// Reads [`Type::word`].
    pub fn parse(word: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|t| t.word() == word)
    }

    /// Bytes of a value.
    pub fn bytes(self) -> usize {
        match self {
            Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 => 8,
            Type::F80 => 16,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64 | Type::F80)
    }

    /// Whether it is an integer type with negative values.
    pub fn is_signed(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64)
    }

    /// Least and greatest value of an integer type.
    pub fn bounds(self) -> (i128, i128) {
        let bits = self.bytes() * 8;
        if self.is_signed() {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        } else {
            (0, (1i128 << bits) - 1)
        }
    }

    /// C's integer promotions.
    pub fn promoted(self) -> Type {
        if self.is_float() || self.bytes() >= 4 {
            self
        } else {
            Type::I32
        }
    }

    /// C's usual arithmetic conversions.
    pub fn common(self, other: Type) -> Type {
        let (a, b) = (self.promoted(), other.promoted());
        if a.is_float() || b.is_float() {
            let longer = [Type::F80, Type::F64].into_iter();
            let mut longer = longer.filter(|longer| a == *longer || b == *longer);
            return longer.next().unwrap_or(Type::F32);
        }
        // Types of one size are ordered signed before unsigned.
        a.max(b)
    }
}

/// An expression. Names and literals are text: the reducer replaces them as a whole.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Expr {
    Atom(String),
    /// A name (or `image.data`) with subscripts.
    Index(String, Vec<Expr>),
    /// A field of it.
    Field(Box<Expr>, &'static str),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Cast(&'static str, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
}

impl Expr {
    /// A name or literal.
    pub fn atom(text: impl Into<String>) -> Expr {
        Expr::Atom(text.into())
    }

    /// Two operands.
    pub fn binary(op: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// `condition ? yes : no`.
    pub fn cond(condition: Expr, yes: Expr, no: Expr) -> Expr {
        Expr::Cond(Box::new(condition), Box::new(yes), Box::new(no))
    }

    /// A conversion.
    pub fn cast(to: Type, value: Expr) -> Expr {
        Expr::Cast(to.c(), Box::new(value))
    }

    /// Its operands.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Atom(_) => Vec::new(),
            Expr::Index(_, of) | Expr::Call(_, of) => of.iter().collect(),
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Field(a, _) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Cond(a, b, c) => vec![a, b, c],
        }
    }

    /// The same, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Atom(_) => Vec::new(),
            Expr::Index(_, of) | Expr::Call(_, of) => of.iter_mut().collect(),
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Field(a, _) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Cond(a, b, c) => vec![a, b, c],
        }
    }

    fn precedence(&self) -> u8 {
        match self {
            // A negative literal is a negation.
            Expr::Atom(text) if text.starts_with('-') => 13,
            Expr::Atom(_) | Expr::Index(..) | Expr::Call(..) | Expr::Field(..) => 15,
            Expr::Unary(..) | Expr::Cast(..) => 13,
            Expr::Binary(op, ..) => match *op {
                "*" | "/" | "%" => 12,
                "+" | "-" => 11,
                "<<" | ">>" => 10,
                "<" | "<=" | ">" | ">=" => 9,
                "==" | "!=" => 8,
                "&" => 7,
                "^" => 6,
                "|" => 5,
                "&&" => 4,
                "||" => 3,
                "=" => 1,
                _ => 0,
            },
            Expr::Cond(..) => 2,
        }
    }

    fn within(&self, f: &mut fmt::Formatter<'_>, least: u8) -> fmt::Result {
        if self.precedence() < least {
            write!(f, "({self})")
        } else {
            write!(f, "{self}")
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Atom(text) => f.write_str(text),
            Expr::Index(name, subscripts) => {
                f.write_str(name)?;
                subscripts.iter().try_for_each(|s| write!(f, "[{s}]"))
            }
            Expr::Field(of, name) => {
                of.within(f, 15)?;
                write!(f, ".{name}")
            }
            Expr::Unary(op, a) => {
                f.write_str(op)?;
                a.within(f, 14)
            }
            Expr::Cast(ty, a) => {
                write!(f, "({ty})")?;
                a.within(f, 13)
            }
            Expr::Binary(op, a, b) => {
                let own = self.precedence();
                a.within(f, own)?;
                write!(f, " {op} ")?;
                b.within(f, own + 1)
            }
            Expr::Cond(a, b, c) => {
                a.within(f, 3)?;
                write!(f, " ? {b} : ")?;
                c.within(f, 2)
            }
            Expr::Call(name, arguments) => {
                write!(f, "{name}(")?;
                for (k, argument) in arguments.iter().enumerate() {
                    f.write_str(if k > 0 { ", " } else { "" })?;
                    write!(f, "{argument}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Stmt {
    /// `ty name = value;`
    Declare {
        ty: String,
        name: String,
        value: Option<Expr>,
    },
    /// `target op value;` with `=`, `+=` and so on.
    Set {
        target: Expr,
        op: &'static str,
        value: Expr,
    },
    /// `target++;` and `--target;`: text in front and behind.
    Step(&'static str, Expr, &'static str),
    If {
        condition: Expr,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    For(Box<For>),
    /// `while (condition) body`, or with `last` `do body while (condition);`.
    While {
        condition: Expr,
        body: Vec<Stmt>,
        last: bool,
    },
    /// Several that are no blocks, as one: `a[i] = x, k++;`
    Comma(Vec<Stmt>),
    /// `return value;`
    Return(Expr),
    /// A marked region.
    Region(Vec<Stmt>),
    /// Something else on a line of its own.
    Raw(String),
}

/// `for (ty var = from; condition; step) body`; without a type the variable was declared before, without
/// a variable nothing is set.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct For {
    pub ty: Option<&'static str>,
    pub var: String,
    pub from: Expr,
    pub condition: Expr,
    pub step: String,
    pub body: Vec<Stmt>,
}

fn body(text: &mut String, statements: &[Stmt], depth: usize) {
    // One statement needs no braces, as many programmers have it.
    let plain = matches!(
        statements,
        [Stmt::Set { .. } | Stmt::Step(..) | Stmt::Comma(_) | Stmt::For(_)]
    );
    if plain {
        text.push('\n');
        print(text, statements, depth + 1);
    } else {
        text.push_str(" {\n");
        print(text, statements, depth + 1);
        let _ = writeln!(text, "{}}}", "    ".repeat(depth));
    }
}

/// A statement that is no block, without what ends it.
fn plain(statement: &Stmt) -> String {
    match statement {
        Stmt::Set { target, op, value } => format!("{target} {op} {value}"),
        // What stands behind binds more tightly than what stands in front.
        Stmt::Step(front, target, behind) => match target.precedence() < 15 && !behind.is_empty() {
            true => format!("{front}({target}){behind}"),
            false => format!("{front}{target}{behind}"),
        },
        _ => String::new(),
    }
}

/// Writes statements, each on lines of its own.
pub fn print(text: &mut String, statements: &[Stmt], depth: usize) {
    let indent = "    ".repeat(depth);
    for statement in statements {
        match statement {
            Stmt::Declare { ty, name, value } => {
                let _ = match value {
                    Some(value) => writeln!(text, "{indent}{ty} {name} = {value};"),
                    None => writeln!(text, "{indent}{ty} {name};"),
                };
            }
            Stmt::Set { .. } | Stmt::Step(..) => {
                let _ = writeln!(text, "{indent}{};", plain(statement));
            }
            Stmt::Comma(all) => {
                let all: Vec<String> = all.iter().map(plain).collect();
                let _ = writeln!(text, "{indent}{};", all.join(", "));
            }
            Stmt::If {
                condition,
                then,
                other,
            } => {
                let _ = write!(text, "{indent}if ({condition}) {{");
                text.push('\n');
                print(text, then, depth + 1);
                let _ = writeln!(text, "{indent}}}");
                if !other.is_empty() {
                    let _ = write!(text, "{indent}else");
                    body(text, other, depth);
                }
            }
            Stmt::For(nest) => {
                let ty = nest.ty.map(|ty| format!("{ty} ")).unwrap_or_default();
                let first = match nest.var.as_str() {
                    "" => String::new(),
                    var => format!("{ty}{var} = {}", nest.from),
                };
                let _ = write!(
                    text,
                    "{indent}for ({first}; {}; {})",
                    nest.condition, nest.step
                );
                body(text, &nest.body, depth);
            }
            Stmt::While {
                condition,
                body: inside,
                last,
            } => {
                let head = if *last {
                    "do".to_owned()
                } else {
                    format!("while ({condition})")
                };
                let _ = writeln!(text, "{indent}{head} {{");
                print(text, inside, depth + 1);
                let tail = if *last {
                    format!(" while ({condition});")
                } else {
                    String::new()
                };
                let _ = writeln!(text, "{indent}}}{tail}");
            }
            Stmt::Return(value) => {
                let _ = writeln!(text, "{indent}return {value};");
            }
            Stmt::Region(statements) => {
                text.push_str("#pragma scop\n");
                print(text, statements, depth);
                text.push_str("#pragma endscop\n");
            }
            Stmt::Raw(line) => {
                let _ = writeln!(text, "{indent}{line}");
            }
        }
    }
}

/// All expressions of statements, not their parts.
pub fn expressions<'a>(statements: &'a mut [Stmt], all: &mut Vec<&'a mut Expr>) {
    for statement in statements {
        match statement {
            Stmt::Declare { value, .. } => all.extend(value.as_mut()),
            Stmt::Return(value) => all.push(value),
            Stmt::Set { target, value, .. } => all.extend([target, value]),
            Stmt::Step(_, target, _) => all.push(target),
            Stmt::If {
                condition,
                then,
                other,
            } => {
                all.push(condition);
                expressions(then, all);
                expressions(other, all);
            }
            Stmt::For(nest) => {
                all.extend([&mut nest.from, &mut nest.condition]);
                expressions(&mut nest.body, all);
            }
            Stmt::While {
                condition, body, ..
            } => {
                all.push(condition);
                expressions(body, all);
            }
            Stmt::Region(body) | Stmt::Comma(body) => expressions(body, all),
            Stmt::Raw(_) => {}
        }
    }
}

/// Applies `act` to an expression and each of its parts.
pub fn each_part(expr: &mut Expr, act: &mut dyn FnMut(&mut Expr)) {
    act(expr);
    for operand in expr.operands_mut() {
        each_part(operand, act);
    }
}

/// A function; `head` is everything in front of its body.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Function {
    pub head: String,
    pub body: Vec<Stmt>,
}

/// What an array is filled with before each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Least value.
    pub low: i64,
    /// Greatest value; for floating-point numbers a multiple of a quarter between the two.
    pub high: i64,
    /// In ascending order.
    pub sorted: bool,
}

/// Memory that the program gets: `p[k]` of its function `entry`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Memory {
    pub ty: Type,
    pub fill: Fill,
}

/// One call of `entry`: the numbers `s[0]`, …; of each piece of memory its number of elements, and
/// greatest values where they depend on the numbers.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Run {
    pub numbers: Vec<i64>,
    pub counts: Vec<usize>,
    pub highs: Vec<i64>,
}

/// A file of C with `void entry(const long *s, void **p)`, by which it is called.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Program {
    /// What kind of program the generator had in mind.
    pub kind: &'static str,
    /// Types, macros, globals and small functions, each with its text.
    pub top: Vec<String>,
    pub functions: Vec<Function>,
    /// The statements of `entry`.
    pub entry: Vec<Stmt>,
    pub memory: Vec<Memory>,
    pub runs: Vec<Run>,
}

/// What stands in front of every program: C's library as far as programs use it.
pub const PRELUDE: &str = "typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t, pixel;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef float real;
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern void *malloc(size_t), *calloc(size_t, size_t);
extern void free(void *), abort(void), exit(int), _Exit(int);
extern float fminf(float, float), fmaxf(float, float), fabsf(float), sqrtf(float), floorf(float);
extern double fmin(double, double), fmax(double, double), fabs(double), sqrt(double), exp(double);
";

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PRELUDE)?;
        for item in &self.top {
            writeln!(f, "{item}")?;
        }
        for function in &self.functions {
            let mut text = String::new();
            print(&mut text, &function.body, 1);
            write!(f, "{}\n{{\n{text}}}\n", function.head)?;
        }
        let mut text = String::new();
        print(&mut text, &self.entry, 1);
        write!(f, "void entry(const long *s, void **p)\n{{\n{text}}}\n")
    }
}
