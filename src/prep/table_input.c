/* Tells which columns of a file the options and the model of a caller use. */
#include "prep/table_input.h"

#include <stdio.h>
#include <string.h>

/* Whether a text of the caller means this column. */
static bool is(const char *text, const char *name, int64_t number)
{
    char digits[24];
    if (!text) return false;
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    return strcmp(text, name) == 0 || (number > 0 && strcmp(text, digits) == 0);
}

static bool is_in(const char *const *list, const char *name, int64_t number)
{
    for (; list && *list; list++)
        if (is(*list, name, number)) return true;
    return false;
}

bool od_table_input_needs(const od_table_input *in, const char *name, int64_t number)
{
    const odim_read_options *o = in->options;
    if (is(o->id, name, number) || is(o->label, name, number) || is(o->known, name, number)) return true;
    if (in->like) {
        for (int64_t k = 0; k < in->like->cols; k++)
            if (!in->like->col[k].ignored && strcmp(in->like->col[k].name, name) == 0) return true;
        return false;
    }
    return o->only ? is_in(o->only, name, number) : !is_in(o->ignore, name, number);
}
