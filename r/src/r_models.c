/* Fits, scores, explains, saves and loads models. */
#include "r_odim.h"

#include <math.h>
#include <string.h>

enum { TEXT_ROOM = 1024 };

static SEXP named_list(const char *const *names, int count)
{
    SEXP out = PROTECT(Rf_allocVector(VECSXP, count)), labels = PROTECT(r_strings_of(names, count));
    Rf_setAttrib(out, R_NamesSymbol, labels);
    UNPROTECT(2);
    return out;
}

/* ---- fitting and scoring -------------------------------------------------------------------------- */

SEXP r_fit(SEXP handle, SEXP names, SEXP values, SEXP progress)
{
    static const char *const parts[] = {"model", "scores", "notes"};
    const odim_table *table = r_table(handle);
    SEXP out = PROTECT(named_list(parts, 3));
    SEXP model = r_model_new();
    SET_VECTOR_ELT(out, 0, model);
    SEXP scores = Rf_allocVector(REALSXP, (R_xlen_t)odim_table_rows(table));
    SET_VECTOR_ELT(out, 1, scores);
    r_call call;
    r_call_begin(&call, progress);
    odim_params *params = r_params(names, values, &call.err);
    odim_status status = params ? ODIM_OK : call.err.status;
    odim_model *fitted = NULL;
    if (!status) status = odim_detect(table, params, &call.hooks, &fitted, REAL(scores), &call.err);
    odim_params_free(params);
    R_SetExternalPtrAddr(model, fitted);
    if (!status) SET_VECTOR_ELT(out, 2, r_call_notes(&call));
    r_call_end(&call);
    UNPROTECT(1);
    return status ? r_failure(&call.err) : out;
}

SEXP r_score(SEXP model, SEXP table, SEXP raw, SEXP names, SEXP values, SEXP progress)
{
    const odim_model *m = r_model(model);
    const odim_table *t = r_table(table);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)odim_table_rows(t)));
    r_call call;
    r_call_begin(&call, progress);
    odim_params *params = r_params(names, values, &call.err);
    odim_status status = params ? ODIM_OK : call.err.status;
    if (!status)
        status = Rf_asLogical(raw) == TRUE ? odim_score_raw(m, t, params, &call.hooks, REAL(out), &call.err)
                                           : odim_score(m, t, params, &call.hooks, REAL(out), &call.err);
    odim_params_free(params);
    r_call_end(&call);
    UNPROTECT(1);
    return status ? r_failure(&call.err) : out;
}

SEXP r_probability(SEXP model, SEXP scores)
{
    SEXP out = PROTECT(Rf_allocVector(REALSXP, Rf_xlength(scores)));
    odim_error err = {0};
    odim_status status =
        odim_model_probabilities(r_model(model), REAL(scores), Rf_xlength(scores), REAL(out), &err);
    UNPROTECT(1);
    return status ? r_failure(&err) : out;
}

/* 1 is the highest score. */
SEXP r_rank(SEXP scores)
{
    R_xlen_t n = Rf_xlength(scores);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, n));
    int64_t *rank = (int64_t *)R_alloc((size_t)n + 1, sizeof *rank);
    odim_error err = {0};
    odim_status status = odim_rank(REAL(scores), n, rank, &err);
    for (R_xlen_t i = 0; !status && i < n; i++) REAL(out)[i] = (double)rank[i];
    UNPROTECT(1);
    return status ? r_failure(&err) : out;
}

/* ---- reasons -------------------------------------------------------------------------------------- */

