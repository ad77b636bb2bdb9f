/* SPDX-License-Identifier: Apache-2.0 */
/* dump.c - prints a program: groups in the order in which they run, with the values that they read and write. */
#include "eval/groups.h"
#include "exec/backend.h"
#include "exec/report.h"
#include "exec/contract.h"
#include "exec/target.h"

static const char *const kinds[] = {
    [TSR_NODE_TILE] = "map",          [TSR_NODE_REDUCE] = "map",
    [TSR_NODE_CONTRACT] = "contract", [TSR_NODE_MOVE] = "move",
    [TSR_NODE_OTHER] = "other",       [TSR_NODE_WHILE] = "while",
    [TSR_NODE_CASE] = "case",         [TSR_NODE_BARRIER] = "barrier",
    [TSR_NODE_ZEROS] = "zeros",       [TSR_NODE_CHECK] = "check",
    [TSR_NODE_START] = "start",       [TSR_NODE_COLLECTIVE] = "collective",
};
static const char *const modes[] = {
    [TSR_LOOP_MAP] = "map",
    [TSR_LOOP_ROWS] = "row",
    [TSR_LOOP_LONG] = "long row",
    [TSR_LOOP_COLUMNS] = "column",
};

static void put_value(const tsr_program *p, tsr_buf *out, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[v];
    tsr_buf_printf(out, " %%%u:", v);
    tsr_report_type(out, x);
    if (x->place == TSR_PLACE_ARENA && x->is_result && x->donor)
        tsr_buf_printf(out, "@result or arg%u", x->donor - 1);
    else if (x->place == TSR_PLACE_ARENA && x->is_result)
        tsr_buf_cstr(out, "@result");
    else if (x->place == TSR_PLACE_ARENA && x->shares != TSR_XNONE)
        tsr_buf_printf(out, "@%%%u", x->shares);
    else if (x->place == TSR_PLACE_ARENA && x->slice_of)
        tsr_buf_printf(out, "@%%%u", x->slice_of - 1);
    else if (x->place == TSR_PLACE_ARENA && x->host)
        tsr_buf_printf(out, "@%%%u+%zu", x->host - 1, x->offset);
    else if (x->place == TSR_PLACE_ARENA)
        tsr_buf_printf(out, "@%zu", x->offset);
    else if (x->argument)
        tsr_buf_printf(out, "@arg%u", x->argument - 1);
}

static void put_values(const tsr_program *p, tsr_buf *out, const tsr_xgroup *g, bool writes)
{
    tsr_xid_vec values = {0};
    tsr_group_values(p, g, writes, &values);
    for (size_t i = 0; i < values.n; i++)
        put_value(p, out, values.data[i]);
    tsr_vec_free(&values);
}

/* Prints a group's cost, and the location of its first op. */
static void put_cost(const tsr_program *p, tsr_buf *out, const tsr_xgroup *g)
{
    tsr_group_cost c = tsr_group_cost_of(p, g);
    tsr_buf_printf(out, " bytes=%llu+%llu flops=%llu at ", (unsigned long long)c.read,
                   (unsigned long long)c.written, (unsigned long long)c.flops);
    tsr_report_place(p, tsr_group_loc(p, g), out);
}

const char *tsr_group_kind(const tsr_xgroup *g)
{
    if (tsr_is_chain(g))
        return "chain";
    if (g->product != TSR_XNONE)
        return kinds[TSR_NODE_CONTRACT];
    return g->kind == TSR_NODE_TILE ? modes[g->mode] : kinds[g->kind];
}

void tsr_group_name(const tsr_program *p, const tsr_xgroup *g, tsr_buf *out)
{
    enum { MOST = 12 };
    size_t shown = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        /* An op that became several nodes is printed once. */
        if (i && n->op && n->op == p->nodes.data[g->nodes.data[i - 1]].op)
            continue;
        if (shown++ >= MOST)
            continue;
        tsr_str name = n->op ? n->op->def->name : TSR_STR("copy");
        const char *dot = memchr(name.data, '.', name.len);
        size_t skip = dot ? (size_t)(dot - name.data) + 1 : 0;
        tsr_buf_printf(out, "%s%.*s", i ? "+" : "", (int)(name.len - skip), name.data + skip);
        if (n->nin > 1 && n->op && tsr_op_meets(n->op))
            tsr_buf_printf(out, "[%u]", n->nin); /* several operands */
    }
    if (shown > MOST)
        tsr_buf_printf(out, "+%zu more", shown - MOST);
}

