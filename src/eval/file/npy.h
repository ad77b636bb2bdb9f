/* SPDX-License-Identifier: Apache-2.0 */
/* npy.h - tensors in NumPy's files: .npy, and .npz, which is a zip archive of them.
 *
 * Types that NumPy knows are stored as NumPy writes them. The others are stored as NumPy with ml_dtypes writes them, so
 * that np.load(...).view(ml_dtypes.x) reads our files and we read theirs:
 *
 *     bf16              V2     f8*, f6*, f4*   V1, one element per byte (f8E5M2 may also be f1)
 *     i2, i4            int8   ui2, ui4        uint8   (V1 is accepted too)
 *     quantized         its storage integers
 *
 * A V1 file does not say which of these types it holds: the reader must be told. */
#ifndef TSR_EVAL_FILE_NPY_H
#define TSR_EVAL_FILE_NPY_H

#include "base/scope.h"
#include "base/status.h"
#include "eval/tensor.h"

/* What to do about a file whose type is not the wanted one. */
typedef enum {
    TSR_NPY_AS_IS, /* use the file's own type; the wanted one only interprets V1 and V2 and says which int8 are i2 or
                    * i4 */
    TSR_NPY_EXACT, /* the wanted type, or a failure: f32 becomes a narrower float if that represents every value */
} tsr_npy_mode;

/* Reads a .npy file from memory. want: element type, or NULL. what: the file's name in messages. The caller owns the
 * result; NULL after a failure. */
tsr_tensor *tsr_npy_read(tsr_ctx *ctx, const void *data, size_t len, tsr_type *want,
                         tsr_npy_mode mode, const char *what, tsr_status *status);
/* The header that precedes the data of t, padded to a multiple of 64 bytes. False if t is a token or tuple. */
bool tsr_npy_header(tsr_buf *out, const tsr_tensor *t, tsr_status *status);

/* A whole file in memory; the caller frees it. NULL after a failure. */
void *tsr_read_bytes(const char *path, size_t *len, tsr_status *status);

tsr_tensor *tsr_npy_load(tsr_ctx *ctx, const char *path, tsr_type *want, tsr_npy_mode mode,
                         tsr_status *status);
/* The same without reading unused parts: if the file stores elements as a tensor does, the tensor refers to the file,
 * which stays mapped. */
tsr_tensor *tsr_npy_map(tsr_ctx *ctx, const char *path, tsr_type *want, tsr_npy_mode mode,
                        tsr_status *status);
/* Writes to a temporary file and renames it, so that the file is complete or unchanged. */
bool tsr_npy_save(const tsr_tensor *t, const char *path, tsr_status *status);
/* The same for n files: all of them are written before the first one is renamed. */
bool tsr_npy_save_all(tsr_tensor *const *tensors, const char *const *paths, size_t n,
                      tsr_status *status);

/* ---- npz.c ---- */

/* An archive in memory: its entries that are .npy files, in the order of the archive. */
typedef struct {
    char *name; /* without .npy */
    uint64_t offset, packed,
        size; /* of the local header; bytes in the archive; bytes of the file */
    uint32_t crc;
    uint16_t method; /* 0: stored, 8: deflated */
} tsr_npz_entry;

typedef struct {
    char *path;
    uint8_t *data;
    size_t len;
    TSR_VEC(tsr_npz_entry) entries;
} tsr_npz;

/* False after a failure; then there is nothing to close. */
bool tsr_npz_open(tsr_npz *z, const char *path, tsr_status *status);
void tsr_npz_close(tsr_npz *z);
/* Entry i as a tensor. */
tsr_tensor *tsr_npz_read(tsr_ctx *ctx, const tsr_npz *z, size_t i, tsr_type *want,
                         tsr_npy_mode mode, tsr_status *status);
/* The index of the entry with this name; -1 if there is none. */
int64_t tsr_npz_find(const tsr_npz *z, tsr_str name);
/* Writes an archive of stored entries; names without .npy. Complete or not at all. */
bool tsr_npz_save(tsr_tensor *const *tensors, const char *const *names, size_t n, const char *path,
                  tsr_status *status);

/* Unpacks a deflate stream (RFC 1951) of exactly size bytes. False if it is invalid or has another size. */
bool tsr_inflate(const uint8_t *in, size_t nin, uint8_t *out, size_t size);

#endif
