/* What the C files of the R package share: handles, calls that can be interrupted, and failures. */
#ifndef R_ODIM_H
#define R_ODIM_H

#include <setjmp.h>
#include <stdbool.h>

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

#include "odim.h"

/*
 * A call of the library. R leaves a C function by a jump (an interrupt, an error in a progress function), and
 * a jump through the library would leak its memory and leave its threads running. So such a jump is caught in
 * the callback, the library is told to stop, and the jump goes on once it has returned.
 */
typedef struct r_call {
    odim_hooks hooks;
    odim_error err;
    SEXP progress; /* a function of R, or NULL */
    SEXP resume;   /* where the jump of R was going */
    SEXP notes;    /* an external pointer to the remarks so far */
    jmp_buf back;
    const odim_progress *now;
    bool jumped;
    int stop;
} r_call;

/* Prepares a call; protects two objects, which r_call_end releases. */
void r_call_begin(r_call *call, SEXP progress);
/* Ends a call: goes on with a jump of R, if there was one. */
void r_call_end(r_call *call);
/* The remarks of the library, as a character vector. */
SEXP r_call_notes(const r_call *call);

/* A failure as an object that R turns into a condition: see R/errors.R. */
SEXP r_failure(const odim_error *err);

/* Text as UTF-8; the result lives until the call from R ends. */
const char *r_utf8(SEXP string);
SEXP r_string(const char *utf8);
SEXP r_strings_of(const char *const *texts, int64_t count);
/* The element of a list that has this name; R's NULL if there is none. */
SEXP r_element(SEXP list, const char *name);

/* Handles: external pointers with finalizers. A new one is empty; reading an empty one is an error of R. */
SEXP r_table_new(SEXP keep);
SEXP r_model_new(void);
odim_table *r_table(SEXP handle);
odim_model *r_model(SEXP handle);

/* Parameters from two character vectors; NULL after an error, which is in *err. */
odim_params *r_params(SEXP names, SEXP values, odim_error *err);

/* What R calls. */
SEXP r_table_columns(SEXP names, SEXP columns, SEXP rows, SEXP like);
SEXP r_table_matrix(SEXP x, SEXP names);
SEXP r_table_file(SEXP path, SEXP options, SEXP like, SEXP progress);
SEXP r_table_info(SEXP table);
SEXP r_table_known(SEXP table, SEXP known);
SEXP r_table_release(SEXP table);
SEXP r_fit(SEXP table, SEXP names, SEXP values, SEXP progress);
SEXP r_score(SEXP model, SEXP table, SEXP raw, SEXP names, SEXP values, SEXP progress);
SEXP r_probability(SEXP model, SEXP scores);
SEXP r_explain(SEXP model, SEXP table, SEXP rows, SEXP top, SEXP names, SEXP values, SEXP progress);
SEXP r_model_info(SEXP model);
SEXP r_is_empty(SEXP handle);
SEXP r_save_raw(SEXP model);
SEXP r_load_raw(SEXP bytes);
SEXP r_save_file(SEXP model, SEXP path);
SEXP r_load_file(SEXP path);
SEXP r_parameters(void);
SEXP r_rank(SEXP scores);
SEXP r_version(void);

#endif
