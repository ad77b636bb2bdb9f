/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - movements as launches: copies of boxes, also to and from places that are computed on the device. */
#include "gpu/move.h"

#include "eval/mesh.h"

/* ---- Values ---- */

static const tsr_xvalue *value(const tsr_program *p, tsr_xid v)
{
    return &p->values.data[v];
}

static int64_t bytes_of(const tsr_xvalue *x)
{
    return tsr_dtype_bytes((tsr_dtype)x->dtype);
}

void tsr_gpu_shape(const tsr_program *p, tsr_xid v, tsr_xshape *out)
{
    const tsr_xvalue *x = value(p, v);
    if (x->place == TSR_PLACE_VIEW)
        *out = *x->view;
    else
        tsr_xshape_whole(out, x->dims, x->rank);
}

bool tsr_gpu_is_splat(const tsr_program *p, tsr_xid v)
{
    return value(p, tsr_storage_of(p, v))->place == TSR_PLACE_SPLAT;
}

tsr_gpu_word tsr_gpu_at(tsr_gpu_maker *m, tsr_xid v, int64_t elements)
{
    return (tsr_gpu_word){tsr_gpu_place(m, v), elements * bytes_of(value(m->p, v))};
}

tsr_gpu_word tsr_gpu_pattern(const tsr_program *p, tsr_xid v, int half)
{
    const tsr_xvalue *x = value(p, tsr_storage_of(p, v));
    uint8_t all[16];
    for (int64_t i = 0; i < 16; i++)
        all[i] = ((const uint8_t *)x->bits)[i % bytes_of(x)];
    int64_t word;
    memcpy(&word, all + 8 * half, sizeof word);
    return (tsr_gpu_word){TSR_XNONE, word};
}

int64_t tsr_gpu_align(const tsr_program *p, tsr_xid v, int64_t elements)
{
    tsr_xshape s;
    tsr_gpu_shape(p, v, &s);
    int64_t at = (s.offset + elements) * bytes_of(value(p, v)), align = 16;
    while (at % align)
        align /= 2;
    return align;
}

/* ---- Kernels ---- */

void tsr_gpu_run_kernel(tsr_gpu_maker *m, tsr_gpu_writer *w, int64_t blocks,
                        const tsr_gpu_word *words, uint32_t nwords)
{
    tsr_gpu_step s = {.kind = TSR_GPU_LAUNCH,
                      .name = "run",
                      .text = tsr_gpu_writer_end(m, w),
                      .blocks = {(uint32_t)blocks, 1, 1},
                      .threads = TSR_GPU_THREADS};
    tsr_gpu_add(m, &s, words, nwords);
}

/* Boxes that one kernel copies: each has blocks of its own. */
typedef struct {
    tsr_gpu_writer w;
    tsr_buf calls;
    tsr_gpu_word words[TSR_DEVICE_WORDS];
    uint32_t nwords, nbox, shared;
    int64_t blocks;
} boxes;

static uint32_t put_word(boxes *b, tsr_gpu_word word)
{
    b->words[b->nwords] = word;
    return b->nwords++;
}

static void boxes_begin(boxes *b)
{
    *b = (boxes){0};
    tsr_gpu_writer_init(&b->w);
}

/* One side of a copy: a value from an element on, and what the kernel computes beside that, in elements. */
typedef struct {
    tsr_xid v;
    int64_t first;
    const char *place; /* NULL: nothing */
    tsr_gpu_word at;   /* where it is, if v is TSR_XNONE */
} side;

static const char *address(tsr_gpu_maker *m, boxes *b, const side *s, int64_t bytes)
{
    uint32_t word = put_word(b, s->v == TSR_XNONE ? s->at : tsr_gpu_at(m, s->v, s->first));
    const char *at = tsr_text_of(&b->w.text, "TSR_POINTER(uint8_t, %u)", word);
    return s->place ? tsr_text_of(&b->w.text, "%s + %s * %lld", at, s->place, (long long)bytes)
                    : at;
}

static void add_box(tsr_gpu_maker *m, boxes *b, const tsr_gpu_box *box, const side *to,
                    const side *from)
{
    uint32_t shared;
    const char *name = tsr_text_of(&b->w.text, "box%u", b->nbox);
    int64_t blocks = tsr_gpu_write_box(&b->w, name, *box, &shared);
    if (!blocks)
        return;
    const char *source = NULL, *target = address(m, b, to, box->bytes);
    if (box->splat)
        source = tsr_text_of(&b->w.text, "TSR_WORD(%u), TSR_WORD(%u)",
                             put_word(b, tsr_gpu_pattern(m->p, from->v, 0)),
                             put_word(b, tsr_gpu_pattern(m->p, from->v, 1)));
    else
        source = address(m, b, from, box->bytes);
    tsr_buf_printf(&b->calls,
                   "    %sif (block < %lldu)\n        %s(%s, %s, block - %lldu, room);\n",
                   b->nbox ? "else " : "", (long long)b->blocks + blocks, name, source, target,
                   (long long)b->blocks);
    b->blocks += blocks;
    b->shared = shared > b->shared ? shared : b->shared;
    b->nbox++;
}

