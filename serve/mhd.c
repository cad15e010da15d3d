/* Finds libmicrohttpd and its functions. */
#include "mhd.h"

#include <stddef.h>
#include <string.h>

#include "common/platform.h"
#include "log.h"

http_mhd mhd;

static const struct {
    const char *name;
    size_t place; /* of its pointer in http_mhd */
} calls[] = {
#define CALL(name) {"MHD_" #name, offsetof(http_mhd, name)},
    HTTP_MHD_CALLS(CALL)
#undef CALL
};

bool http_mhd_load(void)
{
    void *library = od_platform_library("libmicrohttpd.so.12");
    if (!library && !od_platform_loads()) {
        cli_log(
            "odim serve is not part of a statically linked program: use an odim that is linked dynamically");
        return false;
    }
    if (!library) {
        cli_log("odim serve needs libmicrohttpd: apt install libmicrohttpd12");
        return false;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *function = od_platform_function(library, calls[i].name);
        if (!function) {
            cli_log("libmicrohttpd.so.12 has no function %s: install a newer version", calls[i].name);
            return false;
        }
        memcpy((char *)&mhd + calls[i].place, &function, sizeof function);
    }
    return true;
}
