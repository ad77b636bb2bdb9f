/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_literal.c - values, types and attributes as text under a fuzzer: what --input and --expect take, "2xf32=1,2". What is accepted
 * must equal itself, also when it was written as an attribute. */
#include "fuzz.h"

#include <string.h>

#include "api/guard.h"
#include "eval/file/literal.h"

/* "dense<[1, 2]> : tensor<2xi8>"; empty when the call was stopped. */
static void dense_text(fuzz_world *w, const tsr_tensor *t, tsr_buf *out)
{
    TSR_GUARD_CTX(g, w->ctx, NULL, )
    tsr_tensor_dense_text(w->ctx, out, t);
    tsr_guard_close(&g);
}

static void check_tensor(fuzz_world *w, tsr_tensor *t)
{
    tsr_comparison itself;
    fuzz_must(tsr_tensor_compare(t, t, NULL, &itself), "a value differs from itself");
    tsr_str printed = tsr_tensor_text(t);
    fuzz_must(printed.data || fuzz_was_stopped(w), "a value has no text");
    tsr_free((void *)(uintptr_t)printed.data);
    tsr_buf dense = {0};
    dense_text(w, t, &dense);
    if (dense.len)
        fuzz_must(tsr_attr_parse(w->ctx, tsr_buf_text(&dense)) || fuzz_was_stopped(w),
                  "a value cannot be read as an attribute");
    tsr_buf_free(&dense);
}

static bool same(tsr_str a, tsr_str b)
{
    return a.len == b.len && !memcmp(a.data, b.data, a.len);
}

/* What was printed is what was read, or prints as itself: a NUL in an attribute of an unknown dialect is written as an escape. */
static void check_attr(fuzz_world *w, tsr_attr *a)
{
    tsr_str printed = tsr_attr_print(a);
    tsr_attr *again = printed.data ? tsr_attr_parse(w->ctx, printed) : NULL;
    fuzz_must(!printed.data || again || fuzz_was_stopped(w),
              "an attribute does not read as it prints");
    tsr_str twice = again ? tsr_attr_print(again) : (tsr_str){NULL, 0};
    fuzz_must(!twice.data || same(printed, twice), "an attribute prints as another one");
    tsr_free((void *)(uintptr_t)twice.data);
    tsr_free((void *)(uintptr_t)printed.data);
}

static void check_type(fuzz_world *w, tsr_type *t)
{
    tsr_str printed = tsr_type_print(t);
    tsr_type *again = printed.data ? tsr_type_parse(w->ctx, printed) : NULL;
    fuzz_must(!printed.data || again || fuzz_was_stopped(w), "a type does not read as it prints");
    tsr_str twice = again ? tsr_type_print(again) : (tsr_str){NULL, 0};
    fuzz_must(!twice.data || same(printed, twice), "a type prints as another one");
    tsr_free((void *)(uintptr_t)twice.data);
    tsr_free((void *)(uintptr_t)printed.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_str input = {(const char *)data, size};
    tsr_status status = {0};
    fuzz_world w;
    fuzz_open(&w);
    tsr_tensor *t = tsr_tensor_parse(w.ctx, input, &status);
    fuzz_must(t || status.message[0], "a literal is refused without a reason");
    if (t)
        check_tensor(&w, t);
    tsr_tensor_free(t);
    w.error = false;
    tsr_attr *a = tsr_attr_parse(w.ctx, input);
    fuzz_must(a || w.error, "an attribute is refused without an error");
    if (a)
        check_attr(&w, a);
    w.error = false;
    tsr_type *type = tsr_type_parse(w.ctx, input);
    fuzz_must(type || w.error, "a type is refused without an error");
    if (type)
        check_type(&w, type);
    fuzz_close(&w);
    return 0;
}
