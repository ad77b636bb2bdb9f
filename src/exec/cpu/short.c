/* SPDX-License-Identifier: Apache-2.0 */
/* short.c - loops without the cost of starting each group.
 *
 * A loop whose condition and body consist of elementwise loops, products and movements runs here from its first
 * iteration to its last. Values do not move while a loop runs, so for groups with few elements the address of each
 * register is computed only once: the groups become lists of ops on single numbers and of kernel calls. A loop without
 * other groups is a single list, including the copies between iterations. */
#include "base/scope.h"
#include "exec/kernel/scalar.h"
#include "exec/kernel/scratch.h"
#include "exec/cpu/cpu.h"

enum { FEW = 256 }; /* elements of a group that one thread runs in one go */

/* A group: its calls, or the group to run. */
typedef struct {
    const tsr_xgroup *g;
    const tsr_node *n; /* the first of its nodes */
    uint64_t place;
    bool counts, by_calls;
    size_t first;
    bool fixed, again; /* a product whose second factor is loop-invariant; it has run before */
    void *panels;      /* that factor, packed before its second use */
} part;

typedef struct {
    tsr_run *r;
    char *registers;
    size_t used;
    TSR_VEC(tsr_scalar) calls;
    TSR_VEC(part) parts;
    tsr_scalar_hand hand;
    bool in_one; /* all groups are calls */
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

static bool is_product(const tsr_xgroup *g)
{
    return g->kind == TSR_NODE_CONTRACT || g->product != TSR_XNONE;
}

/* Whether the second factor of a product is computed before loop n. */
static bool is_fixed(const tsr_program *p, const tsr_node *n, const tsr_xgroup *g)
{
    if (!is_product(g))
        return false;
    const tsr_node *product =
        &p->nodes.data[g->product == TSR_XNONE ? g->nodes.data[0] : g->product];
    tsr_xid made = p->values.data[tsr_storage_of(p, product->in[1])].node;
    return made == TSR_XNONE || made < n->first_inside;
}

static size_t register_bytes(const tsr_xgroup *g, const tsr_cpu_code *cpu)
{
    return ((size_t)g->n * cpu->width + 63) & ~(size_t)63;
}

/* The address of a load's elements; NULL: they are not contiguous. */
static char *loaded(const tsr_run *r, const tsr_cpu_instr *o, int64_t n)
{
    if (o->whole)
        return r->at[o->value];
    return n == 1
               ? r->at[o->value] + o->view->offset * (int64_t)tsr_dtype_bytes((tsr_dtype)o->dtype)
               : NULL;
}

/* Adds copies of a view's elements in order, one per contiguous run. False: there are too many. */
static bool add_runs(short_loop *s, const tsr_cpu_instr *o, int64_t n, char *to)
{
    enum { RUNS = 16 };
    const tsr_xview *v = o->view;
    int last = v->space.rank - 1;
    int64_t run = v->space.dims[last], bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    if (v->strides[last] != 1 || n % run || n / run > RUNS)
        return false;
    for (int64_t i = 0; i < n / run; i++) {
        int64_t place = v->offset, left = i;
        for (int k = last - 1; k >= 0; k--, left /= v->space.dims[k + 1])
            place += left % v->space.dims[k] * v->strides[k];
        tsr_vec_push(&s->calls,
                     tsr_scalar_copy(&s->hand, to + i * run * bytes,
                                     s->r->at[o->value] + place * bytes, (size_t)(run * bytes)));
    }
    return true;
}

/* Adds the calls of one instruction; at: addresses of registers. False: it has none. */
static bool add_call(short_loop *s, const tsr_xgroup *g, const tsr_cpu_instr *o, char **at)
{
    const tsr_run *r = s->r;
    char *own = s->registers + s->used + o->out * register_bytes(g, tsr_cpu_code_of(r->p, g));
    tsr_scalar c = {.what = TSR_SCALAR_CALL, .fn = o->fn, .out = own, .n = (size_t)g->n};
    if (o->by_row)
        return false;
    for (uint8_t i = 0; i < o->nin; i++)
        c.in[i] = at[o->in[i]];
    switch ((tsr_instr_kind)o->kind) {
    case TSR_I_SPLAT: tsr_tile_splat((tsr_dtype)o->dtype, own, &o->bits, (size_t)g->n); break;
    case TSR_I_LOAD: {
        if (tsr_is_in_slice(r->p, o->value)) /* at another address in each iteration */
            return false;
        char *lies = loaded(r, o, g->n);
        if (!lies && !add_runs(s, o, g->n, own))
            return false;
        own = lies ? lies : own;
        break;
    }
    case TSR_I_TILE:
    case TSR_I_CONVERT:
        if (!o->fn || o->number)
            return false;
        if (o->direct)
            own = r->at[o->value];
        c.out = own;
        if (g->n != 1)
            s->hand = (tsr_scalar_hand){0};
        else if (o->kind == TSR_I_CONVERT)
            tsr_scalar_convert(&s->hand, &c, (tsr_dtype)o->dtype, (tsr_dtype)o->from);
        else
            tsr_scalar_tile(&s->hand, &c, (tsr_tile_op)o->op, (tsr_dtype)o->from,
                            (tsr_dtype)o->dtype);
        tsr_vec_push(&s->calls, c);
        break;
    case TSR_I_STORE:
        tsr_vec_push(&s->calls, tsr_scalar_copy(&s->hand, r->at[o->value], c.in[0],
                                                c.n * tsr_dtype_bytes((tsr_dtype)o->dtype)));
        return true;
    default: return false;
    }
    at[o->out] = own;
    return own != NULL;
}

static bool add_calls(short_loop *s, const tsr_xgroup *g, char **at)
{
    const tsr_cpu_code *cpu = tsr_cpu_code_of(s->r->p, g);
    if (!is_small(g))
        return false;
    for (uint32_t i = 0; i < cpu->ncode; i++)
        if (!add_call(s, g, &cpu->code[i], at))
            return false;
    s->used += cpu->nregister * register_bytes(g, cpu);
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
        if (tsr_has_tensor(&s->r->p->values.data[tsr_storage_of(s->r->p, b->results[i])]) ||
            tsr_is_in_slice(s->r->p, tsr_storage_of(s->r->p, b->results[i])))
            return false;
    return true;
}

/* Adds the groups of a block; returns the end of its parts. Each list is terminated, unless the whole loop is one
 * list. */
static size_t add_block(short_loop *s, const tsr_node *loop, const tsr_block_program *b, char **at)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        const tsr_xgroup *g = group_of(s, b->groups.data[i]);
        part p = {.g = g, .n = &s->r->p->nodes.data[g->nodes.data[0]], .first = s->calls.n};
        p.counts = p.n->op != NULL;
        p.place = p.counts ? p.n->op->loc : 0;
        p.fixed = is_fixed(s->r->p, loop, g);
        p.by_calls = add_calls(s, g, at);
        if (!p.by_calls) {
            s->calls.n = p.first;
            s->in_one = false;
        } else if (!s->in_one) {
            tsr_vec_push(&s->calls, ((tsr_scalar){.what = TSR_SCALAR_END}));
            s->hand = (tsr_scalar_hand){0};
        }
        tsr_vec_push(&s->parts, p);
    }
    return s->parts.n;
}

