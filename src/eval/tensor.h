/* SPDX-License-Identifier: Apache-2.0 */
/* tensor.h - host tensors, the values of the evaluator.
 *
 * A tensor is its element type, its dimensions and its data, row-major and contiguous. i1 and elements of fewer than
 * eight bits take a byte each: integers sign- or zero-extended, floats as their bit pattern. Quantized tensors hold
 * their storage integers. Tensors are reference-counted, shared between threads, and immutable once others see them: a
 * kernel may write into an input only if it holds the last reference (tsr_tensor_reuse). Tokens and tuples are tensors
 * of another kind. */
#ifndef TSR_EVAL_TENSOR_H
#define TSR_EVAL_TENSOR_H

#include <stdatomic.h>

#include "ir/ir.h"

typedef enum {
#define DTYPE(id, name, bytes, kind) TSR_D_##id,
#include "eval/dtype.def"
    TSR_D__COUNT,
    TSR_D_NONE = TSR_D__COUNT /* not an element type of tensors */
} tsr_dtype;

typedef enum { TSR_K_BOOL, TSR_K_SINT, TSR_K_UINT, TSR_K_FLOAT, TSR_K_COMPLEX } tsr_dkind;

typedef enum { TSR_TENSOR, TSR_TOKEN, TSR_TUPLE } tsr_tensor_kind;

enum { TSR_MAX_RANK = 64 };

struct tsr_device;
struct tsr_device_block;

typedef struct tsr_tensor {
    atomic_int refs;
    uint8_t kind;  /* tsr_tensor_kind */
    uint8_t dtype; /* tsr_dtype */
    uint8_t rank;
    tsr_type *elem; /* element type in the IR: distinguishes quantized from plain */
    int64_t n;      /* elements; items of a tuple */
    void *data;
    struct tsr_tensor **items;      /* of a tuple */
    struct tsr_tensor *owner;       /* owner of data or items; NULL: itself (tsr_tensor_borrow) */
    struct tsr_device_block *where; /* the device's memory that data is in; NULL: the host's */
    int64_t dims[];
} tsr_tensor;

/* Facts about element types. */
tsr_dtype tsr_dtype_of(const tsr_type *elem); /* quantized: its storage; index: i64 */
tsr_type *tsr_dtype_type(tsr_ctx *ctx, tsr_dtype d);
uint32_t tsr_dtype_bytes(tsr_dtype d);
uint32_t tsr_dtype_bits(tsr_dtype d); /* of the value: 4 for i4 */
tsr_dkind tsr_dtype_kind(tsr_dtype d);
const char *tsr_dtype_name(tsr_dtype d);
static inline bool tsr_dtype_is_float(tsr_dtype d)
{
    return d >= TSR_D_F4E2M1FN && d <= TSR_D_F64;
}
static inline bool tsr_dtype_is_complex(tsr_dtype d)
{
    return d == TSR_D_C64 || d == TSR_D_C128;
}
static inline bool tsr_dtype_is_int(tsr_dtype d) /* i1 too */
{
    return d <= TSR_D_U64;
}
/* The float kind of base/float.h of a float dtype. */
tsr_float_kind tsr_dtype_float_kind(tsr_dtype d);
/* f32 for complex<f32>, f64 for complex<f64>, d itself otherwise. */
tsr_dtype tsr_dtype_part(tsr_dtype d);

/* A new tensor with uninitialized data; NULL if there is no memory for it. The caller owns a reference. */
tsr_tensor *tsr_tensor_new(tsr_type *elem, const int64_t *dims, size_t rank);
tsr_tensor *tsr_tensor_like(const tsr_tensor *t, tsr_type *elem); /* the same shape */
tsr_tensor *tsr_tensor_zeros(tsr_type *elem, const int64_t *dims, size_t rank);
/* Zeros that change nothing they are added to: of floats with 16 bits or more, -0. */
tsr_tensor *tsr_tensor_nothing(tsr_type *elem, const int64_t *dims, size_t rank);
tsr_tensor *tsr_tensor_over(tsr_type *elem, const int64_t *dims, size_t rank,
                            void *data); /* refers to another's data, never freed */
/* A new tensor in the memory of a device: nobody but the device may dereference its data. NULL: no memory there (the
 * device's error says why), or none for the tensor. */
tsr_tensor *tsr_tensor_on(struct tsr_device *d, tsr_type *elem, const int64_t *dims, size_t rank);
/* A tensor that the host can read: t, or a copy of one that is in the memory of a device, which the caller owns (*copy, else
 * NULL). NULL: no memory, or the device has failed. */
