//! Places of a text at which memory is accessed, for who wants to know of the accesses
//! ([`crate::storage::trace`]). Variables of functions are objects in memory then.

use super::{Compilable, Reader, Res, Symbol};
use crate::program::{Op, Program, Reg};
use crate::read::expressions::values::{At, Val};
use crate::types::{Kind, Type};
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::collections::HashMap;
use std::rc::Rc;

/// An access that is recorded.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// Line, and byte in that line without its indentation.
    pub place: (u32, usize),
    /// Where the statement or declaration around it begins.
    pub statement: (u32, usize),
    pub touch: Touch,
    /// The variables that were asked for, as far as they are declared here: where they are.
    pub visible: Rc<[Option<(Reg, Kind)>]>,
}

/// What is touched, by registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Touch {
    Load {
        at: Reg,
        size: u64,
    },
    Store {
        at: Reg,
        size: u64,
    },
    Copy {
        to: Reg,
        from: Reg,
        n: Reg,
    },
    Fill {
        to: Reg,
        n: Reg,
    },
    /// A call, of which later accesses are part.
    Call,
}

impl Compilable {
    /// Compiles functions so that accesses are recorded, with the values of these variables, in the
    /// order of the text.
    pub fn compile_traced(&self, variables: &[String]) -> Res<Program> {
        let mut reader = self.reader(self.program(), false);
        reader.pragmas = HashMap::new();
        reader.traced = Some(variables);
        reader.unit(&self.tree, &self.names)?;
        Ok(reader.program)
    }
}

impl<'a> Reader<'a> {
    /// Has an access recorded that the next instruction does.
    pub(super) fn recorded(&mut self, op: Op) {
        let touch = match op {
            Op::Load { kind, at, .. } => Touch::Load {
                at,
                size: kind.size(),
            },
            Op::Store { kind, at, .. } => Touch::Store {
                at,
                size: kind.size(),
            },
            Op::Copy { to, from, n } => Touch::Copy { to, from, n },
            Op::Fill { to, n, .. } => Touch::Fill { to, n },
            Op::Call { .. } => Touch::Call,
            _ => return,
        };
        let variables = self.traced.unwrap_or_default();
        let visible = variables.iter().map(|name| match self.lookup(name) {
            Some(Symbol::Memory { reg, ty }) => match ty {
                Type::Scalar(kind) if !kind.is_float() => Some((*reg, *kind)),
                _ => None,
            },
            _ => None,
        });
        let site = Site {
            place: self.prepared.place(self.position.offset),
            statement: self.prepared.place(self.position.begun),
            touch,
            visible: visible.collect(),
        };
        self.program.recorded.sites.push(site);
        let site = self.program.recorded.sites.len() as u32 - 1;
        self.push(Op::Seen { site });
    }

    /// `__tw_region(on)`, `__tw_note(value)`.
    pub(super) fn noted(&mut self, name: &str, arguments: &'a [Node<Expression>]) -> Res<Val> {
        let nothing = Val::constant(0, Type::Void);
        let Some(e) = arguments.first() else {
            return self.problem(format!("`{name}` without an argument"));
        };
        let value = self.expr(e)?;
        match (name, value.at) {
            ("__tw_region", At::Const(on)) => {
                self.push(Op::Region { on: on != 0 });
            }
            ("__tw_note", _) => {
                let (kind, pointer) = (self.kind_of(&value)?, value.ty.is_pointer());
                let a = self.reg(&value)?;
                self.push(Op::Note { kind, pointer, a });
            }
            _ => return self.problem(format!("`{name}`, which is not known")),
        }
        Ok(nothing)
    }
}
