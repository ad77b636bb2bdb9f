/* SPDX-License-Identifier: Apache-2.0 */
/* look.c - see look.h. */
#include "explore/look.h"

#include <math.h>

#include "dialect/kinds.h"
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "text/text.h"

static tsr_str keep(tsr_arena *arena, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(arena, tsr_buf_text(text).data, text->len), text->len};
    tsr_buf_free(text);
    return s;
}

/* ---- What memory is held for ---- */

const char *tsr_held_name(tsr_held held)
{
    static const char *const names[] = {"parameters",       "optimiser", "inputs",
                                        "kept activations", "gradients", "temporary"};
    return names[held];
}

/* Words that a frontend's names of arguments begin with or contain: the first of them decides. */
static const char *const parameter_words[] = {"params",    "param",  "parameters", "p",
                                              "weights",   "weight", "w",          "model",
                                              "variables", "layers", "kernel",     "bias"};
static const char *const optimiser_words[] = {
    "opt",  "opt_state", "optimizer", "optimiser", "mu",      "nu",         "m",          "v",
    "adam", "momentum",  "moments",   "velocity",  "exp_avg", "exp_avg_sq", "opt_states", "ema"};

static bool is_word(tsr_str word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tsr_str_is(word, list[i]))
            return true;
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

static tsr_held by_name(tsr_str name)
{
    for (size_t at = 0; at < name.len;) {
        size_t end = at;
        while (end < name.len && is_letter(name.data[end]))
            end++;
        tsr_str word = {name.data + at, end - at};
        if (is_word(word, parameter_words, TSR_COUNT(parameter_words)))
            return TSR_HELD_PARAMETERS;
        if (is_word(word, optimiser_words, TSR_COUNT(optimiser_words)))
            return TSR_HELD_OPTIMISER;
        at = end + 1;
    }
    return TSR_HELD_INPUTS;
}

/* tt-mlir says what an argument is: #ttcore.argument_type<parameter>. */
static bool by_attribute(const tsr_op *func, uint32_t arg, tsr_held *out)
{
    const tsr_attr *all = tsr_op_attr(func, TSR_STR("arg_attrs"));
    const tsr_attr *own = tsr_attr_is(all, TSR_ATTR_ARRAY) && arg < all->n ? all->attrs[arg] : NULL;
    const tsr_attr *kind =
        tsr_attr_is(own, TSR_ATTR_DICT) ? tsr_dict_get(own, TSR_STR("ttcore.argument_type")) : NULL;
    if (!kind)
        return false;
    tsr_str text = tsr_attr_print(kind);
    *out = strstr(text.data, "<input>") ? TSR_HELD_INPUTS : TSR_HELD_PARAMETERS;
    tsr_free((void *)text.data);
    return true;
}

static bool has_type(const tsr_map *types, const tsr_type *type)
{
    TSR_MAP_EACH (types, tsr_hash_ptr(type), known)
        if (known == type)
            return true;
    return false;
}

/* returned: types of results, of which there are several: an argument without a name of such a type is a parameter. */
static tsr_held held_by_arg(const tsr_op *func, uint32_t arg, const tsr_map *returned)
{
    tsr_held held;
    tsr_buf name = {0};
    const tsr_value *v = func->regions[0].first->args[arg];
    if (by_attribute(func, arg, &held))
        return held;
    bool named = tsr_value_given_name(&name, v);
    held = named ? by_name(tsr_buf_text(&name)) : TSR_HELD_INPUTS;
    tsr_buf_free(&name);
    bool number = v->type->elem && v->type->elem->kind != TSR_TYPE_INTEGER && v->type->n;
    return !named && number && has_type(returned, v->type) ? TSR_HELD_PARAMETERS : held;
}

static void add_type(tsr_map *types, const tsr_type *type)
{
    if (!has_type(types, type))
        tsr_map_put(types, tsr_hash_ptr(type), (void *)type);
}

