/* SPDX-License-Identifier: Apache-2.0 */
/* device.h - a device with memory of its own and an order of work: memory, copies, kernels, products, collectives.
 *
 * An implementation is built in (the host), a plug-in opened at run time, or part of a test. One thread at a time calls
 * it. It knows no IR. The caller owns what it passes, and may free it when the call returns.
 *
 * Work is done in the order in which it was given to a lane; two lanes have no order but that of marks. All calls but
 * copy_out, synchronize and those that compile may return before the work is done. Work that fails makes the device
 * fail: this call or a later one returns false, error says why, and only close may follow. Threads of a mesh share a
 * device: all calls but close may come from several threads at one time. */
#ifndef TSR_BASE_DEVICE_H
#define TSR_BASE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/transport.h"

enum { TSR_DEVICE_VERSION = 1 };

enum {
    TSR_LANE_KERNELS,
    TSR_LANE_COLLECTIVES,
    TSR_LANE_COUNT,
};

/* A point in a lane's order of work; its contents belong to the implementation. */
typedef struct {
    uint64_t word;
} tsr_mark;

/* Compiled kernels, and one of them; their contents belong to the implementation. */
typedef struct {
    uintptr_t word;
} tsr_device_code;
typedef struct {
    uintptr_t word;
} tsr_device_kernel;

/* A text with any number of kernels, in the C subset of CUDA (gpu/text/kernel.txt). */
typedef struct {
    const char *text;
    size_t n;
} tsr_device_text;

/* A kernel's parameters are one struct of 64-bit words: addresses, and numbers. */
enum { TSR_DEVICE_WORDS = 480 };
typedef struct {
    tsr_device_kernel kernel;
    uint32_t blocks[3], threads; /* threads of a block: a multiple of 32, at most 1024 */
    uint32_t shared;             /* bytes of shared memory beyond what the text declares */
    const uint64_t *words;
    uint32_t nwords;
    int lane;
} tsr_device_launch;

typedef enum {
    TSR_DEVICE_F64,
    TSR_DEVICE_F32,
    TSR_DEVICE_BF16,
    TSR_DEVICE_F16,
    TSR_DEVICE_F8E4M3,
    TSR_DEVICE_F8E5M2,
    TSR_DEVICE_I8,
    TSR_DEVICE_I32,
} tsr_device_type;

typedef enum {
    TSR_EPILOGUE_NONE,
    TSR_EPILOGUE_BIAS, /* one element per column is added */
    TSR_EPILOGUE_GELU, /* the approximation by tanh */
    TSR_EPILOGUE_GELU_BIAS,
    TSR_EPILOGUE_GELU_AUX, /* the same; aux receives the sums */
    TSR_EPILOGUE_GELU_AUX_BIAS,
    TSR_EPILOGUE_DGELU, /* times gelu's derivative at aux */
} tsr_epilogue;

/* One factor or result of a batch of products: rows, whose elements are contiguous, or if transposed, columns. Distances
 * are in elements. */
typedef struct {
    void *at;
    tsr_device_type type;
    bool transposed;
    int64_t line,
        matrix; /* from row to row (transposed: from column to column), from matrix to matrix */
} tsr_device_matrix;

/* out = alpha * a b + beta * add, with a: m x k, b: k x n. A factor may have matrix 0: the same for all. */
typedef struct {
    int64_t m, n, k, batch;
    tsr_device_matrix a, b, add, out;
    tsr_device_type sums; /* F32, F64, I32 */
    bool fast;            /* f32 factors may be rounded to TF32 */
    double alpha, beta;
    tsr_epilogue epilogue;
    const void *bias;
    void *aux; /* m x n, of out's type */
    int64_t aux_line;
    void *workspace;
    size_t workspace_bytes;
    uint32_t
        choice; /* which of the library's algorithms, from its first; 0 unless a file of measured times says so */
} tsr_device_product;

