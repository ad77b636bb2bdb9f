/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - sort, always stable: by keys if the comparator is recognised (eval/math/sort_keys.h), else by its body.
 *
 * Operands become slices x n elements. The element indices within a slice are sorted. With keys: radix sort. With a
 * body: merge sort whose comparisons run in rows. The merges of a pass are cut into pieces of a few outputs, whose
 * starts are found by bisection, and all pieces advance by one output at a time. */
#include <stdlib.h>

#include "base/scope.h"
#include "eval/body.h"
#include "eval/math/sort_keys.h"
#include "eval/math/strided.h"
#include "eval/kernel/kernels.h"

enum { ROW = 16384, PIECE = 64 };

typedef struct {
    tsr_call *c;
    uint32_t nop;
    tsr_tensor **x; /* operands as slices x n */
    int64_t slices, n;
    int64_t *order; /* slices x n: element indices in a slice, in sorted order */
    int64_t *next;  /* scratch of the same size */
    tsr_body body;
    tsr_tensor **args; /* 2 nop rows */
} sorter;

/* ---- By keys ---- */

typedef struct {
    uint64_t key;
    int64_t index;
} entry;

static void insertion_sort(entry *e, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        entry v = e[i];
        int64_t k = i;
        for (; k > 0 && e[k - 1].key > v.key; k--)
            e[k] = e[k - 1];
        e[k] = v;
    }
}

/* Sorts e by key, stably; spare is scratch. Returns the array that has the result. */
static entry *radix_sort(entry *e, entry *spare, int64_t n)
{
    enum { FEW = 48 };
    if (n < FEW) {
        insertion_sort(e, n);
        return e;
    }
    int64_t count[8][256];
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < 8; d++)
            count[d][e[i].key >> 8 * d & 255]++;
    for (int d = 0; d < 8; d++) {
        if (count[d][e[0].key >> 8 * d & 255] == n)
            continue; /* all equal in this digit */
        tsr_work(n);
        int64_t at = 0;
        for (int v = 0; v < 256; v++) {
            int64_t k = count[d][v];
            count[d][v] = at;
            at += k;
        }
        for (int64_t i = 0; i < n; i++)
            spare[count[d][e[i].key >> 8 * d & 255]++] = e[i];
        entry *t = e;
        e = spare;
        spare = t;
    }
    return e;
}

/* False with *done unset: elements have no order by these keys. */
static bool sort_by_keys(sorter *s, const tsr_sort_key *keys, size_t nkey, bool *done)
{
    entry *both = tsr_malloc(2 * (size_t)s->n * sizeof *both);
    uint64_t *numbers = tsr_malloc((size_t)s->n * nkey * sizeof *numbers);
    bool ok = (both && numbers) || tsr_fail_memory(s->c, "keys"), fits = true;
    for (int64_t k = 0; ok && fits && k < s->slices; k++) {
        tsr_work(s->n);
        entry *e = both;
        for (size_t i = 0; fits && i < nkey; i++) {
            const tsr_tensor *x = s->x[keys[i].operand];
            const char *first = (char *)x->data + (size_t)(k * s->n) * tsr_elem_size(x);
            fits = tsr_sort_numbers(&keys[i], (tsr_dtype)x->dtype, first, s->n,
                                    numbers + i * (size_t)s->n);
        }
        for (int64_t i = 0; i < s->n; i++)
            e[i].index = i;
        /* The last key first: each sort is stable, so that elements with equal keys keep the earlier order. */
        for (size_t i = nkey; fits && i-- > 0;) {
            for (int64_t j = 0; j < s->n; j++)
                e[j].key = numbers[i * (size_t)s->n + (size_t)e[j].index];
            e = radix_sort(e, e == both ? both + s->n : both, s->n);
        }
        for (int64_t i = 0; fits && i < s->n; i++)
            s->order[k * s->n + i] = e[i].index;
    }
    tsr_free(both);
    tsr_free(numbers);
    *done = ok && fits;
    return ok;
}

/* ---- By the body ---- */

