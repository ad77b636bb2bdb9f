/* SPDX-License-Identifier: Apache-2.0 */
/* metal_load.c - queues of commands as functions: sharding of tensors, calls of host functions, and returns. A device
 * command is rejected: it starts kernels, or concerns memory that only they use. */
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttir/build.h"
#include "target/flatbuffer/program.h"

typedef struct {
    tsr_fb_state *s;
    const tsr_fb_value *commands;
    tsr_block *body;
    tsr_fb_signature *g;
    tsr_map elems; /* of buffers: element types known from host functions, by number */
    bool done;     /* it has returned */
} queue;

static bool bad(const queue *q, const tsr_fb_table *at, const char *fmt, ...) TSR_PRINTF(3, 4);
static bool bad(const queue *q, const tsr_fb_table *at, const char *fmt, ...)
{
    tsr_buf text = {0};
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&text, fmt, args);
    va_end(args);
    tsr_error(q->s->c.ctx, q->s->c.loc, "byte %u: %s: %.*s", at->at, at->type->name, (int)text.len,
              text.data);
    tsr_buf_free(&text);
    return false;
}

/* ---- Types of buffers ---- */

/* An element type that is known for a buffer. */
typedef struct {
    int64_t id;
    tsr_type *elem;
} hint;

static tsr_type *hinted(const queue *q, const tsr_fb_table *ref)
{
    int64_t id = tsr_fb_int(ref, "global_id");
    TSR_MAP_EACH (&q->elems, tsr_hash_mix((uint64_t)id, 1), found)
        if (((const hint *)found)->id == id)
            return ((const hint *)found)->elem;
    return NULL;
}

static void give_hint(queue *q, const tsr_fb_table *ref, tsr_type *elem)
{
    int64_t id = tsr_fb_int(ref, "global_id");
    if (!elem || hinted(q, ref))
        return;
    hint *h = tsr_arena_alloc(q->s->c.arena, sizeof *h);
    *h = (hint){id, elem};
    tsr_map_put(&q->elems, tsr_hash_mix((uint64_t)id, 1), h);
}

/* The function of a command; NULL: it is machine code, or missing. */
static const tsr_op *callee(const queue *q, const tsr_fb_table *cpu)
{
    tsr_op *f = q->s->host ? tsr_symbol_find(q->s->host, tsr_fb_text(cpu, "func_name")) : NULL;
    return f && tsr_op_is(f, TSR_OP_FUNC_FUNC) ? f : NULL;
}

static const tsr_type *type_of_function(const tsr_op *f)
{
    const tsr_attr *a = f->attrs[FUNC_FUNC_function_type];
    return a && tsr_attr_is(a, TSR_ATTR_TYPE) ? a->type : NULL;
}

static void hint_list(queue *q, const tsr_fb_value *list, tsr_type *const *types, size_t n)
{
    for (size_t i = 0; list->set && i < list->n && i < n; i++)
        if (tsr_type_is(types[i], TSR_TYPE_TENSOR))
            give_hint(q, list->items[i].table, types[i]->elem);
}

static const tsr_fb_table *case_of(const queue *q, size_t i)
{
    return tsr_fb_sub(q->commands->items[i].table, "type");
}

/* Both sides of a command that moves a tensor have the same element type. */
static void hint_move(queue *q, const tsr_fb_table *t)
{
    const tsr_fb_table *src, *dst;
    if (t->type != &tsr_fb_MeshShardCommand && t->type != &tsr_fb_MemrefCopyCommand)
        return;
    src = tsr_fb_sub(t, "src"), dst = tsr_fb_sub(t, "dst");
    if (!src || !dst)
        return;
    give_hint(q, src, hinted(q, dst));
    give_hint(q, dst, hinted(q, src));
}

static void find_hints(queue *q)
{
    size_t n = q->commands->set ? q->commands->n : 0;
    for (size_t i = 0; i < n; i++) {
        const tsr_fb_table *t = case_of(q, i);
        const tsr_op *f = t && t->type == &tsr_fb_CpuCommand ? callee(q, t) : NULL;
        const tsr_type *type = f ? type_of_function(f) : NULL;
        if (!type)
            continue;
        hint_list(q, tsr_fb_get(t, "ins"), type->types, type->n);
        hint_list(q, tsr_fb_get(t, "outs"), type->types + type->n, type->nout);
    }
    for (size_t i = n; i-- > 0;)
        if (case_of(q, i))
            hint_move(q, case_of(q, i));
    for (size_t i = 0; i < n; i++)
        if (case_of(q, i))
            hint_move(q, case_of(q, i));
}

