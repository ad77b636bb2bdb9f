/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.c - growing text and data; writing protobuf's wire format; element types. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

static bool make_room(pj_bytes *b, size_t more)
{
    if (b->failed || more > SIZE_MAX / 4 || b->len > SIZE_MAX / 4) {
        b->failed = true;
        return false;
    }
    if (b->len + more + 1 <= b->room)
        return true;
    size_t room = (b->len ? 2 * (b->len + more) : more) + 16; /* most are added once */
    char *data = tsr_realloc(b->data, room);
    b->failed = !data;
    if (data) {
        b->data = data;
        b->room = room;
    }
    return data != NULL;
}

void pj_bytes_add(pj_bytes *b, const void *data, size_t len)
{
    if (!make_room(b, len))
        return;
    if (len)
        memcpy(b->data + b->len, data, len);
    b->len += len;
    b->data[b->len] = 0;
}

void pj_bytes_printf(pj_bytes *b, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        pj_bytes_add(b, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

void pj_bytes_free(pj_bytes *b)
{
    tsr_free(b->data);
    *b = (pj_bytes){0};
}

void pj_bytes_delete(pj_bytes *b)
{
    if (b)
        pj_bytes_free(b);
    tsr_free(b);
}

pj_bytes *pj_bytes_copy(const void *data, size_t len)
{
    pj_bytes *b = tsr_calloc(1, sizeof *b);
    if (!b)
        return NULL;
    pj_bytes_add(b, data, len);
    if (!b->failed)
        return b;
    pj_bytes_delete(b);
    return NULL;
}

void pj_bytes_varint(pj_bytes *b, uint64_t value)
{
    do {
        unsigned char c = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        pj_bytes_add(b, &c, 1);
        value >>= 7;
    } while (value);
}

void pj_bytes_field(pj_bytes *b, uint32_t number, uint64_t value)
{
    pj_bytes_varint(b, (uint64_t)number << 3);
    pj_bytes_varint(b, value);
}

void pj_bytes_sub(pj_bytes *b, uint32_t number, const void *data, size_t len)
{
    pj_bytes_varint(b, (uint64_t)number << 3 | 2);
    pj_bytes_varint(b, len);
    pj_bytes_add(b, data, len);
}

/* ---- Element types ---- */

static const struct {
    const char *name;
    uint8_t bytes, bits, ffi;
} types[] = {
#define TYPE(number, name, bytes, bits, ffi) [number] = {name, bytes, bits, ffi},
#include "pjrt/types.def"
};

enum { NTYPES = sizeof types / sizeof *types };

static bool known(pj_buffer_type t)
{
    return t > 0 && t < NTYPES && types[t].name;
}

const char *pj_type_name(pj_buffer_type t)
{
    return known(t) ? types[t].name : NULL;
}

size_t pj_type_bytes(pj_buffer_type t)
{
    return known(t) ? types[t].bytes : 1;
}

unsigned pj_type_bits(pj_buffer_type t)
{
    return known(t) ? types[t].bits : 8;
}

int pj_type_ffi(pj_buffer_type t)
{
    return known(t) ? types[t].ffi : 0;
}

pj_buffer_type pj_type_of(const tsr_type *element)
{
    tsr_str text = tsr_type_print(element);
    pj_buffer_type found = text.data ? PJ_INVALID : PJ_UNKNOWN_TYPE;
    for (int t = 1; text.data && t < NTYPES; t++)
        if (types[t].name && strlen(types[t].name) == text.len &&
            !memcmp(types[t].name, text.data, text.len))
            found = t;
    tsr_free((void *)text.data);
    return found;
}
