/* A growing text, for responses and for lines of the log. */
#ifndef HTTP_TEXT_H
#define HTTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HTTP_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define HTTP_PRINTF(fmt, first)
#endif

typedef struct http_text {
    char *bytes; /* from od_alloc; ends with '\0' unless it is NULL */
    size_t size, room;
    size_t most; /* of bytes; 0: no limit */
    bool failed; /* out of memory, or above the limit; what was added since is lost */
} http_text;

void http_text_add(http_text *t, const void *bytes, size_t size);
void http_text_puts(http_text *t, const char *text);
void http_text_printf(http_text *t, const char *fmt, ...) HTTP_PRINTF(2, 3);
/* A string of JSON with its quotes; what is not UTF-8 becomes U+FFFD. */
void http_text_json(http_text *t, const char *text);
void http_text_free(http_text *t);

#endif
