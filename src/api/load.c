/* load.c - modules from files of any kind. What a file is, its first bytes say. */
#include "api/api.h"
#include "text/bytecode.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

/* Reads to the end, in pieces that grow with the file. */
static bool read_stream(FILE *f, tsr_buf *out, const char **error)
{
    enum { PIECE = 1 << 16 };
    for (;;) {
        tsr_buf_reserve(out, PIECE);
        size_t n = fread(out->data + out->len, 1, out->cap - out->len, f);
        out->len += n;
        if (n == 0)
            break;
    }
    if (!ferror(f))
        return true;
    *error = strerror(errno);
    return false;
}

bool tsr_file_read(const char *path, tsr_buf *out, const char **error)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, out, error);
    FILE *f = fopen(path, "rb");
    if (!f) {
        *error = strerror(errno);
        return false;
    }
    struct stat st;
    bool ok = true;
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        *error = strerror(EISDIR);
        ok = false;
    } else if (S_ISREG(st.st_mode) && st.st_size > 0) {
        tsr_buf_reserve(out, (size_t)st.st_size + 1);
    }
    ok = ok && read_stream(f, out, error);
    fclose(f);
    return ok;
}

tsr_module *tsr_load(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line)
{
    if (tsr_is_bytecode(data))
        return tsr_bytecode_read(ctx, data, filename, false);
    return tsr_parse_module(ctx, data, filename, line);
}

tsr_module *tsr_module_parse_file(tsr_ctx *ctx, const char *path)
{
    tsr_buf data = {0};
    const char *error = NULL;
    tsr_module *m = NULL;
    if (!tsr_file_read(path, &data, &error))
        tsr_error(ctx, TSR_LOC_UNKNOWN, "cannot open input file '%s': %s", path, error);
    else
        m = tsr_module_parse(ctx, tsr_buf_text(&data), tsr_cstr(strcmp(path, "-") == 0 ? "<stdin>" : path));
    tsr_buf_free(&data);
    return m;
}
