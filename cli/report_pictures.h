/* The pictures of a report about pictures: thumbnails, what stands out in them, and what was expected. */
#ifndef CLI_REPORT_PICTURES_H
#define CLI_REPORT_PICTURES_H

#include <stdbool.h>
#include <stdint.h>

#include "odim.h"

/* Those of a row, as data: addresses; NULL: not there. */
typedef struct cli_row_pictures {
    char *thumbnail, *marks, *expected;
} cli_row_pictures;

/* Which rows. */
typedef struct cli_pictured {
    const odim_model *model;
    const odim_table *table;
    const char *folder; /* of the pictures, whose names are the ids of the rows */
    const int64_t *row; /* (count) */
    int64_t count;
    const odim_params *params;
    const odim_hooks *hooks;
} cli_pictured;

/* Whether a report has pictures: the model is of pictures, and the rows are known. */
bool cli_report_has_pictures(const odim_model *model, const odim_table *table);
/* Makes the pictures of the first rows, as many as there is room for. out (count) is all NULL before. */
odim_status cli_report_pictures(const cli_pictured *p, cli_row_pictures *out, odim_error *err);
void cli_row_pictures_free(cli_row_pictures *pictures, int64_t count);

#endif
