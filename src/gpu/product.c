/* SPDX-License-Identifier: Apache-2.0 */
/* product.c - products: by the device's library where it has them, otherwise by kernels of our own (multiply.c).
 *
 * The library multiplies matrices with one stride for lines and one for a batch. Further dimensions of a batch are calls of
 * their own; a factor without contiguous lines is copied before, if the product is large. */
#include "gpu/product.h"

#include "dialect/opcode.h"
#include "exec/batch.h"

enum {
    CALLS = 256,     /* most of them for one product */
    LARGE = 1 << 22, /* multiplications that pay for a copy of a factor */
    SMALL_ROOM = 1 << 20,
    LARGE_ROOM = 32 << 20, /* bytes for the library */
    ALIGN = 256,
};

static const struct {
    tsr_dtype of, to;
    tsr_device_type device_of, device_to, sums;
} kinds[] = {
    {TSR_D_F64, TSR_D_F64, TSR_DEVICE_F64, TSR_DEVICE_F64, TSR_DEVICE_F64},
    {TSR_D_F32, TSR_D_F32, TSR_DEVICE_F32, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_D_BF16, TSR_D_BF16, TSR_DEVICE_BF16, TSR_DEVICE_BF16, TSR_DEVICE_F32},
    {TSR_D_BF16, TSR_D_F32, TSR_DEVICE_BF16, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_D_F16, TSR_D_F16, TSR_DEVICE_F16, TSR_DEVICE_F16, TSR_DEVICE_F32},
    {TSR_D_F16, TSR_D_F32, TSR_DEVICE_F16, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_D_I8, TSR_D_I32, TSR_DEVICE_I8, TSR_DEVICE_I32, TSR_DEVICE_I32},
    {TSR_D_F8E4M3FN, TSR_D_F32, TSR_DEVICE_F8E4M3, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_D_F8E4M3FN, TSR_D_F16, TSR_DEVICE_F8E4M3, TSR_DEVICE_F16, TSR_DEVICE_F32},
    {TSR_D_F8E4M3FN, TSR_D_BF16, TSR_DEVICE_F8E4M3, TSR_DEVICE_BF16, TSR_DEVICE_F32},
};

/* A product as calls of the library. */
typedef struct {
    tsr_device_product call;            /* offsets in elements instead of addresses */
    tsr_batch_dim dims[TSR_BATCH_RANK]; /* of the calls */
    int rank;
    int64_t calls;
    /* The factor is copied; along: its lines run along the contracted dimension. */
    bool packs[2], along[2];
    int64_t at[2];       /* bytes: where in the workspace */
    int64_t room, bytes; /* of the library's part of the workspace; of all */
} library;

tsr_gpu_word tsr_gpu_factor(tsr_gpu_maker *m, const tsr_node *n, int side, int64_t elements)
{
    return (tsr_gpu_word){tsr_gpu_place(m, tsr_storage_of(m->p, n->in[side])),
                          elements * tsr_dtype_bytes((tsr_dtype)n->contract->type)};
}

static int64_t work_of(const tsr_contract *c)
{
    return c->side[0].batch * c->side[0].rest * c->side[1].rest * c->side[0].contract;
}

/* A factor's lines. along: they run along the contracted dimension. False: neither dimension is contiguous. */
static bool find_lines(const tsr_contract_side *s, bool along, int64_t *line)
{
    int64_t length = along ? s->contract : s->rest, lines = along ? s->rest : s->contract,
            step = along ? s->contract_stride : s->rest_stride,
            stride = along ? s->rest_stride : s->contract_stride;
    *line = lines == 1 ? length : stride;
    return !s->grid && (length == 1 || step == 1) && *line >= length;
}

static bool set_factor(const tsr_contract *c, int side, tsr_device_type type,
                       tsr_device_matrix *out)
{
    const tsr_contract_side *s = &c->side[side];
    bool along = find_lines(s, true, &out->line);
    if (!along && (tsr_dtype_bytes((tsr_dtype)c->type) == 1 || !find_lines(s, false, &out->line)))
        return false;
    out->type = type;
    out->transposed = along == side; /* rows of a, columns of b */
    return true;
}

