/* SPDX-License-Identifier: Apache-2.0 */
/* test_diag.c - diagnostics: position, source line, counting, silence. */
#include "unit.h"

typedef struct {
    uint32_t line, col;
    char file[32], source[64], location[32];
} seen;

static void copy(char *to, size_t n, tsr_str s)
{
    snprintf(to, n, "%.*s", TSR_STR_ARG(s));
}

static void look(void *user, const tsr_diag *d)
{
    seen *s = user;
    s->line = d->line;
    s->col = d->col;
    copy(s->file, sizeof s->file, d->file);
    copy(s->source, sizeof s->source, d->source);
    copy(s->location, sizeof s->location, d->location);
}

static void print_loc(tsr_ctx *ctx, tsr_buf *out, tsr_loc loc)
{
    (void)ctx;
    tsr_buf_quoted(out, ((tsr_attr *)(uintptr_t)loc)->s);
}

void test_diag(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new_empty();
    seen s = {0};
    tsr_ctx_on_diag(ctx, look, &s);
    ctx->source_file = tsr_name_get(ctx, TSR_STR("in.mlir"));
    ctx->source = TSR_STR("one\ntwo\r\nthree");
    ctx->print_loc = print_loc;
    tsr_loc at = tsr_loc_file(ctx, ctx->source_file, 2, 3);
    CHECK(u, !tsr_error(ctx, at, "bad %d", 1) && ctx->nerror == 1);
    CHECK(u, s.line == 2 && s.col == 3 && !strcmp(s.file, "in.mlir") && !strcmp(s.source, "two") &&
                 !s.location[0]);
    tsr_note(ctx, tsr_loc_file(ctx, ctx->source_file, 3, 1), "see");
    CHECK(u, ctx->nerror == 1 && !strcmp(s.source, "three"));
    tsr_note(ctx, tsr_loc_file(ctx, ctx->source_file, 4, 1), "beyond");
    CHECK(u, s.line == 4 && !s.source[0]);
    ctx->source_line = 10;
    tsr_note(ctx, tsr_loc_file(ctx, ctx->source_file, 11, 1), "in a piece");
    CHECK(u, !strcmp(s.source, "two"));
    tsr_note(ctx, at, "before the piece");
    CHECK(u, !s.source[0]);
    tsr_note(ctx, tsr_loc_of_attr(tsr_attr_loc_name(ctx, TSR_STR("x"), tsr_loc_attr(ctx, at))),
             "named");
    CHECK(u, s.line == 2 && !strcmp(s.location, "\"x\""));
    tsr_error(ctx, TSR_LOC_UNKNOWN, "nowhere");
    CHECK(u, s.line == 0 && !s.file[0]);
    ctx->quiet = true;
    s.line = 99;
    tsr_error(ctx, at, "silent");
    CHECK(u, s.line == 99 && ctx->nerror == 3);
    tsr_ctx_free(ctx);
}
