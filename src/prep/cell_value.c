/* Reads the value of a cell from its text, by the type and format of its column. */
#include "prep/cell_value.h"

#include <math.h>
#include <stdio.h>

#include "prep/text_cells.h"
#include "prep/text_rows.h"

odim_status od_cell_value(const od_schema *s, int64_t col, const char *text, size_t len, double *out,
                          odim_error *err)
{
    static const od_strlist no_markers;
    const od_schema_col *c = &s->col[col];
    size_t short_len;
    const char *word = od_text_rows_trim(&(od_field){.text = text, .len = len}, &short_len);
    if (c->format.feature) {
        od_text_values values;
        od_cell_describe(&s->texts.list[c->format.text], word, short_len, &no_markers, values);
        *out = values[c->format.feature];
        return ODIM_OK;
    }
    if (c->type == ODIM_CATEGORICAL) {
        bool missing = od_cell_is_missing(word, short_len, &no_markers);
        *out = missing ? NAN : (double)od_levels_find(&c->levels, word, short_len);
        return ODIM_OK;
    }
    if (od_cell_parse(c->type, &c->format, text, len, &no_markers, out)) return ODIM_OK;
    *out = NAN;
    if (od_text_cell_is_total(text, len)) return ODIM_OK;
    const od_column want = {.type = c->type, .format = c->format};
    char name[64], place[80];
    snprintf(place, sizeof place, "column '%s'", od_schema_show(c, name, sizeof name));
    return od_text_cell_refuse(place, 0, col + 1, text, len, &want, err);
}
