/* How a file is read, and which files a verb may write. */
#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"

/* The delimiter as a character, 0: find out, -1: not one. */
static int parse_delimiter(const char *text)
{
    if (!text) return 0;
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) return '\t';
    return strlen(text) == 1 ? (unsigned char)*text : -1;
}

double cli_input_size(const char *text)
{
    static const char units[] = "kKmMgGtT";
    size_t digits = strspn(text, "0123456789.");
    const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
    char *end;
    double size = strtod(text, &end);
    if (end != text + digits || (*end && (!unit || end[1]))) return 0;
    return unit ? ldexp(size, 10 * (int)((unit - units) / 2 + 1)) : size;
}

/* The place of a word among the choices of an option; 0 if it is not given. -1: it is none, which has been
 * reported. */
static int choose(const char *option, const char *word, const char *choices)
{
    int place = 0;
    for (const char *at = choices; word; place++) {
        size_t len = strcspn(at, "|");
        if (strlen(word) == len && strncmp(at, word, len) == 0) return place;
        if (!at[len]) {
            cli_log("--%s must be one of %s, not '%s'", option, choices, word);
            return -1;
        }
        at += len + 1;
    }
    return 0;
}

static bool split_lists(const cli_input *input, cli_lists *lists)
{
    cli_lists_free(lists);
    lists->ignored = cli_list_split(input->ignore);
    lists->chosen = cli_list_split(input->only);
    lists->missing = cli_list_split(input->na);
    if (!input->ignore == !lists->ignored && !input->only == !lists->chosen && !input->na == !lists->missing)
        return cli_list_types(lists->typed, &lists->formats, input->types, input->numeric,
                              input->categorical);
    cli_log("out of memory");
    return false;
}

bool cli_input_options(const cli_input *input, cli_lists *lists, odim_read_options *out)
{
    int delimiter = parse_delimiter(input->delimiter);
    double most = input->unpacked ? cli_input_size(input->unpacked) : 0.0;
    int decimal = choose("decimal", input->decimal, "comma|point"),
        bad = choose("bad-rows", input->bad_rows, "stop|skip|call");
    if (decimal < 0 || bad < 0 || !split_lists(input, lists)) return false;
    *out = (odim_read_options){.size = sizeof *out,
                               .format = input->format,
                               .label = input->label,
                               .id = input->id && strcmp(input->id, "none") == 0 ? "" : input->id,
                               .known = input->known,
                               .known_rows = input->known_rows,
                               .bounds = input->bounds,
                               .ignore = (const char *const *)lists->ignored,
                               .only = (const char *const *)lists->chosen,
                               .numeric = (const char *const *)lists->typed[ODIM_NUMERIC],
                               .boolean = (const char *const *)lists->typed[ODIM_BOOLEAN],
                               .categorical = (const char *const *)lists->typed[ODIM_CATEGORICAL],
                               .time = (const char *const *)lists->typed[ODIM_TIME],
                               .na = (const char *const *)lists->missing,
                               .unpacked = most < 9e18 ? (int64_t)most : INT64_MAX,
                               .delimiter = delimiter,
                               .header = input->header,
                               .encoding = input->encoding,
                               .decimal = input->decimal ? (decimal ? '.' : ',') : 0,
                               .formats = (const char *const *)lists->formats,
                               .bad_rows = (odim_bad_rows)bad,
                               .entry = input->entry,
                               .sheet = input->sheet,
                               .table = input->table,
                               .sql = input->sql,
                               .pixels = input->pixels};
    if (input->unpacked && out->unpacked <= 0) {
        cli_log("--unpacked must be a size such as 500M or 2G, not '%s'", input->unpacked);
        return false;
    }
    if (delimiter >= 0) return true;
    cli_log("--delimiter must be one character or 'tab', not '%s'", input->delimiter);
    return false;
}

bool cli_input_is_private(odim_params *params)
{
    return strcmp(odim_params_get(params, "dp-epsilon"), "off") != 0;
}

bool cli_input_check_bounds(const cli_input *input, odim_params *params)
{
    if (!input->bounds || cli_input_is_private(params)) return true;
    cli_log("--dp-bounds is for a private fit: --dp-epsilon");
    return false;
}

const char *cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : *path ? path : "<sql>";
}

bool cli_input_is(const char *path, const char *output)
{
    struct stat a, b;
    if (!output || stat(output, &b) != 0 || !S_ISREG(b.st_mode)) return false;
    int unknown = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &a) : stat(path, &a);
    return !unknown && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Whether two files to write are one. */
static bool collides(const cli_target *a, const cli_target *b)
{
    if (strcmp(a->path, b->path) == 0) return true;
    return !is_stdout(a->path) && !is_stdout(b->path) && cli_input_is(a->path, b->path);
}

bool cli_input_check_targets(const char *const inputs[CLI_INPUTS], const cli_target *targets, int count)
{
    for (const cli_target *t = targets; t < targets + count; t++) {
        if (!t->path) continue;
        if (is_stdout(t->path) && !t->may_be_stdout) {
            cli_log("%s needs the name of a file", t->option);
            return false;
        }
        for (int k = 0; k < CLI_INPUTS; k++) {
            if (!inputs[k] || !cli_input_is(inputs[k], t->path)) continue;
            cli_log("%s: is the input; write to another file", t->path);
            return false;
        }
        for (const cli_target *other = targets; other < t; other++) {
            if (!other->path || !collides(other, t)) continue;
            cli_log("%s: %s and %s cannot both write there", is_stdout(t->path) ? "stdout" : t->path,
                    other->option, t->option);
            return false;
        }
    }
    return true;
}

bool cli_input_is_pipe(const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0) return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}
