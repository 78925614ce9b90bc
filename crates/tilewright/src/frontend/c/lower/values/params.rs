//! Parameters: integers that bounds, conditions, subscripts and extents depend on and that the
//! region does not change.

use std::collections::HashSet;

use crate::frontend::c::lower::calls::summary;
use crate::frontend::c::lower::memory::alias::is_in_memory;
use crate::frontend::c::lower::memory::{allocation, place};
use crate::frontend::c::lower::names::Names;
use crate::frontend::c::lower::surroundings::changes;
use crate::frontend::c::lower::surroundings::elements::place_key;
use crate::frontend::c::lower::surroundings::facts::{self, Facts, plain_key};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::quotients::Quotient;
use crate::frontend::c::lower::values::{trips, types};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Region, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, Computed, Param, ParamId};

/// The parameters of a region and the space over them.
#[derive(Debug)]
pub(crate) struct Params {
    keys: Vec<(SymbolId, String)>,
    /// In order of first use; behind them the products, then the quotients.
    pub list: Vec<Param>,
    pub(crate) quotients: Vec<Quotient>,
    pub(crate) products: Vec<ParamId>,
    /// Numbers of turns that are computed in front.
    pub(crate) trips: Vec<(Expr, ParamId)>,
    /// The parameter space over all of them.
    pub space: isl::Space,
}

impl Params {
    /// Finds the parameters of a region.
    pub fn collect<'u>(
        ctx: &isl::Ctx,
        unit: &'u Unit,
        region: &'u Region,
        facts: &Facts<'u>,
        names: &mut Names,
    ) -> isl::Result<Params> {
        let mut finder = Finder {
            unit,
            facts,
            keys: Vec::new(),
            list: Vec::new(),
            divisions: Vec::new(),
            products: Vec::new(),
            trips: Vec::new(),
            in_head: false,
            compares: false,
            subscripts: subscripts(unit, region),
            seen: HashSet::new(),
        };
        for stmt in &region.statements {
            finder.stmt(stmt);
        }
        let (divisions, products, trips) = (finder.divisions, finder.products, finder.trips);
        let mut params = Params {
            keys: finder.keys,
            list: finder.list,
            quotients: Vec::new(),
            products: Vec::new(),
            trips: Vec::new(),
            space: isl::Space::params_alloc(ctx, 0)?,
        };
        params.add_products(unit, &products);
        params.add_quotients(unit, facts, &divisions);
        params.add_trips(unit, facts, &trips);
        for param in &mut params.list {
            // The types in which it is computed are no part of its name.
            let types = ["(long)", "(int)", "(unsigned int)", "(unsigned long)"];
            let values = types
                .iter()
                .fold(param.spelling.clone(), |text, cast| text.replace(cast, ""));
            let wish: Vec<&str> = values
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .map(|part| match part.strip_suffix('L') {
                    Some(number) if number.parse::<u64>().is_ok() => number,
                    _ => part,
                })
                .filter(|part| !part.is_empty())
                .collect();
            let wish = match param.computed {
                Some(Computed::Value(_)) => "turns".to_owned(),
                _ => wish.join("_"),
            };
            param.name = names.fresh(&wish);
            params.space = params
                .space
                .add_param_id(&isl::Id::alloc(ctx, &param.name)?)?;
        }
        Ok(params)
    }

    /// Parameters in memory that others may point at: the root, the path and the parameter.
    pub fn in_memory<'a>(
        &'a self,
        unit: &'a Unit,
        facts: &'a Facts<'_>,
    ) -> impl Iterator<Item = (SymbolId, &'a str, &'a Param)> {
        let all = self.keys.iter().zip(&self.list);
        all.filter(|((root, path), _)| is_in_memory(unit, facts, *root, path))
            .map(|(key, param)| (key.0, key.1.as_str(), param))
    }

    /// Of the parameters that are no quotients: the variable, and the fields on the way (`->size.x`).
    pub fn keys(&self) -> &[(SymbolId, String)] {
        &self.keys
    }

    /// The parameter that this expression is.
    pub fn find(&self, expr: &Expr) -> Option<ParamId> {
        let key = place_key(expr)?;
        self.keys.iter().position(|k| *k == key)
    }
}

