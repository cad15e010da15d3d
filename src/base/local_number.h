/*
 * Numbers as people write them: 1.234,50 EUR, (1,234.50), 12.5 kg, 1 234,5 %, 12'500.-, 1,23,456.
 *
 * What a text means depends on its column: 1.234 is a little more than one, or a little more than a thousand.
 * So a text is taken apart once, which says in which notations it is a number, and its value is asked for in
 * the notation that the whole column has.
 */
#ifndef OD_LOCAL_NUMBER_H
#define OD_LOCAL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/numtext.h"

/* The decimal mark and the mark between thousands, which may be absent. A space is any of the blanks that do
 * not break a line; an apostrophe is the straight or the typographic one. Numbers are stored in model files.
 */
typedef enum od_notation {
    OD_POINT_COMMA,      /* 1,234.5, and 12,34,567.5 as in India */
    OD_POINT_SPACE,      /* 1 234.5 */
    OD_POINT_APOSTROPHE, /* 1'234.5 */
    OD_COMMA_POINT,      /* 1.234,5 */
    OD_COMMA_SPACE,      /* 1 234,5 */
    OD_COMMA_APOSTROPHE, /* 1'234,5 */
    OD_NOTATIONS
} od_notation;

/* Sets of notations. */
#define OD_POINTS      0x07u /* those with a decimal point */
#define OD_COMMAS      0x38u /* those with a decimal comma */
#define OD_ALL_NUMBERS 0x3Fu

/* Bytes of a unit, with its '\0'. Longer texts are not units. */
#define OD_UNIT_ROOM 16

typedef struct od_local_number {
    unsigned notations; /* a bit for each notation in which it is a number */
    bool negative;
    const char *digits, *end; /* digits, marks and an exponent */
    char unit[OD_UNIT_ROOM];  /* "EUR", "%", "kg"; "": none. The same currency has one spelling. */
    bool digit_in_unit;       /* as in m2 */
    /* For od_local_number_value. */
    bool exact;             /* there is no exponent, and all digits fit: */
    uint64_t mantissa;      /* without their marks */
    unsigned char decimal;  /* the notations whose decimal mark is the last mark */
    unsigned char fraction; /* digits behind it */
} od_local_number;

/* Takes a text apart. False: it is not a number in any notation. The text must outlive `out`. */
bool od_local_number_scan(const char *text, size_t len, od_local_number *out);
/* The value in one of out->notations: OD_NUM_OK or OD_NUM_OVERFLOW. */
od_num od_local_number_value(const od_local_number *n, od_notation notation, double *out);
/* Units are equal if they differ at most in the case of ASCII letters. */
bool od_unit_equal(const char *a, const char *b);
/* The same for units in arrays that are filled up with zeros, at less cost where they are alike. */
static inline bool od_unit_same(const char a[OD_UNIT_ROOM], const char b[OD_UNIT_ROOM])
{
    return memcmp(a, b, OD_UNIT_ROOM) == 0 || od_unit_equal(a, b);
}

/* The notations in which a plain number (see od_num_parse), without blanks around it, is the same text. */
unsigned od_plain_notations(const char *text, size_t len);

/* "decimal comma", "decimal comma, thousands point", ... */
const char *od_notation_text(od_notation notation);

#endif
