/*
 * odim man: the manual pages, odim(1) and one per verb, made from the verbs' tables and the library's
 * parameters. What docs/man has is what this prints; a test compares them.
 */
#include <ctype.h>
#include <string.h>

#include "flags.h"
#include "roff.h"
#include "run.h"

typedef struct section {
    const char *heading, *text;
} section;

static const char exit_status[] = "  0         Success.\n"
                                  "  1         The data cannot be used, or something failed at run time.\n"
                                  "  2         The command line, or a settings file, is wrong.\n"
                                  "  130, 143  Interrupted from the keyboard or by SIGTERM.\n";

static const char environment[] =
    "  ODIM_THREADS  The number of threads that --threads auto means, 1 to 1024. Without it, as many as the\n"
    "                process has cores: by its CPU affinity, and by the CPU quota of its control groups.\n"
    "  ODIM_KERN     Limits the numeric kernels: 'ref' for plain C, 'avx2' for AVX2, 'avx512' for AVX-512, "
    "'neon'\n"
    "                for NEON. Other values are an error. Results do not depend on it.\n"
    "  NO_COLOR      If set and not empty, the progress line has no color.\n"
    "  COLUMNS       The width of a terminal that does not report its own.\n"
    "  TERM          If it is 'dumb', there is no progress line.\n";

static const char files[] =
    "  .odim-*.tmp  An output that is being written, in its folder. It is renamed when complete, and\n"
    "               removed on failure or interruption; an existing file stays unchanged.\n";

static const char description[] =
    "odim gives every row of a table a score: the higher, the more the row is an outlier. It needs no\n"
    "labels, no contamination rate and no tuning.\n"
    "\n"
    "The method is based on ODIM: a deep generative model learns the inliers before the outliers, so after "
    "a\n"
    "short training the loss of a row tells the two apart. odim trains an ensemble of such models and stops\n"
    "each one where the losses fall most clearly into two groups. --preset paper reports the mean loss of a\n"
    "row; the default uses the losses to choose the training rows to trust, and scores a row by its "
    "distance\n"
    "to them.\n"
    "\n"
    "Data goes to standard output, or to the file that --output names; messages and progress go to standard\n"
    "error.\n";

/* What all verbs have in common. */
static const section common[] = {
    {"OPTIONS",
     "  --help, -h     List the commands. After a command: its common options; --help=all lists all.\n"
     "  --version, -V  Print the version and the numeric kernels in use on this machine.\n"
     "\n"
     "An option and its value are written --name value or --name=value. An option that is on or off, or "
     "that\n"
     "takes no value, is negated by 'no-' before its name: --no-batch-norm. Arguments after -- are "
     "operands.\n"},
    {"INPUT",
     "A table has one of these formats, optionally packed with gzip, xz, zstd or bzip2, or as the only table "
     "in "
     "a\n"
     "zip archive; '-' is standard input. Several files are read as one table.\n"
     "\n"
     "  CSV, TSV  With or without a header. The delimiter (comma, semicolon, tab, bar or blanks), the "
     "header,\n"
     "            titles and comments above it, quotes, line ends and the encoding are detected, and so is "
     "how\n"
     "            the cells of each column are written: decimal mark, thousands, currency or unit, order of "
     "dates.\n"
     "  JSON      An array of objects, or one object per line (JSON lines).\n"
     "  XLSX      A sheet of an Excel workbook.\n"
     "  SQLite    A table or a query of a database.\n"
     "  Arrow     Files (Feather) and streams.\n"
     "  Parquet   And DuckDB databases, and SQL over files, with libduckdb.\n"
     "  NPY, NPZ  Two-dimensional NumPy arrays of any integer or float type. In an NPZ file the array X is\n"
     "            the table, and y, if present, has the labels.\n"
     "  IDX       The format of the MNIST images; each image is a row.\n"
     "\n"
     "A column is given by its name or, if no column has that name, by its number from 1.\n"},
    {"OUTPUT",
     "Rows of results have one of these formats, chosen by --output-format or by the extension of the "
     "output\n"
     "file.\n"
     "\n"
     "  csv    With a header, and quotes where needed. Numbers have nine significant digits.\n"
     "  tsv    The same with tabs; a tab, line feed, carriage return or backslash in a text is written \\t, "
     "\\n,\n"
     "         \\r or \\\\.\n"
     "  jsonl  One JSON object per line. Also chosen by the extension .ndjson.\n"
     "  npy    A structured NumPy array with the numeric columns, in full precision.\n"
     "\n"
     "Files are written atomically: on failure or interruption an existing file stays unchanged.\n"},
    {"SETTINGS FILE", "With --config FILE a command reads settings from a text file: lines of 'name = "
                      "value', where the name is\n"
                      "a long option without its dashes. Options without a value are set to yes or no. An "
                      "empty value means the\n"
                      "default. Comments begin with #; double quotes keep blanks and # in a value, and a "
                      "doubled quote inside\n"
                      "is one quote. The command line overrides the file. With --init-config a command "
                      "prints a settings file\n"
                      "with every setting, its default and its meaning.\n"},
    {"EXIT STATUS", exit_status},
    {"ENVIRONMENT", environment},
    {"FILES", files},
    {"EXAMPLES", "  odim detect data.csv --top 10\n"
                 "             The ten most outlying rows of a table.\n"
                 "  odim detect data.csv --id machine --ignore time -o scores.csv\n"
                 "             A score for every row, identified by one column; another one is ignored.\n"
                 "  odim eval scores.csv --data data.csv --label fault\n"
                 "             How well the scores agree with known labels.\n"
                 "  odim detect data.csv | sort -t, -k3n\n"
                 "             The rows in the order of their scores, lowest first.\n"},
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

static int man(cli_run *run, void *none)
{
    (void)none;
    const cli_verb *verb = run->path ? cli_verb_find(run->path) : NULL;
    if (run->path && !verb) return CLI_EXIT_USAGE;
    if (verb)
        put_verb(verb);
    else
        put_overview();
    return CLI_EXIT_OK;
}

static int run_man(int argc, char **argv)
{
    return cli_run_verb(&cli_man_verb, argc, argv, NULL, man);
}

const cli_verb cli_man_verb = {
    .name = "man",
    .summary = "print the manual page of odim or of a command",
    .usage = "[COMMAND]",
    .examples = "  odim man detect | man -l -      read it, installed or not\n"
                "  odim man > odim.1               odim(1), the overview\n",
    .more = "The page is written in the macros of man(7). Where odim is installed the pages\n"
            "are too: 'man odim', 'man odim-detect'.\n",
    .run = run_man,
};
