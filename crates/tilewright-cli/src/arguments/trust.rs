//! What may be taken for granted of a program.

use clap::{Args, ValueEnum};
use tilewright::scop::{CheckKind, Trust};

/// What becomes of what is taken for granted although C does not say it.
#[derive(Debug, Args)]
pub struct TrustArguments {
    /// Promise that this holds, so that it is not compared when the program runs; may be given
    /// several times.
    #[arg(long, value_enum, value_name = "KIND,KIND", value_delimiter = ',')]
    pub assume: Vec<KindChoice>,
    /// Take nothing of this for granted, also where it could be compared when the program runs: a
    /// region that needs it is left as it was; may be given several times.
    #[arg(long, value_enum, value_name = "KIND,KIND", value_delimiter = ',')]
    pub no_assume: Vec<KindChoice>,
}

impl TrustArguments {
    /// As the compiler calls it.
    pub fn trust(&self) -> Trust {
        let all = |kinds: &[KindChoice]| kinds.iter().map(|kind| kind.kind()).collect();
        Trust {
            assumed: all(&self.assume),
            refused: all(&self.no_assume),
        }
    }

    /// What is wrong with the two options together.
    ///
    /// # Errors
    /// A kind is in both.
    pub fn check(&self) -> Result<(), String> {
        let both = |kind: &&KindChoice| self.no_assume.contains(kind);
        match self.assume.iter().find(both) {
            None => Ok(()),
            Some(kind) => {
                let name = kind.kind().name();
                Err(format!(
                    "`{name}` is both in --assume and in --no-assume: it is promised, or not taken \
                     for granted"
                ))
            }
        }
    }
}

/// Kinds of what is taken for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KindChoice {
    /// What is reached through different names is different memory.
    Aliasing,
    /// Subscripts such as `i * m + j` stay in their rows: `j` is below `m`.
    Rows,
    /// Unsigned arithmetic does not wrap around, conversions change no value, variables of loops
    /// stay in their types.
    Wrap,
    /// A loop that ends where its variable is equal to a bound begins in front of it.
    Ends,
    /// Calls that do not come back, as where an `assert` fails, are not come to.
    Errors,
    /// Pointers that the region follows for some sizes only can be followed in front of it for all.
    Pointers,
    /// Sizes of 64 bits are no further from 0 than 2^44.
    Sizes,
}

impl KindChoice {
    fn kind(self) -> CheckKind {
        match self {
            KindChoice::Aliasing => CheckKind::Aliasing,
            KindChoice::Rows => CheckKind::Rows,
            KindChoice::Wrap => CheckKind::Wrap,
            KindChoice::Ends => CheckKind::Ends,
            KindChoice::Errors => CheckKind::Errors,
            KindChoice::Pointers => CheckKind::Pointers,
            KindChoice::Sizes => CheckKind::Sizes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_called_the_same_everywhere() {
        let names = KindChoice::value_variants().iter().map(|choice| {
            let value = choice.to_possible_value().expect("none is hidden");
            assert_eq!(value.get_name(), choice.kind().name());
            choice.kind()
        });
        assert_eq!(names.collect::<Vec<_>>(), CheckKind::ALL);
    }
}
