/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_http.c - requests of the explorer's server under a fuzzer, and questions of what-if in their bodies. What is not refused lies in
 * the bytes that were given; a request stays what it is while it comes in; each answer has a form. */
#include "fuzz.h"

#include <string.h>

#include "api/explore.h"
#include "explore/http.h"

static bool is_inside(tsr_str part, tsr_str whole)
{
    return !part.len || (part.data >= whole.data && part.data + part.len <= whole.data + whole.len);
}

static void check_question(tsr_str body)
{
    static const char module[] = "func.func @main(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
                                 "  %0 = stablehlo.add %arg0, %arg0 : tensor<4x4xf32>\n"
                                 "  return %0 : tensor<4x4xf32>\n}\n";
    fuzz_world w;
    tsr_status status = {0};
    tsr_view_request on_page = {0};
    fuzz_open(&w);
    tsr_module *m = tsr_module_parse(w.ctx, tsr_cstr(module), tsr_cstr("m.mlir"));
    tsr_checkpoint *mark = tsr_ctx_checkpoint(w.ctx);
    tsr_str answer = tsr_view_answer(m, &on_page, 0, body, &status);
    fuzz_must(answer.data || status.message[0], "refused without a reason");
    fuzz_must(!answer.data || (answer.data[0] == '{' && answer.data[answer.len - 1] == '}' &&
                               !memchr(answer.data, '<', answer.len)),
              "an answer that is no JSON");
    tsr_free((void *)(uintptr_t)answer.data);
    tsr_ctx_rewind(w.ctx, mark);
    tsr_module_free(m);
    fuzz_close(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_str bytes = {(const char *)data, size};
    tsr_http_request r, part;
    int status = tsr_http_parse(bytes, &r);
    fuzz_must(status == 0 || status == 200 || (status >= 400 && status < 600), "an odd status");
    /* The beginning of a request that is right is not refused. */
    for (size_t n = 0; status == 200 && n < size; n += 1 + size / 16)
        fuzz_must(tsr_http_parse((tsr_str){bytes.data, n}, &part) == 0, "half a request counts");
    if (status != 200)
        return 0;
    fuzz_must(is_inside(r.method, bytes) && is_inside(r.path, bytes) && is_inside(r.host, bytes) &&
                  is_inside(r.origin, bytes) && is_inside(r.type, bytes) &&
                  is_inside(r.body, bytes),
              "a part that is not in the request");
    int allowed = tsr_http_allow(&r, 80);
    fuzz_must(allowed == 200 || (allowed >= 400 && allowed < 500), "an odd refusal");
    if (r.body.len)
        check_question(r.body);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed + 1;
    return fuzz_mutate_text(data, size, most, &rng);
}
