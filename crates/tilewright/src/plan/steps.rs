//! Changes of the loops as written, by the names of their variables.

use serde::{Deserialize, Serialize};

/// One change of the loops as written; `interchange:OUTER,INNER`, `distribute:LOOP`, `fuse:LOOP` in
/// plans and on the command line, loops by the names of their variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum LoopStep {
    /// The loop `inner`, directly inside `outer` and the only loop there, goes outside of it.
    /// Statements between the two get an `outer` loop of their own, in front or behind.
    Interchange {
        /// The outer loop's variable.
        outer: String,
        /// The inner loop's variable.
        inner: String,
    },
    /// Each loop in the body gets a loop of its own, with the statements in front of it; what is
    /// behind the last loop stays with it. A body without loops is split into its statements.
    Distribute {
        /// The loop's variable.
        name: String,
    },
    /// Loops of this name in one body, with no other loop between them, become one; statements
    /// between them go in front of it.
    Fuse {
        /// The loops' variable.
        name: String,
    },
}

impl LoopStep {
    /// Reads a step as plans and the command line spell it.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<LoopStep, String> {
        let names = |rest: &str| -> Vec<String> {
            let names = rest.split(',').map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        };
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        match (kind.trim(), &names(rest)[..]) {
            ("interchange", [outer, inner]) if outer != inner => Ok(LoopStep::Interchange {
                outer: outer.clone(),
                inner: inner.clone(),
            }),
            ("distribute", [name]) => Ok(LoopStep::Distribute { name: name.clone() }),
            ("fuse", [name]) => Ok(LoopStep::Fuse { name: name.clone() }),
            _ => Err(format!(
                "`{text}` is none of `interchange:OUTER,INNER`, `distribute:LOOP` and `fuse:LOOP`"
            )),
        }
    }
}

impl std::fmt::Display for LoopStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoopStep::Interchange { outer, inner } => write!(f, "interchange:{outer},{inner}"),
            LoopStep::Distribute { name } => write!(f, "distribute:{name}"),
            LoopStep::Fuse { name } => write!(f, "fuse:{name}"),
        }
    }
}

impl TryFrom<String> for LoopStep {
    type Error = String;

    fn try_from(text: String) -> Result<LoopStep, String> {
        LoopStep::parse(&text)
    }
}

impl From<LoopStep> for String {
    fn from(step: LoopStep) -> String {
        step.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
        for text in ["interchange:i,j", "distribute:k", "fuse:Anext"] {
            assert_eq!(LoopStep::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "fuse",
            "fuse:",
            "fuse:a,b",
            "interchange:i",
            "interchange:i,i",
            "tile:i",
        ] {
            let message = LoopStep::parse(text).unwrap_err();
            assert!(message.contains("interchange:OUTER,INNER"), "{message}");
        }
    }
}
