/* Lists CUDA's devices in the order in which generated code counts them. */
#include <cuda_runtime.h>
#include <stdio.h>

int main(void)
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        return 1;
    }
    for (int d = 0; d < count; d++) {
        cudaDeviceProp properties;
        if (cudaGetDeviceProperties(&properties, d) != cudaSuccess)
            continue;
        /* What a block has for the asking, where that is more than what every block has. */
        unsigned long long shared = properties.sharedMemPerBlock;
        if (properties.sharedMemPerBlockOptin > shared)
            shared = properties.sharedMemPerBlockOptin;
        /* Kilohertz and bits; two transfers a cycle. */
        int clock = 0, width = 0;
        if (cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, d) != cudaSuccess
            || cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, d) != cudaSuccess)
            clock = width = 0;
        const unsigned long long megabytes = 2ULL * clock / 1000 * width / 8;
        printf("%d\t%s\tCUDA %d.%d\t%llu\t%d\t%d\t1\t%d\t%llu\t%d\t%llu\n", d, properties.name,
               properties.major, properties.minor, shared, properties.maxThreadsPerBlock,
               properties.multiProcessorCount, properties.maxThreadsPerMultiProcessor,
               (unsigned long long)properties.sharedMemPerMultiprocessor,
               properties.regsPerMultiprocessor, megabytes);
    }
    return 0;
}
