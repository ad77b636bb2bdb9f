/* first.cpp - the same with the wrapper of C++. */
#include <cstdio>
#include <tessera/tessera.hpp>

int main()
{
    try {
        tessera::context ctx;
        tessera::ir_module m = ctx.parse("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                                         "  %0 = stablehlo.add %x, %x : tensor<3xf32>\n"
                                         "  return %0 : tensor<3xf32>\n"
                                         "}\n");
        std::vector<tessera::tensor> in;
        in.push_back(ctx.tensor<float>({3}, {1, 2, 3}));
        for (const tessera::tensor &t : m.compile().run(in))
            std::printf("%g %g %g\n", t[0], t[1], t[2]);
    } catch (const tessera::error &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
