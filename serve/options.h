/* How a table is read and a model is fitted, as a client says it: in a JSON body or as single texts. */
#ifndef SERVE_OPTIONS_H
#define SERVE_OPTIONS_H

#include "base/strlist.h"
#include "json.h"
#include "uploads.h"

/* Options that are one text. */
typedef enum serve_option {
    SERVE_OPTION_ID, /* "": no column */
    SERVE_OPTION_LABEL,
    SERVE_OPTION_KNOWN,
    SERVE_OPTION_FORMAT,
    SERVE_OPTION_DELIMITER,
    SERVE_OPTION_ENCODING,
    SERVE_OPTION_DECIMAL,
    SERVE_OPTION_BAD_ROWS,
    SERVE_OPTION_ENTRY,
    SERVE_OPTION_SHEET,
    SERVE_OPTION_TABLE,
    SERVE_OPTION_SQL,
    SERVE_OPTION_TEXTS
} serve_option;

/* Options that are a list of texts. */
typedef enum serve_list { SERVE_LIST_IGNORE, SERVE_LIST_ONLY, SERVE_LIST_NA, SERVE_LISTS } serve_list;

/* Their names in JSON. */
extern const char *const serve_option_names[SERVE_OPTION_TEXTS];
extern const char *const serve_list_names[SERVE_LISTS];

/* Begin with {0}. */
typedef struct serve_options {
    char *text[SERVE_OPTION_TEXTS]; /* NULL: not given */
    od_strlist list[SERVE_LISTS];
    od_strlist types; /* column, TYPE or TYPE:FORMAT, column, ... */
    int header;       /* 1, -1 or, not given, 0 */
} serve_options;

void serve_options_free(serve_options *o);
odim_status serve_options_copy(serve_options *to, const serve_options *from, serve_problem *why);
/* The members of an open object. id: the column that was found to be the id, where none was given; or NULL.
 */
void serve_options_json(const serve_options *o, const char *id, cli_json *j);
/* Writes them as they would be on a command line, each after a blank. */
void serve_options_command(const serve_options *o, FILE *f);

/* The options for the library, which point into `o`. Begin with {0}. */
typedef struct serve_reading {
    odim_read_options options;
    const char **lists; /* the arrays that they point to */
} serve_reading;

odim_status serve_reading_make(serve_reading *r, const serve_options *o, serve_problem *why);
void serve_reading_free(serve_reading *r);

/* Rows that a client names. */
typedef enum serve_said { SERVE_SAID_INLIERS, SERVE_SAID_OUTLIERS, SERVE_SAID_FORGET, SERVE_SAID } serve_said;

/* The body of a request. Begin with {0}. */
typedef struct serve_request {
    char table[SERVE_ID];
    bool has_options;
    serve_options options;
    od_strlist params;         /* name, value, name, ... */
    int64_t *rows[SERVE_SAID]; /* (count) from 1 */
    size_t count[SERVE_SAID], cap[SERVE_SAID];
} serve_request;

/* Parses a JSON object with any of "table", "options", "params", "outliers", "inliers" and "forget". */
odim_status serve_request_parse(serve_request *r, const char *body, size_t size, serve_problem *why);
/* Sets an option or a parameter from a text. */
odim_status serve_request_set(serve_request *r, const char *name, const char *value, serve_problem *why);
void serve_request_free(serve_request *r);

#endif
