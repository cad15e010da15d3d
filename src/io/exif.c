/* Finds the orientation in EXIF data: a TIFF header, then a list of entries of 12 bytes each. */
#include "io/exif.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ORIENTATION = 0x0112, SHORT = 3, HEADER = 8, ENTRY = 12 };

/* TIFF data in either byte order. */
typedef struct tiff {
    const unsigned char *bytes;
    size_t len;
    bool little;
} tiff;

/* A number of `size` bytes at `at`; 0 beyond the end. */
static uint32_t number(const tiff *t, size_t at, size_t size)
{
    uint32_t v = 0;
    if (at > t->len || t->len - at < size) return 0;
    for (size_t i = 0; i < size; i++) v = v << 8 | t->bytes[at + (t->little ? size - 1 - i : i)];
    return v;
}

int od_exif_orientation(const unsigned char *bytes, size_t len)
{
    static const char mark[6] = "Exif\0";
    if (len < sizeof mark + HEADER || memcmp(bytes, mark, sizeof mark) != 0) return 1;
    tiff t = {.bytes = bytes + sizeof mark, .len = len - sizeof mark};
    t.little = t.bytes[0] == 'I';
    if (memcmp(t.bytes, t.little ? "II" : "MM", 2) != 0 || number(&t, 2, 2) != 42) return 1;
    size_t list = number(&t, 4, 4), count = number(&t, list, 2);
    for (size_t i = 0; i < count; i++) {
        size_t at = list + 2 + i * ENTRY;
        if (number(&t, at, 2) != ORIENTATION) continue;
        uint32_t value = number(&t, at + 8, 2);
        bool fine = number(&t, at + 2, 2) == SHORT && number(&t, at + 4, 4) == 1;
        return fine && value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}
