/* Tables from data frames, matrices and files. */
#include "r_odim.h"

#include <stddef.h>
#include <string.h>

/* ---- data frames ---------------------------------------------------------------------------------- */

static const char **utf8_array(SEXP strings)
{
    R_xlen_t count = Rf_xlength(strings);
    const char **out = (const char **)R_alloc((size_t)count + 1, sizeof *out);
    for (R_xlen_t i = 0; i < count; i++) out[i] = r_utf8(STRING_ELT(strings, i));
    out[count] = NULL;
    return out;
}

/* A column is a list: numbers, or codes and texts; and a type, NA if the library is to find it. */
static odim_column column_of(SEXP name, SEXP column, R_xlen_t rows)
{
    odim_column out = ODIM_COLUMN_INIT;
    SEXP numbers = r_element(column, "numbers"), codes = r_element(column, "codes");
    SEXP texts = r_element(column, "texts"), type = r_element(column, "type");
    if (!Rf_isInteger(type) || Rf_xlength(type) != 1) Rf_error("a column without a type");
    out.name = r_utf8(name);
    if (TYPEOF(numbers) == REALSXP && Rf_xlength(numbers) == rows) {
        out.numbers = REAL(numbers);
    } else if (TYPEOF(codes) == INTSXP && Rf_xlength(codes) == rows && Rf_isString(texts)) {
        out.codes = INTEGER(codes);
        out.texts = utf8_array(texts);
        out.text_count = Rf_xlength(texts);
    } else {
        Rf_error("a column without cells");
    }
    if (INTEGER(type)[0] != NA_INTEGER) {
        out.typed = 1;
        out.type = (odim_type)INTEGER(type)[0];
    }
    return out;
}

SEXP r_table_columns(SEXP names, SEXP columns, SEXP rows, SEXP like)
{
    R_xlen_t cols = Rf_xlength(columns), count = (R_xlen_t)Rf_asReal(rows);
    odim_column *column = (odim_column *)R_alloc((size_t)cols + 1, sizeof *column);
    const odim_column **list = (const odim_column **)R_alloc((size_t)cols + 1, sizeof *list);
    for (R_xlen_t j = 0; j < cols; j++) {
        column[j] = column_of(STRING_ELT(names, j), VECTOR_ELT(columns, j), count);
        list[j] = &column[j];
    }
    SEXP out = PROTECT(r_table_new(R_NilValue));
    odim_error err = {0};
    odim_table *table = NULL;
    odim_status status =
        odim_table_build(&table, list, cols, count, Rf_isNull(like) ? NULL : r_model(like), &err);
    R_SetExternalPtrAddr(out, table);
    UNPROTECT(1);
    return status ? r_failure(&err) : out;
}

/* ---- matrices ------------------------------------------------------------------------------------- */

/* The library has rows behind each other, R has columns. The copy lives as long as the table. */
SEXP r_table_matrix(SEXP x, SEXP names)
{
    R_xlen_t rows = Rf_nrows(x), cols = Rf_ncols(x);
    const char **name = Rf_isString(names) ? utf8_array(names) : NULL;
    SEXP copy = PROTECT(Rf_allocVector(REALSXP, rows * cols));
    const double *from = REAL(x);
    double *to = REAL(copy);
    for (R_xlen_t i = 0; i < rows; i++)
        for (R_xlen_t j = 0; j < cols; j++) to[i * cols + j] = from[i + j * rows];
    SEXP out = PROTECT(r_table_new(copy));
    odim_error err = {0};
    odim_table *table = NULL;
    odim_status status = odim_table_wrap_f64(&table, to, rows, cols, 0, name, &err);
    R_SetExternalPtrAddr(out, table);
    UNPROTECT(2);
    return status ? r_failure(&err) : out;
}

/* ---- files ---------------------------------------------------------------------------------------- */

/* Options of odim_read_options that are a text, or a list of texts. */
static const struct {
    const char *name;
    size_t place;
    bool list;
} options[] = {
    {"format", offsetof(odim_read_options, format), false},
    {"label", offsetof(odim_read_options, label), false},
    {"id", offsetof(odim_read_options, id), false},
    {"known", offsetof(odim_read_options, known), false},
    {"known_rows", offsetof(odim_read_options, known_rows), false},
    {"encoding", offsetof(odim_read_options, encoding), false},
    {"entry", offsetof(odim_read_options, entry), false},
    {"sheet", offsetof(odim_read_options, sheet), false},
    {"table", offsetof(odim_read_options, table), false},
    {"sql", offsetof(odim_read_options, sql), false},
    {"pixels", offsetof(odim_read_options, pixels), false},
    {"bounds", offsetof(odim_read_options, bounds), false},
    {"ignore", offsetof(odim_read_options, ignore), true},
    {"only", offsetof(odim_read_options, only), true},
    {"numeric", offsetof(odim_read_options, numeric), true},
    {"boolean", offsetof(odim_read_options, boolean), true},
    {"categorical", offsetof(odim_read_options, categorical), true},
    {"time", offsetof(odim_read_options, time), true},
    {"na", offsetof(odim_read_options, na), true},
};

