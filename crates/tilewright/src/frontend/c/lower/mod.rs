//! From a marked region to [`Scop`].
//!
//! One walk over the region's statements ([`statements::block`]) gives statements with domains ([`loops::domain`],
//! over conditions and values from [`values::affine`]), bodies ([`statements::body`], [`statements::expression`]) and accesses
//! that are still unresolved; loops whose bounds are data get exit predicates ([`loops::dynamic`]);
//! then arrays get their shape ([`memory::delinearise`], [`memory::arrays`]) and
//! accesses their relations ([`memory::access`]); aliasing ([`memory::alias`]) and what lives before and after
//! the region ([`surroundings::liveness`]) are judged from the whole function.
//!
//! # What is taken for granted
//!
//! What C calls undefined does not happen: signed overflow, accesses outside an array, negative
//! extents. Objects of different types do not overlap (C's effective types). Extents of
//! variable-length arrays may be zero, which C does not allow: loops over an empty image do
//! nothing, and callers rely on that.
//!
//! What else the model takes for granted is compared when the program runs, with the original
//! statements where it does not hold ([`claims::assume`]): conditions on sizes, and that pointers and array
//! parameters without `restrict` name different memory ([`memory::apart`]).

mod attempts;
pub(crate) mod calls;
pub(crate) mod claims;
mod left;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod messages;
mod names;
pub(crate) mod statements;
pub(crate) mod surroundings;
pub(crate) mod values;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::syntax::{self, Carry, Function, Region, Stmt, StmtKind, SymbolId, Type, Unit};
use super::{normalise, types as ctext};
use crate::diagnostic::{Code, Diagnostic};
use crate::scop::{self, Assumptions, ParameterCheck, Projections, ScalarType, Scop, Trust};
use crate::source::Span;
use names::Names;
use statements::draft::{
    ArrayDraft, ArrayKey, Draft, Guard, LoopVar, Node, NonAffine, PointerRead, RawAccess,
    RawSubscript, Refusal, Scope, Test, optional,
};
use surroundings::facts::Facts;
use values::params::Params;

pub use attempts::{BUDGET_SHARE, MAX_OPERATIONS, lower, lower_region, lower_trusting};

/// A region's model and what its user should know about it.
#[derive(Debug)]
pub struct Lowered {
    /// The model.
    pub scop: Scop,
    /// Warnings, in order of their places.
    pub warnings: Vec<Diagnostic>,
    /// Where something is written of which no more is known than the array.
    pub anywhere: Vec<Span>,
}

type Result<T, E = Refusal> = std::result::Result<T, E>;

/// The state of the walk over one region.
pub(crate) struct Lowering<'u> {
    ctx: &'u isl::Ctx,
    unit: &'u Unit,
    function: &'u Function,
    region: &'u Region,
    facts: Facts<'u>,
    names: Names,
    params: Params,
    assumed: Assumed<'u>,
    model: Drafts,
    variables: Variables<'u>,
    claims: claims::Claims,
    messages: Messages,
}

/// What is assumed of the parameters, and what of it is compared when the program runs.
struct Assumed<'u> {
    /// Parameter set; grows by assumptions.
    context: RefCell<isl::Set>,
    /// The same without what is compared when the program runs.
    given: RefCell<isl::Set>,
    /// Those of them that are compared when the program runs.
    checks: RefCell<Vec<ParameterCheck>>,
    /// What is looked up of index arrays.
    surveys: Vec<scop::Survey>,
    /// Whether anything may be compared when the program runs.
    may_assume: Cell<bool>,
    /// What the user says of what is compared.
    trust: &'u Trust,
    /// What the parameters' types say of them, once somebody asked.
    ranges: OnceCell<isl::Set>,
}

/// What there is of the model so far.
#[derive(Default)]
struct Drafts {
    arrays: Vec<ArrayDraft>,
    statements: Vec<Draft>,
    /// Types of the scalars that are only read.
    invariants: BTreeMap<String, ScalarType>,
}

/// What was found of variables.
#[derive(Default)]
struct Variables<'u> {
    /// Loops and guards around the declaration of a variable of the region that is not folded.
    declared: HashMap<SymbolId, (usize, usize)>,
    /// Temporaries that hold bounds of loops, by array: static bounds that follow from them.
    bounds: BTreeMap<usize, Vec<isl::PwAff>>,
    /// Bounds that are defined already, under so many loops.
    predefined: HashMap<*const syntax::Expr, (usize, usize)>,
    /// The expressions of the function that name each symbol, once somebody asked.
    named: OnceCell<HashMap<SymbolId, Vec<&'u syntax::Expr>>>,
}

