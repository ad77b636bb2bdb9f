// ttnn-precompiled.hpp - ttnn's C++ functions as far as emitted programs need them, over arrays of float on the host.
//
// Values of BFLOAT16 are rounded after each call, integers are whole floats, formats of blocks are float. Layouts and memories are names. A function that
// is not here does not compile. C++20.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace ttsl {
template <class T> using SmallVector = std::vector<T>;
}

namespace tt::tt_metal {
enum class MathFidelity { LoFi, HiFi2, HiFi3, HiFi4 };
}

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
}
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
struct WormholeComputeKernelConfig {
    tt::tt_metal::MathFidelity math_fidelity{};
    bool math_approx_mode{}, fp32_dest_acc_en{}, packer_l1_acc{}, dst_full_sync_en{};
};
namespace distributed {
struct MeshDevice {};
}
struct DeviceGetter {
    static distributed::MeshDevice *getInstance()
    {
        static distributed::MeshDevice device;
        return &device;
    }
};

using Sizes = std::vector<int64_t>;
struct Shape : Sizes {
    Shape(std::initializer_list<int64_t> sizes) : Sizes(sizes) {}
};

inline int64_t count(const Sizes &s)
{
    return std::accumulate(s.begin(), s.end(), int64_t(1), std::multiplies<int64_t>());
}