/* Comparisons of a row: element indices over all slices. */
typedef struct {
    int64_t lhs[ROW], rhs[ROW];
    int64_t who[ROW]; /* which piece the comparison belongs to */
    uint8_t less[ROW];
    int64_t n;
} row;

static void pick(tsr_tensor *to, const tsr_tensor *from, const int64_t *index, int64_t n)
{
    size_t size = tsr_elem_size(from);
    const char *src = from->data;
    char *dst = to->data;
    for (int64_t i = 0; i < n; i++)
        memcpy(dst + (size_t)i * size, src + (size_t)index[i] * size, size);
}

static bool compare(sorter *s, row *r)
{
    bool ok = true;
    tsr_tensor *less = NULL;
    for (uint32_t i = 0; ok && i < 2 * s->nop; i++) {
        const tsr_tensor *x = s->x[i / 2];
        s->args[i] = tsr_tensor_new(x->elem, &r->n, 1);
        ok = s->args[i] || tsr_fail_memory(s->c, "a row");
        if (ok)
            pick(s->args[i], x, i & 1 ? r->rhs : r->lhs, r->n);
    }
    ok = ok && tsr_body_run(&s->body, s->args, 2 * s->nop, r->n, &less, 1);
    if (ok && less->dtype != TSR_D_I1)
        ok = tsr_fail(s->c, "has a comparator that gives no truth value");
    if (ok)
        memcpy(r->less, less->data, (size_t)r->n);
    tsr_tensor_unref(less);
    tsr_tensors_drop(s->args, 2 * s->nop);
    return ok;
}

/* A few consecutive outputs of the merge of two runs, merged independently of the rest. Positions refer to order. */
typedef struct {
    int64_t left, right, end; /* the runs: the left one ends where the right one starts */
    int64_t skip;             /* outputs of the merge before this piece */
    int64_t low,
        high; /* how many of those come from the left run: bounds during the search, then both */
} piece;

/* All pieces of a pass over runs of this width. */
static int64_t make_pieces(const sorter *s, int64_t width, piece *out)
{
    int64_t n = 0;
    for (int64_t slice = 0; slice < s->slices * s->n; slice += s->n)
        for (int64_t at = 0; at < s->n; at += 2 * width) {
            int64_t mid = at + width < s->n ? at + width : s->n,
                    end = mid + width < s->n ? mid + width : s->n;
            for (int64_t skip = 0; skip < end - at; skip += PIECE) {
                int64_t low = skip - (end - mid) > 0 ? skip - (end - mid) : 0,
                        high = skip < mid - at ? skip : mid - at;
                out[n++] = (piece){slice + at, slice + mid, slice + end, skip, low, high};
            }
        }
    return n;
}

/* Adds the comparison right[j] < left[i], with positions in order. */
static void ask(const sorter *s, row *r, int64_t who, int64_t j, int64_t i)
{
    int64_t slice = i / s->n * s->n;
    r->who[r->n] = who;
    r->lhs[r->n] = slice + s->order[j];
    r->rhs[r->n++] = slice + s->order[i];
}

/* Finds where the pieces start in their runs, by bisection of all at once. */
static bool find_starts(sorter *s, row *r, piece *p, int64_t n)
{
    for (;;) {
        r->n = 0;
        for (int64_t k = 0; k < n; k++)
            if (p[k].low < p[k].high) {
                int64_t i = p[k].low + (p[k].high - p[k].low) / 2;
                ask(s, r, k, p[k].right + p[k].skip - 1 - i, p[k].left + i);
            }
        if (!r->n)
            return true;
        TSR_TRY(compare(s, r));
        for (int64_t k = 0; k < r->n; k++) {
            piece *q = &p[r->who[k]];
            int64_t i = q->low + (q->high - q->low) / 2;
            if (r->less[k])
                q->high = i;
            else
                q->low = i + 1; /* of equal elements the left one comes first */
        }
    }
}

/* A comparator that is not a strict order gives contradictory starts: every element must still be output exactly
 * once. */
static void mend_starts(piece *p, int64_t n)
{
    for (int64_t k = 1; k < n; k++)
        if (p[k].skip)
            p[k].low = tsr_clamp(p[k].low, p[k - 1].low, p[k - 1].low + p[k].skip - p[k - 1].skip);
}

