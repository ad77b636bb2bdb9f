/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - modules from files of any kind, which their first bytes identify. */
#include "api/api.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/guard.h"
#include "api/saved.h"
#include "api/tsrx.h"
#include "base/input.h"
#include "base/output.h"
#include "lower/vhlo/vhlo.h"
#include "target/flatbuffer/program.h"
#include "text/bytecode/bytecode.h"
#include "text/hlo/hlo.h"

/* Reads to the end, in pieces that grow with the file. */
static bool read_stream(FILE *f, tsr_buf *out, const char **error)
{
    enum { PIECE = 1 << 16 };
    *error = NULL;
    for (;;) {
        tsr_buf_reserve(out, PIECE);
        size_t n = tsr_input_read(f, out->data + out->len, out->cap - out->len, error);
        if (n == 0)
            return !*error;
        out->len += n;
    }
}

static void close_stream(void *f)
{
    fclose(f);
}

bool tsr_file_read(const char *path, tsr_buf *out, const char **error)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, out, error);
    FILE *f = tsr_input_open(path, error);
    struct stat st;
    if (!f)
        return false;
    tsr_cleanup cleanup;
    tsr_cleanup_push(&cleanup, close_stream, f);
    if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        tsr_buf_reserve(out, (size_t)st.st_size + 1);
    bool ok = read_stream(f, out, error);
    tsr_cleanup_pop(&cleanup);
    fclose(f);
    return ok;
}

/* Mapped files: only the used parts of large ones are read, and their constants stay in place. */
static bool map_file(const char *path, tsr_file *f)
{
    struct stat st;
    char head[8];
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) /* a pipe's writer would notice */
        return false;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof head &&
              pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
              (tsr_is_bytecode((tsr_str){head, sizeof head}) || memchr(head, 0, sizeof head));
    void *p = ok ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (p == MAP_FAILED)
        return false;
    *f = (tsr_file){.data = {p, (size_t)st.st_size}, .mapped = true};
    return true;
}

bool tsr_file_open(const char *path, tsr_file *f, const char **error)
{
    *f = (tsr_file){0};
    if (strcmp(path, "-") != 0 && map_file(path, f))
        return true;
    if (!tsr_file_read(path, &f->buf, error)) {
        tsr_buf_free(&f->buf);
        return false;
    }
    f->data = tsr_buf_text(&f->buf);
    return true;
}

static void release_mapping(void *p, size_t n)
{
    munmap(p, n);
}

static void release_memory(void *p, size_t n)
{
    (void)n;
    tsr_free(p);
}

void tsr_file_close(tsr_file *f)
{
    if (f->mapped)
        release_mapping((void *)(uintptr_t)f->data.data, f->data.len);
    tsr_buf_free(&f->buf);
    *f = (tsr_file){0};
}

/* Makes the file live as long as the module. */
static void give_file(tsr_module *m, tsr_file *f)
{
    m->held = f->mapped ? (void *)(uintptr_t)f->data.data : f->buf.data;
    m->nheld = f->data.len;
    m->release = f->mapped ? release_mapping : release_memory;
    *f = (tsr_file){0};
}

/* ---- Files of jax.export: a FlatBuffer with the artifact in one of its fields ---- */

