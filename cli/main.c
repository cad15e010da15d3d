/* The command odim: data goes to stdout, everything else to stderr; exit 0 success, 1 failure, 2 wrong usage.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "completion.h"
#include "help.h"
#include "log.h"
#include "signals.h"
#include "common/suggest.h"
#include "odim.h"

const char cli_program[] = "odim";
const char cli_examples[] = "  odim detect data.csv --top 10         the ten most outlying rows\n"
                            "  odim detect data.csv -o scores.csv    a score and a rank for every row\n"
                            "  odim help detect                      the common options of a command\n"
                            "  odim fit data.csv -o model.odim       a model, for 'odim score'\n";

const cli_verb *const cli_verbs[] = {
    &cli_detect_verb,  &cli_fit_verb,     &cli_score_verb, &cli_explain_verb,    &cli_report_verb,
    &cli_inspect_verb, &cli_eval_verb,    &cli_trace_verb, &cli_serve_verb,      &cli_dp_budget_verb,
    &cli_help_verb,    &cli_version_verb, &cli_man_verb,   &cli_completion_verb, NULL};

/* A file, or the name of one: no command has a dot or a slash in its name. */
static bool is_file_name(const char *name)
{
    return name[0] != '-' && (strpbrk(name, "./") || access(name, F_OK) == 0);
}

const cli_verb *cli_verb_find(const char *name)
{
    od_suggest s = {.word = name};
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        if (strcmp((*verb)->name, name) == 0) return *verb;
        od_suggest_offer(&s, (*verb)->name);
    }
    const char *kind = name[0] == '-' ? "option" : "command";
    if (is_file_name(name))
        cli_log("unknown command '%s'; did you mean 'odim detect %s'?", name, name);
    else if (s.best)
        cli_log("unknown %s '%s'; did you mean '%s'?", kind, name, s.best);
    else
        cli_log("unknown %s '%s'; 'odim help' lists the commands", kind, name);
    return NULL;
}

/*
 * If the caller has closed a standard stream, the first file we open would get its descriptor, and data would
 * go there. Fill the gap with something that fails when it is used.
 */
static void fill_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(CLI_EXIT_FAILED);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        cli_help_print(NULL, false, stderr);
        return CLI_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) name = "version";
    if (strcmp(name, "__complete") == 0) return cli_completion_candidates(argc - 2, argv + 2);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    const cli_verb *verb = cli_verb_find(name);
    if (!verb) return CLI_EXIT_USAGE;
    bool needs_operand = verb->usage[0] != '[';
    if (argc == 2 && needs_operand) {
        cli_help_print(verb, false, stderr);
        return CLI_EXIT_USAGE;
    }
    return verb->run(argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    cli_signals_install();
    odim_hints_set(ODIM_HINTS_FLAGS);
    int code = dispatch(argc, argv);
    /* A text that did not get out, to a full disk say, is a failure; verbs that write data have checked
     * theirs. */
    if (code == CLI_EXIT_OK && (fflush(stdout) != 0 || ferror(stdout))) {
        cli_log("standard output: %s", strerror(errno));
        code = CLI_EXIT_FAILED;
    }
    int caught = cli_signals_caught();
    if (caught && code == 128 + caught) {
        fflush(NULL);
        cli_signals_die(caught);
    }
    return code;
}
