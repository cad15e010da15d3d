/* Frees the checks of a model, and answers questions about them that need no table. */
#include "prep/checks.h"

#include "common/mem.h"

void od_checks_free(od_checks *c)
{
    for (int64_t j = 0; j < c->cols && c->col; j++) od_strlist_free(&c->col[j].patterns);
    od_free(c->col);
    od_free(c->relation);
    od_free(c->level);
    od_free(c->precision);
    *c = (od_checks){0};
}

int64_t od_checks_room(const od_checks *c)
{
    return c->relations;
}

bool od_checks_in_run(const od_column_check *c, double value, double key)
{
    return c->run_key != -1 && value == c->run_value && key >= c->run_low && key <= c->run_high;
}

bool od_checks_is_empty(const od_checks *c, int64_t gaps, int64_t used)
{
    return (used > 1 && gaps == used) ||
           (c->empty > 0.0 && used > 0 && (double)gaps > OD_CHECKS_EMPTY_SHARE * (double)used);
}
