/* SPDX-License-Identifier: Apache-2.0 */
/* op.c - ops and their operands, results and attributes; use lists.
 *
 * An op, its results, attribute slots, operands, regions and successors are one block of the module's arena; operands
 * that outgrow it move to a block of their own. Nothing is freed before the module is. */
#include "ir/ir.h"

#include "base/scope.h"

/* ---- Modules ---- */

tsr_module *tsr_module_new(tsr_ctx *ctx)
{
    tsr_module *m = tsr_xmalloc(sizeof *m);
    memset(m, 0, sizeof *m);
    m->ctx = ctx;
    tsr_arena_init_pooled(&m->arena, &ctx->pool);
    return m;
}

void tsr_module_free(tsr_module *m)
{
    if (!m)
        return;
    tsr_map_free(&m->dense);
    tsr_vec_free(&m->resources);
    tsr_vec_free(&m->aliases);
    tsr_arena_free(&m->arena);
    if (m->release)
        m->release(m->held, m->nheld);
    tsr_free(m);
}

void tsr_module_keep(const tsr_module *m)
{
    tsr_keep(m);
    tsr_map_keep(&m->dense);
    tsr_keep(m->resources.data);
    tsr_keep(m->aliases.data);
    tsr_arena_keep(&m->arena);
}

void tsr_module_renumber(tsr_module *m)
{
    m->nop = m->nvalue = m->nblock = 0;
    if (!m->op)
        return;
    TSR_OPS (m->op, op) {
        op->id = m->nop++;
        for (uint32_t i = 0; i < op->nout; i++)
            op->out[i].id = m->nvalue++;
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b) {
                b->id = m->nblock++;
                for (uint32_t i = 0; i < b->nargs; i++)
                    b->args[i]->id = m->nvalue++;
            }
    }
}

/* ---- Uses ---- */

static inline void link_use(tsr_use *use, tsr_value *v)
{
    tsr_assert(v, "an operand without a value");
    use->value = v;
    use->next = v->uses;
    use->prev = &v->uses;
    if (v->uses)
        v->uses->prev = &use->next;
    v->uses = use;
}

static inline void unlink_use(tsr_use *use)
{
    if (!use->value)
        return;
    tsr_assert(*use->prev == use, "a use that its value does not know");
    *use->prev = use->next;
    if (use->next)
        use->next->prev = use->prev;
    use->value = NULL;
}

/* Replaces a use by its copy at another address. */
static void relink_use(tsr_use *use)
{
    if (!use->value)
        return;
    *use->prev = use;
    if (use->next)
        use->next->prev = &use->next;
}

void tsr_value_replace(tsr_value *from, tsr_value *to)
{
    if (from == to || !from->uses)
        return;
    tsr_assert(to, "a value is replaced by nothing");
    tsr_assert(from->uses->prev == &from->uses, "a use list that its value does not start");
    tsr_use *last = from->uses;
    for (;; last = last->next) {
        last->value = to;
        if (!last->next)
            break;
    }
    last->next = to->uses;
    if (to->uses)
        to->uses->prev = &last->next;
    to->uses = from->uses;
    to->uses->prev = &to->uses;
    from->uses = NULL;
}

void tsr_value_replace_if(tsr_value *from, tsr_value *to, bool (*keep)(void *user, tsr_use *use),
                          void *user)
{
    if (from == to)
        return;
    tsr_assert(to || !from->uses, "a value is replaced by nothing");
    for (tsr_use *use = from->uses, *next; use; use = next) {
        next = use->next;
        if (keep(user, use))
            continue;
        unlink_use(use);
        link_use(use, to);
    }
}

/* ---- Creation ---- */

void tsr_op_become(tsr_op *op, const tsr_opdef *def)
{
    op->def = def;
    op->module->ntable += (def->traits & TSR_TRAIT(SYMBOL_TABLE)) != 0;
    op->module->made[def->opcode / 64 % TSR_COUNT(op->module->made)] |= UINT64_C(1)
                                                                        << def->opcode % 64;
}

