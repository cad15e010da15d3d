/* NPZ: X, and y if there is one. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .format = "npz"};
    return fuzz_read(data, size, &o);
}