/* NULL after a diagnostic. */
static tsr_type *type_of(const queue *q, const tsr_fb_table *ref)
{
    const tsr_fb_table *desc = tsr_fb_sub(ref, "desc"),
                       *detail = desc ? tsr_fb_sub(desc, "buffer_detail") : NULL;
    tsr_ctx *ctx = q->s->c.ctx;
    int64_t dims[TSR_MAX_RANK];
    if (!desc || (detail && detail->type != &tsr_fb_SystemBuffer)) {
        bad(q, ref, desc ? "is a device's memory" : "has no description");
        return NULL;
    }
    size_t n = tsr_fb_nints(desc, "shape");
    tsr_type *elem = tsr_fb_data_element(ctx, tsr_fb_int(desc, "data_type"), hinted(q, ref));
    bool scalar =
        !tsr_fb_get(desc, "element_shape")->set || (tsr_fb_int_at(desc, "element_shape", 0) == 1 &&
                                                    tsr_fb_int_at(desc, "element_shape", 1) == 1);
    bool ok = elem && scalar && n <= TSR_MAX_RANK;
    for (size_t i = 0; ok && i < n; i++)
        ok = (dims[i] = tsr_fb_int_at(desc, "shape", i)) >= 0;
    if (!ok) {
        bad(q, desc, "is no tensor that hosts compute with");
        return NULL;
    }
    return tsr_type_tensor(ctx, dims, n, elem, NULL);
}

/* ---- Commands ---- */

static bool value_of(const queue *q, const tsr_fb_table *at, const tsr_fb_table *ref,
                     tsr_value **out)
{
    *out = ref ? tsr_fb_value_of(q->s, ref) : NULL;
    return *out || bad(q, at, ref ? "buffer %lld was not made before" : "a buffer is missing",
                       ref ? (long long)tsr_fb_int(ref, "global_id") : 0);
}

static bool values_of(const queue *q, const tsr_fb_table *at, const char *field, tsr_value_vec *out)
{
    const tsr_fb_value *list = tsr_fb_get(at, field);
    for (size_t i = 0; list->set && i < list->n; i++) {
        tsr_value *v;
        TSR_TRY(value_of(q, at, list->items[i].table, &v));
        tsr_vec_push(out, v);
    }
    return true;
}

static tsr_op *append(queue *q, enum tsr_opcode opcode, const tsr_value_vec *in,
                      const tsr_type_vec *types)
{
    tsr_op *op = tsr_op_new(q->s->module, tsr_opdef_of(q->s->c.ctx, opcode), q->s->c.loc, in->data,
                            in->n, types->data, types->n, 0, 0);
    tsr_op_insert(op, q->body, NULL);
    return op;
}

/* Appends an op with one operand and one result. */
static tsr_op *append_one(queue *q, enum tsr_opcode opcode, tsr_value *in, const tsr_fb_table *dst,
                          tsr_type *type)
{
    tsr_value_vec ins = {.data = &in, .n = in != NULL};
    tsr_type_vec types = {.data = &type, .n = 1};
    tsr_op *op = append(q, opcode, &ins, &types);
    tsr_fb_define(q->s, dst, &op->out[0]);
    return op;
}

static tsr_attr *numbers(const queue *q, const tsr_fb_table *t, const char *field)
{
    int64_t v[TSR_MAX_RANK];
    size_t n = tsr_fb_nints(t, field);
    for (size_t i = 0; n <= TSR_MAX_RANK && i < n; i++)
        v[i] = tsr_fb_int_at(t, field, i);
    if (n <= TSR_MAX_RANK)
        return tsr_attr_i64_array(q->s->c.ctx, v, n);
    bad(q, t, "%s has more than %d numbers", field, TSR_MAX_RANK);
    return NULL;
}

