/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - a CUDA device: context, streams as lanes, events as marks, memory in the order of work, copies through pinned
 * memory, launches. See base/device.h.
 *
 * The context is the primary one, which PyTorch and JAX use too, so that their memory can be read. Memory comes from the
 * driver's pool, in the order of the lane of kernels. The first error of the driver ends the device: what it still holds
 * goes when it is closed. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "cuda/cuda.h"

enum { STAGES = 4, STAGE = 4 << 20, MOST_MARKS = 1 << 16 };

typedef struct kernel kernel;
struct kernel {
    CUfunction function;
    uint32_t nwords, threads,
        shared; /* most threads of a block, most bytes that a launch may add */
    char name[64];
    kernel *next;
};

typedef struct code code;
struct code {
    CUmodule module;
    kernel *kernels;
    code *next;
};

typedef struct {
    tsr_device device;
    tsr_cuda_libraries *l;
    CUdevice ordinal;
    CUcontext context;
    CUmemoryPool pool; /* NULL: the driver has none */
    CUstream lanes[TSR_LANE_COUNT];
    struct {
        void *at;
        CUevent used; /* the copy from it, or to it, is done */
        bool busy;
    } stages[STAGES];
    uint32_t stage;
    CUevent *marks; /* mark n is recorded in event n % MOST_MARKS; older ones are reached */
    uint64_t nmarks;
    CUdeviceptr *blocks;
    size_t nblock, room;
    code *codes;
    tsr_cuda_products *products;
    pthread_mutex_t calls; /* threads of a mesh share the device: one at a time is in a call */
    bool failed;
} cuda;

static cuda *of(tsr_device *d)
{
    return (cuda *)d;
}

static bool fail(cuda *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fail(cuda *c, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!c->failed)
        vsnprintf(c->device.error, sizeof c->device.error, fmt, args);
    va_end(args);
    c->failed = true;
    return false;
}

static const char *text_of(const tsr_cuda_libraries *l, CUresult r)
{
    const char *text = NULL;
    return l->driver.cuGetErrorString(r, &text) == CUDA_SUCCESS && text ? text : "unknown error";
}

static bool good(cuda *c, CUresult r, const char *what)
{
    return r == CUDA_SUCCESS || fail(c, "GPU %d, %s: %s", c->device.number, what, text_of(c->l, r));
}

/* Each call may come from another thread. False: the device has failed. */
static bool enter(cuda *c)
{
    return !c->failed && good(c, c->l->driver.cuCtxSetCurrent(c->context), "context");
}

static CUdeviceptr address(const void *at)
{
    return (CUdeviceptr)(uintptr_t)at;
}

/* ---- Memory ---- */

static CUresult obtain(cuda *c, CUdeviceptr *at, size_t bytes)
{
    const tsr_cuda_driver *f = &c->l->driver;
    return c->pool ? f->cuMemAllocAsync(at, bytes, c->lanes[TSR_LANE_KERNELS])
                   : f->cuMemAlloc(at, bytes);
}

/* Released memory that the pool keeps may be in pieces: it goes back to the driver once. */
static CUresult obtain_again(cuda *c, CUdeviceptr *at, size_t bytes)
{
    const tsr_cuda_driver *f = &c->l->driver;
    CUresult r = f->cuStreamSynchronize(c->lanes[TSR_LANE_KERNELS]);
    if (r != CUDA_SUCCESS)
        return r;
    if (c->pool)
        f->cuMemPoolTrimTo(c->pool, 0);
    return obtain(c, at, bytes);
}

static int64_t cuda_left(tsr_device *d)
{
    cuda *c = of(d);
    const tsr_cuda_driver *f = &c->l->driver;
    size_t left, total;
    uint64_t reserved = 0, used = 0;
    if (!enter(c) || f->cuMemGetInfo(&left, &total) != CUDA_SUCCESS)
        return -1;
    if (c->pool && (f->cuMemPoolGetAttribute(c->pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
                                             &reserved) != CUDA_SUCCESS ||
                    f->cuMemPoolGetAttribute(c->pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) !=
                        CUDA_SUCCESS))
        reserved = used = 0;
    return (int64_t)(left + reserved - used);
}

