/* SPDX-License-Identifier: Apache-2.0 */
/* partition.c - custom calls that the host partitions or looks at when a program is compiled: the Python part of the
 * plugin registers one function, which gets the program with the shardings that were found, and returns one without
 * such calls. */
#include "pjrt/pjrt.h"

/* Calls give once, with the new program or with an error, which a result other than 0 announces. */
typedef int pj_partition_fn(const char *text, size_t size, void *user,
                            void (*give)(void *user, const char *text, size_t size));

__attribute__((visibility("default"))) void TesseraSetPartitioner(pj_partition_fn *fn);

static pj_partition_fn *_Atomic host;

void TesseraSetPartitioner(pj_partition_fn *fn)
{
    atomic_store(&host, fn);
}

static const char *const targets[] = {"CustomSPMDPartitioning", "InspectSharding"};

static bool is_other(void *user, tsr_op *op)
{
    (void)user;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (pj_calls(op, targets[i]))
            return false;
    return true;
}

static void take(void *user, const char *text, size_t size)
{
    pj_bytes_add(user, text, size);
}

static pj_error *replace(pj_compiled *p, const pj_bytes *text)
{
    static const tsr_str file = {"module", 6};
    tsr_module *m =
        tsr_module_parse(p->ctx, (tsr_str){text->data ? text->data : "", text->len}, file);
    if (!m)
        return pj_fail(PJ_INTERNAL, "the program that the host has partitioned cannot be read: %s",
                       tsr_ctx_last_error(p->ctx)->message);
    tsr_module_free(p->module);
    p->module = m;
    return NULL;
}

pj_error *pj_host_partition(pj_compiled *p)
{
    pj_partition_fn *fn = atomic_load(&host);
    if (!fn || tsr_op_walk(tsr_module_op(p->module), is_other, NULL))
        return NULL;
    const tsr_print_options options = {.debug_info = true};
    tsr_str before = tsr_module_print(p->module, &options);
    pj_bytes after = {0};
    pj_error *e = before.data ? NULL : pj_no_memory();
    if (!e && fn(before.data, before.len, &after, take) != 0)
        e = pj_fail(PJ_INVALID_ARGUMENT, "%s",
                    after.len ? after.data : "the host cannot partition");
    if (!e && after.failed)
        e = pj_no_memory();
    if (!e)
        e = replace(p, &after);
    tsr_free((void *)before.data);
    pj_bytes_free(&after);
    return e;
}
