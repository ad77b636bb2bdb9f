/* page.c - the page: page.html, with the JSON in the place of its one mark. */
#include "explore/graph.h"

/* The lines of page.html, which the makefile writes as C; NULL at the end. */
extern const char *const tsr_page_lines[];

void tsr_page_html(tsr_buf *out, const tsr_page *page)
{
    for (size_t i = 0; tsr_page_lines[i]; i++)
        if (strcmp(tsr_page_lines[i], "@JSON@\n") == 0)
            tsr_page_json(out, page);
        else
            tsr_buf_cstr(out, tsr_page_lines[i]);
}
