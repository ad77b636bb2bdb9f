/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - --list-ops: the op tables as text, one line per op, or in full for docs/ops.sh and other readers.
 *
 * In full, an op is a line 'op NAME' and one line for each entry of its row:
 *
 *   operand NAME ARITY CONSTRAINT      arity: one, optional, variadic
 *   attr NAME NEED CONSTRAINT DEFAULT  need: required, optional, default, filled
 *   result NAME ARITY CONSTRAINT
 *   region NAME ARITY CONSTRAINT
 *   successor NAME ARITY
 *   trait NAME
 *   parents NAMES      implicit NAME
 *   format TEXT        or: assembly own, assembly generic
 *
 * The ops are followed by the constraints that they use ('constraint ID KIND SUMMARY', kind: value, attr, region),
 * every trait ('meaning TRAIT TEXT'), the attributes and types of the dialects ('define KIND NAME WORDS', kind:
 * attribute, enum with its words, type, spelling) and the dialects themselves ('dialect NAME open' or 'closed'). */
#include "tools.h"

static const char *const arities[] = {
    [TSR_ONE] = "one", [TSR_OPTIONAL] = "optional", [TSR_VARIADIC] = "variadic"};
static const char *const needs[] = {[TSR_ATTR_REQUIRED] = "required",
                                    [TSR_ATTR_OPTIONAL] = "optional",
                                    [TSR_ATTR_DEFAULT] = "default",
                                    [TSR_ATTR_FILLED] = "filled"};

/* ---- One line ---- */

static void print_group(const tsr_argdef *args, size_t n)
{
    static const char *const marks[] = {
        [TSR_ONE] = "", [TSR_OPTIONAL] = "?", [TSR_VARIADIC] = "..."};
    for (size_t i = 0; i < n; i++)
        printf("%s%s%s: %s", i ? ", " : "", args[i].name, marks[args[i].arity],
               args[i].constraint ? args[i].constraint->id : "any");
}

static void list_short(const tsr_opdef *d)
{
    printf("%.*s(", TSR_STR_ARG(d->name));
    print_group(d->args, d->narg);
    printf(")");
    for (size_t k = 0; k < d->nslot; k++)
        printf("%s%s%s: %s", k ? ", " : " {", d->slots[k].name,
               d->slots[k].need == TSR_ATTR_REQUIRED ? "" : "?",
               d->slots[k].constraint ? d->slots[k].constraint->id : "any");
    printf("%s", d->nslot ? "}" : "");
    for (size_t k = 0; k < d->nregion; k++)
        printf("%s%s", k ? ", " : " regions ", d->regions[k].name);
    printf("%s", d->nresult ? " -> " : "");
    print_group(d->results, d->nresult);
    printf("\n");
}

/* ---- In full ---- */

typedef struct {
    const tsr_constraint *constraint;
    const char *kind;
} constraint_seen;

typedef TSR_VEC(constraint_seen) constraint_vec;

static const char *id_of(const tsr_constraint *c, const char *kind, constraint_vec *seen)
{
    if (!c)
        return "any";
    size_t i = 0;
    while (i < seen->n && seen->data[i].constraint != c)
        i++;
    if (i == seen->n)
        tsr_vec_push(seen, (constraint_seen){c, kind});
    return c->id;
}

static void list_groups(const char *what, const tsr_argdef *args, size_t n, constraint_vec *seen)
{
    for (size_t i = 0; i < n; i++) {
        const char *kind = strcmp(what, "region") == 0 ? "region" : "value";
        printf("%s %s %s %s\n", what, args[i].name, arities[args[i].arity],
               id_of(args[i].constraint, kind, seen));
    }
}

static void list_traits(tsr_traits traits)
{
#define TRAIT(id, bit, doc) \
    if (traits >> (bit)&1)  \
        printf("trait %s\n", #id);
#include "ir/traits.def"
}

static void list_full(const tsr_opdef *d, constraint_vec *seen)
{
    printf("op %.*s\n", TSR_STR_ARG(d->name));
    list_groups("operand", d->args, d->narg, seen);
    for (size_t k = 0; k < d->nslot; k++) {
        const tsr_slotdef *s = &d->slots[k];
        printf("attr %s %s %s%s%s\n", s->name, needs[s->need], id_of(s->constraint, "attr", seen),
               s->value ? " " : "", s->value ? s->value : "");
    }
    list_groups("result", d->results, d->nresult, seen);
    list_groups("region", d->regions, d->nregion, seen);
    for (size_t k = 0; k < d->nsucc; k++)
        printf("successor %s %s\n", d->succs[k].name, arities[d->succs[k].arity]);
    list_traits(d->traits);
    if (d->parents)
        printf("parents %s\n", d->parents);
    if (d->implicit)
        printf("implicit %s\n", d->implicit);
    if (d->assembly || !d->format)
        printf("assembly %s\n", d->assembly ? "own" : "generic");
    else
        printf("format %s\n", d->format);
}

static void list_definitions(tsr_ctx *ctx)
{
    for (uint32_t i = 0; i < ctx->attrdefs.n; i++) {
        const tsr_attrdef *def = ctx->attrdefs.entries[i].value;
        const char *kind = def->cases                      ? "enum"
                           : def->flags & TSR_DEF_TYPE     ? "type"
                           : def->flags & TSR_DEF_SPELLING ? "spelling"
                                                           : "attribute";
        printf("define %s %s", kind, def->name);
        for (size_t k = 0; def->cases && def->cases[k]; k++)
            printf(" %s", def->cases[k]);
        printf("\n");
    }
    for (size_t i = 0; i < ctx->dialects.n; i++)
        printf("dialect %.*s %s\n", TSR_STR_ARG(ctx->dialects.data[i]),
               tsr_dialect_open(ctx, ctx->dialects.data[i]) ? "open" : "closed");
}

void list_ops(bool full)
{
    tsr_ctx *ctx = new_ctx();
    constraint_vec seen = {0};
    size_t n;
    const tsr_opdef *rows = tsr_all_ops(ctx, &n);
    for (size_t i = 0; i < n; i++) {
        if (full)
            list_full(&rows[i], &seen);
        else
            list_short(&rows[i]);
    }
    for (size_t i = 0; i < seen.n; i++)
        printf("constraint %s %s %s\n", seen.data[i].constraint->id, seen.data[i].kind,
               seen.data[i].constraint->summary);
    if (full) {
#define TRAIT(id, bit, doc) printf("meaning %s %s\n", #id, doc);
#include "ir/traits.def"
        list_definitions(ctx);
    }
    tsr_vec_free(&seen);
    free_ctx(ctx);
}
