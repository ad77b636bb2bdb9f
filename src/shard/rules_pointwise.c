/* rules_pointwise.c - rules of ops that work element by element: one factor a dimension. */
#include "shard/rule_build.h"

bool shard_pointwise(tsr_rule_build *b)
{
    return tsr_rule_pointwise(b);
}
