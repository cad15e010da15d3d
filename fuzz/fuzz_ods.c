/* OpenDocument spreadsheets. The input is their content.xml, which is stored in an archive here; one that
 * begins as a zip archive is taken as it is. */
#include "fuzz.h"

#include "../tests/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .format = "ods", .unpacked = 1 << 22};
    if (size > 2 && memcmp(data, "PK", 2) == 0) return fuzz_read(data, size, &o);
    zip_maker z = {0};
    zip_add(&z, "mimetype", "a", 1, 0);
    zip_add(&z, "content.xml", data, size, 0);
    bytes b = zip_end(&z);
    int result = fuzz_read(b.p, b.len, &o);
    drop(&b);
    return result;
}
