/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_hoist.c - ops that the host runs: moves them to functions of ttcore.cpu_module and replaces them by calls.
 *
 * Hosts compute with 32-bit numbers: ttir.to_layout converts operands and results. Functions with identical text are
 * merged. Needs ttcore.device_module; keeps values within the precision of the types; breaks ids. */
#include <stdio.h>

#include "asm/writer.h"
#include "pass/ttir/hoist.h"

typedef TSR_VEC(tsr_op *) op_vec;

typedef struct {
    tsr_pass *p;
    tsr_op *device, *cpu; /* nested modules; cpu: NULL until created */
    tsr_op *root;
    /* host functions declared in the device's module, by the address of their hash */
    tsr_map declared;
} state;

/* ---- Ops that hosts run ---- */

/* Ops of TTIR that the peer's compiler for hosts supports. */
static const uint16_t hosted[] = {TSR_OP_TTIR_ABS,
                                  TSR_OP_TTIR_ACOS,
                                  TSR_OP_TTIR_ADD,
                                  TSR_OP_TTIR_ARANGE,
                                  TSR_OP_TTIR_ARGMAX,
                                  TSR_OP_TTIR_ASIN,
                                  TSR_OP_TTIR_ASINH,
                                  TSR_OP_TTIR_ATAN2,
                                  TSR_OP_TTIR_ATAN,
                                  TSR_OP_TTIR_AVG_POOL2D,
                                  TSR_OP_TTIR_BITWISE_AND,
                                  TSR_OP_TTIR_BITWISE_NOT,
                                  TSR_OP_TTIR_BITWISE_OR,
                                  TSR_OP_TTIR_BITWISE_XOR,
                                  TSR_OP_TTIR_BROADCAST,
                                  TSR_OP_TTIR_CBRT,
                                  TSR_OP_TTIR_CEIL,
                                  TSR_OP_TTIR_CLAMP_SCALAR,
                                  TSR_OP_TTIR_CLAMP_TENSOR,
                                  TSR_OP_TTIR_CONCAT,
                                  TSR_OP_TTIR_CONCATENATE_HEADS,
                                  TSR_OP_TTIR_CONSTANT,
                                  TSR_OP_TTIR_CONV2D,
                                  TSR_OP_TTIR_COS,
                                  TSR_OP_TTIR_CUMSUM,
                                  TSR_OP_TTIR_DIV,
                                  TSR_OP_TTIR_DOT_GENERAL,
                                  TSR_OP_TTIR_EMBEDDING,
                                  TSR_OP_TTIR_EMPTY,
                                  TSR_OP_TTIR_EQ,
                                  TSR_OP_TTIR_ERF,
                                  TSR_OP_TTIR_ERFC,
                                  TSR_OP_TTIR_EXP,
                                  TSR_OP_TTIR_EXPM1,
                                  TSR_OP_TTIR_FLOOR,
                                  TSR_OP_TTIR_FULL,
                                  TSR_OP_TTIR_GELU,
                                  TSR_OP_TTIR_GELU_BW,
                                  TSR_OP_TTIR_GLOBAL_AVG_POOL2D,
                                  TSR_OP_TTIR_GE,
                                  TSR_OP_TTIR_GT,
                                  TSR_OP_TTIR_HARDSIGMOID,
                                  TSR_OP_TTIR_INDEX,
                                  TSR_OP_TTIR_ISFINITE,
                                  TSR_OP_TTIR_LAYER_NORM,
                                  TSR_OP_TTIR_LEAKY_RELU,
                                  TSR_OP_TTIR_LE,
                                  TSR_OP_TTIR_LT,
                                  TSR_OP_TTIR_LINEAR,
                                  TSR_OP_TTIR_LOG1P,
                                  TSR_OP_TTIR_LOG,
                                  TSR_OP_TTIR_LOGICAL_AND,
                                  TSR_OP_TTIR_LOGICAL_LEFT_SHIFT,
                                  TSR_OP_TTIR_LOGICAL_NOT,
                                  TSR_OP_TTIR_LOGICAL_OR,
                                  TSR_OP_TTIR_LOGICAL_RIGHT_SHIFT,
                                  TSR_OP_TTIR_LOGICAL_XOR,
                                  TSR_OP_TTIR_MATMUL,
                                  TSR_OP_TTIR_MAX,
                                  TSR_OP_TTIR_MAX_POOL2D,
                                  TSR_OP_TTIR_MAX_POOL2D_WITH_INDICES,
                                  TSR_OP_TTIR_MAXIMUM,
                                  TSR_OP_TTIR_MEAN,
                                  TSR_OP_TTIR_MIN,
                                  TSR_OP_TTIR_MINIMUM,
                                  TSR_OP_TTIR_MISH,
                                  TSR_OP_TTIR_MULTIPLY,
                                  TSR_OP_TTIR_NEG,
                                  TSR_OP_TTIR_NE,
                                  TSR_OP_TTIR_ONES,
                                  TSR_OP_TTIR_PAD,
                                  TSR_OP_TTIR_PERMUTE,
                                  TSR_OP_TTIR_POW,
                                  TSR_OP_TTIR_PROD,
                                  TSR_OP_TTIR_RECIPROCAL,
                                  TSR_OP_TTIR_REDUCE_AND,
                                  TSR_OP_TTIR_REDUCE_OR,
                                  TSR_OP_TTIR_RELU6,
                                  TSR_OP_TTIR_RELU,
                                  TSR_OP_TTIR_REMAINDER,
                                  TSR_OP_TTIR_REPEAT,
                                  TSR_OP_TTIR_RESHAPE,
                                  TSR_OP_TTIR_REVERSE,
                                  TSR_OP_TTIR_RSQRT,
                                  TSR_OP_TTIR_SIGMOID,
                                  TSR_OP_TTIR_SIGN,
                                  TSR_OP_TTIR_SILU,
                                  TSR_OP_TTIR_SIN,
                                  TSR_OP_TTIR_SLICE_STATIC,
                                  TSR_OP_TTIR_SOFTMAX,
                                  TSR_OP_TTIR_SQRT,
                                  TSR_OP_TTIR_SQUEEZE,
                                  TSR_OP_TTIR_SUBTRACT,
                                  TSR_OP_TTIR_SUM,
                                  TSR_OP_TTIR_TAN,
                                  TSR_OP_TTIR_TANH,
                                  TSR_OP_TTIR_TRANSPOSE,
                                  TSR_OP_TTIR_TYPECAST,
                                  TSR_OP_TTIR_UNSQUEEZE,
                                  TSR_OP_TTIR_WHERE,
                                  TSR_OP_TTIR_ZEROS};

