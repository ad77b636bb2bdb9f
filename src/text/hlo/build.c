/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - computations as ops: the entry becomes @main, what it uses is built with it. */
#include "text/hlo/reader.h"

#include "asm/reader.h"
#include "dialect/dialect.h"
#include "text/text.h"

/* ---- Ops ---- */

uint32_t xla_operands(xla_reader *r, const xla_instr *i, tsr_value ***out)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < i->nin; k++)
        n += i->in[k]->shape->nflat;
    *out = TSR_NEW_ARRAY(&r->arena, tsr_value *, n + 1);
    n = 0;
    for (uint32_t k = 0; k < i->nin; k++)
        for (uint32_t j = 0; j < i->in[k]->shape->nflat; j++)
            (*out)[n++] = i->in[k]->values[j];
    return n;
}

tsr_op *xla_op(xla_reader *r, const xla_instr *i, uint16_t opcode, tsr_value **in, uint32_t nin,
               tsr_type **types, uint32_t nout, uint32_t nregion)
{
    tsr_op *op = tsr_op_new(r->m, tsr_opdef_of(r->ctx, (enum tsr_opcode)opcode), i->loc, in, nin,
                            types, nout, nregion, 0);
    tsr_op_insert(op, r->block, NULL);
    r->made++;
    return op;
}

void xla_results(xla_reader *r, xla_instr *i, tsr_op *op)
{
    i->values = TSR_NEW_ARRAY(&r->arena, tsr_value *, op->nout + 1);
    for (uint32_t k = 0; k < op->nout; k++)
        i->values[k] = &op->out[k];
}

/* What the partitioner and users say about an op; an op without results has nothing to shard. */
static void set_notes(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    tsr_named notes[2];
    uint32_t n = 0;
    xla_frontend(r, i, notes, &n, op->nout > 0);
    for (uint32_t k = 0; k < n; k++)
        tsr_op_set_attr(op, notes[k].name->str, notes[k].value);
}

tsr_op *xla_plain(xla_reader *r, xla_instr *i, uint16_t opcode, uint32_t nregion)
{
    tsr_value **in;
    tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, i->shape->nflat + 1);
    uint32_t nin = xla_operands(r, i, &in), nout = xla_flat_types(i->shape, types);
    tsr_op *op = xla_op(r, i, opcode, in, nin, types, nout, nregion);
    xla_results(r, i, op);
    set_notes(r, i, op);
    return op;
}

bool xla_opaque(xla_reader *r, xla_instr *i, const char *why)
{
    tsr_op *op = xla_plain(r, i, TSR_OP_STABLEHLO_CUSTOM_CALL, 0);
    tsr_buf name = {0};
    tsr_buf_printf(&name, TSR_HLO_OPAQUE "%.*s", TSR_STR_ARG(i->opcode));
    xla_set(op, "call_target_name", tsr_attr_string(r->ctx, tsr_buf_text(&name)));
    xla_set(op, "has_side_effect", tsr_attr_bool(r->ctx, true));
    tsr_buf_free(&name);
    if (why)
        xla_set(op, "hlo.why", tsr_attr_string(r->ctx, tsr_cstr(why)));
    for (uint32_t k = 0; k < i->nattr; k++) {
        if (tsr_str_is(i->attrs[k].name, "metadata") || tsr_str_is(i->attrs[k].name, "sharding"))
            continue;
        tsr_buf key = {0};
        tsr_buf_printf(&key, TSR_HLO_OPAQUE "%.*s", TSR_STR_ARG(i->attrs[k].name));
        tsr_op_set_attr(op, tsr_buf_text(&key), tsr_attr_string(r->ctx, i->attrs[k].value));
        tsr_buf_free(&key);
    }
    return true;
}

/* ---- Attributes ---- */

void xla_set(tsr_op *op, const char *name, tsr_attr *value)
{
    tsr_op_set_attr(op, tsr_cstr(name), value);
}

void xla_set_ints(xla_reader *r, tsr_op *op, const char *name, const int64_t *v, size_t n)
{
    xla_set(op, name, tsr_attr_i64_array(r->ctx, v, n));
}

void xla_set_bool(xla_reader *r, tsr_op *op, const char *name, tsr_str value)
{
    xla_set(op, name, tsr_attr_bool(r->ctx, tsr_str_is(value, "true")));
}

