//! Calls of functions with hidden state ([`hidden`]) in statements: accesses of that state, and of the
//! arrays that they get.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::hidden::{self, Given};
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{ArrayDraft, ArrayKey, Lowering, Refusal, Result};
use crate::frontend::c::syntax::{Expr as SyntaxExpr, ExprKind, Type};
use crate::frontend::c::types as ctext;
use crate::scop::{AccessId, AccessKind, BinaryOp, Expr, Hidden, ScalarKind, ScalarType};
use crate::source::Span;

impl Lowering<'_> {
    /// A call of a function with hidden state. What is evaluated is evaluated once for each instance
    /// that comes to it.
    ///
    /// # Errors
    /// Arguments that are not what the function takes, or of which it is not known what is read.
    pub(crate) fn effect_call(
        &mut self,
        state: &mut State,
        expr: &SyntaxExpr,
        function: &hidden::Function,
        arguments: &[SyntaxExpr],
    ) -> Result<Expr> {
        // What the function around the region keeps, the region may name.
        if function
            .states
            .contains(&Hidden::Kept(self.region.function))
        {
            return Err(self.unknown_call(expr, &function.name));
        }
        let mut given = function.given.clone();
        if let Some(last @ (Given::Format | Given::Scanned)) = given.last().copied() {
            let taken = match last {
                Given::Scanned => hidden::scanned,
                _ => hidden::conversions,
            };
            let format = arguments.get(given.len() - 1);
            let found = format.and_then(|format| conversions(format, &taken));
            given.extend(found.ok_or_else(|| self.strange_format(expr, &function.name))?);
        }
        if given.len() != arguments.len() {
            return Err(self.strange_call(
                expr,
                format!(
                    "`{}` takes {} arguments here, and gets {}",
                    function.name,
                    given.len(),
                    arguments.len()
                ),
            ));
        }
        // They are evaluated as often as the call.
        let once = std::mem::replace(&mut state.once, true);
        let passed = self.passed(state, (function, &given), arguments);
        state.once = once;
        Ok(Expr::Effect {
            function: function.name.clone(),
            arguments: passed?,
            state: self.state_accesses(state, &function.states, expr.span),
        })
    }

    /// What a call hands over.
    fn passed(
        &mut self,
        state: &mut State,
        (function, given): (&hidden::Function, &[Given]),
        arguments: &[SyntaxExpr],
    ) -> Result<Vec<Expr>> {
        let declared = function.given.len();
        let mut passed = Vec::new();
        for (position, (what, argument)) in given.iter().zip(arguments).enumerate() {
            passed.push(match what {
                Given::Value => {
                    let value = self.value(state, argument)?;
                    match position < declared {
                        true => value,
                        false => self.promoted(argument, value)?,
                    }
                }
                Given::Stream => self.stream(state, argument)?,
                Given::Format | Given::Scanned | Given::Characters => {
                    self.characters(state, argument)?
                }
                Given::Memory | Given::Filled => self.handed(state, argument, *what)?,
            });
        }
        Ok(passed)
    }

    fn strange_format(&self, expr: &SyntaxExpr, name: &str) -> Refusal {
        let message = format!("what `{name}` accesses is not known from its format");
        Refusal::from(
            Diagnostic::error(Code::UnknownCall, message)
                .at(expr.span, "called here")
                .help(
                    "give it a literal with conversions of numbers, characters and strings, none of \
                     them `%n` or `%p`; or move the call out of the region",
                ),
        )
    }

    fn strange_call(&self, expr: &SyntaxExpr, message: String) -> Refusal {
        Refusal::from(
            Diagnostic::error(Code::UnknownCall, message)
                .at(expr.span, "called here")
                .help("move the call out of the region"),
        )
    }

    /// A number among arguments of which only their own types say what they are: of the type that C
    /// hands over.
    fn promoted(&mut self, argument: &SyntaxExpr, value: Expr) -> Result<Expr> {
        let kind = match types::scalar_kind(self.unit, argument).map(ScalarKind::promoted) {
            Some(ScalarKind::F32 | ScalarKind::F16) => ScalarKind::F64,
            Some(kind) => kind,
            None => {
                let text = ctext::expression(argument, &self.unit.symbols);
                return Err(self.strange_call(argument, format!("`{text}` is not a number")));
            }
        };
        // What is computed in front of the region has a type of its own there.
        let mut computed = false;
        value.walk(&mut |e| {
            computed |= matches!(e, Expr::Param(id) if self.params.list[*id].computed.is_some());
        });
        let spelling = kind.c_name().to_owned();
        Ok(match computed {
            true => Expr::Cast(ScalarType { kind, spelling }, Box::new(value)),
            false => value,
        })
    }

    /// A stream, as a pointer that nobody follows here.
    fn stream(&mut self, state: &mut State, argument: &SyntaxExpr) -> Result<Expr> {
        match self.pointer(state, argument)? {
            Some(pointer) => Ok(pointer),
            None => {
                let text = ctext::expression(argument, &self.unit.symbols);
                Err(self.strange_call(argument, format!("`{text}` is not known to be a stream")))
            }
        }
    }

    /// A string: a literal, one of two, or an array of characters.
    fn characters(&mut self, state: &mut State, argument: &SyntaxExpr) -> Result<Expr> {
        match &argument.kind {
            ExprKind::Literal(text) if hidden::is_string(argument) => {
                Ok(Expr::Literal(text.clone()))
            }
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.value(state, condition)?;
                let conditional = std::mem::replace(&mut state.conditional, true);
                let sides = [self.characters(state, a), self.characters(state, b)];
                state.conditional = conditional;
                let [a, b] = sides;
                Ok(Expr::Conditional(
                    Box::new(condition),
                    Box::new(a?),
                    Box::new(b?),
                ))
            }
            _ => self.handed(state, argument, Given::Characters),
        }
    }

    /// Memory that is accessed from where a pointer leads on: a string ends in its row; what is
    /// given with a length may go on in the next ones (`fwrite(m[0], 1, sizeof m, file)`).
    fn handed(&mut self, state: &mut State, argument: &SyntaxExpr, given: Given) -> Result<Expr> {
        match &argument.kind {
            ExprKind::Cast(Type::Pointer { .. }, inner) => {
                return self.handed(state, inner, given);
            }
            ExprKind::Binary(BinaryOp::Add, pointer, by)
                if types::scalar_kind(self.unit, by).is_some() =>
            {
                return self.handed_from(state, pointer, by, given);
            }
            ExprKind::AddressOf(place) => {
                if let ExprKind::Subscript(base, index) = &place.kind {
                    return self.handed_from(state, base, index, given);
                }
            }
            _ => {}
        }
        let ctype = types::place_type(self.unit, argument);
        let own = ctype.map_or(0, |ctype| place::declared_extents(ctype).len());
        let row = self.row(state, argument, own)?;
        let all = self.handed_cells(&row, given == Given::Characters, &state.scope.domain)?;
        let kinds = match given {
            Given::Filled => vec![AccessKind::Read, AccessKind::Write],
            _ => vec![AccessKind::Read],
        };
        let found: Vec<_> = kinds.iter().map(|&kind| (kind, 0, all.clone())).collect();
        self.hand_over(state, row, 0, &found)
    }

    /// The same from so many elements behind where a pointer leads: all of what that leads to may be
    /// accessed.
    fn handed_from(
        &mut self,
        state: &mut State,
        pointer: &SyntaxExpr,
        by: &SyntaxExpr,
        given: Given,
    ) -> Result<Expr> {
        let first = self.handed(state, pointer, given)?;
        self.wants_integer(by, "to a pointer is added what has to be")?;
        match by.kind {
            ExprKind::Integer(0, _) => Ok(first),
            _ => {
                let by = self.value(state, by)?;
                Ok(Expr::Binary(BinaryOp::Add, Box::new(first), Box::new(by)))
            }
        }
    }

    /// The accesses of a call to the state that it changes.
    fn state_accesses(&mut self, state: &mut State, all: &[Hidden], span: Span) -> Vec<AccessId> {
        let mut accesses = Vec::new();
        for &of in all {
            let array = self.state_object(of, span);
            let always = self.always(state, array);
            accesses.extend(
                [AccessKind::Read, AccessKind::Write]
                    .map(|kind| self.add_access(state, array, kind, always, Vec::new(), span)),
            );
        }
        accesses
    }

    /// The object that stands for state of the library, or of a function.
    fn state_object(&mut self, of: Hidden, span: Span) -> usize {
        let key = ArrayKey::Hidden(of);
        if let Some(known) = self.model.arrays.iter().position(|draft| draft.key == key) {
            return known;
        }
        let element = ScalarType {
            kind: ScalarKind::I32,
            spelling: "int".to_owned(),
        };
        let name = match of {
            Hidden::Kept(number) => {
                format!("{}_{}", self.unit.functions[number].name, of.name())
            }
            Hidden::Streams | Hidden::Random => of.name().to_owned(),
        };
        self.model.arrays.push(ArrayDraft {
            key,
            name: self.names.temporary(&name),
            element: element.clone(),
            holds_pointers: false,
            region_depth: None,
            guards: 0,
            container: Type::Scalar(element),
            open: None,
            span,
            written: Some(span),
            accessed: span,
        });
        self.model.arrays.len() - 1
    }
}

/// What the conversions of a format take, of which two may be chosen from that take the same.
fn conversions(
    format: &SyntaxExpr,
    taken: &dyn Fn(&str) -> Option<Vec<Given>>,
) -> Option<Vec<Given>> {
    match &format.kind {
        ExprKind::Literal(text) => taken(text),
        ExprKind::Conditional(_, a, b) => {
            let of_a = conversions(a, taken)?;
            (conversions(b, taken)? == of_a).then_some(of_a)
        }
        _ => None,
    }
}
