//! The kernel AST: what all printers share.
//!
//! Loops have inclusive bounds and a positive constant step; everything an index expression
//! mentions is a loop variable, a parameter, or a temporary that holds a bound.

use crate::codegen::terms::choice;
use crate::scop::{Action, Expr, ParamId, ScalarType, Scop, StatementId};
use crate::transform::BufferId;
use std::borrow::Cow;

/// The code of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Statements of the region in order.
    pub body: Vec<Node>,
    /// Local buffers that are used. Where they live is for [`crate::codegen::passes::storage`] to say.
    pub buffers: Vec<LocalBuffer>,
    /// The region's own temporaries that are kept in full: they live as long as the region runs.
    pub temporaries: Vec<Temporary>,
}

impl Kernel {
    /// Whether cells of two buffers may be the same memory: those of one buffer, or of buffers that
    /// share it ([`LocalBuffer::shared`]).
    pub fn is_one_memory(&self, a: BufferId, b: BufferId) -> bool {
        let shared = |id: BufferId| {
            let mut all = self.buffers.iter();
            all.find(|buffer| buffer.buffer == id)
                .and_then(|buffer| buffer.shared)
        };
        a == b || shared(a).is_some() && shared(a) == shared(b)
    }
}

/// An array declared inside the region, in memory of the whole region.
#[derive(Clone, Debug, PartialEq)]
pub struct Temporary {
    /// Which.
    pub buffer: BufferId,
    /// C name.
    pub name: String,
    /// Element type.
    pub element: ScalarType,
    /// Extents in elements, at least 1, of parameters only; empty for a scalar.
    pub extents: Vec<Index>,
    /// Where this does not hold, no cell is accessed, and one element is enough, however large some
    /// extents are. `None` where the extents say all.
    pub accessed: Option<Index>,
}

impl Temporary {
    /// Extents that are all 1 where no cell is accessed.
    pub fn least_extents(&self) -> Vec<Index> {
        let least = |extent: &Index| match &self.accessed {
            Some(condition) if !matches!(extent, Index::Int(_)) => Index::Select(
                Box::new(condition.clone()),
                Box::new(extent.clone()),
                Box::new(Index::Int(1)),
            ),
            _ => extent.clone(),
        };
        self.extents.iter().map(least).collect()
    }
}

/// A local buffer of constant size.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalBuffer {
    /// Which.
    pub buffer: BufferId,
    /// C name.
    pub name: String,
    /// Element type.
    pub element: ScalarType,
    /// Extents in elements as allocated, rows kept apart; empty for a scalar.
    pub extents: Vec<i64>,
    /// The scope it belongs to.
    pub scope: usize,
    /// Buffers with the same number begin at one address, unless they are variables.
    pub shared: Option<usize>,
    /// It is meant for registers: never in allocated memory.
    pub in_registers: bool,
}

/// A piece of code.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A loop `for (var = lower; var <= upper; var += step)`.
    For(Loop),
    /// A guard.
    If {
        /// Non-zero: execute.
        condition: Index,
        /// Then.
        then: Vec<Node>,
        /// Else.
        otherwise: Vec<Node>,
    },
    /// One statement instance.
    Statement(Instance),
    /// The life of the local buffers of a scope: they hold nothing at its begin. A scope may
    /// occur in several places.
    Scope {
        /// The scope.
        scope: usize,
        /// What happens inside.
        body: Vec<Node>,
    },
    /// The same code for successive iterations of one or more unrolled loops, in order; made by
    /// [`crate::codegen::passes::unroll`]. A printer may execute it in any order that computes the same values.
    Copies(Vec<Vec<Node>>),
    /// Where the condition holds, the sequential loop of this variable around it goes on, if it
    /// [ends early](DynamicBounds::ends_early).
    GoesOn {
        /// The loop's variable.
        var: String,
        /// Non-zero: it goes on.
        condition: Index,
    },
    /// Local buffers as variables of a block; made from scopes by [`crate::codegen::passes::storage::place`].
    Block {
        /// The variables.
        variables: Vec<BufferId>,
        /// What happens inside.
        body: Vec<Node>,
    },
    /// Local buffers in memory of each thread that executes the body, which is one loop or scope;
    /// made from scopes by [`crate::codegen::passes::storage::place`].
    Allocate {
        /// What is allocated.
        buffers: Vec<BufferId>,
        /// What happens inside.
        body: Vec<Node>,
    },
}