static bool run_part(const short_loop *s, part *p)
{
    if (p->g->kind == TSR_NODE_MOVE)
        return tsr_run_move(s->r, p->n);
    if (p->fixed && p->again) {
        p->panels = tsr_pack_contract(s->r, p->g);
        p->fixed = false;
    }
    p->again = true;
    if (is_product(p->g))
        return tsr_run_contract(s->r, p->g, p->panels);
    tsr_run_loop(s->r, p->g);
    return true;
}

static bool run_parts(const short_loop *s, size_t first, size_t end)
{
    int64_t iterations = 0;
    for (part *p = TSR_FROM(s->parts.data, first), *last = TSR_FROM(s->parts.data, end); p < last;
         p++) {
        if (p->counts)
            tsr_count_step(p->place);
        if (p->by_calls)
            tsr_scalar_run(s->calls.data + p->first, &iterations);
        else
            TSR_TRY(run_part(s, p));
    }
    return true;
}

/* Adds copies of the body's results to where the next iteration reads them. */
static void add_copies(short_loop *s, const tsr_node *n)
{
    const tsr_run *r = s->r;
    for (uint32_t i = 0; i < n->ncarried; i++) {
        const tsr_xvalue *x = &r->p->values.data[n->out[i]];
        char *to = r->at[n->out[i]], *from = tsr_run_at(r, n->blocks[1]->results[i]);
        if (to != from && x->n)
            tsr_vec_push(&s->calls,
                         tsr_scalar_copy(&s->hand, to, from, (size_t)tsr_xvalue_bytes(x)));
    }
}

