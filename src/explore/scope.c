/* SPDX-License-Identifier: Apache-2.0 */
/* scope.c - see scope.h. A name stack such as "jit(step)/jvp(GPT)/block_0/attn/dot_general" gives the scopes forward, GPT,
 * block_0, attn; where there is none, the functions of the call stack do. */
#include "explore/scope.h"

#include "explore/repeat.h"
#include "text/text.h"

enum {
    DEEP_MOST = 16, /* scopes in each other */
    MANY = 64,      /* items of a box: more are divided */
    PARTS = 32,
    ALIKE = 3, /* boxes of one kind are folded from here on */
};

typedef struct {
    tsr_str parts[DEEP_MOST];
    uint32_t n;
} path;

typedef struct {
    tsr_op *op;
    path *path;
} placed;

typedef struct {
    tsr_arena *arena;
    uint32_t *layers;
    uint64_t *steps;
} maker;

/* ---- Paths ---- */

static void add_part(path *p, tsr_str part)
{
    static const char *const structure[] = {"while", "body", "cond", "closed_call", "scan", "pjit"};
    for (size_t i = 0; i < TSR_COUNT(structure); i++)
        if (tsr_str_is(part, structure[i]))
            return;
    if (part.len && p->n < DEEP_MOST)
        p->parts[p->n++] = part;
}

static bool strip(tsr_str *s, const char *prefix)
{
    size_t n = strlen(prefix);
    if (!tsr_str_starts(*s, prefix) || s->data[s->len - 1] != ')')
        return false;
    *s = (tsr_str){s->data + n, s->len - n - 1};
    return true;
}

/* "transpose(jvp(GPT))" is backward, GPT. */
static void add_component(path *p, tsr_str s)
{
    if (strip(&s, "transpose(")) {
        add_part(p, TSR_STR("backward"));
        while (strip(&s, "jvp("))
            continue;
    } else if (strip(&s, "jvp(")) {
        add_part(p, TSR_STR("forward"));
    }
    while (strip(&s, "jit(") || strip(&s, "vmap(") || strip(&s, "pjit("))
        continue;
    add_part(p, tsr_str_is(s, "rematted_computation") ? TSR_STR("recomputed") : s);
}

/* Slashes in brackets part nothing. */
static void add_names(path *p, tsr_str stack)
{
    size_t at = 0, depth = 0;
    for (size_t i = 0; i < stack.len; i++) {
        depth += stack.data[i] == '(';
        depth -= stack.data[i] == ')' && depth;
        if (stack.data[i] == '/' && !depth) {
            add_component(p, (tsr_str){stack.data + at, i - at});
            at = i + 1;
        }
    }
}

/* Names of functions in a call stack, the outermost first: loc("block"(callsite("norm"(file) at ...))). */
static void add_frames(path *p, const tsr_attr *a, uint32_t *left)
{
    if (!a || a->kind != TSR_ATTR_LOC || !*left)
        return;
    --*left;
    if (a->sub == TSR_LOC_KIND_CALLSITE) {
        add_frames(p, a->attrs[1], left);
        add_frames(p, a->attrs[0], left);
    } else if (a->sub == TSR_LOC_KIND_NAME && a->attrs[0] &&
               a->attrs[0]->sub == TSR_LOC_KIND_FILE) {
        bool odd = !a->s.len || a->s.data[0] == '<' || memchr(a->s.data, '/', a->s.len);
        if (!odd)
            add_part(p, a->s);
    } else if (a->sub == TSR_LOC_KIND_NAME) {
        add_frames(p, a->attrs[0], left);
    }
}

static path *path_of(maker *k, const tsr_op *op, bool frames)
{
    path *p = TSR_NEW(k->arena, path);
    tsr_buf name = {0};
    uint32_t left = 64;
    if (frames)
        add_frames(p, tsr_loc_attr(op->module->ctx, op->loc), &left);
    else if (tsr_loc_name(&name, op->loc) && memchr(name.data, '/', name.len))
        add_names(p, (tsr_str){tsr_arena_copy(k->arena, name.data, name.len), name.len});
    tsr_buf_free(&name);
    return p;
}

