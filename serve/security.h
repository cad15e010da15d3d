/* Who may ask: the token, and the headers Host and Origin. */
#ifndef HTTP_SECURITY_H
#define HTTP_SECURITY_H

#include "request.h"

enum { HTTP_TOKEN_LEAST = 16, HTTP_TOKEN_MOST = 512 };

/*
 * Whether the value of Host names this server: localhost, an address, or one of the names (which end with
 * NULL, and may be NULL), with or without a port. A web page that has its own name point here (DNS rebinding)
 * sends that name.
 */
bool http_host_is_ours(const char *host, const char *const *names);
/* Whether a request may come from a page of this origin: there is no Origin, or it is that of Host. */
bool http_origin_is_ours(const char *origin, const char *host);

/* Whether two texts are equal, in a time that depends on the length of `given` only. */
bool http_token_equal(const char *token, const char *given);
/* Whether a value of Authorization has the token. */
bool http_token_is_given(const char *token, const char *authorization);
/* Reads the token, the first line of a file, to be freed with od_free. NULL: the reason has been reported. */
char *http_token_read(const char *path);

/* Whether an address, such as 127.0.0.1 or ::1, can be reached from this machine only. */
bool http_address_is_loopback(const char *address);

#endif
