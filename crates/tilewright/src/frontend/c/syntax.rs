//! Our own small tree of C, as far as regions need it.
//!
//! The parser (lang-c) is behind this: nothing else in the compiler sees its types. Types are
//! resolved (typedefs followed), names are bound (every [`ExprKind::Name`] knows its symbol),
//! constants of enumerations are literals. Everything has a span in the original file.

use crate::diagnostic::Diagnostic;
use crate::scop::{BinaryOp, ScalarType, UnaryOp};
use crate::source::Span;
use std::collections::HashMap;

/// Index into [`Unit::symbols`].
pub type SymbolId = usize;

/// One file.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Every variable that a region or an interface mentions.
    pub symbols: Vec<Symbol>,
    /// The least and the greatest value of tables of constant integers.
    pub tables: HashMap<SymbolId, [i64; 2]>,
    /// Every function defined in the file, in order.
    pub functions: Vec<Function>,
    /// What attributes say of functions, defined in the file or elsewhere; one per name.
    pub declared: Vec<Declared>,
    /// Marked regions in order of the file, or runs of their statements.
    pub regions: Vec<Region>,
    /// The lines of both pragmas of regions that are divided into such runs.
    pub divided: Vec<[Span; 2]>,
    /// The names of labels and of what leads to them.
    pub labels: Labels,
}

/// The names of labels, and of the labels that `goto` leads to, by where these stand in the text. What a
/// macro stands for is all in one place: a place that has two names has none.
#[derive(Clone, Debug, Default)]
pub struct Labels(HashMap<Span, Option<String>>);

impl Labels {
    /// Says what a statement in this place names.
    pub fn name(&mut self, place: Span, label: &str) {
        let label = Some(label.to_owned());
        let known = self.0.entry(place).or_insert_with(|| label.clone());
        if *known != label {
            *known = None;
        }
    }

    /// What a statement names.
    pub fn of(&self, stmt: &Stmt) -> Option<&str> {
        self.0.get(&stmt.span)?.as_deref()
    }
}

impl Unit {
    /// Whether so many models are those of all that is marked in a function: what they say of its
    /// arguments counts for the function.
    pub fn is_modelled(&self, function: usize, models: usize) -> bool {
        let within = self.functions[function].span;
        let divided = self.divided.iter();
        let mut divided = divided
            .filter(|[opening, _]| within.start <= opening.start && opening.start < within.end);
        let regions = self.regions.iter().filter(|r| r.function == function);
        divided.next().is_none() && regions.count() == models
    }
}

/// What the attributes of a function's declarations say of it.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Name.
    pub name: String,
    /// Types of its parameters; `None` where it takes arguments that are not declared.
    pub parameters: Option<Vec<Type>>,
    /// Type of its result.
    pub result: Type,
    /// The function that says which elements of its arguments it accesses: `pencil_access(f)`.
    pub summary: Option<String>,
    /// `const`: its result depends on its arguments only.
    pub is_const: bool,
    /// `pure`: it changes nothing.
    pub is_pure: bool,
    /// `noreturn`: it does not come back.
    pub is_noreturn: bool,
    /// The first declaration with one of these.
    pub span: Span,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<SymbolId>,
    /// Whether it is declared `static`.
    pub is_static: bool,
    /// Type of its result.
    pub result: Type,
    /// Its definition.
    pub span: Span,
    /// The whole body, for what happens around regions (`malloc`, `free`, escapes).
    pub body: Stmt,
}

/// A marked region, a list of statements of one block.
#[derive(Clone, Debug)]
pub struct Region {
    /// Index into [`Unit::functions`].
    pub function: usize,
    /// Its statements.
    pub statements: Vec<Stmt>,
    /// OpenMP's pragmas between them, which are no statements: their words (`omp parallel for`).
    pub openmp: Vec<(String, Span)>,
    /// From the first byte of the line after `#pragma scop` (continuation lines included) to the
    /// first byte of the line of `#pragma endscop`; the statements' bytes where it
    /// [is a run](Region::is_run).
    pub span: Span,
    /// The line of `#pragma scop`, for messages; the first token of a run.
    pub pragma: Span,
    /// From the line of `#pragma scop` to the line of `#pragma endscop`, both included, in the
    /// preprocessed text; the statements' bytes of a run.
    pub preprocessed: Span,
    /// Whether it is a run of statements of a marked region that could not be modelled whole
    /// ([`super::divide`]).
    pub is_run: bool,
    /// Variables that count the turns of loops that move by variables: what they make of subscripts
    /// is an array's row, or nothing that can be told apart.
    pub turns: Vec<SymbolId>,
    /// Why it cannot be replaced by a text.
    pub fixed: Option<Box<Diagnostic>>,
    /// What stands in front of it and behind it.
    pub edges: Edges,
}

