/* contract.h - a product of two values as a product of matrices: each side has one batch stride, one contracted stride
 * and one stride for the remaining dimensions. */
#ifndef TSR_EXEC_CONTRACT_H
#define TSR_EXEC_CONTRACT_H

#include "exec/kernel/gemm.h"

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

/* The arguments of the kernel, without operands. */
static inline tsr_gemm tsr_contract_gemm(const tsr_contract *c)
{
    const tsr_contract_side *a = &c->side[0], *b = &c->side[1];
    return (tsr_gemm){.type = (tsr_dtype)c->type,
                      .out_type = (tsr_dtype)c->to,
                      .m = a->rest,
                      .n = b->rest,
                      .k = a->contract,
                      .batch = a->batch,
                      .a_m = a->rest_stride,
                      .a_k = a->contract_stride,
                      .b_k = b->contract_stride,
                      .b_n = b->rest_stride,
                      .a_grid = a->grid,
                      .b_grid = b->grid,
                      .a_batch = a->batch_stride,
                      .b_batch = b->batch_stride,
                      .c_batch = c->to_batch,
                      .outer = c->outer,
                      .c_m = c->to_row};
}

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
