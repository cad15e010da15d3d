/* Compares options for reading with the format of a file. */
#include "prep/options_apply.h"

static odim_status refuse(const char *option, const char *what, odim_error *err)
{
    return od_fail(err, ODIM_ERR_PARAM, "it is %s: %s does not apply", what, option);
}

odim_status od_options_apply(const odim_read_options *o, od_format format, odim_error *err)
{
    bool is_query = format == OD_FORMAT_AUTO;
    if (o->sheet && format != OD_FORMAT_XLSX)
        return refuse("sheet", is_query ? "a query" : "not a workbook", err);
    if (o->pixels) return refuse("pixels", is_query ? "a query" : "not a folder of pictures", err);
    if (o->entry && is_query) return refuse("entry", "a query", err);
    return ODIM_OK;
}

odim_status od_options_apply_folder(const odim_read_options *o, odim_error *err)
{
    static const char what[] = "a folder of pictures";
    if (o->sheet) return refuse("sheet", what, err);
    if (o->entry) return refuse("entry", what, err);
    if (o->table) return refuse("table", what, err);
    if (o->sql) return refuse("sql", what, err);
    return ODIM_OK;
}