struct Finder<'a, 'f> {
    unit: &'a Unit,
    facts: &'f Facts<'a>,
    keys: Vec<(SymbolId, String)>,
    list: Vec<Param>,
    /// Expressions `a / b`.
    divisions: Vec<&'a Expr>,
    /// Expressions `a * b` in heads of loops.
    products: Vec<&'a Expr>,
    /// Choices in heads of loops in which something is divided by a variable.
    trips: Vec<&'a Expr>,
    in_head: bool,
    /// In a condition of the body: an element there is data.
    compares: bool,
    /// Variables that subscripts are computed from.
    subscripts: HashSet<SymbolId>,
    /// Arrays whose extents have been looked at, and definitions that have been followed.
    seen: HashSet<(SymbolId, String)>,
}

impl<'a> Finder<'a, '_> {
    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                self.in_head = true;
                match init.as_deref().map(|s| &s.kind) {
                    Some(StmtKind::Declaration(symbol)) => {
                        if let Some(e) = &self.unit.symbols[*symbol].initialiser {
                            self.affine(e);
                        }
                    }
                    Some(StmtKind::Expression(e)) => self.affine(e),
                    _ => {}
                }
                condition.iter().chain(step).for_each(|e| self.affine(e));
                self.in_head = false;
                self.stmt(body);
            }
            StmtKind::While { condition, body } => {
                self.in_head = true;
                self.affine(condition);
                self.in_head = false;
                self.stmt(body);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                // What loops need to come to their ends is compared as their heads are.
                let needed = matches!(then.kind, StmtKind::Original(_));
                let in_head = std::mem::replace(&mut self.in_head, needed);
                let compares = std::mem::replace(&mut self.compares, !needed);
                self.affine(condition);
                (self.in_head, self.compares) = (in_head, compares);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::Block(list) => list.iter().for_each(|s| self.stmt(s)),
            StmtKind::Declaration(symbol) => {
                let s = &self.unit.symbols[*symbol];
                if self.facts.definition(self.unit, *symbol).is_some() {
                    s.initialiser.iter().for_each(|e| self.affine(e));
                } else {
                    let integers = self.is_subscript(*symbol);
                    s.initialiser.iter().for_each(|e| match integers {
                        true => self.affine(e),
                        false => self.data(e),
                    });
                }
                if matches!(s.ctype, Type::Array { .. }) {
                    place::declared_extents(&s.ctype)
                        .into_iter()
                        .flatten()
                        .for_each(|e| self.affine(e));
                }
            }
            _ => visit::own_expressions(self.unit, stmt).for_each(|e| self.data(e)),
        }
    }

    /// An expression whose subscripts count, and whose conditions may bound accesses.
    fn data(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Subscript(base, index) => {
                self.affine(index);
                self.offset(base);
            }
            ExprKind::Dereference(base) => self.affine(base),
            // How far it moves says which elements are touched.
            ExprKind::Assign(None | Some(BinaryOp::Add | BinaryOp::Sub), target, value) if matches!(target.kind, ExprKind::Name(symbol) if self.is_subscript(symbol)) =>
            {
                return self.affine(value);
            }
            // Summaries say in terms of the arguments what is accessed.
            ExprKind::Call(name, arguments) if summary::has_summary(self.unit, name) => {
                arguments.iter().for_each(|e| self.affine(e));
            }
            // `k > m ? m : k`: what it is compared with bounds it.
            ExprKind::Conditional(condition, a, b)
                if types::is_int(self.unit, expr) && chooses(condition, [a, b]) =>
            {
                self.affine(condition);
                return [a, b].into_iter().for_each(|e| self.data(e));
            }
            // Whether a pointer is set.
            ExprKind::Name(symbol) if self.unit.symbols[*symbol].name.starts_with('(') => {
                self.affine(expr);
            }
            ExprKind::Name(symbol) => self.container(&self.unit.symbols[*symbol].ctype, expr),
            ExprKind::Field(..) | ExprKind::Arrow(..) => {
                if let ExprKind::Arrow(base, _) = &expr.kind {
                    self.offset(base);
                }
                if let Some(ctype) = types::place_type(self.unit, expr) {
                    self.container(ctype, expr);
                }
            }
            _ => {}
        }
        visit::children(expr).for_each(|e| self.data(e));
    }

    /// Whether it is an integer that subscripts are computed from.
    fn is_subscript(&self, symbol: SymbolId) -> bool {
        let ctype = &self.unit.symbols[symbol].ctype;
        let integer = matches!(ctype, Type::Scalar(scalar) if !scalar.kind.is_float());
        integer && self.subscripts.contains(&symbol)
    }

    /// What is added to a pointer.
    fn offset(&mut self, base: &'a Expr) {
        if let ExprKind::Binary(..) = base.kind {
            self.affine(base);
        }
    }

    /// The extents of an array that is accessed, and of its allocation.
    fn container(&mut self, ctype: &'a Type, expr: &'a Expr) {
        if !matches!(ctype, Type::Array { .. } | Type::Pointer { .. }) {
            return;
        }
        let Some(key) = plain_key(expr) else { return };
        let root = key.0;
        if !self.seen.insert(key) {
            return;
        }
        let unit = self.unit;
        let extents = place::declared_extents(ctype).into_iter().flatten();
        extents
            .filter(|extent| !facts::names_hidden(unit, extent))
            .for_each(|e| self.affine(e));
        if let Some(e) = allocation::initial(unit, self.facts, root) {
            allocation::sizes(unit, e)
                .into_iter()
                .for_each(|e| self.affine(e));
        }
    }

    /// An expression that is to be affine: every integer in it that stays the same is a parameter.
    fn affine(&mut self, expr: &'a Expr) {
        if let Some((root, path)) = plain_key(expr) {
            if let Some(Type::Scalar(ctype)) = types::place_type(self.unit, expr) {
                if !ctype.kind.is_float() {
                    self.candidate(root, path, ctype);
                }
                return;
            }
        }
        if let ExprKind::Subscript(..) | ExprKind::Dereference(_) = expr.kind {
            if let (false, Some((root, path)), Some(Type::Scalar(ctype))) = (
                self.compares,
                self.facts.element(self.unit, expr),
                types::place_type(self.unit, expr),
            ) {
                self.candidate(root, path, ctype);
            }
            return self.data(expr);
        }
        if let ExprKind::Binary(BinaryOp::Div | BinaryOp::ShiftRight, ..) = expr.kind {
            self.divisions.push(expr);
        }
        if self.in_head && trips::divides(expr) {
            self.trips.push(expr);
        }
        if let (true, ExprKind::Binary(BinaryOp::Mul, ..)) = (self.in_head, &expr.kind) {
            self.products.push(expr);
        }
        visit::children(expr).for_each(|e| self.affine(e));
    }

    fn candidate(&mut self, root: SymbolId, path: String, ctype: &crate::scop::ScalarType) {
        let symbol = &self.unit.symbols[root];
        let key = (root, path);
        if self.keys.contains(&key)
            || self.facts.iterators.contains_key(&root)
            || self.facts.assigned.contains_key(&root)
            || self.facts.fields.contains_key(&key)
        {
            return;
        }
        if key.1.is_empty() {
            if let Some(definition) = self.facts.definition(self.unit, root) {
                if self.seen.insert(key) {
                    self.affine(definition);
                }
                return;
            }
        }
        if matches!(symbol.scope, Scope::Region(_)) {
            return;
        }
        if let (true, Some(product)) = (key.1.is_empty(), self.facts.value(self.unit, root)) {
            let in_head = std::mem::take(&mut self.in_head);
            self.affine(product);
            self.in_head = in_head;
        }
        let spelling = format!("{}{}", symbol.name, key.1);
        self.list.push(Param {
            name: String::new(),
            spelling,
            ctype: ctype.clone(),
            span: symbol.span,
            computed: None,
        });
        self.keys.push(key);
    }
}

