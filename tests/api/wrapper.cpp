/* wrapper.cpp - tessera.hpp: what it owns is freed, failures are exceptions with their reasons. */
#include <cstdio>
#include <cstring>
#include <utility>

#include "check.h"
#include <tessera/tessera.hpp>

static const char program[] = "func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {\n"
                              "  %0 = stablehlo.add %x, %x : tensor<2x2xf32>\n"
                              "  return %0 : tensor<2x2xf32>\n"
                              "}\n";

template <typename F> static bool throws(const char *reason, F f)
{
    try {
        f();
    } catch (const tessera::error &e) {
        if (std::strstr(e.what(), reason) && e.code() != TSR_OK)
            return true;
        std::printf("another reason: %s\n", e.what());
    }
    return false;
}

int main()
{
    tessera::context ctx;
    tessera::ir_module m = ctx.parse(program);
    tessera::ir_module copy = m.clone();
    tessera::ir_module moved = std::move(copy);
    moved.verify();
    moved.run("canonicalize,cse");
    CHECK(moved.print().find("stablehlo.add") != std::string::npos);
    CHECK(m.bytecode().compare(0, 2, "ML") == 0);

    tessera::executable x = m.compile();
    CHECK(x.num_inputs() == 1 && x.num_outputs() == 1 && x.num_devices() == 1);
    std::vector<tessera::tensor> in;
    in.push_back(ctx.tensor<float>({2, 2}, {1, 2, 3, 4}));
    std::vector<tessera::tensor> out = x.run(in);
    CHECK(out.size() == 1 && out[0].shape() == (std::vector<std::int64_t>{2, 2}));
    CHECK(out[0].values<float>() == (std::vector<float>{2, 4, 6, 8}) && out[0][3] == 8);
    CHECK(out[0].text().find("tensor<2x2xf32>") == 0);

    tessera::executable again = ctx.load(x.save());
    CHECK(again.run(in)[0].values<float>() == out[0].values<float>());

    tsr_shard_given given[] = {{0, tsr_cstr("x,_"), false, {nullptr, 0}}};
    tsr_shard_options options = {tsr_cstr("x=2"), given, 1, {nullptr, 0}};
    CHECK(m.plan(&options).find("x=2") != std::string::npos);
    m.shard(&options);
    m.partition();
    CHECK(m.print().find("1x2xf32") != std::string::npos);

    CHECK(throws("undeclared", [&] { ctx.parse("func.func @f() {\n return %x : i32\n}", "bad"); }));
    CHECK(throws("no/such", [&] { ctx.parse_file("no/such.mlir"); }));
    CHECK(throws("nonsense", [&] { moved.run("nonsense"); }));
    CHECK(throws("none", [&] { moved.compile("none"); }));
    CHECK(throws("another number", [&] { ctx.tensor<float>({3}, {1, 2}); }));
    CHECK(throws("another width", [&] { out[0].values<double>(); }));
    CHECK(throws("", [&] { x.run({}); }));
    CHECK(throws("program.tsrx", [&] { ctx.load("none"); }));
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
