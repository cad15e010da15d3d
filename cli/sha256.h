/* SHA-256 (FIPS 180-4), by which a page names the scripts and styles that it lets run. */
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

#include <stddef.h>

enum { CLI_SHA256_TEXT = 45 };

/* In base 64, with a '\0' at the end. */
void cli_sha256_base64(const void *bytes, size_t size, char out[CLI_SHA256_TEXT]);

#endif
