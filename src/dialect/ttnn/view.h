/* view.h - an op of TTNN as the op of TTIR that means the same (columns MEANS and VIEW).
 *
 * The view is a copy of the op under TTIR's row, with attributes in that row's slots and without operands for the device, so that hooks and
 * kernels of TTIR serve it. It borrows operands and results, is nowhere in a block, and must not be changed. */
#ifndef TSR_DIALECT_TTNN_VIEW_H
#define TSR_DIALECT_TTNN_VIEW_H

#include "dialect/dialect.h"

enum { TSR_TTNN_VIEW_SLOTS = 24, TSR_TTNN_VIEW_OPERANDS = 12 };

typedef struct {
    tsr_op op;
    tsr_opdef def; /* TTIR's, under the name of TTNN's op */
    tsr_attr *attrs[TSR_TTNN_VIEW_SLOTS];
    bool ordered; /* operands are others than the first ones of TTNN's op: in, of these numbers */
    uint8_t order[TSR_TTNN_VIEW_OPERANDS];
    tsr_use in[TSR_TTNN_VIEW_OPERANDS];
    bool partial; /* TTNN's op does more than the kernel of TTIR's */
    uint8_t
        activation; /* what is done to the first result behind it: 1 + ttnn.unary_op_type; 0: nothing */
} tsr_ttnn_view;

/* The op of TTIR that an op of TTNN means, and the other way; 0: none. Columns MEANS and LIKE; only MEANS goes both ways. */
enum tsr_opcode tsr_ttnn_means(const tsr_op *op);
/* The row whose columns count for values: of an op of TTNN the one that it means, else its own. */
enum tsr_opcode tsr_row_of_values(const tsr_op *op);
/* Whether that row has a trait. */
bool tsr_op_means_trait(const tsr_op *op, tsr_traits trait);
enum tsr_opcode tsr_ttnn_for(const tsr_op *op);
/* The number of an activation of this name in a view; 0: there is none. */
uint8_t tsr_ttnn_activation(tsr_str name);
/* False when TTIR has no such op, or none with these attributes. May make attributes. */
bool tsr_ttnn_view_of(const tsr_op *op, tsr_ttnn_view *out);
/* An attribute as the constraint wants it: numbers and lists of numbers in another type; NULL when it cannot be. */
tsr_attr *tsr_attr_refit(tsr_ctx *ctx, const tsr_constraint *c, tsr_attr *a);
/* Attributes of one op in the slots of another row, by name; what has no place is left out. */
void tsr_attrs_by_name(const tsr_op *from, const tsr_opdef *to, tsr_attr **attrs);

#endif
