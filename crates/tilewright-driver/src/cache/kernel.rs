//! A function of a built library, loaded into this process.

use crate::Result;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::path::Path;
use tilewright::diagnostic::{Code, Diagnostic};

/// A function `void f(void **)` of a library, as [`crate::measure::wrapper`] writes them: it is given the
/// addresses of its arguments.
///
/// May be shared by threads: whether calls may overlap is for the caller of [`Kernel::call`] to
/// know.
#[derive(Debug)]
pub struct Kernel {
    function: Symbol<unsafe extern "C" fn(*mut *mut c_void)>,
    // Never closed: OpenMP's threads wait for work inside a library that closing this one would
    // take away from under them.
    _library: ManuallyDrop<Library>,
}

impl Kernel {
    /// Loads a library and finds the function. The library's file is not needed any more
    /// afterwards.
    ///
    /// # Safety
    /// Loading a library runs its constructors: it is one that was built here from a program that
    /// may be run. The function has the type above.
    ///
    /// # Errors
    /// `TW0502` with the loader's words.
    pub unsafe fn load(path: &Path, function: &str) -> Result<Kernel> {
        let failed = |error: libloading::Error| {
            use std::error::Error;
            let reason = error
                .source()
                .map_or_else(|| error.to_string(), ToString::to_string);
            let message = format!("cannot load the built kernel: {reason}");
            Box::new(Diagnostic::error(Code::RunFailed, message))
        };
        // SAFETY: the caller's promise.
        unsafe {
            let library = Library::open(Some(path), RTLD_NOW | RTLD_LOCAL).map_err(failed)?;
            Ok(Kernel {
                function: library.get(function.as_bytes()).map_err(failed)?,
                _library: ManuallyDrop::new(library),
            })
        }
    }

    /// Calls the function.
    ///
    /// # Safety
    /// `arguments` are what the function expects: addresses of as many arguments as it has, each
    /// valid for all bytes that it reads or writes there; and no other thread uses what it writes.
    pub unsafe fn call(&self, arguments: &mut [*mut c_void]) {
        // SAFETY: the caller's promise.
        unsafe { (self.function)(arguments.as_mut_ptr()) }
    }
}
