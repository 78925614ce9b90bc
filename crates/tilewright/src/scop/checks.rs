//! What a model takes for granted although C does not say it: compared when the program runs, in
//! front of the region. Where it does not hold, the original statements are executed.

use super::{Members, ScalarKind};
use crate::source::Span;
use isl::{PwAff, Result, Set};
use std::collections::BTreeSet;

/// What may be taken for granted of a program: `--assume` and `--no-assume` name these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckKind {
    /// What is reached through different names is different memory.
    Aliasing,
    /// Subscripts of an array that is one behind the other in memory stay in their rows, so that it
    /// has several dimensions.
    Rows,
    /// Unsigned arithmetic does not wrap around, conversions change no value, and variables of loops
    /// stay in the range of their types.
    Wrap,
    /// A loop that ends where its variable is equal to a bound begins in front of it, and one that moves
    /// by a variable moves on.
    Ends,
    /// Calls that do not come back, as where an `assert` fails, are not come to.
    Errors,
    /// Pointers that the region follows for some sizes only can be followed in front of it for all.
    Pointers,
    /// Sizes of 64 bits are no further from 0 than [`LARGEST`].
    Sizes,
}

impl CheckKind {
    /// All of them.
    pub const ALL: [CheckKind; 7] = [
        CheckKind::Aliasing,
        CheckKind::Rows,
        CheckKind::Wrap,
        CheckKind::Ends,
        CheckKind::Errors,
        CheckKind::Pointers,
        CheckKind::Sizes,
    ];

    /// As options and reports call it.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Aliasing => "aliasing",
            CheckKind::Rows => "rows",
            CheckKind::Wrap => "wrap",
            CheckKind::Ends => "ends",
            CheckKind::Errors => "errors",
            CheckKind::Pointers => "pointers",
            CheckKind::Sizes => "sizes",
        }
    }
}

/// What becomes of checks by their kinds; those of other kinds stand in front of the region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The user promises that these hold: nothing is compared.
    pub assumed: BTreeSet<CheckKind>,
    /// Nothing of these is taken for granted: what needs it is not done.
    pub refused: BTreeSet<CheckKind>,
}

impl Trust {
    /// Whether checks of this kind hold by the user's promise.
    pub fn assumes(&self, kind: CheckKind) -> bool {
        self.assumed.contains(&kind)
    }

    /// Whether nothing of this kind may be taken for granted.
    pub fn refuses(&self, kind: CheckKind) -> bool {
        self.refused.contains(&kind)
    }
}

/// The comparisons of one region.
#[derive(Clone, Debug)]
pub struct Checks {
    /// What holds of the parameters without any: what types, declarations and the program say. The
    /// region's context is this and all of [`Checks::parameters`].
    pub given: Set,
    /// Conditions on parameters, each simplified by what stands before it.
    pub parameters: Vec<ParameterCheck>,
    /// Memory that the region writes, and other memory that it reads or writes and that C allows to
    /// be the same.
    pub apart: Vec<[Memory; 2]>,
    /// Memory behind several pointers that the region writes: what is behind one of them has nothing in
    /// common with what is behind another one.
    pub distinct: Vec<Memory>,
    /// The same as `apart` where nobody knows how far the region reaches, so that nothing can be
    /// compared: the user promises that it is different.
    pub promised: Vec<[Memory; 2]>,
    /// What is looked up of arrays that subscripts are read from, for `apart`; each is looked up behind
    /// those in front of it.
    pub surveys: Vec<Survey>,
    /// The region is executed several times, and what `surveys` look at holds the same each time: the
    /// names of the variables that change meanwhile. `None`: nobody knows, or it is executed once.
    pub changing: Option<BTreeSet<String>>,
    /// Pointers behind which parameters and arrays are, but not those that the original follows in
    /// any case.
    pub followed: Vec<Followed>,
    /// Which of all these are not compared.
    pub trust: Trust,
}

/// A pointer that the original follows at times.
#[derive(Clone, Debug)]
pub struct Followed {
    /// In C: `img`, `grid->cells`.
    pub pointer: String,
    /// When it certainly does, for parameters that are behind no pointer, and behind those in front
    /// of this one in [`Checks::followed`].
    pub when: Set,
    /// Where the region follows it.
    pub span: Span,
}

impl Followed {
    /// Whether an expression in C reads something behind it.
    pub fn leads_to(&self, text: &str) -> bool {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '>');
        text.match_indices(&self.pointer).any(|(at, pointer)| {
            let behind = &text[at + pointer.len()..];
            !text[..at].ends_with(inside) && (behind.starts_with("->") || pointer.ends_with(']'))
        })
    }
}