void tsr_holds_make(tsr_arena *arena, const tsr_op *func, tsr_holds *out)
{
    const tsr_block *body = func->regions[0].first;
    tsr_map returned = {0};
    *out = (tsr_holds){.func = func, .args = TSR_NEW_ARRAY(arena, uint8_t, body->nargs + 1)};
    for (uint32_t i = 0; body->last && body->last->nin > 1 && i < body->last->nin; i++)
        add_type(&returned, body->last->in[i].value->type);
    for (uint32_t i = 0; i < body->nargs; i++) {
        out->args[i] = (uint8_t)held_by_arg(func, i, &returned);
        if (body->args[i]->type->n)
            add_type(&out->types, body->args[i]->type);
    }
    tsr_map_free(&returned);
}

void tsr_holds_free(tsr_holds *h)
{
    tsr_map_free(&h->types);
}

/* JAX names what it derives transpose(...): the backward part. */
static bool is_backward(const tsr_op *op)
{
    tsr_buf name = {0};
    bool found = false;
    if (tsr_loc_name(&name, op->loc)) {
        tsr_buf_char(&name, 0);
        found = strstr(name.data, "transpose(") != NULL;
    }
    tsr_buf_free(&name);
    return found;
}

static bool read_backward(const tsr_value *v)
{
    uint32_t looked = 0;
    for (const tsr_use *u = v->uses; u && looked < 64; u = u->next, looked++)
        if (is_backward(u->user))
            return true;
    return false;
}

tsr_held tsr_held_of(const tsr_holds *h, const tsr_value *v)
{
    if (v->is_arg)
        return v->block == h->func->regions[0].first ? (tsr_held)h->args[v->index]
                                                     : TSR_HELD_TEMPORARY;
    if (is_backward(v->op))
        return has_type(&h->types, v->type) ? TSR_HELD_GRADIENTS : TSR_HELD_TEMPORARY;
    return read_backward(v) ? TSR_HELD_KEPT : TSR_HELD_TEMPORARY;
}

static void add_memory(tsr_arena *arena, tsr_look *look, const tsr_shard_plan *plan)
{
    double sum = 0;
    tsr_holds holds;
    tsr_holds_make(arena, plan->func, &holds);
    for (size_t i = 0; i < plan->alive.n; i++) {
        const tsr_plan_alive *a = &plan->alive.data[i];
        if (a->bytes > 0) {
            look->held[tsr_held_of(&holds, a->value)] += (double)a->bytes;
            sum += (double)a->bytes;
        }
    }
    tsr_holds_free(&holds);
    look->peak = (double)plan->peak;
    if (look->peak > sum) /* what is copied for the caller at the end */
        look->held[TSR_HELD_TEMPORARY] += look->peak - sum;
}

/* ---- Arguments and results ---- */

void tsr_look_spec(tsr_buf *out, const tsr_attr *s)
{
    const tsr_attr *dims = tsr_sdy_is_sharding(s) ? tsr_sdy_dims(s) : NULL;
    uint32_t n = dims ? dims->n : 0;
    while (n && !tsr_sdy_dim_axes(s, n - 1)->n)
        n--;
    tsr_buf_cstr(out, "P(");
    for (uint32_t d = 0; d < n; d++) {
        const tsr_attr *axes = tsr_sdy_dim_axes(s, d);
        tsr_buf_cstr(out, d ? ", " : "");
        tsr_buf_cstr(out, !axes->n ? "None" : axes->n > 1 ? "(" : "");
        for (uint32_t k = 0; k < axes->n; k++) {
            tsr_buf_cstr(out, k ? ", \"" : "\"");
            tsr_sdy_axis_print_plain(out, axes->attrs[k]);
            tsr_buf_char(out, '"');
        }
        tsr_buf_cstr(out, axes->n > 1 ? ")" : "");
    }
    tsr_buf_char(out, ')');
}

static tsr_str spec_of(tsr_arena *arena, const tsr_attr *sharding)
{
    tsr_buf text = {0};
    tsr_look_spec(&text, sharding);
    return keep(arena, &text);
}

/* The name with a star for each number, so that layers look alike. */
static tsr_str starred(tsr_arena *arena, tsr_str name)
{
    tsr_buf text = {0};
    for (size_t i = 0; i < name.len; i++) {
        bool digit = name.data[i] >= '0' && name.data[i] <= '9';
        if (!digit)
            tsr_buf_char(&text, name.data[i]);
        else if (!text.len || text.data[text.len - 1] != '*')
            tsr_buf_char(&text, '*');
    }
    return keep(arena, &text);
}

