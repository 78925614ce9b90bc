//! What plans name in one text each: arrays with what becomes of them.
//!
//! Plan files have the text; everything else has the types.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A form in which arrays are packed in front of a region: `ell:BOUND` in plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Form {
    /// ELLPACK, for the loop whose upper bound this temporary holds.
    Ell {
        /// The temporary's name.
        bound: String,
    },
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Ell { bound } => write!(f, "ell:{bound}"),
        }
    }
}

impl TryFrom<String> for Form {
    type Error = String;

    fn try_from(text: String) -> Result<Form, String> {
        match text.split_once(':') {
            Some(("ell", bound)) if !bound.is_empty() => Ok(Form::Ell {
                bound: bound.to_owned(),
            }),
            _ => Err(format!(
                "`{text}` is no form of a matrix, `ell:` with the upper bound of a loop"
            )),
        }
    }
}

/// A sum, and how many copies of its array there are: `ARRAY:COPIES` in plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Parts {
    /// Name of the array.
    pub array: String,
    /// At least 1.
    pub copies: i64,
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.array, self.copies)
    }
}

impl TryFrom<String> for Parts {
    type Error = String;

    fn try_from(text: String) -> Result<Parts, String> {
        let (array, copies) = text.rsplit_once(':').unwrap_or((&text, ""));
        match copies.parse() {
            Ok(copies) if copies >= 1 => Ok(Parts {
                array: array.to_owned(),
                copies,
            }),
            _ => Err(format!(
                "`{text}` does not name an array and a number of copies, ARRAY:COPIES"
            )),
        }
    }
}

/// An array, and a stage for whose picks from it there are tables: `ARRAY:READER` in plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Picks {
    /// Name of the array.
    pub array: String,
    /// Name of the stage.
    pub reader: String,
}

impl fmt::Display for Picks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.array, self.reader)
    }
}

impl TryFrom<String> for Picks {
    type Error = String;

    fn try_from(text: String) -> Result<Picks, String> {
        match text.split_once(':') {
            Some((array, reader)) => Ok(Picks {
                array: array.to_owned(),
                reader: reader.to_owned(),
            }),
            None => Err(format!(
                "`{text}` does not name an array and a stage that picks from it, ARRAY:READER"
            )),
        }
    }
}

impl From<Form> for String {
    fn from(form: Form) -> String {
        form.to_string()
    }
}

impl From<Parts> for String {
    fn from(parts: Parts) -> String {
        parts.to_string()
    }
}

impl From<Picks> for String {
    fn from(picks: Picks) -> String {
        picks.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read is written as it was, and nothing else is read.
    fn read<T>(good: &[&str], bad: &[&str], says: &str)
    where
        T: TryFrom<String, Error = String> + ToString,
    {
        for text in good {
            let entry = T::try_from((*text).to_owned());
            assert_eq!(entry.map(|entry| entry.to_string()).as_deref(), Ok(*text));
        }
        for text in bad {
            let message = T::try_from((*text).to_owned()).err().expect("no entry");
            assert!(message.contains(says), "{message}");
            assert!(message.contains(&format!("`{text}`")), "{message}");
        }
    }

    #[test]
    fn entries_are_read_as_they_are_written() {
        read::<Form>(&["ell:j_end"], &["", "ell", "ell:", "dia:j_end"], "`ell:`");
        let bad = ["", "a", "a:", "a:0", "a:-3", "a:b", "a:1.5"];
        read::<Parts>(&["a:1", "count:64"], &bad, "ARRAY:COPIES");
        read::<Picks>(&["a:b"], &["", "a"], "ARRAY:READER");
    }
}
