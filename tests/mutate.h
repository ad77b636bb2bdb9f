/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.h - what the mutations of texts and of bytecode share. */
#ifndef TSR_TESTS_MUTATE_H
#define TSR_TESTS_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char *data; /* with a NUL behind it */
    size_t len;
} text;

/* mutate_text.c */
uint64_t next_random(uint64_t *state);
size_t below(uint64_t *rng, size_t n); /* 0 when n is 0 */
/* Puts len bytes in place of the cut ones at at. */
void splice(text *t, size_t at, size_t cut, const char *with, size_t len);

/* One mutation; other is a text that it may take pieces of. */
void mutate_text(text *t, const text *other, uint64_t *rng);

/* mutate_bytes.c */
bool is_bytecode(const text *t);
void mutate_bytes(text *t, const text *other, uint64_t *rng);
bool is_flatbuffer(const text *t);
void mutate_flatbuffer(text *t, uint64_t *rng);

#endif
