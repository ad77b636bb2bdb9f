/* SPDX-License-Identifier: Apache-2.0 */
/* view.h - a TTNN op viewed as the equivalent TTIR op (columns MEANS and VIEW).
 *
 * The view is a copy of the op with TTIR's row, with attributes in that row's slots and without operands for the
 * device, so that TTIR's hooks and kernels can be used on it. It borrows operands and results, is in no block, and must
 * not be changed. */
#ifndef TSR_DIALECT_TTNN_VIEW_H
#define TSR_DIALECT_TTNN_VIEW_H

#include "dialect/dialect.h"

enum { TSR_TTNN_VIEW_SLOTS = 24, TSR_TTNN_VIEW_OPERANDS = 12 };

typedef struct {
    tsr_op op;
    tsr_opdef def; /* TTIR's row, with the name of the TTNN op */
    tsr_attr *attrs[TSR_TTNN_VIEW_SLOTS];
    bool ordered; /* operands are not the first ones of the TTNN op: in, with these indices */
    uint8_t order[TSR_TTNN_VIEW_OPERANDS];
    tsr_use in[TSR_TTNN_VIEW_OPERANDS];
    bool partial; /* the TTNN op does more than TTIR's kernel */
    uint8_t
        activation; /* activation applied to the first result: 1 + ttnn.unary_op_type; 0: none */
} tsr_ttnn_view;

/* The TTIR op that is equivalent to a TTNN op, and the inverse; 0: none. Columns MEANS and LIKE; only MEANS has an
 * inverse. */
enum tsr_opcode tsr_ttnn_means(const tsr_op *op);
/* The row that determines values: for a TTNN op that of the equivalent TTIR op, else its own. */
enum tsr_opcode tsr_row_of_values(const tsr_op *op);
/* Whether that row has a trait. */
bool tsr_op_means_trait(const tsr_op *op, tsr_traits trait);
enum tsr_opcode tsr_ttnn_for(const tsr_op *op);
/* The number of an activation of this name in a view; 0 if there is none. */
uint8_t tsr_ttnn_activation(tsr_str name);
/* False if TTIR has no such op, or none with these attributes. May create attributes. */
bool tsr_ttnn_view_of(const tsr_op *op, tsr_ttnn_view *out);
/* Converts an attribute to the form of the constraint: numbers and lists of numbers in another type; NULL if that is
 * not possible. */
tsr_attr *tsr_attr_refit(tsr_ctx *ctx, const tsr_constraint *c, tsr_attr *a);
/* Copies attributes of one op to the slots of another row, by name; those without a slot are left out. */
void tsr_attrs_by_name(const tsr_op *from, const tsr_opdef *to, tsr_attr **attrs);

#endif
