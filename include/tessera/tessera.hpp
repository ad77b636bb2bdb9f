/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.hpp - the C API for C++11 and later: objects that free what they own, and errors as exceptions. Header-only: it
 * adds nothing to the library, and everything it lacks is a call of tessera.h on get().
 *
 *     tessera::context ctx;
 *     tessera::ir_module m = ctx.parse_file("model.mlir");
 *     tessera::executable x = m.compile();
 *     std::vector<tessera::tensor> out = x.run({ctx.tensor("4xf32=1,2,3,4")});
 *
 * Objects are moved, not copied. A context outlives what was made in it, and is used by one thread at a time;
 * executables run on several at once. */
#ifndef TESSERA_TESSERA_HPP
#define TESSERA_TESSERA_HPP

#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <tessera/build.h>
#include <tessera/code.h>
#include <tessera/golden.h>
#include <tessera/tessera.h>

namespace tessera {

/* A call that failed: what() is its reason, with file, line and column where there are some. */
class error : public std::runtime_error {
public:
    error(tsr_code code, const std::string &what) : std::runtime_error(what), code_(code) {}
    tsr_code code() const noexcept { return code_; }

private:
    tsr_code code_;
};

inline std::string to_string(tsr_str s)
{
    return s.data ? std::string(s.data, s.len) : std::string();
}

inline tsr_str to_str(const std::string &s) noexcept
{
    tsr_str text = {s.data(), s.size()};
    return text;
}

namespace detail {

/* The reason of a failed call: the status, else the context's last error. */
[[noreturn]] inline void fail(const tsr_status *status, const tsr_ctx *ctx, const char *what)
{
    if (status && status->code != TSR_OK)
        throw error(status->code, status->message);
    const tsr_status *last = ctx ? tsr_ctx_last_error(ctx) : nullptr;
    if (last && last->code != TSR_OK)
        throw error(last->code, last->message);
    throw error(TSR_BAD_INPUT, what);
}

template <typename T, void (*Free)(T *)> struct deleter {
    void operator()(T *p) const noexcept { Free(p); }
};
template <typename T, void (*Free)(T *)> using handle = std::unique_ptr<T, deleter<T, Free>>;

/* Text that a call returned, which is freed. */
inline std::string take(tsr_str s, const tsr_status *status, const tsr_ctx *ctx, const char *what)
{
    if (!s.data)
        fail(status, ctx, what);
    std::unique_ptr<void, deleter<void, tsr_free>> owner(const_cast<char *>(s.data));
    return std::string(s.data, s.len);
}

template <typename T> struct element;
template <> struct element<float> { static const char *name() { return "f32"; } };
template <> struct element<double> { static const char *name() { return "f64"; } };
template <> struct element<std::int8_t> { static const char *name() { return "i8"; } };
template <> struct element<std::int16_t> { static const char *name() { return "i16"; } };
template <> struct element<std::int32_t> { static const char *name() { return "i32"; } };
template <> struct element<std::int64_t> { static const char *name() { return "i64"; } };
template <> struct element<std::uint8_t> { static const char *name() { return "ui8"; } };
template <> struct element<std::uint16_t> { static const char *name() { return "ui16"; } };
template <> struct element<std::uint32_t> { static const char *name() { return "ui32"; } };
template <> struct element<std::uint64_t> { static const char *name() { return "ui64"; } };

} // namespace detail

/* A tensor: immutable, may be shared by threads. */
class tensor {
public:
    explicit tensor(tsr_tensor *owned) : p_(owned) {}
    tsr_tensor *get() const noexcept { return p_.get(); }

    std::vector<std::int64_t> shape() const
    {
        std::vector<std::int64_t> dims(tsr_tensor_rank(get()));
        for (std::size_t i = 0; i < dims.size(); i++)
            dims[i] = tsr_tensor_dim(get(), i);
        return dims;
    }
    std::int64_t size() const noexcept { return tsr_tensor_num_elements(get()); }
    /* Element i, in row-major order. */
    double operator[](std::int64_t i) const noexcept { return tsr_tensor_get(get(), i); }
    /* All elements; T must have the width of the element type. */
    template <typename T> std::vector<T> values() const
    {
        if (tsr_tensor_size(get()) != static_cast<std::size_t>(size()) * sizeof(T))
            throw error(TSR_BAD_INPUT, "the elements have another width");
        const T *data = static_cast<const T *>(tsr_tensor_data(get()));
        return std::vector<T>(data, data + size());
    }
    std::string text() const
    {
        return detail::take(tsr_tensor_text(get()), nullptr, nullptr, "no memory");
    }
    void save(const std::string &path) const
    {
        tsr_status status = {TSR_OK, ""};
        if (!tsr_tensor_save(get(), path.c_str(), &status))
            detail::fail(&status, nullptr, "cannot save a tensor");
    }

private:
    detail::handle<tsr_tensor, tsr_tensor_free> p_;
};

/* A compiled program. */
class executable {
public:
    executable(tsr_executable *owned, tsr_ctx *ctx) : p_(owned), ctx_(ctx) {}
    tsr_executable *get() const noexcept { return p_.get(); }
    std::size_t num_inputs() const noexcept { return tsr_executable_num_inputs(get()); }
    std::size_t num_outputs() const noexcept { return tsr_executable_num_outputs(get()); }
    std::size_t num_devices() const noexcept { return tsr_executable_num_devices(get()); }