static bool keep_block(cuda *c, CUdeviceptr at)
{
    if (c->nblock == c->room) {
        size_t room = 2 * c->room + 64;
        CUdeviceptr *more = tsr_realloc(c->blocks, room * sizeof *more);
        if (!more)
            return false;
        c->blocks = more;
        c->room = room;
    }
    c->blocks[c->nblock++] = at;
    return true;
}

static void give_back(cuda *c, CUdeviceptr at)
{
    const tsr_cuda_driver *f = &c->l->driver;
    good(c, c->pool ? f->cuMemFreeAsync(at, c->lanes[TSR_LANE_KERNELS]) : f->cuMemFree(at),
         "release");
}

static void *cuda_allocate(tsr_device *d, size_t bytes)
{
    cuda *c = of(d);
    CUdeviceptr at = 0;
    if (!enter(c))
        return NULL;
    CUresult r = obtain(c, &at, bytes ? bytes : 1);
    if (r == CUDA_ERROR_OUT_OF_MEMORY)
        r = obtain_again(c, &at, bytes ? bytes : 1);
    if (r == CUDA_ERROR_OUT_OF_MEMORY) {
        snprintf(d->error, sizeof d->error,
                 "GPU %d: no memory for %zu bytes: %lld of %llu are left", d->number, bytes,
                 (long long)cuda_left(d), (unsigned long long)d->bytes);
        return NULL;
    }
    if (!good(c, r, "allocation"))
        return NULL;
    if (keep_block(c, at))
        return (void *)(uintptr_t)at;
    give_back(c, at);
    snprintf(d->error, sizeof d->error, "no memory for the list of blocks");
    return NULL;
}

static void cuda_release(tsr_device *d, void *at)
{
    cuda *c = of(d);
    if (!at || !enter(c))
        return;
    for (size_t i = c->nblock; i-- > 0;)
        if (c->blocks[i] == address(at)) {
            c->blocks[i] = c->blocks[--c->nblock];
            give_back(c, address(at));
            return;
        }
    fail(c, "release: %p is not the beginning of a block", at);
}

/* ---- Copies ---- */

/* A piece of pinned memory that no copy uses; NULL: the device fails. */
static void *next_stage(cuda *c, uint32_t *which)
{
    const tsr_cuda_driver *f = &c->l->driver;
    uint32_t i = *which = c->stage++ % STAGES;
    if (c->stages[i].busy && !good(c, f->cuEventSynchronize(c->stages[i].used), "copy"))
        return NULL;
    c->stages[i].busy = false;
    if (!c->stages[i].at &&
        !(good(c, f->cuMemAllocHost(&c->stages[i].at, STAGE), "pinned memory") &&
          good(c, f->cuEventCreate(&c->stages[i].used, 0), "event")))
        return NULL;
    return c->stages[i].at;
}

static bool use_stage(cuda *c, uint32_t i)
{
    c->stages[i].busy = true;
    return good(c, c->l->driver.cuEventRecord(c->stages[i].used, c->lanes[TSR_LANE_KERNELS]),
                "copy");
}

static bool cuda_copy_in(tsr_device *d, void *to, const void *from, size_t n)
{
    cuda *c = of(d);
    bool ok = enter(c);
    for (size_t at = 0, some; ok && at < n; at += some) {
        uint32_t i;
        void *stage = next_stage(c, &i);
        some = n - at < STAGE ? n - at : STAGE;
        if (!stage)
            return false;
        memcpy(stage, (const char *)from + at, some);
        ok = good(c,
                  c->l->driver.cuMemcpyHtoDAsync(address(to) + at, stage, some,
                                                 c->lanes[TSR_LANE_KERNELS]),
                  "copy in") &&
             use_stage(c, i);
    }
    return ok;
}

static bool end_stage(cuda *c, uint32_t i, char *to, size_t n)
{
    if (!good(c, c->l->driver.cuEventSynchronize(c->stages[i].used), "copy out"))
        return false;
    c->stages[i].busy = false;
    memcpy(to, c->stages[i].at, n);
    return true;
}