static void init_results(tsr_op *op, tsr_type *const *types)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &op->out[i];
        tsr_assert(types[i], "'%.*s': result %u has no type", TSR_STR_ARG(op->def->name), i);
        v->type = types[i];
        v->op = op;
        v->id = op->module->nvalue++;
        v->index = i & 0x7FFFFFFF;
    }
}

tsr_op *tsr_op_new(tsr_module *m, const tsr_opdef *def, tsr_loc loc, tsr_value *const *in,
                   size_t nin, tsr_type *const *types, size_t nout, size_t nregion, size_t nsucc)
{
    m->verified = false;
    tsr_count_op(loc);
    tsr_assert(nregion <= UINT16_MAX && nsucc <= UINT16_MAX, "%zu regions, %zu successors", nregion,
               nsucc);
    tsr_assert(nin <= UINT32_MAX && nout <= INT32_MAX, "%zu operands, %zu results", nin, nout);
    size_t head = sizeof(tsr_op) + nout * sizeof(tsr_value) + def->nslot * sizeof(tsr_attr *) +
                  nregion * sizeof(tsr_region);
    size_t bytes = head + nin * sizeof(tsr_use) + nsucc * (sizeof(tsr_block *) + sizeof(uint32_t));
    char *p = tsr_arena_alloc(&m->arena, bytes);
    memset(p, 0, head);
    tsr_op *op = (tsr_op *)p;
    p += sizeof(tsr_op);
    op->module = m;
    tsr_op_become(op, def);
    op->id = m->nop++;
    op->loc = loc;
    op->nin = op->cap_in = (uint32_t)nin;
    op->nout = (uint32_t)nout;
    op->nregion = (uint16_t)nregion;
    op->nsucc = (uint16_t)nsucc;
    op->out = (tsr_value *)p;
    init_results(op, types);
    p += nout * sizeof(tsr_value);
    op->attrs = (tsr_attr **)p;
    p += def->nslot * sizeof(tsr_attr *);
    op->regions = (tsr_region *)p;
    for (size_t i = 0; i < nregion; i++)
        op->regions[i].op = op;
    p += nregion * sizeof(tsr_region);
    op->in = (tsr_use *)p;
    for (size_t i = 0; i < nin; i++) {
        op->in[i].user = op;
        link_use(&op->in[i], in[i]);
    }
    p += nin * sizeof(tsr_use);
    if (nsucc) {
        memset(p, 0, nsucc * (sizeof(tsr_block *) + sizeof(uint32_t)));
        op->succ = (tsr_block **)p;
        op->nsuccin = (uint32_t *)(p + nsucc * sizeof(tsr_block *));
    }
    return op;
}

void tsr_op_add_results(tsr_op *op, tsr_type *const *types, size_t n)
{
    tsr_assert(!op->nout, "'%.*s' has results already", TSR_STR_ARG(op->def->name));
    tsr_assert(n <= INT32_MAX, "%zu results", n);
    op->out = TSR_NEW_ARRAY(&op->module->arena, tsr_value, n);
    op->nout = (uint32_t)n;
    init_results(op, types);
}

void tsr_op_insert(tsr_op *op, tsr_block *block, tsr_op *before)
{
    tsr_assert(!op->block, "op is in a block already");
    tsr_assert(block && (!before || before->block == block), "the place is in another block");
    tsr_assert(!block->first || block->first->module == op->module, "'%.*s' is another module's",
               TSR_STR_ARG(op->def->name));
    op->block = block;
    TSR_LIST_INSERT(block, op, before);
    if (op->module->ctx->symcache)
        tsr_symcache_saw(op);
}

