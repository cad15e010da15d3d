/*
 * Dates and times in ISO 8601. Examples are 2024-05-01, 2024-05-01T09:30, 2024-05-01 09:30:12.5Z,
 * 2024-05-01T09:30:00+02:00 and 20240501T093000. The value is seconds since 1970-01-01T00:00Z; a time
 * without an offset is taken as UTC.
 */
#ifndef OD_ISOTIME_H
#define OD_ISOTIME_H

#include <stdbool.h>
#include <stddef.h>

#define OD_TIME_ROOM 40
#define OD_DAY       86400.0

/* Blanks around are allowed. The text needs no '\0'. */
bool od_time_parse(const char *s, size_t len, double *out);

/* Midnight of a day; false: there is no such day. */
bool od_time_day(int year, int month, int day, double *out);

/* A date, with a time where it is not midnight, to the millisecond. */
const char *od_time_format(char buf[OD_TIME_ROOM], double seconds);

#endif
