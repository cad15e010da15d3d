/* odim: the command. Data goes to stdout, all else to stderr; exit 0 fine, 1 failed, 2 wrong usage. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "help.h"
#include "odim.h"
#include "say.h"
#include "signals.h"
#include "suggest.h"

const char od_program[] = "odim";
const char od_examples[] = "  odim detect data.csv --top 10         the ten most outlying rows\n"
                           "  odim detect data.csv -o scores.csv    a score and a rank for every row\n"
                           "  odim help detect                      all options of a command\n"
                           "  odim --version                        version and numeric kernels\n";

const od_verb *const od_verbs[] = {&od_detect_verb,
                                   &od_fit_verb,
                                   &od_score_verb,
                                   &od_explain_verb,
                                   &od_report_verb,
                                   &od_inspect_verb,
                                   &od_eval_verb,
                                   &od_trace_verb,
                                   &od_dp_budget_verb,
                                   &od_help_verb,
                                   &od_man_verb,
                                   &od_completion_verb,
                                   NULL};

const od_verb *od_verb_find(const char *name)
{
    od_suggest s = {.word = name};
    for (const od_verb *const *verb = od_verbs; *verb; verb++) {
        if (strcmp((*verb)->name, name) == 0) return *verb;
        od_suggest_offer(&s, (*verb)->name);
    }
    const char *kind = name[0] == '-' ? "option" : "command";
    if (s.best)
        od_say("unknown %s '%s'; did you mean '%s'?", kind, name, s.best);
    else if (name[0] != '-' && access(name, F_OK) == 0)
        od_say("unknown command '%s'; did you mean 'odim detect %s'?", name, name);
    else
        od_say("unknown %s '%s'; 'odim help' lists the commands", kind, name);
    return NULL;
}

/*
 * A standard stream that was closed by who started us would be given to the first file we open, and data
 * would go there. Fill the hole with something that fails when it is used.
 */
static void fill_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(OD_EXIT_FAILED);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        od_help_print(NULL, stderr);
        return OD_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("odim %s (kernels: %s)\n", odim_version(), odim_kernels());
        return OD_EXIT_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    const od_verb *verb = od_verb_find(name);
    if (!verb) return OD_EXIT_USAGE;
    bool needs_operand = verb->usage[0] != '[';
    if (argc == 2 && needs_operand) {
        od_help_print(verb, stderr);
        return OD_EXIT_USAGE;
    }
    return verb->run(argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    od_signals_install();
    int code = dispatch(argc, argv);
    /* A text that did not get out, to a full disk say, is a failure; verbs that write data have checked
     * theirs. */
    if (code == OD_EXIT_OK && (fflush(stdout) != 0 || ferror(stdout))) {
        od_say("standard output: %s", strerror(errno));
        code = OD_EXIT_FAILED;
    }
    int caught = od_signals_caught();
    if (caught && code == 128 + caught) {
        fflush(NULL);
        od_signals_die(caught);
    }
    return code;
}
