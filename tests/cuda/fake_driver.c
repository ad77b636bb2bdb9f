/* SPDX-License-Identifier: Apache-2.0 */
/* fake_driver.c - stands for libcuda.so.1: memory is the host's, work is done at once, kernels do nothing. */
#include "fake.h"

EXPORT fake_live fake_driver_live;

struct CUctx_st {
    int ordinal;
};
struct CUstream_st {
    int number;
};
struct CUevent_st {
    int recorded;
};
struct CUmod_st {
    char text[8];
};
struct CUfunc_st {
    char name[64];
};

static struct CUctx_st contexts[8];
static struct CUstream_st streams[64];
static struct CUfunc_st function;
static int nstream, retained[8];
static uint64_t used;

/* The size of a block is before it. */
static void *take(size_t bytes)
{
    char *at = aligned_alloc(256, (bytes + 256 + 255) / 256 * 256);
    if (!at)
        abort();
    memcpy(at, &bytes, sizeof bytes);
    used += bytes;
    fake_driver_live.blocks++;
    return at + 256;
}

static void give(CUdeviceptr at)
{
    size_t bytes;
    char *begin = (char *)(uintptr_t)at - 256;
    memcpy(&bytes, begin, sizeof bytes);
    used -= bytes;
    fake_driver_live.blocks--;
    free(begin);
}

#define FUNCTION(symbol, ...)            \
    EXPORT CUresult symbol(__VA_ARGS__); \
    CUresult symbol(__VA_ARGS__)

FUNCTION(cuDriverGetVersion, int *version)
{
    CALL(cuDriverGetVersion);
    *version = (int)fake_number("FAKE_VERSION", 13000);
    return 0;
}

FUNCTION(cuInit, unsigned flags)
{
    CALL(cuInit, "%u", flags);
    return 0;
}

FUNCTION(cuGetErrorString, CUresult error, const char **text)
{
    *text = error == 2     ? "out of memory"
            : error == 700 ? "an illegal memory access was encountered"
                           : "an error";
    return 0;
}

FUNCTION(cuDeviceGetCount, int *count)
{
    CALL(cuDeviceGetCount);
    *count = (int)fake_number("FAKE_DEVICES", 2);
    return *count ? 0 : CUDA_ERROR_NO_DEVICE;
}

FUNCTION(cuDeviceGet, CUdevice *device, int ordinal)
{
    CALL(cuDeviceGet, "%d", ordinal);
    *device = ordinal;
    return 0;
}

FUNCTION(cuDeviceGetName, char *name, int len, CUdevice device)
{
    snprintf(name, (size_t)len, "Fake GPU %d", device);
    return 0;
}

FUNCTION(cuDeviceTotalMem_v2, size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = fake_number("FAKE_MEMORY", 1 << 28);
    return 0;
}

FUNCTION(cuDeviceGetAttribute, int *value, CUdevice_attribute attribute, CUdevice device)
{
    int capability = (int)fake_number("FAKE_ARCHITECTURE", 90);
    CALL(cuDeviceGetAttribute, "%d %d", attribute, device);
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 132; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = capability / 10; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = capability % 10; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = 232448; break;
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
        *value = (int)fake_number("FAKE_POOLS", 1);
        break;
    default: return 1;
    }
    return 0;
}

FUNCTION(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device)
{
    CALL(cuDevicePrimaryCtxRetain, "%d", device);
    retained[device]++;
    fake_driver_live.contexts++;
    *context = &contexts[device];
    return 0;
}

FUNCTION(cuDevicePrimaryCtxRelease_v2, CUdevice device)
{
    CALL(cuDevicePrimaryCtxRelease, "%d", device);
    retained[device]--;
    fake_driver_live.contexts--;
    return 0;
}

FUNCTION(cuDeviceGetDefaultMemPool, CUmemoryPool *pool, CUdevice device)
{
    CALL(cuDeviceGetDefaultMemPool, "%d", device);
    *pool = (CUmemoryPool)&contexts[device];
    return 0;
}

