/* Parses and formats numbers independently of the locale: the decimal point is always '.'. */
#ifndef OD_NUMTEXT_H
#define OD_NUMTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum od_num {
    OD_NUM_OK,
    OD_NUM_EMPTY,     /* nothing but blanks */
    OD_NUM_NOT,       /* not a number */
    OD_NUM_NONFINITE, /* nan, inf in any spelling */
    OD_NUM_OVERFLOW   /* a number, too large for a double */
} od_num;

/* Blanks around the number are allowed, hexadecimal is not. The value is correctly rounded. The text need not
 * end with '\0'. */
od_num od_num_parse(const char *s, size_t len, double *out);

/* Enough for any number written here, with its '\0'. */
#define OD_NUM_ROOM 32

/* Writes a short text that od_num_parse reads back as `value`, a finite double or, with `single`, a float. */
const char *od_num_format(char buf[OD_NUM_ROOM], double value, bool single);
/* The number that od_num_parse reads from that text of a finite float: 0.1, not 0.100000001. */
double od_num_single(float value);

/* Writes a number for people, with at most so many decimals and no trailing zeros. Very large numbers get an
 * exponent. */
const char *od_num_fixed(char buf[OD_NUM_ROOM], double value, int decimals);

/* As printf does, but several times faster. Both return the length; there may be no '\0' at the end. */
size_t od_num_int(char buf[OD_NUM_ROOM], int64_t value);  /* "%lld" */
size_t od_num_short(char buf[OD_NUM_ROOM], double value); /* "%.9g" */

#endif
