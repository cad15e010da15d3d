/* tests: picture picture_grid picture_png picture_jpeg picture_rows api_pictures. Pictures, and folders of
 * them. */
#include "io/picture.h"

#include "write_picture.h"
#include "prep/read.h"
#include "scratch.h"
#include "starve.h"
#include "tables.h"

#define LIMIT ((size_t)1 << 30)

static odim_status read_one(const char *path, od_pixels pixels, size_t most, unsigned char *out)
{
    od_source *src;
    odim_status status = od_source_open(&src, path, &err);
    if (status) return status;
    status = od_picture_read(src, &pixels, most, out, &err);
    od_source_close(src);
    return status;
}

static void expect_pixels(const char *path, od_pixels pixels, int tolerance, const unsigned char *want)
{
    unsigned char out[3 * 64 * 64];
    memset(out, 99, sizeof out);
    if (read_one(path, pixels, LIMIT, out)) {
        TEST_SAY("%s", err.msg);
        return;
    }
    for (int i = 0; i < od_pixels_count(&pixels); i++)
        if (abs(out[i] - want[i]) > tolerance) TEST_SAY("pixel %d is %d, expected %d", i, out[i], want[i]);
}

static void expect_refusal(const char *path, const char *msg)
{
    unsigned char out[4];
    CHECK_INT(read_one(path, (od_pixels){.cols = 2, .rows = 2}, LIMIT, out), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, msg);
}

#define GREY(width, height)  ((od_pixels){.cols = (width), .rows = (height)})
#define COLOR(width, height) ((od_pixels){.cols = (width), .rows = (height), .color = true})
#define BYTES(...)           ((const unsigned char[]){__VA_ARGS__})

/* ---- PNG -------------------------------------------------------------------------------------------- */

TEST(grey_png_of_the_same_size_is_unchanged)
{
    unsigned char pixels[28 * 28];
    for (int i = 0; i < 28 * 28; i++) pixels[i] = (unsigned char)(i * 37);
    const char *path = in_scratch("same.png");
    write_png(path, 28, 28, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, pixels);
    expect_pixels(path, GREY(28, 28), 0, pixels);
}

TEST(interlaced_png_is_the_same_as_a_plain_one)
{
    /* Sizes at which some passes are empty, and others. */
    static const int size[][2] = {{1, 1}, {2, 3}, {5, 1}, {1, 9}, {4, 4}, {31, 17}, {64, 64}};
    unsigned char pixels[64 * 64 * 3], want[7 * 5 * 3];
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (unsigned char)(i * i * 31 + i / 7);
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        const char *plain = in_scratch("plain.png"), *woven = in_scratch("woven.png");
        write_png(plain, size[k][0], size[k][1], 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, pixels);
        write_png(woven, size[k][0], size[k][1], 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7, pixels);
        CHECK_INT(read_one(plain, COLOR(7, 5), LIMIT, want), ODIM_OK);
        expect_pixels(woven, COLOR(7, 5), 0, want);
    }
}

