/* builtin.h - steps of assembly that several dialects share, beside those of asm/asm.h. */
#ifndef TSR_DIALECT_BUILTIN_BUILTIN_H
#define TSR_DIALECT_BUILTIN_BUILTIN_H

#include "asm/asm.h"

/* Reading: gives every operand that has no type yet this type. */
void tsr_asm_spread_operand_type(tsr_asm *a, tsr_type *type);
/* Reading: the type of a result that follows from something else. */
void tsr_asm_push_result_type(tsr_asm *a, tsr_type *type);
/* : T as the type of the result and of all operands. */
bool tsr_asm_colon_one_type(tsr_asm *a);
/* One of words (NULL at the end) as an integer attribute of this type, its index the value.
 * what: the attribute, for the diagnostic. */
bool tsr_asm_word(tsr_asm *a, const char *const *words, tsr_type *type, const char *what,
                  tsr_attr **attr);
/* The index of one of words, optional: nothing is written when it is absent, and -1 set when none
 * is read. Written with a space before it. */
bool tsr_asm_maybe_word(tsr_asm *a, const char *const *words, int64_t *index);
/* A set of flags: bit i is words[i], "none" no bit; all of them together are all_word when that is not NULL. */
bool tsr_asm_flags(tsr_asm *a, const char *const *words, const char *sep, const char *all_word,
                   tsr_attr **attr);

#endif
