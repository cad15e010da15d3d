/* Options for reading: kept as texts, handed to the library, and written as JSON or as a command line. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "lists.h"
#include "shell_word.h"

const char *const serve_option_names[SERVE_OPTION_TEXTS] = {"id",        "label",    "known",   "format",
                                                            "delimiter", "encoding", "decimal", "bad_rows",
                                                            "entry",     "sheet",    "table",   "sql"};
const char *const serve_list_names[SERVE_LISTS] = {"ignore", "only", "na"};
/* Options of the command. */
static const char *const text_flags[SERVE_OPTION_TEXTS] = {
    "id",      "label",    "known-outliers", "format", "delimiter", "encoding",
    "decimal", "bad-rows", "entry",          "sheet",  "table",     "sql"};

void serve_options_free(serve_options *o)
{
    for (int i = 0; i < SERVE_OPTION_TEXTS; i++) od_free(o->text[i]);
    for (int i = 0; i < SERVE_LISTS; i++) od_strlist_free(&o->list[i]);
    od_strlist_free(&o->types);
    *o = (serve_options){0};
}

static odim_status copy_list(od_strlist *to, const od_strlist *from, serve_problem *why)
{
    odim_error err;
    for (size_t i = 0; i < from->count; i++) {
        const char *text = od_strlist_at(from, i);
        if (od_strlist_add(to, text, strlen(text), &err)) return serve_fail_error(why, &err);
    }
    return ODIM_OK;
}

