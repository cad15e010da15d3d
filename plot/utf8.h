/* A strict UTF-8 decoder: no overlong forms, no surrogates, nothing past U+10FFFF. */
#ifndef OD_UTF8_H
#define OD_UTF8_H

#include <stdint.h>

/* The bytes of the character that `text` begins with, and which one it is; 0 when it begins with none. */
int cli_utf8_decode(const char *text, uint32_t *code);

#endif