/* Runs iteration by iteration; copies: the list that ends an iteration. */
static bool run_iterations(const short_loop *s, const tsr_node *n, size_t condition, size_t body,
                           const tsr_scalar *copies)
{
    const char *goes_on = tsr_run_at(s->r, n->blocks[0]->results[0]);
    int64_t iterations = 0;
    for (;;) {
        tsr_count_step(n->op->loc);
        TSR_TRY(run_parts(s, 0, condition));
        if (!*goes_on)
            return true;
        TSR_TRY(run_parts(s, condition, body));
        tsr_scalar_run(copies, &iterations);
    }
}

static uint64_t steps_of(const short_loop *s, size_t first, size_t end)
{
    uint64_t n = 0;
    for (size_t i = first; i < end; i++)
        n += s->parts.data[i].counts;
    return n;
}

/* Runs the loop as one list. Steps are counted after several iterations: time and the number of steps are limited. */
static void run_list(const short_loop *s, const tsr_node *n, size_t condition)
{
    enum { ITERATIONS = 64 };
    uint64_t asks = 1 + steps_of(s, 0, condition), all = asks + steps_of(s, condition, s->parts.n);
    for (bool ended = false; !ended;) {
        int64_t iterations = ITERATIONS;
        ended = tsr_scalar_run(s->calls.data, &iterations);
        tsr_count_steps(n->op->loc, (uint64_t)iterations * all + (ended ? asks : 0));
    }
}

/* Builds the lists and runs them. */
static bool run_loop(short_loop *s, const tsr_node *n, char **at)
{
    s->in_one = true;
    size_t condition = add_block(s, n, n->blocks[0], at), body = 0;
    if (s->in_one) {
        const void *goes_on = tsr_run_at(s->r, n->blocks[0]->results[0]);
        tsr_vec_push(&s->calls, ((tsr_scalar){.what = TSR_SCALAR_UNLESS, .in = {goes_on}}));
        body = add_block(s, n, n->blocks[1], at);
    }
    if (s->in_one) {
        add_copies(s, n);
        tsr_vec_push(&s->calls, ((tsr_scalar){.what = TSR_SCALAR_NEXT}));
        run_list(s, n, condition);
        return true;
    }
    s->used = s->parts.n = s->calls.n = 0;
    s->hand = (tsr_scalar_hand){0};
    condition = add_block(s, n, n->blocks[0], at);
    body = add_block(s, n, n->blocks[1], at);
    size_t copies = s->calls.n;
    add_copies(s, n);
    tsr_vec_push(&s->calls, ((tsr_scalar){.what = TSR_SCALAR_END}));
    return run_iterations(s, n, condition, body, s->calls.data + copies);
}

bool tsr_run_short(tsr_run *r, const tsr_node *n, bool *ok)
{
    short_loop s = {.r = r};
    size_t bytes = 0, most = 1;
    for (uint32_t i = 0; i < n->ncarried; i++)
        if (tsr_has_tensor(&r->p->values.data[n->out[i]]))
            return false;
    for (uint32_t k = 0; k < 2; k++) {
        const tsr_block_program *b = n->blocks[k];
        if (!is_fit(&s, b))
            return false;
        for (size_t i = 0; i < b->groups.n; i++) {
            const tsr_xgroup *g = group_of(&s, b->groups.data[i]);
            if (!is_small(g))
                continue;
            const tsr_cpu_code *cpu = tsr_cpu_code_of(r->p, g);
            bytes += cpu->nregister * register_bytes(g, cpu);
            most = cpu->nregister > most ? cpu->nregister : most;
        }
    }
    if (tsr_scratch_asked(r->room, (int64_t)bytes))
        return false;
    s.registers = tsr_malloc_aligned(bytes + 64);
    char **at = tsr_calloc(most + 1, sizeof *at);
    bool fits = s.registers && at;
    if (fits)
        *ok = run_loop(&s, n, at);
    for (size_t i = 0; i < s.parts.n; i++)
        tsr_free(s.parts.data[i].panels);
    tsr_free(at);
    tsr_free(s.registers);
    tsr_vec_free(&s.calls);
    tsr_vec_free(&s.parts);
    return fits;
}
