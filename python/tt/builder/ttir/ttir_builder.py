# SPDX-License-Identifier: Apache-2.0
"""Graphs of TTIR."""

from typing import Optional, Tuple

from builder.base.builder import Builder, _plain
from builder.base.builder_utils import Operand, Shape, TypeInfo, element_text
from builder.base.signatures import table

SIGNATURES = table(
    """
    adamw: param grad exp_avg exp_avg_sq max_exp_avg_sq=None lr=0.001 beta1=0.9 beta2=0.999 beta1_pow=0.9 beta2_pow=0.999 epsilon=1e-08 weight_decay=0.0 stochastic_rounding
    all_reduce: input cluster_axis reduce_type
    all_reduce_async: input cluster_axis reduce_type
    argmax: in0 dim_arg keep_dim=False
    avg_pool2d: in0 kernel stride dilation padding ceil_mode count_include_pad
    batch_norm_inference: in0 scale offset mean variance epsilon=1e-05 dimension=1
    batch_norm_training: in0 scale offset running_mean running_variance epsilon=1e-05 dimension=1 momentum=0.1
    clamp_scalar: in0 min_arg>min max_arg>max
    clamp_tensor: in0 min_tensor>min max_tensor>max
    concat: ins dim=0
    conv3d: in0 weight bias stride padding groups padding_mode
    distributed_layer_norm: input cluster_axis weight bias residual epsilon
    distributed_rms_norm: input cluster_axis weight residual epsilon
    fill_cache: in0 in1 batch_offset=0
    gelu_backward>gelu_bw: grad>lhs input>rhs approximate
    get_dimension_size: in0 dimension=0
    group_norm: in0 input_mask weight bias num_groups=1 epsilon=1e-05
    is_finite>isfinite: in0
    layer_norm: in0 normalized_shape weight bias epsilon
    leaky_relu: in0 parameter=0.01
    max: in0 dim_arg keep_dim=True
    max_pool2d_with_indices: in0 kernel stride dilation padding ceil_mode
    mean: in0 dim_arg keep_dim=True
    min: in0 dim_arg keep_dim=True
    pad: in0 padding value=0.0
    paged_flash_multi_latent_attention_decode: query key value head_dim_v page_table is_causal attention_mask cur_pos_tensor attention_sink scale
    paged_scaled_dot_product_attention_decode: query key value page_table output is_causal attention_mask cur_pos_tensor attention_sink scale sliding_window_size
    paged_update_cache: cache input update_index share_cache page_table
    prod: in0 dim_arg keep_dim=False
    reduce_or: in0 dim_arg keep_dim=True
    rms_norm: in0 normalized_shape weight bias epsilon
    scaled_dot_product_attention: query key value attention_mask is_causal scale sliding_window_size attention_sink
    scaled_dot_product_attention_decode: query key value cur_pos_tensor attention_mask is_causal scale
    scatter: in0 index source dim scatter_reduce_type='invalid'
    select>index_select: in0 dim=0 begin=0 length=2 stride=2
    selu: in0 output_type scale alpha
    slice>slice_static: in0 begins ends step
    softmax: in0 dimension=1 numeric_stable>numericStable
    split_query_key_value_and_split_heads: input_tensor num_heads transpose_key=False kv_input_tensor num_kv_heads
    squeeze: in0 dim=0
    sum: in0 dim_arg keep_dim=True
    topk: in0 k dim largest sorted=True
    topk_router_gpt: in0 in1 in2 k num_experts=128
    transpose: in0 dim0=0 dim1=1
    typecast: in0 output_type
    unsqueeze: in0 dim=0
    update_cache: in0 in1 in2 batch_offset=0
    """
)


