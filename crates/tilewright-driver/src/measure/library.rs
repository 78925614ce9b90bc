//! A built version of the program, loaded: the only place that calls foreign code.

use crate::Result;
use crate::measure::forked;
use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL, Symbol};
use std::ffi::{c_double, c_int, c_long, c_longlong, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;
use tilewright::diagnostic::{Code, Diagnostic};

/// A program behind the functions of [`crate::measure::wrapper`].
///
/// Every loaded library has its own copies of the program's global variables.
#[derive(Debug)]
pub struct Program {
    entry: Symbol<unsafe extern "C" fn(*mut *mut c_void)>,
    init: Option<Symbol<unsafe extern "C" fn(*mut *mut c_void)>>,
    extents: Symbol<unsafe extern "C" fn(*mut *mut c_void, *mut c_longlong)>,
    global_extents: Symbol<unsafe extern "C" fn(*mut c_longlong)>,
    global: Symbol<unsafe extern "C" fn(c_int) -> *mut c_void>,
    global_is_const: Symbol<unsafe extern "C" fn(c_int) -> c_int>,
    device_seconds: Option<Symbol<unsafe extern "C" fn(*mut c_long) -> c_double>>,
    // Never closed: OpenMP's threads wait for work inside a library that closing this one would
    // take away from under them.
    _library: ManuallyDrop<Library>,
}

/// Addresses of arguments, as the wrapper's functions want them: of a scalar its value, of an
/// array its first byte; null for arrays that do not exist yet.
#[derive(Debug)]
pub struct Addresses(pub Vec<*mut c_void>);

/// Addresses on their way to another thread.
struct Arguments<'a>(&'a mut Addresses);

// SAFETY: the thread that passes them on waits until the other one has finished with them.
unsafe impl Send for Arguments<'_> {}

impl Arguments<'_> {
    fn pass_to(&mut self, program: &Program) {
        program.call_here(self.0);
    }
}

