#include "help.h"

#include <string.h>

#include "args.h"
#include "odim.h"

enum { WIDTH = 80, TEXT_AT = 25 };

/* Prints text from column TEXT_AT on, broken at blanks; the cursor stands in column `at`. */
static void print_wrapped(const char *text, int at, FILE *to)
{
    int column = at;
    if (at + 2 > TEXT_AT) {
        fputc('\n', to);
        column = 0;
    }
    fprintf(to, "%*s", TEXT_AT - column, "");
    column = TEXT_AT;
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (column > TEXT_AT && column + 1 + len > WIDTH) {
            fprintf(to, "\n%*s", TEXT_AT, "");
            column = TEXT_AT;
        }
        if (column > TEXT_AT) column += fprintf(to, " ");
        column += fprintf(to, "%.*s", len, text);
        text += len + (text[len] == ' ');
    }
    fputc('\n', to);
}

static void print_option(const od_option *option, FILE *to)
{
    int at = fprintf(to, "  ");
    if (option->letter) at += fprintf(to, "-%c, ", option->letter);
    at += fprintf(to, "--%s", option->name);
    if (option->arg) at += fprintf(to, " %s", option->arg);
    print_wrapped(option->help, at, to);
}

static void print_param(const odim_param_info *param, FILE *to)
{
    char text[1024];
    int at = fprintf(to, "  --%s %s", param->name, param->arg);
    snprintf(text, sizeof text, "%s [%s]", param->help, param->def);
    print_wrapped(text, at, to);
}

/* Whether no parameter before this one is of its group. */
static bool is_first_of_group(int index)
{
    const char *group = odim_param_at(index)->group;
    for (int i = 0; i < index; i++)
        if (strcmp(odim_param_at(i)->group, group) == 0) return false;
    return true;
}

/* The parameters under the headings of their groups, in whatever order they are defined. */
static void print_params(FILE *to)
{
    for (int i = 0; i < odim_param_count(); i++) {
        if (!is_first_of_group(i)) continue;
        const char *group = odim_param_at(i)->group;
        fprintf(to, "\n%s:\n", group);
        for (int k = i; k < odim_param_count(); k++)
            if (strcmp(odim_param_at(k)->group, group) == 0) print_param(odim_param_at(k), to);
    }
}

/* A verb's own options; those of one group stand together in its table. */
static void print_options(const od_verb *verb, FILE *to)
{
    const char *group = "";
    for (int i = 0; i < verb->option_count; i++) {
        const od_option *option = &verb->options[i];
        if (strcmp(option->group, group) != 0) fprintf(to, "\n%s:\n", group = option->group);
        print_option(option, to);
    }
    if (verb->params) print_params(to);
}

static void print_overview(FILE *to)
{
    fputs("odim: find the outliers of a table\n"
          "\n"
          "Usage: odim COMMAND ...\n"
          "\n"
          "Commands:\n",
          to);
    for (const od_verb *const *verb = od_verbs; *verb; verb++)
        fprintf(to, "  %-8s %s\n", (*verb)->name, (*verb)->summary);
    fputs("\n"
          "Examples:\n"
          "  odim detect data.csv --top 10         the ten most outlying rows\n"
          "  odim detect data.csv -o scores.csv    a score and a rank for every row\n"
          "  odim help detect                      all options of a command\n"
          "  odim --version                        version and numeric kernels\n",
          to);
}

void od_help_print(const od_verb *verb, FILE *to)
{
    if (!verb) {
        print_overview(to);
        return;
    }
    fprintf(to, "odim %s: %s\n\nUsage: odim %s %s\n\nExamples:\n%s", verb->name, verb->summary, verb->name,
            verb->usage, verb->examples);
    print_options(verb, to);
    if (verb->more) fprintf(to, "\n%s", verb->more);
}

static int run(int argc, char **argv)
{
    const char *name;
    int code = od_args_parse(&od_help_verb, argc, argv, NULL, NULL, &name);
    if (code >= 0) return code;
    const od_verb *verb = name ? od_verb_find(name) : NULL;
    if (name && !verb) return OD_EXIT_USAGE;
    od_help_print(verb, stdout);
    return OD_EXIT_OK;
}

const od_verb od_help_verb = {
    .name = "help",
    .summary = "show this overview or the options of a command",
    .usage = "[COMMAND]",
    .examples = "  odim help             the commands there are\n"
                "  odim help detect      the options of one, with their defaults\n",
    .run = run,
};
