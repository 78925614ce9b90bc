//! Which functions of included files have bodies that may matter: those that the main file's
//! functions name, those that these name, and access summaries. Headers of compilers define thousands that nobody
//! calls.

use crate::frontend::c::lower::calls::{hidden, purity};
use crate::frontend::c::lower::memory::allocation;
use crate::frontend::c::spans::SpanMap;
use lang_c::ast::{ExternalDeclaration, FunctionDefinition, TranslationUnit};
use lang_c::span::Span;
use std::collections::{HashMap, HashSet};

/// The name of a function definition.
pub(super) fn name(definition: &FunctionDefinition) -> Option<&str> {
    fn of(declarator: &lang_c::ast::Declarator) -> Option<&str> {
        match &declarator.kind.node {
            lang_c::ast::DeclaratorKind::Abstract => None,
            lang_c::ast::DeclaratorKind::Identifier(name) => Some(&name.node.name),
            lang_c::ast::DeclaratorKind::Declarator(inner) => of(&inner.node),
        }
    }
    of(&definition.declarator.node)
}

/// Functions of included files whose bodies are to be looked at, by name; `text` is what the tree
/// was made of. What the standard library's functions do is known without their bodies.
pub(super) fn wanted<'t>(
    text: &'t str,
    map: &SpanMap,
    tree: &'t TranslationUnit,
) -> HashSet<&'t str> {
    let mut bodies = HashMap::new();
    let mut pending = Vec::new();
    let mut summaries = Vec::new();
    let any_summary = text.contains("pencil_access");
    for declaration in &tree.0 {
        let ExternalDeclaration::FunctionDefinition(function) = &declaration.node else {
            if !any_summary {
                continue;
            }
            // What names a summary needs its body.
            let words = words(text, declaration.span);
            if words
                .clone()
                .any(|word| word.trim_matches('_') == "pencil_access")
            {
                summaries.extend(words);
            }
            continue;
        };
        if map.is_main(declaration.span.start) {
            pending.push(function);
        } else if let Some(name) = name(&function.node).filter(|name| !is_known(name)) {
            bodies.insert(name, function);
        }
    }
    let mut wanted = HashSet::new();
    for word in summaries {
        if let Some((name, _)) = bodies.remove_entry(word) {
            wanted.insert(name);
        }
    }
    while let Some(function) = pending.pop() {
        for word in words(text, function.span) {
            if let Some((name, body)) = bodies.remove_entry(word) {
                wanted.insert(name);
                pending.push(body);
            }
        }
    }
    wanted
}

/// Whether what a function does is known by its name.
fn is_known(name: &str) -> bool {
    purity::result_kind(name).is_some()
        || allocation::is_known(name)
        || hidden::named(name).is_some()
}

/// The words of a text's part: names, and what is between quotation marks.
fn words(text: &str, part: Span) -> impl Iterator<Item = &str> + Clone {
    let text = text.get(part.start..part.end);
    let apart = |c: char| !c.is_alphanumeric() && c != '_';
    text.unwrap_or_default().split(apart)
}