tsr_loc tsr_group_loc(const tsr_program *p, const tsr_xgroup *g)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (n->op && n->op->loc)
            return n->op->loc;
    }
    return p->function->loc;
}

/* How the target computes the product of a group; NULL: as all are. */
static const char *way_of(const tsr_program *p, const tsr_xgroup *g)
{
    const tsr_node *n = &p->nodes.data[g->product == TSR_XNONE ? g->nodes.data[0] : g->product];
    if (tsr_is_chain(g) || !n->contract || n->contract->direct || g->before[0] || g->before[1])
        return NULL;
    bool rows = g->kind != TSR_NODE_CONTRACT && g->mode == TSR_LOOP_ROWS;
    return p->target->way(&(tsr_product_of){n->contract, rows, p->strict});
}

static void put_block(const tsr_program *p, tsr_buf *out, const tsr_block_program *b, int depth)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[b->groups.data[i]];
        bool started = p->nodes.data[g->nodes.data[0]].started;
        tsr_buf_printf(out, "%*s%u %s ", 2 * depth, "", g->step,
                       started ? "done" : tsr_group_kind(g));
        tsr_group_name(p, g, out);
        const char *way = way_of(p, g);
        if (way)
            tsr_buf_printf(out, " %s", way);
        if (g->kind == TSR_NODE_TILE) {
            tsr_buf_printf(out, " n=%lld", (long long)g->n);
            if (g->mode)
                tsr_buf_printf(out, " inner=%lld", (long long)g->inner);
            if (p->backend && p->backend->print)
                p->backend->print(p, g, out);
        }
        tsr_buf_cstr(out, " reads");
        put_values(p, out, g, false);
        tsr_buf_cstr(out, " writes");
        put_values(p, out, g, true);
        put_cost(p, out, g);
        tsr_buf_char(out, '\n');
        const tsr_node *n = &p->nodes.data[g->nodes.data[0]];
        if (n->device) {
            tsr_buf_printf(out, "%*seach device\n", 2 * depth + 2, "");
            put_block(n->device, out, &n->device->main, depth + 2);
        }
        for (uint32_t k = 0; k < n->nblock; k++) {
            tsr_buf_printf(out, "%*sregion %u\n", 2 * depth + 2, "", k);
            put_block(p, out, n->blocks[k], depth + 2);
        }
    }
}

/* Ops that run on the evaluator's kernels, and how often they occur in the program. */
typedef struct {
    const tsr_opdef *def;
    uint32_t n;
} other_op;
typedef TSR_VEC(other_op) other_ops;

/* Communication between devices does not count as a kernel. */
static bool communicates(const tsr_op *op)
{
    return tsr_op_meets(op) ||
           (op->def->opcode != TSR_UNREGISTERED && tsr_op_has(op, TSR_TRAIT(TT_CCL)));
}

static void count_others(const tsr_program *p, const tsr_block_program *b, other_ops *out)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[b->groups.data[i]];
        const tsr_node *node = &p->nodes.data[g->nodes.data[0]];
        bool other =
            g->kind == TSR_NODE_OTHER && !node->device && !node->manual && !communicates(node->op);
        size_t k = 0;
        for (; other && k < out->n && out->data[k].def != node->op->def; k++)
            ;
        if (other && k == out->n)
            tsr_vec_push(out, ((other_op){node->op->def, 0}));
        if (other)
            out->data[k].n++;
        if (node->device)
            count_others(node->device, &node->device->main, out);
        for (k = 0; k < node->nblock; k++)
            count_others(p, node->blocks[k], out);
    }
}

uint32_t tsr_program_others(const tsr_program *p)
{
    other_ops all = {0};
    uint32_t n = 0;
    count_others(p, &p->main, &all);
    for (size_t i = 0; i < all.n; i++)
        n += all.data[i].n;
    tsr_vec_free(&all);
    return n;
}

void tsr_program_dump(const tsr_program *p, tsr_buf *out)
{
    other_ops all = {0};
    count_others(p, &p->main, &all);
    tsr_buf_printf(out,
                   "program of @%.*s: %u steps, arena %zu bytes (at least %zu), %u by the "
                   "evaluator's kernels",
                   TSR_STR_ARG(tsr_op_symbol(p->function)), p->nsteps, p->arena_bytes,
                   p->least_bytes, tsr_program_others(p));
    for (size_t i = 0; i < all.n; i++)
        tsr_buf_printf(out, "%s %u %.*s", i ? "," : ":", all.data[i].n,
                       TSR_STR_ARG(all.data[i].def->name));
    tsr_buf_char(out, '\n');
    tsr_vec_free(&all);
    put_block(p, out, &p->main, 0);
}
