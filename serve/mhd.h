/*
 * The calls of libmicrohttpd that are used here, found at run time: the other verbs do not load it and the
 * libraries that it needs, and work on a machine that does not have it.
 */
#ifndef HTTP_MHD_H
#define HTTP_MHD_H

#include <microhttpd.h>
#include <stdbool.h>

#define HTTP_MHD_CALLS(CALL)                                                                                 \
    CALL(start_daemon)                                                                                       \
    CALL(quiesce_daemon)                                                                                     \
    CALL(stop_daemon)                                                                                        \
    CALL(get_daemon_info)                                                                                    \
    CALL(get_connection_info)                                                                                \
    CALL(get_connection_values)                                                                              \
    CALL(suspend_connection)                                                                                 \
    CALL(resume_connection)                                                                                  \
    CALL(create_response_from_buffer)                                                                        \
    CALL(create_response_from_callback)                                                                      \
    CALL(add_response_header)                                                                                \
    CALL(queue_response)                                                                                     \
    CALL(destroy_response)                                                                                   \
    CALL(get_version)

typedef struct http_mhd {
#define CALL(name) __typeof__(MHD_##name) *(name);
    HTTP_MHD_CALLS(CALL)
#undef CALL
} http_mhd;

extern http_mhd mhd;

/* False: the library is not there, which has been reported. */
bool http_mhd_load(void);

#endif
