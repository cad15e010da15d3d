/* Structs of the public header that begin with their size, so that they can grow: in from the caller, and
 * out. */
#ifndef OD_SIZED_H
#define OD_SIZED_H

#include "base/status.h"

/*
 * Copies the caller's struct to `to`, a struct of `known` bytes. What an older caller does not have becomes
 * 0. `from` NULL: all is 0. `name` is the argument's name, for a message.
 */
odim_status od_sized_in(void *to, size_t known, const void *from, const char *name, odim_error *err);

/* Copies `from`, a struct of `known` bytes, to the caller's as far as its size goes. Its size stays. */
odim_status od_sized_out(void *to, const void *from, size_t known, const char *name, odim_error *err);

#endif
