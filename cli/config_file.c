/* A file of settings for a verb. */
#include "config_file.h"

#include <errno.h>
#include <string.h>

#include "common/read_file.h"
#include "flags.h"
#include "log.h"
#include "wrap.h"

enum { LARGEST = 1 << 16, WIDTH = 80 };
static const char blanks[] = " \t\r";

static char *text; /* of the file; kept to the end of the program */

/* ---- reading ----------------------------------------------------------------------------------------- */

static int refuse(const cli_config_file *c, const char *why)
{
    cli_log("%s: line %d: %s", c->path, c->line, why);
    return CLI_EXIT_USAGE;
}

/* That it is text, before any of it is taken for names and values. */
static int check_bytes(cli_config_file *c, size_t size)
{
    c->line = 1;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte < 0x20 && byte != '\t' && byte != '\r' && byte != '\n') return refuse(c, "this is not text");
        c->line += byte == '\n';
    }
    c->line = 0;
    return -1;
}

int cli_config_file_open(cli_config_file *c, const char *path)
{
    *c = (cli_config_file){.path = path};
    size_t size;
    const char *what = od_read_file(path, "", LARGEST, &text, &size);
    if (what && errno == EFBIG) {
        cli_log("%s: is larger than 64 KiB, too large for a settings file", path);
        return CLI_EXIT_USAGE;
    }
    if (what) {
        cli_log("%s: %s: %s", path, what, strerror(errno));
        return CLI_EXIT_FAILED;
    }
    c->rest = text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    return check_bytes(c, size);
}

static char *skip_blanks(char *s)
{
    return s + strspn(s, blanks);
}

/* Ends the text at `end`, or before, where blanks lead up to it. */
static void cut(char *start, char *end)
{
    while (end > start && strchr(blanks, end[-1])) end--;
    *end = '\0';
}

/* A value in quotes, which are taken off in place. */
static int read_quoted(cli_config_file *c)
{
    char *to = c->value, *from = c->value + 1;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        if (*from == '"') from++;
        *to++ = *from;
    }
    if (!*from) return refuse(c, "the quote is not closed");
    from = skip_blanks(from + 1);
    *to = '\0';
    return *from && *from != '#' ? refuse(c, "something follows the closing quote") : -1;
}

/* A value without quotes ends where a comment begins, or the line. */
static int read_plain(cli_config_file *c)
{
    char *end = c->value;
    while (*end && (*end != '#' || (end > c->value && !strchr(blanks, end[-1])))) end++;
    cut(c->value, end);
    return -1;
}

int cli_config_file_next(cli_config_file *c)
{
    c->name = NULL;
    while (*c->rest) {
        char *line = skip_blanks(c->rest), *end = c->rest + strcspn(c->rest, "\n");
        c->rest = *end ? end + 1 : end;
        c->line++;
        *end = '\0';
        if (!*line || *line == '#') continue;
        char *equals = strchr(line, '=');
        if (!equals || equals == line) return refuse(c, "this is not 'name = value'");
        cut(line, equals);
        c->name = line;
        c->value = skip_blanks(equals + 1);
        return *c->value == '"' ? read_quoted(c) : read_plain(c);
    }
    return -1;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* Whether the flag is the opposite of another: `header = no` stands for --no-header. */
static bool is_opposite(const cli_verb *verb, const cli_flag *flag)
{
    cli_flag other;
    return strncmp(flag->name, "no-", 3) == 0 &&
           cli_flags_find(verb, flag->name + 3, strlen(flag->name) - 3, &other);
}

static void print_setting(const cli_verb *verb, const cli_flag *flag, FILE *to)
{
    char help[1024];
    cli_flag other;
    /* A switch is off, unless it has a third state. */
    const char *value = flag->def                                               ? flag->def
                        : !flag->arg && !cli_flags_opposite(verb, flag, &other) ? "no"
                                                                                : NULL;
    snprintf(help, sizeof help, "%s%s%s: %s", flag->arg ? flag->arg : "yes|no", flag->also ? "|" : "",
             flag->also ? flag->also : "", flag->help);
    fputs("\n# ", to);
    cli_wrap(help, WIDTH - 2, "# ", to);
    fprintf(to, value ? "\n#%s = %s\n" : "\n#%s =\n", flag->name, value);
}

void cli_config_file_print(const cli_verb *verb, FILE *to)
{
    fprintf(to,
            "# Settings for 'odim %s --config FILE'. Remove the # of a line to set it.\n"
            "# The command line overrides this file. A missing line or an empty value means\n"
            "# the default, which is in brackets if it is not shown as a value. Quotes keep\n"
            "# blanks around a value and a # inside it: \" # 1.csv\".\n",
            verb->name);
    cli_flags flags = {.verb = verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) {
        if (!cli_flags_is_setting(&flag)) continue;
        if (flags.heading) fprintf(to, "\n# ---- %s\n", flag.group);
        if (!is_opposite(verb, &flag)) print_setting(verb, &flag, to);
    }
}
