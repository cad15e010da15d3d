/* Small things that the sections of the report are made of. All text is escaped, by odim_printable and for
 * HTML. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include <stdio.h>

#include "report.h"

void cli_html_count(FILE *f, int64_t n);
void cli_html_number(FILE *f, double v);
void cli_html_percent(FILE *f, double share);
void cli_html_text(FILE *f, const char *text);
/* A name of any length, made safe to show and cut in the middle where it is too long; it may be in buf. */
enum { CLI_HTML_NAME = 61 };
const char *cli_html_cut(const char *name, char buf[CLI_HTML_NAME]);
void cli_html_name(FILE *f, const char *name);
/* What a file is called in a title. */
const char *cli_html_file(const char *path);
/* The name of a column of the model, or the part of a picture that it is in. */
const char *cli_html_column(const cli_findings *f, int64_t col);

/* A section with its heading. */
void cli_html_begin(FILE *f, const char *id, const char *heading);
void cli_html_end(FILE *f);

/* The sections of report_parts.c: they write nothing where there is nothing to say. */
void cli_html_columns(const cli_findings *f, FILE *to);
void cli_html_labels(const cli_findings *f, FILE *to);
void cli_html_learning(const cli_findings *f, FILE *to);
void cli_html_quality(const cli_findings *f, FILE *to);
void cli_html_run(const cli_findings *f, FILE *to);

#endif
