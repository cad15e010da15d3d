/* The files of the page, which are part of the program. */
#include "page_files.h"

#include <stddef.h>
#include <string.h>

/* Made by tools/embed from serve/page, report, plot and demo. */
extern const char http_page_html[], http_page_css[], cli_report_css[], plot_css[], http_example_csv[];
extern const char http_page_js[], http_api_js[], http_ui_js[], http_understood_js[], http_watch_js[],
    http_result_js[], http_marks_js[], cli_common_js[];

#define CSS "text/css; charset=utf-8"
#define JS  "text/javascript; charset=utf-8"

static const http_page_file files[] = {
    {"/", "text/html; charset=utf-8", http_page_html},
    {"/page.css", CSS, http_page_css},
    {"/report.css", CSS, cli_report_css},
    {"/plot.css", CSS, plot_css},
    {"/page.js", JS, http_page_js},
    {"/api.js", JS, http_api_js},
    {"/ui.js", JS, http_ui_js},
    {"/understood.js", JS, http_understood_js},
    {"/watch.js", JS, http_watch_js},
    {"/result.js", JS, http_result_js},
    {"/marks.js", JS, http_marks_js},
    {"/common.js", JS, cli_common_js},
    {"/example.csv", "text/csv; charset=utf-8", http_example_csv},
};

const http_page_file *http_page_find(const char *path)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].path, path) == 0) return &files[i];
    return NULL;
}
