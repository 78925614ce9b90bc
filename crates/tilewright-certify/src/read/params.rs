//! Parameters of functions that are compiled.

use super::{Reader, Res, Symbol, declare};
use crate::program::{Extent, Local, Op, Param, Reg};
use crate::types::{Len, Type};
use lang_c::ast::{
    ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Expression, ParameterDeclaration,
    TypeQualifier,
};
use lang_c::span::Node;

/// The outermost array extent of a parameter's declarator, which its type does not keep.
///
/// `static` says how many elements there are at least, so that nothing is known of how many there
/// are; but PENCIL's arrays, `static const restrict`, have as many as that.
fn outermost(declarator: &Declarator) -> Option<&Node<Expression>> {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
        if !inner.node.derived.is_empty() {
            return outermost(&inner.node);
        }
    }
    let mut derived = declarator.derived.iter();
    derived
        .find_map(|d| match &d.node {
            DerivedDeclarator::Array(array) => Some(&array.node),
            _ => None,
        })
        .and_then(|array| {
            let has = |wanted| array.qualifiers.iter().any(|q| q.node == wanted);
            match &array.size {
                ArraySize::VariableExpression(e) => Some(&**e),
                ArraySize::StaticExpression(e) => {
                    (has(TypeQualifier::Restrict) && has(TypeQualifier::Const)).then_some(&**e)
                }
                ArraySize::Unknown | ArraySize::VariableUnknown => None,
            }
        })
}

impl<'a> Reader<'a> {
    /// Binds a parameter, and emits the evaluation of its extents.
    pub(super) fn parameter(
        &mut self,
        reg: Reg,
        parameter: &'a ParameterDeclaration,
    ) -> Res<Param> {
        let (base, storage) = self.specifiers(&parameter.specifiers)?;
        let mut param = Param {
            name: String::new(),
            ty: base.clone(),
            restrict: false,
            extents: Vec::new(),
            element: Type::Void,
        };
        if let Some(declarator) = &parameter.declarator {
            let declarator = &declarator.node;
            param.name = declare::name_of(declarator).unwrap_or("").to_owned();
            param.restrict =
                declare::is_restrict(declarator) || self.is_restrict_by_name(parameter);
            // In front of the type, whose registers are to be kept.
            let outer = match outermost(declarator) {
                Some(e) => {
                    let slot = self.temp()?;
                    let value = self.expr(e)?;
                    let value = self.convert(value, &crate::types::LONG)?;
                    let a = self.reg(&value)?;
                    self.emit(Op::Move { d: slot, a });
                    self.fun.frame.top = slot as usize + 1;
                    Some(slot)
                }
                None => None,
            };
            let ty = self.declarator(declarator, base)?;
            param.ty = match ty {
                Type::Array(inner, _) => {
                    param.extents.push(outer);
                    inner.as_ref().clone().pointer()
                }
                Type::Function(_) => ty.pointer(),
                other => other,
            };
        }
        if let Type::Pointer(target) = &param.ty {
            if param.extents.is_empty() {
                param.extents.push(None);
            }
            let mut inner = target.as_ref();
            while let Type::Array(element, len) = inner {
                param.extents.push(match len {
                    Len::Slot(reg, _) => Some(*reg),
                    Len::Fixed(value) => Some(self.constant(*value)?),
                    Len::Unknown => None,
                });
                inner = element;
            }
            param.element = inner.clone();
        }
        let ty = param.ty.clone();
        if storage.is_volatile {
            self.fun.names.volatile.insert(param.name.clone());
        }
        self.bind(
            &param.name,
            Symbol::Local {
                reg,
                ty,
                flag: None,
            },
        );
        Ok(param)
    }

    /// Parameters that are objects in memory.
    pub(super) fn parameter_objects(&mut self, params: &[Param]) -> Res<()> {
        for (index, param) in params.iter().enumerate() {
            let value = index as Reg;
            let is_record = matches!(param.ty, Type::Record(_));
            let name = &param.name;
            let in_memory = self.fun.names.addressed.contains(name)
                || self.fun.names.shared.contains(name)
                || self.traced.is_some();
            if !is_record && !in_memory {
                continue;
            }
            let reg = self.local(name, &param.ty)?;
            self.store(reg, &param.ty, value)?;
            let ty = param.ty.clone();
            self.bind(name, Symbol::Memory { reg, ty });
        }
        Ok(())
    }

    /// A new local object; the register that points to it.
    pub(super) fn local(&mut self, name: &str, ty: &Type) -> Res<Reg> {
        self.local_object(name, ty, false)
    }

    /// The same; `group`: one for all work-items of a group.
    pub(super) fn local_object(&mut self, name: &str, ty: &Type, group: bool) -> Res<Reg> {
        let d = self.temp()?;
        let top = self.fun.frame.top;
        let size = self.size_of(ty)?;
        let n = self.reg(&size)?;
        let (mut extents, mut inner) = (Vec::new(), ty);
        while let Type::Array(element, len) = inner {
            extents.push(match len {
                Len::Fixed(value) => Extent::Fixed(*value),
                Len::Slot(..) => Extent::Variable,
                Len::Unknown => return self.problem(format!("the extent of `{name}`")),
            });
            inner = element;
        }
        let local = self.program.locals.len() as u32;
        let slot = self.fun.frame.locals;
        self.fun.frame.locals += 1;
        self.program.locals.push(Local {
            slot,
            name: name.to_owned(),
            ty: inner.clone(),
            extents,
            place: self.prepared.place(self.position.offset),
        });
        self.emit(if group {
            Op::GroupLocal { d, n, local }
        } else {
            Op::Local { d, n, local }
        });
        self.fun.frame.top = top;
        Ok(d)
    }
}