static bool shard(queue *q, const tsr_fb_table *t)
{
    static const tsr_tt_shard_type kinds[] = {TSR_TT_REPLICATE, TSR_TT_MAXIMAL, TSR_TT_DEVICES};
    const tsr_fb_table *dst = tsr_fb_sub(t, "dst");
    int64_t kind = tsr_fb_int(t, "shard_type"), direction = tsr_fb_int(t, "shard_direction");
    tsr_value *v;
    TSR_TRY(value_of(q, t, tsr_fb_sub(t, "src"), &v));
    tsr_attr *shape = numbers(q, t, "shard_shape"), *dims = numbers(q, t, "shard_dims");
    tsr_type *type = dst && shape && dims ? type_of(q, dst) : NULL;
    if (!dst)
        return bad(q, t, "a buffer is missing");
    if (!type)
        return false;
    if (kind < 0 || kind >= (int64_t)TSR_COUNT(kinds) || direction < 0 || direction > 1)
        return bad(q, t, "parts tensors in no way that is known");
    tsr_op *op = append_one(q, TSR_OP_TTIR_MESH_SHARD, v, dst, type);
    tsr_ctx *ctx = q->s->c.ctx;
    op->attrs[TTIR_MESH_SHARD_shard_type] =
        tsr_attr_enum(ctx, &tsr_def_TTCORE_SHARD_TYPE, kinds[kind]);
    op->attrs[TTIR_MESH_SHARD_shard_direction] =
        tsr_attr_enum(ctx, &tsr_def_TTCORE_SHARD_DIRECTION,
                      direction ? TSR_TT_SHARD_TO_FULL : TSR_TT_FULL_TO_SHARD);
    op->attrs[TTIR_MESH_SHARD_shard_shape] = shape;
    op->attrs[TTIR_MESH_SHARD_shard_dims] = dims;
    return true;
}

/* Without data it is zeros. */
static bool allocate(queue *q, const tsr_fb_table *t)
{
    static const char zero[16] = {0};
    const tsr_fb_table *dst = tsr_fb_sub(t, "dst");
    tsr_type *type = dst ? type_of(q, dst) : NULL;
    const tsr_fb_value *data = tsr_fb_get(t, "data");
    if (!dst)
        return bad(q, t, "a buffer is missing");
    if (!type)
        return false;
    bool none = !data->set && tsr_type_num_elements(type) > 0;
    tsr_attr *dense =
        none ? tsr_attr_dense(q->s->c.ctx, q->s->module, type, zero,
                              tsr_type_storage_bits(type->elem) / 8, true)
             : tsr_fb_dense_of(q->s, type, type->elem, data->set ? data->s : (tsr_str){"", 0});
    if (!dense)
        return bad(q, t, "has %zu bytes for %lld elements", data->s.len,
                   (long long)tsr_type_num_elements(type));
    append_one(q, TSR_OP_TTIR_CONSTANT, NULL, dst, type)->attrs[TTIR_CONSTANT_value] = dense;
    return true;
}

static bool copy(queue *q, const tsr_fb_table *t)
{
    const tsr_fb_table *dst = tsr_fb_sub(t, "dst");
    tsr_value *v;
    TSR_TRY(value_of(q, t, tsr_fb_sub(t, "src"), &v));
    if (!dst)
        return bad(q, t, "a buffer is missing");
    tsr_type *type = type_of(q, dst);
    if (type && type != v->type)
        return bad(q, t, "copies a tensor into one of another type");
    if (type)
        tsr_fb_define(q->s, dst, v);
    return type != NULL;
}

/* The argument and result types of the host function must match those of the command. */
static bool fits(const queue *q, const tsr_fb_table *t, const tsr_value_vec *in,
                 const tsr_type_vec *out)
{
    const tsr_op *f = callee(q, t);
    const tsr_type *type = f ? type_of_function(f) : NULL;
    bool ok = !f || (type && type->n == in->n && type->nout == out->n);
    for (size_t i = 0; f && ok && i < in->n; i++)
        ok = type->types[i] == in->data[i]->type;
    for (size_t i = 0; f && ok && i < out->n; i++)
        ok = type->types[type->n + i] == out->data[i];
    return ok || bad(q, t, "function '%.*s' takes or gives other tensors",
                     TSR_STR_ARG(tsr_fb_text(t, "func_name")));
}

