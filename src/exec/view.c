/* SPDX-License-Identifier: Apache-2.0 */
/* view.c - see view.h. */
#include "exec/view.h"

int64_t tsr_xspace_size(const tsr_xspace *s)
{
    int64_t n = 1;
    for (uint8_t i = 0; i < s->rank; i++)
        n *= s->dims[i];
    return n;
}

bool tsr_xspace_of(tsr_xspace *s, const int64_t *dims, size_t rank)
{
    s->rank = 0;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] == 1)
            continue;
        if (s->rank == TSR_VIEW_RANK)
            return false;
        s->dims[s->rank++] = dims[i];
    }
    return true;
}

/* Adds a dimension before the existing ones. */
static bool prepend(tsr_xspace *s, int64_t dim)
{
    if (dim == 1)
        return true;
    if (s->rank == TSR_VIEW_RANK)
        return false;
    memmove(s->dims + 1, s->dims, s->rank * sizeof *s->dims);
    s->dims[0] = dim;
    s->rank++;
    return true;
}

bool tsr_xspace_refine(tsr_xspace *out, const tsr_xspace *a, const tsr_xspace *b)
{
    tsr_xspace made = {0};
    int i = a->rank, j = b->rank;
    int64_t x = 1, y = 1; /* the rest of the current dimension */
    for (;;) {
        while (x == 1 && i > 0)
            x = a->dims[--i];
        while (y == 1 && j > 0)
            y = b->dims[--j];
        if (x == 1 || y == 1)
            break;
        int64_t least = x < y ? x : y;
        if (x % least || y % least || !prepend(&made, least))
            return false;
        x /= least;
        y /= least;
    }
    if (x != 1 || y != 1)
        return false;
    *out = made;
    return true;
}

tsr_xview tsr_xview_whole(const tsr_xspace *s)
{
    tsr_xview v = {.space = *s};
    int64_t step = 1;
    for (int i = s->rank; i-- > 0;) {
        v.strides[i] = step;
        step *= s->dims[i];
    }
    return v;
}

bool tsr_xview_is_whole(const tsr_xview *v)
{
    int64_t step = 1;
    for (int i = v->space.rank; i-- > 0;) {
        if (v->strides[i] != step)
            return false;
        step *= v->space.dims[i];
    }
    return v->offset == 0;
}

bool tsr_xview_is_constant(const tsr_xview *v)
{
    for (uint8_t i = 0; i < v->space.rank; i++)
        if (v->strides[i])
            return false;
    return true;
}

bool tsr_xview_cut(tsr_xview *out, const tsr_xview *v, const tsr_xspace *fine)
{
    tsr_xview made = {.space = *fine, .offset = v->offset};
    int i = v->space.rank - 1;
    int64_t left = i >= 0 ? v->space.dims[i] : 1, step = i >= 0 ? v->strides[i] : 0;
    for (int k = fine->rank; k-- > 0;) {
        if (left % fine->dims[k])
            return false;
        made.strides[k] = step;
        step *= fine->dims[k];
        left /= fine->dims[k];
        if (left == 1 && i > 0) {
            i--;
            left = v->space.dims[i];
            step = v->strides[i];
        }
    }
    *out = made;
    return left == 1 && i <= 0;
}

tsr_xview tsr_xview_join(const tsr_xview *v)
{
    tsr_xview made = {.offset = v->offset};
    for (uint8_t i = 0; i < v->space.rank; i++) {
        uint8_t last = made.space.rank;
        if (last && made.strides[last - 1] == v->strides[i] * v->space.dims[i]) {
            made.space.dims[last - 1] *= v->space.dims[i];
            made.strides[last - 1] = v->strides[i];
            continue;
        }
        made.space.dims[last] = v->space.dims[i];
        made.strides[last] = v->strides[i];
        made.space.rank++;
    }
    return made;
}

