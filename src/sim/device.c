/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - reads device files and reports where in the text a mistake is: see device.h. */
#include "sim/device.h"

#include <stdio.h>

#include "base/decimal.h"
#include "base/json.h"

/* Files of src/sim/devices, as the makefile writes them: a name, its lines, NULL; NULL at the end. */
extern const char *const tsr_device_file_lines[];

typedef struct {
    tsr_arena *arena;
    tsr_device_file_error *error;
    bool ok;
} reader;

static void fail(reader *r, size_t at, const char *reason, tsr_str what)
{
    if (r->ok)
        snprintf(r->error->reason, sizeof r->error->reason, reason,
                 (int)(what.len > 60 ? 60 : what.len), what.data ? what.data : "");
    if (r->ok)
        r->error->at = at;
    r->ok = false;
}

static double number_of(reader *r, const tsr_json *v, tsr_str key)
{
    double x = 0;
    if (v->kind == TSR_JSON_INT)
        x = (double)v->i;
    else if (v->kind != TSR_JSON_NUMBER || !tsr_str_double(v->s, &x))
        fail(r, v->at, "'%.*s' must be a number", key);
    if (!(x >= 0 && x <= 1e30))
        fail(r, v->at, "'%.*s' must not be negative or too large", key);
    return x;
}

/* A field of an object: its name, and where its number is stored. */
typedef struct {
    const char *key;
    double *to;
    bool positive; /* required, and must not be 0 */
} field;

static const tsr_json *member(const tsr_json *object, const char *key)
{
    for (size_t i = 0; i < object->n; i++)
        if (tsr_str_eq(object->keys[i], tsr_cstr(key)))
            return object->items[i];
    return NULL;
}

static void read_fields(reader *r, const tsr_json *object, const field *fields, size_t n)
{
    for (size_t i = 0; r->ok && i < n; i++) {
        const tsr_json *v = member(object, fields[i].key);
        if (v)
            *fields[i].to = number_of(r, v, tsr_cstr(fields[i].key));
        else if (fields[i].positive)
            fail(r, object->at, "'%.*s' is missing", tsr_cstr(fields[i].key));
        if (v && fields[i].positive && !(*fields[i].to > 0))
            fail(r, v->at, "'%.*s' must be more than 0", tsr_cstr(fields[i].key));
    }
}

static tsr_str read_string(reader *r, const tsr_json *object, const char *key, bool needed)
{
    const tsr_json *v = member(object, key);
    if (!v && needed)
        fail(r, object->at, "'%.*s' is missing", tsr_cstr(key));
    if (v && v->kind != TSR_JSON_STRING)
        fail(r, v->at, "'%.*s' must be a string", tsr_cstr(key));
    return v && r->ok ? v->s : (tsr_str){0};
}

/* Unknown keys are errors. */
static void check_keys(reader *r, const tsr_json *object, const char *known)
{
    for (size_t i = 0; r->ok && i < object->n; i++) {
        tsr_str key = object->keys[i];
        bool found = false;
        for (const char *p = known; *p && !found;) {
            size_t len = strcspn(p, " ");
            found = len == key.len && memcmp(p, key.data, len) == 0;
            p += len + (p[len] == ' ');
        }
        if (!found)
            fail(r, object->items[i]->at, "'%.*s' is no field of a device file", key);
    }
}

static double share_of(reader *r, const tsr_json *object, const char *key, double otherwise)
{
    const tsr_json *v = member(object, key);
    double x = v ? number_of(r, v, tsr_cstr(key)) : otherwise;
    if (v && !(x > 0 && x <= 1))
        fail(r, v->at, "'%.*s' must be more than 0 and at most 1", tsr_cstr(key));
    return x;
}

static void read_link(reader *r, const tsr_json *v, tsr_sim_link *out, bool last)
{
    double devices = 0;
    if (v->kind != TSR_JSON_OBJECT) {
        fail(r, v->at, "a link must be an object%.*s", (tsr_str){0});
        return;
    }
    check_keys(r, v, "name devices bandwidth share latency launch half torus");
    out->name = read_string(r, v, "name", true);
    field fields[] = {{"bandwidth", &out->bandwidth, true},
                      {"latency", &out->latency, false},
                      {"launch", &out->launch, false},
                      {"half", &out->half, false},
                      {"devices", &devices, false}};
    read_fields(r, v, fields, TSR_COUNT(fields));
    out->bandwidth *= share_of(r, v, "share", 1);
    out->devices = devices < 1e9 ? (int64_t)devices : 0;
    const tsr_json *torus = member(v, "torus");
    if (torus && torus->kind != TSR_JSON_BOOL)
        fail(r, torus->at, "'%.*s' must be true or false", TSR_STR("torus"));
    out->torus = torus && torus->i;
    if (!last && out->devices < 1)
        fail(r, v->at, "only the last link connects all devices: 'devices' is missing%.*s",
             (tsr_str){0});
}

