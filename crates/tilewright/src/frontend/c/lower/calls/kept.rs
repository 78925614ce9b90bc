//! Functions of the program that keep something from one call to the next: variables declared `static`
//! in their bodies, which nothing else can name, and what the functions of the library that they call
//! change ([`hidden`]). Their calls stay calls, as those of the library do.
//!
//! Only functions qualify that touch nothing else: they get numbers, and strings and streams which they
//! hand on to functions of the library, give a number or nothing, and name their own variables,
//! constants of the file and the standard streams. No address of a variable leaves them, so that what
//! is kept is nobody else's.

use crate::frontend::c::lower::calls::hidden::{self, Function, Given};
use crate::frontend::c::lower::calls::{purity, summary};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{
    self, Expr, ExprKind, Scope, Sized, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::Hidden;
use std::collections::HashMap;

/// The streams that every program has.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// What is known of a function of the file with hidden state.
pub(super) fn function(unit: &Unit, name: &str) -> Option<Function> {
    let (number, own) = purity::definition(unit, name)?;
    if summary::has_summary(unit, name) {
        return None;
    }
    let mut closure = Closure {
        unit,
        known: Vec::new(),
        states: Vec::new(),
        answers: false,
        uses: HashMap::new(),
    };
    closure.add(number)?;
    let given = |p: &SymbolId| match &unit.symbols[*p].ctype {
        Type::Scalar(_) => Some(Given::Value),
        _ => closure.uses.get(p).copied(),
    };
    let given: Option<Vec<Given>> = own.parameters.iter().map(given).collect();
    let states = closure.states;
    let result = match &own.result {
        Type::Void => None,
        result => Some(purity::kind_of(result)?),
    };
    let given = given.filter(|_| !states.is_empty())?;
    Some(Function {
        name: own.name.clone(),
        given,
        result,
        is_not_negative: false,
        // What it prints may depend on what it keeps, too.
        answers: closure.answers || states.iter().any(|of| matches!(of, Hidden::Kept(_))),
        states,
    })
}

/// Whether a function of the file declares variables that it keeps, so that its body has a meaning
/// nowhere else, and is known to touch nothing but hidden state.
pub(crate) fn keeps(unit: &Unit, name: &str) -> bool {
    let Some((number, _)) = purity::definition(unit, name) else {
        return false;
    };
    function(unit, name).is_some_and(|known| known.states.contains(&Hidden::Kept(number)))
}

/// Functions that call each other, and what they change.
struct Closure<'u> {
    unit: &'u Unit,
    /// By their numbers in the file.
    known: Vec<usize>,
    states: Vec<Hidden>,
    /// Whether one of them asks the library for what is decided elsewhere.
    answers: bool,
    /// What pointers are for that functions get, as far as they hand them on.
    uses: HashMap<SymbolId, Given>,
}

