// ttnn-shim.cpp - what ttnn-precompiled.hpp declares, over the C API of the library: compiled once, and linked to emitted programs.
#include "ttnn-precompiled.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

// The part of tessera/tessera.h and tessera/code.h that is called; headers are not where the package is.
extern "C" {
struct tsr_ctx;
struct tsr_tensor;
struct tsr_type;
struct tsr_str {
    const char *data;
    size_t len;
};
struct tsr_status {
    int code;
    char message[496];
};
tsr_ctx *tsr_ctx_new(void);
void tsr_free(void *data);
tsr_tensor *tsr_tensor_create(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank, const void *data, tsr_status *status);
tsr_tensor *tsr_tensor_load(tsr_ctx *ctx, const char *path, tsr_type *element, tsr_status *status);
bool tsr_tensor_save(const tsr_tensor *t, const char *path, tsr_status *status);
void tsr_tensor_free(tsr_tensor *t);
size_t tsr_tensor_rank(const tsr_tensor *t);
int64_t tsr_tensor_dim(const tsr_tensor *t, size_t i);
int64_t tsr_tensor_num_elements(const tsr_tensor *t);
tsr_type *tsr_tensor_element(const tsr_tensor *t);
double tsr_tensor_get(const tsr_tensor *t, int64_t i);
tsr_str tsr_type_print(const tsr_type *t);
bool tsr_call_emitted(tsr_ctx *ctx, tsr_str call, tsr_tensor **tensors, size_t n, size_t ndevices, tsr_tensor **out, size_t max, size_t *nout, tsr_status *status);
}