impl Program {
    /// Loads a library built from a wrapper. Names are bound when they are first called, and are
    /// not seen by other libraries.
    ///
    /// # Errors
    /// `TW0502` with the loader's words.
    pub fn load(path: &Path) -> Result<Program> {
        let failed = |error: libloading::Error| {
            use std::error::Error;
            let reason = error
                .source()
                .map_or_else(|| error.to_string(), ToString::to_string);
            let message = format!("cannot load the built program: {reason}");
            let help =
                "give further sources or libraries that define the missing name with --ldflags";
            Box::new(Diagnostic::error(Code::RunFailed, message).help(help))
        };
        forked::loaded();
        // SAFETY: loading runs the constructors of a library that was built from the program the
        // user asked to run, in a process that exists for nothing else.
        let library =
            unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) }.map_err(failed)?;
        // SAFETY: the wrapper defines these functions with exactly these types, and the library is
        // never closed.
        unsafe {
            Ok(Program {
                entry: library.get(b"tilewright_entry\0").map_err(failed)?,
                init: library.get(b"tilewright_init\0").ok(),
                extents: library.get(b"tilewright_extents\0").map_err(failed)?,
                global_extents: library
                    .get(b"tilewright_global_extents\0")
                    .map_err(failed)?,
                global: library.get(b"tilewright_global\0").map_err(failed)?,
                global_is_const: library
                    .get(b"tilewright_global_is_const\0")
                    .map_err(failed)?,
                device_seconds: library.get(b"tilewright_device_seconds\0").ok(),
                _library: ManuallyDrop::new(library),
            })
        }
    }

    /// Loads a library built from a peer's wrapper, and the peer behind it.
    ///
    /// # Errors
    /// `TW0502` with the loader's words.
    pub fn load_peer(wrapper: &Path, peer: &Path, symbol: &str) -> Result<Program> {
        let program = Program::load(wrapper)?;
        let failed = |error: libloading::Error| {
            use std::error::Error;
            let reason = error
                .source()
                .map_or_else(|| error.to_string(), ToString::to_string);
            let message = format!("cannot use the peer {}: {reason}", peer.display());
            let help = "a peer is a shared library that exports a function with the C signature \
                        of the program's own";
            Box::new(Diagnostic::error(Code::RunFailed, message).help(help))
        };
        // SAFETY: as for the program itself: the user asked for it, in a process of its own. The
        // symbol is only passed on, as the address of a function of the program's type, which is
        // what the user says it is. Neither library is ever closed.
        unsafe {
            let library = ManuallyDrop::new(
                Library::open(Some(peer), RTLD_LAZY | RTLD_LOCAL).map_err(failed)?,
            );
            let function: Symbol<*mut c_void> = library.get(symbol.as_bytes()).map_err(failed)?;
            let set: Symbol<unsafe extern "C" fn(*mut c_void)> = program
                ._library
                .get(b"tilewright_set_peer\0")
                .map_err(failed)?;
            set(*function);
        }
        Ok(program)
    }

    /// Calls the function. In a process that was forked from one in which programs had been
    /// loaded, another thread than the caller's makes the call, see `forked`.
    pub fn call(&self, addresses: &mut Addresses) {
        if !forked::is_child() {
            return self.call_here(addresses);
        }
        let mut arguments = Arguments(addresses);
        if !forked::elsewhere(|| arguments.pass_to(self)) {
            // A team of one needs no other threads.
            // SAFETY: the type is that of OpenMP's function.
            let team = unsafe {
                self._library
                    .get::<unsafe extern "C" fn(c_int)>(b"omp_set_num_threads\0")
            };
            if let Ok(set_threads) = team {
                // SAFETY: sets a number of the calling thread.
                unsafe { set_threads(1) };
            }
            self.call_here(addresses);
        }
    }

    fn call_here(&self, addresses: &mut Addresses) {
        // SAFETY: the addresses are those of the function's arguments in order, each valid for as
        // many bytes as the program's own extents say. What the program does beyond that is the
        // user's program's doing, in a process of its own.
        unsafe { (self.entry)(addresses.0.as_mut_ptr()) }
    }

    /// Calls the init function, where the program has one.
    pub fn call_init(&self, addresses: &mut Addresses) {
        if let Some(init) = &self.init {
            // SAFETY: as for `call`; the init function has the same parameters.
            unsafe { init(addresses.0.as_mut_ptr()) }
        }
    }

    /// Evaluates element sizes and extents of the array arguments: `count` numbers.
    pub fn extents(&self, addresses: &mut Addresses, count: usize) -> Vec<i64> {
        let mut values: Vec<c_longlong> = vec![0; count];
        // SAFETY: the wrapper writes `count` numbers, one for the size of each array argument's
        // element and one for each extent, and reads scalars only.
        unsafe { (self.extents)(addresses.0.as_mut_ptr(), values.as_mut_ptr()) }
        values
    }

    /// How long the last call was at work on a device, in seconds, and how many kernels it
    /// launched; `None` where nothing of the program runs on one.
    pub fn device_seconds(&self) -> Option<(f64, u64)> {
        let mut launches: c_long = 0;
        // SAFETY: the function writes one number and returns another.
        let seconds = unsafe { self.device_seconds.as_ref()?(&mut launches) };
        Some((seconds, u64::try_from(launches).unwrap_or(0)))
    }

    /// Evaluates element sizes and extents of the global arrays: `count` numbers.
    pub fn global_extents(&self, count: usize) -> Vec<i64> {
        let mut values: Vec<c_longlong> = vec![0; count];
        // SAFETY: the wrapper writes `count` numbers.
        unsafe { (self.global_extents)(values.as_mut_ptr()) }
        values
    }

    /// Whether a global variable is `const`.
    pub fn global_is_const(&self, at: usize) -> bool {
        // SAFETY: a function of one number without effects; unknown numbers give 0.
        unsafe { (self.global_is_const)(at as c_int) != 0 }
    }

    /// Copies a global variable's bytes, up to the length of `bytes`.
    pub fn read_global(&self, at: usize, bytes: &mut [u8]) {
        // SAFETY: the address is null or that of a variable of at least `bytes.len()` bytes, as
        // the program's own `sizeof` and extents said; nothing runs in the library meanwhile.
        unsafe {
            let address: *const u8 = (self.global)(at as c_int).cast();
            if !address.is_null() {
                std::ptr::copy_nonoverlapping(address, bytes.as_mut_ptr(), bytes.len());
            }
        }
    }

    /// Overwrites a global variable that is not `const`.
    pub fn write_global(&self, at: usize, bytes: &[u8]) {
        // SAFETY: as for `read_global`; callers have asked `global_is_const`.
        unsafe {
            let address: *mut u8 = (self.global)(at as c_int).cast();
            if !address.is_null() {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), address, bytes.len());
            }
        }
    }

    /// Lets a global pointer point to memory that outlives all calls.
    pub fn set_global_pointer(&self, at: usize, target: *mut u8) {
        self.write_global(at, &(target as usize).to_ne_bytes());
    }
}

/// Keeps freed memory in the process and takes all memory from one heap, so that memory that the
/// program allocates and frees in every call is given back by the system only once, and page
/// faults are not what is timed.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const ALL: c_int = -1;
        // SAFETY: mallopt changes parameters of the allocator and is called before other threads
        // exist that could allocate at the same time.
        let kept = unsafe {
            libc::mallopt(libc::M_MMAP_MAX, 0) == 1
                && libc::mallopt(libc::M_TRIM_THRESHOLD, ALL) == 1
                && libc::mallopt(libc::M_ARENA_MAX, 1) == 1
        };
        if !kept {
            tracing::warn!("the allocator cannot be told to keep freed memory");
        }
    }
}
