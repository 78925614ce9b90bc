//! The program as it is: parameters, arrays, statements, original order.
//!
//! A [`Scop`] is immutable once built. Every front end produces the same thing; everything behind
//! it works from this alone.
//!
//! # Invariants
//!
//! - Statement tuples are named by [`Statement::name`], array tuples by [`Array::name`]; both are
//!   unique across the scop, and valid isl and C identifiers.
//! - All sets and maps are over the parameters of [`Scop::params`], by name.
//! - A statement's accesses are numbered from 0 in [`Statement::accesses`]; every
//!   [`Expr::Access`] and every assignment target names one of them, and every access is named at
//!   least once, but for reads that only stand for the old value behind a write that is not exact. An instance performs all its reads before its writes, unless a body of several
//!   actions reads what it wrote itself (then that read is still listed).
//! - A relation over-approximates the cells touched. `exact` says that every instance of the
//!   domain touches exactly the one cell that the relation gives, whatever the data. A write that
//!   is not exact always comes with a read of the same relation (the old value may survive), so
//!   that an analysis may treat the pair as a read-modify-write when the relation is single-valued.
//! - Temporaries declared inside a loop are expanded: a variable declared under `d` loops is an
//!   array with `d` leading dimensions indexed by those loops' iterators ([`Origin::Region`]).
//!   Buffers fold them back to what C declared.
//! - The schedule tree has domain, band, sequence and filter nodes only; every band member is one
//!   loop of the original, leaves are single statements.

mod assumptions;
mod calls;
pub mod checks;
mod context;
pub mod dump;
pub mod exits;
pub mod expression;
mod in_front;
mod kinds;
pub mod linear;
pub mod members;
mod strides;
#[cfg(test)]
pub(crate) mod testing;
pub mod totality;
pub(crate) mod tree;

pub use assumptions::Assumptions;
pub(crate) use assumptions::Projections;
pub use calls::hidden::Hidden;
pub use calls::{Outside, OutsideCall};
pub use checks::{
    CheckKind, Checks, Computation, Divisor, Edge, Followed, Inside, Memory, ParameterCheck,
    Pointers, Rows, Survey, Surveyed, Sweep, Trust,
};
pub use context::new_context;
use linear::LinearForm;
pub(crate) use tree::{Restructure, Tree, in_sequence};

pub use expression::{Action, BinaryOp, Expr, UnaryOp};

pub use kinds::ScalarKind;
pub use members::Members;

use crate::source::Span;
use std::collections::BTreeMap;

/// Index into [`Scop::params`].
pub type ParamId = usize;
/// Index into [`Scop::arrays`].
pub type ArrayId = usize;
/// Index into [`Scop::statements`].
pub type StatementId = usize;
/// Index into [`Statement::accesses`].
pub type AccessId = usize;

/// A C scalar type (sizes of 64-bit Linux).
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct ScalarType {
    /// What it is.
    pub kind: ScalarKind,
    /// How the program spells it, without qualifiers (`float`, `unsigned char`, `pixel_t`).
    pub spelling: String,
}

/// A symbolic constant: an integer that does not change while the region runs.
#[derive(Clone, Debug)]
pub struct Param {
    /// Name in sets and maps.
    pub name: String,
    /// C expression for its value at the region (`n`, `s->width`).
    pub spelling: String,
    /// Its type.
    pub ctype: ScalarType,
    /// Where it is declared.
    pub span: Span,
    /// How it is computed from others in front of the region; `None`: it is a variable, or a field.
    pub computed: Option<Computed>,
}

/// A parameter that is computed from others.
#[derive(Clone, Debug, PartialEq)]
pub enum Computed {
    /// `dividend / divisor`.
    Quotient {
        /// A sum of multiples of parameters.
        dividend: LinearForm<ParamId>,
        /// At least 2; a power of two where the quotient is rounded down.
        divisor: i64,
        /// Where it is rounded to.
        rounding: Rounding,
    },
    /// A product of parameters, modulo a power of two as the type has it.
    Product(Vec<ParamId>),
    /// What its spelling says, from these.
    Value(Vec<ParamId>),
}