static bool same_value(const tsr_look_value *a, const tsr_look_value *b)
{
    return a->type == b->type && a->result == b->result && tsr_str_eq(a->written, b->written) &&
           tsr_str_eq(a->planned, b->planned) && tsr_str_eq(a->name, b->name);
}

/* first: index of the first value of this kind; those of layers become one. */
static void fold_values(tsr_arena *arena, tsr_look *look)
{
    size_t n = 0;
    tsr_map met = {0};
    for (size_t i = 0; i < look->values.n; i++) {
        tsr_look_value v = look->values.data[i];
        tsr_look_value *as = NULL;
        tsr_str own = v.name;
        v.name = starred(arena, own);
        uint64_t hash = tsr_hash_mix(tsr_hash_str(v.name), tsr_hash_ptr(v.type));
        TSR_MAP_EACH (&met, hash, at)
            if (!as && same_value(&look->values.data[(uintptr_t)at - 1], &v))
                as = &look->values.data[(uintptr_t)at - 1];
        if (as) {
            as->number++;
            as->bytes += v.bytes;
            continue;
        }
        look->values.data[n++] = v;
        tsr_map_put(&met, hash, (void *)(uintptr_t)n);
    }
    look->values.n = n;
    tsr_map_free(&met);
}

static void add_value(tsr_arena *arena, tsr_look *look, const tsr_plan_value *v,
                      const tsr_attr *written, bool result)
{
    tsr_look_value out = {.name = v->name,
                          .type = v->type,
                          .bytes = v->bytes,
                          .number = 1,
                          .result = result,
                          .planned = spec_of(arena, v->sharding)};
    if (written) {
        out.written = spec_of(arena, written);
        look->nwritten++;
    }
    out.changed = written && !tsr_str_eq(out.written, out.planned);
    out.whole = tsr_str_is(out.planned, "P()");
    tsr_vec_push(&look->values, out);
}

/* A folded value that stands alone gets its own name back. */
static void name_values(tsr_look *look, const tsr_shard_plan *plan, tsr_arena *arena)
{
    for (size_t i = 0; i < look->values.n; i++) {
        tsr_look_value *v = &look->values.data[i];
        if (v->number > 1)
            continue;
        size_t n = v->result ? plan->results.n : plan->args.n;
        const tsr_plan_value *all = v->result ? plan->results.data : plan->args.data;
        for (size_t k = 0; k < n; k++)
            if (all[k].type == v->type && tsr_str_eq(starred(arena, all[k].name), v->name)) {
                v->name = all[k].name;
                break;
            }
    }
}

static void add_values(tsr_arena *arena, tsr_look *look, const tsr_shard_plan *plan,
                       tsr_attr *const *written)
{
    for (size_t i = 0; i < plan->args.n; i++)
        add_value(arena, look, &plan->args.data[i], written ? written[i] : NULL, false);
    for (size_t i = 0; i < plan->results.n; i++)
        add_value(arena, look, &plan->results.data[i], written ? written[plan->args.n + i] : NULL,
                  true);
    fold_values(arena, look);
    if (look->values.n < 400)
        name_values(look, plan, arena);
}

/* ---- The program ---- */

static void add_program(tsr_arena *arena, tsr_look *look, const tsr_op *whole)
{
    const tsr_block *body = whole->regions[0].first;
    tsr_holds holds;
    tsr_holds_make(arena, whole, &holds);
    tsr_holds_free(&holds);
    TSR_OPS ((tsr_op *)whole, op) {
        look->nop++;
        look->nloop += tsr_flow_of(op) == TSR_FLOW_LOOP;
        look->nconstraint += tsr_has_role(op, TSR_ROLE_CONSTRAINT);
    }
    look->narg = body->nargs;
    for (uint32_t i = 0; i < body->nargs; i++) {
        const tsr_type *type = body->args[i]->type;
        int64_t bytes = tsr_local_bytes(type, NULL);
        if (bytes <= 0 || holds.args[i] != TSR_HELD_PARAMETERS)
            continue;
        look->elements += (double)tsr_type_num_elements(type);
        look->parameter_bytes += (double)bytes;
    }
}

