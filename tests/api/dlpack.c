/* SPDX-License-Identifier: Apache-2.0 */
/* dlpack.c - tensors as DLPack's structs and back: every element type, both forms, strides, packed elements, and what is
 * refused. The structs are written down here again, as others have them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

typedef struct {
    void *data;
    int32_t device[2], ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} described;

typedef struct plain {
    described t;
    void *manager;
    void (*deleter)(struct plain *);
} plain;

typedef struct versioned {
    uint32_t version[2];
    void *manager;
    void (*deleter)(struct versioned *);
    uint64_t flags;
    described t;
} versioned;

enum { COPIED = 2, PADDED = 4 };

static const struct {
    const char *name;
    uint8_t code, bits;
} types[] = {
    {"i1", 6, 8},
    {"i2", 0, 2},
    {"i4", 0, 4},
    {"i8", 0, 8},
    {"i16", 0, 16},
    {"i32", 0, 32},
    {"i64", 0, 64},
    {"ui2", 1, 2},
    {"ui4", 1, 4},
    {"ui8", 1, 8},
    {"ui16", 1, 16},
    {"ui32", 1, 32},
    {"ui64", 1, 64},
    {"f16", 2, 16},
    {"f32", 2, 32},
    {"f64", 2, 64},
    {"bf16", 4, 16},
    {"complex<f32>", 5, 64},
    {"complex<f64>", 5, 128},
    {"f8E3M4", 7, 8},
    {"f8E4M3", 8, 8},
    {"f8E4M3B11FNUZ", 9, 8},
    {"f8E4M3FN", 10, 8},
    {"f8E4M3FNUZ", 11, 8},
    {"f8E5M2", 12, 8},
    {"f8E5M2FNUZ", 13, 8},
    {"f8E8M0FNU", 14, 8},
    {"f6E2M3FN", 15, 6},
    {"f6E3M2FN", 16, 6},
    {"f4E2M1FN", 17, 4},
};

static bool same(const tsr_tensor *a, const tsr_tensor *b)
{
    return a && b && tsr_tensor_element(a) == tsr_tensor_element(b) &&
           tsr_tensor_rank(a) == tsr_tensor_rank(b) && tsr_tensor_size(a) == tsr_tensor_size(b) &&
           memcmp(tsr_tensor_data(a), tsr_tensor_data(b), tsr_tensor_size(a)) == 0;
}

static void test_type(tsr_ctx *ctx, size_t i)
{
    const int64_t dims[] = {2, 3};
    unsigned char bytes[6 * 16];
    tsr_status s = {0};
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(37 * k + 11);
    tsr_tensor *t = tsr_tensor_create(ctx, tsr_cstr(types[i].name), dims, 2, bytes, &s), *back;
    bool small = types[i].bits < 8;
    versioned *v = tsr_tensor_to_dlpack(t, true, &s);
    CHECK(v && v->version[0] == 1 && v->version[1] >= 1 &&
          v->flags == (COPIED | (small ? PADDED : 0)));
    CHECK(v && v->t.code == types[i].code && v->t.bits == types[i].bits && v->t.lanes == 1);
    CHECK(v && v->t.ndim == 2 && v->t.shape[1] == 3 && v->t.strides[0] == 3 &&
          v->t.strides[1] == 1);
    CHECK(v && v->t.data != tsr_tensor_data(t) && (uintptr_t)v->t.data % 64 == 0);
    back = tsr_tensor_from_dlpack(ctx, v, true, &s);
    CHECK(same(t, back));
    tsr_tensor_free(back);
    plain *p = tsr_tensor_to_dlpack(t, false, &s);
    CHECK(!p == small && (!small || strstr(s.message, "versioned")));
    if (p) {
        back = tsr_tensor_from_dlpack(ctx, p, false, &s);
        CHECK(same(t, back));
        tsr_tensor_free(back);
        p->deleter(p);
    }
    tsr_tensor_free(t); /* the struct needs it no more */
    if (v)
        v->deleter(v);
}

