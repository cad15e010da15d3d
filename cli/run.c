#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "log.h"
#include "signals.h"

void cli_run_init(cli_run *w, bool quiet)
{
    *w = (cli_run){.quiet = quiet};
    cli_progress_init(&w->bar, !quiet);
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

/* A note that there is no memory for is said, and no more. */
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

void cli_run_begin(void)
{
    cli_signals_defer(true);
}

int cli_run_fail(const odim_error *err, const char *name)
{
    bool usage = err->status == ODIM_ERR_PARAM; /* then it is not the file that is wrong */
    cli_progress_clear();
    cli_log("%s%s%s", name && !usage ? name : "", name && !usage ? ": " : "", err->msg);
    return usage ? CLI_EXIT_USAGE : CLI_EXIT_FAILED;
}

int cli_run_nomem(void)
{
    return cli_run_fail(&(odim_error){.status = ODIM_ERR_NOMEM, .msg = "out of memory"}, NULL);
}

/* By our own way of writing files, so that an interruption leaves nothing behind. */
int cli_run_save(const odim_model *model, cli_out *out)
{
    odim_error err;
    void *bytes;
    size_t size;
    if (odim_model_save_memory(model, &bytes, &size, &err)) return cli_run_fail(&err, NULL);
    cli_out_bytes(out, bytes, size);
    odim_free(bytes);
    return cli_out_commit(out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

int cli_run_end(odim_status status, const odim_error *err, const char *name)
{
    cli_signals_defer(false);
    cli_progress_clear();
    /* Whether the call has ended for it or, by a hair, without it. */
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

/* Quoted where a shell would take it for something else. */
static void put_word(FILE *f, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,=:+@%-";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, f);
        return;
    }
    fputc('\'', f);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", f);
        else
            fputc(*word, f);
    }
    fputc('\'', f);
}

char *cli_run_command(const char *verb, int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fprintf(f, "odim %s", verb);
    for (int i = 0; i < argc; i++) {
        fputc(' ', f);
        put_word(f, argv[i]);
    }
    if (fclose(f) == 0) return text;
    free(text);
    return NULL;
}