bool xla_set_text(xla_reader *r, const xla_instr *i, tsr_op *op, const char *name, const char *fmt,
                  ...)
{
    tsr_ctx *ctx = r->ctx;
    tsr_buf text = {0};
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&text, fmt, args);
    va_end(args);
    bool quiet = ctx->quiet;
    uint32_t errors = ctx->nerror;
    tsr_reader in;
    ctx->quiet = true;
    tsr_reader_init(&in, ctx, NULL, tsr_buf_text(&text), TSR_STR("attribute"), 1);
    tsr_attr *a = tsr_read_attr(&in, NULL);
    if (a && !tsr_read_is(&in, TOK_EOF))
        a = NULL;
    tsr_reader_free(&in);
    ctx->quiet = quiet;
    ctx->nerror = errors;
    tsr_buf_free(&text);
    if (!a)
        return xla_error(r, i->at, "'%.*s': attributes of %s cannot be read",
                         TSR_STR_ARG(i->opcode), name);
    xla_set(op, name, a);
    return true;
}

bool xla_numbers(xla_reader *r, const xla_instr *i, const char *name, bool required, int64_t **out,
                 uint32_t *n)
{
    xla_text t = xla_text_of(xla_attr_of(i, name));
    xla_ints v = {0};
    if (required && !t.p)
        return xla_error(r, i->at, "'%.*s' has no %s", TSR_STR_ARG(i->opcode), name);
    for (int64_t x; t.p && xla_next_int(&t, &x);)
        tsr_vec_push(&v, x);
    *n = (uint32_t)v.n;
    *out = tsr_arena_copy(&r->arena, v.data, v.n * sizeof(int64_t));
    tsr_vec_free(&v);
    return true;
}

tsr_str xla_list(xla_reader *r, const xla_instr *i, const char *name)
{
    tsr_buf out = {0};
    int64_t *v;
    uint32_t n;
    xla_numbers(r, i, name, false, &v, &n);
    for (uint32_t k = 0; k < n; k++)
        tsr_buf_printf(&out, "%s%lld", k ? ", " : "", (long long)v[k]);
    tsr_str s = {tsr_arena_copy(&r->arena, tsr_buf_text(&out).data, out.len), out.len};
    tsr_buf_free(&out);
    return s;
}

/* ---- Shardings and frontend attributes ---- */

/* {name=value, ...} as a dictionary of strings; NULL: empty. */
static tsr_attr *frontend_dict(xla_reader *r, tsr_str text)
{
    xla_text all = xla_text_of(text);
    tsr_str inside, item;
    TSR_VEC(tsr_named) named = {0};
    if (!text.data || !xla_text_inside(&all, &inside))
        return NULL;
    for (xla_text t = xla_text_of(inside); xla_text_item(&t, &item);) {
        const char *eq = memchr(item.data, '=', item.len);
        if (!eq)
            continue;
        tsr_str name = {item.data, (size_t)(eq - item.data)};
        tsr_str value = {eq + 1, item.len - name.len - 1};
        const tsr_name *key = tsr_name_get(r->ctx, xla_unquote(r, name));
        bool known = false;
        for (size_t k = 0; k < named.n; k++)
            known |= named.data[k].name == key;
        if (key->str.len && !known)
            tsr_vec_push(&named, (tsr_named){key, tsr_attr_string(r->ctx, xla_unquote(r, value))});
    }
    tsr_attr *dict = named.n ? tsr_attr_dict(r->ctx, named.data, named.n) : NULL;
    tsr_vec_free(&named);
    return dict;
}

void xla_frontend(xla_reader *r, const xla_instr *i, tsr_named *out, uint32_t *n, bool sharding)
{
    tsr_attr *frontend = frontend_dict(r, xla_attr_of(i, "frontend_attributes"));
    tsr_str sharded = xla_attr_of(i, "sharding");
    if (frontend && !r->partitioned)
        out[(*n)++] =
            (tsr_named){tsr_name_get(r->ctx, TSR_STR("mhlo.frontend_attributes")), frontend};
    if (sharded.data && sharding)
        out[(*n)++] = (tsr_named){
            tsr_name_get(r->ctx, r->partitioned ? TSR_HLO_SHARDING : TSR_STR("mhlo.sharding")),
            tsr_attr_string(r->ctx, sharded)};
}

/* ---- Computations ---- */

