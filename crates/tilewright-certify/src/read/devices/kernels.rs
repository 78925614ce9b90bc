//! Texts of kernels, and the functions that only kernels call.

use crate::arith::{Arith, Cond};
use crate::kernels::{Build, Item, Literal, Wanted};
use crate::names::NameSet;
use crate::program::{Known, Op, Program, Reg};
use crate::read::expressions::calls::Arguments;
use crate::read::expressions::place::Place;
use crate::read::expressions::values::{At, Val};
use crate::read::{Compilable, Reader, Res, cut_prepared};
use crate::run::math::Math;
use crate::text::{Problem, Sizes, prepare_kernels};
use crate::types::{INT, Kind, SIZE, Type};
use lang_c::ast::{
    DeclarationSpecifier, Expression, ExternalDeclaration, FunctionSpecifier, StringLiteral,
    TranslationUnit,
};
use lang_c::span::Node;
use std::collections::HashMap;

/// The text of kernels, with the options that it is built with.
pub(crate) struct KernelText {
    of: Wanted,
    parsed: Compilable,
    sizes: Sizes,
}

impl KernelText {
    /// Parses the text of kernels, which may be one of the literals of the program that asks for it.
    pub fn parse(of: Wanted, program: &Program) -> Res<KernelText> {
        let literal = program.device.literals.iter().find(|l| l.text == of.source);
        let nowhere = program.source.rows.len().saturating_sub(1) as u32;
        let row = |line: u32| {
            let at = (line as usize).saturating_sub(1);
            let known = literal.and_then(|literal| literal.rows.get(at));
            known.copied().unwrap_or(nowhere)
        };
        let in_kernels = |problem: Problem, row: u32| Problem {
            what: format!("in kernels: {}", problem.what),
            line: program.source.rows.get(row as usize).copied().unwrap_or(0),
        };
        let text = String::from_utf8_lossy(&of.source);
        let options = String::from_utf8_lossy(&of.options);
        let ready = prepare_kernels(&text, &options);
        let (mut prepared, sizes) = ready.map_err(|problem| {
            let row = row(problem.line);
            in_kernels(problem, row)
        })?;
        prepared.put_within(row);
        let parsed = cut_prepared(prepared).and_then(|cut| {
            let functions = cut.pieces.iter().filter_map(|piece| piece.function.clone());
            cut.parse(functions.collect(), false, &NameSet::default())
        });
        let mut parsed = parsed.map_err(|problem| {
            let row = problem.line;
            in_kernels(problem, row)
        })?;
        parsed.names = kernels(&parsed.tree);
        Ok(KernelText { of, parsed, sizes })
    }

    /// Compiles all kernels into a program.
    pub fn compile(&self, program: Program) -> Res<Program> {
        let before = program.globals.len();
        let mut reader = self.parsed.reader(program, true);
        reader.unit(&self.parsed.tree, &self.parsed.names)?;
        let numbers = self.parsed.names.iter().filter_map(|name| {
            let number = reader.called.numbers.get(name)?;
            Some((name.clone(), *number))
        });
        let kernels: HashMap<String, usize> = numbers.collect();
        let mut program = reader.program;
        // The host knows nothing of their names.
        for global in &mut program.globals[before..] {
            global.known = Known::Not;
        }
        program.device.has_kernels = true;
        program.device.builds.push(Build {
            of: self.of.clone(),
            kernels,
            sizes: self.sizes.clone(),
        });
        Ok(program)
    }
}

/// The names of a text's kernels, which are marked ([`crate::text::prepare_kernels`]).
fn kernels(tree: &TranslationUnit) -> Vec<String> {
    let definitions = tree.0.iter().filter_map(|node| match &node.node {
        ExternalDeclaration::FunctionDefinition(definition) => Some(&definition.node),
        _ => None,
    });
    let marked = definitions.filter(|definition| {
        definition
            .specifiers
            .iter()
            .any(|specifier| match &specifier.node {
                DeclarationSpecifier::Function(f) => f.node == FunctionSpecifier::Noreturn,
                _ => false,
            })
    });
    let names = marked.filter_map(|d| crate::read::declare::name_of(&d.declarator.node));
    names.map(str::to_owned).collect()
}

