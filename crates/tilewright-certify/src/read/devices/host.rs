//! What hosts of devices call: OpenCL's functions, and some of the system's.

use crate::kernels::Host;
use crate::program::Op;
use crate::read::expressions::calls::Arguments;
use crate::read::expressions::values::Val;
use crate::read::{Reader, Res};
use crate::types::{INT, Kind, SIZE, Type};

/// A function's arguments and, behind `>`, its result: `p` a pointer, `i` an `int`, `u` an
/// `unsigned`, `l` 64 bits.
const FUNCTIONS: [(&str, Host, &str); 26] = [
    ("clGetPlatformIDs", Host::Platforms, "upp>i"),
    ("clGetDeviceIDs", Host::Devices, "plupp>i"),
    ("clGetDeviceInfo", Host::DeviceInfo, "pulpp>i"),
    ("clCreateContext", Host::NewContext, "pupppp>p"),
    ("clCreateCommandQueue", Host::NewQueue, "pplp>p"),
    ("clCreateProgramWithSource", Host::NewProgram, "puppp>p"),
    ("clBuildProgram", Host::Build, "pupppp>i"),
    ("clGetProgramBuildInfo", Host::BuildInfo, "ppulpp>i"),
    ("clCreateKernel", Host::NewKernel, "ppp>p"),
    ("clReleaseProgram", Host::Release, "p>i"),
    ("clReleaseKernel", Host::Release, "p>i"),
    ("clReleaseCommandQueue", Host::Release, "p>i"),
    ("clReleaseContext", Host::Release, "p>i"),
    ("clCreateBuffer", Host::NewBuffer, "pllpp>p"),
    ("clReleaseMemObject", Host::FreeBuffer, "p>i"),
    ("clEnqueueWriteBuffer", Host::Write, "ppullpupp>i"),
    ("clEnqueueReadBuffer", Host::Read, "ppullpupp>i"),
    ("clEnqueueCopyBuffer", Host::CopyBuffer, "ppplllupp>i"),
    ("clFinish", Host::Finish, "p>i"),
    ("clFlush", Host::Finish, "p>i"),
    ("clSetKernelArg", Host::Argument, "pulp>i"),
    ("clEnqueueNDRangeKernel", Host::Launch, "ppupppupp>i"),
    ("getenv", Host::Getenv, "p>p"),
    ("strtol", Host::Number, "ppi>l"),
    ("atoi", Host::Number, "p>i"),
    ("timespec_get", Host::Time, "pi>i"),
];

/// CUDA's and HIP's, without `cuda` and `hip` in front.
const RUNTIME: [(&str, Host, &str); 9] = [
    ("Malloc", Host::CudaMalloc, "pl>i"),
    ("Free", Host::CudaFree, "p>i"),
    ("Memcpy", Host::CudaMemcpy, "ppli>i"),
    ("DeviceSynchronize", Host::Nothing, ">i"),
    ("GetLastError", Host::CudaLastError, ">i"),
    ("GetErrorString", Host::Nothing, "i>p"),
    ("GetDeviceCount", Host::CudaCount, "p>i"),
    ("SetDevice", Host::Nothing, "i>i"),
    ("FuncSetAttribute", Host::Nothing, "pii>i"),
];

fn ty(letter: char) -> Type {
    match letter {
        'p' => Type::Void.pointer(),
        'i' => INT,
        'u' => Type::Scalar(Kind::U32),
        _ => SIZE,
    }
}

impl<'a> Reader<'a> {
    /// A call of what only hosts call; `None` where it is something else.
    pub(crate) fn host_call(&mut self, name: &str, arguments: Arguments<'a>) -> Res<Option<Val>> {
        if name == "snprintf" {
            return self.formatted(arguments).map(Some);
        }
        let known = FUNCTIONS.iter().find(|(known, ..)| *known == name);
        let plain = name
            .strip_prefix("cuda")
            .or_else(|| name.strip_prefix("hip"));
        let plain = plain.filter(|_| self.prepared.is_cuda);
        let known = known.or_else(|| RUNTIME.iter().find(|(known, ..)| Some(*known) == plain));
        let Some(&(_, call, types)) = known else {
            return Ok(None);
        };
        let (types, result) = types.split_once('>').unwrap_or((types, "i"));
        if arguments.len() != types.len() {
            return self.problem(format!("a call of `{name}`"));
        }
        let d = self.temp()?;
        let first = self.fun.frame.top;
        for _ in 0..types.len() {
            self.temp()?;
        }
        let inner = self.fun.frame.top;
        for (index, letter) in types.chars().enumerate() {
            let value = self.argument(arguments, index, &ty(letter))?;
            self.assign_reg((first + index) as u16, &value, inner)?;
            self.fun.frame.top = inner;
        }
        let first = first as u16;
        self.emit(Op::Host { call, first, d });
        self.here();
        Ok(Some(Val::reg(d, ty(result.chars().next().unwrap_or('i')))))
    }

    /// `snprintf`.
    fn formatted(&mut self, arguments: Arguments<'a>) -> Res<Val> {
        if arguments.len() < 3 {
            return self.problem("a call of `snprintf`");
        }
        let d = self.temp()?;
        let first = self.fun.frame.top;
        for _ in arguments {
            self.temp()?;
        }
        let inner = self.fun.frame.top;
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.expr(argument)?;
            let value = match index {
                1 => self.convert(value, &SIZE)?,
                _ => value,
            };
            if value.kind().is_none_or(Kind::is_float) {
                return self.problem("a number that `snprintf` prints");
            }
            self.assign_reg((first + index) as u16, &value, inner)?;
            self.fun.frame.top = inner;
        }
        let count = arguments.len() as u16;
        let first = first as u16;
        self.emit(Op::Format { first, count, d });
        self.here();
        Ok(Val::reg(d, INT))
    }
}
