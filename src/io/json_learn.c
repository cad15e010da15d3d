/* Finds the columns of a JSON file. */
#include <string.h>

#include "base/poll.h"
#include "io/json_rows_impl.h"

/* One object of columns, {"a": {"0": 1, "1": 2}, ...}, is what pandas writes by default. */
static bool is_by_column(const od_json_rows *r, int64_t rows)
{
    const od_strlist *names = &r->base.names;
    if (rows != 1 || r->layout < OD_JSON_LAYOUT_OBJECTS) return false;
    for (size_t j = 0; j < names->count; j++) {
        const char *dot = strrchr(od_strlist_at(names, j), '.');
        if (!dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")]) return false;
    }
    return names->count > 1;
}

/* Reads everything for its keys, and returns the number of sound rows. *first: what is wrong with the first
 * of the others. */
static odim_status read_all(od_json_rows *r, int64_t *rows, odim_error *first, odim_error *err)
{
    odim_error why;
    odim_status status = ODIM_OK;
    *rows = 0;
    first->status = ODIM_OK;
    r->learning = true;
    while (!status && !r->done && !r->stuck.status) {
        status = od_json_rows_step(r, &why);
        *rows += !status && !r->done;
        if (status == ODIM_ERR_FORMAT) {
            if (!first->status) *first = why;
            status = ODIM_OK;
        }
        if (status) *err = why;
        if (!status) status = od_poll_check(err);
    }
    r->learning = false;
    return status;
}

/* Finds the columns. What is wrong with rows is told when they are read again. */
odim_status od_json_learn_all(od_json_rows *r, odim_error *err)
{
    odim_error first;
    int64_t rows;
    odim_status status = read_all(r, &rows, &first, err);
    if (r->in_lines) {
        r->lines = true;
        od_json_rows_clear(r);
        status = od_json_rows_rewind(&r->base, err);
        if (!status) status = read_all(r, &rows, &first, err);
    }
    if (status) return status;
    if (r->base.names.count == 0) {
        if (!first.status) return od_fail(err, ODIM_ERR_DATA, "it has no rows");
        *err = first;
        return first.status;
    }
    if (is_by_column(r, rows))
        return od_fail(err, ODIM_ERR_DATA,
                       "it is one object of columns; write an array of rows (pandas: orient='records')");
    return od_json_rows_rewind(&r->base, err);
}

/* Reads the first row, which stays to be taken, for the columns. If it is bad, those of the model are taken.
 */
odim_status od_json_learn_first(od_json_rows *r, odim_error *err)
{
    r->learning = true;
    odim_status status = od_json_rows_step(r, err);
    r->learning = false;
    if (status == ODIM_ERR_FORMAT && !r->stuck.status && r->needed.count) {
        r->first = *err;
        od_json_rows_clear(r);
        status = ODIM_OK;
    }
    if (status) return status;
    if (r->done) return od_fail(err, ODIM_ERR_DATA, "it has no rows");
    r->has_row = !r->first.status;
    size_t first = 0, n = r->needed.count;
    while (first < n && od_json_rows_needed(r, first) < 0 && !r->first.status) first++;
    for (size_t i = 0; first < n && i < n && !status; i++) {
        const char *name = od_strlist_at(&r->needed, i);
        if (od_json_rows_needed(r, i) < 0) status = od_json_rows_add(r, name, strlen(name), err);
    }
    return status;
}
