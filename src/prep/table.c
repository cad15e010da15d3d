/* Creates, checks and frees tables, and implements their public accessors. */
#include "prep/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/isotime.h"
#include "common/mem.h"
#include "common/numtext.h"

odim_table *od_table_new(void)
{
    return od_calloc(1, sizeof(odim_table));
}

void od_file_columns_free(od_file_columns *f)
{
    od_strlist_free(&f->names);
    od_free(f->role);
    *f = (od_file_columns){0};
}

odim_status od_file_columns_copy(od_file_columns *to, const od_file_columns *from, odim_error *err)
{
    size_t n = from->names.count;
    odim_status status = ODIM_OK;
    if (!n) return ODIM_OK;
    if (!(to->role = od_alloc(n, 1))) return od_fail_nomem(err);
    memcpy(to->role, from->role, n);
    for (size_t i = 0; !status && i < n; i++) {
        const char *name = od_strlist_at(&from->names, i);
        status = od_strlist_add(&to->names, name, strlen(name), err);
    }
    return status;
}

odim_status od_table_add_bad(odim_table *t, int64_t row, const char *why, odim_error *err)
{
    od_bad_rows *b = &t->bad;
    if (b->why.count == b->cap) {
        size_t cap = b->cap ? b->cap * 2 : 16;
        int64_t *more = od_grow(b->row, b->cap, cap, sizeof *more);
        if (!more) return od_fail_nomem(err);
        b->row = more;
        b->cap = cap;
    }
    b->row[b->why.count] = row;
    return od_strlist_add(&b->why, why, strlen(why), err);
}

const char *odim_table_bad_row(const odim_table *t, int64_t row)
{
    size_t low = 0, high = t ? t->bad.why.count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->bad.row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return t && low < t->bad.why.count && t->bad.row[low] == row ? od_strlist_at(&t->bad.why, low) : NULL;
}

int64_t odim_table_skipped(const odim_table *t)
{
    return t ? t->skipped : 0;
}

int64_t odim_table_row_number(const odim_table *t, int64_t row)
{
    return t && row >= 0 && row < t->n ? od_table_row(t, row) - 1 : 0;
}

const char *odim_table_file(const odim_table *t, int64_t row)
{
    bool known = t && t->path && row >= 0 && row < t->n;
    return known ? od_strlist_at(&t->paths, (size_t)t->path[row]) : NULL;
}

void odim_table_free(odim_table *t)
{
    if (!t) return;
    if (!t->borrowed) od_free((void *)t->cells);
    for (int64_t j = 0; t->col && j < t->d; j++) {
        od_free(t->col[j].name);
        od_levels_free(&t->col[j].levels);
    }
    for (int64_t j = 0; t->kept_name && j < t->kept_cols; j++) od_free(t->kept_name[j]);
    od_free(t->col);
    od_free(t->number);
    od_strlist_free(&t->paths);
    od_free(t->path);
    od_free(t->labels);
    od_free(t->label_name);
    od_free(t->known);
    od_strlist_free(&t->ids);
    od_free(t->id_name);
    od_free(t->kept_name);
    od_strlist_free(&t->kept);
    od_strlist_free(&t->notes);
    od_file_columns_free(&t->file);
    od_text_profiles_free(&t->texts);
    od_free(t->bad.row);
    od_strlist_free(&t->bad.why);
    od_free(t);
}

odim_status od_table_set_cols(odim_table *t, int64_t d, odim_error *err)
{
    t->col = od_calloc((size_t)d, sizeof *t->col);
    if (!t->col) return od_fail_nomem(err);
    t->d = t->stride = d;
    return ODIM_OK;
}

const char *od_table_show(const odim_table *t, int64_t col, char *buf, size_t size)
{
    return od_printable(buf, size, t->col[col].name, strlen(t->col[col].name));
}

int64_t od_table_find(const odim_table *t, const char *name, int64_t start)
{
    for (int64_t i = 0; i < t->d; i++) {
        int64_t j = (start + i) % t->d;
        if (strcmp(t->col[j].name, name) == 0) return j;
    }
    return -1;
}

