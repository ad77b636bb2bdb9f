/* SPDX-License-Identifier: Apache-2.0 */
/* cuda.h - what the files of the plug-in share: libraries, texts to machine code, the cache of it, products, the device. */
#ifndef TSR_CUDA_CUDA_H
#define TSR_CUDA_CUDA_H

#include <pthread.h>

#include "base/device.h"
#include "cuda/abi.h"
#include "cuda/product.h"

/* ---- load.c: libraries that are opened at run time ---- */

enum { TSR_CUDA_OLDEST = 12040 /* of drivers: CUDA 12.4 */ };

/* A library: where it was found, or why it was not. */
typedef struct {
    void *handle;
    char from[512], why[700];
} tsr_cuda_library;

typedef struct {
    tsr_cuda_library driver_file, rtc_file, lt_file;
    tsr_cuda_driver driver;
    tsr_cuda_rtc rtc;
    tsr_cuda_lt lt;
    int version; /* of CUDA, that the driver supports: 13000; 0: no driver */
    int rtc_major, rtc_minor;
    pthread_t threads[2]; /* open rtc and lt */
    bool opening[2];
} tsr_cuda_libraries;

/* Opens the driver, and begins to open the others. False: why says what is missing. */
bool tsr_cuda_load(tsr_cuda_libraries *l, char *why, size_t size);
/* Waits until the library is there, or is known not to be. */
bool tsr_cuda_wait_rtc(tsr_cuda_libraries *l);
bool tsr_cuda_wait_lt(tsr_cuda_libraries *l);
/* All but the driver. */
void tsr_cuda_load_all(tsr_cuda_libraries *l);
/* NVRTC alone, of the newest version there is: for texts that are compiled and not run. */
bool tsr_cuda_load_rtc(tsr_cuda_libraries *l);
void tsr_cuda_unload(tsr_cuda_libraries *l);

/* ---- compile.c: texts to machine code, on threads ---- */

/* What one text became; the owner frees image. */
typedef struct {
    char *image;
    size_t bytes;
    char key[33]; /* of its entry in the cache */
    bool from_cache;
    char *log; /* what the compiler says, if asked; the owner frees it */
} tsr_cuda_image;

/* images: by text. False: error has the first message, and nothing is kept. */
bool tsr_cuda_compile(tsr_cuda_libraries *l, uint32_t architecture, const tsr_device_text *texts,
                      size_t n, bool with_log, tsr_cuda_image *images, char *error, size_t size);
void tsr_cuda_image_free(tsr_cuda_image *i);

/* ---- cache.c: machine code on disk ---- */

/* The folder: TESSERA_CACHE, or tessera under the user's cache folder. False: there is none, or it is not the user's
 * alone. */
bool tsr_cuda_cache_folder(char *out, size_t size);
/* A key of what is compiled: its text, options, architecture and compiler. */
void tsr_cuda_cache_key(const char *const *parts, const size_t *lengths, size_t n, char key[33]);
/* The entry, in memory of base/memory.h; NULL: there is none that is whole. */
char *tsr_cuda_cache_read(const char *folder, const char *key, size_t *bytes);
void tsr_cuda_cache_write(const char *folder, const char *key, const char *data, size_t bytes);
void tsr_cuda_cache_drop(const char *folder, const char *key);

/* ---- products.c: cuBLASLt ---- */

typedef struct tsr_cuda_products tsr_cuda_products;
/* NULL: no memory. */
tsr_cuda_products *tsr_cuda_products_new(void);
void tsr_cuda_products_free(tsr_cuda_products *p, tsr_cuda_libraries *l);
/* The workspace that the first algorithm takes. False: the library does not have it; error says why. */
bool tsr_cuda_has_product(tsr_cuda_products *c, tsr_cuda_libraries *l, const tsr_device_product *p,
                          size_t *workspace, char *error, size_t size);
bool tsr_cuda_product(tsr_cuda_products *c, tsr_cuda_libraries *l, const tsr_device_product *p,
                      CUstream stream, char *error, size_t size);

#endif
