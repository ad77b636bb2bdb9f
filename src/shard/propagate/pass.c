/* SPDX-License-Identifier: Apache-2.0 */
/* pass.c - the four propagation passes: each adds rounds to the one before. They need ids in program order; they keep
 * everything except unused pure ops, which the first round removes. */
#include "shard/core/dump.h"
#include "shard/passes.h"
#include "shard/propagate/why.h"

static void save(void *user, tsr_op *module, int64_t priority)
{
    const tsr_pass *p = user;
    tsr_buf name = {0};
    tsr_buf_printf(&name, "%02lld.propagation_after_user_priority_%lld",
                   (long long)tsr_pass_int(p, "dump-index"), (long long)priority);
    tsr_save_module(module, tsr_pass_str(p, "module-dump-directory"), tsr_buf_text(&name));
    tsr_buf_free(&name);
}

static bool run(tsr_pass *p, tsr_op *root, tsr_propagate_options options)
{
    bool edges = tsr_pass_bool(p, "debug-propagation-edge-sharding");
    tsr_why why = {.step = 0};
    tsr_origins *origins = NULL;
    options.conservative = tsr_pass_bool(p, "conservative-propagation");
    options.keep_rules = tsr_pass_bool(p, "keep-sharding-rules");
    options.extra_rules = tsr_pass_bool(p, "extra-rules");
    options.all_functions = tsr_pass_bool(p, "all-functions");
    options.entry = tsr_pass_str(p, "entry-function");
    options.user = p;
    if (options.user_priorities && tsr_pass_str(p, "module-dump-directory").len)
        options.after_priority = save;
    if (tsr_pass_bool(p, "debug-sharding-origins"))
        origins = tsr_origins_start(p->scratch, root);
    if (edges || origins) {
        why.step = tsr_why_first_step(root);
        options.why = &why;
    }
    p->changed = true;
    bool ok = tsr_propagate(p->scratch, root, &options);
    if (origins)
        tsr_origins_write(origins, &why);
    if (edges)
        tsr_why_write_edges(p->scratch, root, &why);
    tsr_why_free(&why);
    return ok;
}

static tsr_propagate_options strategy(const tsr_pass *p)
{
    tsr_str word = tsr_pass_str(p, "propagation-strategy");
    return (tsr_propagate_options){.basic = !tsr_str_is(word, "aggressive"),
                                   .aggressive = !tsr_str_is(word, "basic")};
}

bool pass_sdy_basic_propagate(tsr_pass *p, tsr_op *root)
{
    return run(p, root, (tsr_propagate_options){.basic = true});
}

bool pass_sdy_aggressive_propagate(tsr_pass *p, tsr_op *root)
{
    return run(p, root, strategy(p));
}

bool pass_sdy_op_priority_propagate(tsr_pass *p, tsr_op *root)
{
    tsr_propagate_options options = strategy(p);
    options.op_priorities = tsr_pass_bool(p, "run-op-priority-propagation");
    return run(p, root, options);
}

bool pass_sdy_user_priority_propagate(tsr_pass *p, tsr_op *root)
{
    tsr_propagate_options options = strategy(p);
    options.op_priorities = tsr_pass_bool(p, "run-op-priority-propagation");
    options.user_priorities = true;
    return run(p, root, options);
}
