/* SPDX-License-Identifier: Apache-2.0 */
/* asm_region.c - assembly of StableHLO's ops with regions: reduce, while and composite. */
#include "dialect/hooks.h"
#include "dialect/reducer.h"
#include "dialect/stablehlo/stablehlo.h"

#include "asm/reader.h"

/* ---- reduce ----
 *
 *   reduce  ::= pair (',' pair)* ('applies' op-name)? 'across' 'dimensions' '=' numbers dict ':' functional-type
 *               reducer?
 *   pair    ::= '(' input 'init' ':' init ')'
 *   reducer ::= 'reducer' ('(' arg ',' arg ')')* region            unless an op is named
 *
 * The named op stands for a region that applies it to its two arguments. */

/* Whether `applies` may name the op. */
static bool is_simple_reducer(const tsr_opdef *def)
{
    return def && tsr_str_starts(def->name, "stablehlo.") &&
           (def->traits & TSR_TRAIT(COMMUTATIVE)) && def->narg == 2 &&
           def->args[0].arity == TSR_ONE && def->args[1].arity == TSR_ONE && def->nresult == 1 &&
           def->results[0].arity == TSR_ONE && def->nregion == 0;
}

static bool ends_in_return(const tsr_op *op)
{
    tsr_str name = op->def->name;
    const char *dot = memchr(name.data, '.', name.len);
    return dot &&
           tsr_str_is((tsr_str){dot + 1, name.len - (size_t)(dot + 1 - name.data)}, "return");
}

/* The only op that the body applies to its arguments and returns; NULL if the body has more. */
static tsr_op *simple_reducer(const tsr_op *reduce)
{
    tsr_reducer r;
    if (reduce->nin < 2 || !tsr_reducer_of(&reduce->regions[0], 1, 0, &r) || !r.alone ||
        r.swapped || !is_simple_reducer(r.op->def))
        return NULL;
    tsr_op *inner = (tsr_op *)r.op;
    tsr_type *input = reduce->in[0].value->type;
    if (!tsr_type_is_shaped(input))
        return NULL;
    tsr_type *scalar = tsr_type_tensor(input->ctx, NULL, 0, input->elem, NULL);
    for (uint32_t i = 0; i < 2; i++)
        if (inner->in[i].value->type != scalar)
            return NULL;
    return inner->out[0].type == scalar && ends_in_return(inner->next) ? inner : NULL;
}

/* Builds the region that `applies def` represents. */
static void build_reducer(tsr_asm *a, const tsr_opdef *def, tsr_type *type)
{
    tsr_loc loc = a->st->loc;
    tsr_block *b = tsr_block_new(a->module);
    tsr_value *args[2];
    for (int i = 0; i < 2; i++)
        args[i] = tsr_block_add_arg(a->module, b, type, loc);
    tsr_op *inner = tsr_op_new(a->module, def, loc, args, 2, &type, 1, 0, 0);
    tsr_value *result = &inner->out[0];
    tsr_op *ret = tsr_op_new(a->module, tsr_opdef_of(a->ctx, TSR_OP_STABLEHLO_RETURN), loc, &result,
                             1, NULL, 0, 0, 0);
    tsr_op_insert(inner, b, NULL);
    tsr_op_insert(ret, b, NULL);
    tsr_block_insert(b, tsr_opstate_add_region(a->st, a->module), NULL);
}

static bool reduce_pair(tsr_asm *a, void *user, size_t i)
{
    size_t half = tsr_asm_writing(a) ? a->op->nin / 2 : 0;
    (void)user;
    return tsr_asm_lit(a, "(") && tsr_asm_operand(a, i) && tsr_asm_lit(a, " init: ") &&
           tsr_asm_operand(a, half + i) && tsr_asm_lit(a, ")");
}

/* Operands were read in pairs; moves inputs first, then the initial values. */
static void unzip_operands(tsr_opstate *st)
{
    size_t half = st->operands.n / 2;
    tsr_operand_ref *inits = tsr_xmalloc((half + 1) * sizeof *inits);
    for (size_t i = 0; i < half; i++) {
        inits[i] = st->operands.data[2 * i + 1];
        st->operands.data[i] = st->operands.data[2 * i];
    }
    if (half)
        memcpy(st->operands.data + half, inits, half * sizeof *inits);
    tsr_free(inits);
}

/* 'across' 'dimensions' '=' numbers dict ':' functional-type */
static bool reduce_rest(tsr_asm *a)
{
    return tsr_asm_lit(a, " across dimensions = ") &&
           tsr_asm_slot(a, STABLEHLO_REDUCE_dimensions) && tsr_asm_dict(a) &&
           tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a);
}

static bool write_reduce(tsr_asm *a)
{
    size_t half = a->op->nin / 2;
    tsr_op *inner = simple_reducer(a->op);
    const tsr_block *b = a->op->regions[0].first;
    if (!half || (!inner && (!b || b->nargs != 2 * half)))
        return false;
    tsr_asm_list(a, "", "", &half, reduce_pair, NULL);
    if (inner) {
        tsr_str name = inner->def->name;
        tsr_asm_lit(a, " applies ");
        tsr_asm_keyword(a, &name);
    }
    reduce_rest(a);
    if (inner)
        return true;
    tsr_asm_newline(a);
    tsr_asm_lit(a, " reducer");
    for (size_t i = 0; i < half; i++) {
        tsr_asm_lit(a, "(");
        tsr_asm_region_arg(a, 0, i, NULL);
        tsr_asm_lit(a, ", ");
        tsr_asm_region_arg(a, 0, half + i, NULL);
        tsr_asm_lit(a, ") ");
    }
    return tsr_asm_lit(a, " ") && tsr_asm_region(a, 0, NULL, TSR_REGION_TERMINATORS);
}