static bool call(queue *q, const tsr_fb_table *t)
{
    const tsr_fb_value *outs = tsr_fb_get(t, "outs");
    tsr_str name = tsr_fb_text(t, "func_name");
    tsr_value_vec in = {0};
    tsr_type_vec out = {0};
    bool ok = values_of(q, t, "ins", &in) && (name.len || bad(q, t, "calls nothing"));
    for (size_t i = 0; ok && outs->set && i < outs->n; i++) {
        tsr_vec_push(&out, type_of(q, outs->items[i].table));
        ok = out.data[i] != NULL;
    }
    ok = ok && fits(q, t, &in, &out);
    if (ok) {
        tsr_op *op = append(q, TSR_OP_FUNC_CALL, &in, &out);
        op->attrs[FUNC_CALL_callee] = tsr_attr_symbol(q->s->c.ctx, name, NULL, 0);
        for (size_t i = 0; i < out.n; i++)
            tsr_fb_define(q->s, outs->items[i].table, &op->out[i]);
    }
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return ok;
}

static bool finish(queue *q, const tsr_fb_table *t)
{
    tsr_value_vec out = {0};
    bool ok = values_of(q, t, "results", &out);
    for (size_t i = 0; ok && i < out.n; i++) {
        tsr_vec_push(&q->g->out, out.data[i]->type);
        tsr_vec_push(&q->g->out_attrs, tsr_attr_dict(q->s->c.ctx, NULL, 0));
    }
    if (ok)
        append(q, TSR_OP_FUNC_RETURN, &out, &(tsr_type_vec){0});
    q->done = ok;
    tsr_vec_free(&out);
    return ok;
}

static bool command(queue *q, const tsr_fb_table *t)
{
    static const struct {
        const tsr_fb_type *type;
        bool (*make)(queue *q, const tsr_fb_table *t);
    } rows[] = {{&tsr_fb_HostAllocCommand, allocate}, {&tsr_fb_MeshShardCommand, shard},
                {&tsr_fb_MemrefCopyCommand, copy},    {&tsr_fb_CpuCommand, call},
                {&tsr_fb_ReturnCommand, finish},      {&tsr_fb_FinishCommand, NULL}};
    if (q->done)
        return bad(q, t, "comes after the results were given back");
    for (size_t i = 0; i < TSR_COUNT(rows); i++)
        if (rows[i].type == t->type)
            return !rows[i].make || rows[i].make(q, t);
    return bad(q, t, "is for a device, whose kernels are not run here");
}

/* ---- Programs ---- */

static bool arguments(queue *q, const tsr_fb_table *device)
{
    const tsr_fb_value *list = tsr_fb_get(device, "inputs");
    for (size_t i = 0; list->set && i < list->n; i++) {
        tsr_type *t = type_of(q, list->items[i].table);
        if (!t)
            return false;
        tsr_vec_push(&q->g->in, t);
        tsr_vec_push(&q->g->in_attrs, tsr_attr_dict(q->s->c.ctx, NULL, 0));
        tsr_fb_define(q->s, list->items[i].table,
                      tsr_block_add_arg(q->s->module, q->body, t, q->s->c.loc));
    }
    return true;
}

/* The only table of a list. */
static const tsr_fb_table *only(const queue *q, const tsr_fb_table *t, const char *field)
{
    const tsr_fb_value *list = tsr_fb_get(t, field);
    if (list->set && list->n == 1)
        return list->items[0].table;
    bad(q, t, "%s are not one", field);
    return NULL;
}

bool tsr_fb_metal_body(tsr_fb_state *s, const tsr_fb_table *program, tsr_block *body,
                       tsr_fb_signature *g)
{
    queue q = {.s = s, .body = body, .g = g};
    tsr_loc loc = s->c.loc;
    const tsr_fb_table *device = only(&q, program, "device_programs"),
                       *line = device ? only(&q, device, "command_queues") : NULL;
    if (!line)
        return false;
    q.commands = tsr_fb_get(line, "commands");
    find_hints(&q);
    bool ok = arguments(&q, device);
    for (size_t i = 0; ok && q.commands->set && i < q.commands->n; i++) {
        const tsr_fb_table *t = case_of(&q, i);
        s->c.loc = tsr_fb_loc_of_text(s, tsr_fb_text(q.commands->items[i].table, "loc"));
        ok = t ? command(&q, t) : bad(&q, q.commands->items[i].table, "is of no type");
    }
    s->c.loc = loc;
    if (ok && !q.done)
        ok = bad(&q, line, "gives nothing back");
    tsr_map_free(&q.elems);
    return ok;
}