static void add_times(tsr_look *look, const tsr_sim_report *r)
{
    const tsr_sim *s = r->sim;
    look->device = r->device;
    look->step = s->seconds;
    look->exposed = fmax(0, s->exposed);
    look->products = fmin(s->multiplying, s->computing);
    look->kernels = fmax(0, s->computing - look->products);
    look->hidden = fmax(0, s->talking - s->exposed);
    look->mfu = tsr_sim_mfu(r);
    look->work = r->work;
    look->step_once = 0;
    for (size_t i = 0; i < s->tasks.n; i++)
        for (const tsr_sim_nest *n = s->tasks.data[i].nest; n; n = n->next)
            look->step_once -= (n->turns - 1) * n->seconds;
    look->step_once = look->step_once < 0 ? fmax(0, s->seconds + look->step_once) : 0;
}

/* ---- Advice ---- */

static void put_seconds(tsr_buf *out, double seconds)
{
    tsr_buf_seconds(out, seconds);
}

static const char *base_name(tsr_str place)
{
    const char *at = place.data;
    for (size_t i = 0; i + 1 < place.len; i++)
        if (place.data[i] == '/')
            at = place.data + i + 1;
    return at;
}

static void put_place(tsr_buf *out, tsr_str place)
{
    const char *at = base_name(place);
    tsr_buf_str(out, (tsr_str){at, place.len - (size_t)(at - place.data)});
}

/* How few collectives carry most of the bytes. */
static void advise_bytes(tsr_buf *out, const tsr_look *look)
{
    double all = 0, some = 0;
    uint32_t number = 0;
    for (size_t i = 0; i < look->rows.n; i++)
        all += (double)look->rows.data[i].moved;
    for (size_t i = 0; i < look->rows.n && some < 0.8 * all; i++) {
        some += (double)look->rows.data[i].moved;
        number += look->rows.data[i].number;
    }
    if (all <= 0) {
        tsr_buf_cstr(out, "No device receives anything: there are no collectives.");
        return;
    }
    const tsr_look_row *first = &look->rows.data[0];
    number =
        number < look->ncollective ? number : look->ncollective; /* one may move several values */
    bool one = look->ncollective == 1;
    if (!one) {
        tsr_buf_printf(out, "%u of %u collectives carr%s ", number, look->ncollective,
                       number == 1 ? "ies" : "y");
        tsr_buf_report(out, "%.0f %% of the bytes; the costliest is the ", 100 * some / all);
    } else {
        tsr_buf_cstr(out, "The only collective is the ");
    }
    tsr_buf_str(out, first->kind);
    if (first->place.len) {
        tsr_buf_cstr(out, " at ");
        put_place(out, first->place);
    }
    if (one)
        tsr_buf_cstr(out, ".");
    else
        tsr_buf_report(out, ", %.0f %%.", 100 * (double)first->moved / all);
}

static void advise_time(tsr_buf *out, const tsr_look *look)
{
    if (look->step <= 0) {
        double whole = 0, sum = 0;
        for (size_t i = 0; i < look->values.n; i++)
            if (!look->values.data[i].result) {
                whole += look->values.data[i].whole ? (double)look->values.data[i].bytes : 0;
                sum += (double)look->values.data[i].bytes;
            }
        tsr_buf_report(out, "%.0f %% of the arguments' bytes are whole on every device.",
                       sum > 0 ? 100 * whole / sum : 0);
        return;
    }
    double waits = look->exposed / look->step;
    if (waits >= 0.1 && look->devices > 1) {
        tsr_buf_cstr(out, "The step waits for communication for ");
        put_seconds(out, look->exposed);
        tsr_buf_report(out, ", %.0f %% of it: sharding less, or along other dimensions, pays.",
                       100 * waits);
    } else if (look->products < look->kernels) {
        tsr_buf_cstr(out, "Kernels that are no products take ");
        put_seconds(out, look->kernels);
        tsr_buf_report(out, ", %.0f %% of the step: they are bound by memory's bandwidth.",
                       100 * look->kernels / look->step);
    } else {
        tsr_buf_cstr(out, "Products take ");
        put_seconds(out, look->products);
        tsr_buf_report(out, ", %.0f %% of the step, which is what devices are for.",
                       100 * look->products / look->step);
    }
}

