//! What the compiler says, about functions in place of the statements of a C text.

use crate::frontend::c::lower::lower;
use crate::frontend::c::read;
use crate::frontend::pipeline::program::Program;
use crate::plan::defaults::ISL_OPERATIONS;
use crate::scop::new_context;
use crate::source::Span;

/// The names of statements in a text: `S`, digits, and what an instance goes on with.
fn statements(text: &str) -> impl Iterator<Item = (Span, usize)> + '_ {
    let bytes = text.as_bytes();
    let is_word = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    text.match_indices('S').filter_map(move |(start, _)| {
        let digits = text[start + 1..].bytes().take_while(u8::is_ascii_digit);
        let end = start + 1 + digits.count();
        let alone = (start == 0 || !is_word(start - 1)) && !is_word(end);
        let number = text[start + 1..end].parse().ok().filter(|_| alone)?;
        Some((Span::new(start, end), number))
    })
}

impl Program {
    /// A text with the function that a statement computes in place of the statement's name, where
    /// no function is called so: `S1(x=3)` becomes `blury(x=3)`.
    pub(crate) fn in_own_words(&self, text: &str) -> String {
        if statements(text).next().is_none() {
            return text.to_owned();
        }
        let places = self.statements();
        let mut out = String::new();
        let mut copied = 0;
        for (span, number) in statements(text) {
            let name = places.get(number).copied().flatten();
            let is_function = self.is_a_name(&text[span.start..span.end]);
            let Some(name) = name.filter(|_| !is_function) else {
                continue;
            };
            out += &text[copied..span.start];
            out += name;
            copied = span.end;
        }
        out + &text[copied..]
    }

    /// The function of each statement, none where that cannot be found out.
    fn statements(&self) -> Vec<Option<&str>> {
        let Ok(ctx) = new_context(ISL_OPERATIONS) else {
            return Vec::new();
        };
        let scop = read(self.source()).and_then(|unit| lower(&ctx, &unit, 0));
        let Ok(scop) = scop else {
            return Vec::new();
        };
        let of = |span: Span| self.function_at(span.start);
        scop.statements.iter().map(|s| of(s.span)).collect()
    }
}
