/* Numbers as text, as printf writes them but several times faster: there may be millions of them. */
#ifndef CLI_DECIMAL_H
#define CLI_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { CLI_DECIMAL_ROOM = 24 };

/* Both return the length; there is no '\0' at the end. */
size_t cli_decimal_int(char buf[CLI_DECIMAL_ROOM], int64_t value);   /* as "%lld" */
size_t cli_decimal_number(char buf[CLI_DECIMAL_ROOM], double value); /* as "%.9g" */

#endif
