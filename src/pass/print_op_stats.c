/* SPDX-License-Identifier: Apache-2.0 */
/* print_op_stats.c - counts the ops of each name inside, as a table or as JSON, and prints it through the run's report
 * hook. Needs nothing; keeps everything; breaks nothing. */
#include "pass/pass.h"

typedef struct {
    tsr_str name;
    uint64_t n;
} count;

static int by_name(const void *a, const void *b)
{
    return tsr_str_cmp(((const count *)a)->name, ((const count *)b)->name);
}

/* The length of the dialect prefix of a name. */
static size_t dialect_len(tsr_str name)
{
    const char *dot = memchr(name.data, '.', name.len);
    return dot ? (size_t)(dot - name.data) : 0;
}

static void as_json(tsr_buf *out, const count *counts, size_t n)
{
    tsr_buf_cstr(out, "{\n");
    for (size_t i = 0; i < n; i++)
        tsr_buf_printf(out, "  \"%.*s\" : %llu%s\n", TSR_STR_ARG(counts[i].name),
                       (unsigned long long)counts[i].n, i + 1 < n ? "," : "");
    tsr_buf_cstr(out, "}\n");
}

/* Names are aligned at their dots. */
static void as_table(tsr_buf *out, const count *counts, size_t n)
{
    size_t left = 0, right = 0;
    for (size_t i = 0; i < n; i++) {
        size_t d = dialect_len(counts[i].name), op = counts[i].name.len - d - (d > 0);
        left = d > left ? d : left;
        right = op > right ? op : right;
    }
    tsr_buf_cstr(out, "Operations encountered:\n-----------------------\n");
    for (size_t i = 0; i < n; i++) {
        tsr_str name = counts[i].name;
        size_t d = dialect_len(name), skip = d + (d > 0);
        tsr_buf_printf(out, "%*.*s%s%-*.*s , %llu\n", (int)left + 2, (int)d, name.data,
                       d ? "." : " ", (int)right, (int)(name.len - skip), name.data + skip,
                       (unsigned long long)counts[i].n);
    }
}

bool pass_print_op_stats(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(count) counts = {0};
    tsr_map index = {0}; /* opdef to 1 + its index */
    TSR_OPS (root, op) {
        uint64_t hash = tsr_hash_ptr(op->def);
        size_t at = SIZE_MAX;
        TSR_MAP_EACH (&index, hash, x)
            if (counts.data[(uintptr_t)x - 1].name.data == op->def->name.data)
                at = (uintptr_t)x - 1;
        if (at == SIZE_MAX) {
            at = counts.n;
            tsr_vec_push(&counts, (count){op->def->name, 0});
            tsr_map_put(&index, hash, (void *)(uintptr_t)(at + 1));
        }
        counts.data[at].n++;
    }
    qsort(counts.data, counts.n, sizeof *counts.data, by_name);
    tsr_buf out = {0};
    if (tsr_pass_bool(p, "json"))
        as_json(&out, counts.data, counts.n);
    else
        as_table(&out, counts.data, counts.n);
    if (p->options->report)
        p->options->report(p->options->user, tsr_buf_text(&out));
    tsr_buf_free(&out);
    tsr_map_free(&index);
    tsr_vec_free(&counts);
    return true;
}
