#include "help.h"

#include <string.h>

#include "args.h"
#include "flags.h"

enum { WIDTH = 80, TEXT_AT = 25 };

void cli_help_wrap(const char *text, const char *indent, FILE *to)
{
    int start = (int)strlen(indent), column = start;
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (column > start && column + 1 + len > WIDTH) {
            fprintf(to, "\n%s", indent);
            column = start;
        }
        if (column > start) column += fprintf(to, " ");
        column += fprintf(to, "%.*s", len, text);
        text += len + (text[len] == ' ');
    }
    fputc('\n', to);
}

static void print_flag(const cli_flag *flag, FILE *to)
{
    char text[1024], indent[TEXT_AT + 1];
    int at = fprintf(to, "  ");
    if (flag->letter) at += fprintf(to, "-%c, ", flag->letter);
    at += fprintf(to, "--%s", flag->name);
    if (flag->arg) at += fprintf(to, " %s", flag->arg);
    if (flag->also) at += fprintf(to, "[=%s]", flag->also);
    snprintf(indent, sizeof indent, "%*s", TEXT_AT, "");
    if (at + 2 > TEXT_AT) {
        fputc('\n', to);
        at = 0;
    }
    fputs(indent + at, to);
    snprintf(text, sizeof text, flag->def ? "%s [%s]" : "%s", flag->help, flag->def);
    cli_help_wrap(text, indent, to);
}

static void print_flags(const cli_verb *verb, FILE *to)
{
    cli_flags flags = {.verb = verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) {
        if (flags.heading) fprintf(to, "\n%s:\n", flag.group);
        print_flag(&flag, to);
    }
}

static void print_overview(FILE *to)
{
    fprintf(to, "%s: find the outliers of a table\n\nUsage: %s COMMAND ...\n\nCommands:\n", cli_program,
            cli_program);
    int width = 0;
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        if ((int)strlen((*verb)->name) > width) width = (int)strlen((*verb)->name);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++)
        fprintf(to, "  %-*s  %s\n", width, (*verb)->name, (*verb)->summary);
    fprintf(to, "\nExamples:\n%s", cli_examples);
}

void cli_help_print(const cli_verb *verb, FILE *to)
{
    if (!verb) {
        print_overview(to);
        return;
    }
    fprintf(to, "%s %s: %s\n\nUsage: %s %s %s\n\nExamples:\n%s", cli_program, verb->name, verb->summary,
            cli_program, verb->name, verb->usage, verb->examples);
    print_flags(verb, to);
    if (verb->more) fprintf(to, "\n%s", verb->more);
}

static int run(int argc, char **argv)
{
    const char *name;
    int code = cli_args_parse(&cli_help_verb, argc, argv, NULL, NULL, &name);
    if (code >= 0) return code;
    const cli_verb *verb = name ? cli_verb_find(name) : NULL;
    if (name && !verb) return CLI_EXIT_USAGE;
    cli_help_print(verb, stdout);
    return CLI_EXIT_OK;
}

const cli_verb cli_help_verb = {
    .name = "help",
    .summary = "show this overview or the options of a command",
    .usage = "[COMMAND]",
    .examples = "  odim help             the commands there are\n"
                "  odim help detect      the options of one, with their defaults\n",
    .run = run,
};
