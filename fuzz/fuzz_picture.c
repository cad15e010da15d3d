/* Pictures: the first byte chooses the grid, the others are a PNG or JPEG file. */
#include "fuzz.h"

#include "io/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char out[9 * 5 * 3];
    odim_error err;
    od_source *src;
    if (size < 1) return 0;
    od_pixels pixels = {
        .cols = 1 + data[0] % 9, .rows = 1 + data[0] / 9 % 5, .color = data[0] & 128, .shrink = data[0] & 64};
    memset(&err, 0xA5, sizeof err);
    if (od_source_plain(&src, data + 1, size - 1, &err)) return 0;
    /* A small limit keeps a declared size from taking time. */
    odim_status status = od_picture_read(src, &pixels, 1 << 20, out, &err);
    if (status) check_error(status, &err);
    if (pixels.cols > 9 || pixels.rows > 9 || pixels.cols * pixels.rows > 9 * 5) abort();
    od_source_close(src);
    return 0;
}