/* The dimension of the batch that calls have; the others are calls. */
static int widest(const tsr_batch_dim *dims, int n)
{
    int best = -1;
    for (int i = 0; i < n; i++)
        if (dims[i].stride[0] >= 0 && dims[i].stride[1] >= 0 && dims[i].stride[2] > 0 &&
            (best < 0 || dims[i].size > dims[best].size))
            best = i;
    return best;
}

/* Whether matrices of a factor, or of the result, are at equal distances. */
static bool is_even(const tsr_batch_dim *dims, int n, int of)
{
    for (int i = 0; i + 1 < n; i++)
        if (dims[i].stride[of] != dims[i + 1].size * dims[i + 1].stride[of])
            return false;
    return true;
}

/* Dimensions of the batch, as copies of factors have them; all in one, if matrices are at equal distances then. */
static int dims_of(const tsr_contract *c, const library *l, tsr_batch_dim *dims)
{
    int n = tsr_batch_dims(c, dims);
    for (int side = 0; side < 2; side++) {
        int64_t size = c->side[side].rest * c->side[side].contract;
        for (int i = n; l->packs[side] && i-- > 0; size *= dims[i].size)
            dims[i].stride[side] = size;
    }
    if (is_even(dims, n, TSR_OF_A) && is_even(dims, n, TSR_OF_B) && is_even(dims, n, TSR_OF_C)) {
        dims[0] = dims[n - 1];
        dims[0].size = c->side[0].batch;
        n = 1;
    }
    return n;
}

static void set_batch(library *l, const tsr_contract *c)
{
    int n = dims_of(c, l, l->dims), best;
    l->call.batch = 1;
    l->calls = c->side[0].batch;
    l->rank = n;
    best = widest(l->dims, n);
    if (best >= 0 && l->dims[best].size > 1) {
        const tsr_batch_dim *d = &l->dims[best];
        l->call.batch = d->size;
        l->call.a.matrix = d->stride[TSR_OF_A];
        l->call.b.matrix = d->stride[TSR_OF_B];
        l->call.out.matrix = d->stride[TSR_OF_C];
        l->calls /= d->size;
        memmove(&l->dims[best], &l->dims[best + 1], (size_t)(n - best - 1) * sizeof *d);
        l->rank--;
    }
}

static int64_t bytes_of(const tsr_contract *c, int side)
{
    const tsr_contract_side *s = &c->side[side];
    return s->batch * s->rest * s->contract * tsr_dtype_bytes((tsr_dtype)c->type);
}

/* A factor is copied before: its lines stay as they are, if they are contiguous. */
static void set_pack(library *l, const tsr_contract *c, int side, tsr_device_matrix *out)
{
    const tsr_contract_side *s = &c->side[side];
    bool along =
        s->contract_stride == 1 || s->rest_stride != 1 || tsr_dtype_bytes((tsr_dtype)c->type) == 1;
    l->packs[side] = true;
    l->along[side] = along;
    l->at[side] = l->room + l->bytes;
    l->bytes += (bytes_of(c, side) + ALIGN - 1) / ALIGN * ALIGN;
    out->transposed = along == side;
    out->line = along ? s->contract : s->rest;
}

/* Factors are copied where that costs less than several calls, and one call does then. */
static void make_even(library *l, const tsr_contract *c)
{
    enum { CALL_BYTES = 6 << 20 }; /* copied in the time that one more call, or a launch, takes */
    tsr_batch_dim dims[TSR_BATCH_RANK];
    int n = tsr_batch_dims(c, dims);
    tsr_device_matrix *factors[2] = {&l->call.a, &l->call.b};
    int64_t copied = 0;
    set_batch(l, c);
    if (l->calls == 1 || work_of(c) < LARGE || !is_even(dims, n, TSR_OF_C))
        return;
    for (int side = 0; side < 2; side++)
        if (!l->packs[side] && !is_even(dims, n, side))
            copied += bytes_of(c, side) + CALL_BYTES;
    for (int side = 0; side < 2 && copied <= (l->calls - 1) * CALL_BYTES; side++)
        if (!l->packs[side] && !is_even(dims, n, side))
            set_pack(l, c, side, factors[side]);
    set_batch(l, c);
}

