/* SPDX-License-Identifier: Apache-2.0 */
/* save_module.c - writes the module as text into a folder, between passes: the dumps of a pipeline. Needs nothing;
 * keeps everything; breaks nothing. */
#include "base/output.h"
#include "shard/core/dump.h"
#include "shard/passes.h"
#include "text/text.h"

void tsr_save_module(tsr_op *module, tsr_str dir, tsr_str name)
{
    if (!dir.len)
        return;
    tsr_buf path = {0}, text = {0};
    tsr_buf_printf(&path, "%.*s/%.*s.mlir", TSR_STR_ARG(dir), TSR_STR_ARG(name));
    tsr_buf_char(&path, '\0');
    tsr_print_options options = {0};
    tsr_print_op(&text, module, &options);
    tsr_buf_char(&text, '\n');
    tsr_status s = {0};
    if (!tsr_output_save(path.data, tsr_buf_text(&text), &s))
        /* A dump is only for inspection: its failure is not an error. */
        tsr_emit(module->module->ctx, TSR_WARNING, module->loc, "error when writing file: %s",
                 s.message);
    tsr_buf_free(&path);
    tsr_buf_free(&text);
}

bool pass_sdy_save_module(tsr_pass *p, tsr_op *root)
{
    tsr_save_module(root, tsr_pass_str(p, "dump-directory"), tsr_pass_str(p, "file-name"));
    return true;
}