typedef struct tsr_device tsr_device;
struct tsr_device {
    int number;
    char name[128];        /* of the hardware, for people to read */
    char error[512];       /* why the last call failed */
    uint64_t bytes;        /* of memory */
    uint32_t units;        /* multiprocessors */
    uint32_t shared;       /* most bytes of shared memory of a block */
    uint32_t architecture; /* compute capability, 90 for 9.0; 0: it compiles for the host */
    uint32_t align;        /* bytes: where allocate begins at least */
    /* Memory; NULL: there is not enough, error says how much. Memory that is released may still be used by work given
     * to the lane of kernels before; that of other lanes has been waited for there. NULL may be released. */
    void *(*allocate)(tsr_device *d, size_t bytes);
    void (*release)(tsr_device *d, void *at);
    int64_t (*left)(tsr_device *d); /* bytes that allocate could give; -1: unknown */
    /* From the host, to the host, from a device of the same implementation, in the order of the lane of kernels. from
     * may change when copy_in returns; copy_out returns when `to` is filled. */
    bool (*copy_in)(tsr_device *d, void *to, const void *from, size_t n);
    bool (*copy_out)(tsr_device *d, void *to, const void *from, size_t n);
    bool (*copy)(tsr_device *d, void *to, tsr_device *other, const void *from, size_t n);
    bool (*fill)(tsr_device *d, void *to, uint8_t byte, size_t n);
    /* Compiles texts, at the same time where it can; out: by text. False: error has the compiler's first message, and
     * nothing is kept. NULL: the device has no kernels. */
    bool (*compile)(tsr_device *d, const tsr_device_text *texts, size_t n, tsr_device_code *out);
    bool (*find)(tsr_device *d, tsr_device_code c, const char *name, tsr_device_kernel *out);
    void (*drop)(tsr_device *d, tsr_device_code c); /* after all launches of its kernels are done */
    bool (*launch)(tsr_device *d, const tsr_device_launch *l);
    /* Whether it has this product (error: why not), and the bytes of workspace that it may use. Addresses may be NULL: as
     * allocate would give them. NULL: it has none. */
    bool (*has_product)(tsr_device *d, const tsr_device_product *p, size_t *workspace);
    bool (*product)(tsr_device *d, const tsr_device_product *p);
    /* One call for each local member of a group, together. NULL: there are none. */
    bool (*collective)(tsr_device *const *d, const tsr_native *calls, size_t n);
    /* A point in a lane's order of work, which this device or another waits for. reached: 1, 0, or -1: the device has
     * failed; does not block. */
    bool (*mark)(tsr_device *d, int lane, tsr_mark *out);
    bool (*wait)(tsr_device *d, int lane, tsr_device *of, tsr_mark m);
    int (*reached)(tsr_device *d, tsr_mark m);
    double (*between)(tsr_device *d, tsr_mark from, tsr_mark to); /* seconds; both are reached */
    bool (*synchronize)(tsr_device *d);                           /* waits for all lanes */
    void (*close)(tsr_device *d); /* waits for, or ends, all work; frees everything */
};

/* What a plug-in looks for at run time: where a part was found, or why it was not. */
typedef struct {
    char name[32], text[768];
    bool found;
} tsr_device_part;
/* Returns how many there are, and writes at most so many. */
#define TSR_DEVICE_PARTS "tessera_device_parts"
typedef size_t tsr_device_parts_fn(unsigned version, tsr_device_part *out, size_t most);

/* Compiles texts for an architecture, where no device is needed; logs: by text, what the compiler says of registers and
 * spills, up to `each` bytes with a 0. False: error has the first message. */
#define TSR_DEVICE_COMPILE "tessera_device_compile"
typedef bool tsr_device_compile_fn(unsigned version, uint32_t architecture,
                                   const tsr_device_text *texts, size_t n, char *logs, size_t each,
                                   char *error, size_t size);

/* The symbol that a plug-in exports. NULL: error says why. */
#define TSR_DEVICE_OPEN "tessera_device_open"
typedef tsr_device *tsr_device_open_fn(unsigned version, int number, char *error, size_t size);
/* How many devices there are; -1: error says why. */
#define TSR_DEVICE_COUNT "tessera_device_count"
typedef int tsr_device_count_fn(unsigned version, char *error, size_t size);

#endif