inline float keep(float x, DataType t)
{
    uint32_t bits;
    if (t != DataType::BFLOAT16 || std::isnan(x))
        return t >= DataType::UINT32 ? std::trunc(x) : x;
    std::memcpy(&bits, &x, sizeof bits);
    bits = uint32_t((uint64_t(bits) + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000);
    std::memcpy(&x, &bits, sizeof bits);
    return x;
}

struct Tensor {
    Sizes shape;
    DataType type = DataType::FLOAT32;
    std::shared_ptr<std::vector<float>> data = std::make_shared<std::vector<float>>();
    Tensor() = default;
    Tensor(Sizes s, DataType t) : shape(std::move(s)), type(t), data(std::make_shared<std::vector<float>>(size_t(count(shape)))) {}
    float &operator[](size_t i) { return (*data)[i]; }
    float operator[](size_t i) const { return (*data)[i]; }
    size_t size() const { return data->size(); }
    Tensor &&rounded() &&
    {
        for (float &x : *data)
            x = keep(x, type);
        return std::move(*this);
    }
};

inline size_t at(const Tensor &t, int64_t dim) { return size_t(dim < 0 ? dim + int64_t(t.shape.size()) : dim); }

// The place in a tensor of these sizes that element i of a result of sizes out reads: dimensions of 1 are repeated.
inline size_t source(size_t i, const Sizes &out, const Sizes &in)
{
    size_t place = 0, unit = 1;
    for (size_t d = out.size(), k = in.size(); d-- > 0;) {
        size_t n = size_t(out[d]), x = i % n;
        i /= n;
        if (k-- > 0) {
            place += in[k] == 1 ? 0 : x * unit;
            unit *= size_t(in[k]);
        } else {
            k = 0;
        }
    }
    return place;
}

template <class F> Tensor map(const Tensor &a, F f)
{
    Tensor out(a.shape, a.type);
    for (size_t i = 0; i < a.size(); i++)
        out[i] = f(a[i]);
    return std::move(out).rounded();
}

inline Sizes joined(Sizes a, Sizes b)
{
    if (a.size() < b.size())
        std::swap(a, b);
    for (size_t i = 1; i <= b.size(); i++)
        a[a.size() - i] = std::max(a[a.size() - i], b[b.size() - i]);
    return a;
}

template <class F> Tensor zip(const Tensor &a, const Tensor &b, DataType type, F f)
{
    Tensor out(joined(a.shape, b.shape), type);
    for (size_t i = 0; i < out.size(); i++)
        out[i] = f(a[source(i, out.shape, a.shape)], b[source(i, out.shape, b.shape)]);
    return std::move(out).rounded();
}

#define TTNN_UNARY(name, ...)                                       \
    template <class... Rest> Tensor name(const Tensor &a, Rest &&...) \
    {                                                               \
        return map(a, [](float x) -> float { return __VA_ARGS__; }); \
    }
TTNN_UNARY(abs, std::fabs(x))
TTNN_UNARY(acos, std::acos(x))
TTNN_UNARY(asin, std::asin(x))
TTNN_UNARY(asinh, std::asinh(x))
TTNN_UNARY(atan, std::atan(x))
TTNN_UNARY(cbrt, std::cbrt(x))
TTNN_UNARY(ceil, std::ceil(x))
TTNN_UNARY(cos, std::cos(x))
TTNN_UNARY(erf, std::erf(x))
TTNN_UNARY(erfc, std::erfc(x))
TTNN_UNARY(exp, std::exp(x))
TTNN_UNARY(expm1, std::expm1(x))
TTNN_UNARY(floor, std::floor(x))
TTNN_UNARY(gelu, x * 0.5f * (1 + std::erf(x * 0.70710678f)))
TTNN_UNARY(hardsigmoid, std::clamp(x / 6 + 0.5f, 0.f, 1.f))
TTNN_UNARY(isfinite, std::isfinite(x))
TTNN_UNARY(log, std::log(x))
TTNN_UNARY(log1p, std::log1p(x))
TTNN_UNARY(logical_not, x == 0)
TTNN_UNARY(neg, -x)
TTNN_UNARY(reciprocal, 1 / x)
TTNN_UNARY(relu, x > 0 ? x : 0)
TTNN_UNARY(relu6, std::clamp(x, 0.f, 6.f))
TTNN_UNARY(rsqrt, 1 / std::sqrt(x))
TTNN_UNARY(sigmoid, 1 / (1 + std::exp(-x)))
TTNN_UNARY(sign, float((x > 0) - (x < 0)))
TTNN_UNARY(silu, x / (1 + std::exp(-x)))
TTNN_UNARY(sin, std::sin(x))
TTNN_UNARY(sqrt, std::sqrt(x))
TTNN_UNARY(tan, std::tan(x))
TTNN_UNARY(tanh, std::tanh(x))
#undef TTNN_UNARY

#define TTNN_BINARY(name, ...)                                                                      \
    template <class... Rest>                                                                        \
    Tensor name(const Tensor &a, const Tensor &b, std::optional<DataType> type = std::nullopt, Rest &&...) \
    {                                                                                               \
        return zip(a, b, type.value_or(a.type), [](float x, float y) -> float { return __VA_ARGS__; }); \
    }
TTNN_BINARY(add, x + y)
TTNN_BINARY(subtract, x - y)
TTNN_BINARY(multiply, x * y)
TTNN_BINARY(divide, x / y)
TTNN_BINARY(maximum, std::fmax(x, y))
TTNN_BINARY(minimum, std::fmin(x, y))
TTNN_BINARY(eq, x == y)
TTNN_BINARY(ne, x != y)
TTNN_BINARY(ge, x >= y)
TTNN_BINARY(gt, x > y)
TTNN_BINARY(le, x <= y)
TTNN_BINARY(lt, x < y)
TTNN_BINARY(logical_and, x != 0 && y != 0)
TTNN_BINARY(logical_or, x != 0 || y != 0)
TTNN_BINARY(logical_xor, (x != 0) != (y != 0))
#undef TTNN_BINARY

template <class... Rest> Tensor clamp(const Tensor &a, float low, float high, Rest &&...)
{
    return map(a, [=](float x) { return std::fmin(std::fmax(x, low), high); });
}

// Dimensions that stay, and those that are joined.
template <class F>
Tensor reduce(const Tensor &a, std::optional<ttsl::SmallVector<int32_t>> dims, bool keepdim, float first, F f, bool mean = false)
{
    std::vector<bool> gone(a.shape.size(), !dims);
    if (dims)
        for (int32_t d : *dims)
            gone[at(a, d)] = true;
    Sizes whole = a.shape, left;
    for (size_t d = 0; d < gone.size(); d++) {
        whole[d] = gone[d] ? 1 : whole[d];
        if (!gone[d] || keepdim)
            left.push_back(whole[d]);
    }
    Tensor out(whole, a.type);
    std::fill(out.data->begin(), out.data->end(), first);
    for (size_t i = 0; i < a.size(); i++) {
        float &x = out[source(i, a.shape, whole)];
        x = f(x, a[i]);
    }
    for (size_t i = 0; mean && i < out.size(); i++)
        out[i] /= float(a.size() / out.size());
    out.shape = left;
    return std::move(out).rounded();
}

#define TTNN_REDUCTION(name, first, mean, ...)                                                                          \
    template <class... Rest>                                                                                            \
    Tensor name(const Tensor &a, std::optional<ttsl::SmallVector<int32_t>> dims, bool keepdim, Rest &&...)              \
    {                                                                                                                   \
        return reduce(a, dims, keepdim, first, [](float x, float y) -> float { return __VA_ARGS__; }, mean);            \
    }
TTNN_REDUCTION(sum, 0, false, x + y)
TTNN_REDUCTION(mean, 0, true, x + y)
TTNN_REDUCTION(max, -std::numeric_limits<float>::infinity(), false, std::fmax(x, y))
TTNN_REDUCTION(min, std::numeric_limits<float>::infinity(), false, std::fmin(x, y))
#undef TTNN_REDUCTION

template <class... Rest> Tensor reshape(const Tensor &a, const std::vector<int32_t> &shape, Rest &&...)
{
    Tensor out = a;
    out.shape = Sizes(shape.begin(), shape.end());
    return out;
}

template <class... Rest> Tensor permute(const Tensor &a, const ttsl::SmallVector<int64_t> &order, Rest &&...)
{
    Sizes shape;
    for (int64_t d : order)
        shape.push_back(a.shape[at(a, d)]);
    Tensor out(shape, a.type);
    for (size_t i = 0; i < out.size(); i++) {
        size_t rest = i, place = 0;
        std::vector<size_t> index(order.size());
        for (size_t d = order.size(); d-- > 0; rest /= size_t(shape[d]))
            index[at(a, order[d])] = rest % size_t(shape[d]);
        for (size_t d = 0; d < index.size(); d++)
            place = place * size_t(a.shape[d]) + index[d];
        out[i] = a[place];
    }
    return out;
}

template <class... Rest> Tensor transpose(const Tensor &a, int64_t x, int64_t y, Rest &&...)
{
    ttsl::SmallVector<int64_t> order(a.shape.size());
    std::iota(order.begin(), order.end(), int64_t(0));
    std::swap(order[at(a, x)], order[at(a, y)]);
    return permute(a, order);
}

template <class... Rest> Tensor concat(const std::vector<Tensor> &in, int64_t dim, Rest &&...)
{
    size_t d = at(in[0], dim), outer = 1, inner = 1, start = 0, all = 0;
    for (const Tensor &t : in)
        all += size_t(t.shape[d]);
    for (size_t i = 0; i < in[0].shape.size(); i++)
        (i < d ? outer : inner) *= i == d ? 1 : size_t(in[0].shape[i]);
    Sizes shape = in[0].shape;
    shape[d] = int64_t(all);
    Tensor out(shape, in[0].type);
    for (const Tensor &t : in) {
        size_t n = size_t(t.shape[d]) * inner;
        for (size_t o = 0; o < outer; o++)
            std::copy_n(t.data->begin() + long(o * n), n, out.data->begin() + long(o * all * inner + start));
        start += n;
    }
    return out;
}

template <class A, class D, class... Rest>
Tensor linear(const Tensor &a, const Tensor &b, const A &bias, bool ta, bool tb, std::optional<MemoryConfig>, const D &type, Rest &&...)
{
    Tensor x = ta ? transpose(a, -1, -2) : a, y = tb ? transpose(b, -1, -2) : b;
    size_t m = size_t(x.shape[x.shape.size() - 2]), k = size_t(x.shape.back()), n = size_t(y.shape.back());
    Sizes bx(x.shape.begin(), x.shape.end() - 2), by(y.shape.begin(), y.shape.end() - 2), batch = joined(bx, by), shape = batch;
    shape.push_back(int64_t(m));
    shape.push_back(int64_t(n));
    Tensor out(shape, std::optional<DataType>(type).value_or(a.type));
    for (size_t t = 0; t < size_t(count(batch)); t++) {
        size_t p = source(t, batch, bx) * m * k, q = source(t, batch, by) * k * n;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                float s = 0;
                for (size_t l = 0; l < k; l++)
                    s += x[p + i * k + l] * y[q + l * n + j];
                out[(t * m + i) * n + j] = s;
            }
    }
    if constexpr (std::is_same_v<A, Tensor>)
        return zip(out, bias, out.type, [](float u, float v) { return u + v; });
    return std::move(out).rounded();
}

