/* SPDX-License-Identifier: Apache-2.0 */
/* calls_linalg.c - matrix factorizations: converts targets of XLA's own library to those of LAPACK, as JAX calls them
 * on a CPU.
 *
 * Narrow floats are computed in f32. Each call gets a sharding rule that divides only the batch dimensions: a matrix
 * must be whole. */
#include "lower/calls.h"

#include "shard/rule/rule.h"

enum { MOST_DIMS = 64 };

static bool is_matrix(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && v->type->n >= 2 &&
           tsr_type_has_static_shape(v->type);
}

/* The letter of LAPACK's names; 0: none for these elements. */
static char letter_of(const tsr_type *elem)
{
    bool complex = elem->kind == TSR_TYPE_COMPLEX;
    const tsr_type *part = complex ? elem->elem : elem;
    if (part->kind != TSR_TYPE_FLOAT || (part->width != 32 && part->width != 64))
        return 0;
    return part->width == 32 ? (complex ? 'c' : 's') : complex ? 'z' : 'd';
}

/* The type in which a matrix is computed: its own, or f32. NULL: not supported. */
static tsr_type *computed_in(tsr_ctx *ctx, tsr_type *elem)
{
    if (letter_of(elem))
        return elem;
    return elem->kind == TSR_TYPE_FLOAT && elem->width < 32 ? tsr_type_float(ctx, TSR_F32) : NULL;
}

/* Batch dimensions, which come first in all values, are divided; each other dimension has its own factor. */
static tsr_attr *rule_of(tsr_ctx *ctx, const tsr_op *call, uint32_t nbatch)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    uint32_t ntensor = call->nin + call->nout, ndim = 0;
    for (uint32_t t = 0; t < ntensor; t++)
        ndim += t < call->nin ? call->in[t].value->type->n : call->out[t - call->nin].type->n;
    int64_t *sizes = TSR_NEW_ARRAY(&arena, int64_t, ndim + 1);
    uint8_t *kinds = TSR_NEW_ARRAY(&arena, uint8_t, ndim + 1),
            *blocked = TSR_NEW_ARRAY(&arena, uint8_t, ndim + 1);
    uint32_t *dims = TSR_NEW_ARRAY(&arena, uint32_t, ntensor + 1),
             *first = TSR_NEW_ARRAY(&arena, uint32_t, ndim + 2),
             *factors = TSR_NEW_ARRAY(&arena, uint32_t, ndim + 1), n = nbatch, at = 0;
    for (uint32_t t = 0; t < ntensor; t++) {
        const tsr_type *type =
            t < call->nin ? call->in[t].value->type : call->out[t - call->nin].type;
        dims[t] = at;
        for (uint32_t d = 0; d < type->n; d++, at++) {
            uint32_t f = d < nbatch ? d : n++;
            first[at] = at;
            factors[at] = f;
            sizes[f] = type->dims[d];
            kinds[f] = d < nbatch ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_NEED_REPLICATION;
        }
    }
    dims[ntensor] = first[at] = at;
    tsr_rule rule = {.nfactor = n,
                     .noperand = call->nin,
                     .nresult = call->nout,
                     .custom = true,
                     .sizes = sizes,
                     .kinds = kinds,
                     .blocked = blocked,
                     .dims = dims,
                     .first = first,
                     .factors = factors};
    tsr_attr *a = tsr_rule_encode(ctx, &rule);
    tsr_arena_free(&arena);
    return a;
}

/* Calls lapack_<letter><name>_ffi with these operands, the first of which determines the letter and the batch. */
static tsr_op *lapack(tsr_build *b, const char *name, tsr_value *const *in, size_t nin,
                      tsr_type *const *types, size_t nout, const tsr_named *config, size_t nconfig)
{
    tsr_buf target = {0};
    tsr_buf_printf(&target, "lapack_%c%s_ffi", letter_of(tsr_elem(in[0])), name);
    tsr_op *call = tsr_build_open(b, TSR_OP_STABLEHLO_CUSTOM_CALL, in, nin, nout, 0);
    call->attrs[STABLEHLO_CUSTOM_CALL_call_target_name] =
        tsr_attr_string(b->ctx, tsr_buf_text(&target));
    tsr_op_set_attr(call, TSR_STR("mhlo.backend_config"), tsr_attr_dict(b->ctx, config, nconfig));
    tsr_buf_free(&target);
    tsr_build_close_as(b, call, types);
    tsr_op_set_attr(call, TSR_STR("sdy.sharding_rule"), rule_of(b->ctx, call, in[0]->type->n - 2));
    return call;
}

