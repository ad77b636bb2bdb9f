/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_bytes.c - mutations of bytecode.
 *
 * Most keep the file's length, so that they get past the header: flipped bits, other numbers, pieces copied over
 * others. Those that do not correct the length of the section that they change, mostly. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

bool is_bytecode(const text *t)
{
    return t->len >= 4 && !memcmp(t->data, "ML\xEFR", 4);
}

/* ---- Sections ---- */

/* A number at at: its value, and behind it. False when it does not end. */
static bool read_number(const text *t, size_t *at, uint64_t *v)
{
    if (*at >= t->len)
        return false;
    uint8_t first = (uint8_t)t->data[*at];
    unsigned more = 0;
    while (more < 8 && !(first >> more & 1))
        more++;
    if (t->len - *at <= more)
        return false;
    uint64_t rest = 0;
    for (unsigned i = 0; i < more; i++)
        rest |= (uint64_t)(uint8_t)t->data[*at + 1 + i] << (8 * i);
    *v = more >= 7 ? rest : rest << (7 - more) | first >> (more + 1);
    *at += 1 + more;
    return true;
}

/* In four bytes at least, which a reader must take as well. */
static size_t put_number(char *out, uint64_t v)
{
    if (v < 128) {
        out[0] = (char)(v << 1 | 1);
        return 1;
    }
    v = v << 4 | 8;
    for (int i = 0; i < 4; i++)
        out[i] = (char)(v >> (8 * i));
    return 4;
}

typedef struct {
    size_t length, data, end; /* where its length stands, where its data begins and ends */
} section;

/* Section k, counted around; false when the file has none that can be changed. */
static bool find_section(const text *t, size_t k, section *out)
{
    section found[16];
    size_t n = 0, at = 4;
    uint64_t v;
    if (!read_number(t, &at, &v))
        return false;
    while (at < t->len && t->data[at])
        at++;
    at++;
    while (at < t->len && n < 16) {
        bool aligned = t->data[at] & 0x80;
        section s = {.length = at + 1};
        at++;
        if (!read_number(t, &at, &v) || aligned || v > t->len - at)
            break;
        s.data = at;
        s.end = at += (size_t)v;
        found[n++] = s;
    }
    if (!n)
        return false;
    *out = found[k % n];
    return true;
}

static void splice_in_section(text *t, const char *with, size_t len, size_t cut, uint64_t *rng)
{
    section s;
    if (!find_section(t, below(rng, 16), &s))
        return;
    size_t size = s.end - s.data, at = below(rng, size + 1);
    if (cut > size - at)
        cut = size - at;
    splice(t, s.data + at, cut, with, len);
    char number[4];
    size_t n = put_number(number, size - cut + len);
    splice(t, s.length, s.data - s.length, number, n);
}

/* ---- Mutations ---- */

static size_t short_length(uint64_t *rng)
{
    static const size_t sizes[] = {1, 2, 4, 16, 64, 512};
    return 1 + below(rng, sizes[below(rng, 6)]);
}

static char *piece(const text *from, uint64_t *rng, size_t *len)
{
    size_t start = below(rng, from->len);
    *len = short_length(rng);
    if (*len > from->len - start)
        *len = from->len - start;
    char *copy = malloc(*len + 1);
    if (!copy)
        abort();
    memcpy(copy, from->data + start, *len);
    return copy;
}

void mutate_bytes(text *t, const text *other, uint64_t *rng)
{
    static const uint8_t bytes[] = {0,    1,    2,    3,    5,    7,    9,    0x0B, 0x10,
                                    0x3F, 0x40, 0x7F, 0x80, 0x81, 0xCB, 0xFE, 0xFF};
    if (t->len < 8)
        return;
    /* Rarely the magic bytes: without them it is text. */
    size_t at = 4 + below(rng, t->len - 4), len;
    char *copy;
    switch (below(rng, 16)) {
    case 0:
    case 1:
    case 2: t->data[at] ^= (char)(1 << below(rng, 8)); break;
    case 3:
    case 4: t->data[at] = (char)bytes[below(rng, sizeof bytes)]; break;
    case 5:
    case 6: /* the next or the last but one number: another index, code or count */
        t->data[at] = (char)(t->data[at] + (next_random(rng) & 1 ? 2 : -2));
        break;
    case 7: /* swapped neighbours */
        if (at + 1 < t->len) {
            char c = t->data[at];
            t->data[at] = t->data[at + 1];
            t->data[at + 1] = c;
        }
        break;
    case 8:
    case 9: /* over what is there */
        copy = piece(next_random(rng) & 1 ? t : other, rng, &len);
        if (len <= t->len - at)
            memcpy(t->data + at, copy, len);
        free(copy);
        break;
    case 10: splice_in_section(t, "", 0, short_length(rng), rng); break;
    case 11:
    case 12:
        copy = piece(next_random(rng) & 1 ? t : other, rng, &len);
        splice_in_section(t, copy, len, next_random(rng) & 1 ? len : 0, rng);
        free(copy);
        break;
    case 13: splice(t, at, t->len - at, "", 0); break;
    case 14: { /* a number that is far too large */
        static const char huge[] = "\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F";
        len = t->len - at < 9 ? t->len - at : 9;
        memcpy(t->data + at, huge, len);
        break;
    }
    default: t->data[below(rng, t->len)] = (char)next_random(rng);
    }
}

/* ---- Flatbuffers ---- */

bool is_flatbuffer(const text *t)
{
    return t->len >= 12 && (!memcmp(t->data + 8, "TTNN", 4) || !memcmp(t->data + 8, "TTSY", 4) ||
                            !memcmp(t->data + 8, "TTM0", 4));
}

static void put_word(text *t, size_t at, size_t size, uint64_t v)
{
    for (size_t i = 0; i < size && at + i < t->len; i++)
        t->data[at + i] = (char)(v >> (8 * i));
}

/* Offsets, lengths, places of fields and cases are numbers of 4, 2 and 1 bytes: one of them is another, near or far, or one from
 * elsewhere. Sometimes the file is cut, with its size right or wrong. */
void mutate_flatbuffer(text *t, uint64_t *rng)
{
    size_t size = (size_t)1 << below(rng, 3), at = below(rng, t->len / size) * size;
    uint64_t old = 0;
    if (t->len < 16)
        return;
    for (size_t i = size; i-- > 0;)
        old = old << 8 | (unsigned char)t->data[at + i];
    switch (below(rng, 7)) {
    case 0: put_word(t, at, size, old ^ (uint64_t)1 << below(rng, size * 8)); break;
    case 1: put_word(t, at, size, old + 1 + below(rng, 8)); break;
    case 2: put_word(t, at, size, old - 1 - below(rng, 8)); break;
    case 3: put_word(t, at, size, below(rng, 2) ? 0 : ~(uint64_t)0 - below(rng, 4)); break;
    case 4: put_word(t, at, size, below(rng, t->len)); break;
    case 5:
        memmove(t->data + at, t->data + below(rng, t->len / 4) * 4 % (t->len - size), size);
        break;
    default:
        t->len -= below(rng, t->len / 4);
        t->data[t->len] = 0;
        if (below(rng, 4))
            put_word(t, 0, 4, t->len - 4);
    }
}