/// A condition on parameters.
#[derive(Clone, Debug)]
pub struct ParameterCheck {
    /// What it is about.
    pub kind: CheckKind,
    /// Where it holds: a parameter set.
    pub good: Set,
    /// What is assumed, in words: '`i - 1` does not wrap around'.
    pub why: String,
    /// What needs it.
    pub span: Span,
}

/// Memory that a region touches.
#[derive(Clone, Debug)]
pub struct Memory {
    /// What stands before the subscript in C: `img`, `grid->cells`. An object where nothing is
    /// subscripted: `grid->n`.
    pub place: String,
    /// Of what is behind these pointers in it, or of itself.
    pub pointers: Option<Pointers>,
    /// Which of its elements or rows; `None`: the object is all there is.
    pub rows: Option<Rows>,
    /// Where the region writes it, or else touches it first.
    pub span: Span,
    /// Whether the region writes it.
    pub written: bool,
}

/// A range of pointers in an array, which the original follows where there are any rows.
#[derive(Clone, Debug)]
pub struct Pointers {
    /// The first one: over the parameters.
    pub first: PwAff,
    /// One behind the last one.
    pub end: PwAff,
    /// Which member of each element they are, in C: `.row`.
    pub member: String,
}

/// A range of rows of an array, or of elements where it has one dimension.
#[derive(Clone, Debug)]
pub struct Rows {
    /// When there are any: a parameter set.
    pub some: Set,
    /// The first one, where there are any: over the parameters.
    pub first: PwAff,
    /// One behind the last one.
    pub end: PwAff,
    /// Elements of one row of a linearised array, in C.
    pub stride: Option<String>,
    /// What is added to the first and to the end, in elements; strides are not negative where the
    /// memory is apart.
    pub inside: Vec<Inside>,
    /// The same, of data.
    pub data: Vec<Surveyed>,
    /// The same, of what is computed with one of C's types before it is added.
    pub computed: Vec<Computation>,
    /// Subscripts are computed as `unsigned int`: they are these where the first one is not negative and
    /// the last one below 2^32.
    pub narrow: bool,
}

/// The least and the greatest value of some elements of an array of integers, which the original
/// reads in any case; or the value of a scalar.
#[derive(Clone, Debug)]
pub struct Survey {
    /// What stands before the subscripts in C.
    pub place: String,
    /// Members of the elements.
    pub members: Members,
    /// The type of the elements.
    pub kind: ScalarKind,
    /// Which elements, by their subscripts, outermost first; none: the place is a scalar.
    pub loops: Vec<Sweep>,
    /// Subscripts are one in C, a sum with these strides.
    pub strides: Option<Vec<String>>,
    /// When there are any: a parameter set.
    pub some: Set,
    /// Each has to be no less than the one before it.
    pub ordered: bool,
    /// Where the region reads them.
    pub span: Span,
}

/// A range of subscripts.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The first one.
    pub first: Edge,
    /// One behind the last one.
    pub end: Edge,
    /// From one to the next.
    pub step: i64,
}

/// A number that is known, or is found by a survey.
#[derive(Clone, Debug)]
pub enum Edge {
    /// Over the parameters.
    At(PwAff),
    /// The least value of the survey with this number, and what is added to it.
    Least(usize, i64),
    /// The greatest one.
    Greatest(usize, i64),
}

/// Distances that are data.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// The least one.
    pub least: Edge,
    /// The greatest one.
    pub greatest: Edge,
    /// In units of so many elements, in C; `None`: of one.
    pub stride: Option<String>,
    /// They are subtracted.
    pub negative: bool,
}

/// Distances that are computed in an integer type of their own: sums that are divided, `y * sh / dh`,
/// or only converted to a wider type.
#[derive(Clone, Debug)]
pub struct Computation {
    /// The sum: a range of numbers, whose end is its last one.
    pub sum: Rows,
    /// The type in which the sum is computed, and divided. It is this sum where that is a value of the
    /// type; those of signed types always are.
    pub kind: ScalarKind,
    /// By what it is divided.
    pub by: Divisor,
    /// In units of so many elements, in C; `None`: of one.
    pub stride: Option<String>,
    /// They are subtracted.
    pub negative: bool,
}

/// What numbers are divided by: more of what is divided never gives less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divisor {
    /// By nothing.
    One,
    /// By 2 to the power of this, down.
    Shift(u32),
    /// By a number or a size, in C, towards zero. The memory is apart only where it is positive.
    Size(String),
}

/// Distances from the beginning of a row.
#[derive(Clone, Debug)]
pub struct Inside {
    /// The least one: over the parameters.
    pub first: PwAff,
    /// That of the end.
    pub end: PwAff,
    /// In units of so many elements, in C; `None`: of one.
    pub stride: Option<String>,
}

