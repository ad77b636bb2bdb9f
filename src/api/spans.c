/* SPDX-License-Identifier: Apache-2.0 */
/* spans.c - see spans.h. Everything is sorted by address, so that programs with thousands of arguments are checked
 * quickly. */
#include "api/spans.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct {
    uintptr_t at, end;
    size_t i;
    bool out;
} span;

static int by_address(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return x->at != y->at     ? (x->at > y->at) - (x->at < y->at)
           : x->out != y->out ? x->out - y->out
                              : (x->i > y->i) - (x->i < y->i);
}

static bool span_of(const tsr_tensor *t, size_t i, bool out, span *s)
{
    size_t bytes = t ? tsr_tensor_bytes(t) : 0;
    *s = (span){(uintptr_t)(t ? t->data : NULL), (uintptr_t)(t ? t->data : NULL) + bytes, i, out};
    return bytes > 0;
}

/* The output that is exactly this memory; NULL: none. */
static const span *find(const span *outputs, size_t n, const span *s)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (outputs[mid].at < s->at)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && outputs[low].at == s->at && outputs[low].end == s->end ? &outputs[low] : NULL;
}

static bool refuse(const span *a, const span *b, tsr_status *status)
{
    const span *x = a->out && (!b->out || a->i > b->i) ? a : b, *y = x == a ? b : a;
    return tsr_status_set(status, TSR_BAD_INPUT, "output %zu overlaps %s %zu", x->i,
                          y->out ? "output" : "input", y->i);
}

/* Compares each with the earlier one that reaches furthest. */
static bool sweep(const span *all, size_t n, tsr_status *status)
{
    const span *any = NULL, *out = NULL;
    for (size_t i = 0; i < n; i++) {
        const span *s = &all[i], *before = s->out ? any : out;
        if (before && before->end > s->at)
            return refuse(s, before, status);
        any = any && any->end > s->end ? any : s;
        if (s->out)
            out = out && out->end > s->end ? out : s;
    }
    return true;
}

bool tsr_spans_match(tsr_tensor *const *in, size_t nin, tsr_tensor *const *out, size_t nout,
                     const bool *given_up, int64_t *of, tsr_status *status)
{
    span *all = tsr_xmalloc((nin + nout + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < nout; i++)
        n += span_of(out[i], i, true, &all[n]);
    qsort(all, n, sizeof *all, by_address);
    size_t outputs = n;
    for (size_t k = 0; k < nin; k++) {
        bool some = span_of(in[k], k, false, &all[n]);
        const span *same = some && given_up && given_up[k] ? find(all, outputs, &all[n]) : NULL;
        of[k] = same ? (int64_t)same->i : TSR_NO_OUTPUT;
        n += some && !same;
    }
    qsort(all, n, sizeof *all, by_address);
    bool ok = sweep(all, n, status);
    tsr_free(all);
    return ok;
}
