//! What becomes of loops that run to a static bound in place of data, for people: who leaves them,
//! or why nobody does.

use std::fmt;

/// Who leaves a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Each thread that executes it, alone.
    Thread,
    /// All threads of a block together.
    Block,
    /// The host, which launches kernels in it.
    Host,
}

/// Why a loop is not left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Its iterations are threads, on a processor.
    Parallel,
    /// Its iterations are vector lanes, or written out.
    Together,
    /// Each thread of a block has some of its iterations.
    Dealt,
    /// It is a grid.
    Grid,
    /// Its bound was inspected, and is what the data says.
    Inspected,
    /// The statements that write this have no test that ends.
    Needed(String),
    /// What begins in later iterations: statements that write this.
    Later(String),
    /// A loop inside it, by its variable here, has other iterations later.
    Rows(String),
    /// A condition that holds again, or in the last iteration.
    Again,
    /// Something that is tested is written in it: this array.
    Changes(String),
    /// Its iterations are executed in an order that is not known.
    Order,
    /// No data says that it ends.
    NoData,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kept::Parallel => f.write_str("its iterations run in parallel"),
            Kept::Together => f.write_str("its iterations are executed several at a time"),
            Kept::Dealt => f.write_str(
                "the threads of a block share its iterations, and none of them knows of the others'",
            ),
            Kept::Grid => f.write_str(
                "the size of a grid is fixed when a kernel is launched, and blocks and threads \
                 beyond the data do nothing",
            ),
            Kept::Inspected => {
                f.write_str("its bound was inspected, so that its last iteration does something")
            }
            Kept::Needed(name) => write!(f, "`{name}` is computed in all of its iterations"),
            Kept::Later(name) => write!(
                f,
                "`{name}` may be computed in later iterations though not in earlier ones"
            ),
            Kept::Rows(var) => write!(
                f,
                "its later iterations look at rows that earlier ones do not look at (loop {var})"
            ),
            Kept::Again => {
                f.write_str("a condition in it may hold again in a later iteration, or in its last")
            }
            Kept::Changes(name) => {
                write!(f, "`{name}`, which says where it ends, is computed in it")
            }
            Kept::Order => f.write_str("what is in it may be executed in any order"),
            Kept::NoData => f.write_str("no test of data in it ends with its iterations"),
        }
    }
}

/// What became of a loop that runs to a static bound in place of data.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Exit {
    /// The program's variable that data bounds.
    #[serde(rename = "loop")]
    pub iterator: String,
    /// Who leaves it behind the last iteration that does something; nobody where there is a
    /// reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_by: Option<Level>,
    /// Why nobody does; one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
