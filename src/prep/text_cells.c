/* Parses labels in the cells of a CSV file, and words the errors about its cells. */
#include "prep/text_cells.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/numtext.h"
#include "io/sniff.h"

/* What every message about a cell shows. Cut short, so that a whole message fits an odim_error. */
typedef struct cell_text {
    char name[40], cell[40], place[120];
    char fix[40]; /* what to call the column on a command line: its name, or its number where that is safer */
} cell_text;

static bool is_plain(const char *name)
{
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] == '\0' &&
           *name && !strstr(name, "...");
}

static void show_place(const od_columns *cols, int64_t row, int64_t line, int64_t col, cell_text *out)
{
    od_columns_show(cols, col, out->name, sizeof out->name);
    if (is_plain(out->name) && od_columns_unique(cols, col))
        memcpy(out->fix, out->name, sizeof out->fix);
    else
        snprintf(out->fix, sizeof out->fix, "%lld", (long long)(col + 1));
    snprintf(out->place, sizeof out->place, "row %lld (line %lld), column '%s'", (long long)row,
             (long long)line, out->name);
}

static void show_cell(const od_columns *cols, const od_record *rec, int64_t col, cell_text *out)
{
    const od_field *f = &rec->fields[col];
    od_printable(out->cell, sizeof out->cell, f->text, f->len);
    show_place(cols, rec->row, rec->line, col, out);
}

odim_status od_text_cell_fail(const od_columns *cols, const od_record *rec, int64_t col, odim_type type,
                              odim_error *err)
{
    const od_field *f = &rec->fields[col];
    double value;
    cell_text t;
    show_cell(cols, rec, col, &t);
    od_num kind = od_num_parse(f->text, f->len, &value);
    if (type == ODIM_TIME)
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1, "%s: not an ISO 8601 date or time: '%s'",
                          t.place, t.cell);
    if (kind == OD_NUM_OVERFLOW)
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1,
                          "%s: '%s' is too large for a number of 64 bits", t.place, t.cell);
    if (kind == OD_NUM_NONFINITE)
        return od_fail_at(
            err, ODIM_ERR_DATA, rec->row, col + 1,
            "%s: '%s' is not a finite number; correct it, or count it as missing (set na to %s)", t.place,
            t.cell, t.cell);
    if (type == ODIM_BOOLEAN)
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1, "%s: neither true nor false: '%s'", t.place,
                          t.cell);
    if (od_sniff_is_comma_number(f->text, f->len))
        return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1,
                          "%s: not a number: '%s' (decimals need a point)", t.place, t.cell);
    return od_fail_at(err, ODIM_ERR_DATA, rec->row, col + 1, "%s: not a number: '%s'", t.place, t.cell);
}

odim_status od_text_cell_fail_odd(const od_columns *cols, int64_t col, const od_odd_cell *odd, odim_type type,
                                  odim_error *err)
{
    cell_text t;
    od_field f = {.text = odd->text, .len = (uint32_t)strlen(odd->text)};
    show_place(cols, odd->row, odd->line, col, &t);
    const char *kind = type == ODIM_NUMERIC ? "a number" : "an ISO 8601 date or time";
    if (type == ODIM_NUMERIC && od_sniff_is_comma_number(f.text, f.len))
        return od_fail_at(err, ODIM_ERR_DATA, odd->row, col + 1,
                          "%s: not a number: '%s' (decimals need a point)", t.place, odd->text);
    return od_fail_at(err, ODIM_ERR_DATA, odd->row, col + 1,
                      "%s: not %s: '%s', but nearly all other cells of the column are; correct it, count it "
                      "as missing (set na) or take the column as a category (set categorical to %s)",
                      t.place, kind, odd->text, t.fix);
}

static bool is_word(const od_field *f, const char *word)
{
    return strlen(word) == f->len && strncasecmp(f->text, word, f->len) == 0;
}

static bool is_label(const od_field *f, int8_t *out)
{
    double value;
    if (od_num_parse(f->text, f->len, &value) == OD_NUM_OK && (value == 0 || value == 1)) {
        *out = value == 1;
        return true;
    }
    *out = is_word(f, "true");
    return *out || is_word(f, "false");
}

odim_status od_text_cell_known(const od_columns *cols, const od_strlist *na, const od_record *rec,
                               int8_t *out, odim_error *err)
{
    int64_t col = cols->known;
    const od_field *f = &rec->fields[col];
    if (is_label(f, out)) return ODIM_OK;
    *out = -1;
    if (od_cell_is_missing(f->text, f->len, na)) return ODIM_OK;
    cell_text t;
    show_cell(cols, rec, col, &t);
    return od_fail_at(
        err, ODIM_ERR_DATA, rec->row, col + 1,
        "%s: '%s' is not what can be known of a row: 1 (outlier), 0 (inlier) or empty (not known)", t.place,
        t.cell);
}

odim_status od_text_cell_label(const od_columns *cols, const od_record *rec, int8_t *out, odim_error *err)
{
    int64_t col = cols->label;
    if (is_label(&rec->fields[col], out)) return ODIM_OK;
    cell_text t;
    show_cell(cols, rec, col, &t);
    return od_fail_at(
        err, ODIM_ERR_DATA, rec->row, col + 1,
        "%s: '%s' is not a label; labels are 1 (outlier) and 0 (inlier): recode the column, or name "
        "another as the label",
        t.place, t.cell);
}
