/* Reads a picture of either format, which its first bytes tell. */
#include "io/picture.h"

#include <string.h>

odim_status od_picture_read(od_source *src, od_pixels *pixels, size_t most, unsigned char *out,
                            odim_error *err)
{
    const unsigned char *bytes;
    size_t len;
    od_picture_grid grid = {.pixels = *pixels, .most = most};
    odim_status status = od_source_peek(src, &bytes, &len, err);
    if (status) return status;
    if (len == 0) return od_fail(err, ODIM_ERR_FORMAT, "the file is empty");
    if (len >= 4 && memcmp(bytes, "\x89PNG", 4) == 0)
        status = od_picture_png(src, &grid, err);
    else if (len >= 3 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0)
        status = od_picture_jpeg(src, &grid, err);
    else
        return od_fail(err, ODIM_ERR_FORMAT, "it is neither PNG nor JPEG");
    if (!status) {
        od_picture_grid_end(&grid, out);
        *pixels = grid.pixels;
    }
    od_picture_grid_free(&grid);
    return status;
}
