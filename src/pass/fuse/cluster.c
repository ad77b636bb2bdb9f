/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c - --tessera-fuse: moves ops that can run as one kernel into one tessera.fused region.
 *
 * A cluster grows from its last op, the root, upwards. An op joins if every user of its results is already in the
 * cluster: then nothing is computed twice, no other user loses a value, clusters never overlap, and no path leaves a
 * cluster and returns. Roots are elementwise ops and reductions. Below a product (matrix product, convolution) its bias
 * and its activation join; above one nothing joins, since a product reads its operands many times. Reductions of one
 * value over the same dimensions form one cluster. One walk over each block, last op first; linear in uses. Needs uses;
 * keeps shardings; breaks ids. */
#include "dialect/tessera/tessera.h"
#include "pass/pass.h"

typedef enum {
    FUSE_none,
    FUSE_POINTWISE, /* one element of the result from one of each operand */
    /* the same elements in another arrangement: joins, but is not a reason to fuse */
    FUSE_MOVE,
    FUSE_REDUCE,
    FUSE_PRODUCT,
} fuse_kind;

typedef struct {
    uint8_t kind; /* fuse_kind: the column FUSE */
} row;

static const row rows[TSR_OP__COUNT + 1] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define FUSE(how) .kind = FUSE_##how,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static fuse_kind kind_of(const tsr_op *op)
{
    fuse_kind k =
        op->def->opcode < TSR_OP__COUNT ? (fuse_kind)rows[op->def->opcode].kind : FUSE_none;
    bool elementwise = tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE));
    return k != FUSE_none ? k : elementwise ? FUSE_POINTWISE : FUSE_none;
}

typedef struct {
    uint32_t size;      /* ops in it */
    uint32_t pointwise; /* of them */
    uint32_t reduces;   /* reductions */
    bool product;
    tsr_op *root;
} cluster;

typedef struct {
    tsr_pass *p;
    TSR_VEC(cluster) all;
    /* by op id: cluster number + 1; 0: none. Ops created here have larger ids, and no cluster */
    uint32_t *of;
    uint32_t n;
    uint8_t *above; /* by op id: it is a product, or a product reads its result */
    uint32_t most;
    tsr_buf *dump; /* NULL: not requested */
} fuser;

static uint32_t number_of(const fuser *f, const tsr_op *op)
{
    return op->id < f->n ? f->of[op->id] : 0;
}

/* Whether something inside op uses a value from outside. */
static bool captures(tsr_op *op)
{
    TSR_OPS (op, inner) {
        if (inner == op)
            continue;
        for (uint32_t i = 0; i < inner->nin; i++) {
            const tsr_value *v = inner->in[i].value;
            const tsr_op *at = v->is_arg ? tsr_block_parent(v->block) : v->op;
            if (!at || at == op ? !v->is_arg : !tsr_op_is_ancestor(op, at))
                return true;
        }
    }
    return false;
}

/* Why op cannot be part of any cluster; NULL: it can. */
static const char *unfit(tsr_op *op)
{
    if (kind_of(op) == FUSE_none)
        return "is of no kind that fuses";
    if (!tsr_op_effect_free(op))
        return "has effects";
    if (op->nregion && captures(op))
        return "uses values from outside in its body";
    for (uint32_t i = 0; i < op->nout; i++)
        if (!tsr_type_is(op->out[i].type, TSR_TYPE_TENSOR))
            return "makes something that is no tensor";
    return NULL;
}

/* The number + 1 of the cluster that contains all users of op's results; 0, and *why, if there is no such cluster. */
static uint32_t users_cluster(const fuser *f, const tsr_op *op, const char **why)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < op->nout; i++)
        for (const tsr_use *u = op->out[i].uses; u; u = u->next) {
            if (u->user->block != op->block) {
                *why = "is used in another block";
                return 0;
            }
            uint32_t c = number_of(f, u->user);
            if (!c || (found && c != found)) {
                *why = found || c ? "is used by several clusters"
                                  : "is used by an op that is not fused";
                return 0;
            }
            found = c;
        }
    if (!found)
        *why = "is used by nothing";
    return found;
}