impl Memory {
    /// Whether where it is depends on data.
    pub fn is_surveyed(&self) -> bool {
        self.rows.as_ref().is_some_and(|rows| !rows.data.is_empty())
    }

    /// All bounds: over the parameters.
    pub fn bounds(&self) -> impl Iterator<Item = &PwAff> {
        let pointers = self.pointers.iter();
        let pointers = pointers.flat_map(|pointers| [&pointers.first, &pointers.end]);
        pointers.chain(self.rows.iter().flat_map(Rows::bounds))
    }
}

impl Edge {
    /// Where no survey finds it.
    pub fn at(&self) -> Option<&PwAff> {
        match self {
            Edge::At(value) => Some(value),
            Edge::Least(..) | Edge::Greatest(..) => None,
        }
    }

    /// The survey that finds it.
    pub fn survey(&self) -> Option<usize> {
        match self {
            Edge::At(_) => None,
            Edge::Least(survey, _) | Edge::Greatest(survey, _) => Some(*survey),
        }
    }
}

impl Survey {
    /// All bounds that no survey finds.
    pub fn bounds(&self) -> impl Iterator<Item = &PwAff> {
        let edges = self.edges();
        edges.filter_map(Edge::at)
    }

    /// All bounds.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.loops
            .iter()
            .flat_map(|sweep| [&sweep.first, &sweep.end])
    }
}

impl Rows {
    /// The surveys that say where it is.
    pub fn surveys(&self) -> impl Iterator<Item = usize> {
        let data = self.data.iter();
        let edges = data.flat_map(|data| [data.least.survey(), data.greatest.survey()]);
        edges.flatten()
    }

    /// All strides of what is added.
    pub fn strides(&self) -> impl Iterator<Item = &str> {
        let own = self.stride.iter();
        let inside = self
            .inside
            .iter()
            .filter_map(|inside| inside.stride.as_ref());
        let data = self.data.iter().filter_map(|data| data.stride.as_ref());
        let computed = self.computed.iter().filter_map(|one| one.stride.as_ref());
        let all = own.chain(inside).chain(data).chain(computed);
        all.map(String::as_str)
    }

    /// All that is written in it in C: strides and divisors, also of what is computed before it is
    /// added.
    pub fn texts(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.strides().collect();
        for computation in &self.computed {
            all.extend(computation.sum.texts());
            if let Divisor::Size(size) = &computation.by {
                all.push(size);
            }
        }
        all
    }

    /// All bounds.
    pub fn bounds(&self) -> impl Iterator<Item = &PwAff> {
        let inside = self.inside.iter();
        let inside = inside.flat_map(|inside| [&inside.first, &inside.end]);
        let data = self.data.iter();
        let data = data.flat_map(|data| [data.least.at(), data.greatest.at()]);
        let own = [&self.first, &self.end].into_iter();
        let sums = self.computed.iter();
        let sums = sums.flat_map(|one| one.sum.bounds().collect::<Vec<_>>());
        own.chain(inside).chain(data.flatten()).chain(sums)
    }
}

impl Checks {
    /// None.
    pub fn none(given: &Set) -> Checks {
        Checks {
            given: given.clone(),
            parameters: Vec::new(),
            apart: Vec::new(),
            distinct: Vec::new(),
            promised: Vec::new(),
            surveys: Vec::new(),
            changing: None,
            followed: Vec::new(),
            trust: Trust::default(),
        }
    }

    /// Whether nothing is compared of sizes and addresses.
    pub fn is_empty(&self) -> bool {
        let mut sizes = self.parameters.iter();
        sizes.all(|check| self.trust.assumes(check.kind))
            && (self.memory().next().is_none() || self.trust.assumes(CheckKind::Aliasing))
    }

    /// All memory whose addresses are compared.
    pub fn memory(&self) -> impl Iterator<Item = &Memory> {
        self.apart.iter().flatten().chain(&self.distinct)
    }

    /// Drops conditions on parameters that follow from the others; first those that the user
    /// promises.
    ///
    /// # Errors
    /// isl's own.
    pub fn simplify(&mut self) -> Result<()> {
        for assumed in [true, false] {
            let mut at = 0;
            while at < self.parameters.len() {
                let own = &self.parameters[at];
                let mut others = self.given.clone();
                for (number, other) in self.parameters.iter().enumerate() {
                    if number != at {
                        others = others.intersect(&other.good)?;
                    }
                }
                if self.trust.assumes(own.kind) == assumed && others.is_subset(&own.good)? {
                    self.parameters.remove(at);
                } else {
                    at += 1;
                }
            }
        }
        Ok(())
    }
}

/// Parameters of 64 bits are compared with this first, so that sums of them cannot overflow:
/// no array has so many elements.
pub const LARGEST: i64 = 1 << 44;
