/*
 * Dates and times as people write them: 31.12.2024, 12/31/24 5:30 PM, 15 Nov 2026, Tue, 3 March 2026 14:00.
 *
 * What 05/06/2024 means depends on its column. So a text is taken apart once, which says in which orders it
 * is a date, and its value is asked for in the order that the whole column has. Values are as in
 * base/isotime.h.
 */
#ifndef OD_LOCAL_DATE_H
#define OD_LOCAL_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of day, month and year, or the unit of a count since 1970. Numbers are stored in model files. */
typedef enum od_date_order {
    OD_DATE_ISO,   /* as od_time_parse reads it */
    OD_DATE_YMD,   /* 2024/12/31, and what is ISO */
    OD_DATE_DMY,   /* 31.12.2024, 31/12/24, 31-12-2024 */
    OD_DATE_MDY,   /* 12/31/2024 */
    OD_DATE_NAMED, /* 31 Dec 2024, December 31, 2024: the name of the month says it */
    OD_DATE_SECONDS,
    OD_DATE_MILLISECONDS,
    OD_DATE_ORDERS
} od_date_order;

typedef struct od_local_date {
    unsigned orders; /* a bit for each order in which it is a date: YMD, DMY, MDY, NAMED */
    int part[3];     /* as they stand in the text; of a named month the day, the month and the year */
    bool short_year; /* the year has two digits: 69 to 99 are of the last century */
    int64_t clock;   /* seconds of the day, less the offset from UTC */
    int64_t billionths;
} od_local_date;

/* Takes a text apart. False: it is not a date in any order. ISO 8601 is not for it. */
bool od_local_date_scan(const char *text, size_t len, od_local_date *out);
/* The value in one of d->orders. */
double od_local_date_value(const od_local_date *d, od_date_order order);

/* "ISO 8601", "day.month.year", ... */
const char *od_date_order_text(od_date_order order);
/* The names for options and programs: iso, ymd, dmy, mdy, named, unix, unix-ms. */
const char *od_date_order_name(od_date_order order);

#endif
