/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - shapes under construction, and their text (shape.h). */
#include "dialect/ttir/shape.h"

#include "dialect/hooks.h"

bool tt_shape_of(const tsr_op *op, const tsr_type *t, tt_shape *out)
{
    if (t->n > TT_MAX_RANK)
        return tsr_op_error(op, "has a tensor of rank %u, more than %d", t->n, TT_MAX_RANK);
    out->n = t->n;
    if (t->n)
        memcpy(out->d, t->dims, t->n * sizeof *t->dims);
    return true;
}

bool tt_shape_add(const tsr_op *op, tt_shape *s, int64_t size)
{
    if (s->n == TT_MAX_RANK)
        return tsr_op_error(op, "makes a tensor of rank %d, more than %d", TT_MAX_RANK + 1,
                            TT_MAX_RANK);
    s->d[s->n++] = size;
    return true;
}

bool tt_shape_is(const tt_shape *s, const tsr_type *t)
{
    return s->n == t->n && (s->n == 0 || memcmp(s->d, t->dims, s->n * sizeof *s->d) == 0);
}

enum { SIZE_BITS = 62 };

static bool fits(int64_t v)
{
    return v >= -((int64_t)1 << SIZE_BITS) && v < (int64_t)1 << SIZE_BITS;
}

int64_t tt_times(int64_t a, int64_t b)
{
    if (a == TSR_DYNAMIC || b == TSR_DYNAMIC)
        return TSR_DYNAMIC;
    if (a && b && (!fits(a) || !fits(b) || llabs(a) > (((int64_t)1 << SIZE_BITS) - 1) / llabs(b)))
        return TSR_DYNAMIC;
    return a * b;
}

int64_t tt_plus(int64_t a, int64_t b)
{
    return a == TSR_DYNAMIC || b == TSR_DYNAMIC || !fits(a) || !fits(b) ? TSR_DYNAMIC : a + b;
}

static bool broadcast_dim(int64_t a, int64_t b, int64_t *out)
{
    if (a == b || b == 1)
        *out = a;
    else if (a == 1)
        *out = b;
    else if (a == TSR_DYNAMIC || b == TSR_DYNAMIC)
        *out = a == TSR_DYNAMIC ? b : a;
    else
        return false;
    return true;
}

bool tt_broadcast(const tt_shape *a, const tt_shape *b, tt_shape *out)
{
    const tt_shape *big = a->n >= b->n ? a : b, *small = big == a ? b : a;
    size_t lead = big->n - small->n;
    tt_shape s = *big;
    for (size_t i = 0; i < small->n; i++)
        if (!broadcast_dim(big->d[lead + i], small->d[i], &s.d[lead + i]))
            return false;
    *out = s;
    return true;
}

/* ---- Results ---- */

bool tt_result_of(const tsr_op *op, tsr_type_vec *out, const tt_shape *s, tsr_type *elem)
{
    tsr_attr *encoding = NULL;
    if (out->n < op->nout && tsr_type_is(op->out[out->n].type, TSR_TYPE_TENSOR)) {
        elem = op->out[out->n].type->elem;
        encoding = op->out[out->n].type->attr;
    } else if (op->nin && tsr_type_is(op->in[0].value->type, TSR_TYPE_TENSOR)) {
        encoding = op->in[0].value->type->attr;
    }
    for (size_t i = 0; i < s->n; i++)
        if (s->d[i] < 0 && s->d[i] != TSR_DYNAMIC)
            return tsr_op_error(op, "has a result of %lld elements in dimension %zu",
                                (long long)s->d[i], i);
    tsr_vec_push(out, tsr_type_tensor(op->module->ctx, s->d, s->n, elem, encoding));
    return true;
}

bool tt_result(const tsr_op *op, tsr_type_vec *out, const tt_shape *s)
{
    tsr_type *elem = op->nin && tsr_type_is_shaped(op->in[0].value->type)
                         ? op->in[0].value->type->elem
                         : tsr_type_float(op->module->ctx, TSR_F32);
    return tt_result_of(op, out, s, elem);
}

bool tt_result_like(const tsr_op *op, tsr_type_vec *out, const tsr_type *t)
{
    tt_shape s;
    return tt_shape_of(op, t, &s) && tt_result_of(op, out, &s, t->elem);
}

