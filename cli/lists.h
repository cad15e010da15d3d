/* Lists that are given with commas, as the library wants them: arrays of texts that end with NULL. */
#ifndef CLI_LISTS_H
#define CLI_LISTS_H

#include <stdbool.h>

#include "odim.h"

/*
 * The items of a list as an array that ends with NULL; free() it. Blanks around an item are not part of it. A
 * part in double quotes may contain commas and blanks. NULL: out of memory, or the list is NULL.
 */
char **cli_list_split(const char *list);

enum { CLI_TYPES = ODIM_TIME + 1 };

/* Reads TYPE or TYPE:FORMAT, such as "number:comma"; *format, in the text, is NULL if there is none. False:
 * it is something else. */
bool cli_list_type(const char *text, odim_type *type, const char **format);

/*
 * The columns of each type: `types` is a list of COLUMN=TYPE or COLUMN=TYPE:FORMAT, and numeric and
 * categorical are lists of columns. Each may be NULL. out[type] is NULL or an array to be freed; so is
 * *formats, which has pairs of a column and its format. False: there is no memory, or an item is wrong; it
 * was reported.
 */
bool cli_list_types(char **out[CLI_TYPES], char ***formats, const char *types, const char *numeric,
                    const char *categorical);

/* The lists of a verb that reads a file. Begin with {0}. */
typedef struct cli_lists {
    char **ignored, **chosen, **missing, **typed[CLI_TYPES];
    char **formats; /* column, format, column, ... */
} cli_lists;

void cli_lists_free(cli_lists *lists);

#endif
