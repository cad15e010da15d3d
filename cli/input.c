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

static void free_lists(cli_input *input)
{
    free(input->ignored);
    free(input->chosen);
    free(input->missing);
    for (int type = 0; type < CLI_TYPES; type++) free(input->typed[type]);
    input->ignored = input->chosen = input->missing = NULL;
    memset(input->typed, 0, sizeof input->typed);
}

static bool split_lists(cli_input *input)
{
    free_lists(input);
    input->ignored = cli_list_split(input->ignore);
    input->chosen = cli_list_split(input->only);
    input->missing = cli_list_split(input->na);
    if (!input->ignore == !input->ignored && !input->only == !input->chosen && !input->na == !input->missing)
        return cli_list_types(input->typed, input->types, input->numeric, input->categorical);
    cli_log("out of memory");
    return false;
}

bool cli_input_options(cli_input *input, odim_read_options *out)
{
    int delimiter = parse_delimiter(input->delimiter);
    double most = input->unpacked ? cli_input_size(input->unpacked) : 0.0;
    if (!split_lists(input)) return false;
    *out = (odim_read_options){.size = sizeof *out,
                               .format = input->format,
                               .label = input->label,
                               .id = input->id,
                               .known = input->known,
                               .known_rows = input->known_rows,
                               .bounds = input->bounds,
                               .ignore = (const char *const *)input->ignored,
                               .only = (const char *const *)input->chosen,
                               .numeric = (const char *const *)input->typed[ODIM_NUMERIC],
                               .boolean = (const char *const *)input->typed[ODIM_BOOLEAN],
                               .categorical = (const char *const *)input->typed[ODIM_CATEGORICAL],
                               .time = (const char *const *)input->typed[ODIM_TIME],
                               .na = (const char *const *)input->missing,
                               .unpacked = most < 9e18 ? (int64_t)most : INT64_MAX,
                               .delimiter = delimiter,
                               .header = input->header};
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
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

bool cli_input_is(const char *path, const char *output)
{
    struct stat a, b;
    if (!output || stat(output, &b) != 0 || !S_ISREG(b.st_mode)) return false;
    int unknown = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &a) : stat(path, &a);
    return !unknown && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool cli_input_is_pipe(const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0) return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

void cli_input_free(cli_input *input)
{
    free_lists(input);
    free(input->ignore);
    free(input->only);
    free(input->numeric);
    free(input->categorical);
    free(input->types);
    free(input->na);
}
