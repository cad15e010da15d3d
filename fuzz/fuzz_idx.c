/* IDX, with an id, so that numbers are written as text too. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .format = "idx", .id = "x1"};
    return fuzz_read(data, size, &o);
}