bool tt_result_kept(const tsr_op *op, tsr_type_vec *out)
{
    if (out->n >= op->nout)
        return tsr_op_error(op, "has a result whose shape does not follow from its operands");
    tsr_type *type = op->out[out->n].type;
    tsr_vec_push(out, type);
    return true;
}

const tsr_type *tt_in(const tsr_op *op, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(op, group, &start, &n) && n ? op->in[start].value->type : NULL;
}

const tsr_type *tt_out(const tsr_op *op, size_t group)
{
    uint32_t start, n;
    return tsr_op_result_group(op, group, &start, &n) && n ? op->out[start].type : NULL;
}

/* ---- Attributes ---- */

double tt_float(const tsr_op *op, int slot, double otherwise)
{
    const tsr_attr *a = op->attrs[slot];
    if (!a || (a->kind != TSR_ATTR_FLOAT && a->kind != TSR_ATTR_INT))
        return otherwise;
    return a->kind == TSR_ATTR_INT
               ? (double)a->i
               : tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i);
}

int64_t tt_int_at(const tsr_attr *a, size_t i)
{
    if (a->kind == TSR_ATTR_ARRAY)
        return a->attrs[i]->i;
    return tsr_attr_int_at(a, i);
}

bool tt_dim(int64_t dim, size_t rank, size_t *out)
{
    if (dim < 0)
        dim += (int64_t)rank;
    *out = (size_t)dim;
    return dim >= 0 && dim < (int64_t)rank;
}

bool tt_counts(const tsr_op *op, tsr_ints v, size_t n, const char *what)
{
    if (v.n == n)
        return true;
    return n == 2
               ? tsr_op_error(op, "Expected integer or pair of integers, got tuple of size %u%s",
                              v.n, what)
               : tsr_op_error(op,
                              "Expected integer or array of size %zu, but got array of size %u%s",
                              n, v.n, what);
}

bool tt_padding_counts(const tsr_op *op, const tsr_window *w, const char *what)
{
    return w->high.n == 2 ||
           tsr_op_error(op,
                        "Expected integer, pair, or tuple of size 4, but got tuple of size %u%s",
                        w->low.n, what);
}

/* ---- Texts ---- */

static const char *keep(const tsr_op *op, tsr_buf *b)
{
    char *s = tsr_arena_alloc(&op->module->arena, b->len + 1);
    if (b->len)
        memcpy(s, b->data, b->len);
    s[b->len] = 0;
    tsr_buf_free(b);
    return s;
}

const char *tt_join(const tsr_op *op, const int64_t *dims, size_t n, const char *parting)
{
    tsr_buf b = {0};
    for (size_t i = 0; i < n; i++) {
        tsr_buf_cstr(&b, i ? parting : "");
        tsr_buf_int(&b, dims[i]);
    }
    return keep(op, &b);
}

const char *tt_show(const tsr_op *op, const tsr_type *t, const char *parting)
{
    return tt_join(op, t->dims, t->n, parting);
}

const char *tt_show_type(const tsr_op *op, const tsr_type *t)
{
    tsr_buf b = {0};
    tsr_buf_char(&b, '\'');
    if (op->module->ctx->print_type)
        op->module->ctx->print_type(&b, t);
    tsr_buf_char(&b, '\'');
    return keep(op, &b);
}

/* ---- Meshes ---- */

int64_t tt_mesh_size(const tsr_op *op, int64_t axis)
{
    for (const tsr_op *p = tsr_block_parent(op->block); p; p = tsr_block_parent(p->block)) {
        const tsr_attr *meshes = tsr_dict_get(p->extra, TSR_STR("ttcore.meshes"));
        if (!tsr_attr_is_struct(meshes, &tsr_def_TTCORE_MESHES) || !meshes->attrs[0]->n)
            continue;
        const tsr_attr *shape = meshes->attrs[0]->attrs[0]->attrs[TTCORE_MESH_shape];
        return axis >= 0 && axis < tsr_attr_count(shape) ? tsr_attr_int_at(shape, (size_t)axis)
                                                         : -1;
    }
    return -1;
}

bool tt_verify_inferred(const tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok = op->def->infer(op, &types);
    for (uint32_t i = 0; ok && i < op->nout && i < types.n; i++)
        if (!tt_same_shape(types.data[i], op->out[i].type))
            ok = tsr_op_error(
                op, "result shape (%s) doesn't match the shape that follows from its operands (%s)",
                tt_show(op, op->out[i].type, ", "), tt_show(op, types.data[i], ", "));
    tsr_vec_free(&types);
    return ok;
}
