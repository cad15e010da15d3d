/* Encodes small pictures as PNG or JPEG in base64. libjpeg jumps out of a call that fails; no jump leaves
 * this file. */
#include "data_uri.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

enum { LARGE_PNG = 2500, QUALITY = 80 };

typedef struct picture {
    const unsigned char *pixels;
    int width, height, colors;
} picture;

/* The bytes of a file. */
typedef struct encoded {
    unsigned char *bytes;
    size_t size;
} encoded;

static encoded encode_png(const picture *p)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->width,
                       .height = (png_uint_32)p->height,
                       .format = p->colors == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY};
    encoded out = {0};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    out.bytes = malloc(size);
    if (out.bytes && png_image_write_to_memory(&image, out.bytes, &size, 0, p->pixels, 0, NULL)) {
        out.size = size;
        return out;
    }
    free(out.bytes);
    return (encoded){0};
}

typedef struct jpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf jump;
    unsigned char *bytes;
    unsigned long size;
} jpeg_writer;

static void on_error(j_common_ptr jpeg)
{
    longjmp(((jpeg_writer *)jpeg->client_data)->jump, 1);
}

/* Whether it worked. */
static bool run_jpeg(jpeg_writer *w, const picture *p)
{
    struct jpeg_compress_struct *j = &w->jpeg;
    if (setjmp(w->jump)) return false;
    jpeg_create_compress(j);
    jpeg_mem_dest(j, &w->bytes, &w->size);
    j->image_width = (JDIMENSION)p->width;
    j->image_height = (JDIMENSION)p->height;
    j->input_components = p->colors;
    j->in_color_space = p->colors == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(j);
    jpeg_set_quality(j, QUALITY, TRUE);
    j->optimize_coding = TRUE;
    jpeg_start_compress(j, TRUE);
    while (j->next_scanline < j->image_height) {
        JSAMPROW row = (JSAMPROW)p->pixels + (size_t)j->next_scanline * (size_t)(p->width * p->colors);
        jpeg_write_scanlines(j, &row, 1);
    }
    jpeg_finish_compress(j);
    return true;
}

static encoded encode_jpeg(const picture *p)
{
    jpeg_writer *w = calloc(1, sizeof *w);
    encoded out = {0};
    if (!w) return out;
    w->jpeg.err = jpeg_std_error(&w->errors);
    w->errors.error_exit = on_error;
    w->jpeg.client_data = w;
    if (run_jpeg(w, p))
        out = (encoded){w->bytes, w->size};
    else
        free(w->bytes);
    jpeg_destroy_compress(&w->jpeg);
    free(w);
    return out;
}

static char *write_uri(const char *type, const encoded *e)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc(64 + (e->size + 2) / 3 * 4);
    if (!text) return NULL;
    char *to = text + sprintf(text, "data:image/%s;base64,", type);
    for (size_t i = 0; i < e->size; i += 3) {
        size_t left = e->size - i;
        uint32_t v = (uint32_t)e->bytes[i] << 16;
        if (left > 1) v |= (uint32_t)e->bytes[i + 1] << 8;
        if (left > 2) v |= e->bytes[i + 2];
        *to++ = letters[v >> 18];
        *to++ = letters[v >> 12 & 63];
        *to++ = (char)(left > 1 ? letters[v >> 6 & 63] : '=');
        *to++ = (char)(left > 2 ? letters[v & 63] : '=');
    }
    *to = '\0';
    return text;
}

char *cli_data_uri(const unsigned char *pixels, int width, int height, int colors, bool lossy)
{
    const picture p = {pixels, width, height, colors};
    encoded e = encode_png(&p);
    const char *type = "png";
    if (lossy && e.size > LARGE_PNG) {
        free(e.bytes);
        e = encode_jpeg(&p);
        type = "jpeg";
    }
    char *text = e.bytes ? write_uri(type, &e) : NULL;
    free(e.bytes);
    return text;
}
