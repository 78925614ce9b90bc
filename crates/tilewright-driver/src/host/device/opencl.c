/* Lists OpenCL's devices in the order in which generated code counts them. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

int main(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    long number = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS || count == 0) {
        fprintf(stderr, "OpenCL has no platform\n");
        return 1;
    }
    for (cl_uint p = 0; p < count && p < 16; p++) {
        cl_device_id devices[16];
        cl_uint some = 0;
        char platform[256] = "";
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof(platform), platform, NULL);
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &some) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < some && d < 16; d++) {
            char name[256] = "";
            cl_ulong local = 0;
            size_t threads = 0;
            cl_uint units = 0;
            cl_device_type type = 0;
            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof(name), name, NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_LOCAL_MEM_SIZE, sizeof(local), &local, NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(threads), &threads,
                            NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_TYPE, sizeof(type), &type, NULL);
            printf("%ld\t%s\t%s\t%llu\t%llu\t%u\t%d\n", number++, name, platform,
                   (unsigned long long)local, (unsigned long long)threads, units,
                   (type & CL_DEVICE_TYPE_GPU) != 0);
        }
    }
    return 0;
}