xla_comp *xla_comp_of(xla_reader *r, const xla_instr *i, tsr_str name)
{
    if (name.len && name.data[0] == '%')
        name = (tsr_str){name.data + 1, name.len - 1};
    TSR_MAP_EACH (&r->names, tsr_hash_str(name), v)
        if (tsr_str_eq(((xla_comp *)v)->name, name))
            return v;
    xla_error(r, name.len ? name.data : i->at, "'%.*s' needs a computation%s%.*s",
              TSR_STR_ARG(i->opcode), name.len ? ": there is none named " : "", TSR_STR_ARG(name));
    return NULL;
}

/* "all-gather-start" is the op that it begins; what ends one passes its values on. */
static tsr_str base_of(tsr_str opcode, bool *start, bool *done)
{
    static const char *const ends[] = {"-start", "-done", "-update"};
    for (int k = 0; k < 3; k++) {
        size_t n = strlen(ends[k]);
        if (opcode.len > n && memcmp(opcode.data + opcode.len - n, ends[k], n) == 0 &&
            !tsr_str_starts(opcode, "send") && !tsr_str_starts(opcode, "recv")) {
            *start = k == 0;
            *done = k > 0;
            return (tsr_str){opcode.data, opcode.len - n};
        }
    }
    return opcode;
}

/* What the op of a start gives, of the shape that also has its operands and its state. */
static const xla_shape *started(const xla_shape *s, tsr_str base)
{
    if (tsr_str_is(base, "all-reduce") || !s->n)
        return s;
    return tsr_str_is(base, "copy") || s->n < 2 ? s->members[0] : s->members[1];
}

static bool convert(xla_reader *r, xla_instr *i)
{
    static const struct {
        const char *name;
        uint16_t opcode;
        xla_convert *hook;
    } rows[] = {
#define TSR_OP_NONE UINT16_MAX
#define HLO(name, opcode, hook) {name, TSR_OP_##opcode, xla_##hook},
#include "text/hlo/ops.def"
    };
    bool start = false, done = false;
    tsr_str base = base_of(i->opcode, &start, &done);
    if (done && i->nin) {
        if (tsr_str_is(base, "async") && i->shape->n) /* an update: it is what the start is */
            i->shape = i->in[0]->shape->nflat < i->shape->nflat ? i->in[0]->shape : i->shape;
        return xla_first(r, i, 0);
    }
    if (start && !i->started) {
        i->shape = started(i->shape, base);
        i->started = true;
    }
    for (size_t k = 0; k < TSR_COUNT(rows); k++)
        if (tsr_str_is(base, rows[k].name))
            return rows[k].hook(r, i, rows[k].opcode);
    return xla_opaque(r, i, NULL);
}

tsr_value **xla_build_here(xla_reader *r, xla_comp *c, tsr_value **args, uint32_t n,
                           const xla_instr *user)
{
    uint32_t at = 0;
    const char *where = user ? user->at : c->at;
    if (c->open) {
        xla_error(r, where, "computation '%.*s' uses itself", TSR_STR_ARG(c->name));
        return NULL;
    }
    for (size_t k = 0; k < c->params.n; k++)
        at += c->params.data[k]->shape->nflat;
    if (at != n) {
        xla_error(r, where, "computation '%.*s' has %u parameters, here are %u values",
                  TSR_STR_ARG(c->name), at, n);
        return NULL;
    }
    at = 0;
    for (size_t k = 0; k < c->params.n; k++) {
        c->params.data[k]->values = args + at;
        at += c->params.data[k]->shape->nflat;
    }
    c->open = true;
    bool ok = xla_enter(r);
    for (size_t k = 0; k < c->list.n && ok; k++) {
        xla_instr *i = c->list.data[k];
        bool param = tsr_str_is(i->opcode, "parameter");
        r->made++; /* of instructions, too: a fusion of fusions makes no op of its own */
        ok = (param || convert(r, i)) &&
             (r->made <= r->most ||
              xla_error(r, i->at, "computations that are used again and again make too many ops"));
    }
    r->depth--;
    c->open = false;
    return ok ? c->root->values : NULL;
}