/* places: text that computes places, before boxes are copied. */
static bool boxes_end(tsr_gpu_maker *m, boxes *b, const char *places)
{
    if (!b->nbox) {
        tsr_buf_free(&b->calls);
        tsr_buf_free(&b->w.body);
        tsr_text_free(&b->w.text);
        return true;
    }
    tsr_gpu_line(&b->w, "TSR_KERNEL_OF(run, %u, %d, 1)", b->nwords, TSR_GPU_THREADS);
    tsr_gpu_line(&b->w, "{");
    b->w.depth++;
    if (b->shared)
        tsr_gpu_line(&b->w, "TSR_SHARED(uint64_t, room, %u);", (b->shared + 7) / 8);
    else
        tsr_gpu_line(&b->w, "void *const room = 0;");
    tsr_gpu_line(&b->w, "const uint32_t block = TSR_BLOCK(0);");
    tsr_buf_cstr(&b->w.body, places);
    tsr_buf_str(&b->w.body, tsr_buf_text(&b->calls));
    b->w.depth--;
    tsr_gpu_line(&b->w, "}");
    tsr_buf_free(&b->calls);
    if (b->blocks > INT32_MAX)
        return tsr_gpu_refuse(m, "it has too many elements");
    tsr_gpu_run_kernel(m, &b->w, b->blocks, b->words, b->nwords);
    return true;
}

/* The box of an operand over its own shape, with the strides of a whole value of another shape. */
static tsr_gpu_box box_of(const tsr_program *p, const side *to, const int64_t *strides,
                          const side *from)
{
    const tsr_xvalue *x = value(p, from->v);
    tsr_xshape s;
    tsr_gpu_shape(p, from->v, &s);
    tsr_gpu_box b = {.bytes = bytes_of(x),
                     .to_align = tsr_gpu_align(p, to->v, to->first),
                     .from_align = tsr_gpu_align(p, from->v, from->first),
                     .splat = tsr_gpu_is_splat(p, from->v),
                     .rank = x->rank};
    for (int i = 0; i < x->rank; i++)
        b.axes[i] = (tsr_gpu_axis){x->dims[i], strides[i], s.strides[i]};
    return b;
}

bool tsr_gpu_copy_box(tsr_gpu_maker *m, const tsr_gpu_box *box, tsr_gpu_word to, tsr_gpu_word from)
{
    boxes b;
    boxes_begin(&b);
    add_box(m, &b, box, &(side){.v = TSR_XNONE, .at = to}, &(side){.v = TSR_XNONE, .at = from});
    return boxes_end(m, &b, "");
}

static bool add_copy(tsr_gpu_maker *m, tsr_xid to, tsr_xid from)
{
    size_t bytes = (size_t)tsr_xvalue_bytes(value(m->p, to));
    const tsr_gpu_word words[] = {tsr_gpu_at(m, to, 0), tsr_gpu_at(m, from, 0)};
    if (bytes)
        tsr_gpu_add(m, &(tsr_gpu_step){.kind = TSR_GPU_COPY, .bytes = bytes}, words, 2);
    return true;
}

/* ---- Copies ---- */

static bool copy(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_xvalue *x = value(m->p, n->out[0]);
    side to = {.v = n->out[0]}, from = {.v = n->in[0]};
    tsr_xshape whole, s;
    tsr_xshape_whole(&whole, x->dims, x->rank);
    tsr_gpu_shape(m->p, n->in[0], &s);
    tsr_xview v = tsr_xview_of(&s);
    v.offset = 0; /* addresses have it */
    if (!tsr_gpu_is_splat(m->p, n->in[0]) && tsr_xview_is_whole(&v))
        return add_copy(m, n->out[0], n->in[0]);
    tsr_gpu_box box = box_of(m->p, &to, whole.strides, &from);
    boxes b;
    boxes_begin(&b);
    add_box(m, &b, &box, &to, &from);
    return boxes_end(m, &b, "");
}