static uint32_t u32_at(tsr_str s, size_t at)
{
    const uint8_t *p = (const uint8_t *)s.data + at;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t u16_at(tsr_str s, size_t at)
{
    const uint8_t *p = (const uint8_t *)s.data + at;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

/* The bytes that a field at this position refers to, if it is a byte vector that begins like bytecode. */
static bool artifact_at(tsr_str s, size_t place, tsr_str *out)
{
    if (place + 4 > s.len)
        return false;
    size_t list = place + u32_at(s, place);
    if (list + 4 > s.len || u32_at(s, list) > s.len - list - 4)
        return false;
    *out = (tsr_str){s.data + list + 4, u32_at(s, list)};
    return tsr_is_bytecode(*out);
}

/* root ::= offset of the table; table ::= distance back to its vtable, fields. Which field it is depends on the version
 * of jax, so all are tried. */
static bool find_artifact(tsr_str s, tsr_str *out)
{
    enum { LEAST = 16, MOST_FIELDS = 1024 };
    if (s.len < LEAST || !memchr(s.data, 0, 8))
        return false;
    size_t table = u32_at(s, 0);
    if (table < 4 || table > s.len - 4)
        return false;
    int64_t places = (int64_t)table - (int32_t)u32_at(s, table);
    if (places < 0 || places > (int64_t)s.len - 4)
        return false;
    size_t at = (size_t)places, size = u16_at(s, at);
    if (size < 4 || size > s.len - at || size > 4 + 2 * MOST_FIELDS)
        return false;
    for (size_t i = 4; i + 2 <= size; i += 2) {
        size_t field = u16_at(s, at + i);
        if (field && artifact_at(s, table + field, out))
            return true;
    }
    return false;
}

bool tsr_find_bytecode(tsr_str data, tsr_str *out)
{
    *out = data;
    return tsr_is_bytecode(data) || find_artifact(data, out);
}

/* ---- Modules ---- */

static bool begins(tsr_str data, size_t at, const char *magic, size_t n)
{
    return data.len >= at + n && memcmp(data.data + at, magic, n) == 0;
}

/* Whether it begins with a field of a protocol buffer that is a text or another one, as XLA's HloProto does: no text has
 * such bytes behind a new line. */
static bool is_protobuf(tsr_str data)
{
    enum { REACH = 16 };
    for (size_t i = 1; i < data.len && i < REACH && data.data[0] == '\n'; i++) {
        unsigned char c = (unsigned char)data.data[i];
        if (c < ' ' && !strchr("\t\n\r\v\f", c))
            return true;
    }
    return false;
}

/* What kind of file it is if it is not a module; NULL: it may be one. */
static const char *other_kind(tsr_str data)
{
    static const struct {
        const char *magic, *what;
        uint8_t n, at;
    } kinds[] = {
        {"\x93NUMPY", "a NumPy array (.npy): it can be an --input of `tessera run`", 6, 0},
        {"PK\3\4", "a zip archive (.npz?): arrays in one can be an --input of `tessera run`", 4, 0},
        {"\x80\2", "a pickle of Python: export StableHLO instead", 2, 0},
        {"\x80\4", "a pickle of Python: export StableHLO instead", 2, 0},
        {"\x80\5", "a pickle of Python: export StableHLO instead", 2, 0},
        {"\177ELF", "an executable or a library", 4, 0},
        {"\x1f\x8b", "compressed (gzip)", 2, 0},
        {"BC\xC0\xDE", "LLVM bitcode", 4, 0},
        {"TTNN", "a flatbuffer of tt-mlir (.ttnn) without its size in front", 4, 4},
        {"TTM0", "a flatbuffer of tt-mlir (.ttm) without its size in front", 4, 4},
        {"TTSY", "a system description of tt-mlir (.ttsys) without its size in front", 4, 4},
        {"TTSY",
         "a system description of tt-mlir (.ttsys): `ttrt read` shows it, and "
         "--ttcore-register-device=system-desc-path= takes it",
         4, 8},
        {"TFL3", "a TensorFlow Lite model", 4, 4},
        {"digraph ",
         "a graph for Graphviz: --xla_dump_hlo_as_text (in XLA_FLAGS) makes text, which can be "
         "read",
         8, 0},
        {"hlo_module {",
         "a protocol buffer as text: --xla_dump_hlo_as_text (in XLA_FLAGS) makes text, which can "
         "be read",
         12, 0},
        {"BufferAssignment:",
         "XLA's assignment of buffers: of the same dump, *_optimizations.txt can be read", 17, 0},
        {"{ lambda", "a jaxpr: jitted.lower(*args).as_text(debug_info=True) can be read", 8, 0},
        {"ENTRY ",
         "a computation of HLO text: with the line `HloModule name` in front it can be read", 6, 0},
        {TSR_TSRX_MAGIC, "a compiled program (.tsrx): `tessera run` runs it", 8, 0},
    };
    for (size_t i = 0; i < TSR_COUNT(kinds); i++)
        if (begins(data, kinds[i].at, kinds[i].magic, kinds[i].n))
            return kinds[i].what;
    return is_protobuf(data) ? "a protocol buffer: of XLA's dumps, --xla_dump_hlo_as_text (in "
                               "XLA_FLAGS) makes text, which can be read"
                             : NULL;
}

static tsr_module *load(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line, bool kept)
{
    tsr_str bytecode;
    const char *other = other_kind(data);
    if (other) {
        tsr_error(ctx, tsr_loc_file(ctx, tsr_name_get(ctx, filename), 0, 0),
                  "this is no module but %s", other);
        return NULL;
    }
    if (tsr_fb_has_programs(tsr_fb_file_of(data)))
        return tsr_fb_read_module(ctx, data, filename);
    if (tsr_find_bytecode(data, &bytecode))
        return tsr_bytecode_read(ctx, bytecode, filename, kept);
    if (tsr_is_hlo(data))
        return tsr_hlo_read(ctx, data, filename, line);
    return tsr_parse_module(ctx, data, filename, line);
}

tsr_module *tsr_load(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line)
{
    return load(ctx, data, filename, line, false);
}

tsr_module *tsr_load_kept(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line)
{
    return load(ctx, data, filename, line, true);
}

/* Converts an artifact to StableHLO. Text is left unchanged: VHLO written as text is intended. */
static tsr_module *upgrade(tsr_module *m, tsr_str data)
{
    tsr_str bytecode;
    if (!m || !tsr_find_bytecode(data, &bytecode) || !tsr_module_has_vhlo(m))
        return m;
    if (tsr_verify(m->op) && tsr_module_from_vhlo(m))
        return m;
    tsr_module_free(m);
    return NULL;
}

tsr_module *tsr_load_program(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line, bool kept)
{
    return upgrade(load(ctx, data, filename, line, kept), data);
}

/* When the call is stopped: a mapping is in no list of blocks. */
static void unmap(void *file)
{
    tsr_file *f = file;
    if (f->mapped)
        release_mapping((void *)(uintptr_t)f->data.data, f->data.len);
}

/* The module of a file that is not text; on success the module owns the file. */
static tsr_module *parse_bytecode(tsr_ctx *ctx, tsr_file *f, tsr_str filename)
{
    tsr_cleanup cleanup;
    tsr_cleanup_push(&cleanup, unmap, f);
    tsr_module *m = tsr_load_program(ctx, f->data, filename, 1, true);
    if (m && !tsr_verify(m->op)) {
        tsr_module_free(m);
        m = NULL;
    }
    tsr_cleanup_pop(&cleanup);
    if (m)
        give_file(m, f);
    return m;
}

static tsr_module *parse_file(tsr_ctx *ctx, const char *path)
{
    tsr_file f;
    const char *error = NULL;
    if (!tsr_file_open(path, &f, &error)) {
        tsr_error(ctx, TSR_LOC_UNKNOWN, "cannot open input file '%s': %s", path, error);
        return NULL;
    }
    tsr_str filename = tsr_cstr(strcmp(path, "-") == 0 ? "<stdin>" : path);
    tsr_str bytecode;
    tsr_module *m = tsr_find_bytecode(f.data, &bytecode) ? parse_bytecode(ctx, &f, filename)
                                                         : tsr_module_parse(ctx, f.data, filename);
    tsr_file_close(&f);
    return m;
}

static tsr_module *parse_folder(tsr_ctx *ctx, const char *path)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_saved saved;
    tsr_status s = {0};
    bool found = tsr_saved_find(&arena, path, (tsr_str){0}, &saved, &s);
    tsr_module *m = found ? parse_file(ctx, saved.program) : NULL;
    if (m)
        tsr_saved_name_from(m, path, &saved);
    if (!found)
        tsr_error(ctx, TSR_LOC_UNKNOWN, "%s", s.message);
    tsr_arena_free(&arena);
    return m;
}

bool tsr_file_write(const char *path, tsr_str data, tsr_status *status)
{
    TSR_GUARD_IF(g, path && (data.data || !data.len), NULL, NULL, TSR_READS, status, false)
    bool ok = tsr_output_save(path, data, g.status);
    tsr_guard_close(&g);
    return ok;
}

tsr_module *tsr_module_parse_file(tsr_ctx *ctx, const char *path)
{
    TSR_GUARD_IF(g, ctx && path, ctx, NULL, TSR_READS, NULL, NULL)
    tsr_module *m = tsr_is_folder(path) ? parse_folder(ctx, path) : parse_file(ctx, path);
    tsr_guard_close(&g);
    return m;
}
