/* SPDX-License-Identifier: Apache-2.0 */
/* builtin.h - steps of assembly for several dialects, in addition to those of asm/asm.h. */
#ifndef TSR_DIALECT_BUILTIN_BUILTIN_H
#define TSR_DIALECT_BUILTIN_BUILTIN_H

#include "asm/asm.h"

/* Reading: gives this type to every operand that has none yet. */
void tsr_asm_spread_operand_type(tsr_asm *a, tsr_type *type);
/* Reading: sets a result type that is inferred. */
void tsr_asm_push_result_type(tsr_asm *a, tsr_type *type);
/* : T as the type of the result and of all operands. */
bool tsr_asm_colon_one_type(tsr_asm *a);
/* One of words (NULL at the end) as an integer attribute of this type, whose value is the index. what: the attribute,
 * for the diagnostic. */
bool tsr_asm_word(tsr_asm *a, const char *const *words, tsr_type *type, const char *what,
                  tsr_attr **attr);
/* The index of an optional word: nothing is written if it is absent, and -1 is set if none is read. Written with a
 * space before it. */
bool tsr_asm_maybe_word(tsr_asm *a, const char *const *words, int64_t *index);
/* A set of flags: bit i is words[i], "none" means no bit; all of them together are written as all_word if that is not
 * NULL. */
bool tsr_asm_flags(tsr_asm *a, const char *const *words, const char *sep, const char *all_word,
                   tsr_attr **attr);

#endif
