#include "work.h"

#include "say.h"
#include "signals.h"

void od_work_init(od_work *w, bool quiet)
{
    w->quiet = quiet;
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

void od_work_note(const od_work *w, const char *text)
{
    od_progress_clear();
    if (!w->quiet) od_say("note: %s", text);
}

void od_work_notes(const od_work *w, const odim_table *table)
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
