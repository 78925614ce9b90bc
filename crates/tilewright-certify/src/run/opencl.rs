//! OpenCL as a host sees it: one platform, one device, a queue that does one thing after the other.
//!
//! Handles are numbers that no pointer has, but for those of memory: these are pointers whose address
//! lies so far off that nothing but a kernel gets at what they point to ([`AWAY`]).

use super::launch::Launch;
use super::{Machine, Thread};
use crate::arith::wrap;
use crate::kernels::{Build, Host, Wanted};
use crate::storage::memory::{Fault, Label, object_of};
use crate::types::{Kind, Type};

/// What tells pointers into memory of a device from those of the host. A kernel gets its arguments
/// with this bit turned: what is the device's it can use, and what is the host's it cannot.
pub(super) const AWAY: u64 = 1 << 38;

/// Handles: a number of this many, and what it is the handle of.
const HANDLE: u64 = 0x10_0000;
const PLATFORM: u64 = 1;
const DEVICE: u64 = 2;
const CONTEXT: u64 = 3;
const QUEUE: u64 = 4;
const PROGRAMS: u64 = 16;

/// OpenCL's errors, by the names that `CL/cl.h` gives them.
const INVALID_VALUE: i64 = -30;
const INVALID_MEM_OBJECT: i64 = -38;
const INVALID_PROGRAM_EXECUTABLE: i64 = -45;
const INVALID_KERNEL_NAME: i64 = -46;
const INVALID_KERNEL: i64 = -48;
const INVALID_ARG_INDEX: i64 = -49;
const INVALID_ARG_SIZE: i64 = -51;
const INVALID_KERNEL_ARGS: i64 = -52;
const INVALID_WORK_DIMENSION: i64 = -53;
const INVALID_WORK_GROUP_SIZE: i64 = -54;
const INVALID_BUFFER_SIZE: i64 = -61;
const INVALID_GLOBAL_WORK_SIZE: i64 = -63;

/// The largest buffer.
pub(super) const MOST_BYTES: u64 = 1 << 40;
/// The memory of a group, and the work-items that it may have.
const LOCAL_BYTES: u64 = 48 << 10;
pub(super) const MOST_ITEMS: u64 = 1024;

#[derive(Clone, Debug)]
enum Handle {
    Program {
        source: Vec<u8>,
        build: Option<usize>,
    },
    Kernel {
        function: usize,
        arguments: Vec<Option<u64>>,
        size: Option<[u64; 3]>,
    },
}

/// What a host has made.
#[derive(Debug, Default)]
pub(super) struct Device {
    handles: Vec<Handle>,
    /// CUDA's.
    pub(super) last_error: i64,
}

type Done = Result<i64, (Fault, usize)>;