int64_t tsr_xview_at(const tsr_xview *v, int64_t i)
{
    int64_t at = v->offset;
    for (int k = v->space.rank; k-- > 0; i /= v->space.dims[k])
        at += i % v->space.dims[k] * v->strides[k];
    return at;
}

bool tsr_xshape_whole(tsr_xshape *v, const int64_t *dims, size_t rank)
{
    if (rank > TSR_VIEW_RANK)
        return false;
    *v = (tsr_xshape){.rank = (uint8_t)rank};
    int64_t step = 1;
    for (size_t i = rank; i-- > 0;) {
        v->dims[i] = dims[i];
        v->strides[i] = step;
        step *= dims[i];
    }
    return true;
}

tsr_xview tsr_xview_of(const tsr_xshape *s)
{
    tsr_xview v = {.offset = s->offset};
    for (uint8_t i = 0; i < s->rank; i++) {
        if (s->dims[i] == 1)
            continue;
        v.space.dims[v.space.rank] = s->dims[i];
        v.strides[v.space.rank++] = s->strides[i];
    }
    return v;
}

bool tsr_xshape_reshape(tsr_xshape *out, const tsr_xshape *v, const int64_t *dims, size_t rank)
{
    tsr_xspace fine, wanted;
    if (rank > TSR_VIEW_RANK || !tsr_xspace_of(&wanted, dims, rank))
        return false;
    tsr_xview bare = tsr_xview_of(v), cut, joined;
    if (!tsr_xspace_refine(&fine, &bare.space, &wanted) || !tsr_xview_cut(&cut, &bare, &fine))
        return false;
    /* Each requested dimension is a run of finer ones, whose strides must allow merging them. */
    uint8_t k = 0;
    tsr_xview made = {.space = wanted, .offset = v->offset};
    for (uint8_t i = 0; i < wanted.rank; i++) {
        tsr_xview run = {0};
        for (int64_t n = 1; n < wanted.dims[i]; n *= fine.dims[k], k++) {
            run.space.dims[run.space.rank] = fine.dims[k];
            run.strides[run.space.rank++] = cut.strides[k];
        }
        joined = tsr_xview_join(&run);
        if (joined.space.rank != 1)
            return false;
        made.strides[i] = joined.strides[0];
    }
    *out = (tsr_xshape){.rank = (uint8_t)rank, .offset = v->offset};
    k = 0;
    for (size_t i = 0; i < rank; i++) {
        out->dims[i] = dims[i];
        out->strides[i] = dims[i] == 1 ? 0 : made.strides[k++];
    }
    return true;
}

bool tsr_xview_is_by_row(const tsr_xview *v, int64_t inner)
{
    int64_t n = tsr_xspace_size(&v->space);
    if (!inner || n % inner || v->offset)
        return false;
    tsr_xspace two = {0};
    int64_t rows = n / inner;
    if (rows != 1)
        two.dims[two.rank++] = rows;
    if (inner != 1)
        two.dims[two.rank++] = inner;
    tsr_xspace fine;
    tsr_xview cut;
    if (!tsr_xspace_refine(&fine, &v->space, &two) || !tsr_xview_cut(&cut, v, &fine))
        return false;
    int64_t step = 1, seen = 1;
    for (int i = fine.rank; i-- > 0;) {
        if (seen < inner) {
            if (cut.strides[i])
                return false;
            seen *= fine.dims[i];
            continue;
        }
        if (cut.strides[i] != step)
            return false;
        step *= fine.dims[i];
    }
    return true;
}

bool tsr_xview_same(const tsr_xview *a, const tsr_xview *b)
{
    if (!a || !b)
        return a == b;
    return a->offset == b->offset && a->space.rank == b->space.rank &&
           !memcmp(a->space.dims, b->space.dims, a->space.rank * sizeof *a->space.dims) &&
           !memcmp(a->strides, b->strides, a->space.rank * sizeof *a->strides);
}