static bool plain(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(t) &&
           (t->elem->kind == TSR_TYPE_INTEGER || t->elem->kind == TSR_TYPE_FLOAT);
}

static bool plain_values(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!plain(op->in[i].value->type))
            return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (!plain(op->out[i].type))
            return false;
    return true;
}

static bool runs_on_host(const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(hosted); i++)
        if (tsr_op_is(op, hosted[i]))
            return plain_values(op) && !op->nregion;
    return false;
}

/* Ops that devices execute together. */
static bool is_barrier(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(TT_CCL)) || tsr_op_is(op, TSR_OP_TTIR_MESH_SHARD) ||
           tsr_op_is(op, TSR_OP_TTIR_MESH_PARTITION);
}

/* ---- Types ---- */

/* signless: as in host functions. */
static tsr_type *wide(const tsr_type *t, bool signless)
{
    tsr_type *elem =
        t->elem->kind == TSR_TYPE_FLOAT
            ? tsr_type_float(t->ctx, TSR_F32)
            : tsr_type_integer(t->ctx, 32, signless ? TSR_SIGNLESS : (tsr_signedness)t->elem->sub);
    return tsr_type_tensor(t->ctx, t->dims, t->n, elem, elem == t->elem ? t->attr : NULL);
}

/* Converts a constant's data to its type. */
static void widen_constant(tsr_op *op)
{
    tsr_attr *a = tsr_op_is(op, TSR_OP_TTIR_CONSTANT) ? op->attrs[TTIR_CONSTANT_value] : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE) || a->type == op->out[0].type)
        return;
    const tsr_type *elem = op->out[0].type->elem;
    size_t n = a->sub ? 1 : (size_t)tsr_type_num_elements(a->type);
    uint32_t *data = tsr_xmalloc((n + 1) * sizeof *data);
    for (size_t i = 0; i < n; i++)
        data[i] = elem->kind == TSR_TYPE_FLOAT
                      ? (uint32_t)tsr_float_from_double(TSR_F32, tsr_ttir_number(a, i))
                      : (uint32_t)tsr_ttir_integer(a, i);
    op->attrs[TTIR_CONSTANT_value] = tsr_attr_dense(op->module->ctx, op->module, op->out[0].type,
                                                    data, n * sizeof *data, a->sub != 0);
    tsr_free(data);
}

