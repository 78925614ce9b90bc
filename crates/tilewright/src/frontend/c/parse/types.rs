//! Specifiers and declarators to [`Type`].

use super::super::lower::values::types as values;
use super::super::syntax::Type;
use super::binder::{Binder, Binding, Qualified, Tag};
use super::words::Words;
use crate::scop::{ScalarKind, ScalarType};
use lang_c::ast::{
    ArrayDeclarator, ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind,
    DerivedDeclarator, EnumType, Expression, Extension, Identifier, ParameterDeclaration,
    PointerQualifier, SpecifierQualifier, StorageClassSpecifier, StructDeclaration, StructField,
    StructKind, StructType, TS18661FloatFormat, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;

/// Beyond this many types inside one structure, further structures in it are left without fields
/// (a few lines of C can describe a structure that doubles many times over).
const MAX_STRUCTURE: usize = 10_000;

/// What specifiers say besides the type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Storage {
    /// `typedef`
    pub is_typedef: bool,
    /// `static`
    pub is_static: bool,
    /// `extern`
    pub is_extern: bool,
    /// `_Thread_local`
    pub is_of_threads: bool,
}

/// A declarator taken apart.
pub(super) struct Declared<'t> {
    /// Its name, where it has one.
    pub name: Option<&'t Node<Identifier>>,
    /// The type.
    pub qualified: Qualified,
    /// Whether it declares a function.
    pub is_function: bool,
}

