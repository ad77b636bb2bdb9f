/* short.c - loops without what it costs to begin a group.
 *
 * A loop whose condition and body are loops over elements, products and movements runs here from its first turn to its last. Of groups of few
 * elements it is found once where each register lies, as values do not move while a loop runs: they are then lists of calls of kernels. */
#include "base/scope.h"
#include "exec/run.h"

enum { FEW = 256 }; /* elements of a group that one thread does at once */

/* What is done in place of a call when there is one element: X(tile, type, type of the result, result). Bits are those of the kernels. */
#define V(T, i) (*(const T *)c->in[i])
#define COMPARES(X, D, T)                         \
    X(compare_eq, D, uint8_t, V(T, 0) == V(T, 1)) \
    X(compare_ne, D, uint8_t, V(T, 0) != V(T, 1)) \
    X(compare_lt, D, uint8_t, V(T, 0) < V(T, 1))  \
    X(compare_le, D, uint8_t, V(T, 0) <= V(T, 1)) \
    X(compare_gt, D, uint8_t, V(T, 0) > V(T, 1))  \
    X(compare_ge, D, uint8_t, V(T, 0) >= V(T, 1))
#define FLOATS(X, D, T)                                                \
    X(add, D, T, V(T, 0) + V(T, 1))                                    \
    X(subtract, D, T, V(T, 0) - V(T, 1))                               \
    X(multiply, D, T, V(T, 0) * V(T, 1))                               \
    X(divide, D, T, V(T, 0) / V(T, 1))                                 \
    X(negate, D, T, -V(T, 0))                                          \
    X(multiply_add, D, T, (T)rounded_##D(V(T, 0) * V(T, 1)) + V(T, 2)) \
    X(add_twice, D, T, V(T, 0) + V(T, 1) + V(T, 2))                    \
    X(multiply_twice, D, T, V(T, 0) * V(T, 1) * V(T, 2))               \
    COMPARES(X, D, T)
#define INTS(X, D, T, U)                 \
    X(add, D, U, V(U, 0) + V(U, 1))      \
    X(subtract, D, U, V(U, 0) - V(U, 1)) \
    X(multiply, D, U, V(U, 0) * V(U, 1)) \
    COMPARES(X, D, T)
#define SCALARS(X)                  \
    FLOATS(X, F32, float)           \
    FLOATS(X, F64, double)          \
    INTS(X, I32, int32_t, uint32_t) \
    INTS(X, I64, int64_t, uint64_t)

/* A product that is not fused with a sum. */
static inline float rounded_F32(float x)
{
    volatile float y = x;
    return y;
}

static inline double rounded_F64(double x)
{
    volatile double y = x;
    return y;
}

typedef enum {
    BY_KERNEL,
    COPIED, /* bytes */
    I32_TO_F32,
#define X(tile, D, R, result) S_##tile##_##D,
    SCALARS(X)
#undef X
} call_kind;

typedef struct {
    tsr_tile_fn *fn;
    call_kind kind;
    void *out;
    const void *in[TSR_TILE_OPERANDS];
    size_t n; /* elements, or bytes */
} call;

/* A group: its calls, or what runs it. */
typedef struct {
    const tsr_xgroup *g;
    const tsr_node *n; /* the first of its nodes */
    uint64_t place;
    bool counts, by_calls;
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

static call_kind kind_of(tsr_tile_fn *fn, int64_t n)
{
    if (n != 1)
        return BY_KERNEL;
    if (fn == tsr_tile_convert(TSR_D_F32, TSR_D_I32))
        return I32_TO_F32;
#define X(tile, D, R, result)                                           \
    for (int form = 0; form < TSR_TILE_FORMS; form++)                   \
        if (fn == tsr_tile_find(TSR_TILE_##tile, TSR_D_##D) ||          \
            fn == tsr_tile_find_form(TSR_TILE_##tile, TSR_D_##D, form)) \
            return S_##tile##_##D;
    SCALARS(X)
#undef X
    return BY_KERNEL;
}

static void run_calls(const call *c, const call *end)
{
    for (; c != end; c++)
        switch (c->kind) {
        case BY_KERNEL: c->fn(c->out, c->in, c->n); break;
        case COPIED: memcpy(c->out, c->in[0], c->n); break;
        case I32_TO_F32: *(float *)c->out = (float)V(int32_t, 0); break;
#define X(tile, D, R, result) \
    case S_##tile##_##D: *(R *)c->out = (R)(result); break;
            SCALARS(X)
#undef X
        }
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
        c.kind = kind_of(o->fn, g->n);
        tsr_vec_push(&s->calls, c);
        break;
    case TSR_I_STORE:
        c.kind = COPIED;
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
        const tsr_xgroup *g = group_of(s, b->groups.data[i]);
        part p = {.g = g, .n = &s->r->p->nodes.data[g->nodes.data[0]], .first = s->calls.n};
        p.counts = p.n->op != NULL;
        p.place = p.counts ? p.n->op->loc : 0;
        p.by_calls = add_calls(s, g, at);
        if (!p.by_calls)
            s->calls.n = p.first;
        p.end = s->calls.n;
        tsr_vec_push(&s->parts, p);
    }
    return s->parts.n;
}

static bool run_part(const short_loop *s, const part *p)
{
    if (p->g->kind == TSR_NODE_MOVE)
        return tsr_run_move(s->r, p->n);
    if (p->g->kind == TSR_NODE_CONTRACT || p->g->product != TSR_XNONE)
        return tsr_run_contract(s->r, p->g);
    tsr_run_loop(s->r, p->g);
    return true;
}

static bool run_parts(const short_loop *s, size_t first, size_t end)
{
    for (const part *p = s->parts.data + first, *last = s->parts.data + end; p < last; p++) {
        if (p->counts)
            tsr_count_step(p->place);
        if (p->by_calls)
            run_calls(s->calls.data + p->first, s->calls.data + p->end);
        else
            TSR_TRY(run_part(s, p));
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