/* While one piece arrives, the one before it is taken out of its stage. */
static bool cuda_copy_out(tsr_device *d, void *to, const void *from, size_t n)
{
    cuda *c = of(d);
    bool ok = enter(c);
    size_t last_at = 0, last = 0;
    uint32_t before = 0;
    for (size_t at = 0, some; ok && at < n; at += some) {
        uint32_t i;
        void *stage = next_stage(c, &i);
        some = n - at < STAGE ? n - at : STAGE;
        if (!stage)
            return false;
        ok = good(c,
                  c->l->driver.cuMemcpyDtoHAsync(stage, address(from) + at, some,
                                                 c->lanes[TSR_LANE_KERNELS]),
                  "copy out") &&
             use_stage(c, i) && (!last || end_stage(c, before, (char *)to + last_at, last));
        last_at = at;
        last = some;
        before = i;
    }
    return ok && (!last || end_stage(c, before, (char *)to + last_at, last));
}

static bool cuda_copy(tsr_device *d, void *to, tsr_device *other, const void *from, size_t n)
{
    cuda *c = of(d), *o = of(other);
    const tsr_cuda_driver *f = &c->l->driver;
    CUstream lane = c->lanes[TSR_LANE_KERNELS];
    if (!enter(c) || n == 0)
        return !c->failed;
    return good(c,
                c->context == o->context ? f->cuMemcpyDtoDAsync(address(to), address(from), n, lane)
                                         : f->cuMemcpyPeerAsync(address(to), c->context,
                                                                address(from), o->context, n, lane),
                "copy");
}

static bool cuda_fill(tsr_device *d, void *to, uint8_t byte, size_t n)
{
    cuda *c = of(d);
    return enter(c) &&
           (n == 0 ||
            good(c, c->l->driver.cuMemsetD8Async(address(to), byte, n, c->lanes[TSR_LANE_KERNELS]),
                 "fill"));
}

/* ---- Kernels ---- */

static void free_code(cuda *c, code *x)
{
    for (kernel *k = x->kernels, *next; k; k = next) {
        next = k->next;
        tsr_free(k);
    }
    if (x->module)
        c->l->driver.cuModuleUnload(x->module);
    tsr_free(x);
}

/* An entry of the cache that the driver does not take is damaged: its text is compiled again. */
static code *load_code(cuda *c, const tsr_device_text *text, tsr_cuda_image *image)
{
    const tsr_cuda_driver *f = &c->l->driver;
    char folder[4096];
    code *x = tsr_calloc(1, sizeof *x);
    if (!x) {
        snprintf(c->device.error, sizeof c->device.error, "no memory for the code of kernels");
        return NULL;
    }
    CUresult r = f->cuModuleLoadData(&x->module, image->image);
    if (r != CUDA_SUCCESS && image->from_cache && tsr_cuda_cache_folder(folder, sizeof folder)) {
        tsr_cuda_cache_drop(folder, image->key);
        tsr_cuda_image_free(image);
        if (!tsr_cuda_compile(c->l, c->device.architecture, text, 1, false, image, c->device.error,
                              sizeof c->device.error)) {
            tsr_free(x);
            return NULL;
        }
        r = f->cuModuleLoadData(&x->module, image->image);
    }
    if (good(c, r, "loading kernels"))
        return x;
    tsr_free(x);
    return NULL;
}

static bool load_all(cuda *c, const tsr_device_text *texts, size_t n, tsr_cuda_image *images,
                     tsr_device_code *out)
{
    for (size_t i = 0; i < n; i++) {
        code *x = load_code(c, texts + i, images + i);
        if (!x) {
            while (i-- > 0) {
                code *first = c->codes;
                c->codes = first->next;
                free_code(c, first);
            }
            return false;
        }
        x->next = c->codes;
        c->codes = x;
        out[i].word = (uintptr_t)x;
    }
    return true;
}