/* v as this type: with a change of layout if it differs. */
static tsr_value *as_type(tsr_build *b, tsr_value *v, tsr_type *type)
{
    if (v->type == type)
        return v;
    tsr_value *both[] = {v, tsr_ttir_op(b, TSR_OP_TTIR_EMPTY, NULL, 0, type)};
    return tsr_ttir_op(b, TSR_OP_TTIR_TO_LAYOUT, both, 2, type);
}

/* ---- Functions ---- */

static bool is_in(const op_vec *ops, const tsr_op *op)
{
    for (size_t i = 0; i < ops->n; i++)
        if (ops->data[i] == op)
            return true;
    return false;
}

static tsr_op *new_function(tsr_pass *p, tsr_loc loc, const char *kind, tsr_type *type)
{
    tsr_op *f =
        tsr_op_new(p->module, tsr_opdef_of(p->ctx, TSR_OP_FUNC_FUNC), loc, NULL, 0, NULL, 0, 1, 0);
    f->attrs[FUNC_FUNC_function_type] = tsr_attr_type(p->ctx, type);
    f->extra = tsr_dict_with(p->ctx, NULL, tsr_name_get(p->ctx, TSR_STR("tt.function_type")),
                             tsr_attr_string(p->ctx, (tsr_str){kind, strlen(kind)}));
    return f;
}

static void say(tsr_pass *p, tsr_op *op, tsr_str name, tsr_attr *value)
{
    op->extra = tsr_dict_with(p->ctx, op->extra, tsr_name_get(p->ctx, name), value);
}

static tsr_attr *ranks(tsr_pass *p, tsr_type *const *types, size_t n)
{
    tsr_attr **items = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    for (size_t i = 0; i < n; i++)
        items[i] = tsr_attr_i64(p->ctx, types[i]->n);
    return tsr_attr_array(p->ctx, items, n);
}

/* Copies the ops, with 32-bit numbers; each operand from outside is the next argument. */
static void copy_wide(tsr_pass *p, tsr_block *body, const op_vec *ops, tsr_mapping *map)
{
    uint32_t next = 0;
    for (size_t i = 0; i < ops->n; i++) {
        const tsr_op *from = ops->data[i];
        tsr_op *made = tsr_op_clone(p->module, ops->data[i], map);
        tsr_op_insert(made, body, NULL);
        for (uint32_t k = 0; k < from->nin; k++)
            if (from->in[k].value->is_arg || !is_in(ops, from->in[k].value->op))
                tsr_op_set_operand(made, k, body->args[next++]);
        for (uint32_t k = 0; k < made->nout; k++)
            made->out[k].type = wide(made->out[k].type, true);
        widen_constant(made);
    }
}

/* Copies an op with regions, which also contain types: these stay, and numbers are converted before and after it. */
static void copy_exact(tsr_pass *p, tsr_block *body, tsr_op *op, const tsr_value_vec *in,
                       tsr_mapping *map)
{
    tsr_build b = {.ctx = p->ctx, .module = p->module, .block = body, .loc = op->loc};
    for (size_t i = 0; i < in->n; i++)
        tsr_mapping_put(map, in->data[i],
                        tsr_ttir_typecast(&b, body->args[i], in->data[i]->type->elem));
    tsr_op *made = tsr_op_clone(p->module, op, map);
    tsr_op_insert(made, body, NULL);
    for (uint32_t i = 0; i < made->nout; i++)
        tsr_mapping_put(map, &op->out[i],
                        tsr_ttir_typecast(&b, &made->out[i], wide(op->out[i].type, false)->elem));
    tsr_build_free(&b);
}

/* Whether a function of these ops keeps their types, including signs. */
static bool is_exact(const op_vec *ops)
{
    return ops->n == 1 && ops->data[0]->nregion;
}

