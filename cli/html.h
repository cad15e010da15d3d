/* Small things that the sections of the report are made of. All text is escaped, by odim_printable and for
 * HTML. */
#ifndef OD_HTML_H
#define OD_HTML_H

#include <stdio.h>

#include "report.h"

void od_html_count(FILE *f, int64_t n);
void od_html_number(FILE *f, double v);
void od_html_percent(FILE *f, double share);
void od_html_text(FILE *f, const char *text);
/* A name of any length, made safe to show and cut in the middle where it is too long; it may be in buf. */
enum { OD_HTML_NAME = 61 };
const char *od_html_cut(const char *name, char buf[OD_HTML_NAME]);
void od_html_name(FILE *f, const char *name);
/* What a file is called in a title. */
const char *od_html_file(const char *path);
/* The name of a column of the model. */
const char *od_html_column(const od_findings *f, int64_t col);

/* A section with its heading. */
void od_html_begin(FILE *f, const char *id, const char *heading);
void od_html_end(FILE *f);

/* The sections of report_parts.c: they write nothing where there is nothing to say. */
void od_html_columns(const od_findings *f, FILE *to);
void od_html_labels(const od_findings *f, FILE *to);
void od_html_learning(const od_findings *f, FILE *to);
void od_html_quality(const od_findings *f, FILE *to);
void od_html_run(const od_findings *f, FILE *to);

#endif
