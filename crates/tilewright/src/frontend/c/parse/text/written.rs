//! Whether words of the file are there as the parser saw them.

use super::prepare::prepare;
use crate::frontend::c::spans::{Place, SpanMap};
use crate::frontend::c::tokens::{comments, tokens};
use crate::source::{Source, Span};

/// Whether the words that a span marks stand in the file itself: nothing there comes from a macro or
/// from an included file, no token was added or taken away, and there is no comment between them.
/// Only such words can be replaced by others. A line with a pragma is one.
pub fn is_written(source: &Source, span: Span) -> bool {
    let text = &source.text;
    if span.start >= span.end || text.get(span.start..span.end).is_none() {
        return false;
    }
    let prepared = prepare(source);
    let map = SpanMap::new(source, &prepared.text, &prepared.places);
    if prepared.pragmas.iter().any(|pragma| match pragma.place {
        Place::Main(line) => map.line(text, line) == span && text[span.start..].starts_with('#'),
        Place::Included(_) => false,
    }) {
        return true;
    }
    let touches = |at: Span| at.start < span.end && span.start < at.end;
    let own: Vec<_> = tokens(text)
        .into_iter()
        .filter(|t| touches(Span::new(t.start, t.end)))
        .collect();
    let exact = own.first().is_some_and(|t| t.start == span.start)
        && own.last().is_some_and(|t| t.end == span.end)
        && own.iter().all(|t| !t.directive)
        && !comments(text).into_iter().any(touches);
    let seen: Vec<usize> = (0..map.tokens.len())
        .filter(|&k| touches(map.token_span(k)))
        .collect();
    exact
        && own.len() == seen.len()
        && own.iter().zip(seen).all(|(token, k)| {
            map.is_main_token(k)
                && map.token_span(k) == Span::new(token.start, token.end)
                && map.tokens[k].text(&prepared.text) == token.text(text)
        })
}
