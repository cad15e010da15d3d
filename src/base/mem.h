/* Forwards to common/mem.h. */
#include "common/mem.h"
