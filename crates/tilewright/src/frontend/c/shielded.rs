//! Generated text among the macros of a file.
//!
//! Generated text is made of what the preprocessor left: a name in it is no macro, even where the file
//! has one of that name (`#define width (im->width)`, `#define lum(x) (lum(x) + 16)`, or one that is
//! defined behind the function whose body stands there now). The file is preprocessed again, so that
//! such macros are put aside in front of the text, and are back behind it. Other macros than those that
//! the file itself defines are not known here.

use super::tokens::Token;
use std::collections::BTreeSet;

/// Names of the macros that a file defines anywhere.
pub(super) fn defined<'t>(text: &'t str, tokens: &[Token]) -> BTreeSet<&'t str> {
    let words = tokens.windows(3).filter(|three| {
        three.iter().all(|token| token.directive)
            && three[0].text(text) == "#"
            && three[1].text(text) == "define"
            && three[0].logical_line == three[2].logical_line
    });
    words.map(|three| three[2].text(text)).collect()
}

/// Those among them that pieces of generated text name and do not define, in order.
pub(super) fn named<'t>(
    defined: &BTreeSet<&'t str>,
    pieces: impl IntoIterator<Item = impl AsRef<str>>,
) -> Vec<&'t str> {
    if defined.is_empty() {
        return Vec::new();
    }
    let mut found = BTreeSet::new();
    for piece in pieces {
        let words = piece
            .as_ref()
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        found.extend(words.filter_map(|word| defined.get(word).copied()));
    }
    // Names that only generated text has.
    found.retain(|name| !name.starts_with("tw_"));
    found.into_iter().collect()
}

/// The lines in front of the text.
pub(super) fn aside(names: &[&str]) -> Vec<String> {
    let lines = names.iter().flat_map(|name| {
        [
            format!("#pragma push_macro(\"{name}\")"),
            format!("#undef {name}"),
        ]
    });
    lines.collect()
}

/// The lines behind it.
pub(super) fn back(names: &[&str]) -> Vec<String> {
    let lines = names.iter().rev();
    lines
        .map(|name| format!("#pragma pop_macro(\"{name}\")"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn macros_that_the_text_names_are_put_aside() {
        let file = "#define w (im->w)\n# define  h(x) \\\n    (x)\n/* #define c 1 */\n#undef u\n\
                    int define; // #define d\n#define tw_min 1\n";
        let defined = defined(file, &tokens(file));
        assert_eq!(
            defined.iter().copied().collect::<Vec<_>>(),
            ["h", "tw_min", "w"]
        );
        let pieces = ["for (int c = 0; c < w2; c++) a[c] = im->w;", "tw_min > hw"];
        let names = named(&defined, pieces);
        assert_eq!(names, ["w"]);
        assert_eq!(aside(&names), ["#pragma push_macro(\"w\")", "#undef w"]);
        assert_eq!(back(&names), ["#pragma pop_macro(\"w\")"]);
    }
}
