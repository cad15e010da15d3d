/*
 * odim man: the manual pages, odim(1) and one a verb, made from the verbs' tables and the library's
 * parameters. What docs/man has is what this prints; a test compares them.
 */
#include <ctype.h>
#include <string.h>

#include "args.h"
#include "flags.h"
#include "roff.h"

typedef struct section {
    const char *heading, *text;
} section;

static const char exit_status[] =
    "  0         All went well.\n"
    "  1         The data cannot be used, or something failed at run time.\n"
    "  2         The command line, or a settings file, is wrong.\n"
    "  130, 143  Interrupted from the keyboard, or by SIGTERM: it dies by the signal.\n";

static const char environment[] =
    "  ODIM_KERN  Caps the numeric kernels: 'ref' for those in plain C, 'avx2' for those with AVX2,\n"
    "             which is as far as they go. Anything else is refused. Results do not depend on it.\n"
    "  NO_COLOR   If set and not empty, the progress line has no colour.\n"
    "  COLUMNS    The width of a terminal that does not know its own.\n"
    "  TERM       If it is 'dumb', there is no progress line.\n";

static const char files[] =
    "  .odim-*.tmp  An output that is being written, in the folder where it will be. It takes its\n"
    "               name when it is complete, and is removed when that fails or is\n"
    "               interrupted; what was there before stays.\n";

static const char description[] =
    "odim gives every row of a table a score: the higher, the more the row is an outlier. It needs no "
    "labels,\n"
    "no rate of outliers and no tuning.\n"
    "\n"
    "The method is ODIM: deep generative models that are trained for a short while learn the inliers before\n"
    "they learn the outliers, and at that moment the loss of a row tells the two apart. odim trains an "
    "ensemble\n"
    "of such models, stops each one where the losses of the rows are most clearly of two kinds, and reports "
    "the\n"
    "mean loss of each row.\n"
    "\n"
    "Data goes to standard output, or to the file that --output names; messages and progress go to standard\n"
    "error.\n";

/* What all verbs have in common. */
static const section common[] = {
    {"OPTIONS",
     "  --help, -h     List the commands. After a command: its options, with their defaults.\n"
     "  --version, -V  Print the version and the numeric kernels that are in use on this machine.\n"
     "\n"
     "An option and its value are written --name value or --name=value. An option that is on or off, or "
     "that\n"
     "takes no value, is denied with 'no-' before its name: --no-batch-norm. After -- nothing is an "
     "option.\n"},
    {"INPUT",
     "A table is one of these, compressed with gzip or not; '-' is standard input.\n"
     "\n"
     "  CSV, TSV  With or without a line of names. The delimiter (comma, semicolon, tab or bar), the names,\n"
     "            quotes, line ends and a UTF-8 byte order mark are found out. The decimal point is a "
     "point.\n"
     "  NPY, NPZ  Arrays of NumPy with two dimensions, of any integer or float type. Of an NPZ file the "
     "array X\n"
     "            is the table and y, where there is one, holds the labels.\n"
     "  IDX       The format of the MNIST images; each image is a row.\n"
     "\n"
     "A column is named by its name or, where no column has that name, by its number from 1.\n"},
    {"OUTPUT",
     "Rows of results have one of these formats, chosen by --output-format or by the ending of the output's\n"
     "name.\n"
     "\n"
     "  csv    With a line of names, and quotes where they are needed. Numbers have nine significant "
     "digits.\n"
     "  tsv    The same with tabs; a tab, line feed, carriage return or backslash in a text is written \\t, "
     "\\n,\n"
     "         \\r or \\\\.\n"
     "  jsonl  One JSON object a line. Also chosen by the ending .ndjson.\n"
     "  npy    A structured array of NumPy with the columns that are numbers, in full precision.\n"
     "\n"
     "A file appears only when it is complete: if anything fails or is interrupted, what was there before\n"
     "stays.\n"},
    {"SETTINGS FILE",
     "With --config FILE a command takes settings from a text file: lines of 'name = value', the name being "
     "that\n"
     "of a long option without its dashes. What takes no value on the command line is yes or no. An empty "
     "value\n"
     "means the default. Comments begin with #; double quotes keep blanks and # in a value, and two of them\n"
     "inside it are one. The command line wins over the file. With --init-config a command prints such a "
     "file,\n"
     "with everything that can be set, its default and its meaning.\n"},
    {"EXIT STATUS", exit_status},
    {"ENVIRONMENT", environment},
    {"FILES", files},
    {"EXAMPLES",
     "  odim detect data.csv --top 10\n"
     "             The ten most outlying rows of a table.\n"
     "  odim detect data.csv --id machine --ignore time -o scores.csv\n"
     "             A score for every row, named by one column; another one is not a number to compare.\n"
     "  odim eval scores.csv --data data.csv --label fault\n"
     "             How good the scores are, given the truth in a column of the data.\n"
     "  odim detect data.csv | sort -t, -k3n\n"
     "             The rows in the order of their scores, the worst first.\n"},
};

/* ---- pieces ------------------------------------------------------------------------------------------ */

static void put_section(const char *heading, const char *text)
{
    printf(".SH %s\n", heading);
    cli_roff_text(text, stdout);
}

static void put_plain(const char *text)
{
    cli_roff_put(text, strlen(text), stdout);
}

/* The name of a page: odim, odim-detect. */
static void put_page(const cli_verb *verb)
{
    put_plain(verb ? "odim-" : "odim");
    if (verb) put_plain(verb->name);
}

