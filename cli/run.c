/* The driver of the verbs. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "args.h"
#include "log.h"
#include "shell_word.h"
#include "signals.h"

void cli_run_init(cli_run *w, bool quiet)
{
    *w = (cli_run){.quiet = quiet};
    cli_progress_init(&w->bar, !quiet);
}

/* Whether the option, or for "" the operand, was given. */
static bool is_given(const cli_run *w, void *settings, const char *option)
{
    cli_option_kind kind;
    if (!*option) return w->path;
    const void *place = cli_args_place(w->verb, settings, option, &kind);
    return kind == CLI_OPTION_COUNT ? *(const int64_t *)place > 0 : *(const char *const *)place != NULL;
}

/* A query names its files itself, and is an operand without a name. */
static void take_query(cli_run *w, void *settings)
{
    cli_option_kind kind;
    const char *const *sql = cli_args_place(w->verb, settings, "sql", &kind);
    if (!w->path && sql && *sql) w->path = "";
}

static int check_needs(const cli_run *w, void *settings)
{
    for (const cli_need *need = w->verb->needs; need && need->option; need++) {
        if (is_given(w, settings, need->option)) continue;
        bool is_model = w->path && strcmp(need->option, "model") == 0 && strstr(w->path, ".odim");
        if (is_model)
            cli_log("%s needs %s; did you mean '%s %s -m %s FILE'?", w->verb->name, need->what, cli_program,
                    w->verb->name, w->path);
        else
            cli_log("%s needs %s", w->verb->name, need->what);
        return CLI_EXIT_USAGE;
    }
    return -1;
}

int cli_run_verb(const cli_verb *verb, int argc, char **argv, void *settings, cli_work *work)
{
    cli_run w;
    cli_option_kind kind;
    const int *quiet = cli_args_place(verb, settings, "quiet", &kind);
    odim_params *params = odim_params_new();
    const char *path = NULL;
    int code = params ? cli_args_parse(verb, argc, argv, settings, verb->params ? params : NULL, &path)
                      : cli_run_nomem();
    cli_run_init(&w, quiet && *quiet);
    w.verb = verb;
    w.argc = argc;
    w.argv = argv;
    w.path = path;
    w.params = params;
    take_query(&w, settings);
    if (code < 0) code = check_needs(&w, settings);
    if (code < 0) code = work(&w, settings);
    cli_run_free(&w);
    cli_args_free(verb, settings);
    odim_params_free(params);
    return code;
}

static int on_progress(const odim_progress *now, void *user)
{
    cli_run *w = user;
    cli_progress_draw(&w->bar, now);
    return cli_signals_caught();
}

static void on_note(const char *text, void *user)
{
    cli_run_note(user, text);
}

odim_hooks cli_run_hooks(cli_run *w)
{
    return (odim_hooks){.size = sizeof(odim_hooks), .progress = on_progress, .note = on_note, .user = w};
}

/* A note that there is no memory for is printed, but not kept. */
static void keep_note(cli_run *w, const char *text)
{
    enum { MOST = 50 };
    if (w->note_count == MOST) return;
    char **grown = realloc(w->notes, (size_t)(w->note_count + 1) * sizeof *grown);
    if (grown) w->notes = grown;
    if (grown && (w->notes[w->note_count] = strdup(text))) w->note_count++;
}

void cli_run_free(cli_run *w)
{
    for (int i = 0; i < w->note_count; i++) free(w->notes[i]);
    free(w->notes);
    for (int i = 0; i < w->file_count; i++) free(w->files[i]);
    free(w->files);
    w->files = NULL;
    w->file_count = 0;
    cli_lists_free(&w->lists);
    w->notes = NULL;
    w->note_count = 0;
}

void cli_run_note(cli_run *w, const char *text)
{
    keep_note(w, text);
    cli_progress_clear();
    if (!w->quiet) cli_log("note: %s", text);
}

void cli_run_notes(cli_run *w, const odim_table *table)
{
    for (int i = 0; odim_table_note(table, i); i++) cli_run_note(w, odim_table_note(table, i));
}

int64_t cli_run_threads(const cli_run *w)
{
    return strtoll(odim_params_get(w->params, "threads"), NULL, 10); /* "auto" is 0 */
}

int cli_run_read(cli_run *w, odim_table **table, const char *path, const odim_read_options *reading)
{
    odim_error err;
    odim_read_options own = *reading;
    own.threads = cli_run_threads(w);
    cli_progress_text(&w->bar, "reading", path);
    if (odim_table_read(table, path, &own, &err)) return cli_run_fail(&err, NULL);
    cli_run_notes(w, *table);
    cli_run_skipped(w, odim_table_skipped(*table));
    return CLI_EXIT_OK;
}

void cli_run_skipped(const cli_run *w, int64_t rows)
{
    if (rows && !w->quiet)
        cli_log("%lld row%s could not be read and %s skipped", (long long)rows, rows == 1 ? "" : "s",
                rows == 1 ? "is" : "are");
}

void cli_run_begin(void)
{
    cli_signals_defer(true);
}

int cli_run_fail(const odim_error *err, const char *name)
{
    bool usage = err->status == ODIM_ERR_PARAM; /* then it is not the file that is wrong */
    /* The library does not know our options. */
    const char *option = strstr(err->msg, "in a file of bounds") ? " (--dp-bounds)" : "";
    cli_progress_clear();
    cli_log("%s%s%s%s", name && !usage ? name : "", name && !usage ? ": " : "", err->msg, option);
    return usage ? CLI_EXIT_USAGE : CLI_EXIT_FAILED;
}

int cli_run_nomem(void)
{
    return cli_run_fail(&(odim_error){.status = ODIM_ERR_NOMEM, .msg = "out of memory"}, NULL);
}

/* Not by odim_model_save: after an interruption cli_out leaves no temporary file behind. */
int cli_run_save(const odim_model *model, cli_out *out, size_t *size)
{
    odim_error err;
    void *bytes;
    size_t count;
    if (odim_model_save_memory(model, &bytes, &count, &err)) return cli_run_fail(&err, NULL);
    cli_out_bytes(out, bytes, count);
    if (size) *size = count;
    odim_free(bytes);
    return cli_out_commit(out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

int cli_run_end(odim_status status, const odim_error *err, const char *name)
{
    cli_signals_defer(false);
    cli_progress_clear();
    /* Whether the call ended because of it or just before it. */
    if (cli_signals_caught()) {
        cli_log("interrupted");
        return 128 + cli_signals_caught();
    }
    return status ? cli_run_fail(err, name) : CLI_EXIT_OK;
}

double cli_run_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

char *cli_run_command(const cli_run *w)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fprintf(f, "odim %s", w->verb->name);
    for (int i = 0; i < w->argc; i++) {
        fputc(' ', f);
        cli_shell_word(f, w->argv[i]);
    }
    if (fclose(f) == 0) return text;
    free(text);
    return NULL;
}
