/* SQLite databases. A view without end is cut off by cancellation. */
#include "fuzz.h"

#include "base/poll.h"

static int patience;

static int stop(const odim_progress *now, void *user)
{
    (void)now, (void)user;
    return --patience < 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .format = "sqlite"};
    const odim_hooks hooks = {.size = sizeof hooks, .progress = stop};
    odim_table *t;
    odim_error err;
    od_poll poll;
    patience = 20000;
    od_poll_set_interval(0);
    od_poll_begin(&poll, &hooks, (odim_progress){0});
    memset(&err, 0xA5, sizeof err);
    odim_status status = odim_table_read_memory(&t, data, size, "fuzz", &o, &err);
    od_poll_end(&poll);
    if (status) {
        MUST(!t && strncmp(err.msg, "fuzz: ", 6) == 0);
        check_error(status, &err);
        return 0;
    }
    MUST(odim_table_rows(t) >= 1 && odim_table_cols(t) >= 1);
    for (int64_t i = 0; i < odim_table_rows(t); i++)
        for (int64_t j = 0; j < odim_table_cols(t); j++) check_cell(t, i, j);
    odim_table_free(t);
    return 0;
}