/// What the text has in front of a region and behind it. By default: nothing.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// Pointers that stay in the region's statements although they move: what comes behind it finds
    /// them elsewhere.
    pub moves: Vec<Move>,
    /// What is declared in front of it.
    pub front: Vec<Front>,
    /// Where it leaves its function.
    pub leaves: Vec<Leave>,
    /// Variables of the function that its text does not have: in front of the region they are declared
    /// with 0, and the region sets them to how far it has moved pointers.
    pub counters: Vec<SymbolId>,
}

/// Where a region is left by `return` or `goto`: it sets a variable to a number there, and ends; behind
/// it the jump is taken where the variable has that number.
#[derive(Clone, Debug)]
pub struct Leave {
    /// The variable, an `int` that is 0 in front of the region; the program's text does not have it.
    pub flag: SymbolId,
    /// The number.
    pub number: i64,
    /// The jump.
    pub way: Way,
    /// The variable that the region sets to it, likewise of no text.
    pub kept: Option<SymbolId>,
}

/// How a region is left.
#[derive(Clone, Debug)]
pub enum Way {
    /// What the function gives back, as it is behind the region.
    Return(Option<Expr>),
    /// The label that is gone to, outside of the region.
    Goto(String),
}

/// An array of pointers that a region changes, with what they are in front of it.
#[derive(Clone, Debug)]
pub struct Front {
    /// The array, a variable of the function that its text does not have.
    pub array: SymbolId,
    /// What its elements are.
    pub pointers: Vec<Expr>,
    /// They are read only if a turn is made.
    pub asks: bool,
}

/// What becomes of a pointer in a region, or of an integer that chooses one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Carry {
    /// So much is added to it.
    Moved,
    /// It is an integer, 0 or 1, and the other one after each of so many turns.
    Toggled,
    /// After so many turns it is the pointer behind another one among those that change places.
    Exchanged {
        /// The [`Front`]'s array.
        array: SymbolId,
        /// Its own place there.
        at: usize,
        /// How many there are.
        of: usize,
        /// It is set only if a turn was made.
        asks: bool,
    },
}

/// A pointer that a region moves, and that is read behind it.
#[derive(Clone, Debug)]
pub struct Move {
    /// The pointer, or the variable that leads to it.
    pub pointer: SymbolId,
    /// Where it is.
    pub place: Expr,
    /// The variable of the region that the last statement sets to how far it has moved; `None` once
    /// that is known.
    pub counter: Option<SymbolId>,
    /// By how many elements, or in how many turns, from what the region does not change, or from one of
    /// its [counters](Edges::counters); `None` where nobody knows.
    pub by: Option<Expr>,
    /// What that means.
    pub carry: Carry,
    /// Where it moves.
    pub places: Vec<Span>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Name.
    pub name: String,
    /// Type.
    pub ctype: Type,
    /// Where it is declared.
    pub scope: Scope,
    /// Declared `static`.
    pub is_static: bool,
    /// Declared `const` itself (not what it points at).
    pub is_const: bool,
    /// Its initialiser; for variables of the file only where it is a single value, not a list.
    pub initialiser: Option<Expr>,
    /// Its declaration.
    pub span: Span,
}

/// Where a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In the file.
    File,
    /// A parameter of the function with this index.
    Parameter(usize),
    /// In the body of the function with this index, outside every region.
    Function(usize),
    /// Inside the region with this index.
    Region(usize),
}