/// Where a quotient of integers is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards zero, as C's `/` does.
    Zero,
    /// Down, as `>>` of signed numbers does.
    Down,
}

/// Where an array lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A parameter of the function.
    Parameter,
    /// A variable of the function, outside the region; heap arrays through a local pointer too.
    Local,
    /// A variable of the file.
    Global,
    /// Declared inside the region under this many loops; the array has as many leading
    /// dimensions more than C declared.
    Region {
        /// Enclosing loops at the declaration.
        depth: usize,
    },
    /// Hidden state: an object without dimensions that is no variable. Only calls
    /// ([`Expr::Effect`]) access it, values come from before the region and are left behind it, and
    /// it is always where it is ([`Scop::outside`]).
    Hidden(Hidden),
}

/// An array, or a scalar that the region writes (zero dimensions).
#[derive(Clone, Debug)]
pub struct Array {
    /// Tuple name in sets and maps.
    pub name: String,
    /// What stands before the subscripts in C: `img`, `grid->cells`.
    pub base: String,
    /// Which member of its elements it is, where these are structures.
    pub members: Members,
    /// Element type.
    pub element: ScalarType,
    /// Extents, outermost first. Empty for scalars.
    pub extents: Vec<Extent>,
    /// How subscripts turn into C.
    pub layout: Layout,
    /// Whether values from before the region may be read in it.
    pub live_in: bool,
    /// Whether values may be read after the region.
    pub live_out: bool,
    /// Where it lives.
    pub origin: Origin,
    /// The function's variable that holds it, or a pointer to it, or to a structure that leads to it;
    /// `None` where a copy of the variable would be a copy of the array.
    pub variable: Option<String>,
    /// Its declaration.
    pub span: Span,
}

impl Array {
    /// Those of some cells whose subscripts are inside of the extents that are known; these begin at a
    /// dimension of the cells.
    ///
    /// # Errors
    /// isl's own.
    pub(crate) fn inside(&self, cells: &isl::Set, first: usize) -> isl::Result<isl::Set> {
        let mut cells = cells.clone();
        for (d, extent) in self.extents.iter().enumerate() {
            let Some(end) = &extent.affine else {
                continue;
            };
            let space = cells.get_space()?;
            let space = space.align_params(&end.get_space()?.params()?)?;
            let local = isl::LocalSpace::from_space(&space)?;
            let at = isl::PwAff::var_on_domain(&local, isl::DimType::Set, first + d)?;
            let end = end.align_params(&space)?.insert_domain(&space)?;
            cells = cells
                .lower_bound_si(isl::DimType::Set, first + d, 0)?
                .intersect(&at.lt_set(&end)?)?;
        }
        Ok(cells)
    }
}

/// One extent of an array.
#[derive(Clone, Debug)]
pub struct Extent {
    /// C expression whose value in front of the region is this (`R + 4`), where one is known.
    pub spelling: Option<String>,
    /// The same, affine in the parameters, where it is: over the parameter space.
    pub affine: Option<isl::PwAff>,
}

/// A pure function of the file, for code that cannot call it where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Callee {
    /// Its name.
    pub name: String,
    /// Its definition in C without storage class, types by their canonical names
    /// ([`ScalarKind::c_name`]). It mentions its own variables, literals, and the functions in
    /// `calls`.
    pub definition: String,
    /// The functions that it calls, of the file and of the standard library.
    pub calls: Vec<String>,
    /// What it computes, where it is straight-line code.
    pub formula: Option<Formula>,
}

/// What a function computes from its parameters. Parameters and variables are
/// [`Expr::Local`]; there are no iterators, parameters of the region, or accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Names, in order.
    pub parameters: Vec<String>,
    /// Its variables with what they hold, each from what stands before it.
    pub variables: Vec<(String, Expr)>,
    /// What it returns.
    pub result: Expr,
}

