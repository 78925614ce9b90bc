//! Preprocessed C to [`Unit`], through lang-c.
//!
//! Passes, each in a file of its own: [`mod@text::prepare`] blanks out line markers and pragmas,
//! [`nesting`] checks brackets, [`regions`] pairs the pragmas, lang-c parses, and a [`binder`]
//! goes once through its tree and makes ours: [`types`], [`expressions`], [`statements`].
//! lang-c's types do not leave this folder.
//!
//! Limits: lang-c knows C11. GNU's `a ?: b`, `__auto_type`, implicit `int` and what C23 added is in
//! C11's words where the driver has preprocessed a file; nesting is limited to
//! [`nesting::MAX_NESTING`].

mod attributes;
mod binder;
pub(crate) mod constant;
mod expressions;
mod headers;
mod inner;
mod misplaced;
pub mod others;
mod parts;
mod statements;
mod switch;
mod tables;
mod text;
mod types;
mod words;

use text::{nested, nesting, outline, regions, syntax_error};

use super::spans::{Place, SpanMap};
use super::syntax::{
    Edges, Expr, ExprKind, Function, Region, Scope, Stmt, StmtKind, Symbol, Type, Unit,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Chosen, Source, Span};
use binder::{Binder, Binding};
use lang_c::ast::{
    Declaration, ExternalDeclaration, FunctionDefinition, Statement, TranslationUnit,
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::Node;
use std::collections::BTreeMap;
use std::ops::Range;
pub use text::outline::Run;
pub(super) use text::outline::{Outline, is_whole};
pub(in crate::frontend) use text::prepare::{Prepared, prepare};
pub(in crate::frontend) use text::regions::{Marked, pair};
pub use text::written::is_written;
use types::Parameters;

/// Stack for the parser, which needs up to 64 KiB per level of nesting in debug builds. Only what
/// is used of it takes memory.
const STACK_BYTES: usize = 128 << 20;

/// Reads a file: every function of the main file, every marked region.
///
/// # Errors
///
/// Syntax errors, pragmas that do not pair up inside one block, a file without a region, a region
/// without a statement; each with its place in the original file. Never panics on any text.
pub fn parse(source: &Source) -> Result<Unit, Vec<Diagnostic>> {
    File::read(source)?.unit(&BTreeMap::new())
}

/// The functions of a file, whatever is marked in it.
///
/// # Errors
/// Syntax errors.
pub(super) fn definitions(source: &Source) -> Result<Unit, Vec<Diagnostic>> {
    let parsed = apart(|| Parsed::new(source, false))?;
    File { source, parsed }.unit(&BTreeMap::new())
}

/// A file behind the parser, of which there may be units with one part or another as regions.
pub struct File<'a> {
    source: &'a Source,
    parsed: Parsed,
}

impl<'a> File<'a> {
    /// Parses a file.
    ///
    /// # Errors
    /// As [`parse`], but for what is wrong with statements.
    pub fn read(source: &'a Source) -> Result<File<'a>, Vec<Diagnostic>> {
        let parsed = apart(|| Parsed::new(source, true))?;
        Ok(File { source, parsed })
    }

    /// Its text.
    pub fn source(&self) -> &'a Source {
        self.source
    }

    /// What it declares, with runs of statements as regions in place of the marked regions with these
    /// numbers.
    ///
    /// # Errors
    /// As [`parse`].
    pub fn unit(&self, runs: &BTreeMap<usize, Vec<Run>>) -> Result<Unit, Vec<Diagnostic>> {
        apart(|| self.parsed.unit(self.source, runs))
    }

    /// The statements of each marked region.
    ///
    /// # Errors
    /// Where there is no memory for another thread.
    pub(super) fn outlines(&self) -> Result<Vec<Vec<Outline>>, Vec<Diagnostic>> {
        apart(|| Ok(self.parsed.outlines(self.source)))
    }
}

/// Runs the parser on a stack of its own.
fn apart<T: Send>(
    parse: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send,
) -> Result<T, Vec<Diagnostic>> {
    let parsed = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("parser".to_string())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, parse)
            .map(|thread| thread.join())
    });
    match parsed {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err(vec![
            Diagnostic::error(Code::Internal, "the C parser stopped on this file")
                .help("please report the file; a smaller one may be parsed"),
        ]),
        Err(error) => Err(vec![Diagnostic::error(
            Code::Internal,
            format!("no memory for the parser: {error}"),
        )]),
    }
}

/// What the parser made of a file.
struct Parsed {
    prepared: Prepared,
    map: SpanMap,
    marked: Vec<Marked>,
    /// There until it is dropped, which takes as deep a stack as parsing.
    tree: Option<TranslationUnit>,
    /// The bodies of functions that hold functions of their own.
    holding: Vec<Range<usize>>,
}

