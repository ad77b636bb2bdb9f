/* code.c - programs as text of other languages, in the public API. */
#include <tessera/code.h>

#include "api/api.h"
#include "api/guard.h"
#include "target/emit/emit.h"

tsr_str tsr_module_code(tsr_module *m, tsr_str language)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    bool ok = false;
    if (tsr_str_is(language, "cpp"))
        ok = tsr_emit_cpp(m, (tsr_str){0}, &out);
    else if (tsr_str_is(language, "python"))
        ok = tsr_emit_python(m, (tsr_str){0}, &out);
    else
        tsr_error(m->ctx, TSR_LOC_UNKNOWN, "there is no language '%.*s': cpp and python are",
                  TSR_STR_ARG(language));
    if (ok)
        tsr_buf_reserve(&out, 1); /* an empty text is one, too */
    else
        tsr_buf_free(&out);
    tsr_guard_close(&g);
    return ok ? (tsr_str){out.data, out.len} : TSR_NO_TEXT;
}