class TTIRBuilder(Builder):
    """A method for each op of TTIR; results have the types that follow from operands and attributes."""

    DIALECT = "ttir"
    SIGNATURES = SIGNATURES

    def _tensor(self, shape, dtype):
        return self._ctx.tensor(list(shape), element_text(dtype))

    def _with(self, name, output, given):
        """An op without operands, or one whose result is of this type."""
        return self._op(name, (), given, output=output)

    # Collectives

    def mesh_shard(self, input: Operand, shard_direction, shard_type, shard_shape: Tuple[int, ...], shard_dims: Tuple[int, ...], **given):
        """The part of each device of a whole, or the whole of parts. A part that is one already keeps its shape in memory."""
        type = self.get_type(input)
        words = _plain(shard_type), _plain(shard_direction)
        shape = list(type.shape)
        for dim, parts in enumerate(shard_shape if words[0] != "replicate" else ()):
            shape[dim] = shape[dim] // parts if words[1] == "full_to_shard" else shape[dim] * parts
        given.update(shard_type=words[0], shard_direction=words[1], shard_shape=list(shard_shape), shard_dims=list(shard_dims))
        return self._op("mesh_shard", (input,), given, output=self._ctx.tensor(shape, type.element))

    def all_gather(self, input: Operand, all_gather_dim: Optional[int] = None, cluster_axis: Optional[int] = None, **given):
        """What the devices along an axis of the mesh have, side by side."""
        type = self.get_type(input)
        shape = list(type.shape)
        shape[all_gather_dim] *= self.mesh_shape[cluster_axis]
        return self._op("all_gather", (input,), {**given, "all_gather_dim": all_gather_dim, "cluster_axis": cluster_axis}, output=self._ctx.tensor(shape, type.element))

    def reduce_scatter(self, input: Operand, reduce_type, scatter_dim: int, cluster_axis: int, **given):
        """The sum over devices along an axis, of which each keeps its part."""
        type = self.get_type(input)
        shape = list(type.shape)
        shape[scatter_dim] //= self.mesh_shape[cluster_axis]
        rest = {**given, "reduce_type": reduce_type, "scatter_dim": scatter_dim, "cluster_axis": cluster_axis}
        return self._op("reduce_scatter", (input,), rest, output=self._ctx.tensor(shape, type.element))

    def mesh_partition(self, input: Operand, dim: int, cluster_axis: Optional[int] = None, **given):
        """Of what all devices along an axis have, the part of each."""
        type = self.get_type(input)
        shape = list(type.shape)
        parts = self.mesh_shape[cluster_axis] if cluster_axis is not None else self.mesh_shape[0] * self.mesh_shape[1]
        shape[dim] //= parts
        return self._op("mesh_partition", (input,), {**given, "dim": dim, "cluster_axis": cluster_axis}, output=self._ctx.tensor(shape, type.element))

    def preshard_arg(self, operand: Operand, shard_dims: Tuple[int, ...]):
        """The argument comes in parts: each device has its own."""
        local = self._part_type(self.get_type(operand), shard_dims)
        self.set_arg_attribute(operand, "ttcore.local_shape", self._ctx.parse_attr(f"#ttcore<local_shape local_shape = {local}>"))
        self.set_arg_attribute(operand, "ttcore.shard_status", self._ctx.parse_attr("#ttcore.shard_status<presharded>"))

    # Ops that make something of nothing

    def arange(self, shape: Shape, dtype, start: int, end: int, step: int, arange_dimension: int, **given):
        return self._with("arange", self._tensor(shape, dtype), {**given, "start": start, "end": end, "step": step, "arange_dimension": arange_dimension})

    def ones(self, shape: Shape, dtype="f32", **given):
        return self._with("ones", self._tensor(shape, dtype), {**given, "shape": list(shape)})

    def zeros(self, shape: Shape, dtype="f32", **given):
        return self._with("zeros", self._tensor(shape, dtype), {**given, "shape": list(shape)})

    def full(self, output_shape: Shape, output_type, fill_value, **given):
        return self._with("full", self._tensor(output_shape, output_type), {**given, "shape": list(output_shape), "fill_value": fill_value})

    def rand(self, size: Shape, dtype="f32", low: float = 0.0, high: float = 1.0, seed: int = 0, **given):
        """Random numbers. Two of them are never compared: the golden takes the place of what a run draws."""
        made = self._with("rand", self._tensor(size, dtype), {**given, "size": list(size), "low": low, "high": high, "seed": seed})
        self.bypass(made)
        return made

    def constant(self, tensor, loc: Optional[str] = None, unit_attrs=None):
        return self._constant(tensor, loc, unit_attrs)

    # Ops whose result is of a type that is said

    def upsample2d(self, in0: Operand, in1: Operand, scale_factor, mode: str = "nearest", **given):
        """in1: something of the type of the result."""
        return self._op("upsample2d", (in0,), {**given, "scale_factor": scale_factor, "mode": mode}, output=self.get_type(in1))

    def _quantized(self, name, in0, scale, zero_point, dtype, given):
        return self._op(name, (in0,), given, output=self._tensor(self.get_type(in0).shape, TypeInfo(dtype, scale, zero_point)))

    def quantize(self, in0: Operand, scale: float, zero_point: int, dtype, **given):
        return self._quantized("quantize", in0, scale, zero_point, dtype, given)

    def requantize(self, in0: Operand, scale: float, zero_point: int, dtype, **given):
        return self._quantized("requantize", in0, scale, zero_point, dtype, given)

    def dequantize(self, in0: Operand, scale: float, zero_point: int, dtype, **given):
        return self._op("dequantize", (in0,), given, output=self._tensor(self.get_type(in0).shape, dtype))

    # Ops that change an operand: what they are given goes on

    def _changed(self, name, args, given):
        self._op(name, args, given)
        return args[0] if args else next(iter(given.values()))

    def fill_cache(self, *args, **given):
        return self._changed("fill_cache", args, given)

    def update_cache(self, *args, **given):
        return self._changed("update_cache", args, given)

    def paged_update_cache(self, *args, **given):
        return self._changed("paged_update_cache", args, given)

    def paged_fill_cache(self, *args, **given):
        return self._changed("paged_fill_cache", args, given)

    # Ops of several results

    def topk(self, *args, **given):
        """The values; topk_indices of them gives where they were."""
        return self._op("topk", args, given)[0]

    def topk_indices(self, topk_values: Operand):
        op = topk_values.op
        if op is None or op.name != "ttir.topk":
            raise TypeError("topk_indices takes what topk gave")
        return self._given_out(op.results[1])

    def slice(self, in0: Operand, begins, ends, step=None, **given):
        return self._op("slice", (in0, list(begins), list(ends), list(step or [1] * len(begins))), given)

    def all_to_all_dispatch(self, *args, **given):
        return self._routed("all_to_all_dispatch", args, {"num_devices": 2, "cluster_axis": 0, **given}, ("dispatched", "metadata"))

    def all_to_all_dispatch_metadata(self, *args, **given):
        return self._routed("all_to_all_dispatch_metadata", args, {"num_devices": 2, "cluster_axis": 0, **given}, ("dispatched", "indices", "scores"))

    def sparse_matmul(self, a: Operand, b: Operand, sparsity: Operand, is_input_a_sparse: bool = False, is_input_b_sparse: bool = True, nnz: int = 0, **given):
        """nnz: how many blocks are not zero; 0: nobody knows."""
        return self._op("sparse_matmul", (a, b, sparsity), {**given, "is_input_a_sparse": is_input_a_sparse, "is_input_b_sparse": is_input_b_sparse, "nnz": nnz or None})

    def all_to_all_combine(self, *args, **given):
        shape = given.pop("output_shape", None)
        output = self._ctx.tensor(list(shape), self.get_type(args[0]).element) if shape is not None else None
        return self._op("all_to_all_combine", args, {"num_devices": 2, "cluster_axis": 0, "num_experts_per_tok": 4, **given}, output=output)

    def moe_expert_token_remap(self, *args, **given):
        return self._routed("moe_expert_token_remap", args, {"reduction_size": 32, **given}, ("mapping", "reduced"))
