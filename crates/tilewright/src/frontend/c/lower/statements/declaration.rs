//! Declarations inside the region: scalars of a body, temporaries in memory, initial values.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::{Lowering, Refusal, Result, messages};
use crate::frontend::c::syntax::{Expr as SyntaxExpr, ExprKind, SymbolId, Type};
use crate::scop::Action;
use crate::source::Span;

impl Lowering<'_> {
    /// What a declaration does.
    pub(crate) fn declaration(
        &mut self,
        state: &mut State,
        symbol: SymbolId,
        span: Span,
    ) -> Result<Vec<Action>> {
        let s = &self.unit.symbols[symbol];
        if self.facts.definition(self.unit, symbol).is_some() {
            return Ok(Vec::new());
        }
        if s.is_static {
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    format!("`{}` is static and declared inside the region", s.name),
                )
                .at(span, "keeps its value from one iteration to the next")
                .help("declare it before the region"),
            ));
        }
        match &s.ctype {
            Type::Scalar(ctype) if state.folded.contains(&symbol) => {
                let value = match &s.initialiser {
                    Some(value) => Some(self.value_once(state, value)?),
                    None => None,
                };
                let taken = |name: &String| {
                    self.names.is_visible(name)
                        || state.locals.values().any(|n| n == name)
                        || state.scope.loops.iter().any(|l| l.iterator.name == *name)
                        || self.model.arrays.iter().any(|a| a.name == *name)
                };
                let mut name = s.name.clone();
                let mut number = 2;
                while taken(&name) {
                    name = format!("{}_{number}", s.name);
                    number += 1;
                }
                // Arrays that are found later must not be hidden by it.
                self.names.reserve(&name);
                state.locals.insert(symbol, name.clone());
                Ok(vec![Action::Local {
                    name,
                    ctype: ctype.clone(),
                    value,
                }])
            }
            Type::Pointer { .. } if !self.is_datum(symbol) => Err(Refusal::from(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    format!("the pointer `{}` is not followed to an array", s.name),
                )
                .at(span, "")
                .help("subscript the array that it points into, or set it before the region"),
            )),
            Type::Scalar(_) | Type::Array { .. } | Type::Struct { .. } | Type::Pointer { .. } => {
                let around = (state.scope.loops.len(), state.scope.guards.len());
                self.variables.declared.entry(symbol).or_insert(around);
                let Some(value) = &s.initialiser else {
                    return Ok(Vec::new());
                };
                let place = SyntaxExpr {
                    kind: ExprKind::Name(symbol),
                    span,
                };
                self.initialise(state, place, &s.ctype, value)
            }
            Type::Other(what) => Err(Refusal::from(messages::no_values_of(what).at(span, ""))),
            Type::Void => Err(Refusal::from(messages::no_values_of("void").at(span, ""))),
        }
    }

    /// `T a = value;` for what is stored in memory; lists element by element.
    fn initialise(
        &mut self,
        state: &mut State,
        place: SyntaxExpr,
        ctype: &Type,
        value: &SyntaxExpr,
    ) -> Result<Vec<Action>> {
        const MAX_ELEMENTS: i64 = 64;
        let span = place.span;
        let integer = |v: i64| SyntaxExpr {
            kind: ExprKind::Integer(v, v.to_string()),
            span,
        };
        let empty = SyntaxExpr {
            kind: ExprKind::List(Vec::new()),
            span: value.span,
        };
        match (ctype, &value.kind) {
            (
                Type::Array {
                    element, extent, ..
                },
                ExprKind::List(items),
            ) => {
                let extent = match extent.as_deref().map(|e| &e.kind) {
                    Some(ExprKind::Integer(n, _)) => *n,
                    None => i64::try_from(items.len()).unwrap_or(i64::MAX),
                    _ => i64::MAX,
                };
                if extent > MAX_ELEMENTS {
                    return Err(Refusal::from(
                        Diagnostic::error(
                            Code::UnsupportedExpression,
                            "a long list of initial values inside a region",
                        )
                        .at(value.span, "")
                        .help("initialise the array before the region"),
                    ));
                }
                let mut actions = Vec::new();
                for k in 0..extent {
                    let kind = ExprKind::Subscript(Box::new(place.clone()), Box::new(integer(k)));
                    let item = usize::try_from(k)
                        .ok()
                        .and_then(|k| items.get(k))
                        .unwrap_or(&empty);
                    actions.extend(self.initialise(
                        state,
                        SyntaxExpr { kind, span },
                        element,
                        item,
                    )?);
                }
                Ok(actions)
            }
            (Type::Struct { fields, .. }, ExprKind::List(items)) => {
                let mut actions = Vec::new();
                for (k, (name, field)) in fields.iter().enumerate() {
                    let kind = ExprKind::Field(Box::new(place.clone()), name.clone());
                    let item = items.get(k).unwrap_or(&empty);
                    actions.extend(self.initialise(
                        state,
                        SyntaxExpr { kind, span },
                        field,
                        item,
                    )?);
                }
                Ok(actions)
            }
            (Type::Scalar(_), ExprKind::List(items)) => match items.as_slice() {
                [] => self.assign(state, None, &place, &integer(0)),
                [one] => self.assign(state, None, &place, one),
                _ => Err(self.unsupported(value, "a list as the value of a scalar", "")),
            },
            (Type::Scalar(_) | Type::Pointer { .. }, _) => self.assign(state, None, &place, value),
            _ => Err(self.unsupported(
                value,
                "arrays and structures cannot be assigned as a whole",
                "assign their elements one by one",
            )),
        }
    }
}
