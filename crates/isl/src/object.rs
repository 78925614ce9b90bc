//! What all isl objects have in common.

/// Defines the wrapper of one isl type: a pointer that is never null and owns one
/// reference, and a handle to its context.
macro_rules! object {
    (
        $(#[$doc:meta])*
        $name:ident, $raw:ident, $free:ident $(, copy $copy:ident)? $(, show $to_str:ident)?
    ) => {
        $(#[$doc])*
        pub struct $name {
            // Freed by `drop`, before the fields go, so before the context can.
            ptr: std::ptr::NonNull<isl_sys::$raw>,
            ctx: crate::Ctx,
        }

        #[allow(dead_code, reason = "not every type needs all of them")]
        impl $name {
            /// The context the object belongs to.
            pub fn ctx(&self) -> &crate::Ctx {
                &self.ctx
            }

            /// The pointer, for functions which keep their argument.
            pub(crate) fn as_ptr(&self) -> *mut isl_sys::$raw {
                self.ptr.as_ptr()
            }

            /// # Safety
            ///
            /// `ptr` is null or a reference of the caller's to an object of `ctx`.
            pub(crate) unsafe fn from_ptr(
                ctx: &crate::Ctx,
                ptr: *mut isl_sys::$raw,
            ) -> crate::Result<Self> {
                match std::ptr::NonNull::new(ptr) {
                    Some(ptr) => Ok($name { ptr, ctx: ctx.clone() }),
                    None => Err(ctx.error()),
                }
            }

            /// # Safety
            ///
            /// As for `from_ptr`; null without an error is no object.
            pub(crate) unsafe fn from_nullable_ptr(
                ctx: &crate::Ctx,
                ptr: *mut isl_sys::$raw,
            ) -> crate::Result<Option<Self>> {
                if ptr.is_null() {
                    return ctx.check_value(None);
                }
                // SAFETY: as above.
                unsafe { Self::from_ptr(ctx, ptr) }.map(Some)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the object owns its reference, and the context lives.
                unsafe {
                    isl_sys::$free(self.ptr.as_ptr());
                }
            }
        }

        $(object!(@copy $name $raw $copy);)?
        object!(@show $name $($to_str)?);
    };
    (@copy $name:ident $raw:ident $copy:ident) => {
        #[allow(dead_code, reason = "not every type needs all of them")]
        impl $name {
            /// A reference of its own, for functions that take their argument.
            pub(crate) fn copy_ptr(&self) -> *mut isl_sys::$raw {
                // SAFETY: the object lives.
                unsafe { isl_sys::$copy(self.as_ptr()) }
            }

            /// Gives the object to isl.
            pub(crate) fn into_ptr(self) -> *mut isl_sys::$raw {
                // Its own reference goes with the handle to the context.
                self.copy_ptr()
            }

            /// # Safety
            ///
            /// `ptr` is null or points to an object of `ctx`, which stays isl's.
            pub(crate) unsafe fn from_kept_ptr(
                ctx: &crate::Ctx,
                ptr: *mut isl_sys::$raw,
            ) -> crate::Result<Self> {
                // SAFETY: as above; isl copies null to null.
                unsafe { Self::from_ptr(ctx, isl_sys::$copy(ptr)) }
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                let ptr = std::ptr::NonNull::new(self.copy_ptr())
                    .expect("isl copies a valid object by counting a reference");
                $name { ptr, ctx: self.ctx.clone() }
            }
        }
    };
    (@show $name:ident $to_str:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                // SAFETY: the object lives, and the text is the caller's.
                let text = self.ctx.without_quota(|| unsafe {
                    self.ctx.take_string(isl_sys::$to_str(self.as_ptr()))
                });
                match text {
                    Ok(text) => f.pad(&text),
                    // Not `fmt::Error`: `to_string` would panic.
                    Err(error) => write!(f, "<{error}>"),
                }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    };
    (@show $name:ident) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({:p})"), self.as_ptr())
            }
        }
    };
}

pub(crate) use object;
