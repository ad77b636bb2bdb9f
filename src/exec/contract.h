/* SPDX-License-Identifier: Apache-2.0 */
/* contract.h - a product of two values as a product of matrices: each side has one batch stride, one contracted stride
 * and one stride for the remaining dimensions. */
#ifndef TSR_EXEC_CONTRACT_H
#define TSR_EXEC_CONTRACT_H

#include "eval/tensor.h"
#include "exec/grid.h"

/* The dimensions of a batch before its last one, which has one stride for each matrix, A, B and C. */
enum { TSR_OUTER_RANK = 3 };
typedef enum { TSR_OF_A, TSR_OF_B, TSR_OF_C } tsr_gemm_of;
typedef struct {
    int rank;
    int64_t inner; /* size of the last dimension */
    int64_t size[TSR_OUTER_RANK], stride[TSR_OUTER_RANK][3];
} tsr_gemm_outer;

/* Where matrix number i of a batch begins. stride: of the last dimension; outer: NULL if there are no others. */
static inline int64_t tsr_batch_at(const tsr_gemm_outer *outer, tsr_gemm_of of, int64_t stride,
                                   int64_t i)
{
    if (!outer)
        return i * stride;
    int64_t at = i % outer->inner * stride, left = i / outer->inner;
    for (int k = outer->rank; k-- > 0; left /= outer->size[k])
        at += left % outer->size[k] * outer->stride[k][of];
    return at;
}

typedef struct tsr_contract_side {
    int64_t batch, contract, rest;
    /* In elements; batch_stride: of the last dimension of the batch. */
    int64_t batch_stride, contract_stride, rest_stride, offset;
    /* Windows: the contracted and remaining dimensions have several strides; NULL: one each. */
    const tsr_grid *grid;
} tsr_contract_side;

typedef struct tsr_contract {
    tsr_contract_side side[2];
    uint8_t type, to; /* of the operands, of the result */
    /* Strides of the result: of the batch's last dimension, and of rows; columns are contiguous. The matrices need not
     * be one after the other: rows of one may lie between those of another. */
    int64_t to_batch, to_row;
    /* The other dimensions of the batch, if one stride is not enough; NULL: none. */
    const tsr_gemm_outer *outer;
    /* Each column has contracted elements of its own: both sides have a grid (kernel/direct.h). */
    bool direct;
} tsr_contract;

/* The type in which products of elements are added up, which a loop on a product receives. */
tsr_dtype tsr_contract_sum(tsr_dtype type, tsr_dtype to);

/* Whether the matrices of a side, or of the result, are size elements apart. stride: of the last dimension. */
static inline bool tsr_contract_has_step(const tsr_contract *c, tsr_gemm_of of, int64_t stride,
                                         int64_t size)
{
    bool is = c->side[0].batch == 1 || stride == size;
    int64_t below = c->outer ? c->outer->inner * size : 0;
    for (int k = c->outer ? c->outer->rank : 0; k-- > 0; below *= c->outer->size[k])
        is = is && c->outer->stride[k][of] == below;
    return is;
}

/* Whether the matrices of the result follow each other, each without gaps. */
static inline bool tsr_contract_in_order(const tsr_contract *c)
{
    int64_t n = c->side[1].rest;
    return c->to_row == n && tsr_contract_has_step(c, TSR_OF_C, c->to_batch, c->side[0].rest * n);
}

#endif
