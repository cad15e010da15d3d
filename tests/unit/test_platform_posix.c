/* tests: platform. The tests of platform.c again, on the part of it that needs no Linux. */
#include "common/platform.c"
#include "unit/test_platform.c"
