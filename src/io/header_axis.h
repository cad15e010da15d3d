/*
 * Headers of numbers: the wavelengths of a spectrum (400.0, 400.5, ... or 400 nm, 402 nm, ...), or the
 * numbers that programs give columns without names (0, 1, 2, ...). They rise or fall all along, as rows do
 * not.
 */
#ifndef OD_HEADER_AXIS_H
#define OD_HEADER_AXIS_H

#include <stdbool.h>

#include "io/fields.h"

/* 1 if the numbers of a record rise all along, -1 if they fall, 0: neither, or too few. In a header, what is
 * not a number is a name or empty; elsewhere it is passed over. */
int od_header_axis(const od_record *r, bool header);

#endif
