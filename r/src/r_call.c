/* Calls of the library from R: interrupts, progress, remarks, failures and handles. */
#include "r_odim.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ----------------------------------------------------------------------------------------- */

const char *r_utf8(SEXP string)
{
    return Rf_translateCharUTF8(string);
}

SEXP r_string(const char *utf8)
{
    return utf8 ? Rf_mkCharCE(utf8, CE_UTF8) : NA_STRING;
}

SEXP r_strings_of(const char *const *texts, int64_t count)
{
    SEXP out = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) SET_STRING_ELT(out, (R_xlen_t)i, r_string(texts[i]));
    UNPROTECT(1);
    return out;
}

SEXP r_element(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (!strcmp(CHAR(STRING_ELT(names, i)), name)) return VECTOR_ELT(list, i);
    return R_NilValue;
}

/* ---- handles -------------------------------------------------------------------------------------- */

static void free_table(SEXP handle)
{
    odim_table_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

static void free_model(SEXP handle)
{
    odim_model_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

static SEXP new_handle(const char *tag, SEXP keep, R_CFinalizer_t finalizer)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, Rf_install(tag), keep));
    R_RegisterCFinalizerEx(handle, finalizer, TRUE);
    UNPROTECT(1);
    return handle;
}

SEXP r_table_new(SEXP keep)
{
    return new_handle("odim_table", keep, free_table);
}

SEXP r_model_new(void)
{
    return new_handle("odim_model", R_NilValue, free_model);
}

static void *address(SEXP handle, const char *tag)
{
    if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != Rf_install(tag))
        Rf_error("not an external pointer of the kind %s", tag);
    if (!R_ExternalPtrAddr(handle)) Rf_error("an empty external pointer of the kind %s", tag);
    return R_ExternalPtrAddr(handle);
}

odim_table *r_table(SEXP handle)
{
    return address(handle, "odim_table");
}

odim_model *r_model(SEXP handle)
{
    return address(handle, "odim_model");
}

/* A handle is empty after it was read from a file of R's: readRDS restores no external pointers. */
SEXP r_is_empty(SEXP handle)
{
    return Rf_ScalarLogical(TYPEOF(handle) != EXTPTRSXP || !R_ExternalPtrAddr(handle));
}

SEXP r_table_release(SEXP table)
{
    r_table(table);
    free_table(table);
    return R_NilValue;
}

/* ---- remarks -------------------------------------------------------------------------------------- */

typedef struct note {
    struct note *next;
    char text[1];
} note;

typedef struct note_list {
    note *first, **end;
} note_list;

