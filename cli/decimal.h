/* Numbers as text, as printf writes them but several times faster: there may be millions of them. */
#ifndef OD_DECIMAL_H
#define OD_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { OD_DECIMAL_ROOM = 24 };

/* Both return the length; there is no '\0' at the end. */
size_t od_decimal_int(char buf[OD_DECIMAL_ROOM], int64_t value);   /* as "%lld" */
size_t od_decimal_number(char buf[OD_DECIMAL_ROOM], double value); /* as "%.9g" */

#endif
