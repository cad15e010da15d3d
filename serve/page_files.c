/* The files of the page, which are part of the program. */
#include "page_files.h"

#include <stddef.h>
#include <string.h>

/* Made from serve/page and report by tools/embed. */
extern const char http_page_html[], http_page_css[], http_page_js[], cli_report_css[];

static const http_page_file files[] = {
    {"/", "text/html; charset=utf-8", http_page_html},
    {"/page.css", "text/css; charset=utf-8", http_page_css},
    {"/page.js", "text/javascript; charset=utf-8", http_page_js},
    {"/report.css", "text/css; charset=utf-8", cli_report_css},
};

const http_page_file *http_page_find(const char *path)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].path, path) == 0) return &files[i];
    return NULL;
}
