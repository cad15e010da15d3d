/* Reads the records of several files, one file after the other, in the columns of the first. */
#include "prep/many_files.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"

typedef struct many_files {
    od_records base;
    od_file_opener opener;
    int64_t at;         /* the file that is open; opener.count: the end */
    od_text_rows *rows; /* of that file */
    int64_t *place;     /* (names) of each column in that file */
    od_field *fields;   /* (names + 1) */
} many_files;

/* Names up to three columns of `own` that `other` does not have. Returns their number. */
static size_t list_strange(const od_columns *own, const od_strlist *other, char *buf, size_t size)
{
    enum { NAMED = 3 };
    size_t found = 0, len = 0;
    *buf = '\0';
    for (int64_t j = 0; j < own->count; j++) {
        char number[OD_NUMBER_ROOM], shown[40];
        const char *name = od_columns_name(own, j, number);
        bool there = false;
        for (size_t k = 0; k < other->count && !there; k++)
            there = strcmp(od_strlist_at(other, k), name) == 0;
        if (there || ++found > NAMED) continue;
        od_columns_show(own, j, shown, sizeof shown);
        len += (size_t)snprintf(buf + len, size - len, "%s'%s'", found > 1 ? ", " : "", shown);
    }
    if (found > NAMED) snprintf(buf + len, size - len, " and %zu more", found - NAMED);
    return found;
}

static odim_status fail_missing(const many_files *m, size_t column, odim_error *err)
{
    char shown[40];
    const char *name = od_strlist_at(&m->base.names, column);
    return od_fail(err, ODIM_ERR_DATA,
                   "there is no column '%s', which %.60s has; files of one table have the same columns",
                   od_printable(shown, sizeof shown, name, strlen(name)), m->opener.first);
}

/* Finds the columns of the first file in this one. */
static odim_status match_columns(many_files *m, odim_error *err)
{
    char list[170];
    const od_columns *own = &m->rows->cols;
    const od_strlist *names = &m->base.names;
    for (size_t j = 0; j < names->count; j++) {
        const char *name = od_strlist_at(names, j);
        if (od_columns_count_named(own, name, strlen(name), &m->place[j]) == 0)
            return fail_missing(m, j, err);
    }
    if (own->count == (int64_t)names->count) return ODIM_OK;
    bool one = list_strange(own, names, list, sizeof list) == 1;
    return od_fail(err, ODIM_ERR_DATA, "there %s %s, which %.60s does not have",
                   one ? "is a column" : "are columns", list, m->opener.first);
}

static odim_status open_file(many_files *m, int64_t i, odim_error *err)
{
    odim_status status = m->opener.open(m->opener.self, i, &m->rows, err);
    m->at = i;
    if (!status) m->base.semicolon |= m->rows->hints.semicolon;
    return status || m->base.names.count == 0 ? status : match_columns(m, err);
}

/* Puts the fields of a record in the order of the first file. One with a wrong number of fields keeps it, and
 * those that it has. */
static void put_in_order(many_files *m, od_record *out)
{
    size_t want = m->base.names.count;
    for (size_t j = 0; j <= want; j++) {
        size_t from = j < want ? (size_t)m->place[j] : want;
        m->fields[j] = from < out->count ? out->fields[from] : (od_field){.text = ""};
    }
    out->fields = m->fields;
    if (out->count == want + 1 && m->fields[want].len == 0) out->count = want;
    out->placed = true;
}

static odim_status next(od_records *r, od_record *out, odim_error *err)
{
    many_files *m = (many_files *)r;
    odim_status status = ODIM_OK;
    *out = (od_record){0};
    while (m->at < m->opener.count) {
        status = od_text_rows_next(m->rows, out, err);
        out->file = (int32_t)m->at;
        if (status || out->count) break;
        if (m->at + 1 == m->opener.count) {
            m->at++;
            m->opener.close(m->opener.self);
            m->rows = NULL;
        } else if ((status = open_file(m, m->at + 1, err))) {
            m->at = m->opener.count;
            /* A file that cannot be opened is not a bad row of the table. */
            if (status == ODIM_ERR_FORMAT) status = ODIM_ERR_DATA;
            if (err) err->status = status;
            return status;
        }
    }
    if (status || out->count == 0) return status;
    put_in_order(m, out);
    return ODIM_OK;
}