namespace ttnn {
using Part = std::shared_ptr<tsr_tensor>;
struct Held {
    std::vector<Part> parts; // one for each device, or one for all; none: it was deallocated
};

static tsr_ctx *context()
{
    static tsr_ctx *ctx = tsr_ctx_new();
    return ctx;
}

static Part own(tsr_tensor *t) { return Part(t, tsr_tensor_free); }

static Tensor tensor_of(std::vector<Part> parts) { return Tensor{std::make_shared<Held>(Held{std::move(parts)})}; }

static const std::vector<Part> &parts_of(const Tensor &t)
{
    if (!t.held || t.held->parts.empty())
        throw std::runtime_error("a tensor is used that was deallocated");
    return t.held->parts;
}

static size_t devices_of(const std::vector<int64_t> &mesh)
{
    size_t n = 1;
    for (int64_t d : mesh)
        n *= size_t(d);
    return n;
}

// ---- Arguments ----

void Call::put(bool v) { text += v ? "true" : "false"; }
void Call::put(int64_t v) { text += std::to_string(v); }

void Call::put(double v)
{
    if (v != v || v - v != 0) {
        text += v != v ? "\"nan\"" : v < 0 ? "\"-inf\"" : "\"inf\"";
        return;
    }
    char number[40];
    snprintf(number, sizeof number, "%.17g", v);
    for (char *c = number; *c; c++) // whatever the locale is
        *c = *c == ',' ? '.' : *c;
    text += number;
    if (!strpbrk(number, ".e"))
        text += ".0";
}

void Call::put(const char *v)
{
    text += '"';
    for (; *v; v++) {
        char code[8];
        unsigned char c = (unsigned char)*v;
        if (c == '"' || c == '\\')
            text += '\\';
        if (c < 32)
            snprintf(code, sizeof code, "\\u%04x", c), text += code;
        else
            text += *v;
    }
    text += '"';
}

void Call::put(const Tensor &t)
{
    auto same = [&](const Tensor &o) { return o.held == t.held; };
    size_t at = size_t(std::find_if(tensors.begin(), tensors.end(), same) - tensors.begin());
    if (at == tensors.size())
        tensors.push_back(t);
    text += "{\"tensor\": " + std::to_string(at) + "}";
}

void Call::put_words(const char *const *words, size_t n, int i)
{
    if (i < 0 || size_t(i) >= n)
        throw std::runtime_error("an enumeration has no such case");
    put(words[i]);
}

static void put_mesh(Call &c, const std::optional<distributed::MeshShape> &mesh)
{
    c.text += ", \"mesh\": ";
    if (mesh)
        c.put(mesh->sizes);
    else
        c.text += "null";
    c.text += "}";
}

void Call::put(const distributed::TensorToMesh &m)
{
    std::vector<int64_t> dims;
    for (const auto &p : m.config.placements)
        dims.push_back(std::holds_alternative<distributed::MeshMapperConfig::Shard>(p) ? std::get<0>(p).dim : -1);
    text += "{\"placements\": ";
    put(dims);
    put_mesh(*this, m.config.mesh);
}

void Call::put(const distributed::MeshToTensor &m)
{
    text += "{\"dims\": ";
    put(m.config.dims);
    put_mesh(*this, m.config.mesh);
}

void Call::put(const operations::unary::UnaryWithParam &u)
{
    static const char *const words[] = {
        "EXP", "RECIP", "GELU", "RELU", "SQRT", "SIGMOID", "LOG", "TANH", "LOG2", "LOG10", "SIN", "COS", "ABS", "ABS_INT32", "SIGN", "SQUARE", "EQZ", "NEZ", "GTZ", "LTZ", "GEZ", "LEZ",
        "RELU_MAX", "RELU_MIN", "POWER", "LEAKY_RELU", "ELU", "EXP2", "HEAVISIDE", "EXPM1", "SIGNBIT", "ASIN", "ACOS", "RSQRT", "RELU6", "ATAN", "ERF", "ERFC", "ISINF", "ISPOSINF", "ISNEGINF",
        "ISNAN", "LOGICAL_NOT_UNARY", "ISFINITE", "ERFINV", "I0", "I1", "TAN", "RSUB", "RDIV", "SILU", "SOFTPLUS", "IDENTITY", "NEG", "ADD_UNARY_SFPU", "SUB_UNARY_SFPU", "MUL_UNARY_SFPU",
        "DIV_UNARY_SFPU", "IDENTITY_UINT32", "UNARY_NE", "UNARY_GT", "UNARY_LT", "TILED_PROD", "TYPECAST", "BITWISE_XOR", "BITWISE_NOT", "BITWISE_AND", "BITWISE_OR", "RIGHT_SHIFT", "FLOOR",
        "CEIL", "ROUND", "LEFT_SHIFT", "REMAINDER", "FMOD", "DROPOUT", "FILL", "PRELU_SFPU", "ZERO_POINT", "HARDSIGMOID"};
    if (u.numbers)
        throw std::runtime_error("a function with numbers behind a convolution is not part of Tessera");
    text += "{\"unary\": ";
    put_words(words, std::size(words), int(u.op));
    text += "}";
}

void Call::put(const Conv2dConfig &c)
{
    text += "{";
    if (c.activation)
        text += "\"activation\": ", put(*c.activation);
    text += "}";
}

void Call::put(const experimental::prim::Conv3dConfig &c)
{
    text += c.C_in_block ? "{\"C_in_block\": " + std::to_string(*c.C_in_block) + "}" : "{}";
}

// ---- Devices ----

// TESSERA_MESH=2x4, or what mappers of the program say.
distributed::MeshDevice *DeviceGetter::getInstance()
{
    static distributed::MeshDevice device;
    static bool asked = false;
    const char *p = asked ? nullptr : getenv("TESSERA_MESH");
    asked = true;
    if (p && *p) {
        device.mesh.clear();
        for (char *end; *p; p = *end ? end + 1 : end) {
            device.mesh.push_back(strtol(p, &end, 10));
            if (end == p || device.mesh.back() < 1)
                throw std::runtime_error("TESSERA_MESH is no mesh such as 2x4");
        }
    }
    return &device;
}

static void widen(distributed::MeshDevice &device, const std::optional<distributed::MeshShape> &mesh)
{
    if (mesh && devices_of(mesh->sizes) > devices_of(device.mesh))
        device.mesh = mesh->sizes;
}

namespace distributed {
std::unique_ptr<TensorToMesh> create_mesh_mapper(MeshDevice &device, const MeshMapperConfig &config)
{
    widen(device, config.mesh);
    return std::make_unique<TensorToMesh>(TensorToMesh{config});
}
std::unique_ptr<MeshToTensor> create_mesh_composer(MeshDevice &device, const MeshComposerConfig &config)
{
    widen(device, config.mesh);
    return std::make_unique<MeshToTensor>(MeshToTensor{config});
}
} // namespace distributed

// ---- Running ----

// One part, where all devices have the same.
static std::vector<Part> joined(std::vector<Part> parts)
{
    if (std::all_of(parts.begin(), parts.end(), [&](const Part &p) { return p.get() == parts[0].get(); }))
        parts.resize(1);
    return parts;
}

struct Recorded {
    std::string text; // nothing: the values go on as they are
    std::vector<Tensor> in, out;
};
static std::vector<std::vector<Recorded>> traces;
static bool recording = false;

static std::vector<std::vector<Part>> run_text(const std::string &text, const std::vector<Tensor> &tensors)
{
    enum { MOST = 8 };
    const std::vector<int64_t> &mesh = DeviceGetter::getInstance()->mesh;
    size_t devices = devices_of(mesh), n = tensors.size(), count = 0;
    std::vector<tsr_tensor *> in, before;
    for (size_t d = 0; d < devices; d++)
        for (const Tensor &t : tensors) {
            const auto &parts = parts_of(t);
            in.push_back(parts[std::min(d, parts.size() - 1)].get());
        }
    before = in;
    std::vector<tsr_tensor *> out(MOST * devices);
    Call sizes;
    sizes.put(mesh);
    std::string all = text + ", \"mesh\": " + sizes.text + "}";
    tsr_status status{};
    if (!tsr_call_emitted(context(), tsr_str{all.data(), all.size()}, in.data(), n, devices, out.data(), MOST, &count, &status))
        throw std::runtime_error(status.message);
    for (size_t i = 0; i < n; i++) {
        std::vector<Part> now, old = parts_of(tensors[i]);
        bool changed = false;
        for (size_t d = 0; d < devices; d++) {
            bool other = in[d * n + i] != before[d * n + i];
            now.push_back(other ? own(in[d * n + i]) : old[std::min(d, old.size() - 1)]);
            changed |= other;
        }
        if (changed)
            tensors[i].held->parts = joined(now);
    }
    std::vector<std::vector<Part>> results(count);
    for (size_t d = 0; d < devices; d++)
        for (size_t i = 0; i < count; i++)
            results[i].push_back(own(out[d * count + i]));
    for (auto &parts : results)
        parts = joined(parts);
    return results;
}

Results run(const char *function, Call &call)
{
    std::string text = "{\"function\": \"" + std::string(function) + "\", \"arguments\": [" + call.text + "]";
    Results r;
    for (auto &parts : run_text(text, call.tensors))
        r.all.push_back(tensor_of(std::move(parts)));
    if (recording)
        traces.back().push_back({text, call.tensors, r.all});
    return r;
}

Tensor placed(const Tensor &t)
{
    Tensor other = tensor_of(parts_of(t));
    if (recording)
        traces.back().push_back({"", {t}, {other}});
    return other;
}

Tensor typed(const Tensor &t, std::optional<DataType> type) { return type ? Tensor(called("ttnn::typecast", t, *type, std::nullopt)) : placed(t); }

// A tensor of a trace stays for the next time.
void deallocate(const Tensor &t, bool)
{
    if (t.held && !recording)
        t.held->parts.clear();
}

int32_t getScalarFromTensor(const Tensor &t) { return int32_t(tsr_tensor_get(parts_of(t)[0].get(), 0)); }

Tensor loadTensor(const std::string &path)
{
    tsr_status status{};
    tsr_tensor *t = tsr_tensor_load(context(), path.c_str(), nullptr, &status);
    if (!t)
        throw std::runtime_error(status.message);
    Part loaded = own(t);
    std::vector<double> values(size_t(tsr_tensor_num_elements(t)));
    std::vector<int64_t> dims;
    for (size_t i = 0; i < tsr_tensor_rank(t); i++)
        dims.push_back(tsr_tensor_dim(t, i));
    for (size_t i = 0; i < values.size(); i++)
        values[i] = tsr_tensor_get(t, int64_t(i));
    tsr_str element = tsr_type_print(tsr_tensor_element(t));
    bool whole = element.len && (element.data[0] == 'i' || element.data[0] == 'u' || element.data[0] == 's');
    tsr_free((void *)element.data);
    return made(values.data(), values.size(), dims, whole ? DataType::INT32 : DataType::FLOAT32);
}

void dump_tensor_flatbuffer(const std::string &path, const Tensor &t)
{
    tsr_status status{};
    if (!tsr_tensor_save(parts_of(t)[0].get(), path.c_str(), &status))
        throw std::runtime_error(status.message);
}

Tensor distribute_tensor(const Tensor &t, const distributed::TensorToMesh &m) { return called("ttnn::distribute_tensor", t, m); }

// All devices have the whole one; the host has one of them.
Tensor aggregate_tensor(const Tensor &t, const distributed::MeshToTensor &m)
{
    Tensor whole = called("ttnn::aggregate_tensor", t, m);
    whole.held->parts.resize(1);
    return whole;
}

namespace operations::trace {
MeshTraceId begin_trace_capture(distributed::MeshDevice *, QueueId)
{
    traces.emplace_back();
    recording = true;
    return {traces.size() - 1};
}
void end_trace_capture(distributed::MeshDevice *, const MeshTraceId &, QueueId) { recording = false; }
void execute_trace(distributed::MeshDevice *, const MeshTraceId &id, QueueId, bool)
{
    for (Recorded &r : traces.at(id.id)) {
        auto results = r.text.empty() ? std::vector<std::vector<Part>>{parts_of(r.in[0])} : run_text(r.text, r.in);
        for (size_t i = 0; i < results.size(); i++)
            r.out[i].held->parts = results[i];
    }
}
} // namespace operations::trace

// ---- Values ----

template <class T> static Part filled(const char *type, const double *values, size_t n, const std::vector<int64_t> &shape)
{
    std::vector<T> all(devices_of(shape));
    if (n != all.size() && n != 1)
        throw std::runtime_error("a constant has " + std::to_string(n) + " values for " + std::to_string(all.size()) + " elements");
    for (size_t i = 0; i < all.size(); i++)
        all[i] = T(values[n == 1 ? 0 : i]);
    tsr_status status{};
    tsr_tensor *t = tsr_tensor_create(context(), tsr_str{type, strlen(type)}, shape.data(), shape.size(), all.data(), &status);
    if (!t)
        throw std::runtime_error(status.message);
    return own(t);
}

Tensor made(const double *values, size_t n, const std::vector<int64_t> &shape, DataType type)
{
    switch (type) {
    case DataType::UINT32: return tensor_of({filled<uint32_t>("ui32", values, n, shape)});
    case DataType::UINT16: return tensor_of({filled<uint16_t>("ui16", values, n, shape)});
    case DataType::UINT8: return tensor_of({filled<uint8_t>("ui8", values, n, shape)});
    case DataType::INT32: return tensor_of({filled<int32_t>("si32", values, n, shape)});
    default: break;
    }
    Tensor plain = tensor_of({filled<float>("f32", values, n, shape)});
    return type == DataType::FLOAT32 ? plain : typed(plain, type);
}

static DataType type_of(const Part &p)
{
    static const struct {
        const char *text;
        DataType type;
    } types[] = {{"bf16", DataType::BFLOAT16}, {"f32", DataType::FLOAT32}, {"ui32", DataType::UINT32}, {"ui16", DataType::UINT16}, {"ui8", DataType::UINT8}, {"si32", DataType::INT32}};
    tsr_str s = tsr_type_print(tsr_tensor_element(p.get()));
    std::string text(s.data, s.len);
    tsr_free((void *)s.data);
    for (const auto &t : types)
        if (text == t.text)
            return t.type;
    return text.find("bfp_bf4") != text.npos ? DataType::BFLOAT4_B : DataType::BFLOAT8_B;
}

// The values that an input is to have, where it is.
static Tensor replaced(const Tensor &t, const double *const *in, size_t devices)
{
    const Part &like = parts_of(t)[0];
    std::vector<int64_t> dims;
    for (size_t i = 0; i < tsr_tensor_rank(like.get()); i++)
        dims.push_back(tsr_tensor_dim(like.get(), i));
    std::vector<Part> parts;
    for (size_t d = 0; d < devices && in[d]; d++)
        parts.push_back(parts_of(made(in[d], devices_of(dims), dims, type_of(like)))[0]);
    return parts.empty() ? t : tensor_of(parts);
}

bool exchange(tessera_exchange *x, const std::function<std::vector<Tensor>()> &make, const std::function<std::vector<Tensor>(std::vector<Tensor>)> &call)
{
    try {
        std::vector<Tensor> in = make();
        if (x->nin && x->nin != in.size())
            throw std::runtime_error("it takes " + std::to_string(in.size()) + " inputs, and " + std::to_string(x->nin) + " are given");
        for (size_t i = 0; i < x->nin; i++)
            in[i] = replaced(in[i], x->in + i * x->devices, x->devices);
        x->out = call(in);
        for (Tensor &t : x->out) { // doubles come of plain numbers
            DataType type = type_of(parts_of(t)[0]);
            if (type == DataType::BFLOAT8_B || type == DataType::BFLOAT4_B)
                t = typed(t, DataType::FLOAT32);
        }
        return true;
    } catch (const std::exception &e) {
        x->error = e.what();
        return false;
    }
}
} // namespace ttnn