/// How subscripts turn into C.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// `a[i][j]`
    Subscripts,
    /// `a[i * n + k]`: a linearised array, seen as multi-dimensional.
    Linear(Linear),
}

impl Layout {
    /// The dimensions that share one of C's subscripts.
    pub fn linear(&self) -> Option<&Linear> {
        match self {
            Layout::Subscripts => None,
            Layout::Linear(linear) => Some(linear),
        }
    }

    /// The dimension that one of C's subscripts is, the last of several that share it.
    pub fn dim_of(&self, subscript: usize) -> usize {
        match self.linear() {
            Some(linear) if subscript >= linear.before => subscript + linear.strides.len() - 1,
            _ => subscript,
        }
    }

    /// Whether a step of the first dimension is a row that holds all that stands behind its subscript.
    pub fn has_rows(&self) -> bool {
        self.linear()
            .is_none_or(|linear| linear.inner == Inner::Inside)
    }

    /// How many of C's elements, behind its first subscript, one step of the outermost dimension
    /// is, where it is not one.
    pub fn outer_stride(&self) -> Option<&str> {
        let linear = self.linear().filter(|linear| linear.before == 0)?;
        let stride = linear.strides.first()?;
        (stride.text != "1").then_some(&stride.text)
    }
}

/// Dimensions of which C has one subscript, as a sum: `y` and `x` in `a[y * w + x][c]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// How many dimensions stand in front of them, with subscripts of their own.
    pub before: usize,
    /// Outermost first; the last is 1. What remains of the array's dimensions has subscripts of its
    /// own.
    pub strides: Vec<Stride>,
    /// Where the subscripts of all of them but the first are.
    pub inner: Inner,
}

/// How many elements a step of a dimension is: a sum of products of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stride {
    /// As C.
    pub text: String,
    /// The parameters of each product, and how often it is in the sum.
    pub sum: Vec<(Vec<ParamId>, i64)>,
}

impl Stride {
    /// With these values of the parameters; `None` where it does not fit.
    pub fn value(&self, sizes: &[i64]) -> Option<i64> {
        let product = |(params, times): &(Vec<ParamId>, i64)| {
            let mut factors = params.iter().map(|&param| sizes.get(param).copied());
            factors.try_fold(*times, |product, factor| product.checked_mul(factor?))
        };
        let mut products = self.sum.iter().map(product);
        products.try_fold(0_i64, |sum, one| sum.checked_add(one?))
    }
}

/// Where subscripts are that were taken from a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// In their extents: different subscripts are different elements, and as many steps of the first
    /// dimension hold all of them as it has subscripts.
    Inside,
    /// In as many elements, which begin elsewhere: different subscripts are different elements.
    Moved,
    /// Anywhere: different subscripts may be one element. The region only reads the array.
    Anywhere,
}

impl Linear {
    /// Its dimensions.
    pub fn dims(&self) -> std::ops::Range<usize> {
        self.before..self.before + self.strides.len()
    }

    /// Its strides as C.
    pub fn texts(&self) -> Vec<String> {
        let strides = self.strides.iter();
        strides.map(|stride| stride.text.clone()).collect()
    }
}

/// One statement and all its instances.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Tuple name in sets and maps: `S0`, `S1`, … in textual order.
    pub name: String,
    /// Instances: a set of `name[iterators]`.
    pub domain: isl::Set,
    /// The enclosing loops' variables, outermost first; one per dimension of the domain.
    pub iterators: Vec<Iterator>,
    /// What it does.
    pub body: Vec<Action>,
    /// What it touches.
    pub accesses: Vec<Access>,
    /// Its text.
    pub span: Span,
}

