//! A text to a tree. Functions' bodies, which are nearly all of a text, are read by recursive descent;
//! what stands outside of them, and bodies with what this does not know, by lang-c, whose tree it is.
//! lang-c takes a microsecond and more for each token, which is longer than executing many texts.

mod block;
mod declare;
mod expression;
mod tokens;

use super::expressions::parts::with_signs;
use super::{Res, declare as names};
use crate::text::{Prepared, Problem};
use lang_c::ast::{
    DeclarationSpecifier, ExternalDeclaration, StorageClassSpecifier, TranslationUnit,
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::{Node, Span};
use std::collections::HashSet;
use tokens::{Token, tokens};

/// What the parser here does not know, or what is no C.
#[derive(Clone, Copy, Debug)]
struct Unknown;

type Known<T> = Result<T, Unknown>;

/// A node of which nobody asks the place.
fn node<T>(node: T) -> Node<T> {
    Node::new(node, Span::none())
}

/// Nesting that is followed.
const DEEPEST: usize = 10_000;

/// Reads one function's body.
struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Names of types.
    types: &'t HashSet<String>,
}

/// A text's tree.
///
/// # Errors
/// Where it is no C, or none that lang-c knows.
pub(super) fn tree(prepared: &Prepared) -> Res<TranslationUnit> {
    match quickly(prepared) {
        Some(tree) => Ok(tree),
        None => by_lang_c(&prepared.text, |offset| offset, prepared),
    }
}

/// A text's tree with the place of each of its nodes.
///
/// # Errors
/// Where it is no C, or none that lang-c knows.
pub(super) fn with_places(prepared: &Prepared) -> Res<TranslationUnit> {
    by_lang_c(&prepared.text, |offset| offset, prepared)
}

/// `place`: where in the prepared text something is.
fn by_lang_c(
    text: &str,
    place: impl Fn(usize) -> usize,
    prepared: &Prepared,
) -> Res<TranslationUnit> {
    let config = Config {
        flavor: Flavor::GnuC11,
        ..Config::default()
    };
    match parse_preprocessed(&config, with_signs(text)) {
        Ok(parsed) => Ok(parsed.unit),
        Err(error) => {
            let rest = text.get(error.offset..).unwrap_or("");
            let near: String = rest.chars().take(30).take_while(|c| *c != '\n').collect();
            Err(Problem {
                what: format!("syntax that the parser does not know, at `{near}`"),
                line: prepared.line(place(error.offset)),
            })
        }
    }
}

/// Bodies are read here; `None` where one holds what is not known.
fn quickly(prepared: &Prepared) -> Option<TranslationUnit> {
    let mut frame = String::new();
    let mut copied = 0;
    for body in &prepared.bodies {
        frame.push_str(prepared.text.get(copied..body.start)?);
        frame.push_str("{}");
        copied = body.end;
    }
    frame.push_str(prepared.text.get(copied..)?);
    let mut tree = by_lang_c(&frame, |offset| offset, prepared).ok()?;
    let mut types = HashSet::from(["__builtin_va_list".to_owned()]);
    for node in &tree.0 {
        if let ExternalDeclaration::Declaration(declaration) = &node.node {
            let is_typedef = |s: &Node<DeclarationSpecifier>| match &s.node {
                DeclarationSpecifier::StorageClass(class) => {
                    class.node == StorageClassSpecifier::Typedef
                }
                _ => false,
            };
            if declaration.node.specifiers.iter().any(is_typedef) {
                let declarators = declaration.node.declarators.iter();
                let names = declarators.filter_map(|d| names::name_of(&d.node.declarator.node));
                types.extend(names.map(str::to_owned));
            }
        }
    }
    let mut bodies = prepared.bodies.iter();
    let mut shorter = 0;
    for node in &mut tree.0 {
        node.span = Span::span(node.span.start + shorter, node.span.end + shorter);
        let ExternalDeclaration::FunctionDefinition(definition) = &mut node.node else {
            continue;
        };
        // A parameter may have the name of a type.
        let parameters = names::parameters(&definition.node.declarator.node)?;
        let declarators = parameters.iter().filter_map(|p| p.node.declarator.as_ref());
        let mut named = declarators.filter_map(|d| names::name_of(&d.node));
        if named.any(|name| types.contains(name)) || !definition.node.declarations.is_empty() {
            return None;
        }
        let body = bodies.next()?;
        let mut parser = Parser {
            text: &prepared.text,
            tokens: tokens(&prepared.text, body.clone())?,
            at: 0,
            depth: 0,
            types: &types,
        };
        let start = definition.span.start + shorter;
        shorter += body.len() - "{}".len();
        definition.span = Span::span(start, body.end);
        node.span = definition.span;
        definition.node.statement = parser.statement().ok()?;
        if parser.at != parser.tokens.len() {
            return None;
        }
    }
    bodies.next().is_none().then_some(tree)
}

impl<'t> Parser<'t> {
    fn token(&self) -> Token {
        self.tokens.get(self.at).copied().unwrap_or_default()
    }

    /// The token so many behind the next one.
    fn ahead(&self, by: usize) -> Token {
        self.tokens.get(self.at + by).copied().unwrap_or_default()
    }

    fn words(&self, token: Token) -> &'t str {
        let text = self.text;
        text.get(token.start as usize..token.end as usize)
            .unwrap_or("")
    }

    /// The next word; empty where it is none.
    fn word(&self) -> &'t str {
        if self.token().is_word() {
            self.words(self.token())
        } else {
            ""
        }
    }

    fn take(&mut self, mark: &str) -> bool {
        let there = self.token().is(mark);
        self.at += usize::from(there);
        there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = self.word() == word;
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, mark: &str) -> Known<()> {
        if self.take(mark) {
            Ok(())
        } else {
            Err(Unknown)
        }
    }

    fn deeper(&mut self) -> Known<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            Err(Unknown)
        } else {
            Ok(())
        }
    }

    /// A name that is free to be given.
    fn name(&mut self) -> Known<Node<lang_c::ast::Identifier>> {
        let name = self.word();
        if name.is_empty() || tokens::is_keyword(name) {
            return Err(Unknown);
        }
        self.at += 1;
        let name = name.to_owned();
        Ok(node(lang_c::ast::Identifier { name }))
    }
}

#[cfg(test)]
mod tests;
