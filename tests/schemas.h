/* The schema of a table in memory, as fitting makes it. For tests. */
#ifndef SCHEMAS_H
#define SCHEMAS_H

#include "prep/schema_fit.h"
#include "tables.h"

static inline odim_status make_schema_of(od_schema *s, const odim_table *t, od_scaling scaling, int64_t least)
{
    od_column_stats stats;
    *s = (od_schema){0};
    odim_status status = od_column_stats_new(&stats, t->d, &err);
    if (!status) status = od_column_stats_add(&stats, t, &err);
    if (!status) status = od_schema_make(s, t, &stats, &(od_row_set){.count = t->n}, scaling, least, 1, &err);
    od_column_stats_free(&stats);
    return status;
}

/* With all levels, however rare. */
static inline odim_status make_schema(od_schema *s, const odim_table *t, od_scaling scaling)
{
    return make_schema_of(s, t, scaling, 1);
}

#endif
