/* Small pictures as data: addresses, which a page can show without loading anything. */
#ifndef CLI_DATA_URI_H
#define CLI_DATA_URI_H

#include <stdbool.h>

/* pixels (height, width, colors), of 1 or 3 colors. lossy: JPEG if PNG would be large. NULL: out of memory;
 * otherwise to be freed. */
char *cli_data_uri(const unsigned char *pixels, int width, int height, int colors, bool lossy);

#endif
