/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - --tessera-raise-custom-calls: replaces custom calls that represent ops by those ops: of CHLO, of StableHLO,
 * or the targets of LAPACK that the evaluator has. calls.def is the list. Needs nothing; keeps values; breaks ids.
 *
 * Exporters write mhlo.attributes (the op's attributes, and shardings) and mhlo.version on such a call; other
 * discardable attributes are the user's and are passed on to the new ops. */
#include "lower/calls.h"

#include "dialect/dialect.h"
#include "dialect/sdy/sharding.h"
#include "lower/lower.h"
#include "lower/passes.h"

typedef struct {
    const char *target;
    enum tsr_opcode opcode; /* if there is no hook */
    bool named;             /* the op's attributes are in mhlo.attributes */
    tsr_call_fn *hook;
} target;

static const target targets[] = {
#define UNARY(name, opcode) {name, TSR_OP_##opcode, false, NULL},
#define BY_NAME(name, opcode) {name, TSR_OP_##opcode, true, NULL},
#define CALL(name, fn) {name, 0, false, call_##fn},
#include "lower/calls.def"
};

static const target *find(const tsr_op *op)
{
    if (!tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL))
        return NULL;
    tsr_str name = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s;
    for (size_t i = 0; i < TSR_COUNT(targets); i++)
        if (tsr_str_is(name, targets[i].target))
            return &targets[i];
    return NULL;
}

bool tsr_is_raised_call(const tsr_op *op)
{
    return find(op) != NULL;
}

const tsr_attr *tsr_call_config(const tsr_op *op)
{
    const tsr_attr *config = op->attrs[STABLEHLO_CUSTOM_CALL_backend_config];
    if (!tsr_attr_is(config, TSR_ATTR_DICT))
        config = tsr_dict_get(op->extra, TSR_STR("mhlo.backend_config"));
    return tsr_attr_is(config, TSR_ATTR_DICT) ? config : NULL;
}

static const tsr_attr *attributes(const tsr_op *op)
{
    const tsr_attr *a = tsr_dict_get(op->extra, TSR_STR("mhlo.attributes"));
    return tsr_attr_is(a, TSR_ATTR_DICT) ? a : NULL;
}

/* ---- Regions from functions ---- */

/* The function that the call names as its only computation. */
static tsr_op *computation(const tsr_op *op)
{
    const tsr_attr *list = op->attrs[STABLEHLO_CUSTOM_CALL_called_computations];
    tsr_op *f = list && list->n == 1 ? tsr_symbol_resolve(op, list->attrs[0]) : NULL;
    bool whole = f && tsr_op_is(f, TSR_OP_FUNC_FUNC) && f->regions[0].first &&
                 f->regions[0].first == f->regions[0].last;
    return whole ? f : NULL;
}

/* Copies the body of a function to a region of an op that is being built. */
static void copy_body(const tsr_build *b, const tsr_op *func, tsr_region *region)
{
    const tsr_block *from = func->regions[0].first;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < from->nargs; i++)
        tsr_vec_push(&types, from->args[i]->type);
    tsr_build in = tsr_build_in(b, region, types.data, types.n);
    tsr_mapping map = {0};
    tsr_value_vec results = {0};
    for (uint32_t i = 0; i < from->nargs; i++)
        tsr_mapping_put(&map, from->args[i], in.block->args[i]);
    TSR_BLOCK_OPS (from, op) {
        if (op != from->last)
            tsr_op_insert(tsr_op_clone(b->module, op, &map), in.block, NULL);
        else
            for (uint32_t i = 0; i < op->nin; i++)
                tsr_vec_push(&results, tsr_mapping_get(&map, op->in[i].value));
    }
    tsr_build_return(&in, results.data, results.n);
    tsr_mapping_free(&map);
    tsr_build_free(&in);
    tsr_vec_free(&results);
    tsr_vec_free(&types);
}

/* ---- CHLO ---- */

/* The op with the call's operands and results; its attributes are in mhlo.attributes under their names. */
static const char *by_row(tsr_build *b, tsr_op *op, const target *t, tsr_value **out)
{
    const tsr_opdef *def = tsr_opdef_of(b->ctx, t->opcode);
    const tsr_attr *given = t->named ? attributes(op) : NULL;
    tsr_op *body = def->nregion ? computation(op) : NULL;
    if (def->single_args && (op->nin != def->narg || op->nout != def->nresult))
        return TSR_CALL_FORM;
    if (def->nregion && !body)
        return "has no computation with a body";
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_op_values(op, &in, &types);
    tsr_op *made = tsr_build_open(b, t->opcode, in.data, in.n, types.n, def->nregion);
    for (uint16_t i = 0; i < def->nslot && given; i++) {
        tsr_attr *a = tsr_dict_get(given, tsr_cstr(def->slots[i].name));
        made->attrs[i] = a ? a : made->attrs[i];
    }
    if (body)
        copy_body(b, body, &made->regions[0]);
    tsr_build_close_as(b, made, types.data);
    for (uint32_t i = 0; i < op->nout; i++)
        out[i] = &made->out[i];
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return NULL;
}

