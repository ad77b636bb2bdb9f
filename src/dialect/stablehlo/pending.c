/* pending.c - hooks that are being written; each gives way to the real one. */
#include "dialect/hooks.h"

__attribute__((weak)) bool infer_chlo_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_broadcast_compare(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_broadcast_complex(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_broadcast_select(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_constant(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_constant_like(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_is_inf(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_is_neg_inf(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_is_pos_inf(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_ragged_dot(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_scan(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_chlo_top_k(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_hlo_compatible(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_abs(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_add(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_after_all(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_all_gather(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_all_reduce(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_all_to_all(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_async_done(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_async_start(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_batch_norm_grad(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_batch_norm_inference(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_batch_norm_training(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_case(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_cholesky(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_clamp(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_collective_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_collective_permute(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_collective_reduce(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_compare(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_complex(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_concatenate(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_constant(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_convert(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_convolution(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_create_token(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_dot(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_dot_general(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_dynamic_conv(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_dynamic_gather(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_dynamic_slice(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_dynamic_update_slice(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_einsum(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_fft(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_gather(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_get_dimension_size(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_get_tuple_element(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_if(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_imag(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_is_finite(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_map(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_optimization_barrier(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_outfeed(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_pad(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_partition_id(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_real(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_reduce(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_reduce_scatter(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_reduce_window(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_replica_id(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_reverse(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_rng(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_scatter(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_select(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_select_and_scatter(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_send(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_set_dimension_size(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_slice(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_sort(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_torch_index_select(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_transpose(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_triangular_solve(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_tuple(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_unary_einsum(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_uniform_dequantize(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_uniform_quantize(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool infer_stablehlo_while(const tsr_op *op, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(out, op->out[i].type);
    return true;
}
__attribute__((weak)) bool verify_chlo_constant_like(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_chlo_ragged_dot(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_chlo_scan(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_hlo_accuracy(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_add(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_all_gather(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_all_reduce(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_all_to_all(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_bitcast_convert(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_broadcast_in_dim(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_collective_broadcast(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_collective_permute(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_collective_reduce(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_composite(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_convolution(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_custom_call(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_dot(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_dot_general(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_dynamic_broadcast_in_dim(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_dynamic_conv(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_dynamic_iota(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_dynamic_pad(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_dynamic_reshape(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_infeed(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_iota(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_real_dynamic_slice(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_recv(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_reduce(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_reduce_precision(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_reduce_scatter(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_reduce_window(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_reshape(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_reverse(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_rng_bit_generator(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_scatter(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_select_and_scatter(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_sort(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_transpose(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_uniform_quantize(tsr_op *op)
{
    (void)op;
    return true;
}
__attribute__((weak)) bool verify_stablehlo_while(tsr_op *op)
{
    (void)op;
    return true;
}
