/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - where an instruction comes from: metadata={op_name="..." source_file="..." source_line=3}, or
 * stack_frame_id=9, a line of the tables in front of the computations:
 *
 *   FileNames        1 "model.py"
 *   FunctionNames    1 "f"
 *   FileLocations    1 {file_name_id=1 function_name_id=1 line=17 end_line=17 column=4 end_column=18}
 *   StackFrames      1 {file_location_id=1 parent_frame_id=1}
 *
 * An instruction gets the innermost frame's place. */
#include "text/hlo/reader.h"

#include "base/char.h"

/* The value of name=value among fields that spaces separate; NULL data: none. */
static tsr_str field_of(xla_text t, const char *name)
{
    size_t n = strlen(name);
    while (t.p < t.end) {
        tsr_str word = xla_text_word(&t);
        if (!xla_text_take(&t, '=')) {
            t.p += t.p < t.end;
            continue;
        }
        const char *start = t.p;
        if (t.p < t.end && *t.p == '"') {
            for (t.p++; t.p < t.end && *t.p != '"'; t.p++)
                t.p += *t.p == '\\' && t.p + 1 < t.end;
            t.p += t.p < t.end;
        } else {
            while (t.p < t.end && *t.p != ' ' && *t.p != '}')
                t.p++;
        }
        if (word.len == n && memcmp(word.data, name, n) == 0)
            return (tsr_str){start, (size_t)(t.p - start)};
    }
    return (tsr_str){NULL, 0};
}

static int64_t int_in(xla_text t, const char *name)
{
    tsr_str s = field_of(t, name);
    xla_text v = xla_text_of(s);
    int64_t n;
    return s.data && xla_text_int(&v, &n) && n > 0 && n < INT32_MAX ? n : 0;
}

/* ---- The tables ---- */

static bool read_place(xla_reader *r, tsr_str inside)
{
    xla_text t = xla_text_of(inside);
    size_t file = (size_t)int_in(t, "file_name_id");
    tsr_str name = file && file <= r->files.n ? r->files.data[file - 1] : (tsr_str){"", 0};
    tsr_vec_push(&r->places,
                 name.len ? tsr_loc_file(r->ctx, tsr_name_get(r->ctx, name),
                                         (uint32_t)int_in(t, "line"), (uint32_t)int_in(t, "column"))
                          : TSR_LOC_UNKNOWN);
    return true;
}

/* A row: its number, which counts up, and a string or fields. */
static bool read_row(xla_reader *r, int table)
{
    const char *start = r->p;
    xla_text number = {r->p, r->end};
    int64_t n;
    if (!xla_text_int(&number, &n))
        return xla_error(r, start, "expected the number of a row");
    r->p = number.p;
    xla_space(r);
    const char *begin = r->p;
    if (*begin != '"' && *begin != '{')
        return xla_error(r, begin, "expected a row of the table");
    TSR_TRY(xla_skip(r, "\n"));
    tsr_str row = {begin, (size_t)(r->p - begin)};
    while (row.len && (row.data[row.len - 1] == ' ' || row.data[row.len - 1] == '\r'))
        row.len--;
    if (table == 0)
        tsr_vec_push(&r->files, xla_unquote(r, row));
    else if (table == 2)
        return read_place(r, row);
    else if (table == 3)
        tsr_vec_push(&r->frames, (uint32_t)int_in(xla_text_of(row), "file_location_id"));
    return true;
}

/* Takes the name of a table, which rows that begin with numbers follow. False: a computation is next. */
static bool take_title(xla_reader *r, tsr_str *name)
{
    const char *start = r->p;
    *name = xla_name(r);
    xla_space(r);
    if (name->len && tsr_is_digit((unsigned char)*r->p))
        return true;
    r->p = start;
    return false;
}

bool xla_read_tables(xla_reader *r)
{
    static const char *const names[] = {"FileNames", "FunctionNames", "FileLocations",
                                        "StackFrames"};
    tsr_str name;
    while (take_title(r, &name)) {
        int table = 0;
        while (table < 4 && !tsr_str_is(name, names[table]))
            table++; /* 4: one that XLA has added since, and nothing here needs */
        for (; tsr_is_digit((unsigned char)*r->p); xla_space(r))
            TSR_TRY(read_row(r, table));
    }
    return true;
}

/* ---- Instructions ---- */

tsr_loc xla_place(xla_reader *r, const xla_instr *i, const char *at)
{
    tsr_str meta = xla_attr_of(i, "metadata");
    tsr_loc own = xla_loc(r, at), place = TSR_LOC_UNKNOWN;
    if (!meta.data)
        return own;
    xla_text t = xla_text_of(meta);
    tsr_str file = xla_unquote(r, field_of(t, "source_file")),
            name = xla_unquote(r, field_of(t, "op_name"));
    size_t frame = (size_t)int_in(t, "stack_frame_id");
    size_t known = frame && frame <= r->frames.n ? r->frames.data[frame - 1] : 0;
    if (file.len)
        place = tsr_loc_file(r->ctx, tsr_name_get(r->ctx, file), (uint32_t)int_in(t, "source_line"),
                             (uint32_t)int_in(t, "source_column"));
    else if (known && known <= r->places.n)
        place = r->places.data[known - 1];
    if (!name.len)
        return place ? place : own;
    return tsr_loc_of_attr(
        tsr_attr_loc_name(r->ctx, name, tsr_loc_attr(r->ctx, place ? place : own)));
}