const char *odim_type_text(odim_type type)
{
    static const char *const names[] = {"numeric", "boolean", "categorical", "time"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "unknown";
}

const char *od_table_text(const od_column *col, bool single, double value, char *buf, size_t size)
{
    char text[OD_NUM_ROOM > OD_TIME_ROOM ? OD_NUM_ROOM : OD_TIME_ROOM];
    const char *what = text;
    if (isnan(value))
        what = "";
    else if (col->type == ODIM_BOOLEAN)
        what = value != 0 ? "true" : "false";
    else if (col->type == ODIM_TIME)
        od_time_format(text, value);
    else if (col->type != ODIM_CATEGORICAL)
        od_num_format(text, value, single);
    else if (value < (double)od_levels_count(&col->levels))
        what = od_strlist_at(&col->levels.texts, (size_t)value);
    else
        what = "(one of too many)";
    snprintf(buf, size, "%s", what);
    return buf;
}

void od_table_drop_col(odim_table *t, int64_t col)
{
    od_free(t->col[col].name);
    od_levels_free(&t->col[col].levels);
    memmove(&t->col[col], &t->col[col + 1], (size_t)(t->d - col - 1) * sizeof *t->col);
    t->d--;
    t->stride = t->d;
}

/* A table has at least one row and one column, and no infinite cell. */
static odim_status check_table(const odim_table *t, odim_error *err)
{
    if (t->n < 1) return od_fail(err, ODIM_ERR_DATA, "no rows");
    if (t->d < 1) return od_fail(err, ODIM_ERR_DATA, "no feature columns");
    for (int64_t i = 0; i < t->n; i++) {
        for (int64_t j = 0; j < t->d; j++) {
            double v = od_table_cell(t, i, j);
            if (!isinf(v)) continue;
            char name[64];
            return od_fail_at(
                err, ODIM_ERR_DATA, i + 1, j + 1,
                "row %lld, column '%s': infinite value; make it a number, or NaN if it is missing",
                (long long)(i + 1), od_table_show(t, j, name, sizeof name));
        }
    }
    return ODIM_OK;
}

odim_status od_table_check_rows(const odim_table *t, const int64_t *rows, int64_t count, odim_error *err)
{
    if (count < 0) return od_fail(err, ODIM_ERR_PARAM, "count is %lld", (long long)count);
    for (int64_t i = 0; rows && i < count; i++)
        if (rows[i] < 0 || rows[i] >= t->n)
            return od_fail(err, ODIM_ERR_PARAM, "row %lld of %lld, counted from 0", (long long)rows[i],
                           (long long)t->n);
    return ODIM_OK;
}

static odim_status wrap(odim_table **out, const void *x, bool is_f64, int64_t rows, int64_t cols,
                        int64_t stride, const char *const *names, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    if (rows < 1 || cols < 1)
        return od_fail(err, ODIM_ERR_DATA, "an array needs at least one row and one column");
    OD_NEED(x, "x", err);
    for (int64_t j = 0; names && j < cols; j++) OD_NEED(names[j], "a name in names", err);
    if (stride == 0) stride = cols;
    if (stride < cols)
        return od_fail(err, ODIM_ERR_PARAM, "stride %lld is below the number of columns", (long long)stride);
    size_t cells;
    if (!od_mul((size_t)rows, (size_t)stride, &cells) || cells > PTRDIFF_MAX / sizeof(double))
        return od_fail(err, ODIM_ERR_PARAM, "an array of %lld x %lld does not fit in memory", (long long)rows,
                       (long long)stride);
    odim_table *t = od_table_new();
    if (!t) return od_fail_nomem(err);
    odim_status status = od_table_set_cols(t, cols, err);
    t->n = rows;
    t->stride = stride;
    t->is_f64 = is_f64;
    t->borrowed = true;
    t->cells = x;
    for (int64_t j = 0; !status && j < cols; j++) {
        char number[32];
        if (!names) snprintf(number, sizeof number, "x%lld", (long long)(j + 1));
        const char *name = names ? names[j] : number;
        t->col[j].name = od_strndup(name, strlen(name));
        if (!t->col[j].name) status = od_fail_nomem(err);
    }
    if (!status) status = check_table(t, err);
    if (status) {
        odim_table_free(t);
        return status;
    }
    *out = t;
    return ODIM_OK;
}

odim_status odim_table_wrap_f32(odim_table **out, const float *x, int64_t rows, int64_t cols, int64_t stride,
                                const char *const *names, odim_error *err)
{
    return wrap(out, x, false, rows, cols, stride, names, err);
}

odim_status odim_table_wrap_f64(odim_table **out, const double *x, int64_t rows, int64_t cols, int64_t stride,
                                const char *const *names, odim_error *err)
{
    return wrap(out, x, true, rows, cols, stride, names, err);
}

int64_t odim_table_rows(const odim_table *t)
{
    return t ? t->n : 0;
}

int64_t odim_table_cols(const odim_table *t)
{
    return t ? t->d : 0;
}

const char *odim_table_name(const odim_table *t, int64_t col)
{
    return t && col >= 0 && col < t->d ? t->col[col].name : NULL;
}

odim_type odim_table_type(const odim_table *t, int64_t col)
{
    return t && col >= 0 && col < t->d ? t->col[col].type : ODIM_NUMERIC;
}

static bool is_inside(const odim_table *t, int64_t row, int64_t col)
{
    return t && row >= 0 && row < t->n && col >= 0 && col < t->d;
}

const char *odim_table_text(const odim_table *t, int64_t row, int64_t col, char *buf, size_t size)
{
    if (!buf || !size) return buf;
    *buf = '\0';
    if (!is_inside(t, row, col)) return buf;
    return od_table_text(&t->col[col], !t->is_f64, od_table_cell(t, row, col), buf, size);
}

double odim_table_value(const odim_table *t, int64_t row, int64_t col)
{
    return is_inside(t, row, col) ? od_table_cell(t, row, col) : NAN;
}

const int8_t *odim_table_labels(const odim_table *t)
{
    return t ? t->labels : NULL;
}

const char *odim_table_label_name(const odim_table *t)
{
    return t ? t->label_name : NULL;
}

odim_status odim_table_set_known(odim_table *t, const int8_t *known, odim_error *err)
{
    int8_t *copy = NULL;
    OD_NEED(t, "table", err);
    for (int64_t i = 0; known && i < t->n; i++)
        if (known[i] < -1 || known[i] > 1)
            return od_fail_at(err, ODIM_ERR_PARAM, i + 1, 0,
                              "row %lld: known must be 1 (outlier), 0 (inlier) or -1 (not known), not %d",
                              (long long)(i + 1), known[i]);
    if (known && !(copy = od_alloc((size_t)t->n, 1))) return od_fail_nomem(err);
    if (known) memcpy(copy, known, (size_t)t->n);
    od_free(t->known);
    t->known = copy;
    return ODIM_OK;
}

const int8_t *odim_table_known(const odim_table *t)
{
    return t ? t->known : NULL;
}

const char *odim_table_id(const odim_table *t, int64_t row)
{
    return t && t->id_name && row >= 0 && row < t->n ? od_strlist_at(&t->ids, (size_t)row) : NULL;
}

const char *odim_table_id_name(const odim_table *t)
{
    return t ? t->id_name : NULL;
}

int64_t odim_table_kept_cols(const odim_table *t)
{
    return t ? t->kept_cols : 0;
}

const char *odim_table_kept_name(const odim_table *t, int64_t col)
{
    return t && col >= 0 && col < t->kept_cols ? t->kept_name[col] : NULL;
}

const char *odim_table_kept(const odim_table *t, int64_t row, int64_t col)
{
    bool inside = t && row >= 0 && row < t->n && col >= 0 && col < t->kept_cols;
    return inside ? od_strlist_at(&t->kept, (size_t)(row * t->kept_cols + col)) : NULL;
}

const char *odim_table_note(const odim_table *t, int index)
{
    return t && index >= 0 && (size_t)index < t->notes.count ? od_strlist_at(&t->notes, (size_t)index) : NULL;
}

odim_table *od_table_with_known(const odim_table *t, const int8_t *known)
{
    odim_table *view = od_alloc(1, sizeof *view);
    int8_t *copy = od_alloc((size_t)t->n, 1);
    if (!view || !copy) {
        od_free(view);
        od_free(copy);
        return NULL;
    }
    memcpy(copy, known, (size_t)t->n);
    *view = *t;
    view->known = copy;
    return view;
}

void od_table_with_known_free(odim_table *view)
{
    if (!view) return;
    od_free(view->known);
    od_free(view);
}
