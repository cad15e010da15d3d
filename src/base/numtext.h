/* Numbers as text, whatever the locale of the process: '.' is the decimal point. */
#ifndef OD_NUMTEXT_H
#define OD_NUMTEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum od_num {
    OD_NUM_OK,
    OD_NUM_EMPTY,     /* nothing but blanks */
    OD_NUM_NOT,       /* not a number */
    OD_NUM_NONFINITE, /* nan, inf in any spelling */
    OD_NUM_OVERFLOW   /* a number, too large for a double */
} od_num;

/* Blanks around are allowed; hexadecimal is not. The value is correctly rounded. The text needs no '\0'. */
od_num od_num_parse(const char *s, size_t len, double *out);

/* Room for any number that od_num_format writes, with its '\0'. */
#define OD_NUM_ROOM 32

/* A short text that od_num_parse reads back as `value`, a finite double or, with `single`, a float. */
const char *od_num_format(char buf[OD_NUM_ROOM], double value, bool single);

/* With at most so many decimals and no zeros at their end: for people. Very large numbers get an exponent. */
const char *od_num_fixed(char buf[OD_NUM_ROOM], double value, int decimals);

#endif
