//! Calls of functions that get arrays, by their access summaries (PENCIL: Baghdadi et al., PACT
//! 2015, section 3; Zhao, thesis 2018, section 2.3).
//!
//! `__attribute__((pencil_access(s)))` names a function `s` of the same parameters. It is never
//! executed: its loops and conditions say which elements the called function reads
//! (`__pencil_use`) and writes (`__pencil_def`). A call in a region is a statement with these
//! accesses. What the summary says in other than affine terms is taken to be any element, and all
//! writes are taken as writes that may happen: old values survive them.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{
    LoopVar, Lowering, RawAccess, RawSubscript, Refusal, Result, Scope, optional,
};
use crate::frontend::c::syntax::{
    Expr as SyntaxExpr, ExprKind, Function, Stmt, StmtKind, Type, Unit,
};
use crate::scop::{AccessKind, BinaryOp, Expr, Iterator};
use crate::source::Span;
use isl::{DimType, Map, PwAff, Set};

/// Whether calls of a function are to be taken by its access summary.
pub(crate) fn has_summary(unit: &Unit, name: &str) -> bool {
    purity::declared(unit, name).is_some_and(|declared| declared.summary.is_some())
}

/// Which arguments of a call a summarised function writes through.
pub(crate) fn written<'e>(
    unit: &Unit,
    name: &str,
    arguments: &'e [SyntaxExpr],
) -> Vec<&'e SyntaxExpr> {
    let summary = purity::declared(unit, name).and_then(|declared| declared.summary.as_deref());
    let Some((_, function)) = summary.and_then(|summary| purity::definition(unit, summary)) else {
        return Vec::new();
    };
    let mut written = Vec::new();
    crate::frontend::c::lower::surroundings::visit::expressions(unit, &function.body, &mut |top| {
        crate::frontend::c::lower::surroundings::visit::walk(top, &mut |e| {
            let places = match &e.kind {
                ExprKind::Call(said, places) if kind_of(said) == Some(AccessKind::Write) => places,
                _ => return,
            };
            for place in places {
                let (root, _) = taken_apart(place);
                let mut parameters = function.parameters.iter();
                let found = parameters.position(|&p| root.kind == ExprKind::Name(p));
                written.extend(found.and_then(|at| arguments.get(at)));
            }
        });
    });
    written
}

/// What one of PENCIL's statements says of a place.
fn kind_of(said: &str) -> Option<AccessKind> {
    match said {
        "__pencil_use" => Some(AccessKind::Read),
        "__pencil_def" | "__pencil_kill" => Some(AccessKind::Write),
        _ => None,
    }
}

/// A place without its subscripts, and these, outermost first; of `*p`, which is all that `p` leads to,
/// `p`.
fn taken_apart(place: &SyntaxExpr) -> (&SyntaxExpr, Vec<&SyntaxExpr>) {
    let mut subscripts = Vec::new();
    let mut base = match &place.kind {
        ExprKind::Dereference(pointer) => pointer,
        _ => place,
    };
    while let ExprKind::Subscript(inner, index) = &base.kind {
        subscripts.push(&**index);
        base = inner;
    }
    subscripts.reverse();
    (base, subscripts)
}

/// An argument that is an array, or a row of one.
pub(super) struct Row {
    place: place::Place,
    /// The subscripts that lead to it.
    given: Vec<RawSubscript>,
    /// Dimensions that the called function sees.
    own: usize,
    /// What is added to where it begins: any element may be meant.
    moved: Option<Expr>,
    span: Span,
}

/// What a summary says: the kind of access, the number of the parameter, and the elements for
/// every instance of the call.
pub(super) type Found = (AccessKind, usize, Map);