enum Specifier<'t> {
    Type(&'t Node<TypeSpecifier>),
    Qualifier(&'t TypeQualifier),
}

impl Binder<'_> {
    /// The type that a declaration's specifiers name, and where it is stored.
    pub fn declaration_specifiers(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
    ) -> (Qualified, Storage) {
        let mut storage = Storage::default();
        let mut list = vec![];
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => storage.is_typedef = true,
                    StorageClassSpecifier::Static => storage.is_static = true,
                    StorageClassSpecifier::Extern => storage.is_extern = true,
                    StorageClassSpecifier::ThreadLocal => storage.is_of_threads = true,
                    _ => {}
                },
                DeclarationSpecifier::TypeSpecifier(t) => list.push(Specifier::Type(t)),
                DeclarationSpecifier::TypeQualifier(q) => list.push(Specifier::Qualifier(&q.node)),
                _ => {}
            }
        }
        let mut qualified = self.specifiers(&list);
        if storage.is_of_threads {
            // Each thread would have its own.
            qualified.ty = strange("_Thread_local", &qualified.ty);
        }
        (qualified, storage)
    }

    fn specifier_qualifiers(&mut self, specifiers: &[Node<SpecifierQualifier>]) -> Qualified {
        let list: Vec<_> = specifiers
            .iter()
            .filter_map(|s| match &s.node {
                SpecifierQualifier::TypeSpecifier(t) => Some(Specifier::Type(t)),
                SpecifierQualifier::TypeQualifier(q) => Some(Specifier::Qualifier(&q.node)),
                SpecifierQualifier::Extension(_) => None,
            })
            .collect();
        self.specifiers(&list)
    }

    fn specifiers(&mut self, list: &[Specifier]) -> Qualified {
        let mut words = Words::default();
        let mut named: Option<Qualified> = None;
        let (mut is_const, mut is_volatile) = (false, false);
        for specifier in list {
            match specifier {
                Specifier::Qualifier(TypeQualifier::Const) => is_const = true,
                Specifier::Qualifier(TypeQualifier::Volatile | TypeQualifier::Atomic) => {
                    is_volatile = true
                }
                Specifier::Qualifier(_) => {}
                Specifier::Type(node) => match &node.node {
                    TypeSpecifier::Void => words.base = Some("void"),
                    TypeSpecifier::Char => words.base = Some("char"),
                    TypeSpecifier::Short => words.short = true,
                    TypeSpecifier::Int => words.base = words.base.or(Some("int")),
                    TypeSpecifier::Long => words.long += 1,
                    TypeSpecifier::Float => words.base = Some("float"),
                    TypeSpecifier::Double => words.base = Some("double"),
                    TypeSpecifier::Signed => words.signed = true,
                    TypeSpecifier::Unsigned => words.unsigned = true,
                    TypeSpecifier::Bool => words.base = Some("_Bool"),
                    TypeSpecifier::Complex => words.complex = true,
                    other => named = Some(self.named_type(other, node.span)),
                },
            }
        }
        let mut qualified = named.unwrap_or_else(|| Qualified {
            ty: words.resolve(),
            is_const: false,
        });
        if words.complex && !matches!(&qualified.ty, Type::Scalar(t) if t.kind.is_complex()) {
            // Beside a word that is no word of the standard's.
            qualified.ty = match &qualified.ty {
                Type::Scalar(part) if part.kind == ScalarKind::F128 => {
                    values::named(ScalarKind::C128)
                }
                _ => Type::Other("_Complex".to_string()),
            };
        }
        if is_const {
            qualified.is_const = true;
            make_const(&mut qualified.ty);
        }
        if is_volatile {
            qualified.ty = volatile(&qualified.ty);
        }
        qualified
    }

    fn named_type(&mut self, specifier: &TypeSpecifier, span: lang_c::span::Span) -> Qualified {
        let plain = |ty: Type| Qualified {
            ty,
            is_const: false,
        };
        match specifier {
            TypeSpecifier::Struct(structure) => plain(self.structure(structure)),
            TypeSpecifier::Enum(enumeration) => plain(self.enumeration(&enumeration.node)),
            // Words of compilers that the parser takes for names.
            TypeSpecifier::TypedefName(name) if name.node.name == "__float128" => {
                plain(Type::Scalar(ScalarType {
                    kind: ScalarKind::F128,
                    spelling: name.node.name.clone(),
                }))
            }
            TypeSpecifier::TypedefName(name) if is_wide(&name.node.name) => {
                plain(Type::Other(name.node.name.clone()))
            }
            TypeSpecifier::TypedefName(name) => match self.lookup(&name.node.name) {
                Some(Binding::Type(qualified)) => {
                    let mut qualified = (**qualified).clone();
                    self.complete(&mut qualified.ty);
                    qualified
                }
                _ => plain(Type::Other(name.node.name.clone())),
            },
            TypeSpecifier::TypeOf(of) => match &of.node {
                TypeOf::Type(name) => plain(self.type_name(&name.node)),
                TypeOf::Expression(value) => match self.type_of(value) {
                    Some(ty) => plain(ty),
                    None => plain(Type::Other(self.spelling(span))),
                },
            },
            TypeSpecifier::TS18661Float(float)
                if float.format == TS18661FloatFormat::BinaryInterchange =>
            {
                let kind = match float.width {
                    16 => ScalarKind::F16,
                    32 => ScalarKind::F32,
                    64 => ScalarKind::F64,
                    128 => ScalarKind::F128,
                    _ => return plain(Type::Other(self.spelling(span))),
                };
                plain(Type::Scalar(ScalarType {
                    kind,
                    spelling: self.spelling(span),
                }))
            }
            _ => plain(Type::Other(self.spelling(span))),
        }
    }

    /// The type of an expression that is not evaluated.
    fn type_of(&mut self, node: &Node<Expression>) -> Option<Type> {
        let value = self.for_its_type(|binder| binder.expression(node));
        self.ask(|unit| values::type_of(unit, &value))
    }

    fn structure(&mut self, node: &Node<StructType>) -> Type {
        let structure = &node.node;
        let is_union = structure.kind.node == StructKind::Union;
        let keyword = if is_union { "union" } else { "struct" };
        let tag = structure.identifier.as_ref().map(|i| i.node.name.as_str());
        let spelling = match tag {
            Some(tag) => format!("{keyword} {tag}"),
            None => format!("{keyword} {{…}}"),
        };
        let known = tag.and_then(
            |t| match self.lookup_tag(t, structure.declarations.is_some()) {
                Some(Tag::Structure(id)) => Some(id),
                _ => None,
            },
        );
        let id = known.unwrap_or_else(|| {
            self.structures.fields.push(None);
            let id = self.structures.fields.len() - 1;
            if let Some(tag) = tag {
                self.bind_tag(tag, Tag::Structure(id));
            }
            id
        });
        if let Some(declarations) = &structure.declarations {
            let mut fields = vec![];
            let mut size = 0;
            for declaration in declarations {
                if let StructDeclaration::Field(field) = &declaration.node {
                    self.fields(&field.node, &mut fields, &mut size);
                }
            }
            if self.is_strange_structure(node.span) {
                for (_, ty) in &mut fields {
                    *ty = strange("__attribute__", ty);
                }
            }
            self.structures.fields[id] = Some(fields);
        }
        let fields = self.structures.fields[id].clone().unwrap_or_default();
        Type::Struct {
            spelling,
            is_union,
            fields,
        }
    }

    fn fields(&mut self, field: &StructField, fields: &mut Vec<(String, Type)>, size: &mut usize) {
        let base = self.specifier_qualifiers(&field.specifiers);
        if field.declarators.is_empty() {
            // An anonymous structure: its fields are fields of this one. Those of a union share their
            // memory.
            if let Type::Struct {
                fields: inner,
                is_union,
                ..
            } = base.ty
            {
                let shared = |(name, _)| (name, Type::Other("union".to_string()));
                match is_union {
                    true => fields.extend(inner.into_iter().map(shared)),
                    false => fields.extend(inner),
                }
            }
            return;
        }
        for declarator in &field.declarators {
            let Some(inner) = &declarator.node.declarator else {
                continue;
            };
            let declared = self.declarator(&inner.node, base.clone());
            let Some(name) = declared.name else { continue };
            let mut ty = if declarator.node.bit_width.is_some() {
                Type::Other("bit-field".to_string())
            } else {
                declared.qualified.ty
            };
            *size += count(&ty);
            if *size > MAX_STRUCTURE {
                forget_fields(&mut ty);
            }
            fields.push((name.node.name.clone(), ty));
        }
    }

    fn enumeration(&mut self, enumeration: &EnumType) -> Type {
        let tag = enumeration
            .identifier
            .as_ref()
            .map(|i| i.node.name.as_str());
        let kind = if enumeration.enumerators.is_empty() {
            match tag.and_then(|t| self.lookup_tag(t, false)) {
                Some(Tag::Enumeration(kind)) => kind,
                _ => ScalarKind::U32,
            }
        } else {
            let mut next = 0i64;
            let mut kind = ScalarKind::U32;
            for enumerator in &enumeration.enumerators {
                if let Some(value) = &enumerator.node.expression {
                    let value = self.expression(value);
                    // A constant that cannot be computed here stays a plain name.
                    match super::constant::value(&value) {
                        Some(value) => next = value,
                        None => {
                            self.bind(&enumerator.node.identifier.node.name, Binding::Function);
                            continue;
                        }
                    }
                }
                if next < 0 {
                    kind = ScalarKind::I32;
                }
                self.bind(
                    &enumerator.node.identifier.node.name,
                    Binding::Constant(next),
                );
                next = next.wrapping_add(1);
            }
            if let Some(tag) = tag {
                self.bind_tag(tag, Tag::Enumeration(kind));
            }
            kind
        };
        let spelling = match tag {
            Some(tag) => format!("enum {tag}"),
            None if kind == ScalarKind::I32 => "int".to_string(),
            None => "unsigned int".to_string(),
        };
        Type::Scalar(ScalarType { kind, spelling })
    }

    /// The type of a type's name, as in casts.
    pub fn type_name(&mut self, name: &TypeName) -> Type {
        let base = self.specifier_qualifiers(&name.specifiers);
        let mut ty = match &name.declarator {
            Some(declarator) => self.declarator(&declarator.node, base).qualified.ty,
            None => base.ty,
        };
        self.complete(&mut ty);
        ty
    }

    /// Takes a declarator apart; `base` is what its specifiers say.
    pub fn declarator<'t>(&mut self, declarator: &'t Declarator, base: Qualified) -> Declared<'t> {
        let mut qualified = base;
        let mut is_function = false;
        for derived in &declarator.derived {
            match &derived.node {
                DerivedDeclarator::Pointer(qualifiers) => {
                    qualified = pointer(qualified, qualifiers)
                }
                DerivedDeclarator::Block(_) => {
                    qualified = Qualified {
                        ty: Type::Other("block".to_string()),
                        is_const: false,
                    }
                }
                _ => {}
            }
        }
        for derived in declarator.derived.iter().rev() {
            match &derived.node {
                DerivedDeclarator::Array(array) => {
                    qualified = self.array(qualified, &array.node);
                    is_function = false;
                }
                DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) => {
                    qualified = Qualified {
                        ty: Type::Other("function".to_string()),
                        is_const: false,
                    };
                    is_function = true;
                }
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => {}
            }
        }
        match &declarator.kind.node {
            DeclaratorKind::Abstract => Declared {
                name: None,
                qualified,
                is_function,
            },
            DeclaratorKind::Identifier(name) => {
                let label = |e: &Node<Extension>| matches!(e.node, Extension::AsmLabel(_));
                if !is_function && declarator.extensions.iter().any(label) {
                    qualified.ty = strange("asm", &qualified.ty);
                }
                if self.is_strange(name.span) {
                    qualified.ty = strange("__attribute__", &qualified.ty);
                }
                Declared {
                    name: Some(name),
                    qualified,
                    is_function,
                }
            }
            DeclaratorKind::Declarator(inner) => {
                let inner_is_plain = inner.node.derived.is_empty();
                let declared = self.declarator(&inner.node, qualified);
                let is_function = declared.is_function || (inner_is_plain && is_function);
                Declared {
                    is_function,
                    ..declared
                }
            }
        }
    }

    /// Whether an attribute in front of a structure's members, or right behind them, makes something
    /// else of it.
    fn is_strange_structure(&self, place: lang_c::span::Span) -> bool {
        let begin = self.file.text[place.start..].find('{');
        let begin = begin.map_or(place.start, |begin| place.start + begin);
        let end = self.file.text[place.end..].find([';', ',', '=', ')', '{']);
        let end = end.map_or(self.file.text.len(), |end| place.end + end);
        let around =
            |at: &usize| (place.start..begin).contains(at) || (place.end..end).contains(at);
        self.file.strange.iter().any(around)
    }

    /// Whether an attribute with what a name is declared makes something else of it.
    fn is_strange(&self, name: lang_c::span::Span) -> bool {
        if self.file.strange.is_empty() {
            return false;
        }
        let ends = |c: char| matches!(c, ';' | '{' | '}' | '(' | ',' | '=');
        let from = self.file.text[..name.start].rfind(ends).unwrap_or(0);
        let to = self.file.text[name.end..].find([';', '{', '=', ',']);
        let to = to.map_or(self.file.text.len(), |to| name.end + to);
        self.file.strange.iter().any(|at| (from..to).contains(at))
    }

    fn array(&mut self, element: Qualified, array: &ArrayDeclarator) -> Qualified {
        let has = |wanted: TypeQualifier| array.qualifiers.iter().any(|q| q.node == wanted);
        let restrict = has(TypeQualifier::Restrict);
        let extent = match &array.size {
            ArraySize::Unknown | ArraySize::VariableUnknown => None,
            // `static` says how many there are at least (C11, 6.7.6.3), and in PENCIL, whose arrays
            // are `static const restrict`, how many there are.
            ArraySize::StaticExpression(_) if !restrict || !has(TypeQualifier::Const) => None,
            ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => {
                Some(Box::new(self.expression(size)))
            }
        };
        let is_const = element.is_const;
        Qualified {
            ty: Type::Array {
                element: Box::new(element.ty),
                extent,
                restrict,
                is_const,
            },
            is_const,
        }
    }
}