static void read_links(reader *r, const tsr_json *root, tsr_device_file *out)
{
    const tsr_json *links = member(root, "links");
    if (!links || links->kind != TSR_JSON_ARRAY || !links->n || links->n > TSR_SIM_LINKS) {
        fail(r, links ? links->at : root->at, "'%.*s' must be a list of 1 to 4 links",
             TSR_STR("links"));
        return;
    }
    out->nlink = (uint32_t)links->n;
    for (size_t i = 0; r->ok && i < links->n; i++) {
        read_link(r, links->items[i], &out->links[i], i + 1 == links->n);
        if (i && out->links[i].devices && out->links[i].devices < out->links[i - 1].devices)
            fail(r, links->items[i]->at, "links go from the closest to the farthest%.*s",
                 (tsr_str){0});
    }
    if (r->ok)
        out->links[out->nlink - 1].devices = 0;
}

static void read_products(reader *r, const tsr_json *root, tsr_device_file *out)
{
    const tsr_json *v = member(root, "products"), *half = member(root, "product_half");
    if (!v || v->kind != TSR_JSON_OBJECT || !v->n || v->n > TSR_SIM_TYPES) {
        fail(r, v ? v->at : root->at, "'%.*s' must have a rate for each of 1 to 8 element types",
             TSR_STR("products"));
        return;
    }
    out->nproduct = (uint32_t)v->n;
    for (size_t i = 0; r->ok && i < v->n; i++) {
        out->products[i].type = v->keys[i];
        out->products[i].rate = number_of(r, v->items[i], v->keys[i]);
        if (!(out->products[i].rate > 0))
            fail(r, v->items[i]->at, "'%.*s' must be more than 0", v->keys[i]);
    }
    if (half && (half->kind != TSR_JSON_ARRAY || half->n != 3))
        fail(r, half->at, "'%.*s' must have three numbers", TSR_STR("product_half"));
    for (size_t i = 0; half && r->ok && i < 3; i++)
        out->product_half[i] = number_of(r, half->items[i], TSR_STR("product_half"));
}

bool tsr_device_file_read(tsr_arena *arena, tsr_str text, tsr_device_file *out,
                          tsr_device_file_error *error)
{
    tsr_json_error bad = {0};
    reader r = {arena, error, true};
    *out = (tsr_device_file){0};
    const tsr_json *root = tsr_json_read(arena, text, &bad);
    if (!root) {
        fail(&r, bad.at, "%.*s", tsr_cstr(bad.reason));
        return false;
    }
    if (root->kind != TSR_JSON_OBJECT) {
        fail(&r, root->at, "a device file is an object%.*s", (tsr_str){0});
        return false;
    }
    check_keys(&r, root,
               "name about memory bandwidth bandwidth_share launch vector products product_share "
               "product_half attention_share overlap links");
    out->name = read_string(&r, root, "name", true);
    out->about = read_string(&r, root, "about", false);
    field fields[] = {{"memory", &out->memory, true},
                      {"bandwidth", &out->bandwidth, true},
                      {"vector", &out->vector, true},
                      {"launch", &out->launch, false}};
    read_fields(&r, root, fields, TSR_COUNT(fields));
    out->bandwidth *= share_of(&r, root, "bandwidth_share", 1);
    out->product_share = share_of(&r, root, "product_share", 1);
    out->attention_share = share_of(&r, root, "attention_share", 0.5);
    out->overlap = share_of(&r, root, "overlap", 1);
    if (r.ok)
        read_products(&r, root, out);
    if (r.ok)
        read_links(&r, root, out);
    return r.ok;
}

tsr_str tsr_device_file_text(tsr_str name)
{
    tsr_buf text = {0};
    for (size_t i = 0; tsr_device_file_lines[i];) {
        bool it = tsr_str_eq(tsr_cstr(tsr_device_file_lines[i++]), name);
        for (; tsr_device_file_lines[i]; i++)
            if (it)
                tsr_buf_cstr(&text, tsr_device_file_lines[i]);
        i++;
    }
    return tsr_buf_text(&text);
}

void tsr_device_file_names(tsr_buf *out)
{
    for (size_t i = 0; tsr_device_file_lines[i];) {
        tsr_buf_cstr(out, i ? ", " : "");
        tsr_buf_cstr(out, tsr_device_file_lines[i]);
        while (tsr_device_file_lines[i])
            i++;
        i++;
    }
}