void tsr_op_remove(tsr_op *op)
{
    if (!op->block)
        return;
    tsr_assert(op->prev ? op->prev->next == op : op->block->first == op,
               "a block that does not know its op");
    tsr_assert(op->next ? op->next->prev == op : op->block->last == op,
               "a block that does not know its op");
    TSR_LIST_REMOVE(op->block, op);
    op->block = NULL;
}

void tsr_op_move_before(tsr_op *op, tsr_op *at)
{
    if (op == at)
        return;
    tsr_assert(at->block, "an op is moved to an op in no block");
    tsr_check(!tsr_op_is_ancestor(op, at), "'%.*s' is moved into itself",
              TSR_STR_ARG(op->def->name));
    tsr_op_remove(op);
    tsr_op_insert(op, at->block, at);
}

static void drop_uses(tsr_op *root)
{
    TSR_OPS (root, op)
        for (uint32_t i = 0; i < op->nin; i++)
            unlink_use(&op->in[i]);
}

void tsr_op_erase(tsr_op *op)
{
    drop_uses(op);
    tsr_assert(!tsr_op_used(op), "'%.*s' is erased, but its results are used",
               TSR_STR_ARG(op->def->name));
    tsr_op_remove(op);
}

void tsr_op_values(const tsr_op *op, tsr_value_vec *in, tsr_type_vec *types)
{
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(in, op->in[i].value);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(types, op->out[i].type);
}

tsr_op *tsr_op_like(const tsr_op *op, const tsr_opdef *def)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_op_values(op, &in, &types);
    tsr_op *made = tsr_op_new(op->module, def, op->loc, in.data, in.n, types.data, types.n, 0, 0);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return made;
}

void tsr_op_replace(tsr_op *op, tsr_op *made)
{
    tsr_assert(made->nout == op->nout, "%u results are replaced by %u", op->nout, made->nout);
    tsr_assert(op->block, "'%.*s', which is in no block, is replaced", TSR_STR_ARG(op->def->name));
    tsr_op_insert(made, op->block, op);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &made->out[i]);
    tsr_op_erase(op);
}

/* ---- Operands ---- */

void tsr_op_set_operand(tsr_op *op, size_t i, tsr_value *v)
{
    tsr_assert(i < op->nin, "operand %zu of %u", i, op->nin);
    op->module->verified = false;
    if (op->in[i].value == v)
        return;
    unlink_use(&op->in[i]);
    link_use(&op->in[i], v);
}

static void grow_operands(tsr_op *op, size_t want)
{
    size_t cap = (size_t)op->cap_in * 2 > want ? (size_t)op->cap_in * 2 : want;
    tsr_assert(cap <= UINT32_MAX, "'%.*s': %zu operands", TSR_STR_ARG(op->def->name), want);
    tsr_use *in = tsr_arena_alloc(&op->module->arena, cap * sizeof *in);
    for (uint32_t i = 0; i < op->nin; i++) {
        in[i] = op->in[i];
        relink_use(&in[i]);
    }
    op->in = in;
    op->cap_in = (uint32_t)cap;
}

void tsr_op_set_operands(tsr_op *op, tsr_value *const *in, size_t n)
{
    op->module->verified = false;
    if (n > op->cap_in)
        grow_operands(op, n);
    for (size_t i = 0; i < op->nin; i++)
        if (i >= n || op->in[i].value != in[i])
            unlink_use(&op->in[i]);
    for (size_t i = 0; i < n; i++) {
        if (i < op->nin && op->in[i].value)
            continue;
        op->in[i].user = op;
        link_use(&op->in[i], in[i]);
    }
    op->nin = (uint32_t)n;
}

