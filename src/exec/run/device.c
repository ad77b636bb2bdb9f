/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - values of a run in the memory of a device: what comes from the host, and what goes there. */
#include "base/device_block.h"
#include "exec/run/run.h"

bool tsr_run_lost(const tsr_run *r, const tsr_op *op)
{
    tsr_call c = {.e = r->e, .op = op ? op : r->p->function};
    tsr_fail(&c, "failed on its device: %s", r->device->error);
    r->e->failure.environment = true;
    return false;
}

/* The op that a failure names. */
static const tsr_op *op_of(const tsr_run *r, tsr_xid v)
{
    return r->p->values.data[v].op;
}

tsr_tensor *tsr_run_room(const tsr_run *r, const tsr_op *op, tsr_type *elem, const int64_t *dims,
                         size_t rank)
{
    tsr_tensor *t = tsr_tensor_on(r->device, elem, dims, rank);
    if (!t)
        tsr_run_lost(r, op);
    return t;
}

tsr_tensor *tsr_run_send(const tsr_run *r, const tsr_op *op, const tsr_tensor *t)
{
    tsr_tensor *to = tsr_run_room(r, op, t->elem, t->dims, t->rank);
    if (!to || !t->n || r->device->copy_in(r->device, to->data, t->data, tsr_tensor_bytes(t)))
        return to;
    tsr_run_lost(r, op);
    tsr_tensor_unref(to);
    return NULL;
}

bool tsr_run_fetch(const tsr_run *r, tsr_xid v, void *to)
{
    size_t bytes = (size_t)tsr_xvalue_bytes(&r->p->values.data[v]);
    uint64_t element;
    if (tsr_run_known(r, v, &element))
        return memcpy(to, &element, bytes);
    return !bytes || r->device->copy_out(r->device, to, tsr_run_at(r, v), bytes) ||
           tsr_run_lost(r, op_of(r, v));
}

tsr_tensor *tsr_run_fetched(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    tsr_tensor *t = tsr_tensor_new(x->type->elem, x->dims, x->rank);
    if (!t || tsr_run_fetch(r, v, t->data))
        return t;
    tsr_tensor_unref(t);
    return NULL;
}

bool tsr_run_move_to(const tsr_run *r, void *to, tsr_xid v)
{
    char *from = tsr_run_at(r, v);
    size_t bytes = (size_t)tsr_xvalue_bytes(&r->p->values.data[v]);
    return !bytes || from == to || r->device->copy(r->device, to, r->device, from, bytes) ||
           tsr_run_lost(r, op_of(r, v));
}

tsr_tensor *tsr_run_copied(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    tsr_tensor *t = tsr_run_room(r, x->op, x->type->elem, x->dims, x->rank);
    if (!t || tsr_run_move_to(r, t->data, v))
        return t;
    tsr_tensor_unref(t);
    return NULL;
}

/* The host's tensor that receives result i: the caller's, or a new one. */
static tsr_tensor *receiver(const tsr_run *r, size_t i)
{
    const tsr_program *p = r->p;
    tsr_xid v = p->main.results[i];
    const tsr_type *type = p->values.data[v].type;
    uint32_t donor = p->main.owned[i] ? p->values.data[tsr_storage_of(p, v)].donor : 0;
    tsr_tensor *to = r->into && r->into[i] ? r->into[i] : NULL;
    if (!to && donor)
        to = tsr_donated(r, donor - 1);
    return to && !to->where ? tsr_tensor_ref(to) : tsr_tensor_new(type->elem, type->dims, type->n);
}

/* Whether a result is computed in its final memory. */
static bool is_there(const tsr_run *r, size_t i)
{
    const tsr_tensor *to = r->into ? r->into[i] : NULL;
    uint32_t donor = r->p->values.data[tsr_storage_of(r->p, r->p->main.results[i])].donor;
    const tsr_tensor *donated = donor ? tsr_donated(r, donor - 1) : NULL;
    return r->p->main.owned[i] && (to ? to->where != NULL : r->stay || (donated && donated->where));
}

tsr_tensor *tsr_run_result(tsr_run *r, size_t i)
{
    tsr_xid v = r->p->main.results[i];
    tsr_tensor *to = r->into ? r->into[i] : NULL;
    if (is_there(r, i))
        return tsr_tensor_ref(r->box[tsr_storage_of(r->p, v)]);
    if (to && to->where)
        return tsr_run_move_to(r, to->data, v) ? tsr_tensor_ref(to) : NULL;
    if (!to && r->stay && tsr_has_tensor(&r->p->values.data[v]) && r->box[v]->where)
        return tsr_tensor_ref(r->box[v]);
    if (!to && r->stay)
        return tsr_run_copied(r, v);
    tsr_tensor *t = receiver(r, i);
    if (!t || tsr_run_fetch(r, v, t->data))
        return t;
    tsr_tensor_unref(t);
    return NULL;
}

bool tsr_run_settle(tsr_run *r)
{
    if (!r->stay && !r->device->synchronize(r->device))
        return tsr_run_lost(r, NULL);
    TSR_TRY(tsr_run_count(r));
    r->memory->busy = false;
    return true;
}