/* Takes away what all paths begin with. */
static void strip_common(placed *ops, uint32_t n)
{
    const path *first = NULL;
    uint32_t common = 0;
    for (uint32_t i = 0; i < n; i++) {
        const path *p = ops[i].path;
        if (!p->n)
            continue;
        if (!first) {
            first = p;
            common = p->n;
        }
        uint32_t same = 0;
        while (same < common && same < p->n && tsr_str_eq(p->parts[same], first->parts[same]))
            same++;
        common = same;
    }
    for (uint32_t i = 0; i < n && common; i++) {
        path *p = ops[i].path;
        uint32_t less = common < p->n ? common : p->n;
        memmove(p->parts, p->parts + less, (p->n - less) * sizeof *p->parts);
        p->n -= less;
    }
}

/* Takes away the scopes of the op around the block, as far as paths begin with them. */
static void strip_outer(placed *ops, uint32_t n, const path *outer)
{
    for (uint32_t i = 0; i < n; i++) {
        path *p = ops[i].path;
        uint32_t same = 0;
        while (same < outer->n && same < p->n && tsr_str_eq(p->parts[same], outer->parts[same]))
            same++;
        memmove(p->parts, p->parts + same, (p->n - same) * sizeof *p->parts);
        p->n -= same;
    }
}

/* An op without a name belongs to its first user: constants do, above all. */
static void adopt(placed *ops, uint32_t n, const tsr_block *block)
{
    tsr_map at = {0};
    for (uint32_t i = 0; i < n; i++)
        tsr_map_put(&at, tsr_hash_ptr(ops[i].op), &ops[i]);
    for (uint32_t i = n; i-- > 0;) {
        tsr_op *op = ops[i].op;
        const tsr_use *u = op->nout ? op->out[0].uses : NULL;
        if (ops[i].path->n || op->nin || op->nregion || !u || u->next || u->user->block != block)
            continue;
        TSR_MAP_EACH (&at, tsr_hash_ptr(u->user), user)
            if (((placed *)user)->op == u->user)
                ops[i].path = ((placed *)user)->path;
    }
    tsr_map_free(&at);
}

/* ---- Boxes ---- */

static bool is_constant(const tsr_op *op)
{
    return !op->nin && op->nout && !op->nregion;
}

static uint32_t ops_in(const tsr_item *items, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += items[i].box ? items[i].box->nop : items[i].op != NULL;
    return sum;
}

static tsr_item boxed(maker *k, tsr_box_kind kind, tsr_str label, tsr_item *items, uint32_t n)
{
    tsr_box *box = TSR_NEW(k->arena, tsr_box);
    *box = (tsr_box){.kind = kind, .label = label, .items = items, .n = n, .nop = ops_in(items, n)};
    return (tsr_item){.box = box};
}

static tsr_str kept(maker *k, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(k->arena, tsr_buf_text(text).data, text->len), text->len};
    tsr_buf_free(text);
    return s;
}

/* So many items that nobody could read them become parts of neighbours. */
static tsr_item *divided(maker *k, tsr_item *items, uint32_t *n, const char *what)
{
    while (*n > MANY) {
        uint32_t most = 8, made = 0;
        while (most < PARTS && most * most < *n)
            most++;
        tsr_item *out = TSR_NEW_ARRAY(k->arena, tsr_item, *n / most + 1);
        for (uint32_t i = 0; i < *n; i += most, made++) {
            tsr_buf label = {0};
            uint32_t last = i + most < *n ? i + most : *n;
            tsr_buf_printf(&label, "%s %u to %u", what, i + 1, last);
            out[made] = boxed(k, TSR_BOX_PART, kept(k, &label), items + i, last - i);
        }
        *k->steps += *n;
        items = out;
        *n = made;
        what = "part";
    }
    return items;
}

