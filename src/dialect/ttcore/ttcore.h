/* ttcore.h - places of the parameters of ttcore attributes and the values of its enumerations. */
#ifndef TSR_DIALECT_TTCORE_TTCORE_H
#define TSR_DIALECT_TTCORE_TTCORE_H

#include "dialect/dialect.h"

enum { TTCORE_LOCAL_SHAPE_type };
enum { TTCORE_MESH_name, TTCORE_MESH_shape };
enum { TTCORE_RUNTIME_TENSOR_SHARDING_status, TTCORE_RUNTIME_TENSOR_SHARDING_type };

typedef enum {
    TSR_TT_INPUT,
    TSR_TT_PARAMETER,
    TSR_TT_CONSTANT,
    TSR_TT_DEFAULT
} tsr_tt_argument_type;
typedef enum { TSR_TT_PRESHARDED, TSR_TT_UNSHARDED } tsr_tt_shard_status;

#endif
