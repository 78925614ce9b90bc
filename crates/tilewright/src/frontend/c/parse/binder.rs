//! What names mean where: scopes, symbols, structures, enumerations.
//!
//! One [`Binder`] goes through the parser's tree once, in order, so that a name means what was
//! declared last in the innermost open scope. Types are resolved as they are met. The parser's
//! tree stays inside this folder.

use super::super::spans::SpanMap;
use super::super::syntax::{Declared, Expr, Function, Labels, Scope, Stmt, Symbol, SymbolId, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::parse::text::regions::Marked;
use crate::scop::ScalarKind;
use crate::source::Span;
use std::collections::HashMap;

/// A type with what stands beside it in a declaration.
#[derive(Clone, Debug)]
pub(super) struct Qualified {
    /// The type.
    pub ty: Type,
    /// Whether it is `const` itself; for arrays, whether the elements are.
    pub is_const: bool,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A variable.
    Variable(SymbolId),
    /// A variable of an included file that nothing has mentioned so far.
    Header(Box<Qualified>, Span),
    /// A function.
    Function,
    /// A typedef's name.
    Type(Box<Qualified>),
    /// A constant of an enumeration.
    Constant(i64),
}

/// What stands behind `struct`, `union` or `enum`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    /// A structure or union: index into [`Binder::structures`].
    Structure(usize),
    /// An enumeration, and what it is an alias of.
    Enumeration(ScalarKind),
}

/// A region on the way through the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The block in which `#pragma scop` stands, and how many statements of it come before.
    pub opened: Option<(usize, usize)>,
    /// The block in which `#pragma endscop` stands.
    pub closed: Option<usize>,
    /// The function around it.
    pub function: Option<usize>,
    /// Its statements, once both marks are found in one block.
    pub statements: Option<Vec<Stmt>>,
    /// OpenMP's pragmas inside of it.
    pub openmp: Vec<(String, Span)>,
}

/// The state of one pass through a file.
pub(super) struct Binder<'a> {
    pub file: MarkedText<'a>,
    /// Regions as found, in the same order.
    pub found: Vec<Found>,
    /// Symbols so far.
    pub symbols: Vec<Symbol>,
    /// The least and the greatest value of tables of constants.
    pub tables: HashMap<SymbolId, [i64; 2]>,
    /// Functions so far.
    pub functions: Vec<Function>,
    /// What attributes say of functions, so far.
    pub declared: Vec<Declared>,
    pub structures: Structures,
    /// Number of blocks met so far.
    pub blocks: usize,
    /// The function whose body is being read.
    pub function: Option<usize>,
    /// Where what an expression does first can be.
    pub front: super::inner::Front,
    /// Mistakes so far.
    pub diagnostics: Vec<Diagnostic>,
    pub names: Names,
}

/// What names mean where the reader is.
pub(super) struct Names {
    /// The innermost scope last.
    scopes: Vec<HashMap<String, Binding>>,
    /// Symbols of a region about whose use behind it was complained already.
    complained: Vec<SymbolId>,
    /// Of labels, wherever they are.
    pub labels: Labels,
}

/// The text of a file, and what is marked in it.
pub(super) struct MarkedText<'a> {
    /// The preprocessed text without directives.
    pub text: &'a str,
    /// Where attributes stood in it that make of what is declared something else.
    pub strange: &'a [usize],
    /// To the original.
    pub map: &'a SpanMap,
    /// Pragmas of the main file: offset, words, and line.
    pub pragmas: Vec<(usize, String, Span)>,
    /// Regions as marked.
    pub marked: &'a [Marked],
}

/// Structures and their tags, so far.
pub(super) struct Structures {
    /// Their fields, `None` while they are unknown.
    pub fields: Vec<Option<Vec<(String, Type)>>>,
    /// Names of typedefs for structures whose fields were unknown at the typedef.
    pub incomplete: HashMap<String, usize>,
    /// By scope, the innermost last.
    tags: Vec<HashMap<String, Tag>>,
}

