/* SHA-256 (FIPS 180-4), by which a page names the scripts and styles that it lets run. */
#ifndef OD_SHA256_H
#define OD_SHA256_H

#include <stddef.h>

enum { OD_SHA256_TEXT = 45 };

/* In base 64, with a '\0' at the end. */
void od_sha256_base64(const void *bytes, size_t size, char out[OD_SHA256_TEXT]);

#endif
