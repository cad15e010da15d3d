/* Refuses options for reading that mean nothing for the format of a file, which would be ignored otherwise.
 */
#ifndef OD_OPTIONS_APPLY_H
#define OD_OPTIONS_APPLY_H

#include "prep/table_input.h"

/* Of a file in this format; OD_FORMAT_AUTO: of a query that names its files itself. */
odim_status od_options_apply(const odim_read_options *o, od_format format, odim_error *err);
odim_status od_options_apply_folder(const odim_read_options *o, odim_error *err);

#endif
