/* Writes typed values of files as text: dates and times as ISO 8601, whole numbers of any size. */
#ifndef OD_VALUE_TEXT_H
#define OD_VALUE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any value that is not a text: a number of 256 bits has 77 digits. All functions return the length;
 * there is no '\0' at the end. */
#define OD_VALUE_ROOM 96

/* A day, counted from 1970-01-01. */
size_t od_value_day(int64_t days, char *buf);
/* A time of day in units of 1/per seconds, the fraction without zeros at its end. */
size_t od_value_clock(int64_t units, int64_t per, char *buf);
/* A moment, counted from 1970 in units of 1/per seconds; `utc`: with a Z behind it. */
size_t od_value_moment(int64_t units, int64_t per, bool utc, char *buf);
/* "infinity" or "-infinity". */
size_t od_value_infinity(bool negative, char *buf);
/* A float or double so that od_num_parse reads it back; NaN is nothing. */
size_t od_value_real(double value, bool single, char *buf);
/*
 * A whole number of 32 * words bits, at most 256, divided by 10^scale; scale is from -99 to 77. part[0] has
 * the lowest bits; it is overwritten. A negative number has its size in `part`.
 */
size_t od_value_decimal(uint32_t *part, int words, bool negative, int scale, char buf[OD_VALUE_ROOM]);

#endif