/* Marks arguments as read-only, and records the rank of arguments and results. */
static void describe(tsr_pass *p, tsr_op *f, const tsr_type_vec *types, size_t nin, size_t nout)
{
    tsr_attr *read =
        tsr_dict_with(p->ctx, NULL, tsr_name_get(p->ctx, TSR_STR("bufferization.access")),
                      tsr_attr_string(p->ctx, TSR_STR("read")));
    tsr_attr **dicts = TSR_NEW_ARRAY(p->scratch, tsr_attr *, nin + 1);
    for (size_t i = 0; i < nin; i++)
        dicts[i] = read;
    if (nin)
        f->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(p->ctx, dicts, nin);
    say(p, f, TSR_STR("arg_ranks"), ranks(p, types->data, nin));
    say(p, f, TSR_STR("result_ranks"), ranks(p, TSR_FROM(types->data, nin), nout));
}

/* The ops as a function of values from outside. */
static tsr_op *definition(state *s, const op_vec *ops, const tsr_value_vec *in,
                          const tsr_value_vec *out)
{
    tsr_pass *p = s->p;
    tsr_type_vec types = {0};
    bool exact = is_exact(ops);
    for (size_t i = 0; i < in->n; i++)
        tsr_vec_push(&types, wide(in->data[i]->type, !exact));
    for (size_t i = 0; i < out->n; i++)
        tsr_vec_push(&types, wide(out->data[i]->type, !exact));
    tsr_op *f = new_function(
        p, s->root->loc, "forward_cpu",
        tsr_type_function(p->ctx, types.data, in->n, TSR_FROM(types.data, in->n), out->n));
    tsr_block *body = tsr_block_new(p->module);
    tsr_block_insert(body, &f->regions[0], NULL);
    for (size_t i = 0; i < in->n; i++)
        tsr_block_add_arg(p->module, body, types.data[i], f->loc);
    tsr_mapping map = {0};
    if (exact)
        copy_exact(p, body, ops->data[0], in, &map);
    else
        copy_wide(p, body, ops, &map);
    TSR_BLOCK_OPS (body, op)
        say(p, op, TSR_STR("ttir.should_hoist"), NULL);
    tsr_value_vec results = {0};
    for (size_t i = 0; i < out->n; i++)
        tsr_vec_push(&results, tsr_mapping_get(&map, out->data[i]));
    tsr_op_insert(tsr_op_new(p->module, tsr_opdef_of(p->ctx, TSR_OP_FUNC_RETURN), f->loc,
                             results.data, results.n, NULL, 0, 0, 0),
                  body, NULL);
    describe(p, f, &types, in->n, out->n);
    tsr_vec_free(&results);
    tsr_vec_free(&types);
    tsr_mapping_free(&map);
    return f;
}

/* ---- Merging identical functions ---- */

/* Hashes the bytes and their length. */
static uint64_t mixed(uint64_t hash, const void *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(1099511628211);
    return (hash ^ 256) * UINT64_C(1099511628211);
}

static uint64_t mixed_text(uint64_t hash, tsr_writer *w)
{
    tsr_str s = tsr_buf_text(w->out);
    hash = mixed(hash, s.data, s.len);
    w->out->len = 0;
    return hash;
}

static uint64_t mixed_type(uint64_t hash, tsr_writer *w, const tsr_type *t)
{
    tsr_write_type(w, t);
    return mixed_text(hash, w);
}

/* Hashes the full contents of an attribute, including elements of large constants. */
static uint64_t mixed_attr(uint64_t hash, tsr_writer *w, const tsr_attr *a)
{
    if (!a)
        return mixed(hash, NULL, 0);
    if (tsr_attr_is(a, TSR_ATTR_DENSE))
        return mixed(mixed_type(hash, w, a->type), a->s.data, a->s.len);
    tsr_write_attr(w, a);
    return mixed_text(hash, w);
}

