/* OpenCL that executes nothing and has memory of any size: prints how programs are built and what
   kernels get. Linked in place of a driver. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

static char thing;
#define ANYTHING ((void *)&thing)
#define ALL_IS_WELL if (status) *status = CL_SUCCESS

cl_int clGetPlatformIDs(cl_uint most, cl_platform_id *platforms, cl_uint *count)
{
    if (platforms && most > 0)
        platforms[0] = ANYTHING;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint most,
                      cl_device_id *devices, cl_uint *count)
{
    if (devices && most > 0)
        devices[0] = ANYTHING;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *needed)
{
    memset(value, 0, size);
    return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *data, cl_int *status)
{
    ALL_IS_WELL;
    return ANYTHING;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *status)
{
    ALL_IS_WELL;
    return ANYTHING;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **text,
                                     const size_t *lengths, cl_int *status)
{
    ALL_IS_WELL;
    return ANYTHING;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data)
{
    printf("build %s\n", options);
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t size, void *value, size_t *needed)
{
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *status)
{
    ALL_IS_WELL;
    return ANYTHING;
}

cl_int clReleaseProgram(cl_program program)
{
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                      cl_int *status)
{
    ALL_IS_WELL;
    return ANYTHING;
}

cl_int clReleaseMemObject(cl_mem memory)
{
    return CL_SUCCESS;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t offset,
                            size_t size, const void *from, cl_uint count, const cl_event *events,
                            cl_event *event)
{
    return CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t offset,
                           size_t size, void *to, cl_uint count, const cl_event *events,
                           cl_event *event)
{
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint at, size_t size, const void *value)
{
    long number = 0;
    memcpy(&number, value, size < sizeof(number) ? size : sizeof(number));
    printf("argument %u %zu %ld\n", at, size, size == 4 ? (long)(int)number : number);
    return CL_SUCCESS;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *all, const size_t *block,
                              cl_uint count, const cl_event *events, cl_event *event)
{
    printf("launch");
    for (cl_uint d = 0; d < dimensions; d++)
        printf(" %zu", all[d] / block[d]);
    printf("\n");
    return CL_SUCCESS;
}
