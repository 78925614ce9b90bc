//! What a caller of a function must know: its arguments, and the global arrays that it uses.
//!
//! The driver builds a wrapper from this that allocates, fills, calls and compares.

use crate::scop::ScalarType;

/// How to call one function.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Interface {
    /// Its name.
    pub function: String,
    /// Its parameters in order.
    pub arguments: Vec<Argument>,
    /// Arrays and scalars of the file that its regions touch (read or written).
    pub globals: Vec<Argument>,
    /// A function of the same file, `<function>_init`, with the same parameters in types and
    /// number, called before every run to fill the arrays with meaningful data.
    pub init: Option<String>,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Argument {
    /// Name; for functions' parameters without one, `argument<k>`.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: ArgumentKind,
}

/// Kinds of arguments.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ArgumentKind {
    /// A scalar, passed by value. `required` says that an integer without which extents or bounds
    /// are unknown; floating scalars have a default.
    Scalar {
        /// Its type.
        ctype: ScalarType,
    },
    /// An array.
    Array {
        /// Element type (for arrays of structs, the driver sees bytes: `U8` with `struct_bytes`).
        element: ScalarType,
        /// The C type to cast a `void *` to for the call: `float (*)[R + 4][C + 4]`. For global
        /// arrays (not pointers) empty.
        pointer: String,
        /// Extents, outermost first, as C expressions over the scalar arguments and the file's
        /// globals and macros' values: `3`, `R + 4`. The outermost one of a pointer without an
        /// extent is what the regions' accesses reach.
        extents: Vec<String>,
        /// Whether the function only reads it.
        read_only: bool,
        /// For arrays of structs: a C expression for the size of one element (`sizeof(pixel)`).
        struct_bytes: Option<String>,
    },
    /// Something the driver cannot make up, and why.
    Unsupported {
        /// The reason.
        reason: String,
    },
}
