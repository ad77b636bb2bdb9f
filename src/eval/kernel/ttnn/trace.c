/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - traces: work that is recorded once and replayed.
 *
 * Each run captures every trace anew. The capture function writes inputs into slots and runs the work, which leaves
 * outputs in slots, then runs it again while it is recorded; nothing has to be replayed. */
#include "eval/kernel/ttnn/ttnn.h"

/* The number of a trace does not matter. */
bool eval_ttnn_begin_trace(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    c->out[0] = tsr_tensor_zeros(type->elem, type->dims, type->n);
    return c->out[0] || tsr_fail_memory(c, "a trace");
}

bool eval_ttnn_execute_trace(tsr_call *c)
{
    return tsr_fail(
        c, "cannot be evaluated alone: ttnn.capture_or_execute_trace does what the trace does");
}

typedef struct {
    tsr_tensor **items;
    size_t n;
} list;

static void drop(list *l)
{
    for (size_t i = 0; i < l->n; i++)
        tsr_tensor_unref(l->items[i]);
    tsr_free(l->items);
}

static list room(size_t n)
{
    list l = {tsr_xmalloc((n + 1) * sizeof *l.items), n};
    memset(l.items, 0, (n + 1) * sizeof *l.items);
    return l;
}

static const tsr_op *function(tsr_call *c, const char *name, uint32_t *nout)
{
    const tsr_attr *symbol = tsr_ttnn_attr(c, name);
    const tsr_op *f = tsr_symbol_resolve(c->op, symbol);
    const tsr_attr *type = f ? tsr_op_attr(f, TSR_STR("function_type")) : NULL;
    if (!type || !f->nregion || !f->regions[0].first) {
        tsr_fail(c, "calls '@%.*s', which has no body here", TSR_STR_ARG(symbol->s));
        return NULL;
    }
    *nout = type->type->nout;
    return f;
}

bool eval_ttnn_trace(tsr_call *c)
{
    uint32_t first, n, sem, nsem, nslot, ntrace;
    const tsr_op *makes = function(c, "allocate_slots_callee", &nslot),
                 *records = makes ? function(c, "capture_callee", &ntrace) : NULL;
    if (!records || !tsr_op_operand_group(c->op, 1, &first, &n) ||
        !tsr_op_operand_group(c->op, 2, &sem, &nsem))
        return false;
    list device = room(n), host = room(n + nslot + nsem), slots = room(nslot), trace = room(ntrace),
         changed = room(n + nslot + nsem);
    size_t ndevice = 0, nhost = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool there = tsr_ttnn_on_device(c->op->in[first + i].value->type);
        list *to = there ? &device : &host;
        to->items[there ? ndevice++ : nhost++] = tsr_tensor_ref(c->in[first + i]);
    }
    bool ok = tsr_eval_function(c->e, makes, device.items, ndevice, slots.items);
    size_t given = nhost;
    for (uint32_t i = 0; ok && i < nslot; i++)
        host.items[given++] = tsr_tensor_ref(slots.items[i]);
    for (uint32_t i = 0; ok && i < nsem; i++)
        host.items[given++] = tsr_tensor_ref(c->in[sem + i]);
    ok = ok && tsr_eval_changing(c->e, records, host.items, given, trace.items, changed.items);
    /* Slots are those of inputs, then those of outputs. */
    for (uint32_t i = 0; ok && i < c->op->nout; i++) {
        size_t at = nhost + nslot - c->op->nout + i;
        c->out[i] = tsr_tensor_ref(changed.items[at] ? changed.items[at] : host.items[at]);
    }
    drop(&device);
    drop(&host);
    drop(&slots);
    drop(&trace);
    drop(&changed);
    return ok;
}