/// The variables that subscripts of a region mention, and those that are computed from such ones on
/// the way.
fn subscripts(unit: &Unit, region: &Region) -> HashSet<SymbolId> {
    let mut found = HashSet::new();
    let mut assigned: Vec<(SymbolId, &Expr)> = Vec::new();
    for stmt in &region.statements {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::Declaration(symbol) = stmt.kind {
                let value = unit.symbols[symbol].initialiser.as_ref();
                assigned.extend(value.map(|value| (symbol, value)));
            }
        });
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| match &e.kind {
                ExprKind::Subscript(_, index) => found.extend(changes::names(index)),
                ExprKind::Dereference(base) => found.extend(changes::names(base)),
                ExprKind::Assign(_, target, value) => {
                    if let ExprKind::Name(symbol) = target.kind {
                        assigned.push((symbol, &**value));
                    }
                }
                _ => {}
            });
        });
    }
    loop {
        let before = found.len();
        for (symbol, value) in &assigned {
            if found.contains(symbol) {
                found.extend(changes::names(value));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether a condition compares what is chosen by it.
fn chooses(condition: &Expr, chosen: [&Expr; 2]) -> bool {
    let mut found = false;
    visit::walk(condition, &mut |e| {
        if let ExprKind::Binary(_, a, b) = &e.kind {
            let sides = [a, b];
            found |= chosen
                .iter()
                .any(|e| sides.iter().any(|side| visit::same(e, side)));
        }
    });
    found
}