/* The rest of a piece. */
typedef struct {
    int64_t left, left_end, right, right_end, to;
} merge;

static merge start_merge(const piece *p, bool ends)
{
    merge m = {
        .left = p->left + p->low, .right = p->right + p->skip - p->low, .to = p->left + p->skip};
    m.left_end = ends ? p->right : p->left + p[1].low;
    m.right_end = ends ? p->end : p->right + p[1].skip - p[1].low;
    return m;
}

/* Merges pieces, one output of each at a time. */
static bool merge_pieces(sorter *s, row *r, merge *m, int64_t n)
{
    for (;;) {
        r->n = 0;
        for (int64_t k = 0; k < n; k++)
            if (m[k].left < m[k].left_end && m[k].right < m[k].right_end)
                ask(s, r, k, m[k].right, m[k].left);
        if (!r->n)
            break;
        TSR_TRY(compare(s, r));
        for (int64_t k = 0; k < r->n; k++) {
            merge *w = &m[r->who[k]];
            s->next[w->to++] = s->order[r->less[k] ? w->right++ : w->left++];
        }
    }
    for (int64_t k = 0; k < n; k++) {
        while (m[k].left < m[k].left_end)
            s->next[m[k].to++] = s->order[m[k].left++];
        while (m[k].right < m[k].right_end)
            s->next[m[k].to++] = s->order[m[k].right++];
    }
    return true;
}

static bool merge_pass(sorter *s, int64_t width, row *r, piece *p, merge *m)
{
    int64_t n = make_pieces(s, width, p);
    for (int64_t at = 0; at < n; at += ROW)
        TSR_TRY(find_starts(s, r, p + at, n - at < ROW ? n - at : ROW));
    mend_starts(p, n);
    for (int64_t at = 0, k; at < n; at += k) {
        k = n - at < ROW ? n - at : ROW;
        for (int64_t i = 0; i < k; i++)
            m[i] = start_merge(&p[at + i], at + i + 1 == n || p[at + i + 1].skip == 0);
        TSR_TRY(merge_pieces(s, r, m, k));
    }
    return true;
}

static bool sort_by_body(sorter *s)
{
    /* A pass has a piece for each PIECE outputs, and at most one shorter piece for each merge. */
    int64_t all = s->slices * s->n, most = all / PIECE + all / 2 + s->slices + 1;
    row *r = tsr_malloc(sizeof *r);
    merge *m = tsr_malloc(ROW * sizeof *m);
    piece *p = tsr_malloc((size_t)most * sizeof *p);
    bool ok = (r && m && p) || tsr_fail_memory(s->c, "comparisons");
    for (int64_t i = 0; i < all; i++)
        s->order[i] = i % s->n;
    for (int64_t width = 1; ok && width < s->n; width *= 2) {
        ok = merge_pass(s, width, r, p, m);
        int64_t *t = s->order;
        s->order = s->next;
        s->next = t;
    }
    tsr_free(r);
    tsr_free(m);
    tsr_free(p);
    return ok;
}

/* ---- The op ---- */

/* Operand i as slices x n: the sorted dimension last. */
static tsr_tensor *as_slices(tsr_call *c, uint32_t i, int64_t outer, int64_t n, int64_t inner)
{
    tsr_tensor *x = c->in[i];
    if (inner == 1)
        return tsr_tensor_ref(x);
    int64_t size = (int64_t)tsr_elem_size(x), dims[3] = {outer, inner, n};
    tsr_tensor *t = tsr_tensor_new(x->elem, dims, 3);
    if (!t) {
        tsr_fail_memory(c, "slices");
        return NULL;
    }
    int64_t to[3] = {inner * n * size, n * size, size},
            from[3] = {inner * n * size, size, inner * size};
    tsr_move_once(t->data, to, x->data, from, dims, 3, (size_t)size);
    return t;
}