static uint64_t mixed_op(uint64_t hash, tsr_writer *w, const tsr_op *op, uint32_t first)
{
    hash = mixed(hash, op->def->name.data, op->def->name.len);
    for (uint32_t i = 0; i < op->nin; i++) {
        uint32_t id = op->in[i].value->id - first;
        hash = mixed(hash, &id, sizeof id);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        hash = mixed_type(hash, w, op->out[i].type);
    for (size_t i = 0; i < op->def->nslot; i++)
        hash = mixed_attr(hash, w, op->attrs[i]);
    for (uint32_t i = 0; i < op->nregion; i++)
        for (const tsr_block *b = op->regions[i].first; b; b = b->next)
            for (uint32_t k = 0; k < b->nargs; k++)
                hash = mixed_type(hash, w, b->args[k]->type);
    return op->extra ? mixed_attr(hash, w, op->extra) : hash;
}

/* Hashes the contents of a function: the same for the same ops. Values are numbered from the first one created for
 * it. */
static uint64_t hash_of(tsr_op *f)
{
    tsr_buf text = {0};
    tsr_writer w = {.out = &text, .ctx = f->module->ctx};
    const tsr_block *body = f->regions[0].first;
    uint32_t first = body->nargs              ? body->args[0]->id
                     : body->first->nout != 0 ? body->first->out[0].id
                                              : 0;
    uint64_t hash = UINT64_C(14695981039346656037);
    TSR_OPS (f, op)
        hash = mixed_op(hash, &w, op, first);
    tsr_buf_free(&text);
    return hash;
}

static bool says_hash(const tsr_op *op, const tsr_attr *hash)
{
    return tsr_op_is(op, TSR_OP_FUNC_FUNC) && tsr_dict_get(op->extra, TSR_STR("func_hash")) == hash;
}

/* The declaration with this hash; NULL: none. */
static tsr_op *known(const state *s, const tsr_attr *hash)
{
    TSR_MAP_EACH (&s->declared, tsr_hash_ptr(hash), v)
        if (says_hash(v, hash))
            return v;
    return NULL;
}

static tsr_op *nested(tsr_op *outer, uint16_t opcode)
{
    tsr_op *op = tsr_op_new(outer->module, tsr_opdef_of(outer->module->ctx, opcode), outer->loc,
                            NULL, 0, NULL, 0, 1, 0);
    tsr_block_insert(tsr_block_new(outer->module), &op->regions[0], NULL);
    tsr_op_insert(op, outer->regions[0].first, NULL);
    return op;
}

tsr_op *tsr_hoist_new_module(tsr_op *root)
{
    return nested(nested(root, TSR_OP_TTCORE_CPU_MODULE), TSR_OP_BUILTIN_MODULE);
}

static tsr_op *cpu_module(state *s)
{
    if (!s->cpu)
        s->cpu = tsr_hoist_new_module(s->root);
    return s->cpu;
}

/* The declaration of a host function in the device's module: an existing one with the same text, or a new one. */
static tsr_op *declare(state *s, tsr_op *made, const char *name, const tsr_value_vec *in,
                       const tsr_value_vec *out)
{
    tsr_pass *p = s->p;
    uint64_t hash = hash_of(made);
    char digits[32];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    tsr_attr *mark = tsr_attr_string(p->ctx, (tsr_str){digits, strlen(digits)});
    tsr_op *old = known(s, mark);
    if (old) {
        tsr_op_erase(made);
        return old;
    }
    tsr_type_vec types = {0};
    for (size_t i = 0; i < in->n; i++)
        tsr_vec_push(&types, wide(in->data[i]->type, false));
    for (size_t i = 0; i < out->n; i++)
        tsr_vec_push(&types, wide(out->data[i]->type, false));
    tsr_op *f = new_function(
        p, s->root->loc, "forward_cpu_declaration",
        tsr_type_function(p->ctx, types.data, in->n, TSR_FROM(types.data, in->n), out->n));
    f->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(p->ctx, TSR_STR("private"));
    tsr_buf text = {0};
    tsr_buf_printf(&text, "cpu_hoisted_%s_%.8s", name, digits);
    for (size_t i = 0; i < tsr_buf_text(&text).len; i++)
        if (tsr_buf_text(&text).data[i] == '.')
            ((char *)tsr_buf_text(&text).data)[i] = '_';
    tsr_attr *symbol = tsr_attr_string(p->ctx, tsr_buf_text(&text));
    say(p, f, TSR_STR("func_hash"), mark);
    say(p, made, TSR_STR("func_hash"), mark);
    tsr_op_set_attr(f, TSR_STR("sym_name"), symbol);
    tsr_op_set_attr(made, TSR_STR("sym_name"), symbol);
    tsr_map_put(&s->declared, tsr_hash_ptr(mark), f);
    tsr_op_insert(f, s->device->regions[0].first, NULL);
    tsr_op_insert(made, cpu_module(s)->regions[0].first, NULL);
    tsr_buf_free(&text);
    tsr_vec_free(&types);
    return f;
}

/* Values from outside that the regions of op use. */
static void captured(tsr_op *op, tsr_value_vec *in)
{
    TSR_OPS (op, inner)
        for (uint32_t i = 0; inner != op && i < inner->nin; i++) {
            tsr_value *v = inner->in[i].value;
            bool old = tsr_op_is_ancestor(op, v->is_arg ? tsr_block_parent(v->block) : v->op);
            for (size_t k = 0; !old && k < in->n; k++)
                old = in->data[k] == v;
            if (!old)
                tsr_vec_push(in, v);
        }
}

static void hoist(state *s, const op_vec *ops, const char *name)
{
    tsr_value_vec in = {0}, out = {0}, wide_in = {0};
    tsr_op *last = ops->data[ops->n - 1];
    for (size_t i = 0; i < ops->n; i++) {
        tsr_op *op = ops->data[i];
        for (uint32_t k = 0; k < op->nin; k++)
            if (op->in[k].value->is_arg || !is_in(ops, op->in[k].value->op))
                tsr_vec_push(&in, op->in[k].value);
        captured(op, &in);
        for (uint32_t k = 0; k < op->nout; k++) {
            bool outside = ops->n == 1;
            for (const tsr_use *u = op->out[k].uses; u; u = u->next)
                outside |= !is_in(ops, u->user);
            if (outside)
                tsr_vec_push(&out, &op->out[k]);
        }
    }
    tsr_op *f = declare(s, definition(s, ops, &in, &out), name, &in, &out);
    tsr_build b = tsr_build_before(last);
    b.at = last->next;
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&wide_in, as_type(&b, in.data[i], wide(in.data[i]->type, false)));
    tsr_type_vec types = {0};
    for (size_t i = 0; i < out.n; i++)
        tsr_vec_push(&types, wide(out.data[i]->type, false));
    tsr_op *call = tsr_op_new(s->p->module, tsr_opdef_of(s->p->ctx, TSR_OP_FUNC_CALL), last->loc,
                              wide_in.data, wide_in.n, types.data, types.n, 0, 0);
    call->attrs[FUNC_CALL_callee] = tsr_attr_symbol(s->p->ctx, tsr_op_symbol(f), NULL, 0);
    say(s->p, call, TSR_STR("ttir.cpu_hoisted_call"), tsr_attr_unit(s->p->ctx));
    tsr_op_insert(call, last->block, b.at);
    for (size_t i = 0; i < out.n; i++)
        tsr_value_replace(out.data[i], as_type(&b, &call->out[i], out.data[i]->type));
    for (size_t i = ops->n; i-- > 0;)
        tsr_op_erase(ops->data[i]);
    tsr_build_free(&b);
    tsr_vec_free(&types);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_vec_free(&wide_in);
    s->p->changed = true;
}

