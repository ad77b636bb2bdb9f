/* SPDX-License-Identifier: Apache-2.0 */
/* map.c - map: runs a body on each element of its inputs, in rows. */
#include <stdlib.h>

#include "eval/body.h"
#include "eval/math/strided.h"
#include "eval/kernel/kernels.h"

enum { ROW = 16384 };

bool eval_map(tsr_call *c)
{
    uint32_t n = c->op->nin;
    tsr_body body;
    TSR_TRY(tsr_body_init(&body, c, &c->op->regions[0]));
    if (!n)
        return tsr_fail(c, "has no inputs");
    const tsr_tensor *x = c->in[0];
    for (uint32_t i = 1; i < n; i++)
        if (c->in[i]->rank != x->rank || memcmp(c->in[i]->dims, x->dims, x->rank * sizeof *x->dims))
            return tsr_fail(c, "has inputs of different shapes");
    tsr_tensor *t = tsr_call_new(c, 0, x->dims, x->rank);
    if (!t)
        return false;
    tsr_tensor **rows = tsr_xmalloc(n * sizeof *rows);
    memset(rows, 0, n * sizeof *rows);
    bool ok = true;
    for (int64_t at = 0, k; ok && at < t->n; at += k) {
        tsr_tensor *out = NULL;
        k = t->n - at < ROW ? t->n - at : ROW;
        for (uint32_t i = 0; ok && i < n; i++) {
            size_t size = tsr_elem_size(c->in[i]);
            rows[i] = tsr_tensor_new(c->in[i]->elem, &k, 1);
            ok = rows[i] || tsr_fail_memory(c, "rows");
            if (ok)
                memcpy(rows[i]->data, (char *)c->in[i]->data + (size_t)at * size, (size_t)k * size);
        }
        ok = ok && tsr_body_run(&body, rows, n, k, &out, 1);
        if (ok && out->dtype != t->dtype)
            ok = tsr_fail(c, "has a body that gives another element type");
        if (ok)
            memcpy((char *)t->data + (size_t)at * tsr_elem_size(t), out->data,
                   (size_t)k * tsr_elem_size(t));
        tsr_tensor_unref(out);
        tsr_tensors_drop(rows, n);
    }
    tsr_free(rows);
    return ok;
}