TEST(kinds_of_png)
{
    const char *path = in_scratch("kind.png");
    /* 16 bits: 0x1234, 0xFFFF, 0, 0x8080. */
    write_png(path, 4, 1, 16, PNG_COLOR_TYPE_GRAY, 0, BYTES(0x12, 0x34, 0xFF, 0xFF, 0, 0, 0x80, 0x80));
    expect_pixels(path, GREY(4, 1), 0, BYTES(0x12, 255, 0, 0x80));
    write_png(path, 1, 1, 16, PNG_COLOR_TYPE_RGB, 0, BYTES(0xFF, 0xFF, 0, 0, 0x80, 0x80));
    expect_pixels(path, COLOR(1, 1), 0, BYTES(255, 0, 0x80));
    /* One bit: black, white. */
    write_png(path, 2, 1, 1, PNG_COLOR_TYPE_GRAY, 0, BYTES(0x40));
    expect_pixels(path, GREY(2, 1), 0, BYTES(0, 255));
    /* Transparent black is white, half of it is between. */
    write_png(path, 3, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0, BYTES(0, 0, 0, 128, 77, 255));
    expect_pixels(path, GREY(3, 1), 0, BYTES(255, 127, 77));
    write_png(path, 2, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, BYTES(9, 8, 7, 255, 9, 8, 7, 0));
    expect_pixels(path, COLOR(2, 1), 0, BYTES(9, 8, 7, 255, 255, 255));
    /* A palette, whose entry 9 is transparent. */
    write_png(path, 3, 1, 8, PNG_COLOR_TYPE_PALETTE, 0, BYTES(0, 200, 9));
    expect_pixels(path, COLOR(3, 1), 0, BYTES(255, 0, 7, 55, 200, 7, 255, 255, 255));
    write_png(path, 2, 1, 4, PNG_COLOR_TYPE_PALETTE, 0, BYTES(0x0F));
    expect_pixels(path, COLOR(2, 1), 0, BYTES(255, 0, 7, 240, 15, 7));
    /* The brightness of colors, and colors of a grey picture. */
    write_png(path, 4, 1, 8, PNG_COLOR_TYPE_RGB, 0, BYTES(255, 0, 0, 0, 255, 0, 0, 0, 255, 201, 201, 201));
    expect_pixels(path, GREY(4, 1), 0, BYTES(76, 150, 29, 201));
    write_png(path, 2, 1, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(5, 6));
    expect_pixels(path, COLOR(2, 1), 0, BYTES(5, 5, 5, 6, 6, 6));
}

/* ---- the grid --------------------------------------------------------------------------------------- */

TEST(means_of_areas)
{
    const char *path = in_scratch("mean.png");
    write_png(path, 4, 4, 8, PNG_COLOR_TYPE_GRAY, 0,
              BYTES(0, 10, 100, 100, 20, 30, 100, 100, 0, 0, 1, 2, 0, 0, 3, 5));
    expect_pixels(path, GREY(2, 2), 0, BYTES(15, 100, 0, 3)); /* 2.75 */
    expect_pixels(path, GREY(1, 1), 0, BYTES(29));            /* 471 / 16 = 29.4 */
    /* Three pixels to two: the middle one is shared. */
    write_png(path, 3, 3, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(0, 90, 180, 0, 90, 180, 0, 90, 180));
    expect_pixels(path, GREY(2, 2), 0, BYTES(30, 150, 30, 150));
    /* A smaller picture is enlarged. */
    write_png(path, 1, 1, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(42));
    expect_pixels(path, GREY(3, 2), 0, BYTES(42, 42, 42, 42, 42, 42));
}

TEST(aspect_is_kept)
{
    const char *path = in_scratch("aspect.png");
    /* 4 x 2 in a square: a line above and below repeats the border. */
    write_png(path, 4, 2, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(1, 2, 3, 4, 5, 6, 7, 8));
    expect_pixels(path, GREY(4, 4), 0, BYTES(1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8));
    /* 1 x 3, which is centered. */
    write_png(path, 1, 3, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(10, 20, 30));
    expect_pixels(path, GREY(3, 3), 0, BYTES(10, 10, 10, 20, 20, 20, 30, 30, 30));
    /* The center is between two cells: 1, 1.5, 2 of two pixels in three cells. */
    write_png(path, 2, 3, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(0, 100, 0, 100, 0, 100));
    expect_pixels(path, GREY(3, 3), 0, BYTES(0, 50, 100, 0, 50, 100, 0, 50, 100));
}

/* ---- JPEG ------------------------------------------------------------------------------------------- */

TEST(jpeg)
{
    static unsigned char pixels[256 * 192 * 4];
    unsigned char want[16];
    const char *path = in_scratch("a.jpg");
    for (int i = 0; i < 256 * 192; i++) pixels[i] = (unsigned char)(i % 256);
    for (int progressive = 0; progressive < 2; progressive++) {
        write_jpeg(path, 256, 192, JCS_GRAYSCALE, 1, 100, progressive, pixels);
        for (int i = 0; i < 12; i++) want[i] = (unsigned char)(i % 4 * 64 + 32);
        expect_pixels(path, GREY(4, 3), 1, want); /* at a reduced scale */
        expect_pixels(path, COLOR(1, 1), 1, BYTES(128, 128, 128));
    }
    unsigned char small[16 * 16 * 3];
    for (int i = 0; i < 256; i++) memcpy(small + 3 * i, BYTES(200, 100, 50), 3);
    write_jpeg(path, 16, 16, JCS_RGB, 3, 100, false, small);
    expect_pixels(path, COLOR(1, 1), 2, BYTES(200, 100, 50));
    expect_pixels(path, GREY(1, 1), 2, BYTES(124));
    /* Inks, which an Adobe marker says to be inverted: libjpeg writes it. */
    for (int i = 0; i < 256; i++) memcpy(pixels + 4 * i, BYTES(255, 128, 0, 128), 4);
    write_jpeg(path, 16, 16, JCS_CMYK, 4, 100, false, pixels);
    expect_pixels(path, COLOR(1, 1), 3, BYTES(128, 64, 0));
    expect_pixels(path, GREY(1, 1), 3, BYTES(76));
}

