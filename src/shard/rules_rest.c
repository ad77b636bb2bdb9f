/* rules_rest.c - rules to come. */
#include "shard/rule_build.h"
bool shard_batch_norm(tsr_rule_build *b) { (void)b; return false; }
bool shard_broadcast(tsr_rule_build *b) { (void)b; return false; }
bool shard_broadcasting(tsr_rule_build *b) { (void)b; return false; }
bool shard_composite(tsr_rule_build *b) { (void)b; return false; }
bool shard_dynamic_broadcast_in_dim(tsr_rule_build *b) { (void)b; return false; }
bool shard_dynamic_conv(tsr_rule_build *b) { (void)b; return false; }
bool shard_dynamic_gather(tsr_rule_build *b) { (void)b; return false; }
bool shard_dynamic_reshape(tsr_rule_build *b) { (void)b; return false; }
bool shard_dynamic_shape_pad(tsr_rule_build *b) { (void)b; return false; }
bool shard_dynamic_shape_slice(tsr_rule_build *b) { (void)b; return false; }
bool shard_einsum(tsr_rule_build *b) { (void)b; return false; }
bool shard_generated(tsr_rule_build *b) { (void)b; return false; }
bool shard_get_dimension_size(tsr_rule_build *b) { (void)b; return false; }
bool shard_quantize(tsr_rule_build *b) { (void)b; return false; }
bool shard_ragged_dot(tsr_rule_build *b) { (void)b; return false; }
bool shard_scan(tsr_rule_build *b) { (void)b; return false; }
bool shard_set_dimension_size(tsr_rule_build *b) { (void)b; return false; }
bool shard_top_k(tsr_rule_build *b) { (void)b; return false; }
bool shard_torch_index_select(tsr_rule_build *b) { (void)b; return false; }
