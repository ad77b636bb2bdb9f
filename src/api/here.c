/* SPDX-License-Identifier: Apache-2.0 */
/* here.c - see here.h. */
#include "api/here.h"

#include "text/text.h"

void tsr_here_init(tsr_here *l, tsr_module *m, const tsr_op *func, tsr_parts_run *run,
                   tsr_remote *remote)
{
    *l = (tsr_here){.m = m, .func = func, .run = run, .remote = remote};
    l->last = (uint32_t)tsr_parts_devices(run);
    if (remote) {
        tsr_transport *t = tsr_remote_transport(remote);
        tsr_remote_range(t, t->rank, l->last, &l->first, &l->last);
    }
}

/* The evaluator's failure as a status. */
static bool end(tsr_eval *e, bool ok, tsr_status *status)
{
    if (!ok)
        tsr_status_set(status, e->failure.environment ? TSR_ENVIRONMENT : TSR_BAD_INPUT, "%.*s",
                       TSR_STR_ARG(tsr_buf_text(&e->failure.message)));
    tsr_eval_free(e);
    return ok;
}

bool tsr_here_takes(const tsr_here *l, tsr_tensor *const *whole, size_t nin,
                    const char *const *names, tsr_status *status)
{
    tsr_buf text = {0};
    tsr_parts_run run = *l->run;
    run.local = false;
    tsr_entry_options options = {.parts = &run, .in_names = names};
    bool ok = tsr_entry_takes(l->func, tsr_entry_type(l->func), whole, nin, &options, &text);
    if (!ok) {
        tsr_error(l->m->ctx, l->func->loc, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
        tsr_status_set(status, TSR_BAD_INPUT, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    }
    tsr_buf_free(&text);
    return ok;
}

bool tsr_here_cut(const tsr_here *l, const tsr_part_of *of, tsr_tensor *whole, tsr_tensor **in,
                  size_t step, tsr_status *status)
{
    tsr_eval e;
    tsr_eval_init(&e, l->m, NULL);
    tsr_call c = {.e = &e, .op = l->func};
    bool ok = true;
    for (uint32_t d = l->first; ok && d < l->last; d++) {
        tsr_tensor **at = &in[d * step];
        uint32_t same = d >= l->first + l->run->partitions ? d - l->run->partitions : d;
        /* Devices of different replicas, and those that hold the global value, share one tensor. */
        *at = same < d ? tsr_tensor_ref(in[same * step])
              : !whole ? tsr_token_new()
                       : tsr_part_take(&c, of, whole, d % l->run->partitions);
        ok = *at != NULL;
    }
    return end(&e, ok, status);
}

bool tsr_here_join(const tsr_here *l, tsr_tensor **parts, size_t nout, tsr_tensor **out,
                   tsr_status *status)
{
    tsr_eval e;
    tsr_eval_init(&e, l->m, NULL);
    tsr_call c = {.e = &e, .op = l->func};
    return end(&e, tsr_parts_join(&c, l->run, parts, nout, out), status);
}

/* ---- Communication between ranks ---- */

/* One value as bytes: kind, rank, dimensions, elements. */
static void put_value(tsr_buf *out, const tsr_tensor *t)
{
    int64_t head[2] = {t->kind, t->kind == TSR_TENSOR ? t->rank : 0};
    tsr_buf_str(out, tsr_str_of((char *)head, sizeof head));
    if (t->kind != TSR_TENSOR)
        return;
    tsr_buf_str(out, tsr_str_of((char *)t->dims, t->rank * sizeof *t->dims));
    tsr_buf_str(out, tsr_str_of(t->data, tsr_tensor_bytes(t)));
}

static tsr_tensor *get_value(tsr_str *in, const tsr_type *type)
{
    int64_t head[2], dims[TSR_MAX_RANK];
    memcpy(head, in->data, sizeof head);
    memcpy(dims, in->data + sizeof head, (size_t)head[1] * sizeof *dims);
    size_t at = sizeof head + (size_t)head[1] * sizeof *dims;
    bool is = head[0] == TSR_TENSOR && tsr_type_is_shaped(type);
    tsr_tensor *t = is ? tsr_tensor_new(type->elem, dims, (size_t)head[1]) : tsr_token_new();
    if (t && is) {
        memcpy(t->data, in->data + at, tsr_tensor_bytes(t));
        at += tsr_tensor_bytes(t);
    }
    *in = tsr_str_of(in->data + at, in->len - at);
    return t;
}

/* One result at a time, so that no rank holds all of them twice. */
static bool gather_one(const tsr_here *l, tsr_tensor **parts, size_t nout, size_t i, int to)
{
    tsr_transport *t = tsr_remote_transport(l->remote);
    const tsr_type *type = tsr_entry_type(l->func);
    uint32_t n = (uint32_t)tsr_parts_devices(l->run);
    tsr_buf mine = {0};
    bool ok = true;
    for (uint32_t d = l->first; d < l->last; d++)
        put_value(&mine, parts[d * nout + i]);
    tsr_str *all = tsr_xmalloc((size_t)t->size * sizeof *all);
    tsr_remote_share(l->remote, mine.data, mine.len, to, all);
    for (int rank = 0; rank < t->size; rank++) {
        uint32_t first, last;
        tsr_str left = all[rank];
        tsr_remote_range(t, rank, n, &first, &last);
        for (uint32_t d = first; ok && rank != t->rank && left.len && d < last; d++)
            ok = (parts[d * nout + i] =
                      get_value(&left, type->types[type->n + l->first_out + i])) != NULL;
        tsr_free((void *)all[rank].data);
    }
    tsr_free(all);
    tsr_buf_free(&mine);
    return ok;
}

bool tsr_here_gather(const tsr_here *l, tsr_tensor **parts, size_t nout, int to, tsr_status *status)
{
    bool ok = true;
    for (size_t i = 0; l->remote && i < nout; i++)
        ok &= gather_one(l, parts, nout, i, to);
    return ok ||
           tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the results of other ranks");
}

/* ---- Consistency between ranks ---- */

static uint64_t mix_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t word;
    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        memcpy(&word, p, sizeof word);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    for (; n; n--)
        h = (h ^ *p++) * 0x100000001B3u;
    return h;
}

/* The number of the part that a device has, below most; -1 if unknown. */
static int64_t part_number(const tsr_part_of *of, uint32_t device, int64_t most)
{
    int64_t index[TSR_MAX_RANK + 1], n[TSR_MAX_RANK + 1], number = 0, all = 1;
    size_t rank = of->global->n;
    if (!tsr_part_locate(of, device, index, n) ||
        !tsr_part_partial(of, device, &index[rank], &n[rank]))
        return -1;
    for (size_t d = 0; d <= rank && all <= most; d++) {
        number = number * n[d] + index[d];
        all *= n[d];
    }
    return all <= most ? number : -1;
}

uint32_t *tsr_here_holders(const tsr_here *l, const tsr_part_of *of)
{
    uint32_t n = (uint32_t)tsr_parts_devices(l->run), some = l->run->partitions;
    uint32_t *out = tsr_xmalloc((n + 1) * sizeof *out),
             *first = tsr_xmalloc((some + 1) * sizeof *first);
    memset(first, 0xFF, (some + 1) * sizeof *first);
    for (uint32_t d = 0; d < n; d++) {
        int64_t k = of->global && d < some ? part_number(of, d, some) : -1;
        out[d] = !of->global ? 0 : d >= some ? out[d - some] : d;
        if (k >= 0 && first[k] == UINT32_MAX)
            first[k] = d;
        if (k >= 0)
            out[d] = first[k];
    }
    tsr_free(first);
    return out;
}

uint64_t tsr_here_program(const tsr_here *l)
{
    tsr_buf text = {0};
    tsr_print_options how = {0};
    tsr_print_module(&text, l->m, &how);
    uint64_t h = mix_bytes(l->run->replicas, text.data, text.len);
    tsr_buf_free(&text);
    return h;
}

static int rank_of(const tsr_here *l, uint32_t device)
{
    tsr_transport *t = tsr_remote_transport(l->remote);
    for (int rank = 0; rank < t->size; rank++) {
        uint32_t first, last;
        tsr_remote_range(t, rank, (uint32_t)tsr_parts_devices(l->run), &first, &last);
        if (device >= first && device < last)
            return rank;
    }
    return 0;
}

/* The digests of all ranks, concatenated: of the program, then of the arguments of each of its devices. */
static uint64_t number_at(const tsr_here *l, const tsr_str *all, size_t nin, uint32_t device,
                          size_t i)
{
    uint32_t first, last;
    uint64_t x = 0;
    int rank = rank_of(l, device);
    tsr_remote_range(tsr_remote_transport(l->remote), rank, (uint32_t)tsr_parts_devices(l->run),
                     &first, &last);
    memcpy(&x, all[rank].data + sizeof x * (1 + (device - first) * nin + i), sizeof x);
    return x;
}

static bool compare(const tsr_here *l, const tsr_str *all, size_t nin, const char *const *names,
                    tsr_status *status)
{
    uint64_t a, b;
    memcpy(&a, all[0].data, sizeof a);
    for (int rank = 1; rank < tsr_remote_transport(l->remote)->size; rank++) {
        memcpy(&b, all[rank].data, sizeof b);
        if (a != b)
            return tsr_status_set(
                status, TSR_BAD_INPUT,
                "rank 0 and rank %d have different programs (%016llx and %016llx)", rank,
                (unsigned long long)a, (unsigned long long)b);
    }
    for (size_t i = 0; i < nin; i++) {
        uint32_t *holders = tsr_here_holders(l, &l->run->in[i]), same = 0, d = 1;
        for (; d < tsr_parts_devices(l->run); d++) {
            same = holders[d];
            if (same != d && number_at(l, all, nin, d, i) != number_at(l, all, nin, same, i))
                break;
        }
        tsr_free(holders);
        bool named = names && names[i];
        if (d < tsr_parts_devices(l->run))
            return tsr_status_set(status, TSR_BAD_INPUT,
                                  "rank %d and rank %d have different values of argument %zu%s%s%s",
                                  rank_of(l, same), rank_of(l, d), i, named ? " ('" : "",
                                  named ? names[i] : "", named ? "')" : "");
    }
    return true;
}

bool tsr_here_agree(const tsr_here *l, tsr_tensor *const *in, size_t nin, const char *const *names,
                    tsr_status *status)
{
    tsr_transport *t = tsr_remote_transport(l->remote);
    size_t n = 1 + (l->last - l->first) * nin;
    uint64_t *mine = tsr_xmalloc(n * sizeof *mine);
    mine[0] = tsr_here_program(l);
    for (size_t k = 1; k < n; k++) {
        const tsr_tensor *x = in[l->first * nin + k - 1], *before = NULL;
        if (k > nin)
            before = in[l->first * nin + k - 1 - nin];
        mine[k] = x == before             ? mine[k - nin]
                  : x->kind == TSR_TENSOR ? mix_bytes(x->rank, x->data, tsr_tensor_bytes(x))
                                          : 0;
    }
    tsr_str *all = tsr_xmalloc((size_t)t->size * sizeof *all);
    tsr_remote_share(l->remote, mine, n * sizeof *mine, -1, all);
    bool ok = compare(l, all, nin, names, status);
    for (int rank = 0; rank < t->size; rank++)
        tsr_free((void *)all[rank].data);
    tsr_free(all);
    tsr_free(mine);
    return ok;
}
