//! Calls of functions that do something outside the program's memory.

use crate::outside::{Call, Function, Gives, Handed, More};
use crate::program::Op;
use crate::read::expressions::calls::Arguments;
use crate::read::expressions::values::Val;
use crate::read::{Reader, Res};
use crate::types::{Kind, Type};

impl<'a> Reader<'a> {
    /// A call of one of them.
    pub(crate) fn outside(
        &mut self,
        function: &'static Function,
        arguments: Arguments<'a>,
    ) -> Res<Val> {
        let name = function.name;
        let least = function.handed.len();
        let fits = match function.more {
            More::Nothing => arguments.len() == least,
            More::Values | More::Places => arguments.len() >= least,
        };
        if !fits {
            return self.problem(format!("a call of `{name}`"));
        }
        let d = self.temp()?;
        let first = self.fun.frame.top;
        for _ in arguments {
            self.temp()?;
        }
        let inner = self.fun.frame.top;
        let mut handed = function.handed.to_vec();
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.expr(argument)?;
            let value = match handed.get(index) {
                Some(Handed::Number(kind)) => self.convert(value, &Type::Scalar(*kind))?,
                Some(_) => value,
                None if function.more == More::Places => {
                    let kind = match &value.ty {
                        Type::Pointer(to) => to.kind(),
                        _ => None,
                    };
                    let Some(kind) = kind else {
                        return self.problem(format!("what `{name}` gets"));
                    };
                    handed.push(Handed::Found(kind));
                    value
                }
                None => {
                    let (value, more) = self.of_its_own_type(name, value)?;
                    handed.push(more);
                    value
                }
            };
            self.assign_reg((first + index) as u16, &value, inner)?;
            self.fun.frame.top = inner;
        }
        let call = self.program.recorded.outside.len() as u32;
        let gives = function.gives;
        self.program.recorded.outside.push(Call {
            name,
            handed,
            gives,
            changes: function.changes,
            in_memory: function.in_memory,
        });
        let first = first as u16;
        self.emit(Op::Outside { call, first, d });
        self.here();
        let ty = match gives {
            Gives::Nothing => return Ok(Val::constant(0, Type::Void)),
            Gives::Number(kind) | Gives::Random(kind) => Type::Scalar(kind),
            Gives::Fraction => Type::Scalar(Kind::F64),
            Gives::Character | Gives::Length | Gives::Found => Type::Scalar(Kind::I32),
            Gives::Count => Type::Scalar(Kind::U64),
            Gives::First => Type::Scalar(Kind::I8).pointer(),
        };
        Ok(Val::reg(d, ty))
    }

    /// An argument that no declaration says the type of.
    fn of_its_own_type(&mut self, name: &str, value: Val) -> Res<(Val, Handed)> {
        if let Type::Pointer(to) = &value.ty {
            return match **to {
                // What runtimes of devices say of errors is declared here as a pointer to anything.
                Type::Void | Type::Scalar(Kind::I8 | Kind::U8) => Ok((value, Handed::Text)),
                _ => self.problem(format!("a pointer that `{name}` gets")),
            };
        }
        let kind = match value.kind().map(Kind::promoted) {
            Some(Kind::F16 | Kind::F32) => Kind::F64,
            Some(kind) => kind,
            None => return self.problem(format!("what `{name}` gets")),
        };
        let value = self.convert(value, &Type::Scalar(kind))?;
        Ok((value, Handed::Number(kind)))
    }
}