static void set_option(odim_read_options *out, const char *name, SEXP value)
{
    static const char *const rules[] = {"stop", "skip", "call"};
    if (!Rf_isString(value) || Rf_xlength(value) < 1) Rf_error("read: '%s' must be text", name);
    const char **texts = utf8_array(value);
    if (!strcmp(name, "bad_rows")) {
        for (int i = 0; i < 3; i++)
            if (!strcmp(texts[0], rules[i])) {
                out->bad_rows = (odim_bad_rows)i;
                return;
            }
        Rf_error("read: 'bad_rows' is \"stop\", \"skip\" or \"call\"");
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(name, options[i].name)) continue;
        void *field = (char *)out + options[i].place;
        if (options[i].list) {
            memcpy(field, &texts, sizeof texts);
        } else {
            if (Rf_xlength(value) != 1) Rf_error("read: '%s' must be one text", name);
            memcpy(field, &texts[0], sizeof texts[0]);
        }
        return;
    }
    Rf_error("read: there is no option '%s'", name);
}

SEXP r_table_file(SEXP path, SEXP given, SEXP like, SEXP progress)
{
    odim_read_options read = ODIM_READ_OPTIONS_INIT;
    SEXP names = Rf_getAttrib(given, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(given); i++)
        set_option(&read, CHAR(STRING_ELT(names, i)), VECTOR_ELT(given, i));
    if (!Rf_isNull(like)) read.like = r_model(like);
    const char *name = Rf_translateChar(STRING_ELT(path, 0));
    SEXP out = PROTECT(r_table_new(R_NilValue));
    r_call call;
    r_call_begin(&call, progress);
    read.hooks = &call.hooks;
    odim_table *table = NULL;
    odim_status status = odim_table_read(&table, name, &read, &call.err);
    R_SetExternalPtrAddr(out, table);
    r_call_end(&call);
    UNPROTECT(1);
    return status ? r_failure(&call.err) : out;
}

/* ---- properties ----------------------------------------------------------------------------------- */

static SEXP table_notes(const odim_table *table)
{
    int count = 0;
    while (odim_table_note(table, count)) count++;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) SET_STRING_ELT(out, i, r_string(odim_table_note(table, i)));
    UNPROTECT(1);
    return out;
}

SEXP r_table_info(SEXP handle)
{
    static const char *const names[] = {"rows", "names", "ids", "notes"};
    const odim_table *table = r_table(handle);
    int64_t rows = odim_table_rows(table), cols = odim_table_cols(table);
    SEXP out = PROTECT(Rf_allocVector(VECSXP, 4)), labels = PROTECT(r_strings_of(names, 4));
    Rf_setAttrib(out, R_NamesSymbol, labels);
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)rows));
    SEXP columns = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)cols));
    for (int64_t j = 0; j < cols; j++)
        SET_STRING_ELT(columns, (R_xlen_t)j, r_string(odim_table_name(table, j)));
    SET_VECTOR_ELT(out, 1, columns);
    if (rows > 0 && odim_table_id(table, 0)) {
        SEXP ids = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)rows));
        for (int64_t i = 0; i < rows; i++)
            SET_STRING_ELT(ids, (R_xlen_t)i, r_string(odim_table_id(table, i)));
        SET_VECTOR_ELT(out, 2, ids);
        UNPROTECT(1);
    }
    SET_VECTOR_ELT(out, 3, table_notes(table));
    UNPROTECT(3);
    return out;
}

/* known: 1 outlier, 0 inlier, -1 unknown. */
SEXP r_table_known(SEXP handle, SEXP known)
{
    odim_table *table = r_table(handle);
    R_xlen_t rows = Rf_xlength(known);
    if (TYPEOF(known) != INTSXP || rows != odim_table_rows(table)) Rf_error("known: one entry per row");
    int8_t *copy = (int8_t *)R_alloc((size_t)rows + 1, 1);
    for (R_xlen_t i = 0; i < rows; i++) copy[i] = (int8_t)INTEGER(known)[i];
    odim_error err = {0};
    return odim_table_set_known(table, copy, &err) ? r_failure(&err) : R_NilValue;
}