/* NULL: op may join. */
static const char *refusal(const fuser *f, const tsr_op *op, fuse_kind kind, const cluster *c)
{
    if (c->size >= f->most)
        return "the cluster is full";
    if (kind == FUSE_REDUCE)
        return "a reduction ends its own cluster";
    if (kind == FUSE_PRODUCT && (c->product || c->reduces))
        return c->product ? "the cluster has a product already"
                          : "a product does not feed a reduction's cluster";
    for (uint32_t i = 0; i < op->nout; i++)
        for (const tsr_use *u = op->out[i].uses; u; u = u->next)
            if (u->user->id < f->n && f->above[u->user->id])
                return "a product reads it many times";
    return NULL;
}

static void tell(const fuser *f, const tsr_op *op, const char *why)
{
    if (!f->dump)
        return;
    tsr_buf_printf(f->dump, "  not fused: %.*s", TSR_STR_ARG(op->def->name));
    tsr_loc_at_place(f->dump, f->p->ctx, op->loc, false);
    tsr_buf_printf(f->dump, ": %s\n", why);
}

static void add(fuser *f, uint32_t number, tsr_op *op, fuse_kind kind)
{
    cluster *c = &f->all.data[number - 1];
    c->size++;
    c->pointwise += kind == FUSE_POINTWISE;
    c->reduces += kind == FUSE_REDUCE;
    c->product |= kind == FUSE_PRODUCT;
    f->of[op->id] = number;
    f->above[op->id] = kind == FUSE_PRODUCT;
}

static void assign(fuser *f, tsr_op *op)
{
    fuse_kind kind = kind_of(op);
    const char *why = unfit(op);
    if (why)
        return;
    uint32_t number = users_cluster(f, op, &why);
    if (number) {
        why = refusal(f, op, kind, &f->all.data[number - 1]);
        if (!why) {
            add(f, number, op, kind);
            return;
        }
    }
    tell(f, op, why);
    if (kind == FUSE_POINTWISE || kind == FUSE_REDUCE) {
        tsr_vec_push(&f->all, ((cluster){.root = op}));
        add(f, (uint32_t)f->all.n, op, kind);
    }
}

/* ---- Reductions side by side ---- */

static bool same_shape(const tsr_type *a, const tsr_type *b)
{
    return a->n == b->n && (!a->n || !memcmp(a->dims, b->dims, a->n * sizeof *a->dims));
}

/* Two reductions of one value over the same dimensions. */
static bool siblings(const tsr_op *a, const tsr_op *b)
{
    if (a->def != b->def || a->nin != b->nin || a->nout != b->nout ||
        a->in[0].value != b->in[0].value || !same_shape(a->out[0].type, b->out[0].type))
        return false;
    for (uint16_t i = 0; i < a->def->nslot; i++)
        if (a->attrs[i] != b->attrs[i] && !tsr_str_is(tsr_cstr(a->def->slots[i].name), "kind"))
            return false;
    return true;
}

/* A later reduction of the same value joins the cluster of an earlier one if everything it needs is available before
 * that. */
static void join_siblings(fuser *f, tsr_op *reduce)
{
    const tsr_value *v = reduce->in[0].value;
    uint32_t mine = f->of[reduce->id];
    uint32_t looked = 0;
    for (const tsr_use *u = v->uses; u && looked < 16; u = u->next, looked++) {
        tsr_op *other = u->user;
        uint32_t theirs = other->block == reduce->block ? number_of(f, other) : 0;
        if (other == reduce || !theirs || theirs == mine || kind_of(other) != FUSE_REDUCE ||
            !siblings(reduce, other) || f->all.data[theirs - 1].size != 1 ||
            f->all.data[mine - 1].root != reduce || !tsr_op_before(reduce, other))
            continue;
        bool ready = true;
        for (uint32_t i = 0; i < other->nin; i++) {
            const tsr_value *in = other->in[i].value;
            ready &= in->is_arg || in->op->block != other->block || tsr_op_before(in->op, reduce);
        }
        if (!ready)
            continue;
        f->all.data[theirs - 1].size = 0;
        add(f, mine, other, FUSE_REDUCE);
    }
}

/* Values that only these reductions use now join them. */
static void join_alone(fuser *f, tsr_op *op)
{
    uint32_t mine = number_of(f, op);
    const char *why = NULL;
    if (!mine || f->all.data[mine - 1].size != 1 || f->all.data[mine - 1].root != op ||
        kind_of(op) == FUSE_REDUCE)
        return;
    uint32_t number = users_cluster(f, op, &why);
    if (!number || number == mine || refusal(f, op, kind_of(op), &f->all.data[number - 1]))
        return;
    f->all.data[mine - 1].size = 0;
    add(f, number, op, kind_of(op));
}