/* Sorts by the comparison in body and takes the first elements along a dimension; the comparator comes from a function,
 * or compares the first pair by direction. */
static void sort_and_slice(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim, int64_t count,
                           const tsr_op *order, const char *direction, tsr_value **out)
{
    tsr_type_vec types = {0}, args = {0};
    for (size_t i = 0; i < n; i++) {
        tsr_vec_push(&types, in[i]->type);
        tsr_vec_push(&args, tsr_scalar_type(tsr_elem(in[i])));
        tsr_vec_push(&args, tsr_scalar_type(tsr_elem(in[i])));
    }
    tsr_op *sort = tsr_build_open(b, TSR_OP_STABLEHLO_SORT, in, n, n, 1);
    sort->attrs[STABLEHLO_SORT_dimension] = tsr_attr_i64(b->ctx, dim);
    sort->attrs[STABLEHLO_SORT_is_stable] = tsr_attr_bool(b->ctx, true);
    if (order) {
        copy_body(b, order, &sort->regions[0]);
    } else {
        tsr_build body = tsr_build_in(b, &sort->regions[0], args.data, args.n);
        const char *kind = args.data[0]->elem->kind == TSR_TYPE_FLOAT ? "TOTALORDER" : NULL;
        tsr_value *less =
            tsr_build_compare(&body, direction, kind, body.block->args[0], body.block->args[1]);
        tsr_build_return(&body, &less, 1);
        tsr_build_free(&body);
    }
    tsr_build_close_as(b, sort, types.data);
    for (size_t i = 0; i < n; i++)
        out[i] = tsr_build_slice(b, &sort->out[i], dim, 0, count);
    tsr_vec_free(&types);
    tsr_vec_free(&args);
}

/* operand -> values, indices: the k largest of the last dimension, or the smallest. */
const char *call_topk(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *given = attributes(op), *k = given ? tsr_dict_get(given, TSR_STR("k")) : NULL;
    const tsr_attr *largest = given ? tsr_dict_get(given, TSR_STR("largest")) : NULL;
    tsr_type *type = op->nin == 1 ? op->in[0].value->type : NULL;
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || !type->n || op->nout != 2 ||
        !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR) ||
        !tsr_type_is(op->out[1].type, TSR_TYPE_TENSOR))
        return TSR_CALL_FORM;
    if (!tsr_attr_is(k, TSR_ATTR_INT) || k->i < 0 ||
        (largest && !tsr_attr_is(largest, TSR_ATTR_INT)))
        return "has no attribute k, or one that is no number";
    int64_t last = type->n - 1;
    if (type->dims[last] != TSR_DYNAMIC && type->dims[last] < k->i)
        return "has fewer elements than k";
    tsr_value *x = op->in[0].value;
    if (largest && !largest->i) {
        tsr_value *in[] = {x, tsr_build_iota(b, x, tsr_elem(&op->out[1]), last)};
        sort_and_slice(b, in, 2, last, k->i, NULL, "LT", out);
        return NULL;
    }
    tsr_type *types[] = {op->out[0].type, op->out[1].type};
    tsr_op *made = tsr_build_open(b, TSR_OP_CHLO_TOP_K, &x, 1, 2, 0);
    made->attrs[CHLO_TOP_K_k] = tsr_attr_i64(b->ctx, k->i);
    tsr_build_close_as(b, made, types);
    out[0] = &made->out[0];
    out[1] = &made->out[1];
    return NULL;
}

/* n operands and n initial values -> n results: computes exactly what a device may compute approximately. */
const char *call_approx_top_k(tsr_build *b, tsr_op *op, tsr_value **out)
{
    enum { MOST = 16 };
    const tsr_attr *config = tsr_call_config(op);
    const tsr_attr *dim = config ? tsr_dict_get(config, TSR_STR("reduction_dim")) : NULL;
    const tsr_op *order = computation(op);
    uint32_t n = op->nout;
    tsr_value *in[MOST];
    if (!n || n > MOST || op->nin != 2 * n)
        return TSR_CALL_FORM;
    if (!order || order->regions[0].first->nargs != 2 * n ||
        order->regions[0].first->last->nin != 1)
        return "has no comparison among its computations";
    for (uint32_t i = 0; i < n; i++) {
        in[i] = op->in[i].value;
        if (!tsr_type_has_static_shape(in[i]->type) ||
            !tsr_type_has_static_shape(op->out[i].type) || in[i]->type->n != op->out[i].type->n ||
            in[i]->type->n != in[0]->type->n)
            return TSR_CALL_FORM;
    }
    int64_t rank = in[0]->type->n, d = tsr_attr_is(dim, TSR_ATTR_INT) ? dim->i : rank;
    d += d < 0 ? rank : 0;
    if (d < 0 || d >= rank)
        return "has no reduction_dim that is a dimension of its operands";
    int64_t count = op->out[0].type->dims[d];
    if (count > in[0]->type->dims[d])
        return TSR_CALL_FORM;
    sort_and_slice(b, in, n, d, count, order, NULL, out);
    return NULL;
}

