/* Zip archives of tables. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    odim_read_options o = {.size = sizeof(odim_read_options)};
    return fuzz_read(data, size, &o);
}