/// What is said to the user.
#[derive(Default)]
struct Messages {
    errors: Vec<Diagnostic>,
    warnings: RefCell<Vec<Diagnostic>>,
    /// [`Lowered::anywhere`].
    anywhere: RefCell<Vec<Span>>,
}

impl<'u> Lowering<'u> {
    fn run(
        ctx: &'u isl::Ctx,
        unit: &'u Unit,
        marked: (&'u Function, &'u Region),
        index: usize,
        trust: (&'u Trust, bool),
    ) -> Result<Lowered, Vec<Diagnostic>> {
        let fail = |error: isl::Error| vec![isl_diagnostic(&error, marked.1)];
        let mut lowering = Lowering::new(ctx, unit, marked, trust).map_err(fail)?;
        let outcome = lowering.scop(index);
        if let Err(refusal) = outcome {
            lowering.refuse(refusal);
            return Err(lowering.finish_errors());
        }
        match outcome {
            Ok(Some(scop)) if lowering.messages.errors.is_empty() => {
                let mut warnings = lowering.messages.warnings.into_inner();
                sort(&mut warnings);
                let anywhere = lowering.messages.anywhere.into_inner();
                Ok(Lowered {
                    scop,
                    warnings,
                    anywhere,
                })
            }
            _ => Err(lowering.finish_errors()),
        }
    }

    fn finish_errors(mut self) -> Vec<Diagnostic> {
        sort(&mut self.messages.errors);
        if self.messages.errors.is_empty() {
            self.messages.errors.push(
                Diagnostic::error(Code::Internal, "the region was refused without a reason")
                    .at(self.region.pragma, "")
                    .help("please report this together with the file"),
            );
        }
        self.messages.errors
    }

    fn new(
        ctx: &'u isl::Ctx,
        unit: &'u Unit,
        (function, region): (&'u Function, &'u Region),
        (trust, elements): (&'u Trust, bool),
    ) -> isl::Result<Lowering<'u>> {
        let facts = Facts::collect(unit, (function, region), elements);
        let mut names = Names::default();
        // Loop variables name dimensions: a parameter or an array with such a name would be hard
        // to tell from them in isl's notation.
        for &symbol in facts.iterators.keys() {
            names.reserve(&unit.symbols[symbol].name);
        }
        for symbol in &unit.symbols {
            let outside = match symbol.scope {
                syntax::Scope::File => true,
                syntax::Scope::Parameter(f) | syntax::Scope::Function(f) => f == region.function,
                syntax::Scope::Region(_) => false,
            };
            if outside {
                names.visible(&symbol.name);
            }
        }
        let params = Params::collect(ctx, unit, region, &facts, &mut names)?;
        let context = params.assume_quotients(&memory::arrays::parameter_ranges(&params)?)?;
        Ok(Lowering {
            ctx,
            unit,
            function,
            region,
            facts,
            names,
            params,
            assumed: Assumed {
                given: RefCell::new(context.clone()),
                context: RefCell::new(context),
                checks: RefCell::new(Vec::new()),
                surveys: Vec::new(),
                may_assume: Cell::new(true),
                trust,
                ranges: OnceCell::new(),
            },
            model: Drafts::default(),
            variables: Variables::default(),
            claims: claims::Claims::default(),
            messages: Messages::default(),
        })
    }

    /// Records a refusal; the walk goes on with the next statement.
    fn refuse(&mut self, refusal: Refusal) {
        let diagnostic = match refusal {
            Refusal::Diagnostic(diagnostic) => *diagnostic,
            Refusal::Isl(error) => isl_diagnostic(&error, self.region),
        };
        let same = |known: &&mut Diagnostic| {
            diagnostic.code == Code::ParameterWritten.name()
                && (known.code, &known.message) == (diagnostic.code, &diagnostic.message)
        };
        // One message for each type, or member of a structure.
        let said = |known: &Diagnostic| known.message == diagnostic.message;
        if messages::is_of_all_values(&diagnostic) && self.messages.errors.iter().any(said) {
            return;
        }
        if let Some(known) = self.messages.errors.iter_mut().find(same) {
            // One message for each variable.
            known.also_of(diagnostic);
        } else if !self.messages.errors.contains(&diagnostic) {
            self.messages.errors.push(diagnostic);
        }
    }

    /// The whole way; `None` where errors were recorded.
    fn scop(&mut self, index: usize) -> Result<Option<Scop>> {
        if let Some(reason) = &self.region.fixed {
            return Err(Refusal::from((**reason).clone()));
        }
        let empty = |s: &Stmt| matches!(s.kind, StmtKind::Empty | StmtKind::Pragma(_));
        if self.region.statements.iter().all(empty) {
            return Err(Refusal::from(
                Diagnostic::error(Code::EmptyRegion, "the marked region holds no statement")
                    .at(self.region.pragma, "nothing follows this")
                    .help("put the loops between the two pragmas, or remove them"),
            ));
        }
        for one in self
            .region
            .edges
            .moves
            .iter()
            .filter(|one| one.by.is_none())
        {
            for &place in &one.places {
                let refusal = self.pointer_changed(one.pointer, place);
                self.refuse(refusal);
            }
        }
        if !self.messages.errors.is_empty() {
            return Ok(None);
        }
        self.assume_extents()?;
        self.assume_factors()?;
        for set in [&self.assumed.context, &self.assumed.given] {
            let more = self.params.assume_quotients(&set.borrow())?;
            set.replace(more);
        }
        let scope = self.no_loops()?;
        self.followed_before()?;
        let statements: Vec<_> = self.region.statements.iter().collect();
        let nodes = self.block(&statements, &scope)?;
        self.check_iterators_after();
        self.check_openmp();
        let pairs = self.check_aliasing();
        if !self.messages.errors.is_empty() {
            return Ok(None);
        }
        self.find_values()?;
        let mut assumed = Rc::new(Projections::of(&self.assumed.context.borrow())?);
        let (nodes, order) = self.live_statements(nodes, &assumed)?;
        if order.is_empty() {
            return Err(self.nothing_done());
        }
        self.keep_in_parts()?;
        let arrays = self.shape_arrays(&pairs)?;
        let statements = self.statements(&order, &arrays)?;
        let schedule = self.schedule(&nodes, &statements)?;
        let distinct = self.distinct_rows(&pairs, &arrays, &statements)?;
        let compared = self.kept_apart(pairs, &arrays, &statements)?;
        if !self.messages.errors.is_empty() {
            return Ok(None);
        }
        let context = self.assumed.context.borrow().clone();
        if !assumed.whole().plain_is_equal(&context)? {
            assumed = Rc::new(Projections::of(&context)?);
        }
        let checks = self.granted(compared, distinct)?;
        let scop = Scop {
            ctx: self.ctx.clone(),
            place: scop::RegionPlace {
                function: self.function.name.clone(),
                index,
                span: self.region.span,
            },
            params: self.params.list.clone(),
            context,
            conditions: scop::Conditions {
                assumptions: Assumptions::with(&assumed, &statements)?,
                checks,
            },
            invariants: self.model.invariants.clone(),
            calls: scop::Called {
                total: calls::totality::total_functions(self.unit, &statements),
                callees: calls::callees::callees(self.unit, &statements),
            },
            loops: scop::LoopClaims {
                bounds: self
                    .variables
                    .bounds
                    .iter()
                    .map(|(&array, stand_ins)| (arrays[array].name.clone(), stand_ins.clone()))
                    .collect(),
                independent: self.independent_loops(&order, &statements),
            },
            edges: scop::Edges {
                inspections: Vec::new(),
                packing: None,
                moves: self.moves(),
                front: self.front(),
            },
            arrays,
            statements,
            schedule,
        };
        self.refuse_unfollowed(&scop)?;
        Ok(Some(scop))
    }

    /// What moves the pointers behind the region that it moves.
    fn moves(&self) -> Vec<String> {
        let symbols = &self.unit.symbols;
        let moves = self.region.edges.moves.iter().filter_map(|one| {
            one.by.as_ref()?;
            Some(match normalise::behind(one, one.places[0]).kind {
                StmtKind::If {
                    condition, then, ..
                } => match &then.kind {
                    StmtKind::Expression(set) => format!(
                        "if ({}) {};",
                        ctext::expression(&condition, symbols),
                        ctext::expression(set, symbols)
                    ),
                    _ => return None,
                },
                StmtKind::Expression(set) => format!("{};", ctext::expression(&set, symbols)),
                _ => return None,
            })
        });
        let leaves = self
            .region
            .edges
            .leaves
            .iter()
            .map(|leave| left::behind(leave, symbols));
        moves.chain(leaves).collect()
    }

    /// What is declared in front of the region.
    fn front(&self) -> Vec<scop::Front> {
        let symbols = &self.unit.symbols;
        let fronts = self.region.edges.front.iter().filter_map(|front| {
            let array = &symbols[front.array];
            let turns = self
                .region
                .edges
                .moves
                .iter()
                .find_map(|one| match one.carry {
                    Carry::Exchanged { array, .. } if array == front.array => one.by.clone(),
                    _ => None,
                });
            let turned = turns.filter(|_| front.asks).map(normalise::turned);
            let turned = turned.map(|turned| ctext::expression(&turned, symbols));
            let pointers = front.pointers.iter().map(|place| {
                let place = ctext::expression(place, symbols);
                match &turned {
                    Some(turned) => format!("{turned} ? {place} : 0"),
                    None => place,
                }
            });
            let pointers: Vec<String> = pointers.collect();
            let declared = declared_in_front(self.unit, front)?;
            Some(scop::Front {
                name: array.name.clone(),
                declaration: format!("{declared} = {{{}}};", pointers.join(", ")),
            })
        });
        let counters = self.region.edges.counters.iter().map(|&counter| {
            let name = symbols[counter].name.clone();
            let declaration = format!("long {name} = 0;");
            scop::Front { name, declaration }
        });
        fronts
            .chain(counters)
            .chain(left::declarations(self.region, symbols))
            .collect()
    }

    /// Where no loop is around.
    pub(crate) fn no_loops(&self) -> isl::Result<Scope> {
        Ok(Scope {
            loops: Vec::new(),
            domain: isl::Set::universe(&self.loop_space(0)?)?,
            entered: None,
            guards: Vec::new(),
            bindings: Vec::new(),
            following: 0,
            cases: false,
        })
    }

    /// Drops statements that never execute; returns the tree without them and, for every
    /// statement of the scop, its draft.
    fn live_statements(
        &self,
        nodes: Vec<Node>,
        assumed: &Projections,
    ) -> Result<(Vec<Node>, Vec<usize>)> {
        let mut order = Vec::new();
        for (index, draft) in self.model.statements.iter().enumerate() {
            let domain = draft.domain.drop_unused_params()?;
            let assumed = assumed.to_space(&domain.get_space()?)?;
            if !domain.intersect_params(&assumed)?.is_empty()? {
                order.push(index);
            }
        }
        fn keep(nodes: Vec<Node>, order: &[usize]) -> Vec<Node> {
            let kept = nodes.into_iter().filter_map(|node| match node {
                Node::Leaf(draft) => order.iter().position(|&d| d == draft).map(Node::Leaf),
                Node::Loop { depth, down, body } => {
                    let body = keep(body, order);
                    (!body.is_empty()).then_some(Node::Loop { depth, down, body })
                }
            });
            kept.collect()
        }
        Ok((keep(nodes, &order), order))
    }
}

/// The declaration of an array of pointers: its element's type is said by the first of them where its
/// words may mean something else by now.
fn declared_in_front(unit: &Unit, front: &syntax::Front) -> Option<String> {
    let array = &unit.symbols[front.array];
    let Type::Array {
        element, extent, ..
    } = &array.ctype
    else {
        return None;
    };
    let is_builtin = match values::types::pointee(element) {
        Some(Type::Scalar(ctype)) => ctype.spelling == ctype.kind.c_name(),
        _ => false,
    };
    if is_builtin {
        return ctext::declaration(&array.ctype, &array.name, &unit.symbols);
    }
    let first = ctext::expression(front.pointers.first()?, &unit.symbols);
    let extent = ctext::expression(extent.as_deref()?, &unit.symbols);
    Some(format!("__typeof__(&*{first}) {}[{extent}]", array.name))
}

fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|d| d.labels.first().map_or(0, |l| l.start));
}

fn isl_diagnostic(error: &isl::Error, region: &Region) -> Diagnostic {
    if error.is_quota() {
        Diagnostic::error(
            Code::Budget,
            "analysing the region's loops took more than its budget",
        )
        .at(region.pragma, "this region")
        .help("split the region, or simplify its bounds and conditions")
    } else {
        Diagnostic::error(Code::Internal, format!("isl failed: {error}"))
            .at(region.pragma, "this region")
            .help("please report this together with the file")
    }
}
