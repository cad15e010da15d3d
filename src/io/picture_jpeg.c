/*
 * Decodes JPEG with libjpeg, line by line, and at a reduced scale if the picture is much larger than the
 * grid. libjpeg jumps out of a call that fails; no jump leaves this file.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "common/mem.h"
#include "io/exif.h"
#include "io/picture_grid.h"
#include "base/hint.h"

/* Pixels for each pixel of the grid, along an axis, that a reduced scale leaves at least. */
#define REDUCED_TO 4
/* A few bytes may declare another scan of all pixels; real pictures have a dozen. */
#define MOST_SCANS 100
#define BUFFER     65536
/* The first bytes of an EXIF segment have the orientation; thumbnails and notes of the camera follow. */
#define EXIF_BYTES 4096

typedef struct jpeg_state {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr input;
    struct jpeg_progress_mgr progress;
    jmp_buf jump;
    od_source *src;
    od_picture_grid *grid;
    unsigned char *row;
    odim_error *err;
    odim_status status; /* an error that is in err already */
    int orientation;    /* as EXIF counts them */
    unsigned char buffer[BUFFER];
} jpeg_state;

static jpeg_state *state_of(j_common_ptr jpeg)
{
    return jpeg->client_data;
}

static odim_status explain(jpeg_state *s)
{
    char text[JMSG_LENGTH_MAX], shown[100];
    switch (s->errors.msg_code) {
    case JERR_OUT_OF_MEMORY: return od_fail_nomem(s->err);
    case JERR_INPUT_EOF: return od_fail(s->err, ODIM_ERR_FORMAT, "the JPEG file is truncated");
    case JERR_NO_BACKING_STORE:
        return od_fail(s->err, ODIM_ERR_FORMAT, "the progressive JPEG takes more memory than is allowed%s",
                       OD_HINT("unpacked"));
    default: break;
    }
    s->errors.format_message((j_common_ptr)&s->jpeg, text);
    return od_fail(s->err, ODIM_ERR_FORMAT, "the JPEG file cannot be decoded: %s",
                   od_printable(shown, sizeof shown, text, strlen(text)));
}

static void on_error(j_common_ptr jpeg)
{
    jpeg_state *s = state_of(jpeg);
    if (!s->status) s->status = explain(s);
    longjmp(s->jump, 1);
}

static void on_warning(j_common_ptr jpeg, int level)
{
    (void)jpeg, (void)level;
}

static void on_progress(j_common_ptr jpeg)
{
    jpeg_state *s = state_of(jpeg);
    if (s->jpeg.input_scan_number <= MOST_SCANS) return;
    s->status = od_fail(s->err, ODIM_ERR_FORMAT, "the JPEG file has more than %d scans", MOST_SCANS);
    longjmp(s->jump, 1);
}

