//! Declarations in functions, names of types, initial values.

use super::tokens::is_keyword;
use super::{Known, Parser, Unknown, node};
use lang_c::ast::{
    ArrayDeclarator, ArraySize, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind,
    DerivedDeclarator, Designator, EnumType, InitDeclarator, Initializer, InitializerListItem,
    PointerQualifier, SpecifierQualifier, StorageClassSpecifier, StructKind, StructType,
    TS18661FloatFormat, TS18661FloatType, TypeName, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;

fn qualifier(word: &str) -> Option<TypeQualifier> {
    Some(match word {
        "const" | "__const" | "__const__" => TypeQualifier::Const,
        "volatile" | "__volatile" | "__volatile__" => TypeQualifier::Volatile,
        "restrict" | "__restrict" | "__restrict__" => TypeQualifier::Restrict,
        _ => return None,
    })
}

fn simple(word: &str) -> Option<TypeSpecifier> {
    use TypeSpecifier as T;
    Some(match word {
        "void" => T::Void,
        "char" => T::Char,
        "short" => T::Short,
        "int" => T::Int,
        "long" => T::Long,
        "float" => T::Float,
        "double" => T::Double,
        "signed" | "__signed__" | "__signed" => T::Signed,
        "unsigned" => T::Unsigned,
        "_Bool" => T::Bool,
        "_Complex" => T::Complex,
        "_Float16" => interchange(16),
        "_Float32" => interchange(32),
        "_Float64" => interchange(64),
        "_Float128" => interchange(128),
        _ => return None,
    })
}

fn interchange(width: usize) -> TypeSpecifier {
    TypeSpecifier::TS18661Float(TS18661FloatType {
        format: TS18661FloatFormat::BinaryInterchange,
        width,
    })
}

fn storage(word: &str) -> Option<StorageClassSpecifier> {
    Some(match word {
        "static" => StorageClassSpecifier::Static,
        "extern" => StorageClassSpecifier::Extern,
        "register" => StorageClassSpecifier::Register,
        "auto" => StorageClassSpecifier::Auto,
        _ => return None,
    })
}

impl Parser<'_> {
    /// The qualifier that the token so many behind the next one is.
    fn qualifier(&self, by: usize) -> Option<TypeQualifier> {
        match self.words(self.ahead(by)) {
            // With brackets it is a type.
            "_Atomic" if !self.ahead(by + 1).is("(") => Some(TypeQualifier::Atomic),
            word => qualifier(word),
        }
    }

    /// Whether the token so many behind the next one begins a type.
    pub(super) fn begins_type(&self, by: usize) -> bool {
        let token = self.ahead(by);
        if !token.is_word() {
            return false;
        }
        let word = self.words(token);
        let tagged = matches!(word, "struct" | "union" | "enum");
        let known = simple(word).is_some() || self.qualifier(by).is_some();
        known || tagged || self.types.contains(word)
    }

    /// Whether the next token begins a declaration.
    pub(super) fn begins_declaration(&self) -> bool {
        let word = self.word();
        let more = storage(word).is_some() || matches!(word, "_Alignas" | "typedef");
        more || self.begins_type(0)
    }

    /// One specifier of a type. `named`: whether there was one before, so that the name of a type is
    /// what is declared.
    fn specifier(&mut self, named: &mut bool) -> Known<Option<TypeSpecifier>> {
        let word = self.word();
        if let Some(simple) = simple(word) {
            self.at += 1;
            *named = true;
            return Ok(Some(simple));
        }
        match word {
            "struct" | "union" | "enum" => {
                self.at += 1;
                let identifier = Some(self.name()?);
                // Members are lang-c's.
                if self.token().is("{") {
                    return Err(Unknown);
                }
                *named = true;
                Ok(Some(match word {
                    "enum" => TypeSpecifier::Enum(node(EnumType {
                        identifier,
                        enumerators: Vec::new(),
                    })),
                    _ => TypeSpecifier::Struct(node(StructType {
                        kind: node(match word {
                            "struct" => StructKind::Struct,
                            _ => StructKind::Union,
                        }),
                        identifier,
                        declarations: None,
                    })),
                }))
            }
            _ if self.types.contains(word) => {
                if *named {
                    return Err(Unknown);
                }
                *named = true;
                Ok(Some(TypeSpecifier::TypedefName(self.name()?)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn declaration(&mut self) -> Known<Declaration> {
        let (mut specifiers, mut named) = (Vec::new(), false);
        loop {
            let word = self.word();
            if let Some(class) = storage(word) {
                self.at += 1;
                specifiers.push(node(DeclarationSpecifier::StorageClass(node(class))));
            } else if let Some(qualifier) = self.qualifier(0) {
                self.at += 1;
                specifiers.push(node(DeclarationSpecifier::TypeQualifier(node(qualifier))));
            } else if word == "_Alignas" {
                // Nobody asks for it.
                self.at += 1;
                self.brackets()?;
            } else if let Some(specifier) = self.specifier(&mut named)? {
                specifiers.push(node(DeclarationSpecifier::TypeSpecifier(node(specifier))));
            } else {
                break;
            }
        }
        if !named {
            return Err(Unknown);
        }
        let mut declarators = Vec::new();
        while !self.token().is(";") {
            let declarator = node(self.declarator(false)?);
            let initializer = if self.take("=") {
                Some(node(self.initializer()?))
            } else {
                None
            };
            declarators.push(node(InitDeclarator {
                declarator,
                initializer,
            }));
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(Declaration {
            specifiers,
            declarators,
        })
    }

    /// Passes over brackets and what is in them.
    fn brackets(&mut self) -> Known<()> {
        self.expect("(")?;
        let mut open = 1;
        while open > 0 {
            let token = self.token();
            open += usize::from(token.is("("));
            open -= usize::from(token.is(")"));
            if self.at >= self.tokens.len() {
                return Err(Unknown);
            }
            self.at += 1;
        }
        Ok(())
    }

    pub(super) fn type_name(&mut self) -> Known<Node<TypeName>> {
        let (mut specifiers, mut named) = (Vec::new(), false);
        loop {
            if let Some(qualifier) = qualifier(self.word()) {
                self.at += 1;
                specifiers.push(node(SpecifierQualifier::TypeQualifier(node(qualifier))));
            } else if let Some(specifier) = self.specifier(&mut named)? {
                specifiers.push(node(SpecifierQualifier::TypeSpecifier(node(specifier))));
            } else {
                break;
            }
        }
        if !named {
            return Err(Unknown);
        }
        let declarator = if self.token().is(")") {
            None
        } else {
            Some(node(self.declarator(true)?))
        };
        Ok(node(TypeName {
            specifiers,
            declarator,
        }))
    }

    /// A declarator; `unnamed`: one of a type's name.
    fn declarator(&mut self, unnamed: bool) -> Known<Declarator> {
        self.deeper()?;
        let mut derived = Vec::new();
        while self.take("*") {
            let mut qualifiers = Vec::new();
            while let Some(qualifier) = qualifier(self.word()) {
                self.at += 1;
                qualifiers.push(node(PointerQualifier::TypeQualifier(node(qualifier))));
            }
            derived.push(node(DerivedDeclarator::Pointer(qualifiers)));
        }
        let kind = if self.token().is("(") {
            // Parameters of functions are lang-c's.
            let inside = self.ahead(1);
            if !(inside.is("*") || inside.is("(")) {
                return Err(Unknown);
            }
            self.at += 1;
            let inner = self.declarator(unnamed)?;
            self.expect(")")?;
            DeclaratorKind::Declarator(Box::new(node(inner)))
        } else if unnamed {
            DeclaratorKind::Abstract
        } else {
            if self.types.contains(self.word()) || is_keyword(self.word()) {
                return Err(Unknown);
            }
            DeclaratorKind::Identifier(self.name()?)
        };
        while self.take("[") {
            let size = if self.token().is("]") {
                ArraySize::Unknown
            } else {
                ArraySize::VariableExpression(Box::new(self.assignment()?))
            };
            self.expect("]")?;
            derived.push(node(DerivedDeclarator::Array(node(ArrayDeclarator {
                qualifiers: Vec::new(),
                size,
            }))));
        }
        if self.token().is("(") {
            return Err(Unknown);
        }
        self.depth -= 1;
        Ok(Declarator {
            kind: node(kind),
            derived,
            extensions: Vec::new(),
        })
    }

    fn initializer(&mut self) -> Known<Initializer> {
        if self.token().is("{") {
            Ok(Initializer::List(self.initializer_list()?))
        } else {
            Ok(Initializer::Expression(Box::new(self.assignment()?)))
        }
    }

    pub(super) fn initializer_list(&mut self) -> Known<Vec<Node<InitializerListItem>>> {
        self.deeper()?;
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.token().is("}") {
            let mut designation = Vec::new();
            loop {
                if self.take(".") {
                    designation.push(node(Designator::Member(self.name()?)));
                } else if self.take("[") {
                    let index = self.conditional()?;
                    self.expect("]")?;
                    designation.push(node(Designator::Index(index)));
                } else {
                    break;
                }
            }
            if !designation.is_empty() {
                self.expect("=")?;
            }
            let initializer = Box::new(node(self.initializer()?));
            items.push(node(InitializerListItem {
                designation,
                initializer,
            }));
            if !self.take(",") {
                break;
            }
        }
        self.expect("}")?;
        self.depth -= 1;
        Ok(items)
    }
}