/// A loop variable. Its dimension in the domain has the variable's own values, also for loops
/// with a step other than one and for loops that count down (the schedule negates those).
#[derive(Clone, Debug, PartialEq)]
pub struct Iterator {
    /// Its C name.
    pub name: String,
    /// Its C type.
    pub ctype: ScalarType,
}

/// Direction of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// One access of a statement.
#[derive(Clone, Debug)]
pub struct Access {
    /// Which array.
    pub array: ArrayId,
    /// Reads or writes.
    pub kind: AccessKind,
    /// Whether every instance of the domain touches exactly the one cell that `relation` gives.
    pub exact: bool,
    /// From the statement's instances to the array's cells, restricted to the domain. For a
    /// subscript that is not affine, that dimension ranges over the array's whole extent.
    pub relation: isl::Map,
    /// The subscripts as expressions, outermost first, one per dimension of the array.
    pub subscripts: Vec<Expr>,
    /// The same as affine functions of the instance, where they are: over the statement's space.
    pub affine: Vec<Option<isl::PwAff>>,
    /// Its text.
    pub span: Span,
}

/// One marked region.
#[derive(Clone, Debug)]
pub struct Scop {
    /// The isl context everything here lives in.
    pub ctx: isl::Ctx,
    /// Where it is.
    pub place: RegionPlace,
    /// Symbolic constants.
    pub params: Vec<Param>,
    /// What may be assumed of the parameters: a parameter set.
    pub context: isl::Set,
    /// The parts of it that somebody asks for.
    pub conditions: Conditions,
    /// Types of the scalars that the region only reads, by their C spelling ([`Expr::Invariant`]).
    pub invariants: BTreeMap<String, ScalarType>,
    /// The functions that it calls.
    pub calls: Called,
    /// What is known of its loops beside their domains.
    pub loops: LoopClaims,
    /// What its text has in front of it and behind it.
    pub edges: Edges,
    /// Arrays and written scalars.
    pub arrays: Vec<Array>,
    /// Statements in textual order.
    pub statements: Vec<Statement>,
    /// The original order.
    pub schedule: isl::Schedule,
}

/// Where a region is.
#[derive(Clone, Debug)]
pub struct RegionPlace {
    /// The function that holds the region.
    pub function: String,
    /// Number of the region in its file, from 0.
    pub index: usize,
    /// What the generated text replaces: from the first byte of the line after `#pragma scop`
    /// to the first byte of the line of `#pragma endscop`.
    pub span: Span,
}

/// Parts of what is assumed of the parameters.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// What is compared when the program runs.
    pub checks: Checks,
    /// What concerns one statement, see [`Scop::assumed`].
    pub assumptions: Assumptions,
}

/// Functions that a region calls.
#[derive(Clone, Debug, Default)]
pub struct Called {
    /// Those that have a value for all arguments, with the type of their result: straight-line
    /// floating-point arithmetic. Others may have been kept from arguments for which they do not
    /// return.
    pub total: BTreeMap<String, ScalarKind>,
    /// The file's own, each behind those that it calls itself.
    pub callees: Vec<Callee>,
}

/// What is known of loops beside their domains.
#[derive(Clone, Debug, Default)]
pub struct LoopClaims {
    /// Temporaries that hold a bound of a loop that is data, by name: static bounds on the same
    /// side, inclusive and over the parameters, that the domains have in its place. They follow
    /// from the data wherever the program is defined.
    pub bounds: BTreeMap<String, Vec<isl::PwAff>>,
    /// Loops that are independent by the program's word.
    pub independent: Vec<Independent>,
}

/// What the text of a region has in front of it and behind it. By default: nothing.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// What is computed in front of the region, in order: values of the last parameters.
    pub inspections: Vec<Inspection>,
    /// Arrays that the region fills in another form, if they fit ([`crate::rewrite::ell`]).
    pub packing: Option<Packing>,
    /// Arrays that the generated text declares in front of all else.
    pub front: Vec<Front>,
    /// Statements in C that move pointers which stay in the region to where it leaves them: they come
    /// last.
    pub moves: Vec<String>,
}

