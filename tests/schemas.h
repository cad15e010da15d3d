/* The schema of a table in memory, as fitting makes it. For tests. */
#ifndef SCHEMAS_H
#define SCHEMAS_H

#include "prep/schema.h"
#include "tables.h"

static inline odim_status make_schema_of(od_schema *s, const odim_table *t, od_scaling scaling, int64_t least)
{
    od_column_stats survey;
    *s = (od_schema){0};
    odim_status status = od_column_stats_new(&survey, t->d, &err);
    if (!status) status = od_column_stats_add(&survey, t, &err);
    if (!status) status = od_schema_make(s, t, &survey, NULL, t->n, scaling, least, &err);
    od_column_stats_free(&survey);
    return status;
}

/* With all levels, however rare. */
static inline odim_status make_schema(od_schema *s, const odim_table *t, od_scaling scaling)
{
    return make_schema_of(s, t, scaling, 1);
}

#endif
