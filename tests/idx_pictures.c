/* idx_pictures FILE FOLDER [jpeg]: writes the pictures of an IDX file into a folder, as 00001.png and so on.
 * For the tests of the command. */
#include "write_picture.h"

static unsigned number(const unsigned char *p)
{
    return (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
}

int main(int argc, char **argv)
{
    unsigned char header[16];
    char path[500];
    FILE *f = argc < 3 ? NULL : fopen(argv[1], "rb");
    if (!f || fread(header, 1, 16, f) != 16) return 2;
    unsigned count = number(header + 4), rows = number(header + 8), cols = number(header + 12);
    bool jpeg = argc > 3;
    unsigned char *pixels = malloc((size_t)rows * cols);
    for (unsigned i = 0; pixels && i < count; i++) {
        if (fread(pixels, 1, (size_t)rows * cols, f) != (size_t)rows * cols) return 2;
        snprintf(path, sizeof path, "%s/%05u.%s", argv[2], i + 1, jpeg ? "jpg" : "png");
        if (jpeg)
            write_jpeg(path, (int)cols, (int)rows, JCS_GRAYSCALE, 1, 90, false, pixels);
        else
            write_png(path, (int)cols, (int)rows, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, pixels);
    }
    free(pixels);
    return fclose(f) != 0;
}
