//! Strides of flat arrays in C text.

use super::Scop;

impl Scop {
    /// The C text of a stride ([`super::Layout::Linear`]) or of an extent, a polynomial of
    /// parameters, with all its arithmetic in `long`: `(long)h * w + 4`. The program may compute
    /// `(long)k * h * w` where `h * w` does not fit an `int`.
    pub fn in_long(&self, text: &str) -> String {
        if !text.contains(' ') {
            return text.to_owned();
        }
        let is_wide = |factor: &str| {
            let param = self.params.iter().find(|p| p.spelling == factor);
            param.is_some_and(|p| p.ctype.kind.bytes() == 8)
        };
        let mut words: Vec<String> = Vec::new();
        // Whether the product at hand is computed in `long` from here on.
        let mut is_long = false;
        for word in text.split(' ') {
            let (sign, factor) = match word.strip_prefix('-') {
                Some(factor) if !factor.is_empty() => ("-", factor),
                _ => ("", word),
            };
            let named = factor.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if named && !is_long && !is_wide(factor) {
                words.push(format!("{sign}(long){factor}"));
            } else {
                words.push(word.to_owned());
            }
            is_long = match word {
                "+" | "-" => false,
                _ => is_long || named,
            };
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use crate::scop::testing::ScopBuilder;
    use crate::scop::{Param, ScalarKind};

    #[test]
    fn products_of_sizes_are_computed_in_long() {
        let mut scop = ScopBuilder::new("[n] -> { : n > 0 }")
            .output("a", 1)
            .statement("S0[i] : 0 <= i < n", &[], &["a[i]"])
            .build();
        let param = scop.params[0].clone();
        let named = |(name, kind): (&str, ScalarKind)| {
            let mut param = Param {
                name: name.to_owned(),
                spelling: name.to_owned(),
                ..param.clone()
            };
            param.ctype.kind = kind;
            param
        };
        let kinds = [
            ("h", ScalarKind::I32),
            ("w", ScalarKind::U16),
            ("p->n", ScalarKind::I32),
            ("z", ScalarKind::U64),
        ];
        scop.params = kinds.map(named).to_vec();
        for (text, expected) in [
            ("1", "1"),
            ("w", "w"),
            ("h * w", "(long)h * w"),
            (
                "4 * h * w - 2 * p->n + 7",
                "4 * (long)h * w - 2 * (long)p->n + 7",
            ),
            ("-h * z", "-(long)h * z"),
            ("z * h + 3", "z * h + 3"),
        ] {
            assert_eq!(scop.in_long(text), expected);
        }
    }
}