/// What an atomic function makes of the old value and its argument.
#[derive(Clone, Copy)]
enum Update {
    Arith(Arith),
    Smaller,
    Larger,
    Exchange,
    /// If it is as expected.
    ExchangeIf,
}

/// An atomic function of OpenCL C or CUDA C++, and how many arguments it has.
fn atomic(name: &str) -> Option<(Update, usize)> {
    let mut plain = name.strip_prefix("atomic_");
    for prefix in ["atom_", "atomic"] {
        plain = plain.or_else(|| name.strip_prefix(prefix));
    }
    let plain = plain?.to_ascii_lowercase();
    Some(match plain.as_str() {
        "add" => (Update::Arith(Arith::Add), 2),
        "sub" => (Update::Arith(Arith::Sub), 2),
        "inc" => (Update::Arith(Arith::Add), 1),
        "dec" => (Update::Arith(Arith::Sub), 1),
        "and" => (Update::Arith(Arith::And), 2),
        "or" => (Update::Arith(Arith::Or), 2),
        "xor" => (Update::Arith(Arith::Xor), 2),
        "min" => (Update::Smaller, 2),
        "max" => (Update::Larger, 2),
        "xchg" | "exch" => (Update::Exchange, 2),
        "cmpxchg" | "cas" => (Update::ExchangeIf, 3),
        _ => return None,
    })
}

/// A scalar type of OpenCL C.
pub(crate) fn scalar(name: &str) -> Option<Kind> {
    Some(match name {
        "char" => Kind::I8,
        "uchar" => Kind::U8,
        "short" => Kind::I16,
        "ushort" => Kind::U16,
        "int" => Kind::I32,
        "uint" => Kind::U32,
        "long" => Kind::I64,
        "ulong" => Kind::U64,
        "float" => Kind::F32,
        "double" => Kind::F64,
        _ => return None,
    })
}

/// The unsigned integers that hold a type's bits as registers do.
fn unsigned(kind: Kind) -> Kind {
    match kind {
        Kind::Bool | Kind::I8 | Kind::U8 => Kind::U8,
        Kind::I16 | Kind::U16 => Kind::U16,
        Kind::I32 | Kind::U32 | Kind::F32 => Kind::U32,
        _ => Kind::U64,
    }
}

/// What a work-item asks about itself.
fn item(name: &str) -> Option<Item> {
    Some(match name {
        "get_local_id" => Item::Local,
        "get_group_id" => Item::Group,
        "get_global_id" => Item::Global,
        "get_local_size" => Item::LocalSize,
        "get_num_groups" => Item::Groups,
        "get_global_size" => Item::GlobalSize,
        "get_work_dim" => Item::Dimensions,
        _ => return None,
    })
}

impl<'a> Reader<'a> {
    /// Notes a string that holds kernels, with where its lines are: in the current one or behind.
    pub(crate) fn note_kernels(&mut self, literal: &'a Node<StringLiteral>) {
        let pieces = &literal.node;
        if self.device || !pieces.iter().any(|piece| piece.contains("__kernel")) {
            return;
        }
        let Ok(mut text) = self.string_bytes(pieces) else {
            return;
        };
        text.pop();
        let mut rows = Vec::new();
        let mut at = self.prepared.start(self.position.line as usize);
        for piece in pieces {
            let rest = self.prepared.text.get(at..).unwrap_or("");
            at += rest.find(piece.as_str()).unwrap_or(0);
            let row = self.prepared.row(at) as u32;
            rows.extend(piece.matches("\\n").map(|_| row));
            at += piece.len();
        }
        rows.push(self.position.line);
        self.program.device.literals.push(Literal { text, rows });
    }

