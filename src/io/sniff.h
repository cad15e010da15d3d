/*
 * What a text table does not say: its delimiter, and whether the first record is a header.
 *
 * The delimiter is one of , ; tab |. Each is tried on the first records; the number of fields that most of
 * them have is its width, and only a width above one counts. The one whose fields are numbers most often wins
 * ("12,5" is a number here, so that 1,5;2,5 splits at the semicolon); equal ones by how many records have the
 * width, then by the width, then in the order above. None: one column.
 *
 * The first record is a header when one of its fields is a name and the first field below it that is not
 * missing is a number; or when all its fields that are not empty are names. A name is text that is not a
 * number, does not begin like one (so that a mistyped 12.5x is not taken for a name) and does not stand for a
 * missing value.
 */
#ifndef OD_SNIFF_H
#define OD_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "io/csv.h"

/* Sets the delimiter (0: find out) and whether there is a header (0: find out, 1: yes, -1: no). From a pipe
 * that is still being written, `live` makes do with the lines that have come, one at least. */
odim_status od_sniff_set(od_csv *csv, int *delimiter, int header, bool active, bool *has_header,
                         odim_error *err);

/* NA, null, ? and the like, in any case; not the empty text. */
bool od_sniff_is_missing(const char *text, size_t len);
/* 12,5: a number written with a decimal comma. */
bool od_sniff_is_comma_number(const char *text, size_t len);

#endif
