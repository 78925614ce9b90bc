//! A text to a tree. Functions' bodies, which are nearly all of a text, are read by recursive descent;
//! what stands outside of them, and bodies with what this does not know, by lang-c, whose tree it is.
//! lang-c takes a microsecond and more for each token, which is longer than executing many texts.

mod block;
mod declare;
mod expression;
mod tokens;

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
    match parse_preprocessed(&config, text.to_owned()) {
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
        match self.token().is_word() {
            true => self.words(self.token()),
            false => "",
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
        match self.take(mark) {
            true => Ok(()),
            false => Err(Unknown),
        }
    }

    fn deeper(&mut self) -> Known<()> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => Err(Unknown),
            false => Ok(()),
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
mod tests {
    use super::*;
    use crate::text::{needed, only, pieces, prepare};

    fn prepared(text: &str) -> Prepared {
        let prepared = prepare("f.c", text).expect("it is prepared");
        let found = pieces(&prepared).expect("it is cut");
        let chosen = needed(&prepared, &found, &[], &|_| true);
        only(&prepared, &found, &chosen)
    }

    /// Both parsers, on the same body: but for the spelling of numbers, and where lang-c looks into
    /// attributes, their trees are the same.
    #[track_caller]
    fn same(body: &str) {
        let text = format!(
            "typedef unsigned char byte;\nstruct s {{ int v; struct s *next; }};\n\
             int g(int, int);\nint f(int n, double a[n][n], struct s *p)\n{{\n{body}\n}}\n"
        );
        let prepared = prepared(&text);
        let quick = quickly(&prepared).unwrap_or_else(|| panic!("it is not known: {body}"));
        let slow = by_lang_c(&prepared.text, |at| at, &prepared);
        let slow = slow.unwrap_or_else(|problem| panic!("{}: {body}", problem.what));
        assert!(quick == slow, "{body}");
    }

    #[test]
    fn statements_have_lang_c_trees() {
        for body in [
            "if (n) return 1; else if (n > 2) { n = 3; } else ;",
            "for (int i = 0, j = 1; i < n; i++, j--) a[i][j] += 1.5f;",
            "for (n = 0; ; ) { break; } for (;;) continue;",
            "while (n--) ; do { n >>= 1; } while (n);",
            "switch (n) { case 1: case 2 + 3: n = 1; break; default: n = 2; }",
            "goto end; n = 1; end: return n;",
            "{ } ; { int n = 3; { byte n = 4; } }",
        ] {
            same(body);
        }
    }

    #[test]
    fn declarations_have_lang_c_trees() {
        for body in [
            "const long x = 3, *restrict p2 = &x, y[3] = {1, 2, 3};",
            "static unsigned long long z; register int r; volatile short s = 1;",
            "double (*restrict m)[n] = (double (*)[n])a; double *q[4], (*w[2])[n][3];",
            "struct s one = {.v = 1, .next = 0}, *two = &one; int t[5] = {[2] = 3, 4, };",
            "byte b = (byte)n, *c = (byte *)a; int k[] = {1};",
            "struct s u = (struct s){1, 0}; enum e *v = 0; _Bool w = 1;",
        ] {
            same(body);
        }
    }

    #[test]
    fn expressions_have_lang_c_trees() {
        for body in [
            "n = 1 + 2 * 3 - 4 / 5 % 6 << 1 >> 2;",
            "n = n < 1 == n >= 2 && n != 3 || n & 4 ^ 5 | 6;",
            "n = n ? 1 : n > 2 ? 3 : 4; n = (n, 1);",
            "n += -n - -1 + +2 - ~3 * !4; *&n = n++ + ++n - n-- - --n;",
            "p->next->v = (*p).v + p[0].next[1].v; 1[a[0]] = 2.0e-3;",
            "n = g(1, g(n, (2, 3))) + sizeof n + sizeof(int) + sizeof(n) + sizeof(int[n][3]);",
            "n = 'a' + '\\n' + \"ab\" \"c\"[1]; n = (int)(long)-1 + (int)(n);",
            "n = 10u + 11UL + 12ll + 13ULL; a[0][0] = 1. + .5 + 3e4f + 0.25;",
            "n = ({ int k = 1; k + 1; }); n = (((((n)))));",
            "n *= n /= n %= n <<= n >>= n &= n ^= n |= 1;",
        ] {
            same(body);
        }
    }

    /// What is not known here is lang-c's; what neither knows is refused.
    #[test]
    fn other_texts_are_left_to_lang_c() {
        let function = |body: &str| format!("int f(int n)\n{{\n{body}\n}}\n");
        for body in [
            "typeof(n) m = n; return m;",
            "struct { int v; } s; return s.v = n;",
            "switch (n) { case 1 ... 3: return 1; } return 0;",
            "int g(int); return g(n);",
        ] {
            let prepared = prepared(&function(body));
            assert!(quickly(&prepared).is_none(), "{body}");
            assert!(tree(&prepared).is_ok(), "{body}");
        }
        for body in ["n = 1 +;", "n = ;", "if n;", "int 3;", "n n;"] {
            let prepared = prepared(&function(body));
            assert!(tree(&prepared).is_err(), "{body}");
        }
    }
}