bool xla_region(xla_reader *r, xla_instr *i, tsr_op *op, uint32_t region, tsr_str name)
{
    xla_comp *c = xla_comp_of(r, i, name);
    tsr_block *outside = r->block, *b = tsr_block_new(r->m);
    TSR_VEC(tsr_value *) args = {0};
    if (!c)
        return false;
    tsr_block_insert(b, &op->regions[region], NULL);
    for (size_t k = 0; k < c->params.n; k++) {
        const xla_shape *s = c->params.data[k]->shape;
        tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, s->nflat + 1);
        for (uint32_t j = 0, n = xla_flat_types(s, types); j < n; j++)
            tsr_vec_push(&args, tsr_block_add_arg(r->m, b, types[j], c->params.data[k]->loc));
    }
    tsr_value **kept = tsr_arena_copy(&r->arena, args.data, args.n * sizeof *kept);
    uint32_t n = (uint32_t)args.n;
    tsr_vec_free(&args);
    r->block = b;
    tsr_value **out = xla_build_here(r, c, kept, n, i);
    if (out)
        xla_op(r, c->root, TSR_OP_STABLEHLO_RETURN, out, c->root->shape->nflat, NULL, 0, 0);
    r->block = outside;
    return out != NULL;
}

/* ---- The module ---- */

static tsr_str module_attr(const xla_reader *r, const char *name)
{
    for (uint32_t k = 0; k < r->nattr; k++)
        if (tsr_str_is(r->attrs[k].name, name))
            return r->attrs[k].value;
    return (tsr_str){NULL, 0};
}

static int64_t module_int(const xla_reader *r, const char *name)
{
    xla_text t = xla_text_of(module_attr(r, name));
    int64_t v;
    return t.p && xla_text_int(&t, &v) && v > 0 && v <= INT32_MAX ? v : 1;
}

static bool starts_manual(const xla_instr *i)
{
    static const char *const targets[] = {"\"SPMDFullToShardShape\"", "\"Sharding\"",
                                          "\"xla.sdy.GlobalToLocalShape\"",
                                          "\"xla.sdy.FuncResultSharding\""};
    tsr_str target = xla_attr_of(i, "custom_call_target");
    for (size_t k = 0; k < TSR_COUNT(targets); k++)
        if (target.data && tsr_str_is(target, targets[k]))
            return true;
    return false;
}

/* Whether XLA has divided the program among devices: it has scheduled it, it says so in the name of the entry, or
 * devices communicate and nothing says how it is to be divided. */
static bool is_partitioned(const xla_reader *r)
{
    bool meets = false;
    tsr_str name = r->entry->name;
    if (r->partitions <= 1 && r->replicas <= 1)
        return false;
    if (tsr_str_is(module_attr(r, "is_scheduled"), "true") ||
        (name.len > 5 && memcmp(name.data + name.len - 5, "_spmd", 5) == 0))
        return true;
    for (size_t c = 0; c < r->comps.n; c++)
        for (size_t k = 0; k < r->comps.data[c]->list.n; k++) {
            const xla_instr *i = r->comps.data[c]->list.data[k];
            if (starts_manual(i))
                return false;
            meets |= xla_attr_of(i, "replica_groups").data != NULL ||
                     xla_attr_of(i, "source_target_pairs").data != NULL;
        }
    return meets;
}

static void set_module_attrs(xla_reader *r)
{
    tsr_op *top = r->m->op;
    tsr_str meshes = module_attr(r, "frontend_attributes");
    if (r->partitions > 1 || r->replicas > 1) {
        xla_set(top, "mhlo.num_partitions", tsr_attr_i32(r->ctx, (int32_t)r->partitions));
        xla_set(top, "mhlo.num_replicas", tsr_attr_i32(r->ctx, (int32_t)r->replicas));
    }
    if (r->partitioned)
        tsr_op_set_attr(top, TSR_HLO_PARTITIONED, tsr_attr_unit(r->ctx));
    tsr_attr *frontend = r->partitioned ? NULL : frontend_dict(r, meshes);
    if (frontend)
        xla_set(top, "mhlo.frontend_attributes", frontend);
}

/* "{{a}, {b}}" of a tuple: that of result k; of one result, all. */
static tsr_str sharding_of_result(tsr_str all, uint32_t k, uint32_t n)
{
    xla_text t = xla_text_of(all);
    tsr_str inside, item;
    if (n == 1 && all.len > 1 && all.data[1] != '{')
        return all;
    if (!all.data || !xla_text_inside(&t, &inside))
        return (tsr_str){NULL, 0};
    if (!inside.len || inside.data[0] != '{')
        return all;
    xla_text list = xla_text_of(inside);
    for (uint32_t j = 0; xla_text_item(&list, &item); j++)
        if (j == k)
            return item;
    return (tsr_str){NULL, 0};
}

static tsr_attr *one_attr(xla_reader *r, tsr_str name, tsr_str value)
{
    tsr_named a = {tsr_name_get(r->ctx, name), tsr_attr_string(r->ctx, value)};
    return value.data ? tsr_attr_dict(r->ctx, &a, 1) : tsr_attr_dict(r->ctx, NULL, 0);
}

