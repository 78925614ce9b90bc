//! What CUDA C++ and HIP have beside C: launches, kernels for several types, numbers of threads and
//! blocks as variables, memory of a block whose size the launch says.

use crate::kernels::Item;
use crate::program::Op;
use crate::read::devices::kernels::scalar;
use crate::read::expressions::calls::Arguments;
use crate::read::expressions::values::Val;
use crate::read::{Reader, Res, Symbol, without_type};
use crate::text::OF;
use crate::types::{Kind, Len, SIZE, Type};
use lang_c::ast::{
    DeclarationSpecifier, Expression, FunctionDefinition, FunctionSpecifier, MemberExpression,
};
use lang_c::span::Node;
use std::rc::Rc;

/// Whether a function is marked as one of the device.
pub(crate) fn is_on_device(definition: &FunctionDefinition) -> bool {
    definition.specifiers.iter().any(|s| match &s.node {
        DeclarationSpecifier::Function(f) => f.node == FunctionSpecifier::Noreturn,
        _ => false,
    })
}

impl<'a> Reader<'a> {
    /// Binds the type for which a kernel is called.
    pub(crate) fn name_type(&mut self, name: &str) {
        let Some((base, ty)) = name.split_once(OF) else {
            return;
        };
        if let (Some(parameter), Some(kind)) = (self.prepared.templates.get(base), scalar(ty)) {
            let of_type = Symbol::Typedef {
                ty: Type::Scalar(kind),
                restrict: false,
            };
            self.bind(&parameter.clone(), of_type);
        }
    }

    /// A kernel as a value, which only its number says anything about.
    pub(crate) fn kernel_value(&mut self, name: &str) -> Option<Val> {
        let is_kernel = |definition: &&&Node<FunctionDefinition>| is_on_device(&definition.node);
        if !self.prepared.is_cuda {
            return None;
        }
        self.called
            .definitions
            .get(without_type(name))
            .filter(is_kernel)?;
        let number = self.request(name)?;
        Some(Val::constant(number as u64 + 1, Type::Void.pointer()))
    }

    /// `kernel<<<groups, items, bytes>>>(…)`, which the text before the parser made a call.
    pub(crate) fn launch(&mut self, arguments: Arguments<'a>) -> Res<Val> {
        let [kernel, groups, items, rest @ ..] = arguments else {
            return self.problem("a launch");
        };
        let Expression::Identifier(name) = &kernel.node else {
            return self.problem("a launch of what is no kernel");
        };
        let name = &name.node.name;
        let definition = self.called.definitions.get(without_type(name)).copied();
        let (Some(definition), Some(function)) = (definition, self.request(name)) else {
            return self.problem(format!("a launch of `{name}`, which is not in the text"));
        };
        self.enter();
        self.name_type(name);
        let ty = self.function_type(&definition.node)?;
        self.leave();
        let Type::Function(signature) = ty else {
            return self.problem(format!("the type of kernel `{name}`"));
        };
        let Some((bytes, given)) = rest.split_first() else {
            return self.problem("a launch without a size of memory");
        };
        if given.len() != signature.parameters.len() {
            return self.problem("a launch with another number of arguments");
        }
        let first = self.fun.frame.top;
        for _ in 0..7 + given.len() {
            self.temp()?;
        }
        let inner = self.fun.frame.top;
        let mut values: Vec<(Option<&'a Node<Expression>>, Type)> = Vec::new();
        for extents in [groups, items] {
            for one in self.extents_of(extents)? {
                values.push((one, Type::Scalar(Kind::U32)));
            }
        }
        values.push((Some(bytes), SIZE));
        let types = signature.parameters.iter().cloned();
        values.extend(given.iter().map(Some).zip(types));
        let count = values.len() as u16;
        for (index, (e, ty)) in values.into_iter().enumerate() {
            let value = match e {
                Some(e) => self.expr(e)?,
                None => Val::int(1),
            };
            let value = self.convert(value, &ty)?;
            self.assign_reg((first + index) as u16, &value, inner)?;
            self.fun.frame.top = inner;
        }
        self.program.device.has_kernels = true;
        let (function, first) = (function as u32, first as u16);
        self.emit(Op::Launch {
            function,
            first,
            count,
        });
        self.here();
        self.fun.frame.top = first as usize;
        Ok(Val::constant(0, Type::Void))
    }

    /// The three extents of a grid or block; those that are left out are 1.
    fn extents_of(&mut self, e: &'a Node<Expression>) -> Res<[Option<&'a Node<Expression>>; 3]> {
        let mut all = [None; 3];
        match &e.node {
            Expression::Call(call) if matches!(&call.node.callee.node, Expression::Identifier(n) if n.node.name == "dim3") =>
            {
                let arguments = &call.node.arguments;
                if !(1..=3).contains(&arguments.len()) {
                    return self.problem("the extents of a launch");
                }
                for (one, argument) in all.iter_mut().zip(arguments) {
                    *one = Some(argument);
                }
            }
            _ => all[0] = Some(e),
        }
        Ok(all)
    }

    /// `threadIdx.x` and its like: what it says, and of which dimension.
    pub(crate) fn builtin_member(&self, member: &MemberExpression) -> Option<(Item, i64)> {
        if !(self.device && self.prepared.is_cuda) {
            return None;
        }
        let Expression::Identifier(name) = &member.expression.node else {
            return None;
        };
        let what = match name.node.name.as_str() {
            "threadIdx" => Item::Local,
            "blockIdx" => Item::Group,
            "blockDim" => Item::LocalSize,
            "gridDim" => Item::Groups,
            _ => return None,
        };
        let dimension = match member.identifier.node.name.as_str() {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return None,
        };
        Some((what, dimension))
    }

    pub(crate) fn own_number(&mut self, member: &MemberExpression) -> Res<Val> {
        let Some((what, dimension)) = self.builtin_member(member) else {
            return self.problem("a member");
        };
        let a = self.constant(dimension as u64)?;
        let d = self.temp()?;
        self.emit(Op::Item { what, d, a });
        Ok(Val::reg(d, Type::Scalar(Kind::U32)))
    }

    /// `extern __shared__ char memory[];`
    pub(crate) fn dynamic_memory(&mut self, name: &str, ty: &Type) -> Res<()> {
        let Type::Array(element, Len::Unknown) = ty else {
            return self.problem(format!("the type of `{name}`"));
        };
        if self.program.records.size(element) != Some(1) {
            return self.problem(format!("the type of `{name}`"));
        }
        let d = self.temp()?;
        let a = self.constant(0)?;
        let what = Item::Bytes;
        self.emit(Op::Item { what, d, a });
        // Of bytes: as many as elements.
        let ty = Type::Array(Rc::clone(element), Len::Slot(d, d));
        let reg = self.local_object(name, &ty, true)?;
        self.bind(name, Symbol::Memory { reg, ty });
        Ok(())
    }
}
