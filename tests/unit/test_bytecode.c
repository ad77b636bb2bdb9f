/* SPDX-License-Identifier: Apache-2.0 */
/* test_bytecode.c - bytecode: numbers, a file made by hand, and what is wrong with others, section by section. */
#include "unit.h"

#include "api/api.h"
#include "text/bytecode/bytecode.h"

/* ---- Numbers ---- */

static void ignore(tsr_bc *b, const char *message)
{
    (void)message;
    (*(int *)b->user)++;
}

static void test_numbers(unit *u)
{
    static const uint64_t values[] = {0,
                                      1,
                                      63,
                                      127,
                                      128,
                                      16383,
                                      16384,
                                      (1u << 21) - 1,
                                      1u << 21,
                                      (1u << 28) - 1,
                                      1u << 28,
                                      ((uint64_t)1 << 35) - 1,
                                      (uint64_t)1 << 35,
                                      ((uint64_t)1 << 56) - 1,
                                      (uint64_t)1 << 56,
                                      UINT64_MAX};
    int errors = 0;
    tsr_bc_host host = {.error = ignore};
    for (size_t i = 0; i < TSR_COUNT(values); i++) {
        tsr_buf out = {0};
        uint64_t v = 0;
        tsr_bc_put_varint(&out, values[i]);
        tsr_bc b = {.host = &host,
                    .user = &errors,
                    .p = (uint8_t *)out.data,
                    .end = (uint8_t *)out.data + out.len};
        CHECK(u, tsr_bc_varint(&b, &v) && v == values[i] && b.p == b.end);
        for (size_t n = 0; n < out.len; n++) { /* no byte is read past the end */
            uint8_t *copy = tsr_xmalloc(n + 1);
            memcpy(copy, out.data, n);
            b.p = copy;
            b.end = copy + n;
            errors = 0;
            CHECK(u, !tsr_bc_varint(&b, &v) && errors == 1);
            tsr_free(copy);
        }
        tsr_buf_free(&out);
    }
    static const int64_t signed_values[] = {0, -1, 1, 63, -64, 64, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < TSR_COUNT(signed_values); i++)
        CHECK(u, tsr_bc_unzigzag(tsr_bc_zigzag(signed_values[i])) == signed_values[i]);
    CHECK(u, tsr_bc_zigzag(-1) == 1 && tsr_bc_zigzag(1) == 2);
}

/* ---- Files: `module {}` with one section replaced ---- */

typedef struct {
    const char *data;
    size_t n;
} bytes;
#define B(literal)                     \
    {                                  \
        (literal), sizeof(literal) - 1 \
    }
/* A number below 128. */
#define N(v) ((v) << 1 | 1)

static const bytes parts[TSR_BC_SECTION__COUNT] = {
    /* two strings, 7 and 8 bytes with their ends */
    [TSR_BC_SECTION_STRING] = B("\x05\x0F\x11"
                                "builtin\0module\0"),
    /* one dialect, string 0, no version; one op name: dialect 0, one, string 1, registered */
    [TSR_BC_SECTION_DIALECT] = B("\x03\x01\x03\x01\x03\x07"),
    /* an unknown location */
    [TSR_BC_SECTION_ATTR_TYPE] = B("\x1F"),
    /* one attribute, no type; dialect 0, one, of one byte, with an encoding */
    [TSR_BC_SECTION_ATTR_TYPE_OFFSET] = B("\x03\x01\x01\x03\x07"),
    /* one op; op 0 with properties 0 and regions, at 0; one region, isolated; section: one block, no value, no op */
    [TSR_BC_SECTION_IR] = B("\x05\x01\x50\x01\x01\x07\x04\x07\x03\x01\x01"),
    /* one: two bytes, both attributes missing */
    [TSR_BC_SECTION_PROPERTIES] = B("\x03\x05\x01\x01"),
};

/* replace: of this section; none when it is TSR_BC_SECTION__COUNT. data NULL: without it. */
static void make_file(tsr_buf *out, uint32_t replace, bytes with)
{
    tsr_buf_str(out, (tsr_str){TSR_BC_MAGIC, 4});
    tsr_bc_put_varint(out, TSR_BC_VERSION);
    tsr_buf_str(out, (tsr_str){"test", 5});
    for (uint32_t i = 0; i < TSR_BC_SECTION__COUNT; i++) {
        bytes b = i == replace ? with : parts[i];
        if (!b.data)
            continue;
        tsr_buf_char(out, (char)i);
        tsr_bc_put_varint(out, b.n);
        tsr_buf_str(out, (tsr_str){b.data, b.n});
    }
}