static bool cuda_compile(tsr_device *d, const tsr_device_text *texts, size_t n,
                         tsr_device_code *out)
{
    cuda *c = of(d);
    if (!enter(c) || n == 0)
        return !c->failed;
    tsr_cuda_image *images = tsr_calloc(n, sizeof *images);
    if (!images) {
        snprintf(d->error, sizeof d->error, "no memory for the code of kernels");
        return false;
    }
    bool ok = tsr_cuda_compile(c->l, d->architecture, texts, n, false, images, d->error,
                               sizeof d->error) &&
              load_all(c, texts, n, images, out);
    for (size_t i = 0; i < n; i++)
        tsr_cuda_image_free(&images[i]);
    tsr_free(images);
    return ok;
}

/* What a launch may ask for. */
static bool read_limits(cuda *c, kernel *k)
{
    const tsr_cuda_driver *f = &c->l->driver;
    int threads, shared;
    size_t at, bytes;
    if (!good(c,
              f->cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k->function),
              "kernel") ||
        !good(c, f->cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k->function),
              "kernel"))
        return false;
    k->threads = (uint32_t)threads;
    k->shared = c->device.shared > (uint32_t)shared ? c->device.shared - (uint32_t)shared : 0;
    if (f->cuFuncGetParamInfo && f->cuFuncGetParamInfo(k->function, 0, &at, &bytes) == CUDA_SUCCESS)
        k->nwords = (uint32_t)(bytes / sizeof(uint64_t));
    return good(c,
                f->cuFuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      (int)k->shared),
                "kernel");
}

static bool cuda_find(tsr_device *d, tsr_device_code given, const char *name,
                      tsr_device_kernel *out)
{
    cuda *c = of(d);
    code *x = (code *)given.word;
    CUfunction function;
    if (!enter(c))
        return false;
    if (c->l->driver.cuModuleGetFunction(&function, x->module, name) != CUDA_SUCCESS) {
        snprintf(d->error, sizeof d->error, "there is no kernel %s", name);
        return false;
    }
    kernel *k = tsr_calloc(1, sizeof *k);
    if (!k) {
        snprintf(d->error, sizeof d->error, "no memory for a kernel");
        return false;
    }
    k->function = function;
    snprintf(k->name, sizeof k->name, "%s", name);
    k->next = x->kernels;
    x->kernels = k;
    out->word = (uintptr_t)k;
    return read_limits(c, k);
}

static void cuda_drop(tsr_device *d, tsr_device_code given)
{
    cuda *c = of(d);
    enter(c);
    for (code **p = &c->codes; *p; p = &(*p)->next)
        if (*p == (code *)given.word) {
            code *x = *p;
            *p = x->next;
            free_code(c, x);
            return;
        }
}

static bool has_lane(cuda *c, int lane)
{
    return (lane >= 0 && lane < TSR_LANE_COUNT) || fail(c, "there is no lane %d", lane);
}

static bool cuda_launch(tsr_device *d, const tsr_device_launch *l)
{
    cuda *c = of(d);
    const kernel *k = (const kernel *)l->kernel.word;
    size_t bytes = l->nwords * sizeof(uint64_t);
    void *extra[] = {TSR_CUDA_WORDS, (void *)(uintptr_t)l->words, TSR_CUDA_WORDS_BYTES, &bytes,
                     TSR_CUDA_END};
    if (!enter(c) || !has_lane(c, l->lane))
        return false;
    if (l->threads % 32 || l->threads > k->threads || l->shared > k->shared ||
        (k->nwords && l->nwords != k->nwords))
        return fail(c,
                    "launch of %s: %u threads, %u bytes of shared memory, %u words; at most %u and "
                    "%u, of %u words",
                    k->name, l->threads, l->shared, l->nwords, k->threads, k->shared, k->nwords);
    return good(c,
                c->l->driver.cuLaunchKernel(k->function, l->blocks[0], l->blocks[1], l->blocks[2],
                                            l->threads, 1, 1, l->shared, c->lanes[l->lane], NULL,
                                            extra),
                k->name);
}

/* ---- Products ---- */

static bool cuda_has_product(tsr_device *d, const tsr_device_product *p, size_t *workspace)
{
    cuda *c = of(d);
    return enter(c) &&
           tsr_cuda_has_product(c->products, c->l, p, workspace, d->error, sizeof d->error);
}