/* Whether f32 factors may be rounded: what the op's precision says, by default they may. */
static bool may_round(const tsr_program *p, const tsr_node *n)
{
    const tsr_op *op = n->op;
    bool dot = op && op->def->opcode == TSR_OP_STABLEHLO_DOT_GENERAL,
         conv = op && op->def->opcode == TSR_OP_STABLEHLO_CONVOLUTION;
    if (p->strict || (!dot && !conv) || (dot && tsr_attr_of(op, STABLEHLO_DOT_GENERAL_algorithm)))
        return false;
    const tsr_attr *precision = tsr_attr_of(op, dot ? STABLEHLO_DOT_GENERAL_precision_config
                                                    : STABLEHLO_CONVOLUTION_precision_config);
    for (uint32_t i = 0; precision && i < precision->n; i++)
        if (precision->attrs[i]->i != 0)
            return false;
    return true;
}

/* Whether a product is one of the library's, by what is known without a device. */
static bool plan_of(const tsr_program *p, const tsr_node *n, library *l)
{
    const tsr_contract *c = n->contract;
    size_t k = 0;
    *l = (library){.room = work_of(c) < LARGE ? SMALL_ROOM : LARGE_ROOM};
    while (k < TSR_COUNT(kinds) && (kinds[k].of != c->type || kinds[k].to != c->to))
        k++;
    if (k == TSR_COUNT(kinds) || c->direct || !work_of(c))
        return false;
    tsr_device_matrix *factors[2] = {&l->call.a, &l->call.b};
    for (int side = 0; side < 2; side++) {
        const tsr_contract_side *s = &c->side[side];
        if (set_factor(c, side, kinds[k].device_of, factors[side]))
            continue;
        if (s->grid || work_of(c) < LARGE)
            return false;
        factors[side]->type = kinds[k].device_of;
        set_pack(l, c, side, factors[side]);
    }
    make_even(l, c);
    l->bytes += l->room;
    l->call.m = c->side[0].rest;
    l->call.n = c->side[1].rest;
    l->call.k = c->side[0].contract;
    l->call.out.type = kinds[k].device_to;
    l->call.out.line = l->call.m == 1 ? l->call.n : c->to_row;
    l->call.sums = kinds[k].sums;
    l->call.fast = c->type == TSR_D_F32 && may_round(p, n);
    l->call.alpha = 1;
    return l->calls <= CALLS;
}

/* ---- Copies of factors ---- */

static bool pack(tsr_gpu_maker *m, const tsr_node *n, const library *l, int side)
{
    const tsr_contract_side *s = &n->contract->side[side];
    tsr_batch_dim dims[TSR_BATCH_RANK];
    int rank = tsr_batch_dims(n->contract, dims);
    tsr_gpu_word from = tsr_gpu_factor(m, n, side, s->offset);
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)n->contract->type), size = s->rest * s->contract;
    tsr_gpu_box box = {
        .bytes = bytes, .to_align = ALIGN, .from_align = 16, .rank = (uint8_t)(rank + 2)};
    bool along = l->along[side];
    box.axes[rank + !along] = (tsr_gpu_axis){s->rest, along ? s->contract : 1, s->rest_stride};
    box.axes[rank + along] = (tsr_gpu_axis){s->contract, along ? 1 : s->rest, s->contract_stride};
    for (int i = rank; i-- > 0; size *= dims[i].size)
        box.axes[i] = (tsr_gpu_axis){dims[i].size, size, dims[i].stride[side]};
    tsr_gpu_word to = tsr_gpu_at(m, m->g->work, l->at[side]);
    while (from.number % box.from_align)
        box.from_align /= 2;
    return tsr_gpu_copy_box(m, &box, to, from);
}

/* ---- Calls ---- */

/* Offsets of call number i, in elements: of both factors and the result. */
static void offsets_of(const tsr_contract *c, const library *l, int64_t i, int64_t out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = k < 2 && !l->packs[k] ? c->side[k].offset : 0;
    for (int d = l->rank; d-- > 0; i /= l->dims[d].size)
        for (int k = 0; k < 3; k++)
            out[k] += i % l->dims[d].size * l->dims[d].stride[k];
}

