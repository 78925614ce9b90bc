//! What a caller of a function must keep to: extents and conditions as trees over its arguments,
//! for callers that are not C.
//!
//! [`super::interface`] has the extents as C text, which C evaluates. A caller in another language
//! cannot do that, and must not rely on C where a sum may overflow: it evaluates [`Amount`]s.

use super::mentions;
use super::syntax::{Expr, ExprKind, Scope, SymbolId, Type, Unit};
use super::{lower, reach, types};
use crate::scop::{BinaryOp, Origin, ScalarKind, ScalarType, Scop, UnaryOp};
use isl::{AstBuild, AstExpr, AstExprOpType as Op, AstExprType, DimType, PwAff, Set};
use std::collections::BTreeSet;

/// What must hold for a call of one function.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// What it returns.
    pub result: Outcome,
    /// One for each of its arguments, in order.
    pub sizes: Vec<Size>,
    /// What the regions assume of the scalar arguments, and what keeps their accesses inside of
    /// the arrays that are passed. What they compare when they run counts, too: for other sizes
    /// nothing is known of what the original accesses.
    pub conditions: Vec<Condition>,
    /// Variables with a place of their own for as long as the program runs (of the file, or
    /// `static`), that may change and that some function of the file mentions: calls that overlap
    /// in time would meet there.
    pub shared: Vec<String>,
    /// Of these, pointers: what they point at is not in the caller's hands.
    pub pointers: Vec<String>,
    /// What a region assumes could not be written as a condition.
    pub incomplete: bool,
}

/// What a function returns.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nothing.
    Nothing,
    /// A number.
    Number(ScalarType),
    /// Something else.
    Other,
}

/// How large an argument is.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// It is no array.
    One,
    /// The extents that C declares, outermost first.
    Declared(Vec<Amount>),
    /// A pointer without an extent: what the regions' accesses reach, at least.
    Reached(Amount),
    /// It cannot be told from the arguments, and why.
    Unknown(String),
}

/// A condition on the arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Not zero where it holds.
    pub holds: Amount,
    /// The same as C text, for messages.
    pub text: String,
    /// The array that is accessed outside of its extents where it does not hold; `None` for what
    /// the regions assume.
    pub array: Option<String>,
}

/// A number that follows from scalar arguments, in mathematical integers unless it says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// A constant.
    Constant(i64),
    /// The argument with this position.
    Argument(usize),
    /// What C computes in a type, in which the value has to fit: where it does not, C's result is
    /// undefined or wraps.
    Within(ScalarKind, Box<Amount>),
    /// `-a`
    Minus(Box<Amount>),
    /// An operation on two numbers.
    Two(Operation, Box<Amount>, Box<Amount>),
    /// The second where the first is not zero, else the third.
    Select(Box<Amount>, Box<Amount>, Box<Amount>),
}

/// Operations on two numbers; comparisons and connectives give 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    /// C's division, towards zero.
    Quotient,
    /// C's remainder.
    Remainder,
    /// Division towards minus infinity.
    FloorQuotient,
    Max,
    Min,
    And,
    Or,
    Equal,
    Less,
    LessEqual,
}