static bool cuda_product(tsr_device *d, const tsr_device_product *p)
{
    cuda *c = of(d);
    char why[sizeof d->error];
    return enter(c) &&
           (tsr_cuda_product(c->products, c->l, p, c->lanes[TSR_LANE_KERNELS], why, sizeof why) ||
            fail(c, "GPU %d: %s", d->number, why));
}

/* ---- Marks ---- */

static bool is_recorded(const cuda *c, tsr_mark m)
{
    return m.word < c->nmarks && c->nmarks - m.word <= MOST_MARKS;
}

/* The event of an old mark is used again once that is reached. */
static bool cuda_mark(tsr_device *d, int lane, tsr_mark *out)
{
    cuda *c = of(d);
    const tsr_cuda_driver *f = &c->l->driver;
    CUevent *e = &c->marks[c->nmarks % MOST_MARKS];
    if (!enter(c) || !has_lane(c, lane))
        return false;
    if (*e ? !good(c, f->cuEventSynchronize(*e), "mark")
           : !good(c, f->cuEventCreate(e, 0), "event"))
        return false;
    if (!good(c, f->cuEventRecord(*e, c->lanes[lane]), "mark"))
        return false;
    out->word = c->nmarks++;
    return true;
}

static bool cuda_wait(tsr_device *d, int lane, tsr_device *other, tsr_mark m)
{
    cuda *c = of(d);
    const cuda *o = of(other);
    if (!enter(c) || !has_lane(c, lane))
        return false;
    if (m.word >= o->nmarks)
        return fail(c, "a wait for a mark that the device did not make");
    return !is_recorded(o, m) ||
           good(c, c->l->driver.cuStreamWaitEvent(c->lanes[lane], o->marks[m.word % MOST_MARKS], 0),
                "wait");
}

static int cuda_reached(tsr_device *d, tsr_mark m)
{
    cuda *c = of(d);
    if (!enter(c))
        return -1;
    CUresult r =
        is_recorded(c, m) ? c->l->driver.cuEventQuery(c->marks[m.word % MOST_MARKS]) : CUDA_SUCCESS;
    if (r == CUDA_ERROR_NOT_READY)
        return 0;
    return good(c, r, "work") ? 1 : -1;
}

static double cuda_between(tsr_device *d, tsr_mark from, tsr_mark to)
{
    cuda *c = of(d);
    float ms = 0;
    if (!enter(c) || !is_recorded(c, from) || !is_recorded(c, to) ||
        !good(c,
              c->l->driver.cuEventElapsedTime(&ms, c->marks[from.word % MOST_MARKS],
                                              c->marks[to.word % MOST_MARKS]),
              "time"))
        return -1;
    return ms * 1e-3;
}

static bool cuda_synchronize(tsr_device *d)
{
    cuda *c = of(d);
    for (int i = 0; i < TSR_LANE_COUNT; i++)
        if (!enter(c) || !good(c, c->l->driver.cuStreamSynchronize(c->lanes[i]), "work"))
            return false;
    return true;
}

/* ---- Opening and closing ---- */

static void close_lanes(cuda *c)
{
    const tsr_cuda_driver *f = &c->l->driver;
    for (int i = 0; i < STAGES; i++) {
        if (c->stages[i].used)
            f->cuEventDestroy(c->stages[i].used);
        if (c->stages[i].at)
            f->cuMemFreeHost(c->stages[i].at);
    }
    for (uint64_t i = 0; c->marks && i < MOST_MARKS; i++)
        if (c->marks[i])
            f->cuEventDestroy(c->marks[i]);
    for (int i = 0; i < TSR_LANE_COUNT; i++)
        if (c->lanes[i])
            f->cuStreamDestroy(c->lanes[i]);
}

/* After a failure the driver refuses all this, and the end of the context frees it. */
static void cuda_close(tsr_device *d)
{
    cuda *c = of(d);
    const tsr_cuda_driver *f = &c->l->driver;
    if (c->context) {
        f->cuCtxSetCurrent(c->context);
        if (!c->failed)
            cuda_synchronize(d);
        for (size_t i = 0; i < c->nblock; i++)
            give_back(c, c->blocks[i]);
        while (c->codes) {
            code *x = c->codes;
            c->codes = x->next;
            free_code(c, x);
        }
        tsr_cuda_products_free(c->products, c->l);
        close_lanes(c);
        if (c->pool)
            f->cuMemPoolTrimTo(c->pool, 0);
        f->cuCtxSetCurrent(NULL);
        f->cuDevicePrimaryCtxRelease(c->ordinal);
    }
    tsr_free(c->blocks);
    tsr_free(c->marks);
    pthread_mutex_destroy(&c->calls);
    tsr_free(c);
}