/* The first line of what is said about it; empty when it is accepted. In memory of its exact size. */
static tsr_buf read_bytes(tsr_str data)
{
    tsr_ctx *ctx = tsr_ctx_new();
    diag_log log = {0};
    tsr_ctx_on_diag(ctx, unit_log, &log);
    char *copy = tsr_xmalloc(data.len ? data.len : 1);
    memcpy(copy, data.data, data.len);
    tsr_module *m =
        tsr_bytecode_read(ctx, (tsr_str){copy, data.len}, tsr_cstr("test.mlirbc"), true);
    if (m)
        tsr_module_free(m);
    tsr_free(copy);
    tsr_ctx_free(ctx);
    for (size_t i = 0; i < log.text.len; i++)
        if (log.text.data[i] == '\n')
            log.text.len = i;
    return log.text;
}

static bool says(tsr_str data, const char *wanted)
{
    tsr_buf said = read_bytes(data);
    tsr_buf_char(&said, 0);
    bool ok = strcmp(said.data, wanted) == 0;
    if (!ok)
        fprintf(stderr, "said:   %s\nwanted: %s\n", said.data, wanted);
    tsr_buf_free(&said);
    return ok;
}

static const struct {
    uint32_t section;
    bytes with;
    const char *said;
} wrong[] = {
    {TSR_BC_SECTION_STRING,
     {NULL, 0},
     "is missing data for top-level section: String (0) (byte 47, section Properties)"},
    {TSR_BC_SECTION_STRING,
     B("\xFF"
       "builtin\0module\0"),
     "has a list of 127 elements in 15 bytes (byte 13, section String)"},
    {TSR_BC_SECTION_STRING,
     B("\x05\x0F\x13"
       "builtin\0module\0"),
     "has a string of 9 bytes where 8 are left (byte 15, section String)"},
    {TSR_BC_SECTION_STRING,
     B("\x05\x0F\x01"
       "builtin\0module\0"),
     "has a string of 0 bytes where 8 are left (byte 15, section String)"},
    {TSR_BC_SECTION_STRING,
     B("\x05\x0D\x11"
       "builtin\0module\0"),
     "has bytes between the lengths of strings and their text (byte 15, section String)"},
    {TSR_BC_SECTION_STRING, B("\x05\x03\x03"),
     "has a string of 1 bytes where 0 are left (byte 15, section String)"},
    {TSR_BC_SECTION_STRING, B(""), "ends too early (byte 12, section String)"},
    {TSR_BC_SECTION_DIALECT, B("\x03\x09\x03\x01\x03\x07"),
     "has an invalid string index: 2 (byte 34, section Dialect)"},
    {TSR_BC_SECTION_DIALECT, B("\x03\x01\x03\x03\x03\x07"),
     "has an invalid dialect index: 1 (byte 36, section Dialect)"},
    {TSR_BC_SECTION_DIALECT, B("\x03\x01\x03\x01\x03\x0B"),
     "has an invalid string index: 2 (byte 38, section Dialect)"},
    {TSR_BC_SECTION_DIALECT, B("\x03\x03\x04\x01"),
     "has another section where a dialect's version belongs (byte 36, section Dialect)"},
    {TSR_BC_SECTION_DIALECT, B("\x03\x01\x03\x01\x01"),
     "has an invalid operation name index: 0 (byte 51, section IR)"},
    {TSR_BC_SECTION_DIALECT, B("\x03\x05\x03\x01\x03\x07"),
     "names the dialect 'module', which is unknown. If this is intended, please use "
     "-allow-unregistered-dialect with the MLIR tool used (byte 52, section IR)"},
    {TSR_BC_SECTION_ATTR_TYPE, B("\xFF"),
     "has an unknown builtin attribute code: 127 (byte 41, section AttrType)"},
    {TSR_BC_SECTION_ATTR_TYPE, B("\x0F"),
     "has another attribute where a location belongs (byte 54, section IR)"},
    {TSR_BC_SECTION_ATTR_TYPE, B(""),
     "has an attribute or type past the end of their section (byte 47, section AttrTypeOffset)"},
    {TSR_BC_SECTION_ATTR_TYPE_OFFSET, B("\x03\x01\x01\x03\x05\x01"),
     "has bytes behind the places of attributes and types (byte 48, section AttrTypeOffset)"},
    {TSR_BC_SECTION_ATTR_TYPE_OFFSET, B("\x03\x01\x01\x05\x07\x07"),
     "has a group of 2 attributes or types where 1 are left (byte 47, section AttrTypeOffset)"},
    {TSR_BC_SECTION_ATTR_TYPE_OFFSET, B("\x03\x01\x01\x03\x05"),
     "has a text without its end (byte 40, section AttrType)"},
    {TSR_BC_SECTION_ATTR_TYPE_OFFSET, B("\x03\x01\x01\x03\x06"),
     "ends too early (byte 47, section AttrTypeOffset)"},
    {TSR_BC_SECTION_IR, B("\x05\x03\x10\x01\x07\x04\x07\x03\x01\x01"),
     "has an invalid operation name index: 1 (byte 52, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x10\x03\x07\x04\x07\x03\x01\x01"),
     "has an invalid attribute index: 1 (byte 54, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x50\x01\x03\x07\x04\x07\x03\x01\x01"),
     "has an invalid properties index: 1 (byte 56, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x12\x01\x03\x01\x07\x04\x07\x03\x01\x01"),
     "has an invalid type index: 0 (byte 56, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x14\x01\x03\x01\x07\x04\x07\x03\x01\x01"),
     "has an invalid value index: 0 (byte 56, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x18\x01\x03\x03\x07\x04\x07\x03\x01\x01"),
     "has an invalid successor index: 1 (byte 56, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x10\x01\x07\x08\x07\x03\x01\x01"),
     "has another section where regions belong (byte 60, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x10\x01\x07\x04\x09\x03\x01\x01\x01"),
     "has bytes behind regions (byte 60, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x10\x01\x07\x04\x07\x03\xFF\x01"),
     "has a list of 127 elements in 1 bytes (byte 59, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x10\x01\x07\x04\x07\x03\x01\x01\x01"),
     "has bytes behind its last op (byte 60, section IR)"},
    {TSR_BC_SECTION_IR, B("\x09\x01\x10\x01\x07\x04\x07\x03\x01\x01"),
     "ends too early (byte 60, section IR)"},
    {TSR_BC_SECTION_IR, B("\x05\x01\x10\x01\xFF\x01\x01\x01\x01"),
     "has an op with 63 regions (byte 55, section IR)"},
    {TSR_BC_SECTION_PROPERTIES,
     {NULL, 0},
     "is missing data for top-level section: Properties (8) (byte 61, section IR)"},
    {TSR_BC_SECTION_PROPERTIES, B("\x03\x03\x01"), "ends too early (byte 66, section Properties)"},
    {TSR_BC_SECTION_PROPERTIES, B("\x03\x07\x01\x01\x03"),
     "has bytes behind the properties of 'builtin.module' (byte 67, section Properties)"},
    {TSR_BC_SECTION_PROPERTIES, B("\x03\x05\x07\x01"),
     "has an invalid attribute index: 1 (byte 66, section Properties)"},
    {TSR_BC_SECTION_PROPERTIES, B("\x03\x0F\x01\x01"),
     "has 7 bytes of data where 2 are left (byte 65, section Properties)"},
    {TSR_BC_SECTION_RESOURCE, B("\x01"),
     "has one of the two resource sections without the other (byte 0, section header)"},
};