/* Where the values of parameter n begin. */
static uint32_t param_at(const xla_comp *c, size_t n)
{
    uint32_t at = 0;
    for (size_t k = 0; k < n; k++)
        at += c->params.data[k]->shape->nflat;
    return at;
}

/* input_output_alias={ {0}: (2, {}, may-alias) }: result 0 takes the memory of parameter 2. out: by argument, the result;
 * -1: none. */
static void read_aliases(xla_reader *r, int64_t *out)
{
    tsr_str all = module_attr(r, "input_output_alias"), inside, item, index, param;
    xla_text t = xla_text_of(all);
    if (!all.data || !xla_text_inside(&t, &inside))
        return;
    for (xla_text list = xla_text_of(inside); xla_text_item(&list, &item);) {
        xla_text one = xla_text_of(item);
        int64_t result = 0, number;
        if (!xla_text_inside(&one, &index) || !xla_text_take(&one, ':') ||
            !xla_text_inside(&one, &param))
            continue;
        xla_text at = xla_text_of(index), of = xla_text_of(param);
        const xla_shape *root = r->entry->root->shape;
        bool whole = !xla_next_int(&at, &result);
        if (!xla_text_int(&of, &number) || number < 0 || number >= (int64_t)r->entry->params.n ||
            !r->entry->params.data[number]->shape->type || (whole ? root->n : result >= root->n) ||
            result < 0 || (!whole && (at.p < at.end || !root->members[result]->type)))
            continue; /* parts of tuples inside tuples */
        out[param_at(r->entry, (size_t)number)] = whole ? 0 : xla_member_at(root, (uint32_t)result);
    }
}

/* Shardings of arguments and results, and whose memory results take. */
static void set_entry_attrs(xla_reader *r, tsr_op *func)
{
    TSR_VEC(tsr_attr *) args = {0}, results = {0};
    bool any = false;
    uint32_t nargs = param_at(r->entry, r->entry->params.n);
    int64_t *taken = TSR_NEW_ARRAY(&r->arena, int64_t, nargs + 1);
    memset(taken, -1, (nargs + 1) * sizeof *taken);
    read_aliases(r, taken);
    for (size_t k = 0; k < r->entry->params.n; k++) {
        const xla_instr *p = r->entry->params.data[k];
        for (uint32_t j = 0; j < p->shape->nflat; j++) {
            tsr_named notes[3];
            uint32_t n = 0;
            xla_frontend(r, p, notes, &n, p->shape->type != NULL);
            if (taken[args.n] >= 0)
                notes[n++] = (tsr_named){tsr_name_get(r->ctx, TSR_STR("tf.aliasing_output")),
                                         tsr_attr_i32(r->ctx, (int32_t)taken[args.n])};
            tsr_vec_push(&args, tsr_attr_dict(r->ctx, notes, n));
            any |= n > 0;
        }
    }
    if (any)
        xla_set(func, "arg_attrs", tsr_attr_array(r->ctx, args.data, args.n));
    const xla_instr *root = r->entry->root;
    tsr_str all = xla_attr_of(root, "sharding");
    for (uint32_t k = 0; all.data && k < root->shape->nflat; k++)
        tsr_vec_push(&results,
                     one_attr(r, r->partitioned ? TSR_HLO_SHARDING : TSR_STR("mhlo.sharding"),
                              sharding_of_result(all, k, root->shape->nflat)));
    if (results.n)
        xla_set(func, "res_attrs", tsr_attr_array(r->ctx, results.data, results.n));
    tsr_vec_free(&args);
    tsr_vec_free(&results);
}

