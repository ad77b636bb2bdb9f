/* SPDX-License-Identifier: Apache-2.0 */
/* mock_inner.h - what the files of the mock share. */
#ifndef TSR_TEST_DEVICE_MOCK_INNER_H
#define TSR_TEST_DEVICE_MOCK_INNER_H

#include "cuda/product.h"
#include "mock.h"

/* ---- mock_block.c: compiled text, and blocks of threads ---- */

/* As in src/gpu/text/mock.txt. */
typedef struct {
    uint32_t thread, threads, block[3], blocks[3];
    void *more;
    void (*barrier)(int line);
    void (*warp_barrier)(int line);
    uint64_t (*exchange)(uint64_t mine, uint32_t lane, int line);
    uint32_t (*ballot)(int yes, int line);
    void *(*shared)(const void *key, size_t bytes);
    void (*check)(const void *at, size_t bytes, int where, int line);
} tsr_mock_block;

typedef struct tsr_mock_code tsr_mock_code;

typedef struct tsr_mock_kernel tsr_mock_kernel;
struct tsr_mock_kernel {
    tsr_mock_code *code;
    void (*run)(const uint64_t *words);
    uint32_t nwords, most; /* most threads of a block */
    char name[160];
    tsr_mock_kernel *next;
};

struct tsr_mock_code {
    void *library;
    tsr_mock_block **here; /* the library's tsr_mock_here */
    int waiting;           /* launches that are not done */
    tsr_mock_kernel *kernels;
    tsr_mock_code *next;
};

/* out: by text. False: error has the compiler's first message. */
bool tsr_mock_compile(const tsr_device_text *texts, size_t n, const char *flags,
                      tsr_mock_code **out, char *error, size_t size);
void tsr_mock_discard(tsr_mock_code *code);
tsr_mock_kernel *tsr_mock_find(tsr_mock_code *code, const char *name);
/* describe: says what is at an address that a kernel must not touch. */
bool tsr_mock_run(const tsr_mock_kernel *k, const tsr_device_launch *l, bool reversed,
                  void (*describe)(const void *at, char *out, size_t size), char *error,
                  size_t size);

/* ---- mock_math.c: products and collectives by plain loops ---- */

void tsr_mock_product(const tsr_device_product *p);
size_t tsr_mock_native_bytes(tsr_native_type t);
/* calls: of all n members of a group. */
void tsr_mock_collective(const tsr_native *calls, size_t n);

#endif