odim_status serve_options_copy(serve_options *to, const serve_options *from, serve_problem *why)
{
    odim_status status = ODIM_OK;
    *to = (serve_options){.header = from->header};
    for (int i = 0; !status && i < SERVE_OPTION_TEXTS; i++)
        if (from->text[i] && !(to->text[i] = od_strndup(from->text[i], strlen(from->text[i]))))
            status = serve_fail_nomem(why);
    for (int i = 0; !status && i < SERVE_LISTS; i++) status = copy_list(&to->list[i], &from->list[i], why);
    if (!status) status = copy_list(&to->types, &from->types, why);
    if (status) serve_options_free(to);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------- */

void serve_options_json(const serve_options *o, const char *id, cli_json *j)
{
    for (int i = 0; i < SERVE_OPTION_TEXTS; i++) {
        const char *text = i == SERVE_OPTION_ID && !o->text[i] ? id : o->text[i];
        if (text) cli_json_string(j, serve_option_names[i], text);
    }
    for (int i = 0; i < SERVE_LISTS; i++) {
        if (!o->list[i].count) continue;
        cli_json_begin(j, serve_list_names[i], '[');
        for (size_t k = 0; k < o->list[i].count; k++) cli_json_string(j, NULL, od_strlist_at(&o->list[i], k));
        cli_json_end(j);
    }
    if (o->types.count) {
        cli_json_begin(j, "types", '{');
        for (size_t k = 0; k + 1 < o->types.count; k += 2)
            cli_json_string(j, od_strlist_at(&o->types, k), od_strlist_at(&o->types, k + 1));
        cli_json_end(j);
    }
    if (o->header) cli_json_raw(j, "header", o->header > 0 ? "true" : "false");
}

/* An item of a list with commas: in double quotes where it would be cut. */
static void put_item(FILE *f, const char *text)
{
    size_t len = strlen(text);
    bool plain = len > 0 && !strpbrk(text, ",\"") && !strchr(" \t", *text) && !strchr(" \t", text[len - 1]);
    if (plain) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"') fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

/* Lists of types have a sign between a column and its type. */
static void put_list(FILE *f, const char *flag, const od_strlist *list, bool pairs)
{
    char *text = NULL;
    size_t size = 0;
    FILE *word = list->count ? open_memstream(&text, &size) : NULL;
    if (!word) return;
    for (size_t k = 0; k < list->count; k++) {
        if (k) fputc(pairs && k % 2 ? '=' : ',', word);
        put_item(word, od_strlist_at(list, k));
    }
    if (fclose(word) == 0) {
        fprintf(f, " --%s ", flag);
        cli_shell_word(f, text);
    }
    free(text);
}

void serve_options_command(const serve_options *o, FILE *f)
{
    for (int i = 0; i < SERVE_OPTION_TEXTS; i++) {
        if (!o->text[i]) continue;
        const char *text = i == SERVE_OPTION_ID && !*o->text[i]                        ? "none"
                           : i == SERVE_OPTION_DELIMITER && *o->text[i] == '\t'        ? "tab"
                           : i == SERVE_OPTION_DECIMAL && strcmp(o->text[i], ",") == 0 ? "comma"
                           : i == SERVE_OPTION_DECIMAL && strcmp(o->text[i], ".") == 0 ? "point"
                                                                                       : o->text[i];
        fprintf(f, " --%s ", text_flags[i]);
        cli_shell_word(f, text);
    }
    for (int i = 0; i < SERVE_LISTS; i++) put_list(f, serve_list_names[i], &o->list[i], false);
    put_list(f, "types", &o->types, true);
    if (o->header) fputs(o->header > 0 ? " --header" : " --no-header", f);
}

/* ---- for the library -------------------------------------------------------------------------------- */

/* The place of a word among others that are separated by |; -1: it is none. */
static int choose(const char *word, const char *choices)
{
    size_t len = strlen(word);
    for (int place = 0;; place++) {
        size_t end = strcspn(choices, "|");
        if (end == len && strncmp(choices, word, len) == 0) return place;
        if (!choices[end]) return -1;
        choices += end + 1;
    }
}

static odim_status set_texts(odim_read_options *r, const serve_options *o, serve_problem *why)
{
    const char *delimiter = o->text[SERVE_OPTION_DELIMITER], *decimal = o->text[SERVE_OPTION_DECIMAL],
               *bad = o->text[SERVE_OPTION_BAD_ROWS];
    r->id = o->text[SERVE_OPTION_ID];
    r->label = o->text[SERVE_OPTION_LABEL];
    r->known = o->text[SERVE_OPTION_KNOWN];
    r->format = o->text[SERVE_OPTION_FORMAT];
    r->encoding = o->text[SERVE_OPTION_ENCODING];
    r->entry = o->text[SERVE_OPTION_ENTRY];
    r->sheet = o->text[SERVE_OPTION_SHEET];
    r->table = o->text[SERVE_OPTION_TABLE];
    r->sql = o->text[SERVE_OPTION_SQL];
    r->header = o->header;
    if (delimiter && strlen(delimiter) > 1 && choose(delimiter, "tab|\\t") < 0)
        return serve_fail(why, 400, "delimiter must be one character or 'tab', not '%s'", delimiter);
    if (delimiter) r->delimiter = strlen(delimiter) > 1 ? '\t' : (unsigned char)*delimiter;
    if (decimal && choose(decimal, ",|.|comma|point") < 0)
        return serve_fail(why, 400, "decimal must be ',' or '.', not '%s'", decimal);
    if (decimal) r->decimal = choose(decimal, ",|.|comma|point") % 2 ? '.' : ',';
    if (bad && choose(bad, "stop|skip|call") < 0)
        return serve_fail(why, 400, "bad_rows must be stop, skip or call, not '%s'", bad);
    if (bad) r->bad_rows = (odim_bad_rows)choose(bad, "stop|skip|call");
    return ODIM_OK;
}

/* Appends an array that ends with NULL; nothing if the list is empty. */
static const char *const *put_array(const char ***at, const od_strlist *list)
{
    const char **start = *at;
    if (!list->count) return NULL;
    for (size_t k = 0; k < list->count; k++) *(*at)++ = od_strlist_at(list, k);
    *(*at)++ = NULL;
    return start;
}

/* The columns of one type or, with `formats`, pairs of columns and formats of all types. */
static const char *const *put_types(const char ***at, const od_strlist *types, odim_type type, bool formats)
{
    const char **start = *at;
    for (size_t k = 0; k + 1 < types->count; k += 2) {
        odim_type its;
        const char *format;
        if (!cli_list_type(od_strlist_at(types, k + 1), &its, &format)) continue;
        if (formats ? !format : its != type) continue;
        *(*at)++ = od_strlist_at(types, k);
        if (formats) *(*at)++ = format;
    }
    if (*at == start) return NULL;
    *(*at)++ = NULL;
    return start;
}

odim_status serve_reading_make(serve_reading *r, const serve_options *o, serve_problem *why)
{
    size_t room = 3 * o->types.count + CLI_TYPES + 1;
    *r = (serve_reading){.options = ODIM_READ_OPTIONS_INIT};
    r->options.keep = 1;
    odim_status status = set_texts(&r->options, o, why);
    for (int i = 0; i < SERVE_LISTS; i++) room += o->list[i].count + 1;
    if (!status && !(r->lists = od_alloc(room, sizeof *r->lists))) status = serve_fail_nomem(why);
    if (status) return status;
    const char **at = r->lists;
    r->options.ignore = put_array(&at, &o->list[SERVE_LIST_IGNORE]);
    r->options.only = put_array(&at, &o->list[SERVE_LIST_ONLY]);
    r->options.na = put_array(&at, &o->list[SERVE_LIST_NA]);
    r->options.numeric = put_types(&at, &o->types, ODIM_NUMERIC, false);
    r->options.boolean = put_types(&at, &o->types, ODIM_BOOLEAN, false);
    r->options.categorical = put_types(&at, &o->types, ODIM_CATEGORICAL, false);
    r->options.time = put_types(&at, &o->types, ODIM_TIME, false);
    r->options.formats = put_types(&at, &o->types, ODIM_NUMERIC, true);
    return ODIM_OK;
}

void serve_reading_free(serve_reading *r)
{
    od_free(r->lists);
    *r = (serve_reading){0};
}
