/* The header of an NPY file (version 1.0) as NumPy writes it: the columns' types and the number of rows. */
#ifndef CLI_NPYHEAD_H
#define CLI_NPYHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "out_column.h"

/*
 * The header, to be freed, and its size, which does not depend on the number of rows: it can be written over
 * when that is known. Texts have no place in it. False: the reason has been reported.
 */
bool cli_npyhead_make(const cli_out_column *columns, int count, int64_t rows, char **header, size_t *size);

#endif