FUNCTION(cuMemPoolSetAttribute, CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    (void)pool;
    CALL(cuMemPoolSetAttribute, "%d %llx", attribute, (unsigned long long)*(uint64_t *)value);
    return 0;
}

FUNCTION(cuMemPoolGetAttribute, CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    (void)pool, (void)attribute;
    *(uint64_t *)value = used;
    return 0;
}

FUNCTION(cuMemPoolTrimTo, CUmemoryPool pool, size_t keep)
{
    (void)pool;
    CALL(cuMemPoolTrimTo, "%zu", keep);
    return 0;
}

FUNCTION(cuCtxSetCurrent, CUcontext context)
{
    (void)context;
    return fake_fails("cuCtxSetCurrent");
}

FUNCTION(cuStreamCreate, CUstream *stream, unsigned flags)
{
    CALL(cuStreamCreate, "%u", flags);
    *stream = &streams[nstream % 64];
    (*stream)->number = nstream++ % 2;
    fake_driver_live.streams++;
    return 0;
}

FUNCTION(cuStreamDestroy_v2, CUstream stream)
{
    CALL(cuStreamDestroy, "%d", stream->number);
    fake_driver_live.streams--;
    return 0;
}

FUNCTION(cuStreamSynchronize, CUstream stream)
{
    CALL(cuStreamSynchronize, "%d", stream->number);
    return 0;
}

FUNCTION(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags)
{
    CALL(cuStreamWaitEvent, "%d %u", stream->number, flags);
    return event->recorded ? 0 : 1;
}

FUNCTION(cuEventCreate, CUevent *event, unsigned flags)
{
    CALL(cuEventCreate, "%u", flags);
    *event = calloc(1, sizeof **event);
    fake_driver_live.events++;
    return 0;
}

FUNCTION(cuEventDestroy_v2, CUevent event)
{
    CALL(cuEventDestroy);
    free(event);
    fake_driver_live.events--;
    return 0;
}

FUNCTION(cuEventRecord, CUevent event, CUstream stream)
{
    CALL(cuEventRecord, "%d", stream->number);
    event->recorded = 1;
    return 0;
}

FUNCTION(cuEventQuery, CUevent event)
{
    CALL(cuEventQuery);
    return event->recorded ? 0 : 1;
}

FUNCTION(cuEventSynchronize, CUevent event)
{
    CALL(cuEventSynchronize);
    return event->recorded ? 0 : 1;
}

FUNCTION(cuEventElapsedTime, float *ms, CUevent from, CUevent to)
{
    CALL(cuEventElapsedTime);
    *ms = 1.5f;
    return from->recorded && to->recorded ? 0 : 1;
}

static CUresult allocate(CUdeviceptr *at, size_t bytes)
{
    if (used + bytes > fake_number("FAKE_MEMORY", 1 << 28))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *at = (CUdeviceptr)(uintptr_t)take(bytes);
    return 0;
}

FUNCTION(cuMemAlloc_v2, CUdeviceptr *at, size_t bytes)
{
    CALL(cuMemAlloc, "%zu", bytes);
    return allocate(at, bytes);
}

FUNCTION(cuMemAllocAsync, CUdeviceptr *at, size_t bytes, CUstream stream)
{
    CALL(cuMemAllocAsync, "%zu %d", bytes, stream->number);
    return allocate(at, bytes);
}

FUNCTION(cuMemFree_v2, CUdeviceptr at)
{
    CALL(cuMemFree);
    give(at);
    return 0;
}

FUNCTION(cuMemFreeAsync, CUdeviceptr at, CUstream stream)
{
    CALL(cuMemFreeAsync, "%d", stream->number);
    give(at);
    return 0;
}

FUNCTION(cuMemGetInfo_v2, size_t *left, size_t *total)
{
    CALL(cuMemGetInfo);
    *total = fake_number("FAKE_MEMORY", 1 << 28);
    *left = *total - used;
    return 0;
}