    /// The value at a place that a pointer leads to: seen as a whole, if that is `volatile`.
    pub(crate) fn seen(
        &mut self,
        pointer: &'a Node<Expression>,
        place: &Place,
        top: usize,
    ) -> Res<Val> {
        let is_volatile = match &pointer.node {
            Expression::Identifier(name) => self.fun.names.volatile.contains(&name.node.name),
            _ => false,
        };
        if !is_volatile {
            return self.value_of(place, top);
        }
        self.emit(Op::Atomic { on: true });
        let value = self.value_of(place, top)?;
        self.emit(Op::Atomic { on: false });
        Ok(value)
    }

    /// A call in a kernel of what is not in its text.
    pub(crate) fn kernel_call(&mut self, name: &str, arguments: Arguments<'a>) -> Res<Val> {
        if let Some(what) = item(name) {
            let dimension = match what {
                Item::Dimensions => Val::int(0),
                _ => self.argument(arguments, 0, &Type::Scalar(Kind::U32))?,
            };
            let a = self.reg(&dimension)?;
            let d = self.temp()?;
            self.emit(Op::Item { what, d, a });
            return Ok(Val::reg(d, SIZE));
        }
        if let Some((update, count)) = atomic(name) {
            if arguments.len() != count {
                return self.problem(format!("a call of `{name}`"));
            }
            return self.atomic_update(update, arguments);
        }
        if let Some(kind) = name.strip_prefix("as_").and_then(scalar) {
            return self.same_bits(kind, arguments);
        }
        if let Some(kind) = name.strip_prefix("convert_").and_then(scalar) {
            return self.argument(arguments, 0, &Type::Scalar(kind));
        }
        match name {
            "barrier" | "work_group_barrier" => {
                let flags = self.argument(arguments, 0, &INT)?;
                let a = self.reg(&flags)?;
                self.emit(Op::GroupBarrier { a });
                Ok(Val::constant(0, Type::Void))
            }
            "__syncthreads" => {
                let a = self.constant(3)?;
                self.emit(Op::GroupBarrier { a });
                Ok(Val::constant(0, Type::Void))
            }
            "__syncthreads_or" => {
                let value = self.argument(arguments, 0, &INT)?;
                let a = self.reg(&value)?;
                let d = self.temp()?;
                self.emit(Op::GroupAny { d, a });
                Ok(Val::reg(d, INT))
            }
            "min" | "max" => match arguments {
                [a, b] => {
                    let (a, b) = (self.expr(a)?, self.expr(b)?);
                    self.extreme(a, b, if name == "min" { Cond::Lt } else { Cond::Gt })
                }
                _ => self.problem(format!("a call of `{name}`")),
            },
            "clamp" => match arguments {
                [x, low, high] => {
                    let (x, low) = (self.expr(x)?, self.expr(low)?);
                    let x = self.extreme(x, low, Cond::Gt)?;
                    let high = self.expr(high)?;
                    self.extreme(x, high, Cond::Lt)
                }
                _ => self.problem("a call of `clamp`"),
            },
            "abs" | "isnan" | "isinf" | "isfinite" | "__builtin_inff" | "__builtin_nanf" => {
                self.library(name, arguments)
            }
            _ => self.overloaded(name, arguments),
        }
    }

    /// A function of floating-point numbers, of the type that its arguments have.
    pub(crate) fn overloaded(&mut self, name: &str, arguments: Arguments<'a>) -> Res<Val> {
        let is_known = matches!(Math::named(name), Some((_, Kind::F64)));
        if !is_known {
            return self.problem(format!("a call of `{name}`, which is not in the text"));
        }
        let (mut single, mut double) = (false, false);
        for argument in arguments {
            match self.type_of(argument)?.kind() {
                Some(Kind::F32) => single = true,
                Some(Kind::F64) => double = true,
                _ => {}
            }
        }
        if single && !double {
            self.math(&format!("{name}f"), arguments)
        } else {
            self.math(name, arguments)
        }
    }

    /// The smaller or larger one of two values.
    fn extreme(&mut self, a: Val, b: Val, cond: Cond) -> Res<Val> {
        let ty = Type::Scalar(self.kind_of(&a)?.common(self.kind_of(&b)?));
        let d = self.temp()?;
        let (a, b) = (self.convert(a, &ty)?, self.convert(b, &ty)?);
        let better = self.compare(cond, a.clone(), b.clone())?;
        let better = self.reg(&better)?;
        let (a, b) = (self.reg(&a)?, self.reg(&b)?);
        self.emit(Op::Move { d, a });
        let jump = self.emit(Op::JumpIf { a: better, to: 0 });
        self.emit(Op::Move { d, a: b });
        self.land(jump);
        Ok(Val::reg(d, ty))
    }