static bool read_compact_reduce(tsr_asm *a, tsr_loc loc)
{
    tsr_str name;
    TSR_TRY(tsr_asm_keyword(a, &name));
    const tsr_opdef *def = tsr_opdef_find(a->ctx, name);
    if (!is_simple_reducer(def))
        return tsr_asm_error_at(
            a, loc,
            "expected the inner-op to be a commutative binary-op from the stablehlo dialect, with "
            "zero region, producing single result");
    TSR_TRY(reduce_rest(a));
    if (!a->st->operand_types.n)
        return tsr_asm_error_at(a, loc, "input types missing in reduce-op function type");
    /* The ops inside get the location of the reduction. */
    TSR_TRY(tsr_read_optional_loc(a->in, &a->st->loc));
    tsr_type *input = a->st->operand_types.data[0];
    tsr_type *elem = tsr_type_is_shaped(input) ? input->elem : input;
    build_reducer(a, def, tsr_type_tensor(a->ctx, NULL, 0, elem, NULL));
    return true;
}

/* 'reducer' ('(' arg ',' arg ')')* region: the first elements of all pairs, then the second ones. */
static bool read_reducer(tsr_asm *a)
{
    tsr_region_args args = {0}, second = {0};
    bool ok = tsr_asm_lit(a, "reducer");
    while (ok && tsr_asm_maybe(a, "(", false))
        ok = tsr_asm_region_arg(a, 0, args.n, &args) && tsr_asm_lit(a, ",") &&
             tsr_asm_region_arg(a, 0, second.n, &second) && tsr_asm_lit(a, ")");
    for (size_t i = 0; ok && i < second.n; i++)
        tsr_vec_push(&args, second.data[i]);
    ok = ok && tsr_asm_region(a, 0, &args, TSR_REGION_TERMINATORS);
    tsr_vec_free(&args);
    tsr_vec_free(&second);
    return ok;
}

bool asm_stablehlo_reduce(tsr_asm *a)
{
    if (tsr_asm_writing(a))
        return write_reduce(a);
    tsr_loc loc = tsr_asm_loc(a);
    size_t n = 0;
    a->st->loc = loc; /* where the operands start, as in MLIR */
    if (tsr_asm_peek(a, "("))
        TSR_TRY(tsr_asm_list(a, "", "", &n, reduce_pair, NULL));
    unzip_operands(a->st);
    if (tsr_asm_maybe(a, "applies", false))
        return read_compact_reduce(a, loc);
    return reduce_rest(a) && read_reducer(a);
}

/* ---- while ----
 *
 *   while ::= '(' (arg '=' operand (',' ...)*)? ')' (':' types)? ('attributes' dict)? 'cond' region 'do' region
 *
 * Both regions have the same arguments. */

/* The form writes types once for operands, results and arguments: they may differ where one is more static. The
 * original writes this form even then. */
static bool writable_while(const tsr_op *op)
{
    const tsr_block *cond = op->regions[0].first, *body = op->regions[1].first;
    if (!cond || !body || cond->nargs != op->nin || body->nargs != op->nin || op->nout != op->nin)
        return false;
    for (uint32_t i = 0; !op->module->ctx->as_peer && i < op->nin; i++) {
        const tsr_type *t = op->in[i].value->type;
        if (cond->args[i]->type != t || body->args[i]->type != t || op->out[i].type != t)
            return false;
    }
    return true;
}

/* ':' types of the operands, which are also those of the results and of the regions' arguments. */
static bool while_types(tsr_asm *a, tsr_loc loc, tsr_region_args *args)
{
    TSR_TRY(tsr_asm_lit(a, " : ") && tsr_asm_operand_types(a, 0, SIZE_MAX));
    if (tsr_asm_writing(a))
        return true;
    const tsr_type_vec *types = &a->st->operand_types;
    if (types->n != args->n)
        return tsr_asm_error_at(
            a, loc, "number of operands and types do not match: got %zu operands and %zu types",
            args->n, types->n);
    for (size_t i = 0; i < types->n; i++) {
        args->data[i].type = types->data[i];
        tsr_vec_push(&a->st->result_types, types->data[i]);
    }
    return true;
}

bool asm_stablehlo_while(tsr_asm *a)
{
    if (tsr_asm_writing(a) && !writable_while(a->op))
        return false;
    tsr_region_args args = {0};
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    bool ok = tsr_asm_assignments(a, 1, &args);
    if (ok && (tsr_asm_writing(a) ? a->op->nin > 0 : args.n > 0))
        ok = while_types(a, loc, &args);
    ok = ok && tsr_asm_dict_keyword(a, NULL) && tsr_asm_newline(a) && tsr_asm_lit(a, "cond ") &&
         tsr_asm_region(a, 0, &args, TSR_REGION_TERMINATORS) && tsr_asm_lit(a, " do ") &&
         tsr_asm_region(a, 1, &args, TSR_REGION_TERMINATORS);
    tsr_vec_free(&args);
    return ok;
}

/* ---- composite ---- */

static bool composite_region(tsr_asm *a, void *user, size_t i)
{
    (void)user;
    return tsr_asm_region(a, i, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS);
}

/* composite ::= string operands ('(' regions ')')? dict ':' functional-type */
bool asm_stablehlo_composite(tsr_asm *a)
{
    size_t n = tsr_asm_writing(a) ? a->op->nregion : 0;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_slot(a, STABLEHLO_COMPOSITE_name) &&
            tsr_asm_lit(a, " "));
    TSR_TRY(tsr_asm_operands(a, 0, SIZE_MAX));
    if (tsr_asm_writing(a) ? n > 0 : tsr_asm_peek(a, "("))
        TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_list(a, "(", ")", &n, composite_region, NULL));
    return tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a);
}