static void free_reasons(SEXP handle)
{
    odim_reasons_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

static SEXP text_of(const odim_model *model, int64_t col, double value)
{
    char buf[TEXT_ROOM];
    return isnan(value) ? NA_STRING : r_string(odim_model_text(model, col, value, buf, sizeof buf));
}

/* A cell as its own text, which for an unknown level is not among those of the model. */
static SEXP cell_text(const odim_model *model, const odim_table *table, int64_t row, int64_t col)
{
    odim_column_info info = ODIM_COLUMN_INFO_INIT;
    char buf[TEXT_ROOM], safe[TEXT_ROOM];
    if (odim_model_column(model, col, &info, NULL)) return NA_STRING;
    for (int64_t j = 0; j < odim_table_cols(table); j++)
        if (!strcmp(odim_table_name(table, j), info.name)) {
            const char *text = odim_table_text(table, row, j, buf, sizeof buf);
            return *text ? r_string(odim_printable(text, safe, sizeof safe)) : NA_STRING;
        }
    return NA_STRING;
}

enum { OF_ROW, OF_COLUMN, OF_SHARE, OF_VALUE, OF_EXPECTED, OF_KIND, OF_TEXT, PARTS };

static SEXP reason_list(const odim_model *model, const odim_table *table, const double *rows,
                        const odim_reasons *reasons)
{
    static const char *const names[] = {"row", "column", "share", "value", "expected", "kind", "text"};
    int64_t count = odim_reasons_rows(reasons);
    R_xlen_t total = 0, at = 0;
    for (int64_t i = 0; i < count; i++) total += odim_reasons_count(reasons, i);
    SEXP out = PROTECT(named_list(names, PARTS));
    for (int k = 0; k < PARTS; k++)
        SET_VECTOR_ELT(out, k, Rf_allocVector(k == OF_ROW || k == OF_SHARE ? REALSXP : STRSXP, total));
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < odim_reasons_count(reasons, i); k++, at++) {
            const odim_reason *r = odim_reasons_at(reasons, i, k);
            odim_column_info info = ODIM_COLUMN_INFO_INIT;
            char buf[TEXT_ROOM];
            int64_t row = (int64_t)rows[i];
            odim_model_column(model, r->col, &info, NULL);
            REAL(VECTOR_ELT(out, OF_ROW))[at] = rows[i] + 1;
            REAL(VECTOR_ELT(out, OF_SHARE))[at] = r->share;
            SET_STRING_ELT(VECTOR_ELT(out, OF_COLUMN), at, r_string(info.name));
            SET_STRING_ELT(VECTOR_ELT(out, OF_VALUE), at, cell_text(model, table, row, r->col));
            SET_STRING_ELT(VECTOR_ELT(out, OF_EXPECTED), at, text_of(model, r->col, r->expected));
            SET_STRING_ELT(VECTOR_ELT(out, OF_KIND), at, r_string(odim_reason_kind_text(r->kind)));
            SET_STRING_ELT(VECTOR_ELT(out, OF_TEXT), at,
                           r_string(odim_reason_text(model, table, row, r, buf, sizeof buf)));
        }
    UNPROTECT(1);
    return out;
}

/* rows: from 0. */
SEXP r_explain(SEXP model, SEXP table, SEXP rows, SEXP top, SEXP names, SEXP values, SEXP progress)
{
    const odim_model *m = r_model(model);
    const odim_table *t = r_table(table);
    R_xlen_t count = Rf_xlength(rows);
    int64_t *row = (int64_t *)R_alloc((size_t)count + 1, sizeof *row);
    for (R_xlen_t i = 0; i < count; i++) row[i] = (int64_t)REAL(rows)[i];
    odim_explain_options options = ODIM_EXPLAIN_OPTIONS_INIT;
    options.rows = row;
    options.count = count;
    options.top = Rf_asInteger(top);
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue)), out = R_NilValue;
    R_RegisterCFinalizerEx(handle, free_reasons, TRUE);
    r_call call;
    r_call_begin(&call, progress);
    odim_params *params = r_params(names, values, &call.err);
    odim_status status = params ? ODIM_OK : call.err.status;
    odim_reasons *reasons = NULL;
    if (!status) status = odim_explain(m, t, &options, params, &call.hooks, &reasons, &call.err);
    odim_params_free(params);
    R_SetExternalPtrAddr(handle, reasons);
    r_call_end(&call);
    out = status ? r_failure(&call.err) : reason_list(m, t, REAL(rows), reasons);
    PROTECT(out);
    free_reasons(handle);
    UNPROTECT(2);
    return out;
}

/* ---- what a model contains ------------------------------------------------------------------------ */

enum { IN_NAME, IN_TYPE, IN_IGNORED, IN_MISSING, IN_LOW, IN_HIGH, IN_LEVELS, COLUMN_PARTS };

static SEXP column_list(const odim_model *model)
{
    static const char *const names[] = {"name", "type", "ignored", "missing", "low", "high", "levels"};
    R_xlen_t cols = (R_xlen_t)odim_model_cols(model);
    SEXP out = PROTECT(named_list(names, COLUMN_PARTS));
    for (int k = 0; k < COLUMN_PARTS; k++)
        SET_VECTOR_ELT(out, k, Rf_allocVector(k == IN_MISSING || k == IN_LEVELS ? REALSXP : STRSXP, cols));
    for (R_xlen_t j = 0; j < cols; j++) {
        odim_column_info info = ODIM_COLUMN_INFO_INIT;
        odim_model_column(model, j, &info, NULL);
        SET_STRING_ELT(VECTOR_ELT(out, IN_NAME), j, r_string(info.name));
        SET_STRING_ELT(VECTOR_ELT(out, IN_TYPE), j, r_string(odim_type_text(info.type)));
        SET_STRING_ELT(VECTOR_ELT(out, IN_IGNORED), j, r_string(info.ignored));
        REAL(VECTOR_ELT(out, IN_MISSING))[j] = (double)info.missing;
        SET_STRING_ELT(VECTOR_ELT(out, IN_LOW), j, text_of(model, j, info.low));
        SET_STRING_ELT(VECTOR_ELT(out, IN_HIGH), j, text_of(model, j, info.high));
        REAL(VECTOR_ELT(out, IN_LEVELS))[j] = (double)info.levels;
    }
    UNPROTECT(1);
    return out;
}

