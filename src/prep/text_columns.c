/* Gives a table the numeric columns that describe a column of free text. */
#include "prep/text_columns.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"

/* Columns that a text has more than before. */
#define MORE (OD_TEXT_FEATURES - 1)
/* Columns that the note names, at most. */
#define NOTED_COLUMNS 5

/* Makes an array larger and moves what follows element k. */
static odim_status widen(void *array, int64_t count, int64_t k, size_t size, odim_error *err)
{
    void **at = array;
    char *bytes = od_grow(*at, (size_t)count, (size_t)(count + MORE), size);
    if (!bytes) return od_fail_nomem(err);
    *at = bytes;
    memmove(bytes + (size_t)(k + 1 + MORE) * size, bytes + (size_t)(k + 1) * size,
            (size_t)(count - k - 1) * size);
    return ODIM_OK;
}

/* The columns of the file, of which several are now the same. */
static odim_status widen_file(od_columns *c, int64_t k, odim_error *err)
{
    odim_status status = widen(&c->feature, c->features, k, sizeof *c->feature, err);
    if (!status) status = widen(&c->type, c->features, k, sizeof *c->type, err);
    if (!status) status = widen(&c->format, c->features, k, sizeof *c->format, err);
    if (!status) status = widen(&c->decided, c->features, k, sizeof *c->decided, err);
    if (status) return status;
    for (int64_t i = 1; i <= MORE; i++) {
        c->feature[k + i] = c->feature[k];
        c->type[k + i] = c->type[k];
        c->format[k + i] = c->format[k];
        c->decided[k + i] = c->decided[k];
    }
    c->features += MORE;
    return ODIM_OK;
}

static odim_status widen_table(odim_table *t, int64_t k, uint16_t text, odim_error *err)
{
    odim_status status = widen(&t->col, t->d, k, sizeof *t->col, err);
    if (status) return status;
    char *name = t->col[k].name;
    size_t len = strlen(name);
    t->d += MORE;
    t->stride = t->d;
    for (int64_t i = 0; i <= MORE; i++) t->col[k + i] = (od_column){.type = ODIM_NUMERIC};
    for (int64_t i = 0; !status && i <= MORE; i++) {
        od_column *col = &t->col[k + i];
        col->format = (od_cell_format){.feature = (uint8_t)(OD_TEXT_LENGTH + i), .text = text};
        const char *suffix = od_text_suffix((od_text_feature)(OD_TEXT_LENGTH + i));
        size_t room = len + strlen(suffix) + 1;
        if ((col->name = od_alloc(room, 1)))
            snprintf(col->name, room, "%s%s", name, suffix);
        else
            status = od_fail_nomem(err);
    }
    od_free(name);
    return status;
}

odim_status od_text_columns_make(od_columns *c, odim_table *t, int64_t k, const od_text_counts *counts,
                                 odim_error *err)
{
    uint16_t text = (uint16_t)t->texts.count;
    odim_status status = od_text_profiles_add(&t->texts, counts, err);
    if (!status) status = widen_file(c, k, err);
    return status ? status : widen_table(t, k, text, err);
}

odim_status od_text_columns_note(odim_table *t, odim_error *err)
{
    char names[260], name[48], text[480];
    int64_t count = 0;
    size_t used = 0;
    for (int64_t j = 0; j < t->d; j++) {
        const od_column *col = &t->col[j];
        if (col->format.feature != OD_TEXT_LENGTH || count++ >= NOTED_COLUMNS) continue;
        od_printable(name, sizeof name, col->name, od_text_source(col->name, OD_TEXT_LENGTH));
        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'", used ? ", " : "", name);
    }
    if (count == 0) return ODIM_OK;
    if (count > NOTED_COLUMNS)
        snprintf(names + used, sizeof names - used, " and %lld more", (long long)(count - NOTED_COLUMNS));
    snprintf(text, sizeof text, "%s %s: free text, compared by length, kinds of characters and rare parts",
             count > 1 ? "columns" : "column", names);
    return od_strlist_add(&t->notes, text, strlen(text), err);
}