impl Drop for Parsed {
    fn drop(&mut self) {
        let tree = self.tree.take();
        // Where there is no thread, this one's stack has to do.
        let _ = apart(move || {
            drop(tree);
            Ok(())
        });
    }
}

impl Parsed {
    /// Of a file with regions, or of one of which no pragma means anything.
    fn new(source: &Source, has_regions: bool) -> Result<Parsed, Vec<Diagnostic>> {
        let mut prepared = prepare(source);
        if !has_regions {
            prepared.pragmas.clear();
        }
        let map = SpanMap::new(source, &prepared.text, &prepared.places);
        if let Some(mistake) = nesting::check(&prepared.text, &map) {
            return Err(vec![mistake]);
        }
        let mut marked = pair(source, &prepared, &map)?;
        let config = Config {
            flavor: Flavor::GnuC11,
            ..Config::default()
        };
        let mut parsed = parse_preprocessed(&config, prepared.text.clone());
        let mut holding = Vec::new();
        if parsed.is_err()
            && let Some((text, found)) = nested::without(&prepared.text)
            && let Ok(tree) = parse_preprocessed(&config, text.clone())
        {
            nested::mark((&prepared.text, &map), &found, &mut marked)?;
            holding = found.into_iter().map(|one| one.around).collect();
            prepared.text = text;
            parsed = Ok(tree);
        }
        let tree = match parsed {
            Ok(parsed) => parsed.unit,
            Err(error) => {
                return Err(vec![syntax_error::diagnostic(
                    source, &prepared, &map, &error,
                )]);
            }
        };
        if has_regions && source.chosen == Chosen::Loops {
            let leaves = |f: &FunctionDefinition| {
                let start = f.statement.span.start;
                let old = types::parameters(&f.declarator.node);
                matches!(old, Some(Parameters::Old(names)) if !names.is_empty())
                    || holding.iter().any(|own: &Range<usize>| own.start == start)
            };
            let runs = outline::chosen(source, &prepared, &map, &marked, &tree, &leaves);
            marked.extend(runs);
            marked.sort_by_key(|region| region.start);
        } else if has_regions && marked.is_empty() {
            return Err(vec![regions::none(source, &prepared, &map)]);
        }
        Ok(Parsed {
            prepared,
            map,
            marked,
            tree: Some(tree),
            holding,
        })
    }

    fn outlines(&self, source: &Source) -> Vec<Vec<Outline>> {
        let tree = self.tree.as_ref();
        let outlines = tree
            .map(|tree| outline::outlines(source, &self.prepared, &self.map, &self.marked, tree));
        outlines.unwrap_or_default()
    }

    fn unit(
        &self,
        source: &Source,
        runs: &BTreeMap<usize, Vec<Run>>,
    ) -> Result<Unit, Vec<Diagnostic>> {
        let whole = self.marked.iter().enumerate();
        let marked: Vec<Marked> = whole
            .flat_map(|(number, region)| match runs.get(&number) {
                None => vec![region.clone()],
                Some(runs) => runs.iter().map(Marked::run).collect(),
            })
            .collect();
        let mut unit = bind(source, self, &marked)?;
        let divided = runs.keys().filter_map(|&number| self.marked.get(number));
        // Loops that nobody marked have no lines with marks.
        let divided = divided.filter(|marked| !marked.is_run);
        unit.divided = divided.map(|m| [m.opening, m.closing]).collect();
        Ok(unit)
    }
}