    /* Inputs and results of all devices, device by device. */
    std::vector<tensor> run(const std::vector<tensor> &inputs,
                            const tsr_execute_options *options = nullptr) const
    {
        std::vector<tsr_tensor *> in, out(num_outputs() * num_devices());
        for (const tensor &t : inputs)
            in.push_back(t.get());
        tsr_status status = {TSR_OK, ""};
        if (!tsr_executable_run(get(), in.data(), in.size(), out.data(), out.size(), options,
                                &status))
            detail::fail(&status, nullptr, "the run failed");
        std::vector<tensor> results;
        results.reserve(out.size());
        for (tsr_tensor *t : out)
            results.emplace_back(t);
        return results;
    }
    /* As bytes that context::load reads. */
    std::string save() const
    {
        tsr_status status = {TSR_OK, ""};
        return detail::take(tsr_executable_save(get(), &status), &status, ctx_, "cannot be saved");
    }

private:
    detail::handle<tsr_executable, tsr_executable_free> p_;
    tsr_ctx *ctx_;
};

/* A module. */
class ir_module {
public:
    ir_module(tsr_module *owned, tsr_ctx *ctx) : p_(owned), ctx_(ctx) {}
    tsr_module *get() const noexcept { return p_.get(); }

    ir_module clone() const { return ir_module(check(tsr_module_clone(get())), ctx_); }
    void verify() const { must(tsr_module_verify(get())); }
    /* A pipeline of passes: "canonicalize,cse". */
    void run(const std::string &pipeline) { must(tsr_module_run(get(), to_str(pipeline))); }
    void partition() { must(tsr_module_partition(get())); }
    std::string print(const tsr_print_options *options = nullptr) const
    {
        return detail::take(tsr_module_print(get(), options), nullptr, ctx_, "cannot be printed");
    }
    std::string bytecode(int version = -1) const
    {
        return detail::take(tsr_module_bytecode(get(), version), nullptr, ctx_,
                            "cannot be written");
    }
    void shard(const tsr_shard_options *options = nullptr)
    {
        tsr_status status = {TSR_OK, ""};
        must(tsr_module_shard(get(), options, &status), &status);
    }
    /* What the program costs on each device, as text or as JSON. */
    std::string plan(const tsr_shard_options *options = nullptr, bool json = false) const
    {
        tsr_status status = {TSR_OK, ""};
        return detail::take(tsr_module_plan(get(), options, json, &status), &status, ctx_,
                            "no plan");
    }
    /* Searches for shardings and applies them; the report. */
    std::string auto_shard(const tsr_auto_options *options = nullptr, bool json = false)
    {
        tsr_status status = {TSR_OK, ""};
        return detail::take(tsr_module_auto_shard(get(), options, json, &status), &status, ctx_,
                            "no shardings were found");
    }
    /* main, the only function, or one by name. */
    executable compile(const std::string &function = "",
                       const tsr_compile_options *options = nullptr) const
    {
        tsr_status status = {TSR_OK, ""};
        tsr_executable *x = tsr_module_compile(get(), to_str(function), options, &status);
        if (!x)
            detail::fail(&status, ctx_, "cannot be compiled");
        return executable(x, ctx_);
    }

private:
    template <typename T> T *check(T *p) const
    {
        if (!p)
            detail::fail(nullptr, ctx_, "the call failed");
        return p;
    }
    void must(bool ok, const tsr_status *status = nullptr) const
    {
        if (!ok)
            detail::fail(status, ctx_, "the call failed");
    }
    detail::handle<tsr_module, tsr_module_free> p_;
    tsr_ctx *ctx_;
};

/* A context, which outlives what is made in it. */
class context {
public:
    context() : p_(tsr_ctx_new())
    {
        if (!p_)
            throw std::bad_alloc();
    }
    tsr_ctx *get() const noexcept { return p_.get(); }

    ir_module parse(const std::string &text, const std::string &name = "text.mlir")
    {
        return own(tsr_module_parse(get(), to_str(text), to_str(name)));
    }
    ir_module parse_file(const std::string &path)
    {
        return own(tsr_module_parse_file(get(), path.c_str()));
    }
    executable load(const std::string &data, const std::string &name = "program.tsrx")
    {
        tsr_status status = {TSR_OK, ""};
        tsr_executable *x = tsr_executable_load(get(), to_str(data), to_str(name), &status);
        if (!x)
            detail::fail(&status, get(), "cannot be loaded");
        return executable(x, get());
    }
    /* "2x3xf32=1,2,3,4,5,6"; one value fills all elements. */
    tessera::tensor tensor(const std::string &text)
    {
        tsr_status status = {TSR_OK, ""};
        tsr_tensor *t = tsr_tensor_parse(get(), to_str(text), &status);
        if (!t)
            detail::fail(&status, get(), "no tensor");
        return tessera::tensor(t);
    }
    template <typename T>
    tessera::tensor tensor(const std::vector<std::int64_t> &dims, const std::vector<T> &values)
    {
        std::size_t n = 1;
        for (std::int64_t d : dims)
            n *= d < 0 ? 0 : static_cast<std::size_t>(d);
        if (n != values.size())
            throw error(TSR_BAD_INPUT, "the shape has another number of elements");
        tsr_status status = {TSR_OK, ""};
        tsr_tensor *t = tsr_tensor_create(get(), tsr_cstr(detail::element<T>::name()), dims.data(),
                                          dims.size(), values.data(), &status);
        if (!t)
            detail::fail(&status, get(), "no tensor");
        return tessera::tensor(t);
    }

private:
    ir_module own(tsr_module *m)
    {
        if (!m)
            detail::fail(nullptr, get(), "the module is not valid");
        return ir_module(m, get());
    }
    detail::handle<tsr_ctx, tsr_ctx_free> p_;
};

} // namespace tessera

#endif