/* ---- Calls of several threads ---- */

#define ALONE(type, name, takes, ...)           \
    static type alone_##name takes              \
    {                                           \
        pthread_mutex_lock(&of(d)->calls);      \
        type result = cuda_##name(__VA_ARGS__); \
        pthread_mutex_unlock(&of(d)->calls);    \
        return result;                          \
    }

ALONE(void *, allocate, (tsr_device * d, size_t bytes), d, bytes)
ALONE(int64_t, left, (tsr_device * d), d)
ALONE(bool, copy_in, (tsr_device * d, void *to, const void *from, size_t n), d, to, from, n)
ALONE(bool, copy_out, (tsr_device * d, void *to, const void *from, size_t n), d, to, from, n)
ALONE(bool, copy, (tsr_device * d, void *to, tsr_device *other, const void *from, size_t n), d, to,
      other, from, n)
ALONE(bool, fill, (tsr_device * d, void *to, uint8_t byte, size_t n), d, to, byte, n)
ALONE(bool, compile, (tsr_device * d, const tsr_device_text *texts, size_t n, tsr_device_code *out),
      d, texts, n, out)
ALONE(bool, find, (tsr_device * d, tsr_device_code x, const char *name, tsr_device_kernel *out), d,
      x, name, out)
ALONE(bool, launch, (tsr_device * d, const tsr_device_launch *l), d, l)
ALONE(bool, has_product, (tsr_device * d, const tsr_device_product *p, size_t *workspace), d, p,
      workspace)
ALONE(bool, product, (tsr_device * d, const tsr_device_product *p), d, p)
ALONE(bool, mark, (tsr_device * d, int lane, tsr_mark *out), d, lane, out)
ALONE(bool, wait, (tsr_device * d, int lane, tsr_device *other, tsr_mark m), d, lane, other, m)
ALONE(int, reached, (tsr_device * d, tsr_mark m), d, m)
ALONE(double, between, (tsr_device * d, tsr_mark from, tsr_mark to), d, from, to)
ALONE(bool, synchronize, (tsr_device * d), d)

static void alone_release(tsr_device *d, void *at)
{
    pthread_mutex_lock(&of(d)->calls);
    cuda_release(d, at);
    pthread_mutex_unlock(&of(d)->calls);
}

static void alone_drop(tsr_device *d, tsr_device_code x)
{
    pthread_mutex_lock(&of(d)->calls);
    cuda_drop(d, x);
    pthread_mutex_unlock(&of(d)->calls);
}

static void fill_in(cuda *c, int number)
{
    c->device = (tsr_device){.number = number,
                             .align = 256,
                             .allocate = alone_allocate,
                             .release = alone_release,
                             .left = alone_left,
                             .copy_in = alone_copy_in,
                             .copy_out = alone_copy_out,
                             .copy = alone_copy,
                             .fill = alone_fill,
                             .compile = alone_compile,
                             .find = alone_find,
                             .drop = alone_drop,
                             .launch = alone_launch,
                             .has_product = alone_has_product,
                             .product = alone_product,
                             .mark = alone_mark,
                             .wait = alone_wait,
                             .reached = alone_reached,
                             .between = alone_between,
                             .synchronize = alone_synchronize,
                             .close = cuda_close};
}

static int attribute(cuda *c, int which)
{
    int v = 0;
    good(c, c->l->driver.cuDeviceGetAttribute(&v, which, c->ordinal), "attributes");
    return v;
}