/* The parameters that apply to the model, as text. */
static SEXP parameter_values(const odim_model *model)
{
    char buf[TEXT_ROOM];
    int all = odim_param_count(), count = 0;
    for (int i = 0; i < all; i++)
        count += odim_model_get(model, odim_param_at(i)->name, buf, sizeof buf) != NULL;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count)), names = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0, at = 0; i < all && at < count; i++) {
        const char *value = odim_model_get(model, odim_param_at(i)->name, buf, sizeof buf);
        if (!value) continue;
        SET_STRING_ELT(names, at, r_string(odim_param_at(i)->name));
        SET_STRING_ELT(out, at++, r_string(value));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    UNPROTECT(2);
    return out;
}

SEXP r_model_info(SEXP handle)
{
    static const char *const names[] = {"rows",    "threshold",   "unusual", "members",
                                        "columns", "fingerprint", "params"};
    const odim_model *model = r_model(handle);
    char fingerprint[17];
    odim_model_fingerprint(model, fingerprint);
    SEXP out = PROTECT(named_list(names, 7));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)odim_model_rows(model)));
    SET_VECTOR_ELT(out, 1, Rf_ScalarReal(odim_model_threshold(model)));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(odim_model_unusual(model)));
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger(odim_model_members(model)));
    SET_VECTOR_ELT(out, 4, column_list(model));
    SET_VECTOR_ELT(out, 5, Rf_mkString(fingerprint));
    SET_VECTOR_ELT(out, 6, parameter_values(model));
    UNPROTECT(1);
    return out;
}

/* ---- saving and loading --------------------------------------------------------------------------- */

static void free_bytes(SEXP handle)
{
    odim_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

SEXP r_save_raw(SEXP model)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue)), out = R_NilValue;
    R_RegisterCFinalizerEx(handle, free_bytes, TRUE); /* the vector below may find no memory */
    void *bytes = NULL;
    size_t size = 0;
    odim_error err = {0};
    odim_status status = odim_model_save_memory(r_model(model), &bytes, &size, &err);
    R_SetExternalPtrAddr(handle, bytes);
    if (!status) {
        out = Rf_allocVector(RAWSXP, (R_xlen_t)size);
        memcpy(RAW(out), bytes, size);
    }
    PROTECT(out);
    free_bytes(handle);
    UNPROTECT(2);
    return status ? r_failure(&err) : out;
}

SEXP r_load_raw(SEXP bytes)
{
    SEXP out = PROTECT(r_model_new());
    odim_error err = {0};
    odim_model *model = NULL;
    odim_status status = odim_model_load_memory(&model, RAW(bytes), (size_t)Rf_xlength(bytes), &err);
    R_SetExternalPtrAddr(out, model);
    UNPROTECT(1);
    return status ? r_failure(&err) : out;
}

SEXP r_save_file(SEXP model, SEXP path)
{
    odim_error err = {0};
    return odim_model_save(r_model(model), Rf_translateChar(STRING_ELT(path, 0)), &err) ? r_failure(&err)
                                                                                        : R_NilValue;
}

SEXP r_load_file(SEXP path)
{
    const char *name = Rf_translateChar(STRING_ELT(path, 0));
    SEXP out = PROTECT(r_model_new());
    odim_error err = {0};
    odim_model *model = NULL;
    odim_status status = odim_model_load(&model, name, &err);
    R_SetExternalPtrAddr(out, model);
    UNPROTECT(1);
    return status ? r_failure(&err) : out;
}

/* ---- the library ---------------------------------------------------------------------------------- */

SEXP r_parameters(void)
{
    static const char *const names[] = {"name", "values", "default", "group", "help"};
    int count = odim_param_count();
    SEXP out = PROTECT(named_list(names, 5));
    for (int k = 0; k < 5; k++) SET_VECTOR_ELT(out, k, Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) {
        const odim_param_info *p = odim_param_at(i);
        const char *text[] = {p->name, p->arg, p->def, p->group, p->help};
        for (int k = 0; k < 5; k++) SET_STRING_ELT(VECTOR_ELT(out, k), i, r_string(text[k]));
    }
    UNPROTECT(1);
    return out;
}

SEXP r_version(void)
{
    static const char *const names[] = {"library", "kernels"};
    SEXP out = PROTECT(named_list(names, 2));
    SET_VECTOR_ELT(out, 0, Rf_mkString(odim_version()));
    SET_VECTOR_ELT(out, 1, Rf_mkString(odim_kernels()));
    UNPROTECT(1);
    return out;
}