/* ---- Passes ---- */

tsr_op *tsr_hoist_module(const tsr_op *root, uint16_t opcode)
{
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_is(op, opcode) && op->regions[0].first)
            TSR_BLOCK_OPS (op->regions[0].first, m)
                if (tsr_op_is(m, TSR_OP_BUILTIN_MODULE) && m->regions[0].first)
                    return m;
    return NULL;
}

static bool start(tsr_pass *p, tsr_op *root, state *s)
{
    *s = (state){.p = p, .root = root};
    if (root->block || !root->regions[0].first)
        return false;
    s->device = tsr_hoist_module(root, TSR_OP_TTCORE_DEVICE_MODULE);
    s->cpu = tsr_hoist_module(root, TSR_OP_TTCORE_CPU_MODULE);
    if (!s->device)
        return false;
    TSR_BLOCK_OPS (s->device->regions[0].first, op) {
        const tsr_attr *hash = tsr_dict_get(op->extra, TSR_STR("func_hash"));
        if (hash)
            tsr_map_put(&s->declared, tsr_hash_ptr(hash), op);
    }
    return true;
}

/* Whether a host can run op: operands and results are numbers, and it is self-contained. */
static bool can_hoist(tsr_op *op)
{
    tsr_value_vec in = {0};
    captured(op, &in);
    bool ok = plain_values(op);
    for (size_t i = 0; ok && i < in.n; i++)
        ok = plain(in.data[i]->type);
    tsr_vec_free(&in);
    if (!ok)
        return tsr_op_error(op, "has values that hosts do not compute with: it cannot be hoisted");
    TSR_OPS (op, inner)
        if (tsr_op_is(inner, TSR_OP_FUNC_CALL) || is_barrier(inner))
            return tsr_op_error(inner, "is in what the host is to run, which neither calls "
                                       "functions nor talks to other devices");
    return true;
}