tsr_op *xla_function(xla_reader *r, xla_comp *c, tsr_str name, const xla_instr *user)
{
    tsr_block *outside = r->block, *body = tsr_block_new(r->m);
    tsr_op *func = tsr_op_new(r->m, tsr_opdef_of(r->ctx, TSR_OP_FUNC_FUNC), c->root->loc, NULL, 0,
                              NULL, 0, 1, 0);
    TSR_VEC(tsr_value *) args = {0};
    TSR_VEC(tsr_type *) types = {0};
    tsr_block_insert(body, &func->regions[0], NULL);
    for (size_t k = 0; k < c->params.n; k++) {
        const xla_instr *p = c->params.data[k];
        tsr_type **flat = TSR_NEW_ARRAY(&r->arena, tsr_type *, p->shape->nflat + 1);
        for (uint32_t j = 0, n = xla_flat_types(p->shape, flat); j < n; j++) {
            tsr_vec_push(&types, flat[j]);
            tsr_vec_push(&args, tsr_block_add_arg(r->m, body, flat[j], p->loc));
        }
    }
    uint32_t nin = (uint32_t)args.n, nout = c->root->shape->nflat;
    tsr_value **kept = tsr_arena_copy(&r->arena, args.data, args.n * sizeof *kept);
    tsr_vec_free(&args);
    tsr_type **out_types = TSR_NEW_ARRAY(&r->arena, tsr_type *, nout + 1);
    xla_flat_types(c->root->shape, out_types);
    xla_set(func, "sym_name", tsr_attr_string(r->ctx, name));
    xla_set(func, "function_type",
            tsr_attr_type(r->ctx, tsr_type_function(r->ctx, types.data, nin, out_types, nout)));
    tsr_vec_free(&types);
    tsr_op_insert(func, r->m->op->regions[0].first, NULL);
    r->block = body;
    tsr_value **out = xla_build_here(r, c, kept, nin, user);
    if (out)
        xla_op(r, c->root, TSR_OP_FUNC_RETURN, out, nout, NULL, 0, 0);
    r->block = outside;
    return out ? func : NULL;
}

bool xla_build(xla_reader *r)
{
    tsr_block *body = tsr_block_new(r->m);
    r->m->op = tsr_op_new(r->m, tsr_opdef_of(r->ctx, TSR_OP_BUILTIN_MODULE),
                          tsr_loc_file(r->ctx, r->file, 0, 0), NULL, 0, NULL, 0, 1, 0);
    tsr_block_insert(body, &r->m->op->regions[0], NULL);
    r->partitions = module_int(r, "num_partitions");
    r->replicas = module_int(r, "replica_count");
    r->partitioned = is_partitioned(r);
    set_module_attrs(r);
    r->most = 1 << 20;
    for (size_t c = 0; c < r->comps.n; c++)
        r->most += 64 * r->comps.data[c]->list.n;
    tsr_op *func = xla_function(r, r->entry, TSR_STR("main"), NULL);
    if (!func)
        return false;
    set_entry_attrs(r, func);
    return true;
}

tsr_module *tsr_hlo_read(tsr_ctx *ctx, tsr_str text, tsr_str filename, uint32_t line)
{
    xla_reader *r = tsr_xmalloc(sizeof *r);
    char *copy = tsr_xmalloc(text.len + 16);
    memset(r, 0, sizeof *r);
    memcpy(copy, text.data, text.len);
    memset(copy + text.len, 0, 16);
    tsr_text_install(ctx);
    r->ctx = ctx;
    r->m = tsr_module_new(ctx);
    r->file = tsr_name_get(ctx, filename);
    r->text = r->p = r->line_start = copy;
    r->end = copy + text.len;
    r->line = line;
    tsr_arena_init_pooled(&r->arena, &ctx->pool);
    const tsr_name *outer = ctx->source_file;
    tsr_str source = ctx->source;
    uint32_t first = ctx->source_line;
    ctx->source_file = r->file;
    ctx->source = (tsr_str){copy, text.len};
    ctx->source_line = line;
    bool ok = xla_read_text(r) && xla_build(r) && !r->wrong;
    if (r->wrong && r->p < r->end)
        tsr_note(
            ctx, TSR_LOC_UNKNOWN,
            "HLO text has no version, and XLA may write it otherwise than it is read here; "
            "StableHLO is read from all versions: jitted.lower(*args).as_text(debug_info=True)");
    ctx->source_file = outer;
    ctx->source = source;
    ctx->source_line = first;
    for (size_t c = 0; c < r->comps.n; c++) {
        tsr_vec_free(&r->comps.data[c]->list);
        tsr_vec_free(&r->comps.data[c]->params);
        tsr_map_free(&r->comps.data[c]->names);
    }
    tsr_vec_free(&r->comps);
    tsr_vec_free(&r->files);
    tsr_vec_free(&r->places);
    tsr_vec_free(&r->frames);
    tsr_map_free(&r->names);
    tsr_arena_free(&r->arena);
    tsr_module *m = r->m;
    tsr_free(copy);
    tsr_free(r);
    if (ok)
        return m;
    tsr_module_free(m);
    return NULL;
}