// ---- The same for ctypes ----

extern "C" {
tessera_exchange *tessera_exchange_new(const double *const *in, size_t nin, size_t devices) { return new tessera_exchange{in, nin, devices, {}, {}}; }
void tessera_exchange_free(tessera_exchange *x) { delete x; }
const char *tessera_exchange_error(const tessera_exchange *x) { return x->error.c_str(); }
size_t tessera_exchange_count(const tessera_exchange *x) { return x->out.size(); }
size_t tessera_exchange_parts(const tessera_exchange *x, size_t i) { return x->out[i].held->parts.size(); }
size_t tessera_exchange_rank(const tessera_exchange *x, size_t i) { return tsr_tensor_rank(x->out[i].held->parts[0].get()); }
int64_t tessera_exchange_dim(const tessera_exchange *x, size_t i, size_t d) { return tsr_tensor_dim(x->out[i].held->parts[0].get(), d); }
void tessera_exchange_get(const tessera_exchange *x, size_t i, size_t part, double *out)
{
    const tsr_tensor *t = x->out[i].held->parts[part].get();
    for (int64_t k = 0; k < tsr_tensor_num_elements(t); k++)
        out[k] = tsr_tensor_get(t, k);
}
void tessera_mesh(const int64_t *sizes, size_t n) { ttnn::DeviceGetter::getInstance()->mesh.assign(sizes, sizes + n); }
}
