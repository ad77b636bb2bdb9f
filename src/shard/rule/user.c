/* SPDX-License-Identifier: Apache-2.0 */
/* user.c - the rule that a user gives a custom call, in a string. */
#include "shard/core/string.h"
#include "shard/rule/rule.h"

tsr_str tsr_rule_user_text(const tsr_op *op)
{
    const tsr_attr *dict =
        op->extra ? tsr_dict_get(op->extra, TSR_STR("mhlo.frontend_attributes")) : NULL;
    const tsr_attr *text = tsr_attr_is(dict, TSR_ATTR_DICT)
                               ? tsr_dict_get(dict, TSR_STR("xla.sdy.custom_sharding_rule"))
                               : NULL;
    tsr_str s = tsr_attr_is(text, TSR_ATTR_STRING) ? text->s : TSR_STR("");
    while (s.len && (s.data[0] == ' ' || s.data[0] == '\n' || s.data[0] == '\t'))
        s = tsr_str_of(s.data + 1, s.len - 1);
    return s;
}

tsr_attr *tsr_rule_user(tsr_op *op)
{
    tsr_str text = tsr_rule_user_text(op);
    tsr_attr *rule = text.len ? tsr_attr_of_string(op, text) : NULL;
    if (!tsr_attr_is_struct(rule, &tsr_def_SDY_OP_SHARDING_RULE))
        return NULL;
    /* Reshards are inserted only for rules that are not marked as custom. */
    tsr_attr *params[SDY_OP_SHARDING_RULE_custom + 1];
    memcpy(params, rule->attrs, sizeof params);
    params[SDY_OP_SHARDING_RULE_custom] = NULL;
    return tsr_attr_struct(op->module->ctx, &tsr_def_SDY_OP_SHARDING_RULE, params);
}
