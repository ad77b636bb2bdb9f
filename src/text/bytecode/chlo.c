/* SPDX-License-Identifier: Apache-2.0 */
/* chlo.c - encodings of CHLO's attributes: comparisons. The others are text. */
#include "text/bytecode/fields.h"

BC_ENUM(CHLO_COMPARISON_DIRECTION)
BC_ENUM(CHLO_COMPARISON_TYPE)

enum { ATTR_DIRECTION, ATTR_TYPE };

static tsr_bc_attr_codec *const attr_codecs[] = {
    [ATTR_DIRECTION] = code_CHLO_COMPARISON_DIRECTION, [ATTR_TYPE] = code_CHLO_COMPARISON_TYPE};

static int attr_code(const tsr_bc *b, const tsr_attr *a)
{
    (void)b;
    return a->def == &tsr_def_CHLO_COMPARISON_DIRECTION ? ATTR_DIRECTION
           : a->def == &tsr_def_CHLO_COMPARISON_TYPE    ? ATTR_TYPE
                                                        : -1;
}

static int type_code(const tsr_bc *b, const tsr_type *t)
{
    (void)b;
    (void)t;
    return -1;
}

const tsr_bc_dialect tsr_bc_chlo = {.name = "chlo",
                                    .attrs = attr_codecs,
                                    .nattr = TSR_COUNT(attr_codecs),
                                    .attr_code = attr_code,
                                    .type_code = type_code};
