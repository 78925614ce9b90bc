//! Generated text among the macros of a file.
//!
//! Generated text is made of what the preprocessor left, and of names of our own: a name in it is no
//! macro, even where the file, what it includes or the command line has one of that name
//! (`#define width (im->width)`, `#define lum(x) (lum(x) + 16)`, or one that is defined behind the
//! function whose body stands there now). The file is preprocessed again, so that such macros are put
//! aside in front of the text, and are back behind it.

use crate::source::Macro;
use std::collections::BTreeSet;

/// Names that mean something else to the preprocessor in front of a line (from 1).
pub(super) fn active(macros: &[Macro], line: usize) -> BTreeSet<&str> {
    let mut active = BTreeSet::new();
    for one in macros.iter().filter(|one| one.line < line) {
        if one.is_defined {
            active.insert(one.name.as_str());
        } else {
            active.remove(one.name.as_str());
        }
    }
    active
}

/// Words that a piece of generated text has in its own lines and in pragmas, and in what its own
/// macros stand for. Conditions and names of macros are the preprocessor's.
fn words(piece: &str) -> impl Iterator<Item = &str> {
    let lines = piece.lines().filter(|line| {
        let directive = line.trim_start().strip_prefix('#');
        directive.is_none_or(|words| {
            let words = words.trim_start();
            words.starts_with("pragma") || words.starts_with("define")
        })
    });
    lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// Those among them that pieces of generated text name, in order.
pub(super) fn named<'t>(
    active: &BTreeSet<&'t str>,
    pieces: impl IntoIterator<Item = impl AsRef<str>>,
) -> Vec<&'t str> {
    let mut found = BTreeSet::new();
    if active.is_empty() {
        return Vec::new();
    }
    for piece in pieces {
        found.extend(words(piece.as_ref()).filter_map(|word| active.get(word).copied()));
    }
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
    use super::*;

    fn macros(lines: &[(&str, usize, bool)]) -> Vec<Macro> {
        let macros = lines.iter().map(|&(name, line, is_defined)| Macro {
            name: name.to_owned(),
            line,
            is_defined,
        });
        macros.collect()
    }

    #[test]
    fn what_a_name_means_in_front_of_a_line() {
        let macros = macros(&[
            ("_OPENMP", 0, true),
            ("w", 1, true),
            ("h", 1, true),
            ("w", 4, false),
            ("w", 9, true),
        ]);
        let active = |line| active(&macros, line).into_iter().collect::<Vec<_>>();
        assert_eq!(active(1), ["_OPENMP"]);
        assert_eq!(active(2), ["_OPENMP", "h", "w"]);
        assert_eq!(active(4), ["_OPENMP", "h", "w"]);
        assert_eq!(active(5), ["_OPENMP", "h"]);
        assert_eq!(active(10), ["_OPENMP", "h", "w"]);
    }

    #[test]
    fn macros_that_the_text_names_are_put_aside() {
        let active = BTreeSet::from(["_OPENMP", "c", "h", "omp", "tw_min", "v", "w"]);
        let pieces = [
            "#ifdef _OPENMP\n    #pragma omp parallel\n#endif\n",
            "for (int c2 = 0; c2 < w2; c2++) a[c2] = im->w;",
            "#define tw_min(a) \"v\"\n tw_max > hw",
        ];
        let named = named(&active, pieces);
        assert_eq!(named, ["omp", "tw_min", "v", "w"]);
        assert_eq!(aside(&["w"]), ["#pragma push_macro(\"w\")", "#undef w"]);
        assert_eq!(
            back(&["v", "w"]),
            ["#pragma pop_macro(\"w\")", "#pragma pop_macro(\"v\")"]
        );
    }
}
