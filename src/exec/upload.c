/* SPDX-License-Identifier: Apache-2.0 */
/* upload.c - what lasts as long as a program is brought into its device's memory once: constants, and the elements of
 * splats, which movements read there. */
#include "base/device_block.h"
#include "base/status.h"
#include "exec/target.h"

static const tsr_tensor *constant_of(const tsr_xvalue *x)
{
    bool is = x->place == TSR_PLACE_CONSTANT && x->box && x->box->kind == TSR_TENSOR && x->box->n;
    return is ? x->box : NULL;
}

/* Splats come first, each in 16 bytes, then constants. Returns the bytes of all. */
static size_t find_places(tsr_program *p, size_t *splats)
{
    size_t align = (size_t)p->target->align, all = 0;
    for (tsr_xid v = 0; v < p->values.n; v++)
        if (p->values.data[v].place == TSR_PLACE_SPLAT) {
            p->lasting_at[v] = all;
            all += sizeof p->values.data[v].bits;
        }
    *splats = all;
    for (tsr_xid v = 0; v < p->values.n; v++) {
        const tsr_tensor *t = constant_of(&p->values.data[v]);
        if (t) {
            p->lasting_at[v] = (all + align - 1) / align * align;
            all = p->lasting_at[v] + tsr_tensor_bytes(t);
        }
    }
    return all;
}

static bool copy_all(tsr_program *p, size_t splats)
{
    char *at = p->lasting->at, *bits = tsr_xmalloc(splats + 1);
    bool ok = true;
    for (tsr_xid v = 0; v < p->values.n && ok; v++) {
        const tsr_xvalue *x = &p->values.data[v];
        const tsr_tensor *t = constant_of(x);
        if (x->place == TSR_PLACE_SPLAT)
            memcpy(bits + p->lasting_at[v], x->bits, sizeof x->bits);
        else if (t)
            ok = p->device->copy_in(p->device, at + p->lasting_at[v], t->data, tsr_tensor_bytes(t));
    }
    ok = ok && (!splats || p->device->copy_in(p->device, at, bits, splats));
    tsr_free(bits);
    return ok;
}

bool tsr_program_upload(tsr_program *p, tsr_status *status)
{
    size_t splats;
    p->lasting_at = TSR_NEW_ARRAY(&p->arena, size_t, p->values.n + 1);
    size_t all = find_places(p, &splats);
    if (!all)
        return true;
    p->lasting = tsr_device_block_new(p->device, all);
    if (!p->lasting)
        return tsr_status_set(status, TSR_ENVIRONMENT, "no memory for %zu bytes of constants: %s",
                              all, p->device->error);
    return copy_all(p, splats) ||
           tsr_status_set(status, TSR_ENVIRONMENT, "constants: %s", p->device->error);
}
