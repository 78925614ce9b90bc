//! Assembly between definitions: `__asm__(".symver memcpy, memcpy@GLIBC_2.2.5");`. It declares nothing
//! that C can name.

use super::{Edit, Token, blanked, tokens};

pub(super) fn between_definitions(text: &str, all: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut depth = 0usize;
    let mut begins = true;
    for (at, token) in all.iter().enumerate() {
        if begins
            && depth == 0
            && !token.system
            && matches!(token.text, "asm" | "__asm" | "__asm__")
        {
            let qualifier = |t: &&Token| {
                matches!(
                    t.text,
                    "volatile" | "__volatile__" | "__volatile" | "inline" | "__inline__"
                )
            };
            let open = at + 1 + all[at + 1..].iter().take_while(qualifier).count();
            let close = all
                .get(open)
                .filter(|open| open.text == "(")
                .and_then(|_| tokens::closing(all, open));
            let last = close.and_then(|close| all.get(close + 1));
            if let Some(last) = last.filter(|last| last.text == ";") {
                edits.push(blanked(text, token.start, last.end(), ""));
            }
        }
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        begins = matches!(token.text, ";" | "}");
    }
    edits
}
