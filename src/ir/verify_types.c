/* SPDX-License-Identifier: Apache-2.0 */
/* verify_types.c - rules of traits about an op's types: the same, the same shape, compatible; then inference.
 *
 * Types are interned, so most checks end with one comparison of addresses per value. */
#include "ir/verify.h"

/* ---- Values of an op as one list: operands first ---- */

static uint32_t nvalue(const tsr_op *op)
{
    return op->nin + op->nout;
}

static tsr_type *type_at(const tsr_op *op, uint32_t i)
{
    return i < op->nin ? op->in[i].value->type : op->out[i - op->nin].type;
}

static const tsr_type *element(const tsr_type *t)
{
    return tsr_type_is_shaped(t) ? t->elem : t;
}

static bool is_ranked(const tsr_type *t)
{
    return t->kind == TSR_TYPE_VECTOR || t->kind == TSR_TYPE_TENSOR || t->kind == TSR_TYPE_MEMREF;
}

static bool has_operand(const tsr_op *op)
{
    return op->nin || tsr_op_error(op, "expected 1 or more operands, but found 0");
}

static bool has_both(const tsr_op *op)
{
    return has_operand(op) && (op->nout || tsr_op_error(op, "expected 1 or more results"));
}

/* Whether two shapes may be equal at run time; types without a shape only match each other. */
static bool shapes_meet(const tsr_type *a, const tsr_type *b)
{
    if (a == b)
        return true;
    if (!tsr_type_is_shaped(a) || !tsr_type_is_shaped(b))
        return tsr_type_is_shaped(a) == tsr_type_is_shaped(b);
    if (!is_ranked(a) || !is_ranked(b))
        return true;
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->dims[i] != b->dims[i] && a->dims[i] != TSR_DYNAMIC && b->dims[i] != TSR_DYNAMIC)
            return false;
    return true;
}

/* The first value at or after i that has a rank and, with dim >= 0, a static size of that dimension. */
static const tsr_type *known_from(const tsr_op *op, uint32_t i, uint32_t n, int64_t dim)
{
    for (; i < n; i++) {
        const tsr_type *t = type_at(op, i);
        if (is_ranked(t) && (dim < 0 || (dim < t->n && t->dims[dim] != TSR_DYNAMIC)))
            return t;
    }
    return NULL;
}

/* All of the first n values: all or none shaped, of one rank, and every static size agrees with every other. */
static bool all_shapes_meet(const tsr_op *op, uint32_t n)
{
    const tsr_type *first = type_at(op, 0);
    bool same = true;
    for (uint32_t i = 1; i < n; i++) {
        const tsr_type *t = type_at(op, i);
        if (t == first)
            continue;
        if (!shapes_meet(first, t))
            return false;
        same = false;
    }
    if (same)
        return true;
    /* Dimensions that are dynamic in the first value: compares the others with the first static one. */
    const tsr_type *ranked = known_from(op, 0, n, -1);
    for (int64_t d = -1; ranked && d < ranked->n; d++) {
        const tsr_type *knows = known_from(op, 0, n, d);
        for (uint32_t i = 0; knows && i < n; i++) {
            const tsr_type *t = type_at(op, i);
            if (!is_ranked(t))
                continue;
            if (d < 0 ? t->n != ranked->n
                      : t->dims[d] != TSR_DYNAMIC && t->dims[d] != knows->dims[d])
                return false;
        }
    }
    return true;
}

/* ---- MLIR's traits ---- */

static bool check_same_type(tsr_op *op)
{
    TSR_TRY(has_both(op));
    const tsr_type *type = op->out[0].type;
    for (uint32_t i = 0; i < nvalue(op); i++) {
        /* MLIR checks results first; the messages differ only for encodings, so that matters little. */
        const tsr_type *t = type_at(op, i);
        if (t == type)
            continue;
        if (element(t) != element(type) || !shapes_meet(t, type))
            return tsr_op_error(op, "requires the same type for all operands and results");
        if (type->kind == TSR_TYPE_TENSOR && t->kind == TSR_TYPE_TENSOR && t->attr != type->attr)
            return tsr_op_error(op, "requires the same encoding for all operands and results");
    }
    return true;
}

