/* SPDX-License-Identifier: Apache-2.0 */
// ttnn-precompiled.hpp - ttnn's C++ functions as emitted programs call them, run by the library of Tessera.
//
// A function writes its arguments as the JSON of a call (tsr_call_emitted), and ttnn-shim.cpp runs it: the emitter's own table says which op each is. One row
// of ttnn-functions.def is one function; one that is not there does not compile. Layouts and memories are names. C++20.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace ttsl {
template <class T> using SmallVector = std::vector<T>;
template <class T> struct Span {
    std::vector<std::remove_const_t<T>> all;
    Span(std::initializer_list<std::remove_const_t<T>> list) : all(list) {}
};
} // namespace ttsl


namespace tt::tt_metal {
enum class MathFidelity { LoFi, HiFi2, HiFi3, HiFi4 };
struct SubDeviceId {
    int id;
    SubDeviceId(int i) : id(i) {}
};
} // namespace tt::tt_metal
namespace tt::tt_fabric {
enum class Topology { Ring, Linear, Mesh, Torus };
}
namespace reduction_common {
enum class ReduceType { Sum, Mean, Max, Min, Std, Var, Prod, Invalid };
}
namespace ttml::metal {
enum class AttentionMaskType { None, Causal, Arbitrary };
enum class StochasticRounding { Disabled, Enabled };
} // namespace ttml::metal

