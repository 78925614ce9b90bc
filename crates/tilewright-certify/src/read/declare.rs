//! Declarations: specifiers and declarators to types, typedefs, structures, enumerations.

use super::{Reader, Res, Symbol, Tag};
use crate::arith::Arith;
use crate::program::{Global, Known, Op};
use crate::read::expressions::values::Val;
use crate::types::{Kind, Len, Record, SIZE, Signature, Type};
use lang_c::ast::{
    ArraySize, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    Ellipsis, EnumType, FunctionDefinition, ParameterDeclaration, PointerQualifier,
    SpecifierQualifier, StorageClassSpecifier, StructDeclaration, StructKind, StructType,
    TS18661FloatFormat, TS18661FloatType, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;
use std::rc::Rc;

/// Storage of a declaration.
#[derive(Clone, Copy, Default)]
pub(super) struct Storage {
    pub is_typedef: bool,
    pub is_static: bool,
    pub is_extern: bool,
    /// In kernels: in memory of a group, and `volatile`.
    pub is_group: bool,
    pub is_volatile: bool,
}

/// The name that a declarator declares.
pub(super) fn name_of(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => name_of(&inner.node),
    }
}

/// The parameters of a function's declarator.
pub(super) fn parameters(declarator: &Declarator) -> Option<&[Node<ParameterDeclaration>]> {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
        if let Some(found) = parameters(&inner.node) {
            return Some(found);
        }
    }
    declarator
        .derived
        .iter()
        .rev()
        .find_map(|derived| match &derived.node {
            DerivedDeclarator::Function(function) => Some(&function.node.parameters[..]),
            DerivedDeclarator::KRFunction(names) if names.is_empty() => Some(&[][..]),
            _ => None,
        })
}

/// Whether a parameter is the `void` of `(void)`.
pub(super) fn is_void(parameter: &ParameterDeclaration) -> bool {
    let is_void = |s: &Node<DeclarationSpecifier>| match &s.node {
        DeclarationSpecifier::TypeSpecifier(ty) => ty.node == TypeSpecifier::Void,
        _ => false,
    };
    let plain = parameter
        .declarator
        .as_ref()
        .is_none_or(|d| d.node.derived.is_empty() && d.node.kind.node == DeclaratorKind::Abstract);
    plain && parameter.specifiers.iter().any(is_void)
}

/// The word among a type's specifiers that is no sign and no size.
enum Word<'a> {
    Basic(&'a TypeSpecifier),
    Kind(Kind),
}

/// `_Float16` and the like, if it is a type that C compilers have by another name, or a wide one.
pub(crate) fn interchanged(float: &TS18661FloatType) -> Option<Kind> {
    match (&float.format, float.width) {
        (TS18661FloatFormat::BinaryInterchange, 16) => Some(Kind::F16),
        (TS18661FloatFormat::BinaryInterchange, 32) => Some(Kind::F32),
        (TS18661FloatFormat::BinaryInterchange, 64) => Some(Kind::F64),
        (TS18661FloatFormat::BinaryInterchange, 128) => Some(Kind::F128),
        _ => None,
    }
}

impl<'a> Reader<'a> {
    /// A declaration outside functions.
    pub(super) fn external(&mut self, declaration: &'a Declaration) -> Res<()> {
        let (base, storage) = self.specifiers(&declaration.specifiers)?;
        for node in &declaration.declarators {
            let declarator = &node.node.declarator.node;
            let Some(name) = name_of(declarator) else {
                continue;
            };
            let mut ty = self.declarator(declarator, base.clone())?;
            if storage.is_typedef {
                let restrict = is_restrict(declarator);
                self.bind(name, Symbol::Typedef { ty, restrict });
            } else if matches!(ty, Type::Function(_)) {
                if !matches!(self.lookup(name), Some(Symbol::Function(_))) {
                    self.bind(name, Symbol::Function(ty));
                }
            } else {
                let bytes = match &node.node.initializer {
                    Some(initializer) => Some(self.static_initial(&mut ty, &initializer.node)?),
                    None => None,
                };
                let known = match self.lookup(name) {
                    Some(Symbol::Global(known)) => Some(*known),
                    _ => None,
                };
                let open = |ty: &Type| matches!(ty, Type::Array(_, Len::Unknown));
                let number = match known {
                    // `extern int x[]; int x[3];`
                    Some(number) if open(&self.program.globals[number].ty) && !open(&ty) => {
                        let whole = self.global(name, ty.clone(), Known::Named)?;
                        self.program.globals.swap_remove(number);
                        debug_assert_eq!(whole, self.program.globals.len());
                        number
                    }
                    Some(number) => number,
                    None => self.global(name, ty.clone(), Known::Named)?,
                };
                let global = &mut self.program.globals[number];
                if let Some((bytes, pointers)) = bytes {
                    global.ty = ty;
                    (global.bytes, global.pointers) = (bytes, pointers);
                }
                self.bind(name, Symbol::Global(number));
            }
        }
        Ok(())
    }