impl Machine<'_> {
    /// Does what a host asks for, by the instruction `at`. The result.
    pub(super) fn host(
        &mut self,
        thread: &Thread,
        call: Host,
        a: &[u64],
        at: usize,
    ) -> Result<u64, (Fault, usize)> {
        let here = |fault| (fault, at);
        let done = match call {
            Host::Platforms => self.listed(PLATFORM, a[1], a[2]),
            Host::Devices => self.listed(DEVICE, a[3], a[4]),
            Host::DeviceInfo => self.device_info(a),
            Host::BuildInfo => Ok(0),
            Host::NewContext => return self.made(CONTEXT, a[5]).map_err(here),
            Host::NewQueue => return self.made(QUEUE, a[3]).map_err(here),
            Host::NewProgram => return self.new_program(a).map_err(here),
            Host::NewKernel => return self.new_kernel(a).map_err(here),
            Host::NewBuffer => return self.new_buffer(thread, a, at).map_err(here),
            Host::Build => self.build(a),
            Host::Release | Host::Finish => Ok(0),
            Host::FreeBuffer => self.free_buffer(a[0]),
            Host::Write => self.write(a),
            Host::Read => self.read(a),
            Host::CopyBuffer => self.copy_buffer(a),
            Host::Argument => self.set_argument(a),
            Host::Launch => return self.launched(a, at).map(|status| status as u64),
            Host::CudaMalloc => self.cuda_malloc(thread, a, at),
            Host::CudaFree => self.cuda_free(a[0]),
            Host::CudaMemcpy => self.cuda_memcpy(a),
            Host::CudaLastError => Ok(std::mem::take(&mut self.device.last_error)),
            Host::CudaCount => self.put(a[0], 4, 1).map(|()| 0),
            Host::Getenv | Host::Nothing => Ok(0),
            Host::Number => Err(Fault::Unsupported("a number that is read from text")),
            Host::Time => self.memory.fill(a[0], 0, 16).map(|()| a[1] as i64),
        };
        done.map(|value| value as u64).map_err(here)
    }

    pub(super) fn put(&mut self, at: u64, size: u64, value: u64) -> Result<(), Fault> {
        match at {
            0 => Ok(()),
            _ => self.memory.store(at, size, value, 0),
        }
    }

    /// A list of one thing, and that it is one.
    fn listed(&mut self, what: u64, list: u64, count: u64) -> Result<i64, Fault> {
        self.put(list, 8, HANDLE + what)?;
        self.put(count, 4, 1)?;
        Ok(0)
    }

    fn made(&mut self, what: u64, status: u64) -> Result<u64, Fault> {
        self.put(status, 4, 0)?;
        Ok(HANDLE + what)
    }

    fn failed(&mut self, error: i64, status: u64) -> Result<u64, Fault> {
        self.put(status, 4, error as u64)?;
        Ok(0)
    }

    fn device_info(&mut self, a: &[u64]) -> Result<i64, Fault> {
        let value = match a[1] {
            // CL_DEVICE_TYPE, CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_DEVICE_SINGLE_FP_CONFIG,
            // CL_DEVICE_LOCAL_MEM_SIZE
            0x1000 => 4,
            0x1004 => MOST_ITEMS,
            0x101b => 0,
            0x1023 => LOCAL_BYTES,
            _ => return Err(Fault::Unsupported("a question about the device")),
        };
        if a[3] != 0 && a[2] < 8 {
            return Ok(INVALID_VALUE);
        }
        self.put(a[3], 8, value)?;
        self.put(a[4], 8, 8)?;
        Ok(0)
    }

    /// The text that a pointer points to, up to a zero or so many bytes.
    pub(super) fn text(&mut self, mut at: u64, most: u64) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        while (text.len() as u64) < most {
            let byte = self.memory.load(at, 1, 0)? as u8;
            if byte == 0 {
                break;
            }
            text.push(byte);
            at += 1;
        }
        Ok(text)
    }

    fn new_program(&mut self, a: &[u64]) -> Result<u64, Fault> {
        let mut source = Vec::new();
        for piece in 0..a[1] {
            let most = match a[3] {
                0 => u64::MAX,
                lengths => match self.memory.load(lengths + 8 * piece, 8, 0)? {
                    0 => u64::MAX,
                    length => length,
                },
            };
            let text = self.memory.load(a[2] + 8 * piece, 8, 0)?;
            source.extend(self.text(text, most)?);
        }
        self.new_handle(
            Handle::Program {
                source,
                build: None,
            },
            a[4],
        )
    }

    fn new_handle(&mut self, handle: Handle, status: u64) -> Result<u64, Fault> {
        self.put(status, 4, 0)?;
        self.device.handles.push(handle);
        Ok(HANDLE + PROGRAMS + self.device.handles.len() as u64 - 1)
    }

    fn handle(&mut self, value: u64) -> Option<&mut Handle> {
        let number = value.checked_sub(HANDLE + PROGRAMS)?;
        self.device.handles.get_mut(usize::try_from(number).ok()?)
    }

    fn build(&mut self, a: &[u64]) -> Result<i64, Fault> {
        let options = match a[3] {
            0 => Vec::new(),
            options => self.text(options, u64::MAX)?,
        };
        let builds: &[Build] = &self.program.device.builds;
        let Some(Handle::Program { source, build }) = self.handle(a[0]) else {
            return Ok(INVALID_VALUE);
        };
        let of = Wanted {
            source: source.clone(),
            options,
        };
        *build = builds.iter().position(|known| known.of == of);
        match build {
            Some(_) => Ok(0),
            None => Err(Fault::Wanted(Box::new(of))),
        }
    }

    fn new_kernel(&mut self, a: &[u64]) -> Result<u64, Fault> {
        let name = self.text(a[1], u64::MAX)?;
        let builds: &[Build] = &self.program.device.builds;
        let built = match self.handle(a[0]) {
            Some(Handle::Program { build, .. }) => build.and_then(|number| builds.get(number)),
            _ => None,
        };
        let Some(built) = built else {
            return self.failed(INVALID_PROGRAM_EXECUTABLE, a[2]);
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        let Some(&function) = built.kernels.get(&name) else {
            return self.failed(INVALID_KERNEL_NAME, a[2]);
        };
        let kernel = Handle::Kernel {
            function,
            arguments: vec![None; self.program.functions[function].params.len()],
            size: built.sizes.get(&name).copied(),
        };
        self.new_handle(kernel, a[2])
    }

    fn new_buffer(&mut self, thread: &Thread, a: &[u64], at: usize) -> Result<u64, Fault> {
        let (flags, bytes, from) = (a[1], a[2], a[3]);
        if bytes == 0 || bytes > MOST_BYTES {
            return self.failed(INVALID_BUFFER_SIZE, a[4]);
        }
        if flags & !(1 | 2 | 4 | 32) != 0 {
            return Err(Fault::Unsupported("memory that host and device share"));
        }
        let pointer = self.on_device(thread, bytes, at)?;
        // CL_MEM_COPY_HOST_PTR
        if flags & 32 != 0 {
            self.memory.copy(pointer, from, bytes)?;
        }
        self.put(a[4], 4, 0)?;
        Ok(pointer ^ AWAY)
    }

    /// New memory of the device.
    pub(super) fn on_device(
        &mut self,
        thread: &Thread,
        bytes: u64,
        at: usize,
    ) -> Result<u64, Fault> {
        let pointer = self.allocate(thread, bytes, false, at)?;
        if let Some(object) = self.memory.object(pointer) {
            (object.heap, object.device) = (false, true);
        }
        Ok(pointer)
    }

    /// The memory that a handle is of: a pointer to it, and its bytes.
    pub(super) fn buffer(&mut self, handle: u64) -> Option<(u64, u64)> {
        let pointer = handle ^ AWAY;
        let object = self.memory.object(pointer)?;
        let first = object.live && object.device;
        let bytes = object.data.len() as u64;
        (first && self.memory.offset_of(pointer) == 0).then_some((pointer, bytes))
    }

    pub(super) fn free_buffer(&mut self, handle: u64) -> Result<i64, Fault> {
        let Some((pointer, _)) = self.buffer(handle) else {
            return Ok(INVALID_MEM_OBJECT);
        };
        self.memory.release(object_of(pointer));
        Ok(0)
    }

    /// A part of a buffer for a copy; else the error.
    fn part(&mut self, a: &[u64]) -> Result<Result<u64, i64>, Fault> {
        let (blocking, offset, bytes) = (a[2], a[3], a[4]);
        if blocking == 0 || a[6] != 0 || a[8] != 0 {
            return Err(Fault::Unsupported("a copy that nobody waits for"));
        }
        Ok(match self.buffer(a[1]) {
            None => Err(INVALID_MEM_OBJECT),
            Some((_, all)) if bytes == 0 || offset.saturating_add(bytes) > all => {
                Err(INVALID_VALUE)
            }
            Some((pointer, _)) => Ok(pointer + offset),
        })
    }

    fn write(&mut self, a: &[u64]) -> Result<i64, Fault> {
        match self.part(a)? {
            Ok(to) => self.copied(to, a[5], a[4]),
            Err(error) => Ok(error),
        }
    }

    fn read(&mut self, a: &[u64]) -> Result<i64, Fault> {
        match self.part(a)? {
            Ok(from) => self.copied(a[5], from, a[4]),
            Err(error) => Ok(error),
        }
    }

    pub(super) fn copied(&mut self, to: u64, from: u64, bytes: u64) -> Result<i64, Fault> {
        self.charge(bytes)?;
        self.memory.copy(to, from, bytes)?;
        Ok(0)
    }

    fn copy_buffer(&mut self, a: &[u64]) -> Result<i64, Fault> {
        let (from, to, bytes) = (self.buffer(a[1]), self.buffer(a[2]), a[5]);
        let (Some((from, all)), Some((to, more))) = (from, to) else {
            return Ok(INVALID_MEM_OBJECT);
        };
        if a[3].saturating_add(bytes) > all || a[4].saturating_add(bytes) > more {
            return Ok(INVALID_VALUE);
        }
        self.copied(to + a[4], from + a[3], bytes)
    }

    fn set_argument(&mut self, a: &[u64]) -> Result<i64, Fault> {
        let (index, bytes, from) = (a[1] as usize, a[2], a[3]);
        let program = self.program;
        let Some(Handle::Kernel { function, .. }) = self.handle(a[0]) else {
            return Ok(INVALID_KERNEL);
        };
        let Some(param) = program.functions[*function].params.get(index) else {
            return Ok(INVALID_ARG_INDEX);
        };
        let Some(kind) = param.ty.kind() else {
            return Err(Fault::Unsupported("the type of a kernel's argument"));
        };
        if from == 0 {
            return Err(Fault::Unsupported("local memory as an argument"));
        }
        if bytes != kind.size() {
            return Ok(INVALID_ARG_SIZE);
        }
        let value = wrap(kind, self.memory.load(from, bytes, 0)?);
        let value = match param.ty {
            Type::Pointer(_) if value == 0 => 0,
            Type::Pointer(_) => match self.buffer(value) {
                Some((pointer, _)) => pointer,
                None => return Ok(INVALID_MEM_OBJECT),
            },
            _ => value,
        };
        if let Some(Handle::Kernel { arguments, .. }) = self.handle(a[0]) {
            arguments[index] = Some(value);
        }
        Ok(0)
    }

    fn launched(&mut self, a: &[u64], at: usize) -> Done {
        let here = |fault| (fault, at);
        let Some(Handle::Kernel {
            function,
            arguments,
            size,
        }) = self.handle(a[1]).cloned()
        else {
            return Ok(INVALID_KERNEL);
        };
        let dimensions = a[2];
        if !(1..=3).contains(&dimensions) {
            return Ok(INVALID_WORK_DIMENSION);
        }
        if a[3] != 0 || a[6] != 0 || a[8] != 0 {
            return Err(here(Fault::Unsupported(
                "a launch with an offset or events",
            )));
        }
        let Some(arguments) = arguments.into_iter().collect::<Option<Vec<u64>>>() else {
            return Ok(INVALID_KERNEL_ARGS);
        };
        let (mut all, mut own) = ([1; 3], [1; 3]);
        for d in 0..dimensions {
            all[d as usize] = self.memory.load(a[4] + 8 * d, 8, 0).map_err(here)?;
            own[d as usize] = match (a[5], size) {
                (0, Some(size)) => size[d as usize],
                (0, None) => 1,
                (sizes, _) => self.memory.load(sizes + 8 * d, 8, 0).map_err(here)?,
            };
        }
        if all.contains(&0) {
            return Ok(INVALID_GLOBAL_WORK_SIZE);
        }
        let items = own.iter().fold(1u64, |n, s| n.saturating_mul(*s));
        let even = (0..3).all(|d| own[d] > 0 && all[d] % own[d] == 0);
        if !even || items > MOST_ITEMS || size.is_some_and(|size| size != own) {
            return Ok(INVALID_WORK_GROUP_SIZE);
        }
        let launch = Launch {
            function,
            arguments,
            groups: [0, 1, 2].map(|d| all[d] / own[d]),
            size: own,
            dimensions,
            bytes: 0,
        };
        self.name_arguments(&launch);
        self.launch(&launch, at)?;
        Ok(0)
    }

    /// Memory has the name that the kernel gives it.
    pub(super) fn name_arguments(&mut self, launch: &Launch) {
        let params = self.program.functions[launch.function].params.iter();
        for (index, (param, value)) in params.zip(&launch.arguments).enumerate() {
            if let (true, Some(object)) = (param.ty.is_pointer(), self.memory.object(*value)) {
                if object.device {
                    object.label = Label::Argument(launch.function as u32, index as u16);
                }
            }
        }
    }

    /// `snprintf`: how long the text is.
    pub(super) fn format(&mut self, a: &[u64]) -> Result<u64, Fault> {
        let (to, most) = (a[0], a[1]);
        let form = self.text(a[2], u64::MAX)?;
        let mut values = a[3..].iter();
        let mut text = Vec::new();
        let mut form = form.into_iter();
        while let Some(byte) = form.next() {
            if byte != b'%' {
                text.push(byte);
                continue;
            }
            let mut what = form.next();
            while matches!(what, Some(b'l' | b'z')) {
                what = form.next();
            }
            if what == Some(b'%') {
                text.push(b'%');
                continue;
            }
            let (Some(what), Some(&value)) = (what, values.next()) else {
                return Err(Fault::Unsupported("what is printed"));
            };
            match what {
                b's' => text.extend(self.text(value, u64::MAX)?),
                b'd' | b'i' => text.extend((value as i64).to_string().bytes()),
                b'u' => text.extend(value.to_string().bytes()),
                b'c' => text.push(value as u8),
                _ => return Err(Fault::Unsupported("what is printed")),
            }
        }
        let kept = text.len().min(most.saturating_sub(1) as usize);
        if most > 0 {
            for (offset, byte) in text[..kept].iter().chain([&0]).enumerate() {
                let byte = wrap(Kind::U8, u64::from(*byte));
                self.memory.store(to + offset as u64, 1, byte, 0)?;
            }
        }
        Ok(text.len() as u64)
    }
}
