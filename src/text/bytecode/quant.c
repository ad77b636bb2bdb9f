/* SPDX-License-Identifier: Apache-2.0 */
/* quant.c - the encodings of quantized types. Bit 0 of the flags says that stored integers are signed. */
#include "dialect/builtin/quant.h"
#include "dialect/dialect.h"
#include "text/bytecode/bytecode.h"

enum { SIGNED = 1, MOST_STORAGE = 32, MOST_RANK = 16 };

static bool f64_bits(tsr_bc *b, double *v)
{
    uint64_t bits = 0;
    if (!tsr_bc_reading(b))
        memcpy(&bits, v, sizeof bits);
    if (!tsr_bc_bits(b, 64, &bits))
        return false;
    memcpy(v, &bits, sizeof bits);
    return true;
}

static bool type_param(tsr_bc *b, tsr_attr **param)
{
    tsr_type *t = tsr_bc_reading(b) ? NULL : (*param)->type;
    if (!tsr_bc_type(b, &t))
        return false;
    if (tsr_bc_reading(b))
        *param = tsr_attr_type(b->ctx, t);
    return true;
}

static bool i64_param(tsr_bc *b, tsr_attr **param)
{
    int64_t v = tsr_bc_reading(b) ? 0 : (*param)->i;
    if (!tsr_bc_svarint(b, &v))
        return false;
    if (tsr_bc_reading(b))
        *param = tsr_attr_i64(b->ctx, v);
    return true;
}

/* flags, storage type and, if expressed is set, expressed type. */
static bool head(tsr_bc *b, tsr_attr **params, bool expressed)
{
    uint64_t flags = tsr_bc_reading(b) ? 0 : params[QUANT_signed]->i ? SIGNED : 0;
    if (!tsr_bc_varint(b, &flags) || !type_param(b, &params[QUANT_storage]) ||
        (expressed && !type_param(b, &params[QUANT_expressed])))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    const tsr_type *t = params[QUANT_storage]->type;
    if (t->kind != TSR_TYPE_INTEGER || !t->width || t->width > MOST_STORAGE)
        return tsr_bc_error(
            b, "has a quantized type that is not stored as integers of 1 to %d bits", MOST_STORAGE);
    if (expressed && params[QUANT_expressed]->type->kind != TSR_TYPE_FLOAT)
        return tsr_bc_error(b, "has a quantized type that does not express floats");
    params[QUANT_signed] = tsr_attr_bool(b->ctx, flags & SIGNED);
    return true;
}

static bool range(tsr_bc *b, tsr_attr **params)
{
    if (!i64_param(b, &params[QUANT_min]) || !i64_param(b, &params[QUANT_max]))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    uint32_t width = params[QUANT_storage]->type->width;
    bool is_signed = params[QUANT_signed]->i != 0;
    int64_t low = is_signed ? -((int64_t)1 << (width - 1)) : 0,
            high = ((int64_t)1 << (is_signed ? width - 1 : width)) - 1;
    if (params[QUANT_min]->i < low || params[QUANT_max]->i > high ||
        params[QUANT_min]->i > params[QUANT_max]->i)
        return tsr_bc_error(b,
                            "has a quantized type whose range %lld:%lld does not fit its storage",
                            (long long)params[QUANT_min]->i, (long long)params[QUANT_max]->i);
    return true;
}

static void params_of(const tsr_bc *b, tsr_type *const *type, tsr_attr **params)
{
    if (!tsr_bc_reading(b))
        memcpy(params, (*type)->params, (*type)->def->nparam * sizeof *params);
}

static bool finish(tsr_bc *b, const tsr_attrdef *def, tsr_attr **params, tsr_type **type)
{
    if (tsr_bc_reading(b))
        *type = tsr_type_dialect(b->ctx, def, params);
    return true;
}

static bool any(tsr_bc *b, tsr_type **type, bool expressed)
{
    tsr_attr *params[5] = {0};
    params_of(b, type, params);
    return head(b, params, expressed) && range(b, params) &&
           finish(b, &tsr_def_QUANT_ANY, params, type);
}

static bool bc_any(tsr_bc *b, tsr_type **type)
{
    return any(b, type, false);
}

static bool bc_any_expressed(tsr_bc *b, tsr_type **type)
{
    return any(b, type, true);
}

static bool f64_param(tsr_bc *b, tsr_attr **param)
{
    double v = 0;
    if (!tsr_bc_reading(b))
        memcpy(&v, &(*param)->i, sizeof v);
    if (!f64_bits(b, &v))
        return false;
    if (tsr_bc_reading(b))
        *param = tsr_attr_float(b->ctx, tsr_type_float(b->ctx, TSR_F64), v);
    return true;
}