impl Node {
    /// The nodes directly inside, in order; an `if`'s two branches one after the other.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Node> + '_> {
        match self {
            Node::Statement(_) | Node::GoesOn { .. } => Box::new(std::iter::empty()),
            Node::For(each) => Box::new(each.body.iter()),
            Node::Copies(copies) => Box::new(copies.iter().flatten()),
            Node::If {
                then, otherwise, ..
            } => Box::new(then.iter().chain(otherwise)),
            Node::Scope { body, .. } | Node::Block { body, .. } | Node::Allocate { body, .. } => {
                Box::new(body.iter())
            }
        }
    }

    /// The same node with other lists of nodes inside.
    pub fn map_children(self, f: &dyn Fn(Vec<Node>) -> Vec<Node>) -> Node {
        match self {
            Node::For(each) => Node::For(Loop {
                body: f(each.body),
                ..each
            }),
            Node::If {
                condition,
                then,
                otherwise,
            } => Node::If {
                condition,
                then: f(then),
                otherwise: f(otherwise),
            },
            Node::Scope { scope, body } => Node::Scope {
                scope,
                body: f(body),
            },
            Node::Block { variables, body } => Node::Block {
                variables,
                body: f(body),
            },
            Node::Allocate { buffers, body } => Node::Allocate {
                buffers,
                body: f(body),
            },
            Node::Copies(copies) => Node::Copies(copies.into_iter().map(f).collect()),
            Node::Statement(_) | Node::GoesOn { .. } => self,
        }
    }

    /// Calls `visit` on every statement instance at or below, in textual order.
    pub fn instances<'a>(&'a self, visit: &mut dyn FnMut(&'a Instance)) {
        if let Node::Statement(instance) = self {
            visit(instance);
        }
        self.children().for_each(|child| child.instances(visit));
    }

    /// Whether there is a parallel loop at or below.
    pub fn starts_threads(&self) -> bool {
        matches!(self, Node::For(each) if each.parallel)
            || self.children().any(Node::starts_threads)
    }

    /// Whether there is a loop at or below.
    pub fn has_loop(&self) -> bool {
        matches!(self, Node::For(_)) || self.children().any(Node::has_loop)
    }
}

/// A condition on how much there is to do: a product of numbers is at least so large.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The numbers, which depend on parameters only.
    pub factors: Vec<Index>,
    /// From this product on.
    pub least: i64,
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its variable, unique along every path.
    pub var: String,
    /// First value.
    pub lower: Index,
    /// Last possible value, inclusive.
    pub upper: Index,
    /// Positive.
    pub step: i64,
    /// Iterations may run in parallel, and are to.
    pub parallel: bool,
    /// How many directly nested parallel loops from this one on form one rectangular space that
    /// is divided among threads together; 1 where only this one is.
    pub collapse: usize,
    /// Where threads are worth starting for it; `None`: always. Made by
    /// [`crate::codegen::passes::forks`].
    pub worth: Option<Worth>,
    /// Iterations may run as vector lanes.
    pub simd: bool,
    /// Iterations that are to stand one after another inside the loop around this one; 1 for
    /// ordinary loops.
    pub unroll: i64,
    /// Iterations that are to stand one after another inside the loops in this one; 1 for ordinary
    /// loops.
    pub rows: i64,
    /// What follows from bounds that are data.
    pub dynamic: DynamicBounds,
    /// What is repeated.
    pub body: Vec<Node>,
}

/// What is known of a loop because data says when it ends. By default, that it does not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DynamicBounds {
    /// Where the bounds are data ([`Index::is_data`]), first and last value that do not depend on
    /// it; made by [`crate::codegen::passes::dynamic::restore`].
    pub fixed: Option<Box<(Index, Index)>>,
    /// It is left after an iteration in which no [`Node::GoesOn`] of its variable holds; made by
    /// [`crate::codegen::passes::dynamic::exits`].
    pub ends_early: bool,
}

impl Loop {
    /// An ordinary loop whose iterations are executed one after another.
    pub fn sequential(var: String, [lower, upper]: [Index; 2], step: i64, body: Vec<Node>) -> Loop {
        Loop {
            var,
            lower,
            upper,
            step,
            parallel: false,
            collapse: 1,
            worth: None,
            simd: false,
            unroll: 1,
            rows: 1,
            dynamic: DynamicBounds::default(),
            body,
        }
    }

    /// How many iterations it has, where that is constant.
    pub fn iterations(&self) -> Option<i64> {
        let last = self.upper.distance(&self.lower)?;
        Some((last.div_euclid(self.step) + 1).max(0))
    }

