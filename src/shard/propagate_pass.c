/* propagate_pass.c - the four propagation passes: each layer is the one below with more rounds.
 * They need ids in program order; they keep everything but unused pure ops, which the first round removes. */
#include "shard/passes.h"
#include "shard/propagate.h"

static bool run(tsr_pass *p, tsr_op *root, tsr_propagate_options options)
{
    options.conservative = tsr_pass_bool(p, "conservative-propagation");
    options.keep_rules = tsr_pass_bool(p, "keep-sharding-rules");
    options.extra_rules = tsr_pass_bool(p, "extra-rules");
    p->changed = true;
    return tsr_propagate(p->scratch, root, &options);
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