/* The same JPEG file with an EXIF segment after its first two bytes. */
static void add_exif(const char *path, int orientation)
{
    static unsigned char whole[100000];
    unsigned char exif[] = "\xFF\xE1\0\x22"
                           "Exif\0\0"
                           "MM\0*\0\0\0\x08"
                           "\0\1\x01\x12\0\3\0\0\0\1\0?\0\0\0\0\0\0";
    exif[29] = (unsigned char)orientation;
    FILE *f = fopen(path, "rb");
    size_t size = f ? fread(whole, 1, sizeof whole, f) : 0;
    if (!f || fclose(f) || !(f = fopen(path, "wb"))) abort();
    fwrite(whole, 1, 2, f);
    fwrite(exif, 1, sizeof exif - 1, f);
    fwrite(whole + 2, 1, size - 2, f);
    if (fclose(f)) abort();
}

/* 1 2 3 over 4 5 6, times 40, is stored; what is shown depends on the orientation. */
TEST(jpeg_is_turned_upright)
{
    static const unsigned char upright[8][6] = {{1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1},
                                                {4, 5, 6, 1, 2, 3}, {1, 4, 2, 5, 3, 6}, {4, 1, 5, 2, 6, 3},
                                                {6, 3, 5, 2, 4, 1}, {3, 6, 2, 5, 1, 4}};
    static unsigned char pixels[96 * 64];
    const char *path = in_scratch("turned.jpg");
    for (int i = 0; i < 96 * 64; i++) pixels[i] = (unsigned char)(40 * (i / 96 / 32 * 3 + i % 96 / 32 + 1));
    for (int o = 1; o <= 8; o++) {
        unsigned char want[6];
        int width, height;
        static unsigned char rgb[3 * 48 * 48];
        for (int i = 0; i < 6; i++) want[i] = (unsigned char)(40 * upright[o - 1][i]);
        write_jpeg(path, 96, 64, JCS_GRAYSCALE, 1, 100, false, pixels);
        add_exif(path, o);
        expect_pixels(path, o < 5 ? GREY(3, 2) : GREY(2, 3), 2, want);
        CHECK_INT(odim_picture_read(path, 48, 0, rgb, &width, &height, &err), ODIM_OK);
        CHECK_INT(width, o < 5 ? 48 : 32);
        CHECK_INT(height, o < 5 ? 32 : 48);
        CHECK(abs(rgb[0] - want[0]) <= 2 && abs(rgb[3 * 48 * 32 - 1] - want[5]) <= 2);
    }
}

