/* A growing text, for responses and for lines of the log. */
#ifndef SRV_TEXT_H
#define SRV_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SRV_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define SRV_PRINTF(fmt, first)
#endif

typedef struct srv_text {
    char *bytes; /* from od_alloc; ends with '\0' unless it is NULL */
    size_t size, room;
    size_t most; /* of bytes; 0: no limit */
    bool failed; /* out of memory, or above the limit; what was added since is lost */
} srv_text;

void srv_text_add(srv_text *t, const void *bytes, size_t size);
void srv_text_puts(srv_text *t, const char *text);
void srv_text_printf(srv_text *t, const char *fmt, ...) SRV_PRINTF(2, 3);
/* A string of JSON with its quotes; what is not UTF-8 becomes U+FFFD. */
void srv_text_json(srv_text *t, const char *text);
void srv_text_free(srv_text *t);

#endif
