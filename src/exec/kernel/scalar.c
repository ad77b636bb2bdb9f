/* SPDX-License-Identifier: Apache-2.0 */
/* scalar.c - builds lists of ops on single numbers. See scalar.h. */
#include "exec/kernel/scalar.h"

#include "exec/kernel/isa/isa.h"

bool tsr_scalar_run(const tsr_scalar *list, int64_t *iterations)
{
    return tsr_isa_now()->scalars(list, iterations);
}

/* A number that is overwritten is no longer at hand. */
static void forget(tsr_scalar_hand *h, const void *out, size_t bytes)
{
    uintptr_t at = (uintptr_t)out, f32 = (uintptr_t)h->f32, f64 = (uintptr_t)h->f64;
    if (f32 < at + bytes && f32 + sizeof(float) > at)
        h->f32 = NULL;
    if (f64 < at + bytes && f64 + sizeof(double) > at)
        h->f64 = NULL;
}

/* A call may clobber any register: nothing is at hand after it. */
static void call(tsr_scalar_hand *h, tsr_scalar *s)
{
    s->what = TSR_SCALAR_CALL;
    *h = (tsr_scalar_hand){0};
}

static bool is_kernel(tsr_tile_fn *fn, tsr_tile_op op, tsr_dtype type)
{
    bool is = fn == tsr_tile_find(op, type);
    for (int form = 0; form < TSR_TILE_FORMS && !is; form++)
        is = fn == tsr_tile_find_form(op, type, (tsr_tile_form)form);
    return is;
}

static int select_of(tsr_dtype type)
{
    switch (tsr_dtype_bytes(type)) {
    case 1: return TSR_SCALAR_SELECT1;
    case 4: return TSR_SCALAR_SELECT4;
    case 8: return TSR_SCALAR_SELECT8;
    default: return TSR_SCALAR_CALL;
    }
}

static int bool_of(tsr_tile_op op)
{
    switch ((int)op) {
#define BOOL1(name, expr) \
    case TSR_TILE_##name: \
        return TSR_SCALAR_I1_##name;
#define BOOL2(name, expr) BOOL1(name, expr)
#include "exec/tiles.def"
    default: return TSR_SCALAR_CALL;
    }
}

static int op_of(tsr_tile_op op, tsr_dtype type)
{
    if (op == TSR_TILE_select)
        return select_of(type);
    switch ((int)type) {
    case TSR_D_I1: return bool_of(op);
    case TSR_D_I32: return TSR_SCALAR_I32 + (int)op;
    case TSR_D_U32: return TSR_SCALAR_U32 + (int)op;
    case TSR_D_I64: return TSR_SCALAR_I64 + (int)op;
    case TSR_D_U64: return TSR_SCALAR_U64 + (int)op;
    case TSR_D_F32: return TSR_SCALAR_F32 + (int)op;
    case TSR_D_F64: return TSR_SCALAR_F64 + (int)op;
    default: return TSR_SCALAR_CALL;
    }
}

void tsr_scalar_tile(tsr_scalar_hand *h, tsr_scalar *s, tsr_tile_op op, tsr_dtype from,
                     tsr_dtype to)
{
    int what = is_kernel(s->fn, op, from) ? op_of(op, from) : TSR_SCALAR_CALL;
    if (what == TSR_SCALAR_CALL) {
        call(h, s);
        return;
    }
    const void *at_hand = from == TSR_D_F64 ? h->f64 : h->f32;
    for (int i = 0; what >= TSR_SCALAR_F32 && at_hand && i < tsr_tile_operands(op); i++)
        if (s->in[i] == at_hand) {
            what += (i + 1) * TSR_TILE__COUNT;
            break;
        }
    s->what = (uint16_t)what;
    forget(h, s->out, tsr_dtype_bytes(to));
    if (what >= TSR_SCALAR_F32 && to == from)
        *(to == TSR_D_F64 ? &h->f64 : &h->f32) = s->out;
}

void tsr_scalar_convert(tsr_scalar_hand *h, tsr_scalar *s, tsr_dtype to, tsr_dtype from)
{
#define X(TO, type, FROM, of)                       \
    if (to == TSR_D_##TO && from == TSR_D_##FROM) { \
        s->what = TSR_SCALAR_##TO##_OF_##FROM;      \
        forget(h, s->out, tsr_dtype_bytes(to));     \
        return;                                     \
    }
    TSR_SCALAR_CONVERTS(X)
#undef X
    call(h, s);
}

tsr_scalar tsr_scalar_copy(tsr_scalar_hand *h, void *out, const void *in, size_t bytes)
{
    int what = bytes == 1   ? TSR_SCALAR_COPY1
               : bytes == 4 ? TSR_SCALAR_COPY4
               : bytes == 8 ? TSR_SCALAR_COPY8
                            : TSR_SCALAR_COPY;
    if (what == TSR_SCALAR_COPY)
        *h = (tsr_scalar_hand){0};
    else
        forget(h, out, bytes);
    return (tsr_scalar){.what = (uint16_t)what, .out = out, .in = {in}, .n = bytes};
}