void tsr_op_erase_operand(tsr_op *op, size_t i)
{
    tsr_assert(i < op->nin, "operand %zu of %u", i, op->nin);
    /* The operand may belong to a successor. */
    uint32_t end = op->nin;
    for (uint32_t s = op->nsucc; s-- > 0;) {
        tsr_assert(op->nsuccin[s] <= end, "'%.*s': successors take more operands than there are",
                   TSR_STR_ARG(op->def->name));
        uint32_t start = end - op->nsuccin[s];
        if (i >= start && i < end) {
            op->nsuccin[s]--;
            break;
        }
        end = start;
    }
    unlink_use(&op->in[i]);
    for (; i + 1 < op->nin; i++) {
        op->in[i] = op->in[i + 1];
        relink_use(&op->in[i]);
    }
    op->nin--;
}

void tsr_op_set_successor(tsr_op *op, size_t i, tsr_block *block)
{
    tsr_assert(i < op->nsucc && block, "successor %zu of %u", i, op->nsucc);
    op->succ[i] = block;
}

/* ---- Attributes ---- */

int tsr_opdef_slot(const tsr_opdef *def, tsr_str name)
{
    if (def->opcode == TSR_UNREGISTERED || !name.len)
        return -1;
    for (uint16_t i = 0; i < def->nslot; i++)
        if (def->slots[i].name[0] == name.data[0] && tsr_str_is(name, def->slots[i].name))
            return i;
    return -1;
}

tsr_attr *tsr_op_attr(const tsr_op *op, tsr_str name)
{
    if (!op)
        return NULL;
    if (op->def->opcode == TSR_UNREGISTERED) {
        tsr_attr *a = op->attrs[0] && op->attrs[0]->kind == TSR_ATTR_DICT
                          ? tsr_dict_get(op->attrs[0], name)
                          : NULL;
        if (a)
            return a;
    } else {
        int slot = tsr_opdef_slot(op->def, name);
        if (slot >= 0)
            return op->attrs[slot];
    }
    return tsr_dict_get(op->extra, name);
}

void tsr_op_set_attr(tsr_op *op, tsr_str name, tsr_attr *value)
{
    op->module->verified = false;
    tsr_ctx *ctx = op->module->ctx;
    int slot = tsr_opdef_slot(op->def, name);
    tsr_assert(!op->extra || op->extra->kind == TSR_ATTR_DICT,
               "'%.*s': its discardable attributes are no dictionary", TSR_STR_ARG(op->def->name));
    if (slot >= 0) {
        op->attrs[slot] = value;
        if (ctx->symcache && tsr_str_is(name, "sym_name"))
            tsr_symcache_saw(op);
        return;
    }
    tsr_attr **dict = &op->extra;
    if (op->def->opcode == TSR_UNREGISTERED && op->attrs[0] &&
        op->attrs[0]->kind == TSR_ATTR_DICT && tsr_dict_get(op->attrs[0], name))
        dict = &op->attrs[0];
    *dict = tsr_dict_with(ctx, *dict, tsr_name_get(ctx, name), value);
    if (ctx->symcache && tsr_str_is(name, "sym_name"))
        tsr_symcache_saw(op);
}

static int by_name(const void *a, const void *b)
{
    return tsr_str_cmp(((const tsr_named *)a)->name->str, ((const tsr_named *)b)->name->str);
}

static void push_dict(const tsr_attr *dict, tsr_named_vec *out)
{
    if (dict && dict->kind == TSR_ATTR_DICT)
        for (uint32_t i = 0; i < dict->n; i++)
            tsr_vec_push(out, dict->named[i]);
}

void tsr_op_all_attrs(const tsr_op *op, tsr_named_vec *out)
{
    if (op->def->opcode == TSR_UNREGISTERED) {
        push_dict(op->attrs[0], out);
    } else {
        for (uint16_t i = 0; i < op->def->nslot; i++)
            if (op->attrs[i])
                tsr_vec_push(out, (tsr_named){tsr_name_get(op->module->ctx,
                                                           tsr_cstr(op->def->slots[i].name)),
                                              op->attrs[i]});
    }
    push_dict(op->extra, out);
    for (size_t i = 1; i < out->n; i++)
        if (by_name(&out->data[i - 1], &out->data[i]) > 0) {
            qsort(out->data, out->n, sizeof *out->data, by_name);
            break;
        }
}

