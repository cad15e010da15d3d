/*
 * A file of bounds is refused with a reason, or every column it names is one that a private fit can use: a
 * table of made-up rows within the bounds has features, all of them between 0 and the size of a level.
 */
#include "fuzz.h"

#include "prep/bounds.h"
#include "prep/encode.h"
#include "prep/schema_fit.h"
#include "prep/synthetic_rows.h"

enum { ROWS = 5 };

static void check_column(const od_schema_col *c)
{
    MUST(c->name && *c->name);
    if (c->type == ODIM_CATEGORICAL)
        MUST(od_levels_count(&c->levels) >= 2 && od_levels_count(&c->levels) <= OD_SCHEMA_LEVELS);
    else
        MUST(c->low < c->high && isfinite(c->high - c->low) && od_levels_count(&c->levels) == 0);
}

/* As if a table had been read with the bounds: od_column_stats_add_public sees its columns. */
static void check_use(const od_schema *bounds)
{
    odim_table *t, *again;
    od_column_stats stats;
    od_schema s;
    MUST(!od_synthetic_rows(&t, bounds, ROWS, 1, NULL));
    for (int64_t j = 0; j < t->d; j++) {
        t->col[j].bounded = true;
        t->col[j].low = bounds->col[j].low;
        t->col[j].high = bounds->col[j].high;
        t->col[j].known = od_levels_count(&t->col[j].levels);
    }
    MUST(!od_column_stats_new(&stats, t->d, NULL) && !od_column_stats_add_public(&stats, t, NULL));
    odim_status status = od_schema_make(&s, t, &stats, &(od_row_set){0}, OD_SCALE_MINMAX, 0, 1, NULL);
    if (!status) { /* else there are too many features */
        od_encoder e;
        float *x = malloc((size_t)(ROWS * s.features) * sizeof *x);
        MUST(x && !od_synthetic_rows(&again, &s, ROWS, 2, NULL) && !od_encoder_new(&e, &s, again, NULL));
        MUST(!od_encode_rows(&e, NULL, 0, ROWS, x, NULL));
        for (int64_t i = 0; i < ROWS * s.features; i++) MUST(x[i] >= 0 && x[i] <= 1);
        od_encoder_free(&e);
        odim_table_free(again);
        free(x);
        od_schema_free(&s);
    }
    od_column_stats_free(&stats);
    odim_table_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_schema s;
    odim_error err;
    odim_status status = od_bounds_read_memory(&s, data, size, "fuzz", &err);
    if (status) {
        MUST(status == err.status && strncmp(err.msg, "fuzz: ", 6) == 0 && !s.col);
        return 0;
    }
    MUST(s.cols > 0);
    for (int64_t j = 0; j < s.cols; j++) check_column(&s.col[j]);
    check_use(&s);
    od_schema_free(&s);
    return 0;
}