static void advise_memory(tsr_buf *out, const tsr_look *look)
{
    int most = 0;
    for (int i = 1; i < TSR_HELD__COUNT; i++)
        most = look->held[i] > look->held[most] ? i : most;
    if (look->peak < 0) {
        tsr_buf_cstr(out, "Memory is not known: some value has no static shape.");
        return;
    }
    if (look->device && look->peak > look->device->memory) {
        tsr_buf_cstr(out, "It does not fit: the peak is ");
        tsr_buf_quantity(out, look->peak, "B");
        tsr_buf_cstr(out, " of ");
        tsr_buf_quantity(out, look->device->memory, "B");
    } else {
        tsr_buf_cstr(out, "Memory's peak is ");
        tsr_buf_quantity(out, look->peak, "B");
        if (look->device)
            tsr_buf_report(out, ", %.0f %% of a device's", 100 * look->peak / look->device->memory);
    }
    tsr_buf_printf(out, "; most of it is for %s, ", tsr_held_name((tsr_held)most));
    tsr_buf_quantity(out, look->held[most], "B");
    tsr_buf_char(out, '.');
}

void tsr_look_make(tsr_arena *arena, tsr_look *look, const tsr_op *whole,
                   const tsr_shard_plan *plan, tsr_attr *const *written,
                   const tsr_sim_report *report)
{
    tsr_buf text = {0};
    look->plan = plan;
    look->step = -1;
    look->function = tsr_op_symbol(whole);
    look->devices = report ? report->devices : 1;
    if (!report && plan->meshes.n)
        look->devices = plan->meshes.data[0]->ndevice;
    add_program(arena, look, whole);
    add_values(arena, look, plan, written);
    add_memory(arena, look, plan);
    if (report)
        add_times(look, report);
    for (size_t i = 0; i < plan->steps.n; i++)
        look->ncollective += !plan->steps.data[i].other_branch;
    static void (*const advise[])(tsr_buf *, const tsr_look *) = {advise_bytes, advise_time,
                                                                  advise_memory};
    for (int i = 0; i < 3; i++) {
        advise[i](&text, look);
        look->advice[i] = keep(arena, &text);
    }
}

void tsr_look_free(tsr_look *look)
{
    tsr_vec_free(&look->values);
    tsr_vec_free(&look->rows);
}

void tsr_look_json(tsr_buf *out, const tsr_look *look)
{
    tsr_buf_report(out, "{\"devices\":%lld,\"ops\":%u,\"collectives\":%u,",
                   (long long)look->devices, look->nop, look->ncollective);
    tsr_buf_report(out, "\"step_seconds\":%.9g,\"product_seconds\":%.9g,\"kernel_seconds\":%.9g,",
                   look->step, look->products, look->kernels);
    tsr_buf_report(out, "\"exposed_seconds\":%.9g,\"hidden_seconds\":%.9g,\"mfu\":%.6g,",
                   look->exposed, look->hidden, look->mfu);
    tsr_buf_report(out, "\"memory_bytes\":%.0f,\"peak_bytes\":%.0f,\"received_bytes\":%lld,",
                   look->device ? look->device->memory : -1.0, look->peak,
                   (long long)look->plan->moved);
    tsr_buf_cstr(out, "\"held_bytes\":{");
    for (int i = 0; i < TSR_HELD__COUNT; i++)
        tsr_buf_report(out, "%s\"%s\":%.0f", i ? "," : "", tsr_held_name((tsr_held)i),
                       look->held[i]);
    tsr_buf_cstr(out, "},\"device\":");
    tsr_buf_json(out, look->device ? look->device->name : (tsr_str){0});
    tsr_buf_cstr(out, ",\"advice\":[");
    for (int i = 0; i < 3; i++) {
        tsr_buf_cstr(out, i ? "," : "");
        tsr_buf_json(out, look->advice[i]);
    }
    tsr_buf_cstr(out, "]}");
}