impl<'u> Lowering<'u> {
    /// A call of a function with an access summary, and whether the function writes anything.
    ///
    /// # Errors
    /// Summaries that are missing or are not understood; arguments that are no arrays, or arrays
    /// of the region.
    pub(crate) fn summarised(
        &mut self,
        state: &mut State,
        expr: &SyntaxExpr,
        name: &str,
        arguments: &[SyntaxExpr],
    ) -> Result<(Expr, bool)> {
        let function = self.summary(expr, name, arguments.len())?;
        let unit = self.unit;
        let mut scope = state.scope.clone();
        let mut rows = Vec::new();
        let mut values = Vec::new();
        for (&parameter, argument) in function.parameters.iter().zip(arguments) {
            let symbol = &unit.symbols[parameter];
            match &symbol.ctype {
                Type::Scalar(to) => {
                    values.push(Some(self.value(state, argument)?));
                    rows.push(None);
                    if to.kind.is_float() {
                        continue;
                    }
                    let Some(value) = optional(self.affine(&state.scope, argument))? else {
                        continue;
                    };
                    let value = self.convert(&state.scope, argument, value, to.kind);
                    if let Some(value) = optional(value)? {
                        scope.bindings.push((parameter, value));
                    }
                }
                ctype => {
                    let own = place::declared_extents(ctype).len();
                    rows.push(Some(self.moved_row(state, argument, own)?));
                    values.push(None);
                }
            }
        }
        let mut reading = Reading {
            lowering: self,
            function,
            around: state.scope.loops.len(),
            rows: &rows,
            found: Vec::new(),
        };
        reading.statement(&function.body, &scope)?;
        let found = reading.found;
        let writes = found.iter().any(|(kind, ..)| *kind == AccessKind::Write);
        let mut passed = Vec::new();
        for (position, (row, value)) in rows.into_iter().zip(values).enumerate() {
            passed.push(match (row, value) {
                (Some(mut row), _) => match row.moved.take() {
                    None => self.hand_over(state, row, position, &found)?,
                    Some(by) => {
                        let first = self.hand_over(state, row, position, &found)?;
                        Expr::Binary(BinaryOp::Add, Box::new(first), Box::new(by))
                    }
                },
                (None, Some(value)) => value,
                (None, None) => continue,
            });
        }
        Ok((Expr::Call(name.to_owned(), passed), writes))
    }