/* The batch of a matrix, and up to two more dimensions (negative: none). */
static tsr_type *shaped(tsr_ctx *ctx, const tsr_value *matrix, int64_t rows, int64_t columns,
                        tsr_type *elem)
{
    int64_t dims[MOST_DIMS];
    uint32_t n = matrix->type->n - 2;
    memcpy(dims, matrix->type->dims, n * sizeof *dims);
    if (rows >= 0)
        dims[n++] = rows;
    if (columns >= 0)
        dims[n++] = columns;
    return tsr_static_type(ctx, dims, n, elem);
}

/* Converts results to those of the call; additional results of LAPACK are dropped. */
static void give(tsr_build *b, const tsr_op *op, tsr_op *call, const uint32_t *which,
                 tsr_value **out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        out[i] = tsr_build_convert(b, &call->out[which[i]], tsr_elem(&op->out[i]));
}

/* The matrix in a type that LAPACK has; NULL: none. */
static tsr_value *matrix_of(tsr_build *b, tsr_op *op)
{
    tsr_value *a = op->nin ? op->in[0].value : NULL;
    tsr_type *elem =
        a && is_matrix(a) && a->type->n <= MOST_DIMS ? computed_in(b->ctx, tsr_elem(a)) : NULL;
    return elem ? tsr_build_convert(b, a, elem) : NULL;
}

static int64_t size_at(const tsr_value *v, uint32_t from_end)
{
    return v->type->dims[v->type->n - from_end];
}

static bool is_complex(const tsr_value *v)
{
    return tsr_elem(v)->kind == TSR_TYPE_COMPLEX;
}

/* matrix -> its factors, packed; scales of the reflectors */
const char *call_qr(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const uint32_t which[] = {0, 1};
    tsr_value *a = op->nin == 1 && op->nout == 2 ? matrix_of(b, op) : NULL;
    if (!a)
        return TSR_CALL_FORM;
    int64_t m = size_at(a, 2), n = size_at(a, 1);
    tsr_type *types[] = {a->type, shaped(b->ctx, a, m < n ? m : n, -1, tsr_elem(a))};
    give(b, op, lapack(b, "geqrf", &a, 1, types, 2, NULL, 0), which, out);
    return NULL;
}

/* reflectors, their scales -> matrix */
const char *call_householder(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const uint32_t which[] = {0};
    tsr_value *a = op->nin == 2 && op->nout == 1 ? matrix_of(b, op) : NULL;
    if (!a || tsr_elem(op->in[1].value) != tsr_elem(op->in[0].value) ||
        op->in[1].value->type->n + 1 != a->type->n)
        return TSR_CALL_FORM;
    tsr_value *in[] = {a, tsr_build_convert(b, op->in[1].value, tsr_elem(a))};
    give(b, op, lapack(b, is_complex(a) ? "ungqr" : "orgqr", in, 2, &a->type, 1, NULL, 0), which,
         out);
    return NULL;
}

/* matrix -> vectors, values. The configuration is "lower,sort,iterations,tolerance": here values are always sorted. */
const char *call_eigh(tsr_build *b, tsr_op *op, tsr_value **out)
{
    static const uint32_t which[] = {0, 1};
    const tsr_attr *config = op->attrs[STABLEHLO_CUSTOM_CALL_backend_config];
    tsr_value *a = op->nin == 1 && op->nout == 2 ? matrix_of(b, op) : NULL;
    if (!a || size_at(a, 1) != size_at(a, 2))
        return TSR_CALL_FORM;
    bool said = tsr_attr_is(config, TSR_ATTR_STRING) && config->s.len >= 2 &&
                config->s.data[1] == ',' && (config->s.data[0] == '0' || config->s.data[0] == '1');
    if (!said)
        return "has a configuration that does not say which triangle";
    tsr_type *byte = tsr_type_integer(b->ctx, 8, TSR_UNSIGNED),
             *real = is_complex(a) ? tsr_elem(a)->elem : tsr_elem(a);
    tsr_named options[] = {{tsr_name_get(b->ctx, TSR_STR("mode")), tsr_attr_int(b->ctx, byte, 'V')},
                           {tsr_name_get(b->ctx, TSR_STR("uplo")),
                            tsr_attr_int(b->ctx, byte, config->s.data[0] == '1' ? 'L' : 'U')}};
    tsr_type *types[] = {a->type, shaped(b->ctx, a, size_at(a, 1), -1, real),
                         shaped(b->ctx, a, -1, -1, b->ctx->i32)};
    give(b, op, lapack(b, is_complex(a) ? "heevd" : "syevd", &a, 1, types, 3, options, 2), which,
         out);
    return NULL;
}
