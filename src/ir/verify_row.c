/* SPDX-License-Identifier: Apache-2.0 */
/* verify_row.c - checks an op against its row: counts, groups, attributes, types, sizes of regions. Messages are
 * MLIR's.
 *
 * Every check can also run silently; the printer uses this to decide whether an op may be written in its custom
 * form. */
#include "ir/verify.h"

#define FAIL(...) (quiet ? false : tsr_op_error(op, __VA_ARGS__))

static tsr_buf quoted(void)
{
    tsr_buf b = {0};
    tsr_buf_reserve(&b, 64);
    return b;
}

tsr_buf tsr_quote_type(const tsr_ctx *ctx, const tsr_type *type)
{
    tsr_buf b = quoted();
    tsr_buf_char(&b, '\'');
    if (ctx->print_type)
        ctx->print_type(&b, type);
    tsr_buf_char(&b, '\'');
    return b;
}

tsr_buf tsr_quote_attr(tsr_ctx *ctx, const tsr_attr *attr)
{
    tsr_buf b = quoted();
    if (ctx->print_attr)
        ctx->print_attr(ctx, &b, attr);
    return b;
}

/* ---- Counts ---- */

/* The minimum that a list of groups requires; open: more are allowed. */
static uint32_t least(const tsr_argdef *defs, uint32_t n, bool *open)
{
    uint32_t min = 0;
    *open = false;
    for (uint32_t i = 0; i < n; i++)
        if (defs[i].arity == TSR_ONE)
            min++;
        else
            *open = true;
    return min;
}

static bool region_count(const tsr_op *op, bool quiet)
{
    bool open;
    uint32_t min = least(op->def->regions, op->def->nregion, &open), n = op->nregion;
    if (n == min || (open && n > min))
        return true;
    if (open)
        return FAIL("expected %u or more regions", min);
    return min == 0   ? FAIL("requires zero regions")
           : min == 1 ? FAIL("requires one region")
                      : FAIL("expected %u regions", min);
}

static bool result_count(const tsr_op *op, bool quiet)
{
    bool open;
    uint32_t min = least(op->def->results, op->def->nresult, &open), n = op->nout;
    if (n == min || (open && n > min))
        return true;
    if (open)
        return FAIL("expected %u or more results", min);
    return min == 0   ? FAIL("requires zero results")
           : min == 1 ? FAIL("requires one result")
                      : FAIL("expected %u results", min);
}

static bool successor_count(const tsr_op *op, bool quiet)
{
    bool open;
    uint32_t min = least(op->def->succs, op->def->nsucc, &open), n = op->nsucc;
    if (n == min || (open && n > min))
        return true;
    if (open)
        return FAIL("requires at least %u successors but found %u", min, n);
    return FAIL("requires %u successor%s but found %u", min, min == 1 ? "" : "s", n);
}

static bool operand_count(const tsr_op *op, bool quiet)
{
    bool open;
    uint32_t min = least(op->def->args, op->def->narg, &open), n = tsr_op_own_operands(op);
    if (n == min || (open && n > min))
        return true;
    if (open)
        return FAIL("expected %u or more operands, but found %u", min, n);
    return min == 0   ? FAIL("requires zero operands")
           : min == 1 ? FAIL("requires a single operand")
                      : FAIL("expected %u operands, but found %u", min, n);
}

/* An attribute that holds the sizes of groups. what: "operand" or "result". */
static bool segments_fit(const tsr_op *op, const char *name, const char *what, uint32_t ngroup,
                         uint32_t total, bool quiet)
{
    const tsr_attr *a = tsr_op_attr(op, tsr_cstr(name));
    if (!tsr_attr_is(a, TSR_ATTR_DENSE_ARRAY) || !tsr_type_is_integer(a->type, 32))
        return FAIL("requires dense i32 array attribute '%s'", name);
    int64_t n = tsr_attr_count(a), sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t size = tsr_attr_int_at(a, (size_t)i);
        if (size < 0)
            return FAIL("'%s' attribute cannot have negative elements", name);
        sum += size;
    }
    if (sum != total)
        return FAIL(
            "%s count (%u) does not match with the total size (%lld) specified in attribute '%s'",
            what, total, (long long)sum, name);
    if (n != ngroup)
        return FAIL("'%s' attribute for specifying %s segments must have %u elements, but got %lld",
                    name, what, ngroup, (long long)n);
    return true;
}

bool tsr_verify_counts(const tsr_op *op, bool quiet)
{
    const tsr_opdef *def = op->def;
    TSR_TRY(region_count(op, quiet));
    TSR_TRY(result_count(op, quiet));
    TSR_TRY(successor_count(op, quiet));
    TSR_TRY(operand_count(op, quiet));
    if (tsr_op_has(op, TSR_TRAIT(SEGMENTED_OPERANDS)))
        TSR_TRY(segments_fit(op, "operandSegmentSizes", "operand", def->narg,
                             tsr_op_own_operands(op), quiet));
    if (tsr_op_has(op, TSR_TRAIT(SEGMENTED_RESULTS)))
        TSR_TRY(segments_fit(op, "resultSegmentSizes", "result", def->nresult, op->nout, quiet));
    return true;
}

/* ---- Attributes ---- */

static bool slot_fits(const tsr_slotdef *slot, const tsr_attr *a)
{
    const tsr_constraint *c = slot->constraint;
    return !a || !c || (tsr_attr_fits(c, a) && (!c->attr_ok || c->attr_ok(a)));
}