/* Of many ops without a scope, those of one line of the user's program are one box. */
static tsr_item *by_line(maker *k, tsr_item *items, uint32_t *n)
{
    typedef struct {
        tsr_str file;
        uint32_t line, n, first;
        tsr_item *items;
    } source_line;
    TSR_VEC(source_line) lines = {0};
    uint32_t *of = TSR_NEW_ARRAY(k->arena, uint32_t, *n + 1), made = 0, col;
    tsr_map met = {0};
    for (uint32_t i = 0; i < *n; i++) {
        source_line at = {.first = i};
        of[i] = UINT32_MAX;
        if (!items[i].op || items[i].op->nregion ||
            !tsr_loc_position(items[i].op->module->ctx, items[i].op->loc, &at.file, &at.line, &col))
            continue;
        uint64_t hash = tsr_hash_mix(tsr_hash_str(at.file), at.line);
        TSR_MAP_EACH (&met, hash, found)
            of[i] = (uint32_t)(uintptr_t)found - 1;
        if (of[i] == UINT32_MAX) {
            of[i] = (uint32_t)lines.n;
            tsr_vec_push(&lines, at);
            tsr_map_put(&met, hash, (void *)(uintptr_t)lines.n);
        }
        lines.data[of[i]].n++;
    }
    bool pays = lines.n > 1 && lines.n <= *n / 4;
    tsr_item *out = TSR_NEW_ARRAY(k->arena, tsr_item, *n + 1);
    for (uint32_t i = 0; i < *n && pays; i++) {
        source_line *l = of[i] == UINT32_MAX ? NULL : &lines.data[of[i]];
        if (l && !l->items) {
            l->items = TSR_NEW_ARRAY(k->arena, tsr_item, l->n);
            l->n = 0;
        }
        if (l)
            l->items[l->n++] = items[i];
    }
    for (uint32_t i = 0; i < *n && pays; i++) {
        const source_line *l = of[i] == UINT32_MAX ? NULL : &lines.data[of[i]];
        tsr_buf label = {0};
        if (!l || l->n == 1) {
            out[made++] = items[i];
        } else if (l->first == i) {
            uint32_t inside = l->n;
            tsr_loc_place(&label, items[i].op->module->ctx, items[i].op->loc, false);
            while (label.len && label.data[label.len - 1] != ':')
                label.len--;
            label.len -= label.len > 0;
            tsr_item *parts = divided(k, l->items, &inside, "ops");
            out[made++] = boxed(k, TSR_BOX_PART, kept(k, &label), parts, inside);
        }
    }
    tsr_vec_free(&lines);
    tsr_map_free(&met);
    *k->steps += 3 * (uint64_t)*n;
    *n = pays ? made : *n;
    return pays ? out : items;
}

/* Boxes stay; what is between them is divided. */
static tsr_item *readable(maker *k, tsr_item *items, uint32_t *n)
{
    uint32_t boxes = 0, rest = 0, made = 0;
    if (*n <= MANY)
        return items;
    items = by_line(k, items, n);
    for (uint32_t i = 0; i < *n; i++)
        boxes += items[i].box != NULL;
    if (boxes > MANY || *n <= MANY)
        return divided(k, items, n, "ops");
    tsr_item *out = TSR_NEW_ARRAY(k->arena, tsr_item, *n + 1);
    tsr_item *ops = TSR_NEW_ARRAY(k->arena, tsr_item, *n + 1);
    for (uint32_t i = 0; i < *n; i++)
        if (items[i].box)
            out[made++] = items[i];
        else
            ops[rest++] = items[i];
    ops = divided(k, ops, &rest, "ops");
    memcpy(out + made, ops, rest * sizeof *out);
    *n = made + rest;
    return out;
}

/* ---- Layers without names ---- */

/* Hashes what makes two ops look alike: name, number of operands, types of results. */
static uint64_t token_of(const tsr_op *op)
{
    uint64_t h = tsr_hash_mix(tsr_hash_ptr(op->def), op->nin + 1);
    for (uint32_t i = 0; i < op->nout; i++)
        h = tsr_hash_mix(h, tsr_hash_ptr(op->out[i].type));
    return h;
}

static tsr_item fold_of(maker *k, tsr_str label, tsr_item *items, uint32_t n)
{
    tsr_item fold = boxed(k, TSR_BOX_FOLD, label, NULL, 0);
    fold.box->nop = ops_in(items, n);
    fold.box->turns = n;
    fold.box->n = n;
    fold.box->items = divided(k, items, &fold.box->n, "layers");
    return fold;
}

