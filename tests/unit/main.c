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

int main(void)
{
    unit u = {0};
    test_base(&u);
    test_json(&u);
    test_scope(&u);
    test_looks(&u);
    test_float(&u);
    test_intern(&u);
    test_affine(&u);
    test_ops(&u);
    test_clone(&u);
    test_dominance(&u);
    test_verify(&u);
    test_diag(&u);
    test_axis(&u);
    test_projection(&u);
    test_cost(&u);
    test_rule(&u);
    test_params(&u);
    test_vhlo(&u);
    test_ttir(&u);
    test_bytecode(&u);
    test_graph(&u);
    test_threads(&u);
    test_place(&u);
    test_tile(&u);
    test_math(&u);
    test_product(&u);
    test_move(&u);
    test_search(&u);
    printf("%d passed, %d failed\n", u.passed, u.failed);
    return u.failed != 0;
}