const tsr_slotdef *tsr_bad_attr(const tsr_opdef *def, tsr_attr *const *attrs, uint64_t skip)
{
    const tsr_slotdef *bad = NULL;
    for (uint16_t i = 0; i < def->nslot; i++)
        if (!(i < 64 && (skip >> i & 1)) && !slot_fits(&def->slots[i], attrs[i]) &&
            (!bad || strcmp(def->slots[i].name, bad->name) < 0))
            bad = &def->slots[i];
    return bad;
}

static bool attrs_fit(const tsr_op *op, bool quiet)
{
    const tsr_opdef *def = op->def;
    for (uint16_t i = 0; i < def->nslot; i++)
        if (!op->attrs[i] && def->slots[i].need == TSR_ATTR_REQUIRED)
            return FAIL("requires attribute '%s'", def->slots[i].name);
    for (uint16_t i = 0; i < def->nslot; i++) {
        const tsr_slotdef *slot = &def->slots[i];
        const tsr_attr *a = op->attrs[i];
        if (!a || !slot->constraint)
            continue;
        if (quiet ? !tsr_attr_fits(slot->constraint, a) : !slot_fits(slot, a))
            return FAIL("attribute '%s' failed to satisfy constraint: %s", slot->name,
                        slot->constraint->summary);
    }
    return true;
}

/* ---- Types ---- */

static bool type_fits(const tsr_op *op, const char *what, uint32_t i, const tsr_argdef *group,
                      const tsr_type *type)
{
    const tsr_constraint *c = group->constraint;
    if (!c || !c->type_ok || c->type_ok(c, type))
        return true;
    tsr_buf got = tsr_quote_type(op->module->ctx, type);
    tsr_op_error(op, "%s #%u must be %s%s, but got %.*s", what, i,
                 group->arity == TSR_VARIADIC ? "variadic of " : "", c->summary, (int)got.len,
                 got.data);
    tsr_buf_free(&got);
    return false;
}

static bool optional_fits(const tsr_op *op, const char *what, const tsr_argdef *group,
                          uint32_t start, uint32_t n, bool quiet)
{
    if (group->arity != TSR_OPTIONAL || n <= 1)
        return true;
    return FAIL("%s group starting at #%u requires 0 or 1 element, but found %u", what, start, n);
}

/* Values in no group (see tsr_op_operand_group) are left to the op's own rules; only the printer rejects them. */
static bool operands_fit(const tsr_op *op, bool quiet)
{
    const tsr_opdef *def = op->def;
    uint32_t start = 0, n = 0;
    for (uint16_t g = 0; g < def->narg; g++) {
        if (!tsr_op_operand_group(op, g, &start, &n))
            return FAIL("operands do not divide into the groups of the op");
        TSR_TRY(optional_fits(op, "operand", &def->args[g], start, n, quiet));
        for (uint32_t i = start; !quiet && i < start + n; i++)
            TSR_TRY(type_fits(op, "operand", i, &def->args[g], op->in[i].value->type));
    }
    return !quiet || start + n == tsr_op_own_operands(op);
}

static bool results_fit(const tsr_op *op, bool quiet)
{
    const tsr_opdef *def = op->def;
    uint32_t start = 0, n = 0;
    for (uint16_t g = 0; g < def->nresult; g++) {
        if (!tsr_op_result_group(op, g, &start, &n))
            return FAIL("results do not divide into the groups of the op");
        TSR_TRY(optional_fits(op, "result", &def->results[g], start, n, quiet));
        for (uint32_t i = start; !quiet && i < start + n; i++)
            TSR_TRY(type_fits(op, "result", i, &def->results[g], op->out[i].type));
    }
    return !quiet || start + n == op->nout;
}

/* ---- Regions ---- */

static bool region_fits(const tsr_region *region, const char *constraint)
{
    bool one = region->first && region->first == region->last;
    if (strcmp(constraint, "Sized1") == 0)
        return one;
    if (strcmp(constraint, "MaxSized1") == 0)
        return one || !region->first;
    if (strcmp(constraint, "MinSized1") == 0)
        return region->first != NULL;
    return true;
}

static bool regions_fit(const tsr_op *op, bool quiet)
{
    const tsr_opdef *def = op->def;
    for (uint32_t r = 0; r < op->nregion && def->nregion; r++) {
        const tsr_argdef *group = &def->regions[r < def->nregion ? r : def->nregion - 1u];
        if (group->constraint && !region_fits(&op->regions[r], group->constraint->id))
            return FAIL("region #%u ('%s') failed to verify constraint: %s", r, group->name,
                        group->constraint->summary);
    }
    return true;
}

bool tsr_verify_invariants(const tsr_op *op, bool quiet)
{
    return attrs_fit(op, quiet) && operands_fit(op, quiet) && results_fit(op, quiet) &&
           regions_fit(op, quiet);
}

bool tsr_op_fits_row(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ||
           (tsr_verify_counts(op, true) && tsr_verify_invariants(op, true));
}

bool tsr_op_fits_inputs(const tsr_op *op)
{
    return region_count(op, false) && successor_count(op, false) && operand_count(op, false) &&
           (!tsr_op_has(op, TSR_TRAIT(SEGMENTED_OPERANDS)) ||
            segments_fit(op, "operandSegmentSizes", "operand", op->def->narg,
                         tsr_op_own_operands(op), false)) &&
           attrs_fit(op, false) && operands_fit(op, false) && regions_fit(op, false);
}
