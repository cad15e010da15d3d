/* The help texts. */
#include "help.h"

#include <string.h>

#include "flags.h"
#include "wrap.h"

enum { WIDTH = 80, TEXT_AT = 25 };

/* What a flag takes, after a blank. Choices that are too many for the line go on below the first; such a line
 * counts as full. */
static int print_arg(const char *arg, int at, FILE *to)
{
    int begin = at + 1;
    bool full = false;
    at += fprintf(to, " ");
    while (*arg) {
        int len = (int)strcspn(arg, "|");
        len += arg[len] == '|';
        if (at + len > WIDTH) {
            fprintf(to, "\n%*s", begin, "");
            at = begin;
            full = true;
        }
        at += fprintf(to, "%.*s", len, arg);
        arg += len;
    }
    return full ? WIDTH : at;
}

static void print_flag(const cli_flag *flag, FILE *to)
{
    char text[1024], indent[TEXT_AT + 1];
    int at = fprintf(to, "  ");
    if (flag->letter) at += fprintf(to, "-%c, ", flag->letter);
    at += fprintf(to, "--%s", flag->name);
    if (flag->arg) at = print_arg(flag->arg, at, to);
    if (flag->also) at += fprintf(to, "[=%s]", flag->also);
    snprintf(indent, sizeof indent, "%*s", TEXT_AT, "");
    if (at + 2 > TEXT_AT) {
        fputc('\n', to);
        at = 0;
    }
    fputs(indent + at, to);
    snprintf(text, sizeof text, flag->def ? "%s [%s]" : "%s", flag->help, flag->def);
    cli_wrap(text, WIDTH - TEXT_AT, indent, to);
    fputc('\n', to);
}

static bool is_common(const cli_verb *verb, const char *name)
{
    for (const char *const *common = verb->common; *common; common++)
        if (strcmp(*common, name) == 0) return true;
    return false;
}

/* Those of the short help under one heading, in the order of the groups. */
static void print_common(const cli_verb *verb, FILE *to)
{
    cli_flags flags = {.verb = verb};
    fputs("\nCommon options:\n", to);
    for (cli_flag flag; cli_flags_next(&flags, &flag);)
        if (is_common(verb, flag.name)) print_flag(&flag, to);
}

static void print_all(const cli_verb *verb, FILE *to)
{
    cli_flags flags = {.verb = verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) {
        if (flags.heading) fprintf(to, "\n%s:\n", flag.group);
        print_flag(&flag, to);
    }
}

/* The first lines of the examples, or all of them. */
static void print_examples(const char *examples, int most, FILE *to)
{
    const char *end = examples;
    for (int i = 0; i < most && *end; i++) end += strcspn(end, "\n") + 1;
    fprintf(to, "\nExamples:\n%.*s", (int)(end - examples), examples);
}

static void print_overview(FILE *to)
{
    fprintf(to, "%s: find outliers in a table\n\nUsage: %s COMMAND ...\n\nCommands:\n", cli_program,
            cli_program);
    int width = 0;
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        if ((int)strlen((*verb)->name) > width) width = (int)strlen((*verb)->name);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        fprintf(to, "  %-*s  %s\n", width, (*verb)->name, (*verb)->summary);
    fprintf(to, "\nExamples:\n%s", cli_examples);
}

void cli_help_print(const cli_verb *verb, bool all, FILE *to)
{
    enum { EXAMPLES = 5, NO_LIMIT = 1000 };
    if (!verb) {
        print_overview(to);
        return;
    }
    bool brief = verb->common && !all;
    fprintf(to, "%s %s: %s\n\nUsage: %s %s %s\n", cli_program, verb->name, verb->summary, cli_program,
            verb->name, verb->usage);
    print_examples(verb->examples, brief ? EXAMPLES : NO_LIMIT, to);
    if (brief) {
        print_common(verb, to);
        fprintf(to, "\nDefaults are in brackets. All options, by group: %s help %s --all\n", cli_program,
                verb->name);
        return;
    }
    print_all(verb, to);
    if (verb->more) fprintf(to, "\n%s", verb->more);
}
