/*
 * Excel workbooks. The input is the XML of a sheet, a byte 0, that of the shared strings, a byte 0, and that
 * of the styles: they are stored in an archive here, since a fuzzer does not guess checksums. An input that
 * begins as a zip archive is taken as it is.
 */
#include "fuzz.h"

#include <stdio.h>

#include "../tests/bytes.h"

#define REL(id, type, target) "<Relationship Id=\"" id "\" Type=\"x/" type "\" Target=\"" target "\"/>"

static void add_text(zip_maker *z, const char *name, const char *text)
{
    zip_add(z, name, text, strlen(text), 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"xl/sheet.xml", "xl/strings.xml", "xl/styles.xml"};
    odim_read_options o = {.size = sizeof(odim_read_options), .format = "xlsx", .unpacked = 1 << 22};
    if (size > 2 && memcmp(data, "PK", 2) == 0) return fuzz_read(data, size, &o);
    zip_maker z = {0};
    add_text(&z, "xl/workbook.xml", "<workbook><sheets><sheet name=\"a\" r:id=\"a\"/></sheets></workbook>");
    add_text(&z, "xl/_rels/workbook.xml.rels",
             "<Relationships>" REL("a", "worksheet", "sheet.xml") REL("b", "sharedStrings", "strings.xml")
                 REL("c", "styles", "styles.xml") "</Relationships>");
    for (size_t i = 0; i < 3 && size; i++) {
        const uint8_t *end = i < 2 ? memchr(data, 0, size) : NULL;
        size_t len = end ? (size_t)(end - data) : size;
        zip_add(&z, names[i], data, len, 0);
        data += len + (end ? 1 : 0);
        size -= len + (end ? 1 : 0);
    }
    bytes b = zip_end(&z);
    int result = fuzz_read(b.p, b.len, &o);
    drop(&b);
    return result;
}
