/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_plan_json.c - a plan as JSON: see docs/SEARCH.md, "Plans". */
#include "api/mesh_plan.h"

static void key(tsr_buf *out, const char *name, tsr_str value)
{
    tsr_buf_report(out, ", \"%s\": ", name);
    tsr_buf_json(out, value);
}

static void mesh_json(tsr_buf *out, const tsr_search_mesh *mesh)
{
    tsr_buf_char(out, '[');
    for (uint32_t a = 0; a < mesh->n; a++) {
        tsr_buf_cstr(out, a ? ", {\"name\": " : "{\"name\": ");
        tsr_buf_json(out, mesh->names[a]);
        tsr_buf_report(out, ", \"size\": %lld}", (long long)mesh->sizes[a]);
    }
    tsr_buf_char(out, ']');
}

/* "dp+tp,_?" as [["dp", "tp"], []] and, if some dimension is open, "open": [false, true]. */
static void sharding_json(tsr_buf *out, tsr_str text)
{
    bool open = false, first = true;
    tsr_buf_cstr(out, ", \"sharding\": [");
    for (size_t i = 0, end; i < text.len; i = end + 1) {
        for (end = i; end < text.len && text.data[end] != ',';)
            end++;
        tsr_buf_cstr(out, first ? "[" : ", [");
        first = false;
        size_t last = end;
        if (last > i && text.data[last - 1] == '?') {
            open = true;
            last--;
        }
        for (size_t k = i, stop; k < last && text.data[k] != '_'; k = stop + 1) {
            for (stop = k; stop < last && text.data[stop] != '+';)
                stop++;
            tsr_buf_cstr(out, k > i ? ", " : "");
            tsr_buf_json(out, tsr_str_of(text.data + k, stop - k));
        }
        tsr_buf_char(out, ']');
    }
    tsr_buf_char(out, ']');
    if (!open)
        return;
    tsr_buf_cstr(out, ", \"open\": [");
    for (size_t i = 0; i <= text.len; i++)
        if (i == text.len || text.data[i] == ',') {
            tsr_buf_cstr(out, i && text.data[i - 1] == '?' ? "true" : "false");
            tsr_buf_cstr(out, i < text.len ? ", " : "");
        }
    tsr_buf_char(out, ']');
}

static void ports_json(tsr_buf *out, const char *name, const tsr_mesh_plan_port *ports, uint32_t n)
{
    tsr_buf_report(out, ",\n      \"%s\": [", name);
    for (uint32_t i = 0; i < n; i++) {
        tsr_buf_report(out, "%s\n        {\"index\": %u", i ? "," : "", i);
        key(out, "name", ports[i].name);
        key(out, "type", ports[i].type);
        key(out, "location", ports[i].location);
        sharding_json(out, ports[i].sharding);
        tsr_buf_char(out, '}');
    }
    tsr_buf_cstr(out, n ? "\n      ]" : "]");
}

static void pin_json(tsr_buf *out, const tsr_mesh_plan_pin *p)
{
    tsr_buf_cstr(out, "        {\"op\": ");
    tsr_buf_json(out, p->op);
    tsr_buf_report(out, ", \"number\": %u, \"result\": 0, \"operand\": ", p->number);
    if (p->operand)
        tsr_buf_report(out, "%u", p->operand - 1);
    else
        tsr_buf_cstr(out, "null");
    tsr_buf_report(out, ", \"group\": %u", p->group);
    key(out, "name", p->name);
    key(out, "type", p->type);
    key(out, "location", p->location);
    key(out, "source", p->source);
    sharding_json(out, p->sharding);
    if (p->without_seconds >= 0)
        tsr_buf_report(out, ", \"without\": {\"step_seconds\": %.9g, \"peak_bytes\": %.0f}",
                       p->without_seconds, p->without_peak);
    tsr_buf_char(out, '}');
}

static void candidate_json(tsr_buf *out, const tsr_mesh_plan_candidate *c)
{
    static const char *const words[] = {"false", "true"};
    tsr_buf_cstr(out, "    {\n      \"name\": ");
    tsr_buf_json(out, c->name);
    tsr_buf_cstr(out, ",\n      \"mesh\": ");
    mesh_json(out, &c->mesh);
    tsr_buf_report(out,
                   ",\n      \"step_seconds\": %.9g, \"peak_bytes\": %.0f, \"received_bytes\": "
                   "%.0f, \"exposed_seconds\": %.9g, \"collectives\": %u",
                   c->seconds, c->peak, c->moved, c->exposed, c->ncollective);
    tsr_buf_report(out, ",\n      \"fits\": %s, \"estimated\": %s, \"minimised\": %s",
                   words[c->fits], words[c->estimated], words[c->minimised]);
    tsr_buf_report(out, ", \"pins_before\": %u", c->pins_before);
    ports_json(out, "arguments", c->args, c->narg);
    ports_json(out, "results", c->results, c->nresult);
    tsr_buf_cstr(out, ",\n      \"pins\": [");
    for (uint32_t i = 0; i < c->npin; i++) {
        tsr_buf_cstr(out, i ? ",\n" : "\n");
        pin_json(out, &c->pins[i]);
    }
    tsr_buf_cstr(out, c->npin ? "\n      ]\n    }" : "]\n    }");
}

const char *tsr_pins_name(tsr_pins pins)
{
    static const char *const names[] = {"few", "none", "all"};
    return names[pins];
}

void tsr_mesh_plan_json(tsr_buf *out, const tsr_mesh_plan *p)
{
    tsr_buf_report(out, "{\n  \"format\": \"tessera-plan\",\n  \"version\": %d,\n",
                   TSR_MESH_PLAN_VERSION);
    tsr_buf_cstr(out, "  \"program\": {\"function\": ");
    tsr_buf_json(out, p->program.function);
    tsr_buf_printf(out, ", \"fingerprint\": \"%016llx\", \"ops\": %u},\n",
                   (unsigned long long)p->program.fingerprint, p->program.nop);
    tsr_buf_cstr(out, "  \"device\": ");
    tsr_buf_json(out, p->device);
    tsr_buf_report(out,
                   ",\n  \"memory_limit_bytes\": %.0f,\n  \"expressible\": %s,\n  \"keep\": %s,\n  "
                   "\"pins\": \"%s\",\n  \"mesh\": ",
                   p->memory, p->expressible ? "true" : "false", p->keep ? "true" : "false",
                   tsr_pins_name(p->pins));
    mesh_json(out, &tsr_mesh_plan_chosen(p)->mesh);
    tsr_buf_report(out, ",\n  \"chosen\": %u,\n  \"candidates\": [\n", p->chosen);
    for (uint32_t i = 0; i < p->n; i++) {
        tsr_buf_cstr(out, i ? ",\n" : "");
        candidate_json(out, &p->candidates[i]);
    }
    tsr_buf_cstr(out, "\n  ]\n}\n");
}
