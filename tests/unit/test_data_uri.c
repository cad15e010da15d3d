/* tests: data_uri. Pictures as data: addresses. */
#include "data_uri.h"

#include "test.h"

TEST(png_and_jpeg)
{
    static unsigned char pixels[96 * 96 * 3];
    char *uri = cli_data_uri((const unsigned char[]){0, 255}, 2, 1, 1, true);
    REQUIRE(uri);
    /* The signature and the size, which base64 begins with whatever zlib makes of the pixels. */
    CHECK(strncmp(uri, "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAAB", 54) == 0);
    CHECK_INT((strlen(uri) - strlen("data:image/png;base64,")) % 4, 0);
    free(uri);
    unsigned state = 1;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)((state = state * 1103515245 + 12345) >> 24);
    uri = cli_data_uri(pixels, 96, 96, 3, true); /* noise, of which PNG is large */
    REQUIRE(uri);
    CHECK(strncmp(uri, "data:image/jpeg;base64,/9j/", 27) == 0);
    size_t small = strlen(uri);
    free(uri);
    uri = cli_data_uri(pixels, 96, 96, 3, false);
    REQUIRE(uri);
    CHECK(strncmp(uri, "data:image/png;base64,", 22) == 0 && strlen(uri) > small);
    free(uri);
}

int main(void)
{
    RUN(png_and_jpeg);
    return test_end();
}