static tsr_item layers_of(maker *k, const placed *ops, const tsr_repeat *r)
{
    tsr_item *turns = TSR_NEW_ARRAY(k->arena, tsr_item, r->times);
    for (uint32_t t = 0; t < r->times; t++) {
        tsr_item *items = TSR_NEW_ARRAY(k->arena, tsr_item, r->period);
        uint32_t n = r->period;
        tsr_buf label = {0};
        for (uint32_t i = 0; i < r->period; i++)
            items[i].op = ops[r->first + t * r->period + i].op;
        tsr_buf_printf(&label, "layer %u of %u", t + 1, r->times);
        items = divided(k, items, &n, "ops");
        turns[t] = boxed(k, TSR_BOX_LAYER, kept(k, &label), items, n);
        turns[t].box->turn = t;
        turns[t].box->turns = r->times;
    }
    *k->layers += r->times;
    return fold_of(k, TSR_STR("layers"), turns, r->times);
}

/* Values without operands stand aside in a box of their own, unless they are few. */
static tsr_item *aside(maker *k, tsr_item *items, uint32_t *n)
{
    enum { FEW = 3 };
    uint32_t made = 0, apart = 0, rest = 0;
    for (uint32_t i = 0; i < *n; i++)
        apart += items[i].op && is_constant(items[i].op);
    if (apart < FEW || apart == *n)
        return items;
    tsr_item *out = TSR_NEW_ARRAY(k->arena, tsr_item, *n + 1);
    tsr_item *constants = TSR_NEW_ARRAY(k->arena, tsr_item, apart);
    tsr_buf label = {0};
    tsr_buf_printf(&label, "%u constants", apart);
    for (uint32_t i = 0; i < *n; i++)
        if (items[i].op && is_constant(items[i].op))
            constants[rest++] = items[i];
        else
            out[++made] = items[i];
    constants = divided(k, constants, &rest, "constants");
    out[0] = boxed(k, TSR_BOX_PART, kept(k, &label), constants, rest);
    *n = made + 1;
    return out;
}

/* Ops of no scope, with those that repeat as layers. */
static tsr_item *plain(maker *k, const placed *ops, uint32_t n, uint32_t *out)
{
    tsr_repeats found = {0};
    uint64_t *tokens = TSR_NEW_ARRAY(k->arena, uint64_t, n + 1);
    tsr_item *items = TSR_NEW_ARRAY(k->arena, tsr_item, n + 1);
    size_t next = 0;
    for (uint32_t i = 0; i < n; i++)
        tokens[i] = token_of(ops[i].op);
    tsr_repeats_find(k->arena, tokens, n, &found, k->steps);
    *out = 0;
    for (uint32_t i = 0; i < n;) {
        if (next < found.n && found.data[next].first == i) {
            const tsr_repeat *r = &found.data[next++];
            items[(*out)++] = layers_of(k, ops, r);
            i += r->period * r->times;
        } else {
            items[(*out)++].op = ops[i++].op;
        }
    }
    tsr_vec_free(&found);
    return items;
}

/* ---- Scopes ---- */

typedef struct {
    tsr_str name;
    uint32_t n, at, first; /* members, and the place of the first one */
    placed *ops;
} bucket;

typedef TSR_VEC(bucket) buckets;

/* Members of each scope of this depth, in the order in which they begin; those of none have no name. */
static void find_buckets(maker *k, const placed *ops, uint32_t n, uint32_t depth, buckets *out)
{
    tsr_map met = {0};
    uint32_t *of = TSR_NEW_ARRAY(k->arena, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const path *p = ops[i].path;
        if (p->n <= depth) {
            of[i] = UINT32_MAX;
            continue;
        }
        uint64_t hash = tsr_hash_str(p->parts[depth]);
        uint32_t found = UINT32_MAX;
        TSR_MAP_EACH (&met, hash, at)
            if (tsr_str_eq(out->data[(uintptr_t)at - 1].name, p->parts[depth]))
                found = (uint32_t)(uintptr_t)at - 1;
        if (found == UINT32_MAX) {
            found = (uint32_t)out->n;
            tsr_vec_push(out, ((bucket){.name = p->parts[depth], .first = i}));
            tsr_map_put(&met, hash, (void *)(uintptr_t)out->n);
        }
        out->data[found].n++;
        of[i] = found;
    }
    for (size_t b = 0; b < out->n; b++)
        out->data[b].ops = TSR_NEW_ARRAY(k->arena, placed, out->data[b].n);
    for (uint32_t i = 0; i < n; i++)
        if (of[i] != UINT32_MAX)
            out->data[of[i]].ops[out->data[of[i]].at++] = ops[i];
    *k->steps += 2 * (uint64_t)n;
    tsr_map_free(&met);
}

