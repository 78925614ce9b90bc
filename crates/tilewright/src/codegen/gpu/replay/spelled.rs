//! Values of parameters that C spells as expressions of others: `(R - 1) / 8`.

use std::collections::BTreeMap;

/// The value of a C expression of sums, products, quotients and remainders of known names; `None`
/// of anything else.
pub(super) fn value(text: &str, values: &BTreeMap<String, i64>) -> Option<i64> {
    if let Some(value) = values.get(text) {
        return Some(*value);
    }
    let mut rest = Rest {
        text: text.trim(),
        values,
    };
    let value = rest.sum()?;
    rest.text.is_empty().then_some(value)
}

/// What is not read yet, without spaces in front.
struct Rest<'a> {
    text: &'a str,
    values: &'a BTreeMap<String, i64>,
}

impl Rest<'_> {
    /// The first character, if it is one of these.
    fn one_of(&mut self, all: &str) -> Option<char> {
        let first = self.text.chars().next().filter(|&c| all.contains(c))?;
        self.text = self.text[1..].trim_start();
        Some(first)
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        while let Some(sign) = self.one_of("+-") {
            let more = self.product()?;
            value = match sign {
                '+' => value.checked_add(more)?,
                _ => value.checked_sub(more)?,
            };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.operand()?;
        while let Some(operator) = self.one_of("*/%") {
            let more = self.operand()?;
            value = match operator {
                '*' => value.checked_mul(more)?,
                '/' => value.checked_div(more)?,
                _ => value.checked_rem(more)?,
            };
        }
        Some(value)
    }

    fn operand(&mut self) -> Option<i64> {
        if self.one_of("-").is_some() {
            return self.operand()?.checked_neg();
        }
        if let Some(rest) = self.text.strip_prefix("(long)") {
            self.text = rest.trim_start();
            return self.operand();
        }
        if self.one_of("(").is_some() {
            let value = self.sum()?;
            return self.one_of(")").map(|_| value);
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.text.find(|c| !word(c)).unwrap_or(self.text.len());
        let (name, rest) = self.text.split_at(end);
        self.text = rest.trim_start();
        let number = name.strip_suffix('L').unwrap_or(name).parse().ok();
        number.or_else(|| self.values.get(name).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_c_has_them() {
        let values = [("R".to_owned(), 61), ("s->n".to_owned(), 7)];
        let values = BTreeMap::from(values);
        let of = |text: &str| value(text, &values);
        assert_eq!(of("R"), Some(61));
        assert_eq!(of("s->n"), Some(7));
        assert_eq!(of("(R - 1) / 8"), Some(7));
        assert_eq!(of("R - 1 - 2 * -3"), Some(66));
        assert_eq!(of("(2 - R)/8%4"), Some(-3));
        assert_eq!(of("((long)R - 3L * (R / 2)) / 5"), Some(-5));
        assert_eq!(of("-(long)(R / 2) / 7"), Some(-4));
        for wrong in [
            "", "C", "R /", "(R", "R 1", "f(R)", "R / 0", "R << 1", "3M * R", "L",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