/// An array of pointers, or a number of elements, of which the program's text knows nothing.
#[derive(Clone, Debug)]
pub struct Front {
    /// Its name.
    pub name: String,
    /// Its declaration, with what it holds.
    pub declaration: String,
}

/// The largest or the smallest value that a bound takes, computed in front of the region
/// ([`crate::transform::inspect`]).
#[derive(Clone, Debug)]
pub struct Inspection {
    /// Spelling and name of the parameter, a variable that the generated text declares; it begins
    /// with 0.
    pub variable: String,
    /// The largest value, or the smallest.
    pub upper: bool,
    /// What computes the bound, a read-only statement whose body is one [`Action::SetLocal`].
    pub statement: Statement,
    /// Its loops.
    pub schedule: isl::Schedule,
}

/// Arrays in ELLPACK form, which the generated text allocates around the region. They are filled
/// and used only if they are not much longer than what they are filled from.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Parameter: entries of the longest row.
    pub width: String,
    /// Parameter: the number of rows.
    pub rows: String,
    /// C expression: entries of all rows.
    pub entries: String,
    /// The arrays, of `width` by `rows` elements.
    pub arrays: Vec<ArrayId>,
}

/// A loop whose iterations do not depend on each other, as the program says.
#[derive(Clone, Debug)]
pub struct Independent {
    /// How many loops are around it.
    pub depth: usize,
    /// The statements inside.
    pub statements: Vec<String>,
    /// Arrays of which that is not said: reductions.
    pub except: Vec<String>,
}

/// How C asks whether a pointer is set, the spelling of a parameter.
pub fn presence(pointer: &str) -> String {
    format!("({pointer} != 0)")
}

/// How far a pointer is from another one, the spelling of a parameter.
pub fn distance(pointer: &str, from: &str) -> String {
    format!("({pointer} - {from})")
}

impl Scop {
    /// Whether the region asks if an array is there at all: what stands behind the pointer is accessed
    /// under that condition only.
    pub fn may_be_null(&self, array: &Array) -> bool {
        let asked = presence(&array.base);
        self.params.iter().any(|param| param.spelling == asked)
    }

    /// The union of all domains.
    pub fn domain(&self) -> isl::Result<isl::UnionSet> {
        let mut all = isl::UnionSet::empty_ctx(&self.ctx)?;
        for statement in &self.statements {
            all = all.union(&isl::UnionSet::from_set(&statement.domain)?)?;
        }
        Ok(all)
    }

    /// The program with these statements in place of its own, each in the order that the one of its
    /// name has.
    ///
    /// # Errors
    /// isl's own.
    pub(crate) fn of_statements(&self, statements: Vec<Statement>) -> isl::Result<Scop> {
        let mut domain = isl::UnionSet::empty_ctx(&self.ctx)?;
        for statement in &statements {
            domain = domain.add_set(&statement.domain)?;
        }
        Ok(Scop {
            schedule: self.schedule.intersect_domain(&domain)?,
            conditions: Conditions {
                assumptions: Assumptions::of(&self.context, &statements)?,
                ..self.conditions.clone()
            },
            statements,
            ..self.clone()
        })
    }

    /// What the program says of no array called `of`, it does not say of `also`: one that takes over
    /// some of its accesses.
    pub(crate) fn except_likewise(&mut self, of: &str, also: &str) {
        for said in &mut self.loops.independent {
            if said.except.iter().any(|name| name == of) {
                said.except.push(also.to_owned());
            }
        }
    }

    /// The statement with this tuple name.
    pub fn statement_named(&self, name: &str) -> Option<StatementId> {
        self.statements.iter().position(|s| s.name == name)
    }

    /// The array with this tuple name.
    pub fn array_named(&self, name: &str) -> Option<ArrayId> {
        self.arrays.iter().position(|a| a.name == name)
    }
}