static bool check_same_shape(tsr_op *op)
{
    return has_both(op) &&
           (all_shapes_meet(op, nvalue(op)) ||
            tsr_op_error(op, "requires the same shape for all operands and results"));
}

static bool check_same_operand_shape(tsr_op *op)
{
    return has_operand(op) && (all_shapes_meet(op, op->nin) ||
                               tsr_op_error(op, "requires the same shape for all operands"));
}

static bool elements_equal(const tsr_op *op, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (element(type_at(op, i)) != element(type_at(op, 0)))
            return false;
    return true;
}

static bool check_same_element(tsr_op *op)
{
    return has_both(op) &&
           (elements_equal(op, nvalue(op)) ||
            tsr_op_error(op, "requires the same element type for all operands and results"));
}

static bool check_same_operand_element(tsr_op *op)
{
    return has_operand(op) && (elements_equal(op, op->nin) ||
                               tsr_op_error(op, "requires the same element type for all operands"));
}

static bool check_same_operand_type(tsr_op *op)
{
    for (uint32_t i = 1; i < op->nin; i++)
        if (type_at(op, i) != type_at(op, 0))
            return tsr_op_error(op, "requires all operands to have the same type");
    return true;
}

/* Vectors and tensors among the first or last values; the class of each kind in kinds. */
static uint32_t count_mapped(const tsr_op *op, uint32_t from, uint32_t to, uint32_t *kinds)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++) {
        uint8_t kind = type_at(op, i)->kind;
        if (kind == TSR_TYPE_VECTOR || kind == TSR_TYPE_TENSOR ||
            kind == TSR_TYPE_UNRANKED_TENSOR) {
            *kinds |= 1u << kind;
            n++;
        }
    }
    return n;
}

static bool check_elementwise(tsr_op *op)
{
    uint32_t kinds = 0;
    uint32_t in = count_mapped(op, 0, op->nin, &kinds),
             out = count_mapped(op, op->nin, nvalue(op), &kinds);
    if (!in && !out)
        return true;
    if (!in)
        return tsr_op_error(
            op, "if a result is non-scalar, then at least one operand must be non-scalar");
    if (!out)
        return tsr_op_error(
            op, "if an operand is non-scalar, then there must be at least one non-scalar result");
    if (out != op->nout)
        return tsr_op_error(op, "if an operand is non-scalar, then all results must be non-scalar");
    bool ok = !(kinds & (kinds - 1));
    if (in + out == nvalue(op)) {
        ok = ok && all_shapes_meet(op, nvalue(op));
    } else {
        /* Scalars among the operands: compares the rest with the first result. */
        for (uint32_t i = 0; ok && i < nvalue(op); i++)
            ok =
                !tsr_type_is_shaped(type_at(op, i)) || shapes_meet(type_at(op, i), op->out[0].type);
    }
    return ok || tsr_op_error(
                     op, "all non-scalar operands/results must have the same shape and base type");
}

/* ---- Compatible types: those that the op's dialect treats as equal ---- */

static bool agree(const tsr_op *op, tsr_agreement how, const tsr_type *a, const tsr_type *b)
{
    return a == b || (op->def->agree && op->def->agree(how, a, b));
}

/* Compares the first n values with the first. */
static bool all_agree(const tsr_op *op, tsr_agreement how, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (!agree(op, how, type_at(op, i), type_at(op, 0)))
            return false;
    return true;
}

static bool check_compatible_types(tsr_op *op)
{
    return all_agree(op, TSR_AGREE_TYPE, nvalue(op)) ||
           tsr_op_error(op, "requires compatible types for all operands and results");
}

static bool check_compatible_element(tsr_op *op)
{
    return all_agree(op, TSR_AGREE_ELEMENT, nvalue(op)) ||
           tsr_op_error(op, "requires compatible element types for all operands and results");
}

static bool check_compatible_operands(tsr_op *op)
{
    return has_operand(op) &&
           (all_agree(op, TSR_AGREE_ELEMENT, op->nin) ||
            tsr_op_error(op, "requires compatible element types for all operands"));
}