impl Closure<'_> {
    /// A function, and what it calls; `None` where one of them does what is not known here.
    fn add(&mut self, number: usize) -> Option<()> {
        if self.known.contains(&number) {
            return Some(());
        }
        self.known.push(number);
        let unit = self.unit;
        let function = unit.functions.get(number)?;
        let scalar = |ctype: &Type| matches!(ctype, Type::Scalar(_));
        let fits = |&p: &SymbolId| {
            let ctype = &unit.symbols[p].ctype;
            scalar(ctype) || matches!(ctype, Type::Pointer { .. })
        };
        let fits = function.parameters.iter().all(fits)
            && (function.result == Type::Void || scalar(&function.result));
        if !fits {
            return None;
        }
        self.statements(number, function)?;
        let mut tops = Vec::new();
        visit::expressions(unit, &function.body, &mut |top| tops.push(top));
        // A string by itself is what an array of characters begins with.
        let mut tops = tops.into_iter().filter(|top| !hidden::is_string(top));
        tops.try_for_each(|top| self.value(number, top))
    }

    /// What it declares, and that nothing stands in it which this tree does not have.
    fn statements(&mut self, number: usize, function: &syntax::Function) -> Option<()> {
        let unit = self.unit;
        let (mut sound, mut keeps) = (true, false);
        visit::statements(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Declaration(symbol) => {
                let own = &unit.symbols[*symbol];
                sound &= is_plain(&own.ctype);
                keeps |= own.is_static && !is_const(unit, *symbol);
            }
            StmtKind::Unsupported(word) => sound &= *word != "asm",
            StmtKind::Pragma(_) | StmtKind::Exit(_) | StmtKind::Original(_) => sound = false,
            _ => {}
        });
        if keeps {
            self.states.push(Hidden::Kept(number));
        }
        sound.then_some(())
    }

    /// An expression that is evaluated in a function.
    fn value(&mut self, number: usize, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Name(symbol) => {
                let own = &self.unit.symbols[*symbol];
                let number_here = matches!(own.ctype, Type::Scalar(_));
                (number_here && self.is_known(number, *symbol)).then_some(())
            }
            ExprKind::Subscript(..) | ExprKind::Field(..) => self.place(number, expr, true),
            ExprKind::Call(name, arguments) => self.call(number, name, arguments),
            ExprKind::SizeOf(of, _) => {
                let fixed = match of {
                    Sized::Type(ctype) => is_plain(ctype),
                    // It is not evaluated, and arrays here have constant extents.
                    Sized::Value(_) => true,
                };
                fixed.then_some(())
            }
            ExprKind::Literal(_) => (!hidden::is_string(expr)).then_some(()),
            ExprKind::Cast(to, _) if !matches!(to, Type::Scalar(_) | Type::Void) => None,
            ExprKind::Arrow(..)
            | ExprKind::Dereference(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unknown(_)
            | ExprKind::Unsupported(_) => None,
            ExprKind::Integer(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Assign(..)
            | ExprKind::Increment { .. }
            | ExprKind::Comma(_)
            | ExprKind::List(_) => {
                let mut parts = visit::children(expr);
                parts.try_for_each(|part| self.value(number, part))
            }
        }
    }

    /// An element or a field of a variable: a number where `whole`, or an array that it is in.
    fn place(&mut self, number: usize, expr: &Expr, whole: bool) -> Option<()> {
        match &expr.kind {
            ExprKind::Subscript(base, index) => {
                self.value(number, index)?;
                self.place(number, base, false)
            }
            ExprKind::Field(base, _) => self.place(number, base, false),
            ExprKind::Name(symbol) if !whole => {
                let of = &self.unit.symbols[*symbol].ctype;
                let holds = matches!(of, Type::Array { .. } | Type::Struct { .. });
                (holds && is_plain(of) && self.is_known(number, *symbol)).then_some(())
            }
            _ => None,
        }?;
        let number_here = || matches!(types::place_type(self.unit, expr), Some(Type::Scalar(_)));
        (!whole || number_here()).then_some(())
    }

    /// A call of a function that computes, of one of the library with hidden state, or of one of the
    /// file.
    fn call(&mut self, number: usize, name: &str, arguments: &[Expr]) -> Option<()> {
        if let Some(library) = hidden::of_library(self.unit, name) {
            self.answers |= library.answers;
            for of in library.states {
                if !self.states.contains(&of) {
                    self.states.push(of);
                }
            }
            let mut given = library.given;
            if given.last() == Some(&Given::Format)
                && let Some(ExprKind::Literal(format)) =
                    arguments.get(given.len() - 1).map(|e| &e.kind)
            {
                given.extend(hidden::conversions(format)?);
            }
            let given = given.into_iter().map(Some).chain(std::iter::repeat(None));
            let mut arguments = arguments.iter().zip(given);
            return arguments
                .try_for_each(|(argument, given)| self.handed(number, argument, given));
        }
        arguments
            .iter()
            .try_for_each(|argument| self.value(number, argument))?;
        let constant = purity::is_pure(self.unit, name)
            && purity::external(self.unit, name).is_none_or(|declared| declared.is_const);
        match purity::definition(self.unit, name) {
            _ if constant => Some(()),
            Some(_) if summary::has_summary(self.unit, name) => None,
            Some((other, _)) => self.add(other),
            None => None,
        }
    }

    /// What a function of the library gets: a number, a string, a standard stream, an array of the
    /// function's own, or a string or stream that it got itself.
    fn handed(&mut self, number: usize, argument: &Expr, given: Option<Given>) -> Option<()> {
        if let Some(conditions) = hidden::strings(argument) {
            let mut conditions = conditions.into_iter();
            return conditions.try_for_each(|e| self.value(number, e));
        }
        match &argument.kind {
            ExprKind::Name(symbol) => {
                let own = &self.unit.symbols[*symbol];
                match &own.ctype {
                    Type::Array { .. } => self.place(number, argument, false),
                    Type::Scalar(_) => self.value(number, argument),
                    _ if own.scope == Scope::Parameter(number) => {
                        let given = given?;
                        let known = self
                            .uses
                            .insert(*symbol, given)
                            .is_none_or(|old| old == given);
                        let passed = matches!(given, Given::Characters | Given::Stream);
                        (passed && known).then_some(())
                    }
                    _ => (own.scope == Scope::File && STREAMS.contains(&&*own.name)).then_some(()),
                }
            }
            _ => self.value(number, argument),
        }
    }

    /// Whether a variable is the function's own, or a constant of the file.
    fn is_known(&self, number: usize, symbol: SymbolId) -> bool {
        match self.unit.symbols[symbol].scope {
            Scope::Parameter(of) | Scope::Function(of) => of == number,
            Scope::File => is_const(self.unit, symbol),
            // A region of the function is among its statements.
            Scope::Region(region) => {
                let region = self.unit.regions.get(region);
                region.is_some_and(|region| region.function == number)
            }
        }
    }
}

fn is_const(unit: &Unit, symbol: SymbolId) -> bool {
    fn elements(ctype: &Type) -> bool {
        match ctype {
            Type::Array {
                is_const, element, ..
            } => *is_const || elements(element),
            _ => false,
        }
    }
    let own = &unit.symbols[symbol];
    own.is_const || elements(&own.ctype)
}

/// A number, or an array or structure of such, of a size that the text says.
fn is_plain(ctype: &Type) -> bool {
    match ctype {
        Type::Scalar(_) => true,
        Type::Array {
            element, extent, ..
        } => {
            let fixed = extent
                .as_ref()
                .is_none_or(|e| matches!(e.kind, ExprKind::Integer(..)));
            fixed && is_plain(element)
        }
        Type::Struct {
            is_union, fields, ..
        } => !is_union && fields.iter().all(|(_, field)| is_plain(field)),
        _ => false,
    }
}
