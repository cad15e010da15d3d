/* Registers the C functions of the package with R. */
#include "r_odim.h"

#include <R_ext/Rdynload.h>

#define CALL(name, arguments)                                                                                \
    {                                                                                                        \
#name, (DL_FUNC)&name, arguments                                                                     \
    }

static const R_CallMethodDef calls[] = {
    CALL(r_table_columns, 4), CALL(r_table_matrix, 2),  CALL(r_table_file, 4), CALL(r_table_info, 1),
    CALL(r_table_known, 2),   CALL(r_table_release, 1), CALL(r_fit, 4),        CALL(r_score, 6),
    CALL(r_probability, 2),   CALL(r_explain, 7),       CALL(r_model_info, 1), CALL(r_is_empty, 1),
    CALL(r_save_raw, 1),      CALL(r_load_raw, 1),      CALL(r_save_file, 2),  CALL(r_load_file, 1),
    CALL(r_parameters, 0),    CALL(r_rank, 1),          CALL(r_version, 0),    {NULL, NULL, 0},
};

void R_init_odim(DllInfo *info);

void R_init_odim(DllInfo *info)
{
    R_registerRoutines(info, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
    R_forceSymbols(info, TRUE);
    odim_hints_set(ODIM_HINTS_NONE); /* messages would name fields of C */
}