/* ---- Building regions ---- */

/* Scalar constants are copied into the region, as they cost nothing. */
static bool is_number(const tsr_value *v)
{
    return tsr_value_is_constant(v) && tsr_type_is(v->type, TSR_TYPE_TENSOR) && v->type->n == 0;
}

typedef struct {
    TSR_VEC(tsr_op *) ops;    /* in program order */
    TSR_VEC(tsr_value *) in;  /* values used from outside */
    TSR_VEC(tsr_value *) out; /* used outside */
} members;

static uint32_t find(tsr_value *const *all, size_t n, const tsr_value *v)
{
    uint32_t i = 0;
    while (i < n && all[i] != v)
        i++;
    return i;
}

static void list_values(const fuser *f, members *m, uint32_t number)
{
    for (size_t k = 0; k < m->ops.n; k++) {
        tsr_op *op = m->ops.data[k];
        for (uint32_t i = 0; i < op->nin; i++) {
            tsr_value *v = op->in[i].value;
            bool inside = !v->is_arg && v->op->block == op->block && number_of(f, v->op) == number;
            if (!inside && !is_number(v) && find(m->in.data, m->in.n, v) == m->in.n)
                tsr_vec_push(&m->in, v);
        }
        for (uint32_t i = 0; i < op->nout; i++) {
            bool outside = false;
            for (const tsr_use *u = op->out[i].uses; u; u = u->next)
                outside |= u->user->block != op->block || number_of(f, u->user) != number;
            if (outside)
                tsr_vec_push(&m->out, &op->out[i]);
        }
    }
}

static const char *name_of(const cluster *c)
{
    return c->product ? "product" : c->reduces ? "reduction" : "elementwise";
}

static void tell_cluster(const fuser *f, const cluster *c, const members *m)
{
    if (!f->dump)
        return;
    tsr_buf_printf(f->dump, "  %s of %zu:", name_of(c), (size_t)m->ops.n);
    for (size_t i = 0; i < m->ops.n; i++)
        tsr_buf_printf(f->dump, " %.*s", TSR_STR_ARG(m->ops.data[i]->def->name));
    tsr_buf_char(f->dump, '\n');
}

/* Moves ops into the region unchanged; values used from outside become arguments. */
static void make_region(fuser *f, uint32_t number, members *m)
{
    const cluster *c = &f->all.data[number - 1];
    tsr_module *module = c->root->module;
    tsr_ctx *ctx = module->ctx;
    list_values(f, m, number);
    TSR_VEC(tsr_type *) types = {0};
    for (size_t i = 0; i < m->out.n; i++)
        tsr_vec_push(&types, m->out.data[i]->type);
    tsr_op *fused = tsr_op_new(module, tsr_opdef_of(ctx, TSR_OP_TESSERA_FUSED), c->root->loc,
                               m->in.data, m->in.n, types.data, types.n, 1, 0);
    fused->attrs[TESSERA_FUSED_kind] = tsr_attr_string(ctx, tsr_cstr(name_of(c)));
    tsr_op_insert(fused, c->root->block, c->root);
    tsr_block *body = tsr_block_new(module);
    tsr_block_insert(body, &fused->regions[0], NULL);
    for (size_t i = 0; i < m->in.n; i++)
        tsr_block_add_arg(module, body, m->in.data[i]->type, c->root->loc);
    for (size_t k = 0; k < m->ops.n; k++) {
        tsr_op *op = m->ops.data[k];
        for (uint32_t i = 0; i < op->nin; i++) {
            tsr_value *v = op->in[i].value;
            if (!v->is_arg && v->op->block == body)
                continue;
            uint32_t at = find(m->in.data, m->in.n, v);
            if (at < m->in.n) {
                tsr_op_set_operand(op, i, body->args[at]);
                continue;
            }
            tsr_mapping none = {0};
            tsr_op *copy = tsr_op_clone(module, v->op, &none);
            tsr_mapping_free(&none);
            tsr_op_insert(copy, body, NULL);
            tsr_op_set_operand(op, i, &copy->out[v->index]);
        }
        tsr_op_remove(op);
        tsr_op_insert(op, body, NULL);
    }
    for (size_t i = 0; i < m->out.n; i++)
        tsr_value_replace(m->out.data[i], &fused->out[i]);
    tsr_op *end = tsr_op_new(module, tsr_opdef_of(ctx, TSR_OP_TESSERA_YIELD), c->root->loc,
                             m->out.data, m->out.n, NULL, 0, 0, 0);
    tsr_op_insert(end, body, NULL);
    tsr_vec_free(&types);
}

