/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_passes.c - passes under a fuzzer. An input is a module; the comment in its first line names the passes:
 *
 *     // canonicalize,tessera-simplify{folds=false}
 *     func.func @main(...) ...
 *
 * A pass that fails must have said why. After passes that did not, the module must print to a text that parses, or verification must
 * say what is wrong with it: some passes want what others make before them. With FUZZ_STRICT in the environment it must verify; the
 * kept corpus does so. One mutation in four makes another list of passes, from the tables. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/guard.h"

/* As tsr_module_run, without verification: a module that a pass broke is not one that it refused. */
static bool run_passes(tsr_module *m, tsr_str list)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, NULL, false)
    tsr_pipelines ps;
    tsr_run_options options = {0};
    tsr_pipelines_init(&ps, m->ctx, tsr_all_passes());
    tsr_pipeline *pl = tsr_pipeline_parse(&ps, list, false);
    bool ok = pl && tsr_pipeline_run(&ps, pl, m->op, &options, NULL);
    tsr_pipelines_free(&ps);
    tsr_guard_close(&g);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_str input = {(const char *)data, size};
    fuzz_world w;
    fuzz_open(&w);
    tsr_module *m = tsr_module_parse(w.ctx, input, tsr_cstr("fuzz.mlir"));
    w.error = false;
    if (m && run_passes(m, fuzz_first_line(input))) {
        bool ok = tsr_module_verify(m);
        fuzz_must(ok || fuzz_was_stopped(&w) || (w.error && !getenv("FUZZ_STRICT")),
                  "passes made what does not verify");
        if (ok)
            fuzz_round_trip(&w, m, &(tsr_print_options){.elide_larger = -1});
    } else if (m) {
        fuzz_must(w.error, "passes failed without an error");
    }
    tsr_module_free(m);
    fuzz_close(&w);
    return 0;
}

/* ---- Mutations ---- */

static void add_option(tsr_buf *out, const tsr_option *o, uint64_t *rng)
{
    static const char *const numbers[] = {"0", "1", "2", "7", "-1", "64", "9223372036854775807"};
    static const char *const words[] = {"main", "x", "0", "_", "@main", "a,b", "1.0.0", "x=2"};
    tsr_str choices = tsr_cstr(o->choices ? o->choices : "");
    tsr_buf_printf(out, "%s=", o->name);
    if (o->type == TSR_OPTION_BOOL) {
        tsr_buf_cstr(out, below(rng, 2) ? "true" : "false");
    } else if (o->type == TSR_OPTION_INT) {
        tsr_buf_cstr(out, numbers[below(rng, TSR_COUNT(numbers))]);
    } else if (o->type == TSR_OPTION_CHOICE && choices.len) {
        size_t from = below(rng, choices.len), to;
        for (; from > 0 && choices.data[from - 1] != ' '; from--)
            ;
        for (to = from; to < choices.len && choices.data[to] != ' '; to++)
            ;
        tsr_buf_str(out, (tsr_str){choices.data + from, to - from});
    } else {
        tsr_buf_cstr(out, words[below(rng, TSR_COUNT(words))]);
    }
}

/* One that is in the tables, perhaps with an option. */
static void add_pass(tsr_buf *out, uint64_t *rng)
{
    const tsr_pass_list *list = tsr_all_passes();
    size_t n = 0, k = 0;
    for (size_t t = 0; t < list->n; t++)
        n += list->tables[t]->npass;
    n = below(rng, n);
    for (; n >= list->tables[k]->npass; k++)
        n -= list->tables[k]->npass;
    const tsr_pass_info *info = &list->tables[k]->passes[n];
    size_t noption = 0;
    while (tsr_pass_option(list, info, noption))
        noption++;
    bool nested = info->anchor == TSR_PER_FUNC;
    tsr_buf_printf(out, "%s%s", nested ? "func.func(" : "", info->name);
    if (noption && below(rng, 3) == 0) {
        tsr_buf_char(out, '{');
        add_option(out, tsr_pass_option(list, info, below(rng, noption)), rng);
        tsr_buf_char(out, '}');
    }
    if (nested)
        tsr_buf_char(out, ')');
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed;
    if (below(&rng, 4))
        return fuzz_mutate_text(data, size, most, &rng);
    tsr_buf line = {0};
    for (size_t n = 1 + below(&rng, 3); n; n--) {
        add_pass(&line, &rng);
        if (n > 1)
            tsr_buf_char(&line, ',');
    }
    tsr_buf_char(&line, 0);
    size = fuzz_set_first_line(data, size, most, line.data);
    tsr_buf_free(&line);
    return size;
}
