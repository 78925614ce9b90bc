/* As much of HIP as generated code uses, on fibres: CUDA's functions under HIP's names. Found as
   <hip/hip_runtime.h> by `-I tests/cuda`. */
#pragma once
#include "../cuda_runtime.h"

#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipDeviceProp_t cudaDeviceProp
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipGetDeviceCount cudaGetDeviceCount
#define hipSetDevice cudaSetDevice
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipDriverGetVersion cudaDriverGetVersion
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipDeviceGetAttribute cudaDeviceGetAttribute
#define hipDeviceAttributeMemoryClockRate cudaDevAttrMemoryClockRate
#define hipDeviceAttributeMemoryBusWidth cudaDevAttrGlobalMemoryBusWidth
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMemcpy cudaMemcpy
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost

/* What HIP calls other than CUDA in `hipDeviceProp_t`. */
#define maxSharedMemoryPerMultiProcessor sharedMemPerMultiprocessor