/* The heading of a page; verb NULL: of odim(1). */
static void put_title(const cli_verb *verb, const char *what)
{
    fputs(".\\\" Made by 'odim man'; not to be edited.\n.TH ODIM", stdout);
    if (verb) put_plain("-");
    for (const char *c = verb ? verb->name : ""; *c; c++) {
        char upper = (char)toupper((unsigned char)*c);
        cli_roff_put(&upper, 1, stdout);
    }
    printf(" 1 \"\" \"odim %s\" \"User Commands\"\n.SH NAME\n", odim_version());
    put_page(verb);
    fputs(" \\- ", stdout);
    put_plain(what);
    fputs("\n.SH SYNOPSIS\n", stdout);
}

static void put_synopsis(const cli_verb *verb)
{
    fputs("\\fBodim ", stdout);
    put_plain(verb->name);
    fputs("\\fR ", stdout);
    cli_roff_usage(verb->usage, stdout);
    putchar('\n');
}

/* The other pages. */
static void put_see_also(const cli_verb *self)
{
    fputs(".SH SEE ALSO\n", stdout);
    const char *before = self ? "\\fBodim\\fR(1)" : "";
    fputs(before, stdout);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        if (*verb == self) continue;
        fputs(*before ? ",\n\\fB" : "\\fB", stdout);
        put_page(*verb);
        fputs("\\fR(1)", stdout);
        before = ",";
    }
    putchar('\n');
}

/* ---- the page of a verb ------------------------------------------------------------------------------ */

static void put_flag(const cli_flag *flag)
{
    char usage[256];
    fputs(".TP\n", stdout);
    if (flag->letter) printf("\\fB\\-%c\\fR, ", flag->letter);
    const char *value = flag->arg ? flag->arg : flag->also ? flag->also : "";
    snprintf(usage, sizeof usage, "--%s%s%s%s", flag->name,
             flag->arg    ? " "
             : flag->also ? "[="
                          : "",
             value, flag->also ? "]" : "");
    cli_roff_usage(usage, stdout);
    putchar('\n');
    put_plain(flag->help);
    if (flag->def) {
        fputs(" [", stdout);
        put_plain(flag->def);
        putchar(']');
    }
    putchar('\n');
}

static void put_options(const cli_verb *verb)
{
    fputs(".SH OPTIONS\n", stdout);
    if (verb->option_count > 0 || verb->params) puts("Defaults are in brackets.");
    cli_flags flags = {.verb = verb};
    for (cli_flag flag; cli_flags_next(&flags, &flag);) {
        if (flags.heading) printf(".SS %s\n", flag.group);
        put_flag(&flag);
    }
}

/* The summary as a sentence, then all else that there is. */
static void put_description(const cli_verb *verb)
{
    printf(".SH DESCRIPTION\n%c", toupper((unsigned char)verb->summary[0]));
    put_plain(verb->summary + 1);
    fputs(".\n", stdout);
    const char *more[] = {verb->manual, verb->more};
    for (int i = 0; i < 2; i++) {
        if (!more[i]) continue;
        fputs(".PP\n", stdout);
        cli_roff_text(more[i], stdout);
    }
}

static void put_verb(const cli_verb *verb)
{
    cli_flag output;
    put_title(verb, verb->summary);
    put_synopsis(verb);
    put_description(verb);
    put_options(verb);
    put_section("EXAMPLES", verb->examples);
    put_section("EXIT STATUS", exit_status);
    if (verb->params) put_section("ENVIRONMENT", environment);
    if (cli_flags_find(verb, "output", strlen("output"), &output)) put_section("FILES", files);
    put_see_also(verb);
}

/* ---- odim(1) ----------------------------------------------------------------------------------------- */

static void put_overview(void)
{
    put_title(NULL, "find the outliers of a table");
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        put_synopsis(*verb);
        fputs(".br\n", stdout);
    }
    fputs("\\fBodim \\-\\-version\\fR\n", stdout);
    put_section("DESCRIPTION", description);
    fputs(".SH COMMANDS\n", stdout);
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        fputs(".TP\n\\fB", stdout);
        put_page(*verb);
        fputs("\\fR(1)\n", stdout);
        put_plain((*verb)->summary);
        putchar('\n');
    }
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        put_section(common[i].heading, common[i].text);
    put_see_also(NULL);
    fputs(".PP\n", stdout);
    put_plain(
        "Dongha Kim, Jaesung Hwang, Jongjin Lee, Kunwoong Kim and Yongdai Kim: ODIM: Outlier Detection via "
        "Likelihood of Under-Fitted Generative Models, International Conference on Machine Learning, 2024.");
    putchar('\n');
}

static int run(int argc, char **argv)
{
    const char *name;
    int code = cli_args_parse(&cli_man_verb, argc, argv, NULL, NULL, &name);
    if (code >= 0) return code;
    const cli_verb *verb = name ? cli_verb_find(name) : NULL;
    if (name && !verb) return CLI_EXIT_USAGE;
    if (verb)
        put_verb(verb);
    else
        put_overview();
    return CLI_EXIT_OK;
}

const cli_verb cli_man_verb = {
    .name = "man",
    .summary = "print the manual page of odim or of a command",
    .usage = "[COMMAND]",
    .examples = "  odim man detect | man -l -      read it, installed or not\n"
                "  odim man > odim.1               odim(1), the overview\n",
    .more = "The page is written in the macros of man(7). Where odim is installed the pages\n"
            "are too: 'man odim', 'man odim-detect'.\n",
    .run = run,
};