template <class D, class P, class... Rest>
Tensor matmul(const Tensor &a, const Tensor &b, bool ta, bool tb, std::optional<MemoryConfig> memory, const D &type, const P &, std::nullopt_t, Rest &&...)
{
    return linear(a, b, std::nullopt, ta, tb, memory, type);
}

template <class... Rest> Tensor softmax(const Tensor &a, int64_t dim, Rest &&...)
{
    ttsl::SmallVector<int32_t> dims{int32_t(at(a, dim))};
    Tensor e = zip(a, max(a, dims, true), DataType::FLOAT32, [](float x, float y) { return std::exp(x - y); });
    return zip(e, sum(e, dims, true), a.type, [](float x, float y) { return x / y; });
}

template <class... Rest> Tensor typecast(const Tensor &a, DataType type, Rest &&...)
{
    Tensor out(a.shape, type);
    *out.data = *a.data;
    return std::move(out).rounded();
}
template <class... Rest> Tensor to_layout(const Tensor &a, Layout, std::optional<DataType> type, Rest &&...)
{
    return typecast(a, type.value_or(a.type));
}
template <class... Rest> Tensor to_memory_config(const Tensor &a, Rest &&...) { return a; }
template <class... Rest> Tensor to_device(const Tensor &a, Rest &&...) { return a; }
inline Tensor from_device(const Tensor &a) { return a; }
inline void deallocate(const Tensor &, bool) {}
template <class... Rest> Tensor full(const Shape &shape, float value, DataType type, Rest &&...)
{
    Tensor out(shape, type);
    std::fill(out.data->begin(), out.data->end(), keep(value, type));
    return out;
}
template <class... Rest> Tensor ones(const Shape &shape, DataType type, Rest &&...) { return full(shape, 1, type); }
template <class... Rest> Tensor zeros(const Shape &shape, DataType type, Rest &&...) { return full(shape, 0, type); }

inline void constEvalFuncWrapper(std::function<std::vector<Tensor>(std::vector<Tensor>)> f, const std::vector<Tensor> &in, std::vector<Tensor> *out)
{
    if (out->empty())
        *out = f(in);
}
inline void constEvalFuncWrapperZeroArg(std::function<std::vector<Tensor>()> f, std::vector<Tensor> *out)
{
    if (out->empty())
        *out = f();
}
} // namespace ttnn

namespace ttmlir::standalone {
template <class T, class... Rest> ttnn::Tensor constant(const std::vector<T> &values, const ttnn::Shape &shape, ttnn::DataType type, Rest &&...)
{
    ttnn::Tensor out(shape, type);
    std::copy(values.begin(), values.end(), out.data->begin());
    return std::move(out).rounded();
}
} // namespace ttmlir::standalone

template <class... T> std::vector<ttnn::Tensor> util_create_vec(T &&...tensors) { return {tensors...}; }