/* ---- Inlining host functions ---- */

/* Copies the body of a function before the call, which is erased. Locations are those of the function. */
static void unfold(tsr_op *op, tsr_op *f)
{
    tsr_mapping map = {0};
    tsr_block *body = f->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_mapping_put(&map, body->args[i], op->in[i].value);
    TSR_BLOCK_OPS (body, from) {
        if (from != body->last) {
            tsr_op_insert(tsr_op_clone(op->module, from, &map), op->block, op);
            continue;
        }
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], tsr_mapping_get(&map, from->in[i].value));
    }
    tsr_op_erase(op);
    tsr_mapping_free(&map);
}

/* Whether call and function match, and the function is one block that ends in a return. */
static bool can_unfold(const tsr_op *op, const tsr_op *f)
{
    const tsr_block *body = f && tsr_op_is(f, TSR_OP_FUNC_FUNC) ? f->regions[0].first : NULL;
    if (!body || body->next || body->nargs != op->nin || !body->last ||
        !tsr_op_is(body->last, TSR_OP_FUNC_RETURN) || body->last->nin != op->nout)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (body->args[i]->type != op->in[i].value->type)
            return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (body->last->in[i].value->type != op->out[i].type)
            return false;
    return true;
}

/* Copies called functions too, in place of their declarations. */
static void bring_called(tsr_op *host, tsr_op *device)
{
    tsr_map called = {0};
    tsr_op *const roots[] = {device, host};
    for (size_t k = 0; k < TSR_COUNT(roots); k++)
        TSR_OPS (roots[k], op)
            if (tsr_op_is(op, TSR_OP_FUNC_CALL))
                tsr_map_put(&called, tsr_hash_str(op->attrs[FUNC_CALL_callee]->s), op);
    for (tsr_op *f = host->regions[0].first->first, *next; f; f = next) {
        tsr_str name = tsr_op_symbol(f);
        tsr_op *declared = tsr_symbol_find(device, name);
        bool used = false;
        next = f->next;
        TSR_MAP_EACH (&called, tsr_hash_str(name), op)
            used |= tsr_str_eq(((tsr_op *)op)->attrs[FUNC_CALL_callee]->s, name);
        if (!tsr_op_is(f, TSR_OP_FUNC_FUNC) || (declared && declared->regions[0].first))
            continue;
        if (declared)
            tsr_op_erase(declared);
        if (!used)
            continue;
        f->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(f->module->ctx, TSR_STR("private"));
        tsr_op_remove(f);
        tsr_op_insert(f, device->regions[0].first, NULL);
    }
    tsr_map_free(&called);
}

void tsr_fb_metal_join(tsr_module *m)
{
    tsr_op *host = NULL, *device = NULL;
    TSR_BLOCK_OPS (m->op->regions[0].first, op) {
        tsr_op *inner = op->nregion && op->regions[0].first ? op->regions[0].first->first : NULL;
        host = tsr_op_is(op, TSR_OP_TTCORE_CPU_MODULE) ? inner : host;
        device = tsr_op_is(op, TSR_OP_TTCORE_DEVICE_MODULE) ? inner : device;
    }
    if (!host || !device || !host->regions[0].first)
        return;
    TSR_VEC(tsr_op *) calls = {0};
    TSR_OPS (device, op)
        if (tsr_op_is(op, TSR_OP_FUNC_CALL))
            tsr_vec_push(&calls, op);
    for (size_t i = 0; i < calls.n; i++) {
        tsr_op *f = tsr_symbol_find(host, calls.data[i]->attrs[FUNC_CALL_callee]->s);
        if (can_unfold(calls.data[i], f))
            unfold(calls.data[i], f);
    }
    tsr_vec_free(&calls);
    bring_called(host, device);
    tsr_op_erase(tsr_block_parent(host->block));
}