static bool concatenate(tsr_gpu_maker *m, const tsr_node *n)
{
    enum { SOME = 16 }; /* boxes of a kernel */
    const tsr_xvalue *x = value(m->p, n->out[0]);
    tsr_xshape whole;
    tsr_xshape_whole(&whole, x->dims, x->rank);
    int64_t d = n->numbers[0], at = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < n->nin; i += SOME) {
        boxes b;
        boxes_begin(&b);
        for (uint32_t k = i; k < n->nin && k < i + SOME; k++) {
            side to = {.v = n->out[0], .first = at}, from = {.v = n->in[k]};
            tsr_gpu_box box = box_of(m->p, &to, whole.strides, &from);
            add_box(m, &b, &box, &to, &from);
            at += value(m->p, n->in[k])->dims[d] * whole.strides[d];
        }
        ok = boxes_end(m, &b, "");
    }
    return ok;
}

/* ---- Places that are computed ---- */

static int64_t least(int64_t align, int64_t stride_bytes)
{
    while (stride_bytes % align)
        align /= 2;
    return align;
}

/* Writes int64_t place: from start indices, from operand `first` on or of the node, clamped so that a box fits. align: of
 * the place, reduced to what it is a multiple of. */
static const char *write_place(tsr_gpu_maker *m, boxes *b, const tsr_node *n, uint32_t first,
                               const int64_t *of, const int64_t *box, const int64_t *strides,
                               uint8_t rank, int64_t bytes, int64_t *align)
{
    tsr_text *t = &b->w.text;
    const char *text = "    int64_t place = 0, start;\n    (void)start;\n";
    for (uint8_t i = 0; i < rank; i++) {
        long long most = (long long)(of[i] - box[i]);
        if (!most)
            continue;
        tsr_xid v = first + i < n->nin ? n->in[first + i] : TSR_XNONE;
        const char *start;
        if (v == TSR_XNONE || tsr_gpu_is_splat(m->p, v)) {
            int64_t known = v == TSR_XNONE ? n->numbers[i] : 0;
            if (v != TSR_XNONE)
                tsr_convert(TSR_D_I64, &known, (tsr_dtype)value(m->p, v)->dtype,
                            value(m->p, tsr_storage_of(m->p, v))->bits, 1);
            if (v != TSR_XNONE && value(m->p, v)->dtype == TSR_D_U64 && known < 0)
                known = INT64_MAX;
            start = tsr_text_of(t, "(int64_t)TSR_WORD(%u)",
                                put_word(b, (tsr_gpu_word){TSR_XNONE, known}));
        } else {
            start = tsr_text_of(t, "%s(TSR_POINTER(const void, %u), 0)",
                                tsr_text_reader(t, (tsr_dtype)value(m->p, v)->dtype),
                                put_word(b, tsr_gpu_at(m, v, 0)));
        }
        text = tsr_text_of(t,
                           "%s    start = %s;\n"
                           "    place += (start < 0 ? 0 : start > %lld ? %lld : start) * %lld;\n",
                           text, start, most, most, (long long)strides[i]);
        *align = least(*align, strides[i] * bytes);
    }
    return text;
}

static bool dynamic_slice(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_xvalue *to = value(m->p, n->out[0]), *x = value(m->p, n->in[0]);
    side target = {.v = n->out[0]}, from = {.v = n->in[0], .place = "place"};
    tsr_xshape whole, s;
    tsr_xshape_whole(&whole, to->dims, to->rank);
    tsr_gpu_shape(m->p, n->in[0], &s);
    tsr_gpu_box box = box_of(m->p, &target, whole.strides, &from);
    for (int i = 0; i < to->rank; i++)
        box.axes[i].dim = to->dims[i];
    boxes b;
    boxes_begin(&b);
    const char *text = write_place(m, &b, n, 1, x->dims, to->dims, s.strides, to->rank,
                                   bytes_of(to), &box.from_align);
    add_box(m, &b, &box, &target, &from);
    return boxes_end(m, &b, text);
}

static bool update_slice(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_xvalue *to = value(m->p, n->out[0]), *x = value(m->p, n->in[1]);
    side target = {.v = n->out[0], .place = "place"}, from = {.v = n->in[1]};
    tsr_xshape whole;
    tsr_xshape_whole(&whole, to->dims, to->rank);
    add_copy(m, n->out[0], n->in[0]);
    tsr_gpu_box box = box_of(m->p, &target, whole.strides, &from);
    boxes b;
    boxes_begin(&b);
    const char *text = write_place(m, &b, n, 2, to->dims, x->dims, whole.strides, to->rank,
                                   bytes_of(to), &box.to_align);
    add_box(m, &b, &box, &target, &from);
    return boxes_end(m, &b, text);
}

/* ---- Real and imaginary parts ---- */

