/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs the unit tests and counts. */
#include "unit.h"

void unit_failed(unit *u, const char *file, int line, const char *cond)
{
    u->failed++;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, cond);
}

void unit_log(void *user, const tsr_diag *diag)
{
    static const char *const severities[] = {"error", "warning", "note", "remark"};
    diag_log *log = user;
    tsr_buf_printf(&log->text, "%s: ", severities[diag->severity]);
    tsr_buf_str(&log->text, diag->message);
    tsr_buf_char(&log->text, '\n');
}

bool unit_logged(diag_log *log, const char *text)
{
    bool same = tsr_str_is(tsr_buf_text(&log->text), text);
    if (!same)
        fprintf(stderr, "logged: %.*s", TSR_STR_ARG(tsr_buf_text(&log->text)));
    tsr_buf_free(&log->text);
    return same;
}

static const struct {
    const char *name;
    void (*run)(unit *u);
} tests[] = {
    {"base", test_base},         {"json", test_json},
    {"scope", test_scope},       {"looks", test_looks},
    {"float", test_float},       {"intern", test_intern},
    {"affine", test_affine},     {"ops", test_ops},
    {"clone", test_clone},       {"dominance", test_dominance},
    {"verify", test_verify},     {"diag", test_diag},
    {"axis", test_axis},         {"projection", test_projection},
    {"cost", test_cost},         {"rule", test_rule},
#ifndef TSR_MINIMAL
    {"metal", test_metal},       {"ttir", test_ttir},
#endif
    {"params", test_params},     {"vhlo", test_vhlo},
    {"bytecode", test_bytecode}, {"graph", test_graph},
    {"tcp", test_tcp},           {"threads", test_threads},
    {"place", test_place},       {"target", test_target},
    {"code", test_code},         {"tile", test_tile},
    {"math", test_math},         {"product", test_product},
    {"linalg", test_linalg},     {"winograd", test_winograd},
    {"move", test_move},         {"fft", test_fft},
    {"scalar", test_scalar},     {"search", test_search},
    {"donated", test_donated},   {"saved", test_saved},
    {"explore", test_explore},   {"edited", test_edited},
    {"members", test_members},
};

/* Those that are named, or all. */
int main(int argc, char **argv)
{
    unit u = {0};
    for (size_t i = 0; i < TSR_COUNT(tests); i++) {
        bool named = argc < 2;
        for (int k = 1; k < argc; k++)
            named |= strcmp(argv[k], tests[i].name) == 0;
        if (named)
            tests[i].run(&u);
    }
    printf("%d passed, %d failed\n", u.passed, u.failed);
    return u.failed != 0 || !u.passed;
}
