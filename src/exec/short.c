/* short.c - loops without what it costs to begin a group.
 *
 * A loop whose condition and body are loops over elements, products and movements runs here from its first turn to its last. Of groups of few
 * elements it is found once where each register lies, as values do not move while a loop runs: they are then lists of calls of kernels. */
#include "base/scope.h"
#include "exec/run.h"

enum { FEW = 256 }; /* elements of a group that one thread does at once */

typedef struct {
    tsr_tile_fn *fn; /* NULL: bytes are copied */
    void *out;
    const void *in[TSR_TILE_OPERANDS];
    size_t n; /* elements, or bytes */
} call;

/* A group: its calls, or what runs it. */
typedef struct {
    tsr_xid group;
    bool by_calls;
    size_t first, end;
} part;

typedef struct {
    tsr_run *r;
    char *registers;
    size_t used;
    TSR_VEC(call) calls;
    TSR_VEC(part) parts;
} short_loop;

static const tsr_xgroup *group_of(const short_loop *s, tsr_xid g)
{
    return &s->r->p->groups.data[g];
}

static bool is_small(const tsr_xgroup *g)
{
    return g->kind == TSR_NODE_TILE && g->mode == TSR_LOOP_MAP && g->product == TSR_XNONE &&
           g->n <= FEW;
}

static size_t register_bytes(const tsr_xgroup *g)
{
    return ((size_t)g->n * g->width + 63) & ~(size_t)63;
}

/* Where the elements of a load lie; NULL: they are not one behind the other. */
static char *loaded(const tsr_run *r, const tsr_instr *o, int64_t n)
{
    if (o->whole)
        return r->at[o->value];
    return n == 1
               ? r->at[o->value] + o->view->offset * (int64_t)tsr_dtype_bytes((tsr_dtype)o->dtype)
               : NULL;
}

/* The calls of one instruction; at: where registers are. False: it has none. */
static bool add_call(short_loop *s, const tsr_xgroup *g, const tsr_instr *o, char **at)
{
    const tsr_run *r = s->r;
    char *own = s->registers + s->used + o->out * register_bytes(g);
    call c = {.fn = o->fn, .out = own, .n = (size_t)g->n};
    if (o->by_row)
        return false;
    for (uint8_t i = 0; i < o->nin; i++)
        c.in[i] = at[o->in[i]];
    switch ((tsr_instr_kind)o->kind) {
    case TSR_I_SPLAT: tsr_tile_splat((tsr_dtype)o->dtype, own, &o->bits, (size_t)g->n); break;
    case TSR_I_LOAD: own = loaded(r, o, g->n); break;
    case TSR_I_TILE:
    case TSR_I_CONVERT:
        if (!o->fn || o->number)
            return false;
        if (o->direct)
            c.out = own = r->at[o->value];
        tsr_vec_push(&s->calls, c);
        break;
    case TSR_I_STORE:
        c.fn = NULL;
        c.out = r->at[o->value];
        c.n *= tsr_dtype_bytes((tsr_dtype)o->dtype);
        tsr_vec_push(&s->calls, c);
        return true;
    case TSR_I_NOTHING: return true;
    default: return false;
    }
    at[o->out] = own;
    return own != NULL;
}

static bool add_calls(short_loop *s, const tsr_xgroup *g, char **at)
{
    if (!is_small(g))
        return false;
    for (uint32_t i = 0; i < g->ncode; i++)
        if (!add_call(s, g, &g->code[i], at))
            return false;
    s->used += g->nregister * register_bytes(g);
    return true;
}

static bool is_fit(const short_loop *s, const tsr_block_program *b)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        uint8_t kind = group_of(s, b->groups.data[i])->kind;
        if (kind != TSR_NODE_TILE && kind != TSR_NODE_CONTRACT && kind != TSR_NODE_MOVE)
            return false;
    }
    for (uint32_t i = 0; i < b->nresults; i++)
        if (s->r->p->values.data[tsr_storage_of(s->r->p, b->results[i])].place == TSR_PLACE_BOX)
            return false;
    return true;
}

/* Groups of a block; the end of its parts. */
static size_t add_block(short_loop *s, const tsr_block_program *b, char **at)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        part p = {.group = b->groups.data[i], .first = s->calls.n};
        p.by_calls = add_calls(s, group_of(s, p.group), at);
        if (!p.by_calls)
            s->calls.n = p.first;
        p.end = s->calls.n;
        tsr_vec_push(&s->parts, p);
    }
    return s->parts.n;
}

static bool run_parts(const short_loop *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const part *p = &s->parts.data[i];
        const tsr_xgroup *g = group_of(s, p->group);
        const tsr_node *n = &s->r->p->nodes.data[g->nodes.data[0]];
        if (n->op)
            tsr_count_step(n->op->loc);
        if (!p->by_calls && g->kind == TSR_NODE_MOVE)
            TSR_TRY(tsr_run_move(s->r, n));
        else if (!p->by_calls && (g->kind == TSR_NODE_CONTRACT || g->product != TSR_XNONE))
            TSR_TRY(tsr_run_contract(s->r, g));
        else if (!p->by_calls)
            tsr_run_loop(s->r, g);
        for (size_t k = p->first; k < p->end; k++) {
            const call *c = &s->calls.data[k];
            if (c->fn)
                c->fn(c->out, c->in, c->n);
            else
                memcpy(c->out, c->in[0], c->n);
        }
    }
    return true;
}

static bool run_turns(const short_loop *s, const tsr_node *n, size_t condition, size_t body)
{
    const tsr_run *r = s->r;
    const tsr_block_program *last = n->blocks[1];
    const char *goes_on = tsr_run_at(r, n->blocks[0]->results[0]);
    for (;;) {
        tsr_count_step(n->op->loc);
        TSR_TRY(run_parts(s, 0, condition));
        if (!*goes_on)
            return true;
        TSR_TRY(run_parts(s, condition, body));
        for (uint32_t i = 0; i < n->ncarried; i++) {
            const tsr_xvalue *x = &r->p->values.data[n->out[i]];
            char *to = r->at[n->out[i]], *from = tsr_run_at(r, last->results[i]);
            if (to != from && x->n)
                memcpy(to, from, (size_t)tsr_xvalue_bytes(x));
        }
    }
}

bool tsr_run_short(tsr_run *r, const tsr_node *n, bool *ok)
{
    short_loop s = {.r = r};
    size_t bytes = 0, most = 1;
    for (uint32_t i = 0; i < n->ncarried; i++)
        if (r->p->values.data[n->out[i]].place == TSR_PLACE_BOX)
            return false;
    for (uint32_t k = 0; k < 2; k++) {
        const tsr_block_program *b = n->blocks[k];
        if (!is_fit(&s, b))
            return false;
        for (size_t i = 0; i < b->groups.n; i++) {
            const tsr_xgroup *g = group_of(&s, b->groups.data[i]);
            if (!is_small(g))
                continue;
            bytes += g->nregister * register_bytes(g);
            most = g->nregister > most ? g->nregister : most;
        }
    }
    s.registers = tsr_malloc_aligned(bytes + 64);
    char **at = tsr_calloc(most + 1, sizeof *at);
    bool fits = s.registers && at;
    if (fits) {
        size_t condition = add_block(&s, n->blocks[0], at);
        size_t body = add_block(&s, n->blocks[1], at);
        *ok = run_turns(&s, n, condition, body);
    }
    tsr_free(at);
    tsr_free(s.registers);
    tsr_vec_free(&s.calls);
    tsr_vec_free(&s.parts);
    return fits;
}