impl<'a> Binder<'a> {
    /// Before the first declaration.
    pub fn new(
        (text, strange): (&'a str, &'a [usize]),
        map: &'a SpanMap,
        pragmas: Vec<(usize, String, Span)>,
        marked: &'a [Marked],
    ) -> Binder<'a> {
        Binder {
            file: MarkedText {
                text,
                strange,
                map,
                pragmas,
                marked,
            },
            found: vec![Found::default(); marked.len()],
            symbols: vec![],
            tables: HashMap::new(),
            functions: vec![],
            declared: vec![],
            structures: Structures {
                fields: vec![],
                incomplete: HashMap::new(),
                tags: vec![HashMap::new()],
            },
            blocks: 0,
            function: None,
            front: Default::default(),
            diagnostics: vec![],
            names: Names {
                scopes: vec![HashMap::new()],
                complained: vec![],
                labels: Labels::default(),
            },
        }
    }

    /// Opens a scope.
    pub fn enter(&mut self) {
        self.names.scopes.push(HashMap::new());
        self.structures.tags.push(HashMap::new());
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.names.scopes.pop();
        self.structures.tags.pop();
    }

    /// The span in the original of a node of the parser's tree.
    pub fn span(&self, span: lang_c::span::Span) -> Span {
        self.file.map.span(span.start, span.end)
    }

    /// The text of a node, with single blanks.
    pub fn spelling(&self, span: lang_c::span::Span) -> String {
        let text = self.file.text.get(span.start..span.end).unwrap_or("");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Gives a name a meaning in the innermost scope.
    pub fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.names.scopes.last_mut() {
            scope.insert(name.to_string(), binding);
        }
    }

    /// The meaning of a name.
    pub fn lookup(&self, name: &str) -> Option<&Binding> {
        self.names.scopes.iter().rev().find_map(|s| s.get(name))
    }

    /// Gives a tag a meaning in the innermost scope.
    pub fn bind_tag(&mut self, name: &str, tag: Tag) {
        if let Some(scope) = self.structures.tags.last_mut() {
            scope.insert(name.to_string(), tag);
        }
    }

    /// The meaning of a tag; `innermost` asks for the innermost scope only.
    pub fn lookup_tag(&self, name: &str, innermost: bool) -> Option<Tag> {
        let scopes = if innermost {
            1
        } else {
            self.structures.tags.len()
        };
        self.structures
            .tags
            .iter()
            .rev()
            .take(scopes)
            .find_map(|s| s.get(name))
            .copied()
    }

    /// Declares a variable in the innermost scope. A second declaration of a file's variable is
    /// the same variable (`extern float a[]; float a[10];`).
    pub fn declare(&mut self, mut symbol: Symbol) -> SymbolId {
        self.complete(&mut symbol.ctype);
        let earlier = match self.names.scopes.last().and_then(|s| s.get(&symbol.name)) {
            Some(Binding::Variable(id)) if symbol.scope == Scope::File => Some(*id),
            _ => None,
        };
        if let Some(id) = earlier {
            let old = &mut self.symbols[id];
            let unknown = matches!(&old.ctype, Type::Array { extent: None, .. })
                || symbol.initialiser.is_some();
            if unknown {
                *old = symbol;
            }
            return id;
        }
        let id = self.symbols.len();
        let name = symbol.name.clone();
        self.symbols.push(symbol);
        if !name.is_empty() {
            self.bind(&name, Binding::Variable(id));
        }
        id
    }

    /// The file's variable of this name.
    pub fn file_variable(&self, name: &str) -> Option<SymbolId> {
        match self.names.scopes.first()?.get(name)? {
            Binding::Variable(id) => Some(*id),
            _ => None,
        }
    }

    /// The scope of what is declared at this offset of the preprocessed text.
    pub fn scope_at(&self, offset: usize) -> Scope {
        match (self.function, self.region_at(offset)) {
            (Some(_), Some(region)) => Scope::Region(region),
            (Some(function), None) => Scope::Function(function),
            (None, _) => Scope::File,
        }
    }

    /// The region around this offset of the preprocessed text.
    pub fn region_at(&self, offset: usize) -> Option<usize> {
        let behind = self.file.marked.partition_point(|m| m.start < offset);
        let region = behind.checked_sub(1)?;
        (offset < self.file.marked[region].end).then_some(region)
    }

    /// The variable behind a name, if it is one; brings in variables of included files.
    pub fn variable(&mut self, name: &str, offset: usize) -> Option<SymbolId> {
        let scope = self
            .names
            .scopes
            .iter()
            .rposition(|s| s.contains_key(name))?;
        let id = match self.names.scopes[scope].get(name)? {
            Binding::Variable(id) => *id,
            Binding::Header(qualified, span) => {
                let id = self.symbols.len();
                let mut symbol = Symbol {
                    name: name.to_string(),
                    ctype: qualified.ty.clone(),
                    scope: Scope::File,
                    is_static: false,
                    is_const: qualified.is_const,
                    initialiser: None,
                    span: *span,
                };
                self.complete(&mut symbol.ctype);
                self.symbols.push(symbol);
                self.names.scopes[scope].insert(name.to_string(), Binding::Variable(id));
                id
            }
            _ => return None,
        };
        self.check_use(id, name, offset);
        Some(id)
    }

    /// What the region declares is gone when generated text has replaced it.
    fn check_use(&mut self, id: SymbolId, name: &str, offset: usize) {
        let Scope::Region(region) = self.symbols[id].scope else {
            return;
        };
        let Some(marked) = self.file.marked.get(region) else {
            return;
        };
        if offset > marked.end && !self.names.complained.contains(&id) {
            self.names.complained.push(id);
            let index = self.file.map.token_from(offset);
            self.diagnostics.push(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    format!("`{name}` is declared in the region but used behind it"),
                )
                .at(self.file.map.token_span(index), "used here")
                .also(self.symbols[id].span, "declared here")
                .help("declare it before `#pragma scop`"),
            );
        }
    }

    /// Fills in the fields of structures that were not known when the type was written down.
    pub fn complete(&self, ty: &mut Type) {
        match ty {
            Type::Array { element, .. } => self.complete(element),
            Type::Pointer { target, .. } => self.complete(target),
            Type::Struct {
                spelling, fields, ..
            } if fields.is_empty() => {
                let tag = spelling
                    .split_once(' ')
                    .and_then(|(_, tag)| self.lookup_tag(tag, false));
                let id = match tag {
                    Some(Tag::Structure(id)) => Some(id),
                    _ => self.structures.incomplete.get(spelling.as_str()).copied(),
                };
                if let Some(Some(known)) = id.and_then(|id| self.structures.fields.get(id)) {
                    *fields = known.clone();
                }
            }
            _ => {}
        }
    }

    /// An expression that is not represented: named, with its operands behind it so that what it
    /// mentions is not hidden.
    pub fn unsupported(&self, what: &'static str, span: Span, mut operands: Vec<Expr>) -> Expr {
        use super::super::syntax::ExprKind;
        let itself = Expr {
            kind: ExprKind::Unsupported(what),
            span,
        };
        if operands.is_empty() {
            return itself;
        }
        operands.insert(0, itself);
        Expr {
            kind: ExprKind::Comma(operands),
            span,
        }
    }
}