    /// The function that summarises `name`, for so many arguments.
    fn summary(&self, expr: &SyntaxExpr, name: &str, arguments: usize) -> Result<&'u Function> {
        let refused = |label: String, help: &str| {
            let message = format!("the accesses of `{name}` are not known");
            let d = Diagnostic::error(Code::UnknownCall, message).at(expr.span, "called here");
            let d = match purity::declared(self.unit, name) {
                Some(declared) => d.also(declared.span, label),
                None => d.note(label),
            };
            Err(Refusal::from(d.help(help)))
        };
        let declared = purity::declared(self.unit, name);
        let summary = declared.and_then(|d| d.summary.as_deref()).unwrap_or("");
        let Some((_, function)) = purity::definition(self.unit, summary) else {
            return refused(
                format!("its summary `{summary}` is not defined in this file"),
                "define the summary above the call: a function of the same parameters with \
                 `__pencil_use(…)` and `__pencil_def(…)`",
            );
        };
        if function.parameters.len() != arguments {
            return refused(
                format!(
                    "its summary `{summary}` has {} parameters, the call {arguments} arguments",
                    function.parameters.len()
                ),
                "give the summary the parameters of the function",
            );
        }
        if let Some((_, own)) = purity::definition(self.unit, name) {
            if purity::is_recursive(self.unit, own) {
                return refused(
                    format!("`{name}` calls itself: how deep is known only when it runs"),
                    "write it as a loop",
                );
            }
        }
        Ok(function)
    }

    /// The same, or for one dimension what begins behind its first element: `a + i`, `&a[i]`.
    fn moved_row(&mut self, state: &mut State, argument: &SyntaxExpr, own: usize) -> Result<Row> {
        let number = |by: &SyntaxExpr| types::scalar_kind(self.unit, by).is_some();
        let (pointer, by) = match &argument.kind {
            ExprKind::Binary(BinaryOp::Add, pointer, by) if own == 1 && number(by) => (pointer, by),
            ExprKind::AddressOf(place) if own == 1 => match &place.kind {
                ExprKind::Subscript(base, index) => (base, index),
                _ => return self.row(state, argument, own),
            },
            _ => return self.row(state, argument, own),
        };
        let row = self.row(state, pointer, own)?;
        self.wants_integer(by, "to a pointer is added what has to be")?;
        let moved = match by.kind {
            ExprKind::Integer(0, _) => None,
            _ => Some(self.value(state, by)?),
        };
        Ok(Row { moved, ..row })
    }

    /// An argument for a parameter that is an array of so many dimensions.
    pub(super) fn row(
        &mut self,
        state: &mut State,
        argument: &SyntaxExpr,
        own: usize,
    ) -> Result<Row> {
        let plain = {
            let (base, _) = taken_apart(argument);
            matches!(
                base.kind,
                ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Arrow(..)
            )
        };
        let ctype = types::place_type(self.unit, argument).filter(|_| plain);
        let dimensions = ctype.map_or(0, |ctype| place::declared_extents(ctype).len());
        if dimensions != own || own == 0 {
            let quoted = self.quoted(argument);
            let message = match dimensions {
                0 => format!("{quoted} is not an array, or a row of one"),
                _ => {
                    format!("{quoted} has {dimensions} dimension(s), and the summary sees {own}")
                }
            };
            return Err(Refusal::from(
                Diagnostic::error(Code::UnknownCall, message)
                    .at(argument.span, "handed over here")
                    .help("pass arrays by name, or rows of them: `a`, `a[i]`"),
            ));
        }
        let mut element = argument.clone();
        for _ in 0..own {
            let zero = SyntaxExpr {
                kind: ExprKind::Integer(0, "0".to_owned()),
                span: argument.span,
            };
            element = SyntaxExpr {
                kind: ExprKind::Subscript(Box::new(element), Box::new(zero)),
                span: argument.span,
            };
        }
        let place = place::resolve(self.unit, &element)?;
        let mut given = Vec::new();
        let before = place.subscripts.len() - own;
        for (position, subscript) in place.subscripts[..before].iter().enumerate() {
            given.push(RawSubscript {
                affine: optional(self.affine(&state.scope, subscript))?,
                expr: self.value(state, subscript)?,
                linear: None,
                values: None,
                loose: place.loose.contains(&position),
            });
        }
        Ok(Row {
            place,
            given,
            own,
            moved: None,
            span: argument.span,
        })
    }

    /// What may be accessed through an argument, for every instance: all elements of the row, or of
    /// the array that it is part of.
    pub(super) fn handed_cells(&self, row: &Row, stays: bool, instances: &Set) -> Result<Map> {
        let mut cells = Map::from_domain(instances)?;
        let given = row.given.iter();
        let given = given.map(|subscript| subscript.affine.as_ref().filter(|_| stays));
        for value in given.chain((0..row.own).map(|_| None)) {
            cells = cells.flat_range_product(&self.column(value, instances)?)?;
        }
        Ok(cells)
    }

    /// What one subscript is: a value, or any.
    fn column(&self, value: Option<&PwAff>, instances: &Set) -> Result<Map> {
        Ok(match value {
            Some(value) => value.as_map()?,
            None => {
                let any = Set::universe(&self.loop_space(1)?)?;
                Map::from_domain_and_range(instances, &any)?
            }
        })
    }

    /// Adds the accesses of an argument to the statement.
    pub(super) fn hand_over(
        &mut self,
        state: &mut State,
        row: Row,
        position: usize,
        found: &[Found],
    ) -> Result<Expr> {
        let mut accesses = Vec::new();
        for kind in [AccessKind::Read, AccessKind::Write] {
            let mut cells: Option<Map> = None;
            for (_, _, more) in found.iter().filter(|f| f.0 == kind && f.1 == position) {
                cells = Some(match cells {
                    Some(cells) => cells.union(more)?,
                    None => more.clone(),
                });
            }
            let nothing = cells.is_none() && kind == AccessKind::Write && accesses.is_empty();
            let cells = match cells {
                Some(cells) => cells.coalesce()?,
                // An argument that the summary does not mention needs a place all the same.
                None if nothing => Map::from_domain_and_range(
                    &state.scope.domain,
                    &Set::universe(&self.loop_space(row.given.len() + row.own)?)?,
                )?,
                None => continue,
            };
            let kind = if nothing { AccessKind::Read } else { kind };
            let array = self.array(&row.place, kind)?;
            if self.model.arrays[array].region_depth.is_some() {
                let quoted = &row.place.base;
                return Err(Refusal::from(
                    Diagnostic::error(
                        Code::UnknownCall,
                        format!("`{quoted}` is declared in the region and handed to a function"),
                    )
                    .at(row.span, "handed over here")
                    .also(self.model.arrays[array].span, "declared here")
                    .help("declare it before `#pragma scop`"),
                ));
            }
            let zero = |loose| RawSubscript {
                expr: Expr::Literal("0".to_owned()),
                affine: None,
                linear: None,
                values: None,
                loose,
            };
            // The function has a pointer to the first element.
            let mut subscripts = row.given.clone();
            let part = !row.given.is_empty() || row.place.is_member(self.unit);
            subscripts.extend((0..row.own).map(|dim| zero(part && dim == 0)));
            let always = self.always(state, array);
            state.accesses.push(RawAccess {
                array,
                kind,
                always,
                certain: false,
                subscripts,
                domain: state.scope.domain.clone(),
                cells: Some(cells),
                flat: None,
                span: row.span,
            });
            accesses.push(state.accesses.len() - 1);
        }
        Ok(Expr::Row {
            accesses,
            given: row.given.len(),
        })
    }
}