/* Elements one after the other, the first in the lowest bits. */
static void test_packed(tsr_ctx *ctx, const char *name, uint8_t code, uint8_t bits)
{
    enum { N = 21 };
    unsigned char wide[N], packed[N] = {0};
    for (unsigned k = 0; k < N; k++) {
        wide[k] = (unsigned char)(k * 29 + 7);
        for (unsigned b = 0; b < bits; b++)
            if (wide[k] >> b & 1)
                packed[(k * bits + b) / 8] |= (unsigned char)(1u << (k * bits + b) % 8);
    }
    int64_t dims[] = {3, 7};
    tsr_status s = {0};
    tsr_tensor *wanted = tsr_tensor_create(ctx, tsr_cstr(name), dims, 2, wide, &s);
    plain p = {.t = {packed, {1, 0}, 2, code, bits, 1, dims, NULL, 0}};
    tsr_tensor *got = tsr_tensor_from_dlpack(ctx, &p, false, &s);
    CHECK(same(wanted, got));
    tsr_tensor_free(wanted);
    tsr_tensor_free(got);
    int64_t turned[] = {1, 3};
    p.t.strides = turned;
    CHECK(!tsr_tensor_from_dlpack(ctx, &p, false, &s) && strstr(s.message, "row-major"));
}

static void test_strides(tsr_ctx *ctx)
{
    int16_t memory[] = {0, 1, 2, 3, 4, 5, 6};
    int64_t dims[] = {2, 3}, turned[] = {1, 2}, backwards[] = {-3, -1}, same_row[] = {0, 1};
    plain p = {.t = {memory, {1, 0}, 2, 0, 16, 1, dims, turned, 2}};
    static const int16_t wanted[][6] = {{1, 3, 5, 2, 4, 6}, {6, 5, 4, 3, 2, 1}, {1, 2, 3, 1, 2, 3}};
    int64_t *all[] = {turned, backwards, same_row};
    static const uint64_t offsets[] = {2, 12, 2};
    for (size_t i = 0; i < 3; i++) {
        tsr_status s = {0};
        p.t.strides = all[i];
        p.t.byte_offset = offsets[i];
        tsr_tensor *t = tsr_tensor_from_dlpack(ctx, &p, false, &s);
        CHECK(t && memcmp(tsr_tensor_data(t), wanted[i], sizeof wanted[i]) == 0);
        tsr_tensor_free(t);
    }
}

static void test_refused(tsr_ctx *ctx)
{
    float memory[4] = {0};
    int64_t dims[] = {4}, negative[] = {-1}, none[] = {0};
    const plain good = {.t = {memory, {1, 0}, 1, 2, 32, 1, dims, NULL, 0}};
    struct {
        plain p;
        const char *why;
    } bad[8];
    for (size_t i = 0; i < 8; i++)
        bad[i].p = good;
    bad[0].p.t.device[0] = 10, bad[0].why = "memory of the host";
    bad[1].p.t.lanes = 2, bad[1].why = "lanes";
    bad[2].p.t.bits = 24, bad[2].why = "no element type";
    bad[3].p.t.code = 200, bad[3].why = "no element type";
    bad[4].p.t.ndim = 65, bad[4].why = "shape";
    bad[5].p.t.shape = negative, bad[5].why = "shape";
    bad[6].p.t.data = NULL, bad[6].why = "no data";
    bad[7].p.t.ndim = -1, bad[7].why = "shape";
    for (size_t i = 0; i < 8; i++) {
        tsr_status s = {0};
        CHECK(!tsr_tensor_from_dlpack(ctx, &bad[i].p, false, &s) && strstr(s.message, bad[i].why));
    }
    tsr_status s = {0};
    versioned later = {.version = {2, 0}, .t = good.t};
    CHECK(!tsr_tensor_from_dlpack(ctx, &later, true, &s) && strstr(s.message, "2.0"));
    plain empty = good;
    empty.t.data = NULL;
    empty.t.shape = none;
    tsr_tensor *t = tsr_tensor_from_dlpack(ctx, &empty, false, &s);
    CHECK(t && tsr_tensor_num_elements(t) == 0);
    tsr_tensor_free(t);
    tsr_dlpack_free_capsule(NULL); /* and nothing happens where there is no Python */
    tsr_dlpack_free_capsule(&empty);
    t = tsr_tensor_create(ctx, tsr_cstr("!quant.uniform<i8:f32, 0.5>"), dims, 1, NULL, &s);
    s = (tsr_status){0};
    CHECK(t && !tsr_tensor_to_dlpack(t, true, &s) && strstr(s.message, "quantized"));
    tsr_tensor_free(t);
    CHECK(!tsr_tensor_to_dlpack(NULL, true, &s) && !tsr_tensor_from_dlpack(ctx, NULL, true, &s));
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        test_type(ctx, i);
    test_packed(ctx, "i2", 0, 2);
    test_packed(ctx, "ui4", 1, 4);
    test_packed(ctx, "i4", 0, 4);
    test_packed(ctx, "f6E3M2FN", 16, 6);
    test_packed(ctx, "f4E2M1FN", 17, 4);
    test_strides(ctx);
    test_refused(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