/// The declarator of a function's name, with its parameters, in the declarator of a definition.
pub(super) enum Parameters<'t> {
    /// With types.
    Typed(&'t [Node<ParameterDeclaration>]),
    /// Names only; the types follow.
    Old(&'t [Node<Identifier>]),
}

/// The parameters that the declarator of a function definition declares.
pub(super) fn parameters(declarator: &Declarator) -> Option<Parameters<'_>> {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
        if let Some(found) = parameters(&inner.node) {
            return Some(found);
        }
    }
    declarator.derived.iter().find_map(|d| match &d.node {
        DerivedDeclarator::Function(function) => Some(Parameters::Typed(&function.node.parameters)),
        DerivedDeclarator::KRFunction(names) => Some(Parameters::Old(names)),
        _ => None,
    })
}

fn pointer(target: Qualified, qualifiers: &[Node<PointerQualifier>]) -> Qualified {
    let has = |wanted: TypeQualifier| {
        qualifiers
            .iter()
            .any(|q| matches!(&q.node, PointerQualifier::TypeQualifier(t) if t.node == wanted))
    };
    let is_const = has(TypeQualifier::Const);
    let ty = match target.ty {
        Type::Other(what) if what == "function" => Type::Other("pointer to a function".to_string()),
        ty => Type::Pointer {
            target: Box::new(ty),
            restrict: has(TypeQualifier::Restrict),
            is_const: target.is_const,
        },
    };
    let ty = if has(TypeQualifier::Volatile) || has(TypeQualifier::Atomic) {
        volatile(&ty)
    } else {
        ty
    };
    Qualified { ty, is_const }
}

