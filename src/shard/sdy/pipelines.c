/* SPDX-License-Identifier: Apache-2.0 */
/* pipelines.c - Shardy's three pipelines: their passes, order and options.
 *
 * Each is built as text, pass by pass. The propagation pipeline is the import pipeline, propagation with the passes it
 * needs around calls, and the export pipeline. */
#include "shard/passes.h"

typedef struct {
    tsr_buf *out;
    tsr_buf dump_directory; /* in option syntax; empty: no dumps */
    int dumps;              /* number of the next dump */
    bool dedup, batching;
    bool origins, edges;
    bool avoid_export, collectives, cmv1, keep_rules, divisible, inline_meshes, per_instruction;
    tsr_buf filter; /* in option syntax */
    tsr_buf entry;  /* "entry-function=f"; empty: the default */
    int64_t replicas, partitions;
} steps;

static void add(steps *p, const char *fmt, ...) TSR_PRINTF(2, 3);
static void add(steps *p, const char *fmt, ...)
{
    if (p->out->len)
        tsr_buf_char(p->out, ',');
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(p->out, fmt, args);
    va_end(args);
}

static void add_from_entry(steps *p, const char *pass)
{
    bool given = p->entry.len > 0;
    add(p, "%s%s%.*s%s", pass, given ? "{" : "", TSR_STR_ARG(tsr_buf_text(&p->entry)),
        given ? "}" : "");
}

static const char *word(bool b)
{
    return b ? "true" : "false";
}

static void dump(steps *p, const char *name)
{
    if (p->dump_directory.len)
        add(p, "sdy-save-module{dump-directory=%.*s file-name=%02d.%s}",
            TSR_STR_ARG(tsr_buf_text(&p->dump_directory)), p->dumps, name);
    p->dumps++;
}

static void apply_constraints_and_groups(steps *p)
{
    add(p,
        "sdy-apply-sharding-constraints{debug-sharding-origins=%s "
        "debug-propagation-edge-sharding=%s}",
        word(p->origins), word(p->edges));
    /* Groups come last: conflicts between members appear only after constraints are applied. */
    add(p, "sdy-sharding-group-import");
}

static void import_passes(steps *p)
{
    add(p, "symbol-dce");
    add(p, "sdy-lift-inlined-meshes");
    add(p, "sdy-remove-size-one-axes");
    add(p, "sdy-propagate-sharding-from-func-to-call");
    add(p, "sdy-constant-or-scalar-splitter");
    if (p->batching)
        add(p, "sdy-explicit-gather-scatter-batching");
    add(p, "symbol-dce");
    add(p, "sdy-manual-axes-cleanup");
    dump(p, "before_propagation");
    add(p, "sdy-add-data-flow-edges");
    if (p->dedup)
        apply_constraints_and_groups(p);
}

static void partition_passes(steps *p)
{
    add(p, "sdy-verify-unreduced-axes");
    add(p, "sdy-insert-explicit-reshards{enable-full-version=%s}",
        word(p->collectives || p->per_instruction));
    if (p->per_instruction) {
        dump(p, "before_per_instruction_partitioning");
        add(p,
            "sdy-per-instruction-partitioning{filter=%.*s replica-count=%lld partition-count=%lld}",
            TSR_STR_ARG(tsr_buf_text(&p->filter)), (long long)p->replicas,
            (long long)p->partitions);
        dump(p, "after_per_instruction_partitioning");
    } else if (p->collectives) {
        dump(p, "after_explicit_reshards");
        add(p, "canonicalize{enable-patterns=sdy-reshard}");
        add(p, "sdy-reshard-to-collectives");
    }
    add(p, "canonicalize{enable-patterns=sdy-collective}");
    if (p->collectives && p->cmv1)
        add(p, "sdy-remove-all-gather-reduce-scatter-for-cmv1");
    dump(p, p->collectives ? "after_partitioner_with_global_shapes"
                           : "after_minimal_partitioner_with_global_shapes");
}

static void export_passes(steps *p)
{
    add(p, "sdy-constant-or-scalar-merger");
    add(p,
        "sdy-sink-data-flow-edges{sink-debug-sharding-origins=%s "
        "sink-debug-propagation-edge-sharding=%s}",
        word(p->origins), word(p->edges));
    if (!p->avoid_export) {
        add(p, "sdy-remove-sharding-groups");
        add(p, "sdy-sharding-constraint-to-reshard");
    }
    if (p->divisible) {
        add(p, "sdy-update-non-divisible-input-output-shardings");
        add_from_entry(p, "sdy-remove-sub-axes-in-input-output-shardings");
    }
    add(p, "sdy-close-shardings");
    dump(p, "after_propagation");
    if (!p->avoid_export)
        partition_passes(p);
    if (p->edges || p->origins)
        add(p, "sdy-remove-propagation-debug-info");
    if (!p->keep_rules)
        add(p, "sdy-drop-sharding-rules");
    if (!p->avoid_export && p->inline_meshes)
        add(p, "sdy-inline-meshes");
}

