/*
 * Decodes PNG with libpng, line by line. The lines of an interlaced picture are taken as they come, so that
 * it need not be kept. libpng jumps out of a call that fails; no jump leaves this file.
 */
#include <png.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "io/picture_grid.h"

typedef struct png_state {
    png_struct *png;
    png_info *info;
    od_source *src;
    od_picture_grid *grid;
    unsigned char *row;
    odim_error *err;
    odim_status status; /* an error that is in err already */
    bool ended, no_memory;
    char why[100];
} png_state;

static void on_error(png_struct *png, const char *text)
{
    png_state *s = png_get_error_ptr(png);
    od_printable(s->why, sizeof s->why, text, strlen(text));
    png_longjmp(png, 1);
}

static void on_warning(png_struct *png, const char *text)
{
    (void)png, (void)text;
}

static void *on_alloc(png_struct *png, png_alloc_size_t size)
{
    png_state *s = png_get_mem_ptr(png);
    void *p = od_alloc(size, 1);
    if (!p) s->no_memory = true;
    return p;
}

static void on_free(png_struct *png, void *p)
{
    (void)png;
    od_free(p);
}

static void on_read(png_struct *png, unsigned char *to, size_t size)
{
    png_state *s = png_get_io_ptr(png);
    size_t got;
    s->status = od_source_fill(s->src, to, size, &got, s->err);
    s->ended = got < size;
    if (s->status || s->ended) png_error(png, "end of file");
}

/* 8 bits for each of 1 to 4 channels. */
static void choose_output(png_state *s)
{
    png_set_expand(s->png);
    png_set_scale_16(s->png);
    png_read_update_info(s->png, s->info);
}

static void read_lines(png_state *s, uint32_t width, uint32_t height)
{
    int channels = png_get_channels(s->png, s->info);
    bool interlaced = png_get_interlace_type(s->png, s->info) != PNG_INTERLACE_NONE;
    for (int pass = 0; pass < (interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); pass++) {
        uint32_t cols = interlaced ? PNG_PASS_COLS(width, pass) : width;
        uint32_t rows = interlaced ? PNG_PASS_ROWS(height, pass) : height;
        for (uint32_t y = 0; cols && y < rows; y++) {
            png_read_row(s->png, s->row, NULL);
            if (interlaced)
                od_picture_grid_add(s->grid, PNG_ROW_FROM_PASS_ROW(y, pass), PNG_PASS_START_COL(pass),
                                    PNG_PASS_COL_OFFSET(pass), cols, s->row, channels);
            else
                od_picture_grid_add(s->grid, y, 0, 1, cols, s->row, channels);
        }
    }
}

static odim_status decode(png_state *s)
{
    /* The check below has a better message. */
    png_set_user_limits(s->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_benign_errors(s->png, 1);
    png_set_read_fn(s->png, s, on_read);
    png_read_info(s->png, s->info);
    uint32_t width = png_get_image_width(s->png, s->info), height = png_get_image_height(s->png, s->info);
    odim_status status = od_picture_grid_check(s->grid, width, height, s->err);
    if (!status) status = od_picture_grid_begin(s->grid, width, height, s->err);
    if (status) return status;
    choose_output(s);
    s->row = od_alloc(png_get_rowbytes(s->png, s->info), 1);
    if (!s->row) return od_fail_nomem(s->err);
    read_lines(s, width, height);
    return ODIM_OK;
}

/* What made libpng jump. */
static odim_status explain(const png_state *s)
{
    if (s->status) return s->status;
    if (s->no_memory) return od_fail_nomem(s->err);
    if (s->ended) return od_fail(s->err, ODIM_ERR_FORMAT, "the PNG file is truncated");
    return od_fail(s->err, ODIM_ERR_FORMAT, "the PNG file is damaged: %s", s->why);
}

static odim_status run(png_state *s)
{
    if (setjmp(png_jmpbuf(s->png))) return explain(s);
    return decode(s);
}

odim_status od_picture_png(od_source *src, od_picture_grid *g, odim_error *err)
{
    png_state s = {.src = src, .grid = g, .err = err};
    s.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning, &s, on_alloc, on_free);
    if (s.png) s.info = png_create_info_struct(s.png);
    odim_status status = s.info ? run(&s) : od_fail_nomem(err);
    if (s.png) png_destroy_read_struct(&s.png, &s.info, NULL);
    od_free(s.row);
    return status;
}