static bool check_pairwise(tsr_op *op)
{
    bool whole = tsr_op_has(op, TSR_TRAIT(PAIRWISE_TYPES));
    if (op->nin != op->nout)
        return tsr_op_error(op, "requires the same number of operands and results");
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_type *in = op->in[i].value->type, *out = op->out[i].type;
        if (whole ? in != out : element(in) != element(out))
            return tsr_op_error(op, "requires the same %stype for operand and result at index %u",
                                whole ? "" : "element ", i);
    }
    return true;
}

/* ---- Operands, results and attributes that must agree by the row ---- */

/* The type of the operand or result of this name, or the attribute; both NULL if it is absent. */
static void find_named(const tsr_op *op, tsr_str name, const tsr_type **type, const tsr_attr **attr)
{
    uint32_t start, n;
    *type = NULL;
    *attr = NULL;
    for (uint16_t i = 0; i < op->def->narg; i++)
        if (tsr_str_is(name, op->def->args[i].name) && tsr_op_operand_group(op, i, &start, &n) &&
            n == 1)
            *type = op->in[start].value->type;
    for (uint16_t i = 0; i < op->def->nresult; i++)
        if (tsr_str_is(name, op->def->results[i].name) && tsr_op_result_group(op, i, &start, &n) &&
            n == 1)
            *type = op->out[start].type;
    int slot = *type ? -1 : tsr_opdef_slot(op->def, name);
    if (slot >= 0)
        *attr = op->attrs[slot];
}

/* The compared property: the type, element type, rank, or the size of an attribute. */
static uintptr_t aspect(const tsr_op *op, tsr_str what, tsr_str name)
{
    const tsr_type *type;
    const tsr_attr *attr;
    find_named(op, name, &type, &attr);
    if (attr)
        return (uintptr_t)tsr_attr_count(attr);
    if (!type || tsr_str_is(what, "type"))
        return (uintptr_t)type;
    return tsr_str_is(what, "rank") ? is_ranked(type) ? type->n : UINTPTR_MAX
                                    : (uintptr_t)element(type);
}

static bool not_alike(const tsr_op *op, tsr_str what, const char *names, size_t len)
{
    tsr_buf list = {0};
    for (size_t i = 0; i < len; i++)
        tsr_buf_cstr(&list, names[i] == ' ' ? ", " : (char[]){names[i], 0});
    tsr_op_error(op, "failed to verify that all of {%.*s} have same %.*s", (int)list.len, list.data,
                 TSR_STR_ARG(what));
    tsr_buf_free(&list);
    return false;
}

/* "what: name name; what: name name" */
static bool check_alike(const tsr_op *op)
{
    for (const char *p = op->def->alike; *p; p += strspn(p, "; ")) {
        tsr_str what = tsr_str_of(p, strcspn(p, ":"));
        const char *names = p + what.len + 2;
        size_t len = strcspn(names, ";"), at = strcspn(names, " ");
        uintptr_t first = aspect(op, what, tsr_str_of(names, at));
        while (at < len) {
            const char *name = names + at + 1;
            size_t n = strcspn(name, " ;");
            if (aspect(op, what, tsr_str_of(name, n)) != first)
                return not_alike(op, what, names, len);
            at += n + 1;
        }
        p = names + len;
    }
    return true;
}

/* ---- The table, in the order in which a row with several traits is checked ---- */

static const struct {
    tsr_traits trait;
    bool (*check)(tsr_op *op);
} checks[] = {
    {TSR_TRAIT(SAME_TYPE), check_same_type},
    {TSR_TRAIT(SAME_OPERANDS_TYPE), check_same_operand_type},
    {TSR_TRAIT(COMPATIBLE_TYPES), check_compatible_types},
    {TSR_TRAIT(COMPATIBLE_ELEMENT), check_compatible_element},
    {TSR_TRAIT(COMPATIBLE_OPERANDS), check_compatible_operands},
    {TSR_TRAIT(PAIRWISE_TYPES) | TSR_TRAIT(PAIRWISE_ELEMENT), check_pairwise},
    {TSR_TRAIT(SAME_ELEMENT), check_same_element},
    {TSR_TRAIT(SAME_OPERANDS_ELEMENT), check_same_operand_element},
    {TSR_TRAIT(SAME_OPERANDS_SHAPE), check_same_operand_shape},
    {TSR_TRAIT(SAME_SHAPE), check_same_shape},
    {TSR_TRAIT(ELEMENTWISE), check_elementwise},
};