    /// The values of which the largest is the first.
    pub fn lowers(&self) -> &[Index] {
        match &self.lower {
            Index::Max(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// The values of which the smallest is the last possible one.
    pub fn uppers(&self) -> &[Index] {
        match &self.upper {
            Index::Min(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// From how many values its variable's are, where a pair of bounds says it.
    pub fn most(&self) -> Option<i64> {
        let lowers = self.lowers().iter();
        let apart = lowers.flat_map(|l| self.uppers().iter().filter_map(move |u| u.distance(l)));
        apart.min().map(|last| last.saturating_add(1).max(0))
    }

    /// Whether its iterations differ in how much they do: a loop inside has a bound that is data, or
    /// is ended by its turns.
    pub fn is_uneven(&self, scop: &Scop) -> bool {
        fn of_data(scop: &Scop, node: &Node) -> bool {
            let here = match node {
                Node::Statement(instance) => scop.statements[instance.statement].repeats(),
                Node::For(each) => {
                    let mut data = false;
                    for bound in [&each.lower, &each.upper] {
                        bound.walk(&mut |part| data |= matches!(part, Index::Data(..)));
                    }
                    data
                }
                _ => false,
            };
            here || node.children().any(|node| of_data(scop, node))
        }
        self.body.iter().any(|node| of_data(scop, node))
    }
}

/// One execution of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The original statement, whose body is printed.
    pub statement: StatementId,
    /// The group of the plan it belongs to.
    pub group: usize,
    /// Values of the statement's iterators.
    pub iterators: Vec<Index>,
    /// For each access its place.
    pub accesses: Vec<Place>,
    /// Which of the conditions around the whole body certainly hold here, counted from the
    /// outermost; made by [`crate::codegen::passes::dynamic::restore`].
    pub certain: Vec<usize>,
    /// Conditions in the body, of an `if` or of a choice in an expression ([`Expr::Conditional`]), of
    /// which it is known here whether they hold; made by [`crate::codegen::passes::index_sets`].
    pub decided: Vec<(Expr, bool)>,
}

impl Instance {
    /// The statement's body without the conditions that are known here.
    pub fn actions<'s>(&self, scop: &'s Scop) -> Cow<'s, [Action]> {
        fn without<'s>(body: &'s [Action], at: usize, certain: &[usize]) -> Cow<'s, [Action]> {
            let (
                true,
                [
                    Action::If {
                        condition,
                        then,
                        otherwise,
                    },
                ],
            ) = (certain.iter().any(|&other| other >= at), body)
            else {
                return Cow::Borrowed(body);
            };
            let then = without(then, at + 1, certain);
            if certain.contains(&at) {
                return then;
            }
            Cow::Owned(vec![Action::If {
                condition: condition.clone(),
                then: then.into_owned(),
                otherwise: otherwise.clone(),
            }])
        }
        let statement = &scop.statements[self.statement];
        if self.decided.is_empty() {
            return without(&statement.body, 0, &self.certain);
        }
        let body = without(&statement.body, 0, &self.certain);
        Cow::Owned(choice::chosen(scop, statement, &body, &self.decided))
    }
}

/// Where an access goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which buffer.
    pub buffer: BufferId,
    /// Index per dimension, origin and folding applied; none for a local buffer of one element.
    pub indices: Vec<PlaceIndex>,
}

/// One index of a place.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceIndex {
    /// An affine one.
    Affine(Index),
    /// The subscript as an expression of the statement (data-dependent), minus the origin.
    Data {
        /// The subscript.
        subscript: Expr,
        /// What is subtracted, where not zero.
        origin: Option<Index>,
    },
}

/// An integer expression of loop variables and parameters (type `long` in C). The order has no
/// meaning but that it is one, with constants first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Index {
    /// A constant.
    Int(i64),
    /// A loop variable.
    Var(String),
    /// A parameter.
    Param(ParamId),
    /// The value of a cell of one of the region's temporaries, which nothing changes as long as
    /// the expression is used: a bound that is data.
    Data(BufferId, Vec<Index>),
    /// Sum.
    Add(Box<Index>, Box<Index>),
    /// Difference.
    Sub(Box<Index>, Box<Index>),
    /// Product; one side is a constant, but for products of sizes and loop variables of 32 bits in
    /// conditions of statements and what is made of them.
    Mul(Box<Index>, Box<Index>),
    /// Negation.
    Neg(Box<Index>),
    /// Quotient rounded towards minus infinity; the divisor is a positive constant.
    FloorDiv(Box<Index>, i64),
    /// Quotient of a dividend that is not negative or divides exactly: C's `/` will do.
    ExactDiv(Box<Index>, i64),
    /// Remainder in `0..divisor`, also for negative dividends.
    Mod(Box<Index>, i64),
    /// Remainder of a dividend that is not negative, or compared with zero only: C's `%` will do.
    PlainMod(Box<Index>, i64),
    /// Smallest.
    Min(Vec<Index>),
    /// Largest.
    Max(Vec<Index>),
    /// `condition ? then : otherwise`
    Select(Box<Index>, Box<Index>, Box<Index>),
    /// Comparison or logic; 0 or 1.
    Compare(Comparison, Box<Index>, Box<Index>),
    /// All hold.
    All(Vec<Index>),
    /// One holds.
    Any(Vec<Index>),
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `<=`
    LessEqual,
    /// `<`
    Less,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}