static tsr_attr *precision_of(tsr_ctx *ctx, const tsr_attr *word)
{
    for (int64_t i = 0; tsr_attr_is(word, TSR_ATTR_STRING) && tsr_def_CHLO_PRECISION.cases[i]; i++)
        if (tsr_str_is(word->s, tsr_def_CHLO_PRECISION.cases[i]))
            return tsr_attr_enum(ctx, &tsr_def_CHLO_PRECISION, i);
    return NULL;
}

/* Dimensions are six lists of numbers, precision is words. */
const char *call_ragged_dot(tsr_build *b, tsr_op *op, tsr_value **out)
{
    enum { LISTS = 6, LONGEST = 32 };
    tsr_ints numbers[LISTS];
    const tsr_attr *given = attributes(op);
    const tsr_attr *lists =
        given ? tsr_dict_get(given, TSR_STR("ragged_dot_dimension_numbers")) : NULL;
    const tsr_attr *words = given ? tsr_dict_get(given, TSR_STR("precision_config")) : NULL;
    tsr_attr *precision[2] = {0};
    if (op->nin != 3 || op->nout != 1)
        return TSR_CALL_FORM;
    if (!tsr_attr_is(lists, TSR_ATTR_ARRAY) || lists->n != LISTS)
        return "has no lists of its dimensions";
    for (size_t i = 0; i < LISTS; i++) {
        const tsr_attr *list = lists->attrs[i];
        int64_t count = tsr_attr_is(list, TSR_ATTR_DENSE) ? tsr_attr_count(list) : -1;
        if (count < 0 || count > LONGEST || list->type->elem != b->ctx->i64)
            return "has no lists of its dimensions";
        numbers[i] = tsr_attr_ints(list);
    }
    tsr_dot d = {.batch = {numbers[0], numbers[1]},
                 .contract = {numbers[2], numbers[3]},
                 .ragged = numbers[4],
                 .group = numbers[5]};
    tsr_value *in[] = {op->in[0].value, op->in[1].value, op->in[2].value};
    tsr_op *made = tsr_build_open(b, TSR_OP_CHLO_RAGGED_DOT, in, 3, 1, 0);
    made->attrs[CHLO_RAGGED_DOT_ragged_dot_dimension_numbers] = tsr_ragged_dot_attr(b->ctx, &d);
    for (size_t i = 0; tsr_attr_is(words, TSR_ATTR_ARRAY) && words->n == 2 && i < 2; i++)
        precision[i] = precision_of(b->ctx, words->attrs[i]);
    if (precision[0] && precision[1])
        made->attrs[CHLO_RAGGED_DOT_precision_config] = tsr_attr_array(b->ctx, precision, 2);
    out[0] = &tsr_build_close_as(b, made, &op->out[0].type)->out[0];
    return NULL;
}

/* ---- The pass ---- */

/* The user's attributes of the call, for the ops that replace it: all except the exporter's own, plus those of the
 * latter that belong to a dialect (shardings are in mhlo.attributes, too). */
static tsr_attr *kept(tsr_ctx *ctx, const tsr_op *op)
{
    static const char *const own[] = {"mhlo.attributes", "mhlo.version", "mhlo.backend_config",
                                      "xla_shape"};
    tsr_attr *extra = op->extra;
    const tsr_attr *inner = attributes(op);
    for (size_t i = 0; i < TSR_COUNT(own); i++)
        if (extra)
            extra = tsr_dict_with(ctx, extra, tsr_name_get(ctx, tsr_cstr(own[i])), NULL);
    for (uint32_t i = 0; inner && i < inner->n; i++)
        if (memchr(inner->named[i].name->str.data, '.', inner->named[i].name->str.len))
            extra = tsr_dict_with(ctx, extra, inner->named[i].name, inner->named[i].value);
    return extra;
}

static bool alike(const tsr_type *a, const tsr_type *b)
{
    bool same = a->kind == b->kind && a->elem == b->elem && a->n == b->n;
    for (uint32_t d = 0; same && a != b && d < a->n; d++)
        same = a->dims[d] == b->dims[d] || a->dims[d] == TSR_DYNAMIC || b->dims[d] == TSR_DYNAMIC;
    return same;
}