namespace ttnn {
enum class DataType { FLOAT32, BFLOAT16, BFLOAT8_B, BFLOAT4_B, UINT32, UINT16, UINT8, INT32 };
enum class Layout { ROW_MAJOR, TILE, INVALID };
enum class TensorMemoryLayout { INTERLEAVED, HEIGHT_SHARDED, WIDTH_SHARDED, BLOCK_SHARDED, ND_SHARDED };
enum class BufferType { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };
namespace types {
enum class ShardOrientation { ROW_MAJOR, COL_MAJOR };
}
namespace operations::unary {
enum class SigmoidMode { FAST_APPROXIMATE, ACCURATE };
enum class UnaryOpType {
    EXP, RECIP, GELU, RELU, SQRT, SIGMOID, LOG, TANH, LOG2, LOG10, SIN, COS, ABS, ABS_INT32, SIGN, SQUARE, EQZ, NEZ, GTZ, LTZ, GEZ, LEZ, RELU_MAX, RELU_MIN,
    POWER, LEAKY_RELU, ELU, EXP2, HEAVISIDE, EXPM1, SIGNBIT, ASIN, ACOS, RSQRT, RELU6, ATAN, ERF, ERFC, ISINF, ISPOSINF, ISNEGINF, ISNAN, LOGICAL_NOT_UNARY,
    ISFINITE, ERFINV, I0, I1, TAN, RSUB, RDIV, SILU, SOFTPLUS, IDENTITY, NEG, ADD_UNARY_SFPU, SUB_UNARY_SFPU, MUL_UNARY_SFPU, DIV_UNARY_SFPU, IDENTITY_UINT32,
    UNARY_NE, UNARY_GT, UNARY_LT, TILED_PROD, TYPECAST, BITWISE_XOR, BITWISE_NOT, BITWISE_AND, BITWISE_OR, RIGHT_SHIFT, FLOOR, CEIL, ROUND, LEFT_SHIFT,
    REMAINDER, FMOD, DROPOUT, FILL, PRELU_SFPU, ZERO_POINT, HARDSIGMOID,
};
struct UnaryWithParam {
    UnaryOpType op{};
    bool numbers = false;
    UnaryWithParam() = default;
    template <class... N> UnaryWithParam(UnaryOpType o, N...) : op(o), numbers(sizeof...(N) > 0) {}
};
} // namespace operations::unary
namespace prim {
enum class EmbeddingsType { GENERIC };
}
struct CoreCoord {
    size_t x, y;
    bool operator<(const CoreCoord &o) const { return std::tie(x, y) < std::tie(o.x, o.y); }
};
struct CoreRange {
    CoreCoord start, end;
    bool operator<(const CoreRange &o) const { return std::tie(start, end) < std::tie(o.start, o.end); }
};
struct CoreRangeSet {
    std::set<CoreRange> ranges;
};
struct ShardSpec {
    CoreRangeSet grid;
    std::array<uint32_t, 2> shape;
    types::ShardOrientation orientation;
};
struct MemoryConfig {
    TensorMemoryLayout layout;
    BufferType buffer;
    std::optional<ShardSpec> shard;
};
// Configurations have the fields that emitted code names, in its order; those that say nothing about values take anything.
struct Any {
    template <class T> Any(const T &) {}
    Any() = default;
};
struct WormholeComputeKernelConfig {
    Any math_fidelity, math_approx_mode, fp32_dest_acc_en, packer_l1_acc, dst_full_sync_en;
};
struct Conv2dConfig {
    Any weights_dtype;
    std::optional<operations::unary::UnaryWithParam> activation;
    Any deallocate_activation, reallocate_halo_output, act_block_h_override, act_block_w_div, reshard_if_not_optimal, override_sharding_config, shard_layout, core_grid,
        transpose_shards, output_layout, enable_act_double_buffer, enable_weights_double_buffer, enable_kernel_stride_folding, config_tensors_in_dram;
};
struct Conv2dSliceConfig {
    enum class SliceType { DRAM_HEIGHT, DRAM_WIDTH, L1_FULL };
    Any slice_type, num_slices;
};
namespace experimental::prim {
struct Conv3dConfig {
    Any weights_dtype, T_out_block, W_out_block, H_out_block, C_out_block;
    std::optional<int64_t> C_in_block;
    Any compute_with_storage_grid_size;
};
} // namespace experimental::prim
namespace operations::transformer {
struct SDPAProgramConfig {
    Any compute_with_storage_grid_size, sub_core_grids, q_chunk_size, k_chunk_size, exp_approx_mode, max_cores_per_head_batch;
};
} // namespace operations::transformer
namespace operations::experimental::indexer_score {
struct IndexerScoreProgramConfig {};
} // namespace operations::experimental::indexer_score
namespace prim {
struct LayerNormShardedMultiCoreProgramConfig {
    Any compute_with_storage_grid_size, subblock_w, block_h, block_w, inplace;
};
} // namespace prim
namespace operations::matmul {
struct MatmulMultiCoreReuseProgramConfig {
    Any compute_with_storage_grid_size, in0_block_w, out_subblock_h, out_subblock_w, per_core_M, per_core_N;
};
struct MatmulMultiCoreReuseMultiCastProgramConfig {
    Any compute_with_storage_grid_size, in0_block_w, out_subblock_h, out_subblock_w, out_block_h, out_block_w, per_core_M, per_core_N, transpose_mcast, fused_activation, fuse_batch;
};
struct MatmulMultiCoreReuseMultiCast1DProgramConfig {
    Any compute_with_storage_grid_size, in0_block_w, out_subblock_h, out_subblock_w, out_block_h, out_block_w, per_core_M, per_core_N, fuse_batch, fused_activation, mcast_in0, gather_in0,
        hop_cores, num_global_cb_receivers, untilize_out;
};
struct MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig {
    Any in0_block_w, per_core_M, per_core_N, fused_activation;
};
} // namespace operations::matmul

struct Shape {
    std::vector<int64_t> sizes;
    Shape(std::initializer_list<int64_t> s) : sizes(s) {}
    Shape(std::vector<int64_t> s) : sizes(std::move(s)) {}
};
struct MeshCoordinate {
    std::vector<uint32_t> at;
    MeshCoordinate(const ttsl::Span<const uint32_t> &s) : at(s.all) {}
};
struct QueueId {
    int id;
    explicit QueueId(int i) : id(i) {}
};
struct MeshTraceId {
    size_t id = 0;
};
struct GlobalSemaphore {
    uint32_t value = 0;
};
namespace distributed {
struct MeshShape {
    std::vector<int64_t> sizes;
    MeshShape(std::initializer_list<int64_t> s) : sizes(s) {}
};
struct MeshDevice {
    std::vector<int64_t> mesh{1, 1};
};
struct MeshMapperConfig {
    struct Shard {
        int dim;
    };
    struct Replicate {};
    using Placement = std::variant<Shard, Replicate>;
    std::vector<Placement> placements;
    std::optional<MeshShape> mesh;
};
struct MeshComposerConfig {
    ttsl::SmallVector<int> dims;
    std::optional<MeshShape> mesh;
};
struct TensorToMesh {
    MeshMapperConfig config;
};
struct MeshToTensor {
    MeshComposerConfig config;
};
std::unique_ptr<TensorToMesh> create_mesh_mapper(MeshDevice &device, const MeshMapperConfig &config);
std::unique_ptr<MeshToTensor> create_mesh_composer(MeshDevice &device, const MeshComposerConfig &config);
} // namespace distributed
struct DeviceGetter {
    static distributed::MeshDevice *getInstance();
};

// A tensor: the library's, one for each device or one for all. Copies share it, as handles of a device's memory do.
struct Held;
struct Tensor {
    std::shared_ptr<Held> held;
};

// ---- Calls ----

// The arguments of a call as JSON, and the tensors that they name.
class Call {
  public:
    std::string text;
    std::vector<Tensor> tensors;
    void put(bool v);
    void put(int64_t v);
    void put(double v);
    void put(const char *v);
    void put(const Tensor &t);
    void put_words(const char *const *words, size_t n, int i);
    void put(const distributed::TensorToMesh &m);
    void put(const distributed::MeshToTensor &m);
    void put(const operations::unary::UnaryWithParam &u);
    void put(const Conv2dConfig &c);
    void put(const experimental::prim::Conv3dConfig &c);
    void put(const std::string &v) { put(v.c_str()); }
    template <class T> void put(const T &v) requires std::is_integral_v<T> { put(int64_t(v)); }
    void put(float v) { put(double(v)); }
    void put(std::nullopt_t) { text += "null"; }
    void put(std::nullptr_t) { text += "null"; }
    void put(const distributed::MeshDevice *d) { text += d ? "{\"device\": true}" : "null"; }
    void put(const distributed::MeshDevice &d) { put(&d); }
    void put(const std::reference_wrapper<distributed::MeshDevice> &d) { put(&d.get()); }
    void put(const GlobalSemaphore &) { text += "{\"semaphore\": true}"; }
    void put(const Shape &s) { put(s.sizes); }
    void put(const MeshCoordinate &c) { put(c.at); }
    void put(const QueueId &q) { put(int64_t(q.id)); }
    void put(const tt::tt_metal::SubDeviceId &s) { put(int64_t(s.id)); }
    template <class T> void put(const std::optional<T> &v)
    {
        if (v)
            put(*v);
        else
            text += "null";
    }
    template <class T> void put_list(const T &list)
    {
        const char *before = "[";
        for (const auto &v : list) {
            text += before;
            put(v);
            before = ", ";
        }
        text += *before == '[' ? "[]" : "]";
    }
    template <class T> void put(const std::vector<T> &v) { put_list(v); }
    template <class T, size_t N> void put(const std::array<T, N> &v) { put_list(v); }
    // What says nothing about values.
    template <class T> void put(const T &) requires(std::is_class_v<T>) { text += "{}"; }
#define TTNN_PUT(type, ...)                                  \
    void put(type v)                                         \
    {                                                        \
        static const char *const words[] = {__VA_ARGS__};    \
        put_words(words, std::size(words), static_cast<int>(v)); \
    }
    TTNN_PUT(DataType, "FLOAT32", "BFLOAT16", "BFLOAT8_B", "BFLOAT4_B", "UINT32", "UINT16", "UINT8", "INT32")
    TTNN_PUT(Layout, "ROW_MAJOR", "TILE", "INVALID")
    TTNN_PUT(TensorMemoryLayout, "INTERLEAVED", "HEIGHT_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED", "ND_SHARDED")
    TTNN_PUT(tt::tt_fabric::Topology, "Ring", "Linear", "Mesh", "Torus")
    TTNN_PUT(reduction_common::ReduceType, "Sum", "Mean", "Max", "Min", "Std", "Var", "Prod", "Invalid")
    TTNN_PUT(ttml::metal::AttentionMaskType, "None", "Causal", "Arbitrary")
    TTNN_PUT(operations::unary::SigmoidMode, "FAST_APPROXIMATE", "ACCURATE")
    TTNN_PUT(prim::EmbeddingsType, "GENERIC")
    void put(ttml::metal::StochasticRounding v) { put(v == ttml::metal::StochasticRounding::Enabled); }
#undef TTNN_PUT
};

// What a function gives, as emitted code takes it.
struct Results {
    std::vector<Tensor> all;
    operator Tensor() const { return all.at(0); }
    operator std::vector<Tensor>() const { return all; }
    template <class... T> operator std::tuple<T...>() const { return tuple<std::tuple<T...>>(std::index_sequence_for<T...>()); }
    std::vector<std::optional<Tensor>> optionals() const { return {all.begin(), all.end()}; }