static bool bc_calibrated(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[3] = {0};
    params_of(b, type, params);
    if (!type_param(b, &params[QUANT_CALIBRATED_expressed]))
        return false;
    if (params[QUANT_CALIBRATED_expressed]->type->kind != TSR_TYPE_FLOAT)
        return tsr_bc_error(b, "has a calibrated type that does not express floats");
    return f64_param(b, &params[QUANT_CALIBRATED_min]) &&
           f64_param(b, &params[QUANT_CALIBRATED_max]) &&
           finish(b, &tsr_def_QUANT_CALIBRATED, params, type);
}

static bool bc_uniform(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[9] = {0};
    params_of(b, type, params);
    double scale = 0;
    int64_t zero = 0;
    if (!tsr_bc_reading(b)) {
        memcpy(&scale, params[QUANT_scales]->s.data, sizeof scale);
        zero = tsr_attr_int_at(params[QUANT_zero_points], 0);
    }
    if (!head(b, params, true) || !f64_bits(b, &scale) || !tsr_bc_svarint(b, &zero) ||
        !range(b, params))
        return false;
    if (tsr_bc_reading(b)) {
        params[QUANT_scales] =
            tsr_attr_dense_array(b->ctx, tsr_type_float(b->ctx, TSR_F64), &scale, 1);
        params[QUANT_zero_points] = tsr_attr_i64_array(b->ctx, &zero, 1);
    }
    return finish(b, &tsr_def_QUANT_UNIFORM, params, type);
}

static bool scales(tsr_bc *b, tsr_attr **param)
{
    size_t n = tsr_bc_reading(b) ? 0 : (*param)->s.len / sizeof(double);
    if (!tsr_bc_count(b, &n))
        return false;
    double *v = tsr_xmalloc((n + 1) * sizeof *v);
    if (!tsr_bc_reading(b) && n)
        memcpy(v, (*param)->s.data, n * sizeof *v);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = f64_bits(b, &v[i]);
    if (ok && tsr_bc_reading(b))
        *param = tsr_attr_dense_array(b->ctx, tsr_type_float(b->ctx, TSR_F64), v, n);
    tsr_free(v);
    return ok;
}

static bool bc_per_axis(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[9] = {0};
    params_of(b, type, params);
    uint32_t axis = tsr_bc_reading(b) ? 0 : (uint32_t)params[QUANT_axis]->i;
    if (!head(b, params, true) || !tsr_bc_u32(b, &axis) || !range(b, params) ||
        !scales(b, &params[QUANT_scales]) || !tsr_bc_i64s(b, &params[QUANT_zero_points]))
        return false;
    if (tsr_bc_reading(b)) {
        if (!params[QUANT_scales]->s.len ||
            params[QUANT_scales]->s.len != params[QUANT_zero_points]->s.len)
            return tsr_bc_error(
                b, "has a quantized type with unequal numbers of scales and zero points");
        params[QUANT_axis] = tsr_attr_i64(b->ctx, axis);
    }
    return finish(b, &tsr_def_QUANT_UNIFORM, params, type);
}

/* ---- Blocks: scales and zero points are dense elements of the expressed and the storage type ---- */

static tsr_attr *dense_of(tsr_bc *b, tsr_attr **params, int which, tsr_type *elem)
{
    const tsr_attr *shape = params[QUANT_shape], *values = params[which];
    size_t n = (size_t)tsr_attr_count(values), size = tsr_type_storage_bits(elem) / 8;
    uint8_t *data = tsr_xmalloc(n * size + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        double d;
        memcpy(&d, values->s.data + i * 8, 8);
        bits = which == QUANT_scales ? tsr_float_from_double((tsr_float_kind)elem->sub, d)
                                     : (uint64_t)tsr_attr_int_at(values, i);
        for (size_t k = 0; k < size; k++)
            data[i * size + k] = (uint8_t)(bits >> (8 * k));
    }
    int64_t dims[MOST_RANK];
    size_t rank = (size_t)tsr_attr_count(shape);
    for (size_t i = 0; i < rank; i++)
        dims[i] = tsr_attr_int_at(shape, i);
    tsr_attr *a = tsr_attr_dense(b->ctx, b->module, tsr_type_tensor(b->ctx, dims, rank, elem, NULL),
                                 data, n * size, false);
    tsr_free(data);
    return a;
}

/* The numbers of dense elements: doubles or int64s, as the parameters hold them. */
static tsr_attr *numbers_of(tsr_bc *b, const tsr_attr *a)
{
    const tsr_type *elem = a->type->elem;
    size_t n = (size_t)tsr_type_num_elements(a->type), size = tsr_type_storage_bits(elem) / 8;
    uint8_t *out = tsr_xmalloc(n * 8 + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        for (size_t k = 0; k < size; k++)
            bits |= (uint64_t)(uint8_t)a->s.data[(a->sub ? 0 : i * size) + k] << (8 * k);
        if (elem->kind == TSR_TYPE_FLOAT) {
            double d = tsr_float_to_double((tsr_float_kind)elem->sub, bits);
            memcpy(out + i * 8, &d, 8);
        } else {
            int64_t v = (int64_t)(bits << (64 - elem->width)) >>
                        (elem->sub == TSR_UNSIGNED ? 0 : 64 - elem->width);
            if (elem->sub == TSR_UNSIGNED)
                v = (int64_t)bits;
            memcpy(out + i * 8, &v, 8);
        }
    }
    tsr_attr *r = tsr_attr_dense_array(
        b->ctx, elem->kind == TSR_TYPE_FLOAT ? tsr_type_float(b->ctx, TSR_F64) : b->ctx->i64, out,
        n);
    tsr_free(out);
    return r;
}