static void test_wrong(unit *u)
{
    for (size_t i = 0; i < TSR_COUNT(wrong); i++) {
        tsr_buf file = {0}, said = {0};
        make_file(&file, wrong[i].section, wrong[i].with);
        tsr_buf_printf(&said, "error: bytecode %s", wrong[i].said);
        tsr_buf_char(&said, 0);
        CHECK(u, says(tsr_buf_text(&file), said.data));
        tsr_buf_free(&said);
        tsr_buf_free(&file);
    }
}

/* Every piece of a file that is not all of it, and every byte of it changed to every other: never more than a refusal. */
static void test_damage(unit *u)
{
    tsr_buf file = {0};
    make_file(&file, TSR_BC_SECTION__COUNT, (bytes){0});
    CHECK(u, says(tsr_buf_text(&file), ""));
    for (size_t n = 0; n < file.len; n++) {
        tsr_buf said = read_bytes((tsr_str){file.data, n});
        CHECK(u, said.len > 0);
        tsr_buf_free(&said);
    }
    for (size_t i = 4; i < file.len; i++)
        for (int flip = 1; flip < 256; flip += i % 3 ? 31 : 7) {
            file.data[i] = (char)(file.data[i] ^ flip);
            tsr_buf said = read_bytes(tsr_buf_text(&file));
            tsr_buf_free(&said);
            file.data[i] = (char)(file.data[i] ^ flip);
        }
    CHECK(u, says(tsr_buf_text(&file), ""));
    file.data[4] = N(7);
    CHECK(u, says(tsr_buf_text(&file), "error: bytecode version 7 is newer than the current "
                                       "version 6 (byte 5, section header)"));
    tsr_buf_free(&file);
}

/* ---- What a few bytes stand for is bounded ---- */