/// The contract of function number `function`, whose regions are `scops`.
///
/// Conditions say what they can of the arguments: what depends on other variables too is left out.
/// Where isl's budget does not suffice for what a region assumes, the contract is incomplete; where
/// it does not suffice for the bounds of an array, which are no assumption, there is no condition. It
/// is incomplete, too, where a part of what is marked has no model.
pub fn contract(unit: &Unit, function: usize, scops: &[&Scop]) -> Contract {
    let this = &unit.functions[function];
    let reader = Reader {
        unit,
        parameters: &this.parameters,
        written: mentions::written(unit, this),
    };
    let result = match &this.result {
        Type::Void => Outcome::Nothing,
        Type::Scalar(number) if number.kind.is_on_devices() => Outcome::Number(number.clone()),
        _ => Outcome::Other,
    };
    let sizes: Vec<Size> = this
        .parameters
        .iter()
        .map(|&id| reader.size(id, scops))
        .collect();
    let mut conditions = Vec::new();
    let mut incomplete = !unit.is_modelled(function, scops.len());
    for scop in scops {
        match reach::within(scop, || reader.assumed(scop)) {
            Ok(condition) => conditions.extend(condition),
            Err(_) => incomplete = true,
        }
        for array in 0..scop.arrays.len() {
            match reach::within(scop, || reader.in_bounds(scop, array)) {
                Ok(condition) => conditions.extend(condition),
                Err(_) => incomplete = true,
            }
        }
    }
    let kept = kept_between_calls(unit);
    let names = |ids: &mut dyn Iterator<Item = &SymbolId>| {
        ids.map(|&id| unit.symbols[id].name.clone()).collect()
    };
    let is_pointer = |id: &&SymbolId| matches!(unit.symbols[**id].ctype, Type::Pointer { .. });
    Contract {
        function: this.name.clone(),
        result,
        sizes,
        conditions,
        shared: names(&mut kept.iter()),
        pointers: names(&mut kept.iter().filter(is_pointer)),
        incomplete,
    }
}

/// Variables that outlive calls, may change, and are mentioned by some function of the file.
fn kept_between_calls(unit: &Unit) -> BTreeSet<SymbolId> {
    let bodies = unit.functions.iter().map(|function| &function.body);
    let mut found = mentions::mentioned(unit, bodies);
    found.retain(|&id| {
        let symbol = &unit.symbols[id];
        (symbol.scope == Scope::File || symbol.is_static) && !symbol.is_const
    });
    found
}

struct Reader<'a> {
    unit: &'a Unit,
    parameters: &'a [SymbolId],
    /// What the function may write: its value at a region is not the caller's.
    written: BTreeSet<SymbolId>,
}

