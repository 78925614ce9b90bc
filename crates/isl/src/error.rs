//! Errors.

use std::ffi::CStr;
use std::fmt;

/// A result with isl's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of error isl reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The computation was aborted.
    Abort,
    /// Memory ran out.
    Alloc,
    /// isl says no more than that it failed; failed assertions are of this kind.
    Unknown,
    /// A bug in isl.
    Internal,
    /// The call, an argument or a text to parse was invalid.
    Invalid,
    /// The context's maximal number of operations was reached
    /// ([`Ctx::set_max_operations`](crate::Ctx::set_max_operations)).
    Quota,
    /// isl does not support this.
    Unsupported,
    /// isl had nothing to return and reported no error: the thing asked for does not
    /// exist, such as the name of a dimension without one.
    Absent,
}

/// An error from isl, or from a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    place: Option<(String, u32)>,
}

impl Error {
    /// An error of the caller's making, for closures that isl calls.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            place: None,
        }
    }

    pub(crate) fn at(kind: ErrorKind, message: String, place: Option<(String, u32)>) -> Self {
        Error {
            kind,
            message,
            place,
        }
    }

    /// Says what text could not be read: isl's message does not.
    pub(crate) fn in_text(mut self, text: &CStr) -> Self {
        if self.kind == ErrorKind::Invalid {
            self.message = format!("{} in `{}`", self.message, text.to_string_lossy());
        }
        self
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// isl's message; where isl could not read a text, the text too.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The file of isl's source which reported the error.
    pub fn file(&self) -> Option<&str> {
        self.place.as_ref().map(|(file, _)| file.as_str())
    }

    /// The line in [`Error::file`].
    pub fn line(&self) -> Option<u32> {
        self.place.as_ref().map(|&(_, line)| line)
    }

    /// Whether the context's maximal number of operations was reached, or the time of
    /// [`Ctx::within`](crate::Ctx::within).
    pub fn is_quota(&self) -> bool {
        matches!(self.kind, ErrorKind::Quota | ErrorKind::Abort)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some((file, line)) = &self.place {
            write!(f, " (isl, {file}:{line})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