TEST(thumbnails)
{
    const char *path = in_scratch("thumb.png");
    unsigned char rgb[3 * 4 * 4];
    int width, height;
    write_png(path, 2, 1, 8, PNG_COLOR_TYPE_RGB, 0, BYTES(1, 2, 3, 4, 5, 6));
    CHECK_INT(odim_picture_read(path, 4, 0, rgb, &width, &height, &err), ODIM_OK); /* not enlarged */
    CHECK(width == 2 && height == 1 && memcmp(rgb, BYTES(1, 2, 3, 4, 5, 6), 6) == 0);
    write_png(path, 1, 8, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(0, 2, 10, 12, 20, 22, 30, 32));
    CHECK_INT(odim_picture_read(path, 4, 0, rgb, &width, &height, &err), ODIM_OK);
    CHECK(width == 1 && height == 4 && rgb[0] == 1 && rgb[3] == 11 && rgb[9] == 31);
    CHECK_INT(odim_picture_read(path, 4, 23, rgb, &width, &height, &err), ODIM_ERR_FORMAT);
    CHECK_INT(odim_picture_read(path, 0, 0, rgb, &width, &height, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "side is 0");
    CHECK_INT(odim_picture_read(path, 257, 0, rgb, &width, &height, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_picture_read("/nowhere/a.png", 4, 0, rgb, &width, &height, &err), ODIM_ERR_IO);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 3) status = odim_picture_read(path, 4, 0, rgb, &width, &height, &err);
}

/* ---- what cannot be read ---------------------------------------------------------------------------- */

/* The file without its last bytes, or with another byte at a place. */
static void spoil(const char *path, long cut, long at, const void *with, size_t count)
{
    FILE *f = fopen(path, "r+b");
    if (!f || fseek(f, 0, SEEK_END)) abort();
    long size = ftell(f);
    if (count && (fseek(f, at, SEEK_SET) || fwrite(with, 1, count, f) != count)) abort();
    fclose(f);
    if (cut && truncate(path, size - cut)) abort();
}

TEST(truncated_and_damaged)
{
    static unsigned char pixels[200 * 200];
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (unsigned char)(i * i * 7 >> 3);
    const char *png = in_scratch("bad.png"), *jpeg = in_scratch("bad.jpg");
    write_png(png, 200, 200, 8, PNG_COLOR_TYPE_GRAY, 0, pixels);
    spoil(png, 3000, 0, "", 0);
    expect_refusal(png, "the PNG file is truncated");
    write_png(png, 200, 200, 8, PNG_COLOR_TYPE_GRAY, 0, pixels);
    spoil(png, 0, 100, "????????", 8);
    CHECK_INT(read_one(png, GREY(2, 2), LIMIT, pixels), ODIM_ERR_FORMAT);
    CHECK(strncmp(err.msg, "the PNG file is damaged: ", 25) == 0);
    write_jpeg(jpeg, 200, 200, JCS_GRAYSCALE, 1, 95, false, pixels);
    spoil(jpeg, 3000, 0, "", 0);
    expect_refusal(jpeg, "the JPEG file is truncated");
    write_jpeg(jpeg, 200, 200, JCS_GRAYSCALE, 1, 95, false, pixels);
    spoil(jpeg, 0, 2, "\xFF\xC3", 2);
    CHECK_INT(read_one(jpeg, GREY(2, 2), LIMIT, pixels), ODIM_ERR_FORMAT);
    CHECK(strncmp(err.msg, "the JPEG file cannot be decoded: ", 33) == 0);
    write_text(png, "not a picture");
    expect_refusal(png, "it is neither PNG nor JPEG");
    write_text(png, "");
    expect_refusal(png, "the file is empty");
}

#define TOO_LARGE "at most 100 megapixels and 65500 on a side are read"

/* Headers that declare more pixels than may be decoded. */
TEST(bombs)
{
    const char *path = in_scratch("bomb.png");
    static const unsigned char header[] =
        "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\xC3\x50\0\0\xC3\x50\x08\0\0\0\0"
        "\x6E\xC4\x62\x16\0\0\0\0IDAT\x35\xAF\x06\x1E";
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(header, 1, sizeof header - 1, f) != sizeof header - 1 || fclose(f)) abort();
    expect_refusal(path, "the picture is too large: 50000 x 50000 pixels; " TOO_LARGE);

    unsigned char pixels[64] = {0};
    const char *jpeg = in_scratch("bomb.jpg");
    write_jpeg(jpeg, 8, 8, JCS_GRAYSCALE, 1, 90, false, pixels);
    unsigned char whole[2000];
    f = fopen(jpeg, "rb");
    size_t size = f ? fread(whole, 1, sizeof whole, f) : 0;
    if (!f || fclose(f)) abort();
    size_t at = 0;
    while (at + 9 < size && !(whole[at] == 0xFF && whole[at + 1] == 0xC0)) at++;
    spoil(jpeg, 0, (long)at + 5, "\xC3\x50\xC3\x50", 4);
    expect_refusal(jpeg, "the picture is too large: 50000 x 50000 pixels; " TOO_LARGE);

    /* The limit of the caller. */
    write_png(path, 8, 8, 8, PNG_COLOR_TYPE_GRAY, 0, pixels);
    CHECK_INT(read_one(path, GREY(2, 2), 191, pixels), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the picture of 8 x 8 pixels takes more memory than is allowed (set unpacked)");
    CHECK_INT(read_one(path, GREY(2, 2), 192, pixels), ODIM_OK);
    static unsigned char large[512 * 512];
    write_jpeg(jpeg, 512, 512, JCS_GRAYSCALE, 1, 90, true, large);
    CHECK_INT(read_one(jpeg, GREY(2, 2), 3 * 512 * 512, pixels), ODIM_OK);
    static unsigned char rgb[512 * 512 * 3];
    write_jpeg(jpeg, 512, 512, JCS_RGB, 3, 90, true, rgb);
    CHECK_INT(read_one(jpeg, GREY(2, 2), 3 * 512 * 512, pixels), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the progressive JPEG takes more memory than is allowed (set unpacked)");
}

/* ---- folders ---------------------------------------------------------------------------------------- */

static const char *make_folder(const char *name)
{
    const char *path = in_scratch(name);
    if (mkdir(path, 0700)) abort();
    return path;
}

static odim_table *read_folder(const char *path, odim_read_options o)
{
    odim_table *t;
    o.size = sizeof o;
    return odim_table_read(&t, path, &o, &err) ? NULL : t;
}

#define FOLDER(path, ...) read_folder(path, (odim_read_options){__VA_ARGS__})

static void expect_folder_error(odim_table *t, odim_status status, const char *msg)
{
    CHECK(!t);
    odim_table_free(t);
    if (t) return;
    CHECK_INT(err.status, status);
    const char *at = strstr(err.msg, ": ");
    CHECK_STR(at ? at + 2 : err.msg, msg);
}

TEST(folder)
{
    char path[100];
    snprintf(path, sizeof path, "%s", make_folder("some"));
    write_png(in_scratch("some/b.PNG"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(3, 4));
    write_png(in_scratch("some/a.png"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(1, 0));
    write_png(in_scratch("some/c.jpg"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(5, 6)); /* by content */
    odim_table *t = FOLDER(path, .pixels = "2x1");
    REQUIRE(t);
    CHECK(!odim_table_note(t, 0));
    CHECK_STR(odim_table_id_name(t), "file");
    CHECK_STR(odim_table_id(t, 1), "b.PNG");
    CHECK_STR(odim_table_name(t, 1), "r1c2");
    CHECK_INT(odim_table_type(t, 1), ODIM_NUMERIC);
    expect_table(t, 3, 2, (const double[]){1, 0, 3, 4, 5, 6});
    t = FOLDER(path, .pixels = "1x1:color", .keep = 1);
    REQUIRE(t);
    CHECK_STR(odim_table_name(t, 2), "r1c1.blue");
    CHECK_STR(odim_table_kept(t, 1, 0), "b.PNG");
    CHECK_STR(odim_table_kept(t, 1, 1), "4");
    odim_table_free(t);
    t = FOLDER(path, .id = "");
    REQUIRE(t);
    CHECK(!odim_table_id(t, 0));
    CHECK_INT(odim_table_cols(t), 256);
    CHECK_STR(odim_table_name(t, 255), "r16c16");
    odim_table_free(t);
    expect_table(FOLDER(path, .pixels = "2x1", .ignore = (const char *const[]){"r1c1", NULL},
                        .na = (const char *const[]){"4", NULL}),
                 3, 1, (const double[]){0, NAN, 6});
    write_text(in_scratch("some/notes.txt"), "x");
    write_text(in_scratch("some/.hidden.png"), "x");
    make_folder("some/more.png");
    t = FOLDER(path, .pixels = "2x1");
    REQUIRE(t);
    CHECK_INT(odim_table_rows(t), 3);
    CHECK_STR(odim_table_note(t, 0), "1 other file and 1 folder beside the pictures: ignored");
    odim_table_free(t);
}

TEST(bad_pictures)
{
    char path[100];
    snprintf(path, sizeof path, "%s", make_folder("bad"));
    write_png(in_scratch("bad/b.png"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(1, 2));
    write_text(in_scratch("bad/a.png"), "hello");
    write_text(in_scratch("bad/c.png"), "\x89PNG\r\n\x1A\n");
    expect_folder_error(FOLDER(path, .pixels = "2x1"), ODIM_ERR_FORMAT,
                        "row 1 (a.png): it is neither PNG nor JPEG");
    CHECK_INT(err.row, 0);
    odim_table *t = FOLDER(path, .pixels = "2x1", .bad_rows = ODIM_BAD_ROWS_SKIP);
    REQUIRE(t);
    CHECK_INT(odim_table_skipped(t), 2);
    CHECK_INT(odim_table_row_number(t, 0), 1);
    CHECK_STR(odim_table_note(t, 1), "skipped: row 3 (c.png): the PNG file is truncated");
    expect_table(t, 1, 2, (const double[]){1, 2});
    t = FOLDER(path, .pixels = "2x1", .bad_rows = ODIM_BAD_ROWS_CALL);
    REQUIRE(t);
    CHECK_STR(odim_table_id(t, 0), "a.png");
    CHECK_STR(odim_table_id(t, 2), "c.png");
    CHECK_STR(odim_table_bad_row(t, 0), "row 1 (a.png): it is neither PNG nor JPEG");
    CHECK(!odim_table_bad_row(t, 1));
    expect_table(t, 3, 2, (const double[]){NAN, NAN, 1, 2, NAN, NAN});
}

TEST(options_of_folders)
{
    char path[100];
    snprintf(path, sizeof path, "%s", make_folder("opt"));
    expect_folder_error(FOLDER(path, .pixels = NULL), ODIM_ERR_DATA,
                        "the folder has no pictures (.png, .jpg, .jpeg)");
    write_png(in_scratch("opt/b.png"), 2, 1, 8, PNG_COLOR_TYPE_GRAY, 0, BYTES(1, 2));
    static const char *const wrong[] = {"",     "8",    "8x",    "x8",           "0x8",
                                        "8x0",  "8x8:", "257x8", "8x257",        "8x8:colors",
                                        "-8x8", " 8x8", "8X8",   "99999999999x8"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char msg[200];
        snprintf(msg, sizeof msg,
                 "pixels must be columns x rows, each at most 256, such as 32x32 or 32x32:color, not '%s'",
                 wrong[i]);
        expect_folder_error(FOLDER(path, .pixels = wrong[i]), ODIM_ERR_PARAM, msg);
    }
    expect_folder_error(FOLDER(path, .format = "csv"), ODIM_ERR_IO, "cannot read: Is a directory");
    expect_folder_error(FOLDER(path, .more_files = (const char *const[]){path, NULL}), ODIM_ERR_IO,
                        "it is not a regular file, and several files are read more than once; save it first");
}

TEST(memory)
{
    char path[100];
    static unsigned char pixels[40 * 40];
    snprintf(path, sizeof path, "%s", make_folder("mem"));
    write_png(in_scratch("mem/a.png"), 40, 40, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, pixels);
    write_jpeg(in_scratch("mem/b.jpg"), 40, 40, JCS_GRAYSCALE, 1, 90, false, pixels);
    write_text(in_scratch("mem/c.txt"), "");
    odim_status status;
    const odim_read_options o = {.size = sizeof o, .pixels = "3x2:color", .bad_rows = ODIM_BAD_ROWS_SKIP};
    EACH_ALLOCATION_FAILS_BUT(status, 20, 1) /* giving memory back */
    {
        odim_table *t;
        status = odim_table_read(&t, path, &o, &err);
        odim_table_free(t);
    }
}

int main(void)
{
    scratch_make();
    RUN(grey_png_of_the_same_size_is_unchanged);
    RUN(interlaced_png_is_the_same_as_a_plain_one);
    RUN(kinds_of_png);
    RUN(means_of_areas);
    RUN(aspect_is_kept);
    RUN(jpeg);
    RUN(jpeg_is_turned_upright);
    RUN(thumbnails);
    RUN(truncated_and_damaged);
    RUN(bombs);
    RUN(folder);
    RUN(bad_pictures);
    RUN(options_of_folders);
    RUN(memory);
    return test_end();
}
