/* SPDX-License-Identifier: Apache-2.0 */
/* say.h - a macro for inference and verification of TTIR's ops: checks a rule and reports why it is violated. */
#ifndef TSR_DIALECT_TTIR_SAY_H
#define TSR_DIALECT_TTIR_SAY_H

#define IN(op, i) ((op)->in[i].value->type)
#define OUT(op) ((op)->out[0].type)
#define SAY(cond, ...)                            \
    do {                                          \
        if (!(cond))                              \
            return tsr_op_error(op, __VA_ARGS__); \
    } while (0)

#endif
