/* Parses labels in the cells of a CSV file, and words the errors about its cells. */
#include "prep/text_cells.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/numtext.h"
#include "base/hint.h"

/* What every message about a cell shows. Cut short, so that a whole message fits an odim_error. */
typedef struct cell_text {
    char name[40], cell[40], place[120];
} cell_text;

static void show_place(const od_columns *cols, const od_record *rec, int64_t col, cell_text *out)
{
    od_columns_show(cols, col, out->name, sizeof out->name);
    char where[40] = ""; /* rows of a database have no lines */
    if (rec->line)
        snprintf(where, sizeof where, " (%s %lld)", rec->sheet ? "sheet row" : "line", (long long)rec->line);
    snprintf(out->place, sizeof out->place, "row %lld%s, column '%s'", (long long)rec->row, where, out->name);
}

static void show_cell(const od_columns *cols, const od_record *rec, int64_t col, cell_text *out)
{
    const od_field *f = &rec->fields[col];
    od_printable(out->cell, sizeof out->cell, f->text, f->len);
    show_place(cols, rec, col, out);
}

odim_status od_text_cell_refuse(const char *place, int64_t row, int64_t col, const char *text, size_t len,
                                const od_column *want, odim_error *err)
{
    double value;
    char kind[140], cell[40];
    od_printable(cell, sizeof cell, text, len);
    od_num number = od_num_parse(text, len, &value);
    if (want->type == ODIM_NUMERIC && number == OD_NUM_OVERFLOW)
        return od_fail_at(err, ODIM_ERR_DATA, row, col, "%s: '%s' is too large for a number of 64 bits",
                          place, cell);
    if (want->type == ODIM_NUMERIC && number == OD_NUM_NONFINITE)
        return od_fail_at(err, ODIM_ERR_DATA, row, col,
                          "%s: '%s' is not a finite number; correct it, or count it as missing%s", place,
                          cell, OD_HINT("na"));
    od_local_number local;
    if (want->type == ODIM_NUMERIC && !want->format.notations && od_local_number_scan(text, len, &local))
        strcpy(kind, "a plain number such as 1234.5");
    else
        od_cell_kind_text(want->type, &want->format, kind, sizeof kind);
    if (want->doubt)
        return od_fail_at(
            err, ODIM_ERR_DATA, row, col,
            "%s: '%s' is not %s, but nearly all other cells of the column are; correct it, count it "
            "as missing%s, take the column as a category%s, or tolerate bad rows%s",
            place, cell, kind, OD_HINT("na"), OD_HINT("categorical"), OD_HINT("bad_rows"));
    return od_fail_at(err, ODIM_ERR_DATA, row, col, "%s: '%s' is not %s", place, cell, kind);
}

odim_status od_text_cell_fail(const od_columns *cols, const od_record *rec, int64_t col,
                              const od_column *want, odim_error *err)
{
    const od_field *f = &rec->fields[col];
    cell_text t;
    show_place(cols, rec, col, &t);
    return od_text_cell_refuse(t.place, rec->row, col + 1, f->text, f->len, want, err);
}

bool od_text_cell_is_total(const char *text, size_t size)
{
    static const char *const words[] = {"total",  "totals", "grand total", "sum",
                                        "summe",  "gesamt", "gesamtsumme", "somme",
                                        "totale", "suma",   "totaal",      "insgesamt"};
    char word[16];
    size_t len = 0;
    while (len < size && text[len] != ':') len++;
    size_t rest = len;
    while (len && text[len - 1] == ' ') len--;
    while (rest < size && (text[rest] == ':' || text[rest] == ' ')) rest++;
    if (len == 0 || len >= sizeof word || rest < size) return false;
    memcpy(word, text, len);
    word[len] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(word, words[i]) == 0) return true;
    return false;
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
