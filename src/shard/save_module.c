/* save_module.c - writes the module as text into a folder, between passes: a pipeline's dumps.
 * needs nothing; keeps everything; breaks nothing. */
#include <errno.h>
#include <stdio.h>

#include "shard/passes.h"
#include "text/text.h"

bool pass_sdy_save_module(tsr_pass *p, tsr_op *root)
{
    tsr_str dir = tsr_pass_str(p, "dump-directory"), name = tsr_pass_str(p, "file-name");
    if (!dir.len)
        return true;
    tsr_buf path = {0}, text = {0};
    tsr_buf_printf(&path, "%.*s/%.*s.mlir", TSR_STR_ARG(dir), TSR_STR_ARG(name));
    tsr_buf_char(&path, '\0');
    tsr_print_options options = {0};
    tsr_print_op(&text, root, &options);
    tsr_buf_char(&text, '\n');
    FILE *file = fopen(path.data, "wb");
    bool written = file && fwrite(text.data, 1, text.len, file) == text.len;
    if (file && fclose(file) != 0)
        written = false;
    if (!written) /* a dump is for people: its failure stops nothing */
        tsr_emit(p->ctx, TSR_WARNING, root->loc, "error when writing file %s: %s", path.data,
                 strerror(errno));
    tsr_buf_free(&path);
    tsr_buf_free(&text);
    return true;
}
