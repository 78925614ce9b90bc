//! What `__attribute__((…))` says of functions: `const`, `pure`, `noreturn` (and `_Noreturn`), and
//! PENCIL's access summaries.

use super::super::syntax::{Declared, Type};
use super::binder::{Binder, Qualified};
use super::types::{self, Parameters};
use lang_c::ast::{DeclarationSpecifier, Declarator, Expression, Extension, FunctionSpecifier};
use lang_c::span::Node;

impl Binder<'_> {
    /// Notes the attributes of a function's declaration or definition, where it has any of ours.
    /// What several declarations say adds up.
    pub(super) fn attributes(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Declarator,
        name: &str,
        base: &Qualified,
        span: lang_c::span::Span,
    ) {
        let mut extensions: Vec<&Node<Extension>> = declarator.extensions.iter().collect();
        let mut is_noreturn = false;
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::Extension(more) => extensions.extend(more),
                DeclarationSpecifier::Function(word) => {
                    is_noreturn |= word.node == FunctionSpecifier::Noreturn;
                }
                _ => {}
            }
        }
        let mut said = Declared {
            name: name.to_owned(),
            parameters: None,
            result: Type::Void,
            summary: None,
            is_const: false,
            is_pure: false,
            is_noreturn,
            span: self.span(span),
        };
        let mut any = is_noreturn;
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else {
                continue;
            };
            match attribute.name.node.trim_matches('_') {
                "const" => said.is_const = true,
                "pure" => said.is_pure = true,
                "noreturn" => said.is_noreturn = true,
                "pencil_access" => match attribute.arguments.as_slice() {
                    [argument] => match &argument.node {
                        Expression::Identifier(summary) => {
                            said.summary = Some(summary.node.name.clone());
                        }
                        _ => said.summary = Some(self.spelling(argument.span)),
                    },
                    _ => continue,
                },
                _ => continue,
            }
            any = true;
        }
        if !any {
            return;
        }
        if let Some(known) = self.declared.iter_mut().find(|d| d.name == name) {
            known.is_const |= said.is_const;
            known.is_pure |= said.is_pure;
            known.is_noreturn |= said.is_noreturn;
            known.summary = known.summary.take().or(said.summary);
            return;
        }
        said.result = match declarator.derived.len() {
            1 => base.ty.clone(),
            _ => Type::Other("the result of a function".to_owned()),
        };
        if let Some(Parameters::Typed(list)) = types::parameters(declarator) {
            // Extents mention parameters before them, which are not looked up here.
            let mut all = Vec::new();
            for parameter in list {
                let (base, _) = self.declaration_specifiers(&parameter.node.specifiers);
                match &parameter.node.declarator {
                    Some(d) => all.push(self.declarator(&d.node, base).qualified.ty),
                    None if base.ty == Type::Void => {}
                    None => all.push(base.ty),
                }
            }
            said.parameters = Some(all);
        }
        self.declared.push(said);
    }
}

/// What attributes are called.
const KEYWORD: &str = "__attribute__";

/// Whether an attribute means something here, by its name.
fn is_ours(name: &str) -> bool {
    matches!(
        name.trim_matches('_'),
        "const" | "pure" | "noreturn" | "pencil_access"
    )
}

/// Attributes that make of what is declared something else than the declaration says: another type, or
/// memory that other names have, too.
const STRANGE: [&str; 9] = [
    "vector_size",
    "ext_vector_type",
    "may_alias",
    "mode",
    "alias",
    "weakref",
    "ifunc",
    "address_space",
    "cleanup",
];

/// The text with blanks in place of attributes, but for those with a meaning here, and where the
/// strange ones among the others stand.
pub(super) fn ours_only(text: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut strange = Vec::new();
    let mut rest = text;
    while let Some((before, attribute, after)) = next(rest) {
        out.push_str(before);
        let words = attribute.split(|c: char| !c.is_alphanumeric() && c != '_');
        if words
            .map(|w| w.trim_matches('_'))
            .any(|w| STRANGE.contains(&w))
        {
            strange.push(out.len());
        }
        if all_ours(attribute) {
            out.push_str(attribute)
        } else {
            // As many bytes, as offsets count.
            out.extend(
                attribute
                    .bytes()
                    .map(|b| if b == b'\n' { '\n' } else { ' ' }),
            )
        }
        rest = after;
    }
    out.push_str(rest);
    (out, strange)
}

/// What stands before the next attribute, the attribute, and the rest.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = closing(bytes, at, quote),
            b if word(b) => {
                let begin = at;
                while at < bytes.len() && word(bytes[at]) {
                    at += 1;
                }
                if &text[begin..at] != KEYWORD {
                    continue;
                }
                let open = at + text[at..].len() - text[at..].trim_start().len();
                if bytes.get(open) != Some(&b'(') {
                    continue;
                }
                let end = matching(bytes, open)?;
                return Some((&text[..begin], &text[begin..end], &text[end..]));
            }
            _ => at += 1,
        }
    }
    None
}

/// One past the end of a literal that begins at `at`.
pub(super) fn closing(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    at += 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// One past the parenthesis that closes the one at `open`.
fn matching(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut at, mut depth) = (open, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at = closing(bytes, at, quote);
                continue;
            }
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether everything in `__attribute__((a, b(c)))` has a meaning here.
fn all_ours(attribute: &str) -> bool {
    let inside = attribute[KEYWORD.len()..].trim();
    let inside = inside.strip_prefix('(').and_then(|s| s.strip_suffix(')'));
    let inside = inside.map(str::trim).and_then(|s| s.strip_prefix('('));
    let Some(inside) = inside.and_then(|s| s.strip_suffix(')')) else {
        return false;
    };
    let mut depth = 0;
    let items = inside.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let mut any = false;
    let ours = items.into_iter().all(|item| {
        any = true;
        let name = item.split('(').next().unwrap_or("");
        is_ours(name.trim())
    });
    any && ours
}

#[cfg(test)]
mod tests {
    use super::ours_only;

    #[test]
    fn other_attributes_are_blanked_out() {
        let text = "int f(int) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));\n\
                    char *s = \"__attribute__((x))\"; int g(void) __attribute__((pencil_access(h), pure));\n\
                    int my__attribute__(int); struct s { int a; } __attribute__((aligned(8)));";
        let (left, strange) = ours_only(text);
        assert!(strange.is_empty());
        assert_eq!(left.len(), text.len());
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "int f(int) __attribute__ ((__const__)); \
             char *s = \"__attribute__((x))\"; int g(void) __attribute__((pencil_access(h), pure)); \
             int my__attribute__(int); struct s { int a; } ;"
        );
        for broken in [
            "__attribute__((",
            "__attribute__",
            "__attribute__(()",
            "'__attribute__((",
        ] {
            assert_eq!(ours_only(broken).0, broken);
        }
    }
}