#define TYPE_TRAITS                                                                               \
    (TSR_TRAIT(SAME_TYPE) | TSR_TRAIT(SAME_OPERANDS_TYPE) | TSR_TRAIT(COMPATIBLE_TYPES) |         \
     TSR_TRAIT(COMPATIBLE_ELEMENT) | TSR_TRAIT(COMPATIBLE_OPERANDS) | TSR_TRAIT(PAIRWISE_TYPES) | \
     TSR_TRAIT(PAIRWISE_ELEMENT) | TSR_TRAIT(SAME_ELEMENT) | TSR_TRAIT(SAME_OPERANDS_ELEMENT) |   \
     TSR_TRAIT(SAME_OPERANDS_SHAPE) | TSR_TRAIT(SAME_SHAPE) | TSR_TRAIT(ELEMENTWISE))

/* Equal types satisfy every trait except the pairing of operands and results; nearly all ops end here. */
static bool all_equal(const tsr_op *op)
{
    if (!op->nin || !op->nout)
        return false;
    for (uint32_t i = 1; i < nvalue(op); i++)
        if (type_at(op, i) != type_at(op, 0))
            return false;
    return true;
}

static bool check_traits(tsr_op *op)
{
    const uint64_t pairs = TSR_TRAIT(PAIRWISE_TYPES) | TSR_TRAIT(PAIRWISE_ELEMENT);
    tsr_traits traits = op->def->traits & TYPE_TRAITS;
    if (!traits || (!(traits & pairs) && all_equal(op)))
        return true;
    if (tsr_op_has(op, TSR_TRAIT(ELEMENTWISE_FIRST)))
        TSR_TRY(check_elementwise(op));
    for (size_t i = 0; i < TSR_COUNT(checks); i++)
        if (traits & checks[i].trait)
            TSR_TRY(checks[i].check(op));
    return true;
}

bool tsr_verify_types(tsr_op *op)
{
    return check_traits(op) && (!op->def->alike || check_alike(op));
}

/* ---- Inference ---- */

static bool result_agrees(const tsr_op *op, tsr_agreement how, tsr_type *const *types, size_t n)
{
    if (n != op->nout)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!agree(op, how, types[i], op->out[i].type))
            return false;
    return true;
}

static void show_types(tsr_ctx *ctx, tsr_buf *out, const tsr_op *op, tsr_type *const *types,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tsr_buf text = tsr_quote_type(ctx, types ? types[i] : op->out[i].type);
        tsr_buf_cstr(out, i ? ", " : "");
        tsr_buf_str(out, tsr_str_of(text.data, text.len));
        tsr_buf_free(&text);
    }
}

bool tsr_verify_inferred(tsr_op *op, tsr_type_vec *scratch)
{
    if (!op->def->infer || !tsr_op_has(op, TSR_TRAIT(INFER_TYPES)))
        return true;
    tsr_ctx *ctx = op->module->ctx;
    scratch->n = 0;
    bool ok = op->def->infer(op, scratch);
    if (ok) {
        tsr_agreement how =
            tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)) ? TSR_AGREE_STORED : TSR_AGREE_TYPE;
        if (result_agrees(op, how, scratch->data, scratch->n))
            return true;
        tsr_buf want = {0}, got = {0};
        show_types(ctx, &want, op, scratch->data, scratch->n);
        show_types(ctx, &got, op, NULL, op->nout);
        tsr_op_error(
            op, "inferred type(s) %.*s are incompatible with return type(s) of operation %.*s",
            (int)want.len, want.data ? want.data : "", (int)got.len, got.data ? got.data : "");
        tsr_buf_free(&want);
        tsr_buf_free(&got);
    }
    return tsr_op_error(op, "failed to infer returned types");
}