FUNCTION(cuMemAllocHost_v2, void **at, size_t bytes)
{
    CALL(cuMemAllocHost, "%zu", bytes);
    *at = malloc(bytes);
    fake_driver_live.pinned++;
    return 0;
}

FUNCTION(cuMemFreeHost, void *at)
{
    CALL(cuMemFreeHost);
    free(at);
    fake_driver_live.pinned--;
    return 0;
}

FUNCTION(cuMemcpyHtoDAsync_v2, CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
    CALL(cuMemcpyHtoDAsync, "%zu %d", n, stream->number);
    memcpy((void *)(uintptr_t)to, from, n);
    return 0;
}

FUNCTION(cuMemcpyDtoHAsync_v2, void *to, CUdeviceptr from, size_t n, CUstream stream)
{
    CALL(cuMemcpyDtoHAsync, "%zu %d", n, stream->number);
    memcpy(to, (void *)(uintptr_t)from, n);
    return 0;
}

FUNCTION(cuMemcpyDtoDAsync_v2, CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    CALL(cuMemcpyDtoDAsync, "%zu %d", n, stream->number);
    memmove((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return 0;
}

FUNCTION(cuMemcpyPeerAsync, CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here,
         size_t n, CUstream stream)
{
    CALL(cuMemcpyPeerAsync, "%td %td %zu %d", there - contexts, here - contexts, n, stream->number);
    memmove((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return 0;
}

FUNCTION(cuMemsetD8Async, CUdeviceptr to, unsigned char byte, size_t n, CUstream stream)
{
    CALL(cuMemsetD8Async, "%u %zu %d", byte, n, stream->number);
    memset((void *)(uintptr_t)to, byte, n);
    return 0;
}

/* Machine code of the NVRTC that stands beside this: CODE and the names of kernels. */
FUNCTION(cuModuleLoadData, CUmodule *module, const void *image)
{
    CALL(cuModuleLoadData);
    if (memcmp(image, "CODE", 4) != 0)
        return 200;
    *module = calloc(1, sizeof **module);
    fake_driver_live.modules++;
    return 0;
}

FUNCTION(cuModuleUnload, CUmodule module)
{
    CALL(cuModuleUnload);
    free(module);
    fake_driver_live.modules--;
    return 0;
}

FUNCTION(cuModuleGetFunction, CUfunction *out, CUmodule module, const char *name)
{
    (void)module;
    CALL(cuModuleGetFunction, "%s", name);
    *out = &function;
    snprintf(function.name, sizeof function.name, "%s", name);
    return strcmp(name, "nobody") == 0 ? 500 : 0;
}

FUNCTION(cuFuncGetAttribute, int *value, CUfunction_attribute attribute, CUfunction f)
{
    (void)f;
    CALL(cuFuncGetAttribute, "%d", attribute);
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 448;
    return 0;
}

FUNCTION(cuFuncSetAttribute, CUfunction f, CUfunction_attribute attribute, int value)
{
    (void)f;
    CALL(cuFuncSetAttribute, "%d %d", attribute, value);
    return 0;
}

FUNCTION(cuFuncGetParamInfo, CUfunction f, size_t index, size_t *offset, size_t *bytes)
{
    (void)f;
    CALL(cuFuncGetParamInfo, "%zu", index);
    *offset = 0;
    *bytes = 24;
    return 0;
}

FUNCTION(cuLaunchKernel, CUfunction f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
         unsigned bz, unsigned shared, CUstream stream, void **parameters, void **extra)
{
    const uint64_t *words = extra[1];
    size_t bytes = *(size_t *)extra[3];
    if (parameters || extra[0] != TSR_CUDA_WORDS || extra[2] != TSR_CUDA_WORDS_BYTES ||
        extra[4] != TSR_CUDA_END || bytes != 24)
        return 1;
    CALL(cuLaunchKernel, "%s %u,%u,%u %u,%u,%u %u %d: %llu %llu %llu", f->name, x, y, z, bx, by, bz,
         shared, stream->number, (unsigned long long)words[0], (unsigned long long)words[1],
         (unsigned long long)words[2]);
    return 0;
}
