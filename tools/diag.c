/* diag.c - diagnostics as LLVM's SourceMgr prints them: position, message, the line with tabs as spaces, a caret. */
#include "tools.h"

tsr_str source_line(const source *src, uint32_t line)
{
    const char *p = src->text.data, *end = p + src->text.len;
    uint32_t at = 1;
    if (src->last && src->last->p && src->last->line <= line) {
        p = src->last->p;
        at = src->last->line;
    }
    for (; at < line && p < end; at++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        p = nl ? nl + 1 : end;
    }
    if (src->last)
        *src->last = (source_mark){at, p};
    if (line == 0 || p >= end)
        return (tsr_str){"", 0};
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    size_t len = (size_t)((nl ? nl : end) - p);
    if (len && p[len - 1] == '\r')
        len--;
    return (tsr_str){p, len};
}

/* The line and under it the caret; tabs reach to the next multiple of 8 in both. */
static void print_line(FILE *out, tsr_str line, uint32_t col, size_t underline)
{
    enum { TAB = 8 };
    tsr_buf text = {0}, marks = {0};
    bool ascii = true;
    size_t last = col - 1 + (underline ? underline : 1);
    for (size_t i = 0; i < line.len || i < col; i++) {
        char c = i < line.len ? line.data[i] : ' ';
        char mark = i + 1 == col ? '^' : i + 1 > col && i < last ? '~' : ' ';
        ascii &= (unsigned char)c < 0x80;
        if (i < line.len)
            tsr_buf_char(&text, c == '\t' ? ' ' : c);
        tsr_buf_char(&marks, mark);
        while (c == '\t' && marks.len % TAB != 0) {
            if (i < line.len)
                tsr_buf_char(&text, ' ');
            tsr_buf_char(&marks, mark == '~' ? '~' : ' ');
        }
    }
    while (marks.len && marks.data[marks.len - 1] == ' ')
        marks.len--;
    fprintf(out, "%.*s\n", TSR_STR_ARG(tsr_buf_text(&text)));
    /* Columns of a line that is not plain ASCII are not known. */
    if (ascii)
        fprintf(out, "%.*s\n", TSR_STR_ARG(tsr_buf_text(&marks)));
    tsr_buf_free(&text);
    tsr_buf_free(&marks);
}

void diag_print(FILE *out, const source *src, const tsr_diag *d, size_t underline)
{
    static const char *const kinds[] = {
        [TSR_ERROR] = "error", [TSR_WARNING] = "warning", [TSR_NOTE] = "note", [TSR_REMARK] = "remark"};
    if (!d->file.len) {
        fprintf(out, "<unknown>:0: %s: ", kinds[d->severity]);
        if (d->location.len && !tsr_str_is(d->location, "unknown"))
            fprintf(out, "loc(%.*s): ", TSR_STR_ARG(d->location));
        fprintf(out, "%.*s\n", TSR_STR_ARG(d->message));
        return;
    }
    fprintf(out, "%.*s:%u:%u: %s: %.*s\n", TSR_STR_ARG(d->file), d->line, d->col, kinds[d->severity],
            TSR_STR_ARG(d->message));
    bool ours = src && tsr_str_eq(d->file, src->file);
    tsr_str line = d->source;
    if (!line.len && ours)
        line = source_line(src, d->line);
    if (d->line && d->col && (line.len || ours) && d->col <= line.len + 1)
        print_line(out, line, d->col, underline);
}

void diag_to_stderr(void *user, const tsr_diag *d)
{
    diag_print(stderr, user, d, 1);
}
