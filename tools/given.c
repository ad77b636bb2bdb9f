/* given.c - shardings on the command line: --mesh, --arg and --result of several commands. */
#include "given.h"

int given_flag(const tool *t, const flag_given *g, bool result, given_vec *out)
{
    const char *colon = strchr(g->value, ':');
    size_t index = 0;
    bool ok = colon && colon > g->value && colon - g->value < 10;
    for (const char *p = g->value; ok && p < colon; p++) {
        ok = *p >= '0' && *p <= '9';
        index = index * 10 + (size_t)(*p - '0');
    }
    if (!ok) {
        fprintf(stderr,
                "%s: for the --%s option: '%s' value invalid: a number, a colon and a sharding are "
                "wanted\n",
                t->name, t->command->flags[g->id].name, g->value);
        return usage_exit(t);
    }
    tsr_vec_push(out, ((tsr_shard_given){index, tsr_cstr(colon + 1), result}));
    return 0;
}
