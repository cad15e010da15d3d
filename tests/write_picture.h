/* Writes PNG and JPEG files, for tests. Whatever fails ends the program. */
#ifndef WRITE_PICTURE_H
#define WRITE_PICTURE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

static inline FILE *open_picture(const char *path)
{
    FILE *f = fopen(path, "wb");
    if (!f) abort();
    return f;
}

/* pixels (height, width, channels) of 8 or 16 bits. A palette is 255 - i, i, 7 with an alpha of 255, except
 * for entry 9, which is transparent. */
static inline void write_png(const char *path, int width, int height, int bits, int type, int interlace,
                             const unsigned char *pixels)
{
    FILE *f = open_picture(path);
    png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_info *info = png_create_info_struct(png);
    png_color palette[256];
    unsigned char alpha[10];
    if (setjmp(png_jmpbuf(png))) abort();
    png_init_io(png, f);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits, type, interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    for (int i = 0; i < 256; i++) palette[i] = (png_color){(png_byte)(255 - i), (png_byte)i, 7};
    memset(alpha, 255, sizeof alpha);
    alpha[9] = 0;
    if (type == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette, 1 << bits);
        png_set_tRNS(png, info, alpha, 10, NULL);
    }
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png);
    size_t row = png_get_rowbytes(png, info);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < height; y++) png_write_row(png, pixels + (size_t)y * row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    if (fclose(f)) abort();
}

/* pixels (height, width, channels) */
static inline void write_jpeg(const char *path, int width, int height, J_COLOR_SPACE space, int channels,
                              int quality, bool progressive, const unsigned char *pixels)
{
    FILE *f = open_picture(path);
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, f);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = channels;
    jpeg.in_color_space = space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    if (progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = (JSAMPROW)pixels + (size_t)jpeg.next_scanline * (size_t)width * (size_t)channels;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    if (fclose(f)) abort();
}

#endif
