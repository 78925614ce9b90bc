//! Closures which isl calls.

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::{Ctx, Error, Result};

/// A closure on its way through isl, which sees a pointer to this as the `user` pointer.
///
/// It lives on the stack of the method that calls isl. Nothing that isl keeps beyond
/// that call may hold the pointer.
pub(crate) struct Callback<'a, F: ?Sized> {
    f: &'a mut F,
    ctx: Ctx,
    failure: Option<Failure>,
}

enum Failure {
    Error(Error),
    Panic(Box<dyn Any + Send>),
}

impl<'a, F: ?Sized> Callback<'a, F> {
    pub(crate) fn new(ctx: &Ctx, f: &'a mut F) -> Self {
        Callback {
            f,
            ctx: ctx.clone(),
            failure: None,
        }
    }

    /// The `user` pointer.
    pub(crate) fn user(&mut self) -> *mut c_void {
        std::ptr::from_mut(self).cast()
    }

    pub(crate) fn ctx(&self) -> Ctx {
        self.ctx.clone()
    }

    /// Calls the closure through `call`, and keeps its error or panic.
    /// After a failure it is not called again.
    pub(crate) fn run<R>(&mut self, call: impl FnOnce(&mut F) -> Result<R>) -> Option<R> {
        if self.failure.is_some() {
            return None;
        }
        let f = &mut *self.f;
        match catch_unwind(AssertUnwindSafe(|| call(f))) {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) => self.failure = Some(Failure::Error(error)),
            Err(panic) => self.failure = Some(Failure::Panic(panic)),
        }
        None
    }

    /// To be called once isl has returned: lets the error or panic out.
    pub(crate) fn finish(self) -> Result<()> {
        match self.failure {
            None => Ok(()),
            Some(Failure::Error(error)) => Err(error),
            Some(Failure::Panic(panic)) => resume_unwind(panic),
        }
    }
}