    /// A value's bits as those of another type of the same size.
    fn same_bits(&mut self, to: Kind, arguments: Arguments<'a>) -> Res<Val> {
        let [argument] = arguments else {
            return self.problem("a call of `as_…`");
        };
        let value = self.expr(argument)?;
        let from = self.kind_of(&value)?;
        if from.size() != to.size() {
            return self.problem("the bits of a value as a type of another size");
        }
        let bits = if from.is_float() {
            Val {
                at: value.at,
                ty: Type::Scalar(unsigned(from)),
            }
        } else {
            self.convert(value, &Type::Scalar(unsigned(from)))?
        };
        let as_integer = if to.is_float() { unsigned(to) } else { to };
        let Val { at, .. } = self.convert(bits, &Type::Scalar(as_integer))?;
        let ty = Type::Scalar(to);
        Ok(match at {
            At::Const(value) => Val::constant(value, ty),
            At::Reg(reg) => Val::reg(reg, ty),
        })
    }

    fn atomic_update(&mut self, update: Update, arguments: Arguments<'a>) -> Res<Val> {
        let pointer = self.expr(&arguments[0])?;
        let Type::Pointer(target) = pointer.ty.clone() else {
            return self.problem("an atomic function of what is no pointer");
        };
        let target = target.as_ref().clone();
        let at = self.reg(&pointer)?;
        let mut given = Vec::new();
        for argument in &arguments[1..] {
            let value = self.expr(argument)?;
            given.push(self.convert(value, &target)?);
        }
        if given.is_empty() {
            given.push(self.convert(Val::int(1), &target)?);
        }
        self.updated(update, (at, &target), given)
    }

    /// Updates what is at an address, undisturbed; the value that was there.
    fn updated(&mut self, update: Update, (at, ty): (Reg, &Type), mut given: Vec<Val>) -> Res<Val> {
        let kind = self.kind_of(&Val::constant(0, ty.clone()))?;
        let Some(by) = given.pop() else {
            return self.problem("an atomic function without a value");
        };
        let d = self.temp()?;
        self.emit(Op::Atomic { on: true });
        self.emit(Op::Load { kind, d, at });
        let old = Val::reg(d, ty.clone());
        match update {
            Update::Arith(op) => {
                // Sums wrap around, as those of unsigned numbers do.
                let wide = if kind.is_float() {
                    ty.clone()
                } else {
                    Type::Scalar(unsigned(kind))
                };
                let (a, b) = (self.convert(old.clone(), &wide)?, self.convert(by, &wide)?);
                let value = self.arith(op, a, b)?;
                let value = self.convert(value, ty)?;
                let a = self.reg(&value)?;
                self.emit(Op::Store { kind, at, a });
            }
            Update::Smaller | Update::Larger => {
                let cond = match update {
                    Update::Smaller => Cond::Lt,
                    _ => Cond::Gt,
                };
                let value = self.extreme(by, old.clone(), cond)?;
                let a = self.reg(&value)?;
                self.emit(Op::Store { kind, at, a });
            }
            Update::Exchange => {
                let a = self.reg(&by)?;
                self.emit(Op::Store { kind, at, a });
            }
            Update::ExchangeIf => {
                let Some(expected) = given.pop() else {
                    return self.problem("an exchange without what is expected");
                };
                let a = self.reg(&by)?;
                let equal = self.compare(Cond::Eq, old.clone(), expected)?;
                let equal = self.reg(&equal)?;
                let jump = self.emit(Op::JumpUnless { a: equal, to: 0 });
                self.emit(Op::Store { kind, at, a });
                self.land(jump);
            }
        }
        self.emit(Op::Atomic { on: false });
        Ok(old)
    }
}
