/* As much of CUDA as generated code uses, on the processor: blocks run one after another, and the
   threads of a block are fibres, each of which runs until it meets a barrier. All of them have to
   meet the same one. How often they did is added to the file that FIBRES_LOG names. Found as
   <cuda_runtime.h> by `-I tests/cuda`; `tests/cuda/nvcc` writes launches as calls of `launch`. */
#pragma once
#include <functional>
#include <math.h>
#include <memory>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __shared__
#define __launch_bounds__(threads)
#define __align__(bytes) __attribute__((aligned(bytes)))

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
struct cudaDeviceProp {
    char name[256];
    size_t sharedMemPerBlock, sharedMemPerBlockOptin;
    int maxThreadsPerBlock, multiProcessorCount, major, minor;
    int maxThreadsPerMultiProcessor, regsPerMultiprocessor;
    size_t sharedMemPerMultiprocessor;
};
enum cudaDeviceAttr { cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth };

static inline const char *cudaGetErrorString(cudaError_t) { return "no error"; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
static inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
    return cudaSuccess;
}
static inline cudaError_t cudaDriverGetVersion(int *version) { return *version = 0, cudaSuccess; }
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *all, int)
{
    *all = {"fibres", 48 << 10, 48 << 10, 1024, 1, 0, 0, 2048, 64 << 10, 64 << 10};
    return cudaSuccess;
}
/* As if it were not known. */
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int)
{
    return *value = 0, cudaSuccess;
}

/* Memory has values from before, and none that a program could do with. */
static inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    memset(*memory, 0xa5, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaFree(void *memory) { return free(memory), cudaSuccess; }
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    return memcpy(to, from, bytes), cudaSuccess;
}

template <class T> static inline T atomicAdd(T *at, T value)
{
    T before = *at;
    *at += value;
    return before;
}

static dim3 threadIdx, blockIdx;
alignas(128) static char tw_memory[48 << 10];

struct fibre {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    dim3 thread;
    /* The line of the barrier that it waits at; 0: it has not begun, -1: it has ended. */
    int line = 0;
};

static ucontext_t scheduler;
static fibre *running;
static const std::function<void()> *kernel;
/* What threads gave to a barrier, and its answer. */
static int given, answer;
static long barriers;

static void run_thread()
{
    (*kernel)();
    running->line = -1;
    swapcontext(&running->context, &scheduler);
}

static inline int meet(int line, int value)
{
    given |= value != 0;
    running->line = line;
    swapcontext(&running->context, &scheduler);
    return answer;
}
#define __syncthreads() meet(__LINE__, 0)
#define __syncthreads_or(value) meet(__LINE__, value)

static void run_block(std::vector<fibre> &fibres)
{
    for (fibre &one : fibres) {
        getcontext(&one.context);
        one.context.uc_stack.ss_sp = one.stack.get();
        one.context.uc_stack.ss_size = 64 << 10;
        one.context.uc_link = nullptr;
        makecontext(&one.context, run_thread, 0);
        one.line = 0;
    }
    memset(tw_memory, 0xa5, sizeof tw_memory);
    do {
        given = 0;
        /* Every other time from the last to the first. */
        static unsigned turn;
        const size_t count = fibres.size();
        const bool back = turn++ % 2;
        for (size_t at = 0; at < count; at++) {
            running = &fibres[back ? count - 1 - at : at];
            threadIdx = running->thread;
            swapcontext(&scheduler, &running->context);
        }
        answer = given;
        for (fibre &one : fibres)
            if (one.line != fibres[0].line) {
                fprintf(stderr, "threads of a block are at different barriers: lines %d and %d\n",
                        fibres[0].line, one.line);
                exit(1);
            }
        barriers += fibres[0].line != -1;
    } while (fibres[0].line != -1);
}

static void launch(dim3 blocks, dim3 threads, size_t bytes, const std::function<void()> &body)
{
    if (bytes > sizeof tw_memory) {
        fprintf(stderr, "a block has less than %zu bytes\n", bytes);
        exit(1);
    }
    std::vector<fibre> fibres(threads.x * threads.y);
    for (unsigned at = 0; at < fibres.size(); at++) {
        fibres[at].stack.reset(new char[64 << 10]);
        fibres[at].thread = dim3(at % threads.x, at / threads.x);
    }
    kernel = &body;
    barriers = 0;
    for (unsigned z = 0; z < blocks.z; z++)
        for (unsigned y = 0; y < blocks.y; y++)
            for (unsigned x = 0; x < blocks.x; x++) {
                blockIdx = dim3(x, y, z);
                run_block(fibres);
            }
    if (const char *log = getenv("FIBRES_LOG"))
        if (FILE *file = fopen(log, "a")) {
            fprintf(file, "%u blocks, %ld barriers\n", blocks.x * blocks.y * blocks.z, barriers);
            fclose(file);
        }
}
