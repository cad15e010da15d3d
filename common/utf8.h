/* Decodes UTF-8 strictly: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef OD_UTF8_H
#define OD_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the number of bytes of the character at `text`, of which `left` bytes may be read, and stores its
 * code point; 0 when they are not a character. Where the text ends with '\0', OD_UTF8_LONGEST is a safe
 * `left`.
 */
enum { OD_UTF8_LONGEST = 4 };
int od_utf8_decode(const char *text, size_t left, uint32_t *code);

#endif
