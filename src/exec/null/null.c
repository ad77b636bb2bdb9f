/* SPDX-License-Identifier: Apache-2.0 */
/* null.c - a machine that has nothing: values are copied, control flow runs, and all else is the evaluator's. A new
 * backend begins as a copy of this file, and answers yes to what it learns (docs/HACKING.md, "Add a backend"). */
#include "exec/run/run.h"

/* ---- What there is, and what pays ---- */

static bool no_tile(tsr_tile_op op, tsr_dtype type)
{
    (void)op, (void)type;
    return false;
}

static bool copies(tsr_dtype to, tsr_dtype from)
{
    return to == from;
}

static bool no_fold(tsr_fold_op op, tsr_dtype type)
{
    (void)op, (void)type;
    return false;
}

static bool no_product(tsr_dtype type, tsr_dtype to)
{
    (void)type, (void)to;
    return false;
}

static bool only_copies(tsr_move_kind kind, tsr_dtype type)
{
    (void)type;
    return kind == TSR_MOVE_COPY;
}

static bool no_transform(tsr_arena *arena, tsr_fft_step *step, int64_t rows)
{
    (void)arena, (void)step, (void)rows;
    return false;
}

static bool no_sizes(int64_t rows, int64_t cols, int64_t depth)
{
    (void)rows, (void)cols, (void)depth;
    return false;
}

static bool no_contract(const tsr_contract *c)
{
    (void)c;
    return false;
}

static bool no_chain(const tsr_chain_shape *s)
{
    (void)s;
    return false;
}

static const char *no_way(const tsr_product_of *x)
{
    (void)x;
    return NULL;
}

const tsr_target tsr_target_null = {
    .name = "null",
    .tile = no_tile,
    .convert = copies,
    .fold = no_fold,
    .product = no_product,
    .move = only_copies,
    .transform = no_transform,
    .batch_pays = no_sizes,
    .loop_on_product = no_contract,
    .loop_on_rows = no_sizes,
    .chain = no_chain,
    .reads_pieces = no_contract,
    .way = no_way,
    .checked = true,
    .long_row = 1,
    .staged_row = 1,
    .part = INT64_MAX,
    .part_run = INT64_MAX,
    .slice = INT64_MAX,
    .align = 64,
};

/* ---- Runs ---- */

/* The value that v has the elements of, in another order. Values of a group that are not in memory are those that its
 * node reads, as they are. */
static tsr_xid source_of(const tsr_program *p, tsr_xid v)
{
    for (const tsr_xvalue *x;;
         v = x->place == TSR_PLACE_VIEW ? x->base : p->nodes.data[x->node].in[0]) {
        x = &p->values.data[v];
        if (x->place != TSR_PLACE_VIEW && x->place != TSR_PLACE_NOWHERE)
            return v;
    }
}

/* Element i of v; from: where its source's are. */
static void get_element(const tsr_program *p, tsr_xid v, int64_t i, const char *from, char *to)
{
    const tsr_xvalue *x = &p->values.data[v];
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)x->dtype);
    if (x->place == TSR_PLACE_VIEW) {
        tsr_xview view = tsr_xview_of(x->view);
        get_element(p, x->base, tsr_xview_at(&view, i), from, to);
    } else if (x->place == TSR_PLACE_NOWHERE) {
        get_element(p, p->nodes.data[x->node].in[0], i, from, to);
    } else if (x->place == TSR_PLACE_SPLAT) {
        memcpy(to, x->bits, bytes);
    } else if (x->place == TSR_PLACE_IOTA) {
        tsr_convert((tsr_dtype)x->dtype, to, TSR_D_I64, &i, 1);
    } else {
        memcpy(to, from + i * bytes, bytes);
    }
}

/* The elements of a device are copied to the host, and back. */
static bool copy(tsr_run *r, const tsr_node *n)
{
    const tsr_program *p = r->p;
    const tsr_xvalue *x = &p->values.data[n->out[0]];
    tsr_xid from = source_of(p, n->in[0]);
    uint8_t place = p->values.data[from].place;
    size_t each = tsr_dtype_bytes((tsr_dtype)x->dtype), all = (size_t)x->n * each;
    bool memory = place != TSR_PLACE_SPLAT && place != TSR_PLACE_IOTA;
    tsr_tensor *t = memory ? tsr_run_tensor(r, from) : NULL;
    char *to = r->device ? tsr_malloc(all) : r->at[n->out[0]];
    bool ok = (t || !memory) && to;
    for (int64_t i = 0; ok && i < x->n; i++)
        get_element(p, n->in[0], i, t ? t->data : NULL, to + (size_t)i * each);
    if (!ok)
        tsr_run_no_memory(r, n->op, "a copy");
    if (ok && r->device && all)
        ok = r->device->copy_in(r->device, r->at[n->out[0]], to, all) || tsr_run_lost(r, n->op);
    tsr_tensor_unref(t);
    if (r->device)
        tsr_free(to);
    return ok;
}

/* All nodes that the target has are copies. */
static bool run(tsr_run *r, const tsr_xgroup *g)
{
    if (g->kind == TSR_NODE_ZEROS || g->kind == TSR_NODE_CHECK)
        return tsr_run_check(r, &r->p->nodes.data[g->nodes.data[0]]);
    for (size_t k = 0; k < g->nodes.n; k++) {
        const tsr_node *n = &r->p->nodes.data[g->nodes.data[k]];
        if (r->p->values.data[n->out[0]].place != TSR_PLACE_NOWHERE)
            TSR_TRY(copy(r, n));
    }
    return true;
}

const tsr_backend tsr_backend_null = {.target = &tsr_target_null, .run = run};