const tsr_tensor *tsr_tensor_here(const tsr_tensor *t, tsr_tensor **copy);
tsr_tensor *tsr_token_new(void);
tsr_tensor *tsr_tuple_new(tsr_tensor *const *items, size_t n); /* takes a reference to each */
/* Memory of others: brings elements of fewer than eight bits into the form above (base/small.h), in place; or returns t
 * if they have it, otherwise a copy, and takes ownership of the reference (NULL: no memory). */
bool tsr_tensor_is_tidy(const tsr_tensor *t);
void tsr_tensor_tidy(tsr_tensor *t);
tsr_tensor *tsr_tensor_tidied(tsr_tensor *t);
/* The value of a dense attribute (splats expanded), and the inverse (for printing). */
tsr_tensor *tsr_tensor_of_attr(const tsr_attr *dense, tsr_type *type);
tsr_attr *tsr_tensor_to_attr(tsr_ctx *ctx, tsr_module *m, const tsr_tensor *t);

static inline tsr_tensor *tsr_tensor_ref(tsr_tensor *t)
{
    atomic_fetch_add_explicit(&t->refs, 1, memory_order_relaxed);
    return t;
}
void tsr_tensor_unref(tsr_tensor *t); /* NULL is allowed */
/* Releases n tensors and sets them to NULL. */
static inline void tsr_tensors_drop(tsr_tensor **t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tsr_tensor_unref(t[i]);
        t[i] = NULL;
    }
}
static inline bool tsr_tensor_unique(const tsr_tensor *t)
{
    return atomic_load_explicit(&((tsr_tensor *)t)->refs, memory_order_acquire) == 1;
}
static inline size_t tsr_tensor_bytes(const tsr_tensor *t)
{
    return (size_t)t->n * tsr_dtype_bytes((tsr_dtype)t->dtype);
}
/* The same value for a run that may be stopped: its references are counted separately from those of t, which outlives
 * it. NULL: no memory. The other turns a result back into t: takes ownership of the reference. */
tsr_tensor *tsr_tensor_borrow(tsr_tensor *t);
tsr_tensor *tsr_tensor_owned(tsr_tensor *t);
/* A writable tensor: t itself if it is the only reference, else a copy. Takes ownership of the reference. */
tsr_tensor *tsr_tensor_reuse(tsr_tensor *t);
/* The same data with another shape of the same number of elements. A new reference cannot share the data, so this
 * copies unless t is the last reference, which it consumes. */
tsr_tensor *tsr_tensor_reshape(tsr_tensor *t, tsr_type *elem, const int64_t *dims, size_t rank);

/* ---- Single elements, for kernels where speed does not matter ---- */

/* Integers sign- or zero-extended; i1 as 0 or 1. */
int64_t tsr_get_int(const tsr_tensor *t, int64_t i);
void tsr_set_int(tsr_tensor *t, int64_t i, int64_t v); /* wraps to the width */
void tsr_set_sum(tsr_tensor *t, int64_t i,
                 int64_t v); /* the same; nonzero booleans are true: their sum is an or */
double tsr_get_double(const tsr_tensor *t, int64_t i);   /* floats; ints are converted */
void tsr_set_double(tsr_tensor *t, int64_t i, double v); /* rounds to nearest even */
typedef struct {
    double re, im;
} tsr_complex;
tsr_complex tsr_get_complex(const tsr_tensor *t, int64_t i);
void tsr_set_complex(tsr_tensor *t, int64_t i, tsr_complex v);
void tsr_copy_element(tsr_tensor *to, int64_t i, const tsr_tensor *from,
                      int64_t k); /* same dtype */

/* ---- Index arithmetic ---- */

void tsr_strides(const int64_t *dims, size_t rank, int64_t *strides); /* row major, in elements */
/* The next index in row-major order; false after the last. */
static inline bool tsr_next_index(int64_t *index, const int64_t *dims, size_t rank)
{
    for (size_t d = rank; d-- > 0;) {
        if (++index[d] < dims[d])
            return true;
        index[d] = 0;
    }
    return false;
}

/* Converts n elements from one type to another as in stablehlo.convert: floats round to nearest even, floats to
 * integers truncate and saturate (NaN: 0), integers wrap, anything to i1 is != 0, complex drops or adds the imaginary
 * part. */
void tsr_convert(tsr_dtype to, void *out, tsr_dtype from, const void *in, int64_t n);
/* n floats of any kind (or integers) to doubles and back. */
void tsr_to_doubles(tsr_dtype from, const void *in, double *out, int64_t n);
void tsr_from_doubles(tsr_dtype to, const double *in, void *out, int64_t n);
/* Doubles to bf16 and f16, rounded once, faster than base/float.h does for any format. NaN payloads are kept. */
uint16_t tsr_bf16_of(double v);
uint16_t tsr_f16_of(double v);

#endif
