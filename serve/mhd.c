/* Finds libmicrohttpd and its functions. */
#include "mhd.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

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

/* Never unloaded: the libraries below it may have threads and destructors. */
bool http_mhd_load(void)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        cli_log("odim serve needs libmicrohttpd: apt install libmicrohttpd12");
        return false;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *function = dlsym(library, calls[i].name);
        if (!function) {
            cli_log("libmicrohttpd.so.12 has no function %s: install a newer version", calls[i].name);
            return false;
        }
        memcpy((char *)&mhd + calls[i].place, &function, sizeof function);
    }
    return true;
}
