/* As much of HIP as generated code uses, declared, so that clang can check what `--target hip` writes
   where ROCm is not installed. Found as <hip/hip_runtime.h> by `-I tests/hip`. */
#pragma once
#include <stddef.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z) {}
};
extern const __device__ dim3 threadIdx, blockIdx;
__device__ void __syncthreads();

enum hipError_t { hipSuccess };
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize };
typedef struct stream *hipStream_t;

extern "C" {
const char *hipGetErrorString(hipError_t status);
hipError_t hipGetLastError(void);
hipError_t hipGetDeviceCount(int *count);
hipError_t hipSetDevice(int device);
hipError_t hipMalloc(void **memory, size_t bytes);
hipError_t hipFree(void *memory);
hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t hipDeviceSynchronize(void);
hipError_t hipFuncSetAttribute(const void *kernel, hipFuncAttribute attribute, int value);
/* What clang makes of <<<...>>>. */
hipError_t __hipPushCallConfiguration(dim3 blocks, dim3 threads, size_t bytes = 0,
                                      hipStream_t stream = nullptr);
hipError_t hipLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                           size_t bytes, hipStream_t stream);
}

__device__ int atomicAdd(int *at, int value);
__device__ unsigned atomicAdd(unsigned *at, unsigned value);
__device__ unsigned long long atomicAdd(unsigned long long *at, unsigned long long value);
__device__ float atomicAdd(float *at, float value);
__device__ double atomicAdd(double *at, double value);

#define ONE(name) __device__ float name(float); __device__ double name(double);
#define TWO(name) __device__ float name(float, float); __device__ double name(double, double);
ONE(ceil) ONE(fabs) ONE(floor) ONE(rint) ONE(round) ONE(sqrt) ONE(trunc) ONE(exp) ONE(log) ONE(sin)
ONE(cos) TWO(fmax) TWO(fmin) TWO(fmod) TWO(pow)
#undef ONE
#undef TWO