/* Hoists each op for which test is true, individually; not those nested in others. */
static bool hoist_each(tsr_pass *p, tsr_op *root, bool (*test)(const tsr_op *op))
{
    state s;
    op_vec found = {0};
    if (!start(p, root, &s))
        return true;
    for (tsr_op *op = s.device; op;) {
        bool is = test(op);
        if (is)
            tsr_vec_push(&found, op);
        op = is ? tsr_walk_past(s.device, op) : tsr_walk_next(s.device, op);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < found.n; i++) {
        tsr_op *op = found.data[i];
        op_vec one = {.data = &op, .n = 1};
        char name[96];
        snprintf(name, sizeof name, "%.*s", TSR_STR_ARG(op->def->name));
        ok = can_hoist(op);
        if (ok)
            hoist(&s, &one, name);
    }
    tsr_map_free(&s.declared);
    tsr_vec_free(&found);
    return ok;
}

static bool is_tagged(const tsr_op *op)
{
    return tsr_dict_get(op->extra, TSR_STR("ttir.should_hoist")) != NULL;
}

bool pass_cpu_hoist_manually_tagged(tsr_pass *p, tsr_op *root)
{
    return hoist_each(p, root, is_tagged);
}

static bool stays_stablehlo(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE) ||
           tsr_op_is(op, TSR_OP_STABLEHLO_EINSUM) || tsr_op_is(op, TSR_OP_STABLEHLO_WHILE) ||
           tsr_op_is(op, TSR_OP_STABLEHLO_IF) || tsr_op_is(op, TSR_OP_STABLEHLO_CASE);
}

bool pass_cpu_hoist_non_lowerable_shlo_ops(tsr_pass *p, tsr_op *root)
{
    return hoist_each(p, root, stays_stablehlo);
}

/* ---- Constant evaluation ---- */

/* Ops that create v without operands, through reshapes and casts, stay on the device. */
static void mark_creation(tsr_value *v, op_vec *skipped)
{
    size_t n = skipped->n;
    while (!v->is_arg) {
        tsr_vec_push(skipped, v->op);
        if (tsr_op_has(v->op, TSR_TRAIT(TT_CREATES)))
            return;
        if (!tsr_op_is(v->op, TSR_OP_TTIR_RESHAPE) && !tsr_op_is(v->op, TSR_OP_TTIR_TYPECAST))
            break;
        v = v->op->in[0].value;
    }
    skipped->n = n;
}

static void end_segment(state *s, op_vec *segment)
{
    const tsr_op *other = NULL;
    for (size_t i = 0; i < segment->n && !other; i++)
        if (!runs_on_host(segment->data[i]))
            other = segment->data[i];
    if (other)
        tsr_emit(s->p->ctx, TSR_WARNING, other->loc,
                 "'%.*s' op Skipping CPU hoisting of const-eval subgraph: op cannot be lowered to "
                 "Linalg",
                 TSR_STR_ARG(other->def->name));
    else if (segment->n)
        hoist(s, segment, "const_eval");
    segment->n = 0;
}

static void hoist_function(state *s, tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    op_vec skipped = {0}, segment = {0};
    TSR_BLOCK_OPS (body, op)
        if (tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoisted_call")))
            return;
    for (uint32_t i = 0; body->last && i < body->last->nin; i++)
        mark_creation(body->last->in[i].value, &skipped);
    for (tsr_op *op = body->first, *next; op && op != body->last; op = next) {
        next = op->next;
        if (is_barrier(op))
            end_segment(s, &segment);
        else if (!is_in(&skipped, op))
            tsr_vec_push(&segment, op);
    }
    end_segment(s, &segment);
    tsr_vec_free(&skipped);
    tsr_vec_free(&segment);
}

bool pass_cpu_hoist_const_eval(tsr_pass *p, tsr_op *root)
{
    state s;
    op_vec funcs = {0};
    if (!start(p, root, &s))
        return true;
    TSR_BLOCK_OPS (s.device->regions[0].first, op) {
        const tsr_attr *kind = tsr_dict_get(op->extra, TSR_STR("tt.function_type"));
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first &&
            tsr_attr_is(kind, TSR_ATTR_STRING) && tsr_str_is(kind->s, "const_eval"))
            tsr_vec_push(&funcs, op);
    }
    for (size_t i = 0; i < funcs.n; i++)
        hoist_function(&s, funcs.data[i]);
    tsr_map_free(&s.declared);
    tsr_vec_free(&funcs);
    return true;
}