static void free_notes(SEXP handle)
{
    note_list *list = R_ExternalPtrAddr(handle);
    for (note *n = list ? list->first : NULL, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    free(list);
    R_ClearExternalPtr(handle);
}

/* Called inside the library, where R must not allocate, since that can jump. A remark that finds no memory is
 * lost. */
static void take_note(const char *text, void *user)
{
    note_list *list = R_ExternalPtrAddr(((r_call *)user)->notes);
    size_t len = strlen(text);
    note *n = list ? malloc(sizeof *n + len) : NULL;
    if (!n) return;
    n->next = NULL;
    memcpy(n->text, text, len + 1);
    *list->end = n;
    list->end = &n->next;
}

SEXP r_call_notes(const r_call *call)
{
    const note_list *list = R_ExternalPtrAddr(call->notes);
    R_xlen_t count = 0;
    for (const note *n = list ? list->first : NULL; n; n = n->next) count++;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    count = 0;
    for (const note *n = list ? list->first : NULL; n; n = n->next)
        SET_STRING_ELT(out, count++, r_string(n->text));
    UNPROTECT(1);
    return out;
}

/* ---- calls ---------------------------------------------------------------------------------------- */

static SEXP look(void *data)
{
    r_call *call = data;
    R_CheckUserInterrupt();
    if (Rf_isFunction(call->progress)) {
        SEXP stage = PROTECT(Rf_mkString(odim_stage_text(call->now->stage)));
        SEXP fraction = PROTECT(Rf_ScalarReal(call->now->fraction));
        SEXP expression = PROTECT(Rf_lang3(call->progress, stage, fraction));
        SEXP answer = PROTECT(Rf_eval(expression, R_BaseEnv));
        call->stop = Rf_isLogical(answer) && Rf_xlength(answer) == 1 && LOGICAL(answer)[0] == TRUE;
        UNPROTECT(4);
    }
    return R_NilValue;
}

static void leave(void *data, Rboolean jump)
{
    if (jump) longjmp(((r_call *)data)->back, 1);
}

/* The library calls this on the thread that called it, about ten times per second. */
static int see(const odim_progress *now, void *user)
{
    r_call *call = user;
    if (call->jumped) return 1;
    call->now = now;
    if (setjmp(call->back)) {
        call->jumped = true;
        return 1;
    }
    R_UnwindProtect(look, call, leave, call, call->resume);
    return call->stop;
}

void r_call_begin(r_call *call, SEXP progress)
{
    memset(call, 0, sizeof *call);
    call->hooks = (odim_hooks)ODIM_HOOKS_INIT;
    call->hooks.progress = see;
    call->hooks.note = take_note;
    call->hooks.user = call;
    call->progress = progress;
    call->resume = PROTECT(R_MakeUnwindCont());
    call->notes = PROTECT(new_handle("odim_notes", R_NilValue, free_notes));
    note_list *list = malloc(sizeof *list);
    if (list) {
        list->first = NULL;
        list->end = &list->first;
    }
    R_SetExternalPtrAddr(call->notes, list);
}

void r_call_end(r_call *call)
{
    if (call->jumped) R_ContinueUnwind(call->resume);
    UNPROTECT(2);
}

/* ---- failures ------------------------------------------------------------------------------------- */

static const char *const kinds[] = {"",     "memory",    "file",      "format",
                                    "data", "parameter", "cancelled", "system"};

SEXP r_failure(const odim_error *err)
{
    static const char *const names[] = {"message", "kind", "row", "column"};
    SEXP out = PROTECT(Rf_allocVector(VECSXP, 4)), labels = PROTECT(r_strings_of(names, 4));
    SET_VECTOR_ELT(out, 0, Rf_ScalarString(r_string(err->msg[0] ? err->msg : odim_status_text(err->status))));
    bool known = (size_t)err->status < sizeof kinds / sizeof *kinds;
    SET_VECTOR_ELT(out, 1, Rf_mkString(known ? kinds[err->status] : "other"));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(err->row < 0 ? NA_REAL : (double)err->row + 1));
    SET_VECTOR_ELT(out, 3, Rf_ScalarReal(err->col < 0 ? NA_REAL : (double)err->col + 1));
    Rf_setAttrib(out, R_NamesSymbol, labels);
    Rf_setAttrib(out, R_ClassSymbol, Rf_mkString("odim_failure"));
    UNPROTECT(2);
    return out;
}

odim_params *r_params(SEXP names, SEXP values, odim_error *err)
{
    /* Translating text allocates, and may jump: first all of it. */
    R_xlen_t count = Rf_xlength(names);
    const char **name = (const char **)R_alloc((size_t)count + 1, sizeof *name);
    const char **value = (const char **)R_alloc((size_t)count + 1, sizeof *value);
    for (R_xlen_t i = 0; i < count; i++) {
        name[i] = r_utf8(STRING_ELT(names, i));
        value[i] = r_utf8(STRING_ELT(values, i));
    }
    odim_params *params = odim_params_new();
    if (!params) {
        *err = (odim_error){ODIM_ERR_NOMEM, -1, -1, ""};
        return NULL;
    }
    for (R_xlen_t i = 0; i < count; i++)
        if (odim_params_set(params, name[i], value[i], err)) {
            odim_params_free(params);
            return NULL;
        }
    return params;
}
