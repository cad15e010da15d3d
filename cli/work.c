#include "work.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "say.h"
#include "signals.h"

void od_work_init(od_work *w, bool quiet)
{
    *w = (od_work){.quiet = quiet};
    od_progress_init(&w->bar, !quiet);
}

static int on_progress(const odim_progress *now, void *user)
{
    od_work *w = user;
    od_progress_draw(&w->bar, now);
    return od_signals_caught();
}

static void on_note(const char *text, void *user)
{
    od_work_note(user, text);
}

odim_hooks od_work_hooks(od_work *w)
{
    return (odim_hooks){.progress = on_progress, .note = on_note, .user = w};
}

/* A note that there is no memory for is said, and no more. */
static void keep_note(od_work *w, const char *text)
{
    enum { MOST = 50 };
    if (w->note_count == MOST) return;
    char **grown = realloc(w->notes, (size_t)(w->note_count + 1) * sizeof *grown);
    if (grown) w->notes = grown;
    if (grown && (w->notes[w->note_count] = strdup(text))) w->note_count++;
}

void od_work_free(od_work *w)
{
    for (int i = 0; i < w->note_count; i++) free(w->notes[i]);
    free(w->notes);
    w->notes = NULL;
    w->note_count = 0;
}

void od_work_note(od_work *w, const char *text)
{
    keep_note(w, text);
    od_progress_clear();
    if (!w->quiet) od_say("note: %s", text);
}

void od_work_notes(od_work *w, const odim_table *table)
{
    for (int i = 0; odim_table_note(table, i); i++) od_work_note(w, odim_table_note(table, i));
}

void od_work_begin(void)
{
    od_signals_defer(true);
}

int od_work_fail(const odim_error *err, const char *name)
{
    bool usage = err->status == ODIM_ERR_PARAM; /* then it is not the file that is wrong */
    od_progress_clear();
    od_say("%s%s%s", name && !usage ? name : "", name && !usage ? ": " : "", err->msg);
    return usage ? OD_EXIT_USAGE : OD_EXIT_FAILED;
}

int od_work_nomem(void)
{
    return od_work_fail(&(odim_error){.status = ODIM_ERR_NOMEM, .msg = "out of memory"}, NULL);
}

/* By our own way of writing files, so that an interruption leaves nothing behind. */
int od_work_save(const odim_model *model, od_out *out)
{
    odim_error err;
    void *bytes;
    size_t size;
    if (odim_model_save_memory(model, &bytes, &size, &err)) return od_work_fail(&err, NULL);
    od_out_bytes(out, bytes, size);
    odim_free(bytes);
    return od_out_commit(out) ? OD_EXIT_OK : OD_EXIT_FAILED;
}

int od_work_end(odim_status status, const odim_error *err, const char *name)
{
    od_signals_defer(false);
    od_progress_clear();
    /* Whether the call has ended for it or, by a hair, without it. */
    if (od_signals_caught()) {
        od_say("interrupted");
        return 128 + od_signals_caught();
    }
    return status ? od_work_fail(err, name) : OD_EXIT_OK;
}

double od_work_clock(void)
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

char *od_work_command(const char *verb, int argc, char **argv)
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