static tsr_gpu_word factor_at(tsr_gpu_maker *m, const tsr_node *n, const library *l, int side,
                              int64_t offset)
{
    if (!l->packs[side])
        return tsr_gpu_factor(m, n, side, offset);
    tsr_gpu_word word = tsr_gpu_at(m, m->g->work, l->at[side]);
    word.number += offset * tsr_dtype_bytes((tsr_dtype)n->contract->type);
    return word;
}

/* What an address is, as far as the library asks: the smallest with its alignment. */
static void *like(tsr_gpu_word word)
{
    return (void *)(uintptr_t)(word.number & (ALIGN - 1));
}

/* The words of call number i; sets addresses for questions. */
static void set_words(tsr_gpu_maker *m, const tsr_node *n, library *l, int64_t i,
                      tsr_gpu_word words[TSR_GPU_PRODUCT_WORDS])
{
    int64_t at[3];
    offsets_of(n->contract, l, i, at);
    for (int k = 0; k < TSR_GPU_PRODUCT_WORDS; k++)
        words[k] = (tsr_gpu_word){TSR_XNONE, 0};
    words[0] = factor_at(m, n, l, 0, at[0]);
    words[1] = factor_at(m, n, l, 1, at[1]);
    words[3] = tsr_gpu_at(m, n->out[0], at[2]);
    words[6] = tsr_gpu_at(m, m->g->work, 0);
    l->call.a.at = like(words[0]);
    l->call.b.at = like(words[1]);
    l->call.out.at = like(words[3]);
}

/* Whether the device has all calls, in the memory that is planned. Without a device: it would. */
static bool has_calls(tsr_gpu_maker *m, const tsr_node *n, library *l)
{
    tsr_device *d = m->to->device;
    size_t most = 0, bytes;
    for (int64_t i = 0; d && i < l->calls; i++) {
        tsr_gpu_word words[TSR_GPU_PRODUCT_WORDS];
        set_words(m, n, l, i, words);
        if (!d->has_product || !d->has_product(d, &l->call, &bytes) || bytes > (size_t)l->room)
            return false;
        most = bytes > most ? bytes : most;
    }
    l->call.workspace_bytes = most;
    return true;
}

bool tsr_gpu_product(tsr_gpu_maker *m)
{
    const tsr_node *n = &m->p->nodes.data[m->g->nodes.data[0]];
    library l;
    if (!plan_of(m->p, n, &l) || m->g->work == TSR_XNONE || !has_calls(m, n, &l))
        return tsr_gpu_multiply(m, n);
    for (int side = 0; side < 2; side++)
        if (l.packs[side] && !pack(m, n, &l, side))
            return false;
    const tsr_device_product *call = tsr_arena_copy(&m->to->arena, &l.call, sizeof l.call);
    for (int64_t i = 0; i < l.calls; i++) {
        tsr_gpu_word words[TSR_GPU_PRODUCT_WORDS];
        set_words(m, n, &l, i, words);
        tsr_gpu_add(m, &(tsr_gpu_step){.kind = TSR_GPU_PRODUCT, .product = call}, words,
                    TSR_GPU_PRODUCT_WORDS);
    }
    return true;
}

bool tsr_gpu_asks_library(const tsr_program *p, const tsr_xgroup *g)
{
    library l;
    return g->kind == TSR_NODE_CONTRACT && g->work != TSR_XNONE &&
           plan_of(p, &p->nodes.data[g->nodes.data[0]], &l);
}

bool tsr_gpu_copy_texts(tsr_gpu_maker *m)
{
    const tsr_node *n = &m->p->nodes.data[m->g->nodes.data[0]];
    tsr_gpu_recipe *own = m->recipe, scratch = {0};
    library l;
    m->recipe = &scratch;
    bool ok = plan_of(m->p, n, &l);
    for (int side = 0; ok && side < 2; side++)
        ok = !l.packs[side] || pack(m, n, &l, side);
    tsr_vec_free(&scratch.steps);
    m->recipe = own;
    return ok;
}

size_t tsr_gpu_product_room(const tsr_program *p, const tsr_xgroup *g)
{
    library l;
    return plan_of(p, &p->nodes.data[g->nodes.data[0]], &l) ? (size_t)l.bytes : 0;
}
