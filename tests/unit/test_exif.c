/* tests: exif. The orientation in EXIF data. */
#include "io/exif.h"

#include "test.h"

/* Without the '\0' that ends it. */
#define ORIENTATION(text) od_exif_orientation((const unsigned char *)(text), sizeof(text) - 1)
#define BIG               "Exif\0\0MM\0*\0\0\0\x08"
#define LITTLE            "Exif\0\0II*\0\x08\0\0\0"

TEST(both_byte_orders)
{
    CHECK_INT(ORIENTATION(BIG "\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0"), 6);
    CHECK_INT(ORIENTATION(LITTLE "\1\0\x12\x01\3\0\1\0\0\0\x08\0\0\0"), 8);
}

TEST(behind_other_entries)
{
    CHECK_INT(ORIENTATION(BIG "\0\2\x01\x0F\0\2\0\0\0\3abc\0\x01\x12\0\3\0\0\0\1\0\3\0\0"), 3);
    CHECK_INT(ORIENTATION("Exif\0\0MM\0*\0\0\0\x0A??\0\1\x01\x12\0\3\0\0\0\1\0\5\0\0"), 5);
}

TEST(nothing_valid_is_upright)
{
    CHECK_INT(od_exif_orientation(NULL, 0), 1);
    CHECK_INT(ORIENTATION(BIG), 1);
    CHECK_INT(ORIENTATION(BIG "\0\1\x01\x12\0\3\0\0\0\1\0\x09\0\0"), 1); /* no such orientation */
    CHECK_INT(ORIENTATION(BIG "\0\1\x01\x12\0\3\0\0\0\1\0\0\0\0"), 1);
    CHECK_INT(ORIENTATION(BIG "\0\1\x01\x12\0\4\0\0\0\1\0\6\0\0"), 1);      /* another type */
    CHECK_INT(ORIENTATION(BIG "\0\1\x01\x12\0\3\0\0\0\2\0\6\0\0"), 1);      /* two of them */
    CHECK_INT(ORIENTATION(BIG "\xFF\xFF\x01\x12\0\3\0\0\0\1"), 1);          /* cut */
    CHECK_INT(ORIENTATION("Exif\0\0MM\0*\xFF\xFF\xFF\xFF\0\1\x01\x12"), 1); /* the list is elsewhere */
    CHECK_INT(ORIENTATION("Exif\0\0MM\0+\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0"), 1);
    CHECK_INT(ORIENTATION("Exif\0\0IM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0"), 1);
    CHECK_INT(ORIENTATION("http://ns.adobe.com/xap/1.0/"), 1);
}

int main(void)
{
    RUN(both_byte_orders);
    RUN(behind_other_entries);
    RUN(nothing_valid_is_upright);
    return test_end();
}