/* Passes the attributes of the call and its results on. */
static void hand_on(tsr_op *op, tsr_value *const *out)
{
    tsr_attr *extra = kept(op->module->ctx, op);
    if (!extra || !op->nout)
        return;
    if (out[0]->op->nout == op->nout) {
        tsr_attr *rule = tsr_dict_get(out[0]->op->extra, TSR_STR("sdy.sharding_rule"));
        out[0]->op->extra = extra;
        if (rule)
            tsr_op_set_attr(out[0]->op, TSR_STR("sdy.sharding_rule"), rule);
    } else {
        for (uint32_t i = 0; i < op->nout; i++)
            if (tsr_sdy_sharding_of(&op->out[i]))
                tsr_sdy_set_sharding(out[i], tsr_sdy_sharding_of(&op->out[i]));
    }
}

static bool raise(tsr_op *op, const target *t)
{
    tsr_build b = tsr_build_before(op);
    tsr_value **out = tsr_xmalloc((op->nout + 1) * sizeof *out);
    const char *wrong = t->hook ? t->hook(&b, op, out) : by_row(&b, op, t, out);
    for (uint32_t i = 0; !wrong && !b.failed && i < op->nout; i++)
        if (!alike(out[i]->type, op->out[i].type))
            wrong = "has results of other types than its target gives";
    bool ok = !wrong && !b.failed;
    if (wrong)
        tsr_op_error(op, "calls @%s, and %s", t->target, wrong);
    if (ok) {
        hand_on(op, out);
        tsr_build_replace(op, out);
    }
    tsr_free(out);
    tsr_build_free(&b);
    return ok;
}

/* Converts a call that returns one tuple (XLA's way to return several values) to one that returns its elements. */
static tsr_op *without_tuple(tsr_op *op)
{
    if (op->nout != 1 || !tsr_type_is(op->out[0].type, TSR_TYPE_TUPLE))
        return op;
    tsr_build b = tsr_build_before(op);
    const tsr_type *tuple = op->out[0].type;
    tsr_value_vec in = {0}, out = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    tsr_op *made = tsr_build_open(&b, TSR_OP_STABLEHLO_CUSTOM_CALL, in.data, in.n, tuple->n, 0);
    memcpy(made->attrs, op->attrs, op->def->nslot * sizeof *op->attrs);
    made->attrs[STABLEHLO_CUSTOM_CALL_result_layouts] = NULL;
    made->extra = op->extra;
    tsr_build_close_as(&b, made, tuple->types);
    for (uint32_t i = 0; i < made->nout; i++)
        tsr_vec_push(&out, &made->out[i]);
    for (tsr_use *u = op->out[0].uses, *next; u; u = next) {
        tsr_op *user = u->user;
        next = u->next;
        if (!tsr_op_is(user, TSR_OP_STABLEHLO_GET_TUPLE_ELEMENT))
            continue;
        tsr_value_replace(&user->out[0],
                          out.data[user->attrs[STABLEHLO_GET_TUPLE_ELEMENT_index]->i]);
        tsr_op_erase(user);
    }
    if (op->out[0].uses)
        tsr_value_replace(&op->out[0], tsr_build_op(&b, TSR_OP_STABLEHLO_TUPLE, out.data, out.n,
                                                    op->out[0].type));
    tsr_op_erase(op);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_build_free(&b);
    return made;
}

/* Whether the call stays because TTIR has an op for it, where StableHLO and CHLO need several (the smallest of a
 * dimension). TTIR's ops return several results, not one tuple. */
static bool is_kept(const tsr_op *op)
{
    return tsr_ttir_takes_call(tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s) &&
           !(op->nout == 1 && tsr_type_is(op->out[0].type, TSR_TYPE_TUPLE));
}

bool pass_tessera_raise_custom_calls(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) calls = {0};
    bool ok = true, keep = tsr_pass_bool(p, "keep-ttir");
    /* A copied body may contain further calls; a recursive one would never end. */
    enum { DEEPEST = 16 };
    size_t depth = 0;
    do {
        calls.n = 0;
        TSR_OPS (root, op)
            if (find(op) && !(keep && is_kept(op)))
                tsr_vec_push(&calls, op);
        for (size_t i = 0; ok && i < calls.n; i++) {
            const target *t = find(calls.data[i]);
            ok = depth < DEEPEST
                     ? raise(without_tuple(calls.data[i]), t)
                     : tsr_op_error(calls.data[i], "calls @%s, and its computation calls itself",
                                    t->target);
        }
        p->changed |= calls.n > 0;
        depth++;
    } while (ok && calls.n);
    tsr_vec_free(&calls);
    return ok;
}