impl Reader<'_> {
    /// The position of a scalar argument.
    fn scalar(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|&id| {
            let symbol = &self.unit.symbols[id];
            symbol.name == name && matches!(&symbol.ctype, Type::Scalar(t) if !t.kind.is_float())
        })
    }

    /// The same where the argument is not written before it is used.
    fn constant(&self, spelling: &str) -> Option<usize> {
        let at = self.scalar(spelling)?;
        (!self.written.contains(&self.parameters[at])).then_some(at)
    }

    fn size(&self, id: SymbolId, scops: &[&Scop]) -> Size {
        let symbol = &self.unit.symbols[id];
        let mut extents = Vec::new();
        let mut reached = None;
        let mut ctype = &symbol.ctype;
        loop {
            let (inner, extent) = match ctype {
                Type::Array {
                    element, extent, ..
                } => (element, extent.as_deref()),
                Type::Pointer { target, .. } if extents.is_empty() => (target, None),
                _ => break,
            };
            let amount = match extent {
                Some(extent) => self.declared(extent),
                None if extents.is_empty() && reached.is_none() => {
                    match self.reached(scops, &symbol.name) {
                        Ok(amount) => {
                            reached = Some(extents.len());
                            Some(amount)
                        }
                        Err(why) => return Size::Unknown(why),
                    }
                }
                None => None,
            };
            match amount {
                Some(amount) => extents.push(amount),
                None => {
                    let text = extent.map(|e| types::expression(e, &self.unit.symbols));
                    let text = text.unwrap_or_default();
                    return Size::Unknown(format!(
                        "its extent `{text}` does not follow from the arguments"
                    ));
                }
            }
            ctype = inner;
        }
        match (extents.len(), reached) {
            (0, _) => Size::One,
            (1, Some(_)) => Size::Reached(extents.remove(0)),
            (_, Some(_)) => {
                let product = extents.into_iter().reduce(|a, b| two(Operation::Mul, a, b));
                Size::Reached(product.unwrap_or(Amount::Constant(0)))
            }
            (_, None) => Size::Declared(extents),
        }
    }

    /// An extent as C declares it.
    fn declared(&self, expr: &Expr) -> Option<Amount> {
        let amount = match &expr.kind {
            ExprKind::Integer(value, _) => return Some(Amount::Constant(*value)),
            ExprKind::Name(id) => {
                let name = &self.unit.symbols.get(*id)?.name;
                let at = self.parameters.iter().position(|p| p == id);
                return at.filter(|_| self.scalar(name) == at).map(Amount::Argument);
            }
            ExprKind::Unary(UnaryOp::Plus, a) => self.declared(a)?,
            ExprKind::Unary(UnaryOp::Minus, a) => Amount::Minus(Box::new(self.declared(a)?)),
            ExprKind::Binary(op, a, b) => {
                let operation = match op {
                    BinaryOp::Add => Operation::Add,
                    BinaryOp::Sub => Operation::Sub,
                    BinaryOp::Mul => Operation::Mul,
                    BinaryOp::Div => Operation::Quotient,
                    BinaryOp::Rem => Operation::Remainder,
                    _ => return None,
                };
                two(operation, self.declared(a)?, self.declared(b)?)
            }
            ExprKind::Cast(Type::Scalar(t), a) if !t.kind.is_float() => {
                Amount::Within(t.kind, Box::new(self.declared(a)?))
            }
            _ => return None,
        };
        let kind = lower::values::types::scalar_kind(self.unit, expr)?;
        Some(Amount::Within(kind, Box::new(amount)))
    }

    /// What the regions' accesses reach behind a pointer.
    fn reached(&self, scops: &[&Scop], name: &str) -> Result<Amount, String> {
        let mut all: Option<Amount> = None;
        for scop in scops {
            let arrays = scop.arrays.iter().enumerate();
            for (index, array) in arrays.filter(|(_, array)| array.base == name) {
                if array.members.are_behind_pointers() {
                    return Err("its rows are behind pointers".to_owned());
                }
                if array.layout.outer_stride().is_some() {
                    return Err("how far rows of a flat array reach is not known".to_owned());
                }
                let failed = |_| "the regions' accesses have no bound".to_owned();
                let bound = if array.extents.is_empty() {
                    None
                } else {
                    match reach::outermost(scop, index).map_err(failed)? {
                        Some(bound) => Some(bound),
                        None => continue,
                    }
                };
                let amount = match bound {
                    None => Amount::Constant(1),
                    Some(bound) => {
                        let expr = reach::within(scop, || {
                            AstBuild::from_context(&scop.context)?.expr_from_pw_aff(&bound)
                        })
                        .map_err(failed)?;
                        self.amount(&expr, scop).ok_or_else(|| {
                            "its size does not follow from the arguments".to_owned()
                        })?
                    }
                };
                all = Some(match all {
                    None => amount,
                    Some(other) => two(Operation::Max, other, amount),
                });
            }
        }
        all.ok_or_else(|| "nothing says how many elements there are".to_owned())
    }

    /// What a region assumes of the arguments.
    fn assumed(&self, scop: &Scop) -> isl::Result<Option<Condition>> {
        let universe = Set::universe(&scop.context.get_space()?)?;
        self.condition(scop, &scop.context, &universe, None)
    }

    /// When all accesses of a region to an array that is an argument, that are known exactly, are
    /// inside of its extents.
    fn in_bounds(&self, scop: &Scop, array: usize) -> isl::Result<Option<Condition>> {
        let this = &scop.arrays[array];
        // Parts of a sum may be anywhere.
        if this.origin != Origin::Parameter || this.extents.is_empty() || !this.layout.has_rows() {
            return Ok(None);
        }
        let space = scop.context.get_space()?;
        let mut good = Set::universe(&space)?;
        let accesses = scop.statements.iter().flat_map(|s| &s.accesses);
        for access in accesses.filter(|access| access.array == array && access.exact) {
            let cells = access.relation.range()?;
            for (dim, extent) in this.extents.iter().enumerate() {
                let least = cells.dim_min(dim)?;
                let zero = PwAff::val_on_domain(&least.domain()?, &isl::Val::zero(&scop.ctx)?)?;
                let mut bad = least.lt_set(&zero)?;
                if let Some(extent) = &extent.affine {
                    bad = bad.union(&cells.dim_max(dim)?.ge_set(extent)?)?;
                }
                good = good.intersect(&bad.params()?.complement()?.align_params(&space)?)?;
            }
        }
        let name = this.base.clone();
        self.condition(scop, &good.coalesce()?, &scop.context, Some(name))
    }

    /// A condition from a set of parameters, as far as the arguments decide it.
    fn condition(
        &self,
        scop: &Scop,
        set: &Set,
        known: &Set,
        array: Option<String>,
    ) -> isl::Result<Option<Condition>> {
        let mut set = set.gist(known)?;
        for param in &scop.params {
            if self.constant(&param.spelling).is_none() {
                if let Some(at) = set.find_dim_by_name(DimType::Param, &param.name)? {
                    set = set.project_out(DimType::Param, at, 1usize)?;
                }
            }
        }
        let set = set.coalesce()?;
        if set.plain_is_universe()? || set.is_equal(&Set::universe(&set.get_space()?)?)? {
            return Ok(None);
        }
        let universe = Set::universe(&set.get_space()?)?;
        let expr = AstBuild::from_context(&universe)?.expr_from_set(&set)?;
        let text = reach::print(&expr, scop, 0)?;
        Ok(self
            .amount(&expr, scop)
            .map(|holds| Condition { holds, text, array }))
    }

    /// isl's expression as an amount; `None` where it mentions more than the arguments.
    fn amount(&self, expression: &AstExpr, scop: &Scop) -> Option<Amount> {
        let operation = match expression.get_type().ok()? {
            AstExprType::Int => {
                return expression.get_val().ok()?.to_i64().map(Amount::Constant);
            }
            AstExprType::Id => {
                let name = expression.get_id().ok()?.get_name().ok()?;
                let param = scop.params.iter().find(|param| param.name == name)?;
                return self.constant(&param.spelling).map(Amount::Argument);
            }
            AstExprType::Op => expression.get_op_type().ok()?,
        };
        let count = expression.get_op_n_arg().ok()?;
        let mut arguments = Vec::new();
        for k in 0..count {
            arguments.push(self.amount(&expression.get_op_arg(k).ok()?, scop)?);
        }
        let operation = match operation {
            Op::Add => Operation::Add,
            Op::Sub => Operation::Sub,
            Op::Mul => Operation::Mul,
            Op::Div | Op::PdivQ => Operation::Quotient,
            Op::PdivR | Op::ZdivR => Operation::Remainder,
            Op::FdivQ => Operation::FloorQuotient,
            Op::Max => Operation::Max,
            Op::Min => Operation::Min,
            Op::And | Op::AndThen => Operation::And,
            Op::Or | Op::OrElse => Operation::Or,
            Op::Eq => Operation::Equal,
            Op::Le => Operation::LessEqual,
            Op::Lt => Operation::Less,
            Op::Ge | Op::Gt => {
                arguments.reverse();
                if operation == Op::Ge {
                    Operation::LessEqual
                } else {
                    Operation::Less
                }
            }
            Op::Minus => return arguments.pop().map(|a| Amount::Minus(Box::new(a))),
            Op::Cond | Op::Select => {
                let mut all = arguments.into_iter().map(Box::new);
                return Some(Amount::Select(all.next()?, all.next()?, all.next()?));
            }
            Op::Call | Op::Access | Op::Member | Op::AddressOf => return None,
        };
        arguments.into_iter().reduce(|a, b| two(operation, a, b))
    }
}

fn two(operation: Operation, a: Amount, b: Amount) -> Amount {
    Amount::Two(operation, Box::new(a), Box::new(b))
}