/* Attributes 1, 2, ... are arrays of some of the one before, or of themselves. */
static void test_bombs(unit *u, size_t depth, size_t width, size_t before, const char *said)
{
    tsr_buf file = {0}, attrs = {0}, offsets = {0};
    tsr_buf_char(&attrs, '\x1F');
    tsr_bc_put_varint(&offsets, depth + 1);
    tsr_bc_put_varint(&offsets, 0);
    tsr_bc_put_varint(&offsets, 0);
    tsr_bc_put_varint(&offsets, depth + 1);
    tsr_buf_char(&offsets, '\x07');
    for (size_t i = 1; i <= depth; i++) {
        size_t start = attrs.len;
        tsr_bc_put_varint(&attrs, 0);
        tsr_bc_put_varint(&attrs, width);
        for (size_t k = 0; k < width; k++)
            tsr_bc_put_varint(&attrs, i - before);
        tsr_bc_put_varint(&offsets, (attrs.len - start) << 1 | 1);
    }
    tsr_buf props = {0}, entry = {0};
    tsr_bc_put_varint(&entry, depth << 1 | 1);
    tsr_bc_put_varint(&entry, 0);
    tsr_bc_put_varint(&props, 1);
    tsr_bc_put_varint(&props, entry.len);
    tsr_buf_str(&props, tsr_buf_text(&entry));
    tsr_buf_str(&file, (tsr_str){TSR_BC_MAGIC "\x0D"
                                              "test\0",
                                 10});
    for (uint32_t i = 0; i < TSR_BC_SECTION__COUNT; i++) {
        tsr_str s = {parts[i].data, parts[i].n};
        if (i == TSR_BC_SECTION_ATTR_TYPE)
            s = tsr_buf_text(&attrs);
        if (i == TSR_BC_SECTION_ATTR_TYPE_OFFSET)
            s = tsr_buf_text(&offsets);
        if (i == TSR_BC_SECTION_PROPERTIES)
            s = tsr_buf_text(&props);
        if (!s.data)
            continue;
        tsr_buf_char(&file, (char)i);
        tsr_bc_put_varint(&file, s.len);
        tsr_buf_str(&file, s);
    }
    tsr_buf got = read_bytes(tsr_buf_text(&file));
    CHECK(u, tsr_str_starts(tsr_buf_text(&got), said) && (got.len > 0) == (*said != 0));
    tsr_buf_free(&got);
    tsr_buf_free(&file);
    tsr_buf_free(&attrs);
    tsr_buf_free(&offsets);
    tsr_buf_free(&props);
    tsr_buf_free(&entry);
}

/* ---- Files of jax.export ---- */

static void test_export(unit *u)
{
    tsr_buf file = {0}, box = {0};
    tsr_str found;
    make_file(&file, TSR_BC_SECTION__COUNT, (bytes){0});
    /* root table at 12, its field places at 4: two, the first missing, the second at table + 4; a list of bytes at 20 */
    static const char head[] = "\x0C\0\0\0"
                               "\x08\0\x08\0\0\0\x04\0"
                               "\x08\0\0\0"
                               "\x04\0\0\0";
    tsr_buf_str(&box, (tsr_str){head, sizeof head - 1});
    for (int i = 0; i < 4; i++)
        tsr_buf_char(&box, (char)(file.len >> (8 * i)));
    tsr_buf_str(&box, tsr_buf_text(&file));
    CHECK(u,
          tsr_find_bytecode(tsr_buf_text(&box), &found) && tsr_str_eq(found, tsr_buf_text(&file)));
    for (size_t n = 0; n < box.len; n++)
        CHECK(u, !tsr_find_bytecode((tsr_str){box.data, n}, &found));
    for (size_t i = 0; i < 24; i++)
        for (int flip = 1; flip < 256; flip++) { /* none reads outside */
            box.data[i] = (char)(box.data[i] ^ flip);
            (void)tsr_find_bytecode(tsr_buf_text(&box), &found);
            box.data[i] = (char)(box.data[i] ^ flip);
        }
    tsr_buf_free(&box);
    tsr_buf_free(&file);
}

void test_bytecode(unit *u)
{
    test_numbers(u);
    test_wrong(u);
    test_damage(u);
    test_bombs(u, 200, 1, 1, "");
    test_bombs(u, 1, 1, 0, "error: bytecode has an attribute that contains itself");
    test_bombs(u, 300, 1, 1,
               "error: bytecode nests attributes and types too deeply (more than 256 levels)");
    test_bombs(u, 20, 2, 1, "");
    test_bombs(u, 60, 2, 1,
               "error: bytecode has an attribute or type that stands for too many others");
    test_export(u);
}