    /// A new object of static storage, all zero.
    pub(super) fn global(&mut self, name: &str, ty: Type, known: Known) -> Res<usize> {
        let size = self.program.records.size(&ty);
        let size = match (size, &ty) {
            (Some(size), _) => size,
            (None, Type::Array(_, Len::Unknown)) => 0,
            _ => return self.problem(format!("the type of `{name}`")),
        };
        if size > 1 << 26 {
            return self.problem(format!("`{name}` of more than 64 MB"));
        }
        self.program.globals.push(Global {
            name: name.to_owned(),
            ty,
            bytes: vec![0; size as usize],
            pointers: Vec::new(),
            known,
        });
        Ok(self.program.globals.len() - 1)
    }

    pub(super) fn specifiers(
        &mut self,
        specifiers: &'a [Node<DeclarationSpecifier>],
    ) -> Res<(Type, Storage)> {
        let mut storage = Storage::default();
        let mut types = Vec::new();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => storage.is_typedef = true,
                    StorageClassSpecifier::Static => storage.is_static = true,
                    StorageClassSpecifier::Extern => storage.is_extern = true,
                    _ => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                DeclarationSpecifier::TypeQualifier(qualifier) if self.device => {
                    match qualifier.node {
                        TypeQualifier::Atomic => storage.is_group = true,
                        TypeQualifier::Volatile => storage.is_volatile = true,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        Ok((self.base(&types)?, storage))
    }

    /// A type's name, as in casts.
    pub(super) fn type_name(&mut self, name: &'a TypeName) -> Res<Type> {
        let base = self.qualified(&name.specifiers)?;
        match &name.declarator {
            Some(declarator) => self.declarator(&declarator.node, base),
            None => Ok(base),
        }
    }

    fn qualified(&mut self, specifiers: &'a [Node<SpecifierQualifier>]) -> Res<Type> {
        let mut types = Vec::new();
        for specifier in specifiers {
            if let SpecifierQualifier::TypeSpecifier(ty) = &specifier.node {
                types.push(ty);
            }
        }
        self.base(&types)
    }

    fn base(&mut self, types: &[&'a Node<TypeSpecifier>]) -> Res<Type> {
        let (mut long, mut short, mut unsigned) = (false, false, false);
        let mut complex = false;
        let mut word = None;
        for ty in types {
            match &ty.node {
                TypeSpecifier::Long => long = true,
                TypeSpecifier::Short => short = true,
                TypeSpecifier::Unsigned => unsigned = true,
                TypeSpecifier::Signed => {}
                TypeSpecifier::TypedefName(name) if name.node.name == "__float128" => {
                    word = Some(Word::Kind(Kind::F128));
                }
                TypeSpecifier::TypedefName(name) => {
                    let name = &name.node.name;
                    return match self.lookup(name) {
                        Some(Symbol::Typedef { ty, .. }) => Ok(ty.clone()),
                        _ => Ok(Type::Unknown(Rc::from(format!("type `{name}`")))),
                    };
                }
                TypeSpecifier::Struct(record) => return self.record(&record.node),
                TypeSpecifier::Enum(list) => return self.enumeration(&list.node),
                TypeSpecifier::TypeOf(of) => {
                    return match &of.node {
                        TypeOf::Type(name) => self.type_name(&name.node),
                        TypeOf::Expression(e) => self.type_of(e),
                    };
                }
                TypeSpecifier::Complex => complex = true,
                TypeSpecifier::TS18661Float(float) => match interchanged(float) {
                    Some(kind) => word = Some(Word::Kind(kind)),
                    None => return Ok(Type::Unknown(Rc::from("a type of an extension"))),
                },
                other => word = Some(Word::Basic(other)),
            }
        }
        let unknown = |what: &str| Ok(Type::Unknown(Rc::from(what)));
        let kind = match word {
            // `_Complex` alone is one of `double`.
            None if complex && !(short || long || unsigned) => Kind::F64,
            None | Some(Word::Basic(TypeSpecifier::Int)) => match (short, long, unsigned) {
                (true, _, false) => Kind::I16,
                (true, _, true) => Kind::U16,
                (_, false, false) => Kind::I32,
                (_, false, true) => Kind::U32,
                (_, true, false) => Kind::I64,
                (_, true, true) => Kind::U64,
            },
            Some(Word::Basic(TypeSpecifier::Void)) => return Ok(Type::Void),
            Some(Word::Basic(TypeSpecifier::Char)) if unsigned => Kind::U8,
            Some(Word::Basic(TypeSpecifier::Char)) => Kind::I8,
            Some(Word::Basic(TypeSpecifier::Bool)) => Kind::Bool,
            Some(Word::Basic(TypeSpecifier::Float)) => Kind::F32,
            Some(Word::Basic(TypeSpecifier::Double)) if !long => Kind::F64,
            Some(Word::Basic(TypeSpecifier::Double)) => Kind::F80,
            Some(Word::Kind(kind)) => kind,
            _ => return unknown("a type of an extension"),
        };
        if complex {
            return match kind {
                Kind::F32 | Kind::F64 | Kind::F80 | Kind::F128 => Ok(Type::Scalar(kind.complex())),
                _ => unknown("a complex type of these parts"),
            };
        }
        Ok(Type::Scalar(kind))
    }

    fn enumeration(&mut self, list: &'a EnumType) -> Res<Type> {
        let name = list.identifier.as_ref().map(|name| &name.node.name);
        if list.enumerators.is_empty() {
            let known = name.and_then(|name| self.tag(name));
            return Ok(Type::Scalar(match known {
                Some(Tag::Enum(kind)) => kind,
                _ => Kind::U32,
            }));
        }
        let (mut next, mut least, mut most) = (0i64, 0i64, 0i64);
        for enumerator in &list.enumerators {
            if let Some(value) = &enumerator.node.expression {
                next = self.constant_value(value)?;
            }
            (least, most) = (least.min(next), most.max(next));
            self.bind(
                &enumerator.node.identifier.node.name,
                Symbol::Enumerator(next),
            );
            next = next.wrapping_add(1);
        }
        // As GCC has it: `unsigned` unless there is a negative one; wider where that is too narrow.
        let kind = match (least < 0, i32::try_from(least).and(i32::try_from(most))) {
            (true, Ok(_)) => Kind::I32,
            (true, Err(_)) => Kind::I64,
            (false, _) if u32::try_from(most).is_ok() => Kind::U32,
            (false, _) => Kind::U64,
        };
        if let (Some(name), Some(scope)) = (name, self.scopes.last_mut()) {
            scope.tags.insert(name.clone(), Tag::Enum(kind));
        }
        Ok(Type::Scalar(kind))
    }

    fn record(&mut self, record: &'a StructType) -> Res<Type> {
        let name = record.identifier.as_ref().map(|n| n.node.name.clone());
        let known = match &name {
            Some(name) if record.declarations.is_some() => {
                self.scopes.last().and_then(|s| s.tags.get(name).copied())
            }
            Some(name) => self.tag(name),
            None => None,
        };
        let index = match known {
            Some(Tag::Record(index)) => index,
            _ => {
                let records = &mut self.program.records.0;
                records.push(Record {
                    is_union: record.kind.node == StructKind::Union,
                    ..Record::default()
                });
                let index = records.len() - 1;
                if let (Some(name), Some(scope)) = (name, self.scopes.last_mut()) {
                    scope.tags.insert(name, Tag::Record(index));
                }
                index
            }
        };
        let Some(declarations) = &record.declarations else {
            return Ok(Type::Record(index));
        };
        let (mut fields, mut unknown) = (Vec::new(), None);
        for declaration in declarations {
            let StructDeclaration::Field(field) = &declaration.node else {
                continue;
            };
            let base = self.qualified(&field.node.specifiers)?;
            if field.node.declarators.is_empty() {
                fields.push((String::new(), base.clone()));
            }
            for node in &field.node.declarators {
                if node.node.bit_width.is_some() {
                    unknown = Some("bit-fields".to_owned());
                }
                let Some(declarator) = &node.node.declarator else {
                    continue;
                };
                let ty = self.declarator(&declarator.node, base.clone())?;
                let name = name_of(&declarator.node).unwrap_or("").to_owned();
                fields.push((name, ty));
            }
        }
        self.program.records.complete(index, fields, unknown);
        Ok(Type::Record(index))
    }

    pub(super) fn function_type(&mut self, definition: &'a FunctionDefinition) -> Res<Type> {
        let (base, _) = self.specifiers(&definition.specifiers)?;
        self.declarator(&definition.declarator.node, base)
    }

    /// What a declarator makes of a type.
    pub(super) fn declarator(&mut self, declarator: &'a Declarator, base: Type) -> Res<Type> {
        // Pointers stand in front of the name, and are applied first.
        let mut ty = base;
        let mut suffixes = Vec::new();
        for derived in &declarator.derived {
            match &derived.node {
                DerivedDeclarator::Pointer(_) => ty = ty.pointer(),
                other => suffixes.push(other),
            }
        }
        for suffix in suffixes.into_iter().rev() {
            ty = match suffix {
                DerivedDeclarator::Array(array) => {
                    let len = match &array.node.size {
                        ArraySize::Unknown | ArraySize::VariableUnknown => Len::Unknown,
                        ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => {
                            self.extent(e, &ty)?
                        }
                    };
                    Type::Array(Rc::new(ty), len)
                }
                DerivedDeclarator::Function(function) => {
                    let mut parameters = Vec::new();
                    // Extents mention parameters, which matter in definitions only.
                    for parameter in &function.node.parameters {
                        if is_void(&parameter.node) {
                            continue;
                        }
                        parameters.push(self.parameter_type(&parameter.node)?);
                    }
                    Type::Function(Rc::new(Signature {
                        result: ty,
                        parameters,
                        variadic: function.node.ellipsis == Ellipsis::Some,
                    }))
                }
                DerivedDeclarator::KRFunction(_) => Type::Function(Rc::new(Signature {
                    result: ty,
                    parameters: Vec::new(),
                    variadic: true,
                })),
                _ => return self.problem("a declarator of an extension"),
            };
        }
        match &declarator.kind.node {
            DeclaratorKind::Declarator(inner) => self.declarator(&inner.node, ty),
            _ => Ok(ty),
        }
    }

    /// A parameter's type for calls, where extents do not matter.
    fn parameter_type(&mut self, parameter: &'a ParameterDeclaration) -> Res<Type> {
        let (base, _) = self.specifiers(&parameter.specifiers)?;
        let Some(declarator) = &parameter.declarator else {
            return Ok(base);
        };
        // Where a pointer points does not matter to who passes it.
        let declarator = &declarator.node;
        let plain = !matches!(declarator.kind.node, DeclaratorKind::Declarator(_));
        Ok(if plain && declarator.derived.is_empty() {
            base
        } else {
            Type::Void.pointer()
        })
    }

    /// The extent of an array of `inner`: a constant, or a register that holds it from here on.
    fn extent(&mut self, e: &'a Node<lang_c::ast::Expression>, inner: &Type) -> Res<Len> {
        if self.scopes.len() == 1 {
            return Ok(match self.constant_value(e) {
                Ok(value) => Len::Fixed(u64::try_from(value).unwrap_or(0)),
                Err(_) => Len::Unknown,
            });
        }
        let slot = self.temp()?;
        let value = self.expr(e)?;
        if let crate::read::expressions::values::At::Const(value) = value.at {
            self.fun.frame.top = slot as usize;
            if (value as i64) < 0 {
                return self.problem("an array of negative extent");
            }
            return Ok(Len::Fixed(value));
        }
        let value = self.convert(value, &crate::types::LONG)?;
        let a = self.reg(&value)?;
        self.emit(Op::Move { d: slot, a });
        self.fun.frame.top = slot as usize + 1;
        // Its size is known at once, since each access asks for it.
        let bytes = self.temp()?;
        let one = self.size_of(inner)?;
        let product = self.arith(Arith::Mul, one, Val::reg(slot, SIZE))?;
        let a = self.reg(&product)?;
        self.emit(Op::Move { d: bytes, a });
        self.fun.frame.top = bytes as usize + 1;
        Ok(Len::Slot(slot, bytes))
    }
}

impl Reader<'_> {
    /// Whether a parameter is a `restrict` pointer by the name of its type.
    pub(super) fn is_restrict_by_name(&self, parameter: &ParameterDeclaration) -> bool {
        let derived = parameter.declarator.iter().any(|declarator| {
            let node = &declarator.node;
            !node.derived.is_empty() || matches!(node.kind.node, DeclaratorKind::Declarator(_))
        });
        let mut specifiers = parameter.specifiers.iter();
        !derived
            && specifiers.any(|specifier| match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(of) => match &of.node {
                    TypeSpecifier::TypedefName(name) => matches!(
                        self.lookup(&name.node.name),
                        Some(Symbol::Typedef { restrict: true, .. })
                    ),
                    _ => false,
                },
                _ => false,
            })
    }
}

/// Whether a pointer or array parameter is `restrict`.
pub(super) fn is_restrict(declarator: &Declarator) -> bool {
    let own = declarator
        .derived
        .iter()
        .any(|derived| match &derived.node {
            DerivedDeclarator::Pointer(qualifiers) => qualifiers.iter().any(|q| {
                matches!(&q.node, PointerQualifier::TypeQualifier(t)
                if t.node == TypeQualifier::Restrict)
            }),
            DerivedDeclarator::Array(array) => {
                let mut qualifiers = array.node.qualifiers.iter();
                qualifiers.any(|q| q.node == TypeQualifier::Restrict)
            }
            _ => false,
        });
    own || match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => is_restrict(&inner.node),
        _ => false,
    }
}
