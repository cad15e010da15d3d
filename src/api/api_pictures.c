/* The public calls for pictures: thumbnails, and where in a picture a column is. */
#include "io/picture.h"
#include "model/model.h"
#include "prep/pixels.h"
#include "common/mem.h"

odim_status odim_picture_read(const char *path, int side, int64_t unpacked, unsigned char *rgb, int *width,
                              int *height, odim_error *err)
{
    od_source *src;
    OD_NEED(path, "path", err);
    OD_NEED(rgb, "rgb", err);
    OD_NEED(width, "width", err);
    OD_NEED(height, "height", err);
    if (side < 1 || side > OD_PIXELS_SIDE) return od_fail(err, ODIM_ERR_PARAM, "side is %d", side);
    od_pixels pixels = {.cols = side, .rows = side, .color = true, .shrink = true};
    odim_status status = od_source_open(&src, path, err);
    if (status) return status;
    status = od_picture_read(src, &pixels, od_mem_limit(unpacked), rgb, err);
    od_source_close(src);
    *width = pixels.cols;
    *height = pixels.rows;
    return status;
}

int odim_model_pixels(const odim_model *model, int *cols, int *rows, int *colors)
{
    od_pixels p;
    if (!model || !od_pixels_of(&model->schema, &p)) return 0;
    if (cols) *cols = p.cols;
    if (rows) *rows = p.rows;
    if (colors) *colors = p.color ? 3 : 1;
    return 1;
}

const char *odim_model_place(const odim_model *model, int64_t col)
{
    od_pixels p;
    if (!model || !od_pixels_of(&model->schema, &p) || col < 0 || col >= model->schema.cols) return NULL;
    return od_pixels_part_name(od_pixels_part(&p, col));
}