/// `const` before the name of an array type is about its elements.
fn make_const(ty: &mut Type) {
    if let Type::Array {
        element, is_const, ..
    } = ty
    {
        *is_const = true;
        make_const(element);
    }
}

/// Numbers of which no region has values.
fn is_wide(word: &str) -> bool {
    matches!(word, "__int128" | "__fp16" | "__bf16")
}

/// Accesses to volatile objects may not be moved, so that none is understood.
fn volatile(ty: &Type) -> Type {
    other("volatile", ty)
}

/// The type with elements of which no region has values.
pub(super) fn strange(word: &str, ty: &Type) -> Type {
    let mut strange_type = ty.clone();
    match &mut strange_type {
        Type::Array { element: inner, .. } | Type::Pointer { target: inner, .. } => {
            **inner = strange(word, inner);
        }
        _ => strange_type = other(word, ty),
    }
    strange_type
}

/// A type of which no region has values.
fn other(word: &str, ty: &Type) -> Type {
    let what = match ty {
        Type::Scalar(scalar) => scalar.spelling.clone(),
        Type::Struct { spelling, .. } | Type::Other(spelling) => spelling.clone(),
        Type::Array { .. } => "array".to_string(),
        Type::Pointer { .. } => "pointer".to_string(),
        Type::Void => "void".to_string(),
    };
    Type::Other(format!("{word} {what}"))
}

fn count(ty: &Type) -> usize {
    match ty {
        Type::Array { element, .. } => 1 + count(element),
        Type::Pointer { target, .. } => 1 + count(target),
        Type::Struct { fields, .. } => 1 + fields.iter().map(|(_, t)| count(t)).sum::<usize>(),
        _ => 1,
    }
}

fn forget_fields(ty: &mut Type) {
    match ty {
        Type::Array { element: inner, .. } | Type::Pointer { target: inner, .. } => {
            forget_fields(inner)
        }
        Type::Struct { fields, .. } => fields.clear(),
        _ => {}
    }
}
