/* contract.h - a product of two values as one of matrices: each side has one stride for what is batch, contracted and free. */
#ifndef TSR_EXEC_CONTRACT_H
#define TSR_EXEC_CONTRACT_H

#include "exec/kernel/grid.h"

typedef struct tsr_contract_side {
    int64_t batch, contract, rest;
    int64_t batch_stride, contract_stride, rest_stride, offset; /* in elements */
    const tsr_grid
        *grid; /* windows: what is free and contracted has several strides; NULL: one each */
} tsr_contract_side;

typedef struct tsr_contract {
    tsr_contract_side side[2];
    uint8_t type, to; /* of the operands, of the result */
    bool
        direct; /* each column has its own of the contracted: both sides have a grid (kernel/direct.h) */
} tsr_contract;

#endif