static void on_start(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

static boolean on_fill(j_decompress_ptr jpeg)
{
    jpeg_state *s = state_of((j_common_ptr)jpeg);
    size_t got;
    s->status = od_source_fill(s->src, s->buffer, BUFFER, &got, s->err);
    if (s->status) longjmp(s->jump, 1);
    if (got == 0) ERREXIT(jpeg, JERR_INPUT_EOF);
    s->input.next_input_byte = s->buffer;
    s->input.bytes_in_buffer = got;
    return TRUE;
}

static void on_skip(j_decompress_ptr jpeg, long count)
{
    struct jpeg_source_mgr *input = jpeg->src;
    while (count > 0 && (size_t)count > input->bytes_in_buffer) {
        count -= (long)input->bytes_in_buffer;
        on_fill(jpeg);
    }
    if (count <= 0) return;
    input->next_input_byte += count;
    input->bytes_in_buffer -= (size_t)count;
}

static unsigned next_byte(j_decompress_ptr jpeg)
{
    struct jpeg_source_mgr *input = jpeg->src;
    if (input->bytes_in_buffer == 0) on_fill(jpeg);
    input->bytes_in_buffer--;
    return *input->next_input_byte++;
}

/* An APP1 segment, which has EXIF data in most pictures of cameras. */
static boolean on_exif(j_decompress_ptr jpeg)
{
    jpeg_state *s = state_of((j_common_ptr)jpeg);
    unsigned char bytes[EXIF_BYTES];
    size_t len = next_byte(jpeg) << 8, count = 0;
    len |= next_byte(jpeg);
    len = len < 2 ? 0 : len - 2;
    while (count < len && count < EXIF_BYTES) bytes[count++] = (unsigned char)next_byte(jpeg);
    on_skip(jpeg, (long)(len - count));
    if (s->orientation == 1) s->orientation = od_exif_orientation(bytes, count);
    return TRUE;
}

/* A grid of means needs no more than a few pixels for each of its own. */
static void reduce(jpeg_state *s)
{
    struct jpeg_decompress_struct *j = &s->jpeg;
    uint32_t cols = (uint32_t)s->grid->pixels.cols * REDUCED_TO;
    uint32_t rows = (uint32_t)s->grid->pixels.rows * REDUCED_TO;
    unsigned by = 8;
    while (by > 1 && (j->image_width / by < cols || j->image_height / by < rows)) by /= 2;
    j->scale_num = 1;
    j->scale_denom = by;
}

/* Inks to colors, in place. Adobe's programs, which write most of these pictures, store what is left white.
 */
static void mix_inks(unsigned char *row, uint32_t width, bool inverted)
{
    for (uint32_t i = 0; i < width; i++) {
        unsigned ink[4];
        for (int k = 0; k < 4; k++) ink[k] = inverted ? row[4 * i + k] : 255u - row[4 * i + k];
        for (int k = 0; k < 3; k++) row[3 * i + k] = (unsigned char)((ink[k] * ink[3] + 127) / 255);
    }
}

static odim_status decode(jpeg_state *s)
{
    struct jpeg_decompress_struct *j = &s->jpeg;
    jpeg_create_decompress(j);
    j->src = &s->input;
    j->progress = &s->progress;
    j->mem->max_memory_to_use = s->grid->most < LONG_MAX ? (long)s->grid->most : LONG_MAX;
    jpeg_set_marker_processor(j, JPEG_APP0 + 1, on_exif);
    jpeg_read_header(j, TRUE);
    od_picture_grid_turn(s->grid, s->orientation);
    odim_status status = od_picture_grid_check(s->grid, j->image_width, j->image_height, s->err);
    if (status) return status;
    bool inks = j->jpeg_color_space == JCS_CMYK || j->jpeg_color_space == JCS_YCCK;
    j->out_color_space = inks ? JCS_CMYK : s->grid->pixels.color ? JCS_RGB : JCS_GRAYSCALE;
    reduce(s);
    jpeg_start_decompress(j);
    if ((status = od_picture_grid_begin(s->grid, j->output_width, j->output_height, s->err))) return status;
    s->row = od_alloc(j->output_width, (size_t)j->output_components);
    if (!s->row) return od_fail_nomem(s->err);
    while (j->output_scanline < j->output_height) {
        uint32_t y = j->output_scanline;
        jpeg_read_scanlines(j, &s->row, 1);
        if (inks) mix_inks(s->row, j->output_width, j->saw_Adobe_marker);
        od_picture_grid_add(s->grid, y, 0, 1, j->output_width, s->row, inks ? 3 : j->output_components);
    }
    return ODIM_OK;
}

static odim_status run(jpeg_state *s)
{
    if (setjmp(s->jump)) return s->status;
    return decode(s);
}

odim_status od_picture_jpeg(od_source *src, od_picture_grid *g, odim_error *err)
{
    jpeg_state *s = od_calloc(1, sizeof *s);
    if (!s) return od_fail_nomem(err);
    s->src = src;
    s->grid = g;
    s->err = err;
    s->orientation = 1;
    s->jpeg.err = jpeg_std_error(&s->errors);
    s->jpeg.client_data = s;
    s->errors.error_exit = on_error;
    s->errors.emit_message = on_warning;
    s->progress.progress_monitor = on_progress;
    s->input = (struct jpeg_source_mgr){.init_source = on_start,
                                        .fill_input_buffer = on_fill,
                                        .skip_input_data = on_skip,
                                        .resync_to_restart = jpeg_resync_to_restart,
                                        .term_source = on_start};
    odim_status status = run(s);
    jpeg_destroy_decompress(&s->jpeg);
    od_free(s->row);
    od_free(s);
    return status;
}