/// A C type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Integer, floating or `_Bool`; enumerations are integers.
    Scalar(ScalarType),
    /// `element name[extent]`; `None` where C gives none. `restrict` and `static` inside the
    /// brackets of a parameter are in `restrict`; a parameter's outermost array stays an array
    /// here although C turns it into a pointer.
    Array {
        /// The element; an array again for more dimensions.
        element: Box<Type>,
        /// The extent.
        extent: Option<Box<Expr>>,
        /// Whether declared `restrict` (parameters only).
        restrict: bool,
        /// Whether the elements are `const`.
        is_const: bool,
    },
    /// A pointer.
    Pointer {
        /// What it points at.
        target: Box<Type>,
        /// Whether the pointer is `restrict`.
        restrict: bool,
        /// Whether the target is `const`.
        is_const: bool,
    },
    /// A structure or union with its fields, where they are known.
    Struct {
        /// C spelling: `struct point`, or a typedef's name.
        spelling: String,
        /// Whether it is a union (its fields share memory).
        is_union: bool,
        /// Fields.
        fields: Vec<(String, Type)>,
    },
    /// `void`
    Void,
    /// Anything else, by its spelling (functions, complex numbers, vectors, `long double`).
    Other(String),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `{ … }`
    Block(Vec<Stmt>),
    /// A declaration of one variable (one statement per declarator).
    Declaration(SymbolId),
    /// An expression, among them assignments and calls.
    Expression(Expr),
    /// `for (init; condition; step) body`
    For {
        /// A declaration or an expression.
        init: Option<Box<Stmt>>,
        /// The condition.
        condition: Option<Expr>,
        /// The step.
        step: Option<Expr>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `if (condition) then else otherwise`
    If {
        /// The condition.
        condition: Expr,
        /// Then.
        then: Box<Stmt>,
        /// Else.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while (condition) body`
    While {
        /// The condition.
        condition: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `return value;`
    Return(Option<Expr>),
    /// A call of this function, which does not come back: `abort`, or what `assert` calls where it
    /// does not hold.
    Exit(String),
    /// What is no C: nothing comes to it, or the statements as they were written are executed in place
    /// of what they were rewritten to. The words say what holds then (`` `hop` is positive ``).
    Original(String),
    /// `;`
    Empty,
    /// A pragma between statements, its words (`omp parallel for`). Of those in regions only
    /// `pencil` ones are; for `omp` see [`Region::openmp`].
    Pragma(String),
    /// `break`, `continue`, `goto x`, `switch`, a label, `do`, `asm`: by its keyword. What stands
    /// under it is not hidden: then this is the first statement of a block, and the statements and
    /// expressions under it follow there. `scop` and `endscop` are pragmas of the function's body.
    Unsupported(&'static str),
}

/// What `sizeof` is asked of.
#[derive(Clone, Debug, PartialEq)]
pub enum Sized {
    /// A type.
    Type(Type),
    /// The type of an expression.
    Value(Box<Expr>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer that C gives type `int` or wider: its value, and its spelling.
    Integer(i64, String),
    /// A floating or character literal, a string, or an integer beyond `i64`, by its spelling.
    Literal(String),
    /// A variable.
    Name(SymbolId),
    /// A name without a declaration that we know (a function's name is in [`ExprKind::Call`]).
    Unknown(String),
    /// `base[subscript]`
    Subscript(Box<Expr>, Box<Expr>),
    /// `base.field`
    Field(Box<Expr>, String),
    /// `base->field`
    Arrow(Box<Expr>, String),
    /// `*pointer`
    Dereference(Box<Expr>),
    /// `&place`
    AddressOf(Box<Expr>),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `target = value`, or with an operator `target op= value`
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++x`, `x++` (+1), `--x`, `x--` (−1), and whether it stands behind.
    Increment {
        /// What is changed.
        target: Box<Expr>,
        /// 1 or −1.
        by: i64,
        /// `x++` rather than `++x`.
        postfix: bool,
    },
    /// `condition ? then : otherwise`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(type)value`
    Cast(Type, Box<Expr>),
    /// A call of a function by its name.
    Call(String, Vec<Expr>),
    /// `sizeof(type)` with that type (extents of `malloc(sizeof(float[n][m]))` are read from it),
    /// or `sizeof expression` with that expression, which is not evaluated; and its spelling.
    SizeOf(Sized, String),
    /// `a, b`
    Comma(Vec<Expr>),
    /// `{a, b, …}` as an initialiser.
    List(Vec<Expr>),
    /// Anything else (statement expressions, compound literals, calls through pointers), named.
    /// Its operands are not hidden: then this is the first part of a [`ExprKind::Comma`], and
    /// they follow there.
    Unsupported(&'static str),
}