static bool read_properties(cuda *c)
{
    const tsr_cuda_driver *f = &c->l->driver;
    tsr_device *d = &c->device;
    size_t bytes = 0;
    if (!good(c, f->cuDeviceGetName(d->name, sizeof d->name, c->ordinal), "name") ||
        !good(c, f->cuDeviceTotalMem(&bytes, c->ordinal), "memory"))
        return false;
    d->bytes = bytes;
    d->units = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    d->shared = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    d->architecture = (uint32_t)(10 * attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                                 attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    if (!c->failed && d->architecture < 80)
        return fail(c, "GPU %d, %s: compute capability %u.%u; 8.0 or later is needed", d->number,
                    d->name, d->architecture / 10, d->architecture % 10);
    return !c->failed;
}

static bool open_pool(cuda *c)
{
    const tsr_cuda_driver *f = &c->l->driver;
    uint64_t keep = UINT64_MAX; /* released memory stays with the process */
    if (!attribute(c, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED))
        return !c->failed;
    return good(c, f->cuDeviceGetDefaultMemPool(&c->pool, c->ordinal), "memory pool") &&
           good(c, f->cuMemPoolSetAttribute(c->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep),
                "memory pool");
}

static bool open_context(cuda *c)
{
    const tsr_cuda_driver *f = &c->l->driver;
    int n = 0;
    CUresult r = f->cuInit(0);
    if (r == CUDA_SUCCESS)
        r = f->cuDeviceGetCount(&n);
    if (r == CUDA_ERROR_NO_DEVICE || (r == CUDA_SUCCESS && c->device.number >= n))
        return fail(c, "there is no GPU %d: the driver shows %d (CUDA_VISIBLE_DEVICES chooses)",
                    c->device.number, n);
    if (!good(c, r, "cuInit") ||
        !good(c, f->cuDeviceGet(&c->ordinal, c->device.number), "device") || !read_properties(c) ||
        !good(c, f->cuDevicePrimaryCtxRetain(&c->context, c->ordinal), "context") || !enter(c) ||
        !open_pool(c))
        return false;
    for (int i = 0; i < TSR_LANE_COUNT; i++)
        if (!good(c, f->cuStreamCreate(&c->lanes[i], CU_STREAM_NON_BLOCKING), "stream"))
            return false;
    return true;
}

/* Opened once in a process, and never closed: the driver does not like that. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tsr_cuda_libraries libraries;
static bool loaded;

static bool load(char *error, size_t size)
{
    pthread_mutex_lock(&lock);
    if (!loaded)
        loaded = tsr_cuda_load(&libraries, error, size);
    bool ok = loaded;
    pthread_mutex_unlock(&lock);
    return ok;
}

static bool is_version(unsigned version, char *error, size_t size)
{
    if (version != TSR_DEVICE_VERSION)
        snprintf(error, size, "the plug-in is of another version of devices");
    return version == TSR_DEVICE_VERSION;
}

__attribute__((visibility("default"))) tsr_device_open_fn tessera_device_open;
tsr_device *tessera_device_open(unsigned version, int number, char *error, size_t size)
{
    if (!is_version(version, error, size) || !load(error, size))
        return NULL;
    cuda *c = tsr_calloc(1, sizeof *c);
    if (c) {
        pthread_mutex_init(&c->calls, NULL);
        fill_in(c, number);
        c->l = &libraries;
        c->products = tsr_cuda_products_new();
        c->marks = tsr_calloc(MOST_MARKS, sizeof *c->marks);
    }
    if (!c || !c->products || !c->marks)
        snprintf(error, size, "no memory for a device");
    else if (open_context(c))
        return &c->device;
    else
        snprintf(error, size, "%s", c->device.error);
    if (c)
        cuda_close(&c->device);
    return NULL;
}

__attribute__((visibility("default"))) tsr_device_count_fn tessera_device_count;
int tessera_device_count(unsigned version, char *error, size_t size)
{
    int n = 0;
    if (!is_version(version, error, size) || !load(error, size))
        return -1;
    CUresult r = libraries.driver.cuInit(0);
    if (r == CUDA_SUCCESS)
        r = libraries.driver.cuDeviceGetCount(&n);
    if (r == CUDA_SUCCESS || r == CUDA_ERROR_NO_DEVICE)
        return n;
    snprintf(error, size, "cuInit: %s", text_of(&libraries, r));
    return -1;
}