fn bind(source: &Source, parsed: &Parsed, marked: &[Marked]) -> Result<Unit, Vec<Diagnostic>> {
    let Parsed { prepared, map, .. } = parsed;
    let declarations = parsed.tree.iter().flat_map(|tree| &tree.0);
    let pragmas = prepared.pragmas.iter().filter_map(|p| match p.place {
        Place::Main(line) => Some((p.offset, p.words.clone(), map.line(&source.text, line))),
        Place::Included(_) => None,
    });
    let mut binder = Binder::new(
        (&prepared.text, &prepared.strange),
        map,
        pragmas.collect(),
        marked,
    );
    let wanted = parsed.tree.as_ref();
    let wanted = wanted.map(|tree| headers::wanted(&prepared.text, map, tree));
    let wanted = wanted.unwrap_or_default();
    for declaration in declarations {
        let main = map.is_main(declaration.span.start);
        let matters = |f: &FunctionDefinition| {
            main || headers::name(f).is_some_and(|name| wanted.contains(name))
        };
        match &declaration.node {
            ExternalDeclaration::Declaration(d) => binder.external(&d.node, main),
            ExternalDeclaration::FunctionDefinition(f) if matters(&f.node) => {
                binder.function_definition(f);
                let body = f.node.statement.span;
                if parsed.holding.iter().any(|own| own.start == body.start) {
                    binder.does_anything();
                }
            }
            ExternalDeclaration::FunctionDefinition(f) => {
                if let Some(name) = headers::name(&f.node) {
                    binder.bind(name, Binding::Function);
                }
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    for pragma in &prepared.pragmas {
        binder.of_threads(&pragma.words);
    }
    binder.finish()
}

impl Binder<'_> {
    /// `omp threadprivate(a, b)`: each thread has its own of these.
    fn of_threads(&mut self, words: &str) {
        let Some(rest) = words.strip_prefix("omp threadprivate") else {
            return;
        };
        let names: Vec<&str> = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        for symbol in &mut self.symbols {
            let global = symbol.scope == Scope::File || symbol.is_static;
            if global && names.contains(&symbol.name.as_str()) {
                symbol.ctype = types::strange("threadprivate", &symbol.ctype);
            }
        }
    }

    /// Lets the last function begin with what may change anything.
    fn does_anything(&mut self) {
        let Some(Function { body, .. }) = self.functions.last_mut() else {
            return;
        };
        let span = Span::new(body.span.start, body.span.start);
        let unknown = StmtKind::Expression(Expr {
            kind: ExprKind::Unsupported("asm"),
            span,
        });
        let list = [StmtKind::Unsupported("asm"), unknown];
        let list = list.map(|kind| Stmt { kind, span }).to_vec();
        if let StmtKind::Block(statements) = &mut body.kind {
            let kind = StmtKind::Block(list);
            statements.insert(0, Stmt { kind, span });
        }
    }

    /// A declaration outside functions.
    fn external(&mut self, declaration: &Declaration, main: bool) {
        let (base, storage) = self.declaration_specifiers(&declaration.specifiers);
        for node in &declaration.declarators {
            let declared = self.declarator(&node.node.declarator.node, base.clone());
            let Some(name) = declared.name.map(|n| n.node.name.as_str()) else {
                continue;
            };
            let span = self.span(node.span);
            if storage.is_typedef {
                self.typedef(name, declared.qualified);
            } else if declared.is_function {
                let declarator = &node.node.declarator.node;
                self.attributes(&declaration.specifiers, declarator, name, &base, node.span);
                self.bind(name, Binding::Function);
            } else if main {
                // Tables of initial values are not kept, single values and what tables hold at most are.
                let initialiser = node.node.initializer.as_ref().and_then(|i| match &i.node {
                    lang_c::ast::Initializer::Expression(value) => Some(self.expression(value)),
                    lang_c::ast::Initializer::List(_) => None,
                });
                let id = self.declare(Symbol {
                    name: name.to_string(),
                    is_const: declared.qualified.is_const,
                    ctype: declared.qualified.ty,
                    scope: Scope::File,
                    is_static: storage.is_static,
                    initialiser,
                    span,
                });
                if let Some(list) = &node.node.initializer {
                    let ctype = self.symbols[id].ctype.clone();
                    let values = self.initialiser(list, Some(&ctype));
                    let ends = tables::ends(&self.symbols[id], &values);
                    self.tables.extend(ends.map(|ends| (id, ends)));
                }
            } else {
                self.bind(name, Binding::Header(Box::new(declared.qualified), span));
            }
        }
    }

    fn function_definition(&mut self, node: &Node<FunctionDefinition>) {
        let definition = &node.node;
        let index = self.functions.len();
        let (base, storage) = self.declaration_specifiers(&definition.specifiers);
        let result = match definition.declarator.node.derived.len() {
            1 => base.ty.clone(),
            _ => Type::Other("the result of a function".to_owned()),
        };
        let name = headers::name(definition).unwrap_or_default().to_owned();
        let declarator = &definition.declarator.node;
        self.attributes(&definition.specifiers, declarator, &name, &base, node.span);
        self.bind(&name, Binding::Function);
        self.enter();
        self.function = Some(index);
        let parameters = match types::parameters(&definition.declarator.node) {
            Some(Parameters::Typed(list)) => {
                let mut parameters = vec![];
                for parameter in list {
                    let (base, _) = self.declaration_specifiers(&parameter.node.specifiers);
                    let (name, qualified) = match &parameter.node.declarator {
                        Some(d) => {
                            let declared = self.declarator(&d.node, base);
                            (
                                declared.name.map(|n| n.node.name.clone()),
                                declared.qualified,
                            )
                        }
                        None if base.ty == Type::Void => continue,
                        None => (None, base),
                    };
                    let span = self.span(parameter.span);
                    parameters.push(self.parameter(
                        index,
                        name.unwrap_or_default(),
                        qualified,
                        span,
                    ));
                }
                parameters
            }
            Some(Parameters::Old(names)) if !names.is_empty() => self.old_style(
                definition,
                index,
                names.iter().map(|n| n.node.name.as_str()).collect(),
            ),
            _ => vec![],
        };
        let body_span = self.span(definition.statement.span);
        // The body and the parameters are one scope to C; an inner one makes no difference.
        let statements = match &definition.statement.node {
            Statement::Compound(items) => self.block(items, definition.statement.span),
            _ => vec![],
        };
        self.functions.push(Function {
            name,
            parameters,
            is_static: storage.is_static,
            result,
            span: self.span(node.span),
            body: Stmt {
                kind: StmtKind::Block(statements),
                span: body_span,
            },
        });
        self.function = None;
        self.leave();
        let old = matches!(types::parameters(&definition.declarator.node), Some(Parameters::Old(n)) if !n.is_empty());
        let inside = |m: &Marked| node.span.start < m.start && m.start < node.span.end;
        // Callers hand over what C promotes, whatever a declaration says.
        let own = self.functions.last().map(|own| own.parameters.clone());
        let promoted = own.into_iter().flatten().any(|parameter| {
            matches!(&self.symbols[parameter].ctype, Type::Scalar(t)
                if t.kind == crate::scop::ScalarKind::F32 || t.kind != t.kind.promoted())
        });
        if old && promoted && self.file.marked.iter().any(inside) {
            let span = self.span(definition.declarator.span);
            self.diagnostics.push(
                Diagnostic::error(
                    Code::UnsupportedType,
                    "a function with an old-style (K&R) parameter that is narrower than what it gets",
                )
                .at(span, "types of parameters are not in the parentheses")
                .help("declare the parameters inside the parentheses"),
            );
        }
    }

    fn parameter(
        &mut self,
        function: usize,
        name: String,
        qualified: binder::Qualified,
        span: Span,
    ) -> super::syntax::SymbolId {
        let is_const = qualified.is_const && !matches!(qualified.ty, Type::Array { .. });
        self.declare(Symbol {
            name,
            ctype: qualified.ty,
            scope: Scope::Parameter(function),
            is_static: false,
            is_const,
            initialiser: None,
            span,
        })
    }

    /// Parameters whose types follow the parentheses; `int` where none does.
    fn old_style(
        &mut self,
        definition: &FunctionDefinition,
        function: usize,
        names: Vec<&str>,
    ) -> Vec<usize> {
        let mut declared = std::collections::HashMap::new();
        for declaration in &definition.declarations {
            let (base, _) = self.declaration_specifiers(&declaration.node.specifiers);
            for node in &declaration.node.declarators {
                let one = self.declarator(&node.node.declarator.node, base.clone());
                if let Some(name) = one.name {
                    let span = self.span(node.span);
                    declared.insert(
                        name.node.name.clone(),
                        self.parameter(function, name.node.name.clone(), one.qualified, span),
                    );
                }
            }
        }
        let int = crate::scop::ScalarType {
            kind: crate::scop::ScalarKind::I32,
            spelling: "int".to_string(),
        };
        let span = self.span(definition.declarator.span);
        names
            .iter()
            .map(|name| {
                let int = binder::Qualified {
                    ty: Type::Scalar(int.clone()),
                    is_const: false,
                };
                declared
                    .remove(*name)
                    .unwrap_or_else(|| self.parameter(function, name.to_string(), int, span))
            })
            .collect()
    }

    /// Checks that every region was found, and gives the result.
    fn finish(mut self) -> Result<Unit, Vec<Diagnostic>> {
        let mut regions = vec![];
        for (marked, found) in self.file.marked.iter().zip(&self.found) {
            match (&found.statements, found.function) {
                (Some(statements), Some(function)) => {
                    regions.push(Region {
                        function,
                        statements: statements.clone(),
                        openmp: found.openmp.clone(),
                        span: marked.span,
                        pragma: marked.opening,
                        preprocessed: if marked.is_run {
                            Span::new(marked.start + 1, marked.end)
                        } else {
                            lines(self.file.text, marked.start, marked.end)
                        },
                        is_run: marked.is_run,
                        turns: Vec::new(),
                        fixed: marked.fixed.clone(),
                        edges: Edges::default(),
                    });
                }
                _ => self.diagnostics.push(misplaced::message(marked, found)),
            }
        }
        if self.diagnostics.is_empty() {
            Ok(Unit {
                symbols: self.symbols,
                tables: self.tables,
                functions: self.functions,
                declared: self.declared,
                regions,
                divided: Vec::new(),
                labels: self.names.labels,
            })
        } else {
            self.diagnostics
                .sort_by_key(|d| d.labels.first().map_or(0, |l| l.start));
            Err(self.diagnostics)
        }
    }
}

/// Whole lines, from that of one offset to that of another.
fn lines(text: &str, first: usize, last: usize) -> Span {
    let start = text[..first].rfind('\n').map_or(0, |p| p + 1);
    let end = text[last..].find('\n').map_or(text.len(), |p| last + p + 1);
    Span::new(start, end)
}