static tsr_str starred(maker *k, tsr_str name)
{
    tsr_buf text = {0};
    for (size_t i = 0; i < name.len; i++) {
        bool digit = name.data[i] >= '0' && name.data[i] <= '9';
        if (!digit)
            tsr_buf_char(&text, name.data[i]);
        else if (!text.len || text.data[text.len - 1] != '*')
            tsr_buf_char(&text, '*');
    }
    return kept(k, &text);
}

/* For each box the first one whose label differs in numbers alone, and that holds as many ops; same: how many there are. */
static void find_alike(maker *k, const tsr_item *items, uint32_t n, uint32_t *first, uint32_t *same)
{
    tsr_map met = {0}; /* hash of label and size: 1 + index of the first */
    for (uint32_t i = 0; i < n; i++) {
        first[i] = i;
        if (!items[i].box || items[i].box->kind != TSR_BOX_SCOPE)
            continue;
        tsr_str label = starred(k, items[i].box->label);
        if (!memchr(label.data, '*', label.len))
            continue;
        uint64_t hash = tsr_hash_mix(tsr_hash_str(label), items[i].box->nop);
        TSR_MAP_EACH (&met, hash, at)
            first[i] = (uint32_t)(uintptr_t)at - 1;
        if (first[i] == i)
            tsr_map_put(&met, hash, (void *)(uintptr_t)(i + 1));
        same[first[i]]++;
    }
    tsr_map_free(&met);
}

/* Boxes that are alike become one: block_0 to block_23. */
static tsr_item *folded(maker *k, tsr_item *items, uint32_t *n)
{
    uint32_t *first = TSR_NEW_ARRAY(k->arena, uint32_t, *n + 1), made = 0;
    uint32_t *same = TSR_NEW_ARRAY(k->arena, uint32_t, *n + 1);
    uint32_t *filled = TSR_NEW_ARRAY(k->arena, uint32_t, *n + 1);
    tsr_item **all = TSR_NEW_ARRAY(k->arena, tsr_item *, *n + 1); /* by the first of them */
    find_alike(k, items, *n, first, same);
    for (uint32_t i = 0; i < *n; i++) {
        uint32_t f = first[i];
        if (same[f] < ALIKE)
            continue;
        if (f == i)
            all[i] = TSR_NEW_ARRAY(k->arena, tsr_item, same[i]);
        all[f][filled[f]++] = items[i];
    }
    tsr_item *out = TSR_NEW_ARRAY(k->arena, tsr_item, *n + 1);
    for (uint32_t i = 0; i < *n; i++)
        if (same[first[i]] < ALIKE)
            out[made++] = items[i];
        else if (first[i] == i)
            out[made++] = fold_of(k, starred(k, items[i].box->label), all[i], same[i]);
    *n = made;
    return out;
}

static tsr_item *items_of(maker *k, placed *ops, uint32_t n, uint32_t depth, uint32_t *out);

static tsr_item scope_of(maker *k, const bucket *b, uint32_t depth)
{
    tsr_buf label = {0};
    uint32_t n;
    tsr_buf_str(&label, b->name);
    for (;;) { /* a scope that holds nothing but one scope is one with it */
        const path *p = b->ops[0].path;
        bool alone = p->n > depth + 1;
        for (uint32_t i = 1; i < b->n && alone; i++)
            alone = b->ops[i].path->n > depth + 1 &&
                    tsr_str_eq(b->ops[i].path->parts[depth + 1], p->parts[depth + 1]);
        if (!alone)
            break;
        depth++;
        tsr_buf_printf(&label, "/%.*s", TSR_STR_ARG(p->parts[depth]));
    }
    tsr_item *items = items_of(k, b->ops, b->n, depth + 1, &n);
    return boxed(k, TSR_BOX_SCOPE, kept(k, &label), items, n);
}