/// A walk over a summary.
struct Reading<'a, 'u> {
    lowering: &'a Lowering<'u>,
    function: &'u Function,
    /// Loops around the call.
    around: usize,
    /// The arguments that are arrays.
    rows: &'a [Option<Row>],
    found: Vec<Found>,
}

impl<'u> Reading<'_, 'u> {
    fn refused(&self, span: Span, what: &str) -> Refusal {
        Refusal::from(
            Diagnostic::error(
                Code::UnknownCall,
                format!(
                    "the access summary `{}` is not understood",
                    self.function.name
                ),
            )
            .at(span, what)
            .help(
                "a summary has loops, conditions, `__pencil_use(…)` and `__pencil_def(…)` of \
                 elements of its parameters",
            ),
        )
    }

    fn statement(&mut self, stmt: &'u Stmt, scope: &Scope) -> Result<()> {
        match &stmt.kind {
            StmtKind::Block(list) => {
                for stmt in list {
                    self.statement(stmt, scope)?;
                }
                Ok(())
            }
            StmtKind::Empty | StmtKind::Pragma(_) => Ok(()),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                let inner = self.inside(
                    stmt,
                    init.as_deref(),
                    condition.as_ref(),
                    step.as_ref(),
                    scope,
                )?;
                self.statement(body, &inner)
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let set = optional(self.lowering.condition(scope, condition))?;
                let (holds, fails) = match set {
                    Some(set) => (scope.within(&set)?, scope.without(&set)?),
                    None => (scope.clone(), scope.clone()),
                };
                self.statement(then, &holds)?;
                match otherwise {
                    Some(otherwise) => self.statement(otherwise, &fails),
                    None => Ok(()),
                }
            }
            StmtKind::Expression(expr) => match &expr.kind {
                ExprKind::Call(said, places) => match kind_of(said) {
                    Some(kind) => {
                        for place in places {
                            self.access(kind, place, scope)?;
                        }
                        Ok(())
                    }
                    None => Err(self.refused(expr.span, "a call of another function")),
                },
                _ => Err(self.refused(expr.span, "this says nothing of accesses")),
            },
            _ => Err(self.refused(stmt.span, "this says nothing of accesses")),
        }
    }

    /// The scope of a loop's body. What is not affine in the head is left out, so that the variable
    /// may have more values.
    fn inside(
        &self,
        stmt: &Stmt,
        init: Option<&'u Stmt>,
        condition: Option<&'u SyntaxExpr>,
        step: Option<&'u SyntaxExpr>,
        scope: &Scope,
    ) -> Result<Scope> {
        let lowering = self.lowering;
        let symbols = &lowering.unit.symbols;
        let head = match init.map(|init| &init.kind) {
            Some(StmtKind::Declaration(symbol)) => {
                Some((*symbol, symbols[*symbol].initialiser.as_ref()))
            }
            _ => None,
        };
        let integer = |symbol: usize| match &symbols[symbol].ctype {
            Type::Scalar(ctype) if !ctype.kind.is_float() => Some(ctype.clone()),
            _ => None,
        };
        let head = head.and_then(|(symbol, first)| Some((symbol, first, integer(symbol)?)));
        let Some((symbol, first, ctype)) = head else {
            return Err(self.refused(stmt.span, "a loop without a variable of its own"));
        };
        let depth = scope.loops.len();
        let variable = lowering.variable(depth + 1, depth)?;
        let mut inner = scope.clone();
        inner.domain = scope.domain.add_dims(DimType::Set, 1)?;
        inner.loops.push(LoopVar {
            symbol,
            iterator: Iterator {
                name: symbols[symbol].name.clone(),
                ctype,
            },
            counts: false,
        });
        for (_, value) in &mut inner.bindings {
            *value = value.add_dims(DimType::In, 1)?;
        }
        let by = match step {
            Some(step) => lowering.step(&inner, symbol, step)?,
            None => None,
        };
        let lower = match first {
            Some(first) => optional(lowering.affine(scope, first))?,
            None => None,
        };
        if let (Some(by), Some(lower)) = (by, lower) {
            let lower = lower.add_dims(DimType::In, 1)?;
            inner.domain = inner.domain.intersect(&match by >= 0 {
                true => variable.ge_set(&lower)?,
                false => variable.le_set(&lower)?,
            })?;
        }
        if let Some(condition) = condition {
            if let Some(set) = optional(lowering.condition(&inner, condition))? {
                inner.domain = inner.domain.intersect(&set)?;
            }
        }
        Ok(inner)
    }

    fn access(&mut self, kind: AccessKind, place: &SyntaxExpr, scope: &Scope) -> Result<()> {
        let (base, subscripts) = taken_apart(place);
        let mut parameters = self.function.parameters.iter();
        let position = match base.kind {
            ExprKind::Name(symbol) => parameters.position(|&p| p == symbol),
            _ => None,
        };
        let Some(position) = position else {
            return Err(self.refused(place.span, "not an element of a parameter"));
        };
        let Some(row) = &self.rows[position] else {
            return match kind {
                AccessKind::Read => Ok(()),
                AccessKind::Write => {
                    Err(self.refused(place.span, "a parameter that the caller keeps"))
                }
            };
        };
        if subscripts.len() > row.own {
            return Err(self.refused(place.span, "more subscripts than dimensions"));
        }
        let own = (0..row.own).map(|at| match subscripts.get(at) {
            Some(subscript) if row.moved.is_none() => {
                optional(self.lowering.affine(scope, subscript))
            }
            _ => Ok(None),
        });
        let depth = scope.loops.len();
        // Other rows, too.
        let spreads = row.moved.is_some() || matches!(place.kind, ExprKind::Dereference(_));
        let given = row.given.iter().map(|subscript| match &subscript.affine {
            Some(value) if !spreads => Ok(Some(value.add_dims(DimType::In, depth - self.around)?)),
            _ => Ok(None),
        });
        let mut cells = Map::from_domain(&scope.domain)?;
        for value in given.chain(own) {
            let value: Option<PwAff> = value?;
            let column = self.lowering.column(value.as_ref(), &scope.domain)?;
            cells = cells.flat_range_product(&column)?;
        }
        let cells = cells.project_out(DimType::In, self.around, depth - self.around)?;
        self.found.push((kind, position, cells));
        Ok(())
    }
}