static bool blocks_fit(tsr_bc *b, const tsr_attr *axes, const tsr_attr *sizes,
                       const tsr_attr *scale, const tsr_attr *zero, tsr_attr *const *params)
{
    const tsr_type *st = scale->type;
    enum { MOST_SCALES = 1 << 24 };
    int64_t n = tsr_attr_count(axes);
    bool ok = n == tsr_attr_count(sizes) && st->kind == TSR_TYPE_TENSOR && st->n <= MOST_RANK &&
              n <= MOST_RANK && zero->kind == TSR_ATTR_DENSE &&
              zero->type->kind == TSR_TYPE_TENSOR && zero->type->n == st->n &&
              st->elem == params[QUANT_expressed]->type &&
              zero->type->elem == params[QUANT_storage]->type &&
              tsr_type_num_elements(st) <= MOST_SCALES && tsr_type_num_elements(st) > 0;
    for (uint32_t i = 0; ok && i < st->n; i++)
        ok = st->dims[i] == zero->type->dims[i];
    return ok ||
           tsr_bc_error(b, "has a quantized type whose blocks, scales and zero points do not fit");
}

static bool bc_blocks(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[9] = {0}, *axes = NULL, *sizes = NULL, *scale = NULL, *zero = NULL;
    params_of(b, type, params);
    int64_t at[2][MOST_RANK];
    if (!tsr_bc_reading(b)) {
        size_t n = (size_t)tsr_attr_count(params[QUANT_axis]) / 2;
        for (size_t i = 0; i < 2 * n; i++)
            at[i % 2][i / 2] = tsr_attr_int_at(params[QUANT_axis], i);
        axes = tsr_attr_i64_array(b->ctx, at[0], n);
        sizes = tsr_attr_i64_array(b->ctx, at[1], n);
        scale = dense_of(b, params, QUANT_scales, params[QUANT_expressed]->type);
        zero = dense_of(b, params, QUANT_zero_points, params[QUANT_storage]->type);
    }
    if (!head(b, params, true) || !range(b, params) || !tsr_bc_i64s(b, &axes) ||
        !tsr_bc_i64s(b, &sizes) || !tsr_bc_attr_kind(b, TSR_ATTR_DENSE, &scale) ||
        !tsr_bc_attr(b, &zero))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if (!blocks_fit(b, axes, sizes, scale, zero, params))
        return false;
    int64_t pairs[2 * MOST_RANK];
    size_t n = (size_t)tsr_attr_count(axes);
    for (size_t i = 0; i < n; i++) {
        pairs[2 * i] = tsr_attr_int_at(axes, i);
        pairs[2 * i + 1] = tsr_attr_int_at(sizes, i);
        if (pairs[2 * i] < 0 || pairs[2 * i + 1] <= 0)
            return tsr_bc_error(b, "has a quantized type with blocks of size %lld",
                                (long long)pairs[2 * i + 1]);
    }
    params[QUANT_axis] = tsr_attr_i64_array(b->ctx, pairs, 2 * n);
    params[QUANT_scales] = numbers_of(b, scale);
    params[QUANT_zero_points] = numbers_of(b, zero);
    params[QUANT_shape] = tsr_attr_i64_array(b->ctx, scale->type->dims, scale->type->n);
    return finish(b, &tsr_def_QUANT_UNIFORM, params, type);
}

enum { DEAD, ANY, ANY_EXPRESSED, CALIBRATED, UNIFORM, PER_AXIS, BLOCKS, NTYPE };

static tsr_bc_type_codec *const types[NTYPE] = {
    [ANY] = bc_any,         [ANY_EXPRESSED] = bc_any_expressed, [CALIBRATED] = bc_calibrated,
    [UNIFORM] = bc_uniform, [PER_AXIS] = bc_per_axis,           [BLOCKS] = bc_blocks,
};

static int type_code(const tsr_bc *b, const tsr_type *t)
{
    (void)b;
    if (t->kind != TSR_TYPE_DIALECT)
        return -1;
    if (t->def == &tsr_def_QUANT_ANY)
        return t->params[QUANT_expressed] ? ANY_EXPRESSED : ANY;
    if (t->def == &tsr_def_QUANT_CALIBRATED)
        return CALIBRATED;
    const tsr_attr *axis = t->params[QUANT_axis];
    return !axis ? UNIFORM : axis->kind == TSR_ATTR_INT ? PER_AXIS : BLOCKS;
}

const tsr_bc_dialect tsr_bc_quant = {
    .name = "quant", .types = types, .ntype = NTYPE, .type_code = type_code};
