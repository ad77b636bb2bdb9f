/* SPDX-License-Identifier: Apache-2.0 */
/* page.c - writes the page: page/page.html, with the JSON and the security policy inserted at their marks. */
#include "explore/graph.h"

/* The lines of page/page.html, which the makefile writes as C; NULL at the end. */
extern const char *const tsr_page_lines[];

/* Nothing is loaded from anywhere; a served page may send requests to its server. */
static void policy(tsr_buf *out, bool served)
{
    tsr_buf_printf(out,
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "script-src 'unsafe-inline'; style-src 'unsafe-inline'%s\">\n",
                   served ? "; connect-src 'self'" : "");
}

/* Large data are packed, small ones can be read. */
static void data(tsr_buf *out, const tsr_page *page)
{
    enum { LARGE = 1 << 18 };
    tsr_buf json = {0};
    tsr_page_json(&json, page, false);
    if (json.len < LARGE || json.len > UINT32_MAX)
        tsr_buf_str(out, tsr_buf_text(&json));
    else
        tsr_page_pack(out, tsr_buf_text(&json));
    tsr_buf_free(&json);
}

void tsr_page_html(tsr_buf *out, const tsr_page *page)
{
    for (size_t i = 0; tsr_page_lines[i]; i++)
        if (strcmp(tsr_page_lines[i], "@JSON@\n") == 0)
            data(out, page);
        else if (strcmp(tsr_page_lines[i], "@SUMMARY@\n") == 0)
            tsr_buf_str(out, page->nview ? page->views[page->nview - 1].look : (tsr_str){0});
        else if (strcmp(tsr_page_lines[i], "@POLICY@\n") == 0)
            policy(out, page->served);
        else
            tsr_buf_cstr(out, tsr_page_lines[i]);
}