/* ---- Groups ---- */

/* How total values are divided into groups: by sizes in an attribute, or in equal shares of what the single ones leave.
 * Values that do not divide evenly remain at the end, in no group. */
static bool find_group(const tsr_op *op, const tsr_argdef *defs, size_t ndef, uint32_t total,
                       const char *segments, size_t i, uint32_t *start, uint32_t *n)
{
    if (i >= ndef)
        return false;
    uint32_t at = 0;
    if (segments) {
        const tsr_attr *sizes = tsr_op_attr(op, tsr_cstr(segments));
        if (!tsr_attr_is(sizes, TSR_ATTR_DENSE_ARRAY) || !tsr_type_is_integer(sizes->type, 32) ||
            tsr_attr_count(sizes) != (int64_t)ndef)
            return false;
        for (size_t g = 0; g <= i; g++) {
            int64_t size = tsr_attr_int_at(sizes, g);
            if (size < 0 || size > total - at)
                return false;
            *start = at;
            *n = (uint32_t)size;
            at += (uint32_t)size;
        }
        return true;
    }
    uint32_t single = 0, several = 0;
    for (size_t g = 0; g < ndef; g++)
        defs[g].arity == TSR_ONE ? single++ : several++;
    if (total < single || (!several && total != single))
        return false;
    uint32_t share = several ? (total - single) / several : 0;
    for (size_t g = 0; g < i; g++)
        at += defs[g].arity == TSR_ONE ? 1 : share;
    *start = at;
    *n = defs[i].arity == TSR_ONE ? 1 : share;
    return true;
}

bool tsr_op_operand_group(const tsr_op *op, size_t i, uint32_t *start, uint32_t *n)
{
    if (op->def->single_args && op->nin == op->def->narg && i < op->nin) {
        *start = (uint32_t)i;
        *n = 1;
        return true;
    }
    const char *segments =
        tsr_op_has(op, TSR_TRAIT(SEGMENTED_OPERANDS)) ? "operandSegmentSizes" : NULL;
    return find_group(op, op->def->args, op->def->narg, tsr_op_own_operands(op), segments, i, start,
                      n);
}

bool tsr_op_result_group(const tsr_op *op, size_t i, uint32_t *start, uint32_t *n)
{
    if (op->def->single_results && op->nout == op->def->nresult && i < op->nout) {
        *start = (uint32_t)i;
        *n = 1;
        return true;
    }
    const char *segments =
        tsr_op_has(op, TSR_TRAIT(SEGMENTED_RESULTS)) ? "resultSegmentSizes" : NULL;
    return find_group(op, op->def->results, op->def->nresult, op->nout, segments, i, start, n);
}

/* ---- Order ---- */

bool tsr_op_is_ancestor(const tsr_op *ancestor, const tsr_op *op)
{
    while (op && op != ancestor)
        op = tsr_block_parent(op->block);
    return op != NULL;
}

bool tsr_op_before(const tsr_op *a, const tsr_op *b)
{
    if (a == b)
        return false;
    tsr_assert(a->block && a->block == b->block, "ops of different blocks have no order");
    /* Both walk forward: the time is the distance between them or the shorter way to the end. */
    for (const tsr_op *p = a, *q = b;; p = p->next, q = q->next) {
        if (p == b || !q)
            return true;
        if (q == a || !p)
            return false;
    }
}

/* ---- Patterns ---- */

bool tsr_pattern_on(const tsr_patterns *p, const char *name)
{
    for (uint32_t i = 0; i < p->off.n; i++)
        if (tsr_str_is(p->off.data[i], name))
            return false;
    for (uint32_t i = 0; i < p->on.n; i++)
        if (tsr_str_is(p->on.data[i], name))
            return true;
    return !p->on.n;
}