/* An expression for element i of an operand. */
static const char *element(tsr_gpu_maker *m, boxes *b, tsr_xid v, const char *name, int64_t bytes)
{
    tsr_text *t = &b->w.text;
    const char *type = tsr_gpu_bits_type(bytes);
    if (tsr_gpu_is_splat(m->p, v))
        return tsr_text_of(t, "(%s)TSR_WORD(%u)", type, put_word(b, tsr_gpu_pattern(m->p, v, 0)));
    tsr_xshape s;
    tsr_gpu_shape(m->p, v, &s);
    tsr_gpu_write_offset(&b->w, name, s.rank, s.dims, s.strides);
    return tsr_text_of(t, "TSR_POINTER(const %s, %u)[%s(i)]", type,
                       put_word(b, tsr_gpu_at(m, v, 0)), name);
}

static bool weave(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_xvalue *to = value(m->p, n->out[0]);
    int64_t half = bytes_of(to) / 2;
    const char *type = tsr_gpu_bits_type(half);
    boxes b;
    boxes_begin(&b);
    const char *x = element(m, &b, n->in[0], "at_real", half);
    const char *y = element(m, &b, n->in[1], "at_imaginary", half);
    uint32_t target = put_word(&b, tsr_gpu_at(m, n->out[0], 0));
    tsr_gpu_line(&b.w, "TSR_KERNEL_OF(run, %u, %d, 1)", b.nwords, TSR_GPU_THREADS);
    tsr_gpu_line(&b.w, "{");
    tsr_gpu_line(&b.w, "    const uint%d_t i = (uint%d_t)TSR_BLOCK(0) * %d + TSR_THREAD;",
                 to->n > INT32_MAX ? 64 : 32, to->n > INT32_MAX ? 64 : 32, TSR_GPU_THREADS);
    tsr_gpu_line(&b.w, "    %s *to = TSR_POINTER(%s, %u);", type, type, target);
    tsr_gpu_line(&b.w, "    if (i >= %lluu)", (unsigned long long)to->n);
    tsr_gpu_line(&b.w, "        return;");
    tsr_gpu_line(&b.w, "    const %s x = %s, y = %s;", type, x, y);
    tsr_gpu_line(&b.w, "    to[(uint64_t)i * 2] = x;");
    tsr_gpu_line(&b.w, "    to[(uint64_t)i * 2 + 1] = y;");
    tsr_gpu_line(&b.w, "}");
    tsr_gpu_run_kernel(m, &b.w, (to->n + TSR_GPU_THREADS - 1) / TSR_GPU_THREADS, b.words, b.nwords);
    return true;
}

/* ---- The device's number ---- */

static bool process(tsr_gpu_maker *m, const tsr_node *n)
{
    tsr_gpu_writer w;
    tsr_gpu_writer_init(&w);
    tsr_gpu_line(&w, "TSR_KERNEL_OF(run, 2, %d, 1)", TSR_GPU_THREADS);
    tsr_gpu_line(&w, "{");
    tsr_gpu_line(&w, "    if (TSR_THREAD == 0)");
    tsr_gpu_line(&w, "        *TSR_POINTER(uint32_t, 0) = (uint32_t)TSR_WORD(1);");
    tsr_gpu_line(&w, "}");
    const tsr_gpu_word words[] = {tsr_gpu_at(m, n->out[0], 0), {TSR_GPU_PROCESS, n->numbers[0]}};
    tsr_gpu_run_kernel(m, &w, 1, words, 2);
    return true;
}

bool tsr_gpu_move(tsr_gpu_maker *m)
{
    const tsr_node *n = &m->p->nodes.data[m->g->nodes.data[0]];
    switch ((tsr_move_kind)n->move) {
    case TSR_MOVE_COPY: return copy(m, n);
    case TSR_MOVE_BYTES: return add_copy(m, n->out[0], n->in[0]);
    case TSR_MOVE_CONCATENATE: return concatenate(m, n);
    case TSR_MOVE_PAD: return tsr_gpu_pad(m, n);
    case TSR_MOVE_DYNAMIC_SLICE: return dynamic_slice(m, n);
    case TSR_MOVE_UPDATE_SLICE: return update_slice(m, n);
    case TSR_MOVE_ROWS: return tsr_gpu_take_rows(m, n);
    case TSR_MOVE_GATHER: return tsr_gpu_gather(m, n);
    case TSR_MOVE_WEAVE: return weave(m, n);
    case TSR_MOVE_PROCESS: return process(m, n);
    case TSR_MOVE_RANDOM: return tsr_gpu_random(m, n);
    default: return tsr_gpu_refuse(m, "the target has no such movement");
    }
}
