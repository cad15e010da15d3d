/* Opens a JSON file as records, with the options of the caller. */
#ifndef OD_JSON_INPUT_H
#define OD_JSON_INPUT_H

#include "io/records.h"
#include "prep/table_input.h"

/* Whether a text that begins like this is JSON with objects, as far as can be seen. */
bool od_json_is(const unsigned char *bytes, size_t len);
/* What the name says: .json, .jsonl or .ndjson, also packed; otherwise `other`. */
od_format od_json_format(const char *name, od_format other);
/* A file is read ahead for all keys. A pipe that is scored is not: the keys of the first object and the
 * columns of the model count. */
odim_status od_json_input(od_records **out, const od_table_input *in, odim_error *err);

#endif