static odim_status rewind_files(od_records *r, odim_error *err)
{
    return open_file((many_files *)r, 0, err);
}

static void close_files(od_records *r)
{
    many_files *m = (many_files *)r;
    m->opener.close(m->opener.self);
    od_strlist_free(&r->names);
    od_free(m->place);
    od_free(m->fields);
    od_free(m);
}

/* The columns of the first file are those of all. */
static odim_status take_names(many_files *m, odim_error *err)
{
    const od_columns *own = &m->rows->cols;
    odim_status status = ODIM_OK;
    m->place = od_alloc((size_t)own->count, sizeof *m->place);
    m->fields = od_calloc((size_t)own->count + 1, sizeof *m->fields);
    if (!m->place || !m->fields) return od_fail_nomem(err);
    for (int64_t j = 0; !status && j < own->count; j++) {
        char number[OD_NUMBER_ROOM];
        const char *name = od_columns_name(own, j, number);
        m->place[j] = j;
        status = od_strlist_add(&m->base.names, name, strlen(name), err);
    }
    m->base.unnamed = own->numbered == own->count;
    return status;
}

odim_status od_many_files_open(od_records **out, od_file_opener opener, odim_error *err)
{
    many_files *m = od_calloc(1, sizeof *m);
    *out = NULL;
    if (!m) return od_fail_nomem(err);
    m->base = (od_records){.next = next, .rewind = rewind_files, .close = close_files};
    m->opener = opener;
    odim_status status = open_file(m, 0, err);
    if (!status) status = take_names(m, err);
    if (status)
        close_files(&m->base);
    else
        *out = &m->base;
    return status;
}

/* The arrays of a JSON file that the caller leaves out must not stop the reading of it. */
static odim_status copy_ignored(const char ***to, od_strlist *texts, const char *const *from, odim_error *err)
{
    odim_status status = ODIM_OK;
    size_t n = 0, first = texts->count;
    while (from && from[n]) n++;
    if (!(*to = od_calloc(n + 1, sizeof **to))) return od_fail_nomem(err);
    for (size_t i = 0; !status && i < n; i++) status = od_strlist_add(texts, from[i], strlen(from[i]), err);
    for (size_t i = 0; !status && i < n; i++) (*to)[i] = od_strlist_at(texts, first + i);
    return status;
}

odim_status od_many_files_options(odim_read_options *to, od_strlist *texts, const char ***ignored,
                                  const odim_read_options *from, odim_error *err)
{
    enum { TEXTS = 6 };
    const char *const theirs[TEXTS] = {from->format, from->encoding, from->entry,
                                       from->sheet,  from->table,    from->sql};
    const char **own[TEXTS] = {&to->format, &to->encoding, &to->entry, &to->sheet, &to->table, &to->sql};
    odim_status status = ODIM_OK;
    *to = (odim_read_options){.size = sizeof *to,
                              .delimiter = from->delimiter,
                              .header = from->header,
                              .unpacked = from->unpacked,
                              .bad_rows = from->bad_rows};
    for (int k = 0; !status && k < TEXTS; k++) {
        const char *text = theirs[k] ? theirs[k] : "";
        status = od_strlist_add(texts, text, strlen(text), err);
    }
    if (!status) status = copy_ignored(ignored, texts, from->ignore, err);
    to->ignore = *ignored;
    for (int k = 0; !status && k < TEXTS; k++) *own[k] = theirs[k] ? od_strlist_at(texts, (size_t)k) : NULL;
    return status;
}

odim_status od_many_files_notes(od_strlist *all, const char *file, const od_strlist *notes, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < notes->count; i++) {
        char text[400];
        bool known = false;
        const char *note = od_strlist_at(notes, i);
        for (size_t k = 0; k < all->count; k++) {
            const char *other = strstr(od_strlist_at(all, k), ": ");
            known |= other && strcmp(other + 2, note) == 0;
        }
        snprintf(text, sizeof text, "%s: %s", file, note);
        if (!known) status = od_strlist_add(all, text, strlen(text), err);
    }
    return status;
}