static tsr_item *items_of(maker *k, placed *ops, uint32_t n, uint32_t depth, uint32_t *out)
{
    buckets all = {0};
    uint32_t made = 0, rest = 0;
    find_buckets(k, ops, n, depth, &all);
    tsr_item *items = TSR_NEW_ARRAY(k->arena, tsr_item, n + 1);
    placed *direct = TSR_NEW_ARRAY(k->arena, placed, n + 1);
    size_t next = 0;
    for (uint32_t i = 0; i < n; i++) {
        const path *p = ops[i].path;
        if (p->n <= depth) {
            direct[rest++] = ops[i];
            if (all.n)
                items[made++].op = ops[i].op;
            continue;
        }
        if (next < all.n && all.data[next].first == i) {
            const bucket *b = &all.data[next++];
            if (b->n > 1)
                items[made++] = scope_of(k, b, depth);
            else
                items[made++].op = b->ops[0].op;
        }
    }
    if (!all.n)
        items = plain(k, direct, rest, &made);
    else
        items = folded(k, items, &made);
    tsr_vec_free(&all);
    *out = made;
    items = aside(k, items, out);
    return readable(k, items, out);
}

bool tsr_scope_text(tsr_buf *out, tsr_str stack)
{
    path p = {.n = 0};
    add_names(&p, stack);
    uint32_t first = p.n > 1; /* the function itself */
    for (uint32_t i = first; i < p.n; i++)
        tsr_buf_printf(out, "%s%.*s", i > first ? " / " : "", TSR_STR_ARG(p.parts[i]));
    return p.n > first;
}

/* ---- Blocks ---- */

static tsr_item arguments(maker *k, const tsr_block *block)
{
    tsr_item *items = TSR_NEW_ARRAY(k->arena, tsr_item, block->nargs + 1);
    uint32_t n = block->nargs;
    tsr_buf label = {0};
    for (uint32_t i = 0; i < block->nargs; i++)
        items[i].arg = block->args[i];
    tsr_buf_printf(&label, "%u arguments", block->nargs);
    items = divided(k, items, &n, "arguments");
    tsr_item all = boxed(k, TSR_BOX_ARGS, kept(k, &label), items, n);
    return all;
}

tsr_item *tsr_scope_items(tsr_arena *arena, const tsr_block *block, bool whole, uint32_t *n,
                          uint32_t *layers, uint64_t *steps)
{
    enum { FEW_ARGS = 8, FEW_OPS = 4 };
    maker k = {arena, layers, steps};
    uint32_t count = 0, made;
    TSR_BLOCK_OPS ((tsr_block *)block, op)
        count++;
    placed *ops = TSR_NEW_ARRAY(arena, placed, count + 1);
    uint32_t i = 0;
    bool scopes = whole && count > FEW_OPS;
    TSR_BLOCK_OPS ((tsr_block *)block, op) {
        ops[i].op = op;
        ops[i].path = scopes ? path_of(&k, op, false) : TSR_NEW(arena, path);
        i++;
    }
    const tsr_op *around = tsr_block_parent(block);
    bool nested = scopes && around && !tsr_op_has(around, TSR_TRAIT(FUNCTION));
    if (nested)
        strip_outer(ops, count, path_of(&k, around, false));
    else if (scopes)
        strip_common(ops, count);
    bool left = false;
    for (i = 0; i < count; i++)
        left |= ops[i].path->n > 0;
    if (scopes && !left) { /* no scopes: the functions of the call stack */
        for (i = 0; i < count; i++)
            ops[i].path = path_of(&k, ops[i].op, true);
        if (nested)
            strip_outer(ops, count, path_of(&k, around, true));
        else
            strip_common(ops, count);
    }
    if (scopes)
        adopt(ops, count, block);
    bool fold = whole && block->nargs > FEW_ARGS;
    tsr_item *inner = items_of(&k, ops, count, 0, &made);
    tsr_item *items = TSR_NEW_ARRAY(arena, tsr_item, made + block->nargs + 1);
    *n = 0;
    if (fold)
        items[(*n)++] = arguments(&k, block);
    for (i = 0; !fold && i < block->nargs; i++)
        items[(*n)++].arg = block->args[i];
    memcpy(items + *n, inner, made * sizeof *items);
    *n += made;
    *steps += count + block->nargs;
    return items;
}