/* ---- Blocks ---- */

static bool worthwhile(const cluster *c)
{
    return c->size > 1 && c->pointwise + c->reduces + c->product > 1;
}

static void fuse_block(fuser *f, tsr_block *b)
{
    uint32_t first = (uint32_t)f->all.n;
    for (tsr_op *op = b->last; op; op = op->prev)
        if (op->id < f->n)
            assign(f, op);
    TSR_BLOCK_OPS (b, op)
        if (kind_of(op) == FUSE_REDUCE && number_of(f, op))
            join_siblings(f, op);
    for (tsr_op *op = b->last; op; op = op->prev)
        join_alone(f, op);
    uint32_t n = (uint32_t)f->all.n - first;
    members *lists = TSR_NEW_ARRAY(f->p->scratch, members, n + 1);
    TSR_BLOCK_OPS (b, op) {
        uint32_t c = number_of(f, op);
        if (c && worthwhile(&f->all.data[c - 1]))
            tsr_vec_push(&lists[c - 1 - first].ops, op);
    }
    for (uint32_t i = 0; i < n; i++) {
        members *m = &lists[i];
        if (m->ops.n) {
            tell_cluster(f, &f->all.data[first + i], m);
            make_region(f, first + i + 1, m);
            f->p->changed = true;
        }
        tsr_vec_free(&m->ops);
        tsr_vec_free(&m->in);
        tsr_vec_free(&m->out);
    }
}

/* Bodies of reductions, and regions that are already fused, are skipped. */
static bool has_program(const tsr_op *op)
{
    return kind_of(op) == FUSE_none && !tsr_op_is(op, TSR_OP_TESSERA_FUSED);
}

static void fuse_inside(fuser *f, tsr_op *op)
{
    for (uint32_t r = 0; r < op->nregion; r++)
        for (tsr_block *b = op->regions[r].first; b; b = b->next) {
            fuse_block(f, b);
            TSR_BLOCK_OPS (b, inner)
                if (inner->nregion && has_program(inner))
                    fuse_inside(f, inner);
        }
}

bool pass_tessera_fuse_clusters(tsr_pass *p, tsr_op *root)
{
    tsr_buf dump = {0};
    fuser f = {.p = p, .most = (uint32_t)tsr_pass_int(p, "max-ops")};
    f.dump = tsr_pass_bool(p, "dump-clusters") ? &dump : NULL;
    f.n = p->module->nop;
    f.of = TSR_NEW_ARRAY(p->scratch, uint32_t, p->module->nop + 1);
    f.above = TSR_NEW_ARRAY(p->scratch, uint8_t, p->module->nop + 1);
    TSR_BLOCK_OPS (root->regions[0].first, func) {
        if (!tsr_op_has(func, TSR_TRAIT(FUNCTION)))
            continue;
        if (f.dump)
            tsr_buf_printf(f.dump, "@%.*s\n", TSR_STR_ARG(tsr_op_symbol(func)));
        fuse_inside(&f, func);
    }
    if (p->changed)
        tsr_erase_dead_ops(root); /* constants that were copied */
    if (f.dump && p->options->report)
        p->options->report(p->options->user, tsr_buf_text(f.dump));
    tsr_buf_free(&dump);
    tsr_vec_free(&f.all);
    return true;
}

void expand_tessera_fuse(const tsr_pass *p, tsr_buf *out)
{
    const char *dump = tsr_pass_bool(p, "dump-clusters") ? "true" : "false";
    tsr_buf_printf(
        out, "tessera-raise{dump-clusters=%s},tessera-fuse-clusters{max-ops=%lld dump-clusters=%s}",
        dump, (long long)tsr_pass_int(p, "max-ops"), dump);
}