/* Result i: the elements of its operand in order. */
static bool set_result(sorter *s, uint32_t i, int64_t outer, int64_t inner)
{
    const tsr_tensor *x = s->x[i];
    tsr_tensor *t = tsr_call_new(s->c, i, s->c->in[i]->dims, s->c->in[i]->rank), *sorted = t;
    if (!t)
        return false;
    if (inner > 1) {
        sorted = tsr_tensor_like(x, x->elem);
        if (!sorted)
            return tsr_fail_memory(s->c, "slices");
    }
    int64_t size = (int64_t)tsr_elem_size(x), n = s->n;
    for (int64_t k = 0; k < s->slices; k++) {
        const char *from = (const char *)x->data + k * n * size;
        char *to = (char *)sorted->data + k * n * size;
        for (int64_t j = 0; j < n; j++)
            memcpy(to + j * size, from + s->order[k * n + j] * size, (size_t)size);
    }
    if (inner > 1) {
        int64_t dims[3] = {outer, n, inner}, to[3] = {n * inner * size, inner * size, size};
        int64_t from[3] = {n * inner * size, size, n * size};
        tsr_move_once(t->data, to, sorted->data, from, dims, 3, (size_t)size);
        tsr_tensor_unref(sorted);
    }
    return true;
}

static bool run(sorter *s, int64_t outer, int64_t inner)
{
    tsr_sort_key keys[TSR_MAX_SORT_KEYS];
    size_t nkey = tsr_sort_keys(&s->c->op->regions[0], keys);
    bool ok = true, done = false;
    for (uint32_t i = 0; ok && i < s->nop; i++) {
        s->x[i] = as_slices(s->c, i, outer, s->n, inner);
        ok = s->x[i] != NULL;
    }
    for (size_t i = 0; i < nkey; i++) {
        if (keys[i].operand >= s->nop)
            nkey = 0; /* more arguments than operands: running it reports that */
        else if (s->c->in[keys[i].operand]->elem->kind == TSR_TYPE_DIALECT)
            nkey = 0;
    }
    if (ok && nkey)
        ok = sort_by_keys(s, keys, nkey, &done);
    if (ok && !done)
        ok = sort_by_body(s);
    for (uint32_t i = 0; ok && i < s->nop; i++)
        ok = set_result(s, i, outer, inner);
    tsr_tensors_drop(s->x, s->nop);
    return ok;
}

bool eval_sort(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    const tsr_attr *dimension = tsr_call_attr(c, STABLEHLO_SORT_dimension);
    int64_t axis = dimension ? dimension->i : -1, outer = 1, inner = 1;
    sorter s = {.c = c, .nop = c->op->nin, .n = 1};
    if (c->op->nout != s.nop)
        return tsr_fail(c, "has not one result for each operand");
    axis += axis < 0 ? x->rank : 0;
    if (x->rank && (axis < 0 || axis >= x->rank))
        return tsr_fail(c, "sorts along a dimension that its operands do not have");
    for (uint32_t i = 1; i < s.nop; i++)
        if (c->in[i]->rank != x->rank || memcmp(c->in[i]->dims, x->dims, x->rank * sizeof *x->dims))
            return tsr_fail(c, "has operands of different shapes");
    if (x->n <= 1 || x->dims[axis] <= 1) {
        for (uint32_t i = 0; i < s.nop; i++)
            c->out[i] = tsr_call_take(c, i);
        return true;
    }
    s.n = x->dims[axis];
    for (int64_t d = 0; d < x->rank; d++) {
        if (d < axis)
            outer *= x->dims[d];
        else if (d > axis)
            inner *= x->dims[d];
    }
    s.slices = outer * inner;
    TSR_TRY(tsr_body_init(&s.body, c, &c->op->regions[0]));
    s.x = tsr_xmalloc(3 * s.nop * sizeof(tsr_tensor *));
    s.args = s.x + s.nop;
    memset(s.x, 0, 3 * s.nop * sizeof(tsr_tensor *));
    s.order = tsr_malloc((size_t)x->n * sizeof *s.order);
    s.next = tsr_malloc((size_t)x->n * sizeof *s.next);
    bool ok = s.order && s.next ? run(&s, outer, inner) : tsr_fail_memory(c, "an order");
    tsr_free(s.order);
    tsr_free(s.next);
    tsr_free(s.x);
    return ok;
}