/* Options shared by the export and the propagation pipeline. */
static void read_options(steps *s, const tsr_pass *p)
{
    tsr_str dump_directory = tsr_pass_str(p, "dump-directory");
    if (dump_directory.len)
        tsr_option_quote(&s->dump_directory, dump_directory);
    s->avoid_export = tsr_pass_bool(p, "avoid-export-for-partitioning");
    s->collectives = tsr_pass_bool(p, "enable-insert-explicit-collectives");
    s->cmv1 = tsr_pass_bool(p, "remove-all-gather-reduce-scatter-for-cmv1");
    s->per_instruction = tsr_pass_bool(p, "enable-per-instruction-partitioning");
    tsr_option_quote(&s->filter, tsr_pass_str(p, "per-instruction-partitioning-filter"));
    tsr_str entry = tsr_pass_str(p, "entry-function");
    if (!tsr_str_is(entry, "main")) {
        tsr_buf_cstr(&s->entry, "entry-function=");
        tsr_option_quote(&s->entry, entry);
    }
    s->replicas = tsr_pass_int(p, "replica-count");
    s->partitions = tsr_pass_int(p, "partition-count");
    s->keep_rules = tsr_pass_bool(p, "keep-sharding-rules");
    s->divisible = tsr_pass_bool(p, "update-non-divisible-input-output-shardings");
    s->inline_meshes = tsr_pass_bool(p, "inline-meshes");
}

static void free_options(steps *s)
{
    tsr_buf_free(&s->dump_directory);
    tsr_buf_free(&s->filter);
    tsr_buf_free(&s->entry);
}

void expand_sdy_import_pipeline(const tsr_pass *p, tsr_buf *out)
{
    steps s = {.out = out, .dedup = tsr_pass_bool(p, "dedup-functions-fully")};
    s.batching = tsr_pass_bool(p, "enable-explicit-gather-scatter-batching");
    import_passes(&s);
}

void expand_sdy_export_pipeline(const tsr_pass *p, tsr_buf *out)
{
    steps s = {.out = out};
    read_options(&s, p);
    s.origins = tsr_pass_bool(p, "dump-sharding-origins");
    s.edges = tsr_pass_bool(p, "dump-propagation-edges");
    export_passes(&s);
    free_options(&s);
}

void expand_sdy_propagation_pipeline(const tsr_pass *p, tsr_buf *out)
{
    steps s = {.out = out, .dumps = 1, .dedup = tsr_pass_bool(p, "dedup-functions-fully")};
    read_options(&s, p);
    s.batching = tsr_pass_bool(p, "enable-explicit-gather-scatter-batching");
    s.origins = tsr_pass_bool(p, "debug-sharding-origins");
    s.edges = tsr_pass_bool(p, "debug-propagation-edge-sharding");
    import_passes(&s);
    if (s.dedup) {
        add_from_entry(&s, "sdy-add-func-data-flow-edges");
    } else {
        add(&s, "sdy-flatten-call-graph");
        add(&s, "symbol-dce");
        add(&s, "sdy-import-func-calls");
        add(&s, "symbol-dce");
        apply_constraints_and_groups(&s);
    }
    add(&s, "sdy-pre-order-funcs");
    /* Export passes would find the same rules by themselves, unless the options change them; then rules must stay on
     * ops. */
    bool conservative = tsr_pass_bool(p, "conservative-propagation");
    bool extra = tsr_pass_bool(p, "extra-rules");
    add(&s,
        "sdy-user-priority-propagate{keep-sharding-rules=%s conservative-propagation=%s "
        "debug-sharding-origins=%s debug-propagation-edge-sharding=%s extra-rules=%s%s%.*s%s%.*s}",
        word(s.keep_rules || (!s.avoid_export && (conservative || extra)) || s.dump_directory.len),
        word(conservative), word(s.origins), word(s.edges), word(extra), s.entry.len ? " " : "",
        TSR_STR_ARG(tsr_buf_text(&s.entry)), s.dump_directory.len ? " module-dump-directory=" : "",
        TSR_STR_ARG(tsr_buf_text(&s.dump_directory)));
    if (!s.dedup)
        add(&s, "sdy-export-named-computations");
    add_from_entry(&s, "sdy-propagate-to-func-results");
    if (s.dedup)
        add(&s, "sdy-sink-func-data-flow-edges");
    add(&s, "sdy-unflatten-call-graph");
    add(&s, "symbol-dce");
    add(&s, "sdy-insert-func-call-reshards");
    export_passes(&s);
    free_options(&s);
}