  private:
    template <class T, size_t... I> T tuple(std::index_sequence<I...>) const { return T{all.at(I)...}; }
};
Results run(const char *function, Call &call);

template <class... A> Results called(const char *function, const A &...args)
{
    Call c;
    ((c.text += c.text.empty() ? "" : ", ", c.put(args)), ...);
    return run(function, c);
}

using Weights = std::tuple<Tensor, std::optional<Tensor>>;
template <class S> using Convolved = std::variant<Tensor, std::tuple<Tensor, S>, std::tuple<Tensor, Weights>, std::tuple<Tensor, S, Weights>>;
} // namespace ttnn

#define FUNCTION(space, name)                                                       \
    namespace space {                                                               \
    template <class... A> ttnn::Results name(const A &...args)                      \
    {                                                                               \
        return ttnn::called(#space "::" #name, args...);                            \
    }                                                                               \
    }
#define OPTIONALS(space, name)                                                      \
    namespace space {                                                               \
    template <class... A> std::vector<std::optional<ttnn::Tensor>> name(const A &...args) \
    {                                                                               \
        return ttnn::called(#space "::" #name, args...).optionals();                \
    }                                                                               \
    }
#define CONVOLUTION(space, name, ...)                                               \
    namespace space {                                                               \
    template <class... A> ttnn::Convolved<__VA_ARGS__> name(const A &...args)       \
    {                                                                               \
        return ttnn::Tensor(ttnn::called(#space "::" #name, args...));              \
    }                                                                               \
    }
#include "ttnn-functions.def"
#undef FUNCTION
#undef OPTIONALS
#undef CONVOLUTION

// ---- What is no op ----

namespace ttnn {
Tensor placed(const Tensor &t); // another handle of the same values
Tensor typed(const Tensor &t, std::optional<DataType> type);
template <class... Rest> Tensor to_layout(const Tensor &t, Layout, std::optional<DataType> type, Rest &&...) { return typed(t, type); }
template <class... Rest> Tensor to_memory_config(const Tensor &t, Rest &&...) { return placed(t); }
template <class... Rest> Tensor to_device(const Tensor &t, Rest &&...) { return placed(t); }
inline Tensor from_device(const Tensor &t) { return placed(t); }
void deallocate(const Tensor &t, bool force);
int32_t getScalarFromTensor(const Tensor &t);
Tensor loadTensor(const std::string &path);
template <class... Rest> Tensor loadTensor(const std::string &path, Layout, DataType type, Rest &&...) { return typed(loadTensor(path), type); }
void dump_tensor_flatbuffer(const std::string &path, const Tensor &t);
Tensor distribute_tensor(const Tensor &t, const distributed::TensorToMesh &m);
Tensor aggregate_tensor(const Tensor &t, const distributed::MeshToTensor &m);

namespace global_semaphore {
template <class... Rest> GlobalSemaphore create_global_semaphore(Rest &&...) { return {}; }
template <class... Rest> void reset_global_semaphore_value(const GlobalSemaphore &, Rest &&...) {}
} // namespace global_semaphore

// A trace is the calls between its begin and its end; to execute it is to run them again on the same tensors.
namespace operations::trace {
MeshTraceId begin_trace_capture(distributed::MeshDevice *device, QueueId queue);
void end_trace_capture(distributed::MeshDevice *device, const MeshTraceId &id, QueueId queue);
void execute_trace(distributed::MeshDevice *device, const MeshTraceId &id, QueueId queue, bool blocking);
} // namespace operations::trace

inline void constEvalFuncWrapper(const std::function<std::vector<Tensor>(std::vector<Tensor>)> &f, const std::vector<Tensor> &in, std::vector<Tensor> *out)
{
    if (out->empty())
        *out = f(in);
}
inline void constEvalFuncWrapperZeroArg(const std::function<std::vector<Tensor>()> &f, std::vector<Tensor> *out)
{
    if (out->empty())
        *out = f();
}
Tensor made(const double *values, size_t n, const std::vector<int64_t> &shape, DataType type);
} // namespace ttnn

namespace ttmlir::standalone {
template <class T, class... Rest> ttnn::Tensor constant(const std::vector<T> &values, const ttnn::Shape &shape, ttnn::DataType type, Rest &&...)
{
    std::vector<double> wide(values.begin(), values.end());
    return ttnn::made(wide.data(), wide.size(), shape.sizes, type);
}
} // namespace ttmlir::standalone

template <class... T> std::vector<ttnn::Tensor> util_create_vec(T &&...tensors) { return {tensors...}; }
inline ttnn::Tensor util_get_optional_value(const std::optional<ttnn::Tensor> &t) { return t.value(); }

// ---- For who runs a program (execute_cpp): inputs and results as doubles, device by device ----

struct tessera_exchange {
    const double *const *in; // of input i on device d: in[i * devices + d]; NULL: what the program makes
    size_t nin, devices;
    std::vector<ttnn::Tensor> out;
    std::string error;
};
namespace ttnn {
bool exchange(tessera_exchange *x, const std::function<std::vector<Tensor>()> &make, const std::function<std::vector<Tensor>(std::vector<Tensor>)> &call);
}
